//! The explanations of all codes, `src/diagnostic/explain/CODE.md`: the example of each produces its
//! code and no other, what it prints is what stands there, and the corrected files are clean.
//! `UPDATE_GOLDEN=1` writes what is printed now into them.
//!
//! Untypable characters stand in an example as in `tests/spec`: `⟨0xFF⟩` is a byte, `␉` a tab.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use hcl_lr::ConfigFile;
use hcl_lr::decode::{Spec, ValidationProblem};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::model::{Number, Type};
use hcl_lr::source::Source;
use hcl_lr::type_expr::read_constraint;
use hcl_lr::{Body, Expression, Scope, Traversal, parse};
use hcl_lr_edit::address::Address;
use hcl_lr_language::definitions::Definitions;
use hcl_lr_language::schema::Schema;

use crate::support::golden::Golden;

/// They are about more text than fits into an example, or about a file that is not there.
const WITHOUT_EXAMPLE: [Code; 3] = [Code::SourceTooLarge, Code::TooManyErrors, Code::UnreadableFile];

type Files = BTreeMap<String, String>;

/// The example of an explanation.
struct Example {
    wrong: Files,
    /// The command that reads the files, if one of ours does.
    command: Option<String>,
    /// The range of the printed output in the explanation.
    printed: std::ops::Range<usize>,
    corrected: Files,
}

fn read(explanation: &str) -> Option<Example> {
    let (mut wrong, mut corrected) = (Files::new(), Files::new());
    let mut console: Option<(Option<String>, std::ops::Range<usize>)> = None;
    let mut at = 0;
    let mut fences = explanation.split_inclusive('\n').filter_map(|line| {
        let start = at;
        at += line.len();
        line.starts_with("```").then_some((start, at, line.trim_start_matches('`').trim()))
    });
    while let Some((_, start, info)) = fences.next() {
        let (end, ..) = fences.next().expect("each fence has an end");
        let text = &explanation[start..end];
        match (info.split_once(' '), &console) {
            (None, None) => {
                let command = text.strip_prefix("$ ").and_then(|text| text.lines().next());
                let first = command.map_or(start, |command| start + "$ \n".len() + command.len());
                console = Some((command.map(str::to_owned), first..end));
            }
            (None, Some(_)) => panic!("a second block {info}"),
            (Some((_, name)), None) => drop(wrong.insert(name.to_owned(), text.to_owned())),
            (Some((_, name)), Some(_)) => drop(corrected.insert(name.to_owned(), text.to_owned())),
        }
    }
    let (command, printed) = console?;
    Some(Example { wrong, command, printed, corrected })
}

fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split('⟨');
    let mut bytes = parts.next().unwrap_or_default().replace('␉', "\t").into_bytes();
    for part in parts {
        let (byte, rest) = part.split_once('⟩').expect("⟨0xFF⟩");
        bytes.push(u8::from_str_radix(byte.trim_start_matches("0x"), 16).expect("a byte"));
        bytes.extend(rest.as_bytes());
    }
    bytes
}

/// Returns the output of a command about files, and true if it found nothing wrong.
fn run(command: &str, files: &Files, folder: &Path) -> (String, bool) {
    std::fs::create_dir_all(folder).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.join(name), bytes(text)).expect("a file can be written");
    }
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("hcl"), "{command}");
    let words: Vec<&str> = words.collect();
    let output = Command::new(env!("CARGO_BIN_EXE_hcl"))
        .args(&words)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .output()
        .expect("the program runs");
    // Diagnostics are what `check` is asked for, and what other commands say beside their results.
    let printed = if words[0] == "check" { output.stdout } else { output.stderr };
    (String::from_utf8(printed).expect("text"), output.status.success())
}

/// Returns the output of a program that uses the library, and true if it found nothing wrong.
fn use_library(code: &Code, files: &Files) -> (String, bool) {
    let (name, text) = files.iter().next().expect("a file");
    let source = || Source::from_bytes(name, bytes(text));
    let found: Diagnostics = match code {
        Code::NotATraversal => parse::<Traversal>((name.as_str(), text.trim_end())).into_parts().1,
        Code::InvalidAddress => Address::parse((name.as_str(), text.trim_end())).err().unwrap_or_default(),
        Code::InvalidDefault => {
            let expression = parse::<Expression>(source()).into_result().expect("an expression");
            read_constraint(&expression).err().unwrap_or_default()
        }
        Code::InvalidValue => {
            let port = Spec::attr("port", Type::Number).validate(|port| {
                let too_large = port.as_number().is_some_and(|port| *port > Number::from(65_535));
                too_large.then(|| ValidationProblem::error("a port is a number up to 65535"))
            });
            let body = parse::<Body>(source()).into_result().expect("a body");
            port.decode(&body, &Scope::new()).into_parts().1
        }
        Code::DefinitionCycle => {
            let file = parse::<ConfigFile>(source()).into_result().expect("a file");
            Definitions::of(&Schema::by_name("terraform").expect("it is there").roles(), [file]).into_parts().1
        }
        Code::UndefinedName => {
            let file = parse::<ConfigFile>(source()).into_result().expect("a file");
            Definitions::of(&Schema::by_name("bake").expect("it is there").roles(), [file]).into_parts().1
        }
        _ => panic!("{code}: say in this test how the library reports it"),
    };
    let printed = found.render();
    (printed, found.is_empty())
}

#[test]
fn every_code_is_explained_by_an_example() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("explain-{}", std::process::id()));
    let mut golden = Golden::new();
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let explanation = code.explanation().expect("an explanation");
        let Some(example) = read(explanation) else {
            assert!(WITHOUT_EXAMPLE.contains(code), "{code} has no example");
            continue;
        };
        let folder = root.join(code.as_str());
        let see = |files: &Files| match &example.command {
            Some(command) => run(command, files, &folder),
            None => use_library(code, files),
        };
        let (printed, clean) = see(&example.wrong);
        let heads = printed.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning["));
        let mut codes: Vec<&str> = heads.filter_map(|line| line.split(['[', ']']).nth(1)).collect();
        codes.dedup();
        let warns = printed.starts_with("warning[");
        if codes != [code.as_str()] || clean != warns && example.command.is_some() {
            wrong.push(format!("{code}: the example is not one of it alone, but of {codes:?}"));
        }
        let corrected: Files = example.wrong.clone().into_iter().chain(example.corrected.clone()).collect();
        let (rest, clean) = see(&corrected);
        if !clean || rest.contains("error[") || rest.contains("warning[") || corrected == example.wrong {
            wrong.push(format!("{code}: the corrected example is not clean:\n{rest}"));
        }
        let path = crate::support::golden::root().join("src/diagnostic/explain").join(format!("{code}.md"));
        let mut found = explanation.to_owned();
        found.replace_range(example.printed, &format!("{}\n", printed.trim_end()));
        golden.check(&path, &found);
    }
    std::fs::remove_dir_all(root).expect("the folder can be removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    golden.finish();
}

#[test]
fn explanations_are_printed_as_plain_text() {
    for code in Code::ALL {
        let output =
            Command::new(env!("CARGO_BIN_EXE_hcl")).args(["explain", code.as_str()]).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success() && text.starts_with(&format!("{code}: ")), "{code}: {text}");
        assert!(!text.contains("```") && text.lines().count() > 2, "{text}");
    }
}
