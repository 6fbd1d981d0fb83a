//! The handshake of a client, in both eras and in every form that a caller may have it in. Nothing is copied: its
//! parts are places in the caller's text.

use crate::error::Error;
use crate::json::{Document, Kind, Limits, Place, Siblings, Value};

/// What a handshake may measure.
pub(crate) const LIMITS: Limits = Limits { len: 1 << 20, depth: 128 };

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// How a client tells its capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// Once, by `initialize` (revisions up to 2025-11-25).
    Initialize,
    /// With every request, in its `_meta` (since 2026-07-28).
    PerRequest,
}

impl Era {
    /// The key of the handshake in the report.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Initialize => "initialize",
            Self::PerRequest => "perRequest",
        }
    }

    /// Where the report echoes what the client sent.
    pub(crate) const fn request_path(self) -> &'static str {
        match self {
            Self::Initialize => "/initialize/request",
            Self::PerRequest => "/perRequest/request/_meta",
        }
    }

    /// Where the report echoes what the server answered.
    pub(crate) const fn response_path(self) -> &'static str {
        match self {
            Self::Initialize => "/initialize/response",
            Self::PerRequest => "/perRequest/response",
        }
    }

    pub(crate) const fn version_key(self) -> &'static str {
        match self {
            Self::Initialize => "protocolVersion",
            Self::PerRequest => META_VERSION,
        }
    }

    pub(crate) const fn client_info_key(self) -> &'static str {
        match self {
            Self::Initialize => "clientInfo",
            Self::PerRequest => META_CLIENT_INFO,
        }
    }

    pub(crate) const fn capabilities_key(self) -> &'static str {
        match self {
            Self::Initialize => "capabilities",
            Self::PerRequest => META_CAPABILITIES,
        }
    }
}

/// What a client sent about itself, and what the server answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handshake<'d> {
    pub era: Era,
    /// The parameters of `initialize`, or the `_meta` of a request.
    pub request: Option<Value<'d>>,
    /// The result of `initialize` or of `server/discover`.
    pub response: Option<Value<'d>>,
    /// The JSON-RPC error that the server answered `initialize` with.
    pub refusal: Option<Value<'d>>,
    /// Whether the server keeps no session.
    pub stateless: bool,
    /// Whether the text is what was on the wire.
    pub verbatim: bool,
}

impl<'d> Handshake<'d> {
    /// Finds the handshake in a text that [`Document::parse_sequence`] has read.
    pub fn find(document: &'d Document<'_>) -> Result<Self, Error> {
        let root = document.root();
        let single = document.roots().nth(1).is_none();
        if single && root.is_object() && !is_message(root) {
            return Self::from_envelope(root);
        }
        if single && root.kind() == Kind::Array {
            return Self::from_messages(root.elements());
        }
        Self::from_messages(document.roots())
    }

    fn from_envelope(root: Value<'d>) -> Result<Self, Error> {
        let (era, exchange) = match (root.get("initialize"), root.get("perRequest")) {
            (Some(exchange), None) => (Era::Initialize, exchange),
            (None, Some(exchange)) => (Era::PerRequest, exchange),
            _ => {
                return Err(wrong_shape(
                    root,
                    root,
                    "exactly one of the keys initialize and perRequest, or the JSON-RPC messages of a handshake",
                ));
            }
        };
        if !exchange.is_object() && !exchange.is_null() {
            return Err(wrong_shape(root, exchange, "an object with request and response"));
        }
        let mut request = None;
        if let Some(value) = exchange.get_non_null("request") {
            let params = if is_message(value) { value.get_non_null("params") } else { Some(value) };
            request = match (era, params) {
                (Era::PerRequest, Some(params)) => params.get_non_null("_meta"),
                (_, params) => params,
            };
            for object in [Some(value), params, request].into_iter().flatten() {
                if !object.is_object() {
                    return Err(wrong_shape(root, object, "an object"));
                }
            }
        }
        let (mut response, mut refusal) = (None, None);
        if let Some(value) = exchange.get_non_null("response") {
            if is_response(value) {
                (response, refusal) = (value.get_non_null("result"), value.get_non_null("error"));
            } else {
                response = Some(value);
            }
            if let Some(object) = response.filter(|result| !result.is_object()) {
                return Err(wrong_shape(root, object, "an object"));
            }
        }
        let stateless = match root.get_non_null("transport") {
            Some(transport) if !transport.is_object() => return Err(wrong_shape(root, transport, "an object")),
            Some(transport) => flag(root, transport, "stateless")?.unwrap_or(false),
            None => false,
        };
        let verbatim = flag(root, root, "verbatim")?.unwrap_or(true);
        Ok(Self { era, request, response, refusal, stateless, verbatim })
    }

    /// Picks the handshake out of what was said on the wire: `initialize` with its response where there is one that
    /// was not refused, else the last request with capabilities in its `_meta`.
    fn from_messages(messages: Siblings<'d>) -> Result<Self, Error> {
        let method = |name: &'static str| messages.clone().filter(move |message| is_call(*message, name)).last();
        let answer = |request: Option<Value<'d>>| {
            let id = request?.get("id")?.raw();
            messages
                .clone()
                .filter(|message| is_response(*message))
                .find(|message| message.get("id").is_some_and(|own| own.raw() == id))
        };

        let initialize = method("initialize");
        let initialized = answer(initialize);
        let refusal = initialized.and_then(|response| response.get_non_null("error"));
        let meta = messages
            .clone()
            .filter_map(|message| message.get("params")?.get("_meta"))
            .filter(|meta| meta.get(META_VERSION).is_some() || meta.get(META_CAPABILITIES).is_some())
            .last();

        if let Some(initialize) = initialize.filter(|_| refusal.is_none() || meta.is_none()) {
            return Ok(Self {
                era: Era::Initialize,
                request: initialize.get_non_null("params").filter(|params| params.is_object()),
                response: initialized
                    .and_then(|response| response.get_non_null("result"))
                    .filter(|result| result.is_object()),
                refusal,
                stateless: false,
                verbatim: true,
            });
        }
        if let Some(meta) = meta {
            let discovered = answer(method("server/discover"));
            return Ok(Self {
                era: Era::PerRequest,
                request: Some(meta),
                response: discovered
                    .and_then(|response| response.get_non_null("result"))
                    .filter(|result| result.is_object()),
                refusal: None,
                stateless: false,
                verbatim: true,
            });
        }
        Err(Error::WrongShape {
            path: String::new(),
            expected: "an object with initialize or perRequest, the JSON-RPC request initialize, or a request with per-request _meta",
            found: match messages.clone().nth(1) {
                None => messages.clone().next().map_or("an empty array", |only| only.kind().name()).to_owned(),
                Some(_) => format!("{} values without them", messages.clone().count()),
            },
        })
    }

    /// Where the report echoes what the client sent.
    pub fn request_place(&self) -> Place<'static> {
        Place::at(self.era.request_path())
    }

    /// Where the report echoes what the server answered.
    pub fn response_place(&self) -> Place<'static> {
        Place::at(self.era.response_path())
    }

    pub fn client_info(&self) -> Option<Value<'d>> {
        self.request?.get_non_null(self.era.client_info_key())
    }

    pub fn capabilities(&self) -> Option<Value<'d>> {
        self.request?.get_non_null(self.era.capabilities_key())
    }
}

fn is_message(value: Value<'_>) -> bool {
    value.get("jsonrpc").is_some() || value.get("method").is_some()
}

fn is_call(value: Value<'_>, method: &str) -> bool {
    value.get("method").and_then(Value::as_str).is_some_and(|name| name == method)
}

fn is_response(value: Value<'_>) -> bool {
    value.get("method").is_none()
        && (value.get("jsonrpc").is_some() || value.get("id").is_some())
        && (value.get("result").is_some() || value.get("error").is_some())
}

fn flag(root: Value<'_>, object: Value<'_>, key: &str) -> Result<Option<bool>, Error> {
    match object.get_non_null(key) {
        None => Ok(None),
        Some(value) => value.as_bool().map(Some).ok_or_else(|| wrong_shape(root, value, "true or false")),
    }
}

/// The error for a value of another shape than the call takes.
pub(crate) fn wrong_shape(root: Value<'_>, value: Value<'_>, expected: &'static str) -> Error {
    Error::WrongShape { path: root.pointer_to(value), expected, found: value.kind().name().to_owned() }
}
