//! `elicit_buffer_*`: a text that a call made.

use super::guard::{free, read};
use super::string::ElicitStr;

/// A text that a call made. Belongs to the caller, who frees it.
pub struct ElicitBuffer {
    bytes: Vec<u8>,
}

impl ElicitBuffer {
    pub(super) fn into_raw(bytes: Vec<u8>) -> *mut Self {
        Box::into_raw(Box::new(Self { bytes }))
    }
}

/// The text; what `elicit_state_open` gives is the payload as it was sealed, UTF-8 or not. Empty for NULL. It lives as
/// long as the buffer.
///
/// # Safety
///
/// `buffer` must be NULL or a buffer that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_buffer_text(buffer: *const ElicitBuffer) -> ElicitStr {
    // SAFETY: as this function's own.
    unsafe {
        read(buffer, ElicitStr::EMPTY, |buffer| ElicitStr { ptr: buffer.bytes.as_ptr(), len: buffer.bytes.len() })
    }
}

/// Frees a buffer. NULL is accepted.
///
/// # Safety
///
/// `buffer` must be NULL or a buffer that was not freed; nobody may use it or its text afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_buffer_free(buffer: *mut ElicitBuffer) {
    // SAFETY: buffers come from `into_raw`, and the caller vouches for the rest.
    unsafe { free(buffer) }
}
