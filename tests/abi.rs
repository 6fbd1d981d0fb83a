//! Every exported function against what a caller can do wrong.

use std::collections::BTreeSet;
use std::mem::size_of;
use std::ptr::{self, NonNull};

use elicit_doctor::ffi::*;

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

type Reader = unsafe extern "C" fn(ElicitStr, *mut *mut ElicitReport, *mut *mut ElicitError) -> ElicitStatus;

fn check_reader(name: &str, reader: Reader) {
    let deep = vec![b'['; 1 << 20];
    let long = vec![b' '; (2 << 20) + 1];
    for (input, status, message) in [
        (ElicitStr { ptr: ptr::null(), len: 5 }, ElicitStatus::InvalidArgument, "ptr is NULL"),
        (
            ElicitStr { ptr: HANDSHAKE.as_ptr(), len: usize::MAX },
            ElicitStatus::InvalidArgument,
            "more than memory can hold",
        ),
        (ElicitStr { ptr: ptr::null(), len: 0 }, ElicitStatus::InvalidJson, "byte 0"),
        (text(""), ElicitStatus::InvalidJson, "byte 0"),
        (bytes(b"{\"\xc3\x28\":1}"), ElicitStatus::InvalidUtf8, "offset 2"),
        (bytes(&deep), ElicitStatus::TooDeep, "deeper than"),
        (bytes(&long), ElicitStatus::TooLarge, "2097153 bytes"),
        (text("{"), ElicitStatus::InvalidJson, "byte 1"),
        (text("{}"), ElicitStatus::WrongShape, "the whole text"),
    ] {
        // SAFETY: every input is readable or one that the function must refuse.
        no_report(name, |report, error| unsafe { reader(input, report, error) }, status, message);
    }
}

fn check_from_handshake() {
    check_reader("elicit_report_from_handshake", elicit_report_from_handshake);
}

fn check_parse() {
    check_reader("elicit_report_parse", elicit_report_parse);
}

fn check_skip_probe() {
    let name = "elicit_report_skip_probe";
    let report = a_report();
    // SAFETY: the report is there until it is freed at the end, once; every other argument is refused or readable.
    unsafe {
        let call = |object: *const ElicitReport, mode, reason| {
            move |probed, error| elicit_report_skip_probe(object, mode, reason, probed, error)
        };
        no_report(name, call(ptr::null(), 1, text("r")), ElicitStatus::InvalidArgument, "report is NULL");
        for mode in [0, 3, -1, i32::MAX, i32::MIN] {
            no_report(name, call(report, mode, text("r")), ElicitStatus::InvalidArgument, &format!("mode is {mode}"));
        }
        let nowhere = ElicitStr { ptr: ptr::null(), len: 1 };
        no_report(name, call(report, 1, nowhere), ElicitStatus::InvalidArgument, "reason.ptr is NULL");
        no_report(name, call(report, 2, bytes(b"\xff")), ElicitStatus::InvalidUtf8, "reason: the byte at offset 0");

        let mut probed = ptr::null_mut();
        assert_eq!(elicit_report_skip_probe(report, 2, text(""), &mut probed, ptr::null_mut()), ElicitStatus::Ok);
        assert!(read(elicit_report_json(probed)).contains(r#""elicitationUrl":{"attempted":false"#));
        elicit_report_free(probed);
        elicit_report_free(report);
    }
}

fn check_findings_get() {
    let name = "elicit_findings_get";
    let report = a_report();
    let size = size_of::<ElicitFinding>() as u32;
    let finding = |struct_size| ElicitFinding {
        struct_size,
        severity: -7,
        code: text("untouched"),
        path: text(""),
        message: text(""),
    };
    // SAFETY: the report and its list are there until the report is freed at the end, once.
    unsafe {
        let findings = elicit_report_findings(report);
        assert_eq!(elicit_findings_len(findings), 1);
        for (struct_size, index, message) in [
            (0, 0, "struct_size is 0"),
            (3, 0, "struct_size is 3"),
            (size - 1, 0, "set it to sizeof"),
            (size + 8, 0, "elicit_abi_version()"),
            (u32::MAX, 0, "struct_size is 4294967295"),
            (size, 1, "there is no finding 1: the list has 1"),
            (size, usize::MAX, "there is no finding"),
        ] {
            let mut target = finding(struct_size);
            let place: *mut ElicitFinding = &mut target;
            fails(
                name,
                |error| elicit_findings_get(findings, index, place, error),
                ElicitStatus::InvalidArgument,
                message,
            );
            assert_eq!((target.severity, read(target.code).as_str()), (-7, "untouched"));
        }
        let mut target = finding(size);
        let place: *mut ElicitFinding = &mut target;
        fails(
            name,
            |error| elicit_findings_get(ptr::null(), 0, place, error),
            ElicitStatus::InvalidArgument,
            "findings is NULL",
        );
        fails(
            name,
            |error| elicit_findings_get(findings, 0, ptr::null_mut(), error),
            ElicitStatus::InvalidArgument,
            "finding is NULL",
        );
        assert_eq!(elicit_findings_get(findings, 0, place, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!((target.severity, read(target.code).as_str()), (ElicitSeverity::Info as i32, "elicitation_empty"));
        assert_eq!(read(target.path), "/initialize/request/capabilities/elicitation");
        elicit_report_free(report);
    }
}

/// Accessors answer NULL with the empty value.
fn check_accessors() {
    // SAFETY: NULL is accepted everywhere here.
    unsafe {
        let support = elicit_report_support(ptr::null());
        let flags =
            [support.elicitation, support.elicitation_form, support.elicitation_url, support.sampling, support.roots];
        assert_eq!(flags, [0; 5]);
        assert_eq!(read(elicit_report_json(ptr::null())), "");
        assert_eq!(read(elicit_report_revision(ptr::null())), "");
        assert_eq!(elicit_report_delivery(ptr::null()), ElicitDelivery::None);
        assert!(elicit_report_findings(ptr::null()).is_null());
        assert_eq!(elicit_findings_len(ptr::null()), 0);
        assert_eq!(elicit_error_status(ptr::null()), ElicitStatus::Ok);
        assert_eq!(read(elicit_error_message(ptr::null())), "");
    }
    let report = a_report();
    // SAFETY: the report is there until it is freed at the end, once.
    unsafe {
        let support = elicit_report_support(report);
        let flags =
            [support.elicitation, support.elicitation_form, support.elicitation_url, support.sampling, support.roots];
        assert_eq!(flags, [1, 1, 0, 0, 1]);
        assert_eq!(read(elicit_report_revision(report)), "2025-11-25");
        assert_eq!(elicit_report_delivery(report), ElicitDelivery::Request);
        elicit_report_free(report);
    }
}

fn check_free() {
    // SAFETY: NULL is accepted.
    unsafe {
        elicit_report_free(ptr::null_mut());
        elicit_error_free(ptr::null_mut());
    }
}

fn check_classify() {
    for action in [i32::MIN, -1, 0, 4, i32::MAX] {
        assert_eq!(elicit_classify(action, 0, 0, 0), ElicitVerdict::Unsupported);
        assert_eq!(elicit_classify(action, u64::MAX, 1, 1), ElicitVerdict::AdvertisedButUnanswered);
    }
    assert_eq!(elicit_classify(1, 0, 0, 255), ElicitVerdict::Unsupported);
    assert_eq!(elicit_classify(1, u64::MAX, 0, 0), ElicitVerdict::Working);
    assert_eq!(elicit_classify(2, 1999, 0, 0), ElicitVerdict::AdvertisedButAutocanceled);
    assert_eq!(elicit_classify(3, u64::MAX, 0, 0), ElicitVerdict::UserDeclined);
}

fn check_verdict_name() {
    for verdict in [i32::MIN, -1, 0, 6, i32::MAX] {
        assert_eq!(read(elicit_verdict_name(verdict)), "");
    }
    assert_eq!(read(elicit_verdict_name(3)), "advertised_but_autocanceled");
}

fn check_versions() {
    assert_eq!(elicit_abi_version(), (ELICIT_ABI_VERSION_MAJOR << 16) | ELICIT_ABI_VERSION_MINOR);
    assert_eq!(read(elicit_version()), env!("CARGO_PKG_VERSION"));
}

/// The exports and the check that covers each.
const CASES: &[(&str, fn())] = &[
    ("elicit_abi_version", check_versions),
    ("elicit_version", check_versions),
    ("elicit_report_from_handshake", check_from_handshake),
    ("elicit_report_parse", check_parse),
    ("elicit_report_skip_probe", check_skip_probe),
    ("elicit_report_support", check_accessors),
    ("elicit_report_revision", check_accessors),
    ("elicit_report_delivery", check_accessors),
    ("elicit_report_json", check_accessors),
    ("elicit_report_findings", check_accessors),
    ("elicit_report_free", check_free),
    ("elicit_findings_len", check_accessors),
    ("elicit_findings_get", check_findings_get),
    ("elicit_classify", check_classify),
    ("elicit_verdict_name", check_verdict_name),
    ("elicit_error_status", check_accessors),
    ("elicit_error_message", check_accessors),
    ("elicit_error_free", check_free),
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
