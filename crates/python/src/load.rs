//! Files as dicts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use hcl_lr::construct::NewExpression;
use hcl_lr::convert::JsonStrings;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::{self, Document, NodeKind, StringText};
use hcl_lr::model::Number;
use hcl_lr::source::Source;
use hcl_lr::stack::with_room;
use hcl_lr::syntax::ast::{
    BlockNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, ObjectElement, ObjectKey,
};
use hcl_lr::{Body, ParseOptions, Template};
use hcl_lr_cli::embed::strings_of;
use pyo3::prelude::*;

use crate::guard::released;
use crate::objects::Objects;
use crate::report;

/// The reason why a file is no dict.
pub enum Problem {
    Syntax(Diagnostics),
    /// The name of an argument and of blocks.
    Name(String),
}

impl Problem {
    pub fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Problem::Syntax(wrong) => report::failed(py, "ParseError", &wrong),
            Problem::Name(name) => {
                let message = format!("`{name}` is the name of an argument and of blocks, so it is no key");
                report::error(py, "HclError", &message)
            }
        }
    }
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
    let loaded = released(py, || {
        let mut objects = Objects::default();
        let source = Source::new(&name, text);
        if json {
            let document = json_document(source).map_err(Problem::Syntax)?;
            json_body(document.root(), strings_of(document.root()), &mut objects);
        } else {
            let file = ParseOptions::new().parse::<File>(source).into_result().map_err(Problem::Syntax)?;
            body(file.body(), &mut objects)?;
        }
        Ok(objects)
    })?;
    loaded.map_err(|problem: Problem| problem.raise(py))?.make(py, floats.as_ref())
}

/// Reads a document in the JSON syntax, in which all properties are arguments.
fn json_document(source: Source) -> Result<Document, Diagnostics> {
    let document = ParseOptions::new().parse::<Document>(source).into_result()?;
    let (_, wrong) = Body::from(&document).attributes().into_parts();
    if wrong.has_errors() { Err(wrong) } else { Ok(document) }
}

/// Reads a body in the JSON syntax, which may be an array of objects.
pub fn json_body(body: json::Node<'_>, strings: JsonStrings, objects: &mut Objects) {
    let parts = match body.kind() {
        NodeKind::Array(array) => array.elements().filter_map(json::Node::as_object).collect(),
        _ => Vec::from_iter(body.as_object()),
    };
    let mut count = 0;
    for property in parts.into_iter().flat_map(|object| object.properties()) {
        if property.name() != json::COMMENT {
            objects.text(&property.name());
            json_value(property.value(), strings, objects);
            count += 1;
        }
    }
    objects.body(count);
}

/// Reads a value in the JSON syntax: a constant, and the expression of a string with interpolations or directives.
pub fn json_value(node: json::Node<'_>, strings: JsonStrings, objects: &mut Objects) {
    match node.kind() {
        NodeKind::Bool(value) => objects.bool(value),
        NodeKind::Number(number) => match number.text() {
            text if text.bytes().all(|byte| byte.is_ascii_digit()) => objects.whole(text),
            _ => objects.number(&number.value()),
        },
        NodeKind::String(text) => json_string(text, strings, objects),
        NodeKind::Array(array) => {
            array.elements().for_each(|element| with_room(|| json_value(element, strings, objects)));
            objects.list(array.len());
        }
        NodeKind::Object(object) => {
            for property in object.properties() {
                json_string(property.name_text(), strings, objects);
                with_room(|| json_value(property.value(), strings, objects));
            }
            objects.dict(object.len());
        }
        NodeKind::Null | NodeKind::Error => objects.none(),
    }
}

fn json_string(text: StringText<'_>, strings: JsonStrings, objects: &mut Objects) {
    match text_or_expression(text, strings) {
        Ok(text) => objects.text(&text),
        Err(expression) => objects.expression(&expression),
    }
}

/// Returns the text of a string; or its expression in native syntax, if it is more than text.
pub fn text_or_expression(text: StringText<'_>, strings: JsonStrings) -> Result<Cow<'_, str>, String> {
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

/// Reads a body: its attributes, and a list for each type of block.
///
/// # Errors
/// If an attribute and blocks have one name.
pub fn body(body: BodyNode<'_>, objects: &mut Objects) -> Result<(), Problem> {
    let has_blocks = body.blocks().next().is_some();
    let mut attributes: HashSet<&str, RandomState> = HashSet::default();
    let mut types: Vec<(&str, Vec<BlockNode<'_>>)> = Vec::new();
    let mut places: HashMap<&str, usize, RandomState> = HashMap::default();
    let mut count = 0;
    for item in body.items() {
        match item {
            BodyItem::Attribute(attribute) => {
                objects.text(attribute.name());
                expression(attribute.expression(), objects);
                if has_blocks {
                    attributes.insert(attribute.name());
                }
                count += 1;
            }
            BodyItem::Block(block) => {
                let place = *places.entry(block.block_type()).or_insert(types.len());
                match types.get_mut(place) {
                    Some((_, blocks)) => blocks.push(block),
                    None => types.push((block.block_type(), vec![block])),
                }
            }
            _ => {}
        }
    }
    count += types.len();
    for (block_type, blocks) in types {
        if attributes.contains(block_type) {
            return Err(Problem::Name(block_type.to_owned()));
        }
        objects.text(block_type);
        for block in &blocks {
            block.labels().for_each(|label| objects.text(&label.text()));
            with_room(|| self::body(block.body(), objects))?;
            block.labels().for_each(|_| objects.dict(1));
        }
        objects.list(blocks.len());
    }
    objects.body(count);
    Ok(())
}

/// Reads an expression: the value of a constant, and the text of others.
pub fn expression(expression: ExpressionNode<'_>, objects: &mut Objects) {
    match expression.kind() {
        ExpressionKind::Null => objects.none(),
        ExpressionKind::Bool(value) => objects.bool(value),
        ExpressionKind::Number(number) => number_of(number.text(), false, expression, objects),
        ExpressionKind::Unary(operation) => match operation.operand().kind() {
            ExpressionKind::Number(number) if operation.operator().as_str() == "-" => {
                number_of(number.text(), true, expression, objects);
            }
            _ => objects.expression(expression.text()),
        },
        ExpressionKind::Template(template) => match template.as_text() {
            Some(text) => objects.text(&text),
            None => objects.expression(expression.text()),
        },
        ExpressionKind::Tuple(tuple) => {
            tuple.elements().for_each(|element| with_room(|| self::expression(element, objects)));
            objects.list(tuple.elements().len());
        }
        ExpressionKind::Object(object) => {
            for element in object.elements() {
                key(element, objects);
                with_room(|| self::expression(element.value(), objects));
            }
            objects.dict(object.elements().len());
        }
        _ => objects.expression(expression.text()),
    }
}

fn key(element: ObjectElement<'_>, objects: &mut Objects) {
    match (element.key_text(), element.key()) {
        (Some(text), _) => objects.text(&text),
        (None, ObjectKey::Name(name)) => objects.expression(name.text()),
        _ => match element.key_expression().kind() {
            ExpressionKind::Parentheses(inner) => objects.expression(inner.inner().text()),
            _ => objects.expression(element.key_expression().text()),
        },
    }
}

fn number_of(text: &str, is_negative: bool, expression: ExpressionNode<'_>, objects: &mut Objects) {
    if !is_negative && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return objects.whole(text);
    }
    match Number::parse(text) {
        Ok(number) if is_negative => objects.number(&number.negate()),
        Ok(number) => objects.number(&number),
        Err(_) => objects.expression(expression.text()),
    }
}
