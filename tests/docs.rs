//! The documents that repeat what the code says: they must say the same.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_page_of_findings_is_what_the_table_says() {
    let mut page = String::from(
        "# Findings\n\nWhat a report can find odd. A code never changes its meaning; a later version may know more codes.\n\
         Generated from the table in `src/finding.rs` by `BLESS=1 cargo test --test docs`.\n\n\
         | code | severity | found when | source |\n|---|---|---|---|\n",
    );
    for rule in elicit_doctor::rules() {
        page += &format!("| `{}` | {} | {} | {} |\n", rule.code, rule.severity, rule.meaning, rule.source);
    }
    page += "\n# Diagnoses\n\nWhat a probe can say beside its verdict.\n\n| code | meaning |\n|---|---|\n";
    for diagnosis in elicit_doctor::diagnoses() {
        page += &format!("| `{}` | {} |\n", diagnosis.code, diagnosis.meaning);
    }
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md"), &page).unwrap();
    }
    assert_eq!(read("docs/findings.md"), page, "run `BLESS=1 cargo test --test docs`");
}

/// The snippets of the README are whole files, or the part of one between `README` marks, that other tests compile and
/// run; the Rust one is a doctest.
#[test]
fn the_snippets_of_the_readme_are_compiled() {
    let readme = read("README.md");
    let blocks = |language: &str| {
        let open = format!("```{language}\n");
        readme.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap().trim()).collect::<Vec<_>>()
    };
    assert_eq!(blocks("c"), [read("tests/c/readme.c").trim()]);
    let csharp = read("bindings/csharp/tests/ElicitDoctor.ModelContextProtocol.Tests/ReadmeExample.cs");
    let marked: Vec<String> = csharp
        .split("// README begins\n")
        .skip(1)
        .map(|rest| unindent(rest.split("// README ends").next().unwrap()))
        .collect();
    assert!(!marked.is_empty());
    assert_eq!(blocks("csharp"), marked.iter().map(|part| part.trim()).collect::<Vec<_>>());
    assert_eq!(blocks("rust").len(), 1);

    // The messages stand in the Rust snippet, between the marks of a raw string.
    let messages = blocks("rust")[0].split("r#\"").nth(1).unwrap().split("\"#").next().unwrap();
    let report = elicit_doctor::Report::from_handshake(messages.as_bytes()).unwrap();
    let parse = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    assert_eq!(parse(blocks("json")[0]), parse(report.json()));
}

fn unindent(code: &str) -> String {
    let indent =
        code.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    code.lines().map(|line| line.get(indent.unwrap_or(0)..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}
