//! The JSON syntax: parses text to a tree, with all errors. It does not depend on values.
//!
//! The tree keeps information that the JSON syntax specification requires and most readers lose: the order of
//! properties, duplicate names, all digits of numbers, and the place of everything in the source. As in the native
//! syntax, a parse always returns a tree *and* a list of diagnostics; a part that could not be parsed is an error node.
//!
//! ```
//! let parse = hcl_lr::parse::<hcl_lr::json::Document>(("main.tf.json", "{\"b\": 1, \"a\": tru, \"b\": [2 3]}"));
//! assert_eq!(
//!     parse.diagnostics().short(),
//!     "main.tf.json:1:15: error[invalid-keyword]: no such word in JSON: `tru` is not a JSON keyword\n\
//!      main.tf.json:1:28: error[missing-comma]: elements or arguments are not separated: a comma is expected before this\n",
//! );
//! let object = parse.value().root().as_object().expect("an object");
//! let names: Vec<_> = object.properties().map(|member| member.name()).collect();
//! assert_eq!(names, ["b", "a", "b"]);
//! ```

mod check;
mod dump;
mod reader;
mod recover;
#[cfg(any(feature = "write", feature = "serde"))]
pub(crate) mod shapes;
mod string;
pub(crate) mod template;
mod tree;

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Diagnostics, Outcome, in_source};
use crate::reading::{Parse, ParseOptions, bounded};
use crate::source::Source;

pub(crate) use check::{BODY, check_root};
pub use dump::NodeDump;
#[cfg(any(feature = "write", feature = "serde"))]
pub use shapes::ConversionSchema;
#[cfg(any(feature = "write", feature = "serde"))]
pub(crate) use shapes::{BlockShape, MAX_INDENT, Shapes};
pub use string::StringText;
pub use template::COMMENT;
pub(crate) use template::template_of;
pub(crate) use template::{BYTE_ORDER_MARK, options_of, source_of};
use tree::Tree;
pub use tree::{Array, ArrayElements, Node, NodeKind, NumberText, Object, Properties, Property};

/// Parses a JSON document. Its root may be any value; a [`Body`](crate::Body) and a [`ConfigFile`](crate::ConfigFile)
/// require an object or an array.
///
/// ```
/// use hcl_lr::json::{Document, NodeKind};
/// use hcl_lr::parse;
///
/// let document = parse::<Document>("[1.10]").into_result()?;
/// let array = document.root().as_array().expect("an array");
/// let NodeKind::Number(number) = array.elements().next().expect("an element").kind() else { panic!() };
/// assert_eq!(number.text(), "1.10");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
impl Parse for Document {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Document> {
        read(source, options, options.json_checks)
    }
}

/// Parses a document that is a configuration.
pub(crate) fn configuration(source: Source, options: &ParseOptions) -> Outcome<Document> {
    read(source, options, true)
}

fn read(source: Source, options: &ParseOptions, is_configuration: bool) -> Outcome<Document> {
    let (source, too_large) = bounded(source, options);
    let (nodes, mut list) = reader::read(&source, options);
    if let Some(diagnostic) = too_large {
        list = vec![diagnostic];
    }
    let document = Document { tree: Arc::new(Tree { source: source.clone(), nodes, dialect: options.dialect }) };
    let mut diagnostics = in_source(&source, list).limited(options.max_errors);
    if is_configuration {
        check_root(&document, &mut diagnostics);
    }
    if options.json_checks && diagnostics.len() <= options.max_errors {
        check::check_elements(&document, &mut diagnostics);
        check::check_templates(&document, options, &mut diagnostics);
        diagnostics.sort();
        diagnostics = diagnostics.limited(options.max_errors);
    }
    Outcome::new(document, diagnostics)
}

/// A JSON document that was read. Cheap to clone.
#[derive(Clone)]
pub struct Document {
    tree: Arc<Tree>,
}

impl Document {
    fn of_tree(tree: Arc<Tree>) -> Document {
        Document { tree }
    }

    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the errors that a document has as a configuration: in its root, and in the interpolations and directives of its
    /// strings. If it has others, nothing is said of the root.
    #[doc(hidden)]
    pub fn configuration_errors(&self, has_others: bool) -> Diagnostics {
        let mut found = Diagnostics::new();
        let options = ParseOptions::new().with_dialect(self.tree.dialect);
        if !has_others {
            check_root(self, &mut found);
        }
        check::check_elements(self, &mut found);
        check::check_templates(self, &options, &mut found);
        found.sort();
        found.limited(options.max_errors)
    }

    /// Returns true if both are clones of one document. Two documents with the same text are not.
    #[doc(hidden)]
    pub fn is_same(&self, other: &Document) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree)
    }

    /// The source it was read from.
    pub fn source(&self) -> &Arc<Source> {
        &self.tree.source
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'_> {
        Node::new(&self.tree, 0)
    }

    /// Returns the node with a number from [`Node::id`], which allows storing a node with its document. `None` if there
    /// is no such node.
    ///
    /// ```
    /// let document = hcl_lr::parse::<hcl_lr::json::Document>("[true, false]").into_result()?;
    /// let id = document.root().as_array().expect("an array").elements().nth(1).expect("false").id();
    /// let kept = document.clone();
    /// assert_eq!(kept.node(id).expect("it is there").text(), "false");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn node(&self, id: u32) -> Option<Node<'_>> {
        ((id as usize) < self.tree.nodes.len()).then(|| Node::new(&self.tree, id))
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NodeDump(self.root()).fmt(f)
    }
}
