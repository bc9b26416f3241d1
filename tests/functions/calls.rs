//! Calls with their results: a value, or the printed message.
//!
//! A file of `fixtures/functions/calls` has the name of a set in its first line, or `host` for the functions
//! that look outside, with those of Terraform. Then come expressions, each after `> `, with what they give
//! below. To add one, write it and run `UPDATE_GOLDEN=1 cargo test --test functions calls::`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use hcl_lr::eval::Functions;
use hcl_lr::functions::{self, FunctionSet, Host};
use hcl_lr::model::{CapsuleType, Mark, Type, Value};
use hcl_lr::{Expression, Scope, parse};

use crate::support::golden::{Golden, fixtures};

/// A world of a few files, in which the time never changes.
struct World;

impl Host for World {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match path {
            "motd" => Ok(b"Welcome!\n".to_vec()),
            "bytes" => Ok(vec![0xff, 0x00]),
            "list.tftpl" => Ok(b"Hello, ${name}!%{ for one in list } ${upper(one)}%{ endfor }".to_vec()),
            "broken.tftpl" => Ok(b"Hello,\n${nam".to_vec()),
            _ => Err("there is no such file".to_owned()),
        }
    }

    fn exists(&self, path: &str) -> Result<bool, String> {
        match path {
            "/root" => Err("nobody may look there".to_owned()),
            _ => Ok(self.read(path).is_ok()),
        }
    }

    fn files(&self, folder: &str) -> Result<Vec<String>, String> {
        match folder {
            "docs" => Ok(["a.md", "b/c.md", "b/d.txt", "e.txt"].map(str::to_owned).to_vec()),
            _ => Err("there is no such folder".to_owned()),
        }
    }

    fn absolute(&self, path: &str) -> Result<String, String> {
        match path {
            "" => Err("there is nothing to look for".to_owned()),
            _ if path.starts_with('/') => Ok(path.to_owned()),
            _ => Ok(format!("/srv/{path}")),
        }
    }

    fn home(&self) -> Result<String, String> {
        Ok("/home/ada/".to_owned())
    }

    fn now(&self) -> Result<(i64, u32), String> {
        Ok((1_700_000_000, 500_000_000))
    }

    fn plan_time(&self) -> Result<(i64, u32), String> {
        Ok((1_600_000_000, 0))
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        bytes.iter_mut().zip(0..).for_each(|(byte, at)| *byte = at);
        Ok(())
    }

    fn bcrypt(&self, password: &str, cost: u32) -> Result<String, String> {
        match cost {
            4..=31 => Ok(format!("$2a${cost}${}", password.len())),
            _ => Err("the cost goes from 4 to 31".to_owned()),
        }
    }

    fn rsa_decrypt(&self, ciphertext: &[u8], private_key: &str) -> Result<Vec<u8>, String> {
        match private_key {
            "key" => Ok(ciphertext.iter().rev().copied().collect()),
            _ => Err("this is not a private key".to_owned()),
        }
    }
}

fn functions(set: &str) -> Functions {
    match set {
        "host" => functions::terraform().with_all(&functions::with_host(Arc::new(World))),
        _ => set.parse::<FunctionSet>().expect("a set").functions(),
    }
}

/// A file: the set, and the calls with the result of each.
struct Calls {
    set: String,
    calls: Vec<(String, String)>,
}

impl Calls {
    fn read(path: &Path) -> Calls {
        let text = std::fs::read_to_string(path).expect("a readable fixture");
        let (set, rest) = text.split_once('\n').expect("a set, and calls");
        let calls = rest.split("\n> ").skip(1).map(|call| {
            let (expression, outcome) = call.split_once('\n').unwrap_or((call, ""));
            (expression.to_owned(), outcome.trim_end().to_owned())
        });
        Calls { set: set.to_owned(), calls: calls.collect() }
    }
}

/// Evaluates an expression; returns the printed result, and true if it is an error. Some names stand for values that
/// cannot be written.
fn outcome(expression: &str, functions: &Functions) -> (String, bool) {
    let mark = |name: &str| Value::from("hidden").mark(Mark::new(name));
    let scope = Scope::new()
        .with("unknown", Value::unknown(Type::Dynamic))
        .with("unknown_string", Value::unknown(Type::String))
        .with("unknown_list", Value::unknown(Type::list(Type::String)))
        .with("unknown_map", Value::unknown(Type::map(Type::String)))
        .with("image", Value::capsule(&CapsuleType::new("image"), Arc::new(())))
        .with("secret", mark("sensitive"))
        .with("short_lived", mark("ephemeral"))
        .with_functions(functions.clone());
    let value = parse::<Expression>(("call", expression)).into_result().and_then(|parsed| parsed.evaluate(&scope));
    match value {
        Ok(value) => (value.to_string(), false),
        Err(problems) => (problems.render().trim_end().to_owned(), true),
    }
}

fn all() -> Vec<Calls> {
    fixtures("functions/calls", &["txt"]).iter().map(|path| Calls::read(path)).collect()
}

#[test]
fn calls_give_what_is_recorded() {
    let mut golden = Golden::new();
    for path in fixtures("functions/calls", &["txt"]) {
        let file = Calls::read(&path);
        let functions = functions(&file.set);
        let mut text = file.set + "\n";
        for (expression, _) in &file.calls {
            text.push_str(&format!("\n> {expression}\n{}\n", outcome(expression, &functions).0));
        }
        golden.check(&path, &text);
    }
    golden.finish();
}

/// Returns the names before an opening parenthesis.
fn called(expression: &str) -> BTreeSet<&str> {
    let before = expression.match_indices('(').map(|(at, _)| &expression[..at]);
    before.filter_map(|text| text.rsplit(|c: char| c != '_' && !c.is_alphanumeric()).next()).collect()
}

/// Each function has at least five cases, and one of them is an error: calls with the official engine's
/// answers, examples, and those here.
#[test]
fn each_function_has_five_cases() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut count = |name: &str, fails: bool| {
        let (cases, errors) = counts.entry(name.to_owned()).or_default();
        *cases += 1;
        *errors += usize::from(fails);
    };
    for line in include_str!("../fixtures/functions/calls.jsonl").lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        count(line["request"]["name"].as_str().expect("a name"), line["answer"]["ok"] != true);
    }
    for file in all() {
        for (expression, outcome) in &file.calls {
            called(expression).iter().for_each(|name| count(name, outcome.starts_with("error[")));
        }
    }
    let entries = FunctionSet::ALL.iter().flat_map(|set| set.entries()).chain(functions::host_entries());
    let names: BTreeSet<&str> = entries.map(functions::FunctionEntry::name).collect();
    let few = |name: &&&str| counts.get(**name).is_none_or(|(cases, errors)| *cases < 5 || *errors < 1);
    let few: Vec<_> = names.iter().filter(few).map(|name| (name, counts.get(*name))).collect();
    assert!(few.is_empty(), "{few:?}");
}

/// Returns the texts in a line of code, without placeholders.
fn literals(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('"') {
        rest = &rest[at + 1..];
        let mut text = String::new();
        let mut chars = rest.char_indices();
        let end = loop {
            match chars.next() {
                Some((_, '\\')) => text.extend(chars.next().map(|(_, c)| c)),
                Some((at, '"')) => break at + 1,
                Some((_, c)) => text.push(c),
                None => return found,
            }
        };
        rest = &rest[end..];
        found.push(text);
    }
    found
}

/// Returns the parts of a message in code that are printed: all but the placeholders.
fn parts(message: &str) -> Vec<&str> {
    message
        .split('{')
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once('}').map_or("", |p| p.1) })
        .collect()
}

/// Returns true if a string in the code looks like a message: a small letter first, and several words.
fn is_message(text: &str) -> bool {
    let words = text.split(' ').filter(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase())).count();
    words >= 2
        && !text.starts_with(char::is_uppercase)
        && !text.starts_with("invalid value for \"")
        && !text.contains("\" failed: ")
}

/// Messages that no call triggers, because values are checked before they are written.
const GUARDS: [&str; 2] = ["it is not known", "more than {MAX_TEMPLATES} templates are within each other"];

/// Every message in the code of the functions is in a fixture, as printed.
#[test]
fn each_message_is_recorded() {
    let recorded: String =
        all().iter().flat_map(|file| file.calls.iter().map(|(_, outcome)| outcome.clone() + "\n")).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/functions");
    let (mut missing, mut messages) = (Vec::new(), 0);
    for path in source_files(&root) {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let documented = ["example(", "fails(", "gives", "function(", "concat!("];
        for line in lines.filter(|line| !documented.iter().any(|start| line.contains(start))) {
            for message in literals(line).iter().filter(|text| is_message(text) && !GUARDS.contains(&text.as_str())) {
                messages += 1;
                if !parts(message).iter().all(|part| recorded.contains(part.trim_end_matches('\\'))) {
                    missing.push(format!("{}: {message}", path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} of {messages} messages are in no fixture:\n{}", missing.len(), missing.join("\n"));
    assert!(messages > 150, "{messages}");
}

/// Returns the code of functions, without the limits, which other tests cover.
fn source_files(root: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root.join("engine"), root.join("library")];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            match entry.expect("an entry").path() {
                path if path.is_dir() => waiting.push(path),
                path if path.ends_with("limits.rs") => {}
                path => found.push(path),
            }
        }
    }
    found
}
