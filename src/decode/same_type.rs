//! Converts the values of several blocks to a common type.

use crate::limits::Account;
use crate::model::convert::{Safety, Search, TypeConversion};
use crate::model::texts;
use crate::model::unify::unify_in;
use crate::model::{Type, Value};
use crate::stack;

/// A value that does not fit an earlier one, and the reason.
pub(super) struct DifferentType {
    pub first: usize,
    pub index: usize,
    pub why: String,
}

/// Returns the values converted to a common type, and that type. Without values, it is the expected type.
pub(super) fn unified(
    values: Vec<Value>,
    expected: &Type,
    account: &Account,
) -> Result<(Type, Vec<Value>), DifferentType> {
    let Some(first) = values.first() else { return Ok((expected.clone(), values)) };
    let first = first.ty();
    if values.iter().all(|value| value.ty() == first) {
        return Ok((first, values));
    }
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let height = values.iter().map(Value::height).max().unwrap_or(0);
    stack::with_room_for(height, || {
        let mut search = Search::new(account);
        let Some(common) = unify_in(&types, Safety::Unsafe, &mut search) else {
            return Err(different(&types, &mut search));
        };
        if !common.has_dynamic() {
            return converted(&values, common, &mut search);
        }
        if values.iter().all(Value::is_wholly_known) {
            // Here a value of dynamic type is null, and fits any type.
            let common = without_nulls(&types, &mut search).ok_or_else(|| different(&types, &mut search))?;
            return converted(&values, common, &mut search);
        }
        // If the same parts of all values have no type yet, the other parts are known.
        if common != Type::Dynamic
            && let Ok(same) = converted(&values, common, &mut search)
        {
            return Ok(same);
        }
        // The type is known when all values are.
        let unknown = |value: &Value| Value::unknown(Type::Dynamic).with_marks(&value.marks_deep());
        Ok((Type::Dynamic, values.iter().map(unknown).collect()))
    })
}

fn converted(values: &[Value], ty: Type, search: &mut Search<'_>) -> Result<(Type, Vec<Value>), DifferentType> {
    let mut all = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        all.push(value.convert_within(&ty, search.account).map_err(|why| DifferentType {
            first: 0,
            index,
            why: why.to_string(),
        })?);
    }
    // Parts that are dynamic in the common type have kept their types.
    match all.iter().position(|value| value.ty() != all[0].ty()) {
        None => Ok((all.first().map_or(ty, Value::ty), all)),
        Some(index) => {
            let types: Vec<Type> = [&all[0], &all[index]].map(Value::ty).to_vec();
            Err(DifferentType { first: 0, index, ..different(&types, search) })
        }
    }
}

/// Returns the first value that does not fit the first value with a type.
fn different(types: &[Type], search: &mut Search<'_>) -> DifferentType {
    let first = types.iter().position(|ty| *ty != Type::Dynamic).unwrap_or(0);
    let mut alone = |index: usize| without_nulls(&[types[first].clone(), types[index].clone()], search).is_none();
    let index = (first + 1..types.len()).find(|&index| alone(index)).unwrap_or(types.len() - 1);
    let why = match TypeConversion::within(&types[index], &types[first], Safety::Unsafe, search) {
        Err(why) => why.to_string(),
        Ok(_) => texts::no_common(&types[first], &types[index]),
    };
    DifferentType { first, index, why }
}

/// Returns the common type, in which a dynamic part of a value takes the type of that part in the others.
fn without_nulls(types: &[Type], search: &mut Search<'_>) -> Option<Type> {
    search.steps(types.len()).ok()?;
    let known: Vec<&Type> = types.iter().filter(|ty| **ty != Type::Dynamic).collect();
    let [first, rest @ ..] = &known[..] else { return Some(Type::Dynamic) };
    if rest.iter().all(|ty| ty == first) {
        return Some((*first).clone());
    }
    stack::with_room(|| match first {
        Type::Object(_) if known.iter().all(|ty| names(ty) == names(first)) => {
            let attributes = first.attributes()?;
            let mut all = Vec::with_capacity(attributes.len());
            for attribute in attributes {
                let across: Vec<Type> =
                    known.iter().filter_map(|ty| ty.attribute_type(attribute.name()).cloned()).collect();
                all.push((attribute.name(), without_nulls(&across, search)?));
            }
            Some(Type::object(all))
        }
        Type::Tuple(first) if known.iter().all(|ty| length(ty) == Some(first.elements().len())) => {
            let mut all = Vec::with_capacity(first.elements().len());
            for index in 0..first.elements().len() {
                let across: Vec<Type> =
                    known.iter().filter_map(|ty| ty.tuple_elements()?.get(index).cloned()).collect();
                all.push(without_nulls(&across, search)?);
            }
            Some(Type::tuple(all))
        }
        Type::List(_) if known.iter().all(|ty| matches!(ty, Type::List(_))) => {
            Some(Type::list(elements_without_nulls(&known, search)?))
        }
        Type::Set(_) if known.iter().all(|ty| matches!(ty, Type::Set(_))) => {
            Some(Type::set(elements_without_nulls(&known, search)?))
        }
        Type::Map(_) if known.iter().all(|ty| matches!(ty, Type::Map(_))) => {
            Some(Type::map(elements_without_nulls(&known, search)?))
        }
        _ => unify_in(&known.iter().map(|ty| (*ty).clone()).collect::<Vec<_>>(), Safety::Unsafe, search),
    })
}

/// Does the same for the elements of collections. An empty collection fits any element type.
fn elements_without_nulls(collections: &[&Type], search: &mut Search<'_>) -> Option<Type> {
    let elements: Vec<Type> = collections.iter().filter_map(|ty| ty.element_type().cloned()).collect();
    without_nulls(&elements, search)
}

fn names(ty: &Type) -> Option<Vec<&str>> {
    Some(ty.attributes()?.iter().map(|attribute| attribute.name()).collect())
}

fn length(ty: &Type) -> Option<usize> {
    ty.tuple_elements().map(<[Type]>::len)
}
