//! Each public operation on wide values, on deep values, and on values with shared parts.
//!
//! The name of a case begins with the operation: its file and its name. `operations.rs` two levels up checks that each
//! public function has a case.

/// A row of a table: `case!(operation: shape, size, input of a size => work on it)`.
macro_rules! case {
    ($operation:tt: $shape:expr, $size:expr, $make:expr => $work:expr) => {
        $crate::cases::operations::case($operation, $shape, $size, $make, $work)
    };
}

mod bodies;
mod expressions;
mod operators;
mod rust;
mod specs;
mod texts;
mod types;
mod values;

use hcl_lr::model::{Type, Value};

use super::Case;

/// Returns all cases.
pub fn all() -> Vec<Case> {
    let parts = [
        values::all(),
        operators::all(),
        types::all(),
        bodies::all(),
        specs::all(),
        expressions::all(),
        texts::all(),
        rust::all(),
    ];
    parts.into_iter().flatten().collect()
}

/// Those on the digits of numbers.
pub fn digits() -> Vec<Case> {
    operators::of_digits().into_iter().chain(texts::indented()).collect()
}

/// The number of elements of wide values.
const WIDE: usize = 400;

/// The number of levels of deep values.
const DEEP: usize = 100;

/// The number of doublings. Code that visits each copy anew does not come to an end.
const DOUBLED: usize = 48;

/// Creates a case for an operation whose input is prepared beforehand.
fn case<T: 'static, R>(
    operation: &'static str,
    shape: &str,
    size: usize,
    make: impl Fn(usize) -> T + 'static,
    work: impl Fn(T) -> R + Clone + 'static,
) -> Case {
    Case::new(format!("{operation}: {shape}"), size, move |size| {
        let (input, work) = (make(size), work.clone());
        move || drop(work(input))
    })
}

/// Returns the element of generated values: an object with a text and a number.
fn one(at: usize) -> Value {
    Value::object([("name", Value::from(format!("text {}", at * 7919))), ("port", Value::from(at))])
}

fn one_type() -> Type {
    Type::object([("name", Type::String), ("port", Type::Number)])
}

/// A tuple with a given number of objects.
fn wide(count: usize) -> Value {
    Value::tuple((0..count).map(one))
}

/// A list with a given number of objects.
fn list(count: usize) -> Value {
    Value::list(one_type(), (0..count).map(one)).expect("objects")
}

/// An object with a given number of attributes.
fn object(count: usize) -> Value {
    Value::object((0..count).map(|at| (format!("name {}", at * 7919 % count), Value::from(at))))
}

fn map(count: usize) -> Value {
    let elements = (0..count).map(|at| (format!("name {}", at * 7919 % count), Value::from(at)));
    Value::map(Type::Number, elements).expect("numbers")
}

fn strings(count: usize) -> Value {
    let texts = (0..count).map(|at| Value::from(format!("text {}", at * 7919 % count)));
    Value::list(Type::String, texts).expect("texts")
}

/// Objects and tuples in each other, a given number of levels deep.
fn deep(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |value, at| match at % 2 {
        0 => Value::tuple([Value::from("a"), value]),
        _ => Value::object([("a", Value::from(1)), ("b", value)]),
    })
}

/// A value with two places for the same one on each level.
fn doubled(levels: usize) -> Value {
    (0..levels).fold(Value::from(1), |value, _| Value::tuple([value.clone(), value]))
}
