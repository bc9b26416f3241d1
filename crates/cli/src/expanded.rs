//! Files with expanded dynamic blocks (`hcl eval --dynamic`).
//!
//! Expanding a body requires its schema. Here the file itself provides it: the types of its blocks, static or dynamic.

use std::collections::{BTreeMap, BTreeSet};

use hcl_lr::body::{self, BodySchema};
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::dynamic::expand;
use hcl_lr::eval::Scope;
use hcl_lr::model::Value;
use hcl_lr::stack;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, File};
use hcl_lr_edit::query::BodyObject;

/// Returns the values of a file as one object, including its blocks. Failed values are unknown.
pub(super) fn evaluate(file: &File, scope: &Scope<'_>) -> Outcome<Value> {
    let mut shape = Shape::default();
    shape.add(file.body());
    scope.together(|scope| {
        let mut diagnostics = Diagnostics::new();
        let body = expand(body::Body::from(file), scope);
        let value = body_value(&body, &shape, scope, &mut diagnostics);
        diagnostics.sort();
        Outcome::new(value, diagnostics.without_repetitions())
    })
}

/// The attributes and blocks in the bodies of a type of blocks.
#[derive(Default)]
struct Shape {
    attributes: BTreeSet<String>,
    blocks: BTreeMap<String, BlockShape>,
}

/// The number of labels of a type of blocks, and the contents of their bodies.
struct BlockShape {
    labels: usize,
    body: Shape,
}

impl Shape {
    fn add(&mut self, body: hcl_lr::syntax::ast::BodyNode<'_>) {
        stack::with_room(|| {
            for item in body.items() {
                match item {
                    BodyItem::Attribute(attribute) => {
                        self.attributes.insert(attribute.name().to_owned());
                    }
                    BodyItem::Block(block) if block.block_type() == "dynamic" => self.add_dynamic(block),
                    BodyItem::Block(block) => {
                        self.block(block.block_type(), block.labels().count()).add(block.body());
                    }
                    _ => {}
                }
            }
        });
    }

    fn add_dynamic(&mut self, dynamic: BlockNode<'_>) {
        let Some(label) = dynamic.labels().next() else { return };
        let labels = dynamic.body().attribute("labels");
        let labels = labels.and_then(|labels| Some(labels.expression().static_list().ok()?.len()));
        let shape = self.block(&label.text(), labels.unwrap_or(0));
        let contents = dynamic.body().blocks().filter(|block| block.block_type() == "content");
        contents.for_each(|content| shape.add(content.body()));
    }

    /// If two blocks of a type differ in the number of their labels, the first one counts.
    fn block(&mut self, block_type: &str, labels: usize) -> &mut Shape {
        let block = self.blocks.entry(block_type.to_owned());
        &mut block.or_insert_with(|| BlockShape { labels, body: Shape::default() }).body
    }

    fn schema(&self) -> BodySchema {
        let schema = self.attributes.iter().fold(BodySchema::new(), |schema, name| schema.optional(name));
        self.blocks.iter().fold(schema, |schema, (name, block)| schema.block(name, &vec!["label"; block.labels]))
    }
}

fn body_value(body: &body::Body, shape: &Shape, scope: &Scope<'_>, diagnostics: &mut Diagnostics) -> Value {
    stack::with_room(|| {
        let content = body.content(&shape.schema()).into_value_reporting_to(diagnostics);
        let mut members = BodyObject::default();
        for attribute in content.attributes() {
            let value = attribute.expression().evaluate_partially(scope).into_value_reporting_to(diagnostics);
            members.add_attribute(attribute.name(), value);
        }
        for block in content.blocks() {
            let Some(shape) = shape.blocks.get(block.block_type()) else { continue };
            let inner = body_value(block.body(), &shape.body, scope, diagnostics);
            let labels = block.labels().iter().map(|label| label.text().to_owned()).collect();
            diagnostics.extend(members.add_block(block.block_type(), labels, inner, &block.header_place()));
        }
        members.into_value()
    })
}
