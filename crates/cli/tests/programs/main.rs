//! `hcl` and `hcldec` as their users meet them.

mod agreement;
mod agreement_ways;
mod allowed_files;
mod bake;
mod both_syntaxes;
mod cli;
mod conformance;
mod documented;
mod edit;
mod explain;
mod fix;
mod fmt;
mod git;
mod guides;
mod hcldec;
mod links;
mod opentofu;
mod options;
mod picture;
mod program;
mod rename;
mod rename_everywhere;
mod repetition;
mod scoreboard;
mod secrets;
mod signals;
mod standard_input;
mod strangers_path;
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod terminal;
mod testdata;
mod there_and_back;
mod types;
mod values;
