//! Files in the JSON syntax as sources of new items, and the meaning of their strings.

use std::path::{Path, PathBuf};

use super::options::text_from;
use crate::context::Context;
use crate::error::Error;
use crate::files::has_property;
use crate::input::Origin;
use crate::language::FileLanguages;
use hcl_lr::convert::{ConversionOptions, JsonStrings, to_native};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::json::{Document, Node};

/// Returns the attributes and blocks of a file in the JSON syntax in native syntax.
///
/// # Errors
/// A message, if the file cannot be read. `Err` within: its errors.
pub(super) fn native_of(
    context: &Context,
    path: &Path,
    paths: &[PathBuf],
) -> Result<Result<String, Diagnostics>, Error> {
    let text = text_from(context, path, paths)?;
    let name = hcl_lr::source::visible::path(path);
    let (document, diagnostics) = context.parse_options().parse::<Document>((name, text)).into_parts();
    if diagnostics.has_errors() {
        return Ok(Err(diagnostics));
    }
    let schema =
        FileLanguages::by_name(context).blocks(&Origin::Path(path.to_owned()), |name| has_property(&document, name));
    let options = ConversionOptions::new().with_schema(&schema).with_strings(strings_of(document.root()));
    Ok(to_native(&document, &options).into_result().map(|converted| converted.text))
}

/// Returns how strings are read in the file of a value: they are not templates in files with values for variables.
pub fn strings_of(node: Node<'_>) -> JsonStrings {
    let name = node.source().name().to_ascii_lowercase();
    match [".tfvars.json", ".pkrvars.json"].iter().any(|ending| name.ends_with(ending)) {
        true => JsonStrings::Literal,
        false => JsonStrings::Template,
    }
}

/// Returns the elements of an array, or any other value itself.
pub(super) fn children_or_self(node: Node<'_>) -> Vec<Node<'_>> {
    node.as_array().map_or_else(|| vec![node], |array| array.elements().collect())
}
