//! Collects the errors of an evaluation, and keeps buffers for reuse.

use std::sync::Arc;

use super::recent::Recent;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Finding};
use crate::limits::{Account, Limit, Meter};
use crate::model::Value;
use crate::source::{Place, Source, Span};
use crate::syntax::ast::ExpressionNode;
use crate::work;

/// The number of errors that are kept. Further ones are only counted, because a loop over a million elements may fail a
/// million times.
const MAX_KEPT: usize = 1_000;

/// Collects diagnostics. It is passed through the whole evaluation, so it also carries buffers that can be reused.
pub(super) struct Sink<'a> {
    /// The account that counts the work.
    pub account: &'a Account,
    /// Types for values that are made like others before.
    pub recent: Recent,
    kept: Vec<Kept>,
    errors: usize,
    /// An empty buffer for the next text.
    buffer: String,
}

enum Kept {
    /// In the source that is evaluated.
    Here(Finding),
    /// A diagnostic of a separate evaluation.
    Placed(Diagnostic),
}

/// Diagnostics that have been rolled back, and the number of errors among them.
pub(super) struct RolledBack {
    kept: Vec<Kept>,
    errors: usize,
}

/// The sizes at a point in time, for comparing or rolling back.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    kept: usize,
    errors: usize,
}

/// Returns the error for an exceeded limit, if there is one. Its place is that of the whole evaluation, unless a more
/// exact one is known.
pub fn limit_exceeded(account: &Account, whole: impl FnOnce() -> Place) -> Option<Diagnostic> {
    account.exceeded().map(|limit| over_limit(account.meter(), limit, whole))
}

/// Returns the error for an exceeded limit of a meter.
pub fn over_limit(meter: &Meter, limit: Limit, whole: impl FnOnce() -> Place) -> Diagnostic {
    let (detail, help) = meter.limits().describe(limit);
    Diagnostic::error(Code::LimitExceeded, meter.exceeded_at(whole), detail).with_help(help)
}

/// The bytes that an error may take, including the values that it shows.
const MESSAGE: u64 = 1024;

/// The number of steps for describing an error. An expression that fails again and again is described each time, if the
/// error is caught.
const STEPS_OF_MESSAGE: u64 = 24;

impl<'a> Sink<'a> {
    pub fn new(account: &'a Account) -> Self {
        Sink { account, recent: Recent::default(), kept: Vec::new(), errors: 0, buffer: String::new() }
    }

    /// Counts an expression as a step. Returns false if the evaluation has to end.
    #[inline]
    pub fn step(&mut self, expression: ExpressionNode<'_>) -> bool {
        work::step(1);
        self.account.step() || self.stop(expression)
    }

    /// Returns true if the evaluation continues. If a limit is exceeded, reports it for this expression, unless a more
    /// exact place is known.
    #[inline]
    pub fn goes_on(&mut self, expression: ExpressionNode<'_>) -> bool {
        !self.account.is_exceeded() || self.stop(expression)
    }

    /// Returns a value that was built from others, if it does not nest too deeply.
    #[inline]
    pub fn within_nesting(&self, value: Value) -> Value {
        match self.account.nesting(value.height()) {
            Ok(()) => value,
            Err(_) => super::failed(),
        }
    }

    #[cold]
    fn stop(&mut self, expression: ExpressionNode<'_>) -> bool {
        self.errors += 1;
        self.account.exceeded_at(|| Place::new(expression.shared_source(), expression.span()));
        false
    }

    /// Reports an error, which is described only if it is kept.
    pub fn report(&mut self, finding: impl FnOnce() -> Finding) {
        self.keep(|| Kept::Here(finding()));
    }

    /// Reports an error that suggests one of `names` names, if they may be compared.
    pub fn report_name(&mut self, names: usize, finding: impl FnOnce(bool) -> Finding) {
        let account = self.account;
        self.report(|| finding(names <= crate::similar::MAX_CANDIDATES && account.compare(names)));
    }

    fn keep(&mut self, kept: impl FnOnce() -> Kept) {
        if self.keeps_one_more() {
            self.kept.push(kept());
        }
    }

    /// Counts an error. Returns true if it is kept.
    fn keeps_one_more(&mut self) -> bool {
        self.errors += 1;
        // Errors after the end of the evaluation are a consequence of it.
        let counted = || self.account.steps(STEPS_OF_MESSAGE).and_then(|()| self.account.bytes(MESSAGE));
        self.kept.len() < MAX_KEPT && counted().is_ok()
    }

    /// Reports an error that consists of a place and a message.
    pub fn simple(&mut self, code: Code, subject: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
        self.report(|| Finding::error(code, subject, detail));
    }

    /// Takes over what was collected elsewhere.
    pub fn absorb<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.keep(|| Kept::Placed(diagnostic.clone())));
    }

    /// Returns a buffer for putting a text together. Without one that is [given back](Self::give_back), each template
    /// would allocate its own.
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

    /// Rolls back to a checkpoint and returns the diagnostics since then. They are dropped or passed to
    /// [`restore`](Self::restore).
    pub fn rollback(&mut self, checkpoint: Checkpoint) -> RolledBack {
        let kept = if self.kept.len() > checkpoint.kept { self.kept.split_off(checkpoint.kept) } else { Vec::new() };
        let errors = self.errors - checkpoint.errors;
        self.errors = checkpoint.errors;
        RolledBack { kept, errors }
    }

    pub fn restore(&mut self, held: RolledBack) {
        self.errors += held.errors;
        self.kept.extend(held.kept);
        self.kept.truncate(MAX_KEPT);
    }

    /// Returns the collected diagnostics, in the source of the findings.
    pub fn into_diagnostics(self, source: &Arc<Source>, whole: Span) -> Diagnostics {
        let exceeded = self.account.exceeded();
        if self.errors == 0 && exceeded.is_none() {
            return Diagnostics::new();
        }
        let more = if exceeded.is_some() { 0 } else { self.errors.saturating_sub(self.kept.len()) };
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
        diagnostics.extend(limit_exceeded(self.account, || Place::new(source, whole)));
        diagnostics
    }
}
