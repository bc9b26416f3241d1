//! Diagnostics for people. The only user of codespan-reporting.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{self, Chars, Config};

use super::{Diagnostic, Diagnostics, Severity};
use crate::source::{Source, Span};

impl Diagnostics {
    /// The diagnostics as text for people, each with the lines it is about.
    ///
    /// ```
    /// let diagnostics = hcl_lr::parse("a = [1 2]\n").into_result().unwrap_err();
    /// assert!(diagnostics.render().starts_with("error[missing-comma]"));
    /// ```
    pub fn render(&self) -> String {
        let mut writer = NoColor::new(Vec::new());
        // Writing to memory does not fail.
        let _ = self.write_to(&mut writer);
        let text = String::from_utf8_lossy(writer.get_ref()).into_owned();
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Writes the text of [`render`](Self::render), with the colours of a terminal if `colour` is
    /// set.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_human(&self, mut writer: impl io::Write, colour: bool) -> io::Result<()> {
        if colour { self.write_to(&mut Ansi::new(writer)) } else { writer.write_all(self.render().as_bytes()) }
    }

    fn write_to(&self, writer: &mut dyn WriteColor) -> io::Result<()> {
        let config = Config { chars: Chars::box_drawing(), tab_width: 2, ..Config::default() };
        let mut source = self.source();
        let mut text = printable(source.text());
        for diagnostic in self {
            if !std::ptr::eq(source, &**self.source_of(diagnostic)) {
                source = self.source_of(diagnostic);
                text = printable(source.text());
            }
            let view = View::new(source, &text, diagnostic.subject());
            match term::emit_to_write_style(writer, &config, &view, &view.convert(diagnostic)) {
                Err(Error::Io(error)) => return Err(error),
                // The other errors are about spans outside the source, which there are none of.
                _ => continue,
            }
        }
        Ok(())
    }
}

/// A newline cannot be underlined: what points at one points at the end of its line.
fn visible_range(text: &str, span: Span) -> Range<usize> {
    let visible = text.get(span.range()).unwrap_or_default().trim_end_matches(['\r', '\n']);
    span.start()..span.start() + visible.len()
}

/// Control characters do not reach the terminal: a question mark is shown for each.
fn printable(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(is_control, "?"))
}

/// What is shown of a source, as codespan wants to see files: all of it, or, of a very long line,
/// what is around a place.
struct View<'s> {
    source: &'s Source,
    text: &'s str,
    /// Where the text begins in the source.
    offset: usize,
    /// Whether it is a piece of a line.
    is_piece: bool,
}

impl<'s> View<'s> {
    /// `text` is all of the source, as it may be printed.
    fn new(source: &'s Source, text: &'s str, subject: Span) -> Self {
        const LONGEST_LINE: usize = 500;
        const BEFORE: usize = 60;
        const BEHIND: usize = 100;
        let all = View { source, text, offset: 0, is_piece: false };
        let Some(line) = source.line_span(source.position(subject.start()).line) else {
            return all;
        };
        if line.len() <= LONGEST_LINE {
            return all;
        }
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(subject.start().saturating_sub(BEFORE).max(line.start()));
        let end = boundary((subject.start() + BEHIND).min(line.end()));
        View { text: text[start..end].trim_end_matches(['\r', '\n']), offset: start, is_piece: true, ..all }
    }

    fn convert(&self, diagnostic: &Diagnostic) -> codespan::Diagnostic<()> {
        let severity = match diagnostic.severity() {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
        };
        let range = |span| {
            let range = visible_range(self.source.text(), span);
            let clip = |at: usize| at.clamp(self.offset, self.offset + self.text.len()) - self.offset;
            clip(range.start)..clip(range.end)
        };
        let primary = codespan::Label::primary((), range(diagnostic.subject())).with_message(diagnostic.detail());
        let shown = self.offset..=self.offset + self.text.len();
        let others = diagnostic
            .labels()
            .iter()
            .filter(|label| shown.contains(&label.span.start()))
            .map(|label| codespan::Label::secondary((), range(label.span)).with_message(label.message.as_ref()));
        codespan::Diagnostic::new(severity)
            .with_code(diagnostic.code().as_str())
            .with_message(diagnostic.summary())
            .with_labels(std::iter::once(primary).chain(others).collect())
            .with_notes(diagnostic.help().map(|help| format!("help: {help}")).into_iter().collect())
    }
}

impl<'s> Files<'s> for View<'_> {
    type FileId = ();
    type Name = &'s str;
    type Source = &'s str;

    fn name(&'s self, (): ()) -> Result<&'s str, Error> {
        Ok(self.source.name())
    }

    fn source(&'s self, (): ()) -> Result<&'s str, Error> {
        Ok(self.text)
    }

    fn line_index(&'s self, (): (), byte_index: usize) -> Result<usize, Error> {
        if self.is_piece {
            return Ok(0);
        }
        Ok(self.source.position(byte_index).line - 1)
    }

    fn line_number(&'s self, (): (), line_index: usize) -> Result<usize, Error> {
        if self.is_piece {
            return Ok(self.source.position(self.offset).line);
        }
        Ok(line_index + 1)
    }

    fn column_number(&'s self, (): (), _line_index: usize, byte_index: usize) -> Result<usize, Error> {
        Ok(self.source.position(self.offset + byte_index).column)
    }

    fn line_range(&'s self, (): (), line_index: usize) -> Result<Range<usize>, Error> {
        if self.is_piece {
            return Ok(0..self.text.len());
        }
        let span = self.source.line_span(line_index + 1);
        span.map(Span::range).ok_or(Error::LineTooLarge { given: line_index, max: self.source.line_count() })
    }
}
