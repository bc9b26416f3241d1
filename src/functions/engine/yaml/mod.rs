//! YAML as in the official library: scalars by a mix of the rules of 1.1 and 1.2, mappings as objects, sequences as
//! tuples.

mod parse;
mod read;
mod resolve;
mod scan;
mod write;

pub(crate) use read::decode;
pub(crate) use write::encode;

#[cfg(test)]
mod tests;
