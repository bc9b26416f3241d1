//! Parts of definitions and of names that blocks and `for` define: their values, and the places where files set them.
//!
//! A path such as `x.size` in `[for x in local.hosts : x.size]` means the attribute `size` of an element of `local.hosts`. So
//! a path is led back, step by step, to a definition and a path in it:
//!
//! | at the start | leads to |
//! | --- | --- |
//! | a name of `for` | an element of its collection |
//! | `each.value` | an element of the `for_each` of the block |
//! | the iterator of a `dynamic` block | an element of the `for_each` of that block |
//! | `self` | the definition that the block makes |

mod places;
mod types;
mod uses;

use std::sync::Arc;

use hcl_lr::Expression;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AccessStep, BodyItem, TraversalNode};
use hcl_lr_language::definitions::Definition;

use crate::Location;
use crate::cursor::Place as CursorPlace;
use crate::cursor::{Cursor, Link};
use crate::file::File;
use crate::project::Project;
use crate::shape::member_type;
use crate::spans::{innermost, item_at, touches};
use crate::workspace::{Cancelled, Snapshot};

pub(crate) use types::KnownPart;

/// The maximum number of steps back from a name to a definition.
const MAX_STEPS: usize = 16;

/// The maximum number of names of a value to examine.
const MAX_NAMES: usize = 2_000;

/// A place in a file whose paths are led back to definitions.
pub(crate) struct PathsAt<'a> {
    pub snapshot: &'a Snapshot,
    pub file: &'a Arc<File>,
    pub project: &'a Project,
    pub cursor: &'a Cursor,
    /// The file and the place as the project knows them, which may be those before an edit.
    known: (&'a Arc<File>, usize),
}

/// The meaning of a path.
enum Meaning<'p> {
    /// A part of a definition; the definition itself, if there are no links.
    Part(Definition<'p>, Vec<Link>),
    /// A part of the value of an expression.
    Value(Expression, Vec<Link>),
}

impl<'a> PathsAt<'a> {
    /// Creates a place in a file of a project.
    pub fn new(snapshot: &'a Snapshot, file: &'a Arc<File>, project: &'a Project, cursor: &'a Cursor) -> PathsAt<'a> {
        PathsAt { snapshot, file, project, cursor, known: (file, cursor.offset) }
    }

    /// Sets the file and the place as the project knows them.
    pub fn with_known(self, known: (&'a Arc<File>, usize)) -> PathsAt<'a> {
        PathsAt { known, ..self }
    }

    /// Returns the meaning of a path. `None` if its first name is unknown, or stands for a key.
    fn meaning(&self, chain: &[Link]) -> Option<Meaning<'a>> {
        let mut chain = chain.to_vec();
        for _ in 0..MAX_STEPS {
            let collection = match &chain[..] {
                [Link::Name(name), ..] if self.is_own_name(name) => {
                    let definition = enclosing(self.project, self.known.0, self.known.1)?;
                    let instance = definition.is_repeated().then_some(Link::Index(None));
                    return Some(Meaning::Part(definition, instance.into_iter().chain(chain.drain(1..)).collect()));
                }
                [Link::Name(name), rest @ ..] => match self.collection_of_for(name) {
                    Some(None) => return None,
                    Some(Some(collection)) => Some((collection, rest.to_vec())),
                    None => self.collection_of_block(&chain),
                },
                _ => None,
            };
            let Some((collection, rest)) = collection else {
                let (definition, rest) = defined(self.project, &chain)?;
                return Some(Meaning::Part(definition, rest.to_vec()));
            };
            let links = std::iter::once(Link::Index(None)).chain(rest);
            match links_of(&collection) {
                Some(before) => chain = before.into_iter().chain(links).collect(),
                None => return Some(Meaning::Value(collection, links.collect())),
            }
        }
        None
    }

    /// Returns true for the name by which expressions in a block refer to the block, such as `self`.
    fn is_own_name(&self, name: &str) -> bool {
        let Some(outer) = self.cursor.blocks.first() else { return false };
        let mut roles = self.project.language().roles().roles().iter();
        roles.any(|role| role.block_type() == Some(&outer.block_type) && role.own_name() == Some(name))
    }

    /// Returns the collection whose elements a name of `for` stands for; `Some(None)` if the name stands for the keys.
    fn collection_of_for(&self, name: &str) -> Option<Option<Expression>> {
        let mut all = self.cursor.collections.iter().rev();
        let found = all.find(|found| found.names.iter().any(|known| known == name))?;
        if found.names.last().is_none_or(|last| last != name) {
            return Some(None);
        }
        let text = self.file.source().text().get(found.span.range()).unwrap_or_default().trim();
        Some(hcl_lr::parse::<Expression>(text).into_result().ok())
    }

    /// Returns the collection whose elements a block stands for, if a path begins with `each.value` or with the name of an
    /// iterator, and the rest of the path.
    fn collection_of_block(&self, chain: &[Link]) -> Option<(Expression, Vec<Link>)> {
        let [Link::Name(root), Link::Name(value), rest @ ..] = chain else { return None };
        if value != "value" {
            return None;
        }
        let native = self.file.native()?;
        let (mut body, mut found) = (native.body(), None);
        let roles = self.project.language().roles().roles();
        for depth in 0..self.cursor.blocks.len() {
            let Some(BodyItem::Block(block)) = item_at(body, self.cursor.offset) else { break };
            let role = roles.iter().find(|role| depth == 0 && role.block_type() == Some(block.block_type()));
            let attribute = match crate::iterators::iterator(block) {
                Some(iterator) if iterator == *root => Some("for_each"),
                _ if root == "each" => role.and_then(|role| role.repeated_by().0),
                _ => None,
            };
            let expression = attribute.and_then(|name| block.body().attribute(name)).map(|found| found.expression());
            found = expression.map(Expression::from).or(found);
            body = block.body();
        }
        Some((found?, rest.to_vec()))
    }

    /// Returns the names in the value at a path, with their types. Names in marked values are left out.
    pub fn members(&self, chain: &[Link]) -> Result<Vec<(String, Type)>, Cancelled> {
        Ok(match self.meaning(chain) {
            Some(Meaning::Part(definition, rest)) if self.snapshot.settings().evaluates => {
                self.snapshot.check()?;
                names_of(&self.project.evaluated().value(&definition), &rest)
            }
            Some(Meaning::Value(expression, rest)) => match self.value(&expression)? {
                Some(value) => names_of(&value, &rest),
                None => Vec::new(),
            },
            _ => Vec::new(),
        })
    }

    /// Returns the definition at the start of a path, after names of blocks and `for`, with the rest of the path.
    pub fn definition(&self, chain: &[Link]) -> Option<(Definition<'a>, Vec<Link>)> {
        match self.meaning(chain)? {
            Meaning::Part(definition, rest) => Some((definition, rest)),
            Meaning::Value(..) => None,
        }
    }

    fn value(&self, expression: &Expression) -> Result<Option<Value>, Cancelled> {
        self.snapshot.value_in(self.known.0, self.project, self.known.1, expression)
    }

    /// Returns the type of the value at a path; `None` if it is not known.
    pub fn type_of(&self, chain: &[Link]) -> Result<Option<Type>, Cancelled> {
        let Some((Link::Name(name) | Link::Index(Some(name)), before)) = chain.split_last() else { return Ok(None) };
        if before.is_empty() || self.collection_of_block(chain).is_some_and(|(_, rest)| rest.is_empty()) {
            let whole = match self.meaning(chain) {
                Some(Meaning::Part(definition, rest)) if !rest.is_empty() => {
                    type_at(&self.project.shown().value(&definition), &rest)
                }
                Some(Meaning::Value(expression, rest)) => {
                    self.value(&expression)?.and_then(|value| type_at(&value, &rest))
                }
                _ => None,
            };
            return Ok(whole.filter(|ty| *ty != Type::Dynamic));
        }
        let found = self.members(before)?.into_iter().find(|(known, _)| known == name);
        Ok(found.map(|(_, ty)| ty).filter(|ty| *ty != Type::Dynamic))
    }

    /// Returns the place where files set the part at a path: the key of an object, an attribute of a block, an attribute of
    /// the type of an input.
    pub fn place(&self, chain: &[Link]) -> Option<Location> {
        match self.meaning(chain)? {
            Meaning::Part(definition, rest) if rest.is_empty() => Some(Location::of(definition.name_place())),
            Meaning::Part(definition, rest) => places::place_of_part(self.snapshot, &definition, &rest),
            Meaning::Value(expression, rest) => {
                // The collection of a `for` is read apart from its file.
                if expression.place().source().name() != &**self.file.path() {
                    return None;
                }
                let span = places::place_in(expression.as_native()?, &rest)?;
                Some(Location { path: self.file.path().clone(), span })
            }
        }
    }
}

/// Returns the names and indexes of an expression; `None` if it is something else.
fn links_of(expression: &Expression) -> Option<Vec<Link>> {
    let traversal = expression.as_native()?.as_traversal()?;
    Some(links(traversal, traversal.steps().len()))
}

/// Returns the first name of a path and the links of some of its steps.
fn links(traversal: TraversalNode<'_>, steps: usize) -> Vec<Link> {
    let link = |step: AccessStep<'_>| match step {
        AccessStep::Attribute(name) => Link::Name(name.text().to_owned()),
        AccessStep::Index(index) => Link::Index(Some(index.text().trim_matches('"').to_owned())),
        AccessStep::LegacyIndex(index) => Link::Index(Some(index.text().to_owned())),
        _ => Link::Index(None),
    };
    let root = Link::Name(traversal.root().text().to_owned());
    std::iter::once(root).chain(traversal.steps().take(steps).map(link)).collect()
}

impl Snapshot {
    /// Returns the path that ends with the name or index at a byte of a file, and the span of the name or index.
    pub(crate) fn path_at(&self, file: &Arc<File>, offset: usize) -> Option<(Cursor, Vec<Link>, Span)> {
        let native = file.native()?;
        let text = native.source().text();
        let around = innermost(native.body(), offset);
        if let Some(traversal) = around.iter().rev().find_map(|node| node.as_traversal()) {
            let mut steps = traversal.steps().enumerate();
            let index = steps.find(|(_, step)| step.span().start() < offset && offset < step.span().end());
            if let Some((at, step)) = index.filter(|(_, step)| !matches!(step, AccessStep::Attribute(_))) {
                let cursor = Cursor::in_file(file, native, traversal.root().span().end());
                return Some((cursor, links(traversal, at + 1), step.span()));
            }
        }
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let after = text.get(offset..)?;
        let end = offset + after.len() - after.trim_start_matches(is_part).len();
        let cursor = Cursor::in_file(file, native, end);
        let (mut chain, prefix) = match &cursor.place {
            CursorPlace::Member { chain, prefix } => (chain.clone(), *prefix),
            CursorPlace::Expression { prefix } => (Vec::new(), *prefix),
            _ => return None,
        };
        // The token of a member includes its dot.
        let name = text.get(prefix.range())?.trim_start_matches('.');
        let span = Span::new(prefix.end() - name.len(), prefix.end());
        if name.is_empty() || !touches(span, offset) {
            return None;
        }
        chain.push(Link::Name(name.to_owned()));
        Some((cursor, chain, span))
    }
}

/// Returns the definition whose block or attribute contains a place.
pub(crate) fn enclosing<'p>(project: &'p Project, file: &File, offset: usize) -> Option<Definition<'p>> {
    let native = file.native()?;
    let item = item_at(native.body(), offset)?;
    let block = match item {
        BodyItem::Block(block) => block,
        _ => return project.at(file.source(), item_name(item)?.start()),
    };
    // A block that is a definition has its name as a label; other blocks have attributes that are definitions.
    let labels = block.labels().last().map(|label| label.span().start());
    let label = labels.and_then(|at| project.at(file.source(), at));
    label.or_else(|| match item_at(block.body(), offset)? {
        BodyItem::Attribute(attribute) => project.at(file.source(), attribute.name_token().span().start()),
        _ => None,
    })
}

fn item_name(item: BodyItem<'_>) -> Option<Span> {
    match item {
        BodyItem::Attribute(attribute) => Some(attribute.name_token().span()),
        BodyItem::Block(block) => Some(block.type_token().span()),
        _ => None,
    }
}

/// Returns the definition at the start of a chain, and the rest of the chain.
pub(crate) fn defined<'p, 'c>(project: &'p Project, chain: &'c [Link]) -> Option<(Definition<'p>, &'c [Link])> {
    let mut address = String::new();
    let mut found = None;
    for (at, link) in chain.iter().enumerate() {
        let Link::Name(name) = link else { break };
        if at > 0 {
            address.push('.');
        }
        address += name;
        if let Some(definition) =
            project.definitions().get(&address).filter(|definition| definition.address() == address)
        {
            found = Some((definition, &chain[at + 1..]));
        }
    }
    found
}

/// Returns the value or the type at a path in a value.
fn at_path(value: &Value, links: &[Link]) -> Option<(Value, Option<Type>)> {
    let mut value = value.clone();
    let mut ty = None;
    for link in links {
        let next = match (&ty, link) {
            (None, Link::Name(name)) | (None, Link::Index(Some(name))) if !value.is_marked() => value
                .attribute(name)
                .or_else(|| value.entry(name))
                .or_else(|| value.elements()?.get(name.parse::<usize>().ok()?))
                .cloned(),
            (None, Link::Index(None) | Link::Splat) if !value.is_marked() => value
                .elements()
                .and_then(|all| all.first())
                .or_else(|| value.entries()?.next().map(|(_, value)| value))
                .cloned(),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => {
                let known = ty.unwrap_or_else(|| value.shown_type());
                let next = match link {
                    Link::Name(name) | Link::Index(Some(name)) => member_type(&known, name),
                    Link::Index(None) | Link::Splat => {
                        known.element_type().or_else(|| known.tuple_elements()?.first()).cloned()
                    }
                };
                ty = Some(next?);
            }
        }
    }
    Some((value, ty))
}

/// Returns the type at a path in a value.
fn type_at(value: &Value, links: &[Link]) -> Option<Type> {
    let (value, ty) = at_path(value, links)?;
    Some(ty.unwrap_or_else(|| value.shown_type()))
}

/// Returns the names in the value at a path, with the types of their values. Names in marked values are left out.
pub(crate) fn names_of(value: &Value, links: &[Link]) -> Vec<(String, Type)> {
    match at_path(value, links) {
        None => Vec::new(),
        Some((value, None)) if value.is_marked() => Vec::new(),
        Some((value, None)) if value.entries().is_some() => {
            let entries = value.entries().into_iter().flatten().take(MAX_NAMES);
            entries.map(|(name, value)| (name.to_owned(), value.shown_type())).collect()
        }
        Some((value, None)) => names_of_type(&value.shown_type()),
        Some((_, Some(ty))) => names_of_type(&ty),
    }
}

fn names_of_type(ty: &Type) -> Vec<(String, Type)> {
    let all = ty.attributes().unwrap_or_default().iter().take(MAX_NAMES);
    all.map(|attribute| (attribute.name().to_owned(), attribute.ty().clone())).collect()
}
