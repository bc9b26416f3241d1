//! Every alternative of every rule of the grammars is found in at least one example of `tests/spec`. The
//! parsers count that themselves, with the feature `count-reductions`.

use crate::examples::{cases, suite};
use hcl_lr::work;

/// The alternatives that the parsers do not find while something is done.
fn missing(work: impl FnOnce()) -> Vec<String> {
    let missing = work::reductions(work).into_iter().filter(|&(.., count)| count == 0);
    missing.map(|(grammar, alternative, _)| format!("grammar/{grammar}.lalrpop: {alternative}")).collect()
}

#[test]
fn each_alternative_stands_in_an_example() {
    assert!(missing(|| ()).len() > 100, "nothing has been parsed");
    let missing = missing(|| {
        for case in cases(&suite()) {
            hcl_lr::conformance::answer(&case.request.to_string());
        }
    });
    assert!(missing.is_empty(), "no example of tests/spec has\n  {}\n", missing.join("\n  "));
}

#[test]
fn an_alternative_that_was_not_used_is_found() {
    let missing = missing(|| assert!(hcl_lr::parse("a = [1]\n").diagnostics().is_empty()));
    let is_missing = |start: &str| missing.iter().any(|alternative| alternative.starts_with(start));
    assert!(is_missing("grammar/template.lalrpop: Part = <open:\"%{ if }\">"));
    assert!(!is_missing("grammar/body.lalrpop: Attribute = <name:\"identifier\"> <value:\"= expression\">"));
}
