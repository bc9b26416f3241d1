//! Evaluation at the limit of nesting, and of long chains, on a thread with 2 MiB of stack.

use crate::inputs::scope;
use crate::limits::on_small_stack;
use hcl_lr::diagnostic::Code;
use hcl_lr::eval::Function;
use hcl_lr::{Expression, Scope, parse};

/// The facts kept of an evaluation after its values are dropped, on the same thread.
struct Result {
    height: u32,
    /// The text of a value that is not deep.
    text: String,
    codes: Vec<Code>,
}

fn evaluate(text: String) -> Result {
    on_small_stack(move || {
        let parsed = parse::<Expression>(("deep", text.as_str()));
        let expression = parsed.into_result().expect("an expression within the limits");
        assert!(expression.variables().len() <= text.len());
        let (value, diagnostics) = expression.evaluate_partially(&scope()).into_parts();
        let height = value.height();
        let text = if height < 5 { value.to_string() } else { String::new() };
        Result { height, text, codes: diagnostics.iter().map(|diagnostic| diagnostic.code().clone()).collect() }
    })
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    open.repeat(levels) + inner + &close.repeat(levels)
}

#[test]
fn every_construct_nests_to_the_limit() {
    // The nested text, the text around it, the number of levels, and the value.
    let cases = [
        ("(", "n", ")", 999, "1"),
        ("same(", "n", ")", 999, "1"),
        ("upper(", "s", ")", 999, "\"TEXT\""),
        ("try(", "n", ")", 999, "1"),
        ("try(nothing, ", "n", ")", 999, "1"),
        ("can(", "n", ")", 999, "true"),
        ("!", "t", "", 999, "false"),
        ("-", "n", "", 999, "-1"),
        ("t ? ", "n", " : 2", 999, "1"),
        ("t ? 1 : ", "n", "", 999, "1"),
        ("one[0 * ", "0", "]", 999, "1"),
        ("\"${", "n", "}\"", 499, "1"),
        ("[for x in ", "one", ": x]", 999, "[1]"),
    ];
    for (open, inner, close, levels, expected) in cases {
        let result = evaluate(nested(open, inner, close, levels));
        assert_eq!((result.codes.len(), &*result.text), (0, expected), "{open} {close}");
    }
}

#[test]
fn values_may_become_as_deep_as_expressions() {
    let cases = [
        ("[", "n", "]", 999, 1_000),
        ("{ a = ", "n", " }", 999, 1_000),
        ("[for x in one: ", "n", "]", 999, 1_000),
        ("{ for x in one: x => ", "n", "}", 999, 1_000),
        ("{ for x in one: x => ", "n", "... if t}", 499, 999),
    ];
    for (open, inner, close, levels, height) in cases {
        assert_eq!(evaluate(nested(open, inner, close, levels)).height, height, "{open} {close}");
    }
}

#[test]
fn templates_nest_to_the_limit() {
    for (open, close, levels) in [
        ("\"-${", "}\"", 499),
        ("\"%{ if t }-${", "}%{ endif }\"", 332),
        ("\"%{ for x in one }-${", "}%{ endfor }\"", 332),
    ] {
        let result = evaluate(nested(open, "n", close, levels));
        assert_eq!((result.codes.len(), result.text), (0, format!("\"{}1\"", "-".repeat(levels))), "{open}");
    }
}

#[test]
fn operators_of_all_precedences_nest_to_the_limit() {
    // Each multiplication but the innermost is of a bool, which does not matter where `t ||` decides.
    let result = evaluate(nested("(t || t && t == n < n + n * ", "1", ")", 999));
    assert_eq!((result.codes.len(), &*result.text), (0, "true"));
    let numbers = evaluate(nested("(n + 0 * -", "1", ")", 499));
    assert_eq!((numbers.codes.len(), &*numbers.text), (0, "1"));
}

#[test]
fn operations_on_deep_values_have_room_below_deep_expressions() {
    let deep = nested("[", "1", "]", 490);
    for operation in [format!("{deep} == {deep}"), format!("(t ? {deep} : {deep}) == same({deep})")] {
        let result = evaluate(nested("(", &operation, ")", 490));
        assert_eq!((result.codes.len(), &*result.text), (0, "true"));
    }
    let failing = evaluate(nested("(", &format!("{deep} + upper({deep})"), ")", 490));
    assert_eq!(failing.codes, [Code::InvalidOperand, Code::InvalidArgument]);
}

#[test]
fn chains_are_as_long_as_one_likes() {
    assert_eq!(evaluate(format!("n{}", " + 1".repeat(100_000))).text, "100001");
    assert_eq!(evaluate(format!("t{}", " && nothing || t".repeat(20_000))).text, "true");
    let object = "{ a = [1] }".to_owned();
    let result = evaluate(format!("{object}{}", ".a[n - 1]".repeat(50_000)));
    assert_eq!(result.codes, [Code::UnsupportedAttribute]);
    let result = evaluate(format!("[{}]", "n, ".repeat(100_000)));
    assert_eq!(result.height, 2);
}

/// A scope with a function that evaluates a call of itself.
fn endless() -> Scope<'static> {
    let again = Function::lazy([], None, |_| {
        let parsed = parse::<Expression>(("again", "1 + again()"));
        Ok(parsed.into_result()?.evaluate(&endless())?)
    });
    Scope::new().with_function("again", again)
}

#[test]
fn functions_that_evaluate_themselves_come_to_an_end() {
    let diagnostics = on_small_stack(|| {
        let parsed = parse::<Expression>(("start", "[again()]"));
        parsed.into_result().expect("an expression").evaluate(&endless()).expect_err("no end")
    });
    // An error further down has no place in this source, but the call has.
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code()).collect::<Vec<_>>(), [Code::FunctionFailed]);
    let detail = diagnostics.iter().next().expect("one").detail().to_owned();
    assert!(detail.contains("nested too deeply"), "{}", detail.len());
    assert!(detail.len() < 2_000, "the message is {} bytes long", detail.len());
}
