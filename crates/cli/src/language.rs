//! The language of files: the option for it, and the rules.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::context::Context;
use super::disk::{Disk, project_path};
use super::error::Error;
use super::input::Origin;
use super::schema_file;
use hcl_lr::ParseOptions;
use hcl_lr::convert::ConversionSchema;
use hcl_lr::functions::FunctionSet;
use hcl_lr_language::schema::{LANGUAGES, Schema, is_hcl_file};
use hcl_lr_project::paths::{file_in, split};
use hcl_lr_project::{Chosen, Files, Known, Language, Languages, Reading, Sources};

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
    /// The choice of a language by its name or schema file.
    pub fn of_schema(schema: &str) -> Choice {
        Choice { schema: Some(schema.to_owned()), roles: None }
    }

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
        self.schema.as_deref().map(|name| language_of(context, name, color)).transpose()
    }

    /// Returns the rules for the languages of files: the requested one for all of them, or those of each file.
    ///
    /// # Errors
    /// As [`Self::language`].
    pub fn languages(&self, context: &Context, color: bool) -> Result<Languages, Error> {
        let languages = Languages::default();
        Ok(match self.language(context, color)? {
            Some(language) => languages.only(language),
            None => languages,
        })
    }
}

/// Returns the language with a name, or in a schema file.
///
/// # Errors
/// As [`Choice::language`].
fn language_of(context: &Context, name: &str, color: bool) -> Result<Language, Error> {
    match name {
        "none" => Ok(Language::plain()),
        _ => match Schema::by_name(name) {
            Some(_) => Ok(Language::named(name).unwrap_or_else(Language::plain)),
            None => schema_file::named(context, name, color).map(|schema| Language::of_schema(&schema)),
        },
    }
}

/// The files of the disk, and the rules for their languages.
pub struct FileLanguages {
    pub disk: Disk,
    rules: Languages,
    known: Known,
    /// The languages whose files are evaluated, with those that they come from.
    for_values: Option<Mutex<Vec<(Language, Language)>>>,
}

impl FileLanguages {
    /// Prepares the languages of files that are parsed with options.
    pub fn new(context: &Context, options: &ParseOptions, rules: Languages) -> FileLanguages {
        FileLanguages { disk: Disk::new(context, *options), rules, known: Known::default(), for_values: None }
    }

    /// Takes the languages for evaluating their files.
    pub fn for_values(self) -> FileLanguages {
        FileLanguages { for_values: Some(Mutex::default()), ..self }
    }

    /// Prepares the languages of files by their names and contents.
    pub fn by_name(context: &Context) -> FileLanguages {
        FileLanguages::new(context, &context.parse_options(), Languages::default())
    }

    /// Returns the requested language of all files.
    pub fn explicit(&self) -> Option<&Language> {
        self.rules.explicit()
    }

    /// Returns the language of a file.
    pub fn of(&self, origin: &Origin) -> Chosen {
        let path = self.disk.name(origin);
        self.choose(&self.disk, &path)
    }

    /// Returns the language of a file at a path, with its contents from elsewhere.
    pub fn choose(&self, files: &dyn Files, path: &str) -> Chosen {
        let chosen = self.rules.choose(&Reading { files, known: &self.known }, path, None);
        match &self.for_values {
            Some(known) => Chosen { language: for_values(known, chosen.language), ..chosen },
            None => chosen,
        }
    }

    /// Passes files with their languages to a function: those of the disk, or others above them.
    pub fn with_sources<R>(&self, files: &dyn Files, ask: impl FnOnce(&Sources<'_>) -> R) -> R {
        let language = |path: &str| self.choose(files, path);
        ask(&Sources { files, language: &language })
    }

    /// Returns the language of the files in a folder: the first one in the order of the shipped languages that has
    /// files which define names, else the first of a schema that the folder or a file names, else plain HCL.
    pub fn of_folder(&self, folder: &str) -> Language {
        if self.rules.explicit().is_some() {
            return self.choose(&self.disk, &file_in(folder, "x.hcl")).language;
        }
        let mut found: Option<(usize, Language)> = None;
        for name in self.disk.names(folder) {
            if name.starts_with(['.', '#']) || !is_hcl_file(&name) && !self.has_schema(folder) {
                continue;
            }
            let language = self.choose(&self.disk, &file_in(folder, &name)).language;
            if language.is_plain() || language.roles().companions_of(&name).is_some() {
                continue;
            }
            let has_names = language.schema().is_some_and(|schema| schema.defining_files().next().is_some());
            let is_own = language.schema_path().is_some();
            if !has_names && !is_own {
                continue;
            }
            let rank = LANGUAGES.iter().position(|name| *name == language.name()).unwrap_or_default();
            if found.as_ref().is_none_or(|(known, _)| rank < *known) {
                found = Some((rank, language));
            }
        }
        found.map_or_else(Language::plain, |(_, language)| language)
    }

    /// Returns true if a file `.hcl-schema` says what the files of a folder are, which may have any name then.
    fn has_schema(&self, folder: &str) -> bool {
        !self.choose(&self.disk, &file_in(folder, "x.hcl")).language.is_plain()
    }

    /// Returns true if the requested language can have a file of this name, or the one that the folder of the file has.
    pub fn can_have(&self, path: &Path) -> bool {
        let (path, name) = (project_path(path), path.file_name().map(|name| name.to_string_lossy().into_owned()));
        let Some(name) = name.filter(|name| !name.starts_with(['.', '#']) && !name.ends_with('~')) else {
            return false;
        };
        if let Some(language) = self.explicit() {
            return language.can_have_file(&path);
        }
        let of_folder = self.choose(&self.disk, &file_in(split(&path).0, "x.hcl")).language;
        of_folder.schema_path().is_some() && of_folder.can_have_file(&name)
    }

    /// Returns the blocks of a file. `has` returns true if the top level of the file has an attribute or block with a
    /// name.
    pub fn blocks(&self, origin: &Origin, has: impl Fn(&str) -> bool) -> Arc<ConversionSchema> {
        let Some(path) = origin.path() else {
            return self.explicit().map_or_else(Arc::default, |language| language.blocks("", has));
        };
        let path = path.to_string_lossy();
        let language = match self.of(origin).language {
            // A file in JSON may have the name of one in native syntax, and `.json` after it.
            plain if plain.is_plain() => Language::by_name(path.strip_suffix(".json").unwrap_or(&path), &has),
            language => language,
        };
        language.blocks(&path, has)
    }
}

/// Returns the language for evaluating files of another one, always the same.
fn for_values(known: &Mutex<Vec<(Language, Language)>>, language: Language) -> Language {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, found)) = known.iter().find(|(other, _)| *other == language) {
        return found.clone();
    }
    let found = language.for_values();
    known.push((language, found.clone()));
    found
}

/// Returns true if the program of a language has functions that read files.
pub fn has_file_functions(language: &Language) -> bool {
    matches!(language.functions(), FunctionSet::Terraform | FunctionSet::Packer | FunctionSet::Nomad)
}
