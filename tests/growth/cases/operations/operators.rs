//! Operators on values, and arithmetic of numbers with many digits.

use hcl_lr::Value;
use hcl_lr::model::operations::{self, OperationError};
use hcl_lr::model::{Number, Type};

use super::{Case, DEEP, DOUBLED, WIDE, deep, doubled, list, map, object, strings, wide};

/// A number with a given number of digits, before or after the point.
fn digits(count: usize) -> Number {
    Number::parse(&"7".repeat(count)).expect("a number")
}

fn fraction(count: usize) -> Number {
    Number::parse(&format!("0.{}", "7".repeat(count))).expect("a number")
}

/// With so many, the whole is more than what it takes to begin.
const DIGITS: usize = 800;

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    type Make = fn(usize) -> Value;
    let shapes: [(&str, usize, Make); 5] = [
        ("wide tuples", WIDE, wide),
        ("wide lists", WIDE, list),
        ("wide objects", WIDE, object),
        ("deep values", DEEP, deep),
        ("values with shared parts", DOUBLED, doubled),
    ];
    type Compare = fn(&Value, &Value) -> Value;
    let comparisons: [(&'static str, Compare); 2] = [
        ("model/operations/equality equal", operations::equal),
        ("model/operations/equality not_equal", operations::not_equal),
    ];
    for (operation, compare) in comparisons {
        for (shape, size, make) in shapes {
            cases.push(case!(operation: shape, size, move |n| (make(n), make(n)) => move |(a, b)| compare(&a, &b)));
        }
        let unknown =
            |n: usize| Value::set(Type::Number, (0..n).map(Value::from).chain([Value::unknown(Type::Number)]));
        let sets = move |n: usize| (unknown(n).expect("a set"), unknown(n).expect("a set"));
        cases.push(case!(operation: "sets that are not wholly known", WIDE, sets => move |(a, b)| compare(&a, &b)));
    }
    cases.extend([
        case!("model/operations/part elements": "a list", WIDE, list =>
            |value| operations::elements(&value).expect("elements").collect::<Vec<_>>()),
        case!("model/operations/part elements": "an object", WIDE, object =>
            |value| operations::elements(&value).expect("elements").collect::<Vec<_>>()),
        case!("model/operations/part index": "each of a list", WIDE, list => |value| {
            let all = value.elements().expect("elements").len();
            (0..all).map(|at| operations::index(&value, &Value::from(at))).collect::<Vec<_>>()
        }),
        case!("model/operations/part index": "each of a map", WIDE, map => |value| {
            let keys: Vec<String> = value.entries().expect("a map").map(|(key, _)| key.to_owned()).collect();
            keys.into_iter().map(|key| operations::index(&value, &Value::from(key))).collect::<Vec<_>>()
        }),
        case!("model/operations/part has_index": "each of a map", WIDE, map => |value| {
            let keys: Vec<String> = value.entries().expect("a map").map(|(key, _)| key.to_owned()).collect();
            keys.into_iter().map(|key| operations::has_index(&value, &Value::from(key))).collect::<Vec<_>>()
        }),
        case!("model/operations/part attribute": "each of an object", WIDE, object => |value| {
            let keys: Vec<String> = value.entries().expect("a map").map(|(key, _)| key.to_owned()).collect();
            keys.into_iter().map(|key| operations::attribute(&value, &key)).collect::<Vec<_>>()
        }),
        case!("model/operations/part has_element": "each of a set", WIDE,
        |n| (strings(n), strings(n).convert(&Type::set(Type::String)).expect("a set")) =>
        |(all, set)| {
            let elements = all.elements().expect("elements").iter();
            elements.map(|element| operations::has_element(&set, element)).collect::<Vec<_>>()
        }),
    ]);
    cases
}

/// Arithmetic of numbers with many digits. To multiply and to divide them takes more than twice as long for
/// twice as many; there are not more than 20,000.
pub fn of_digits() -> Vec<Case> {
    let mut cases = Vec::new();
    type Arithmetic = fn(&Value, &Value) -> Result<Value, OperationError>;
    let arithmetic: [(&'static str, Arithmetic); 9] = [
        ("model/operations/arithmetic add", operations::add),
        ("model/operations/arithmetic subtract", operations::subtract),
        ("model/operations/arithmetic multiply", operations::multiply),
        ("model/operations/arithmetic divide", operations::divide),
        ("model/operations/arithmetic remainder", operations::remainder),
        ("model/operations/arithmetic less_than", operations::less_than),
        ("model/operations/arithmetic greater_than", operations::greater_than),
        ("model/operations/arithmetic less_or_equal", operations::less_or_equal),
        ("model/operations/arithmetic greater_or_equal", operations::greater_or_equal),
    ];
    for (operation, compute) in arithmetic {
        cases.push(
            case!(operation: "many digits", DIGITS, |n| (Value::from(digits(n)), Value::from(fraction(n / 2))) =>
            move |(a, b)| (compute(&a, &b), compute(&b, &a), a, b)),
        );
    }
    cases.extend([
        case!("model/number/text parse": "many digits", DIGITS, |n| "7".repeat(n) => |text| Number::parse(&text)),
        case!("model/number/text fmt": "many digits", DIGITS, digits => |number| number.to_string()),
        case!("model/number/text to_scientific": "many digits", DIGITS, digits => |number| number.to_scientific(21)),
        case!("model/number/arithmetic negate": "many digits", DIGITS, digits => |number| number.negate()),
        case!("model/number/arithmetic abs": "many digits", DIGITS, digits => |number| number.negate().abs()),
        case!("model/number/mod to_big_decimal": "many digits", DIGITS, digits => |number| number.to_big_decimal()),
        case!("model/number/native to_f64": "many digits", DIGITS, digits => |number| number.to_f64()),
    ]);
    cases
}
