//! The facts that hold for both of two values.

use super::{Bound, Refine};
use crate::model::{Number, Type, Value};

/// Returns a value of the type that may be either of two values: null if both are null, else unknown with the facts
/// that hold for both. It has no marks.
pub(crate) fn either(ty: &Type, a: &Value, b: &Value) -> Value {
    let (a, b) = (a.unmarked(), b.unmarked());
    if a.is_null() && b.is_null() {
        return Value::null(ty.clone());
    }
    let unknown = Value::unknown(ty.clone());
    let mut refine = unknown.refine();
    if a.is_never_null() && b.is_never_null() {
        refine = refine.not_null();
    }
    if a.ty() == *ty && b.ty() == *ty {
        refine = match ty {
            Type::Number => within_both_bounds(refine, a, b),
            _ if ty.collection_kind().is_some() => within_both_lengths(refine, a, b),
            _ => refine,
        };
    }
    // Bounds that contain those of both values cannot contradict each other.
    refine.value().unwrap_or(unknown)
}

fn within_both_bounds(refine: Refine, a: &Value, b: &Value) -> Refine {
    let bounds = |value: &Value| -> (Option<Bound>, Option<Bound>) {
        match value.as_number() {
            Some(number) => {
                let bound = Bound { number: number.clone(), inclusive: true };
                (Some(bound.clone()), Some(bound))
            }
            None => (value.refinement().lower_bound().cloned(), value.refinement().upper_bound().cloned()),
        }
    };
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(b));
    // Of two equal bounds, the wider one includes the number itself.
    let low = low_a.zip(low_b).map(|(a, b)| if (&b.number, !b.inclusive) < (&a.number, !a.inclusive) { b } else { a });
    let high = high_a.zip(high_b).map(|(a, b)| if (&b.number, b.inclusive) > (&a.number, a.inclusive) { b } else { a });
    let refine = match low {
        Some(Bound { number, inclusive }) if number != Number::NEG_INFINITY => refine.min(number, inclusive),
        _ => refine,
    };
    match high {
        Some(Bound { number, inclusive }) if number != Number::INFINITY => refine.max(number, inclusive),
        _ => refine,
    }
}

fn within_both_lengths(refine: Refine, a: &Value, b: &Value) -> Refine {
    let lengths = |value: &Value| -> (u64, Option<u64>) {
        if value.is_null() {
            return (0, None);
        }
        match value.elements() {
            // Unknown elements of a set may turn out to be equal.
            Some(_) if matches!(value.ty(), Type::Set(_)) && !value.is_wholly_known() => (0, None),
            Some(elements) => (elements.len() as u64, Some(elements.len() as u64)),
            None => (value.refinement().min_length(), value.refinement().max_length()),
        }
    };
    let ((least_a, most_a), (least_b, most_b)) = (lengths(a), lengths(b));
    let refine = refine.min_length(least_a.min(least_b));
    match most_a.zip(most_b) {
        Some((a, b)) => refine.max_length(a.max(b)),
        None => refine,
    }
}
