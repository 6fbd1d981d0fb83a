//! `elicit_report_*`, `elicit_findings_*`, and the empty values of accessors.

use std::mem::size_of;
use std::ptr;

use elicit_doctor::ffi::*;

use crate::{HANDSHAKE, a_report, bytes, fails, no_report, read, text};

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

pub fn from_handshake() {
    check_reader("elicit_report_from_handshake", elicit_report_from_handshake);
}

pub fn parse() {
    check_reader("elicit_report_parse", elicit_report_parse);
}

pub fn skip_probe() {
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

pub fn with_visit() {
    let name = "elicit_report_with_visit";
    let report = a_report();
    // SAFETY: the report is there until it is freed at the end, once; every other argument is refused or there.
    unsafe {
        let call = |object: *const ElicitReport, visited| {
            move |copy, error| elicit_report_with_visit(object, visited, copy, error)
        };
        no_report(name, call(ptr::null(), 1), ElicitStatus::InvalidArgument, "report is NULL");
        for visited in [2, -2, i32::MIN, i32::MAX] {
            no_report(name, call(report, visited), ElicitStatus::InvalidArgument, &format!("visited is {visited}"));
        }
        let mut copy = ptr::null_mut();
        assert_eq!(elicit_report_with_visit(report, 1, &mut copy, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(read(elicit_report_json(copy)), read(elicit_report_json(report)));
        elicit_report_free(copy);
        elicit_report_free(report);
    }
}

pub fn findings_get() {
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
pub fn accessors() {
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
        assert_eq!(read(elicit_buffer_text(ptr::null())), "");
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
