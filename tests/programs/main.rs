//! `hcl` and `hcldec` as their users meet them, and the programs in `examples`.

mod cli;
mod examples;
mod explain;
mod fix;
mod fmt;
mod hcldec;
mod program;
#[path = "../support/mod.rs"]
mod support;
