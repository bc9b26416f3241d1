//! Operations on large values.

use hcl_lr::model::operations::length;
use hcl_lr::model::walk::walk;
use hcl_lr::model::{Type, Value};

use super::Case;

/// Texts in no order.
fn texts(count: usize) -> impl Iterator<Item = Value> {
    (0..count).map(move |at| Value::from(format!("text {}", at * 7919 % count)))
}

pub fn all() -> Vec<Case> {
    vec![
        Case::new("set of strings", 3_000, |n| {
            let all: Vec<Value> = texts(n).collect();
            move || {
                let set = Value::set(Type::String, all.iter().cloned()).expect("strings");
                assert_eq!(length(&set), Ok(Value::from(n)));
                assert!(all.iter().all(|text| set.set_contains(text)));
            }
        }),
        Case::new("set of objects", 1_000, |n| {
            let all: Vec<Value> = texts(n).map(|text| Value::object([("a", text)])).collect();
            move || drop(Value::set(Type::object([("a", Type::String)]), all).expect("objects"))
        }),
        Case::new("object and lookup", 2_000, |n| {
            let names: Vec<String> = (0..n).map(|at| format!("name {at}")).collect();
            move || {
                let object = Value::object(names.iter().map(|name| (name, Value::from(1))));
                assert!(names.iter().all(|name| object.attribute(name).is_some()));
            }
        }),
        Case::new("tuple of many types to list", 500, |n| {
            // Every element has a type of its own.
            let tuple = Value::tuple((0..n).map(|at| Value::object([(format!("name {at}"), Value::from(at))])));
            move || {
                tuple.convert(&Type::list(Type::map(Type::String))).expect("a list");
                tuple.convert(&Type::list(Type::Dynamic)).expect("a list");
            }
        }),
        Case::new("list to set and back", 3_000, |n| {
            let list = Value::list(Type::String, texts(n)).expect("strings");
            move || {
                let set = list.convert(&Type::set(Type::String)).expect("a set");
                set.convert(&Type::list(Type::String)).expect("a list");
            }
        }),
        Case::new("marks with paths", 1_000, |n| {
            let tuple = Value::tuple(texts(n).map(|text| text.mark("m")));
            move || {
                let (plain, places) = tuple.unmark_with_paths();
                assert_eq!(plain.mark_with_paths(&places), tuple);
            }
        }),
        Case::new("walk", 3_000, |n| {
            let tuple = Value::tuple(texts(n));
            move || {
                let mut parts = Vec::new();
                walk(&tuple, |path, _| {
                    parts.push(path.clone());
                    true
                });
                assert_eq!(parts.len(), n + 1);
            }
        }),
        Case::new("printing", 3_000, |n| {
            let tuple = Value::tuple(texts(n));
            move || drop(format!("{tuple} {tuple:#?}"))
        }),
        Case::new("JSON", 3_000, |n| {
            let tuple = Value::tuple(texts(n));
            move || {
                let ty = tuple.ty();
                let json = hcl_lr::model::json::encode(&tuple, &ty).expect("JSON");
                assert_eq!(hcl_lr::model::json::decode(&json, &ty), Ok(tuple));
            }
        }),
    ]
}
