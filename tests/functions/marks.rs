//! Every function keeps the mark of an argument that is unknown, as a whole or in parts, wherever it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hcl_lr::eval::Functions;
use hcl_lr::functions::{self, FunctionEntry, FunctionSet, Host};
use hcl_lr::model::{Mark, Type, Value, View};
use hcl_lr::{Expression, Scope, parse};

/// Functions that take marks off or tell only that there are some, and those of which the result says nothing of the
/// value of the argument.
const WITHOUT: [&str; 4] = ["nonsensitive", "issensitive", "can", "type"];

struct Nothing;

impl Host for Nothing {}

/// A value of the same type in which all that has no parts is unknown.
fn open_parts(value: &Value) -> Value {
    match value.view() {
        View::Object(entries) => Value::object(entries.map(|(name, part)| (name.to_owned(), open_parts(part)))),
        View::Tuple(parts) => Value::tuple(parts.iter().map(open_parts)),
        View::List(parts) => list(value, parts.iter().map(open_parts).collect()),
        View::Map(entries) => {
            let element = value.ty().element_type().expect("a map").clone();
            Value::map(element, entries.map(|(name, part)| (name.to_owned(), open_parts(part)))).expect("its type")
        }
        _ => Value::unknown(value.ty()),
    }
}

/// A value of the same type of which the first part is unknown.
fn open_first(value: &Value) -> Value {
    let first = |at: usize, part: &Value| if at == 0 { Value::unknown(part.ty()) } else { part.clone() };
    match value.view() {
        View::Object(entries) => {
            let parts = entries.enumerate().map(|(at, (name, part))| (name.to_owned(), first(at, part)));
            Value::object(parts.collect::<Vec<_>>())
        }
        View::Tuple(parts) => Value::tuple(parts.iter().enumerate().map(|(at, part)| first(at, part))),
        View::List(parts) => list(value, parts.iter().enumerate().map(|(at, part)| first(at, part)).collect()),
        _ => Value::unknown(value.ty()),
    }
}

fn list(like: &Value, parts: Vec<Value>) -> Value {
    Value::list(like.ty().element_type().expect("a list").clone(), parts).expect("elements of the type")
}

/// The values of the variable `v` that takes the place of an argument: with a mark, and something unknown.
fn marked(value: &Value) -> Vec<(&'static str, Value)> {
    let mark = || Mark::new("m");
    let not_null = |ty: Type| Value::unknown(ty.clone()).refine().not_null().value().unwrap_or(Value::unknown(ty));
    let mut all = vec![
        ("of its type", Value::unknown(value.ty()).mark(mark())),
        ("of its type, not null", not_null(value.ty()).mark(mark())),
        ("dynamic", Value::unknown(Type::Dynamic).mark(mark())),
    ];
    if value.elements().is_some_and(|parts| !parts.is_empty()) {
        all.push(("with unknown parts", open_parts(value).mark(mark())));
        all.push(("with one unknown part", open_first(value).mark(mark())));
    }
    all
}

#[test]
fn marks_of_unknown_arguments_are_kept() {
    let mut lost: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut check = |entry: &FunctionEntry, table: &Functions| {
        if WITHOUT.contains(&entry.name()) {
            return;
        }
        let count = asked.entry(entry.name()).or_default();
        for example in entry.examples().iter().filter(|example| !example.fails()) {
            let parsed = parse::<Expression>(("e", example.expression())).into_result().expect("an expression");
            let Ok(call) = parsed.static_call() else { continue };
            if call.name() != entry.name() {
                continue;
            }
            let arguments: Vec<String> = call.arguments().iter().map(ToString::to_string).collect();
            for (at, argument) in call.arguments().iter().enumerate() {
                let scope = || Scope::new().with_functions(table.clone());
                let Ok(value) = argument.evaluate(&scope()) else { continue };
                let value = value.unmark_deep().0;
                // The other arguments as they are, and unknown.
                for others in [false, true] {
                    let mut scope = scope().with("dyn", Value::unknown(Type::Dynamic));
                    let texts = arguments.iter().enumerate().map(|(index, text)| match index == at {
                        true => "v".to_owned(),
                        false if others => "dyn".to_owned(),
                        false => text.clone(),
                    });
                    let text = format!("{}({})", entry.name(), texts.collect::<Vec<_>>().join(", "));
                    for (how, value) in marked(&value) {
                        scope = scope.with("v", value);
                        let expression =
                            parse::<Expression>(("e", text.as_str())).into_result().expect("an expression");
                        let Ok(result) = expression.evaluate(&scope) else { continue };
                        *count += 1;
                        if !result.marks_deep().iter().any(|mark| mark.name() == "m") {
                            let case = format!("{text} with v {how} gives {result:?}");
                            lost.entry(entry.name().to_owned()).or_default().insert(case);
                        }
                    }
                }
            }
        }
    };
    for set in FunctionSet::ALL {
        set.entries().iter().for_each(|entry| check(entry, &set.functions()));
    }
    let host = functions::with_host(Arc::new(Nothing));
    functions::host_entries().iter().for_each(|entry| check(entry, &host));
    let cases: Vec<String> = lost.into_values().flatten().collect();
    assert!(cases.is_empty(), "{} calls lose the mark:\n{}", cases.len(), cases.join("\n"));
    // A function of which no call could be asked has no arguments, or takes no value for them.
    let silent: Vec<&str> = asked.into_iter().filter(|(_, count)| *count == 0).map(|(name, _)| name).collect();
    println!("not asked: {silent:?}");
    assert!(silent.len() < 25, "not asked: {silent:?}");
}
