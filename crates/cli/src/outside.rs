//! The surroundings of a program's files: their folders, the workspace, and files that functions read.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::context::Context;
use super::input::read_opened;
use super::language::has_file_functions;
use super::resolve::{Resolved, Roots, Unresolved, normal};
use hcl_lr::eval::{Function, Functions, Parameter};
use hcl_lr::functions::{self, Host};
use hcl_lr::internal::EPHEMERAL;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::visible::{path as shown, reason};
use hcl_lr_project::Language;

/// The maximum number of files and folders that `fileset` visits.
const MAX_FILES: usize = 100_000;

/// The default workspace.
const DEFAULT_WORKSPACE: &str = "default";

/// Options for what files are given besides values.
#[derive(Default, clap::Args)]
pub struct Outside {
    /// The selected workspace [default: TF_WORKSPACE, or default]
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,

    /// Let `file`, `templatefile`, `fileset` and the like read files
    ///
    /// Only files in the folder of the configuration and below are read, or below --root. A path that
    /// leaves the folder is an error, whatever is there.
    #[arg(long)]
    pub allow_files: bool,
}

impl Outside {
    /// Returns the beginning of a message about an option that is given, if any.
    pub fn given(&self) -> Option<&'static str> {
        match self {
            Outside { workspace: Some(_), .. } => Some("`--workspace` is"),
            Outside { allow_files: true, .. } => Some("`--allow-files` is"),
            _ => None,
        }
    }

    /// Returns the selected workspace.
    pub fn workspace(&self) -> String {
        self.workspace.clone().filter(|name| !name.is_empty()).unwrap_or_else(selected_workspace)
    }
}

/// Returns the workspace that the environment selects.
pub fn selected_workspace() -> String {
    let given = std::env::var("TF_WORKSPACE").ok().filter(|name| !name.is_empty());
    given.unwrap_or_else(|| DEFAULT_WORKSPACE.to_owned())
}

/// Returns the variables that a program itself defines for the files in a folder of a project.
pub fn variables(language: &Language, project: &Path, folder: &Path, workspace: &str) -> Vec<(&'static str, Value)> {
    if !language.is("terraform") {
        return Vec::new();
    }
    // The program is started in the folder of the project.
    let text = |path: &Path| Value::from(path.to_string_lossy().replace('\\', "/"));
    let path = Value::object([
        ("module", text(&relative(project, folder))),
        ("root", Value::from(".")),
        ("cwd", text(&absolute(project))),
    ]);
    let terraform = Value::object([
        ("workspace", Value::from(workspace)),
        // Known only while the program runs.
        ("applying", Value::unknown(Type::Bool).mark(EPHEMERAL)),
    ]);
    vec![("path", path), ("terraform", terraform.clone()), ("tofu", terraform)]
}

/// A path from a folder on: `../net` from `app` to `net`.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to) = (normal(from), normal(to));
    let parts = |path: &Path| -> Vec<PathBuf> {
        let named = path.components().filter(|part| *part != Component::CurDir);
        named.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let (from, to) = (parts(&from), parts(&to));
    let shared = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let up = from[shared..].iter().map(|_| PathBuf::from(".."));
    let path: PathBuf = up.chain(to[shared..].iter().cloned()).collect();
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

/// A folder as an absolute path.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Returns the functions of a program that depend on the surroundings of its files: those that need only names of
/// folders, and, if allowed, those that read files.
pub fn functions(context: &Context, language: &Language, project: &Path, allow_files: bool) -> Functions {
    if !has_file_functions(language) {
        return Functions::default();
    }
    let host = functions::with_host(Arc::new(Folder::new(context.clone(), project)));
    let is_wanted = |name: &str| match name {
        "abspath" | "pathexpand" => true,
        // Their results differ from run to run.
        "timestamp" | "plantimestamp" | "uuid" | "uuidv4" | "bcrypt" | "rsadecrypt" => false,
        _ => allow_files,
    };
    let names: Vec<String> = host.names().filter(|name| is_wanted(name)).map(str::to_owned).collect();
    let mut all: Vec<(String, Function)> =
        names.into_iter().filter_map(|name| host.get(&name).cloned().map(|function| (name, function))).collect();
    if language.is("packer") {
        let env = Function::new([Parameter::new("key", Type::String)], Type::String, |call| {
            let name = call.argument(0).as_str().unwrap_or_default();
            // Some names are not valid for environment variables.
            let value = if name.is_empty() || name.contains(['=', '\0']) { None } else { std::env::var(name).ok() };
            Ok(Value::from(value.unwrap_or_default()))
        });
        all.push(("env".to_owned(), env));
    }
    if let Some(namespace) = language.functions().namespace() {
        all.extend(all.clone().into_iter().map(|(name, function)| (format!("{namespace}::{name}"), function)));
    }
    all.into_iter().collect()
}

/// The folder in which the program is started.
struct Folder {
    context: Context,
    /// The folder as named, and its resolved path.
    named: PathBuf,
    real: PathBuf,
    /// The folder whose files may be read, which differs with `--root`.
    roots: Roots,
}

impl Folder {
    fn new(context: Context, project: &Path) -> Folder {
        let roots = Roots::new([context.root().folder().unwrap_or(project)]);
        Folder { context, named: project.to_owned(), real: absolute(project), roots }
    }

    /// Returns the file or folder at a path; `None` if it does not exist. All functions use this, so that a path
    /// outside the folder always gets the same answer.
    fn find(&self, path: &Path) -> Result<Option<Resolved>, String> {
        match self.roots.resolve(&self.real, path) {
            Ok(found) => Ok(Some(found)),
            Err(Unresolved::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(Unresolved::Io(error)) => Err(reason(&error).into_owned()),
            Err(Unresolved::Outside) => Err(self.context.root().why_outside().unwrap_or_else(|| {
                let folder = if self.named.as_os_str().is_empty() { Path::new(".") } else { &self.named };
                format!("it is outside of `{}`; `--root DIR` allows another folder", shown(folder))
            })),
        }
    }
}

impl Host for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let found = self.find(Path::new(path))?.ok_or("there is no such file")?;
        // Opening a pipe may never end, and reading a device neither.
        if !found.metadata.is_file() {
            return Err("it is not a file".to_owned());
        }
        let failed = |error: io::Error| reason(&error).into_owned();
        let file = File::open(&found.path).map_err(failed)?;
        // The file may have been replaced meanwhile.
        if !is_same(&file.metadata().map_err(failed)?, &found.metadata) {
            return Err("it is being replaced".to_owned());
        }
        read_opened(&self.context, file).map_err(failed)
    }

    fn exists(&self, path: &str) -> Result<bool, String> {
        match self.find(Path::new(path))? {
            None => Ok(false),
            Some(found) if found.metadata.is_file() => Ok(true),
            Some(_) => Err("it is not a file".to_owned()),
        }
    }

    fn files(&self, folder: &str) -> Result<Vec<String>, String> {
        let Some(start) = self.find(Path::new(folder))? else { return Ok(Vec::new()) };
        let (mut found, mut waiting, mut seen) = (Vec::new(), vec![(start.path, String::new())], 0);
        while let Some((folder, prefix)) = waiting.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|error| reason(&error).into_owned())?;
            for entry in entries {
                let entry = entry.map_err(|error| reason(&error).into_owned())?;
                seen += 1;
                if seen > MAX_FILES {
                    return Err(format!("there are more than {MAX_FILES} files and folders in it"));
                }
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{prefix}{name}");
                let kind = entry.file_type().map_err(|error| reason(&error).into_owned())?;
                // A link to a file in the folder counts as a file; a link to a folder may form a cycle.
                let leads_to_file =
                    || self.roots.resolve(&folder, Path::new(&name)).is_ok_and(|at| at.metadata.is_file());
                if kind.is_dir() {
                    waiting.push((entry.path(), format!("{path}/")));
                } else if kind.is_file() || kind.is_symlink() && leads_to_file() {
                    found.push(path);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    fn absolute(&self, path: &str) -> Result<String, String> {
        Ok(normal(&self.real.join(path)).to_string_lossy().replace('\\', "/"))
    }

    fn home(&self) -> Result<String, String> {
        let home = std::env::var("HOME").ok().filter(|home| !home.is_empty());
        home.ok_or_else(|| "the environment variable HOME is not set".to_owned())
    }
}

/// Returns true if the opened file is the one that was looked up. Only Unix can tell.
fn is_same(opened: &Metadata, found: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (opened.dev(), opened.ino()) != (found.dev(), found.ino()) {
            return false;
        }
    }
    let _ = found;
    opened.is_file()
}

#[cfg(test)]
mod tests {
    use super::relative;
    use std::path::Path;

    #[test]
    fn paths_are_those_from_the_folder_of_the_project_on() {
        for (from, to, expected) in [
            ("", ".", "."),
            (".", "net", "net"),
            ("app", "app/net", "net"),
            ("a/b", "a/net", "../net"),
            ("/a", "/a", "."),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), Path::new(expected), "from {from} to {to}");
        }
    }
}
