//! Any text as a handshake, and as a report: never a panic, and a report reads back as itself.
#![no_main]

use elicit_doctor::Report;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    for report in [Report::from_handshake(input), Report::parse(input)].into_iter().flatten() {
        assert_eq!(Report::parse(report.json().as_bytes()).as_ref(), Ok(&report), "{}", report.json());
        for finding in report.findings() {
            assert!(!finding.message.trim().is_empty(), "{finding:?}");
            assert!(finding.path.is_empty() || finding.path.starts_with('/'), "{finding:?}");
        }
    }
    if let Ok(report) = Report::from_handshake(input) {
        let input = std::str::from_utf8(input).expect("a handshake is UTF-8");
        for echo in [report.request(), report.response()].into_iter().flatten() {
            assert!(input.contains(echo), "{echo} is no echo of {input}");
        }
    }
});
