//! The data of a schema.
//!
//! All of it is plain data that a program can walk, and can make by `new` and the methods that begin with `with`. Every
//! node has its description and its place in the file that it was read from.

mod alternatives;
mod body;
mod definition;
mod language;
mod types;

pub(in crate::schema) use alternatives::types_of_themselves;
pub use body::{
    Attribute, AttributeRole, Block, BlockRole, Body, Case, Check, Deprecated, Form, Include, Label, Match, Nesting,
    Otherwise, Rule, RuleKind,
};
pub use definition::{Defines, DefinitionKind};
pub use language::{CatalogSource, Files, Part, Schema};
pub use types::{Format, NameIn, ObjectAttribute, ObjectType, Range, Type};
