//! Functions from values to texts and back.

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::{Type, Value, json};

pub(super) fn all() -> [(&'static str, Function); 2] {
    let value = [Parameter::new("val", Type::Dynamic).allow_null().allow_unknown().allow_dynamic()];
    let jsonencode =
        Function::new(value, Type::String, |arguments| encode(&arguments[0])).refined(|result| result.not_null());
    let text = [Parameter::new("str", Type::String).allow_unknown().allow_dynamic()];
    let jsondecode = Function::typed(
        text,
        None,
        |arguments| decoded_type(&arguments[0]),
        |arguments, ty| match arguments[0].as_str() {
            Some(text) => Ok(json::decode_implied(text).map_err(|why| why.to_string())?),
            None => Ok(Value::unknown(ty.clone())),
        },
    );
    [("jsondecode", jsondecode), ("jsonencode", jsonencode)]
}

/// The JSON of a value. Of one with unknown parts, the first character may be known.
fn encode(value: &Value) -> Result<Value, FunctionError> {
    if value.is_wholly_known() {
        return Ok(Value::from(json::encode_implied(value).map_err(|why| why.to_string())?));
    }
    let unknown = Value::unknown(Type::String);
    if !value.is_never_null() {
        return Ok(unknown);
    }
    let first = match value.ty() {
        Type::String => "\"",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[",
        Type::Map(_) | Type::Object(_) => "{",
        _ => return Ok(unknown),
    };
    Ok(unknown.refine().full_prefix(first).value().map_err(|why| why.to_string())?)
}

/// The type of what a text says; of an unknown text, its first character may tell.
fn decoded_type(text: &Value) -> Result<Type, FunctionError> {
    if let Some(text) = text.as_str() {
        return Ok(json::implied_type(text).map_err(|why| why.to_string())?);
    }
    match text.refinement().prefix().trim_start_matches([' ', '\t', '\n', '\r']).chars().next() {
        None | Some('{' | '[' | 'n') => Ok(Type::Dynamic),
        Some('"') => Ok(Type::String),
        Some('t' | 'f') => Ok(Type::Bool),
        Some('0'..='9' | '-' | '.') => Ok(Type::Number),
        Some(c) => Err(FunctionError::argument(0, format!("no JSON begins with {c:?}"))),
    }
}
