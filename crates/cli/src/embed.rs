//! The knowledge of the programs about files, for programs that embed them: which files belong to a search, what language they
//! are in, and their projects.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::CommandFactory;

pub use super::body_values::evaluate_body;
use super::callers::{calling, defined, occurrences};
use super::context::Context;
use super::disk::project_path;
pub use super::edit::strings_of;
use super::edit::{self, new_texts};
use super::error::Error;
use super::files::{has_item, has_property};
use super::find::Search;
use super::input::Origin;
use super::language::FileLanguages;
use super::project::{Project as NamedFiles, not_found};
use super::replace::update;
use super::root::{Root, identity};
use super::{Cli, schema_file};
use hcl_lr::DEFAULT_MAX_NESTING;
use hcl_lr::construct::NewExpression;
use hcl_lr::convert::{ConversionSchema, JsonStrings};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::source::{Source, visible};
use hcl_lr_edit::address::{AddressStep, Target};
use hcl_lr_edit::query::Subject;
use hcl_lr_edit::{Container, NewItem};
use hcl_lr_language::schema::{LANGUAGES, Schema};
use hcl_lr_project::{Key, Language, Languages, LoadOptions, Memory, Project};

/// The files of the disk, as the programs see them.
pub struct Workspace {
    context: Context,
    rules: Languages,
    languages: FileLanguages,
}

/// A file with a new text that is not written yet.
pub struct NewText {
    path: PathBuf,
    old: Vec<u8>,
    text: String,
}

impl NewText {
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the new text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the file, as a whole or not at all.
    ///
    /// # Errors
    /// A message, if it cannot be written, or another program has changed it meanwhile.
    pub fn write(&self) -> Result<(), String> {
        let changed = |_: &[u8]| Err(Error::from("another program has changed it meanwhile"));
        let written = update(&self.path, &self.old, self.text.as_bytes(), changed);
        written.map_err(|why| format!("cannot write `{}`: {why}", visible::path(&self.path)))
    }
}

/// The reason why a definition is not renamed.
#[derive(Debug)]
pub enum RenameProblem {
    /// There is no such definition.
    NotFound(String),
    /// The name cannot be changed to this one, or a file cannot be read.
    Refused(String),
}

impl From<Error> for RenameProblem {
    fn from(error: Error) -> RenameProblem {
        RenameProblem::Refused(error.to_string())
    }
}

/// The reason why there is no schema of a name.
#[derive(Debug)]
pub enum SchemaProblem {
    /// The file cannot be read, or there is no such language.
    Unreadable(String),
    /// The file has errors.
    Wrong(Diagnostics),
}

/// The files that a search finds, and the files and folders that it cannot read.
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// The paths, in the order of the arguments, and by name within folders.
    pub paths: Vec<PathBuf>,
    /// A message for each file and folder that cannot be read.
    pub failures: Vec<String>,
}

impl Workspace {
    /// Prepares a workspace. With a schema, which is the name of a shipped language or the path of a file, all files are
    /// in that language. Otherwise, names and contents of files determine their languages.
    ///
    /// # Errors
    /// The reason why there is no such schema.
    pub fn new(schema: Option<&str>) -> Result<Workspace, SchemaProblem> {
        let context = Context::new(Cli::command(), Root::default(), None, DEFAULT_MAX_NESTING);
        let rules = match schema {
            None => Languages::default(),
            Some(name) => Languages::default().only(language_of(&context, name)?),
        };
        let languages = FileLanguages::new(&context, &context.parse_options(), rules.clone());
        Ok(Workspace { context, rules, languages })
    }

    /// Finds the files of paths, which may be folders. Ignore files, links and hidden folders count as for the programs.
    pub fn files(&self, paths: &[PathBuf]) -> FoundFiles {
        self.files_as_found(paths, |_| {})
    }

    /// Finds the files of paths, as [`files`](Self::files) does, and calls a function with each as soon as it is found.
    /// Links to files that are found anyway are left out at the end.
    pub fn files_as_found(&self, paths: &[PathBuf], mut each: impl FnMut(&Path)) -> FoundFiles {
        let search = Search { languages: Some(&self.languages), ..Search::default() };
        let mut count = 0;
        let mut tell = |origins: &[Origin]| {
            origins[count..].iter().filter_map(Origin::path).for_each(&mut each);
            count = origins.len();
        };
        let found = search.run(&self.context, paths, &mut tell);
        let paths = found.origins.into_iter().filter_map(|origin| origin.path().map(Path::to_owned));
        FoundFiles { paths: paths.collect(), failures: found.failures }
    }

    /// Returns the blocks of a document in the JSON syntax.
    pub fn json_blocks(&self, path: &Path, document: &Document) -> Arc<ConversionSchema> {
        self.languages.blocks(&Origin::Path(path.to_owned()), |name| has_property(document, name))
    }

    /// Loads the project of a folder, or of a file.
    pub fn project(&self, path: &Path) -> Project {
        let own = project_path(path);
        let disk = &self.languages.disk;
        self.context.reach().name(&[path.to_owned()]);
        let key = match path.is_dir() {
            true => Key::of_folder(&own, &self.languages.of_folder(&own)),
            false => self.languages.with_sources(disk, |sources| Key::of(sources, &own)),
        };
        self.languages.with_sources(disk, |sources| Project::load(sources, &key, &LoadOptions::default()))
    }

    /// Returns the files with a new name of a definition in the project of a folder or of a file, and in the folders
    /// below `callers` that call it as a module. With `moved`, adds a `moved` block for Terraform. Nothing is written.
    /// The files are read again, and the result is that of `hcl mv --references`.
    ///
    /// # Errors
    /// The reason why the definition cannot be renamed.
    pub fn rename(
        &self,
        path: &Path,
        (address, name): (&str, &str),
        callers: &[PathBuf],
        moved: bool,
    ) -> Result<Vec<NewText>, RenameProblem> {
        let languages = FileLanguages::new(&self.context, &self.context.parse_options(), self.rules.clone());
        let languages = Arc::new(languages.for_values());
        self.context.reach().name(&[path.to_owned()]);
        let own = project_path(path);
        let key = match path.is_dir() {
            true => Key::of_folder(&own, &languages.of_folder(&own)),
            false => languages.with_sources(&languages.disk, |sources| Key::of(sources, &own)),
        };
        let projects = [NamedFiles::of_key(&self.context, &languages, &key)?];
        let Some((project, definition)) = defined(&projects, address)? else {
            return Err(RenameProblem::NotFound(not_found(&projects, address)));
        };
        let mut seen = HashSet::from([identity(&project.folder())]);
        let found = self.files(callers);
        if let Some(failure) = found.failures.into_iter().next() {
            return Err(RenameProblem::Refused(failure));
        }
        let callers = calling(&projects, found.paths.iter().map(PathBuf::as_path), &mut seen)?;
        let occurrences = occurrences(project, definition, &callers, false)?;
        if let Some(wrong) = occurrences.iter().find(|files| files.project.has_errors) {
            let folder = visible::path(&wrong.project.folder());
            return Err(RenameProblem::Refused(format!("there are errors in the files of `{folder}`")));
        }
        let texts = new_texts(&self.context, &occurrences, name, moved)?;
        Ok(texts.into_iter().map(|(path, old, text)| NewText { path, old, text }).collect())
    }
}

/// Returns the item to add to a container so that it has a value at the missing steps of an address, as
/// `hcl set --create` adds it. The name of a file in native syntax decides its language.
///
/// # Errors
/// A message, if the path ends before all labels of a block are named.
pub fn missing_item(
    subject: Subject<'_>,
    place: (&Target<'_>, Container<'_>),
    missing: &[AddressStep],
    value: NewExpression,
) -> Result<NewItem, String> {
    let of_native;
    let language = match subject {
        Subject::Json(_, schema, _) => (None, schema),
        Subject::Native(file) => {
            of_native = blocks_by_name(file.source(), |name| has_item(file, name));
            (Some(file), &*of_native)
        }
        _ => return Err("this file has no blocks".to_owned()),
    };
    edit::missing_item(language, place, missing, value).map_err(|error| error.to_string())
}

/// Returns the blocks of a document in the JSON syntax, and the meaning of its strings. Its name decides its language.
pub fn json_language(document: &Document) -> (Arc<ConversionSchema>, JsonStrings) {
    let blocks = blocks_by_name(document.source(), |name| has_property(document, name));
    (blocks, edit::strings_of(document.root()))
}

/// Returns the blocks of a file that is alone in its folder.
fn blocks_by_name(source: &Source, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
    let name = source.name();
    let files = Memory::new([(name.to_owned(), source.text().to_owned())]);
    let language = match Languages::default().of(&files, name) {
        plain if plain.is_plain() => Language::by_name(name, &has),
        language => language,
    };
    language.blocks(name, has)
}

/// Returns the language with a name, or of a schema file. The name `none` stands for plain HCL.
///
/// # Errors
/// The reason why there is no such schema.
pub fn language(name: &str) -> Result<Language, SchemaProblem> {
    language_of(&Context::new(Cli::command(), Root::default(), None, DEFAULT_MAX_NESTING), name)
}

fn language_of(context: &Context, name: &str) -> Result<Language, SchemaProblem> {
    if name == "none" {
        return Ok(Language::plain());
    }
    if let Some(language) = Schema::by_name(name).and_then(|_| Language::named(name)) {
        return Ok(language);
    }
    let path = Path::new(name);
    if !path.exists() && !name.contains(['.', '/', '\\']) {
        let known = LANGUAGES.join(", ");
        let why = format!("there is no language named `{name}`, and no such file; there are {known}");
        return Err(SchemaProblem::Unreadable(why));
    }
    let (schema, problems) =
        schema_file::load(context, path).map_err(|error| SchemaProblem::Unreadable(error.to_string()))?;
    if problems.has_errors() {
        return Err(SchemaProblem::Wrong(problems));
    }
    Ok(Language::of_schema(&schema))
}
