//! An expression that is a single terminal gets its node without its grammar, and the same node as from the grammar.

use hcl_lr::parse;
use hcl_lr::source::Source;
use hcl_lr::syntax::ExpressionFile;
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, Visitor, Walk};

use crate::support::golden::inputs;

/// The expressions of attributes that are literals, variables and traversals of names, and their dumps.
#[derive(Default)]
struct Simple<'t>(Vec<(&'t str, String)>);

/// The dump of a tree without its places, such as `3:10`.
fn dump(expression: ExpressionNode<'_>) -> String {
    let is_place = |word: &&str| word.contains(':') && word.chars().all(|c| c == ':' || c.is_ascii_digit());
    let shown = format!("{expression:?}");
    let lines = shown.lines().map(|line| line.split(' ').filter(|word| !is_place(word)).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

impl<'t> Visitor<'t> for Simple<'t> {
    fn visit_attribute(&mut self, attribute: hcl_lr::syntax::ast::AttributeNode<'t>) -> Walk {
        let expression = attribute.expression();
        let is_simple = matches!(
            expression.kind(),
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null | ExpressionKind::Traversal(_)
        );
        if is_simple {
            self.0.push((expression.text(), dump(expression)));
        }
        Walk::Over
    }
}

#[test]
fn nodes_are_those_of_the_grammar() {
    let mut checked = 0;
    for (name, text) in inputs(&["hcl", "tf"]) {
        let outcome = hcl_lr::parse::<hcl_lr::File>(text.as_slice());
        let mut simple = Simple::default();
        outcome.value().body().walk(&mut simple);
        for (text, dumped) in simple.0 {
            let alone = parse::<ExpressionFile>(Source::new("", text));
            assert_eq!(dumped, dump(alone.value().expression()), "{name}: {text}");
            checked += 1;
        }
    }
    assert!(checked > 500, "only {checked} expressions are simple");
}
