//! `elicit_engine_*` and `elicit_probe_*`.

use std::ffi::c_void;
use std::mem::size_of;
use std::ptr;
use std::sync::mpsc::{Receiver, Sender, channel};

use elicit_doctor::ffi::*;

use crate::{a_report, bytes, fails, read, text};

/// What a callback told: the probe, and how it ended where it did.
type Told = (u64, Option<(ElicitStatus, String)>);

unsafe extern "C" fn on_request(user_data: *mut c_void, probe_id: u64, params: ElicitStr) {
    assert!(read(params).contains("requestedSchema"));
    // SAFETY: `user_data` is the sender of `Wire`, which lives until the last probe has ended.
    unsafe { &*user_data.cast::<Sender<Told>>() }.send((probe_id, None)).unwrap();
}

unsafe extern "C" fn on_done(user_data: *mut c_void, probe_id: u64, status: ElicitStatus, report: *mut ElicitReport) {
    // SAFETY: the report belongs to this function; `user_data` as above.
    unsafe {
        let json = read(elicit_report_json(report));
        elicit_report_free(report);
        (&*user_data.cast::<Sender<Told>>()).send((probe_id, Some((status, json)))).unwrap();
    }
}

/// Where callbacks tell what they hear.
struct Wire {
    sender: Box<Sender<Told>>,
    told: Receiver<Told>,
}

impl Wire {
    fn new() -> Self {
        let (sender, told) = channel();
        Self { sender: Box::new(sender), told }
    }

    fn options(&self) -> ElicitProbeOptions {
        ElicitProbeOptions {
            struct_size: size_of::<ElicitProbeOptions>() as u32,
            mode: ElicitMode::Form as i32,
            timeout_ms: 0,
            url: text(""),
            elicitation_id: text(""),
            on_request: Some(on_request),
            on_cancel: None,
            on_done: Some(on_done),
            user_data: ptr::from_ref(&*self.sender).cast_mut().cast(),
        }
    }
}

fn an_engine() -> *mut ElicitEngine {
    let mut engine = ptr::null_mut();
    // SAFETY: the place is there.
    assert_eq!(unsafe { elicit_engine_new(ptr::null(), &mut engine, ptr::null_mut()) }, ElicitStatus::Ok);
    engine
}

pub fn engine_new() {
    let size = size_of::<ElicitEngineOptions>() as u32;
    for struct_size in [0, size - 1, size + 4, u32::MAX] {
        let options = ElicitEngineOptions { struct_size, max_open_probes: 1 };
        let mut engine = ptr::NonNull::dangling().as_ptr();
        let place = &raw mut engine;
        // SAFETY: the options are as long as the smallest that is read, and the places are there.
        fails(
            "elicit_engine_new",
            |error| unsafe { elicit_engine_new(&options, place, error) },
            ElicitStatus::InvalidArgument,
            "struct_size",
        );
        assert!(engine.is_null());
    }
    // SAFETY: NULL is refused.
    let nowhere = |error| unsafe { elicit_engine_new(ptr::null(), ptr::null_mut(), error) };
    fails("elicit_engine_new", nowhere, ElicitStatus::InvalidArgument, "engine is NULL");
}

pub fn engine_shutdown() {
    let (engine, report, wire) = (an_engine(), a_report(), Wire::new());
    let (mut id, options) = (0, wire.options());
    // SAFETY: engine, report and wire are there until the end, and freed once.
    unsafe {
        assert_eq!(elicit_probe_start(engine, report, &options, &mut id, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(wire.told.recv().unwrap(), (id, None));
        assert_eq!(elicit_engine_open_probes(engine), 1);
        assert_eq!(elicit_engine_shutdown(engine, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(wire.told.recv().unwrap(), (id, Some((ElicitStatus::Shutdown, String::new()))));
        let start = |error| elicit_probe_start(engine, report, &options, &mut 0, error);
        fails("elicit_probe_start", start, ElicitStatus::Shutdown, "shut down");
        elicit_engine_free(engine);
        elicit_report_free(report);
    }
}

pub fn start() {
    let (engine, report, wire) = (an_engine(), a_report(), Wire::new());
    let size = size_of::<ElicitProbeOptions>() as u32;
    let refused = |change: &dyn Fn(&mut ElicitProbeOptions), status, message: &str| {
        let mut options = wire.options();
        change(&mut options);
        // SAFETY: engine and report are there until the end; what is wrong with the options is refused.
        let call = |error| unsafe { elicit_probe_start(engine, report, &options, &mut 0, error) };
        fails("elicit_probe_start", call, status, message);
    };
    let argument = ElicitStatus::InvalidArgument;
    for struct_size in [0, 4, size - 8, size + 8, u32::MAX] {
        refused(&|options| options.struct_size = struct_size, argument, "options.struct_size");
    }
    for mode in [0, 3, -1, i32::MAX] {
        refused(&|options| options.mode = mode, argument, "which is no ElicitMode");
    }
    refused(&|options| options.on_request = None, argument, "on_request is NULL");
    refused(&|options| options.on_done = None, argument, "on_done is NULL");
    refused(&|options| options.mode = 2, argument, "the URL");
    refused(&|options| (options.mode, options.url) = (2, bytes(b"\xff")), ElicitStatus::InvalidUtf8, "url: ");
    refused(
        &|options| (options.mode, options.url) = (2, ElicitStr { ptr: ptr::null(), len: 3 }),
        argument,
        "url.ptr is NULL",
    );
    let options = wire.options();
    // SAFETY: as above; NULL is refused.
    unsafe {
        let name = "elicit_probe_start";
        fails(
            name,
            |error| elicit_probe_start(engine, ptr::null(), &options, &mut 0, error),
            argument,
            "report is NULL",
        );
        fails(
            name,
            |error| elicit_probe_start(engine, report, ptr::null(), &mut 0, error),
            argument,
            "options is NULL",
        );
        fails(
            name,
            |error| elicit_probe_start(engine, report, &options, ptr::null_mut(), error),
            argument,
            "probe_id is NULL",
        );
        elicit_engine_shutdown(engine, ptr::null_mut());
        elicit_engine_free(engine);
        elicit_report_free(report);
    }
    assert!(wire.told.try_recv().is_err(), "no callback of a probe that was not started");
}

pub fn reply_and_fail() {
    let (engine, report, wire) = (an_engine(), a_report(), Wire::new());
    let options = wire.options();
    let ask = || {
        let mut id = 0;
        // SAFETY: engine, report and wire are there until the end, and freed once.
        let status = unsafe { elicit_probe_start(engine, report, &options, &mut id, ptr::null_mut()) };
        assert_eq!((status, wire.told.recv().unwrap()), (ElicitStatus::Ok, (id, None)));
        id
    };
    let ended = |id, expected: &str| {
        let (ended, end) = wire.told.recv().unwrap();
        let (status, json) = end.unwrap();
        assert_eq!((ended, status), (id, ElicitStatus::Ok));
        assert!(json.contains(expected), "{json}");
    };
    let deep = vec![b'['; 1 << 20];
    let long = vec![b' '; 10 << 20];
    // SAFETY: as above.
    unsafe {
        for (answer, expected) in [
            (text(r#"{"action":"cancel"}"#), "advertised_but_autocanceled"),
            (text(""), "answer_not_json"),
            (ElicitStr { ptr: ptr::null(), len: 0 }, "answer_not_json"),
            (bytes(b"\xff\xfe"), "answer_not_json"),
            (bytes(&deep), "answer_not_json"),
            (bytes(&long), "10485760 bytes long"),
        ] {
            let id = ask();
            assert_eq!(elicit_probe_reply(engine, id, answer, ptr::null_mut()), ElicitStatus::Ok);
            ended(id, expected);
            let again = |error| elicit_probe_reply(engine, id, answer, error);
            fails("elicit_probe_reply", again, ElicitStatus::NotFound, "there is no open probe");
        }
        for (code, timed_out, message, expected) in [
            (-32601, 0, text("Method not found"), "declared_but_method_not_found"),
            (0, 255, text(""), "advertised_but_unanswered"),
            (i32::MIN, 0, bytes(b"\xff"), "(error -2147483648)"),
        ] {
            let id = ask();
            assert_eq!(elicit_probe_fail(engine, id, code, timed_out, message, ptr::null_mut()), ElicitStatus::Ok);
            ended(id, expected);
            let again = |error| elicit_probe_fail(engine, id, code, timed_out, message, error);
            fails("elicit_probe_fail", again, ElicitStatus::NotFound, "there is no open probe");
        }
        let nowhere = ElicitStr { ptr: ptr::null(), len: 9 };
        let id = ask();
        fails(
            "elicit_probe_reply",
            |error| elicit_probe_reply(engine, id, nowhere, error),
            ElicitStatus::InvalidArgument,
            "result_json.ptr",
        );
        fails(
            "elicit_probe_fail",
            |error| elicit_probe_fail(engine, id, 0, 0, nowhere, error),
            ElicitStatus::InvalidArgument,
            "message.ptr",
        );
        for unknown in [0, id + 1, u64::MAX] {
            fails(
                "elicit_probe_reply",
                |error| elicit_probe_reply(engine, unknown, text("{}"), error),
                ElicitStatus::NotFound,
                "no open probe",
            );
        }
        elicit_engine_shutdown(engine, ptr::null_mut());
        elicit_engine_free(engine);
        elicit_report_free(report);
    }
}

pub fn cancel() {
    let (engine, report, wire) = (an_engine(), a_report(), Wire::new());
    let (mut id, options) = (0, wire.options());
    // SAFETY: engine, report and wire are there until the end, and freed once.
    unsafe {
        assert_eq!(elicit_probe_start(engine, report, &options, &mut id, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(wire.told.recv().unwrap(), (id, None));
        assert_eq!(elicit_probe_cancel(engine, id, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(wire.told.recv().unwrap(), (id, Some((ElicitStatus::Cancelled, String::new()))));
        fails(
            "elicit_probe_cancel",
            |error| elicit_probe_cancel(engine, id, error),
            ElicitStatus::NotFound,
            "no open probe",
        );
        elicit_engine_shutdown(engine, ptr::null_mut());
        elicit_engine_free(engine);
        elicit_report_free(report);
    }
}

/// NULL is the default engine everywhere but where it would be freed.
pub fn default_engine() {
    let (report, wire) = (a_report(), Wire::new());
    let (mut id, options) = (0, wire.options());
    // SAFETY: report and wire are there until the last probe has ended.
    unsafe {
        assert_eq!(elicit_probe_start(ptr::null(), report, &options, &mut id, ptr::null_mut()), ElicitStatus::Ok);
        assert_eq!(wire.told.recv().unwrap(), (id, None));
        elicit_engine_free(ptr::null_mut());
        assert_eq!(elicit_engine_open_probes(ptr::null()), 1);
        assert_eq!(
            elicit_probe_reply(ptr::null(), id, text(r#"{"action":"decline"}"#), ptr::null_mut()),
            ElicitStatus::Ok
        );
        assert_eq!(wire.told.recv().unwrap().0, id);
        elicit_report_free(report);
    }
}
