//! HCL Schema: languages described as data.
//!
//! A schema is a file in HCL that describes a language: which files belong to it, which attributes and blocks they have,
//! the types and meanings of these, what defines names and what refers to them. `docs/schema.md` is the specification.
//!
//! ```
//! use hcl_lr::schema::{Checker, Schema};
//! use hcl_lr::{ConfigFile, parse};
//!
//! let text = r#"
//! language "service" {
//!   files "service" {
//!     patterns = ["*.service.hcl"]
//!     body     = service
//!   }
//! }
//! part "service" {
//!   attribute "port" {
//!     type        = required(integer(1, 65535))
//!     description = "The port that the service listens on."
//!   }
//! }
//! "#;
//! let schema = parse::<Schema>(("service.schema.hcl", text)).into_result()?;
//! let file = parse::<ConfigFile>(("web.service.hcl", "port = \"http\"\n")).into_result()?;
//! let found = Checker::new(&schema).check(&file);
//! assert_eq!(found.first().expect("a finding").code().as_str(), "invalid-argument-value");
//! # Ok::<(), hcl_lr::Diagnostics>(())
//! ```
//!
//! | module or type | contents |
//! | --- | --- |
//! | [`model`] | the data: [`Schema`], [`Body`], [`Attribute`], [`Block`], [`Type`] |
//! | [`parse`](crate::parse) | reads a schema file, and reports what is wrong with it |
//! | [`Schema::by_name`], [`Schema::for_file`] | the languages that come with the library |
//! | [`Index`] | a schema prepared for lookups |
//! | [`Checker`] | checks files by a schema |

mod check;
mod export;
mod hcldec;
mod index;
mod languages;
pub mod model;
mod produce;
mod read;

pub use check::{Catalog, Checker, Found};
pub use export::anchor;
pub use hcldec::HcldecSchema;
pub use index::{Index, Layers};
pub use languages::LANGUAGES;
pub use model::{Attribute, Block, Body, Files, Label, Schema, Type};
pub use read::{Loader, NoFiles};
