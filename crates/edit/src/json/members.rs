//! JSON properties to add to objects, and blocks in them.

use std::collections::HashMap;

use crate::EditError;
use hcl_lr::ParseOptions;
use hcl_lr::construct::BuildError;
use hcl_lr::internal::PlainJson;
use hcl_lr::json::{Document, Node, NodeKind, Property};

/// Reads a JSON text.
pub(super) fn read(text: &str) -> Result<Document, EditError> {
    let parsed = ParseOptions::default().parse::<Document>(("new text", text)).into_result();
    parsed.map_err(|diagnostics| EditError::Build(BuildError::Syntax(diagnostics)))
}

/// The JSON property for an item in HCL, or a moved property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    /// The number of labels, if it has blocks.
    pub labels: Option<usize>,
    /// The value.
    pub json: String,
}

impl Member {
    /// Returns the property for a block with these names as its type and labels, and a body in JSON.
    pub fn of_block(names: &[String], body: String) -> Option<Member> {
        let (block_type, labels) = names.split_first()?;
        let json = nested(labels.iter().map(String::as_str), body);
        Some(Member { name: block_type.clone(), labels: Some(labels.len()), json })
    }

    /// Returns the property in JSON notation.
    pub fn text(&self) -> String {
        format!("{}: {}", PlainJson(&self.name), self.json)
    }
}

/// Returns JSON in an object for each name.
pub(super) fn nested<'n>(names: impl DoubleEndedIterator<Item = &'n str>, json: String) -> String {
    // No string has a line end in it.
    names.rev().fold(json, |json, name| format!("{{\n  {}: {}\n}}", PlainJson(name), json.replace('\n', "\n  ")))
}

/// Returns the text of a value without the indentation of the line that it begins in.
pub(super) fn dedented(node: Node<'_>) -> String {
    let source = node.source().text();
    let start = node.span().start();
    let line = &source[source[..start].rfind('\n').map_or(0, |at| at + 1)..start];
    let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    node.text().replace(&format!("\n{indent}"), "\n")
}

/// Returns the elements of an array, or any other value itself.
pub(super) fn children_or_self(node: Node<'_>) -> Vec<Node<'_>> {
    node.as_array().map_or_else(|| vec![node], |array| array.elements().collect())
}

/// Returns the property of a name; a body may be an array of objects.
pub(super) fn property_of<'d>(node: Node<'d>, name: &str) -> Option<Property<'d>> {
    let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
    objects.flat_map(|object| object.properties()).find(|property| property.name() == name)
}

/// Returns true if a property has one block in it, the one with this body.
pub(super) fn is_alone(property: Property<'_>, body: Node<'_>) -> bool {
    let mut node = property.value();
    while node.id() != body.id() {
        let only = match node.kind() {
            NodeKind::Object(object) => only(object.properties()).map(Property::value),
            NodeKind::Array(array) => only(array.elements()),
            _ => None,
        };
        match only {
            Some(only) => node = only,
            None => return false,
        }
    }
    true
}

/// Returns the item if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

/// Blocks of a type to add to an object, combined in one property.
#[derive(Clone, Debug)]
pub(super) struct NewBlocks {
    name: String,
    labels: usize,
    /// The type, with the labels below it. Each has its children by name, and bodies at the last level.
    nodes: Vec<Branch>,
}

#[derive(Clone, Debug, Default)]
struct Branch {
    /// The labels within it, in order, with their numbers.
    labels: Vec<(String, usize)>,
    known: HashMap<String, usize>,
    bodies: Vec<String>,
}

impl NewBlocks {
    /// Creates an empty list.
    pub fn new(name: &str, labels: usize) -> NewBlocks {
        NewBlocks { name: name.to_owned(), labels, nodes: vec![Branch::default()] }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of labels of each block.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// Adds the blocks in the value of a property.
    ///
    /// # Errors
    /// If the value is not JSON.
    pub fn take(&mut self, json: &str) -> Result<(), EditError> {
        let new: Document = read(json)?;
        let mut waiting = vec![(new.root(), 0, self.labels)];
        while let Some((node, at, labels)) = waiting.pop() {
            if labels == 0 {
                self.nodes[at].bodies.extend(children_or_self(node).into_iter().map(dedented));
                continue;
            }
            let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
            let mut within = Vec::new();
            for property in objects.flat_map(|object| object.properties()) {
                let (name, next) = (property.name().into_owned(), self.nodes.len());
                let branch = &mut self.nodes[at];
                let number = *branch.known.entry(name.clone()).or_insert(next);
                if number == next {
                    branch.labels.push((name, next));
                    self.nodes.push(Branch::default());
                }
                within.push((property.value(), number, labels - 1));
            }
            waiting.extend(within.into_iter().rev());
        }
        Ok(())
    }

    /// Returns the value of the property.
    pub fn json(&self) -> String {
        let mut texts: Vec<String> = vec![String::new(); self.nodes.len()];
        // The labels within a branch have larger numbers.
        for (at, branch) in self.nodes.iter().enumerate().rev() {
            let indented = |text: &str| text.replace('\n', "\n  ");
            let labels = branch.labels.iter();
            let labels: Vec<String> =
                labels.map(|(name, number)| format!("  {}: {}", PlainJson(name), indented(&texts[*number]))).collect();
            let bodies: Vec<String> = branch.bodies.iter().map(|body| format!("  {}", indented(body))).collect();
            texts[at] = match (&labels[..], &branch.bodies[..]) {
                ([], [body]) => body.clone(),
                ([], []) if self.labels > 0 => "{}".to_owned(),
                ([], _) => format!("[\n{}\n]", bodies.join(",\n")),
                _ => format!("{{\n{}\n}}", labels.join(",\n")),
            };
        }
        texts.swap_remove(0)
    }
}
