//! Expressions over many elements, large expressions, and levels that must not do the work of the next
//! one twice.

use hcl_lr::model::{Mark, Type, Value};
use hcl_lr::{Expression, ParseOptions, Scope, parse};

use super::Case;
use crate::inputs::{self, scope};

fn parsed(text: &str) -> Expression {
    parse::<Expression>(("growth", text)).into_result().expect("no errors")
}

fn evaluate(expression: Expression, scope: Scope<'static>) -> impl FnOnce() {
    move || {
        let evaluation = expression.evaluate_partially(&scope);
        drop(evaluation.diagnostics().render().to_string());
    }
}

pub fn loops() -> Vec<Case> {
    let mut cases = Vec::new();
    for [expression, _] in inputs::rows("loops") {
        // A thousand errors are kept; for as many that is more work than for the others.
        cases.push(Case::new(expression, 4_000, move |size| {
            let numbers = Value::list(Type::Number, (0..size).map(Value::from)).expect("numbers");
            evaluate(parsed(expression), scope().with("numbers", numbers))
        }));
    }
    for expression in inputs::texts("loops over marked elements") {
        cases.push(Case::new(format!("{expression} of marked ones"), 1_000, move |size| {
            let items = (0..size).map(|number| Value::from(number).mark(Mark::new(&format!("mark {number}"))));
            evaluate(parsed(expression), scope().with("items", Value::tuple(items)))
        }));
    }
    cases
}

pub fn large() -> Vec<Case> {
    let mut cases = vec![Case::new("a body of many attributes", 1_000, |size| {
        let text: String = (0..size).map(|number| format!("attribute_{number} = n + {number}\n")).collect();
        let file = hcl_lr::parse::<hcl_lr::File>(text).into_result().expect("no errors");
        move || drop(file.body().evaluate_attributes(&scope()))
    })];
    for [open, part, close] in inputs::rows("large expressions") {
        cases.push(Case::new(format!("{open}{part}{close}"), 900, move |size| {
            let parts: String = (0..size).map(|number| part.replace("NUMBER", &number.to_string())).collect();
            let options = ParseOptions::new().max_nesting(10_000);
            let source = ("growth", format!("{open}{parts}{close}"));
            evaluate(options.parse::<Expression>(source).into_result().expect("no errors"), scope())
        }));
    }
    cases.push(Case::new("many variables, each of them used", 1_000, |size| {
        let mut scope = Scope::new();
        (0..size).for_each(|number| scope.set(format!("variable_{number}"), number));
        let sum: Vec<String> = (0..size).map(|number| format!("variable_{number}")).collect();
        evaluate(parsed(&sum.join(" + ")), scope)
    }));
    cases.push(Case::new("many variables, and many others that are not there", 2_500, |size| {
        let mut scope = scope();
        (0..size).for_each(|number| scope.set(format!("variable_{number}"), number));
        let list: Vec<String> = (0..size).map(|number| format!("try(variabel_{number}, 1)")).collect();
        evaluate(parsed(&format!("[{}]", list.join(", "))), scope)
    }));
    for expression in inputs::texts("expressions of many keys") {
        cases.push(Case::new(format!("{expression} of many keys"), 2_500, move |size| {
            let object = Value::object((0..size).map(|number| (format!("key_{number}"), Value::from(number))));
            let numbers = Value::tuple((0..size).map(Value::from));
            let work = evaluate(parsed(expression), scope().with("object", object.clone()).with("numbers", numbers));
            // Some take the same for all sizes: looking at each key once makes them grow.
            move || {
                work();
                let again = object.entries().into_iter().flatten();
                assert_eq!(object, Value::object(again.map(|(name, value)| (name, value.clone()))));
            }
        }));
    }
    cases
}

/// Long texts, of what may combine with its neighbours too: that is the hardest for normalization and
/// for prefixes.
pub fn texts() -> Vec<Case> {
    let mut cases = Vec::new();
    for piece in ["a", "e\u{301}", "\u{301}", "$"] {
        for expression in inputs::texts("expressions of long texts") {
            cases.push(Case::new(format!("{expression} of {piece:?}"), 5_000, move |size| {
                let text = piece.repeat(size);
                let scope = scope().with("big", text.as_str()).with("more", format!("{text}!"));
                let work = evaluate(parsed(expression), scope.with("open", Value::unknown(Type::String)));
                // Some only pass it on: reading it once makes them grow.
                move || {
                    work();
                    drop(Value::from(text));
                }
            }));
        }
    }
    cases
}

/// Loops in loops, of which only the last element of each goes on to the next one.
pub fn loops_in_loops() -> impl FnOnce() {
    let numbers = Value::tuple((0..1_000).map(Value::from));
    let text = "[for a in numbers: [for b in numbers: [for c in numbers: c if c > a] if b > 998] if a > 998]";
    evaluate(parsed(text), Scope::new().with("numbers", numbers))
}

/// Expressions that nest, a given number of levels deep.
pub fn levels() -> Vec<Case> {
    let case = |[open, inner, close]: [&'static str; 3]| {
        Case::new(format!("{open}{inner}{close}"), 5, move |levels| {
            evaluate(parsed(&format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))), scope())
        })
    };
    inputs::rows("levels").map(case).collect()
}
