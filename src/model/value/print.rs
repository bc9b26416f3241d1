//! Values as text that reads like HCL.

use super::lines::print_lines;
use super::{Entries, Node, Repr, Value};
use crate::model::hidden;
use crate::model::refine::Refinement;
use crate::model::types::{CollectionKind, Type};
use crate::quote::{key_into, quote_into};
use crate::stack::with_room_for;
use std::fmt;

/// For people: `{ name = "web", ports = [80, 443] }`. Lists, sets and tuples look alike,
/// and so do maps and objects. An unknown is shown as `(unknown string)`, and of a marked
/// value only the marks are shown, since one of them may mean that it is a secret.
///
/// The form `{:#}` has a line for each part:
///
/// ```
/// use hcl_lr::model::Value;
/// let server = Value::object([("name", Value::from("web")), ("id", Value::from(7)), ("ports", [80, 443].into())]);
/// assert_eq!(server.to_string(), r#"{ id = 7, name = "web", ports = [80, 443] }"#);
/// assert_eq!(
///     format!("{server:#}"),
///     r#"{
///   id   = 7
///   name = "web"
///   ports = [
///     80,
///     443,
///   ]
/// }"#
/// );
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_lines = f.alternate();
        let text = with_room_for(self.height(), || {
            let mut out = String::new();
            match in_lines {
                true => print_lines(self, 0, &mut out),
                false => print(self, false, &mut out),
            }
            out
        });
        f.pad(&text)
    }
}

/// For programmers: nothing left out. Collections name their type, `list(string)["a"]`,
/// nulls and unknowns too, with what is known of them. Of a marked value only the marks are shown here as
/// well: logs and failed assertions are read by others than those who may know a secret.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = with_room_for(self.height(), || {
            let mut out = String::new();
            print(self, true, &mut out);
            out
        });
        f.write_str(&text)
    }
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
        // The type of the elements may have names in it that are attributes of a marked one.
        Some(kind) if node.shape.marked => out.push_str(match kind {
            CollectionKind::List => "list",
            CollectionKind::Set => "set",
            CollectionKind::Map => "map",
        }),
        Some(_) => out.push_str(&node.ty.describe()),
        None => {}
    }
    let named = matches!(node.ty, Type::Map(_) | Type::Object(_));
    let (open, close) = match (named, node.items.is_empty()) {
        (true, true) => ("{", "}"),
        (true, false) => ("{ ", " }"),
        (false, _) => ("[", "]"),
    };
    out.push_str(open);
    for at in 0..node.items.len() {
        out.push_str(if at == 0 { "" } else { ", " });
        if named {
            name_into(node, at, out);
            out.push_str(" = ");
        }
        print(&node.items[at], all, out);
    }
    out.push_str(close);
}

/// Writes the name of a part.
pub(super) fn name_into(node: &Node, at: usize, out: &mut String) {
    if let Some(name) = Entries::shared_name(node, at) {
        key_into(name, out);
    }
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
