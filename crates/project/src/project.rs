//! Files that form one name space, with the files beside them and the modules that they call.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::sort_by_key;
use hcl_lr::limits::Limits;
use hcl_lr::model::Value;
use hcl_lr::source::{Source, Span};
use hcl_lr_language::definitions::{
    CompanionFile, Definitions, Evaluated, Inputs, Loaded, LoadedModule, Loader, ModuleCall, References,
};
use hcl_lr_language::schema::{Facts, is_hcl_file};

use crate::files::{Document, Files, Unread};
use crate::language::Language;
use crate::languages::{Chosen, WrongSchema, schema_errors};
use crate::manifest::{MANIFEST, Manifest};
use crate::paths::{file_in, is_relative, split};

/// The files of a project, and the language of each of them.
#[derive(Clone, Copy)]
pub struct Sources<'s> {
    /// The files.
    pub files: &'s dyn Files,
    /// Returns the language of a file.
    pub language: &'s (dyn Fn(&str) -> Chosen + Sync),
}

/// Identifies a project: the files of a folder in one language, or some of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    folder: String,
    /// The paths of the only files, if not all of the folder form the project.
    only: Option<Vec<String>>,
    language: Language,
}

impl Key {
    /// Returns the key of the project that a file belongs to.
    pub fn of(sources: &Sources<'_>, path: &str) -> Key {
        let language = &(sources.language)(path).language;
        if !language.is_together() {
            return Key::of_file(path, language);
        }
        let (mut folder, file) = split(path);
        if let Some(beside) = language.roles().companions_of(file) {
            // Such as `tests/main.tftest.hcl`, which belongs to the files in the parent folder.
            let (above, name) = split(folder);
            let has_files = |folder: &str| !defining_files(sources, folder, language).is_empty();
            if beside.folders().iter().any(|folder| folder == name) && !has_files(folder) && has_files(above) {
                folder = above;
            }
        }
        Key::of_folder(folder, language)
    }

    /// Returns the key of the files of a folder in a language.
    pub fn of_folder(folder: &str, language: &Language) -> Key {
        Key { folder: folder.to_owned(), only: None, language: language.clone() }
    }

    /// Returns the key of a file alone.
    pub fn of_file(path: &str, language: &Language) -> Key {
        Key::of_files(split(path).0, [path.to_owned()], language)
    }

    /// Returns the key of some files, which are read as those of a folder.
    pub fn of_files(folder: &str, paths: impl IntoIterator<Item = String>, language: &Language) -> Key {
        Key { folder: folder.to_owned(), only: Some(paths.into_iter().collect()), language: language.clone() }
    }

    /// Returns true if not all files of the folder that are in the language form the project.
    pub fn is_part(&self) -> bool {
        self.only.is_some()
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        &self.language
    }
}

/// A file of a project.
#[derive(Clone, Debug)]
pub struct Member {
    /// The path.
    pub path: String,
    /// The parsed file.
    pub document: Document,
    wrong_schema: Option<WrongSchema>,
    /// The errors in it as a schema, if it is one.
    pub(crate) schema_errors: Option<Diagnostics>,
}

impl Member {
    fn file(&self) -> &ConfigFile {
        &self.document.file
    }

    /// Returns the error, if the file or its folder names a schema that cannot be used.
    pub fn wrong_schema(&self) -> Option<Diagnostic> {
        self.wrong_schema.as_ref().map(|wrong| wrong.in_file(self.file().source()))
    }
}

/// Names with values.
pub type Variables = Vec<(String, Value)>;

/// Options for reading a project.
#[derive(Default)]
pub struct LoadOptions<'o> {
    /// The values of inputs, which may decide which modules are called.
    pub inputs: Option<&'o Inputs>,
    /// Returns the variables that the program itself defines for the files of a folder.
    pub variables: Option<&'o dyn Fn(&str) -> Variables>,
    /// The limits of evaluations.
    pub limits: Option<Limits>,
    /// True to report no errors in values.
    pub ignores_values: bool,
}

/// Files that form one name space, with the files beside them and the modules that they call.
///
/// ```
/// use hcl_lr_project::{Key, Known, Languages, LoadOptions, Memory, Project, Reading, Sources};
///
/// let files = Memory::new([
///     ("/net/main.tf", "locals {\n  zone = \"${var.region}-a\"\n}\n"),
///     ("/net/variables.tf", "variable \"region\" {}\n"),
/// ]);
/// let languages = Languages::default();
/// let known = Known::default();
/// let language = |path: &str| languages.choose(&Reading { files: &files, known: &known }, path, None);
/// let sources = Sources { files: &files, language: &language };
/// let key = Key::of(&sources, "/net/main.tf");
/// let project = Project::load(&sources, &key, &LoadOptions::default());
/// assert_eq!(project.members().len(), 2);
/// assert!(project.references().undefined().is_empty());
/// ```
pub struct Project {
    key: Key,
    members: Vec<Member>,
    /// The files in place of which others are read. They are checked by the schema, but define nothing.
    replaced: Vec<Member>,
    companions: Vec<Member>,
    modules: BTreeMap<String, Vec<Member>>,
    folders: BTreeSet<String>,
    refused: Option<String>,
    unread: Vec<String>,
    /// True if there are files that must not be read: they may define names.
    pub(crate) leaves_out: bool,
    definitions: Definitions,
    found: Diagnostics,
    /// The warnings about modules in folders without files.
    pub(crate) missing_modules: Diagnostics,
    references: OnceLock<References>,
    facts: OnceLock<Facts>,
    facts_of_replaced: OnceLock<Facts>,
    /// The positions of the files by path.
    positions: OnceLock<HashMap<String, usize>>,
    pub(crate) limits: Limits,
    pub(crate) has_values: bool,
    /// The blocks at the top of files that the schema does not check, by path.
    left_out: Vec<(String, Vec<Span>)>,
    /// The texts of the files with errors, if they are other ones.
    pub(crate) broken_texts: Option<Vec<Arc<Source>>>,
    /// The errors in names and values, by path.
    pub(crate) named: OnceLock<HashMap<String, Diagnostics>>,
    /// The values that are the same for all inputs.
    pub(crate) for_any_input: OnceLock<Evaluated>,
}

impl Project {
    /// Reads the files of a project, and of the modules that they call.
    pub fn load(sources: &Sources<'_>, key: &Key, options: &LoadOptions<'_>) -> Project {
        let Key { folder, only, language } = key;
        let looked: RefCell<BTreeSet<String>> = RefCell::new([folder.clone()].into());
        let refused: RefCell<Option<String>> = RefCell::default();
        let unread: RefCell<Vec<String>> = RefCell::default();
        let read = |path: String| match sources.files.document(&path) {
            Ok(document) => {
                let wrong_schema = (sources.language)(&path).wrong;
                let schema_errors =
                    (language.name() == "schema").then(|| schema_errors(sources.files, document.file.source()));
                Some(Member { path, document, wrong_schema, schema_errors })
            }
            Err(Unread::Refused(why)) => {
                refused.borrow_mut().get_or_insert(why);
                None
            }
            Err(Unread::Missing) => {
                unread.borrow_mut().push(path);
                None
            }
        };
        let files = match only {
            Some(paths) => FolderFiles { defining: paths.clone(), replaced: Vec::new() },
            None => FolderFiles::of(sources, folder, language),
        };
        let members: Vec<Member> = files.defining.into_iter().filter_map(read).collect();
        let replaced = files.replaced.into_iter().filter_map(read).collect();
        let companions = match language.is_together() {
            false => Vec::new(),
            true => {
                let paths = companion_files(sources, folder, language, &mut looked.borrow_mut());
                let is_new = |path: &String| !members.iter().any(|member| member.path == *path);
                paths.into_iter().filter(is_new).filter_map(read).collect()
            }
        };
        let mut project = Project {
            key: key.clone(),
            members,
            replaced,
            companions,
            modules: BTreeMap::new(),
            folders: BTreeSet::new(),
            refused: None,
            unread: unread.into_inner(),
            leaves_out: false,
            definitions: Definitions::of(language.roles(), Vec::<ConfigFile>::new()).into_value(),
            found: Diagnostics::new(),
            missing_modules: Diagnostics::new(),
            references: OnceLock::new(),
            facts: OnceLock::new(),
            facts_of_replaced: OnceLock::new(),
            positions: OnceLock::new(),
            limits: options.limits.clone().unwrap_or_default(),
            has_values: !options.ignores_values,
            left_out: Vec::new(),
            broken_texts: None,
            named: OnceLock::new(),
            for_any_input: OnceLock::new(),
        };
        let modules = Modules {
            sources,
            key,
            options,
            manifest: OnceLock::new(),
            known: RefCell::default(),
            missing: RefCell::default(),
            looked,
            refused,
        };
        let documents: Vec<ConfigFile> = project.members.iter().map(|member| member.file().clone()).collect();
        let files = modules.module(folder, &documents);
        let no_inputs = Inputs::new();
        let inputs = options.inputs.unwrap_or(&no_inputs);
        let (definitions, found) = Definitions::with_inputs(language.roles(), files, &modules, inputs).into_parts();
        project.definitions = definitions;
        project.found = found;
        project.modules = modules.known.into_inner().into_iter().collect();
        project.missing_modules = modules.missing.into_inner();
        project.folders = modules.looked.into_inner();
        project.refused = modules.refused.into_inner();
        project.leaves_out = only.is_none() && project.folders.iter().any(|folder| sources.files.leaves_out(folder));
        project
    }

    /// Sets the texts in which undefined names may be defined, because parts of them could not be read. They are those of the
    /// files with errors, if nobody says otherwise.
    pub fn set_broken_texts(&mut self, texts: Vec<Arc<Source>>) {
        self.broken_texts = Some(texts);
    }

    /// Leaves out blocks at the top of a file, by its path: the schema counts them, but does not check their labels and bodies.
    pub fn leave_out(&mut self, path: &str, blocks: Vec<Span>) {
        self.left_out.push((path.to_owned(), blocks));
        self.facts = OnceLock::new();
    }

    /// Returns the key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        &self.key.folder
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        &self.key.language
    }

    /// Returns the files that define names.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the files beside them, such as those with values, and tests.
    pub fn companions(&self) -> &[Member] {
        &self.companions
    }

    /// Returns all files of the project, without those of modules: also the files that others replace.
    pub fn all_members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().chain(&self.replaced).chain(&self.companions)
    }

    /// Returns a file of the project by its path.
    pub fn member(&self, path: &str) -> Option<&Member> {
        let at = self
            .positions
            .get_or_init(|| self.all_members().enumerate().map(|(at, member)| (member.path.clone(), at)).collect());
        self.all_members().nth(*at.get(path)?)
    }

    /// Returns the files of the called modules, by folder.
    pub fn modules(&self) -> impl Iterator<Item = (&str, &[Member])> {
        self.modules.iter().map(|(folder, members)| (&**folder, &**members))
    }

    /// Returns the folders that the project depends on, with or without files.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }

    /// Returns the reason why a file was not read that the project needs, if there is one.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Returns the paths of the files that are listed and could not be read.
    pub fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Returns the files beside those of a folder: with values, or tests.
    pub fn companions_in(sources: &Sources<'_>, folder: &str, language: &Language) -> Vec<Member> {
        let paths = companion_files(sources, folder, language, &mut BTreeSet::new());
        let read = |path: String| {
            let document = sources.files.document(&path).ok()?;
            Some(Member { path, document, wrong_schema: None, schema_errors: None })
        };
        paths.into_iter().filter_map(read).collect()
    }

    /// Returns the definitions.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Returns the errors in the definitions themselves, which do not depend on values.
    pub fn definition_errors(&self) -> &Diagnostics {
        &self.found
    }

    /// Returns true if the text of a file has errors, so that its meaning is uncertain.
    pub fn has_text_errors(&self) -> bool {
        self.members.iter().any(|member| member.document.diagnostics.has_errors())
    }

    /// Returns the index of references.
    pub fn references(&self) -> &References {
        self.references.get_or_init(|| References::with_companions(&self.definitions, self.companion_files()))
    }

    /// Returns the files beside the others that can be read.
    pub(crate) fn companion_files(&self) -> impl Iterator<Item = CompanionFile> {
        let whole = self.companions.iter().filter(|member| !member.document.diagnostics.has_errors());
        whole.map(|member| CompanionFile::new(member.file().clone()))
    }

    /// Returns the facts that the files state for all of them, such as the sources of providers.
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            let mut facts = self.language().facts(self.members.iter().map(Member::file));
            for (path, blocks) in &self.left_out {
                facts.leave_out(path, blocks.iter().copied());
            }
            facts
        })
    }

    /// Returns the facts that apply to a file. A file in place of which another one is read belongs to the files of the
    /// program that reads it: those without the ones that only the other program reads.
    pub(crate) fn facts_for(&self, member: &Member) -> &Facts {
        if !self.replaced.iter().any(|replaced| replaced.path == member.path) {
            return self.facts();
        }
        self.facts_of_replaced.get_or_init(|| {
            let names: HashSet<&str> = self.replaced.iter().map(|replaced| split(&replaced.path).1).collect();
            let replacing: HashSet<String> = names.iter().filter_map(|name| replacement(name)).collect();
            let others = self.members.iter().filter(|member| !replacing.contains(split(&member.path).1));
            self.language().facts(others.chain(&self.replaced).map(Member::file))
        })
    }

    /// Returns the values that files give which the program reads without being told, in order of precedence: names,
    /// values, and the files.
    pub fn given_files(&self) -> Vec<&Member> {
        let roles = self.language().roles();
        let place = |name: &str| roles.beside().iter().find_map(|beside| beside.is_given(name));
        let own_folder = self.companions.iter().filter(|member| split(&member.path).0 == self.folder());
        let mut given: Vec<(usize, &Member)> =
            own_folder.filter_map(|member| Some((place(split(&member.path).1)?, member))).collect();
        sort_by_key(&mut given, |(place, member)| (*place, split(&member.path).1));
        given.into_iter().map(|(_, member)| member).collect()
    }

    /// Marks the values that the schema calls sensitive or write-only, so that they are hidden.
    pub fn hide_sensitive(&self, inputs: &mut Inputs) {
        let called = self.modules.values().flatten();
        for member in self.members.iter().chain(called) {
            let (name, hidden) = (member.file().source().name(), self.language().hidden(member.file()));
            inputs.set_sensitive(name, hidden.sensitive);
            inputs.set_write_only(name, hidden.write_only);
        }
    }
}

/// Finds the files of called modules.
struct Modules<'m> {
    sources: &'m Sources<'m>,
    key: &'m Key,
    options: &'m LoadOptions<'m>,
    manifest: OnceLock<Manifest>,
    known: RefCell<HashMap<String, Vec<Member>>>,
    /// The warnings about modules in folders without files.
    missing: RefCell<Diagnostics>,
    looked: RefCell<BTreeSet<String>>,
    refused: RefCell<Option<String>>,
}

impl Modules<'_> {
    /// Returns the files of a folder as a module.
    fn module(&self, folder: &str, documents: &[ConfigFile]) -> LoadedModule {
        let module = LoadedModule::new(folder, documents.iter().cloned());
        let variables = self.options.variables.map(|variables| variables(folder)).unwrap_or_default();
        variables.into_iter().fold(module, |module, (name, value)| module.with_variable(name, value))
    }

    fn manifest(&self) -> &Manifest {
        self.manifest.get_or_init(|| {
            let text = self.sources.files.bytes(&file_in(&self.key.folder, MANIFEST)).unwrap_or_default();
            Manifest::read(&self.key.folder, &text)
        })
    }

    /// Returns the folder of the module that a call leads to, if it is at hand.
    fn folder(&self, call: &ModuleCall<'_>) -> Option<String> {
        let from = call.caller().unwrap_or(&self.key.folder);
        if is_relative(call.source()) {
            return match self.sources.files.folder(from, call.source()) {
                Ok(folder) => Some(folder),
                Err(Unread::Refused(why)) => {
                    self.refused.borrow_mut().get_or_insert(why);
                    None
                }
                Err(Unread::Missing) => None,
            };
        }
        self.manifest().folder(from, call.name(), call.source()).map(str::to_owned)
    }
}

impl Loader for Modules<'_> {
    fn load(&self, call: &ModuleCall<'_>) -> Loaded {
        let Some(folder) = self.folder(call) else { return Loaded::Later };
        if let Some(members) = self.known.borrow().get(&folder) {
            let documents: Vec<ConfigFile> = members.iter().map(|member| member.file().clone()).collect();
            return Loaded::Module(self.module(&folder, &documents));
        }
        self.looked.borrow_mut().insert(folder.clone());
        let mut members = Vec::new();
        for path in defining_files(self.sources, &folder, &self.key.language) {
            match self.sources.files.document(&path) {
                Ok(document) if document.diagnostics.has_errors() => return Loaded::Failed(document.diagnostics),
                Ok(document) => members.push(Member { path, document, wrong_schema: None, schema_errors: None }),
                Err(_) => return Loaded::Later,
            }
        }
        if members.is_empty() {
            if is_relative(call.source()) && self.sources.files.names(&folder).is_empty() {
                self.missing.borrow_mut().push(missing_module(call));
            }
            return Loaded::Later;
        }
        let documents: Vec<ConfigFile> = members.iter().map(|member| member.file().clone()).collect();
        let module = self.module(&folder, &documents);
        self.known.borrow_mut().insert(folder, members);
        Loaded::Module(module)
    }
}

/// Returns the warning about a module in a folder without files. It is no error, because other programs may put them there.
fn missing_module(call: &ModuleCall<'_>) -> Diagnostic {
    let detail = format!("there are no files in the folder `{}` of this module", call.source());
    let warning = Diagnostic::warning(Code::UnreadableFile, call.place(), detail);
    warning.with_help("write the path of a folder, relative to the folder of this file")
}

/// Returns the paths of the files of a folder that define names in a language.
pub fn defining_files(sources: &Sources<'_>, folder: &str, language: &Language) -> Vec<String> {
    FolderFiles::of(sources, folder, language).defining
}

/// The files of a folder in a language that can define names.
struct FolderFiles {
    defining: Vec<String>,
    /// The files in place of which others are read.
    replaced: Vec<String>,
}

impl FolderFiles {
    fn of(sources: &Sources<'_>, folder: &str, language: &Language) -> FolderFiles {
        let names = sources.files.names(folder);
        let all: HashSet<&str> = names.iter().map(String::as_str).collect();
        // Only the settings give files such a language.
        let has_any_name = language.schema().is_none() && !language.is_plain();
        let is_defining = |name: &&String| {
            !name.starts_with(['.', '#'])
                && !name.ends_with('~')
                && (has_any_name || is_hcl_file(name) || language.reads(name))
                && language.roles().companions_of(name).is_none()
        };
        let mut files = FolderFiles { defining: Vec::new(), replaced: Vec::new() };
        for name in names.iter().filter(is_defining) {
            let path = file_in(folder, name);
            let chosen = (sources.language)(&path);
            if chosen.language == *language && (!chosen.is_explicit || language.reads(name)) {
                let is_replaced =
                    replacement(name).is_some_and(|other| all.contains(&*other) && language.reads(&other));
                if is_replaced { &mut files.replaced } else { &mut files.defining }.push(path);
            }
        }
        files
    }
}

/// Returns the name of the file that is read in place of one if there is such a file: OpenTofu reads `main.tofu`, not
/// `main.tf`.
fn replacement(name: &str) -> Option<String> {
    let stem = name.strip_suffix(".json").unwrap_or(name).strip_suffix(".tf")?;
    let json = if name.ends_with(".json") { ".json" } else { "" };
    Some(format!("{stem}.tofu{json}"))
}

/// Returns the paths of the files beside those of a folder: with values, or tests. Adds the folders to `looked`.
fn companion_files(
    sources: &Sources<'_>,
    folder: &str,
    language: &Language,
    looked: &mut BTreeSet<String>,
) -> Vec<String> {
    let roles = language.roles();
    let further: BTreeSet<&str> =
        roles.beside().iter().flat_map(|beside| beside.folders()).map(String::as_str).collect();
    let folders = std::iter::once((None, folder.to_owned()))
        .chain(further.into_iter().map(|name| (Some(name), file_in(folder, name))));
    let mut found = Vec::new();
    for (inner, path) in folders {
        looked.insert(path.clone());
        let belongs = |name: &&String| {
            let kind = roles.companions_of(name);
            kind.is_some_and(|kind| inner.is_none_or(|inner| kind.folders().iter().any(|folder| folder == inner)))
        };
        let names = sources.files.names(&path);
        let paths = names.iter().filter(belongs).map(|name| file_in(&path, name));
        found.extend(paths.filter(|path| (sources.language)(path).language == *language));
    }
    found
}
