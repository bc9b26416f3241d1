//! Reads bodies and values into Rust types.
//!
//! 1. An [`Input`](input::Input) is what a type is read from: a body, blocks of one type, an expression, a property in
//!    JSON, a value, or a part of one of them. It knows its place.
//! 2. [`De`](deserializer::De) is the `serde::Deserializer` of an input. It looks at the shape of the input
//!    ([`look`]) and gives the type what it asks for; structures, maps and lists are given their parts as inputs
//!    ([`parts`], [`access`]).
//! 3. A type that wants something else gives an [`Error`](error::Error), which becomes a [message](messages) with the
//!    place and the path of the input.
//!
//! serde stops at the first error, and all errors are wanted. So a value whose type is known is read in [passes](pass): in
//! each of them the type is asked for a value, and each part of the input is read in one of them.
//!
//! For example, `struct Service { port: u16, id: Uuid, tags: Vec<String>, name: String }` is read from
//!
//! ```hcl
//! port = "x"
//! id   = 1
//! ```
//!
//! - The first pass reads `port`: an error. A zero [stands in](stand_in) for it, so that the type goes on. `id` is an error,
//!   too, and no number is a `Uuid`, but a text of zeros is one, and stands in for it. Then the type says that `tags` is
//!   missing.
//! - The second pass gives the stand-ins again, and offers `tags` though it is missing: a list is empty then, and that is
//!   remembered for the next `Service`. The type says that `name` is missing.
//! - The third pass offers `name`, too: a string cannot be missing, so that is the third error, and a text stands in for it.
//!   The type has got all that it wants.
//!
//! All three errors have been found, and the value with the stand-ins is thrown away. Had nothing been wrong but the
//! missing `tags`, the passes after the first would only have been a rehearsal, and the last one would read the parts.
//!
//! What serde buffers (`flatten`, untagged and internally tagged enums) it reads from a copy without this crate. Its error
//! has no place, and is the only one; [`suspects`] looks for the part of the input that it is about. How often types refuse
//! such a copy is the only thing that is counted for a thread, in [`refusals`], as no function of serde that is called
//! then knows anything of the reader.

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
