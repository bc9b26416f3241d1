//! `hcl conformance run` and `dump`: drivers that are right, wrong, silent, or not there.

use std::fs;
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
    let levels = ["verdict", "tree", "value", "place", "code", "recovery"].map(|level| ["--level", level]);
    // But for what it is known to get wrong.
    let options = [&levels.concat()[..], &["--ours", "--baseline", "crates/conformance/known.txt"]].concat();
    let (status, out, _) = run(&options, OURS);
    assert_eq!(status, 0, "{out}");
    let (_, out, _) = run(&["--only", "native.for", "--sections"], OURS);
    assert!(out.contains("\nFor expressions") && out.contains("\n  Tuples") && !out.contains("Heredoc"), "{out}");
}

#[test]
fn the_suite_is_what_the_chapters_make() {
    let output = conformance(&["dump"]);
    let suite = crate::support::golden::root().join("crates/conformance/suite.jsonl");
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
    assert!(
        status == 2 && err.contains("there is nothing to ask: no case of the suite is named `nothing.at.all`"),
        "{err}"
    );
    let unknown = file("unknown", "native.for\nnative.fro\n");
    for option in ["--skip", "--baseline"] {
        let (status, _, err) = run(&[option, unknown.to_str().expect("a path")], OURS);
        assert!(
            status == 2 && err.contains(": there is nothing to ask: ") && err.contains("named `native.fro`\n"),
            "{err}"
        );
    }
    let old = file("old", "{\"suite\": 1, \"protocol\": 1}\n");
    let (status, _, err) = run(&["--suite", old.to_str().expect("a path")], OURS);
    assert!(status == 2 && err.contains("the suite has form 1, and this runner reads form 2"), "{err}");
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

/// The arguments for the small suite of the fixtures.
const SMALL: &[&str] = &["--suite", "tests/fixtures/conformance/small.jsonl"];

/// The defects of `broken.py`, and the options of the run that shows each. Drivers that answer have a long time for it, on a
/// busy machine, too. Those that are found out by the time that passes run beside the others.
const BROKEN: &[(&str, &[&str])] = &[
    ("right", &[]),
    ("wrong", &["--show", "3"]),
    ("silent", &["--timeout", "1"]),
    ("noise", &[]),
    ("shifted", &[]),
    ("version", &[]),
    ("without id", &[]),
    ("crash", &[]),
    ("hang", &["--timeout", "15"]),
    ("flood", &[]),
    ("partial", &[]),
    ("unsupported only", &[]),
    ("invalid JSON", &[]),
    ("no newline", &["--timeout", "15"]),
    ("slow", &["--total", "1"]),
];

/// The time for each answer, unless the options say another one.
fn patience(options: &[&str]) -> &'static [&'static str] {
    if options.contains(&"--timeout") { &[] } else { &["--timeout", "60"] }
}

/// The output and the exit status for each broken driver are recorded in `tests/fixtures/conformance/broken.txt`.
#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_broken_drivers_are_told_apart() {
    let said = |(kind, options): &(&str, &[&str])| {
        let driver = ["python3", "tests/fixtures/conformance/broken.py", kind];
        let show: &[&str] = if options.contains(&"--show") { &[] } else { &["--show", "1"] };
        let (status, out, err) = run(&[SMALL, patience(options), show, options].concat(), &driver);
        // The time is that of the machine.
        let lines = out.lines().filter(|line| !line.starts_with("slowest answer"));
        let out: String = lines.map(|line| format!("{line}\n")).collect();
        format!("# {kind}\n\n{out}{err}exit status {status}\n\n")
    };
    let text: String = std::thread::scope(|scope| {
        let runs: Vec<_> = BROKEN.iter().map(|driver| scope.spawn(|| said(driver))).collect();
        runs.into_iter().map(|run| run.join().expect("a run")).collect()
    });
    let mut golden = crate::support::golden::Golden::new();
    golden.check(&crate::support::golden::root().join("tests/fixtures/conformance/broken.txt"), &text);
    golden.finish();
}

/// Drivers that know nothing of HCL have no good grade, though `ok` for everything is right more often than not.
#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_degenerate_drivers_have_bad_grades() {
    for kind in ["always ok", "always error", "random", "mostly ok", "echo"] {
        let driver = ["python3", "tests/fixtures/conformance/degenerate.py", kind];
        let (_, out, err) = run(&["--json", "--timeout", "60"], &driver);
        assert_eq!(err, "", "{kind}");
        let report: Value = serde_json::from_str(&out).expect("JSON");
        let points = report["grade"]["points"].as_u64();
        assert!(points.is_some_and(|points| points < 10), "{kind}: {}", report["grade"]);
    }
    let (_, out, _) = run(&["--json", "--only", "native"], OURS);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["grade"]["points"], 100);
}

/// Returns a report as it compares: JSON without the order of its members, text and JUnit without times.
fn comparable(form: &str, report: &str) -> String {
    match form {
        "--json" => serde_json::from_str::<Value>(report).expect("JSON").to_string(),
        "--junit" => {
            let mut parts = report.split(" time=\"");
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |all, part| all + part.split_once('"').expect("the end of a time").1)
        }
        _ => {
            report.lines().filter(|line| !line.starts_with("slowest answer")).map(|line| format!("{line}\n")).collect()
        }
    }
}

/// The runner in Python gives the same report as this one, for drivers that are right, wrong and broken.
#[cfg(unix)]
#[test]
#[ignore = "needs python"]
fn needs_python_the_runner_in_python_agrees() {
    let root = crate::support::golden::root();
    let both = |form: &str, args: &[&str], driver: &[&str]| {
        let args = [args, &[form]].concat();
        let ours = run(&args, driver);
        let mut second = Command::new("python3");
        let second = second.arg("crates/conformance/run.py").args(&args).arg("--").args(driver).current_dir(root);
        let second = second.stdin(Stdio::null()).output().expect("Python runs");
        assert_eq!(second.status.code(), Some(ours.0), "{driver:?}: {}", text(&second.stderr));
        match ours.1.is_empty() {
            true => assert!(second.stdout.is_empty(), "{driver:?}"),
            false => {
                assert_eq!(comparable(form, text(&second.stdout)), comparable(form, &ours.1), "{driver:?} {args:?}")
            }
        }
        assert_eq!(text(&second.stderr), ours.2, "{driver:?} {args:?}");
    };
    both("--json", &["--ours"], OURS);
    for form in ["--json", "--sections", "--junit"] {
        both(form, &[], &["python3", "crates/conformance/drivers/example.py"]);
        both(form, &["--show", "9", "--only", "recovery"], OURS);
    }
    both("--json", &["--level", "place", "--only", "native"], OURS);
    let baseline = file("agreed", "small.number.1.2\nsmall.word.1.1\n");
    let baseline = baseline.to_str().expect("a path");
    let agree = |(kind, options): &(&str, &[&str])| {
        let options: Vec<&str> = options.iter().copied().filter(|option| !["--show", "3"].contains(option)).collect();
        let driver = ["python3", "tests/fixtures/conformance/broken.py", kind];
        // Those that take the time of an answer are asked once.
        let is_slow = ["silent", "hang", "no newline", "flood"].contains(kind);
        for form in ["--json", "--sections", "--junit"].into_iter().take(if is_slow { 1 } else { 3 }) {
            both(form, &[SMALL, patience(&options), &options].concat(), &driver);
        }
        for form in ["--json", "--sections"].into_iter().skip(if is_slow { 2 } else { 0 }) {
            both(form, &[SMALL, patience(&options), &options, &["--baseline", baseline]].concat(), &driver);
        }
    };
    std::thread::scope(|scope| {
        for one in BROKEN.iter().filter(|(kind, _)| *kind != "slow") {
            scope.spawn(|| agree(one));
        }
    });
}

/// With a baseline, new failures and new passes decide, and nothing else.
#[test]
#[ignore = "needs python"]
fn needs_python_a_baseline_shows_changes() {
    let broken = |kind| ["python3", "tests/fixtures/conformance/broken.py", kind];
    let written = file("baseline", "");
    let path = written.to_str().expect("a path");
    let (status, _, err) = run(&[SMALL, &["--write-baseline", path]].concat(), &broken("wrong"));
    assert_eq!((status, &*err), (0, ""));
    let names = fs::read_to_string(&written).expect("the baseline");
    assert!(names.ends_with("\nsmall.number.1.2\nsmall.word.1.3\n"), "{names}");
    let (status, out, _) = run(&[SMALL, &["--baseline", path]].concat(), &broken("wrong"));
    assert!(status == 0 && out.contains("all failures are those of the baseline\n"), "{out}");
    let (status, out, _) = run(&[SMALL, &["--baseline", path]].concat(), &broken("right"));
    assert!(
        status == 1 && out.contains("new passes, to be removed from the baseline (2): small.number.1.2, "),
        "{out}"
    );
    let (status, out, _) = run(&[SMALL, &["--baseline", path]].concat(), &broken("partial"));
    assert!(status == 1 && out.contains("new failures (1): small.word.1.1\n"), "{out}");
}

/// A baseline lists cases: a name that means several says nothing of any, and is refused by both runners.
#[test]
#[ignore = "needs python"]
fn needs_python_a_baseline_lists_cases() {
    let several = file("several", "small.number.1.2\nsmall.word\n");
    let path = several.to_str().expect("a path");
    let wanted = format!(
        "error: {path}: `small.word` is not the name of one case: list the cases, as `--write-baseline` does\n"
    );
    let driver = ["python3", "tests/fixtures/conformance/broken.py", "right"];
    let args = [SMALL, &["--baseline", path]].concat();
    let (status, out, err) = run(&args, &driver);
    assert_eq!((status, &*out, &*err), (2, "", &*wanted));
    let mut second = Command::new("python3");
    let second = second.arg("crates/conformance/run.py").args(&args).arg("--").args(driver);
    let second = second.current_dir(crate::support::golden::root()).output().expect("Python runs");
    assert_eq!((second.status.code(), text(&second.stderr)), (Some(2), &*wanted));
}

/// Reports in the form of JUnit have the counts and the times that readers of it need.
#[test]
#[ignore = "needs python"]
fn needs_python_a_report_in_the_form_of_junit() {
    let driver = ["python3", "tests/fixtures/conformance/broken.py", "wrong"];
    let (status, out, _) = run(&[SMALL, &["--junit"]].concat(), &driver);
    assert_eq!(status, 1);
    let head =
        "<testsuites name=\"HCL conformance of wrong 1\" tests=\"7\" failures=\"2\" errors=\"0\" skipped=\"1\" time=\"";
    assert!(out.contains(head), "{out}");
    for part in [
        "<property name=\"suite.version\" value=\"0.0.1\"/>",
        "<testcase classname=\"hcl.small.number.1\" name=\"small.number.1.2\" time=\"",
        "<failure type=\"value\" message=\"wrong value\">small.number.1: A number is its value.\nfrom native-syntax, ",
        "<skipped message=\"a habit of the official engine, which no text asks for\"/>",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let driver = ["python3", "tests/fixtures/conformance/broken.py", "crash"];
    let (_, out, _) = run(&[SMALL, &["--junit"]].concat(), &driver);
    assert!(out.contains("<error type=\"fault\" message=\"the driver ended with exit status: 3\">asked "), "{out}");
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
    // Known differences at an informative level are not counted as defects.
    let differences: Vec<&Value> = differences.iter().filter(|difference| difference["counts"] == true).collect();
    assert!(differences.len() >= 4);
    for difference in differences {
        assert!(difference["request"]["src"].as_str().is_some_and(|text| text.contains('%')), "{difference}");
        assert_eq!(difference["levels"], serde_json::json!(["tree"]), "{difference}");
    }
    let (_, out, _) = run(&["--show", "1", "--only", "native.operation.5"], &["sh", "-c", &command]);
    let beside = out.lines().find(|line| line.contains("\"op\": \"%\"") && line.contains("\"op\": \"/\""));
    assert!(beside.is_some_and(|line| line.contains(" | ")), "{out}");
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
#[ignore = "needs python"]
fn needs_python_defects_in_the_driver_in_python_are_found() {
    let root = crate::support::golden::root();
    let driver = fs::read_to_string(root.join("crates/conformance/drivers/example.py")).expect("the driver");
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
#[ignore = "needs python"]
fn needs_python_the_driver_in_python_is_right() {
    let (status, out, err) = run(&[], &["python3", "crates/conformance/drivers/example.py"]);
    assert_eq!((status, &*err), (0, ""), "{out}");
    let path = crate::support::golden::root().join("docs/write-a-driver.md");
    let guide = fs::read_to_string(&path).expect("the guide");
    let (before, rest) = guide.split_once("```console\n").expect("a command");
    let (shown, after) = rest.split_once("```").expect("its end");
    let command = shown.lines().next().expect("a command");
    // A line that only slow machines print.
    let out: String = out.split_inclusive('\n').filter(|line| !line.starts_with("slowest answer")).collect();
    let now = format!("{command}\n{out}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, format!("{before}```console\n{now}```{after}")).expect("a writable guide");
    } else {
        assert_eq!(without_counts(shown), without_counts(&now));
    }
}
