//! Definitions that blocks and attributes make.

use crate::definitions::Duplicates;
use hcl_lr::model::Value;
use hcl_lr::source::Place;

/// A definition that a block or attribute makes: a name that expressions can refer to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Defines {
    /// The name of the kind, by which `reference(KIND)` means it.
    pub kind: String,
    /// The value of the definition.
    pub value: DefinitionKind,
    /// The address that expressions use for it, with names of labels in braces, such as `data.{type}.{name}`, and `{attribute}` for
    /// the name of the attribute. Without it nothing can refer to the definition.
    pub address: Option<String>,
    /// Other addresses.
    pub aliases: Vec<String>,
    /// True if the value has more attributes than are written, which are known later.
    pub open: bool,
    /// True if a reference to an attribute depends on this attribute only.
    pub by_attribute: bool,
    /// True if expressions do not see it: only attributes of the types `reference` and `address` mean it by its address.
    pub apart: bool,
    /// The name by which expressions in the block refer to the definition, such as `self`.
    pub itself: Option<String>,
    /// The value of an input that is neither given nor has a default.
    pub otherwise: Option<Value>,
    /// True if the default of an input is a constant, in which only `functions` can be called.
    pub constant: bool,
    /// The functions that a constant default can call.
    pub functions: Vec<String>,
    /// True if the type of an input without one is that of its default.
    pub typed_by_default: bool,
    /// True if the value of an object has its blocks, too.
    pub nested: bool,
    /// The meaning of two definitions of one name.
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
    /// The value of the attribute, or of the attribute of a block with the role `value`.
    Value,
    /// A value from outside, or the attribute `default`.
    Input,
    /// The results of other files.
    Module,
    /// Nothing that is known before the program runs.
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
            apart: false,
            itself: None,
            otherwise: None,
            constant: false,
            functions: Vec::new(),
            typed_by_default: false,
            nested: false,
            duplicates: Duplicates::default(),
            place: Place::nowhere(),
        }
    }
}
