//! Parts of documents as objects. Each owns the tree that it is a part of, so it stays valid when the document changes.

use std::sync::Arc;

use hcl_lr::source::Place;
use hcl_lr::syntax::ast::{
    AttributeNode, BlockNode, BodyItem, BodyNode, Conditional, ExpressionKind, ExpressionNode as Syntax, File, ForExpr,
    ObjectElement,
};
use hcl_lr_edit::address::{Target, TargetKind};
use hcl_lr_edit::{Container, Item};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;

use crate::load::{self, Maker};
use crate::report;

/// A node of a tree.
#[derive(Clone, Copy)]
pub enum Node<'t> {
    Body(BodyNode<'t>),
    Block(BlockNode<'t>),
    Attribute(AttributeNode<'t>),
    Entry(ObjectElement<'t>),
    Expression(Syntax<'t>),
    /// An element of a list.
    Element(Syntax<'t>),
}

impl<'t> Node<'t> {
    /// Returns the node of a target of an address.
    pub fn of(target: &Target<'t>) -> Option<Node<'t>> {
        Some(match target.kind() {
            TargetKind::Body(body) => Node::Body(*body),
            TargetKind::Block(block) => Node::Block(*block),
            TargetKind::Attribute(attribute) => Node::Attribute(*attribute),
            TargetKind::Entry(entry) => Node::Entry(*entry),
            TargetKind::Element(element) => Node::Element(*element),
            TargetKind::Expression(expression) => Node::Expression(*expression),
            _ => return None,
        })
    }

    /// Returns true if the node belongs to a file, rather than to an earlier state of it.
    pub fn is_of(self, file: &File) -> bool {
        match self {
            Node::Body(body) => body.is_of(file),
            Node::Block(block) => block.body().is_of(file),
            Node::Attribute(attribute) => attribute.expression().is_of(file),
            Node::Entry(entry) => entry.value().is_of(file),
            Node::Expression(expression) | Node::Element(expression) => expression.is_of(file),
        }
    }

    /// Returns the item that edits change.
    pub fn item(self) -> Option<Item<'t>> {
        match self {
            Node::Block(block) => Some(block.into()),
            Node::Attribute(attribute) => Some(attribute.into()),
            Node::Entry(entry) => Some(entry.into()),
            Node::Element(element) => Some(element.into()),
            Node::Body(_) | Node::Expression(_) => None,
        }
    }

    /// Returns the container that edits add to.
    pub fn container(self) -> Container<'t> {
        match self {
            Node::Body(body) => body.into(),
            Node::Block(block) => block.body().into(),
            Node::Attribute(attribute) => attribute.expression().into(),
            Node::Entry(entry) => entry.value().into(),
            Node::Expression(expression) | Node::Element(expression) => expression.into(),
        }
    }

    fn body(self) -> Option<BodyNode<'t>> {
        match self {
            Node::Body(body) => Some(body),
            Node::Block(block) => Some(block.body()),
            _ => None,
        }
    }

    fn expression(self) -> Option<Syntax<'t>> {
        match self {
            Node::Attribute(attribute) => Some(attribute.expression()),
            Node::Entry(entry) => Some(entry.value()),
            Node::Expression(expression) | Node::Element(expression) => Some(expression),
            Node::Body(_) | Node::Block(_) => None,
        }
    }

    fn place(self) -> Place {
        match self {
            Node::Body(body) => body.place(),
            Node::Block(block) => block.place(),
            Node::Attribute(attribute) => attribute.place(),
            Node::Entry(entry) => Place::new(entry.value().shared_source(), entry.span()),
            Node::Expression(expression) | Node::Element(expression) => expression.place(),
        }
    }
}

type List<'t> = Vec<Node<'t>>;

/// The owner of the text that the nodes of a list borrow.
enum Owner {
    File(File),
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
    pub fn of(file: &File, find: impl for<'t> FnOnce(&'t File) -> Vec<Node<'t>>) -> Vec<Handle> {
        Handle::all(Nodes::new(Owner::File(file.clone()), |owner| match owner {
            Owner::File(file) => find(file),
            Owner::Parent(_) => Vec::new(),
        }))
    }

    /// Returns nodes that this one leads to.
    fn lead(&self, find: impl for<'t> FnOnce(Node<'t>) -> Vec<Node<'t>>) -> Vec<Handle> {
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
    pub fn node(&self) -> Node<'_> {
        self.nodes.borrow_dependent()[self.at]
    }

    /// Returns the object for the node.
    pub fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let handle = self.clone();
        Ok(match self.node() {
            Node::Body(_) => Bound::new(py, Body(handle))?.into_any(),
            Node::Block(_) => Bound::new(py, Block(handle))?.into_any(),
            Node::Attribute(_) | Node::Entry(_) => Bound::new(py, Attribute(handle))?.into_any(),
            Node::Expression(_) | Node::Element(_) => Bound::new(py, ExpressionNode(handle))?.into_any(),
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
        self.node().place().text().to_owned()
    }

    fn comment(&self, trailing: bool) -> Option<String> {
        let node = self.node();
        let (above, after) = comments_of_node(node)?;
        let comments = if trailing { after } else { above };
        (!comments.is_empty()).then(|| comments.join("\n"))
    }

    fn list<'py>(py: Python<'py>, handles: Vec<Handle>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, handles.iter().map(|handle| handle.object(py)).collect::<PyResult<Vec<_>>>()?)
    }
}

/// Returns the texts of the comments above a node, and after it in its line.
fn comments_of_node(node: Node<'_>) -> Option<(Vec<String>, Vec<String>)> {
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
    handle.lead(|node| {
        let attributes = node.body().into_iter().flat_map(BodyNode::attributes);
        attributes.filter(|one| name.is_none_or(|name| one.name() == name)).map(Node::Attribute).collect()
    })
}

/// Returns the blocks of a body, all, or those of a type whose labels begin with some.
pub fn blocks(handle: &Handle, block_type: Option<&str>, labels: &[String]) -> Vec<Handle> {
    handle.lead(|node| {
        let blocks = node.body().into_iter().flat_map(BodyNode::blocks).filter(|block| {
            let mut own = block.labels();
            block_type.is_none_or(|name| block.block_type() == name)
                && labels.iter().all(|label| own.next().is_some_and(|own| own.text() == label.as_str()))
        });
        blocks.map(Node::Block).collect()
    })
}

/// Returns the attributes and blocks of a body in their order.
pub fn items(handle: &Handle) -> Vec<Handle> {
    handle.lead(|node| {
        let items = node.body().into_iter().flat_map(BodyNode::items);
        let item = |item| match item {
            BodyItem::Attribute(attribute) => Some(Node::Attribute(attribute)),
            BodyItem::Block(block) => Some(Node::Block(block)),
            _ => None,
        };
        items.filter_map(item).collect()
    })
}

/// Returns an attribute, or raises a `KeyError`.
fn attribute_or_error<'py>(py: Python<'py>, handle: &Handle, name: &str) -> PyResult<Bound<'py, PyAny>> {
    match attributes(handle, Some(name)).first() {
        Some(attribute) => attribute.object(py),
        None => Err(PyKeyError::new_err(name.to_owned())),
    }
}

fn value<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    match node.expression() {
        Some(expression) => Maker::new(py, None)?.make(py, &load::expression(expression)),
        None => Ok(py.None().into_bound(py)),
    }
}

fn dict<'py>(py: Python<'py>, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
    match node.body() {
        Some(body) => Maker::new(py, None)?.body(py, &load::body(body)),
        None => Ok(py.None().into_bound(py)),
    }
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
    fn block_type(&self) -> &str {
        match self.0.node() {
            Node::Block(block) => block.block_type(),
            _ => "",
        }
    }

    /// The labels of the block.
    #[getter]
    fn labels(&self) -> Vec<String> {
        match self.0.node() {
            Node::Block(block) => block.labels().map(|label| label.text().into_owned()).collect(),
            _ => Vec::new(),
        }
    }

    /// The body of the block.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let body = self.0.lead(|node| node.body().map(Node::Body).into_iter().collect());
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
    fn name(&self) -> String {
        match self.0.node() {
            Node::Attribute(attribute) => attribute.name().to_owned(),
            Node::Entry(entry) => match entry.key_text() {
                Some(text) => text.into_owned(),
                None => entry.key_expression().text().to_owned(),
            },
            _ => String::new(),
        }
    }

    /// The value: of a constant, an object of Python; of others, an `Expression`.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        value(py, self.0.node())
    }

    /// The expression.
    #[getter]
    fn expression<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let expression = self.0.lead(|node| node.expression().map(Node::Expression).into_iter().collect());
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
        self.0.node().expression().map_or("body", |expression| expression.kind().name())
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
        let expression = self.0.node().expression();
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

/// Returns the parts of an expression by their roles.
fn parts<'py>(py: Python<'py>, handle: &Handle) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let Some(expression) = handle.node().expression() else { return Ok(dict) };
    let one = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Option<Syntax<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| {
            let part = node.expression().and_then(|expression| find(expression.kind()));
            part.map(Node::Expression).into_iter().collect()
        });
        match found.first() {
            Some(part) => dict.set_item(name, part.object(py)?),
            None => Ok(()),
        }
    };
    let many = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Vec<Node<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| node.expression().map(|one| find(one.kind())).unwrap_or_default());
        dict.set_item(name, Handle::list(py, found)?)
    };
    match expression.kind() {
        ExpressionKind::Tuple(_) => many("elements", |kind| match kind {
            ExpressionKind::Tuple(tuple) => tuple.elements().map(Node::Element).collect(),
            _ => Vec::new(),
        })?,
        ExpressionKind::Object(_) => many("entries", |kind| match kind {
            ExpressionKind::Object(object) => object.elements().map(Node::Entry).collect(),
            _ => Vec::new(),
        })?,
        ExpressionKind::FunctionCall(call) => {
            dict.set_item("name", call.name().as_ref())?;
            dict.set_item("expands_last", call.expands_last())?;
            many("arguments", |kind| match kind {
                ExpressionKind::FunctionCall(call) => call.arguments().map(Node::Expression).collect(),
                _ => Vec::new(),
            })?;
        }
        ExpressionKind::Conditional(_) => {
            one("condition", |kind| conditional(kind).map(|one| one.predicate()))?;
            one("true", |kind| conditional(kind).map(|one| one.true_result()))?;
            one("false", |kind| conditional(kind).map(|one| one.false_result()))?;
        }
        ExpressionKind::Binary(operation) => {
            dict.set_item("operator", operation.operator().as_str())?;
            one("left", |kind| match kind {
                ExpressionKind::Binary(operation) => Some(operation.left()),
                _ => None,
            })?;
            one("right", |kind| match kind {
                ExpressionKind::Binary(operation) => Some(operation.right()),
                _ => None,
            })?;
        }
        ExpressionKind::Unary(operation) => {
            dict.set_item("operator", operation.operator().as_str())?;
            one("operand", |kind| match kind {
                ExpressionKind::Unary(operation) => Some(operation.operand()),
                _ => None,
            })?;
        }
        ExpressionKind::Parentheses(_) => one("inner", |kind| match kind {
            ExpressionKind::Parentheses(parentheses) => Some(parentheses.inner()),
            _ => None,
        })?,
        ExpressionKind::For(expression) => {
            dict.set_item("key_name", expression.key_variable().map(|name| name.text()))?;
            dict.set_item("value_name", expression.value_variable().text())?;
            dict.set_item("is_object", expression.is_object())?;
            dict.set_item("groups", expression.groups())?;
            one("collection", |kind| for_of(kind).map(|one| one.collection()))?;
            one("key", |kind| for_of(kind).and_then(|one| one.key()))?;
            one("value", |kind| for_of(kind).map(|one| one.value()))?;
            one("condition", |kind| for_of(kind).and_then(|one| one.condition()))?;
        }
        ExpressionKind::Index(_) => {
            one("collection", |kind| match kind {
                ExpressionKind::Index(index) => Some(index.collection()),
                _ => None,
            })?;
            one("key", |kind| match kind {
                ExpressionKind::Index(index) => Some(index.key()),
                _ => None,
            })?;
        }
        _ => {}
    }
    Ok(dict)
}

fn conditional(kind: ExpressionKind<'_>) -> Option<Conditional<'_>> {
    match kind {
        ExpressionKind::Conditional(conditional) => Some(conditional),
        _ => None,
    }
}

fn for_of(kind: ExpressionKind<'_>) -> Option<ForExpr<'_>> {
    match kind {
        ExpressionKind::For(expression) => Some(expression),
        _ => None,
    }
}
