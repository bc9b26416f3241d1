//! No call exceeds the limits, whatever its arguments are.

use hcl_lr::functions;
use hcl_lr::model::{Type, Value};

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let functions = functions::extended();
    functions.get(name).expect("a function").call(arguments).map_err(|why| why.to_string())
}

fn numbers(count: usize) -> Value {
    Value::list(Type::Number, (0..count).map(Value::from)).expect("numbers")
}

#[test]
fn what_is_too_large_is_an_error() {
    let long = Value::from("x".repeat(1 << 20));
    let lists = vec![numbers(1_000); 20];
    for (name, arguments) in [
        ("range", vec![Value::from(1_000_000)]),
        ("format", vec!["%999999999d".into(), 1.into()]),
        ("format", vec!["%.999999999f".into(), 1.into()]),
        ("format", vec!["%1000000s".repeat(100).into()].into_iter().chain(vec![Value::from("a"); 100]).collect()),
        ("indent", vec![1_000_000_000.into(), "a\nb".into()]),
        ("indent", vec![(1 << 26).into(), "a\nb\nc".into()]),
        ("replace", vec![long.clone(), "x".into(), long.clone()]),
        ("replace", vec![long.clone(), "".into(), long.clone()]),
        ("regexreplace", vec![long.clone(), "x".into(), long.clone()]),
        ("join", vec![long.clone(), Value::list(Type::String, vec![Value::from("a"); 100]).expect("strings")]),
        ("setproduct", lists),
        (
            "pow",
            vec![
                "1e400"
                    .parse::<f64>()
                    .map_or(1.into(), |_| Value::from(hcl_lr::model::Number::parse("1e400").expect("a number"))),
                2.into(),
            ],
        ),
        ("parseint", vec!["9".repeat(1 << 20).into(), 10.into()]),
        ("regex", vec!["(\\pL{1000}){1000}".into(), "a".into()]),
        ("regex", vec!["(?:\\pL{100}){10}(?:\\PL{100}){10}".repeat(50).into(), "a".into()]),
        ("regex", vec!["(".repeat(5_000).into(), "a".into()]),
        ("yamldecode", vec![laughs(9).into()]),
        ("yamldecode", vec!["[".repeat(100_000).into()]),
        ("yamldecode", vec!["- ".repeat(100_000).into()]),
        ("jsondecode", vec!["[".repeat(100_000).into()]),
        ("base64gunzip", vec![call("base64gzip", &[Value::from("\0".repeat((64 << 20) + 1))]).expect("compressed")]),
    ] {
        assert!(call(name, &arguments).is_err(), "{name} accepts it");
    }
}

/// Each level has ten aliases of the one before.
fn laughs(levels: usize) -> String {
    let mut text = "l0: &l0 x\n".to_owned();
    for level in 1..=levels {
        let aliases = vec![format!("*l{}", level - 1); 10].join(", ");
        text.push_str(&format!("l{level}: &l{level} [{aliases}]\n"));
    }
    text
}

#[test]
fn what_is_large_but_allowed_works() {
    assert!(call("yamldecode", &[laughs(4).into()]).is_ok());
    assert!(call("regex", &["(?:".repeat(999).into(), "a".into()]).is_err());
    let nested = format!("{}a{}", "(?:".repeat(999), "|b)*".repeat(999));
    assert!(call("regex", &[nested.into(), "a".into()]).is_ok());
    assert_eq!(call("range", &[1_024.into()]).map(|list| list.elements().map(<[Value]>::len)), Ok(Some(1_024)));
    let text = call("base64gunzip", &[call("base64gzip", &[Value::from("a".repeat(1 << 20))]).expect("compressed")]);
    assert_eq!(text.expect("a text").as_str().map(str::len), Some(1 << 20));
}
