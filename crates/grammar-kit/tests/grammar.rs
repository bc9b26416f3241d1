//! The grammars are fully documented: each rule is in `grammar/README.md`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../../tests/support/needs.rs"]
#[allow(dead_code, reason = "each test program has needs of its own")]
mod needs;

fn grammar_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammar")
}

/// The grammars: the name of each and its text.
fn grammars() -> Vec<(String, String)> {
    let entries = fs::read_dir(grammar_folder()).expect("the folder of the grammars");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of it").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "lalrpop"));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("the text of a grammar"))
    };
    paths.iter().map(read).collect()
}

/// Returns the names of the rules: the word before a colon at the start of a line.
fn rules(grammar: &str) -> Vec<&str> {
    let rule = |line: &'_ str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
        let after = line[end..].trim_start();
        let parameters = after.strip_prefix('<').and_then(|rest| rest.split_once('>')).map_or(after, |(_, rest)| rest);
        (line.starts_with(|c: char| c.is_uppercase()) && parameters.starts_with(':')).then_some(end)
    };
    let names = grammar.lines().filter_map(|line| {
        let end = rule(line)?;
        Some(&line.strip_prefix("pub ").unwrap_or(line)[..end])
    });
    names.collect()
}

#[test]
fn rules_are_found() {
    let grammars = grammars();
    let of = |name: &str| &grammars.iter().find(|(grammar, _)| grammar == name).expect("a grammar").1;
    for rule in ["Bodies", "Labels", "OneLineBlock"] {
        assert!(rules(of("body")).contains(&rule), "{rule}");
    }
    for rule in ["Access", "Expressions", "Conditional"] {
        assert!(rules(of("expression")).contains(&rule), "{rule}");
    }
}

#[test]
fn each_rule_is_explained() {
    let readme = fs::read_to_string(grammar_folder().join("README.md")).expect("the explanation of the grammars");
    // A rule counts as explained where its name is written as code.
    let code: String = readme.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n");
    let fenced: String = readme.split("```").skip(1).step_by(2).collect::<Vec<_>>().join("\n");
    let words: HashSet<&str> = code
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .chain(fenced.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .collect();
    let grammars = grammars();
    let missing: Vec<String> = grammars
        .iter()
        .flat_map(|(name, text)| rules(text).into_iter().map(move |rule| (name, rule)))
        .filter(|(_, rule)| !words.contains(rule))
        .map(|(name, rule)| format!("`{rule}` of grammar/{name}.lalrpop"))
        .collect();
    assert!(missing.is_empty(), "grammar/README.md does not explain\n  {}\n", missing.join("\n  "));
}

/// Each production of the specification is in a comment, though not word for word: the text has slips, and rulings
/// extend it.
#[test]
#[ignore = "needs specifications"]
fn needs_specifications_each_production_stands_in_a_comment() {
    let text = needs::specification("native-syntax.md");
    let name = |line: &'_ str| -> Option<String> {
        let (name, _) = line.split_once('=')?;
        let name = name.trim();
        (!name.is_empty() && name.chars().all(char::is_alphanumeric)).then(|| name.to_owned())
    };
    let grammars = grammars();
    let comments = grammars.iter().flat_map(|(_, grammar)| grammar.lines());
    let above: HashSet<String> =
        comments.filter_map(|line| line.trim_start().strip_prefix("//")).filter_map(name).collect();
    let fenced = text.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').map_or("", |(_, rest)| rest));
    let productions: Vec<String> =
        fenced.filter(|block| block.contains(';')).flat_map(|block| block.lines().filter_map(name)).collect();
    assert!(productions.len() > 40, "only {} productions are found", productions.len());
    let missing: Vec<&String> = productions.iter().filter(|name| !above.contains(*name)).collect();
    assert!(missing.is_empty(), "no comment of the grammars has {missing:?}");
}
