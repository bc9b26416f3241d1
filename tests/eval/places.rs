//! Places of errors that messages do not show as a whole.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::{Expression, Scope, Template, parse};

fn expression(text: &str) -> Expression {
    parse::<Expression>(text).into_result().expect("an expression")
}

/// The text at the only error, and that around it.
fn places(errors: &Diagnostics) -> (String, Option<String>) {
    assert_eq!(errors.len(), 1, "{errors}");
    let error = errors.iter().next().expect("an error");
    (error.place().text().to_owned(), error.context().map(|place| place.text().to_owned()))
}

/// An error of a conditional is shown within the whole of it.
#[test]
fn the_context_of_a_condition_is_the_conditional() {
    let errors = expression("1 + (null ? 1 : 2)").evaluate(&Scope::new()).expect_err("no condition");
    assert_eq!(places(&errors), ("null".to_owned(), Some("null ? 1 : 2".to_owned())));
    let template = parse::<Template>("a%{ if null }b%{ endif }c").into_result().expect("a template");
    let errors = template.evaluate(&Scope::new()).expect_err("no condition");
    assert_eq!(places(&errors), ("null".to_owned(), Some("%{ if null }b%{ endif }".to_owned())));
}

/// An expression that should be static is reported at the token that tells its kind.
#[test]
fn an_index_is_reported_at_its_bracket() {
    let whole = expression("a.b[c + 1]");
    let errors = whole.as_native().expect("native syntax").static_list().expect_err("no list");
    assert_eq!(places(&errors).0, "[");
}
