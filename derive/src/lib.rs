//! The attribute macro of [hcl-lr](https://docs.rs/hcl-lr) that says which fields of a structure are blocks
//! and labels. It is used as `hcl_lr::hcl`, behind the feature `derive` of that package, which documents it.
//!
//! All it does is to put attributes of serde in the place of its own, so that what serde derives stays all
//! that there is to know.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

mod rewrite;

/// Says which fields of a structure or of the variants of an enum are blocks and labels. Documented as
/// `hcl_lr::hcl`.
#[proc_macro_attribute]
pub fn hcl(arguments: TokenStream, item: TokenStream) -> TokenStream {
    rewrite::rewrite(arguments.into(), item.into()).into()
}
