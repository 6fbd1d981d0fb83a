//! elicit-doctor tells the author of an MCP (Model Context Protocol) server what a host really does with elicitation.
//!
//! A host declares what it can do in its handshake. [`Report::from_handshake`] echoes that handshake byte for byte,
//! reads it by the specification's rules, and finds what is odd about it; [`classify`] names what an answer to a live
//! probe means. The library does no transport of its own: JSON text goes in, JSON text comes out.
//!
//! C, C++ and .NET use the same functions through the C ABI in [`ffi`], described by `include/elicit_doctor.h`.

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod answer;
mod engine;
mod error;
#[allow(unsafe_code, reason = "the C ABI is where raw pointers come in")]
pub mod ffi;
mod finding;
mod format;
mod handshake;
mod json;
mod probe;
mod report;
mod request;
mod revision;
mod round_trip;
mod schema;
mod secret;
mod state;
mod support;
mod url;
mod verdict;

pub use answer::check_answer;
pub use engine::{End, Engine, EngineError, Host, ProbeId};
pub use error::Error;
pub use finding::{Diagnosis, Finding, Rule, Severity, diagnoses, rules};
pub use handshake::Era;
pub use probe::{DEFAULT_TIMEOUT, Outcome, Probe, ProbeOptions, Question};
pub use report::{Delivery, Deprecation, Mode, Report};
pub use request::check_request;
pub use revision::Revision;
pub use round_trip::{INPUT_KEY, RoundTripError, Step, begin_round_trip, resume_round_trip};
pub use state::{DEFAULT_LIFETIME, KEY_LEN, StateError, StateKey, StateOptions, open_state, seal_state};
pub use support::Support;
pub use verdict::{Action, AnsweredBy, HUMAN_DECLINE, Verdict, classify};

/// The Rust snippets of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
