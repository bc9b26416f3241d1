//! Two operators before their operand: `not a`, a word, and `+a`.

use hcl_lr::format::format;
use recipes::{check_nesting, errors, evaluation_errors, tree, value, variables};

fn main() {
    assert_eq!(
        tree("x = not a && +b - +1\n"),
        "Body, Attribute x, BinaryOp &&, UnaryOp not, Variable a, BinaryOp -, UnaryOp +, Variable b, UnaryOp +, Literal 1"
    );
    assert_eq!(value("[not true, not \"false\", not !true, not not true]"), value("[false, true, true, true]"));
    assert_eq!(value("[+1, +\"2\", - +3, 1 + +2, 1 ++ 2]"), value("[1, 2, -3, 3, 3]"));
    assert_eq!(evaluation_errors("not 1").len(), 1);
    assert_eq!(evaluation_errors("+\"a\"").len(), 1);
    assert_eq!(variables("not a.b || +c == 1"), ["a", "c"]);

    // The word is an operator only where it was an error: a name, a call, an access and a subtraction are what they were.
    assert_eq!(tree("not = not\n"), "Body, Attribute not, Variable not");
    assert_eq!(tree("x = not(a)\n"), "Body, Attribute x, FunctionCall not, Variable a");
    assert_eq!(tree("x = not - 1\n"), "Body, Attribute x, BinaryOp -, Variable not, Literal 1");
    assert_eq!(value("[for not in [1, 2] : not if not == 1]"), value("[1]"));
    assert_eq!(value("{ not = 1 }"), value("{ \"not\" = 1 }"));
    assert_eq!(errors("x = not\n"), [""; 0]);
    assert_eq!(errors("x = 1 +\n"), ["missing-expression: an operand is expected after `+`"]);

    assert_eq!(format("x=not   a\ny=+ 1\nz=1+1\n"), "x = not a\ny = +1\nz = 1 + 1\n");
    // Operators before an operand nest.
    check_nesting(|depth| format!("x = {}a\n", "not ".repeat(depth)));
    check_nesting(|depth| format!("x = {}1\n", "+".repeat(depth)));
}
