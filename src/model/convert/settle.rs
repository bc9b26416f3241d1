//! The types and refinements of nulls and unknowns after conversion.

use super::{Safety, Search};
use crate::model::refine::Refine;
use crate::model::types::{AttributeType, CollectionKind, Type};
use crate::model::unify::unify_in;
use crate::model::value::Value;

/// Returns the type that values of `from` have after conversion to `to`, as far as the types determine it: dynamic
/// parts of `to` take the type of `from`.
pub(crate) fn settled_type(from: &Type, to: &Type, search: &mut Search<'_>) -> Type {
    if *from == Type::Dynamic || !to.has_dynamic() || search.steps(1).is_err() {
        return to.clone();
    }
    match to {
        Type::Dynamic => from.clone(),
        _ => {
            let pair = search.pair(from, to);
            search.known_settled(pair).unwrap_or_else(|| {
                let settled = settled_compound(from, to, search);
                search.keep_settled(pair, &settled);
                settled
            })
        }
    }
}

fn settled_compound(from: &Type, to: &Type, search: &mut Search<'_>) -> Type {
    match to {
        Type::List(want) => settled_collection(CollectionKind::List, from, want.get(), search),
        Type::Set(want) => settled_collection(CollectionKind::Set, from, want.get(), search),
        Type::Map(want) => settled_collection(CollectionKind::Map, from, want.get(), search),
        // The lengths only differ if an optional attribute cannot be converted.
        Type::Tuple(want) => {
            let have = from.tuple_elements().unwrap_or_default();
            let settled = |(at, want): (usize, &Type)| match have.get(at) {
                Some(have) => settled_type(have, want, search),
                None => want.clone(),
            };
            Type::tuple(want.elements().iter().enumerate().map(settled))
        }
        Type::Object(want) => {
            let mut settled = |want: &AttributeType| match from.attribute_type(want.name()) {
                Some(have) => settled_type(have, want.ty(), search),
                None => match from {
                    Type::Map(have) => settled_type(have.get(), want.ty(), search),
                    _ => want.ty().clone(),
                },
            };
            let attributes = want.attributes().iter();
            Type::object_with(attributes.map(|a| AttributeType::known(a.shared_name().clone(), settled(a))))
        }
        _ => to.clone(),
    }
}

fn settled_collection(kind: CollectionKind, from: &Type, want: &Type, search: &mut Search<'_>) -> Type {
    let element = match from {
        Type::Map(_) | Type::Object(_) if kind != CollectionKind::Map => None,
        Type::List(_) | Type::Set(_) | Type::Tuple(_) if kind == CollectionKind::Map => None,
        Type::Tuple(tuple) => unify_in(tuple.elements(), Safety::Unsafe, search),
        Type::Object(object) => {
            let members: Vec<Type> = object.attributes().iter().map(|a| a.ty().clone()).collect();
            unify_in(&members, Safety::Unsafe, search)
        }
        _ => from.element_type().cloned(),
    };
    kind.of(element.map_or_else(|| want.clone(), |element| settled_type(&element, want, search)))
}

/// Returns the result of converting an unknown value: it keeps what is known about null, and about the length as far as
/// the new type has one.
pub(super) fn settled_unknown(value: &Value, to: &Type, search: &mut Search<'_>) -> Value {
    let from = value.ty();
    let to = settled_type(&from, to, search);
    let unknown = Value::unknown(to.clone());
    let mut refine = unknown.refine();
    if value.is_never_null() {
        refine = refine.not_null();
    }
    let refine = match (&from, to.collection_kind()) {
        (Type::Tuple(tuple), Some(kind)) => fixed_length(refine, kind, tuple.elements().len()),
        (Type::Object(object), Some(kind)) => fixed_length(refine, kind, object.attributes().len()),
        (from, Some(kind)) if from.collection_kind().is_some() => {
            let known = value.refinement();
            let mut refine = refine;
            if known.min_length() > 0 {
                // If elements of a set become equal, at least one remains.
                let merges = kind == CollectionKind::Set;
                refine = refine.min_length(if merges { 1 } else { known.min_length() });
            }
            match known.max_length() {
                Some(max) => refine.max_length(max),
                None => refine,
            }
        }
        _ => refine,
    };
    // Lengths of one value never contradict each other.
    refine.value().unwrap_or(unknown)
}

/// Refines the length to that of the members; in a set some may become equal.
fn fixed_length(refine: Refine, kind: CollectionKind, members: usize) -> Refine {
    let members = members as u64;
    let least = if kind == CollectionKind::Set { members.min(1) } else { members };
    refine.min_length(least).max_length(members)
}
