//! Derivations of the sources in the cases of `tests/fixtures/grammar/derivations`, and the same drawn by lark, a parser generator
//! that has nothing in common with hcl-lr but the text that `hcl grammar --ebnf` prints.
//!
//! `UPDATE_GOLDEN=1` writes the derivations anew. `HCL_LARK_PYTHON` names a Python that has lark, and
//! `HCL_LARK_SENTENCES` the number of sentences and of changed sentences of each kind. `.ci/full` runs it so:
//!
//! ```sh
//! python3 -m venv target/lark && target/lark/bin/pip install lark==1.2.2
//! HCL_LARK_PYTHON=$PWD/target/lark/bin/python HCL_LARK_SENTENCES=5000 cargo test -p hcl-lr-grammar-kit --test derivations -- --ignored
//! ```

use std::fs;
use std::path::Path;
use std::process::Command;

use cases::Case;
use hcl_lr::Source;
use hcl_lr_grammar_kit::{Generator, Language, Syntax, derive, ebnf, grammars};

#[path = "../../../tests/support/cases.rs"]
mod cases;
#[path = "../../../tests/support/golden.rs"]
mod golden;
#[path = "../../../tests/support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;

/// The number of sentences, and of changed sentences, of each kind; `HCL_LARK_SENTENCES` overrides it.
const SENTENCES: usize = 300;

/// The cases, each with a source and its derivation.
fn sources() -> Vec<Case> {
    let cases = golden::cases("grammar/derivations");
    assert!(cases.len() >= 20);
    cases
}

fn language_of(case: &Case) -> Language {
    match case.find("json") {
        Some(_) => Language::Json,
        None => Language::Native(Syntax::Config),
    }
}

#[test]
fn derivations_are_as_recorded() {
    let grammars = grammars().expect("the grammars");
    let mut golden = golden::Golden::new();
    for case in sources() {
        let text = case.fences[0].text();
        let source = Source::new("in.hcl", text);
        let language = language_of(&case);
        let derivation = derive(&grammars, &source, language).expect("a small source");
        let shown = match &derivation.error {
            None => derivation.text.clone(),
            Some(stop) => {
                let expected = stop.expected.join(" ");
                format!("{}:{}: {} cannot follow here\nexpected {expected}\n", stop.line, stop.column, stop.found)
            }
        };
        assert_eq!(language.accepts(text), derivation.error.is_none(), "{}", case.place());
        golden.check_case(&case, "derivation", &shown);
    }
    golden.finish();
}

/// The productions whose sentences are whole sources, with their languages.
const WHOLE: [(&str, Language); 4] = [
    ("Body", Language::Native(Syntax::Config)),
    ("Expression", Language::Native(Syntax::Expression)),
    ("Template", Language::Native(Syntax::Template)),
    ("JsonFile", Language::Json),
];

/// Sentences of the productions have derivations, and sentences with a change have one if the parser accepts them.
#[test]
fn sentences_have_derivations_and_near_misses_have_none() {
    let grammars = grammars().expect("the grammars");
    for (name, language) in WHOLE {
        let mut generator = Generator::new(&grammars, 5).with_size(30);
        let start = generator.start(name).expect("a production");
        let has_derivation = |sentence: &str| {
            derive(&grammars, &Source::new("in.hcl", sentence), language).expect("a small source").error.is_none()
        };
        let mut misses = 0;
        for _ in 0..60 {
            let sentence = generator.sentence(&start).expect("a sentence");
            assert!(has_derivation(&sentence), "{name}: {sentence}");
            let (changed, is_accepted) = generator.changed(&start).expect("a whole source").expect("a sentence");
            assert_eq!(has_derivation(&changed), is_accepted, "{name}: {changed}");
            misses += usize::from(!is_accepted);
        }
        assert!(misses > 20, "{name}: {misses}");
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

/// A Python that has lark.
fn python() -> String {
    std::env::var("HCL_LARK_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Runs the parser that lark builds from the productions. Returns its output, and true if there is no difference.
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
#[ignore = "needs lark"]
fn needs_lark_it_draws_the_same_derivations() {
    let python = python();
    for case in sources() {
        let is_error = case.name.starts_with("error-");
        let form = if language_of(&case) == Language::Json { "--json" } else { "--file" };
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(case.file_name(&case.fences[0]));
        fs::write(&file, &case.fences[0].bytes).expect("a writable folder");
        let (works, text) = lark(&python, &["derive", form, file.to_str().expect("a path")]);
        assert_eq!(works, !is_error, "{}: {text}", case.place());
        if works {
            assert_eq!(text, case.text("derivation"), "{}", case.place());
        }
    }
}

/// lark accepts sentences, and judges sentences with one change like the parser: near misses are rejected, other
/// sentences accepted.
#[test]
#[ignore = "needs lark"]
fn needs_lark_it_judges_sentences_and_near_misses_as_the_parser_does() {
    let python = python();
    let count = std::env::var("HCL_LARK_SENTENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(SENTENCES);
    let grammars = grammars().expect("the grammars");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, _) in WHOLE {
        let mut generator = Generator::new(&grammars, 11);
        let start = generator.start(name).expect("a production");
        let (mut lines, mut misses) = (String::new(), 0);
        for _ in 0..count {
            let sentence = generator.sentence(&start).map(|sentence| (sentence, true));
            let changed = generator.changed(&start).expect("a whole source");
            for (sentence, is_accepted) in [sentence, changed].into_iter().flatten() {
                lines += &format!("{}\n", serde_json::json!([sentence, is_accepted]));
                misses += usize::from(!is_accepted);
            }
        }
        let file = folder.join(format!("{name}-{}.jsonl", std::process::id()));
        fs::write(&file, lines).expect("a writable folder");
        let (agrees, text) = lark(&python, &["verdicts", name, file.to_str().expect("a path")]);
        eprintln!("{name}: {misses} near misses; {}", text.lines().last().unwrap_or_default());
        assert!(agrees, "{name}: {text}");
    }
}

#[test]
#[ignore = "needs lark"]
fn needs_lark_it_judges_a_corpus_as_its_manifest_does() {
    let python = python();
    let corpus = needs::corpus();
    let (agrees, text) = lark(&python, &["corpus", corpus.to_str().expect("a path")]);
    eprintln!("corpus: {}", text.lines().last().unwrap_or_default());
    assert!(agrees, "{text}");
}
