//! `elicit_findings_*`: a list of what is odd.

use std::mem::size_of;

use safer_ffi::prelude::*;

use super::error::{ElicitError, ElicitStatus};
use super::guard::{Failure, check_struct_size, free, guard, read, required};
use super::string::ElicitStr;
use crate::finding::{Finding, Severity};

/// How much a finding matters.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitSeverity {
    /// Good to know; nothing to do.
    Info = 0,
    /// Something works otherwise than the peer may think.
    Warning = 1,
    /// The peer breaks the specification.
    Error = 2,
}

impl From<Severity> for ElicitSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// One finding. The texts live as long as the list.
#[derive_ReprC]
#[repr(C)]
pub struct ElicitFinding {
    /// `sizeof(ElicitFinding)`, set by the caller. Later versions may have more members at the end.
    pub struct_size: u32,
    /// An `ElicitSeverity`.
    pub severity: i32,
    /// What was found, for programs: a stable word such as "elicitation_not_an_object".
    pub code: ElicitStr,
    /// Where: a JSON Pointer (RFC 6901) into the report, or into the text that was checked.
    pub path: ElicitStr,
    /// What it means for the server, in English.
    pub message: ElicitStr,
}

/// A list of findings.
pub struct ElicitFindings {
    pub(super) list: Vec<Finding>,
}

impl ElicitFindings {
    pub(super) fn into_raw(list: Vec<Finding>) -> *mut Self {
        Box::into_raw(Box::new(Self { list }))
    }
}

/// Frees a list that a check made, and not one that belongs to a report. NULL is accepted.
///
/// # Safety
///
/// `findings` must be NULL or a list that a check made and that was not freed; nobody may use it or its texts
/// afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_findings_free(findings: *mut ElicitFindings) {
    // SAFETY: lists of checks come from `into_raw`, and the caller vouches for the rest.
    unsafe { free(findings) }
}

/// How many findings the list has. 0 for NULL.
///
/// # Safety
///
/// `findings` must be NULL or a list that was not freed, with what it came from.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_findings_len(findings: *const ElicitFindings) -> usize {
    // SAFETY: as this function's own.
    unsafe { read(findings, 0, |findings| findings.list.len()) }
}

/// Copies the finding at `index`, from 0, into `finding`, whose `struct_size` the caller has set. Its texts are
/// borrowed from the list.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT` where there is no such finding or `struct_size` is another one.
///
/// # Safety
///
/// `findings` must be NULL or a list that was not freed, with what it came from; `finding` NULL or a struct of
/// `struct_size` bytes; `error` NULL or a place for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_findings_get(
    findings: *const ElicitFindings,
    index: usize,
    finding: *mut ElicitFinding,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own; every version of the struct begins with `struct_size`, and only a struct of the
    // size that is known here is written to.
    unsafe {
        guard(error, || {
            let list = &required(findings, "findings")?.list;
            let struct_size = *required(finding.cast::<u32>().cast_const(), "finding")?;
            check_struct_size(struct_size, size_of::<ElicitFinding>(), "finding")?;
            let found = list.get(index).ok_or_else(|| {
                Failure::argument(format!("there is no finding {index}: the list has {}", list.len()))
            })?;
            finding.write(ElicitFinding {
                struct_size,
                severity: ElicitSeverity::from(found.severity) as i32,
                code: ElicitStr::new(&found.code),
                path: ElicitStr::new(&found.path),
                message: ElicitStr::new(&found.message),
            });
            Ok(())
        })
    }
}
