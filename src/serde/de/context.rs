//! The state of reading a file: the scope, the limits, and the errors so far.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::Arc;

use super::pass::Lender;
use super::{UnknownFields, messages};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::eval::Scope;
use crate::source::{Place, Span};

/// The number of errors that are reported.
const MAX_ERRORS: usize = 1_000;

/// The identity of a visitor: the address of its method. Visitors that share an address share their code.
pub(super) type VisitorKey = usize;

pub(super) struct Context<'c, 'de> {
    pub scope: &'c Scope<'c>,
    /// True if strings in JSON are just strings (information model, "literal-only mode").
    pub literal_only: bool,
    pub templates_as_text: bool,
    pub unknown_fields: UnknownFields,
    /// True if the file has syntax errors: a missing item may exist in a part that could not be parsed.
    pub broken: bool,
    pub max_depth: u32,
    /// The text from which strings are borrowed.
    pub lender: Lender<'de>,
    depth: Cell<u32>,
    /// The place at which reading was given up.
    given_up: RefCell<Option<Place>>,
    found: RefCell<Vec<Diagnostic>>,
    seen: RefCell<HashSet<(usize, Span, u64)>>,
    /// The number of values that could not be read, which goes on when no more errors are reported.
    failures: Cell<u64>,
    /// The number of times an object or a block was expected and something else found.
    no_objects: Cell<u64>,
    /// The number of inputs that were read by a type that takes anything: serde buffers by such a type.
    buffered: Cell<u64>,
    /// The fields of structures that may be missing though serde does not know: lists, maps and labels.
    optional: RefCell<HashMap<VisitorKey, Vec<&'static str>, foldhash::fast::RandomState>>,
    /// Structures whose blocks have labels in a field of the type `Labels`.
    labelled: RefCell<Vec<VisitorKey>>,
}

/// A position in the findings, to go back to.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Mark {
    found: usize,
    pub failures: u64,
}

impl<'c, 'de> Context<'c, 'de> {
    pub fn new(scope: &'c Scope<'c>, lender: Lender<'de>, broken: bool) -> Self {
        Context {
            scope,
            literal_only: !scope.allows_variables() && !scope.allows_functions(),
            templates_as_text: false,
            unknown_fields: UnknownFields::default(),
            broken,
            max_depth: super::reader::MAX_DEPTH,
            lender,
            depth: Cell::new(0),
            given_up: RefCell::default(),
            found: RefCell::default(),
            seen: RefCell::default(),
            failures: Cell::new(0),
            no_objects: Cell::new(0),
            buffered: Cell::new(0),
            optional: RefCell::default(),
            labelled: RefCell::default(),
        }
    }

    /// Puts a diagnostic on the list.
    pub fn record(&self, diagnostic: Diagnostic) {
        if diagnostic.severity() == Severity::Error {
            self.fail();
        }
        let place = diagnostic.place();
        let key = (Arc::as_ptr(place.source()) as usize, place.span(), hash(&diagnostic));
        let found = &mut *self.found.borrow_mut();
        // An expression with a loop may fail in the same way each time.
        if found.len() < MAX_ERRORS && self.seen.borrow_mut().insert(key) {
            found.push(diagnostic);
        }
    }

    /// Counts a value that could not be read.
    pub fn fail(&self) {
        self.failures.set(self.failures.get() + 1);
    }

    pub fn mark(&self) -> Mark {
        Mark { found: self.found.borrow().len(), failures: self.failures.get() }
    }

    /// Forgets what has been found since.
    pub fn go_back(&self, mark: Mark) {
        let found = &mut *self.found.borrow_mut();
        if found.len() > mark.found {
            found.truncate(mark.found);
            self.seen.borrow_mut().clear();
        }
        self.failures.set(mark.failures);
    }

    pub fn failures(&self) -> u64 {
        self.failures.get()
    }

    /// Returns true if no more errors are reported: the rest need not be read.
    pub fn is_full(&self) -> bool {
        self.found.borrow().len() >= MAX_ERRORS
    }

    pub fn diagnostics(&self) -> Diagnostics {
        self.found.take().into_iter().collect()
    }

    pub fn no_objects(&self) -> u64 {
        self.no_objects.get()
    }

    pub fn note_no_object(&self) {
        self.no_objects.set(self.no_objects.get() + 1);
    }

    pub fn buffered(&self) -> u64 {
        self.buffered.get()
    }

    pub fn note_buffered(&self) {
        self.buffered.set(self.buffered.get() + 1);
        super::refusals::forget_reasons();
    }

    /// The fields of a structure that are offered where they are missing.
    pub fn optional_fields(&self, key: VisitorKey) -> Vec<&'static str> {
        let optional = self.optional.borrow();
        if optional.is_empty() { Vec::new() } else { optional.get(&key).cloned().unwrap_or_default() }
    }

    pub fn learn_optional(&self, key: VisitorKey, field: &'static str) {
        let mut optional = self.optional.borrow_mut();
        let fields = optional.entry(key).or_default();
        if !fields.contains(&field) {
            fields.push(field);
        }
    }

    pub fn has_labels_field(&self, key: VisitorKey) -> bool {
        self.labelled.borrow().contains(&key)
    }

    /// Remembers that a structure has a field of the type `Labels`. Returns false if that was known.
    pub fn learn_labels_field(&self, key: VisitorKey) -> bool {
        let is_news = !self.has_labels_field(key);
        if is_news {
            self.labelled.borrow_mut().push(key);
        }
        is_news
    }

    /// Calls one level deeper.
    pub fn deeper<R>(
        &self,
        place: impl Fn() -> Place,
        read: impl FnOnce() -> Result<R, super::error::Error>,
    ) -> Result<R, super::error::Error> {
        crate::work::step(1);
        super::refusals::allow_for_part();
        let depth = self.depth.get();
        if depth >= self.max_depth {
            return Err(messages::too_deep(place(), self.max_depth).into());
        }
        self.depth.set(depth + 1);
        let under_way = UnderWay { given_up: &self.given_up, place };
        let result = read();
        std::mem::forget(under_way);
        self.depth.set(depth);
        result
    }

    /// Returns where reading was given up.
    pub fn given_up_at(&self) -> Option<Place> {
        self.given_up.borrow().clone()
    }
}

/// A number that two diagnostics of one kind with the same detail share.
fn hash(diagnostic: &Diagnostic) -> u64 {
    foldhash::fast::FixedState::default().hash_one((diagnostic.code().as_str(), diagnostic.detail()))
}

/// The value being read. It is dropped only if reading is given up, and then the innermost is the first.
struct UnderWay<'a, P: Fn() -> Place> {
    given_up: &'a RefCell<Option<Place>>,
    place: P,
}

impl<P: Fn() -> Place> Drop for UnderWay<'_, P> {
    fn drop(&mut self) {
        self.given_up.borrow_mut().get_or_insert_with(&self.place);
    }
}
