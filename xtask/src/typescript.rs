//! The TypeScript SDK's clients against the sample server: as built, and as published.

use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::dotnet::{self, Publish};
use crate::run::{self, Counts, Run, leading_number};
use crate::workspace::Workspace;

const CLIENTS: &str = "tests/typescript";

pub fn test(workspace: &Workspace, run: &mut Run) {
    run.step("TypeScript clients", || test_server(workspace, &dotnet::build_server(workspace)?));
}

pub fn test_published(workspace: &Workspace, run: &mut Run) {
    for (title, publish) in [("NativeAOT server", Publish::NativeAot), ("Trimmed server", Publish::Trimmed)] {
        run.step(title, || {
            let mut counts = Counts::default();
            let server = dotnet::publish_server(workspace, publish)?;
            counts.passed += 1;
            counts += test_server(workspace, &server)?;
            Ok(counts)
        });
    }
}

fn test_server(workspace: &Workspace, server: &Path) -> Result<Counts> {
    install(workspace)?;
    let test = cmd!(workspace.sh, "npm --prefix {CLIENTS} test")
        .env("ELICIT_DOCTOR_SERVER", server)
        // It would put colours into the counts.
        .env_remove("FORCE_COLOR");
    run::tests(test, node)
}

/// Installs exactly what the lock file names, unless that was done since it last changed.
fn install(workspace: &Workspace) -> Result<()> {
    let changed = |file: &str| workspace.root.join(CLIENTS).join(file).metadata().ok()?.modified().ok();
    if changed("node_modules/.package-lock.json") <= changed("package-lock.json") {
        run::check(cmd!(workspace.sh, "npm --prefix {CLIENTS} ci --ignore-scripts --no-audit --no-fund"))?;
    }
    Ok(())
}

/// `ℹ pass 5`, `ℹ fail 0`, `ℹ cancelled 0`, `ℹ skipped 0`, `ℹ todo 0`
fn node(line: &str) -> Option<Counts> {
    let (name, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    let number = leading_number(number)?;
    let none = Counts::default();
    match name {
        "pass" => Some(Counts { passed: number, ..none }),
        "fail" | "cancelled" => Some(Counts { failed: number, ..none }),
        "skipped" | "todo" => Some(Counts { skipped: number, ..none }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_counts_are_read_from_its_closing_lines() {
        let lines = ["ℹ tests 9", "ℹ suites 0", "ℹ pass 5", "ℹ fail 1", "ℹ cancelled 1", "ℹ skipped 2", "ℹ todo 0"];
        let mut counts = Counts::default();
        for more in lines.into_iter().filter_map(node) {
            counts += more;
        }
        assert_eq!(counts, Counts { passed: 5, failed: 2, skipped: 2 });
    }
}
