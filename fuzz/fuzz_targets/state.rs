//! Any text as a state that came back, and as the answers that came with one. An input is what is sealed, what the state
//! is changed by, and the `inputResponses` of a repeated request: only a state as it was sealed opens.
#![no_main]

use std::time::Duration;

use elicit_doctor::{
    Question, Report, StateOptions, Step, begin_round_trip, open_state, resume_round_trip, seal_state,
};
use elicit_doctor_fuzz::{host, parts};
use libfuzzer_sys::fuzz_target;

const NOW: Duration = Duration::from_secs(1_800_000_000);

fuzz_target!(|input: &[u8]| {
    let [payload, change, responses] = parts(input);
    let options = StateOptions {
        keys: &[[7; 32]],
        principal: "alice",
        tool: "book_table",
        arguments: b"{}",
        lifetime: Duration::from_secs(60),
    };
    let sealed = seal_state(&options, payload, NOW).expect("the options are whole");
    assert_eq!(open_state(&options, &sealed, NOW).as_deref(), Ok(payload));

    if let Ok(change) = std::str::from_utf8(change) {
        // The change takes the place of as much of the state, somewhere in it.
        let sum = payload.iter().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add((*byte).into()));
        let at = sum % (sealed.len() + 1);
        let end = (at + change.len()).min(sealed.len());
        for state in [change, &[&sealed[..at], change, &sealed[end..]].concat()] {
            if let Ok(opened) = open_state(&options, state, NOW) {
                assert_eq!(seal_state(&options, &opened, NOW).as_deref(), Ok(state), "opens, but was never sealed");
            }
        }
    }

    let (host, question) = (host(b"\x03"), Question::Form);
    let Ok(Step::Ask(asked)) = begin_round_trip(host, &question, &options, NOW) else {
        panic!("the host can be asked: {}", host.json());
    };
    let (_, state) = asked.rsplit_once("\"requestState\":").expect("the question has a state");
    let params = [br#"{"inputResponses":"#, responses, br#","requestState":"#, state.as_bytes()].concat();
    if let Ok(report) = resume_round_trip(host, &question, &options, &params, NOW) {
        assert_eq!(Report::parse(report.json().as_bytes()).as_ref(), Ok(&report), "{}", report.json());
    }
});
