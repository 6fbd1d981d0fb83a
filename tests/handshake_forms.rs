//! The forms in which a handshake is accepted, what is echoed, and what is refused.

mod common;

use common::{checked, codes, initialize, report};
use elicit_doctor::{Era, Error, Mode, Report, Revision};

const PARAMS: &str = r#"{ "protocolVersion" : "2025-11-25","clientInfo":{"name":"h\u00f6st","version":"1"},"capabilities":{"z":12345678901234567890123.50,"elicitation":{"form":{}},"a":1e3}}"#;
const RESULT: &str =
    r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"},"x":2.50}"#;
const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"h","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}}},"progressToken":1}"#;
const DISCOVERED: &str =
    r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;

fn request(method: &str, id: u32, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn response(id: u32, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

#[test]
fn every_form_of_an_initialize_gives_the_same_report() {
    let (asked, answered) = (request("initialize", 0, PARAMS), response(0, RESULT));
    let noise = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let other = response(1, "{}");
    let expected = report(format!(r#"{{"initialize":{{"request":{PARAMS},"response":{RESULT}}}}}"#));
    assert_eq!((expected.request(), expected.response()), (Some(PARAMS), Some(RESULT)));
    for handshake in [
        format!(r#"{{"initialize":{{"request":{asked},"response":{answered}}}}}"#),
        format!(r#"{{"initialize":{{"response":{RESULT},"request":{asked}}}}}"#),
        format!("[{asked},{answered}]"),
        format!("[{other},{answered},{noise},{asked}]"),
        format!("{asked}\n{answered}\n{noise}\n"),
        format!("{asked}{answered}"),
    ] {
        assert_eq!(report(&handshake), expected, "{handshake}");
    }
}

#[test]
fn every_form_of_a_per_request_handshake_gives_the_same_report() {
    let discover = request("server/discover", 7, &format!(r#"{{"_meta":{META}}}"#));
    let call = request("tools/call", 8, &format!(r#"{{"name":"t","arguments":{{"secret":1}},"_meta":{META}}}"#));
    let discovered = response(7, DISCOVERED);
    let expected = report(format!(r#"{{"perRequest":{{"request":{{"_meta":{META}}},"response":{DISCOVERED}}}}}"#));
    assert_eq!(
        (expected.era(), expected.request(), expected.response()),
        (Era::PerRequest, Some(META), Some(DISCOVERED))
    );
    for handshake in [
        format!(r#"{{"perRequest":{{"request":{call},"response":{discovered}}}}}"#),
        format!(
            r#"{{"perRequest":{{"request":{{"name":"t","arguments":{{"secret":1}},"_meta":{META}}},"response":{discovered}}}}}"#
        ),
        format!("{discover}\n{discovered}\n{call}\n"),
        format!("[{discover},{discovered}]"),
    ] {
        let report = report(&handshake);
        assert_eq!(report, expected, "{handshake}");
        assert!(!report.json().contains("secret"), "arguments are no part of a report");
    }
}

#[test]
fn a_client_that_fell_back_to_initialize_is_read_by_initialize() {
    let discover = request("server/discover", 0, &format!(r#"{{"_meta":{META}}}"#));
    let refused = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"Method not found"}}"#;
    let report =
        report(format!("{discover}\n{refused}\n{}\n{}", request("initialize", 1, PARAMS), response(1, RESULT)));
    assert_eq!((report.era(), report.revision()), (Era::Initialize, Some("2025-11-25")));
}

#[test]
fn an_initialize_that_was_refused_yields_to_the_other_era() {
    let refused = r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"Unsupported protocol version"}}"#;
    let asked = format!("{}\n{refused}", request("initialize", 0, PARAMS));
    assert_eq!(codes(&report(&asked)), ["initialize_refused"]);
    let both = format!("{asked}\n{}", request("tools/list", 1, &format!(r#"{{"_meta":{META}}}"#)));
    assert_eq!(report(both).era(), Era::PerRequest);
}

#[test]
fn duplicate_keys_count_by_the_last_one_and_are_found_everywhere() {
    let twice = initialize("2025-11-25", r#"{"roots":1,"roots":{},"x":[{"a/b":1,"a/b":2,"a/b":3}]}"#);
    let report = report(&twice);
    assert!(report.support().roots);
    assert_eq!(codes(&report), ["duplicate_key", "duplicate_key"]);
    assert_eq!(report.findings()[1].path, "/initialize/request/capabilities/x/0");
    assert!(report.request().unwrap().contains(r#"{"a/b":1,"a/b":2,"a/b":3}"#));

    let envelope = common::report(r#"{"initialize":{},"initialize":{"request":{"capabilities":{}}}}"#);
    assert_eq!(envelope.findings().last().unwrap().path, "/initialize");
}

#[test]
fn many_keys_are_compared_in_reasonable_time() {
    let mut capabilities = String::from("{");
    for number in 0..40_000 {
        capabilities += &format!(r#""k{number}":0,"#);
    }
    capabilities += r#""k7":0}"#;
    let report = report(initialize("2025-11-25", &capabilities));
    assert_eq!(codes(&report), ["duplicate_key"]);

    let mut all_twice = String::from("{");
    for number in 0..20_000 {
        all_twice += &format!(r#""k{number}":0,"k{number}":0,"#);
    }
    all_twice += r#""end":0}"#;
    let truncated = common::report(initialize("2025-11-25", &all_twice));
    assert_eq!(truncated.findings().len(), 101);
    assert_eq!(truncated.findings()[100].code, "findings_truncated");
}

#[test]
fn what_is_no_handshake_is_refused_with_its_place() {
    for (text, message) in [
        ("", "not JSON at byte 0 (line 1, column 1): expected a value, found the end of the text"),
        ("{\"initialize\":\n {\"request\" {}}}", "not JSON at byte 27 (line 2, column 13): expected ':', found '{'"),
        ("{\"initialize\":{}} x", "not JSON at byte 18 (line 1, column 19): expected a value, found 'x'"),
        ("{\"a\":01}", "not JSON at byte 6 (line 1, column 7): expected ',' or '}', found '1'"),
        (
            "{\"a\":\"\t\"}",
            "not JSON at byte 6 (line 1, column 7): expected an escape instead of a control character, found '\\t'",
        ),
        ("{\"a\":\"\\x\"}", "not JSON at byte 7 (line 1, column 8): expected an escape that JSON knows, found 'x'"),
        ("{\"a\":tru}", "not JSON at byte 5 (line 1, column 6): expected a value, found 't'"),
        ("{\"a\":1,}", "not JSON at byte 7 (line 1, column 8): expected a key in double quotes, found '}'"),
        ("[1,2", "not JSON at byte 4 (line 1, column 5): expected ',' or ']', found the end of the text"),
        ("\u{feff}{}", "not JSON at byte 0 (line 1, column 1): expected a value, found '\\u{feff}'"),
        (
            "7",
            "the whole text: expected an object with initialize or perRequest, the JSON-RPC request initialize, or a request with per-request _meta, found a number",
        ),
        (
            "{}",
            "the whole text: expected exactly one of the keys initialize and perRequest, or the JSON-RPC messages of a handshake, found an object",
        ),
        (
            "{\"initialize\":{},\"perRequest\":{}}",
            "the whole text: expected exactly one of the keys initialize and perRequest, or the JSON-RPC messages of a handshake, found an object",
        ),
        ("{\"initialize\":[]}", "/initialize: expected an object with request and response, found an array"),
        ("{\"initialize\":{\"request\":\"x\"}}", "/initialize/request: expected an object, found a string"),
        (
            "{\"initialize\":{\"request\":{\"jsonrpc\":\"2.0\",\"params\":[]}}}",
            "/initialize/request/params: expected an object, found an array",
        ),
        (
            "{\"initialize\":{\"response\":{\"id\":0,\"result\":true}}}",
            "/initialize/response/result: expected an object, found a boolean",
        ),
        (
            "{\"perRequest\":{\"request\":{\"_meta\":[]}}}",
            "/perRequest/request/_meta: expected an object, found an array",
        ),
        (
            "{\"initialize\":{},\"transport\":{\"stateless\":1}}",
            "/transport/stateless: expected true or false, found a number",
        ),
        ("{\"initialize\":{},\"verbatim\":\"no\"}", "/verbatim: expected true or false, found a string"),
        (
            "[{\"jsonrpc\":\"2.0\",\"method\":\"ping\"},2]",
            "the whole text: expected an object with initialize or perRequest, the JSON-RPC request initialize, or a request with per-request _meta, found 2 values without them",
        ),
    ] {
        let error = Report::from_handshake(text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn limits_are_exact_and_named() {
    let handshake = initialize("2025-11-25", "{}");
    let padded = |len: usize| format!("{handshake}{}", " ".repeat(len - handshake.len()));
    assert!(checked(Report::from_handshake(padded(1 << 20).as_bytes())).is_ok());
    assert_eq!(
        Report::from_handshake(padded((1 << 20) + 1).as_bytes()),
        Err(Error::TooLarge { len: (1 << 20) + 1, limit: 1 << 20 })
    );

    // The envelope, the exchange, the parameters and the capabilities are four levels of the 128.
    let nested = |levels: usize| {
        initialize("2025-11-25", &format!(r#"{{"x":{}{}}}"#, "[".repeat(levels - 4), "]".repeat(levels - 4)))
    };
    assert!(checked(Report::from_handshake(nested(128).as_bytes())).is_ok());
    let too_deep = nested(129);
    let at = too_deep.find('[').unwrap() + 124;
    assert_eq!(Report::from_handshake(too_deep.as_bytes()), Err(Error::TooDeep { at, limit: 128 }));

    let brackets = "[".repeat(1 << 20);
    assert_eq!(Report::from_handshake(brackets.as_bytes()), Err(Error::TooDeep { at: 128, limit: 128 }));
    assert_eq!(Report::from_handshake(b"{\"\xff\":1}"), Err(Error::InvalidUtf8 { at: 2 }));
}

#[test]
fn the_largest_handshake_gives_a_report_that_reads_back() {
    // A handshake of raw messages grows by the report's envelope, and its findings come on top.
    let mut capabilities = String::from(r#"{"elicitation":{"#);
    for number in 0..150 {
        capabilities += &format!(r#""{}{number}":0,"#, "\\u0001".repeat(80));
    }
    let filler = (1 << 20) - capabilities.len() - 200;
    capabilities += &format!(r#""form":{{}}}},"x":"{}"}}"#, "y".repeat(filler));
    let message =
        request("initialize", 0, &format!(r#"{{"protocolVersion":"2025-11-25","capabilities":{capabilities}}}"#));
    assert!(message.len() > (1 << 20) - 200 && message.len() <= 1 << 20, "{}", message.len());
    assert_eq!(report(&message).findings().len(), 101);
}

#[test]
fn reports_of_elicitly_are_read_and_kept_as_they_are() {
    let text = r#"
{
  "initialize": {
    "request": { "clientInfo": { "name": "claude-code", "version": "2.1.76" }, "capabilities": { "elicitation": { "form": {} }, "sampling": {} } },
    "response": { "protocolVersion": "2025-11-25", "capabilities": { "tools": { "listChanged": true } }, "serverInfo": { "name": "elicitly", "version": "0.1.0" } }
  },
  "support": { "elicitation": true, "elicitationForm": true, "elicitationUrl": false, "sampling": true, "roots": true },
  "probes": { "elicitationForm": { "attempted": true, "action": "accept", "latencyMs": 1840, "data": "ok", "verdict": "working" } },
  "shared": true
}
"#;
    let report = checked(Report::parse(text.as_bytes())).unwrap();
    assert_eq!(report.json(), text.trim());
    assert_eq!(report.revision(), Some("2025-11-25"));
    assert_eq!(report.delivery().name(), "request");
    assert!(report.support().elicitation_form && report.support().roots);
    assert!(report.response().unwrap().starts_with(r#"{ "protocolVersion""#));
}

#[test]
fn what_is_no_report_is_refused_with_its_place() {
    let report = |rest: &str| format!(r#"{{"initialize":{{}},"support":{{}}{rest}}}"#);
    for (text, message) in [
        ("[]".to_owned(), "the whole text: expected an object, found an array"),
        (
            r#"{"support":{}}"#.to_owned(),
            "the whole text: expected a report with exactly one of initialize and perRequest, found an object",
        ),
        (r#"{"initialize":{}}"#.to_owned(), "the whole text: expected a report with support, found an object"),
        (
            r#"{"initialize":{},"support":{"roots":1}}"#.to_owned(),
            "/support/roots: expected true or false, found a number",
        ),
        (report(r#","revision":5"#), "/revision: expected a date as YYYY-MM-DD, found a number"),
        (report(r#","delivery":"post""#), "/delivery: expected request, input_required or none, found a string"),
        (report(r#","findings":{}"#), "/findings: expected an array, found an object"),
        (
            report(r#","findings":[{"severity":"info"}]"#),
            "/findings/0: expected an object with all its members, found none called code",
        ),
        (
            report(r#","findings":[{"severity":"bad","code":"c","path":"","message":"m"}]"#),
            "/findings/0: expected a finding with the severity info, warning or error, found an object",
        ),
        (report(r#","deprecations":[{"feature":1}]"#), "/deprecations/0/feature: expected a string, found a number"),
        (
            report(r#","probes":{"elicitationForm":{}}"#),
            "/probes/elicitationForm: expected an object with attempted, true or false, found an object",
        ),
        ("{} {}".to_owned(), "not JSON at byte 3 (line 1, column 4): expected the end of the text, found '{'"),
    ] {
        assert_eq!(Report::parse(text.as_bytes()).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn a_skipped_probe_is_noted_and_replaces_an_earlier_note() {
    let plain = report(initialize("2025-11-25", "{}"));
    let form = checked(Ok(plain.skip_probe(Mode::Form, "client did not\nadvertise elicitation"))).unwrap();
    let note = r#""probes":{"elicitationForm":{"attempted":false,"reason":"client did not advertise elicitation"}}}"#;
    assert!(form.json().ends_with(note), "{}", form.json());

    let both = checked(Ok(form.skip_probe(Mode::Url, &"é".repeat(400)))).unwrap();
    assert!(both.json().contains(&format!(
        r#"advertise elicitation"}},"elicitationUrl":{{"attempted":false,"reason":"{}"}}"#,
        "é".repeat(300)
    )));
    let again = checked(Ok(both.skip_probe(Mode::Form, "other"))).unwrap();
    assert!(again.json().contains(r#""elicitationForm":{"attempted":false,"reason":"other"},"elicitationUrl""#));
    assert_eq!((again.request(), again.response()), (plain.request(), plain.response()));

    let foreign = r#"{"probes":{},"support":{"elicitation":false,"elicitationForm":false,"elicitationUrl":false,"sampling":false,"roots":false},"perRequest":{"request":{"_meta":{"a":1}}}}"#;
    let noted = checked(Ok(Report::parse(foreign.as_bytes()).unwrap().skip_probe(Mode::Form, "r")));
    assert_eq!(noted.unwrap().request(), Some(r#"{"a":1}"#));
}

#[test]
fn the_newest_revision_has_a_report_of_its_own() {
    assert_eq!(
        Revision::NEWEST.date(),
        report(format!(r#"{{"perRequest":{{"request":{{"_meta":{META}}}}}}}"#)).revision().unwrap()
    );
}
