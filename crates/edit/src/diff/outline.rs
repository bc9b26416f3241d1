//! A file as a flat list of its named parts, each with a number for its meaning.
//!
//! Parents precede their children, and the children of a parent are adjacent. Parts with the same number have the same
//! content, in all outlines made with the same [`Meanings`]. So comparing two parts takes constant time, however large
//! they are.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::address::{Address, AddressStep};
use crate::{Container, Item, constant_key};
use hcl_lr::internal::meaning;
use hcl_lr::internal::sort_by_key;
use hcl_lr::internal::text_of_literal;
use hcl_lr::internal::work;
use hcl_lr::json;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, File};

/// Numbers for meanings.
#[derive(Default)]
pub(super) struct Meanings {
    known: HashMap<Vec<u8>, u32>,
}

impl Meanings {
    /// Returns the number of a meaning.
    fn number(&mut self, meaning: Vec<u8>) -> u32 {
        work::step(1 + meaning.len() / 16);
        let next = self.known.len() as u32;
        *self.known.entry(meaning).or_insert(next)
    }

    fn of_numbers(&mut self, kind: u8, numbers: impl Iterator<Item = u32>) -> u32 {
        let mut text = vec![kind];
        numbers.for_each(|number| text.extend(number.to_le_bytes()));
        self.number(text)
    }

    fn of_texts<'s>(&mut self, kind: u8, texts: impl Iterator<Item = (u8, Cow<'s, str>)>) -> u32 {
        let mut meaning = vec![kind];
        for (kind, text) in texts {
            meaning.push(kind);
            meaning.extend((text.len() as u32).to_le_bytes());
            meaning.extend(text.as_bytes());
        }
        self.number(meaning)
    }

    fn of_expression(&mut self, kind: u8, expression: ExpressionNode<'_>) -> u32 {
        let (file, end) = (expression.file(), expression.span().end());
        let first = file.tokens().at(expression.span().start());
        let tokens = std::iter::successors(Some(first), |token| token.next());
        let tokens = meaning(tokens.take_while(|token| token.span().start() < end));
        self.of_texts(kind, tokens.into_iter().map(|(kind, text)| (kind as u8, text)))
    }
}

/// A part of a file in either syntax.
#[derive(Clone, Copy)]
pub(super) enum Part<'f> {
    /// The body of a file in native syntax.
    File(&'f File),
    Native(Item<'f>),
    /// The root of a document, or an element of an array.
    Json(json::Node<'f>),
    Property(json::Property<'f>),
}

/// The kind of content of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Leaf,
    Body,
    Object,
    Tuple,
}

/// A part with its place in the outline.
pub(super) struct Node<'f> {
    pub part: Part<'f>,
    pub shape: Shape,
    pub parent: usize,
    pub children: Range<usize>,
    /// The number of the name of an attribute or key, or of the type and labels. All elements of a list share a
    /// number.
    pub key: u32,
    /// The number of its value or body.
    pub content: u32,
    /// The number of both.
    pub whole: u32,
    /// The number of earlier parts with the same parent and name, and of all such parts.
    pub nth: u32,
    pub of: u32,
    /// The index of a block in its address: among the blocks whose type and labels begin with its own.
    index: Option<u32>,
}

/// A file as a list of its parts; the first one is the body of the file.
pub(super) struct Outline<'f> {
    pub nodes: Vec<Node<'f>>,
    pub source: &'f Arc<Source>,
    /// The children of each part, sorted by name and place, at the same indexes as the children.
    by_key: Vec<usize>,
}

impl<'f> Outline<'f> {
    /// Builds the outline of a file in native syntax.
    pub fn of_file(file: &'f File, meanings: &mut Meanings) -> Outline<'f> {
        Outline::new(Part::File(file), file.source(), meanings)
    }

    /// Builds the outline of a document in the JSON syntax.
    pub fn of_document(document: &'f json::Document, meanings: &mut Meanings) -> Outline<'f> {
        Outline::new(Part::Json(document.root()), document.source(), meanings)
    }

    fn new(root: Part<'f>, source: &'f Arc<Source>, meanings: &mut Meanings) -> Outline<'f> {
        let mut outline = Outline { nodes: Vec::new(), source, by_key: Vec::new() };
        outline.add(root, 0, meanings);
        let mut at = 0;
        while at < outline.nodes.len() {
            let start = outline.nodes.len();
            for part in parts_of(outline.nodes[at].part) {
                outline.add(part, at, meanings);
            }
            outline.nodes[at].children = start..outline.nodes.len();
            at += 1;
        }
        outline.by_key = (0..outline.nodes.len()).collect();
        for at in (0..outline.nodes.len()).rev() {
            outline.summarize(at, meanings);
        }
        outline
    }

    fn add(&mut self, part: Part<'f>, parent: usize, meanings: &mut Meanings) {
        let key = key(part, meanings);
        let shape = shape(part);
        self.nodes.push(Node {
            part,
            shape,
            parent,
            children: 0..0,
            key,
            content: 0,
            whole: 0,
            nth: 0,
            of: 1,
            index: None,
        });
    }

    /// Numbers the content of a part, after its children.
    fn summarize(&mut self, at: usize, meanings: &mut Meanings) {
        let node = &self.nodes[at];
        let children = node.children.clone();
        let content = match node.shape {
            Shape::Leaf => leaf(node.part, meanings),
            Shape::Tuple => {
                for (nth, child) in children.clone().enumerate() {
                    self.nodes[child].nth = nth as u32;
                    self.nodes[child].of = children.len() as u32;
                }
                meanings.of_numbers(b'[', self.nodes[children].iter().map(|child| child.content))
            }
            Shape::Body | Shape::Object => {
                let Outline { nodes, by_key, .. } = self;
                index_blocks(&mut nodes[children.clone()]);
                sort_by_key(&mut by_key[children.clone()], |&child| (nodes[child].key, child));
                let groups = by_key[children].chunk_by(|a, b| nodes[*a].key == nodes[*b].key);
                let groups: Vec<Vec<usize>> = groups.map(<[usize]>::to_vec).collect();
                let mut all = Vec::new();
                for group in groups {
                    for (nth, &child) in group.iter().enumerate() {
                        nodes[child].nth = nth as u32;
                        nodes[child].of = group.len() as u32;
                        all.extend([nodes[child].key, nodes[child].content]);
                    }
                }
                meanings.of_numbers(b'{', all.into_iter())
            }
        };
        let key = self.nodes[at].key;
        self.nodes[at].content = content;
        self.nodes[at].whole = meanings.of_numbers(b'=', [key, content].into_iter());
    }

    /// Returns the children of a part in groups with one name, sorted by the numbers of the names.
    pub fn groups(&self, at: usize) -> impl Iterator<Item = &[usize]> {
        self.by_key[self.nodes[at].children.clone()].chunk_by(|a, b| self.nodes[*a].key == self.nodes[*b].key)
    }

    /// Returns the part as an item to edit.
    pub fn item(&self, at: usize) -> Option<Item<'f>> {
        match self.nodes[at].part {
            Part::Native(item) => Some(item),
            _ => None,
        }
    }

    pub fn span(&self, at: usize) -> Span {
        match self.nodes[at].part {
            Part::File(file) => file.body().span(),
            Part::Native(item) => item.span(),
            Part::Json(node) => node.span(),
            Part::Property(property) => property.span(),
        }
    }

    pub fn place(&self, at: usize) -> Place {
        Place::new(self.source, self.span(at))
    }

    /// Returns the span of the value of a part; a block has none.
    pub fn value_span(&self, at: usize) -> Option<Span> {
        match self.nodes[at].part {
            Part::File(_) => None,
            Part::Native(item) => Some(item.value()?.span()),
            Part::Json(node) => Some(node.span()),
            Part::Property(property) => Some(property.value().span()),
        }
    }

    /// Returns the address of a part.
    pub fn address(&self, at: usize) -> Address {
        let (mut chain, mut node) = (Vec::new(), at);
        while node != 0 {
            chain.push(node);
            node = self.nodes[node].parent;
        }
        chain.iter().rev().fold(Address::root(), |address, &node| self.with_step(address, node))
    }

    /// Appends the steps of a part to the address of its parent.
    fn with_step(&self, address: Address, at: usize) -> Address {
        let node = &self.nodes[at];
        match node.part {
            Part::File(_) => address,
            Part::Native(Item::Attribute(attribute)) => address.name(attribute.name()),
            Part::Native(Item::Entry(entry)) => match constant_key(entry) {
                Ok(name) => address.name(name),
                Err(expression) => address.step(AddressStep::Computed(expression.text().to_owned())),
            },
            Part::Native(Item::Block(block)) => {
                let named = address.name(block.block_type());
                let labelled = block.labels().fold(named, |address, label| address.name(label.text()));
                node.index.into_iter().fold(labelled, |address, index| address.index(u64::from(index)))
            }
            Part::Native(Item::Element(_) | Item::JsonValue(_) | Item::JsonBlock(..)) | Part::Json(_) => {
                address.index(u64::from(node.nth))
            }
            Part::Property(property) => address.name(property.name()),
        }
    }
}

/// Gives the blocks of a body the indexes that their addresses need.
fn index_blocks(nodes: &mut [Node<'_>]) {
    // The groups of blocks whose names begin alike, by the group without the last name.
    let mut known: HashMap<(Option<usize>, Cow<'_, str>), usize> = HashMap::new();
    let mut counts: Vec<u32> = Vec::new();
    let mut own: Vec<(usize, usize, u32)> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let Part::Native(Item::Block(block)) = node.part else { continue };
        let names = std::iter::once(Cow::Borrowed(block.block_type())).chain(block.labels().map(|label| label.text()));
        let mut group = None;
        for name in names {
            let number = *known.entry((group, name)).or_insert(counts.len());
            counts.resize(counts.len().max(number + 1), 0);
            counts[number] += 1;
            group = Some(number);
        }
        own.extend(group.map(|group| (at, group, counts[group] - 1)));
    }
    for (at, group, before) in own {
        nodes[at].index = (counts[group] > 1).then_some(before);
    }
}

/// Returns the parts within a part.
fn parts_of(part: Part<'_>) -> Vec<Part<'_>> {
    let container = match part {
        Part::File(file) => Container::Body(file.body()),
        Part::Native(Item::Block(block)) => Container::Body(block.body()),
        Part::Native(item) => match item.value() {
            Some(value) => Container::Collection(value),
            None => return Vec::new(),
        },
        Part::Json(node) => return parts_of_json(node),
        Part::Property(property) => return parts_of_json(property.value()),
    };
    container.members().into_iter().flatten().map(Part::Native).collect()
}

fn parts_of_json(node: json::Node<'_>) -> Vec<Part<'_>> {
    match node.kind() {
        json::NodeKind::Object(object) => object.properties().map(Part::Property).collect(),
        json::NodeKind::Array(array) => array.elements().map(Part::Json).collect(),
        _ => Vec::new(),
    }
}

fn shape(part: Part<'_>) -> Shape {
    let json = |node: json::Node<'_>| match node.kind() {
        json::NodeKind::Object(_) => Shape::Object,
        json::NodeKind::Array(_) => Shape::Tuple,
        _ => Shape::Leaf,
    };
    match part {
        Part::File(_) | Part::Native(Item::Block(_)) => Shape::Body,
        Part::Native(item) => match item.value().map(ExpressionNode::kind) {
            Some(ExpressionKind::Object(_)) => Shape::Object,
            Some(ExpressionKind::Tuple(_)) => Shape::Tuple,
            _ => Shape::Leaf,
        },
        Part::Json(node) => json(node),
        Part::Property(property) => json(property.value()),
    }
}

/// Numbers the name of a part.
fn key(part: Part<'_>, meanings: &mut Meanings) -> u32 {
    match part {
        Part::File(_) | Part::Json(_) | Part::Native(Item::Element(_) | Item::JsonValue(_) | Item::JsonBlock(..)) => {
            meanings.number(vec![b'i'])
        }
        Part::Native(Item::Attribute(attribute)) => {
            meanings.of_texts(b'a', std::iter::once((0, Cow::Borrowed(attribute.name()))))
        }
        Part::Native(Item::Block(block)) => {
            let names =
                std::iter::once(Cow::Borrowed(block.block_type())).chain(block.labels().map(|label| label.text()));
            meanings.of_texts(b'b', names.map(|name| (0, name)))
        }
        Part::Native(Item::Entry(entry)) => match constant_key(entry) {
            Ok(name) => meanings.of_texts(b'k', std::iter::once((0, name))),
            Err(expression) => meanings.of_expression(b'e', expression),
        },
        Part::Property(property) => meanings.of_texts(b'k', std::iter::once((0, property.name()))),
    }
}

/// Numbers the value of a part without children.
fn leaf(part: Part<'_>, meanings: &mut Meanings) -> u32 {
    let node = match part {
        Part::Native(item) => {
            return match item.value() {
                Some(value) => meanings.of_expression(b'v', value),
                None => meanings.number(vec![b'n']),
            };
        }
        Part::File(_) => return meanings.number(vec![b'n']),
        Part::Json(node) => node,
        Part::Property(property) => property.value(),
    };
    let (kind, text) = match node.kind() {
        json::NodeKind::String(text) => (1, text.text()),
        json::NodeKind::Number(number) => (2, Cow::Owned(number_text(number.text()))),
        _ => (3, Cow::Borrowed(node.text())),
    };
    meanings.of_texts(b'v', std::iter::once((kind, text)))
}

/// Returns a JSON number in canonical form.
fn number_text(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    text_of_literal(digits).map_or_else(|| text.to_owned(), |plain| format!("{sign}{plain}"))
}
