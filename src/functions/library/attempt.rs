//! `try` and `can`.

use super::any;
use crate::eval::{Attempt, FunctionError, LazyArgument, LazyCall, marks_of};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("can", "Returns true if an expression can be evaluated.")
            .takes(any("expression"))
            .gives(Type::Bool, "bool")
            .example("can(1 + 1)", "true")
            .example("can({}.missing)", "false")
            .attempts(Attempt::Can, |call| Ok(can(call.argument(0)))),
        function("try", "Returns the value of the first expression that can be evaluated.")
            .rest(any("expressions"))
            .example("try({}.missing, \"none\")", "\"none\"")
            .fails("try()", "function \"try\" has no argument for \"expressions\": at least one argument is required")
            .attempts(Attempt::First, first_that_works),
    ]
}

/// Returns true if the expression can be evaluated. While a part of its value is unknown, so is the result: an
/// operation that is possible with a value of unknown type may turn out to fail.
fn can(argument: &LazyArgument<'_>) -> Value {
    match argument.evaluate() {
        Err(_) => Value::from(false),
        Ok(value) if !value.is_wholly_known() => Value::unknown(Type::Bool),
        Ok(_) => Value::from(true),
    }
}

/// Returns the value of the first expression that can be evaluated. If a part of it is unknown, it may still fail, so
/// not even the type of the result is known.
fn first_that_works(call: &LazyCall<'_>) -> Result<Value, FunctionError> {
    let mut problems = String::new();
    let mut arguments = call.arguments().iter();
    while let Some(argument) = arguments.next() {
        match argument.evaluate() {
            Ok(value) if value.is_wholly_known() => return Ok(value),
            Ok(value) => {
                // It may still fail; then one of the others is the result, with its marks.
                let others = arguments.filter_map(|other| other.evaluate().ok());
                let all: Vec<Value> = [value].into_iter().chain(others).collect();
                return Ok(Value::unknown(Type::Dynamic).with_marks(&marks_of(&all, call.account())?));
            }
            Err(diagnostics) => {
                for diagnostic in diagnostics.errors() {
                    problems.push_str("; ");
                    problems.push_str(diagnostic.detail());
                }
            }
        }
    }
    if call.arguments().is_empty() {
        return Err(FunctionError::argument(0, "at least one argument is required"));
    }
    Err(format!("none of the expressions can be evaluated{problems}").into())
}
