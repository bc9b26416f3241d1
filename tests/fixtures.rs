//! Compares what the lexer and the parser make of the files in `tests/fixtures` with what is
//! written beside them. How to add one is explained in `tests/README.md`.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{TokenDump, TreeDump};
use hcl_lr::syntax::{File, Options, parse_source};

#[test]
fn tokens() {
    run("lexer", "tokens", |file| TokenDump(file).to_string());
}

#[test]
fn trees() {
    run("syntax", "tree", |file| TreeDump::of_file(file).to_string());
}

/// Compares all files of a folder with their expectations, or writes these.
fn run(folder: &str, extension: &str, dump: impl Fn(&File) -> String) {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let path = support::folder("fixtures").join(folder);
    let sources = names(&path, "hcl");
    let mut problems: Vec<String> = names(&path, extension)
        .difference(&sources)
        .map(|name| format!("{name}.{extension}: there is no file {name}.hcl"))
        .collect();
    assert!(!sources.is_empty(), "there are no fixtures in {}", path.display());
    for name in &sources {
        let bytes = fs::read(path.join(format!("{name}.hcl"))).expect("a fixture that was listed");
        let (file, diagnostics) =
            parse_source(Source::from_bytes(&format!("{name}.hcl"), bytes), &Options::default()).into_parts();
        let broken = name.starts_with("broken-");
        if diagnostics.has_errors() != broken {
            let what = if broken { "there is no error in it".to_owned() } else { diagnostics.to_string() };
            problems.push(format!("{name}.hcl: {what}"));
        }
        problems.extend(unordered_tokens(&file).map(|token| format!("{name}.hcl: {token}")));
        let got = dump(&file);
        let golden = path.join(format!("{name}.{extension}"));
        if update {
            fs::write(&golden, got).expect("the expectation can be written");
            continue;
        }
        match fs::read_to_string(&golden) {
            Err(error) => problems.push(format!("{name}.{extension}: {error}; UPDATE_GOLDEN=1 writes it")),
            Ok(wanted) => problems.extend(difference(&wanted, &got).map(|what| format!("{name}.{extension}{what}"))),
        }
    }
    assert!(
        problems.is_empty(),
        "in tests/fixtures/{folder}:\n\n{}\n\nIf this is what should be, UPDATE_GOLDEN=1 writes it.\n",
        problems.join("\n\n")
    );
}

/// The names of the files with an extension.
fn names(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect()
}

/// A token that is not behind the one in front of it, or not inside the source.
fn unordered_tokens(file: &File) -> impl Iterator<Item = String> {
    let length = file.source().text().len();
    let mut end = 0;
    file.tokens().iter().filter_map(move |token| {
        let span = token.span();
        let fine = end <= span.start() && span.end() <= length;
        end = span.end();
        (!fine).then(|| format!("the token {token:?} is out of place"))
    })
}

/// The first line in which two texts differ.
fn difference(wanted: &str, got: &str) -> Option<String> {
    if wanted == got {
        return None;
    }
    let (mut wanted, mut got) = (wanted.lines(), got.lines());
    let mut line = 1;
    loop {
        let (wanted, got) = (wanted.next(), got.next());
        if wanted != got || wanted.is_none() {
            let show = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            return Some(format!(":{line}\n  wanted: {}\n  got:    {}", show(wanted), show(got)));
        }
        line += 1;
    }
}
