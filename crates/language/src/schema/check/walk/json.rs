//! Bodies in the JSON syntax.

use std::borrow::Cow;
use std::sync::Arc;

use super::dynamic::{DYNAMIC, TYPE};
use super::{Around, Content, Counts, Unwritten, Walk};
use crate::schema::check::shape::Expr;
use crate::schema::index::Layers;
use crate::schema::lookup::{attribute_of, has_objects};
use crate::schema::model::{Attribute, Block, Form};
use crate::schema::produce::block_schema;
use hcl_lr::body;
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;
use hcl_lr::stack;

impl<'c> Walk<'c, '_> {
    /// Checks a body in the JSON syntax.
    pub(super) fn json(&mut self, body: &body::Body, layers: Layers<'c>, around: &Around<'_, '_, 'c>, dynamic: bool) {
        if self.only_sensitive && !layers.may_hide(self.checker.catalog.is_some()) {
            return;
        }
        let dynamic = layers.dynamic().unwrap_or(dynamic);
        let around = Around { body: Some(Content::Json(body)), ..*around };
        let layers = self.with_cases(layers, &around);
        let around = Around { layers: Some(&layers), ..around };
        let mut schema = body::BodySchema::new();
        // If a name can be an attribute and blocks, objects are blocks.
        let both = |block: &&Arc<Block>| block.form == Form::Either && layers.attribute(&block.name).is_some();
        let as_blocks: Vec<&str> = layers
            .blocks()
            .filter(both)
            .filter(|block| attribute_of(body, &block.name).is_some_and(|value| has_objects(&value)))
            .map(|block| block.name.as_str())
            .collect();
        let is_block = |name: &str| as_blocks.contains(&name);
        for attribute in layers.attributes().filter(|attribute| !is_block(&attribute.name)) {
            schema = schema.optional(attribute.name.as_str());
        }
        for block in layers.blocks() {
            if layers.attribute(&block.name).is_none() || is_block(&block.name) {
                let Some((block, inner)) = layers.block(&block.name) else { continue };
                schema = schema.with_block(&block_schema(&block.name, block, &inner));
            }
        }
        let generates = dynamic && layers.attribute(DYNAMIC).is_none() && layers.block(DYNAMIC).is_none();
        if generates {
            schema = schema.block(DYNAMIC, &[TYPE]);
        }
        let ((content, rest), problems) = body.partial_content(&schema).into_parts();
        self.found.append(problems);
        let mut required: Vec<*const Attribute> = Vec::new();
        let mut counted: Counts = Counts::new();
        for attribute in content.attributes() {
            if let Some(known) = layers.attribute(attribute.name()) {
                self.names_in(Some(&known.ty), &Expr::Handle(attribute.expression().clone()), &around);
                if known.required {
                    required.push(Arc::as_ptr(known));
                }
                let span = attribute.name_place().span();
                self.attribute(known, attribute.name(), span, &Expr::Handle(attribute.expression().clone()), &around);
            }
        }
        let mut unwritten = Unwritten::default();
        for block in content.blocks() {
            match layers.block(block.block_type()) {
                Some((known, inner)) => self.json_block(block, known, inner, &around, dynamic, &mut counted),
                None if generates => self.json_dynamic(block, &layers, &around, (&mut counted, &mut unwritten)),
                None => {}
            }
        }
        if layers.free_attribute().is_some()
            || layers.free_block().is_some()
            || !layers.is_open()
            || around.has_iterators()
        {
            let (attributes, _) = rest.attributes().into_parts();
            for attribute in &attributes {
                let value = Expr::Handle(attribute.expression().clone());
                // Whether an unlisted property is a block cannot be seen, nor which names dynamic blocks in it define.
                if layers.free_block().is_none() && !attribute.expression().place().text().contains("\"dynamic\"") {
                    self.iterator_members(&value, &around);
                }
                let (name, span) = (attribute.name(), attribute.name_place().span());
                match (layers.free_attribute(), layers.free_block()) {
                    (Some(known), _) => {
                        let value = Expr::Handle(attribute.expression().clone());
                        self.scoped_names(Some(&known.ty), &value, &around);
                        self.attribute(known, name, span, &value, &around);
                    }
                    (None, Some((known, inner))) => {
                        let schema = body::BodySchema::new().with_block(&block_schema(name, known, &inner));
                        let ((content, _), problems) = body.partial_content(&schema).into_parts();
                        self.found.append(problems);
                        for block in content.blocks() {
                            self.json_block(block, known, inner.clone(), &around, dynamic, &mut counted);
                        }
                    }
                    (None, None) if layers.is_open() => {}
                    (None, None) => self.unsupported_property(name, span, &layers),
                }
            }
        } else if !self.scoped.is_empty() {
            for attribute in rest.attributes().into_value().iter() {
                self.scoped_names(None, &Expr::Handle(attribute.expression().clone()), &around);
            }
        }
        let place = body.missing_item_place().span();
        self.missing(&layers, &required, &counted, &unwritten, place, &around);
    }

    /// Checks a block.
    fn json_block(
        &mut self,
        block: &body::Block,
        known: &'c Arc<Block>,
        inner: Layers<'c>,
        around: &Around<'_, '_, 'c>,
        dynamic: bool,
        counted: &mut Counts,
    ) {
        let labels: Vec<(Cow<'_, str>, Span)> =
            block.labels().iter().map(|label| (Cow::Borrowed(label.text()), label.place().span())).collect();
        let span = block.type_place().span();
        self.header(known, block.block_type(), span, &labels, || span, (around, counted));
        let around = Around { labels: &labels, block: Some(known), parent: Some(around), ..Around::default() };
        stack::with_room(|| self.json(block.body(), inner, &around, dynamic));
    }

    fn unsupported_property(&mut self, name: &str, span: Span, layers: &Layers<'c>) {
        let detail = format!("a property named \"{name}\" is not expected here");
        let finding = Finding::error(Code::UnsupportedArgument, span, detail);
        let attributes = layers.attributes().map(|attribute| attribute.name.as_str());
        let names = attributes.chain(layers.blocks().map(|block| block.name.as_str()));
        let finding = self.names.suggest(finding, name, span, names);
        self.push(finding, layers.place().map(|place| (place, "expected by this")));
    }
}
