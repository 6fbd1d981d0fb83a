//! The check of a request before it goes out: what the specification forbids, and what hosts are known to refuse.

use std::collections::HashSet;

use crate::error::Error;
use crate::finding::{self, Finding, Findings, Rule};
use crate::handshake::wrong_shape;
use crate::json::{Document, Kind, Limits, Value};
use crate::report::{Delivery, Report};
use crate::revision::Revision;
use crate::schema::{Problem, Property};
use crate::secret::{asks_for_secret, is_secret_name};
use crate::support::excerpt;
use crate::url;

/// What the parameters of a request, and an answer, may measure.
pub(crate) const LIMITS: Limits = Limits { len: 1 << 20, depth: 128 };

/// Checks a request for elicitation before it is sent to the host of a report: the parameters of `elicitation/create`,
/// the JSON-RPC request with them, or the input request `{"method": "elicitation/create", "params": …}`.
///
/// An empty list says: send it. A finding of [`Severity::Error`](crate::Severity::Error) says: do not. Its path is a
/// JSON Pointer into the parameters, or for what is not in them the empty one. By "Rules for a server about to ask" of
/// the specification's revisions; the property kinds of each revision are one table.
///
/// ```
/// use elicit_doctor::{Report, check_request};
///
/// let host = Report::from_handshake(br#"{"initialize": {
///     "request": {"clientInfo": {"name": "host", "version": "1"}, "capabilities": {"elicitation": {"form": {}}}},
///     "response": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
/// }}"#)?;
/// let findings = check_request(&host, br#"{
///     "message": "Sign in",
///     "requestedSchema": {"type": "object", "properties": {"password": {"type": "string"}}}
/// }"#)?;
/// assert_eq!((&*findings[0].code, &*findings[0].path), ("request_secret", "/requestedSchema/properties/password"));
/// # Ok::<(), elicit_doctor::Error>(())
/// ```
///
/// # Errors
///
/// Where there is nothing to check: the text is longer than 1 MiB, nests deeper than 128, is no UTF-8, no JSON or no
/// object.
pub fn check_request(report: &Report, params: &[u8]) -> Result<Vec<Finding>, Error> {
    let document = Document::parse(params, LIMITS)?;
    let root = document.root();
    if !root.is_object() {
        return Err(wrong_shape(root, root, "an object with the parameters of elicitation/create"));
    }
    let mut check = Check { report, rules: report.rules(), params: root, findings: Findings::default() };
    let [jsonrpc, id, method, params] = root.pick(["jsonrpc", "id", "method", "params"]);
    if let Some(method) = method {
        if !method.is_text("elicitation/create") {
            check.add(
                finding::REQUEST_METHOD,
                root,
                format!("The method is {}; it is \"elicitation/create\".", excerpt(method)),
            );
        }
        check.params = params.filter(|params| params.is_object()).ok_or_else(|| {
            wrong_shape(root, params.unwrap_or(root), "a request with the parameters of elicitation/create in params")
        })?;
    }
    // What a host cannot be asked at all needs no advice on its details.
    if check.has_elicitation() {
        check.may_ask(jsonrpc.or(id).is_some());
        check.params();
    }
    Ok(check.findings.into_vec())
}

struct Check<'d> {
    report: &'d Report,
    rules: Revision,
    params: Value<'d>,
    findings: Findings,
}

impl<'d> Check<'d> {
    fn add(&mut self, rule: Rule, place: Value<'_>, message: impl Into<String>) {
        let params = self.params;
        let path = || if params.contains(place) { params.pointer_to(place) } else { String::new() };
        self.findings.add_at(rule, path, message);
    }

    fn has_elicitation(&mut self) -> bool {
        let message = if !self.rules.has_elicitation() {
            format!("The session speaks {}, and elicitation exists since 2025-06-18; do not ask.", self.rules)
        } else if !self.report.support().elicitation {
            "The client did not advertise elicitation; do not ask.".to_owned()
        } else {
            return true;
        };
        self.add(finding::REQUEST_UNSUPPORTED, self.params, message);
        false
    }

    /// Whether the host can be asked in this mode and in this way.
    fn may_ask(&mut self, is_rpc_request: bool) {
        let params = self.params;
        let support = self.report.support();
        let mode = params.get("mode");
        let is_url = mode.is_some_and(|mode| mode.is_text("url"));
        if is_url && !support.elicitation_url {
            let message = "The client did not advertise URL mode; ask by a form, or do not ask.";
            self.add(finding::REQUEST_MODE_UNDECLARED, mode.unwrap_or(params), message);
        } else if !is_url && !support.elicitation_form {
            let message = "The client did not advertise form mode; send the user to a URL, or do not ask.";
            self.add(finding::REQUEST_MODE_UNDECLARED, mode.unwrap_or(params), message);
        }
        match self.report.delivery() {
            Delivery::None => {
                let message =
                    "There is no back channel: the server is stateless, and this revision has no other way to ask.";
                self.add(finding::REQUEST_NO_BACK_CHANNEL, params, message);
            }
            Delivery::InputRequired if is_rpc_request => {
                let message = format!(
                    "Under {} a server sends no requests; put this into the inputRequests of an input_required result.",
                    self.rules
                );
                self.add(finding::REQUEST_DELIVERY, params, message);
            }
            Delivery::Request | Delivery::InputRequired => {}
        }
    }

    fn params(&mut self) {
        let params = self.params;
        let [message, mode, schema, url, elicitation_id, task] =
            params.pick(["message", "mode", "requestedSchema", "url", "elicitationId", "task"]);
        match message {
            Some(message) if message.as_str().is_some_and(|text| !text.trim().is_empty()) => {}
            other => self.add(
                finding::REQUEST_MESSAGE,
                other.unwrap_or(params),
                "The message that tells the user what is asked is missing or empty; write one.",
            ),
        }
        let is_url = match mode {
            None => {
                if schema.is_none() && url.is_some() {
                    let message = "A request to visit a URL says so: add \"mode\":\"url\".";
                    self.add(finding::REQUEST_MODE, params, message);
                }
                schema.is_none() && url.is_some()
            }
            Some(mode) if mode.is_text("form") || mode.is_text("url") => {
                if !self.rules.has_modes() {
                    let message = format!("Under {} there are no modes; leave `mode` out.", self.rules);
                    self.add(finding::REQUEST_MODE_TOO_NEW, mode, message);
                }
                mode.is_text("url")
            }
            Some(mode) => {
                let message = format!("The mode is {}; it is form (or absent) or url.", excerpt(mode));
                self.add(finding::REQUEST_MODE, mode, message);
                return;
            }
        };
        if let Some(task) = task {
            self.task(task);
        }
        if is_url {
            self.url(url, elicitation_id);
        } else {
            self.form(schema, message);
        }
        let known: &[&str] = if is_url {
            &["mode", "message", "url", "elicitationId", "_meta", "task"]
        } else {
            &["mode", "message", "requestedSchema", "_meta", "task"]
        };
        self.unknown_keys(params, |key| known.contains(&key), "a request for elicitation");
    }

    fn unknown_keys(&mut self, object: Value<'d>, known: impl Fn(&str) -> bool, what: &str) {
        for (key, value) in object.members() {
            let name = key.as_str().unwrap_or_default();
            if !known(&name) {
                let message = format!(
                    "The specification knows no {} in {what}; hosts ignore or refuse it, so leave it out.",
                    excerpt(key)
                );
                self.add(finding::REQUEST_UNKNOWN_KEYWORD, value, message);
            }
        }
    }

    fn task(&mut self, task: Value<'d>) {
        if self.rules != Revision::V2025_11_25 {
            let message =
                format!("Tasks for elicitation exist at 2025-11-25 alone, and the session speaks {}.", self.rules);
            return self.add(finding::REQUEST_TASK, task, message);
        }
        if !self.report.declares(&["tasks", "requests", "elicitation", "create"]) {
            let message = "The client did not declare tasks.requests.elicitation.create; leave `task` out.";
            self.add(finding::REQUEST_TASK, task, message);
        }
    }

    fn url(&mut self, url: Option<Value<'d>>, elicitation_id: Option<Value<'d>>) {
        match url.map(|url| (url, url.as_str())) {
            Some((url, Some(text))) => {
                if let Some(problem) = url::problem(&text) {
                    self.add(finding::REQUEST_URL, url, format!("The URL {problem}."));
                }
            }
            other => {
                let place = other.map_or(self.params, |(url, _)| url);
                self.add(
                    finding::REQUEST_URL,
                    place,
                    "A request in URL mode has the page to open, a string, in `url`.",
                );
            }
        }
        match elicitation_id {
            Some(id) if self.rules.is_per_request() => {
                let message = format!("Under {} there is no elicitationId; leave it out.", self.rules);
                self.add(finding::REQUEST_ELICITATION_ID, id, message);
            }
            Some(id) if id.as_str().is_none_or(|text| text.is_empty()) => {
                self.add(finding::REQUEST_ELICITATION_ID, id, "The elicitationId is a string that is not empty.");
            }
            None if !self.rules.is_per_request() => {
                let message = "A request in URL mode has an elicitationId of its own, unique on this server.";
                self.add(finding::REQUEST_ELICITATION_ID, self.params, message);
            }
            _ => {}
        }
    }

    fn form(&mut self, schema: Option<Value<'d>>, message: Option<Value<'d>>) {
        let Some(schema) = schema.filter(|schema| schema.is_object()) else {
            let message = "A form has a requestedSchema: {\"type\":\"object\",\"properties\":{…}}.";
            return self.add(finding::REQUEST_SCHEMA, schema.unwrap_or(self.params), message);
        };
        let [kind, properties, required] = schema.pick(["type", "properties", "required"]);
        if kind.is_none_or(|kind| !kind.is_text("object")) {
            self.add(finding::REQUEST_SCHEMA, kind.unwrap_or(schema), "The type of a form is \"object\".");
        }
        self.unknown_keys(
            schema,
            |key| matches!(key, "type" | "properties" | "required" | "$schema"),
            "the schema of a form",
        );
        let Some(properties) = properties.filter(|properties| properties.is_object()) else {
            let message = "A form has properties, an object with a schema for each field.";
            return self.add(finding::REQUEST_SCHEMA, properties.unwrap_or(schema), message);
        };
        if properties.members().next().is_none() {
            let message = "A form without fields asks nothing: some hosts accept it by themselves, others never answer. Give it one.";
            self.add(finding::REQUEST_EMPTY_FORM, properties, message);
        }
        for (key, schema) in properties.members() {
            self.property(key, schema);
        }
        if let Some(required) = required {
            self.required(required, properties);
        }
        if let Some(text) = message.filter(|message| message.as_str().is_some_and(|text| asks_for_secret(&text))) {
            self.secret(text, "The message asks for a secret");
        }
    }

    fn required(&mut self, required: Value<'d>, properties: Value<'d>) {
        if required.kind() != Kind::Array {
            return self.add(
                finding::REQUEST_REQUIRED,
                required,
                "`required` is an array with the names of properties.",
            );
        }
        let fields: HashSet<_> = properties.members().filter_map(|(key, _)| key.as_str()).collect();
        for name in required.elements() {
            match name.as_str() {
                None => self.add(
                    finding::REQUEST_REQUIRED,
                    name,
                    "`required` has the names of properties, which are strings.",
                ),
                Some(text) if !fields.contains(&text) => {
                    let message = format!(
                        "The form requires {}, which is none of its properties; nobody can fill it in.",
                        excerpt(name)
                    );
                    self.add(finding::REQUEST_REQUIRED, name, message);
                }
                Some(_) => {}
            }
        }
    }

    fn property(&mut self, key: Value<'d>, schema: Value<'d>) {
        let property = match Property::read(schema) {
            Ok(property) => property,
            Err(Problem { place, message }) => {
                return self.add(
                    finding::REQUEST_PROPERTY,
                    place,
                    format!("The field {} cannot be asked: {message}.", excerpt(key)),
                );
            }
        };
        let row = property.kind.row();
        if self.rules < row.since {
            let message = format!(
                "The field {} is {}, which hosts know since {}; the session speaks {}, and the host may answer -32602.",
                excerpt(key),
                row.name,
                row.since,
                self.rules
            );
            self.add(finding::REQUEST_PROPERTY_TOO_NEW, schema, message);
        } else if let Some(default) = property.default.filter(|_| self.rules < row.default_since) {
            let message = format!(
                "{} has a default since {}, and the session speaks {}; the host may ignore it.",
                row.name, row.default_since, self.rules
            );
            self.add(finding::REQUEST_PROPERTY_TOO_NEW, default, message);
        }
        self.unknown_keys(schema, |keyword| property.kind.knows(keyword), row.name);
        let mut problems = Vec::new();
        property.problems(|problem| problems.push(problem));
        for Problem { place, message } in problems {
            self.add(finding::REQUEST_PROPERTY_DETAIL, place, format!("The field {}: {message}.", excerpt(key)));
        }
        self.texts(key, schema, &property);
    }

    /// What a property says to the user.
    fn texts(&mut self, key: Value<'d>, schema: Value<'d>, property: &Property<'d>) {
        let [title, description] = schema.pick(["title", "description"]);
        for text in [title, description].into_iter().flatten() {
            if text.kind() != Kind::String {
                self.add(finding::REQUEST_PROPERTY_DETAIL, text, "Titles and descriptions are strings.");
            }
        }
        // A choice and a yes or no cannot hold a secret.
        let named = key.as_str().is_some_and(|name| is_secret_name(&name));
        let titled = title.and_then(Value::as_str).is_some_and(|title| is_secret_name(&title));
        let described = description.and_then(Value::as_str).is_some_and(|text| asks_for_secret(&text));
        if property.kind.is_typed_in() && (named || titled || described) {
            self.secret(schema, &format!("The field {} asks for a secret", excerpt(key)));
        }
        let default = property.default.filter(|default| default.kind() == Kind::String);
        for text in [title, description, default].into_iter().flatten() {
            let is_uri_value = property.is_uri() && Some(text.range()) == default.map(|default| default.range());
            if !is_uri_value && text.as_str().is_some_and(|text| text.contains("http://") || text.contains("https://"))
            {
                let message =
                    "A form should hold no URL to click; send the user there in URL mode, or name the page in words.";
                self.add(finding::REQUEST_URL_IN_FORM, text, message);
            }
        }
    }

    fn secret(&mut self, place: Value<'d>, what: &str) {
        let instead = match self.report.support().elicitation_url {
            true => "send the user to a page of yours in URL mode",
            false if self.rules.has_modes() => {
                "have the user set it up outside of MCP, since this host has no URL mode"
            }
            false => "have the user set it up outside of MCP",
        };
        self.add(
            finding::REQUEST_SECRET,
            place,
            format!("{what}, and what is typed into a form passes through the host and its model; {instead}."),
        );
    }
}
