//! Describes types and values in messages.

use crate::schema::index::SchemaIndex;
use crate::schema::model::{Format, Range, Type};
use hcl_lr::model;

use super::shape::Shape;

/// The maximum number of alternatives in a message.
const MAX_LISTED: usize = 12;

/// Returns the name of a type for messages, such as `a list of strings`.
pub(super) fn wanted(ty: &Type, index: &SchemaIndex) -> String {
    wanted_within(ty, index, 0)
}

fn wanted_within(ty: &Type, index: &SchemaIndex, depth: usize) -> String {
    if depth > 4 {
        return "a value".to_owned();
    }
    let inner = |ty: &Type| plural(ty, index, depth + 1);
    match index.resolve(ty) {
        Type::String => "a string".to_owned(),
        Type::Number(range) => format!("a number{}", within(range)),
        Type::Integer(range) => format!("a whole number{}", within(range)),
        Type::Bool => "true or false".to_owned(),
        Type::Literal(value) => value.to_string(),
        Type::List(element) => format!("a list{}", inner(element)),
        Type::Set(element) => format!("a set{}", inner(element)),
        Type::Map(element) => format!("a map{}", inner(element)),
        Type::Tuple(elements) => format!("a list of {}", hcl_lr::internal::count(elements.len(), "value")),
        Type::Object(_) | Type::Part(_) => "an object".to_owned(),
        Type::OneOf(types) => {
            let mut all: Vec<String> = Vec::new();
            for ty in types {
                let text = wanted_within(ty, index, depth + 1);
                if !all.contains(&text) {
                    all.push(text);
                }
                // The rest is not listed.
                if all.len() > MAX_LISTED {
                    break;
                }
            }
            alternatives(&all)
        }
        Type::Format(format) => of_format(*format),
        Type::Keyword(words) if words.is_empty() => "a bare word".to_owned(),
        Type::Keyword(words) => {
            let words: Vec<String> = words.iter().take(MAX_LISTED + 1).map(|word| format!("`{word}`")).collect();
            format!("the bare word {}", alternatives(&words))
        }
        Type::Reference(kinds) if kinds.is_empty() => "a reference".to_owned(),
        Type::Reference(kinds) => format!("a reference to a definition of the kind {}", alternatives(kinds)),
        Type::Address(_) => "an address".to_owned(),
        Type::Path => "the name of an attribute".to_owned(),
        Type::Name(name) if name.kinds.is_empty() => "a string with an address".to_owned(),
        Type::Name(name) => format!("the name of a {} in quotes", alternatives(&name.kinds)),
        Type::TypeExpression => "a type".to_owned(),
        Type::Catalog(_) => "a name".to_owned(),
        _ => "a value".to_owned(),
    }
}

fn plural(ty: &Type, index: &SchemaIndex, depth: usize) -> String {
    match index.resolve(ty) {
        Type::String | Type::Format(_) => " of strings".to_owned(),
        Type::Number(_) => " of numbers".to_owned(),
        Type::Integer(_) => " of whole numbers".to_owned(),
        Type::Bool => " of bools".to_owned(),
        Type::List(_) => " of lists".to_owned(),
        Type::Map(_) => " of maps".to_owned(),
        Type::Object(_) | Type::Part(_) => " of objects".to_owned(),
        Type::Reference(_) => " of references".to_owned(),
        Type::Address(_) => " of addresses".to_owned(),
        Type::Path => " of names of attributes".to_owned(),
        Type::Name(_) => " of names in quotes".to_owned(),
        Type::Keyword(words) if words.is_empty() => " of bare words".to_owned(),
        ty @ Type::Keyword(_) => format!(" of words, each {}", wanted_within(ty, index, depth)),
        ty @ Type::Literal(_) => format!(" of values, each {}", wanted_within(ty, index, depth)),
        ty @ Type::OneOf(_) => format!(" of values, each {}", wanted_within(ty, index, depth)),
        _ => String::new(),
    }
}

fn of_format(format: Format) -> String {
    let name = match format {
        Format::Duration => "a duration",
        Format::Identifier => "a name of letters, digits, `_` and `-`",
        Format::Version => "a version",
        Format::VersionConstraint => "constraints on a version",
        Format::Url => "a URL",
        Format::IpAddress => "an IP address",
        Format::Cidr => "a range of IP addresses",
        Format::DateTime => "a date and time",
        Format::Uuid => "a UUID",
        Format::Size => "a size",
        Format::FilePath => "the path of a file",
        Format::FolderPath => "the path of a folder",
        Format::Regex => "a regular expression",
        Format::Json => "a text in JSON",
    };
    format!("{name} such as \"{}\"", format.example().replace('"', "\\\""))
}

fn within(range: &Range) -> String {
    match (&range.min, &range.max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" from {min}"),
        (None, Some(max)) => format!(" up to {max}"),
        (None, None) => String::new(),
    }
}

/// Joins alternatives, as in `a, b or c`.
pub(super) fn alternatives(all: &[String]) -> String {
    let shown = &all[..all.len().min(MAX_LISTED)];
    match shown {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        _ if all.len() > shown.len() => format!("{} or others", shown.join(", ")),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Describes the value in the file, as in `a list`.
pub(super) fn given(shape: &Shape<'_>) -> String {
    match shape {
        Shape::Null => "null".to_owned(),
        Shape::Bool(_) => "a bool".to_owned(),
        Shape::Number(_) => "a number".to_owned(),
        Shape::Text(_) => "a string".to_owned(),
        Shape::List(_) | Shape::Sequence => "a list".to_owned(),
        Shape::Object(_) | Shape::Entries => "an object".to_owned(),
        Shape::Some(ty) => match ty {
            model::Type::String => "a string".to_owned(),
            model::Type::Number => "a number".to_owned(),
            model::Type::Bool => "a bool".to_owned(),
            model::Type::List(_) | model::Type::Tuple(_) => "a list".to_owned(),
            model::Type::Set(_) => "a set".to_owned(),
            model::Type::Map(_) => "a map".to_owned(),
            model::Type::Object(_) => "an object".to_owned(),
            _ => "something else".to_owned(),
        },
        Shape::Either(..) | Shape::Unknown => "something else".to_owned(),
    }
}
