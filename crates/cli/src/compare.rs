//! `hcl diff`: differences of files and folders by structure.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::args;
use super::context::Context;
use super::error::Error;
use super::find::Found;
use super::input::{Document, Origin, Syntax};
use super::language::FileLanguages;
use super::run::Run;
use super::status::Status;
use super::terminal::{self, count};
use hcl_lr::diagnostic::{Diagnostics, Json};
use hcl_lr::source::visible;
use hcl_lr::source::visible::path as shown;
use hcl_lr_edit::diff::{Change, ChangeKind, ChangedPart, compare, compare_json};

const EXAMPLES: &str = "\
Examples:
  hcl diff old.tf new.tf           compare two files
  hcl diff -o json old.tf new.tf   the same for programs
  hcl diff production staging      compare two folders, file by file
  git show HEAD:main.tf | hcl diff - main.tf
  git difftool -y -x 'hcl diff' HEAD~1

Layout and comments do not count, nor does the order of attributes, of entries
of objects, and of blocks with different labels. The order of list elements
counts, and that of blocks with the same type and labels. Values are compared
as they are written. Objects in the JSON syntax are compared as objects.

Exit status:
  0  the files say the same
  1  they are different
  2  a file has errors or cannot be read, or the command line is wrong";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The old file or folder, or - for standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The new file or folder, or - for standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Set the format of the output
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = Output::Text)]
    output: Output,

    /// Same as --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    #[command(flatten)]
    folders: args::Folders,

    #[command(flatten)]
    language: args::Language,

    /// Print nothing but errors; the exit status is the answer
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// One line for each change, with the texts that differ
    Text,
    /// A JSON object with a list of files and their changes
    Json,
}

/// More lines than this of a text that differs are not printed.
const MAX_LINES: usize = 12;

/// Two files to compare. One of them may not exist.
struct Pair {
    old: Option<Origin>,
    new: Option<Origin>,
}

/// The differences of two files.
struct Report {
    old: Option<String>,
    new: Option<String>,
    changes: Vec<Change>,
}

impl Report {
    fn state(&self) -> &'static str {
        match (&self.old, &self.new) {
            (None, _) => "added",
            (_, None) => "removed",
            _ if self.changes.is_empty() => "same",
            _ => "changed",
        }
    }

    fn differs(&self) -> bool {
        self.state() != "same"
    }
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let Some((mut run, pairs)) = pairs(context, self)? else { return Ok(Status::Failure) };
        let (mut reports, mut broken) = (Vec::new(), false);
        let color = self.color.on_stderr();
        let compared = run.each_numbered(
            "compare",
            |number, _| report(context, &pairs[number], self),
            |result, progress| {
                progress.aside(|| match result {
                    Ok(Ok(report)) => reports.push(report),
                    Ok(Err(diagnostics)) => {
                        broken = true;
                        terminal::show(diagnostics, color);
                    }
                    Err(failure) => drop(terminal::report(&failure)),
                });
                Ok(())
            },
        );
        compared?;
        let mut status = if broken { Status::Failure } else { run.status() };
        if reports.iter().any(Report::differs) {
            status = status.max(Status::Errors);
        }
        if self.quiet {
            return Ok(status);
        }
        let json = self.json || self.output == Output::Json;
        let text = if json { as_json(&reports) } else { as_text(&reports, self.color.on(terminal::is_terminal())) };
        terminal::print(&text)?;
        if !json && reports.iter().any(Report::differs) {
            terminal::stderr(&summary(&reports));
        }
        Ok(status)
    }
}

/// Returns the pairs of files to compare, and a run over one file of each. `None` after reporting what cannot be read.
fn pairs(context: &Context, args: &Args) -> Result<Option<(Run, Vec<Pair>)>, Error> {
    let is_folder = |path: &Path| -> Result<bool, Error> {
        if path == Path::new("-") {
            return Ok(false);
        }
        let metadata = std::fs::metadata(path);
        metadata.map(|found| found.is_dir()).map_err(|error| Error::io(format!("cannot read `{}`", shown(path)), error))
    };
    let pairs: Vec<Pair> = match (is_folder(&args.old)?, is_folder(&args.new)?) {
        (false, false) => {
            let [old, new] = [&args.old, &args.new].map(|path| Origin::of_argument(path));
            if old == Origin::Stdin && new == Origin::Stdin {
                return Err("standard input cannot be both files".into());
            }
            vec![Pair { old: Some(old), new: Some(new) }]
        }
        (true, true) => {
            let mut files: BTreeMap<PathBuf, [Option<Origin>; 2]> = BTreeMap::new();
            let mut failed = false;
            for (side, folder) in [&args.old, &args.new].into_iter().enumerate() {
                let run = Run::new(
                    context,
                    (std::slice::from_ref(folder), &FileLanguages::by_name(context)),
                    &args.folders,
                    DONE,
                )?;
                run.notes();
                let found = run.found;
                found.failures.iter().for_each(terminal::failure);
                failed |= !found.failures.is_empty();
                for (path, origin) in within(folder, found.origins) {
                    files.entry(path).or_default()[side] = Some(origin);
                }
            }
            // Unreadable files of a folder would look as if they did not exist.
            if failed {
                return Ok(None);
            }
            files.into_values().map(|[old, new]| Pair { old, new }).collect()
        }
        (true, false) => return Err(one_folder(&args.old, &args.new)),
        (false, true) => return Err(one_folder(&args.new, &args.old)),
    };
    let either = |pair: &Pair| pair.new.clone().or_else(|| pair.old.clone());
    let found = Found { origins: pairs.iter().filter_map(either).collect(), ..Found::default() };
    Ok(Some((Run::of(context, found, DONE), pairs)))
}

/// The past participle for the work on files.
const DONE: &str = "compared";

fn one_folder(folder: &Path, file: &Path) -> Error {
    format!("`{}` is a folder and `{}` is not", shown(folder), shown(file)).into()
}

/// Returns the files found in a folder, by their paths in it. Templates have no body to compare.
fn within(folder: &Path, origins: Vec<Origin>) -> impl Iterator<Item = (PathBuf, Origin)> {
    let plain: PathBuf = folder.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect();
    origins.into_iter().filter(|origin| origin.syntax() != Syntax::Template).filter_map(move |origin| {
        let inner = origin.path()?.strip_prefix(&plain).ok()?.to_owned();
        Some((inner, origin))
    })
}

/// Compares two files. The inner error means that a file has errors.
fn report(context: &Context, pair: &Pair, args: &Args) -> Result<Result<Report, Diagnostics>, Error> {
    let name = |origin: &Option<Origin>| origin.as_ref().map(Origin::name);
    let mut report = Report { old: name(&pair.old), new: name(&pair.new), changes: Vec::new() };
    let (Some(old), Some(new)) = (&pair.old, &pair.new) else { return Ok(Ok(report)) };
    // Git's name for a file that does not exist.
    let is_null = |origin: &Origin| origin.path() == Some(Path::new("/dev/null"));
    let syntax = |origin: &Origin, other: &Origin| {
        let origin = if is_null(origin) { other } else { origin };
        args.language.syntax().unwrap_or_else(|| origin.body_syntax())
    };
    let (left, right) = (syntax(old, new), syntax(new, old));
    if left != right {
        let (native, json) = if left == Syntax::Json { (new, old) } else { (old, new) };
        return Err(format!(
            "`{}` is in native syntax and `{}` in the JSON syntax; convert one of them with `hcl convert`",
            native.name(),
            json.name()
        )
        .into());
    }
    if left == Syntax::Json && (is_null(old) || is_null(new)) {
        report.old = report.old.filter(|_| !is_null(old));
        report.new = report.new.filter(|_| !is_null(new));
        return Ok(Ok(report));
    }
    let read = |origin: &Origin| Document::read_lightly(context, origin, left, &context.parse_options());
    let ((before, mut diagnostics), (after, others)) = (read(old)?, read(new)?);
    diagnostics.extend(others);
    if diagnostics.has_errors() {
        return Ok(Err(diagnostics));
    }
    report.changes = match (before.native(), after.native()) {
        (Ok(before), Ok(after)) => compare(&before, &after),
        (Err(before), Err(after)) => compare_json(before, after),
        _ => return Err("two files in one syntax are needed".into()),
    };
    Ok(Ok(report))
}

/// Writes changes for people.
fn as_text(reports: &[Report], color: bool) -> String {
    let mut out = Text { out: String::new(), color };
    for report in reports {
        match (&report.old, &report.new) {
            (None, Some(name)) => out.line("32", &format!("{name}: added file")),
            (Some(name), None) => out.line("31", &format!("{name}: removed file")),
            _ => report.changes.iter().for_each(|change| out.change(change)),
        }
    }
    out.out
}

struct Text {
    out: String,
    color: bool,
}

impl Text {
    fn line(&mut self, style: &str, line: &str) {
        let line = visible::line(line);
        let styled = self.color && !style.is_empty();
        let (start, end) = if styled { (format!("\u{1b}[{style}m"), "\u{1b}[0m") } else { (String::new(), "") };
        let _ = writeln!(self.out, "{start}{line}{end}");
    }

    fn change(&mut self, change: &Change) {
        let place = |side: &ChangedPart| {
            let place = side.place();
            format!("{}:{}", place.source().name(), place.position().line)
        };
        let kind = change.kind();
        let line = match (change.before(), change.after()) {
            (Some(before), Some(after)) => {
                let (from, to) = (before.address(), after.address());
                let renamed = if from == to { String::new() } else { format!("{from} -> ") };
                format!("{}: {kind} {renamed}{to} (was {})", place(after), place(before))
            }
            (Some(side), None) | (None, Some(side)) => format!("{}: {kind} {}", place(side), side.address()),
            (None, None) => return,
        };
        self.line("1", &line);
        // The text of a moved or renamed item is the same.
        if matches!(kind, ChangeKind::Added | ChangeKind::Removed | ChangeKind::Changed) {
            change.before().into_iter().for_each(|side| self.text("31", "-", side));
            change.after().into_iter().for_each(|side| self.text("32", "+", side));
        }
    }

    /// Writes the text of a side, indented alike.
    fn text(&mut self, style: &str, sign: &str, side: &ChangedPart) {
        let place = side.place();
        let (source, start) = (place.source().text(), place.span().start());
        let line = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &source[line..start];
        let indent = &indent[..indent.len() - indent.trim_start_matches([' ', '\t']).len()];
        let lines = side.text().trim_end().lines();
        let all = lines.clone().count();
        for line in lines.take(MAX_LINES) {
            self.line(style, &format!("  {sign} {}", line.strip_prefix(indent).unwrap_or(line)));
        }
        if all > MAX_LINES {
            self.line(style, &format!("  {sign} … {}", count(all - MAX_LINES, "more line")));
        }
    }
}

/// Writes changes for programs.
fn as_json(reports: &[Report]) -> String {
    let mut out = "{\n  \"files\": [".to_owned();
    for (index, report) in reports.iter().enumerate() {
        let name = |name: &Option<String>| name.as_ref().map_or("null".to_owned(), |name| Json(name).to_string());
        let _ = write!(
            out,
            "{}\n    {{\"old\": {}, \"new\": {}, \"state\": \"{}\", \"changes\": [",
            if index > 0 { "," } else { "" },
            name(&report.old),
            name(&report.new),
            report.state()
        );
        for (index, change) in report.changes.iter().enumerate() {
            let side = |side: Option<&ChangedPart>| side.map_or("null".to_owned(), json_of_side);
            let _ = write!(
                out,
                "{}\n      {{\"kind\": \"{}\", \"old\": {}, \"new\": {}}}",
                if index > 0 { "," } else { "" },
                change.kind(),
                side(change.before()),
                side(change.after())
            );
        }
        out.push_str(if report.changes.is_empty() { "]}" } else { "\n    ]}" });
    }
    out.push_str(if reports.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
    out
}

fn json_of_side(side: &ChangedPart) -> String {
    let place = side.place();
    let (start, end) = (place.position(), place.source().position(place.span().end()));
    format!(
        "{{\"address\": {}, \"file\": {}, \"line\": {}, \"column\": {}, \"end_line\": {}, \"text\": {}}}",
        Json(&side.address().to_string()),
        Json(place.source().name()),
        start.line,
        start.column,
        end.line,
        Json(side.text())
    )
}

/// Returns the numbers of changes by kind, in one line.
fn summary(reports: &[Report]) -> String {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for change in reports.iter().flat_map(|report| &report.changes) {
        *kinds.entry(change.kind().to_string()).or_default() += 1;
    }
    let all = kinds.values().sum();
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let mut parts = Vec::new();
    if all > 0 {
        parts.push(format!("{} ({})", count(all, "change"), kinds.join(", ")));
    }
    for state in ["added", "removed"] {
        let files = reports.iter().filter(|report| report.state() == state).count();
        if files > 0 {
            parts.push(count(files, &format!("{state} file")));
        }
    }
    format!("{}\n", parts.join(", "))
}
