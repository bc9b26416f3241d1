//! Walking over a tree.

use super::body::{Attribute, Block, Body, BodyItem, ErrorNode};
use super::expression::{Conditional, Expression, ExpressionKind, ForExpr, Object, ObjectKey, Splat, Step};
use super::template::{Template, TemplateFor, TemplateIf, TemplatePart};

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

/// Visits what an expression is made of. The operands of a chain of binary operators, and the keys of
/// a chain of indexes and attribute accesses, are visited from left to right without a call for each
/// link of the chain; its inner links are not visited themselves.
pub fn walk_expression<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: Expression<'t>) {
    // A function for each kind keeps the stack small, which deep trees need.
    match expression.kind() {
        ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null | ExpressionKind::SplatItem => {}
        ExpressionKind::Template(template) => visitor.visit_template(template),
        ExpressionKind::Traversal(traversal) => walk_steps(visitor, traversal.steps()),
        ExpressionKind::RelativeTraversal(_) | ExpressionKind::Index(_) => walk_chain(visitor, expression),
        ExpressionKind::Splat(splat) => walk_splat(visitor, splat),
        ExpressionKind::FunctionCall(call) => walk_list(visitor, call.arguments()),
        ExpressionKind::Tuple(tuple) => walk_list(visitor, tuple.elements()),
        ExpressionKind::Object(object) => walk_object(visitor, object),
        ExpressionKind::For(expression) => walk_for(visitor, expression),
        ExpressionKind::Conditional(conditional) => walk_conditional(visitor, conditional),
        ExpressionKind::Binary(_) => walk_operations(visitor, expression),
        ExpressionKind::Unary(operation) => visitor.visit_expression(operation.operand()),
        ExpressionKind::Parentheses(parentheses) => visitor.visit_expression(parentheses.inner()),
        ExpressionKind::Error(error) => visitor.visit_error(error),
    }
}

fn walk_list<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), list: impl Iterator<Item = Expression<'t>>) {
    for element in list {
        visitor.visit_expression(element);
    }
}

fn walk_chain<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: Expression<'t>) {
    let (keys, source) = chain_of(expression);
    visitor.visit_expression(source);
    walk_list(visitor, keys.into_iter().rev());
}

/// The keys of a chain of accesses, from the last to the first, and where it begins.
fn chain_of(expression: Expression<'_>) -> (Vec<Expression<'_>>, Expression<'_>) {
    let (mut keys, mut source) = (Vec::new(), expression);
    loop {
        match source.kind() {
            ExpressionKind::Index(index) => {
                keys.push(index.key());
                source = index.collection();
            }
            ExpressionKind::RelativeTraversal(traversal) => {
                keys.extend(traversal.steps().rev().filter_map(|step| match step {
                    Step::Index(key) => Some(key),
                    _ => None,
                }));
                source = traversal.source();
            }
            _ => return (keys, source),
        }
    }
}

fn walk_splat<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), splat: Splat<'t>) {
    visitor.visit_expression(splat.source());
    visitor.visit_expression(splat.each());
}

fn walk_object<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), object: Object<'t>) {
    for element in object.elements() {
        if let ObjectKey::Expression(key) = element.key() {
            visitor.visit_expression(key);
        }
        visitor.visit_expression(element.value());
    }
}

fn walk_for<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ForExpr<'t>) {
    let parts = [Some(expression.collection()), expression.key(), Some(expression.value()), expression.condition()];
    walk_list(visitor, parts.into_iter().flatten());
}

fn walk_conditional<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), conditional: Conditional<'t>) {
    let parts = [conditional.predicate(), conditional.true_result(), conditional.false_result()];
    walk_list(visitor, parts.into_iter());
}

fn walk_operations<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: Expression<'t>) {
    walk_list(visitor, operands_of(expression).into_iter().rev());
}

/// The operands of a chain of binary operators, from the last to the first.
fn operands_of(expression: Expression<'_>) -> Vec<Expression<'_>> {
    let (mut operands, mut left) = (Vec::new(), expression);
    while let ExpressionKind::Binary(operation) = left.kind() {
        operands.push(operation.right());
        left = operation.left();
    }
    operands.push(left);
    operands
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
            TemplatePart::If(directive) => walk_if(visitor, directive),
            TemplatePart::For(directive) => walk_for_directive(visitor, directive),
        }
    }
}

fn walk_if<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), directive: TemplateIf<'t>) {
    visitor.visit_expression(directive.predicate());
    visitor.visit_template(directive.true_part());
    if let Some(part) = directive.false_part() {
        visitor.visit_template(part);
    }
}

fn walk_for_directive<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), directive: TemplateFor<'t>) {
    visitor.visit_expression(directive.collection());
    visitor.visit_template(directive.body());
}
