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

/// The attributes of a block that say that its value must not be shown.
const FLAGS: [&str; 2] = ["sensitive", "ephemeral"];

/// Returns the names of the definitions that a file declares sensitive or ephemeral, in either syntax.
pub(crate) fn sensitive_names(document: &ConfigFile, roles: &Roles) -> BTreeSet<String> {
    // Most files declare nothing of this kind.
    if !FLAGS.iter().any(|flag| document.source().text().contains(flag)) {
        return BTreeSet::new();
    }
    let definitions = Definitions::of(roles, [document.clone()]).into_value();
    definitions
        .iter()
        .filter(|definition| definition.is_sensitive())
        .map(|definition| definition.name().to_owned())
        .collect()
}

/// Returns true if the values in a body must not be shown elsewhere: it has `sensitive = true` or `ephemeral = true`, or
/// any other value than `false`.
pub(crate) fn is_sensitive(body: BodyNode<'_>) -> bool {
    let mut flags = FLAGS.iter().filter_map(|flag| body.attribute(flag)).map(|attribute| attribute.expression().kind());
    flags.any(|flag| !matches!(flag, ExpressionKind::Bool(false)))
}

/// Returns true if a body says anything about hiding its value.
pub(crate) fn has_flag(body: BodyNode<'_>) -> bool {
    FLAGS.iter().any(|flag| body.attribute(flag).is_some())
}
