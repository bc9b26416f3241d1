//! `hcl fmt`: formats files.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::context::Context;
use super::error::Error;
use super::input::{Origin, Syntax};
use super::language::FileLanguages;
use super::rows;
use super::run::Run;
use super::status::Status;
use super::terminal::{self, count};
use super::{args, diff, input};
use crate::replace as atomic;
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::format::Style;
use hcl_lr::model::Value;
use hcl_lr::source::visible::path as shown;

const EXAMPLES: &str = "\
Examples:
  hcl fmt                          format all HCL files in this folder and below
  hcl fmt main.tf modules          a file, and a folder
  hcl fmt --check                  list unformatted files, change nothing
  hcl fmt --diff main.tf           print the changes as a patch
  hcl fmt --exclude vendor --exclude '*.gen.tf'
  hcl fmt - < main.tf              from standard input to standard output
  hcl fmt --style terraform        with the additional rules of `terraform fmt`

In folders, files with these extensions are formatted, unless they are hidden
or an ignore file (.gitignore, .ignore) excludes them: .hcl (also .pkr.hcl,
.nomad.hcl, .tftest.hcl …), .tf, .tfvars, .tofu, .tfbackend, .nomad, .hcldec. A
file that is named on the command line is always formatted. JSON files and
templates are skipped.

Exit status:
  0  success
  1  with --check: files are not formatted (--exit-code sets another status)
  2  a file has errors or cannot be read or written, or the command line is
     wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    paths: Vec<PathBuf>,

    /// Change nothing; exit with status 1 if a file is not formatted
    #[arg(long)]
    check: bool,

    /// Exit with this status instead of 1 if --check finds a file
    #[arg(long, value_name = "N", requires = "check", default_value_t = 1, hide_default_value = true)]
    exit_code: u8,

    /// Print the changes as a patch
    #[arg(long)]
    diff: bool,

    /// Print the names of files that change
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    listed: args::Listed,

    /// Write files even with --check, --diff or --list
    #[arg(long)]
    write: bool,

    /// Format files with errors as far as possible
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    folders: args::Folders,

    /// Set the style
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = StyleName::Canonical)]
    style: StyleName,

    /// Skip lines between the comments `# fmt: off` and `# fmt: on`
    #[arg(long)]
    switches: bool,

    /// End each file with one newline
    #[arg(long)]
    final_newline: bool,

    /// Join several blank lines into one
    #[arg(long)]
    one_blank_line: bool,

    /// Do not align equals signs and comments
    #[arg(long)]
    no_align: bool,

    /// Sort adjacent attributes by name, or blocks by label; repeatable
    #[arg(long, value_enum, value_name = "WHAT")]
    sort: Vec<Sorted>,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleName {
    /// The canonical form, which all HashiCorp programs share
    Canonical,
    /// The rules of `terraform fmt` as well: `"${a}"` becomes `a`, labels get quotes
    Terraform,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sorted {
    /// Attributes on adjacent lines, in all bodies
    Attributes,
    /// Blocks of one type at the top of a file, separated by blank lines only
    Blocks,
}

impl Args {
    fn style(&self) -> Style {
        Style::new()
            .with_terraform_rules(self.style == StyleName::Terraform)
            .with_switches(self.switches)
            .with_final_newline(self.final_newline)
            .with_one_blank_line(self.one_blank_line)
            .with_alignment(!self.no_align)
            .with_sorted_attributes(self.sort.contains(&Sorted::Attributes))
            .with_sorted_blocks(self.sort.contains(&Sorted::Blocks))
    }

    /// Returns true if the changes are only reported.
    fn only_tells(&self) -> bool {
        (self.check || self.diff || self.list) && !self.write
    }
}

/// The options for formatting a file and handling the result.
struct Formatter<'a> {
    context: &'a Context,
    args: &'a Args,
    style: Style,
    options: ParseOptions,
    color_out: bool,
}

/// The result for one file.
#[derive(Default)]
struct Report {
    name: String,
    /// For standard output.
    text: Vec<u8>,
    /// The lines that change, as objects.
    rows: Vec<Value>,
    /// The diagnostics of the file.
    diagnostics: Option<Diagnostics>,
    /// True if it has errors and was left unchanged.
    refused: bool,
    changes: bool,
    left_alone: Option<&'static str>,
}

impl Formatter<'_> {
    fn format(&self, origin: &Origin) -> Result<Report, Error> {
        let name = origin.name();
        let left_alone = match origin.syntax() {
            Syntax::Json => Some("in the JSON syntax"),
            Syntax::Template => Some("a template"),
            _ => None,
        };
        if left_alone.is_some() {
            return Ok(Report { name, left_alone, ..Report::default() });
        }
        self.formatted(origin).map(|report| Report { name, ..report })
    }

    fn formatted(&self, origin: &Origin) -> Result<Report, Error> {
        let path = match origin {
            Origin::Stdin => Path::new("-"),
            Origin::Path(path) => path,
        };
        let (name, old) = input::read(self.context, path)?;
        let mut report = Report::default();
        let diagnostics = self.diagnostics(&name, &old);
        if diagnostics.has_errors() {
            report.diagnostics = Some(diagnostics);
            report.refused = !self.args.force;
            if report.refused {
                return Ok(report);
            }
        }
        let new = self.style.format_bytes(&old);
        report.changes = new != old;
        // Beyond the canonical form, more than white space changes, so the result is verified before use.
        if report.changes && report.diagnostics.is_none() && self.style != Style::default() {
            let after = self.diagnostics(&name, &new);
            if after.has_errors() {
                return Err(
                    terminal::internal_error(&format!("the formatted text of `{name}` would have errors")).into()
                );
            }
        }
        if self.args.diff && report.changes {
            report.text = diff::unified(&name, &old, &new, self.color_out);
        } else if self.names_changes() && report.changes {
            match self.args.listed.asked() {
                Some(_) => report.rows = changed_lines(&name, &old, &new),
                None => report.text = format!("{name}\n").into_bytes(),
            }
        }
        match origin {
            Origin::Stdin if !self.args.only_tells() => report.text.extend_from_slice(&terminal::data(&new)),
            Origin::Path(path) if report.changes && !self.args.only_tells() => {
                let again = |now: &[u8]| match self.diagnostics(&name, now).has_errors() && !self.args.force {
                    true => Err("it has errors now".into()),
                    false => Ok(Some(self.style.format_bytes(now))),
                };
                let failed = |error| Error::from(format!("cannot write `{name}`: {error}"));
                atomic::update(path, &old, &new, again).map_err(failed)?;
            }
            _ => {}
        }
        Ok(report)
    }

    fn diagnostics(&self, name: &str, text: &[u8]) -> Diagnostics {
        self.options.parse::<hcl_lr::File>((name, text)).into_parts().1
    }

    fn names_changes(&self) -> bool {
        self.args.list || self.args.check && !self.args.diff
    }
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    changes: usize,
    refused: usize,
    /// The number of files that are not HCL in native syntax, whether named or in folders.
    left_alone: usize,
}

impl Totals {
    fn status(&self, run: &Run, args: &Args) -> Status {
        if run.failures + self.refused > 0 {
            Status::Failure
        } else if args.check && self.changes > 0 {
            Status::Answer(args.exit_code)
        } else {
            Status::Fine
        }
    }

    /// One line for people.
    fn summary(&self, run: &Run, args: &Args) -> String {
        let number = run.files - self.left_alone;
        let files = count(number, "file");
        let mut parts = Vec::new();
        if number > 0 {
            parts.push(match (args.only_tells(), self.changes) {
                (_, 0) => format!("{files}: nothing to format"),
                (false, changes) => format!("formatted {changes} of {files}"),
                (true, changes) => format!("{changes} of {files} to be formatted"),
            });
        }
        let left_alone = [(self.refused, "with errors"), (self.left_alone, "in the JSON syntax or templates")];
        let left_alone = left_alone.iter().filter(|(number, _)| *number > 0);
        let left_alone: Vec<_> = left_alone.map(|(number, what)| format!("{number} {what}")).collect();
        if !left_alone.is_empty() {
            parts.push(format!("left alone: {}", left_alone.join(", ")));
        }
        parts.extend(run.undone("formatted"));
        parts.join("; ")
    }
}

/// Returns the lines of a file that change, as objects.
fn changed_lines(name: &str, old: &[u8], new: &[u8]) -> Vec<Value> {
    let row = |lines: diff::ChangedLines| {
        let texts = [Value::from(lines.before), Value::from(lines.after)];
        Value::object(COLUMNS.into_iter().zip([Value::from(name), Value::from(lines.line)].into_iter().chain(texts)))
    };
    diff::changed_lines(old, new).into_iter().map(row).collect()
}

const COLUMNS: [&str; 4] = ["file", "line", "before", "after"];

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let format = self.listed.asked();
        if format.is_some() && (self.diff || !self.check && !self.list) {
            return Err(
                "`--output` and `--json` need `--check` or `--list`, without `--diff`: they set the format of the list"
                    .into(),
            );
        }
        let paths = args::paths_or_folder(&self.paths)?;
        let formatter = Formatter {
            context,
            args: self,
            style: self.style(),
            options: context.parse_options(),
            color_out: self.color.on(terminal::is_terminal()),
        };
        let mut run = Run::new(context, (&paths, &FileLanguages::by_name(context)), &self.folders, "formatted")?;
        let mut totals = Totals::default();
        let mut rows = Vec::new();
        let mut written = format_all(&formatter, &mut run, (&mut totals, &mut rows));
        if let Some(format) = format {
            let text = rows::print(format, &rows, &COLUMNS.map(str::to_owned))?;
            written = written.and_then(|()| terminal::write_data(text.as_bytes()));
        }
        if written.is_ok() {
            run.notes();
            let only_stdin = run.found.origins == [Origin::Stdin] && !self.only_tells();
            if run.files + run.failures > 0 && !only_stdin {
                terminal::remark(&format!("{}\n", totals.summary(&run, self)));
            }
        }
        Ok(terminal::written(written, totals.status(&run, self)))
    }
}

/// Formats on all cores, and reports the files in order.
fn format_all(formatter: &Formatter, run: &mut Run, (totals, rows): (&mut Totals, &mut Vec<Value>)) -> io::Result<()> {
    let color_err = formatter.args.color.on_stderr();
    let named: HashSet<String> = formatter.args.paths.iter().map(|path| shown(path)).collect();
    let mut left = Ok(());
    run.each(
        "format",
        |origin| formatter.format(origin),
        |report, progress| {
            let mut report = match report {
                Ok(report) => report,
                Err(failure) => {
                    progress.aside(|| terminal::report(&failure));
                    return Ok(());
                }
            };
            // In folders, skipped files are expected; the summary has their number.
            let named = named.contains(&report.name);
            progress.aside(|| {
                // Files are written even if the reader of the output has gone.
                let mut out = io::stdout().lock();
                if left.is_ok() && !report.text.is_empty() {
                    left = out.write_all(&report.text).and_then(|()| out.flush());
                }
                tell(&report, color_err, named);
            });
            rows.append(&mut report.rows);
            totals.changes += usize::from(report.changes);
            totals.refused += usize::from(report.refused);
            totals.left_alone += usize::from(report.left_alone.is_some());
            Ok(())
        },
    )?;
    left
}

/// Reports on a file.
fn tell(report: &Report, color: bool, named: bool) {
    let name = &report.name;
    if let Some(diagnostics) = &report.diagnostics {
        let errors = count(diagnostics.errors().count(), "error");
        terminal::show(diagnostics.clone(), color);
        if report.refused {
            terminal::failure(format!("`{name}` has {errors} and was left alone; `--force` formats it anyway"));
        } else {
            terminal::note(&format!("`{name}` has {errors} and was formatted anyway"));
        }
    }
    if let Some(what) = report.left_alone
        && named
    {
        terminal::note(&format!("`{name}` is {what}, and was left alone"));
    }
}
