//! The tagged form of JSON, which names the kind of every part; see
//! [`JsonBlocks::Tagged`](super::JsonBlocks::Tagged).

use super::stands_alone;
use super::template::source_in_sequence;
use super::to_json::{self, json_number};
use super::to_native;
use crate::diagnostic::{Code, Finding};
use crate::json::source_of;
use crate::json::{Node, NodeKind, StringText};
use crate::reading::ParseOptions;
use crate::source::{Source, Span};
use crate::stack::with_room;
use crate::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode, LabelNode};
use crate::syntax::{File, expression_file, is_identifier};
use crate::writer::{BlockText, quoted};

/// Writes a body in native syntax.
pub(super) fn write<'t>(writer: &mut to_json::Writer<'t, '_>, body: BodyNode<'t>) {
    let comments: Vec<_> = writer.own_comments(body).copied().collect();
    let mut comments = comments.into_iter().peekable();
    writer.out.open('[');
    for item in body.items() {
        let start = item.span();
        if let BodyItem::Error(_) = item {
            continue;
        }
        while let Some(comment) = comments.next_if(|comment| comment.span().start() < start.start()) {
            comment_item(writer, comment.content());
        }
        writer.out.open('{');
        match item {
            BodyItem::Attribute(attribute) => {
                writer.out.name("attribute");
                writer.out.string(attribute.name());
                value(writer, attribute.expression());
            }
            BodyItem::Block(block) => {
                writer.out.name("block");
                writer.out.string(block.block_type());
                writer.out.name("labels");
                writer.out.open('[');
                block.labels().for_each(|name| label(writer, body.shared_source(), name));
                writer.out.close(']');
                writer.out.name("body");
                with_room(|| write(writer, block.body()));
            }
            BodyItem::Error(_) => {}
        }
        writer.out.close('}');
    }
    comments.for_each(|comment| comment_item(writer, comment.content()));
    writer.out.close(']');
}

fn comment_item(writer: &mut to_json::Writer<'_, '_>, text: &str) {
    writer.out.open('{');
    writer.out.name("comment");
    writer.out.string(text);
    writer.out.close('}');
}

fn label(writer: &mut to_json::Writer<'_, '_>, source: &Source, label: LabelNode<'_>) {
    let written = source.slice(label.span());
    if quoted(&label.text()) == written {
        writer.out.string(&label.text());
    } else {
        writer.out.open('{');
        writer.out.name("source");
        writer.out.string(written);
        writer.out.close('}');
    }
}

/// Writes an expression: as a JSON value if that reads back unchanged.
fn value(writer: &mut to_json::Writer<'_, '_>, expression: ExpressionNode<'_>) {
    match expression.kind() {
        ExpressionKind::Number(number) if json_number(number.text()) == number.text() => {
            writer.out.name("value");
            writer.out.raw(number.text());
        }
        ExpressionKind::Bool(_) | ExpressionKind::Null => {
            writer.out.name("value");
            writer.out.raw(expression.text());
        }
        ExpressionKind::Template(template)
            if template.as_text().is_some_and(|text| quoted(&text) == expression.text()) =>
        {
            writer.out.name("value");
            writer.out.string(&template.as_text().unwrap_or_default());
        }
        _ => {
            writer.out.name("expression");
            writer.out.string(&source_in_sequence(expression));
        }
    }
}

/// Reads a body and writes it in native syntax.
pub(super) fn read<'d>(writer: &mut to_native::Writer<'_>, body: Node<'d>) {
    let NodeKind::Array(array) = body.kind() else {
        return wrong(writer, body.start_span(), "a body in the tagged form is an array");
    };
    for element in array.elements() {
        match Item::read(writer, element) {
            None => {}
            Some(Item::Attribute(name, value)) => writer.attribute(&name, |writer| writer.out.expression(&value)),
            Some(Item::Comment(text)) => writer.comment(&text.text()),
            Some(Item::Block(block_type, labels, body)) => {
                let block = BlockText::new(&block_type, labels, &mut writer.out);
                with_room(|| read(writer, body));
                block.finish_short(&mut writer.out);
            }
        }
    }
}

fn wrong(writer: &mut to_native::Writer<'_>, span: Span, detail: impl Into<std::borrow::Cow<'static, str>>) {
    writer.problem(Code::InvalidTagged, span, detail);
}

/// An element of a body.
enum Item<'d> {
    /// An attribute's name, and the source of its expression.
    Attribute(String, String),
    /// A block's type, the source of its labels, and its body.
    Block(String, Vec<String>, Node<'d>),
    Comment(StringText<'d>),
}

const KINDS: &str = "an element of a body has one of the properties `attribute`, `block` and `comment`";

impl<'d> Item<'d> {
    fn read(writer: &mut to_native::Writer<'_>, element: Node<'d>) -> Option<Item<'d>> {
        let Some(object) = element.as_object() else {
            wrong(writer, element.start_span(), "an element of a body in the tagged form is an object");
            return None;
        };
        let mut found: [Option<Node<'d>>; 7] = [None; 7];
        let names = ["attribute", "value", "expression", "block", "labels", "body", "comment"];
        for member in object.properties() {
            match names.iter().position(|name| *name == member.name()) {
                Some(index) if found[index].is_none() => found[index] = Some(member.value()),
                Some(_) => wrong(writer, member.name_span(), "this property is already set"),
                None => {
                    let detail = format!("the tagged form has no property {}", quoted(&member.name()));
                    let names = names.map(|name| format!("`{name}`")).join(", ");
                    let diagnostic = Finding::error(Code::InvalidTagged, member.name_span(), detail);
                    writer.report(diagnostic.with_help(format!("the properties are {names}")));
                }
            }
        }
        match found {
            [Some(name), value, expression, None, None, None, None] => {
                let name = name_of(writer, name)?;
                let text = match (value, expression) {
                    (Some(value), None) => literal(writer, value)?,
                    (None, Some(expression)) => source(writer, expression)?,
                    _ => {
                        let detail = "an argument has either a `value` or an `expression`";
                        wrong(writer, element.start_span(), detail);
                        return None;
                    }
                };
                Some(Item::Attribute(name, text))
            }
            [None, None, None, Some(name), labels, Some(body), None] => {
                let name = name_of(writer, name)?;
                let labels = match labels {
                    Some(labels) => labels_of(writer, labels)?,
                    None => Vec::new(),
                };
                Some(Item::Block(name, labels, body))
            }
            [None, None, None, None, None, None, Some(text)] => {
                let text = text.as_string();
                if text.is_none() {
                    wrong(writer, element.start_span(), "a comment is a string");
                }
                Some(Item::Comment(text?))
            }
            [None, _, _, Some(_), _, None, None] => {
                wrong(writer, element.start_span(), "a block has a `body`, which is an array");
                None
            }
            _ => {
                wrong(writer, element.start_span(), KINDS);
                None
            }
        }
    }
}

fn name_of(writer: &mut to_native::Writer<'_>, node: Node<'_>) -> Option<String> {
    let name = node.as_string().map(|text| text.text().into_owned()).filter(|name| is_identifier(name));
    if name.is_none() {
        wrong(writer, node.start_span(), "the name of an argument or block is required here");
    }
    name
}

fn labels_of(writer: &mut to_native::Writer<'_>, node: Node<'_>) -> Option<Vec<String>> {
    let Some(labels) = node.as_array() else {
        wrong(writer, node.start_span(), "the labels of a block are an array");
        return None;
    };
    labels
        .elements()
        .map(|label| {
            if let Some(text) = label.as_string() {
                return Some(quoted(&text.text()));
            }
            let mut members = label.as_object().into_iter().flat_map(|object| object.properties());
            let source = match (members.next(), members.next()) {
                (Some(member), None) if member.name() == "source" => member.value().as_string(),
                _ => None,
            };
            let source = source.map(|text| text.text().into_owned());
            let source = source.filter(|text| is_label(text, &writer.conversion.options));
            if source.is_none() {
                wrong(
                    writer,
                    label.start_span(),
                    "a label is a string, or `{\"source\": …}` with a name or a quoted text as its source",
                );
            }
            source
        })
        .collect()
}

/// Returns true if a text is a label as it is written.
fn is_label(text: &str, options: &ParseOptions) -> bool {
    let (file, diagnostics) = options.parse::<File>(("", format!("x {text} {{}}\n"))).into_parts();
    let mut blocks = file.body().blocks();
    let label = blocks.next().filter(|_| file.body().items().len() == 1);
    let label = label.filter(|block| block.labels().len() == 1).and_then(|block| block.labels().next());
    !diagnostics.has_errors() && label.is_some_and(|label| file.source().slice(label.span()) == text)
}

/// Returns a literal value in native syntax.
fn literal(writer: &mut to_native::Writer<'_>, node: Node<'_>) -> Option<String> {
    match node.kind() {
        NodeKind::String(text) => Some(quoted(&text.text())),
        NodeKind::Number(_) | NodeKind::Bool(_) | NodeKind::Null => Some(node.text().to_owned()),
        _ => {
            let detail = "a `value` is a number, a string, true, false or null";
            let diagnostic = Finding::error(Code::InvalidTagged, node.start_span(), detail);
            writer.report(diagnostic.with_help("write anything else as an `expression`: `\"[1, 2]\"`"));
            None
        }
    }
}

/// The source of an expression, if it is one.
fn source(writer: &mut to_native::Writer<'_>, node: Node<'_>) -> Option<String> {
    let Some(text) = node.as_string() else {
        wrong(writer, node.start_span(), "an `expression` is a string with its source");
        return None;
    };
    match expression_file(source_of(text), &writer.conversion.options).into_result() {
        Ok(file) => {
            let source = file.expression().text();
            if stands_alone(source, &writer.conversion.options) {
                return Some(source.to_owned());
            }
            let detail = "this expression spans several lines without brackets around it";
            let diagnostic = Finding::error(Code::InvalidTagged, node.span(), detail);
            writer.report(diagnostic.with_help("write it on one line, or in parentheses"));
        }
        Err(diagnostics) => writer.problems.append(diagnostics),
    }
    None
}
