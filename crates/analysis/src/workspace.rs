//! The files of an editor, and snapshots of them that answer questions.
//!
//! Each file is parsed once, on first use. Facts about several files together, a [`Project`], are kept until one of
//! its folders changes: an edit costs nothing in other folders.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use hcl_lr::ParseOptions;
use hcl_lr::source::Source;
use hcl_lr_language::schema::SchemaLoader;

pub use crate::cancelled::Cancelled;
use crate::file::Text;
pub use crate::file::{File, Parsed};
use crate::filter::FileFilter;
use crate::finding::Finding;
use crate::index::{Index, Shared};
use crate::language::Language;
pub use crate::language::SCHEMA_FILE;
use crate::paths::split;
use crate::project::{Key, Project};
pub use crate::settings::Settings;
use crate::state::{Folder, State};

/// The files of an editor. Texts go in, [snapshots](Snapshot) come out.
///
/// ```
/// use hcl_lr_analysis::Workspace;
///
/// let mut workspace = Workspace::default();
/// workspace.set("/a/main.hcl", "x = 1\n");
/// let before = workspace.snapshot();
/// workspace.set("/a/main.hcl", "x = 2\n");
/// assert!(before.is_outdated());
/// assert_eq!(workspace.snapshot().file("/a/main.hcl").map(|file| file.source().text().to_owned()), Some("x = 2\n".to_owned()));
/// ```
#[derive(Default)]
pub struct Workspace {
    state: State,
    /// The languages of schemas in the workspace, by path.
    schemas: HashMap<String, KnownSchema>,
    /// The paths of all requested schemas and their imports, whether these files exist or not.
    asked: HashSet<String>,
    cache: Arc<Cache>,
}

/// The language of a schema, with the files that it was read from.
struct KnownSchema {
    files: Vec<(String, Option<Arc<File>>)>,
    language: Language,
}

/// The known projects by key, the tables of all files, and the diagnostics of files.
#[derive(Default)]
struct Cache {
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    index: Index,
    found: Mutex<HashMap<Arc<str>, Diagnosed>>,
    /// Projects that newer ones have replaced.
    replaced: Mutex<Vec<Arc<Project>>>,
}

/// The diagnostics of a file in a project, valid while both are the same.
struct Diagnosed {
    file: Arc<File>,
    project: Weak<Project>,
    findings: Arc<[Finding]>,
}

/// A project that may be outdated. The lock is held while the project is built, so that it is built once.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Project>>>);

/// The maximum number of projects to keep.
const MAX_PROJECTS: usize = 64;

/// The maximum number of files whose diagnostics are kept.
const MAX_DIAGNOSED: usize = 256;

impl Workspace {
    /// Sets the text of a file. Nothing happens if it has this text already.
    pub fn set(&mut self, path: &str, text: impl Into<Arc<str>>) {
        self.put(path, Text::Text(text.into()));
    }

    /// Sets the bytes of a file, which need not be UTF-8.
    pub fn set_bytes(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.put(path, Text::Bytes(bytes.into()));
    }

    fn put(&mut self, path: &str, text: Text) {
        let language = self.language_of(path, text.bytes());
        // A document that is opened or saved often has the known text, so nothing needs to be recomputed.
        let is_same = |file: &Arc<File>| *file.language() == language && file.text().bytes() == text.bytes();
        if self.state.file(path).is_some_and(is_same) {
            return;
        }
        self.put_as(path, text, language, OnceLock::new());
        self.languages_may_differ(path);
    }

    fn put_as(&mut self, path: &str, text: Text, language: Language, parsed: OnceLock<Parsed>) {
        let revision = self.state.change();
        self.cache.index.changed(path, revision);
        self.state.insert(File::new(path, language, text, parsed), revision);
    }

    /// Returns the language of a file: the one in a comment of the file, or in the settings, or in a file
    /// `.hcl-schema` in its folder or above, or the one that its name suggests.
    fn language_of(&mut self, path: &str, text: &[u8]) -> Language {
        let (folder, name) = split(path);
        if let Some(schema) = schema_comment(text) {
            return self.schema_language(folder, schema).unwrap_or_else(Language::plain);
        }
        let settings = self.state.settings().clone();
        if let Some(language) = settings.languages.given(path) {
            return language;
        }
        let mut around = Some(folder);
        while let Some(folder) = around.filter(|_| !name.starts_with('.') && !name.ends_with(".schema.hcl")) {
            let known = self.state.folder(folder).and_then(|folder| folder.files.get(SCHEMA_FILE)).cloned();
            if let Some(file) = known {
                let text = String::from_utf8_lossy(file.text().bytes()).trim().to_owned();
                return self.schema_language(folder, &text).unwrap_or_else(Language::plain);
            }
            around = folder.rsplit_once('/').map(|(above, _)| above);
        }
        for schema in &settings.schemas {
            if let Some(language) = self.schema_language("", schema)
                && language.description().is_some_and(|description| description.has_file(path))
            {
                return language;
            }
        }
        settings.languages.of(path)
    }

    /// Returns the language of a schema: a shipped one by its name, or a file of the workspace.
    fn schema_language(&mut self, folder: &str, schema: &str) -> Option<Language> {
        if let Some(language) = Language::named(schema) {
            return Some(language);
        }
        let path = if schema.starts_with('/') { schema.to_owned() } else { crate::paths::join(folder, schema) };
        let is_same = |(path, known): &(String, Option<Arc<File>>)| match (known, self.state.file(path)) {
            (Some(known), Some(file)) => Arc::ptr_eq(known, file),
            (known, file) => known.is_none() && file.is_none(),
        };
        if let Some(known) = self.schemas.get(&path).filter(|known| known.files.iter().all(is_same)) {
            return Some(known.language.clone());
        }
        self.asked.insert(path.clone());
        let file = self.state.file(&path)?.clone();
        let files = SchemaFiles { state: &self.state, seen: Mutex::new(vec![(path.clone(), Some(file.clone()))]) };
        let source = Source::from_bytes(&path, file.text().bytes());
        let schema = hcl_lr_language::schema::Schema::parse_with(source, &ParseOptions::new(), &files).into_value();
        let language = Language::of_schema(&schema);
        let files = files.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.asked.extend(files.iter().map(|(path, _)| path.clone()));
        self.schemas.insert(path, KnownSchema { files, language: language.clone() });
        Some(language)
    }

    /// Looks up the languages of all files again, if the file at a path may determine them.
    fn languages_may_differ(&mut self, path: &str) {
        if split(path).1 == SCHEMA_FILE || self.asked.contains(path) {
            self.set_languages();
        }
    }

    /// Returns the paths of schemas that files name or schemas import, and that are not in the workspace.
    pub fn missing_schemas(&self) -> impl Iterator<Item = &str> {
        self.asked.iter().map(String::as_str).filter(|path| self.state.file(path).is_none())
    }

    /// Returns the filter that decides by paths which files belong to the workspace.
    pub fn filter(&self) -> FileFilter {
        FileFilter {
            settings: self.state.settings().clone(),
            asked: Arc::new(self.asked.clone()),
            schemas: self.schemas.values().map(|known| known.language.clone()).collect(),
        }
    }

    fn set_languages(&mut self) {
        let all: Vec<Arc<File>> = self.state.files().cloned().collect();
        for file in all {
            let language = self.language_of(file.path(), file.text().bytes());
            if language != *file.language() {
                self.put_as(file.path(), file.text().share(), language, file.shared_parse());
            }
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        if self.state.file(path).is_none() {
            return;
        }
        let revision = self.state.change();
        self.cache.index.changed(path, revision);
        self.state.remove(path, revision);
        self.languages_may_differ(path);
    }

    /// Changes the settings. The languages of all files are looked up again.
    pub fn set_settings(&mut self, settings: Settings) {
        self.state.replace_settings(settings);
        self.state.change();
        // Facts about projects depend on the settings.
        self.cache = Arc::default();
        self.set_languages();
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        self.state.settings()
    }

    /// Returns the patterns of paths for files in the language of a schema in the workspace.
    pub fn patterns_of_schema(&self, path: &str) -> Vec<String> {
        let description = self.schemas.get(path).and_then(|known| known.language.description());
        let patterns = description.map(|description| description.patterns()).unwrap_or_default();
        patterns.into_iter().map(|pattern| format!("**/{pattern}")).collect()
    }

    /// Returns data of former texts that is no longer needed. Dropping it takes time, which no answer should wait for.
    pub fn take_replaced(&self) -> Vec<Arc<Project>> {
        std::mem::take(&mut *self.cache.replaced.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a snapshot of the files.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone(), cache: self.cache.clone() }
    }
}

/// Loads the files of a workspace that schemas import.
struct SchemaFiles<'s> {
    state: &'s State,
    /// The requested files.
    seen: Mutex<Vec<(String, Option<Arc<File>>)>>,
}

impl SchemaLoader for SchemaFiles<'_> {
    fn load(&self, path: &str, from: &str) -> Result<Source, String> {
        let path = if path.starts_with('/') { path.to_owned() } else { crate::paths::join(split(from).0, path) };
        let file = self.state.file(&path).cloned();
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push((path.clone(), file.clone()));
        let file = file.ok_or_else(|| "there is no such file".to_owned())?;
        Ok(Source::from_bytes(&path, file.text().bytes()))
    }
}

/// Returns the schema named in a comment at the start of a file: `# hcl:schema service.schema.hcl`.
fn schema_comment(text: &[u8]) -> Option<&str> {
    const MAX_LINES: usize = 10;
    let lines = text.split(|byte| *byte == b'\n').take(MAX_LINES).map(|line| line.trim_ascii());
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//"));
    let mut found = lines.filter_map(|line| {
        let text = std::str::from_utf8(line).ok()?.trim_start_matches(['#', '/']).trim_start();
        text.strip_prefix("hcl:schema").filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim)
    });
    found.next().filter(|schema| !schema.is_empty())
}

/// The files at a point in time. Cheap to clone, and usable on any thread.
#[derive(Clone)]
pub struct Snapshot {
    state: State,
    cache: Arc<Cache>,
}

impl Snapshot {
    /// Returns a snapshot that also answers after the files have changed.
    pub fn keeping(mut self) -> Snapshot {
        self.state.keep();
        self
    }

    /// Returns true if the files have changed since the snapshot.
    pub fn is_outdated(&self) -> bool {
        self.state.is_outdated()
    }

    /// Returns an error if the answer is no longer needed.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        self.state.check()
    }

    /// Returns the revision of the snapshot, which grows with each change.
    pub fn revision(&self) -> u64 {
        self.state.revision()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        self.state.settings()
    }

    /// Returns a file.
    pub fn file(&self, path: &str) -> Option<&Arc<File>> {
        self.state.file(path)
    }

    /// Returns all files, in the order of their folders.
    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.state.files()
    }

    /// Returns the folders that have files.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.state.folders()
    }

    pub(crate) fn folder(&self, path: &str) -> Option<&Folder> {
        self.state.folder(path)
    }

    /// Returns the project of a file. `None` if there is no such file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn project(&self, path: &str) -> Result<Option<Arc<Project>>, Cancelled> {
        let Some(file) = self.file(path) else { return Ok(None) };
        let Some(key) = Project::key_of(&self.state, file) else { return Ok(None) };
        self.project_of(&key).map(Some)
    }

    /// Returns a snapshot with other texts. The languages of the files stay.
    pub(crate) fn with_texts(&self, texts: impl IntoIterator<Item = (Arc<str>, String)>) -> Snapshot {
        let mut workspace = Workspace {
            state: self.state.copied(),
            schemas: HashMap::new(),
            asked: HashSet::new(),
            cache: Arc::default(),
        };
        for (path, text) in texts {
            let language = self.file(&path).map_or_else(Language::plain, |file| file.language().clone());
            workspace.put_as(&path, Text::Text(text.into()), language, OnceLock::new());
        }
        workspace.snapshot()
    }

    /// Fills the tables of all files before the first question that needs them.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn fill_tables(&self) -> Result<(), Cancelled> {
        self.shared(&Language::plain(), |_| ())
    }

    /// Queries the tables of a language.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub(crate) fn shared<R>(&self, language: &Language, ask: impl FnOnce(&Shared) -> R) -> Result<R, Cancelled> {
        self.cache.index.shared(&self.state, language, ask)
    }

    /// Returns the diagnostics of a file, if they are known.
    pub(crate) fn diagnosed(&self, file: &Arc<File>, project: &Arc<Project>) -> Option<Arc<[Finding]>> {
        let found = self.cache.found.lock().unwrap_or_else(PoisonError::into_inner);
        let known = found.get(file.path())?;
        let is_same = Arc::ptr_eq(&known.file, file) && std::ptr::eq(known.project.as_ptr(), Arc::as_ptr(project));
        is_same.then(|| known.findings.clone())
    }

    /// Stores the diagnostics of a file.
    pub(crate) fn keep_diagnosed(&self, file: &Arc<File>, project: &Arc<Project>, findings: &[Finding]) {
        let mut found = self.cache.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MAX_DIAGNOSED {
            found.clear();
        }
        let known = Diagnosed { file: file.clone(), project: Arc::downgrade(project), findings: findings.into() };
        found.insert(file.path().clone(), known);
    }

    /// Returns the project of a folder with files of a language.
    pub(crate) fn project_of(&self, key: &Key) -> Result<Arc<Project>, Cancelled> {
        self.check()?;
        let slot = {
            let mut slots = self.cache.slots.lock().unwrap_or_else(PoisonError::into_inner);
            if slots.len() >= MAX_PROJECTS && !slots.contains_key(key) {
                slots.clear();
            }
            slots.entry(key.clone()).or_default().clone()
        };
        let mut known = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(project) = known.as_ref().filter(|project| project.is_of(&self.state)) {
            return Ok(project.clone());
        }
        self.check()?;
        let project = Arc::new(Project::load(&self.state, key));
        // An older snapshot must not replace facts about newer files.
        if !self.is_outdated() || known.is_none() {
            let before = known.replace(project.clone());
            self.cache.replaced.lock().unwrap_or_else(PoisonError::into_inner).extend(before);
        }
        Ok(project)
    }
}

/// Checks at compile time that answers can be requested on any thread.
const fn is_shared<T: Send + Sync>() {}
const _: () = is_shared::<Snapshot>();
