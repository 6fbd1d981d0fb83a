//! The live probe as a state machine: no clock, no thread, no I/O. Time is an argument, and who drives the machine
//! carries its request to the host and the host's answer back.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::finding::{self, Diagnosis, Finding};
use crate::json::{Document, Kind, Limits, Value, push_string};
use crate::report::{Delivery, Mode, Report};
use crate::revision::Revision;
use crate::support::excerpt;
use crate::verdict::{Action, AnsweredBy, HUMAN_DECLINE, Verdict, classify};

/// How long a probe waits unless the caller says otherwise. Hosts end a tool call at 60 s, and a probe that waits that
/// long never gets to report.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(40);

/// When many hosts end a tool call, and with it a probe.
const TOOL_CALL_LIMIT: Duration = Duration::from_secs(60);

/// The choices of the probe's form. The right one is neither the first nor the last, and there is no default: a host
/// that fills forms in by itself takes another one, or none.
const CHOICES: [&str; 3] = ["left", "ok", "right"];
const RIGHT: usize = 1;
const KEY: &str = "value";

/// The parameters of the form: all that a revision adds to it is `mode`.
const FORM: &str = r#""message":"elicit_doctor checks whether this app can ask you something. Please pick \"ok\" and confirm.","requestedSchema":{"type":"object","properties":{"value":{"type":"string","title":"Pick ok","description":"Only \"ok\" is right; nothing else happens.","enum":["left","ok","right"]}},"required":["value"]}"#;

const STATELESS: &str = "the server is stateless and has no way to ask a client of the initialize era";

/// The longest answer that is read, in bytes; one to the probe's own form has less than a hundred.
pub(crate) const MAX_ANSWER: usize = 1 << 20;
const ANSWER_LIMITS: Limits = Limits { len: MAX_ANSWER, depth: 128 };
/// The longest reason in a report, in characters.
const MAX_REASON: usize = 300;
/// The longest answer that a report repeats, in bytes.
const MAX_DATA: usize = 200;

/// What to ask, and how long to wait.
#[derive(Clone, Debug)]
pub struct ProbeOptions {
    /// How long to wait for the answer.
    pub timeout: Duration,
    /// What to ask.
    pub question: Question,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self { timeout: DEFAULT_TIMEOUT, question: Question::Form }
    }
}

/// What a probe asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A form with one required choice of three, of which the message says which one to pick.
    Form,
    /// To visit a page of the server.
    Url {
        /// The page: `https`, or `http` on the loopback.
        url: String,
        /// Unique for this question; revision 2025-11-25 requires it and later ones do not have it.
        elicitation_id: String,
    },
}

impl Question {
    /// The question to visit a page.
    ///
    /// # Errors
    ///
    /// Where hosts would refuse the page: it is `https`, or `http` on the loopback, without user info.
    pub fn url(url: &str, elicitation_id: &str) -> Result<Self, String> {
        if let Some(problem) = crate::url::problem(url) {
            return Err(format!("the URL {url:?} {problem}"));
        }
        Ok(Self::Url { url: url.to_owned(), elicitation_id: elicitation_id.to_owned() })
    }

    /// The mode of the question.
    pub const fn mode(&self) -> Mode {
        match self {
            Self::Form => Mode::Form,
            Self::Url { .. } => Mode::Url,
        }
    }
}

/// One question to a host, from asking it to its outcome.
///
/// ```
/// use std::time::{Duration, Instant};
/// use elicit_doctor::{Probe, ProbeOptions, Report, Verdict};
///
/// let report = Report::from_handshake(br#"{"initialize": {
///     "request": {"clientInfo": {"name": "host", "version": "1"}, "capabilities": {"elicitation": {}}},
///     "response": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
/// }}"#)?;
/// let asked = Instant::now();
/// let mut probe = Probe::new(&report, &ProbeOptions::default(), asked).expect("forms are declared");
/// // … send probe.request() as the parameters of elicitation/create …
/// probe.reply(br#"{"action": "cancel"}"#, asked + Duration::from_millis(8));
/// assert_eq!(probe.outcome().unwrap().verdict(), Verdict::AdvertisedButAutocanceled);
/// # Ok::<(), elicit_doctor::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Probe {
    question: Question,
    revision: Revision,
    asked: Instant,
    timeout: Duration,
    outcome: Option<Box<Outcome>>,
}

/// How a probe ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    mode: Mode,
    /// How long the probe would have waited; none where no call is open meanwhile.
    timeout: Option<Duration>,
    /// The word for it in the report: an action, `timeout` or `error`.
    action: &'static str,
    latency: Duration,
    /// What was delivered, as JSON.
    data: Option<String>,
    verdict: Verdict,
    answered_by: AnsweredBy,
    diagnosis: Option<Diagnosis>,
    reason: Option<String>,
}

impl Probe {
    /// A probe of the report's host, which counts as asked at `now`.
    ///
    /// # Errors
    ///
    /// Where the host must not be asked: the reason for [`Report::skip_probe`].
    pub fn new(report: &Report, options: &ProbeOptions, now: Instant) -> Result<Self, &'static str> {
        let support = report.support();
        let mode = options.question.mode();
        let declared = match mode {
            Mode::Form => support.elicitation_form,
            Mode::Url => support.elicitation_url,
        };
        // Whoever was not seen to declare something may still have done so.
        let was_found = |rule: finding::Rule| report.findings().iter().any(|finding| finding.code == rule.code);
        if was_found(finding::STATELESS_WITHOUT_HANDSHAKE) {
            return Err(STATELESS);
        }
        if was_found(finding::HANDSHAKE_NOT_SEEN) {
            return Err("the client's handshake was not seen; wait for the reply to initialize");
        }
        match (support.elicitation, declared, mode) {
            (false, ..) => return Err("client did not advertise elicitation"),
            (true, false, Mode::Form) => return Err("client did not advertise form mode"),
            (true, false, Mode::Url) => return Err("client did not advertise url mode"),
            (true, true, _) => {}
        }
        if report.delivery() == Delivery::None {
            return Err(STATELESS);
        }
        Ok(Self {
            question: options.question.clone(),
            revision: report.rules(),
            asked: now,
            timeout: options.timeout,
            outcome: None,
        })
    }

    /// The parameters of `elicitation/create`, or of an input request of the form
    /// `{"method": "elicitation/create", "params": …}`.
    pub fn request(&self) -> String {
        match &self.question {
            // `mode` is absent where the revision has none.
            Question::Form if self.revision.has_modes() => format!(r#"{{"mode":"form",{FORM}}}"#),
            Question::Form => format!("{{{FORM}}}"),
            Question::Url { url, elicitation_id } => {
                let mut json = String::from(
                    r#"{"mode":"url","message":"elicit_doctor checks whether this app can open a page for you. Please open it; you need not enter anything.","url":"#,
                );
                push_string(&mut json, url);
                if !self.revision.is_per_request() {
                    json.push_str(r#","elicitationId":"#);
                    push_string(&mut json, elicitation_id);
                }
                json.push('}');
                json
            }
        }
    }

    /// When [`Self::handle_timeout`] is due, while the probe waits.
    pub fn poll_timeout(&self) -> Option<Instant> {
        // A time-out beyond the clock's range never comes.
        if self.outcome.is_none() { self.asked.checked_add(self.timeout) } else { None }
    }

    /// How the probe ended; `None` while it waits. Once there is an outcome, nothing changes it.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_deref()
    }

    /// Time has passed. Ends the probe where its deadline has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        if self.poll_timeout().is_some_and(|deadline| now >= deadline) {
            self.end(now, |ending| ending.timed_out(None, "no answer arrived before the time-out"));
        }
    }

    /// The host answered: the result of `elicitation/create`, or the whole JSON-RPC response. Anything else ends the
    /// probe too, with a diagnosis; what comes at the deadline or after it is a time-out.
    pub fn reply(&mut self, result: &[u8], now: Instant) {
        let (url, timeout) = (self.question.mode() == Mode::Url, self.timeout);
        match Document::parse(result, ANSWER_LIMITS) {
            Ok(document) => self.end(now, |ending| match ending.latency >= timeout {
                true => ending.timed_out(Some(finding::LATE_ANSWER), "an answer arrived after the time-out"),
                false => ending.answered(document.root(), url, timeout),
            }),
            Err(error) => self.refuse(&error, now),
        }
    }

    /// The host answered with a text that cannot be read.
    pub(crate) fn refuse(&mut self, error: &Error, now: Instant) {
        self.end(now, |ending| ending.errored(Some(finding::ANSWER_NOT_JSON), &error.to_string()));
    }

    /// The host failed: the code and message of its JSON-RPC error, 0 where there is no code, or what the SDK threw.
    /// `timed_out` where the caller knows that this is its own way to say that no answer came.
    pub fn fail(&mut self, code: i64, message: &str, timed_out: bool, now: Instant) {
        let timeout = self.timeout;
        self.end(now, |ending| ending.failed(Code::Number(code), message, timed_out, timeout));
    }

    fn end(&mut self, now: Instant, outcome: impl FnOnce(Ending) -> Outcome) {
        if self.outcome.is_none() {
            let latency = now.saturating_duration_since(self.asked);
            let timeout = Some(self.timeout).filter(|timeout| *timeout < Duration::MAX);
            let ending = Ending { mode: self.question.mode(), timeout, latency };
            self.outcome = Some(Box::new(outcome(ending)));
        }
    }
}

/// An outcome in the making.
struct Ending {
    mode: Mode,
    timeout: Option<Duration>,
    latency: Duration,
}

/// The code of an error: a number by JSON-RPC, a word in some SDKs.
enum Code<'a> {
    Number(i64),
    Word(&'a str),
}

impl Ending {
    fn timed_out(self, diagnosis: Option<Diagnosis>, reason: &str) -> Outcome {
        Outcome {
            mode: self.mode,
            timeout: self.timeout,
            action: "timeout",
            latency: self.latency,
            data: None,
            verdict: classify(None, self.latency, true, false),
            answered_by: AnsweredBy::Unknown,
            diagnosis,
            reason: Some(one_line(reason)),
        }
    }

    fn errored(self, diagnosis: Option<Diagnosis>, reason: &str) -> Outcome {
        Outcome {
            mode: self.mode,
            timeout: self.timeout,
            action: "error",
            latency: self.latency,
            data: None,
            verdict: classify(None, self.latency, false, true),
            answered_by: AnsweredBy::Unknown,
            diagnosis,
            reason: Some(one_line(reason)),
        }
    }

    fn failed(self, code: Code<'_>, message: &str, timed_out: bool, timeout: Duration) -> Outcome {
        let lower = message.to_ascii_lowercase();
        let says_time_out = lower.contains("timed out") || lower.contains("timeout") || lower.contains("time-out");
        let timed_out = timed_out
            || match code {
                // The TypeScript SDK 1.x uses one code for its own timer and for a session that is gone.
                Code::Number(-32001) => !lower.contains("session") && (says_time_out || self.latency >= timeout),
                Code::Number(408) => true,
                Code::Number(_) => message.contains("REQUEST_TIMEOUT"),
                Code::Word(word) => word == "REQUEST_TIMEOUT",
            };
        if timed_out {
            return self.timed_out(None, &format!("no answer arrived before the time-out: {message}"));
        }
        let diagnosis = match code {
            Code::Number(-32601) => Some(finding::DECLARED_BUT_METHOD_NOT_FOUND),
            Code::Number(-32602) => Some(finding::DECLARED_BUT_REFUSED),
            Code::Number(-32001) if lower.contains("session") => Some(finding::SESSION_LOST),
            _ => None,
        };
        let reason = match code {
            Code::Number(0) => message.to_owned(),
            Code::Number(code) => format!("{message} (error {code})"),
            Code::Word(word) => format!("{message} (error {word})"),
        };
        self.errored(diagnosis, if reason.trim().is_empty() { "the host failed without a message" } else { &reason })
    }

    fn answered(self, answer: Value<'_>, url: bool, timeout: Duration) -> Outcome {
        if !answer.is_object() {
            let reason = format!("the answer is {} instead of an object", answer.kind().name());
            return self.errored(Some(finding::ANSWER_NOT_AN_OBJECT), &reason);
        }
        let answer = if answer.get("jsonrpc").is_some() {
            if let Some(error) = answer.get_non_null("error") {
                return self.refused(error, timeout);
            }
            match answer.get("result") {
                Some(result) if result.is_object() => result,
                _ => return self.errored(Some(finding::ANSWER_NOT_AN_OBJECT), "the response has no result object"),
            }
        } else {
            answer
        };
        let Some(word) = answer.get_non_null("action") else {
            return self.errored(Some(finding::ACTION_MISSING), "the answer has no action");
        };
        match word.as_str().as_deref().and_then(Action::from_name) {
            None => {
                let reason = format!(
                    "the answer's action is {}; the specification knows accept, decline and cancel",
                    excerpt(word)
                );
                self.errored(Some(finding::ACTION_UNKNOWN), &reason)
            }
            Some(Action::Accept) if url => self.accepted_url(),
            Some(Action::Accept) => self.accepted(answer.get("content")),
            Some(action) => self.refused_by_user(action),
        }
    }

    fn refused(self, error: Value<'_>, timeout: Duration) -> Outcome {
        let message =
            error.get("message").and_then(Value::as_str).unwrap_or(Cow::Borrowed("an error without a message"));
        match error.get("code") {
            Some(word) if word.kind() == Kind::String => {
                let word = word.as_str().unwrap_or_default();
                self.failed(Code::Word(&word), &message, false, timeout)
            }
            code => {
                let number = code.and_then(|code| code.raw().parse().ok()).unwrap_or(0);
                self.failed(Code::Number(number), &message, false, timeout)
            }
        }
    }

    fn refused_by_user(self, action: Action) -> Outcome {
        /// How close to a round number of seconds a timer of the client fires.
        const PRECISION: Duration = Duration::from_millis(100);
        const ROUND_S: u64 = 30;

        let off = Duration::from_nanos((self.latency.as_nanos() % Duration::from_secs(ROUND_S).as_nanos()) as u64);
        let on_a_timer = self.latency >= Duration::from_secs(ROUND_S) && off <= PRECISION;
        let (answered_by, diagnosis) = match () {
            () if self.latency < HUMAN_DECLINE => (AnsweredBy::Machine, Some(finding::REFUSED_TOO_FAST)),
            () if on_a_timer => (AnsweredBy::Unknown, Some(finding::REFUSED_ON_A_TIMER)),
            () => (AnsweredBy::Person, None),
        };
        self.by_action(action, None, answered_by, diagnosis)
    }

    fn accepted_url(self) -> Outcome {
        let (answered_by, diagnosis) = self.who_accepted();
        self.by_action(Action::Accept, None, answered_by, diagnosis)
    }

    fn accepted(self, content: Option<Value<'_>>) -> Outcome {
        let Some(value) = content.and_then(|content| content.get_non_null(KEY)) else {
            return self.not_delivered(finding::ACCEPTED_WITHOUT_CONTENT, "accepted without the required value", None);
        };
        let data = Some(value.raw()).filter(|raw| raw.len() <= MAX_DATA).map(str::to_owned);
        let choice = value.as_str().and_then(|text| CHOICES.iter().position(|choice| *choice == text));
        match choice {
            Some(RIGHT) => {
                let (answered_by, diagnosis) = self.who_accepted();
                self.by_action(Action::Accept, data, answered_by, diagnosis)
            }
            Some(wrong) => {
                let diagnosis = if wrong == 0 { finding::FIRST_OPTION_FILLED_IN } else { finding::WRONG_OPTION_PICKED };
                let answered_by = self.machine_if_fast();
                self.by_action(Action::Accept, data, answered_by, Some(diagnosis))
            }
            None => {
                let reason = format!("accepted with {}, which is none of the choices", excerpt(value));
                self.not_delivered(finding::ANSWER_OUTSIDE_SCHEMA, &reason, data)
            }
        }
    }

    /// Accepted, but what was asked did not make the round trip.
    fn not_delivered(self, diagnosis: Diagnosis, reason: &str, data: Option<String>) -> Outcome {
        let answered_by = self.machine_if_fast();
        Outcome { action: Action::Accept.name(), answered_by, data, ..self.errored(Some(diagnosis), reason) }
    }

    fn machine_if_fast(&self) -> AnsweredBy {
        if self.latency < HUMAN_DECLINE { AnsweredBy::Machine } else { AnsweredBy::Unknown }
    }

    fn who_accepted(&self) -> (AnsweredBy, Option<Diagnosis>) {
        if self.latency < HUMAN_DECLINE {
            (AnsweredBy::Machine, Some(finding::ACCEPTED_TOO_FAST))
        } else {
            (AnsweredBy::Person, None)
        }
    }

    fn by_action(
        self,
        action: Action,
        data: Option<String>,
        answered_by: AnsweredBy,
        diagnosis: Option<Diagnosis>,
    ) -> Outcome {
        Outcome {
            mode: self.mode,
            timeout: self.timeout,
            action: action.name(),
            latency: self.latency,
            data,
            verdict: classify(Some(action), self.latency, false, false),
            answered_by,
            diagnosis,
            reason: None,
        }
    }
}

impl Outcome {
    /// What the answer says about the host.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Who answered, as far as the answer tells.
    pub fn answered_by(&self) -> AnsweredBy {
        self.answered_by
    }

    /// What else there is to say.
    pub fn diagnosis(&self) -> Option<Diagnosis> {
        self.diagnosis
    }

    /// From the question to the answer.
    pub fn latency(&self) -> Duration {
        self.latency
    }

    /// Why there is no answer, where there is none: one line of at most 300 characters.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The finding on a probe that waits longer than many hosts let a tool call last.
    pub(crate) fn too_patient(&self) -> Option<Finding> {
        let timeout = self.timeout.filter(|timeout| *timeout >= TOOL_CALL_LIMIT)?;
        Some(finding::PROBE_TIMEOUT_TOO_LONG.finding(
            format!("/probes/{}", self.mode.probe_key()),
            format!(
                "The probe waits {} s, but many hosts end a tool call at 60 s, and then nobody gets this report; wait {} s.",
                timeout.as_secs(),
                DEFAULT_TIMEOUT.as_secs()
            ),
        ))
    }

    /// The mode that was probed.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The outcome as it stands in a report, under `probes`.
    pub fn to_json(&self) -> String {
        let mut json = format!(
            r#"{{"attempted":true,"action":"{}","latencyMs":{},"data":{},"verdict":"{}","answeredBy":"{}""#,
            self.action,
            self.latency.as_millis(),
            self.data.as_deref().unwrap_or("null"),
            self.verdict,
            self.answered_by.name(),
        );
        if let Some(diagnosis) = self.diagnosis {
            json.push_str(r#","diagnosis":""#);
            json.push_str(diagnosis.code);
            json.push('"');
        }
        if let Some(reason) = &self.reason {
            json.push_str(r#","reason":"#);
            push_string(&mut json, reason);
        }
        json.push('}');
        json
    }
}

/// A text as one line that a report can hold.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(MAX_REASON).collect()
}
