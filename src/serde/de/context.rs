//! The state of reading a file: the scope, the errors so far, and the changes for reading something again.
//!
//! serde stops at the first error, and a file may have many. So wherever a type asks for a part of the
//! file by its type ([`read`]), an error ends there: it is put on the list, a harmless value of the type
//! stands in for what could not be read (see [`stand_in`](super::stand_in)), and the rest goes on. What a
//! type reports after it has seen all of its fields, such as a field that is missing, is solved by reading
//! it once more with something changed. The result is thrown away at the end, if anything was reported.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::rc::Rc;
use std::sync::Arc;

use ::serde::de::{Deserialize, DeserializeSeed};

use super::deserializer::De;
use super::error::{Error, Kind, forget_reasons};
use super::input::Input;
use super::locate::locate;
use super::narrow::{Narrowed, names, narrow, refused};
use super::path::Path;
use super::stand_in::StandIn;
use super::{UnknownFields, refusals, words};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::eval::Scope;
use crate::source::{Place, Source, Span};

/// The number of errors that are searched.
const MAX_ERRORS: usize = 1_000;

/// Reading parts again may take this many times as long as reading the file once.
const MAX_AGAIN: u64 = 64;

/// Reading parts of small files again costs nothing.
const FREE_AGAIN: u64 = 10_000;

/// Tables of paths: there may be one for each element of a file.
pub(super) type HashSet<T> = std::collections::HashSet<T, foldhash::fast::RandomState>;
type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

/// A structure, as the type that visits it and the list of its fields.
pub(super) type TypeKey = (&'static str, *const &'static str);

/// The changes for reading a structure again.
#[derive(Default)]
pub(super) struct Memo {
    /// Fields that are not there and are offered nevertheless.
    pub offered: RefCell<Vec<&'static str>>,
    /// Fields that cannot be read and have no stand-in: they come last, so that the others are read.
    pub postponed: RefCell<HashSet<String>>,
    /// The structure refuses names that it does not know: they are reported and left out.
    pub refuses_unknown: Cell<bool>,
    /// It has labels among its fields, though it does not say which fields it has.
    pub takes_labels: Cell<Option<&'static str>>,
    changed: Cell<bool>,
}

impl Memo {
    pub fn postpone(&self, name: &str) {
        if self.postponed.borrow_mut().insert(name.to_owned()) {
            self.changed.set(true);
        }
    }
}

pub(super) struct Context<'c> {
    pub scope: &'c Scope<'c>,
    /// Strings in JSON are just strings (information model, "literal-only mode").
    pub literal_only: bool,
    pub unknown_fields: UnknownFields,
    /// True if the file has syntax errors: a missing item may exist in a part that could not be parsed.
    pub broken: bool,
    pub max_depth: u32,
    depth: Cell<u32>,
    reads: Cell<u64>,
    reads_again: Cell<u64>,
    /// True while something is read again.
    is_again: Cell<bool>,
    /// The place at which reading was given up.
    given_up: RefCell<Option<Place>>,
    failures: Cell<u64>,
    /// The number of times an object or a block was expected and something else found.
    no_objects: Cell<u64>,
    found: RefCell<Found>,
    memos: RefCell<HashMap<String, Rc<Memo>>>,
    /// The substitutes for buffered parts, by path.
    changes: RefCell<HashMap<String, Change>>,
    /// The paths of buffered parts that are passed over.
    left_out: RefCell<HashSet<String>>,
    /// The paths of what is buffered, while somebody wants to know.
    watched: RefCell<Option<HashSet<String>>>,
    /// Fields of structures that are as good as there when they are not: sequences and maps.
    empty_fields: RefCell<HashMap<TypeKey, Vec<&'static str>>>,
    /// Structures that have a field of the type `Labels`.
    labelled: RefCell<HashSet<TypeKey>>,
}

/// A substitute tried for a buffered part while locating an error.
#[derive(Clone)]
pub(super) enum Change {
    /// Null, to see whether that makes a difference.
    Null,
    /// A list with it as the only element.
    List,
    /// The replacement for a part, as a type expects it.
    StandIn(String),
}

/// The key that identifies a diagnostic.
type Key = (*const Source, Span, Code, String);

fn key_of(diagnostic: &Diagnostic) -> Key {
    let place = diagnostic.place();
    (Arc::as_ptr(place.source()), place.span(), diagnostic.code().clone(), diagnostic.detail().to_owned())
}

/// A position in the findings: the number of diagnostics, and of paths that could not be read.
type Mark = (usize, usize);

#[derive(Default)]
struct Found {
    list: Vec<Diagnostic>,
    errors: usize,
    /// The reported diagnostics, which are not reported again when something is read again.
    seen: HashSet<Key>,
    /// The paths of what could not be read.
    failed: Vec<String>,
    /// The number of failures at each of these paths, in the order of their texts.
    failed_at: BTreeMap<String, usize>,
}

impl Found {
    fn fail(&mut self, path: String) {
        *self.failed_at.entry(path.clone()).or_default() += 1;
        self.failed.push(path);
    }

    /// Forgets all paths but the first ones.
    fn forget_failed(&mut self, kept: usize) {
        for path in self.failed.split_off(kept.min(self.failed.len())) {
            if let Some(count) = self.failed_at.get_mut(&path) {
                *count -= 1;
                if *count == 0 {
                    self.failed_at.remove(&path);
                }
            }
        }
    }

    /// Looks for a path, or one that begins with it and a step.
    fn has_failed_within(&self, path: &str) -> bool {
        let is_after = |step: &str, next: &str| {
            let (from, to) = (format!("{path}{step}"), format!("{path}{next}"));
            let bounds = (Bound::Included(&*from), Bound::Excluded(&*to));
            self.failed_at.range::<str, _>(bounds).next().is_some()
        };
        // After `.` comes `/`, and after `[` comes `\`.
        path.is_empty() && !self.failed.is_empty()
            || self.failed_at.contains_key(path)
            || is_after(".", "/")
            || is_after("[", "\\")
    }
}

impl<'c> Context<'c> {
    pub fn new(scope: &'c Scope<'c>, unknown_fields: UnknownFields, broken: bool, max_depth: u32) -> Self {
        Context {
            scope,
            literal_only: !scope.allows_variables() && !scope.allows_functions(),
            unknown_fields,
            broken,
            max_depth,
            depth: Cell::new(0),
            reads: Cell::new(0),
            reads_again: Cell::new(0),
            is_again: Cell::new(false),
            given_up: RefCell::default(),
            failures: Cell::new(0),
            no_objects: Cell::new(0),
            found: RefCell::default(),
            memos: RefCell::default(),
            changes: RefCell::default(),
            left_out: RefCell::default(),
            watched: RefCell::default(),
            empty_fields: RefCell::default(),
            labelled: RefCell::default(),
        }
    }

    /// Puts a diagnostic on the list.
    pub fn record(&self, diagnostic: Diagnostic) {
        let found = &mut *self.found.borrow_mut();
        let key = key_of(&diagnostic);
        if found.list.len() < MAX_ERRORS && found.seen.insert(key) {
            found.errors += usize::from(diagnostic.severity() == Severity::Error);
            found.list.push(diagnostic);
        }
    }

    /// Puts errors on the list, because of which what is at a path could not be read.
    fn record_all(&self, diagnostics: Diagnostics, path: &str) {
        diagnostics.into_iter().for_each(|diagnostic| self.record(diagnostic));
        self.found.borrow_mut().fail(path.to_owned());
    }

    /// Returns true if a part within a path could not be read: errors of the whole may be a consequence.
    fn failed_within(&self, path: &str) -> bool {
        self.found.borrow().has_failed_within(path)
    }

    /// Returns the current position in the findings, to go back to.
    pub fn mark(&self) -> Mark {
        let found = self.found.borrow();
        (found.list.len(), found.failed.len())
    }

    /// Forgets what has been found since.
    pub fn go_back(&self, (list, failed): Mark) {
        let found = &mut *self.found.borrow_mut();
        for diagnostic in found.list.split_off(list) {
            found.errors -= usize::from(diagnostic.severity() == Severity::Error);
            found.seen.remove(&key_of(&diagnostic));
        }
        found.forget_failed(failed);
    }

    /// Returns the substitute for a buffered part, if any.
    pub fn change(&self, path: &Path<'_>) -> Option<Change> {
        let changes = self.changes.borrow();
        if changes.is_empty() { None } else { changes.get(&path.to_string()).cloned() }
    }

    /// Reads with null in one place, and forgets what is found.
    pub fn probing<R>(&self, path: &str, read: impl FnOnce() -> R) -> R {
        let before = self.mark();
        let change = self.changes.borrow_mut().insert(path.to_owned(), Change::Null);
        let result = self.again(read);
        let mut changes = self.changes.borrow_mut();
        match change {
            Some(change) => changes.insert(path.to_owned(), change),
            None => changes.remove(path),
        };
        drop(changes);
        self.go_back(before);
        result
    }

    /// Returns true if any part is left out.
    pub fn leaves_out(&self) -> bool {
        !self.left_out.borrow().is_empty()
    }

    /// Returns true if this part is left out.
    pub fn is_left_out(&self, path: &Path<'_>) -> bool {
        let left_out = self.left_out.borrow();
        !left_out.is_empty() && left_out.contains(&path.to_string())
    }

    /// Reads without some parts, and forgets what is found.
    pub fn leaving_out<R>(&self, paths: impl IntoIterator<Item = String>, read: impl FnOnce() -> R) -> R {
        let (before, left_out) = (self.mark(), self.left_out.borrow().clone());
        self.left_out.borrow_mut().extend(paths);
        self.look_again(self.left_out.borrow().len());
        let result = self.again(read);
        self.left_out.replace(left_out);
        self.go_back(before);
        result
    }

    /// The paths of what is buffered by reading something, of which the rest is forgotten.
    pub fn watching<R>(&self, read: impl FnOnce() -> R) -> HashSet<String> {
        let before = self.mark();
        let outer = self.watched.replace(Some(HashSet::default()));
        self.again(read);
        self.go_back(before);
        self.watched.replace(outer).unwrap_or_default()
    }

    /// Counts parts that are looked at to find out what is wrong as if they were read again.
    pub fn look_again(&self, parts: usize) {
        crate::work::step(parts);
        self.reads.set(self.reads.get() + parts as u64);
        self.reads_again.set(self.reads_again.get() + parts as u64);
    }

    /// Counts a part that is read. One that is read again does not allow for more errors of types.
    fn count_read(&self) {
        crate::work::step(1);
        self.reads.set(self.reads.get() + 1);
        if !self.is_again.get() {
            refusals::allow_for_part();
        }
    }

    /// Something is buffered, or else read by a type that takes anything.
    pub fn note_buffered(&self, path: &Path<'_>) {
        self.count_read();
        forget_reasons();
        if let Some(watched) = &mut *self.watched.borrow_mut() {
            watched.insert(path.to_string());
        }
    }

    pub fn diagnostics(self) -> Diagnostics {
        self.found.into_inner().list.into_iter().collect()
    }

    /// Returns the number of failed reads so far.
    pub fn failures(&self) -> u64 {
        self.failures.get()
    }

    pub fn no_objects(&self) -> u64 {
        self.no_objects.get()
    }

    pub fn note_no_object(&self) {
        self.no_objects.set(self.no_objects.get() + 1);
    }

    fn error_count(&self) -> usize {
        self.found.borrow().errors
    }

    /// Returns the changes for the structure at a path, if it is read again.
    pub fn memo(&self, path: &Path<'_>) -> Option<Rc<Memo>> {
        let memos = self.memos.borrow();
        if memos.is_empty() {
            return None;
        }
        memos.get(&path.to_string()).cloned()
    }

    pub fn memo_at(&self, path: &Path<'_>) -> Rc<Memo> {
        self.memo_of(path.to_string())
    }

    fn memo_of(&self, path: String) -> Rc<Memo> {
        self.memos.borrow_mut().entry(path).or_default().clone()
    }

    /// The fields of a structure that are offered where they are not there.
    pub fn empty_fields(&self, key: TypeKey) -> Vec<&'static str> {
        let fields = self.empty_fields.borrow();
        if fields.is_empty() { Vec::new() } else { fields.get(&key).cloned().unwrap_or_default() }
    }

    pub fn can_be_empty(&self, key: TypeKey, field: &'static str) {
        let mut fields = self.empty_fields.borrow_mut();
        let fields = fields.entry(key).or_default();
        if !fields.contains(&field) {
            fields.push(field);
        }
    }

    pub fn has_labels_field(&self, key: TypeKey) -> bool {
        let labelled = self.labelled.borrow();
        !labelled.is_empty() && labelled.contains(&key)
    }

    /// Remembers that a structure has a field of the type `Labels`. False if that was known.
    pub fn note_labels_field(&self, key: TypeKey) -> bool {
        self.labelled.borrow_mut().insert(key)
    }

    /// Returns true if something may be read again.
    pub fn may_read_again(&self) -> bool {
        let again = self.reads_again.get();
        let once = self.reads.get().saturating_sub(again);
        !self.is_full() && again <= once * MAX_AGAIN + FREE_AGAIN
    }

    /// Reads something again. What serde has buffered it reads on its own; the errors that types make of it count
    /// as reads: an untagged enum may try all of its variants at each level.
    fn again<R>(&self, read: impl FnOnce() -> R) -> R {
        let (before, counted) = (self.reads.get(), refusals::counted());
        let is_again = self.is_again.replace(true);
        let result = read();
        self.is_again.set(is_again);
        let refused = refusals::counted().wrapping_sub(counted);
        self.reads.set(self.reads.get() + refused);
        self.reads_again.set(self.reads_again.get() + self.reads.get() - before);
        result
    }

    /// Returns where reading was given up.
    pub fn given_up_at(&self) -> Option<Place> {
        self.given_up.borrow().clone()
    }

    /// Returns true if the limit of errors has been reached.
    fn is_full(&self) -> bool {
        self.error_count() >= MAX_ERRORS
    }
}

/// Reads a value. What is wrong with it is put on the list, and something stands in for it; only where
/// nothing can, it is an error.
pub(super) fn read<'de, T: Deserialize<'de>>(cx: &Context<'_>, input: &Input<'_>, path: &Path<'_>) -> Result<T, Error> {
    cx.count_read();
    let depth = cx.depth.get();
    if depth >= cx.max_depth {
        return Err(too_deep(cx, input, path));
    }
    cx.depth.set(depth + 1);
    let before = cx.mark();
    let under_way = UnderWay { cx, input };
    let result = match T::deserialize(De::new(cx, input, path)) {
        Ok(value) => Ok(value),
        Err(error) => recover(error, before, cx, input, path),
    };
    cx.depth.set(depth);
    std::mem::forget(under_way);
    result
}

/// The value being read. It is dropped only if reading is given up, and then the innermost is the first.
struct UnderWay<'a, 'c, 't> {
    cx: &'a Context<'c>,
    input: &'a Input<'t>,
}

impl Drop for UnderWay<'_, '_, '_> {
    fn drop(&mut self) {
        self.cx.given_up.borrow_mut().get_or_insert_with(|| self.input.place());
    }
}

/// Reads a part whose type is not known, such as one that serde buffers. It counts as a level, too.
pub(super) fn nested<'de, S: DeserializeSeed<'de>>(
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
    seed: S,
) -> Result<S::Value, Error> {
    let depth = cx.depth.get();
    if depth >= cx.max_depth {
        return Err(too_deep(cx, input, path));
    }
    cx.depth.set(depth + 1);
    let result = seed.deserialize(De::new(cx, input, path));
    cx.depth.set(depth);
    result
}

#[cold]
fn too_deep(cx: &Context<'_>, input: &Input<'_>, path: &Path<'_>) -> Error {
    let diagnostic = words::too_deep(input.place(), cx.max_depth);
    cx.record_all(diagnostic.into(), &path.to_string());
    Error::reported()
}

#[cold]
#[inline(never)]
fn recover<'de, T: Deserialize<'de>>(
    error: Error,
    before: Mark,
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Result<T, Error> {
    // The structure around has to be read again.
    if error.needs_labels() && matches!(input, Input::Absent(..)) {
        return Err(error);
    }
    // Nothing more would be reported: the rest is not read.
    if cx.is_full() {
        return Err(Error::reported());
    }
    let name = path.to_string();
    let mut error = error;
    loop {
        if error.wants_labels() {
            // The missing field may be after the labels, and no label may be superfluous.
            cx.go_back(before);
        }
        let goes_on = match located::<T>(&error, cx, input, path) {
            Some(goes_on) => goes_on,
            None => note::<T>(error, cx, input, path, &name),
        };
        if !goes_on || !cx.may_read_again() {
            break;
        }
        match cx.again(|| T::deserialize(De::new(cx, input, path))) {
            Ok(value) => return Ok(value),
            Err(next) => error = next,
        }
    }
    if path.is_root() {
        return Err(Error::reported());
    }
    cx.failures.set(cx.failures.get() + 1);
    // Zero is not a value of all types of numbers.
    let stand_in = |number| T::deserialize(StandIn::new(number));
    stand_in(0).or_else(|_| stand_in(1)).map_err(|_| Error::reported())
}

/// Puts what is wrong on the list, if it is about a part of something that serde has buffered. Whether it helps
/// to read it again.
fn located<'de, T: Deserialize<'de>>(
    error: &Error,
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Option<bool> {
    let (found, expected) = error.words()?;
    if !input.has_parts() || !cx.may_read_again() {
        return None;
    }
    let culprit = locate::<T>(cx, input, path, found, expected)?;
    let change = match (culprit.missing, expected) {
        (None, "a sequence") if culprit.is_single => Change::List,
        (None, _) => {
            let diagnostic = words::refused_at(found, expected, &culprit);
            cx.record_all(diagnostic.into(), &culprit.path);
            Change::StandIn(expected.to_owned())
        }
        (Some(field), _) => {
            if !cx.broken {
                let others = names(cx, input, path);
                let missing = words::missing(culprit.place, path, field, &others, words::Others::Perhaps);
                cx.record_all(missing.into(), &culprit.path);
            }
            Change::StandIn(expected.to_owned())
        }
    };
    Some(cx.changes.borrow_mut().insert(culprit.path, change).is_none())
}

/// Puts what is wrong on the list. Whether it helps to read it again.
fn note<'de, T: Deserialize<'de>>(
    error: Error,
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
    name: &str,
) -> bool {
    match error.into_kind() {
        Kind::Reported => cx.memo_of(name.to_owned()).changed.take(),
        Kind::Placed(diagnostics) => {
            cx.record_all(diagnostics, name);
            false
        }
        // The need for labels has been recorded.
        Kind::NeedsLabels => true,
        Kind::Missing(field) => {
            let memo = cx.memo_of(name.to_owned());
            if field == super::LABEL_FIELD || field == super::LABELS_FIELD {
                return memo.takes_labels.replace(Some(field)).is_none();
            }
            if !memo.offered.borrow().contains(&field) {
                memo.offered.borrow_mut().push(field);
                return true;
            }
            if cx.broken {
                return false;
            }
            // It is not missing here, but in something that is buffered.
            if let Some(goes_on) = narrowed::<T>(Kind::Missing(field), cx, input, path) {
                return goes_on;
            }
            if !cx.failed_within(name) {
                let others = names(cx, input, path);
                let missing = words::missing(input.place(), path, field, &others, words::Others::Perhaps);
                cx.record_all(missing.into(), name);
            }
            false
        }
        Kind::UnknownField(..) if !cx.memo_of(name.to_owned()).refuses_unknown.replace(true) => true,
        fresh => {
            if let Some(goes_on) = narrowed::<T>(fresh.clone(), cx, input, path) {
                return goes_on;
            }
            if !cx.failed_within(name) {
                cx.record_all(refused(&fresh, cx, input, path).into(), name);
            }
            false
        }
    }
}

/// Reports an error in a part that serde has buffered, and leaves the part out. Returns true if reading again helps.
fn narrowed<'de, T: Deserialize<'de>>(
    kind: Kind,
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Option<bool> {
    if !input.has_parts() || !cx.may_read_again() {
        return None;
    }
    let Narrowed { diagnostic, path } = narrow::<T>(kind, cx, input, path)?;
    cx.record_all(diagnostic.map(Diagnostics::from).unwrap_or_default(), &path);
    Some(cx.left_out.borrow_mut().insert(path))
}

/// Gives an error of a type the place of what it was made for.
pub(super) fn placed(error: Error, input: &Input<'_>, path: &Path<'_>) -> Error {
    match error.into_kind() {
        kind @ (Kind::Reported | Kind::Placed(_) | Kind::NeedsLabels) => kind.into(),
        fresh => words::refused(&fresh, input, path).into(),
    }
}
