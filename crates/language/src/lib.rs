//! Languages on HCL 2: what files of a program mean beyond their syntax.
//!
//! | module | contents |
//! | --- | --- |
//! | [`definitions`] | names that files define, their values in the order of dependencies, and references to them |
//! | [`findings`] | lists of errors and warnings in which each mistake is once |
//! | [`schema`] | languages described as data: files, types, definitions; checks; Terraform, OpenTofu, Packer, Nomad and others |
//!
//! ```
//! use hcl_lr::{ConfigFile, parse};
//! use hcl_lr_language::schema::{Checker, Schema};
//!
//! let terraform = Schema::by_name("terraform").expect("a shipped language");
//! let file = parse::<ConfigFile>(("main.tf", "variable \"region\" {\n  typ = string\n}\n")).into_result()?;
//! let errors = Checker::new(&terraform).check(&file);
//! assert_eq!(errors.first().expect("an error").code().as_str(), "unsupported-argument");
//! # Ok::<(), hcl_lr::Diagnostics>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod definitions;
pub mod findings;
#[doc(hidden)]
pub mod internal;
pub mod schema;
