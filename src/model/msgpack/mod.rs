//! Values as MessagePack, in the encoding that the official ecosystem (cty) uses (feature `interchange`).
//!
//! Both directions need the type, as for [`json`](super::json). Unlike JSON, this encoding has unknown values with
//! their refinements.
//!
//! | type | MessagePack |
//! | --- | --- |
//! | string, bool | string, bool |
//! | number | integer of 64 bits; a fraction that a double holds exactly, and infinity: double; else decimal text |
//! | list, set, tuple | array |
//! | map, object | map with strings as keys, ordered |
//! | dynamic | array of the type as JSON (binary) and the value |
//! | any null | nil |
//! | any unknown | extension 0; refined: extension 12, a map of its refinements |
//!
//! Marked values cannot be encoded.
//!
//! ```
//! use hcl_lr::model::{msgpack, Type, Value};
//! let list = Value::list(Type::Number, [1, 200].map(Value::from))?;
//! let bytes = msgpack::encode(&list, &list.ty())?;
//! assert_eq!(bytes, [0x92, 0x01, 0xcc, 200]);
//! assert_eq!(msgpack::decode(&bytes, &list.ty())?, list);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
mod write;

pub use read::decode;
pub use write::encode;

use super::path::{Located, Path, PathStep};
use std::fmt;

/// The extension for an unknown value without refinements.
const UNKNOWN: i8 = 0;
/// The extension for an unknown value with a map of refinements.
const REFINED: i8 = 12;

/// The keys of that map.
mod known {
    pub const NULL: u64 = 1;
    pub const PREFIX: u64 = 2;
    pub const MIN: u64 = 3;
    pub const MAX: u64 = 4;
    pub const MIN_LENGTH: u64 = 5;
    pub const MAX_LENGTH: u64 = 6;
}

/// Why something cannot be read from or written as MessagePack.
///
/// ```
/// use hcl_lr::model::{msgpack, Type};
/// let error = msgpack::decode(&[0x91, 0xc3], &Type::list(Type::String)).unwrap_err();
/// assert_eq!(error.to_string(), "[0]: string required");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MsgpackError(pub(crate) Box<Located>);

impl MsgpackError {
    fn new(why: impl Into<String>) -> MsgpackError {
        MsgpackError(Located::new(Vec::new(), why))
    }

    /// Returns the error for the enclosing level.
    fn below(self, step: PathStep) -> MsgpackError {
        MsgpackError(self.0.below(vec![step]))
    }

    /// Returns the path of the wrong part of the value.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl fmt::Display for MsgpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for MsgpackError {}
