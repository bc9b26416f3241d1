//! Edits of documents in the JSON syntax that are given in HCL.
//!
//! Each becomes edits of JSON, which [`JsonEditor`] makes and checks. A block is a body in a property for its type,
//! inside an object for each label. The property may contain other blocks, so it is not moved or renamed with one of
//! them: the body is removed with everything that becomes empty, and is added where blocks of its names are.
//!
//! Nodes of the templates in strings go to an editor of each template; its replacements are escaped for the string.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::converted::Conversion;
use super::members::{Member, NewBlocks, children_or_self, is_alone, read};
use super::{JsonEditor, JsonPosition};
use crate::address::JsonTemplates;
use crate::item::NewItem;
use crate::native::NativeEdits;
use crate::node::{Container, InsertionPoint, Item, Shape};
use crate::{EditError, ParseOptions};
use hcl_lr::construct::{NewExpression, NewTemplate};
use hcl_lr::convert::{ConversionSchema, JsonStrings};
use hcl_lr::internal::PlainJson;
use hcl_lr::json::{Document, Node, NodeKind, Property};
use hcl_lr::source::Replacement;
use hcl_lr::syntax::ast::{ExpressionNode, File, TemplateNode};

const NO_COMMENTS: EditError = EditError::Misplaced("JSON has no comments");
const WHOLE_FILE: EditError = EditError::Misplaced("this is the whole file");

/// Edits of a document in the JSON syntax.
#[derive(Clone, Debug)]
pub(crate) struct JsonEdits<'d> {
    document: &'d Document,
    pub schema: Cow<'d, ConversionSchema>,
    pub strings: JsonStrings,
    editor: JsonEditor<'d>,
    /// The objects and arrays of values, with the properties of those in objects.
    parents: Arc<HashMap<u32, (Node<'d>, Option<Property<'d>>)>>,
    /// The properties of objects, by their names.
    known: HashMap<u32, HashMap<String, Property<'d>>>,
    /// The blocks to add, by their object and type.
    waiting: Vec<(Node<'d>, JsonPosition<'d>, NewBlocks)>,
    numbers: HashMap<(u32, String), usize>,
    /// The blocks that get other names, by their bodies.
    renamed: BTreeMap<u32, Renamed<'d>>,
    /// The new expressions of values, for others around them.
    last: HashMap<u32, NewExpression>,
    templates: Option<&'d JsonTemplates>,
    /// The strings of the templates, by the addresses of their sources.
    owners: HashMap<usize, u32>,
    in_strings: BTreeMap<u32, NativeEdits<'d>>,
    /// The number of comments of new text that JSON cannot have.
    comments: usize,
}

/// The new names of a block.
#[derive(Clone, Debug)]
struct Renamed<'d> {
    block_type: Property<'d>,
    body: Node<'d>,
    name: Option<String>,
    labels: Option<Vec<String>>,
}

impl<'d> JsonEdits<'d> {
    pub fn new(document: &'d Document) -> Self {
        let (mut parents, mut waiting) = (HashMap::new(), vec![document.root()]);
        while let Some(parent) = waiting.pop() {
            for part in super::parts::parts(parent) {
                parents.insert(part.value.id(), (parent, part.property));
                waiting.push(part.value);
            }
        }
        JsonEdits {
            document,
            schema: Cow::Owned(ConversionSchema::new()),
            strings: JsonStrings::default(),
            editor: JsonEditor::new(document),
            parents: Arc::new(parents),
            known: HashMap::new(),
            waiting: Vec::new(),
            numbers: HashMap::new(),
            renamed: BTreeMap::new(),
            last: HashMap::new(),
            templates: None,
            owners: HashMap::new(),
            in_strings: BTreeMap::new(),
            comments: 0,
        }
    }

    pub fn set_options(&mut self, options: ParseOptions) {
        self.editor.options = options;
    }

    pub fn set_templates(&mut self, templates: &'d JsonTemplates) {
        self.templates = templates.are_of(self.document).then_some(templates);
    }

    fn conversion(&self) -> Conversion<'_> {
        Conversion { schema: &self.schema, strings: self.strings }
    }

    /// Returns the object or array that a value is in, and its property there.
    fn parent(&self, node: Node<'d>) -> Option<(Node<'d>, Option<Property<'d>>)> {
        self.parents.get(&node.id()).copied()
    }

    /// Returns the names of the properties that lead to a value.
    fn path(&self, node: Node<'d>) -> Vec<String> {
        let (mut names, mut node) = (Vec::new(), node);
        while let Some((parent, property)) = self.parent(node) {
            names.extend(property.map(|property| property.name().into_owned()));
            node = parent;
        }
        names.reverse();
        names
    }

    /// Returns the properties whose names are the type and the labels of a block.
    fn names_of(&self, block_type: Property<'d>, body: Node<'d>) -> Vec<Property<'d>> {
        let (mut properties, mut node) = (Vec::new(), body);
        while node.id() != block_type.value().id() {
            let Some((parent, property)) = self.parent(node) else { break };
            properties.extend(property);
            node = parent;
        }
        properties.push(block_type);
        properties.reverse();
        properties
    }

    /// Checks that nodes belong to this document.
    fn check(&self, nodes: &[Node<'d>]) -> Result<(), EditError> {
        if nodes.iter().all(|node| node.is_of(self.document)) { Ok(()) } else { Err(EditError::Elsewhere) }
    }

    /// Returns the editor of the template that a node in native syntax is in.
    fn in_string(&mut self, file: Option<File>) -> Result<&mut NativeEdits<'d>, EditError> {
        let (Some(templates), Some(file)) = (self.templates, file) else { return Err(EditError::Elsewhere) };
        let address = |file: &File| Arc::as_ptr(file.source()).addr();
        if self.owners.is_empty() {
            self.owners = templates.all().iter().map(|(id, file)| (address(file), *id)).collect();
        }
        let id = *self.owners.get(&address(&file)).ok_or(EditError::Elsewhere)?;
        let file = templates.all().get(&id).ok_or(EditError::Elsewhere)?;
        Ok(self.in_strings.entry(id).or_insert_with(|| NativeEdits::of_template(file)))
    }

    /// Returns the error of the last edit of JSON, if there is one.
    fn checked(&mut self) -> Result<(), EditError> {
        self.editor.problem.take().map_or(Ok(()), Err)
    }

    /// Returns the text of an expression in the place of an item.
    pub fn text_of(&self, item: Item<'d>, value: &NewExpression) -> Result<String, EditError> {
        let Item::JsonValue(node) = item else { return Ok(value.text()?) };
        self.check(&[node])?;
        Ok(self.conversion().value(&self.path(node), value.raw()?)?.0)
    }

    pub fn set(&mut self, item: Item<'d>, new: NewExpression) -> Result<(), EditError> {
        let node = match item {
            Item::JsonValue(node) => node,
            Item::JsonBlock(..) => return Err(EditError::Misplaced("a block has no value")),
            native => return self.in_string(native.file())?.set(native, new),
        };
        self.check(&[node])?;
        let (json, comments) = self.conversion().value(&self.path(node), new.raw()?)?;
        self.comments += comments;
        self.editor.set(node, &json);
        self.last.insert(node.id(), new);
        self.checked()
    }

    pub fn wrap(&mut self, item: Item<'d>, wrap: impl FnOnce(NewExpression) -> NewExpression) -> Result<(), EditError> {
        let node = match item {
            Item::JsonValue(node) => node,
            Item::JsonBlock(..) => return Err(EditError::Misplaced("a block has no value")),
            native => return self.in_string(native.file())?.wrap(native, wrap),
        };
        self.check(&[node])?;
        let inner = match self.last.get(&node.id()) {
            Some(last) => last.clone(),
            None => self.conversion().native_value(&self.path(node), node)?,
        };
        self.set(item, wrap(inner))
    }

    pub fn unwrap(&mut self, item: Item<'d>, inner: ExpressionNode<'d>) -> Result<(), EditError> {
        match item {
            Item::JsonValue(node) => {
                let file = inner.file();
                self.in_string(Some(file.clone()))?;
                let id = self.owners.get(&Arc::as_ptr(file.source()).addr()).copied();
                if id != Some(node.id()) {
                    return Err(EditError::Misplaced("the inner expression must be a part of the outer one"));
                }
                if self.in_strings.get(&node.id()).is_some_and(NativeEdits::is_empty) {
                    self.in_strings.remove(&node.id());
                }
                self.set(item, NewExpression::from(inner))
            }
            Item::JsonBlock(..) => Err(EditError::Misplaced("a block has no value")),
            native => self.in_string(native.file())?.unwrap(native, inner),
        }
    }

    /// Returns the new names of a block, for changing them.
    fn renamed(&mut self, block_type: Property<'d>, body: Node<'d>) -> Result<&mut Renamed<'d>, EditError> {
        self.check(&[block_type.value(), body])?;
        let new = || Renamed { block_type, body, name: None, labels: None };
        Ok(self.renamed.entry(body.id()).or_insert_with(new))
    }

    pub fn rename(&mut self, item: Item<'d>, name: &str) -> Result<(), EditError> {
        match item {
            Item::JsonValue(node) => {
                self.check(&[node])?;
                let (_, property) = self.parent(node).ok_or(WHOLE_FILE)?;
                let property = property.ok_or(EditError::Misplaced("an element of a list has no name"))?;
                self.editor.rename(property, name);
                self.checked()
            }
            Item::JsonBlock(block_type, body) => {
                self.renamed(block_type, body)?.name = Some(name.to_owned());
                Ok(())
            }
            native => self.in_string(native.file())?.rename(native, name),
        }
    }

    pub fn set_labels(&mut self, block: Item<'d>, labels: Vec<String>) -> Result<(), EditError> {
        let Item::JsonBlock(block_type, body) = block else {
            return Err(EditError::Misplaced("only blocks have labels"));
        };
        if self.names_of(block_type, body).len() != 1 + labels.len() {
            return Err(EditError::Misplaced("in JSON, the schema gives the number of labels, which cannot change"));
        }
        self.renamed(block_type, body)?.labels = Some(labels);
        Ok(())
    }

    /// Gives blocks their new names. A property is renamed if no other block is in it; otherwise, the block moves.
    fn settle_names(&mut self) -> Result<(), EditError> {
        let mut all = Vec::new();
        let mut counts: HashMap<(u32, Vec<String>), usize> = HashMap::new();
        for Renamed { block_type, body, name, labels } in std::mem::take(&mut self.renamed).into_values() {
            let properties = self.names_of(block_type, body);
            let mut names: Vec<String> = properties.iter().map(|property| property.name().into_owned()).collect();
            names[0] = name.unwrap_or_else(|| std::mem::take(&mut names[0]));
            names.splice(1.., labels.unwrap_or_else(|| names[1..].to_vec()));
            let (object, _) = self.parent(block_type.value()).ok_or(WHOLE_FILE)?;
            *counts.entry((object.id(), names.clone())).or_default() += 1;
            all.push((object, properties, body, names));
        }
        for (object, properties, body, names) in all {
            let changes: Vec<(Property<'d>, &String)> =
                properties.iter().copied().zip(&names).filter(|(property, name)| property.name() != **name).collect();
            let is_only = counts.get(&(object.id(), names.clone())) == Some(&1);
            let mut is_free = |property: Property<'d>, name: &str| {
                let object = self.parent(property.value()).map(|(object, _)| object);
                is_alone(property, body) && object.is_some_and(|object| self.property(object, name).is_none())
            };
            if changes.is_empty() {
                continue;
            }
            if is_only && changes.iter().all(|(property, name)| is_free(*property, name)) {
                for (property, name) in changes {
                    self.editor.rename(property, name);
                }
            } else {
                self.move_block(properties[0], body, &names, None)?;
            }
        }
        self.checked()
    }

    /// Returns the property of a name; a body may be an array of objects.
    fn property(&mut self, node: Node<'d>, name: &str) -> Option<Property<'d>> {
        children_or_self(node).into_iter().find_map(|object| self.known_properties(object).get(name).copied())
    }

    /// Returns the properties of an object by their names.
    fn known_properties(&mut self, object: Node<'d>) -> &HashMap<String, Property<'d>> {
        self.known.entry(object.id()).or_insert_with(|| {
            let properties = object.as_object().into_iter().flat_map(|object| object.properties());
            properties.map(|property| (property.name().into_owned(), property)).collect()
        })
    }

    /// Returns the object or array of a position, and the position in it.
    fn place(&self, position: InsertionPoint<'d>) -> Result<(Node<'d>, JsonPosition<'d>), EditError> {
        let of = |container: Container<'d>| match container {
            // The body of a file may be an array of objects.
            Container::JsonBody(node) => Ok(children_or_self(node).into_iter().next_back().unwrap_or(node)),
            Container::JsonValue(node) => Ok(node),
            _ => Err(EditError::Elsewhere),
        };
        // Beside a block is beside the property of its type.
        let beside = |item: Item<'d>| match item {
            Item::JsonValue(node) => Ok(node),
            Item::JsonBlock(block_type, _) => Ok(block_type.value()),
            _ => Err(EditError::Elsewhere),
        };
        let parent = |item: Item<'d>| {
            let node = beside(item)?;
            self.check(&[node])?;
            self.parent(node).map(|(container, _)| (container, node)).ok_or(WHOLE_FILE)
        };
        let (container, position) = match position {
            InsertionPoint::Start(container) => (of(container)?, JsonPosition::Start),
            InsertionPoint::End(container) => (of(container)?, JsonPosition::End),
            InsertionPoint::Before(item) => {
                parent(item).map(|(container, node)| (container, JsonPosition::Before(node)))?
            }
            InsertionPoint::After(item) => {
                parent(item).map(|(container, node)| (container, JsonPosition::After(node)))?
            }
        };
        self.check(&[container])?;
        match container.kind() {
            NodeKind::Object(_) | NodeKind::Array(_) => Ok((container, position)),
            _ => Err(EditError::Misplaced("this cannot contain attributes or blocks")),
        }
    }

    pub fn insert(&mut self, position: InsertionPoint<'d>, item: &NewItem) -> Result<(), EditError> {
        if let Some(file) = position.file() {
            return self.in_string(Some(file))?.insert(position, item);
        }
        let (container, at) = self.place(position)?;
        let (of_body, of_value) = match position {
            InsertionPoint::Start(container) | InsertionPoint::End(container) => {
                (matches!(container, Container::JsonBody(_)), matches!(container, Container::JsonValue(_)))
            }
            _ => (false, false),
        };
        let is_object = container.as_object().is_some();
        let fits = match item.shape() {
            Shape::Body => is_object && !of_value,
            Shape::Object => is_object && !of_body,
            Shape::Tuple => !is_object && !of_body,
        };
        if !fits {
            return Err(EditError::misplaced());
        }
        self.comments += item.comments();
        if let Some(member) = item.json_member(self.strings) {
            return self.add(container, at, member);
        }
        let (path, text) = (self.path(container), item.hcl()?);
        let (open, close) = match item.shape() {
            Shape::Body => {
                let (members, comments) = self.conversion().members(&path, text)?;
                self.comments += comments;
                return members.iter().try_for_each(|member| self.add(container, at, member));
            }
            Shape::Object => ('{', '}'),
            Shape::Tuple => ('[', ']'),
        };
        let (json, comments) = self.conversion().value(&path, &format!("{open}\n{text}\n{close}"))?;
        self.comments += comments;
        for part in super::parts::parts(read(&json)?.root()) {
            let name = part.property.map(|property| property.name().into_owned());
            self.editor.insert(container, at, name.as_deref(), part.value.text());
        }
        self.checked()
    }

    /// Adds a property to an object. Blocks are collected first, and added to the existing ones at the end.
    fn add(&mut self, object: Node<'d>, position: JsonPosition<'d>, member: &Member) -> Result<(), EditError> {
        let Some(labels) = member.labels else {
            self.editor.insert(object, position, Some(&member.name), &member.json);
            return self.checked();
        };
        let number = *self.numbers.entry((object.id(), member.name.clone())).or_insert_with(|| {
            self.waiting.push((object, position, NewBlocks::new(&member.name, labels)));
            self.waiting.len() - 1
        });
        self.waiting[number].2.take(&member.json)
    }

    /// Adds the collected blocks.
    fn add_blocks(&mut self) -> Result<(), EditError> {
        for (object, position, blocks) in std::mem::take(&mut self.waiting) {
            let json = blocks.json();
            match self.known_properties(object).get(blocks.name()).copied() {
                Some(old) => self.add_to(old.value(), &json, blocks.labels())?,
                None => drop(self.editor.insert(object, position, Some(blocks.name()), &json)),
            }
        }
        self.checked()
    }

    /// Adds blocks to those in a property.
    fn add_to(&mut self, old: Node<'d>, json: &str, labels: usize) -> Result<(), EditError> {
        let new = read(json)?;
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

    pub fn remove(&mut self, item: Item<'d>) -> Result<(), EditError> {
        match item {
            Item::JsonValue(node) => drop(self.editor.remove(node)),
            Item::JsonBlock(block_type, body) => drop(self.editor.remove_up_to(body, block_type.value())),
            native => return self.in_string(native.file())?.remove(native),
        }
        self.checked()
    }

    pub fn replace(&mut self, item: Item<'d>, new: &NewItem) -> Result<(), EditError> {
        let Item::JsonBlock(block_type, body) = item else {
            self.insert(InsertionPoint::Before(item), new)?;
            return self.remove(item);
        };
        self.check(&[block_type.value(), body])?;
        let names: Vec<String> =
            self.names_of(block_type, body).iter().map(|property| property.name().into_owned()).collect();
        let mut path = self.path(body);
        path.truncate(path.len().saturating_sub(names.len()));
        let (json, comments) = self.conversion().body_of_block(&path, &names, new.hcl()?)?;
        self.comments += new.comments() + comments;
        self.editor.set(body, &json);
        self.checked()
    }

    pub fn move_to(
        &mut self,
        item: Item<'d>,
        position: InsertionPoint<'d>,
        name: Option<&str>,
    ) -> Result<(), EditError> {
        let place = |edits: &Self| edits.place(position);
        match item {
            Item::JsonValue(node) => {
                self.check(&[node])?;
                let (container, at) = place(self)?;
                let (_, property) = self.parent(node).ok_or(WHOLE_FILE)?;
                let old = property.map(|property| property.name().into_owned());
                let name = name.or(old.as_deref()).filter(|_| container.as_object().is_some());
                self.editor.move_to(node, container, at, name);
                self.checked()
            }
            Item::JsonBlock(block_type, body) => {
                self.check(&[block_type.value(), body])?;
                let place = place(self)?;
                let mut names: Vec<String> =
                    self.names_of(block_type, body).iter().map(|property| property.name().into_owned()).collect();
                if let Some(name) = name {
                    name.clone_into(&mut names[0]);
                }
                self.move_block(block_type, body, &names, Some(place))
            }
            native => self.in_string(native.file())?.move_to(native, position, name),
        }
    }

    /// Moves a block to a place, or changes its type and labels in place.
    fn move_block(
        &mut self,
        block_type: Property<'d>,
        body: Node<'d>,
        names: &[String],
        new_place: Option<(Node<'d>, JsonPosition<'d>)>,
    ) -> Result<(), EditError> {
        let (current, _) = self.parent(block_type.value()).ok_or(WHOLE_FILE)?;
        let (container, position) = new_place.unwrap_or((current, JsonPosition::End));
        let (moved, within) = (body.span(), container.span());
        if moved.start() <= within.start() && within.end() <= moved.end() {
            return Err(EditError::Misplaced("a block cannot be moved into itself"));
        }
        // Other blocks of its type share the property and would move, too.
        if !matches!(position, JsonPosition::End)
            && (container.id() == current.id() || self.property(container, &names[0]).is_some())
        {
            let old = self.names_of(block_type, body);
            if !old.iter().map(|property| property.name()).eq(names.iter().map(String::as_str)) {
                return Err(EditError::Misplaced("rename it first, and then move it"));
            }
            if container.id() != current.id() || !is_alone(block_type, body) {
                return Err(EditError::Misplaced(
                    "in JSON, all blocks of a type are in one property, and only move together",
                ));
            }
            self.editor.move_to(block_type.value(), container, position, Some(&names[0]));
            return self.checked();
        }
        let source = self.editor.source_of(body)?;
        let member = Member::of_block(names, source).ok_or(WHOLE_FILE)?;
        self.editor.remove_up_to(body, block_type.value());
        self.add(container, position, &member)
    }

    pub fn splice(
        &mut self,
        template: TemplateNode<'d>,
        range: Range<usize>,
        new: NewTemplate,
    ) -> Result<(), EditError> {
        self.in_string(Some(template.file()))?.splice(template, range, new)
    }

    pub fn set_comment(&mut self, item: Item<'d>, text: Option<&str>) -> Result<(), EditError> {
        match item {
            Item::JsonValue(_) | Item::JsonBlock(..) => Err(NO_COMMENTS),
            native => self.in_string(native.file())?.set_comment(native, text),
        }
    }

    pub fn set_trailing_comment(&mut self, item: Item<'d>, text: Option<&str>) -> Result<(), EditError> {
        match item {
            Item::JsonValue(_) | Item::JsonBlock(..) => Err(NO_COMMENTS),
            native => self.in_string(native.file())?.set_trailing_comment(native, text),
        }
    }

    pub fn copy_of(&self, item: Item<'d>) -> Result<NewItem, EditError> {
        let (member, path) = match item {
            Item::JsonBlock(block_type, body) => {
                self.check(&[block_type.value(), body])?;
                let names = self.names_of(block_type, body);
                let names: Vec<String> = names.iter().map(|property| property.name().into_owned()).collect();
                let mut path = self.path(body);
                path.truncate(path.len().saturating_sub(names.len()));
                (Member::of_block(&names, self.editor.source_of(body)?), path)
            }
            Item::JsonValue(node) => {
                self.check(&[node])?;
                let mut path = self.path(node);
                let json = self.editor.source_of(node)?;
                let property = self.parent(node).and_then(|(_, property)| property);
                let name = property.and_then(|_| path.pop());
                (name.map(|name| Member { name, labels: None, json }), path)
            }
            _ => return Err(EditError::Elsewhere),
        };
        let member = member.ok_or(EditError::Misplaced("an element of a list has no name"))?;
        let native = self.conversion().native(&member, &path);
        Ok(NewItem::of_json(native, member, self.strings))
    }

    /// Applies all edits. Returns the new document, the replacements, and the number of comments that are left out.
    pub fn finish(mut self) -> Result<(Document, Vec<Replacement>, usize), EditError> {
        self.settle_names()?;
        self.add_blocks()?;
        for (id, edits) in std::mem::take(&mut self.in_strings) {
            let Some(node) = self.document.node(id) else { continue };
            let Some(string) = node.as_string() else { continue };
            let (file, replacements) = edits.finish()?;
            let offsets = string.offsets();
            let escaped = |replacement: &Replacement| {
                let text = PlainJson(replacement.text()).to_string();
                Replacement::new(offsets.span(replacement.span()), text[1..text.len() - 1].to_owned())
            };
            let replacements = replacements.iter().map(escaped).collect();
            self.editor.edit_string(node, replacements, file.source().text())?;
        }
        let (document, replacements) = self.editor.finish_with_replacements()?;
        Ok((document, replacements, self.comments))
    }
}
