//! `--callers`: the modules that call a folder, with their references.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::args::Folders;
use super::context::Context;
use super::error::Error;
use super::input::Origin;
use super::project::{Project, find};
use super::root::identity;
use hcl_lr::source::Place;
use hcl_lr::source::visible::path as shown;
use hcl_lr_language::definitions::{Definition, References};

/// Which other folders are looked through.
#[derive(clap::Args)]
pub struct Callers {
    /// Look for folders below this one that call the files as a module, too; can be given several times
    ///
    /// Without it, only the files that are named and the modules that they call are looked through.
    #[arg(long = "callers", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// The occurrences of a definition in a project: the definition itself, and the references to it.
pub struct Occurrences<'p> {
    pub project: &'p Project,
    pub definition: Definition<'p>,
    pub references: References,
}

impl Callers {
    /// Reads the projects that call a module, except for those in `known`. `search` decides which folders are
    /// searched.
    ///
    /// # Errors
    /// A message, if a folder cannot be read.
    pub fn load(&self, context: &Context, known: &[Project], search: &Folders) -> Result<Vec<Project>, Error> {
        let mut found = Vec::new();
        let exclude = search.exclude()?;
        let mut seen: HashSet<PathBuf> = known.iter().map(|project| identity(&project.folder())).collect();
        for folder in &self.folders {
            // Folders can call each other only in languages with modules.
            if !known.first().is_some_and(Project::has_modules) {
                return Err("`--callers` looks for calls of modules, and these files have none".into());
            }
            if !folder.is_dir() {
                return Err(format!("`--callers` needs a folder, and `{}` is not one", shown(folder)).into());
            }
            let files = search.search(&exclude).run(context, std::slice::from_ref(folder), |_| {});
            files.note_links(context);
            if let Some(failure) = files.failures.into_iter().next() {
                return Err(failure.into());
            }
            let paths = files.origins.iter().filter_map(Origin::path);
            found.extend(calling(known, paths, &mut seen)?);
        }
        Ok(found)
    }

    /// Returns true if other folders are searched for calls.
    pub fn is_given(&self) -> bool {
        !self.folders.is_empty()
    }
}

/// Reads the projects in the folders of files, except for those in `seen`.
///
/// # Errors
/// A message, if a file cannot be read.
pub fn calling<'a>(
    known: &[Project],
    files: impl Iterator<Item = &'a Path>,
    seen: &mut HashSet<PathBuf>,
) -> Result<Vec<Project>, Error> {
    let parent = |path: &Path| path.parent().filter(|parent| !parent.as_os_str().is_empty()).map(Path::to_owned);
    let folders: BTreeSet<PathBuf> = files.map(|path| parent(path).unwrap_or_else(|| PathBuf::from("."))).collect();
    let new = folders.into_iter().filter(|folder| seen.insert(identity(folder)));
    new.filter_map(|folder| Project::of_caller(known, &folder).transpose()).collect()
}

/// Returns the occurrences of a definition in its project, followed by those in its callers.
///
/// # Errors
/// A message, if a neighbouring file cannot be read.
pub fn occurrences<'p>(
    project: &'p Project,
    definition: Definition<'p>,
    callers: &'p [Project],
    color: bool,
) -> Result<Vec<Occurrences<'p>>, Error> {
    let references = project.references(Some(&definition), color)?;
    let mut all = vec![Occurrences { project, definition, references }];
    let definition_identity = identity_of(definition.name_place());
    for project in callers {
        let name = definition.name();
        let mut same = project
            .definitions()
            .iter()
            .filter(|definition| definition.name() == name && definition.module().is_some());
        if let Some(definition) = same.find(|definition| identity_of(definition.name_place()) == definition_identity) {
            let references = project.references(Some(&definition), color)?;
            all.push(Occurrences { project, definition, references });
        }
    }
    Ok(all)
}

/// Returns a key that is equal for the same place in files that were read twice.
pub fn identity_of(place: &Place) -> (PathBuf, usize) {
    (identity(Path::new(place.source().name())), place.span().start())
}

/// The project and the definition in it that an address means.
///
/// # Errors
/// Several projects have it.
pub fn defined<'p>(projects: &'p [Project], address: &str) -> Result<Option<(&'p Project, Definition<'p>)>, Error> {
    let mut found = projects.iter().filter_map(|project| Some((project, find(project, address)?)));
    match (found.next(), found.next()) {
        (_, Some(_)) => {
            Err(format!("several of these files define `{address}`, each for itself: name one of them").into())
        }
        (found, None) => Ok(found),
    }
}
