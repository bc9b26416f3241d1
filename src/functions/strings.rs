//! Functions on strings.

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::{Type, Value};

pub(super) fn all() -> [(&'static str, Function); 2] {
    [
        ("lower", mapped(|text| text.chars().map(lower).collect())),
        ("upper", mapped(|text| text.chars().map(upper).collect())),
    ]
}

/// A function from string to string.
fn mapped(map: fn(&str) -> String) -> Function {
    let work = move |arguments: &[Value]| -> Result<Value, FunctionError> {
        Ok(Value::from(map(<&str>::try_from(&arguments[0])?)))
    };
    Function::new([Parameter::new("str", Type::String)], Type::String, work).refined(|result| result.not_null())
}

/// The upper-case letter of a letter, if that is one character, as the official engine does it:
/// `ß`, which would become two, stays as it is.
fn upper(c: char) -> char {
    single(c, c.to_uppercase())
}

fn lower(c: char) -> char {
    match c {
        // The only one whose lower case is a letter with a combining dot.
        'İ' => 'i',
        _ => single(c, c.to_lowercase()),
    }
}

fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}
