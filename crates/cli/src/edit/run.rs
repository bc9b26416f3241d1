//! Runs an editing command on many files: finds places, makes the edits, reports the results, and writes them.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use super::changes::{ChangedPlace, Changes};
use super::destination;
use super::edits::{Edit, Edits};
use super::json::strings_of;
use super::options::Files;
use super::repeated::repeated_by;
use super::report::{Edited, Outcome, Report, left_out, tell_left, write_all};
use super::targets::{Refusal, place};
use crate::contents::{self, FILES, Failure};
use crate::context::Context;
use crate::error::Error;
use crate::files::has_property;
use crate::find::Found;
use crate::input::{Origin, Syntax};
use crate::language::FileLanguages;
use crate::resolved::{self, Resolved, Values};
use crate::root::identity;
use crate::rows::{self, Format};
use crate::run::Run;
use crate::status::Status;
use crate::terminal::{self, count};
use hcl_lr::ParseOptions;
use hcl_lr::convert::JsonStrings;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::model::Value;
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use hcl_lr_edit::address::{JsonTemplates, NotFound};
use hcl_lr_edit::query::{Query, QueryMatch, QueryResult, Subject};
use hcl_lr_edit::{EditError, Editor};
use hcl_lr_project::Languages;

struct Runner<'a, E> {
    context: &'a Context,
    /// The values of references, if they are requested.
    values: Option<Values<'a>>,
    languages: FileLanguages,
    files: &'a Files,
    edits: &'a E,
    options: ParseOptions,
    query: Query,
    /// The file that is added to, without links.
    destination: Option<PathBuf>,
    /// The format of the list of changed places, if requested.
    format: Option<Format>,
}

impl<E: Edits> Runner<'_, E> {
    fn report(&self, origin: &Origin) -> Result<Report, Error> {
        match self.files.syntax(origin) {
            Syntax::Template => Ok(Report { outcome: Outcome::Template, ..Report::of(origin) }),
            _ => self.edited(origin, origin.bytes(self.context)?),
        }
    }

    /// Edits a text.
    fn edited(&self, origin: &Origin, old: Vec<u8>) -> Result<Report, Error> {
        let source = Source::from_bytes(&origin.name(), old.clone());
        if self.files.syntax(origin) == Syntax::Json {
            let (document, diagnostics) = self.options.parse::<Document>(source).into_parts();
            let schema = self.languages.blocks(origin, |name| has_property(&document, name));
            let templates = JsonTemplates::of(&document);
            let strings = strings_of(document.root());
            let templates = (strings == JsonStrings::Template).then_some(&templates);
            return self.edited_file(origin, (Subject::Json(&document, &schema, templates), strings), diagnostics, old);
        }
        let (file, diagnostics) = self.options.parse::<File>(source).into_parts();
        self.edited_file(origin, (Subject::Native(&file), JsonStrings::default()), diagnostics, old)
    }

    /// Edits a file of either syntax.
    fn edited_file(
        &self,
        origin: &Origin,
        (subject, strings): (Subject<'_>, JsonStrings),
        diagnostics: Diagnostics,
        old: Vec<u8>,
    ) -> Result<Report, Error> {
        let mut report = Report::of(origin);
        let values = self.values.as_ref().and_then(|values| values.of(origin, subject));
        let answer = resolved::run(&self.query, subject, values.as_ref());
        let Some(found) = self.found(origin, (subject, answer), diagnostics, &mut report) else {
            return Ok(report);
        };
        let editor = Editor::from(subject).with_options(self.options).with_strings(strings);
        let changes = Changes::new(self.format.is_some());
        let languages = &self.languages;
        let mut edit = Edit { origin, languages, subject, found: &found, editor, taken: Vec::new(), changes };
        let result = self.edits.edit(&mut edit);
        let Edit { editor, taken, changes, .. } = edit;
        let edited = Edited { taken, ..Edited::new(old, String::new()) };
        changes.add_to(&mut report.places);
        report.outcome = self.concluded(result, editor, (origin, &found), edited, &report.places)?;
        Ok(report)
    }

    /// Returns the matches to edit in a file. `None` if there are none, or after adding an obstacle to the report.
    fn found<'t>(
        &self,
        origin: &Origin,
        (subject, answer): (Subject<'t>, QueryResult<'t>),
        diagnostics: Diagnostics,
        report: &mut Report,
    ) -> Option<Vec<QueryMatch<'t>>> {
        if answer.failed() > 0 || !answer.is_complete() {
            report.outcome = Outcome::Wrong(answer.diagnostics().clone());
            return None;
        }
        let mut leave = |place: String, why: &str| report.left.entry(why.to_owned()).or_default().push(place);
        for rejected in answer.rejected() {
            leave(place(rejected.target()), "the condition does not hold");
        }
        for undecided in answer.open() {
            leave(place(undecided.target()), "the condition depends on values that are not constant");
        }
        if self.files.all {
            for miss in answer.misses() {
                if let Some(why) = self.edits.passes_by(miss) {
                    leave(place(miss.target()), &why);
                }
            }
        }
        let mut found: Vec<QueryMatch<'t>> = Vec::new();
        for item in answer.matches() {
            match self.edits.leaves(item) {
                Some(why) => leave(place(item.target()), &why),
                None => found.push(item.clone()),
            }
        }
        if self.destination.is_some() && origin.path().map(identity) == self.destination {
            for item in found.drain(..) {
                leave(place(item.target()), "it is in the destination already");
            }
        }
        if found.is_empty() {
            if diagnostics.has_errors() {
                report.outcome = Outcome::Unclear;
            }
            if report.left.is_empty() {
                report.not_found.add(self.edits.address(), &subject.trace(self.edits.address()));
            }
            return None;
        }
        report.is_creation =
            found.iter().all(|item| !item.missing().is_empty() && item.target().address().steps().is_empty());
        report.places = found.iter().map(ChangedPlace::of).collect();
        if diagnostics.has_errors() && !self.files.force {
            report.outcome = Outcome::Refused(diagnostics);
            return None;
        }
        // An edit of several places must be requested explicitly.
        if found.len() > 1 && !self.files.all {
            return None;
        }
        Some(found)
    }

    /// Completes the edit of a file, if possible.
    fn concluded(
        &self,
        result: Result<(), Refusal>,
        editor: Editor<'_>,
        (origin, found): (&Origin, &[QueryMatch<'_>]),
        edited: Edited,
        places: &[ChangedPlace],
    ) -> Result<Outcome, Error> {
        match result {
            Ok(()) => {}
            Err(Refusal::Error(error)) => return Err(error),
            Err(Refusal::Diagnostic(diagnostic)) => return Ok(Outcome::Wrong((*diagnostic).into())),
        }
        match editor.finish() {
            Ok(new) => {
                let note = self.edits.note(found).or_else(|| left_out(origin, &new));
                let edited = Edited { new: new.text().to_owned(), note, ..edited };
                let repeated = if self.edits.names_blocks() {
                    repeated_by(self.context, self.files, origin, &edited)
                } else {
                    None
                };
                Ok(repeated.map_or_else(|| Outcome::Edited(edited), Outcome::Wrong))
            }
            Err(EditError::NameTaken(diagnostic)) => Ok(Outcome::Wrong((*diagnostic).into())),
            Err(error) => match places {
                [place] => Err(format!("{place}: {error}").into()),
                _ => {
                    let name = found.first().map(|first| first.place().source().name().to_owned());
                    Err(format!("{}: {error}", name.unwrap_or_default()).into())
                }
            },
        }
    }

    /// Repeats the edit in a file that another program has changed.
    fn again(&self, report: &Report, now: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let changed = || Error::from("another program has changed it meanwhile; run this again");
        let before = report.edited().filter(|edited| !edited.is_destination).ok_or_else(changed)?;
        let origin = report.path.clone().map_or(Origin::Stdin, Origin::Path);
        let after = catch_unwind(AssertUnwindSafe(|| self.edited(&origin, now.to_vec())));
        let after = after.unwrap_or_else(|_| Err(terminal::internal_error("the edit failed").into()))?;
        let texts = |edited: &Edited| edited.taken.iter().map(|taken| taken.item.clone()).collect::<Vec<_>>();
        match after.outcome {
            // The items that would be removed now differ from those added to the other file.
            Outcome::Edited(edited) if texts(&edited) != texts(before) => Err(changed()),
            Outcome::Edited(edited) => Ok(Some(edited.new.into_bytes())),
            Outcome::Refused(_) => Err("it has errors now".into()),
            Outcome::Wrong(_) => Err("the edit is not possible there now".into()),
            _ if after.places.is_empty() => Err("nothing found at this address now".into()),
            _ => Err(format!("the address matches {} places now", after.places.len()).into()),
        }
    }
}

/// Runs a command on paths.
///
/// # Errors
/// A message, if it cannot start.
pub(super) fn run<E: Edits>(context: &Context, files: &Files, paths: &[PathBuf], edits: &E) -> Result<Status, Error> {
    let format = files.list_format()?;
    let mut run = Run::new(context, (paths, &FileLanguages::by_name(context)), &files.folders, "looked at")?;
    // A file and a link to it are one file.
    let mut known = HashSet::new();
    run.retain(|origin| origin.path().is_none_or(|path| known.insert(identity(path))));
    files.resolve.check(Some(&files.variables))?;
    let rules = || Ok(Languages::default());
    let (syntax, color) = (files.language.syntax(), files.color.on_stderr());
    let resolved = files.resolve.projects(context, (rules, syntax), &run.found.origins, &files.variables, color)?;
    let values = resolved.as_ref().map(Resolved::values);
    let mut query = Query::new((**edits.address()).clone()).keeping_rest();
    query = query.with_functions(files.variables.functions().functions()).with_limits(files.variables.limits());
    if let Some(condition) = &files.condition {
        query = query.with_condition(condition.clone());
    }
    if contents::are_wanted(files.condition.iter().chain(edits.expression())) {
        match all_files(context, files, &run, values.as_ref()) {
            Ok(all) => query = query.with_variable(FILES, all),
            Err(Failure::Error(error)) => return Err(error),
            Err(Failure::Limit(diagnostics)) => {
                terminal::show(diagnostics, files.color.on_stderr());
                return Ok(Status::Failure);
            }
        }
    }
    let destination = edits.destination().map(identity);
    let runner = Runner {
        context,
        values,
        languages: FileLanguages::by_name(context),
        files,
        edits,
        options: context.parse_options(),
        query: edits.query(query),
        destination,
        format,
    };
    let mut reports: Vec<Report> = Vec::new();
    let mut not_found = NotFound::default();
    let taken = run.each(
        "change",
        |origin| runner.report(origin),
        |report, _| {
            let mut report =
                report.unwrap_or_else(|error| Report { outcome: Outcome::Failed(error), ..Report::default() });
            not_found.merge(std::mem::take(&mut report.not_found));
            // Unchanged files are dropped.
            let is_unchanged = matches!(report.outcome, Outcome::Unchanged);
            let matters = !is_unchanged || !report.places.is_empty() || !report.left.is_empty();
            reports.extend(matters.then_some(report));
            Ok(())
        },
    );
    taken?;
    if let Some(resolved) = &resolved {
        resolved.check_limits(color)?;
    }
    // An item that exists in one file need not be created in others.
    if reports.iter().any(|report| !report.places.is_empty() && !report.is_creation) {
        reports.retain(|report| !report.is_creation);
    }
    if let Some(path) = edits.destination().filter(|_| reports.iter().any(|report| report.edited().is_some())) {
        let destination = destination::added(context, files, path, &reports)?;
        // The destination is written first: if the items cannot be removed from their files, they exist twice and are
        // not lost.
        reports.insert(0, destination);
    }
    conclude(&runner, &run, &reports, &not_found)
}

/// Returns the contents of the files of a run, for conditions and computed values.
fn all_files(context: &Context, files: &Files, run: &Run, values: Option<&Values<'_>>) -> Result<Value, Failure> {
    let syntax = files.language.syntax();
    // Templates have no body.
    let has_body = |origin: &&Origin| syntax.unwrap_or_else(|| origin.syntax()) != Syntax::Template;
    let origins = run.found.origins.iter().filter(has_body).cloned().collect();
    let mut read = Run::of(context, Found { origins, ..Found::default() }, "read");
    contents::all(
        context,
        (&mut read, syntax, &FileLanguages::by_name(context)),
        (&files.variables.functions().functions(), files.variables.budget()),
        values,
    )
}

/// Reports the results, and writes them if there are no errors.
fn conclude<E: Edits>(
    runner: &Runner<'_, E>,
    run: &Run,
    reports: &[Report],
    not_found: &NotFound,
) -> Result<Status, Error> {
    let (files, found) = (runner.files, &run.found);
    let color = files.color.on_stderr();
    let mut stopped = false;
    found.note_links(runner.context);
    // A condition that is wrong is so for each file.
    let mut shown_wrong: Option<&Diagnostics> = None;
    for report in reports {
        let name = &report.name;
        match &report.outcome {
            Outcome::Refused(diagnostics) => {
                let errors = count(diagnostics.errors().count(), "error");
                terminal::show(diagnostics.clone(), color);
                terminal::failure(format!("`{name}` has {errors}; `--force` changes it all the same"));
                stopped = true;
            }
            Outcome::Wrong(diagnostics) => {
                let place = |diagnostics: &Diagnostics| diagnostics.first().map(|first| first.place().clone());
                if shown_wrong.is_none_or(|shown| place(shown) != place(diagnostics)) {
                    terminal::show(diagnostics.clone(), color);
                    shown_wrong = Some(diagnostics);
                }
                stopped = true;
            }
            Outcome::Failed(error) => {
                terminal::report(error);
                stopped = true;
            }
            Outcome::Template if found.origins.len() == 1 => {
                terminal::failure(format!(
                    "`{name}` is a template; only files with attributes and blocks can be edited"
                ));
                stopped = true;
            }
            Outcome::Unclear => {
                terminal::note(&format!("`{name}` has errors, and nothing was found in it; `hcl check` shows them"));
            }
            Outcome::Template | Outcome::Unchanged | Outcome::Edited(_) => {}
        }
    }
    let places: Vec<&ChangedPlace> = reports.iter().flat_map(|report| &report.places).collect();
    if places.len() > 1 && !files.all && !stopped {
        terminal::failure(format!("the address matches {} places; `--all` changes all of them:", places.len()));
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
    if let Some(note) = reports.iter().find_map(|report| report.edited()?.note.as_ref()) {
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
