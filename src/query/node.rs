//! The variable `node` of a condition: the kind of a match, and its place.

use std::collections::HashSet;

use super::QueryMatch;
use crate::address::{Target, TargetKind};
use crate::body::Expression;
use crate::json;
use crate::limits::Account;
use crate::model::{Type, Value};
use crate::syntax::Comment;
use crate::syntax::ast::{AccessStep, ExpressionKind, ObjectKey};

/// The properties of `node` that expressions ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    names: HashSet<String>,
    all: bool,
}

impl Wanted {
    pub fn by<'e>(expressions: impl Iterator<Item = &'e Expression>) -> Wanted {
        let mut wanted = Wanted::default();
        for expression in expressions {
            let Some(node) = expression.native_form() else { continue };
            for path in node.variables().into_iter().filter(|path| path.root().text() == "node") {
                match path.steps().next() {
                    Some(AccessStep::Attribute(name)) => {
                        wanted.names.insert(name.text().to_owned());
                    }
                    _ => wanted.all = true,
                }
            }
        }
        wanted
    }

    /// `node` with what is wanted of it. A property that there is not is an error where it is used.
    /// Texts are those of all that is within, and counted: an account that is exceeded says so later.
    pub fn value(&self, found: &QueryMatch<'_>, account: &Account) -> Value {
        let wanted = PROPERTIES.iter().filter(|name| self.all || self.names.contains(**name));
        Value::object(wanted.map(|name| (*name, property(found, name, account))))
    }

    pub fn is_empty(&self) -> bool {
        !self.all && self.names.is_empty()
    }
}

const PROPERTIES: [&str; 11] =
    ["kind", "type", "name", "labels", "address", "file", "line", "column", "comment", "text", "value"];

fn property(found: &QueryMatch<'_>, name: &str, account: &Account) -> Value {
    let target = found.target();
    let text = |text: &str| match account.text(text.len()) {
        Ok(()) => Value::from(text),
        Err(_) => Value::unknown(Type::String),
    };
    match name {
        "kind" => Value::from(kind(target)),
        "type" => Value::from(block_type(target)),
        "name" => Value::from(self::name(target)),
        "labels" => {
            let labels = labels(target).into_iter().map(Value::from);
            Value::list(Type::String, labels).unwrap_or_else(|_| Value::unknown(Type::list(Type::String)))
        }
        "address" => Value::from(target.address().to_string()),
        "file" => Value::from(target.place().source().name()),
        "line" => Value::from(found.position().line),
        "column" => Value::from(found.position().column),
        "comment" => Value::from(comment(target)),
        "text" => text(target.text()),
        _ => text(target.value_text().unwrap_or_default()),
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
        TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => match node.kind() {
            json::NodeKind::Object(_) => "object",
            json::NodeKind::Array(_) => "list",
            json::NodeKind::String(text) if has_sequence(&text.text()) => "template",
            json::NodeKind::String(_) => "string",
            json::NodeKind::Number(_) => "number",
            json::NodeKind::Bool(_) => "bool",
            json::NodeKind::Null => "null",
            json::NodeKind::Error => "error",
        },
    }
}

/// Returns true if a text in JSON is more than literal text when it is read as a template.
fn has_sequence(text: &str) -> bool {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins = matches!(c, '$' | '%') && chars.peek() == Some(&'{');
        if begins && before != c {
            return true;
        }
        // The first of two of them before a brace escapes the other.
        before = if before == c { ' ' } else { c };
    }
    false
}

/// The type of a block; of anything else an empty text.
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

/// The name of an attribute or an element, of the function that is called, or of the variable that is
/// used; the last label of a block.
pub(super) fn name(target: &Target<'_>) -> String {
    match target.kind() {
        TargetKind::Block(_) | TargetKind::JsonBlock(_) => labels(target).pop().unwrap_or_default(),
        TargetKind::Attribute(attribute) => attribute.name().to_owned(),
        TargetKind::Entry(element) => match element.key() {
            ObjectKey::Name(name) => name.text().to_owned(),
            ObjectKey::Expression(key) => match key.kind() {
                ExpressionKind::Template(template) => {
                    template.as_text().map_or_else(|| key.text().to_owned(), |text| text.into_owned())
                }
                _ => key.text().to_owned(),
            },
        },
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

/// Returns the text of the comments above a block or an attribute, and of the one after it in its line.
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
