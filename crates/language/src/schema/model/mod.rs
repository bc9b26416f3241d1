//! The data of a schema.
//!
//! All of it is plain data that a program can walk, or build with `new` and the methods that begin with `with`. Every
//! node has its description and its place in the schema file.

pub(crate) mod alternatives;
mod attribute;
mod block;
mod body;
mod condition;
mod definition;
mod deprecated;
mod language;
mod matched;
mod rule;
mod types;

pub(in crate::schema) use alternatives::types_of_themselves;
pub use attribute::{Attribute, AttributeRole};
pub use block::{Block, BlockRole, Form, Label, Nesting};
pub use body::{Body, Include};
pub use condition::Check;
pub use definition::{Defines, DefinitionKind};
pub use deprecated::Deprecated;
pub use language::{CatalogSource, Files, Part, Schema};
pub use matched::{Case, Match, Otherwise};
pub use rule::{Rule, RuleKind};
pub use types::{Format, NameIn, ObjectAttribute, ObjectType, Range, Type};
