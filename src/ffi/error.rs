//! `ElicitStatus` and `elicit_error_*`.

use super::guard::{Failure, free, read};
use super::string::ElicitStr;

/// How a call ended.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitStatus {
    /// It did what it says.
    Ok = 0,
    /// An argument is NULL where it must not be, a number is none of its enumeration, or a struct has another size.
    InvalidArgument = 1,
    /// A text is not UTF-8.
    InvalidUtf8 = 2,
    /// A text is not JSON; the message names the byte.
    InvalidJson = 3,
    /// A text is longer than the call reads.
    TooLarge = 4,
    /// A text nests deeper than the call reads.
    TooDeep = 5,
    /// A text is JSON of another shape than the call takes; the message names the JSON Pointer.
    WrongShape = 6,
    /// The library has a defect. The call did nothing, and other calls are not harmed.
    Panic = 7,
    /// There is no such open probe: it has ended, or never was.
    NotFound = 8,
    /// The engine has been freed or shut down.
    Shutdown = 9,
    /// The caller cancelled the probe.
    Cancelled = 10,
    /// The engine has as many open probes as it may.
    Full = 11,
    /// The system gave no thread or no timer.
    System = 12,
    /// A state is none of this library, or a part of one.
    StateMalformed = 13,
    /// A state was changed, or sealed with a key that this server does not have.
    StateForged = 14,
    /// The time of a state is over.
    StateExpired = 15,
    /// A state was made for another principal or another tool.
    StateForeign = 16,
    /// A state was made for other arguments.
    StateOtherArguments = 17,
    /// A repeated request has no answer to what was asked.
    NotAnswered = 18,
}

/// Why a call failed. Belongs to the caller, who frees it.
pub struct ElicitError {
    failure: Failure,
}

impl ElicitError {
    pub(super) fn into_raw(failure: Failure) -> *mut Self {
        Box::into_raw(Box::new(Self { failure }))
    }
}

/// The status that the call returned. `ELICIT_STATUS_OK` for NULL.
///
/// # Safety
///
/// `error` must be NULL or an error that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_error_status(error: *const ElicitError) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe { read(error, ElicitStatus::Ok, |error| error.failure.status) }
}

/// What happened, where, and what to do, in English. Empty for NULL. The text lives as long as the error.
///
/// # Safety
///
/// `error` must be NULL or an error that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_error_message(error: *const ElicitError) -> ElicitStr {
    // SAFETY: as this function's own.
    unsafe { read(error, ElicitStr::EMPTY, |error| ElicitStr::new(&error.failure.message)) }
}

/// Frees an error. NULL is accepted.
///
/// # Safety
///
/// `error` must be NULL or an error that was not freed; nobody may use it or its message afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_error_free(error: *mut ElicitError) {
    // SAFETY: errors come from `into_raw`, and the caller vouches for the rest.
    unsafe { free(error) }
}
