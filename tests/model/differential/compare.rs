//! Whether two answers to one question agree, and if not, which listed divergence it is.

use hcl_lr::model::operations::{self, OperationError};
use hcl_lr::model::protocol::{BadRequest, decode_type, decode_value, encode_value};
use hcl_lr::model::{Number, Type, Value};
use serde_json::{Value as Json, json};

/// What a comparison found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The answers agree.
    Same,
    /// They differ as a listed divergence says.
    Explained(&'static str),
    /// They differ.
    Different,
}

/// Compares our answer with the official engine's.
pub fn compare(question: &Json, ours: &Json, theirs: &Json) -> Verdict {
    if theirs.get("panic").is_some() {
        return Verdict::Explained("the engine panics");
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
    {
        return Verdict::Explained("inf and 1p4 are not numbers (ruling)");
    }
    let (mut bare, mut kept, mut lost) = (question.clone(), ours.clone(), theirs.clone());
    drop_marks_on_null(&mut bare);
    drop_marks_on_null(&mut kept);
    drop_marks_on_null(&mut lost);
    if bare != *question && (agree(&answer(&bare), theirs) || agree(&kept, &lost)) {
        return Verdict::Explained("the engine loses marks on nulls that it converts");
    }
    if question["want"] == "unsafe" && both_given(question, ours, theirs) {
        return Verdict::Explained("of several types that would do, the one with better members");
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
    let same = |q: &Json| agree(&answer(q), &positive(theirs, "0"));
    if text.contains("\"-0\"") && (turned || same(&positive(question, "0"))) {
        return Verdict::Explained("there is no negative zero");
    }
    Verdict::Different
}

/// What this library answers to a question.
pub fn answer(question: &Json) -> Json {
    if question["op"] == "expr" {
        return match operate(question) {
            Ok(Ok(value)) => json!({ "ok": true, "value": encode_value(&value) }),
            Ok(Err(why)) => json!({ "ok": false, "message": why.to_string() }),
            Err(why) => json!({ "bad_request": why.to_string() }),
        };
    }
    let answer = hcl_lr::model::protocol::answer(&question.to_string());
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
        "length(a)" => operations::length(&a),
        _ => Err(OperationError::NullParts),
    })
}

/// The divergences of operators.
fn explain_operation(question: &Json, ours: &Json, theirs: &Json) -> Option<&'static str> {
    let source = question["src"].as_str().unwrap_or_default();
    let is_object = |value: &Json| decode_value(value).is_ok_and(|value| matches!(value.ty(), Type::Object(_)));
    if source == "length(a)" && is_object(&question["vars"]["a"]) {
        return Some("the function length refuses objects, the operation does not");
    }
    let number = |answer: &Json| {
        let value = &answer["value"];
        let value = value.get("value").unwrap_or(value);
        value["number"].as_str().map(str::to_string)
    };
    if let (Some(a), Some(b)) = (number(ours), number(theirs))
        && source.contains(['+', '-', '*', '/', '%'])
        && nearly_same(&a, &b, source)
    {
        return Some("exact decimals instead of binary fractions (ruling)");
    }
    let (mut kept, mut lost) = (ours.clone(), theirs.clone());
    let more_marks = drop_all_marks(&mut kept) > drop_all_marks(&mut lost);
    if more_marks && matches!(source, "a[b]" | "-a" | "!a") {
        let why = "the engine loses the marks of unknown operands of !, - and of keys";
        return agree(&kept, &lost).then_some(why);
    }
    let text = question["vars"].to_string();
    let has = |kind: &str| text.contains(&format!("\"{kind}\""));
    let undecided = |answer: &Json| answer["value"].get("unknown").is_some();
    if matches!(source, "a == b" | "a != b") && undecided(&kept) != undecided(&lost) {
        // One says unknown, the other one decides; or the engine would the next time.
        if has("map") || has("object") {
            return Some("the engine compares maps and objects in random order");
        }
        if undecided(&kept) && has("dynamic") && has("unknown") {
            return Some("the engine takes a list of unsettled elements for different");
        }
        if undecided(&kept) && has("set") && has("unknown") {
            return Some("the engine takes sets of partly unknown elements for different");
        }
        if undecided(&kept) && has("-inf") && has("unknown") || has("inf") && has("unknown") {
            return Some("the engine takes an infinity for outside of an open range");
        }
    }
    None
}

/// Equal to 75 digits, or a remainder whose quotient binary fractions put on the other side
/// of a whole number.
fn nearly_same(a: &str, b: &str, source: &str) -> bool {
    let (Ok(a), Ok(b)) = (Number::parse(a), Number::parse(b)) else {
        return false;
    };
    let Ok(gap) = a.subtract(&b) else {
        return false;
    };
    let size = a.abs().max(b.abs());
    let small = Number::parse("1e-75").and_then(|digits| size.multiply(&digits));
    small.is_ok_and(|small| gap.abs() <= small) || source == "a % b"
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
        && ["value", "type"].iter().all(|part| same(ours.get(part), theirs.get(part)))
}

/// Two faults of the engine give results that are not of the type asked for: a set whose
/// length is open becomes an unknown list of the *set's* element type, and the null or unknown
/// that stands for an optional attribute keeps optional attributes in its type or loses
/// attributes. Where such a result is an element, the collection around it then has the wrong
/// type too, or is refused.
fn wrong_type(question: &Json, ours: &Json, theirs: &Json) -> Option<&'static str> {
    let target = decode_type(question.get("type")?).ok()?;
    let wanted = target.without_optional_attributes();
    let ours = decode_value(ours.get("value")?).ok()?.ty();
    if ours.has_optional_attributes() || ours.conforms_to(&wanted).is_err() {
        return None;
    }
    let text = question.to_string();
    let open_set = text.contains("\"set\"") && text.contains("\"unknown\"");
    let Some(value) = theirs.get("value") else {
        let refused = theirs["mixed_types"] == true;
        let able = open_set || target.has_optional_attributes();
        return (refused && able).then_some("the engine refuses what its wrong types do not fit");
    };
    let theirs = match decode_value(value) {
        Ok(value) => value.ty(),
        Err(_) => return Some("the engine's result contradicts itself"),
    };
    let right = !theirs.has_optional_attributes() && theirs.conforms_to(&wanted).is_ok();
    (!right).then_some("the engine's result is not of the type asked for")
}

fn drop_marks_on_null(value: &mut Json) {
    if value.get("marks").is_some() && value["value"].get("null").is_some() {
        *value = value["value"].take();
    }
    parts(value).for_each(drop_marks_on_null);
}

/// Whether both answers are one of the types that were to be unified.
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

fn same(a: Option<&Json>, b: Option<&Json>) -> bool {
    match (a, b) {
        (Some(Json::Object(a)), Some(Json::Object(b))) => {
            if let (Some(Json::String(a)), Some(Json::String(b))) = (a.get("number"), b.get("number")) {
                return same_number(a, b);
            }
            a.len() == b.len() && a.keys().all(|key| same(a.get(key), b.get(key)))
        }
        (Some(Json::Array(a)), Some(Json::Array(b))) => {
            // The bound of a refinement is a number as text and a bool.
            if let ([Json::String(x), Json::Bool(i)], [Json::String(y), Json::Bool(j)]) = (&a[..], &b[..]) {
                return i == j && same_number(x, y);
            }
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(Some(a), Some(b)))
        }
        _ => a == b,
    }
}

fn same_number(a: &str, b: &str) -> bool {
    a == b || matches!((Number::parse(a), Number::parse(b)), (Ok(a), Ok(b)) if a == b)
}
