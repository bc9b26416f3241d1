//! Times of the operations that matter for large values, and how many bytes values take.
//!
//! `cargo bench --package hcl-lr-benches --bench model` prints one line a measure: the best of several runs, so that
//! other work on the machine counts as little as possible. No framework, no thresholds.

use hcl_lr::model::convert::Safety;
use hcl_lr::model::operations::{add, equal};
use hcl_lr::model::unify::unify;
use hcl_lr::model::{Number, Type, Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The best of several runs of `work`, each on what `prepare` makes.
fn measure<T, R>(name: &str, items: u64, prepare: impl Fn() -> T, work: impl Fn(&T) -> R) {
    let mut best = Duration::MAX;
    let started = Instant::now();
    let mut runs = 0;
    while runs < 3 || (runs < 20 && started.elapsed() < Duration::from_secs(2)) {
        let input = prepare();
        let start = Instant::now();
        let result = black_box(work(black_box(&input)));
        best = best.min(start.elapsed());
        drop(result);
        runs += 1;
    }
    let each = best.as_secs_f64() * 1e9 / items as f64;
    println!("{name:48} {best:>12.3?} {each:>10.1} ns each");
}

fn texts(count: u64) -> Vec<Value> {
    // An odd multiplier visits all numbers in another order.
    (0..count).map(|i| Value::from(format!("text number {}", i * 7919 % count))).collect()
}

fn numbers(count: u64) -> Vec<Value> {
    (0..count).map(Value::from).collect()
}

fn main() {
    // `cargo test` builds and runs benchmarks too; it wants to know only that they run.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let mut args = std::env::args().skip_while(|arg| arg != "--bytes");
    if let (Some(_), Some(at)) = (args.next(), args.next()) {
        return bytes_of(at.parse().unwrap_or_default());
    }
    bytes();
    let million = 1_000_000;
    let list = |n| Value::list(Type::Number, numbers(n)).expect("numbers");
    measure(
        "clone, list of 1,000,000 (times 1,000,000)",
        million,
        || list(million),
        |list| {
            (0..million).for_each(|_| drop(black_box(list.clone())));
        },
    );
    measure(
        "build list of 1,000,000 numbers",
        million,
        || numbers(million),
        |numbers| Value::list(Type::Number, numbers.iter().cloned()),
    );
    measure(
        "sum of 1,000,000 numbers",
        million,
        || numbers(million),
        |numbers| numbers.iter().fold(Value::from(0), |sum, n| add(&sum, n).expect("a sum")),
    );
    measure(
        "compare two lists of 1,000,000",
        million,
        || (list(million), list(million)),
        |pair| equal(&pair.0, &pair.1),
    );
    measure(
        "list of 1,000,000 to list of string",
        million,
        || list(million),
        |list| list.convert(&Type::list(Type::String)),
    );
    measure(
        "tuple of 1,000,000 to list",
        million,
        || Value::tuple(numbers(million)),
        |tuple| tuple.convert(&Type::list(Type::Dynamic)),
    );
    let hundred = 100_000;
    measure(
        "set of 100,000 strings",
        hundred,
        || texts(hundred),
        |texts| Value::set(Type::String, texts.iter().cloned()),
    );
    let set = || (Value::set(Type::String, texts(hundred)).expect("strings"), texts(hundred));
    measure("look for 100,000 strings in that set", hundred, set, |(set, texts)| {
        assert!(texts.iter().all(|text| set.set_contains(text)));
    });
    let names: Vec<String> = (0..1_000).map(|i| format!("attribute_{i}")).collect();
    let object = || Value::object(names.iter().map(|name| (name, Value::from(1))));
    measure("build object of 1,000 attributes", 1_000, || (), |()| object());
    measure("look up 1,000 attributes", 1_000, object, |object| {
        assert!(names.iter().all(|name| object.attribute(name).is_some()));
    });
    let small = || (0..hundred).map(|_| ()).collect::<Vec<_>>();
    measure("build object of 4 attributes", hundred, small, |all| {
        let one = |()| {
            let value = Value::from(1);
            Value::object(["id", "name", "size", "zone"].map(|name| (name, value.clone())))
        };
        all.iter().map(|()| one(())).collect::<Vec<_>>()
    });
    measure(
        "string to number",
        million,
        || texts_of_numbers(million),
        |texts| texts.iter().map(|text| text.convert(&Type::Number)).filter(Result::is_ok).count(),
    );
    measure(
        "number to string",
        million,
        || numbers(million),
        |numbers| numbers.iter().map(|n| n.convert(&Type::String)).filter(Result::is_ok).count(),
    );
    let tenths = |n| (0..n).map(|i| Number::from(i).divide(&10.into()).expect("tenths"));
    measure(
        "multiply decimals",
        million,
        || tenths(million).collect::<Vec<_>>(),
        |all| all.iter().filter(|n| n.multiply(n).is_ok()).count(),
    );
    measure(
        "divide by 3 (160 digits)",
        10_000,
        || (),
        |()| {
            let three = Number::from(3);
            (1..=10_000_u32).filter(|n| Number::from(*n).divide(&three).is_ok()).count()
        },
    );
    let shapes = || {
        let shape = |i: u64| Type::object([("a", Type::Number), ("b", shape_of(i))]);
        (0..hundred).map(shape).collect::<Vec<_>>()
    };
    measure("unify 100,000 object types", hundred, shapes, |types| unify(types, Safety::Safe));
    measure("write 1,000,000 numbers as JSON", million, || list(million), json::encode_implied);
    let text = || json::encode_implied(&list(million)).expect("JSON");
    measure("read 1,000,000 numbers from JSON", million, text, |text| json::decode(text, &Type::list(Type::Number)));
    measure("drop list of 1,000,000 strings", million, || (), |()| drop(texts(million)));
}

fn texts_of_numbers(count: u64) -> Vec<Value> {
    (0..count).map(|i| Value::from(format!("{i}.25"))).collect()
}

fn shape_of(i: u64) -> Type {
    if i.is_multiple_of(2) { Type::String } else { Type::Bool }
}

/// Measures the memory of values: their own size, and by the growth of a process the memory of a million of them with
/// all that they own. Each measurement gets a process of its own, since memory freed by an earlier one would hide the
/// memory of a later one.
fn bytes() {
    let sizes = (size_of::<Value>(), size_of::<Type>(), size_of::<Number>());
    println!("bytes: Value {}, Type {}, Number {}", sizes.0, sizes.1, sizes.2);
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    for at in 0..KINDS {
        let status = std::process::Command::new(&program).args(["--bytes", &at.to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "measure {at}");
    }
}

const KINDS: usize = 5;

fn bytes_of(at: usize) {
    let count = 1_000_000;
    let four = ["id", "name", "size", "zone"];
    match at {
        0 => grown("list of small numbers", count, || Value::list(Type::Number, (0..count).map(Value::from)).ok()),
        1 => grown("list of strings of 10 bytes", count, || {
            Value::list(Type::String, (0..count).map(|i| Value::from(format!("txt{i:07}")))).ok()
        }),
        2 => grown("tuple of small numbers", count, || Some(Value::tuple((0..count).map(Value::from)))),
        3 => grown("map of small numbers, keys of 8 bytes", count, || {
            Value::map(Type::Number, (0..count).map(|i| (format!("k{i:07}"), Value::from(i)))).ok()
        }),
        _ => grown("list of objects of 4 numbers", count, || {
            let one = Value::object(four.map(|n| (n, Value::from("1"))));
            let list = Value::list(one.ty(), vec![one.clone(); count as usize]).ok()?;
            // Every element becomes an object of its own, all of one shared type.
            list.convert(&Type::list(Type::object(four.map(|n| (n, Type::Number))))).ok()
        }),
    }
}

/// Resident memory before and after, where the system tells (Linux).
fn grown(name: &str, count: u64, make: impl Fn() -> Option<Value>) {
    let resident = || {
        let status = std::fs::read_to_string("/proc/self/statm").ok()?;
        status.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
    };
    let Some(before) = resident() else {
        println!("{name:48} (this system does not tell)");
        return;
    };
    let value = make();
    let after = resident().unwrap_or(before);
    let each = after.saturating_sub(before) as f64 / count as f64;
    println!("{name:48} {each:>8.1} bytes each");
    drop(value);
}
