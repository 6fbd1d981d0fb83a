//! The boundary, once: no panic leaves the library, pointers are checked before they are used, and a failure becomes
//! a status and an error object.

use std::any::Any;
use std::mem::size_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use super::error::{ElicitError, ElicitStatus};
use crate::engine::EngineError;
use crate::round_trip::RoundTripError;
use crate::state::StateError;

/// Why a call failed.
pub(super) struct Failure {
    pub status: ElicitStatus,
    pub message: String,
}

impl Failure {
    pub fn argument(message: impl Into<String>) -> Self {
        Self { status: ElicitStatus::InvalidArgument, message: message.into() }
    }

    fn panic(payload: &(dyn Any + Send)) -> Self {
        let what = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Self {
            status: ElicitStatus::Panic,
            message: format!("the library has a defect, please report it; other calls are not harmed: {what}"),
        }
    }
}

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Self {
        use crate::Error;

        let status = match error {
            Error::TooLarge { .. } => ElicitStatus::TooLarge,
            Error::InvalidUtf8 { .. } => ElicitStatus::InvalidUtf8,
            Error::InvalidJson { .. } => ElicitStatus::InvalidJson,
            Error::TooDeep { .. } => ElicitStatus::TooDeep,
            Error::WrongShape { .. } => ElicitStatus::WrongShape,
        };
        Self { status, message: error.to_string() }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let status = match error {
            EngineError::NotFound(_) => ElicitStatus::NotFound,
            EngineError::ShutDown => ElicitStatus::Shutdown,
            EngineError::Full(_) => ElicitStatus::Full,
            EngineError::OwnThread => ElicitStatus::InvalidArgument,
        };
        Self { status, message: error.to_string() }
    }
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        let status = match error {
            StateError::Malformed => ElicitStatus::StateMalformed,
            StateError::Forged => ElicitStatus::StateForged,
            StateError::Expired(_) => ElicitStatus::StateExpired,
            StateError::Foreign => ElicitStatus::StateForeign,
            StateError::OtherArguments => ElicitStatus::StateOtherArguments,
            StateError::NoKey => ElicitStatus::InvalidArgument,
            StateError::Arguments(error) => {
                let failure = Self::from(error);
                return Self { message: format!("the arguments of the call: {}", failure.message), ..failure };
            }
        };
        Self { status, message: error.to_string() }
    }
}

impl From<RoundTripError> for Failure {
    fn from(error: RoundTripError) -> Self {
        match error {
            RoundTripError::State(error) => error.into(),
            RoundTripError::Params(error) => error.into(),
            RoundTripError::NotAnswered => Self { status: ElicitStatus::NotAnswered, message: error.to_string() },
        }
    }
}

/// Fails unless an options struct is of the size that this library knows.
pub(super) fn check_struct_size(given: u32, expected: usize, name: &str) -> Result<(), Failure> {
    if given as usize == expected {
        return Ok(());
    }
    Err(Failure::argument(format!(
        "{name}.struct_size is {given}, but this library knows the struct with {expected} bytes: set it to sizeof, and \
         compare elicit_abi_version() with the header"
    )))
}

/// The options struct behind an argument called `name`, which begins with its size.
///
/// # Safety
///
/// Unless it is NULL, `options` must point to as many bytes as its first four, a `uint32_t`, say.
pub(super) unsafe fn options<'a, T>(options: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: NULL is refused, and the caller vouches for the first four bytes; the whole struct is referred to only
    // when it has the size that is known here.
    unsafe {
        let struct_size = *required(options.cast::<u32>(), name)?;
        check_struct_size(struct_size, size_of::<T>(), name)?;
        required(options, name)
    }
}

/// Runs the body of a function that can fail. `error` gets an error object on failure and NULL on success; it may be
/// NULL.
///
/// # Safety
///
/// Unless it is NULL, `error` must point to memory for one pointer.
pub(super) unsafe fn guard(error: *mut *mut ElicitError, body: impl FnOnce() -> Result<(), Failure>) -> ElicitStatus {
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(Failure::panic(&*payload)));
    let (status, object) = match outcome {
        Ok(()) => (ElicitStatus::Ok, ptr::null_mut()),
        Err(failure) => (failure.status, ElicitError::into_raw(failure)),
    };
    if error.is_null() {
        // SAFETY: made just above, and nobody else has it.
        unsafe { super::error::elicit_error_free(object) };
    } else {
        // SAFETY: not NULL, and the caller vouches for the memory.
        unsafe { error.write(object) };
    }
    status
}

/// Reads an object of which the caller may have none: `f(object)`, or the empty value for NULL.
///
/// # Safety
///
/// Unless it is NULL, `object` must be one that this library returned and that was not freed.
pub(super) unsafe fn read<'a, T: 'a, R>(object: *const T, empty: R, f: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: NULL gives None, and the caller vouches for the object.
    unsafe { object.as_ref() }.map_or(empty, f)
}

/// The object behind an argument called `name`.
///
/// # Safety
///
/// Unless it is NULL, `object` must be one that this library returned and that was not freed.
pub(super) unsafe fn required<'a, T>(object: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: NULL gives None, and the caller vouches for the object.
    unsafe { object.as_ref() }.ok_or_else(|| Failure::argument(format!("{name} is NULL")))
}

/// The place for a new object, set to NULL so that a failure leaves no stale pointer.
///
/// # Safety
///
/// Unless it is NULL, `place` must point to memory for one pointer.
pub(super) unsafe fn place<'a, T>(place: *mut *mut T, name: &str) -> Result<&'a mut *mut T, Failure> {
    if place.is_null() {
        return Err(Failure::argument(format!("{name} is NULL, so there is no place for the result")));
    }
    // SAFETY: not NULL, and the caller vouches for the memory, which is initialised before it is referred to.
    unsafe {
        place.write(ptr::null_mut());
        Ok(&mut *place)
    }
}

/// Frees what `Box::into_raw` gave. NULL is accepted.
///
/// # Safety
///
/// Unless it is NULL, `object` must come from [`Box::into_raw`] and be used by nobody afterwards.
pub(super) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: not NULL, and the caller vouches for the rest.
        drop(unsafe { Box::from_raw(object) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn provoke(panics: bool, error: *mut *mut ElicitError) -> ElicitStatus {
        // SAFETY: handed through.
        unsafe {
            guard(error, || {
                assert!(!panics, "provoked");
                Ok(())
            })
        }
    }

    #[test]
    fn a_panic_becomes_a_status_and_the_next_call_works() {
        let mut error = ptr::null_mut();
        // SAFETY: `error` is a place for one pointer, and freed once.
        unsafe {
            assert_eq!(provoke(true, &mut error), ElicitStatus::Panic);
            let message = super::super::elicit_error_message(error).bytes("message").ok().unwrap();
            assert!(message.ends_with(b"provoked"), "{}", String::from_utf8_lossy(message));
            super::super::elicit_error_free(error);

            assert_eq!(provoke(true, ptr::null_mut()), ElicitStatus::Panic);
            assert_eq!(provoke(false, &mut error), ElicitStatus::Ok);
            assert!(error.is_null());
        }
    }
}
