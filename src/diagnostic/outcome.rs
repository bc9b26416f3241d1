//! The result of an operation that continues after errors.

use super::{Diagnostic, Diagnostics, Severity};

/// The result of an operation that continues after errors, such as a parse: a value, and the diagnostics.
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
/// | task | method |
/// | --- | --- |
/// | get the value if there are no errors | [`into_result`](Outcome::into_result) |
/// | the same, with the warnings | [`into_result_with_warnings`](Outcome::into_result_with_warnings) |
/// | collect the problems of several operations | [`report_to`](Outcome::report_to) |
/// | get the partial value despite errors | [`value`](Outcome::value), [`into_parts`](Outcome::into_parts) |
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

    /// Returns the value. After errors it is partial: a parsed file has everything that could be read, and failed parts
    /// of an evaluated value are unknown.
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

    /// Returns true if any of the diagnostics is an error.
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

    /// Returns the value, if there are no errors. This drops warnings: read them with [`warnings`](Outcome::warnings)
    /// before, or use [`into_result_with_warnings`](Outcome::into_result_with_warnings) or
    /// [`report_to`](Outcome::report_to), which keep them.
    ///
    /// # Errors
    /// All diagnostics, warnings too, if one of them is an error.
    pub fn into_result(self) -> Result<T, Diagnostics> {
        self.into_result_with_warnings().map(|(value, _)| value)
    }

    /// Returns the value with its warnings, if there are no errors.
    ///
    /// # Errors
    /// All diagnostics, warnings too, if one of them is an error.
    pub fn into_result_with_warnings(self) -> Result<(T, Diagnostics), Diagnostics> {
        if self.has_errors() { Err(self.diagnostics) } else { Ok((self.value, self.diagnostics)) }
    }

    /// Adds the diagnostics, including warnings, to a list. Returns the value, if there are no errors.
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
