//! Deep values: no stack runs out.

use hcl_lr::model::convert::Safety;
use hcl_lr::model::operations::equal;
use hcl_lr::model::unify::unify;
use hcl_lr::model::walk::{transform, walk};
use hcl_lr::model::{CollectionKind, MAX_DEPTH, Type, TypeMismatch, Value, json};
use std::hash::{DefaultHasher, Hash};

/// Runs on a thread with the stack that is promised to be enough.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

/// A value that nests to that depth, tuples and objects in turn, with a mark at the bottom.
fn deep(depth: u32) -> Value {
    let mut value = Value::from("bottom").mark("m");
    for at in 1..depth {
        value = match at % 2 {
            0 => Value::tuple([value, Value::from(at)]),
            _ => Value::object([("inner", value), ("at", Value::from(at))]),
        };
    }
    value
}

fn deep_type(depth: u32, bottom: Type) -> Type {
    let mut ty = bottom;
    for at in 1..depth {
        ty = match at % 2 {
            0 => Type::tuple([ty, Type::Number]),
            _ => Type::object([("inner", ty), ("at", Type::Number)]),
        };
    }
    ty
}

#[test]
fn values_nest_to_the_limit() {
    on_small_stack(|| {
        let (a, b) = (deep(MAX_DEPTH), deep(MAX_DEPTH));
        assert_eq!(a.height(), MAX_DEPTH);
        assert!(a == b && a.cmp(&b).is_eq());
        let mut hasher = DefaultHasher::new();
        a.hash(&mut hasher);
        assert!(format!("{a}").contains("(marked m)") && format!("{a:?}").contains("marked(m)"));
        assert_eq!(equal(&a, &b).unmarked(), &Value::from(true));
        let (plain, places) = a.unmark_with_paths();
        assert_eq!(places[0].0.steps().len() as u32, MAX_DEPTH - 1);
        assert_eq!(plain.mark_with_paths(&places), b);
        let mut parts = 0;
        walk(&a, |_, _| {
            parts += 1;
            true
        });
        assert_eq!(parts, 2 * MAX_DEPTH - 1);
        assert_eq!(transform(&a, |_, part| Ok::<_, TypeMismatch>(part)).as_ref(), Ok(&b));
        let part = places[0].0.apply(&a).expect("the bottom");
        assert_eq!(part.unmarked(), &Value::from("bottom"));
    });
}

#[test]
fn types_nest_to_the_limit() {
    on_small_stack(|| {
        let a = deep_type(MAX_DEPTH, Type::Number);
        let b = deep_type(MAX_DEPTH, Type::String);
        assert!(a != b && a == deep_type(MAX_DEPTH, Type::Number));
        assert!(a.describe().contains("number") && format!("{a:?}") == a.describe());
        assert_eq!(unify(&[a.clone(), b.clone()], Safety::Safe), Some(b.clone()));
        let mismatch = a.conforms_to(&b).unwrap_err();
        assert_eq!(mismatch.path().steps().len() as u32, MAX_DEPTH - 1);
        assert_eq!(a.without_optional_attributes(), a);
        let text = json::encode_type(&Type::list(Type::list(a.clone()))).expect("a type");
        assert!(json::decode_type(&text).is_err(), "deeper than the limit in JSON");
    });
}

#[test]
fn conversion_at_the_limit() {
    on_small_stack(|| {
        let value = deep(MAX_DEPTH);
        let same = value.convert(&value.ty()).expect("identity");
        assert_eq!(same, value);
        // Every level changes, from the bottom on.
        let wanted = deep_type(MAX_DEPTH, Type::Bool);
        let error = value.convert(&wanted).unwrap_err();
        assert_eq!(error.path().steps().len() as u32, MAX_DEPTH - 1);
        let number = Value::from(1).convert(&Type::String).expect("text");
        assert_eq!(number, Value::from("1"));
        let mut lists = Type::String;
        let mut tuples = Value::from(7);
        for _ in 1..MAX_DEPTH {
            lists = Type::list(lists);
            tuples = Value::tuple([tuples]);
        }
        let converted = tuples.convert(&lists).expect("lists");
        assert_eq!(converted.ty(), lists);
    });
}

#[test]
fn codecs_at_the_limit() {
    on_small_stack(|| {
        let depth = MAX_DEPTH as usize;
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let value = json::decode_implied(&text).expect("just deep enough");
        assert_eq!(value.height(), MAX_DEPTH);
        assert_eq!(json::encode_implied(&value).as_ref(), Ok(&text));
        assert_eq!(json::encode(&value, &value.ty()), Ok(text.clone()));
        assert!(json::decode_implied(&format!("[{text}]")).is_err());
        assert!(json::decode_implied(&"[".repeat(5_000_000)).is_err());
        {
            use hcl_lr::model::msgpack;
            let bytes = msgpack::encode(&value, &value.ty()).expect("encodable");
            assert_eq!(msgpack::decode(&bytes, &value.ty()), Ok(value));
        }
    });
}

/// Dropping works at any depth, far beyond what other operations promise.
#[test]
fn dropping_needs_no_stack() {
    on_small_stack(|| {
        drop(deep(300_000));
        let mut ty = Type::Bool;
        for at in 0..300_000 {
            ty = if at % 2 == 0 { Type::list(ty) } else { Type::tuple([ty, Type::Bool]) };
        }
        drop(ty);
    });
}

#[test]
fn an_unknown_list_of_any_length_costs_nothing() {
    let huge = Value::unknown(Type::list(Type::Bool)).refine().not_null();
    let huge = huge.min_length(u64::MAX).max_length(u64::MAX).value().unwrap();
    assert!(!huge.is_known());
    let none = Value::unknown(Type::list(Type::Bool)).refine().not_null().max_length(0);
    assert_eq!(none.value().unwrap(), Value::empty(CollectionKind::List, Type::Bool));
}

#[test]
fn values_are_small_and_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Value>();
    shared::<Type>();
    shared::<hcl_lr::model::Path>();
    assert_eq!(size_of::<Value>(), 24);
    assert_eq!(size_of::<Type>(), 16);
    assert_eq!(size_of::<hcl_lr::model::Number>(), 16);
}
