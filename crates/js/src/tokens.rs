//! Tokens as JSON.

use hcl_lr::Source;
use hcl_lr::syntax::File;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::Answer;
use crate::json;
use crate::places::Places;

/// Returns the tokens of a text in native syntax: a list of objects with `kind`, `range` and `text`.
#[wasm_bindgen]
pub fn tokens(text: &str) -> Answer {
    let file = hcl_lr::parse::<File>(Source::new("", text)).into_value();
    let places = Places::new(file.source());
    let mut out = String::new();
    json::list(file.tokens().iter(), &mut out, |token, out| {
        out.push('{');
        json::text("kind", &format!("{:?}", token.kind()), out);
        json::name("range", out);
        places.pair(token.span(), out);
        json::text("text", token.text(), out);
        out.push('}');
    });
    Ok(out)
}
