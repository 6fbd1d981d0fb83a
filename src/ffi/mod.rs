//! The C ABI: the same functions for C, C++, .NET and whatever else calls C. `include/elicit_doctor.h` is generated
//! from these files and is the manual; its head states the rules that all functions keep.
//!
//! One file per object, named as the C prefix is. Raw pointers become references at the top of a function, in the one
//! guard of `guard.rs`, and appear nowhere below.

mod buffer;
mod check;
mod engine;
mod error;
mod findings;
mod guard;
mod probe;
mod report;
mod round_trip;
mod state;
mod string;
mod verdict;

pub use buffer::{ElicitBuffer, elicit_buffer_free, elicit_buffer_text};
pub use check::{elicit_check_answer, elicit_check_request};
pub use engine::{
    ElicitEngine, ElicitEngineOptions, elicit_engine_free, elicit_engine_new, elicit_engine_open_probes,
    elicit_engine_shutdown,
};
pub use probe::{
    ElicitCancelFn, ElicitDoneFn, ElicitProbeOptions, ElicitRequestFn, elicit_probe_cancel, elicit_probe_fail,
    elicit_probe_reply, elicit_probe_start,
};
pub use round_trip::{ElicitRoundTripOptions, elicit_round_trip_begin, elicit_round_trip_resume};
pub use state::{ElicitStateOptions, elicit_state_open, elicit_state_seal};

pub use error::{ElicitError, ElicitStatus, elicit_error_free, elicit_error_message, elicit_error_status};
pub use findings::{
    ElicitFinding, ElicitFindings, ElicitSeverity, elicit_findings_free, elicit_findings_get, elicit_findings_len,
};
pub use report::{
    ElicitDelivery, ElicitMode, ElicitReport, ElicitSupport, elicit_report_delivery, elicit_report_findings,
    elicit_report_free, elicit_report_from_handshake, elicit_report_json, elicit_report_parse, elicit_report_revision,
    elicit_report_skip_probe, elicit_report_support, elicit_report_with_visit,
};
pub use string::ElicitStr;
pub use verdict::{ElicitAction, ElicitVerdict, elicit_classify, elicit_verdict_name};

/// Major version of the ABI: a change breaks callers.
pub const ELICIT_ABI_VERSION_MAJOR: u32 = 1;
/// Minor version of the ABI: a change adds functions, values or members at the end of a struct.
pub const ELICIT_ABI_VERSION_MINOR: u32 = 2;

/// The ABI version of the library that was loaded: `(major << 16) | minor`. Another major than
/// `ELICIT_ABI_VERSION_MAJOR`, or a smaller minor than `ELICIT_ABI_VERSION_MINOR`, does not fit the header that the
/// caller was compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn elicit_abi_version() -> u32 {
    (ELICIT_ABI_VERSION_MAJOR << 16) | ELICIT_ABI_VERSION_MINOR
}

/// The version of the library, such as "0.1.0". The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn elicit_version() -> ElicitStr {
    ElicitStr::new(env!("CARGO_PKG_VERSION"))
}
