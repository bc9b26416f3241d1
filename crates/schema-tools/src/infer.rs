//! Infers first drafts of schemas from examples.
//!
//! All bodies at one place, such as those of the top-level blocks `service`, are combined: an attribute that all of
//! them have is required, and the types of its values are joined. `port = 80` and `port = "http"` give a `string`,
//! because numbers convert to it; `port = [80]` in a third body would give `any`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use hcl_lr::body::{self, BlockSchema};
use hcl_lr::eval::Scope;
use hcl_lr::internal::{DynamicParts, wrong_collection};
use hcl_lr::model;
use hcl_lr::stack;
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::{BlockNode, BodyItem, BodyNode};
use hcl_lr_language::internal::{Expr, Judge, Shape};
use hcl_lr_language::schema::Checker;
use hcl_lr_language::schema::Facts;
use hcl_lr_language::schema::model::{Attribute, Block, Body, Files, Form, Label, Nesting, ObjectType, Schema, Type};

/// The levels of blocks, and of collections in each other, that a draft describes. What is deeper is open, or any value.
const MAX_DEPTH: usize = 32;

/// The name of the part that is the body of a file.
const PART: &str = "file";

/// Makes a first draft of a schema from examples: it accepts these files, and others like them.
///
/// Attributes and blocks that all bodies of a place have are required. Types are joined: a text and a number make a
/// `string`, a text and a list `any`. Objects whose values are all texts, numbers or bools are maps. Allowed values, references and definitions are
/// not guessed.
///
/// ```
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::{File, parse};
///
/// let text = "service \"web\" {\n  port = 80\n}\nservice \"db\" {\n  port  = 5432\n  hosts = [\"a\"]\n}\n";
/// let file = parse::<File>(("app.services", text)).into_result()?;
/// let schema = hcl_lr_schema_tools::infer("services", [&file]);
/// let service = &schema.part("file").expect("it is there").body.blocks[0];
/// let attributes = service.body.attributes.iter().map(|one| (one.name.as_str(), one.ty.to_string(), one.required));
/// let expected = [("port", "number".to_owned(), true), ("hosts", "list(string)".to_owned(), false)];
/// assert_eq!(attributes.collect::<Vec<_>>(), expected);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub fn infer<'f>(name: &str, files: impl IntoIterator<Item = &'f File>) -> Schema {
    let files: Vec<&File> = files.into_iter().collect();
    let mut seen = Bodies { generates: all_generate(&files), ..Bodies::default() };
    // The results of functions are those that a check by the draft expects.
    let (checker, facts) = (Checker::new(&Schema::new(name)), Facts::default());
    let judge = Judge::new(&checker, &facts);
    let mut patterns: BTreeSet<String> = BTreeSet::new();
    for file in files {
        seen.add(file.body(), &judge);
        patterns.insert(pattern(file.source().name()));
    }
    let schema = Schema::new(name).with_files(Files::new(name, patterns, PART));
    schema.with_part(PART, seen.body(0))
}

/// The pattern of files with the extension of one: `*.service.hcl` for `web.service.hcl`.
fn pattern(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.split_once('.') {
        Some(("", _)) | None => name.to_owned(),
        Some((_, extension)) => format!("*.{extension}"),
    }
}

/// The bodies of a place.
#[derive(Default)]
struct Bodies {
    count: u32,
    attributes: Named<Attributes>,
    blocks: Named<Blocks>,
    /// True if blocks `dynamic` generate others, wherever there are some.
    generates: bool,
    /// True if there are such blocks.
    dynamic: bool,
}

/// Things by name, in the order in which they were found.
struct Named<T> {
    list: Vec<(String, T)>,
    by_name: HashMap<String, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Named { list: Vec::new(), by_name: HashMap::new() }
    }
}

impl<T: Default> Named<T> {
    fn get(&self, name: &str) -> Option<&T> {
        self.by_name.get(name).map(|at| &self.list[*at].1)
    }

    fn entry(&mut self, name: &str) -> &mut T {
        let at = match self.by_name.get(name) {
            Some(at) => *at,
            None => {
                self.list.push((name.to_owned(), T::default()));
                self.by_name.insert(name.to_owned(), self.list.len() - 1);
                self.list.len() - 1
            }
        };
        &mut self.list[at].1
    }
}

/// The values of attributes of a name.
#[derive(Default)]
struct Attributes {
    count: u32,
    kind: Kind,
}

/// The blocks of a type.
#[derive(Default)]
struct Blocks {
    /// The number of bodies with blocks of this type.
    within: u32,
    /// True if some body has several of them.
    several: bool,
    /// The least and the greatest number of labels.
    labels: Option<(usize, usize)>,
    bodies: Bodies,
}

impl Blocks {
    fn add_labels(&mut self, count: usize) {
        let (least, most) = self.labels.unwrap_or((count, count));
        self.labels = Some((least.min(count), most.max(count)));
    }
}

/// A join of the types of values.
#[derive(Clone, Default)]
enum Kind {
    /// Nothing is known.
    #[default]
    Unknown,
    Bool,
    Number,
    Text,
    List(Box<Kind>),
    Object(Box<Objects>),
    Any,
}

/// The objects of a place.
#[derive(Clone, Default)]
struct Objects {
    count: u32,
    /// True if a name is computed.
    computed: bool,
    entries: Vec<(String, u32, Kind)>,
    by_name: HashMap<String, usize>,
}

impl Bodies {
    fn add(&mut self, body: BodyNode<'_>, judge: &Judge<'_>) {
        self.count += 1;
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for item in body.items() {
            match item {
                BodyItem::Attribute(attribute) => {
                    let seen = self.attributes.entry(attribute.name());
                    seen.count += 1;
                    let before = std::mem::take(&mut seen.kind);
                    seen.kind = before.join(Kind::of(&Expr::Node(attribute.expression()), judge));
                }
                BodyItem::Block(block) => match generated(block).filter(|_| self.generates) {
                    Some(Generated { block_type, labels, contents }) => {
                        self.dynamic = true;
                        let generates = self.generates;
                        let seen = self.blocks.entry(&block_type);
                        seen.bodies.generates = generates;
                        seen.add_labels(labels);
                        seen.several = true;
                        stack::with_room(|| seen.bodies.add(contents, judge));
                    }
                    None => {
                        *numbers.entry(block.block_type().to_owned()).or_default() += 1;
                        let generates = self.generates;
                        let seen = self.blocks.entry(block.block_type());
                        seen.bodies.generates = generates;
                        seen.add_labels(block.labels().count());
                        stack::with_room(|| seen.bodies.add(block.body(), judge));
                    }
                },
                _ => {}
            }
        }
        for (name, number) in numbers {
            let seen = self.blocks.entry(&name);
            seen.within += 1;
            seen.several |= number > 1;
        }
    }

    fn body(&self, depth: usize) -> Body {
        let mut body = Body::new();
        if depth > MAX_DEPTH {
            return body.open();
        }
        body.dynamic = self.dynamic.then_some(true);
        for (name, seen) in &self.attributes.list {
            match (self.blocks.get(name), &seen.kind) {
                (Some(block), kind) if kind.can_be_blocks(block) => {}
                // No schema can describe a name that is both a block and a plain value.
                (Some(_), _) => body.open = true,
                (None, kind) => {
                    let attribute = Attribute::new(name, stack::with_room(|| kind.ty(0)));
                    body = body.with_attribute(if seen.count == self.count { attribute.required() } else { attribute });
                }
            }
        }
        for (name, seen) in &self.blocks.list {
            let form = match self.attributes.get(name).map(|attribute| &attribute.kind) {
                None => Form::Block,
                Some(kind) if kind.can_be_blocks(seen) => Form::Either,
                Some(_) => continue,
            };
            let (least, most) = seen.labels.unwrap_or_default();
            let contents = match form {
                // Objects may have other contents than blocks.
                Form::Either => Body::new().open(),
                _ => stack::with_room(|| seen.bodies.body(depth + 1)),
            };
            let mut block = Block::new(name, contents);
            block.form = form;
            for at in 0..most {
                let mut label = Label::new(label_name(at, most), Type::String);
                label.optional = at >= least;
                block.labels.push(label);
            }
            let required = seen.within == self.count && form == Form::Block;
            // Two bodies without a second block are weak evidence, and a single one is none.
            if most == 0 && !seen.several && self.count > 1 && form == Form::Block {
                block = block.with_nesting(Nesting::Single);
            }
            block.min = u32::from(required);
            body = body.with_block(block);
        }
        body
    }
}

fn label_name(at: usize, most: usize) -> String {
    match (at, most) {
        (0, 1) | (1, 2) => "name".to_owned(),
        (0, 2) => "type".to_owned(),
        _ => format!("label{}", at + 1),
    }
}

/// The blocks that a block `dynamic` generates.
struct Generated<'t> {
    block_type: String,
    labels: usize,
    contents: BodyNode<'t>,
}

/// Returns the blocks that a block `dynamic` generates. `None` if it is none, or has errors.
fn generated<'t>(block: BlockNode<'t>) -> Option<Generated<'t>> {
    let mut labels = block.labels();
    let label = labels.next().filter(|_| block.block_type() == "dynamic")?;
    if labels.next().is_some() {
        return None;
    }
    let block_type = label.text().into_owned();
    let expected = BlockSchema::new(block_type.as_str(), &[]).with_optional_labels(0, true, None);
    let parts = DynamicParts::read(&body::Body::from(block.body()), &expected).into_result().ok()?;
    let for_each = parts.for_each?;
    let (collection, _) = for_each.evaluate_partially(&Scope::new()).into_parts();
    if wrong_collection(&collection, &for_each).is_some() {
        return None;
    }
    let contents = block.body().blocks_of_type("content").next()?.body();
    Some(Generated { block_type, labels: parts.labels.len(), contents })
}

/// Returns true if all `dynamic` blocks can generate others. If not, they mean something else in the language.
fn all_generate(files: &[&File]) -> bool {
    let mut waiting: Vec<BodyNode<'_>> = files.iter().map(|file| file.body()).collect();
    while let Some(body) = waiting.pop() {
        for item in body.items() {
            if let BodyItem::Block(block) = item {
                if block.block_type() == "dynamic" && generated(block).is_none() {
                    return false;
                }
                waiting.push(block.body());
            }
        }
    }
    true
}

impl Kind {
    fn of(expression: &Expr<'_>, judge: &Judge<'_>) -> Kind {
        let of = |expression: &Expr<'_>| stack::with_room(|| Kind::of(expression, judge));
        match expression.shape(judge) {
            Shape::Null | Shape::Unknown => Kind::Unknown,
            Shape::Bool(_) => Kind::Bool,
            Shape::Number(_) => Kind::Number,
            Shape::Text(_) => Kind::Text,
            Shape::List(elements) => {
                Kind::List(Box::new(elements.iter().fold(Kind::Unknown, |kind, element| kind.join(of(element)))))
            }
            Shape::Object(entries) => {
                let mut objects = Objects { count: 1, ..Objects::default() };
                for (key, value) in entries {
                    objects.computed |= key.name.is_none();
                    objects.add(key.name.unwrap_or_default().into_owned(), 1, of(&value));
                }
                // A name that is written twice is one attribute.
                objects.entries.iter_mut().for_each(|(_, count, _)| *count = 1);
                Kind::Object(Box::new(objects))
            }
            Shape::Either(first, second) => of(&first).join(of(&second)),
            Shape::Some(ty) => match ty {
                model::Type::String => Kind::Text,
                model::Type::Number => Kind::Number,
                model::Type::Bool => Kind::Bool,
                model::Type::List(_) | model::Type::Set(_) | model::Type::Tuple(_) => Kind::List(Box::default()),
                model::Type::Map(_) | model::Type::Object(_) => Kind::computed(),
                _ => Kind::Unknown,
            },
            Shape::Sequence => Kind::List(Box::default()),
            Shape::Entries => Kind::computed(),
        }
    }

    /// Returns an object with computed names.
    /// Returns true if a value of this kind can stand for blocks: an object or, if the blocks have no labels, a list of objects.
    fn can_be_blocks(&self, blocks: &Blocks) -> bool {
        match self {
            Kind::Unknown | Kind::Object(_) => true,
            Kind::List(element) => {
                blocks.labels.is_none_or(|(_, most)| most == 0) && matches!(**element, Kind::Unknown | Kind::Object(_))
            }
            _ => false,
        }
    }

    fn computed() -> Kind {
        Kind::Object(Box::new(Objects { count: 1, computed: true, ..Objects::default() }))
    }

    /// The kind of a place that has values of two kinds.
    fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Unknown, kind) | (kind, Kind::Unknown) => kind,
            (Kind::Bool, Kind::Bool) => Kind::Bool,
            (Kind::Number, Kind::Number) => Kind::Number,
            // All of them convert to strings.
            (Kind::Bool | Kind::Number | Kind::Text, Kind::Bool | Kind::Number | Kind::Text) => Kind::Text,
            (Kind::List(left), Kind::List(right)) => Kind::List(Box::new(stack::with_room(|| (*left).join(*right)))),
            (Kind::Object(mut left), Kind::Object(right)) => {
                left.count += right.count;
                left.computed |= right.computed;
                for (name, count, kind) in right.entries {
                    stack::with_room(|| left.add(name, count, kind));
                }
                Kind::Object(left)
            }
            _ => Kind::Any,
        }
    }

    fn ty(&self, depth: usize) -> Type {
        match self {
            _ if depth > MAX_DEPTH => Type::Any,
            Kind::Unknown | Kind::Any => Type::Any,
            Kind::Bool => Type::Bool,
            Kind::Number => Type::NUMBER,
            Kind::Text => Type::String,
            Kind::List(element) => Type::list(stack::with_room(|| element.ty(depth + 1))),
            Kind::Object(objects) => {
                let all = || objects.entries.iter().map(|(.., kind)| kind);
                let is_plain = all().all(|kind| matches!(kind, Kind::Unknown | Kind::Bool | Kind::Number | Kind::Text));
                // `*` stands for all names in an object type.
                if is_plain || objects.computed || objects.by_name.contains_key("*") {
                    let joined = all().cloned().fold(Kind::Unknown, Kind::join);
                    return Type::map(stack::with_room(|| joined.ty(depth + 1)));
                }
                let mut object = ObjectType::new();
                for (name, count, kind) in &objects.entries {
                    object = object.with(name, stack::with_room(|| kind.ty(depth + 1)), *count < objects.count);
                }
                Type::Object(Arc::new(object))
            }
        }
    }
}

impl Objects {
    fn add(&mut self, name: String, count: u32, kind: Kind) {
        match self.by_name.get(&name) {
            Some(at) => {
                let entry = &mut self.entries[*at];
                entry.1 += count;
                entry.2 = std::mem::take(&mut entry.2).join(kind);
            }
            None => {
                self.by_name.insert(name.clone(), self.entries.len());
                self.entries.push((name, count, kind));
            }
        }
    }
}
