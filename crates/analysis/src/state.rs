//! The files of a workspace at a point in time.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hcl_lr_project::{Chosen, Document, Files, Key, Language, Sources, Unread};

use crate::cancelled::Cancelled;
use crate::file::{File, UNTITLED};
use crate::settings::Settings;
use hcl_lr_project::paths::split;

/// A folder of a workspace.
#[derive(Clone, Default)]
pub(crate) struct Folder {
    pub files: BTreeMap<Arc<str>, Arc<File>>,
    /// Changes with each change of a file in the folder.
    pub revision: u64,
}

/// The files of a workspace at a point in time. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct State {
    folders: Arc<BTreeMap<Arc<str>, Arc<Folder>>>,
    settings: Arc<Settings>,
    revision: u64,
    /// The latest revision of the workspace, which is higher once its files have changed.
    latest: Arc<AtomicU64>,
    /// True to answer even after the files have changed.
    keeps: bool,
    /// The file that has the text that it had before an edit.
    before_edit: Option<Arc<str>>,
}

impl State {
    /// Returns a copy for a workspace of its own.
    pub fn copied(&self) -> State {
        State { latest: Arc::new(AtomicU64::new(self.revision)), keeps: false, ..self.clone() }
    }

    /// Counts a change, and returns its revision.
    pub fn change(&mut self) -> u64 {
        self.revision += 1;
        self.latest.store(self.revision, Ordering::Release);
        self.revision
    }

    /// Adds or replaces a file, as a change with a revision.
    pub fn insert(&mut self, file: File, revision: u64) {
        let (folder, name) = split(file.path());
        let folders = Arc::make_mut(&mut self.folders);
        let folder = Arc::make_mut(folders.entry(folder.into()).or_default());
        folder.revision = revision;
        folder.files.insert(name.into(), Arc::new(file));
    }

    /// Removes a file, as a change with a revision.
    pub fn remove(&mut self, path: &str, revision: u64) {
        let (name, file) = split(path);
        let folders = Arc::make_mut(&mut self.folders);
        if let Some(folder) = folders.get_mut(name) {
            let folder = Arc::make_mut(folder);
            folder.revision = revision;
            folder.files.remove(file);
            if folder.files.is_empty() {
                folders.remove(name);
            }
        }
    }

    /// Changes the settings.
    pub fn replace_settings(&mut self, settings: Settings) {
        self.settings = Arc::new(settings);
    }

    /// Returns the same files with one as it was before an edit.
    pub fn with_text_before_edit(&self, file: &Arc<File>) -> State {
        let mut before = State { before_edit: Some(file.path().clone()), ..self.clone() };
        before.replace_texts(file.folder(), [file.clone()]);
        before
    }

    /// Gives files of a folder other texts, without a change of the workspace.
    pub fn replace_texts(&mut self, folder: &str, files: impl IntoIterator<Item = Arc<File>>) {
        if let Some(folder) = Arc::make_mut(&mut self.folders).get_mut(folder) {
            let named = files.into_iter().map(|file| (file.name().into(), file));
            Arc::make_mut(folder).files.extend(named);
        }
    }

    /// Returns the path of the file that has the text that it had before an edit, if there is one.
    pub fn path_before_edit(&self) -> Option<&Arc<str>> {
        self.before_edit.as_ref()
    }

    /// Allows answers after the files have changed.
    pub fn keep(&mut self) {
        self.keeps = true;
    }

    /// Returns true if the files have changed since the snapshot.
    pub fn is_outdated(&self) -> bool {
        self.latest.load(Ordering::Acquire) != self.revision
    }

    /// Returns an error if the answer is no longer needed.
    pub fn check(&self) -> Result<(), Cancelled> {
        if !self.keeps && self.is_outdated() { Err(Cancelled) } else { Ok(()) }
    }

    /// Returns the number of changes so far.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    /// Returns a file.
    pub fn file(&self, path: &str) -> Option<&Arc<File>> {
        let (folder, name) = split(path);
        self.folders.get(folder)?.files.get(name)
    }

    /// Returns all files, in the order of their folders.
    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.folders.values().flat_map(|folder| folder.files.values())
    }

    /// Returns a folder.
    pub fn folder(&self, path: &str) -> Option<&Folder> {
        self.folders.get(path).map(|folder| &**folder)
    }

    /// Returns a folder to keep.
    pub fn shared_folder(&self, path: &str) -> Option<&Arc<Folder>> {
        self.folders.get(path)
    }

    /// Returns the names of the folders that have files.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.keys().map(|name| &**name)
    }
}

impl State {
    /// Returns the key of the project of a file.
    pub fn key_of(&self, path: &str) -> Key {
        // The name of a new document says nothing about it.
        match self.file(path).filter(|_| path.starts_with(UNTITLED)) {
            Some(file) => Key::of_file(path, file.language()),
            None => self.with_sources(|sources| Key::of(sources, path)),
        }
    }

    /// Passes the files with their languages to a function.
    pub fn with_sources<R>(&self, ask: impl FnOnce(&Sources<'_>) -> R) -> R {
        let plain = || Chosen::of(Language::plain());
        let language = |path: &str| self.file(path).map_or_else(plain, |file| file.chosen().clone());
        ask(&Sources { files: self, language: &language })
    }
}

impl Files for State {
    fn names(&self, folder: &str) -> Vec<String> {
        let files = self.folder(folder).into_iter().flat_map(|folder| folder.files.keys());
        files.map(|name| (**name).to_owned()).collect()
    }

    fn bytes(&self, path: &str) -> Result<Cow<'_, [u8]>, Unread> {
        self.file(path).map(|file| file.text().bytes().into()).ok_or(Unread::Missing)
    }

    fn document(&self, path: &str) -> Result<Document, Unread> {
        let parsed = self.file(path).ok_or(Unread::Missing)?.parsed();
        Ok(Document { file: parsed.document.clone(), diagnostics: parsed.diagnostics.clone() })
    }
}
