//! The types of inputs.

use crate::body::Expression;
use crate::diagnostic::Diagnostics;
use crate::eval::Scope;
use crate::model::Type;
use crate::type_expr::{Constraint, constraint_within};

/// The type that an expression describes. `list` and `map` alone are those of any elements, as they once were. Defaults in
/// it are evaluated within the limits of the scope.
pub(super) fn constraint(expression: &Expression, scope: &Scope<'_>) -> Result<Constraint, Diagnostics> {
    let problems = match scope.metered(|_, account| constraint_within(expression, account)) {
        Ok(constraint) => return Ok(constraint),
        Err(problems) => problems,
    };
    match expression.keyword().as_deref() {
        Some("list") => Ok(Type::list(Type::Dynamic).into()),
        Some("map") => Ok(Type::map(Type::Dynamic).into()),
        _ => Err(problems),
    }
}
