//! Diagnostics: errors and warnings with their exact place and advice for fixing them.
//!
//! A [`Diagnostic`] has all it takes to be shown: what is wrong, the [`Place`](crate::source::Place)
//! of it, [`Label`]s at other places (also in other sources), advice, and [`Suggestion`]s: edits that
//! would mend it. [`Diagnostics`] is a list of them, of one source or of many. They can be shown to
//! people ([`Diagnostics::render`]), one a line ([`Diagnostics::short`]) or as JSON
//! ([`Diagnostics::to_json`]). What comes with diagnostics is an [`Outcome`].

mod code;
mod excerpt;
pub(crate) mod finding;
mod fix;
pub(crate) mod json;
mod list;
mod one;
mod outcome;
mod render;
mod severity;
mod suggestion;

pub use code::Code;
pub(crate) use finding::{Finding, in_source};
pub use fix::{Fixed, fix, fixable};
pub use json::Json;
pub(crate) use json::PlainJson;
pub use json::without_controls;
pub use list::Diagnostics;
pub use one::{Diagnostic, Label};
pub use outcome::Outcome;
pub use severity::Severity;
pub use suggestion::{Applicability, Edit, Suggestion};

/// A number of things, in words: `1 file`, `2 files`.
///
/// ```
/// let counts = [0, 1, 2].map(|number| hcl_lr::diagnostic::count(number, "file"));
/// assert_eq!(counts, ["0 files", "1 file", "2 files"]);
/// ```
pub fn count(number: usize, thing: &str) -> String {
    let ending = match number {
        1 => "",
        _ if thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {thing}{ending}")
}
