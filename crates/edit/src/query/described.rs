//! The kind, name, labels and comments of a target.

use std::borrow::Cow;

use crate::address::{Target, TargetKind};
use hcl_lr::json;
use hcl_lr::syntax::Comment;
use hcl_lr::syntax::ast::ExpressionKind;

/// Returns the kind of the value of a target; a block and a file have none.
pub(super) fn value_kind(target: &Target<'_>) -> &'static str {
    match target.kind() {
        TargetKind::Attribute(attribute) => attribute.expression().kind().name(),
        TargetKind::Entry(entry) => entry.value().kind().name(),
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => json_kind(property.value()),
        TargetKind::Element(_) | TargetKind::Expression(_) => kind(target),
        TargetKind::JsonElement(_) | TargetKind::JsonValue(_) => kind(target),
        TargetKind::Body(_) | TargetKind::Block(_) | TargetKind::JsonBody(_) | TargetKind::JsonBlock(_) => "",
    }
}

/// Returns the kind of a target, in a word.
pub(super) fn kind(target: &Target<'_>) -> &'static str {
    match target.kind() {
        TargetKind::Body(_) | TargetKind::JsonBody(_) => "body",
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => "block",
        TargetKind::Attribute(_) | TargetKind::JsonAttribute(_) => "attribute",
        TargetKind::Entry(_) | TargetKind::JsonEntry(_) => "entry",
        TargetKind::Element(expression) | TargetKind::Expression(expression) => expression.kind().name(),
        TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => json_kind(*node),
    }
}

fn json_kind(node: json::Node<'_>) -> &'static str {
    match node.kind() {
        json::NodeKind::Object(_) => "object",
        json::NodeKind::Array(_) => "list",
        json::NodeKind::String(text) if has_sequence(&text.text()) => "template",
        json::NodeKind::String(_) => "string",
        json::NodeKind::Number(_) => "number",
        json::NodeKind::Bool(_) => "bool",
        json::NodeKind::Null => "null",
        json::NodeKind::Error => "error",
    }
}

/// Returns true if a JSON string, read as a template, is more than literal text.
fn has_sequence(text: &str) -> bool {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins = matches!(c, '$' | '%') && chars.peek() == Some(&'{');
        if begins && before != c {
            return true;
        }
        // The first of two before a brace escapes the second.
        before = if before == c { ' ' } else { c };
    }
    false
}

/// The type of a block; empty for anything else.
pub(super) fn block_type(target: &Target<'_>) -> String {
    match target.kind() {
        TargetKind::Block(block) => block.block_type().to_owned(),
        TargetKind::JsonBlock(block) => block.block_type().into_owned(),
        _ => String::new(),
    }
}

/// The labels of a block.
pub(super) fn labels(target: &Target<'_>) -> Vec<String> {
    match target.kind() {
        TargetKind::Block(block) => block.labels().map(|label| label.text().into_owned()).collect(),
        TargetKind::JsonBlock(block) => block.labels().map(|label| label.into_owned()).collect(),
        _ => Vec::new(),
    }
}

/// The name of an attribute or element, of the called function, or of the variable; the last label of a block.
pub(super) fn name(target: &Target<'_>) -> String {
    match target.kind() {
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => labels(target).pop().unwrap_or_default(),
        TargetKind::Attribute(attribute) => attribute.name().to_owned(),
        TargetKind::Entry(element) => {
            element.key_text().map_or_else(|| element.key_expression().text().to_owned(), Cow::into_owned)
        }
        TargetKind::Element(expression) | TargetKind::Expression(expression) => match expression.kind() {
            ExpressionKind::FunctionCall(call) => call.name().into_owned(),
            ExpressionKind::Traversal(path) => path.root().text().to_owned(),
            _ => String::new(),
        },
        TargetKind::JsonAttribute(member) | TargetKind::JsonEntry(member) => member.name().into_owned(),
        TargetKind::Body(_) | TargetKind::JsonBody(_) | TargetKind::JsonElement(_) | TargetKind::JsonValue(_) => {
            String::new()
        }
    }
}

/// Returns the text of the comments above a block or an attribute, and of the one after it on its line.
pub(super) fn comment(target: &Target<'_>) -> String {
    let texts: Vec<&str> = match target.kind() {
        TargetKind::Block(block) => {
            block.leading_comments().chain(block.trailing_comment()).map(Comment::content).collect()
        }
        TargetKind::Attribute(attribute) => {
            attribute.leading_comments().chain(attribute.trailing_comment()).map(Comment::content).collect()
        }
        TargetKind::JsonBlock(block) => {
            let object = block.body().as_object();
            let comment = object.and_then(|object| object.properties().find(|member| member.name() == "//"));
            let text = comment.and_then(|comment| comment.value().as_string());
            return text.map(|text| text.text().into_owned()).unwrap_or_default();
        }
        _ => Vec::new(),
    };
    texts.join("\n")
}
