//! The core: formatting, lints, documentation, tests, and each benchmark once.

use xshell::cmd;

use crate::run::{Counts, Run, leading_number};
use crate::workspace::Workspace;

pub fn test(workspace: &Workspace, run: &mut Run) {
    let sh = &workspace.sh;
    run.check("Rust formatting", cmd!(sh, "cargo fmt --all --check"));
    run.check("Rust lints", cmd!(sh, "cargo clippy --workspace --all-targets -- -D warnings"));
    run.check("Rust documentation", cmd!(sh, "cargo doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings"));
    run.tests("Rust tests", cmd!(sh, "cargo test --workspace --no-fail-fast"), libtest);
    run.tests("Rust benchmarks, each once", cmd!(sh, "cargo test --workspace --bench *"), criterion);
}

/// `test result: ok. 5 passed; 0 failed; 1 ignored; …`
pub fn libtest(line: &str) -> Option<Counts> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut numbers = counts.split(';').map(leading_number);
    Some(Counts { passed: numbers.next()??, failed: numbers.next()??, skipped: numbers.next()?? })
}

/// Criterion says `Success` for each benchmark that it ran as a test.
fn criterion(line: &str) -> Option<Counts> {
    (line == "Success").then_some(Counts { passed: 1, ..Counts::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_counts_are_read_from_its_closing_line() {
        let line = "test result: FAILED. 25 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s";
        assert_eq!(libtest(line), Some(Counts { passed: 25, failed: 2, skipped: 1 }));
        assert_eq!(libtest("test handshake::a_test ... ok"), None);
    }
}
