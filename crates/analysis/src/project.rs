//! Files that are one name space: what they define, what refers to what, and the values.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use hcl_lr::ConfigFile;
use hcl_lr::Scope;
use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::source::{Source, Span};
use hcl_lr_language::definitions::{
    CompanionFile, Definition, Definitions, Evaluated, Inputs, Loaded, LoadedModule, ModuleCall, References,
};

use crate::language::Language;
use crate::paths::{join, split};
use crate::workspace::{File, Snapshot};
use crate::{Cancelled, Location};

/// The files of a folder, or a single one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    folder: String,
    /// The only file, if each file is a name space of its own.
    file: Option<String>,
    language: Language,
}

/// A call of a module: the text that names its files.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The text of the source, such as `./net`.
    pub source: String,
    /// The span of the text, without its quotes.
    pub span: Span,
    /// The folder that the text leads to, if it is a relative path.
    pub folder: Option<String>,
}

/// Files that are one name space, with the modules that they call.
pub struct Project {
    key: Key,
    /// The folders that were looked at, with their revisions.
    seen: Vec<(String, Option<u64>)>,
    /// The files that define names.
    files: Vec<Arc<File>>,
    /// The files that lie beside them, such as those with values.
    beside: Vec<Arc<File>>,
    /// The files of modules that they call.
    called: Vec<Arc<File>>,
    definitions: Definitions,
    found: Diagnostics,
    references: OnceLock<References>,
    evaluated: OnceLock<Evaluated>,
    shown: OnceLock<Evaluated>,
    /// The mistakes in names and values, by file.
    wrong: OnceLock<HashMap<String, Diagnostics>>,
    facts: OnceLock<hcl_lr_language::schema::Facts>,
}

impl Project {
    /// The settings that its files state for all of them, by the description of the language.
    pub(crate) fn facts(&self) -> &hcl_lr_language::schema::Facts {
        self.facts.get_or_init(|| {
            let files: Vec<_> = self.files.iter().map(|file| file.document()).collect();
            self.language().knowledge().map(|knowledge| knowledge.facts(&files)).unwrap_or_default()
        })
    }

    /// The key of the project that a file belongs to.
    pub(crate) fn key_of(snapshot: &Snapshot, file: &File) -> Option<Key> {
        let language = file.language().clone();
        let roles = language.roles();
        if !language.is_together() {
            return Some(Key { folder: file.folder().to_owned(), file: Some(file.name().to_owned()), language });
        }
        let mut folder = file.folder();
        if let Some(beside) = roles.companions_of(file.name()) {
            // Such as `tests/main.tftest.hcl`, which is about the files in the folder above.
            let (above, name) = split(folder);
            let defines = |folder: &str| defining_files(snapshot, folder, &language).next().is_some();
            if !defines(folder) && beside.folders().iter().any(|one| one == name) && defines(above) {
                folder = above;
            }
        }
        Some(Key { folder: folder.to_owned(), file: None, language })
    }

    /// The project of the files in a folder.
    pub(crate) fn key_of_folder(folder: &str, language: &Language) -> Key {
        Key { folder: folder.to_owned(), file: None, language: language.clone() }
    }

    pub(crate) fn load(snapshot: &Snapshot, key: &Key) -> Project {
        let Key { folder, file, language } = key;
        let seen: RefCell<BTreeMap<String, Option<u64>>> = RefCell::default();
        let look = |path: &str| {
            let found = snapshot.folder(path);
            seen.borrow_mut().insert(path.to_owned(), found.map(|folder| folder.revision));
        };
        look(folder);
        let files: Vec<Arc<File>> = match file {
            Some(name) => {
                snapshot.folder(folder).and_then(|folder| folder.files.get(&**name)).into_iter().cloned().collect()
            }
            None => defining_files(snapshot, folder, language).cloned().collect(),
        };
        let mut beside = Vec::new();
        if file.is_none() {
            let further = language.roles().beside().iter().flat_map(|beside| beside.folders());
            let mut folders: Vec<String> = further.map(|name| format!("{folder}/{name}")).collect();
            folders.sort();
            folders.dedup();
            for path in std::iter::once(folder).chain(&folders) {
                look(path);
                let files = snapshot.folder(path).into_iter().flat_map(|folder| folder.files.values());
                let belongs = |file: &&Arc<File>| {
                    let kind = language.roles().companions_of(file.name());
                    file.language() == language
                        && kind.is_some_and(|kind| {
                            path == folder || kind.folders().iter().any(|one| path.ends_with(&**one))
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
            let files: Vec<Arc<File>> = defining_files(snapshot, &path, language).cloned().collect();
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

    /// Returns true if the files of a snapshot are those that the project was made of.
    pub(crate) fn is_of(&self, snapshot: &Snapshot) -> bool {
        let revision = |path: &str| snapshot.folder(path).map(|folder| folder.revision);
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

    /// Returns the files that lie beside them and refer to what they define.
    pub fn beside(&self) -> &[Arc<File>] {
        &self.beside
    }

    /// Returns what the files define.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Returns what is wrong whatever the values are.
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
    pub fn evaluated(&self, snapshot: &Snapshot) -> &Evaluated {
        self.evaluated.get_or_init(|| self.definitions.evaluate_with(&self.inputs(), &self.scope(snapshot)))
    }

    /// Returns the values as they may be shown where they are not written: what is secret by its name is marked, and so is what
    /// comes of it. Everything that shows a value asks for it here.
    pub(crate) fn shown(&self, snapshot: &Snapshot) -> &Evaluated {
        let mut all = self.files.iter().chain(&self.beside).chain(&self.called);
        if !all.any(|file| file.mentions_secrets()) {
            return self.evaluated(snapshot);
        }
        self.shown.get_or_init(|| {
            let inputs = self.inputs().with_secret_names_hidden();
            self.definitions.evaluate_with(&inputs, &self.scope(snapshot))
        })
    }

    /// Returns what is wrong with names and values in a file.
    pub(crate) fn wrong_in(&self, snapshot: &Snapshot, path: &str) -> Diagnostics {
        let by_file = self.wrong.get_or_init(|| {
            let mut all: HashMap<String, Diagnostics> = HashMap::new();
            let named = self.found.iter().chain(self.references().undefined().iter()).cloned();
            let of_values = snapshot.settings().evaluates.then(|| self.messages(snapshot));
            for one in named.chain(of_values.into_iter().flatten()) {
                all.entry(one.place().source().name().to_owned()).or_default().push(one);
            }
            all
        });
        by_file.get(path).cloned().unwrap_or_default()
    }

    /// Returns what is wrong with the values, in words that show none that is secret by its name.
    fn messages(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let plain = self.evaluated(snapshot).diagnostics();
        if plain.is_empty() {
            return Vec::new();
        }
        let key =
            |one: &Diagnostic| (one.place().source().name().to_owned(), one.span(), one.code().as_str().to_owned());
        let shown: HashMap<_, _> = self.shown(snapshot).diagnostics().iter().map(|one| (key(one), one)).collect();
        plain.iter().map(|one| shown.get(&key(one)).copied().unwrap_or(one).clone()).collect()
    }

    fn scope(&self, snapshot: &Snapshot) -> Scope<'static> {
        let scope = Scope::new().with_limits(snapshot.settings().limits.clone());
        match self.language().roles().functions().names().next() {
            Some(_) => scope,
            None => scope.with_functions(self.language().functions().functions()),
        }
    }

    /// Returns the values that files give without being named, such as `terraform.tfvars`.
    fn inputs(&self) -> Inputs {
        let place = |name: &str| self.language().roles().beside().iter().find_map(|beside| beside.is_given(name));
        let own = self.beside.iter().filter(|file| file.folder() == self.folder());
        let mut given: Vec<(usize, &Arc<File>)> = own.filter_map(|file| Some((place(file.name())?, file))).collect();
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

    /// Returns the definition that is meant at a byte of a file.
    pub fn at(&self, source: &Arc<Source>, offset: usize) -> Option<Definition<'_>> {
        self.references().at(source, offset)
    }

    /// Returns the definition that has its name at a location.
    pub fn defined_at(&self, location: &Location) -> Option<Definition<'_>> {
        self.all_defined_at(location).next()
    }

    /// Returns the definitions that have their name at a location: one for each call of the module that they are in.
    pub fn all_defined_at<'p>(&'p self, location: &Location) -> impl Iterator<Item = Definition<'p>> + use<'p> {
        let location = location.clone();
        self.definitions.iter().filter(move |one| Location::of(one.name_place()) == location)
    }
}

/// The files of a folder that define names in a language.
fn defining_files<'s>(
    snapshot: &'s Snapshot,
    folder: &str,
    language: &'s Language,
) -> impl Iterator<Item = &'s Arc<File>> {
    let files = snapshot.folder(folder);
    let replaced = move |file: &File| {
        // OpenTofu reads `main.tofu` in place of `main.tf`.
        let stem = file.name().strip_suffix(".json").unwrap_or(file.name()).strip_suffix(".tf");
        let json = if file.name().ends_with(".json") { ".json" } else { "" };
        stem.is_some_and(|stem| files.is_some_and(|folder| folder.files.contains_key(&*format!("{stem}.tofu{json}"))))
    };
    let all = files.into_iter().flat_map(|folder| folder.files.values());
    all.filter(move |file| {
        file.language() == language && language.roles().companions_of(file.name()).is_none() && !replaced(file)
    })
}

/// Returns true if the source of a module is a folder beside its caller.
pub(crate) fn is_relative(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../") || source == "." || source == ".."
}

/// The calls of modules in a file.
pub(crate) fn call_sites(file: &File, document: &ConfigFile) -> Vec<CallSite> {
    let mut found = Vec::new();
    let roles = file.language().roles();
    let callers =
        roles.roles().iter().filter_map(|role| Some((role.block_type()?, role.label_names(), role.module_source()?)));
    for (block_type, labels, attribute) in callers {
        match document {
            ConfigFile::Native(native) => {
                for block in native.body().blocks_of_type(block_type) {
                    let Some(attribute) = block.body().attribute(attribute) else { continue };
                    let expression = hcl_lr::Expression::from(attribute.expression());
                    let Some((text, span)) = constant_text(&expression) else { continue };
                    found.push((text, span));
                }
            }
            ConfigFile::Json(_) => {
                let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                let schema = hcl_lr::body::BodySchema::new().block(block_type, &labels);
                let (content, _) = document.body().partial_content(&schema).into_value();
                for block in content.blocks() {
                    let attributes = block.body().attributes().into_value();
                    let found_text = attributes.get(attribute).and_then(|one| constant_text(one.expression()));
                    found.extend(found_text);
                }
            }
        }
    }
    let site = |(source, span): (String, Span)| {
        let folder = is_relative(&source).then(|| join(file.folder(), &source));
        CallSite { source, span, folder }
    };
    found.into_iter().map(site).collect()
}

/// A constant string and the span of its text without quotes.
pub(crate) fn constant_text(expression: &hcl_lr::Expression) -> Option<(String, Span)> {
    let value = expression.evaluate(&Scope::new()).ok()?;
    let text = value.as_str()?.to_owned();
    let place = expression.place();
    let (span, written) = (place.span(), place.text());
    let quoted = written.len() >= 2 && written.starts_with('"') && written.ends_with('"');
    let inner = if quoted { Span::new(span.start() as u32 + 1, span.end() as u32 - 1) } else { span };
    Some((text, inner))
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
        // Callers of callers see the files as well, in the modules that they call.
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
        folders[1..].iter().map(|folder| self.project_of(&Project::key_of_folder(folder, project.language()))).collect()
    }
}
