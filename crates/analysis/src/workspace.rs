//! The files of an editor, and snapshots of them that answer questions.
//!
//! Each file is parsed once, on first use. Facts about several files together, a [`Project`], are kept until one of
//! its folders changes: an edit costs nothing in other folders.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use hcl_lr_project::paths::split;
use hcl_lr_project::{Chosen, Files, Key, Known, Language, Reading, Unread};

pub use crate::cancelled::Cancelled;
use crate::edit::Edit;
use crate::file::Text;
pub use crate::file::{File, Parsed};
use crate::filter::FileFilter;
use crate::finding::Finding;
use crate::index::{Index, Shared};
use crate::project::Project;
use crate::recheck::Recheck;
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
    /// The schemas in the workspace.
    known: Known,
    /// The identifiers of languages that the editor has for files.
    editor: HashMap<String, String>,
    cache: Arc<Cache>,
    changes: Changes,
}

/// The changes of a workspace since somebody asked for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The folders in which files have changed.
    pub folders: BTreeSet<Arc<str>>,
    /// True if the settings have changed, on which every answer depends.
    pub is_everything: bool,
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

/// A project that may be outdated.
#[derive(Default)]
struct Slot {
    /// Locked while the project is built, so that it is built once.
    building: Mutex<()>,
    known: Mutex<Option<Arc<Project>>>,
    /// The last project with diagnostics.
    checked: Mutex<Option<Arc<Project>>>,
    /// The difference from that project after the last edits.
    rechecked: Mutex<Rechecked>,
}

/// The difference from a project after edits; `None` without a project, or if the difference is too great.
#[derive(Default)]
struct Rechecked {
    /// The revision of the workspace.
    revision: u64,
    recheck: Option<Arc<Recheck>>,
}

impl Slot {
    fn checked(&self) -> MutexGuard<'_, Option<Arc<Project>>> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rechecked(&self) -> MutexGuard<'_, Rechecked> {
        self.rechecked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, Option<Arc<Project>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files before an edit of one of them, with their project.
pub(crate) struct BeforeEdit {
    pub snapshot: Snapshot,
    pub project: Arc<Project>,
    pub file: Arc<File>,
    pub edit: Edit,
}

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
        let chosen = self.choose(path, text.bytes());
        // A document that is opened or saved often has the known text, so nothing needs to be recomputed.
        let is_same = |file: &Arc<File>| *file.language() == chosen.language && file.text().bytes() == text.bytes();
        if self.state.file(path).is_some_and(is_same) {
            return;
        }
        self.put_as(path, text, chosen, OnceLock::new());
        self.languages_may_differ(path);
    }

    fn put_as(&mut self, path: &str, text: Text, chosen: Chosen, parsed: OnceLock<Parsed>) {
        let revision = self.count_change(path);
        self.state.insert(File::new(path, chosen, text, parsed), revision);
    }

    /// Counts a change of a file, and returns its revision.
    fn count_change(&mut self, path: &str) -> u64 {
        let revision = self.state.change();
        self.cache.index.changed(path, revision);
        let folder = split(path).0;
        if !self.changes.folders.contains(folder) {
            self.changes.folders.insert(folder.into());
        }
        revision
    }

    /// Returns the changes since the last call.
    pub fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// Returns the language of a file with a text.
    fn choose(&self, path: &str, text: &[u8]) -> Chosen {
        let files = WithText { state: &self.state, path, text };
        let reading = Reading { files: &files, known: &self.known };
        self.state.settings().all_languages().choose(&reading, path, self.editor.get(path).map(String::as_str))
    }

    /// Sets the identifier of the language that an editor has for a file, such as `nomad`. It counts if nothing else
    /// says what the file is.
    pub fn set_editor_language(&mut self, path: &str, identifier: &str) {
        let before = self.editor.insert(path.to_owned(), identifier.to_owned());
        if before.as_deref() == Some(identifier) {
            return;
        }
        if let Some(file) = self.state.file(path).cloned() {
            self.choose_again(&file);
        }
    }

    /// Looks up the languages of all files again, if the file at a path may determine them.
    fn languages_may_differ(&mut self, path: &str) {
        if self.known.changed(path) {
            self.set_languages();
        }
    }

    /// Returns the paths of schemas that files name or schemas import, and that are not in the workspace.
    pub fn missing_schemas(&self) -> impl Iterator<Item = String> {
        self.known.asked().into_iter().filter(|path| self.state.file(path).is_none())
    }

    /// Returns the filter that decides by paths which files belong to the workspace.
    pub fn filter(&self) -> FileFilter {
        FileFilter {
            settings: self.state.settings().clone(),
            asked: Arc::new(self.known.asked().into_iter().collect()),
            schemas: self.known.languages(),
            included: None,
        }
    }

    fn set_languages(&mut self) {
        let all: Vec<Arc<File>> = self.state.files().cloned().collect();
        for file in all {
            self.choose_again(&file);
        }
    }

    fn choose_again(&mut self, file: &File) {
        let chosen = self.choose(file.path(), file.text().bytes());
        if chosen.language != *file.language() || chosen.wrong.is_some() != file.chosen().wrong.is_some() {
            self.put_as(file.path(), file.text().share(), chosen, file.shared_parse());
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        if self.state.file(path).is_none() {
            return;
        }
        let revision = self.count_change(path);
        self.state.remove(path, revision);
        self.languages_may_differ(path);
    }

    /// Changes the settings. The languages of all files are looked up again.
    pub fn set_settings(&mut self, settings: Settings) {
        self.state.replace_settings(settings);
        self.known = Known::default();
        self.state.change();
        self.changes.is_everything = true;
        // Facts about projects depend on the settings.
        self.cache = Arc::default();
        self.set_languages();
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        self.state.settings()
    }

    /// Returns the patterns of paths for files in the languages of the schemas in the workspace, in order.
    pub fn schema_patterns(&self) -> Vec<String> {
        let patterns = self.known.languages().into_iter().flat_map(|language| language.patterns());
        let mut all: Vec<String> = patterns.map(|pattern| format!("**/{pattern}")).collect();
        all.sort();
        all.dedup();
        all
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

/// The files of a workspace with a text that is not in it yet.
struct WithText<'w> {
    state: &'w State,
    path: &'w str,
    text: &'w [u8],
}

impl Files for WithText<'_> {
    fn names(&self, folder: &str) -> Vec<String> {
        self.state.names(folder)
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        if path == self.path { Ok(self.text.into()) } else { self.state.bytes(path) }
    }
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
        self.project_of(&self.state.key_of(file.path())).map(Some)
    }

    /// Returns the folders whose files determine the diagnostics of a file.
    ///
    /// # Errors
    /// The files have changed meanwhile.
    pub fn folders_behind(&self, path: &str) -> Result<Arc<[Arc<str>]>, Cancelled> {
        let folder = split(path).0;
        let mut folders = BTreeSet::from([Arc::from(folder)]);
        match self.file(path).map(|file| self.recheck(file)).transpose()?.flatten() {
            // Edits add folders if they change the sources of modules.
            Some(recheck) => folders.extend(recheck.folders().map(Arc::from)),
            None => folders.extend(self.project(path)?.iter().flat_map(|project| project.seen()).map(Arc::from)),
        }
        // A file in a folder such as `tests` belongs to the files in the parent folder, if there are any.
        folders.insert(split(folder).0.into());
        Ok(folders.into_iter().collect())
    }

    /// Returns a snapshot with other texts. The languages of the files stay.
    pub(crate) fn with_texts(&self, texts: impl IntoIterator<Item = (Arc<str>, String)>) -> Snapshot {
        let mut workspace = Workspace {
            state: self.state.copied(),
            known: Known::default(),
            editor: HashMap::new(),
            cache: Arc::default(),
            changes: Changes::default(),
        };
        for (path, text) in texts {
            let plain = || Chosen::of(Language::plain());
            let chosen = self.file(&path).map_or_else(plain, |file| file.chosen().clone());
            workspace.put_as(&path, Text::Text(text.into()), chosen, OnceLock::new());
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

    /// Stores the diagnostics of a file in a project.
    pub(crate) fn keep_diagnosed(&self, file: &Arc<File>, project: &Arc<Project>, findings: &[Finding]) {
        let mut found = self.cache.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() >= MAX_DIAGNOSED {
            found.clear();
        }
        let known = Diagnosed { file: file.clone(), project: Arc::downgrade(project), findings: findings.into() };
        found.insert(file.path().clone(), known);
        drop(found);
        let slot = self.slot(project.key());
        let before = slot.checked().replace(project.clone()).filter(|before| !Arc::ptr_eq(before, project));
        // Nothing differs from the new one.
        let _ = std::mem::take(&mut *slot.rechecked());
        self.cache.replaced.lock().unwrap_or_else(PoisonError::into_inner).extend(before);
    }

    /// Returns the project of a folder with files of a language.
    pub(crate) fn project_of(&self, key: &Key) -> Result<Arc<Project>, Cancelled> {
        self.check()?;
        let slot = self.slot(key);
        let _building = slot.building.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(project) = slot.known().as_ref().filter(|project| project.is_of(&self.state)) {
            return Ok(project.clone());
        }
        self.check()?;
        let project = Arc::new(Project::load(&self.state, key));
        let mut known = slot.known();
        // An older snapshot must not replace facts about newer files.
        if !self.is_outdated() || known.is_none() {
            let before = known.replace(project.clone());
            self.cache.replaced.lock().unwrap_or_else(PoisonError::into_inner).extend(before);
        }
        Ok(project)
    }

    /// Returns true if loading a project takes so long that people notice.
    fn is_large(&self, project: &Project) -> bool {
        project.length() > self.settings().large
    }

    /// Returns the diagnostics of a file of a large project after edits that leave most of them as they were.
    pub(crate) fn rechecked(&self, file: &File) -> Result<Option<Arc<[Finding]>>, Cancelled> {
        let Some(recheck) = self.recheck(file)? else { return Ok(None) };
        let found = self.found_again(&recheck, file);
        self.check()?;
        let slot = self.slot(recheck.before().key());
        let new = slot.known().clone().filter(|project| project.is_of(&self.state));
        if let (Some(project), true) = (new, found.is_some()) {
            // Another question needed the project anyway, so the one before the edits need not be kept.
            for file in project.files().iter().chain(project.beside()) {
                if let Some(found) = self.found_again(&recheck, file) {
                    self.keep_diagnosed(file, &project, &found);
                }
            }
        }
        Ok(found)
    }

    /// Returns the diagnostics of a file after edits, if those before them are known.
    fn found_again(&self, recheck: &Recheck, file: &File) -> Option<Arc<[Finding]>> {
        let before = recheck.before().file(file.path())?;
        let known = self.diagnosed(before, recheck.before())?;
        recheck.findings(&self.state, &known, file.path())
    }

    /// Returns what edits of a large project change in its diagnostics, if the diagnostics of a file before them are known.
    fn recheck(&self, file: &File) -> Result<Option<Arc<Recheck>>, Cancelled> {
        let slot = self.slot(&self.state.key_of(file.path()));
        let is_before = |project: &Arc<Project>| self.is_large(project) && !project.is_of(&self.state);
        let Some(before) = slot.checked().clone().filter(is_before) else { return Ok(None) };
        if before.file(file.path()).and_then(|known| self.diagnosed(known, &before)).is_none() {
            return Ok(None);
        }
        self.check()?;
        let mut rechecked = slot.rechecked();
        let is_known =
            rechecked.recheck.as_ref().is_some_and(|known| known.is_after(&before) && known.is_of(&self.state));
        if !is_known && rechecked.revision != self.revision() {
            let recheck = Recheck::of(&self.state, &before).map(Arc::new);
            *rechecked = Rechecked { revision: self.revision(), recheck };
        }
        let recheck = rechecked.recheck.clone();
        self.check()?;
        Ok(recheck.filter(|known| known.is_after(&before) && known.is_of(&self.state)))
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        let mut slots = self.cache.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MAX_PROJECTS && !slots.contains_key(key) {
            slots.clear();
        }
        slots.entry(key.clone()).or_default().clone()
    }

    /// Returns the files before the last edit of a file, if the project is known that they made, and the edit has changed
    /// no names. Questions about the place of the edit then need no new project, which takes time if the files are large.
    pub(crate) fn before_edit(&self, file: &File) -> Option<BeforeEdit> {
        let slot = self.slot(&self.state.key_of(file.path()));
        let project = slot.known().clone().filter(|project| self.is_large(project) && !project.is_of(&self.state))?;
        let (before, edit) = project.file_before_edit(&self.state, file)?;
        let before = before.clone();
        let snapshot = Snapshot { state: self.state.with_text_before_edit(&before), cache: self.cache.clone() };
        Some(BeforeEdit { snapshot, project, file: before, edit })
    }
}

/// Checks at compile time that answers can be requested on any thread.
const fn is_shared<T: Send + Sync>() {}
const _: () = is_shared::<Snapshot>();
