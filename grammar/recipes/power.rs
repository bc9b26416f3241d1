//! `a ** b` is a power, which groups from the right, and `a <=> b` compares two numbers.

use hcl_lr::Value;
use hcl_lr::format::format;
use recipes::{check_nesting, errors, evaluation_errors, tree, value, variables};

fn main() {
    assert_eq!(
        tree("x = a ** b ** c\n"),
        "Body, Attribute x, BinaryOp **, Variable a, BinaryOp **, Variable b, Variable c"
    );
    assert_eq!(
        tree("x = a * b ** c * d\n"),
        "Body, Attribute x, BinaryOp *, BinaryOp *, Variable a, BinaryOp **, Variable b, Variable c, Variable d"
    );
    assert_eq!(value("2 ** 3 ** 2"), Value::from(512));
    assert_eq!(value("2 * 3 ** 2 + 1"), Value::from(19));
    assert_eq!(value("(2 ** 3) ** 2"), Value::from(64));
    assert_eq!(value("[1 <=> 2, 2 <=> 1 + 1, 3 <=> 2]"), value("[-1, 0, 1]"));
    // The longest spelling counts.
    assert_eq!(value("[1 <= 2, 1 < 2, 2 >= 1]"), value("[true, true, true]"));
    assert_eq!(variables("a ** b.c <=> d"), ["a", "b", "d"]);
    assert_eq!(errors("x = 2 **\n"), ["missing-expression: an operand is expected after `**`"]);
    assert_eq!(evaluation_errors("2 ** 0.5").len(), 1);

    // A chain from the right nests as deep as it is long, so the nesting limit holds for it.
    check_nesting(|depth| format!("x = {}1\n", "1 ** ".repeat(depth)));
    assert_eq!(value(&format!("{}1", "1 ** ".repeat(900))), Value::from(1));
    // One from the left does not nest.
    assert_eq!(errors(&format!("x = {}1\n", "1 <=> ".repeat(20_000))), [""; 0]);
    assert_eq!(format("x=1**2<=>3\n"), "x = 1 ** 2 <=> 3\n");
}
