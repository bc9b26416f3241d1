//! Lists the parts of a body.

use std::borrow::Cow;
use std::collections::HashMap;

use super::context::Context;
use super::input::{At, BlockRef, BodyRef, Input, JsonInput, Member};
use super::messages;
use crate::body::{Written, WrittenItem};
use crate::json::{Document, Node};
use crate::source::Span;
use crate::syntax::ast::{BodyItem, BodyNode};

/// Returns the parts of a body, in the order of the source. Blocks of one type are one part at the place of the first
/// block, unless they are wanted `singly`.
///
/// `None` if only a schema can tell what is in the body.
pub(super) fn members<'t>(body: BodyRef<'t>, singly: bool) -> Option<Members<'t>> {
    let mut collector = Collector { members: Vec::new(), index: HashMap::new(), singly, several: false };
    if !collector.add_body(body) {
        return None;
    }
    let several = collector.several;
    let mut members = Members { all: collector.members, duplicates: Vec::new() };
    let attributes = members.all.iter().filter(|member| member.is_attribute()).count();
    if several || (attributes > 0 && attributes < members.all.len()) {
        members.keep_first(several);
    }
    Some(members)
}

/// The parts of a body, and the attributes that are there once more.
pub(super) struct Members<'t> {
    pub all: Vec<Member<'t>>,
    /// Name, where it is first set, and where again.
    pub duplicates: Vec<(Cow<'t, str>, At<'t>, At<'t>)>,
}

impl Members<'_> {
    /// Reports the attributes that are there once more.
    pub fn report(&self, cx: &Context<'_, '_>) {
        if !cx.broken {
            for (name, first, again) in &self.duplicates {
                cx.record(messages::duplicate(name, *first, *again));
            }
        }
    }

    /// Keeps the first of an attribute and blocks of one name; of several files, also the first of attributes. The
    /// parser looks for attributes that are there twice in one file.
    fn keep_first(&mut self, several: bool) {
        let mut first: HashMap<Cow<'_, str>, (At<'_>, bool)> = HashMap::with_capacity(self.all.len());
        let duplicates = &mut self.duplicates;
        self.all.retain(|member| {
            let is_attribute = member.is_attribute();
            let (at, of_attribute) = *first.entry(member.name.clone()).or_insert((member.at, is_attribute));
            let clashes = of_attribute != is_attribute;
            let repeats = several && is_attribute && at.place() != member.at.place();
            if clashes || repeats {
                duplicates.push((member.name.clone(), at, member.at));
            }
            !clashes && !repeats
        });
    }
}

/// The properties of an object in JSON, or of objects. A name that is there again is not another part.
pub(super) fn json_members<'t>(
    document: &'t Document,
    properties: impl Iterator<Item = (Cow<'t, str>, Span, Node<'t>)>,
) -> Vec<Member<'t>> {
    let mut collector = Collector { members: Vec::new(), index: HashMap::new(), singly: false, several: false };
    for (name, span, value) in properties {
        collector.add_json(document, name, span, value);
    }
    collector.members
}

/// Collects the parts of bodies.
struct Collector<'t> {
    members: Vec<Member<'t>>,
    /// The indexes of the names, once there are many.
    index: HashMap<Cow<'t, str>, usize>,
    singly: bool,
    /// True if several bodies are merged into this one.
    several: bool,
}

impl<'t> Collector<'t> {
    /// The part with a name that can have more than one block.
    fn known(&mut self, name: &str) -> Option<&mut Member<'t>> {
        /// Up to this many members, comparing each is faster than an index.
        const MAX_COMPARED: usize = 8;
        if self.members.len() <= MAX_COMPARED {
            return self.members.iter_mut().find(|member| member.name == name && !member.is_attribute());
        }
        if self.index.is_empty() {
            let blocks = self.members.iter().enumerate().filter(|(_, member)| !member.is_attribute());
            self.index = blocks.map(|(at, member)| (member.name.clone(), at)).collect();
        }
        self.index.get(name).map(|&at| &mut self.members[at])
    }

    fn push(&mut self, member: Member<'t>) {
        if !self.index.is_empty() && !member.is_attribute() {
            self.index.insert(member.name.clone(), self.members.len());
        }
        self.members.push(member);
    }

    fn add_block(&mut self, name: &'t str, block: BlockRef<'t>) {
        if !self.singly
            && let Some(known) = self.known(name)
        {
            known.input.join(Input::Blocks(vec![block]));
            return;
        }
        self.push(Member { name: Cow::Borrowed(name), at: block.type_at(), input: Input::Blocks(vec![block]) });
    }

    fn add_json(&mut self, document: &'t Document, name: Cow<'t, str>, span: Span, value: Node<'t>) {
        if let Some(known) = self.known(&name) {
            known.input.join(Input::Json(JsonInput::new(document, value)));
            return;
        }
        let at = At::Span(document.source(), span);
        self.push(Member { name, at, input: Input::Json(JsonInput::new(document, value)) });
    }

    /// Adds the parts of a body. Returns false if only a schema can find them.
    fn add_body(&mut self, body: BodyRef<'t>) -> bool {
        let body = match body {
            BodyRef::Native(node) => {
                self.add_native(node, |_, _| false);
                return true;
            }
            BodyRef::Any(body) => body,
        };
        match body.written() {
            Written::Native(node, taken) => self.add_native(node, |name, is_block| taken.takes(name, is_block)),
            Written::Json(document, node, taken) => {
                let mut ignored = |_| {};
                for member in crate::body::properties_of(node, &String::new, &mut ignored) {
                    let name = member.name();
                    if name != crate::json::COMMENT && !taken.contains(&*name) {
                        self.add_json(document, name, member.name_span(), member.value());
                    }
                }
            }
            Written::Items(items, taken) => {
                for item in items {
                    match item {
                        WrittenItem::Attribute(one) if taken.takes(one.name(), false) => {}
                        WrittenItem::Attribute(one) => self.push(Member::attribute(one)),
                        WrittenItem::Block(one) if taken.takes(one.block_type(), true) => {}
                        WrittenItem::Block(one) => self.add_block(one.block_type(), BlockRef::owned(one)),
                    }
                }
            }
            Written::Several(bodies) => {
                self.several = true;
                return bodies.iter().all(|body| self.add_body(BodyRef::Any(body)));
            }
            Written::BySchema => return false,
        }
        true
    }

    fn add_native(&mut self, node: BodyNode<'t>, taken: impl Fn(&str, bool) -> bool) {
        self.members.reserve(node.items().len());
        for item in node.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let token = attribute.name_token();
                    let name = token.text();
                    if !taken(name, false) {
                        self.push(Member {
                            name: Cow::Borrowed(name),
                            at: At::Span(node.shared_source(), token.span()),
                            input: Input::Native(attribute.expression()),
                        });
                    }
                }
                BodyItem::Block(block) => {
                    let name = block.block_type();
                    if !taken(name, true) {
                        self.add_block(name, BlockRef::native(block));
                    }
                }
                // The parser has reported the error.
                _ => {}
            }
        }
    }
}
