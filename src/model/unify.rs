//! Unification: one type that all given types convert to (information model,
//! "Unification"; rulings, "unification").
//!
//! | types | result |
//! | --- | --- |
//! | string, number, bool | string if it occurs, else the only type that occurs |
//! | of one kind of collection | that kind, of the unified element types |
//! | maps and objects | a map, if all elements and attributes unify |
//! | lists and tuples | a list, if all elements unify |
//! | objects with the same attributes | an object, attribute by attribute |
//! | other objects | a map, if all attributes unify |
//! | tuples of one length | a tuple, element by element |
//! | other tuples | a list, if all elements unify |
//! | anything and dynamic | dynamic (unsafe: for string, number and bool the other type) |
//!
//! Other types unify if all of them convert to one of them.

use super::convert::{ConvertError, Safety, Search, possible};
use super::path::Located;
use super::types::{AttributeType, CollectionKind, Type, TypeMismatch, texts};
use super::value::Value;
use crate::limits::Account;
use std::collections::HashMap;

/// Returns a type that all of the types convert to, or `None`. Without types, there is none.
///
/// ```
/// use hcl_lr::model::{convert::Safety, unify::unify, Type};
/// let types = [Type::list(Type::Number), Type::list(Type::String)];
/// assert_eq!(unify(&types, Safety::Safe), Some(Type::list(Type::String)));
/// assert_eq!(unify(&[Type::Number, Type::Bool], Safety::Safe), None);
/// ```
pub fn unify(types: &[Type], safety: Safety) -> Option<Type> {
    unify_within(types, safety, &Account::default())
}

/// [`unify`], as part of an evaluation.
pub(crate) fn unify_within(types: &[Type], safety: Safety, account: &Account) -> Option<Type> {
    unify_in(types, safety, &mut Search::new(account))
}

/// [`unify`], as part of a search.
pub(crate) fn unify_in(types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let types = distinct(types, search)?;
    match &types[..] {
        [] => None,
        [only] if !only.has_optional_attributes() => Some(only.clone()),
        _ => {
            let list = search.list(&types);
            if let Some(unified) = search.known_type(&list, safety) {
                return unified;
            }
            let unified = unify_distinct(&types, safety, search);
            search.keep_type(list, safety, &unified);
            unified
        }
    }
}

/// Converts the values to the type that their types unify to.
///
/// # Errors
/// There is no such type, or a value cannot be converted to it.
///
/// ```
/// use hcl_lr::model::{convert::Safety, unify::unify_values, Value};
/// let values = unify_values(&[Value::from(1), Value::from("a")], Safety::Safe)?;
/// assert_eq!(values, [Value::from("1"), Value::from("a")]);
/// # Ok::<(), hcl_lr::model::convert::ConvertError>(())
/// ```
pub fn unify_values(values: &[Value], safety: Safety) -> Result<Vec<Value>, ConvertError> {
    let account = Account::default();
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let mut search = Search::new(&account);
    match unify_in(&types, safety, &mut search) {
        Some(ty) => values.iter().map(|value| value.convert_within(&ty, &account)).collect(),
        None if values.is_empty() => Ok(Vec::new()),
        None => Err(ConvertError::from(no_common_type(&types, &mut search))),
    }
}

fn no_common_type(types: &[Type], search: &mut Search<'_>) -> TypeMismatch {
    let types = distinct(types, search).unwrap_or_default();
    let why = format!("no type fits all of {}", texts::list(&types));
    TypeMismatch(Located::new(Vec::new(), why))
}

/// Returns each type once, in the order of first appearance; `None` if that is too much work.
fn distinct(types: &[Type], search: &mut Search<'_>) -> Option<Vec<Type>> {
    search.steps(types.len()).ok()?;
    let mut seen = std::collections::HashSet::new();
    let mut kept: Vec<Type> = Vec::new();
    for ty in types {
        // Long lists of members mostly repeat one type.
        if kept.last().is_none_or(|last| !search.same(last, ty)) && seen.insert(search.number(ty)) {
            search.account.element(kept.len()).ok()?;
            kept.push(ty.clone());
        }
    }
    Some(kept)
}

/// The number of types of each kind.
#[derive(Default)]
struct Kinds {
    maps: usize,
    lists: usize,
    sets: usize,
    objects: usize,
    tuples: usize,
    dynamic: usize,
}

impl Kinds {
    fn count(types: &[Type]) -> Kinds {
        let mut kinds = Kinds::default();
        for ty in types {
            match ty {
                Type::Map(_) => kinds.maps += 1,
                Type::List(_) => kinds.lists += 1,
                Type::Set(_) => kinds.sets += 1,
                Type::Object(_) => kinds.objects += 1,
                Type::Tuple(_) => kinds.tuples += 1,
                Type::Dynamic => kinds.dynamic += 1,
                _ => {}
            }
        }
        kinds
    }
}

fn unify_distinct(types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let kinds = Kinds::count(types);
    // True if all types except dynamic are of the kinds counted in `some`.
    let only = |some: usize| some > 0 && some + kinds.dynamic == types.len();
    let undecided = kinds.dynamic > 0;
    if only(kinds.maps) {
        return collection(CollectionKind::Map, types, safety, undecided, search);
    }
    if only(kinds.lists) {
        return collection(CollectionKind::List, types, safety, undecided, search);
    }
    if only(kinds.sets) {
        return collection(CollectionKind::Set, types, safety, undecided, search);
    }
    if only(kinds.objects) {
        return if undecided { Some(Type::Dynamic) } else { objects(types, safety, search) };
    }
    if only(kinds.tuples) {
        return if undecided { Some(Type::Dynamic) } else { tuples(types, safety, search) };
    }
    if only(kinds.maps + kinds.objects)
        && let Some(map) = widened(CollectionKind::Map, types, safety, undecided, search)
    {
        return Some(map);
    }
    if only(kinds.lists + kinds.tuples)
        && let Some(list) = widened(CollectionKind::List, types, safety, undecided, search)
    {
        return Some(list);
    }
    if kinds.objects > 0 && kinds.tuples > 0 {
        return None;
    }
    best_given(types, safety, search)
}

/// Unifies collections of one kind: by their element types.
fn collection(
    kind: CollectionKind,
    types: &[Type],
    safety: Safety,
    undecided: bool,
    search: &mut Search<'_>,
) -> Option<Type> {
    if undecided {
        return Some(Type::Dynamic);
    }
    let elements: Vec<Type> = types.iter().filter_map(|ty| ty.element_type().cloned()).collect();
    let to = kind.of(unify_in(&elements, safety, search)?);
    all_convert(types, to, safety, search)
}

/// The type, if all types convert to it.
fn all_convert(types: &[Type], to: Type, safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    types.iter().all(|ty| search.same(ty, &to) || possible(ty, &to, safety, search)).then_some(to)
}

/// Unifies objects: attribute by attribute if they have the same names, otherwise to a map.
fn objects(types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let attributes: Vec<&[AttributeType]> = types.iter().filter_map(Type::attributes).collect();
    let (first, rest) = attributes.split_first()?;
    let same_names = |other: &&[AttributeType]| {
        other.len() == first.len() && other.iter().zip(*first).all(|(a, b)| a.name() == b.name())
    };
    if !rest.iter().all(same_names) {
        return gathered(CollectionKind::Map, types, safety, search);
    }
    let mut unified = Vec::with_capacity(first.len());
    for (at, attribute) in first.iter().enumerate() {
        let across: Vec<Type> = attributes.iter().map(|object| object[at].ty().clone()).collect();
        unified.push(AttributeType::known(attribute.shared_name().clone(), unify_in(&across, safety, search)?));
    }
    all_convert(types, Type::object_with(unified), safety, search)
        .or_else(|| gathered(CollectionKind::Map, types, safety, search))
}

/// Unifies tuples: element by element if they have the same length, otherwise to a list.
fn tuples(types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let elements: Vec<&[Type]> = types.iter().filter_map(Type::tuple_elements).collect();
    let (first, rest) = elements.split_first()?;
    if rest.iter().any(|other| other.len() != first.len()) {
        return gathered(CollectionKind::List, types, safety, search);
    }
    let mut unified = Vec::with_capacity(first.len());
    for at in 0..first.len() {
        let across: Vec<Type> = elements.iter().map(|tuple| tuple[at].clone()).collect();
        unified.push(unify_in(&across, safety, search)?);
    }
    all_convert(types, Type::tuple(unified), safety, search)
        .or_else(|| gathered(CollectionKind::List, types, safety, search))
}

/// Returns the map or list for all members of objects or tuples.
fn gathered(kind: CollectionKind, types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let mut members = Vec::new();
    for ty in types {
        members.extend(ty.tuple_elements().unwrap_or_default().iter().cloned());
        members.extend(ty.attributes().unwrap_or_default().iter().map(|a| a.ty().clone()));
    }
    let to = kind.of(unify_in(&members, safety, search)?);
    all_convert(types, to, safety, search)
}

/// Unifies maps with objects, or lists with tuples: first the objects or tuples to a map or list, then all of them.
fn widened(
    kind: CollectionKind,
    types: &[Type],
    safety: Safety,
    undecided: bool,
    search: &mut Search<'_>,
) -> Option<Type> {
    let (plain, structural): (Vec<Type>, Vec<Type>) =
        types.iter().cloned().partition(|ty| ty.element_type().is_some() || *ty == Type::Dynamic);
    let gathered = gathered(kind, &structural, safety, search)?;
    if undecided {
        return None;
    }
    let mut all = plain;
    all.push(gathered);
    unify_in(&all, safety, search).filter(|ty| ty.collection_kind() == Some(kind))
}

/// Returns the first of the given types, in the order of preference, that all others convert to.
fn best_given(types: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Type> {
    let mut fitting: Vec<&Type> = Vec::new();
    // A type that does not convert to one type often does not convert to the next one either.
    let mut stranger: Option<&Type> = None;
    for to in types {
        let mut fits = |ty: &&Type| search.same(ty, to) || possible(ty, to, safety, search);
        if stranger.is_some_and(|ty| !fits(&ty)) {
            continue;
        }
        match types.iter().find(|ty| !fits(ty)) {
            None => fitting.push(to),
            found => stranger = found,
        }
    }
    let (mut best, mut known) = (*fitting.first()?, HashMap::new());
    for ty in &fitting[1..] {
        // Of equally good types, the first is taken.
        if preference(ty, &mut known, search)? < preference(best, &mut known, search)? {
            best = ty;
        }
    }
    Some(best.clone())
}

/// Ranks a type as a result, lowest first: the sum of the ranks on each level of the type. So if two types differ in
/// some members, the one with the better members is better, and outer levels count before inner ones.
fn preference(ty: &Type, known: &mut HashMap<usize, Vec<u64>>, search: &mut Search<'_>) -> Option<Vec<u64>> {
    search.steps(1).ok()?;
    if let Some(sums) = ty.address().and_then(|address| known.get(&address)) {
        return Some(sums.clone());
    }
    let mut sums = vec![rank(ty)];
    let parts = ty.element_type().into_iter().chain(ty.tuple_elements().unwrap_or_default());
    for part in parts.chain(ty.attributes().unwrap_or_default().iter().map(AttributeType::ty)) {
        let of_part = preference(part, known, search)?;
        search.steps(of_part.len()).ok()?;
        if sums.len() <= of_part.len() {
            sums.resize(of_part.len() + 1, 0);
        }
        for (sum, rank) in sums[1..].iter_mut().zip(of_part) {
            *sum = sum.saturating_add(rank);
        }
    }
    if let Some(address) = ty.address() {
        search.account.elements(sums.len()).ok()?;
        known.insert(address, sums.clone());
    }
    Some(sums)
}

/// String can hold all primitives, lists and maps are simpler than their sources, sets have lost information, dynamic
/// has no information.
fn rank(ty: &Type) -> u64 {
    match ty {
        Type::String => 0,
        Type::Number | Type::Bool | Type::Capsule(_) => 1,
        Type::List(_) | Type::Map(_) => 2,
        Type::Tuple(_) | Type::Object(_) => 3,
        Type::Set(_) => 4,
        Type::Dynamic => 5,
    }
}
