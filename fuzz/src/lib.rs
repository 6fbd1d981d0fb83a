//! What the fuzz targets share: how an input is divided, the hosts that are asked, and what must hold for any list of
//! findings.

use std::sync::OnceLock;

use elicit_doctor::{Finding, Report};

/// Stands between the parts of an input. No JSON text has it, so that what the fuzzer moves from one input to another
/// stays whole.
pub const SEPARATOR: u8 = 0;

/// The parts of an input; parts that are missing are empty.
pub fn parts<const N: usize>(input: &[u8]) -> [&[u8]; N] {
    let mut parts = input.splitn(N, |byte| *byte == SEPARATOR);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// One of the hosts that differ in what may be asked of them.
pub fn host(number: &[u8]) -> &'static Report {
    static HOSTS: OnceLock<Vec<Report>> = OnceLock::new();
    let hosts = HOSTS.get_or_init(|| {
        let initialize = |revision: &str, elicitation: &str, transport: &str| {
            format!(
                r#"{{{transport}"initialize":{{"request":{{"capabilities":{{"elicitation":{elicitation}}}}},"response":{{"protocolVersion":"{revision}"}}}}}}"#
            )
        };
        let both = r#"{"form":{},"url":{}}"#;
        [
            initialize("2025-11-25", both, ""),
            initialize("2025-06-18", "{}", ""),
            initialize("2025-11-25", r#"{"url":{}}"#, r#""transport":{"stateless":true},"#),
            format!(
                r#"{{"perRequest":{{"request":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{"elicitation":{both}}}}}}}}}}}"#
            ),
        ]
        .map(|handshake| Report::from_handshake(handshake.as_bytes()).expect("the handshakes above are whole"))
        .into()
    });
    &hosts[usize::from(number.first().copied().unwrap_or_default()) % hosts.len()]
}

/// What must hold for the findings of any input: they are sentences about places, and white space changes none.
pub fn check_findings<E: std::fmt::Debug>(findings: &Result<Vec<Finding>, E>, compacted: &Result<Vec<Finding>, E>) {
    let kinds = |findings: &Result<Vec<Finding>, E>| {
        let findings = findings.as_ref().ok()?;
        Some(findings.iter().map(|it| (it.code.clone(), it.severity, it.path.clone())).collect::<Vec<_>>())
    };
    assert_eq!(kinds(findings), kinds(compacted), "white space makes a difference");
    for finding in findings.iter().flatten() {
        assert!(!finding.message.trim().is_empty(), "{finding:?}");
        assert!(finding.path.is_empty() || finding.path.starts_with('/'), "{finding:?}");
    }
}

/// A JSON text without the white space between its tokens. Tokens that only white space divides would become one, but
/// no JSON text has any.
pub fn compact(json: &[u8]) -> Vec<u8> {
    let (mut in_string, mut escaped) = (false, false);
    let mut compact = json.to_vec();
    compact.retain(|byte| {
        let keep = in_string || !matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        if *byte == b'"' && !escaped {
            in_string = !in_string;
        }
        escaped = in_string && *byte == b'\\' && !escaped;
        keep
    });
    compact
}
