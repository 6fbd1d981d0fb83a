//! How long a report takes, beside `serde_json` building and printing the same handshake as values. Prints the ratio.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use elicit_doctor::{Action, Report, classify};

const HANDSHAKE: &str = r#"{"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"claude-code","title":"Claude Code","version":"2.1.332","description":"Anthropic's agentic coding tool","websiteUrl":"https://claude.com/claude-code"}},"response":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"StdioServer","version":"1.0.0"}}}}"#;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let report = Report::from_handshake(HANDSHAKE.as_bytes()).unwrap();

    let mut group = criterion.benchmark_group("report");
    group.throughput(Throughput::Bytes(HANDSHAKE.len() as u64));
    group.bench_function("from_handshake", |bencher| {
        bencher.iter(|| Report::from_handshake(black_box(HANDSHAKE.as_bytes())).unwrap())
    });
    group.bench_function("parse", |bencher| {
        bencher.iter(|| Report::parse(black_box(report.json().as_bytes())).unwrap())
    });
    group.bench_function("serde_json_value", |bencher| {
        bencher.iter(|| {
            let value: serde_json::Value = serde_json::from_str(black_box(HANDSHAKE)).unwrap();
            (value["initialize"]["request"]["capabilities"]["elicitation"]["form"].is_object(), value.to_string())
        })
    });
    group.finish();
    criterion.bench_function("classify", |bencher| {
        bencher.iter(|| {
            classify(
                black_box(Some(Action::Cancel)),
                black_box(Duration::from_millis(8)),
                black_box(false),
                black_box(false),
            )
        })
    });
    criterion.final_summary();

    print_ratio("report/from_handshake", "report/serde_json_value");
    print_ratio("report/parse", "report/serde_json_value");
}

/// Prints how the mean times of two benchmarks relate, where this run measured them.
fn print_ratio(ours: &str, other: &str) {
    let mean = |name: &str| {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let file = Path::new(&target).join("criterion").join(name).join("new/estimates.json");
        let estimates: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
        estimates["mean"]["point_estimate"].as_f64()
    };
    if let (Some(ours_ns), Some(other_ns)) = (mean(ours), mean(other)) {
        println!("ratio {ours} / {other}: {:.2} ({ours_ns:.0} ns / {other_ns:.0} ns)", ours_ns / other_ns);
    }
}
