//! What a host declares, read by the specification's rules.

use crate::finding::{self, Findings, Rule};
use crate::handshake::{Era, Handshake};
use crate::json::{Place, Value};
use crate::revision::{Date, Revision};

/// The client features that a host declares.
///
/// A declaration is not an implementation: only a probe tells whether the host really asks its user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Support {
    /// Some mode of elicitation can be asked.
    pub elicitation: bool,
    /// Forms can be asked. An empty `elicitation` object declares them.
    pub elicitation_form: bool,
    /// The user can be sent to a URL (since 2025-11-25).
    pub elicitation_url: bool,
    /// The host samples from its model.
    pub sampling: bool,
    /// The host lists roots.
    pub roots: bool,
}

/// By which revision's rules a handshake is read.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The negotiated revision as the text has it, where it is a date.
    pub revision: Option<Date>,
    pub rules: Revision,
}

/// Finds the negotiated revision, and what is odd about it.
pub(crate) fn read_revision(handshake: &Handshake<'_>, findings: &mut Findings) -> Reading {
    // Without a date the newest rules of the era hold.
    let fallback = match handshake.era {
        Era::Initialize => Revision::V2025_11_25,
        Era::PerRequest => Revision::NEWEST,
    };
    let (asked, answered) = (handshake.asked_version, handshake.answered_version);
    let (request, response) = (handshake.request_place(), handshake.response_place());
    let (value, place) = match handshake.era {
        Era::Initialize if answered.is_none() && asked.is_some() => (asked, request.child("protocolVersion")),
        Era::Initialize => (answered, response.child("protocolVersion")),
        Era::PerRequest => (asked, request.child(handshake.era.version_key())),
    };
    let Some(value) = value else {
        findings.add(
            finding::REVISION_MISSING,
            place.pointer(),
            format!("No protocol revision was seen; the capabilities are read by the rules of {fallback}."),
        );
        return Reading { revision: None, rules: fallback };
    };
    let Some(date) = value.as_str().as_deref().and_then(Date::parse) else {
        findings.add(
            finding::REVISION_NOT_A_DATE,
            place.pointer(),
            format!(
                "The protocol revision is {}, and revisions are dates such as {fallback}; \
                 the capabilities are read by the rules of {fallback}.",
                excerpt(value)
            ),
        );
        return Reading { revision: None, rules: fallback };
    };
    let (version, rules) = (date.as_str(), date.rules());
    if version != rules.date() {
        let (rule, what) = if version > Revision::NEWEST.date() {
            (finding::REVISION_FROM_THE_FUTURE, "newer than this library")
        } else {
            (finding::REVISION_UNKNOWN, "not a published one")
        };
        findings.add(
            rule,
            place.pointer(),
            format!("The protocol revision {version} is {what}; it is read by the rules of {rules}."),
        );
    }
    let expected = if rules.is_per_request() { Era::PerRequest } else { Era::Initialize };
    if expected != handshake.era {
        let message = match handshake.era {
            Era::Initialize => format!(
                "The client initialized a session under {version}, a revision without initialize; \
                 a server must ask it by an input-required result, never by a request."
            ),
            Era::PerRequest => format!(
                "The request carries its own capabilities under {version}, a revision in which they come with initialize."
            ),
        };
        findings.add(finding::ERA_MISMATCH, place.pointer(), message);
    }
    Reading { revision: Some(date), rules }
}

/// Reads the declared capabilities, and finds what is odd about them.
pub(crate) fn read_support(handshake: &Handshake<'_>, rules: Revision, findings: &mut Findings) -> Support {
    let request = handshake.request_place();
    let place = request.child(handshake.era.capabilities_key());
    let Some(capabilities) = handshake.capabilities else {
        findings.add(
            finding::CAPABILITIES_MISSING,
            place.pointer(),
            match handshake.era {
                Era::Initialize => "The client sent no capabilities with initialize, where they are required; do not ask it anything.",
                Era::PerRequest => "The request carries no client capabilities, which are required in its _meta; the answer is the error -32602.",
            },
        );
        return Support::default();
    };
    if !capabilities.is_object() {
        findings.add(
            finding::CAPABILITIES_NOT_AN_OBJECT,
            place.pointer(),
            format!(
                "The client's capabilities are {} instead of an object; it counts as having none.",
                excerpt(capabilities)
            ),
        );
        return Support::default();
    }
    let [elicitation, sampling, roots] = capabilities.pick(["elicitation", "sampling", "roots"]);
    let (elicitation_form, elicitation_url) = match elicitation {
        Some(value) => read_elicitation(value, place.child("elicitation"), rules, findings),
        None => (false, false),
    };
    let mut declared = |name: &str, value: Option<Value<'_>>, rule: Rule| {
        let Some(value) = value else { return false };
        if !value.is_object() {
            findings.add(
                rule,
                place.child(name).pointer(),
                format!("`{name}` is {} instead of an object; it counts as not declared.", excerpt(value)),
            );
        }
        value.is_object()
    };
    Support {
        elicitation: elicitation_form || elicitation_url,
        elicitation_form,
        elicitation_url,
        sampling: declared("sampling", sampling, finding::SAMPLING_NOT_AN_OBJECT),
        roots: declared("roots", roots, finding::ROOTS_NOT_AN_OBJECT),
    }
}

/// Whether forms and URLs can be asked.
fn read_elicitation(
    elicitation: Value<'_>,
    place: Place<'_>,
    rules: Revision,
    findings: &mut Findings,
) -> (bool, bool) {
    if !elicitation.is_object() {
        findings.add(
            finding::ELICITATION_NOT_AN_OBJECT,
            place.pointer(),
            format!(
                "`elicitation` is {} instead of an object such as {{\"form\":{{}}}}; it counts as not declared, so do \
                 not ask this host. The official SDKs refuse such a handshake with the error -32603.",
                excerpt(elicitation)
            ),
        );
        return (false, false);
    }
    if !rules.has_elicitation() {
        findings.add(
            finding::ELICITATION_TOO_EARLY,
            place.pointer(),
            format!("Elicitation is declared, but the session speaks {rules} and elicitation exists since 2025-06-18; do not ask this host."),
        );
        return (false, false);
    }
    let [form, url] = elicitation.pick(["form", "url"]);
    if !rules.has_modes() {
        if form.is_some() || url.is_some() {
            findings.add(
                finding::MODES_TOO_EARLY,
                place.pointer(),
                format!(
                    "Modes are declared, but the session speaks {rules} and modes exist since 2025-11-25; \
                     ask forms only, and leave `mode` out."
                ),
            );
        }
        return (true, false);
    }

    for (key, _) in elicitation.members() {
        if !key.is_text("form") && !key.is_text("url") {
            let name = key.as_str().unwrap_or_default();
            findings.add(
                finding::ELICITATION_UNKNOWN_KEY,
                place.child(&name).pointer(),
                format!("The specification knows no {} in `elicitation`; it is ignored.", excerpt(key)),
            );
        }
    }
    let mut declares = |name: &str, mode: Option<Value<'_>>| {
        let Some(mode) = mode else { return false };
        let place = place.child(name);
        if mode.is_null() {
            findings.add(
                finding::MODE_NULL,
                place.pointer(),
                format!("`{name}` is null, where a mode that is not supported is left out; it counts as absent."),
            );
        } else if !mode.is_object() {
            findings.add(
                finding::MODE_NOT_AN_OBJECT,
                place.pointer(),
                format!(
                    "`{name}` is {} instead of an object; the mode counts as not declared, so do not use it.",
                    excerpt(mode)
                ),
            );
        }
        mode.is_object()
    };
    let has_form = declares("form", form);
    let has_url = declares("url", url);

    let no_mode = [form, url].into_iter().flatten().all(Value::is_null);
    if no_mode && elicitation.members().next().is_none() {
        findings.add(
            finding::ELICITATION_EMPTY,
            place.pointer(),
            "`elicitation` is empty, which declares form mode only; do not send a URL.",
        );
    } else if no_mode {
        findings.add(
            finding::ELICITATION_WITHOUT_MODE,
            place.pointer(),
            "`elicitation` has members, but names no mode, which the specification leaves undefined; most SDKs read it as form mode, and so does this report.",
        );
    }
    (has_form || no_mode, has_url)
}

/// A short look at a value for a message: all of it up to 60 characters.
pub(crate) fn excerpt(value: Value<'_>) -> String {
    const LONGEST: usize = 60;

    let raw = value.raw();
    match raw.char_indices().nth(LONGEST) {
        None => raw.split_whitespace().collect::<Vec<_>>().join(" "),
        Some((end, _)) => format!("{}…", raw[..end].split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}
