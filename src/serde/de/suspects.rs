//! Finds the parts that an error may be about, in input that serde has buffered.
//!
//! Structures with `flatten` and enums that are untagged or internally tagged are read from a copy that serde makes, and
//! their errors have no place. The message says which kind of value was found, or which name: if only one part of the
//! input is like that, the error is about it; if there are a few, the message names them.

use std::borrow::Cow;

use super::context::Context;
use super::error::{Kind, in_words};
use super::input::{At, Input, JsonInput, Member};
use super::look::{Seen, look};
use super::messages::{self, Inner, Suspect};
use super::parts::{Asking, at_of, parts};
use super::path::{Path, Step};
use crate::diagnostic::Diagnostic;
use crate::source::Place;

/// The number of parts that are visited.
const MAX_LOOKS: usize = 10_000;
/// The depth to which parts are visited.
const MAX_DEPTH: usize = 32;
/// The number of suspects that a message names.
const MAX_SUSPECTS: usize = 3;

/// Returns the diagnostic for a type's error about an input.
pub(super) fn refused(kind: &Kind, cx: &Context<'_, '_>, input: &Input<'_>, path: &Path<'_>) -> Diagnostic {
    let parts = if input.has_parts() { inner_parts(cx, input, path) } else { Vec::new() };
    refused_among(kind, cx, input, path, parts)
}

/// The same if the error is about one of these parts.
pub(super) fn refused_among<'t>(
    kind: &Kind,
    cx: &Context<'_, '_>,
    input: &Input<'t>,
    path: &Path<'_>,
    parts: Vec<Part<'t>>,
) -> Diagnostic {
    let is_open = matches!(kind, Kind::NoVariant(_));
    let named = parts.iter().filter(|part| is_open && part.index.is_none());
    let named: Vec<Inner> = named.map(|part| inner(cx, part, path)).collect();
    let seen = look(cx, input, path).map(|seen| words_of(&seen, input)).unwrap_or_default();
    let buffered = common(kind, &seen);
    let kind = buffered.as_ref().unwrap_or(kind);
    let mut search = Search { cx, kind, looks: 0, found: Vec::new() };
    let holds_names = matches!(kind, Kind::Missing(_) | Kind::UnknownField(..));
    if holds_names {
        // A name may be missing in the whole, too.
        search.look_for_name(input, path, &parts);
    }
    search.walk(parts, path, 0);
    let Search { looks, mut found, .. } = search;
    if looks > MAX_LOOKS {
        found.clear();
    }
    match (kind, &found[..]) {
        (Kind::NoVariant(reasons), _) => messages::no_variant(reasons, &seen, &named, input, path),
        (_, [only]) => only.diagnostic.clone().unwrap_or_else(|| messages::refused(kind, input, path)),
        (_, [_, _, ..]) if !holds_names && found.len() <= MAX_SUSPECTS => {
            messages::refused_somewhere(kind, input, path, &found)
        }
        _ => messages::refused(kind, input, path),
    }
}

/// If all variants of an untagged enum have refused the same value, and it is not the whole: that they have.
fn common(kind: &Kind, whole: &str) -> Option<Kind> {
    let Kind::NoVariant(reasons) = kind else { return None };
    let mut expected: Vec<Cow<'_, str>> = Vec::new();
    let mut refused = None;
    for reason in reasons {
        let (Kind::Type(found, wanted) | Kind::Value(found, wanted)) = reason else { return None };
        if found == whole || *refused.get_or_insert(found) != found {
            return None;
        }
        let wanted = messages::expected_in_words(wanted);
        if !expected.contains(&wanted) {
            expected.push(wanted);
        }
    }
    Some(Kind::Type(refused?.clone(), messages::alternatives(&expected)))
}

/// A named part, and the words for its value.
fn inner(cx: &Context<'_, '_>, part: &Part<'_>, path: &Path<'_>) -> Inner {
    let words = look(cx, &part.input, &path.then(part.step())).map(|seen| words_of(&seen, &part.input));
    Inner { name: part.name.to_string(), words: words.unwrap_or_default() }
}

struct Search<'s, 'c, 'de> {
    cx: &'s Context<'c, 'de>,
    kind: &'s Kind,
    looks: usize,
    found: Vec<Suspect>,
}

impl Search<'_, '_, '_> {
    fn walk(&mut self, parts: Vec<Part<'_>>, path: &Path<'_>, depth: usize) {
        for part in parts {
            self.looks += 1;
            crate::work::step(1);
            if self.looks > MAX_LOOKS || self.found.len() > MAX_SUSPECTS {
                return;
            }
            let (input, path) = (&part.input, path.then(part.step()));
            let Ok(seen) = look(self.cx, input, &path) else { continue };
            let inner = if depth < MAX_DEPTH { inner_parts(self.cx, input, &path) } else { Vec::new() };
            if matches!(self.kind, Kind::Missing(_) | Kind::UnknownField(..)) {
                self.look_for_name(input, &path, &inner);
            } else if self.is_meant(&seen, input) {
                self.add(input.place(), &path, Some(messages::refused_at(self.kind, &seen, input, &path)));
            }
            self.walk(inner, &path, depth + 1);
        }
    }

    fn add(&mut self, place: Place, path: &Path<'_>, diagnostic: Option<Diagnostic>) {
        self.found.push(Suspect { path: path.to_string(), place, diagnostic });
    }

    /// Looks for an object or a block in which a name is missing, or one that it does not know.
    fn look_for_name(&mut self, input: &Input<'_>, path: &Path<'_>, inner: &[Part<'_>]) {
        let named = || inner.iter().filter(|part| part.index.is_none());
        match self.kind {
            Kind::Missing(field) if holds_names(self.cx, input, path) && !named().any(|part| part.name == *field) => {
                let others: Vec<_> = named().map(|part| (part.name.clone(), part.at)).collect();
                let missing = messages::missing(input.place(), path, field, &others, messages::Others::Perhaps);
                self.add(input.place(), path, Some(missing));
            }
            Kind::UnknownField(name, fields) => {
                for part in named().filter(|part| part.name == *name) {
                    let is_block = matches!(part.input, Input::Blocks(_));
                    let severity = crate::diagnostic::Severity::Error;
                    let unexpected = messages::unexpected(name, part.at, is_block, fields, path, severity);
                    self.add(part.at.place(), path, Some(unexpected));
                }
            }
            _ => {}
        }
    }

    fn is_meant(&self, seen: &Seen<'_>, input: &Input<'_>) -> bool {
        match self.kind {
            Kind::Type(found, _) | Kind::Value(found, _) => words_of(seen, input) == *found,
            Kind::UnknownVariant(name, _) => matches!(seen, Seen::Text(text) if text == name),
            _ => false,
        }
    }
}

/// Returns true for an object or a single block.
fn holds_names(cx: &Context<'_, '_>, input: &Input<'_>, path: &Path<'_>) -> bool {
    match input {
        Input::Blocks(blocks) => blocks.len() == 1,
        Input::Body(_) | Input::Item(_) => true,
        _ => matches!(look(cx, input, path), Ok(Seen::Object(_) | Seen::Map(_) | Seen::JsonObject)),
    }
}

/// A part of an input: an element, or something with a name.
pub(super) struct Part<'t> {
    pub name: Cow<'t, str>,
    pub at: At<'t>,
    pub input: Input<'t>,
    pub index: Option<usize>,
}

impl<'t> Part<'t> {
    pub fn named(member: Member<'t>) -> Self {
        Part { name: member.name, at: member.at, input: member.input, index: None }
    }

    fn element((index, input): (usize, Input<'t>)) -> Self {
        Part { name: "".into(), at: At::Nowhere, input, index: Some(index) }
    }

    pub fn step(&self) -> Step<'_> {
        self.index.map_or(Step::Name(&self.name), Step::Index)
    }
}

/// Returns the parts of an object, a block or a list.
pub(super) fn inner_parts<'t>(cx: &Context<'_, '_>, input: &Input<'t>, path: &Path<'_>) -> Vec<Part<'t>> {
    let elements = |inputs: &mut dyn Iterator<Item = Input<'t>>| inputs.enumerate().map(Part::element).collect();
    match (look(cx, input, path), input) {
        (Ok(Seen::Tuple(tuple)), _) => elements(&mut tuple.elements().map(Input::Native)),
        (Ok(Seen::List(value)), _) => {
            let at = at_of(input);
            let parts = value.elements().unwrap_or_default().iter();
            elements(&mut parts.map(|part| Input::Value(Cow::Owned(part.clone()), at)))
        }
        (Ok(Seen::JsonArray), Input::Json(json)) => match json.node.as_array() {
            Some(array) => elements(&mut array.elements().map(|node| Input::Json(JsonInput::new(json.document, node)))),
            None => Vec::new(),
        },
        (Ok(Seen::Object(_) | Seen::JsonObject | Seen::Map(_) | Seen::Other), _) => match input {
            Input::Blocks(blocks) if blocks.len() > 1 => {
                elements(&mut blocks.iter().map(|block| Input::Blocks(vec![*block])))
            }
            _ => {
                let found = parts(cx, input, path, Asking::Structure { labels_field: None }).map(|parts| parts.members);
                found.unwrap_or_default().into_iter().map(Part::named).collect()
            }
        },
        _ => Vec::new(),
    }
}

/// Returns serde's words for the input.
fn words_of(seen: &Seen<'_>, input: &Input<'_>) -> String {
    use ::serde::de::Unexpected;
    in_words(match seen {
        Seen::Null => Unexpected::Unit,
        Seen::Bool(value) => Unexpected::Bool(*value),
        Seen::Small(number) => Unexpected::Unsigned(*number),
        Seen::Number(number) => match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => Unexpected::Unsigned(number),
            (_, Ok(number)) => Unexpected::Signed(number),
            _ => Unexpected::Float(number.to_f64()),
        },
        Seen::Text(text) => Unexpected::Str(text),
        Seen::Tuple(_) | Seen::JsonArray | Seen::List(_) => Unexpected::Seq,
        Seen::Object(_) | Seen::Map(_) | Seen::JsonObject => Unexpected::Map,
        Seen::Other if matches!(input, Input::Blocks(blocks) if blocks.len() > 1) => Unexpected::Seq,
        Seen::Other => Unexpected::Map,
        Seen::Capsule => return String::new(),
    })
}
