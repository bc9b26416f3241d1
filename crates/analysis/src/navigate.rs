//! Navigation: definitions, references, highlights, types, implementations.

use std::collections::BTreeSet;
use std::sync::Arc;

use hcl_lr::internal::sort_by_key;
use hcl_lr::source::{Place, Span};
use hcl_lr_language::definitions::Definition;

use crate::Location;
use crate::local_names::local_name;
use crate::parts::PathsAt;
use crate::project::Project;
use crate::spans::{item_at, touches};
use crate::workspace::{Cancelled, File, Snapshot};
use hcl_lr_project::Key;
use hcl_lr_project::paths::split;

/// A place that refers to a definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The name in the reference.
    pub name: Location,
    /// The whole reference.
    pub whole: Location,
    /// True if it is the name of another block with the same definition, or sets its value.
    pub is_definition: bool,
}

/// A definition with all its references.
#[derive(Clone, Debug)]
pub struct Found {
    /// The address, as in the files of its own folder.
    pub address: String,
    /// The name in the address.
    pub name: String,
    /// The parts of the address before and after the name. `None` if the address does not contain the name.
    pub(crate) around: Option<(String, String)>,
    /// The place of the name.
    pub definition: Location,
    /// The block or attribute that defines it.
    pub whole: Location,
    /// The references, in the order of files and places.
    pub uses: Vec<Use>,
    /// The span in question.
    pub asked: Span,
    /// True if a `for` defines the name, so that its scope is a part of an expression.
    pub is_local: bool,
    /// True if it is a part of a definition, such as the key of an object.
    pub is_part: bool,
}

/// Returns the span of a definition's name, or of a reference to it, at a place in a file.
pub(crate) fn span_at(project: &Project, file: &File, definition: &Definition<'_>, offset: usize) -> Option<Span> {
    let fits = |place: &Place| place.source().name() == &**file.path() && touches(place.span(), offset);
    if fits(definition.name_place()) {
        return Some(definition.name_place().span());
    }
    let mut all = project.references().to(definition);
    let found = all.find(|reference| fits(reference.place()) || fits(reference.name_place()))?;
    Some(if fits(found.place()) { found.place().span() } else { found.name_place().span() })
}

impl Snapshot {
    /// Returns the projects of other folders that call the files of a project as a module.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn callers(&self, project: &Project) -> Result<Vec<Arc<Project>>, Cancelled> {
        if !project.language().roles().has_modules() {
            return Ok(Vec::new());
        }
        // Indirect callers see the files, too, through the modules that they call.
        let folders = self.shared(project.language(), |shared| {
            let mut folders: Vec<String> = vec![project.folder().to_owned()];
            let mut known: BTreeSet<String> = folders.iter().cloned().collect();
            let mut at = 0;
            while at < folders.len() {
                let callers: Vec<String> = shared.callers(&folders[at]).map(|path| split(path).0.to_owned()).collect();
                folders.extend(callers.into_iter().filter(|caller| known.insert(caller.clone())));
                at += 1;
            }
            folders
        })?;
        folders[1..].iter().map(|folder| self.project_of(&Key::of_folder(folder, project.language()))).collect()
    }

    /// Returns the definition at a byte of a file.
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
            let mut files: Vec<&Arc<File>> = files.filter(|other| other.language() == file.language()).collect();
            sort_by_key(&mut files, |file| (!file.name().starts_with("main."), file.name().to_owned()));
            if let Some(first) = files.first() {
                let start = Location { path: first.path().clone(), span: Span::default() };
                return Ok(Some((call.span, start.clone(), start)));
            }
        }
        if let Some(local) = local_name(file, offset) {
            let place = Location { path: file.path().clone(), span: local.definition };
            return Ok(Some((local.asked, place.clone(), place)));
        }
        Ok(self.part_at(file, &project, offset).map(|(span, place)| (span, place.clone(), place)))
    }

    /// Returns the place where files set the part of a definition at a byte of a file, with the span of its name there.
    pub(crate) fn part_at(&self, file: &Arc<File>, project: &Project, offset: usize) -> Option<(Span, Location)> {
        let (cursor, chain, span) = self.path_at(file, offset)?;
        let place = PathsAt::new(self, file, project, &cursor).place(&chain)?;
        Some((span, place))
    }

    /// Returns the whole block or attribute of a definition.
    pub(crate) fn whole(&self, definition: &Definition<'_>) -> Location {
        let place = definition.place();
        let mut location = Location::of(place);
        if let Some(native) = self.file(place.source().name()).and_then(|file| file.native()) {
            let item = item_at(native.body(), place.span().start());
            if let Some(hcl_lr::syntax::ast::BodyItem::Block(block)) = item
                && block.header_span() == place.span()
            {
                location.span = block.span();
            }
        }
        location
    }

    /// Returns the definition at a byte of a file with all references to it: in the files of its folder, in those next
    /// to them, and in the folders that call them as a module.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn references(&self, path: &str, offset: usize) -> Result<Option<Found>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        let Some(definition) = project.at(file.source(), offset) else {
            return match self.local_references(file, offset) {
                Some(found) => Ok(Some(found)),
                None => self.part_references(file, &project, offset, true),
            };
        };
        let asked = span_at(&project, file, &definition, offset).unwrap_or_default();
        let place = Location::of(definition.name_place());
        let Some(mut found) = self.uses_of(&place)? else { return Ok(None) };
        found.asked = asked;
        Ok(Some(found))
    }

    /// Returns the definition whose name is at a location, with all references to it.
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
            for same in project.all_defined_at(place) {
                uses.extend(project.references().to(&same).map(|reference| Use {
                    name: Location::of(reference.name_place()),
                    whole: Location::of(reference.place()),
                    is_definition: reference.is_definition(),
                }));
            }
        }
        Ok(Some(Found {
            address: definition.address().to_owned(),
            name: definition.name().to_owned(),
            around: definition.around_name().map(|(before, after)| (before.to_owned(), after.to_owned())),
            definition: place.clone(),
            whole: self.whole(&definition),
            uses: uses.into_iter().collect(),
            asked: place.span,
            is_local: false,
            is_part: false,
        }))
    }

    /// Returns the places in a file that mean the same as a place, with `true` for definitions and assignments.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn highlights(&self, path: &str, offset: usize) -> Result<Vec<(Span, bool)>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(Vec::new()) };
        let Some(definition) = project.at(file.source(), offset) else {
            let Some(local) = local_name(file, offset) else { return self.part_highlights(file, &project, offset) };
            let uses = local.uses.into_iter().map(|span| (span, false));
            let mut all: Vec<(Span, bool)> = uses.chain([(local.definition, true)]).collect();
            all.sort_unstable();
            return Ok(all);
        };
        let is_in_file = |place: &Place| place.source().name() == path;
        let mut all: BTreeSet<(Span, bool)> = BTreeSet::new();
        all.extend(Some(definition.name_place()).filter(|place| is_in_file(place)).map(|place| (place.span(), true)));
        for reference in project.references().to(&definition).filter(|reference| is_in_file(reference.name_place())) {
            all.insert((reference.name_place().span(), reference.is_definition()));
        }
        Ok(all.into_iter().collect())
    }

    /// Returns the places in a file that mean the same part of a definition as a place.
    fn part_highlights(
        &self,
        file: &Arc<File>,
        project: &Arc<Project>,
        offset: usize,
    ) -> Result<Vec<(Span, bool)>, Cancelled> {
        let Some(found) = self.part_references(file, project, offset, false)? else { return Ok(Vec::new()) };
        let uses = found.uses.into_iter().map(|reference| (reference.name, reference.is_definition));
        let all = uses.chain([(found.definition, true)]).filter(|(place, _)| place.path == *file.path());
        let mut all: Vec<(Span, bool)> = all.map(|(place, is_definition)| (place.span, is_definition)).collect();
        all.sort_unstable();
        Ok(all)
    }

    /// Returns the name at a byte of a file with its uses, if a `for` defines it.
    fn local_references(&self, file: &File, offset: usize) -> Option<Found> {
        let local = local_name(file, offset)?;
        let location = |span: Span| Location { path: file.path().clone(), span };
        let name = file.source().text()[local.definition.range()].to_owned();
        let uses =
            local.uses.iter().map(|span| Use { name: location(*span), whole: location(*span), is_definition: false });
        Some(Found {
            address: name.clone(),
            name,
            around: Some((String::new(), String::new())),
            definition: location(local.definition),
            whole: location(local.definition),
            uses: uses.collect(),
            asked: local.asked,
            is_local: true,
            is_part: false,
        })
    }

    /// Returns the place of the type of the definition at a byte of a file: the attribute `type` of an input.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn type_definition(&self, path: &str, offset: usize) -> Result<Option<Location>, Cancelled> {
        let (Some(file), Some(project)) = (self.file(path), self.project(path)?) else { return Ok(None) };
        let Some(definition) = project.at(file.source(), offset).filter(|definition| definition.is_input()) else {
            return Ok(None);
        };
        let place = definition.place();
        let Some(native) = self.file(place.source().name()).and_then(|file| file.native()) else { return Ok(None) };
        let Some(hcl_lr::syntax::ast::BodyItem::Block(block)) = item_at(native.body(), place.span().start()) else {
            return Ok(None);
        };
        let span = block.body().attribute("type").map(|attribute| attribute.span());
        Ok(span.map(|span| Location { path: place.source().name().into(), span }))
    }

    /// Returns the places that set an input, or use a result from outside: arguments in the calls of a module, and
    /// files with values.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn implementation(&self, path: &str, offset: usize) -> Result<Vec<Location>, Cancelled> {
        let Some(found) = self.references(path, offset)? else { return Ok(Vec::new()) };
        let Some(own) = self.project(&found.definition.path)? else { return Ok(Vec::new()) };
        let is_own = |location: &Location| own.files().iter().any(|file| file.path() == &location.path);
        Ok(found.uses.into_iter().map(|reference| reference.name).filter(|name| !is_own(name)).collect())
    }
}
