//! The types of inputs.

use hcl_lr::body::Expression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::Scope;
use hcl_lr::internal::constraint_within;
use hcl_lr::model::Type;
use hcl_lr::type_expr::Constraint;

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
        _ => Err(with_help(expression, problems)),
    }
}

/// The errors of a type that is written in quotes, as it once was, with what to write.
fn with_help(expression: &Expression, problems: Diagnostics) -> Diagnostics {
    let quoted = expression.as_template().and_then(|template| template.as_text().map(|text| text.into_owned()));
    let Some(text) = quoted.filter(|text| ["string", "number", "bool", "any", "list", "map", "set"].contains(&&**text))
    else {
        return problems;
    };
    let help = match &*text {
        "list" | "map" | "set" => {
            format!("write the type without quotes and with that of the elements: {text}(string)")
        }
        _ => format!("write the type without quotes: {text}"),
    };
    problems.into_iter().map(|problem| problem.with_help(help.clone())).collect()
}
