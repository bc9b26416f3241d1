//! `hcl set`, `rm`, `mv`, `append` and `comment`: changes at addresses, in many files at once.
//!
//! Each command says what it does with what an address leads to in one file (an [`Edits`]). What they
//! share is here: no file is written before all of them have been looked at, and if anything stands in
//! the way none is.

mod align;
mod append;
mod comment;
mod moves;
mod references;
mod remove;
mod set;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

pub use append::Append;
pub use comment::Comment;
pub use moves::Move;
pub use remove::Remove;
pub use set::Set;

use super::find::Found;
use super::input::{Origin, Syntax};
use super::progress::Progress;
use super::terminal::{self, count};
use super::{Status, args, diff, parallel, room};
use crate::replace as atomic;
use hcl_lr::ParseOptions;
use hcl_lr::address::{Address, Target, TargetKind};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::edit::{Container, EditError, Editor, InsertionPoint, Item};
use hcl_lr::source::Source;
use hcl_lr::syntax::File;

/// Which files to change, and how.
#[derive(clap::Args)]
pub struct Files {
    /// Files, folders that are searched for HCL files, or `-` for standard input
    #[arg(value_name = "PATH|-", required = true)]
    paths: Vec<PathBuf>,

    /// Change all places that the address leads to, not only a single one
    #[arg(long)]
    all: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    diff: bool,

    /// Tell the places that would change, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Change files with errors elsewhere, too
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    folders: args::Folders,

    /// Show errors only: no summary, no notes, no progress bar
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    color: args::Color,
}

/// Which neighbour something is put beside.
#[derive(clap::Args)]
struct Beside {
    /// Put it before what this address leads to
    #[arg(long, value_name = "ADDRESS", value_parser = address, conflicts_with = "after")]
    before: Option<Address>,

    /// Put it after what this address leads to
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    after: Option<Address>,
}

impl Beside {
    /// The place that one of the options says, which is the same for all that is put there.
    fn position<'f>(&self, file: &'f File) -> Result<Option<InsertionPoint<'f>>, String> {
        Ok(match (&self.before, &self.after) {
            (Some(address), _) => Some(InsertionPoint::Before(member(&only(file, address)?)?)),
            (_, Some(address)) => Some(InsertionPoint::After(member(&only(file, address)?)?)),
            _ => None,
        })
    }
}

/// The end of the help of all these commands.
const STATUS: &str = "
A file is written as a whole or not at all, and only if what comes out has the edit that was asked for
and nothing else. If anything stands in the way in one file, none is written. Files in the JSON syntax
are left alone.

Exit status:
  0  all is well
  1  the address leads to nothing
  2  it cannot be done: the command line is wrong, the address leads to several places (without --all),
     a file has errors (without --force) or cannot be read or written";

/// The work of one editing command.
trait Edits: Sync {
    /// Finds the targets in a file. A file without targets is skipped.
    fn find<'f>(&self, file: &'f File) -> Vec<Target<'f>>;

    /// Tells the editor what to do with what was found.
    ///
    /// # Errors
    /// A message, if that cannot be.
    fn edit<'f>(&self, file: &'f File, targets: &[Target<'f>], editor: &mut Editor<'f>) -> Result<(), String>;

    /// Returns a hint about an edit that may not be what was meant.
    fn note(&self, _: &[Target<'_>]) -> Option<String> {
        None
    }
}

/// Reads an address.
fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|diagnostics: Diagnostics| {
        let detail = diagnostics.first().map(|first| first.detail().to_owned());
        detail.unwrap_or_else(|| "it is no address".to_owned())
    })
}

/// Returns a target as a part of its parent, if it can be edited as one.
fn member<'f>(target: &Target<'f>) -> Result<Item<'f>, String> {
    match target.kind() {
        TargetKind::Attribute(attribute) => Ok(Item::Attribute(*attribute)),
        TargetKind::Block(block) => Ok(Item::Block(*block)),
        TargetKind::Entry(entry) => Ok(Item::Entry(*entry)),
        TargetKind::Element(element) => Ok(Item::Element(*element)),
        TargetKind::Body(_) => Err(format!("{}: this is the whole file", target.place())),
        _ => Err(format!("{}: only attributes, blocks and parts of objects and lists can be changed", target.place())),
    }
}

/// Returns a target as a container of parts.
fn container<'f>(target: &Target<'f>) -> Result<Container<'f>, String> {
    match target.kind() {
        TargetKind::Body(body) => Ok(Container::Body(*body)),
        TargetKind::Block(block) => Ok(Container::Body(block.body())),
        _ => match target.expression() {
            Some(expression) => Ok(Container::Collection(expression)),
            None => Err(format!("{}: there can be nothing in it", target.place())),
        },
    }
}

/// The one thing that an address leads to in a file.
fn only<'f>(file: &'f File, address: &Address) -> Result<Target<'f>, String> {
    let mut targets = address.resolve(file.body());
    match (targets.pop(), targets.len()) {
        (Some(target), 0) => Ok(target),
        (None, _) => Err(format!("{}: `{address}` leads to nothing", file.source().name())),
        (Some(_), others) => Err(format!("{}: `{address}` leads to {} places", file.source().name(), others + 1)),
    }
}

/// The result for one file.
#[derive(Default)]
struct Report {
    name: String,
    /// The path to write to; `None` for standard input.
    path: Option<PathBuf>,
    /// Each place that changes, as `file:line: address`.
    places: Vec<String>,
    old: Vec<u8>,
    new: Option<String>,
    /// The errors that prevent the edit, if any.
    refused: Option<Diagnostics>,
    /// True if it has errors, and nothing was found in it.
    unclear: bool,
    /// A name that the edit would give to a second thing.
    name_taken: Option<Diagnostics>,
    /// Something that may not have been meant.
    note: Option<String>,
    failure: Option<String>,
    json: bool,
}

struct Runner<'a, E> {
    files: &'a Files,
    edits: &'a E,
    options: ParseOptions,
}

impl<E: Edits + std::panic::RefUnwindSafe> Runner<'_, E> {
    fn report(&self, origin: &Origin) -> Report {
        let name = origin.name();
        let path = match origin {
            Origin::Stdin => None,
            Origin::Path(path) => Some(path.clone()),
        };
        if origin.syntax() != Syntax::Config {
            return Report { name, json: true, ..Report::default() };
        }
        let report = catch_unwind(|| self.edited(origin));
        let broken = || Err(format!("cannot change `{name}`: hcl itself failed at it, please report this"));
        match report.unwrap_or_else(|_| broken()) {
            Ok(report) => Report { name, path, ..report },
            Err(failure) => Report { name, failure: Some(failure), ..Report::default() },
        }
    }

    fn edited(&self, origin: &Origin) -> Result<Report, String> {
        self.edited_text(&origin.name(), origin.bytes()?)
    }

    /// Makes the edit in a text that has been read.
    fn edited_text(&self, name: &str, old: Vec<u8>) -> Result<Report, String> {
        let (file, diagnostics) = self.options.parse::<File>(Source::from_bytes(name, old.clone())).into_parts();
        let targets = self.edits.find(&file);
        let mut report = Report { old, ..Report::default() };
        if targets.is_empty() {
            report.unclear = diagnostics.has_errors();
            return Ok(report);
        }
        report.places = targets.iter().map(place).collect();
        if diagnostics.has_errors() && !self.files.force {
            report.refused = Some(diagnostics);
            return Ok(report);
        }
        // With several places the edit is only made if it is wanted for all.
        if targets.len() > 1 && !self.files.all {
            return Ok(report);
        }
        let mut editor = Editor::new(&file).with_options(self.options);
        self.edits.edit(&file, &targets, &mut editor)?;
        match editor.finish() {
            Ok(edited) => {
                report.note = self.edits.note(&targets);
                report.new = Some(edited.text().to_owned());
            }
            Err(EditError::NameTaken(diagnostic)) => report.name_taken = Some(Diagnostics::from_iter([*diagnostic])),
            Err(error) => match &report.places[..] {
                [place] => return Err(format!("{place}: {error}")),
                _ => return Err(format!("{name}: {error}")),
            },
        }
        Ok(report)
    }

    /// Makes the edit again in a file that another program has changed.
    fn again(&self, report: &Report, now: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let edited = catch_unwind(AssertUnwindSafe(|| self.edited_text(&report.name, now.to_vec())));
        let edited = edited.unwrap_or_else(|_| Err("hcl itself failed at it, please report this".to_owned()))?;
        match edited {
            Report { new: Some(new), .. } => Ok(Some(new.into_bytes())),
            Report { refused: Some(_), .. } => Err("it has errors now".to_owned()),
            Report { name_taken: Some(_), .. } => Err("the name is taken now".to_owned()),
            Report { places, .. } if places.is_empty() => Err("the address leads to nothing now".to_owned()),
            Report { places, .. } => Err(format!("the address leads to {} places now", places.len())),
        }
    }
}

/// A place for people: `main.tf:3: service.web.port`.
fn place(target: &Target<'_>) -> String {
    let place = target.place();
    let line = place.source().position(place.span().start()).line;
    format!("{}:{line}: {}", place.source().name(), target.address())
}

/// Runs a command.
///
/// # Errors
/// A message, if it cannot be begun at all.
fn run<E: Edits + std::panic::RefUnwindSafe>(files: &Files, edits: &E) -> Result<Status, String> {
    let exclude = files.folders.exclude()?;
    let search = files.folders.search(&exclude);
    let mut progress = Progress::new(!files.quiet, "looked at");
    let found = search.run(&files.paths, |files| progress.found(files));
    progress.found_all(found.origins.len());
    let runner = Runner { files, edits, options: ParseOptions::default() };
    let work = |index: usize| runner.report(&found.origins[index]);
    let mut reports = Vec::new();
    let stack = room::stack_for(runner.options.get_max_nesting());
    let taken = parallel::in_order(found.origins.len(), stack, work, &mut progress, |report, _| {
        // Nothing is kept of files that stay as they are.
        let matters = !report.places.is_empty() || report.failure.is_some() || report.unclear || report.json;
        reports.extend(matters.then_some(report));
        Ok(())
    });
    progress.finish();
    taken.map_err(|error| error.to_string())?;
    conclude(files, &found, &reports, |report, now| runner.again(report, now))
}

/// Tells what came out, and writes it if nothing stands in the way.
fn conclude(
    files: &Files,
    found: &Found,
    reports: &[Report],
    again: impl Fn(&Report, &[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<Status, String> {
    let color = files.color.on_stderr();
    let mut stopped = false;
    if !files.quiet {
        found.note_links();
    }
    for message in &found.failures {
        terminal::failure(message);
        stopped = true;
    }
    for report in reports {
        if let Some(diagnostics) = &report.refused {
            let errors = count(diagnostics.errors().count(), "error");
            terminal::show(diagnostics.clone(), color);
            terminal::failure(&format!("`{}` has {errors}; `--force` changes it all the same", report.name));
            stopped = true;
        }
        if let Some(diagnostics) = &report.name_taken {
            terminal::show(diagnostics.clone(), color);
            stopped = true;
        }
        if let Some(failure) = &report.failure {
            terminal::failure(failure);
            stopped = true;
        }
        if report.json && found.origins.len() == 1 {
            terminal::failure(&format!("`{}` is in the JSON syntax or a template, which are not changed", report.name));
            stopped = true;
        }
        if report.unclear && !files.quiet {
            let name = &report.name;
            terminal::note(&format!("`{name}` has errors, and nothing was found in it; `hcl check` shows them"));
        }
    }
    let places: Vec<&String> = reports.iter().flat_map(|report| &report.places).collect();
    if places.len() > 1 && !files.all {
        terminal::failure(&format!("the address leads to {} places; `--all` changes all of them:", places.len()));
        for place in places {
            terminal::stderr(&format!("  {place}\n"));
        }
        return Ok(Status::Failure);
    }
    if stopped {
        if found.origins.len() > 1 {
            terminal::note("no file was changed");
        }
        return Ok(Status::Failure);
    }
    if places.is_empty() {
        terminal::failure("the address leads to nothing");
        return Ok(Status::Errors);
    }
    if let Some(note) = reports.iter().find_map(|report| report.note.as_ref()).filter(|_| !files.quiet) {
        terminal::note(note);
    }
    write_all(files, found, reports, again)
}

/// Writes what came out. `again` makes the edit once more if another program has changed a file meanwhile.
fn write_all(
    files: &Files,
    found: &Found,
    reports: &[Report],
    again: impl Fn(&Report, &[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<Status, String> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    let mut status = Status::Fine;
    let (mut changed, mut places) = (0, 0);
    for report in reports {
        let Some(new) = &report.new else { continue };
        if files.dry_run {
            let lines: String = report.places.iter().map(|place| format!("{place}\n")).collect();
            written = written.and_then(|()| out.write_all(&terminal::data(lines.as_bytes())));
        }
        if files.diff {
            let color = files.color.on(terminal::is_terminal());
            let diff = diff::unified(&report.name, &report.old, new.as_bytes(), color);
            written = written.and_then(|()| out.write_all(&diff));
        }
        if files.dry_run || files.diff {
            continue;
        }
        let Some(path) = &report.path else {
            written = written.and_then(|()| out.write_all(&terminal::data(new.as_bytes())));
            continue;
        };
        if new.as_bytes() != report.old {
            match atomic::update(path, &report.old, new.as_bytes(), |now| again(report, now)) {
                Ok(()) => {
                    changed += 1;
                    places += report.places.len();
                }
                Err(error) => {
                    terminal::failure(&format!("cannot write `{}`: {error}", report.name));
                    status = Status::Failure;
                }
            }
        }
    }
    written = written.and_then(|()| out.flush());
    let only_stdin = found.origins == [Origin::Stdin];
    if !files.quiet && !files.dry_run && !files.diff && !only_stdin {
        let summary = format!("changed {} in {}\n", count(places, "place"), count(changed, "file"));
        let nothing = changed == 0 && status == Status::Fine;
        terminal::stderr(if nothing { "nothing to change: this is what the files say already\n" } else { &summary });
    }
    Ok(terminal::written(written, status))
}
