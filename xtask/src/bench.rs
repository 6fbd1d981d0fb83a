//! The benchmarks of both languages in full. Each language prints its ratios and figures; here they stand together at
//! the end.

use anyhow::{Result, bail};
use xshell::{Cmd, cmd};

use crate::dotnet::BENCHMARKS;
use crate::run::{self, Counts, Run};
use crate::workspace::Workspace;

pub fn bench(workspace: &Workspace, run: &mut Run) {
    let sh = &workspace.sh;
    let mut results = Vec::new();
    let commands = [
        ("Rust benchmarks", cmd!(sh, "cargo bench --bench *")),
        (".NET benchmarks", cmd!(sh, "dotnet run --configuration Release --project {BENCHMARKS} -- --filter *")),
    ];
    for (title, command) in commands {
        run.step(title, || measure(command, &mut results));
    }
    println!("\n== Ratios and figures");
    for result in results {
        println!("{result}");
    }
}

fn measure(command: Cmd<'_>, results: &mut Vec<String>) -> Result<Counts> {
    let status = run::stream(command, |line| {
        if is_result(line) {
            results.push(line.to_owned());
        }
    })?;
    if !status.success() {
        bail!("the benchmarks ended with {status}");
    }
    Ok(Counts { passed: 1, ..Counts::default() })
}

/// Rust: `ratio ours / other: 0.31 (…)`. C#: `| ours | other | 0.31 | at most 1 |` and `| what | 31 µs | at most 50 µs |`.
fn is_result(line: &str) -> bool {
    line.starts_with("ratio ") || (line.starts_with("| ") && line.contains(" | at most "))
}

#[cfg(test)]
mod tests {
    use super::is_result;

    #[test]
    fn ratios_and_figures_are_told_from_other_tables() {
        assert!(is_result("ratio report/parse / report/serde_json_value: 0.50 (500 ns / 1000 ns)"));
        assert!(is_result("| Classify | EmptyCall | 1.31 | at most 1.5 |"));
        assert!(is_result("| from reply to completed ProbeAsync, median | 31 µs | at most 50 µs |"));
        assert!(!is_result("| ElicitDoctor    | 278.7 us |    NA |  0.72 |      72 B |        0.01 |"));
    }
}
