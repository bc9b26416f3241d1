//! Templates as values.

use std::collections::HashMap;

use super::{any, blame, str_of, text};
use crate::body::Template;
use crate::eval::{Call, FunctionError, Functions, Scope};
use crate::functions::entry::{FunctionEntry, function};
use crate::functions::{FunctionSet, sets};
use crate::model::{Type, Value};
use crate::reading::parse;

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function(
            "templatestring",
            "Renders a template with variables, which are the attributes of an object.",
        )
        .decodes()
        .takes(text("template"))
        .takes(any("vars"))
        .example("templatestring(\"Hello, $${name}!\", { name = \"Jodie\" })", "\"Hello, Jodie!\"")
        .fails(
            "templatestring(\"$${name}\", {})",
            "invalid value for \"template\" of function \"templatestring\": 1:3: there is no variable named \"name\"",
        )
        .does(|call| render(call, str_of(call, 0), "template", &sets::table(FunctionSet::Terraform))),
    ]
}

/// Renders a template with the attributes of an object, or the elements of a map, as variables: the second argument of
/// a call.
pub(super) fn render(
    call: &Call<'_>,
    template: &str,
    name: &str,
    functions: &Functions,
) -> Result<Value, FunctionError> {
    let variables = call.argument(1);
    if !matches!(variables.ty(), Type::Object(_) | Type::Map(_)) {
        return Err(blame(1, format!("an object or map of variables is required, not a {}", variables.ty())));
    }
    let variables: HashMap<String, Value> =
        variables.entries().into_iter().flatten().map(|(name, value)| (name.to_owned(), value.clone())).collect();
    // A table of the functions is built, and the template is parsed.
    call.charge(256 + template.len() as u64, 16 * template.len() as u64)?;
    let scope = Scope::new().with_variables(&variables).with_functions(functions.clone()).counted_by(call);
    let parsed = parse::<Template>((name, template)).into_result();
    let value = parsed.and_then(|template| template.evaluate(&scope));
    value.map_err(|problems| {
        let shown = problems.errors().next().map(|error| {
            let position = error.position();
            format!("{}:{}: {}", position.line, position.column, error.detail())
        });
        blame(0, shown.unwrap_or_else(|| problems.to_string()))
    })
}
