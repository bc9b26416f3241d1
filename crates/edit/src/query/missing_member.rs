//! Advice about members of `node` that do not exist.

use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AccessStep, TraversalNode};
use hcl_lr::syntax::similar_name;

use super::node::names;

/// Adds the names of the members to errors about missing ones. `node` itself has only the members that the expressions
/// use, so the evaluation does not know the names.
pub(super) fn with_names<'e>(found: Diagnostics, expressions: impl Iterator<Item = &'e Expression>) -> Diagnostics {
    if !found.iter().any(|error| *error.code() == Code::UnsupportedAttribute) {
        return found;
    }
    let paths: Vec<TraversalNode<'_>> = expressions
        .filter_map(Expression::native_form)
        .flat_map(|expression| expression.variables())
        .filter(|path| path.root().text() == "node")
        .collect();
    let advised = found.into_iter().map(|error| {
        if *error.code() != Code::UnsupportedAttribute {
            return error;
        }
        let source = error.place().source().clone();
        let here = paths.iter().filter(|path| std::sync::Arc::ptr_eq(path.expression().shared_source(), &source));
        let span = error.place().span();
        match here.filter_map(|path| missing(*path)).find(|missing| span.end() == missing.name_span.end()) {
            Some(missing) => error.with_help(missing.help()),
            None => error,
        }
    });
    advised.collect()
}

/// A member that does not exist.
struct Missing<'t> {
    /// The path to the object.
    object: String,
    name: &'t str,
    name_span: Span,
}

/// Returns the first member of a path from `node` that does not exist.
fn missing(path: TraversalNode<'_>) -> Option<Missing<'_>> {
    let mut object = "node".to_owned();
    for step in path.steps() {
        let AccessStep::Attribute(name) = step else { return None };
        match name.text() {
            "parent" | "block" => object = format!("{object}.{}", name.text()),
            text if names().any(|known| known == text) => return None,
            text => return Some(Missing { object, name: text, name_span: name.span() }),
        }
    }
    None
}

impl Missing<'_> {
    fn help(&self) -> String {
        let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
        let list = format!("`{}` has {}", self.object, all.join(", "));
        match similar_name(self.name, names()) {
            Some(similar) => format!("did you mean \"{similar}\"? {list}"),
            None => list,
        }
    }
}
