//! Schemas as what the lower layers need: schemas of bodies, specs, roles, schemas for conversion.
