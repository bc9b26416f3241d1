//! Files as dicts. A file is first read into a tree of Rust without the lock of the interpreter, which then becomes
//! objects.

use std::borrow::Cow;

use hcl_lr::construct::NewExpression;
use hcl_lr::convert::JsonStrings;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::{self, Document, NodeKind, StringText};
use hcl_lr::model::Number;
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, ObjectKey};
use hcl_lr::{Body, ParseOptions, Template};
use hcl_lr_cli::embed::strings_of;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};

use crate::guard::{released, with_room_below};
use crate::report;
use crate::values::{number, whole};

/// The form of a part of a file in Python.
pub enum Loaded<'t> {
    None,
    Bool(bool),
    Number(Number),
    /// The digits of a whole number.
    Whole(&'t str),
    Text(Cow<'t, str>),
    /// The source text of what is not constant, in native syntax.
    Expression(Cow<'t, str>),
    List(Vec<Loaded<'t>>),
    Dict(Vec<(LoadedKey<'t>, Loaded<'t>)>),
}

/// The key of an object.
pub enum LoadedKey<'t> {
    Text(Cow<'t, str>),
    Expression(Cow<'t, str>),
}

/// The attributes of a body, and its blocks by type.
#[derive(Default)]
pub struct LoadedBody<'t> {
    attributes: Vec<(&'t str, Loaded<'t>)>,
    blocks: Vec<LoadedBlock<'t>>,
}

struct LoadedBlock<'t> {
    block_type: &'t str,
    labels: Vec<Cow<'t, str>>,
    body: LoadedBody<'t>,
}

/// Returns the dict of a text, or of a text in JSON. `floats` makes a number of a text for numbers with a fraction.
#[pyfunction]
pub fn loads<'py>(
    py: Python<'py>,
    text: String,
    name: String,
    json: bool,
    floats: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(&name, text);
    if json {
        let document = released(py, || json_document(source))?;
        let document = document.map_err(|wrong| report::failed(py, "ParseError", &wrong))?;
        let loaded = released(py, || json_body(document.root(), strings_of(document.root())))?;
        return Maker::new(py, floats)?.json_body(py, &loaded);
    }
    let file = released(py, || ParseOptions::new().parse::<File>(source).into_result())?;
    let file = file.map_err(|wrong| report::failed(py, "ParseError", &wrong))?;
    let loaded = released(py, || body(file.body()))?;
    Maker::new(py, floats)?.body(py, &loaded)
}

/// Reads a document in the JSON syntax, in which all properties are arguments.
fn json_document(source: Source) -> Result<Document, Diagnostics> {
    let document = ParseOptions::new().parse::<Document>(source).into_result()?;
    let (_, wrong) = Body::from(&document).attributes().into_parts();
    if wrong.has_errors() { Err(wrong) } else { Ok(document) }
}

/// Reads a body in the JSON syntax, which may be an array of objects.
pub fn json_body(body: json::Node<'_>, strings: JsonStrings) -> Vec<(LoadedKey<'_>, Loaded<'_>)> {
    let objects = match body.kind() {
        NodeKind::Array(array) => array.elements().filter_map(json::Node::as_object).collect(),
        _ => Vec::from_iter(body.as_object()),
    };
    let properties = objects.into_iter().flat_map(|object| object.properties());
    let arguments = properties.filter(|property| property.name() != json::COMMENT);
    arguments.map(|one| (LoadedKey::Text(one.name()), json_value(one.value(), strings))).collect()
}

/// Reads a value in the JSON syntax: a constant, and the expression of a string with interpolations or directives.
pub fn json_value(node: json::Node<'_>, strings: JsonStrings) -> Loaded<'_> {
    match node.kind() {
        NodeKind::Bool(value) => Loaded::Bool(value),
        NodeKind::Number(number) => match number.text() {
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => Loaded::Whole(text),
            _ => Loaded::Number(number.value()),
        },
        NodeKind::String(text) => match string(text, strings) {
            Ok(text) => Loaded::Text(text),
            Err(expression) => Loaded::Expression(Cow::Owned(expression)),
        },
        NodeKind::Array(array) => {
            let element = |element| hcl_lr::stack::with_room(|| json_value(element, strings));
            Loaded::List(array.elements().map(element).collect())
        }
        NodeKind::Object(object) => {
            let entries = object.properties().map(|property| {
                let key = match string(property.name_text(), strings) {
                    Ok(text) => LoadedKey::Text(text),
                    Err(expression) => LoadedKey::Expression(Cow::Owned(expression)),
                };
                (key, hcl_lr::stack::with_room(|| json_value(property.value(), strings)))
            });
            Loaded::Dict(entries.collect())
        }
        NodeKind::Null | NodeKind::Error => Loaded::None,
    }
}

/// Returns the text of a string; or its expression in native syntax, if it is more than text.
fn string(text: StringText<'_>, strings: JsonStrings) -> Result<Cow<'_, str>, String> {
    if strings == JsonStrings::Literal {
        return Ok(text.text());
    }
    let template = match text.template() {
        Ok(file) => file.into_value(),
        Err(plain) => return Ok(plain),
    };
    if let Some(text) = template.template().as_text() {
        return Ok(Cow::Owned(text.into_owned()));
    }
    // In several lines, it needs something around it.
    match template.template().unwrapped().map(ExpressionNode::text) {
        Some(alone) if !alone.contains('\n') => Err(alone.to_owned()),
        _ => {
            let source = text.text();
            let quoted = hcl_lr::parse::<Template>(&*source).into_result().ok();
            let quoted = quoted.and_then(|template| NewExpression::from(&template).text().ok());
            // One with errors stays as it is.
            Err(quoted.unwrap_or_else(|| source.into_owned()))
        }
    }
}

/// Reads a body.
pub fn body(body: BodyNode<'_>) -> LoadedBody<'_> {
    let mut loaded = LoadedBody::default();
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) => {
                loaded.attributes.push((attribute.name(), expression(attribute.expression())));
            }
            BodyItem::Block(block) => loaded.blocks.push(LoadedBlock {
                block_type: block.block_type(),
                labels: block.labels().map(|label| label.text()).collect(),
                body: hcl_lr::stack::with_room(|| self::body(block.body())),
            }),
            _ => {}
        }
    }
    loaded
}

/// Reads an expression: the value of a constant, and the text of others.
pub fn expression(expression: ExpressionNode<'_>) -> Loaded<'_> {
    match expression.kind() {
        ExpressionKind::Null => Loaded::None,
        ExpressionKind::Bool(value) => Loaded::Bool(value),
        ExpressionKind::Number(number) => number_of(number.text(), false, expression),
        ExpressionKind::Unary(operation) => match operation.operand().kind() {
            ExpressionKind::Number(number) if operation.operator().as_str() == "-" => {
                number_of(number.text(), true, expression)
            }
            _ => Loaded::Expression(expression.text().into()),
        },
        ExpressionKind::Template(template) => match template.as_text() {
            Some(text) => Loaded::Text(text),
            None => Loaded::Expression(expression.text().into()),
        },
        ExpressionKind::Tuple(tuple) => {
            let element = |element| hcl_lr::stack::with_room(|| self::expression(element));
            Loaded::List(tuple.elements().map(element).collect())
        }
        ExpressionKind::Object(object) => {
            let entries = object.elements().map(|element| {
                let key = match element.key_text() {
                    Some(text) => LoadedKey::Text(text),
                    None => LoadedKey::Expression(Cow::Borrowed(match element.key() {
                        ObjectKey::Name(name) => name.text(),
                        _ => match element.key_expression().kind() {
                            ExpressionKind::Parentheses(inner) => inner.inner().text(),
                            _ => element.key_expression().text(),
                        },
                    })),
                };
                (key, hcl_lr::stack::with_room(|| self::expression(element.value())))
            });
            Loaded::Dict(entries.collect())
        }
        _ => Loaded::Expression(expression.text().into()),
    }
}

fn number_of<'t>(text: &'t str, is_negative: bool, expression: ExpressionNode<'t>) -> Loaded<'t> {
    if !is_negative && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Loaded::Whole(text);
    }
    match Number::parse(text) {
        Ok(number) if is_negative => Loaded::Number(number.negate()),
        Ok(number) => Loaded::Number(number),
        Err(_) => Loaded::Expression(expression.text().into()),
    }
}

/// Makes objects of Python.
pub struct Maker {
    body: Py<PyAny>,
    expression: Py<PyAny>,
    floats: Option<Py<PyAny>>,
}

impl Maker {
    /// Prepares to make objects.
    pub fn new(py: Python<'_>, floats: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let (body, expression) = (report::of_types(py, "Body")?.unbind(), report::of_types(py, "Expression")?.unbind());
        Ok(Maker { body, expression, floats: floats.map(Bound::unbind) })
    }

    /// Returns the object of a part.
    pub fn make<'py>(&self, py: Python<'py>, loaded: &Loaded<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.part(py, loaded, 0)
    }

    /// Returns the object of a body: a dict with a list for each type of block.
    pub fn body<'py>(&self, py: Python<'py>, body: &LoadedBody<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.contents(py, body, 0)
    }

    /// Returns the object of a body in the JSON syntax.
    pub fn json_body<'py>(&self, py: Python<'py>, body: &[(LoadedKey<'_>, Loaded<'_>)]) -> PyResult<Bound<'py, PyAny>> {
        let made = self.body.bind(py).call0()?;
        self.entries(py, body, made.cast::<PyDict>()?, 0)?;
        Ok(made)
    }

    fn part<'py>(&self, py: Python<'py>, loaded: &Loaded<'_>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let object = with_room_below(py, level, |py| self.part_here(py, loaded, level + 1).map(Bound::unbind))?;
        Ok(object.into_bound(py))
    }

    fn contents<'py>(&self, py: Python<'py>, body: &LoadedBody<'_>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let object = with_room_below(py, level, |py| self.contents_here(py, body, level + 1).map(Bound::unbind))?;
        Ok(object.into_bound(py))
    }

    fn part_here<'py>(&self, py: Python<'py>, loaded: &Loaded<'_>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let expression = self.expression.bind(py);
        Ok(match loaded {
            Loaded::None => py.None().into_bound(py),
            Loaded::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
            Loaded::Whole(text) => whole(py, text)?,
            Loaded::Number(value) => match &self.floats {
                Some(floats) if !value.is_whole() => floats.bind(py).call1((value.to_string(),))?,
                _ => number(py, value)?,
            },
            Loaded::Text(text) => PyString::new(py, text).into_any(),
            Loaded::Expression(text) => expression.call1((&**text,))?,
            Loaded::List(elements) => {
                let elements =
                    elements.iter().map(|element| self.part(py, element, level)).collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, elements)?.into_any()
            }
            Loaded::Dict(entries) => {
                let dict = PyDict::new(py);
                self.entries(py, entries, &dict, level)?;
                dict.into_any()
            }
        })
    }

    fn entries<'py>(
        &self,
        py: Python<'py>,
        entries: &[(LoadedKey<'_>, Loaded<'_>)],
        dict: &Bound<'py, PyDict>,
        level: usize,
    ) -> PyResult<()> {
        for (key, value) in entries {
            let value = self.part(py, value, level)?;
            match key {
                LoadedKey::Text(text) => dict.set_item(text.as_ref(), value)?,
                LoadedKey::Expression(text) => dict.set_item(self.expression.bind(py).call1((&**text,))?, value)?,
            }
        }
        Ok(())
    }

    fn contents_here<'py>(&self, py: Python<'py>, body: &LoadedBody<'_>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let made = self.body.bind(py).call0()?;
        let dict = made.cast::<PyDict>()?;
        for (name, value) in &body.attributes {
            dict.set_item(*name, self.part(py, value, level)?)?;
        }
        for block in &body.blocks {
            let mut value = self.contents(py, &block.body, level)?;
            for label in block.labels.iter().rev() {
                let outer = PyDict::new(py);
                outer.set_item(label.as_ref(), value)?;
                value = outer.into_any();
            }
            match dict.get_item(block.block_type)? {
                Some(known) if known.cast::<PyList>().is_ok() && is_of_blocks(body, block.block_type) => {
                    known.cast::<PyList>()?.append(value)?;
                }
                Some(_) => {
                    let message =
                        format!("`{}` is the name of an argument and of blocks, so it is no key", block.block_type);
                    return Err(report::error(py, "HclError", &message));
                }
                None => dict.set_item(block.block_type, PyList::new(py, [value])?)?,
            }
        }
        Ok(made)
    }
}

/// Returns true if no attribute has the name of blocks.
fn is_of_blocks(body: &LoadedBody<'_>, block_type: &str) -> bool {
    body.attributes.iter().all(|(name, _)| *name != block_type)
}
