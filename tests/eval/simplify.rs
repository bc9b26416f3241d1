//! Partial evaluation: simplifying with unknown values, and then evaluating with all values, gives the same result as
//! evaluating at once.
//!
//! A case of `fixtures/simplify` is an expression (`expr`) or template (`tmpl`), its simplified form, and its errors in
//! `wrong`.

use std::collections::HashMap;
use std::sync::Arc;

use hcl_lr::eval::{Function, Functions};
use hcl_lr::functions::{self, FunctionSet};
use hcl_lr::limits::Meter;
use hcl_lr::model::{Type, Value, View};
use hcl_lr::user_functions::user_functions;
use hcl_lr::{Body, Expression, Limits, Scope, Template, parse};
use hcl_lr_conformance::decode_value;

use crate::support::golden::{Golden, cases};
use differential::Random;
use differential::questions::sources::{Writer, variables};

/// The number of random expressions; `HCL_LR_SIMPLIFY` overrides it.
const CASES: usize = 6_000;

/// The variables of the differential tests, with values for the unknown ones.
fn all_known() -> HashMap<String, Value> {
    let json = variables();
    let all = json.as_object().expect("an object").iter();
    let decoded = all.map(|(name, value)| (name.clone(), decode_value(value).expect("a value")));
    decoded.map(|(name, value)| (name, settled(&value))).collect()
}

/// Returns a value with known values in place of unknown parts.
fn settled(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    let (plain, marks) = value.unmark();
    let one = match plain.view() {
        View::Unknown(_) => of_type(&plain.ty(), &plain),
        View::Object(entries) => Value::object(entries.map(|(name, part)| (name.to_owned(), settled(part)))),
        View::List(parts) => Value::list_of(parts.iter().map(settled)).expect("elements of one type"),
        View::Tuple(parts) => Value::tuple(parts.iter().map(settled)),
        _ => plain.clone(),
    };
    one.with_marks(&marks)
}

/// Returns a value of a type that satisfies the refinements of an unknown one.
fn of_type(ty: &Type, unknown: &Value) -> Value {
    let least = unknown.refinement().min_length().max(1) as usize;
    match ty {
        Type::Dynamic => Value::from("free"),
        Type::Bool => Value::from(true),
        Type::Number => Value::from(3),
        Type::String if unknown.is_never_null() => Value::from("ab-c"),
        Type::String => Value::from("k"),
        Type::List(element) => {
            let element = of_type(element.get(), &Value::unknown(Type::Dynamic));
            Value::list_of(vec![element; least]).expect("elements of one type")
        }
        Type::Set(element) => {
            Value::set_of([of_type(element.get(), &Value::unknown(Type::Dynamic))]).expect("elements of one type")
        }
        Type::Map(element) => {
            let element = of_type(element.get(), &Value::unknown(Type::Dynamic));
            Value::map(element.ty(), [("k", element)]).expect("elements of one type")
        }
        Type::Tuple(tuple) => {
            Value::tuple(tuple.elements().iter().map(|ty| of_type(ty, &Value::unknown(Type::Dynamic))))
        }
        Type::Object(object) => {
            Value::object(object.attributes().iter().map(|attribute| {
                (attribute.name().to_owned(), of_type(attribute.ty(), &Value::unknown(Type::Dynamic)))
            }))
        }
        _ => Value::from("nothing"),
    }
}

/// A value of which some is not known, with the marks that it has.
fn hidden(value: &Value, random: &mut Random) -> Value {
    let (plain, marks) = value.unmark();
    // The parts have marks that an unknown would have to have, too.
    let within = plain.contains_marks();
    let inner = match plain.view() {
        View::Object(entries) if within || random.chance(50) => {
            let parts: Vec<(String, Value)> =
                entries.map(|(name, part)| (name.to_owned(), perhaps_hidden(part, random))).collect();
            Value::object(parts)
        }
        View::Tuple(parts) if within || random.chance(50) => {
            Value::tuple(parts.iter().map(|part| perhaps_hidden(part, random)).collect::<Vec<_>>())
        }
        View::List(parts) if !parts.is_empty() && !within && random.chance(50) => {
            let element = plain.ty().element_type().expect("a list").clone();
            Value::list(element, parts.iter().map(|part| perhaps_typed(part, random)).collect::<Vec<_>>())
                .expect("elements of the type")
        }
        _ if within => plain.clone(),
        _ => {
            let ty = if random.chance(30) { Type::Dynamic } else { plain.ty() };
            let unknown = Value::unknown(ty);
            match !plain.is_null() && random.chance(50) {
                true => unknown.refine().not_null().value().unwrap_or(unknown),
                false => unknown,
            }
        }
    };
    inner.with_marks(&marks)
}

fn perhaps_hidden(value: &Value, random: &mut Random) -> Value {
    if random.chance(50) { hidden(value, random) } else { value.clone() }
}

fn perhaps_typed(value: &Value, random: &mut Random) -> Value {
    if random.chance(50) { Value::unknown(value.ty()) } else { value.clone() }
}

/// The functions of the differential tests; perhaps with those that make values which have no literal form.
fn table(with_conversions: bool) -> Functions {
    let standard = functions::standard();
    let mut all: Vec<(String, Function)> = ["upper", "lower", "concat", "length", "negate", "try", "can"]
        .into_iter()
        .map(|name| (name.to_owned(), standard.get(name).expect("it is there").clone()))
        .collect();
    for (name, of) in [("text::upper", "upper"), ("a::b::concat", "concat"), ("s", "length")] {
        all.push((name.to_owned(), standard.get(of).expect("it is there").clone()));
    }
    if with_conversions {
        let terraform = FunctionSet::Terraform.functions();
        for name in ["tolist", "toset", "tomap", "tostring", "tonumber", "tobool", "convert"] {
            all.extend(terraform.get(name).map(|function| (name.to_owned(), function.clone())));
        }
    }
    all.into_iter().collect()
}

/// An expression of a text: in native syntax, as a template, or as a template in JSON.
fn read(text: &str, kind: usize) -> Option<Expression> {
    match kind {
        0 => parse::<Expression>(("e", text)).into_result().ok(),
        1 => parse::<Template>(("e", text)).into_result().ok().map(Expression::from),
        _ => {
            let string = serde_json::Value::from(text).to_string();
            let json = format!("{{\"a\": {{\"x\": {string}, \"y\": [{string}, 1, null]}}}}");
            let body = parse::<Body>(("e.json", json)).into_result().ok()?;
            let attributes = body.attributes().into_result().ok()?;
            Some(attributes.get("a")?.expression().clone())
        }
    }
}

#[test]
fn what_is_left_means_what_the_whole_means() {
    let known = all_known();
    let mut names: Vec<String> = known.keys().cloned().collect();
    names.sort();
    let asked = std::env::var("HCL_LR_SIMPLIFY").ok().and_then(|count| count.parse().ok());
    let seed = std::env::var("HCL_LR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = Random::new(seed);
    let tables = [table(false), table(true)];
    let (mut changed, mut settled, mut values, mut wrong) = (0, 0, 0, Vec::new());
    for _ in 0..asked.unwrap_or(CASES) {
        let kind = [0, 0, 0, 1, 2][random.below(5)];
        let mut writer = Writer::new(&mut random, &names);
        let text = if kind == 0 { writer.expression(4) } else { writer.template(3) };
        let Some(expression) = read(&text, kind) else { continue };
        let share = [10, 40, 80][random.below(3)];
        let mut open = HashMap::new();
        let mut used: Vec<String> = expression.variables().iter().map(|path| path.root().to_owned()).collect();
        used.sort();
        used.dedup();
        for name in &used {
            let Some(value) = known.get(name) else { continue };
            let value = if random.chance(share) { hidden(value, &mut random) } else { value.clone() };
            open.insert(name.clone(), value);
        }
        let functions = &tables[random.below(2)];
        let now = Scope::new().with_variables(&open).with_functions(functions.clone());
        let later = Scope::new().with_variables(&known).with_functions(functions.clone());
        let simplified = expression.simplify(&now).into_value();
        let at_once = expression.evaluate(&later);
        let after = simplified.evaluate(&later);
        changed += usize::from(simplified.to_string() != expression.to_string());
        settled += usize::from(simplified.is_known());
        values += usize::from(at_once.is_ok());
        // Nothing is left to be known if all variables are.
        let is_given = |name: &String| known.get(name).is_some_and(|all| open[name] == *all && !all.contains_marks());
        let all_given = used.iter().all(is_given);
        let same = match (&at_once, &after) {
            (Ok(_), Ok(_)) if all_given && !simplified.is_known() => false,
            (Ok(a), Ok(b)) => a == b && simplified.known().is_none_or(|known| known == a),
            (Err(_), Err(_)) => !simplified.is_known(),
            _ => false,
        };
        // The text means the same as the expression.
        let again = parse::<Expression>(("again", simplified.to_string())).into_result();
        let readable = match again {
            Ok(again) => again.evaluate(&later).ok() == after.as_ref().ok().cloned(),
            Err(_) => false,
        };
        if !same || !readable && kind == 0 {
            let open = open.iter().map(|(name, value)| format!("  {name} = {value:?}\n")).collect::<String>();
            let full = used.iter().filter_map(|name| Some(format!("  {name} = {:?}\n", known.get(name)?)));
            wrong.push(format!(
                "{text}\nis simplified to\n{simplified}\nwith\n{open}and then\n{}gives {after:?}\ninstead of {at_once:?}",
                full.collect::<String>()
            ));
        }
    }
    wrong.sort_by_key(String::len);
    let first = wrong[..wrong.len().min(5)].join("\n\n");
    assert!(wrong.is_empty(), "{} are not the same, such as\n{first}", wrong.len());
    println!("{values} had a value in the end, {changed} were changed, {settled} had a value at once");
    assert!(changed * 4 > CASES && settled * 10 > CASES, "{changed} were changed, and {settled} known");
}

/// The functions that a configuration defines for the fixtures.
const DEFINED: &str = r#"
function "stamp" {
  params = [text]
  result = "${text} ${now()}"
}
function "greet" {
  params = [name, greeting]
  result = "${upper(greeting)}, ${name}"
}
function "hush" {
  params = [text, more]
  result = sensitive("${text}${more}")
}
"#;

/// Returns the scope of the fixtures.
fn fixture_scope() -> Scope<'static> {
    let text = |text: &str| Value::from(text);
    let known = Value::object([
        ("team", text("red")),
        ("count", Value::from(2)),
        ("debt", Value::from(-3)),
        ("zones", Value::list(Type::String, [text("a"), text("b")]).expect("strings")),
        ("tags", Value::map(Type::String, [("k", text("v"))]).expect("strings")),
        ("ids", Value::set(Type::Number, [Value::from(1), Value::from(2)]).expect("numbers")),
        ("none", Value::null(Type::String)),
        ("yes", Value::from(true)),
        ("env", Value::unknown(Type::String)),
        ("region", Value::unknown(Type::String)),
        ("flag", Value::unknown(Type::Bool).refine().not_null().value().expect("no contradiction")),
        ("any", Value::unknown(Type::Dynamic)),
        ("secret", text("hush").mark("sensitive")),
    ]);
    let now = Function::new([], Type::String, |_| Ok("12:00".into())).impure();
    let functions = FunctionSet::Terraform.functions().with("now", now);
    let within = Arc::new(Scope::new().with_functions(functions.clone()));
    let body = parse::<Body>(DEFINED).into_result().expect("definitions");
    let (defined, _) = user_functions(&body, "function", move || within.clone()).into_result().expect("functions");
    let functions = functions.with_all(&defined);
    Scope::new().with("var", known).with_functions(functions)
}

/// Each `expr` or `tmpl` is followed by its simplified form, and its errors.
#[test]
fn fixtures() {
    let scope = fixture_scope();
    let mut golden = Golden::new();
    for case in cases("simplify") {
        let (source, kind) = (case.fences[0].text(), usize::from(case.find("tmpl").is_some()));
        let outcome = read(source, kind).expect(source).simplify(&scope);
        let (simplified, diagnostics) = outcome.into_parts();
        golden.check_case(&case, "left", &format!("{simplified}\n"));
        golden.check_case(&case, "wrong", &diagnostics.short());
    }
    golden.finish();
}

/// Texts that nest, or are long, in all ways in which that could cost too much.
fn large(size: usize) -> Vec<(&'static str, String)> {
    let repeat = |part: &str| part.repeat(size);
    vec![
        ("sums", format!("any{}", repeat(" + one"))),
        ("known sums", format!("one{} + any", repeat(" + one"))),
        ("logic", format!("any{}", repeat(" && flag && yes"))),
        ("accesses", format!("any{}", repeat(".a[one][any]"))),
        ("elements", format!("[{}]", repeat("any, one, [one], "))),
        ("templates", format!("\"{}\"", repeat("${any}${one}%{ if yes }a${any}%{ endif }"))),
        ("marked", format!("[{}]", repeat("upper(secret), secret + one, "))),
    ]
}

/// The same that nest within each other.
fn nested(size: usize) -> Vec<(&'static str, String)> {
    let around = |open: &str, inner: &str, close: &str| open.repeat(size) + inner + &close.repeat(size);
    vec![
        ("conditionals", format!("{}1", "any ? one : ".repeat(size))),
        ("tuples", around("[one, ", "any", "]")),
        ("objects", around("{ a = one, b = ", "any", "}")),
        ("parentheses", around("(one + ", "any", ")")),
        ("calls", around("max(one, ", "any", ")")),
        ("sets", around("toset([", "one", "])")),
        ("known conditionals", around("(yes ? flag : ", "flag", ")")),
        ("conditions", around("(yes && ", "flag", ")")),
        ("for expressions", around("[for x in any : ", "x", "]")),
        ("templates", around("\"a${one}${", "any", "}\"")),
        ("directives", around("%{ if any }${one}", "${any}", "%{ endif }")),
    ]
}

fn steps_for(text: &str, name: &str) -> u64 {
    steps_of(text, name, true)
}

fn steps_of(text: &str, name: &str, simplify: bool) -> u64 {
    let expression = match name {
        "directives" => parse::<Template>(("t", text)).into_result().map(Expression::from),
        _ => parse::<Expression>(("e", text)).into_result(),
    };
    let meter = Meter::new(Limits::new());
    let scope = Scope::new()
        .with("any", Value::unknown(Type::Dynamic))
        .with("flag", Value::unknown(Type::Bool).refine().not_null().value().expect("no contradiction"))
        .with("one", 1)
        .with("yes", true)
        .with("secret", Value::from("hush").mark("sensitive"))
        .with_functions(FunctionSet::Terraform.functions())
        .with_meter(&meter);
    let expression = expression.unwrap_or_else(|errors| panic!("{name}: {errors}"));
    if !simplify {
        drop(expression.evaluate_partially(&scope));
        return meter.steps();
    }
    let outcome = expression.simplify(&scope);
    assert!(meter.exceeded().is_none(), "{name}: {:?}", meter.exceeded());
    drop(outcome);
    meter.steps()
}

#[test]
fn work_grows_with_the_text() {
    let work = || {
        for ((name, few), (_, many)) in large(500).into_iter().zip(large(4_000)) {
            let (few, many) = (steps_for(&few, name), steps_for(&many, name));
            assert!(many <= 10 * few, "{name}: {few} steps, and {many} for eight times as much");
        }
        for ((name, few), (_, around)) in nested(30).into_iter().zip(nested(240)) {
            let (few, many) = (steps_for(&few, name), steps_for(&around, name));
            // Each call of `toset` examines its whole argument.
            let most = if name == "sets" { 12 * steps_of(&around, name, false) } else { 12 * few };
            assert!(many <= most, "{name}: {few} steps, and {many} for eight times as much");
        }
    };
    // The stack of a thread in a server.
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}
