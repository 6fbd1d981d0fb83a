//! State that travels through the client: sealed, so that a server that remembers nothing can trust what comes back.
//!
//! The client can read the state and keep it, but not change it, use it after its time, or hand it in for another
//! principal, tool or arguments (2026-07-28: `requestState` is attacker-controlled).

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::Error;
use crate::json::{Document, Limits};

/// The length of a key, in bytes.
pub const KEY_LEN: usize = 32;
/// How long a state is good unless the caller says otherwise: a person may think for a while.
pub const DEFAULT_LIFETIME: Duration = Duration::from_secs(600);

const VERSION: u8 = 1;
/// Version, length of the payload, expiry, and the marks of what the state is bound to.
const HEAD_LEN: usize = 1 + LEN_LEN + 8 + 2 * MARK_LEN;
/// The length is there so that a truncated state is told from a changed one.
const LEN_LEN: usize = 4;
const MARK_LEN: usize = 16;
const TAG_LEN: usize = 32;
const ARGUMENT_LIMITS: Limits = Limits { len: 16 << 20, depth: 128 };

/// A key that seals states. 32 bytes from a good random source.
pub type StateKey = [u8; KEY_LEN];

/// The keys of a server, and what a state is bound to.
#[derive(Clone, Copy, Debug)]
pub struct StateOptions<'a> {
    /// The first key seals; every one opens, so that a key can be rotated. At least one.
    pub keys: &'a [StateKey],
    /// Who the client is, as the server knows it; empty where there is no such notion.
    pub principal: &'a str,
    /// The tool that was called.
    pub tool: &'a str,
    /// The arguments of the call, as JSON; empty for none. White space, the order of keys and escapes do not matter.
    pub arguments: &'a [u8],
    /// How long the state is good.
    pub lifetime: Duration,
}

/// Why a state is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It is no state of this library, or a part of one.
    #[error("the state is none that this library made: it was changed, truncated, or made elsewhere; ask again")]
    Malformed,
    /// It was changed, or sealed with a key that this server does not have.
    #[error(
        "the state was changed on its way, or sealed by a server with another key; ask again, and give every instance the same key"
    )]
    Forged,
    /// Its time is over.
    #[error("the state expired {0:?} ago; ask again")]
    Expired(Duration),
    /// It was made for another principal or another tool.
    #[error("the state was made for another principal or another tool; ask again")]
    Foreign,
    /// It was made for other arguments.
    #[error("the state was made for other arguments of the same tool; ask again")]
    OtherArguments,
    /// The options have no key.
    #[error("there is no key: give at least one of 32 bytes")]
    NoKey,
    /// The arguments are no JSON.
    #[error("the arguments of the call: {0}")]
    Arguments(#[from] Error),
}

/// Seals a payload. `now` is the time since the Unix epoch.
///
/// ```
/// use std::time::Duration;
/// use elicit_doctor::{StateError, StateOptions, open_state, seal_state};
///
/// let options = StateOptions {
///     keys: &[[7; 32]],
///     principal: "alice",
///     tool: "book_table",
///     arguments: br#"{"people": 2}"#,
///     lifetime: Duration::from_secs(60),
/// };
/// let now = Duration::from_secs(1_800_000_000);
/// let state = seal_state(&options, b"asked once", now)?;
/// assert_eq!(open_state(&options, &state, now)?, b"asked once");
///
/// let other = StateOptions { arguments: br#"{"people": 20}"#, ..options };
/// assert_eq!(open_state(&other, &state, now), Err(StateError::OtherArguments));
/// # Ok::<(), StateError>(())
/// ```
///
/// # Errors
///
/// [`StateError::NoKey`] and [`StateError::Arguments`].
pub fn seal_state(options: &StateOptions<'_>, payload: &[u8], now: Duration) -> Result<String, StateError> {
    let key = options.keys.first().ok_or(StateError::NoKey)?;
    let mut state = Vec::with_capacity(HEAD_LEN + payload.len() + TAG_LEN);
    state.push(VERSION);
    state.extend_from_slice(&length(payload.len()));
    state.extend_from_slice(&millis(now.saturating_add(options.lifetime)).to_be_bytes());
    state.extend_from_slice(&caller_mark(key, options));
    state.extend_from_slice(&arguments_mark(key, options)?);
    state.extend_from_slice(payload);
    let tag = mac(key, "state", &[&state]).finalize().into_bytes();
    state.extend_from_slice(&tag);
    Ok(URL_SAFE_NO_PAD.encode(state))
}

/// Opens a state that [`seal_state`] made with the same options and one of the same keys, and gives its payload.
///
/// # Errors
///
/// Any [`StateError`]; whatever is wrong, nothing of the payload is given away.
pub fn open_state(options: &StateOptions<'_>, state: &str, now: Duration) -> Result<Vec<u8>, StateError> {
    if options.keys.is_empty() {
        return Err(StateError::NoKey);
    }
    let mut state = URL_SAFE_NO_PAD.decode(state).map_err(|_| StateError::Malformed)?;
    if state.len() < HEAD_LEN + TAG_LEN || state[0] != VERSION {
        return Err(StateError::Malformed);
    }
    if state[1..=LEN_LEN] != length(state.len() - HEAD_LEN - TAG_LEN) {
        return Err(StateError::Malformed);
    }
    let tag = state.split_off(state.len() - TAG_LEN);
    let sealed_by = options.keys.iter().find(|key| mac(key, "state", &[&state]).verify_slice(&tag).is_ok());
    let key = sealed_by.ok_or(StateError::Forged)?;

    let payload = state.split_off(HEAD_LEN);
    let (expiry, marks) = state[1 + LEN_LEN..].split_at(8);
    let expiry = Duration::from_millis(expiry.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
    if now >= expiry {
        return Err(StateError::Expired(now - expiry));
    }
    let (caller, arguments) = marks.split_at(MARK_LEN);
    if caller != caller_mark(key, options) {
        return Err(StateError::Foreign);
    }
    if arguments != arguments_mark(key, options)? {
        return Err(StateError::OtherArguments);
    }
    Ok(payload)
}

/// Marks are keyed, so that the client cannot tell from them whom or what they stand for.
fn caller_mark(key: &StateKey, options: &StateOptions<'_>) -> [u8; MARK_LEN] {
    mark(mac(key, "caller", &[options.principal.as_bytes(), options.tool.as_bytes()]))
}

fn arguments_mark(key: &StateKey, options: &StateOptions<'_>) -> Result<[u8; MARK_LEN], StateError> {
    let arguments = match options.arguments {
        [] => String::new(),
        text => Document::parse(text, ARGUMENT_LIMITS)?.root().canonical(),
    };
    Ok(mark(mac(key, "arguments", &[arguments.as_bytes()])))
}

fn mark(mac: Hmac<Sha256>) -> [u8; MARK_LEN] {
    let mut mark = [0; MARK_LEN];
    mark.copy_from_slice(&mac.finalize().into_bytes()[..MARK_LEN]);
    mark
}

/// The MAC of parts, none of which can run into the next.
fn mac(key: &StateKey, purpose: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
    // HMAC fills a key up to its block of 64 bytes with zeros (RFC 2104).
    let mut block = [0; 64];
    block[..KEY_LEN].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in [&[purpose.as_bytes()], parts].concat() {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}

fn length(len: usize) -> [u8; LEN_LEN] {
    (len as u32).to_be_bytes()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
