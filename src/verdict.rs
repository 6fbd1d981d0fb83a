//! What an answer to a probe means.

use std::fmt;
use std::time::Duration;

/// What a host answered to an elicitation request (`ElicitResult.action` of the specification).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the specification's own words")]
pub enum Action {
    Accept,
    Decline,
    Cancel,
}

impl Action {
    /// The action as the specification spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Decline => "decline",
            Self::Cancel => "cancel",
        }
    }

    /// The action of this exact spelling; the specification knows no other.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "accept" => Some(Self::Accept),
            "decline" => Some(Self::Decline),
            "cancel" => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// What the answer to a probe says about the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The user accepted: elicitation makes the round trip.
    Working,
    /// The user declined or dismissed a real prompt.
    UserDeclined,
    /// The "no" came back faster than a person could have given it: the host answered by itself.
    AdvertisedButAutocanceled,
    /// No answer arrived in time: nobody looked, or the host dropped the request.
    AdvertisedButUnanswered,
    /// The request failed, or the answer was none that the specification knows.
    Unsupported,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 5] = [
        Self::Working,
        Self::UserDeclined,
        Self::AdvertisedButAutocanceled,
        Self::AdvertisedButUnanswered,
        Self::Unsupported,
    ];

    /// The verdict as the report spells it, such as `advertised_but_autocanceled`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::UserDeclined => "user_declined",
            Self::AdvertisedButAutocanceled => "advertised_but_autocanceled",
            Self::AdvertisedButUnanswered => "advertised_but_unanswered",
            Self::Unsupported => "unsupported",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Who gave an answer, as far as the answer and its time tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnsweredBy {
    /// The answer is right and took as long as a person takes.
    Person,
    /// The answer came faster than a person can read the question: consent from it is none.
    Machine,
    /// Neither can be told.
    Unknown,
}

impl AnsweredBy {
    /// The word for it in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Machine => "machine",
            Self::Unknown => "unknown",
        }
    }
}

/// A "no" that took less than this was not given by a person. 250 ms proved too short in the field: one host
/// cancelled by itself after 1533 ms.
pub const HUMAN_DECLINE: Duration = Duration::from_millis(2000);

/// The verdict on what came back. Total: every combination has one.
///
/// A time-out goes first, because many SDKs report it as an error. `action` is `None` where the answer had none, or
/// one that the specification does not know.
///
/// ```
/// use std::time::Duration;
/// use elicit_doctor::{Action, Verdict, classify};
///
/// let verdict = classify(Some(Action::Cancel), Duration::from_millis(8), false, false);
/// assert_eq!(verdict, Verdict::AdvertisedButAutocanceled);
/// ```
pub const fn classify(action: Option<Action>, latency: Duration, timed_out: bool, errored: bool) -> Verdict {
    classify_speed(action, latency.as_millis() < HUMAN_DECLINE.as_millis(), timed_out, errored)
}

/// [`classify`] for a caller who has compared the latency with [`HUMAN_DECLINE`] in a unit of its own.
pub(crate) const fn classify_speed(action: Option<Action>, too_fast: bool, timed_out: bool, errored: bool) -> Verdict {
    if timed_out {
        return Verdict::AdvertisedButUnanswered;
    }
    match action {
        _ if errored => Verdict::Unsupported,
        None => Verdict::Unsupported,
        Some(Action::Accept) => Verdict::Working,
        Some(Action::Decline | Action::Cancel) if too_fast => Verdict::AdvertisedButAutocanceled,
        Some(Action::Decline | Action::Cancel) => Verdict::UserDeclined,
    }
}
