//! Bodies in JSON (JSON syntax specification, "Structural Elements").

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::content::{Attribute, Attributes, Block, BlockLabel, Content};
use super::json_expression::JsonExpression;
use super::matching::{missing_attributes, problems_of};
use super::name_suggestions::NameSuggestions;
use super::schema::BlockSchema;
use super::{Body, BodySchema, BodySource, Expression, Written};
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::json::{BODY, COMMENT, Document, Node, NodeKind, Property};
use crate::reading::{Dialect, liberty};
use crate::source::{Place, Span};

#[derive(Clone)]
struct JsonBody {
    document: Document,
    node: u32,
    /// The names that were requested when the body was processed partially.
    taken: Arc<HashSet<String>>,
}

impl From<&Document> for Body {
    fn from(document: &Document) -> Body {
        JsonBody::body(document, document.root())
    }
}

impl JsonBody {
    fn body(document: &Document, node: Node<'_>) -> Body {
        Body::new(JsonBody { document: document.clone(), node: node.id(), taken: Arc::default() })
    }

    fn node(&self) -> Node<'_> {
        self.document.node(self.node).unwrap_or_else(|| self.document.root())
    }

    fn finish(&self, problems: Vec<Finding>) -> Diagnostics {
        problems_of(self.document.source(), problems)
    }

    fn attribute(&self, property: Property<'_>) -> Attribute {
        attribute(&self.document, property)
    }

    fn matched(&self, schema: &BodySchema, all: bool) -> Outcome<Content> {
        let mut matching = Matching {
            body: self,
            attributes: Vec::new(),
            places: HashMap::new(),
            blocks: Vec::new(),
            problems: Vec::new(),
        };
        let mut tips = NameSuggestions::default();
        let node = self.node();
        let properties = properties_of(node, &|| BODY.to_owned(), &mut |problem| matching.problems.push(problem));
        for member in properties {
            let name = member.name();
            if self.taken.contains(&*name) {
                continue;
            }
            let (mut attribute, mut block) = (schema.attribute(&name), schema.block_type(&name));
            // If the schema expects an attribute and blocks with any labels of that name, objects are blocks.
            match (attribute, block.is_some_and(BlockSchema::has_any_labels)) {
                (Some(_), true) if may_be_blocks(member.value()) => attribute = None,
                (Some(_), true) => block = None,
                _ => {}
            }
            if attribute.is_some() {
                matching.attribute(member);
            } else if let Some(expected) = block {
                let mut labels = Vec::new();
                matching.blocks(expected, member.name_span(), member.value(), &mut labels);
            }
            if all && attribute.is_none() && block.is_none() && name != COMMENT {
                matching.problems.push(unsupported(member, schema, &mut tips));
            }
        }
        let Matching { attributes, blocks, mut problems, .. } = matching;
        let attributes = Attributes::of_distinct(attributes);
        let place = self.missing_item_place();
        // No items are missing in a node that is not a body in the first place.
        if matches!(self.node().kind(), NodeKind::Object(_) | NodeKind::Array(_) | NodeKind::Null) {
            problems.extend(missing_attributes(schema, &attributes, place.span()));
        }
        Outcome::new(Content::new(attributes, blocks, place), self.finish(problems))
    }
}

/// Returns true if a value is an object, or an array of objects.
fn may_be_blocks(node: Node<'_>) -> bool {
    match node.kind() {
        NodeKind::Object(_) => true,
        NodeKind::Array(array) => !array.is_empty() && array.elements().all(|element| element.as_object().is_some()),
        _ => false,
    }
}

impl BodySource for JsonBody {
    fn content(&self, schema: &BodySchema) -> Outcome<Content> {
        self.matched(schema, true)
    }

    fn partial_content(&self, schema: &BodySchema) -> Outcome<(Content, Body)> {
        let mut taken = (*self.taken).clone();
        taken.extend(schema.attribute_names().chain(schema.block_types()).map(str::to_owned));
        let rest = JsonBody { taken: Arc::new(taken), ..self.clone() };
        self.matched(schema, false).map(|content| (content, Body::new(rest)))
    }

    fn attributes(&self) -> Outcome<Attributes> {
        let mut problems = Vec::new();
        let mut attributes = Vec::new();
        let mut places: HashMap<String, Span> = HashMap::new();
        match self.node().kind() {
            NodeKind::Object(object) => {
                for member in object.properties() {
                    let name = member.name();
                    if name == COMMENT || self.taken.contains(&*name) {
                        continue;
                    }
                    match places.get(&*name) {
                        Some(&first) => problems.push(duplicate(&name, member.name_span(), first)),
                        None => {
                            places.insert(name.into_owned(), member.name_span());
                            attributes.push(self.attribute(member));
                        }
                    }
                }
            }
            NodeKind::Error => {}
            _ => {
                let detail = "an object is required here, with arguments as its properties";
                problems.push(Finding::error(Code::InvalidJsonBody, self.node().start_span(), detail));
            }
        }
        Outcome::new(Attributes::of_distinct(attributes), self.finish(problems))
    }

    fn written(&self) -> Written<'_> {
        Written::Json(&self.document, self.node(), &self.taken)
    }

    fn missing_item_place(&self) -> Place {
        let node = self.node();
        let span = match node.kind() {
            NodeKind::Object(object) => object.close_span(),
            _ => node.start_span(),
        };
        Place::new(self.document.source(), span)
    }
}

/// A property as an attribute.
pub(super) fn attribute(document: &Document, property: Property<'_>) -> Attribute {
    Attribute {
        name: property.name().into(),
        expression: Expression::json(JsonExpression::new(document, property.value())),
        source: document.source().clone(),
        name_span: property.name_span(),
        span: property.span(),
    }
}

/// Returns the properties of an object, or of the objects in an array, in source order ("Bodies"). A null counts as an
/// object without properties.
pub(crate) fn properties_of<'d>(
    node: Node<'d>,
    expected: &dyn Fn() -> String,
    report: &mut dyn FnMut(Finding),
) -> Vec<Property<'d>> {
    let mut wrong = |node: Node<'d>| report(Finding::error(Code::InvalidJsonBody, node.start_span(), expected()));
    match node.kind() {
        NodeKind::Object(object) => object.properties().collect(),
        NodeKind::Array(array) => {
            let mut members = Vec::new();
            for element in array.elements() {
                match element.kind() {
                    NodeKind::Object(object) => members.extend(object.properties()),
                    NodeKind::Error => {}
                    _ => wrong(element),
                }
            }
            members
        }
        NodeKind::Null if node.dialect() == Dialect::Strict => {
            report(liberty::NULL_BLOCK.at(node.span()));
            Vec::new()
        }
        NodeKind::Null | NodeKind::Error => Vec::new(),
        _ => {
            wrong(node);
            Vec::new()
        }
    }
}

struct Matching<'b> {
    body: &'b JsonBody,
    attributes: Vec<Attribute>,
    /// The places of the attributes found so far.
    places: HashMap<String, Span>,
    blocks: Vec<Block>,
    problems: Vec<Finding>,
}

impl Matching<'_> {
    fn attribute(&mut self, member: Property<'_>) {
        let name = member.name();
        match self.places.get(&*name) {
            Some(&first) => self.problems.push(duplicate(&name, member.name_span(), first)),
            None => {
                self.places.insert(name.into_owned(), member.name_span());
                self.attributes.push(self.body.attribute(member));
            }
        }
    }

    /// Adds the blocks of a value, after the labels that have been read so far ("Blocks").
    fn blocks(&mut self, expected: &BlockSchema, type_span: Span, value: Node<'_>, labels: &mut Vec<BlockLabel>) {
        let name = expected.block_type();
        let is_required = expected.missing_label(labels.len()).is_some();
        if let (NodeKind::Array(array), false, true) =
            (value.kind(), is_required, labels.len() < expected.labels().len())
        {
            // Each element has an optional label or not.
            for element in array.elements() {
                match has_optional_label(expected, element) {
                    true => self.blocks(expected, type_span, element, labels),
                    false => self.block(expected, type_span, element, array.open_span(), labels),
                }
            }
            return;
        }
        let label = expected.labels().get(labels.len());
        if let Some(label) = label.filter(|_| is_required || has_optional_label(expected, value)) {
            let required = || {
                format!(
                    "an object, or an array of objects, is required here, with the {label} of each \"{name}\" block as a property name"
                )
            };
            let before = self.problems.len();
            let members = properties_of(value, &required, &mut |problem| self.problems.push(problem));
            if members.is_empty() && self.problems.len() == before && !matches!(value.kind(), NodeKind::Error) {
                let detail = format!("the {label} of this \"{name}\" block is missing; write it as a property name");
                self.problems.push(Finding::error(Code::BlockLabels, value.start_span(), detail));
            }
            for member in members {
                let place = Place::new(self.body.document.source(), member.name_span());
                labels.push(BlockLabel::new(&member.name(), place));
                self.blocks(expected, type_span, member.value(), labels);
                labels.pop();
            }
            return;
        }
        match value.kind() {
            NodeKind::Null if value.dialect() == Dialect::Strict => {
                self.problems.push(liberty::NULL_BLOCK.at(value.span()));
            }
            // No block.
            NodeKind::Null | NodeKind::Error => {}
            NodeKind::Object(object) => self.block(expected, type_span, value, object.open_span(), labels),
            NodeKind::Array(array) => {
                for element in array.elements() {
                    self.block(expected, type_span, element, array.open_span(), labels);
                }
            }
            _ => {
                let detail =
                    format!("an object is required here, or an array of objects: the bodies of \"{name}\" blocks");
                self.problems.push(Finding::error(Code::InvalidJsonBody, value.start_span(), detail));
            }
        }
    }

    fn block(&mut self, expected: &BlockSchema, type_span: Span, body: Node<'_>, header: Span, labels: &[BlockLabel]) {
        self.blocks.push(Block {
            block_type: expected.block_type().into(),
            labels: labels.to_vec(),
            body: JsonBody::body(&self.body.document, body),
            source: self.body.document.source().clone(),
            type_span,
            header_span: header,
        });
    }
}

/// Returns true if the properties of a value are optional labels: none of them is a name in the bodies of the blocks.
fn has_optional_label(expected: &BlockSchema, value: Node<'_>) -> bool {
    let (NodeKind::Object(object), Some(names)) = (value.kind(), expected.names()) else { return false };
    let mut properties = object.properties().map(|property| property.name()).filter(|name| *name != COMMENT).peekable();
    properties.peek().is_some() && properties.all(|name| !names.contains(&*name))
}

fn duplicate(name: &str, span: Span, first: Span) -> Finding {
    let detail = format!("the argument \"{name}\" is already set");
    Finding::error(Code::DuplicateAttribute, span, detail).with_label(first, "first set here")
}

fn unsupported(member: Property<'_>, schema: &BodySchema, tips: &mut NameSuggestions) -> Finding {
    let name = member.name();
    let detail = format!("no argument or block type named \"{name}\" is expected here");
    let diagnostic = Finding::error(Code::UnsupportedArgument, member.name_span(), detail);
    tips.suggest(diagnostic, &name, member.name_span(), schema.attribute_names().chain(schema.block_types()))
}
