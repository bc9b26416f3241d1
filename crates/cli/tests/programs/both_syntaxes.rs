//! `hcl check` finds the same in JSON as in native syntax.
//!
//! The files of each case in `tests/fixtures/any_input` and `definitions` are checked as they are written, and once more
//! after `hcl convert --to json`. Each error and warning must be in both, with its code and at the same part of the file:
//! the same names of blocks, labels, arguments and entries lead to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr::{File, parse};

use crate::cli::{Scratch, hcl, text};
use crate::support::cases::files_below;
use crate::support::golden::cases;

/// Cases in which the syntaxes differ, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("any_input/once/bake", "blocks of a type with different labels have no form in JSON"),
    ("any_input/once/packer", "blocks of a type with different labels have no form in JSON"),
    ("any_input/once/terraform", "blocks of a type with different labels have no form in JSON"),
    ("any_input/others/own-schema", "its schema names no files in JSON"),
    ("any_input/terraform/defaults", "the default of a variable is not evaluated, so JSON has only literal ones"),
    ("definitions/constant-defaults/constant-defaults", "the same"),
    ("definitions/ephemeral/allowed", "JSON does not tell the blocks of an open block from its arguments"),
    ("definitions/ephemeral/refused", "the same"),
    ("definitions/wrong-elsewhere/wrong-elsewhere", "a name that is wrong twice is reported where it is first"),
    ("definitions/wrong-functions/wrong-functions", "the names of parameters are in quotes in JSON"),
];

/// The errors and warnings of each case.
type Findings = BTreeMap<String, Vec<Finding>>;

/// An error or warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    file: String,
    names: Vec<String>,
    code: String,
    /// True if it is at the type or labels of a block in native syntax, and so about the block as a whole.
    is_of_block: bool,
}

impl Finding {
    /// Returns true if it is the same as one in JSON. Errors about a whole block are at its type, or at a label.
    fn is_same(&self, other: &Finding) -> bool {
        let names = match self.is_of_block {
            true => self.names.starts_with(&other.names) && !other.names.is_empty(),
            false => self.names == other.names,
        };
        names && (&self.file, &self.code) == (&other.file, &other.code)
    }
}

/// Returns the name of a file without what tells its syntax.
fn stem(name: &str) -> &str {
    let shorter = name.strip_suffix(".json").or_else(|| name.strip_suffix(".hcl"));
    shorter.map_or(name, stem)
}

/// Checks all cases below a folder.
fn findings(folder: &Path) -> Findings {
    let run = hcl().current_dir(folder).args(["check", "--format", "short", "--max-errors", "1000", "."]).output();
    let run = run.expect("it runs");
    assert!(matches!(run.status.code(), Some(0 | 1)), "{}", text(&run.stderr));
    let mut found = Findings::new();
    for line in text(&run.stdout).lines() {
        let mut parts = line.splitn(4, ':');
        let mut next = || parts.next().expect("FILE:LINE:COLUMN: ERROR");
        let (name, row, column, what) = (next(), next(), next(), next());
        let source = fs::read_to_string(folder.join(name)).expect("a file");
        let number = |text: &str| text.parse::<usize>().expect("a number") - 1;
        let before: usize = source.split_inclusive('\n').take(number(row)).map(str::len).sum();
        let columns = source[before..].chars().take(number(column)).map(char::len_utf8);
        let (names, is_of_block) = names_at(name, &source, before + columns.sum::<usize>());
        let code = what.trim().split(": ").next().expect("a code").to_owned();
        let case: Vec<&str> = name.splitn(4, '/').collect();
        let finding = Finding { file: stem(case[3]).to_owned(), names, code, is_of_block };
        found.entry(case[..3].join("/")).or_default().push(finding);
    }
    found.values_mut().for_each(|all| all.sort());
    found
}

/// Returns the names that lead to the part of a file at an offset, and true if it is the type or a label of a block in
/// native syntax.
fn names_at(name: &str, source: &str, at: usize) -> (Vec<String>, bool) {
    let mut names = Vec::new();
    let is_of_block = match name.ends_with(".json") {
        true => {
            in_json(parse::<Document>(source).into_value().root(), at, &mut names);
            false
        }
        false => in_body(parse::<File>(source).into_value().body(), at, &mut names),
    };
    (names, is_of_block)
}

/// Takes what is the same as a finding in native syntax; false if there is nothing.
fn takes(others: &mut Vec<Finding>, finding: &Finding) -> bool {
    let found = others.iter().position(|other| finding.is_same(other));
    found.map(|at| others.remove(at)).is_some()
}

fn contains(span: Span, at: usize) -> bool {
    span.start() <= at && at < span.end()
}

fn in_json(node: Node<'_>, at: usize, names: &mut Vec<String>) {
    match node.kind() {
        NodeKind::Object(object) => {
            for property in object.properties() {
                if contains(property.name_span().join(property.value().span()), at) {
                    names.push(property.name().into_owned());
                    in_json(property.value(), at, names);
                }
            }
        }
        NodeKind::Array(array) => array.elements().for_each(|element| {
            if contains(element.span(), at) {
                in_json(element, at, names);
            }
        }),
        _ => {}
    }
}

fn in_body(body: BodyNode<'_>, at: usize, names: &mut Vec<String>) -> bool {
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) if contains(attribute.span(), at) => {
                names.push(attribute.name().to_owned());
                in_expression(attribute.expression(), at, names);
                return false;
            }
            BodyItem::Block(block) if contains(block.span(), at) => {
                names.push(block.block_type().to_owned());
                names.extend(block.labels().map(|label| label.text().into_owned()));
                return contains(block.header_span(), at) || in_body(block.body(), at, names);
            }
            _ => {}
        }
    }
    false
}

fn in_expression(expression: ExpressionNode<'_>, at: usize, names: &mut Vec<String>) {
    match expression.kind() {
        ExpressionKind::Object(object) => {
            for element in object.elements() {
                let span = element.key_expression().span().join(element.value().span());
                if contains(span, at)
                    && let Some(key) = element.key_text()
                {
                    names.push(key.into_owned());
                    in_expression(element.value(), at, names);
                }
            }
        }
        ExpressionKind::Tuple(tuple) => tuple.elements().for_each(|element| {
            if contains(element.span(), at) {
                in_expression(element, at, names);
            }
        }),
        _ => {}
    }
}

#[test]
fn check_finds_the_same_in_json() {
    let scratch = Scratch::new("both-syntaxes");
    let (native, json) = (scratch.path("native"), scratch.path("json"));
    let mut all = BTreeSet::new();
    for folder in ["any_input", "definitions"] {
        for case in cases(folder) {
            let file = case.path.file_stem().expect("a name").to_string_lossy().into_owned();
            let name = format!("{folder}/{file}/{}", case.name);
            let place = native.join(&name);
            case.write_files(&place);
            let language = match case.find("roles") {
                Some(roles) => roles.text(),
                None if place.join("schema.hcl").exists() => "own.schema.hcl\n",
                // The definitions of any file, without a language.
                None => {
                    fs::remove_dir_all(&place).expect("the files of the case");
                    continue;
                }
            };
            fs::write(place.join(".hcl-schema"), language).expect("a file");
            let _ = fs::rename(place.join("schema.hcl"), place.join("own.schema.hcl"));
            // Values from outside, for another test.
            let _ = fs::remove_file(place.join("inputs.hcl"));
            all.insert(name);
        }
    }
    let convert = hcl()
        .current_dir(scratch.path(""))
        .args(["convert", "--to", "json", "--exclude", "*.schema.hcl", "native", "--out-dir", "json"])
        .output()
        .expect("it runs");
    assert!(matches!(convert.status.code(), Some(0 | 1)), "{}", text(&convert.stderr));
    let mut lost = BTreeSet::new();
    for path in files_below(&native) {
        let within = path.strip_prefix(&native).expect("a file below");
        let (target, name) = (json.join(within), within.to_string_lossy().into_owned());
        let is_kept = name.ends_with(".json") || name.ends_with(".schema.hcl") || name.ends_with(".hcl-schema");
        if is_kept {
            fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
            fs::copy(&path, &target).expect("a copy");
            continue;
        }
        let folder = fs::read_dir(target.parent().expect("a folder")).into_iter().flatten().flatten();
        let own = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut names = folder.map(|entry| entry.file_name().to_string_lossy().into_owned());
        if !names.any(|other| other.ends_with(".json") && stem(&other) == stem(&own)) {
            lost.extend(all.iter().find(|case| name.starts_with(&format!("{case}/"))).cloned());
        }
    }
    let (in_native, in_json) = (findings(&native), findings(&json));
    let none = Vec::new();
    let mut problems = String::new();
    for case in &all {
        let (ours, theirs) = (in_native.get(case).unwrap_or(&none), in_json.get(case).unwrap_or(&none));
        let mut rest = theirs.clone();
        let only_native: Vec<&Finding> = ours.iter().filter(|finding| !takes(&mut rest, finding)).collect();
        let is_same = !lost.contains(case) && only_native.is_empty() && rest.is_empty();
        let reason = DIFFERENT.iter().find(|(name, _)| name == case);
        match (is_same, reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(_)) => problems += &format!("{case}: the same, so it is no exception\n"),
            (false, None) if lost.contains(case) => problems += &format!("{case}: no form in JSON\n"),
            (false, None) => {
                problems += &format!("{case}:\n");
                for (place, findings) in [("native syntax", only_native), ("JSON", rest.iter().collect())] {
                    for Finding { file, names, code, .. } in findings {
                        problems += &format!("  only in {place}: {file}: {}: {code}\n", names.join("."));
                    }
                }
            }
        }
    }
    println!("{} cases, {} findings", all.len(), in_native.values().map(Vec::len).sum::<usize>());
    assert!(problems.is_empty(), "{problems}");
}
