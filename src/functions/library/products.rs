//! All combinations of elements.

use super::lists::elements;
use super::{any, because, blame, with_article};
use crate::eval::{Call, FunctionError};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::convert::{Safety, steps_to_sort};
use crate::model::{MarkUnion, Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("setproduct", "Returns all combinations of one element of each set or list.")
            .looks_at_elements()
            .rest(any("sets").allow_marked().allow_unknown())
            .gives_by("list or set of tuples", result_type)
            .never_null()
            .example("setproduct([\"a\", \"b\"], [1, 2])", "[[\"a\", 1], [\"a\", 2], [\"b\", 1], [\"b\", 2]]")
            .fails(
                "setproduct([1])",
                "function \"setproduct\" has no argument for \"sets\": at least two arguments are required",
            )
            .does(product),
    ]
}

/// A list, unless a set is among the arguments.
fn result_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let given = call.arguments().len();
    if given < 2 {
        return Err(blame(given, "at least two arguments are required"));
    }
    let mut ordered = true;
    let mut types = Vec::new();
    for (index, argument) in call.arguments().iter().enumerate() {
        types.push(match argument.ty() {
            Type::Set(element) => {
                ordered = false;
                element.get().clone()
            }
            Type::List(element) => element.get().clone(),
            Type::Tuple(tuple) if tuple.elements().is_empty() => Type::Dynamic,
            Type::Tuple(tuple) => call
                .unify(tuple.elements(), Safety::Unsafe)
                .ok_or_else(|| blame(index, "all elements must have the same type"))?,
            ty => return Err(blame(index, format!("a set or list is required, not {}", with_article(&ty)))),
        });
    }
    let tuple = Type::tuple(types);
    Ok(if ordered { Type::list(tuple) } else { Type::set(tuple) })
}

/// Returns the number of elements of a value, if it is known.
fn known_length(value: &Value) -> Option<usize> {
    let length_unknown = matches!(value.ty(), Type::Set(_)) && !value.is_wholly_known();
    // A collection of one element has the length one, even if the element is unknown.
    value.elements().map(<[Value]>::len).filter(|length| !length_unknown || *length == 1)
}

fn product(call: &Call<'_>) -> Result<Value, FunctionError> {
    let mut marks = MarkUnion::default();
    call.arguments().iter().for_each(|argument| marks.add(&argument.marks()));
    let marks = marks.set();
    if call.arguments().iter().any(|argument| known_length(argument).is_none()) {
        return Ok(unknown(call)?.with_marks(&marks));
    }
    let (Some(element), ordered) = (call.result_type().element_type(), matches!(call.result_type(), Type::List(_)))
    else {
        return Ok(Value::unknown(Type::Dynamic));
    };
    let types = element.tuple_elements().unwrap_or_default();
    let lists = call.arguments().iter().zip(types).map(|(argument, ty)| {
        elements(argument).iter().map(|value| call.convert(value, ty)).collect::<Result<Vec<Value>, _>>()
    });
    let lists: Vec<Vec<Value>> = lists.collect::<Result<_, _>>()?;
    let total = lists.iter().try_fold(1_usize, |total, list| total.checked_mul(list.len()));
    let total = if lists.iter().any(Vec::is_empty) { Some(0) } else { total };
    // Each combination has as many elements as there are lists.
    let total = total.unwrap_or(usize::MAX);
    call.account().elements(total)?;
    let parts = (total as u64).saturating_mul(lists.len() as u64);
    call.charge(parts, parts.saturating_mul(64))?;
    let mut combinations = Vec::with_capacity(total);
    let mut at = vec![0; lists.len()];
    for _ in 0..total {
        let parts = at.iter().zip(&lists).map(|(at, list)| list[*at].clone()).collect();
        combinations.push(Value::with_parts(element.clone(), parts));
        for (at, list) in at.iter_mut().zip(&lists).rev() {
            *at += 1;
            if *at < list.len() {
                break;
            }
            *at = 0;
        }
    }
    if !ordered {
        call.charge(steps_to_sort(&combinations), 0)?;
    }
    let result = match ordered {
        true if lists.iter().flatten().all(is_plain) => Value::list_of_fitting(element.clone(), combinations),
        true => Value::list_of_fitting(element.clone(), combinations),
        false => Value::set_of_fitting(element.clone(), combinations),
    };
    Ok(result.with_marks(&marks))
}

/// Returns true if a value has no parts, no marks, and is known.
fn is_plain(value: &Value) -> bool {
    value.height() == 1 && value.is_wholly_known() && !value.contains_marks()
}

/// The largest number of set elements and combinations that are counted for a bound on the length.
const MAX_LENGTH: u64 = 1_024;
const MAX_COMBINATIONS: u64 = 2_048;

/// Returns the refined unknown result if the length of some argument is unknown.
fn unknown(call: &Call<'_>) -> Result<Value, FunctionError> {
    let unknown = Value::unknown(call.result_type().clone());
    let mut most = 1_u64;
    for argument in call.arguments() {
        let length = match (argument.elements(), argument.ty()) {
            (Some(_), Type::Set(_)) if !argument.is_wholly_known() => {
                known_length(argument).map(|length| length as u64)
            }
            (Some(items), _) => Some(items.len() as u64),
            (None, Type::Tuple(tuple)) => Some(tuple.elements().len() as u64),
            _ => argument.refinement().max_length(),
        };
        let Some(length) = length.filter(|length| *length <= MAX_LENGTH) else { return Ok(unknown) };
        most *= length;
        if most > MAX_COMBINATIONS {
            return Ok(unknown);
        }
    }
    let least = most.min(1);
    unknown.refine().min_length(least).max_length(most).value().map_err(because)
}
