//! The state of reading a file: the scope, the options, the errors so far, and the facts learned about types.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use super::error::{Error, TooMuch};
use super::lender::Lender;
use super::messages;
use super::options::Options;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::eval::Scope;
use crate::source::{Place, Span};

/// The number of errors that are reported.
const MAX_ERRORS: usize = 1_000;

/// As many inputs that are as deep as the limit may be buffered, and three times as many for each level less: serde may
/// try the variants of an untagged enum at each level.
const MAX_BUFFERED: f64 = 300.0;

/// The identity of a structure: the addresses of its visitor's method, and of the names of its fields. Structures that
/// share both are read by the same code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TypeKey {
    pub visitor: usize,
    pub fields: usize,
}

/// The facts about a structure that serde does not tell. They are learned from its first value, which is then read again.
#[derive(Clone, Default)]
pub(super) struct TypeFacts {
    /// The fields that may be missing though serde does not know: lists, maps and labels.
    pub optional: Vec<&'static str>,
    /// Other names under which these are.
    pub aliases: Vec<(String, &'static str)>,
    /// The field for the labels, if it is not among the names of fields, or is known by its type.
    pub labels_field: Option<&'static str>,
    /// True if it takes anything, and turned out to be a structure: labels are no keys.
    pub is_structure: bool,
}

/// The state of reading.
pub(super) struct Context<'c, 'de> {
    pub scope: &'c Scope<'c>,
    pub options: Options,
    /// True if strings in JSON are just strings (information model, "literal-only mode").
    pub literal_only: bool,
    /// True if the file has syntax errors: a missing item may exist in a part that could not be parsed.
    pub broken: bool,
    /// The text from which strings are borrowed.
    pub lender: Lender<'de>,
    counts: Counts,
    findings: RefCell<Findings>,
    facts: RefCell<HashMap<TypeKey, TypeFacts, foldhash::fast::RandomState>>,
}

/// Counts of steps so far.
#[derive(Default)]
struct Counts {
    depth: Cell<u32>,
    /// The depth within an input that a type takes as it is, such as what serde buffers.
    buffered_depth: Cell<u32>,
    /// The greatest of these depths.
    deepest: Cell<u32>,
    /// The number of inputs that were as deep as the limit.
    buffered_work: Cell<f64>,
    /// True while something is read as another type.
    once: Cell<bool>,
    /// The number of values that could not be read, which goes on when no more errors are reported.
    failures: Cell<u64>,
    /// The number of times an object or a block was expected and something else found.
    no_objects: Cell<u64>,
    /// The number of inputs that types took as they are.
    buffered: Cell<u64>,
}

/// The diagnostics so far, and keys by which repetitions are left out.
#[derive(Default)]
struct Findings {
    diagnostics: Vec<Diagnostic>,
    seen: HashSet<(usize, Span, u64)>,
}

/// A position in the findings, to go back to.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Mark {
    count: usize,
    pub failures: u64,
}

impl<'c, 'de> Context<'c, 'de> {
    pub fn new(scope: &'c Scope<'c>, options: Options, lender: Lender<'de>, broken: bool) -> Self {
        Context {
            scope,
            options,
            literal_only: !scope.allows_variables() && !scope.allows_functions(),
            broken,
            lender,
            counts: Counts::default(),
            findings: RefCell::default(),
            facts: RefCell::default(),
        }
    }

    /// Puts a diagnostic on the list.
    pub fn record(&self, diagnostic: Diagnostic) {
        if diagnostic.severity() == Severity::Error {
            self.fail();
        }
        let place = diagnostic.place();
        let key = (Arc::as_ptr(place.source()) as usize, place.span(), hash(&diagnostic));
        let findings = &mut *self.findings.borrow_mut();
        // An expression with a loop may fail in the same way each time.
        if findings.diagnostics.len() < MAX_ERRORS && findings.seen.insert(key) {
            findings.diagnostics.push(diagnostic);
        }
    }

    /// Counts a value that could not be read.
    pub fn fail(&self) {
        add_one(&self.counts.failures);
    }

    pub fn mark(&self) -> Mark {
        Mark { count: self.findings.borrow().diagnostics.len(), failures: self.failures() }
    }

    /// Forgets what has been found since.
    pub fn go_back(&self, mark: Mark) {
        let findings = &mut *self.findings.borrow_mut();
        if findings.diagnostics.len() > mark.count {
            findings.diagnostics.truncate(mark.count);
            findings.seen.clear();
        }
        self.counts.failures.set(mark.failures);
    }

    pub fn failures(&self) -> u64 {
        self.counts.failures.get()
    }

    /// Returns true if no more errors are reported: the rest need not be read.
    pub fn is_full(&self) -> bool {
        self.findings.borrow().diagnostics.len() >= MAX_ERRORS
    }

    pub fn diagnostics(&self) -> Diagnostics {
        self.findings.take().diagnostics.into_iter().collect()
    }

    pub fn no_objects(&self) -> u64 {
        self.counts.no_objects.get()
    }

    pub fn note_no_object(&self) {
        add_one(&self.counts.no_objects);
    }

    /// Forgets that something else than an object was found: the reason has been reported.
    pub fn forget_no_objects(&self, since: u64) {
        self.counts.no_objects.set(since);
    }

    pub fn buffered(&self) -> u64 {
        self.counts.buffered.get()
    }

    /// Reads an input that the type takes as it is. What is within one of serde's is read without a type.
    pub fn buffering<R>(&self, is_within: bool, read: impl FnOnce() -> R) -> R {
        add_one(&self.counts.buffered);
        let (around, deepest) = (self.counts.buffered_depth.get(), self.counts.deepest.get());
        let is_whole = !is_within || around == 0;
        let depth = if is_whole { 1 } else { around + 1 };
        self.counts.buffered_depth.set(depth);
        self.counts.deepest.set(if is_whole { 1 } else { deepest.max(depth) });
        let result = read();
        self.counts.buffered_depth.set(around);
        if is_whole {
            let levels = f64::from(self.counts.deepest.replace(deepest)) - f64::from(self.options.max_buffered_depth);
            self.counts.buffered_work.set(self.counts.buffered_work.get() + 3_f64.powf(levels));
        }
        result
    }

    /// Returns the limit that is exceeded if serde buffers one more level.
    pub fn buffered_too_much(&self) -> Option<TooMuch> {
        match () {
            () if self.counts.buffered_depth.get() >= self.options.max_buffered_depth => Some(TooMuch::Depth),
            () if self.counts.buffered_work.get() > MAX_BUFFERED => Some(TooMuch::Work),
            () => None,
        }
    }

    /// The facts that are known about a structure.
    pub fn facts(&self, key: TypeKey) -> TypeFacts {
        let facts = self.facts.borrow();
        if facts.is_empty() { TypeFacts::default() } else { facts.get(&key).cloned().unwrap_or_default() }
    }

    /// The field for the labels that a structure has turned out to have.
    pub fn labels_field(&self, key: TypeKey) -> Option<&'static str> {
        self.facts.borrow().get(&key).and_then(|facts| facts.labels_field)
    }

    /// Remembers that a field may be missing.
    pub fn learn_optional(&self, key: TypeKey, field: &'static str) {
        self.learn(key, |facts| {
            if !facts.optional.contains(&field) {
                facts.optional.push(field);
            }
        });
    }

    /// Adds a fact about a structure.
    pub fn learn(&self, key: TypeKey, learn: impl FnOnce(&mut TypeFacts)) {
        learn(self.facts.borrow_mut().entry(key).or_default());
    }

    /// Reads what has been read already as another type; not within itself.
    pub fn once(&self, read: impl FnOnce()) {
        if !self.counts.once.replace(true) {
            read();
            self.counts.once.set(false);
        }
    }

    /// Calls one level deeper.
    pub fn deeper<R>(
        &self,
        place: impl FnOnce() -> Place,
        read: impl FnOnce() -> Result<R, Error>,
    ) -> Result<R, Error> {
        crate::work::step(1);
        let depth = self.counts.depth.get();
        if depth >= self.options.max_depth {
            return Err(messages::too_deep(place(), self.options.max_depth).into());
        }
        self.counts.depth.set(depth + 1);
        let result = read();
        self.counts.depth.set(depth);
        result
    }
}

fn add_one(count: &Cell<u64>) {
    count.set(count.get() + 1);
}

/// A number that two diagnostics of one kind with the same detail share.
fn hash(diagnostic: &Diagnostic) -> u64 {
    foldhash::fast::FixedState::default().hash_one((diagnostic.code().as_str(), diagnostic.detail()))
}
