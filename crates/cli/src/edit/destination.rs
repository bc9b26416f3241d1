//! The file that `hcl mv --into` adds to.

use std::path::Path;

use super::changes::Changes;
use super::json::{JsonEdit, strings_of};
use super::json_members::children_or_self;
use super::options::Files;
use super::repeated::repeated_by;
use super::report::{Edited, Outcome, Report};
use super::taken::Taken;
use crate::context::Context;
use crate::error::Error;
use crate::files::has_property;
use crate::input::{Origin, Syntax};
use crate::language::FileLanguages;
use hcl_lr::json::Document;
use hcl_lr::source::Source;
use hcl_lr::source::visible::path as shown;
use hcl_lr::syntax::File;
use hcl_lr_edit::{Container, EditError, Editor, InsertionPoint, JsonPosition, NewItem};

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
        Syntax::Json => added_to_json(context, files, &origin, &taken, old)?,
        _ => added_to_native(context, files, &origin, &taken, old)?,
    };
    Ok(Report { outcome, ..Report::of(&origin) })
}

/// Adds the items to a file in native syntax.
fn added_to_native(
    context: &Context,
    files: &Files,
    origin: &Origin,
    taken: &[&Taken],
    old: Vec<u8>,
) -> Result<Outcome, Error> {
    let source = Source::from_bytes(&origin.name(), old.clone());
    let (file, diagnostics) = context.parse_options().parse::<File>(source).into_parts();
    if diagnostics.has_errors() && !files.force {
        return Ok(Outcome::Refused(diagnostics));
    }
    let mut editor = Editor::new(&file).with_options(context.parse_options());
    for taken in taken {
        let source = taken.native.as_ref().map_err(|why| format!("{}: {why}", taken.place))?;
        editor.insert(InsertionPoint::End(Container::Body(file.body())), NewItem::parse(source));
    }
    settle(context, files, origin, editor.finish().map(|edited| Edited::new(old, edited.text().to_owned())))
}

/// Adds the items to a file in the JSON syntax.
fn added_to_json(
    context: &Context,
    files: &Files,
    origin: &Origin,
    taken: &[&Taken],
    old: Vec<u8>,
) -> Result<Outcome, Error> {
    // A file that does not exist yet.
    let text = if old.is_empty() { b"{\n}\n".to_vec() } else { old.clone() };
    let (document, diagnostics) =
        context.parse_options().parse::<Document>(Source::from_bytes(&origin.name(), text)).into_parts();
    if diagnostics.has_errors() && !files.force {
        return Ok(Outcome::Refused(diagnostics));
    }
    let has = |name: &str| has_property(&document, name) || taken.iter().any(|taken| taken.is_named(name));
    let schema = FileLanguages::by_name(context).blocks(origin, has);
    let mut edit = JsonEdit::new(&document, &schema, &[], Changes::new(false));
    let body = children_or_self(document.root()).into_iter().next_back().unwrap_or(document.root());
    let strings = strings_of(document.root());
    for taken in taken {
        let members = match &taken.json {
            Some((member, same)) if *same == strings => vec![member.clone()],
            _ => {
                let members = taken.native.clone().map_err(Error::from).and_then(|source| edit.members(&[], &source));
                members.map_err(|why| format!("{}: {why}", taken.place))?
            }
        };
        for member in members {
            edit.add(body, JsonPosition::End, &member)?;
        }
    }
    edit.add_blocks()?;
    let note = edit.note();
    settle(context, files, origin, edit.editor.finish().map(|new| Edited { note, ..Edited::new(old, new) }))
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
