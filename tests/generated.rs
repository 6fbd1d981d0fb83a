//! The files that are generated from `src/ffi`: the C header and C#'s raw layer. `BLESS=1` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a committed file with what it should be, and rewrites it under `BLESS=1`.
fn check(path: &str, expected: &str) {
    let file = root().join(path);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, expected).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == expected, "{path} is not what src/ffi generates: run `BLESS=1 cargo test --test generated`");
}

fn ffi_sources() -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> =
        fs::read_dir(root().join("src/ffi")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    sources
}

#[test]
fn the_header_is_what_the_sources_generate() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config).with_src(root().join("src/ffi/mod.rs"));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    check("include/elicit_doctor.h", &String::from_utf8(header).unwrap());
}

#[test]
fn the_raw_layer_of_csharp_is_what_the_sources_generate() {
    let builder = ffi_sources()
        .into_iter()
        .fold(csbindgen::Builder::default(), |builder, source| builder.input_extern_file(source));
    let target = std::env::temp_dir().join(format!("elicit-doctor-{}.g.cs", std::process::id()));
    builder
        .csharp_dll_name("elicit_doctor")
        .csharp_namespace("ElicitDoctor.Interop")
        .csharp_class_name("NativeMethods")
        .always_included_types(["ElicitAction", "ElicitMode", "ElicitSeverity"])
        .csharp_generate_const_filter(|name| name.starts_with("ELICIT_"))
        .generate_csharp_file(&target)
        .unwrap();
    let generated = fs::read_to_string(&target).unwrap();
    fs::remove_file(&target).unwrap();

    // Pure, without allocation and done in nanoseconds: the runtime may stay in cooperative mode.
    const QUICK: &[&str] = &[
        "elicit_classify",
        "elicit_findings_len",
        "elicit_report_delivery",
        "elicit_report_findings",
        "elicit_report_json",
        "elicit_report_revision",
        "elicit_report_support",
    ];
    let generated = QUICK.iter().fold(generated, |generated, name| {
        let import = format!(r#"[DllImport(__DllName, EntryPoint = "{name}""#);
        assert_eq!(generated.matches(&import).count(), 1, "{name} is not imported as expected");
        generated.replace(&import, &format!("[SuppressGCTransition]\n        {import}"))
    });
    check("bindings/csharp/ElicitDoctor/Interop/NativeMethods.g.cs", &generated);
}
