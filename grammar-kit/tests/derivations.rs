//! Derivations of the sources in `tests/fixtures/grammar/derivations`, and the same drawn by lark, a parser generator
//! that has nothing in common with hcl-lr but the text that `hcl grammar --ebnf` prints.
//!
//! `UPDATE_GOLDEN=1` writes the derivations anew. lark is asked if Python has it; `HCL_LARK_PYTHON` names another Python,
//! and `HCL_LARK_SENTENCES` the number of sentences and near misses of each kind:
//!
//! ```sh
//! python3 -m venv target/lark && target/lark/bin/pip install lark==1.2.2
//! HCL_LARK_PYTHON=target/lark/bin/python HCL_LARK_SENTENCES=7000 cargo test -p hcl-lr-grammar-kit --test derivations
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hcl_lr::{ParseOptions, Source};
use hcl_lr_grammar_kit::{Generator, Syntax, derive, ebnf, grammars};

/// The number of sentences and near misses of each kind, unless `HCL_LARK_SENTENCES` says another one.
const SENTENCES: usize = 300;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The sources, in the order of their names.
fn sources() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("tests/fixtures/grammar/derivations")).expect("the folder of the sources");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "hcl"));
    paths.sort();
    assert!(paths.len() >= 20);
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

#[test]
fn derivations_are_as_recorded() {
    let grammars = grammars().expect("the grammars");
    for path in sources() {
        let text = read(&path);
        let source = Source::new("in.hcl", text.as_str());
        let derivation = derive(&grammars, &source, Syntax::Config).expect("a small source");
        let shown = match &derivation.error {
            None => derivation.text.clone(),
            Some(stop) => {
                let expected = stop.expected.join(" ");
                format!("{}:{}: {} cannot follow here\nexpected {expected}\n", stop.line, stop.column, stop.found)
            }
        };
        let parses = !Syntax::Config.parse(text.as_str(), &ParseOptions::new()).diagnostics().has_errors();
        assert_eq!(parses, derivation.error.is_none(), "{}", path.display());
        let recorded = path.with_extension("derivation");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&recorded, &shown).expect("a writable folder");
        }
        assert_eq!(read(&recorded), shown, "{}", path.display());
    }
}

/// Sentences of the productions have derivations, and near misses have none.
#[test]
fn sentences_have_derivations() {
    let grammars = grammars().expect("the grammars");
    for (name, syntax) in [("Body", Syntax::Config), ("Expression", Syntax::Expression), ("Template", Syntax::Template)]
    {
        let mut generator = Generator::new(&grammars, 5).with_size(30);
        let start = generator.start(name).expect("a production");
        for _ in 0..200 {
            let sentence = generator.sentence(&start).expect("a sentence");
            let derivation =
                derive(&grammars, &Source::new("in.hcl", sentence.as_str()), syntax).expect("a small source");
            assert!(derivation.error.is_none(), "{sentence}\n{:?}", derivation.error);
        }
    }
}

/// Sources that are too long are refused, whatever is in them.
#[test]
fn long_sources_are_refused() {
    let grammars = grammars().expect("the grammars");
    let long = Source::new("in.hcl", "a = 1\n".repeat(6_000));
    let why = derive(&grammars, &long, Syntax::Config).expect_err("too long");
    assert_eq!(why, "the source has more than 20000 tokens: derive a smaller one");
    let nested = format!("a = {}1{}\n", "(".repeat(900), ")".repeat(900));
    assert!(derive(&grammars, &Source::new("in.hcl", nested), Syntax::Config).expect("a source").error.is_none());
}

/// A Python that has lark, or nothing and a remark.
fn python() -> Option<String> {
    let python = std::env::var("HCL_LARK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import lark"]).output();
    if found.is_ok_and(|found| found.status.success()) {
        return Some(python);
    }
    eprintln!("SKIPPED: {python} has no lark");
    None
}

/// Runs the parser that lark makes of the productions; what it prints, and whether it finds no difference.
fn lark(python: &str, args: &[&str]) -> (bool, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let productions = folder.join(format!("productions-{}.ebnf", std::process::id()));
    fs::write(&productions, ebnf(&grammars().expect("the grammars"))).expect("a writable folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("lark/hcl_lark.py");
    let mut command = Command::new(python);
    let output = command.env("PYTHONDONTWRITEBYTECODE", "1").arg(script).arg(&productions).args(args).output();
    let output = output.expect("Python runs");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

#[test]
fn lark_draws_the_same_derivations() {
    let Some(python) = python() else { return };
    for path in sources() {
        let is_error = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("error-"));
        let (works, text) = lark(&python, &["derive", path.to_str().expect("a path")]);
        assert_eq!(works, !is_error, "{}: {text}", path.display());
        if works {
            assert_eq!(text, read(&path.with_extension("derivation")), "{}", path.display());
        }
    }
}

#[test]
fn lark_accepts_sentences_and_rejects_near_misses() {
    let Some(python) = python() else { return };
    let count = std::env::var("HCL_LARK_SENTENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(SENTENCES);
    let grammars = grammars().expect("the grammars");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, misses) in [("Body", true), ("Expression", true), ("Template", true), ("JsonFile", false)] {
        for near in [false, true].into_iter().filter(|near| !near || misses) {
            let mut generator = Generator::new(&grammars, 11);
            let start = generator.start(name).expect("a production");
            let mut lines = String::new();
            for _ in 0..count {
                let sentence = if near { generator.near_miss(&start).expect(name) } else { generator.sentence(&start) };
                let Some(sentence) = sentence else { break };
                lines += &format!("{}\n", serde_json::Value::from(sentence));
            }
            let file = folder.join(format!("{name}-{near}-{}.jsonl", std::process::id()));
            fs::write(&file, lines).expect("a writable folder");
            let command = if near { "misses" } else { "sentences" };
            let (agrees, text) = lark(&python, &[command, name, file.to_str().expect("a path")]);
            eprintln!("{command} of {name}: {}", text.lines().last().unwrap_or_default());
            assert!(agrees, "{name}, {command}: {text}");
        }
    }
}

#[test]
fn lark_accepts_the_corpus() {
    let Some(python) = python() else { return };
    let corpus = root().join("../shared/corpus");
    if !corpus.join("manifest.jsonl").is_file() {
        return eprintln!("SKIPPED: there is no corpus beside the project");
    }
    let (agrees, text) = lark(&python, &["corpus", corpus.to_str().expect("a path")]);
    eprintln!("corpus: {}", text.lines().last().unwrap_or_default());
    assert!(agrees, "{text}");
}
