//! Every exported function against what a caller can do wrong.

use std::collections::BTreeSet;
use std::ptr::{self, NonNull};

use elicit_doctor::ffi::*;

mod check;
mod probe;
mod report;
mod state;

fn text(text: &'static str) -> ElicitStr {
    ElicitStr { ptr: text.as_ptr(), len: text.len() }
}

fn bytes(bytes: &[u8]) -> ElicitStr {
    ElicitStr { ptr: bytes.as_ptr(), len: bytes.len() }
}

fn read(text: ElicitStr) -> String {
    if text.len == 0 {
        return String::new();
    }
    // SAFETY: the texts that these tests read belong to objects that are still there.
    String::from_utf8(unsafe { std::slice::from_raw_parts(text.ptr, text.len) }.to_vec()).unwrap()
}

const HANDSHAKE: &str = r#"{"initialize":{"request":{"clientInfo":{},"capabilities":{"elicitation":{},"roots":{}}},"response":{"protocolVersion":"2025-11-25"}}}"#;

/// Calls `call` with a place for an error, checks status, message and that the same holds without that place.
fn fails(name: &str, call: impl Fn(*mut *mut ElicitError) -> ElicitStatus, status: ElicitStatus, message: &str) {
    let mut error = NonNull::<ElicitError>::dangling().as_ptr();
    assert_eq!(call(&mut error), status, "{name}");
    // SAFETY: a call that fails gives an error, which is freed once.
    unsafe {
        assert_eq!(elicit_error_status(error), status, "{name}");
        let found = read(elicit_error_message(error));
        assert!(found.contains(message), "{name}: {found:?} does not say {message:?}");
        elicit_error_free(error);
    }
    assert_eq!(call(ptr::null_mut()), status, "{name} without a place for the error");
}

/// Calls `call` with a place for a report and one for an error; the first must be NULL after the failure.
fn no_report(
    name: &str,
    call: impl Fn(*mut *mut ElicitReport, *mut *mut ElicitError) -> ElicitStatus,
    status: ElicitStatus,
    message: &str,
) {
    let run = |error| {
        let mut report = NonNull::<ElicitReport>::dangling().as_ptr();
        let status = call(&mut report, error);
        assert!(report.is_null(), "{name} leaves a stale pointer");
        status
    };
    fails(name, run, status, message);
    fails(name, |error| call(ptr::null_mut(), error), ElicitStatus::InvalidArgument, "is NULL, so there is no place");
}

fn a_report() -> *mut ElicitReport {
    let (mut report, mut error) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the arguments are readable and the places are there.
    let status = unsafe { elicit_report_from_handshake(text(HANDSHAKE), &mut report, &mut error) };
    assert_eq!(status, ElicitStatus::Ok);
    assert!(!report.is_null() && error.is_null());
    report
}

fn free() {
    // SAFETY: NULL is accepted.
    unsafe {
        elicit_buffer_free(ptr::null_mut());
        elicit_findings_free(ptr::null_mut());
        elicit_engine_free(ptr::null_mut());
        elicit_report_free(ptr::null_mut());
        elicit_error_free(ptr::null_mut());
    }
}

fn classify() {
    for action in [i32::MIN, -1, 0, 4, i32::MAX] {
        assert_eq!(elicit_classify(action, 0, 0, 0), ElicitVerdict::Unsupported);
        assert_eq!(elicit_classify(action, u64::MAX, 1, 1), ElicitVerdict::AdvertisedButUnanswered);
    }
    assert_eq!(elicit_classify(1, 0, 0, 255), ElicitVerdict::Unsupported);
    assert_eq!(elicit_classify(1, u64::MAX, 0, 0), ElicitVerdict::Working);
    assert_eq!(elicit_classify(2, 1999, 0, 0), ElicitVerdict::AdvertisedButAutocanceled);
    assert_eq!(elicit_classify(3, u64::MAX, 0, 0), ElicitVerdict::UserDeclined);
}

fn verdict_name() {
    for verdict in [i32::MIN, -1, 0, 6, i32::MAX] {
        assert_eq!(read(elicit_verdict_name(verdict)), "");
    }
    assert_eq!(read(elicit_verdict_name(3)), "advertised_but_autocanceled");
}

fn versions() {
    assert_eq!(elicit_abi_version(), (ELICIT_ABI_VERSION_MAJOR << 16) | ELICIT_ABI_VERSION_MINOR);
    assert_eq!(read(elicit_version()), env!("CARGO_PKG_VERSION"));
}

/// The exports and the check that covers each.
const CASES: &[(&str, fn())] = &[
    ("elicit_abi_version", versions),
    ("elicit_version", versions),
    ("elicit_report_from_handshake", report::from_handshake),
    ("elicit_report_parse", report::parse),
    ("elicit_report_skip_probe", report::skip_probe),
    ("elicit_report_with_visit", report::with_visit),
    ("elicit_report_support", report::accessors),
    ("elicit_report_revision", report::accessors),
    ("elicit_report_delivery", report::accessors),
    ("elicit_report_json", report::accessors),
    ("elicit_report_findings", report::accessors),
    ("elicit_report_free", free),
    ("elicit_findings_len", report::accessors),
    ("elicit_findings_free", free),
    ("elicit_findings_get", report::findings_get),
    ("elicit_classify", classify),
    ("elicit_verdict_name", verdict_name),
    ("elicit_error_status", report::accessors),
    ("elicit_error_message", report::accessors),
    ("elicit_error_free", free),
    ("elicit_check_request", check::request),
    ("elicit_check_answer", check::answer),
    ("elicit_buffer_text", report::accessors),
    ("elicit_buffer_free", free),
    ("elicit_engine_new", probe::engine_new),
    ("elicit_engine_open_probes", probe::default_engine),
    ("elicit_engine_shutdown", probe::engine_shutdown),
    ("elicit_engine_free", free),
    ("elicit_probe_start", probe::start),
    ("elicit_probe_reply", probe::reply_and_fail),
    ("elicit_probe_fail", probe::reply_and_fail),
    ("elicit_probe_cancel", probe::cancel),
    ("elicit_state_seal", state::seal),
    ("elicit_state_open", state::open),
    ("elicit_round_trip_begin", state::round_trip_begin),
    ("elicit_round_trip_resume", state::round_trip_resume),
];

#[test]
fn every_export_withstands_what_a_caller_can_do_wrong() {
    let header = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/include/elicit_doctor.h")).unwrap();
    // A declaration begins in the first column; comments and parameters do not.
    let exported: BTreeSet<&str> = header
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_alphabetic()))
        .filter_map(|line| line.split_once('(').and_then(|(before, _)| before.rsplit([' ', '*']).next()))
        .filter(|name| name.starts_with("elicit_"))
        .collect();
    let covered: BTreeSet<&str> = CASES.iter().map(|(name, _)| *name).collect();
    assert_eq!(exported, covered, "the exports of the header and the table of cases differ");
    for (_, check) in CASES {
        check();
    }
}
