//! Definitions that blocks and attributes make.

use crate::definitions::Duplicates;
use hcl_lr::model::Value;
use hcl_lr::source::Place;

/// A definition that a block or attribute makes: a name that expressions can refer to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Defines {
    /// The name of the kind, as in `reference(KIND)`.
    pub kind: String,
    /// The value of the definition.
    pub value: DefinitionKind,
    /// The address of the definition in expressions, with names of labels in braces, such as `data.{type}.{name}`, and
    /// `{attribute}` for the name of the attribute. Without an address, nothing can refer to the definition.
    pub address: Option<String>,
    /// Other addresses.
    pub aliases: Vec<String>,
    /// True if the value has more attributes than the file sets, which are known later.
    pub open: bool,
    /// True if a reference to an attribute depends only on this attribute.
    pub by_attribute: bool,
    /// True if the definition depends on all that its block refers to, so that two cannot need each other even by different
    /// attributes.
    pub whole: bool,
    /// True if expressions do not see it: only attributes of the types `reference` and `address` refer to it.
    pub apart: bool,
    /// The name by which expressions in the block refer to the definition, such as `self`.
    pub itself: Option<String>,
    /// The types of the blocks in it whose expressions can use this name; if there are none, all can.
    pub itself_in: Vec<String>,
    /// The value of an input that is not given and has no default.
    pub otherwise: Option<Value>,
    /// True if the default of an input must be a constant, which can call only `functions`.
    pub constant: bool,
    /// The functions that a constant default can call.
    pub functions: Vec<String>,
    /// True if an input without a type has the type of its default.
    pub typed_by_default: bool,
    /// True if the value of an object includes its blocks.
    pub nested: bool,
    /// True if the value of an object is ephemeral: it must not be stored.
    pub ephemeral: bool,
    /// True if the arguments of an object are stored, so that ephemeral values are not allowed in them.
    pub stored: bool,
    /// The names of arguments that are not stored, as far as no catalog says so. `*` stands for the start of any name.
    pub write_only: Vec<String>,
    /// The meaning of two definitions with one name.
    pub duplicates: Duplicates,
    /// The place in the schema file.
    pub place: Place,
}

/// The value of a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionKind {
    /// The object of the attributes of a block.
    #[default]
    Object,
    /// The value of the attribute, or of the block's attribute with the role `value`.
    Value,
    /// A value from outside, or the attribute `default`.
    Input,
    /// The results of other files.
    Module,
    /// A value that is known only when the program runs.
    Later,
    /// A function.
    Function,
}

impl Defines {
    /// A definition of a kind with an address.
    pub fn new(kind: impl Into<String>, value: DefinitionKind, address: impl Into<String>) -> Self {
        Defines {
            kind: kind.into(),
            value,
            address: Some(address.into()),
            aliases: Vec::new(),
            open: false,
            by_attribute: false,
            whole: false,
            apart: false,
            itself: None,
            itself_in: Vec::new(),
            otherwise: None,
            constant: false,
            functions: Vec::new(),
            typed_by_default: false,
            nested: false,
            ephemeral: false,
            stored: false,
            write_only: Vec::new(),
            duplicates: Duplicates::default(),
            place: Place::nowhere(),
        }
    }
}
