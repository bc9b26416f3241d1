//! Removes the items that make the expression around the place wrong, by evaluating it with each of them.
//!
//! ```text
//! a = var.b ? { c = 1 } : |       no texts: the results of a condition have one type
//! a = [for b in var.c : b if |]   no `b`, if it is known to be an object
//! ```

use std::collections::HashSet;
use std::ops::Range;

use hcl_lr::diagnostic::Code;
use hcl_lr::eval::Scope;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyNode, ExpressionKind};
use hcl_lr::{Expression, File};
use hcl_lr_language::definitions::Definition;

use super::near::call_end;
use super::{Item, ItemKind, UsedParts};
use crate::parts::enclosing;
use crate::shape::Shape;
use crate::spans::innermost;
use crate::workspace::Cancelled;

/// The maximum number of bytes to evaluate at one place: those of the expression, once for each item.
const MAX_BYTES: usize = 2_000_000;

/// Stands for an item of which only the type is known.
const UNKNOWN: &str = "an-unknown-item";

/// The errors that an item can cause by its type or value.
const CODES: [Code; 6] = [
    Code::InconsistentConditional,
    Code::InvalidCondition,
    Code::InvalidIndex,
    Code::InvalidInterpolation,
    Code::InvalidIteration,
    Code::InvalidOperand,
];

/// The expression around a place, in the parts that do not change.
struct Around<'t> {
    before: &'t str,
    /// The start of the name or call at the place, and its end after the item.
    start: &'t str,
    end: &'t str,
    after: &'t str,
    /// Another element of the list that the name or call is an element of.
    sibling: Option<&'t str>,
}

impl<'t> Around<'t> {
    /// Finds the parts in a text that has [`UNKNOWN`] at a place. `None` if nothing is around the name or call there but
    /// lists, objects and arguments, in which these errors are not.
    fn find(body: BodyNode<'t>, text: &'t str, at: usize) -> Option<Around<'t>> {
        let nodes = innermost(body, at + 1);
        let is_open = |kind: ExpressionKind<'_>| {
            use ExpressionKind::{FunctionCall, Object, Parentheses, Tuple};
            matches!(kind, Tuple(_) | Object(_) | Parentheses(_) | FunctionCall(_))
        };
        let outer = nodes.iter().find(|node| !is_open(node.kind()))?.span();
        let (inner, nodes) = nodes.split_last()?;
        let sibling = nodes.last().and_then(|around| match around.kind() {
            ExpressionKind::Tuple(list) => list.elements().find(|element| element.span() != inner.span()),
            _ => None,
        });
        let is_item = matches!(inner.kind(), ExpressionKind::Traversal(_) | ExpressionKind::FunctionCall(_));
        let inner = Some(inner.span()).filter(|inner| is_item && *inner != outer)?;
        Some(Around {
            before: text.get(outer.start()..inner.start())?,
            start: text.get(inner.start()..at)?,
            end: text.get(at + UNKNOWN.len()..inner.end())?,
            after: text.get(inner.end()..outer.end())?,
            sibling: sibling.map(|sibling| sibling.text()),
        })
    }

    fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Returns the errors in the expression with a text at the place, as far as they are about it.
    fn errors<'s>(&self, text: &str, scope: impl Fn(&Expression) -> Scope<'s>) -> Vec<Code> {
        // In parentheses, the expression may go on in the next line.
        let whole = format!("({}{text}{}\n)", self.before, self.after);
        let Range { start, end } = 1 + self.before.len()..1 + self.before.len() + text.len();
        let Ok(expression) = hcl_lr::parse::<Expression>(whole.as_str()).into_result() else { return Vec::new() };
        let found = expression.evaluate_partially(&scope(&expression)).into_parts().1;
        let is_about = |span: Span| span.start() < end && start < span.end();
        let about = found.errors().filter(|error| is_about(error.span())).map(|error| error.code().clone());
        about.filter(|code| CODES.contains(code)).collect()
    }
}

impl UsedParts<'_> {
    /// Removes the items with which the expression around the place has an error that it does not have with an unknown
    /// value. Values with parts remain as the start of a reference, and functions as that of an expression while their
    /// names are being typed.
    pub(super) fn retain_fitting(&self, prefix: Span, items: &mut Vec<Item>) -> Result<(), Cancelled> {
        if items.is_empty() || !self.snapshot.settings().evaluates {
            return Ok(());
        }
        // Only the item at the top of the file has to be read, which may be a small part of it.
        let tree = self.file.native().map(|native| native.body());
        let item = tree.and_then(|body| body.items().find(|item| item.span().touches(prefix.start())));
        let text = self.file.source().text();
        let item = item.map_or(Span::new(0, text.len()), |item| item.span().join(prefix));
        let (before, after) = (text.get(item.start()..prefix.start()), text.get(prefix.end()..item.end()));
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        if let Some(end) = call_end(after).filter(|_| self.is_count()) {
            self.retain_numbers(&after[..end], items);
        }
        let written = format!("{before}{UNKNOWN}{after}\n");
        let file = hcl_lr::parse::<File>(written.as_str()).into_value();
        let Some(around) = Around::find(file.body(), &written, before.len()) else { return Ok(()) };
        let definition = enclosing(&self.project, self.known.0, self.known.1);
        let scope = |expression: &Expression| self.scope_of(definition.as_ref(), expression);
        let with_type = |ty: &Type| {
            around.errors(UNKNOWN, |expression| scope(expression).with(UNKNOWN, Value::unknown(ty.clone())))
        };
        // Errors that there are whatever is written. A list may be wrong with an unknown element, and right with an object,
        // or only with one that is like the others.
        let mut known = with_type(&Type::Dynamic);
        for text in ["{}", "[]", "\"\"", "0"].into_iter().chain(around.sibling) {
            if !known.is_empty() {
                let found = around.errors(text, scope);
                known.retain(|code| found.contains(code));
            }
        }
        let is_new = |found: Vec<Code>| found.iter().any(|code| !known.contains(code));
        let value_of = |text: &str| {
            let expression = hcl_lr::parse::<Expression>(text).into_result().ok()?;
            expression.evaluate(&scope(&expression)).ok()
        };
        let mut left = MAX_BYTES / around.len().max(1);
        let mut shapes: Vec<(Shape, bool)> = Vec::new();
        let mut kept = Vec::with_capacity(items.len());
        for mut item in std::mem::take(items) {
            self.snapshot.check()?;
            if item.is_start || left == 0 {
                kept.push(item);
                continue;
            }
            left -= 1;
            let whole = format!("{}{}{}", around.start, item.text, around.end);
            let is_wrong = match item.kind {
                ItemKind::Function => {
                    let shape = item.detail.as_deref().map_or(Shape::Any, Shape::of_result);
                    let known = shapes.iter().find(|(known, _)| *known == shape).map(|(_, is_wrong)| *is_wrong);
                    let is_wrong = known.unwrap_or_else(|| type_of(shape).is_some_and(|ty| is_new(with_type(&ty))));
                    shapes.push((shape, is_wrong));
                    let is_right = || value_of(&whole).is_some() && !is_new(around.errors(&whole, scope));
                    // The arguments, which may change the type, are still to be written.
                    item.is_start = !is_wrong && is_new(around.errors(&whole, scope));
                    is_wrong && !is_right()
                }
                _ => is_new(around.errors(&whole, scope)),
            };
            if is_wrong {
                item.is_start = match item.kind {
                    ItemKind::Function => self.is_typed(&item.label, item.span),
                    ItemKind::Value | ItemKind::Keyword => false,
                    _ => value_of(&whole).is_some_and(|value| Shape::of_type(&value.ty()).has_parts()),
                };
                if !item.is_start {
                    continue;
                }
                item.points -= 100;
            }
            kept.push(item);
        }
        *items = kept;
        Ok(())
    }

    /// Removes the functions whose result with the arguments after the place is known, and no number.
    fn retain_numbers(&self, arguments: &str, items: &mut Vec<Item>) {
        let definition = enclosing(&self.project, self.known.0, self.known.1);
        items.retain(|item| {
            let call = hcl_lr::parse::<Expression>(format!("{}{arguments}", item.text).as_str()).into_result().ok();
            let value = call.and_then(|call| call.evaluate(&self.scope_of(definition.as_ref(), &call)).ok());
            value.is_none_or(|value| value.convert(&Type::Number).is_ok())
        });
    }

    /// Returns the addresses of the definitions whose values need that of the definition around the place, so that it cannot
    /// refer to them. An argument of a module needs not be what its results are made of.
    pub(super) fn dependents(&self) -> HashSet<&str> {
        let mut found = HashSet::new();
        let around = enclosing(&self.project, self.known.0, self.known.1);
        let Some(around) = around.filter(|around| !around.is_module() || self.is_repetition()) else { return found };
        let mut next: Vec<Definition<'_>> = vec![around];
        while let Some(definition) = next.pop() {
            let needed = self.project.references().to(&definition).filter(|reference| !reference.is_definition());
            for dependent in needed.filter_map(|reference| reference.within()) {
                // Where it can refer to itself, as in its own conditions, is another question.
                let is_other = dependent.address() != around.address() && dependent.module().is_none();
                if is_other && found.insert(dependent.address()) {
                    next.push(dependent);
                }
            }
        }
        found
    }

    /// Returns the scope of an expression at the place.
    fn scope_of(&self, definition: Option<&Definition<'_>>, expression: &Expression) -> Scope<'_> {
        let evaluated = self.project.model().values_for_any_input();
        match definition {
            Some(definition) => evaluated.scope_in(definition, expression),
            None => evaluated.scope_for(expression),
        }
    }
}

/// Returns a type of the values of a shape.
fn type_of(shape: Shape) -> Option<Type> {
    Some(match shape {
        Shape::Text | Shape::Word => Type::String,
        Shape::Number => Type::Number,
        Shape::Bool => Type::Bool,
        Shape::List => Type::list(Type::Dynamic),
        Shape::Set => Type::set(Type::Dynamic),
        Shape::Map => Type::map(Type::Dynamic),
        _ => return None,
    })
}
