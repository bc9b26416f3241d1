//! Values and types as JSON, in the encoding that the official ecosystem (cty) uses.
//!
//! JSON distinguishes fewer types (a list, a set and a tuple look alike), so both directions need the type. A part
//! whose type is dynamic is wrapped as `{"value": …, "type": …}`. Plain JSON without a known type has an implied one:
//! objects, tuples, and dynamic nulls.
//!
//! | type | JSON |
//! | --- | --- |
//! | string, bool | string, `true` and `false` |
//! | number | number, all digits, no exponent |
//! | list, set, tuple | array |
//! | map, object | object |
//! | any null | `null` |
//!
//! Unknown and marked values and infinities cannot be encoded. Numbers are read exactly, which is why this module has
//! its own reader; it does not record positions.
//!
//! ```
//! use hcl_lr::model::{json, Type, Value};
//! let ty = Type::list(Type::Number);
//! let list = json::decode("[1, 2.50]", &ty)?;
//! assert_eq!(json::encode(&list, &ty)?, "[1,2.5]");
//! assert_eq!(json::decode_implied("[1, 2.50]")?.to_string(), "[1, 2.5]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod read;
#[cfg(feature = "interchange")]
mod serde_value;
mod text;
mod types;
mod values;

pub(crate) use text::{write_string, write_string_with};
pub use types::{decode_type, encode_type};
pub use values::{decode, decode_implied, encode, encode_implied, implied_type};

use super::path::{Located, Path, PathStep};
use std::fmt;

/// Why something cannot be read from or written as JSON.
///
/// ```
/// use hcl_lr::model::{json, Type};
/// let error = json::decode("[1, []]", &Type::list(Type::Number)).unwrap_err();
/// assert_eq!(error.to_string(), "[1]: a number is required, not an array");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError(pub(crate) Box<Located>);

impl JsonError {
    pub(super) fn new(why: impl Into<String>) -> JsonError {
        JsonError(Located::new(Vec::new(), why))
    }

    /// Returns the error for the enclosing level.
    pub(super) fn below(self, step: PathStep) -> JsonError {
        JsonError(self.0.below(vec![step]))
    }

    /// Returns the path of the wrong part of the value; empty if the text is not JSON.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for JsonError {}
