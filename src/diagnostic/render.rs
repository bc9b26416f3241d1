//! Renders diagnostics as text. The only user of codespan-reporting.

use std::borrow::Cow;
use std::io;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::Error;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use codespan_reporting::term::{self, Chars, Config};

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
        let mut writer = NoColor::new(Vec::new());
        // Writing to memory does not fail.
        let _ = self.write_to(&mut writer);
        let text = String::from_utf8_lossy(writer.get_ref()).into_owned();
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Writes the text of [`render`](Self::render), with terminal colours if `colour` is set.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_human(&self, mut writer: impl io::Write, colour: bool) -> io::Result<()> {
        if colour { self.write_to(&mut Ansi::new(writer)) } else { writer.write_all(self.render().as_bytes()) }
    }

    fn write_to(&self, writer: &mut dyn WriteColor) -> io::Result<()> {
        let config = Config { chars: Chars::box_drawing(), tab_width: 2, ..Config::default() };
        for diagnostic in self {
            let excerpts = Excerpts::new(diagnostic);
            match term::emit_to_write_style(writer, &config, &excerpts, &convert(diagnostic, &excerpts)) {
                Err(Error::Io(error)) => return Err(error),
                // The other errors are about spans outside the source, which do not occur.
                _ => continue,
            }
        }
        Ok(())
    }
}

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
