//! `hcl conformance run` and `dump`: drivers that are right, wrong, silent, or not there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::cli::{hcl, text};
use serde_json::Value;

/// The program in the folder of the project.
fn conformance(args: &[&str]) -> Output {
    let mut program = hcl();
    let program = program.arg("conformance").args(args).current_dir(crate::support::golden::root());
    program.stdin(Stdio::null()).output().expect("the program runs")
}

/// Returns the output and the status of a run with the driver of this project, or another one.
fn run(args: &[&str], driver: &[&str]) -> (i32, String, String) {
    let output = conformance(&[&["run"], args, &["--"], driver].concat());
    (output.status.code().expect("a status"), text(&output.stdout).to_owned(), text(&output.stderr).to_owned())
}

const OURS: &[&str] = &[env!("CARGO_BIN_EXE_hcl"), "conformance"];

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("conformance-{name}-{}", std::process::id()));
    fs::write(&path, content).expect("a file can be written");
    path
}

#[test]
fn this_implementation_answers_all_as_it_should() {
    let (status, out, err) = run(&[], OURS);
    assert_eq!((status, &*err), (0, ""), "{out}");
    assert!(out.contains(" 0 wrong, 0 not answered, of "), "{out}");
    let (_, out, _) = run(&["--only", "native.for", "--sections"], OURS);
    assert!(out.contains("\nFor expressions") && out.contains("\n  Tuples") && !out.contains("Heredoc"), "{out}");
}

#[test]
fn the_suite_is_what_the_chapters_make() {
    let output = conformance(&["dump"]);
    let suite = crate::support::golden::root().join("conformance/suite.jsonl");
    assert!(output.status.success() && text(&output.stdout) == fs::read_to_string(suite).expect("the suite"));
    let output = conformance(&["dump", "nowhere"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn levels_and_names_say_what_is_asked() {
    let (_, out, _) = run(&["--only", "native.for.7", "--level", "tree", "--json"], OURS);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["levels"]["verdict"]["right"], 0);
    assert!(report["levels"]["tree"]["right"].as_u64() > Some(5), "{out}");
    let skip = file("skip", "native.for   # all of it\nruling.newline.2\n\n");
    let all: u64 = run_count(&["--only", "native"]);
    let rest = run_count(&["--only", "native", "--skip", skip.to_str().expect("a path")]);
    assert!(rest + 150 < all, "{rest} {all}");
    let (status, _, err) = run(&["--only", "nothing.at.all"], OURS);
    assert!(status == 2 && err.contains("there is nothing to ask"), "{err}");
    let (status, _, err) = run(&["--level", "taste"], OURS);
    assert!(status == 2 && err.contains("verdict, tree, value, place, code"), "{err}");
    let (status, _, err) = run(&["--suite", "nowhere.jsonl"], OURS);
    assert!(status == 2 && err.contains("cannot read nowhere.jsonl"), "{err}");
}

fn run_count(args: &[&str]) -> u64 {
    let (_, out, _) = run(&[args, &["--json"]].concat(), OURS);
    serde_json::from_str::<Value>(&out).expect("JSON")["cases"].as_u64().expect("a number")
}

#[test]
fn a_driver_that_is_not_there_cannot_be_asked() {
    let (status, out, err) = run(&[], &["no-such-driver-anywhere"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.starts_with("error: cannot start no-such-driver-anywhere: "), "{err}");
}

/// `hcl --version` writes a line that is no answer, and ends.
#[test]
fn a_driver_that_ends_is_started_again() {
    let (status, _, err) = run(&["--only", "native.for.1"], &[env!("CARGO_BIN_EXE_hcl"), "--no-such-option"]);
    assert_eq!(status, 2);
    assert!(err.contains("the driver ended at 5 questions in a row"), "{err}");
    let (status, out, _) = run(&["--only", "native.for.1"], &[env!("CARGO_BIN_EXE_hcl"), "--version"]);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("\"not_json\"") && out.contains("and was started again"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_driver_that_does_not_answer_is_not_waited_for() {
    let (status, out, _) = run(&["--only", "native.for.1.1", "--timeout", "1"], &["sleep", "600"]);
    assert_eq!(status, 1);
    assert!(out.contains("\"timed_out\": true"), "{out}");
    assert!(out.contains("it ended 0 times and gave no answer 2 times, and was started again"), "{out}");
}

/// A defect in one operator shows in the examples with that operator.
#[cfg(unix)]
#[test]
fn a_defect_is_found_where_it_is() {
    let command = format!("'{}' conformance | sed -u 's/\"op\":\"%\"/\"op\":\"\\/\"/g'", env!("CARGO_BIN_EXE_hcl"));
    let (status, out, _) = run(&["--json"], &["sh", "-c", &command]);
    assert_eq!(status, 1);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let differences = report["differences"].as_array().expect("differences");
    assert!(differences.len() >= 4);
    for difference in differences {
        assert!(difference["request"]["src"].as_str().is_some_and(|text| text.contains('%')), "{difference}");
        assert_eq!(difference["levels"], serde_json::json!(["tree"]), "{difference}");
    }
    let (_, out, _) = run(&["--show", "1", "--only", "native.operation.5"], &["sh", "-c", &command]);
    let beside = out.lines().find(|line| line.contains("\"op\": \"%\"") && line.contains("\"op\": \"/\""));
    assert!(beside.is_some_and(|line| line.contains(" | ")), "{out}");
    let (_, out, _) = run(&["--junit", "--only", "native.operation.5"], &["sh", "-c", &command]);
    assert!(
        out.starts_with("<?xml") && out.contains("<failure message=\"tree\">") && out.contains("tests=\""),
        "{out}"
    );
}

/// Mistakes put into the driver of the guide: what is put in place of what, and the chapters that find it.
const DEFECTS: [(&str, &str, &str, &str); 5] = [
    ("`\\t` is a space", r#""t": "\t""#, r#""t": " ""#, "Quoted template expressions, Lexer modes"),
    ("strings as written", "unicodedata.normalize(\"NFC\", ", "(", "Source code representation"),
    ("null is a string", r#"{"null": "dynamic"}"#, r#"{"null": "string"}"#, "Expression terms, Values of terms"),
    (
        "exponents without sign",
        r#"return {"lit": {"number": text}}"#,
        r#"text = text.replace("-", ""); return {"lit": {"number": text}}"#,
        "Numeric literals, Values of terms, Values and types, Lexer modes",
    ),
    (
        "numbers as doubles",
        r#"return {"lit": {"number": text}}"#,
        r#"text = repr(float(text)); return {"lit": {"number": text}}"#,
        "Numeric literals, Values of terms, Values and types",
    ),
];

/// Each mistake is found in the chapters where it belongs, and nowhere else; the guide has the table.
#[test]
fn defects_in_the_driver_in_python_are_found() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no Python");
        return;
    }
    let root = crate::support::golden::root();
    let driver = fs::read_to_string(root.join("conformance/drivers/example.py")).expect("the driver");
    let mut table = String::from("| defect | differences | chapters |\n| --- | ---: | --- |\n");
    for (index, (name, right, wrong, chapters)) in DEFECTS.iter().enumerate() {
        assert!(driver.contains(right), "{name}");
        let spoiled = file(&format!("defect-{index}"), &driver.replace(right, wrong));
        let (status, out, err) = run(&["--json"], &["python3", spoiled.to_str().expect("a path")]);
        assert_eq!((status, &*err), (1, ""), "{name}: {out}");
        let report: Value = serde_json::from_str(&out).expect("JSON");
        let count = report["differences"].as_array().expect("differences").len();
        let is_wrong = |chapter: &&Value| {
            let levels = chapter["levels"].as_object().expect("levels");
            levels.values().any(|level| level["wrong"].as_u64() > Some(0))
        };
        let found = report["chapters"].as_array().expect("chapters").iter().filter(is_wrong);
        let found: Vec<&str> = found.filter_map(|chapter| chapter["chapter"].as_str()).collect();
        assert_eq!(found.join(", "), *chapters, "{name}");
        table.push_str(&format!("| {name} | {count} | {chapters} |\n"));
    }
    let path = root.join("docs/write-a-driver.md");
    let guide = fs::read_to_string(&path).expect("the guide");
    let (before, rest) = guide.split_once("| defect |").expect("a table");
    let (_, after) = rest.split_once("\n\n").expect("its end");
    let now = format!("{before}{table}\n{after}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, now).expect("a writable guide");
    } else {
        assert_eq!(without_counts(&guide), without_counts(&now));
    }
}

/// Returns a text with `#` in place of each number, and one space where there are several. How many cases the suite
/// has changes with each example that is added to it, and says nothing of the driver.
fn without_counts(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().map(without_digits).collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn without_digits(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

/// The driver of the guide is right about all that it answers, and the guide shows what is printed.
#[test]
fn the_driver_in_python_is_right() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no Python");
        return;
    }
    let (status, out, err) = run(&[], &["python3", "conformance/drivers/example.py"]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    let path = crate::support::golden::root().join("docs/write-a-driver.md");
    let guide = fs::read_to_string(&path).expect("the guide");
    let (before, rest) = guide.split_once("```console\n").expect("a command");
    let (shown, after) = rest.split_once("```").expect("its end");
    let command = shown.lines().next().expect("a command");
    let now = format!("{command}\n{out}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, format!("{before}```console\n{now}```{after}")).expect("a writable guide");
    } else {
        assert_eq!(without_counts(shown), without_counts(&now));
    }
}
