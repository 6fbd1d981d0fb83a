//! The benchmarks of both languages in full. Each language prints its ratios; here they stand together at the end.

use anyhow::{Result, bail};
use xshell::{Cmd, cmd};

use crate::dotnet::BENCHMARKS;
use crate::run::{self, Counts, Run};
use crate::workspace::Workspace;

pub fn bench(workspace: &Workspace, run: &mut Run) {
    let sh = &workspace.sh;
    let mut ratios = Vec::new();
    let commands = [
        ("Rust benchmarks", cmd!(sh, "cargo bench --bench *")),
        (".NET benchmarks", cmd!(sh, "dotnet run --configuration Release --project {BENCHMARKS} -- --filter *")),
    ];
    for (title, command) in commands {
        run.step(title, || measure(command, &mut ratios));
    }
    println!("\n== Ratios");
    for ratio in ratios {
        println!("{ratio}");
    }
}

fn measure(command: Cmd<'_>, ratios: &mut Vec<String>) -> Result<Counts> {
    let status = run::stream(command, |line| {
        if is_ratio(line) {
            ratios.push(line.to_owned());
        }
    })?;
    if !status.success() {
        bail!("the benchmarks ended with {status}");
    }
    Ok(Counts { passed: 1, ..Counts::default() })
}

/// Rust: `ratio ours / other: 0.31 (…)`. C#: `| ours | other | 0.31 | at most 1 |`.
fn is_ratio(line: &str) -> bool {
    line.starts_with("ratio ") || (line.starts_with("| ") && line.contains(" | at most "))
}

#[cfg(test)]
mod tests {
    use super::is_ratio;

    #[test]
    fn ratios_are_told_from_other_tables() {
        assert!(is_ratio("ratio report/parse / report/serde_json_value: 0.50 (500 ns / 1000 ns)"));
        assert!(is_ratio("| Classify | EmptyCall | 1.31 | at most 1.5 |"));
        assert!(!is_ratio("| ElicitDoctor    | 278.7 us |    NA |  0.72 |      72 B |        0.01 |"));
    }
}
