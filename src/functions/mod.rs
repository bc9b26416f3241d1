//! Ready-made functions for applications.
//!
//! [`standard`] has the functions of the official engine; [`terraform`], [`packer`] and [`nomad`] have those of these
//! programs. All are tables, to be used as they are or combined:
//!
//! ```
//! use hcl_lr::eval::Functions;
//! use hcl_lr::{Scope, functions};
//!
//! let file = hcl_lr::parse::<hcl_lr::File>("a = upper(try(b.c, \"none\"))\n").into_result()?;
//! let scope = Scope::new().with_functions(functions::standard());
//! let value = file.body().attribute("a").expect("it is there").expression().evaluate(&scope);
//! assert_eq!(value?.as_str(), Some("NONE"));
//!
//! let upper = functions::standard().get("upper").expect("it is there").clone();
//! let own = Functions::default().with("shout", upper).with_namespace("own", &functions::terraform());
//! assert!(own.get("shout").is_some() && own.get("own::startswith").is_some());
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```
//!
//! The documentation of each function, with examples, is in its [`FunctionEntry`]. Functions that read files or the
//! time use a [`Host`]; without one an evaluation is pure.
//!
//! Some functions need a feature of this package: `regex`, `yaml`, `hashes`, `compression` or
//! `charsets`; `functions` is all of them.

mod engine;
pub use engine::base64;
mod entry;
mod host;
mod library;
mod sets;

pub use entry::{FunctionEntry, FunctionExample};
pub use host::{Host, with_host};
pub use sets::{FunctionSet, host_entries};

use crate::eval::Functions;

/// The library of the official engine.
pub fn standard() -> Functions {
    FunctionSet::Standard.functions()
}

/// Returns the functions of the official engine, and those of Terraform and OpenTofu with other names.
pub fn extended() -> Functions {
    FunctionSet::Extended.functions()
}

/// Returns the functions of Terraform and OpenTofu, as they define them.
pub fn terraform() -> Functions {
    FunctionSet::Terraform.functions()
}

/// The functions of Packer.
pub fn packer() -> Functions {
    FunctionSet::Packer.functions()
}

/// The functions of Nomad for job files.
pub fn nomad() -> Functions {
    FunctionSet::Nomad.functions()
}

/// Returns the entry of a function of the extended set.
pub fn entry(name: &str) -> Option<&'static FunctionEntry> {
    FunctionSet::Extended.entry(name)
}
