//! Modules of a program, which are folders.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::context::Context;
use super::error::Error;
use super::find;
use super::input::Origin;
use super::input::config_file;
use super::language::Language;
use super::outside;
use super::resolve::normal;
use super::root::identity;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::{ConfigFile, ParseOptions, parse};
use hcl_lr_language::definitions::{Definitions, Inputs, Loaded, LoadedModule, Loader, ModuleCall, Roles};

/// Modules in folders.
pub struct Modules<'a> {
    pub context: &'a Context,
    /// The language of the files.
    pub language: &'a Language,
    /// The folder of the files that are not part of a module.
    pub folder: &'a Path,
    /// The selected workspace.
    pub workspace: &'a str,
    /// Changed texts of files, by their resolved paths.
    pub changed: &'a HashMap<PathBuf, String>,
    /// The options for parsing files.
    pub options: ParseOptions,
    /// Why a file was not read that `--root` leaves out.
    pub refused: RefCell<Option<String>>,
    /// The files that were read, by their folders.
    pub known: RefCell<HashMap<PathBuf, Vec<ConfigFile>>>,
    /// Links that lead elsewhere and were not followed.
    pub left: RefCell<BTreeSet<PathBuf>>,
}

/// The result of reading modules.
pub struct Read {
    pub definitions: Definitions,
    pub found: Diagnostics,
    /// The files of the modules that are called.
    pub called: Vec<ConfigFile>,
    /// Links to modules, and inside them, that were not followed.
    pub left: BTreeSet<PathBuf>,
}

impl Modules<'_> {
    /// Returns true if a path that a file in a folder names may be read. If not, keeps the reason.
    fn allows(&self, from: &Path, path: &Path) -> bool {
        let refusal = self.context.root().refusal(from, path);
        let allows = refusal.is_none();
        if !allows {
            self.refused.borrow_mut().get_or_insert_with(|| refusal.unwrap_or_default());
        }
        allows
    }

    /// The files of a folder as a module, with the variables that the program defines itself.
    fn module(&self, folder: &Path, documents: &[ConfigFile]) -> LoadedModule {
        let module = LoadedModule::new(folder.to_string_lossy(), documents.iter().cloned());
        let variables = outside::variables(self.language, self.folder, folder, self.workspace);
        variables.into_iter().fold(module, |module, (name, value)| module.with_variable(name, value))
    }

    /// Reads the definitions of the application's files and of the modules that they call. `Err`: `--root` excludes a
    /// file.
    ///
    /// # Errors
    /// A message that names the file.
    pub fn definitions(self, roles: &Roles, documents: &[ConfigFile], inputs: &Inputs) -> Result<Read, Error> {
        let files = self.module(self.folder, documents);
        let (definitions, found) = Definitions::with_inputs(roles, files, &self, inputs).into_parts();
        match self.refused.into_inner() {
            Some(refused) => Err(refused.into()),
            None => {
                let called = self.known.into_inner().into_values().flatten().collect();
                Ok(Read { definitions, found, called, left: self.left.into_inner() })
            }
        }
    }
}

impl Loader for Modules<'_> {
    fn load(&self, call: &ModuleCall<'_>) -> Loaded {
        // Only such a source is a folder; all others are downloaded.
        if !call.source().starts_with("./") && !call.source().starts_with("../") {
            return Loaded::Later;
        }
        let from = call.caller().map_or(self.folder, Path::new);
        let folder = normal(&from.join(call.source()));
        if let Some(documents) = self.known.borrow().get(&folder) {
            return Loaded::Module(self.module(&folder, documents));
        }
        let source = Path::new(call.source());
        if !self.allows(from, source) {
            return Loaded::Later;
        }
        if !self.context.reach().leads_within(from, source) {
            self.left.borrow_mut().insert(folder);
            return Loaded::Later;
        }
        self.left.borrow_mut().extend(find::links_out_of(self.context, &folder));
        let Ok(files) = self.language.files_in(self.context, &folder) else { return Loaded::Later };
        let mut documents = Vec::new();
        for path in files {
            let changed = if self.changed.is_empty() { None } else { self.changed.get(&identity(&path)) };
            let origin = Origin::Path(path);
            let read = match changed {
                Some(text) => Ok(parse::<ConfigFile>((origin.name().as_str(), text.as_str())).into_parts()),
                None => config_file(self.context, &origin, &self.options),
            };
            match read {
                Ok((_, diagnostics)) if diagnostics.has_errors() => return Loaded::Failed(diagnostics),
                Ok((document, _)) => documents.push(document),
                Err(_) => return Loaded::Later,
            }
        }
        if documents.is_empty() {
            return Loaded::Later;
        }
        let module = self.module(&folder, &documents);
        self.known.borrow_mut().insert(folder, documents);
        Loaded::Module(module)
    }
}
