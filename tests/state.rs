//! Sealed state, and the probe over two requests.

mod common;

use std::time::Duration;

use common::{checked, initialize, per_request, report};
use elicit_doctor::{
    INPUT_KEY, Question, RoundTripError, StateError, StateOptions, Step, begin_round_trip, open_state,
    resume_round_trip, seal_state,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const KEYS: &[[u8; 32]] = &[[1; 32], [2; 32]];
const NOW: Duration = Duration::from_secs(1_800_000_000);
const OPTIONS: StateOptions<'_> = StateOptions {
    keys: KEYS,
    principal: "alice",
    tool: "elicit_doctor",
    arguments: br#"{"probeElicitation": true, "notes": "\u00e9"}"#,
    lifetime: Duration::from_secs(300),
};

fn seal(payload: &[u8]) -> String {
    seal_state(&OPTIONS, payload, NOW).unwrap()
}

#[test]
fn a_state_comes_back_as_it_was_sealed() {
    for payload in [&b""[..], b"text", &[0, 255, 1], &[7; 10_000]] {
        let state = seal(payload);
        assert!(state.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
        assert_eq!(open_state(&OPTIONS, &state, NOW).unwrap(), payload);
    }
}

#[test]
fn each_way_to_misuse_a_state_has_its_own_error() {
    let state = seal(b"payload");
    let open = |options: StateOptions<'_>, at| open_state(&options, &state, at).unwrap_err();
    assert_eq!(open(OPTIONS, NOW + OPTIONS.lifetime), StateError::Expired(Duration::ZERO));
    assert_eq!(open(OPTIONS, NOW + OPTIONS.lifetime * 2), StateError::Expired(OPTIONS.lifetime));
    assert_eq!(open(StateOptions { principal: "mallory", ..OPTIONS }, NOW), StateError::Foreign);
    assert_eq!(open(StateOptions { tool: "elicit_form", ..OPTIONS }, NOW), StateError::Foreign);
    assert_eq!(open(StateOptions { arguments: b"{}", ..OPTIONS }, NOW), StateError::OtherArguments);
    assert_eq!(open(StateOptions { arguments: b"", ..OPTIONS }, NOW), StateError::OtherArguments);
    assert_eq!(open(StateOptions { keys: &[[9; 32]], ..OPTIONS }, NOW), StateError::Forged);
    assert_eq!(open(StateOptions { keys: &[], ..OPTIONS }, NOW), StateError::NoKey);
    assert!(matches!(open(StateOptions { arguments: b"{", ..OPTIONS }, NOW), StateError::Arguments(_)));
    for malformed in ["", "AQ", "not base64!", &"A".repeat(40)] {
        assert_eq!(open_state(&OPTIONS, malformed, NOW), Err(StateError::Malformed), "{malformed}");
    }
    // What belongs to principal and tool cannot be moved between them.
    let moved = StateOptions { principal: "aliceelicit", tool: "_doctor", ..OPTIONS };
    assert_eq!(open(moved, NOW), StateError::Foreign);
}

#[test]
fn the_spelling_of_the_arguments_does_not_matter() {
    let state = seal(b"payload");
    let other = StateOptions { arguments: "{\"notes\":\"é\",\n\"probeElicitation\":true}".as_bytes(), ..OPTIONS };
    assert!(open_state(&other, &state, NOW).is_ok());
    for different in [r#"{"notes":"é","probeElicitation":false}"#, r#"{"notes":"é","probeElicitation":true,"x":[]}"#]
    {
        let different = StateOptions { arguments: different.as_bytes(), ..OPTIONS };
        assert_eq!(open_state(&different, &state, NOW), Err(StateError::OtherArguments));
    }
}

#[test]
fn a_key_can_be_rotated() {
    let old = StateOptions { keys: &KEYS[1..], ..OPTIONS };
    let state = seal_state(&old, b"payload", NOW).unwrap();
    assert!(open_state(&OPTIONS, &state, NOW).is_ok(), "an old key still opens");
    assert_eq!(open_state(&old, &seal(b"payload"), NOW), Err(StateError::Forged), "the new key seals");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_changed_state_is_opened(payload in prop::collection::vec(any::<u8>(), 0..40), at in any::<prop::sample::Index>(), letter in "[A-Za-z0-9_-]") {
        let state = seal(&payload);
        let at = at.index(state.len());
        let mut changed = state.clone();
        changed.replace_range(at..=at, &letter);
        if changed != state {
            let error = open_state(&OPTIONS, &changed, NOW).unwrap_err();
            prop_assert!(matches!(error, StateError::Forged | StateError::Malformed), "{error:?}");
        }
        prop_assert_eq!(open_state(&OPTIONS, &state[..at], NOW), Err(StateError::Malformed), "truncated");
    }
}

fn ask() -> Value {
    let host = report(per_request("2026-07-28", r#"{"elicitation":{"form":{}}}"#));
    match begin_round_trip(&host, &Question::Form, &OPTIONS, NOW).unwrap() {
        Step::Ask(result) => serde_json::from_str(&result).unwrap(),
        Step::Report(report) => panic!("{report}"),
    }
}

fn resume(options: &StateOptions<'_>, params: &Value, after: Duration) -> Result<Value, RoundTripError> {
    let host = report(per_request("2026-07-28", r#"{"elicitation":{"form":{}}}"#));
    let report = resume_round_trip(&host, &Question::Form, options, params.to_string().as_bytes(), NOW + after)?;
    let report = checked(Ok(report)).unwrap();
    Ok(serde_json::from_str::<Value>(report.json()).unwrap()["probes"]["elicitationForm"].take())
}

fn repeated(asked: &Value, answer: Value) -> Value {
    json!({
        "name": "elicit_doctor",
        "arguments": {"notes": "é", "probeElicitation": true},
        "inputResponses": {INPUT_KEY: answer},
        "requestState": asked["requestState"],
    })
}

#[test]
fn a_probe_over_two_requests_gives_the_report() {
    let asked = ask();
    assert_eq!(asked["resultType"], "input_required");
    let request = &asked["inputRequests"][INPUT_KEY];
    assert_eq!(request["method"], "elicitation/create");
    assert_eq!(request["params"]["mode"], "form");

    let answer = json!({"action": "accept", "content": {"value": "ok"}});
    let probe = resume(&OPTIONS, &repeated(&asked, answer), Duration::from_millis(4200)).unwrap();
    assert_eq!(
        probe,
        json!({"attempted": true, "action": "accept", "latencyMs": 4200, "data": "ok", "verdict": "working", "answeredBy": "person"})
    );
    // The person may think longer than a tool call lasts: no call is open meanwhile.
    let slow = resume(&OPTIONS, &repeated(&asked, json!({"action": "cancel"})), Duration::from_secs(200)).unwrap();
    assert_eq!(slow["verdict"], "user_declined");
    let machine = resume(&OPTIONS, &repeated(&asked, json!({"action": "decline"})), Duration::from_millis(2)).unwrap();
    assert_eq!(
        (&machine["verdict"], &machine["answeredBy"]),
        (&json!("advertised_but_autocanceled"), &json!("machine"))
    );
}

#[test]
fn an_answer_of_the_wrong_shape_is_a_verdict_and_no_error() {
    let asked = ask();
    for answer in
        [json!("accept"), json!([]), json!({}), json!({"action": 1}), json!({"action": "accept", "content": "x"})]
    {
        let probe = resume(&OPTIONS, &repeated(&asked, answer.clone()), Duration::from_secs(5)).unwrap();
        assert_eq!(probe["verdict"], "unsupported", "{answer}");
    }
}

#[test]
fn a_repeated_request_without_state_or_answer_is_asked_again() {
    let asked = ask();
    let whole = repeated(&asked, json!({"action": "cancel"}));
    for key in ["requestState", "inputResponses"] {
        let mut params = whole.clone();
        params.as_object_mut().unwrap().remove(key);
        assert_eq!(resume(&OPTIONS, &params, Duration::ZERO), Err(RoundTripError::NotAnswered), "{key}");
    }
    let other_key = json!({"requestState": asked["requestState"], "inputResponses": {"other": {}}});
    assert_eq!(resume(&OPTIONS, &other_key, Duration::ZERO), Err(RoundTripError::NotAnswered));
    let expired = resume(&OPTIONS, &whole, OPTIONS.lifetime);
    assert_eq!(expired, Err(RoundTripError::State(StateError::Expired(Duration::ZERO))));
    let foreign = StateOptions { principal: "mallory", ..OPTIONS };
    assert_eq!(resume(&foreign, &whole, Duration::ZERO), Err(RoundTripError::State(StateError::Foreign)));
    let params = json!({"requestState": 5});
    assert!(
        resume(&OPTIONS, &params, Duration::ZERO).unwrap_err().to_string().contains("/requestState: expected a string")
    );
}

#[test]
fn a_round_trip_is_not_begun_where_the_host_must_not_be_asked() {
    let host = report(per_request("2026-07-28", "{}"));
    let Ok(Step::Report(report)) = begin_round_trip(&host, &Question::Form, &OPTIONS, NOW) else { panic!("asked") };
    assert!(report.json().contains(r#""reason":"client did not advertise elicitation""#));
    let other_question = begin_round_trip(
        &common::report(initialize("2025-11-25", r#"{"elicitation":{}}"#)),
        &Question::Form,
        &OPTIONS,
        NOW,
    );
    assert!(matches!(other_question, Ok(Step::Ask(_))), "the caller chooses the way");
}

#[test]
fn what_the_first_question_found_is_in_the_report_of_the_second() {
    let host = report(per_request("2026-07-28", r#"{"elicitation":{"form":{},"url":{}}}"#));
    let params = repeated(&ask(), json!({"action": "accept", "content": {"value": "ok"}})).to_string();
    let after_form =
        resume_round_trip(&host, &Question::Form, &OPTIONS, params.as_bytes(), NOW + Duration::from_secs(3)).unwrap();

    let page = Question::url("https://example.com/", "").unwrap();
    let Step::Ask(asked) = begin_round_trip(&after_form, &page, &OPTIONS, NOW).unwrap() else { panic!("not asked") };
    let asked: Value = serde_json::from_str(&asked).unwrap();
    let params = repeated(&asked, json!({"action": "decline"})).to_string();
    let after_both = resume_round_trip(&host, &page, &OPTIONS, params.as_bytes(), NOW).unwrap();

    let after_both: Value = serde_json::from_str(checked(Ok(after_both)).unwrap().json()).unwrap();
    let after_form: Value = serde_json::from_str(after_form.json()).unwrap();
    assert_eq!(after_both["probes"]["elicitationForm"], after_form["probes"]["elicitationForm"]);
    assert_eq!(after_both["probes"]["elicitationUrl"]["verdict"], "advertised_but_autocanceled");
}

#[test]
fn an_answer_of_10_mib_is_a_verdict_and_no_error() {
    let answer = json!({"action": "accept", "content": {"value": "x".repeat(10 << 20)}});
    let probe = resume(&OPTIONS, &repeated(&ask(), answer), Duration::from_secs(5)).unwrap();
    assert_eq!(probe["verdict"], "unsupported");
    assert!(probe["reason"].as_str().unwrap().contains("bytes long"), "{probe}");
}

#[test]
fn a_state_of_the_other_question_is_refused() {
    let host = report(per_request("2026-07-28", r#"{"elicitation":{"form":{},"url":{}}}"#));
    let params = repeated(&ask(), json!({"action": "accept"})).to_string();
    let page = Question::url("https://example.com/", "").unwrap();
    let error = resume_round_trip(&host, &page, &OPTIONS, params.as_bytes(), NOW).unwrap_err();
    assert_eq!(error, RoundTripError::State(StateError::Malformed));
}
