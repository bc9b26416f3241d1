//! Loads files that define names: the files that belong together, their roles, and the values of inputs.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::context::Context;
use super::error::Error;
use super::find::{self, Exclude};
use super::input::{Origin, config_file};
use super::language::{Choice, Language};
use super::modules::{Modules, Read};
use super::outside::{self, Outside};
use super::root::identity;
use super::terminal::{note, show};
use super::variables::{Variables, give_file, show_without};
use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::eval::{Functions, Scope};
use hcl_lr::functions::FunctionSet;
use hcl_lr::source::visible::path as shown;
use hcl_lr::syntax::similar_name;
use hcl_lr::{ParseOptions, parse};
use hcl_lr_language::definitions::{CompanionFile, Definition, Definitions, Evaluated, Inputs, References};
use hcl_lr_language::schema::Checker;

/// Options for files that define names.
#[derive(clap::Args)]
pub struct Like {
    #[command(flatten)]
    pub choice: Choice,
}

/// Files that belong together.
pub struct Project {
    pub definitions: Definitions,
    /// The files, without those of modules.
    pub files: Vec<(Origin, ConfigFile)>,
    /// The errors that do not depend on values.
    pub found: Diagnostics,
    /// True if the text of a file has errors.
    pub has_errors: bool,
    /// The named files next to those with definitions.
    beside: Vec<(Origin, ConfigFile)>,
    /// The files of the called modules.
    called: Vec<ConfigFile>,
    /// Links to modules, and inside them, that were not followed.
    pub left: BTreeSet<PathBuf>,
    context: Context,
    language: Language,
    folder: PathBuf,
    options: ParseOptions,
    workspace: String,
}

impl Project {
    /// Reads the files at paths, which may be folders, and their definitions. If a program reads each file separately,
    /// each is a project. Files in folders can be excluded. Syntax errors are shown.
    ///
    /// # Errors
    /// A message, if a file cannot be read. An inner `Err` means that the table has errors, which are shown.
    pub fn load(
        context: &Context,
        like: &Like,
        (paths, exclude): (&[PathBuf], &Exclude),
        options: &ParseOptions,
        color: bool,
    ) -> Result<Vec<Project>, Error> {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let language = like.choice.language_of(context, paths, color)?;
        context.reach().name(paths);
        let (mut origins, mut links): (Vec<Origin>, BTreeSet<PathBuf>) = Default::default();
        for path in paths {
            if !path.is_dir() {
                origins.push(Origin::of_argument(path));
                continue;
            }
            let mut files = language.files_in(context, path)?;
            links.extend(find::links_out_of(context, path));
            let further = further_folders(&language).into_iter();
            let further = further.filter_map(|further| context.reach().folder_in(path, further.as_ref()));
            links.extend(further.flat_map(|further| find::links_out_of(context, &further)));
            let of = || if language.is_plain() { String::new() } else { format!(" of {}", language.name()) };
            if files.is_empty() {
                return Err(format!("there are no files{} in `{}`", of(), shown(path)).into());
            }
            // The contents of a named folder are included, whatever its path is.
            let is_meant = exclude.matches(path, true);
            files.retain(|file| is_meant || !exclude.matches(file, false));
            if files.is_empty() {
                return Err(format!("`--exclude` leaves out all files{} in `{}`", of(), shown(path)).into());
            }
            origins.extend(files.into_iter().map(Origin::Path));
        }
        let groups: Vec<Vec<Origin>> = match language.is_together() {
            true => vec![origins],
            false => origins.into_iter().map(|origin| vec![origin]).collect(),
        };
        let projects = groups.into_iter().map(|group| Project::of(context, group, &language, options, Some(color)));
        let mut projects = projects.collect::<Result<Vec<_>, _>>()?;
        links.extend(projects.iter_mut().flat_map(|project| std::mem::take(&mut project.left)));
        find::note(context, links);
        Ok(projects)
    }

    /// Reads the files of a folder like those of other projects, if there are any. Errors are not shown, because most
    /// folders are unrelated to the search.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn of_caller(known: &[Project], folder: &Path) -> Result<Option<Project>, Error> {
        let Some(like) = known.first() else { return Ok(None) };
        let context = &like.context;
        let files = like.language.files_in(context, folder)?;
        if files.is_empty() {
            return Ok(None);
        }
        let origins = files.into_iter().map(Origin::Path).collect();
        Project::of(context, origins, &like.language, &context.parse_options(), None).map(Some)
    }

    /// Reads files that belong together, without showing their syntax errors.
    ///
    /// # Errors
    /// A message, if a file cannot be read.
    pub fn quietly(
        context: &Context,
        origins: Vec<Origin>,
        language: &Language,
        options: &ParseOptions,
    ) -> Result<Project, Error> {
        Project::of(context, origins, language, options, None)
    }

    fn of(
        context: &Context,
        origins: Vec<Origin>,
        language: &Language,
        options: &ParseOptions,
        shown: Option<bool>,
    ) -> Result<Project, Error> {
        let folder = match origins.first() {
            Some(Origin::Path(path)) => path.parent().map(Path::to_owned).unwrap_or_default(),
            _ => PathBuf::new(),
        };
        let (mut files, mut beside, mut has_errors) = (Vec::new(), Vec::new(), false);
        let mut found_beside = Vec::new();
        for origin in origins {
            let (document, diagnostics) = config_file(context, &origin, options)?;
            has_errors |= diagnostics.has_errors();
            if language.roles().companions_of(&origin.name()).is_some() {
                beside.push((origin, document));
                found_beside.push(diagnostics);
                continue;
            }
            if let Some(color) = shown {
                show(diagnostics, color);
            }
            files.push((origin, document));
        }
        if files.is_empty() {
            std::mem::swap(&mut files, &mut beside);
        }
        let workspace = outside::selected_workspace();
        let project = Project {
            definitions: Definitions::of(language.roles(), Vec::<ConfigFile>::new()).into_value(),
            files,
            found: Diagnostics::new(),
            has_errors,
            beside,
            called: Vec::new(),
            left: BTreeSet::new(),
            context: context.clone(),
            language: language.clone(),
            folder,
            options: *options,
            workspace,
        };
        let Read { definitions, found, called, left } = project.read(&project.workspace, &Inputs::new())?;
        let project = Project { definitions, found, called, left, ..project };
        if let Some(color) = shown {
            // Only now is it known which values are sensitive.
            let sensitive = project.sensitive_inputs(None);
            let names = project.beside.iter().chain(&project.files).map(|(origin, _)| origin.name());
            for (diagnostics, name) in found_beside.into_iter().zip(names) {
                show_without(diagnostics, &sensitive, &name, color);
            }
        }
        Ok(project)
    }

    /// Reads the definitions of the files and of the modules that they call.
    fn read(&self, workspace: &str, inputs: &Inputs) -> Result<Read, Error> {
        let documents: Vec<ConfigFile> = self.files.iter().map(|(_, document)| document.clone()).collect();
        self.modules(workspace, &HashMap::new(), self.options).definitions(self.language.roles(), &documents, inputs)
    }

    fn modules<'a>(
        &'a self,
        workspace: &'a str,
        changed: &'a HashMap<PathBuf, String>,
        options: ParseOptions,
    ) -> Modules<'a> {
        let (context, language, folder) = (&self.context, &self.language, &*self.folder);
        let (refused, known, left) = (RefCell::new(None), RefCell::default(), RefCell::default());
        Modules { context, language, folder, workspace, changed, options, refused, known, left }
    }

    /// Returns true if the files are of a language, or of one that extends it.
    pub fn is_of(&self, language: &str) -> bool {
        self.language.is(language)
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder }
    }

    /// Returns true if the files can be a module that others call.
    pub fn has_modules(&self) -> bool {
        self.language.roles().has_modules()
    }

    /// Returns true if a program can start from this folder: it has files with values that are read without being named.
    pub fn is_begun_in(&self, folder: &Path) -> bool {
        !self.given_files(folder).is_empty()
    }

    /// Returns the definitions of the files with changes, given by resolved paths. `None` if the changes add errors to
    /// a file.
    pub fn with_changes(&self, changed: &HashMap<PathBuf, String>) -> Option<Definitions> {
        let mut documents = Vec::new();
        for (_, document) in &self.files {
            documents.push(changed_document(document, changed)?);
        }
        let modules = self.modules(&self.workspace, changed, self.context.parse_options());
        modules.definitions(self.language.roles(), &documents, &Inputs::new()).ok().map(|read| read.definitions)
    }

    /// Returns the references in the files, in those next to them, and in those next to the module of a definition.
    /// Syntax errors of the latter two are shown.
    ///
    /// # Errors
    /// A message, if one cannot be read.
    pub fn references(&self, definition: Option<&Definition<'_>>, color: bool) -> Result<References, Error> {
        let beside = self.files_beside(definition, color)?;
        Ok(References::with_companions(&self.definitions, beside))
    }

    /// Returns the same with changes in the files, given by resolved paths.
    pub fn references_with(
        &self,
        definitions: &Definitions,
        definition: &Definition<'_>,
        changed: &HashMap<PathBuf, String>,
    ) -> Option<References> {
        let mut beside = Vec::new();
        for CompanionFile { document, module, .. } in self.files_beside(Some(definition), false).ok()? {
            let file = CompanionFile::new(changed_document(&document, changed)?);
            beside.push(match module {
                Some(module) => file.of_module(module),
                None => file,
            });
        }
        Some(References::with_companions(definitions, beside))
    }

    /// Returns the files next to these and next to those of the module of a definition.
    fn files_beside(&self, definition: Option<&Definition<'_>>, color: bool) -> Result<Vec<CompanionFile>, Error> {
        let mut all: Vec<CompanionFile> =
            self.beside.iter().map(|(_, document)| CompanionFile::new(document.clone())).collect();
        let named: HashSet<PathBuf> = self.beside.iter().map(|(origin, _)| identity_of(origin)).collect();
        let mut folders = Vec::new();
        if matches!(self.files.first(), Some((Origin::Path(_), _))) {
            folders.push((None, self.folder().to_owned()));
        }
        if let Some(key) = definition.and_then(|definition| definition.module_key()) {
            folders.push((Some(key.to_owned()), PathBuf::from(key)));
        }
        for (module, folder) in folders {
            for path in self.paths_beside(&folder) {
                let origin = Origin::Path(path);
                if named.contains(&identity_of(&origin)) {
                    continue;
                }
                let (document, diagnostics) = config_file(&self.context, &origin, &self.context.parse_options())?;
                let has_errors = diagnostics.has_errors();
                show_without(diagnostics, &self.sensitive_inputs(module.as_deref()), &origin.name(), color);
                if has_errors {
                    return Err(
                        format!("`{}` has errors, so that references in it are not found", origin.name()).into()
                    );
                }
                let file = CompanionFile::new(document);
                all.push(match &module {
                    Some(module) => file.of_module(module.clone()),
                    None => file,
                });
            }
        }
        Ok(all)
    }

    /// Returns the paths of the files next to those of a folder.
    fn paths_beside(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let further = further_folders(&self.language).into_iter();
        for inner in std::iter::once(None).chain(further.map(Some)) {
            let path = match inner {
                None => folder.to_owned(),
                Some(inner) => match self.context.reach().folder_in(folder, inner.as_ref()) {
                    Some(path) => path,
                    None => continue,
                },
            };
            let belongs = |name: &str| {
                let beside = self.language.roles().companions_of(name);
                beside.is_some_and(|beside| {
                    inner.is_none_or(|inner| beside.folders().iter().any(|folder| folder == inner))
                })
            };
            let names = self.context.reach().files(&path, belongs).unwrap_or_default().names.into_iter();
            found.extend(names.map(|name| if path == Path::new(".") { name.into() } else { path.join(name) }));
        }
        found
    }

    /// Returns the values of the definitions. `Err` if a file with values has errors, which are shown.
    ///
    /// # Errors
    /// A message, if a file with values cannot be read, or a value is given for an undefined variable.
    pub fn evaluate(&self, variables: &Variables, outside: &Outside, color: bool) -> Result<Evaluated, Error> {
        let mut inputs = self.inputs(variables, color)?;
        let functions = outside::functions(&self.context, &self.language, &self.folder, outside.allow_files);
        let functions = match self.functions(variables.functions()) {
            Some(asked) => functions.with_all(&asked),
            None => functions,
        };
        let scope = Scope::new().with_limits(variables.limits()).with_functions(functions);
        let workspace = outside.workspace();
        // The values and the workspace may decide which modules are called.
        let is_other = workspace != self.workspace || self.definitions.has_computed_sources();
        let again = if is_other { Some(self.read(&workspace, &inputs)?) } else { None };
        let (definitions, called) = match &again {
            Some(read) => (&read.definitions, &read.called),
            None => (&self.definitions, &self.called),
        };
        self.hide(called, &mut inputs);
        Ok(definitions.evaluate_with(&inputs, &scope))
    }

    /// Lets the evaluation hide the values that the schema calls sensitive.
    fn hide(&self, called: &[ConfigFile], inputs: &mut Inputs) {
        let Some(schema) = self.language.schema() else { return };
        let checker = Checker::new(schema);
        for document in self.files.iter().map(|(_, document)| document).chain(called) {
            inputs.set_sensitive(document.source().name(), checker.sensitive(document));
        }
    }

    /// The scope of an evaluation that reads no files and has the usual limits.
    pub fn scope(&self) -> Scope<'static> {
        Scope::new().with_functions(outside::functions(&self.context, &self.language, &self.folder, false))
    }

    /// Returns the functions that the language does not define: the requested ones, or else those of all languages
    /// without functions of their own.
    fn functions(&self, asked: FunctionSet) -> Option<Functions> {
        let has_own = self.language.roles().functions().names().next().is_some();
        (asked != FunctionSet::Extended || !has_own).then(|| asked.functions())
    }

    /// The set of functions, for help and completion.
    pub fn set(&self, asked: FunctionSet) -> FunctionSet {
        match asked {
            FunctionSet::Extended => self.language.functions().unwrap_or(asked),
            _ => asked,
        }
    }

    /// Returns the values from outside, in order of increasing precedence.
    fn inputs(&self, variables: &Variables, color: bool) -> Result<Inputs, Error> {
        let mut inputs = Inputs::new();
        self.environment(&mut inputs);
        let sensitive = self.sensitive_inputs(None);
        for path in self.value_files() {
            give_file(&self.context, &path, &mut inputs, &sensitive, variables.limits(), color)?;
        }
        let given = variables.give(&self.context, &mut inputs, &sensitive, color)?;
        let unused = self.definitions.unused_inputs(&inputs);
        for (name, is_in_file) in given.iter().filter(|(name, _)| unused.contains(name)) {
            if !is_in_file && (self.language.is("terraform") || self.language.is("packer")) {
                let names = self.definitions.iter().filter(|input| input.is_input() && input.module().is_none());
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
        let inputs = self.definitions.iter().filter(|input| input.is_input() && input.is_sensitive());
        let module_inputs = inputs.filter(|input| match module {
            None => input.module().is_none(),
            Some(key) => input.module_key() == Some(key),
        });
        module_inputs.map(|input| input.name()).collect()
    }

    /// Adds values from the environment, as the program reads them.
    fn environment(&self, inputs: &mut Inputs) {
        let Some(prefix) = self.language.environment() else { return };
        let names: HashSet<&str> = self
            .definitions
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
            if self.language.is("bake")
                && !names.contains(&*in_json)
                && let Ok(value) = std::env::var(&in_json)
            {
                inputs.set_json(name, (&*in_json, &*value));
            }
        }
    }

    /// Returns the files with values that the program reads automatically.
    fn value_files(&self) -> Vec<PathBuf> {
        self.given_files(self.folder()).into_iter().map(|name| self.folder.join(name)).collect()
    }

    /// Returns the names of these files in a folder, in order of increasing precedence.
    fn given_files(&self, folder: &Path) -> Vec<String> {
        let place = |name: &str| self.language.roles().beside().iter().find_map(|beside| beside.is_given(name));
        let names =
            self.context.reach().files(folder, |name| place(name).is_some()).unwrap_or_default().names.into_iter();
        let mut found: Vec<(usize, String)> = names.filter_map(|name| Some((place(&name)?, name))).collect();
        found.sort();
        found.into_iter().map(|(_, name)| name).collect()
    }
}

/// Returns the names of the subfolders with files that belong to those of the folder, such as tests.
fn further_folders(language: &Language) -> BTreeSet<&str> {
    language.roles().beside().iter().flat_map(|beside| beside.folders()).map(String::as_str).collect()
}

/// Returns a path that is the same for all paths of a file.
fn identity_of(origin: &Origin) -> PathBuf {
    match origin {
        Origin::Stdin => PathBuf::from(origin.name()),
        Origin::Path(path) => identity(path),
    }
}

/// Returns a document with its changed text; `None` if that has errors.
fn changed_document(document: &ConfigFile, changed: &HashMap<PathBuf, String>) -> Option<ConfigFile> {
    let name = document.source().name();
    match changed.get(&identity(Path::new(name))) {
        Some(text) => {
            let (new, found) = parse::<ConfigFile>((name, text.as_str())).into_parts();
            // A file that already had errors may keep them.
            let known = || parse::<ConfigFile>((name, document.source().text())).into_parts().1.errors().count();
            (!found.has_errors() || found.errors().count() <= known()).then_some(new)
        }
        None => Some(document.clone()),
    }
}

/// Returns the definition for an address: as in expressions, or as the type of a block and its labels.
pub fn find<'p>(project: &'p Project, address: &str) -> Option<Definition<'p>> {
    let as_block = |definition: &Definition<'_>| {
        let block = definition.block_type().map(|name| format!("{name}.{}", definition.name()));
        definition.module().is_none() && block.as_deref() == Some(address)
    };
    project.definitions.get(address).or_else(|| project.definitions.iter().find(as_block))
}

/// The most definitions of one name that a message lists.
const MAX_NAMED: usize = 4;

/// Returns the message for an undefined address.
pub fn not_found(projects: &[Project], address: &str) -> String {
    let definitions = || projects.iter().flat_map(|project| project.definitions.iter());
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
