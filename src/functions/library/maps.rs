//! Functions on maps and objects.

use super::lists::elements;
use super::{any, because, blame, list_of, str_of, strings, text, with_article};
use crate::eval::{Call, FunctionError};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::{AttributeType, MarkUnion, Text, Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("keys", "Returns the keys of a map or the names of an object's attributes, in alphabetical order.")
            .looks_at_elements()
            .takes(any("inputMap").allow_unknown().allow_marked())
            .gives_by("list(string) or tuple", |call| match call.argument(0).ty() {
                Type::Map(_) => Ok(Type::list(Type::String)),
                Type::Object(object) => Ok(Type::tuple(object.attributes().iter().map(|_| Type::String))),
                ty => Err(blame(0, format!("a map or object is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("keys({ b = 1, a = 2 })", "[\"a\", \"b\"]")
            .does(keys),
        function(
            "lookup",
            "Returns the element of a map or the attribute of an object with a key, or a default if there is none.",
        )
        .looks_at_one()
        .takes(any("inputMap").allow_marked())
        .takes(text("key").allow_marked())
        .takes(any("default").allow_marked())
        .gives_by("any", lookup_type)
        .example("lookup({ a = \"x\" }, \"a\", \"none\")", "\"x\"")
        .example("lookup({ a = \"x\" }, \"b\", \"none\")", "\"none\"")
        .does(lookup),
        function("merge", "Merges maps or objects. Later values override earlier ones with the same key.")
            .looks_at_elements()
            .rest(any("maps").allow_dynamic().allow_null().allow_marked())
            .gives_by("map or object", merge_type)
            .never_null()
            .example("merge({ a = 1 }, { b = 2 }, { a = 3 })", "{ a = 3, b = 2 }")
            .does(merge),
        function("values", "Returns the elements of a map or the attributes of an object, ordered by key.")
            .looks_at_elements()
            .takes(any("mapping").allow_marked())
            .gives_by("list or tuple", |call| match call.argument(0).ty() {
                Type::Map(element) => Ok(Type::list(element.get().clone())),
                Type::Object(object) => {
                    Ok(Type::tuple(object.attributes().iter().map(|attribute| attribute.ty().clone())))
                }
                ty => Err(blame(0, format!("a map or object is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("values({ b = 1, a = \"x\" })", "[\"x\", 1]")
            .does(|call| {
                let (map, items) = (call.argument(0), elements(call.argument(0)).to_vec());
                let values = match call.result_type().element_type() {
                    Some(element) => list_of(element.clone(), items)?,
                    None => Value::tuple(items),
                };
                Ok(values.with_marks(&map.marks()))
            }),
        function("zipmap", "Makes a map or object from a list of keys and a list of values.")
            .looks_at_elements()
            .takes(strings("keys").allow_marked())
            .takes(any("values").allow_marked())
            .gives_by("map or object", zipmap_type)
            .never_null()
            .example("zipmap([\"a\", \"b\"], [1, 2])", "{ a = 1, b = 2 }")
            .fails(
                "zipmap([\"a\"], [1, 2])",
                "function \"zipmap\" failed: the numbers of keys (1) and values (2) differ",
            )
            .does(zipmap),
    ]
}

fn keys(call: &Call<'_>) -> Result<Value, FunctionError> {
    let map = call.argument(0);
    let keys = match map.ty() {
        Type::Object(object) => {
            Value::tuple(object.attributes().iter().map(|attribute| Value::from_name(attribute.shared_name().clone())))
        }
        _ => match map.shared_entries() {
            Some(entries) => list_of(Type::String, entries.map(|(key, _)| Value::from_name(key.clone())).collect())?,
            None => Value::unknown(call.result_type().clone()),
        },
    };
    Ok(keys.with_marks(&map.marks()))
}

fn lookup_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    match call.argument(0).ty() {
        Type::Object(object) => {
            let Some(key) = call.argument(1).as_str() else { return Ok(Type::Dynamic) };
            Ok(object.get(key).map_or_else(|| call.argument(2).ty(), |attribute| attribute.ty().clone()))
        }
        Type::Map(element) => match call.convert(call.argument(2), element.get()) {
            Ok(_) => Ok(element.get().clone()),
            Err(_) => Err(blame(2, format!("the default must be {} as the elements are", with_article(element.get())))),
        },
        ty => Err(blame(0, format!("a map or object is required, not {}", with_article(&ty)))),
    }
}

fn lookup(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (map, key) = (call.argument(0), call.argument(1));
    let marks = map.marks().union(&key.marks());
    if !map.is_wholly_known() {
        return Ok(Value::unknown(call.result_type().clone()).with_marks(&marks));
    }
    let name = str_of(call, 1);
    let value_of_key = match map.ty() {
        Type::Object(_) => map.attribute(name),
        _ => map.entry(name),
    };
    match value_of_key {
        Some(value) => Ok(value.with_marks(&marks)),
        None => Ok(call.convert(call.argument(2), call.result_type())?.with_marks(&marks)),
    }
}

/// One type for all if they have the same, else an object with the attributes and keys of all.
fn merge_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let mut attributes: Vec<AttributeType> = Vec::new();
    let mut first: Option<Type> = None;
    let (mut same, mut known) = (true, true);
    for (index, argument) in call.arguments().iter().enumerate() {
        let mut ty = argument.ty();
        match &ty {
            Type::Dynamic => return Ok(Type::Dynamic),
            Type::Object(_) if argument.is_null() => ty = Type::object::<&str>([]),
            Type::Object(object) => {
                attributes.extend(object.attributes().iter().cloned());
            }
            Type::Map(_) if argument.is_null() => {}
            Type::Map(element) => match argument.shared_entries() {
                Some(entries) => {
                    attributes.extend(entries.map(|(key, _)| AttributeType::known(key.clone(), element.get().clone())))
                }
                None => known = false,
            },
            ty => return Err(blame(index, format!("a map or object is required, not {}", with_article(ty)))),
        }
        same &= first.get_or_insert_with(|| ty.clone()) == &ty;
    }
    match first {
        None => Ok(Type::object::<&str>([])),
        Some(first) if same => Ok(first),
        _ if !known => Ok(Type::Dynamic),
        _ => Ok(Type::object_with(attributes)),
    }
}

fn merge(call: &Call<'_>) -> Result<Value, FunctionError> {
    let mut marks = MarkUnion::default();
    let mut merged: Vec<(Text, Value)> = Vec::new();
    for argument in call.arguments().iter().filter(|argument| !argument.is_null()) {
        marks.add(&argument.marks());
        merged.extend(argument.shared_entries().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
    }
    let result = match call.result_type().element_type() {
        Some(element) => Value::map_of(element.clone(), merged).map_err(because)?,
        None => Value::object_of(merged),
    };
    Ok(result.with_marks(&marks.set()))
}

fn unequal(keys: usize, values: usize) -> FunctionError {
    because(format!("the numbers of keys ({keys}) and values ({values}) differ"))
}

fn zipmap_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let keys = call.argument(0);
    match call.argument(1).ty() {
        Type::List(element) => Ok(Type::map(element.get().clone())),
        Type::Tuple(_) if !keys.is_wholly_known() => Ok(Type::Dynamic),
        Type::Tuple(tuple) => {
            let (names, types) = (elements(keys), tuple.elements());
            if names.len() != types.len() {
                return Err(unequal(names.len(), types.len()));
            }
            let null = |at: usize| blame(0, format!("key {at} is null"));
            let named = names.iter().zip(types).enumerate();
            let attribute = |name: &Text, ty: &Type| AttributeType::known(name.clone(), ty.clone());
            let attributes = named.map(|(at, (key, ty))| Ok(attribute(key.as_name().ok_or_else(|| null(at))?, ty)));
            Ok(Type::object_with(attributes.collect::<Result<Vec<_>, FunctionError>>()?))
        }
        ty => Err(blame(1, format!("a list or tuple is required, not {}", with_article(&ty)))),
    }
}

fn zipmap(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (keys, values) = (call.argument(0), call.argument(1));
    let mut marks = MarkUnion::from(keys.marks().union(&values.marks()));
    if !keys.is_wholly_known() {
        return Ok(Value::unknown(call.result_type().clone()).with_marks(&marks.set()));
    }
    let (names, items) = (elements(keys), elements(values));
    if names.len() != items.len() {
        return Err(unequal(names.len(), items.len()));
    }
    let mut entries = Vec::with_capacity(names.len());
    for (at, (key, value)) in names.iter().zip(items).enumerate() {
        marks.add(&key.marks());
        let name = key.as_name().ok_or_else(|| blame(0, format!("key {at} is null")))?;
        entries.push((name.clone(), value.clone()));
    }
    let result = match call.result_type().element_type() {
        Some(element) => Value::map_of(element.clone(), entries).map_err(because)?,
        None => Value::object_of(entries),
    };
    Ok(result.with_marks(&marks.set()))
}
