//! Schemas of Rust types.
//!
//! A type describes itself as a value or as a body, which becomes a part. This module decides the form of the fields
//! of a body: a field whose type is a body, or a list or map of bodies, is a block; all others are attributes. For
//! example, `service: BTreeMap<String, Service>` becomes blocks `service` with one label and the body of `Service`.

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::model::{
    Attribute, Block, Body, Case, Files, Form, Format, Label, Match, Nesting, Part, Range, Schema, Type,
};
use hcl_lr::body::Expression;
use hcl_lr::model::{Number, Value};
use hcl_lr::source::Place;
use hcl_lr::stack;

/// A type that files of a language are decoded into, and that provides the schema of the language.
///
/// With the feature `derive`, structures and enumerations derive it from serde's attributes: names of fields and
/// variants, `rename`, `rename_all`, `default`, `skip`, `flatten`, `transparent`, `tag` and `untagged`; and from the
/// blocks and labels of the attribute `hcl`, which must stand above the derives. Doc comments become descriptions.
///
/// | the type | in the schema |
/// | --- | --- |
/// | a structure as a field, in an `Option`, `Vec` or map | blocks of the name of the field, which can be written as objects, too |
/// | the same with `#[hcl(block)]` | blocks only |
/// | keys of maps, fields `#[hcl(label)]` and `#[hcl(labels)]` | labels |
/// | any other field | an attribute of its type |
/// | an `Option`, a list, a map, a field with `#[serde(default)]` | can be left out; anything else is required |
/// | an enumeration without values | one of its names |
/// | `#[serde(tag = "type")]` | contents that depend on the attribute `type` |
/// | `#[serde(untagged)]` | one of several types |
/// | `#[serde(flatten)]` | the contents of the other structure, or any other names if it is a map |
///
/// Other enumerations accept any value. A name that no field has is an error by the schema, even where serde ignores
/// it.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use hcl_lr::hcl;
/// use hcl_lr_language::schema::{HclSchema, Schema};
/// use serde::Deserialize;
///
/// /// A service.
/// #[hcl]
/// #[derive(Deserialize, HclSchema)]
/// struct Service {
///     #[hcl(label)]
///     name: String,
///     /// The port that it listens on.
///     port: u16,
/// }
///
/// #[hcl]
/// #[derive(Deserialize, HclSchema)]
/// struct Config {
///     #[hcl(block)]
///     service: Vec<Service>,
/// }
///
/// let schema = Schema::of::<Config>("app", ["*.app.hcl"]);
/// let expected = r#"language "app" {
///   files "app" {
///     patterns = ["*.app.hcl"]
///     body     = config
///   }
/// }
///
/// part "config" {
///   block "service" {
///     include = [service]
///
///     label "name" {
///     }
///   }
/// }
///
/// part "service" {
///   description = "A service."
///
///   attribute "port" {
///     type        = required(integer(0, 65535))
///     description = "The port that it listens on."
///   }
/// }
/// "#;
/// assert_eq!(schema.to_hcl()?, expected);
/// # }
/// # Ok::<(), hcl_lr::construct::BuildError>(())
/// ```
pub trait HclSchema {
    /// Describes the type. A body adds its part to the describer.
    fn describe(describer: &mut Describer) -> Described;
}

/// The description of a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Described {
    /// A value of a type.
    Value(Type),
    /// A body: the name of its part, and the labels of its blocks.
    Body(String, Vec<Label>),
    /// A value that may be left out.
    Optional(Box<Described>),
    /// A list of values.
    List(Box<Described>),
    /// A map of values by name.
    Map(Box<Described>),
}

/// Collects the parts that types describe.
#[derive(Debug, Default)]
pub struct Describer {
    parts: Vec<Part>,
    /// The descriptions of types, by their full names.
    known: HashMap<&'static str, Described>,
    taken: HashSet<String>,
}

/// Collects the fields of a body.
#[derive(Debug)]
pub struct BodyDescriber<'d> {
    describer: &'d mut Describer,
    body: Body,
}

/// Properties of a field that its type does not determine.
#[derive(Clone, Copy, Debug, Default)]
pub struct FieldOptions<'f> {
    is_block: bool,
    has_default: bool,
    description: Option<&'f str>,
}

impl<'f> FieldOptions<'f> {
    /// Default options: the field is required unless its type says otherwise.
    pub fn new() -> Self {
        FieldOptions::default()
    }

    /// Allows the field only as a block.
    pub fn with_block(mut self) -> Self {
        self.is_block = true;
        self
    }

    /// Declares that the field has a default.
    pub fn with_default(mut self) -> Self {
        self.has_default = true;
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: &'f str) -> Self {
        self.description = Some(description);
        self
    }
}

impl Schema {
    /// Returns the schema of a type for files with matching names; `*` stands for any characters. See [`HclSchema`].
    pub fn of<T: HclSchema>(name: &str, patterns: impl IntoIterator<Item: Into<String>>) -> Schema {
        let mut describer = Describer::default();
        let root = T::describe(&mut describer);
        let root = describer.root(root);
        let mut schema = Schema::new(name).with_files(Files::new(name, patterns, root));
        schema.parts = describer.parts;
        schema
    }
}

impl Describer {
    /// Returns the name of the part that is the body of a file.
    fn root(&mut self, root: Described) -> String {
        match root.required() {
            Described::Body(part, _) => part,
            other => {
                let name = self.name("file");
                let mut body = BodyDescriber { describer: self, body: Body::new() };
                body.flatten_described(other);
                let body = body.body;
                self.parts.push(part(name.clone(), None, body));
                name
            }
        }
    }

    /// Returns a unique name for a part.
    fn name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }

    /// Describes a structure. `name` is the preferred name of its part, `labels` are the labels of its blocks, and
    /// `fill` adds its fields. Each type is described only once, including recursive ones.
    pub fn body<T: ?Sized>(
        &mut self,
        name: &str,
        description: Option<&str>,
        labels: Vec<Label>,
        fill: impl FnOnce(&mut BodyDescriber<'_>),
    ) -> Described {
        let key = type_name::<T>();
        if let Some(known) = self.known.get(key) {
            return known.clone();
        }
        let name = self.name(name);
        let described = Described::Body(name.clone(), labels);
        self.known.insert(key, described.clone());
        // The part precedes those of its fields.
        let at = self.parts.len();
        self.parts.push(part(name, description, Body::new()));
        let mut body = BodyDescriber { describer: self, body: Body::new() };
        fill(&mut body);
        self.parts[at].body = Arc::new(body.body);
        described
    }
}

fn part(name: String, description: Option<&str>, body: Body) -> Part {
    Part { name, description: description.map(str::to_owned), body: Arc::new(body), place: Place::nowhere() }
}

impl BodyDescriber<'_> {
    /// Adds a field.
    pub fn field<T: HclSchema>(&mut self, name: &str, options: FieldOptions<'_>) {
        let described = T::describe(self.describer);
        self.add(name, described, options);
    }

    /// Adds the fields of another structure, or all remaining names if the type is a map.
    pub fn flatten<T: HclSchema>(&mut self) {
        let described = T::describe(self.describer);
        self.flatten_described(described);
    }

    /// Adds contents that depend on the value of an attribute. Calls `fill` with the index of each value.
    pub fn tagged(&mut self, tag: &str, values: &[&str], mut fill: impl FnMut(usize, &mut BodyDescriber<'_>)) {
        let mut cases = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let mut body = BodyDescriber { describer: self.describer, body: Body::new() };
            fill(at, &mut body);
            cases.push(Case::new([*value], body.body));
        }
        self.body.attributes.push(Arc::new(Attribute::new(tag, Type::words(values.iter().copied())).required()));
        self.body.matches.push(Match::new(tag, cases));
    }

    fn add(&mut self, name: &str, described: Described, options: FieldOptions<'_>) {
        let is_optional = matches!(described, Described::Optional(_));
        let inner = described.required();
        let required = !is_optional && !options.has_default && !inner.can_be_empty();
        let block = match inner.as_blocks(name, required) {
            Some(block) => block,
            None if options.is_block => match inner {
                // Blocks in which each attribute is an entry.
                Described::Map(value) => {
                    let body = Body::new().with_attribute(Attribute::new("*", value.ty()));
                    Block::new(name, body).with_nesting(Nesting::Single)
                }
                _ => Block::new(name, Body::new().open()),
            },
            None => {
                let mut attribute = Attribute::new(name, inner.ty());
                attribute.required = required;
                attribute.description = options.description.map(str::to_owned);
                self.body.attributes.push(Arc::new(attribute));
                return;
            }
        };
        let mut block = block;
        block.form = if options.is_block { Form::Block } else { Form::Either };
        block.description = options.description.map(str::to_owned);
        self.body.blocks.push(Arc::new(block));
    }

    fn flatten_described(&mut self, described: Described) {
        match described.required() {
            Described::Body(part, _) => self.body = std::mem::take(&mut self.body).including(part),
            Described::Map(value) => match value.as_blocks("*", false) {
                Some(mut block) => {
                    block.form = Form::Either;
                    self.body.blocks.push(Arc::new(block));
                }
                None => self.body.attributes.push(Arc::new(Attribute::new("*", value.ty()))),
            },
            _ => self.body.open = true,
        }
    }
}

impl Described {
    /// Makes a description optional.
    pub fn optional(self) -> Self {
        match self {
            optional @ Described::Optional(_) => optional,
            other => Described::Optional(Box::new(other)),
        }
    }

    /// Removes the option to leave the value out.
    fn required(self) -> Self {
        let mut inner = self;
        while let Described::Optional(next) = inner {
            inner = *next;
        }
        inner
    }

    /// Returns true for lists and maps, which are empty if the file lacks them.
    fn can_be_empty(&self) -> bool {
        match self {
            Described::List(_) | Described::Map(_) => true,
            Described::Value(ty) => matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_)),
            _ => false,
        }
    }

    /// Returns the blocks with a name that are decoded into this type, if it is a body, or a list or map of bodies.
    fn as_blocks(&self, name: &str, required: bool) -> Option<Block> {
        let (mut inner, mut keys, mut several) = (self, 0, false);
        let (part, labels) = loop {
            match inner {
                Described::Body(part, labels) => break (part, labels),
                Described::Optional(next) => inner = next,
                Described::List(next) => (inner, several) = (next, true),
                Described::Map(next) => (inner, keys, several) = (next, keys + 1, true),
                Described::Value(_) => return None,
            }
        };
        let mut block = Block::new(name, Body::new().including(part.as_str()));
        for at in 1..=keys {
            let name = if keys == 1 { "name".to_owned() } else { format!("name{at}") };
            block = block.with_label(name, Type::String);
        }
        block.labels.extend(labels.iter().cloned());
        if !several {
            block = match block.labels.is_empty() {
                true => block.with_nesting(Nesting::Single),
                false => block.with_count(0, Some(1)),
            };
        }
        block.min = u32::from(required);
        Some(block)
    }

    /// Returns the type of an attribute or element.
    pub fn ty(&self) -> Type {
        match self {
            Described::Value(ty) => ty.clone(),
            Described::Body(part, _) => Type::Part(part.clone()),
            Described::Optional(inner) => stack::with_room(|| inner.ty()),
            Described::List(inner) => Type::list(stack::with_room(|| inner.ty())),
            Described::Map(inner) => Type::map(stack::with_room(|| inner.ty())),
        }
    }
}

/// Implements types with a fixed description.
macro_rules! values {
    ($($ty:ty => $described:expr;)+) => {
        $(impl HclSchema for $ty {
            fn describe(_: &mut Describer) -> Described {
                Described::Value($described)
            }
        })+
    };
}

fn integer(min: impl Into<Number>, max: impl Into<Number>) -> Type {
    Type::Integer(Range::new(min, max))
}

values! {
    String => Type::String;
    &str => Type::String;
    std::borrow::Cow<'_, str> => Type::String;
    char => Type::String;
    bool => Type::Bool;
    f32 => Type::NUMBER;
    f64 => Type::NUMBER;
    Number => Type::NUMBER;
    u8 => integer(u8::MIN, u8::MAX);
    u16 => integer(u16::MIN, u16::MAX);
    u32 => integer(u32::MIN, u32::MAX);
    u64 => integer(u64::MIN, u64::MAX);
    usize => integer(u64::MIN, u64::MAX);
    u128 => Type::Integer(Range { min: Some(Number::from(0)), max: None });
    i8 => integer(i8::MIN, i8::MAX);
    i16 => integer(i16::MIN, i16::MAX);
    i32 => integer(i32::MIN, i32::MAX);
    i64 => integer(i64::MIN, i64::MAX);
    isize => integer(i64::MIN, i64::MAX);
    i128 => Type::INTEGER;
    std::path::PathBuf => Type::Format(Format::FilePath);
    std::net::IpAddr => Type::Format(Format::IpAddress);
    std::net::Ipv4Addr => Type::Format(Format::IpAddress);
    std::net::Ipv6Addr => Type::Format(Format::IpAddress);
    Value => Type::Any;
    serde_json::Value => Type::Any;
    () => Type::Any;
    Expression => Type::Expression;
    hcl_lr::model::Type => Type::TypeExpression;
}

/// Implements types with the description of their contents.
macro_rules! transparent {
    ($($ty:ty)+) => {
        $(impl<T: HclSchema> HclSchema for $ty {
            fn describe(describer: &mut Describer) -> Described {
                T::describe(describer)
            }
        })+
    };
}

transparent! { Box<T> Rc<T> Arc<T> &T }

impl<T: HclSchema> HclSchema for Option<T> {
    fn describe(describer: &mut Describer) -> Described {
        T::describe(describer).optional()
    }
}

macro_rules! lists {
    ($([$($generic:tt)*] $ty:ty;)+) => {
        $(impl<T: HclSchema, $($generic)*> HclSchema for $ty {
            fn describe(describer: &mut Describer) -> Described {
                Described::List(Box::new(T::describe(describer)))
            }
        })+
    };
}

lists! {
    [] Vec<T>;
    [] VecDeque<T>;
    [] BTreeSet<T>;
    [S] HashSet<T, S>;
    [const N: usize] [T; N];
}

impl<K, T: HclSchema> HclSchema for BTreeMap<K, T> {
    fn describe(describer: &mut Describer) -> Described {
        Described::Map(Box::new(T::describe(describer)))
    }
}

impl<K, T: HclSchema, S> HclSchema for HashMap<K, T, S> {
    fn describe(describer: &mut Describer) -> Described {
        Described::Map(Box::new(T::describe(describer)))
    }
}

macro_rules! tuples {
    ($(($($name:ident)+))+) => {
        $(impl<$($name: HclSchema),+> HclSchema for ($($name,)+) {
            fn describe(describer: &mut Describer) -> Described {
                Described::Value(Type::Tuple(vec![$($name::describe(describer).ty()),+]))
            }
        })+
    };
}

tuples! { (A) (A B) (A B C) (A B C D) }
