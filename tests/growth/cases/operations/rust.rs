//! Files and values as types of Rust, and back.

#[cfg(not(feature = "serde"))]
pub fn all() -> Vec<super::Case> {
    Vec::new()
}

pub use with_serde::all;

mod with_serde {
    use std::collections::BTreeMap;

    use hcl_lr::typed::{self as hcl, Reader};
    use hcl_lr::{Body, Scope, Value, parse};
    use serde::{Deserialize, Serialize};

    use crate::cases::Case;
    use crate::cases::operations::{DEEP, WIDE, list, map};

    #[derive(Serialize, Deserialize)]
    struct One {
        name: String,
        port: u64,
    }

    #[derive(Serialize, Deserialize)]
    struct All {
        #[serde(default)]
        one: Vec<One>,
    }

    #[derive(Serialize, Deserialize)]
    struct Nested {
        name: String,
        inner: Option<Box<Nested>>,
    }

    /// Numbers that are too large, in structures, maps, lists, and where serde buffers them.
    #[derive(Deserialize)]
    #[allow(dead_code, reason = "nothing of it is right")]
    struct Wrong {
        #[serde(default)]
        list: Vec<u8>,
        #[serde(default)]
        map: BTreeMap<String, u8>,
        #[serde(default)]
        block: Vec<Small>,
        #[serde(default)]
        either: Vec<Either>,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "nothing of it is right")]
    struct Small {
        size: u8,
        names: Vec<String>,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "nothing of it is right")]
    enum Either {
        Number(u8),
        Small(Small),
    }

    fn wrong(text: &str) -> usize {
        hcl::from_str::<Wrong>(text).err().expect("mistakes").len()
    }

    fn all_of(count: usize) -> All {
        All { one: (0..count).map(|at| One { name: format!("n{at}"), port: at as u64 }).collect() }
    }

    fn text(count: usize) -> String {
        "one {\n  name = \"n\"\n  port = 1 + 2\n}\n".repeat(count)
    }

    fn json(count: usize) -> String {
        format!("{{\"one\": [{}{{\"name\": \"n\", \"port\": 1}}]}}", "{\"name\": \"n\", \"port\": 1}, ".repeat(count))
    }

    fn nested(levels: usize) -> Nested {
        let innermost = Nested { name: "n".to_owned(), inner: None };
        (0..levels).fold(innermost, |inner, _| Nested { name: "n".to_owned(), inner: Some(Box::new(inner)) })
    }

    fn nested_text(levels: usize) -> String {
        let open = "name = \"n\"\ninner {\n".repeat(levels);
        format!("{open}name = \"n\"\n{}", "}\n".repeat(levels))
    }

    fn attributes(count: usize) -> String {
        (0..count).map(|at| format!("a{at} = {at}\n")).collect()
    }

    type Attributes = BTreeMap<String, u64>;

    pub fn all() -> Vec<Case> {
        let many = |n: usize| (0..n).map(|at| (format!("a{at}"), at as u64)).collect::<Attributes>();
        vec![
            case!("serde/de/reader from_str": "many blocks", WIDE, text =>
                |text| hcl::from_str::<All>(&text).expect("all")),
            case!("serde/de/reader from_str": "many attributes", WIDE, attributes =>
                |text| hcl::from_str::<Attributes>(&text).expect("all")),
            case!("serde/de/reader from_str": "mistakes", WIDE, |n| text(n).replace("name", "names") =>
                |text| hcl::from_str::<All>(&text).err().expect("mistakes")),
            case!("serde/de/reader from_str": "bad elements", WIDE, |n| format!("list = [{}]\n", "300, ".repeat(n)) =>
                |text| wrong(&text)),
            case!("serde/de/reader from_str": "bad entries", WIDE,
                |n| format!("map = {{\n{}}}\n", (0..n).map(|at| format!("a{at} = 300\n")).collect::<String>()) =>
                |text| wrong(&text)),
            case!("serde/de/reader from_str": "bad blocks", WIDE, |n| "block {\n  size = 300\n}\n".repeat(n) =>
                |text| wrong(&text)),
            case!("serde/de/reader from_str": "bad untagged elements", WIDE,
                |n| format!("either = [{}]\n", "{ size = \"x\" }, ".repeat(n)) =>
                |text| wrong(&text)),
            case!("serde/de/reader from_str": "bad buffered attributes", WIDE,
                |n| (0..n).map(|at| format!("a{at} = 300\n")).collect::<String>() =>
                |text| wrong(&text)),
            case!("serde/de/reader from_str": "blocks in blocks", DEEP / 4, nested_text =>
                |text| hcl::from_str::<Nested>(&text).expect("all")),
            case!("serde/de/reader from_json_str": "many", WIDE, json =>
                |text| hcl::from_json_str::<All>(&text).expect("all")),
            case!("serde/de/reader from_slice": "many", WIDE, text =>
                |text| hcl::from_slice::<All>(text.as_bytes()).expect("all")),
            case!("serde/de/reader from_body": "many", WIDE, |n| parse::<Body>(text(n)).into_value() =>
                |body| hcl::from_body::<All>(&body, &Scope::new()).expect("all")),
            case!("serde/de/reader read_body": "many", WIDE, |n| parse::<Body>(text(n)).into_value() =>
                |body| Reader::new().read_body::<All>(&body).map(|(all, _)| all).expect("all")),
            case!("serde/de/reader from_value": "a list", WIDE, list =>
                |value| hcl::from_value::<Vec<One>>(&value).expect("all")),
            case!("serde/de/reader from_value": "a map", WIDE, map =>
                |value| hcl::from_value::<Attributes>(&value).expect("all")),
            case!("serde/de/reader from_value": "deep", DEEP / 4, |n| hcl::to_value(&nested(n)).expect("a value") =>
                |value| hcl::from_value::<Nested>(&value).expect("all")),
            case!("serde/ser/mod to_string": "many blocks", WIDE, all_of =>
                |all| hcl::to_string(&all).expect("a text")),
            case!("serde/ser/mod to_string": "many attributes", WIDE, many =>
                |all| hcl::to_string(&all).expect("a text")),
            case!("serde/ser/mod to_body": "many", WIDE, all_of => |all| hcl::to_body(&all).expect("a body")),
            case!("serde/ser/mod to_expression": "many", WIDE, all_of =>
                |all| hcl::to_expression(&all).expect("an expression")),
            case!("serde/ser/mod to_value": "many", WIDE, all_of => |all| hcl::to_value(&all).expect("a value")),
            case!("serde/ser/mod to_value": "deep", DEEP / 4, nested => |all| hcl::to_value(&all).expect("a value")),
            case!("serde/ser/value from": "a list", WIDE, list => |value: Value| serde_json::to_string(&value).ok()),
        ]
    }
}
