//! Functions on lists and tuples, and some that take sets and maps too.

use std::collections::HashSet;

use super::{any, because, blame, count, list_of, number, strings, whole, with_article};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::convert::Safety;
use crate::model::operations::OperationError;
use crate::model::refine::either;
use crate::model::{MarkSet, MarkUnion, Type, Value, operations};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let of_any = || Parameter::new("list", Type::list(Type::Dynamic));
    vec![
        function("chunklist", "Splits a list into lists of a given size; the last one may be shorter.").looks_at_elements()
            .takes(of_any().allow_marked())
            .takes(number("size").allow_marked())
            .gives_by("list(list(any))", |call| Ok(Type::list(call.argument(0).ty())))
            .never_null()
            .example("chunklist([\"a\", \"b\", \"c\"], 2)", "[[\"a\", \"b\"], [\"c\"]]")
            .example("chunklist([\"a\", \"b\"], 0)", "[[\"a\", \"b\"]]")
            .does(chunklist),
        function("coalesce", "Returns the first argument that is not null, converted to the common type of all arguments.").looks_at_one()
            .rest(any("vals").allow_null().allow_unknown().allow_dynamic().allow_marked())
            .gives_by("any", common_type)
            .never_null()
            .example("coalesce(null, 2)", "2")
            .fails("coalesce()", "function \"coalesce\" has no argument for \"vals\": at least one argument is required")
            .does(coalesce),
        function("coalescelist", "Returns the first argument that has elements.").looks_at_one()
            .rest(any("vals").allow_null().allow_unknown().allow_dynamic())
            .gives_by("any", coalescelist_type)
            .never_null()
            .example("coalescelist([], [\"a\"])", "[\"a\"]")
            .fails("coalescelist([])", "function \"coalescelist\" failed: no argument has elements")
            .does(coalescelist),
        function("compact", "Removes empty and null strings from a list.").looks_at_elements()
            .takes(strings("list"))
            .gives(Type::list(Type::String), "list(string)")
            .never_null()
            .example("compact([\"a\", \"\", \"b\", null])", "[\"a\", \"b\"]")
            .does(|call| {
                if !call.argument(0).is_wholly_known() {
                    return Ok(Value::unknown(call.result_type().clone()));
                }
                let kept = elements(call.argument(0)).iter().filter(|value| value.as_str().is_some_and(|t| !t.is_empty()));
                list_of(Type::String, kept.cloned().collect())
            }),
        function("concat", "Joins lists and tuples.").looks_at_elements()
            .rest(any("seqs").allow_marked())
            .gives_by("list or tuple", concat_type)
            .never_null()
            .example("concat([\"a\"], [\"b\", \"c\"])", "[\"a\", \"b\", \"c\"]")
            .fails("concat()", "function \"concat\" has no argument for \"seqs\": at least one argument is required")
            .does(concat),
        function("contains", "Returns true if a list, tuple or set contains a value.")
            .takes(any("list"))
            .takes(any("value").allow_null().allow_dynamic())
            .gives_by("bool", |call| match call.argument(1) {
                value if value.is_known() || value.ty() != Type::Dynamic => Ok(Type::Bool),
                _ => Ok(Type::Dynamic),
            })
            .never_null()
            .example("contains([\"a\", \"b\"], \"b\")", "true")
            .example("contains([\"a\", \"b\"], \"d\")", "false")
            .example("contains([\"a\", null], null)", "true")
            .does(contains),
        function("distinct", "Removes duplicates from a list. The first of equal elements stays.")
            .takes(of_any())
            .gives_by("list(any)", |call| Ok(call.argument(0).ty()))
            .never_null()
            .example("distinct([\"a\", \"b\", \"a\"])", "[\"a\", \"b\"]")
            .does(distinct),
        function("element", "Returns the element of a list or tuple at an index. Indexes after the last element start again at the first.").looks_at_one()
            .takes(any("list").allow_marked())
            .takes(number("index"))
            .gives_by("any", element_type)
            .example("element([\"a\", \"b\", \"c\"], 4)", "\"b\"")
            .example("element([\"a\", \"b\", \"c\"], -1)", "\"c\"")
            .fails(
                "element([], 0)",
                "invalid value for \"list\" of function \"element\": there are no elements",
            )
            .does(element),
        function("flatten", "Replaces nested lists in a list, set or tuple by their elements.")
            .takes(any("list").allow_marked())
            .gives(Type::Dynamic, "tuple")
            .never_null()
            .example("flatten([[\"a\", [\"b\"]], [], \"c\"])", "[\"a\", \"b\", \"c\"]")
            .does(flattened),
        function("hasindex", "Returns true if a value has an element with a key.").looks_at_one()
            .takes(any("collection").allow_dynamic())
            .takes(any("key").allow_dynamic())
            .gives_by("bool", |call| match call.argument(0).ty() {
                Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Bool),
                ty => Err(blame(0, format!("a list, map or tuple is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("hasindex([\"a\"], 0)", "true")
            .example("hasindex([\"a\"], 1)", "false")
            .does(|call| Ok(operations::has_index(call.argument(0), call.argument(1))?)),
        function("index", "Returns the element of a list, map or tuple with a key.").looks_at_one()
            .takes(any("collection"))
            .takes(any("key").allow_dynamic())
            .gives_by("any", index_type)
            .example("index([\"a\", \"b\"], 1)", "\"b\"")
            .fails("index([\"a\"], 1)", "function \"index\" failed: index 1 is out of range: the tuple has 1 element")
            .does(|call| Ok(operations::index(call.argument(0), call.argument(1))?)),
        function("length", "Returns the number of elements of a list, set, map or tuple.").looks_at_one()
            .takes(any("collection").allow_dynamic().allow_unknown().allow_marked())
            .gives_by("number", |call| match call.argument(0).ty() {
                Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Number),
                ty => Err(because(format!("a list, set, map or tuple is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("length([\"a\", \"b\"])", "2")
            .does(|call| Ok(operations::length(call.argument(0))?)),
        function("reverse", "Reverses a list or tuple. A set becomes a list.").looks_at_elements()
            .takes(any("list").allow_marked())
            .gives_by("list or tuple", |call| match call.argument(0).ty() {
                Type::Tuple(tuple) => Ok(Type::tuple(tuple.elements().iter().rev().cloned())),
                Type::List(element) | Type::Set(element) => Ok(Type::list(element.get().clone())),
                ty => Err(blame(0, format!("a list or tuple is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("reverse([1, 2, 3])", "[3, 2, 1]")
            .does(|call| {
                let items = elements(call.argument(0)).iter().rev().cloned().collect();
                like(call.result_type(), items, call.argument(0))
            }),
        function("slice", "Returns the elements of a list or tuple from a start index to an end index, which is excluded.").looks_at_elements()
            .takes(any("list").allow_marked())
            .takes(number("start_index"))
            .takes(number("end_index"))
            .gives_by("list or tuple", slice_type)
            .never_null()
            .example("slice([\"a\", \"b\", \"c\", \"d\"], 1, 3)", "[\"b\", \"c\"]")
            .fails(
                "slice([\"a\"], 0, 2)",
                "invalid value for \"end_index\" of function \"slice\": it is after the end of the list, whose length is 1",
            )
            .does(|call| {
                let (start, end) = (slice_index(call, 1, "the start")?, slice_index(call, 2, "the end")?);
                let items = elements(call.argument(0)).get(start.unwrap_or(0)..end.unwrap_or(0)).unwrap_or_default();
                like(call.result_type(), items.to_vec(), call.argument(0))
            }),
        function("sort", "Sorts a list of strings by their code points.")
            .takes(strings("list").allow_unknown())
            .gives(Type::list(Type::String), "list(string)")
            .never_null()
            .example("sort([\"e\", \"d\", \"a\"])", "[\"a\", \"d\", \"e\"]")
            .does(sort),
    ]
}

/// Returns the elements of a known value; none if it has no parts.
pub(super) fn elements(value: &Value) -> &[Value] {
    value.elements().unwrap_or_default()
}

/// Returns a tuple or list of elements, with the marks of their origin.
fn like(ty: &Type, items: Vec<Value>, from: &Value) -> Result<Value, FunctionError> {
    let result = match ty.element_type() {
        Some(element) => list_of(element.clone(), items)?,
        None => Value::tuple(items),
    };
    Ok(result.with_marks(&from.marks()))
}

fn chunklist(call: &Call<'_>) -> Result<Value, FunctionError> {
    let size = count(call, 1, "the size")?;
    let (list, marks) = (call.argument(0), call.argument(0).marks().union(&call.argument(1).marks()));
    let items = elements(list);
    let element = list.ty().element_type().cloned().unwrap_or(Type::Dynamic);
    let chunk = |chunk: &[Value]| list_of(element.clone(), chunk.to_vec());
    let chunks = match size {
        0 if !items.is_empty() => vec![list.unmarked().clone()],
        _ => items.chunks(size.max(1)).map(chunk).collect::<Result<_, _>>()?,
    };
    Ok(list_of(list.ty(), chunks)?.with_marks(&marks))
}

/// The type that all arguments have in common.
pub(super) fn common_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let types: Vec<Type> = call.arguments().iter().map(Value::ty).collect();
    call.unify(&types, Safety::Unsafe).ok_or_else(|| match types.is_empty() {
        true => blame(0, "at least one argument is required"),
        false => because("the arguments have no common type"),
    })
}

/// Returns the first argument that is not null. The result has the marks on nulls before it; marks within an argument
/// stay there.
fn coalesce(call: &Call<'_>) -> Result<Value, FunctionError> {
    let nulls = call.arguments().iter().take_while(|argument| argument.is_null()).count();
    let (nulls, rest) = call.arguments().split_at(nulls);
    let Some(first) = rest.first() else { return Err(because("all arguments are null")) };
    let value = match first.is_never_null() {
        true => call.convert(first, call.result_type())?,
        false => {
            let most = rest.iter().position(Value::is_never_null).map_or(rest.len(), |at| at + 1);
            call.convert(&one_of(&rest[..most]), call.result_type())?
        }
    };
    Ok(value.with_marks(&union_of_marks(nulls)))
}

/// Returns an unknown value that may be any of several, with the facts that they have in common.
fn one_of(values: &[Value]) -> Value {
    let ty = values[0].ty();
    let marks = union_of_marks(values);
    if values.iter().any(|value| value.ty() != ty) {
        return Value::unknown(Type::Dynamic).with_marks(&marks);
    }
    let mut rest = values.iter().map(Value::unmarked);
    let first = rest.next().cloned().unwrap_or_default();
    let prefix = values.iter().map(prefix_of).reduce(common_prefix).unwrap_or_default();
    let common = rest.fold(first, |common, value| either(&ty, &common, value));
    let refined = match ty {
        Type::String if !common.is_known() => common.refine().full_prefix(prefix).value().ok(),
        _ => None,
    };
    refined.unwrap_or(common).with_marks(&marks)
}

/// The marks on values, without those within them.
fn union_of_marks(values: &[Value]) -> MarkSet {
    let mut union = MarkUnion::default();
    values.iter().for_each(|value| union.add(&value.marks()));
    union.set()
}

/// The known start of a string.
fn prefix_of(value: &Value) -> &str {
    value.unmarked().as_str().unwrap_or(value.refinement().prefix())
}

fn common_prefix<'t>(a: &'t str, b: &str) -> &'t str {
    let end = a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    &a[..end.unwrap_or(a.len().min(b.len()))]
}

fn coalescelist_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    if call.arguments().is_empty() {
        return Err(blame(0, "at least one argument is required"));
    }
    for (index, argument) in call.arguments().iter().enumerate() {
        if !argument.is_known() {
            return Ok(Type::Dynamic);
        }
        if !matches!(argument.ty(), Type::List(_) | Type::Tuple(_)) {
            return Err(blame(index, format!("a list or tuple is required, not {}", with_article(&argument.ty()))));
        }
    }
    let first = call.argument(0).ty();
    let same = call.arguments().iter().all(|argument| argument.ty() == first);
    Ok(if same { first } else { Type::Dynamic })
}

fn coalescelist(call: &Call<'_>) -> Result<Value, FunctionError> {
    for argument in call.arguments() {
        if !argument.is_known() {
            return Ok(Value::unknown(call.result_type().clone()));
        }
        if !elements(argument).is_empty() {
            return Ok(argument.clone());
        }
    }
    Err(because("no argument has elements"))
}

/// Returns a list type if all arguments are lists with a common element type, else a tuple type.
fn concat_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let arguments = call.arguments();
    if arguments.is_empty() {
        return Err(blame(0, "at least one argument is required"));
    }
    let types: Vec<Type> = arguments.iter().map(Value::ty).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_)))
        && let Some(common) = call.unify(&types, Safety::Unsafe)
    {
        return Ok(common);
    }
    let mut items = Vec::new();
    for (index, (argument, ty)) in arguments.iter().zip(&types).enumerate() {
        match ty {
            Type::Tuple(tuple) => items.extend(tuple.elements().iter().cloned()),
            Type::List(element) if argument.is_known() => {
                items.extend(std::iter::repeat_n(element.get().clone(), elements(argument).len()));
            }
            // The number of elements is part of the type of a tuple.
            Type::List(_) => return Ok(Type::Dynamic),
            ty => return Err(blame(index, format!("a list or tuple is required, not {}", with_article(ty)))),
        }
    }
    Ok(Type::tuple(items))
}

fn concat(call: &Call<'_>) -> Result<Value, FunctionError> {
    let ty = call.result_type();
    let mut items = Vec::new();
    let mut marks = MarkUnion::default();
    for (index, argument) in call.arguments().iter().enumerate() {
        marks.add(&argument.marks());
        match ty {
            Type::List(_) => {
                // The common type may be one that not all values can be converted to.
                let list = call.convert(argument, ty).map_err(|why| blame(index, why))?;
                items.extend_from_slice(elements(&list));
            }
            _ => items.extend_from_slice(elements(argument)),
        }
    }
    let result = match ty.element_type() {
        // An empty list of any type has no further facts; its elements have a type.
        Some(element) if element.has_dynamic() && !items.is_empty() => Value::list_of(items).map_err(because)?,
        Some(element) => list_of(element.clone(), items)?,
        None => Value::tuple(items),
    };
    Ok(result.with_marks(&marks.set()))
}

fn contains(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (list, wanted) = (call.argument(0), call.argument(1));
    if !matches!(list.ty(), Type::List(_) | Type::Tuple(_) | Type::Set(_)) {
        return Err(blame(0, format!("a list, tuple or set is required, not {}", with_article(&list.ty()))));
    }
    let mut undecided = false;
    for element in elements(list) {
        match operations::equal(wanted, element).as_bool() {
            Some(true) => return Ok(Value::from(true)),
            Some(false) => {}
            None => undecided = true,
        }
    }
    Ok(if undecided { Value::unknown(Type::Bool) } else { Value::from(false) })
}

fn distinct(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    if !list.is_wholly_known() {
        return Ok(Value::unknown(call.result_type().clone()));
    }
    let mut seen = HashSet::new();
    let kept = elements(list).iter().filter(|value| seen.insert(*value)).cloned().collect();
    list_of(call.result_type().element_type().cloned().unwrap_or(Type::Dynamic), kept)
}

/// Returns the index of an element, wrapping around at the end.
fn around(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok().filter(|length| *length > 0)?;
    usize::try_from(index.rem_euclid(length)).ok()
}

fn element_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::List(element) => Ok(element.get().clone()),
        Type::Tuple(_) if !call.argument(1).is_known() => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            let at = around(whole(call, 1)?, tuple.elements().len());
            at.map(|at| tuple.elements()[at].clone()).ok_or_else(|| blame(0, "there are no elements"))
        }
        ty => Err(blame(0, format!("a list or tuple is required, not {}", with_article(&ty)))),
    }
}

fn element(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    let at = around(whole(call, 1)?, elements(list).len()).ok_or_else(|| blame(0, "there are no elements"))?;
    Ok(elements(list)[at].with_marks(&list.marks()))
}

/// Returns the elements at all depths, and the marks of all lists around them; `None` if one of the lists is unknown.
fn flatten(call: &Call<'_>, list: &Value) -> Result<Option<(Vec<Value>, MarkUnion)>, FunctionError> {
    if !matches!(list.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) {
        return match list.is_wholly_known() {
            true => Err(blame(0, format!("a list, set or tuple is required, not {}", with_article(&list.ty())))),
            false => Ok(None),
        };
    }
    let (mut items, mut marks) = (Vec::new(), MarkUnion::default());
    marks.add(&list.marks());
    // The number of unknown elements in a set is unknown.
    let counts =
        |list: &Value| !matches!(list.ty(), Type::Set(_)) || list.is_wholly_known() || elements(list).len() == 1;
    let mut known = counts(list);
    let mut levels = vec![elements(list).iter()];
    while let Some(level) = levels.last_mut() {
        let Some(value) = level.next() else {
            levels.pop();
            continue;
        };
        let inner = !value.is_null() && matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if inner {
            marks.add(&value.marks());
        }
        match inner {
            true if value.is_known() && counts(value) => levels.push(elements(value).iter()),
            true => known = false,
            false => {
                known &= value.is_known() || value.ty() != Type::Dynamic || value.is_marked();
                call.account().element(items.len())?;
                items.push(value.clone());
            }
        }
    }
    // The marks on unknown values count too.
    Ok(match known {
        true => Some((items, marks)),
        false => None,
    })
}

fn flattened(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    match flatten(call, list)? {
        Some((items, marks)) => Ok(Value::tuple(items).with_marks(&marks.set())),
        None => {
            let mut marks = MarkUnion::default();
            let mut waiting = vec![list];
            while let Some(value) = waiting.pop() {
                if matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) && !value.is_null() {
                    marks.add(&value.marks());
                    waiting.extend(elements(value));
                }
            }
            Ok(Value::unknown(call.result_type().clone()).with_marks(&marks.set()))
        }
    }
}

fn index_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let key = call.argument(1);
    let wanted = |ty: &Type, what: &str| match key.ty() {
        Type::Dynamic => Ok(()),
        given if given == *ty => Ok(()),
        given => Err(blame(1, format!("the key of a {what} is a {ty}, not {}", with_article(&given)))),
    };
    match call.argument(0).ty() {
        Type::List(element) => wanted(&Type::Number, "list").map(|()| element.get().clone()),
        Type::Map(element) => wanted(&Type::String, "map").map(|()| element.get().clone()),
        Type::Tuple(tuple) => {
            wanted(&Type::Number, "tuple")?;
            if !key.is_known() {
                return Ok(Type::Dynamic);
            }
            let at = usize::try_from(whole(call, 1)?).unwrap_or(usize::MAX);
            let (elements, shown) = (tuple.elements(), key.as_number());
            let missing = || OperationError::NoIndex {
                key: shown.map_or(String::new(), ToString::to_string),
                length: elements.len(),
                kind: "tuple",
            };
            elements.get(at).cloned().ok_or_else(|| because(missing()))
        }
        ty => Err(blame(0, format!("a list, map or tuple is required, not {}", with_article(&ty)))),
    }
}

/// Returns an index for `slice`, if it is known, which must not be after the end.
fn slice_index(call: &Call<'_>, index: usize, what: &str) -> Result<Option<usize>, FunctionError> {
    if !call.argument(index).is_known() {
        return Ok(None);
    }
    let at = count(call, index, what)?;
    let list = call.argument(0);
    let length = match list.ty() {
        Type::Tuple(tuple) => Some(tuple.elements().len()),
        _ => list.elements().map(<[Value]>::len),
    };
    match length {
        Some(length) if at > length => {
            Err(blame(index, format!("it is after the end of the list, whose length is {length}")))
        }
        _ => Ok(Some(at)),
    }
}

fn slice_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let ty = call.argument(0).ty();
    match ty {
        Type::Set(_) => return Err(blame(0, "the elements of a set have no order; convert it to a list first")),
        Type::List(_) | Type::Tuple(_) => {}
        _ => return Err(blame(0, format!("a list or tuple is required, not {}", with_article(&ty)))),
    }
    let (start, end) = (slice_index(call, 1, "the start")?, slice_index(call, 2, "the end")?);
    if let (Some(start), Some(end)) = (start, end)
        && start > end
    {
        return Err(blame(1, "the start is after the end"));
    }
    match (&ty, start, end) {
        (Type::Tuple(tuple), Some(start), Some(end)) => Ok(Type::tuple(tuple.elements()[start..end].iter().cloned())),
        (Type::Tuple(_), ..) => Ok(Type::Dynamic),
        _ => Ok(ty),
    }
}

fn sort(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    if !list.is_wholly_known() {
        let (least, most) = match list.elements() {
            Some(items) => (items.len() as u64, Some(items.len() as u64)),
            None => (list.refinement().min_length(), list.refinement().max_length()),
        };
        let mut result = Value::unknown(call.result_type().clone()).refine().min_length(least);
        if let Some(most) = most {
            result = result.max_length(most);
        }
        return result.value().map_err(because);
    }
    let items = elements(list);
    if let Some(at) = items.iter().position(Value::is_null) {
        return Err(blame(0, format!("element {at} is null, which cannot be sorted")));
    }
    let mut sorted = items.to_vec();
    sorted.sort_unstable_by(|x, y| x.as_str().cmp(&y.as_str()));
    list_of(Type::String, sorted)
}
