//! The .NET packages: build (which also builds the release library), tests, those of the integration against the oldest
//! SDK too, formatting, a short soak, and each benchmark once.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::run::{self, Counts, Run, leading_number};
use crate::soak;
use crate::workspace::Workspace;

const SOLUTION: &str = "elicit-doctor.slnx";
pub const BENCHMARKS: &str = "bindings/csharp/benchmarks";
const SERVER: &str = "dotnet-sample/StdioServer";
const CONFORMANCE_SERVER: &str = "bindings/csharp/tests/ConformanceServer";
const INTEGRATION_TESTS: &str = "ElicitDoctor.ModelContextProtocol.Tests";

/// The oldest release of the MCP SDK that the integration supports; `Directory.Packages.props` has the newest one.
const OLDEST_MCP_SDK: &str = "2.2.0";

pub fn test(workspace: &Workspace, run: &mut Run) {
    let sh = &workspace.sh;
    run.check(".NET build", cmd!(sh, "dotnet build {SOLUTION} --configuration Release"));
    run.tests(
        ".NET tests",
        cmd!(sh, "dotnet test --solution {SOLUTION} --configuration Release --no-build --no-progress --no-ansi"),
        testing_platform(),
    );
    let title = format!(".NET tests, MCP SDK {OLDEST_MCP_SDK}");
    run.step(&title, || test_with_mcp_sdk(workspace, OLDEST_MCP_SDK));
    run.check(".NET formatting", cmd!(sh, "dotnet format {SOLUTION} --verify-no-changes --no-restore"));
    soak::soak(workspace, run, soak::SHORT);
    run.tests(
        ".NET benchmarks, each once",
        cmd!(sh, "dotnet run --configuration Release --project {BENCHMARKS} -- --filter * --job Dry --inProcess"),
        benchmark_dotnet,
    );
}

/// Builds and runs the tests of the integration, with the samples that they start, against another release of the SDK. The
/// output is apart from the solution's, which stays as it is; the native library is shared.
fn test_with_mcp_sdk(workspace: &Workspace, version: &str) -> Result<Counts> {
    let sh = &workspace.sh;
    let artifacts = workspace.target.join("xtask").join(format!("mcp-sdk-{version}"));
    let counts = run::tests(
        cmd!(
            sh,
            "dotnet test --project bindings/csharp/tests/{INTEGRATION_TESTS} --configuration Release
             -p:McpSdkVersion={version} --artifacts-path {artifacts} --no-progress --no-ansi"
        ),
        testing_platform(),
    )?;
    // A version that MSBuild does not take would test the newest one twice.
    let tested = artifacts.join("bin").join(INTEGRATION_TESTS).join("release");
    let dependencies = sh.read_file(tested.join(format!("{INTEGRATION_TESTS}.deps.json")))?;
    let sdk = format!("\"ModelContextProtocol/{version}\"");
    ensure!(dependencies.contains(&sdk), "the tests were not built against {sdk}");
    Ok(counts)
}

/// Builds the sample server and says where it is.
pub fn build_server(workspace: &Workspace) -> Result<PathBuf> {
    build(workspace, SERVER)
}

/// Builds the server for the conformance suite and says where it is.
pub fn build_conformance_server(workspace: &Workspace) -> Result<PathBuf> {
    build(workspace, CONFORMANCE_SERVER)
}

fn build(workspace: &Workspace, project: &str) -> Result<PathBuf> {
    run::check(cmd!(workspace.sh, "dotnet build {project} --configuration Release --framework net10.0"))?;
    let (_, name) = project.rsplit_once('/').context("a project has a folder")?;
    Ok(workspace.root.join(project).join("bin/Release/net10.0").join(format!("{name}.dll")))
}

/// How the sample server is published.
#[derive(Clone, Copy)]
pub enum Publish {
    NativeAot,
    Trimmed,
}

/// Publishes the sample server for this machine, with every warning as an error, and says where it is.
pub fn publish_server(workspace: &Workspace, publish: Publish) -> Result<PathBuf> {
    let (name, property) = match publish {
        Publish::NativeAot => ("native-aot", "-p:PublishAot=true"),
        Publish::Trimmed => ("trimmed", "-p:PublishTrimmed=true"),
    };
    let sh = &workspace.sh;
    let artifacts = workspace.target.join("xtask").join(name);
    // An old output would hide that nothing was published, and an up-to-date one the linker's warnings.
    sh.remove_path(&artifacts)?;
    let output = artifacts.join("publish");
    run::check(cmd!(
        sh,
        "dotnet publish {SERVER} --configuration Release --framework net10.0 --use-current-runtime --self-contained
         {property} -warnaserror --artifacts-path {artifacts} --output {output}"
    ))?;
    let server = output.join(format!("StdioServer{}", std::env::consts::EXE_SUFFIX));
    if !server.is_file() {
        bail!("dotnet publish succeeded, but there is no {}", server.display());
    }
    Ok(server)
}

/// Reads the summary of Microsoft.Testing.Platform: a heading, then one line per number.
fn testing_platform() -> impl FnMut(&str) -> Option<Counts> {
    let mut in_summary = false;
    move |line| {
        in_summary |= line.starts_with("Test run summary:");
        let (name, number) = line.trim().split_once(": ")?;
        let number = leading_number(number).filter(|_| in_summary)?;
        let none = Counts::default();
        match name {
            "succeeded" => Some(Counts { passed: number, ..none }),
            "failed" => Some(Counts { failed: number, ..none }),
            "skipped" => Some(Counts { skipped: number, ..none }),
            _ => None,
        }
    }
}

/// `Global total time: 00:00:00 (0.61 sec), executed benchmarks: 5`
fn benchmark_dotnet(line: &str) -> Option<Counts> {
    let (_, number) = line.strip_prefix("Global total time: ")?.split_once("executed benchmarks: ")?;
    Some(Counts { passed: leading_number(number)?, ..Counts::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_testing_platforms_counts_are_read_from_its_summary_only() {
        let output = "failed: 7\nTest run summary: Failed!\n  total: 12\n  failed: 2\n  succeeded: 9\n  skipped: 1\n  duration: 3s 120ms";
        let mut counter = testing_platform();
        let mut counts = Counts::default();
        for more in output.lines().filter_map(&mut counter) {
            counts += more;
        }
        assert_eq!(counts, Counts { passed: 9, failed: 2, skipped: 1 });
    }

    #[test]
    fn benchmarks_are_counted_where_benchmark_dotnet_says_how_many_it_ran() {
        let line = "Global total time: 00:00:00 (0.61 sec), executed benchmarks: 5";
        assert_eq!(benchmark_dotnet(line), Some(Counts { passed: 5, ..Counts::default() }));
    }
}
