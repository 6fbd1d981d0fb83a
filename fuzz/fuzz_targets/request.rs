//! Any text as the parameters of a request. An input is the number of a host and the parameters.
#![no_main]

use elicit_doctor::check_request;
use elicit_doctor_fuzz::{check_findings, compact, host, parts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let [number, params] = parts(input);
    let findings = check_request(host(number), params);
    if findings.is_ok() {
        check_findings(&findings, &check_request(host(number), &compact(params)));
    }
});
