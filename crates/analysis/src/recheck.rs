//! The diagnostics of a large project after edits that leave the defined names as they are.
//!
//! Most of what a check finds stays as it is while somebody types, only at other places. An edit can change what is found in
//! its own item (a block or an attribute at the top of a file, or an attribute in a block such as `locals`), and in the items
//! that refer to it. These are checked again in a project whose other items are blank, but for those that they refer to in
//! turn: the project has all names, at the same places, and little else. The findings in all other items are those of the
//! last whole check.

mod edits;
mod items;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::{Place, Source, Span};

use crate::diagnostics::{findings_of, sorted, unused};
use crate::file::{File, Text};
use crate::finding::{Finding, Tag};
use crate::project::Project;
use crate::settings::Settings;
use crate::state::{Folder, State};

use edits::Edits;
pub(crate) use items::Items;
use items::{Item, ItemId, Set, position};

/// The maximum number of times that blank items turn out to be needed. References lead to definitions, and those of what is
/// new in the text are known after the first time.
const MAX_ROUNDS: usize = 3;

/// The diagnostics of a project after edits.
pub(crate) struct Recheck {
    /// The project before the edits.
    before: Arc<Project>,
    /// The folder after the edits.
    folder: Arc<Folder>,
    /// The project with the items that the edits have to do with.
    part: Project,
    edits: Edits,
    /// The items that are checked again.
    affected: Set,
    /// The diagnostics that are known, by path.
    found: Mutex<HashMap<Arc<str>, Arc<[Finding]>>>,
}

impl Recheck {
    /// Checks the files of a workspace again where they differ from those of a project. `None` if a name is defined in another
    /// way or at another place, or if most of the project has to be checked again.
    pub fn of(state: &State, before: &Arc<Project>) -> Option<Recheck> {
        let folder = state.shared_folder(before.folder())?;
        let all = before.items()?;
        let edits = Edits::between(all, before.edited_files(state)?)?;
        let broken: Vec<Arc<Source>> = all.files()[..before.files().len()]
            .iter()
            .map(|known| edits.file(known))
            .filter(|file| file.parsed().diagnostics.has_errors())
            .map(|file| file.source().clone())
            .collect();
        let affected = affected(before, all, &edits, !broken.is_empty())?;
        let mut whole = affected.clone();
        all.add_needed(&mut whole);
        for _ in 0..MAX_ROUNDS {
            let mut part = part(state, before, all, &edits, &whole)?;
            part.model_mut().set_broken_texts(broken.clone());
            let all_alike = all
                .files()
                .iter()
                .zip(part.files())
                .all(|(known, part)| is_alike(&edits.file(known).parsed().diagnostics, &part.parsed().diagnostics));
            if part.files().len() != before.files().len()
                || !all_alike
                || !has_names_of(&part, before)
                || !part.model().facts().state_the_same(before.model().facts())
                || part.references().have_wholes()
            {
                return None;
            }
            let references = part.references().iter().filter(|reference| edits.are_at(all, reference.place()));
            let targets = references.filter_map(|reference| edits.at(all, reference.definition().name_place()));
            let missing: Vec<ItemId> = targets.filter(|target| !whole.has(*target)).collect();
            if missing.is_empty() {
                let (before, folder) = (before.clone(), folder.clone());
                return Some(Recheck { before, folder, part, edits, affected, found: Mutex::default() });
            }
            missing.into_iter().for_each(|item| whole.insert(item));
            all.add_needed(&mut whole);
        }
        None
    }

    /// Returns true if these are the files of a workspace.
    pub fn is_of(&self, state: &State) -> bool {
        state.shared_folder(self.before.folder()).is_some_and(|folder| Arc::ptr_eq(folder, &self.folder))
            && self.before.edited_files(state).is_some()
    }

    /// Returns the project before the edits.
    pub fn before(&self) -> &Arc<Project> {
        &self.before
    }

    /// Returns the folders that were read before the edits, and those that are read after them.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.before.seen().chain(self.part.seen())
    }

    /// Returns true if a project is the one before the edits.
    pub fn is_after(&self, project: &Arc<Project>) -> bool {
        Arc::ptr_eq(&self.before, project)
    }

    /// Returns the diagnostics of a file that has some in the project before the edits. `None` if one of them depends on a place
    /// that has changed.
    pub fn findings(&self, state: &State, known: &[Finding], path: &str) -> Option<Arc<[Finding]>> {
        let mut kept = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.get(path) {
            return Some(found.clone());
        }
        let file = state.file(path)?;
        let found: Arc<[Finding]> = self.find(file, state.settings(), known)?.into();
        kept.insert(file.path().clone(), found.clone());
        Some(found)
    }

    fn find(&self, file: &Arc<File>, settings: &Settings, known: &[Finding]) -> Option<Vec<Finding>> {
        let all = self.before.items()?;
        let items = all.file(file.path())?;
        let is_affected = |at: Option<usize>| at.is_none_or(|at| self.affected.has(items.first + at));
        let now = self.edits.items(items);
        let (lost, gained) = self.references_of_changed(all);
        let mut found = Vec::new();
        for finding in known {
            let place = finding.diagnostic.place();
            if is_affected(items.position(place.span())) {
                continue;
            }
            let moved = Finding {
                diagnostic: finding.diagnostic.with_places(|place| self.edits.moved(all, place))?,
                ..*finding
            };
            if moved.tag != Some(Tag::Unused) || !gained.contains(&span_in(moved.diagnostic.place())) {
                found.push(moved);
            }
        }
        for definition in self.part.model().unused(file.path()) {
            let place = definition.name_place();
            let may_be_new = is_affected(position(now, place.span())) || lost.contains(&span_in(place));
            if may_be_new && !self.is_used_elsewhere(all, definition.address()) {
                let finding = Finding::new(unused(&definition), Some(Tag::Unused), settings);
                found.extend(finding.and_then(|finding| self.in_text(finding)));
            }
        }
        let part = findings_of(&self.part, file.path(), settings);
        let part = part.into_iter().filter(|finding| is_affected(position(now, finding.diagnostic.span())));
        for finding in part {
            found.push(self.in_text(finding)?);
        }
        Some(sorted(found))
    }

    /// Returns the names of the definitions that edited items referred to, and of those that they refer to now, by their files
    /// and places now.
    fn references_of_changed(&self, all: &Items) -> (HashSet<NameAt>, HashSet<NameAt>) {
        let was = self.before.references().iter().filter(|reference| {
            !reference.is_definition() && all.at(reference.place()).is_some_and(|item| self.edits.changed(item))
        });
        let was = was.filter_map(|reference| self.edits.moved(all, reference.definition().name_place()));
        let is = self
            .part
            .references()
            .iter()
            .filter(|reference| !reference.is_definition() && self.edits.are_at(all, reference.place()));
        let is: HashSet<NameAt> = is.map(|reference| span_in(reference.definition().name_place())).collect();
        (was.map(|place| span_in(&place)).filter(|name| !is.contains(name)).collect(), is)
    }

    /// Returns true if an item that has not been edited refers to a definition.
    fn is_used_elsewhere(&self, all: &Items, address: &str) -> bool {
        let (definitions, references) = (self.before.definitions(), self.before.references());
        definitions.get(address).is_some_and(|definition| {
            references.to(&definition).any(|reference| {
                !reference.is_definition() && all.at(reference.place()).is_none_or(|item| !self.edits.changed(item))
            })
        })
    }

    /// Returns a finding in the part of the project as one in the text.
    fn in_text(&self, finding: Finding) -> Option<Finding> {
        let all = self.before.items()?;
        let place_of = |place: &Place| {
            let known = all.file(place.source().name());
            Some(Place::new(known.map_or(place.source(), |known| self.edits.file(known).source()), place.span()))
        };
        Some(Finding { diagnostic: finding.diagnostic.with_places(place_of)?, ..finding })
    }
}

/// The name of a file, and a span in it.
type NameAt = (Arc<str>, Span);

fn span_in(place: &Place) -> NameAt {
    (place.source().name().into(), place.span())
}

/// Returns the positions of the items that errors touch.
fn touched<'i>(items: &'i [Item], errors: &'i Diagnostics) -> impl Iterator<Item = usize> + use<'i> {
    errors.errors().flat_map(move |error| {
        let span = error.span();
        let from = items.partition_point(|item| item.span.end() < span.start());
        (from..items.len()).take_while(move |at| items[*at].span.start() <= span.end())
    })
}

/// Returns the items in which the findings may be others after edits.
fn affected(before: &Project, all: &Items, edits: &Edits, is_broken: bool) -> Option<Set> {
    let mut affected = edits.all_changed().clone();
    all.add_dependent(&mut affected);
    let was_broken = before.model().has_text_errors();
    if was_broken || is_broken {
        // Undefined names may be defined in broken text.
        for found in before.references().undefined() {
            affected.insert(all.at(found.place())?);
        }
    }
    if was_broken != is_broken {
        // Nothing is said of files with values beside broken text.
        all.files()[before.files().len()..].iter().for_each(|file| affected.insert(file.first));
    }
    for known in all.files() {
        let file = edits.file(known);
        if Arc::ptr_eq(file, &known.file) {
            continue;
        }
        let (was, is) = (&known.file.parsed().diagnostics, &file.parsed().diagnostics);
        let touched = touched(&known.items, was).chain(touched(edits.items(known), is));
        touched.for_each(|at| affected.insert(known.first + at));
    }
    Some(affected)
}

/// Returns a project with the same files, in which the items that are not whole are blank. `None` if more is whole than
/// blank.
fn part(state: &State, before: &Project, all: &Items, edits: &Edits, whole: &Set) -> Option<Project> {
    let (mut texts, mut blank, mut kept) = (Vec::new(), 0, 0);
    for known in all.files() {
        let mut blanks: Vec<(Span, Span)> = Vec::new();
        for (at, item) in edits.items(known).iter().enumerate() {
            match item.inside.filter(|_| !whole.has(known.first + at)) {
                Some(inside) => {
                    blank += inside.len();
                    blanks.push((item.span, inside));
                }
                None => kept += item.span.end() - item.header_end,
            }
        }
        texts.push((edits.file(known), blanks));
    }
    if blank < kept {
        return None;
    }
    texts.retain(|(_, blanks)| !blanks.is_empty());
    let files = texts.iter().map(|(file, blanks)| {
        let text = blanked(file.source().text(), blanks.iter().map(|(_, inside)| *inside));
        Arc::new(File::new(file.path(), file.chosen().clone(), Text::Text(text.into()), OnceLock::new()))
    });
    let mut part = state.clone();
    part.replace_texts(before.folder(), files);
    let mut project = Project::load(&part, before.key());
    for (file, blanks) in texts {
        project.model_mut().leave_out(file.path(), blanks.into_iter().map(|(item, _)| item).collect());
    }
    Some(project)
}

/// Returns a text with spaces in place of some parts of it. Line ends stay.
fn blanked(text: &str, parts: impl IntoIterator<Item = Span>) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut end = 0;
    for part in parts {
        blanked.push_str(&text[end..part.start()]);
        let spaces =
            text[part.range()].bytes().map(|byte| if matches!(byte, b'\r' | b'\n') { byte.into() } else { ' ' });
        blanked.extend(spaces);
        end = part.end();
    }
    blanked.push_str(&text[end..]);
    blanked
}

/// Returns true if two lists have the same codes at the same places.
fn is_alike(one: &Diagnostics, other: &Diagnostics) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.span() == other.span() && one.code() == other.code())
}

/// Returns true if two projects define the same names in the same order, apart from those in called modules.
fn has_names_of(one: &Project, other: &Project) -> bool {
    fn own(project: &Project) -> impl Iterator<Item = &str> {
        let own = project.definitions().iter().filter(|definition| definition.module().is_none());
        own.map(|definition| definition.address())
    }
    own(one).eq(own(other))
}
