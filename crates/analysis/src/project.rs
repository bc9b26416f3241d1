//! Files that form one name space: their definitions, references and values.

use std::sync::{Arc, OnceLock};

use hcl_lr::Scope;
use hcl_lr::functions::FunctionEntry;
use hcl_lr::source::Source;
use hcl_lr_language::definitions::{Definition, Definitions, Evaluated, Inputs, References};
use hcl_lr_project::paths::split;
use hcl_lr_project::{Key, Language, LoadOptions, MANIFEST, Member};

use crate::Location;
use crate::edit::Edit;
use crate::file::File;
use crate::recheck::Items;
use crate::state::{Folder, State};

/// Files that form one name space, with the modules that they call.
pub struct Project {
    model: hcl_lr_project::Project,
    /// The folders that were read, with their revisions.
    seen: Vec<(String, Option<u64>)>,
    /// The files of its own folder.
    own: Option<Arc<Folder>>,
    /// The files that define names.
    files: Vec<Arc<File>>,
    /// The files next to them, such as those with values.
    beside: Vec<Arc<File>>,
    /// The files of modules that they call.
    called: Vec<Arc<File>>,
    evaluated: OnceLock<Evaluated>,
    shown: OnceLock<Evaluated>,
    items: OnceLock<Option<Items>>,
}

impl Project {
    pub(crate) fn load(state: &State, key: &Key) -> Project {
        let settings = state.settings();
        let options = LoadOptions {
            limits: Some(settings.limits.clone()),
            ignores_values: !settings.evaluates,
            ..LoadOptions::default()
        };
        let model = state.with_sources(|sources| hcl_lr_project::Project::load(sources, key, &options));
        let revision = |path: &str| state.folder(path).map(|folder| folder.revision);
        let file = |member: &Member| state.file(&member.path).cloned();
        // The list of installed modules may come later.
        let list = format!("{}/{MANIFEST}", key.folder());
        let folders = model.folders().chain([split(&list).0]);
        Project {
            seen: folders.map(|path| (path.to_owned(), revision(path))).collect(),
            own: state.shared_folder(key.folder()).cloned(),
            files: model.members().iter().filter_map(file).collect(),
            beside: model.companions().iter().filter_map(file).collect(),
            called: model.modules().flat_map(|(_, members)| members).filter_map(file).collect(),
            model,
            evaluated: OnceLock::new(),
            shown: OnceLock::new(),
            items: OnceLock::new(),
        }
    }

    /// Returns the project as all programs see it.
    pub fn model(&self) -> &hcl_lr_project::Project {
        &self.model
    }

    /// Returns true if the project is still up to date with the files of a workspace.
    pub(crate) fn is_of(&self, state: &State) -> bool {
        let revision = |path: &str| state.folder(path).map(|folder| folder.revision);
        self.seen.iter().all(|(path, known)| revision(path) == *known)
    }

    /// Returns the number of bytes of all files.
    pub(crate) fn length(&self) -> usize {
        let files = self.files.iter().chain(&self.beside).chain(&self.called);
        files.map(|file| file.length()).sum()
    }

    /// Returns a file of the project's folder as the project knows it, and how its text differs now. `None` if anything
    /// else has changed, or if the names in the file may be others now.
    pub(crate) fn file_before_edit(&self, state: &State, file: &File) -> Option<(&Arc<File>, Edit)> {
        let edited = self.edited_files(state).filter(|_| file.folder() == self.folder())?;
        if edited.iter().any(|edited| edited.path() != file.path()) {
            return None;
        }
        let before = self.own.as_ref()?.files.get(file.name())?;
        Some((before, Edit::inside_item(before, file, self.language().roles())?))
    }

    /// Returns a file as the project knows it.
    pub(crate) fn file(&self, path: &str) -> Option<&Arc<File>> {
        self.files.iter().chain(&self.beside).find(|file| **file.path() == *path)
    }

    /// Returns the files of the project's folder whose texts differ from those that the project knows. `None` if anything
    /// else has changed.
    pub(crate) fn edited_files(&self, state: &State) -> Option<Vec<Arc<File>>> {
        let own = self.own.as_ref()?;
        let now = state.folder(self.folder())?;
        let is_known = |(path, known): &(String, Option<u64>)| {
            *path == self.folder() || state.folder(path).map(|folder| folder.revision) == *known
        };
        if own.files.len() != now.files.len() || !self.seen.iter().all(is_known) {
            return None;
        }
        let mut edited = Vec::new();
        for ((name, known), (now_name, now)) in own.files.iter().zip(&now.files) {
            if name != now_name
                || known.language() != now.language()
                || known.chosen().wrong.is_some() != now.chosen().wrong.is_some()
            {
                return None;
            }
            if !Arc::ptr_eq(known, now) {
                edited.push(now.clone());
            }
        }
        Some(edited)
    }

    /// Returns the items of the files, and which of them refer to which. `None` if references do not show what depends on what.
    pub(crate) fn items(&self) -> Option<&Items> {
        self.items.get_or_init(|| Items::of(self)).as_ref()
    }

    /// Returns the project as all programs see it, to change it before it is used.
    pub(crate) fn model_mut(&mut self) -> &mut hcl_lr_project::Project {
        &mut self.model
    }

    /// Returns the folders that were read.
    pub(crate) fn seen(&self) -> impl Iterator<Item = &str> {
        self.seen.iter().map(|(folder, _)| &**folder)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        self.model.folder()
    }

    pub(crate) fn key(&self) -> &Key {
        self.model.key()
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        self.model.language()
    }

    /// Returns the files that define names.
    pub fn files(&self) -> &[Arc<File>] {
        &self.files
    }

    /// Returns the files next to them, which refer to their definitions.
    pub fn beside(&self) -> &[Arc<File>] {
        &self.beside
    }

    /// Returns the definitions.
    pub fn definitions(&self) -> &Definitions {
        self.model.definitions()
    }

    /// Returns the index of references.
    pub fn references(&self) -> &References {
        self.model.references()
    }

    /// Returns the values, within the limits of the settings.
    pub fn evaluated(&self) -> &Evaluated {
        self.evaluated.get_or_init(|| self.definitions().evaluate_with(&self.inputs(), &self.model.scope()))
    }

    /// Returns the values for display outside their source: values with secret names are marked, and so are values
    /// derived from them. Everything that shows a value must use this.
    pub(crate) fn shown(&self) -> &Evaluated {
        let mut all = self.files.iter().chain(&self.beside).chain(&self.called);
        if !all.any(|file| file.mentions_secrets()) {
            return self.evaluated();
        }
        self.shown.get_or_init(|| {
            let inputs = self.inputs().with_secret_names_hidden();
            self.definitions().evaluate_with(&inputs, &self.model.scope())
        })
    }

    /// Returns the values from files that are read without being named, such as `terraform.tfvars`.
    fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::new();
        for file in self.files.iter().chain(&self.called).filter(|file| !file.sensitive().is_empty()) {
            let hidden = file.hidden();
            inputs.set_sensitive(&**file.path(), hidden.sensitive.iter().copied());
            inputs.set_write_only(&**file.path(), hidden.write_only.iter().copied());
        }
        for member in self.model.given_files() {
            for attribute in member.document.file.body().attributes().into_value().iter() {
                if let Ok(value) = attribute.evaluate(&Scope::new()) {
                    inputs.set(attribute.name(), value);
                }
            }
        }
        inputs
    }

    /// Returns the definition at a byte of a file.
    pub fn at(&self, source: &Arc<Source>, offset: usize) -> Option<Definition<'_>> {
        self.references().at(source, offset)
    }

    /// Returns the definition whose name is at a location.
    pub fn defined_at(&self, location: &Location) -> Option<Definition<'_>> {
        self.all_defined_at(location).next()
    }

    /// Returns the definitions whose names are at a location: one for each call of their module.
    pub fn all_defined_at<'p>(&'p self, location: &Location) -> impl Iterator<Item = Definition<'p>> + use<'p> {
        let location = location.clone();
        self.definitions().iter().filter(move |definition| Location::of(definition.name_place()) == location)
    }
}

/// Returns the documentation of a function that the files of a project can call.
pub(crate) fn entry_of(project: &Project, name: &str) -> Option<&'static FunctionEntry> {
    let (set, entries) = (project.language().functions(), hcl_lr::functions::host_entries());
    set.entry(name).or_else(|| entries.iter().find(|entry| entry.name() == set.plain_name(name)))
}
