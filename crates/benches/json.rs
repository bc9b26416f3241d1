//! The speed of reading JSON documents, beside serde_json and, if a Go toolchain is installed, the reader of the
//! official engine; see README.md.
//!
//! Both start from a text and drop what they give; the reader of this project copies the text into
//! its document besides. They take turns, and the median counts.

#[path = "support/inputs.rs"]
mod inputs;
#[path = "support/official.rs"]
mod official;

use std::hint::black_box;
use std::time::Instant;

use hcl_lr::json::Document;
use hcl_lr::parse;
use inputs::Input;
use official::Official;

/// The number of samples of each.
const SAMPLES: usize = 41;
/// A sample repeats its work up to this size, so that the steps of the clock do not show.
const BYTES_PER_SAMPLE: usize = 1 << 18;
/// The official engine takes long, and is asked for fewer samples, and not of the largest input.
const OFFICIAL_SAMPLES: usize = 11;
const LARGEST_FOR_OFFICIAL: usize = 20_000_000;

fn ours(text: &str) {
    drop(black_box(parse::<Document>(("", text))));
}

fn serde_json(text: &str) {
    drop(black_box(serde_json::from_str::<serde_json::Value>(text)));
}

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let mut official = Official::start();
    if official.is_none() {
        println!("no Go toolchain, or it cannot build crates/benches/go: the official engine is SKIPPED\n");
    }
    println!("MB/s, the median; `x` is how many times as fast hcl-lr is.\n");
    println!("    bytes  hcl-lr  serde_json     x  official     x");
    for Input { name, text } in &json_inputs() {
        assert!(parse::<Document>((name, text.as_str())).diagnostics().is_empty());
        let [ours, theirs] = rates(text, [ours, serde_json]);
        let go = official.as_mut().filter(|_| text.len() <= LARGEST_FOR_OFFICIAL).map(|official| {
            let question = serde_json::json!({ "kind": "json", "source": text, "samples": OFFICIAL_SAMPLES });
            text.len() as f64 / median(official.ask(&question).seconds) / 1e6
        });
        let go = go.map_or_else(|| format!("{:9} {:5}", "-", "-"), |rate| format!("{rate:9.1} {:5.1}", ours / rate));
        println!("{:9} {ours:7.0} {theirs:11.0} {:5.2} {go}  {name}", text.len(), ours / theirs);
    }
}

/// Generated documents, always the same, and the shared one if it is there.
fn json_inputs() -> Vec<Input> {
    let mut inputs = vec![
        Input { name: "resources, indented".into(), text: resources(1_000, "\n", "  ") },
        Input { name: "resources, in one line".into(), text: resources(1_000, "", "") },
        Input { name: "numbers".into(), text: numbers(50_000) },
        Input { name: "strings with escapes".into(), text: escapes(10_000) },
        Input { name: "resources, 200 MB".into(), text: resources(780_000, "\n", "  ") },
    ];
    let shared = inputs::bench_folder().map(|folder| folder.join("large.tf.json"));
    match shared.and_then(|path| std::fs::read_to_string(path).ok()) {
        Some(text) => inputs.push(Input { name: "shared large.tf.json".into(), text }),
        None => println!("no large.tf.json in ../shared/bench or HCL_BENCH_DIR: it is skipped"),
    }
    inputs
}

fn resources(count: usize, newline: &str, indent: &str) -> String {
    let mut text = format!("{{{newline}{indent}\"resource\": {{");
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        let [one, two, three] = [2, 3, 4].map(|depth| format!("{newline}{}", indent.repeat(depth)));
        text.push_str(&format!(
            "{comma}{one}\"server_{index}\": {{{two}\"name\": \"web-{index}.example.org\",{two}\"size\": {index},\
             {two}\"enabled\": true,{two}\"tags\": {{{three}\"team\": \"${{var.team}}\",{three}\"stage\": \"production\"\
             {two}}},{two}\"ports\": [80, 443, 8080],{two}\"owner\": null{one}}}"
        ));
    }
    text.push_str(&format!("{newline}{indent}}}{newline}}}{newline}"));
    text
}

fn numbers(count: usize) -> String {
    let numbers: Vec<String> = (0..count).map(|index| format!("{index}.{}e-{}", index * 7, index % 30)).collect();
    format!("[{}]", numbers.join(", "))
}

fn escapes(count: usize) -> String {
    let strings: Vec<String> =
        (0..count).map(|index| format!(r#""line {index}\n\"quoted\" \u00e9 and C:\\path\t""#)).collect();
    format!("[{}]", strings.join(",\n"))
}

fn rates<const N: usize>(text: &str, stages: [fn(&str); N]) -> [f64; N] {
    let repeats = 1 + BYTES_PER_SAMPLE / text.len().max(1);
    let samples_each = if text.len() > 10_000_000 { 5 } else { SAMPLES };
    let mut samples = [const { Vec::new() }; N];
    for _ in 0..samples_each {
        for (stage, samples) in stages.iter().zip(&mut samples) {
            let start = Instant::now();
            (0..repeats).for_each(|_| stage(text));
            samples.push(start.elapsed().as_secs_f64());
        }
    }
    samples.map(|seconds| (text.len() * repeats) as f64 / median(seconds) / 1e6)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
