//! Functions on collections.

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::convert::Safety;
use crate::model::unify::unify;
use crate::model::{MarkSet, Type, Value, operations};

pub(super) fn all() -> [(&'static str, Function); 3] {
    let sequences = Parameter::new("seqs", Type::Dynamic).allow_marked();
    let concat = Function::typed([], Some(sequences), concat_type, concat).refined(|result| result.not_null());
    let collection = Parameter::new("collection", Type::Dynamic).allow_dynamic().allow_unknown().allow_marked();
    let length_type = |arguments: &[Value]| match arguments[0].ty() {
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Number),
        ty => Err(FunctionError::from(format!("a list, set, map or tuple is required, but have {ty}"))),
    };
    let length =
        Function::typed([collection], None, length_type, |arguments, _| Ok(operations::length(&arguments[0])?));
    [("concat", concat), ("hasindex", hasindex()), ("length", length)]
}

/// Whether an element can be selected by a key.
fn hasindex() -> Function {
    let collection = Parameter::new("collection", Type::Dynamic).allow_dynamic();
    let key = Parameter::new("key", Type::Dynamic).allow_dynamic();
    let result = |arguments: &[Value]| match arguments[0].ty() {
        Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Dynamic => Ok(Type::Bool),
        ty => Err(FunctionError::argument(0, format!("a list, map or tuple is required, not a {ty}"))),
    };
    let work = |arguments: &[Value], _: &Type| Ok(operations::has_index(&arguments[0], &arguments[1])?);
    Function::typed([collection, key], None, result, work).refined(|result| result.not_null())
}

/// A list if all are lists whose elements have a common type, else a tuple.
fn concat_type(arguments: &[Value]) -> Result<Type, FunctionError> {
    if arguments.is_empty() {
        return Err("at least one argument is required".into());
    }
    let types: Vec<Type> = arguments.iter().map(Value::ty).collect();
    if types.iter().all(|ty| matches!(ty, Type::List(_)))
        && let Some(common) = unify(&types, Safety::Safe)
    {
        return Ok(common);
    }
    let mut elements = Vec::new();
    for (index, (argument, ty)) in arguments.iter().zip(&types).enumerate() {
        match ty {
            Type::Tuple(tuple) => elements.extend(tuple.elements().iter().cloned()),
            Type::List(element) if argument.is_known() => {
                let count = argument.elements().map_or(0, <[Value]>::len);
                elements.extend(std::iter::repeat_n(element.get().clone(), count));
            }
            // How many elements there will be is part of the type of a tuple.
            Type::List(_) => return Ok(Type::Dynamic),
            ty => return Err(FunctionError::argument(index, format!("a list or tuple is required, but have {ty}"))),
        }
    }
    Ok(Type::tuple(elements))
}

fn concat(arguments: &[Value], ty: &Type) -> Result<Value, FunctionError> {
    let mut elements = Vec::new();
    let mut marks = MarkSet::default();
    for argument in arguments {
        marks = marks.union(&argument.marks());
        let converted = match ty {
            Type::List(_) => argument.convert(ty)?,
            _ => argument.clone(),
        };
        elements.extend(converted.elements().unwrap_or_default().iter().cloned());
    }
    let result = match ty.element_type() {
        Some(element) => Value::list(element.clone(), elements).map_err(|why| why.to_string())?,
        None => Value::tuple(elements),
    };
    Ok(result.with_marks(&marks))
}
