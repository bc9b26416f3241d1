//! Finds the conversion between two types.

use super::{Safety, Search};
use crate::model::types::{CollectionKind, ObjectType, Type};
use crate::model::unify::unify_in;
use std::sync::Arc;

/// The conversion of values of one type to another one.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// The types are identical.
    Keep,
    /// The target is dynamic: any value passes.
    Pass,
    /// Something changes.
    Change(Arc<Change>),
}

#[derive(Debug)]
pub(super) struct Change {
    /// The target, without optional attributes: they are not part of any value's type.
    pub to: Type,
    pub how: Rule,
}

#[derive(Debug)]
pub(super) enum Rule {
    /// From dynamic: whatever the value is.
    Late,
    /// Number or bool to string.
    Format,
    /// String to number.
    ReadNumber,
    /// String to bool.
    ReadBool,
    /// Collection to collection, every element alike.
    Elements { kind: CollectionKind, each: Plan },
    /// Tuple to list or set, object to map: each member has its own plan. The element type is the requested one, or the
    /// common type of all members.
    Gather { kind: CollectionKind, element: Type, each: Vec<Plan>, safety: Safety },
    /// Tuple to list or set, object to map: the types of some members are decided later, and so is the common one.
    Undecided,
    /// Tuple to tuple.
    Tuple(Vec<Plan>),
    /// Object to object: for each attribute of the target its position in the source, or `None` if an optional
    /// attribute is missing.
    Object(Vec<Option<(usize, Plan)>>),
    /// Map to object: for each attribute of the target the plan for the element of that name. `None` if there must be
    /// no such element; the attribute is optional then.
    Spread { target: ObjectType, each: Vec<Option<Plan>> },
}

/// Returns true if there is a conversion.
pub(crate) fn possible(from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> bool {
    plan(from, to, safety, search).is_some()
}

/// The table of conversions (information model, "Conversion").
pub(super) fn plan(from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> Option<Plan> {
    search.steps(1).ok()?;
    if *to == Type::Dynamic {
        return Some(Plan::Pass);
    }
    match simple(from, to, safety) {
        Some(how) => Some(Plan::change(to, how)),
        None => {
            let pair = search.pair(from, to);
            if let Some(plan) = search.known_plan(pair, safety) {
                return plan;
            }
            let plan = compound(from, to, safety, search).map(|how| Plan::change(to, how));
            search.keep_plan(pair, safety, &plan);
            plan
        }
    }
}

/// Plans the rows of the table without nesting.
fn simple(from: &Type, to: &Type, safety: Safety) -> Option<Rule> {
    let lossy = safety == Safety::Unsafe;
    match (from, to) {
        (Type::Dynamic, _) => lossy.then_some(Rule::Late),
        (Type::Number | Type::Bool, Type::String) => Some(Rule::Format),
        (Type::String, Type::Number) => lossy.then_some(Rule::ReadNumber),
        (Type::String, Type::Bool) => lossy.then_some(Rule::ReadBool),
        _ => None,
    }
}

/// Plans the rows of the table in which parts are converted. This and the functions that it calls are recursive, so
/// they have small frames.
fn compound(from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> Option<Rule> {
    use CollectionKind::{List, Map, Set};
    let lossy = safety == Safety::Unsafe;
    match (from, to) {
        (Type::List(a) | Type::Set(a), Type::List(b)) => elements(List, a.get(), b.get(), safety, search),
        (Type::Set(a), Type::Set(b)) => elements(Set, a.get(), b.get(), safety, search),
        (Type::List(a), Type::Set(b)) if lossy => elements(Set, a.get(), b.get(), safety, search),
        (Type::Map(a), Type::Map(b)) => elements(Map, a.get(), b.get(), safety, search),
        (Type::Tuple(a), Type::List(b)) => gather(List, a.elements(), b.get(), safety, search),
        (Type::Tuple(a), Type::Set(b)) => gather(Set, a.elements(), b.get(), safety, search),
        (Type::Object(a), Type::Map(b)) => gather(Map, &attribute_types(a), b.get(), safety, search),
        (Type::Tuple(a), Type::Tuple(b)) => tuple(a.elements(), b.elements(), safety, search),
        (Type::Object(a), Type::Object(b)) => object(a, b, safety, search),
        (Type::Map(a), Type::Object(b)) if lossy => spread(a.get(), b, search),
        _ => None,
    }
}

fn attribute_types(object: &ObjectType) -> Vec<Type> {
    object.attributes().iter().map(|a| a.ty().clone()).collect()
}

impl Plan {
    fn change(to: &Type, how: Rule) -> Plan {
        Plan::Change(Arc::new(Change { to: to.without_optional_attributes(), how }))
    }
}

/// Returns the plan for a part. Parts of identical type are kept, unless a null or unknown value has optional
/// attributes in its type, which must be removed.
fn part(from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> Option<Plan> {
    if !to.has_optional_attributes() && search.same(from, to) {
        return Some(Plan::Keep);
    }
    plan(from, to, safety, search)
}

fn elements(kind: CollectionKind, from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> Option<Rule> {
    Some(Rule::Elements { kind, each: part(from, to, safety, search)? })
}

fn gather(kind: CollectionKind, members: &[Type], to: &Type, safety: Safety, search: &mut Search<'_>) -> Option<Rule> {
    search.account.elements(members.len()).ok()?;
    let mut element = to.clone();
    if element == Type::Dynamic && !members.is_empty() {
        element = unify_in(members, safety, search)?;
        if element == Type::Dynamic && members.iter().any(|member| *member != Type::Dynamic) {
            if search.account.has_late_types() && may_have_common_type(members, search) {
                return Some(Rule::Undecided);
            }
            // Only some members leave the type undecided: the others would keep their different types.
            if kind != CollectionKind::Map {
                return None;
            }
        }
    }
    let mut each: Vec<Plan> = Vec::with_capacity(members.len());
    for (at, member) in members.iter().enumerate() {
        // Long tuples often repeat one type; its plan is reused.
        let same = at > 0 && search.same(&members[at - 1], member);
        let next = match each.last() {
            Some(last) if same => last.clone(),
            _ => part(member, &element, safety, search)?,
        };
        each.push(next);
    }
    Some(Rule::Gather { kind, element, each, safety })
}

/// Returns true if members have different types, but may have a common one together with those whose type is decided
/// later: a bool and a number have none, but with a string they have.
fn may_have_common_type(members: &[Type], search: &mut Search<'_>) -> bool {
    let mut known = members.iter().filter(|member| **member != Type::Dynamic);
    let Some(first) = known.next() else { return false };
    let is_one = known.clone().all(|member| search.same(member, first));
    let is_primitive = |member: &Type| matches!(member, Type::Bool | Type::Number | Type::String);
    !is_one && known.all(|member| is_primitive(member) == is_primitive(first))
}

fn tuple(from: &[Type], to: &[Type], safety: Safety, search: &mut Search<'_>) -> Option<Rule> {
    if from.len() != to.len() {
        return None;
    }
    search.account.elements(to.len()).ok()?;
    let mut each = Vec::with_capacity(to.len());
    for (from, to) in from.iter().zip(to) {
        each.push(part(from, to, safety, search)?);
    }
    Some(Rule::Tuple(each))
}

fn object(from: &ObjectType, to: &ObjectType, safety: Safety, search: &mut Search<'_>) -> Option<Rule> {
    search.account.elements(to.attributes().len()).ok()?;
    let mut each = Vec::with_capacity(to.attributes().len());
    for want in to.attributes() {
        let Some(at) = from.position(want.name()) else {
            if !want.is_optional() {
                return None;
            }
            each.push(None);
            continue;
        };
        let plan = part(from.attributes()[at].ty(), want.ty(), safety, search)?;
        each.push(Some((at, plan)));
    }
    Some(Rule::Object(each))
}

fn spread(element: &Type, target: &ObjectType, search: &mut Search<'_>) -> Option<Rule> {
    search.account.elements(target.attributes().len()).ok()?;
    let mut each = Vec::with_capacity(target.attributes().len());
    for want in target.attributes() {
        let plan = part(element, want.ty(), Safety::Unsafe, search);
        if plan.is_none() && !want.is_optional() {
            return None;
        }
        each.push(plan);
    }
    Some(Rule::Spread { target: target.clone(), each })
}
