//! Functions for applications to offer.
//!
//! | module | functions |
//! | --- | --- |
//! | `attempt` | `can`, `try` |
//! | `choice` | `coalesce` |
//! | `collections` | `concat`, `hasindex`, `length` |
//! | `encoding` | `jsondecode`, `jsonencode` |
//! | `numbers` | `abs`, `int`, `max`, `min`, `negate` |
//! | `strings` | `lower`, `strlen`, `strrev`, `substr`, `upper` |
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
mod choice;
mod collections;
mod encoding;
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
    ALL.get_or_init(|| {
        let families = attempt::all().into_iter().chain(choice::all()).chain(collections::all());
        families.chain(encoding::all()).chain(numbers::all()).chain(strings::all()).chain(types::all()).collect()
    })
    .clone()
}
