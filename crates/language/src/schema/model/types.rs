//! Types of attributes and labels.

use std::fmt;
use std::sync::Arc;

use super::deprecated::Deprecated;
use hcl_lr::model::{self, AttributeType, Number, Value};
use hcl_lr::stack;

/// The type of an attribute or label: its possible values, and how its expression is read.
///
/// Its text is the notation of schema files:
///
/// ```
/// use hcl_lr_language::schema::Type;
///
/// assert_eq!(Type::list(Type::one_of([Type::String, Type::Bool])).to_string(), "list(one_of(string, bool))");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Type {
    /// `any`: any value.
    Any,
    /// `string`: any value that converts to a string.
    String,
    /// `number` or `number(0, 1)`: any value that converts to a number, within a range.
    Number(Range),
    /// `integer` or `integer(1, 65535)`: any value that converts to a whole number, within a range.
    Integer(Range),
    /// `bool`: any value that converts to a bool.
    Bool,
    /// A literal such as `"ssh"`, `1` or `true`: exactly this value.
    Literal(Value),
    /// `list(T)`.
    List(Arc<Type>),
    /// `set(T)`.
    Set(Arc<Type>),
    /// `map(T)`: an object or map with any names.
    Map(Arc<Type>),
    /// `tuple([T, …])`.
    Tuple(Vec<Type>),
    /// `object({ … })`: an object with the listed attributes.
    Object(Arc<ObjectType>),
    /// `object(NAME)`: an object whose attributes are those of a [part](super::Part).
    Part(String),
    /// `one_of(T, …)`: any of several types.
    OneOf(Vec<Type>),
    /// `duration`, `identifier` and others: a string in a format.
    Format(Format),
    /// `keyword(all, none)`: one of several bare words, which are not evaluated. Without words, any bare word.
    Keyword(Vec<String>),
    /// `reference(kind, …)`: a reference to a definition of one of these kinds, which is not evaluated. Without kinds,
    /// a reference to any definition.
    Reference(Vec<String>),
    /// `address(kind, …)`: an address such as `aws_instance.web`, which is not evaluated and need not be that of a
    /// definition.
    Address(Vec<String>),
    /// `path(body)`: the path of an attribute or block of the body that the attribute is in, which is not evaluated.
    Path,
    /// `string_name(kind, …)`: a string that names a definition.
    Name(Arc<NameIn>),
    /// `type`: a type expression, which is not evaluated.
    TypeExpression,
    /// `typed_by(NAME)`: a value whose type is the value of another attribute of the body. Without that attribute, any
    /// value.
    TypedBy(String),
    /// `expression`: any expression, which the program evaluates in its own way, with names that the schema does not
    /// know.
    Expression,
    /// `catalog(NAME)`: a string that is a name in a [catalog](super::CatalogSource).
    Catalog(String),
    /// The name of a type in `types`.
    Named(String),
}

/// The smallest and the largest allowed number.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Range {
    /// The smallest number; `None` if there is no limit.
    pub min: Option<Number>,
    /// The largest number; `None` if there is no limit.
    pub max: Option<Number>,
}

impl Range {
    /// All numbers.
    pub const ALL: Range = Range { min: None, max: None };

    /// The numbers from `min` to `max`.
    pub fn new(min: impl Into<Number>, max: impl Into<Number>) -> Range {
        Range { min: Some(min.into()), max: Some(max.into()) }
    }

    /// Returns true if a number is in the range.
    pub fn contains(&self, number: &Number) -> bool {
        self.min.as_ref().is_none_or(|min| number >= min) && self.max.as_ref().is_none_or(|max| number <= max)
    }

    /// Returns true if the range has no limits.
    pub fn is_all(&self) -> bool {
        self.min.is_none() && self.max.is_none()
    }
}

/// The attributes of an object type.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ObjectType {
    /// The attributes, in the order of the schema file.
    pub attributes: Vec<ObjectAttribute>,
    /// The type of attributes with any other names (`"*" = T`); `None` if there may be no others.
    pub others: Option<Type>,
    /// True if attributes with other names are dropped, as in conversions of values.
    pub drops_others: bool,
}

/// An attribute of an object type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ObjectAttribute {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// True if it may be left out (`optional(T)`).
    pub optional: bool,
    /// The value if it is left out (`optional(T, default)`).
    pub default: Option<Value>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// True if only the program sets it.
    pub read_only: bool,
    /// True if the value must not be shown.
    pub sensitive: bool,
    /// Set if it should no longer be used.
    pub deprecated: Option<Deprecated>,
}

impl ObjectAttribute {
    /// A required attribute.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        ObjectAttribute {
            name: name.into(),
            ty,
            optional: false,
            default: None,
            description: None,
            read_only: false,
            sensitive: false,
            deprecated: None,
        }
    }
}

impl ObjectType {
    /// An object type without attributes.
    pub fn new() -> Self {
        ObjectType::default()
    }

    /// Adds an attribute.
    pub fn with(mut self, name: impl Into<String>, ty: Type, optional: bool) -> Self {
        self.attributes.push(ObjectAttribute { optional, ..ObjectAttribute::new(name, ty) });
        self
    }

    /// Returns the attribute with a name.
    pub fn attribute(&self, name: &str) -> Option<&ObjectAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// A string that names a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameIn {
    /// The kinds of definitions that it may name. If empty, the string is an address, as in an expression.
    pub kinds: Vec<String>,
    /// The text before the name, such as `target:`. A string that does not begin with it names nothing.
    pub prefix: Option<String>,
    /// The notations of the name, such as `{type}.{name}`. If empty, the whole string is the last label.
    pub forms: Vec<String>,
    /// True if this definition needs the named one.
    pub needed: bool,
    /// True if the string may be something other than a name.
    pub optional: bool,
}

macro_rules! formats {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $example:literal;)+) => {
        /// The format of a string.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$doc])+ $variant,)+
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Format] = &[$(Format::$variant,)+];

            /// Returns the name in a schema file.
            pub fn name(self) -> &'static str {
                match self { $(Format::$variant => $name,)+ }
            }

            /// Returns the format with a name.
            pub fn named(name: &str) -> Option<Format> {
                match name { $($name => Some(Format::$variant),)+ _ => None }
            }

            /// Returns an example of a string in this format.
            pub fn example(self) -> &'static str {
                match self { $(Format::$variant => $example,)+ }
            }
        }
    };
}

formats! {
    /// A length of time such as `30s` or `1h30m`: numbers with the units ns, us, ms, s, m, h. `0` needs no unit.
    Duration "duration" "1h30m";
    /// A name as HCL identifies attributes: letters, digits, `_` and `-`, not beginning with a digit.
    Identifier "identifier" "web_1";
    /// A version such as `1.5.0`.
    Version "version" "1.5.0";
    /// Constraints on versions, such as `>= 1.3, < 2.0`.
    VersionConstraint "version_constraint" "~> 1.3";
    /// A URL with its scheme.
    Url "url" "https://example.com/a";
    /// An IP address.
    IpAddress "ip_address" "192.0.2.1";
    /// A range of IP addresses.
    Cidr "cidr" "192.0.2.0/24";
    /// A date and time of RFC 3339.
    DateTime "date_time" "2026-01-31T12:00:00Z";
    /// A UUID.
    Uuid "uuid" "6d3a6ac5-5d3e-4c3e-8a35-0a5c4c6b0d3b";
    /// A size in bytes with an optional unit, such as `10MB` or `64k`.
    Size "size" "64MB";
    /// The path of a file.
    FilePath "file_path" "certs/web.pem";
    /// The path of a folder.
    FolderPath "folder_path" "modules/network";
    /// A regular expression.
    Regex "regex" "^[a-z]+$";
    /// A text in JSON.
    Json "json" "{\"a\": 1}";
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Type {
    /// `number`, without a range.
    pub const NUMBER: Type = Type::Number(Range::ALL);

    /// `integer`, without a range.
    pub const INTEGER: Type = Type::Integer(Range::ALL);

    /// A list.
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    /// A set.
    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    /// A map.
    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    /// Any of several types, or the only one.
    pub fn one_of(types: impl IntoIterator<Item = Type>) -> Type {
        let mut types: Vec<Type> = types.into_iter().collect();
        match types.len() {
            1 => types.remove(0),
            _ => Type::OneOf(types),
        }
    }

    /// One of several strings.
    pub fn words<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Type {
        Type::one_of(words.into_iter().map(|word| Type::Literal(Value::from(word.into()))))
    }

    /// Returns the schema type for values of a type. Objects may have further attributes, which conversions drop.
    pub(in crate::schema) fn of_values(ty: &model::Type) -> Type {
        let inner = |ty: &model::Type| stack::with_room(|| Type::of_values(ty));
        match ty {
            model::Type::String => Type::String,
            model::Type::Number => Type::NUMBER,
            model::Type::Bool => Type::Bool,
            model::Type::List(element) => Type::list(inner(element.get())),
            model::Type::Set(element) => Type::set(inner(element.get())),
            model::Type::Map(element) => Type::map(inner(element.get())),
            model::Type::Tuple(_) => Type::Tuple(ty.tuple_elements().unwrap_or_default().iter().map(inner).collect()),
            model::Type::Object(object) => {
                let attributes = object.attributes().iter();
                let object = attributes.fold(ObjectType::new(), |object, attribute| {
                    object.with(attribute.name(), inner(attribute.ty()), attribute.is_optional())
                });
                Type::Object(Arc::new(ObjectType { drops_others: true, ..object }))
            }
            _ => Type::Any,
        }
    }

    /// Returns true if the expression is not evaluated, in all alternatives of the type and all its parts.
    pub fn is_static(&self) -> bool {
        match self {
            Type::Keyword(_) | Type::Reference(_) | Type::Address(_) | Type::Path | Type::TypeExpression => true,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.is_static(),
            Type::Tuple(elements) | Type::OneOf(elements) => {
                !elements.is_empty() && elements.iter().all(Type::is_static)
            }
            Type::Object(object) => {
                let mut types = object.attributes.iter().map(|attribute| &attribute.ty).chain(&object.others);
                !object.attributes.is_empty() && types.all(Type::is_static)
            }
            _ => false,
        }
    }

    /// Returns the type of the values in expressions, for decoding; dynamic if values have no such type. `named`
    /// returns the types of names and parts. Only the first levels of a recursive type are included.
    pub fn value_type(&self, named: &dyn Fn(&Type) -> Option<Type>) -> model::Type {
        const DEPTHS: [usize; 5] = [32, 16, 8, 4, 2];
        let of_depth = |depth| ValueTypes { named, left: MAX_VALUE_TYPES }.of(self, depth);
        DEPTHS.into_iter().find_map(of_depth).unwrap_or(model::Type::Dynamic)
    }
}

/// The maximum number of parts of a value type. Larger types get fewer levels.
const MAX_VALUE_TYPES: usize = 10_000;

/// Converts types to types of values, down to a depth.
struct ValueTypes<'n> {
    named: &'n dyn Fn(&Type) -> Option<Type>,
    /// The number of parts that may still be added.
    left: usize,
}

impl ValueTypes<'_> {
    /// Returns the type of the values of a type; dynamic below the depth. `None` if it has too many parts.
    fn of(&mut self, ty: &Type, depth: usize) -> Option<model::Type> {
        self.left = self.left.checked_sub(1)?;
        let Some(depth) = depth.checked_sub(1) else { return Some(model::Type::Dynamic) };
        Some(match ty {
            Type::String | Type::Format(_) | Type::Name(_) | Type::Catalog(_) => model::Type::String,
            Type::Number(_) | Type::Integer(_) => model::Type::Number,
            Type::Bool => model::Type::Bool,
            Type::Literal(value) => value.ty(),
            Type::List(element) => model::Type::list(self.of(element, depth)?),
            Type::Set(element) => model::Type::set(self.of(element, depth)?),
            Type::Map(element) => model::Type::map(self.of(element, depth)?),
            Type::Tuple(elements) => {
                let elements: Option<Vec<_>> = elements.iter().map(|element| self.of(element, depth)).collect();
                model::Type::tuple(elements?)
            }
            Type::Object(object) if object.others.is_none() => {
                let attributes = object.attributes.iter().map(|attribute| {
                    let ty = self.of(&attribute.ty, depth)?;
                    Some(match attribute.optional {
                        true => AttributeType::optional(&attribute.name, ty),
                        false => AttributeType::required(&attribute.name, ty),
                    })
                });
                model::Type::object_with(attributes.collect::<Option<Vec<_>>>()?)
            }
            Type::OneOf(types) => {
                let types: Option<Vec<_>> = types.iter().map(|ty| self.of(ty, depth)).collect();
                let mut types = types?.into_iter();
                let first = types.next().unwrap_or(model::Type::Dynamic);
                if types.all(|ty| ty == first) { first } else { model::Type::Dynamic }
            }
            Type::Named(_) | Type::Part(_) => match (self.named)(ty) {
                Some(ty) => self.of(&ty, depth)?,
                None => model::Type::Dynamic,
            },
            _ => model::Type::Dynamic,
        })
    }
}

/// Writes names, separated by commas.
fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, items: impl IntoIterator<Item = T>) -> fmt::Result {
    write!(f, "{name}(")?;
    for (index, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}

fn ranged(f: &mut fmt::Formatter<'_>, name: &str, range: &Range) -> fmt::Result {
    let limit = |number: &Option<Number>| number.as_ref().map_or("null".to_owned(), Number::to_string);
    match (range.is_all(), &range.max) {
        (true, _) => f.write_str(name),
        (false, None) => write!(f, "{name}({})", limit(&range.min)),
        (false, Some(_)) => write!(f, "{name}({}, {})", limit(&range.min), limit(&range.max)),
    }
}

/// Writes the type in the notation of schema files.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Any => f.write_str("any"),
            Type::String => f.write_str("string"),
            Type::Number(range) => ranged(f, "number", range),
            Type::Integer(range) => ranged(f, "integer", range),
            Type::Bool => f.write_str("bool"),
            Type::Literal(value) => value.fmt(f),
            Type::List(element) => write!(f, "list({element})"),
            Type::Set(element) => write!(f, "set({element})"),
            Type::Map(element) => write!(f, "map({element})"),
            Type::Tuple(elements) => {
                f.write_str("tuple([")?;
                for (index, element) in elements.iter().enumerate() {
                    write!(f, "{}{element}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("])")
            }
            Type::Object(object) => object.fmt(f),
            Type::Part(name) => write!(f, "object({name})"),
            Type::OneOf(types) => list(f, "one_of", types),
            Type::Format(format) => format.fmt(f),
            Type::Keyword(words) => list(f, "keyword", words),
            Type::Reference(kinds) => list(f, "reference", kinds),
            Type::Address(kinds) => list(f, "address", kinds),
            Type::Path => f.write_str("path(body)"),
            Type::Name(name) => list(f, "string_name", &name.kinds),
            Type::TypeExpression => f.write_str("type"),
            Type::TypedBy(name) => write!(f, "typed_by({name})"),
            Type::Expression => f.write_str("expression"),
            Type::Catalog(name) => write!(f, "catalog({name})"),
            Type::Named(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("object({")?;
        let mut first = true;
        for attribute in &self.attributes {
            f.write_str(if std::mem::take(&mut first) { " " } else { ", " })?;
            match (attribute.optional, &attribute.default) {
                (false, _) => write!(f, "{} = {}", attribute.name, attribute.ty)?,
                (true, None) => write!(f, "{} = optional({})", attribute.name, attribute.ty)?,
                (true, Some(default)) => write!(f, "{} = optional({}, {default})", attribute.name, attribute.ty)?,
            }
        }
        if let Some(others) = &self.others {
            write!(f, "{} \"*\" = {others}", if first { "" } else { "," })?;
        }
        f.write_str(" })")
    }
}
