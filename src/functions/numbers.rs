//! Functions on numbers.

use std::cmp::Ordering;

use crate::eval::{Function, FunctionError, Parameter};
use crate::model::{Number, Type, Value, operations};

pub(super) fn all() -> [(&'static str, Function); 5] {
    let number = [Parameter::new("num", Type::Number).allow_dynamic().allow_marked()];
    let negate = Function::new(number, Type::Number, |arguments| Ok(operations::negate(&arguments[0])?));
    [
        ("abs", mapped(|number| Ok(number.abs()))),
        ("int", mapped(whole_part)),
        ("max", chosen(Ordering::Greater)),
        ("min", chosen(Ordering::Less)),
        ("negate", negate.refined(|result| result.not_null())),
    ]
}

/// A function from number to number.
fn mapped(map: fn(&Number) -> Result<Number, FunctionError>) -> Function {
    let number = [Parameter::new("num", Type::Number).allow_dynamic()];
    let work = move |arguments: &[Value]| match arguments[0].as_number() {
        Some(number) => Ok(Value::from(map(number)?)),
        None => Ok(Value::unknown(Type::Number)),
    };
    Function::new(number, Type::Number, work).refined(|result| result.not_null())
}

/// Without the fraction. What is left of an infinity is itself.
fn whole_part(number: &Number) -> Result<Number, FunctionError> {
    if number.is_infinite() || number.is_whole() {
        return Ok(number.clone());
    }
    Ok(number.subtract(&number.remainder(&Number::from(1))?)?)
}

/// The number that compares like this with all others.
fn chosen(wanted: Ordering) -> Function {
    let numbers = Parameter::new("numbers", Type::Number).allow_dynamic();
    let work = move |arguments: &[Value]| {
        let numbers = arguments.iter().filter_map(Value::as_number);
        let best = numbers.reduce(|best, number| if number.cmp(best) == wanted { number } else { best });
        best.cloned().map(Value::from).ok_or_else(|| FunctionError::from("at least one number is required"))
    };
    Function::variadic([], numbers, Type::Number, work).refined(|result| result.not_null())
}
