//! The engine of hcl-lr for JavaScript, as WebAssembly. The npm package `hcl-lr` consists of this package and of the
//! modules in `npm/`, which give its functions their names, options and errors.
//!
//! Texts cross the border as they are, everything else as JSON. So the border has no types of its own, costs little,
//! and a value of JavaScript is made by the JSON parser of its engine, which is the fastest way there is.
//!
//! | module | contents |
//! | --- | --- |
//! | `failure`, `places`, `json` | errors with diagnostics, places in units of UTF-16, writing JSON |
//! | `tree`, `tokens`, `values` | syntax trees, tokens and values as JSON |
//! | `convert`, `document`, `constant` | formatting and conversion, edits of a file, values that are written out |
//! | `files`, `check`, `evaluate`, `query`, `schema`, `difference`, `server` | with the feature `full`: projects in memory, and the language server |
//! | `derivation` | with the feature of this name: derivations by the grammars, for the playground |
//!
//! The macros of wasm-bindgen write `unsafe` code for the border, so this package cannot forbid it; it has none of its own.
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod constant;
mod convert;
mod document;
mod failure;
mod json;
mod options;
mod places;
mod tokens;
mod tree;

#[cfg(feature = "full")]
mod check;
#[cfg(feature = "derivation")]
mod derivation;
#[cfg(feature = "full")]
mod difference;
#[cfg(feature = "full")]
mod evaluate;
#[cfg(feature = "full")]
mod files;
#[cfg(feature = "full")]
mod query;
#[cfg(feature = "full")]
mod schema;
#[cfg(feature = "full")]
mod server;
#[cfg(feature = "full")]
mod values;

pub use convert::{format, from_json, hcl2json, to_json};
pub use document::{address_of, comment, find, insert, move_item, remove, rename, set, to_hcl};
pub use failure::Failure;
pub use tokens::tokens;
pub use tree::{parse, parse_expression, parse_template};

#[cfg(feature = "full")]
pub use {
    check::check,
    difference::difference,
    evaluate::evaluate,
    query::query,
    schema::{schema_docs, schema_json, schema_names, schema_types},
    server::LanguageServer,
};

#[cfg(feature = "derivation")]
pub use derivation::derivation;

use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
