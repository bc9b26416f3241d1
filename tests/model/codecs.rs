//! The encodings of the official ecosystem, against bytes that its own library wrote.

use hcl_lr::model::{AttributeType, Type, Value, json};

mod recorded {
    use super::*;
    use hcl_lr::model::msgpack;
    use hcl_lr_conformance::{decode_type, decode_value};
    use serde_json::Value as Json;

    fn lines() -> Vec<(Value, Type, Json)> {
        let lines = include_str!("../fixtures/model/codecs.jsonl").lines();
        let line = |line: &str| {
            let line: Json = serde_json::from_str(line).expect("a line of JSON");
            let value = decode_value(&line["value"]).expect("a value");
            (value, decode_type(&line["type"]).expect("a type"), line)
        };
        lines.map(line).collect()
    }

    #[test]
    fn messagepack_is_byte_for_byte_the_same() {
        for (value, ty, line) in lines() {
            let bytes = msgpack::encode(&value, &ty).expect("encodable");
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, line["msgpack"], "{value:?} as {ty:?}");
            assert_eq!(msgpack::decode(&bytes, &ty).expect("decodable"), value);
        }
    }

    #[test]
    fn json_is_byte_for_byte_the_same() {
        for (value, ty, line) in lines() {
            match line["json"].as_str() {
                Some(text) => {
                    assert_eq!(json::encode(&value, &ty).expect("encodable"), text);
                    assert_eq!(json::decode(text, &ty).expect("decodable"), value);
                }
                None => assert!(json::encode(&value, &ty).is_err(), "{value:?}"),
            }
        }
    }

    /// Whatever the bytes are, the reader answers; it never trusts a claimed length.
    #[test]
    fn damaged_messagepack_is_an_error() {
        for (value, ty, _) in lines() {
            let bytes = msgpack::encode(&value, &ty).expect("encodable");
            for end in 0..bytes.len() {
                assert!(msgpack::decode(&bytes[..end], &ty).is_err(), "{value:?} cut at {end}");
            }
        }
        let huge = [0xdd, 0xff, 0xff, 0xff, 0xff];
        assert!(msgpack::decode(&huge, &Type::list(Type::Bool)).is_err());
        assert!(msgpack::decode(&[0xdb, 0xff, 0xff, 0xff, 0xff], &Type::String).is_err());
        let deep = vec![0x91; 100_000];
        let mut ty = Type::Bool;
        for _ in 0..2_000 {
            ty = Type::list(ty);
        }
        assert!(msgpack::decode(&deep, &ty).is_err());
    }

    /// Refinements that later versions of the format add are skipped.
    #[test]
    fn unknown_facts_are_skipped() {
        let bytes = [0xc7, 6, 12, 0x82, 0x01, 0xc2, 0x63, 0x91, 0xa0];
        let value = msgpack::decode(&bytes, &Type::String).expect("decodable");
        assert_eq!(value, Value::unknown(Type::String).refine().not_null().value().unwrap());
    }
}

#[test]
fn json_types() {
    let ty = Type::object_with([
        AttributeType::optional("b", Type::Bool),
        AttributeType::required("a", Type::list(Type::Dynamic)),
    ]);
    let text = r#"["object",{"a":["list","dynamic"],"b":"bool"},["b"]]"#;
    assert_eq!(json::encode_type(&ty), Ok(text.to_string()));
    assert_eq!(json::decode_type(text), Ok(ty));
    for bad in [r#""text""#, "[]", r#"["list"]"#, r#"["object",{},["a"]]"#, r#"["set","bool",1]"#] {
        assert!(json::decode_type(bad).is_err(), "{bad}");
    }
}

#[test]
fn json_primitives_are_converted() {
    let decode = |text, ty: &Type| json::decode(text, ty).map_err(|why| why.to_string());
    assert_eq!(decode(r#""5""#, &Type::Number), Ok(Value::from(5)));
    assert_eq!(decode("5", &Type::String), Ok(Value::from("5")));
    assert_eq!(decode(r#""true""#, &Type::Bool), Ok(Value::from(true)));
    assert_eq!(decode("1", &Type::Bool), Err("a bool is required, not a number".to_string()));
    assert!(decode("5", &Type::Dynamic).is_err());
}

#[test]
fn json_objects() {
    let ty = Type::object([("a", Type::Number), ("b", Type::String)]);
    let value = json::decode(r#"{"a": 1, "a": 2}"#, &ty).expect("the last one counts");
    assert_eq!(value, Value::object([("a", Value::from(2)), ("b", Value::null(Type::String))]));
    let error = json::decode(r#"{"c": 1}"#, &ty).unwrap_err();
    assert_eq!(error.to_string(), "unexpected attribute \"c\"");
    let twice = json::decode_implied(r#"{"a": 1, "a": 2}"#).expect("values of one type, of which the last one counts");
    assert_eq!(twice, Value::object([("a", Value::from(2))]));
    assert!(json::decode_implied(r#"{"a": 1, "a": "x"}"#).is_err());
}

/// Two spellings of one name would be two values of one key.
#[test]
fn names_in_two_spellings_are_refused() {
    let map = Type::map(Type::Number);
    let object = Type::object([("é", Type::Number)]);
    let why = "two names are the same after normalization: \"é\"";
    let both = "{\"e\u{301}\": 1, \"x\": 2, \"\u{e9}\": 3}";
    for ty in [&map, &object, &Type::Dynamic] {
        assert_eq!(json::decode(both, ty).map_err(|error| error.to_string()), Err(why.to_owned()), "{ty}");
    }
    let ty = "[\"object\",{\"\u{e9}\":\"string\",\"e\u{301}\":\"bool\"}]";
    assert_eq!(json::decode_type(ty).map_err(|error| error.to_string()), Err(why.to_owned()));
    // One spelling is no mistake, however often it comes.
    let one = "{\"e\u{301}\": 1, \"e\u{301}\": 2}";
    assert_eq!(json::decode(one, &map), Ok(Value::map(Type::Number, [("é", Value::from(2))]).expect("numbers")));
    // Plain JSON has always been allowed it, if the values have one type.
    assert_eq!(json::decode_implied("{\"e\u{301}\": 1, \"\u{e9}\": 2}"), Ok(Value::object([("é", Value::from(2))])));
    {
        let bytes = [0x82, 0xa3, b'e', 0xcc, 0x81, 1, 0xa2, 0xc3, 0xa9, 2];
        let decoded = hcl_lr::model::msgpack::decode(&bytes, &map);
        assert_eq!(decoded.map_err(|error| error.to_string()), Err(why.to_owned()));
    }
}

#[test]
fn json_text() {
    let value = Value::from("<\u{2028}\u{7}\u{7f}\u{e9}\t/\"&>");
    let text = json::encode_implied(&value).expect("encodable");
    assert_eq!(text, "\"\\u003c\\u2028\\u0007\u{7f}\u{e9}\\t/\\\"\\u0026\\u003e\"");
    assert_eq!(json::decode_implied(&text), Ok(value));
    assert_eq!(json::decode_implied(r#""\ud83d\ude00 \ud800x""#), Ok(Value::from("😀 \u{fffd}x")));
    for bad in ["", "[1", "[1,]", "{\"a\" 1}", "01", "1.", "-", "tru", "\"\n\"", "\"\\x\"", "1 2"] {
        let error = json::decode_implied(bad).unwrap_err().to_string();
        assert!(error.starts_with("invalid JSON at byte "), "{bad}: {error}");
    }
}

#[test]
fn json_numbers_stay_exact() {
    let text = "[0.1,123456789012345678901234567890.123456789,10000000000000000000000]";
    let value = json::decode_implied(text).expect("JSON");
    assert_eq!(json::encode_implied(&value).as_deref(), Ok(text));
}

#[test]
fn json_has_no_unknowns_marks_or_infinities() {
    for (value, path) in [
        (Value::unknown(Type::Bool), ""),
        (Value::tuple([Value::from(1).mark("m")]), "[0]"),
        (Value::object([("a", hcl_lr::model::Number::INFINITY.into())]), "[\"a\"]"),
    ] {
        let error = json::encode_implied(&value).unwrap_err();
        assert_eq!(error.path().to_string(), path);
    }
}

#[test]
fn serde_json_values() {
    let value = json::decode_implied(r#"{"a": [1, 0.1, null, "x", 18446744073709551615]}"#);
    let value = value.expect("JSON");
    let json = serde_json::Value::try_from(&value).expect("plain");
    assert_eq!(json["a"][4], u64::MAX);
    assert_eq!(Value::try_from(&json), Ok(value));
    let long = Value::from("0.1234567890123456789012345".parse::<hcl_lr::model::Number>().unwrap());
    let error = serde_json::Value::try_from(&Value::tuple([long])).unwrap_err();
    assert_eq!(error.to_string(), "[0]: the number cannot be held exactly");
}
