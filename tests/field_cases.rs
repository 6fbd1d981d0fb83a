//! What real hosts did: `tests/data/field-cases.json` and the handshakes that real clients sent.

mod common;

use common::{codes, data, read_json, report};
use elicit_doctor::{Era, Report};
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
