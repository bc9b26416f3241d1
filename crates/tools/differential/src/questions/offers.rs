//! The context of a question: variables of every kind, functions, and scopes.

use serde_json::{Map, Value as Json, json};

/// The context that a source can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// All variables and functions.
    Usual,
    /// Variables of child scopes, some of them before others of the same name.
    Scopes,
    /// Child scopes of one that has no variables, and one that has no variables either.
    EmptyScopes,
    /// Functions under other names, some with namespaces.
    Renamed,
    /// Variables, and no table of functions.
    NoFunctions,
    /// Functions, and no variables.
    NoVariables,
    /// Neither, as for a file that is to be nothing but literals.
    Literal,
}

impl Setting {
    pub const ALL: [Setting; 7] = [
        Setting::Usual,
        Setting::Scopes,
        Setting::EmptyScopes,
        Setting::Renamed,
        Setting::NoFunctions,
        Setting::NoVariables,
        Setting::Literal,
    ];

    /// The name it has in a recorded question.
    pub fn name(self) -> &'static str {
        match self {
            Setting::Usual => "usual",
            Setting::Scopes => "scopes",
            Setting::EmptyScopes => "empty scopes",
            Setting::Renamed => "renamed",
            Setting::NoFunctions => "no functions",
            Setting::NoVariables => "no variables",
            Setting::Literal => "literal",
        }
    }

    /// Adds what is on offer to a request. Only those variables are put there that the source may
    /// mean: to read them all takes longer than to answer.
    pub fn add_to(self, request: &mut Map<String, Json>, all: &Json) {
        let text = request["src"].as_str().unwrap_or_default().to_owned();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let used = |of: &Json| -> Json {
            let variables = of.as_object().into_iter().flatten();
            Json::Object(
                variables
                    .filter(|(name, _)| words.contains(&name.as_str()))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            )
        };
        let mut put = |name: &str, what: Json| drop(request.insert(name.to_owned(), what));
        match self {
            Setting::Usual => {
                put("vars", used(all));
                put("functions", json!(FUNCTIONS));
            }
            Setting::Scopes => {
                put("vars", used(all));
                put("functions", json!(FUNCTIONS));
                put("scopes", Json::Array(child_scopes().iter().map(used).collect()));
            }
            Setting::EmptyScopes => {
                put("functions", json!(FUNCTIONS));
                put("scopes", json!([{}, used(&child_scopes()[0]), {}]));
            }
            Setting::Renamed => {
                put("vars", used(all));
                put("functions", json!(RENAMED));
            }
            Setting::NoFunctions => put("vars", used(all)),
            Setting::NoVariables => put("functions", json!(FUNCTIONS)),
            Setting::Literal => {}
        }
    }
}

/// The functions on offer.
pub const FUNCTIONS: [&str; 7] = ["upper", "lower", "concat", "length", "negate", "try", "can"];

/// The same ones under other names, most of them.
pub const RENAMED: [&str; 7] =
    ["text::upper=upper", "upper=lower", "a::b::concat=concat", "length", "s=length", "try=can", "can=try"];

/// Variables of child scopes. Some are before those of the global scope.
fn child_scopes() -> [Json; 2] {
    [
        json!({ "s": number("7"), "l": {"tuple": ["c"]}, "inner": "in", "us": {"unknown": "number"}, "x": true }),
        json!({ "inner": with_mark("i", json!({"unknown": "bool"})), "t": {"null": "bool"}, "o": {"object": {}} }),
    ]
}

/// The variables on offer, in the encoding of the conformance protocol.
pub fn variables() -> Json {
    let all = [primitives(), collections(), unknowns(), marked()];
    Json::Object(all.into_iter().filter_map(|some| some.as_object().cloned()).flatten().collect())
}

fn number(text: &str) -> Json {
    json!({ "number": text })
}

fn with_mark(mark: &str, value: Json) -> Json {
    json!({ "marks": [mark], "value": value })
}

fn primitives() -> Json {
    json!({
        "t": true, "f": false, "s": "str", "ws": "5", "bs": "true",
        "num": number("5"), "z": number("0"), "neg": number("-3"), "fr": number("2.5"),
        "big": number("123456789012345678901234567890"),
        "n": {"null": "dynamic"}, "ns": {"null": "string"}, "nnum": {"null": "number"}, "nb": {"null": "bool"},
        "nl": {"null": ["list", "string"]}, "nst": {"null": ["set", "string"]},
        "no": {"null": ["object", {"a": "string"}]},
    })
}

fn collections() -> Json {
    json!({
        "l": {"list": ["x", "y"], "of": "string"}, "el": {"list": [], "of": "string"},
        "lb": {"list": [true, false, {"null": "bool"}], "of": "bool"},
        "lo": {"list": [{"object": {"a": "1", "b": number("1")}}, {"object": {"a": "2", "b": number("2")}}],
            "of": ["object", {"a": "string", "b": "number"}]},
        "lt": {"list": [{"tuple": ["a", true]}], "of": ["tuple", ["string", "bool"]]},
        "set": {"set": ["x", "y"], "of": "string"}, "es": {"set": [], "of": "string"},
        "sn": {"set": [number("1"), number("2")], "of": "number"},
        "mp": {"map": {"k": "v", "j": "w"}, "of": "string"}, "em": {"map": {}, "of": "number"},
        "mo": {"map": {"p": {"object": {"a": "1"}}, "q": {"object": {"a": "2"}}}, "of": ["object", {"a": "string"}]},
        "o": {"object": {"a": "x", "b": number("1")}}, "tup": {"tuple": ["x", number("2")]},
        "nested": {"tuple": [{"tuple": [number("1"), "a"]}, {"object": {"a": {"list": ["q"], "of": "string"}}}]},
    })
}

fn unknowns() -> Json {
    json!({
        "d": {"unknown": "dynamic"}, "ub": {"unknown": "bool"}, "us": {"unknown": "string"}, "un": {"unknown": "number"},
        "usp": {"unknown": "string", "refine": {"prefix": "ab-", "notnull": true}},
        "unr": {"unknown": "number", "refine": {"min": ["1", true], "max": ["5", false], "notnull": true}},
        "ul": {"unknown": ["list", "string"], "refine": {"minlen": 2, "maxlen": 4}},
        "uls": {"unknown": ["list", ["object", {"a": "string"}]], "refine": {"minlen": 2}},
        "uset": {"unknown": ["set", "string"]}, "um": {"unknown": ["map", "number"]},
        "ust": {"unknown": ["set", "number"], "refine": {"minlen": 1, "maxlen": 1}},
        "ut": {"unknown": ["tuple", ["string", "number"]]}, "uo": {"unknown": ["object", {"a": "string"}]},
        "uonn": {"unknown": ["object", {"a": "string"}], "refine": {"notnull": true}},
        "uod": {"object": {"a": {"unknown": "dynamic"}, "b": {"unknown": "string"}}},
        "lun": {"list": [number("1"), {"unknown": "number"}], "of": "number"},
    })
}

fn marked() -> Json {
    json!({
        "m": with_mark("s", json!("sec")), "mn": with_mark("s", number("3")), "tm": with_mark("c", json!(true)),
        "nm": with_mark("s", json!({"null": "string"})), "dm": with_mark("d", json!({"unknown": "dynamic"})),
        "ubm": with_mark("c", json!({"unknown": "bool"})), "usm": with_mark("u", json!({"unknown": "string"})),
        "mt": with_mark("s", json!({"tuple": [number("1"), with_mark("t", json!("b"))]})),
        "lm": with_mark("lm", json!({"list": [with_mark("e", json!("x")), "y"], "of": "string"})),
        "om": {"object": {"a": with_mark("in", json!("q")), "b": number("2")}},
        "setm": with_mark("sm", json!({"set": ["p"], "of": "string"})),
        "mpm": {"map": {"k": with_mark("mk", json!("v"))}, "of": "string"},
    })
}
