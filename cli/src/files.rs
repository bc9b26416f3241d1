//! Runs a command on many files and folders of either syntax.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::args::paths_or_folder;
use super::input::{Document, Origin, Syntax, read};
use super::progress::Progress;
use super::terminal::{self, show};
use super::{Status, args, parallel, room};
use hcl_lr::ParseOptions;
use hcl_lr::address::JsonTemplates;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::query::Subject;

/// The files to read.
#[derive(clap::Args)]
pub struct Files {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    folders: args::Folders,

    /// State which JSON properties are blocks: a file, or `terraform`; repeatable
    ///
    /// By default, `terraform` is used for *.tf.json, *.tofu.json and similar names; in other JSON
    /// files all properties are arguments. `hcl help convert` describes the file.
    #[arg(long, value_name = "SCHEMA")]
    schema: Vec<PathBuf>,

    #[command(flatten)]
    language: args::Language,

    /// Show errors only: no notes, no progress bar, no reason why nothing was found
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
        let Some(schema) = self.schema(color)? else { return Ok(Status::Failure) };
        let exclude = self.folders.exclude()?;
        let search = self.folders.search(&exclude);
        let mut progress = Progress::new(!self.quiet, "searched");
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
        if !self.quiet {
            found.note_links();
        }
        for folder in found.empty.iter().filter(|_| !self.quiet) {
            terminal::note(&format!("no HCL files in `{folder}`; searched for {}", search.extensions()));
        }
        let options = ParseOptions::default();
        let report = |index: usize| {
            let origin = &found.origins[index];
            // A file that breaks the library must not hide what is in the others. What happened is on
            // standard error.
            catch_unwind(AssertUnwindSafe(|| self.report(origin, &schema, &options, &work))).unwrap_or_else(|_| {
                let name = origin.name();
                let failure = format!("cannot look into `{name}`: hcl itself failed at it, please report this");
                Report { diagnostics: Diagnostics::new(), result: Err(failure) }
            })
        };
        let stack = room::stack_for(options.get_max_nesting());
        let written = parallel::in_order(found.origins.len(), stack, report, &mut progress, |report, progress| {
            progress.aside(|| {
                if report.diagnostics.has_errors() {
                    status = Status::Failure;
                    show(report.diagnostics, color);
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
        Ok(terminal::written(written, status))
    }

    fn report<R>(
        &self,
        origin: &Origin,
        schema: &Schema,
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
                work(Subject::Json(document, schema.of(origin), Some(&templates)))
            }
        };
        Report { diagnostics, result: Ok(result) }
    }

    /// The schema that was asked for; `None` if it has errors, which are shown.
    fn schema(&self, color: bool) -> Result<Option<Schema>, String> {
        if self.schema.is_empty() {
            return Ok(Some(Schema { asked: None }));
        }
        Ok(load_schemas(&self.schema, &ParseOptions::default(), color)?.map(|asked| Schema { asked: Some(asked) }))
    }
}

/// The names that are blocks in files in the JSON syntax.
struct Schema {
    asked: Option<ConversionSchema>,
}

impl Schema {
    fn of(&self, origin: &Origin) -> &ConversionSchema {
        self.asked.as_ref().unwrap_or_else(|| schema_of(origin))
    }
}

/// Returns the names that are blocks in a file in the JSON syntax, by the name of the file.
pub fn schema_of(origin: &Origin) -> &'static ConversionSchema {
    static NONE: LazyLock<ConversionSchema> = LazyLock::new(ConversionSchema::new);
    if is_terraform(origin) { ConversionSchema::terraform() } else { &NONE }
}

/// Returns true if the name of a file is one of Terraform or OpenTofu, in the JSON syntax.
pub fn is_terraform(origin: &Origin) -> bool {
    let Origin::Path(path) = origin else { return false };
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    [".tf.json", ".tofu.json", ".tftest.json"].iter().any(|ending| name.ends_with(ending))
}

/// Merges several schemas, each in a file or shipped under a name; `None` if one of them has errors, which are shown.
///
/// # Errors
/// A message, if one cannot be read.
pub fn load_schemas(
    paths: &[PathBuf],
    options: &ParseOptions,
    color: bool,
) -> Result<Option<ConversionSchema>, String> {
    let mut all = ConversionSchema::new();
    for path in paths {
        if path == Path::new("terraform") {
            all = all.with(ConversionSchema::terraform());
            continue;
        }
        let (name, bytes) = read(path)?;
        let (schema, diagnostics) = options.parse::<ConversionSchema>((&name, bytes)).into_parts();
        let wrong = diagnostics.has_errors();
        show(diagnostics, color);
        if wrong {
            return Ok(None);
        }
        all = all.with(&schema);
    }
    Ok(Some(all))
}
