//! Schemas of providers for checks, and facts about providers and versions from the files of a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::context::Context;
use super::error::Error;
use super::input::read;
use super::terminal::show;
use hcl_lr::{ConfigFile, Source};
use hcl_lr_language::schema::{Facts, ProviderSchemas, Schema};

/// Reads files with schemas of providers. Errors in the files are shown. Returns `None` if there are no files.
///
/// # Errors
/// A message, if a file cannot be used.
pub fn load(context: &Context, paths: &[PathBuf], color: bool) -> Result<Option<Arc<ProviderSchemas>>, Error> {
    let mut all: Option<ProviderSchemas> = None;
    for path in paths {
        let (name, bytes) = read(context, path)?;
        let source = Source::from_bytes(&name, bytes);
        let (schemas, problems) = context.parse_options().parse::<ProviderSchemas>(source).into_parts();
        let wrong = problems.has_errors();
        show(problems, color);
        if wrong {
            return Err(format!("the provider schemas in `{name}` have errors").into());
        }
        all = Some(match all {
            Some(all) => all.with(schemas),
            None => schemas,
        });
    }
    Ok(all.map(Arc::new))
}

/// The facts that the files of folders state, each folder read once.
#[derive(Default)]
pub struct FolderFacts {
    known: Mutex<HashMap<(PathBuf, String), Arc<Facts>>>,
}

impl FolderFacts {
    /// Returns the facts for a file at a path. `None` if it has no program.
    pub fn of(&self, context: &Context, schema: &Schema, path: &Path) -> Option<Arc<Facts>> {
        let name = path.file_name()?.to_str()?;
        let files = schema.files_of(name).filter(|files| files.together)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let key = (folder.to_owned(), schema.name.clone());
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Some(Arc::clone(known));
        }
        let facts = Arc::new(in_folder(context, schema, folder, &files.name));
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&facts));
        Some(facts)
    }
}

/// Reads the facts from the files of a folder. Unreadable files are ignored here and reported elsewhere.
fn in_folder(context: &Context, schema: &Schema, folder: &Path, purpose: &str) -> Facts {
    let is_of = |name: &str| schema.files_of(name).is_some_and(|files| files.name == purpose);
    let names = context.reach().files(folder, is_of).unwrap_or_default().names;
    let mut files: Vec<ConfigFile> = Vec::new();
    for name in names {
        let Ok((name, bytes)) = read(context, &folder.join(name)) else { continue };
        if Facts::can_be_in(schema, &bytes) {
            files.push(context.parse_options().parse::<ConfigFile>(Source::from_bytes(&name, bytes)).into_value());
        }
    }
    Facts::of_all(schema, &files)
}
