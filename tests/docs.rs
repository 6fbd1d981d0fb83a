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

/// The C# code of a page stands between marks with the page's name in a file that is compiled and run with the tests.
#[test]
fn the_csharp_snippets_of_the_pages_are_compiled() {
    let tests = "bindings/csharp/tests/ElicitDoctor.ModelContextProtocol.Tests";
    for (page, mark, file) in [
        ("README.md", "README", "ReadmeExample.cs"),
        ("docs/dotnet-patterns.md", "dotnet-patterns", "PatternExamples.cs"),
    ] {
        let (text, code) = (read(page), read(&format!("{tests}/{file}")));
        let (shown, compiled) = (blocks(&text, "csharp"), marked(&code, mark));
        assert!(!shown.is_empty(), "{page} has no C#");
        for (shown, compiled) in shown.iter().zip(&compiled) {
            assert_eq!(shown, compiled, "{page} shows what {file} does not have there");
        }
        assert_eq!(shown.len(), compiled.len(), "{page} and {file} do not have equally many snippets");
    }
}

/// The other snippets of the README are whole files that other tests compile and run; the Rust one is a doctest.
#[test]
fn the_snippets_of_the_readme_are_compiled() {
    let readme = read("README.md");
    assert_eq!(blocks(&readme, "c"), [read("tests/c/readme.c").trim()]);
    let rust = blocks(&readme, "rust");
    assert_eq!(rust.len(), 1);

    // The messages stand in the Rust snippet, between the marks of a raw string.
    let messages = rust[0].split("r#\"").nth(1).unwrap().split("\"#").next().unwrap();
    let report = elicit_doctor::Report::from_handshake(messages.as_bytes()).unwrap();
    let parse = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
    assert_eq!(parse(blocks(&readme, "json")[0]), parse(report.json()));
}

/// The code of a page in one language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let open = format!("```{language}\n");
    page.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap().trim()).collect()
}

/// What stands between `// MARK begins` and `// MARK ends`.
fn marked(code: &str, mark: &str) -> Vec<String> {
    let (begins, ends) = (format!("// {mark} begins\n"), format!("// {mark} ends"));
    code.split(&begins).skip(1).map(|rest| unindent(rest.split(&ends).next().unwrap()).trim().to_owned()).collect()
}

fn unindent(code: &str) -> String {
    let indent =
        code.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    code.lines().map(|line| line.get(indent.unwrap_or(0)..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}
