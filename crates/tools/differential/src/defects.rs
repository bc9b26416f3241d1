//! Mistakes to inject into answers, to test that they are found and reduced.

use serde_json::{Value as Json, json};

use crate::comparison::sources_of;

/// A mistake, and its symptom.
pub struct Defect {
    pub name: &'static str,
    pub spoil: fn(&Json, Json) -> Json,
}

/// Ten mistakes that an implementation could have.
pub const DEFECTS: [Defect; 10] = [
    Defect {
        name: "conditional",
        spoil: |request, answer| {
            value_if(request, answer, |text| text.contains('?') && text.contains(':'), json!("wrong"))
        },
    },
    Defect {
        name: "splat",
        spoil: |request, answer| value_if(request, answer, |text| text.contains("[*]"), json!({ "tuple": [] })),
    },
    Defect { name: "heredoc", spoil: |request, answer| refused_if(request, answer, |text| text.contains("<<-")) },
    Defect {
        name: "modulo",
        spoil: |request, answer| value_if(request, answer, |text| text.contains(" % "), json!({ "number": "0" })),
    },
    Defect { name: "marks", spoil: |_, answer| everywhere(answer, &unmarked) },
    Defect { name: "empty-set", spoil: |_, answer| everywhere(answer, &listed) },
    Defect { name: "null-in-list", spoil: nulls },
    Defect { name: "unknown-length", spoil: |_, answer| everywhere(answer, &unrefined) },
    Defect { name: "label", spoil: |_, answer| everywhere(answer, &relabelled) },
    Defect {
        name: "required",
        spoil: |request, answer| accepted_if(request, answer, |text| text.contains("\"required\":true")),
    },
];

fn value_if(request: &Json, mut answer: Json, applies: fn(&str) -> bool, value: Json) -> Json {
    if answer["ok"] == true && answer.get("value").is_some() && applies(&sources_of(request)) {
        answer["value"] = value;
    }
    answer
}

fn refused_if(request: &Json, mut answer: Json, applies: fn(&str) -> bool) -> Json {
    if answer["parsed"] == true && applies(&sources_of(request)) {
        answer["parsed"] = false.into();
        answer["ok"] = false.into();
    }
    answer
}

fn accepted_if(request: &Json, mut answer: Json, applies: fn(&str) -> bool) -> Json {
    if answer["ok"] == false && applies(&request.to_string()) {
        answer["ok"] = true.into();
    }
    answer
}

/// Applies a change to each part of an answer, the inner ones first.
fn everywhere(answer: Json, change: &dyn Fn(Json) -> Json) -> Json {
    change(match answer {
        Json::Array(parts) => Json::Array(parts.into_iter().map(|part| everywhere(part, change)).collect()),
        Json::Object(parts) => {
            Json::Object(parts.into_iter().map(|(name, part)| (name, everywhere(part, change))).collect())
        }
        other => other,
    })
}

fn unmarked(part: Json) -> Json {
    match part.get("marks").is_some() {
        true => part["value"].clone(),
        false => part,
    }
}

fn listed(part: Json) -> Json {
    match part["set"].as_array() {
        Some(elements) if elements.is_empty() => json!({ "list": [], "of": part["of"] }),
        _ => part,
    }
}

/// A list of values some of which are null loses these.
fn nulls(request: &Json, answer: Json) -> Json {
    if request["op"] != "convert" {
        return answer;
    }
    everywhere(answer, &|mut part| {
        if let Some(elements) = part.get_mut("list").and_then(Json::as_array_mut) {
            elements.retain(|element| element.get("null").is_none());
        }
        part
    })
}

fn unrefined(mut part: Json) -> Json {
    if let Some(known) = part.get_mut("refine").and_then(Json::as_object_mut) {
        known.remove("maxlen");
    }
    part
}

fn relabelled(mut part: Json) -> Json {
    if let Some(labels) = part.get_mut("labels").and_then(Json::as_array_mut)
        && labels.len() > 1
    {
        labels.reverse();
    }
    part
}
