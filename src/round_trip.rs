//! The probe over two requests (2026-07-28): the server answers the call with an input request, and the client repeats
//! the call with the answer. Nothing is kept between the two but the sealed state that travels through the client, so
//! any instance behind a load balancer may finish what another began.

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::handshake::wrong_shape;
use crate::json::{Document, Kind, Limits, Value, push_string};
use crate::probe::{Probe, ProbeOptions, Question};
use crate::report::{Mode, Report};
use crate::state::{StateError, StateOptions, open_state, seal_state};

/// The key of the probe's input request, and of its answer.
pub const INPUT_KEY: &str = "elicit_doctor";

/// Wide enough for any message that a server lets in: an answer that is too long is a verdict, like any other bad one.
const PARAMS_LIMITS: Limits = Limits { len: 64 << 20, depth: 132 };

/// What a state begins with: the mode of the question and when it was asked, in milliseconds since the Unix epoch. The
/// rest is what earlier probes found.
const ASKED_LEN: usize = 1 + 8;

/// What a pass over a tool call comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Answer the call with this result, which asks the client: `resultType`, `inputRequests` and `requestState`.
    Ask(String),
    /// The probe is over: answer the call with this report.
    Report(Report),
}

/// Why a repeated request gives no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RoundTripError {
    /// The state is refused.
    #[error(transparent)]
    State(#[from] StateError),
    /// The parameters of the repeated request are no JSON, or have another shape.
    #[error("the parameters of the repeated request: {0}")]
    Params(#[from] Error),
    /// The repeated request has no answer to what was asked.
    #[error("the repeated request has no answer under the key {INPUT_KEY:?} in inputResponses; ask again")]
    NotAnswered,
}

/// The first pass: asks `question`, or gives the report with the note that the host must not be asked. `now` is the
/// time since the Unix epoch. The time-out of a round trip is the lifetime of its state.
///
/// What earlier probes of `report` found travels in the state, so that one question can follow another: the report of
/// the second pass has the results of all.
///
/// # Errors
///
/// [`StateError::NoKey`] and [`StateError::Arguments`].
pub fn begin_round_trip(
    report: &Report,
    question: &Question,
    state: &StateOptions<'_>,
    now: Duration,
) -> Result<Step, StateError> {
    let mode = question.mode();
    let probe = match probe(report, question, Instant::now()) {
        Ok(probe) => probe,
        Err(reason) => return Ok(Step::Report(report.skip_probe(mode, reason))),
    };
    let mut payload = vec![match mode {
        Mode::Form => 0,
        Mode::Url => 1,
    }];
    payload.extend_from_slice(&(now.as_millis() as u64).to_be_bytes());
    payload.extend_from_slice(report.probes().unwrap_or_default().as_bytes());
    let sealed = seal_state(state, &payload, now)?;
    let mut result = String::from(r#"{"resultType":"input_required","inputRequests":{"#);
    push_string(&mut result, INPUT_KEY);
    result.push_str(r#":{"method":"elicitation/create","params":"#);
    result.push_str(&probe.request());
    // The alphabet of a state needs no escapes.
    result.push_str(r#"}},"requestState":""#);
    result.push_str(&sealed);
    result.push_str(r#""}"#);
    Ok(Step::Ask(result))
}

/// The second pass: takes the parameters of the repeated request, with `inputResponses` and `requestState`, and gives
/// the report with the outcome. `question` and `state` must be those of the first pass.
///
/// # Errors
///
/// Any [`RoundTripError`]: the state was changed, has expired, or is another's; there is no answer. The caller may begin
/// again.
pub fn resume_round_trip(
    report: &Report,
    question: &Question,
    state: &StateOptions<'_>,
    params: &[u8],
    now: Duration,
) -> Result<Report, RoundTripError> {
    let document = Document::parse(params, PARAMS_LIMITS)?;
    let root = document.root();
    let Some(sealed) = root.get_non_null("requestState") else { return Err(RoundTripError::NotAnswered) };
    let sealed = sealed.as_str().ok_or_else(|| wrong_shape(root, sealed, "a string"))?;
    let payload = open_state(state, &sealed, now)?;
    let Some(([mode, asked @ ..], earlier)) = payload.split_first_chunk::<ASKED_LEN>() else {
        return Err(StateError::Malformed.into());
    };
    if (*mode == 1) != (question.mode() == Mode::Url) {
        return Err(StateError::Malformed.into());
    }
    let asked = Duration::from_millis(u64::from_be_bytes(*asked));
    let earlier = std::str::from_utf8(earlier).map_err(|_| StateError::Malformed)?;
    let answer = match root.get_non_null("inputResponses") {
        Some(responses) if responses.kind() == Kind::Object => responses.get_non_null(INPUT_KEY),
        Some(other) => return Err(wrong_shape(root, other, "an object").into()),
        None => None,
    };
    let answer: Value<'_> = answer.ok_or(RoundTripError::NotAnswered)?;

    let report = &report.with_probes(earlier);
    let begun = Instant::now();
    match probe(report, question, begun) {
        Err(reason) => Ok(report.skip_probe(question.mode(), reason)),
        Ok(mut probe) => {
            probe.reply(answer.raw().as_bytes(), begun + now.saturating_sub(asked));
            Ok(probe.outcome().map_or_else(|| report.clone(), |outcome| report.with_outcome(outcome)))
        }
    }
}

fn probe(report: &Report, question: &Question, now: Instant) -> Result<Probe, &'static str> {
    // Without a deadline: an answer counts as long as its state is good.
    Probe::new(report, &ProbeOptions { timeout: Duration::MAX, question: question.clone() }, now)
}
