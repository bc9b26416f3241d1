//! Walking over a tree.

use super::body::{Attribute, Block, Body, BodyItem, ErrorNode};
use super::expression::{Expression, ExpressionKind, ObjectKey, Step};
use super::template::{Template, TemplatePart};

/// What to do with each node of a tree. Each method walks on into the node; one that is replaced
/// does so only by calling the walk function.
///
/// ```
/// use hcl_lr::syntax::ast::{Expression, ExpressionKind, Visitor, walk_expression};
///
/// #[derive(Default)]
/// struct Functions(Vec<String>);
///
/// impl<'t> Visitor<'t> for Functions {
///     fn visit_expression(&mut self, expression: Expression<'t>) {
///         if let ExpressionKind::FunctionCall(call) = expression.kind() {
///             self.0.push(call.name().into_owned());
///         }
///         walk_expression(self, expression);
///     }
/// }
///
/// let file = hcl_lr::parse("a = f(g(1), \"${h()}\")\n").into_result()?;
/// let mut functions = Functions::default();
/// functions.visit_body(file.body());
/// assert_eq!(functions.0, ["f", "g", "h"]);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub trait Visitor<'t> {
    /// A body, of the file or of a block.
    fn visit_body(&mut self, body: Body<'t>) {
        walk_body(self, body);
    }

    /// An attribute.
    fn visit_attribute(&mut self, attribute: Attribute<'t>) {
        self.visit_expression(attribute.expression());
    }

    /// A block.
    fn visit_block(&mut self, block: Block<'t>) {
        self.visit_body(block.body());
    }

    /// An expression.
    fn visit_expression(&mut self, expression: Expression<'t>) {
        walk_expression(self, expression);
    }

    /// A template, be it a quoted one, a heredoc, or within a directive.
    fn visit_template(&mut self, template: Template<'t>) {
        walk_template(self, template);
    }

    /// What could not be understood.
    fn visit_error(&mut self, error: ErrorNode<'t>) {
        let _ = error;
    }
}

/// Visits the items of a body.
pub fn walk_body<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), body: Body<'t>) {
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) => visitor.visit_attribute(attribute),
            BodyItem::Block(block) => visitor.visit_block(block),
            BodyItem::Error(error) => visitor.visit_error(error),
        }
    }
}

/// Visits what an expression is made of. The operands of a chain of binary operators are visited
/// from left to right without a call for each operator; its inner operations are not visited
/// themselves.
pub fn walk_expression<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: Expression<'t>) {
    match expression.kind() {
        ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null | ExpressionKind::SplatItem => {}
        ExpressionKind::Template(template) => visitor.visit_template(template),
        ExpressionKind::Traversal(traversal) => walk_steps(visitor, traversal.steps()),
        ExpressionKind::RelativeTraversal(traversal) => {
            visitor.visit_expression(traversal.source());
            walk_steps(visitor, traversal.steps());
        }
        ExpressionKind::Index(index) => {
            // An index on an index on an index is a chain as well.
            let (mut keys, mut collection) = (vec![index.key()], index.collection());
            while let ExpressionKind::Index(index) = collection.kind() {
                keys.push(index.key());
                collection = index.collection();
            }
            visitor.visit_expression(collection);
            keys.into_iter().rev().for_each(|key| visitor.visit_expression(key));
        }
        ExpressionKind::Splat(splat) => {
            visitor.visit_expression(splat.source());
            visitor.visit_expression(splat.each());
        }
        ExpressionKind::FunctionCall(call) => call.arguments().for_each(|argument| visitor.visit_expression(argument)),
        ExpressionKind::Tuple(tuple) => tuple.elements().for_each(|element| visitor.visit_expression(element)),
        ExpressionKind::Object(object) => {
            for element in object.elements() {
                if let ObjectKey::Expression(key) = element.key() {
                    visitor.visit_expression(key);
                }
                visitor.visit_expression(element.value());
            }
        }
        ExpressionKind::For(expression) => {
            visitor.visit_expression(expression.collection());
            expression.key().into_iter().for_each(|key| visitor.visit_expression(key));
            visitor.visit_expression(expression.value());
            expression.condition().into_iter().for_each(|condition| visitor.visit_expression(condition));
        }
        ExpressionKind::Conditional(conditional) => {
            visitor.visit_expression(conditional.predicate());
            visitor.visit_expression(conditional.true_result());
            visitor.visit_expression(conditional.false_result());
        }
        ExpressionKind::Binary(_) => {
            let (mut right, mut left) = (Vec::new(), expression);
            while let ExpressionKind::Binary(operation) = left.kind() {
                right.push(operation.right());
                left = operation.left();
            }
            visitor.visit_expression(left);
            right.into_iter().rev().for_each(|operand| visitor.visit_expression(operand));
        }
        ExpressionKind::Unary(operation) => visitor.visit_expression(operation.operand()),
        ExpressionKind::Parentheses(parentheses) => visitor.visit_expression(parentheses.inner()),
        ExpressionKind::Error(error) => visitor.visit_error(error),
    }
}

fn walk_steps<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), steps: impl Iterator<Item = Step<'t>>) {
    for step in steps {
        if let Step::Index(key) = step {
            visitor.visit_expression(key);
        }
    }
}

/// Visits the parts of a template.
pub fn walk_template<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), template: Template<'t>) {
    for part in template.parts() {
        match part {
            TemplatePart::Literal(..) => {}
            TemplatePart::Interpolation(expression) => visitor.visit_expression(expression),
            TemplatePart::If(directive) => {
                visitor.visit_expression(directive.predicate());
                visitor.visit_template(directive.true_part());
                directive.false_part().into_iter().for_each(|part| visitor.visit_template(part));
            }
            TemplatePart::For(directive) => {
                visitor.visit_expression(directive.collection());
                visitor.visit_template(directive.body());
            }
        }
    }
}
