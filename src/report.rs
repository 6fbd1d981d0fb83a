//! The report on a host: its handshake, what that means, and what probes found.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::error::Error;
use crate::finding::{self, Finding, Findings, Severity};
use crate::handshake::{self, Era, Handshake, wrong_shape};
use crate::json::{Document, Kind, Limits, Value, push_string};
use crate::probe::{Outcome, one_line};
use crate::revision::{Date, Revision};
use crate::support::{Support, excerpt, read_revision, read_support};

/// A report holds a handshake, its findings and its probes.
const LIMITS: Limits = Limits { len: 2 << 20, depth: handshake::LIMITS.depth + 8 };

/// How a server may ask a host for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Not at all.
    None,
    /// By the request `elicitation/create`, while a request of the client is open (revisions up to 2025-11-25).
    Request,
    /// By an input-required result; the answer comes with the repeated request (since 2026-07-28).
    InputRequired,
}

impl Delivery {
    /// The delivery as the report spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Request => "request",
            Self::InputRequired => "input_required",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Self::None, Self::Request, Self::InputRequired].into_iter().find(|delivery| delivery.name() == name)
    }

    fn new(support: Support, rules: Revision, stateless: bool) -> Self {
        match () {
            () if !support.elicitation => Self::None,
            () if rules.is_per_request() => Self::InputRequired,
            () if stateless => Self::None,
            () => Self::Request,
        }
    }
}

/// A mode of elicitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The host draws a form.
    Form,
    /// The host sends the user to a URL.
    Url,
}

impl Mode {
    /// The key of its probe in the report.
    pub(crate) const fn probe_key(self) -> &'static str {
        match self {
            Self::Form => "elicitationForm",
            Self::Url => "elicitationUrl",
        }
    }
}

/// A declared feature that the protocol is giving up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation {
    /// `sampling`, `roots` or `logging`.
    pub feature: Cow<'static, str>,
    /// The revision that deprecated it.
    pub since_revision: Cow<'static, str>,
    /// The proposal that says why, and what comes instead.
    pub proposal: Cow<'static, str>,
}

const SAMPLING: Deprecation = Deprecation::since_2026("sampling");
const ROOTS: Deprecation = Deprecation::since_2026("roots");
const LOGGING: Deprecation = Deprecation::since_2026("logging");

impl Deprecation {
    const fn since_2026(feature: &'static str) -> Self {
        Self {
            feature: Cow::Borrowed(feature),
            since_revision: Cow::Borrowed(Revision::V2026_07_28.date()),
            proposal: Cow::Borrowed("SEP-2577"),
        }
    }
}

/// What is known of a host: what it said, verbatim; what that means; what probes found. Immutable.
///
/// ```
/// use elicit_doctor::{Delivery, Report};
///
/// let report = Report::from_handshake(br#"{"initialize": {
///     "request": {"clientInfo": {"name": "host", "version": "1"}, "capabilities": {"elicitation": {"url": {}}}},
///     "response": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "server", "version": "1"}}
/// }}"#)?;
/// assert!(report.support().elicitation_url && !report.support().elicitation_form);
/// assert_eq!(report.delivery(), Delivery::Request);
///
/// let again = Report::parse(report.json().as_bytes())?;
/// assert_eq!(again, report);
/// # Ok::<(), elicit_doctor::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    json: String,
    era: Era,
    /// Where in `json` the request and the response stand.
    request: Option<Range<usize>>,
    response: Option<Range<usize>>,
    support: Support,
    revision: Option<Date>,
    delivery: Delivery,
    deprecations: Cow<'static, [Deprecation]>,
    findings: Vec<Finding>,
}

impl Report {
    /// Makes the report of a handshake: UTF-8 JSON of at most 1 MiB that nests at most 128 deep, in one of these
    /// forms.
    ///
    /// - `{"initialize": {"request": …, "response": …}}`: the parameters and the result of `initialize`, or the
    ///   JSON-RPC messages that carry them.
    /// - `{"perRequest": {"request": {"_meta": …}, "response": …}}`: the `_meta` of a request (2026-07-28) and the
    ///   result of `server/discover`, or the messages that carry them.
    /// - Raw JSON-RPC messages: one, an array of them, or one after another (JSON lines). `initialize` counts with
    ///   the response of the same id; without it the last request that has capabilities in its `_meta`.
    ///
    /// Any half may be absent. Beside the handshake the first two forms may have `"transport": {"stateless": true}`
    /// (the server keeps no session) and `"verbatim": false` (the handshake is not what was on the wire).
    ///
    /// # Errors
    ///
    /// Where no report can be made: the text is too long, too deep, no UTF-8, no JSON or no handshake. What is odd
    /// within a handshake is a finding and no error.
    pub fn from_handshake(handshake: &[u8]) -> Result<Self, Error> {
        let document = Document::parse_sequence(handshake, handshake::LIMITS)?;
        let handshake = Handshake::find(&document)?;
        let mut findings = Findings::default();

        let seen = handshake.client_info.or(handshake.capabilities).is_some();
        let reading;
        let support;
        if seen {
            reading = read_revision(&handshake, &mut findings);
            support = read_support(&handshake, reading.rules, &mut findings);
            check_exchange(&handshake, support, reading.rules, &mut findings);
        } else {
            // What is odd about a revision does not matter where nothing was said under it.
            reading = read_revision(&handshake, &mut Findings::default());
            support = Support::default();
            check_absence(&handshake, &mut findings);
        }
        check_duplicate_keys(&document, &handshake, &mut findings);

        let mut report = Report {
            json: String::with_capacity(document.text().len() + 512),
            era: handshake.era,
            request: None,
            response: None,
            support,
            revision: reading.revision,
            delivery: Delivery::new(support, reading.rules, handshake.stateless),
            deprecations: Cow::Borrowed(deprecations(&handshake, support)),
            findings: findings.into_vec(),
        };
        report.write(&handshake);
        Ok(report)
    }

    /// Reads a report: one of this library's, of any version, or one that Elicitly's `elicit_doctor` printed.
    ///
    /// The text is kept as it is, with keys that this version does not know. Findings and support are the ones that
    /// the report states; nothing is concluded anew.
    ///
    /// # Errors
    ///
    /// Where the text is no report: at most 2 MiB of UTF-8 JSON, an object with exactly one of `initialize` and
    /// `perRequest`, and with `support`.
    pub fn parse(report: &[u8]) -> Result<Self, Error> {
        let document = Document::parse(report, LIMITS)?;
        let root = document.root();
        let object = |value: Value<'_>| {
            if value.is_object() { Ok(()) } else { Err(wrong_shape(root, value, "an object")) }
        };

        object(root)?;
        let (era, exchange) = match (root.get("initialize"), root.get("perRequest")) {
            (Some(exchange), None) => (Era::Initialize, exchange),
            (None, Some(exchange)) => (Era::PerRequest, exchange),
            _ => return Err(wrong_shape(root, root, "a report with exactly one of initialize and perRequest")),
        };
        object(exchange)?;
        let response = exchange.get_non_null("response");
        let request = match (era, exchange.get_non_null("request")) {
            (Era::PerRequest, Some(request)) => {
                object(request)?;
                request.get_non_null("_meta")
            }
            (_, request) => request,
        };
        for value in [request, response].into_iter().flatten() {
            object(value)?;
        }

        let support = parse_support(root)?;
        let mut revision = match root.get_non_null("revision") {
            Some(value) => {
                let date = value.as_str().as_deref().and_then(Date::parse);
                Some(date.ok_or_else(|| wrong_shape(root, value, "a date as YYYY-MM-DD"))?)
            }
            None => None,
        };
        let delivery = match root.get_non_null("delivery") {
            Some(value) => Delivery::from_name(&text(root, value)?)
                .ok_or_else(|| wrong_shape(root, value, "request, input_required or none"))?,
            // Elicitly's reports state neither; the server's answer tells the revision, and that the delivery.
            None => {
                let answered = response.and_then(|response| response.get("protocolVersion")?.as_str());
                revision = revision.or(answered.as_deref().and_then(Date::parse));
                let rules = revision.map_or(Revision::V2025_11_25, |date| date.rules());
                Delivery::new(support, rules, false)
            }
        };
        if let Some(probes) = root.get("probes") {
            object(probes)?;
            for (_, probe) in probes.members() {
                object(probe)?;
                if probe.get("attempted").and_then(Value::as_bool).is_none() {
                    return Err(wrong_shape(root, probe, "an object with attempted, true or false"));
                }
            }
        }

        let start = root.range().start;
        let within = |value: Value<'_>| value.range().start - start..value.range().end - start;
        Ok(Report {
            json: root.raw().to_owned(),
            era,
            request: request.map(within),
            response: response.map(within),
            support,
            revision,
            delivery,
            deprecations: Cow::Owned(parse_deprecations(root)?),
            findings: parse_findings(root)?,
        })
    }

    /// The report as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// How the client told its capabilities.
    pub fn era(&self) -> Era {
        self.era
    }

    /// What the client sent, byte for byte: the parameters of `initialize`, or the `_meta` of a request.
    pub fn request(&self) -> Option<&str> {
        self.request.clone().map(|range| &self.json[range])
    }

    /// What the server answered, byte for byte.
    pub fn response(&self) -> Option<&str> {
        self.response.clone().map(|range| &self.json[range])
    }

    /// What the host declares, by the specification's rules.
    pub fn support(&self) -> Support {
        self.support
    }

    /// The negotiated revision, where it is known and a date. It may be one that this library does not know.
    pub fn revision(&self) -> Option<&str> {
        self.revision.as_ref().map(Date::as_str)
    }

    /// By which revision's rules the host is asked.
    pub(crate) fn rules(&self) -> Revision {
        self.revision.map_or(Revision::V2025_11_25, |date| date.rules())
    }

    /// Whether the client declares a capability that is an object at this place of its capabilities.
    pub(crate) fn declares(&self, path: &[&str]) -> bool {
        let Ok(document) = Document::parse(self.request().unwrap_or("{}").as_bytes(), LIMITS) else { return false };
        let capabilities = document.root().get(self.era.capabilities_key());
        let declared =
            capabilities.and_then(|capabilities| path.iter().try_fold(capabilities, |value, key| value.get(key)));
        declared.is_some_and(|value| value.is_object())
    }

    /// How a server may ask this host.
    pub fn delivery(&self) -> Delivery {
        self.delivery
    }

    /// Declared features that the protocol is giving up.
    pub fn deprecations(&self) -> &[Deprecation] {
        &self.deprecations
    }

    /// What is odd, in the order in which it was found.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// This report with the note that no probe of a mode was made, and why: one line, cut after 300 characters. It
    /// takes the place of an earlier result for that mode.
    pub fn skip_probe(&self, mode: Mode, reason: &str) -> Self {
        let mut result = String::from(r#"{"attempted":false,"reason":"#);
        push_string(&mut result, &one_line(reason));
        result.push('}');
        self.with_probe(mode, &result)
    }

    /// This report with the outcome of a probe, which takes the place of an earlier result for the same mode.
    pub fn with_outcome(&self, outcome: &Outcome) -> Self {
        let report = self.with_probe(outcome.mode(), &outcome.to_json());
        match outcome.too_patient() {
            Some(finding) => report.with_finding(finding),
            None => report,
        }
    }

    /// This report with the note whether the page of a URL probe was opened, `None` where that cannot be seen. A report
    /// without a URL probe that was attempted stays as it is.
    pub fn with_visit(&self, visited: Option<bool>) -> Self {
        let Ok(document) = Document::parse(self.json.as_bytes(), LIMITS) else { return self.clone() };
        let probe = document.root().get("probes").and_then(|probes| probes.get(Mode::Url.probe_key()));
        let Some(probe) = probe.filter(|probe| probe.get("attempted").and_then(Value::as_bool) == Some(true)) else {
            return self.clone();
        };
        let mut result = String::from("{");
        for (key, value) in probe.members().filter(|(key, _)| key.as_str().is_none_or(|key| key != "visited")) {
            for part in [key.raw(), ":", value.raw(), ","] {
                result.push_str(part);
            }
        }
        result.push_str(match visited {
            Some(true) => r#""visited":true}"#,
            Some(false) => r#""visited":false}"#,
            None => r#""visited":null}"#,
        });
        self.with_probe(Mode::Url, &result)
    }

    /// What probes found so far, as it stands in the report.
    pub(crate) fn probes(&self) -> Option<String> {
        let document = Document::parse(self.json.as_bytes(), LIMITS).ok()?;
        document.root().get("probes").map(|probes| probes.raw().to_owned())
    }

    /// This report with what [`Self::probes`] gave of another report on the same host.
    pub(crate) fn with_probes(&self, probes: &str) -> Self {
        let Ok(document) = Document::parse(probes.as_bytes(), LIMITS) else { return self.clone() };
        [Mode::Form, Mode::Url].into_iter().fold(self.clone(), |report, mode| {
            match document.root().get(mode.probe_key()) {
                Some(result) => report.with_probe(mode, result.raw()),
                None => report,
            }
        })
    }

    fn with_probe(&self, mode: Mode, result: &str) -> Self {
        let key = mode.probe_key();
        // A report's text is what `parse` or `write` accepted, so it reads; were it not so, it would stay as it is.
        let Ok(document) = Document::parse(self.json.as_bytes(), LIMITS) else { return self.clone() };
        let root = document.root();
        let (range, text) = match root.get("probes") {
            Some(probes) => match probes.get(key) {
                Some(earlier) => (earlier.range(), result.to_owned()),
                None => {
                    let comma = if probes.members().next().is_some() { "," } else { "" };
                    let end = probes.range().end - 1;
                    (end..end, format!(r#"{comma}"{key}":{result}"#))
                }
            },
            None => {
                let end = root.range().end - 1;
                (end..end, format!(r#","probes":{{"{key}":{result}}}"#))
            }
        };
        self.spliced(range, &text)
    }

    /// This report with one more finding.
    fn with_finding(&self, finding: Finding) -> Self {
        let Ok(document) = Document::parse(self.json.as_bytes(), LIMITS) else { return self.clone() };
        let root = document.root();
        let mut text = String::new();
        write_finding(&mut text, &finding);
        let (end, text) = match root.get("findings").filter(|findings| findings.kind() == Kind::Array) {
            Some(findings) => {
                let comma = if findings.elements().next().is_some() { "," } else { "" };
                (findings.range().end - 1, format!("{comma}{text}"))
            }
            None => (root.range().end - 1, format!(r#","findings":[{text}]"#)),
        };
        let mut report = self.spliced(end..end, &text);
        report.findings.push(finding);
        report
    }

    /// This report with another text in a part of its JSON that is none of the echo.
    fn spliced(&self, range: Range<usize>, text: &str) -> Self {
        let mut json = self.json.clone();
        json.replace_range(range.clone(), text);
        // What stands behind the change moved with it.
        let moved = |part: &Option<Range<usize>>| {
            part.clone().map(|part| {
                if part.start < range.start {
                    part
                } else {
                    let shift = |at: usize| at - range.len() + text.len();
                    shift(part.start)..shift(part.end)
                }
            })
        };
        Self { request: moved(&self.request), response: moved(&self.response), json, ..self.clone() }
    }

    /// Writes the JSON of a report whose other parts are known.
    fn write(&mut self, handshake: &Handshake<'_>) {
        let json = &mut self.json;
        let echo = |json: &mut String, value: Value<'_>| {
            let start = json.len();
            json.push_str(value.raw());
            start..json.len()
        };

        json.push_str(match self.era {
            Era::Initialize => r#"{"initialize":{"#,
            Era::PerRequest => r#"{"perRequest":{"#,
        });
        if let Some(request) = handshake.request {
            match self.era {
                Era::Initialize => {
                    json.push_str(r#""request":"#);
                    self.request = Some(echo(json, request));
                }
                Era::PerRequest => {
                    json.push_str(r#""request":{"_meta":"#);
                    self.request = Some(echo(json, request));
                    json.push('}');
                }
            }
        }
        if let Some(response) = handshake.response {
            json.push_str(if self.request.is_some() { r#","response":"# } else { r#""response":"# });
            self.response = Some(echo(json, response));
        }
        json.push('}');

        let Support { elicitation, elicitation_form, elicitation_url, sampling, roots } = self.support;
        macro_rules! push_flag {
            ($flag:expr, $before:literal) => {
                json.push_str(if $flag { concat!($before, "true") } else { concat!($before, "false") })
            };
        }
        push_flag!(elicitation, r#","support":{"elicitation":"#);
        push_flag!(elicitation_form, r#","elicitationForm":"#);
        push_flag!(elicitation_url, r#","elicitationUrl":"#);
        push_flag!(sampling, r#","sampling":"#);
        push_flag!(roots, r#","roots":"#);
        json.push('}');

        if let Some(revision) = &self.revision {
            // A date needs no escapes.
            json.push_str(r#","revision":""#);
            json.push_str(revision.as_str());
            json.push('"');
        }
        json.push_str(match self.delivery {
            Delivery::None => r#","delivery":"none""#,
            Delivery::Request => r#","delivery":"request""#,
            Delivery::InputRequired => r#","delivery":"input_required""#,
        });

        let mut separator = r#","deprecations":["#;
        for Deprecation { feature, since_revision, proposal } in self.deprecations.iter() {
            // The table's own words need no escapes.
            json.push_str(separator);
            separator = ",";
            json.push_str(r#"{"feature":""#);
            json.push_str(feature);
            json.push_str(r#"","sinceRevision":""#);
            json.push_str(since_revision);
            json.push_str(r#"","proposal":""#);
            json.push_str(proposal);
            json.push_str(r#""}"#);
        }
        if !self.deprecations.is_empty() {
            json.push(']');
        }

        let mut separator = r#","findings":["#;
        for finding in &self.findings {
            json.push_str(separator);
            separator = ",";
            write_finding(json, finding);
        }
        if !self.findings.is_empty() {
            json.push(']');
        }
        json.push('}');
    }
}

impl AsRef<Report> for Report {
    fn as_ref(&self) -> &Report {
        self
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.json)
    }
}

fn write_finding(json: &mut String, finding: &Finding) {
    json.push_str(r#"{"code":""#);
    json.push_str(&finding.code);
    json.push_str(r#"","severity":""#);
    json.push_str(finding.severity.name());
    json.push_str(r#"","path":"#);
    push_string(json, &finding.path);
    json.push_str(r#","message":"#);
    push_string(json, &finding.message);
    json.push('}');
}

/// Why nothing is known of the host.
fn check_absence(handshake: &Handshake<'_>, findings: &mut Findings) {
    let root = format!("/{}", handshake.era.key());
    if handshake.stateless && handshake.era == Era::Initialize {
        findings.add(
            finding::STATELESS_WITHOUT_HANDSHAKE,
            root,
            "The server keeps no session, so this call cannot be tied to the client's initialize and nothing is known of \
             the host. Give clients of the initialize era a session: in the C# SDK, set \
             HttpServerTransportOptions.SessionMode to SessionMode.StatefulForInitializeClients.",
        );
    } else if handshake.era == Era::PerRequest {
        findings.add(
            finding::META_MISSING,
            handshake.era.request_path(),
            "The request has no _meta with the client's capabilities, which every request of this revision carries; the \
             answer is the error -32602.",
        );
    } else {
        findings.add(
            finding::HANDSHAKE_NOT_SEEN,
            root,
            "The client's handshake was not seen, so nothing is known of the host; that does not mean that it lacks \
             elicitation. Wait for the reply to initialize before calling a tool.",
        );
    }
    check_wire(handshake, findings);
}

/// What is odd about the exchange apart from revision and capabilities.
fn check_exchange(handshake: &Handshake<'_>, support: Support, rules: Revision, findings: &mut Findings) {
    let era = handshake.era;
    if handshake.client_info.is_none_or(|info| !info.is_object()) {
        findings.add(
            finding::CLIENT_INFO_MISSING,
            handshake.request_place().child(era.client_info_key()).pointer(),
            match handshake.client_info {
                None => {
                    "The client does not say who it is, so evidence about it cannot be filed under its name.".to_owned()
                }
                Some(info) => format!("The client says who it is by {} instead of an object.", excerpt(info)),
            },
        );
    }
    if handshake.stateless && !rules.is_per_request() && support.elicitation {
        findings.add(
            finding::STATELESS_SERVER,
            "/delivery",
            "The host declares elicitation, but the server keeps no session and so has no way to ask it. Give clients of \
             the initialize era a session: in the C# SDK, set HttpServerTransportOptions.SessionMode to \
             SessionMode.StatefulForInitializeClients.",
        );
    }
    if era == Era::Initialize && handshake.response.is_none() && handshake.refusal.is_none() {
        findings.add(
            finding::RESPONSE_NOT_SEEN,
            era.response_path(),
            "The server's answer to initialize was not seen; the revision is the one that the client asked for, and the \
             session may speak another.",
        );
    }
    check_wire(handshake, findings);
}

/// What the server itself did.
fn check_wire(handshake: &Handshake<'_>, findings: &mut Findings) {
    let response_path = handshake.era.response_path();
    if let Some(refusal) = handshake.refusal {
        findings.add(
            finding::INITIALIZE_REFUSED,
            response_path,
            format!("The server answered the handshake with the error {}; there is no session.", excerpt(refusal)),
        );
    }
    if handshake.server_capabilities.is_some_and(|capabilities| capabilities.get("elicitation").is_some()) {
        findings.add(
            finding::ELICITATION_IN_SERVER_CAPABILITIES,
            format!("{response_path}/capabilities/elicitation"),
            "The server declares elicitation, which is a capability of clients; leave it out, it has no effect.",
        );
    }
    if !handshake.verbatim {
        findings.add(
            finding::ECHO_NOT_VERBATIM,
            format!("/{}", handshake.era.key()),
            "The handshake was rebuilt from what the server's SDK kept of it: unknown keys, their order and odd values may \
             be lost.",
        );
    }
}

fn check_duplicate_keys(document: &Document<'_>, handshake: &Handshake<'_>, findings: &mut Findings) {
    let era = handshake.era;
    let echoes = [(handshake.request, era.request_path()), (handshake.response, era.response_path())];
    document.for_each_duplicate_key(|object, key| {
        let echo =
            echoes.iter().find_map(|(part, path)| part.filter(|part| part.contains(object)).map(|part| (part, path)));
        // Outside the echo there is only the envelope, which the report writes anew.
        let path = match echo {
            Some((part, path)) => format!("{path}{}", part.pointer_to(object)),
            None => format!("/{}", era.key()),
        };
        let key: String = key.chars().take(60).collect();
        findings.add(
            finding::DUPLICATE_KEY,
            path,
            format!(
                "The key {key:?} stands here more than once; the last one counts, another reader may take the first."
            ),
        );
    });
}

/// A table, so that the report of an ordinary host allocates nothing for it.
fn deprecations(handshake: &Handshake<'_>, support: Support) -> &'static [Deprecation] {
    static ALL: [Deprecation; 3] = [SAMPLING, ROOTS, LOGGING];
    static WITHOUT_ROOTS: [Deprecation; 2] = [SAMPLING, LOGGING];

    let logging = handshake
        .server_capabilities
        .and_then(|capabilities| capabilities.get("logging"))
        .is_some_and(|logging| logging.is_object());
    match (support.sampling, support.roots, logging) {
        (true, true, true) => &ALL,
        (true, true, false) => &ALL[..2],
        (true, false, true) => &WITHOUT_ROOTS,
        (true, false, false) => &ALL[..1],
        (false, true, true) => &ALL[1..],
        (false, true, false) => &ALL[1..2],
        (false, false, true) => &ALL[2..],
        (false, false, false) => &[],
    }
}

fn parse_support(root: Value<'_>) -> Result<Support, Error> {
    let Some(support) = root.get("support") else {
        return Err(wrong_shape(root, root, "a report with support"));
    };
    if !support.is_object() {
        return Err(wrong_shape(root, support, "an object"));
    }
    let flag = |key| match support.get(key) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| wrong_shape(root, value, "true or false")),
    };
    Ok(Support {
        elicitation: flag("elicitation")?,
        elicitation_form: flag("elicitationForm")?,
        elicitation_url: flag("elicitationUrl")?,
        sampling: flag("sampling")?,
        roots: flag("roots")?,
    })
}

fn parse_deprecations(root: Value<'_>) -> Result<Vec<Deprecation>, Error> {
    list(root, "deprecations", |entry| {
        Ok(Deprecation {
            feature: member(root, entry, "feature")?.into_owned().into(),
            since_revision: member(root, entry, "sinceRevision")?.into_owned().into(),
            proposal: member(root, entry, "proposal")?.into_owned().into(),
        })
    })
}

fn parse_findings(root: Value<'_>) -> Result<Vec<Finding>, Error> {
    list(root, "findings", |entry| {
        let severity = member(root, entry, "severity")?;
        Ok(Finding {
            code: member(root, entry, "code")?.into_owned().into(),
            severity: Severity::from_name(&severity)
                .ok_or_else(|| wrong_shape(root, entry, "a finding with the severity info, warning or error"))?,
            path: member(root, entry, "path")?.into_owned(),
            message: member(root, entry, "message")?.into_owned(),
        })
    })
}

fn list<'d, T>(root: Value<'d>, key: &str, read: impl Fn(Value<'d>) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    match root.get(key) {
        None => Ok(Vec::new()),
        Some(list) if list.kind() == Kind::Array => list.elements().map(read).collect(),
        Some(other) => Err(wrong_shape(root, other, "an array")),
    }
}

fn member<'d>(root: Value<'d>, entry: Value<'d>, key: &str) -> Result<Cow<'d, str>, Error> {
    match entry.get(key) {
        Some(value) => text(root, value),
        None => Err(Error::WrongShape {
            path: root.pointer_to(entry),
            expected: "an object with all its members",
            found: format!("none called {key}"),
        }),
    }
}

fn text<'d>(root: Value<'d>, value: Value<'d>) -> Result<Cow<'d, str>, Error> {
    value.as_str().ok_or_else(|| wrong_shape(root, value, "a string"))
}
