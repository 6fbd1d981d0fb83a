//! `elicit_state_*` and `elicit_round_trip_*`.

use std::mem::size_of;
use std::ptr;

use elicit_doctor::ffi::*;

use crate::{a_report, bytes, fails, no_report, read, text};

static KEYS: [u8; 64] = [7; 64];
static OTHER_KEYS: [u8; 64] = [9; 64];
const NOW: u64 = 1_800_000_000_000;

fn options() -> ElicitStateOptions {
    ElicitStateOptions {
        struct_size: size_of::<ElicitStateOptions>() as u32,
        key_count: 2,
        keys: KEYS.as_ptr(),
        principal: text("alice"),
        tool: text("tool"),
        arguments_json: text("{}"),
        lifetime_ms: 0,
        now_ms: NOW,
    }
}

fn trip(state: &ElicitStateOptions) -> ElicitRoundTripOptions {
    ElicitRoundTripOptions {
        struct_size: size_of::<ElicitRoundTripOptions>() as u32,
        mode: ElicitMode::Form as i32,
        url: text(""),
        state,
    }
}

/// Calls with a place for a buffer and one for an error; the first must be NULL after the failure.
fn no_buffer(
    name: &str,
    call: impl Fn(*mut *mut ElicitBuffer, *mut *mut ElicitError) -> ElicitStatus,
    status: ElicitStatus,
    message: &str,
) {
    let run = |error| {
        let mut buffer = ptr::NonNull::dangling().as_ptr();
        let status = call(&mut buffer, error);
        assert!(buffer.is_null(), "{name} leaves a stale pointer");
        status
    };
    fails(name, run, status, message);
    fails(name, |error| call(ptr::null_mut(), error), ElicitStatus::InvalidArgument, "is NULL, so there is no place");
}

/// The text of a buffer, which is freed.
fn take(buffer: *mut ElicitBuffer) -> String {
    // SAFETY: the buffer was made by the call before, and is freed once.
    unsafe {
        let content = read(elicit_buffer_text(buffer));
        elicit_buffer_free(buffer);
        content
    }
}

fn sealed(options: &ElicitStateOptions) -> String {
    let mut state = ptr::null_mut();
    // SAFETY: the options are whole and the places are there.
    assert_eq!(unsafe { elicit_state_seal(options, text("payload"), &mut state, ptr::null_mut()) }, ElicitStatus::Ok);
    take(state)
}

/// A change to the options, and the status and message of the call that is refused for it.
type Wrong = (fn(&mut ElicitStateOptions), ElicitStatus, &'static str);

const WRONG: &[Wrong] = &[
    (|options| options.struct_size = 0, ElicitStatus::InvalidArgument, "struct_size is 0"),
    (|options| options.struct_size -= 8, ElicitStatus::InvalidArgument, "struct_size"),
    (|options| options.struct_size = u32::MAX, ElicitStatus::InvalidArgument, "struct_size"),
    (|options| options.key_count = 0, ElicitStatus::InvalidArgument, "there is no key"),
    (|options| options.keys = ptr::null(), ElicitStatus::InvalidArgument, "keys is NULL"),
    (
        |options| options.principal = ElicitStr { ptr: ptr::null(), len: 1 },
        ElicitStatus::InvalidArgument,
        "principal.ptr",
    ),
    (|options| options.principal = bytes(b"\xff"), ElicitStatus::InvalidUtf8, "principal"),
    (|options| options.tool = bytes(b"\xff"), ElicitStatus::InvalidUtf8, "tool"),
    (
        |options| options.arguments_json = text("{"),
        ElicitStatus::InvalidJson,
        "the arguments of the call: not JSON at byte 1",
    ),
    (|options| options.arguments_json = bytes(&[b'['; 200]), ElicitStatus::TooDeep, "the arguments of the call"),
];

pub fn seal() {
    let name = "elicit_state_seal";
    for (change, status, message) in WRONG {
        let mut options = options();
        change(&mut options);
        // SAFETY: what is wrong with the options is refused.
        no_buffer(
            name,
            |state, error| unsafe { elicit_state_seal(&options, text("p"), state, error) },
            *status,
            message,
        );
    }
    let (options, nowhere) = (options(), ElicitStr { ptr: ptr::null(), len: 1 });
    // SAFETY: NULL is refused.
    unsafe {
        no_buffer(
            name,
            |state, error| elicit_state_seal(ptr::null(), text("p"), state, error),
            ElicitStatus::InvalidArgument,
            "options is NULL",
        );
        no_buffer(
            name,
            |state, error| elicit_state_seal(&options, nowhere, state, error),
            ElicitStatus::InvalidArgument,
            "payload.ptr",
        );
    }
}

pub fn open() {
    let name = "elicit_state_open";
    let state = sealed(&options());
    let handed_in = bytes(state.as_bytes());
    const MISUSED: &[Wrong] = &[
        (|options| options.now_ms += 600_000, ElicitStatus::StateExpired, "expired"),
        (|options| options.principal = text("mallory"), ElicitStatus::StateForeign, "another principal"),
        (|options| options.tool = text("other"), ElicitStatus::StateForeign, "another tool"),
        (|options| options.arguments_json = text("[]"), ElicitStatus::StateOtherArguments, "other arguments"),
        (|options| options.keys = OTHER_KEYS.as_ptr(), ElicitStatus::StateForged, "another key"),
    ];
    for (change, status, message) in WRONG.iter().chain(MISUSED) {
        let mut options = options();
        change(&mut options);
        // SAFETY: what is wrong with the options is refused.
        no_buffer(
            name,
            |payload, error| unsafe { elicit_state_open(&options, handed_in, payload, error) },
            *status,
            message,
        );
    }
    let options = options();
    for (wrong, status, message) in [
        (text(""), ElicitStatus::StateMalformed, "truncated"),
        (bytes(&state.as_bytes()[..state.len() - 5]), ElicitStatus::StateMalformed, "truncated"),
        (bytes(b"\xff"), ElicitStatus::InvalidUtf8, "state"),
        (ElicitStr { ptr: ptr::null(), len: 1 }, ElicitStatus::InvalidArgument, "state.ptr"),
    ] {
        // SAFETY: what is wrong with the state is refused.
        no_buffer(
            name,
            |payload, error| unsafe { elicit_state_open(&options, wrong, payload, error) },
            status,
            message,
        );
    }
    let mut payload = ptr::null_mut();
    // SAFETY: the places are there.
    unsafe {
        no_buffer(
            name,
            |payload, error| elicit_state_open(ptr::null(), handed_in, payload, error),
            ElicitStatus::InvalidArgument,
            "options is NULL",
        );
        assert_eq!(elicit_state_open(&options, handed_in, &mut payload, ptr::null_mut()), ElicitStatus::Ok);
    }
    assert_eq!(take(payload), "payload");
}

pub fn round_trip_begin() {
    let name = "elicit_round_trip_begin";
    let report = a_report();
    let state = options();
    let size = size_of::<ElicitRoundTripOptions>() as u32;
    let refused = |options: &ElicitRoundTripOptions, status, message: &str| {
        let call = |result: *mut *mut ElicitBuffer, error| {
            let mut skipped = ptr::NonNull::dangling().as_ptr();
            // SAFETY: what is wrong with the options is refused; the places are there.
            let status = unsafe { elicit_round_trip_begin(report, options, result, &mut skipped, error) };
            assert!(result.is_null() || skipped.is_null());
            status
        };
        no_buffer(name, call, status, message);
    };
    let argument = ElicitStatus::InvalidArgument;
    refused(&ElicitRoundTripOptions { struct_size: 3, ..trip(&state) }, argument, "struct_size is 3");
    refused(&ElicitRoundTripOptions { struct_size: size + 8, ..trip(&state) }, argument, "struct_size");
    refused(&ElicitRoundTripOptions { mode: 9, ..trip(&state) }, argument, "mode is 9");
    refused(&ElicitRoundTripOptions { mode: 2, ..trip(&state) }, argument, "the URL");
    refused(&ElicitRoundTripOptions { mode: 2, url: bytes(b"\xff"), ..trip(&state) }, ElicitStatus::InvalidUtf8, "url");
    refused(&ElicitRoundTripOptions { state: ptr::null(), ..trip(&state) }, argument, "options is NULL");
    for (change, status, message) in WRONG {
        let mut state = options();
        change(&mut state);
        refused(&trip(&state), *status, message);
    }
    let (whole, mut result, mut skipped) = (trip(&state), ptr::null_mut(), ptr::null_mut());
    // SAFETY: report and options are there until the end; NULL is refused.
    unsafe {
        fails(
            name,
            |error| elicit_round_trip_begin(ptr::null(), &whole, &mut ptr::null_mut(), &mut ptr::null_mut(), error),
            argument,
            "report is NULL",
        );
        fails(
            name,
            |error| elicit_round_trip_begin(report, ptr::null(), &mut ptr::null_mut(), &mut ptr::null_mut(), error),
            argument,
            "options is NULL",
        );
        fails(
            name,
            |error| elicit_round_trip_begin(report, &whole, &mut ptr::null_mut(), ptr::null_mut(), error),
            argument,
            "skipped is NULL",
        );
        assert_eq!(
            elicit_round_trip_begin(report, &whole, &mut result, &mut skipped, ptr::null_mut()),
            ElicitStatus::Ok
        );
        assert!(skipped.is_null());
        elicit_report_free(report);
    }
    assert!(take(result).starts_with(r#"{"resultType":"input_required","inputRequests":{"elicit_doctor":"#));
}

pub fn round_trip_resume() {
    let name = "elicit_round_trip_resume";
    let report = a_report();
    let state = options();
    let whole = trip(&state);
    let (mut result, mut skipped) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: report and options are there until the end, and the places too.
    let begun = unsafe { elicit_round_trip_begin(report, &whole, &mut result, &mut skipped, ptr::null_mut()) };
    assert_eq!(begun, ElicitStatus::Ok);
    let asked = take(result);
    let token = asked.rsplit('"').nth(1).unwrap();
    let params = format!(r#"{{"requestState":"{token}","inputResponses":{{"elicit_doctor":{{"action":"decline"}}}}}}"#);
    let params = bytes(params.as_bytes());

    let refused = |options: *const ElicitRoundTripOptions, params, status, message: &str| {
        // SAFETY: what is wrong with the arguments is refused.
        no_report(
            name,
            |probed, error| unsafe { elicit_round_trip_resume(report, options, params, probed, error) },
            status,
            message,
        );
    };
    let argument = ElicitStatus::InvalidArgument;
    refused(ptr::null(), params, argument, "options is NULL");
    refused(&ElicitRoundTripOptions { struct_size: 0, ..trip(&state) }, params, argument, "struct_size is 0");
    refused(&ElicitRoundTripOptions { mode: -1, ..trip(&state) }, params, argument, "mode is -1");
    refused(&ElicitRoundTripOptions { state: ptr::null(), ..trip(&state) }, params, argument, "options is NULL");
    refused(&whole, ElicitStr { ptr: ptr::null(), len: 4 }, argument, "params_json.ptr");
    refused(&whole, bytes(b"\xff"), ElicitStatus::InvalidUtf8, "the byte at offset 0");
    refused(&whole, bytes(&[b'['; 1 << 20]), ElicitStatus::TooDeep, "deeper");
    refused(&whole, text(""), ElicitStatus::InvalidJson, "byte 0");
    refused(&whole, text("{}"), ElicitStatus::NotAnswered, "ask again");
    refused(&whole, text(r#"{"requestState":"AAAA","inputResponses":{}}"#), ElicitStatus::StateMalformed, "ask again");
    for (change, status, message) in [
        ((|options| options.now_ms += 600_000) as fn(&mut ElicitStateOptions), ElicitStatus::StateExpired, "expired"),
        (|options| options.principal = text("mallory"), ElicitStatus::StateForeign, "another principal"),
        (|options| options.arguments_json = text("[1]"), ElicitStatus::StateOtherArguments, "other arguments"),
    ] {
        let mut state = options();
        change(&mut state);
        refused(&trip(&state), params, status, message);
    }
    let mut probed = ptr::null_mut();
    // SAFETY: as above.
    unsafe {
        no_report(
            name,
            |probed, error| elicit_round_trip_resume(ptr::null(), &whole, params, probed, error),
            argument,
            "report is NULL",
        );
        assert_eq!(elicit_round_trip_resume(report, &whole, params, &mut probed, ptr::null_mut()), ElicitStatus::Ok);
        assert!(read(elicit_report_json(probed)).contains("advertised_but_autocanceled"));
        elicit_report_free(probed);
        elicit_report_free(report);
    }
}
