//! `elicit_state_*`: state that travels through the client, sealed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use safer_ffi::prelude::*;

use super::buffer::ElicitBuffer;
use super::error::{ElicitError, ElicitStatus};
use super::guard::{Failure, guard, options, place};
use super::string::ElicitStr;
use crate::state::{DEFAULT_LIFETIME, KEY_LEN, StateKey, StateOptions, open_state, seal_state};

/// The keys of a server, and what a state is bound to.
#[derive_ReprC]
#[repr(C)]
pub struct ElicitStateOptions {
    /// `sizeof(ElicitStateOptions)`. Later versions may have more members at the end.
    pub struct_size: u32,
    /// How many keys there are. The first seals; every one opens, so that a key can be rotated.
    pub key_count: u32,
    /// The keys: 32 bytes each, one after another, from a good random source.
    pub keys: *const u8,
    /// Who the client is, as the server knows it; empty where there is no such notion.
    pub principal: ElicitStr,
    /// The tool that was called.
    pub tool: ElicitStr,
    /// The arguments of the call, as JSON; empty for none. White space, order of keys and escapes do not matter.
    pub arguments_json: ElicitStr,
    /// How long a state is good, in milliseconds; 0 for 600,000.
    pub lifetime_ms: u64,
    /// The time, in milliseconds since the Unix epoch; 0 for the system's clock.
    pub now_ms: u64,
}

/// Calls `f` with the options and the time.
///
/// # Safety
///
/// `options` must be NULL or a struct of `struct_size` bytes with readable keys and texts.
pub(super) unsafe fn with_state_options<R>(
    options: *const ElicitStateOptions,
    f: impl FnOnce(&StateOptions<'_>, Duration) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: as this function's own; the keys are checked for NULL and vouched for by the caller.
    unsafe {
        let given = self::options(options, "options")?;
        if given.key_count > 0 && given.keys.is_null() {
            return Err(Failure::argument(format!("options.keys is NULL and key_count is {}", given.key_count)));
        }
        let len = given.key_count as usize * KEY_LEN;
        let bytes = ElicitStr { ptr: given.keys, len }.bytes("options.keys")?;
        let keys: Vec<StateKey> = bytes
            .chunks_exact(KEY_LEN)
            .map(|key| {
                let mut array = [0; KEY_LEN];
                array.copy_from_slice(key);
                array
            })
            .collect();
        let lifetime = if given.lifetime_ms == 0 { DEFAULT_LIFETIME } else { Duration::from_millis(given.lifetime_ms) };
        let now = match given.now_ms {
            0 => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
            milliseconds => Duration::from_millis(milliseconds),
        };
        let options = StateOptions {
            keys: &keys,
            principal: given.principal.text("options.principal")?,
            tool: given.tool.text("options.tool")?,
            arguments: given.arguments_json.bytes("options.arguments_json")?,
            lifetime,
        };
        f(&options, now)
    }
}

/// Seals a payload, UTF-8 or not, into a state: a text of letters, digits, '-' and '_'. The client can read the payload
/// but not change it, use it after its time, or hand it in for another principal, tool or arguments.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT` (there is no key) and with what is wrong about a text of the options;
/// `*state` is then NULL. The state belongs to the caller, who frees it with `elicit_buffer_free`.
///
/// # Safety
///
/// `options` must be NULL or a struct of `struct_size` bytes with readable keys and texts; `payload` readable; `state`
/// NULL or a place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_state_seal(
    options: *const ElicitStateOptions,
    payload: ElicitStr,
    state: *mut *mut ElicitBuffer,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let state = place(state, "state")?;
            let payload = payload.bytes("payload")?;
            let sealed = with_state_options(options, |options, now| Ok(seal_state(options, payload, now)?))?;
            *state = ElicitBuffer::into_raw(sealed.into_bytes());
            Ok(())
        })
    }
}

/// Opens a state that `elicit_state_seal` made with the same options and one of the same keys.
///
/// Fails with `ELICIT_STATUS_STATE_MALFORMED`, `_STATE_FORGED`, `_STATE_EXPIRED`, `_STATE_FOREIGN`,
/// `_STATE_OTHER_ARGUMENTS`, and as `elicit_state_seal` does; `*payload` is then NULL. The payload belongs to the
/// caller, who frees it with `elicit_buffer_free`.
///
/// # Safety
///
/// `options` must be NULL or a struct of `struct_size` bytes with readable keys and texts; `state` readable; `payload`
/// NULL or a place for one pointer; `error` the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_state_open(
    options: *const ElicitStateOptions,
    state: ElicitStr,
    payload: *mut *mut ElicitBuffer,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let payload = place(payload, "payload")?;
            let state = state.text("state")?;
            *payload = ElicitBuffer::into_raw(with_state_options(options, |options, now| {
                Ok(open_state(options, state, now)?)
            })?);
            Ok(())
        })
    }
}
