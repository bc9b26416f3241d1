//! Differences of two files by structure.

use hcl_lr::Source;
use hcl_lr::syntax::File;
use hcl_lr_edit::diff::{ChangedPart, compare};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::Answer;
use crate::json;
use crate::places::AllPlaces;

/// Returns the changes between two files in native syntax as JSON: a list of objects with `kind`, `address`, `before` and
/// `after`, which have `address`, `range` and `text`.
#[wasm_bindgen]
pub fn difference(before: &str, after: &str) -> Answer {
    let before: File = hcl_lr::parse(Source::new("before", before)).into_result()?;
    let after: File = hcl_lr::parse(Source::new("after", after)).into_result()?;
    let mut places = AllPlaces::default();
    let mut out = String::new();
    json::list(compare(&before, &after), &mut out, |change, out| {
        out.push('{');
        json::text("kind", &change.kind().to_string(), out);
        json::text("address", &change.address().to_string(), out);
        for (name, part) in [("before", change.before()), ("after", change.after())] {
            if let Some(part) = part {
                json::name(name, out);
                one(part, &mut places, out);
            }
        }
        out.push('}');
    });
    Ok(out)
}

fn one(part: &ChangedPart, places: &mut AllPlaces, out: &mut String) {
    out.push('{');
    json::text("address", &part.address().to_string(), out);
    json::name("range", out);
    places.of(part.place().source()).range(part.place().span(), out);
    json::text("text", part.text(), out);
    out.push('}');
}
