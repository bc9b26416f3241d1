//! Compares two answers to one call, and finds the row of `DIVERGENCES.md` that explains a difference.

use std::net::IpAddr;

use hcl_lr::model::Number;
use serde_json::Value as Json;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The answers agree.
    Same,
    /// They differ as a row of `DIVERGENCES.md` says that has this name.
    Explained(&'static str),
    /// They differ.
    Different,
}

/// Compares our answer with the official engine's.
pub fn compare(question: &Json, ours: &Json, theirs: &Json) -> Verdict {
    let refused =
        |answer: &Json| answer.get("bad_request").is_some() || answer.get("panic").is_some_and(Json::is_string);
    if refused(ours) && refused(theirs) {
        return Verdict::Same;
    }
    if ours.get("unsupported").is_some() || refused(ours) || refused(theirs) {
        return Verdict::Different;
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
    let case = Case { question, ours, theirs };
    match EXPLANATIONS.iter().find(|explanation| (explanation.applies)(&case)) {
        Some(explanation) => Verdict::Explained(explanation.row),
        None => Verdict::Different,
    }
}

/// A call with two answers that differ.
struct Case<'c> {
    question: &'c Json,
    ours: &'c Json,
    theirs: &'c Json,
}

/// A difference that is there on purpose.
pub struct Explanation {
    /// The name of its row in `DIVERGENCES.md`.
    pub row: &'static str,
    applies: fn(&Case<'_>) -> bool,
}

/// All of them.
pub const EXPLANATIONS: [Explanation; 18] = [
    Explanation { row: "model.panics", applies: panics },
    Explanation { row: "model.arithmetic", applies: remainder },
    Explanation { row: "functions.pow-digits", applies: digits_of_float },
    Explanation { row: "functions.log-of-least", applies: log_of_least },
    Explanation { row: "values.negative-zero", applies: negative_zero },
    Explanation { row: "functions.coalesce-bounds", applies: excluded_bounds },
    Explanation { row: "functions.contains-null", applies: null_in_list },
    Explanation { row: "functions.flatten-objects", applies: flattened_object },
    Explanation { row: "functions.excluded-element", applies: excluded_element },
    Explanation { row: "functions.after-json", applies: behind_json },
    Explanation { row: "functions.mapped-addresses", applies: mapped_block },
    Explanation { row: "functions.first-block", applies: first_block },
    Explanation { row: "functions.negative-subnet", applies: negative_subnet },
    Explanation { row: "functions.yaml-byte-order-marks", applies: two_marks },
    Explanation { row: "model.number-range", applies: out_of_range },
    Explanation { row: "functions.set-order", applies: set_order },
    Explanation { row: "model.equal-maps", applies: comparison_in_random_order },
    Explanation { row: "values.marks-of-calls", applies: marks_of_unknown },
];

impl Case<'_> {
    fn is(&self, name: &str) -> bool {
        self.question["name"] == name
    }

    fn argument(&self, index: usize) -> &Json {
        bare(&self.question["args"][index])
    }

    fn text(&self, index: usize) -> &str {
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

/// A panic within a function is an error for whoever calls it.
fn panics(case: &Case<'_>) -> bool {
    case.theirs["panic"] == true
        || case.theirs["message"].as_str().is_some_and(|message| message.starts_with("panic in function"))
}

/// The remainder of a division differs: exact here, binary fractions there.
fn remainder(case: &Case<'_>) -> bool {
    let fraction = |index| case.number(index).is_some_and(|number| !number.is_whole() || number.is_infinite());
    case.is("modulo") && (fraction(0) || fraction(1))
}

/// Results of `pow` and `log`: the engine writes at most 17 digits of them, and one too few of powers of two. Its value
/// of a whole result has all digits, so a difference in that is not explained.
fn digits_of_float(case: &Case<'_>) -> bool {
    let source = case.question["src"].as_str().unwrap_or_default();
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
    case.question["src"].as_str().is_some_and(|source| source.starts_with("log(pow("))
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
        && case.question.to_string().contains("\"refine\"")
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
    case.text(0).starts_with("::ffff:1.")
}

fn first_block(case: &Case<'_>) -> bool {
    let begins = || {
        let (address, length) = case.text(0).split_once('/')?;
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
    case.is("yamldecode") && case.text(0).starts_with("\u{FEFF}\u{FEFF}")
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
    let given = case.question["args"].to_string();
    let in_arguments = |mark: &Json| given.contains(&format!("{{\"marks\":[{mark}]"));
    bare(ours).get("unknown").is_some()
        && equal(bare(theirs), bare(ours))
        && marks(theirs).iter().all(|mark| marks(ours).contains(mark))
        && marks(ours).iter().all(in_arguments)
}

/// Returns true if the official engine compared an unknown part before the one that decides.
fn comparison_in_random_order(case: &Case<'_>) -> bool {
    let arguments = case.question["args"].to_string();
    let compares = ["contains", "equal", "notequal"].iter().any(|name| case.is(name));
    let decided = bare(&case.ours["value"]).is_boolean() && bare(&case.theirs["value"])["unknown"] == "bool";
    compares
        && decided
        && (arguments.contains("\"map\"") || arguments.contains("\"object\""))
        && arguments.contains("\"unknown\"")
}

/// Numbers that the engine finds alike when it puts the elements of sets in order: it looks at ten digits.
fn set_order(case: &Case<'_>) -> bool {
    let arguments = case.question["args"].to_string();
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

/// Returns true if two values are equal, their numbers within the precision of binary arithmetic.
pub fn equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => match (a["number"].as_str(), b["number"].as_str()) {
            (Some(a), Some(b)) if x.len() == 1 && y.len() == 1 => a == b || close(a, b),
            _ if a["set"].is_array() && b["set"].is_array() => a["of"] == b["of"] && equal_sets(&a["set"], &b["set"]),
            _ => x.len() == y.len() && x.iter().all(|(name, a)| y.get(name).is_some_and(|b| equal(a, b))),
        },
        (Json::Array(x), Json::Array(y)) => match (&x[..], &y[..]) {
            // A bound of a refinement is a number as text, and whether it is inside.
            ([Json::String(a), Json::Bool(i)], [Json::String(b), Json::Bool(j)]) => i == j && (a == b || close(a, b)),
            _ => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| equal(a, b)),
        },
        _ => a == b,
    }
}

/// Returns true if two sets have the same elements. Each side writes them in the order of its own texts of numbers.
fn equal_sets(a: &Json, b: &Json) -> bool {
    let (Some(a), Some(b)) = (a.as_array(), b.as_array()) else { return false };
    let mut left: Vec<&Json> = b.iter().collect();
    let take = |one: &Json| left.iter().position(|other| equal(one, other)).map(|at| left.swap_remove(at)).is_some();
    a.len() == b.len() && a.iter().all(take)
}

fn close(a: &str, b: &str) -> bool {
    let close = |a: &str, b: &str| {
        let (a, b) = (Number::parse(a).ok()?, Number::parse(b).ok()?);
        let (distance, largest) = (a.subtract(&b).ok()?.abs(), a.abs().max(b.abs()));
        Some(distance <= largest.multiply(&Number::parse("1e-75").ok()?).ok()?)
    };
    close(a, b).unwrap_or(false)
}
