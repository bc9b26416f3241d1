//! A walk enters every expression of a file: what a visitor counts, by kind, is what the dump of the tree has. Run on the
//! fixtures, and on real files if there is a corpus beside the project.
//!
//! The dump has all nodes of the tree: `every_node_is_the_child_of_another` in `src/syntax/tree.rs` counts these.

use std::collections::BTreeMap;

use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, TreeDump, Visitor, Walk};

use crate::support::cases::{files_below, has_extension};
use crate::support::golden::inputs;
use crate::support::needs;

/// The number of expressions of each kind.
type Counts = BTreeMap<&'static str, usize>;

#[derive(Default)]
struct Visited(Counts);

impl<'t> Visitor<'t> for Visited {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        let kind = match expression.kind() {
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => "literal",
            ExpressionKind::Template(_) => "template",
            ExpressionKind::Traversal(_) => "traversal",
            ExpressionKind::RelativeTraversal(_) => "relative traversal",
            ExpressionKind::Index(_) => "index",
            ExpressionKind::Splat(_) => "splat",
            ExpressionKind::SplatItem => "item",
            ExpressionKind::FunctionCall(_) => "call",
            ExpressionKind::Tuple(_) => "tuple",
            ExpressionKind::Object(_) => "object",
            ExpressionKind::For(_) => "for",
            ExpressionKind::Conditional(_) => "conditional",
            ExpressionKind::Binary(_) => "binary",
            ExpressionKind::Unary(_) => "unary",
            ExpressionKind::Parentheses(_) => "parentheses",
            other => panic!("a kind without a name here: {other:?}"),
        };
        *self.0.entry(kind).or_default() += 1;
        Walk::Into
    }
}

/// A line of the dump: its depth, its kind, and the rest.
struct Line<'d> {
    depth: usize,
    kind: &'d str,
    detail: &'d str,
}

fn lines(dump: &str) -> Vec<Line<'_>> {
    dump.lines()
        .map(|line| {
            let text = line.trim_start();
            let mut words = text.splitn(3, ' ');
            let kind = words.next().unwrap_or_default();
            words.next();
            Line { depth: (line.len() - text.len()) / 2, kind, detail: words.next().unwrap_or_default() }
        })
        .collect()
}

fn is_path(kind: &str) -> bool {
    matches!(kind, "GetAttr" | "LegacyIndex" | "ConstIndex")
}

/// The expressions in a dump, by kind. The links of a constant path are one expression, and the name that is the key of
/// an element of an object is none.
fn dumped(dump: &str) -> Counts {
    let lines = lines(dump);
    let mut counts = Counts::new();
    // The lines around, each with how many children of it were seen.
    let mut around: Vec<(usize, usize)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        around.truncate(line.depth);
        let (parent, position) = match around.last_mut() {
            Some((parent, seen)) => {
                *seen += 1;
                (lines[*parent].kind, *seen - 1)
            }
            None => ("", 0),
        };
        around.push((index, 0));
        let is_link =
            is_path(parent) && position == 0 && (is_path(line.kind) || matches!(line.kind, "Variable" | "Traversal"));
        let is_word = line.kind == "Variable"
            || line.kind == "Literal" && line.detail.starts_with(|first: char| first.is_ascii_lowercase());
        if is_link || parent == "Object" && position % 2 == 0 && is_word {
            continue;
        }
        let kind = match line.kind {
            "Literal" if line.detail.starts_with('"') => "template",
            "Literal" => "literal",
            "TemplateExpr" => "template",
            "Variable" | "Traversal" => "traversal",
            kind if is_path(kind) => {
                // The first line below that is no link is where the path begins.
                let source = lines[index..].iter().find(|line| !is_path(line.kind)).expect("a path has a source");
                if matches!(source.kind, "Variable" | "Traversal") { "traversal" } else { "relative traversal" }
            }
            "Index" => "index",
            "AttrSplat" | "FullSplat" => "splat",
            "Item" => "item",
            "FunctionCall" | "ExpandedCall" => "call",
            "Tuple" => "tuple",
            "Object" => "object",
            "ForTuple" | "ForObject" | "ForGroup" => "for",
            "Conditional" => "conditional",
            "BinaryOp" => "binary",
            "UnaryOp" => "unary",
            "Parentheses" => "parentheses",
            "Body" | "Attribute" | "Block" | "Template" | "TemplateLiteral" | "Interpolation" | "TemplateIf"
            | "TemplateFor" => continue,
            other => panic!("{other} in the dump of a file without errors"),
        };
        *counts.entry(kind).or_default() += 1;
    }
    counts
}

/// The names of files in native syntax end so.
const EXTENSIONS: &[&str] = &["hcl", "tf", "tfvars", "nomad"];

/// Compares the counts of all files without errors, and returns how many expressions of each kind there were.
fn compare(inputs: Vec<(String, Vec<u8>)>) -> Counts {
    let mut total = Counts::new();
    for (name, bytes) in inputs {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let Ok(file) = hcl_lr::parse::<hcl_lr::File>(text).into_result() else { continue };
        let dump = TreeDump::of_file(&file).to_string();
        // Deeper levels are not indented further.
        if dump.lines().any(|line| line.starts_with(&" ".repeat(200))) {
            continue;
        }
        let mut visited = Visited::default();
        file.body().walk(&mut visited);
        assert_eq!(visited.0, dumped(&dump), "{name}");
        for (kind, count) in visited.0 {
            *total.entry(kind).or_default() += count;
        }
    }
    total
}

#[test]
fn a_walk_enters_every_expression_of_the_fixtures() {
    let found = compare(inputs(EXTENSIONS));
    assert!(found.len() == 15, "every kind of expression is in a fixture: {found:?}");
}

#[test]
#[ignore = "needs corpus"]
fn needs_corpus_a_walk_enters_every_expression() {
    let paths = files_below(&needs::corpus()).into_iter().map(|path| (path.display().to_string(), path));
    let paths = paths.filter(|(name, _)| has_extension(name, EXTENSIONS));
    let found = compare(paths.map(|(name, path)| (name, std::fs::read(path).unwrap_or_default())).collect());
    assert!(found.len() == 15, "every kind of expression is in a file: {found:?}");
}
