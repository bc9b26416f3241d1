//! The records that files of a language consist of.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::names::{Names, pascal};
use hcl_lr::internal::work;
use hcl_lr::model::{Number, Value};
use hcl_lr::stack;
use hcl_lr_language::internal::{Id, Node, SchemaIndex};
use hcl_lr_language::schema::model::{Attribute, Block, Deprecated, Files, Form, ObjectType, Range, Type};

/// The shapes that all fields may have together. Beyond them everything is any value: types can have names, so that a
/// short schema can have very many.
const MAX_SHAPES: usize = 50_000;

/// The longest end of a name, in bytes, by which a type of words is found again.
const MAX_NAME: usize = 64;

/// The levels of types within types.
const MAX_DEPTH: usize = 64;

/// All types of a language.
pub(crate) struct Plan<'i> {
    pub index: &'i SchemaIndex,
    pub records: Vec<Record>,
    pub words: Vec<Words>,
    /// The shape of a file.
    pub root: Shape,
    /// The name of the type of a file.
    pub file: String,
}

/// A body or an object.
pub(crate) struct Record {
    pub name: String,
    pub description: Option<String>,
    /// The labels of blocks that have this body.
    pub labels: Vec<LabelField>,
    pub fields: Vec<Field>,
    /// The type of properties that no field has; `None` if they are unknown.
    pub others: Option<Kind>,
}

pub(crate) struct LabelField {
    pub name: String,
    pub description: Option<String>,
    /// True if it may be left out, or if there may be several.
    pub loose: bool,
}

pub(crate) struct Field {
    /// The name in the file.
    pub name: String,
    pub kind: Kind,
    pub required: bool,
    pub default: Option<Value>,
    /// The description, and notes.
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Kind {
    Value(Shape),
    Blocks(Blocks),
}

/// Blocks of a type.
#[derive(Clone, PartialEq)]
pub(crate) struct Blocks {
    /// Their contents.
    pub shape: Shape,
    /// The number of labels. One that a block lacks is empty in decoded files.
    pub labels: usize,
    /// True if any number of labels may follow.
    pub repeated: bool,
    /// True if there is at most one, and it has no labels.
    pub single: bool,
    /// True if they may be an attribute, too.
    pub either: bool,
}

impl Blocks {
    /// Returns the contents in decoded files. They are below an unknown number of levels if any number of labels may
    /// follow.
    pub fn decoded(&self) -> &Shape {
        if self.repeated { &Shape::Any } else { &self.shape }
    }
}

#[derive(Clone, PartialEq)]
pub(crate) enum Shape {
    Any,
    Text,
    Number,
    Integer(Range),
    Bool,
    List(Box<Shape>),
    Map(Box<Shape>),
    Tuple(Vec<Shape>),
    /// A record, and whether it may contain itself here.
    Record(usize, bool),
    /// One of several texts.
    Words(usize),
    /// An expression that is not evaluated.
    Expression,
    /// A type expression.
    Type,
    OneOf(Vec<Shape>),
}

/// An enumeration of texts.
pub(crate) struct Words {
    pub name: String,
    pub words: Vec<String>,
    /// True for bare words, which are not evaluated.
    pub bare: bool,
}

/// A body with the labels of its blocks, or an object type.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Body(Id, Vec<String>),
    /// The address of the type.
    Object(usize),
}

struct Planner<'i> {
    index: &'i SchemaIndex,
    records: Vec<Record>,
    words: Vec<Words>,
    known: HashMap<Key, usize>,
    /// The records under construction. A reference to one of them is recursive.
    open: Vec<usize>,
    names: Names,
    /// The indexes of word types, by their words and whether they are bare, and by the ends of their names.
    known_words: HashMap<(bool, Vec<String>), HashMap<String, usize>>,
    shapes: usize,
}

impl<'i> Plan<'i> {
    pub fn new(index: &'i SchemaIndex, files: &Files) -> Self {
        let mut planner = Planner {
            index,
            records: Vec::new(),
            words: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            names: Names::of_types(),
            known_words: HashMap::new(),
            shapes: 0,
        };
        let root = match index.part_id(&files.body) {
            Some(id) => {
                let description =
                    files.description.clone().or_else(|| index.schema().part(&files.body)?.description.clone());
                planner.body(id, &[], &files.body, "", description)
            }
            None => Shape::Map(Box::new(Shape::Any)),
        };
        let file = match &root {
            Shape::Record(number, _) => planner.records[*number].name.clone(),
            _ => planner.names.take(["File".to_owned(), "WholeFile".to_owned()]),
        };
        Plan { index, records: planner.records, words: planner.words, root, file }
    }

    pub fn record(&self, number: usize) -> &Record {
        &self.records[number]
    }
}

impl<'i> Planner<'i> {
    /// A record without contents yet, with a name that no other type has.
    fn begin(&mut self, key: Key, name: &str, within: &str) -> usize {
        let name = self.names.take([pascal(name), format!("{within}{}", pascal(name))]);
        let number = self.records.len();
        self.records.push(Record { name, description: None, labels: Vec::new(), fields: Vec::new(), others: None });
        self.known.insert(key, number);
        number
    }

    fn known(&self, key: &Key) -> Option<Shape> {
        self.known.get(key).map(|number| Shape::Record(*number, self.open.contains(number)))
    }

    /// The shape of a body: a record, or a map if only names that are not listed can be in it.
    fn body(&mut self, id: Id, block: &[LabelField], name: &str, within: &str, description: Option<String>) -> Shape {
        let key = Key::Body(id, block.iter().map(|label| label.name.clone()).collect());
        if let Some(shape) = self.known(&key) {
            return shape;
        }
        let node = self.index.node(id);
        let is_map = block.is_empty()
            && node.attributes().next().is_none()
            && node.blocks().next().is_none()
            && node.matches.is_empty();
        if let (true, Some(attribute), None) = (is_map, node.free_attribute(), node.free_block()) {
            return Shape::Map(Box::new(self.shape(&attribute.ty, name, within, 0, false)));
        }
        if is_map && node.is_open() {
            return Shape::Map(Box::new(Shape::Any));
        }
        let number = self.begin(key, name, within);
        let name = self.records[number].name.clone();
        self.open.push(number);
        let mut fields = Fields { list: Vec::new(), by_name: HashMap::new(), others: None };
        self.contents(id, &name, false, &mut fields, &mut Vec::new());
        self.open.pop();
        let labels = block.iter().map(|label| LabelField {
            name: label.name.clone(),
            description: label.description.clone(),
            loose: label.loose,
        });
        let record = &mut self.records[number];
        (record.description, record.labels) = (description, labels.collect());
        (record.fields, record.others) = (fields.list, fields.others);
        Shape::Record(number, self.open.contains(&number))
    }

    /// Adds the fields of a body, and those that depend on labels and attributes, which are optional.
    fn contents(&mut self, id: Id, name: &str, optional: bool, fields: &mut Fields, above: &mut Vec<Id>) {
        if above.contains(&id) {
            return;
        }
        above.push(id);
        let node = self.index.node(id);
        for attribute in node.attributes() {
            let field = self.attribute(attribute, name, optional);
            fields.add(field);
        }
        // A type of which no blocks are allowed is a reserved name.
        for (block, inner) in node.blocks().filter(|(block, _)| block.max != Some(0)) {
            if fields.by_name.contains_key(&block.name) {
                continue;
            }
            let blocks = self.blocks(block, *inner, &block.name, name);
            fields.add(Field {
                name: block.name.clone(),
                kind: Kind::Blocks(blocks),
                required: block.min > 0 && !optional,
                default: None,
                notes: notes(block.description.as_deref(), block.deprecated.as_ref()),
            });
        }
        if let Some(others) = self.others(node, name) {
            fields.others = match fields.others.take() {
                Some(before) if before != others => Some(Kind::Value(Shape::Any)),
                _ => Some(others),
            };
        }
        for one in &node.matches {
            let mut cases: Vec<Id> = one.cases.values().copied().chain(one.otherwise).collect();
            cases.sort_unstable();
            cases.dedup();
            for case in cases {
                stack::with_room(|| self.contents(case, name, true, fields, above));
            }
        }
    }

    fn others(&mut self, node: &'i Node, name: &str) -> Option<Kind> {
        match (node.free_attribute(), node.free_block()) {
            (None, None) => None,
            (Some(attribute), None) => Some(Kind::Value(self.shape(&attribute.ty, "other", name, 0, false))),
            (None, Some((block, inner))) => Some(Kind::Blocks(self.blocks(block, *inner, "other", name))),
            (Some(_), Some(_)) => Some(Kind::Value(Shape::Any)),
        }
    }

    fn attribute(&mut self, attribute: &Arc<Attribute>, within: &str, optional: bool) -> Field {
        let shape = self.shape(&attribute.ty, &attribute.name, within, 0, true);
        Field {
            name: attribute.name.clone(),
            kind: Kind::Value(shape),
            required: attribute.required && !optional,
            default: attribute.default.clone().filter(|_| !optional),
            notes: notes(attribute.description.as_deref(), attribute.deprecated.as_ref()),
        }
    }

    fn blocks(&mut self, block: &Arc<Block>, inner: Id, name: &str, within: &str) -> Blocks {
        let labels: Vec<LabelField> = block
            .labels
            .iter()
            .map(|label| LabelField {
                name: label.name.clone(),
                description: label.description.clone(),
                loose: label.optional || label.repeated,
            })
            .collect();
        let single = block.max == Some(1) && labels.is_empty();
        let shape = stack::with_room(|| self.body(inner, &labels, name, within, block.description.clone()));
        let repeated = block.labels.last().is_some_and(|label| label.repeated);
        Blocks { shape, labels: labels.len(), repeated, single, either: block.form == Form::Either }
    }

    /// Returns the shape of a type. `direct` is true if no container that can be empty is around it.
    fn shape(&mut self, ty: &Type, name: &str, within: &str, depth: usize, direct: bool) -> Shape {
        self.shapes += 1;
        if self.shapes > MAX_SHAPES || depth > MAX_DEPTH {
            return Shape::Any;
        }
        let index = self.index;
        let inner = |planner: &mut Self, ty: &Type| {
            Box::new(stack::with_room(|| planner.shape(ty, name, within, depth + 1, false)))
        };
        match index.resolve(ty) {
            Type::String | Type::Format(_) | Type::Name(_) | Type::Catalog(_) => Shape::Text,
            Type::Number(_) => Shape::Number,
            Type::Integer(range) => Shape::Integer(range.clone()),
            Type::Bool => Shape::Bool,
            Type::Literal(value) => match (value.as_str(), value.as_number(), value.as_bool()) {
                (Some(_), ..) => Shape::Text,
                (_, Some(_), _) => Shape::Number,
                (.., Some(_)) => Shape::Bool,
                _ => Shape::Any,
            },
            Type::List(element) | Type::Set(element) => Shape::List(inner(self, element)),
            Type::Map(element) => Shape::Map(inner(self, element)),
            Type::Tuple(elements) => Shape::Tuple(elements.iter().map(|element| *inner(self, element)).collect()),
            Type::Object(object) => stack::with_room(|| self.object(object, name, within, depth, direct)),
            Type::Part(part) => match index.part_id(part) {
                Some(id) => {
                    let description = index.schema().part(part).and_then(|part| part.description.clone());
                    let shape = stack::with_room(|| self.body(id, &[], part, within, description));
                    if direct { shape } else { unboxed(shape) }
                }
                None => Shape::Any,
            },
            Type::Keyword(words) if !words.is_empty() => self.enumeration(words.clone(), true, name, within),
            Type::OneOf(types) => match literals(types) {
                Some(words) => self.enumeration(words, false, name, within),
                None => {
                    let mut all: Vec<Shape> = Vec::new();
                    for ty in types {
                        let shape = *inner(self, ty);
                        if !all.contains(&shape) {
                            all.push(shape);
                        }
                    }
                    match all.len() {
                        1 => all.remove(0),
                        _ => Shape::OneOf(all),
                    }
                }
            },
            Type::Keyword(_) | Type::Reference(_) | Type::Address(_) | Type::Path | Type::Expression => {
                Shape::Expression
            }
            Type::TypeExpression => Shape::Type,
            _ => Shape::Any,
        }
    }

    fn object(&mut self, object: &Arc<ObjectType>, name: &str, within: &str, depth: usize, direct: bool) -> Shape {
        if object.attributes.is_empty() {
            let others = object.others.as_ref().unwrap_or(&Type::Any);
            return Shape::Map(Box::new(self.shape(others, name, within, depth + 1, false)));
        }
        let key = Key::Object(Arc::as_ptr(object).addr());
        if let Some(shape) = self.known(&key) {
            return if direct { shape } else { unboxed(shape) };
        }
        let number = self.begin(key, name, within);
        let own = self.records[number].name.clone();
        self.open.push(number);
        let mut fields = Vec::new();
        for attribute in &object.attributes {
            let shape = self.shape(&attribute.ty, &attribute.name, &own, depth + 1, true);
            fields.push(Field {
                name: attribute.name.clone(),
                kind: Kind::Value(shape),
                required: !attribute.optional,
                default: attribute.default.clone(),
                notes: Vec::new(),
            });
        }
        let others = object.others.as_ref().map(|ty| Kind::Value(self.shape(ty, "other", &own, depth + 1, false)));
        self.open.pop();
        (self.records[number].fields, self.records[number].others) = (fields, others);
        Shape::Record(number, false)
    }

    fn enumeration(&mut self, words: Vec<String>, bare: bool, name: &str, within: &str) -> Shape {
        work::step(words.len());
        let mut seen = HashSet::new();
        let unique: Vec<String> = words.into_iter().filter(|word| seen.insert(word.clone())).collect();
        let name = pascal(name);
        let known = self.known_words.entry((bare, unique.clone())).or_default();
        if let Some(number) = known.get(&name) {
            return Shape::Words(*number);
        }
        let number = self.words.len();
        let full = self.names.take([name.clone(), format!("{within}{name}")]);
        // Another attribute whose name is a suffix of this one gets the same type.
        let ends = full.char_indices().filter(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| &full[at..]);
        for end in ends.filter(|end| end.len() <= MAX_NAME).chain([name.as_str()]) {
            known.entry(end.to_owned()).or_insert(number);
        }
        self.words.push(Words { name: full, words: unique, bare });
        Shape::Words(number)
    }
}

/// The fields of a body, as far as they were found.
struct Fields {
    list: Vec<Field>,
    by_name: HashMap<String, usize>,
    others: Option<Kind>,
}

impl Fields {
    /// Adds a field. One that is there with another type can be anything.
    fn add(&mut self, field: Field) {
        match self.by_name.get(&field.name) {
            Some(at) => {
                let known = &mut self.list[*at];
                if known.kind != field.kind {
                    (known.kind, known.default) = (Kind::Value(Shape::Any), None);
                }
            }
            None => {
                self.by_name.insert(field.name.clone(), self.list.len());
                self.list.push(field);
            }
        }
    }
}

/// Removes the box from a record in a list or map, which can be empty, so that recursion ends.
fn unboxed(shape: Shape) -> Shape {
    match shape {
        Shape::Record(number, _) => Shape::Record(number, false),
        other => other,
    }
}

/// The texts of alternatives that are texts.
fn literals(types: &[Type]) -> Option<Vec<String>> {
    let text = |ty: &Type| match ty {
        Type::Literal(value) => value.as_str().map(str::to_owned),
        _ => None,
    };
    types.iter().map(text).collect::<Option<Vec<String>>>().filter(|all| !all.is_empty())
}

/// Returns the description of a field, with its replacement.
fn notes(description: Option<&str>, deprecated: Option<&Deprecated>) -> Vec<String> {
    let mut notes: Vec<String> = description.into_iter().flat_map(super::names::lines).collect();
    if let Some(deprecated) = deprecated {
        let text = match (&deprecated.replacement, &deprecated.message) {
            (_, Some(message)) => format!("Deprecated: {message}"),
            (Some(other), None) => format!("Deprecated: use `{other}`"),
            (None, None) => "Deprecated".to_owned(),
        };
        notes.extend(super::names::lines(&text));
    }
    notes
}

impl Plan<'_> {
    /// Returns true if a shape, or anything in it, is an expression that is not evaluated.
    pub fn is_static(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Expression | Shape::Type => true,
            Shape::Words(number) => self.words[*number].bare,
            Shape::List(inner) | Shape::Map(inner) => stack::with_room(|| self.is_static(inner)),
            Shape::Tuple(all) | Shape::OneOf(all) => {
                stack::with_room(|| all.iter().any(|member| self.is_static(member)))
            }
            _ => false,
        }
    }

    /// Returns true if a value is not evaluated, and is more than a word: `hcl decode` writes its text, and
    /// `hcl convert` its value.
    pub fn is_text_or_more(&self, shape: &Shape) -> bool {
        !matches!(shape, Shape::Expression | Shape::Type | Shape::Words(_)) && self.is_static(shape)
    }

    /// Returns the smallest and the largest whole number, as far as they fit.
    pub fn limits(range: &Range) -> (Option<i64>, Option<i64>) {
        let limit = |number: &Option<Number>| number.as_ref().and_then(|number| number.to_string().parse().ok());
        (limit(&range.min), limit(&range.max))
    }
}
