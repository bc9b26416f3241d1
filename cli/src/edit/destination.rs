//! The file that `hcl mv --into` adds to.

use std::collections::HashMap;
use std::path::Path;

use super::Edits;
use super::Report;
use super::run::Runner;
use crate::input::{Origin, Syntax};
use crate::root;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::edit::{Container, EditError, Editor, InsertionPoint, Item, NewItem};
use hcl_lr::source::visible::{path as shown, reason};
use hcl_lr::source::{Place, Source};
use hcl_lr::syntax::File;
use hcl_lr::syntax::ast::BlockNode;

/// The type and the labels of a block.
type Header = (String, Vec<String>);

/// An item that is taken out of a file, to be added to another one.
pub(super) struct Taken {
    pub text: String,
    /// The type and labels, if it is a block.
    header: Option<Header>,
    place: Place,
}

impl Taken {
    /// Returns an item with its source.
    pub fn new(item: Item<'_>, place: Place, text: String) -> Taken {
        let header = match item {
            Item::Block(block) => Some(header(block)),
            _ => None,
        };
        Taken { text, header, place }
    }
}

fn header(block: BlockNode<'_>) -> Header {
    (block.block_type().to_owned(), block.labels().map(|label| label.text().into_owned()).collect())
}

/// Adds what was taken out of the files to another file, which may not exist yet.
///
/// # Errors
/// A message, if that cannot be.
pub(super) fn added<E: Edits>(runner: &Runner<'_, E>, path: &Path, reports: &[Report]) -> Result<Report, String> {
    let name = shown(path);
    let origin = Origin::Path(path.to_owned());
    if origin.syntax() != Syntax::Config {
        return Err(format!("`{name}` is JSON or a template; only files in native syntax can be added to"));
    }
    let old = match path.exists() {
        true => origin.bytes()?,
        false => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            root::allowed(folder).map_err(|error| format!("cannot write `{name}`: {}", reason(&error)))?;
            Vec::new()
        }
    };
    let (file, diagnostics) = runner.options.parse::<File>(Source::from_bytes(&name, old.clone())).into_parts();
    let mut report = Report { name, path: Some(path.to_owned()), old, is_destination: true, ..Report::default() };
    if diagnostics.has_errors() && !runner.files.force {
        report.refused = Some(diagnostics);
        return Ok(report);
    }
    let taken: Vec<&Taken> = reports.iter().flat_map(|report| &report.taken).collect();
    if let Some(repeated) = repeated(&file, &taken).filter(|_| !runner.files.force) {
        report.wrong = Some(Diagnostics::from_iter([repeated]));
        return Ok(report);
    }
    let mut editor = Editor::new(&file).with_options(runner.options);
    for taken in taken {
        editor.insert(InsertionPoint::End(Container::Body(file.body())), NewItem::parse(&taken.text));
    }
    match editor.finish() {
        Ok(edited) => report.new = Some(edited.text().to_owned()),
        Err(EditError::NameTaken(diagnostic)) => report.wrong = Some(Diagnostics::from_iter([*diagnostic])),
        Err(error) => return Err(format!("{}: {error}", report.name)),
    }
    Ok(report)
}

/// Returns the error that a file would have two blocks of one type with the same labels. Blocks without labels may be
/// repeated.
fn repeated(file: &File, taken: &[&Taken]) -> Option<Diagnostic> {
    let place = |block: BlockNode<'_>| Place::new(file.source(), block.header_span());
    let mut known: HashMap<Header, Place> = file.body().blocks().map(|block| (header(block), place(block))).collect();
    taken.iter().find_map(|taken| {
        let header = taken.header.clone().filter(|(_, labels)| !labels.is_empty())?;
        let described: String = header.1.iter().map(|label| format!(" \"{label}\"")).collect();
        let block = format!("`{}{described}`", header.0);
        let other = known.insert(header, taken.place.clone())?;
        let error = Diagnostic::error(Code::DuplicateBlock, &other, format!("there is already a block {block}"));
        let error = error.with_summary("the name is taken").with_label(&taken.place, "this would be a second one");
        Some(error.with_help("rename or remove one of the two first, or use `--force`"))
    })
}
