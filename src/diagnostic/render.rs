//! Renders diagnostics as text. The only user of codespan-reporting.

use std::borrow::Cow;
use std::io;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::term::{self, Chars, Config, WriteStyle};

use super::excerpt::Excerpts;
use super::{Diagnostic, Diagnostics, Severity};
use crate::source::visible;

impl Diagnostics {
    /// Returns the diagnostics as text, each with its source lines. Control characters in lines, messages and names
    /// become escape sequences such as `\u{1b}`, so that no file can control the terminal.
    ///
    /// ```
    /// let diagnostics = hcl_lr::parse::<hcl_lr::File>("a = [1 2]\n").into_result().unwrap_err();
    /// assert!(diagnostics.render().starts_with("error[missing-comma]"));
    /// ```
    pub fn render(&self) -> String {
        let text = self.styled(false);
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Writes the text of [`render`](Self::render), with terminal colours if `colour` is set.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_human(&self, mut writer: impl io::Write, colour: bool) -> io::Result<()> {
        let text = if colour { self.styled(colour) } else { self.render() };
        writer.write_all(text.as_bytes())
    }

    fn styled(&self, colour: bool) -> String {
        let mut text = Styled { bytes: Vec::new(), colour };
        let config = Config { chars: Chars::box_drawing(), tab_width: 2, ..Config::default() };
        for diagnostic in self {
            let excerpts = Excerpts::new(diagnostic);
            // The errors are those of a writer, and about spans outside the source. Neither occurs.
            let _ = term::emit_to_write_style(&mut text, &config, &excerpts, &convert(diagnostic, &excerpts));
        }
        String::from_utf8_lossy(&text.bytes).into_owned()
    }
}

/// Text in UTF-8, with colours for terminals or without them.
struct Styled {
    bytes: Vec<u8>,
    colour: bool,
}

impl Styled {
    /// Begins text in a style, which is given by the codes of "Select Graphic Rendition".
    fn begin(&mut self, codes: &str) -> io::Result<()> {
        if self.colour {
            self.bytes.extend_from_slice(b"\x1b[0m");
            self.bytes.extend_from_slice(codes.as_bytes());
        }
        Ok(())
    }
}

impl io::Write for Styled {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Styled {
    fn set_header(&mut self, severity: codespan::Severity) -> io::Result<()> {
        self.begin(match severity {
            codespan::Severity::Bug | codespan::Severity::Error => "\u{1b}[1m\u{1b}[38;5;9m",
            codespan::Severity::Warning => "\u{1b}[1m\u{1b}[38;5;11m",
            codespan::Severity::Note => "\u{1b}[1m\u{1b}[38;5;10m",
            codespan::Severity::Help => "\u{1b}[1m\u{1b}[38;5;14m",
        })
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.begin("\u{1b}[1m")
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.begin(CYAN)
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.begin(CYAN)
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.begin(CYAN)
    }

    fn set_label(&mut self, severity: codespan::Severity, style: codespan::LabelStyle) -> io::Result<()> {
        self.begin(match (style, severity) {
            (codespan::LabelStyle::Secondary, _) | (_, codespan::Severity::Help) => CYAN,
            (_, codespan::Severity::Bug | codespan::Severity::Error) => "\u{1b}[31m",
            (_, codespan::Severity::Warning) => "\u{1b}[33m",
            (_, codespan::Severity::Note) => "\u{1b}[32m",
        })
    }

    fn reset(&mut self) -> io::Result<()> {
        self.begin("")
    }
}

const CYAN: &str = "\u{1b}[36m";

fn convert(diagnostic: &Diagnostic, excerpts: &Excerpts<'_>) -> codespan::Diagnostic<usize> {
    let severity = match diagnostic.severity() {
        Severity::Error => codespan::Severity::Error,
        Severity::Warning => codespan::Severity::Warning,
        Severity::Note => codespan::Severity::Note,
    };
    let (headline, detail) = diagnostic.in_two_parts();
    let labels = excerpts.ranges().map(|(index, file, range)| match index.checked_sub(1) {
        None => codespan::Label::primary(file, range).with_message(visible::line(detail)),
        Some(other) => {
            codespan::Label::secondary(file, range).with_message(visible::line(diagnostic.labels()[other].message()))
        }
    });
    codespan::Diagnostic::new(severity)
        .with_code(visible::line(diagnostic.code().as_str()))
        .with_message(visible::line(headline))
        .with_labels(labels.collect())
        .with_notes(diagnostic.help().map(help).into_iter().collect())
}

/// Returns advice, with lines after the first below it.
fn help(help: &str) -> String {
    let text: Cow<'_, str> = visible::lines(help);
    format!("help: {text}")
}
