//! The Rust tests under the sanitizers of nightly: addresses and leaks everywhere, races where there are threads.

use anyhow::{Context, Result, bail};
use xshell::{Cmd, cmd};

use crate::run::{self, Run};
use crate::rust::libtest;
use crate::workspace::Workspace;

/// Sanitizers need the target named, so that build scripts and macros are built without them.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Where several threads meet: the engine and the ABI.
const THREADED: [&str; 4] = ["--test", "engine", "--test", "abi"];

/// What ThreadSanitizer has to be told, and why.
const TSAN: &str = "xtask/tsan";

pub fn sanitize(workspace: &Workspace, run: &mut Run) {
    run.step("AddressSanitizer and LeakSanitizer", || {
        nightly(workspace)?;
        run::tests(addresses_and_leaks(workspace), libtest)
    });
    run.step("ThreadSanitizer", || {
        nightly(workspace)?;
        run::tests(races(workspace)?, libtest)
    });
}

fn addresses_and_leaks(workspace: &Workspace) -> Cmd<'_> {
    let Workspace { sh, target, .. } = workspace;
    cmd!(sh, "cargo +nightly test --no-fail-fast --target {TARGET} --lib --tests")
        .env("CARGO_TARGET_DIR", target.join("sanitize").join("address"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1")
}

fn races(workspace: &Workspace) -> Result<Cmd<'_>> {
    let Workspace { sh, target, root } = workspace;
    let target = target.join("sanitize").join("thread");
    let lock = contended_lock(workspace)?;
    let object = sh.create_dir(&target)?.join("mutex.o");
    run::check(cmd!(sh, "cc -c -DLOCK=__real_{lock} -DLOCKED=__wrap_{lock} {TSAN}/mutex.c -o {object}"))?;
    let flags = [
        "-Zsanitizer=thread".to_owned(),
        // The standard library comes without the sanitizer.
        "-Cunsafe-allow-abi-mismatch=sanitizer".to_owned(),
        format!("-Clink-arg={}", object.display()),
        format!("-Clink-arg=-Wl,--wrap={lock}"),
    ];
    let suppressions = root.join(TSAN).join("suppressions");
    // One test at a time: what the harness does meanwhile would count too.
    Ok(cmd!(sh, "cargo +nightly test --no-fail-fast --target {TARGET} {THREADED...} -- --test-threads=1")
        .env("CARGO_TARGET_DIR", target)
        // Not RUSTFLAGS, which splits paths at spaces.
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env("TSAN_OPTIONS", format!("suppressions='{}'", suppressions.display())))
}

/// The symbol of the standard library's function that waits for a mutex.
fn contended_lock(workspace: &Workspace) -> Result<String> {
    let sh = &workspace.sh;
    let folder = cmd!(sh, "rustc +nightly --print target-libdir --target {TARGET}").quiet().read()?;
    let mut files = sh.read_dir(&folder)?.into_iter();
    let library = files
        .find(|file| {
            file.extension().is_some_and(|it| it == "so")
                && file.file_stem().is_some_and(|it| it.to_string_lossy().starts_with("libstd-"))
        })
        .with_context(|| format!("no libstd-*.so in {folder}"))?;
    let symbols = cmd!(sh, "nm --dynamic --defined-only {library}").quiet().read()?;
    let is_it = |symbol: &&str| symbol.contains("5mutex5futex") && symbol.ends_with("14lock_contended");
    let symbol = symbols.lines().filter_map(|line| line.split_whitespace().last()).find(is_it);
    symbol.map(str::to_owned).with_context(|| {
        format!("{} has no Mutex::lock_contended: see {TSAN}/mutex.c for what it is needed for", library.display())
    })
}

fn nightly(workspace: &Workspace) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("the sanitizers run on x86-64 Linux only");
    }
    let version = cmd!(workspace.sh, "cargo +nightly --version").quiet().ignore_stderr().read();
    version.map(drop).context("the sanitizers need a nightly toolchain: `rustup toolchain install nightly`")
}
