//! The steps of this repository that span languages.
//!
//! `cargo xtask test` checks everything, `cargo xtask bench` measures everything. Each module knows the steps of one
//! language; `run` carries them out, shows what they print as they print it, and counts.

mod bench;
mod c;
mod dotnet;
mod run;
mod rust;
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
    /// Runs the benchmarks of all languages in full and prints their ratios.
    Bench,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Formatting, lints, documentation, tests and benchmarks (each once) of the core.
    Rust,
    /// The C and C++ programs against the header and the release library.
    C,
    /// Build, tests, formatting and benchmarks (each once) of the .NET packages.
    Dotnet,
    /// The sample server under the TypeScript SDK's clients.
    Typescript,
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
                    Part::Publish => typescript::test_published(&workspace, &mut run),
                }
            }
        }
        Task::Bench => bench::bench(&workspace, &mut run),
    }
    Ok(run.finish())
}
