//! The file that `hcl mv --into` adds to.

use std::path::Path;

use super::json::strings_of;
use super::options::Files;
use super::repeated::repeated_by;
use super::report::{Edited, Outcome, Report, left_out};
use super::taken::Taken;
use crate::context::Context;
use crate::error::Error;
use crate::files::has_property;
use crate::input::{Origin, Syntax};
use crate::language::FileLanguages;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown;
use hcl_lr::syntax::File;
use hcl_lr_edit::{Container, EditError, Editor, InsertionPoint};

/// Adds the items taken from the files to another file, which may not exist yet.
///
/// # Errors
/// A message, if that is impossible.
pub(super) fn added(context: &Context, files: &Files, path: &Path, reports: &[Report]) -> Result<Report, Error> {
    let name = shown(path);
    let origin = Origin::Path(path.to_owned());
    if origin.syntax() == Syntax::Template {
        return Err(format!("`{name}` is a template; only files with attributes and blocks can be added to").into());
    }
    let old = match path.exists() {
        true => origin.bytes(context)?,
        false => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            context.root().allowed(folder).map_err(|error| Error::io(format!("cannot write `{name}`"), error))?;
            Vec::new()
        }
    };
    let taken: Vec<&Taken> = reports.iter().filter_map(Report::edited).flat_map(|edited| &edited.taken).collect();
    let outcome = match origin.syntax() {
        Syntax::Json => {
            // A file that does not exist yet.
            let text = if old.is_empty() { b"{\n}\n".to_vec() } else { old.clone() };
            let source = Source::from_bytes(&origin.name(), text);
            let (document, diagnostics) = context.parse_options().parse::<Document>(source).into_parts();
            let has = |name: &str| has_property(&document, name) || taken.iter().any(|taken| taken.is_named(name));
            let schema = FileLanguages::by_name(context).blocks(&origin, has);
            let editor = Editor::of_json(&document).with_schema(&schema).with_strings(strings_of(document.root()));
            let end = InsertionPoint::End(Container::JsonBody(document.root()));
            added_to(context, files, &origin, (editor, diagnostics), (end, &taken), old)?
        }
        _ => {
            let source = Source::from_bytes(&origin.name(), old.clone());
            let (file, diagnostics) = context.parse_options().parse::<File>(source).into_parts();
            let end = InsertionPoint::end_of(file.body());
            added_to(context, files, &origin, (Editor::new(&file), diagnostics), (end, &taken), old)?
        }
    };
    Ok(Report { outcome, ..Report::of(&origin) })
}

/// Adds the items at a position of a file.
fn added_to<'f>(
    context: &Context,
    files: &Files,
    origin: &Origin,
    (editor, diagnostics): (Editor<'f>, Diagnostics),
    (end, taken): (InsertionPoint<'f>, &[&Taken]),
    old: Vec<u8>,
) -> Result<Outcome, Error> {
    if diagnostics.has_errors() && !files.force {
        return Ok(Outcome::Refused(diagnostics));
    }
    let mut editor = editor.with_options(context.parse_options());
    for taken in taken {
        editor.insert(end, taken.item.clone());
        if let Some(problem) = editor.problem() {
            return Err(format!("{}: {problem}", taken.place).into());
        }
    }
    let edited = editor.finish().map(|edited| {
        let note = left_out(origin, &edited);
        Edited { note, ..Edited::new(old, edited.text().to_owned()) }
    });
    settle(context, files, origin, edited)
}

/// Returns the outcome of an edit, unless it repeats items that the language of the file does not let repeat.
fn settle(
    context: &Context,
    files: &Files,
    origin: &Origin,
    edited: Result<Edited, EditError>,
) -> Result<Outcome, Error> {
    match edited {
        Ok(edited) => Ok(match repeated_by(context, files, origin, &edited) {
            Some(repeated) => Outcome::Wrong(repeated),
            None => Outcome::Edited(Edited { is_destination: true, ..edited }),
        }),
        Err(EditError::NameTaken(diagnostic)) => Ok(Outcome::Wrong((*diagnostic).into())),
        Err(error) => Err(format!("{}: {error}", origin.name()).into()),
    }
}
