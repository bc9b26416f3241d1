//! The defaults for attributes that a value omits.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::limits::Account;
use crate::model::convert::Safety;
use crate::model::unify::unify_within;
use crate::model::{CollectionKind, Type, Value, View};
use crate::stack;

/// The defaults for attributes that a value may omit, at any depth of a type. Cheap to clone.
///
/// ```
/// use hcl_lr::{Body, parse};
/// use hcl_lr::model::{Type, Value};
/// use hcl_lr::type_expr::read_constraint;
///
/// let body = parse::<Body>("type = map(object({ size = optional(number, 1) }))\n").into_result()?;
/// let attributes = body.attributes().into_result()?;
/// let constraint = read_constraint(attributes.get("type").expect("it is there").expression())?;
///
/// let disk = |size| Value::object([("size", size)]);
/// let disks = Value::object([("a", disk(Value::null(Type::Dynamic))), ("b", disk(Value::from(2)))]);
/// assert_eq!(constraint.defaults().apply(&disks).to_string(), "{ a = { size = 1 }, b = { size = 2 } }");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct Defaults {
    /// All levels in one list, inner ones first, so that types of any depth are dropped without recursion.
    levels: Arc<[Level]>,
}

/// The defaults within a type.
#[derive(Default)]
pub(super) struct Level {
    /// The attributes of an object that have a default. The defaults within its type have already been applied to it.
    pub values: Vec<(String, Value)>,
    /// The parts that have defaults, as indexes of levels.
    pub parts: Parts,
}

#[derive(Default)]
pub(super) enum Parts {
    #[default]
    None,
    /// The elements of a collection.
    Each(usize),
    /// The elements of a tuple.
    Positions(Vec<Option<usize>>),
    /// The attributes of an object.
    Names(BTreeMap<String, usize>),
}

impl Parts {
    fn at(&self, index: usize) -> Option<usize> {
        match self {
            Parts::Each(level) => Some(*level),
            Parts::Positions(levels) => levels.get(index).copied().flatten(),
            Parts::None | Parts::Names(_) => None,
        }
    }

    fn of(&self, name: &str) -> Option<usize> {
        match self {
            Parts::Each(level) => Some(*level),
            Parts::Names(levels) => levels.get(name).copied(),
            Parts::None | Parts::Positions(_) => None,
        }
    }
}

impl Defaults {
    /// Returns true if there are no defaults.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Returns the value with the defaults for all attributes that are missing or null. An unknown attribute with a
    /// default stays unknown, but is never null. A value that is null or unknown itself stays as it is, and so do parts
    /// that the defaults do not fit: the conversion to the type of the constraint, which comes next, reports them.
    ///
    /// If the defaults make the elements of a collection differ in type, they are converted to a common type; if there
    /// is none, the collection becomes a tuple or object.
    pub fn apply(&self, value: &Value) -> Value {
        self.apply_within(value, &Account::default())
    }

    /// [`apply`](Self::apply), as part of an evaluation.
    pub(crate) fn apply_within(&self, value: &Value, account: &Account) -> Value {
        match self.levels.len().checked_sub(1) {
            Some(outermost) => apply(&self.levels, outermost, value, account),
            None => value.clone(),
        }
    }

    /// The defaults of the last of the levels.
    pub(super) fn of_levels(levels: Vec<Level>) -> Self {
        Defaults { levels: levels.into() }
    }
}

impl fmt::Debug for Defaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.levels.iter().map(|level| level.values.len()).sum();
        write!(f, "Defaults for {count} attributes")
    }
}

/// Returns the value with the defaults of a level and its inner levels.
pub(super) fn apply(levels: &[Level], level: usize, value: &Value, account: &Account) -> Value {
    let parts = value.elements().map_or(0, <[Value]>::len) + levels[level].values.len();
    if account.steps(1 + parts as u64).and_then(|()| account.elements(parts)).is_err() {
        return value.clone();
    }
    stack::with_room(|| {
        let (plain, marks) = value.unmark();
        let level = &levels[level];
        let part = |level: Option<usize>, part: &Value| match level {
            Some(level) => apply(levels, level, part, account),
            None => part.clone(),
        };
        let complete = match plain.view() {
            View::List(elements) | View::Set(elements) | View::Tuple(elements) => {
                let parts = elements.iter().enumerate().map(|(at, element)| part(level.parts.at(at), element));
                sequence(&plain.ty(), parts.collect(), account)
            }
            View::Map(entries) | View::Object(entries) => {
                let parts = entries.map(|(name, value)| (name.to_owned(), part(level.parts.of(name), value)));
                let mut parts: BTreeMap<String, Value> = parts.collect();
                for (name, default) in &level.values {
                    let given = parts.get(name).filter(|given| !given.is_null());
                    parts.insert(name.clone(), given.map_or_else(|| default.clone(), |given| settled(given, default)));
                }
                named(&plain.ty(), parts, account)
            }
            _ => return value.clone(),
        };
        complete.with_marks(&marks)
    })
}

/// Returns the value of an attribute with a default. If it is unknown, it is refined as never null, because the default
/// would replace a null.
fn settled(given: &Value, default: &Value) -> Value {
    if given.is_known() || given.ty() == Type::Dynamic || default.is_null() {
        return given.clone();
    }
    let (plain, marks) = given.unmark();
    plain.refine().not_null().value().map_or_else(|_| given.clone(), |refined| refined.with_marks(&marks))
}

/// Returns a sequence of a type, as far as its elements allow.
fn sequence(ty: &Type, elements: Vec<Value>, account: &Account) -> Value {
    match ty.collection_kind() {
        Some(kind) if elements.is_empty() => Value::empty(kind, element_type(ty)),
        Some(kind) => collection(kind, Value::tuple(elements), account),
        None => Value::tuple(elements),
    }
}

/// Returns a map or object of a type, as far as its elements allow.
fn named(ty: &Type, elements: BTreeMap<String, Value>, account: &Account) -> Value {
    match ty.collection_kind() {
        Some(kind) if elements.is_empty() => Value::empty(kind, element_type(ty)),
        Some(kind) => collection(kind, Value::object(elements), account),
        None => Value::object(elements),
    }
}

fn element_type(ty: &Type) -> Type {
    ty.element_type().cloned().unwrap_or(Type::Dynamic)
}

/// Returns a tuple or object as a collection, if its elements have a common type.
fn collection(kind: CollectionKind, parts: Value, account: &Account) -> Value {
    let types: Vec<Type> = parts.elements().unwrap_or_default().iter().map(Value::ty).collect();
    let height = types.iter().map(Type::height).max().unwrap_or(0).max(parts.height());
    stack::with_room_for(height, || {
        let common = match types.split_first() {
            Some((first, others)) if others.iter().all(|ty| ty == first) => Some(first.clone()),
            _ => unify_within(&types, Safety::Unsafe, account),
        };
        common.and_then(|ty| parts.convert_within(&kind.of(ty), account).ok()).unwrap_or(parts)
    })
}
