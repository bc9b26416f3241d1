//! Spans and places, and the parts of a body around a place.

use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionNode, Visitor, Walk};

/// Returns true if a place is in a span or at its end.
pub(crate) fn touches(span: Span, offset: usize) -> bool {
    span.start() <= offset && offset <= span.end()
}

/// Returns true if two spans overlap or touch.
pub(crate) fn overlap(one: Span, other: Span) -> bool {
    one.start() <= other.end() && other.start() <= one.end()
}

/// Returns the item of a body at a place.
pub(crate) fn item_at(body: BodyNode<'_>, offset: usize) -> Option<BodyItem<'_>> {
    body.items().find(|item| {
        let span = match item {
            BodyItem::Attribute(attribute) => attribute.span(),
            BodyItem::Block(block) => block.span(),
            BodyItem::Error(error) => error.span(),
            _ => return false,
        };
        touches(span, offset)
    })
}

/// Returns the expressions around a place, from the outermost.
pub(crate) fn innermost(body: BodyNode<'_>, offset: usize) -> Vec<ExpressionNode<'_>> {
    struct Around<'t> {
        offset: usize,
        found: Vec<ExpressionNode<'t>>,
    }
    impl Around<'_> {
        fn walk(&self, span: Span) -> Walk {
            if touches(span, self.offset) { Walk::Into } else { Walk::Over }
        }
    }
    impl<'t> Visitor<'t> for Around<'t> {
        fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
            self.walk(attribute.span())
        }

        fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
            self.walk(block.span())
        }

        fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
            let walk = self.walk(expression.span());
            if walk == Walk::Into {
                self.found.push(expression);
            }
            walk
        }
    }
    let mut around = Around { offset, found: Vec::new() };
    body.walk(&mut around);
    around.found
}
