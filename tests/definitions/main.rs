//! Definitions: files whose parts refer to each other, by tables of roles.

mod any_input;
mod basics;
mod corpus;
mod fixtures;
mod foreign;
mod large;
#[path = "../support/mod.rs"]
mod support;

/// Returns the roles of a shipped language.
fn roles_of(name: &str) -> hcl_lr_language::definitions::Roles {
    hcl_lr_language::schema::Schema::by_name(name).expect("a language").roles()
}
