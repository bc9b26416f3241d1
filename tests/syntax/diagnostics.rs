//! Every message that a person can see stands in a fixture, as it is shown.
//!
//! A case of `fixtures/diagnostics` is a source with something wrong in it, and the `messages` that are printed for it. The
//! kind of the source is `hcl` for a configuration file, `expr` for an expression, `tmpl` for a template, `path` for a
//! traversal, `json` for a body in JSON. If the name of a case begins with `strict-`, it is read in the strict dialect.
//!
//! `fixtures/evaluation` is the same for what is wrong when a source is evaluated, with the variables
//! that [`scope`] has. There `list`, `map`, `call` and `traversal` are expressions that are read as such
//! without evaluating them.
//!
//! A case of `fixtures/broken` is a realistic file with mistakes that people make. `slips` has the
//! line of each with a description, `fixed` the file without them. Every slip must be reported
//! at its line, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::cases::Case;
use crate::support::golden::{self, Golden, cases, fixtures};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Source;
use hcl_lr::{Dialect, Expression, File, ParseOptions, Scope, functions, parse};

/// Returns the diagnostics of a case, parsed as the kind of its source.
fn diagnose(case: &Case) -> Diagnostics {
    let input = &case.fences[0];
    let name = case.file_name(input);
    let source = Source::from_bytes(&name, input.bytes.clone());
    let dialect = if name.starts_with("strict-") { Dialect::Strict } else { Dialect::Engine };
    let options = ParseOptions::new().with_dialect(dialect);
    match input.kind.as_str() {
        "expr" => options.parse::<hcl_lr::Expression>(source).into_parts().1,
        "tmpl" => options.parse::<hcl_lr::Template>(source).into_parts().1,
        "path" => options.parse::<hcl_lr::Traversal>(source).into_parts().1,
        "json" => options.parse::<hcl_lr::ConfigFile>(source).into_parts().1,
        "hcl" => options.parse::<hcl_lr::File>(source).into_parts().1,
        other => panic!("{}: {other} is not a kind of source", case.place()),
    }
}

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
fn diagnose_evaluation(case: &Case) -> Diagnostics {
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
    for case in cases("diagnostics").iter().chain(&cases("broken")) {
        golden.check_case(case, "messages", &diagnose(case).render());
    }
    for case in cases("evaluation") {
        golden.check_case(&case, "messages", &diagnose_evaluation(&case).render());
    }
    golden.finish();
}

#[test]
fn every_kind_of_message_has_a_fixture() {
    let mut missing: BTreeSet<Code> = Code::ALL.iter().cloned().collect();
    // These files are compared with the actual output by the tests that they belong to.
    for path in fixtures("", &["txt", "md"]) {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        missing.retain(|code| !text.contains(&format!("[{code}]: ")));
    }
    // The output of commands, and the messages that are the same for both syntaxes.
    for path in fixtures("cli", &["txt"]).into_iter().chain(fixtures("twins", &["md"])) {
        let text = std::fs::read_to_string(path).expect("a fixture is text");
        missing.retain(|code| !text.contains(&format!("error[{code}]")));
    }
    // The pages of `hcl explain`, whose output is compared too.
    let explained = std::fs::read_dir(golden::root().join("src/diagnostic/explain")).expect("the explanations");
    let explained = explained.map(|entry| entry.expect("a readable entry").path());
    for path in explained {
        let text = std::fs::read_to_string(path).expect("a fixture is text");
        missing.retain(|code| !text.contains(&format!("[{code}]: ")));
    }
    // It needs a source that is too large for a fixture.
    missing.remove(&Code::SourceTooLarge);
    assert!(missing.is_empty(), "no fixture shows {missing:?}");
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

#[test]
fn every_slip_of_a_realistic_file_is_reported() {
    let mut wrong = Vec::new();
    let cases = cases("broken");
    for case in &cases {
        let slips = case.text("slips").lines();
        let number = |line: &str| line.split(':').next().unwrap_or_default().parse().expect("a line number");
        let mut expected: Vec<usize> = slips.map(number).collect();
        expected.sort_unstable();
        let diagnostics = diagnose(case);
        let reported: Vec<usize> = diagnostics.iter().map(|diagnostic| diagnostic.position().line).collect();
        if reported != expected {
            wrong.push(format!("{}: slips in {expected:?}, reported {reported:?}", case.place()));
        }
        let fixed = case.find("fixed").expect("the fixed file");
        if let Err(diagnostics) = parse::<File>(("fixed", fixed.text())).into_result() {
            wrong.push(format!("{}: the fixed file is rejected: {diagnostics}", case.place()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() >= 40, "there are {} files", cases.len());
}

#[test]
fn errors_are_limited_in_number() {
    // Ten bytes a line, with one error each: first those of the grammars, then those of the lexer.
    let line = |index: usize| if index < 50 { format!("a{index:02} = = 1\n") } else { format!("b{index:02} = '1'\n") };
    let text: String = (0..100).map(line).collect();
    let options = ParseOptions::new().max_errors(20);
    let diagnostics = options.parse::<hcl_lr::File>(("many", text)).into_parts().1;
    assert_eq!(diagnostics.len(), 21);
    let last = diagnostics.iter().last().expect("the last of them");
    assert_eq!((last.code(), last.span().start()), (&Code::TooManyErrors, 20 * 10 + 6));
}
