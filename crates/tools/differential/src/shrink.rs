//! Reduces requests.
//!
//! A request is any JSON. Reductions are tried in this order: members of objects and elements of lists are removed,
//! many at a time and then one by one; a part is replaced by one of its parts; pieces are cut from texts, long ones
//! first; and values become simple. Each time, the first reduction that still serves is kept.

use std::error::Error;

use serde_json::{Value as Json, json};

/// Finds the request among some that still satisfies the test.
pub type Serves<'s> = dyn FnMut(&[Json]) -> Result<Option<usize>, Box<dyn Error>> + 's;

/// The number of requests tried at a time.
const WINDOW: usize = 200;

/// The way to a part.
type Path = Vec<String>;

/// The smallest request that was found to serve as this one does.
pub fn shrink(request: &Json, serves: &mut Serves<'_>) -> Result<Json, Box<dyn Error>> {
    let mut best = request.clone();
    // A request that does not serve itself, because answers vary, stays as it is.
    if serves(std::slice::from_ref(&best))?.is_none() {
        return Ok(best);
    }
    loop {
        let before = size(&best);
        for step in [leave_out, replace, shorten, simplify] {
            reduce(&mut best, step, serves)?;
        }
        if size(&best) >= before {
            return Ok(best);
        }
    }
}

/// Returns the length of a request as text.
pub fn size(request: &Json) -> usize {
    request.to_string().len()
}

/// Takes one step as often as it helps.
fn reduce(best: &mut Json, step: fn(&Json) -> Vec<Json>, serves: &mut Serves<'_>) -> Result<(), Box<dyn Error>> {
    loop {
        let now = size(best);
        let smaller: Vec<Json> = steps(best, step).into_iter().filter(|request| size(request) < now).collect();
        let mut found = None;
        for window in smaller.chunks(WINDOW) {
            if let Some(at) = serves(window)? {
                found = Some(window[at].clone());
                break;
            }
        }
        match found {
            Some(request) => *best = request,
            None => return Ok(()),
        }
    }
}

/// Returns true for members that shrinking keeps, because they make the question.
fn is_kept(name: &str) -> bool {
    matches!(name, "op" | "want" | "eval")
}

/// A request with each of the replacements of a step.
fn steps(request: &Json, step: fn(&Json) -> Vec<Json>) -> Vec<Json> {
    let mut all: Vec<Json> = Vec::new();
    for path in paths(request) {
        if path.last().is_some_and(|name| is_kept(name)) {
            continue;
        }
        let Some(part) = at(request, &path) else { continue };
        for other in step(part) {
            let mut changed = request.clone();
            if let Some(part) = at_mut(&mut changed, &path) {
                *part = other;
                all.push(changed);
            }
        }
    }
    all
}

/// The ways to all parts, the outer ones first.
fn paths(request: &Json) -> Vec<Path> {
    let (mut all, mut next) = (vec![Vec::new()], 0);
    while let Some(path) = all.get(next).cloned() {
        next += 1;
        let below: Vec<String> = match at(request, &path) {
            Some(Json::Object(members)) => members.keys().cloned().collect(),
            Some(Json::Array(items)) => (0..items.len()).map(|index| index.to_string()).collect(),
            _ => Vec::new(),
        };
        all.extend(below.into_iter().map(|name| [&path[..], &[name]].concat()));
    }
    all
}

fn at<'j>(json: &'j Json, path: &[String]) -> Option<&'j Json> {
    path.iter().try_fold(json, |part, name| match part {
        Json::Array(items) => items.get(name.parse::<usize>().ok()?),
        _ => part.get(name),
    })
}

fn at_mut<'j>(json: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    path.iter().try_fold(json, |part, name| match part {
        Json::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => part.get_mut(name),
    })
}

/// Returns the starts and lengths of pieces: half of it, a quarter, and so on.
fn pieces(length: usize) -> Vec<(usize, usize)> {
    let (mut all, mut size) = (Vec::new(), length);
    while size > 0 {
        all.extend((0..length).step_by(size).map(|start| (start, size.min(length - start))));
        size /= 2;
    }
    all
}

/// Without some of its members.
fn leave_out(part: &Json) -> Vec<Json> {
    match part {
        Json::Object(members) => {
            let names: Vec<&String> = members.keys().filter(|name| !is_kept(name)).collect();
            let without = |(start, length): (usize, usize)| {
                let gone = &names[start..start + length];
                Json::Object(
                    members
                        .iter()
                        .filter(|(name, _)| !gone.contains(name))
                        .map(|(n, v)| (n.clone(), v.clone()))
                        .collect(),
                )
            };
            pieces(names.len()).into_iter().map(without).collect()
        }
        Json::Array(items) => {
            let without =
                |(start, length): (usize, usize)| Json::Array([&items[..start], &items[start + length..]].concat());
            pieces(items.len()).into_iter().map(without).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the parts that can replace a part.
fn replace(part: &Json) -> Vec<Json> {
    let inner: Vec<&Json> = match part {
        Json::Object(members) => members.values().collect(),
        Json::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    let below = |part: &Json| -> Vec<Json> {
        match part {
            Json::Object(members) => members.values().cloned().collect(),
            Json::Array(items) => items.clone(),
            _ => Vec::new(),
        }
    };
    inner.iter().map(|part| (*part).clone()).chain(inner.iter().flat_map(|part| below(part))).collect()
}

/// Returns a text without some of its pieces.
fn shorten(part: &Json) -> Vec<Json> {
    let Json::String(text) = part else { return Vec::new() };
    let chars: Vec<char> = text.chars().collect();
    let mut all: Vec<String> = Vec::new();
    // Whole lines first, then brackets with what is in them, then pieces of any length.
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() > 1 {
        all.extend(
            pieces(lines.len())
                .into_iter()
                .map(|(start, length)| [&lines[..start], &lines[start + length..]].concat().concat()),
        );
    }
    for (start, length) in pieces(chars.len()) {
        all.push(chars[..start].iter().chain(&chars[start + length..]).collect());
    }
    for length in [2, 3] {
        for start in 0..chars.len().saturating_sub(length) {
            all.push(chars[..start].iter().chain(&chars[start + length..]).collect());
        }
    }
    // Two characters that belong together, such as brackets.
    for (start, open) in chars.iter().enumerate() {
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '"' => '"',
            _ => continue,
        };
        let ends = chars.iter().enumerate().skip(start + 1).filter(|(_, c)| **c == close).map(|(end, _)| end);
        for end in ends.take(6) {
            let inner = &chars[start + 1..end];
            all.push(chars[..start].iter().chain(inner).chain(&chars[end + 1..]).collect());
        }
    }
    all.into_iter().map(Json::String).collect()
}

/// A simple value instead.
fn simplify(part: &Json) -> Vec<Json> {
    let simple = [json!(true), json!(""), json!("a"), json!("string"), json!({}), json!([]), json!({ "number": "1" })];
    let mut all: Vec<Json> = simple.into_iter().filter(|other| other != part).collect();
    // Words are shortened, consistently everywhere.
    if let Json::String(text) = part {
        let mut words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.chars().count() > 1).collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            all.extend(["a", "b", "1"].iter().map(|short| Json::String(text.replace(word, short))));
        }
    }
    all
}
