//! The probe as a state machine.

mod common;

use std::time::{Duration, Instant};

use common::{initialize, per_request, report};
use elicit_doctor::{AnsweredBy, Outcome, Probe, ProbeOptions, Question, Report, Verdict, diagnoses};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

const HUMAN: u64 = 5_300;
const FAST: u64 = 8;

fn host() -> Report {
    report(initialize("2025-11-25", r#"{"elicitation":{"form":{},"url":{}}}"#))
}

fn ask(report: &Report, question: Question) -> (Probe, Instant) {
    let asked = Instant::now();
    (Probe::new(report, &ProbeOptions { question, ..ProbeOptions::default() }, asked).unwrap(), asked)
}

fn page() -> Question {
    Question::url("https://example.com/probe?id=1", "e1").unwrap()
}

/// The outcome of a probe that gets this answer after so many milliseconds, checked as part of a report.
fn answered(question: Question, answer: impl AsRef<[u8]>, after_ms: u64) -> Outcome {
    let report = host();
    let (mut probe, asked) = ask(&report, question);
    probe.reply(answer.as_ref(), asked + Duration::from_millis(after_ms));
    let outcome = probe.outcome().unwrap().clone();
    common::checked(Ok(report.with_outcome(&outcome))).unwrap();
    outcome
}

fn summary(outcome: &Outcome) -> (&'static str, &'static str, &'static str) {
    (outcome.verdict().name(), outcome.answered_by().name(), outcome.diagnosis().map_or("", |diagnosis| diagnosis.code))
}

#[test]
fn an_answer_to_the_form_gives_verdict_answerer_and_diagnosis() {
    let accept = |content: Value| json!({"action": "accept", "content": content}).to_string();
    let nested = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (answer, after_ms, expected) in [
        (accept(json!({"value": "ok"})), HUMAN, ("working", "person", "")),
        (accept(json!({"value": "ok"})), 2000, ("working", "person", "")),
        (accept(json!({"value": "ok"})), 1999, ("working", "machine", "accepted_too_fast")),
        (accept(json!({"value": "left"})), FAST, ("working", "machine", "first_option_filled_in")),
        (accept(json!({"value": "left"})), HUMAN, ("working", "unknown", "first_option_filled_in")),
        (accept(json!({"value": "right"})), HUMAN, ("working", "unknown", "wrong_option_picked")),
        (accept(json!({"value": "OK"})), HUMAN, ("unsupported", "unknown", "answer_outside_schema")),
        (accept(json!({"value": true})), FAST, ("unsupported", "machine", "answer_outside_schema")),
        (accept(json!({"value": null})), HUMAN, ("unsupported", "unknown", "accepted_without_content")),
        (accept(json!({})), FAST, ("unsupported", "machine", "accepted_without_content")),
        (accept(json!(null)), HUMAN, ("unsupported", "unknown", "accepted_without_content")),
        (accept(json!("ok")), HUMAN, ("unsupported", "unknown", "accepted_without_content")),
        (r#"{"action":"accept"}"#.to_owned(), HUMAN, ("unsupported", "unknown", "accepted_without_content")),
        (r#"{"action":"decline"}"#.to_owned(), FAST, ("advertised_but_autocanceled", "machine", "refused_too_fast")),
        (r#"{"action":"cancel","content":null}"#.to_owned(), HUMAN, ("user_declined", "person", "")),
        (r#"{"action":"decline"}"#.to_owned(), 30_050, ("user_declined", "unknown", "refused_on_a_timer")),
        (r#"{"action":"reject"}"#.to_owned(), HUMAN, ("unsupported", "unknown", "action_unknown")),
        (r#"{"action":"Accept"}"#.to_owned(), HUMAN, ("unsupported", "unknown", "action_unknown")),
        (r#"{"action":7}"#.to_owned(), HUMAN, ("unsupported", "unknown", "action_unknown")),
        (r#"{"action":null}"#.to_owned(), HUMAN, ("unsupported", "unknown", "action_missing")),
        ("{}".to_owned(), HUMAN, ("unsupported", "unknown", "action_missing")),
        ("[]".to_owned(), HUMAN, ("unsupported", "unknown", "answer_not_an_object")),
        ("nonsense".to_owned(), HUMAN, ("unsupported", "unknown", "answer_not_json")),
        (String::new(), HUMAN, ("unsupported", "unknown", "answer_not_json")),
        (nested, HUMAN, ("unsupported", "unknown", "answer_not_json")),
        (" ".repeat(10 << 20), HUMAN, ("unsupported", "unknown", "answer_not_json")),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}"#.to_owned(), HUMAN, ("user_declined", "person", "")),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":5}"#.to_owned(),
            HUMAN,
            ("unsupported", "unknown", "answer_not_an_object"),
        ),
        (r#"{"action":"cancel"}"#.to_owned(), 40_000, ("advertised_but_unanswered", "unknown", "late_answer")),
    ] {
        let outcome = answered(Question::Form, &answer, after_ms);
        assert_eq!(summary(&outcome), expected, "{:.80} after {after_ms} ms: {}", answer, outcome.to_json());
    }
}

#[test]
fn an_answer_to_the_page_gives_verdict_and_answerer() {
    for (answer, after_ms, expected) in [
        (r#"{"action":"accept"}"#, HUMAN, ("working", "person", "")),
        (r#"{"action":"accept"}"#, FAST, ("working", "machine", "accepted_too_fast")),
        (r#"{"action":"decline"}"#, 20, ("advertised_but_autocanceled", "machine", "refused_too_fast")),
    ] {
        assert_eq!(summary(&answered(page(), answer, after_ms)), expected, "{answer} after {after_ms} ms");
    }
}

#[test]
fn a_probe_that_waits_as_long_as_a_tool_call_lasts_is_a_finding() {
    let host = report(initialize("2025-11-25", r#"{"elicitation":{},"sampling":7}"#));
    for (timeout, found) in [(Duration::from_millis(59_999), false), (Duration::from_secs(60), true)] {
        let asked = Instant::now();
        let mut probe = Probe::new(&host, &ProbeOptions { timeout, question: Question::Form }, asked).unwrap();
        probe.reply(br#"{"action":"cancel"}"#, asked + Duration::from_secs(5));
        let report = common::checked(Ok(host.with_outcome(probe.outcome().unwrap()))).unwrap();
        let last = report.findings().last().unwrap();
        assert_eq!(last.code == "probe_timeout_too_long", found);
        assert_eq!(last.path == "/probes/elicitationForm", found);
    }
}

#[test]
fn the_visit_of_a_page_is_noted_where_a_page_was_asked_for() {
    let asked = host().with_outcome(&answered(page(), r#"{"action":"accept"}"#, HUMAN));
    for (visited, text) in [(Some(true), "true"), (Some(false), "false"), (None, "null")] {
        let noted = common::checked(Ok(asked.with_visit(Some(true)).with_visit(visited))).unwrap();
        assert!(noted.json().ends_with(&format!(r#""answeredBy":"person","visited":{text}}}}}}}"#)), "{noted}");
    }
    assert_eq!(host().with_visit(Some(true)), host());
}

#[test]
fn a_failure_is_told_apart_from_a_time_out() {
    for (code, message, timed_out, after_ms, expected) in [
        (-32601, "Method not found", false, 12, ("unsupported", "unknown", "declared_but_method_not_found")),
        (
            -32602,
            "Client does not support form-mode elicitation requests",
            false,
            9,
            ("unsupported", "unknown", "declared_but_refused"),
        ),
        (-32001, "Session not found", false, 35, ("unsupported", "unknown", "session_lost")),
        (-32001, "Session not found", false, 39_999, ("unsupported", "unknown", "session_lost")),
        (-32001, "Request timed out", false, 30_000, ("advertised_but_unanswered", "unknown", "")),
        (-32001, "something", false, 40_000, ("advertised_but_unanswered", "unknown", "")),
        (-32001, "something", false, 500, ("unsupported", "unknown", "")),
        (408, "Timed out while waiting for response", false, 30_000, ("advertised_but_unanswered", "unknown", "")),
        (0, "REQUEST_TIMEOUT: Request timed out", false, 30_000, ("advertised_but_unanswered", "unknown", "")),
        (0, "The operation has timed out.", true, 30_000, ("advertised_but_unanswered", "unknown", "")),
        (0, "Object reference not set\nto an instance", false, 3, ("unsupported", "unknown", "")),
        (0, "", false, 3, ("unsupported", "unknown", "")),
    ] {
        let report = host();
        let (mut probe, asked) = ask(&report, Question::Form);
        probe.fail(code, message, timed_out, asked + Duration::from_millis(after_ms));
        let outcome = probe.outcome().unwrap();
        assert_eq!(summary(outcome), expected, "{code} {message}");
        common::checked(Ok(report.with_outcome(outcome))).unwrap();
    }
}

#[test]
fn the_outcome_stands_in_the_report() {
    let outcome = answered(Question::Form, r#"{"action":"accept","content":{"value":"ok"}}"#, 1840);
    assert_eq!(
        outcome.to_json(),
        r#"{"attempted":true,"action":"accept","latencyMs":1840,"data":"ok","verdict":"working","answeredBy":"machine","diagnosis":"accepted_too_fast"}"#
    );
    let cancelled = answered(Question::Form, r#"{"action":"cancel"}"#, 8);
    let probed = host().with_outcome(&cancelled);
    assert!(probed.json().ends_with(
        r#""probes":{"elicitationForm":{"attempted":true,"action":"cancel","latencyMs":8,"data":null,"verdict":"advertised_but_autocanceled","answeredBy":"machine","diagnosis":"refused_too_fast"}}}"#
    ));
}

#[test]
fn nobody_is_asked_who_did_not_declare_it() {
    const STATELESS: &str = "the server is stateless and has no way to ask a client of the initialize era";
    let asked = Instant::now();
    let stateless = initialize("2025-11-25", r#"{"elicitation":{"form":{}}}"#);
    let stateless = format!(r#"{},"transport":{{"stateless":true}}}}"#, &stateless[..stateless.len() - 1]);
    for (handshake, question, reason) in [
        (initialize("2025-11-25", "{}"), Question::Form, "client did not advertise elicitation"),
        (
            initialize("2025-11-25", r#"{"elicitation":{"url":{}}}"#),
            Question::Form,
            "client did not advertise form mode",
        ),
        (initialize("2025-11-25", r#"{"elicitation":{}}"#), page(), "client did not advertise url mode"),
        (stateless, Question::Form, STATELESS),
        (r#"{"initialize":{},"transport":{"stateless":true}}"#.to_owned(), Question::Form, STATELESS),
        (
            r#"{"initialize":{}}"#.to_owned(),
            page(),
            "the client's handshake was not seen; wait for the reply to initialize",
        ),
    ] {
        let options = ProbeOptions { question, ..ProbeOptions::default() };
        assert_eq!(Probe::new(&report(&handshake), &options, asked).err(), Some(reason), "{handshake}");
    }
}

#[test]
fn the_question_is_one_that_the_revision_allows() {
    let params = |handshake: String, question| -> Value {
        serde_json::from_str(&ask(&report(handshake), question).0.request()).unwrap()
    };
    let both = r#"{"elicitation":{"form":{},"url":{}}}"#;

    let form = params(initialize("2025-11-25", both), Question::Form);
    assert_eq!(form["mode"], "form");
    assert_eq!(form["requestedSchema"]["required"], json!(["value"]));
    let choices = form["requestedSchema"]["properties"]["value"]["enum"].as_array().unwrap();
    assert_eq!((choices.len(), choices.iter().position(|choice| choice == "ok")), (3, Some(1)));
    assert!(form["requestedSchema"]["properties"]["value"].get("default").is_none());
    assert!(form["message"].as_str().unwrap().contains(r#""ok""#));
    assert!(params(initialize("2025-06-18", r#"{"elicitation":{}}"#), Question::Form).get("mode").is_none());

    let page_2025 = params(initialize("2025-11-25", both), page());
    assert_eq!((&page_2025["mode"], &page_2025["elicitationId"]), (&json!("url"), &json!("e1")));
    assert_eq!(page_2025["url"], "https://example.com/probe?id=1");
    assert!(params(per_request("2026-07-28", both), page()).get("elicitationId").is_none());
}

#[test]
fn a_page_is_one_that_hosts_open() {
    for good in [
        "https://example.com",
        "https://example.com:8443/p?q=1#f",
        "http://127.0.0.1:5000/p",
        "http://localhost/p",
        "http://[::1]:80/",
    ] {
        assert!(Question::url(good, "e").is_ok(), "{good}");
    }
    for bad in [
        "",
        "example.com",
        "http://example.com/",
        "http://localhost.example.com/",
        "ftp://example.com",
        "https://",
        "https://user@example.com/",
        "javascript:alert(1)",
        "https://a b/",
    ] {
        let error = Question::url(bad, "e").unwrap_err();
        assert!(error.starts_with("the URL"), "{error}");
    }
}

#[test]
fn diagnoses_have_codes_of_their_own() {
    let mut codes: Vec<_> = diagnoses().iter().map(|diagnosis| diagnosis.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), diagnoses().len());
}

#[derive(Clone, Debug)]
enum Event {
    Reply(&'static str),
    Fail(i64, &'static str, bool),
    Time,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        prop::sample::select(vec![
            r#"{"action":"accept","content":{"value":"ok"}}"#,
            r#"{"action":"accept","content":{"value":"left"}}"#,
            r#"{"action":"accept"}"#,
            r#"{"action":"decline"}"#,
            r#"{"action":"cancel"}"#,
            r#"{"action":"?"}"#,
            "",
        ])
        .prop_map(Event::Reply),
        (
            prop::sample::select(vec![-32601, -32001, 408, 0]),
            prop::sample::select(vec!["", "Request timed out", "Session not found"]),
            any::<bool>()
        )
            .prop_map(|(code, message, timed_out)| Event::Fail(code, message, timed_out)),
        Just(Event::Time),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    /// The model: the first event that can end the probe does, at its own time; time alone does from the deadline on.
    /// The clock may stand still or jump back.
    #[test]
    fn a_probe_has_one_outcome_and_nothing_changes_it(
        timeout_ms in 0..50_000u64,
        events in vec((event(), 0..120_000u64), 0..12),
    ) {
        let report = host();
        let asked = Instant::now();
        let timeout = Duration::from_millis(timeout_ms);
        let mut probe = Probe::new(&report, &ProbeOptions { timeout, question: Question::Form }, asked).unwrap();
        let mut expected: Option<Outcome> = None;
        for (event, at_ms) in events {
            let now = asked + Duration::from_millis(at_ms);
            prop_assert_eq!(probe.poll_timeout().is_some(), expected.is_none());
            match &event {
                Event::Reply(answer) => probe.reply(answer.as_bytes(), now),
                Event::Fail(code, message, timed_out) => probe.fail(*code, message, *timed_out, now),
                Event::Time => probe.handle_timeout(now),
            }
            match &expected {
                Some(outcome) => prop_assert_eq!(probe.outcome(), Some(outcome), "changed by {:?}", event),
                None => {
                    let ends = !matches!(event, Event::Time) || at_ms >= timeout_ms;
                    prop_assert_eq!(probe.outcome().is_some(), ends, "{:?} at {} of {}", event, at_ms, timeout_ms);
                    expected = probe.outcome().cloned();
                }
            }
            if let Some(outcome) = &expected {
                prop_assert!(outcome.answered_by() != AnsweredBy::Person || outcome.latency() >= Duration::from_millis(2000));
                prop_assert!(outcome.verdict() != Verdict::Working || outcome.latency() < timeout);
            }
        }
    }
}
