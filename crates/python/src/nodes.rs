//! Parts of documents as objects. Each owns the tree that it is a part of, so it stays valid when the document changes.

use std::borrow::Cow;
use std::sync::Arc;

use hcl_lr::syntax::ast::{Conditional, ExpressionKind, ExpressionNode as Syntax, ForExpr};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;

use crate::guard::released;
use crate::json_nodes::Class;
use crate::load;
use crate::node::Node;
use crate::objects::Objects;
use crate::parsed::Parsed;
use crate::report;

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
    fn lead(&self, find: impl for<'t> FnOnce(&Node<'t>) -> Vec<Node<'t>>) -> Vec<Handle> {
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
        let (above, after) = self.node().comments()?;
        let comments = if trailing { after } else { above };
        (!comments.is_empty()).then(|| comments.join("\n"))
    }

    /// Returns the objects for nodes.
    fn list<'py>(py: Python<'py>, handles: Vec<Handle>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, handles.iter().map(|handle| handle.object(py)).collect::<PyResult<Vec<_>>>()?)
    }
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

/// Returns the parts of an expression by their roles.
fn parts<'py>(py: Python<'py>, handle: &Handle) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    if let Node::Json(node) = handle.node() {
        let parts = handle.lead(|node| match node {
            Node::Json(node) => node.parts().into_iter().map(Node::Json).collect(),
            _ => Vec::new(),
        });
        let role = match node.kind() {
            "list" => "elements",
            "object" => "entries",
            _ => return Ok(dict),
        };
        dict.set_item(role, Handle::list(py, parts)?)?;
        return Ok(dict);
    }
    let Some(expression) = handle.node().native_expression() else { return Ok(dict) };
    let one = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Option<Syntax<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| {
            let part = node.native_expression().and_then(|expression| find(expression.kind()));
            part.map(Node::Expression).into_iter().collect()
        });
        match found.first() {
            Some(part) => dict.set_item(name, part.object(py)?),
            None => Ok(()),
        }
    };
    let many = |name: &str, find: for<'t> fn(ExpressionKind<'t>) -> Vec<Node<'t>>| -> PyResult<()> {
        let found = handle.lead(|node| node.native_expression().map(|one| find(one.kind())).unwrap_or_default());
        dict.set_item(name, Handle::list(py, found)?)
    };
    match expression.kind() {
        ExpressionKind::Tuple(_) => many("elements", |kind| match kind {
            ExpressionKind::Tuple(tuple) => tuple.elements().map(Node::Expression).collect(),
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
