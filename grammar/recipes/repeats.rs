//! The language as it is, by grammars with `*`, `+`, `?` and groups.

use hcl_lr::Value;
use recipes::{errors, tree, value};

fn main() {
    // `*`
    assert_eq!(tree("a {}\n"), "Body, Block a, Body");
    assert_eq!(tree("a b \"c\" d {}\n"), "Body, Block a b \"c\" d, Body");
    // `*` of a group
    assert_eq!(tree("x = f(a::b::c())\n"), "Body, Attribute x, FunctionCall f, FunctionCall a::b::c");
    // `?` of a group
    assert_eq!(value("[for v in [a, 2] : v + 1]"), value("[2, 3]"));
    assert_eq!(value("[for i, v in [a, 2] : i]"), value("[0, 1]"));
    // `+`
    assert_eq!(value("\"${a}-%{ for v in [a, 2] }<${v}>%{ endfor }\""), Value::from("1-<1><2>"));
    assert_eq!(value("\"%{ if a == 1 }%{ else }b%{ endif }\""), Value::from(""));

    assert_eq!(errors("x = [for v, in a : v]\n"), ["for-expression: `in` is expected after the names, not `a`"]);
}
