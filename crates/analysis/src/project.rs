//! Files that form one name space: their definitions, references and values.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use hcl_lr::ConfigFile;
use hcl_lr::Scope;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::source::Source;
use hcl_lr_language::definitions::{
    CompanionFile, Definition, Definitions, Evaluated, Inputs, Loaded, LoadedModule, ModuleCall, References,
};

use crate::Location;
use crate::call_site::is_relative;
use crate::file::File;
use crate::language::Language;
use crate::paths::{join, split};
use crate::settings::Settings;
use crate::state::State;

/// The files of a folder, or a single one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    folder: String,
    /// The only file, if each file is a name space of its own.
    file: Option<String>,
    language: Language,
}

/// Files that form one name space, with the modules that they call.
pub struct Project {
    key: Key,
    settings: Arc<Settings>,
    /// The folders that were read, with their revisions.
    seen: Vec<(String, Option<u64>)>,
    /// The files that define names.
    files: Vec<Arc<File>>,
    /// The files next to them, such as those with values.
    beside: Vec<Arc<File>>,
    /// The files of modules that they call.
    called: Vec<Arc<File>>,
    definitions: Definitions,
    found: Diagnostics,
    references: OnceLock<References>,
    evaluated: OnceLock<Evaluated>,
    shown: OnceLock<Evaluated>,
    /// The errors in names and values, by file.
    wrong: OnceLock<HashMap<String, Diagnostics>>,
    facts: OnceLock<hcl_lr_language::schema::Facts>,
}

impl Project {
    /// Returns the settings that the files state for all of them, according to the language's description.
    pub(crate) fn facts(&self) -> &hcl_lr_language::schema::Facts {
        self.facts.get_or_init(|| {
            let files: Vec<_> = self.files.iter().map(|file| file.document()).collect();
            self.language().description().map(|description| description.facts(&files)).unwrap_or_default()
        })
    }

    /// Returns the key of the project of a file.
    pub(crate) fn key_of(state: &State, file: &File) -> Option<Key> {
        let language = file.language().clone();
        let roles = language.roles();
        if !language.is_together() {
            return Some(Key { folder: file.folder().to_owned(), file: Some(file.name().to_owned()), language });
        }
        let mut folder = file.folder();
        if let Some(beside) = roles.companions_of(file.name()) {
            // Such as `tests/main.tftest.hcl`, which belongs to the files in the parent folder.
            let (above, name) = split(folder);
            let defines = |folder: &str| defining_files(state, folder, &language).next().is_some();
            if !defines(folder) && beside.folders().iter().any(|folder| folder == name) && defines(above) {
                folder = above;
            }
        }
        Some(Key { folder: folder.to_owned(), file: None, language })
    }

    /// Returns the key of the project of a folder.
    pub(crate) fn key_of_folder(folder: &str, language: &Language) -> Key {
        Key { folder: folder.to_owned(), file: None, language: language.clone() }
    }

    pub(crate) fn load(state: &State, key: &Key) -> Project {
        let Key { folder, file, language } = key;
        let seen: RefCell<BTreeMap<String, Option<u64>>> = RefCell::default();
        let look = |path: &str| {
            let found = state.folder(path);
            seen.borrow_mut().insert(path.to_owned(), found.map(|folder| folder.revision));
        };
        look(folder);
        let files: Vec<Arc<File>> = match file {
            Some(name) => {
                state.folder(folder).and_then(|folder| folder.files.get(&**name)).into_iter().cloned().collect()
            }
            None => defining_files(state, folder, language).cloned().collect(),
        };
        let mut beside = Vec::new();
        if file.is_none() {
            let further = language.roles().beside().iter().flat_map(|beside| beside.folders());
            let mut folders: Vec<String> = further.map(|name| format!("{folder}/{name}")).collect();
            folders.sort();
            folders.dedup();
            for path in std::iter::once(folder).chain(&folders) {
                look(path);
                let files = state.folder(path).into_iter().flat_map(|folder| folder.files.values());
                let belongs = |file: &&Arc<File>| {
                    let kind = language.roles().companions_of(file.name());
                    file.language() == language
                        && kind.is_some_and(|kind| {
                            path == folder || kind.folders().iter().any(|folder| path.ends_with(&**folder))
                        })
                };
                beside.extend(files.filter(belongs).cloned());
            }
        }
        let called: RefCell<Vec<Arc<File>>> = RefCell::default();
        let loader = |call: &ModuleCall<'_>| {
            if !is_relative(call.source()) {
                return Loaded::Later;
            }
            let path = join(call.caller().unwrap_or(folder), call.source());
            look(&path);
            let files: Vec<Arc<File>> = defining_files(state, &path, language).cloned().collect();
            let documents: Vec<ConfigFile> = files.iter().map(|file| file.document().clone()).collect();
            called.borrow_mut().extend(files);
            match documents.is_empty() {
                true => Loaded::Later,
                false => Loaded::Module(LoadedModule::new(path, documents)),
            }
        };
        let documents = files.iter().map(|file| file.document().clone());
        let (definitions, found) = Definitions::with_modules(language.roles(), documents, &loader).into_parts();
        Project {
            key: key.clone(),
            settings: state.settings().clone(),
            seen: seen.into_inner().into_iter().collect(),
            files,
            beside,
            called: called.into_inner(),
            definitions,
            found,
            references: OnceLock::new(),
            evaluated: OnceLock::new(),
            shown: OnceLock::new(),
            wrong: OnceLock::new(),
            facts: OnceLock::new(),
        }
    }

    /// Returns true if the project is still up to date with the files of a workspace.
    pub(crate) fn is_of(&self, state: &State) -> bool {
        let revision = |path: &str| state.folder(path).map(|folder| folder.revision);
        self.seen.iter().all(|(path, known)| revision(path) == *known)
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        &self.key.folder
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        &self.key.language
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
        &self.definitions
    }

    /// Returns the errors that do not depend on values.
    pub fn found(&self) -> &Diagnostics {
        &self.found
    }

    /// Returns the index of references.
    pub fn references(&self) -> &References {
        self.references.get_or_init(|| {
            let beside = self.beside.iter().map(|file| CompanionFile::new(file.document().clone()));
            References::with_companions(&self.definitions, beside)
        })
    }

    /// Returns the values, within the limits of the settings.
    pub fn evaluated(&self) -> &Evaluated {
        self.evaluated.get_or_init(|| self.definitions.evaluate_with(&self.inputs(), &self.scope()))
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
            self.definitions.evaluate_with(&inputs, &self.scope())
        })
    }

    /// Returns the errors in names and values of a file.
    pub(crate) fn wrong_in(&self, path: &str) -> Diagnostics {
        let by_file = self.wrong.get_or_init(|| {
            let mut all: HashMap<String, Diagnostics> = HashMap::new();
            let named = self.found.iter().chain(self.references().undefined().iter()).cloned();
            let of_values = self.settings.evaluates.then(|| self.messages());
            for diagnostic in named.chain(of_values.into_iter().flatten()) {
                all.entry(diagnostic.place().source().name().to_owned()).or_default().push(diagnostic);
            }
            all
        });
        by_file.get(path).cloned().unwrap_or_default()
    }

    /// Returns the errors in values, in words that show no secret values.
    fn messages(&self) -> Vec<Diagnostic> {
        let plain = self.evaluated().diagnostics();
        if plain.is_empty() {
            return Vec::new();
        }
        let key = |diagnostic: &Diagnostic| {
            (diagnostic.place().source().name().to_owned(), diagnostic.span(), diagnostic.code().as_str().to_owned())
        };
        let shown: HashMap<_, _> =
            self.shown().diagnostics().iter().map(|diagnostic| (key(diagnostic), diagnostic)).collect();
        plain.iter().map(|diagnostic| shown.get(&key(diagnostic)).copied().unwrap_or(diagnostic).clone()).collect()
    }

    fn scope(&self) -> Scope<'static> {
        let scope = Scope::new().with_limits(self.settings.limits.clone());
        match self.language().roles().functions().names().next() {
            Some(_) => scope,
            None => scope.with_functions(self.language().functions().functions()),
        }
    }

    /// Returns the values from files that are read without being named, such as `terraform.tfvars`.
    fn inputs(&self) -> Inputs {
        let place = |name: &str| self.language().roles().beside().iter().find_map(|beside| beside.is_given(name));
        let own_folder = self.beside.iter().filter(|file| file.folder() == self.folder());
        let mut given: Vec<(usize, &Arc<File>)> =
            own_folder.filter_map(|file| Some((place(file.name())?, file))).collect();
        given.sort_by_key(|(place, file)| (*place, file.name()));
        let mut inputs = Inputs::new();
        for file in self.files.iter().chain(&self.called).filter(|file| !file.sensitive().is_empty()) {
            inputs.set_sensitive(&**file.path(), file.sensitive().iter().copied());
        }
        for (_, file) in given {
            for attribute in file.document().body().attributes().into_value().iter() {
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
        self.definitions.iter().filter(move |definition| Location::of(definition.name_place()) == location)
    }
}

/// Returns the files of a folder that define names in a language.
fn defining_files<'s>(state: &'s State, folder: &str, language: &'s Language) -> impl Iterator<Item = &'s Arc<File>> {
    let files = state.folder(folder);
    let replaced = move |file: &File| {
        // OpenTofu reads `main.tofu` instead of `main.tf`.
        let stem = file.name().strip_suffix(".json").unwrap_or(file.name()).strip_suffix(".tf");
        let json = if file.name().ends_with(".json") { ".json" } else { "" };
        stem.is_some_and(|stem| files.is_some_and(|folder| folder.files.contains_key(&*format!("{stem}.tofu{json}"))))
    };
    let all = files.into_iter().flat_map(|folder| folder.files.values());
    all.filter(move |file| {
        file.language() == language && language.roles().companions_of(file.name()).is_none() && !replaced(file)
    })
}
