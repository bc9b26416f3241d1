//! The speed of parsing, beside hcl-edit and tree-sitter-hcl; see README.md.
//!
//! Every parse starts with fresh buffers, and dropping what it gives is part of its time. The
//! stages take turns, so that a slow moment of the machine hits all of them; the median counts.

#[path = "support/inputs.rs"]
mod inputs;

use std::hint::black_box;
use std::time::Instant;

use inputs::Input;

/// The number of times the stages take turns, and below the number of samples each takes then.
const ROUNDS: usize = 9;
const SAMPLES_PER_ROUND: usize = 3;
/// A slow stage takes no more samples when it has had this much time.
const SECONDS_PER_STAGE: f64 = 1.0;
/// A sample repeats its work up to this size, so that the steps of the clock do not show.
const BYTES_PER_SAMPLE: usize = 1 << 16;

type Stage = fn(&str);

/// The copy of the source and its tokens only.
fn tokens(source: &str) {
    black_box(hcl_lr::syntax::stages::tokens(source));
}

/// The tree without a look at names that are used twice.
fn unvalidated(source: &str) {
    black_box(hcl_lr::syntax::stages::tree(source));
}

/// Parses with everything, as a user does. The diagnostics are dropped with the rest.
fn tree(source: &str) {
    drop(black_box(hcl_lr::parse::<hcl_lr::File>(source)));
}

fn hcl_edit(source: &str) {
    drop(black_box(hcl_edit::parser::parse_body(source)));
}

fn tree_sitter(source: &str) {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_hcl::LANGUAGE.into()).expect("the grammar fits the library");
    drop(black_box(parser.parse(source, None)));
}

const STAGES: [Stage; 5] = [tokens, unvalidated, tree, hcl_edit, tree_sitter];

fn main() {
    let inputs = inputs::inputs();
    println!("MB/s, the median; `x` is how many times as fast as hcl-edit or tree-sitter-hcl hcl-lr is.\n");
    println!("    bytes  tokens  lexer   tree  valid  ns/token  hcl-edit     x  tree-sitter     x");
    for Input { name, text } in &inputs {
        row(&[text], name);
    }
    match inputs::corpus() {
        Some(sources) => corpus(&sources),
        None => println!("\nno ../shared/corpus, nor ../corpus beside HCL_BENCH_DIR: the corpus is skipped"),
    }
    hundred_megabytes(&inputs);
}

fn row(sources: &[&str], name: &str) {
    let bytes: usize = sources.iter().map(|source| source.len()).sum();
    let count: usize = sources.iter().map(|source| hcl_lr::parse::<hcl_lr::File>(*source).value().tokens().len()).sum();
    let [lexer, unvalidated, tree, edit, sitter] = rates(sources, STAGES);
    let nanoseconds = bytes as f64 / tree * 1e3 / count as f64;
    print!("{bytes:9} {count:7} {lexer:6.0} {unvalidated:6.0} {tree:6.0} {nanoseconds:9.1}");
    if sources.iter().all(|source| hcl_edit::parser::parse_body(source).is_ok()) {
        print!(" {edit:9.1} {:5.1}", tree / edit);
    } else {
        print!("   rejects     -");
    }
    println!(" {sitter:12.1} {:5.1}  {name}", tree / sitter);
    for source in sources {
        if let Err(diagnostics) = hcl_lr::parse::<hcl_lr::File>(*source).into_result() {
            println!("          hcl-lr rejects it: {}", diagnostics.short().lines().next().unwrap_or_default());
        }
    }
}

/// Those files of the corpus that hcl-lr and hcl-edit both accept.
fn corpus(sources: &[Input]) {
    let (mut ours, mut edit, mut both) = (0, 0, Vec::new());
    for Input { text: source, .. } in sources {
        let ours_accepts = hcl_lr::parse::<hcl_lr::File>(source.as_str()).into_result().is_ok();
        let accepted = (ours_accepts, hcl_edit::parser::parse_body(source).is_ok());
        ours += usize::from(accepted.0);
        edit += usize::from(accepted.1);
        if accepted == (true, true) {
            both.push(source.as_str());
        }
    }
    row(&both, &format!("corpus, {} files that both accept", both.len()));
    println!("{} files in the corpus: hcl-lr accepts {ours}, hcl-edit {edit}", sources.len());
}

/// Measures the cost of a byte of a very large file, by turns with the same file a hundredth as large.
fn hundred_megabytes(inputs: &[Input]) {
    println!("\nA file of 100 MB against one of 1 MB, by the byte:");
    compare(&inputs::generated(1_000_000), &inputs::generated(100_000_000), "generated");
    if let Some(Input { text, .. }) = inputs.iter().find(|input| input.name.ends_with("large.tf")) {
        compare(text, &text.repeat(100_000_000 / text.len() + 1), "large.tf repeated");
    }
}

fn compare(small: &str, large: &str, name: &str) {
    let mut seconds = [const { Vec::new() }; 2];
    for _ in 0..7 {
        let start = Instant::now();
        (0..10).for_each(|_| tree(small));
        seconds[0].push(start.elapsed().as_secs_f64() / 10.0);
        let start = Instant::now();
        tree(large);
        seconds[1].push(start.elapsed().as_secs_f64());
    }
    let [small_seconds, large_seconds] = seconds.map(median);
    let small_rate = small.len() as f64 / small_seconds / 1e6;
    let large_rate = large.len() as f64 / large_seconds / 1e6;
    println!("{small_rate:5.0} MB/s and {large_rate:5.0} MB/s, a factor of {:.2}  {name}", small_rate / large_rate);
}

/// MB/s of each stage.
fn rates<const N: usize>(sources: &[&str], stages: [Stage; N]) -> [f64; N] {
    let bytes: usize = sources.iter().map(|source| source.len()).sum();
    let repeats = 1 + BYTES_PER_SAMPLE / bytes.max(1);
    let mut samples = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (stage, samples) in stages.iter().zip(&mut samples) {
            let measure = || {
                let start = Instant::now();
                (0..repeats).for_each(|_| sources.iter().for_each(|source| stage(source)));
                start.elapsed().as_secs_f64()
            };
            if samples.iter().sum::<f64>() < SECONDS_PER_STAGE {
                // The first one warms up.
                measure();
                samples.extend((0..SAMPLES_PER_ROUND).map(|_| measure()));
            }
        }
    }
    samples.map(|seconds| (bytes * repeats) as f64 / median(seconds) / 1e6)
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
