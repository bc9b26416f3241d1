//! The cost of checks by schemas beside that of parsing, on the shared corpus; see README.md.

#[path = "support/inputs.rs"]
mod inputs;

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use hcl_lr::{ConfigFile, parse};
use hcl_lr_language::schema::{Checker, Schema};
use inputs::Input;

/// The number of samples of each.
const SAMPLES: usize = 15;

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let Some(sources) = inputs::corpus() else {
        println!("no ../shared/corpus, nor ../corpus beside HCL_BENCH_DIR: nothing is measured");
        return;
    };
    let parsed = |input: &Input| parse::<ConfigFile>((input.name.as_str(), input.text.clone()));
    // Files without errors, with the language that their names say.
    let with_language = |input: Input| Schema::for_file(&input.name).map(|schema| (input, schema));
    let files: Vec<(Input, &Schema)> = sources.into_iter().filter_map(with_language).collect();
    let files: Vec<(Input, &Schema)> =
        files.into_iter().filter(|(input, _)| parsed(input).into_result().is_ok()).collect();
    let mut checkers: HashMap<&str, Checker> = HashMap::new();
    for (_, schema) in &files {
        checkers.entry(&schema.name).or_insert_with(|| Checker::new(schema));
    }
    let (mut parsing, mut checking) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        let start = Instant::now();
        let documents: Vec<ConfigFile> = files.iter().map(|(input, _)| parsed(input).into_value()).collect();
        parsing.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        for ((_, schema), document) in files.iter().zip(&documents) {
            black_box(checkers[schema.name.as_str()].check(document));
        }
        checking.push(start.elapsed().as_secs_f64());
    }
    let bytes: usize = files.iter().map(|(input, _)| input.text.len()).sum();
    let (parsing, checking) = (median(parsing), median(checking));
    println!("milliseconds for {} files of {bytes} bytes, the median", files.len());
    println!("parse {:8.2}", parsing * 1e3);
    println!("check {:8.2}, {:.2} times as long", checking * 1e3, checking / parsing);
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
