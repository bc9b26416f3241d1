//! Reads bodies and values into Rust types.
//!
//! 1. An [`Input`](input::Input) is what a type is read from: a body, blocks of one type, an expression, a property in
//!    JSON, a value, or a part of one of them. It knows its place.
//! 2. [`De`](pass::De) is the [`serde::Deserializer`](deserializer) of an input. It looks at the [shape] of the input
//!    ([`look`]) and gives the type what it asks for; structures, maps and lists are given their [`parts`] as inputs
//!    ([`members`], [`named`], [`access`]).
//! 3. A type that wants something else gives an [`Error`](error::Error), which becomes a [message](messages) with the
//!    place and the path of the input.
//!
//! serde stops at the first error, and all errors are wanted. So a structure whose type is known is read in
//! [passes](read): in each of them the type is asked for a value, and each part of the input is read in one of them.
//!
//! For example, `struct Service { port: u16, id: Uuid, tags: Vec<String>, name: String }` is read from
//!
//! ```hcl
//! port = "x"
//! id   = 1
//! ```
//!
//! - The first pass reads `port`: an error. A one [stands in](stand_in) for it, so that the type goes on. `id` is an error,
//!   too, and no short text is a `Uuid`, so nothing stands in for it.
//! - The second pass gives a stand-in for `port` and leaves out `id`. The type says that `id` is missing. That is no news,
//!   and the end.
//! - If `id` is right, the type says that `tags` is missing. The next pass gives stand-ins for all, and offers `tags`,
//!   though it is missing: a list is empty then, and the [context](context::Context) remembers that for the next `Service`.
//!   The type says that `name` is missing, and in one more pass that is an error: a string cannot be missing.
//!
//! The value with the stand-ins is thrown away. Had nothing been wrong, the passes after the first would have been a
//! rehearsal, and one more would read the parts.
//!
//! Parts that serde buffers (`flatten`, untagged and internally tagged enums) are read from a copy without this crate:
//! once, and up to the first error, which has no place. It is reported at the whole, and [`hidden`] names the parts that may be
//! meant. Nothing is known of the time that serde takes, so such an input may not nest deep.

mod access;
mod by_schema;
mod contents;
mod context;
mod deserializer;
mod element;
mod elements;
mod error;
mod hidden;
mod impls;
mod input;
mod labels;
mod lender;
mod look;
mod members;
mod messages;
mod named;
mod option;
mod options;
mod parts;
mod pass;
mod path;
mod read;
mod reader;
mod shape;
mod stand_in;
mod standard;
mod words;

use super::wrappers::{
    BLOCK, BLOCKS, BLOCKS_FIELD, CONSTRAINT, EXPRESSION, LABEL_FIELD, LABELED_FIELDS, LABELS, LABELS_FIELD, NUMBER,
    TEMPLATE, TYPE, VALUE,
};

pub use options::UnknownFields;
pub use reader::{Reader, from_body, from_file, from_json_str, from_slice, from_str, from_value};
pub use standard::{Deserializer, ReadError};

/// The beginning of the bytes that are a number, where serde's data model has none that is large enough.
const NUMBER_PREFIX: &[u8] = b"$hcl_lr::number:";

/// Returns true for the fields that have the labels of a block.
fn is_labels_field(field: &str) -> bool {
    field == LABEL_FIELD || field == LABELS_FIELD
}
