//! Functions on sets.

use std::collections::HashSet;

use super::lists::elements;
use super::{any, because, blame};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::convert::Safety;
use crate::model::{Type, Value, operations};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("sethaselement", "Returns true if a set contains an element.")
            .takes(set("set"))
            .takes(any("elem").allow_dynamic())
            .gives_bool()
            .example("sethaselement([\"a\"], \"a\")", "true")
            .does(|call| Ok(operations::has_element(call.argument(0), call.argument(1))?)),
        of_sets("setunion", "Returns the elements that are in any of the sets.")
            .example("setunion([\"a\"], [\"b\", \"a\"])", "[\"a\", \"b\"]")
            .does(union),
        of_sets("setintersection", "Returns the elements that are in all sets.")
            .example("setintersection([\"a\", \"b\"], [\"b\", \"c\"])", "[\"b\"]")
            .does(|call| combined(call, |all, next| all.retain(|value| next.contains(value)))),
        function("setsubtract", "Returns the elements of the first set that are not in the second.")
            .takes(set("a"))
            .takes(set("b"))
            .gives_by("set(any)", common)
            .never_null()
            .example("setsubtract([\"a\", \"b\"], [\"b\"])", "[\"a\"]")
            .does(|call| combined(call, |all, next| all.retain(|value| !next.contains(value)))),
        of_sets(
            "setsymmetricdifference",
            "Returns the elements that are in only one of two sets. More sets are processed one after the other.",
        )
        .example("setsymmetricdifference([\"a\", \"b\"], [\"b\", \"c\"])", "[\"a\", \"c\"]")
        .does(|call| {
            combined(call, |all, next| {
                for value in next {
                    if !all.remove(value) {
                        all.insert(value);
                    }
                }
            })
        }),
    ]
}

fn set(name: &'static str) -> Parameter {
    Parameter::new(name, Type::set(Type::Dynamic)).allow_dynamic()
}

fn of_sets(name: &'static str, summary: &'static str) -> Builder {
    let first = function(name, summary).takes(set("first_set")).rest(set("other_sets"));
    first.gives_by("set(any)", common).never_null()
}

/// Returns a set type with the common type of all elements.
fn common(call: &Call<'_>) -> Result<Type, FunctionError> {
    let mut types = Vec::new();
    for argument in call.arguments() {
        let Some(element) = argument.ty().element_type().cloned() else { return Ok(Type::Dynamic) };
        // An empty collection without an element type fits all.
        let nothing = element == Type::Dynamic && argument.is_known() && elements(argument).is_empty();
        if !nothing {
            types.push(element);
        }
    }
    if types.is_empty() {
        return Ok(Type::set(Type::Dynamic));
    }
    call.unify(&types, Safety::Unsafe)
        .map(Type::set)
        .ok_or_else(|| because("the elements of all sets must have the same type"))
}

/// Returns all arguments as sets of the result type.
fn converted(call: &Call<'_>) -> Result<Vec<Value>, FunctionError> {
    let each = |(index, set): (usize, &Value)| call.convert(set, call.result_type()).map_err(|why| blame(index, why));
    call.arguments().iter().enumerate().map(each).collect()
}

fn element_type(call: &Call<'_>) -> Type {
    call.result_type().element_type().cloned().unwrap_or(Type::Dynamic)
}

fn union(call: &Call<'_>) -> Result<Value, FunctionError> {
    let sets = converted(call)?;
    Value::set(element_type(call), sets.iter().flat_map(elements).cloned()).map_err(because)
}

type Combination = for<'v> fn(&mut HashSet<&'v Value>, &HashSet<&'v Value>);

fn combined(call: &Call<'_>, combination: Combination) -> Result<Value, FunctionError> {
    let sets = converted(call)?;
    if !sets.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(call.result_type().clone()));
    }
    let mut all: HashSet<&Value> = HashSet::new();
    for (index, set) in sets.iter().enumerate() {
        let next: HashSet<&Value> = elements(set).iter().collect();
        match index {
            0 => all = next,
            _ => combination(&mut all, &next),
        }
    }
    Value::set(element_type(call), all.into_iter().cloned()).map_err(because)
}
