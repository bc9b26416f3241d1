//! Deep and large values: no stack runs out, no time is quadratic.

use hcl_lr::model::convert::Safety;
use hcl_lr::model::operations::{equal, length};
use hcl_lr::model::unify::unify;
use hcl_lr::model::walk::{transform, walk};
use hcl_lr::model::{CollectionKind, MAX_DEPTH, Type, TypeMismatch, Value, json};
use std::hash::{DefaultHasher, Hash};
use std::time::{Duration, Instant};

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
        assert!(format!("{a}").contains("(marked m)") && format!("{a:?}").contains("bottom"));
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
        #[cfg(feature = "msgpack")]
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

/// The time for `size` and for ten times as much.
fn growth(size: usize, work: impl Fn(usize)) -> (Duration, Duration) {
    let timed = |size| {
        let start = Instant::now();
        work(size);
        start.elapsed()
    };
    // The best of some: the first run also pays for memory that later runs find ready, and the
    // machine may have other work.
    let best = |size, runs| (0..runs).map(|_| timed(size)).min().unwrap_or_default();
    (best(size, 4), best(10 * size, 3))
}

fn assert_not_quadratic(what: &str, size: usize, work: impl Fn(usize)) {
    let (one, ten) = growth(size, work);
    // Quadratic would be a hundred times as long; half of that leaves room for noise.
    let limit = one * 50 + Duration::from_millis(50);
    assert!(ten < limit, "{what}: {one:?} for {size}, {ten:?} for ten times as much");
}

#[test]
fn no_operation_on_collections_is_quadratic() {
    let texts = |n: usize| (0..n).map(move |i| Value::from(format!("text {}", i * 7919 % n)));
    assert_not_quadratic("set of strings", 3_000, |n| {
        let set = Value::set(Type::String, texts(n)).unwrap();
        assert_eq!(length(&set).unwrap(), Value::from(n));
        assert!(texts(n).all(|text| set.set_contains(&text)));
    });
    assert_not_quadratic("set of objects", 1_000, |n| {
        let objects = texts(n).map(|text| Value::object([("a", text)]));
        let set = Value::set(Type::object([("a", Type::String)]), objects).unwrap();
        assert_eq!(set.elements().unwrap().len(), n);
    });
    assert_not_quadratic("object and lookup", 2_000, |n| {
        let object = Value::object((0..n).map(|i| (format!("name {i}"), Value::from(i))));
        assert!((0..n).all(|i| object.attribute(&format!("name {i}")).is_some()));
    });
    assert_not_quadratic("tuple of many types to list", 500, |n| {
        // Every element has a type of its own.
        let element = |i: usize| Value::object([(format!("name {i}"), Value::from(i))]);
        let tuple = Value::tuple((0..n).map(element));
        let list = tuple.convert(&Type::list(Type::map(Type::String))).unwrap();
        assert_eq!(list.elements().unwrap().len(), n);
        let open = tuple.convert(&Type::list(Type::Dynamic)).unwrap();
        assert_eq!(open.ty(), Type::list(Type::map(Type::Number)));
    });
    assert_not_quadratic("list to set and back", 3_000, |n| {
        let list = Value::list(Type::String, texts(n)).unwrap();
        let set = list.convert(&Type::set(Type::String)).unwrap();
        let back = set.convert(&Type::list(Type::String)).unwrap();
        assert_eq!(back.elements().unwrap().len(), n);
    });
    assert_not_quadratic("marks with paths", 1_000, |n| {
        let marked = texts(n).map(|text| text.mark("m"));
        let tuple = Value::tuple(marked);
        let (plain, places) = tuple.unmark_with_paths();
        assert_eq!(plain.mark_with_paths(&places), tuple);
    });
    assert_not_quadratic("walk", 3_000, |n| {
        let tuple = Value::tuple(texts(n));
        let mut parts = 0;
        walk(&tuple, |_, _| {
            parts += 1;
            true
        });
        assert_eq!(parts, n + 1);
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
