//! Runs a command on many files and folders of either syntax.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use super::args::paths_or_folder;
use super::input::{Document, Origin, Syntax, parse_options};
use super::language::{Choice, Language};
use super::progress::Progress;
use super::terminal::{self, count, show};
use super::{Status, args, parallel, room};
use hcl_lr::ParseOptions;
use hcl_lr::address::JsonTemplates;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json;
use hcl_lr::query::Subject;
use hcl_lr::syntax::File;

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
    pub quiet: bool,
}

/// The result for one file.
pub struct Report<R> {
    /// The diagnostics of the file.
    pub diagnostics: Diagnostics,
    /// The result of the work, or the reason why the file could not be read.
    pub result: Result<R, String>,
}

impl Files {
    /// Does some work on each file on all cores, and passes on the results in the order of the files. Diagnostics of
    /// files are shown, and the status reflects them.
    ///
    /// # Errors
    /// A message, if a pattern or the schema cannot be used.
    pub fn each<R: Send>(
        &self,
        color: bool,
        work: impl Fn(Subject<'_>) -> R + Sync,
        mut take: impl FnMut(R) -> io::Result<()>,
    ) -> Result<Status, String> {
        let paths = paths_or_folder(&self.paths)?;
        let asked = self.choice.language(color)?;
        let exclude = self.folders.exclude()?;
        let search = self.folders.search(&exclude);
        let mut progress = Progress::new("searched");
        let mut found = search.run(&paths, |files| progress.found(files));
        // Templates have no body. One that is named is read all the same.
        found.origins.retain(|origin| match origin {
            Origin::Path(path) => origin.syntax() != Syntax::Template || paths.contains(path),
            Origin::Stdin => true,
        });
        progress.found_all(found.origins.len());
        let mut status = Status::Fine;
        for message in &found.failures {
            status = Status::Failure;
            terminal::failure(message);
        }
        found.note_links();
        for folder in &found.empty {
            terminal::note(&format!("no HCL files in `{folder}`; searched for {}", search.extensions()));
        }
        let mut broken = 0;
        let options = parse_options();
        let report = |index: usize| {
            let origin = &found.origins[index];
            // A file that breaks the library must not hide what is in the others. What happened is on
            // standard error.
            catch_unwind(AssertUnwindSafe(|| self.report(origin, asked.as_ref(), &options, &work))).unwrap_or_else(
                |_| {
                    let name = origin.name();
                    let failure = terminal::internal_error(&format!("cannot search `{name}`"));
                    Report { diagnostics: Diagnostics::new(), result: Err(failure) }
                },
            )
        };
        let stack = room::stack_for(options.get_max_nesting());
        let written = parallel::in_order(found.origins.len(), stack, report, &mut progress, |report, progress| {
            progress.aside(|| {
                if report.diagnostics.has_errors() {
                    status = Status::Failure;
                    broken += 1;
                    if !terminal::is_quiet() {
                        show(report.diagnostics, color);
                    }
                }
                match report.result {
                    Ok(result) => take(result),
                    Err(failure) => {
                        status = Status::Failure;
                        terminal::failure(&failure);
                        Ok(())
                    }
                }
            })
        });
        progress.finish();
        if broken > 0 && terminal::is_quiet() {
            let have = if broken == 1 { "has" } else { "have" };
            terminal::failure(&format!("{} {have} errors; `hcl check` shows them", count(broken, "file")));
        }
        Ok(terminal::written(written, status))
    }

    fn report<R>(
        &self,
        origin: &Origin,
        asked: Option<&Language>,
        options: &ParseOptions,
        work: &impl Fn(Subject<'_>) -> R,
    ) -> Report<R> {
        let syntax = self.language.syntax().unwrap_or_else(|| origin.body_syntax());
        let (document, diagnostics) = match Document::read_lightly(origin, syntax, options) {
            Ok(read) => read,
            Err(failure) => return Report { diagnostics: Diagnostics::new(), result: Err(failure) },
        };
        let result = match document.native() {
            Ok(file) => work(Subject::Native(&file)),
            Err(document) => {
                let templates = JsonTemplates::of(document);
                let blocks = blocks_of(asked, origin, |name| has_property(document, name));
                work(Subject::Json(document, &blocks, Some(&templates)))
            }
        };
        Report { diagnostics, result: Ok(result) }
    }
}

/// Returns the blocks of a file: those of the language that is asked for, or of the one that its name suggests. `has`
/// says whether there is an attribute or block with a name at the top of the file.
pub fn blocks_of(asked: Option<&Language>, origin: &Origin, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
    let suggested = if asked.is_none() { Language::of_file(origin) } else { None };
    asked.or(suggested.as_ref()).map_or_else(Arc::default, |language| language.blocks(origin, has))
}

/// Returns true if there is an attribute or block with a name at the top of a file.
pub fn has_item(file: &File, name: &str) -> bool {
    file.body().attribute(name).is_some() || file.body().blocks().any(|block| block.block_type() == name)
}

/// Returns true if the root of a document has a property with a name.
pub fn has_property(document: &json::Document, name: &str) -> bool {
    match document.root().kind() {
        json::NodeKind::Object(object) => object.properties().any(|property| property.name() == name),
        _ => false,
    }
}
