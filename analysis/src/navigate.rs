//! Places that belong together: definitions, references, highlights, types, implementations.

use std::collections::BTreeSet;
use std::sync::Arc;

use hcl_lr::definitions::Definition;
use hcl_lr::source::{Place, Span};

use crate::Location;
use crate::project::Project;
use crate::workspace::{Cancelled, File, Snapshot};

/// A place that refers to a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The name in the reference.
    pub name: Location,
    /// The whole reference.
    pub whole: Location,
    /// True if it is the name of another block with the same definition, or gives it a value.
    pub is_definition: bool,
}

/// A definition with all that refers to it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The address, as the files of its own folder write it.
    pub address: String,
    /// The last step of the address.
    pub name: String,
    /// The place of the name.
    pub definition: Location,
    /// The block or attribute that defines it.
    pub whole: Location,
    /// The references, in the order of files and places.
    pub uses: Vec<Use>,
    /// The span that was asked about.
    pub asked: Span,
}

/// Returns true if a place is in a span or at its end.
pub(crate) fn touches(span: Span, offset: usize) -> bool {
    span.start() <= offset && offset <= span.end()
}

/// Returns true if two spans have a place in common, or touch.
pub(crate) fn overlap(one: Span, other: Span) -> bool {
    one.start() <= other.end() && other.start() <= one.end()
}

/// The name of a definition or of a reference to it at a place in a file.
pub(crate) fn span_at(project: &Project, file: &File, definition: &Definition<'_>, offset: usize) -> Option<Span> {
    let fits = |place: &Place| place.source().name() == &**file.path() && touches(place.span(), offset);
    if fits(definition.name_place()) {
        return Some(definition.name_place().span());
    }
    let mut all = project.references().to(definition);
    let found = all.find(|one| fits(one.place()) || fits(one.name_place()))?;
    Some(if fits(found.place()) { found.place().span() } else { found.name_place().span() })
}

impl Snapshot {
    /// Returns the definition that is meant at a byte of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn definition(&self, path: &str, offset: usize) -> Result<Option<(Span, Location, Location)>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        if let Some(definition) = project.at(file.source(), offset) {
            let span = span_at(&project, file, &definition, offset).unwrap_or_default();
            return Ok(Some((span, Location::of(definition.name_place()), self.whole(&definition))));
        }
        // The source of a module leads to its first file.
        for call in file.calls().iter().filter(|call| touches(call.span, offset)) {
            let folder = call.folder.as_ref().and_then(|folder| self.folder(folder));
            let files = folder.into_iter().flat_map(|folder| folder.files.values());
            let mut files: Vec<&Arc<File>> = files.filter(|one| one.language() == file.language()).collect();
            files.sort_by_key(|file| (!file.name().starts_with("main."), file.name().to_owned()));
            if let Some(first) = files.first() {
                let start = Location { path: first.path().clone(), span: Span::default() };
                return Ok(Some((call.span, start.clone(), start)));
            }
        }
        Ok(None)
    }

    /// The whole block or attribute of a definition.
    pub(crate) fn whole(&self, definition: &Definition<'_>) -> Location {
        let place = definition.place();
        let mut location = Location::of(place);
        if let Some(native) = self.file(place.source().name()).and_then(|file| file.native()) {
            let item = crate::hover::item_at(native.body(), place.span().start());
            if let Some(hcl_lr::syntax::ast::BodyItem::Block(block)) = item
                && block.header_span() == place.span()
            {
                location.span = block.span();
            }
        }
        location
    }

    /// Returns the definition that is meant at a byte of a file with all references to it: in the files of its folder, in
    /// those beside them, and in the folders that call them as a module.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn references(&self, path: &str, offset: usize) -> Result<Option<Found>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        let Some(definition) = project.at(file.source(), offset) else { return Ok(None) };
        let asked = span_at(&project, file, &definition, offset).unwrap_or_default();
        let place = Location::of(definition.name_place());
        let Some(mut found) = self.uses_of(&place)? else { return Ok(None) };
        found.asked = asked;
        Ok(Some(found))
    }

    /// Returns the definition with its name at a location, with all references to it.
    pub(crate) fn uses_of(&self, place: &Location) -> Result<Option<Found>, Cancelled> {
        let Some(own) = self.project(&place.path)? else { return Ok(None) };
        let Some(definition) = own.defined_at(place) else { return Ok(None) };
        let mut uses = BTreeSet::new();
        let mut projects = vec![own.clone()];
        if definition.is_input() || definition.is_result() {
            projects.extend(self.callers(&own)?);
        }
        for project in &projects {
            self.check()?;
            let Some(same) = project.defined_at(place) else { continue };
            uses.extend(project.references().to(&same).map(|one| Use {
                name: Location::of(one.name_place()),
                whole: Location::of(one.place()),
                is_definition: one.is_definition(),
            }));
        }
        Ok(Some(Found {
            address: definition.address().to_owned(),
            name: definition.name().to_owned(),
            definition: place.clone(),
            whole: self.whole(&definition),
            uses: uses.into_iter().collect(),
            asked: place.span,
        }))
    }

    /// Returns the places in a file that mean the same as a place: with `true` where it is defined or given a value.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn highlights(&self, path: &str, offset: usize) -> Result<Vec<(Span, bool)>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        let Some(definition) = project.at(file.source(), offset) else {
            return Ok(self.local_highlights(file, offset));
        };
        let own = |place: &Place| place.source().name() == path;
        let mut all: BTreeSet<(Span, bool)> = BTreeSet::new();
        all.extend(Some(definition.name_place()).filter(|place| own(place)).map(|place| (place.span(), true)));
        for one in project.references().to(&definition).filter(|one| own(one.name_place())) {
            all.insert((one.name_place().span(), one.is_definition()));
        }
        Ok(all.into_iter().collect())
    }

    /// The uses of a name that a `for` defines.
    fn local_highlights(&self, file: &File, offset: usize) -> Vec<(Span, bool)> {
        use hcl_lr::syntax::ast::{ExpressionKind, ExpressionNode, ForNames, Visitor, Walk};
        struct Names<'t> {
            scopes: Vec<ForNames<'t>>,
            /// Each use with the place of its definition.
            uses: Vec<(Span, Span)>,
        }
        impl<'t> Visitor<'t> for Names<'t> {
            fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
                if let ExpressionKind::Traversal(traversal) = expression.kind() {
                    let root = traversal.root();
                    let mut names = self.scopes.iter().rev().flat_map(|names| names.iter());
                    if let Some(name) = names.find(|name| name.text() == root.text()) {
                        self.uses.push((root.span(), name.span()));
                    }
                }
                Walk::Into
            }
            fn enter_scope(&mut self, names: ForNames<'t>) {
                self.uses.extend(names.iter().map(|name| (name.span(), name.span())));
                self.scopes.push(names);
            }
            fn leave_scope(&mut self, _: ForNames<'t>) {
                self.scopes.pop();
            }
        }
        let Some(native) = file.native() else { return Vec::new() };
        let mut names = Names { scopes: Vec::new(), uses: Vec::new() };
        native.body().walk(&mut names);
        let asked = names.uses.iter().find(|(span, _)| touches(*span, offset)).map(|(_, definition)| *definition);
        let Some(asked) = asked else { return Vec::new() };
        let same = names.uses.iter().filter(|(_, definition)| *definition == asked);
        let mut found: Vec<(Span, bool)> = same.map(|(span, definition)| (*span, span == definition)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the place of the type of what is meant at a byte of a file: the attribute `type` of an input.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn type_definition(&self, path: &str, offset: usize) -> Result<Option<Location>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        let Some(definition) = project.at(file.source(), offset).filter(|one| one.is_input()) else { return Ok(None) };
        let place = definition.place();
        let Some(native) = self.file(place.source().name()).and_then(|file| file.native()) else { return Ok(None) };
        let Some(hcl_lr::syntax::ast::BodyItem::Block(block)) =
            crate::hover::item_at(native.body(), place.span().start())
        else {
            return Ok(None);
        };
        let span = block.body().attribute("type").map(|attribute| attribute.span());
        Ok(span.map(|span| Location { path: place.source().name().into(), span }))
    }

    /// Returns the places that give a value to an input, or use a result from outside: arguments in the calls of a module,
    /// and files with values.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn implementation(&self, path: &str, offset: usize) -> Result<Vec<Location>, Cancelled> {
        let Some(found) = self.references(path, offset)? else { return Ok(Vec::new()) };
        let Some(own) = self.project(&found.definition.path)? else { return Ok(Vec::new()) };
        let is_own = |location: &Location| own.files().iter().any(|file| file.path() == &location.path);
        Ok(found.uses.into_iter().map(|one| one.name).filter(|name| !is_own(name)).collect())
    }
}
