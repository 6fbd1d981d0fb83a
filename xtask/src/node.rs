//! Packages of Node.js programs: what their lock file names, and their tests.

use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::run::{self, Counts, leading_number};
use crate::workspace::Workspace;

/// Installs exactly what the lock file of a folder names, unless that was done since it last changed. `options` are
/// npm's; `needed` is a package that they install.
pub fn install(workspace: &Workspace, folder: &str, options: &[&str], needed: &str) -> Result<()> {
    let changed = |file: &str| workspace.root.join(folder).join(file).metadata().ok()?.modified().ok();
    let is_there = workspace.root.join(folder).join("node_modules").join(needed).is_dir();
    if !is_there || changed("node_modules/.package-lock.json") <= changed("package-lock.json") {
        run::check(cmd!(workspace.sh, "npm --prefix {folder} ci {options...} --ignore-scripts --no-audit --no-fund"))?;
    }
    Ok(())
}

/// Runs the tests in a folder against a server; `needed` is a package that they are installed with.
pub fn test_server(workspace: &Workspace, folder: &str, needed: &str, server: &Path) -> Result<Counts> {
    install(workspace, folder, &[], needed)?;
    let test = cmd!(workspace.sh, "npm --prefix {folder} test")
        .env("ELICIT_DOCTOR_SERVER", server)
        // It would put colours into the counts.
        .env_remove("FORCE_COLOR");
    run::tests(test, counts)
}

/// The closing lines of Node's test runner: `ℹ pass 5`, `ℹ fail 0`, `ℹ cancelled 0`, `ℹ skipped 0`, `ℹ todo 0`
pub fn counts(line: &str) -> Option<Counts> {
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
        let mut sum = Counts::default();
        for more in lines.into_iter().filter_map(counts) {
            sum += more;
        }
        assert_eq!(sum, Counts { passed: 5, failed: 2, skipped: 2 });
    }
}
