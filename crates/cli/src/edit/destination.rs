//! The file that `hcl mv --into` adds to.

use std::path::Path;

use super::changes::Changes;
use super::json::{JsonEdit, strings_of};
use super::json_members::children_or_self;
use super::run::Runner;
use super::taken::Taken;
use super::{Edits, Report};
use crate::files::{blocks_of, has_property};
use crate::input::{Origin, Syntax};
use crate::root;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::source::visible::{path as shown, reason};
use hcl_lr::syntax::File;
use hcl_lr_edit::{Container, EditError, Editor, InsertionPoint, JsonPosition, NewItem};

/// Adds what was taken out of the files to another file, which may not exist yet.
///
/// # Errors
/// A message, if that cannot be.
pub(super) fn added<E: Edits>(runner: &Runner<'_, E>, path: &Path, reports: &[Report]) -> Result<Report, String> {
    let name = shown(path);
    let origin = Origin::Path(path.to_owned());
    if origin.syntax() == Syntax::Template {
        return Err(format!("`{name}` is a template; only files with attributes and blocks can be added to"));
    }
    let old = match path.exists() {
        true => origin.bytes()?,
        false => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            root::allowed(folder).map_err(|error| format!("cannot write `{name}`: {}", reason(&error)))?;
            Vec::new()
        }
    };
    let taken: Vec<&Taken> = reports.iter().flat_map(|report| &report.taken).collect();
    let mut report = Report { name, path: Some(path.to_owned()), old, is_destination: true, ..Report::default() };
    if origin.syntax() == Syntax::Json {
        return added_to_json(runner, &origin, &taken, report);
    }
    let source = Source::from_bytes(&report.name, report.old.clone());
    let (file, diagnostics) = runner.options.parse::<File>(source).into_parts();
    if diagnostics.has_errors() && !runner.files.force {
        report.refused = Some(diagnostics);
        return Ok(report);
    }
    let mut editor = Editor::new(&file).with_options(runner.options);
    for taken in taken {
        let source = taken.native.as_ref().map_err(|why| format!("{}: {why}", taken.place))?;
        editor.insert(InsertionPoint::End(Container::Body(file.body())), NewItem::parse(source));
    }
    match editor.finish() {
        Ok(edited) => settle(runner, &origin, &mut report, edited.text().to_owned()),
        Err(EditError::NameTaken(diagnostic)) => report.wrong = Some(Diagnostics::from_iter([*diagnostic])),
        Err(error) => return Err(format!("{}: {error}", report.name)),
    }
    Ok(report)
}

/// The same for a file in the JSON syntax.
fn added_to_json<E: Edits>(
    runner: &Runner<'_, E>,
    origin: &Origin,
    taken: &[&Taken],
    mut report: Report,
) -> Result<Report, String> {
    // A file that does not exist yet.
    let text = if report.old.is_empty() { b"{\n}\n".to_vec() } else { report.old.clone() };
    let (document, diagnostics) = runner.options.parse::<Document>(Source::from_bytes(&report.name, text)).into_parts();
    if diagnostics.has_errors() && !runner.files.force {
        report.refused = Some(diagnostics);
        return Ok(report);
    }
    let has = |name: &str| has_property(&document, name) || taken.iter().any(|taken| taken.is_named(name));
    let schema = blocks_of(None, origin, has);
    let mut edit = JsonEdit::new(&document, &schema, &[], Changes::new(false));
    let body = children_or_self(document.root()).into_iter().next_back().unwrap_or(document.root());
    let strings = strings_of(document.root());
    for taken in taken {
        let members = match &taken.json {
            Some((member, same)) if *same == strings => vec![member.clone()],
            _ => {
                let members = taken.native.clone().and_then(|source| edit.members(&[], &source));
                members.map_err(|why| format!("{}: {why}", taken.place))?
            }
        };
        for member in members {
            edit.add(body, JsonPosition::End, &member)?;
        }
    }
    edit.add_blocks()?;
    report.note = edit.note();
    match edit.editor.finish() {
        Ok(new) => settle(runner, origin, &mut report, new),
        Err(EditError::NameTaken(diagnostic)) => report.wrong = Some(Diagnostics::from_iter([*diagnostic])),
        Err(error) => return Err(format!("{}: {error}", report.name)),
    }
    Ok(report)
}

/// Notes the new text of the file, unless its language does not let something in it repeat.
fn settle<E: Edits>(runner: &Runner<'_, E>, origin: &Origin, report: &mut Report, new: String) {
    match runner.repeated(origin, &report.old, &new) {
        Some(repeated) => report.wrong = Some(repeated),
        None => report.new = Some(new),
    }
}
