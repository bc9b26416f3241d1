//! Access to the content of values.

use super::{Node, Repr, Value};
use crate::model::capsule::Capsule;
use crate::model::marks::MarkSet;
use crate::model::number::Number;
use crate::model::path::PathStep;
use crate::model::refine::Refinement;
use crate::model::text::Text;
use crate::model::types::Type;

/// A value to match on, or to compare with a Rust literal.
///
/// A marked, null or unknown value does not equal any literal.
///
/// ```
/// use hcl_lr::model::{Value, View};
/// let value = Value::tuple([Value::from(1), Value::from("a")]);
/// let View::Tuple(elements) = value.view() else { unreachable!() };
/// assert!(matches!(elements[1].view(), View::String("a")));
/// assert!(value[0].view() == 1 && value[1].view() == "a");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum View<'v> {
    /// The null of the value's type.
    Null,
    /// An unknown value of the value's type, and its refinement.
    Unknown(&'v Refinement),
    /// True or false.
    Bool(bool),
    /// A number.
    Number(&'v Number),
    /// Text.
    String(&'v str),
    /// The elements of a list, in order.
    List(&'v [Value]),
    /// The elements of a set, in its order.
    Set(&'v [Value]),
    /// The elements of a map, ordered by key.
    Map(Entries<'v>),
    /// The elements of a tuple, in order.
    Tuple(&'v [Value]),
    /// The attributes of an object, ordered by name.
    Object(Entries<'v>),
    /// An application's own data.
    Capsule(&'v Capsule),
    /// A value with marks on it.
    Marked(&'v MarkSet, &'v Value),
}

/// The elements of a map or the attributes of an object, ordered by name.
///
/// ```
/// use hcl_lr::model::Value;
/// let object = Value::object([("b", Value::from(1)), ("a", Value::from(2))]);
/// let names: Vec<&str> = object.entries().unwrap().map(|(name, _)| name).collect();
/// assert_eq!(names, ["a", "b"]);
/// ```
#[derive(Clone)]
pub struct Entries<'v> {
    node: &'v Node,
    at: usize,
}

impl<'v> Entries<'v> {
    /// Returns the entries of a map or object.
    pub(super) fn of(node: &'v Node) -> Self {
        Entries { node, at: 0 }
    }

    pub(crate) fn shared_name(node: &'v Node, at: usize) -> Option<&'v Text> {
        match node.ty.attributes() {
            Some(attributes) => attributes.get(at).map(|a| a.shared_name()),
            None => node.keys.get(at),
        }
    }
}

impl<'v> Iterator for Entries<'v> {
    type Item = (&'v str, &'v Value);

    fn next(&mut self) -> Option<(&'v str, &'v Value)> {
        let value = self.node.items.get(self.at)?;
        let name = Entries::shared_name(self.node, self.at)?;
        self.at += 1;
        Some((name, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.node.items.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl std::fmt::Debug for Entries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}

impl Value {
    /// The value to match on.
    pub fn view(&self) -> View<'_> {
        match &self.0 {
            Repr::Bool(b) => View::Bool(*b),
            Repr::Number(number) => View::Number(number),
            Repr::Text(text) => View::String(text),
            Repr::Capsule(capsule) => View::Capsule(capsule),
            Repr::Null(_) => View::Null,
            Repr::Unknown(_) => View::Unknown(Refinement::NOTHING),
            Repr::Refined(refined) => View::Unknown(&refined.refinement),
            Repr::Marked(marked) => View::Marked(&marked.marks, &marked.value),
            Repr::Node(node) => match node.ty {
                Type::List(_) => View::List(&node.items),
                Type::Set(_) => View::Set(&node.items),
                Type::Map(_) => View::Map(Entries::of(node)),
                Type::Tuple(_) => View::Tuple(&node.items),
                _ => View::Object(Entries::of(node)),
            },
        }
    }

    /// Returns the parts of a known value that has parts. Ignores marks.
    pub(crate) fn node(&self) -> Option<&Node> {
        match &self.unmarked().0 {
            Repr::Node(node) => Some(node),
            _ => None,
        }
    }

    /// Returns the text of a known string. Ignores marks, like the other `as_` functions.
    pub fn as_str(&self) -> Option<&str> {
        self.as_name().map(|name| &**name)
    }

    pub(crate) fn as_name(&self) -> Option<&Text> {
        match &self.unmarked().0 {
            Repr::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is a known one.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.unmarked().0 {
            Repr::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The bool, if this is a known one.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.unmarked().0 {
            Repr::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The application's own data, if this is a known capsule.
    pub fn as_capsule(&self) -> Option<&Capsule> {
        match &self.unmarked().0 {
            Repr::Capsule(capsule) => Some(capsule),
            _ => None,
        }
    }

    /// Returns the parts of a list, set, map, tuple or object, in order; `None` for all other values, including nulls
    /// and unknowns. Marks of the value are not added to the parts.
    pub fn elements(&self) -> Option<&[Value]> {
        self.node().map(|node| &node.items[..])
    }

    /// Returns the parts of a map or object with their names, ordered by name.
    pub fn entries(&self) -> Option<Entries<'_>> {
        let node = self.node()?;
        matches!(node.ty, Type::Map(_) | Type::Object(_)).then_some(Entries { node, at: 0 })
    }

    /// [`Value::entries`] with names that can be shared.
    pub(crate) fn shared_entries(&self) -> Option<impl Iterator<Item = (&Text, &Value)>> {
        let Entries { node, .. } = self.entries()?;
        let named = |(at, item)| Some((Entries::shared_name(node, at)?, item));
        Some(node.items.iter().enumerate().filter_map(named))
    }

    /// One attribute of an object.
    pub fn attribute(&self, name: &str) -> Option<&Value> {
        let node = self.node()?;
        match &node.ty {
            Type::Object(object) => object.position(name).map(|at| &node.items[at]),
            _ => None,
        }
    }

    /// One element of a map.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let map = Value::map(Type::Number, [("a", Value::from(1))])?;
    /// assert_eq!(map.entry("a"), Some(&Value::from(1)));
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn entry(&self, key: &str) -> Option<&Value> {
        let node = self.node()?;
        let at = node.keys.binary_search_by(|k| (**k).cmp(key)).ok()?;
        node.items.get(at)
    }

    /// Returns the attribute or element of a name. Looks first at `place`, where another value had it, and updates
    /// `place`.
    pub(crate) fn part_near(&self, name: &str, place: &mut usize) -> Option<&Value> {
        let node = self.node()?;
        if Entries::shared_name(node, *place).is_none_or(|there| **there != *name) {
            *place = match &node.ty {
                Type::Object(object) => object.position(name)?,
                _ => node.keys.binary_search_by(|key| (**key).cmp(name)).ok()?,
            };
        }
        node.items.get(*place)
    }

    /// Returns true if a known set has that element, compared exactly.
    ///
    /// ```
    /// use hcl_lr::model::{Type, Value};
    /// let set = Value::set(Type::Number, [Value::from(1)])?;
    /// assert!(set.set_contains(&Value::from(1)) && !set.set_contains(&Value::from(2)));
    /// # Ok::<(), hcl_lr::model::TypeMismatch>(())
    /// ```
    pub fn set_contains(&self, element: &Value) -> bool {
        self.node().is_some_and(|node| {
            matches!(node.ty, Type::Set(_)) && super::set_order::position(&node.items, element).is_some()
        })
    }

    /// One step of a path.
    pub(crate) fn step(&self, step: &PathStep) -> Option<&Value> {
        self.node()?.items.get(self.position_of(step)?)
    }

    /// Returns the index of the part for a step of a path.
    pub(super) fn position_of(&self, step: &PathStep) -> Option<usize> {
        let node = self.node()?;
        match (step, &node.ty) {
            (PathStep::Attribute(name), Type::Object(object)) => object.position(name),
            (PathStep::Key(key), Type::Map(_)) => node.keys.binary_search(key).ok(),
            (PathStep::Position(at), Type::List(_) | Type::Set(_) | Type::Tuple(_)) => {
                (*at < node.items.len()).then_some(*at)
            }
            (PathStep::Element(element), Type::Set(_)) => super::set_order::position(&node.items, element),
            _ => None,
        }
    }
}
