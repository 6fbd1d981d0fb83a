//! The official conformance suite's elicitation scenarios, against a server that is built on the .NET packages.

use crate::dotnet;
use crate::node;
use crate::run::Run;
use crate::workspace::Workspace;

const SUITE: &str = "tests/conformance";

pub fn test(workspace: &Workspace, run: &mut Run) {
    run.step("Conformance suite", || {
        let server = dotnet::build_conformance_server(workspace)?;
        node::test_server(workspace, SUITE, "@modelcontextprotocol/conformance", &server)
    });
}
