//! Functions that take types.

use crate::eval::{Function, FunctionError, LazyArgument, Parameter};
use crate::model::{Type, Value};
use crate::type_expr::{Wanted, read_native};

pub(super) fn all() -> [(&'static str, Function); 1] {
    let parameters = [Parameter::new("value", Type::Dynamic), Parameter::new("type", Type::Dynamic)];
    [("convert", Function::lazy(parameters, None, convert))]
}

/// The value of the first argument, converted to the type that the second one is. Nulls and unknowns
/// are converted like all other values; the marks of parts become marks of the result. As in the
/// official engine, attributes that are optional in the type must be there nevertheless.
fn convert(arguments: &[LazyArgument<'_>]) -> Result<Value, FunctionError> {
    let value = arguments[0].evaluate();
    let Some(written) = arguments[1].expression() else {
        return Err(FunctionError::argument(1, "a type is required, written out, such as list(string)"));
    };
    match (value, read_native(written, Wanted::Constraint)) {
        (Ok(value), Ok(constraint)) => {
            let (plain, marks) = value.unmark_deep();
            let converted = constraint.with_all_required().convert(&plain);
            let converted = converted.map_err(|why| FunctionError::argument(0, why.to_string()))?;
            Ok(converted.with_marks(&marks))
        }
        (Err(mut problems), Err(more)) => {
            problems.append(more);
            Err(problems.into())
        }
        (Err(problems), _) | (_, Err(problems)) => Err(problems.into()),
    }
}
