//! The tree: a list of small nodes, and handles to them.
//!
//! The nodes are in source order. A container precedes its content and has the index of the node after its content; a
//! property is two nodes, its name and its value. So nodes are not allocated separately, and nothing recurses, not even
//! dropping a tree.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::dump::NodeDump;
use super::string::StringText;
#[cfg(feature = "eval")]
use crate::model::Number;
use crate::reading::Dialect;
use crate::source::{Source, Span};

/// The kind of a node. Those for mistakes only occur in a source with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Object,
    Array,
    /// A container that extends to the end of the source or of the container around it.
    UnclosedObject,
    UnclosedArray,
    /// A string without escape sequences.
    Plain,
    Escaped,
    /// A string without its closing quote.
    Unclosed,
    /// A string in other quotes, which is read literally.
    Foreign,
    /// A word or number without quotes as the name of a property.
    Bare,
    Number,
    True,
    False,
    Null,
    Error,
}

impl Tag {
    pub fn is_container(self) -> bool {
        matches!(self, Tag::Object | Tag::Array | Tag::UnclosedObject | Tag::UnclosedArray)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RawNode {
    pub start: u32,
    pub end: u32,
    /// The index of the node after this one and its content. While a container is being read: the index of the
    /// container around it.
    pub next: u32,
    pub tag: Tag,
    /// True if it is the name of a property.
    pub is_name: bool,
}

#[derive(Debug)]
pub(super) struct Tree {
    pub source: Arc<Source>,
    pub nodes: Vec<RawNode>,
    /// The dialect of the document, in which its strings are read and evaluated.
    pub dialect: Dialect,
}

/// A value in a document, or the name of a property.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Arc<Tree>,
    id: u32,
}

/// The kind of a [`Node`].
#[derive(Clone, Copy, Debug)]
pub enum NodeKind<'t> {
    /// An object.
    Object(Object<'t>),
    /// An array.
    Array(Array<'t>),
    /// A string.
    String(StringText<'t>),
    /// A number.
    Number(NumberText<'t>),
    /// `true` or `false`.
    Bool(bool),
    /// `null`
    Null,
    /// A part with a syntax error, or a missing one; a diagnostic explains it.
    Error,
}

impl<'t> Node<'t> {
    pub(super) fn new(tree: &'t Arc<Tree>, id: u32) -> Self {
        Node { tree, id }
    }

    fn raw(self) -> &'t RawNode {
        &self.tree.nodes[self.id as usize]
    }

    /// Returns the number of the node in its document, for [`Document::node`](super::Document::node).
    pub fn id(self) -> u32 {
        self.id
    }

    /// Returns true if this is a node of the document or of a clone of it. Another document with the same text does not
    /// count.
    #[doc(hidden)]
    pub fn is_of(self, document: &super::Document) -> bool {
        Arc::ptr_eq(self.tree, document.tree())
    }

    /// Returns the document that it is a node of.
    pub(crate) fn document(self) -> super::Document {
        super::Document::of_tree(self.tree.clone())
    }

    /// The source.
    pub fn source(self) -> &'t Arc<Source> {
        &self.tree.source
    }

    /// Returns the dialect in which the document was parsed.
    pub(crate) fn dialect(self) -> Dialect {
        self.tree.dialect
    }

    /// Returns the span, including brackets and quotes.
    pub fn span(self) -> Span {
        Span::of(self.raw().start, self.raw().end)
    }

    /// Returns the source text.
    pub fn text(self) -> &'t str {
        self.tree.source.slice(self.span())
    }

    /// Returns the kind of the node.
    pub fn kind(self) -> NodeKind<'t> {
        match self.raw().tag {
            Tag::Object | Tag::UnclosedObject => NodeKind::Object(Object(self)),
            Tag::Array | Tag::UnclosedArray => NodeKind::Array(Array(self)),
            Tag::Plain | Tag::Escaped | Tag::Unclosed | Tag::Foreign | Tag::Bare => {
                NodeKind::String(StringText::new(self, self.raw().tag))
            }
            Tag::Number => NodeKind::Number(NumberText(self)),
            Tag::True => NodeKind::Bool(true),
            Tag::False => NodeKind::Bool(false),
            Tag::Null => NodeKind::Null,
            Tag::Error => NodeKind::Error,
        }
    }

    /// The object, if it is one.
    pub fn as_object(self) -> Option<Object<'t>> {
        if let NodeKind::Object(object) = self.kind() { Some(object) } else { None }
    }

    /// The array, if it is one.
    pub fn as_array(self) -> Option<Array<'t>> {
        if let NodeKind::Array(array) = self.kind() { Some(array) } else { None }
    }

    /// The string, if it is one.
    pub fn as_string(self) -> Option<StringText<'t>> {
        if let NodeKind::String(string) = self.kind() { Some(string) } else { None }
    }

    /// Returns the span for a diagnostic about the whole node: the opening bracket of an object or array, the whole
    /// span of any other node.
    pub fn start_span(self) -> Span {
        if self.raw().tag.is_container() { self.open_span() } else { self.span() }
    }

    /// Returns true if it is the name of a property.
    pub fn is_name(self) -> bool {
        self.raw().is_name
    }

    /// Returns the index of the node after this one and its content.
    pub(super) fn end_id(self) -> u32 {
        if self.raw().tag.is_container() { self.raw().next } else { self.id + 1 }
    }

    pub(super) fn sibling(self, id: u32) -> Node<'t> {
        Node { id, ..self }
    }

    fn open_span(self) -> Span {
        let start = self.raw().start;
        Span::of(start, start + 1)
    }

    fn close_span(self) -> Span {
        let RawNode { end, tag, .. } = *self.raw();
        let closed = matches!(tag, Tag::Object | Tag::Array);
        Span::of(end - u32::from(closed), end)
    }
}

/// Two nodes are equal if they are the same node of the same document. A clone of a document has the same nodes.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(self.tree, other.tree)
    }
}

impl Eq for Node<'_> {}

impl Hash for Node<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NodeDump(*self).fmt(f)
    }
}

/// An object.
#[derive(Clone, Copy, Debug)]
pub struct Object<'t>(Node<'t>);

impl<'t> Object<'t> {
    /// Returns the properties in source order, including duplicates.
    pub fn properties(self) -> Properties<'t> {
        Properties { tree: self.0.tree, id: self.0.id + 1, end: self.0.end_id() }
    }
}

/// The properties of an [`Object`].
#[derive(Clone, Debug)]
pub struct Properties<'t> {
    tree: &'t Arc<Tree>,
    id: u32,
    end: u32,
}

impl<'t> Iterator for Properties<'t> {
    type Item = Property<'t>;

    fn next(&mut self) -> Option<Property<'t>> {
        if self.id >= self.end {
            return None;
        }
        let property = Property { name: Node::new(self.tree, self.id) };
        self.id = property.value().end_id();
        Some(property)
    }
}

/// A property of an [`Object`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Property<'t> {
    name: Node<'t>,
}

impl<'t> Property<'t> {
    /// Its name, with escape sequences decoded.
    pub fn name(self) -> Cow<'t, str> {
        self.name_text().text()
    }

    /// Its name as a string of the document.
    pub fn name_text(self) -> StringText<'t> {
        StringText::new(self.name, self.name.raw().tag)
    }

    /// Returns the span of its name, with the quotes.
    pub fn name_span(self) -> Span {
        self.name.span()
    }

    /// The node of the name, for [`Node::id`].
    pub fn name_node(self) -> Node<'t> {
        self.name
    }

    /// Returns the value; an error node if it is missing in the source.
    pub fn value(self) -> Node<'t> {
        self.name.sibling(self.name.id + 1)
    }

    /// From its name to the end of its value.
    pub fn span(self) -> Span {
        self.name.span().join(self.value().span())
    }
}

/// An array.
#[derive(Clone, Copy, Debug)]
pub struct Array<'t>(Node<'t>);

impl<'t> Array<'t> {
    /// Its elements in the order of the source.
    pub fn elements(self) -> ArrayElements<'t> {
        ArrayElements { tree: self.0.tree, id: self.0.id + 1, end: self.0.end_id() }
    }
}

macro_rules! containers {
    ($($container:ident $parts:ident)*) => {$(
        impl<'t> $container<'t> {
            /// The node that it is.
            pub fn node(self) -> Node<'t> {
                self.0
            }

            /// Returns the number of parts, by counting them.
            pub fn len(self) -> usize {
                self.$parts().count()
            }

            /// Returns true if it has no parts.
            pub fn is_empty(self) -> bool {
                self.$parts().next().is_none()
            }

            /// Returns the span.
            pub fn span(self) -> Span {
                self.0.span()
            }

            /// The opening bracket.
            pub fn open_span(self) -> Span {
                self.0.open_span()
            }

            /// Returns the span of the closing bracket; if it is missing, the place where the object or array ends.
            pub fn close_span(self) -> Span {
                self.0.close_span()
            }
        }
    )*};
}

containers! { Object properties Array elements }

/// The elements of an [`Array`].
#[derive(Clone, Debug)]
pub struct ArrayElements<'t> {
    tree: &'t Arc<Tree>,
    id: u32,
    end: u32,
}

impl<'t> Iterator for ArrayElements<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.id >= self.end {
            return None;
        }
        let node = Node::new(self.tree, self.id);
        self.id = node.end_id();
        Some(node)
    }
}

/// A number, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct NumberText<'t>(Node<'t>);

impl<'t> NumberText<'t> {
    /// The node that it is.
    pub fn node(self) -> Node<'t> {
        self.0
    }

    /// Returns the source text.
    pub fn text(self) -> &'t str {
        self.0.text()
    }

    /// Returns the span.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Returns the exact number. Text that is not a number or is out of range is an error node instead.
    ///
    /// ```
    /// use hcl_lr::json::NodeKind;
    /// use hcl_lr::json::Document;
    /// use hcl_lr::parse;
    ///
    /// let document = parse::<Document>("1e-2").into_result()?;
    /// let NodeKind::Number(number) = document.root().kind() else { panic!() };
    /// assert_eq!(number.value().to_string(), "0.01");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    #[cfg(feature = "eval")]
    pub fn value(self) -> Number {
        // The reader has checked both form and range, so the zero is never used.
        self.text().parse().unwrap_or(Number::ZERO)
    }
}
