//! The TypeScript SDK's clients against the sample server: as built, and as published.

use std::path::Path;

use anyhow::Result;

use crate::dotnet::{self, Publish};
use crate::node;
use crate::run::{Counts, Run};
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
    node::test_server(workspace, CLIENTS, "@modelcontextprotocol/client", server)
}
