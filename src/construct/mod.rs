//! Builds new text: files, blocks, attributes, expressions and templates.
//!
//! The result is text in canonical form (see [`format`](mod@crate::format)). Strings are escaped, so that they mean the
//! given text: `${` in a Rust string is no template. Items that cannot be written are errors, which name them: a name
//! that is no identifier, a value that is unknown or marked.
//!
//! ```
//! use hcl_lr::construct::{NewBlock, NewBody, NewExpression};
//!
//! let text = NewBody::new()
//!     .attribute("region", "eu-west-1")
//!     .attribute("zones", ["a", "b"])
//!     .block(
//!         NewBlock::new("service")
//!             .label("web")
//!             .comment("Public.")
//!             .attribute("port", 8080)
//!             .attribute("motd", NewExpression::heredoc("Hello,\nworld\n"))
//!             .attribute("name", NewExpression::parse("upper(var.name)")?),
//!     )
//!     .text()?;
//! assert_eq!(text, "\
//! region = \"eu-west-1\"
//! zones  = [\"a\", \"b\"]
//!
//! service \"web\" {
//!   ## Public.
//!   port = 8080
//!   motd = <<EOT
//! Hello,
//! world
//! EOT
//!   name = upper(var.name)
//! }
//! ");
//! # Ok::<(), hcl_lr::construct::BuildError>(())
//! ```
//!
//! | to build | from |
//! | --- | --- |
//! | a file, or the body of a block | [`NewBody`] |
//! | a block | [`NewBlock`] |
//! | an expression | [`NewExpression`]: from any value, from HCL text, or from its parts |
//! | a `for` expression | [`NewFor`] |
//! | a template | [`NewTemplate`] |
//!
//! Nodes that were read, in either syntax, convert to each of these with `From`.
//!
//! The package `hcl-lr-edit` inserts the same types into existing files.

pub(crate) mod body;
mod canonical;
mod each;
mod error;
mod expression;
#[cfg(not(feature = "eval"))]
mod literal;
mod template;

pub use crate::writer::key;
pub use body::{NewBlock, NewBody};
pub use each::NewFor;
pub use error::BuildError;
pub use expression::NewExpression;
pub use template::NewTemplate;

#[cfg(feature = "eval")]
use crate::model::{Lines, Value};
#[cfg(feature = "eval")]
use crate::writer::{Layout, Shape};

/// Writes a value in the notation of files.
#[cfg(feature = "eval")]
pub(crate) fn write_value(value: &Value, heredocs: bool, out: &mut Layout) -> Result<Shape, BuildError> {
    value.lay_out(Lines::File { heredocs }, out).map_err(|error| BuildError::Value(error.path, error.why))
}
