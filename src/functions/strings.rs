//! Functions on strings.

use unicode_segmentation::UnicodeSegmentation;

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::{Number, Type, Value};

pub(super) fn all() -> [(&'static str, Function); 5] {
    [
        ("lower", mapped(lower)),
        ("strlen", strlen()),
        ("strrev", strrev()),
        ("substr", substr()),
        ("upper", mapped(upper)),
    ]
}

/// How many characters a string has, as its readers count them: grapheme clusters.
fn strlen() -> Function {
    let text = [Parameter::new("str", Type::String).allow_dynamic().allow_unknown()];
    let work = |arguments: &[Value]| match arguments[0].as_str() {
        Some(text) => Ok(Value::from(Number::from(length(text)))),
        None => {
            let least = Number::from(length(arguments[0].refinement().prefix()));
            Ok(Value::unknown(Type::Number).refine().min(least, true).value().map_err(|why| why.to_string())?)
        }
    };
    Function::new(text, Type::Number, work).refined(|result| result.not_null())
}

/// The characters of a string from the last to the first, as its readers see them: grapheme clusters.
fn strrev() -> Function {
    let work = |arguments: &[Value]| -> Result<Value, FunctionError> {
        let reversed: String = <&str>::try_from(&arguments[0])?.graphemes(true).rev().collect();
        Ok(Value::from(reversed))
    };
    Function::new([Parameter::new("str", Type::String).allow_dynamic()], Type::String, work)
        .refined(|result| result.not_null())
}

fn length(text: &str) -> u64 {
    text.graphemes(true).count() as u64
}

/// A part of a string, in grapheme clusters. A negative offset counts from the end; a negative length
/// is all the rest.
fn substr() -> Function {
    let parameters = [
        Parameter::new("str", Type::String).allow_dynamic(),
        Parameter::new("offset", Type::Number).allow_dynamic(),
        Parameter::new("length", Type::Number).allow_dynamic(),
    ];
    let work = |arguments: &[Value]| -> Result<Value, FunctionError> {
        let text = <&str>::try_from(&arguments[0])?;
        let whole = |index: usize| {
            let number = arguments[index].as_number().and_then(|number| i64::try_from(number).ok());
            number.ok_or_else(|| FunctionError::argument(index, "a whole number of at most 63 bits is required"))
        };
        let (offset, length) = (whole(1)?, whole(2)?);
        let skipped = match offset < 0 {
            true => self::length(text).saturating_sub(offset.unsigned_abs()),
            false => offset.unsigned_abs(),
        };
        let wanted = u64::try_from(length).unwrap_or(u64::MAX);
        let clip = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let part: String = text.graphemes(true).skip(clip(skipped)).take(clip(wanted)).collect();
        Ok(Value::from(part))
    };
    Function::new(parameters, Type::String, work).refined(|result| result.not_null())
}

/// A function that maps each character of a string.
fn mapped(map: fn(char) -> char) -> Function {
    let work = move |arguments: &[Value]| -> Result<Value, FunctionError> {
        let text = <&str>::try_from(&arguments[0])?;
        let mut mapped = String::with_capacity(text.len());
        mapped.extend(text.chars().map(map));
        Ok(Value::from(mapped))
    };
    Function::new([Parameter::new("str", Type::String).allow_dynamic()], Type::String, work)
        .refined(|result| result.not_null())
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
