//! Edits of documents in the JSON syntax that leave everything else unchanged.
//!
//! 1. Edits are collected by node.
//! 2. Each container that gains or loses parts is rewritten between the kept parts: in `{"a": 1, "b": 2}`, removing
//!    `a` deletes `"a": 1, `.
//! 3. The result is parsed, and its tree is compared with the requested one.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

mod converted;
pub(crate) mod hcl;
mod layout;
pub(crate) mod members;
mod parts;

use super::EditError;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::PlainJson;
use hcl_lr::internal::sort_by_key;
use hcl_lr::json::{Document, Node, NodeKind, Property};
use hcl_lr::source::{Place, Replacement, Source, Span};
use layout::{Layout, indented, to_the_left};
use members::read;
use parts::{Entry, Event, Inserted, New, Part, parts};

/// Edits of a document in the JSON syntax.
///
/// Values are JSON texts. [`finish`](JsonEditor::finish) reports edits that cannot be written or that conflict with
/// each other, and nodes of another document: see [`EditError::Elsewhere`].
///
/// ```
/// use hcl_lr_edit::{JsonEditor, JsonPosition};
/// use hcl_lr::json::Document;
///
/// let document = hcl_lr::parse::<Document>("{\n  \"port\": 80,\n  \"zones\": [\"a\"]\n}\n").into_result()?;
/// let root = document.root();
/// let mut properties = root.as_object().expect("an object").properties().map(|property| property.value());
/// let (port, zones) = (properties.next().expect("port"), properties.next().expect("zones"));
/// let mut editor = JsonEditor::new(&document);
/// editor.set(port, "8080");
/// editor.insert(root, JsonPosition::After(port), Some("host"), "\"a\"");
/// editor.insert(zones, JsonPosition::End, None, "\"b\"");
/// let expected = "{\n  \"port\": 8080,\n  \"host\": \"a\",\n  \"zones\": [\"a\", \"b\"]\n}\n";
/// assert_eq!(editor.finish()?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JsonEditor<'d> {
    document: &'d Document,
    options: ParseOptions,
    layout: Layout<'d>,
    /// The removed values, each with the outermost container to remove if this leaves it empty.
    removed: BTreeMap<u32, Node<'d>>,
    values: BTreeMap<u32, New>,
    /// The texts of the elements to add to values, which become arrays.
    extended: BTreeMap<u32, (Node<'d>, Vec<String>)>,
    /// The new names of properties, by their values.
    names: BTreeMap<u32, String>,
    inserted: BTreeMap<u32, Inserted>,
    /// The replacements in strings, and the texts of the strings after them.
    strings: BTreeMap<u32, (Vec<Replacement>, String)>,
    problem: Option<EditError>,
}

/// The position for an insertion in an object or array.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum JsonPosition<'d> {
    /// Before all parts.
    Start,
    /// After all parts.
    End,
    /// Right before the part with this value.
    Before(Node<'d>),
    /// Right after the part with this value.
    After(Node<'d>),
}

impl<'d> JsonEditor<'d> {
    /// Creates an editor without edits.
    pub fn new(document: &'d Document) -> Self {
        JsonEditor {
            document,
            options: ParseOptions::default(),
            layout: Layout::of(document),
            removed: BTreeMap::new(),
            values: BTreeMap::new(),
            extended: BTreeMap::new(),
            names: BTreeMap::new(),
            inserted: BTreeMap::new(),
            strings: BTreeMap::new(),
            problem: None,
        }
    }

    /// Returns true if the nodes belong to this document. Otherwise records the error.
    fn owns(&mut self, nodes: &[Node<'d>]) -> bool {
        let owns = nodes.iter().all(|node| node.is_of(self.document));
        if !owns {
            self.problem.get_or_insert(EditError::Elsewhere);
        }
        owns
    }

    fn owns_place(&mut self, container: Node<'d>, position: JsonPosition<'d>) -> bool {
        match position {
            JsonPosition::Start | JsonPosition::End => self.owns(&[container]),
            JsonPosition::Before(node) | JsonPosition::After(node) => self.owns(&[container, node]),
        }
    }

    fn fresh(&mut self, name: Option<&str>, json: &str) -> Option<New> {
        let json = json.trim();
        match read(json) {
            Ok(document) => Some(New {
                name: name.map(str::to_owned),
                text: json.replace("\r\n", "\n"),
                indent: String::new(),
                is_moved: false,
                events: JsonEditor::new(&document).events(),
            }),
            Err(problem) => {
                self.problem.get_or_insert(problem);
                None
            }
        }
    }

    /// Returns the text of a value without the indentation of its place, for insertion into this or another document.
    ///
    /// ```
    /// use hcl_lr_edit::JsonEditor;
    /// use hcl_lr::json::Document;
    ///
    /// let text = "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n";
    /// let document = hcl_lr::parse::<Document>(text).into_result()?;
    /// let a = document.root().as_object().expect("an object").properties().next().expect("a").value();
    /// assert_eq!(JsonEditor::new(&document).source_of(a)?, "{\n  \"b\": 1\n}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the value belongs to another document.
    pub fn source_of(&self, value: Node<'d>) -> Result<String, EditError> {
        if value.is_of(self.document) { Ok(self.layout.canonical(value)) } else { Err(EditError::Elsewhere) }
    }

    /// Replaces a value.
    pub fn set(&mut self, value: Node<'d>, json: &str) -> &mut Self {
        if self.owns(&[value])
            && let Some(new) = self.fresh(None, &to_the_left(json))
        {
            self.values.insert(value.id(), new);
        }
        self
    }

    /// Renames a property.
    pub fn rename(&mut self, property: Property<'d>, name: &str) -> &mut Self {
        if self.owns(&[property.value()]) {
            self.names.insert(property.value().id(), name.to_owned());
        }
        self
    }

    /// Removes a value, with the name of its property.
    ///
    /// ```
    /// use hcl_lr_edit::JsonEditor;
    /// use hcl_lr::json::Document;
    ///
    /// let document = hcl_lr::parse::<Document>("[1, 2, 3]").into_result()?;
    /// let second = document.root().as_array().expect("an array").elements().nth(1).expect("2");
    /// let mut editor = JsonEditor::new(&document);
    /// editor.remove(second);
    /// assert_eq!(editor.finish()?, "[1, 3]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, value: Node<'d>) -> &mut Self {
        self.remove_up_to(value, value)
    }

    /// Removes a value, and each container that this leaves empty, up to `outermost`. Removing the body of a block
    /// also removes its labels and its type, unless they contain other blocks.
    ///
    /// ```
    /// use hcl_lr_edit::JsonEditor;
    /// use hcl_lr::json::Document;
    ///
    /// let document = hcl_lr::parse::<Document>("{\"a\": 1, \"vm\": {\"x\": {}}}").into_result()?;
    /// let root = document.root();
    /// let vm = root.as_object().expect("an object").properties().last().expect("vm").value();
    /// let x = vm.as_object().expect("an object").properties().next().expect("x").value();
    /// let mut editor = JsonEditor::new(&document);
    /// editor.remove_up_to(x, vm);
    /// assert_eq!(editor.finish()?, "{\"a\": 1}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_up_to(&mut self, value: Node<'d>, outermost: Node<'d>) -> &mut Self {
        if self.owns(&[value, outermost]) {
            self.removed.insert(value.id(), outermost);
        }
        self
    }

    /// Turns a value into an array, with a second element after it.
    ///
    /// ```
    /// use hcl_lr_edit::JsonEditor;
    /// use hcl_lr::json::Document;
    ///
    /// let document = hcl_lr::parse::<Document>("{\"a\": {\"b\": 1}}").into_result()?;
    /// let a = document.root().as_object().expect("an object").properties().next().expect("a").value();
    /// let mut editor = JsonEditor::new(&document);
    /// editor.extend(a, "2");
    /// assert_eq!(editor.finish()?, "{\"a\": [{\"b\": 1}, 2]}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend(&mut self, value: Node<'d>, json: &str) -> &mut Self {
        if self.owns(&[value]) {
            let (_, elements) = self.extended.entry(value.id()).or_insert_with(|| (value, Vec::new()));
            elements.push(indented(&to_the_left(json)));
        }
        self
    }

    /// Turns the extended values into arrays.
    fn extend_all(&mut self) {
        for (id, (value, elements)) in std::mem::take(&mut self.extended) {
            let text = self.values.get(&id).map_or_else(|| self.layout.canonical(value), |new| new.text.clone());
            self.set(value, &format!("[\n{},\n{}\n]", indented(&text), elements.join(",\n")));
        }
    }

    /// Inserts a new part into an object or array. In an object, it needs a name.
    pub fn insert(
        &mut self,
        container: Node<'d>,
        position: JsonPosition<'d>,
        name: Option<&str>,
        json: &str,
    ) -> &mut Self {
        if self.owns_place(container, position)
            && let Some(new) = self.fresh(name, &to_the_left(json))
        {
            self.add(container, position, new);
        }
        self
    }

    /// Moves a value to another place. In an object, it needs a name.
    pub fn move_to(
        &mut self,
        value: Node<'d>,
        container: Node<'d>,
        position: JsonPosition<'d>,
        name: Option<&str>,
    ) -> &mut Self {
        if self.owns(&[value])
            && self.owns_place(container, position)
            && let Some(new) = self.fresh(name, value.text())
        {
            let indent = self.layout.indent(value).to_owned();
            self.add(container, position, New { indent, is_moved: true, ..new });
        }
        self.remove(value)
    }

    fn add(&mut self, container: Node<'d>, position: JsonPosition<'d>, new: New) {
        let fits = match container.kind() {
            NodeKind::Object(_) => new.name.is_some(),
            NodeKind::Array(_) => new.name.is_none(),
            _ => false,
        };
        if fits {
            let inserted = self.inserted.entry(container.id()).or_default();
            match position {
                JsonPosition::Start => inserted.start.push(new),
                JsonPosition::End => inserted.end.push(new),
                JsonPosition::Before(node) => inserted.before.entry(node.id()).or_default().push(new),
                JsonPosition::After(node) => inserted.after.entry(node.id()).or_default().push(new),
            }
        } else {
            let why = "in JSON, properties belong in objects, and elements in arrays";
            self.problem.get_or_insert(EditError::Misplaced(why));
        }
    }

    /// Replaces parts of a string.
    ///
    /// # Errors
    /// If the result does not have the requested text.
    fn edit_string(&mut self, string: Node<'d>, replacements: Vec<Replacement>, text: &str) -> Result<(), EditError> {
        let start = string.span().start();
        let within = |replacement: &Replacement| {
            let span = replacement.span();
            let span = Span::new(span.start() - start, span.end() - start);
            Replacement::new(span, replacement.text().to_owned())
        };
        let inner: Vec<Replacement> = replacements.iter().map(within).collect();
        let raw = Replacement::apply(&inner, string.text()).map_err(|_| EditError::Conflict(string.span()))?;
        let is_same = read(&raw)?.root().as_string().is_some_and(|string| string.text() == text);
        if !is_same {
            return Err(EditError::NotAsAsked(string.span()));
        }
        self.strings.insert(string.id(), (replacements, raw));
        Ok(())
    }

    /// Applies all edits and returns the text.
    ///
    /// # Errors
    /// If they cannot be made, or would change something else. See [`EditError`].
    pub fn finish(self) -> Result<String, EditError> {
        self.finish_with_replacements().map(|(document, _)| document.source().text().to_owned())
    }

    /// Applies all edits, and returns the new document and the replacements.
    fn finish_with_replacements(mut self) -> Result<(Document, Vec<Replacement>), EditError> {
        self.extend_all();
        if let Some(problem) = self.problem.take() {
            return Err(problem);
        }
        let source = self.document.source();
        if !source.invalid_utf8().is_empty() {
            return Err(EditError::Unreadable);
        }
        self.remove_empty();
        let mut replacements = Vec::new();
        let mut waiting = vec![self.document.root()];
        let mut done = 0;
        while let Some(node) = waiting.pop() {
            if let Some(new) = self.values.get(&node.id()) {
                done += 1;
                replacements.push(Replacement::new(node.span(), self.layout.value(node, new)));
                continue;
            }
            if let Some((edits, _)) = self.strings.get(&node.id()) {
                done += 1;
                replacements.extend(edits.iter().cloned());
                continue;
            }
            let parts = parts(node);
            done += usize::from(self.inserted.contains_key(&node.id()));
            let concerns = |part: &Part<'_>| self.removed.contains_key(&part.value.id());
            if let Some(inserted) = self.inserted.get(&node.id()) {
                let known: HashSet<u32> = parts.iter().map(|part| part.value.id()).collect();
                if inserted.before.keys().chain(inserted.after.keys()).any(|id| !known.contains(id)) {
                    return Err(EditError::Misplaced(
                        "the part to insert before or after is not in this object or array",
                    ));
                }
            }
            if self.inserted.contains_key(&node.id()) || parts.iter().any(concerns) {
                self.check_names(node, &parts)?;
                self.layout.rewrite(node, &parts, &self.entries(node, &parts), &mut replacements)?;
            } else if parts.iter().any(|part| self.names.contains_key(&part.value.id())) {
                self.check_names(node, &parts)?;
            }
            for part in parts {
                if self.removed.contains_key(&part.value.id()) {
                    done += 1;
                    continue;
                }
                if let (Some(name), Some(property)) = (self.names.get(&part.value.id()), part.property) {
                    done += 1;
                    replacements.push(Replacement::new(property.name_span(), PlainJson(name).to_string()));
                }
                waiting.push(part.value);
            }
        }
        // The other edits are inside removed or replaced parts.
        let edits = self.values.len() + self.names.len() + self.inserted.len() + self.strings.len();
        if done < self.removed.len() + edits {
            return Err(EditError::Within(Span::default()));
        }
        sort_by_key(&mut replacements, Replacement::span);
        let text = Replacement::apply(&replacements, source.text());
        let text = text.map_err(|_| EditError::Conflict(Span::default()))?;
        let edited = self.options.parse::<Document>(Source::new(source.name(), text));
        if !edited.has_errors() && JsonEditor::new(edited.value()).events() == self.events() {
            return Ok((edited.into_value(), replacements));
        }
        let was_broken = self.options.parse::<Document>((**source).clone()).has_errors();
        Err(match was_broken {
            true => EditError::Broken(self.document.root().start_span()),
            false => EditError::NotAsAsked(Span::default()),
        })
    }

    /// Removes the containers that removals leave empty, up to the requested ones.
    fn remove_empty(&mut self) {
        // The containers of values, and the numbers of their parts.
        let mut parents: HashMap<u32, (Node<'d>, usize)> = HashMap::new();
        let mut waiting = vec![self.document.root()];
        while let Some(node) = waiting.pop() {
            let parts = parts(node);
            for part in &parts {
                parents.insert(part.value.id(), (node, parts.len()));
                waiting.push(part.value);
            }
        }
        // The numbers of removed parts of each container, and true if the container is removed with the last of them.
        let mut gone: HashMap<u32, (usize, bool)> = HashMap::new();
        let mut pending: Vec<(u32, Node<'d>)> = self.removed.iter().map(|(id, outermost)| (*id, *outermost)).collect();
        while let Some((id, outermost)) = pending.pop() {
            let Some((parent, all)) = parents.get(&id) else { continue };
            let (count, goes) = gone.entry(parent.id()).or_insert((0, !self.inserted.contains_key(&parent.id())));
            *count += 1;
            *goes &= id > outermost.id();
            if *goes && count == all {
                for part in parts(*parent) {
                    self.removed.remove(&part.value.id());
                }
                if self.removed.insert(parent.id(), outermost).is_none() {
                    pending.push((parent.id(), outermost));
                }
            }
        }
    }

    /// Returns the parts of a container after the edits.
    fn entries<'e>(&'e self, node: Node<'d>, parts: &[Part<'d>]) -> Vec<Entry<'e, 'd>> {
        let kept = |(index, part): (usize, &Part<'d>)| match self.removed.contains_key(&part.value.id()) {
            true => Entry::Removed,
            false => Entry::Kept(index, *part),
        };
        let Some(inserted) = self.inserted.get(&node.id()) else {
            return parts.iter().enumerate().map(kept).collect();
        };
        let mut entries: Vec<Entry<'e, 'd>> = inserted.start.iter().map(Entry::New).collect();
        for (index, part) in parts.iter().enumerate() {
            let id = part.value.id();
            entries.extend(inserted.before.get(&id).into_iter().flatten().map(Entry::New));
            entries.push(kept((index, part)));
            entries.extend(inserted.after.get(&id).into_iter().flatten().map(Entry::New));
        }
        entries.extend(inserted.end.iter().map(Entry::New));
        entries
    }

    /// Checks that no property gets a name that is taken.
    fn check_names(&self, node: Node<'d>, parts: &[Part<'d>]) -> Result<(), EditError> {
        // The names, each with its place and whether it is new.
        let mut known: HashMap<String, (Option<Span>, bool)> = HashMap::new();
        let source = self.document.source();
        for entry in self.entries(node, parts) {
            let (name, span, is_new) = match entry {
                Entry::Kept(_, Part { property: Some(property), value }) => {
                    let new = self.names.get(&value.id());
                    let name = new.cloned().unwrap_or_else(|| property.name().into_owned());
                    (name, Some(property.name_span()), new.is_some())
                }
                Entry::New(New { name: Some(name), .. }) => (name.clone(), None, true),
                _ => continue,
            };
            let Some((other, was_new)) = known.insert(name.clone(), (span, is_new)) else { continue };
            // These edits did not introduce a name that occurred twice before.
            if was_new || is_new {
                // The property that already has the name.
                let place = if was_new && !is_new { span } else { other };
                let place = place.or(other).or(span).unwrap_or(node.start_span());
                let error = Diagnostic::error(
                    Code::DuplicateKey,
                    Place::new(source, place),
                    format!("there is already a property `{name}`"),
                );
                let error = error.with_summary("the name is taken").with_help("rename or remove one of the two first");
                return Err(EditError::NameTaken(Box::new(error)));
            }
        }
        Ok(())
    }

    /// Returns the meaning of the document after the edits.
    fn events(&self) -> Vec<Event> {
        enum Task<'e, 'd> {
            Value(Node<'d>),
            Entry(Entry<'e, 'd>),
            Close,
        }
        let mut events = Vec::new();
        let mut tasks = vec![Task::Value(self.document.root())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => events.push(Event::Close),
                Task::Entry(Entry::Removed) => {}
                Task::Entry(Entry::New(new)) => {
                    events.extend(new.name.clone().map(Event::Name));
                    events.extend(new.events.iter().cloned());
                }
                Task::Entry(Entry::Kept(_, part)) => {
                    let name = part.property.map(|property| match self.names.get(&part.value.id()) {
                        Some(name) => Cow::Borrowed(name.as_str()),
                        None => property.name(),
                    });
                    events.extend(name.map(|name| Event::Name(name.into_owned())));
                    tasks.push(Task::Value(part.value));
                }
                Task::Value(node) => match (self.values.get(&node.id()), node.kind()) {
                    (Some(new), _) => events.extend(new.events.iter().cloned()),
                    (None, NodeKind::String(_)) => {
                        let text = self.strings.get(&node.id()).map_or(node.text(), |(_, text)| text);
                        events.push(Event::Scalar(text.to_owned()));
                    }
                    (None, NodeKind::Object(_) | NodeKind::Array(_)) => {
                        events.push(Event::Open(if node.as_array().is_some() { '[' } else { '{' }));
                        tasks.push(Task::Close);
                        let entries = self.entries(node, &parts(node));
                        tasks.extend(entries.into_iter().rev().map(Task::Entry));
                    }
                    (None, _) => events.push(Event::Scalar(node.text().to_owned())),
                },
            }
        }
        events
    }
}
