//! `let x = 1 in x + 1` gives a value a name within an expression.

use hcl_lr::Value;
use hcl_lr::format::format;
use hcl_lr::syntax::ast::ExpressionKind;
use recipes::{check_nesting, errors, evaluation_errors, file, tree, value, variables, with_expression};

fn main() {
    assert_eq!(
        tree("x = let y = 1 in y + 1\n"),
        "Body, Attribute x, Let y, Literal 1, BinaryOp +, Variable y, Literal 1"
    );
    let is_let = with_expression("let y = 1 in y", |node| matches!(node.kind(), ExpressionKind::Let(_)));
    assert!(is_let);
    assert_eq!(value("let x = 1 in x + 1"), Value::from(2));
    assert_eq!(value("let x = 1 in let y = x + 1 in x + y"), Value::from(3));
    assert_eq!(value("let x = let y = 2 in y * y in (let x = x + 1 in x) + x"), Value::from(9));
    assert_eq!(value("[for n in let m = [1, 2] in m : let k = n + a in k * k]"), value("[4, 9]"));
    assert_eq!(value("\"${let x = a in x}${a}\""), Value::from("11"));
    assert_eq!(value("{ k = let x = a in x }"), value("{ k = 1 }"));
    // The body is bound, and nothing else is.
    assert_eq!(variables("let x = x + y in [x, z, let z = x in z]"), ["x", "y", "z"]);
    assert_eq!(evaluation_errors("(let x = 1 in x) + x"), ["unknown-variable: there is no variable named \"x\""]);

    assert_eq!(errors("x = let y = 1\n"), ["unexpected-token: expected `in`, not the end of the line"]);
    let operators = "`[`, `?`, `.` and a name, `.` and a number, `.*`, `[*]`, an operator, `-`";
    let missing_in = format!("unexpected-token: expected one of {operators} or `in`, not `y`");
    // Beside the recipes `pipe` and `factorial` there are more operators.
    let others = |error: &String| error.replace("`postfix`, ", "").replace("`-`, `|>` or", "`-` or");
    let missing = |text: &str| errors(text).iter().map(others).collect();
    let found: Vec<String> = missing("x = let y = 1 y\n");
    assert_eq!(found, [missing_in.as_str()]);
    assert_eq!(errors("x = let = 1 in y\n"), ["extra-after-expression: a second `=` is not possible here"]);
    let found: Vec<String> = missing("x = [let y = 1 y]\n");
    assert_eq!(found, [missing_in]);
    assert_eq!(errors("x = 1 + let y = 1 in y\n"), ["missing-expression: an expression is expected here, not `let`"]);
    check_nesting(|depth| format!("x = {}1\n", "let x = 1 in ".repeat(depth)));
    check_nesting(|depth| format!("x = {}1{}\n", "let x = ".repeat(depth), " in 1".repeat(depth)));
    check_nesting(|depth| format!("x = {}1{}\n", "(let x = [".repeat(depth / 2), "] in 1)".repeat(depth / 2)));
    assert_eq!(value(&format!("{}x", "let x = a in ".repeat(900))), Value::from(1));

    // As before, `let` and `in` may be names.
    let text = "x = let\ny = let.in\nlet x {}\nlet = [for let in in : let]\nz = { let = 1, in = let == 1 }\n";
    assert_eq!(file(text).body().items().len(), 5);
    assert_eq!(variables("[for let in in : let == 1]"), ["in"]);
    assert_eq!(format("x=let  y=[ 1 ]in y[0]\n"), "x = let y = [1] in y[0]\n");
}
