//! Helpers that the programs of the recipes share.

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::syntax::ast::{ExpressionNode, TreeDump};
use hcl_lr::{File, Scope, Value};

/// A file without errors.
pub fn file(text: &str) -> File {
    hcl_lr::parse::<File>(text).into_result().unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

/// The tree of a file, with the nodes in one line and without places.
pub fn tree(text: &str) -> String {
    let dump = TreeDump::of_file(&file(text)).to_string();
    let lines = dump.lines().map(|line| {
        let without_place = |word: &&str| word.split_once(':').is_none_or(|(line, _)| line.parse::<u32>().is_err());
        line.split_whitespace().filter(without_place).collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join(", ")
}

/// Does something with the expression of `x = …`.
pub fn with_expression<T>(expression: &str, work: impl FnOnce(ExpressionNode<'_>) -> T) -> T {
    work(file(&format!("x = {expression}\n")).body().attribute("x").expect("it is there").expression())
}

/// The value of an expression in which `a` is 1.
pub fn value(expression: &str) -> Value {
    value_in(expression, &Scope::new().with("a", 1))
}

/// The value of an expression in a scope.
pub fn value_in(expression: &str, scope: &Scope<'_>) -> Value {
    with_expression(expression, |node| node.evaluate(scope)).unwrap_or_else(|errors| panic!("{expression}\n{errors}"))
}

/// The variables that an expression needs.
pub fn variables(expression: &str) -> Vec<String> {
    with_expression(expression, |node| node.variables().iter().map(|path| path.root().text().to_owned()).collect())
}

/// Returns the errors of a file: codes and messages.
pub fn errors(text: &str) -> Vec<String> {
    in_words(hcl_lr::parse::<File>(text).diagnostics())
}

/// Returns the errors of evaluating an expression.
pub fn evaluation_errors(expression: &str) -> Vec<String> {
    with_expression(expression, |node| in_words(node.evaluate_partially(&Scope::new().with("a", 1)).diagnostics()))
}

pub fn in_words(diagnostics: &Diagnostics) -> Vec<String> {
    diagnostics.iter().map(|diagnostic| format!("{}: {}", diagnostic.code(), diagnostic.detail())).collect()
}

/// Something that is nested far beyond the limit is one error, however deep it is, and what is nested up to
/// the limit is none.
pub fn check_nesting(nested: impl Fn(usize) -> String) {
    assert_eq!(errors(&nested(100)), [""; 0]);
    assert_eq!(errors(&nested(300_000)), ["nesting-too-deep: this is nested more than 1000 levels deep"]);
}
