//! Loads the schema of a name or a file.

use std::path::{Path, PathBuf};

use super::context::Context;
use super::error::Error;
use super::input::read;
use super::resolve::{Roots, Unresolved};
use super::root::identity;
use super::terminal::show;
use hcl_lr::Source;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::visible::path as shown;
use hcl_lr_language::schema::{self, LANGUAGES, Schema, SchemaLoader};

/// Returns the schema with a name, or from a file. Errors of the file are shown.
///
/// # Errors
/// A message, if it does not exist, or has errors.
pub fn named(context: &Context, name: &str, color: bool) -> Result<Schema, Error> {
    if let Some(schema) = Schema::by_name(name) {
        return Ok(schema.clone());
    }
    let path = Path::new(name);
    if !path.exists() && !name.contains(['.', '/', '\\']) {
        return Err(format!(
            "there is no language named `{name}`, and no such file; there are {}",
            LANGUAGES.join(", ")
        )
        .into());
    }
    let (schema, problems) = load(context, path)?;
    let wrong = problems.has_errors();
    show(problems, color);
    if wrong { Err(format!("the schema `{name}` has errors").into()) } else { Ok(schema) }
}

/// Reads a schema file, and the files that it imports.
///
/// # Errors
/// A message, if it cannot be read.
pub fn load(context: &Context, path: &Path) -> Result<(Schema, Diagnostics), Error> {
    let (name, bytes) = read(context, path)?;
    let source = Source::from_bytes(&name, bytes);
    let options = context.parse_options();
    Ok(Schema::parse_with(source, &options, &Files { context, folder: folder_of(path) }).into_parts())
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

/// Returns the files of a language with a name, or the first.
pub fn files<'s>(schema: &'s Schema, name: Option<&str>) -> Result<&'s schema::Files, Error> {
    let found = match name {
        None => schema.files.first(),
        Some(name) => schema.files.iter().find(|files| files.name == *name),
    };
    found.ok_or_else(|| {
        let known: Vec<&str> = schema.files.iter().map(|files| files.name.as_str()).collect();
        Error::from(match name {
            Some(name) => format!("the schema has no files named `{name}`; there are {}", known.join(", ")),
            None => "the schema has no block `files`, so it does not say what the body of a file is".to_owned(),
        })
    })
}

/// The files that a schema imports, relative to a folder.
struct Files<'a> {
    context: &'a Context,
    folder: PathBuf,
}

impl SchemaLoader for Files<'_> {
    fn load(&self, path: &str, from: &str) -> Result<Source, String> {
        let folder = Path::new(from).parent().filter(|_| from != "<stdin>").unwrap_or(&self.folder);
        self.allows(folder, Path::new(path))?;
        let (name, bytes) = read(self.context, &folder.join(path)).map_err(|error| error.to_string())?;
        Ok(Source::from_bytes(&name, bytes))
    }
}

impl Files<'_> {
    /// Checks that an import does not leave the folder of the schema, or that of `--root`.
    fn allows(&self, from: &Path, path: &Path) -> Result<(), String> {
        let schema_folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let roots = Roots::new([self.context.root().folder().unwrap_or(schema_folder)]);
        match roots.resolve(&identity(from), path) {
            Err(Unresolved::Outside) => Err(self.context.root().why_outside().unwrap_or_else(|| {
                format!("it is outside of `{}`; `--root DIR` allows another folder", shown(schema_folder))
            })),
            _ => Ok(()),
        }
    }
}
