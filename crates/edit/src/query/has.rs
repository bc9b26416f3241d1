//! The function `has`, which tests if something is present.

use hcl_lr::eval::{Function, FunctionError, LazyCall, Parameter, Scope};
use hcl_lr::model::{Number, Type, Value};
use hcl_lr::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode};

/// Returns the function `has(NAME)`: true if `self` has an item with this name, whatever its value. `NAME` is a path
/// such as `tags.Name`, or a string. If the path begins with a variable (`self`, `node` or that of a `for`), the
/// search is in its value.
pub(super) fn has() -> Function {
    Function::lazy([Parameter::new("name", Type::Dynamic)], None, answer)
}

fn answer(call: &LazyCall<'_>) -> Result<Value, FunctionError> {
    let argument = call.argument(0);
    let Some(this) = call.scope().and_then(|scope: &Scope<'_>| scope.variable("self")) else {
        return Err("there is no `self` to look for a name in".into());
    };
    if let Some(path) = argument.expression().and_then(ExpressionNode::as_traversal) {
        let root = path.root().text();
        // An attribute called `self` or `node` hides the variable.
        let hidden = matches!(root, "self" | "node") && part(this, root).is_some();
        let variable = call.scope().and_then(|scope| scope.variable(root));
        let (mut value, mut names) = match variable.filter(|_| path.steps().len() > 0 && !hidden) {
            Some(variable) => (variable, Vec::new()),
            None => (this, vec![root.to_owned()]),
        };
        for step in path.steps() {
            names.push(name_of(step).ok_or_else(|| FunctionError::argument(0, "must be a name or a path of names"))?);
        }
        for name in &names {
            if !value.is_known() {
                return Ok(Value::unknown(Type::Bool));
            }
            match part(value, name) {
                Some(inner) => value = inner,
                None => return Ok(Value::from(false)),
            }
        }
        return Ok(Value::from(true));
    }
    let name = argument.evaluate()?;
    if !name.is_known() || !this.is_known() {
        return Ok(Value::unknown(Type::Bool));
    }
    match name.as_str() {
        Some(name) => Ok(Value::from(part(this, name).is_some())),
        None => Err(FunctionError::argument(0, "must be a name, a path of names, or a string")),
    }
}

/// Returns the text of a constant step.
fn name_of(step: AccessStep<'_>) -> Option<String> {
    match step {
        AccessStep::Attribute(name) => Some(name.text().to_owned()),
        AccessStep::LegacyIndex(number) => Some(number.text().to_owned()),
        AccessStep::Index(key) => match key.kind() {
            ExpressionKind::Template(template) => template.as_text().map(|text| text.into_owned()),
            ExpressionKind::Number(number) => Number::parse(number.text()).ok().map(|number| number.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a part of a value by the name of an attribute or the number of an element.
fn part<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value.attribute(name).or_else(|| value.entry(name)) {
        Some(part) => Some(part),
        None if value.entries().is_some() => None,
        None => value.elements()?.get(name.parse::<usize>().ok()?),
    }
}
