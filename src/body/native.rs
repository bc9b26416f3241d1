//! Bodies in native syntax.

use super::content::{Attribute, Attributes, Block, BlockLabel, Content};
use super::matching::{self, AttributeItem, BlockItem, Item, Taken};
use super::unexpected::Named;
use super::{Body, BodySchema, BodySource, Written};
use crate::diagnostic::Outcome;
use crate::source::{Place, Replacement, Span};
use crate::syntax::File;
use crate::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionKind, LabelNode};
use crate::syntax::index::NodeIndex;

struct NativeBody {
    file: File,
    node: NodeIndex,
    taken: Taken,
}

/// The body of a file, or of a block in it.
impl From<BodyNode<'_>> for Body {
    fn from(body: BodyNode<'_>) -> Body {
        Body::new(NativeBody { file: body.file(), node: body.id(), taken: Taken::default() })
    }
}

impl From<&File> for Body {
    fn from(file: &File) -> Body {
        file.body().into()
    }
}

impl From<File> for Body {
    fn from(file: File) -> Body {
        Body::from(&file)
    }
}

impl NativeBody {
    fn node(&self) -> BodyNode<'_> {
        self.file.body_at(self.node)
    }

    fn items(&self) -> impl Iterator<Item = Item<AttributeNode<'_>, BlockNode<'_>>> {
        self.node().items().filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(Item::Attribute(attribute)),
            BodyItem::Block(block) => Some(Item::Block(block)),
            _ => None,
        })
    }

    fn matched(&self, schema: &BodySchema, all: bool) -> Outcome<Content> {
        matching::content(self.items(), schema, &self.taken, all, self.missing_item_place())
    }
}

impl BodySource for NativeBody {
    fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.matched(schema, true)
    }

    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        let rest =
            NativeBody { file: self.file.clone(), node: self.node, taken: self.taken.with(schema, self.items()) };
        self.matched(schema, false).map(|content| (content, Body::new(rest)))
    }

    fn expected_content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.matched(schema, false)
    }

    fn attributes(&self) -> Outcome<Attributes> {
        matching::attributes(self.items(), &self.taken, &self.missing_item_place())
    }

    fn written(&self) -> Written<'_> {
        Written::Native(self.node(), &self.taken)
    }

    fn missing_item_place(&self) -> Place {
        let body = self.node();
        let text = body.shared_source().text();
        let mut start = body.span().start() as u32;
        if body.open_brace_span().is_none() {
            start = first_token(text) as u32;
        }
        // In the official engine, the body of a one-line block begins with its attribute.
        if let (Some(open), Some(BodyItem::Attribute(attribute))) = (body.open_brace_span(), body.items().next()) {
            let between = open.end()..attribute.span().start();
            if !text[between.clone()].contains('\n') {
                start = between.end as u32;
            }
        }
        Place::new(body.shared_source(), Span::of(start, start))
    }
}

/// Returns the start of the first token of a file. For the official engine, a line comment is a token, including its
/// line end. Columns begin after a byte order mark.
fn first_token(text: &str) -> usize {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(comment) = rest.strip_prefix("/*")
            && let Some(end) = comment.find("*/")
        {
            rest = &comment[end + 2..];
        } else if (rest.starts_with('#') || rest.starts_with("//")) && !rest.contains('\n') {
            return text.len();
        } else {
            return text.len() - rest.len();
        }
    }
}

impl Named for AttributeNode<'_> {
    fn name(&self) -> &str {
        AttributeNode::name(*self)
    }

    fn name_span(&self) -> Span {
        self.name_token().span()
    }

    fn as_the_other(&self) -> Option<Replacement> {
        let is_object = matches!(self.expression().kind(), ExpressionKind::Object(_));
        let value = self.expression().span();
        let before = Span::new(self.equals_span().start(), value.start());
        is_object.then(|| Replacement::removal(before))
    }
}

impl AttributeItem for AttributeNode<'_> {
    fn to_attribute(&self) -> Attribute {
        (*self).into()
    }
}

impl From<AttributeNode<'_>> for Attribute {
    fn from(attribute: AttributeNode<'_>) -> Attribute {
        let expression = attribute.expression();
        Attribute {
            name: attribute.name().into(),
            expression: expression.into(),
            source: expression.shared_source().clone(),
            name_span: attribute.name_token().span(),
            span: attribute.span(),
        }
    }
}

impl Named for BlockNode<'_> {
    fn name(&self) -> &str {
        self.block_type()
    }

    fn name_span(&self) -> Span {
        self.type_token().span()
    }

    fn as_the_other(&self) -> Option<Replacement> {
        let has_labels = self.labels().next().is_some();
        (!has_labels).then(|| Replacement::insertion(self.name_span().end(), " ="))
    }
}

impl BlockItem for BlockNode<'_> {
    fn label_spans(&self) -> Vec<Span> {
        self.labels().map(LabelNode::span).collect()
    }

    fn missing_label_span(&self) -> Span {
        self.body().open_brace_span().unwrap_or_else(|| self.span())
    }

    fn to_block(&self) -> Block {
        (*self).into()
    }
}

impl From<BlockNode<'_>> for Block {
    fn from(block: BlockNode<'_>) -> Block {
        let source = block.body().shared_source();
        let label = |label: LabelNode<'_>| BlockLabel::new(&label.text(), Place::new(source, label.span()));
        Block {
            block_type: block.block_type().into(),
            labels: block.labels().map(label).collect(),
            body: block.body().into(),
            source: source.clone(),
            type_span: block.type_token().span(),
            header_span: block.header_span(),
        }
    }
}
