//! Functions on numbers.

use std::cmp::Ordering;

use bigdecimal::num_bigint::{BigInt, Sign};

use super::{because, blame, number, number_of, str_of, whole};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::engine::float;
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{Number, Type, Value, operations};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let dynamic = || number("num").allow_dynamic();
    vec![
        function("abs", "Returns the absolute value of a number.")
            .takes(dynamic())
            .gives_number()
            .example("abs(-1)", "1")
            .fails("abs(\"x\")", "invalid value for \"num\" of function \"abs\": a number is required")
            .does(|call| Ok(Value::from(number_of(call, 0).abs()))),
        function("ceil", "Rounds a number up to a whole number.")
            .takes(number("num"))
            .gives_number()
            .example("ceil(1.2)", "2")
            .example("ceil(-1.2)", "-1")
            .does(|call| rounded(number_of(call, 0), Ordering::Greater)),
        function("floor", "Rounds a number down to a whole number.")
            .takes(number("num"))
            .gives_number()
            .example("floor(1.8)", "1")
            .example("floor(-1.2)", "-2")
            .does(|call| rounded(number_of(call, 0), Ordering::Less)),
        function("int", "Drops the fraction of a number.")
            .takes(dynamic())
            .gives_number()
            .example("int(-1.8)", "-1")
            .does(|call| rounded(number_of(call, 0), Ordering::Equal)),
        function("log", "Returns the logarithm of a number to a base, as a floating-point number.")
            .takes(number("num"))
            .takes(number("base"))
            .gives_number()
            .example("log(16, 2)", "4")
            .fails("log(-1, 2)", "function \"log\" failed: the result is not a real number")
            .does(|call| from_float(float::log(to_float(call, 0)?) / float::log(to_float(call, 1)?))),
        function("pow", "Raises a number to a power, as a floating-point number.")
            .takes(number("num"))
            .takes(number("power"))
            .gives_number()
            .example("pow(3, 2)", "9")
            .does(|call| from_float(float::pow(to_float(call, 0)?, to_float(call, 1)?))),
        function("max", "Returns the greatest number.")
            .rest(number("numbers").allow_dynamic())
            .gives_number()
            .example("max(5, 12, 9)", "12")
            .fails("max()", "function \"max\" has no argument for \"numbers\": at least one number is required")
            .does(|call| best(call, Ordering::Greater)),
        function("min", "Returns the least number.")
            .rest(number("numbers").allow_dynamic())
            .gives_number()
            .example("min(5, 12, 9)", "5")
            .fails("min()", "function \"min\" has no argument for \"numbers\": at least one number is required")
            .does(|call| best(call, Ordering::Less)),
        function("parseint", "Parses a string as a whole number in a base from 2 to 62.")
            .takes(super::any("number"))
            .takes(number("base"))
            .gives_by("number", |call| match call.argument(0).ty() {
                Type::String => Ok(Type::Number),
                ty => Err(blame(0, format!("a string is required, not {}", super::with_article(&ty)))),
            })
            .never_null()
            .example("parseint(\"ff\", 16)", "255")
            .example("parseint(\"-101\", 2)", "-5")
            .fails(
                "parseint(\"12\", 2)",
                "invalid value for \"number\" of function \"parseint\": `12` is not a whole number in base 2",
            )
            .does(parse_integer),
        function("signum", "Returns -1 for a negative number, 0 for zero, and 1 for a positive one.")
            .looks_at_one()
            .takes(number("num"))
            .gives_number()
            .example("signum(-13)", "-1")
            .example("signum(0.5)", "1")
            .does(|call| Ok(Value::from(sign(number_of(call, 0))))),
        operator("add", "Adds two numbers.").example("add(1, 2)", "3").does(|call| operated(call, operations::add)),
        operator("subtract", "Subtracts the second number from the first.")
            .example("subtract(3, 1)", "2")
            .does(|call| operated(call, operations::subtract)),
        operator("multiply", "Multiplies two numbers.")
            .example("multiply(3, 2)", "6")
            .does(|call| operated(call, operations::multiply)),
        operator("divide", "Divides the first number by the second.")
            .example("divide(3, 2)", "1.5")
            .fails("divide(0, 0)", "function \"divide\" failed: zero divided by zero has no value")
            .does(|call| operated(call, operations::divide)),
        operator("modulo", "Returns the remainder of a division.")
            .example("modulo(7, 3)", "1")
            .does(|call| operated(call, operations::remainder)),
        function("negate", "Negates a number.")
            .takes(dynamic().allow_marked())
            .gives_number()
            .example("negate(1)", "-1")
            .does(|call| Ok(operations::negate(call.argument(0))?)),
        comparison("greaterthan", "Returns true if the first number is greater than the second.")
            .example("greaterthan(2, 1)", "true")
            .does(|call| Ok(operations::greater_than(call.argument(0), call.argument(1))?)),
        comparison("lessthan", "Returns true if the first number is less than the second.")
            .example("lessthan(2, 1)", "false")
            .does(|call| Ok(operations::less_than(call.argument(0), call.argument(1))?)),
        function("range", "Returns a list of numbers from a start to an end, which is excluded, by a step.")
            .rest(number("params"))
            .gives(Type::list(Type::Number), "list(number)")
            .never_null()
            .example("range(3)", "[0, 1, 2]")
            .example("range(1, 8, 2)", "[1, 3, 5, 7]")
            .example("range(4, 1)", "[4, 3, 2]")
            .fails(
                "range(10000)",
                "function \"range\" failed: that would be more than 1,024 numbers; use a smaller range or a larger step",
            )
            .does(range),
    ]
}

fn operator(name: &'static str, summary: &'static str) -> Builder {
    let operand = |name| number(name).allow_dynamic();
    function(name, summary).takes(operand("a")).takes(operand("b")).gives_number()
}

fn comparison(name: &'static str, summary: &'static str) -> Builder {
    let operand = |name: &'static str| -> Parameter { number(name).allow_dynamic().allow_unknown().allow_marked() };
    function(name, summary).takes(operand("a")).takes(operand("b")).gives_bool()
}

type Operation = fn(&Value, &Value) -> Result<Value, operations::OperationError>;

fn operated(call: &Call<'_>, operation: Operation) -> Result<Value, FunctionError> {
    Ok(operation(call.argument(0), call.argument(1))?)
}

/// Rounds a number: down, up, or towards zero.
fn rounded(number: &Number, towards: Ordering) -> Result<Value, FunctionError> {
    if number.is_infinite() || number.is_whole() {
        return Ok(Value::from(number.clone()));
    }
    let whole = number.subtract(&number.remainder(&Number::from(1))?)?;
    let whole = match towards {
        Ordering::Greater if !number.is_negative() => whole.add(&Number::from(1))?,
        Ordering::Less if number.is_negative() => whole.subtract(&Number::from(1))?,
        _ => whole,
    };
    Ok(Value::from(whole))
}

fn sign(number: &Number) -> i64 {
    match number.cmp(&Number::ZERO) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

/// The number that compares like this with all others.
fn best(call: &Call<'_>, wanted: Ordering) -> Result<Value, FunctionError> {
    let numbers = call.arguments().iter().filter_map(Value::as_number);
    let best = numbers.reduce(|best, number| if number.cmp(best) == wanted { number } else { best });
    best.cloned().map(Value::from).ok_or_else(|| blame(0, "at least one number is required"))
}

fn to_float(call: &Call<'_>, index: usize) -> Result<f64, FunctionError> {
    let number = number_of(call, index);
    let float = number.to_f64();
    match float.is_infinite() && !number.is_infinite() {
        true => Err(blame(index, "the number is too large")),
        false => Ok(float),
    }
}

fn from_float(float: f64) -> Result<Value, FunctionError> {
    if float.is_nan() {
        return Err(because("the result is not a real number"));
    }
    // From here on, floats are whole, and the shortest decimal is another number than the float.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    let number = if float.abs() < WHOLE { Number::try_from(float) } else { Number::from_f64_exact(float) };
    Ok(Value::from(number?))
}

/// The maximum number of digits in base 2 of a representable number.
const MAX_DIGITS: usize = 140_000;

fn parse_integer(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (text, base) = (str_of(call, 0), whole(call, 1)?);
    let Some(base) = u32::try_from(base).ok().filter(|base| (2..=62).contains(base)) else {
        return Err(blame(1, "the base must be from 2 to 62"));
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (Sign::Minus, digits),
        None => (Sign::Plus, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'z' => Some(digit - b'a' + 10),
        b'A'..=b'Z' if base <= 36 => Some(digit - b'A' + 10),
        b'A'..=b'Z' => Some(digit - b'A' + 36),
        _ => None,
    };
    let values: Option<Vec<u8>> =
        digits.bytes().map(|digit| value(digit).filter(|value| u32::from(*value) < base)).collect();
    let Some(values) = values.filter(|values| !values.is_empty()) else {
        return Err(blame(0, format!("`{text}` is not a whole number in base {base}")));
    };
    let words = (values.len().min(MAX_DIGITS) / 16) as u64;
    call.charge(words * words / 8, 8 * values.len() as u64)?;
    let leading = values.iter().take_while(|value| **value == 0).count();
    if values.len() - leading > MAX_DIGITS {
        return Err(crate::model::NumberError::OutOfRange.into());
    }
    let whole = BigInt::from_radix_be(sign, &values[leading..], base).unwrap_or_default();
    Ok(Value::from(Number::from_big_decimal(bigdecimal::BigDecimal::from(whole))?))
}

/// The largest number of elements of `range`, as in the official engine.
const RANGE: usize = 1_024;

fn range(call: &Call<'_>) -> Result<Value, FunctionError> {
    let given: Vec<&Number> = call.arguments().iter().filter_map(Value::as_number).collect();
    let (zero, up, down) = (Number::ZERO, Number::from(1), Number::from(-1));
    let (start, end, step) = match given[..] {
        [end] => (&zero, end, if *end < zero { &down } else { &up }),
        [start, end] => (start, end, if end < start { &down } else { &up }),
        [start, end, step] => (start, end, step),
        _ => return Err(blame(given.len().min(3), "one, two or three numbers are required")),
    };
    if step.is_zero() && start != end {
        return Err(blame(2, "the step must not be zero"));
    }
    let beyond = if step.is_negative() { Ordering::Less } else { Ordering::Greater };
    if end.cmp(start) == beyond.reverse() {
        return Err(blame(1, "the step leads away from the end"));
    }
    let mut numbers = Vec::new();
    let mut next = start.clone();
    while next.cmp(end) == beyond.reverse() {
        if numbers.len() >= RANGE {
            return Err(because("that would be more than 1,024 numbers; use a smaller range or a larger step"));
        }
        call.charge(1 + next.steps_with(step), next.digit_bytes().max(step.digit_bytes()))?;
        let following = next.add(step)?;
        numbers.push(Value::from(next));
        next = following;
    }
    super::list_of(Type::Number, numbers)
}
