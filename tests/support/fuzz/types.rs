//! Types, conversion, and encodings of values.

use hcl_lr::model::{Type, Value, json, msgpack};
use hcl_lr::source::Source;
use hcl_lr::type_expr::{read_constraint, read_type};
use hcl_lr::{Expression, parse};

use super::parts;
use super::world::{diagnostics, evaluated, hidden, world};

/// A type expression, then an expression whose value is converted to the type.
pub fn types(input: &str) {
    let parts = parts(input);
    let (expression, list) = parse::<Expression>(Source::new("type.hcl", parts[0])).into_parts();
    diagnostics(&list, input);
    if list.has_errors() {
        return;
    }
    match read_type(&expression) {
        Ok(ty) => {
            let text = json::encode_type(&ty).expect("a type");
            assert_eq!(json::decode_type(&text).expect("it was written"), ty, "{text}: {input}");
        }
        Err(list) => diagnostics(&list, input),
    }
    let constraint = match read_constraint(&expression) {
        Ok(constraint) => constraint,
        Err(list) => return diagnostics(&list, input),
    };
    let Some(text) = parts.get(1) else { return };
    let (expression, list) = parse::<Expression>(Source::new("value.hcl", *text)).into_parts();
    diagnostics(&list, input);
    if list.has_errors() {
        return;
    }
    let (scope, meter) = world();
    let (value, list) = expression.evaluate_partially(&scope).into_parts();
    evaluated(&value, &list, &meter, input);
    converted(&value, constraint.ty(), input);
    match constraint.convert(&value) {
        Ok(value) => {
            hidden("what was converted", &format!("{value:?}"), input);
            let ty = constraint.ty().without_optional_attributes();
            value.ty().conforms_to(&ty).unwrap_or_else(|why| panic!("{value:?}: {why}: {input}"));
        }
        Err(why) => hidden("why it cannot be converted", &format!("{why} {why:?}"), input),
    }
}

/// Checks that a converted value has the type, and converts to itself.
fn converted(value: &Value, ty: &Type, input: &str) {
    match value.convert(ty) {
        Ok(value) => {
            hidden("what was converted", &format!("{value:?}"), input);
            let wanted = ty.without_optional_attributes();
            value.ty().conforms_to(&wanted).unwrap_or_else(|why| panic!("{value:?}: {why}\n--- input\n{input}"));
            let again = value.convert(ty).unwrap_or_else(|why| panic!("{value:?}, again: {why}\n--- input\n{input}"));
            assert_eq!(again, value, "converted again: {input}");
        }
        Err(why) => hidden("why it cannot be converted", &format!("{why} {why:?}"), input),
    }
}

/// The first letter chooses a type; the rest is an encoding of a value of it.
pub fn codecs(bytes: &[u8]) {
    let Some((which, rest)) = bytes.split_first() else { return };
    let types = [
        Type::Dynamic,
        Type::String,
        Type::Number,
        Type::Bool,
        Type::list(Type::Dynamic),
        Type::set(Type::Number),
        Type::map(Type::list(Type::String)),
        Type::tuple([Type::String, Type::Dynamic]),
        Type::object([("a", Type::Dynamic), ("b", Type::set(Type::tuple([Type::Bool])))]),
    ];
    let ty = &types[usize::from(*which) % types.len()];
    if let Ok(value) = msgpack::decode(rest, ty) {
        assert!(value.ty().conforms_to(ty).is_ok(), "{value:?} is not of type {ty}");
        let bytes = msgpack::encode(&value, ty).unwrap_or_else(|why| panic!("{value:?} as {ty}: {why}"));
        let again = msgpack::decode(&bytes, ty).unwrap_or_else(|why| panic!("{value:?} as {ty}: {why}"));
        assert_eq!(again, value, "of {}", rest.escape_ascii());
    }
    let Ok(text) = std::str::from_utf8(rest) else { return };
    if let Ok(value) = json::decode(text, ty) {
        assert!(value.ty().conforms_to(ty).is_ok(), "{value:?} is not of type {ty}");
        let encoded = json::encode(&value, ty).unwrap_or_else(|why| panic!("{value:?} as {ty}: {why}"));
        let again = json::decode(&encoded, ty).unwrap_or_else(|why| panic!("{encoded} as {ty}: {why}"));
        assert_eq!(again, value, "of {text}");
    }
    if let Ok(value) = json::decode_implied(text) {
        assert_eq!(value.ty(), json::implied_type(text).expect("it has a value"), "{text}");
    }
    if let Ok(ty) = json::decode_type(text) {
        let again = json::decode_type(&json::encode_type(&ty).expect("a type"));
        assert_eq!(again.expect("it was written"), ty, "{text}");
    }
}
