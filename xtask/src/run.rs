//! Carries out steps one after another, whatever becomes of each, and counts what passed and failed in them.

use std::io::{BufRead, BufReader, IsTerminal};
use std::ops::AddAssign;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// What one step, or all of them, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// The steps so far.
#[derive(Default)]
pub struct Run {
    done: Vec<(String, Counts, f64)>,
}

impl Run {
    /// Carries out a step. An error is one failure; so is a step that ran nothing, because a step exists to run something.
    pub fn step(&mut self, title: &str, body: impl FnOnce() -> Result<Counts>) {
        println!("\n{}", bold(&format!("== {title}")));
        let start = Instant::now();
        let counts = match body() {
            Ok(counts) if counts.passed + counts.failed == 0 => {
                println!("failed: this step ran no test");
                Counts { failed: 1, ..counts }
            }
            Ok(counts) => counts,
            Err(error) => {
                println!("failed: {error:#}");
                Counts { failed: 1, ..Counts::default() }
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        println!("-- {title}: {} ({seconds:.1} s)", with_skipped(counts));
        self.done.push((title.to_owned(), counts, seconds));
    }

    /// Carries out a step that is one command: it passes when the command succeeds.
    pub fn check(&mut self, title: &str, command: impl Into<Command>) {
        self.step(title, || check(command));
    }

    /// Carries out a step whose command runs tests; `counter` reads the counts out of those lines that have some.
    pub fn tests(&mut self, title: &str, command: impl Into<Command>, counter: impl FnMut(&str) -> Option<Counts>) {
        self.step(title, || tests(command, counter));
    }

    /// Prints every step and, last, the line `N passed, N failed`.
    pub fn finish(self) -> ExitCode {
        let width = self.done.iter().map(|(title, ..)| title.len()).max().unwrap_or(0);
        let mut total = Counts::default();
        println!("\n{}", bold("== Result"));
        for (title, counts, seconds) in &self.done {
            println!("{title:width$}  {seconds:6.1} s  {}", with_skipped(*counts));
            total += *counts;
        }
        if total.skipped > 0 {
            println!("{} skipped", total.skipped);
        }
        println!("{total}");
        if total.failed == 0 && total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a command that passes when it succeeds.
pub fn check(command: impl Into<Command>) -> Result<Counts> {
    let status = stream(command, |_| ())?;
    if !status.success() {
        bail!("the command ended with {status}");
    }
    Ok(Counts { passed: 1, ..Counts::default() })
}

/// Runs a command that runs tests. A command that fails without saying that a test failed counts as one failure.
pub fn tests(command: impl Into<Command>, mut counter: impl FnMut(&str) -> Option<Counts>) -> Result<Counts> {
    let mut counts = Counts::default();
    let status = stream(command, |line| {
        if let Some(more) = counter(line) {
            counts += more;
        }
    })?;
    if !status.success() && counts.failed == 0 {
        println!("failed: the command ended with {status}, yet no test said that it failed");
        counts.failed = 1;
    }
    Ok(counts)
}

/// Runs a command, prints what it writes to either stream line by line, and shows each line to `see`.
pub fn stream(command: impl Into<Command>, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut command = command.into();
    println!("$ {}", shown(&command));
    let (output, writer) = std::io::pipe().context("no pipe for the output of the command")?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| missing(&command.get_program().to_string_lossy()))?;
    // The command holds both writing ends: while it lives, the output never ends.
    drop(command);
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        println!("    {text}");
        see(text);
        line.clear();
    }
    Ok(child.wait()?)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn missing(program: &str) -> String {
    let what = match program {
        "dotnet" => "the .NET SDK 10",
        "node" | "npm" => "Node.js 20 or later",
        "cc" => "a C compiler (or name one in CC)",
        "c++" => "a C++ compiler (or name one in CXX)",
        "cargo" => "Rust",
        _ => "it",
    };
    format!("`{program}` cannot be started: install {what} and put it on the PATH")
}

fn with_skipped(counts: Counts) -> String {
    match counts.skipped {
        0 => counts.to_string(),
        skipped => format!("{counts}, {skipped} skipped"),
    }
}

fn bold(text: &str) -> String {
    if std::io::stdout().is_terminal() { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// The number at the start of `text`.
pub fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())].parse().ok()
}

/// Counts as this program itself prints them: `N passed, N failed`.
pub fn plain(line: &str) -> Option<Counts> {
    let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
    Some(Counts { passed: passed.parse().ok()?, failed: failed.parse().ok()?, skipped: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_step_that_runs_nothing_fails() {
        let mut run = Run::default();
        run.step("empty", || Ok(Counts::default()));
        assert_eq!(run.done[0].1, Counts { passed: 0, failed: 1, skipped: 0 });
    }

    #[test]
    fn an_error_is_one_failure_and_later_steps_still_run() {
        let mut run = Run::default();
        run.step("broken", || bail!("no"));
        run.step("whole", || Ok(Counts { passed: 2, ..Counts::default() }));
        assert_eq!(run.done.iter().map(|step| step.1.failed).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(run.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn a_run_without_steps_fails() {
        assert_eq!(Run::default().finish(), ExitCode::FAILURE);
    }

    #[cfg(unix)]
    #[test]
    fn counts_come_from_both_streams_of_a_command() {
        let counts = tests(shell("echo '2 passed, 0 failed'; echo '3 passed, 1 failed' >&2; exit 1"), plain).unwrap();
        assert_eq!(counts, Counts { passed: 5, failed: 1, skipped: 0 });
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_fails_although_its_tests_passed_is_a_failure() {
        let counts = tests(shell("echo '2 passed, 0 failed'; kill -SEGV $$"), plain).unwrap();
        assert_eq!(counts, Counts { passed: 2, failed: 1, skipped: 0 });
    }

    #[test]
    fn a_missing_program_is_named_with_what_to_install() {
        let error = check(Command::new("a-program-that-nobody-has")).unwrap_err();
        assert!(error.to_string().contains("`a-program-that-nobody-has` cannot be started: install"), "{error}");
    }

    #[test]
    fn plain_counts_are_read_only_from_a_line_of_their_own() {
        assert_eq!(plain("12 passed, 3 failed"), Some(Counts { passed: 12, failed: 3, skipped: 0 }));
        assert_eq!(plain("report: 12 passed, 3 failed"), None);
        assert_eq!(plain("12 passed"), None);
    }
}
