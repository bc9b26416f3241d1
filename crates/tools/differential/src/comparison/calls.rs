//! Compares two answers to a call, and has the differences that are there on purpose.

use std::net::IpAddr;

use hcl_lr::model::Number;
use serde_json::Value as Json;

use super::Verdict;
use super::answers::equal;
use super::rows::{Case, Row, panics};

/// Compares our answer with the official engine's.
pub fn compare(request: &Json, theirs: &Json, ours: &Json) -> Verdict {
    let different = || Verdict::Different(format!("the result of {}", request["name"].as_str().unwrap_or_default()));
    let refused =
        |answer: &Json| answer.get("bad_request").is_some() || answer.get("panic").is_some_and(Json::is_string);
    if refused(ours) && refused(theirs) {
        return Verdict::Same;
    }
    if ours.get("unsupported").is_some() || refused(ours) || refused(theirs) {
        return different();
    }
    let fails = |answer: &Json| answer["ok"] != true;
    let same = match (fails(ours), fails(theirs)) {
        (true, true) => true,
        (false, false) => equal(&theirs["value"], &ours["value"]),
        _ => false,
    };
    if same {
        return Verdict::Same;
    }
    match Case::new(request, theirs, ours).row(ROWS) {
        Some(row) => Verdict::Explained(row),
        None => different(),
    }
}

/// The rows of calls.
pub const ROWS: &[Row] = &[
    ("model.panics", panics),
    ("model.arithmetic", remainder),
    ("functions.pow-digits", digits_of_float),
    ("functions.log-of-least", log_of_least),
    ("values.negative-zero", negative_zero),
    ("functions.coalesce-bounds", excluded_bounds),
    ("functions.contains-null", null_in_list),
    ("functions.flatten-objects", flattened_object),
    ("functions.excluded-element", excluded_element),
    ("functions.after-json", behind_json),
    ("functions.mapped-addresses", mapped_block),
    ("functions.first-block", first_block),
    ("functions.negative-subnet", negative_subnet),
    ("functions.yaml-byte-order-marks", two_marks),
    ("model.number-range", out_of_range),
    ("functions.set-order", set_order),
    ("model.equal-maps", comparison_in_random_order),
    ("values.marks-of-calls", marks_of_unknown),
];

impl Case<'_> {
    fn is(&self, name: &str) -> bool {
        self.request["name"] == name
    }

    fn argument(&self, index: usize) -> &Json {
        bare(&self.request["args"][index])
    }

    fn text_argument(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    fn number(&self, index: usize) -> Option<Number> {
        Number::parse(self.argument(index)["number"].as_str()?).ok()
    }
}

/// A value without the marks on it.
fn bare(value: &Json) -> &Json {
    if value.get("marks").is_some() { bare(&value["value"]) } else { value }
}

/// The remainder of a division differs: exact here, binary fractions there.
fn remainder(case: &Case<'_>) -> bool {
    let fraction = |index| case.number(index).is_some_and(|number| !number.is_whole() || number.is_infinite());
    case.is("modulo") && (fraction(0) || fraction(1))
}

/// Results of `pow` and `log`: the engine writes at most 17 digits of them, and one too few of powers of two. Its value
/// of a whole result has all digits, so a difference in that is not explained.
fn digits_of_float(case: &Case<'_>) -> bool {
    let source = case.text();
    let number = |answer: &Json| match bare(&answer["value"]) {
        Json::String(text) => Number::parse(text.strip_suffix('.').unwrap_or(text)).ok(),
        value => Number::parse(value["number"].as_str()?).ok(),
    };
    let close = |theirs: &Number, ours: &Number| {
        // The smallest floats have fewer digits than the others.
        let tolerance = theirs.abs().multiply(&Number::parse("1e-15").ok()?).ok()?;
        let tolerance = tolerance.max(Number::parse("5e-324").ok()?);
        let is_text = bare(&case.theirs["value"]).is_string();
        Some((is_text || !theirs.is_whole()) && theirs.subtract(ours).ok()?.abs() <= tolerance)
    };
    let result = number(case.theirs).zip(number(case.ours));
    let differs = |(theirs, ours)| close(&theirs, &ours).unwrap_or(false);
    (case.is("pow") || source.contains("pow(") || source.contains("log(")) && result.is_some_and(differs)
}

/// The engine's logarithm takes the least floats for larger ones.
fn log_of_least(case: &Case<'_>) -> bool {
    let number = |answer: &Json| Number::parse(answer["value"]["number"].as_str()?).ok();
    let least = |(theirs, ours): (Number, Number)| {
        ours < Number::from(-1_022) && ours < theirs && theirs < Number::from(-1_021)
    };
    case.request["src"].as_str().is_some_and(|source| source.starts_with("log(pow("))
        && number(case.theirs).zip(number(case.ours)).is_some_and(least)
}

/// There is one zero, and no sign of it in texts.
fn negative_zero(case: &Case<'_>) -> bool {
    let (theirs, ours) = (bare(&case.theirs["value"]).as_str(), bare(&case.ours["value"]).as_str());
    let zero = |text: &str| text.starts_with("-0") && !text.contains(|c: char| ('1'..='9').contains(&c));
    theirs.zip(ours).is_some_and(|(theirs, ours)| zero(theirs) && theirs.strip_prefix('-') == Some(ours))
}

/// A null of no type is searched for, of which the engine says nothing.
fn null_in_list(case: &Case<'_>) -> bool {
    let theirs = bare(&case.theirs["value"]);
    case.is("contains") && case.argument(1)["null"] == "dynamic" && theirs["unknown"] == "dynamic"
}

/// An object or map that is not known as a whole: known, it would be an error.
fn flattened_object(case: &Case<'_>) -> bool {
    let given = case.argument(0);
    let is_mapping = given.get("object").is_some() || given.get("map").is_some();
    case.is("flatten") && is_mapping && bare(&case.ours["value"])["unknown"] == "dynamic"
}

/// No element of a set can be the value, because of what is known of the unknown ones.
fn excluded_element(case: &Case<'_>) -> bool {
    let theirs = bare(&case.theirs["value"]);
    case.is("sethaselement")
        && *bare(&case.ours["value"]) == false
        && theirs["unknown"] == "bool"
        && case.request.to_string().contains("\"refine\"")
}

/// An unknown number with the same bounds, of which fewer belong to it here.
fn excluded_bounds(case: &Case<'_>) -> bool {
    let (theirs, ours) = (bare(&case.theirs["value"]), bare(&case.ours["value"]));
    let same = |name: &str| {
        let (theirs, ours) = (&theirs["refine"][name], &ours["refine"][name]);
        theirs[0] == ours[0] && (theirs[1] == ours[1] || theirs[1] == true)
    };
    let numbers = [theirs, ours].iter().all(|value| value["unknown"] == "number");
    case.is("coalesce") && numbers && same("min") && same("max")
}

fn behind_json(case: &Case<'_>) -> bool {
    case.is("jsondecode")
        && case.theirs["ok"] == true
        && case.ours["message"].as_str().is_some_and(|why| why.contains("there is more text after the JSON value"))
}

fn mapped_block(case: &Case<'_>) -> bool {
    case.text_argument(0).starts_with("::ffff:1.")
}

fn first_block(case: &Case<'_>) -> bool {
    let begins = || {
        let (address, length) = case.text_argument(0).split_once('/')?;
        let length: u32 = length.parse().ok()?;
        Some(match address.parse().ok()? {
            IpAddr::V4(address) => u32::from(address).checked_shr(32_u32.checked_sub(length)?).unwrap_or(0) == 0,
            IpAddr::V6(address) => u128::from(address).checked_shr(128_u32.checked_sub(length)?).unwrap_or(0) == 0,
        })
    };
    case.is("cidrsubnets") && case.theirs["ok"] != true && begins() == Some(true)
}

fn negative_subnet(case: &Case<'_>) -> bool {
    let negative = |index| case.number(index).is_some_and(|number| number.is_negative());
    case.is("cidrsubnet") && (negative(1) || negative(2)) && case.ours["ok"] != true
}

fn two_marks(case: &Case<'_>) -> bool {
    case.is("yamldecode") && case.text_argument(0).starts_with("\u{FEFF}\u{FEFF}")
}

fn out_of_range(case: &Case<'_>) -> bool {
    let why = case.ours["message"].as_str().unwrap_or_default();
    let out_of_range = why.contains("the number is outside the representable range")
        || case.is("jsondecode") && why.contains("the number is out of range");
    case.theirs["ok"] == true && out_of_range
}

/// Returns true if both values are the same unknown and ours has more marks, all of which are in the arguments.
fn marks_of_unknown(case: &Case<'_>) -> bool {
    let (theirs, ours) = (&case.theirs["value"], &case.ours["value"]);
    let marks = |value: &Json| value["marks"].as_array().cloned().unwrap_or_default();
    let given = case.request["args"].to_string();
    let in_arguments = |mark: &Json| given.contains(&format!("{{\"marks\":[{mark}]"));
    bare(ours).get("unknown").is_some()
        && equal(bare(theirs), bare(ours))
        && marks(theirs).iter().all(|mark| marks(ours).contains(mark))
        && marks(ours).iter().all(in_arguments)
}

/// Returns true if the official engine compared an unknown part before the one that decides.
fn comparison_in_random_order(case: &Case<'_>) -> bool {
    let arguments = case.request["args"].to_string();
    let compares = ["contains", "equal", "notequal"].iter().any(|name| case.is(name));
    let decided = bare(&case.ours["value"]).is_boolean() && bare(&case.theirs["value"])["unknown"] == "bool";
    compares
        && decided
        && (arguments.contains("\"map\"") || arguments.contains("\"object\""))
        && arguments.contains("\"unknown\"")
}

/// Numbers that the engine finds alike when it puts the elements of sets in order: it looks at ten digits.
fn set_order(case: &Case<'_>) -> bool {
    let arguments = case.request["args"].to_string();
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).take(10).collect::<Vec<u8>>();
    let numbers = arguments.split("{\"number\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let long: Vec<&str> = numbers.filter(|number| number.len() > 10).collect();
    let alike = long.iter().any(|a| long.iter().any(|b| a != b && digits(a) == digits(b)));
    let sorted = |answer: &Json| {
        let mut bytes = answer["value"].to_string().into_bytes();
        bytes.sort_unstable();
        bytes
    };
    alike && arguments.contains("\"set\"") && sorted(case.ours) == sorted(case.theirs)
}
