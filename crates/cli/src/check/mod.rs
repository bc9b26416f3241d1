//! `hcl check`: reports all errors of many files.

mod github;
mod projects;
mod report;
mod sarif;

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use projects::Projects;
use report::{Format, Output, Report};

use super::input::{Document, Origin, Syntax};
use super::language::FileLanguages;
use super::project::Like;
use super::run::Run;
use super::status::Status;
use super::terminal::{self, MAX_FOR_PEOPLE, count};
use super::{args, diff, providers};
use crate::context::Context;
use crate::error::Error;
use crate::replace as atomic;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::{Code, Diagnostics, Severity, fix, fixable};
use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown_path;
use hcl_lr_language::schema::{Catalog, Version};
use hcl_lr_project::Additions;

const EXAMPLES: &str = "\
Examples:
  hcl check                             all HCL files in this folder and below
  hcl check main.tf modules             a file, and a folder
  git show HEAD:main.tf | hcl check -   standard input
  hcl check --format short | head       one line per error, for editors and grep
  hcl check --format sarif > errors.sarif
  hcl check --diff                      print the possible fixes as a patch
  hcl check --fix                       apply them
  hcl check --schema nomad jobs/*.hcl   check by the schema of a language
  terraform providers schema -json > schemas.json
  hcl check --provider-schema schemas.json

`hcl explain single-quotes` describes the error `error[single-quotes]`.

In folders, files with these extensions are checked, unless they are hidden or
an ignore file (.gitignore, .ignore) excludes them:
  .hcl (also .pkr.hcl, .pkrvars.hcl, .nomad.hcl, .tftest.hcl …), .tf, .tfvars,
  .tofu, .tfbackend, .nomad, .hcldec
  as templates: .tftpl, .pkrtpl, .pkrtpl.hcl
  in the JSON syntax: .hcl.json, .tf.json, .tfvars.json, .tofu.json, .pkr.json,
  .pkrvars.json, .nomad.json, .tftest.json, .hcldec.json
A file that is named on the command line is always checked. Files named *.json
are in the JSON syntax.

Exit status:
  0  no errors
  1  the HCL has errors
  2  the command line is wrong, or a file cannot be read";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    paths: Vec<PathBuf>,

    /// Set the format of errors
    #[arg(long, short = 'o', visible_alias = "output", value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Apply fixes that are safe without review, and report the rest
    ///
    /// A fix is applied only if it removes errors and adds none. The fixed text of standard input
    /// goes to standard output.
    #[arg(long)]
    fix: bool,

    /// Print the changes of --fix as a patch instead
    #[arg(long, conflicts_with_all = ["format", "json", "fix"])]
    diff: bool,

    /// Show at most N errors and warnings of a file [default: 50 as text, 1000 otherwise]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_errors: Option<u32>,

    /// Show errors only: no warnings, no summary, no notes, no progress bar
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    folders: args::Folders,

    /// Fail if there are warnings
    #[arg(long)]
    deny_warnings: bool,

    /// Check each file alone: not the names that files define and refer to
    #[arg(long)]
    no_names: bool,

    #[command(flatten)]
    pub like: Like,

    /// Check by this version of the language, such as 1.9
    ///
    /// Without it, the constraints in the files count, such as `required_version` of Terraform. What a
    /// version has that they allow is right.
    #[arg(long, value_name = "VERSION")]
    language_version: Option<Version>,

    /// Check resources and data sources by the schemas of their providers in FILE; repeatable
    ///
    /// Write the file with `terraform providers schema -json` or `tofu providers schema -json`. The
    /// contents of providers that are in no file are not checked.
    #[arg(long = "provider-schema", value_name = "FILE")]
    provider_schemas: Vec<PathBuf>,

    #[command(flatten)]
    whole: args::Whole,

    #[command(flatten)]
    accepted: args::Accepted,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    /// Returns true if files are fixed, or the fixes are shown.
    fn fixes(&self) -> bool {
        self.fix || self.diff
    }

    /// Returns the requested format.
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The options for checking a file and showing its diagnostics.
struct Checker<'a> {
    context: &'a Context,
    args: &'a Args,
    options: ParseOptions,
    projects: Projects,
    color: bool,
    /// The number of diagnostics shown for each file.
    shown: usize,
}

impl Checker<'_> {
    fn checked(&self, origin: &Origin) -> Result<Report, Error> {
        let syntax = self.args.whole.syntax().unwrap_or_else(|| origin.syntax());
        let is_body = matches!(syntax, Syntax::Config | Syntax::Json) && self.args.whole.syntax().is_none();
        if is_body && !self.args.fixes() {
            return self.projects.of(origin).map(|all| self.report(all));
        }
        let (name, bytes) = (origin.name(), origin.bytes(self.context)?);
        let parse = |options: &ParseOptions, bytes: &[u8]| {
            let (document, mut found) = Document::parse(Source::from_bytes(&name, bytes), syntax, options);
            // The meaning of a file with syntax errors is uncertain.
            if !found.has_errors() {
                found.append(self.projects.of_document(origin, &document));
                found.sort();
            }
            found
        };
        let diagnostics = parse(&self.options, &bytes);
        if !self.args.fixes() {
            return Ok(self.report(diagnostics));
        }
        // All diagnostics are needed to see that an edit adds no errors.
        let all = self.options.max_errors(self.options.get_max_errors().max(MAX_TO_FIX));
        let before = if diagnostics.len() > self.options.get_max_errors() { parse(&all, &bytes) } else { diagnostics };
        let fixed = fix(bytes.clone(), before.clone(), |bytes| parse(&all, bytes));
        if self.args.diff {
            let text = diff::unified(&name, &bytes, &fixed.bytes, self.color);
            return Ok(Report { text, fixed: fixed.count, ..self.report(before) });
        }
        let changes = fixed.bytes != bytes;
        let mut report = Report { fixed: fixed.count, ..self.report(fixed.diagnostics) };
        match origin {
            // The output is the fixed text; the remaining errors go to standard error.
            Origin::Stdin => {
                report.aside = std::mem::replace(&mut report.text, terminal::data(&fixed.bytes).into_owned());
            }
            Origin::Path(path) if changes => {
                let again = |now: &[u8]| {
                    let before = parse(&all, now);
                    Ok(Some(fix(now.to_vec(), before, |bytes| parse(&all, bytes)).bytes))
                };
                let failed = |error| Error::from(format!("cannot write `{name}`: {error}"));
                atomic::update(path, &bytes, &fixed.bytes, again).map_err(failed)?;
            }
            Origin::Path(_) => {}
        }
        Ok(report)
    }

    fn failed(&self, error: Error) -> Report {
        Report { text: self.args.format().failure(&error.to_string()), failure: Some(error), ..Report::default() }
    }

    fn report(&self, mut diagnostics: Diagnostics) -> Report {
        let errors = count_errors(&diagnostics);
        let fixable = fixable(&diagnostics);
        let denied =
            self.args.deny_warnings && diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Warning);
        if self.args.quiet {
            diagnostics.retain(|diagnostic| diagnostic.severity() == Severity::Error);
        }
        let others = diagnostics.len() - diagnostics.errors().count();
        let more = errors >= self.options.get_max_errors();
        diagnostics.truncate(self.shown);
        let hidden = (errors + others).saturating_sub(diagnostics.len());
        let text = self.args.format().text(&diagnostics, self.color);
        let codes = diagnostics.iter().map(|diagnostic| diagnostic.code().clone()).collect();
        Report { text, codes, errors, more, hidden, warnings: others, fixable, denied, ..Report::default() }
    }
}

/// The maximum number of errors in a file to fix.
const MAX_TO_FIX: usize = 20_000;

/// Counts the errors. The note about too many errors does not count.
fn count_errors(diagnostics: &Diagnostics) -> usize {
    diagnostics.errors().filter(|error| error.code() != Code::TooManyErrors).count()
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    bad_files: usize,
    errors: usize,
    more: bool,
    hidden: usize,
    warnings: usize,
    fixed: usize,
    fixable: usize,
    denied: bool,
}

impl Totals {
    fn add(&mut self, report: &Report) {
        self.bad_files += usize::from(report.errors > 0);
        self.errors += report.errors;
        self.more |= report.more;
        self.hidden += report.hidden;
        self.warnings += report.warnings;
        self.fixed += report.fixed;
        self.fixable += report.fixable;
        self.denied |= report.denied;
    }

    fn status(&self, run: &Run) -> Status {
        if run.failures > 0 {
            Status::Failure
        } else if self.errors > 0 || self.denied {
            Status::Errors
        } else {
            Status::Fine
        }
    }

    /// One line for people.
    fn summary(&self, run: &Run, args: &Args) -> String {
        let undone = run.undone("checked");
        if run.files == 0 {
            return undone.unwrap_or_default();
        }
        let mut text = format!("checked {}: ", count(run.files, "file"));
        if self.errors == 0 {
            text += "no errors";
        } else {
            let least = if self.more { "at least " } else { "" };
            text += &format!("{least}{} in {}", count(self.errors, "error"), count(self.bad_files, "file"));
        }
        if self.warnings > 0 {
            text += &format!(", {}", count(self.warnings, "warning"));
        }
        if args.fix && self.fixed > 0 {
            text += &format!("; {} fixed", self.fixed);
        } else if args.diff {
            text += &format!("; {} can be fixed", self.fixed);
        } else if self.fixable > 0 {
            text += &format!("; `--fix` can fix {}", self.fixable);
        }
        undone.into_iter().for_each(|undone| text += &format!("; {undone}"));
        text
    }
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let paths = args::paths_or_folder(&self.paths)?;
        let mut options = self.accepted.options(context);
        let shown = match (self.max_errors, self.format()) {
            (Some(most), _) => most as usize,
            (None, Format::Human) => MAX_FOR_PEOPLE,
            (None, _) => options.get_max_errors(),
        };
        // All files are searched: the first diagnostics are shown, the others only counted.
        options = options.max_errors(options.get_max_errors().max(shown));
        let color = self.color.on(terminal::is_terminal());
        let on_stderr = self.color.on_stderr();
        let providers = providers::load(context, &self.provider_schemas, on_stderr)?;
        let version = self.language_version.clone();
        let catalog = providers.map(|providers| -> Arc<dyn Catalog> { providers });
        let rules = self.like.choice.languages(context, on_stderr)?;
        let rules = rules.with_additions(Additions { catalog, version });
        let languages = FileLanguages::new(context, &options, rules);
        let projects = Projects::new(languages, !self.no_names);
        let checker = Checker { context, args: self, options, projects, color, shown };
        let mut run = Run::new(context, (&paths, checker.projects.languages()), &self.folders, "checked")?;
        if self.fix && self.format().is_document() && run.found.origins.contains(&Origin::Stdin) {
            return Err("with `--fix`, the text of standard input goes to standard output, so the errors cannot".into());
        }

        let mut totals = Totals::default();
        let written = check_all(&checker, &mut run, &mut totals);
        // If the reader has closed the output, no summary is printed.
        if written.is_ok() {
            // Modules may be elsewhere than in the folders that were searched.
            let known: HashSet<String> = run.found.outside.iter().cloned().collect();
            let of_modules = checker.projects.take_left().into_iter().map(|link| shown_path(&link));
            run.found.outside.extend(of_modules.filter(|link| !known.contains(link)));
            run.notes();
            if totals.hidden > 0 {
                let errors = count(totals.hidden, "more error");
                let warnings = if totals.warnings > 0 { " and warnings" } else { "" };
                terminal::note(&format!(
                    "{errors}{warnings} not shown; `--max-errors N` shows the first N of each file"
                ));
            }
            if run.files + run.failures > 0 {
                terminal::remark(&format!("{}\n", totals.summary(&run, self)));
            }
        }
        Ok(terminal::written(written, totals.status(&run)))
    }
}

/// Checks on all cores, and writes the results in the order of the files.
fn check_all(checker: &Checker, run: &mut Run, totals: &mut Totals) -> io::Result<()> {
    let mut out = Output::new(checker.args.format());
    out.begin()?;
    let mut left = Ok(());
    // While files are checked, shared data stays constant, except for checkers that are added on first use.
    run.each(
        "check",
        |origin| checker.checked(origin),
        |report, progress| {
            let report = report.unwrap_or_else(|error| checker.failed(error));
            totals.add(&report);
            match checker.args.fixes() {
                // Files are written even if nobody reads the output any more.
                true if left.is_ok() => left = out.report(report, progress),
                true => {}
                false => out.report(report, progress)?,
            }
            Ok(())
        },
    )?;
    left?;
    out.end()
}
