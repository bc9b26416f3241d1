//! Bodies in native syntax.

use super::content::{Attribute, Attributes, Block, Content, Label};
use super::matching::{self, AttributeItem, BlockItem, Item, Named, Taken};
use super::{Body, BodySource, Schema};
use crate::diagnostic::Outcome;
use crate::source::{Place, Span};
use crate::syntax::OwnedBody;
use crate::syntax::ast::{self, BodyItem};

struct NativeBody {
    body: OwnedBody,
    taken: Taken,
}

impl From<OwnedBody> for Body {
    fn from(body: OwnedBody) -> Body {
        Body::new(NativeBody { body, taken: Taken::default() })
    }
}

impl From<&ast::File> for Body {
    fn from(file: &ast::File) -> Body {
        file.own_body(file.body()).into()
    }
}

impl NativeBody {
    fn items(&self) -> impl Iterator<Item = Item<NativeAttribute<'_>, NativeBlock<'_>>> {
        let body = &self.body;
        body.get().items().filter_map(move |item| match item {
            BodyItem::Attribute(attribute) => Some(Item::Attribute(NativeAttribute { body, attribute })),
            BodyItem::Block(block) => Some(Item::Block(NativeBlock { body, block })),
            BodyItem::Error(_) => None,
        })
    }

    fn matched(&self, schema: &Schema, all: bool) -> Outcome<Content> {
        matching::content(self.items(), schema, &self.taken, all, self.missing_item_place())
    }
}

impl BodySource for NativeBody {
    fn content(&self, schema: &Schema) -> Outcome<Content> {
        self.matched(schema, true)
    }

    fn partial_content(&self, schema: &Schema) -> Outcome<(Content, Body)> {
        let rest = NativeBody { body: self.body.clone(), taken: self.taken.with(schema) };
        self.matched(schema, false).map(|content| (content, Body::new(rest)))
    }

    fn attributes(&self) -> Outcome<Attributes> {
        matching::attributes(self.items(), &self.taken, &self.missing_item_place())
    }

    fn missing_item_place(&self) -> Place {
        let body = self.body.get();
        let mut start = body.span().start() as u32;
        // Columns begin behind a byte order mark.
        if start == 0 && self.body.source().text().starts_with('\u{feff}') {
            start = '\u{feff}'.len_utf8() as u32;
        }
        // The body of a block in one line begins with its attribute, as in the official engine.
        if let (Some(open), Some(BodyItem::Attribute(attribute))) = (body.open_brace_span(), body.items().next()) {
            let between = open.end()..attribute.span().start();
            if !self.body.source().text()[between.clone()].contains('\n') {
                start = between.end as u32;
            }
        }
        Place::new(self.body.source(), Span::new(start, start))
    }
}

struct NativeAttribute<'b> {
    body: &'b OwnedBody,
    attribute: ast::Attribute<'b>,
}

impl Named for NativeAttribute<'_> {
    fn name(&self) -> &str {
        self.attribute.name()
    }

    fn name_span(&self) -> Span {
        self.attribute.name_token().span()
    }
}

impl AttributeItem for NativeAttribute<'_> {
    fn to_attribute(&self) -> Attribute {
        Attribute {
            name: self.name().into(),
            expression: self.body.own(self.attribute.expression()).into(),
            source: self.body.source().clone(),
            name_span: self.name_span(),
            span: self.attribute.span(),
        }
    }
}

struct NativeBlock<'b> {
    body: &'b OwnedBody,
    block: ast::Block<'b>,
}

impl Named for NativeBlock<'_> {
    fn name(&self) -> &str {
        self.block.block_type()
    }

    fn name_span(&self) -> Span {
        self.block.type_token().span()
    }
}

impl BlockItem for NativeBlock<'_> {
    fn label_spans(&self) -> Vec<Span> {
        self.block.labels().map(ast::Label::span).collect()
    }

    fn missing_label_span(&self) -> Span {
        self.block.body().open_brace_span().unwrap_or_else(|| self.block.span())
    }

    fn to_block(&self) -> Block {
        let source = self.body.source();
        let label = |label: ast::Label<'_>| Label::new(&label.text(), Place::new(source, label.span()));
        Block {
            block_type: self.name().into(),
            labels: self.block.labels().map(label).collect(),
            body: self.body.own_body(self.block.body()).into(),
            source: source.clone(),
            type_span: self.name_span(),
            header_span: self.block.header_span(),
        }
    }
}
