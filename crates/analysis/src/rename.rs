//! Renames definitions, with all references to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hcl_lr::diagnostic::Severity;
use hcl_lr::internal::sort_by;
use hcl_lr::source::{Replacement, Span};
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::model::DefinitionKind;
use hcl_lr_language::schema::{Body, Type};

use crate::knowledge::Header;
use crate::navigate::Found;
use crate::project::Project;
use crate::workspace::{Cancelled, Snapshot};
use crate::{Edit, Location};

/// The reason why something cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// The files have changed meanwhile.
    Cancelled,
    /// A message for users.
    Refused(String),
}

impl From<Cancelled> for RenameError {
    fn from(_: Cancelled) -> Self {
        RenameError::Cancelled
    }
}

impl std::fmt::Display for RenameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RenameError::Cancelled => Cancelled.fmt(f),
            RenameError::Refused(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for RenameError {}

/// Returns the start of the name of a definition after the edits.
fn moved_start(found: &Found, edits: &[Edit]) -> usize {
    let place = &found.definition;
    let own = edits.iter().filter(|edit| edit.location.path == place.path);
    let before = own.filter(|edit| edit.location.span.end() <= place.span.start());
    let shift: i64 = before.map(|edit| edit.text.len() as i64 - edit.location.span.len() as i64).sum();
    (place.span.start() as i64 + shift) as usize
}

impl Snapshot {
    /// Returns the renamable name at a byte of a file, with its span.
    ///
    /// # Errors
    /// Nothing there can be renamed.
    pub fn prepare_rename(&self, path: &str, offset: usize) -> Result<(Span, String), RenameError> {
        let found = self.to_rename(path, offset)?;
        let is_at_cursor = |place: &Location| &*place.path == path && crate::spans::touches(place.span, offset);
        let mut places = std::iter::once(&found.definition).chain(found.uses.iter().map(|reference| &reference.name));
        match places.find(|place| is_at_cursor(place)) {
            Some(place) => Ok((self.without_quotes(place), found.name.clone())),
            None => Err(RenameError::Refused(format!(
                "put the cursor on `{}`, the name in `{}`, to rename it",
                found.name, found.address
            ))),
        }
    }

    fn to_rename(&self, path: &str, offset: usize) -> Result<Found, RenameError> {
        match self.references(path, offset)? {
            Some(found) => Ok(found),
            None => Err(RenameError::Refused("nothing here is the name of a definition".to_owned())),
        }
    }

    fn text_at(&self, place: &Location) -> &str {
        let file = self.file(&place.path);
        file.and_then(|file| file.source().text().get(place.span.range())).unwrap_or_default()
    }

    /// Returns the span of a name without the quotes and backslashes around it.
    fn without_quotes(&self, place: &Location) -> Span {
        let text = self.text_at(place);
        let inner = text.trim_start_matches(['"', '\\']);
        let start = place.span.start() + text.len() - inner.len();
        Span::new(start, start + inner.trim_end_matches(['"', '\\']).len())
    }

    /// Returns the edits that rename the definition at a byte of a file, in all files that refer to it.
    ///
    /// # Errors
    /// There is no such definition, the name is invalid, or the new name would change the meaning of an expression.
    pub fn rename(&self, path: &str, offset: usize, name: &str) -> Result<Vec<Edit>, RenameError> {
        let found = self.to_rename(path, offset)?;
        let refused = |why: String| Err(RenameError::Refused(why));
        if !is_identifier(name) {
            return refused(format!(
                "`{name}` cannot be a name; use letters, digits, `_` and `-`, beginning with a letter"
            ));
        }
        let Some((before, after)) = &found.around else {
            return refused(format!("`{}` has no name of its own, so it cannot be renamed", found.address));
        };
        let address = format!("{before}{name}{after}");
        let Some(own) = self.project(&found.definition.path)? else { return Ok(Vec::new()) };
        if !found.is_local
            && name != found.name
            && own.definitions().get(&address).is_some_and(|definition| definition.address() == address)
        {
            return refused(format!("`{address}` is defined already; choose another name"));
        }
        let mut edits: Vec<Edit> = Vec::new();
        for place in std::iter::once(&found.definition).chain(found.uses.iter().map(|reference| &reference.name)) {
            let span = self.without_quotes(place);
            let location = Location { path: place.path.clone(), span };
            if self.text_at(&location) != found.name {
                return refused(format!("`{}` writes the name in another way; change it by hand first", place.path));
            }
            edits.push(Edit { location, text: name.to_owned() });
        }
        sort_by(&mut edits, |left, right| left.location.cmp(&right.location));
        edits.dedup();
        let is_installed = |edit: &&Edit| self.file(&edit.location.path).is_some_and(|file| file.is_installed());
        if let Some(edit) = edits.iter().find(is_installed) {
            return refused(format!("`{}` is a file of an installed module, which is not edited", edit.location.path));
        }
        match (found.is_local, found.is_part) {
            (true, _) => self.check_local(&found, name, &edits)?,
            (_, true) => self.check_part(&found, &address, &edits)?,
            _ => {
                self.check_renamed(&found, &address, &edits)?;
                let moved = if name == found.name { None } else { self.moved(&own, &found, &address) };
                edits.extend(moved);
                sort_by(&mut edits, |left, right| left.location.cmp(&right.location));
            }
        }
        Ok(edits)
    }

    /// Returns the edit that adds a block which says that a definition has a new address, if the language has such blocks
    /// and keeps what the definition has made: otherwise, the program would make it again.
    fn moved(&self, project: &Project, found: &Found, address: &str) -> Option<Edit> {
        let definition = project.defined_at(&found.definition).filter(|definition| definition.module().is_none())?;
        let file = self.file(&found.whole.path).filter(|file| file.native().is_some())?;
        let header = Header { block_type: definition.block_type()?.to_owned(), labels: Vec::new() };
        let checkers = file.language().checkers(file.path());
        let block_type = checkers.iter().find_map(|checker| {
            let block = crate::description::find_top(checker, file.path(), &header)?;
            let defines = block.defines.as_ref().filter(|it| it.stored || it.value == DefinitionKind::Module)?;
            let takes = |body: &Body, name: &str| {
                let attribute = body.attributes.iter().find(|attribute| attribute.name == name);
                attribute.is_some_and(|it| matches!(&it.ty, Type::Address(kinds) if kinds.contains(&defines.kind)))
            };
            let blocks = || checker.schema().parts.iter().flat_map(|part| &part.body.blocks);
            let says = blocks().find(|block| takes(&block.body, "from") && takes(&block.body, "to"))?;
            // What is only read, as data are, cannot be removed either.
            let is_from_address = |body: &Body| {
                let from = body.attributes.iter().find(|attribute| attribute.name == "from");
                from.is_some_and(|from| matches!(from.ty, Type::Address(_)))
            };
            let mut others = blocks().filter(|block| is_from_address(&block.body));
            others.all(|block| takes(&block.body, "from")).then(|| says.name.clone())
        })?;
        let end = found.whole.span.end();
        let text = format!("\n\n{block_type} {{\n  from = {}\n  to   = {address}\n}}", found.address);
        Some(Edit { location: Location { path: found.whole.path.clone(), span: Span::new(end, end) }, text })
    }

    /// Checks that after renaming a name of a `for`, all names in the file mean the same as before.
    fn check_local(&self, found: &Found, name: &str, edits: &[Edit]) -> Result<(), RenameError> {
        let path = &found.definition.path;
        let changed = self.with_edits(edits).keeping();
        let start = moved_start(found, edits);
        let local = changed.file(path).and_then(|file| crate::local_names::local_name(file, start));
        let same_uses =
            local.is_some_and(|local| local.definition.start() == start && local.uses.len() == found.uses.len());
        let same_references = match (self.project(path)?, changed.project(path)?) {
            (Some(old), Some(new)) => {
                let count =
                    |project: &Project| (project.references().iter().len(), project.references().undefined().len());
                count(&old) == count(&new)
            }
            _ => true,
        };
        match same_uses && same_references && !self.breaks(&changed, edits) {
            true => Ok(()),
            false => {
                Err(RenameError::Refused(format!("with the name `{name}`, expressions would mean something else")))
            }
        }
    }

    /// Checks that after renaming a part, the same places refer to it as before, and that no file has more errors: the
    /// value may also be used as a whole.
    fn check_part(&self, found: &Found, address: &str, edits: &[Edit]) -> Result<(), RenameError> {
        let new_name = address.rsplit('.').next().unwrap_or(address);
        if new_name != found.name && self.has_key_beside(&found.definition, new_name) {
            return Err(RenameError::Refused(format!("`{address}` is defined already; choose another name")));
        }
        let changed = self.with_edits(edits).keeping();
        let path = &found.definition.path;
        let (Some(old), Some(new)) = (self.project(path)?, changed.project(path)?) else { return Ok(()) };
        let mut projects = vec![(old.clone(), new)];
        for caller in self.callers(&old)? {
            let new = changed.project_of(caller.key())?;
            projects.push((caller, new));
        }
        let start = moved_start(found, edits);
        let is_same = match changed.file(path).zip(changed.project(path)?) {
            Some((file, project)) => {
                let again = changed.part_references(file, &project, start, true)?;
                again
                    .is_some_and(|again| again.definition.span.start() == start && again.uses.len() == found.uses.len())
            }
            None => false,
        };
        let has_more_errors = || -> Result<bool, Cancelled> {
            for (old, new) in &projects {
                let count = |snapshot: &Snapshot, project: &Project| -> Result<usize, Cancelled> {
                    let mut count = 0;
                    for file in project.files().iter().chain(project.beside()) {
                        let all = snapshot.diagnostics(file.path())?;
                        count += all.iter().filter(|finding| finding.severity == Severity::Error).count();
                    }
                    Ok(count)
                };
                if count(&changed, new)? > count(self, old)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if !is_same || self.breaks(&changed, edits) || has_more_errors()? {
            let why = format!("with the name `{address}`, expressions would mean something else");
            return Err(RenameError::Refused(why));
        }
        Ok(())
    }

    /// Returns true if edits cause an error in a file that had none, for example because the new name is taken.
    fn breaks(&self, changed: &Snapshot, edits: &[Edit]) -> bool {
        let is_wrong = |snapshot: &Snapshot, path: &str| {
            snapshot.file(path).is_some_and(|file| file.parsed().diagnostics.has_errors())
        };
        let paths: BTreeSet<&str> = edits.iter().map(|edit| &*edit.location.path).collect();
        paths.into_iter().any(|path| is_wrong(changed, path) && !is_wrong(self, path))
    }

    /// Checks that after the edits all references have the same targets as before.
    fn check_renamed(&self, found: &Found, address: &str, edits: &[Edit]) -> Result<(), RenameError> {
        let changed = self.with_edits(edits).keeping();
        let Some(own) = self.project(&found.definition.path)? else { return Ok(()) };
        let mut folders = vec![own.clone()];
        let is_seen_outside = own
            .defined_at(&found.definition)
            .is_some_and(|definition| definition.is_input() || definition.is_result() || definition.is_module());
        if is_seen_outside {
            folders.extend(self.callers(&own)?);
        }
        let start = moved_start(found, edits) as i64;
        if self.breaks(&changed, edits) {
            let why = format!("a file has something of the name `{address}` already; choose another name");
            return Err(RenameError::Refused(why));
        }
        for old in folders {
            let new = changed.project_of(old.key())?;
            let is_it = |definition: &Definition<'_>| {
                let place = definition.name_place();
                place.source().name() == &*found.definition.path && place.span().start() as i64 == start
            };
            let count = |project: &Project, definitions: &mut dyn Iterator<Item = Definition<'_>>| {
                definitions.map(|definition| project.references().to(&definition).len()).collect::<Vec<_>>()
            };
            let same = count(&old, &mut old.all_defined_at(&found.definition))
                == count(&new, &mut new.definitions().iter().filter(is_it))
                && new.references().iter().len() == old.references().iter().len()
                && new.references().undefined().len() == old.references().undefined().len()
                && new.model().definition_errors().errors().count() <= old.model().definition_errors().errors().count();
            if !same {
                let why = match own.folder() == old.folder() {
                    true => format!("with the name `{address}`, expressions would mean something else"),
                    false => {
                        format!(
                            "with the name `{address}`, expressions in `{}` would mean something else",
                            old.folder()
                        )
                    }
                };
                return Err(RenameError::Refused(why));
            }
        }
        Ok(())
    }

    /// Returns a snapshot with the edits applied.
    pub(crate) fn with_edits(&self, edits: &[Edit]) -> Snapshot {
        let mut by_file: BTreeMap<&Arc<str>, Vec<Replacement>> = BTreeMap::new();
        for edit in edits {
            let replacement = Replacement::new(edit.location.span, edit.text.clone());
            by_file.entry(&edit.location.path).or_default().push(replacement);
        }
        let texts = by_file.into_iter().filter_map(|(path, replacements)| {
            let text = self.file(path)?.source().text();
            Some((path.clone(), Replacement::apply(&replacements, text).ok()?))
        });
        self.with_texts(texts)
    }
}
