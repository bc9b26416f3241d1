//! The functions, a family in each file. They are short: `engine` reads and writes their notations.

pub(super) mod assume;
pub(super) mod attempt;
pub(super) mod charsets;
pub(super) mod conversion;
pub(super) mod dates;
pub(super) mod encoding;
pub(super) mod files;
pub(super) mod formatting;
#[cfg(feature = "functions")]
pub(super) mod hashes;
pub(super) mod lists;
pub(super) mod logic;
pub(super) mod maps;
pub(super) mod marks;
pub(super) mod network;
pub(super) mod numbers;
pub(super) mod paths;
#[cfg(feature = "functions")]
pub(super) mod patterns;
pub(super) mod products;
pub(super) mod sets;
pub(super) mod strings;
pub(super) mod templates;
pub(super) mod terraform;

use crate::eval::{Call, FunctionError, Parameter};
use crate::model::{Number, Text, Type, Value};

fn any(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Dynamic)
}

fn text(name: &'static str) -> Parameter {
    Parameter::new(name, Type::String)
}

fn number(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Number)
}

fn strings(name: &'static str) -> Parameter {
    Parameter::new(name, Type::list(Type::String))
}

/// An argument as a whole number.
fn whole(call: &Call<'_>, index: usize) -> Result<i64, FunctionError> {
    let number = call.argument(index).as_number().and_then(|number| i64::try_from(number).ok());
    number.ok_or_else(|| FunctionError::argument(index, "a whole number of at most 63 bits is required"))
}

/// Returns a number that is not negative, as an index or count.
fn count(call: &Call<'_>, index: usize, what: &str) -> Result<usize, FunctionError> {
    let number = whole(call, index)?;
    usize::try_from(number).map_err(|_| FunctionError::argument(index, format!("{what} must not be negative")))
}

/// Returns the text of an argument that is a known string.
fn str_of<'c>(call: &Call<'c>, index: usize) -> &'c str {
    call.argument(index).as_str().unwrap_or_default()
}

/// Returns the number of an argument that is a known number.
fn number_of<'c>(call: &Call<'c>, index: usize) -> &'c Number {
    call.argument(index).as_number().unwrap_or(&Number::ZERO)
}

/// Returns the string that a function has built. It is counted before normalization, because it may be longer than the
/// arguments.
fn made(call: &Call<'_>, text: impl AsRef<str>) -> Result<Value, FunctionError> {
    call.account().normalizing(text.as_ref())?;
    Ok(Value::from(text.as_ref()))
}

/// Returns part of a normalized string, which is normalized too.
fn part_of(text: &str) -> Value {
    Value::from_name(Text::known(text))
}

/// An error without more to it than a text.
fn because(why: impl std::fmt::Display) -> FunctionError {
    FunctionError::from(why.to_string())
}

/// An error of an argument.
fn blame(index: usize, why: impl std::fmt::Display) -> FunctionError {
    FunctionError::argument(index, why.to_string())
}

/// Returns a list of elements that already have the type.
fn list_of(element: Type, items: Vec<Value>) -> Result<Value, FunctionError> {
    Value::list(element, items).map_err(because)
}

/// Returns the name of a type with an article: `a list of string`.
fn with_article(ty: &Type) -> String {
    let name = ty.to_string();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}
