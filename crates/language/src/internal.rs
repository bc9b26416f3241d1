//! Items for the packages of this workspace, which other packages do not need. They may change or go in any version.

pub use crate::schema::check::judge::Judge;
pub use crate::schema::check::shape::{Expr, Shape};
pub use crate::schema::index::{Id, MatchNode, Node, SchemaIndex};
pub use crate::schema::model::alternatives::types_of_themselves;
