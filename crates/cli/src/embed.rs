//! The knowledge of the programs about files, for programs that embed them: which files belong to a search, what language they
//! are in, and their projects.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::CommandFactory;

pub use super::body_values::{evaluate_body, evaluate_json};
use super::context::Context;
use super::disk::project_path;
use super::find::Search;
use super::input::Origin;
use super::language::FileLanguages;
use super::root::Root;
use super::{Cli, schema_file};
use hcl_lr::DEFAULT_MAX_NESTING;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr_language::schema::{LANGUAGES, Schema};
use hcl_lr_project::{Key, Language, Languages, LoadOptions, Project};

/// The files of the disk, as the programs see them.
pub struct Workspace {
    context: Context,
    languages: FileLanguages,
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
        let languages = match schema {
            None => Languages::default(),
            Some(name) => Languages::default().only(language_of(&context, name)?),
        };
        let languages = FileLanguages::new(&context, &context.parse_options(), languages);
        Ok(Workspace { context, languages })
    }

    /// Finds the files of paths, which may be folders. Ignore files, links and hidden folders count as for the programs.
    pub fn files(&self, paths: &[PathBuf]) -> FoundFiles {
        let search = Search { languages: Some(&self.languages), ..Search::default() };
        let found = search.run(&self.context, paths, |_| {});
        let paths = found.origins.into_iter().filter_map(|origin| origin.path().map(Path::to_owned));
        FoundFiles { paths: paths.collect(), failures: found.failures }
    }

    /// Returns the blocks of a file, which are the same in JSON. `has` returns true if the top level of the file has an
    /// attribute or block with a name.
    pub fn blocks(&self, path: &Path, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
        self.languages.blocks(&Origin::Path(path.to_owned()), has)
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
