//! References to parts of definitions: keys of objects, attributes of blocks, attributes of the types of inputs.

use std::collections::BTreeSet;
use std::sync::Arc;

use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::ast::{
    AccessStep, AttributeNode, BodyItem, BodyNode, ExpressionKind, ExpressionNode, ForNames, ObjectElement,
    TraversalNode, Visitor, Walk,
};
use hcl_lr_language::definitions::Definition;

use super::places::{place_in, place_of_part};
use super::{Meaning, PathsAt, enclosing, links};
use crate::Location;
use crate::completion::UsedParts;
use crate::cursor::{Cursor, ForCollection, Link, Place};
use crate::file::File;
use crate::knowledge::Header;
use crate::navigate::{Found, Use};
use crate::project::Project;
use crate::spans::{innermost, item_at, touches};
use crate::workspace::{Cancelled, Snapshot};

/// A name in a file that may refer to a part.
struct Candidate<'t> {
    traversal: TraversalNode<'t>,
    /// The number of the step.
    step: usize,
    name: Span,
    collections: Vec<ForCollection>,
}

/// Collects the steps of paths with a name.
struct Candidates<'t, 'n> {
    name: &'n str,
    /// The names of values of the `for`s that have been met, with their collections.
    announced: Vec<(Span, Span)>,
    collections: Vec<ForCollection>,
    found: Vec<Candidate<'t>>,
}

impl<'t> Visitor<'t> for Candidates<'t, '_> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        match expression.kind() {
            ExpressionKind::Traversal(traversal) => {
                for (step, access) in traversal.steps().enumerate() {
                    let (name, text) = match access {
                        AccessStep::Attribute(name) => (name.span(), name.text()),
                        AccessStep::Index(index) => (index.span(), index.text().trim_matches('"')),
                        _ => continue,
                    };
                    if text == self.name {
                        let collections = self.collections.clone();
                        self.found.push(Candidate { traversal, step, name, collections });
                    }
                }
            }
            ExpressionKind::For(all) => {
                self.announced.push((all.value_variable().span(), all.collection().span()));
            }
            _ => {}
        }
        Walk::Into
    }

    fn enter_scope(&mut self, names: ForNames<'t>) {
        let value = names.iter().last().map(|name| name.span());
        let own = self.announced.pop_if(|(name, _)| Some(*name) == value);
        let names = names.iter().map(|name| name.text().to_owned()).collect();
        self.collections.push(ForCollection { names, span: own.map_or_else(Span::default, |(_, span)| span) });
    }

    fn leave_scope(&mut self, _: ForNames<'t>) {
        self.collections.pop();
    }
}

impl Snapshot {
    /// Returns the part at a byte of a file with all references to it, or with those in the file alone.
    pub(crate) fn part_references(
        &self,
        file: &Arc<File>,
        project: &Arc<Project>,
        offset: usize,
        everywhere: bool,
    ) -> Result<Option<Found>, Cancelled> {
        let at = self.path_at(file, offset);
        let found = match &at {
            Some((cursor, chain, span)) => {
                let paths = PathsAt::new(self, file, project, cursor);
                match paths.meaning(chain) {
                    Some(Meaning::Part(definition, rest)) if !rest.is_empty() => Some((definition, rest, *span)),
                    _ => None,
                }
            }
            None => self.part_set_at(file, project, offset),
        };
        let Some((definition, rest, asked)) = found else { return Ok(None) };
        let Some(Link::Name(name) | Link::Index(Some(name))) = rest.last() else { return Ok(None) };
        let Some(target) = place_of_part(self, &definition, &rest) else { return Ok(None) };
        let mut uses = BTreeSet::new();
        let is_searched = |other: &&Arc<File>| everywhere || other.path() == file.path();
        for other in project.files().iter().chain(project.beside()).filter(is_searched) {
            self.check()?;
            self.uses_in(other, project, name, &target, &mut uses);
        }
        let mut values = if everywhere { self.given_places(project, &definition, &rest)? } else { Vec::new() };
        values.retain(|place| *place != target);
        uses.extend(values.into_iter().map(|place| Use { name: place.clone(), whole: place, is_definition: true }));
        let before: String =
            rest[..rest.len() - 1].iter().fold(definition.address().to_owned(), |text, link| match link {
                Link::Name(name) => format!("{text}.{name}"),
                Link::Index(Some(key)) => format!("{text}[{key}]"),
                Link::Index(None) | Link::Splat => format!("{text}[*]"),
            });
        let around = self.is_free_key(&target, name).then(|| (format!("{before}."), String::new()));
        Ok(Some(Found {
            address: format!("{before}.{name}"),
            name: name.clone(),
            around,
            whole: target.clone(),
            definition: target,
            uses: uses.into_iter().collect(),
            asked,
            is_local: false,
            is_part: true,
        }))
    }

    /// Adds the names in a file that lead to the place of a part.
    fn uses_in(&self, file: &Arc<File>, project: &Project, name: &str, target: &Location, uses: &mut BTreeSet<Use>) {
        let Some(native) = file.native() else { return };
        let mut waiting: Vec<(BodyNode<'_>, Vec<Header>)> = vec![(native.body(), Vec::new())];
        while let Some((body, blocks)) = waiting.pop() {
            for item in body.items() {
                match item {
                    BodyItem::Block(block) => {
                        let inner = blocks.iter().cloned().chain([Header::of(block)]).collect();
                        waiting.push((block.body(), inner));
                    }
                    BodyItem::Attribute(attribute) => {
                        let mut all =
                            Candidates { name, announced: Vec::new(), collections: Vec::new(), found: Vec::new() };
                        attribute.expression().walk(&mut all);
                        for candidate in all.found {
                            let cursor = cursor_at(attribute, &blocks, candidate.collections);
                            let paths = PathsAt::new(self, file, project, &cursor);
                            let chain = links(candidate.traversal, candidate.step + 1);
                            if paths.place(&chain).is_some_and(|place| place == *target) {
                                let root = candidate.traversal.root().span();
                                let whole = Span::new(root.start(), candidate.name.end());
                                let location = |span| Location { path: file.path().clone(), span };
                                let (name, whole) = (location(candidate.name), location(whole));
                                uses.insert(Use { name, whole, is_definition: false });
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns the places where other texts set the part of an input: its default, arguments of calls, files with values.
    fn given_places(
        &self,
        project: &Arc<Project>,
        definition: &Definition<'_>,
        rest: &[Link],
    ) -> Result<Vec<Location>, Cancelled> {
        let mut places = Vec::new();
        if !definition.is_input() {
            return Ok(places);
        }
        let mut add = |file: Option<&Arc<File>>, expression: Option<ExpressionNode<'_>>| {
            let span = expression.and_then(|node| place_in(node, rest));
            places.extend(file.zip(span).map(|(file, span)| Location { path: file.path().clone(), span }));
        };
        let home = self.file(definition.place().source().name());
        let default = definition.expression().and_then(|default| default.as_native());
        add(home, default);
        let place = Location::of(definition.name_place());
        let mut projects = vec![project.clone()];
        projects.extend(self.callers(project)?);
        for project in &projects {
            for same in project.all_defined_at(&place) {
                for reference in project.references().to(&same) {
                    let name = reference.name_place();
                    let file = self.file(name.source().name());
                    let native = file.and_then(|file| file.native());
                    let attribute = native.and_then(|native| attribute_at(native.body(), name.span().start()));
                    let attribute = attribute.filter(|attribute| attribute.name_token().span() == name.span());
                    add(file, attribute.map(|attribute| attribute.expression()));
                }
            }
        }
        Ok(places)
    }

    /// Returns the part whose name a file sets at a place, with the span of the name.
    fn part_set_at<'p>(
        &self,
        file: &Arc<File>,
        project: &'p Project,
        offset: usize,
    ) -> Option<(Definition<'p>, Vec<Link>, Span)> {
        let native = file.native()?;
        let definition = enclosing(project, file, offset)?;
        let attribute = attribute_at(native.body(), offset)?;
        let instance = || definition.is_repeated().then_some(Link::Index(None));
        if touches(attribute.name_token().span(), offset) {
            let is_own = project.at(file.source(), offset).is_some();
            let name = Link::Name(attribute.name().to_owned());
            let rest = instance().into_iter().chain([name]).collect();
            return (!is_own && !definition.is_input()).then(|| (definition, rest, attribute.name_token().span()));
        }
        let mut rest: Vec<Link> = Vec::new();
        if !definition.is_input() && definition.expression().is_none() {
            rest.extend(instance());
            rest.push(Link::Name(attribute.name().to_owned()));
        }
        let span = match definition.is_input() && attribute.name() == "type" {
            true => path_in_type(attribute.expression(), offset, &mut rest)?,
            false => path_in(attribute.expression(), offset, &mut rest)?,
        };
        Some((definition, rest, span))
    }

    /// Returns true if the object with a key at a place has another key of a name.
    pub(crate) fn has_key_beside(&self, place: &Location, name: &str) -> bool {
        let native = self.file(&place.path).and_then(|file| file.native());
        let around = native.map(|native| innermost(native.body(), place.span.start())).unwrap_or_default();
        around.iter().any(|node| match node.kind() {
            ExpressionKind::Object(object) => {
                let is_own = |element: ObjectElement<'_>| element.key_expression().span() == place.span;
                let is_other = |element: ObjectElement<'_>| element.key_text().is_some_and(|key| key == name);
                object.elements().any(is_own) && object.elements().any(|element| !is_own(element) && is_other(element))
            }
            _ => false,
        })
    }

    /// Returns true if the name of a part is a key that only these files know: no schema lists it.
    fn is_free_key(&self, place: &Location, name: &str) -> bool {
        let Some((file, Ok(Some(project)))) = self.file(&place.path).map(|file| (file, self.project(&place.path)))
        else {
            return false;
        };
        let Some(native) = file.native() else { return false };
        let around = innermost(native.body(), place.span.start());
        let is_key = around.iter().any(|node| match node.kind() {
            ExpressionKind::Object(object) => {
                object.elements().any(|element| element.key_expression().span() == place.span)
            }
            _ => false,
        });
        let end = place.span.end() - usize::from(file.source().text()[..place.span.end()].ends_with('"'));
        is_key && UsedParts::at(self, file, project, native, end).about_name(name).is_none()
    }
}

/// Returns the construct around an attribute, as far as paths in it need it.
fn cursor_at(attribute: AttributeNode<'_>, blocks: &[Header], collections: Vec<ForCollection>) -> Cursor {
    Cursor {
        offset: attribute.span().start(),
        blocks: blocks.to_vec(),
        block_starts: Vec::new(),
        attribute: Some(attribute.name().to_owned()),
        keys: Vec::new(),
        names: Vec::new(),
        collections,
        calls: Vec::new(),
        steps: None,
        place: Place::Nothing,
    }
}

fn attribute_at(body: BodyNode<'_>, offset: usize) -> Option<AttributeNode<'_>> {
    let mut body = body;
    loop {
        match item_at(body, offset)? {
            BodyItem::Attribute(attribute) => return Some(attribute),
            BodyItem::Block(block) => body = block.body(),
            _ => return None,
        }
    }
}

/// Follows the element of an object at a place. Returns the span of the key if the place is there.
fn in_element<'t>(
    elements: impl Iterator<Item = ObjectElement<'t>>,
    offset: usize,
    rest: &mut Vec<Link>,
    inner: impl Fn(ExpressionNode<'t>, usize, &mut Vec<Link>) -> Option<Span>,
) -> Option<Span> {
    for element in elements {
        let key = element.key_expression().span();
        let is_at_key = touches(key, offset);
        if is_at_key || touches(element.value().span(), offset) {
            rest.push(Link::Name(element.key_text()?.into_owned()));
            return if is_at_key { Some(key) } else { inner(element.value(), offset, rest) };
        }
    }
    None
}

/// Finds the path of the key at a place in an expression.
fn path_in(node: ExpressionNode<'_>, offset: usize, rest: &mut Vec<Link>) -> Option<Span> {
    stack::with_room(|| match node.kind() {
        ExpressionKind::Parentheses(inner) => path_in(inner.inner(), offset, rest),
        ExpressionKind::Object(object) => in_element(object.elements(), offset, rest, path_in),
        ExpressionKind::Tuple(tuple) => {
            let mut all = tuple.elements().enumerate();
            let (at, element) = all.find(|(_, element)| touches(element.span(), offset))?;
            rest.push(Link::Index(Some(at.to_string())));
            path_in(element, offset, rest)
        }
        ExpressionKind::Conditional(all) => {
            let results = [all.true_result(), all.false_result()];
            let result = results.into_iter().find(|result| touches(result.span(), offset))?;
            path_in(result, offset, rest)
        }
        ExpressionKind::FunctionCall(call) => {
            path_in(call.arguments().find(|argument| touches(argument.span(), offset))?, offset, rest)
        }
        _ => None,
    })
}

/// Finds the path of the attribute at a place in a type.
fn path_in_type(node: ExpressionNode<'_>, offset: usize, rest: &mut Vec<Link>) -> Option<Span> {
    let ExpressionKind::FunctionCall(call) = node.kind() else { return None };
    let argument = call.arguments().next().filter(|argument| touches(argument.span(), offset))?;
    stack::with_room(|| match (&*call.name(), argument.kind()) {
        ("optional", _) => path_in_type(argument, offset, rest),
        ("list" | "set" | "map", _) => {
            rest.push(Link::Index(None));
            path_in_type(argument, offset, rest)
        }
        ("object", ExpressionKind::Object(object)) => in_element(object.elements(), offset, rest, path_in_type),
        _ => None,
    })
}
