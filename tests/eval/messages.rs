//! Messages of evaluation, as they are shown.
//!
//! A case of `fixtures/evaluation` is a source and the `messages` of its evaluation, with the variables and functions of
//! [`scope`]. The kind of the source is `hcl` for a configuration file and `tmpl` for a template. Sources of the kinds
//! `list`, `map`, `call` and `traversal` are expressions that are read as such without evaluating them.

use std::path::Path;

use crate::support::cases::Case;
use crate::support::golden::{Golden, cases};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Source;
use hcl_lr::{Expression, ParseOptions, Scope, functions, parse};

fn text() -> Parameter {
    Parameter::new("text", Type::String)
}

/// A function that blames one of its arguments.
fn repeated() -> Function {
    Function::new([text(), Parameter::new("count", Type::Number)], Type::String, |call| {
        let count = call.argument(1).as_number().and_then(|count| usize::try_from(count).ok());
        let count = count.ok_or_else(|| FunctionError::argument(1, "must be a whole number from 0 on"))?;
        Ok(Value::from(call.argument(0).as_str().unwrap_or_default().repeat(count)))
    })
}

/// The variables and functions for the fixtures that are evaluated.
fn scope() -> Scope<'static> {
    let server = |name: &str, port: u16| Value::object([("name", Value::from(name)), ("port", Value::from(port))]);
    Scope::new()
        .with("name", "Ada")
        .with("port", 8080)
        .with("enabled", true)
        .with("nothing", Value::null(Type::Dynamic))
        .with("servers", vec![server("web", 80), server("db", 5432)])
        .with("limits", Value::map(Type::Number, [("cpu", Value::from(4))]).expect("numbers"))
        .with("no_list", Value::null(Type::list(Type::String)))
        .with("later", Value::unknown(Type::String))
        .with_functions(functions::standard())
        .with("open", Value::unknown(Type::Dynamic))
        .with("password", Value::from("hunter2").mark("sensitive"))
        .with("pin", Value::from(7331).mark("sensitive"))
        .with("large", Value::from(123_456_789))
        .with("long", "a text that is longer than what is worth showing of it")
        .with("names", Value::list(Type::String, [Value::from("Ada")]).expect("strings"))
        .with("numbers", Value::list(Type::Number, [Value::from(1)]).expect("numbers"))
        .with("tags", Value::set(Type::String, [Value::from("new")]).expect("strings"))
        .with("empty", Value::object::<&str>([]))
        .with("many", Value::object(["a", "b", "c", "d", "e", "f"].map(|name| (name, Value::from(1)))))
        .with_function("now", Function::new([], Type::String, |_| Ok(Value::from("noon"))))
        .with_function("repeated", repeated())
        .with_function(
            "joined",
            Function::variadic([text()], text(), Type::String, |call| Ok(call.argument(0).clone())),
        )
        .with_function("text::shout", functions::standard().get("upper").expect("a function").clone())
}

/// The diagnostics of a case that is right as far as the parser is concerned.
fn diagnose(case: &Case) -> Diagnostics {
    let input = &case.fences[0];
    let name = case.file_name(input);
    let (source, options) = (Source::new(&name, input.text()), ParseOptions::default());
    // No variables and functions, as for files that may contain only literals.
    let scope = if name.starts_with("literal-only") { Scope::new() } else { scope() };
    match input.kind.as_str() {
        want @ ("list" | "map" | "call" | "traversal") => {
            let expression = options.parse::<hcl_lr::Expression>(source).into_result().expect("an expression");
            match want {
                "list" => expression.static_list().map(drop),
                "map" => expression.static_map().map(drop),
                "call" => expression.static_call().map(drop),
                _ => expression.static_traversal().map(drop),
            }
            .expect_err("something else")
        }
        "tmpl" => {
            let template = options.parse::<hcl_lr::Template>(source).into_result().expect("a template");
            template.evaluate_partially(&scope).into_parts().1
        }
        "hcl" => {
            let file = options.parse::<hcl_lr::File>(source).into_result().expect("a file");
            file.body().evaluate_attributes(&scope).into_parts().1
        }
        other => panic!("{}: {other} is not a kind of source", case.place()),
    }
}

#[test]
fn messages_are_as_recorded() {
    let mut golden = Golden::new();
    for case in cases("evaluation") {
        golden.check_case(&case, "messages", &diagnose(&case).render());
    }
    golden.finish();
}

/// A scope with a function that evaluates a call of itself.
fn endless() -> Scope<'static> {
    let again = Function::lazy([], None, |_| {
        let parsed = parse::<Expression>(("again", "1 + again()"));
        Ok(parsed.into_result()?.evaluate(&endless())?)
    });
    Scope::new().with_function("again", again)
}

fn wrong_with(name: &str, text: &str, scope: &Scope<'_>) -> Diagnostics {
    let parsed = parse::<Expression>((name, text));
    parsed.into_result().expect("an expression").evaluate(scope).expect_err("an error")
}

/// Messages that need more than a source: `fixtures/generated` has the output, and this the input.
#[test]
fn messages_for_generated_input_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/generated");
    let mut golden = Golden::new();
    // The innermost of the calls reports the error; those around it report it one after the other.
    let nested = wrong_with("nested-too-deeply", "[again()]", &endless());
    golden.check(&folder.join("nested-too-deeply.txt"), &nested.render());
    let numbers = Value::list(Type::Number, (0..1_234).map(Value::from)).expect("numbers");
    let many = wrong_with("too-many-errors", "[for n in numbers: n.name]", &Scope::new().with("numbers", numbers));
    assert_eq!(many.len(), 1_001);
    let text = many.render();
    let last_two = text.rmatch_indices("error[").nth(1).expect("two errors").0;
    golden.check(&folder.join("too-many-errors.txt"), &text[last_two..]);
    golden.finish();
}
