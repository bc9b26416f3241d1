//! Diagnostics: errors and warnings with their exact place and advice for fixing them.
//!
//! A [`Diagnostic`] is self-contained: it has a message, its [`Place`](crate::source::Place), [`Label`]s at other
//! places (also in other sources), advice, and [`Suggestion`]s: edits that would fix the problem. [`Diagnostics`] is a
//! list of them, of one or several sources. They can be shown with source lines ([`Diagnostics::render`]), one per line
//! ([`Diagnostics::short`]) or as JSON ([`Diagnostics::to_json`]). An [`Outcome`] is a value with its diagnostics.

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

/// Returns a count in words: `1 file`, `2 files`.
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
