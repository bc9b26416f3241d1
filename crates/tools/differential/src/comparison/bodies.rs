//! The differences in documents, bodies, decoding and functions of files that are there on purpose.

use serde_json::Value as Json;

use super::answers::equal;
use super::rows::{Case, Row, panics, says};
use super::sources::{equal_but_for, more_marks_or_sign, nearly_same_text, unsigned_zeros, without_sign_of_prefix};

/// The rows of bodies.
pub const ROWS: &[Row] = &[
    ("model.panics", panics),
    ("syntax.number-range", |asked| ours_says(asked, "outside the representable range")),
    ("decoding.marked-labels", |asked| ours_says(asked, "a label cannot be marked")),
    ("evaluation.strings-without-scope", string_without_scope),
    ("decoding.required-default", required_in_default),
    ("decoding.empty-map-levels", map_without_blocks),
    ("decoding.optional-attributes", optional_in_implied_type),
    ("decoding.null-of-no-type", null_among_blocks),
    ("decoding.block-attrs-of-any", attributes_of_any),
    ("decoding.duplicates", defined_twice),
    ("bodies.escapes", places_in_escaped_string),
    ("bodies.rest-as-attributes", taken_blocks_in_rest),
    ("evaluation.iterators-in-attributes", any_in_dynamic),
    ("decoding.after-unknown", after_unknown_body),
    ("decoding.marks", marks_of_unknown_blocks),
    ("values.negative-zero", negative_zero),
    ("values.arithmetic", exact_decimals),
    ("bodies.marks-of-names", |asked| keeps_marks(asked, property_template)),
    ("values.marks-of-unary", |asked| keeps_marks(asked, |text| text.contains(['!', '-']))),
    ("values.marks-of-join", |asked| keeps_marks(asked, |text| text.contains("%{"))),
    ("values.marks-of-failure", |asked| {
        keeps_marks(asked, |text| text.contains(['?', '(', '+', '*', '/', '%', '=', '[', '&', '|', '<', '>']))
    }),
    ("values.marks-of-keys", |asked| keeps_marks(asked, |text| text.contains("for") || text.contains('{'))),
];

/// The sources of a request.
pub fn sources_of(request: &Json) -> String {
    let files = request["files"].as_array().into_iter().flatten().filter_map(|file| file["src"].as_str());
    files.chain(request["src"].as_str()).collect()
}

fn theirs_says(asked: &Case<'_>, what: &str) -> bool {
    asked.theirs["ok"] == false && says(asked.theirs, what)
}

fn ours_says(asked: &Case<'_>, what: &str) -> bool {
    asked.ours["ok"] == false && says(asked.ours, what)
}

/// Returns the evaluated or decoded parts of an answer: two rows may meet in one answer.
fn results(answer: &Json) -> Json {
    ["value", "values", "content", "list", "map", "args"].iter().map(|part| placeless(answer[*part].clone())).collect()
}

/// Without what says where something stands.
fn placeless(part: Json) -> Json {
    match part {
        // A place is the name of a file and two positions.
        Json::Array(parts) if matches!(&parts[..], [Json::String(_), Json::Array(_), Json::Array(_)]) => Json::Null,
        Json::Array(parts) => parts.into_iter().map(placeless).collect(),
        Json::Object(parts) => Json::Object(parts.into_iter().map(|(name, part)| (name, placeless(part))).collect()),
        other => other,
    }
}

/// Within a `default`, or asked for twice, an attribute that is there is missing to them.
fn required_in_default(asked: &Case<'_>) -> bool {
    let spec = asked.request["spec"].to_string();
    let mut names: Vec<&str> =
        spec.split("\"attr\":\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect();
    let asked_for = names.len();
    names.sort_unstable();
    names.dedup();
    (spec.contains("\"default\"") || names.len() < asked_for)
        && theirs_says(asked, "is required, but no definition was found")
        && asked.ours["ok"] == true
}

/// Without variables there is no scope, and a string of a nested block is a template to them all the same.
fn string_without_scope(asked: &Case<'_>) -> bool {
    asked.request["dynamic"] == true
        && asked.request.get("vars").is_none()
        && asked.theirs["ok"] == true
        && ours_says(asked, "is required here, not a string")
}

/// Returns true if a part is found somewhere.
fn any(part: &Json, is: &dyn Fn(&Json) -> bool) -> bool {
    is(part)
        || match part {
            Json::Array(parts) => parts.iter().any(|part| any(part, is)),
            Json::Object(parts) => parts.values().any(|part| any(part, is)),
            _ => false,
        }
}

/// Their empty map has the type of what is below its last label.
fn map_without_blocks(asked: &Case<'_>) -> bool {
    let several = |spec: &Json| {
        spec.get("block_map").is_some() && spec["labels"].as_array().is_some_and(|labels| labels.len() > 1)
    };
    let (mut theirs, mut ours) = (results(asked.theirs), results(asked.ours));
    theirs = without_types(theirs);
    ours = without_types(ours);
    // If they meet valid maps, the types differ.
    let inconsistent = theirs_says(asked, "Unconsistent argument types");
    any(&asked.request["spec"], &several) && (inconsistent || equal(&theirs, &ours))
}

/// Without the types of collections that are empty, of nulls and unknowns.
fn without_types(part: Json) -> Json {
    match part {
        Json::Array(parts) => parts.into_iter().map(without_types).collect(),
        Json::Object(parts) => Json::Object(
            parts
                .into_iter()
                .map(|(name, part)| match name.as_str() {
                    "of" | "null" | "unknown" => (name, Json::Null),
                    _ => (name, without_types(part)),
                })
                .collect(),
        ),
        other => other,
    }
}

/// The same once nothing is optional.
fn optional_in_implied_type(asked: &Case<'_>) -> bool {
    fn required(ty: &Json) -> Json {
        match ty {
            Json::Array(parts) if parts.len() == 3 && parts[0] == "object" => {
                [&parts[0], &parts[1]].into_iter().map(required).collect()
            }
            Json::Array(parts) => parts.iter().map(required).collect(),
            Json::Object(parts) => Json::Object(parts.iter().map(|(name, ty)| (name.clone(), required(ty))).collect()),
            other => other.clone(),
        }
    }
    let optional = asked.request["spec"].to_string().contains("[\"b\"]]");
    optional
        && asked.theirs["ok"] == asked.ours["ok"]
        && required(&asked.theirs["type"]) == asked.ours["type"]
        && (asked.theirs["ok"] == false || equal(&required(&asked.theirs["value"]), &asked.ours["value"]))
}

/// In the content of a dynamic block, they do not see the iterators of those around.
fn any_in_dynamic(asked: &Case<'_>) -> bool {
    let any_name = |part: &Json| part["mode"] == "attributes" || part.get("block_attrs").is_some();
    let request = asked.request;
    let unseen =
        theirs_says(asked, "There is no variable named") || theirs_says(asked, "Variables may not be used here");
    request["dynamic"] == true
        && sources_of(request).contains("dynamic")
        && (any(&request["schema"], &any_name) || any(&request["spec"], &any_name))
        && (unseen || asked.theirs["variables"] != asked.ours["variables"])
}

/// They read no blocks after one that stands for a number of them that is not known.
fn after_unknown_body(asked: &Case<'_>) -> bool {
    // A `transform` can make a known value of an unknown.
    let is_shown = results(asked.theirs).to_string().contains("\"unknown\"");
    let is_hidden = || {
        asked.request["vars"].to_string().contains("\"unknown\"")
            && any(&asked.request["spec"], &|spec| spec.get("transform").is_some())
    };
    asked.request["op"] == "decode"
        && asked.request["dynamic"] == true
        && asked.theirs["ok"] == true
        && asked.ours["ok"] == false
        && (is_shown || is_hidden())
}

/// Blocks that are unknown because of a collection with marks have these marks.
fn marks_of_unknown_blocks(asked: &Case<'_>) -> bool {
    asked.request["dynamic"] == true
        && results(asked.theirs).to_string().contains("\"unknown\"")
        && asked.theirs["ok"] == asked.ours["ok"]
        && more_marks_or_sign(&results(asked.theirs), &results(asked.ours))
}

/// A null of no type has the type of the values beside it, or the others have no type because of it.
fn null_among_blocks(asked: &Case<'_>) -> bool {
    let spec = asked.request["spec"].to_string();
    let collected = ["block_list", "block_set", "block_map"].iter().any(|kind| spec.contains(kind));
    let ours = results(asked.ours).to_string();
    let inconsistent =
        theirs_says(asked, "must all") || theirs_says(asked, "consistent") || theirs_says(asked, "Unconsistent");
    let unknown = |answer: &str| answer.contains("\"unknown\":\"dynamic\"");
    let settled = ours.contains("\"null\"") && (inconsistent || unknown(&results(asked.theirs).to_string()));
    // The others have no common type, which they see as little as what they have.
    let made_unknown = || {
        results(asked.theirs).to_string().contains("\"unknown\"")
            && !asked.request["vars"].to_string().contains("\"unknown\"")
    };
    let refused = asked.theirs["ok"] == true && ours_says(asked, "must have the same type") && made_unknown();
    // The conformity of the others shows when they are known.
    collected && spec.contains("\"dynamic\"") && (settled || refused || inconsistent && unknown(&ours))
}

fn attributes_of_any(asked: &Case<'_>) -> bool {
    let of_any = |spec: &Json| spec.get("block_attrs").is_some() && spec["of"].to_string().contains("\"dynamic\"");
    any(&asked.request["spec"], &of_any)
}

fn defined_twice(asked: &Case<'_>) -> bool {
    asked.request["op"] == "user_functions" && says(asked.ours, "twice") && asked.theirs["ok"] != asked.ours["ok"]
}

/// The same but for places, in a file in JSON with a backslash.
fn places_in_escaped_string(asked: &Case<'_>) -> bool {
    let all = |answer: &Json| {
        // With errors, how much of the rest is there is up to each.
        let valid = answer["ok"] == true;
        let parts = ["variables", "expand_variables", "value", "values", "content"];
        placeless(parts[..if valid { 5 } else { 2 }].iter().map(|part| answer[*part].clone()).collect())
    };
    let escaped = |file: &Json| {
        file["name"].as_str().is_some_and(|name| name.ends_with(".json"))
            && file["src"].as_str().is_some_and(|src| src.contains('\\'))
    };
    asked.request["files"].as_array().into_iter().flatten().any(escaped)
        && asked.theirs["ok"] == asked.ours["ok"]
        && equal(&all(asked.theirs), &all(asked.ours))
}

/// The rest of a document in JSON for dynamic blocks has the properties that were read as blocks.
fn taken_blocks_in_rest(asked: &Case<'_>) -> bool {
    let taken: Vec<&str> = asked.request["schema"]["blocks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|block| block["type"].as_str())
        .collect();
    let mut theirs = asked.theirs.clone();
    if let Some(attributes) = theirs["content"]["rest"]["attributes"].as_object_mut() {
        attributes.retain(|name, _| !taken.contains(&name.as_str()));
    }
    asked.request["dynamic"] == true && theirs != *asked.theirs && equal(&results(&theirs), &results(asked.ours))
}

fn negative_zero(asked: &Case<'_>) -> bool {
    let [theirs, ours] = [asked.theirs, asked.ours].map(|answer| without_sign_of_prefix(results(answer)));
    let text = sources_of(asked.request);
    let negates = text.contains(['-', '*', '/']) || text.contains("negate(");
    negates && equal_but_for(&theirs, &ours, &|a, b| unsigned_zeros(a) == b)
}

fn exact_decimals(asked: &Case<'_>) -> bool {
    sources_of(asked.request).contains(['+', '-', '*', '/', '%'])
        && equal_but_for(&results(asked.theirs), &results(asked.ours), &nearly_same_text)
}

/// A name of a property in JSON with something to evaluate.
fn property_template(text: &str) -> bool {
    text.split("\":")
        .any(|before| before.rsplit('"').next().is_some_and(|name| name.contains("${") || name.contains("%{")))
}

/// Ours are their results with marks added, where something may lose them.
fn keeps_marks(asked: &Case<'_>, loses: fn(&str) -> bool) -> bool {
    asked.theirs["ok"] == asked.ours["ok"]
        && loses(&sources_of(asked.request))
        && more_marks_or_sign(&results(asked.theirs), &results(asked.ours))
}
