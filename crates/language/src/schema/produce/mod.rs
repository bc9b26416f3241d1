//! Converts schemas to the tables of the lower layers: roles of definitions, schemas for conversion, schemas of
//! bodies, specs.

mod bodies;
mod conversion;
mod roles;
mod spec;

pub(super) use bodies::block_schema;
pub(super) use spec::blocks_spec;

/// The maximum number of levels in a table, because a body may contain itself.
const MAX_DEPTH: usize = 12;

/// The maximum number of copies of a body inside itself.
const MAX_REPEATED: usize = 2;
