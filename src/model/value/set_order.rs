//! The iteration order of sets.
//!
//! Known elements come first, then unknown ones, then null. Bools, numbers and strings are in their natural order. For
//! elements with parts the specification only requires a consistent order; this one compares a rendering in which each
//! part is followed by a terminator, which matches the official engine.

use super::{Repr, Value};
use crate::model::types::Type;
use crate::sorting::sort_by;
use std::cmp::Ordering;

/// Sorts elements and removes duplicates. An element with unknown parts does not equal any element, not even itself.
pub(super) fn in_set_order(mut items: Vec<Value>) -> Vec<Value> {
    let same = |a: &mut Value, b: &mut Value| a == b && a.is_wholly_known();
    if !items.iter().any(|item| matches!(item.0, Repr::Node(_))) {
        items.sort_by(leaf_order);
        items.dedup_by(same);
        return items;
    }
    // Nested sets of one element each would be rendered on every level.
    if items.len() < 2 {
        return items;
    }
    // Rendering once per element instead of once per comparison.
    let mut keyed: Vec<(String, Value)> = items.into_iter().map(|v| (rendering(&v), v)).collect();
    sort_by(&mut keyed, |a, b| {
        let by_kind = class(&a.1).cmp(&class(&b.1));
        by_kind.then_with(|| a.0.cmp(&b.0)).then_with(|| a.1.cmp(&b.1))
    });
    let mut items: Vec<Value> = keyed.into_iter().map(|(_, value)| value).collect();
    items.dedup_by(same);
    items
}

fn class(value: &Value) -> u8 {
    match value.0 {
        Repr::Null(_) => 2,
        Repr::Unknown(_) | Repr::Refined(_) => 1,
        _ => 0,
    }
}

fn leaf_order(a: &Value, b: &Value) -> Ordering {
    class(a).cmp(&class(b)).then_with(|| a.cmp(b))
}

fn rendering(value: &Value) -> String {
    let mut out = String::new();
    render(value, &mut out);
    out
}

/// The number of bytes of an element's text that are compared; if they are equal, the elements themselves are. The
/// rendering of an element that shares parts with itself could be exponentially long.
const MAX_RENDERED: usize = 1 << 16;

fn render(value: &Value, out: &mut String) {
    match &value.0 {
        _ if out.len() >= MAX_RENDERED => {}
        Repr::Node(node) => {
            let (open, close) = match node.ty {
                Type::List(_) | Type::Set(_) => ('[', ']'),
                Type::Map(_) => ('{', '}'),
                _ => ('<', '>'),
            };
            out.push(open);
            for (at, item) in node.items.iter().enumerate() {
                if out.len() >= MAX_RENDERED {
                    return;
                }
                if let Some(key) = node.keys.get(at) {
                    render_text(key, out);
                    out.push(':');
                }
                render(item, out);
                out.push(';');
            }
            out.push(close);
        }
        leaf => render_leaf(leaf, out),
    }
}

fn render_leaf(leaf: &Repr, out: &mut String) {
    match leaf {
        Repr::Bool(true) => out.push('T'),
        Repr::Bool(false) => out.push('F'),
        Repr::Number(number) if number.is_infinite() => out.push_str(&number.to_string()),
        Repr::Number(number) => out.push_str(&number.to_scientific(10)),
        Repr::Text(text) => render_text(text, out),
        Repr::Null(_) => out.push('~'),
        Repr::Marked(marked) => render(&marked.value, out),
        _ => out.push('?'),
    }
}

fn render_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Returns the index of the exactly equal element among `items`, in set order.
pub(super) fn position(items: &[Value], element: &Value) -> Option<usize> {
    let key = match element.0 {
        Repr::Node(_) => rendering(element),
        _ => String::new(),
    };
    let position = items.binary_search_by(|item| {
        let by_class = class(item).cmp(&class(element));
        by_class.then_with(|| match (&item.0, &element.0) {
            (Repr::Node(_), Repr::Node(_)) => rendering(item).cmp(&key).then_with(|| item.cmp(element)),
            _ => item.cmp(element),
        })
    });
    position.ok()
}
