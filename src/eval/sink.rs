//! Where evaluation leaves what is wrong, and what it will use again.

use std::sync::Arc;

use super::recent::Recent;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Source, Span};

/// More errors than this are counted but not kept: a loop over a million elements may fail a
/// million times.
const MOST: usize = 1_000;

/// Collects diagnostics. It goes wherever an evaluation goes, and so carries what that can use
/// again and again.
#[derive(Default)]
pub(super) struct Sink {
    /// Types for values that are made like others before.
    pub recent: Recent,
    kept: Vec<Diagnostic>,
    errors: usize,
    /// Empty: room for the next text that is put together.
    buffer: String,
}

/// Diagnostics that have been taken back, and how many errors there were.
pub(super) struct Held {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

/// A point in time to compare with or go back to.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    kept: usize,
    errors: usize,
}

impl Sink {
    /// An error, which is put into words only if it is kept.
    pub fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        self.errors += 1;
        if self.kept.len() < MOST {
            self.kept.push(diagnostic());
        }
    }

    /// An error with nothing more to say than where and what.
    pub fn simple(&mut self, code: Code, subject: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
        self.report(|| Diagnostic::error(code, subject, detail));
    }

    /// Takes over what was collected elsewhere.
    pub fn absorb<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.report(|| diagnostic.clone()));
    }

    /// Room to put a text together in. Without one that is [given back](Self::give_back), each
    /// template would make its own.
    pub fn take_buffer(&mut self) -> String {
        std::mem::take(&mut self.buffer)
    }

    pub fn give_back(&mut self, mut buffer: String) {
        buffer.clear();
        self.buffer = buffer;
    }

    pub fn now(&self) -> Moment {
        Moment { kept: self.kept.len(), errors: self.errors }
    }

    pub fn has_errors_since(&self, moment: Moment) -> bool {
        self.errors > moment.errors
    }

    /// Takes back what was collected since; it is dropped, or given to [`restore`](Self::restore).
    pub fn take_since(&mut self, moment: Moment) -> Held {
        let diagnostics = if self.kept.len() > moment.kept { self.kept.split_off(moment.kept) } else { Vec::new() };
        let errors = self.errors - moment.errors;
        self.errors = moment.errors;
        Held { diagnostics, errors }
    }

    pub fn restore(&mut self, held: Held) {
        self.errors += held.errors;
        self.kept.extend(held.diagnostics);
        self.kept.truncate(MOST);
    }

    pub fn into_diagnostics(self, source: &Arc<Source>) -> Diagnostics {
        Diagnostics::new(source.clone(), self.into_list())
    }

    /// For those who evaluate another part of the same source.
    pub fn into_diagnostics_within(self, source: &Arc<Source>) -> Diagnostics {
        Diagnostics::within(source.clone(), self.into_list())
    }

    fn into_list(self) -> Vec<Diagnostic> {
        let more = self.errors.saturating_sub(self.kept.len());
        let mut list = self.kept;
        if let (true, Some(last)) = (more > 0, list.last()) {
            let detail = format!("{more} more errors are not shown");
            list.push(Diagnostic::error(Code::TooManyErrors, last.subject(), detail));
        }
        list
    }
}
