//! C and C++ programs against `include/elicit_doctor.h` and the release library.
//!
//! Each `tests/c/*.c` and `tests/cpp/*.cpp` is one program. It prints how many of its tests passed and failed; one that
//! prints no such line, as the README's example, is one test that passes when the program succeeds.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::cmd;

use crate::run::{self, Counts, Run};
use crate::workspace::Workspace;

/// What valgrind counts as a leak and is none.
const SUPPRESSIONS: &str = "tests/c/valgrind.supp";

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

struct Language {
    title: &'static str,
    folder: &'static str,
    extension: &'static str,
    compiler: String,
    standard: &'static str,
}

#[derive(Clone, Copy)]
enum Linking {
    Dynamic,
    Static,
}

pub fn test(workspace: &Workspace, run: &mut Run) {
    let sh = &workspace.sh;
    let compiler = |variable: &str, usual: &str| std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    let languages = [
        Language {
            title: "C",
            folder: "tests/c",
            extension: "c",
            compiler: compiler("CC", "cc"),
            standard: "-std=c99",
        },
        Language {
            title: "C++",
            folder: "tests/cpp",
            extension: "cpp",
            compiler: compiler("CXX", "c++"),
            standard: "-std=c++17",
        },
    ];
    run.check("Release library", cmd!(sh, "cargo build --release --lib"));
    for language in &languages {
        run.step(&format!("{} tests", language.title), || test_language(workspace, language));
    }
}

fn test_language(workspace: &Workspace, language: &Language) -> Result<Counts> {
    let sources = sources(workspace, language)?;
    let valgrind = cmd!(workspace.sh, "valgrind --version").quiet().ignore_stderr().read().is_ok();
    let mut counts = Counts::default();
    for source in &sources {
        for linking in [Linking::Dynamic, Linking::Static] {
            match program(workspace, language, source, linking) {
                Ok(program) => {
                    counts += run_program(workspace, &program)?;
                    if let (true, Linking::Dynamic) = (valgrind, linking) {
                        counts += without_leaks(workspace, &program)?;
                    }
                }
                Err(error) => {
                    println!("failed: {error:#}");
                    counts.failed += 1;
                }
            }
        }
    }
    if !valgrind {
        println!("skipped: valgrind is not installed, so no program was searched for leaks");
        counts.skipped += sources.len() as u64;
    }
    Ok(counts)
}

fn sources(workspace: &Workspace, language: &Language) -> Result<Vec<PathBuf>> {
    let entries = workspace.sh.read_dir(language.folder)?;
    let sources: Vec<_> =
        entries.into_iter().filter(|path| path.extension().is_some_and(|it| it == language.extension)).collect();
    if sources.is_empty() {
        bail!("{} has no *.{} file", language.folder, language.extension);
    }
    Ok(sources)
}

/// Compiles one program and says where it is.
fn program(workspace: &Workspace, language: &Language, source: &Path, linking: Linking) -> Result<PathBuf> {
    let Workspace { sh, target, root } = workspace;
    let Language { compiler, standard, .. } = language;
    let release = target.join("release");
    let name = source.file_stem().context("a source file without a name")?;
    let (suffix, link): (_, Vec<String>) = match linking {
        Linking::Dynamic => {
            let release = release.display();
            ("", vec![format!("-L{release}"), "-lelicit_doctor".into(), format!("-Wl,-rpath,{release}")])
        }
        Linking::Static => {
            let archive = release.join("libelicit_doctor.a").display().to_string();
            let system: &[&str] = if cfg!(target_os = "linux") { &["-lpthread", "-ldl", "-lm"] } else { &[] };
            ("-static", std::iter::once(archive).chain(system.iter().map(|&it| it.to_owned())).collect())
        }
    };
    let folder = sh.create_dir(target.join("xtask").join(language.extension))?;
    let program = folder.join(format!("{}{suffix}", name.display()));
    let source = source.strip_prefix(root).unwrap_or(source);
    run::check(cmd!(
        sh,
        "{compiler} {standard} {WARNINGS...} -g -pthread -Iinclude -Itests/c {source} -o {program} {link...}"
    ))?;
    Ok(program)
}

fn run_program(workspace: &Workspace, program: &Path) -> Result<Counts> {
    let counts = run::tests(cmd!(workspace.sh, "{program}"), run::plain)?;
    Ok(if counts == Counts::default() { Counts { passed: 1, ..counts } } else { counts })
}

fn without_leaks(workspace: &Workspace, program: &Path) -> Result<Counts> {
    let sh = &workspace.sh;
    run::check(cmd!(
        sh,
        "valgrind --quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all --error-exitcode=99
         --suppressions={SUPPRESSIONS} {program}"
    ))
}
