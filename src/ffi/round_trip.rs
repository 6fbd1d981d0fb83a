//! `elicit_round_trip_*`: the probe over two requests.

use safer_ffi::prelude::*;

use super::buffer::ElicitBuffer;
use super::error::{ElicitError, ElicitStatus};
use super::guard::{guard, options, place, required};
use super::probe::question;
use super::report::ElicitReport;
use super::state::{ElicitStateOptions, with_state_options};
use super::string::ElicitStr;
use crate::round_trip::{Step, begin_round_trip, resume_round_trip};

/// What to ask over two requests; the same for both.
#[derive_ReprC]
#[repr(C)]
pub struct ElicitRoundTripOptions {
    /// `sizeof(ElicitRoundTripOptions)`. Later versions may have more members at the end.
    pub struct_size: u32,
    /// An `ElicitMode`.
    pub mode: i32,
    /// URL mode: the page to open, `https`, or `http` on the loopback.
    pub url: ElicitStr,
    /// How the state is sealed, an `ElicitStateOptions`, and what it is bound to. Its lifetime is how long the person
    /// may think.
    pub state: *const ElicitStateOptions,
}

/// The first pass over a call. Gives either `*result_json`, with which the call is answered (`resultType`,
/// `inputRequests` under the key "elicit_doctor", `requestState`), or `*skipped`, the report that says why the host
/// must not be asked; the other one is NULL. Both belong to the caller, who frees them. What earlier probes of `report`
/// found travels in the state, so that one question can follow another.
///
/// Fails as `elicit_state_seal` does.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `options` NULL or a struct of `struct_size` bytes with a
/// readable state and texts; `result_json`, `skipped` and `error` NULL or places for one pointer each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_round_trip_begin(
    report: *const ElicitReport,
    options: *const ElicitRoundTripOptions,
    result_json: *mut *mut ElicitBuffer,
    skipped: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let result_json = place(result_json, "result_json")?;
            let skipped = place(skipped, "skipped")?;
            let report = required(report, "report")?;
            let options = self::options(options, "options")?;
            let question = question(options.mode, options.url, ElicitStr::EMPTY)?;
            let step = with_state_options(options.state, |state, now| {
                Ok(begin_round_trip(&report.report, &question, state, now)?)
            })?;
            match step {
                Step::Ask(result) => *result_json = ElicitBuffer::into_raw(result.into_bytes()),
                Step::Report(report) => *skipped = ElicitReport::into_raw(report),
            }
            Ok(())
        })
    }
}

/// The second pass: `params_json` are the parameters of the repeated request, with `inputResponses` and `requestState`.
/// `*probed` gets the report with the outcome, and belongs to the caller, who frees it.
///
/// Fails with `ELICIT_STATUS_NOT_ANSWERED`, as `elicit_state_open` does, and with what is wrong about the parameters;
/// `*probed` is then NULL, and the caller may begin again.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `options` NULL or a struct of `struct_size` bytes with a
/// readable state and texts; `params_json` readable; `probed` and `error` NULL or places for one pointer each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_round_trip_resume(
    report: *const ElicitReport,
    options: *const ElicitRoundTripOptions,
    params_json: ElicitStr,
    probed: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let probed = place(probed, "probed")?;
            let report = required(report, "report")?;
            let options = self::options(options, "options")?;
            let question = question(options.mode, options.url, ElicitStr::EMPTY)?;
            let params = params_json.bytes("params_json")?;
            let resumed = with_state_options(options.state, |state, now| {
                Ok(resume_round_trip(&report.report, &question, state, params, now)?)
            })?;
            *probed = ElicitReport::into_raw(resumed);
            Ok(())
        })
    }
}
