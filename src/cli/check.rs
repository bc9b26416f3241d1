//! `hcl check`: all errors of many files.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;

use super::find::{Found, Search};
use super::input::{Document, Origin, Syntax};
use super::progress::Progress;
use super::terminal::{self, MOST_FOR_PEOPLE, count};
use super::{Status, args, room};
use crate::diagnostic::{Code, Diagnostics, Json};
use crate::syntax::Options;

const EXAMPLES: &str = "\
Examples:
  hcl check                             all HCL files in this folder and below
  hcl check main.tf modules             a file, and a folder
  git show HEAD:main.tf | hcl check -   what comes from standard input
  hcl check --format short | head       an error a line, as editors and grep like it
  hcl check --format json > errors.json

In folders, files with these extensions are checked, unless an ignore file (.gitignore, .ignore)
excludes them or they are in a hidden folder:
  .hcl (and so .pkr.hcl, .pkrvars.hcl, .nomad.hcl, .tftest.hcl …), .tf, .tfvars, .tofu,
  .tfbackend, .nomad, .hcldec
  as templates: .tftpl, .pkrtpl, .pkrtpl.hcl
  in the JSON syntax: .hcl.json, .tf.json, .tfvars.json, .tofu.json, .pkr.json, .pkrvars.json,
  .nomad.json, .tftest.json, .hcldec.json
A file that is named is always checked; one named .json is in the JSON syntax.

Exit status:
  0  all is well
  1  there are errors in the HCL
  2  the command line is wrong, or a file cannot be read";

/// How long to wait for the next result before the progress bar is looked after.
const BLINK: Duration = Duration::from_millis(100);

/// Find all errors in files, folders or standard input
///
/// Files are parsed, not evaluated: whether variables and functions exist, and whether a block may
/// stand where it stands, is up to the program that the file is for. All independent errors of a
/// file are found at once.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files, folders that are searched for HCL files, or `-` for standard input
    #[arg(value_name = "PATH|-", default_value = ".", hide_default_value = true)]
    paths: Vec<PathBuf>,

    /// How errors are shown
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Show only the first N errors and warnings of a file [default: 50; short and json: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_errors: Option<u32>,

    /// Show errors only: no summary, no notes, no progress bar
    #[arg(short, long)]
    quiet: bool,

    /// Take files with this extension in folders, too; can be given several times
    #[arg(long = "extension", value_name = "EXT")]
    extensions: Vec<String>,

    /// Search hidden folders, and what ignore files exclude, too
    #[arg(long)]
    no_ignore: bool,

    #[command(flatten)]
    whole: args::Whole,

    #[command(flatten)]
    pub limits: args::Limits,

    #[command(flatten)]
    color: args::Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the lines they are about, and what to do
    Human,
    /// One a line: file:line:column: error[code]: summary: detail
    Short,
    /// One document `{"diagnostics": […]}`, in the shape of hcldec's
    Json,
}

/// How to check a file and how to show what is wrong with it.
struct Checker {
    options: Options,
    syntax: Option<Syntax>,
    format: Format,
    color: bool,
    /// How many errors and warnings of a file are shown.
    shown: usize,
}

/// What came out for one file.
#[derive(Default)]
struct Report {
    text: Vec<u8>,
    errors: usize,
    /// There are more errors than those counted.
    more: bool,
    /// How many errors and warnings are not shown.
    hidden: usize,
    warnings: usize,
    failure: Option<String>,
}

impl Checker {
    fn check(&self, origin: &Origin) -> Report {
        let syntax = self.syntax.unwrap_or_else(|| origin.syntax());
        // A file that breaks the library must not keep the others from being checked. What happened
        // is on standard error.
        let report = catch_unwind(|| match Document::read(origin, syntax, &self.options) {
            Ok((_, diagnostics)) => Ok(self.report(diagnostics)),
            Err(message) => Err(message),
        });
        let broken = || format!("cannot check `{}`: hcl itself failed at it, please report this", origin.name());
        match report.unwrap_or_else(|_| Err(broken())) {
            Ok(report) => report,
            Err(message) => self.failed(message),
        }
    }

    fn failed(&self, message: String) -> Report {
        Report { text: self.failure(&message), failure: Some(message), ..Report::default() }
    }

    fn report(&self, mut diagnostics: Diagnostics) -> Report {
        let errors = count_errors(&diagnostics);
        let warnings = diagnostics.len() - diagnostics.errors().count();
        let more = errors >= self.options.max_errors;
        diagnostics.truncate(self.shown);
        let hidden = (errors + warnings).saturating_sub(diagnostics.len());
        let mut text = Vec::new();
        match self.format {
            // Writing to memory does not fail.
            Format::Human => drop(diagnostics.write_human(&mut text, self.color)),
            Format::Short => text.extend(diagnostics.short().into_bytes()),
            Format::Json => {
                let json = diagnostics.to_json();
                text.extend(&json.as_bytes()[1..json.len() - 1]);
            }
        }
        Report { text, errors, more, hidden, warnings, failure: None }
    }

    /// A problem with a file in the output, which only JSON has there: who reads that sees nothing
    /// else.
    fn failure(&self, message: &str) -> Vec<u8> {
        match self.format {
            Format::Human | Format::Short => Vec::new(),
            Format::Json => {
                let detail = Json(message);
                let kind = r#""severity":"error","code":"unreadable","summary":"Unreadable file""#;
                format!("{{{kind},\"detail\":{detail}}}").into_bytes()
            }
        }
    }
}

/// How many errors there are. That there are too many to be listed is not one of them.
fn count_errors(diagnostics: &Diagnostics) -> usize {
    diagnostics.errors().filter(|error| error.code() != Code::TooManyErrors).count()
}

/// All that came out.
#[derive(Default)]
struct Totals {
    files: usize,
    bad_files: usize,
    errors: usize,
    more: bool,
    hidden: usize,
    warnings: usize,
    failures: usize,
}

impl Totals {
    fn add(&mut self, report: &Report) {
        if report.failure.is_some() {
            self.failures += 1;
            return;
        }
        self.files += 1;
        self.bad_files += usize::from(report.errors > 0);
        self.errors += report.errors;
        self.more |= report.more;
        self.hidden += report.hidden;
        self.warnings += report.warnings;
    }

    fn status(&self) -> Status {
        if self.failures > 0 {
            Status::Failure
        } else if self.errors > 0 {
            Status::Errors
        } else {
            Status::Fine
        }
    }

    /// One line for people.
    fn summary(&self) -> String {
        let unchecked = format!("{} could not be checked", count(self.failures, "path"));
        if self.files == 0 {
            return unchecked;
        }
        let mut text = format!("checked {}: ", count(self.files, "file"));
        if self.errors == 0 {
            text += "no errors";
        } else {
            let least = if self.more { "at least " } else { "" };
            text += &format!("{least}{} in {}", count(self.errors, "error"), count(self.bad_files, "file"));
        }
        if self.warnings > 0 {
            text += &format!(", {}", count(self.warnings, "warning"));
        }
        if self.failures > 0 {
            text += &format!("; {unchecked}");
        }
        text
    }
}

pub fn run(args: &Args) -> Status {
    let mut options = args.limits.options();
    let shown = match (args.max_errors, args.format) {
        (Some(most), _) => most as usize,
        (None, Format::Human) => MOST_FOR_PEOPLE,
        (None, Format::Short | Format::Json) => options.max_errors,
    };
    // All are looked for, however few are shown: to be shown the first ones, and told how many more.
    options.max_errors = options.max_errors.max(shown);
    let checker = Checker {
        options,
        syntax: args.whole.syntax(),
        format: args.format,
        color: args.color.on(io::stdout().is_terminal()),
        shown,
    };
    let mut progress = Progress::new(!args.quiet);
    let search = Search { extensions: &args.extensions, everything: args.no_ignore };
    let found = search.run(&args.paths, |files| progress.found(files));
    progress.found_all(found.origins.len());

    let mut totals = Totals::default();
    let written = check_all(&checker, &found, &mut progress, &mut totals);
    progress.finish();
    // To one who left in the middle there is nothing to sum up.
    if !args.quiet && written.is_ok() {
        notes(&found, &search);
        if totals.hidden > 0 {
            let errors = count(totals.hidden, "more error");
            let warnings = if totals.warnings > 0 { " and warnings" } else { "" };
            terminal::note(&format!("{errors}{warnings} not shown; `--max-errors N` shows the first N of each file"));
        }
        if totals.files + totals.failures > 0 {
            terminal::stderr(&format!("{}\n", totals.summary()));
        }
    }
    terminal::written(written, totals.status())
}

/// What is good to know about the search.
fn notes(found: &Found, search: &Search) {
    for folder in &found.empty {
        terminal::note(&format!("no HCL files in `{folder}`; searched for {}", search.extensions()));
    }
}

/// Checks on all cores, and writes the results in the order of the files.
fn check_all(checker: &Checker, found: &Found, progress: &mut Progress, totals: &mut Totals) -> io::Result<()> {
    let mut out = Output { out: BufWriter::new(io::stdout().lock()), format: checker.format, first: true };
    out.begin()?;
    for message in &found.failures {
        let report = checker.failed(message.clone());
        totals.add(&report);
        out.report(&report, progress)?;
    }
    let origins = &found.origins;
    let workers = thread::available_parallelism().map_or(1, usize::from).min(origins.len());
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (reports, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (next, stop, sender) = (&next, &stop, reports.clone());
            let run = move || work(checker, origins, next, stop, &sender);
            let stack = room::stack_for(checker.options.max_nesting);
            if thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).is_err() {
                // There is no memory for another stack. The threads that there are can do it alone,
                // and this one has enough room, too.
                if worker == 0 {
                    work(checker, origins, next, stop, &reports);
                }
                break;
            }
        }
        drop(reports);
        let result = write_in_order(&receiver, origins.len(), &mut out, progress, totals);
        stop.store(true, Ordering::Relaxed);
        result
    })?;
    out.end()
}

/// Checks files that nobody has taken until there are none left.
fn work(
    checker: &Checker,
    origins: &[Origin],
    next: &AtomicUsize,
    stop: &AtomicBool,
    reports: &mpsc::Sender<(usize, Report)>,
) {
    while !stop.load(Ordering::Relaxed)
        && let Some((index, origin)) = take(origins, next)
        && reports.send((index, checker.check(origin))).is_ok()
    {}
}

/// The next file that nobody has taken.
fn take<'a>(origins: &'a [Origin], next: &AtomicUsize) -> Option<(usize, &'a Origin)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    origins.get(index).map(|origin| (index, origin))
}

/// Writes each report as soon as those of all files before it are there.
fn write_in_order(
    reports: &mpsc::Receiver<(usize, Report)>,
    total: usize,
    out: &mut Output,
    progress: &mut Progress,
    totals: &mut Totals,
) -> io::Result<()> {
    let mut waiting: Vec<Option<Report>> = Vec::new();
    waiting.resize_with(total, || None);
    let (mut received, mut written) = (0, 0);
    loop {
        match reports.recv_timeout(BLINK) {
            Ok((index, report)) => {
                waiting[index] = Some(report);
                received += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Some(report) = waiting.get_mut(written).and_then(Option::take) {
            totals.add(&report);
            out.report(&report, progress)?;
            written += 1;
        }
        progress.checked(received);
    }
}

/// Standard output in one of the formats.
struct Output {
    out: BufWriter<io::StdoutLock<'static>>,
    format: Format,
    /// Nothing was written yet.
    first: bool,
}

impl Output {
    fn begin(&mut self) -> io::Result<()> {
        if self.format == Format::Json { self.out.write_all(b"{\"diagnostics\":[") } else { Ok(()) }
    }

    fn report(&mut self, report: &Report, progress: &Progress) -> io::Result<()> {
        if report.text.is_empty() && report.failure.is_none() {
            return Ok(());
        }
        progress.aside(|| {
            if !report.text.is_empty() {
                if self.format == Format::Json {
                    self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
                }
                self.first = false;
                self.out.write_all(&report.text)?;
            }
            // What goes to the other output comes behind what was there before.
            self.out.flush()?;
            if let Some(message) = &report.failure {
                terminal::failure(message);
            }
            Ok(())
        })
    }

    fn end(&mut self) -> io::Result<()> {
        if self.format == Format::Json {
            self.out.write_all(if self.first { b"]}\n" } else { b"\n]}\n" })?;
        }
        self.out.flush()
    }
}
