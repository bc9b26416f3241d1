//! Functions that a configuration defines, with the answers of the official library
//! (`ext/userfunc`, v2.24.0).

use std::sync::{Arc, OnceLock};

use hcl_lr::eval::Functions;
use hcl_lr::model::{Type, Value};
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Body, Scope, parse};

const DEFINITIONS: &str = r#"
function "inc" {
  params = [n]
  result = n + 1
}
function "one" {
  params = [n]
  result = 1
}
function "pair" {
  params         = [a]
  variadic_param = more
  result         = [a, more]
}
function "pick" {
  params = [o]
  result = o.a
}
function "bad" {
  params = [o]
  result = zz
}
"#;

fn functions(name: &str, text: &str) -> Functions {
    let body = parse::<Body>((name, text)).into_result().expect("definitions");
    let within = Arc::new(Scope::new());
    user_functions(&body, "function", move || within.clone()).into_result().expect("functions").0
}

fn expression(text: &str) -> hcl_lr::body::Expression {
    let body = parse::<Body>(("e", format!("e = {text}\n"))).into_result().expect("an expression");
    body.attributes().into_result().expect("attributes").get("e").expect("it is there").expression().clone()
}

#[test]
fn calls_give_what_the_official_library_gives() {
    let number = || Value::unknown(Type::Number);
    let scope = Scope::new()
        .with_functions(functions("f", DEFINITIONS))
        .with("u", number())
        .with("d", Value::unknown(Type::Dynamic))
        .with("m", Value::from(1).mark("M"))
        .with("n", Value::null(Type::String))
        .with("o", Value::object([("a", Value::from(1)), ("u", number())]))
        .with("om", Value::object([("a", Value::from(1).mark("M")), ("u", number())]))
        .with("uo", Value::unknown(Type::object([("a", Type::Number)])))
        .with("ub", Value::unknown(Type::object([("b", Type::Number)])));
    let dynamic = || Value::unknown(Type::Dynamic);
    let two = || Type::tuple([Type::Number, Type::tuple([Type::Number])]);
    let rows: &[(&str, Value, &[&str])] = &[
        ("inc(1)", Value::from(2), &[]),
        ("inc(u)", number(), &[]),
        ("inc(d)", dynamic(), &[]),
        ("inc(m)", Value::from(2).mark("M"), &[]),
        ("inc(n)", dynamic(), &["9 invalid-argument"]),
        ("inc(\"2\")", Value::from(3), &[]),
        ("inc(\"x\")", dynamic(), &["5 function-failed"]),
        ("one(u)", number(), &[]),
        ("one(d)", dynamic(), &[]),
        ("one(m)", Value::from(1).mark("M"), &[]),
        ("pair(1)", Value::tuple([Value::from(1), Value::tuple([])]), &[]),
        ("pair(1, u)", Value::unknown(two()), &[]),
        ("pair(u, 1)", Value::unknown(two()), &[]),
        ("pair(1, m)", Value::tuple([Value::from(1), Value::tuple([Value::from(1)])]).mark("M"), &[]),
        ("pair(d)", dynamic(), &[]),
        ("pair([u])", Value::tuple([Value::tuple([number()]), Value::tuple([])]), &[]),
        ("pair(1, n)", dynamic(), &["13 invalid-argument"]),
        ("pick(o)", Value::from(1), &[]),
        ("pick(om)", Value::from(1).mark("M"), &[]),
        ("pick(uo)", number(), &[]),
        ("pick(ub)", dynamic(), &["5 function-failed"]),
        ("pick(d)", dynamic(), &[]),
        ("bad(1)", dynamic(), &["5 function-failed"]),
        ("bad(u)", dynamic(), &["5 function-failed"]),
        ("bad(d)", dynamic(), &[]),
    ];
    for (text, value, errors) in rows {
        let outcome = expression(text).evaluate_partially(&scope);
        let found: Vec<String> = outcome
            .diagnostics()
            .iter()
            .map(|error| {
                let at = error.position();
                format!("{} {}", at.column, error.code())
            })
            .collect();
        assert_eq!((outcome.value(), found), (value, errors.iter().map(|e| (*e).to_owned()).collect()), "{text}");
    }
}

#[test]
fn json_names_parameters_by_strings() {
    let text = r#"{"function": {"add": {"params": ["a", "b"], "result": "${a + b}"}}}"#;
    let scope = Scope::new().with_functions(functions("f.json", text));
    assert_eq!(expression("add(40, 2)").evaluate(&scope).expect("a sum"), Value::from(42));
}

/// Functions may see functions that are defined later, so they can call one another and themselves. Endless recursion
/// ends by a limit.
#[test]
fn functions_may_call_themselves() {
    static WITHIN: OnceLock<Arc<Scope<'static>>> = OnceLock::new();
    let text = r#"
function "down" {
  params = [n]
  result = n <= 0 ? "end" : down(n - 1)
}
function "without_end" {
  params = []
  result = without_end()
}
"#;
    let body = parse::<Body>(("f", text)).into_result().expect("definitions");
    let within = || WITHIN.get().cloned().unwrap_or_default();
    let (functions, _rest) = user_functions(&body, "function", within).into_result().expect("functions");
    let scope = Scope::new().with_functions(functions);
    WITHIN.set(Arc::new(scope.clone())).expect("it is set once");
    assert_eq!(expression("down(3)").evaluate(&scope).expect("an end"), Value::from("end"));
    let errors = expression("without_end()").evaluate(&scope).expect_err("the limit");
    assert!(errors.to_string().len() < 1_000, "{errors}");
}

/// The rest of a partly evaluated call shows its arguments, unless a function that the definition calls adds marks.
#[test]
fn functions_that_call_others_are_searched_for_marks() {
    let text = |x: &str| format!("function \"shout\" {{\n  params = [s]\n  result = {x}\n}}\n");
    let within = || Scope::new().with_functions(hcl_lr::functions::terraform());
    let left = |definition: &str| {
        let body = parse::<Body>(("f", text(definition))).into_result().expect("a definition");
        let scope = Arc::new(within());
        let own = user_functions(&body, "function", move || scope.clone()).into_result().expect("a function").0;
        let scope = within()
            .with("name", "Ada")
            .with("later", Value::unknown(Type::String))
            .with_functions(hcl_lr::functions::terraform().with_all(&own));
        let call = parse::<hcl_lr::Expression>("shout(\"${name}${later}\")").into_result().expect("a call");
        call.simplify(&scope).into_result().expect("a simpler one").to_string()
    };
    assert_eq!(left("upper(trimspace(lower(s)))"), "shout(\"Ada${later}\")");
    assert_eq!(left("upper(trimspace(sensitive(s)))"), "shout(\"${name}${later}\")");
}
