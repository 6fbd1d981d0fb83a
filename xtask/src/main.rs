//! The steps of this repository that span languages.
//!
//! `cargo xtask test` checks everything, `cargo xtask bench` measures everything; what takes long or needs more than
//! the README asks for is a command of its own. Each module knows the steps of one language or one kind; `run` carries
//! them out, shows what they print as they print it, and counts.

mod bench;
mod c;
mod conformance;
mod dotnet;
mod fuzz;
mod hosts;
mod node;
mod run;
mod rust;
mod sanitize;
mod soak;
mod typescript;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use crate::run::Run;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Runs every test and every lint of every language; ends with one line `N passed, N failed`.
    Test {
        /// Only these parts; all of them when none is named.
        #[arg(value_enum)]
        parts: Vec<Part>,
    },
    /// Runs the benchmarks of all languages in full and prints their ratios and figures.
    Bench,
    /// Plays real hosts against the sample server, and keeps their reports in target/hosts. `test` plays one of them.
    Hosts,
    /// Runs the elicitation scenarios of the official conformance suite. Part of `test`.
    Conformance,
    /// Fuzzes what reads text from outside, and fails if anything is found. Needs a nightly toolchain; not part of `test`.
    Fuzz {
        /// How long, for each target.
        #[arg(long, default_value_t = 600)]
        seconds: u32,
        /// Only this target; all of them when none is named.
        #[arg(long, value_enum)]
        target: Option<fuzz::Target>,
    },
    /// Runs the Rust tests under AddressSanitizer, LeakSanitizer and ThreadSanitizer. Needs a nightly toolchain; not
    /// part of `test`.
    Sanitize,
    /// Runs very many probes in .NET and fails if anything is left or grows. `test` runs a short form.
    Soak {
        /// How many.
        #[arg(long, default_value_t = 1_000_000)]
        probes: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Formatting, lints, documentation, tests and benchmarks (each once) of the core.
    Rust,
    /// The C and C++ programs against the header and the release library.
    C,
    /// Build, tests (of the integration against the oldest MCP SDK too), formatting, a short soak and benchmarks (each
    /// once) of the .NET packages.
    Dotnet,
    /// The sample server under the TypeScript SDK's clients.
    Typescript,
    /// The sample server under a real host.
    Host,
    /// A server on the .NET packages under the official conformance suite.
    Conformance,
    /// The sample server published with NativeAOT and trimmed, each under the same clients.
    Publish,
}

fn main() -> anyhow::Result<ExitCode> {
    let task = Task::parse();
    let workspace = Workspace::new()?;
    let mut run = Run::default();
    match task {
        Task::Test { parts } => {
            for part in Part::value_variants() {
                if !parts.is_empty() && !parts.contains(part) {
                    continue;
                }
                match part {
                    Part::Rust => rust::test(&workspace, &mut run),
                    Part::C => c::test(&workspace, &mut run),
                    Part::Dotnet => dotnet::test(&workspace, &mut run),
                    Part::Typescript => typescript::test(&workspace, &mut run),
                    Part::Host => hosts::mcpdo(&workspace, &mut run),
                    Part::Conformance => conformance::test(&workspace, &mut run),
                    Part::Publish => typescript::test_published(&workspace, &mut run),
                }
            }
        }
        Task::Bench => bench::bench(&workspace, &mut run),
        Task::Hosts => hosts::all(&workspace, &mut run),
        Task::Conformance => conformance::test(&workspace, &mut run),
        Task::Fuzz { seconds, target } => fuzz::fuzz(&workspace, &mut run, seconds, target),
        Task::Sanitize => sanitize::sanitize(&workspace, &mut run),
        Task::Soak { probes } => soak::soak(&workspace, &mut run, probes),
    }
    Ok(run.finish())
}
