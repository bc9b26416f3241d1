//! `%{ set x = 1 }` gives a value a name in the rest of a template.

use hcl_lr::Value;
use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::format::format;
use recipes::{check_nesting, errors, evaluation_errors, file, tree, value, variables};

fn main() {
    assert_eq!(
        tree("x = \"%{ set y = 1 }${y}\"\n"),
        "Body, Attribute x, TemplateExpr, Template, TemplateSet y, Literal 1, Interpolation, Variable y"
    );
    assert_eq!(value("\"%{ set x = a + 1 }${x}%{ set x = x * 2 }${x}\""), Value::from("24"));
    assert_eq!(value("\"%{ set x = 1 }\""), Value::from(""));
    assert_eq!(value("\"a ${~ a } %{~ set x = 2 ~} ${x}\""), Value::from("a12"));
    assert_eq!(value("<<EOT\n%{ set x = \"}\" ~}\n${x}\nEOT\n"), Value::from("}\n"));
    // It ends with the template it stands in.
    let text = "\"%{ for n in [1, 2] }%{ set a = a + n }${a}%{ endfor }${a}\"";
    assert_eq!(value(text), Value::from("231"));
    assert_eq!(value("\"%{ if true }%{ set a = 2 }${a}%{ endif }${a}\""), Value::from("21"));
    assert_eq!(variables("[\"${x}%{ set x = x.y + z }${x}%{ if x }${x}%{ endif }\", x]"), ["x", "x", "z", "x"]);
    assert_eq!(evaluation_errors("\"%{ set x = 1 }${x}${y}\""), ["unknown-variable: there is no variable named \"y\""]);

    assert_eq!(errors("x = \"%{ set }\"\n"), ["unexpected-token: the name of a variable is expected here, not `}`"]);
    assert_eq!(errors("x = \"%{ set y }\"\n"), ["unexpected-token: `=` is expected here, not `}`"]);
    assert_eq!(errors("x = \"%{ set y = }\"\n"), ["missing-expression: an expression is expected here, not `}`"]);
    assert_eq!(
        errors("x = \"%{ set 1 = 2 }\"\n"),
        ["unexpected-token: the name of a variable is expected here, not `1`"]
    );
    assert_eq!(
        errors("x = \"%{ set y = 1 2 }\"\n"),
        ["extra-after-expression: `2` is unexpected after the end of the expression"]
    );
    assert_eq!(
        errors("x = \"%{ set y = 1 }%{ endset }\"\n"),
        ["unknown-directive: `endset` is not a template directive"]
    );
    check_nesting(|depth| format!("x = \"{}1{}\"\n", "%{ set y = \"".repeat(depth), "\" }".repeat(depth)));
    // One after the other they do not nest.
    assert_eq!(value(&format!("\"{}${{x}}\"", "%{ set x = a }".repeat(10_000))), Value::from("1"));

    assert_eq!(value("\"%%{ set x = 1 }\""), Value::from("%{ set x = 1 }"));
    assert_eq!(value("{ set = 1 }"), value("{ \"set\" = 1 }"));
    assert_eq!(format("x=\"%{set  y=1}\"\n"), "x = \"%{set y = 1}\"\n");
    let json =
        to_json(&file("x = \"%{ set y = 1 }${y}\"\n"), &ConversionOptions::default()).into_result().expect("JSON");
    assert_eq!(json.text.trim(), "{\n  \"x\": \"%{ set y = 1 }${y}\"\n}");
}
