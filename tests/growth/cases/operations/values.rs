//! Values: made, looked at, marked, written and read.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash};

use hcl_lr::Value;
use hcl_lr::model::walk::{transform, walk};
use hcl_lr::model::{Mark, MarkSet, Path, PathSet, PathStep, Type, TypeMismatch, common_type, json, msgpack};

use super::{Case, DEEP, DOUBLED, WIDE, case, deep, doubled, list, map, object, one, one_type, strings, wide};

/// An operation on one value, of the shapes that it is for: wide, deep, and with shared parts.
fn on_shapes(operation: &'static str, shapes: &str, work: impl Fn(Value) + Clone + 'static) -> Vec<Case> {
    type Made = (char, &'static str, usize, fn(usize) -> Value);
    let all: [Made; 5] = [
        ('w', "a wide tuple", WIDE, wide),
        ('w', "a wide list", WIDE, list),
        ('w', "a wide object", WIDE, object),
        ('d', "a deep value", DEEP, deep),
        ('s', "shared parts", DOUBLED, doubled),
    ];
    let wanted = all.into_iter().filter(|(kind, ..)| shapes.contains(*kind));
    wanted.map(|(_, shape, size, make)| case!(operation: shape, size, make => work.clone())).collect()
}

fn two(make: fn(usize) -> Value) -> impl Fn(usize) -> (Value, Value) {
    move |size| (make(size), make(size))
}

/// An operation on two values that are equal, but made one by one.
fn on_pairs(operation: &'static str, work: impl Fn((Value, Value)) + Clone + 'static) -> Vec<Case> {
    vec![
        case!(operation: "wide tuples", WIDE, two(wide) => work.clone()),
        case!(operation: "wide objects", WIDE, two(object) => work.clone()),
        case!(operation: "deep values", DEEP, two(deep) => work.clone()),
        case!(operation: "a value with shared parts and the same one", DOUBLED, |n| (doubled(n), doubled(n)) => work),
    ]
}

fn marked(count: usize) -> Value {
    Value::tuple((0..count).map(|at| one(at).mark(Mark::new(&format!("mark {}", at % 5)))))
}

fn deeply_marked(levels: usize) -> Value {
    (0..levels).fold(Value::from(1).mark("m"), |value, _| Value::tuple([value]))
}

fn made() -> Vec<Case> {
    let named = |n: usize| (0..n).map(|at| (format!("name {}", at * 7919 % n), one(at))).collect::<Vec<_>>();
    let items = |n: usize| (0..n).map(one).collect::<Vec<Value>>();
    let nulls = |n: usize| vec![Value::null(Type::Dynamic); n];
    vec![
        case!("model/value/build tuple": "many", WIDE, items => Value::tuple),
        case!("model/value/build object": "many", WIDE, named => Value::object),
        case!("model/value/build list": "many", WIDE, items => |all| Value::list(one_type(), all)),
        case!("model/value/build set": "many", WIDE, items => |all| Value::set(one_type(), all)),
        case!("model/value/build map": "many", WIDE, named => |all| Value::map(one_type(), all)),
        case!("model/value/build list_of": "many", WIDE, items => Value::list_of),
        case!("model/value/build common_type": "many without a type", WIDE, nulls => |all| common_type(&all)),
        case!("model/value/build set_of": "many", WIDE, items => Value::set_of),
        case!("model/value/build string": "to be normalized", 4_000, |n| "e\u{301}".repeat(n) =>
            |text| Value::string(&text)),
        case!("model/value/build string": "plain", 4_000, |n| "text".repeat(n) => |text| Value::string(&text)),
        case!("model/value/build list": "deep", DEEP, |n| n =>
            |n| (0..n).fold(Value::from(1), |value, _| Value::list_of([value]).expect("a list"))),
        case!("model/value/build set": "of a deep value", DEEP, deep => |value| Value::set_of([value.clone(), value])),
        case!("model/value/build set": "of shared parts", DOUBLED, doubled => |value| Value::set_of([value])),
    ]
}

fn looked_at() -> Vec<Case> {
    let keys = |n: usize| (0..n).map(|at| format!("name {at}")).collect::<Vec<_>>();
    let mut cases = vec![
        case!("model/value/access attribute": "each", WIDE, move |n| (object(n), keys(n)) =>
            |(value, keys)| keys.iter().filter_map(|key| value.attribute(key)).count()),
        case!("model/value/access entry": "each", WIDE, move |n| (map(n), keys(n)) =>
            |(value, keys)| keys.iter().filter_map(|key| value.entry(key)).count()),
        case!("model/value/access entries": "all", WIDE, object => |value| {
            value
                .entries()
                .into_iter()
                .flatten()
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect::<Vec<_>>()
        }),
        case!("model/value/access elements": "all", WIDE, list => |value| value.elements().map(<[Value]>::to_vec)),
        case!("model/value/index get": "each", WIDE, move |n| (object(n), keys(n)) =>
            |(value, keys)| keys.iter().filter_map(|key| value.get(key.as_str())).cloned().collect::<Vec<_>>()),
        case!("model/value/index get_as": "each", WIDE, move |n| (object(n), keys(n)) =>
            |(value, keys)| keys.iter().map(|key| value.get_as::<u64>(key.as_str())).collect::<Vec<_>>()),
        case!("model/value/access set_contains": "each", WIDE,
            |n| (Value::set(Type::String, strings(n).elements().expect("a list").to_vec()).expect("a set"), strings(n)) =>
            |(set, list)| list.elements().expect("a list").iter().filter(|element| set.set_contains(element)).count()),
    ];
    for (operation, work) in [
        ("model/value/mod ty", (|value| drop(value.ty())) as fn(Value)),
        ("model/value/compare hash", |value| value.hash(&mut DefaultHasher::new())),
        ("model/walk walk", |value| {
            let mut parts = Vec::new();
            walk(&value, |path, _| {
                parts.push(path.steps().len());
                true
            });
        }),
        ("model/walk transform", |value| drop(transform(&value, |_, part| Ok::<_, TypeMismatch>(part)))),
        ("model/value/print fmt", |value| drop(value.to_string())),
        ("model/value/layout wrapped", |value| drop(value.wrapped(0))),
        ("model/value/layout fmt", |value| drop(format!("{value:#}"))),
        ("model/json/values encode", |value| drop(json::encode(&value, &value.ty()))),
        ("model/json/values encode_implied", |value| drop(json::encode_implied(&value))),
        ("model/msgpack/write encode", |value| drop(msgpack::encode(&value, &value.ty()))),
        ("model/value/node drop", drop),
    ] {
        cases.extend(on_shapes(operation, "wd", work));
    }
    cases.extend(on_shapes("model/value/layout wrapped", "wd", |value| drop(value.wrapped(0))));
    cases.extend(on_shapes("model/hidden shown_type", "wd", |value| drop(value.mark("m").shown_type())));
    cases.extend(on_shapes("model/hidden with_secrets_marked", "wd", |value| drop(value.with_secrets_marked())));
    cases.extend(on_shapes("model/value/compare hash", "s", |value| value.hash(&mut DefaultHasher::new())));
    cases.extend(on_pairs("model/value/compare eq", |(a, b)| assert!(a == b)));
    cases.extend(on_pairs("model/value/compare cmp", |(a, b)| assert!(a.cmp(&b).is_eq())));
    cases
}

fn marks() -> Vec<Case> {
    let path = |n: usize| Path::from(vec![PathStep::Position(0); n]);
    let places =
        |n: usize| (0..n).map(|at| (Path::from(vec![PathStep::Position(at)]), Value::from(1).mark("m").marks()));
    let paths = |n: usize| {
        let mut set = PathSet::default();
        for at in 0..n {
            set.insert(Path::from(vec![PathStep::Position(at * 7919 % n)]));
        }
        set
    };
    let mut cases = Vec::new();
    let many = |n: usize, name: &str| -> MarkSet { (0..n).map(|at| Mark::new(&format!("{name} {at}"))).collect() };
    cases.push(case!("model/marks union": "many", WIDE, move |n| (many(n, "a"), many(n, "b")) => |(a, b)| a.union(&b)));
    cases.push(case!("model/marks contains": "each", WIDE, move |n| many(n, "a") =>
        |all| all.iter().filter(|value| all.contains(value)).count()));
    for (operation, work) in [
        ("model/value/marked marks_deep", (|value| drop(value.marks_deep())) as fn(Value)),
        ("model/value/marked unmark_deep", |value| drop(value.unmark_deep())),
        ("model/value/marked unmark_with_paths", |value| drop(value.unmark_with_paths())),
    ] {
        cases.push(case!(operation: "a wide value", WIDE, marked => work));
        cases.push(case!(operation: "a deep value", DEEP, deeply_marked => work));
    }
    cases.extend([
        case!("model/value/marked mark_with_paths": "a wide value", WIDE,
            move |n| (wide(n), places(n).collect::<Vec<_>>()) =>
            |(value, places)| value.mark_with_paths(&places)),
        case!("model/value/marked mark_with_paths": "a deep value", DEEP, |n| deeply_marked(n).unmark_with_paths() =>
            |(value, places)| value.mark_with_paths(&places)),
        case!("model/value/marked with_marks": "many", WIDE,
            |n| (0..n).map(|at| Mark::new(&at.to_string())).collect::<MarkSet>() =>
            |marks| (Value::from(1).with_marks(&marks).marks(), marks.union(&marks), marks.iter().count())),
        case!("model/path apply": "a long one", DEEP, move |n| (path(n), deeply_marked(n).unmark_deep().0) =>
            |(path, value)| path.apply(&value)),
        case!("model/path push": "a long one", DEEP, |n| n => |n| {
            let mut path = Path::default();
            (0..n).for_each(|at| path.push(PathStep::Position(at)));
            path
        }),
        case!("model/path fmt": "a long one", DEEP, path => |path| path.to_string()),
        case!("model/path below": "what a value deep within makes fail", DEEP, unwritable =>
            |value| json::encode_implied(&value).expect_err("it is unknown").path().steps().len()),
        case!("model/path below": "in MessagePack", DEEP, unwritable =>
            |value| msgpack::encode(&value, &value.ty()).expect_err("it is marked").path().steps().len()),
        case!("model/path below": "read from JSON", DEEP,
            |n| ("[".repeat(n) + "\"x\"" + &"]".repeat(n), (0..n).fold(Type::Bool, |ty, _| Type::list(ty))) =>
            |(text, ty)| json::decode(&text, &ty).expect_err("it is no bool").path().steps().len()),
        case!("model/path insert": "many", WIDE, move |n| n => paths),
        case!("model/path remove": "many", WIDE, move |n| (n, paths(n)) =>
            |(n, mut set)| (0..n).filter(|at| set.remove(&Path::from(vec![PathStep::Position(*at)]))).count()),
        case!("model/path contains": "many", WIDE, move |n| (n, paths(n)) =>
            |(n, set)| (0..n).filter(|at| set.contains(&Path::from(vec![PathStep::Position(*at)]))).count()),
        case!("model/path union": "many", WIDE, move |n| (paths(n), paths(2 * n)) => |(a, b)| a.union(&b)),
        case!("model/path intersection": "many", WIDE, move |n| (paths(n), paths(2 * n)) =>
            |(a, b)| a.intersection(&b)),
        case!("model/path difference": "many", WIDE, move |n| (paths(n), paths(2 * n)) => |(a, b)| b.difference(&a)),
        case!("model/path iter": "many", WIDE, paths => |set| set.iter().cloned().collect::<Vec<_>>()),
    ]);
    cases
}

fn read() -> Vec<Case> {
    let mut cases = Vec::new();
    type Make = fn(usize) -> Value;
    let shapes: [(&str, usize, Make); 3] =
        [("a wide value", WIDE, wide), ("a wide object", WIDE, object), ("a deep value", DEEP, deep)];
    for (shape, size, make) in shapes {
        let text = move |n: usize| (json::encode_implied(&make(n)).expect("JSON"), make(n).ty());
        cases.extend([
            case!("model/json/values decode": shape, size, text =>
                |(text, ty)| json::decode(&text, &ty).expect("a value")),
            case!("model/json/values decode_implied": shape, size, text =>
                |(text, _)| json::decode_implied(&text).expect("a value")),
            case!("model/json/values implied_type": shape, size, text =>
                |(text, _)| json::implied_type(&text).expect("a type")),
            case!("model/json/types encode_type": shape, size, move |n| make(n).ty() => |ty| json::encode_type(&ty)),
            case!("model/json/types decode_type": shape, size,
                move |n| json::encode_type(&make(n).ty()).expect("JSON") =>
                |text| json::decode_type(&text).expect("a type")),
            case!("model/msgpack/read decode": shape, size,
                move |n| {
                    let value = make(n);
                    (msgpack::encode(&value, &value.ty()).expect("bytes"), value.ty())
                } => |(bytes, ty)| msgpack::decode(&bytes, &ty).expect("a value")),
        ]);
    }
    cases.extend([
        case!("model/native/from_value try_from": "a list", WIDE, strings =>
            |value| Vec::<String>::try_from(&value).expect("texts")),
        case!("model/native/from_value try_from": "a map", WIDE, map =>
            |value| BTreeMap::<String, u64>::try_from(&value).expect("numbers")),
        case!("model/native/into_value from": "a vector", WIDE, |n| (0..n).collect::<Vec<usize>>() => Value::from),
        case(
            "model/native/into_value from",
            "a map",
            WIDE,
            |n| (0..n).map(|at| (at.to_string(), at)).collect::<BTreeMap<_, _>>(),
            Value::from,
        ),
        case!("model/refine/mod prefix": "a long one", 4_000, |n| "ab".repeat(n) =>
            |text| Value::unknown(Type::String).refine().prefix(&text).value()),
        case!("model/refine/mod full_prefix": "a long one", 4_000, |n| "ab".repeat(n) =>
            |text| Value::unknown(Type::String).refine().full_prefix(&text).value()),
    ]);
    cases
}

pub fn all() -> Vec<Case> {
    [made(), looked_at(), marks(), read()].into_iter().flatten().collect()
}

/// A value with a given number of levels around one that cannot be written: it is unknown, and marked.
fn unwritable(levels: usize) -> Value {
    (0..levels).fold(Value::unknown(Type::Bool).mark("m"), |value, _| Value::tuple([value]))
}
