//! `a matches b` is true if a text is like a pattern, in which `*` is any text. The operator is a word. `a =~ b` is the same,
//! and `a !~ b` the opposite: their first signs mean something else alone.

use hcl_lr::Value;
use hcl_lr::format::format;
use recipes::{check_nesting, errors, evaluation_errors, tree, value, variables};

fn main() {
    assert_eq!(
        tree("x = a.b matches \"c*\" && d\n"),
        "Body, Attribute x, BinaryOp &&, BinaryOp matches, Traversal a.b, Literal \"c*\", Variable d"
    );
    let text = "[\"abc\" matches \"a*c\", \"abc\" matches \"b\", (1)matches 1, \"a\" matches \"*a*\" == true]";
    assert_eq!(value(text), value("[true, false, true, true]"));
    assert_eq!(evaluation_errors("null matches \"a\"").len(), 1);
    let text = "[\"abc\" =~ \"a*\", \"abc\" !~ \"a*\", \"a\" == \"a\", \"a\" != \"b\", !true, 1 !~ !true]";
    assert_eq!(value(text), value("[true, false, true, true, false, true]"));
    assert_eq!(tree("x = a =~ b\n"), "Body, Attribute x, BinaryOp =~, Variable a, Variable b");
    assert_eq!(errors("x = a !~\n"), ["missing-expression: an operand is expected after `!~`"]);
    assert_eq!(value("{ a = !true }.a"), Value::from(false));
    assert_eq!(format("x=\"a\"=~b\ny=a!~b\n"), "x = \"a\" =~ b\ny = a !~ b\n");
    assert_eq!(variables("a matches b.c"), ["a", "b"]);

    // The word is an operator only after an operand, where a name was an error.
    assert_eq!(tree("matches = matches\n"), "Body, Attribute matches, Variable matches");
    assert_eq!(value("[for matches in [1, 2] : matches + 1]"), value("[2, 3]"));
    assert_eq!(value("{ matches = 1 }.matches"), Value::from(1));
    assert_eq!(
        tree("x = matches matches matches\n"),
        "Body, Attribute x, BinaryOp matches, Variable matches, Variable matches"
    );
    assert_eq!(tree("b matches {\n}\n"), "Body, Block b matches, Body");
    assert_eq!(errors("x = a matches\n"), ["missing-expression: an operand is expected after `matches`"]);
    // It ends where the word ends.
    assert_eq!(errors("x = a matchesb\n").len(), 1);

    assert_eq!(format("x=a  matches(b)\ny=a matches -1\n"), "x = a matches (b)\ny = a matches -1\n");
    assert_eq!(format("b matches {\n}\nc matches \"a\" {\n}\n"), "b matches {\n}\nc matches \"a\" {\n}\n");
    check_nesting(|depth| format!("x = {}1{}\n", "1 matches (".repeat(depth), ")".repeat(depth)));
    // A chain from the left is no nesting.
    assert_eq!(errors(&format!("x = {}1\n", "1 matches ".repeat(20_000))), [""; 0]);
}
