//! Imports other descriptions of languages as schemas.

mod provider;

pub use provider::{FunctionParameter, ProviderFunction, ProviderSchemas};
