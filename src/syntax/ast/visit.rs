//! Walking over a tree.

use super::body::{AttributeNode, BlockNode, BodyItem, BodyNode, ErrorNode};
use super::expression::{ExpressionKind, ExpressionNode};
use super::template::{TemplateFor, TemplateIf, TemplateNode, TemplatePart};
use crate::syntax::index::NodeIndex;
use crate::syntax::tree::{NodeKind, item_kinds, other_kinds, part_kinds};

/// What to do with each node of a tree. Each method walks on into the node; one that is replaced
/// does so only by calling the walk function.
///
/// ```
/// use hcl_lr::syntax::ast::{ExpressionNode, ExpressionKind, Visitor, walk_expression};
///
/// #[derive(Default)]
/// struct Functions(Vec<String>);
///
/// impl<'t> Visitor<'t> for Functions {
///     fn visit_expression(&mut self, expression: ExpressionNode<'t>) {
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
    fn visit_body(&mut self, body: BodyNode<'t>) {
        walk_body(self, body);
    }

    /// An attribute.
    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) {
        self.visit_expression(attribute.expression());
    }

    /// A block.
    fn visit_block(&mut self, block: BlockNode<'t>) {
        self.visit_body(block.body());
    }

    /// An expression.
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) {
        walk_expression(self, expression);
    }

    /// A template, be it a quoted one, a heredoc, or within a directive.
    fn visit_template(&mut self, template: TemplateNode<'t>) {
        walk_template(self, template);
    }

    /// What could not be understood.
    fn visit_error(&mut self, error: ErrorNode<'t>) {
        let _ = error;
    }
}

/// Visits the items of a body.
pub fn walk_body<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), body: BodyNode<'t>) {
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
pub fn walk_expression<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    // Trees may be deep, and without optimization a function takes stack for the variables of all its
    // branches. So this one has none, and no branch but a call.
    match expression.tree.node(expression.node).kind {
        NodeKind::Literal | NodeKind::TemplateExpr => walk_literal(visitor, expression),
        NodeKind::Variable | NodeKind::Traversal | NodeKind::Item => {}
        NodeKind::GetAttr | NodeKind::LegacyIndex | NodeKind::Index | NodeKind::ConstIndex => {
            walk_chain(visitor, expression);
        }
        NodeKind::AttrSplat | NodeKind::FullSplat => walk_splat(visitor, expression),
        NodeKind::FunctionCall | NodeKind::ExpandedCall | NodeKind::Tuple | NodeKind::Conditional => {
            walk_children(visitor, expression);
        }
        NodeKind::ForTuple | NodeKind::ForObject | NodeKind::ForGroup => walk_children(visitor, expression),
        NodeKind::Object => walk_object(visitor, expression),
        NodeKind::BinaryOp => walk_operations(visitor, expression),
        NodeKind::UnaryOp | NodeKind::Parentheses => walk_inner(visitor, expression),
        // The others are no expressions.
        item_kinds!() | part_kinds!() | other_kinds!() => walk_error(visitor, expression),
    }
}

fn walk_error<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    visitor.visit_error(ErrorNode { tree: expression.tree, node: expression.node });
}

fn walk_literal<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    if let ExpressionKind::Template(template) = expression.kind() {
        visitor.visit_template(template);
    }
}

fn walk_inner<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    visitor.visit_expression(ExpressionNode::new(expression.tree, expression.tree.node(expression.node).first.node()));
}

/// Visits the children that there are, in source order.
fn walk_children<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    let children = expression.tree.children(expression.node);
    let mut index = 0;
    while index < children.len() {
        if children[index] != NodeIndex::NONE {
            visitor.visit_expression(ExpressionNode::new(expression.tree, children[index]));
        }
        index += 1;
    }
}

fn walk_object<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    let children = expression.tree.children(expression.node);
    let mut index = 0;
    while index < children.len() {
        let child = ExpressionNode::new(expression.tree, children[index]);
        // An element that could not be understood is its own key.
        let repeated = index % 2 == 1 && children[index] == children[index - 1];
        let is_name = index % 2 == 0 && child.is_name();
        if !repeated && !is_name {
            visitor.visit_expression(child);
        }
        index += 1;
    }
}

fn walk_splat<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    let node = expression.tree.node(expression.node);
    visitor.visit_expression(ExpressionNode::new(expression.tree, node.first.node()));
    visitor.visit_expression(ExpressionNode::new(expression.tree, node.second.node()));
}

fn walk_operations<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    walk_back(visitor, expression, &operands_of(expression));
}

/// The operands of a chain of binary operators, from the last to the first.
fn operands_of(expression: ExpressionNode<'_>) -> Vec<NodeIndex> {
    let tree = expression.tree;
    let (mut operands, mut left) = (Vec::new(), expression.node);
    while tree.node(left).kind == NodeKind::BinaryOp {
        operands.push(tree.node(left).second.node());
        left = tree.node(left).first.node();
    }
    operands.push(left);
    operands
}

fn walk_chain<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>) {
    walk_back(visitor, expression, &keys_of(expression));
}

/// The keys of a chain of accesses, from the last to the first, and what the first applies to. A
/// variable with literal keys is one path: of that there are the keys only, if it is the whole chain.
fn keys_of(expression: ExpressionNode<'_>) -> Vec<NodeIndex> {
    let tree = expression.tree;
    let (mut keys, mut source, mut path) = (Vec::new(), expression.node, None);
    loop {
        let node = tree.node(source);
        match node.kind {
            NodeKind::GetAttr | NodeKind::LegacyIndex => {}
            NodeKind::ConstIndex => keys.push(node.second.node()),
            NodeKind::Index => {
                keys.push(node.second.node());
                path = Some((keys.len(), node.first.node()));
            }
            NodeKind::Variable | NodeKind::Traversal => {
                if let Some((count, path)) = path {
                    keys.truncate(count);
                    keys.push(path);
                }
                return keys;
            }
            _ => {
                keys.push(source);
                return keys;
            }
        }
        source = node.first.node();
    }
}

fn walk_back<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), expression: ExpressionNode<'t>, nodes: &[NodeIndex]) {
    let mut index = nodes.len();
    while index > 0 {
        index -= 1;
        visitor.visit_expression(ExpressionNode::new(expression.tree, nodes[index]));
    }
}

/// Visits the parts of a template.
pub fn walk_template<'t>(visitor: &mut (impl Visitor<'t> + ?Sized), template: TemplateNode<'t>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Texts(Vec<String>);

    impl<'t> Visitor<'t> for Texts {
        fn visit_expression(&mut self, expression: ExpressionNode<'t>) {
            self.0.push(expression.text().to_owned());
            walk_expression(self, expression);
        }
    }

    fn visited(text: &str) -> Vec<String> {
        let file = crate::parse(format!("x = {text}\n")).into_result().expect("no errors");
        let mut texts = Texts(Vec::new());
        texts.visit_body(file.body());
        texts.0.remove(0);
        texts.0
    }

    #[test]
    fn chains_are_visited_from_left_to_right() {
        assert_eq!(visited("a.b[0].c"), ["0"]);
        assert_eq!(visited("a.b[0][c.d].e[f][1]"), ["a.b[0]", "0", "c.d", "f", "1"]);
        assert_eq!(visited("f(g)[h].i"), ["f(g)", "g", "h"]);
        assert_eq!(visited("a + b * c || d"), ["a", "b * c", "b", "c", "d"]);
        assert_eq!(visited("{a = b, (c) = d, \"e\" = f}"), ["b", "(c)", "c", "d", "\"e\"", "f"]);
        assert_eq!(visited("[for k, v in a : b if c]"), ["a", "b", "c"]);
        assert_eq!(visited("{for v in a : b => c...}"), ["a", "b", "c"]);
        assert_eq!(visited("a ? b : c[*].d"), ["a", "b", "c[*].d", "c", "[*].d", "[*]"]);
    }
}
