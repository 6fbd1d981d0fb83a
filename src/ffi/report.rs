//! `elicit_report_*`.

use std::sync::Arc;

use safer_ffi::prelude::*;

use super::error::{ElicitError, ElicitStatus};
use super::findings::ElicitFindings;
use super::guard::{Failure, guard, place, read, required};
use super::string::ElicitStr;
use crate::report::{Delivery, Mode, Report};

/// A mode of elicitation.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitMode {
    /// The host draws a form.
    Form = 1,
    /// The host sends the user to a URL.
    Url = 2,
}

pub(super) fn mode(value: i32) -> Result<Mode, Failure> {
    match value {
        value if value == ElicitMode::Form as i32 => Ok(Mode::Form),
        value if value == ElicitMode::Url as i32 => Ok(Mode::Url),
        other => Err(Failure::argument(format!("mode is {other}, which is no ElicitMode"))),
    }
}

/// How a server may ask a host for something.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitDelivery {
    /// Not at all.
    None = 0,
    /// By the request `elicitation/create`, while a request of the client is open.
    Request = 1,
    /// By an input-required result; the answer comes with the repeated request.
    InputRequired = 2,
}

impl From<Delivery> for ElicitDelivery {
    fn from(delivery: Delivery) -> Self {
        match delivery {
            Delivery::None => Self::None,
            Delivery::Request => Self::Request,
            Delivery::InputRequired => Self::InputRequired,
        }
    }
}

/// What a host declares, by the specification's rules: each member is 0 or 1.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ElicitSupport {
    /// Some mode of elicitation.
    pub elicitation: u8,
    /// Form mode. An empty `elicitation` object declares it.
    pub elicitation_form: u8,
    /// URL mode (since 2025-11-25).
    pub elicitation_url: u8,
    /// Sampling.
    pub sampling: u8,
    /// Roots.
    pub roots: u8,
}

/// What is known of a host. Immutable: threads may share it freely.
pub struct ElicitReport {
    pub(super) report: Report,
    /// The report's findings as an object of their own, so that one set of functions reads every list.
    findings: ElicitFindings,
}

impl ElicitReport {
    pub(super) fn into_raw(report: Report) -> *mut Self {
        let findings = ElicitFindings { list: report.findings().to_vec() };
        Arc::into_raw(Arc::new(Self { report, findings })).cast_mut()
    }

    /// A share of a report for a probe that outlives the call.
    ///
    /// # Safety
    ///
    /// `report` must be NULL or a report that was not freed.
    pub(super) unsafe fn share(report: *const Self) -> Result<Arc<Self>, Failure> {
        // SAFETY: as this function's own; reports come from `into_raw`, and the count goes up before the share is made.
        unsafe {
            required(report, "report")?;
            Arc::increment_strong_count(report);
            Ok(Arc::from_raw(report))
        }
    }
}

impl AsRef<Report> for ElicitReport {
    fn as_ref(&self) -> &Report {
        &self.report
    }
}

/// Makes the report of a handshake: UTF-8 JSON of at most 1 MiB that nests at most 128 deep, in one of these forms.
///
/// 1. `{"initialize": {"request": R, "response": S}}`: the parameters and the result of `initialize`, or the JSON-RPC
///    messages that carry them.
/// 2. `{"perRequest": {"request": {"_meta": M}, "response": S}}`: the `_meta` of a request (2026-07-28) and the result
///    of `server/discover`, or the messages that carry them.
/// 3. Raw JSON-RPC messages: one, an array of them, or one after another (JSON lines). `initialize` counts with the
///    response of the same id; without it the last request that has capabilities in its `_meta`.
///
/// Any half may be absent. Beside the handshake, forms 1 and 2 may have `"transport": {"stateless": true}` (the server
/// keeps no session) and `"verbatim": false` (the handshake is not what was on the wire).
///
/// What is odd within a handshake is a finding. Fails where no report can be made, with
/// `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_INVALID_JSON`, `_TOO_LARGE`, `_TOO_DEEP` or `_WRONG_SHAPE`;
/// `*report` is then NULL. The report belongs to the caller, who frees it with `elicit_report_free`.
///
/// # Safety
///
/// `handshake_json` must be readable; `report` NULL or a place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_from_handshake(
    handshake_json: ElicitStr,
    report: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let report = place(report, "report")?;
            *report = ElicitReport::into_raw(Report::from_handshake(handshake_json.bytes("handshake_json")?)?);
            Ok(())
        })
    }
}

/// Reads a report of at most 2 MiB: one of this library's, of any version, or one that Elicitly's `elicit_doctor`
/// printed. The text is kept as it is, and nothing is concluded anew.
///
/// Fails as `elicit_report_from_handshake` does; `*report` is then NULL. The report belongs to the caller, who frees
/// it with `elicit_report_free`.
///
/// # Safety
///
/// `report_json` must be readable; `report` NULL or a place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_parse(
    report_json: ElicitStr,
    report: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let report = place(report, "report")?;
            *report = ElicitReport::into_raw(Report::parse(report_json.bytes("report_json")?)?);
            Ok(())
        })
    }
}

/// Makes a copy of a report that says that no probe of `mode` (an `ElicitMode`) was made, and why: `reason` is one
/// line, cut after 300 characters. It takes the place of an earlier result for that mode.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT` or `ELICIT_STATUS_INVALID_UTF8`; `*probed` is then NULL. The copy
/// belongs to the caller, who frees it with `elicit_report_free`.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `reason` readable; `probed` NULL or a place for one pointer;
/// `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_skip_probe(
    report: *const ElicitReport,
    mode: i32,
    reason: ElicitStr,
    probed: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let probed = place(probed, "probed")?;
            let report = required(report, "report")?;
            let mode = self::mode(mode)?;
            let reason = reason.text("reason")?;
            *probed = ElicitReport::into_raw(report.report.skip_probe(mode, reason));
            Ok(())
        })
    }
}

/// Makes a copy of a report that says whether the page of its URL probe was opened: `visited` is 1 for yes, 0 for no, -1
/// where that cannot be seen. A report without a URL probe that was attempted is copied as it is.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT`; `*copy` is then NULL. The copy belongs to the caller, who frees it with
/// `elicit_report_free`.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; `copy` NULL or a place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_with_visit(
    report: *const ElicitReport,
    visited: i32,
    copy: *mut *mut ElicitReport,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let copy = place(copy, "copy")?;
            let report = required(report, "report")?;
            let visited = match visited {
                1 => Some(true),
                0 => Some(false),
                -1 => None,
                other => return Err(Failure::argument(format!("visited is {other}, and not 1, 0 or -1"))),
            };
            *copy = ElicitReport::into_raw(report.report.with_visit(visited));
            Ok(())
        })
    }
}

/// What the host declares. All 0 for NULL.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_support(report: *const ElicitReport) -> ElicitSupport {
    let empty = ElicitSupport { elicitation: 0, elicitation_form: 0, elicitation_url: 0, sampling: 0, roots: 0 };
    // SAFETY: as this function's own.
    unsafe {
        read(report, empty, |report| {
            let support = report.report.support();
            ElicitSupport {
                elicitation: support.elicitation.into(),
                elicitation_form: support.elicitation_form.into(),
                elicitation_url: support.elicitation_url.into(),
                sampling: support.sampling.into(),
                roots: support.roots.into(),
            }
        })
    }
}

/// The negotiated revision, such as "2025-11-25". Empty where it is not known, and for NULL.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_revision(report: *const ElicitReport) -> ElicitStr {
    // SAFETY: as this function's own.
    unsafe {
        read(report, ElicitStr::EMPTY, |report| report.report.revision().map_or(ElicitStr::EMPTY, ElicitStr::new))
    }
}

/// How a server may ask this host. `ELICIT_DELIVERY_NONE` for NULL.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_delivery(report: *const ElicitReport) -> ElicitDelivery {
    // SAFETY: as this function's own.
    unsafe { read(report, ElicitDelivery::None, |report| report.report.delivery().into()) }
}

/// The report as JSON (`schema/report.schema.json`). Empty for NULL. The text lives as long as the report.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_json(report: *const ElicitReport) -> ElicitStr {
    // SAFETY: as this function's own.
    unsafe { read(report, ElicitStr::EMPTY, |report| ElicitStr::new(report.report.json())) }
}

/// The report's findings. NULL for NULL. The list lives as long as the report and is not freed by itself.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_findings(report: *const ElicitReport) -> *const ElicitFindings {
    // SAFETY: as this function's own.
    unsafe { read(report, std::ptr::null(), |report| &raw const report.findings) }
}

/// Frees a report. NULL is accepted.
///
/// # Safety
///
/// `report` must be NULL or a report that was not freed; nobody may use it or its texts afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_report_free(report: *mut ElicitReport) {
    if !report.is_null() {
        // SAFETY: reports come from `into_raw`, and the caller gives its share back, once.
        drop(unsafe { Arc::from_raw(report.cast_const()) });
    }
}
