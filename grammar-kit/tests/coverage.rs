//! Every alternative of every rule of the grammars is found in at least one example of `tests/spec`. The
//! parsers count that themselves, for this kit. What they read then is what they read otherwise.

use std::fs;

use hcl_lr::syntax::ast::TreeDump;
use hcl_lr_grammar_kit::reductions;

#[path = "../../tests/support/examples.rs"]
mod examples;
#[path = "../../tests/support/golden.rs"]
mod golden;

use examples::{cases, suite};
use golden::fixtures;

/// The alternatives that the parsers do not find while something is done.
fn missing(work: impl FnOnce()) -> Vec<String> {
    let missing = reductions(work).into_iter().filter(|&(.., count)| count == 0);
    missing.map(|(grammar, alternative, _)| format!("grammar/{grammar}.lalrpop: {alternative}")).collect()
}

#[test]
fn each_alternative_stands_in_an_example() {
    assert!(missing(|| ()).len() > 100, "nothing has been parsed");
    let missing = missing(|| {
        for case in cases(&suite()) {
            hcl_lr_conformance::answer(&case.request.to_string());
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

/// Where nothing is counted, an expression that is one terminal gets its node without its grammar. The parsers that count
/// read everything by the grammars, and make the same of every fixture.
#[test]
fn parsers_that_count_give_the_same_trees_and_messages() {
    let parsed = |name: &str, text: &[u8]| {
        let outcome = hcl_lr::parse((name, text));
        (TreeDump::of_file(outcome.value()).to_string(), outcome.diagnostics().to_string())
    };
    for path in fixtures("", &["hcl", "tf"]) {
        let name = path.to_string_lossy();
        let text = fs::read(&path).expect("a readable fixture");
        let mut counted = None;
        let counts = reductions(|| counted = Some(parsed(&name, &text)));
        assert!(counts.iter().any(|&(.., count)| count > 0), "{name} was not read by the parsers that count");
        let (counted, usual) = (counted.expect("it was parsed"), parsed(&name, &text));
        assert_eq!(counted, usual, "{name}");
    }
}
