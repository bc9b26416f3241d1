//! Edits of files in the JSON syntax.
//!
//! Values and blocks are given in HCL, and converted: where a value stands says whether it is read as it is written,
//! as the type of a variable is. A block is one of several in a property, so it is added to what is there.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Refusal, place};
use crate::args::AddressArgument;
use hcl_lr::address::{Address, AddressStep, JsonBlock, Target, TargetKind};
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonStrings, to_json};
use hcl_lr::diagnostic::Json;
use hcl_lr::edit::{JsonEditor, JsonPosition};
use hcl_lr::json::{Document, Node, NodeKind, Property};
use hcl_lr::parse;
use hcl_lr::query::{QueryMatch, Subject};
use hcl_lr::syntax::{File, is_identifier};

/// The edit of one file in the JSON syntax.
pub(super) struct JsonEdit<'e, 'd> {
    pub document: &'d Document,
    pub schema: &'d ConversionSchema,
    pub found: &'e [QueryMatch<'d>],
    pub editor: JsonEditor<'d>,
    parents: Option<Rc<HashMap<u32, Node<'d>>>>,
    /// The properties of objects that are added to, by their names.
    known: HashMap<u32, HashMap<String, Property<'d>>>,
}

/// A property that a text in HCL stands for in JSON.
pub(super) struct Member {
    pub name: String,
    /// The number of labels, if it has blocks.
    labels: Option<usize>,
    /// The value.
    pub json: String,
}

impl<'e, 'd> JsonEdit<'e, 'd> {
    /// No edits yet.
    pub fn new(document: &'d Document, schema: &'d ConversionSchema, found: &'e [QueryMatch<'d>]) -> Self {
        JsonEdit { document, schema, found, editor: JsonEditor::new(document), parents: None, known: HashMap::new() }
    }

    /// Returns the object or array that a value is in.
    pub fn parent(&mut self, node: Node<'d>) -> Option<Node<'d>> {
        let document = self.document;
        let parents = self.parents.get_or_insert_with(|| {
            let mut parents = HashMap::new();
            let mut waiting = vec![document.root()];
            while let Some(parent) = waiting.pop() {
                for child in children(parent) {
                    parents.insert(child.id(), parent);
                    waiting.push(child);
                }
            }
            Rc::new(parents)
        });
        parents.get(&node.id()).copied()
    }

    /// Returns the one thing that an address leads to: that of an argument, or of its first steps.
    pub fn only(&self, argument: &AddressArgument, address: &Address) -> Result<Target<'d>, Refusal> {
        let subject = Subject::Json(self.document, self.schema, None);
        super::only_of(subject, self.document.source(), argument, address)
    }

    /// Returns the JSON of a value in HCL at a path of names.
    ///
    /// # Errors
    /// A message, if it cannot be written in JSON.
    pub fn value(&self, path: &[String], hcl: &str) -> Result<String, String> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let blocks = self.schema.blocks_on_path(&path);
        let named: usize = blocks.iter().map(|(_, labels)| 1 + labels.len()).sum();
        let name = path.get(named).copied().filter(|name| is_identifier(name)).unwrap_or("value");
        let members = self.members_of(&blocks, &format!("{name} = {hcl}"))?;
        members.into_iter().next().map(|member| member.json).ok_or_else(|| "there is no value".to_owned())
    }

    /// Returns the properties for attributes and blocks in HCL, in the body at a path of names.
    ///
    /// # Errors
    /// A message, if they cannot be written in JSON.
    pub fn members(&self, path: &[String], hcl: &str) -> Result<Vec<Member>, String> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.members_of(&self.schema.blocks_on_path(&path), hcl)
    }

    fn members_of(&self, blocks: &[(&str, Vec<&str>)], hcl: &str) -> Result<Vec<Member>, String> {
        let quoted = |label: &&str| hcl_lr::build::NewExpression::from(*label).to_string();
        let mut text = String::new();
        for (block_type, labels) in blocks {
            let labels: Vec<String> = labels.iter().map(quoted).collect();
            text.push_str(&format!("{block_type} {} {{\n", labels.join(" ")));
        }
        let before = text.len();
        text.push_str(hcl);
        text.push_str(&"\n}".repeat(blocks.len()));
        text.push('\n');
        let wrong = |diagnostics: hcl_lr::diagnostic::Diagnostics| match diagnostics.first() {
            Some(first) => format!("{}: {}", first.summary(), first.detail()),
            None => "the text has errors".to_owned(),
        };
        let file = parse::<File>(("new text", text.as_str())).into_result().map_err(wrong)?;
        let strings = strings_of(self.document.root());
        let options = ConversionOptions::new().with_schema(self.schema).with_strings(strings);
        let converted = to_json(&file, &options).into_result();
        let document = parse::<Document>(converted.map_err(wrong)?.text.as_str()).into_result().map_err(wrong)?;
        // Through the blocks around the text.
        let mut node = Some(document.root());
        let mut body = Some(file.body());
        for (block_type, labels) in blocks {
            for name in [block_type].into_iter().chain(labels) {
                node = node.and_then(|node| property_of(node, name)).map(Property::value);
            }
            body = body.and_then(|body| body.blocks().next()).map(|block| block.body());
        }
        let (Some(node), Some(body)) = (node, body) else { return Err("the text has errors".to_owned()) };
        if body.span().start() > before && body.items().len() == 0 {
            return Ok(Vec::new());
        }
        let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
        let labels_of: HashMap<&str, usize> =
            body.blocks().map(|block| (block.block_type(), block.labels().len())).collect();
        let member = |property: Property<'_>| {
            let name = property.name().into_owned();
            let labels = labels_of.get(name.as_str()).copied();
            Member { name, labels, json: property.value().text().to_owned() }
        };
        Ok(objects.flat_map(|object| object.properties()).map(member).collect())
    }

    /// Returns the property to add to the body or object at a path of names, so that there is a value at the names that
    /// are missing there. The schema says which of them are blocks.
    ///
    /// # Errors
    /// A message, if the value cannot be written in JSON.
    pub fn member(&self, path: &[String], missing: &[String], hcl: &str) -> Result<Member, String> {
        let [first, inner @ ..] = missing else { return Err("nothing is missing".to_owned()) };
        let whole: Vec<String> = path.iter().chain(missing).cloned().collect();
        let mut json = self.value(&whole, hcl)?;
        for name in inner.iter().rev() {
            json = format!("{{\n  {}: {}\n}}", Json(name), json.replace('\n', "\n  "));
        }
        let names: Vec<&str> = whole.iter().map(String::as_str).collect();
        let mut named = 0;
        let blocks = self.schema.blocks_on_path(&names);
        let block = blocks.iter().find(|(_, labels)| {
            let is_first = named == path.len();
            named += 1 + labels.len();
            is_first
        });
        Ok(Member { name: first.clone(), labels: block.map(|(_, labels)| labels.len()), json })
    }

    /// Returns the JSON of the body of a block in HCL, which has the type and the labels of another one.
    ///
    /// # Errors
    /// A message, if it is something else, or cannot be written in JSON.
    pub fn body_of_block(&self, path: &[String], block: &JsonBlock<'_>, hcl: &str) -> Result<String, String> {
        let other = || "in JSON, a block can only be replaced by one of the same type and labels".to_owned();
        let members = self.members(path, hcl)?;
        let [Member { name, labels: Some(_), json }] = &members[..] else { return Err(other()) };
        let document = parse::<Document>(json.as_str()).into_result().map_err(|_| other())?;
        let mut node = (*name == *block.block_type()).then_some(document.root());
        for label in block.labels() {
            node = node.and_then(|node| property_of(node, &label)).map(Property::value);
        }
        node.map(|node| node.text().to_owned()).ok_or_else(other)
    }

    /// Adds a property to an object. Blocks are added to those that are there.
    ///
    /// # Errors
    /// A message, if that cannot be.
    pub fn add(&mut self, object: Node<'d>, position: JsonPosition<'d>, member: &Member) -> Result<(), String> {
        let known = self.known.entry(object.id()).or_insert_with(|| {
            let properties = object.as_object().into_iter().flat_map(|object| object.properties());
            properties.map(|property| (property.name().into_owned(), property)).collect()
        });
        let (Some(labels), Some(old)) = (member.labels, known.get(&member.name).copied()) else {
            self.editor.insert(object, position, Some(&member.name), &member.json);
            return Ok(());
        };
        let new = parse::<Document>(member.json.as_str()).into_result().map_err(|_| "it is not JSON".to_owned())?;
        let mut tasks = vec![(old.value(), new.root(), labels)];
        while let Some((old, new, labels)) = tasks.pop() {
            match (old.kind(), new.kind()) {
                (NodeKind::Null, _) => drop(self.editor.set(old, new.text())),
                (NodeKind::Object(properties), NodeKind::Object(object)) if labels > 0 => {
                    let known: HashMap<_, _> = properties.properties().map(|one| (one.name(), one.value())).collect();
                    for property in object.properties() {
                        let (name, value) = (property.name(), property.value());
                        match known.get(&name) {
                            Some(old) => tasks.push((*old, value, labels - 1)),
                            None => drop(self.editor.insert(old, JsonPosition::End, Some(&name), value.text())),
                        }
                    }
                }
                (NodeKind::Array(_), _) => {
                    for element in children_or_self(new) {
                        self.editor.insert(old, JsonPosition::End, None, element.text());
                    }
                }
                _ => {
                    for element in children_or_self(new) {
                        self.editor.extend(old, element.text());
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns how strings are meant in the file of a value: in files with values for variables they are no templates.
pub(super) fn strings_of(node: Node<'_>) -> JsonStrings {
    let name = node.source().name().to_ascii_lowercase();
    match [".tfvars.json", ".pkrvars.json"].iter().any(|ending| name.ends_with(ending)) {
        true => JsonStrings::Literal,
        false => JsonStrings::Template,
    }
}

/// The values in an object or array.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    match node.kind() {
        NodeKind::Object(object) => object.properties().map(Property::value).collect(),
        NodeKind::Array(array) => array.elements().collect(),
        _ => Vec::new(),
    }
}

/// The elements of an array, or all else by itself.
pub(super) fn children_or_self(node: Node<'_>) -> Vec<Node<'_>> {
    node.as_array().map_or_else(|| vec![node], |array| array.elements().collect())
}

/// Returns the property of a name; a body may be an array of objects.
fn property_of<'d>(node: Node<'d>, name: &str) -> Option<Property<'d>> {
    let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
    objects.flat_map(|object| object.properties()).find(|property| property.name() == name)
}

/// Returns the names of the steps of an address, without indexes.
pub(super) fn names(address: &Address) -> Vec<String> {
    let name = |step: &AddressStep| match step {
        AddressStep::Name(name) => Some(name.clone()),
        _ => None,
    };
    address.steps().iter().filter_map(name).collect()
}

/// Returns the value of a target, if it can be edited as a part of what it is in.
pub(super) fn value<'d>(target: &Target<'d>) -> Result<Node<'d>, String> {
    match target.kind() {
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => Ok(property.value()),
        TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Ok(*node),
        TargetKind::JsonBlock(block) => Ok(block.body()),
        TargetKind::JsonBody(_) => Err(format!("{}: this is the whole file", target.place())),
        _ => Err(format!("{}: expressions in strings of JSON cannot be changed by themselves", target.place())),
    }
}

/// Returns the object or array of a target.
pub(super) fn container<'d>(target: &Target<'d>) -> Result<Node<'d>, String> {
    let node = match target.kind() {
        TargetKind::JsonBody(node) => *node,
        _ => value(target)?,
    };
    // A body may be an array of objects.
    let is_body = matches!(target.kind(), TargetKind::JsonBody(_) | TargetKind::JsonBlock(_));
    let node = if is_body { children_or_self(node).into_iter().next_back().unwrap_or(node) } else { node };
    match node.kind() {
        NodeKind::Object(_) | NodeKind::Array(_) => Ok(node),
        _ => Err(format!("{}: this cannot contain attributes or blocks", target.place())),
    }
}

/// Removes a target, and the labels and the type of a block that are of no other one.
pub(super) fn remove<'d>(editor: &mut JsonEditor<'d>, target: &Target<'d>) -> Result<(), String> {
    let node = value(target)?;
    match target.kind() {
        TargetKind::JsonBlock(block) => {
            let outermost = block.properties().next().map_or(node, Property::value);
            editor.remove_up_to(node, outermost);
        }
        _ => drop(editor.remove(node)),
    }
    Ok(())
}

/// Gives a target the name that the last steps of an address say.
///
/// # Errors
/// A message, if a name of a block is one of several blocks.
pub(super) fn rename<'d>(
    editor: &mut JsonEditor<'d>,
    target: &Target<'d>,
    steps: &[AddressStep],
) -> Result<(), String> {
    let properties: Vec<Property<'d>> = match target.kind() {
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => vec![*property],
        TargetKind::JsonBlock(block) => block.properties().collect(),
        _ => return Err(format!("{}: an element of a list has no name", place(target))),
    };
    for (property, step) in properties.into_iter().zip(steps) {
        let AddressStep::Name(name) = step else { continue };
        if property.name() == name.as_str() {
            continue;
        }
        if let TargetKind::JsonBlock(block) = target.kind()
            && !is_alone(property, block)
        {
            let old = property.name();
            return Err(format!(
                "{}: in JSON, `{old}` is the name of several blocks here; move each with `hcl rm` and `hcl append`",
                place(target)
            ));
        }
        editor.rename(property, name);
    }
    Ok(())
}

/// Returns true if a property has one block in it.
fn is_alone(property: Property<'_>, block: &JsonBlock<'_>) -> bool {
    let mut node = property.value();
    while node.id() != block.body().id() {
        match &children(node)[..] {
            [only] => node = *only,
            _ => return false,
        }
    }
    true
}
