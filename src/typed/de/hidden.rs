//! Errors about parts of an input that serde has buffered.
//!
//! serde reads structures with `flatten`, and enums that are untagged or internally tagged, from a copy of its own. Their
//! errors have no place. They are reported at the whole input, and say in words which parts may be meant: those that have
//! the value or the name that the error is about.

use std::borrow::Cow;

use super::context::Context;
use super::error::Kind;
use super::input::{Input, JsonInput};
use super::look::look;
use super::members::{at_of, parts};
use super::messages;
use super::parts::Request;
use super::path::{Path, Step};
use super::shape::Shape;
use super::words::in_words;
use crate::diagnostic::Diagnostic;
use crate::similar::similar_name;

/// The number of parts that are visited.
const MAX_LOOKS: usize = 10_000;
/// The depth to which parts are visited.
const MAX_DEPTH: usize = 32;
/// A message names no more parts than this.
const MAX_NAMED: usize = 3;

/// Returns the diagnostic for a type's error about an input.
pub(super) fn refused(kind: &Kind, cx: &Context<'_, '_>, input: &Input<'_>, path: &Path<'_>) -> Diagnostic {
    refused_within(kind, cx, input, path, None)
}

/// The same if only the parts with some names have been buffered.
pub(super) fn refused_within(
    kind: &Kind,
    cx: &Context<'_, '_>,
    input: &Input<'_>,
    path: &Path<'_>,
    buffered: Option<&[&str]>,
) -> Diagnostic {
    let paths_of = |names: &[&str]| names.iter().map(|name| path.then(Step::Name(name)).to_string()).collect();
    let mut search = Search { cx, kind, looks: 0, found: Vec::new(), similar: None };
    match (kind, buffered) {
        (Kind::NoVariant | Kind::Length(..), Some(names)) => {
            search.found = paths_of(names);
        }
        (Kind::NoVariant, None) => {
            return match look(cx, input, path) {
                Ok(shape) => messages::no_variant(&shape, input, path),
                Err(_) => messages::refused(kind, input, path),
            };
        }
        (Kind::Length(..), None) | (Kind::Custom(_) | Kind::Duplicate(_), _) => {
            return messages::refused(kind, input, path);
        }
        _ if !input.has_parts() => return messages::refused(kind, input, path),
        _ => search.look_at(input, path, 0, buffered),
    }
    let Search { looks, mut found, similar, .. } = search;
    if looks > MAX_LOOKS || found.len() > MAX_NAMED {
        found.clear();
    }
    let diagnostic = messages::refused_inside(kind, input, path, &found);
    match (kind, similar, &found[..]) {
        (Kind::Missing(field), Some(name), [_]) => {
            diagnostic.with_help(format!("did you mean to write \"{field}\" instead of \"{name}\"?"))
        }
        _ => diagnostic,
    }
}

struct Search<'s, 'c, 'de> {
    cx: &'s Context<'c, 'de>,
    kind: &'s Kind,
    looks: usize,
    /// The paths of the parts that may be meant.
    found: Vec<String>,
    /// A name that is similar to one that is missing.
    similar: Option<String>,
}

impl Search<'_, '_, '_> {
    fn look_at(&mut self, input: &Input<'_>, path: &Path<'_>, depth: usize, buffered: Option<&[&str]>) {
        self.looks += 1;
        crate::work::step(1);
        if self.looks > MAX_LOOKS || self.found.len() > MAX_NAMED {
            return;
        }
        let Ok(shape) = look(self.cx, input, path) else { return };
        let inner = if depth < MAX_DEPTH { inner_parts(self.cx, input, &shape, path) } else { Vec::new() };
        let has = |name: &str| inner.iter().any(|(part, _)| part.name() == Some(name));
        let is_meant = match self.kind {
            Kind::Type(found, _) | Kind::Value(found, _) => depth > 0 && words_of(&shape, input) == *found,
            Kind::Beyond(digits, _) => matches!(&shape, Shape::Number(number) if number.to_string() == *digits),
            Kind::UnknownVariant(name, _) => matches!(&shape, Shape::Text(text) if text == name),
            Kind::Missing(name) => holds_names(&shape, input) && !has(name),
            Kind::UnknownField(name, _) => has(name),
            _ => false,
        };
        if is_meant {
            self.found.push(path.to_string());
            if let Kind::Missing(field) = self.kind {
                let names = inner.iter().filter_map(|(part, _)| part.name());
                self.similar = similar_name(field, names).map(str::to_owned);
            }
        }
        for (part, input) in &inner {
            let step = match part {
                Part::Name(name) if buffered.is_some_and(|names| !names.contains(&&**name)) => continue,
                Part::Name(name) => Step::Name(name),
                Part::Index(index) => Step::Index(*index),
            };
            self.look_at(input, &path.then(step), depth + 1, None);
        }
    }
}

enum Part<'t> {
    Name(Cow<'t, str>),
    Index(usize),
}

impl Part<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Part::Name(name) => Some(name),
            Part::Index(_) => None,
        }
    }
}

/// Returns the parts of an object, a block or a list.
fn inner_parts<'t>(
    cx: &Context<'_, '_>,
    input: &Input<'t>,
    shape: &Shape<'t>,
    path: &Path<'_>,
) -> Vec<(Part<'t>, Input<'t>)> {
    let elements = |inputs: &mut dyn Iterator<Item = Input<'t>>| {
        inputs.enumerate().map(|(index, input)| (Part::Index(index), input)).collect()
    };
    match (shape, input) {
        (Shape::Tuple(tuple), _) => elements(&mut tuple.elements().map(Input::Native)),
        (Shape::List(value), _) => {
            let at = at_of(input);
            let parts = value.elements().unwrap_or_default().iter();
            elements(&mut parts.map(|part| Input::Value(Cow::Owned(part.clone()), at)))
        }
        (Shape::JsonArray, Input::Json(json)) => match json.node.as_array() {
            Some(array) => elements(&mut array.elements().map(|node| Input::Json(JsonInput::new(json.document, node)))),
            None => Vec::new(),
        },
        (Shape::Other, Input::Blocks(blocks)) if blocks.len() > 1 => {
            elements(&mut blocks.iter().map(|block| Input::Blocks(vec![*block])))
        }
        (Shape::Object(_) | Shape::JsonObject | Shape::Map(_) | Shape::Other, _) => {
            let found = parts(cx, input, path, Request::Structure { labels_field: None });
            let members = found.map(|parts| parts.members).unwrap_or_default();
            members.into_iter().map(|member| (Part::Name(member.name), member.input)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns true for an object or a single block.
fn holds_names(shape: &Shape<'_>, input: &Input<'_>) -> bool {
    match input {
        Input::Blocks(blocks) => blocks.len() == 1,
        Input::Body(_) | Input::Item(_) => true,
        _ => matches!(shape, Shape::Object(_) | Shape::Map(_) | Shape::JsonObject),
    }
}

/// Returns serde's words for the input.
fn words_of(shape: &Shape<'_>, input: &Input<'_>) -> String {
    use ::serde::de::Unexpected;
    in_words(match shape {
        Shape::Null => Unexpected::Unit,
        Shape::Bool(value) => Unexpected::Bool(*value),
        Shape::Small(number) => Unexpected::Unsigned(*number),
        Shape::Number(number) => match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => Unexpected::Unsigned(number),
            (_, Ok(number)) => Unexpected::Signed(number),
            _ => Unexpected::Float(number.to_f64()),
        },
        Shape::Text(text) => Unexpected::Str(text),
        Shape::Tuple(_) | Shape::JsonArray | Shape::List(_) => Unexpected::Seq,
        Shape::Object(_) | Shape::Map(_) | Shape::JsonObject => Unexpected::Map,
        Shape::Other if matches!(input, Input::Blocks(blocks) if blocks.len() > 1) => Unexpected::Seq,
        Shape::Other => Unexpected::Map,
        Shape::Capsule => return String::new(),
    })
}
