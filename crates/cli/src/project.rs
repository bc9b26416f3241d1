//! Loads files that define names: the files that belong together, their roles, and the values of inputs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::Context;
use super::disk::{Disk, disk_path, project_path};
use super::error::Error;
use super::find::{self, Exclude};
use super::input::Origin;
use super::language::{Choice, FileLanguages};
use super::outside::{self, Outside};
use super::root::identity;
use super::terminal::{note, show};
use super::variables::{Variables, give_file, show_without};
use super::written_blocks::WrittenFile;
use hcl_lr::ParseOptions;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::functions::FunctionSet;
use hcl_lr::source::visible::path as shown;
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::similar_name;
use hcl_lr_language::definitions::{CompanionFile, Definition, Definitions, Evaluated, Inputs, References, Roles};
use hcl_lr_project::paths::split;
use hcl_lr_project::project::defining_files;
use hcl_lr_project::{Document, Files, Key, Language, LoadOptions, Member, Overlay};

/// Options for files that define names.
#[derive(clap::Args)]
pub struct Like {
    #[command(flatten)]
    pub choice: Choice,
}

/// Options for reading projects.
#[derive(Clone, Copy, Default)]
struct Loading {
    /// A folder may have no files.
    may_be_empty: bool,
    /// Errors of the files are not shown.
    is_silent: bool,
}

/// Files that belong together.
pub struct Project {
    model: hcl_lr_project::Project,
    /// The paths of the files that the user has named, if the others of their folder are read only because these need
    /// them.
    named: Option<HashSet<String>>,
    /// True if the text of a file has errors.
    pub has_errors: bool,
    languages: Arc<FileLanguages>,
    context: Context,
    workspace: String,
}

impl Project {
    /// Reads the files at paths, which may be folders, and their definitions. If a program reads each file separately,
    /// each is a project. Files in folders can be excluded. Syntax errors are shown.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn load(
        context: &Context,
        like: &Like,
        paths: (&[PathBuf], &Exclude),
        options: &ParseOptions,
        color: bool,
    ) -> Result<Vec<Project>, Error> {
        Project::load_with(context, like, paths, options, (color, Loading::default()))
    }

    /// The same for an expression, which needs no files: the current folder may have none.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn load_for_expression(
        context: &Context,
        like: &Like,
        paths: (&[PathBuf], &Exclude),
        options: &ParseOptions,
        color: bool,
    ) -> Result<Vec<Project>, Error> {
        let loading = Loading { may_be_empty: paths.0.is_empty(), ..Loading::default() };
        Project::load_with(context, like, paths, options, (color, loading))
    }

    /// Reads projects as [`load`](Self::load) does, but shows no errors of the files: they are among the findings.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_unshown(
        context: &Context,
        like: &Like,
        paths: (&[PathBuf], &Exclude),
        options: &ParseOptions,
        color: bool,
    ) -> Result<Vec<Project>, Error> {
        let loading = Loading { is_silent: true, ..Loading::default() };
        Project::load_with(context, like, paths, options, (color, loading))
    }

    fn load_with(
        context: &Context,
        like: &Like,
        (paths, exclude): (&[PathBuf], &Exclude),
        options: &ParseOptions,
        (color, Loading { may_be_empty, is_silent }): (bool, Loading),
    ) -> Result<Vec<Project>, Error> {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let languages = like.choice.languages(context, color)?;
        let languages = Arc::new(FileLanguages::new(context, options, languages).for_values());
        context.reach().name(paths);
        let (mut keys, mut named) = (Vec::<Key>::new(), HashMap::<Key, HashSet<String>>::new());
        let mut single: Vec<(Language, Vec<String>)> = Vec::new();
        for path in paths {
            if path.is_dir() {
                keys.extend(keys_of_folder(&languages, context, path, exclude, may_be_empty)?);
                continue;
            }
            let origin = Origin::of_argument(path);
            let file = languages.disk.name(&origin);
            let language = languages.of(&origin).language;
            // A module is its folder: without the other files, nothing can be said about one.
            let is_of_folder = language.roles().has_modules() && origin != Origin::Stdin;
            if is_of_folder && !is_unreadable(&languages.disk, &file) {
                let key = languages.with_sources(&languages.disk, |sources| Key::of(sources, &file));
                named.entry(key.clone()).or_default().insert(file);
                keys.push(key);
                continue;
            }
            let is_together = language.is_together() || language.is_plain() && like.choice.is_given();
            match single.iter_mut().find(|(other, _)| is_together && *other == language) {
                Some((_, files)) => files.push(file),
                None => single.push((language, vec![file])),
            }
        }
        keys.extend(single.into_iter().map(|(language, files)| {
            let folder = files.first().map_or(".", |file| split(file).0).to_owned();
            Key::of_files(&folder, files, &language)
        }));
        // Languages are compared by identity.
        #[allow(clippy::mutable_key_type)]
        let mut seen = HashSet::new();
        let mut projects = Vec::new();
        for key in keys.into_iter().filter(|key| seen.insert(key.clone())) {
            let shown = (!is_silent).then_some(color);
            let project = Project::of(context, &languages, &key, named.remove(&key), shown)?;
            // Templates side by side may be programs of their own.
            let programs = if project.named.is_none() { project.model.programs() } else { vec![key.clone()] };
            if programs == [key] {
                projects.push(project);
                continue;
            }
            for program in programs {
                projects.push(Project::of(context, &languages, &program, None, None)?);
            }
        }
        find::note(context, languages.disk.take_left());
        Ok(projects)
    }

    /// Reads the files of a folder like those of other projects, if there are any. Errors are not shown, because most
    /// folders are unrelated to the search.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn of_caller(known: &[Project], folder: &Path) -> Result<Option<Project>, Error> {
        let Some(like) = known.first() else { return Ok(None) };
        let key = Key::of_folder(&project_path(folder), like.language());
        let project = Project::of(&like.context, &like.languages, &key, None, None)?;
        Ok((!project.model.members().is_empty()).then_some(project))
    }

    /// Reads the project with a key. Errors in its files are not shown.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn of_key(context: &Context, languages: &Arc<FileLanguages>, key: &Key) -> Result<Project, Error> {
        Project::of(context, languages, key, None, None)
    }

    fn of(
        context: &Context,
        languages: &Arc<FileLanguages>,
        key: &Key,
        named: Option<HashSet<String>>,
        shown: Option<bool>,
    ) -> Result<Project, Error> {
        let workspace = outside::selected_workspace();
        let model = read(languages, &languages.disk, key, &workspace, &Inputs::new());
        if let Some(refused) = model.refused() {
            return Err(refused.to_owned().into());
        }
        // A file that is listed and cannot be read is an error.
        if let Some(path) = model.unread().first() {
            return Err(languages.disk.why_unread(path));
        }
        let is_meant = |member: &Member| named.as_ref().is_none_or(|named| named.contains(&member.path));
        let meant = || model.members().iter().filter(|member| is_meant(member));
        let has_errors = meant().any(|member| member.document.diagnostics.has_errors());
        let project =
            Project { has_errors, model, named, languages: languages.clone(), context: context.clone(), workspace };
        if let Some(color) = shown {
            for member in project.model.members().iter().filter(|member| project.is_meant(&member.path)) {
                show(member.wrong_schema().into_iter().collect(), color);
                show(member.document.diagnostics.clone(), color);
            }
        }
        Ok(project)
    }

    /// Returns the project as all programs see it.
    pub fn model(&self) -> &hcl_lr_project::Project {
        &self.model
    }

    /// Returns the definitions.
    pub fn definitions(&self) -> &Definitions {
        self.model.definitions()
    }

    /// Returns true if the user named a file, or all files of the project were meant.
    pub fn is_meant(&self, path: &str) -> bool {
        self.named.as_ref().is_none_or(|named| named.contains(path))
    }

    /// Returns true if a place is in a file that the user named, or all files were meant.
    pub fn is_named(&self, place: &Place) -> bool {
        let name = place.source().name();
        self.named.is_none()
            || self
                .model
                .all_members()
                .any(|member| self.is_meant(&member.path) && member.document.file.source().name() == name)
    }

    /// Returns true if a place is in no file of the project's folder, such as in the environment or in a module.
    pub fn is_elsewhere(&self, place: &Place) -> bool {
        let name = place.source().name();
        !self.model.all_members().any(|member| member.document.file.source().name() == name)
    }

    /// Returns the files in native syntax that the user named, to print their blocks.
    pub fn written_files(&self) -> Vec<WrittenFile> {
        let meant = self.model.members().iter().filter(|member| self.is_meant(&member.path));
        let native = meant.filter_map(|member| match &member.document.file {
            hcl_lr::ConfigFile::Native(file) => Some((file.clone(), self.language().hidden(&member.document.file))),
            hcl_lr::ConfigFile::Json(_) => None,
        });
        native
            .map(|(file, hidden)| {
                let mut hidden: Vec<Span> = hidden.sensitive.into_iter().chain(hidden.write_only).collect();
                hidden.sort_unstable();
                WrittenFile { file, hidden }
            })
            .collect()
    }

    /// Returns the file whose source has a name.
    pub fn origin_of(&self, source: &str) -> Option<Origin> {
        let mut all = self.model.members().iter().chain(self.model.companions());
        let member = all.find(|member| member.document.file.source().name() == source)?;
        Some(self.languages.disk.origin(&member.path))
    }

    fn language(&self) -> &Language {
        self.model.language()
    }

    /// Returns the roles of definitions.
    pub fn roles(&self) -> &Roles {
        self.language().roles()
    }

    /// Returns true if the files are of a language, or of one that extends it.
    pub fn is_of(&self, language: &str) -> bool {
        self.language().is(language)
    }

    /// Returns the folder of the files.
    pub fn folder(&self) -> PathBuf {
        disk_path(self.model.folder())
    }

    /// Returns true if the files can be a module that others call.
    pub fn has_modules(&self) -> bool {
        self.language().roles().has_modules()
    }

    /// Returns true if a program can start from this folder: it has files with values that are read without being named.
    pub fn is_begun_in(&self, folder: &Path) -> bool {
        let place = |name: &str| self.language().roles().beside().iter().find_map(|beside| beside.is_given(name));
        self.languages.disk.names(&project_path(folder)).iter().any(|name| place(name).is_some())
    }

    /// Returns the project with changed texts of files, given by resolved paths. `None` if the changes add errors to a
    /// file.
    pub fn with_changes(&self, changed: &HashMap<PathBuf, String>, definition: &Definition<'_>) -> Option<Changed> {
        let beside = self.beside_module(Some(definition), &self.languages.disk);
        let modules = self.model.modules().flat_map(|(_, members)| members);
        let mut texts = BTreeMap::new();
        for member in self
            .model
            .members()
            .iter()
            .chain(self.model.companions())
            .chain(modules)
            .chain(beside.iter().map(|(_, member)| member))
        {
            let Some(text) = changed.get(&identity(&disk_path(&member.path))) else { continue };
            texts.insert(member.path.clone(), changed_document(&member.document, text)?);
        }
        let files = Overlay::new(&self.languages.disk, texts.clone());
        let model = read(&self.languages, &files, self.model.key(), &self.workspace, &Inputs::new());
        Some(Changed { model, texts })
    }

    /// Returns the references in the files, in those next to them, and in those next to the module of a definition.
    /// Syntax errors of the latter are shown.
    ///
    /// # Errors
    /// A message, if one cannot be read.
    pub fn references(&self, definition: Option<&Definition<'_>>, color: bool) -> Result<References, Error> {
        let of_module = self.beside_module(definition, &self.languages.disk);
        let own = self.model.companions().iter().map(|member| (None, member));
        let mut beside = Vec::new();
        for (module, member) in own.chain(of_module.iter().map(|(module, member)| (Some(&**module), member))) {
            let document = &member.document;
            let name = document.file.source().name();
            show_without(document.diagnostics.clone(), &self.sensitive_inputs(module), name, color);
            if document.diagnostics.has_errors() {
                return Err(format!("`{name}` has errors, so that references in it are not found").into());
            }
            beside.push(match module {
                Some(module) => companion(member).of_module(module),
                None => companion(member),
            });
        }
        Ok(References::with_companions(self.definitions(), beside))
    }

    /// Returns the same with changes in the files.
    pub fn references_with(&self, changed: &Changed, definition: &Definition<'_>) -> References {
        let files = Overlay::new(&self.languages.disk, changed.texts.clone());
        let mut beside: Vec<CompanionFile> = changed.model.companions().iter().map(companion).collect();
        let of_module = self.beside_module(Some(definition), &files);
        beside.extend(of_module.into_iter().map(|(module, member)| companion(&member).of_module(module)));
        References::with_companions(changed.model.definitions(), beside)
    }

    /// Returns the files next to those of the module of a definition.
    fn beside_module(&self, definition: Option<&Definition<'_>>, files: &dyn Files) -> Vec<(String, Member)> {
        let Some(module) = definition.and_then(|definition| definition.module_key()) else { return Vec::new() };
        let members = self
            .languages
            .with_sources(files, |sources| hcl_lr_project::Project::companions_in(sources, module, self.language()));
        members.into_iter().map(|member| (module.to_owned(), member)).collect()
    }

    /// Returns the values of the definitions. `Err` if a file with values has errors, which are shown.
    ///
    /// # Errors
    /// A message, if a file with values cannot be read, or a value is given for an undefined variable.
    pub fn evaluate(&self, variables: &Variables, outside: &Outside, color: bool) -> Result<Evaluated, Error> {
        self.evaluate_among((variables, &HashSet::new()), outside, color)
    }

    /// Does the same as one of several projects, which have inputs with these names.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_among(
        &self,
        (variables, others): (&Variables, &HashSet<String>),
        outside: &Outside,
        color: bool,
    ) -> Result<Evaluated, Error> {
        let mut inputs = self.inputs((variables, others), color)?;
        let functions = outside::functions(&self.context, self.language(), &self.folder(), outside.allow_files);
        let functions = match self.functions(variables.functions()) {
            Some(asked) => functions.with_all(&asked),
            None => functions,
        };
        let scope = Scope::new().with_limits(variables.limits()).with_functions(functions);
        // A language without definitions has no inputs, so that the values are variables.
        let plain = match self.language().has_definitions() {
            true => HashMap::new(),
            false => variables.all_values(&self.context, color)?,
        };
        let scope = scope.with_variables(&plain);
        let workspace = outside.workspace();
        // The values and the workspace may decide which modules are called.
        let is_other = workspace != self.workspace || self.definitions().has_computed_sources();
        let again =
            is_other.then(|| read(&self.languages, &self.languages.disk, self.model.key(), &workspace, &inputs));
        let model = again.as_ref().unwrap_or(&self.model);
        if let Some(refused) = model.refused() {
            return Err(refused.to_owned().into());
        }
        model.hide_sensitive(&mut inputs);
        Ok(model.definitions().evaluate_with(&inputs, &scope))
    }

    /// Returns the functions that the language does not define: the requested ones, or else those of all languages
    /// without functions of their own.
    fn functions(&self, asked: FunctionSet) -> Option<Functions> {
        let has_own = self.language().roles().functions().names().next().is_some();
        (asked != FunctionSet::Extended || !has_own).then(|| asked.functions())
    }

    /// The set of functions, for help and completion.
    pub fn set(&self, asked: FunctionSet) -> FunctionSet {
        match asked {
            FunctionSet::Extended => self.language().functions(),
            _ => asked,
        }
    }

    /// Returns the values from outside, in order of increasing precedence.
    fn inputs(&self, (variables, others): (&Variables, &HashSet<String>), color: bool) -> Result<Inputs, Error> {
        let mut inputs = Inputs::new();
        self.environment(&mut inputs);
        let sensitive = self.sensitive_inputs(None);
        for member in self.model.given_files() {
            let path = disk_path(&member.path);
            give_file(&self.context, &path, &mut inputs, &sensitive, variables.limits(), color)?;
        }
        if !self.language().has_definitions() {
            return Ok(inputs);
        }
        let given = variables.give(&self.context, &mut inputs, &sensitive, color)?;
        let unused = self.definitions().unused_inputs(&inputs);
        for (name, is_in_file) in given.iter().filter(|(name, _)| unused.contains(name) && !others.contains(name)) {
            if !is_in_file && (self.language().is("terraform") || self.language().is("packer")) {
                let names = self.definitions().iter().filter(|input| input.is_input() && input.module().is_none());
                let tip = similar_name(name, names.map(|input| input.name()));
                let tip = tip.map_or_else(String::new, |tip| format!("; did you mean `{tip}`?"));
                return Err(format!("`--var {name}`: the files have no variable of this name{tip}").into());
            }
            note(&format!("a value is given for \"{name}\", but the files have no such variable"));
        }
        Ok(inputs)
    }

    /// The names of the sensitive inputs of the files, or of a module.
    fn sensitive_inputs(&self, module: Option<&str>) -> HashSet<&str> {
        let inputs = self.definitions().iter().filter(|input| input.is_input() && input.is_sensitive());
        let module_inputs = inputs.filter(|input| match module {
            None => input.module().is_none(),
            Some(key) => input.module_key() == Some(key),
        });
        module_inputs.map(|input| input.name()).collect()
    }

    /// Adds values from the environment, as the program reads them.
    fn environment(&self, inputs: &mut Inputs) {
        let Some(prefix) = self.language().environment() else { return };
        let names: HashSet<&str> = self
            .definitions()
            .iter()
            .filter(|input| input.is_input() && input.module().is_none())
            .map(|input| input.name())
            .collect();
        for &name in &names {
            let variable = format!("{prefix}{name}");
            if let Ok(value) = std::env::var(&variable) {
                inputs.set_text(name, (&*variable, &*value));
            }
            // Values have any type, unless the name is that of another variable.
            let in_json = format!("{variable}_JSON");
            if self.language().is("bake")
                && !names.contains(&*in_json)
                && let Ok(value) = std::env::var(&in_json)
            {
                inputs.set_json(name, (&*in_json, &*value));
            }
        }
    }
}

/// A project with changed texts.
pub struct Changed {
    model: hcl_lr_project::Project,
    texts: BTreeMap<String, Document>,
}

impl Changed {
    /// Returns the definitions.
    pub fn definitions(&self) -> &Definitions {
        self.model.definitions()
    }
}

/// Returns the keys of the projects in a folder that the user named.
fn keys_of_folder(
    languages: &FileLanguages,
    context: &Context,
    path: &Path,
    exclude: &Exclude,
    may_be_empty: bool,
) -> Result<Vec<Key>, Error> {
    let failed = |error| Error::io(format!("cannot read `{}`", shown(path)), error);
    context.reach().files(path, |_| false).map_err(failed)?;
    let folder = project_path(path);
    let language = languages.of_folder(&folder);
    let files = languages.with_sources(&languages.disk, |sources| defining_files(sources, &folder, &language));
    let of = || if language.is_plain() { String::new() } else { format!(" of {}", language.name()) };
    if files.is_empty() && may_be_empty {
        return Ok(vec![Key::of_folder(&folder, &language)]);
    }
    if files.is_empty() {
        return Err(format!("there are no files{} in `{}`", of(), shown(path)).into());
    }
    // The contents of a named folder are included, whatever its path is.
    let is_meant = exclude.matches(path, true);
    let is_kept = |file: &&String| is_meant || !exclude.matches(&disk_path(file), false);
    let kept: Vec<String> = files.iter().filter(is_kept).cloned().collect();
    if kept.is_empty() {
        return Err(format!("`--exclude` leaves out all files{} in `{}`", of(), shown(path)).into());
    }
    Ok(match language.is_together() || language.is_plain() {
        false => kept.iter().map(|file| Key::of_file(file, &language)).collect(),
        true if kept.len() == files.len() && !language.is_plain() => vec![Key::of_folder(&folder, &language)],
        true => vec![Key::of_files(&folder, kept, &language)],
    })
}

/// Returns true if a file does not exist or is no ordinary file.
fn is_unreadable(disk: &Disk, path: &str) -> bool {
    !disk.origin(path).path().is_some_and(Path::is_file)
}

/// Reads a project for evaluation, with the variables that the program itself defines.
fn read(
    languages: &FileLanguages,
    files: &dyn Files,
    key: &Key,
    workspace: &str,
    inputs: &Inputs,
) -> hcl_lr_project::Project {
    let variables = |folder: &str| {
        let all = outside::variables(key.language(), &disk_path(key.folder()), &disk_path(folder), workspace);
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    };
    let options = LoadOptions { inputs: Some(inputs), variables: Some(&variables), ..LoadOptions::default() };
    languages.with_sources(files, |sources| hcl_lr_project::Project::load(sources, key, &options))
}

fn companion(member: &Member) -> CompanionFile {
    CompanionFile::new(member.document.file.clone())
}

/// Returns a document with its changed text; `None` if that has more errors.
fn changed_document(document: &Document, text: &str) -> Option<Document> {
    let source = document.file.source();
    let new = Document::parse(hcl_lr::Source::new(source.name(), text), &ParseOptions::new());
    // A file that already had errors may keep them.
    let known = || Document::parse(hcl_lr::Source::new(source.name(), source.text()), &ParseOptions::new());
    let is_fine =
        !new.diagnostics.has_errors() || new.diagnostics.errors().count() <= known().diagnostics.errors().count();
    is_fine.then_some(new)
}

/// Returns the definition for an address: as in expressions, or as the type of a block and its labels.
pub fn find<'p>(project: &'p Project, address: &str) -> Option<Definition<'p>> {
    let as_block = |definition: &Definition<'_>| {
        let block = definition.block_type().map(|name| format!("{name}.{}", definition.name()));
        definition.module().is_none() && block.as_deref() == Some(address)
    };
    project.definitions().get(address).or_else(|| project.definitions().iter().find(as_block))
}

/// The most definitions of one name that a message lists.
const MAX_NAMED: usize = 4;

/// Returns the message for an undefined address.
pub fn not_found(projects: &[Project], address: &str) -> String {
    let definitions = || projects.iter().flat_map(|project| project.definitions().iter());
    // The address may lack the prefix that expressions use.
    let by_name: BTreeSet<&str> = definitions()
        .filter(|definition| definition.name() == address)
        .map(|definition| definition.address())
        .take(MAX_NAMED)
        .collect();
    if !by_name.is_empty() {
        let by_name: Vec<String> = by_name.into_iter().map(|name| format!("`{name}`")).collect();
        return format!("nothing is defined as `{address}`; did you mean {}?", by_name.join(" or "));
    }
    match similar_name(address, definitions().map(|definition| definition.address())) {
        Some(found) => format!("nothing is defined as `{address}`; did you mean `{found}`?"),
        None => format!("nothing is defined as `{address}`; `hcl graph` lists all definitions"),
    }
}
