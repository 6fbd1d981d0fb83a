//! The check of a request before it goes out: each rule is broken once and kept once.

mod common;

use common::{initialize, per_request, read_json, report};
use elicit_doctor::{Finding, Report, Severity, check_request};
use serde_json::{Value, json};

const BOTH: &str = r#"{"elicitation":{"form":{},"url":{}}}"#;

fn host(revision: &str) -> Report {
    report(if revision < "2026" { initialize(revision, BOTH) } else { per_request(revision, BOTH) })
}

fn check(report: &Report, params: &Value) -> Vec<Finding> {
    let findings = check_request(report, params.to_string().as_bytes()).unwrap();
    for finding in &findings {
        assert!(
            finding.path.is_empty()
                || params.pointer(&finding.path).is_some()
                || params["params"].pointer(&finding.path).is_some(),
            "{} is not in {params}",
            finding.path
        );
    }
    findings
}

fn codes(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.code.as_ref(), finding.path.as_str())).collect()
}

fn form(properties: Value) -> Value {
    json!({"message": "m", "requestedSchema": {"type": "object", "properties": properties}})
}

fn page(url: &str) -> Value {
    json!({"mode": "url", "message": "m", "url": url, "elicitationId": "e1"})
}

/// A form with one field `x` of this schema, at 2025-11-25.
fn field(schema: Value) -> Vec<(String, String)> {
    let findings = check(&host("2025-11-25"), &form(json!({ "x": schema })));
    findings.into_iter().map(|finding| (finding.code.into_owned(), finding.path)).collect()
}

#[test]
fn every_kind_of_property_may_be_sent_since_its_revision() {
    let kinds = [
        (
            json!({"type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 9, "format": "email"}),
            "2025-06-18",
        ),
        (json!({"type": "string", "default": "d"}), "2025-11-25"),
        (json!({"type": "number", "minimum": -1.5, "maximum": 2}), "2025-06-18"),
        (json!({"type": "integer", "default": 3}), "2025-11-25"),
        (json!({"type": "boolean", "default": true}), "2025-06-18"),
        (json!({"type": "string", "enum": ["a", "b"]}), "2025-06-18"),
        (json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}), "2025-06-18"),
        (json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}), "2025-11-25"),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "maxItems": 2, "default": ["a"]}),
            "2025-11-25",
        ),
        (json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}), "2025-11-25"),
    ];
    for (schema, since) in kinds {
        for revision in ["2025-06-18", "2025-11-25", "2026-07-28"] {
            let findings = check(&host(revision), &form(json!({ "x": schema })));
            let expected: &[&str] = if revision >= since { &[] } else { &["request_property_too_new"] };
            let found: Vec<&str> = findings.iter().map(|finding| finding.code.as_ref()).collect();
            assert_eq!(found, expected, "{schema} at {revision}");
            assert!(findings.iter().all(|finding| finding.severity == Severity::Warning));
        }
    }
}

#[test]
fn what_is_no_kind_of_property_is_an_error_where_it_stands() {
    for (schema, place) in [
        (json!({"type": "object", "properties": {}}), "/type"),
        (json!({"$ref": "#/$defs/x"}), "/$ref"),
        (json!({"type": ["string", "null"]}), "/type"),
        (json!({"type": "null"}), "/type"),
        (json!({"title": "no type"}), ""),
        (json!("string"), ""),
        (json!({"type": "array"}), ""),
        (json!({"type": "array", "items": {"type": "object"}}), "/items"),
        (json!({"type": "array", "items": {"type": "string"}}), "/items"),
        (json!({"type": "array", "items": [1]}), "/items"),
        (json!({"type": "string", "enum": "a"}), "/enum"),
        (json!({"type": "string", "oneOf": {}}), "/oneOf"),
    ] {
        assert_eq!(
            field(schema.clone()),
            [("request_property".to_owned(), format!("/requestedSchema/properties/x{place}"))],
            "{schema}"
        );
    }
}

#[test]
fn details_that_contradict_themselves_are_errors_where_they_stand() {
    for (schema, places) in [
        (json!({"type": "string", "minLength": -1}), vec!["/minLength"]),
        (json!({"type": "string", "maxLength": 1.5}), vec!["/maxLength"]),
        (json!({"type": "string", "minLength": "1"}), vec!["/minLength"]),
        (json!({"type": "string", "minLength": 5, "maxLength": 4}), vec!["/maxLength"]),
        (json!({"type": "number", "minimum": 2, "maximum": 1}), vec!["/maximum"]),
        (json!({"type": "number", "minimum": null}), vec!["/minimum"]),
        (json!({"type": "string", "format": "ipv4"}), vec!["/format"]),
        (json!({"type": "string", "format": 1}), vec!["/format"]),
        (json!({"type": "string", "enum": []}), vec![""]),
        (json!({"type": "string", "enum": ["a", 1]}), vec!["/enum/1"]),
        (json!({"type": "string", "enum": ["a", "b", "a"]}), vec!["/enum/2"]),
        (json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A"]}), vec!["/enumNames"]),
        (json!({"type": "string", "enum": ["a"], "enumNames": [1]}), vec!["/enumNames"]),
        (json!({"type": "string", "oneOf": [{"const": "a"}]}), vec!["/oneOf/0"]),
        (json!({"type": "string", "oneOf": [{"title": "A"}]}), vec!["/oneOf/0"]),
        (json!({"type": "string", "oneOf": [{"const": 1, "title": "A"}]}), vec!["/oneOf/0"]),
        (json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 2}), vec!["/minItems"]),
        (
            json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "a", "title": "B"}]}}),
            vec!["/items/anyOf/1"],
        ),
        (json!({"type": "string", "title": 5}), vec!["/title"]),
        (json!({"type": "string", "description": []}), vec!["/description"]),
        (json!({"type": "string", "maxLength": 2, "default": "abc"}), vec!["/default"]),
        (json!({"type": "string", "default": 1}), vec!["/default"]),
        (json!({"type": "string", "format": "date", "default": "30.11.2026"}), vec!["/default"]),
        (json!({"type": "integer", "default": 1.5}), vec!["/default"]),
        (json!({"type": "number", "maximum": 1, "default": 2}), vec!["/default"]),
        (json!({"type": "boolean", "default": "yes"}), vec!["/default"]),
        (json!({"type": "string", "enum": ["a"], "default": "b"}), vec!["/default"]),
        (json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": ["b"]}), vec!["/default"]),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1, "default": []}),
            vec!["/default"],
        ),
    ] {
        let expected: Vec<_> = places
            .iter()
            .map(|place| ("request_property_detail".to_owned(), format!("/requestedSchema/properties/x{place}")))
            .collect();
        assert_eq!(field(schema.clone()), expected, "{schema}");
    }
    // The length is counted in code points.
    assert_eq!(field(json!({"type": "string", "maxLength": 2, "default": "𝄞é"})), []);
}

#[test]
fn unknown_keywords_are_warnings() {
    for (params, place) in [
        (form(json!({"x": {"type": "string", "pattern": "^a"}})), "/requestedSchema/properties/x/pattern"),
        (form(json!({"x": {"type": "number", "minLength": 1}})), "/requestedSchema/properties/x/minLength"),
        (
            json!({"message": "m", "requestedSchema": {"type": "object", "properties": {"x": {"type": "boolean"}}, "additionalProperties": false}}),
            "/requestedSchema/additionalProperties",
        ),
        (
            json!({"message": "m", "requestedSchema": {"type": "object", "properties": {"x": {"type": "boolean"}}}, "title": "T"}),
            "/title",
        ),
    ] {
        let findings = check(&host("2025-11-25"), &params);
        assert_eq!(codes(&findings), [("request_unknown_keyword", place)]);
        assert_eq!(findings[0].severity, Severity::Warning);
    }
    let known = json!({"message": "m", "_meta": {"progressToken": 1}, "requestedSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]}});
    assert_eq!(codes(&check(&host("2025-11-25"), &known)), []);
}

#[test]
fn the_shape_of_a_form_is_checked() {
    let fields = json!({"x": {"type": "boolean"}});
    for (params, expected) in [
        (json!({"requestedSchema": {"type": "object", "properties": fields}}), vec![("request_message", "")]),
        (
            json!({"message": " ", "requestedSchema": {"type": "object", "properties": fields}}),
            vec![("request_message", "/message")],
        ),
        (
            json!({"message": 5, "requestedSchema": {"type": "object", "properties": fields}}),
            vec![("request_message", "/message")],
        ),
        (json!({"message": "m"}), vec![("request_schema", "")]),
        (json!({"message": "m", "requestedSchema": []}), vec![("request_schema", "/requestedSchema")]),
        (
            json!({"message": "m", "requestedSchema": {"properties": fields}}),
            vec![("request_schema", "/requestedSchema")],
        ),
        (
            json!({"message": "m", "requestedSchema": {"type": "array", "properties": fields}}),
            vec![("request_schema", "/requestedSchema/type")],
        ),
        (json!({"message": "m", "requestedSchema": {"type": "object"}}), vec![("request_schema", "/requestedSchema")]),
        (
            json!({"message": "m", "requestedSchema": {"type": "object", "properties": []}}),
            vec![("request_schema", "/requestedSchema/properties")],
        ),
        (form(json!({})), vec![("request_empty_form", "/requestedSchema/properties")]),
        (
            json!({"message": "m", "requestedSchema": {"type": "object", "properties": fields, "required": "x"}}),
            vec![("request_required", "/requestedSchema/required")],
        ),
        (
            json!({"message": "m", "requestedSchema": {"type": "object", "properties": fields, "required": ["x", "y", 1]}}),
            vec![
                ("request_required", "/requestedSchema/required/1"),
                ("request_required", "/requestedSchema/required/2"),
            ],
        ),
        (json!({"mode": "popup", "message": "m"}), vec![("request_mode", "/mode")]),
        (json!({"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": fields}}), vec![]),
    ] {
        assert_eq!(codes(&check(&host("2025-11-25"), &params)), expected, "{params}");
    }
    let with_mode =
        json!({"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": fields}});
    assert_eq!(codes(&check(&host("2025-06-18"), &with_mode)), [("request_mode_too_new", "/mode")]);
}

#[test]
fn a_url_is_one_that_hosts_open_and_that_tells_no_secret() {
    let host_2025 = host("2025-11-25");
    for url in [
        "https://example.com/setup?session=1&state=x",
        "http://localhost:5000/p",
        "http://127.0.0.1/p",
        "https://[2001:db8::1]:8443/",
    ] {
        assert_eq!(codes(&check(&host_2025, &page(url))), [], "{url}");
    }
    for url in [
        "",
        "example.com",
        "/path",
        "http://example.com/",
        "ftp://example.com/",
        "https://",
        "https://user@example.com/",
        "https://user:pw@example.com/",
        "https://exa mple.com/",
        "https://example.com:99999/",
        "https://example.com/?token=abc",
        "https://example.com/?a=1&api_key=k",
        "https://example.com/?accessToken=k#x",
        "http://localhost.example.com/",
        "http://127.example.com/",
    ] {
        assert_eq!(codes(&check(&host_2025, &page(url))), [("request_url", "/url")], "{url}");
    }
    for (params, expected) in [
        (json!({"mode": "url", "message": "m", "elicitationId": "e"}), vec![("request_url", "")]),
        (json!({"mode": "url", "message": "m", "url": 5, "elicitationId": "e"}), vec![("request_url", "/url")]),
        (json!({"mode": "url", "message": "m", "url": "https://e.org/"}), vec![("request_elicitation_id", "")]),
        (
            json!({"mode": "url", "message": "m", "url": "https://e.org/", "elicitationId": ""}),
            vec![("request_elicitation_id", "/elicitationId")],
        ),
        (json!({"message": "m", "url": "https://e.org/", "elicitationId": "e"}), vec![("request_mode", "")]),
    ] {
        assert_eq!(codes(&check(&host_2025, &params)), expected, "{params}");
    }
    let host_2026 = host("2026-07-28");
    assert_eq!(codes(&check(&host_2026, &page("https://e.org/"))), [("request_elicitation_id", "/elicitationId")]);
    assert_eq!(codes(&check(&host_2026, &json!({"mode": "url", "message": "m", "url": "https://e.org/"}))), []);
}

#[test]
fn secrets_and_urls_do_not_belong_into_a_form() {
    for (schema, secret) in [
        (json!({"type": "string", "title": "Your API key"}), true),
        (json!({"type": "string", "description": "Enter the one-time code from your phone"}), true),
        (json!({"type": "integer", "title": "PIN"}), true),
        (json!({"type": "string", "enum": ["password", "key"], "title": "Password"}), false),
        (json!({"type": "boolean", "title": "Reset the password"}), false),
        (json!({"type": "string", "description": "Never a password"}), false),
    ] {
        let expected: Vec<_> = if secret {
            vec![("request_secret".to_owned(), "/requestedSchema/properties/x".to_owned())]
        } else {
            vec![]
        };
        assert_eq!(field(schema.clone()), expected, "{schema}");
    }
    let named = check(&host("2025-11-25"), &form(json!({"githubToken": {"type": "string"}})));
    assert_eq!(codes(&named), [("request_secret", "/requestedSchema/properties/githubToken")]);
    assert!(named[0].message.contains("in URL mode"), "{}", named[0].message);
    let message = json!({"message": "Please enter your password", "requestedSchema": {"type": "object", "properties": {"x": {"type": "string"}}}});
    assert_eq!(codes(&check(&host("2025-11-25"), &message)), [("request_secret", "/message")]);

    let url = |schema: Value| field(schema).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(url(json!({"type": "string", "description": "See https://example.com/help"})), ["request_url_in_form"]);
    assert_eq!(url(json!({"type": "string", "default": "https://example.com/"})), ["request_url_in_form"]);
    assert_eq!(url(json!({"type": "string", "format": "uri", "default": "https://example.com/"})), [""; 0]);
}

#[test]
fn nobody_is_asked_who_did_not_declare_it_or_in_another_way() {
    let question = form(json!({"x": {"type": "boolean"}}));
    let rpc = |params: &Value| json!({"jsonrpc": "2.0", "id": 1, "method": "elicitation/create", "params": params});
    let stateless = initialize("2025-11-25", BOTH);
    let stateless = format!(r#"{},"transport":{{"stateless":true}}}}"#, &stateless[..stateless.len() - 1]);
    for (handshake, params, expected) in [
        (initialize("2025-03-26", r#"{"elicitation":{}}"#), question.clone(), vec!["request_unsupported"]),
        (initialize("2025-11-25", "{}"), question.clone(), vec!["request_unsupported"]),
        (initialize("2025-11-25", r#"{"elicitation":{"url":{}}}"#), question.clone(), vec!["request_mode_undeclared"]),
        (initialize("2025-11-25", r#"{"elicitation":{}}"#), page("https://e.org/"), vec!["request_mode_undeclared"]),
        (stateless, question.clone(), vec!["request_no_back_channel"]),
        (initialize("2025-11-25", BOTH), rpc(&question), vec![]),
        (per_request("2026-07-28", BOTH), rpc(&question), vec!["request_delivery"]),
        (per_request("2026-07-28", BOTH), json!({"method": "elicitation/create", "params": question}), vec![]),
        (
            per_request("2026-07-28", BOTH),
            json!({"method": "elicitation/ask", "params": question}),
            vec!["request_method"],
        ),
    ] {
        let findings = check_request(&report(&handshake), params.to_string().as_bytes()).unwrap();
        assert_eq!(
            findings.iter().map(|finding| finding.code.as_ref()).collect::<Vec<_>>(),
            expected,
            "{handshake} {params}"
        );
    }
}

#[test]
fn a_task_is_asked_only_of_a_client_that_declared_it() {
    let mut params = form(json!({"x": {"type": "boolean"}}));
    params["task"] = json!({"ttl": 1000});
    let declared = r#"{"elicitation":{},"tasks":{"requests":{"elicitation":{"create":{}}}}}"#;
    let codes_of =
        |report: &Report| codes(&check(report, &params)).iter().map(|(code, _)| (*code).to_owned()).collect::<Vec<_>>();
    assert_eq!(codes_of(&report(initialize("2025-11-25", declared))), [""; 0]);
    assert_eq!(codes_of(&host("2025-11-25")), ["request_task"]);
    assert_eq!(codes_of(&report(per_request("2026-07-28", declared))), ["request_task"]);
}

#[test]
fn what_is_no_request_is_refused() {
    for (text, message) in [
        ("", "not JSON at byte 0"),
        ("[]", "the whole text: expected an object with the parameters"),
        (r#"{"method":"elicitation/create","params":5}"#, "/params: expected a request with the parameters"),
        (r#"{"method":"elicitation/create"}"#, "the whole text: expected a request with the parameters"),
    ] {
        let error = check_request(&host("2025-11-25"), text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

/// Preflight rows that are judged otherwise here, and why.
const JUDGED: &[(&str, &str)] = &[
    (
        "FC-85",
        "a budget of the host is no part of a request; the finding probe_timeout_too_long of a probe's report says it",
    ),
    (
        "FC-86",
        "whether a request of the client is open is the server's to know; the .NET calls ask from inside one only",
    ),
];

#[test]
fn every_preflight_row_may_be_sent_or_not() {
    let rows = read_json(&common::data("field-cases.json"));
    let rows: Vec<&Value> = rows.as_array().unwrap().iter().filter(|row| row["kind"] == "preflight").collect();
    assert!(rows.len() >= 7, "{} rows", rows.len());
    for row in rows {
        let (id, input) = (row["id"].as_str().unwrap(), &row["input"]);
        if let Some((_, why)) = JUDGED.iter().find(|(judged, _)| *judged == id) {
            assert_eq!(row["certainty"], "judgement", "{id}: {why}");
            continue;
        }
        let revision = input["protocolVersion"].as_str().unwrap_or("2025-11-25");
        let capabilities = input["capabilities"].to_string();
        let mut handshake =
            if revision < "2026" { initialize(revision, &capabilities) } else { per_request(revision, &capabilities) };
        if let Some(transport) = input.get("transport") {
            handshake = format!(r#"{},"transport":{transport}}}"#, &handshake[..handshake.len() - 1]);
        }
        let mut request = input["request"].clone();
        request["jsonrpc"] = json!("2.0");
        request["id"] = json!(1);
        let findings = check_request(&report(&handshake), request.to_string().as_bytes()).unwrap();
        let send = findings.iter().all(|finding| finding.severity != Severity::Error);
        assert_eq!(json!(send), row["expected"]["send"], "{id}: {findings:?}");
        assert_eq!(row["expected"].get("warning").is_some(), send && !findings.is_empty(), "{id}: {findings:?}");
    }
}
