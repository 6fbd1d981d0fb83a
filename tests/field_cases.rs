//! What real hosts did: `tests/data/field-cases.json` and the handshakes that real clients sent.

mod common;

use std::time::{Duration, Instant};

use common::{codes, data, read_json, report};
use elicit_doctor::{AnsweredBy, Era, Probe, ProbeOptions, Question, Report};
use serde_json::{Value, json};

fn support(report: &Report) -> Value {
    let support = report.support();
    json!({
        "elicitation": support.elicitation,
        "elicitationForm": support.elicitation_form,
        "elicitationUrl": support.elicitation_url,
        "sampling": support.sampling,
        "roots": support.roots,
    })
}

/// Rows that are judged otherwise here, and why.
const JUDGED: &[(&str, &str)] = &[(
    "FC-30",
    "`elicitation: true` counts as not declared: both official SDKs refuse such a handshake, so no session exists in \
     which the question could be asked, and a pre-check must not let one through on a malformed declaration",
)];

#[test]
fn every_handshake_row_gives_its_support() {
    let rows = read_json(&data("field-cases.json"));
    let rows: Vec<&Value> = rows.as_array().unwrap().iter().filter(|row| row["kind"] == "handshake").collect();
    assert!(rows.len() >= 23, "{} rows", rows.len());
    for row in rows {
        let id = row["id"].as_str().unwrap();
        let report = report(row["input"].to_string());
        match JUDGED.iter().find(|(judged, _)| *judged == id) {
            None => assert_eq!(support(&report), row["expected"]["support"], "{id}: {}", report.json()),
            Some((_, why)) => {
                assert_eq!(row["certainty"], "judgement", "{id}");
                assert_ne!(support(&report), row["expected"]["support"], "{id} is as expected after all: {why}");
            }
        }
    }
}

#[test]
fn the_oddities_of_the_field_are_found() {
    let rows = read_json(&data("field-cases.json"));
    for (id, expected) in [
        ("FC-13", vec!["elicitation_modes_before_2025_11_25"]),
        ("FC-27", vec![]),
        ("FC-28", vec!["elicitation_mode_null", "elicitation_mode_null", "elicitation_without_mode"]),
        ("FC-30", vec!["elicitation_not_an_object"]),
        ("FC-32", vec!["handshake_not_seen"]),
    ] {
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        assert_eq!(codes(&report(row["input"].to_string())), expected, "{id}");
    }
}

/// Every line of `tests/data/handshakes`, and what it must conclude: `tests/data/handshakes.expected`, rewritten under
/// `BLESS=1` and read by whoever blesses it.
#[test]
fn every_line_that_a_real_client_sent_gives_its_report() {
    let mut files: Vec<_> = std::fs::read_dir(data("handshakes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut concluded = String::new();
    for client in files.iter().map(|file| read_json(file)) {
        for capture in client["captures"].as_array().unwrap() {
            let name = format!("{} {}, {}", client["client"], client["version"], capture["surface"]).replace('"', "");
            let lines: Vec<&str> =
                capture["rawLines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
            for line in &lines {
                concluded += &format!("{name}: {}\n", conclusion(&report(line), line));
            }
            if lines.len() > 1 {
                let all = lines.join("\n");
                concluded += &format!("{name}, all {} lines: {}\n", lines.len(), conclusion(&report(&all), &all));
            }
        }
    }
    let file = data("handshakes.expected");
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&file, &concluded).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    for (expected, concluded) in expected.lines().zip(concluded.lines()) {
        assert_eq!(concluded, expected);
    }
    assert_eq!(concluded.lines().count(), expected.lines().count());
}

/// One line on a report, after checking that its echo is what was sent.
fn conclusion(report: &Report, sent: &str) -> String {
    let echo = report.request().unwrap();
    assert!(sent.contains(echo), "not what was sent: {echo}");
    let era = match report.era() {
        Era::Initialize => "initialize",
        Era::PerRequest => "per request",
    };
    let declared = support(report);
    let declared: Vec<&str> = declared
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| **value == true)
        .map(|(key, _)| key.as_str())
        .collect();
    format!(
        "{era} {}, delivery {}; declares [{}]; findings [{}]",
        report.revision().unwrap(),
        report.delivery().name(),
        declared.join(" "),
        codes(report).join(" ")
    )
}

/// Probe rows that are judged otherwise, and why each `judgement` row is as it is.
const PROBES_JUDGED: &[(&str, &str)] = &[
    ("FC-42", "the row's form is empty, and accepting it with {} fills it: working, answered by a machine in 8 ms"),
    ("FC-43", "an accept without the required value did not make the round trip"),
    ("FC-54", "a fast -32001 that says that the session is gone is no time-out"),
    ("FC-55", "an answer that never came says nothing about whether the host would have shown the form"),
    ("FC-67", "an action in another case is none that the specification knows, and strict servers fail on it"),
    ("FC-72", "the verdict goes by the rule; the diagnosis says that a timer may have answered"),
    ("FC-74", "the transport is not seen here, so a lost stream reads as no answer"),
];

/// What the row's host would have answered to the probe's own form: content that fills the row's form is given as
/// content that fills the probe's.
fn translate(row: &Value) -> Value {
    let mut result = row["input"]["outcome"]["result"].clone();
    let properties = row["input"]["requestedSchema"]["properties"].as_object();
    let fills = properties.is_some_and(|properties| {
        properties.iter().all(|(key, schema)| {
            schema["enum"].as_array().is_some_and(|choices| choices.contains(&result["content"][key]))
        }) && result["content"].is_object()
    });
    if fills {
        result["content"] = json!({"value": "ok"});
    }
    result
}

#[test]
fn every_probe_row_gives_its_verdict() {
    let rows = read_json(&data("field-cases.json"));
    let rows: Vec<&Value> = rows.as_array().unwrap().iter().filter(|row| row["kind"] == "probe").collect();
    assert!(rows.len() >= 29, "{} rows", rows.len());
    for row in rows {
        let (id, input, expected) = (row["id"].as_str().unwrap(), &row["input"], &row["expected"]);
        let judged = PROBES_JUDGED.iter().any(|(judged, _)| *judged == id);
        assert_eq!(row["certainty"] == "judgement", judged, "{id}: every judgement has a word on why");

        let capabilities = match &input["capability"] {
            Value::Null => json!({}),
            capability => json!({ "elicitation": capability }),
        };
        let report = report(common::initialize("2025-11-25", &capabilities.to_string()));
        let question = match input["mode"].as_str().unwrap() {
            "form" => Question::Form,
            _ => Question::url("https://example.com/probe", "e1").unwrap(),
        };
        let asked = Instant::now();
        let mut probe = match Probe::new(&report, &ProbeOptions { question, ..ProbeOptions::default() }, asked) {
            Ok(probe) => probe,
            Err(reason) => {
                assert_eq!(expected["attempted"], false, "{id}: {reason}");
                let said = expected["reason"]
                    .as_str()
                    .unwrap()
                    .replace("url mode not advertised", "client did not advertise url mode");
                assert_eq!(reason, said, "{id}");
                continue;
            }
        };
        let latency = Duration::from_millis(input["latencyMs"].as_u64().unwrap());
        let outcome = &input["outcome"];
        match outcome["type"].as_str().unwrap() {
            "result" => {
                // A decline after 120 s needs a probe that waits that long.
                let options = ProbeOptions { timeout: Duration::from_secs(300), question: Question::Form };
                if latency > options.timeout.min(Duration::from_secs(40)) {
                    probe = Probe::new(&report, &options, asked).unwrap();
                }
                probe.reply(translate(row).to_string().as_bytes(), asked + latency);
            }
            "error" => {
                let response = json!({"jsonrpc": "2.0", "id": 1, "error": outcome["error"]});
                probe.reply_or_fail(&response, asked + latency);
            }
            "timeout" => probe.handle_timeout(asked + latency),
            other => panic!("{id}: {other}"),
        }
        let outcome = probe.outcome().unwrap_or_else(|| panic!("{id} has not ended"));
        assert_eq!(json!(outcome.verdict().name()), expected["verdict"], "{id}: {}", outcome.to_json());
        if outcome.latency() < Duration::from_secs(2) && outcome.reason().is_none() {
            assert_eq!(outcome.answered_by(), AnsweredBy::Machine, "{id}");
        }
        common::checked(Ok(report.with_outcome(outcome))).unwrap();
    }
}

trait ReplyOrFail {
    fn reply_or_fail(&mut self, response: &Value, now: Instant);
}

impl ReplyOrFail for Probe {
    /// An error reaches a server as a message of the peer, or as an exception of its SDK: both must end alike.
    fn reply_or_fail(&mut self, response: &Value, now: Instant) {
        let (code, message) = (&response["error"]["code"], response["error"]["message"].as_str().unwrap());
        let mut thrown = self.clone();
        match code.as_i64() {
            Some(code) => thrown.fail(code, message, false, now),
            None => thrown.fail(0, &format!("{}: {message}", code.as_str().unwrap()), false, now),
        }
        self.reply(response.to_string().as_bytes(), now);
        let verdict = |probe: &Probe| probe.outcome().unwrap().verdict();
        assert_eq!(verdict(&thrown), verdict(self), "{response}");
    }
}
