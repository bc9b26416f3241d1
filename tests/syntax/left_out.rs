//! The references in expressions and templates that could not be parsed.

/// The texts of the references in the file `a = …`, which has errors.
fn references(value: &str) -> Vec<String> {
    let parsed = hcl_lr::parse::<hcl_lr::File>(format!("a = {value}\n"));
    assert!(parsed.has_errors(), "{value}");
    let (file, _) = parsed.into_parts();
    let variables = file.body().attribute("a").expect("the attribute").expression().variables();
    variables.iter().map(|path| path.expression().text().to_owned()).collect()
}

#[test]
fn references_are_found_where_an_expression_breaks_off() {
    for (value, wanted) in [
        ("x.y.", &["x.y"][..]),
        ("1 + x.y + z +", &["x.y", "z"]),
        ("x.y ?", &["x.y"]),
        ("x.y ? z.w :", &["x.y", "z.w"]),
        ("x.y[", &["x.y"]),
        ("x.y[z.", &["x.y", "z"]),
        ("f(x.y, z.)", &["x.y", "z"]),
        ("{ k = x.y, l = z. }", &["x.y", "z"]),
        ("\"t ${x.y.\"", &["x.y"]),
        ("\"%{ if x.y }t${z}\"", &["x.y", "z"]),
        ("\"t ${x.y}\" +", &["x.y"]),
    ] {
        assert_eq!(references(value), wanted, "{value}");
    }
}

/// Names of functions, keys, words of a text without quotes, and the names that a `for` defines are no references.
#[test]
fn other_names_are_no_references() {
    for (value, wanted) in [
        ("f(1) +", &[][..]),
        ("a::f(1) +", &[]),
        ("hello world", &[]),
        ("hello, world", &[]),
        ("{ x = 1, y : 2, z.", &["z"]),
        ("c.d ? { x : z.", &["c.d", "z"]),
        ("[for x in y.z : x.w +]", &["y.z"]),
        ("{for k, v in y.z : k => v.w +}", &["y.z"]),
        ("[for x in y.z : \"${x.w}\" +]", &["y.z"]),
        ("\"%{ for x in y.z }${x.w}\"", &["y.z"]),
    ] {
        assert_eq!(references(value), wanted, "{value}");
    }
}
