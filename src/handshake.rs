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
    /// The parameters of `initialize`, or the `_meta` of a request, and three members of it.
    pub request: Option<Value<'d>>,
    pub asked_version: Option<Value<'d>>,
    pub client_info: Option<Value<'d>>,
    pub capabilities: Option<Value<'d>>,
    /// The result of `initialize` or of `server/discover`, and two members of it.
    pub response: Option<Value<'d>>,
    pub answered_version: Option<Value<'d>>,
    pub server_capabilities: Option<Value<'d>>,
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
        if document.roots().nth(1).is_some() {
            return Self::from_messages(document.roots());
        }
        match root.kind() {
            Kind::Array => Self::from_messages(root.elements()),
            Kind::Object => {
                let [initialize, per_request, transport, verbatim, jsonrpc, method] =
                    root.pick(["initialize", "perRequest", "transport", "verbatim", "jsonrpc", "method"]);
                let (era, exchange) = match (initialize, per_request) {
                    _ if jsonrpc.or(method).is_some() => return Self::from_messages(document.roots()),
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
                let handshake = Self::from_exchange(root, era, exchange)?;
                let stateless = match non_null(transport) {
                    Some(transport) if !transport.is_object() => {
                        return Err(wrong_shape(root, transport, "an object"));
                    }
                    Some(transport) => flag(root, transport.get("stateless"))?.unwrap_or(false),
                    None => false,
                };
                Ok(Self { stateless, verbatim: flag(root, verbatim)?.unwrap_or(true), ..handshake })
            }
            _ => Self::from_messages(document.roots()),
        }
    }

    fn new(era: Era, request: Option<Value<'d>>, response: Option<Value<'d>>, refusal: Option<Value<'d>>) -> Self {
        let keys = [era.version_key(), era.client_info_key(), era.capabilities_key()];
        let [asked_version, client_info, capabilities] = request.map_or([None; 3], |request| request.pick(keys));
        let [answered_version, server_capabilities] =
            response.map_or([None; 2], |response| response.pick(["protocolVersion", "capabilities"]));
        Self {
            era,
            request,
            asked_version: non_null(asked_version),
            client_info: non_null(client_info),
            capabilities: non_null(capabilities),
            response,
            answered_version: non_null(answered_version),
            server_capabilities: non_null(server_capabilities),
            refusal,
            stateless: false,
            verbatim: true,
        }
    }

    fn from_exchange(root: Value<'d>, era: Era, exchange: Value<'d>) -> Result<Self, Error> {
        if !exchange.is_object() && !exchange.is_null() {
            return Err(wrong_shape(root, exchange, "an object with request and response"));
        }
        let object = |value: Value<'d>| match value.is_object() {
            true => Ok(value),
            false => Err(wrong_shape(root, value, "an object")),
        };
        let [request, response] = exchange.pick(["request", "response"]);

        let params = match non_null(request).map(object).transpose()? {
            Some(request) => {
                let [jsonrpc, method, params] = request.pick(["jsonrpc", "method", "params"]);
                if jsonrpc.or(method).is_some() { non_null(params).map(object).transpose()? } else { Some(request) }
            }
            None => None,
        };
        let request = match era {
            Era::Initialize => params,
            Era::PerRequest => params.and_then(|params| params.get_non_null("_meta")).map(object).transpose()?,
        };
        let (response, refusal) = match non_null(response) {
            Some(response) => answer_of(response).unwrap_or((Some(response), None)),
            None => (None, None),
        };
        Ok(Self::new(era, request, response.map(object).transpose()?, refusal))
    }

    /// Picks the handshake out of what was said on the wire: `initialize` with its response where there is one that
    /// was not refused, else the last request with capabilities in its `_meta`.
    fn from_messages(messages: Siblings<'d>) -> Result<Self, Error> {
        let call = |name: &str| {
            messages
                .clone()
                .filter(|message| message.get("method").and_then(Value::as_str).is_some_and(|it| it == name))
                .last()
        };
        let answer = |request: Option<Value<'d>>| {
            let id = request?.get("id")?.raw();
            messages.clone().filter(|message| message.get("id").is_some_and(|own| own.raw() == id)).find_map(answer_of)
        };
        let object = |value: &Value<'d>| value.is_object();

        let initialize = call("initialize");
        let (result, refusal) = answer(initialize).unwrap_or_default();
        let meta = messages
            .clone()
            .filter_map(|message| message.get("params")?.get("_meta"))
            .filter(|meta| meta.get(META_VERSION).or(meta.get(META_CAPABILITIES)).is_some())
            .last();

        if let Some(initialize) = initialize.filter(|_| refusal.is_none() || meta.is_none()) {
            let params = initialize.get_non_null("params").filter(object);
            return Ok(Self::new(Era::Initialize, params, result.filter(object), refusal));
        }
        if let Some(meta) = meta {
            let (result, _) = answer(call("server/discover")).unwrap_or_default();
            return Ok(Self::new(Era::PerRequest, Some(meta), result.filter(object), None));
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
}

/// Result and error of a JSON-RPC response, or `None` for anything else.
fn answer_of<'d>(value: Value<'d>) -> Option<(Option<Value<'d>>, Option<Value<'d>>)> {
    let [jsonrpc, id, method, result, error] = value.pick(["jsonrpc", "id", "method", "result", "error"]);
    let is_response = method.is_none() && jsonrpc.or(id).is_some() && result.or(error).is_some();
    is_response.then(|| (non_null(result), non_null(error)))
}

fn non_null<'d>(value: Option<Value<'d>>) -> Option<Value<'d>> {
    value.filter(|value| !value.is_null())
}

fn flag(root: Value<'_>, value: Option<Value<'_>>) -> Result<Option<bool>, Error> {
    match non_null(value) {
        None => Ok(None),
        Some(value) => value.as_bool().map(Some).ok_or_else(|| wrong_shape(root, value, "true or false")),
    }
}

/// The error for a value of another shape than the call takes.
pub(crate) fn wrong_shape(root: Value<'_>, value: Value<'_>, expected: &'static str) -> Error {
    Error::WrongShape { path: root.pointer_to(value), expected, found: value.kind().name().to_owned() }
}
