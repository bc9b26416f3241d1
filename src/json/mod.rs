//! The JSON syntax: from text to a tree, with all that is wrong with it. Knows no values.
//!
//! The tree keeps what the JSON syntax specification asks for and most readers lose: the order of
//! properties, names that occur several times, numbers to the last digit, and the place of
//! everything in the source. As in the native syntax, a parse always gives a tree *and* a list of
//! diagnostics; what could not be understood is an error node.
//!
//! ```
//! use hcl_lr::json::parse_json;
//! use hcl_lr::source::Source;
//!
//! let parse = parse_json(Source::new("main.tf.json", "{\"b\": 1, \"a\": tru, \"b\": [2 3]}"), &Default::default());
//! assert_eq!(
//!     parse.diagnostics().short(),
//!     "main.tf.json:1:15: error[invalid-keyword]: Invalid keyword: `tru` is no keyword of JSON\n\
//!      main.tf.json:1:28: error[missing-comma]: Missing comma: a comma is expected in front of this\n",
//! );
//! let object = parse.value().root().as_object().expect("an object");
//! let names: Vec<_> = object.members().map(|member| member.name()).collect();
//! assert_eq!(names, ["b", "a", "b"]);
//! ```

mod dump;
mod reader;
mod recover;
mod string;
mod tree;

use std::fmt;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Source;
use crate::syntax::{Options, Parse, bounded};

pub use dump::TreeDump;
pub use string::StringText;
use tree::Tree;
pub use tree::{Array, Elements, Member, Members, Node, NodeKind, NumberText, Object};

/// Reads a JSON document whose root may be any value.
///
/// ```
/// use hcl_lr::json::{NodeKind, parse_json};
/// use hcl_lr::source::Source;
///
/// let document = parse_json(Source::new("x.json", "[1.10]"), &Default::default()).into_result()?;
/// let array = document.root().as_array().expect("an array");
/// let NodeKind::Number(number) = array.elements().next().expect("an element").kind() else { panic!() };
/// assert_eq!(number.text(), "1.10");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_json(source: Source, options: &Options) -> Parse<Document> {
    let (source, too_large) = bounded(source);
    let (nodes, mut list) = reader::read(&source, options);
    if let Some(diagnostic) = too_large {
        list = vec![diagnostic];
    }
    let document = Document { tree: Arc::new(Tree { source: source.clone(), nodes }) };
    Parse::new(document, Diagnostics::limited(source, list, options.max_errors))
}

/// Reads a JSON document that is a body: its root must be an object or an array.
/// (JSON syntax specification, "Structural Elements".)
///
/// ```
/// use hcl_lr::json::parse_json_body;
/// use hcl_lr::source::Source;
///
/// let parse = parse_json_body(Source::new("x.json", "\"text\""), &Default::default());
/// assert_eq!(parse.diagnostics().iter().next().expect("an error").code().as_str(), "invalid-root");
/// ```
pub fn parse_json_body(source: Source, options: &Options) -> Parse<Document> {
    let (document, diagnostics) = parse_json(source, options).into_parts();
    let root = document.root();
    // Where something else is wrong, it may have been meant to be one.
    if diagnostics.has_errors() || matches!(root.kind(), NodeKind::Object(_) | NodeKind::Array(_)) {
        return Parse::new(document, diagnostics);
    }
    let detail = "the root of a configuration is an object, or an array of objects";
    let wrong =
        Diagnostic::error(Code::InvalidRoot, root.span(), detail).with_help("enclose properties in `{` and `}`");
    let list = diagnostics.iter().cloned().chain([wrong]).collect();
    let diagnostics = Diagnostics::new(document.source().clone(), list);
    Parse::new(document, diagnostics)
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
    /// use hcl_lr::json::parse_json;
    /// use hcl_lr::source::Source;
    ///
    /// let document = parse_json(Source::new("x.json", "[true, false]"), &Default::default()).into_result()?;
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
        TreeDump(self.root()).fmt(f)
    }
}
