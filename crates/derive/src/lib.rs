//! The macros of [hcl-lr](https://docs.rs/hcl-lr), behind the feature `derive` of that package, which documents them.
//!
//! - The attribute `hcl_lr::hcl` says which fields of a structure are blocks and labels. All it does is to put attributes of
//!   serde in the place of its own, so that what serde derives stays all that there is to know.
//! - `hcl_lr_language::schema::HclSchema` derives the schema of a language from the types that its files are read into.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

mod rewrite;
mod schema;

/// Says which fields of a structure or of the variants of an enum are blocks and labels. Documented as
/// `hcl_lr::hcl`.
#[proc_macro_attribute]
pub fn hcl(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rewrite::rewrite(arguments.into(), item.into()).into()
}

/// Describes a type as a schema. Documented as `hcl_lr_language::schema::HclSchema`.
#[proc_macro_derive(HclSchema, attributes(serde))]
pub fn hcl_schema(item: TokenStream) -> TokenStream {
    schema::derive(item.into()).into()
}
