//! `hcl` and `hcldec` as their users meet them, and the programs in `examples`.

mod cli;
mod conformance;
mod edit;
mod examples;
mod explain;
mod fix;
mod fmt;
mod guides;
mod hcldec;
mod program;
mod rename;
mod rename_everywhere;
mod repetition;
mod scoreboard;
mod secrets;
#[path = "../support/mod.rs"]
mod support;
mod terminal;
mod values;
