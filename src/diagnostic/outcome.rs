//! The result of an operation that continues after errors.

use super::{Diagnostic, Diagnostics, Severity};

/// The result of a parse, and of any other operation that continues after errors: always a value, and what is
/// wrong with it.
///
/// ```
/// let outcome = hcl_lr::parse::<hcl_lr::File>("port = 80\nhost = = \"a\"\n");
/// assert!(outcome.has_errors());
/// assert_eq!(outcome.value().body().attributes().count(), 2);
/// eprintln!("{}", outcome.diagnostics());
///
/// // Or, for all who want a value only if there are no errors:
/// let file = hcl_lr::parse::<hcl_lr::File>("port = 80\n").into_result()?;
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
///
/// | wanted | |
/// | --- | --- |
/// | the value if it has no errors, else why not | [`into_result`](Outcome::into_result) |
/// | the same, with the warnings | [`into_result_with_warnings`](Outcome::into_result_with_warnings) |
/// | all problems of several operations in one list | [`report_to`](Outcome::report_to) |
/// | the value as far as there is one, whatever is wrong | [`value`](Outcome::value), [`into_parts`](Outcome::into_parts) |
#[derive(Clone, Debug, Default)]
#[must_use = "it may hold errors; ask for them, or call `into_result`"]
pub struct Outcome<T> {
    value: T,
    diagnostics: Diagnostics,
}

impl<T> Outcome<T> {
    /// A value, and its errors.
    pub fn new(value: T, diagnostics: Diagnostics) -> Self {
        Outcome { value, diagnostics }
    }

    /// The value. Where something failed, it holds what there is nevertheless: of a file that is parsed
    /// what could be understood; of a value that is evaluated, the part that failed is unknown.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the errors and warnings in source order.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Only the warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Warning)
    }

    /// Returns true if there is an error among the diagnostics.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// The value and the diagnostics.
    pub fn into_parts(self) -> (T, Diagnostics) {
        (self.value, self.diagnostics)
    }

    /// The value, whatever is wrong with it.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The value, if there is no error. Warnings are then dropped: look at
    /// [`warnings`](Outcome::warnings) before, or use
    /// [`into_result_with_warnings`](Outcome::into_result_with_warnings) or
    /// [`report_to`](Outcome::report_to), which keep them.
    ///
    /// # Errors
    /// All diagnostics, warnings too, if one of them is an error.
    pub fn into_result(self) -> Result<T, Diagnostics> {
        self.into_result_with_warnings().map(|(value, _)| value)
    }

    /// The value with its warnings, if there is no error.
    ///
    /// # Errors
    /// All diagnostics, warnings too, if one of them is an error.
    pub fn into_result_with_warnings(self) -> Result<(T, Diagnostics), Diagnostics> {
        if self.has_errors() { Err(self.diagnostics) } else { Ok((self.value, self.diagnostics)) }
    }

    /// Adds the diagnostics to a list, warnings too. The value, if there is no error.
    ///
    /// ```
    /// use hcl_lr::diagnostic::Diagnostics;
    ///
    /// let mut problems = Diagnostics::new();
    /// let texts = [("a.hcl", "a = 1\n"), ("b.hcl", "b = \n"), ("c.hcl", "c = 'd'\n")];
    /// let bodies = texts.map(|text| hcl_lr::parse::<hcl_lr::Body>(text).report_to(&mut problems));
    /// assert_eq!(bodies.iter().flatten().count(), 1);
    /// assert_eq!(problems.len(), 2);
    /// ```
    pub fn report_to(self, diagnostics: &mut Diagnostics) -> Option<T> {
        let failed = self.has_errors();
        let value = self.into_value_reporting_to(diagnostics);
        (!failed).then_some(value)
    }

    /// Adds the diagnostics to a list. The value, whatever is wrong with it.
    pub fn into_value_reporting_to(self, diagnostics: &mut Diagnostics) -> T {
        diagnostics.append(self.diagnostics);
        self.value
    }

    /// The same diagnostics with another value.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { value: map(self.value), diagnostics: self.diagnostics }
    }
}

/// A value with which nothing is wrong.
impl<T> From<T> for Outcome<T> {
    fn from(value: T) -> Self {
        Outcome { value, diagnostics: Diagnostics::new() }
    }
}
