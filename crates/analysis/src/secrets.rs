//! Values in a file that must not be offered elsewhere, by the text of the file alone.
//!
//! [`File`](crate::File) says which values a language calls sensitive, and which attributes hide theirs; which computed values
//! may be shown, by [`Project`](crate::Project).

use std::collections::BTreeSet;

use hcl_lr::ConfigFile;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind};
use hcl_lr_language::definitions::{Definitions, Roles};

/// Returns true if the values in a block are those of a definition that is secret by its name.
pub(crate) fn has_secrets(block_type: &str, labels: &[String], roles: &Roles) -> bool {
    let is_definition = roles.roles().iter().any(|role| role.block_type() == Some(block_type));
    is_definition && labels.last().is_some_and(|label| is_secret_name(label))
}

/// Returns true if a block defines an input.
pub(crate) fn is_input(block_type: &str, roles: &Roles) -> bool {
    roles.roles().iter().any(|role| role.is_input() && role.block_type() == Some(block_type))
}

/// The names of the definitions in a file that it calls sensitive, in either syntax.
pub(crate) fn sensitive_names(document: &ConfigFile, roles: &Roles) -> BTreeSet<String> {
    // Most files call nothing sensitive.
    if !document.source().text().contains("sensitive") {
        return BTreeSet::new();
    }
    let definitions = Definitions::of(roles, [document.clone()]).into_value();
    definitions
        .iter()
        .filter(|definition| definition.is_sensitive())
        .map(|definition| definition.name().to_owned())
        .collect()
}

/// Returns true if the values in a body must not be shown elsewhere: it says so by `sensitive = true`, or by anything else
/// than `false`.
pub(crate) fn is_sensitive(body: BodyNode<'_>) -> bool {
    let flag = body.attribute("sensitive").map(|attribute| attribute.expression().kind());
    flag.is_some_and(|flag| !matches!(flag, ExpressionKind::Bool(false)))
}
