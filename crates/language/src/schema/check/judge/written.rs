//! Expressions that are not evaluated: words, references, addresses and types.

use std::borrow::Cow;

use super::{Judge, Judgement, Problem};
use crate::schema::check::reference::Step;
use crate::schema::check::shape::{Expr, Shape};
use crate::schema::check::words;
use crate::schema::model::Type;
use hcl_lr::diagnostic::Code;
use hcl_lr::stack;
use hcl_lr::syntax::ast::{AccessStep, ExpressionKind};
use hcl_lr::syntax::{TraversalStep, similar_name};

impl<'c> Judge<'c> {
    /// Judges an expression as a bare word.
    pub(super) fn keyword(&self, ty: &Type, allowed: &[String], expression: &Expr<'_>, depth: u32) -> Judgement {
        let word: Option<Cow<'_, str>> = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Traversal(traversal) if traversal.as_variable().is_some() => {
                    traversal.as_variable().map(Cow::Borrowed)
                }
                // Most programs accept a quoted word, too.
                ExpressionKind::Template(template) => template.as_text(),
                // Such as `refresh-only`, which is a name, or `true`.
                ExpressionKind::Bool(_) | ExpressionKind::Null => Some(Cow::Borrowed(node.text())),
                _ => None,
            },
            Expr::Handle(expression) => expression.keyword().map(Cow::Owned),
        };
        match word {
            Some(word) if allowed.is_empty() || allowed.iter().any(|keyword| *keyword == *word) => Judgement::Right,
            Some(word) => {
                let detail = format!("`{word}` cannot be used here: {} is required", words::wanted(ty, self.index()));
                let mut problem = Problem::new(expression.span(), detail, depth);
                let meant = similar_name(&word, allowed.iter().map(String::as_str));
                problem.meant = meant.map(|meant| (word.to_string(), meant.to_owned()));
                Judgement::Wrong(vec![problem])
            }
            None => {
                let detail = format!("{} is required here", words::wanted(ty, self.index()));
                Judgement::Wrong(vec![Problem::new(expression.span(), detail, depth)])
            }
        }
    }

    /// Judges a reference, address or path. Most programs accept it in quotes, too.
    pub(super) fn reference(&self, ty: &Type, kinds: &[String], expression: &Expr<'_>, depth: u32) -> Judgement {
        let other = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Traversal(traversal) => {
                    let steps: Vec<Step<'_>> = traversal.steps().map(step_of_node).collect();
                    self.wrong_kind(ty, traversal.root().text(), &steps, kinds)
                }
                ExpressionKind::Template(template) if template.as_text().is_some() => return Judgement::Unknown,
                // Computed indexes, and ways of other languages to write an address.
                ExpressionKind::Index(_)
                | ExpressionKind::RelativeTraversal(_)
                | ExpressionKind::Splat(_)
                | ExpressionKind::Template(_)
                | ExpressionKind::Error(_) => return Judgement::Unknown,
                ExpressionKind::Parentheses(inner) => {
                    return stack::with_room(|| self.reference(ty, kinds, &Expr::Node(inner.inner()), depth));
                }
                ExpressionKind::Null => return Judgement::Unknown,
                _ => {
                    let detail = format!("{} is required here", words::wanted(ty, self.index()));
                    return Judgement::Wrong(vec![Problem::new(expression.span(), detail, depth)]);
                }
            },
            Expr::Handle(expression) => match expression.static_traversal() {
                Ok(traversal) => {
                    let steps: Vec<Step<'_>> = traversal.steps().into_iter().map(step_of).collect();
                    self.wrong_kind(ty, traversal.root(), &steps, kinds)
                }
                // A string may be an address in the syntax of another language.
                Err(_) => match Expr::Handle(expression.clone()).shape(self) {
                    Shape::Number(_) | Shape::Bool(_) | Shape::List(_) | Shape::Object(_) => {
                        let detail = format!("{} is required here", words::wanted(ty, self.index()));
                        return Judgement::Wrong(vec![Problem::new(expression.place().span(), detail, depth)]);
                    }
                    _ => return Judgement::Unknown,
                },
            },
        };
        match other {
            Some(other) => {
                let wanted = words::alternatives(kinds);
                let detail = format!(
                    "this refers to a definition of the kind {other}, and one of the kind {wanted} is required"
                );
                let problem = Problem { code: Code::WrongReference, ..Problem::new(expression.span(), detail, depth) };
                Judgement::Wrong(vec![problem])
            }
            None => Judgement::Right,
        }
    }

    /// Returns the kind of the definition that a reference certainly names, if that kind is not wanted.
    fn wrong_kind(&self, ty: &Type, root: &str, steps: &[Step<'_>], wanted: &[String]) -> Option<&'c str> {
        self.checker.kinds.other_kind(root, steps, wanted, matches!(ty, Type::Address(_)))
    }

    pub(super) fn type_expression(&self, expression: &Expr<'_>, depth: u32) -> Judgement {
        // Older files have these types in quotes, and collections without element types.
        const OLD: &[&str] = &["string", "number", "bool", "list", "map", "set", "any", "object", "tuple"];
        let handle = expression.handle();
        let old = match expression {
            Expr::Node(node) => match node.kind() {
                ExpressionKind::Template(template) => template.as_text(),
                ExpressionKind::Traversal(traversal) => traversal.as_variable().map(Cow::Borrowed),
                _ => None,
            },
            Expr::Handle(expression) => expression.keyword().map(Cow::Owned),
        };
        if old.is_some_and(|word| OLD.contains(&&*word)) {
            return Judgement::Right;
        }
        match hcl_lr::type_expr::read_constraint(&handle) {
            Ok(_) => Judgement::Right,
            Err(problems) => {
                let problems = problems.iter().map(|finding| {
                    let problem = Problem::new(finding.span(), finding.detail().to_owned(), depth);
                    Problem { code: finding.code().clone(), help: finding.help().map(str::to_owned), ..problem }
                });
                Judgement::Wrong(problems.collect())
            }
        }
    }
}

fn step_of_node<'t>(step: AccessStep<'t>) -> Step<'t> {
    match step {
        AccessStep::Attribute(name) => Step::Name(name.text()),
        _ => Step::Other,
    }
}

fn step_of<'t>(step: TraversalStep<'t>) -> Step<'t> {
    match step {
        TraversalStep::Attribute(name) => Step::Name(name.text()),
        _ => Step::Other,
    }
}
