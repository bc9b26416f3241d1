//! Functions on strings.

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::{Type, Value};

pub(super) fn all() -> [(&'static str, Function); 2] {
    [("lower", mapped(lower)), ("upper", mapped(upper))]
}

/// A function that maps each character of a string.
fn mapped(map: fn(char) -> char) -> Function {
    let work = move |arguments: &[Value]| -> Result<Value, FunctionError> {
        let text = <&str>::try_from(&arguments[0])?;
        let mut mapped = String::with_capacity(text.len());
        mapped.extend(text.chars().map(map));
        Ok(Value::from(mapped))
    };
    Function::new([Parameter::new("str", Type::String)], Type::String, work).refined(|result| result.not_null())
}

/// The upper-case letter of a letter, if that is one character, as the official engine does it:
/// `ß`, which would become two, stays as it is.
fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    single(c, c.to_uppercase())
}

fn lower(c: char) -> char {
    match c {
        c if c.is_ascii() => c.to_ascii_lowercase(),
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
