//! The results of an editing command: its messages, and the files to write.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::changes::ChangedPlace;
use super::options::Files;
use super::taken::Taken;
use crate::diff;
use crate::error::Error;
use crate::find::Found;
use crate::input::Origin;
use crate::replace as atomic;
use crate::rows;
use crate::status::Status;
use crate::terminal::{self, count};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::visible::reason;
use hcl_lr_edit::address::NotFound;

/// The result for one file.
#[derive(Default)]
pub struct Report {
    pub name: String,
    /// The path to write to; `None` for standard input.
    pub path: Option<PathBuf>,
    /// The places that the edit is about.
    pub places: Vec<ChangedPlace>,
    /// True if these places would be created, because nothing was found in the file.
    pub is_creation: bool,
    /// The places that stay unchanged, by the reason.
    pub left: BTreeMap<String, Vec<String>>,
    /// The reason why nothing was found.
    pub not_found: NotFound,
    pub outcome: Outcome,
}

/// The outcome of an edit for one file.
#[derive(Default)]
pub enum Outcome {
    /// The file is unchanged: the address matches nothing in it, or several places.
    #[default]
    Unchanged,
    /// The file has errors, and nothing was found in it.
    Unclear,
    Template,
    /// The file cannot be read, or the edit is impossible.
    Failed(Error),
    /// Errors in the file prevent the edit.
    Refused(Diagnostics),
    /// The errors of a condition or a computed value, or a new name that is already taken.
    Wrong(Diagnostics),
    Edited(Edited),
}

/// The new text of a file.
pub struct Edited {
    pub old: Vec<u8>,
    pub new: String,
    /// A possible mistake.
    pub note: Option<String>,
    /// The items that are removed from the file and added to another one.
    pub taken: Vec<Taken>,
    /// True for the file to which items are added.
    pub is_destination: bool,
}

impl Report {
    /// A report on a file that is not edited yet.
    pub fn of(origin: &Origin) -> Report {
        Report { name: origin.name(), path: origin.path().map(Path::to_owned), ..Report::default() }
    }

    /// Returns the new text, if there is one.
    pub fn edited(&self) -> Option<&Edited> {
        match &self.outcome {
            Outcome::Edited(edited) => Some(edited),
            _ => None,
        }
    }
}

impl Edited {
    /// Creates a new text without further information.
    pub fn new(old: Vec<u8>, new: String) -> Edited {
        Edited { old, new, note: None, taken: Vec::new(), is_destination: false }
    }
}

/// The maximum number of places listed for a reason.
const MAX_LISTED: usize = 10;

/// Lists the unchanged places, by the reason.
pub fn tell_left(reports: &[Report]) {
    let mut by_reason: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (why, places) in reports.iter().flat_map(|report| &report.left) {
        by_reason.entry(why).or_default().extend(places);
    }
    for (why, places) in by_reason {
        terminal::remark(&format!(
            "left {} as {}: {why}\n",
            count(places.len(), "place"),
            if places.len() == 1 { "it is" } else { "they are" }
        ));
        for place in places.iter().take(MAX_LISTED) {
            terminal::remark(&format!("  {place}\n"));
        }
        if places.len() > MAX_LISTED {
            terminal::remark(&format!("  and {} more\n", places.len() - MAX_LISTED));
        }
    }
}

/// Writes the results. `again` repeats the edit if another program has changed a file meanwhile.
pub fn write_all(
    files: &Files,
    found: &Found,
    reports: &[Report],
    again: impl Fn(&Report, &[u8]) -> Result<Option<Vec<u8>>, Error>,
) -> Result<Status, Error> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    let mut status = Status::Fine;
    let (mut changed, mut places) = (0, 0);
    let format = files.list_format()?;
    if let Some(format) = format {
        let changed = reports.iter().filter(|report| report.edited().is_some()).flat_map(|report| &report.places);
        let rows = rows::print(format, &changed.map(ChangedPlace::row).collect::<Vec<_>>(), &ChangedPlace::columns())?;
        written = out.write_all(&terminal::data(rows.as_bytes()));
    }
    for report in reports {
        let Some(Edited { old, new, is_destination, .. }) = report.edited() else { continue };
        if files.dry_run && format.is_none() {
            let lines: String = report.places.iter().map(|place| format!("{place}\n")).collect();
            written = written.and_then(|()| out.write_all(&terminal::data(lines.as_bytes())));
        }
        if files.diff {
            let color = files.color.on(terminal::is_terminal());
            let diff = diff::unified(&report.name, old, new.as_bytes(), color);
            written = written.and_then(|()| out.write_all(&diff));
        }
        if files.dry_run || files.diff {
            continue;
        }
        let Some(path) = &report.path else {
            written = written.and_then(|()| out.write_all(&terminal::data(new.as_bytes())));
            continue;
        };
        if new.as_bytes() != old {
            let result = match *is_destination && !path.exists() {
                true => atomic::create(path, new.as_bytes()).map_err(|error| reason(&error).to_string()),
                false => atomic::update(path, old, new.as_bytes(), |now| again(report, now))
                    .map_err(|error| error.to_string()),
            };
            match result {
                Ok(()) => {
                    changed += 1;
                    places += report.places.len();
                }
                Err(error) => {
                    terminal::failure(format!("cannot write `{}`: {error}", report.name));
                    status = Status::Failure;
                    // Items that could not be added there stay in their files.
                    if *is_destination {
                        break;
                    }
                }
            }
        }
    }
    written = written.and_then(|()| out.flush());
    let only_stdin = found.origins == [Origin::Stdin];
    if !files.dry_run && !files.diff && !only_stdin {
        let summary = format!("changed {} in {}\n", count(places, "place"), count(changed, "file"));
        let nothing = changed == 0 && status == Status::Fine;
        let any_place = reports.iter().any(|report| !report.places.is_empty());
        match nothing {
            _ if changed == 0 && status != Status::Fine => terminal::remark("changed nothing\n"),
            true if any_place => terminal::remark("nothing to change: this is what the files say already\n"),
            true => terminal::remark("changed nothing\n"),
            false => terminal::remark(&summary),
        }
    }
    Ok(terminal::written(written, status))
}

/// Returns a note about comments of new items that the syntax of a file cannot have.
pub(super) fn left_out(origin: &Origin, edited: &hcl_lr_edit::Edited) -> Option<String> {
    let comments = edited.comments_left_out();
    (comments > 0)
        .then(|| format!("`{}` is JSON, which has no comments: {} left out", origin.name(), count(comments, "comment")))
}
