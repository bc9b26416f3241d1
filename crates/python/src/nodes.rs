//! Parts of documents as objects. Each owns the tree that it is a part of, so it stays valid when the document changes.

use std::borrow::Cow;
use std::sync::Arc;

use hcl_lr::source::Place;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyItem, BodyNode, ExpressionNode as Syntax, ObjectElement};
use hcl_lr_edit::address::{Target, TargetKind};
use hcl_lr_edit::{Container, EditError, Item};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;

use crate::guard::released;
use crate::json_nodes::{Class, JsonNode};
use crate::load;
use crate::objects::Objects;
use crate::parsed::{JsonFile, Parsed};
use crate::parts::parts;
use crate::report;

/// The reason why a body is not changed.
pub const NO_ITEM: &str = "only attributes, blocks and parts of objects and lists can be changed";

/// A node of a tree.
#[derive(Clone)]
pub enum Node<'t> {
    Body(BodyNode<'t>),
    Block(BlockNode<'t>),
    Attribute(AttributeNode<'t>),
    Entry(ObjectElement<'t>),
    /// An expression: an element of a list, or any other.
    Expression(Syntax<'t>),
    /// A part of a document in the JSON syntax.
    Json(JsonNode<'t>),
}

impl<'t> Node<'t> {
    /// Returns the node of a target of an address, with the file if that is in the JSON syntax.
    pub fn of(target: &Target<'t>, file: Option<&'t JsonFile>) -> Option<Node<'t>> {
        Some(match target.kind() {
            TargetKind::Body(body) => Node::Body(*body),
            TargetKind::Block(block) => Node::Block(*block),
            TargetKind::Attribute(attribute) => Node::Attribute(*attribute),
            TargetKind::Entry(entry) => Node::Entry(*entry),
            TargetKind::Element(expression) | TargetKind::Expression(expression) => Node::Expression(*expression),
            _ => Node::Json(JsonNode::of(target, file?)?),
        })
    }

    /// Returns the item that edits change.
    ///
    /// # Errors
    /// If it is a body.
    pub fn item(&self) -> Result<Item<'t>, EditError> {
        match self {
            Node::Block(block) => Ok((*block).into()),
            Node::Attribute(attribute) => Ok((*attribute).into()),
            Node::Entry(entry) => Ok((*entry).into()),
            Node::Expression(expression) => Ok((*expression).into()),
            Node::Body(_) => Err(EditError::Misplaced(NO_ITEM)),
            Node::Json(node) => node.item(),
        }
    }

    /// Returns the container that edits add to.
    ///
    /// # Errors
    /// If it is a value in JSON that can contain nothing.
    pub fn container(&self) -> Result<Container<'t>, EditError> {
        Ok(match self {
            Node::Body(body) => (*body).into(),
            Node::Block(block) => block.body().into(),
            Node::Attribute(attribute) => attribute.expression().into(),
            Node::Entry(entry) => entry.value().into(),
            Node::Expression(expression) => (*expression).into(),
            Node::Json(node) => return node.container(),
        })
    }

    fn body(&self) -> Option<BodyNode<'t>> {
        match self {
            Node::Body(body) => Some(*body),
            Node::Block(block) => Some(block.body()),
            _ => None,
        }
    }

    /// Returns the expression in native syntax.
    pub fn native_expression(&self) -> Option<Syntax<'t>> {
        match self {
            Node::Attribute(attribute) => Some(attribute.expression()),
            Node::Entry(entry) => Some(entry.value()),
            Node::Expression(expression) => Some(*expression),
            Node::Body(_) | Node::Block(_) | Node::Json(_) => None,
        }
    }

    fn expression(&self) -> Option<Node<'t>> {
        match self {
            Node::Json(node) => node.expression(),
            native => native.native_expression().map(Node::Expression),
        }
    }

    /// Returns the attributes and blocks of a body or a block.
    fn items(&self) -> Vec<Node<'t>> {
        if let Node::Json(node) = self {
            return node.items();
        }
        let item = |item| match item {
            BodyItem::Attribute(attribute) => Some(Node::Attribute(attribute)),
            BodyItem::Block(block) => Some(Node::Block(block)),
            _ => None,
        };
        self.body().into_iter().flat_map(BodyNode::items).filter_map(item).collect()
    }

    fn place(&self) -> Place {
        match self {
            Node::Body(body) => body.place(),
            Node::Block(block) => block.place(),
            Node::Attribute(attribute) => attribute.place(),
            Node::Entry(entry) => Place::new(entry.value().shared_source(), entry.span()),
            Node::Expression(expression) => expression.place(),
            Node::Json(node) => node.place(),
        }
    }

    /// Returns the name of an attribute or entry.
    fn name(&self) -> Option<Cow<'t, str>> {
        match self {
            Node::Attribute(attribute) => Some(Cow::Borrowed(attribute.name())),
            Node::Entry(entry) => {
                Some(entry.key_text().unwrap_or_else(|| Cow::Borrowed(entry.key_expression().text())))
            }
            Node::Json(node) => node.name(),
            Node::Body(_) | Node::Block(_) | Node::Expression(_) => None,
        }
    }

    /// Returns the type of a block; an empty text for others.
    fn block_type(&self) -> Cow<'t, str> {
        match self {
            Node::Block(block) => Cow::Borrowed(block.block_type()),
            Node::Json(node) => node.block_type(),
            _ => Cow::Borrowed(""),
        }
    }

    /// Returns the labels of a block.
    fn labels(&self) -> Vec<Cow<'t, str>> {
        match self {
            Node::Block(block) => block.labels().map(|label| label.text()).collect(),
            Node::Json(node) => node.labels(),
            _ => Vec::new(),
        }
    }

    fn class(&self) -> Class {
        match self {
            Node::Body(_) => Class::Body,
            Node::Block(_) => Class::Block,
            Node::Attribute(_) | Node::Entry(_) => Class::Attribute,
            Node::Expression(_) => Class::Expression,
            Node::Json(node) => node.class(),
        }
    }

    /// Returns true if `get` returns the object itself, rather than its value.
    pub fn has_body(&self) -> bool {
        matches!(self.class(), Class::Body | Class::Block)
    }
}

type List<'t> = Vec<Node<'t>>;

/// The owner of the text that the nodes of a list borrow.
enum Owner {
    File(Parsed),
    Parent(Handle),
}

self_cell!(
    struct Nodes {
        owner: Owner,
        #[covariant]
        dependent: List,
    }
);

/// A node with its tree. Cheap to clone.
#[derive(Clone)]
pub struct Handle {
    nodes: Arc<Nodes>,
    at: usize,
}

impl Handle {
    /// Returns nodes of a file.
    pub fn of(file: &Parsed, find: impl for<'t> FnOnce(&'t Parsed) -> Vec<Node<'t>>) -> Vec<Handle> {
        Handle::all(Nodes::new(Owner::File(file.clone()), |owner| match owner {
            Owner::File(file) => find(file),
            Owner::Parent(_) => Vec::new(),
        }))
    }

    /// Returns nodes that this one leads to.
    pub fn lead(&self, find: impl for<'t> FnOnce(&Node<'t>) -> Vec<Node<'t>>) -> Vec<Handle> {
        Handle::all(Nodes::new(Owner::Parent(self.clone()), |owner| match owner {
            Owner::Parent(parent) => find(parent.node()),
            Owner::File(_) => Vec::new(),
        }))
    }

    fn all(nodes: Nodes) -> Vec<Handle> {
        let nodes = Arc::new(nodes);
        (0..nodes.borrow_dependent().len()).map(|at| Handle { nodes: nodes.clone(), at }).collect()
    }

    /// Returns the node.
    pub fn node(&self) -> &Node<'_> {
        &self.nodes.borrow_dependent()[self.at]
    }

    /// Returns the object for the node.
    pub fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.clone();
        Ok(match self.node().class() {
            Class::Body => Bound::new(py, Body(handle))?.into_any(),
            Class::Block => Bound::new(py, Block(handle))?.into_any(),
            Class::Attribute => Bound::new(py, Attribute(handle))?.into_any(),
            Class::Expression => Bound::new(py, ExpressionNode(handle))?.into_any(),
        })
    }

    /// Returns the handle of an object.
    pub fn from_object(object: &Bound<'_, PyAny>) -> Option<Handle> {
        if let Ok(node) = object.cast::<Block>() {
            return Some(node.get().0.clone());
        }
        if let Ok(node) = object.cast::<Attribute>() {
            return Some(node.get().0.clone());
        }
        if let Ok(node) = object.cast::<Body>() {
            return Some(node.get().0.clone());
        }
        object.cast::<ExpressionNode>().ok().map(|node| node.get().0.clone())
    }

    fn text(&self) -> String {
        match self.node() {
            // In a string of JSON, the place has its escapes.
            Node::Expression(expression) => expression.text().to_owned(),
            node => node.place().text().to_owned(),
        }
    }

    fn comment(&self, trailing: bool) -> Option<String> {
        let (above, after) = comments_of_node(self.node())?;
        let comments = if trailing { after } else { above };
        (!comments.is_empty()).then(|| comments.join("\n"))
    }

    /// Returns the objects for nodes.
    pub fn list<'py>(py: Python<'py>, handles: Vec<Handle>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, handles.iter().map(|handle| handle.object(py)).collect::<PyResult<Vec<_>>>()?)
    }
}

/// Returns the texts of the comments above a node, and after it in its line.
fn comments_of_node(node: &Node<'_>) -> Option<(Vec<String>, Vec<String>)> {
    let content = |comments: Vec<hcl_lr::syntax::Comment<'_>>| {
        comments.iter().map(|comment| comment.content().trim().to_owned()).collect()
    };
    Some(match node {
        Node::Attribute(attribute) => (
            content(attribute.leading_comments().collect()),
            content(attribute.trailing_comment().into_iter().collect()),
        ),
        Node::Block(block) => {
            (content(block.leading_comments().collect()), content(block.trailing_comment().into_iter().collect()))
        }
        Node::Json(node) => (node.comment().into_iter().collect(), Vec::new()),
        _ => return None,
    })
}

/// The attributes and blocks of a file or of a block.
#[pyclass(frozen, name = "BodyNode", module = "hcl_lr")]
pub struct Body(pub Handle);

/// A block: its type, its labels and its contents.
///
/// >>> from hcl_lr import parse
/// >>> block = parse("# About it.\na \"b\" {\n  c = 1\n}\n").blocks("a", "b")[0]
/// >>> block.type, block.labels, block.comment, block.place.line, block["c"].value
/// ('a', ['b'], 'About it.', 2, 1)
/// >>> block.to_dict()
/// {'c': 1}
#[pyclass(frozen, module = "hcl_lr")]
pub struct Block(pub Handle);

/// A `name = value` of a body or an object.
///
/// >>> from hcl_lr import parse
/// >>> attribute = parse("a = b + 1 # why\n").attribute("a")
/// >>> attribute.name, attribute.value, attribute.trailing_comment
/// ('a', Expression('b + 1'), 'why')
#[pyclass(frozen, module = "hcl_lr")]
pub struct Attribute(pub Handle);

/// An expression, as it is written.
///
/// >>> from hcl_lr import parse
/// >>> expression = parse("a = max(b.c, 1)\n").attribute("a").expression
/// >>> expression.kind, expression.variables(), expression.parts()["arguments"]
/// ('call', ['b.c'], [<ExpressionNode reference>, <ExpressionNode number>])
#[pyclass(frozen, module = "hcl_lr")]
pub struct ExpressionNode(pub Handle);

/// Returns the attributes of a body, all or those with a name.
pub fn attributes(handle: &Handle, name: Option<&str>) -> Vec<Handle> {
    let is_wanted = |node: &Node<'_>| {
        node.class() == Class::Attribute && name.is_none_or(|name| node.name().is_some_and(|own| own == name))
    };
    handle.lead(|node| node.items().into_iter().filter(is_wanted).collect())
}

/// Returns the blocks of a body, all, or those of a type whose labels begin with some.
pub fn blocks(handle: &Handle, block_type: Option<&str>, labels: &[String]) -> Vec<Handle> {
    let is_wanted = |node: &Node<'_>| {
        node.class() == Class::Block
            && block_type.is_none_or(|name| node.block_type() == name)
            && (labels.is_empty() || {
                let own = node.labels();
                own.len() >= labels.len() && own.iter().zip(labels).all(|(own, label)| own == label)
            })
    };
    handle.lead(|node| node.items().into_iter().filter(is_wanted).collect())
}

/// Returns the attributes and blocks of a body in their order.
pub fn items(handle: &Handle) -> Vec<Handle> {
    handle.lead(|node| node.items())
}

/// Returns an attribute, or raises a `KeyError`.
fn attribute_or_error<'py>(py: Python<'py>, handle: &Handle, name: &str) -> PyResult<Bound<'py, PyAny>> {
    match attributes(handle, Some(name)).first() {
        Some(attribute) => attribute.object(py),
        None => Err(PyKeyError::new_err(name.to_owned())),
    }
}

fn value<'py>(py: Python<'py>, node: &Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    let mut objects = Objects::default();
    match node {
        Node::Json(node) => node.value(&mut objects),
        native => native.native_expression().into_iter().for_each(|one| load::expression(one, &mut objects)),
    }
    objects.make(py, None)
}

/// Returns the contents of a body or a block as `load` does.
pub fn dict<'py>(py: Python<'py>, node: &Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    let objects = released(py, || {
        let mut objects = Objects::default();
        match node {
            Node::Json(node) => node.contents(&mut objects),
            native => native.body().into_iter().try_for_each(|body| load::body(body, &mut objects))?,
        }
        Ok(objects)
    })?;
    objects.map_err(|problem: load::Problem| problem.raise(py))?.make(py, None)
}

/// The methods that all nodes with a body have.
macro_rules! body_methods {
    ($class:ident { $($own:item)* }) => {
        #[pymethods]
        impl $class {
            $($own)*

            /// Returns the attributes, all or those with a name.
            #[pyo3(signature = (name = None))]
            fn attributes<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyList>> {
                Handle::list(py, attributes(&self.0, name))
            }

            /// Returns the attribute with a name, or None.
            fn attribute<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
                attributes(&self.0, Some(name)).first().map(|attribute| attribute.object(py)).transpose()
            }

            /// Returns the blocks, all or those of a type whose labels begin with some.
            #[pyo3(signature = (block_type = None, *labels))]
            fn blocks<'py>(
                &self,
                py: Python<'py>,
                block_type: Option<&str>,
                labels: Vec<String>,
            ) -> PyResult<Bound<'py, PyList>> {
                Handle::list(py, blocks(&self.0, block_type, &labels))
            }

            /// Returns the attributes and blocks in their order.
            fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
                Handle::list(py, items(&self.0))
            }

            fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
                attribute_or_error(py, &self.0, name)
            }

            fn __contains__(&self, name: &str) -> bool {
                !attributes(&self.0, Some(name)).is_empty()
            }

            /// Returns the contents as `load` does.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                dict(py, self.0.node())
            }

            /// The source text.
            #[getter]
            fn text(&self) -> String {
                self.0.text()
            }

            /// The place in the file.
            #[getter]
            fn place<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                report::place(py, &self.0.node().place())
            }

            fn __str__(&self) -> String {
                self.0.text()
            }
        }
    };
}

body_methods!(Body {
    fn __repr__(&self) -> String {
        "<BodyNode>".to_owned()
    }
});

body_methods!(Block {
    /// The type of the block.
    #[getter(r#type)]
    fn block_type(&self) -> Cow<'_, str> {
        self.0.node().block_type()
    }

    /// The labels of the block.
    #[getter]
    fn labels(&self) -> Vec<Cow<'_, str>> {
        self.0.node().labels()
    }

    /// The body of the block.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let body = self.0.lead(|node| match node {
            Node::Json(node) => vec![Node::Json(node.body_of_block())],
            native => native.body().map(Node::Body).into_iter().collect(),
        });
        body[0].object(py)
    }

    /// The text of the comments above the block, or None.
    #[getter]
    fn comment(&self) -> Option<String> {
        self.0.comment(false)
    }

    /// The text of the comment after the block in its line, or None.
    #[getter]
    fn trailing_comment(&self) -> Option<String> {
        self.0.comment(true)
    }

    fn __repr__(&self) -> String {
        let labels: String = self.labels().iter().map(|label| format!(" {label:?}")).collect();
        format!("<Block {}{labels}>", self.block_type())
    }
});

#[pymethods]
impl Attribute {
    /// The name: of an object, the text of the key, if it is constant.
    #[getter]
    fn name(&self) -> Cow<'_, str> {
        self.0.node().name().unwrap_or_default()
    }

    /// The value: of a constant, an object of Python; of others, an `Expression`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, self.0.node())
    }

    /// The expression.
    #[getter]
    fn expression<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let expression = self.0.lead(|node| node.expression().into_iter().collect());
        expression[0].object(py)
    }

    /// The source text.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// The place in the file.
    #[getter]
    fn place<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        report::place(py, &self.0.node().place())
    }

    /// The text of the comments above the attribute, or None.
    #[getter]
    fn comment(&self) -> Option<String> {
        self.0.comment(false)
    }

    /// The text of the comment after the attribute in its line, or None.
    #[getter]
    fn trailing_comment(&self) -> Option<String> {
        self.0.comment(true)
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("<Attribute {}>", self.name())
    }
}

#[pymethods]
impl ExpressionNode {
    /// The kind, as conditions of queries name it: `string`, `template`, `number`, `call` and others.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.node() {
            Node::Json(node) => node.kind(),
            native => native.native_expression().map_or("body", |expression| expression.kind().name()),
        }
    }

    /// The value: of a constant, an object of Python; of others, an `Expression`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, self.0.node())
    }

    /// The parts by their roles: expressions, lists of them, and names.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parts(py, &self.0)
    }

    /// The references of the expression, such as `var.region`, in their order.
    fn variables(&self) -> Vec<String> {
        if let Node::Json(node) = self.0.node() {
            return node.variables();
        }
        let expression = self.0.node().native_expression();
        let variables = expression.into_iter().flat_map(Syntax::variables);
        variables.map(|variable| variable.expression().text().to_owned()).collect()
    }

    /// The source text.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// The place in the file.
    #[getter]
    fn place<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        report::place(py, &self.0.node().place())
    }

    fn __str__(&self) -> String {
        self.0.text()
    }

    fn __repr__(&self) -> String {
        format!("<ExpressionNode {}>", self.kind())
    }
}
