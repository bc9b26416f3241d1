//! `a!` is the product of the whole numbers up to `a`. The operator is after its operand.

use hcl_lr::format::format;
use hcl_lr::{Scope, Value};
use recipes::{check_nesting, errors, evaluation_errors, tree, value, value_in, variables};

fn main() {
    assert_eq!(
        tree("x = -a.b! + !c!\n"),
        "Body, Attribute x, BinaryOp +, UnaryOp -, UnaryOp !, Traversal a.b, UnaryOp !, UnaryOp !, Variable c"
    );
    assert_eq!(value("[5!, 3!!, -3!, 0!, [3][0]!, 2 * 3!, (1 + 2)!]"), value("[120, 720, -6, 1, 6, 12, 6]"));
    // The longest spelling counts.
    assert_eq!(value("[3 != 3, 3! != 3, 3! == 6]"), value("[false, true, true]"));
    // In a splat it belongs to each element.
    assert_eq!(value("[1, 2, 3][*]!"), value("[1, 2, 6]"));
    assert_eq!(value("[{ a = 3 }][*].a!"), value("[6]"));
    assert_eq!(evaluation_errors("0.5!").len(), 1);
    assert_eq!(evaluation_errors("\"a\"!").len(), 1);
    assert_eq!(variables("a! + b.c!"), ["a", "b"]);
    let secret = Scope::new().with("secret", Value::from(3).mark("sensitive"));
    assert_eq!(value_in("secret!", &secret), Value::from(6).mark("sensitive"));

    assert_eq!(format("x=a !\ny=a! *2\n"), "x = a!\ny = a! * 2\n");
    // Each operator has what is before it within it.
    check_nesting(|depth| format!("x = 1{}\n", "!".repeat(depth)));
    check_nesting(|depth| format!("x = a{}\n", "!.b".repeat(depth)));
    assert_eq!(errors("x = a !\n"), [""; 0]);
}
