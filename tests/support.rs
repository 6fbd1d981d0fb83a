//! What a host declares, by the specification's rules, in the ordinary and in the odd cases.

mod common;

use common::{codes, initialize, per_request, report};
use elicit_doctor::{Delivery, Era, Severity};

/// `(form, url)` and the findings of an `elicitation` value.
type Case = (&'static str, (bool, bool), &'static [&'static str]);

const WITH_MODES: &[Case] = &[
    (r#"{}"#, (true, false), &["elicitation_empty"]),
    (r#"{"form":{}}"#, (true, false), &[]),
    (r#"{"url":{}}"#, (false, true), &[]),
    (r#"{"form":{},"url":{}}"#, (true, true), &[]),
    (r#"{"form":{"applyDefaults":true}}"#, (true, false), &[]),
    (r#"{"form":null}"#, (true, false), &["elicitation_mode_null", "elicitation_without_mode"]),
    (
        r#"{"form":null,"url":null}"#,
        (true, false),
        &["elicitation_mode_null", "elicitation_mode_null", "elicitation_without_mode"],
    ),
    (r#"{"form":null,"url":{}}"#, (false, true), &["elicitation_mode_null"]),
    (r#"{"form":true}"#, (false, false), &["elicitation_mode_not_an_object"]),
    (r#"{"form":{},"url":"yes"}"#, (true, false), &["elicitation_mode_not_an_object"]),
    (r#"{"applyDefaults":true}"#, (true, false), &["elicitation_unknown_key", "elicitation_without_mode"]),
    (r#"{"url":{},"extra/key~":1}"#, (false, true), &["elicitation_unknown_key"]),
    (r#"{"\u0066orm":{}}"#, (true, false), &[]),
    (r#"{"form":1,"form":{}}"#, (true, false), &["duplicate_key"]),
    ("true", (false, false), &["elicitation_not_an_object"]),
    ("null", (false, false), &["elicitation_not_an_object"]),
    ("[]", (false, false), &["elicitation_not_an_object"]),
    (r#""form""#, (false, false), &["elicitation_not_an_object"]),
    ("1e3", (false, false), &["elicitation_not_an_object"]),
];

const WITHOUT_MODES: &[Case] = &[
    ("{}", (true, false), &[]),
    (r#"{"form":{},"url":{}}"#, (true, false), &["elicitation_modes_before_2025_11_25"]),
    (r#"{"url":{}}"#, (true, false), &["elicitation_modes_before_2025_11_25"]),
    (r#"{"applyDefaults":true}"#, (true, false), &[]),
    ("true", (false, false), &["elicitation_not_an_object"]),
];

const BEFORE_ELICITATION: &[Case] = &[
    ("{}", (false, false), &["elicitation_before_2025_06_18"]),
    (r#"{"form":{}}"#, (false, false), &["elicitation_before_2025_06_18"]),
    ("[]", (false, false), &["elicitation_not_an_object"]),
];

fn check(revision: &str, cases: &[Case], handshake: fn(&str, &str) -> String) {
    for (elicitation, (form, url), expected) in cases {
        let report = report(handshake(revision, &format!(r#"{{"elicitation":{elicitation}}}"#)));
        let support = report.support();
        let row = format!("{elicitation} under {revision}: {:?}", report.findings());
        assert_eq!((support.elicitation_form, support.elicitation_url), (*form, *url), "{row}");
        assert_eq!(support.elicitation, *form || *url, "{row}");
        assert_eq!(codes(&report), *expected, "{row}");
        for finding in report.findings() {
            assert!(finding.path.starts_with(&format!("{}/", report_path(&report))), "{row}");
        }
    }
}

fn report_path(report: &elicit_doctor::Report) -> &'static str {
    match report.era() {
        Era::Initialize => "/initialize/request/capabilities",
        Era::PerRequest => "/perRequest/request/_meta/io.modelcontextprotocol~1clientCapabilities",
    }
}

#[test]
fn elicitation_is_read_by_the_rules_of_the_revision() {
    check("2025-11-25", WITH_MODES, initialize);
    check("2026-07-28", WITH_MODES, per_request);
    check("2025-06-18", WITHOUT_MODES, initialize);
    check("2025-03-26", BEFORE_ELICITATION, initialize);
    check("2024-11-05", BEFORE_ELICITATION, initialize);
}

#[test]
fn the_delivery_follows_the_revision_and_the_server() {
    let form = r#"{"elicitation":{"form":{}}}"#;
    let stateless =
        |handshake: String| format!(r#"{},"transport":{{"stateless":true}}}}"#, &handshake[..handshake.len() - 1]);
    for (handshake, delivery, found) in [
        (initialize("2025-06-18", r#"{"elicitation":{}}"#), Delivery::Request, vec![]),
        (initialize("2025-11-25", form), Delivery::Request, vec![]),
        (initialize("2025-11-25", "{}"), Delivery::None, vec![]),
        (stateless(initialize("2025-11-25", form)), Delivery::None, vec!["stateless_server"]),
        (stateless(initialize("2025-11-25", "{}")), Delivery::None, vec![]),
        (per_request("2026-07-28", form), Delivery::InputRequired, vec![]),
        (stateless(per_request("2026-07-28", form)), Delivery::InputRequired, vec![]),
        (per_request("2026-07-28", "{}"), Delivery::None, vec![]),
    ] {
        let report = report(&handshake);
        assert_eq!((report.delivery(), codes(&report)), (delivery, found), "{handshake}");
    }
}

#[test]
fn odd_revisions_are_kept_and_read_by_the_nearest_rules() {
    let both = r#"{"elicitation":{"form":{},"url":{}}}"#;
    for (handshake, revision, url, found) in [
        (per_request("2027-01-15", both), Some("2027-01-15"), true, vec!["revision_from_the_future"]),
        (initialize("2027-01-15", both), Some("2027-01-15"), true, vec!["revision_from_the_future", "era_mismatch"]),
        (initialize("2026-07-28", both), Some("2026-07-28"), true, vec!["era_mismatch"]),
        (per_request("2025-11-25", both), Some("2025-11-25"), true, vec!["era_mismatch"]),
        (
            initialize("2025-09-01", both),
            Some("2025-09-01"),
            false,
            vec!["revision_unknown", "elicitation_modes_before_2025_11_25"],
        ),
        (initialize("DRAFT-2026-v1", both), None, true, vec!["revision_not_a_date"]),
        (
            initialize("2025-11-25", both).replace(r#""protocolVersion":"2025-11-25","#, ""),
            None,
            true,
            vec!["revision_missing"],
        ),
        (
            initialize("2025-11-25", both).replace(r#""2025-11-25""#, "20251125"),
            None,
            true,
            vec!["revision_not_a_date"],
        ),
    ] {
        let report = report(&handshake);
        assert_eq!(report.revision(), revision, "{handshake}");
        assert_eq!((report.support().elicitation_url, codes(&report)), (url, found), "{handshake}");
    }
}

#[test]
fn the_revision_is_the_one_that_the_server_answered() {
    let handshake = initialize("2025-11-25", "{}").replacen("2025-11-25", "2026-01-01", 1);
    assert_eq!(report(&handshake).revision(), Some("2025-11-25"));
}

#[test]
fn missing_and_malformed_parts_are_findings() {
    let whole = initialize("2025-11-25", r#"{"elicitation":{"form":{}}}"#);
    for (handshake, expected) in [
        (whole.replace(r#""clientInfo":{"name":"host","version":"1"},"#, ""), vec!["client_info_missing"]),
        (whole.replace(r#"{"name":"host","version":"1"}"#, "7"), vec!["client_info_missing"]),
        (whole.replace(r#","capabilities":{"elicitation":{"form":{}}}"#, ""), vec!["capabilities_missing"]),
        (whole.replace(r#"{"elicitation":{"form":{}}}"#, "[1]"), vec!["capabilities_not_an_object"]),
        (whole.replace(r#"{"tools":{}}"#, r#"{"elicitation":{}}"#), vec!["elicitation_in_server_capabilities"]),
        (
            initialize("2025-11-25", r#"{"sampling":true,"roots":[]}"#),
            vec!["sampling_not_an_object", "roots_not_an_object"],
        ),
        (format!(r#"{},"verbatim":false}}"#, &whole[..whole.len() - 1]), vec!["echo_not_verbatim"]),
    ] {
        assert_eq!(codes(&report(&handshake)), expected, "{handshake}");
    }
}

#[test]
fn a_handshake_that_was_not_seen_is_not_a_host_without_elicitation() {
    for (handshake, expected) in [
        (r#"{"initialize":{}}"#, "handshake_not_seen"),
        (r#"{"initialize":null}"#, "handshake_not_seen"),
        (r#"{"initialize":{"response":{"protocolVersion":"2025-11-25","capabilities":{}}}}"#, "handshake_not_seen"),
        (r#"{"initialize":{},"transport":{"stateless":true}}"#, "stateless_without_handshake"),
        (r#"{"perRequest":{}}"#, "meta_missing"),
        (r#"{"perRequest":{"request":{}}}"#, "meta_missing"),
        (r#"{"perRequest":{"request":{"_meta":{"progressToken":1}}}}"#, "meta_missing"),
    ] {
        let report = report(handshake);
        assert_eq!(codes(&report), [expected], "{handshake}");
        assert_eq!((report.support(), report.delivery()), (Default::default(), Delivery::None), "{handshake}");
    }
    let named = report(r#"{"initialize":{},"transport":{"stateless":true}}"#).findings()[0].message.clone();
    assert!(named.contains("SessionMode.StatefulForInitializeClients"), "{named}");
}

#[test]
fn declared_features_that_the_protocol_gives_up_are_listed() {
    let handshake = initialize("2025-11-25", r#"{"sampling":{},"roots":{"listChanged":true}}"#)
        .replace(r#"{"tools":{}}"#, r#"{"logging":{}}"#);
    let report = report(&handshake);
    let listed: Vec<&str> = report.deprecations().iter().map(|deprecation| deprecation.feature.as_ref()).collect();
    assert_eq!(listed, ["sampling", "roots", "logging"]);
    assert!(
        report
            .json()
            .contains(r#""deprecations":[{"feature":"sampling","sinceRevision":"2026-07-28","proposal":"SEP-2577"},"#)
    );
    assert!(!common::report(initialize("2025-11-25", "{}")).json().contains("deprecations"));
}

#[test]
fn a_finding_says_what_it_is_about() {
    let report = report(initialize("2025-11-25", r#"{"elicitation":true}"#));
    let finding = &report.findings()[0];
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(finding.path, "/initialize/request/capabilities/elicitation");
    assert!(finding.message.contains("`elicitation` is true instead of an object"), "{}", finding.message);
}
