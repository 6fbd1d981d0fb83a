//! What the integration tests share: every report that a test makes goes through [`report`] or [`checked`], and so
//! through the schema.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use elicit_doctor::{Error, Report};
use serde_json::Value;

pub fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

pub fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The report of a handshake, checked against the schema.
pub fn report(handshake: impl AsRef<[u8]>) -> Report {
    checked(Report::from_handshake(handshake.as_ref()))
        .unwrap_or_else(|error| panic!("no report: {error}\n{}", String::from_utf8_lossy(handshake.as_ref())))
}

/// Checks a report against the schema, and that it reads back as itself.
pub fn checked(outcome: Result<Report, Error>) -> Result<Report, Error> {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();

    let report = outcome?;
    let schema = SCHEMA.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/report.schema.json");
        jsonschema::draft202012::new(&read_json(&file)).unwrap()
    });
    // A lone surrogate in the echo is JSON that serde_json does not read as a Rust string.
    if let Ok(json) = serde_json::from_str::<Value>(report.json()) {
        let errors: Vec<String> =
            schema.iter_errors(&json).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{}", report.json());
    }
    assert_eq!(Report::parse(report.json().as_bytes()).as_ref(), Ok(&report));
    Ok(report)
}

/// The codes of a report's findings, in order.
pub fn codes(report: &Report) -> Vec<&str> {
    report.findings().iter().map(|finding| finding.code.as_ref()).collect()
}

/// A handshake of the initialize era with these capabilities, given as JSON.
pub fn initialize(revision: &str, capabilities: &str) -> String {
    format!(
        r#"{{"initialize":{{"request":{{"protocolVersion":"{revision}","clientInfo":{{"name":"host","version":"1"}},"capabilities":{capabilities}}},"response":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"server","version":"1"}}}}}}}}"#
    )
}

/// A request of the per-request era with these capabilities, given as JSON.
pub fn per_request(revision: &str, capabilities: &str) -> String {
    format!(
        r#"{{"perRequest":{{"request":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{revision}","io.modelcontextprotocol/clientInfo":{{"name":"host","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{capabilities}}}}}}}}}"#
    )
}
