//! What holds for any input.

mod common;

use std::time::Duration;

use common::checked;
use elicit_doctor::{Action, Report, Verdict, classify};
use proptest::collection::vec;
use proptest::prelude::*;

/// JSON with everything that an echo must keep: big numbers, escapes, odd white space, key order, equal keys.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("{}".to_owned()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        string(),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            (vec(inner.clone(), 0..5), space())
                .prop_map(|(items, space)| format!("[{space}{}]", items.join(&format!(",{space}")))),
            (vec((key(), inner), 0..6), space()).prop_map(|(members, space)| {
                let members: Vec<String> =
                    members.into_iter().map(|(key, value)| format!("{key}{space}:{value}")).collect();
                format!("{{{}{space}}}", members.join(","))
            }),
        ]
    })
}

fn string() -> impl Strategy<Value = String> {
    vec(prop_oneof!["[a-zé✓𝄞 /~]", "\\\\[\"\\\\/bfnrt]", "\\\\u[0-9a-fA-F]{4}", "\\\\ud83d\\\\ude00"], 0..6)
        .prop_map(|parts| format!("\"{}\"", parts.concat()))
}

fn space() -> impl Strategy<Value = String> {
    "[ \\n\\t\\r]{0,2}"
}

/// A key: mostly one that the doctor looks at.
fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec![
            "initialize", "perRequest", "request", "response", "_meta", "capabilities", "elicitation", "form", "url", "sampling",
            "roots", "protocolVersion", "clientInfo", "transport", "stateless", "verbatim", "jsonrpc", "method", "params", "id",
            "result", "error", "io.modelcontextprotocol/clientCapabilities", "io.modelcontextprotocol/protocolVersion", "support",
            "findings", "probes",
        ]).prop_map(|key| format!("\"{key}\"")),
        1 => string(),
    ]
}

fn object() -> impl Strategy<Value = String> {
    vec((key(), json()), 0..6).prop_map(|members| {
        let members: Vec<String> = members.into_iter().map(|(key, value)| format!("{key}:{value}")).collect();
        format!("{{{}}}", members.join(","))
    })
}

fn handshake() -> impl Strategy<Value = String> {
    prop_oneof![
        (object(), object(), any::<bool>()).prop_map(|(request, response, stateless)| format!(
            r#"{{"initialize":{{"request":{request},"response":{response}}},"transport":{{"stateless":{stateless}}}}}"#
        )),
        (object(), object()).prop_map(|(meta, response)| format!(
            r#"{{"perRequest":{{"request":{{"_meta":{meta}}},"response":{response}}}}}"#
        )),
        (object(), object()).prop_map(|(params, result)| format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{params}}}\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{result}}}"
        )),
        json(),
    ]
}

fn report_text() -> impl Strategy<Value = String> {
    (object(), object(), object()).prop_map(|(request, findings, probes)| {
        format!(r#"{{"initialize":{{"request":{request}}},"support":{{"roots":true}},"findings":[{findings}],"probes":{probes}}}"#)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_report_or_an_error(bytes in vec(any::<u8>(), 0..300)) {
        let _ = checked(Report::from_handshake(&bytes));
        let _ = Report::parse(&bytes);
    }

    #[test]
    fn any_json_gives_a_report_that_reads_back_or_an_error(text in handshake()) {
        let _ = checked(Report::from_handshake(text.as_bytes()));
        let _ = Report::parse(text.as_bytes());
    }

    #[test]
    fn any_change_to_a_handshake_gives_a_report_or_an_error(text in handshake(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = checked(Report::from_handshake(&bytes));
        bytes.truncate(at);
        let _ = checked(Report::from_handshake(&bytes));
    }

    #[test]
    fn the_echo_is_the_slice_of_the_input(request in object(), response in object(), meta in object()) {
        // These keys would make a message of it, of which only the parameters are echoed.
        let plain = |text: String| text.replace("\"jsonrpc\"", "\"a\"").replace("\"method\"", "\"b\"").replace("\"id\"", "\"c\"");
        let (request, response) = (plain(request), plain(response));
        let text = format!(r#" {{ "initialize" : {{ "request" : {request} , "response":{response}}} }}"#);
        let report = checked(Report::from_handshake(text.as_bytes())).unwrap();
        prop_assert_eq!(report.request(), Some(request.as_str()));
        prop_assert_eq!(report.response(), Some(response.as_str()));
        prop_assert!(report.json().contains(&request) && report.json().contains(&response));

        let text = format!(r#"{{"perRequest":{{"request":{{"_meta":{meta}}}}}}}"#);
        let report = checked(Report::from_handshake(text.as_bytes())).unwrap();
        prop_assert_eq!(report.request(), Some(meta.as_str()));
    }

    #[test]
    fn a_text_is_read_if_and_only_if_it_is_json(text in json(), at in any::<prop::sample::Index>(), character in "[\\[\\]{}\",:0-9a-z. \\\\-]") {
        let mut changed = text.clone();
        let at = at.index(changed.len());
        if changed.is_char_boundary(at) {
            changed.insert_str(at, &character);
        }
        for text in [text, changed] {
            let wrapped = format!(r#"{{"initialize":{{}},"x":{text}}}"#);
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&wrapped).is_ok();
            let refused_as_json = matches!(Report::from_handshake(wrapped.as_bytes()), Err(elicit_doctor::Error::InvalidJson { .. }));
            prop_assert_eq!(is_json, !refused_as_json, "{}", wrapped);
        }
    }

    #[test]
    fn a_report_text_is_kept_as_it_is(text in report_text()) {
        if let Ok(report) = Report::parse(text.as_bytes()) {
            prop_assert_eq!(report.json(), text.as_str());
        }
    }

    #[test]
    fn every_answer_has_the_verdict_of_the_first_row_that_fits(
        action in prop::sample::select(vec![None, Some(Action::Accept), Some(Action::Decline), Some(Action::Cancel)]),
        latency in prop_oneof![0..4000u64, Just(1999), Just(2000), any::<u64>()],
        timed_out in any::<bool>(),
        errored in any::<bool>(),
    ) {
        let no = matches!(action, Some(Action::Decline | Action::Cancel));
        let rows = [
            (timed_out, Verdict::AdvertisedButUnanswered),
            (errored || action.is_none(), Verdict::Unsupported),
            (action == Some(Action::Accept), Verdict::Working),
            (no && latency < 2000, Verdict::AdvertisedButAutocanceled),
            (no && latency >= 2000, Verdict::UserDeclined),
        ];
        let expected = rows.iter().find(|(fits, _)| *fits).unwrap().1;
        prop_assert_eq!(classify(action, Duration::from_millis(latency), timed_out, errored), expected);
    }
}
