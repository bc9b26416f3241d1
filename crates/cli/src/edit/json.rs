//! Edits of files in the JSON syntax.
//!
//! Values and blocks are given in HCL and converted. The place of a value decides if it is kept as an expression, as
//! the type of a variable is. A block shares a property with others of its type, so it is added to them.

use std::cell::Cell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::changes::Changes;
use super::json_members::{Member, NewBlocks, children_or_self, dedented, nested, property_of};
use super::options::text_from;
use super::taken::Taken;
use super::targets::{Refusal, only_of, place};
use crate::args::AddressArgument;
use crate::context::Context;
use crate::error::Error;
use crate::files::has_property;
use crate::input::Origin;
use crate::language::FileLanguages;
use crate::terminal::count;
use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonStrings, to_json, to_native};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::{Document, Node, NodeKind, Property};
use hcl_lr::parse;
use hcl_lr::syntax::ast::BodyItem;
use hcl_lr::syntax::{File, is_identifier};
use hcl_lr_edit::address::{Address, AddressStep, JsonBlock, Target, TargetKind};
use hcl_lr_edit::query::{QueryMatch, Subject};
use hcl_lr_edit::{Item, ItemSources, JsonEditor, JsonPosition};

/// The edit of one file in the JSON syntax.
pub(super) struct JsonEdit<'e, 'd> {
    pub document: &'d Document,
    pub schema: &'d ConversionSchema,
    pub found: &'e [QueryMatch<'d>],
    pub editor: JsonEditor<'d>,
    parents: Option<Rc<HashMap<u32, Node<'d>>>>,
    /// The properties of objects, by their names.
    known: HashMap<u32, HashMap<String, Property<'d>>>,
    /// The blocks to add, by their object and type.
    waiting: Vec<(Node<'d>, JsonPosition<'d>, NewBlocks)>,
    numbers: HashMap<(u32, String), usize>,
    /// The items that are removed here and added to another file.
    pub taken: Vec<Taken>,
    /// The changed texts.
    pub changes: Changes,
    /// The number of comments that JSON cannot have.
    comments: Cell<usize>,
}

/// Returns the first error as a message.
fn first_of(diagnostics: Diagnostics) -> String {
    match diagnostics.first() {
        Some(first) => format!("{}: {}", first.summary(), first.detail()),
        None => "the text has errors".to_owned(),
    }
}

impl<'e, 'd> JsonEdit<'e, 'd> {
    /// No edits yet.
    pub fn new(
        document: &'d Document,
        schema: &'d ConversionSchema,
        found: &'e [QueryMatch<'d>],
        changes: Changes,
    ) -> Self {
        let editor = JsonEditor::new(document);
        let (parents, known, taken) = (None, HashMap::new(), Vec::new());
        let (waiting, numbers) = (Vec::new(), HashMap::new());
        let comments = Cell::new(0);
        JsonEdit { document, schema, found, editor, parents, known, waiting, numbers, taken, changes, comments }
    }

    /// Returns a note about comments that are left out.
    pub fn note(&self) -> Option<String> {
        let name = self.document.source().name();
        let comments = self.comments.get();
        (comments > 0)
            .then(|| format!("`{name}` is JSON, which has no comments: {} left out", count(comments, "comment")))
    }

    /// Returns the property of a name; a body may be an array of objects.
    pub fn property(&mut self, node: Node<'d>, name: &str) -> Option<Property<'d>> {
        children_or_self(node).into_iter().find_map(|object| self.known_properties(object).get(name).copied())
    }

    /// Returns the properties of an object by their names.
    fn known_properties(&mut self, object: Node<'d>) -> &HashMap<String, Property<'d>> {
        self.known.entry(object.id()).or_insert_with(|| {
            let properties = object.as_object().into_iter().flat_map(|object| object.properties());
            properties.map(|property| (property.name().into_owned(), property)).collect()
        })
    }

    /// Returns true if another property of the same object has a name.
    fn is_beside(&mut self, property: Property<'d>, name: &str) -> bool {
        let object = self.parent(property.value());
        object.is_some_and(|object| self.property(object, name).is_some())
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

    /// Returns the single target of an address, which comes from an argument or its first steps.
    pub fn only(&self, argument: &AddressArgument, address: &Address) -> Result<Target<'d>, Refusal> {
        let subject = Subject::Json(self.document, self.schema, None);
        only_of(subject, self.document.source(), argument, address)
    }

    /// Returns the JSON of a value in HCL at a path of names.
    ///
    /// # Errors
    /// A message, if it cannot be written in JSON.
    pub fn value(&self, path: &[String], hcl: &str) -> Result<String, Error> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let blocks = self.schema.blocks_on_path(&path);
        let named: usize = blocks.iter().map(|(_, labels)| 1 + labels.len()).sum();
        let name = path.get(named).copied().filter(|name| is_identifier(name)).unwrap_or("value");
        let members = self.members_of(&blocks, &format!("{name} = {hcl}"))?;
        members.into_iter().next().map(|member| member.json).ok_or_else(|| "there is no value".into())
    }

    /// Returns the properties for attributes and blocks in HCL, for the body at a path of names.
    ///
    /// # Errors
    /// A message, if they cannot be written in JSON.
    pub fn members(&self, path: &[String], hcl: &str) -> Result<Vec<Member>, Error> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.members_of(&self.schema.blocks_on_path(&path), hcl)
    }

    /// Returns the source in native syntax of a property in the body at a path of names.
    ///
    /// # Errors
    /// A message, if it cannot be written in native syntax.
    pub fn native(&self, member: &Member, path: &[String]) -> Result<String, Error> {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let blocks = self.schema.blocks_on_path(&[&names[..], &[member.name.as_str()]].concat());
        // The last one may be the property itself, if it has no labels.
        let around = blocks.iter().scan(0, |named, (_, labels)| {
            *named += 1 + labels.len();
            (*named <= names.len()).then_some(())
        });
        let around = around.count();
        let json = nested(names.iter().copied(), format!("{{\n  {}\n}}", member.text().replace('\n', "\n  ")));
        let document = parse::<Document>(json.as_str()).into_result().map_err(first_of)?;
        let strings = strings_of(self.document.root());
        let options = ConversionOptions::new().with_schema(self.schema).with_strings(strings);
        let text = to_native(&document, &options).into_result().map_err(first_of)?.text;
        let file = parse::<File>(text).into_result().map_err(first_of)?;
        let mut body = Some(file.body());
        for _ in 0..around {
            body = body.and_then(|body| body.blocks().next()).map(|block| block.body());
        }
        let items = body.into_iter().flat_map(|body| body.items()).filter_map(|item| match item {
            BodyItem::Attribute(attribute) => Some(Item::Attribute(attribute)),
            BodyItem::Block(block) => Some(Item::Block(block)),
            _ => None,
        });
        let sources = ItemSources::new(&file);
        let texts: Result<Vec<String>, _> = items.map(|item| sources.of(item)).collect();
        texts.map(|sources| sources.join("\n")).map_err(|error| error.to_string().into())
    }

    fn members_of(&self, blocks: &[(&str, Vec<&str>)], hcl: &str) -> Result<Vec<Member>, Error> {
        let quoted = |label: &&str| hcl_lr::construct::NewExpression::from(*label).to_string();
        let mut text = String::new();
        for (block_type, labels) in blocks {
            let labels: Vec<String> = labels.iter().map(quoted).collect();
            text.push_str(&format!("{block_type} {} {{\n", labels.join(" ")));
        }
        let before = text.len();
        text.push_str(hcl);
        text.push_str(&"\n}".repeat(blocks.len()));
        text.push('\n');
        let file = parse::<File>(("new text", text.as_str())).into_result().map_err(first_of)?;
        let strings = strings_of(self.document.root());
        let options = ConversionOptions::new().with_schema(self.schema).with_strings(strings);
        let converted = to_json(&file, &options).into_result().map_err(first_of)?;
        self.comments.set(self.comments.get() + converted.comments_left_out);
        let document = parse::<Document>(converted.text.as_str()).into_result().map_err(first_of)?;
        // Through the blocks around the text.
        let mut node = Some(document.root());
        let mut body = Some(file.body());
        for (block_type, labels) in blocks {
            for name in [block_type].into_iter().chain(labels) {
                node = node.and_then(|node| property_of(node, name)).map(Property::value);
            }
            body = body.and_then(|body| body.blocks().next()).map(|block| block.body());
        }
        let (Some(node), Some(body)) = (node, body) else { return Err("the text has errors".into()) };
        if body.span().start() > before && body.items().len() == 0 {
            return Ok(Vec::new());
        }
        let objects = children_or_self(node).into_iter().filter_map(Node::as_object);
        let labels_of: HashMap<&str, usize> =
            body.blocks().map(|block| (block.block_type(), block.labels().len())).collect();
        let member = |property: Property<'_>| {
            let name = property.name().into_owned();
            let labels = labels_of.get(name.as_str()).copied();
            Member { name, labels, json: dedented(property.value()) }
        };
        Ok(objects.flat_map(|object| object.properties()).map(member).collect())
    }

    /// Returns the property to add to the body or object at a path of names, so that the missing names lead to a value
    /// in JSON. The schema says which of them are blocks.
    ///
    /// # Errors
    /// A message, if no name is missing.
    pub fn member(&self, path: &[String], missing: &[String], json: String) -> Result<Member, Error> {
        let [first, inner @ ..] = missing else { return Err("nothing is missing".into()) };
        let full_path: Vec<String> = path.iter().chain(missing).cloned().collect();
        let json = nested(inner.iter().map(String::as_str), json);
        let names: Vec<&str> = full_path.iter().map(String::as_str).collect();
        let mut named = 0;
        let blocks = self.schema.blocks_on_path(&names);
        let block = blocks.iter().find(|(_, labels)| {
            let is_first = named == path.len();
            named += 1 + labels.len();
            is_first
        });
        Ok(Member { name: first.clone(), labels: block.map(|(_, labels)| labels.len()), json })
    }

    /// Returns the JSON of the body of a block in HCL that has the type and the labels of another block.
    ///
    /// # Errors
    /// A message, if the text is anything else, or cannot be written in JSON.
    pub fn body_of_block(&self, path: &[String], block: &JsonBlock<'_>, hcl: &str) -> Result<String, Error> {
        let other = || Error::from("in JSON, a block can only be replaced by one of the same type and labels");
        let members = self.members(path, hcl)?;
        let [Member { name, labels: Some(_), json }] = &members[..] else { return Err(other()) };
        let document = parse::<Document>(json.as_str()).into_result().map_err(|_| other())?;
        let mut node = (*name == *block.block_type()).then_some(document.root());
        for label in block.labels() {
            node = node.and_then(|node| property_of(node, &label)).map(Property::value);
        }
        node.map(|node| node.text().to_owned()).ok_or_else(other)
    }

    /// Adds a property to an object. Blocks are collected first, and added to the existing ones at the end.
    ///
    /// # Errors
    /// A message, if the property is not JSON.
    pub fn add(&mut self, object: Node<'d>, position: JsonPosition<'d>, member: &Member) -> Result<(), Error> {
        let Some(labels) = member.labels else {
            self.editor.insert(object, position, Some(&member.name), &member.json);
            return Ok(());
        };
        let number = *self.numbers.entry((object.id(), member.name.clone())).or_insert_with(|| {
            self.waiting.push((object, position, NewBlocks::new(&member.name, labels)));
            self.waiting.len() - 1
        });
        self.waiting[number].2.take(&member.json)
    }

    /// Adds the collected blocks.
    ///
    /// # Errors
    /// A message, if they cannot be added.
    pub fn add_blocks(&mut self) -> Result<(), Error> {
        for (object, position, blocks) in std::mem::take(&mut self.waiting) {
            let json = blocks.json();
            match self.known_properties(object).get(blocks.name()).copied() {
                Some(old) => self.add_to(old.value(), &json, blocks.labels())?,
                None => drop(self.editor.insert(object, position, Some(blocks.name()), &json)),
            }
        }
        Ok(())
    }

    /// Adds blocks to those in a property.
    fn add_to(&mut self, old: Node<'d>, json: &str, labels: usize) -> Result<(), Error> {
        let new = parse::<Document>(json).into_result().map_err(first_of)?;
        let mut tasks = vec![(old, new.root(), labels)];
        while let Some((old, new, labels)) = tasks.pop() {
            match (old.kind(), new.kind()) {
                (NodeKind::Null, _) => drop(self.editor.set(old, new.text())),
                (NodeKind::Object(properties), NodeKind::Object(object)) if labels > 0 => {
                    let known: HashMap<_, _> =
                        properties.properties().map(|property| (property.name(), property.value())).collect();
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

/// Returns the attributes and blocks of a file in the JSON syntax in native syntax.
///
/// # Errors
/// A message, if the file cannot be read. `Err` within: its errors.
pub(super) fn native_of(
    context: &Context,
    path: &Path,
    paths: &[PathBuf],
) -> Result<Result<String, Diagnostics>, Error> {
    let text = text_from(context, path, paths)?;
    let name = hcl_lr::source::visible::path(path);
    let (document, diagnostics) = context.parse_options().parse::<Document>((name, text)).into_parts();
    if diagnostics.has_errors() {
        return Ok(Err(diagnostics));
    }
    let schema =
        FileLanguages::by_name(context).blocks(&Origin::Path(path.to_owned()), |name| has_property(&document, name));
    let options = ConversionOptions::new().with_schema(&schema).with_strings(strings_of(document.root()));
    Ok(to_native(&document, &options).into_result().map(|converted| converted.text))
}

/// Returns how strings are read in the file of a value: they are not templates in files with values for variables.
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

/// Returns the names of the steps of an address, without indexes.
pub(super) fn names(address: &Address) -> Vec<String> {
    let name = |step: &AddressStep| match step {
        AddressStep::Name(name) => Some(name.clone()),
        _ => None,
    };
    address.steps().iter().filter_map(name).collect()
}

/// Returns the value of a target, if it can be edited as a part of its container.
pub(super) fn value<'d>(target: &Target<'d>) -> Result<Node<'d>, Error> {
    match target.kind() {
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => Ok(property.value()),
        TargetKind::JsonElement(node) | TargetKind::JsonValue(node) => Ok(*node),
        TargetKind::JsonBlock(block) => Ok(block.body()),
        TargetKind::JsonBody(_) => Err(format!("{}: this is the whole file", target.place()).into()),
        _ => Err(format!("{}: expressions in strings of JSON cannot be changed by themselves", target.place()).into()),
    }
}

/// Returns the object or array of a target.
pub(super) fn container<'d>(target: &Target<'d>) -> Result<Node<'d>, Error> {
    let node = match target.kind() {
        TargetKind::JsonBody(node) => *node,
        _ => value(target)?,
    };
    // A body may be an array of objects.
    let is_body = matches!(target.kind(), TargetKind::JsonBody(_) | TargetKind::JsonBlock(_));
    let node = if is_body { children_or_self(node).into_iter().next_back().unwrap_or(node) } else { node };
    match node.kind() {
        NodeKind::Object(_) | NodeKind::Array(_) => Ok(node),
        _ => Err(format!("{}: this cannot contain attributes or blocks", target.place()).into()),
    }
}

/// Removes a target, and the labels and the type of a block unless other blocks share them.
pub(super) fn remove<'d>(editor: &mut JsonEditor<'d>, target: &Target<'d>) -> Result<(), Error> {
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

/// Renames a target to the last steps of an address. Returns false if the old name is shared by several blocks, or the
/// new name by another property: a property cannot change for only one block, or occur twice.
///
/// # Errors
/// A message, if the target has no name.
pub(super) fn rename<'d>(
    edit: &mut JsonEdit<'_, 'd>,
    target: &Target<'d>,
    steps: &[AddressStep],
) -> Result<bool, Error> {
    let properties: Vec<Property<'d>> = match target.kind() {
        TargetKind::JsonAttribute(property) | TargetKind::JsonEntry(property) => vec![*property],
        TargetKind::JsonBlock(block) => block.properties().collect(),
        _ => return Err(format!("{}: an element of a list has no name", place(target)).into()),
    };
    let renamed: Vec<(Property<'d>, &str)> = properties
        .into_iter()
        .zip(steps)
        .filter_map(|(property, step)| match step {
            AddressStep::Name(name) if property.name() != name.as_str() => Some((property, name.as_str())),
            _ => None,
        })
        .collect();
    if let TargetKind::JsonBlock(block) = target.kind()
        && renamed.iter().any(|(property, name)| !is_alone(*property, block) || edit.is_beside(*property, name))
    {
        return Ok(false);
    }
    for (property, name) in renamed {
        edit.editor.rename(property, name);
    }
    Ok(true)
}

/// Returns true if a property has one block in it.
pub(super) fn is_alone(property: Property<'_>, block: &JsonBlock<'_>) -> bool {
    let mut node = property.value();
    while node.id() != block.body().id() {
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
