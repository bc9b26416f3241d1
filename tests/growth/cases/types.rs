//! Finding a type for values of different types, and converting them to it: of deep values, of many, and
//! of values whose parts are shared.

use hcl_lr::model::convert::{Safety, TypeConversion};
use hcl_lr::model::unify::{unify, unify_values};
use hcl_lr::model::{Type, Value};
use hcl_lr::{Limits, ParseOptions, Scope, functions};

use super::Case;

fn scope() -> Scope<'static> {
    Scope::new()
        .with("t", true)
        .with("m", Value::map(Type::Number, [("k", Value::from(1))]).expect("a map"))
        .with("l", Value::list(Type::Number, [Value::from(1)]).expect("a list"))
        .with_functions(functions::standard())
        .with_limits(Limits::none())
}

/// The value of an expression, which is known to have one.
fn expression(text: String) -> impl FnOnce() {
    let parsed = ParseOptions::new()
        .max_nesting(100_000)
        .parse::<hcl_lr::Expression>(("types", text))
        .into_result()
        .expect("no errors");
    move || drop(parsed.evaluate_partially(&scope()))
}

/// A value that nests a given number of levels deep.
fn nested(levels: usize, inner: Value, around: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(inner, |value, _| around(value))
}

fn pair(value: Value) -> Value {
    Value::tuple([Value::from(1), value])
}

fn object(value: Value) -> Value {
    Value::object([("a", Value::from(1)), ("b", value)])
}

pub fn deep() -> Vec<Case> {
    // A value that nests, in one operation: before, one level of it, the innermost part, the rest of the
    // level, after.
    let written = [
        ["t ? ", "[", "1", "]", " : [[\"a\"]]"],
        ["t ? ", "{ a = { a = 1, b = m }, b = ", "m", " }", " : m"],
        ["coalesce(", "{ a = { a = 1, b = m }, b = ", "m", " }", ", m)"],
        ["convert(", "[[[1, l], l], ", "l", "]", ", list(any))"],
        ["convert(", "{ a = [1, l], b = ", "l", " }", ", map(any))"],
        ["coalesce(", "[[", "l", "], l]", ", l)"],
    ];
    // Run once first: work done once for the whole program does not count.
    expression("1".to_owned())();
    let mut cases: Vec<Case> = Vec::new();
    for parts @ [before, open, inner, close, after] in written {
        cases.push(Case::new(parts.concat(), 20, move |levels| {
            expression(format!("{before}{}{inner}{}{after}", open.repeat(levels), close.repeat(levels)))
        }));
    }
    // Operations that nest, each on what the next one makes.
    cases.push(Case::new("can of conversions of conversions", 20, |levels| {
        let (open, close) = ("[for l in [convert([[[1, l], l], l], list(any))]: can(", ")]");
        expression(format!("{}1{}", open.repeat(levels), close.repeat(levels)))
    }));
    type Around = fn(Value) -> Value;
    let shapes: [(&str, Around); 3] =
        [("tuples", pair), ("objects", object), ("tuples of one", |value| Value::tuple([value]))];
    for (name, around) in shapes {
        cases.push(Case::new(format!("two deep values of {name} on both sides"), 100, move |levels| {
            let (a, b) = (nested(levels, Value::from(1), around), nested(levels, Value::from("a"), around));
            let text = parsed("t ? a : b");
            move || drop(text.evaluate(&scope().with("a", a).with("b", b)))
        }));
        cases.push(Case::new(format!("a deep value of {name} and one that it holds"), 100, move |levels| {
            let b = nested(levels, Value::from(1), around);
            let a = around(b.clone());
            move || drop(unify(&[a.ty(), b.ty()], Safety::Unsafe))
        }));
        cases.push(Case::new(format!("a deep value of {name} to a type of its own kind"), 100, move |levels| {
            let (a, b) = (nested(levels, Value::from(1), around), nested(levels, Value::from("a"), around));
            move || drop(a.convert(&b.ty()).expect("a conversion"))
        }));
        cases.push(Case::new(format!("why a deep value of {name} has no conversion"), 100, move |levels| {
            let (a, b) = (nested(levels, Value::from(1), around), nested(levels, Value::tuple([]), around));
            move || drop(TypeConversion::new(&a.ty(), &b.ty(), Safety::Unsafe).expect_err("no conversion"))
        }));
        cases.push(Case::new(format!("an unknown deep value of {name} to a list or map"), 100, move |levels| {
            let ty = nested(levels, Value::from(1), around).ty();
            let to = if name == "objects" { Type::map(Type::Dynamic) } else { Type::list(Type::Dynamic) };
            move || drop(Value::unknown(ty).convert(&to))
        }));
    }
    // Both halves of each level are the same one.
    for levels in [20, 60] {
        cases.push(Case::new(format!("shared parts, {levels} levels, in a list of so many"), 100, move |count| {
            let shared = nested(levels, Value::from(1), |value| Value::tuple([value.clone(), value]));
            let other = nested(levels, Value::from("a"), |value| Value::tuple([value.clone(), value]));
            let types: Vec<Type> = (0..count).map(|at| if at % 2 == 0 { shared.ty() } else { other.ty() }).collect();
            move || drop(unify(&types, Safety::Unsafe).expect("a type"))
        }));
    }
    cases
}

fn parsed(text: &str) -> hcl_lr::Expression {
    hcl_lr::parse::<hcl_lr::Expression>(("types", text)).into_result().expect("no errors")
}

/// Many values, each of another type.
pub fn many() -> Vec<Case> {
    type Make = fn(usize) -> Value;
    let makes: [(&str, Make); 6] = [
        ("objects with other names", |at| {
            Value::object([(format!("k{at}"), Value::from(1)), ("z".into(), Value::from("1"))])
        }),
        ("objects with other types", |at| {
            Value::object((0..12).map(|bit| {
                let one = if at >> bit & 1 == 0 { Value::from(1) } else { Value::from("1") };
                (format!("k{bit}"), one)
            }))
        }),
        ("tuples of other types", |at| {
            Value::tuple((0..12).map(|bit| if at >> bit & 1 == 0 { Value::from(1) } else { Value::from("1") }))
        }),
        ("tuples of other lengths", |at| Value::tuple((0..at % 64).map(|part| Value::from(part > 3)))),
        ("lists and tuples", |at| {
            let tuple =
                Value::tuple((0..8).map(|bit| if at >> bit & 1 == 0 { Value::from(1) } else { Value::from("1") }));
            if at % 2 == 0 { tuple } else { tuple.convert(&Type::list(Type::Dynamic)).expect("a list") }
        }),
        ("objects, some of which hold what others do not", |at| {
            Value::object([
                ("a", if at % 3 == 0 { Value::tuple([]) } else { Value::from(at % 5 == 0) }),
                ("b", Value::from(1)),
            ])
        }),
    ];
    let mut cases = Vec::new();
    for (name, make) in makes {
        cases.push(Case::new(format!("the type of many {name}"), 400, move |count| {
            let types: Vec<Type> = (0..count).map(|at| make(at).ty()).collect();
            move || drop(unify(&types, Safety::Unsafe))
        }));
        cases.push(Case::new(format!("many {name} made alike"), 400, move |count| {
            let values: Vec<Value> = (0..count).map(make).collect();
            move || drop(unify_values(&values, Safety::Unsafe))
        }));
        cases.push(Case::new(format!("a list of many {name}"), 400, move |count| {
            let values = Value::tuple((0..count).map(make));
            move || drop(values.convert(&Type::list(Type::Dynamic)))
        }));
    }
    // Sets are no tuples: nobody converts to the type of another one.
    cases.push(Case::new("sets and many tuples", 400, |count| {
        let many = (0..count)
            .map(|at| Type::tuple((0..12).map(|bit| if at >> bit & 1 == 0 { Type::Number } else { Type::Bool })));
        let types: Vec<Type> = many.chain([Type::set(Type::Bool)]).collect();
        move || drop(unify(&types, Safety::Unsafe))
    }));
    cases
}
