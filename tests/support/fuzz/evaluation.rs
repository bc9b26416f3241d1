//! Evaluation over values of all kinds, and functions.

use std::sync::{Arc, OnceLock, Weak};

use hcl_lr::body::Expression;
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Meter;
use hcl_lr::model::{CollectionKind, Number, Type, Value};
use hcl_lr::source::Source;
use hcl_lr::{Body, Scope, Template, parse, user_functions as own};

use super::world::{FUNCTIONS, VARIABLES, diagnostics, evaluated, limits, world};

/// Text as an expression.
pub fn evaluate(input: &str) {
    let (expression, list) = parse::<Expression>(Source::new("e.hcl", input)).into_parts();
    diagnostics(&list, input);
    if !list.has_errors() {
        check(&expression, input);
    }
}

/// Text as a template.
pub fn render(input: &str) {
    let (template, list) = parse::<Template>(Source::new("t.tmpl", input)).into_parts();
    diagnostics(&list, input);
    if !list.has_errors() {
        check(&template, input);
    }
}

/// Evaluates an expression: twice with the same result, with no more variables than it says that it needs,
/// and what is known is written as an expression that means the same.
pub fn check(expression: &Expression, input: &str) {
    let (scope, meter) = world();
    let (value, list) = expression.evaluate_partially(&scope).into_parts();
    evaluated(&value, &list, &meter, input);
    let (scope, other) = world();
    let (again, more) = expression.evaluate_partially(&scope).into_parts();
    assert!(again == value && more.to_json() == list.to_json(), "{value:?}, then {again:?}\n--- input\n{input}");
    assert_eq!(meter.steps(), other.steps(), "other work for the same: {input}");
    if list.has_errors() {
        return;
    }
    let needed: Vec<String> = expression.variables().iter().map(|path| path.root().to_owned()).collect();
    let needed = VARIABLES.iter().filter(|(name, _)| needed.iter().any(|root| root == name));
    let least = needed.fold(Scope::new(), |scope, (name, value)| scope.with(*name, value.clone()));
    let least = least.with_functions(FUNCTIONS.clone()).with_limits(limits());
    let (with_least, errors) = expression.evaluate_partially(&least).into_parts();
    assert!(with_least == value && !errors.has_errors(), "{value:?}, but {errors:?} with what is needed: {input}");
    if value.is_wholly_known() && !value.contains_marks() && value.height() < 200 {
        comes_back(&value, input);
    }
}

/// Checks that the written form of a value reads back as the value.
pub fn comes_back(value: &Value, input: &str) {
    // There is no way to write an infinity.
    if value.to_string().contains("Inf") {
        return;
    }
    for text in [value.to_string(), format!("{value:#}")] {
        let parsed: Result<Value, _> = text.parse();
        let parsed = parsed.unwrap_or_else(|why| panic!("{text} is no value: {why}\n--- input\n{input}"));
        assert_eq!(parsed.to_string(), value.to_string(), "--- input\n{input}");
    }
}

/// Arguments stand after one another, with zeros between them. The first letter of each says what it
/// is: text, a number, a list of lines, a map of lines, something unknown, null or marked.
fn argument(text: &str) -> Value {
    let Some(first) = text.chars().next() else { return Value::from("") };
    let rest = &text[first.len_utf8()..];
    let strings = || rest.split('\n').map(Value::from);
    match first {
        'n' => Number::parse(rest).map_or_else(|_| Value::from(rest.len()), Value::from),
        'l' => Value::list(Type::String, strings()).expect("strings"),
        's' => Value::set(Type::String, strings()).expect("strings"),
        't' => Value::tuple(rest.split('\n').take(100).map(plain_argument)),
        'm' => Value::map(Type::String, rest.split('\n').map(|line| (line, Value::from(line)))).expect("strings"),
        'o' => Value::object(rest.split('\n').map(|line| (line, Value::from(line)))),
        'e' => Value::empty(CollectionKind::List, Type::Dynamic),
        'u' => Value::unknown(Type::String).refine().prefix(rest).value().expect("a string"),
        'd' => Value::unknown(Type::Dynamic),
        '0' => Value::null(Type::Dynamic),
        'b' => Value::from(rest.len().is_multiple_of(2)),
        '*' => plain_argument(rest).mark("sensitive"),
        '$' => VARIABLES.iter().find(|(name, _)| rest == *name).map_or(Value::NULL, |(_, value)| value.clone()),
        _ => Value::from(text),
    }
}

/// An argument without parts of its own kind, so that nothing nests as deep as the input is long.
fn plain_argument(text: &str) -> Value {
    match text.chars().next() {
        Some('t' | '*') => Value::from(text),
        _ => argument(text),
    }
}

/// A function of a set: the first letter chooses the set, the second one the function.
pub fn functions(input: &str) {
    let sets = [FunctionSet::Extended, FunctionSet::Terraform];
    let mut letters = input.chars();
    let (Some(which), Some(set)) = (letters.next(), letters.next()) else { return };
    let set = sets[set as usize % sets.len()];
    let entries = set.entries();
    let entry = &entries[which as usize % entries.len()];
    let arguments: Vec<Value> = letters.as_str().split('\0').take(8).map(argument).collect();
    let names: Vec<String> = (0..arguments.len()).map(|number| format!("a{number}")).collect();
    let source = format!("{}({})", entry.name(), names.join(", "));
    let expression = parse::<Expression>(Source::new("call.hcl", source)).into_result().expect("a call");
    let meter = Meter::new(limits());
    let scope = names.iter().zip(&arguments).fold(Scope::new(), |scope, (name, value)| scope.with(name, value.clone()));
    let scope = scope.with_functions(set.functions()).with_meter(&meter);
    let (value, list) = expression.evaluate_partially(&scope).into_parts();
    evaluated(&value, &list, &meter, input);
}

/// A file with functions, and attributes that call them.
pub fn user_functions(input: &str) {
    let (body, list) = parse::<Body>(Source::new("f.hcl", input)).into_parts();
    diagnostics(&list, input);
    if list.has_errors() {
        return;
    }
    // Functions see one another; weakly, or they would keep one another for ever.
    let within: Arc<OnceLock<Weak<Scope<'static>>>> = Arc::default();
    let known = within.clone();
    let context = move || known.get().and_then(Weak::upgrade).unwrap_or_default();
    let ((defined, rest), list) = own::user_functions(&body, "function", context).into_parts();
    diagnostics(&list, input);
    let all = FUNCTIONS.clone().with_all(&defined);
    let inner = Arc::new(Scope::new().with_functions(all.clone()));
    let _ = within.set(Arc::downgrade(&inner));
    let (attributes, list) = rest.attributes().into_parts();
    diagnostics(&list, input);
    for attribute in attributes.iter() {
        let (scope, meter) = world();
        let scope = scope.with_functions(all.clone());
        let (value, list) = attribute.expression().evaluate_partially(&scope).into_parts();
        evaluated(&value, &list, &meter, input);
    }
}
