//! Very many probes in .NET, with hosts of every kind: nothing may be left and nothing may grow.

use anyhow::{Result, bail};
use xshell::cmd;

use crate::run::{self, Counts, Run};
use crate::workspace::Workspace;

const PROGRAM: &str = "bindings/csharp/soak";

/// So many show in seconds that it works.
pub const SHORT: u32 = 20_000;

pub fn soak(workspace: &Workspace, run: &mut Run, probes: u32) {
    run.step(&format!("Soak of {probes} probes"), || soaked(workspace, probes));
}

fn soaked(workspace: &Workspace, probes: u32) -> Result<Counts> {
    let probes = probes.to_string();
    let program = cmd!(workspace.sh, "dotnet run --configuration Release --project {PROGRAM} -- --probes {probes}");
    let status = run::stream(program, |_| ())?;
    if !status.success() {
        bail!("the soak ended with {status}: what is wrong stands above");
    }
    Ok(Counts { passed: 1, ..Counts::default() })
}
