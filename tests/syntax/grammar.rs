//! The grammars are documented and tried out as a whole: each rule stands in `grammar/README.md`,
//! and each terminal is read by at least one example of `tests/spec`.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::examples::{Kind, examples};
use hcl_lr::Dialect;
use hcl_lr::syntax::ast::TreeDump;
use hcl_lr::syntax::{File, TokenKind};

fn grammar_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar")
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

/// The names of the rules: what begins a line, before a colon.
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

/// The terminals but the separator, which the parser puts before each region: how the grammar names them, and the kind of each, which is that of a token where it is one.
fn terminals(grammar: &str) -> Vec<(&str, &str)> {
    let terminal = |line: &'_ str| -> Option<(usize, usize)> {
        let name = line.trim_start().strip_prefix('"')?.find("\" => Terminal::Token(TerminalKind::")?;
        let kind = line.find("TerminalKind::")? + "TerminalKind::".len();
        Some((name, kind))
    };
    let all = grammar.lines().filter_map(|line| {
        let (name, kind) = terminal(line)?;
        let end = line[kind..].find(',')?;
        Some((&line.trim_start()[1..=name], &line[kind..kind + end]))
    });
    all.collect()
}

#[test]
fn rules_and_terminals_are_found() {
    let grammars = grammars();
    let of = |name: &str| &grammars.iter().find(|(grammar, _)| grammar == name).expect("a grammar").1;
    for rule in ["Bodies", "Labels", "OneLineBlock"] {
        assert!(rules(of("body")).contains(&rule), "{rule}");
    }
    for rule in ["Access", "Expressions", "Conditional"] {
        assert!(rules(of("expression")).contains(&rule), "{rule}");
    }
    assert!(terminals(of("expression")).contains(&("=>", "FatArrow")));
    assert!(terminals(of("template")).contains(&("%{ for", "ForDirective")));
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

#[test]
fn each_terminal_stands_in_an_example() {
    let mut seen = BTreeSet::new();
    for example in examples().0 {
        let outcome = example.parse(Dialect::Engine);
        if outcome.errors.is_empty() {
            read_by_grammars(&outcome.file, example.kind, &mut seen);
        } else {
            made_by_recovery(&outcome.file, &mut seen);
        }
    }
    let grammars = grammars();
    let missing: Vec<String> = grammars
        .iter()
        .flat_map(|(name, text)| terminals(text).into_iter().map(move |(terminal, kind)| (name, terminal, kind)))
        .filter(|&(name, _, kind)| !seen.contains(&(name.clone(), kind.to_owned())))
        .map(|(name, terminal, kind)| format!("{terminal:?} ({kind}) of grammar/{name}.lalrpop"))
        .collect();
    assert!(missing.is_empty(), "no example of tests/spec has\n  {}\n", missing.join("\n  "));
}

/// Notes which grammar reads which kinds of tokens. Within brackets, quotes and the like the
/// grammar is another one than around them.
fn read_by_grammars(file: &File, kind: Kind, seen: &mut BTreeSet<(String, String)>) {
    let root = match kind {
        Kind::ConfigFile => "body",
        Kind::Expression | Kind::Traversal => "expression",
        Kind::Template => "template",
    };
    // Regions that are open: the grammar of each, and where it is closed.
    let mut open = vec![(root, None)];
    let mut last = None;
    for token in file.tokens().iter() {
        let (kind, here) = (token.kind(), Some((token.kind(), token.span())));
        while open.len() > 1 && open.last().is_some_and(|&(_, closer)| closer == here) {
            open.pop();
        }
        let grammar = open.last().map_or(root, |&(grammar, _)| grammar);
        let mut note = |kind: String| seen.insert((grammar.to_owned(), kind));
        note(format!("{kind:?}"));
        match (last, kind) {
            // These two are one terminal, which has a kind of its own.
            (Some(TokenKind::Identifier), TokenKind::GetAttr) => note("Traversal".to_owned()),
            (Some(TokenKind::OpenBlock), TokenKind::Newline) => {
                seen.insert(("body".to_owned(), "BlockBody".to_owned()))
            }
            _ => false,
        };
        let inner = match kind {
            TokenKind::OpenBlock => "body",
            TokenKind::Template | TokenKind::ForDirective => "template",
            _ => "expression",
        };
        if kind == TokenKind::In && grammar == "template" {
            // After it, the rest of a `for` directive is an expression.
            if let Some((grammar, _)) = open.last_mut() {
                *grammar = "expression";
            }
        }
        if let Some(closer) = token.closer() {
            open.push((inner, Some((closer.kind(), closer.span()))));
        }
        last = Some(kind);
    }
}

/// Notes the terminals that stand for what could not be parsed: the kind of each follows from
/// where its node is in the tree.
fn made_by_recovery(file: &File, seen: &mut BTreeSet<(String, String)>) {
    let dump = TreeDump::of_file(file).to_string();
    let nodes: Vec<(usize, &str)> = dump
        .lines()
        .map(|line| {
            let text = line.trim_start();
            (line.len() - text.len(), text.split(' ').next().unwrap_or_default())
        })
        .collect();
    let errors = nodes.iter().enumerate().filter(|(_, (_, node))| *node == "Error");
    for (index, &(depth, _)) in errors {
        let parent = nodes[..index].iter().rfind(|(other, _)| *other < depth).map(|&(_, node)| node);
        let after = nodes[index + 1..].iter().find(|(other, _)| *other <= depth);
        let (grammar, kind) = match parent {
            Some("Body") if after.is_some_and(|&(other, _)| other == depth) => ("body", "BadItem"),
            Some("Body") => ("body", "BadEnd"),
            Some("Object") => ("expression", "BadElement"),
            _ => ("expression", "BadExpression"),
        };
        seen.insert((grammar.to_owned(), kind.to_owned()));
    }
}
