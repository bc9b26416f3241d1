//! `a ?? b` is `a`, or `b` if `a` is null.

use hcl_lr::model::Type;
use hcl_lr::{Scope, Value};
use recipes::{check_nesting, errors, evaluation_errors, tree, value, value_in, variables};

fn main() {
    // It binds less tightly than all other operators, and from the left.
    assert_eq!(
        tree("x = a ?? b || c ?? d\n"),
        "Body, Attribute x, BinaryOp ??, BinaryOp ??, Variable a, BinaryOp ||, Variable b, Variable c, Variable d"
    );
    let expected = [Value::from(1), Value::from(2), Value::from(2), Value::from(true), Value::from(3)];
    let text = "[null ?? 1, 2 ?? 1, 2 ?? null, null ?? false || true, null ?? null ?? 3]";
    assert_eq!(value(text), Value::tuple(expected));
    // The right operand does not count where the left one decides.
    assert_eq!(value("a ?? c"), Value::from(1));
    assert_eq!(evaluation_errors("null ?? c"), ["unknown-variable: there is no variable named \"c\""]);
    assert_eq!(variables("a ?? b.c"), ["a", "b"]);

    // The operation says nothing of marks; the frame of operators adds those of both operands.
    let secret = |value: Value| value.mark("sensitive");
    let scope = Scope::new()
        .with("nothing", secret(Value::null(Type::String)))
        .with("later", secret(Value::unknown(Type::String)))
        .with("parts", Value::tuple([secret(Value::from("b"))]));
    assert_eq!(value_in("nothing ?? \"a\"", &scope), secret(Value::from("a")));
    assert_eq!(value_in("\"a\" ?? nothing", &scope), secret(Value::from("a")));
    assert_eq!(value_in("later ?? \"a\"", &scope), secret(Value::unknown(Type::Dynamic)));
    assert_eq!(value_in("null ?? parts", &scope), Value::tuple([secret(Value::from("b"))]));

    assert_eq!(errors("x = 1 ??\n"), ["missing-expression: an operand is expected after `??`"]);
    assert_eq!(errors("x = ?? 1\n"), ["missing-expression: an expression is expected here, not `??`"]);
    // A conditional is what it was.
    assert_eq!(value("true ? 1 : 2"), Value::from(1));
    check_nesting(|depth| format!("x = {}1{}\n", "null ?? (".repeat(depth), ")".repeat(depth)));
    // A chain is no nesting.
    assert_eq!(value(&format!("{}1", "null ?? ".repeat(300_000))), Value::from(1));
}
