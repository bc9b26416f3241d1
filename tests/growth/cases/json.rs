//! JSON documents, and texts that are none.

use hcl_lr::json::Document;
use hcl_lr::parse;
use hcl_lr::source::Source;

use super::Case;
use crate::inputs;

fn read(size: usize, name: String, text: impl Fn(usize) -> String + 'static) -> Case {
    Case::new(format!("{name:?}"), size, move |size| {
        let source = Source::new("x.json", text(size));
        move || drop(parse::<Document>(source))
    })
}

pub fn documents() -> Vec<Case> {
    let text = |[open, first, piece, close]: [&str; 4], size| {
        let closed = if open.is_empty() { 1 } else { size };
        format!("{}{first}{}{}", open.repeat(size), piece.repeat(size), close.repeat(closed))
    };
    inputs::rows("JSON documents").map(|parts| read(4_000, text(parts, 1), move |size| text(parts, size))).collect()
}

pub fn mistakes() -> Vec<Case> {
    let mut cases = Vec::new();
    for before in ["", "{\"a\": 1, ", "[1, ", "{\"a\": \""] {
        for piece in inputs::texts("JSON mistakes") {
            cases.push(read(4_000, format!("{before}{piece}"), move |size| format!("{before}{}", piece.repeat(size))));
        }
    }
    cases
}
