//! Any text as an answer to any question. An input is the number of a host, the parameters and the result.
#![no_main]

use elicit_doctor::check_answer;
use elicit_doctor_fuzz::{check_findings, compact, host, parts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let [number, params, result] = parts(input);
    let findings = check_answer(host(number), params, result);
    if findings.is_ok() {
        check_findings(&findings, &check_answer(host(number), &compact(params), &compact(result)));
    }
});
