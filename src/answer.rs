//! The check of what came back: whether a host answered as the specification says, and with what was asked.

use crate::error::Error;
use crate::finding::{self, Finding, Findings, Rule};
use crate::handshake::wrong_shape;
use crate::json::{Document, Kind, Value};
use crate::report::Report;
use crate::request::LIMITS;
use crate::revision::Revision;
use crate::schema::Property;
use crate::support::excerpt;
use crate::verdict::Action;

/// Checks the result of `elicitation/create`, or the answer under a key of `inputResponses`, against the parameters
/// that were sent. Both may be the whole JSON-RPC message.
///
/// An empty list says: the answer is what was asked for. After a finding of
/// [`Severity::Error`](crate::Severity::Error), do not use the content. Its path is a JSON Pointer into the result. By
/// "Rules for the client's side" of the specification's revisions; formats are checked, and lengths are counted in code
/// points.
///
/// # Errors
///
/// Where there is nothing to check: a text is longer than 1 MiB, nests deeper than 128, is no UTF-8, no JSON or no
/// object.
pub fn check_answer(report: &Report, params: &[u8], result: &[u8]) -> Result<Vec<Finding>, Error> {
    let (request, answer) = (Document::parse(params, LIMITS)?, Document::parse(result, LIMITS)?);
    let params = request.root();
    let params = if params.get("method").is_some() { params.get("params").unwrap_or(params) } else { params };
    if !params.is_object() {
        return Err(wrong_shape(request.root(), params, "an object with the parameters of elicitation/create"));
    }
    let root = answer.root();
    if !root.is_object() {
        return Err(wrong_shape(root, root, "an object with action and content"));
    }
    let [jsonrpc, error, whole] = root.pick(["jsonrpc", "error", "result"]);
    let mut check = Check { rules: report.rules(), params, result: root, findings: Findings::default() };
    match (jsonrpc, error, whole) {
        (Some(_), Some(error), _) => check.error(error),
        (Some(_), None, Some(result)) if result.is_object() => {
            check.result = result;
            check.action();
        }
        (Some(_), None, result) => {
            return Err(wrong_shape(root, result.unwrap_or(root), "a response with a result object"));
        }
        (None, ..) => check.action(),
    }
    Ok(check.findings.into_vec())
}

struct Check<'d> {
    rules: Revision,
    params: Value<'d>,
    result: Value<'d>,
    findings: Findings,
}

impl<'d> Check<'d> {
    fn add(&mut self, rule: Rule, place: Value<'_>, message: impl Into<String>) {
        self.findings.add_at(rule, || self.result.pointer_to(place), message);
    }

    fn error(&mut self, error: Value<'d>) {
        let code = error.get("code").and_then(Value::as_f64).unwrap_or(0.0);
        let meaning = if code == -32601.0 {
            "a host that declared the mode has no handler for it"
        } else if code == -32602.0 {
            "the host refused the request as invalid; check it before you send it"
        } else {
            "the host did not answer the question"
        };
        self.add(finding::ANSWER_ERROR, error, format!("The answer is the error {}: {meaning}.", excerpt(error)));
    }

    fn action(&mut self) {
        let [action, content] = self.result.pick(["action", "content"]);
        let Some(action) = action else {
            return self.add(
                finding::ANSWER_ACTION,
                self.result,
                "The answer has no action; it is accept, decline or cancel.",
            );
        };
        let Some(known) = action.as_str().as_deref().and_then(Action::from_name) else {
            let message = format!("The action is {}; it is accept, decline or cancel, in lower case.", excerpt(action));
            return self.add(finding::ANSWER_ACTION, action, message);
        };
        let is_url = self.params.get("mode").is_some_and(|mode| mode.is_text("url"));
        match (known, content) {
            (Action::Accept, content) if !is_url => self.accepted(content),
            (_, Some(content)) => {
                let why = if known == Action::Accept { "an accept of a URL" } else { "a decline or a cancel" };
                let message = format!("{why} has no content; ignore it.");
                self.add(finding::ANSWER_SURPLUS, content, message);
            }
            (_, None) => {}
        }
    }

    fn accepted(&mut self, content: Option<Value<'d>>) {
        let [properties, required] =
            self.params.get("requestedSchema").map_or([None; 2], |schema| schema.pick(["properties", "required"]));
        let needs_content = required.is_some_and(|required| required.elements().next().is_some());
        let content = match content {
            Some(content) if content.is_object() => content,
            Some(content) if content.is_null() && !needs_content => {
                return self.add(
                    finding::ANSWER_SURPLUS,
                    content,
                    "The content is null, where it is left out when there is none.",
                );
            }
            None if !needs_content => return,
            other => {
                let found = other.map_or("missing", |content| content.kind().name());
                let message = format!(
                    "The host accepted, but its content is {found}, and the form has required fields; treat it as no answer."
                );
                return self.add(finding::ANSWER_CONTENT, other.unwrap_or(self.result), message);
            }
        };
        for (key, value) in content.members() {
            let Some(name) = key.as_str() else { continue };
            let Some(schema) = properties.and_then(|properties| properties.get(&name)) else {
                let message = format!("The form has no field {}; ignore it.", excerpt(key));
                self.add(finding::ANSWER_SURPLUS, value, message);
                continue;
            };
            let allowed = match value.kind() {
                Kind::String | Kind::Number | Kind::Bool => true,
                Kind::Array => {
                    self.rules >= Revision::V2025_11_25 && value.elements().all(|it| it.kind() == Kind::String)
                }
                Kind::Null | Kind::Object => false,
            };
            if !allowed {
                let message = format!(
                    "The field {} is {}, and no value of that kind can be answered.",
                    excerpt(key),
                    value.kind().name()
                );
                self.add(finding::ANSWER_VALUE, value, message);
            } else if let Err(why) = Property::read(schema).map_or(Ok(()), |property| property.check(value)) {
                self.add(
                    finding::ANSWER_VALUE,
                    value,
                    format!("The field {} does not fit its schema: {why}.", excerpt(key)),
                );
            }
        }
        for key in required.into_iter().flat_map(Value::elements) {
            let Some(name) = key.as_str() else { continue };
            // Nobody can fill in what the form has no field for.
            if content.get(&name).is_none() && properties.is_some_and(|properties| properties.get(&name).is_some()) {
                let message = format!("The required field {} is missing; treat it as no answer.", excerpt(key));
                self.add(finding::ANSWER_CONTENT, content, message);
            }
        }
    }
}
