//! Conditions and references in the words of JSON Schema.

use crate::json::Json;
use hcl_lr_language::schema::model::{Check, RuleKind};

/// A text with an interpolation or directive.
pub(crate) const TEMPLATE: &str = "[$%]\\{";

/// Adds a condition to those that an object has in `allOf`.
pub(crate) fn push_all(mut json: Json, condition: Json) -> Json {
    if let Json::Object(properties) = &mut json
        && let Some((_, Json::Array(all))) = properties.iter_mut().find(|(name, _)| name == "allOf")
    {
        all.push(condition);
    }
    json
}

/// A comment on conditions, which a JSON Schema cannot have.
pub(crate) fn lost(checks: &[Check]) -> Option<Json> {
    let messages: Vec<&str> = checks.iter().map(|check| check.message.trim()).collect();
    (!checks.is_empty()).then(|| Json::text(format!("Not checked: {}.", messages.join("; "))))
}

/// Any properties, with any values.
pub(crate) fn any_properties() -> Json {
    Json::object([("additionalProperties", Json::Bool(true))])
}

/// The condition that an object has a property.
pub(crate) fn required_property(name: &str) -> Json {
    Json::object([("required", Json::texts([name]))])
}

/// Limits conditions to objects with constant keys. A template as a key may be any name, so it is uncertain what is
/// missing.
pub(crate) fn only_if_keys_are_known(conditions: Vec<Json>) -> Vec<Json> {
    if conditions.is_empty() {
        return conditions;
    }
    let known = Json::object([("not", Json::object([("pattern", Json::text(TEMPLATE))]))]);
    let known = Json::object([("propertyNames", known)]);
    let all = Json::object([("allOf", Json::Array(conditions))]);
    vec![Json::object([("if", known), ("then", all)])]
}

pub(crate) fn reference_to(name: &str) -> Json {
    let escaped =
        name.replace('~', "~0").replace('/', "~1").replace('%', "%25").replace('"', "%22").replace(' ', "%20");
    Json::object([("$ref", Json::text(format!("#/$defs/{escaped}")))])
}

pub(crate) fn of_type(name: &str) -> Json {
    Json::object([("type", Json::text(name))])
}

pub(crate) fn either(alternatives: impl IntoIterator<Item = Json>) -> Json {
    Json::object([("anyOf", Json::Array(alternatives.into_iter().collect()))])
}

pub(crate) fn documented(json: Json, description: Option<&str>, deprecated: bool) -> Json {
    let json = json.with_some("description", description.map(Json::text));
    json.with_some("deprecated", deprecated.then_some(Json::Bool(true)))
}

/// A rule for the properties of a body. `has` makes the condition that one is there.
pub(crate) fn rule(kind: RuleKind, names: &[String], has: impl Fn(&str) -> Json) -> Json {
    let any = || Json::Array(names.iter().map(|name| has(name)).collect());
    match kind {
        RuleKind::ExactlyOne => Json::object([("oneOf", any())]),
        RuleKind::AtMostOne => {
            // Either exactly one of them is present, or none.
            let none = Json::object([("not", Json::object([("anyOf", any())]))]);
            either([Json::object([("oneOf", any())]), none])
        }
        RuleKind::AtLeastOne => Json::object([("anyOf", any())]),
        _ => {
            let none = Json::object([("not", Json::object([("anyOf", any())]))]);
            either([Json::object([("allOf", any())]), none])
        }
    }
}
