//! The JSON syntax: parses text to a tree, with all errors. Knows no values.
//!
//! The tree keeps what the JSON syntax specification asks for and most readers lose: the order of
//! properties, names that occur several times, numbers to the last digit, and the place of
//! everything in the source. As in the native syntax, a parse always gives a tree *and* a list of
//! diagnostics; what could not be understood is an error node.
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

mod dump;
mod reader;
mod recover;
#[cfg(any(feature = "convert", feature = "edit"))]
mod shapes;
mod string;
mod template;
mod tree;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Code, Finding, Outcome, in_source};
use crate::reading::{ParseOptions, bounded, parse_path};
use crate::source::Source;

pub use dump::NodeDump;
#[cfg(any(feature = "convert", feature = "edit"))]
pub use shapes::ConversionSchema;
#[cfg(any(feature = "convert", feature = "edit"))]
pub(crate) use shapes::{BlockShape, MAX_INDENT, Shapes};
pub use string::StringText;
pub(crate) use template::{BYTE_ORDER_MARK, options_of, source_of};
pub use template::{COMMENT, template_of};
use tree::Tree;
pub use tree::{Array, ArrayElements, Node, NodeKind, NumberText, Object, Properties, Property};

/// Parses a JSON document whose root may be any value.
///
/// ```
/// use hcl_lr::json::NodeKind;
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let document = parse::<Document>("[1.10]").into_result()?;
/// let array = document.root().as_array().expect("an array");
/// let NodeKind::Number(number) = array.elements().next().expect("an element").kind() else { panic!() };
/// assert_eq!(number.text(), "1.10");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_json(source: impl Into<Source>) -> Outcome<Document> {
    ParseOptions::default().parse_json(source)
}

/// Reads a file and parses it as [`parse_json`] does. If it cannot be read, that is a diagnostic, and the
/// root of the document is an error node.
pub fn parse_json_file(path: impl AsRef<Path>) -> Outcome<Document> {
    ParseOptions::default().parse_json_file(path)
}

/// Parses a JSON document that is a configuration: its root must be an object or an array.
/// (JSON syntax specification, "Structural Elements".) To work with what it says rather than with how it
/// is written, use [`parse_json_body`](crate::parse_json_body).
///
/// ```
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let outcome = parse::<Document>("\"text\"");
/// assert_eq!(outcome.diagnostics().iter().next().expect("an error").code().as_str(), "invalid-root");
/// ```
pub fn parse_json_configuration(source: impl Into<Source>) -> Outcome<Document> {
    ParseOptions::default().parse_json_configuration(source)
}

impl ParseOptions {
    /// Like [`parse_json`](crate::parse_json), with these options.
    pub fn parse_json(&self, source: impl Into<Source>) -> Outcome<Document> {
        let (source, too_large) = bounded(source.into(), self);
        let (nodes, mut list) = reader::read(&source, self);
        if let Some(diagnostic) = too_large {
            list = vec![diagnostic];
        }
        let document = Document { tree: Arc::new(Tree { source: source.clone(), nodes, dialect: self.dialect }) };
        Outcome::new(document, in_source(&source, list).limited(self.max_errors))
    }

    /// Like [`parse_json_file`](crate::parse_json_file), with these options.
    pub fn parse_json_file(&self, path: impl AsRef<Path>) -> Outcome<Document> {
        parse_path(path.as_ref(), self, |source| self.parse_json(source))
    }

    /// Like [`parse_json_configuration`], with these options.
    pub fn parse_json_configuration(&self, source: impl Into<Source>) -> Outcome<Document> {
        let (document, mut diagnostics) = self.parse_json(source).into_parts();
        let root = document.root();
        // After another error, it may have been meant to be one.
        if !diagnostics.has_errors() && !matches!(root.kind(), NodeKind::Object(_) | NodeKind::Array(_)) {
            let detail = "the root of a configuration is an object, or an array of objects";
            let wrong = Finding::error(Code::InvalidRoot, root.span(), detail);
            let wrong = wrong.with_help("enclose properties in `{` and `}`");
            diagnostics.push(wrong.in_source(document.source()));
            diagnostics.sort();
        }
        Outcome::new(document, diagnostics)
    }
}

/// A JSON document that was read. Cheap to clone.
#[derive(Clone)]
pub struct Document {
    tree: Arc<Tree>,
}

impl Document {
    /// The source it was read from.
    pub fn source(&self) -> &Arc<Source> {
        &self.tree.source
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'_> {
        Node::new(&self.tree, 0)
    }

    /// The node of a number that [`Node::id`] gave, so that a node can be kept with its document.
    /// `None` if there is no such node.
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
