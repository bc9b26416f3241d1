//! Diagnostics for people. The only user of codespan-reporting.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{self, Chars, Config};

use super::{Diagnostic, Diagnostics, Label, Severity};
use crate::source::{Place, Source, Span};

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
        // What is written of each source.
        let mut texts: Texts<'_> = HashMap::new();
        for diagnostic in self {
            for source in places(diagnostic).map(Place::source) {
                texts.entry(Arc::as_ptr(source)).or_insert_with(|| printable(source.text()));
            }
        }
        for diagnostic in self {
            let views = Views::new(diagnostic, &texts);
            match term::emit_to_write_style(writer, &config, &views, &views.convert(diagnostic)) {
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

/// The texts of sources as they are written.
type Texts<'s> = HashMap<*const Source, Cow<'s, str>>;

/// The places of a diagnostic that are shown, its own first.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = &Place> {
    std::iter::once(diagnostic.place()).chain(diagnostic.labels().iter().map(Label::place))
}

/// What is shown of a source: all of it, or, of a very long line, what is around a place.
struct View<'s> {
    source: &'s Arc<Source>,
    text: &'s str,
    /// Where the text begins in the source.
    offset: usize,
    /// Whether it is a piece of a line.
    is_piece: bool,
}

impl<'s> View<'s> {
    fn new(place: &'s Place, texts: &'s Texts<'_>) -> Self {
        const MAX_LINE: usize = 500;
        const BEFORE: usize = 60;
        const AFTER: usize = 100;
        let (source, start) = (place.source(), place.span().start());
        let text = texts.get(&Arc::as_ptr(source)).map_or(source.text(), |text| text);
        let all = View { source, text, offset: 0, is_piece: false };
        let Some(line) = source.line_span(source.position(start).line) else {
            return all;
        };
        if line.len() <= MAX_LINE {
            return all;
        }
        let boundary = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let begin = boundary(start.saturating_sub(BEFORE).max(line.start()));
        let end = boundary((start + AFTER).min(line.end()));
        View { text: text[begin..end].trim_end_matches(['\r', '\n']), offset: begin, is_piece: true, ..all }
    }

    /// Whether the start of a place can be seen.
    fn shows(&self, place: &Place) -> bool {
        let shown = self.offset..=self.offset + self.text.len();
        Arc::ptr_eq(self.source, place.source()) && shown.contains(&place.span().start())
    }

    fn range(&self, place: &Place) -> Range<usize> {
        let range = visible_range(self.source.text(), place.span());
        let clip = |at: usize| at.clamp(self.offset, self.offset + self.text.len()) - self.offset;
        clip(range.start)..clip(range.end)
    }
}

/// What is shown of all sources that a diagnostic is about, as codespan wants to see files. The first
/// one is that of its own place.
struct Views<'s>(Vec<View<'s>>);

impl<'s> Views<'s> {
    fn new(diagnostic: &'s Diagnostic, texts: &'s Texts<'_>) -> Self {
        let mut views: Vec<View<'s>> = Vec::new();
        for place in places(diagnostic) {
            if !views.iter().any(|view| Arc::ptr_eq(view.source, place.source())) {
                views.push(View::new(place, texts));
            }
        }
        Views(views)
    }

    fn convert(&self, diagnostic: &Diagnostic) -> codespan::Diagnostic<usize> {
        let severity = match diagnostic.severity() {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
            Severity::Note => codespan::Severity::Note,
        };
        let (headline, detail) = diagnostic.in_two_parts();
        let primary = codespan::Label::primary(0, self.0[0].range(diagnostic.place())).with_message(detail);
        let others = diagnostic.labels().iter().filter_map(|label| {
            let file = self.0.iter().position(|view| view.shows(label.place()))?;
            let range = self.0[file].range(label.place());
            Some(codespan::Label::secondary(file, range).with_message(label.message()))
        });
        codespan::Diagnostic::new(severity)
            .with_code(diagnostic.code().as_str())
            .with_message(headline)
            .with_labels(std::iter::once(primary).chain(others).collect())
            .with_notes(diagnostic.help().map(|help| format!("help: {help}")).into_iter().collect())
    }

    fn view(&self, file: usize) -> Result<&View<'s>, Error> {
        self.0.get(file).ok_or(Error::FileMissing)
    }
}

impl<'s> Files<'s> for Views<'_> {
    type FileId = usize;
    type Name = &'s str;
    type Source = &'s str;

    fn name(&'s self, file: usize) -> Result<&'s str, Error> {
        Ok(self.view(file)?.source.name())
    }

    fn source(&'s self, file: usize) -> Result<&'s str, Error> {
        Ok(self.view(file)?.text)
    }

    fn line_index(&'s self, file: usize, byte_index: usize) -> Result<usize, Error> {
        let view = self.view(file)?;
        if view.is_piece {
            return Ok(0);
        }
        Ok(view.source.position(byte_index).line - 1)
    }

    fn line_number(&'s self, file: usize, line_index: usize) -> Result<usize, Error> {
        let view = self.view(file)?;
        if view.is_piece {
            return Ok(view.source.position(view.offset).line);
        }
        Ok(line_index + 1)
    }

    fn column_number(&'s self, file: usize, _line_index: usize, byte_index: usize) -> Result<usize, Error> {
        let view = self.view(file)?;
        Ok(view.source.position(view.offset + byte_index).column)
    }

    fn line_range(&'s self, file: usize, line_index: usize) -> Result<Range<usize>, Error> {
        let view = self.view(file)?;
        if view.is_piece {
            return Ok(0..view.text.len());
        }
        let span = view.source.line_span(line_index + 1);
        span.map(Span::range).ok_or(Error::LineTooLarge { given: line_index, max: view.source.line_count() })
    }
}
