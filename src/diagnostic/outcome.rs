//! What an operation gives that goes on after errors.

use super::Diagnostics;

/// What an operation gives: always a value, and what is wrong with it.
///
/// ```
/// use hcl_lr::diagnostic::{Diagnostics, Outcome};
///
/// let outcome = Outcome { value: 1, diagnostics: Diagnostics::none() };
/// assert_eq!(outcome.into_result().unwrap(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// The value. Where something failed, it holds what there is nevertheless: of a value that is
    /// evaluated, the part that failed is unknown.
    pub value: T,
    /// What is wrong, in source order.
    pub diagnostics: Diagnostics,
}

impl<T> Outcome<T> {
    /// The value, if there is no error.
    ///
    /// # Errors
    /// All diagnostics, if one of them is an error.
    pub fn into_result(self) -> Result<T, Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(self.value) }
    }

    /// The value, when its diagnostics have been added to others.
    pub(crate) fn report_to(self, diagnostics: &mut Diagnostics) -> T {
        diagnostics.append(self.diagnostics);
        self.value
    }

    /// The same diagnostics with another value.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { value: map(self.value), diagnostics: self.diagnostics }
    }
}
