//! Where evaluation leaves what is wrong, and what it will use again.

use std::sync::Arc;

use super::recent::Recent;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Finding};
use crate::source::{Source, Span};

/// More errors than this are counted but not kept: a loop over a million elements may fail a
/// million times.
const MAX_KEPT: usize = 1_000;

/// Collects diagnostics. It goes wherever an evaluation goes, and so carries what that can use
/// again and again.
#[derive(Default)]
pub(super) struct Sink {
    /// Types for values that are made like others before.
    pub recent: Recent,
    kept: Vec<Kept>,
    errors: usize,
    /// Empty: room for the next text that is put together.
    buffer: String,
}

enum Kept {
    /// In the source that is evaluated.
    Here(Finding),
    /// What an evaluation of its own has found.
    Placed(Diagnostic),
}

/// Diagnostics that have been taken back, and how many errors there were.
pub(super) struct Held {
    kept: Vec<Kept>,
    errors: usize,
}

/// How much there was at a point in time, to compare with or go back to.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    kept: usize,
    errors: usize,
}

impl Sink {
    /// An error, which is put into words only if it is kept.
    pub fn report(&mut self, finding: impl FnOnce() -> Finding) {
        self.keep(|| Kept::Here(finding()));
    }

    fn keep(&mut self, kept: impl FnOnce() -> Kept) {
        self.errors += 1;
        if self.kept.len() < MAX_KEPT {
            self.kept.push(kept());
        }
    }

    /// An error with nothing more to say than where and what.
    pub fn simple(&mut self, code: Code, subject: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
        self.report(|| Finding::error(code, subject, detail));
    }

    /// Takes over what was collected elsewhere.
    pub fn absorb<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.keep(|| Kept::Placed(diagnostic.clone())));
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

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { kept: self.kept.len(), errors: self.errors }
    }

    pub fn has_errors_since(&self, checkpoint: Checkpoint) -> bool {
        self.errors > checkpoint.errors
    }

    /// Goes back to a checkpoint: takes back what was collected since. It is dropped, or given to [`restore`](Self::restore).
    pub fn rollback(&mut self, checkpoint: Checkpoint) -> Held {
        let kept = if self.kept.len() > checkpoint.kept { self.kept.split_off(checkpoint.kept) } else { Vec::new() };
        let errors = self.errors - checkpoint.errors;
        self.errors = checkpoint.errors;
        Held { kept, errors }
    }

    pub fn restore(&mut self, held: Held) {
        self.errors += held.errors;
        self.kept.extend(held.kept);
        self.kept.truncate(MAX_KEPT);
    }

    /// What was collected, in the source that the findings are of.
    pub fn into_diagnostics(self, source: &Arc<Source>) -> Diagnostics {
        let more = self.errors.saturating_sub(self.kept.len());
        let mut diagnostics: Diagnostics = self
            .kept
            .into_iter()
            .map(|kept| match kept {
                Kept::Here(finding) => finding.in_source(source),
                Kept::Placed(diagnostic) => diagnostic,
            })
            .collect();
        diagnostics.sort();
        if let (true, Some(last)) = (more > 0, diagnostics.iter().last()) {
            let detail = format!("{more} more errors are not shown");
            diagnostics.push(Diagnostic::error(Code::TooManyErrors, last.place(), detail));
        }
        diagnostics
    }
}
