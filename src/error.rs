//! What can be wrong with a text that was given to the library.

/// Why a text gives no result. The message says where, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is longer than the library reads.
    #[error("the text is {len} bytes long, but at most {limit} are read; check what was captured or sent")]
    TooLarge {
        /// Its length in bytes.
        len: usize,
        /// The longest length that is read, in bytes.
        limit: usize,
    },
    /// The text is not UTF-8.
    #[error("the byte at offset {at} is not UTF-8; JSON between MCP peers is UTF-8 (RFC 8259, section 8.1)")]
    InvalidUtf8 {
        /// Offset of the first byte that is no part of a character.
        at: usize,
    },
    /// The text is not JSON.
    #[error("not JSON at byte {at} (line {line}, column {column}): expected {expected}, found {found}")]
    InvalidJson {
        /// Offset of the byte in the text.
        at: usize,
        /// Line of that byte, from 1.
        line: usize,
        /// Column of that byte in its line, in bytes, from 1.
        column: usize,
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Arrays and objects nest deeper than the library reads.
    #[error("arrays and objects nest deeper than {limit} levels at byte {at}; no MCP message does")]
    TooDeep {
        /// Offset of the bracket that is one too many.
        at: usize,
        /// How deep they may nest.
        limit: usize,
    },
    /// The text is JSON of another shape than the call takes.
    #[error("{}: expected {expected}, found {found}", if path.is_empty() { "the whole text" } else { path })]
    WrongShape {
        /// JSON Pointer of the value in the text; empty for the whole of it.
        path: String,
        /// What the call takes there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}
