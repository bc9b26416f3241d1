//! Every alternative of every rule of the grammars is found in at least one example of `tests/spec`. The
//! parsers count that themselves, with the feature `count-work`.

use crate::examples::{cases, suite};
use hcl_lr::work;

/// The alternatives that the parsers have not found in this thread.
fn missing() -> Vec<String> {
    let missing = work::reductions().into_iter().filter(|&(.., count)| count == 0);
    missing.map(|(grammar, alternative, _)| format!("grammar/{grammar}.lalrpop: {alternative}")).collect()
}

#[test]
fn each_alternative_stands_in_an_example() {
    assert_eq!(missing().len(), work::reductions().len(), "nothing has been parsed yet in this thread");
    for case in cases(&suite()) {
        hcl_lr::conformance::answer(&case.request.to_string());
    }
    let missing = missing();
    assert!(missing.is_empty(), "no example of tests/spec has\n  {}\n", missing.join("\n  "));
}

#[test]
fn an_alternative_that_was_not_used_is_found() {
    assert!(hcl_lr::parse("a = [1]\n").diagnostics().is_empty());
    let missing = missing();
    let is_missing = |start: &str| missing.iter().any(|alternative| alternative.starts_with(start));
    assert!(is_missing("grammar/template.lalrpop: Parts = Parts, \"%{ if }\""));
    assert!(!is_missing("grammar/body.lalrpop: Body = Body, \"identifier\", \"= expression\""));
}
