//! The speed of parsing in this checkout beside that of an earlier commit and of hcl-edit, measured by turns in one
//! process; `crates/benches/README.md` says how to build and run it.

use std::hint::black_box;
use std::time::Instant;
use std::{env, fs};

/// The number of samples of each parser and input, taken by turns.
const SAMPLES: usize = 41;
/// A sample repeats its work up to this size.
const BYTES_PER_SAMPLE: usize = 1 << 20;

type Parser = (&'static str, fn(&str));

const PARSERS: [Parser; 3] = [
    ("now", |source| drop(black_box(now::parse::<now::File>(source)))),
    ("before", |source| drop(black_box(before::parse(source)))),
    ("hcl-edit", |source| drop(black_box(hcl_edit::parser::parse_body(source)))),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.split_first() {
        Some((once, [parser, repeats, files @ ..])) if once == "once" => {
            let (_, parse) = PARSERS.iter().find(|(name, _)| name == parser).expect("now, before or hcl-edit");
            let repeats: usize = repeats.parse().expect("a number of repeats");
            let sources: Vec<String> = files.iter().map(|file| read(file)).collect();
            (0..repeats).for_each(|_| sources.iter().for_each(|source| parse(source)));
        }
        _ => compare(&arguments),
    }
}

/// Prints a line for each file, and one for all files of each folder together.
fn compare(paths: &[String]) {
    println!("MB/s, the median; ratios are those of the medians, and of the best samples\n");
    println!("      now   before    now/before  best   hcl-edit  now/hcl-edit");
    for path in paths {
        let sources: Vec<String> = if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            files(path).iter().map(|file| read(file)).filter(|source| all_accept(source)).collect()
        } else {
            vec![read(path)]
        };
        row(path, &sources);
    }
}

fn row(name: &str, sources: &[String]) {
    let bytes: usize = sources.iter().map(String::len).sum();
    let repeats = 1 + BYTES_PER_SAMPLE / bytes.max(1);
    let mut samples = PARSERS.map(|_| Vec::new());
    for round in 0..=SAMPLES {
        for (index, ((parser, parse), samples)) in PARSERS.iter().zip(&mut samples).enumerate() {
            // The slow one is measured less often.
            if *parser == "hcl-edit" && round % 8 != 0 {
                continue;
            }
            let repeats = if index == 2 { repeats.div_ceil(8) } else { repeats };
            let start = Instant::now();
            (0..repeats).for_each(|_| sources.iter().for_each(|source| parse(source)));
            let seconds = start.elapsed().as_secs_f64();
            // The first round warms up.
            if round > 0 {
                samples.push((bytes * repeats) as f64 / seconds / 1e6);
            }
        }
    }
    samples.iter_mut().for_each(|samples| samples.sort_by(f64::total_cmp));
    let [now, before, edit] = samples.each_ref().map(|samples| samples[samples.len() / 2]);
    let [best_now, best_before, _] = samples.each_ref().map(|samples| samples[samples.len() - 1]);
    let (ratio, best, faster) = (now / before, best_now / best_before, now / edit);
    println!("{now:9.1} {before:8.1} {ratio:13.3} {best:5.3} {edit:10.1} {faster:13.1}  {name}");
}

fn all_accept(source: &str) -> bool {
    now::parse::<now::File>(source).into_result().is_ok()
        && before::parse(source).into_result().is_ok()
        && hcl_edit::parser::parse_body(source).is_ok()
}

/// The files in a folder and the folders within it that may be written in the native syntax.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
        for entry in entries.flatten() {
            let path = entry.path().to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ if [".tf", ".hcl", ".tfvars", ".nomad"].iter().any(|ending| path.ends_with(ending)) => {
                    found.push(path)
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn read(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}
