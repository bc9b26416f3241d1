//! Loads the schema of a name or a file.

use std::path::{Path, PathBuf};

use super::Files;
use crate::input::{parse_options, read};
use crate::terminal::show;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr_language::schema::{LANGUAGES, Schema};

/// Returns the schema of a name, or of a file. Errors of the file are shown.
///
/// # Errors
/// A message, if there is none, or it has errors.
pub fn named(name: &str, color: bool) -> Result<Schema, String> {
    if let Some(schema) = Schema::by_name(name) {
        return Ok(schema.clone());
    }
    let path = Path::new(name);
    if !path.exists() && !name.contains(['.', '/', '\\']) {
        return Err(format!(
            "there is no language named `{name}`, and no such file; there are {}",
            LANGUAGES.join(", ")
        ));
    }
    let (schema, problems) = load(path)?;
    let wrong = problems.has_errors();
    show(problems, color);
    if wrong { Err(format!("the schema `{name}` has errors")) } else { Ok(schema) }
}

/// Reads a schema file, and the files that it imports.
///
/// # Errors
/// A message, if it cannot be read.
pub fn load(path: &Path) -> Result<(Schema, Diagnostics), String> {
    let (name, bytes) = read(path)?;
    let source = hcl_lr::Source::from_bytes(&name, bytes);
    let options = parse_options();
    Ok(Schema::parse_with(source, &options, &Files { folder: folder_of(path) }).into_parts())
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}
