//! Derivations by the productions of the specification.

use hcl_lr::Source;
use hcl_lr_grammar_kit::{Language, Syntax, derive, grammars};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::Answer;

/// Returns the derivation of a file, with a line for each production and token.
#[wasm_bindgen]
pub fn derivation(name: &str, text: &str) -> Answer {
    let language = match name.ends_with(".json") {
        true => Language::Json,
        false => Language::Native(Syntax::Config),
    };
    let derivation = derive(&grammars()?, &Source::new(name, text), language)?;
    match derivation.error {
        None => Ok(derivation.text),
        Some(stop) => {
            let expected = stop.expected.join(", ");
            Err(format!(
                "{name}:{}:{}: the productions do not allow {} here; expected: {expected}",
                stop.line, stop.column, stop.found
            )
            .into())
        }
    }
}
