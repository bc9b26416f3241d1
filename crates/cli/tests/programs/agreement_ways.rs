//! The ways in besides `check`, the editor and the library find what is planted, up to what they look at: `decode --schema`,
//! `eval --expr`, the console, `query --resolve`, and `check` of the same files in the JSON syntax.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use crate::agreement::{Errors, Folder, difference, planted, write};
use crate::cli::{Scratch, hcl, text};

/// The codes of errors that only values show, which each way in reports that evaluates an expression.
const OF_VALUES: [&str; 11] = [
    "unknown-variable",
    "invalid-operand",
    "inconsistent-conditional",
    "invalid-condition",
    "unsupported-attribute",
    "invalid-index",
    "unknown-function",
    "missing-argument",
    "extra-argument",
    "invalid-argument",
    "invalid-iteration",
];

/// Returns the errors in messages: the path, the line and the code of each.
fn errors_in(output: &Output) -> Errors {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let lines: Vec<&str> = out.lines().chain(err.lines()).collect();
    let mut errors = Errors::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((code, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once(']')) else { continue };
        let place = lines.get(at + 1).and_then(|line| line.trim_start().strip_prefix("┌─ "));
        let Some((path, line)) = place.and_then(|place| place.rsplit_once(':')?.0.rsplit_once(':')) else { continue };
        errors.insert((path.to_owned(), line.parse().expect("a line"), code.to_owned()));
    }
    errors
}

/// Runs a question for each folder on several threads, and returns what is wrong.
fn of_each(folders: &[Folder], question: impl Fn(&Folder) -> Vec<String> + Sync) -> Vec<String> {
    let chunks: Vec<&[Folder]> = folders.chunks(folders.len().div_ceil(4)).collect();
    std::thread::scope(|scope| {
        let question = &question;
        let running: Vec<_> = chunks
            .iter()
            .map(|chunk| scope.spawn(move || chunk.iter().flat_map(question).collect::<Vec<_>>()))
            .collect();
        running.into_iter().flat_map(|thread| thread.join().expect("an answer")).collect()
    })
}

fn run(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

/// The names of the local values in the first block `locals`, with the code that is planted in the line of each.
fn locals(folder: &Folder) -> Vec<(String, Option<(usize, String)>)> {
    let (path, text) = &folder.files[0];
    let mut names = Vec::new();
    let mut is_inside = false;
    for (at, line) in text.lines().enumerate() {
        is_inside = (is_inside || line == "locals {") && line != "}";
        let Some((name, _)) = line.strip_prefix("  ").and_then(|line| line.split_once(" = ")) else { continue };
        if is_inside && !name.starts_with(' ') {
            let planted = folder.planted.iter().flatten().find(|(of, line, _)| of == path && *line == at + 1);
            names.push((name.trim().to_owned(), planted.map(|(_, line, code)| (*line, code.clone()))));
        }
    }
    names
}

/// `hcl decode --schema` finds what `check` finds, and values that it needs and that are not known.
#[test]
fn decode_agrees_with_check() {
    let scratch = Scratch::new("agreement-decode");
    let folders = planted();
    write(&folders, &scratch);
    let wrong = of_each(&folders, |folder| {
        let arguments = ["decode", "--schema", &folder.language, &folder.files[0].0];
        let output = run(hcl().current_dir(&scratch.0).args(arguments));
        let mut found = errors_in(&output);
        let is_refused = !found.is_empty();
        found.retain(|(_, _, code)| code != "unknown-value");
        let planted = folder.planted.clone().unwrap_or_default();
        let mut wrong: Vec<String> =
            difference(&folder.name, ("planted", &planted), ("decode", &found)).into_iter().collect();
        if output.status.success() == is_refused {
            wrong.push(format!("{}: status {:?}, {}\n", folder.name, output.status.code(), text(&output.stderr)));
        }
        wrong
    });
    println!("{} projects", folders.len());
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// `hcl eval --expr` and the console find what is planted in the line of a local value that they are asked for, and nothing if
/// nothing is.
#[test]
fn expressions_agree_with_check() {
    let scratch = Scratch::new("agreement-expressions");
    let folders: Vec<Folder> = planted().into_iter().filter(|folder| !locals(folder).is_empty()).collect();
    write(&folders, &scratch);
    let asked: usize = folders.iter().map(|folder| locals(folder).len()).sum();
    let wrong = of_each(&folders, |folder| {
        let mut wrong = Vec::new();
        for (name, planted) in locals(folder) {
            let name = format!("local.{name}");
            let expr = run(hcl().current_dir(&scratch.0).args(["eval", "--expr", &name, &folder.name]));
            let mut console = hcl();
            console.current_dir(&scratch.0).args(["console", &folder.name]);
            let mut console =
                console.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
            console.stdin.take().expect("a pipe").write_all(format!("{name}\n").as_bytes()).expect("it reads");
            let console = console.wait_with_output().expect("it ends");
            let is_clean = folder.planted.iter().flatten().next().is_none();
            for (who, output) in [("eval --expr", &expr), ("console", &console)] {
                let found = errors_in(output);
                let is_right = match &planted {
                    Some((line, code)) if OF_VALUES.contains(&code.as_str()) => {
                        found.iter().any(|(_, at, of)| at == line && of == code)
                    }
                    _ => !is_clean || found.is_empty(),
                };
                if !is_right {
                    wrong.push(format!("{} {who} {name}: planted {planted:?}, found {found:?}\n", folder.name));
                }
            }
            let fails = planted.as_ref().is_some_and(|(_, code)| OF_VALUES.contains(&code.as_str()));
            if fails && expr.status.success() || is_clean && !expr.status.success() {
                wrong.push(format!("{} {name}: status {:?}\n", folder.name, expr.status.code()));
            }
        }
        wrong
    });
    println!("{} projects, {asked} expressions, each in two ways", folders.len());
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// `hcl query --resolve` says that there are values with errors in the folders in which `hcl eval` finds some, and in no others.
#[test]
fn queries_agree_with_eval() {
    let scratch = Scratch::new("agreement-query");
    let folders = planted();
    write(&folders, &scratch);
    let wrong = of_each(&folders, |folder| {
        let eval = run(hcl().current_dir(&scratch.0).args(["eval", &folder.name]));
        let query = run(hcl().current_dir(&scratch.0).args(["query", "--resolve", "*.*", &folder.name]));
        let says = text(&query.stderr).contains("has values with errors");
        // A text that cannot be read is an error of the query, and one language has no values.
        let is_other = text(&query.stderr).contains("error[") || eval.status.code() == Some(2);
        match is_other || says == (eval.status.code() == Some(1)) {
            true => Vec::new(),
            false => vec![format!("{}: eval {:?}, query {}\n", folder.name, eval.status.code(), text(&query.stderr))],
        }
    });
    println!("{} projects", folders.len());
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// Returns the name of the same file in the JSON syntax, if its language has one.
fn name_in_json(name: &str) -> Option<String> {
    const ENDS: [(&str, &str); 5] = [
        (".tf", ".tf.json"),
        (".tofu", ".tofu.json"),
        (".pkr.hcl", ".pkr.json"),
        ("docker-bake.hcl", "docker-bake.json"),
        ("terragrunt.hcl", "terragrunt.hcl.json"),
    ];
    ENDS.iter().find_map(|(end, other)| Some(format!("{}{other}", name.strip_suffix(end)?)))
}

/// `hcl check` of the same file in the JSON syntax finds the same mistakes.
#[test]
fn twins_in_json_have_the_same_mistakes() {
    let (native, twins) = (Scratch::new("agreement-native"), Scratch::new("agreement-twins"));
    let folders: Vec<Folder> =
        planted().into_iter().filter(|folder| name_in_json(&folder.files[0].0).is_some()).collect();
    write(&folders, &native);
    let wrong = of_each(&folders, |folder| {
        let path = &folder.files[0].0;
        let converted = run(hcl().current_dir(&native.0).args(["convert", path]));
        let Some(codes) = &folder.in_json else {
            let is_refused = !converted.status.success();
            return if is_refused { Vec::new() } else { vec![format!("{path}: JSON can have this\n")] };
        };
        if !converted.status.success() {
            return vec![format!("{path}: {}\n", text(&converted.stderr))];
        }
        let name = name_in_json(path).expect("it has one");
        // The other files stay as they are.
        let files = folder.files[1..].iter().map(|(path, text)| (path, text.as_bytes()));
        for (path, text) in files.chain([(&name, &*converted.stdout)]) {
            let path = twins.path(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let checked = run(hcl().current_dir(&twins.0).args(["check", &folder.name]));
        let found: BTreeSet<String> = errors_in(&checked).into_iter().map(|(_, _, code)| code).collect();
        match &found == codes {
            true => Vec::new(),
            false => vec![format!("{path}: planted {codes:?}, in JSON {found:?}\n")],
        }
    });
    println!("{} projects", folders.len());
    assert!(wrong.is_empty(), "{}", wrong.concat());
}
