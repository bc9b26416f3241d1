//! Reads a body without a schema: all items, in the order of the source.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use std::collections::HashSet;

use super::content::{Attribute, Attributes, Block, Content};
use super::matching::Taken;
use super::{Body, json};
use crate::json::{COMMENT, Document, Node};
use crate::syntax::ast::{BodyItem, BodyNode};

/// The written form of a body, without the names that partial processing has taken.
#[derive(Debug)]
pub enum Written<'b> {
    Native(BodyNode<'b>, &'b Taken),
    Json(&'b Document, Node<'b>, &'b HashSet<String>),
    Items(Vec<WrittenItem<'b>>, &'b Taken),
    /// Several bodies, one after the other.
    Several(&'b [Body]),
    /// Only a schema can tell.
    BySchema,
}

/// Something in a body.
#[derive(Debug)]
pub enum WrittenItem<'b> {
    Attribute(&'b Attribute),
    Block(&'b Block),
}

impl Body {
    /// Returns all attributes and blocks without a schema, for programs that process any body. In native syntax the
    /// source distinguishes them; in JSON each property is an attribute, because only a schema could tell (JSON syntax
    /// specification, "Bodies"). A body that an application computes, such as an [expanded](crate::dynamic::expand)
    /// one, has no written form: `None`.
    ///
    /// Unlike for [`attributes`](Self::attributes), blocks beside the attributes are not an error.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, Value, parse};
    ///
    /// let body: Body = parse("port = 80\nlogs \"all\" {\n  level = 2\n}\n").into_result()?;
    /// let content = body.content_as_written().expect("it is written");
    /// assert_eq!(content.attribute("port").expect("a port").evaluate(&Scope::new())?, Value::from(80));
    /// let logs = &content.blocks()[0];
    /// assert_eq!((logs.block_type(), logs.label(0)), ("logs", Some("all")));
    /// assert!(logs.body().content_as_written().expect("it is written").attribute("level").is_some());
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn content_as_written(&self) -> Option<Content> {
        let (mut attributes, mut blocks) = (Vec::new(), Vec::new());
        // Merged bodies do not contain merged bodies themselves.
        let merged = match self.written() {
            Written::Several(bodies) => bodies,
            _ => std::slice::from_ref(self),
        };
        for body in merged {
            body.written().collect(&mut attributes, &mut blocks)?;
        }
        let attributes: Attributes = attributes.into_iter().collect();
        Some(Content::new(attributes, blocks, self.missing_item_place()))
    }
}

impl Written<'_> {
    /// Adds the items; `None` if only a schema can identify them.
    fn collect(self, attributes: &mut Vec<Attribute>, blocks: &mut Vec<Block>) -> Option<()> {
        match self {
            Written::Native(node, taken) => {
                for item in node.items() {
                    match item {
                        BodyItem::Attribute(one) if !taken.takes(one.name(), false) => attributes.push(one.into()),
                        BodyItem::Block(one) if !taken.takes(one.block_type(), true) => blocks.push(one.into()),
                        _ => {}
                    }
                }
            }
            Written::Json(document, node, taken) => {
                let properties = json::properties_of(node, &String::new, &mut |_| {}).into_iter();
                let properties =
                    properties.filter(|property| property.name() != COMMENT && !taken.contains(&*property.name()));
                attributes.extend(properties.map(|property| json::attribute(document, property)));
            }
            Written::Items(items, taken) => {
                for item in items {
                    match item {
                        WrittenItem::Attribute(one) if !taken.takes(one.name(), false) => attributes.push(one.clone()),
                        WrittenItem::Block(one) if !taken.takes(one.block_type(), true) => blocks.push(one.clone()),
                        _ => {}
                    }
                }
            }
            Written::Several(_) | Written::BySchema => return None,
        }
        Some(())
    }
}
