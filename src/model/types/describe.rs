//! Names of types for messages, and explanations of mismatches.

use super::compare::LARGE;
use super::{ObjectType, Type};
use crate::identifier::is_identifier;
use crate::model::path::{Located, Path, PathStep};
use crate::stack::with_room_for;
use crate::writer::quote_into;
use std::collections::HashSet;
use std::fmt;

/// Writes the name for messages: `string`, `list of number`, `object`, `tuple`, `any type`.
///
/// Use [`Type::describe`] for a complete description in the form of a type expression.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ty = self;
        loop {
            let (word, inner) = match ty {
                Type::Dynamic => return f.write_str("any type"),
                Type::String => return f.write_str("string"),
                Type::Number => return f.write_str("number"),
                Type::Bool => return f.write_str("bool"),
                Type::Tuple(_) => return f.write_str("tuple"),
                Type::Object(_) => return f.write_str("object"),
                Type::Capsule(capsule) => return f.write_str(capsule.name()),
                Type::List(element) => ("list of ", element),
                Type::Set(element) => ("set of ", element),
                Type::Map(element) => ("map of ", element),
            };
            f.write_str(word)?;
            ty = inner.get();
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl fmt::Debug for super::ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.get(), f)
    }
}

impl fmt::Debug for super::TupleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Type::Tuple(self.clone()), f)
    }
}

impl fmt::Debug for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Type::Object(self.clone()), f)
    }
}

impl fmt::Debug for super::AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.is_optional() { "?" } else { "" };
        write!(f, "{}{mark}: {:?}", self.name(), self.ty())
    }
}

impl Type {
    /// Returns the whole type as a type expression. Names of attributes that are not identifiers are in quotes.
    ///
    /// ```
    /// use hcl_lr::model::{AttributeType, Type};
    /// let ty = Type::list(Type::object_with([
    ///     AttributeType::required("id", Type::Number),
    ///     AttributeType::optional("tags", Type::set(Type::String)),
    /// ]));
    /// assert_eq!(ty.describe(), "list(object({id = number, tags = optional(set(string))}))");
    /// ```
    pub fn describe(&self) -> String {
        with_room_for(self.height(), || {
            let mut out = String::new();
            self.describe_into(&mut out);
            out
        })
    }

    fn describe_into(&self, out: &mut String) {
        match self {
            Type::Dynamic => out.push_str("any"),
            Type::String | Type::Number | Type::Bool => out.push_str(self.plain_name()),
            Type::Capsule(capsule) => out.push_str(capsule.name()),
            Type::List(element) => wrap(out, "list(", element.get()),
            Type::Set(element) => wrap(out, "set(", element.get()),
            Type::Map(element) => wrap(out, "map(", element.get()),
            Type::Tuple(tuple) => describe_tuple(out, tuple.elements()),
            Type::Object(object) => describe_object(out, object),
        }
    }

    fn plain_name(&self) -> &'static str {
        match self {
            Type::String => "string",
            Type::Number => "number",
            _ => "bool",
        }
    }
}

fn wrap(out: &mut String, open: &str, element: &Type) {
    out.push_str(open);
    element.describe_into(out);
    out.push(')');
}

fn describe_tuple(out: &mut String, elements: &[Type]) {
    out.push_str("tuple([");
    for (at, element) in elements.iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        element.describe_into(out);
    }
    out.push_str("])");
}

fn describe_object(out: &mut String, object: &ObjectType) {
    out.push_str("object({");
    for (at, attribute) in object.attributes().iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        match is_identifier(attribute.name()) {
            true => out.push_str(attribute.name()),
            false => quote_into(attribute.name(), out),
        }
        out.push_str(if attribute.is_optional() { " = optional(" } else { " = " });
        attribute.ty().describe_into(out);
        out.push_str(if attribute.is_optional() { ")" } else { "" });
    }
    out.push_str("})");
}

/// The place and the reason of a mismatch between a type and a specification.
///
/// ```
/// use hcl_lr::model::Type;
/// let spec = Type::object([("ports", Type::list(Type::Number))]);
/// let given = Type::object([("ports", Type::list(Type::String))]);
/// let mismatch = given.conforms_to(&spec).unwrap_err();
/// assert_eq!(mismatch.to_string(), ".ports[*]: a number is required, not a string");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeMismatch(pub(crate) Box<Located>);

impl TypeMismatch {
    /// Returns the path at which the types differ; `[*]` stands for every element of a collection.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the reason without the path.
    pub fn reason(&self) -> &str {
        &self.0.why
    }
}

impl fmt::Display for TypeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for TypeMismatch {}

impl Type {
    /// Checks that a value of this type fits the specification as it is, without conversion: the types are identical
    /// wherever the specification is not dynamic. An optional attribute of the specification may be missing.
    ///
    /// # Errors
    /// The first difference, with its path.
    pub fn conforms_to(&self, specification: &Type) -> Result<(), TypeMismatch> {
        let mut walk = Walk::default();
        match difference(self, specification, &mut walk) {
            None => Ok(()),
            Some(why) => Err(TypeMismatch(Located::new(walk.path, why))),
        }
    }
}

/// A walk through two types.
#[derive(Default)]
struct Walk {
    /// The path.
    path: Vec<PathStep>,
    /// Large parts that have been found to fit, because there may be exponentially many paths to them.
    fit: HashSet<(usize, usize), foldhash::fast::RandomState>,
}

fn difference(given: &Type, wanted: &Type, walk: &mut Walk) -> Option<String> {
    match (given, wanted) {
        (_, Type::Dynamic) => None,
        // Parts that both share need no walk.
        _ if given.address().is_some() && given.address() == wanted.address() => None,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            below(a.get(), b.get(), PathStep::Any, walk)
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            let (have, want) = (a.elements(), b.elements());
            if have.len() != want.len() {
                return Some(texts::count(want.len(), have.len()));
            }
            (0..want.len()).find_map(|at| below(&have[at], &want[at], PathStep::Position(at), walk))
        }
        (Type::Object(a), Type::Object(b)) => object_difference(a, b, walk),
        _ if given == wanted => None,
        _ => Some(texts::required(wanted, given)),
    }
}

/// Returns the difference between two parts; the step is added to its path.
fn below(given: &Type, wanted: &Type, step: PathStep, walk: &mut Walk) -> Option<String> {
    let both = given.address().zip(wanted.address()).filter(|_| given.size() >= LARGE);
    if both.is_some_and(|both| walk.fit.contains(&both)) {
        return None;
    }
    walk.path.push(step);
    let mismatch = difference(given, wanted, walk);
    if mismatch.is_none() {
        walk.path.pop();
        walk.fit.extend(both);
    }
    mismatch
}

fn object_difference(given: &ObjectType, wanted: &ObjectType, walk: &mut Walk) -> Option<String> {
    for want in wanted.attributes() {
        match given.get(want.name()) {
            None if want.is_optional() => {}
            None => return Some(texts::missing(want.name())),
            Some(have) => {
                let step = PathStep::Attribute(want.shared_name().clone());
                let mismatch = below(have.ty(), want.ty(), step, walk);
                if mismatch.is_some() {
                    return mismatch;
                }
            }
        }
    }
    let extra = given.attributes().iter().find(|a| wanted.get(a.name()).is_none())?;
    Some(format!("unexpected attribute \"{}\"", extra.name()))
}

/// Texts that conversion shares with this file.
pub(crate) mod texts {
    use super::Type;

    /// The size up to which messages describe a whole type.
    const LONGEST: u64 = 16 * 1024;

    pub(crate) fn required(wanted: &Type, given: &Type) -> String {
        if wanted.to_string() == given.to_string() && wanted.size().max(given.size()) <= LONGEST {
            return instead(&wanted.describe(), &given.describe());
        }
        instead(&wanted.to_string(), &given.to_string())
    }

    /// Returns the message for two types without a common one.
    pub(crate) fn no_common(one: &Type, other: &Type) -> String {
        let [mut names, described] = [[one, other].map(Type::to_string), [one, other].map(Type::describe)];
        if names[0] == names[1] && one.size().max(other.size()) <= LONGEST {
            names = described;
        }
        format!("{} and {} have no common type", a(&names[0]), a(&names[1]))
    }

    /// Returns the message for a value of another kind than required.
    pub(crate) fn instead(wanted: &str, given: &str) -> String {
        format!("{} is required, not {}", a(wanted), a(given))
    }

    /// A noun with the article before it.
    pub(crate) fn a(noun: &str) -> String {
        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {noun}")
    }

    /// The names of types; of many, the first few.
    pub(crate) fn list(types: &[Type]) -> String {
        const MOST: usize = 10;
        let names: Vec<String> = types.iter().take(MOST).map(Type::to_string).collect();
        let more = if types.len() > MOST { ", …" } else { "" };
        format!("{}{more}", names.join(", "))
    }

    pub(crate) fn missing(name: &str) -> String {
        format!("attribute \"{name}\" is required")
    }

    pub(crate) fn count(wanted: usize, given: usize) -> String {
        let plural = if wanted == 1 { "" } else { "s" };
        format!("a tuple of {wanted} element{plural} is required, not of {given}")
    }
}
