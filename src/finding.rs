//! What is odd about a host, and what it means for the server: every code in one table.

use std::borrow::Cow;
use std::fmt;

/// How much a finding matters to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know; nothing to do.
    Info,
    /// Something works otherwise than the peer may think.
    Warning,
    /// The peer breaks the specification, and a server must not rely on what it declares there.
    Error,
}

impl Severity {
    /// The severity as the report spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Info, Self::Warning, Self::Error].into_iter().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One oddity: a stable code for programs, a place, and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// One of the codes in [`rules`]; a report of a later version may have others.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// JSON Pointer (RFC 6901) into the report, or into the text that was checked: the value, or the nearest one around it whose pointer has at most
    /// 512 bytes. The value itself may be absent where absence is what was found.
    pub path: String,
    /// What it means for the server, in one or two sentences.
    pub message: String,
}

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// The code of its findings.
    pub code: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// When it is found.
    pub meaning: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
}

impl Rule {
    pub(crate) fn finding(self, path: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding { code: Cow::Borrowed(self.code), severity: self.severity, path: path.into(), message: message.into() }
    }
}

macro_rules! rules {
    ($($name:ident $code:literal $severity:ident $source:literal $meaning:literal)*) => {
        $(pub(crate) const $name: Rule =
            Rule { code: $code, severity: Severity::$severity, meaning: $meaning, source: $source };)*

        /// Every kind of finding that this version can report.
        pub const fn rules() -> &'static [Rule] {
            const ALL: &[Rule] = &[$($name),*];
            ALL
        }
    };
}

rules! {
    HANDSHAKE_NOT_SEEN "handshake_not_seen" Warning "MCP lifecycle: initialization comes first"
        "The tool was called before the client's handshake was seen, so nothing is known of the host."
    STATELESS_WITHOUT_HANDSHAKE "stateless_without_handshake" Warning "MCP transports: session management"
        "The server keeps no session, so the call cannot be tied to the client's initialize."
    STATELESS_SERVER "stateless_server" Warning "MCP transports: session management"
        "The server keeps no session, so it has no way to ask this client in the middle of a call."
    ECHO_NOT_VERBATIM "echo_not_verbatim" Info "the server's integration"
        "The handshake was rebuilt from what the server's SDK kept; unknown keys and their order may be lost."
    RESPONSE_NOT_SEEN "response_not_seen" Info "MCP lifecycle: version negotiation"
        "The server's answer to initialize was not seen; the revision is the one that the client asked for."
    INITIALIZE_REFUSED "initialize_refused" Error "MCP lifecycle: initialization"
        "The server answered initialize with an error, so there is no session."
    DUPLICATE_KEY "duplicate_key" Warning "RFC 8259, section 4"
        "A key stands more than once in an object; the last one counts here, another reader may take the first."
    FINDINGS_TRUNCATED "findings_truncated" Info "this library"
        "There are more findings than a report lists."
    META_MISSING "meta_missing" Error "MCP 2026-07-28: per-request metadata"
        "A request has no _meta object, or _meta lacks a required member."
    CAPABILITIES_MISSING "capabilities_missing" Error "MCP schema: InitializeRequest, per-request metadata"
        "The client sent no capabilities, which are required; it counts as having none."
    CAPABILITIES_NOT_AN_OBJECT "capabilities_not_an_object" Error "MCP schema: ClientCapabilities"
        "The client's capabilities are no object; it counts as having none."
    CLIENT_INFO_MISSING "client_info_missing" Warning "MCP schema: Implementation"
        "The client does not say who it is."
    REVISION_MISSING "revision_missing" Warning "MCP lifecycle: version negotiation"
        "No protocol revision was seen; capabilities are read by the rules of the newest known one."
    REVISION_NOT_A_DATE "revision_not_a_date" Error "MCP versioning: YYYY-MM-DD"
        "The protocol revision is no date; capabilities are read by the rules of the newest known one."
    REVISION_UNKNOWN "revision_unknown" Warning "MCP versioning"
        "The protocol revision is a date that was never published; the newest one before it counts."
    REVISION_FROM_THE_FUTURE "revision_from_the_future" Warning "MCP versioning"
        "The protocol revision is newer than this library; it is read by the rules of the newest known one."
    ERA_MISMATCH "era_mismatch" Warning "MCP 2026-07-28: initialize was removed"
        "The handshake is of one era and its protocol revision of the other."
    ELICITATION_NOT_AN_OBJECT "elicitation_not_an_object" Error "MCP schema: ClientCapabilities.elicitation"
        "The elicitation capability is no object; it counts as not declared."
    ELICITATION_TOO_EARLY "elicitation_before_2025_06_18" Warning "MCP 2025-06-18: elicitation was added"
        "Elicitation is declared under a revision that does not have it; it does not count."
    MODES_TOO_EARLY "elicitation_modes_before_2025_11_25" Warning "MCP 2025-11-25: modes were added"
        "Modes are declared under a revision that has none; only forms can be asked."
    ELICITATION_EMPTY "elicitation_empty" Info "MCP 2025-11-25: elicitation, capabilities"
        "An empty elicitation object declares form mode only."
    ELICITATION_WITHOUT_MODE "elicitation_without_mode" Warning "MCP 2025-11-25: at least one mode"
        "The elicitation object has members, but no mode; it is read as form mode, as most SDKs do."
    MODE_NULL "elicitation_mode_null" Warning "MCP schema: ClientCapabilities.elicitation"
        "A mode is null instead of absent; it counts as absent."
    MODE_NOT_AN_OBJECT "elicitation_mode_not_an_object" Error "MCP schema: ClientCapabilities.elicitation"
        "A mode is declared by something else than an object; it counts as not declared."
    ELICITATION_UNKNOWN_KEY "elicitation_unknown_key" Info "MCP schema: ClientCapabilities.elicitation"
        "The elicitation object has a member that the specification does not know; it is ignored."
    SAMPLING_NOT_AN_OBJECT "sampling_not_an_object" Error "MCP schema: ClientCapabilities.sampling"
        "The sampling capability is no object; it counts as not declared."
    ROOTS_NOT_AN_OBJECT "roots_not_an_object" Error "MCP schema: ClientCapabilities.roots"
        "The roots capability is no object; it counts as not declared."
    ELICITATION_IN_SERVER_CAPABILITIES "elicitation_in_server_capabilities" Warning "MCP schema: ServerCapabilities"
        "The server declares elicitation, which is a capability of clients; the declaration has no effect."
    REQUEST_UNSUPPORTED "request_unsupported" Error "MCP elicitation: capabilities"
        "The session has no elicitation: its revision is too old, or the client did not declare it."
    REQUEST_MODE_UNDECLARED "request_mode_undeclared" Error "MCP elicitation: servers must not send undeclared modes"
        "The request is in a mode that the client did not declare."
    REQUEST_NO_BACK_CHANNEL "request_no_back_channel" Error "MCP transports: session management"
        "The server keeps no session, and the revision has no other way to ask."
    REQUEST_DELIVERY "request_delivery" Error "MCP 2026-07-28: multi round trips"
        "The request would go out as a JSON-RPC request, where it belongs into an input_required result."
    REQUEST_METHOD "request_method" Error "MCP schema: ElicitRequest"
        "The method of the request is another one."
    REQUEST_MESSAGE "request_message" Error "MCP elicitation: a human-readable message is required"
        "The message is missing, empty or no string."
    REQUEST_MODE "request_mode" Error "MCP elicitation: mode"
        "The mode is none that exists, or a URL request does not state it."
    REQUEST_MODE_TOO_NEW "request_mode_too_new" Warning "MCP 2025-11-25: modes were added"
        "A mode is stated under a revision that has none."
    REQUEST_UNKNOWN_KEYWORD "request_unknown_keyword" Warning "MCP schema: ElicitRequestFormParams, PrimitiveSchemaDefinition"
        "The request or its schema has a keyword that the specification does not know there."
    REQUEST_TASK "request_task" Error "MCP 2025-11-25: tasks"
        "The request has a task, which the client did not declare for elicitation."
    REQUEST_URL "request_url" Error "MCP elicitation: URL mode, security"
        "The URL is missing, malformed, insecure, or carries a secret."
    REQUEST_ELICITATION_ID "request_elicitation_id" Error "MCP 2025-11-25: ElicitRequestURLParams"
        "The elicitationId is missing where the revision requires it, empty, or present where there is none."
    REQUEST_SCHEMA "request_schema" Error "MCP schema: ElicitRequestFormParams"
        "The schema of the form is missing, or no flat object with properties."
    REQUEST_EMPTY_FORM "request_empty_form" Error "field: hosts accept empty forms by themselves, or never answer"
        "The form has no fields."
    REQUEST_REQUIRED "request_required" Error "MCP schema: ElicitRequestFormParams"
        "`required` is no array of strings, or names a field that the form does not have."
    REQUEST_PROPERTY "request_property" Error "MCP schema: PrimitiveSchemaDefinition"
        "A field is of a kind that elicitation cannot ask."
    REQUEST_PROPERTY_TOO_NEW "request_property_too_new" Warning "MCP schema: PrimitiveSchemaDefinition, per revision"
        "A field, or its default, is of a kind that the revision does not have yet."
    REQUEST_PROPERTY_DETAIL "request_property_detail" Error "MCP schema: PrimitiveSchemaDefinition"
        "The bounds, choices, format or default of a field contradict themselves or the specification."
    REQUEST_SECRET "request_secret" Error "MCP elicitation: forms must not request sensitive information"
        "The form asks for a password, a key, a token, a one-time code or payment data."
    REQUEST_URL_IN_FORM "request_url_in_form" Warning "MCP elicitation: form fields should not hold clickable URLs"
        "A text of the form holds a URL."
    ANSWER_ERROR "answer_error" Error "JSON-RPC: error object"
        "The host answered with an error."
    ANSWER_ACTION "answer_action" Error "MCP schema: ElicitResult.action"
        "The action is missing, unknown or in another case."
    ANSWER_CONTENT "answer_content" Error "MCP elicitation: response actions"
        "The form was accepted without its required content."
    ANSWER_VALUE "answer_value" Error "MCP schema: ElicitResult.content"
        "A value is of a kind that cannot be answered, or does not fit the schema of its field."
    ANSWER_SURPLUS "answer_surplus" Warning "MCP elicitation: response actions"
        "There is content that was not asked for."
    PROBE_TIMEOUT_TOO_LONG "probe_timeout_too_long" Warning "the SDKs' own limit for a tool call: 60 s"
        "A probe waits 60 s or longer, and many hosts end a tool call at 60 s."
}

/// What there is to say of a probe beside its verdict: a stable code for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The code in the report.
    pub code: &'static str,
    /// What happened, and what it means for the server.
    pub meaning: &'static str,
}

macro_rules! diagnoses {
    ($($name:ident $code:literal $meaning:literal)*) => {
        $(pub(crate) const $name: Diagnosis = Diagnosis { code: $code, meaning: $meaning };)*

        /// Every diagnosis that this version can make.
        pub const fn diagnoses() -> &'static [Diagnosis] {
            const ALL: &[Diagnosis] = &[$($name),*];
            ALL
        }
    };
}

diagnoses! {
    ACCEPTED_TOO_FAST "accepted_too_fast"
        "The right answer came in under 2000 ms: the host, a hook or a script gave it. Consent from such a host is none."
    ACCEPTED_WITHOUT_CONTENT "accepted_without_content"
        "The host said accept, but not what was asked: the form did not make the round trip."
    FIRST_OPTION_FILLED_IN "first_option_filled_in"
        "The first choice came back although the message names another: the host probably filled the form in by itself."
    WRONG_OPTION_PICKED "wrong_option_picked"
        "A choice came back that the message does not name: somebody did not read it, or nobody did."
    ANSWER_OUTSIDE_SCHEMA "answer_outside_schema"
        "The accepted content does not fit the schema of the form: check what comes from this host."
    REFUSED_TOO_FAST "refused_too_fast"
        "The no came in under 2000 ms: the host is set up to answer by itself, or has no way to show a question."
    REFUSED_ON_A_TIMER "refused_on_a_timer"
        "The no came after a whole number of half minutes: possibly a timer of the client, and not a person."
    LATE_ANSWER "late_answer"
        "The answer came after the time-out."
    ANSWER_NOT_JSON "answer_not_json"
        "The answer cannot be read: it is no JSON, or longer or deeper than any answer to the question."
    ANSWER_NOT_AN_OBJECT "answer_not_an_object"
        "The answer is no object."
    ACTION_MISSING "action_missing"
        "The answer does not say accept, decline or cancel."
    ACTION_UNKNOWN "action_unknown"
        "The answer's action is none that the specification knows; it is spelt in lower case."
    DECLARED_BUT_METHOD_NOT_FOUND "declared_but_method_not_found"
        "The host declares elicitation and has no handler for it: treat it as one without."
    DECLARED_BUT_REFUSED "declared_but_refused"
        "The host declares this mode and refuses it as invalid: treat it as one without."
    SESSION_LOST "session_lost"
        "The session was gone when the question was sent: the transport failed, which says nothing about the host."
}

/// The longest path of a finding, in bytes.
const MAX_PATH: usize = 512;
/// How many findings a report lists, apart from the one that says that there are more.
const MAX_FINDINGS: usize = 100;

/// Collects the findings of one report.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    left_out: usize,
}

impl Findings {
    /// [`Self::add`] for a path that takes a while to find: it is not looked for once the list is full. Otherwise a text
    /// of very many mistakes, which may come from the peer, would take quadratic time.
    pub fn add_at(&mut self, rule: Rule, path: impl FnOnce() -> String, message: impl Into<String>) {
        let path = if self.list.len() == MAX_FINDINGS { String::new() } else { path() };
        self.add(rule, path, message);
    }

    pub fn add(&mut self, rule: Rule, path: impl Into<String>, message: impl Into<String>) {
        if self.list.len() == MAX_FINDINGS {
            self.left_out += 1;
            return;
        }
        let mut path = path.into();
        while path.len() > MAX_PATH {
            let parent = path.rfind('/').unwrap_or(0);
            path.truncate(parent);
        }
        self.list.push(rule.finding(path, message));
    }

    pub fn into_vec(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            self.list.push(FINDINGS_TRUNCATED.finding("", format!("{} more findings are not listed.", self.left_out)));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_once_in_the_table() {
        let mut codes: Vec<_> = rules().iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
        assert!(codes.iter().all(|code| code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))));
    }

    #[test]
    fn a_full_list_looks_for_no_more_paths() {
        let (mut findings, mut looked_for) = (Findings::default(), 0);
        for _ in 0..MAX_FINDINGS + 7 {
            let path = || {
                looked_for += 1;
                "/a".to_owned()
            };
            findings.add_at(DUPLICATE_KEY, path, "twice");
        }
        assert_eq!(looked_for, MAX_FINDINGS);
        assert!(findings.into_vec().last().unwrap().message.starts_with("7 more"));
    }

    #[test]
    fn more_findings_than_a_report_lists_are_counted() {
        let mut findings = Findings::default();
        for _ in 0..MAX_FINDINGS + 7 {
            findings.add(DUPLICATE_KEY, "/a", "twice");
        }
        let list = findings.into_vec();
        assert_eq!(list.len(), MAX_FINDINGS + 1);
        assert_eq!(list[MAX_FINDINGS].message, "7 more findings are not listed.");
    }

    #[test]
    fn a_path_that_is_too_long_names_the_nearest_value_around_it() {
        let mut findings = Findings::default();
        findings.add(DUPLICATE_KEY, format!("/initialize/{}", "k".repeat(MAX_PATH)), "twice");
        assert_eq!(findings.into_vec()[0].path, "/initialize");
    }
}
