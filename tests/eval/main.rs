//! Evaluation: values of expressions, types, bodies by schema, dynamic blocks, functions that a configuration defines,
//! decoding by specs, and marked values, which are never shown.

mod body;
mod calls;
mod decode;
mod dynamic;
mod evaluation;
mod messages;
mod places;
mod secrets;
mod simplify;
mod suite;
#[path = "../support/mod.rs"]
mod support;
mod twins;
mod types;
mod user_functions;
