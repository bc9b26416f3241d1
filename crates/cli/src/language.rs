//! The language of files: the schema that determines its files, their definitions, and the blocks in JSON.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::context::Context;
use super::error::Error;
use super::find::Search;
use super::input::Origin;
use super::schema_file;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::functions::FunctionSet;
use hcl_lr_language::definitions::Roles;
use hcl_lr_language::schema::Schema;

/// The option for the language of files.
#[derive(Clone, clap::Args)]
pub struct Choice {
    /// Read the files as this language: a name, a schema file, or none [default: by file names]
    ///
    /// `hcl schema list` lists the names. The language determines which files of a folder are read, the
    /// names that they define, the functions, and which JSON properties are blocks. With `none`,
    /// nothing is known about the files.
    #[arg(long, value_name = "NAME|FILE", alias = "like")]
    pub schema: Option<String>,

    /// The option of earlier versions.
    #[arg(long, value_name = "FILE", hide = true)]
    roles: Option<PathBuf>,
}

impl Choice {
    /// Returns true if a language is named.
    pub fn is_given(&self) -> bool {
        self.schema.is_some() || self.roles.is_some()
    }

    /// Returns the requested language. Errors of a schema file are shown.
    ///
    /// # Errors
    /// A message, if there is no such language, or the file cannot be used.
    pub fn language(&self, context: &Context, color: bool) -> Result<Option<Language>, Error> {
        if let Some(path) = &self.roles {
            let path = hcl_lr::source::visible::path(path);
            return Err(
                format!("`--roles` is no longer an option; write `{path}` as a schema, and use `--schema`").into()
            );
        }
        self.schema.as_deref().map(|name| Language::of(context, name, color)).transpose()
    }

    /// Returns the language that is named, or the one that the names of files and of the files in folders suggest.
    ///
    /// # Errors
    /// As [`Self::language`].
    pub fn language_of(&self, context: &Context, paths: &[PathBuf], color: bool) -> Result<Language, Error> {
        let suggested = || Language::suggested(context, paths).unwrap_or_else(Language::plain);
        Ok(self.language(context, color)?.unwrap_or_else(suggested))
    }
}

/// A language. Cheap to clone.
#[derive(Clone)]
pub struct Language(Arc<Inner>);

struct Inner {
    /// The name; `none` for plain HCL.
    name: String,
    /// The schema. `None` for plain HCL.
    schema: Option<Schema>,
    roles: OnceLock<Roles>,
    /// The blocks of files in JSON, by the names of the kinds of files.
    blocks: Mutex<HashMap<String, Arc<ConversionSchema>>>,
}

impl Language {
    fn new(name: &str, schema: Option<Schema>) -> Language {
        let (roles, blocks) = (OnceLock::new(), Mutex::default());
        Language(Arc::new(Inner { name: name.to_owned(), schema, roles, blocks }))
    }

    /// Returns plain HCL, without a schema: attributes can refer to each other.
    pub fn plain() -> Language {
        // Languages are compared by identity, so each is created once for the process.
        static PLAIN: OnceLock<Language> = OnceLock::new();
        PLAIN.get_or_init(|| Language::new("none", None)).clone()
    }

    /// The language with a name, or in a schema file.
    ///
    /// # Errors
    /// As [`Choice::language`].
    fn of(context: &Context, name: &str, color: bool) -> Result<Language, Error> {
        match name {
            "none" => Ok(Language::plain()),
            _ => match Schema::by_name(name) {
                Some(schema) => Ok(Language::shipped(schema)),
                None => schema_file::named(context, name, color)
                    .map(|schema| Language::new(&schema.name.clone(), Some(schema))),
            },
        }
    }

    /// Returns the language of a shipped schema.
    fn shipped(schema: &'static Schema) -> Language {
        static KNOWN: OnceLock<Mutex<HashMap<&'static str, Language>>> = OnceLock::new();
        let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(&schema.name).or_insert_with(|| Language::new(&schema.name, Some(schema.clone()))).clone()
    }

    /// Returns the shipped language for a group of files, where `is_of` accepts a schema by their names.
    fn chosen(is_of: impl Fn(&Schema) -> bool) -> Option<Language> {
        Schema::choose(is_of).map(Language::shipped)
    }

    /// Returns the language of files with definitions that the names of the files suggest, or those of files in the
    /// folders.
    pub fn suggested(context: &Context, paths: &[PathBuf]) -> Option<Language> {
        let mut names = Vec::new();
        for path in paths {
            match context.root().list(path) {
                Ok(entries) => {
                    let all = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
                    names.extend(all.filter(|name| !name.starts_with('.')));
                }
                Err(_) => names.push(path.file_name()?.to_string_lossy().into_owned()),
            }
        }
        Language::chosen(|schema| names.iter().any(|name| schema.defines_names_in(name, false)))
    }

    /// The language of a file that defines names, by its name.
    pub fn claiming(name: &str) -> Option<Language> {
        let found = Language::chosen(|schema| schema.defines_names_in(name, false));
        found.filter(|language| language.reads(name))
    }

    /// The language of a file by its name.
    pub fn of_file(origin: &Origin) -> Option<Language> {
        let path = origin.path()?.to_string_lossy().into_owned();
        let of = |path: &str| Language::chosen(|schema| schema.files_of(path).is_some());
        // A file in JSON that has the name of one in native syntax, and `.json` after it.
        of(&path).or_else(|| of(path.strip_suffix(".json")?))
    }

    /// Returns the name of the language.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the schema. `None` for plain HCL.
    pub fn schema(&self) -> Option<&Schema> {
        self.0.schema.as_ref()
    }

    /// Returns true if a file of this name belongs to the language.
    pub fn has_file(&self, name: &str) -> bool {
        self.0.schema.as_ref().is_some_and(|schema| schema.files_of(name).is_some())
    }

    /// Returns true for plain HCL.
    pub fn is_plain(&self) -> bool {
        self.0.schema.is_none()
    }

    /// Returns true if this is the language with a name, or one that extends it.
    pub fn is(&self, name: &str) -> bool {
        let schema = self.0.schema.as_ref();
        schema.is_some_and(|schema| schema.name == name || schema.extends.as_deref() == Some(name))
    }

    /// Returns the roles of definitions in the files.
    pub fn roles(&self) -> &Roles {
        let schema = self.0.schema.as_ref().filter(|schema| schema.defining_files().next().is_some());
        self.0.roles.get_or_init(|| schema.map_or_else(Roles::attributes, Schema::roles))
    }

    /// Returns the set whose functions win where several sets have one with the same name.
    pub fn functions(&self) -> Option<FunctionSet> {
        self.0.schema.as_ref()?.functions.last().copied()
    }

    /// Returns true if the program has functions that read files.
    pub fn has_file_functions(&self) -> bool {
        matches!(self.functions(), Some(FunctionSet::Terraform | FunctionSet::Packer | FunctionSet::Nomad))
    }

    /// Returns the prefix of environment variables that set inputs, if there is one.
    pub fn environment(&self) -> Option<&str> {
        self.0.schema.as_ref()?.environment.as_deref()
    }

    /// Returns true if the files of a folder see each other's definitions.
    pub fn is_together(&self) -> bool {
        let Some(schema) = &self.0.schema else { return true };
        schema.defining_files().next().is_none() || schema.defining_files().any(|files| files.together)
    }

    /// Returns true if a file with this name in a folder is read for its definitions.
    pub fn reads(&self, name: &str) -> bool {
        if name.starts_with(['.', '#']) || name.ends_with('~') {
            return false;
        }
        match &self.0.schema {
            Some(schema) if schema.defining_files().next().is_some() => schema.defines_names_in(name, true),
            Some(schema) => schema.files_of(name).is_some(),
            None => Search::default().is_hcl(Path::new(name)),
        }
    }

    /// Returns the files of a folder that are read for their definitions, in order.
    ///
    /// # Errors
    /// A message, if the folder cannot be read.
    pub fn files_in(&self, context: &Context, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        use hcl_lr::source::visible::path as shown;
        let failed = |error| Error::io(format!("cannot read `{}`", shown(folder)), error);
        let mut names = context.reach().files(folder, |name| self.reads(name)).map_err(failed)?.names;
        // OpenTofu reads `main.tofu` in place of `main.tf`.
        let all: std::collections::HashSet<String> = names.iter().cloned().collect();
        names.retain(|name| {
            let stem = name.strip_suffix(".json").unwrap_or(name).strip_suffix(".tf");
            let json = if name.ends_with(".json") { ".json" } else { "" };
            stem.is_none_or(|stem| !all.contains(&format!("{stem}.tofu{json}")))
        });
        let path = |name: String| if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) };
        Ok(names.into_iter().map(path).collect())
    }

    /// Returns the blocks of a file of the language. `has` returns true if the top level of the file has an attribute
    /// or block with a name.
    pub fn blocks(&self, origin: &Origin, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
        let path = origin.path().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match path.strip_suffix(".json") {
            Some(stem) if !self.has_file(&path) => stem,
            _ => &path,
        };
        let files = self.0.schema.as_ref().and_then(|schema| Some((schema, schema.files_for(name, has)?)));
        let Some((schema, files)) = files else { return Arc::default() };
        let mut known = self.0.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(schema.conversion_schema_of(files));
        known.entry(files.name.clone()).or_insert_with(make).clone()
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Language) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Language {}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).addr().hash(state);
    }
}
