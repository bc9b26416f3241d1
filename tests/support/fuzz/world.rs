//! The values for inputs, and the properties of all messages about them.

use hcl_lr::body::Body;
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::Functions;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Meter;
use hcl_lr::model::{CollectionKind, Type, Value};
use hcl_lr::source::{Place, Source};
use hcl_lr::{Limits, Outcome, ParseOptions, Scope, Syntax, parse};
use std::sync::LazyLock;

/// A text that occurs only in marked values, with letters that no input has by chance.
const SECRET: &str = "жцюфщэъы";
const SECRET_UPPER: &str = "ЖЦЮФЩЭЪЫ";
const SECRET_NUMBER: &str = "731946285";

/// So little that a long evaluation ends at once.
pub fn limits() -> Limits {
    Limits::new().max_steps(50_000).max_bytes(4 << 20).max_text(1 << 20).max_elements(1 << 14).max_calls(60)
}

/// All functions of all sets. Where sets differ, those of Terraform stand.
pub static FUNCTIONS: LazyLock<Functions> =
    LazyLock::new(|| FunctionSet::Extended.functions().with_all(&FunctionSet::Terraform.functions()));

/// A value for each letter of the alphabet, or nearly: of each kind, known or not, marked or not.
pub static VARIABLES: LazyLock<Vec<(&'static str, Value)>> = LazyLock::new(|| {
    let list = |items: Vec<Value>| Value::list_of(items).expect("of one type");
    let map = |items: Vec<(&str, Value)>| Value::map(Type::String, items).expect("strings");
    let secret = || Value::from(SECRET);
    let object = || Value::object([("a", secret()), (SECRET, Value::from(731_946_285)), ("b", Value::from(true))]);
    let refined = Value::unknown(Type::String).refine().not_null().prefix("ab-").value().expect("a prefix");
    vec![
        ("a", Value::from("text")),
        ("b", Value::from(true)),
        ("c", Value::tuple([Value::from(1), Value::from("x"), Value::NULL])),
        ("d", Value::unknown(Type::Dynamic)),
        ("e", Value::empty(CollectionKind::List, Type::Dynamic)),
        ("f", "1.5".parse::<Value>().expect("a number")),
        ("g", map(vec![("k", Value::from("v")), ("l", Value::from("w"))])),
        ("h", Value::unknown(Type::list(Type::String))),
        ("l", list(vec![Value::from(1), Value::from(2), Value::from(3)])),
        ("m", Value::object([("a", Value::from(1)), ("b", list(vec![Value::from("z")])), ("é", Value::NULL)])),
        ("n", Value::from(7)),
        ("o", Value::null(Type::String)),
        ("p", refined),
        ("q", secret().mark("sensitive")),
        ("r", object().mark("sensitive")),
        ("s", Value::set_of([Value::from("a"), Value::from("b")]).expect("strings")),
        ("t", Value::tuple([secret().mark("sensitive"), Value::from(1), object().mark("sensitive")])),
        ("u", Value::from(731_946_285).mark("sensitive")),
        ("v", list(vec![secret().mark("sensitive"), Value::from("plain")])),
        ("w", map(vec![(SECRET, secret())]).mark("sensitive")),
        ("x", Value::object([("y", Value::object([("z", list(vec![Value::from(true)]))]))])),
        ("y", list(vec![Value::object([("a", Value::from(1))]), Value::object([("a", Value::from(2))])])),
        ("z", Value::unknown(Type::object([(SECRET, Type::String)])).mark("sensitive")),
    ]
});

/// Returns a scope with all variables and functions, and the meter of its work.
pub fn world() -> (Scope<'static>, Meter) {
    let meter = Meter::new(limits());
    let scope = VARIABLES.iter().fold(Scope::new(), |scope, (name, value)| scope.with(*name, value.clone()));
    (scope.with_functions(FUNCTIONS.clone()).with_meter(&meter), meter)
}

/// Returns true if a text shows a marked value, or a good part of it.
fn betrays(shown: &str) -> bool {
    let part = |secret: &str| {
        let chars: Vec<(usize, char)> = secret.char_indices().collect();
        chars.windows(4).any(|four| shown.contains(&secret[four[0].0..four[3].0 + four[3].1.len_utf8()]))
    };
    shown.contains(SECRET_NUMBER) || !shown.is_ascii() && (part(SECRET) || part(SECRET_UPPER))
}

/// Fails if a shown text has a secret that the input itself does not contain.
pub fn hidden(what: &str, shown: &str, input: &str) {
    assert!(!betrays(shown) || betrays(input), "{what} shows what is marked: {shown}\n--- input\n{input}");
}

fn valid(place: &Place, what: &str) {
    let (text, span) = (place.source().text(), place.span());
    assert!(span.start() <= span.end() && span.end() <= text.len(), "{what}: {span:?} is outside of {text:?}");
    let boundaries = text.is_char_boundary(span.start()) && text.is_char_boundary(span.end());
    assert!(boundaries, "{what}: {span:?} cuts a character of {text:?}");
    let _ = place.position();
}

/// Control characters, and those that change the direction of text.
fn controls(c: char) -> bool {
    let direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    direction || c.is_control() && !matches!(c, '\n' | '\t')
}

/// Checks any diagnostics: places are within their sources, and every form can be rendered and shows neither marked
/// values nor control characters.
pub fn diagnostics(list: &Diagnostics, input: &str) {
    for one in list {
        let edits = one.suggestions().iter().flat_map(|suggestion| suggestion.edits());
        let places = one.labels().iter().map(|label| label.place()).chain(edits.map(|edit| edit.place()));
        for place in [one.place()].into_iter().chain(one.context()).chain(places) {
            valid(place, one.detail());
        }
        assert!(!one.detail().is_empty() && !one.summary().is_empty(), "{one:?}");
    }
    if list.is_empty() {
        return;
    }
    let (human, short, json) = (list.render(), list.short(), list.to_json());
    serde_json::from_str::<serde_json::Value>(&json).unwrap_or_else(|why| panic!("{why}: {json}"));
    assert!(short.lines().count() >= list.len(), "{} diagnostics are {short}", list.len());
    for (form, shown) in [("human", &human), ("short", &short), ("JSON", &json)] {
        assert!(!shown.contains(controls), "the {form} form controls terminals: {shown:?}\n--- input\n{input:?}");
        hidden(form, shown, input);
    }
    hidden("Display", &list.to_string(), input);
    hidden("Debug", &format!("{list:?}"), input);
}

/// Checks the result of an evaluation: its value, its diagnostics, and the steps that it used.
pub fn evaluated(value: &Value, list: &Diagnostics, meter: &Meter, input: &str) {
    diagnostics(list, input);
    hidden("Display of the value", &value.to_string(), input);
    hidden("Debug of the value", &format!("{value:?}"), input);
    let (most, used) = (meter.limits(), (meter.steps(), meter.bytes()));
    assert!(
        used.0 <= most.get_max_steps() && used.1 <= most.get_max_bytes(),
        "{used:?} of {most:?}\n--- input\n{input}"
    );
    let said = list.iter().any(|diagnostic| *diagnostic.code() == Code::LimitExceeded);
    let exceeded = meter.exceeded();
    assert_eq!(said, exceeded.is_some(), "{exceeded:?}, but {list:?}\n--- input\n{input}");
    assert!(u64::from(value.height()) <= u64::from(most.get_max_nesting()), "{} levels: {input}", value.height());
}

/// A body of either syntax: JSON begins with a bracket.
pub fn body(name: &str, text: &str) -> Outcome<Body> {
    match text.trim_start().starts_with(['{', '[']) {
        true => ParseOptions::new().with_syntax(Syntax::Json).parse::<Body>(Source::new(name, text)),
        false => parse::<Body>(Source::new(name, text)),
    }
}
