//! Schemas as the tables of the lower layers: roles of definitions, schemas for conversion, schemas of bodies, specs.

mod bodies;
mod conversion;
mod roles;
mod spec;

/// A body may contain itself. A table has no more levels than this.
const MAX_DEPTH: usize = 12;

/// The times that a body is written out in itself.
const MAX_REPEATED: usize = 2;
