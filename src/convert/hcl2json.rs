//! Conversion to the JSON of hcl2json.

use std::collections::BTreeMap;

use super::json_writer::JsonWriter;
use crate::decimal::text_of_literal;
use crate::diagnostic::{Code, Finding, Outcome, in_source};
use crate::model::json::write_string;
use crate::reading::ParseOptions;
use crate::stack::with_room;
use crate::syntax::ast::{
    BlockNode, BodyNode, DirectivePiece, ExpressionKind, ExpressionNode, File, ObjectElement, ObjectKey, TemplateNode,
    TemplatePart, UnaryOperator,
};
use crate::work;
use crate::writer::{Form, escaped};

/// Converts a file in native syntax to the same bytes of JSON as the program hcl2json 0.6.9. The file should have no
/// errors.
///
/// Blocks are objects by type and by each label, which contain an array of bodies, even for a single one; blocks use no
/// other arrays. Properties are sorted by name. Expressions are strings `"${…}"` with their source. The order is lost
/// except among blocks with the same labels, and so are comments and which properties are blocks. `docs/convert.md`
/// lists the few sources for which hcl2json has another result.
///
/// ```
/// use hcl_lr::convert::to_hcl2json;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("b \"x\" {\n  c = d\n}\na = 1\n").into_result()?;
/// let json = to_hcl2json(&file).into_result()?;
/// let compact: String = json.split_whitespace().collect();
/// assert_eq!(compact, r#"{"a":1,"b":{"x":[{"c":"${d}"}]}}"#);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_hcl2json(file: &File) -> Outcome<String> {
    let mut maker = Maker { nodes: Vec::new(), problems: Vec::new() };
    let root = maker.body(file.body());
    let diagnostics = in_source(file.source(), std::mem::take(&mut maker.problems));
    Outcome::new(maker.text(root), diagnostics.limited(ParseOptions::default().max_errors))
}

/// A part of the JSON. Parts refer to each other by index, so that dropping them does not recurse.
enum Node {
    Object(BTreeMap<String, usize>),
    Array(Vec<usize>),
    String(String),
    /// A number or a word, as it is written.
    Raw(String),
}

struct Maker {
    nodes: Vec<Node>,
    problems: Vec<Finding>,
}

impl Maker {
    fn add(&mut self, node: Node) -> usize {
        work::step(1);
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn body(&mut self, body: BodyNode<'_>) -> usize {
        let object = self.add(Node::Object(BTreeMap::new()));
        for block in body.blocks() {
            let inner = with_room(|| self.body(block.body()));
            if !self.add_block(object, block, inner) {
                self.problems.push(different_labels(block));
            }
        }
        for attribute in body.attributes() {
            let value = self.expression(attribute.expression());
            self.set(object, attribute.name().to_owned(), value);
        }
        object
    }

    fn set(&mut self, object: usize, name: String, value: usize) {
        if let Node::Object(members) = &mut self.nodes[object] {
            members.insert(name, value);
        }
    }

    fn member(&self, object: usize, name: &str) -> Option<usize> {
        match &self.nodes[object] {
            Node::Object(members) => members.get(name).copied(),
            _ => None,
        }
    }

    /// Adds the body of a block to those with the same type and labels, if possible.
    fn add_block(&mut self, body: usize, block: BlockNode<'_>, inner: usize) -> bool {
        let names = std::iter::once(block.block_type().to_owned());
        let mut names: Vec<String> = names.chain(block.labels().map(|label| label.text().into_owned())).collect();
        let last = names.pop().unwrap_or_default();
        let mut object = body;
        for name in names {
            object = match self.member(object, &name) {
                Some(inner) if matches!(self.nodes[inner], Node::Object(_)) => inner,
                Some(_) => return false,
                None => {
                    let inner = self.add(Node::Object(BTreeMap::new()));
                    self.set(object, name, inner);
                    inner
                }
            };
        }
        match self.member(object, &last) {
            None => {
                let list = self.add(Node::Array(vec![inner]));
                self.set(object, last, list);
            }
            Some(list) => match &mut self.nodes[list] {
                Node::Array(bodies) => bodies.push(inner),
                _ => return false,
            },
        }
        true
    }

    fn expression(&mut self, expression: ExpressionNode<'_>) -> usize {
        let node = match expression.kind() {
            ExpressionKind::Number(number) => Node::Raw(decimal(number.text())),
            ExpressionKind::Bool(value) => Node::Raw(value.to_string()),
            ExpressionKind::Null => Node::Raw("null".to_owned()),
            ExpressionKind::Unary(operation) => match (operation.operator(), operation.operand().kind()) {
                (UnaryOperator::Negate, ExpressionKind::Number(number)) => {
                    Node::Raw(format!("-{}", decimal(number.text())))
                }
                (UnaryOperator::Not, ExpressionKind::Bool(value)) => Node::Raw((!value).to_string()),
                _ => Node::String(in_sequence(expression)),
            },
            ExpressionKind::Template(template) => match template.unwrapped() {
                Some(inner) => return with_room(|| self.expression(inner)),
                None => Node::String(text_of(template)),
            },
            ExpressionKind::Tuple(tuple) => {
                Node::Array(tuple.elements().map(|element| with_room(|| self.expression(element))).collect())
            }
            ExpressionKind::Object(object) => {
                let mut members = BTreeMap::new();
                for element in object.elements() {
                    members.insert(key(element), with_room(|| self.expression(element.value())));
                }
                Node::Object(members)
            }
            _ => Node::String(in_sequence(expression)),
        };
        self.add(node)
    }

    fn text(&self, root: usize) -> String {
        enum Item<'n> {
            Node(usize),
            Name(&'n str),
            Close(char),
        }
        let mut out = JsonWriter::new(4, write_string);
        let mut waiting = vec![Item::Node(root)];
        while let Some(item) = waiting.pop() {
            work::step(1);
            match item {
                Item::Close(bracket) => out.close(bracket),
                Item::Name(name) => out.name(name),
                Item::Node(node) => match &self.nodes[node] {
                    Node::String(text) => out.string(text),
                    Node::Raw(text) => out.raw(text),
                    Node::Object(members) => {
                        out.open('{');
                        waiting.push(Item::Close('}'));
                        for (name, &value) in members.iter().rev() {
                            waiting.extend([Item::Node(value), Item::Name(name)]);
                        }
                    }
                    Node::Array(elements) => {
                        out.open('[');
                        waiting.push(Item::Close(']'));
                        waiting.extend(elements.iter().rev().map(|&value| Item::Node(value)));
                    }
                },
            }
        }
        out.finish()
    }
}

fn different_labels(block: BlockNode<'_>) -> Finding {
    let detail =
        format!("blocks of type \"{}\" with different numbers of labels cannot be told apart in this shape", {
            block.block_type()
        });
    Finding::error(Code::NotConvertible, block.header_span(), detail)
}

/// Returns a number without exponent and trailing zeros.
fn decimal(text: &str) -> String {
    text_of_literal(text).unwrap_or_else(|| text.to_owned())
}

/// An expression as it is written, as an interpolation.
fn in_sequence(expression: ExpressionNode<'_>) -> String {
    ["${", expression.text(), "}"].concat()
}

fn key(element: ObjectElement<'_>) -> String {
    match element.key() {
        ObjectKey::Name(name) => name.text().to_owned(),
        ObjectKey::Expression(key) => match key.kind() {
            ExpressionKind::Traversal(_) => key.text().to_owned(),
            _ => part_of_text(key),
        },
    }
}

/// Returns a template as the text of a string: interpolations and directives stay, strip markers are applied.
fn text_of(template: TemplateNode<'_>) -> String {
    let mut text = String::new();
    for part in template.parts() {
        match part {
            TemplatePart::Literal(literal, _) => text.push_str(&escaped(&literal, Form::Bare)),
            TemplatePart::Interpolation(expression) => text.push_str(&with_room(|| part_of_text(expression))),
            directive => text.push_str(&with_room(|| directive_text(&directive))),
        }
    }
    text
}

/// Returns the text of an expression within a text. Literal values become text, a conditional becomes a directive.
fn part_of_text(expression: ExpressionNode<'_>) -> String {
    match expression.kind() {
        ExpressionKind::Number(number) => decimal(number.text()),
        ExpressionKind::Bool(value) => value.to_string(),
        ExpressionKind::Null => "null".to_owned(),
        ExpressionKind::Template(template) => match template.unwrapped() {
            Some(inner) => with_room(|| part_of_text(inner)),
            None => text_of(template),
        },
        ExpressionKind::Conditional(conditional) => if_directive(
            conditional.predicate().text(),
            &with_room(|| part_of_text(conditional.true_result())),
            &with_room(|| part_of_text(conditional.false_result())),
        ),
        _ => in_sequence(expression),
    }
}

fn directive_text(directive: &TemplatePart<'_>) -> String {
    let mut text = String::new();
    for piece in directive.directive_pieces() {
        match piece {
            DirectivePiece::Sequence(words, expression) => {
                let expression = expression.map(|text| format!(" {text}")).unwrap_or_default();
                text.extend(["%{", &*words, &*expression, "}"]);
            }
            DirectivePiece::Template(template) => {
                let inner = text_of(template);
                // An `else` without text is left out.
                if inner.is_empty() && text.ends_with(ELSE) {
                    text.truncate(text.len() - ELSE.len());
                }
                text.push_str(&inner);
            }
        }
    }
    text
}

fn if_directive(predicate: &str, then: &str, other: &str) -> String {
    let separator = if other.is_empty() { "" } else { ELSE };
    format!("%{{if {predicate}}}{then}{separator}{other}%{{endif}}")
}

const ELSE: &str = "%{else}";
