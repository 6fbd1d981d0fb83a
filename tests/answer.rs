//! The check of what came back: each rule is broken once and kept once.

mod common;

use common::{initialize, report};
use elicit_doctor::{Report, Severity, check_answer};
use proptest::prelude::*;
use serde_json::{Value, json};

fn host(revision: &str) -> Report {
    report(initialize(revision, r#"{"elicitation":{"form":{},"url":{}}}"#))
}

fn check(revision: &str, params: &Value, result: &Value) -> Vec<(String, String)> {
    let findings = check_answer(&host(revision), params.to_string().as_bytes(), result.to_string().as_bytes()).unwrap();
    for finding in &findings {
        let in_result = result.pointer(&finding.path).is_some() || result["result"].pointer(&finding.path).is_some();
        assert!(finding.path.is_empty() || in_result, "{} is not in {result}", finding.path);
        assert_eq!(finding.severity == Severity::Warning, finding.code == "answer_surplus");
    }
    findings.into_iter().map(|finding| (finding.code.into_owned(), finding.path)).collect()
}

fn expected(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(code, path)| ((*code).to_owned(), (*path).to_owned())).collect()
}

fn params(required: &[&str]) -> Value {
    json!({"message": "m", "requestedSchema": {"type": "object", "required": required, "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 3},
        "mail": {"type": "string", "format": "email"},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "price": {"type": "number"},
        "yes": {"type": "boolean"},
        "size": {"type": "string", "enum": ["s", "l"]},
        "seat": {"type": "string", "oneOf": [{"const": "w", "title": "Window"}]},
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2},
    }}})
}

#[test]
fn an_answer_that_is_what_was_asked_for_has_no_findings() {
    let whole = json!({"name": "Zoë", "mail": "a@b.c", "age": 7, "price": 1.5, "yes": false, "size": "l", "seat": "w", "tags": ["a", "c"]});
    for result in [
        json!({"action": "accept", "content": whole}),
        json!({"action": "accept", "content": {"name": "𝄞𝄞𝄞"}}),
        json!({"action": "decline"}),
        json!({"action": "cancel", "_meta": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"action": "accept", "content": {"name": "ab", "age": 7.0}}}),
    ] {
        assert_eq!(check("2025-11-25", &params(&["name"]), &result), [], "{result}");
    }
    let page = json!({"mode": "url", "message": "m", "url": "https://e.org/", "elicitationId": "e"});
    assert_eq!(check("2025-11-25", &page, &json!({"action": "accept"})), []);
    assert_eq!(check("2025-11-25", &params(&[]), &json!({"action": "accept"})), []);
    assert_eq!(check("2025-11-25", &params(&[]), &json!({"action": "accept", "content": {}})), []);
}

#[test]
fn the_action_is_one_of_three_words() {
    for (result, path) in [
        (json!({}), ""),
        (json!({"action": "reject"}), "/action"),
        (json!({"action": "Accept", "content": {"name": "ab"}}), "/action"),
        (json!({"action": null}), "/action"),
        (json!({"action": ["accept"]}), "/action"),
    ] {
        assert_eq!(check("2025-11-25", &params(&["name"]), &result), expected(&[("answer_action", path)]), "{result}");
    }
}

#[test]
fn an_accept_carries_what_was_required() {
    for (result, rows) in [
        (json!({"action": "accept"}), vec![("answer_content", "")]),
        (json!({"action": "accept", "content": null}), vec![("answer_content", "/content")]),
        (json!({"action": "accept", "content": "ab"}), vec![("answer_content", "/content")]),
        (json!({"action": "accept", "content": {}}), vec![("answer_content", "/content")]),
        (json!({"action": "accept", "content": {"age": 1}}), vec![("answer_content", "/content")]),
    ] {
        assert_eq!(check("2025-11-25", &params(&["name"]), &result), expected(&rows), "{result}");
    }
    let optional = json!({"action": "accept", "content": [1]});
    assert_eq!(check("2025-11-25", &params(&[]), &optional), expected(&[("answer_content", "/content")]));
}

#[test]
fn a_value_fits_the_schema_of_its_field() {
    for (field, value) in [
        ("name", json!("a")),
        ("name", json!("abcd")),
        ("name", json!("𝄞")),
        ("name", json!(5)),
        ("name", json!(null)),
        ("name", json!({"first": "x"})),
        ("mail", json!("nobody")),
        ("age", json!(1.5)),
        ("age", json!(-1)),
        ("age", json!(1e9)),
        ("age", json!("7")),
        ("price", json!("1.5")),
        ("yes", json!("true")),
        ("yes", json!(1)),
        ("size", json!("m")),
        ("size", json!(["s"])),
        ("seat", json!("Window")),
        ("tags", json!("a")),
        ("tags", json!([])),
        ("tags", json!(["a", "b", "c"])),
        ("tags", json!(["x"])),
        ("tags", json!([1])),
    ] {
        let result = json!({"action": "accept", "content": {field: value}});
        let path = format!("/content/{field}");
        assert_eq!(check("2025-11-25", &params(&[]), &result), expected(&[("answer_value", &path)]), "{result}");
    }
    let list = json!({"action": "accept", "content": {"tags": ["a"]}});
    assert_eq!(
        check("2025-06-18", &params(&[]), &list),
        expected(&[("answer_value", "/content/tags")]),
        "no lists before 2025-11-25"
    );
}

#[test]
fn what_was_not_asked_for_is_a_warning() {
    let page = json!({"mode": "url", "message": "m", "url": "https://e.org/", "elicitationId": "e"});
    for (params, result, path) in [
        (params(&[]), json!({"action": "decline", "content": {"name": "ab"}}), "/content"),
        (params(&[]), json!({"action": "cancel", "content": null}), "/content"),
        (params(&[]), json!({"action": "accept", "content": null}), "/content"),
        (params(&[]), json!({"action": "accept", "content": {"other": 1}}), "/content/other"),
        (page, json!({"action": "accept", "content": {}}), "/content"),
    ] {
        assert_eq!(check("2025-11-25", &params, &result), expected(&[("answer_surplus", path)]), "{result}");
    }
}

#[test]
fn an_error_is_named_with_what_it_means() {
    for (code, meaning) in [(-32601, "has no handler"), (-32602, "refused the request"), (-32603, "did not answer")] {
        let result = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "m"}});
        let findings =
            check_answer(&host("2025-11-25"), params(&[]).to_string().as_bytes(), result.to_string().as_bytes())
                .unwrap();
        assert_eq!((findings.len(), &*findings[0].code, &*findings[0].path), (1, "answer_error", "/error"));
        assert!(findings[0].message.contains(meaning), "{}", findings[0].message);
    }
}

#[test]
fn what_is_no_answer_is_refused() {
    for (params, result, message) in [
        ("{}", "", "not JSON at byte 0"),
        ("{", "{}", "not JSON at byte 1"),
        ("[]", "{}", "the whole text: expected an object with the parameters"),
        ("{}", "5", "the whole text: expected an object with action and content"),
        ("{}", r#"{"jsonrpc":"2.0","id":1}"#, "the whole text: expected a response with a result object"),
        ("{}", r#"{"jsonrpc":"2.0","result":[]}"#, "/result: expected a response with a result object"),
    ] {
        let error = check_answer(&host("2025-11-25"), params.as_bytes(), result.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_findings_or_an_error(text in "\\PC{0,80}", action in "accept|decline|cancel|[a-z]{0,6}", value in "\\PC{0,20}") {
        let host = host("2025-11-25");
        let params = params(&["name"]).to_string();
        let _ = check_answer(&host, params.as_bytes(), text.as_bytes());
        let _ = check_answer(&host, text.as_bytes(), params.as_bytes());
        let result = json!({"action": action, "content": {"name": value, "mail": text}});
        prop_assert!(check_answer(&host, params.as_bytes(), result.to_string().as_bytes()).is_ok());
    }

    /// The verdict of a library for JSON Schema on the same schema and content is the judge.
    #[test]
    fn content_is_judged_as_json_schema_judges_it(
        name in prop_oneof![Just(json!("ab")), "[a-zé𝄞]{0,5}".prop_map(Value::from), Just(json!(1))],
        age in prop_oneof![(-5..200i64).prop_map(Value::from), Just(json!(1.5)), Just(json!(2.0)), Just(json!("2"))],
        size in prop_oneof![Just(json!("s")), Just(json!("m")), Just(json!(true))],
        tags in prop::collection::vec("[a-d]", 0..4),
    ) {
        let params = params(&["name"]);
        let content = json!({"name": name, "age": age, "size": size, "tags": tags});
        let result = json!({"action": "accept", "content": content});
        let valid = jsonschema::is_valid(&params["requestedSchema"], &content);
        prop_assert_eq!(check("2025-11-25", &params, &result).is_empty(), valid, "{}", content);
    }
}
