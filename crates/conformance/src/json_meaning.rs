//! The meaning of a JSON document in the form of the native one.

use std::fmt::Write;

use super::meaning::template_to_json;
use hcl_lr::diagnostic::Json;
use hcl_lr::json::COMMENT;
use hcl_lr::json::{Document, Node, NodeKind, Property, StringText};
use hcl_lr::model::Value;

/// Returns the meaning of a JSON document if all properties of its root are attributes, in the format of
/// [`body_to_json`](super::body_to_json).
///
/// ```
/// use hcl_lr_conformance::{body_to_json, json_to_json};
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let json = parse::<Document>(r#"{"a": ["x", 1]}"#).into_result()?;
/// let native = hcl_lr::parse::<hcl_lr::File>("a = [\"x\", 1]\n").into_result()?;
/// assert_eq!(json_to_json(&json), body_to_json(native.body()));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn json_to_json(document: &Document) -> String {
    let mut out = String::new();
    let mut waiting = vec![Task::Body(document.root())];
    while let Some(task) = waiting.pop() {
        let start = waiting.len();
        match task {
            Task::Raw(text) => out.push_str(text),
            Task::Body(node) => body(node, &mut waiting),
            Task::Name(name) => {
                let _ = write!(out, "{}", Json(&name.text()));
            }
            Task::String(text) => string(text, &mut out),
            Task::Node(node) => value(node, &mut out, &mut waiting),
        }
        waiting[start..].reverse();
    }
    out
}

/// Returns the properties of a document, which may have errors, as the attributes of an outline. JSON alone does not
/// distinguish attributes from blocks.
pub(super) fn json_outline(document: &Document) -> String {
    let attribute = |name: &str| format!("{{\"attr\":{}}}", Json(name));
    let names = members(document.root()).map(|member| attribute(&member.name()));
    format!("[{}]", names.collect::<Vec<_>>().join(","))
}

/// The properties of the object that a document is, or of the objects in its array, without comments.
fn members(root: Node<'_>) -> impl Iterator<Item = Property<'_>> {
    let objects: Vec<_> = match root.kind() {
        NodeKind::Object(object) => vec![object],
        NodeKind::Array(array) => array.elements().filter_map(Node::as_object).collect(),
        _ => Vec::new(),
    };
    objects.into_iter().flat_map(|object| object.properties()).filter(|member| member.name() != COMMENT)
}

/// A pending part. Documents may nest deeply, so nothing here is recursive.
enum Task<'d> {
    Raw(&'static str),
    Body(Node<'d>),
    Name(StringText<'d>),
    String(StringText<'d>),
    Node(Node<'d>),
}

fn body<'d>(root: Node<'d>, then: &mut Vec<Task<'d>>) {
    let mut between = "[{\"attr\":";
    for member in members(root) {
        then.extend([Task::Raw(between), Task::Name(member.name_text()), Task::Raw(",\"expr\":")]);
        then.push(Task::Node(member.value()));
        between = "},{\"attr\":";
    }
    then.push(Task::Raw(if between.starts_with('[') { "[]" } else { "}]" }));
}

fn value<'d>(node: Node<'d>, out: &mut String, then: &mut Vec<Task<'d>>) {
    match node.kind() {
        NodeKind::String(text) => string(text, out),
        NodeKind::Number(number) => {
            // A sign is an operator in native syntax.
            let (text, negative) = match number.text().strip_prefix('-') {
                Some(digits) => (digits, true),
                None => (number.text(), false),
            };
            let literal = format!("{{\"lit\":{{\"number\":{}}}}}", Json(text));
            let _ = match negative {
                true => write!(out, "{{\"op\":\"-\",\"args\":[{literal}]}}"),
                false => write!(out, "{literal}"),
            };
        }
        NodeKind::Bool(value) => out.push_str(if value { "{\"lit\":true}" } else { "{\"lit\":false}" }),
        NodeKind::Null => out.push_str("{\"lit\":{\"null\":\"dynamic\"}}"),
        NodeKind::Error => out.push_str("{\"error\":true}"),
        NodeKind::Array(array) => {
            then.push(Task::Raw("{\"tuple\":["));
            for (index, element) in array.elements().enumerate() {
                then.extend([Task::Raw(if index > 0 { "," } else { "" }), Task::Node(element)]);
            }
            then.push(Task::Raw("]}"));
        }
        NodeKind::Object(object) => {
            then.push(Task::Raw("{\"object\":["));
            for (index, member) in object.properties().enumerate() {
                then.extend([Task::Raw(if index > 0 { ",[" } else { "[" }), Task::String(member.name_text())]);
                then.extend([Task::Raw(","), Task::Node(member.value()), Task::Raw("]")]);
            }
            then.push(Task::Raw("]}"));
        }
    }
}

fn string(text: StringText<'_>, out: &mut String) {
    match text.template() {
        Ok(template) if template.diagnostics().has_errors() => out.push_str("{\"error\":true}"),
        Ok(template) => out.push_str(&template_to_json(template.value().template())),
        Err(plain) if plain.is_empty() => out.push_str("{\"template\":[]}"),
        Err(plain) => {
            // As a value the text is in normalization form C.
            let value = Value::from(&*plain);
            let _ = write!(out, "{{\"template\":[{{\"lit\":{}}}]}}", Json(value.as_str().unwrap_or_default()));
        }
    }
}
