//! `ElicitStr`: text that crosses the boundary.

use std::ptr;

use safer_ffi::prelude::*;

use super::error::ElicitStatus;
use super::guard::Failure;

/// UTF-8 text of `len` bytes, borrowed and not NUL-terminated. `ptr` may be NULL where `len` is 0.
///
/// Text that goes in is borrowed for the call. Text that comes out lives as long as the object it came from.
#[derive_ReprC]
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ElicitStr {
    /// The first byte.
    pub ptr: *const u8,
    /// The number of bytes.
    pub len: usize,
}

impl ElicitStr {
    pub(super) const EMPTY: Self = Self { ptr: ptr::null(), len: 0 };

    pub(super) const fn new(text: &str) -> Self {
        Self { ptr: text.as_ptr(), len: text.len() }
    }

    /// The bytes of an argument called `name`.
    ///
    /// # Safety
    ///
    /// Unless it is NULL, `ptr` must point to `len` bytes that nobody changes during the call.
    pub(super) unsafe fn bytes<'a>(self, name: &str) -> Result<&'a [u8], Failure> {
        if self.len == 0 {
            return Ok(&[]);
        }
        if self.ptr.is_null() {
            return Err(Failure::argument(format!("{name}.ptr is NULL and {name}.len is {}", self.len)));
        }
        if self.len > isize::MAX as usize {
            return Err(Failure::argument(format!("{name}.len is {}, more than memory can hold", self.len)));
        }
        // SAFETY: not NULL, no longer than memory, and the caller vouches for the bytes.
        Ok(unsafe { std::slice::from_raw_parts(self.ptr, self.len) })
    }

    /// The text of an argument called `name`.
    ///
    /// # Safety
    ///
    /// As for [`Self::bytes`].
    pub(super) unsafe fn text<'a>(self, name: &str) -> Result<&'a str, Failure> {
        // SAFETY: as this function's own.
        let bytes = unsafe { self.bytes(name)? };
        std::str::from_utf8(bytes).map_err(|error| Failure {
            status: ElicitStatus::InvalidUtf8,
            message: format!("{name}: {}", crate::Error::InvalidUtf8 { at: error.valid_up_to() }),
        })
    }
}
