//! Steps from a value to its parts, as in the paths of expressions. Nothing is reported.

use std::borrow::Cow;

use super::{Scope, literal};
use crate::model::Value;
use crate::model::operations::{self, OperationError};
use crate::syntax::ast::{AccessStep, TraversalNode};

/// Returns the value of a path, if there is one. Nothing is reported.
pub(super) fn resolve(path: TraversalNode<'_>, scope: &Scope<'_>) -> Option<Value> {
    let mut value = Cow::Borrowed(scope.variable(path.root().text())?);
    for step in path.steps() {
        value = step_into(value, &step).ok()?;
    }
    Some(value.into_owned())
}

/// Takes one step of a path. If that fails, returns the value before the step and the reason.
pub(super) fn step_into<'v>(
    value: Cow<'v, Value>,
    step: &AccessStep<'_>,
) -> Result<Cow<'v, Value>, (Cow<'v, Value>, OperationError)> {
    let result = match step {
        AccessStep::Attribute(name) => {
            if let Cow::Borrowed(plain) = value
                && !plain.is_marked()
                && let Some(found) = plain.attribute(name.text()).or_else(|| plain.entry(name.text()))
            {
                return Ok(Cow::Borrowed(found));
            }
            operations::attribute(&value, name.text())
        }
        AccessStep::Index(key) => operations::index(&value, &literal::key(*key)),
        AccessStep::LegacyIndex(number) => operations::index(&value, &literal::number(*number)),
    };
    match result {
        Ok(found) => Ok(Cow::Owned(found)),
        Err(why) => Err((value, why)),
    }
}
