//! Explains why no conversion exists between two types.

use super::plan::possible;
use super::{Safety, Search};
use crate::model::path::{Located, PathStep};
use crate::model::types::{ObjectType, Type, TypeMismatch, texts};
use crate::model::unify::unify_in;

/// Finds the innermost types that prevent a conversion. Called only if there is no conversion, so it may repeat work of
/// the search.
pub(super) fn why_not(from: &Type, to: &Type, safety: Safety, search: &mut Search<'_>) -> TypeMismatch {
    let mut steps = Vec::new();
    let why = explain(from, to, safety, &mut steps, search);
    TypeMismatch(Located::new(steps, why))
}

/// Pairs of members that must be converted to one another, and the step to each.
type Pairs<'t> = Vec<(PathStep, &'t Type, &'t Type)>;

fn explain(from: &Type, to: &Type, safety: Safety, steps: &mut Vec<PathStep>, search: &mut Search<'_>) -> String {
    let (mut from, mut to) = (from, to);
    loop {
        let found = match pairs(from, to, search) {
            Err(why) => return why,
            Ok(pairs) => {
                let mut bad =
                    |(_, a, b): &(PathStep, &Type, &Type)| !search.same(a, b) && !possible(a, b, safety, search);
                pairs.into_iter().find(|pair| bad(pair))
            }
        };
        let Some((step, inner_from, inner_to)) = found else { return texts::required(to, from) };
        steps.push(step);
        (from, to) = (inner_from, inner_to);
    }
}

fn pairs<'t>(from: &'t Type, to: &'t Type, search: &mut Search<'_>) -> Result<Pairs<'t>, String> {
    match (from, to) {
        (Type::Tuple(have), Type::Tuple(want)) => {
            let (have, want) = (have.elements(), want.elements());
            if have.len() != want.len() {
                return Err(texts::count(want.len(), have.len()));
            }
            let pairs = have.iter().zip(want).enumerate();
            Ok(pairs.map(|(at, (have, want))| (PathStep::Position(at), have, want)).collect())
        }
        (Type::Tuple(have), Type::List(want) | Type::Set(want)) => {
            let members = have.elements();
            if *want.get() == Type::Dynamic && unify_in(members, Safety::Unsafe, search).is_none() {
                return Err("all elements must have the same type".to_string());
            }
            let pairs = members.iter().enumerate();
            Ok(pairs.map(|(at, have)| (PathStep::Position(at), have, want.get())).collect())
        }
        (Type::Object(have), Type::Map(want)) => {
            let members: Vec<Type> = have.attributes().iter().map(|a| a.ty().clone()).collect();
            if *want.get() == Type::Dynamic && unify_in(&members, Safety::Unsafe, search).is_none() {
                return Err("all attributes must have the same type".to_string());
            }
            let step = |name: &str| PathStep::attribute(name);
            let pairs = have.attributes().iter();
            Ok(pairs.map(|a| (step(a.name()), a.ty(), want.get())).collect())
        }
        (Type::Object(have), Type::Object(want)) => object_pairs(have, want),
        (Type::Map(have), Type::Object(want)) => {
            let required = want.attributes().iter().filter(|a| !a.is_optional());
            Ok(required.map(|a| (PathStep::key(a.name()), have.get(), a.ty())).collect())
        }
        _ => match (from.element_type(), to.element_type()) {
            (Some(have), Some(want)) => Ok(vec![(PathStep::Any, have, want)]),
            _ => Ok(Vec::new()),
        },
    }
}

fn object_pairs<'t>(have: &'t ObjectType, want: &'t ObjectType) -> Result<Pairs<'t>, String> {
    let mut pairs = Vec::new();
    let mut missing = Vec::new();
    for attribute in want.attributes() {
        match have.get(attribute.name()) {
            Some(own) => {
                pairs.push((PathStep::attribute(own.name()), own.ty(), attribute.ty()));
            }
            None if attribute.is_optional() => {}
            None => missing.push(attribute.name()),
        }
    }
    match missing[..] {
        [] => Ok(pairs),
        [name] => Err(texts::missing(name)),
        _ => Err(format!("attributes \"{}\" are required", missing.join("\", \""))),
    }
}
