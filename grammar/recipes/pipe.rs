//! `a |> f` calls the function `f` with the argument `a`.

use hcl_lr::format::format;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::{Scope, Value, functions};
use recipes::{check_nesting, errors, in_words, tree, variables, with_expression};

/// The value of an expression in which `a` is 1, with the functions of the library, or what is wrong with it.
fn evaluated(expression: &str) -> Result<Value, Vec<String>> {
    let scope = Scope::new().with("a", 1).with_functions(functions::standard());
    with_expression(expression, |node| node.evaluate(&scope)).map_err(|errors| in_words(&errors))
}

fn main() {
    assert_eq!(evaluated("\"a\" |> upper"), Ok(Value::from("A")));
    assert_eq!(evaluated("-a - 1 |> abs |> max + 1"), Ok(Value::from(3)));
    assert_eq!(evaluated("\"${\"b\" |> upper}\""), Ok(Value::from("B")));
    assert_eq!(evaluated("a |> g"), Err(vec!["unknown-function: there is no function named \"g\"".to_owned()]));
    let too_few = "missing-argument: function \"substr\" needs 3 arguments: \"offset\" and \"length\" are missing";
    assert_eq!(evaluated("a |> substr"), Err(vec![too_few.to_owned()]));

    // All that is before it is the argument; what is after the name belongs to the result.
    assert_eq!(
        tree("x = a + 1 |> f |> a::b + c\n"),
        "Body, Attribute x, BinaryOp +, PipedCall a::b, PipedCall f, BinaryOp +, Variable a, Literal 1, Variable c"
    );
    assert_eq!(
        tree("x = a ? -b |> f : c\n"),
        "Body, Attribute x, Conditional, Variable a, PipedCall f, UnaryOp -, Variable b, Variable c"
    );
    // It is a call like any other, whose parts have their places.
    with_expression("a.b |> f::g", |node| match node.kind() {
        ExpressionKind::FunctionCall(call) => {
            assert_eq!((call.name().as_ref(), call.name_span().range()), ("f::g", 11..15));
            assert_eq!((call.open_span().range(), call.arguments().len()), (8..10, 1));
        }
        other => panic!("{other:?}"),
    });
    assert_eq!(variables("a.b |> f"), ["a"]);

    assert_eq!(errors("x = 1 |>\n"), ["unexpected-token: expected a name, not the end of the line"]);
    assert_eq!(errors("x = [1 |> (f)]\n"), ["unexpected-token: expected a name, not `(`"]);
    assert_eq!(errors("x = 1 |> f(2)\n"), ["extra-after-expression: `(` is unexpected after the end of the value"]);
    assert_eq!(errors("x = |> f\n"), ["missing-expression: an expression is expected here, not `|>`"]);
    // Each call is within the next one.
    check_nesting(|depth| format!("x = 1{}\n", " |> f".repeat(depth)));

    // As before, one `|` is no operator.
    assert_eq!(errors("x = a | b\n").len(), 1);
    assert_eq!(format("x=a|>f\ny  = [ 1|>f |>g ]\n"), "x = a |> f\ny = [1 |> f |> g]\n");
}
