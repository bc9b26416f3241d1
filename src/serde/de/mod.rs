//! From bodies to Rust types.

mod access;
mod by_schema;
mod context;
mod deserializer;
mod elements;
mod error;
mod impls;
mod input;
mod labels;
mod look;
mod messages;
mod parts;
mod pass;
mod path;
mod public;
mod reader;
mod refusals;
mod stand_in;
mod suspects;

use super::wrappers::{
    BLOCK, BLOCKS_FIELD, CONSTRAINT, EXPRESSION, LABEL_FIELD, LABELED, LABELED_FIELDS, LABELS, LABELS_FIELD, NUMBER,
    TEMPLATE, TYPE, VALUE,
};

pub use public::{Deserializer, ReadError};
pub use reader::{Reader, UnknownFields, from_body, from_file, from_json_str, from_slice, from_str, from_value};

/// The beginning of the bytes that are a number, where serde's data model has none that is large enough.
const NUMBER_PREFIX: &[u8] = b"$hcl_lr::number:";
