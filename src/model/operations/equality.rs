//! Equality in the language (information model, "equal if and only if their types are identical and their values are
//! equal"). With unknown operands it may be unknown.

use crate::model::types::Type;
use crate::model::value::{Node, Value};

/// Compares two values: they are equal if their types are identical and so are their parts, or if both are null. If
/// unknown parts leave that undecided, the result is unknown. All marks in the operands are on the result.
///
/// ```
/// use hcl_lr::model::{operations::equal, Type, Value};
/// assert_eq!(equal(&Value::from(1), &Value::from(1)), Value::from(true));
/// assert_eq!(equal(&Value::from(1), &Value::from("1")), Value::from(false));
/// assert!(!equal(&Value::unknown(Type::String), &Value::from("a")).is_known());
/// ```
pub fn equal(left: &Value, right: &Value) -> Value {
    let (a, a_marks) = left.unmark_deep();
    let (b, b_marks) = right.unmark_deep();
    let result = match decide(&a, &b) {
        Some(decided) => Value::from(decided),
        None => Value::unknown_not_null(Type::Bool),
    };
    result.with_marks(&a_marks.union(&b_marks))
}

/// The opposite of [`equal`].
pub fn not_equal(left: &Value, right: &Value) -> Value {
    let equal = equal(left, right);
    match equal.as_bool() {
        Some(b) => Value::from(!b).with_marks(&equal.marks()),
        None => equal,
    }
}

/// Compares unmarked values; `None` if unknown parts leave the result undecided.
pub(super) fn decide(a: &Value, b: &Value) -> Option<bool> {
    match (a.is_null(), b.is_null()) {
        (true, true) => return Some(true),
        (true, false) => return if b.is_never_null() { Some(false) } else { None },
        (false, true) => return if a.is_never_null() { Some(false) } else { None },
        (false, false) => {}
    }
    let excluded = match (a.is_known(), b.is_known()) {
        // Whatever their types, both may still turn out to be null.
        (false, false) => return None,
        (true, false) => excludes(b, a),
        (false, true) => excludes(a, b),
        (true, true) => false,
    };
    if excluded {
        return Some(false);
    }
    if a.has_unsettled_type() || b.has_unsettled_type() {
        return if may_match(&a.ty(), &b.ty()) { None } else { Some(false) };
    }
    if a.ty() != b.ty() {
        return Some(false);
    }
    match (a.is_known(), b.is_known()) {
        (true, true) if a.is_wholly_known() && b.is_wholly_known() => Some(a == b),
        (true, true) => match (a.node(), b.node()) {
            (Some(a), Some(b)) => decide_parts(a, b),
            _ => Some(a == b),
        },
        _ => None,
    }
}

/// Returns true if two types may be identical once their dynamic parts are settled.
fn may_match(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Dynamic, _) | (_, Type::Dynamic) => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            may_match(a.get(), b.get())
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let (a, b) = (a.elements(), b.elements());
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_match(a, b))
        }
        (Type::Object(a), Type::Object(b)) => {
            let (a, b) = (a.attributes(), b.attributes());
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| a.name() == b.name() && may_match(a.ty(), b.ty()))
        }
        _ => a == b,
    }
}

/// Returns true if the known facts about `unknown` rule out that it is `known`.
fn excludes(unknown: &Value, known: &Value) -> bool {
    let refinement = unknown.refinement();
    if let Some(number) = known.as_number() {
        return !refinement.admits_number(number);
    }
    if let Some(text) = known.as_str() {
        return !text.starts_with(refinement.prefix());
    }
    let Some(items) = known.elements() else { return false };
    let most = items.len() as u64;
    if matches!(known.ty(), Type::Set(_)) && !known.is_wholly_known() {
        // Elements with unknown parts may turn out to be equal, so that only one of them remains.
        return refinement.max_length() == Some(0) || refinement.min_length() > most;
    }
    !refinement.admits_length(most)
}

/// The size of sets above which their comparison stays undecided, because each element is compared with each.
const MAX_COMPARED: usize = 64;

/// Compares sets with unknown parts. They differ if one has an element that cannot equal any of the other.
fn decide_sets(a: &[Value], b: &[Value]) -> Option<bool> {
    // An element that is wholly unknown may equal any element, even one of its own set.
    if a.iter().chain(b).any(|item| !item.is_known()) {
        return None;
    }
    if a.is_empty() != b.is_empty() {
        return Some(false);
    }
    if a.len() * b.len() > MAX_COMPARED {
        return None;
    }
    let lacks = |other: &[Value], item: &Value| other.iter().all(|candidate| decide(candidate, item) == Some(false));
    (a.iter().any(|item| lacks(b, item)) || b.iter().any(|item| lacks(a, item))).then_some(false)
}

/// Compares values of one type with parts, some of them unknown.
fn decide_parts(a: &Node, b: &Node) -> Option<bool> {
    if matches!(a.ty, Type::Set(_)) {
        return decide_sets(&a.items, &b.items);
    }
    if a.items.len() != b.items.len() || a.keys != b.keys {
        return Some(false);
    }
    let ordered = matches!(a.ty, Type::List(_) | Type::Tuple(_));
    let mut undecided = false;
    for (a_item, b_item) in a.items.iter().zip(&b.items) {
        match decide(a_item, b_item) {
            Some(true) => {}
            Some(false) => return Some(false),
            // In a sequence the first part that is not equal decides, as in the official engine; its result for maps
            // and objects varies from run to run.
            None if ordered => return None,
            None => undecided = true,
        }
    }
    if undecided { None } else { Some(true) }
}
