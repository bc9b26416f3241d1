//! The alternatives at a place in a value: the types that a value can have there, down to the element of a list, the
//! attribute of an object, or the argument of a block that is written as an object.
//!
//! Editors offer by it, and [`Checker::accepts`] judges what they offer, so that nothing is offered that is an error.

use std::collections::HashSet;

use super::check::Checker;
use super::check::judge::{Judge, Judgement};
use super::check::shape::Expr;
use super::facts::Facts;
use super::index::Layers;
use super::model::{Attribute, Block, Body, Defines, ObjectAttribute, Otherwise, Type};
use hcl_lr::body::Expression;
use hcl_lr::model;
use hcl_lr::source::Span;
use hcl_lr::stack;

/// One of the alternatives that may stand at a place.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Expected<'c> {
    /// A value or word of a type that is neither a name of another type, nor a list of alternatives.
    Type(&'c Type),
    /// An object with the attributes and blocks of a body.
    Body(Layers<'c>),
    /// An object whose keys are the labels of blocks, of which this number is left.
    Labels(Layers<'c>, usize),
}

/// A step into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within<'s> {
    /// The value of a key of an object or map.
    Key(&'s str),
    /// The value of an unknown key.
    AnyKey,
    /// An element of a list, set or tuple by its number.
    Element(usize),
}

/// An attribute that an object may have.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ExpectedKey<'c> {
    /// An attribute of an object type.
    OfObject(&'c ObjectAttribute),
    /// An attribute of a body.
    Attribute(&'c Attribute),
    /// A block of a body.
    Block(&'c Block),
}

impl<'c> ExpectedKey<'c> {
    /// Returns the name.
    pub fn name(&self) -> &'c str {
        match self {
            ExpectedKey::OfObject(attribute) => &attribute.name,
            ExpectedKey::Attribute(attribute) => &attribute.name,
            ExpectedKey::Block(block) => &block.name,
        }
    }

    /// Returns true if the object must have it.
    pub fn is_required(&self) -> bool {
        match self {
            ExpectedKey::OfObject(attribute) => !attribute.optional,
            ExpectedKey::Attribute(attribute) => attribute.required,
            ExpectedKey::Block(block) => block.min > 0,
        }
    }

    /// Returns true if files cannot set it.
    pub fn is_read_only(&self) -> bool {
        match self {
            ExpectedKey::OfObject(attribute) => attribute.read_only,
            ExpectedKey::Attribute(attribute) => attribute.read_only,
            ExpectedKey::Block(_) => false,
        }
    }

    /// Returns the description.
    pub fn description(&self) -> Option<&'c str> {
        match self {
            ExpectedKey::OfObject(attribute) => attribute.description.as_deref(),
            ExpectedKey::Attribute(attribute) => attribute.description.as_deref(),
            ExpectedKey::Block(block) => block.description.as_deref(),
        }
    }

    /// Returns true if it should no longer be used.
    pub fn is_deprecated(&self) -> bool {
        match self {
            ExpectedKey::OfObject(attribute) => attribute.deprecated.is_some(),
            ExpectedKey::Attribute(attribute) => attribute.deprecated.is_some(),
            ExpectedKey::Block(block) => block.deprecated.is_some(),
        }
    }

    /// Returns the type; `None` for a block.
    pub fn ty(&self) -> Option<&'c Type> {
        match self {
            ExpectedKey::OfObject(attribute) => Some(&attribute.ty),
            ExpectedKey::Attribute(attribute) => Some(&attribute.ty),
            ExpectedKey::Block(_) => None,
        }
    }
}

impl<'c> Expected<'c> {
    /// Returns the names that an object may have at the place.
    pub fn keys(&self) -> Vec<ExpectedKey<'c>> {
        match self {
            Expected::Type(Type::Object(object)) => object.attributes.iter().map(ExpectedKey::OfObject).collect(),
            Expected::Body(layers) => {
                let attributes = layers.attributes().map(|attribute| ExpectedKey::Attribute(attribute));
                attributes.chain(layers.blocks().map(|block| ExpectedKey::Block(block))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns true if the text at the place is not evaluated: a word, a reference, a type.
    pub fn is_static(&self) -> bool {
        matches!(self, Expected::Type(ty) if ty.is_static())
    }

    /// Returns true if nothing is known about the value.
    pub fn is_anything(&self) -> bool {
        matches!(self, Expected::Type(Type::Any | Type::Expression | Type::TypedBy(_)))
    }
}

impl Checker {
    /// Returns the alternatives of a type.
    #[doc(hidden)]
    pub fn expected<'c>(&'c self, ty: &'c Type) -> Vec<Expected<'c>> {
        let mut found = Vec::new();
        self.add_expected(ty, &mut HashSet::new(), &mut found);
        found
    }

    /// Collects the alternatives of a type. `seen` has the addresses of the types visited so far.
    fn add_expected<'c>(&'c self, ty: &'c Type, seen: &mut HashSet<usize>, found: &mut Vec<Expected<'c>>) {
        let ty = self.index().resolve(ty);
        if !seen.insert(std::ptr::from_ref(ty).addr()) {
            return;
        }
        match ty {
            Type::OneOf(types) => types.iter().for_each(|ty| stack::with_room(|| self.add_expected(ty, seen, found))),
            Type::Part(name) => found.push(self.index().part(name).map_or(Expected::Type(&Type::Any), with_all_cases)),
            ty => found.push(Expected::Type(ty)),
        }
    }

    /// Returns what may stand at a step into values of these alternatives. Alternatives without such a step are left
    /// out.
    #[doc(hidden)]
    pub fn expected_within<'c>(&'c self, around: &[Expected<'c>], step: Within<'_>) -> Vec<Expected<'c>> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for expected in around {
            match (expected, step) {
                (Expected::Type(Type::Any | Type::Expression | Type::TypedBy(_)), _) => found.push(expected.clone()),
                (Expected::Type(Type::List(element) | Type::Set(element)), Within::Element(_)) => {
                    self.add_expected(element, &mut seen, &mut found);
                }
                (Expected::Type(Type::Tuple(elements)), Within::Element(at)) => {
                    elements.get(at).into_iter().for_each(|ty| self.add_expected(ty, &mut seen, &mut found));
                }
                (Expected::Type(Type::Map(element)), Within::Key(_) | Within::AnyKey) => {
                    self.add_expected(element, &mut seen, &mut found);
                }
                (Expected::Type(Type::Object(object)), Within::Key(name)) => {
                    let ty = object.attribute(name).map(|attribute| &attribute.ty).or(object.others.as_ref());
                    ty.into_iter().for_each(|ty| self.add_expected(ty, &mut seen, &mut found));
                }
                (Expected::Type(Type::Object(object)), Within::AnyKey) => {
                    let ty = object.others.as_ref().filter(|_| object.attributes.is_empty());
                    ty.into_iter().for_each(|ty| self.add_expected(ty, &mut seen, &mut found));
                }
                (Expected::Body(layers), Within::Key(name)) => {
                    if let Some(attribute) = layers.attribute(name) {
                        self.add_expected(&attribute.ty, &mut seen, &mut found);
                    } else if let Some((block, inner)) = layers.block(name) {
                        found.push(of_labels(inner, block.labels.len()));
                    } else if let Some(attribute) = layers.free_attribute() {
                        self.add_expected(&attribute.ty, &mut seen, &mut found);
                    } else if layers.is_open() {
                        found.push(Expected::Type(&Type::Any));
                    }
                }
                (Expected::Body(_) | Expected::Labels(..), Within::Element(_)) => found.push(expected.clone()),
                (Expected::Labels(layers, left), Within::Key(_) | Within::AnyKey) => {
                    found.push(of_labels(layers.clone(), left - 1));
                }
                _ => {}
            }
        }
        found
    }

    /// Returns false if an expression is wrong at a place where one of these alternatives may stand, for all values of
    /// the names in it.
    #[doc(hidden)]
    pub fn accepts(&self, expected: &Expected<'_>, expression: &Expression, facts: &Facts) -> bool {
        let judge = Judge::new(self, facts);
        let written = match expression.as_native() {
            Some(node) => Expr::Node(node),
            None => Expr::Handle(expression.clone()),
        };
        let object = || Type::map(Type::Any);
        let judgement = match expected {
            Expected::Type(ty) => judge.judge(ty, &written),
            Expected::Body(_) | Expected::Labels(..) => judge.judge(&object(), &written),
        };
        !matches!(judgement, Judgement::Wrong(_))
    }

    /// Returns false if a text is wrong as a string of the type, such as a label.
    #[doc(hidden)]
    pub fn accepts_text(&self, ty: &Type, text: &str, facts: &Facts) -> bool {
        !matches!(Judge::new(self, facts).text(ty, text, Span::default()), Judgement::Wrong(_))
    }

    /// Returns the addresses of definitions of some kinds, with the names of labels in braces, as in
    /// `data.{type}.{name}`, each with the type of the blocks that define it; `None` for attributes. Returns those of all
    /// kinds, if there are no kinds.
    #[doc(hidden)]
    pub fn addresses_of(&self, kinds: &[String]) -> Vec<(Option<&str>, &str)> {
        let mut found = Vec::new();
        for part in &self.schema().parts {
            add_addresses(&part.body, kinds, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Type {
    /// Returns the schema type for values of a type.
    #[doc(hidden)]
    pub fn for_values(ty: &model::Type) -> Type {
        Type::of_values(ty)
    }
}

fn of_labels(layers: Layers<'_>, left: usize) -> Expected<'_> {
    if left == 0 { with_all_cases(layers) } else { Expected::Labels(layers, left) }
}

/// Returns an object with the contents of a body for any values of what its contents depend on.
fn with_all_cases(mut layers: Layers<'_>) -> Expected<'_> {
    let matches: Vec<_> = layers.matches().cloned().collect();
    for matched in matches {
        for value in matched.cases.iter().filter_map(|case| case.values.first()) {
            layers = layers.with_case(&matched.key, value);
        }
    }
    Expected::Body(layers)
}

fn add_addresses<'s>(body: &'s Body, kinds: &[String], found: &mut Vec<(Option<&'s str>, &'s str)>) {
    let mut add = |block_type: Option<&'s str>, defines: &'s Defines| {
        if kinds.is_empty() || kinds.contains(&defines.kind) {
            let addresses = defines.address.iter().chain(&defines.aliases);
            found.extend(addresses.map(|address| (block_type, address.as_str())));
        }
    };
    for attribute in &body.attributes {
        attribute.defines.iter().for_each(|defines| add(None, defines));
    }
    for block in &body.blocks {
        block.defines.iter().for_each(|defines| add(Some(&block.name), defines));
    }
    for block in &body.blocks {
        stack::with_room(|| add_addresses(&block.body, kinds, found));
    }
    for matched in &body.matches {
        matched.cases.iter().for_each(|case| stack::with_room(|| add_addresses(&case.body, kinds, found)));
        if let Otherwise::Body(body) = &matched.otherwise {
            stack::with_room(|| add_addresses(body, kinds, found));
        }
    }
}
