//! Texts made by a format with verbs.

use super::lists::elements;
use super::{any, because, blame, made, str_of, text};
use crate::eval::{Call, FunctionError};
use crate::functions::engine::printf::{self, FormatError};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let arguments = || any("args").allow_null().allow_unknown().allow_dynamic();
    vec![
        function("format", "Formats values by a format with verbs such as `%s`, `%d` or `%5.2f`.")
            .encodes()
            .takes(text("format"))
            .rest(arguments())
            .gives_string()
            .example("format(\"Hello, %s!\", \"Ander\")", "\"Hello, Ander!\"")
            .example("format(\"%03d %.1f%%, %[1]v\", 7, 1.25)", "\"007 1.2%, 7\"")
            .fails(
                "format(\"%d\", \"x\")",
                "invalid value for \"args\" of function \"format\": invalid for `%d`: a number is required",
            )
            .does(|call| {
                let format = str_of(call, 0);
                let arguments: Vec<&Value> = call.arguments()[1..].iter().collect();
                if !arguments.iter().all(|argument| argument.is_wholly_known()) {
                    return unknown(format);
                }
                let mut text = String::with_capacity(format.len());
                printf::format(&mut text, format, &arguments, call.account()).map_err(|why| error(why, ""))?;
                made(call, text)
            }),
        function("formatlist", "Formats lists of values element by element, and returns a list of strings.")
            .encodes()
            .takes(text("format"))
            .rest(arguments())
            .gives(Type::list(Type::String), "list(string)")
            .never_null()
            .example("formatlist(\"%s is %d\", [\"a\", \"b\"], 1)", "[\"a is 1\", \"b is 1\"]")
            .fails(
                "formatlist(\"%s%s\", [1], [1, 2])",
                "invalid value for \"args\" of function \"formatlist\": there are 2 elements here, but 1 in argument 1",
            )
            .does(list),
    ]
}

fn error(why: FormatError, at: &str) -> FunctionError {
    let message = format!("{at}{}", why.message);
    match why.argument {
        Some(argument) => blame(argument + 1, message),
        None => because(message),
    }
}

/// Returns the text before the first verb, which is the known part of a text with unknown values.
fn unknown(format: &str) -> Result<Value, FunctionError> {
    let unknown = Value::unknown(Type::String);
    match format.find('%') {
        Some(at @ 1..) => unknown.refine().prefix(&format[..at]).value().map_err(because),
        _ => Ok(unknown),
    }
}

/// An argument: one value for all strings, or one for each.
enum FormatArgument<'v> {
    One(&'v Value),
    Each(&'v [Value]),
}

fn list(call: &Call<'_>) -> Result<Value, FunctionError> {
    let format = str_of(call, 0);
    let mut given = Vec::new();
    let mut count: Option<(usize, usize)> = None;
    let mut known = true;
    for (index, argument) in call.arguments()[1..].iter().enumerate() {
        let length = match argument.ty() {
            Type::List(_) | Type::Set(_) if !argument.is_null() => match argument.elements() {
                Some(items) if argument.is_wholly_known() || matches!(argument.ty(), Type::List(_)) => items.len(),
                Some([_]) => 1,
                _ => {
                    known = false;
                    continue;
                }
            },
            Type::Tuple(tuple) if !argument.is_null() => tuple.elements().len(),
            Type::Dynamic if !argument.is_known() && *argument.refinement() == Default::default() => {
                known = false;
                continue;
            }
            _ => {
                given.push(FormatArgument::One(argument));
                continue;
            }
        };
        match count {
            None => count = Some((index, length)),
            Some((first, count)) if count != length => {
                let why = format!("there are {length} elements here, but {count} in argument {}", first + 1);
                return Err(blame(index + 1, why));
            }
            Some(_) => {}
        }
        known &= argument.is_known();
        given.push(FormatArgument::Each(elements(argument)));
    }
    if !known {
        return Ok(Value::unknown(call.result_type().clone()));
    }
    let count = count.map_or(1, |(_, count)| count);
    let mut results = Vec::with_capacity(count);
    let (mut text, mut arguments) = (String::new(), Vec::with_capacity(given.len()));
    for at in 0..count {
        arguments.clear();
        arguments.extend(given.iter().map(|given| match given {
            FormatArgument::One(value) => *value,
            FormatArgument::Each(items) => &items[at],
        }));
        results.push(match arguments.iter().all(|argument| argument.is_wholly_known()) {
            true => {
                text.clear();
                printf::format(&mut text, format, &arguments, call.account()).map_err(|why| {
                    let place = if count > 1 { format!("element {at}: ") } else { String::new() };
                    error(why, &place)
                })?;
                made(call, &text)?
            }
            false => Value::unknown_not_null(Type::String),
        });
    }
    super::list_of(Type::String, results)
}
