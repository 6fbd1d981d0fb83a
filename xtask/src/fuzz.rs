//! Fuzzing: each target for so many seconds, from what hosts really sent.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::{Value, json};
use xshell::cmd;

use crate::run::{self, Counts, Run, leading_number};
use crate::workspace::Workspace;

const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";
const CASES: &str = "tests/data/field-cases.json";

/// A target in `fuzz/fuzz_targets`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Any text as a handshake or a report.
    Handshake,
    /// Any text as the parameters of a request.
    Request,
    /// Any text as the answer to a question.
    Answer,
    /// Any text as sealed state and what comes back with it.
    State,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Target::Handshake => "handshake",
            Target::Request => "request",
            Target::Answer => "answer",
            Target::State => "state",
        }
    }
}

pub fn fuzz(workspace: &Workspace, run: &mut Run, seconds: u32, only: Option<Target>) {
    for target in Target::value_variants() {
        if only.is_none_or(|only| only == *target) {
            run.step(&format!("Fuzzing {} for {seconds} s", target.name()), || fuzzed(workspace, *target, seconds));
        }
    }
}

fn fuzzed(workspace: &Workspace, target: Target, seconds: u32) -> Result<Counts> {
    let sh = &workspace.sh;
    cmd!(sh, "cargo +nightly --version")
        .quiet()
        .ignore_stderr()
        .read()
        .context("fuzzing needs a nightly toolchain: `rustup toolchain install nightly`")?;
    let cargo_fuzz = cargo_fuzz(workspace)?;
    let name = target.name();
    let folder = workspace.target.join("fuzz");
    let corpus = sh.create_dir(folder.join("corpus").join(name))?;
    let artifacts = sh.create_dir(folder.join("artifacts").join(name))?;
    for (id, seed) in seeds(workspace, target)? {
        sh.write_file(corpus.join(id), seed)?;
    }
    let time = format!("-max_total_time={seconds}");
    let artifact_prefix = format!("-artifact_prefix={}/", artifacts.display());
    let dictionary = format!("-dict={}", workspace.root.join("fuzz/elicitation.dict").display());
    // The plug-in's own name goes first, as cargo would call it; the toolchain is chosen by the variable.
    let fuzzer = cmd!(
        sh,
        "{cargo_fuzz} fuzz run {name} {corpus} -- {time} -timeout=10 -max_len=8192 -print_final_stats=1 {dictionary} {artifact_prefix}"
    )
    .env("RUSTUP_TOOLCHAIN", "nightly")
    .env("CARGO_TARGET_DIR", folder.join("build"));
    let mut executions = None;
    let status = run::stream(fuzzer, |line| executions = executed(line).or(executions))?;
    if !status.success() {
        bail!(
            "the fuzzer ended with {status}: what it found, or what it lacks, stands above; an input that it found is in \
             {}, and belongs into a test",
            artifacts.display()
        );
    }
    let executions = executions.context("the fuzzer did not say how much it ran")?;
    println!("{name}: {executions} executions");
    Ok(Counts { passed: 1, ..Counts::default() })
}

/// Where `cargo fuzz` is: installed already, or installed now into the target folder.
fn cargo_fuzz(workspace: &Workspace) -> Result<PathBuf> {
    let Workspace { sh, target, root } = workspace;
    if cmd!(sh, "cargo fuzz --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        return Ok(PathBuf::from("cargo-fuzz"));
    }
    let tools = target.join("tools");
    let program = tools.join("bin").join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        // `cargo install` looks for a configuration only at home.
        let config = root.join(".cargo/config.toml");
        let build = tools.join("build");
        run::check(cmd!(
            sh,
            "cargo install --locked --config {config} --root {tools} --target-dir {build} {CARGO_FUZZ}"
        ))
        .with_context(|| format!("cargo-fuzz cannot be installed; install it by `cargo install {CARGO_FUZZ}`"))?;
    }
    Ok(program)
}

/// The line of libFuzzer's closing statistics with the number of executions.
fn executed(line: &str) -> Option<u64> {
    leading_number(line.strip_prefix("stat::number_of_executed_units:")?)
}

/// What the field cases have for a target, with the name of the case.
fn seeds(workspace: &Workspace, target: Target) -> Result<Vec<(String, Vec<u8>)>> {
    let cases = read_cases(&workspace.root.join(CASES))?;
    let seeds: Vec<_> = cases
        .iter()
        .flat_map(|case| {
            let id = case["id"].as_str().unwrap_or_default();
            of_case(target, case).into_iter().enumerate().map(move |(i, seed)| (format!("{id}-{i}"), seed))
        })
        .collect();
    if seeds.is_empty() {
        bail!("{CASES} has nothing for {}", target.name());
    }
    Ok(seeds)
}

fn read_cases(file: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no array of cases", file.display()))
}

fn of_case(target: Target, case: &Value) -> Vec<Vec<u8>> {
    let input = &case["input"];
    let is_kind = |kind: &str| case["kind"] == kind;
    match target {
        Target::Handshake if is_kind("handshake") => vec![input.to_string().into_bytes()],
        // One for each of the hosts of the fuzz targets.
        Target::Request if input["request"].is_object() => {
            let request = &input["request"];
            (b'0'..b'4')
                .flat_map(|host| [request, &request["params"]].map(|text| parts(&[&[host], &bytes(text)])))
                .collect()
        }
        Target::Answer if is_kind("probe") => match answer(input) {
            Some(answer) => {
                (b'0'..b'4').map(|host| parts(&[&[host], &bytes(&question(input)), &bytes(answer)])).collect()
            }
            None => Vec::new(),
        },
        Target::State if is_kind("probe") => match answer(input) {
            Some(answer) => {
                vec![parts(&[&bytes(&question(input)), b"AQAA", &bytes(&json!({ "elicit_doctor": answer }))])]
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn answer(input: &Value) -> Option<&Value> {
    let outcome = &input["outcome"];
    outcome.get("result").or_else(|| outcome.get("error"))
}

fn question(input: &Value) -> Value {
    let schema = input.get("requestedSchema").cloned().unwrap_or_else(|| {
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 40},
                "mail": {"type": "string", "format": "email", "title": "Your address"},
                "guests": {"type": "integer", "minimum": 1, "maximum": 12, "default": 2},
                "tags": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "maxItems": 2},
            },
        })
    });
    json!({"mode": input["mode"], "message": "m", "requestedSchema": schema})
}

fn bytes(json: &Value) -> Vec<u8> {
    json.to_string().into_bytes()
}

/// The parts of an input as the fuzz targets divide it.
fn parts(parts: &[&[u8]]) -> Vec<u8> {
    parts.join(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_program_and_seeds() {
        let workspace = Workspace::new().unwrap();
        for target in Target::value_variants() {
            let program = workspace.root.join("fuzz/fuzz_targets").join(format!("{}.rs", target.name()));
            assert!(program.is_file(), "{}", program.display());
            assert!(seeds(&workspace, *target).unwrap().len() > 4, "{}", target.name());
        }
    }

    #[test]
    fn a_seed_of_an_answer_has_a_host_a_question_and_an_answer() {
        let case = json!({"kind": "probe", "input": {"mode": "form", "outcome": {"result": {"action": "decline"}}}});
        let seeds = of_case(Target::Answer, &case);
        let parts: Vec<&[u8]> = seeds[0].split(|byte| *byte == 0).collect();
        assert_eq!(parts[0], b"0");
        assert_eq!(serde_json::from_slice::<Value>(parts[1]).unwrap()["mode"], "form");
        assert_eq!(parts[2], br#"{"action":"decline"}"#);
    }

    #[test]
    fn executions_are_read_from_the_closing_statistics() {
        assert_eq!(executed("stat::number_of_executed_units: 4711"), Some(4711));
        assert_eq!(executed("#4711 DONE cov: 1"), None);
    }
}
