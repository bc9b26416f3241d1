//! Definitions of other files, or of the same files read again: questions about them have no answer.

use hcl_lr::{ConfigFile, Expression, Scope, parse};
use hcl_lr_language::definitions::{Definition, Definitions, References};

const TEXT: &str = "variable \"a\" {\n  default = 1\n}\nlocals {\n  b = var.a\n}\nresource \"x\" \"y\" {\n  count = 2\n  z     = local.b\n}\n";

fn definitions(text: &str) -> Definitions {
    let file = parse::<ConfigFile>(text).into_result().expect("no errors");
    Definitions::of(&super::roles_of("terraform"), [file]).into_result().expect("definitions")
}

/// Asks every question about a definition. The flag is true if there is an answer.
fn answers(of: &Definitions, definition: &Definition<'_>) -> Vec<(&'static str, bool)> {
    let evaluated = of.evaluate(&Scope::new());
    let references = References::new(of);
    let expression: Expression = parse("count.index").into_result().expect("an expression");
    let in_block =
        |definition: &Definition<'_>| expression.evaluate(&evaluated.scope_in(definition, &expression)).is_ok();
    vec![
        ("value", evaluated.value(definition).is_known()),
        ("attribute_value", evaluated.attribute_value(definition, "z").is_some()),
        ("instances", evaluated.instances(definition).is_some()),
        ("scope_in", in_block(definition)),
        ("to", references.to(definition).len() > 0),
        ("within", references.within(definition).len() > 0),
        ("is_used", references.is_used(definition)),
        ("is_unused", references.is_unused(definition)),
    ]
}

#[test]
fn definitions_of_other_files_have_no_answers() {
    let one = definitions(TEXT);
    let own: Vec<_> = one.iter().flat_map(|definition| answers(&one, &definition)).collect();
    for name in ["value", "attribute_value", "instances", "scope_in", "to", "within", "is_used"] {
        assert!(own.contains(&(name, true)), "{name} has an answer: {own:?}");
    }
    let unused = "variable \"c\" {}\n";
    for (other, text) in [(TEXT, TEXT), (TEXT, &*format!("locals {{\n  n = 1\n}}\n{TEXT}")), (unused, unused)] {
        let (mine, others) = (definitions(text), definitions(other));
        for definition in others.iter() {
            let said: Vec<_> = answers(&mine, &definition).into_iter().filter(|(_, says)| *says).collect();
            assert!(said.is_empty(), "{}: {said:?}", definition.address());
        }
    }
}
