//! JSON text read once into a flat list of spans.
//!
//! The report echoes values byte for byte, names the byte or the JSON Pointer of what is wrong, lets the last of two
//! equal keys count and says so. A reader that builds values loses the bytes; `serde_json`'s `RawValue` keeps them but
//! reads every level again. So the text is scanned once, and a [`Value`] is a place in it.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::error::Error;

/// How much of a text is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The longest text, in bytes.
    pub len: usize,
    /// How deep arrays and objects may nest; at most [`MAX_DEPTH`].
    pub depth: usize,
}

/// The deepest nesting that any [`Limits`] allow.
const MAX_DEPTH: usize = 136;

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
            // A typical handshake has a node for every eight bytes; growing is rare and correct all the same.
            nodes: Vec::with_capacity(input.len() / 8 + 8),
            open: [0; MAX_DEPTH],
            depth: 0,
            max_depth: limits.depth.min(MAX_DEPTH),
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
            // A key is a string, so a node of kind Object is always a value.
            if node.kind == Kind::Object {
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
        std::iter::from_fn(move || Some((inside.next()?, inside.next()?)))
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
        self.members().filter(|(name, _)| name.is_text(key)).last().map(|(_, value)| value)
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

    fn is_text(self, text: &str) -> bool {
        match self.node() {
            Node { kind: Kind::String, escaped: false, start, end, .. } => {
                self.document.text.as_bytes()[start as usize + 1..end as usize - 1] == *text.as_bytes()
            }
            _ => self.as_str().is_some_and(|own| own == text),
        }
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
    /// The containers that are open, outermost first: `depth` of them.
    open: [u32; MAX_DEPTH],
    depth: usize,
    max_depth: usize,
}

impl Scanner<'_> {
    /// Reads one value. Nesting is kept in `open`, not on the stack of the thread.
    fn value(&mut self) -> Result<(), Error> {
        loop {
            self.skip_whitespace();
            match self.peek() {
                Some(b'"') => self.string()?,
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
    fn after_value(&mut self) -> Result<bool, Error> {
        while self.depth > 0 {
            let container = self.open[self.depth - 1] as usize;
            let is_object = self.nodes[container].kind == Kind::Object;
            match (self.peek_token(), is_object) {
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
                    self.nodes[container].end = self.at as u32;
                    self.nodes[container].next = self.nodes.len() as u32;
                    self.depth -= 1;
                }
                (_, true) => return Err(self.expected("',' or '}'")),
                (_, false) => return Err(self.expected("',' or ']'")),
            }
        }
        Ok(false)
    }

    fn open(&mut self, kind: Kind) -> Result<(), Error> {
        if self.depth == self.max_depth {
            return Err(Error::TooDeep { at: self.at, limit: self.max_depth });
        }
        self.open[self.depth] = self.nodes.len() as u32;
        self.depth += 1;
        let start = self.at;
        self.at += 1;
        self.push(kind, start);
        Ok(())
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, escaped: false, start: start as u32, end: self.at as u32, next });
    }

    fn key(&mut self) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        self.string()?;
        if self.peek_token() != Some(b':') {
            return Err(self.expected("':'"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Error> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        loop {
            let plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
            self.at += self.bytes[self.at..].iter().take_while(|byte| plain(byte)).count();
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
        self.push(Kind::String, start);
        if let Some(node) = self.nodes.last_mut() {
            node.escaped = escaped;
        }
        Ok(())
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
        self.push(Kind::Number, start);
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
        self.push(kind, start);
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

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn expected(&self, what: &'static str) -> Error {
        syntax_error(self.text, self.at, what)
    }
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
