//! From bodies to Rust types.

mod access;
mod by_schema;
mod context;
mod deserializer;
mod diagnostics;
mod elements;
mod error;
mod impls;
mod input;
mod labels;
mod locate;
mod look;
mod narrow;
mod parts;
mod passed;
mod path;
mod reader;
mod refusals;
mod stand_in;
mod words;

use super::wrappers::{
    BLOCK, BLOCKS_FIELD, EXPRESSION, LABEL_FIELD, LABELED, LABELED_FIELDS, LABELS, LABELS_FIELD, NUMBER, TEMPLATE,
    TYPE, VALUE,
};

pub use diagnostics::DiagnosticsIn;
pub use reader::{Reader, UnknownFields, from_body, from_file, from_json_str, from_slice, from_str, from_value};
