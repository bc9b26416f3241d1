//! The language of a file: one answer for every command, editor and program.
//!
//! In this order:
//!
//! 1. the explicit choice, such as `--schema`;
//! 2. a comment at the start of the file: `# hcl:schema NAME|FILE`;
//! 3. patterns of names in the settings;
//! 4. a file `.hcl-schema` with such a name in the folder or above;
//! 5. the language that an editor says the file has;
//! 6. the patterns of further schemas, and then of the shipped languages, by name and contents.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use globset::{Glob, GlobMatcher};
use hcl_lr::ParseOptions;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::similar_name;
use hcl_lr_language::schema::{Catalog, LANGUAGES, Schema, SchemaLoader, has_at_top, is_hcl_file, is_template_file};

use crate::files::Files;
use crate::language::{Additions, Language};
use crate::paths::{file_in, join, split};

/// A file that names the schema of all files in its folder and below.
pub const SCHEMA_FILE: &str = ".hcl-schema";

/// The number of bytes of a file in which the comment with its schema is.
pub const MAX_START: usize = 4096;

/// The rules for the languages of files.
///
/// ```
/// use hcl_lr_project::{Language, Languages, Memory};
///
/// let files = Memory::new([("/a/main.tf", ""), ("/a/settings.hcl", ""), ("/b/.hcl-schema", "bake\n"), ("/b/x.hcl", "")]);
/// let languages = Languages::default();
/// assert_eq!(languages.of(&files, "/a/main.tf").name(), "terraform");
/// assert_eq!(languages.of(&files, "/a/settings.hcl").name(), "hcl");
/// assert_eq!(languages.of(&files, "/b/x.hcl").name(), "bake");
///
/// let languages = languages.with("*.tasks.hcl", Language::named("bake").expect("it is there"))?;
/// assert_eq!(languages.of(&files, "/a/my.tasks.hcl").name(), "bake");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Languages {
    explicit: Option<Language>,
    patterns: Vec<(GlobMatcher, Language)>,
    schemas: Vec<String>,
    additions: Option<Added>,
}

/// Additions, and the languages with them. Each is created once, so that equal languages compare as equal.
#[derive(Clone)]
struct Added {
    additions: Additions,
    known: Arc<Mutex<Vec<(Language, Language)>>>,
}

impl fmt::Debug for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Added")
    }
}

impl Added {
    fn of(&self, language: Language) -> Language {
        let mut known = lock(&self.known);
        if let Some((_, with)) = known.iter().find(|(without, with)| *without == language || *with == language) {
            return with.clone();
        }
        let with = language.with_additions(&self.additions);
        known.push((language, with.clone()));
        with
    }
}

/// The language of a file.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The language.
    pub language: Language,
    /// True if all files are read as this language, so that the names say which of them it means.
    pub is_explicit: bool,
    /// The error, if the file or its folder names a schema that cannot be used.
    pub wrong: Option<WrongSchema>,
}

/// The error about a schema that a file or its folder names.
#[derive(Clone, Debug)]
pub struct WrongSchema {
    detail: String,
    help: Option<String>,
    /// The place of the name in the file; `None` if a file `.hcl-schema` has it.
    span: Option<Span>,
}

impl WrongSchema {
    /// Returns the error as one in a file.
    pub(crate) fn in_file(&self, source: &Arc<Source>) -> Diagnostic {
        let place = Place::new(source, self.span.unwrap_or_default());
        let detail = match self.span {
            Some(_) => self.detail.clone(),
            None => format!("`{SCHEMA_FILE}` names the language of this file: {}", self.detail),
        };
        let error = Diagnostic::error(Code::InvalidSchema, &place, detail);
        match &self.help {
            Some(help) => error.with_help(help.clone()),
            None => error,
        }
    }
}

impl Languages {
    /// Reads all files as one language, whatever they are named. [`Language::reads`] says which files of a folder are
    /// meant.
    #[must_use]
    pub fn only(mut self, language: Language) -> Languages {
        self.explicit = Some(language);
        self
    }

    /// Adds a language for files that match a pattern. A pattern without `/` matches names; any other matches paths.
    /// The first matching pattern wins.
    ///
    /// # Errors
    /// A message, if the pattern cannot be read.
    pub fn with(mut self, pattern: &str, language: Language) -> Result<Languages, String> {
        self.patterns.push((pattern_of(pattern)?, language));
        Ok(self)
    }

    /// Adds the paths of schema files. A file belongs to such a language if the schema has a pattern for its name.
    #[must_use]
    pub fn with_schemas<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Languages {
        self.schemas.extend(paths.into_iter().map(P::into));
        self
    }

    /// Adds what checks take into account besides the schemas.
    #[must_use]
    pub fn with_additions(mut self, additions: Additions) -> Languages {
        self.additions = Some(Added { additions, known: Arc::default() });
        self
    }

    /// Adds contents of a catalog, such as the schemas of providers.
    #[must_use]
    pub fn with_catalog(self, catalog: Arc<dyn Catalog>) -> Languages {
        self.with_additions(Additions { catalog: Some(catalog), ..Additions::default() })
    }

    /// Returns the explicitly chosen language.
    pub fn explicit(&self) -> Option<&Language> {
        self.explicit.as_ref()
    }

    /// Returns the paths of the schema files whose patterns count.
    pub fn schemas(&self) -> &[String] {
        &self.schemas
    }

    /// Returns the language of a file by the patterns of the settings.
    pub fn given(&self, path: &str) -> Option<Language> {
        self.patterns.iter().find(|(pattern, _)| pattern.is_match(path)).map(|(_, language)| language.clone())
    }

    /// Returns the language of a file, without keeping anything for further questions.
    pub fn of(&self, files: &dyn Files, path: &str) -> Language {
        self.choose(&Reading { files, known: &Known::default() }, path, None).language
    }

    /// Returns the language of a file. `editor` is the identifier that an editor has for it.
    pub fn choose(&self, reading: &Reading<'_>, path: &str, editor: Option<&str>) -> Chosen {
        let chosen = self.choose_plainly(reading, path, editor);
        match &self.additions {
            Some(added) => Chosen { language: added.of(chosen.language), ..chosen },
            None => chosen,
        }
    }

    fn choose_plainly(&self, reading: &Reading<'_>, path: &str, editor: Option<&str>) -> Chosen {
        if let Some(language) = &self.explicit {
            return Chosen { is_explicit: true, ..Chosen::of(language.clone()) };
        }
        let (folder, name) = split(path);
        let start = reading.files.start(path).unwrap_or_default();
        let start = String::from_utf8_lossy(&start[..start.len().min(MAX_START)]);
        if let Some((schema, span)) = schema_comment(&start) {
            return reading.named(folder, schema, Some(span));
        }
        if let Some(language) = self.given(path) {
            return Chosen::of(language);
        }
        let is_marked = !name.starts_with('.') && !name.ends_with(".schema.hcl");
        if is_marked && let Some(chosen) = reading.of_folder(folder) {
            return chosen;
        }
        if let Some(language) = self.schemas.iter().find_map(|schema| {
            reading.schema("", schema).ok().map(|known| known.language).filter(|language| language.has_file(path))
        }) {
            return Chosen::of(language);
        }
        let document = OnceLock::new();
        let parse = || {
            let text = reading.files.bytes(path).unwrap_or_default();
            crate::Document::parse(Source::from_bytes(path, &*text), &ParseOptions::new())
        };
        let has = |name: &str| has_at_top(&document.get_or_init(parse).file, name);
        let by_name = Language::by_name(path, &has);
        let said = editor.and_then(Language::named).filter(|said| by_name.is_plain() && !said.is(by_name.name()));
        Chosen::of(said.unwrap_or(by_name))
    }
}

impl Chosen {
    /// Returns a language that something about a file says.
    pub fn of(language: Language) -> Chosen {
        Chosen { language, is_explicit: false, wrong: None }
    }
}

/// The files to read, and what is known from earlier questions about them.
#[derive(Clone, Copy)]
pub struct Reading<'f> {
    /// The files.
    pub files: &'f dyn Files,
    /// The schemas that were read before.
    pub known: &'f Known,
}

/// The schemas that were read, and the folders with files `.hcl-schema`. Valid as long as these files do not change.
#[derive(Default)]
pub struct Known {
    schemas: Mutex<HashMap<String, Result<KnownSchema, String>>>,
    folders: Mutex<HashMap<String, Option<Chosen>>>,
    /// The paths of all files that were asked for, whether they exist or not.
    asked: Mutex<HashMap<String, Vec<String>>>,
}

/// A schema in a file.
#[derive(Clone)]
struct KnownSchema {
    language: Language,
    has_errors: bool,
}

impl Known {
    /// Forgets what depends on a file. Returns true if the languages of files may be others now.
    pub fn changed(&self, path: &str) -> bool {
        let (folder, name) = split(path);
        let mut is_changed = false;
        if name == SCHEMA_FILE {
            lock(&self.folders).retain(|known, _| !crate::paths::is_below(known, folder));
            is_changed = true;
        }
        let mut asked = lock(&self.asked);
        let dependent: Vec<String> = asked
            .iter()
            .filter(|(_, files)| files.iter().any(|file| file == path))
            .map(|(name, _)| name.clone())
            .collect();
        for schema in &dependent {
            asked.remove(schema);
            lock(&self.schemas).remove(schema);
        }
        if !dependent.is_empty() {
            lock(&self.folders).clear();
            is_changed = true;
        }
        is_changed
    }

    /// Returns true if a schema was asked for that is at this path, or imports it.
    pub fn is_asked(&self, path: &str) -> bool {
        lock(&self.asked).values().flatten().any(|file| file == path)
    }

    /// Returns the paths of the schemas that were asked for, and of their imports, whether they exist or not.
    pub fn asked(&self) -> Vec<String> {
        let mut all: Vec<String> = lock(&self.asked).values().flatten().cloned().collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns the languages of the schema files that were read.
    pub fn languages(&self) -> Vec<Language> {
        lock(&self.schemas).values().flatten().map(|known| known.language.clone()).collect()
    }
}

impl Reading<'_> {
    /// Returns the language that a file `.hcl-schema` in a folder or above names.
    fn of_folder(&self, folder: &str) -> Option<Chosen> {
        let (mut at, mut passed) = (folder.to_owned(), Vec::new());
        let found = loop {
            if let Some(known) = lock(&self.known.folders).get(&at) {
                break known.clone();
            }
            passed.push(at.clone());
            let path = file_in(&at, SCHEMA_FILE);
            if let Ok(bytes) = self.files.bytes(&path) {
                break Some(self.named(&at, String::from_utf8_lossy(&bytes).trim(), None));
            }
            match self.files.above(&at) {
                Some(above) => at = above,
                None => break None,
            }
        };
        lock(&self.known.folders).extend(passed.into_iter().map(|folder| (folder, found.clone())));
        found
    }

    /// Returns the language that a text in a file of a folder names.
    fn named(&self, folder: &str, name: &str, span: Option<Span>) -> Chosen {
        if name == "none" {
            return Chosen::of(Language::plain());
        }
        let wrong = |detail: String, help: Option<String>| Some(WrongSchema { detail, help, span });
        match self.schema(folder, name) {
            Ok(known) if known.has_errors => {
                let detail = format!("the schema `{name}` has errors; `hcl check` of the schema file shows them");
                Chosen { wrong: wrong(detail, None), ..Chosen::of(known.language) }
            }
            Ok(known) => Chosen::of(known.language),
            Err(why) => {
                let help = match similar_name(name, LANGUAGES.iter().copied()) {
                    Some(tip) => format!("did you mean `{tip}`?"),
                    None => format!("write the path of a schema file, or one of {}", LANGUAGES.join(", ")),
                };
                Chosen { wrong: wrong(why, Some(help)), ..Chosen::of(Language::plain()) }
            }
        }
    }

    /// Returns the language of a schema: a shipped one by its name, or a file. `folder` is where its path starts.
    ///
    /// # Errors
    /// Why there is none.
    fn schema(&self, folder: &str, name: &str) -> Result<KnownSchema, String> {
        if let Some(language) = Language::named(name) {
            return Ok(KnownSchema { language, has_errors: false });
        }
        let path = if name.starts_with('/') { name.to_owned() } else { join(folder, name) };
        if let Some(known) = lock(&self.known.schemas).get(&path) {
            return known.clone();
        }
        let loader = Loader { files: self.files, asked: Mutex::new(vec![path.clone()]) };
        let read = match self.files.bytes(&path) {
            Ok(bytes) => {
                let source = Source::from_bytes(&path, &*bytes);
                let (schema, problems) = Schema::parse_with(source, &ParseOptions::new(), &loader).into_parts();
                Ok(KnownSchema { language: Language::of_schema(&schema), has_errors: problems.has_errors() })
            }
            Err(_) => Err(format!("there is no language named `{name}`, and no such file")),
        };
        let asked = loader.asked.into_inner().unwrap_or_else(PoisonError::into_inner);
        lock(&self.known.asked).insert(path.clone(), asked);
        lock(&self.known.schemas).insert(path, read.clone());
        read
    }
}

/// Returns the errors in a file as a schema.
pub(crate) fn schema_errors(files: &dyn Files, source: &Source) -> Diagnostics {
    let loader = Loader { files, asked: Mutex::default() };
    let own = Source::new(source.name(), source.text());
    let mut found = Schema::parse_with(own, &ParseOptions::new(), &loader).into_parts().1;
    found.retain(|one| one.source().name() == source.name());
    found
}

/// Loads the files that a schema imports.
struct Loader<'f> {
    files: &'f dyn Files,
    /// The paths of the schema and of the files that were asked for.
    asked: Mutex<Vec<String>>,
}

impl SchemaLoader for Loader<'_> {
    fn load(&self, path: &str, from: &str) -> Result<Source, String> {
        let path = if path.starts_with('/') { path.to_owned() } else { join(split(from).0, path) };
        lock(&self.asked).push(path.clone());
        match self.files.bytes(&path) {
            Ok(bytes) => Ok(Source::from_bytes(&path, &*bytes)),
            Err(crate::Unread::Refused(why)) => Err(why),
            Err(crate::Unread::Missing) => Err("there is no such file".to_owned()),
        }
    }
}

/// Returns the schema named in a comment at the start of a file, `# hcl:schema service.schema.hcl`, and its place.
fn schema_comment(text: &str) -> Option<(&str, Span)> {
    const MAX_LINES: usize = 10;
    let mut start = 0;
    for line in text.split('\n').take(MAX_LINES) {
        let comment = line.trim();
        if !(comment.is_empty() || comment.starts_with('#') || comment.starts_with("//")) {
            return None;
        }
        let rest = comment.trim_start_matches(['#', '/']).trim_start().strip_prefix("hcl:schema");
        let name = rest.filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim).filter(|name| !name.is_empty());
        if let Some(name) = name {
            let at = start + line.trim_end().len() - name.len();
            return Some((name, Span::from(at..at + name.len())));
        }
        start += line.len() + 1;
    }
    None
}

/// Returns true if the name is that of an HCL file in either syntax, or of a file that names the schema of others.
/// Templates are excluded, and so are the lock links that Emacs creates next to a changed file.
pub fn is_hcl(name: &str) -> bool {
    let is_file = !name.starts_with(".#") && is_hcl_file(name) && !is_template_file(name);
    is_file || name == SCHEMA_FILE
}

/// Parses a pattern of paths: without `/`, it matches names in any folder.
///
/// # Errors
/// A message, if the pattern cannot be read.
pub fn pattern_of(pattern: &str) -> Result<GlobMatcher, String> {
    let is_whole = pattern.contains('/') && pattern.starts_with(['/', '*']);
    let absolute = if is_whole { pattern.to_owned() } else { format!("**/{pattern}") };
    Glob::new(&absolute)
        .map(|glob| glob.compile_matcher())
        .map_err(|why| format!("the pattern `{pattern}` is wrong: {why}"))
}

/// Locks data that is right even after a panic elsewhere.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
