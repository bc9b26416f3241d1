//! Parts that serde buffers: fields with `flatten`, enums that are untagged or internally tagged.

use std::collections::BTreeMap;

use hcl_lr::model::{Number, Value};
use hcl_lr::typed::from_json_str;
use hcl_lr::{from_str, to_string};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Debug, PartialEq)]
struct Flat {
    own: Vec<Listener>,
    #[serde(flatten)]
    common: Common,
}

#[derive(Deserialize, Debug, PartialEq)]
struct Common {
    #[serde(default, with = "hcl_lr::typed::blocks")]
    listener: Vec<Listener>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct Listener {
    port: u16,
    #[serde(default, with = "hcl_lr::typed::blocks")]
    route: Vec<Route>,
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
struct Route {
    path: String,
}

#[derive(Deserialize, Serialize, Debug, PartialEq)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Tagged {
    Serve {
        #[serde(default, with = "hcl_lr::typed::blocks")]
        listener: Vec<Listener>,
    },
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Serve {
        #[serde(with = "hcl_lr::typed::blocks")]
        listener: Vec<Listener>,
    },
    Other {
        other: u8,
    },
}

fn listener(port: u16) -> Listener {
    Listener { port, route: Vec::new() }
}

const NONE: &str = "";
const ONE: &str = "listener {\n  port = 1\n}\n";
const MANY: &str = "listener {\n  port = 1\n}\nlistener {\n  port = 2\n}\n";

#[test]
fn none_one_or_many_blocks_are_a_list() {
    let lists = [(NONE, vec![]), (ONE, vec![listener(1)]), (MANY, vec![listener(1), listener(2)])];
    for (text, list) in lists {
        assert_eq!(from_str::<Common>(text).unwrap().listener, list, "{text}");
        assert_eq!(from_str::<Flat>(text).unwrap().common.listener, list, "{text}");
        let Tagged::Serve { listener } = from_str(&format!("type = \"serve\"\n{text}")).unwrap();
        assert_eq!(listener, list, "{text}");
        if !list.is_empty() {
            assert_eq!(from_str::<Untagged>(text).unwrap(), Untagged::Serve { listener: list });
        }
    }
    for (json, count) in
        [(r#"{}"#, 0), (r#"{"listener": {"port": 1}}"#, 1), (r#"{"listener": [{"port": 1}, {"port": 2}]}"#, 2)]
    {
        assert_eq!(from_json_str::<Common>(json).unwrap().listener.len(), count, "{json}");
        assert_eq!(from_json_str::<Flat>(json).unwrap().common.listener.len(), count, "{json}");
    }
}

#[test]
fn lists_deep_in_what_is_buffered_too() {
    let text =
        "type = \"serve\"\nlistener {\n  port = 1\n  route {\n    path = \"/\"\n  }\n}\nlistener {\n  port = 2\n}\n";
    let Tagged::Serve { listener } = from_str(text).unwrap();
    assert_eq!([listener[0].route.len(), listener[1].route.len()], [1, 0]);
    let flat: Flat = from_str(&text.replace("type = \"serve\"\n", "")).unwrap();
    assert_eq!(flat.common.listener, listener);
    let again = to_string(&BTreeMap::from([("x", hcl_lr::typed::BlockOf(Tagged::Serve { listener }))])).unwrap();
    assert_eq!(
        again,
        "x {\n  type = \"serve\"\n\n  listener {\n    port = 1\n\n    route {\n      path = \"/\"\n    }\n  }\n\n  listener {\n    port = 2\n  }\n}\n"
    );
}

#[test]
fn attributes_are_no_lists_of_blocks() {
    let error = from_str::<Common>("listener = [{ port = 1 }]\n").unwrap_err();
    assert!(error.to_string().contains("`listener` must be a block, but this is a list"), "{error}");
}

#[test]
fn other_formats_have_lists_too() {
    let listeners = Tagged::Serve { listener: vec![listener(1), listener(2)] };
    let json = serde_json::to_string(&listeners).unwrap();
    assert_eq!(serde_json::from_str::<Tagged>(&json).unwrap(), listeners);
}

#[test]
fn the_error_names_the_wrapper() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Plain {
        #[serde(flatten)]
        lists: Lists,
    }
    #[derive(Deserialize, Debug)]
    #[allow(dead_code, reason = "only errors are looked at")]
    struct Lists {
        listener: Vec<Listener>,
    }
    let error = from_str::<Plain>(ONE).unwrap_err();
    assert_eq!(
        error.render(),
        "error[invalid-argument-value]: unsuitable value
  ┌─ <input>:1:1
  │
1 │ listener {
  │ ^ `listener` must be a list, but it is an object or a block
  │
  = help: the application has to read one block as a list: `#[serde(default, with = \"hcl_lr::typed::blocks\")]`

"
    );
}

#[derive(Deserialize, Debug, PartialEq)]
struct Numbers<T> {
    #[serde(flatten)]
    numbers: BTreeMap<String, T>,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(tag = "type")]
enum TaggedNumber<T> {
    A { x: T },
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(untagged)]
enum UntaggedNumber<T> {
    A { x: T },
}

#[test]
fn numbers_are_exact_or_an_error() {
    for digits in [
        "0.1234567890123456789012345",
        "1e-400",
        "123456789012345678901234567890.5",
        "340282366920938463463374607431768211456",
    ] {
        let number = Number::parse(digits).unwrap();
        let text = format!("x = {digits}\n");
        let tagged = format!("type = \"A\"\n{text}");
        assert_eq!(from_str::<Numbers<Number>>(&text).unwrap().numbers["x"], number);
        assert_eq!(from_str::<Numbers<Value>>(&text).unwrap().numbers["x"], Value::from(number.clone()));
        assert_eq!(from_str::<TaggedNumber<Number>>(&tagged).unwrap(), TaggedNumber::A { x: number.clone() });
        assert_eq!(from_str::<TaggedNumber<Value>>(&tagged).unwrap(), TaggedNumber::A { x: number.clone().into() });
        assert_eq!(from_str::<UntaggedNumber<Number>>(&text).unwrap(), UntaggedNumber::A { x: number.clone() });
        assert_eq!(from_str::<UntaggedNumber<Value>>(&text).unwrap(), UntaggedNumber::A { x: number.into() });
        let error = from_str::<Numbers<f64>>(&text).unwrap_err().to_string();
        assert!(
            error.contains("only whole numbers from -9223372036854775808 to 18446744073709551615 and numbers with"),
            "{error}"
        );
        let error = from_str::<TaggedNumber<f64>>(&tagged).unwrap_err().to_string();
        assert!(error.contains("only whole numbers from"), "{error}");
        from_str::<UntaggedNumber<f64>>(&text).unwrap_err();
    }
    for (digits, float) in [("0.1", 0.1), ("1e300", 1e300), ("2.5e-8", 2.5e-8)] {
        assert_eq!(from_str::<Numbers<f64>>(&format!("x = {digits}\n")).unwrap().numbers["x"], float);
    }
}
