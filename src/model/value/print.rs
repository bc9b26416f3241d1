//! Values as text in one line that reads like HCL.

use super::{Entries, Node, Repr, Value};
use crate::model::hidden;
use crate::model::refine::Refinement;
use crate::model::types::{CollectionKind, Type};
use crate::stack::with_room_for;
use crate::writer::{list_in_line, object_in_line, quote_into};
use std::convert::Infallible;

/// Returns the text in one line, with nothing left out if `all`.
pub(super) fn one_line(value: &Value, all: bool) -> String {
    with_room_for(value.height(), || {
        let mut out = String::new();
        print(value, all, &mut out);
        out
    })
}

pub(super) fn print(value: &Value, all: bool, out: &mut String) {
    match &value.0 {
        Repr::Node(node) => print_node(node, all, out),
        Repr::Marked(marked) if all => out.push_str(&hidden::debug_text(&marked.marks)),
        Repr::Marked(marked) => out.push_str(&hidden::text(&marked.marks)),
        leaf => print_leaf(leaf, all, out),
    }
}

fn print_leaf(leaf: &Repr, all: bool, out: &mut String) {
    match leaf {
        Repr::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Repr::Number(number) => out.push_str(&number.to_string()),
        Repr::Text(text) => quote_into(text, out),
        Repr::Capsule(capsule) => out.push_str(&format!("{capsule:?}")),
        Repr::Null(ty) if all => out.push_str(&format!("null({})", ty.describe())),
        Repr::Null(_) => out.push_str("null"),
        Repr::Unknown(ty) if all => out.push_str(&format!("unknown({})", ty.describe())),
        Repr::Unknown(ty) => out.push_str(&format!("(unknown {ty})")),
        Repr::Refined(refined) if all => print_refined(&refined.ty, &refined.refinement, out),
        Repr::Refined(refined) => out.push_str(&format!("(unknown {})", refined.ty)),
        Repr::Node(_) | Repr::Marked(_) => {}
    }
}

fn print_refined(ty: &Type, refinement: &Refinement, out: &mut String) {
    out.push_str(&format!("unknown({}, {refinement})", ty.describe()));
}

fn print_node(node: &Node, all: bool, out: &mut String) {
    match node.ty.collection_kind().filter(|_| all) {
        // The element type may contain attribute names of a marked element.
        Some(kind) if node.shape.marked => out.push_str(match kind {
            CollectionKind::List => "list",
            CollectionKind::Set => "set",
            CollectionKind::Map => "map",
        }),
        Some(_) => out.push_str(&node.ty.describe()),
        None => {}
    }
    let mut part = |part: &Value, out: &mut String| -> Result<(), Infallible> {
        print(part, all, out);
        Ok(())
    };
    // Nothing fails.
    let _ = match node.ty {
        Type::Map(_) | Type::Object(_) => object_in_line(Entries::of(node), out, &mut part),
        _ => list_in_line(&node.items, out, &mut part),
    };
}

#[cfg(test)]
mod tests {
    use crate::model::Value;

    #[test]
    fn only_identifiers_of_the_language_stand_without_quotes() {
        // `²` is a number to Unicode and the dot continues an identifier.
        let value = Value::object([("a²", Value::from(1)), ("a·b", Value::from(2)), ("n-1", Value::from(3))]);
        assert_eq!(value.to_string(), "{ \"a²\" = 1, a·b = 2, n-1 = 3 }");
        // After a brace this word begins something else.
        assert_eq!(Value::object([("for", Value::from(1))]).to_string(), "{ \"for\" = 1 }");
    }
}
