//! The time functions take over large arguments, beside those of the official engine.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use hcl_lr::eval::Function;
use hcl_lr::functions;
use hcl_lr::model::{Number, Type, Value, json};
use serde_json::json as object;

/// Each with a size; the engine takes quadratic time for some.
const CASES: [(&str, usize); 13] = [
    ("join", 100_000),
    ("split", 100_000),
    ("format", 10_000),
    ("regexall", 20_000),
    ("merge", 20_000),
    ("flatten", 50_000),
    ("distinct", 1_000),
    ("sort", 50_000),
    ("setproduct", 50_000),
    ("jsonencode", 10_000),
    ("jsondecode", 10_000),
    ("csvdecode", 20_000),
    ("yamldecode", 5_000),
];

const SAMPLES: usize = 7;

fn item(at: usize) -> Value {
    Value::from(format!("item-{}", at * 7_919 % 100_003))
}

fn list(count: usize, each: impl Fn(usize) -> Value) -> Value {
    Value::list_of((0..count).map(each)).expect("one type")
}

fn text(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// The arguments that `crates/benches/go/functions` makes too.
fn arguments(name: &str, count: usize) -> Vec<Value> {
    let objects =
        || list(count, |at| Value::object([("name", item(at)), ("port", Value::from(at)), ("on", Value::from(true))]));
    let map = |start: usize| {
        let entries = (0..count).map(|at| (format!("key-{}", start + at), Value::from(at)));
        Value::map(Type::Number, entries).expect("numbers")
    };
    match name {
        "join" => vec![", ".into(), list(count, item)],
        "split" => vec![",".into(), text(count, |at| format!("item-{at},")).into()],
        "format" => {
            let quarter = Number::parse("1.25").expect("a number");
            vec!["%s is %05d and %.2f".into(), list(count, item), 42.into(), quarter.into()]
        }
        "regexall" => vec!["([a-z]+)-([0-9]+)".into(), text(count, |at| format!("item-{at}, ")).into()],
        "merge" => vec![map(0), map(count / 2)],
        "flatten" => vec![list(count / 10, |start| list(10, |at| item(start * 10 + at)))],
        "setproduct" => vec![list(count / 100, item), list(100, Value::from)],
        "jsonencode" => vec![objects()],
        "jsondecode" => vec![json::encode_implied(&objects()).expect("JSON").into()],
        "csvdecode" => {
            let lines = text(count, |at| format!("item-{at},{at},\"yes, \"\"on\"\"\"\n"));
            vec![format!("name,port,on\n{lines}").into()]
        }
        "yamldecode" => vec![text(count, |at| format!("- name: item-{at}\n  port: {at}\n  on: yes\n")).into()],
        _ => vec![list(count, item)],
    }
}

fn seconds(function: &Function, arguments: &[Value]) -> f64 {
    let start = Instant::now();
    drop(function.call(arguments).expect("a value"));
    start.elapsed().as_secs_f64()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let program = std::env::temp_dir().join(format!("hcl-lr-officialfunctions-{}", std::process::id()));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("go");
    let built = Command::new("go").args(["build", "-o"]).arg(&program).arg("./functions").current_dir(folder).status();
    let mut official = built.is_ok_and(|status| status.success()).then(|| {
        let child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program");
        let _ = std::fs::remove_file(&program);
        child
    });
    let mut pipes = official.as_mut().map(|child| {
        let (input, output) = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        (input, BufReader::new(output))
    });
    println!("{:12}{:>10}{:>12}{:>12}{:>8}{:>10}", "function", "count", "ms", "engine ms", "x", "2n / n");
    for (name, count) in CASES {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.starts_with(wanted.as_str())) {
            continue;
        }
        let function = if name == "format" { "formatlist" } else { name };
        let functions = functions::standard();
        let function = functions.get(function).expect("a function with all features");
        let (once, twice) = (arguments(name, count), arguments(name, 2 * count));
        let (mut ours, mut larger, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..SAMPLES {
            ours.push(seconds(function, &once));
            larger.push(seconds(function, &twice));
            if let Some((input, output)) = &mut pipes {
                writeln!(input, "{}", object!({ "case": name, "count": count, "samples": 1 })).expect("it listens");
                let mut line = String::new();
                output.read_line(&mut line).expect("it answers");
                let answer: serde_json::Value = serde_json::from_str(&line).expect("an answer");
                theirs.push(answer["seconds"][0].as_f64().expect("seconds"));
            }
        }
        let (ours, larger) = (median(ours), median(larger));
        let (theirs, factor) = match theirs.is_empty() {
            true => ("-".to_owned(), "-".to_owned()),
            false => {
                let theirs = median(theirs);
                (format!("{:.2}", theirs * 1e3), format!("{:.1}", theirs / ours))
            }
        };
        println!("{name:12}{count:10}{:12.2}{theirs:>12}{factor:>8}{:10.2}", ours * 1e3, larger / ours);
    }
    drop(pipes);
    if let Some(mut child) = official {
        let _ = child.wait();
    }
}
