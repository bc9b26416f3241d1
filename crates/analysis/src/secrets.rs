//! Finds values in a file that must not be offered elsewhere, from its text alone.
//!
//! [`File`](crate::File) knows the values that a language calls sensitive and the attributes that hide theirs.
//! [`Project`](crate::Project) knows which computed values may be shown.

use std::collections::BTreeSet;

use hcl_lr::ConfigFile;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind};
use hcl_lr_language::definitions::{Definitions, Roles};

/// Returns true if the values in a block belong to a definition with a secret name.
pub(crate) fn has_secrets(block_type: &str, labels: &[String], roles: &Roles) -> bool {
    let is_definition = roles.roles().iter().any(|role| role.block_type() == Some(block_type));
    is_definition && labels.last().is_some_and(|label| is_secret_name(label))
}

/// Returns true if a block defines an input.
pub(crate) fn is_input(block_type: &str, roles: &Roles) -> bool {
    roles.roles().iter().any(|role| role.is_input() && role.block_type() == Some(block_type))
}

/// Returns the names of the definitions that a file declares sensitive, in either syntax.
pub(crate) fn sensitive_names(document: &ConfigFile, roles: &Roles) -> BTreeSet<String> {
    // Most files declare nothing sensitive.
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

/// Returns true if the values in a body must not be shown elsewhere: it has `sensitive = true`, or any other value
/// than `false`.
pub(crate) fn is_sensitive(body: BodyNode<'_>) -> bool {
    let flag = body.attribute("sensitive").map(|attribute| attribute.expression().kind());
    flag.is_some_and(|flag| !matches!(flag, ExpressionKind::Bool(false)))
}
