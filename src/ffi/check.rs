//! `elicit_check_*`: a request before it goes out, and an answer that came back.

use super::error::{ElicitError, ElicitStatus};
use super::findings::ElicitFindings;
use super::guard::{guard, place, required};
use super::report::ElicitReport;
use super::string::ElicitStr;
use crate::answer::check_answer;
use crate::request::check_request;

/// Checks a request for elicitation before it is sent to the host of a report: `params_json` are the parameters of
/// `elicitation/create`, the JSON-RPC request with them, or the input request with method and params.
///
/// `*findings` gets the list; an empty one says: send it. A finding of `ELICIT_SEVERITY_ERROR` says: do not; its path
/// is a JSON Pointer into the parameters. The list belongs to the caller, who frees it with `elicit_findings_free`.
///
/// Fails where there is nothing to check, with `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_INVALID_JSON`,
/// `_TOO_LARGE` (1 MiB), `_TOO_DEEP` (128) or `_WRONG_SHAPE`; `*findings` is then NULL.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `params_json` readable; `findings` NULL or a place for one
/// pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_check_request(
    report: *const ElicitReport,
    params_json: ElicitStr,
    findings: *mut *mut ElicitFindings,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let findings = place(findings, "findings")?;
            let report = required(report, "report")?;
            *findings = ElicitFindings::into_raw(check_request(&report.report, params_json.bytes("params_json")?)?);
            Ok(())
        })
    }
}

/// Checks what a host answered against the parameters that were sent. `result_json` is the result of
/// `elicitation/create`, or the answer under a key of `inputResponses`; both texts may be the whole JSON-RPC message.
///
/// `*findings` gets the list; an empty one says that the answer is what was asked for. After a finding of
/// `ELICIT_SEVERITY_ERROR`, do not use the content; its path is a JSON Pointer into the result. The list belongs to the
/// caller, who frees it with `elicit_findings_free`. Fails as `elicit_check_request` does.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `params_json` and `result_json` readable; `findings` NULL or a
/// place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_check_answer(
    report: *const ElicitReport,
    params_json: ElicitStr,
    result_json: ElicitStr,
    findings: *mut *mut ElicitFindings,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let findings = place(findings, "findings")?;
            let report = required(report, "report")?;
            let (params, result) = (params_json.bytes("params_json")?, result_json.bytes("result_json")?);
            *findings = ElicitFindings::into_raw(check_answer(&report.report, params, result)?);
            Ok(())
        })
    }
}
