//! Replaces spans of a text.

use std::borrow::Cow;
use std::fmt;

use super::Span;

/// A text that replaces a [`Span`]. An empty span inserts; an empty text removes.
///
/// ```
/// use hcl_lr::source::{Replacement, Span};
///
/// let edits = [Replacement::new(Span::new(0, 3), "port"), Replacement::insertion(6, "80")];
/// assert_eq!(Replacement::apply(&edits, "prt = 80\n")?, "port = 8080\n");
/// # Ok::<(), hcl_lr::source::ReplacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replacement {
    span: Span,
    text: Cow<'static, str>,
}

impl Replacement {
    /// Puts a text in place of a span.
    pub fn new(span: Span, text: impl Into<Cow<'static, str>>) -> Self {
        Replacement { span, text: text.into() }
    }

    /// Puts a text before the byte at an offset.
    pub fn insertion(at: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Replacement::new(Span::from(at..at), text)
    }

    /// Removes what is in a span.
    pub fn removal(span: Span) -> Self {
        Replacement::new(span, "")
    }

    /// Returns the span that is replaced.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the new text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns a text with replacements applied. Their spans are those of the original text. They must be in order and
    /// must not overlap; several insertions at one place keep their order. The time is linear in the length of the text
    /// and the number of replacements.
    ///
    /// # Errors
    /// The error has the first replacement that overlaps or precedes the one before it, is outside the text, or begins
    /// or ends within a character.
    pub fn apply(replacements: &[Replacement], text: &str) -> Result<String, ReplacementError> {
        check(replacements, text.len(), |at| text.is_char_boundary(at))?;
        let mut result = String::with_capacity(length_after(replacements, text.len()));
        let mut done = 0;
        for Replacement { span, text: replacement } in replacements {
            result.push_str(&text[done..span.start()]);
            result.push_str(replacement);
            done = span.end();
        }
        result.push_str(&text[done..]);
        Ok(result)
    }

    /// Applies replacements to the bytes of a file, which may not be UTF-8.
    ///
    /// ```
    /// use hcl_lr::source::{Replacement, Span};
    ///
    /// let edits = [Replacement::removal(Span::new(1, 2))];
    /// assert_eq!(Replacement::apply_to_bytes(&edits, b"a;\xff")?, b"a\xff");
    /// # Ok::<(), hcl_lr::source::ReplacementError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`apply`](Self::apply), except that character boundaries are not checked.
    pub fn apply_to_bytes(replacements: &[Replacement], bytes: &[u8]) -> Result<Vec<u8>, ReplacementError> {
        check(replacements, bytes.len(), |_| true)?;
        let mut result = Vec::with_capacity(length_after(replacements, bytes.len()));
        let mut done = 0;
        for Replacement { span, text } in replacements {
            result.extend(&bytes[done..span.start()]);
            result.extend(text.as_bytes());
            done = span.end();
        }
        result.extend(&bytes[done..]);
        Ok(result)
    }
}

/// Returns the approximate length of a text after replacements.
fn length_after(replacements: &[Replacement], length: usize) -> usize {
    replacements.iter().fold(length, |sum, replacement| sum.saturating_add(replacement.text.len()))
}

/// Checks that replacements can be applied to a text of a length.
fn check(
    replacements: &[Replacement],
    length: usize,
    is_boundary: impl Fn(usize) -> bool,
) -> Result<(), ReplacementError> {
    let mut done = 0;
    for (index, Replacement { span, .. }) in replacements.iter().enumerate() {
        let (start, end) = (span.start(), span.end());
        let problem = if start > end || end > length {
            Problem::OutOfRange
        } else if start < done {
            Problem::Overlap
        } else if !is_boundary(start) || !is_boundary(end) {
            Problem::WithinCharacter
        } else {
            done = end;
            continue;
        };
        return Err(ReplacementError { index, problem });
    }
    Ok(())
}

/// Why replacements cannot be made: see [`Replacement::apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplacementError {
    index: usize,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    OutOfRange,
    Overlap,
    WithinCharacter,
}

impl ReplacementError {
    /// Returns the index of the wrong replacement, from 0.
    pub fn index(&self) -> usize {
        self.index
    }
}

impl fmt::Display for ReplacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            Problem::OutOfRange => "is outside the text",
            Problem::Overlap => "overlaps the one before it, or should come before it",
            Problem::WithinCharacter => "begins or ends within a character",
        };
        write!(f, "replacement {} {problem}", self.index)
    }
}

impl std::error::Error for ReplacementError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: usize, end: usize, text: &'static str) -> Replacement {
        Replacement::new(Span::new(start, end), text)
    }

    fn error(replacements: &[Replacement], text: &str) -> (usize, Problem) {
        let error = Replacement::apply(replacements, text).expect_err("an error");
        (error.index, error.problem)
    }

    #[test]
    fn replacements_are_made_in_order() {
        let all = [at(0, 0, "<"), at(0, 1, "A"), at(1, 1, "-"), at(1, 1, "+"), at(3, 4, ""), at(4, 4, ">")];
        assert_eq!(Replacement::apply(&all, "abcd").as_deref(), Ok("<A-+bc>"));
        assert_eq!(Replacement::apply(&[], "é").as_deref(), Ok("é"));
    }

    #[test]
    fn what_cannot_be_applied_is_an_error() {
        assert_eq!(error(&[at(0, 2, ""), at(1, 3, "")], "abcd"), (1, Problem::Overlap));
        assert_eq!(error(&[at(0, 3, ""), at(1, 1, "x")], "abcd"), (1, Problem::Overlap));
        assert_eq!(error(&[at(2, 2, "x"), at(1, 1, "y")], "abcd"), (1, Problem::Overlap));
        assert_eq!(error(&[at(0, 0, ""), at(4, 5, "")], "abcd"), (1, Problem::OutOfRange));
        assert_eq!(error(&[at(1, 2, "")], "é"), (0, Problem::WithinCharacter));
        assert_eq!(error(&[at(0, 1, ""), at(2, 2, "")], "é"), (0, Problem::WithinCharacter));
    }
}
