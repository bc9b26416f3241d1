//! The traits of Rust's own that values have, each with what it does with odd values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use hcl_lr::model::{CollectionKind, Type, Unexpected, UnexpectedValue, Value};

#[test]
fn values_are_made_of_what_is_at_hand() {
    let text = "a".to_owned();
    for (value, shown) in [
        (Value::from(()), "null"),
        (Value::default(), "null"),
        (Value::from(None::<bool>), "null"),
        (Value::from(Some(true)), "true"),
        (Value::from('é'), "\"é\""),
        (Value::from(&text), "\"a\""),
        (Value::from(Cow::Borrowed("b")), "\"b\""),
        (Value::from(&Value::from(1)), "1"),
        (Value::try_from(0.1_f32).unwrap(), "0.1"),
        (Value::from([1, 2]), "[1, 2]"),
        (Value::from(&["a", "b"][..]), "[\"a\", \"b\"]"),
        (Value::from(vec![Some(1), None]), "[1, null]"),
        (Value::from(HashMap::from([("b", 2), ("a", 1)])), "{ a = 1, b = 2 }"),
        (Value::from(BTreeMap::from([(text.clone(), [true])])), "{ a = [true] }"),
        (Value::from_iter(["x", "y"]), "[\"x\", \"y\"]"),
        ([("k", 'v')].into_iter().collect(), "{ k = \"v\" }"),
    ] {
        assert_eq!(value.to_string(), shown);
    }
    assert!(Value::try_from(f32::NAN).is_err());
}

/// Rust infers what `into` gives, since values can be compared with values only.
#[test]
fn literals_are_compared_without_a_type() {
    let value = Value::from(8080);
    assert_eq!(value, 8080.into());
    assert!(value == 8080.into() && value != "8080".into());
    assert!(value.view() == 8080 && value.view() == 8080_u64 && value.view() == 8080.0);
    assert!(value.view() != 8081 && value.view() != "8080" && value.view() != true && value.view() != f64::INFINITY);
    assert!(Value::from("a").view() == "a" && Value::from("a").view() == *"a" && Value::from(true).view() == true);
    let text = "a".to_owned();
    assert!(Value::from("a").view() == text);
    for odd in [Value::NULL, Value::UNKNOWN, Value::from(1).mark("m"), Value::from([1])] {
        assert!(odd.view() != 1, "{odd:?}");
    }
}

#[test]
fn parts_are_found_without_a_panic() {
    let map = Value::map(Type::Number, [("a", Value::from(1))]).unwrap();
    let object = Value::from(HashMap::from([("list", Value::from([map.clone()]))]));
    assert_eq!(object["list"][0]["a"], 1.into());
    assert_eq!(object[&"list".to_owned()].get(0), Some(&map));
    assert_eq!((object.get(0), object["list"].get("a"), map.get(0)), (None, None, None));
    assert_eq!(object["list"][usize::MAX]["no"][3], Value::NULL);
    assert_eq!(Value::unknown(Type::list(Type::String))[7], Value::UNKNOWN);
    let set = Value::set(Type::Number, [2, 1].map(Value::from)).unwrap();
    assert_eq!((set[0].clone(), set.get(2)), (1.into(), None));
    // Marks of the whole stay with the whole, as with all that looks into values.
    assert_eq!(object.mark("m")["list"], object["list"]);
}

#[test]
fn parts_become_types_of_rust() {
    let server: Value = "{ name = \"web\", ports = [80, 443], ratio = 0.1, note = null }".parse().unwrap();
    assert_eq!(server.get_as::<&str>("name"), Ok("web"));
    assert_eq!(server.get_as::<Vec<u16>>("ports"), Ok(vec![80, 443]));
    assert_eq!(server.get_as::<BTreeSet<u16>>("ports"), Ok(BTreeSet::from([80, 443])));
    assert_eq!(server["ports"].get_as::<u16>(1), Ok(443));
    assert_eq!(server.get_as::<f64>("ratio"), Ok(0.1));
    assert_eq!(server.get_as::<f32>("ratio"), Ok(0.1));
    assert_eq!(server.get_as::<Option<&str>>("note"), Ok(None));
    assert_eq!(server.get_as::<Option<Value>>("none"), Ok(None));
    assert_eq!(server.get_as::<Option<Value>>("name"), Ok(Some("web".into())));
    assert_eq!(server.get_as::<Value>("name"), Ok("web".into()));
    assert_eq!(server.get_as::<PathBuf>("name"), Ok(PathBuf::from("web")));
    let secret = server.mark("secret");
    for (error, message, is_cause) in [
        (server.get_as::<u8>("name").unwrap_err(), ".name: a number is required, not a string", false),
        (server.get_as::<u8>("note").unwrap_err(), ".note: the value is null", false),
        (server.get_as::<u8>("none").unwrap_err(), ".none: the value is missing", true),
        (server.get_as::<char>("name").unwrap_err(), ".name: a string of one character is required", false),
        (server.get_as::<Vec<u8>>("ports").unwrap_err(), ".ports[1]: 443 does not fit u8 (0 to 255)", false),
        (server.get_as::<Option<u8>>(0).unwrap_err(), "a list, set or tuple is required, not an object", false),
        (server["ports"].get_as::<u8>("a").unwrap_err(), "a map or object is required, not a tuple", false),
        (server["ports"].get_as::<u8>(2).unwrap_err(), "[2]: the value is missing", true),
        (secret.get_as::<&str>("name").unwrap_err(), "the value is marked", false),
        (Value::NULL.get_as::<Option<u8>>("a").unwrap_err(), "the value is null", false),
        (Value::UNKNOWN.get_as::<Option<u8>>("a").unwrap_err(), "the value is not known", false),
    ] {
        assert_eq!((error.to_string().as_str(), *error.cause() == Unexpected::Missing), (message, is_cause));
    }
}

#[test]
fn whole_values_become_types_of_rust() {
    let words = Value::from(["b", "a", "b"]);
    assert_eq!(HashSet::<String>::try_from(&words).unwrap().len(), 2);
    assert_eq!(Vec::<&str>::try_from(&words), Ok(vec!["b", "a", "b"]));
    assert_eq!(Vec::<Value>::try_from(&words).unwrap().len(), 3);
    assert_eq!(Vec::<Option<String>>::try_from(Value::from(vec![Some("a"), None])), Ok(vec![Some("a".into()), None]));
    let nested: Value = [("a", [1, 2])].into_iter().collect();
    assert_eq!(HashMap::<String, Vec<i8>>::try_from(nested.clone()).unwrap()["a"], [1, 2]);
    assert_eq!(BTreeMap::<String, &[Value]>::try_from(&nested).unwrap()["a"].len(), 2);
    assert_eq!(u8::try_from(Value::from(7)), Ok(7));
    assert_eq!(Option::<u8>::try_from(Value::NULL), Ok(None));
    assert_eq!(String::try_from(Value::from("a")), Ok("a".to_owned()));
    let keys = Value::map(Type::Number, [("a b", Value::from(1)), ("c", Value::from(1000))]).unwrap();
    let error = HashMap::<String, u8>::try_from(&keys).unwrap_err();
    assert_eq!(error.to_string(), "[\"c\"]: 1000 does not fit u8 (0 to 255)");
    assert_eq!(error.reason(), "the number does not fit u8 (0 to 255)");
    assert_eq!(UnexpectedValue::new("c is wrong").reason(), "the value is not suitable");
}

#[test]
fn values_can_be_gone_through() {
    let sum = |value: &Value| value.into_iter().filter_map(|part| i32::try_from(part).ok()).sum::<i32>();
    assert_eq!(sum(&Value::from([1, 2])), 3);
    assert_eq!(sum(&[("a", 1), ("b", 5)].into_iter().collect()), 6);
    for none in [Value::NULL, Value::UNKNOWN, Value::from(1), Value::empty(CollectionKind::Set, Type::Bool)] {
        assert_eq!(none.into_iter().count(), 0);
    }
    assert_eq!(Value::from(["a", "b"]).into_iter().rev().collect::<Value>(), Value::from(["b", "a"]));
}

#[test]
fn over_several_lines_a_value_reads_like_a_formatted_file() {
    let value: Value = r#"{
      id = 7, "a key" = "two\nlines", none = [], é = {}, list = [[1], { a = null }], last = true
    }"#
    .parse()
    .unwrap();
    let lines = r#"{
  "a key" = "two\nlines"
  id      = 7
  last    = true
  list = [
    [
      1,
    ],
    {
      a = null
    },
  ]
  none = []
  é    = {}
}"#;
    assert_eq!(format!("{value:#}"), lines);
    assert_eq!(lines.parse::<Value>().unwrap(), value);
    let odd = Value::from([Value::from([1]).mark("m"), Value::unknown(Type::Bool), Value::from(1)]);
    assert_eq!(format!("{odd:#}"), "[\n  (marked m),\n  (unknown bool),\n  1,\n]");
    assert_eq!(format!("[{:#>3}]", Value::from(1)), "[##1]");
}

/// The text grows with the number of parts, not with the square of the depth.
#[test]
fn deep_values_are_not_indented_ever_further() {
    let deep = |levels| (0..levels).fold(Value::from(1), |value, _| Value::from([value]));
    let length = |levels| format!("{:#}", deep(levels)).len();
    let (once, twice) = (length(400), length(800));
    assert!(twice < once * 5 / 2, "{once} and {twice} bytes");
}
