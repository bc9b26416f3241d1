//! Attributes of bodies.

use super::body::OTHERS;
use super::condition::Check;
use super::definition::Defines;
use super::deprecated::Deprecated;
use super::types::Type;
use hcl_lr::model::{Number, Value};
use hcl_lr::source::Place;

/// An attribute.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attribute {
    /// The name; `*` for all names that are not listed.
    pub name: String,
    /// The type.
    pub ty: Type,
    /// True if it is required.
    pub required: bool,
    /// The value if the attribute is not set, if the schema has one.
    pub default: Option<Value>,
    /// A description in Markdown.
    pub description: Option<String>,
    /// The address of the documentation.
    pub docs: Option<String>,
    /// True if the value must not be shown: see [`Self::is_hidden`].
    pub sensitive: bool,
    /// True if the program may set the attribute when the file does not.
    pub computed: bool,
    /// True if only the program sets the attribute.
    pub read_only: bool,
    /// True if the program uses the value without storing it, so that nothing can refer to it.
    pub write_only: bool,
    /// True if values of other types are not converted, and words and references cannot be written in quotes.
    pub exact: bool,
    /// `Some(true)` if the expression must be a constant, which refers to nothing and calls nothing; `Some(false)` if it
    /// must not be one.
    pub constant: Option<bool>,
    /// True if what a reference names must be defined in the files of the program.
    pub defined: bool,
    /// The paths of the blocks whose labels the value can be, such as `group.network.port`, from the type of a block
    /// around the attribute on.
    pub label_of: Vec<String>,
    /// The meaning for the definition that the block makes.
    pub role: Option<AttributeRole>,
    /// Set if the attribute should no longer be used.
    pub deprecated: Option<Deprecated>,
    /// The first version of the language that has it.
    pub since: Option<String>,
    /// The first version of the language that no longer has it.
    pub until: Option<String>,
    /// The conditions on the value, which expressions call `value`.
    pub checks: Vec<Check>,
    /// The definition that the attribute makes.
    pub defines: Option<Defines>,
    /// The kind of definitions to which attributes of this name assign values. With the name `*`, each attribute
    /// assigns a value to the definition of its own name.
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
    /// The path to the files of a module.
    Source,
    /// The number of instances of the block.
    Count,
    /// A collection. The block has an instance for each element.
    ForEach,
    /// True if the block has an instance.
    Enabled,
    /// An object whose keys are variables in the block.
    Variables,
    /// The name of the parameter of a function that takes all further arguments.
    Variadic,
    /// Not part of the value.
    Meta,
}

impl Attribute {
    /// Returns true if the value must not be shown: it is sensitive, or the program does not store it.
    pub fn is_hidden(&self) -> bool {
        self.sensitive || self.write_only
    }

    /// An optional attribute.
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
            exact: false,
            constant: None,
            defined: false,
            label_of: Vec::new(),
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

    /// Makes the attribute required.
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Sets the description, in Markdown.
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the value that applies if the attribute is left out.
    pub fn with_default(mut self, default: impl Into<Value>) -> Self {
        self.default = Some(default.into());
        self
    }

    /// Adds a condition on the value.
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }

    /// Declares that the attribute should no longer be used.
    pub fn with_deprecated(mut self, deprecated: Deprecated) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Returns true if it stands for all names that are not listed.
    pub fn is_free(&self) -> bool {
        self.name == OTHERS
    }

    /// Returns the default in the notation of a case of [`Match`](super::Match).
    pub(in crate::schema) fn default_text(&self) -> Option<String> {
        let default = self.default.as_ref()?;
        let text = default.as_str().map(str::to_owned);
        let text = text.or_else(|| default.as_number().map(Number::to_string));
        text.or_else(|| default.as_bool().map(|value| value.to_string()))
    }
}
