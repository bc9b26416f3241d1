//! Bodies, and what can be in them.

use std::sync::Arc;

use super::definition::Defines;
use super::types::Type;
use crate::body::Expression;
use crate::model::{Number, Value};
use crate::source::Place;

/// The attributes and blocks of a body, and the rules for them.
///
/// ```
/// use hcl_lr::schema::{Attribute, Block, Body, Type};
///
/// let check = Body::new().with_attribute(Attribute::new("path", Type::String).required());
/// let service = Body::new()
///     .with_attribute(Attribute::new("port", Type::INTEGER).required())
///     .with_block(Block::new("check", check).with_label("name", Type::String));
/// assert_eq!(service.blocks[0].body.attributes[0].name, "path");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Body {
    /// The attributes. One with the name `*` stands for all names that are not listed.
    pub attributes: Vec<Arc<Attribute>>,
    /// The types of blocks. One with the name `*` stands for all types that are not listed.
    pub blocks: Vec<Arc<Block>>,
    /// The parts whose contents the body has, too.
    pub includes: Vec<Include>,
    /// The contents that depend on the value of a label or attribute.
    pub matches: Vec<Match>,
    /// True if there may be any other attributes and blocks, with any contents.
    pub open: bool,
    /// True if `dynamic` blocks may generate the blocks of this body and of those in it. None if the body around it
    /// decides.
    pub dynamic: Option<bool>,
    /// The attributes and blocks that exclude or need each other.
    pub rules: Vec<Rule>,
    /// The conditions on the whole body. In them `body` is the object of its attributes.
    pub checks: Vec<Check>,
    /// The place in the schema file.
    pub place: Place,
}

/// A part that a body includes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Include {
    /// The name of the part.
    pub part: String,
    /// The place of the name.
    pub place: Place,
}

/// An attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attribute {
    /// The name; `*` for all names that are not listed.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// True if it must be set.
    pub required: bool,
    /// The value if it is not set, if the schema says so.
    pub default: Option<Value>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The address of its documentation.
    pub docs: Option<String>,
    /// True if its value must not be shown.
    pub sensitive: bool,
    /// True if the program may set it if the file does not.
    pub computed: bool,
    /// True if only the program sets it.
    pub read_only: bool,
    /// True if the program uses its value and keeps it nowhere, so that nothing can refer to it.
    pub write_only: bool,
    /// Its meaning for the definition that its block makes.
    pub role: Option<AttributeRole>,
    /// Set if it should no longer be used.
    pub deprecated: Option<Deprecated>,
    /// The first version of the language that has it.
    pub since: Option<String>,
    /// The first version of the language that no longer has it.
    pub until: Option<String>,
    /// The conditions on its value. In them `value` is the value.
    pub checks: Vec<Check>,
    /// The definition that the attribute makes.
    pub defines: Option<Defines>,
    /// The kind of definitions that attributes of this name give values to. With the name `*`, each attribute gives a
    /// value to the definition of its own name.
    pub assigns: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// The meaning of an attribute for the definition that its block makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeRole {
    /// The value of the definition.
    Value,
    /// Leads to the files of a module.
    Source,
    /// The number of instances of the block.
    Count,
    /// The collection with an instance of the block for each element.
    ForEach,
    /// True if there is an instance of the block.
    Enabled,
    /// An object whose keys are variables in the block.
    Variables,
    /// The name of the parameter of a function that takes all further arguments.
    Variadic,
    /// It is not part of the value.
    Meta,
}

/// Blocks of a type.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The type; `*` for all types that are not listed.
    pub name: String,
    /// The labels.
    pub labels: Vec<Label>,
    /// The contents of each block.
    pub body: Arc<Body>,
    /// The number of blocks that there must be.
    pub min: u32,
    /// The number of blocks that there may be; none if there is no limit.
    pub max: Option<u32>,
    /// True if no two blocks may have the same labels.
    pub unique: bool,
    /// The structure that the blocks form together.
    pub nesting: Nesting,
    /// The form in which they may be written.
    pub form: Form,
    /// Names that expressions in the block can use, such as `self`.
    pub names: Vec<String>,
    /// The meaning for the definition that the block around makes.
    pub role: Option<BlockRole>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The address of the documentation.
    pub docs: Option<String>,
    /// Set if blocks of this type should no longer be used.
    pub deprecated: Option<Deprecated>,
    /// The first version of the language that has them.
    pub since: Option<String>,
    /// The first version of the language that no longer has them.
    pub until: Option<String>,
    /// The definition that each block makes.
    pub defines: Option<Defines>,
    /// The place in the schema file.
    pub place: Place,
}

/// The structure that the blocks of a type form together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nesting {
    /// One block.
    Single,
    /// A list.
    #[default]
    List,
    /// A set.
    Set,
    /// A map, by their labels.
    Map,
}

/// The forms in which blocks may be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// As blocks only.
    #[default]
    Block,
    /// As blocks, or as an attribute that is an object or a list of objects.
    Either,
}

/// The meaning of a block for the definition that the block around makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockRole {
    /// It has a condition that must hold.
    Check,
    /// It is part of the value.
    Value,
    /// It is not part of the value.
    Meta,
    /// It says that the block around is about files somewhere else.
    Elsewhere,
}

/// A label.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Label {
    /// Its name in documentation, addresses and messages.
    pub name: String,
    /// The type; `string` if any text is right.
    pub ty: Type,
    /// True if it may be left out, as must be those after it.
    pub optional: bool,
    /// True if there may be any number of labels from this one on.
    pub repeated: bool,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// Contents of a body that depend on a label or attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Match {
    /// The name of the label or attribute: of this body, or with `parent.` before it of a body around it.
    pub key: String,
    /// The contents for the values that are listed.
    pub cases: Vec<Case>,
    /// The catalog that has the contents for more values.
    pub catalog: Option<String>,
    /// The contents for all other values.
    pub otherwise: Otherwise,
    /// The place in the schema file.
    pub place: Place,
}

/// The contents of a body for some values of a label or attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// The values.
    pub values: Vec<String>,
    /// The contents that the body has in addition.
    pub body: Arc<Body>,
    /// The place in the schema file.
    pub place: Place,
}

/// The meaning of a value that no case lists.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Otherwise {
    /// It is wrong.
    #[default]
    Wrong,
    /// The body has this in addition.
    Body(Arc<Body>),
}

/// Attributes and blocks of a body that exclude or need each other.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The rule.
    pub kind: RuleKind,
    /// The names of attributes and types of blocks.
    pub names: Vec<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// A rule for attributes and blocks of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleKind {
    /// `exactly_one`: one of them is there, and only one.
    ExactlyOne,
    /// `at_most_one`: no two of them are there.
    AtMostOne,
    /// `at_least_one`: one of them is there, or several.
    AtLeastOne,
    /// `all_or_none`: if one of them is there, all are.
    AllOrNone,
}

impl RuleKind {
    /// All rules.
    pub const ALL: [RuleKind; 4] =
        [RuleKind::ExactlyOne, RuleKind::AtMostOne, RuleKind::AtLeastOne, RuleKind::AllOrNone];

    /// The name in a schema file.
    pub fn name(self) -> &'static str {
        match self {
            RuleKind::ExactlyOne => "exactly_one",
            RuleKind::AtMostOne => "at_most_one",
            RuleKind::AtLeastOne => "at_least_one",
            RuleKind::AllOrNone => "all_or_none",
        }
    }
}

/// A condition that must hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Check {
    /// The condition.
    pub condition: Expression,
    /// The message if it is false.
    pub message: String,
    /// The place in the schema file.
    pub place: Place,
}

/// A note that an attribute or block should no longer be used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deprecated {
    /// The name of the attribute or type of block to use in its place. It must mean the same.
    pub replacement: Option<String>,
    /// The advice for users, in a few words.
    pub message: Option<String>,
    /// The first version in which it is deprecated.
    pub since: Option<String>,
    /// The place in the schema file.
    pub place: Place,
}

/// The name that stands for all names that are not listed.
pub(in crate::schema) const OTHERS: &str = "*";

impl Default for Body {
    fn default() -> Self {
        Body {
            attributes: Vec::new(),
            blocks: Vec::new(),
            includes: Vec::new(),
            matches: Vec::new(),
            open: false,
            dynamic: None,
            rules: Vec::new(),
            checks: Vec::new(),
            place: Place::nowhere(),
        }
    }
}

impl Body {
    /// A body that must be empty.
    pub fn new() -> Self {
        Body::default()
    }

    /// Adds an attribute.
    pub fn with_attribute(mut self, attribute: Attribute) -> Self {
        self.attributes.push(Arc::new(attribute));
        self
    }

    /// Adds blocks of a type.
    pub fn with_block(mut self, block: Block) -> Self {
        self.blocks.push(Arc::new(block));
        self
    }

    /// Adds the contents of a part.
    pub fn including(mut self, part: impl Into<String>) -> Self {
        self.includes.push(Include { part: part.into(), place: Place::nowhere() });
        self
    }

    /// Adds contents that depend on a label or attribute.
    pub fn with_match(mut self, matched: Match) -> Self {
        self.matches.push(matched);
        self
    }

    /// Adds a rule for attributes and blocks.
    pub fn with_rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds a condition on the whole body.
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Allows any other attributes and blocks.
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }
}

impl Rule {
    /// A rule for attributes and blocks with these names.
    ///
    /// ```
    /// use hcl_lr::schema::model::{Rule, RuleKind};
    /// use hcl_lr::schema::{Attribute, Body, Type};
    ///
    /// let body = Body::new()
    ///     .with_attribute(Attribute::new("path", Type::String))
    ///     .with_attribute(Attribute::new("url", Type::String))
    ///     .with_rule(Rule::new(RuleKind::ExactlyOne, ["path", "url"]));
    /// assert_eq!(body.rules[0].kind.name(), "exactly_one");
    /// ```
    pub fn new<N: Into<String>>(kind: RuleKind, names: impl IntoIterator<Item = N>) -> Self {
        Rule { kind, names: names.into_iter().map(N::into).collect(), place: Place::nowhere() }
    }
}

impl Check {
    /// A condition, and the message if it is false.
    ///
    /// ```
    /// use hcl_lr::schema::model::Check;
    /// use hcl_lr::schema::{Attribute, Type};
    /// use hcl_lr::{Expression, parse};
    ///
    /// let even = parse::<Expression>("value % 2 == 0").into_result()?;
    /// let size = Attribute::new("size", Type::INTEGER).with_check(Check::new(even, "the size must be even"));
    /// assert_eq!(size.checks[0].message, "the size must be even");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn new(condition: Expression, message: impl Into<String>) -> Self {
        Check { condition, message: message.into(), place: Place::nowhere() }
    }
}

impl Deprecated {
    /// A note that something should no longer be used.
    ///
    /// ```
    /// use hcl_lr::schema::model::Deprecated;
    /// use hcl_lr::schema::{Attribute, Type};
    ///
    /// let note = Deprecated::new().with_replacement("retries").with_since("2.0");
    /// let retry = Attribute::new("retry", Type::INTEGER).with_deprecated(note);
    /// assert_eq!(retry.deprecated.and_then(|note| note.replacement).as_deref(), Some("retries"));
    /// ```
    pub fn new() -> Self {
        Deprecated { replacement: None, message: None, since: None, place: Place::nowhere() }
    }

    /// Sets the name of what to use in its place, which must mean the same.
    pub fn with_replacement(mut self, replacement: impl Into<String>) -> Self {
        self.replacement = Some(replacement.into());
        self
    }

    /// Sets what to do, in a few words.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets the first version in which it is deprecated.
    pub fn with_since(mut self, version: impl Into<String>) -> Self {
        self.since = Some(version.into());
        self
    }
}

impl Default for Deprecated {
    fn default() -> Self {
        Deprecated::new()
    }
}

impl Attribute {
    /// An attribute that may be left out.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Attribute {
            name: name.into(),
            ty,
            required: false,
            default: None,
            description: None,
            docs: None,
            sensitive: false,
            computed: false,
            read_only: false,
            write_only: false,
            role: None,
            deprecated: None,
            since: None,
            until: None,
            checks: Vec::new(),
            defines: None,
            assigns: None,
            place: Place::nowhere(),
        }
    }

    /// Requires the attribute.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the value that counts if the attribute is left out.
    pub fn with_default(mut self, default: impl Into<Value>) -> Self {
        self.default = Some(default.into());
        self
    }

    /// Adds a condition on the value.
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Says that the attribute should no longer be used.
    pub fn with_deprecated(mut self, deprecated: Deprecated) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Returns true if it stands for all names that are not listed.
    pub fn is_free(&self) -> bool {
        self.name == OTHERS
    }

    /// The default as a case of [`Match`] writes it.
    pub(in crate::schema) fn default_text(&self) -> Option<String> {
        let default = self.default.as_ref()?;
        let text = default.as_str().map(str::to_owned);
        let text = text.or_else(|| default.as_number().map(Number::to_string));
        text.or_else(|| default.as_bool().map(|value| value.to_string()))
    }
}

impl Block {
    /// Blocks of a type, any number of them, without labels.
    pub fn new(name: impl Into<String>, body: Body) -> Self {
        Block {
            name: name.into(),
            labels: Vec::new(),
            body: Arc::new(body),
            min: 0,
            max: None,
            unique: false,
            nesting: Nesting::List,
            form: Form::Block,
            names: Vec::new(),
            role: None,
            description: None,
            docs: None,
            deprecated: None,
            since: None,
            until: None,
            defines: None,
            place: Place::nowhere(),
        }
    }

    /// Adds a label that is required.
    pub fn with_label(mut self, name: impl Into<String>, ty: Type) -> Self {
        self.labels.push(Label::new(name, ty));
        self
    }

    /// Sets what the blocks are together. A single block is at most one, and in a map no two have the same labels.
    pub fn with_nesting(mut self, nesting: Nesting) -> Self {
        self.nesting = nesting;
        self.unique |= nesting == Nesting::Map;
        if nesting == Nesting::Single {
            self.max = Some(1);
        }
        self
    }

    /// Sets how many blocks there must and may be.
    pub fn with_count(mut self, min: u32, max: Option<u32>) -> Self {
        (self.min, self.max) = (min, max);
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Says that blocks of this type should no longer be used.
    pub fn with_deprecated(mut self, deprecated: Deprecated) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Returns true if it stands for all types that are not listed.
    pub fn is_free(&self) -> bool {
        self.name == OTHERS
    }
}

impl Label {
    /// A label that is required.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Label { name: name.into(), ty, optional: false, repeated: false, description: None, place: Place::nowhere() }
    }

    /// Says that there may be any number of labels from this one on.
    pub fn repeated(mut self) -> Self {
        (self.optional, self.repeated) = (true, true);
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl Case {
    /// The contents for some values.
    pub fn new<V: Into<String>>(values: impl IntoIterator<Item = V>, body: Body) -> Self {
        let values = values.into_iter().map(V::into).collect();
        Case { values, body: Arc::new(body), place: Place::nowhere() }
    }
}

impl Match {
    /// Contents that depend on a label or attribute. Values without a case are wrong.
    pub fn new(key: impl Into<String>, cases: impl IntoIterator<Item = Case>) -> Self {
        let cases = cases.into_iter().collect();
        let otherwise = Otherwise::Wrong;
        Match { key: key.into(), cases, catalog: None, otherwise, place: Place::nowhere() }
    }
}
