//! `elicit_probe_*`: one question to a host, by callback.

use std::borrow::Cow;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{ElicitEngine, engine};
use super::error::{ElicitError, ElicitStatus};
use super::guard::{Failure, guard, options};
use super::report::{ElicitReport, mode};
use super::string::ElicitStr;
use crate::engine::{End, Host, ProbeId};
use crate::probe::{DEFAULT_TIMEOUT, ProbeOptions, Question};
use crate::report::Mode;

/// Send this to the host: `params_json` are the parameters of `elicitation/create`, borrowed for the call. Answer by
/// `elicit_probe_reply` or `elicit_probe_fail`, now or later, from any thread.
pub type ElicitRequestFn = Option<unsafe extern "C" fn(user_data: *mut c_void, probe_id: u64, params_json: ElicitStr)>;

/// The request that was sent no longer matters: the probe timed out, was cancelled, or its engine has ended.
pub type ElicitCancelFn = Option<unsafe extern "C" fn(user_data: *mut c_void, probe_id: u64)>;

/// The probe has ended; called exactly once, last. With `ELICIT_STATUS_OK`, `report` is the report with the result,
/// and belongs to the callee, who frees it; with `ELICIT_STATUS_CANCELLED` or `ELICIT_STATUS_SHUTDOWN` it is NULL.
pub type ElicitDoneFn = Option<
    unsafe extern "C" fn(user_data: *mut c_void, probe_id: u64, status: ElicitStatus, report: *mut ElicitReport),
>;

/// What to ask, and whom to call. Every callback runs on the engine's thread, never inside a call of the caller's, must
/// return soon, and must not unwind into the library.
#[repr(C)]
pub struct ElicitProbeOptions {
    /// `sizeof(ElicitProbeOptions)`. Later versions may have more members at the end.
    pub struct_size: u32,
    /// An `ElicitMode`.
    pub mode: i32,
    /// How long to wait for the answer, in milliseconds; 0 for 40,000. Hosts end a tool call at 60,000.
    pub timeout_ms: u64,
    /// URL mode: the page to open, `https`, or `http` on the loopback.
    pub url: ElicitStr,
    /// URL mode: unique for this question, where the revision is older than 2026-07-28.
    pub elicitation_id: ElicitStr,
    /// Must be given.
    pub on_request: ElicitRequestFn,
    /// May be NULL.
    pub on_cancel: ElicitCancelFn,
    /// Must be given.
    pub on_done: ElicitDoneFn,
    /// Handed to the callbacks untouched.
    pub user_data: *mut c_void,
}

/// The caller's functions.
struct Callbacks {
    on_request: unsafe extern "C" fn(*mut c_void, u64, ElicitStr),
    on_cancel: ElicitCancelFn,
    on_done: unsafe extern "C" fn(*mut c_void, u64, ElicitStatus, *mut ElicitReport),
    user_data: *mut c_void,
}

// SAFETY: `user_data` is only handed through, and the header says that callbacks run on the engine's thread.
unsafe impl Send for Callbacks {}
// SAFETY: as above; nothing here changes.
unsafe impl Sync for Callbacks {}

impl Host for Callbacks {
    fn request(&self, probe: ProbeId, params: &str) {
        // SAFETY: the caller gave the function for this.
        unsafe { (self.on_request)(self.user_data, probe, ElicitStr::new(params)) }
    }

    fn cancel(&self, probe: ProbeId) {
        if let Some(on_cancel) = self.on_cancel {
            // SAFETY: the caller gave the function for this.
            unsafe { on_cancel(self.user_data, probe) }
        }
    }

    fn done(&self, probe: ProbeId, end: End) {
        let (status, report) = match end {
            End::Report(report) => (ElicitStatus::Ok, ElicitReport::into_raw(report)),
            End::Cancelled => (ElicitStatus::Cancelled, std::ptr::null_mut()),
            End::ShutDown => (ElicitStatus::Shutdown, std::ptr::null_mut()),
        };
        // SAFETY: the caller gave the function for this, and gets the report.
        unsafe { (self.on_done)(self.user_data, probe, status, report) }
    }
}

/// The question of an options struct.
///
/// # Safety
///
/// The texts must be readable.
pub(super) unsafe fn question(mode: i32, url: ElicitStr, elicitation_id: ElicitStr) -> Result<Question, Failure> {
    match self::mode(mode)? {
        Mode::Form => Ok(Question::Form),
        Mode::Url => {
            // SAFETY: as this function's own.
            let (url, elicitation_id) = unsafe { (url.text("url")?, elicitation_id.text("elicitation_id")?) };
            Question::url(url, elicitation_id).map_err(Failure::argument)
        }
    }
}

/// Starts a probe: asks the host of `report` and waits for the answer. A host that must not be asked is not; then the
/// report that `on_done` gets says why. `*probe_id` names the probe; a number is never given twice.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_FULL`, `_SHUTDOWN` or `_SYSTEM`; then no callback is
/// called.
///
/// # Safety
///
/// `engine` must be NULL, for the default engine, or an engine that was not freed; `report` NULL or a report that was
/// not freed; `options` NULL or a struct of `struct_size` bytes with functions that keep what their types say;
/// `probe_id` NULL or a place for one number; `error` NULL or a place for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_probe_start(
    engine: *const ElicitEngine,
    report: *const ElicitReport,
    options: *const ElicitProbeOptions,
    probe_id: *mut u64,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let probe_id = probe_id.as_mut().ok_or_else(|| Failure::argument("probe_id is NULL"))?;
            *probe_id = 0;
            let report = ElicitReport::share(report)?;
            let options = self::options(options, "options")?;
            let on_request = options.on_request.ok_or_else(|| Failure::argument("options.on_request is NULL"))?;
            let on_done = options.on_done.ok_or_else(|| Failure::argument("options.on_done is NULL"))?;
            let question = question(options.mode, options.url, options.elicitation_id)?;
            let timeout = match options.timeout_ms {
                0 => DEFAULT_TIMEOUT,
                milliseconds => Duration::from_millis(milliseconds),
            };
            let host = Callbacks { on_request, on_cancel: options.on_cancel, on_done, user_data: options.user_data };
            let options = Arc::new(ProbeOptions { timeout, question });
            *probe_id = self::engine(engine)?.start(report, options, Arc::new(host))?;
            Ok(())
        })
    }
}

/// The host answered: `result_json` is the result of `elicitation/create`, or the whole JSON-RPC response. Whatever it
/// is, no JSON even, it ends the probe, with a verdict and a diagnosis.
///
/// Fails with `ELICIT_STATUS_NOT_FOUND` where the probe has ended; the answer changes nothing then.
///
/// # Safety
///
/// `engine` must be NULL, for the default engine, or an engine that was not freed; `result_json` readable; `error` NULL
/// or a place for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_probe_reply(
    engine: *const ElicitEngine,
    probe_id: u64,
    result_json: ElicitStr,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe { guard(error, || Ok(self::engine(engine)?.reply(probe_id, result_json.bytes("result_json")?)?)) }
}

/// The host failed: `code` and `message` are those of its JSON-RPC error, or 0 and what went wrong. `timed_out` is not
/// 0 where the caller knows that no answer came; the ways in which SDKs say so by code or message are known here.
///
/// Fails with `ELICIT_STATUS_NOT_FOUND` where the probe has ended.
///
/// # Safety
///
/// `engine` must be NULL, for the default engine, or an engine that was not freed; `message` readable; `error` NULL or
/// a place for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_probe_fail(
    engine: *const ElicitEngine,
    probe_id: u64,
    code: i32,
    timed_out: u8,
    message: ElicitStr,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            // A message that is no UTF-8 must not keep the probe open.
            let message: Cow<'_, str> = String::from_utf8_lossy(message.bytes("message")?);
            Ok(self::engine(engine)?.fail(probe_id, code.into(), &message, timed_out != 0)?)
        })
    }
}

/// Ends a probe without a result: `on_cancel` and `on_done` follow. Fails with `ELICIT_STATUS_NOT_FOUND` where the
/// probe has ended.
///
/// # Safety
///
/// `engine` must be NULL, for the default engine, or an engine that was not freed; `error` NULL or a place for one
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_probe_cancel(
    engine: *const ElicitEngine,
    probe_id: u64,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe { guard(error, || Ok(self::engine(engine)?.cancel(probe_id)?)) }
}
