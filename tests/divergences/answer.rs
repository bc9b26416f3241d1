//! Answers, and their recorded parts.

use hcl_lr::Scope;
use hcl_lr::format::Style;
use hcl_lr::functions;
use hcl_lr::model::{Value, json as values};
use hcl_lr_conformance::{decode_type, encode_value};
use serde_json::{Value as Json, json};

use crate::table::{Example, UsedParts};

/// Returns the answer of this library; `None` for questions of another test.
pub fn ours(example: &Example) -> Option<Json> {
    match &example.asked {
        UsedParts::Request(request) if request["op"] == "json_value" => Some(shown(&example.show, &of_json(request))),
        UsedParts::Request(request) => {
            let answer = hcl_lr_conformance::answer(&request.to_string());
            let answer: Json = serde_json::from_str(&answer).expect("JSON");
            // A missing value has no further properties.
            if request["op"] == "echo" && answer.get("bad_request").is_some() {
                return Some(json!({ "ok": false }));
            }
            Some(shown(&example.show, &answer))
        }
        UsedParts::TerraformFmt(text) => {
            let style = Style::new().with_terraform_rules(true);
            Some(json!({ "text": style.format(text) }))
        }
        UsedParts::OpenTofu(call) => {
            Some(of_opentofu(call).map_or(json!("an error"), |value| json!({ "json": value })))
        }
        UsedParts::Hcldec(_) => None,
    }
}

/// Returns the result of a call as JSON, with the functions of the set for Terraform.
fn of_opentofu(call: &str) -> Option<Json> {
    let expression = hcl_lr::parse::<hcl_lr::Expression>(call).into_result().ok()?;
    let value: Value = expression.evaluate(&Scope::new().with_functions(functions::terraform())).ok()?;
    serde_json::from_str(&values::encode_implied(&value.unmark_deep().0).ok()?).ok()
}

/// A JSON text as a value of a type.
fn of_json(request: &Json) -> Json {
    let ty = decode_type(&request["type"]).expect("a type");
    match values::decode(request["src"].as_str().expect("a text"), &ty) {
        Ok(value) => json!({ "ok": true, "value": encode_value(&value) }),
        Err(why) => json!({ "ok": false, "message": why.to_string() }),
    }
}

/// Returns the part of an answer to record: the named parts; otherwise the verdict with the value, or with the place of
/// the first error.
///
/// A pointer, such as `/content/blocks/0/labels`, shows that part; `errors` and `warnings` show how many
/// there are, `at` and `column` where the first error is, `places` where all are, and `bytes` how long a text
/// is.
pub fn shown(named: &[String], answer: &Json) -> Json {
    let in_function = |diagnostic: &Json| {
        diagnostic["detail"].as_str().is_some_and(|detail| detail.contains("panic in function implementation"))
    };
    let message = answer["message"].as_str().unwrap_or_default();
    if answer.get("panic").is_some()
        || message.starts_with("panic in function")
        || message.starts_with("panic: ")
        || answer["diags"].as_array().is_some_and(|list| list.iter().any(in_function))
    {
        return json!({ "panic": true });
    }
    // A rejected question has no answer.
    for name in ["bad_request", "unsupported"] {
        if let Some(why) = answer.get(name) {
            return json!({ name: why });
        }
    }
    if !named.is_empty() {
        return named.iter().map(|name| (name.clone(), part(answer, name))).collect();
    }
    if answer["ok"] == false {
        return match answer.get("diags") {
            Some(_) => json!({ "ok": false, "at": part(answer, "at") }),
            None => json!({ "ok": false }),
        };
    }
    // The type is implied by the value, by a spec or by a constraint.
    let kept = if answer.get("value").is_some() { &["ok", "value"][..] } else { &["ok", "values", "type", "text"] };
    let kept = kept.iter().filter_map(|name| Some(((*name).to_owned(), answer.get(*name)?.clone())));
    // A source whose value was not asked for has none.
    kept.collect()
}

fn part(answer: &Json, name: &str) -> Json {
    let of_severity = |severity: &'static str| {
        answer["diags"].as_array().into_iter().flatten().filter(move |diagnostic| diagnostic["severity"] == severity)
    };
    match name {
        "errors" => json!(of_severity("error").count()),
        "warnings" => json!(of_severity("warning").count()),
        "at" => of_severity("error").next().map_or(Json::Null, |first| start(first)[2].clone()),
        "column" => of_severity("error").next().map_or(Json::Null, |first| start(first)[1].clone()),
        "places" => of_severity("error").map(|error| start(error)[2].clone()).collect(),
        "ok" => answer["ok"].clone(),
        "bytes" => json!(answer["text"].as_str().unwrap_or_default().len()),
        pointer if pointer.starts_with('/') => answer.pointer(pointer).cloned().unwrap_or_default(),
        name => panic!("`{name}` is no part of an answer"),
    }
}

/// Line, column and byte of the start of a diagnostic: its range may begin with the name of the file.
fn start(diagnostic: &Json) -> &Json {
    let range = &diagnostic["range"];
    if range[0].is_string() { &range[1] } else { &range[0] }
}

/// Returns true if two answers are equal: numbers by their value, sets in any order. The negative zero of the official
/// engine is not zero.
pub fn same(a: &Json, b: &Json) -> bool {
    differential::comparison::answers::same_value(&with_negative_zero(a), &with_negative_zero(b))
}

fn with_negative_zero(answer: &Json) -> Json {
    match answer {
        Json::Object(members) if answer["number"] == "-0" => json!({ "negative": members }),
        Json::Object(members) => members.iter().map(|(name, part)| (name.clone(), with_negative_zero(part))).collect(),
        Json::Array(parts) => parts.iter().map(with_negative_zero).collect(),
        _ => answer.clone(),
    }
}
