//! JSON text read once into a flat list of spans.
//!
//! The report echoes values byte for byte, names the byte or the JSON Pointer of what is wrong, lets the last of two
//! equal keys count and says so. A reader that builds values loses the bytes; `serde_json`'s `RawValue` keeps them but
//! reads every level again. So the text is scanned once, and a [`Value`] is a place in it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::error::Error;

/// How much of a text is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest text, in bytes.
    pub len: usize,
    /// How deep arrays and objects may nest.
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The kind with its article, as messages say it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

/// One value, or one key of an object: keys stand in front of their values.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// Whether a string has escapes.
    escaped: bool,
    /// Whether two keys of an object may be the same. Where this is false, they are not.
    repeats: bool,
    start: u32,
    end: u32,
    /// The node after this one and everything in it.
    next: u32,
}

/// A text and the values in it: one, or several one after another.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Document<'t> {
    /// Reads one value and the white space around it.
    pub fn parse(input: &'t [u8], limits: Limits) -> Result<Self, Error> {
        let document = Self::parse_sequence(input, limits)?;
        let second = document.roots().nth(1).map(|value| value.range().start);
        match second {
            None => Ok(document),
            Some(at) => Err(syntax_error(document.text, at, "the end of the text")),
        }
    }

    /// Reads one value or more, as in JSON lines.
    pub fn parse_sequence(input: &'t [u8], limits: Limits) -> Result<Self, Error> {
        if input.len() > limits.len {
            return Err(Error::TooLarge { len: input.len(), limit: limits.len });
        }
        let text = std::str::from_utf8(input).map_err(|error| Error::InvalidUtf8 { at: error.valid_up_to() })?;
        let mut scanner = Scanner {
            text,
            bytes: input,
            at: 0,
            // A typical handshake has a node for every eight bytes; growing is rare and correct all the same. 64 nodes are
            // 1 KiB, the most that glibc keeps ready in its per-thread cache.
            nodes: Vec::with_capacity((input.len() / 8).max(64)),
            open: NONE,
            depth: 0,
            max_depth: limits.depth,
        };
        loop {
            scanner.value()?;
            scanner.skip_whitespace();
            if scanner.at == input.len() {
                return Ok(Document { text, nodes: scanner.nodes });
            }
        }
    }

    /// The first value. There is always one.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    pub fn roots(&self) -> Siblings<'_> {
        Siblings { document: self, index: 0, end: self.nodes.len() as u32 }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Calls `report` with every object in which a key stands more than once, and the key: once for each such key.
    pub fn for_each_duplicate_key(&self, mut report: impl FnMut(Value<'_>, Cow<'_, str>)) {
        for (index, node) in self.nodes.iter().enumerate() {
            if node.repeats {
                let object = Value { document: self, index: index as u32 };
                object.duplicate_keys(|key| report(object, key));
            }
        }
    }
}

/// A value in a [`Document`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'d> Value<'d> {
    fn node(self) -> Node {
        self.document.nodes[self.index as usize]
    }

    pub fn kind(self) -> Kind {
        self.node().kind
    }

    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The bytes of the value, untouched.
    pub fn raw(self) -> &'d str {
        &self.document.text[self.range()]
    }

    /// Where the value stands in the text.
    pub fn range(self) -> std::ops::Range<usize> {
        let node = self.node();
        node.start as usize..node.end as usize
    }

    /// Whether `other` is this value or stands inside it.
    pub fn contains(self, other: Value<'_>) -> bool {
        (self.index..self.node().next).contains(&other.index)
    }

    /// The members of an object in their order; nothing for any other kind.
    pub fn members(self) -> impl Iterator<Item = (Value<'d>, Value<'d>)> {
        let mut inside = self.inside(Kind::Object);
        // A key is one node, so its value is the next one.
        std::iter::from_fn(move || {
            let key = Value { document: self.document, index: inside.index };
            inside.index += 1;
            Some((key, inside.next()?))
        })
    }

    /// The elements of an array; nothing for any other kind.
    pub fn elements(self) -> Siblings<'d> {
        self.inside(Kind::Array)
    }

    fn inside(self, kind: Kind) -> Siblings<'d> {
        let node = self.node();
        let end = if node.kind == kind { node.next } else { self.index };
        Siblings { document: self.document, index: self.index + 1, end }
    }

    /// The value of a key: of the last one where it stands more than once.
    pub fn get(self, key: &str) -> Option<Value<'d>> {
        let [value] = self.pick([key]);
        value
    }

    /// The values of several keys, in one pass: [`Self::get`] for each.
    pub fn pick<const N: usize>(self, keys: [&str; N]) -> [Option<Value<'d>>; N] {
        let mut found = [None; N];
        for (name, value) in self.members() {
            if let Some(position) = keys.iter().position(|key| name.is_text(key)) {
                found[position] = Some(value);
            }
        }
        found
    }

    /// [`Self::get`], with a null counted as absent.
    pub fn get_non_null(self, key: &str) -> Option<Value<'d>> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// The text of a string, unescaped. Half of a surrogate pair, which JSON allows and UTF-8 cannot express, reads
    /// as U+FFFD.
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        if self.kind() != Kind::String {
            return None;
        }
        let raw = self.raw();
        let inner = &raw[1..raw.len() - 1];
        Some(if self.node().escaped { Cow::Owned(unescape(inner)) } else { Cow::Borrowed(inner) })
    }

    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    #[cold]
    fn is_text_unescaped(self, text: &str) -> bool {
        self.as_str().is_some_and(|own| own == text)
    }

    /// The nearest number that a `f64` can express; infinite for one that is out of its range.
    pub fn as_f64(self) -> Option<f64> {
        if self.kind() == Kind::Number { self.raw().parse().ok() } else { None }
    }

    /// Whether this is a string with this text.
    #[inline(always)]
    pub fn is_text(self, text: &str) -> bool {
        let node = self.node();
        if node.escaped {
            return self.is_text_unescaped(text);
        }
        // Most keys differ in their length, which the node knows: the text is not touched.
        node.kind == Kind::String
            && (node.end - node.start) as usize == text.len() + 2
            && self.document.text.as_bytes()[node.start as usize + 1..node.end as usize - 1] == *text.as_bytes()
    }

    /// The JSON Pointer (RFC 6901) of `inner` seen from this value, which must contain it.
    pub fn pointer_to(self, inner: Value<'_>) -> String {
        let mut pointer = String::new();
        let mut place = self;
        while place.index != inner.index {
            let child = match place.kind() {
                Kind::Object => {
                    place.members().find(|(_, value)| value.contains(inner)).map(|(key, value)| (key.as_str(), value))
                }
                _ => place
                    .elements()
                    .enumerate()
                    .find(|(_, value)| value.contains(inner))
                    .map(|(position, value)| (Some(Cow::Owned(position.to_string())), value)),
            };
            let Some((token, value)) = child else { break };
            push_token(&mut pointer, &token.unwrap_or_default());
            place = value;
        }
        pointer
    }

    /// The value as text in which white space, the order of keys, escapes and all but the last of equal keys do not
    /// matter. Numbers stay as they are written.
    pub fn canonical(self) -> String {
        let mut text = String::new();
        self.push_canonical(&mut text);
        text
    }

    // Nesting is limited by the reader, so the recursion is.
    fn push_canonical(self, text: &mut String) {
        match self.kind() {
            Kind::Object => {
                let members: BTreeMap<Cow<'_, str>, Value<'_>> =
                    self.members().map(|(key, value)| (key.as_str().unwrap_or_default(), value)).collect();
                let mut separator = '{';
                for (key, value) in &members {
                    text.push(separator);
                    separator = ',';
                    push_string(text, key);
                    text.push(':');
                    value.push_canonical(text);
                }
                text.push_str(if members.is_empty() { "{}" } else { "}" });
            }
            Kind::Array => {
                let mut separator = '[';
                for value in self.elements() {
                    text.push(separator);
                    separator = ',';
                    value.push_canonical(text);
                }
                text.push_str(if separator == '[' { "[]" } else { "]" });
            }
            Kind::String => push_string(text, &self.as_str().unwrap_or_default()),
            _ => text.push_str(self.raw()),
        }
    }

    fn duplicate_keys(self, mut report: impl FnMut(Cow<'d, str>)) {
        /// Up to here comparing every pair is faster than hashing, and does not allocate.
        const FEW: usize = 16;

        let count = self.members().take(FEW + 1).count();
        if count <= FEW {
            for (position, (key, _)) in self.members().enumerate() {
                let Some(text) = key.as_str() else { continue };
                let before = self.members().take(position).filter(|(other, _)| other.is_text(&text)).count();
                if before == 1 {
                    report(text);
                }
            }
        } else {
            let mut seen = HashSet::new();
            let mut reported = HashSet::new();
            for text in self.members().filter_map(|(key, _)| key.as_str()) {
                if !seen.insert(text.clone()) && reported.insert(text.clone()) {
                    report(text);
                }
            }
        }
    }
}

/// The nodes side by side in a container; in an object keys and values alternate.
#[derive(Clone)]
pub(crate) struct Siblings<'d> {
    document: &'d Document<'d>,
    index: u32,
    end: u32,
}

impl<'d> Iterator for Siblings<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        if self.index >= self.end {
            return None;
        }
        let value = Value { document: self.document, index: self.index };
        self.index = value.node().next;
        Some(value)
    }
}

/// Where a value stands in the report. It becomes a JSON Pointer (RFC 6901) only where there is something to say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    /// A pointer for the outermost place, a key for the ones in it.
    token: &'p str,
}

impl<'p> Place<'p> {
    /// The place with this pointer.
    pub const fn at(pointer: &'p str) -> Self {
        Self { parent: None, token: pointer }
    }

    /// The member of this place with this key.
    pub const fn child(&'p self, key: &'p str) -> Place<'p> {
        Place { parent: Some(self), token: key }
    }

    pub fn pointer(&self) -> String {
        match self.parent {
            None => self.token.to_owned(),
            Some(parent) => {
                let mut pointer = parent.pointer();
                push_token(&mut pointer, self.token);
                pointer
            }
        }
    }
}

fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Adds `text` as a JSON string with its quotes.
pub(crate) fn push_string(json: &mut String, text: &str) {
    // Writing a &str to memory has no way to fail.
    json.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn unescape(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(backslash) = rest.find('\\') {
        text.push_str(&rest[..backslash]);
        let escape = &rest[backslash + 1..];
        let (character, used) = match escape.as_bytes()[0] {
            b'n' => ('\n', 1),
            b't' => ('\t', 1),
            b'r' => ('\r', 1),
            b'b' => ('\u{8}', 1),
            b'f' => ('\u{c}', 1),
            b'u' => unescape_unicode(escape),
            itself => (itself as char, 1),
        };
        text.push(character);
        rest = &escape[used..];
    }
    text.push_str(rest);
    text
}

/// Reads `uXXXX`, or `uXXXX\uXXXX` where the two are a surrogate pair.
fn unescape_unicode(escape: &str) -> (char, usize) {
    let unit = |from: usize| escape.get(from..from + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let first = unit(1).unwrap_or(0xFFFD);
    if (0xD800..0xDC00).contains(&first) && escape.get(5..7) == Some("\\u") {
        if let Some(second @ 0xDC00..0xE000) = unit(7) {
            let scalar = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return (char::from_u32(scalar).unwrap_or('\u{FFFD}'), 11);
        }
    }
    (char::from_u32(first).unwrap_or('\u{FFFD}'), 5)
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The innermost container that is not closed yet, or [`NONE`]. Until a container is closed, its node's `next` is
    /// the container around it, and its `end` has one bit for each key so far: a key whose bit is free is new.
    open: u32,
    depth: usize,
    max_depth: usize,
}

const NONE: u32 = u32::MAX;

impl Scanner<'_> {
    /// Reads one value. Nesting is kept in `open`, not on the stack of the thread.
    fn value(&mut self) -> Result<(), Error> {
        loop {
            self.skip_whitespace();
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(b'{') => {
                    self.open(Kind::Object)?;
                    if self.peek_token() != Some(b'}') {
                        self.key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.open(Kind::Array)?;
                    if self.peek_token() != Some(b']') {
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal(Kind::Bool, "true")?,
                Some(b'f') => self.literal(Kind::Bool, "false")?,
                Some(b'n') => self.literal(Kind::Null, "null")?,
                _ => return Err(self.expected("a value")),
            }
            if !self.after_value()? {
                return Ok(());
            }
        }
    }

    /// Closes what ends here. Whether another value follows in the container that stays open.
    #[inline(always)]
    fn after_value(&mut self) -> Result<bool, Error> {
        while self.open != NONE {
            let following = self.nodes.len() as u32;
            let byte = self.peek_token();
            let container = &mut self.nodes[self.open as usize];
            let is_object = container.kind == Kind::Object;
            match (byte, is_object) {
                (Some(b','), true) => {
                    self.at += 1;
                    self.skip_whitespace();
                    self.key()?;
                    return Ok(true);
                }
                (Some(b','), false) => {
                    self.at += 1;
                    return Ok(true);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    self.open = std::mem::replace(&mut container.next, following);
                    container.end = self.at as u32;
                    self.depth -= 1;
                }
                (_, true) => return Err(self.expected("',' or '}'")),
                (_, false) => return Err(self.expected("',' or ']'")),
            }
        }
        Ok(false)
    }

    #[inline(always)]
    fn open(&mut self, kind: Kind) -> Result<(), Error> {
        if self.depth == self.max_depth {
            return Err(Error::TooDeep { at: self.at, limit: self.max_depth });
        }
        let node = Node { kind, escaped: false, repeats: false, start: self.at as u32, end: 0, next: self.open };
        self.open = self.nodes.len() as u32;
        self.nodes.push(node);
        self.depth += 1;
        self.at += 1;
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, kind: Kind, start: usize, escaped: bool) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, escaped, repeats: false, start: start as u32, end: self.at as u32, next });
    }

    #[inline(always)]
    fn key(&mut self) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        let start = self.at;
        let escaped = self.string()?;
        // An escaped key may be any other.
        let bit = if escaped { u32::MAX } else { key_bit(&self.bytes[start..self.at]) };
        let object = &mut self.nodes[self.open as usize];
        object.repeats |= object.end & bit != 0;
        object.end |= bit;
        if self.peek_token() != Some(b':') {
            return Err(self.expected("':'"));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a string. Whether it has escapes.
    #[inline(always)]
    fn string(&mut self) -> Result<bool, Error> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        loop {
            self.at += plain_prefix(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.expected("an escape instead of a control character")),
                None => return Err(self.expected("the closing double quote of a string")),
            }
        }
        self.at += 1;
        self.push(Kind::String, start, escaped);
        Ok(escaped)
    }

    fn escape(&mut self) -> Result<(), Error> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
                        return Err(self.expected("four hexadecimal digits"));
                    }
                    self.at += 1;
                }
            }
            _ => return Err(self.expected("an escape that JSON knows")),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        self.push(Kind::Number, start, false);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Error> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.expected("a digit"));
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, kind: Kind, word: &'static str) -> Result<(), Error> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.expected("a value"));
        }
        let start = self.at;
        self.at += word.len();
        self.push(kind, start, false);
        Ok(())
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_token(&mut self) -> Option<u8> {
        self.skip_whitespace();
        self.peek()
    }

    #[inline(always)]
    fn skip_whitespace(&mut self) {
        // Between the tokens of a message there is none, as a rule.
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.skip_some_whitespace();
        }
    }

    #[cold]
    fn skip_some_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    #[cold]
    fn expected(&self, what: &'static str) -> Error {
        syntax_error(self.text, self.at, what)
    }
}

/// How many bytes come before the first quote, backslash or control character: what a string holds as it is.
fn plain_prefix(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

    // Eight bytes at a time. The high bit of a byte comes out set where the byte is zero; a borrow may set it in later
    // bytes too, so only the first one counts.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let special = zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control;
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count()
}

/// The bit of a key among 32, from its first byte, its last one and its length, which tell the keys of most objects apart.
/// `raw` has its quotes.
fn key_bit(raw: &[u8]) -> u32 {
    let first = raw[1];
    let last = raw[raw.len() - 2];
    1 << (first.wrapping_mul(5).wrapping_add(last.wrapping_mul(3)).wrapping_add(raw.len() as u8) & 31)
}

fn syntax_error(text: &str, at: usize, expected: &'static str) -> Error {
    let before = &text.as_bytes()[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = at - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1) + 1;
    let found = match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(character) => format!("{character:?}"),
        None => "the end of the text".to_owned(),
    };
    Error::InvalidJson { at, line, column, expected, found }
}
