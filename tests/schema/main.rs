//! Languages that are described by schemas: reading schemas, and checking files by them.

mod corpus;
mod derived;
mod detection;
mod fixtures;
mod imports;
mod json_schema;
mod languages;
mod loops;
mod mutated;
mod programs;
mod providers;
#[path = "../support/mod.rs"]
mod support;
mod texts;
mod types;

/// A file of the fixtures of commands, which are about schemas, too.
fn of_commands(name: &str) -> String {
    let cases = support::golden::cases("cli/files");
    cases.iter().find_map(|case| case.file(name)).expect("the file").text().to_owned()
}
