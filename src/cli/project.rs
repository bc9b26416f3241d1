//! Files that define names and refer to them: which files belong together, the table of roles for them, and the
//! values that they are given.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::Status;
use super::find::Search;
use super::input::{Document as Read, Origin, read};
use super::terminal::{note, show};
use super::variables::{Variables, give_file};
use crate::definitions::{
    Definitions, Document, Evaluated, Inputs, Loaded, LoadedModule, Loader, ModuleCall, Roles, Table,
};
use crate::diagnostic::Diagnostics;
use crate::eval::{Functions, Scope};
use crate::functions::Set;
use crate::reading::{Options, reason, shown};

/// What defines names in the files.
#[derive(clap::Args)]
pub struct Like {
    /// Read the files as a program does: terraform, packer, nomad, bake or terragrunt
    ///
    /// This says what defines names in the files, how they are referred to, and which functions there are.
    /// Folders are read as the program reads them, its files with values, too.
    #[arg(long, value_name = "PROGRAM", conflicts_with = "roles")]
    pub like: Option<Table>,

    /// A file that says what defines names in the files
    #[arg(long, value_name = "FILE")]
    pub roles: Option<PathBuf>,
}

impl Like {
    /// Whether one of the options is there.
    pub fn is_given(&self) -> bool {
        self.like.is_some() || self.roles.is_some()
    }

    /// The table that was asked for, or the one that the names of the files suggest; `Err` if it has errors, which
    /// are shown.
    fn roles(&self, paths: &[PathBuf], color: bool) -> Result<Result<(Roles, Option<Table>), Status>, String> {
        if let Some(path) = &self.roles {
            let (name, bytes) = read(path)?;
            let (roles, diagnostics) = Roles::parse((&name, bytes)).into_parts();
            let wrong = diagnostics.has_errors();
            show(diagnostics, color);
            return Ok(if wrong { Err(Status::Errors) } else { Ok((roles, None)) });
        }
        let table = self.like.or_else(|| suggested(paths));
        Ok(Ok((table.map_or_else(Roles::attributes, Table::roles), table)))
    }
}

/// The program whose files they are, by their names.
pub fn suggested(paths: &[PathBuf]) -> Option<Table> {
    let mut names = Vec::new();
    for path in paths {
        match fs::read_dir(path) {
            Ok(entries) => {
                let all = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
                names.extend(all.filter(|name| !name.starts_with('.')));
            }
            Err(_) => names.push(path.file_name()?.to_string_lossy().into_owned()),
        }
    }
    let order = [Table::Terraform, Table::Packer, Table::Bake, Table::Terragrunt, Table::Nomad];
    order.into_iter().find(|table| names.iter().any(|name| surely(*table, name)))
}

/// Whether a name is one that only files of a program have.
fn surely(table: Table, name: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    match table {
        Table::Terraform => ends(&[".tf", ".tf.json", ".tofu", ".tofu.json"]),
        Table::Packer => ends(&[".pkr.hcl", ".pkr.json"]),
        Table::Nomad => ends(&[".nomad", ".nomad.hcl"]),
        Table::Bake => name.starts_with("docker-bake."),
        Table::Terragrunt => name == "terragrunt.hcl" || name == "terragrunt.stack.hcl",
    }
}

/// Whether a program reads a file of a name in a folder.
fn belongs(table: Option<Table>, name: &str) -> bool {
    if name.starts_with(['.', '#']) || name.ends_with('~') {
        return false;
    }
    let is_hcl = name.ends_with(".hcl");
    match table {
        Some(table @ (Table::Terraform | Table::Packer)) => surely(table, name),
        Some(Table::Nomad) => is_hcl || name.ends_with(".nomad"),
        Some(Table::Bake) => is_hcl || surely(Table::Bake, name) && name.ends_with(".json"),
        Some(Table::Terragrunt) => is_hcl,
        _ => Search::default().is_hcl(Path::new(name)),
    }
}

/// The files of a folder, in order.
fn files_of(table: Option<Table>, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("cannot read `{}`: {}", shown(folder), reason(&error));
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if belongs(table, &name) && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    // OpenTofu reads `main.tofu` in place of `main.tf`.
    let all: HashSet<String> = names.iter().cloned().collect();
    names.retain(|name| {
        let stem = name.strip_suffix(".json").unwrap_or(name).strip_suffix(".tf");
        let json = if name.ends_with(".json") { ".json" } else { "" };
        stem.is_none_or(|stem| !all.contains(&format!("{stem}.tofu{json}")))
    });
    let path = |name: String| if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
    Ok(names.into_iter().map(path).collect())
}

/// Files that belong together.
pub struct Project {
    pub definitions: Definitions,
    /// All files, those of modules not among them.
    pub files: Vec<(Origin, Document)>,
    /// What is wrong whatever the values are.
    pub found: Diagnostics,
    /// What is wrong with the text of a file.
    pub has_errors: bool,
    roles: Roles,
    table: Option<Table>,
    folder: PathBuf,
}

impl Project {
    /// Reads the files of paths, which may be folders, and what they define. Files of programs that read each file
    /// by itself are projects of their own. What is wrong with their text is shown.
    ///
    /// # Errors
    /// A message, if a file cannot be read. `Err` within: the table has errors, which are shown.
    pub fn load(
        like: &Like,
        paths: &[PathBuf],
        options: &Options,
        color: bool,
    ) -> Result<Result<Vec<Project>, Status>, String> {
        let here = [PathBuf::from(".")];
        let paths = if paths.is_empty() { &here[..] } else { paths };
        let (roles, table) = match like.roles(paths, color)? {
            Ok(found) => found,
            Err(status) => return Ok(Err(status)),
        };
        let mut origins: Vec<Origin> = Vec::new();
        for path in paths {
            if !path.is_dir() {
                origins.push(Origin::of_argument(path));
                continue;
            }
            let files = files_of(table, path)?;
            if files.is_empty() {
                let program = table.map_or_else(String::new, |table| format!(" of {table}"));
                return Err(format!("there are no files{program} in `{}`", shown(path)));
            }
            origins.extend(files.into_iter().map(Origin::Path));
        }
        let alone = matches!(table, Some(Table::Nomad | Table::Terragrunt));
        let groups: Vec<Vec<Origin>> =
            if alone { origins.into_iter().map(|origin| vec![origin]).collect() } else { vec![origins] };
        let projects = groups.into_iter().map(|group| Project::of(group, &roles, table, options, color));
        projects.collect::<Result<Vec<_>, _>>().map(Ok)
    }

    fn of(
        origins: Vec<Origin>,
        roles: &Roles,
        table: Option<Table>,
        options: &Options,
        color: bool,
    ) -> Result<Project, String> {
        let folder = match origins.first() {
            Some(Origin::Path(path)) => path.parent().map(Path::to_owned).unwrap_or_default(),
            _ => PathBuf::new(),
        };
        let (mut files, mut has_errors) = (Vec::new(), false);
        for origin in origins {
            let (document, diagnostics) = document(&origin, options)?;
            has_errors |= diagnostics.has_errors();
            show(diagnostics, color);
            files.push((origin, document));
        }
        let nothing = HashMap::new();
        let documents = files.iter().map(|(_, document)| document.clone());
        let modules = Modules { table, folder: &folder, changed: &nothing, options: *options };
        let (definitions, found) = Definitions::with_modules(roles, documents, &modules).into_parts();
        Ok(Project { definitions, files, found, has_errors, roles: roles.clone(), table, folder })
    }

    /// What the files define with changes in them, by the names of the files. `None` if one of them has errors then.
    pub fn with_changes(&self, changed: &HashMap<String, String>) -> Option<Definitions> {
        let mut documents = Vec::new();
        for (_, document) in &self.files {
            let name = document.source().name();
            documents.push(match changed.get(name) {
                Some(text) => Document::parse((name, text.as_str())).into_result().ok()?,
                None => document.clone(),
            });
        }
        let modules = Modules { table: self.table, folder: &self.folder, changed, options: Options::default() };
        Some(Definitions::with_modules(&self.roles, documents, &modules).into_value())
    }

    /// The values of what is defined. `Err` if a file with values has errors, which are shown.
    ///
    /// # Errors
    /// A message, if a file with values cannot be read.
    pub fn evaluate(&self, variables: &Variables, color: bool) -> Result<Result<Evaluated, Status>, String> {
        let inputs = match self.inputs(variables, color)? {
            Ok(inputs) => inputs,
            Err(status) => return Ok(Err(status)),
        };
        let mut scope = Scope::new().with_limits(variables.limits());
        if let Some(functions) = self.functions(variables.functions()) {
            scope = scope.with_functions(functions);
        }
        Ok(Ok(self.definitions.evaluate_with(&inputs, &scope)))
    }

    /// The functions that the table does not have: those that were asked for, or else those of all tables that
    /// say nothing about functions.
    fn functions(&self, asked: Set) -> Option<Functions> {
        let has_own = self.roles.functions().names().next().is_some();
        (asked != Set::Extended || !has_own).then(|| asked.functions())
    }

    /// The set of functions, for help and completion.
    pub fn set(&self, asked: Set) -> Set {
        match self.table {
            _ if asked != Set::Extended => asked,
            Some(Table::Terraform | Table::Terragrunt) => Set::Terraform,
            Some(Table::Packer) => Set::Packer,
            Some(Table::Nomad) => Set::Nomad,
            Some(Table::Bake) => Set::Standard,
            _ => asked,
        }
    }

    /// The values from outside, those that count more after the others.
    fn inputs(&self, variables: &Variables, color: bool) -> Result<Result<Inputs, Status>, String> {
        let mut inputs = Inputs::new();
        self.environment(&mut inputs);
        let own = self.definitions.iter().filter(|one| one.is_input() && one.module().is_none());
        let sensitive: HashSet<&str> = own.filter(|one| one.is_sensitive()).map(|one| one.name()).collect();
        for path in self.value_files() {
            if give_file(&path, &mut inputs, &sensitive, variables.limits(), color)?.is_none() {
                return Ok(Err(Status::Errors));
            }
        }
        let given = match variables.give(&mut inputs, &sensitive, color)? {
            Ok(given) => given,
            Err(status) => return Ok(Err(status)),
        };
        let unused = self.definitions.unused_inputs(&inputs);
        for name in given.iter().filter(|name| unused.contains(name)) {
            note(&format!("a value is given for \"{name}\", but the files have no such variable"));
        }
        Ok(Ok(inputs))
    }

    /// Values in the environment, as the program reads them.
    fn environment(&self, inputs: &mut Inputs) {
        let prefix = match self.table {
            Some(Table::Terraform | Table::Terragrunt) => "TF_VAR_",
            Some(Table::Packer) => "PKR_VAR_",
            Some(Table::Nomad) => "NOMAD_VAR_",
            Some(Table::Bake) => "",
            _ => return,
        };
        let names: HashSet<&str> = self
            .definitions
            .iter()
            .filter(|one| one.is_input() && one.module().is_none())
            .map(|one| one.name())
            .collect();
        for name in names {
            if let Ok(value) = std::env::var(format!("{prefix}{name}")) {
                inputs.set_text(name, (&*format!("{prefix}{name}"), &*value));
            }
        }
    }

    /// The files with values that the program reads without being told to.
    fn value_files(&self) -> Vec<PathBuf> {
        let (fixed, endings): (&[&str], &[&str]) = match self.table {
            Some(Table::Terraform) => {
                (&["terraform.tfvars", "terraform.tfvars.json"], &[".auto.tfvars", ".auto.tfvars.json"])
            }
            Some(Table::Packer) => (&[], &[".auto.pkrvars.hcl", ".auto.pkrvars.json"]),
            _ => return Vec::new(),
        };
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let mut found: Vec<String> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| endings.iter().any(|ending| name.ends_with(ending)))
            .collect();
        found.sort();
        let names = fixed.iter().map(|name| (*name).to_owned()).chain(found);
        names.map(|name| self.folder.join(name)).filter(|path| path.is_file()).collect()
    }
}

/// A file as a document, with what is wrong with it.
fn document(origin: &Origin, options: &Options) -> Result<(Document, Diagnostics), String> {
    let (read, diagnostics) = Read::read(origin, origin.body_syntax(), options)?;
    let document = match read {
        Read::Json(document) => Document::Json(document),
        Read::Config(file) | Read::Expression(file) | Read::Template(file) => Document::Native(file),
    };
    Ok((document, diagnostics))
}

/// Modules in folders.
struct Modules<'a> {
    table: Option<Table>,
    /// Where the files are that are no module.
    folder: &'a Path,
    /// Other texts for files, by their names.
    changed: &'a HashMap<String, String>,
    /// How files are read.
    options: Options,
}

impl Loader for Modules<'_> {
    fn load(&self, call: &ModuleCall<'_>) -> Loaded {
        // Only such a source is a folder; all others are fetched from somewhere.
        if !call.source().starts_with("./") && !call.source().starts_with("../") {
            return Loaded::Later;
        }
        let from = call.caller().map_or(self.folder, Path::new);
        let folder = normal(&from.join(call.source()));
        let Ok(files) = files_of(self.table, &folder) else { return Loaded::Later };
        let mut documents = Vec::new();
        for path in files {
            let origin = Origin::Path(path);
            let read = match self.changed.get(&origin.name()) {
                Some(text) => Ok(Document::parse((origin.name().as_str(), text.as_str())).into_parts()),
                None => document(&origin, &self.options),
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
        Loaded::Module(LoadedModule::new(folder.to_string_lossy(), documents))
    }
}

/// A path without `.` and, as far as it goes, without `..` in it.
fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { PathBuf::from(".") } else { parts.into_iter().collect() }
}
