//! The abilities that the answer of a case takes, beyond those of its operation.

use serde_json::Value;

use crate::answer;

/// An ability that some implementations lack, and without which a case cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The JSON syntax.
    Json,
    /// Unknown values and marks.
    Unknowns,
    /// Typed values: a list differs from a tuple.
    Types,
    /// Reading a source without evaluating it. Sources that evaluate without variables and functions do not need it.
    Parsing,
}

impl Need {
    /// All abilities.
    pub const ALL: [Need; 4] = [Need::Json, Need::Unknowns, Need::Types, Need::Parsing];

    /// Its name in the suite, and in the `lacks` of a driver.
    pub fn as_str(self) -> &'static str {
        match self {
            Need::Json => "json",
            Need::Unknowns => "unknowns",
            Need::Types => "types",
            Need::Parsing => "parsing",
        }
    }

    /// The ability of a name.
    pub fn named(name: &str) -> Option<Need> {
        Need::ALL.into_iter().find(|need| need.as_str() == name)
    }

    /// The abilities that a request and its answer take.
    pub(super) fn of(request: &Value, answer: &Value) -> Vec<Need> {
        let op = request["op"].as_str().unwrap_or_default();
        let files = request["files"].as_array().into_iter().flatten();
        let is_json = op.starts_with("json_")
            || request["json"] == true
            || files.filter_map(|file| file["name"].as_str()).any(|name| name.ends_with(".json"));
        let is_of_types =
            ["convert", "unify", "type", "defaults", "echo"].contains(&op) || answer.get("type").is_some();
        let values = ["vars", "scopes", "value"].iter().any(|member| has_unknown(&request[*member]));
        let answers = ["value", "values", "content"].iter().any(|member| has_unknown(&answer[*member]));
        let found = [
            (Need::Json, is_json),
            (Need::Unknowns, values || answers),
            (Need::Types, is_of_types),
            (Need::Parsing, is_only_parsed(op, request, answer)),
        ];
        found.into_iter().filter(|(_, needed)| *needed).map(|(need, _)| need).collect()
    }
}

/// Returns true if an encoded value contains an unknown or marked value.
fn has_unknown(value: &Value) -> bool {
    match value {
        Value::Array(parts) => parts.iter().any(has_unknown),
        Value::Object(members) => {
            let is_unknown =
                members.contains_key("unknown") && members.keys().all(|name| ["unknown", "refine"].contains(&&**name));
            let is_marked = members.contains_key("marks") && members.contains_key("value");
            is_unknown || is_marked || members.values().any(has_unknown)
        }
        _ => false,
    }
}

/// Returns true if a source is read but not evaluated, and evaluating it alone would fail.
fn is_only_parsed(op: &str, request: &Value, wanted: &Value) -> bool {
    if wanted["ok"] != true || request["eval"] == true {
        return false;
    }
    let mut request = request.clone();
    match op {
        "expr" | "template" => request["eval"] = Value::from(true),
        "config" => {
            request["op"] = Value::from("attributes");
            // Attributes of blocks are evaluated with those around them.
            let source = request["src"].as_str().unwrap_or_default();
            if crate::body_evaluates_alone(source) {
                return false;
            }
            return true;
        }
        _ => return false,
    }
    request["ast"] = Value::from(false);
    let evaluated: Value = serde_json::from_str(&answer(&request.to_string())).unwrap_or_default();
    evaluated["ok"] != true
}
