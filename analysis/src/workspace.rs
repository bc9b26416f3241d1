//! The files of an editor, and snapshots of them that answer questions.
//!
//! Each file is parsed once, when it is first asked about. What is known of several files together, a
//! [`Project`], is kept until one of its folders changes: an edit costs nothing in other folders.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use globset::GlobMatcher;
use hcl_lr::ConfigFile;
use hcl_lr::diagnostic::{Diagnostics, Severity};
use hcl_lr::source::Source;
use hcl_lr::{Limits, ParseOptions, Syntax};

use crate::knowledge::Learned;
use crate::language::{Language, Languages};
use crate::paths::split;
use crate::project::{CallSite, Project, call_sites, constant_text};

/// The question is out of date: the files have changed since the snapshot was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the files have changed")
    }
}

impl std::error::Error for Cancelled {}

/// Options of the answers.
#[derive(Clone)]
pub struct Settings {
    /// The languages of files.
    pub languages: Languages,
    /// Severities in place of the usual ones, by code; `None` leaves diagnostics with this code out.
    pub severities: HashMap<String, Option<Severity>>,
    /// Files that are neither read nor reported on, unless they are open.
    pub excluded: Vec<GlobMatcher>,
    /// The limits of each evaluation.
    pub limits: Limits,
    /// True if values are computed: for diagnostics, hovers and hints.
    pub evaluates: bool,
}

/// 5 million steps and 64 MiB for each evaluation; `.terraform` and `.git` are excluded.
impl Default for Settings {
    fn default() -> Self {
        let excluded = ["**/.terraform/**", "**/.git/**", "**/.terragrunt-cache/**", "**/node_modules/**"];
        Settings {
            languages: Languages::default(),
            severities: HashMap::new(),
            excluded: excluded.iter().filter_map(|pattern| crate::language::pattern_of(pattern).ok()).collect(),
            limits: Limits::new().max_steps(5_000_000).max_bytes(64 << 20),
            evaluates: true,
        }
    }
}

impl Settings {
    /// Returns true if a path is excluded.
    pub fn excludes(&self, path: &str) -> bool {
        self.excluded.iter().any(|pattern| pattern.is_match(path))
    }
}

/// A file of a workspace.
pub struct File {
    path: Arc<str>,
    language: Language,
    text: Text,
    parsed: OnceLock<Parsed>,
    learned: OnceLock<Learned>,
    calls: OnceLock<Vec<CallSite>>,
    descriptions: OnceLock<HashMap<usize, String>>,
}

enum Text {
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
}

/// A parsed file.
pub struct Parsed {
    /// The tree of the file.
    pub document: ConfigFile,
    /// The errors and warnings of its text.
    pub diagnostics: Diagnostics,
}

impl File {
    /// Returns the path.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Returns the name, without the folder.
    pub fn name(&self) -> &str {
        split(&self.path).1
    }

    /// Returns the folder.
    pub fn folder(&self) -> &str {
        split(&self.path).0
    }

    /// Returns the language.
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// Returns the file with its tree, which is built when it is first asked for.
    pub fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| {
            let source = match &self.text {
                Text::Text(text) => Source::new(&self.path, &**text),
                Text::Bytes(bytes) => Source::from_bytes(&self.path, &**bytes),
            };
            let is_json = self.path.to_ascii_lowercase().ends_with(".json");
            let syntax = if is_json { Syntax::Json } else { Syntax::Native };
            let outcome = ParseOptions::new().with_syntax(syntax).parse::<ConfigFile>(source);
            let (document, diagnostics) = outcome.into_parts();
            Parsed { document, diagnostics }
        })
    }

    /// Returns the tree.
    pub fn document(&self) -> &ConfigFile {
        &self.parsed().document
    }

    /// Returns the file in native syntax.
    pub fn native(&self) -> Option<&hcl_lr::syntax::File> {
        match self.document() {
            ConfigFile::Native(file) => Some(file),
            ConfigFile::Json(_) => None,
        }
    }

    /// Returns the source.
    pub fn source(&self) -> &Arc<Source> {
        self.document().source()
    }

    /// Returns the attributes and blocks that the file uses.
    pub fn learned(&self) -> &Learned {
        self.learned.get_or_init(|| Learned::of(self))
    }

    /// Returns the constant descriptions of the blocks of the file, by the start of each block.
    pub fn descriptions(&self) -> &HashMap<usize, String> {
        self.descriptions.get_or_init(|| {
            let blocks = self.native().into_iter().flat_map(|native| native.body().blocks());
            let described = blocks.filter_map(|block| {
                let expression = block.body().attribute("description")?.expression();
                let (text, _) = constant_text(&hcl_lr::Expression::from(expression))?;
                Some((block.header_span().start(), text))
            });
            described.collect()
        })
    }

    /// Returns the calls of modules.
    pub fn calls(&self) -> &[CallSite] {
        self.calls.get_or_init(|| call_sites(self))
    }
}

/// A folder of a workspace.
#[derive(Clone, Default)]
pub(crate) struct Folder {
    pub files: BTreeMap<Arc<str>, Arc<File>>,
    /// Differs after each change of a file in the folder.
    pub revision: u64,
}

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
    latest: Arc<AtomicU64>,
    cache: Arc<Cache>,
}

#[derive(Clone, Default)]
struct State {
    folders: Arc<BTreeMap<Arc<str>, Arc<Folder>>>,
    settings: Arc<Settings>,
    revision: u64,
}

/// The projects that are known, by their keys.
#[derive(Default)]
struct Cache {
    slots: Mutex<HashMap<String, Arc<Slot>>>,
}

/// A project that may be out of date. The lock is held while the project is made, so that it is made once.
#[derive(Default)]
struct Slot(Mutex<Option<Arc<Project>>>);

/// The number of projects that are kept.
const MAX_PROJECTS: usize = 64;

impl Workspace {
    /// Sets the text of a file.
    pub fn set(&mut self, path: &str, text: impl Into<Arc<str>>) {
        self.put(path, Text::Text(text.into()));
    }

    /// Sets the bytes of a file, which need not be UTF-8.
    pub fn set_bytes(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.put(path, Text::Bytes(bytes.into()));
    }

    fn put(&mut self, path: &str, text: Text) {
        let language = self.state.settings.languages.of(path);
        let file = File {
            path: path.into(),
            language,
            text,
            parsed: OnceLock::new(),
            learned: OnceLock::new(),
            calls: OnceLock::new(),
            descriptions: OnceLock::new(),
        };
        let revision = self.changed();
        let (folder, name) = split(path);
        let folders = Arc::make_mut(&mut self.state.folders);
        let folder = Arc::make_mut(folders.entry(folder.into()).or_default());
        folder.revision = revision;
        folder.files.insert(name.into(), Arc::new(file));
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        let (name, file) = split(path);
        if !self.state.folders.get(name).is_some_and(|folder| folder.files.contains_key(file)) {
            return;
        }
        let revision = self.changed();
        let folders = Arc::make_mut(&mut self.state.folders);
        if let Some(folder) = folders.get_mut(name) {
            let folder = Arc::make_mut(folder);
            folder.revision = revision;
            folder.files.remove(file);
            if folder.files.is_empty() {
                folders.remove(name);
            }
        }
    }

    /// Changes the settings. The languages of all files are looked up again.
    pub fn set_settings(&mut self, settings: Settings) {
        self.state.settings = Arc::new(settings);
        let all: Vec<(Arc<str>, Text)> =
            self.state.files().map(|file| (file.path.clone(), file.text.share())).collect();
        self.state.folders = Arc::default();
        self.changed();
        for (path, text) in all {
            self.put(&path, text);
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    fn changed(&mut self) -> u64 {
        self.state.revision += 1;
        self.latest.store(self.state.revision, Ordering::Release);
        self.state.revision
    }

    /// Returns the files as they are now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { state: self.state.clone(), latest: self.latest.clone(), cache: self.cache.clone(), keeps: false }
    }
}

impl Text {
    fn share(&self) -> Text {
        match self {
            Text::Text(text) => Text::Text(text.clone()),
            Text::Bytes(bytes) => Text::Bytes(bytes.clone()),
        }
    }
}

impl State {
    fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.folders.values().flat_map(|folder| folder.files.values())
    }
}

/// The files at a point in time. Cheap to clone, and can be asked on any thread.
#[derive(Clone)]
pub struct Snapshot {
    state: State,
    latest: Arc<AtomicU64>,
    cache: Arc<Cache>,
    /// True if answers are given although the files have changed.
    keeps: bool,
}

impl Snapshot {
    /// Returns the snapshot as one whose answers are also given when the files have changed since.
    pub fn keeping(mut self) -> Snapshot {
        self.keeps = true;
        self
    }

    /// Returns true if the files have changed since.
    pub fn is_outdated(&self) -> bool {
        self.latest.load(Ordering::Acquire) != self.state.revision
    }

    /// Ends an answer that nobody waits for any more.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        if !self.keeps && self.is_outdated() { Err(Cancelled) } else { Ok(()) }
    }

    /// The number of the snapshot, which grows with each change.
    pub fn revision(&self) -> u64 {
        self.state.revision
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// Returns a file.
    pub fn file(&self, path: &str) -> Option<&Arc<File>> {
        let (folder, name) = split(path);
        self.state.folders.get(folder)?.files.get(name)
    }

    /// Returns all files, in the order of their folders.
    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.state.files()
    }

    /// Returns the folders that have files.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.state.folders.keys().map(|name| &**name)
    }

    pub(crate) fn folder(&self, path: &str) -> Option<&Folder> {
        self.state.folders.get(path).map(|folder| &**folder)
    }

    /// Returns the files that a file belongs to. `None` if there is no such file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn project(&self, path: &str) -> Result<Option<Arc<Project>>, Cancelled> {
        let Some(file) = self.file(path) else { return Ok(None) };
        let Some(key) = Project::key_of(self, file) else { return Ok(None) };
        self.project_of(&key).map(Some)
    }

    /// Returns a workspace of its own with the files.
    pub(crate) fn to_workspace(&self) -> Workspace {
        let latest = Arc::new(AtomicU64::new(self.state.revision));
        Workspace { state: self.state.clone(), latest, cache: Arc::default() }
    }

    /// Returns the project of a folder with files of a language.
    pub(crate) fn project_of(&self, key: &crate::project::Key) -> Result<Arc<Project>, Cancelled> {
        self.check()?;
        let slot = {
            let mut slots = self.cache.slots.lock().unwrap_or_else(PoisonError::into_inner);
            if slots.len() >= MAX_PROJECTS && !slots.contains_key(&key.text()) {
                slots.clear();
            }
            slots.entry(key.text()).or_default().clone()
        };
        let mut known = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(project) = known.as_ref().filter(|project| project.is_of(self)) {
            return Ok(project.clone());
        }
        self.check()?;
        let project = Arc::new(Project::load(self, key));
        // A snapshot of the past must not replace what is known of newer files.
        if !self.is_outdated() || known.is_none() {
            *known = Some(project.clone());
        }
        Ok(project)
    }
}

/// Tells at compile time that answers can be asked on any thread.
const fn is_shared<T: Send + Sync>() {}
const _: () = is_shared::<Snapshot>();
