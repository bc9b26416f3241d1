//! Finds the place of errors that serde reports without one.
//!
//! Structures with `flatten` and enums that are untagged or internally tagged are buffered by serde, and
//! then read without this crate: what is wrong with a field has no place. It is looked up: each part of
//! the input that is what the message says was found may be meant. Of several, the right one is that for
//! which the message changes when the part is something else.

use std::borrow::Cow;

use ::serde::de::{Deserialize, Visitor};

use super::context::{Change, Context};
use super::deserializer::De;
use super::error::{Error, Kind};
use super::input::{Input, JsonInput};
use super::look::{Seen, look};
use super::narrow::Part;
use super::parts::{Asking, at_of, parts};
use super::path::{Path, Step};
use crate::source::Place;

/// The number of parts that are tried.
const MAX_CANDIDATES: usize = 16;
/// The number of parts that are visited.
const MAX_LOOKS: usize = 10_000;
/// The depth to which parts are searched.
const MAX_DEPTH: usize = 32;

/// A part of the input that may be what is wrong.
pub(super) struct Culprit {
    pub path: String,
    pub place: Place,
    /// The name of a field that is not there.
    pub missing: Option<&'static str>,
    /// True if it has a place of its own.
    pub is_written_out: bool,
    /// True if it is one block, or one object, and a list of them is expected.
    pub is_single: bool,
}

/// Finds the part of an input that a type has refused with these words.
pub(super) fn locate<'de, T: Deserialize<'de>>(
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
    found: &str,
    expected: &str,
) -> Option<Culprit> {
    let mut search = Search { cx, found, looks: 0, candidates: Vec::new() };
    search.walk(input, path, 0);
    if let Some(memo) = cx.memo(path) {
        for field in memo.offered.borrow().iter() {
            search.candidates.push(Culprit {
                path: path.then(Step::Name(field)).to_string(),
                place: input.place(),
                missing: Some(field),
                is_written_out: false,
                is_single: false,
            });
        }
    }
    cx.look_again(search.looks);
    let Search { mut candidates, .. } = search;
    candidates.truncate(MAX_CANDIDATES);
    let changes = |candidate: &Culprit| {
        let error = cx.probing(&candidate.path, || T::deserialize(De::new(cx, input, path)).err());
        match error.map(Error::into_kind) {
            // An option, with nothing else that is wrong.
            None => true,
            Some(Kind::Type(now, wanted)) if now == "null" => wanted == expected,
            // An option, and what is wrong next.
            Some(Kind::Type(now, wanted) | Kind::Value(now, wanted)) => (&*now, &*wanted) != (found, expected),
            _ => false,
        }
    };
    candidates.into_iter().find(changes)
}

struct Search<'s, 'c> {
    cx: &'s Context<'c>,
    found: &'s str,
    looks: usize,
    candidates: Vec<Culprit>,
}

impl Search<'_, '_> {
    fn walk(&mut self, input: &Input<'_>, path: &Path<'_>, depth: usize) {
        self.looks += 1;
        if self.looks > MAX_LOOKS || depth > MAX_DEPTH || self.candidates.len() > MAX_CANDIDATES {
            return;
        }
        if self.cx.is_left_out(path) {
            return;
        }
        if let Some(Change::List) = self.cx.change(path) {
            // This has turned out to be read as the only element of a list.
            return self.walk(input, &path.then(Step::Index(0)), depth + 1);
        }
        let Ok(seen) = look(self.cx, input, path) else { return };
        let is_single = match input {
            Input::Blocks(blocks) => blocks.len() == 1,
            _ => matches!(seen, Seen::JsonObject | Seen::Object(_) | Seen::Map(_)),
        };
        if depth > 0 && in_words(&seen, input) == self.found && self.cx.change(path).is_none() {
            let (path, place) = (path.to_string(), input.place());
            let is_written_out = super::words::is_written_out(input);
            self.candidates.push(Culprit { path, place, missing: None, is_written_out, is_single });
        }
        for part in inner_parts(self.cx, input, path) {
            self.walk(&part.member.input, &path.then(part.step()), depth + 1);
        }
    }
}

/// Returns the parts of an object, a block or a list, with the steps to them.
pub(super) fn inner_parts<'t>(cx: &Context<'_>, input: &Input<'t>, path: &Path<'_>) -> Vec<Part<'t>> {
    if let Some(Change::List) = cx.change(path) {
        // This has turned out to be read as the only element of a list.
        return vec![Part::element(input.clone(), 0)];
    }
    let elements = |inputs: &mut dyn Iterator<Item = Input<'t>>| {
        inputs.enumerate().map(|(index, input)| Part::element(input, index)).collect()
    };
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
        (Ok(Seen::Object(_) | Seen::JsonObject | Seen::Map(_) | Seen::Other), _) => {
            if let Input::Blocks(blocks) = input
                && blocks.len() > 1
                && blocks.iter().any(|block| block.labels_left() == 0)
            {
                return elements(&mut blocks.iter().map(|block| Input::Blocks(vec![*block])));
            }
            let named = |is_structure| {
                let asking = Asking::Map { takes_labels: None, is_structure };
                parts(cx, input, path, asking).ok()
            };
            let Some(found) = named(false) else { return Vec::new() };
            let by_label = found.by_label;
            // A block with labels is read by label, or by a structure that does not take them.
            let content =
                if by_label { named(true).map(|parts| parts.members).unwrap_or_default() } else { Vec::new() };
            let by_label = found.members.into_iter().map(|member| Part::named(member, by_label));
            by_label.chain(content.into_iter().map(|member| Part::named(member, false))).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns serde's words for the input.
pub(super) fn in_words(seen: &Seen<'_>, input: &Input<'_>) -> String {
    use ::serde::de::Unexpected;
    let found = match seen {
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
        Seen::Other => match input {
            Input::Blocks(blocks) if blocks.len() > 1 && blocks.iter().any(|block| block.labels_left() == 0) => {
                Unexpected::Seq
            }
            _ => Unexpected::Map,
        },
        Seen::Capsule => return String::new(),
    };
    super::error::in_words(found)
}

/// Gives a type that has said what it expects something of that kind.
pub(super) fn stand_in<'de, V: Visitor<'de>>(expected: &str, visitor: V) -> Result<V::Value, Error> {
    use ::serde::de::value::{MapDeserializer, SeqDeserializer, UnitDeserializer};
    match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            visitor.visit_u64(0)
        }
        "f32" | "f64" => visitor.visit_f64(0.0),
        "a boolean" => visitor.visit_bool(false),
        "a character" => visitor.visit_char('a'),
        "a sequence" => visitor.visit_seq(SeqDeserializer::new(std::iter::empty::<UnitDeserializer<Error>>())),
        "a map" => {
            let nothing = std::iter::empty::<(UnitDeserializer<Error>, UnitDeserializer<Error>)>();
            visitor.visit_map(MapDeserializer::new(nothing))
        }
        number if number.starts_with("a nonzero") => visitor.visit_u64(1),
        _ => visitor.visit_borrowed_str(""),
    }
}
