//! Functions for applications to offer.
//!
//! | module | functions |
//! | --- | --- |
//! | `attempt` | `can`, `try` |
//! | `collections` | `concat`, `length` |
//! | `numbers` | `negate` |
//! | `strings` | `lower`, `upper` |
//! | `types` | `convert` |
//!
//! ```
//! use hcl_lr::{Scope, functions};
//!
//! let file = hcl_lr::parse("a = upper(try(b.c, \"none\"))\n").into_result()?;
//! let scope = Scope::new().with_functions(functions::standard());
//! let value = file.body().attribute("a").expect("it is there").expression().evaluate(&scope);
//! assert_eq!(value?.as_str(), Some("NONE"));
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

mod attempt;
mod collections;
mod numbers;
mod strings;
mod types;

use std::sync::OnceLock;

use crate::eval::Functions;

/// All functions.
///
/// ```
/// assert!(hcl_lr::functions::standard().get("upper").is_some());
/// ```
pub fn standard() -> Functions {
    static ALL: OnceLock<Functions> = OnceLock::new();
    let families = || attempt::all().into_iter().chain(collections::all()).chain(numbers::all()).chain(strings::all());
    ALL.get_or_init(|| families().chain(types::all()).collect()).clone()
}
