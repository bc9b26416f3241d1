//! Runs a command on many files and folders of either syntax.

use std::io;
use std::path::PathBuf;

use super::args;
use super::args::paths_or_folder;
use super::context::Context;
use super::error::Error;
use super::input::{Document, Origin, Syntax};
use super::language::{Choice, FileLanguages};
use super::resolved::{Resolve, Resolved};
use super::run::Run;
use super::status::Status;
use super::terminal::{self, count, show};
use super::variables::Variables;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::JsonTemplates;
use hcl_lr_edit::query::Subject;
use hcl_lr_language::schema::has_at_top;

/// The files to read.
#[derive(clap::Args)]
pub struct Files {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    choice: Choice,

    #[command(flatten)]
    language: args::Language,

    /// Show errors only: no notes, no progress bar, no reason why nothing was
    /// found, and only the number of files with errors
    #[arg(short, long)]
    quiet: bool,
}

impl Files {
    /// Finds the files.
    ///
    /// # Errors
    /// A message, if a pattern or the schema cannot be used.
    pub fn find(&self, context: &Context, color: bool) -> Result<FoundFiles<'_>, Error> {
        let paths = paths_or_folder(&self.paths)?;
        let rules = self.choice.languages(context, color)?;
        let languages = FileLanguages::new(context, &context.parse_options(), rules);
        let mut run = Run::new(context, (&paths, &languages), &self.folders, "searched")?;
        // Templates have no body. One that is named is read all the same.
        run.retain(|origin| match origin {
            Origin::Path(path) => origin.syntax() != Syntax::Template || paths.contains(path),
            Origin::Stdin => true,
        });
        run.notes();
        Ok(FoundFiles { context: context.clone(), files: self, languages, run })
    }
}

/// The files of a run.
pub struct FoundFiles<'a> {
    context: Context,
    files: &'a Files,
    languages: FileLanguages,
    run: Run,
}

impl FoundFiles<'_> {
    /// Returns the evaluated projects of the files, if they are requested.
    ///
    /// # Errors
    /// A message, if they cannot be read or evaluated.
    pub fn resolved(&self, resolve: &Resolve, variables: &Variables, color: bool) -> Result<Option<Resolved>, Error> {
        let rules = || self.files.choice.languages(&self.context, color);
        let (syntax, origins) = (self.files.language.syntax(), &self.run.found.origins);
        resolve.projects(&self.context, (rules, syntax), origins, variables, color)
    }

    /// Returns the run, with the requested syntax and language, for reading the files beforehand.
    pub fn ahead(&mut self) -> (&mut Run, Option<Syntax>, &FileLanguages) {
        (&mut self.run, self.files.language.syntax(), &self.languages)
    }

    /// Processes each file on all cores, and passes on the results in the order of the files. Diagnostics of files are
    /// shown and determine the status.
    pub fn each<R: Send>(
        &mut self,
        color: bool,
        work: impl Fn(&Origin, Subject<'_>) -> R + Sync,
        mut take: impl FnMut(R) -> io::Result<()>,
    ) -> Status {
        let (syntax, languages) = (self.files.language.syntax(), &self.languages);
        let mut broken = 0;
        let written = self.run.each(
            "search",
            |origin| report(&self.context, origin, syntax, languages, &work),
            |report, progress| {
                progress.aside(|| match report {
                    Ok((diagnostics, result)) => {
                        if diagnostics.has_errors() {
                            broken += 1;
                            if !terminal::is_quiet() {
                                show(diagnostics, color);
                            }
                        }
                        take(result)
                    }
                    Err(failure) => {
                        terminal::report(&failure);
                        Ok(())
                    }
                })
            },
        );
        if broken > 0 && terminal::is_quiet() {
            let have = if broken == 1 { "has" } else { "have" };
            terminal::failure(format!("{} {have} errors; `hcl check` shows them", count(broken, "file")));
        }
        let status = if broken > 0 { Status::Failure } else { self.run.status() };
        terminal::written(written, status)
    }
}

/// Returns the diagnostics of a file, and the result of the work on it.
///
/// # Errors
/// A message, if it cannot be read.
pub fn report<R>(
    context: &Context,
    origin: &Origin,
    syntax: Option<Syntax>,
    languages: &FileLanguages,
    work: &impl Fn(&Origin, Subject<'_>) -> R,
) -> Result<(Diagnostics, R), Error> {
    let syntax = syntax.unwrap_or_else(|| origin.body_syntax());
    let (document, diagnostics) = Document::read_lightly(context, origin, syntax, &context.parse_options())?;
    let result = match document.native() {
        Ok(file) => work(origin, Subject::Native(&file)),
        Err(document) => {
            let templates = JsonTemplates::of(document);
            let blocks = languages.blocks(origin, |name| has_property(document, name));
            work(origin, Subject::Json(document, &blocks, Some(&templates)))
        }
    };
    Ok((diagnostics, result))
}

/// Returns true if the top level of a file has an attribute or block with a name, in a form of `has_at_top`.
pub fn has_item(file: &File, name: &str) -> bool {
    has_at_top(&file.into(), name)
}

/// Returns true if the root of a document has a property with a name, in a form of `has_at_top`.
pub fn has_property(document: &json::Document, name: &str) -> bool {
    has_at_top(&document.into(), name)
}
