//! `hcl append --if-missing`: checks if a container already has one of the new items.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::json::{children_or_self, strings_of};
use hcl_lr::convert::{ConversionOptions, to_json};
use hcl_lr::json::{Document, Node, NodeKind};
use hcl_lr::parse;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode};
use hcl_lr_edit::address::{Target, TargetKind};

/// Returns true if a container has an attribute or an entry with the name of a new one, a block with the type and the
/// labels of a new one, or an element that is equal to a new one.
pub(super) fn has_one_of(target: &Target<'_>, text: &str) -> bool {
    match target.kind() {
        TargetKind::Body(body) => body_has(*body, text),
        TargetKind::Block(block) => body_has(block.body(), text),
        TargetKind::JsonBody(node) => json_body_has(*node, text),
        TargetKind::JsonBlock(block) => json_body_has(block.body(), text),
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => json_has(property.value(), text),
        TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => json_has(*node, text),
        _ => target.expression().is_some_and(|value| collection_has(value, text)),
    }
}

fn new_file(text: String) -> File {
    parse::<File>(("new text", text)).into_value()
}

/// Returns the name of an attribute, or the type and labels of a block. The flag is true for a block.
fn name_of(item: BodyItem<'_>) -> Option<(bool, Vec<String>)> {
    match item {
        BodyItem::Attribute(attribute) => Some((false, vec![attribute.name().to_owned()])),
        BodyItem::Block(block) => {
            let labels = block.labels().map(|label| label.text().into_owned());
            Some((true, std::iter::once(block.block_type().to_owned()).chain(labels).collect()))
        }
        _ => None,
    }
}

fn body_has(body: BodyNode<'_>, text: &str) -> bool {
    let new = new_file(format!("{text}\n"));
    let names: HashSet<_> = new.body().items().filter_map(name_of).collect();
    body.items().filter_map(name_of).any(|name| names.contains(&name))
}

/// Returns the keys of an object that are names or strings.
fn keys(value: ExpressionNode<'_>) -> Vec<String> {
    let ExpressionKind::Object(object) = value.kind() else { return Vec::new() };
    object.elements().filter_map(|entry| entry.key_text()).map(Cow::into_owned).collect()
}

/// Returns the other keys of an object in HCL notation.
fn computed_keys(value: ExpressionNode<'_>) -> Vec<String> {
    let ExpressionKind::Object(object) = value.kind() else { return Vec::new() };
    let computed = object.elements().filter(|entry| entry.key_text().is_none());
    computed.map(|entry| entry.key_expression().text().to_owned()).collect()
}

fn collection_has(value: ExpressionNode<'_>, text: &str) -> bool {
    match value.kind() {
        ExpressionKind::Object(_) => {
            let new = new_file(object_of(text));
            let has_one = |keys: fn(ExpressionNode<'_>) -> Vec<String>| {
                let names: HashSet<String> = value_of(&new).map(keys).into_iter().flatten().collect();
                keys(value).iter().any(|key| names.contains(key))
            };
            has_one(keys) || has_one(computed_keys)
        }
        ExpressionKind::Tuple(tuple) => {
            let new = new_file(list_of(text));
            let Some(ExpressionKind::Tuple(elements)) = value_of(&new).map(ExpressionNode::kind) else { return false };
            let texts: HashSet<&str> = elements.elements().map(|element| element.text()).collect();
            tuple.elements().any(|element| texts.contains(element.text()))
        }
        _ => false,
    }
}

/// Returns a file with an object of new entries.
fn object_of(text: &str) -> String {
    format!("new = {{\n{text}\n}}\n")
}

/// Returns a file with a list of new elements.
fn list_of(text: &str) -> String {
    format!("new = [\n{text}\n]\n")
}

/// Returns the value in a file that was built for it.
fn value_of(file: &File) -> Option<ExpressionNode<'_>> {
    file.body().attribute("new").map(|attribute| attribute.expression())
}

/// The names of new items in the JSON syntax, as a tree: for each node, its children by name, and true if an item ends
/// there. The first node is the body.
#[derive(Default)]
struct Names(Vec<(HashMap<String, usize>, bool)>);

impl Names {
    fn of(body: BodyNode<'_>) -> Names {
        let mut names = Names(vec![Default::default()]);
        for (_, path) in body.items().filter_map(name_of) {
            let mut at = 0;
            for name in path {
                let next = names.0.len();
                let number = *names.0[at].0.entry(name).or_insert(next);
                if number == next {
                    names.0.push(Default::default());
                }
                at = number;
            }
            names.0[at].1 = true;
        }
        names
    }
}

/// Returns true if a body, which may be an array of objects, has one of the new items.
fn json_body_has(body: Node<'_>, text: &str) -> bool {
    let new = new_file(format!("{text}\n"));
    let names = Names::of(new.body());
    let mut waiting = vec![(body, 0)];
    while let Some((node, at)) = waiting.pop() {
        let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
        for property in objects.flat_map(|object| object.properties()) {
            let Some(&next) = names.0[at].0.get(&*property.name()) else { continue };
            if names.0[next].1 {
                return true;
            }
            waiting.push((property.value(), next));
        }
    }
    false
}

/// Returns true if an object has one of the new entries, or an array one of the new elements.
fn json_has(value: Node<'_>, text: &str) -> bool {
    match value.kind() {
        NodeKind::Object(object) => {
            let new = new_file(object_of(text));
            let names: HashSet<String> = value_of(&new).map(keys).into_iter().flatten().collect();
            object.properties().any(|property| names.contains(&*property.name()))
        }
        NodeKind::Array(array) => {
            let options = ConversionOptions::new().with_strings(strings_of(value));
            let new = to_json(&new_file(list_of(text)), &options).into_value().text;
            let new = parse::<Document>(new.as_str()).into_value();
            let Some(list) = new.root().as_object().and_then(|object| object.properties().next()) else {
                return false;
            };
            let elements = children_or_self(list.value());
            let texts: HashSet<String> = elements.into_iter().map(|element| squeezed(element.text())).collect();
            array.elements().any(|element| texts.contains(&squeezed(element.text())))
        }
        _ => false,
    }
}

/// Returns a JSON text without the blanks outside of its strings.
fn squeezed(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let stays = |c: &char| {
        let quote = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        in_string ^= quote;
        in_string || !c.is_ascii_whitespace()
    };
    json.chars().filter(stays).collect()
}
