//! Types: made, compared, described, and what values are converted to.

use hcl_lr::model::convert::{Safety, TypeConversion};
use hcl_lr::model::unify::{unify, unify_values};
use hcl_lr::model::{AttributeType, Type, Value};
use hcl_lr::type_expr::{read_constraint, read_type};
use hcl_lr::{Expression, ParseOptions};

use super::{Case, DEEP, DOUBLED, WIDE, deep, doubled, list, object, wide};

type Make = fn(usize) -> Type;

const SHAPES: [(&str, usize, Make); 5] = [
    ("a wide tuple", WIDE, |n| wide(n).ty()),
    ("a wide object", 4 * WIDE, |n| object(n).ty()),
    ("a deep type", DEEP, |n| deep(n).ty()),
    ("shared parts", DOUBLED, |n| doubled(n).ty()),
    ("shared parts, one of them optional", DOUBLED, |n| {
        let inner = Type::object_with([AttributeType::optional("a", Type::Bool)]);
        (0..n).fold(inner, |ty, _| Type::tuple([ty.clone(), ty]))
    }),
];

fn expression(text: String) -> Expression {
    ParseOptions::new().max_nesting(100_000).parse::<Expression>(("types", text)).into_result().expect("no errors")
}

fn object_type(count: usize) -> String {
    format!("object({{{}}})", (0..count).map(|at| format!("a{at} = string, ")).collect::<String>())
}

fn with_defaults(count: usize) -> String {
    let attributes = (0..count).map(|at| format!("a{at} = optional(number, {at}), "));
    format!("list(object({{{}}}))", attributes.collect::<String>())
}

fn nested_type(levels: usize) -> String {
    format!("{}string{}", "object({ a = list(".repeat(levels), ") })".repeat(levels))
}

fn nested_defaults(levels: usize) -> String {
    format!("{}string{}", "object({ a = optional(list(".repeat(levels), ")) })".repeat(levels))
}

pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (shape, size, make) in SHAPES {
        let two = move |n: usize| (make(n), make(n));
        cases.extend([
            case!("model/types/compare eq": shape, size, two => |(a, b)| assert!(a == b)),
            case!("model/types/compare cmp": shape, size, two => |(a, b)| assert!(a.cmp(&b).is_eq())),
            case!("model/types/describe conforms_to": shape, size, two => |(a, b)| a.conforms_to(&b)),
            case!("model/types/mod without_optional_attributes": shape, size, make =>
                |ty| ty.without_optional_attributes()),
            case!("model/unify unify": shape, size, two => |(a, b)| unify(&[a, b], Safety::Unsafe)),
            case!("model/convert/mod new": shape, size, two => |(a, b)| TypeConversion::new(&a, &b, Safety::Unsafe)),
            case!("model/value/build unknown": shape, size, make => Value::unknown),
        ]);
        if !shape.starts_with("shared") {
            cases.push(case!("model/types/describe describe": shape, size, make => |ty| ty.describe()));
            cases.push(case!("model/types/describe fmt": shape, size, make => |ty| ty.to_string()));
        }
    }
    type Values = fn(usize) -> Value;
    let values: [(&str, usize, Values); 5] = [
        ("a wide tuple", WIDE, wide),
        ("a wide list", WIDE, list),
        ("a wide object", WIDE, object),
        ("a deep value", DEEP, deep),
        ("shared parts", DOUBLED, doubled),
    ];
    let targets = [Type::list(Type::Dynamic), Type::set(Type::Dynamic), Type::map(Type::Dynamic), Type::Dynamic];
    for (shape, size, make) in values {
        for to in &targets {
            let shape = format!("{shape} to {to}");
            let to = to.clone();
            cases.push(case!("model/convert/mod convert": &shape, size, make => move |value| value.convert(&to)));
        }
        cases.push(case!("model/convert/mod apply": shape, size,
            move |n| {
                let from = make(n).ty();
                (TypeConversion::new(&from, &from, Safety::Unsafe).expect("a conversion"), make(n))
            } => |(conversion, value)| conversion.apply(&value)));
        cases.push(case!("model/unify unify_values": shape, size, move |n| vec![make(n), make(n)] =>
            |all| unify_values(&all, Safety::Unsafe)));
    }
    type Text = (&'static str, usize, fn(usize) -> String);
    let texts: [Text; 4] = [
        ("a wide object", WIDE, object_type),
        ("many defaults", WIDE, with_defaults),
        ("a deep type", DEEP, nested_type),
        ("deep optional ones", DEEP, nested_defaults),
    ];
    for (shape, size, text) in texts {
        cases.push(case!("type_expr/mod type_of": shape, size, move |n| expression(text(n)) =>
            |written| read_type(&written)));
        cases.push(case!("type_expr/mod type_constraint": shape, size, move |n| expression(text(n)) =>
            |written| read_constraint(&written)));
    }
    let constraint = |n: usize| read_constraint(&expression(with_defaults(n))).expect("a type");
    let empty = |n: usize| Value::tuple((0..n).map(|_| Value::object::<&str>([])));
    cases.extend([
        case!("type_expr/mod convert": "many attributes", WIDE, move |n| (constraint(n), empty(3)) =>
            |(to, value)| to.convert(&value).expect("a list")),
        case!("type_expr/mod convert": "many elements", WIDE, move |n| (constraint(3), empty(n)) =>
            |(to, value)| to.convert(&value).expect("a list")),
        case!("type_expr/defaults apply": "many attributes", WIDE, move |n| (constraint(n), empty(3)) =>
            |(to, value)| to.defaults().apply(&value)),
        case!("model/types/mod tuple": "many", WIDE, |n| n => |n| Type::tuple((0..n).map(|_| Type::String))),
        case!("model/types/mod object": "many", WIDE, |n| n =>
            |n| Type::object((0..n).map(|at| (format!("name {}", at * 7919 % n), Type::String)))),
        case!("model/types/mod object_with": "many", WIDE, |n| n => |n| {
            Type::object_with(
                (0..n).map(|at| AttributeType::optional(format!("name {}", at * 7919 % n), Type::Bool)),
            )
        }),
        case!("type_expr/defaults apply": "many elements", WIDE, move |n| (constraint(3), empty(n)) =>
            |(to, value)| to.defaults().apply(&value)),
    ]);
    cases
}
