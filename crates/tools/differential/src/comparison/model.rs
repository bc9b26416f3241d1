//! Compares two answers to one question, and finds the listed divergence that explains a difference.

use hcl_lr::model::operations::{self, OperationError};
use hcl_lr::model::{Number, Type, Value};
use hcl_lr_conformance::{BadRequest, decode_type, decode_value, encode_value};
use serde_json::{Value as Json, json};

use super::answers::{same_number, same_value as same};
use super::{Verdict, ordered};
use crate::questions::values::OPERATIONS;

/// Compares our answer with the official engine's.
pub fn compare(question: &Json, theirs: &Json, ours: &Json) -> Verdict {
    if theirs.get("panic").is_some() {
        return Verdict::Explained("model.panics");
    }
    if agree(ours, theirs) {
        return Verdict::Same;
    }
    if question["op"] == "expr"
        && let Some(why) = explain_operation(question, ours, theirs)
    {
        return Verdict::Explained(why);
    }
    let text = question.to_string();
    let no_number = |why: &str| why.ends_with("a number is required");
    if (text.contains("\"inf\"") || text.contains("\"1p4\""))
        && theirs["ok"] == true
        && ours["message"].as_str().is_some_and(no_number)
        && agrees_with_numbers(question, theirs)
    {
        return Verdict::Explained("model.strings-to-numbers");
    }
    let (mut bare, mut kept, mut lost) = (question.clone(), ours.clone(), theirs.clone());
    drop_marks_on_null(&mut bare);
    drop_marks_on_null(&mut kept);
    drop_marks_on_null(&mut lost);
    let without_marks = |answer: &Json| {
        let mut bare = answer.clone();
        (drop_all_marks(&mut bare), bare)
    };
    // An element of a set gives its marks to the set.
    let moved = || {
        let ((ours, a), (theirs, b)) = (without_marks(ours), without_marks(theirs));
        ours > theirs && question["type"].to_string().contains("\"set\"") && agree(&a, &b)
    };
    if bare != *question && (agree(&answer(&bare), theirs) || agree(&kept, &lost) || moved()) {
        return Verdict::Explained("model.marks-of-null");
    }
    if question["want"] == "unsafe" && both_given(question, ours, theirs) {
        return Verdict::Explained("model.unification-order");
    }
    if let Some(why) = wrong_type(question, ours, theirs) {
        return Verdict::Explained(why);
    }
    let positive = |json: &Json, what: &str| {
        let text = json.to_string().replace(&format!("\"-{what}\""), &format!("\"{what}\""));
        serde_json::from_str::<Json>(&text).unwrap_or_default()
    };
    // As a divisor it even turns the sign of the result round.
    let turned = question["src"] == "a / b" && agree(&positive(ours, "inf"), &positive(theirs, "inf"));
    let mut unsigned = positive(theirs, "0");
    merge_equal_elements(&mut unsigned);
    let same = |q: &Json| {
        let mut ours = answer(q);
        merge_equal_elements(&mut ours);
        agree(&ours, &unsigned)
    };
    if text.contains("\"-0\"") && (turned || same(&positive(question, "0"))) {
        return Verdict::Explained("model.negative-zero");
    }
    Verdict::Different("the result".to_owned())
}

/// Returns true if our answer agrees with the engine's, or a row explains the difference.
fn agrees(question: &Json, theirs: &Json) -> bool {
    !matches!(compare(question, theirs, &answer(question)), Verdict::Different(_))
}

/// Returns true if our answer is theirs once `inf` and `1p4` are replaced by the numbers that they are for the engine.
/// They cannot be replaced within a collection of strings.
fn agrees_with_numbers(question: &Json, theirs: &Json) -> bool {
    let mut replaced = question.clone();
    let mut expected = theirs.clone();
    if question["op"] == "expr" {
        replace_text(&mut replaced["vars"], &|text| match text {
            "inf" => Some(json!({ "number": "inf" })),
            "1p4" => Some(json!({ "number": "16" })),
            _ => None,
        });
        // The engine's remainder depends on the origin of an infinity.
        let infinite = question["src"] == "a % b" && question["vars"].to_string().contains("\"inf\"");
        return infinite || agrees(&replaced, theirs);
    }
    for place in [&mut replaced["value"], &mut expected] {
        replace_text(place, &|text| (text == "1p4").then(|| json!("16")));
    }
    replaced.to_string().contains("\"inf\"") || agrees(&replaced, &expected)
}

fn replace_text(value: &mut Json, with: &dyn Fn(&str) -> Option<Json>) {
    if value.get("number").is_some() {
        return;
    }
    if let Some(other) = value.as_str().and_then(with) {
        *value = other;
        return;
    }
    parts(value).for_each(|part| replace_text(part, with));
}

/// Leaves one of the elements of a set that are the same once signs are gone.
fn merge_equal_elements(value: &mut Json) {
    *value = ordered(value);
    drop_equal_elements(value);
}

fn drop_equal_elements(value: &mut Json) {
    parts(value).for_each(drop_equal_elements);
    if let Some(elements) = value.get_mut("set").and_then(Json::as_array_mut) {
        elements.sort_by_key(Json::to_string);
        elements.dedup();
    }
}

/// Returns the answer of this library to a question.
pub fn answer(question: &Json) -> Json {
    if question["op"] == "expr" {
        if !OPERATIONS.contains(&question["src"].as_str().unwrap_or_default()) {
            return json!({ "bad_request": "no such operation" });
        }
        return match operate(question) {
            Ok(Ok(value)) => json!({ "ok": true, "value": encode_value(&value) }),
            Ok(Err(why)) => json!({ "ok": false, "message": why.to_string() }),
            Err(why) => json!({ "bad_request": why.to_string() }),
        };
    }
    let answer = hcl_lr_conformance::answer(&question.to_string());
    serde_json::from_str(&answer).unwrap_or_default()
}

/// The result of the one operator that a question is about.
fn operate(question: &Json) -> Result<Result<Value, OperationError>, BadRequest> {
    let a = decode_value(&question["vars"]["a"])?;
    let b = decode_value(&question["vars"]["b"])?;
    Ok(match question["src"].as_str().unwrap_or_default() {
        "a + b" => operations::add(&a, &b),
        "a - b" => operations::subtract(&a, &b),
        "a * b" => operations::multiply(&a, &b),
        "a / b" => operations::divide(&a, &b),
        "a % b" => operations::remainder(&a, &b),
        "-a" => operations::negate(&a),
        "!a" => operations::not(&a),
        "a && b" => operations::and(&a, &b),
        "a || b" => operations::or(&a, &b),
        "a == b" => Ok(operations::equal(&a, &b)),
        "a != b" => Ok(operations::not_equal(&a, &b)),
        "a < b" => operations::less_than(&a, &b),
        "a <= b" => operations::less_or_equal(&a, &b),
        "a > b" => operations::greater_than(&a, &b),
        "a >= b" => operations::greater_or_equal(&a, &b),
        "a[b]" => operations::index(&a, &b),
        // The function refuses objects; the operation counts their attributes.
        "length(a)" if matches!(a.ty(), Type::Object(_)) => Err(OperationError::NullParts),
        "length(a)" => operations::length(&a),
        _ => Err(OperationError::NullParts),
    })
}

/// The divergences of operators.
fn explain_operation(question: &Json, ours: &Json, theirs: &Json) -> Option<&'static str> {
    let source = question["src"].as_str().unwrap_or_default();
    let number = |answer: &Json| {
        let value = &answer["value"];
        let value = value.get("value").unwrap_or(value);
        value["number"].as_str().map(str::to_string)
    };
    if let (Some(a), Some(b)) = (number(ours), number(theirs))
        && source.contains(['+', '-', '*', '/', '%'])
        && nearly_same(&a, &b, question)
    {
        return Some("model.arithmetic");
    }
    let (mut kept, mut lost) = (ours.clone(), theirs.clone());
    let more_marks = drop_all_marks(&mut kept) > drop_all_marks(&mut lost);
    let unknown = |name: &str| {
        let value = &question["vars"][name];
        value.get("value").unwrap_or(value).get("unknown").is_some()
    };
    let loses = match source {
        "a[b]" => {
            unknown("a") || unknown("b") || ["unknown", "null"].iter().any(|kind| lost["value"].get(kind).is_some())
        }
        "-a" | "!a" => unknown("a"),
        _ => false,
    };
    let value_of = |name: &str| {
        let value = &question["vars"][name];
        value.get("value").unwrap_or(value).clone()
    };
    if more_marks && source == "a[b]" && value_of("a").get("object").is_some() && agree(&kept, &lost) {
        return Some("values.marks-of-index");
    }
    if more_marks && loses {
        let why = "model.marks-of-unknown";
        return agree(&kept, &lost).then_some(why);
    }
    let text = question["vars"].to_string();
    let has = |kind: &str| text.contains(&format!("\"{kind}\""));
    let undecided = |answer: &Json| answer["value"].get("unknown").is_some();
    if matches!(source, "a == b" | "a != b") && undecided(&kept) != undecided(&lost) {
        // One says unknown, the other one decides; or the engine would the next time.
        if !undecided(&kept) && (has("map") || has("object")) {
            return Some("model.equal-maps");
        }
        if undecided(&kept) && has("dynamic") && has("unknown") {
            return Some("model.equal-dynamic");
        }
        if undecided(&kept) && has("set") && has("unknown") {
            return Some("model.equal-sets");
        }
        if undecided(&kept) && (has("-inf") || has("inf")) && has("unknown") {
            return Some("model.equal-infinity");
        }
    }
    None
}

/// Equal to 75 digits, or a remainder whose quotient binary fractions put on the other side
/// of a whole number: then the two are the divisor apart. What is small is so beside the dividend.
fn nearly_same(a: &str, b: &str, question: &Json) -> bool {
    let near = || {
        let (a, b) = (Number::parse(a).ok()?, Number::parse(b).ok()?);
        let (gap, digits) = (a.subtract(&b).ok()?.abs(), Number::parse("1e-75").ok()?);
        let size = a.abs().max(b.abs());
        if question["src"] != "a % b" {
            return Some(gap <= size.multiply(&digits).ok()?);
        }
        let operand = |name: &str| {
            let value = decode_value(&question["vars"][name]).ok()?.unmark().0;
            Some(value.convert(&Type::Number).ok()?.as_number()?.abs())
        };
        let (dividend, divisor) = (operand("a")?, operand("b")?);
        let small = dividend.max(size).multiply(&digits).ok()?;
        Some(gap <= small || gap.subtract(&divisor).ok()?.abs() <= small)
    };
    near().unwrap_or(false)
}

fn drop_all_marks(value: &mut Json) -> usize {
    let marks = value["marks"].as_array().map_or(0, Vec::len);
    if marks > 0 {
        *value = value["value"].take();
    }
    marks + parts(value).map(drop_all_marks).sum::<usize>()
}

fn agree(ours: &Json, theirs: &Json) -> bool {
    if ours["ok"] == false && theirs["ok"] == false {
        return true;
    }
    ours.get("ok") == theirs.get("ok")
        && ours.get("bad_request").is_some() == theirs.get("bad_request").is_some()
        && ["type", "value"].iter().all(|part| same(&ours[*part], &theirs[*part]))
}

/// Two faults of the engine give results that are not of the type asked for: a set whose
/// length is open becomes an unknown list of the *set's* element type, and the null or unknown
/// that stands for an optional attribute keeps optional attributes in its type or loses
/// attributes. Where such a result is an element, the collection around it then has the wrong
/// type too, or is refused.
fn wrong_type(question: &Json, ours: &Json, theirs: &Json) -> Option<&'static str> {
    let target = decode_type(question.get("type")?).ok()?;
    let wanted = target.without_optional_attributes();
    let our_value = ours.get("value")?;
    let ours = decode_value(our_value).ok()?.ty();
    if ours.has_optional_attributes() || ours.conforms_to(&wanted).is_err() {
        return None;
    }
    let text = question.to_string();
    let open_set = text.contains("\"set\"") && text.contains("\"unknown\"");
    let Some(value) = theirs.get("value") else {
        let refused = theirs["mixed_types"] == true;
        let able = open_set || target.has_optional_attributes();
        return (refused && able).then_some("model.collection-of-those");
    };
    let theirs = match decode_value(value) {
        Ok(value) => value.ty(),
        Err(_) => return Some("model.collection-of-those"),
    };
    let right = !theirs.has_optional_attributes() && theirs.conforms_to(&wanted).is_ok();
    // Where any type is asked for, its wrong type is that of what is beside it.
    let right = right && !(open_set && target.has_dynamic());
    let row = if open_set { "model.open-set" } else { "model.missing-optional" };
    (!right && same_but_types(our_value, value)).then_some(row)
}

/// Returns true if two values are equal except for the types of collections, nulls and unknowns.
fn same_but_types(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            // An object here may be a map there, and a set here a list there. The elements of a set are in the order of
            // their texts, which contain the types.
            let is_set = a.contains_key("set") || b.contains_key("set");
            let content = |members: &serde_json::Map<String, Json>| {
                let (list, set) = (members.get("list"), members.get("set"));
                let mut content =
                    ["map", "object"].into_iter().find_map(|kind| members.get(kind)).or(list).or(set)?.clone();
                if let Some(elements) = content.as_array_mut()
                    && is_set
                {
                    elements.sort_by_key(Json::to_string);
                    elements.dedup();
                }
                Some(content)
            };
            if let (Some(a), Some(b)) = (content(a), content(b)) {
                return same_but_types(&a, &b);
            }
            // The known length of a map is lost in a conversion to an object.
            let lost = usize::from(b.contains_key("refine") && !a.contains_key("refine") && b.contains_key("unknown"));
            a.len() + lost == b.len()
                && a.iter().all(|(name, a)| match name.as_str() {
                    "of" | "null" | "unknown" => b.contains_key(name),
                    _ => b.get(name).is_some_and(|b| same_but_types(a, b)),
                })
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_but_types(a, b)),
        // An element may be a text that is a number or a bool.
        (Json::Bool(a), Json::String(b)) => a.to_string() == *b,
        (Json::Object(a), Json::String(b)) => a.get("number").and_then(Json::as_str).is_some_and(|a| same_number(a, b)),
        _ => same(a, b),
    }
}

fn drop_marks_on_null(value: &mut Json) {
    if value.get("marks").is_some() && value["value"].get("null").is_some() {
        *value = value["value"].take();
    }
    parts(value).for_each(drop_marks_on_null);
}

/// Returns true if both answers are one of the types that were to be unified.
fn both_given(question: &Json, ours: &Json, theirs: &Json) -> bool {
    let given = |answer: &Json| {
        let types = question["types"].as_array().map(Vec::as_slice).unwrap_or_default();
        answer.get("type").is_some_and(|ty| types.contains(ty))
    };
    given(ours) && given(theirs)
}

fn parts(value: &mut Json) -> Box<dyn Iterator<Item = &mut Json> + '_> {
    match value {
        Json::Array(items) => Box::new(items.iter_mut()),
        Json::Object(entries) => Box::new(entries.values_mut()),
        _ => Box::new(std::iter::empty()),
    }
}
