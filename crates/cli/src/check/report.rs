//! Prints the results for a file in one of the formats.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use clap::ValueEnum;

use super::{github, sarif};
use crate::error::Error;
use crate::progress::Progress;
use crate::terminal;
use hcl_lr::diagnostic::{Code, Diagnostics, Json};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text with excerpts and advice
    Human,
    /// One line each: file:line:column: error[code]: summary: detail
    Short,
    /// A JSON object {"diagnostics": […]} as from hcldec, with suggested edits
    Json,
    /// SARIF 2.1.0 for code hosts and editors, with suggested edits
    Sarif,
    /// Annotations for GitHub Actions
    Github,
}

/// The results for one file.
#[derive(Default)]
pub struct Report {
    /// For standard output.
    pub text: Vec<u8>,
    /// For standard error.
    pub aside: Vec<u8>,
    /// The kinds of diagnostics in the text.
    pub codes: Vec<Code>,
    pub errors: usize,
    /// True if there are more errors than those counted.
    pub more: bool,
    /// The number of errors and warnings that are not shown.
    pub hidden: usize,
    pub warnings: usize,
    /// The number of errors and warnings that were fixed, or would be.
    pub fixed: usize,
    /// The number of remaining diagnostics with an edit that is safe to make without review.
    pub fixable: usize,
    /// True if there are warnings that count as errors.
    pub denied: bool,
    pub failure: Option<Error>,
}

impl Format {
    /// Returns the diagnostics of a file in this format. In a JSON document, they are separated by commas.
    pub fn text(self, diagnostics: &Diagnostics, color: bool) -> Vec<u8> {
        match self {
            Format::Human => {
                let mut text = Vec::new();
                // Writing to memory does not fail.
                let _ = diagnostics.write_human(&mut text, color);
                text
            }
            Format::Short => diagnostics.short().into_bytes(),
            Format::Json => {
                let json = diagnostics.to_json();
                json.as_bytes()[1..json.len() - 1].to_vec()
            }
            Format::Sarif => diagnostics.iter().map(sarif::result).collect::<Vec<_>>().join(",\n").into_bytes(),
            Format::Github => github::commands(diagnostics).into_bytes(),
        }
    }

    /// Returns a problem with a file, for readers who see only this output.
    pub fn failure(self, message: &str) -> Vec<u8> {
        match self {
            // SARIF has its own place for it.
            Format::Human | Format::Short | Format::Sarif => Vec::new(),
            Format::Json => {
                let detail = Json(message);
                let kind = r#""severity":"error","code":"unreadable","summary":"unreadable file""#;
                format!("{{{kind},\"detail\":{detail}}}").into_bytes()
            }
            Format::Github => github::failure(message).into_bytes(),
        }
    }

    /// Returns true if standard output is one document for machines.
    pub fn is_document(self) -> bool {
        !matches!(self, Format::Human | Format::Short)
    }

    /// Returns the beginning of the document.
    fn begin(self) -> &'static str {
        match self {
            Format::Human | Format::Short | Format::Github => "",
            Format::Json => "{\"diagnostics\":[",
            Format::Sarif => sarif::BEGIN,
        }
    }
}

/// Standard output in one of the formats.
pub struct Output {
    out: BufWriter<io::StdoutLock<'static>>,
    format: Format,
    /// True if nothing has been written yet.
    first: bool,
    codes: BTreeSet<Code>,
    failures: Vec<String>,
}

impl Output {
    pub fn new(format: Format) -> Self {
        let out = BufWriter::new(io::stdout().lock());
        Output { out, format, first: true, codes: BTreeSet::new(), failures: Vec::new() }
    }

    /// # Errors
    /// If standard output is closed.
    pub fn begin(&mut self) -> io::Result<()> {
        self.out.write_all(self.format.begin().as_bytes())
    }

    pub fn report(&mut self, report: Report, progress: &Progress) -> io::Result<()> {
        let Report { text, aside, codes, failure, .. } = report;
        if text.is_empty() && aside.is_empty() && failure.is_none() {
            return Ok(());
        }
        self.codes.extend(codes);
        progress.aside(|| {
            if !text.is_empty() {
                if !self.format.begin().is_empty() {
                    self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
                }
                self.first = false;
                self.out.write_all(&text)?;
            }
            // Flush, so that later text on standard error follows the text so far.
            self.out.flush()?;
            terminal::styled(&String::from_utf8_lossy(&aside));
            if let Some(error) = failure {
                terminal::report(&error);
                self.failures.push(error.to_string());
            }
            Ok(())
        })
    }

    pub fn end(&mut self) -> io::Result<()> {
        let line = if self.first { "" } else { "\n" };
        match self.format {
            Format::Human | Format::Short | Format::Github => {}
            Format::Json => writeln!(self.out, "{line}]}}")?,
            Format::Sarif => {
                let codes: Vec<Code> = std::mem::take(&mut self.codes).into_iter().collect();
                write!(self.out, "{line}{}", sarif::end(&codes, &self.failures))?;
            }
        }
        self.out.flush()
    }
}
