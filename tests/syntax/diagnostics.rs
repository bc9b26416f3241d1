//! Every message that a person can see stands in a fixture, as it is shown.
//!
//! `fixtures/diagnostics/NAME.EXTENSION` is a source with something wrong in it and `NAME.txt` what
//! is printed for it. The extension tells what the source is: `hcl` a configuration file, `expr`
//! an expression, `tmpl` a template, `path` a traversal, `json` a body in JSON; a name that begins with `strict-` is read
//! in strict mode. `UPDATE_GOLDEN=1 cargo test` writes the texts anew.
//!
//! `fixtures/evaluation` is the same for what is wrong when a source is evaluated, with the variables
//! that [`scope`] has. There `list`, `map`, `call` and `traversal` are expressions that are read as such
//! without evaluating them.
//!
//! `fixtures/broken/NAME.hcl` is a realistic file with mistakes that people make, `NAME.slips` the
//! line of each with a description, `NAME.fixed` the file without them. Every slip must be reported
//! at its line, and nothing else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::golden::{self, Golden, fixtures};
use hcl_lr::diagnostic::{Code, Diagnostics};
use hcl_lr::eval::{Function, FunctionError, Parameter};
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Source;
use hcl_lr::{Dialect, Expression, File, ParseOptions, Scope, functions, parse};

/// The kinds of sources that are evaluated.
const EVALUATED: [&str; 6] = ["hcl", "tmpl", "list", "map", "call", "traversal"];

/// The diagnostics of a fixture, parsed as its name says.
fn diagnose(path: &Path) -> Diagnostics {
    let name = path.file_name().expect("a name").to_string_lossy();
    let source = Source::from_bytes(&name, std::fs::read(path).expect("a readable fixture"));
    let dialect = if name.starts_with("strict-") { Dialect::Strict } else { Dialect::Engine };
    let options = ParseOptions::new().with_dialect(dialect);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("expr") => options.parse::<hcl_lr::Expression>(source).into_parts().1,
        Some("tmpl") => options.parse::<hcl_lr::Template>(source).into_parts().1,
        Some("path") => options.parse::<hcl_lr::Traversal>(source).into_parts().1,
        Some("json") => options.parse::<hcl_lr::ConfigFile>(source).into_parts().1,
        _ => options.parse::<hcl_lr::File>(source).into_parts().1,
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

/// The diagnostics of a fixture that is right as far as the parser is concerned.
fn diagnose_evaluation(path: &Path) -> Diagnostics {
    let name = path.file_name().expect("a name").to_string_lossy();
    let text = std::fs::read_to_string(path).expect("a readable fixture");
    let (source, options) = (Source::new(&name, text), ParseOptions::default());
    // Without variables and functions, as for files that are to say nothing but literals.
    let scope = if name.starts_with("literal-only") { Scope::new() } else { scope() };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(want @ ("list" | "map" | "call" | "traversal")) => {
            let expression = options.parse::<hcl_lr::Expression>(source).into_result().expect("an expression");
            match want {
                "list" => expression.static_list().map(drop),
                "map" => expression.static_map().map(drop),
                "call" => expression.static_call().map(drop),
                _ => expression.static_traversal().map(drop),
            }
            .expect_err("something else")
        }
        Some("tmpl") => {
            let template = options.parse::<hcl_lr::Template>(source).into_result().expect("a template");
            template.evaluate_partially(&scope).into_parts().1
        }
        _ => {
            let file = options.parse::<hcl_lr::File>(source).into_result().expect("a file");
            file.body().evaluate_attributes(&scope).into_parts().1
        }
    }
}

fn sources(folder: &str) -> Vec<PathBuf> {
    fixtures(folder, &["hcl", "expr", "tmpl", "path", "json"])
}

#[test]
fn messages_are_as_recorded() {
    let mut golden = Golden::new();
    for path in sources("diagnostics").into_iter().chain(sources("broken")) {
        golden.check(&path.with_extension("txt"), &diagnose(&path).render());
    }
    for path in fixtures("evaluation", &EVALUATED) {
        golden.check(&path.with_extension("txt"), &diagnose_evaluation(&path).render());
    }
    golden.finish();
}

#[test]
fn every_kind_of_message_has_a_fixture() {
    let mut missing: BTreeSet<Code> = Code::ALL.iter().cloned().collect();
    // These files are compared with the actual output by the tests that they belong to.
    for path in fixtures("", &["txt"]) {
        let text = std::fs::read_to_string(&path).expect("a readable fixture");
        missing.retain(|code| !text.contains(&format!("[{code}]: ")));
    }
    // The output of commands, and the messages that are the same for both syntaxes.
    for path in fixtures("cli", &["txt"]).into_iter().chain(fixtures("twins", &["md"])) {
        let text = std::fs::read_to_string(path).expect("a fixture is text");
        missing.retain(|code| !text.contains(&format!("error[{code}]")));
    }
    // Fixtures of schemas, and the pages of `hcl explain`, whose output is compared too.
    let explained = std::fs::read_dir(golden::root().join("src/diagnostic/explain")).expect("the explanations");
    let explained = explained.map(|entry| entry.expect("a readable entry").path());
    for path in fixtures("schema", &["md"]).into_iter().chain(explained) {
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
    // The innermost of the calls says what is wrong; those around it say so one after the other.
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
    let paths = fixtures("broken", &["hcl"]);
    for path in &paths {
        let slips = std::fs::read_to_string(path.with_extension("slips")).expect("the slips beside the file");
        let mut expected: Vec<usize> = slips
            .lines()
            .map(|line| line.split('\t').next().unwrap_or_default().parse().expect("a line number"))
            .collect();
        expected.sort_unstable();
        let diagnostics = diagnose(path);
        let reported: Vec<usize> = diagnostics.iter().map(|diagnostic| diagnostic.position().line).collect();
        if reported != expected {
            wrong.push(format!("{}: slips in {expected:?}, reported {reported:?}", path.display()));
        }
        let fixed = Source::from_bytes("fixed", std::fs::read(path.with_extension("fixed")).expect("the fixed file"));
        if let Err(diagnostics) = parse::<File>(fixed).into_result() {
            wrong.push(format!("{}: the fixed file is rejected: {diagnostics}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
    assert!(paths.len() >= 40, "there are {} files", paths.len());
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
