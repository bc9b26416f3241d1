//! No evaluation may hang, crash, or overflow the stack, however large or deep its input is.
//!
//! Everything runs on threads with a stack of 2 MiB. If the work doubled with each level, the levels here would
//! suffice to never end; `tests/growth` counts how the work grows.

use crate::inputs::{self, scope};
use crate::limits::on_small_stack;
use hcl_lr::diagnostic::Code;
use hcl_lr::eval::{Function, Parameter};
use hcl_lr::model::{Mark, Number, Type, Value};
use hcl_lr::{Expression, ParseOptions, Scope, Template, parse};

const MILLION: usize = 1_000_000;

/// The facts kept of an evaluation after its value is dropped.
#[derive(Debug)]
struct Outcome {
    /// The text of a value that is not large.
    text: String,
    codes: Vec<Code>,
    first: String,
}

fn outcome(evaluation: hcl_lr::Outcome<Value>) -> Outcome {
    let (value, diagnostics) = evaluation.into_parts();
    let is_small = value.height() < 4 && value.elements().is_none_or(|elements| elements.len() < 10);
    let text = match value.as_str() {
        Some(text) => format!("{} bytes", text.len()),
        None if is_small => value.to_string(),
        None => String::new(),
    };
    let first = diagnostics.iter().next().map(|first| first.detail().to_owned()).unwrap_or_default();
    // Showing them must work, too.
    drop(diagnostics.render().to_string());
    drop(value);
    let codes = diagnostics.iter().map(|diagnostic| diagnostic.code().clone()).collect();
    Outcome { text, codes, first }
}

fn evaluate_in(text: &str, scope: &Scope<'_>) -> Outcome {
    let parsed = parse::<Expression>(("limits", text));
    let (expression, _) = parsed.into_parts();
    outcome(expression.evaluate_partially(scope))
}

fn evaluate(text: String) -> Outcome {
    on_small_stack(move || evaluate_in(&text, &scope()))
}

fn evaluate_template(text: String) -> Outcome {
    on_small_stack(move || {
        let (template, _) = parse::<Template>(("limits", text)).into_parts();
        outcome(template.evaluate_partially(&scope()))
    })
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    open.repeat(levels) + inner + &close.repeat(levels)
}

#[test]
fn what_nests_to_the_limit_has_a_value_or_a_diagnostic() {
    let limit = ParseOptions::default().get_max_nesting() as usize;
    for [open, inner, close, levels] in inputs::rows("nested evaluation") {
        let levels: usize = levels.parse().expect("a number");
        let outcome = evaluate(nested(open, inner, close, limit / levels - 1));
        assert!(!outcome.codes.contains(&Code::TooManyErrors), "{open}…{close}: {:?}", outcome.codes.len());
        // One level too many is a parser error, and the rest is evaluated nevertheless.
        evaluate(nested(open, inner, close, limit + 1));
    }
}

#[test]
fn directives_that_nest_to_the_limit_have_a_value() {
    let limit = ParseOptions::default().get_max_nesting() as usize;
    for (open, inner, close, expected) in [
        ("%{ for x in two }", "", "%{ endfor }", "0 bytes"),
        ("%{ for x in one }", "a", "%{ endfor }", "1 bytes"),
        ("%{ if t }", "a", "%{ else }b%{ endif }", "1 bytes"),
        ("%{ if maybe }", "a", "%{ else }b%{ endif }", "(unknown string)"),
        ("%{ for x in none }", "a", "%{ endfor }", "0 bytes"),
        ("%{ for x in one }%{ if t }", "a", "%{ endif }%{ endfor }", "1 bytes"),
    ] {
        // Only a limited number of nested loops over two elements ends in time.
        let levels = if open.contains("two") { 12 } else { limit / open.matches("%{").count() - 1 };
        let outcome = evaluate_template(nested(open, inner, close, levels));
        assert!(outcome.codes.is_empty(), "{open}: {outcome:?}");
        assert!(outcome.text.starts_with(expected), "{open}: {:?}", outcome.text);
        evaluate_template(nested(open, inner, close, limit + 1));
    }
}

/// Each of these would take more than the age of the universe if a level did its work twice.
#[test]
fn no_level_does_the_work_of_the_next_one_twice() {
    for [open, inner, close] in inputs::rows("levels") {
        for levels in [60, 150] {
            evaluate(nested(open, inner, close, levels));
        }
    }
}

#[test]
fn long_chains_have_a_value() {
    for [start, link, expected] in inputs::rows("chains") {
        let outcome = evaluate(format!("{start}{}", link.repeat(100_000)));
        assert!(outcome.text.starts_with(expected), "{link}: {:?} {}", outcome.text, outcome.first);
        assert!(outcome.codes.len() <= 1_001, "{link}: {}", outcome.codes.len());
    }
}

#[test]
fn texts_of_a_megabyte_go_through_everything() {
    // Characters that may combine with their neighbours are the hardest for normalization and for prefixes.
    for piece in ["a", "e\u{301}", "\u{301}", "$"] {
        let text = piece.repeat(MILLION / piece.len());
        on_small_stack(move || {
            let scope = scope().with("big", text.as_str()).with("more", format!("{text}!"));
            for expression in inputs::texts("expressions of long texts") {
                let outcome = evaluate_in(expression, &scope);
                assert!(outcome.first.len() < 5_000, "{expression}: {} bytes", outcome.first.len());
            }
        });
    }
    let literal = evaluate(format!("\"{}\" == \"{}\"", "ä\\n".repeat(MILLION / 4), "b".repeat(MILLION)));
    assert_eq!(literal.text, "false");
    let heredoc = evaluate(format!("<<-EOT\n{}EOT\n", "  a ${n}\n".repeat(MILLION / 10)));
    assert_eq!(heredoc.text, "400000 bytes");
    let key = on_small_stack(|| evaluate_in(&format!("{}[0]", "a".repeat(MILLION)), &scope()));
    assert_eq!(key.codes, [Code::UnknownVariable]);
}

#[test]
fn numbers_at_the_limit_have_a_value_or_a_diagnostic() {
    on_small_stack(|| {
        let digits = |count: usize| Value::from(Number::parse(&"7".repeat(count)).expect("within the range"));
        let power = |text: &str| Value::from(Number::parse(text).expect("within the range"));
        let scope = scope()
            .with("huge", power("1e10000"))
            .with("most", power("1e20000"))
            .with("least", power("1e-20000"))
            .with("long", digits(20_000))
            .with("longer", digits(20_001))
            .with("infinity", Value::from(Number::INFINITY));
        let names = ["huge", "most", "least", "long", "longer", "infinity", "n", "0", "-3.5", "0.1e-15"];
        let operators = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!="];
        for a in names {
            for b in names {
                for operator in operators {
                    let outcome = evaluate_in(&format!("{a} {operator} {b}"), &scope);
                    let found = (outcome.codes.len(), outcome.text.as_str());
                    assert!(
                        matches!(found, (0, text) if !text.is_empty()) || found.0 == 1,
                        "{a} {operator} {b}: {found:?}"
                    );
                }
            }
            for expression in
                ["\"${NAME}\"", "\"a${NAME}b\"", "-NAME", "one[NAME]", "{ (NAME) = 1 }", "[for x in NAME: x]"]
            {
                evaluate_in(&expression.replace("NAME", a), &scope);
            }
        }
        assert_eq!(evaluate_in("huge * huge == most", &scope).text, "true");
        assert_eq!(evaluate_in("huge * most", &scope).codes, [Code::OperationFailed]);
        assert_eq!(evaluate_in("huge / huge", &scope).text, "1");
        assert_eq!(evaluate_in("huge % 7", &scope).text, "4");
        assert_eq!(evaluate_in("\"${huge} \"", &scope).text, "10002 bytes");
        assert_eq!(evaluate_in("huge + 1 > huge", &scope).text, "true");
    });
}

#[test]
fn values_of_three_thousand_levels_go_through_everything() {
    on_small_stack(|| {
        let levels = 3_000;
        let tuple = || (0..levels).fold(Value::from(1), |value, _| Value::tuple([value]));
        let object = || (0..levels).fold(Value::from(1), |value, _| Value::object([("a", value)]));
        let list = || (0..levels).fold(Value::from(1), |value, _| Value::list_of([value]).expect("one type"));
        let list_type = || (0..levels).fold(Type::Number, |ty, _| Type::list(ty));
        let scope = scope()
            .with("deep", tuple())
            .with("same_deep", tuple())
            .with("objects", object())
            .with("same_objects", object())
            .with("lists", list())
            .with("same_lists", list())
            .with("marked", tuple().mark(Mark::new("secret")))
            .with("inner", Value::tuple([tuple().mark(Mark::new("secret"))]))
            .with("null_deep", Value::null(list_type()))
            .with("unknown_deep", Value::unknown(list_type()));
        let pairs = [
            ("deep", "same_deep"),
            ("objects", "same_objects"),
            ("lists", "same_lists"),
            ("deep", "objects"),
            ("deep", "lists"),
            ("marked", "deep"),
            ("inner", "lists"),
            ("unknown_deep", "null_deep"),
        ];
        for (a, b) in pairs {
            for expression in inputs::texts("expressions of deep values") {
                evaluate_in(&expression.replace('A', a).replace('B', b), &scope);
            }
        }
        let wanted = evaluate_in("deep == same_deep", &scope);
        assert_eq!(wanted.text, "true", "{wanted:?}");
    });
}

/// A thousand of the errors in each of many elements are kept, and one says so.
#[test]
fn loops_over_many_elements_have_a_value() {
    for [expression, codes] in inputs::rows("loops") {
        let outcome = on_small_stack(move || {
            let numbers = Value::list(Type::Number, (0..20_000).map(Value::from)).expect("numbers");
            evaluate_in(expression, &scope().with("numbers", numbers))
        });
        assert_eq!(
            outcome.codes.len().to_string(),
            codes,
            "{expression}: {:?} {}",
            outcome.codes.first(),
            outcome.first
        );
    }
}

#[test]
fn a_product_of_three_loops_is_what_it_costs() {
    let outcome = on_small_stack(|| {
        let numbers = Value::tuple((0..1_000).map(Value::from));
        let text = "[for a in numbers: [for b in numbers: [for c in numbers: c if c > a] if b > 998] if a > 998]";
        evaluate_in(text, &scope().with("numbers", numbers))
    });
    assert_eq!((outcome.codes.len(), outcome.text.as_str()), (0, "[[[]]]"));
}

#[test]
fn large_sources_and_scopes_have_a_value() {
    on_small_stack(|| {
        let count = 20_000;
        let text: String = (0..count).map(|number| format!("attribute_{number} = n + {number}\n")).collect();
        let file = hcl_lr::parse::<hcl_lr::File>(&text).into_result().expect("no errors");
        let (values, diagnostics) = file.body().evaluate_attributes(&scope()).into_parts();
        assert_eq!((values.len(), diagnostics.len()), (count, 0));

        let mut scope = Scope::new();
        for number in 0..count {
            scope.set(format!("variable_{number}"), number);
        }
        let sum: Vec<String> = (0..count).map(|number| format!("variable_{number}")).collect();
        assert_eq!(evaluate_in(&sum.join(" + "), &scope).text, (count * (count - 1) / 2).to_string());
    });
}

#[test]
fn recursion_through_functions_ends() {
    let outcome = on_small_stack(|| {
        let again = Function::lazy([], Some(Parameter::new("e", Type::Dynamic)), |_| {
            // The scope of the argument does not have it: it makes its own.
            fn scope() -> Scope<'static> {
                let again = Function::lazy([], None, |_| {
                    let expression = parse::<Expression>(("again", "[again()][0]"));
                    Ok(expression.into_result()?.evaluate(&scope())?)
                });
                Scope::new().with_function("again", again)
            }
            let expression = parse::<Expression>(("again", "again()"));
            Ok(expression.into_result()?.evaluate(&scope())?)
        });
        evaluate_in("again()", &Scope::new().with_function("again", again))
    });
    assert_eq!(outcome.codes, [Code::FunctionFailed]);
}
