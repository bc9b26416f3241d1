//! Runs an editing command on many files: finds places, makes the edits, tells what came out, and writes it.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::changes::{ChangedPlace, Changes};
use super::destination;
use super::json::JsonEdit;
use super::repeated::newly_repeated;
use super::taken::Taken;
use super::{Edit, Edits, Files, Refusal, place};
use crate::contents::{self, FILES, Failure};
use crate::files::{blocks_of, has_property};
use crate::find::Found;
use crate::input::{Origin, Syntax, parse_options};
use crate::replace as atomic;
use crate::rows::{self, Format};
use crate::run::Run;
use crate::terminal::{self, count};
use crate::{Status, diff, root};
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::source::visible::reason;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::NotFound;
use hcl_lr_edit::query::{Query, QueryMatch, Subject};
use hcl_lr_edit::{EditError, Editor};

/// The result for one file.
#[derive(Default)]
pub(super) struct Report {
    pub name: String,
    /// The path to write to; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Each place that changes.
    pub places: Vec<ChangedPlace>,
    /// True if what changes is only made because nothing was found in the file.
    pub is_creation: bool,
    /// The places that stay as they are, by the reason.
    pub left: BTreeMap<String, Vec<String>>,
    pub old: Vec<u8>,
    pub new: Option<String>,
    /// The errors that prevent the edit, if any.
    pub refused: Option<Diagnostics>,
    /// True if it has errors, and nothing was found in it.
    pub unclear: bool,
    /// The errors of a condition or a computed value, or a name that the edit would give to a second thing.
    pub wrong: Option<Diagnostics>,
    /// Why nothing was found.
    pub not_found: NotFound,
    /// Something that may not have been meant.
    pub note: Option<String>,
    pub failure: Option<String>,
    pub is_template: bool,
    /// The items that are removed from the file and added to another one.
    pub taken: Vec<Taken>,
    /// True for the file that is added to.
    pub is_destination: bool,
}

pub(super) struct Runner<'a, E> {
    pub files: &'a Files,
    edits: &'a E,
    pub options: ParseOptions,
    query: Query,
    /// The file that is added to, without links.
    destination: Option<PathBuf>,
    /// The format of the places that change, if they are listed as data.
    format: Option<Format>,
}

impl<E: Edits> Runner<'_, E> {
    fn report(&self, origin: &Origin) -> Result<Report, String> {
        let name = origin.name();
        if self.syntax(origin) == Syntax::Template {
            return Ok(Report { name, is_template: true, ..Report::default() });
        }
        let report = self.edited(origin, origin.bytes()?)?;
        Ok(Report { name, path: origin.path().map(Path::to_owned), ..report })
    }

    /// Returns the syntax of a file.
    fn syntax(&self, origin: &Origin) -> Syntax {
        self.files.language.syntax().unwrap_or_else(|| origin.syntax())
    }

    /// Makes the edit in a text that has been read.
    fn edited(&self, origin: &Origin, old: Vec<u8>) -> Result<Report, String> {
        let source = Source::from_bytes(&origin.name(), old.clone());
        let mut report = Report { old, ..Report::default() };
        if self.syntax(origin) == Syntax::Json {
            let (document, diagnostics) = self.options.parse::<Document>(source).into_parts();
            let schema = blocks_of(None, origin, |name| has_property(&document, name));
            let schema = &*schema;
            let subject = Subject::Json(&document, schema, None);
            let Some(found) = self.found(origin, subject, diagnostics, &mut report) else { return Ok(report) };
            let mut edit = JsonEdit::new(&document, schema, &found, Changes::new(self.format.is_some()));
            let made = self.edits.edit_json(&mut edit).and_then(|()| Ok(edit.add_blocks()?));
            report.note = edit.note();
            let JsonEdit { editor, taken, changes, .. } = edit;
            report.taken = taken;
            changes.add_to(&mut report.places);
            return self.concluded(made, || editor.finish(), (origin, &found), report);
        }
        let (file, diagnostics) = self.options.parse::<File>(source).into_parts();
        let Some(found) = self.found(origin, Subject::Native(&file), diagnostics, &mut report) else {
            return Ok(report);
        };
        let editor = Editor::new(&file).with_options(self.options);
        let changes = Changes::new(self.format.is_some());
        let mut edit = Edit { origin, file: &file, found: &found, editor, taken: Vec::new(), changes };
        let made = self.edits.edit(&mut edit);
        let Edit { editor, taken, changes, .. } = edit;
        report.taken = taken;
        changes.add_to(&mut report.places);
        self.concluded(made, || editor.finish().map(|edited| edited.text().to_owned()), (origin, &found), report)
    }

    /// Returns what is to be edited in a file. `None` if there is nothing, or if something stands in the way, which is
    /// in the report.
    fn found<'t>(
        &self,
        origin: &Origin,
        subject: Subject<'t>,
        diagnostics: Diagnostics,
        report: &mut Report,
    ) -> Option<Vec<QueryMatch<'t>>> {
        let answer = self.query.run(subject);
        if answer.failed() > 0 || !answer.is_complete() {
            report.wrong = Some(answer.diagnostics().clone());
            return None;
        }
        let mut left = |place: String, why: &str| report.left.entry(why.to_owned()).or_default().push(place);
        for rejected in answer.rejected() {
            left(place(rejected.target()), "the condition does not hold");
        }
        for open in answer.open() {
            left(place(open.target()), "the condition depends on values that are not constant");
        }
        if self.files.all {
            for miss in answer.misses() {
                if let Some(why) = self.edits.passes_by(miss) {
                    left(place(miss.target()), &why);
                }
            }
        }
        let mut found: Vec<QueryMatch<'t>> = Vec::new();
        for one in answer.matches() {
            match self.edits.leaves(one) {
                Some(why) => left(place(one.target()), &why),
                None => found.push(one.clone()),
            }
        }
        if self.destination.is_some() && origin.path().map(root::identity) == self.destination {
            for one in found.drain(..) {
                left(place(one.target()), "it is in the destination already");
            }
        }
        if found.is_empty() {
            report.unclear = diagnostics.has_errors();
            if report.left.is_empty() {
                report.not_found.add(self.edits.address(), &subject.trace(self.edits.address()));
            }
            return None;
        }
        report.is_creation =
            found.iter().all(|one| !one.missing().is_empty() && one.target().address().steps().is_empty());
        report.places = found.iter().map(ChangedPlace::of).collect();
        if diagnostics.has_errors() && !self.files.force {
            report.refused = Some(diagnostics);
            return None;
        }
        // With several places the edit is only made if it is wanted for all.
        if found.len() > 1 && !self.files.all {
            return None;
        }
        Some(found)
    }

    /// Completes the report of a file, unless the edit cannot be made.
    fn concluded(
        &self,
        made: Result<(), Refusal>,
        finish: impl FnOnce() -> Result<String, EditError>,
        (origin, found): (&Origin, &[QueryMatch<'_>]),
        mut report: Report,
    ) -> Result<Report, String> {
        match made {
            Ok(()) => {}
            Err(Refusal::Message(message)) => return Err(message),
            Err(Refusal::Diagnostic(diagnostic)) => {
                report.wrong = Some(Diagnostics::from_iter([*diagnostic]));
                return Ok(report);
            }
        }
        match finish() {
            Ok(new) => {
                report.note = self.edits.note(found).or(report.note);
                let repeated = if self.edits.names_blocks() { self.repeated(origin, &report.old, &new) } else { None };
                match repeated {
                    Some(repeated) => report.wrong = Some(repeated),
                    None => report.new = Some(new),
                }
            }
            Err(EditError::NameTaken(diagnostic)) => report.wrong = Some(Diagnostics::from_iter([*diagnostic])),
            Err(error) => match &report.places[..] {
                [place] => return Err(format!("{place}: {error}")),
                _ => {
                    let name = found.first().map(|one| one.place().source().name().to_owned());
                    return Err(format!("{}: {error}", name.unwrap_or_default()));
                }
            },
        }
        Ok(report)
    }

    /// Returns what the language of a file does not let repeat after an edit, unless that is forced.
    pub fn repeated(&self, origin: &Origin, old: &[u8], new: &str) -> Option<Diagnostics> {
        if self.files.force { None } else { newly_repeated(origin, self.syntax(origin), old, new) }
    }

    /// Makes the edit again in a file that another program has changed.
    fn again(&self, report: &Report, now: &[u8]) -> Result<Option<Vec<u8>>, String> {
        if report.is_destination {
            return Err("another program has changed it meanwhile; run this again".to_owned());
        }
        let origin = report.path.clone().map_or(Origin::Stdin, Origin::Path);
        let edited = catch_unwind(AssertUnwindSafe(|| self.edited(&origin, now.to_vec())));
        let edited = edited.unwrap_or_else(|_| Err(terminal::internal_error("the edit failed")))?;
        let texts = |report: &Report| {
            report.taken.iter().map(|taken| (taken.native.clone(), taken.json.clone())).collect::<Vec<_>>()
        };
        match edited {
            // The items that would be removed now differ from those added to the other file.
            Report { new: Some(_), .. } if texts(&edited) != texts(report) => {
                Err("another program has changed it meanwhile; run this again".to_owned())
            }
            Report { new: Some(new), .. } => Ok(Some(new.into_bytes())),
            Report { refused: Some(_), .. } => Err("it has errors now".to_owned()),
            Report { wrong: Some(_), .. } => Err("the edit is not possible there now".to_owned()),
            Report { places, .. } if places.is_empty() => Err("nothing found at this address now".to_owned()),
            Report { places, .. } => Err(format!("the address matches {} places now", places.len())),
        }
    }
}

/// Runs a command on paths.
///
/// # Errors
/// A message, if it cannot be begun at all.
pub(super) fn run<E: Edits>(files: &Files, paths: &[PathBuf], edits: &E) -> Result<Status, String> {
    let format = files.list_format()?;
    let mut run = Run::new(paths, &files.folders, "looked at")?;
    // A file and a link to it are one file.
    let mut known = HashSet::new();
    run.retain(|origin| origin.path().is_none_or(|path| known.insert(root::identity(path))));
    let mut query = Query::new((**edits.address()).clone()).keeping_rest();
    query = query.with_functions(files.functions.set.functions()).with_limits(files.budget.limits());
    if let Some(condition) = &files.condition {
        query = query.with_condition(condition.clone());
    }
    if contents::are_wanted(files.condition.iter().chain(edits.expression())) {
        match all_files(files, &run) {
            Ok(all) => query = query.with_variable(FILES, all),
            Err(Failure::Message(message)) => return Err(message),
            Err(Failure::Limit(diagnostics)) => {
                terminal::show(diagnostics, files.color.on_stderr());
                return Ok(Status::Failure);
            }
        }
    }
    let destination = edits.destination().map(root::identity);
    let runner = Runner { files, edits, options: parse_options(), query: edits.query(query), destination, format };
    let mut reports: Vec<Report> = Vec::new();
    let mut not_found = NotFound::default();
    let taken = run.each(
        "change",
        |origin| runner.report(origin),
        |report, _| {
            let mut report = report.unwrap_or_else(|failure| Report { failure: Some(failure), ..Report::default() });
            not_found.merge(std::mem::take(&mut report.not_found));
            // Nothing is kept of files that stay as they are.
            let matters = !report.places.is_empty() || report.failure.is_some() || report.unclear || report.is_template;
            let matters = matters || !report.left.is_empty() || report.wrong.is_some();
            reports.extend(matters.then_some(report));
            Ok(())
        },
    );
    taken.map_err(|error| reason(&error).into_owned())?;
    // An item that exists in one file need not be created in others.
    if reports.iter().any(|report| !report.places.is_empty() && !report.is_creation) {
        reports.retain(|report| !report.is_creation);
    }
    if let Some(path) = edits.destination().filter(|_| reports.iter().any(|report| report.new.is_some())) {
        let destination = destination::added(&runner, path, &reports)?;
        // It is written first: what cannot be taken out of its place is there twice then, and not lost.
        reports.insert(0, destination);
    }
    conclude(&runner, &run, &reports, &not_found)
}

/// Returns the contents of the files of a run, as conditions and computed values see them.
fn all_files(files: &Files, run: &Run) -> Result<Value, Failure> {
    let syntax = files.language.syntax();
    // Templates have no body.
    let has_body = |origin: &&Origin| syntax.unwrap_or_else(|| origin.syntax()) != Syntax::Template;
    let origins = run.found.origins.iter().filter(has_body).cloned().collect();
    let mut read = Run::of(Found { origins, ..Found::default() }, "read");
    contents::all((&mut read, syntax, None), (&files.functions.set.functions(), &files.budget))
}

/// Tells what came out, and writes it if nothing stands in the way.
fn conclude<E: Edits>(
    runner: &Runner<'_, E>,
    run: &Run,
    reports: &[Report],
    not_found: &NotFound,
) -> Result<Status, String> {
    let (files, found) = (runner.files, &run.found);
    let color = files.color.on_stderr();
    let mut stopped = false;
    found.note_links();
    // A condition that is wrong is so for each file.
    let mut shown_wrong: Option<&Diagnostics> = None;
    for report in reports {
        if let Some(diagnostics) = &report.refused {
            let errors = count(diagnostics.errors().count(), "error");
            terminal::show(diagnostics.clone(), color);
            terminal::failure(&format!("`{}` has {errors}; `--force` changes it all the same", report.name));
            stopped = true;
        }
        if let Some(diagnostics) = &report.wrong {
            let same = shown_wrong.is_some_and(|shown| {
                shown.first().map(|one| one.place()) == diagnostics.first().map(|one| one.place())
            });
            if !same {
                terminal::show(diagnostics.clone(), color);
                shown_wrong = Some(diagnostics);
            }
            stopped = true;
        }
        if let Some(failure) = &report.failure {
            terminal::failure(failure);
            stopped = true;
        }
        if report.is_template && found.origins.len() == 1 {
            terminal::failure(&format!(
                "`{}` is a template; only files with attributes and blocks can be edited",
                report.name
            ));
            stopped = true;
        }
        if report.unclear {
            let name = &report.name;
            terminal::note(&format!("`{name}` has errors, and nothing was found in it; `hcl check` shows them"));
        }
    }
    let places: Vec<&ChangedPlace> = reports.iter().flat_map(|report| &report.places).collect();
    if places.len() > 1 && !files.all && !stopped {
        terminal::failure(&format!("the address matches {} places; `--all` changes all of them:", places.len()));
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
    let any_left = reports.iter().any(|report| !report.left.is_empty());
    if places.is_empty() && !any_left {
        if let Some(format) = runner.format {
            terminal::print(&rows::print(format, &[], &[])?)?;
        }
        if files.if_present {
            return Ok(Status::Fine);
        }
        run.note_empty();
        terminal::show(runner.edits.address().nothing_found(not_found).into(), color);
        if let Some(tip) = runner.edits.tip(not_found) {
            terminal::note(&tip);
        }
        return Ok(Status::Errors);
    }
    if let Some(note) = reports.iter().find_map(|report| report.note.as_ref()) {
        terminal::note(note);
    }
    let status = write_all(files, found, reports, |report, now| runner.again(report, now))?;
    tell_left(reports);
    Ok(if places.is_empty() && files.condition.is_some() && !files.if_present {
        status.max(Status::Errors)
    } else {
        status
    })
}

/// The most places that are listed for a reason.
const MAX_LISTED: usize = 10;

/// Lists the places that stay as they are, by the reason.
fn tell_left(reports: &[Report]) {
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

/// Writes what came out. `again` makes the edit once more if another program has changed a file meanwhile.
pub(super) fn write_all(
    files: &Files,
    found: &Found,
    reports: &[Report],
    again: impl Fn(&Report, &[u8]) -> Result<Option<Vec<u8>>, String>,
) -> Result<Status, String> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    let mut status = Status::Fine;
    let (mut changed, mut places) = (0, 0);
    let format = files.list_format()?;
    if let Some(format) = format {
        let changed = reports.iter().filter(|report| report.new.is_some()).flat_map(|report| &report.places);
        let rows = rows::print(format, &changed.map(ChangedPlace::row).collect::<Vec<_>>(), &ChangedPlace::columns())?;
        written = out.write_all(&terminal::data(rows.as_bytes()));
    }
    for report in reports {
        let Some(new) = &report.new else { continue };
        if files.dry_run && format.is_none() {
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
            let result = match report.is_destination && !path.exists() {
                true => atomic::create(path, new.as_bytes()).map_err(|error| reason(&error).to_string()),
                false => atomic::update(path, &report.old, new.as_bytes(), |now| again(report, now))
                    .map_err(|error| error.to_string()),
            };
            match result {
                Ok(()) => {
                    changed += 1;
                    places += report.places.len();
                }
                Err(error) => {
                    terminal::failure(&format!("cannot write `{}`: {error}", report.name));
                    status = Status::Failure;
                    // Items that could not be added there stay in their files.
                    if report.is_destination {
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
