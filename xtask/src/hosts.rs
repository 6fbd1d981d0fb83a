//! Real hosts against the sample server: without login, without a model, on the loopback only. Each report lands in
//! `target/hosts`, and so does what each of the sample's own tools did; the tables of them say what really happened.

use xshell::cmd;

use crate::dotnet;
use crate::node;
use crate::run::{self, Run};
use crate::workspace::Workspace;

const HOSTS: &str = "tests/hosts";

/// Every host.
pub fn all(workspace: &Workspace, run: &mut Run) {
    play(workspace, run, "Hosts", &[], "@openai/codex", &[]);
}

/// The one host that is small and quick enough for every test run.
pub fn mcpdo(workspace: &Workspace, run: &mut Run) {
    let (options, file) = (["--omit=dev"], ["mcpdo.test.js"]);
    play(workspace, run, "Host mcpdo", &options, "@modelcontextprotocol/inspector", &file);
}

fn play(workspace: &Workspace, run: &mut Run, title: &str, options: &[&str], needed: &str, files: &[&str]) {
    let Workspace { sh, target, .. } = workspace;
    let reports = target.join("hosts");
    run.step(title, || {
        let server = dotnet::build_server(workspace)?;
        node::install(workspace, HOSTS, options, needed)?;
        sh.remove_path(&reports)?;
        let test = cmd!(sh, "npm --prefix {HOSTS} test -- {files...}")
            .env("ELICIT_DOCTOR_SERVER", server)
            .env("ELICIT_DOCTOR_REPORTS", &reports)
            // It would put colours into the counts.
            .env_remove("FORCE_COLOR");
        let counts = run::tests(test, node::counts)?;
        if reports.is_dir() {
            println!("\nThe reports are in {}:", reports.display());
            run::stream(cmd!(sh, "npm --prefix {HOSTS} run --silent table {reports}"), |_| ())?;
        }
        Ok(counts)
    });
}
