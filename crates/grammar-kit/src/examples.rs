//! Every alternative of every rule of the grammars is found in at least one example of `tests/spec`.

use std::path::Path;

use hcl_lr::ParseOptions;
use hcl_lr_conformance::suite::{Case, Suite};

use crate::{Coverage, Syntax};

/// The examples of the chapters.
pub fn suite() -> Suite {
    Suite::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec")).expect("the chapters")
}

/// Counts the alternatives that the source of a question uses, if it has one in native syntax.
pub fn count(case: &Case, coverage: &mut Coverage) {
    let member = |name: &str| case.request.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    let syntax = match member("op") {
        "config" | "attributes" | "content" => Syntax::Config,
        "expr" | "static" | "type" | "variables" => Syntax::Expression,
        "template" => Syntax::Template,
        _ => return,
    };
    coverage.add(syntax.parse(member("src"), &ParseOptions::new()).value(), syntax);
}

/// Returns the alternatives that no counted source uses.
fn missing(coverage: &Coverage) -> Vec<String> {
    let missing = coverage.counts().filter(|&(.., count)| count == 0);
    missing.map(|(grammar, alternative, _)| format!("grammar/{grammar}.lalrpop: {alternative}")).collect()
}

#[test]
fn each_alternative_stands_in_an_example() {
    let mut coverage = Coverage::new();
    assert!(missing(&coverage).len() > 100, "nothing has been parsed");
    let (cases, problems) = suite().cases();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    cases.iter().for_each(|case| count(case, &mut coverage));
    let missing = missing(&coverage);
    assert!(missing.is_empty(), "no example of tests/spec has\n  {}\n", missing.join("\n  "));
}

#[test]
fn an_alternative_that_was_not_used_is_found() {
    let mut coverage = Coverage::new();
    coverage.add(&hcl_lr::parse::<hcl_lr::File>("a = [1]\n").into_result().expect("no errors"), Syntax::Config);
    let missing = missing(&coverage);
    let is_missing = |start: &str| missing.iter().any(|alternative| alternative.starts_with(start));
    assert!(is_missing("grammar/template.lalrpop: Part = <open:\"%{ if }\">"));
    assert!(!is_missing("grammar/body.lalrpop: Attribute = <name:\"identifier\"> <value:\"= expression\">"));
}
