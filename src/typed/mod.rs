//! From files to Rust types and back, with [serde](https://serde.rs) (behind the feature `serde`).
//!
//! Types that derive `Serialize` and `Deserialize` need nothing else. This module has types for concepts that only HCL
//! has: [`BlockOf`] writes a structure as a block instead of an object, [`Labeled`] and [`Labels`] are the labels of a
//! block.

mod de;
mod diagnostics;
mod equality;
mod handover;
#[cfg(feature = "miette")]
mod miette;
#[allow(missing_debug_implementations, reason = "the parts of an implementation of serde's traits")]
mod ser;
mod type_expression;
mod with;
mod wrappers;

pub use crate::body::Template;
pub use de::{
    Deserializer, ReadError, Reader, UnknownFields, from_body, from_file, from_json_str, from_slice, from_str,
    from_value,
};
pub use diagnostics::DiagnosticsIn;
pub use ser::{Serializer, WriteError, Writer, to_body, to_expression, to_file, to_string, to_value};
pub use type_expression::TypeExpression;
pub use with::{block, blocks, blocks_by_label};
pub use wrappers::{BlockLabels, BlockOf, Labeled, Labels};

/// The traits in the bounds that the macro [`hcl`](crate::hcl) generates.
#[doc(hidden)]
pub mod bound {
    pub use ::serde::{Deserialize, Serialize};
}
