//! `elicit_check_*` and `elicit_findings_free`.

use std::ptr;

use elicit_doctor::ffi::*;

use crate::{a_report, bytes, fails, text};

const FORM: &str = r#"{"message":"m","requestedSchema":{"type":"object","properties":{"x":{"type":"boolean"}}}}"#;

/// Calls with a place for findings and one for an error; the first must be NULL after the failure.
fn refused(
    name: &str,
    call: impl Fn(*mut *mut ElicitFindings, *mut *mut ElicitError) -> ElicitStatus,
    status: ElicitStatus,
    message: &str,
) {
    let run = |error| {
        let mut findings = ptr::NonNull::dangling().as_ptr();
        let status = call(&mut findings, error);
        assert!(findings.is_null(), "{name} leaves a stale pointer");
        status
    };
    fails(name, run, status, message);
    fails(name, |error| call(ptr::null_mut(), error), ElicitStatus::InvalidArgument, "is NULL, so there is no place");
}

fn wrong_texts() -> Vec<(ElicitStr, ElicitStatus, &'static str)> {
    static DEEP: [u8; 1 << 20] = [b'['; 1 << 20];
    static LONG: [u8; (1 << 20) + 1] = [b' '; (1 << 20) + 1];
    vec![
        (ElicitStr { ptr: ptr::null(), len: 3 }, ElicitStatus::InvalidArgument, "ptr is NULL"),
        (text(""), ElicitStatus::InvalidJson, "byte 0"),
        (bytes(b"\xff"), ElicitStatus::InvalidUtf8, "offset 0"),
        (bytes(&DEEP), ElicitStatus::TooDeep, "deeper"),
        (bytes(&LONG), ElicitStatus::TooLarge, "1048577 bytes"),
        (text("[]"), ElicitStatus::WrongShape, "the whole text"),
    ]
}

pub fn request() {
    let name = "elicit_check_request";
    let report = a_report();
    // SAFETY: the report is there until it is freed at the end, once; every other argument is refused or readable.
    unsafe {
        for (params, status, message) in wrong_texts() {
            refused(name, |findings, error| elicit_check_request(report, params, findings, error), status, message);
        }
        let no_report = |findings, error| elicit_check_request(ptr::null(), text(FORM), findings, error);
        refused(name, no_report, ElicitStatus::InvalidArgument, "report is NULL");
        for (params, count) in [(text(FORM), 0), (text("{}"), 2)] {
            let mut findings = ptr::null_mut();
            assert_eq!(elicit_check_request(report, params, &mut findings, ptr::null_mut()), ElicitStatus::Ok);
            assert_eq!(elicit_findings_len(findings), count);
            elicit_findings_free(findings);
        }
        elicit_report_free(report);
    }
}

pub fn answer() {
    let name = "elicit_check_answer";
    let report = a_report();
    let accept = text(r#"{"action":"accept","content":{"x":true}}"#);
    // SAFETY: the report is there until it is freed at the end, once; every other argument is refused or readable.
    unsafe {
        for (wrong, status, message) in wrong_texts() {
            refused(
                name,
                |findings, error| elicit_check_answer(report, wrong, accept, findings, error),
                status,
                message,
            );
            refused(
                name,
                |findings, error| elicit_check_answer(report, text(FORM), wrong, findings, error),
                status,
                message,
            );
        }
        let no_report = |findings, error| elicit_check_answer(ptr::null(), text(FORM), accept, findings, error);
        refused(name, no_report, ElicitStatus::InvalidArgument, "report is NULL");
        for (result, count) in [(accept, 0), (text(r#"{"action":"accept","content":{"x":1}}"#), 1)] {
            let mut findings = ptr::null_mut();
            assert_eq!(
                elicit_check_answer(report, text(FORM), result, &mut findings, ptr::null_mut()),
                ElicitStatus::Ok
            );
            assert_eq!(elicit_findings_len(findings), count);
            elicit_findings_free(findings);
        }
        elicit_report_free(report);
    }
}
