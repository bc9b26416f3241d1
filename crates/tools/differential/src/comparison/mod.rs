//! Compares two answers to a question, and finds the row of `DIVERGENCES.md` that explains a difference.

pub mod answers;
mod bodies;
pub mod calls;
pub mod model;
pub mod rows;
pub mod sources;

use std::collections::BTreeSet;

use hcl_lr::format::is_closed;
use hcl_lr::model::Number;
use serde_json::{Map, Value as Json};

use crate::questions::sources::Kind;
use answers::equal;
pub(crate) use bodies::sources_of;
use rows::{Case, Row};

/// Returns the rows of all comparisons.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [sources::ROWS, calls::ROWS, bodies::ROWS].into_iter().flatten()
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Same,
    /// Only errors are at other places.
    Place,
    /// They differ as the row of `DIVERGENCES.md` with this name says.
    Explained(&'static str),
    /// They differ, in this way.
    Different(String),
}

fn different(how: &str) -> Verdict {
    Verdict::Different(how.to_owned())
}

/// Answers that are none.
fn refused(answer: &Json) -> bool {
    answer.get("bad_request").is_some() || answer.get("unsupported").is_some()
}

/// Compares the parts that all answers have, whatever the question: `None` if there is more to compare.
fn common(theirs: &Json, ours: &Json) -> Option<Verdict> {
    if theirs.get("panic").is_some() {
        return Some(Verdict::Explained("values that make the engine panic"));
    }
    match (refused(theirs), refused(ours)) {
        (true, true) => Some(Verdict::Same),
        (false, false) => None,
        _ => Some(different("one of them has no answer")),
    }
}

/// Sources that are parsed and evaluated.
pub fn sources(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    if let Some(verdict) = common(theirs, ours) {
        return verdict;
    }
    let (theirs, ours) = (&ordered(theirs), &ordered(ours));
    let op = request["op"].as_str().unwrap_or_default();
    let Some(difference) = answers::difference(theirs, ours) else {
        let types = theirs.get("type").is_none_or(|ty| theirs["ok"] != true || equal(ty, &ours["type"]));
        return if types { Verdict::Same } else { different("types") };
    };
    if difference.is_place() {
        return Verdict::Place;
    }
    let rows = if Kind::ALL.iter().any(|kind| kind.op() == op) { sources::ROWS } else { bodies::ROWS };
    if let Some(row) = Case::new(request, theirs, ours).row(rows) {
        return Verdict::Explained(row);
    }
    Verdict::Different(format!("{difference:?}"))
}

/// Conversions, unifications and operators. Ours is asked of the model itself, for the reasons it gives.
pub fn model(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    if theirs.get("bad_request").is_some() {
        return Verdict::Same;
    }
    let mut answer = model::answer(request);
    // A question that was made smaller may have lost its operator or an operand.
    if answer.get("bad_request").is_some() {
        return Verdict::Same;
    }
    // A value spoiled on the way differs from the one of the model.
    if ours.get("value").is_some() && ours["ok"] == true {
        answer["value"] = ours["value"].clone();
    }
    let mut meaning = theirs.clone();
    let message = theirs["message"].as_str().unwrap_or_default();
    if message.contains("must all match") || message.contains("common base type") {
        meaning["mixed_types"] = true.into();
    }
    if theirs["ok"] != true
        && let Some(members) = meaning.as_object_mut()
    {
        members.remove("value");
    }
    model::compare(request, &ordered(&meaning), &ordered(&answer))
}

/// Calls of functions.
pub fn calls(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    // Arguments that cannot be read make the engine's values panic.
    if refused(ours) && (refused(theirs) || theirs["panic"] == true) {
        return Verdict::Same;
    }
    calls::compare(request, &ordered(theirs), &ordered(ours))
}

/// Formatted texts.
pub fn format(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    if let Some(verdict) = common(theirs, ours) {
        return verdict;
    }
    let src = request["src"].as_str().unwrap_or_default();
    match theirs["text"] == ours["text"] {
        true => Verdict::Same,
        false if !is_closed(src.as_bytes()) => {
            Verdict::Explained("a quote, heredoc, sequence or comment without an end")
        }
        false if index_of_number(&theirs["text"], &ours["text"]) => Verdict::Explained("formatting.index-of-number"),
        false if src.contains("\u{200d}\u{200d}") && same_but_blanks(&theirs["text"], &ours["text"]) => {
            Verdict::Explained("syntax.graphemes")
        }
        false => different("the text"),
    }
}

/// Ours has a blank between a number and its index, and nothing else differs but for blanks.
fn index_of_number(theirs: &Json, ours: &Json) -> bool {
    let text = ours.as_str().unwrap_or_default();
    let kept = text.as_bytes().windows(3).any(|part| part[0].is_ascii_digit() && &part[1..] == b" .");
    kept && same_but_blanks(theirs, ours)
}

fn same_but_blanks(theirs: &Json, ours: &Json) -> bool {
    let (theirs, ours) = (theirs.as_str().unwrap_or_default(), ours.as_str().unwrap_or_default());
    theirs.chars().filter(|c| *c != ' ').eq(ours.chars().filter(|c| *c != ' '))
}

/// The files and starts of all errors.
fn places(answer: &Json) -> BTreeSet<String> {
    let errors = answer["diags"].as_array().into_iter().flatten().filter(|found| found["severity"] == "error");
    errors.map(|found| format!("{} {}", found["range"][0], found["range"][1][2])).collect()
}

/// Content of bodies, with the places of everything in it, decoded values, and those that functions of files give.
pub fn bodies(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    if let Some(verdict) = common(theirs, ours) {
        return verdict;
    }
    let (theirs, ours) = (&ordered(theirs), &ordered(ours));
    let row = || Case::new(request, theirs, ours).row(bodies::ROWS);
    let explained = |how: &str| row().map_or_else(|| different(how), Verdict::Explained);
    if theirs["parsed"] != ours["parsed"] {
        return explained("one cannot be parsed");
    }
    if theirs["ok"] != ours["ok"] {
        return explained("one is an error");
    }
    if !equal(&theirs["type"], &ours["type"]) {
        return explained("the implied type");
    }
    let has_errors = theirs["ok"] == false;
    let same_variables =
        ["variables", "expand_variables"].iter().all(|part| sorted(&theirs[*part]) == sorted(&ours[*part]));
    // With errors, how much of the content is there is up to each.
    if !(same_variables || has_errors && request["op"] == "content") {
        return explained("the variables that are needed");
    }
    if has_errors {
        return if places(theirs) == places(ours) { Verdict::Same } else { Verdict::Place };
    }
    if !["value", "values"].iter().all(|part| equal(&theirs[*part], &ours[*part])) {
        return explained("the value");
    }
    let (mut a, mut b) = (theirs["content"].clone(), ours["content"].clone());
    if equal(&a, &b) {
        return Verdict::Same;
    }
    without_places(&mut a);
    without_places(&mut b);
    match equal(&a, &b) && row().is_none() {
        true => Verdict::Place,
        false => explained("the content"),
    }
}

/// A value with the elements of its sets in one order, however their numbers are written.
pub(crate) fn ordered(part: &Json) -> Json {
    match part {
        Json::Array(parts) => parts.iter().map(ordered).collect(),
        Json::Object(parts) => {
            let mut made: Map<String, Json> = parts.iter().map(|(name, part)| (name.clone(), ordered(part))).collect();
            if let Some(text) = made.get("number").and_then(Json::as_str)
                && let Ok(number) = Number::parse(text)
            {
                made["number"] = number.to_string().into();
            }
            if let Some(elements) = made.get_mut("set").and_then(Json::as_array_mut) {
                elements.sort_by_key(Json::to_string);
            }
            Json::Object(made)
        }
        other => other.clone(),
    }
}

/// Variables in any order.
fn sorted(paths: &Json) -> Vec<String> {
    let mut all: Vec<String> = paths.as_array().into_iter().flatten().map(Json::to_string).collect();
    all.sort();
    all
}

/// Without what says where something stands.
fn without_places(part: &mut Json) {
    match part {
        Json::Object(members) => {
            members.retain(|name, _| {
                !matches!(
                    name.as_str(),
                    "range"
                        | "name_range"
                        | "expr_range"
                        | "expr_start"
                        | "type_range"
                        | "label_ranges"
                        | "missing"
                        | "content_missing"
                )
            });
            members.values_mut().for_each(without_places);
        }
        Json::Array(items) => items.iter_mut().for_each(without_places),
        _ => {}
    }
}
