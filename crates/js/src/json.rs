//! Writing and reading JSON.

use std::fmt::Write as _;

use hcl_lr::Value;
use hcl_lr::internal::PlainJson;
use hcl_lr::model::json;

use crate::failure::Failure;

/// Appends a text as a JSON string.
pub fn string(text: &str, out: &mut String) {
    // Most texts need no escape, and a tree consists of them: copying these makes parsing a fifth faster.
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // Writing to memory does not fail.
        let _ = write!(out, "{}", PlainJson(text));
    }
}

/// Appends the name of a property, after a comma unless it is the first one of its object.
pub fn name(name: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    string(name, out);
    out.push(':');
}

/// Appends a property whose value is a text.
pub fn text(property: &str, value: &str, out: &mut String) {
    name(property, out);
    string(value, out);
}

/// Appends a property with a number or a word.
pub fn plain(property: &str, value: impl std::fmt::Display, out: &mut String) {
    name(property, out);
    let _ = write!(out, "{value}");
}

/// Appends a list.
pub fn list<T>(items: impl IntoIterator<Item = T>, out: &mut String, mut item: impl FnMut(T, &mut String)) {
    out.push('[');
    for (number, part) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        item(part, out);
    }
    out.push(']');
}

/// Reads a value.
///
/// # Errors
/// The text is no JSON.
pub fn read(text: &str) -> Result<Value, Failure> {
    json::decode_implied(text).map_err(|error| format!("the value is no JSON: {error}").into())
}
