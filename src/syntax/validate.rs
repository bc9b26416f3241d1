//! What holds in a body beyond its grammar. Escapes, numbers and nesting are looked at where the
//! lexer reads them.

use std::collections::HashMap;

use super::tree::{NodeKind, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Bodies of more attributes than this are looked through with a table of names.
const FEW: usize = 24;

/// Reports attributes that have the name of an earlier one in their body ("Attribute
/// Definitions"). A body is given as a run of [`Tree::children`].
pub(super) fn duplicate_attributes(
    tree: &Tree,
    bodies: &[(u32, u32)],
    diagnostics: &mut Vec<Diagnostic>,
    max_errors: usize,
) {
    let text = tree.text();
    let mut names: Vec<(&str, u32)> = Vec::new();
    for &(first, count) in bodies {
        names.clear();
        for &item in tree.child_run(first, count) {
            let node = tree.node(item);
            if node.kind == NodeKind::Attribute {
                // A name is a plain token, so that its slot has its end.
                let (start, end) = (tree.tokens.start(node.first), tree.tokens.end(node.first));
                names.push((&text[start as usize..end as usize], start));
            }
        }
        if names.len() <= FEW {
            for (index, &(name, start)) in names.iter().enumerate() {
                if let Some(&(_, earlier)) = names[..index].iter().find(|other| other.0 == name) {
                    report(name, start, earlier, diagnostics, max_errors);
                }
            }
        } else {
            let mut table = HashMap::with_capacity(names.len());
            for &(name, start) in &names {
                let earlier = *table.entry(name).or_insert(start);
                if earlier != start {
                    report(name, start, earlier, diagnostics, max_errors);
                }
            }
        }
    }
}

#[cold]
fn report(name: &str, start: u32, earlier: u32, diagnostics: &mut Vec<Diagnostic>, max_errors: usize) {
    if diagnostics.len() >= max_errors {
        return;
    }
    let span = |start: u32| Span::new(start, start + name.len() as u32);
    diagnostics.push(
        Diagnostic::error(Code::DuplicateAttribute, span(start), format!("`{name}` is set a second time"))
            .with_label(span(earlier), "it is set here already")
            .with_help("an argument is set once in a body; remove one of the two"),
    );
}
