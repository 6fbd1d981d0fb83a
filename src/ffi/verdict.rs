//! `elicit_classify` and `elicit_verdict_name`.

use super::string::ElicitStr;
use crate::verdict::{Action, HUMAN_DECLINE, Verdict, classify_speed};

/// What a host answered to an elicitation request.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitAction {
    /// The user gave what was asked.
    Accept = 1,
    /// The user said no.
    Decline = 2,
    /// The user dismissed the question.
    Cancel = 3,
}

/// What the answer to a probe says about the host.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElicitVerdict {
    /// The user accepted: elicitation makes the round trip.
    Working = 1,
    /// The user declined or dismissed a real prompt.
    UserDeclined = 2,
    /// The "no" came back faster than a person could have given it.
    AdvertisedButAutocanceled = 3,
    /// No answer arrived in time.
    AdvertisedButUnanswered = 4,
    /// The request failed, or the answer was none that the specification knows.
    Unsupported = 5,
}

impl From<Verdict> for ElicitVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Working => Self::Working,
            Verdict::UserDeclined => Self::UserDeclined,
            Verdict::AdvertisedButAutocanceled => Self::AdvertisedButAutocanceled,
            Verdict::AdvertisedButUnanswered => Self::AdvertisedButUnanswered,
            Verdict::Unsupported => Self::Unsupported,
        }
    }
}

/// The verdict on what came back from a probe. Pure: it cannot fail, does not allocate and needs no error.
///
/// `action` is an `ElicitAction`; any other number means that the answer had none, or one that the specification does
/// not know. `latency_ms` is the time from the request to the answer, in milliseconds. `timed_out` and `errored` are 0
/// for false. In this order: timed out is `ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED`; errored or no known action is
/// `_UNSUPPORTED`; accept is `_WORKING`; decline or cancel is `_ADVERTISED_BUT_AUTOCANCELED` below 2000 ms and
/// `_USER_DECLINED` from there on.
#[unsafe(no_mangle)]
pub extern "C" fn elicit_classify(action: i32, latency_ms: u64, timed_out: u8, errored: u8) -> ElicitVerdict {
    // A Duration would cost a division here and a multiplication in `classify`, more than the call itself.
    const HUMAN_DECLINE_MS: u64 = HUMAN_DECLINE.as_millis() as u64;
    const ACCEPT: i32 = ElicitAction::Accept as i32;
    const DECLINE: i32 = ElicitAction::Decline as i32;
    const CANCEL: i32 = ElicitAction::Cancel as i32;

    let action = match action {
        ACCEPT => Some(Action::Accept),
        DECLINE => Some(Action::Decline),
        CANCEL => Some(Action::Cancel),
        _ => None,
    };
    classify_speed(action, latency_ms < HUMAN_DECLINE_MS, timed_out != 0, errored != 0).into()
}

/// The verdict as the report spells it, such as "advertised_but_autocanceled". Empty for a number that is no
/// `ElicitVerdict`. The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn elicit_verdict_name(verdict: i32) -> ElicitStr {
    Verdict::ALL
        .into_iter()
        .find(|known| ElicitVerdict::from(*known) as i32 == verdict)
        .map_or(ElicitStr::EMPTY, |known| ElicitStr::new(known.name()))
}
