//! The types of inputs.

use crate::body::Expression;
use crate::diagnostic::Diagnostics;
use crate::eval::Scope;
use crate::model::Type;
use crate::type_expr::{Constraint, constraint_within};

/// The type that an expression describes. The ways in which types were once written are understood too: in
/// quotes, and `list` and `map` alone. Defaults in it are evaluated within the limits of the scope.
pub(super) fn constraint(expression: &Expression, scope: &Scope<'_>) -> Result<Constraint, Diagnostics> {
    let any = |kind: &str| match kind {
        "list" => Some(Type::list(Type::Dynamic)),
        "map" => Some(Type::map(Type::Dynamic)),
        "set" => Some(Type::set(Type::Dynamic)),
        _ => None,
    };
    let problems = match scope.metered(|_, account| constraint_within(expression, account)) {
        Ok(constraint) => return Ok(constraint),
        Err(problems) => problems,
    };
    if let Some(ty) = expression.keyword().as_deref().and_then(any) {
        return Ok(ty.into());
    }
    let quoted = expression.as_template().and_then(|template| template.as_text().map(|text| text.into_owned()));
    match quoted.as_deref() {
        Some("string") => Ok(Type::String.into()),
        Some("number") => Ok(Type::Number.into()),
        Some("bool") => Ok(Type::Bool.into()),
        Some(text) => any(text).map(Constraint::from).ok_or(problems),
        None => Err(problems),
    }
}
