//! Refinements: facts about an unknown value besides its type (information model, "unknown").
//!
//! A [`Refinement`] contains the facts. [`Refine`] adds facts, rejects contradictions, and turns an unknown value into
//! a known one if the facts leave only one:
//!
//! ```
//! use hcl_lr::model::{Number, Type, Value};
//! let some = Value::unknown(Type::Number).refine().min(Number::from(1), true).value()?;
//! assert!(!some.is_known());
//! let one = some.refine().max(Number::from(1), true).not_null().value()?;
//! assert_eq!(one, Value::from(1));
//! # Ok::<(), hcl_lr::model::refine::RefineError>(())
//! ```

mod either;

pub(crate) use either::either;

use super::number::Number;
use super::text::{Text, normalized};
use super::types::{CollectionKind, Type};
use super::value::{Refined, Repr, Value};
use crate::nfc::may_combine;
use std::fmt;
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

/// The largest length of a list of unknowns that replaces an unknown list of known length.
const MAX_LIST_OF_UNKNOWNS: u64 = 65_536;

/// A bound of a number.
///
/// ```
/// use hcl_lr::model::{refine::Bound, Number};
/// let below_five = Bound { number: Number::from(5), inclusive: false };
/// assert_eq!(below_five.number, Number::from(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound {
    /// The number at the bound.
    pub number: Number,
    /// True if the number itself is still inside.
    pub inclusive: bool,
}

/// The known facts about an unknown value besides its type. By default there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Refinement {
    not_null: bool,
    prefix: Option<Text>,
    min: Option<Bound>,
    max: Option<Bound>,
    min_length: u64,
    max_length: Option<u64>,
}

impl Refinement {
    /// Nothing is known.
    pub(crate) const NOTHING: &'static Refinement =
        &Refinement { not_null: false, prefix: None, min: None, max: None, min_length: 0, max_length: None };

    /// Returns true if the value is certainly not null.
    pub fn is_not_null(&self) -> bool {
        self.not_null
    }

    /// Returns the known start of the string; empty if there is none.
    pub fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or_default()
    }

    /// The lower bound of the number.
    pub fn lower_bound(&self) -> Option<&Bound> {
        self.min.as_ref()
    }

    /// The upper bound of the number.
    pub fn upper_bound(&self) -> Option<&Bound> {
        self.max.as_ref()
    }

    /// The least number of elements of the collection.
    pub fn min_length(&self) -> u64 {
        self.min_length
    }

    /// The greatest number of elements of the collection.
    pub fn max_length(&self) -> Option<u64> {
        self.max_length
    }

    /// Returns true if nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Refinement::default()
    }

    /// Returns true if a number is inside both bounds.
    pub(crate) fn admits_number(&self, number: &Number) -> bool {
        let above = self.min.as_ref().is_none_or(|b| *number > b.number || b.inclusive && *number == b.number);
        let below = self.max.as_ref().is_none_or(|b| *number < b.number || b.inclusive && *number == b.number);
        above && below
    }

    /// Returns true if a collection may have that many elements.
    pub(crate) fn admits_length(&self, length: u64) -> bool {
        length >= self.min_length && self.max_length.is_none_or(|max| length <= max)
    }
}

impl fmt::Display for Refinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut facts = Vec::new();
        if self.not_null {
            facts.push("not null".to_string());
        }
        if let Some(prefix) = &self.prefix {
            facts.push(format!("prefix {prefix:?}"));
        }
        if let Some(Bound { number, inclusive }) = &self.min {
            facts.push(format!("{} {number}", if *inclusive { ">=" } else { ">" }));
        }
        if let Some(Bound { number, inclusive }) = &self.max {
            facts.push(format!("{} {number}", if *inclusive { "<=" } else { "<" }));
        }
        if self.min_length > 0 {
            facts.push(format!("length >= {}", self.min_length));
        }
        if let Some(max) = self.max_length {
            facts.push(format!("length <= {max}"));
        }
        f.write_str(&facts.join(", "))
    }
}

/// Why a refinement is not possible.
///
/// ```
/// use hcl_lr::model::{refine::RefineError, Type, Value};
/// let error = Value::unknown(Type::Bool).refine().prefix("a").value().unwrap_err();
/// assert_eq!(error, RefineError::WrongType { what: "a string prefix", ty: Type::Bool });
/// assert_eq!(error.to_string(), "a bool cannot have a string prefix");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefineError {
    /// Values of this type have nothing of the kind.
    WrongType {
        /// The requested refinement.
        what: &'static str,
        /// The type of the value.
        ty: Type,
    },
    /// The new fact contradicts an earlier one.
    Contradiction(&'static str),
}

impl fmt::Display for RefineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefineError::WrongType { what, ty } => write!(f, "a {ty} cannot have {what}"),
            RefineError::Contradiction(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for RefineError {}

/// Adds facts to a value; created by [`Value::refine`], completed by [`Refine::value`]. The first error is kept, and
/// later calls are ignored.
///
/// A known value accepts only facts that are true for it, and does not change.
///
/// ```
/// use hcl_lr::model::Value;
/// assert_eq!(Value::from("abc").refine().prefix("ab").value()?, Value::from("abc"));
/// assert!(Value::from("abc").refine().full_prefix("x").value().is_err());
/// # Ok::<(), hcl_lr::model::refine::RefineError>(())
/// ```
#[must_use]
#[derive(Debug)]
pub struct Refine {
    value: Value,
    refinement: Refinement,
    null: bool,
    error: Option<RefineError>,
}

impl Value {
    /// Returns the refinement of an unknown value; an empty one if the value is known.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let value = Value::unknown(Type::String).refine().not_null().value()?;
    /// assert!(value.refinement().is_not_null());
    /// # Ok::<(), hcl_lr::model::refine::RefineError>(())
    /// ```
    pub fn refinement(&self) -> &Refinement {
        match &self.unmarked().0 {
            Repr::Refined(refined) => &refined.refinement,
            _ => Refinement::NOTHING,
        }
    }

    /// Returns true if this is certainly not null: known and not null, or refined so.
    pub fn is_never_null(&self) -> bool {
        match &self.unmarked().0 {
            Repr::Refined(refined) => refined.refinement.not_null,
            Repr::Unknown(_) | Repr::Null(_) => false,
            _ => true,
        }
    }

    /// Starts to add knowledge to this value. Marks stay.
    pub fn refine(&self) -> Refine {
        Refine { value: self.clone(), refinement: self.refinement().clone(), null: self.is_null(), error: None }
    }

    /// Returns an unknown value of that type that is certainly not null.
    pub(crate) fn unknown_not_null(ty: Type) -> Value {
        if ty == Type::Dynamic {
            return Value::unknown(ty);
        }
        let refinement = Refinement { not_null: true, ..Refinement::default() };
        Value(Repr::Refined(Arc::new(Refined { ty, refinement })))
    }
}

impl Refine {
    fn fail(mut self, error: RefineError) -> Refine {
        self.error.get_or_insert(error);
        self
    }

    /// Runs `add` if the type is suitable and nothing has failed.
    fn when(
        mut self,
        right: bool,
        what: &'static str,
        add: impl FnOnce(&mut Refinement) -> Result<(), &'static str>,
    ) -> Refine {
        if self.error.is_some() {
            return self;
        }
        if !right {
            let ty = self.value.ty();
            return self.fail(RefineError::WrongType { what, ty });
        }
        match add(&mut self.refinement) {
            Ok(()) => self,
            Err(why) => self.fail(RefineError::Contradiction(why)),
        }
    }

    /// The value is certainly not null.
    pub fn not_null(self) -> Refine {
        let null = self.null;
        self.when(true, "that", |refinement| {
            if null {
                return Err("a null value cannot be refined to be not null");
            }
            refinement.not_null = true;
            Ok(())
        })
    }

    /// Declares that the value is null, so that it becomes known.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let value = Value::unknown(Type::Bool).refine().null().value()?;
    /// assert_eq!(value, Value::null(Type::Bool));
    /// # Ok::<(), hcl_lr::model::refine::RefineError>(())
    /// ```
    pub fn null(mut self) -> Refine {
        if self.value.is_never_null() || self.refinement.not_null {
            return self.fail(RefineError::Contradiction("a value that is not null cannot be refined to be null"));
        }
        self.null = true;
        self
    }

    /// Declares that the string starts with this text. The last character may still combine with the next one, so its
    /// grapheme cluster is left out, unless it is one of the ASCII characters that never combine.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let prefix = |text| {
    ///     let value = Value::unknown(Type::String).refine().prefix(text).value();
    ///     value.unwrap().refinement().prefix().to_string()
    /// };
    /// assert_eq!(prefix("abc"), "ab");
    /// assert_eq!(prefix("abc-"), "abc-");
    /// ```
    pub fn prefix(self, text: &str) -> Refine {
        let text = normalized(text);
        let safe = safe_prefix(&text);
        self.full_prefix(safe)
    }

    /// Like [`Refine::prefix`], for callers that know that the next character does not change the last one.
    pub fn full_prefix(self, text: &str) -> Refine {
        let right = self.value.ty() == Type::String;
        let known = self.value.as_name().cloned();
        self.when(right, "a string prefix", |refinement| {
            let text = normalized(text);
            let have = known.as_deref().unwrap_or(refinement.prefix());
            let longer = text.len() > have.len();
            let agrees = if longer && known.is_none() { text.starts_with(have) } else { have.starts_with(&*text) };
            if !agrees {
                return Err("the string prefix contradicts what is known about the string");
            }
            if longer {
                refinement.prefix = Some(text);
            }
            Ok(())
        })
    }

    /// The number is at least this one.
    pub fn min(self, number: Number, inclusive: bool) -> Refine {
        let right = self.value.ty() == Type::Number;
        let known = self.value.as_number().cloned();
        self.when(right, "number bounds", |refinement| {
            let bound = Bound { number, inclusive };
            let tighter = refinement
                .min
                .as_ref()
                .is_none_or(|old| bound.number > old.number || bound.number == old.number && !bound.inclusive);
            // The range of numbers begins at negative infinity anyway.
            if tighter && bound.number != Number::NEG_INFINITY {
                refinement.min = Some(bound);
            }
            check_bounds(refinement, known)
        })
    }

    /// The number is at most this one.
    pub fn max(self, number: Number, inclusive: bool) -> Refine {
        let right = self.value.ty() == Type::Number;
        let known = self.value.as_number().cloned();
        self.when(right, "number bounds", |refinement| {
            let bound = Bound { number, inclusive };
            let tighter = refinement
                .max
                .as_ref()
                .is_none_or(|old| bound.number < old.number || bound.number == old.number && !bound.inclusive);
            if tighter && bound.number != Number::INFINITY {
                refinement.max = Some(bound);
            }
            check_bounds(refinement, known)
        })
    }

    /// The collection has at least that many elements.
    pub fn min_length(self, length: u64) -> Refine {
        let right = self.value.ty().collection_kind().is_some();
        let known = self.value.node().map(|node| node.items.len() as u64);
        self.when(right, "a length", |refinement| {
            refinement.min_length = refinement.min_length.max(length);
            check_lengths(refinement, known)
        })
    }

    /// The collection has at most that many elements.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let none = Value::unknown(Type::map(Type::Bool)).refine().max_length(0).not_null();
    /// assert_eq!(none.value()?.to_string(), "{}");
    /// # Ok::<(), hcl_lr::model::refine::RefineError>(())
    /// ```
    pub fn max_length(self, length: u64) -> Refine {
        let right = self.value.ty().collection_kind().is_some();
        let known = self.value.node().map(|node| node.items.len() as u64);
        self.when(right, "a length", |refinement| {
            let old = refinement.max_length.unwrap_or(u64::MAX);
            refinement.max_length = Some(old.min(length));
            check_lengths(refinement, known)
        })
    }

    /// Returns the value with all its facts; a known value if only one is left.
    ///
    /// # Errors
    /// A fact does not suit the type, or contradicts another one.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let pair = Value::unknown(Type::list(Type::Bool));
    /// let pair = pair.refine().not_null().min_length(2).max_length(2).value()?;
    /// assert_eq!(pair.elements().unwrap().len(), 2);
    /// # Ok::<(), hcl_lr::model::refine::RefineError>(())
    /// ```
    pub fn value(self) -> Result<Value, RefineError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.value.is_known() {
            return Ok(self.value);
        }
        let marks = self.value.marks();
        let ty = self.value.ty();
        let value = if self.null { Value::null(ty) } else { settle(ty, self.refinement) };
        Ok(value.with_marks(&marks))
    }
}

fn check_bounds(refinement: &Refinement, known: Option<Number>) -> Result<(), &'static str> {
    let fits = match (&known, &refinement.min, &refinement.max) {
        (Some(number), _, _) => refinement.admits_number(number),
        (None, Some(min), Some(max)) => {
            let meet = min.number == max.number && min.inclusive && max.inclusive;
            min.number < max.number || meet
        }
        (None, Some(min), None) => min.inclusive || min.number != Number::INFINITY,
        (None, None, Some(max)) => max.inclusive || max.number != Number::NEG_INFINITY,
        (None, None, None) => true,
    };
    if fits { Ok(()) } else { Err("the number bounds contradict what is known about the number") }
}

fn check_lengths(refinement: &Refinement, known: Option<u64>) -> Result<(), &'static str> {
    let fits = match known {
        Some(length) => refinement.admits_length(length),
        None => refinement.max_length.is_none_or(|max| refinement.min_length <= max),
    };
    if fits { Ok(()) } else { Err("the length bounds contradict what is known about the length") }
}

/// Returns the unknown value with that refinement, or the only value that it allows.
fn settle(ty: Type, refinement: Refinement) -> Value {
    if refinement.is_empty() || ty == Type::Dynamic {
        // No facts are kept about a value of unknown type.
        return Value::unknown(ty);
    }
    if refinement.not_null {
        match (&refinement.min, &refinement.max) {
            (Some(min), Some(max)) if min == max && min.inclusive => {
                return Value(Repr::Number(min.number.clone()));
            }
            _ => {}
        }
        if let Some(known) = settle_collection(&ty, &refinement) {
            return known;
        }
    }
    Value(Repr::Refined(Arc::new(Refined { ty, refinement })))
}

/// Returns a collection of known length: the empty one, a list of unknowns, a set of one unknown.
fn settle_collection(ty: &Type, refinement: &Refinement) -> Option<Value> {
    let kind = ty.collection_kind()?;
    let element = ty.element_type()?;
    let length = refinement.max_length.filter(|max| *max == refinement.min_length)?;
    let unknowns = || vec![Value::unknown(element.clone()); length as usize];
    match (kind, length) {
        (_, 0) => Some(Value::empty(kind, element.clone())),
        (CollectionKind::List, 1..=MAX_LIST_OF_UNKNOWNS) => Value::list(element.clone(), unknowns()).ok(),
        (CollectionKind::Set, 1) => Value::set(element.clone(), unknowns()).ok(),
        _ => None,
    }
}

/// Returns the part of a text that stays as it is, whatever follows the text.
///
/// The official engine does not search after a newline, unless a combining character may change the last character.
fn safe_prefix(text: &str) -> &str {
    /// Punctuation and space that never combine. `<`, `=` and `>` are not among them: with a combining stroke they
    /// become other characters (U+226E, U+2260, U+226F).
    const SOLID: &str = " \t!\"#$%&'()*+,-./:;?@[\\]^_{|}~";
    if let Some(end) = line_end(text)
        && !text.chars().next_back().is_some_and(may_combine)
    {
        return &text[..end];
    }
    match text.graphemes(true).next_back() {
        Some(last) if last.len() == 1 && SOLID.contains(last) => text,
        Some(last) => &text[..text.len() - last.len()],
        None => text,
    }
}

/// Returns the first line break of one character.
fn line_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let pair = |at: usize| bytes[at..].starts_with(b"\r\n") || bytes[at] == b'\n' && bytes[..at].ends_with(b"\r");
    memchr::memchr2_iter(b'\n', b'\r', bytes).find(|&at| !pair(at))
}
