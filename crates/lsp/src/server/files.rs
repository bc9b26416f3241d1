//! The files of the workspace that are not open: reading and watching them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use gen_lsp_types as lsp;
use hcl_lr_language::schema::FILE_EXTENSIONS;
use hcl_lr_project::languages::is_hcl;
use hcl_lr_project::paths::is_below;
use hcl_lr_project::{MANIFEST, SCHEMA_FILE, installed_folders};
use serde_json::{Value, json};

use super::{BATCH, Done, Server};
use crate::disk::{self, Access, Disk, MAX_FILE};
use crate::settings::{self, Options};
use crate::uri::{folder_of, path_of};

/// Work for the thread that reads files.
pub(super) type Loading = Box<dyn FnOnce(&mut Disk) -> Loaded + Send>;

/// Files that were read, for which questions wait.
pub(super) enum Loaded {
    Options(Box<NewOptions>),
    /// The files of a folder.
    Folder(Vec<disk::Read>),
    /// The list of the modules that are installed for the program in a folder, and the files of these modules.
    Installed(Vec<disk::Read>),
    Changes(Vec<(String, Change)>),
    /// A defect was met.
    Nothing,
}

/// Options with their errors, and the schemas that they name.
pub(super) struct NewOptions {
    options: Options,
    wrong: Vec<String>,
    schemas: Vec<(String, Change)>,
    is_first: bool,
}

/// The current state of a file on the disk.
pub(super) enum Change {
    Bytes(Vec<u8>),
    /// The file does not exist, or may not be read.
    Missing,
    /// It was removed, perhaps with all that is below it.
    Removed,
}

/// Starts the thread that reads files: one after the other, so that the last contents count.
pub(super) fn start_loading(done: &Sender<Done>) -> Sender<Loading> {
    let (loading, work) = unbounded::<Loading>();
    let done = done.clone();
    let read = move || {
        let mut disk = Disk::default();
        for work in work {
            let loaded = catch_unwind(AssertUnwindSafe(|| work(&mut disk))).unwrap_or(Loaded::Nothing);
            if !disk.notes.is_empty() {
                let _ = done.send(Done::Notes(std::mem::take(&mut disk.notes)));
            }
            let _ = done.send(Done::Loaded(loaded));
        }
    };
    let _ = thread::Builder::new().name("reading".to_owned()).spawn(read);
    loading
}

impl Server {
    /// Asks the client to watch the files of the workspace.
    pub(super) fn watch(&mut self) {
        if !self.client.watches_files {
            return;
        }
        if self.is_watching {
            let watch = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles" });
            self.ask("client/unregisterCapability", json!({ "unregisterations": [watch] }));
        }
        self.is_watching = true;
        let mut globs = vec![format!("**/*.{{{},json}}", FILE_EXTENSIONS.join(",")), format!("**/{SCHEMA_FILE}")];
        globs.extend(self.options.patterns.iter().cloned());
        self.known_patterns = self.workspace.schema_patterns();
        globs.extend(self.known_patterns.iter().cloned());
        // Schemas may have any name.
        let named = self.options.analysis.schemas.iter().chain(&self.tried);
        let names = named.map(|path| path.rsplit('/').next().unwrap_or(path)).filter(|name| !is_hcl(name));
        globs.extend(names.map(|name| format!("**/{name}")).collect::<BTreeSet<_>>());
        let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let watch = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers } });
        self.ask("client/registerCapability", json!({ "registrations": [watch] }));
    }

    /// Takes the options of the client, once the files are read that they name. Other files may belong to the workspace then.
    pub(super) fn configure(&mut self, mut value: Value, is_first: bool) {
        let value = value.get_mut("hcl").map(Value::take).unwrap_or(value);
        let root = self.roots.first().cloned();
        self.configuring += 1;
        self.load(move |disk| {
            let (options, wrong) = settings::read(&value, root.as_deref(), disk);
            // The client has named these files, wherever they are.
            let read = |path: &String| {
                let change = disk.read_named(path, MAX_FILE).map_or(Change::Missing, Change::Bytes);
                (path.clone(), change)
            };
            let schemas = options.analysis.schemas.iter().map(read).collect();
            Loaded::Options(Box::new(NewOptions { options, wrong, schemas, is_first }))
        });
    }

    fn configured(&mut self, new: NewOptions) {
        let NewOptions { options, wrong, schemas, is_first } = new;
        self.configuring = self.configuring.saturating_sub(1);
        let before = std::mem::replace(&mut self.options, Arc::new(options));
        self.workspace.set_settings(self.options.analysis.clone());
        // The schemas say which files belong to the workspace.
        for (path, change) in schemas {
            self.take(&path, change);
        }
        self.is_stale = true;
        wrong.into_iter().for_each(|text| self.warn(text));
        if is_first {
            return;
        }
        if before.files() != self.options.files() {
            let filter = self.workspace.filter();
            let all: Vec<Arc<str>> = self.workspace.snapshot().files().map(|file| file.path().clone()).collect();
            for path in all.iter().filter(|path| !self.open.contains_key(*path) && !filter.wants(path)) {
                self.workspace.remove(path);
            }
            self.folders.clear();
            self.watch();
            self.read_roots();
        }
        self.refresh();
    }

    pub(super) fn configuration_changed(&mut self, params: &Value) {
        match self.client.has_configuration {
            true => self.ask("workspace/configuration", json!({ "items": [{ "section": "hcl" }] })),
            false => self.configure(params["settings"].clone(), false),
        }
    }

    /// Reads the folders of the workspace for the first time, if the options are known.
    pub(super) fn start(&mut self) {
        if self.configuring > 0 || !std::mem::take(&mut self.starts) {
            return;
        }
        self.watch();
        if self.client.has_configuration {
            self.ask("workspace/configuration", json!({ "items": [{ "section": "hcl" }] }));
        }
        self.read_roots();
    }

    /// Passes work to the thread that reads files. Requests wait until it is done.
    fn load(&mut self, work: impl FnOnce(&mut Disk) -> Loaded + Send + 'static) {
        self.loads += 1;
        let _ = self.loading.send(Box::new(work));
    }

    /// Takes the results of the thread that reads files.
    pub(super) fn loaded(&mut self, loaded: Loaded) {
        match loaded {
            Loaded::Options(new) => self.configured(*new),
            Loaded::Changes(changes) => {
                for (path, change) in changes {
                    self.take(&path, change);
                }
                self.read_schemas();
                self.read_new_patterns();
                self.is_stale = true;
            }
            Loaded::Folder(files) => {
                let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
                self.take_files(files);
                let snapshot = self.workspace.snapshot();
                let calls = paths.iter().filter_map(|path| snapshot.file(path)).flat_map(|file| file.calls());
                let called: BTreeSet<String> = calls.filter_map(|call| call.folder.clone()).collect();
                drop(snapshot);
                called.iter().for_each(|folder| self.read_folder(folder));
                self.read_schemas();
                self.read_new_patterns();
                self.is_stale = true;
            }
            Loaded::Installed(files) => {
                self.take_files(files);
                self.is_stale = true;
            }
            Loaded::Nothing => self.configuring = 0,
        }
        self.start();
        self.loads -= 1;
        if self.loads == 0 {
            self.beside_count = 0;
            self.answer_waiting();
        }
    }

    /// Answers the questions about documents that wait for files, without these files.
    pub(super) fn answer_now(&mut self) {
        let (now, later) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|request: &lsp_server::Request| request.method.starts_with("textDocument/"));
        self.waiting = later;
        now.into_iter().for_each(|request| self.answer(request));
    }

    /// Returns the folders from which files may be read: those of the workspace, those named in the options, and those
    /// of documents outside.
    fn access(&self) -> Access {
        let schemas = self.options.analysis.schemas.iter().map(|path| folder_of(path).to_owned());
        let named = self.roots.iter().chain(&self.options.folders).chain(&self.beside).cloned();
        Access::new(named.chain(schemas))
    }

    /// Allows the folder of a document that is in no folder of the workspace.
    pub(super) fn allow_folder_of(&mut self, path: &str) {
        let is_below = |root: &String| path.strip_prefix(&**root).is_some_and(|rest| rest.starts_with('/'));
        let folder = folder_of(path);
        if path.starts_with('/') && !folder.is_empty() && !self.roots.iter().any(is_below) {
            self.beside.insert(folder.to_owned());
        }
    }

    /// Reads all folders of the workspace and of the options, on a separate thread.
    pub(super) fn read_roots(&mut self) {
        self.reading += 1;
        self.is_reading = true;
        if self.client.shows_progress {
            self.ask("window/workDoneProgress/create", json!({ "token": "hcl/files" }));
            self.progress(json!({ "kind": "begin", "title": "reading files in HCL" }));
        }
        let roots: Vec<String> = self.roots.iter().chain(&self.options.folders).cloned().collect();
        let (number, done) = (self.reading, self.done.clone());
        let (filter, access) = (self.workspace.filter(), self.access());
        let read = move || {
            let mut disk = Disk::default();
            let mut files = Vec::new();
            for root in roots {
                disk.read_below(&root, &filter, &access, |file| {
                    files.push(file);
                    if files.len() >= BATCH {
                        let _ = done.send(Done::Files(number, std::mem::take(&mut files)));
                    }
                });
            }
            let _ = done.send(Done::Files(number, files));
            let _ = done.send(Done::Notes(disk.notes));
            let _ = done.send(Done::AllFiles(number));
        };
        if thread::Builder::new().name("files".to_owned()).spawn(read).is_err() {
            self.is_reading = false;
        }
    }

    /// Takes files of the workspace, if they belong to the current reading.
    pub(super) fn files_read(&mut self, number: u64, files: Vec<disk::Read>) {
        if number == self.reading {
            self.take_files(files);
        }
    }

    pub(super) fn all_files_read(&mut self, number: u64) {
        if number != self.reading {
            return;
        }
        self.read_schemas();
        self.is_reading = false;
        self.read_new_patterns();
        self.is_stale = true;
        self.progress(json!({ "kind": "end" }));
        if self.loads == 0 {
            self.answer_waiting();
        }
        self.warm();
        self.refresh();
    }

    fn take_files(&mut self, files: Vec<disk::Read>) {
        for (path, bytes) in files {
            if !self.open.contains_key(&*path) {
                self.folders.insert(folder_of(&path).to_owned());
                self.workspace.set_bytes(&path, bytes);
            }
        }
    }

    /// Learns from all files before the first request.
    pub(super) fn warm(&self) {
        let snapshot = self.workspace.snapshot();
        let job = move || {
            // After an edit, the next request continues this work.
            let _ = snapshot.fill_tables();
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    /// Parses a file that has changed before the next question needs its tree.
    pub(super) fn warm_file(&mut self, path: &str) {
        let snapshot = self.workspace.snapshot();
        let Some(file) = snapshot.file(path).cloned() else { return };
        let job = move || {
            if !snapshot.is_outdated() {
                file.parsed();
            }
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    /// Reads the schemas that files name, and their imports.
    pub(super) fn read_schemas(&mut self) {
        let missing = self.workspace.missing_schemas().filter(|path| !self.tried.contains(path));
        let new: Vec<String> = missing.collect();
        if new.is_empty() {
            return;
        }
        self.tried.extend(new.iter().cloned());
        // Their imports are requested once they are read.
        self.take_from_disk(new);
        if self.is_watching {
            self.watch();
        }
    }

    /// Reads the files again if a schema was read that has patterns of its own: further files belong to the workspace.
    pub(super) fn read_new_patterns(&mut self) {
        if self.workspace.schema_patterns() == self.known_patterns {
            return;
        }
        self.folders.clear();
        self.watch();
        self.known_patterns = self.workspace.schema_patterns();
        self.read_roots();
        for path in self.open.keys().cloned().collect::<Vec<_>>() {
            self.read_beside(&path);
        }
    }

    /// Reads the folder of a document, and those of the modules that its files call, if they have not been read.
    pub(super) fn read_beside(&mut self, path: &str) {
        if path.starts_with('/') {
            self.read_folder(folder_of(path));
            self.read_installed(folder_of(path));
        }
    }

    /// Reads the modules that are installed for the program in a folder, as its list says.
    fn read_installed(&mut self, folder: &str) {
        const MAX_MODULES: usize = 500;
        let list = format!("{folder}/{MANIFEST}");
        if folder.is_empty() || !self.folders.insert(list.clone()) {
            return;
        }
        let (folder, filter, access) = (folder.to_owned(), self.workspace.filter(), self.access());
        self.load(move |disk| {
            if !disk.exists(&list) {
                return Loaded::Installed(Vec::new());
            }
            let Some(text) = disk.read(&list, &access) else { return Loaded::Installed(Vec::new()) };
            let modules: BTreeSet<String> = installed_folders(&folder, &text).into_iter().collect();
            let mut files = vec![(list, text)];
            // Modules in the folders of the workspace are read with these.
            for module in modules.iter().filter(|module| module.contains("/.terraform/")).take(MAX_MODULES) {
                files.extend(disk.read_folder(module, &filter.clone().including(module), &access));
            }
            Loaded::Installed(files)
        });
    }

    fn read_folder(&mut self, folder: &str) {
        const MAX_FOLDERS: usize = 200;
        if self.beside_count >= MAX_FOLDERS || !self.folders.insert(folder.to_owned()) {
            return;
        }
        self.beside_count += 1;
        let (folder, filter, access) = (folder.to_owned(), self.workspace.filter(), self.access());
        self.load(move |disk| Loaded::Folder(disk.read_folder(&folder, &filter, &access)));
    }

    /// Reads the current state of files from the disk.
    pub(super) fn take_from_disk(&mut self, paths: impl IntoIterator<Item = String>) {
        self.read_changes(paths.into_iter().map(|path| (path, false)).collect());
    }

    /// Reads files that have changed, each with true if it was removed, in their order.
    fn read_changes(&mut self, paths: Vec<(String, bool)>) {
        if paths.is_empty() {
            return;
        }
        let (filter, access, options) = (self.workspace.filter(), self.access(), self.options.clone());
        self.load(move |disk| {
            let read = |(path, is_removed): (String, bool)| {
                let change = match is_removed {
                    true => Change::Removed,
                    // The client has named the schemas.
                    false if options.analysis.schemas.contains(&path) => {
                        disk.read_named(&path, MAX_FILE).map_or(Change::Missing, Change::Bytes)
                    }
                    false if filter.wants(&path) => disk.read(&path, &access).map_or(Change::Missing, Change::Bytes),
                    false => Change::Missing,
                };
                (path, change)
            };
            Loaded::Changes(paths.into_iter().map(read).collect())
        });
    }

    /// Applies a change of a file on the disk, unless the file is open.
    fn take(&mut self, path: &str, change: Change) {
        match change {
            Change::Removed => {
                // A folder that is removed takes its files along.
                let snapshot = self.workspace.snapshot();
                let below = snapshot.files().map(|file| file.path().clone());
                let below = below.filter(|known| {
                    known.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                });
                let below: Vec<Arc<str>> = below.collect();
                drop(snapshot);
                for path in below.iter().filter(|path| !self.open.contains_key(*path)) {
                    self.workspace.remove(path);
                }
            }
            _ if self.open.contains_key(path) => {}
            Change::Bytes(bytes) => self.workspace.set_bytes(path, bytes),
            Change::Missing => self.workspace.remove(path),
        }
    }

    pub(super) fn files_changed(&mut self, params: &lsp::DidChangeWatchedFilesParams) {
        self.tried.clear();
        let changes = params.changes.iter();
        let changes = changes.map(|event| (path_of(&event.uri.0), event.kind == lsp::FileChangeType::Deleted));
        let changes = changes.filter(|(path, is_removed)| *is_removed || !self.open.contains_key(&**path));
        let (lists, changes): (Vec<_>, Vec<_>) = changes.partition(|(path, _)| path.ends_with(MANIFEST));
        for (path, _) in lists {
            self.folders.remove(&path);
            self.read_installed(path.trim_end_matches(MANIFEST).trim_end_matches('/'));
        }
        self.read_changes(changes);
        self.read_schemas();
        self.is_stale = true;
        self.refresh();
    }

    /// Takes files and folders that were renamed: what was known at the old paths is read at the new ones.
    pub(super) fn files_renamed(&mut self, params: &lsp::RenameFilesParams) {
        let moves: Vec<(String, String)> =
            params.files.iter().map(|file| (path_of(&file.old_uri.0), path_of(&file.new_uri.0))).collect();
        let known: Vec<Arc<str>> = self.workspace.snapshot().files().map(|file| file.path().clone()).collect();
        let mut new: BTreeSet<String> = moves.iter().map(|(_, new)| new.clone()).collect();
        for (old, to) in &moves {
            let below = known.iter().filter(|path| is_below(path, old));
            new.extend(below.map(|path| format!("{to}{}", &path[old.len()..])));
        }
        let filter = self.workspace.filter();
        new.retain(|path| !self.open.contains_key(&**path) && filter.wants(path));
        let removed = moves.into_iter().map(|(old, _)| (old, true));
        self.read_changes(removed.chain(new.into_iter().map(|path| (path, false))).collect());
        self.is_stale = true;
    }

    pub(super) fn folders_changed(&mut self, params: &lsp::DidChangeWorkspaceFoldersParams) {
        let removed: Vec<String> = params.event.removed.iter().map(|folder| path_of(&folder.uri.0)).collect();
        self.roots.retain(|root| !removed.contains(root));
        self.roots.extend(params.event.added.iter().map(|folder| path_of(&folder.uri.0)));
        let is_gone = |path: &str| {
            removed.iter().any(|root| path.strip_prefix(&**root).is_some_and(|rest| rest.starts_with('/')))
        };
        let gone: Vec<Arc<str>> =
            self.workspace.snapshot().files().map(|file| file.path().clone()).filter(|path| is_gone(path)).collect();
        for path in gone.iter().filter(|path| !self.open.contains_key(*path)) {
            self.workspace.remove(path);
        }
        self.folders.retain(|folder| !is_gone(folder) && !removed.contains(folder));
        for path in self.open.keys().cloned().collect::<Vec<_>>() {
            self.allow_folder_of(&path);
        }
        self.is_stale = true;
        self.read_roots();
    }
}
