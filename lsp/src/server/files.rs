//! The files of the workspace that are not open: reading and watching them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use gen_lsp_types as lsp;
use hcl_lr::schema::FILE_EXTENSIONS;
use hcl_lr_analysis::language::is_hcl;
use hcl_lr_analysis::workspace::SCHEMA_FILE;
use serde_json::{Value, json};

use super::{BATCH, Done, Server};
use crate::disk;
use crate::uri::path_of;

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
        let schemas = self.options.analysis.schemas.iter();
        globs.extend(schemas.flat_map(|path| self.workspace.patterns_of_schema(path)));
        // Schemas may have any name.
        let named = self.options.analysis.schemas.iter().chain(&self.tried);
        let names = named.map(|path| path.rsplit('/').next().unwrap_or(path)).filter(|name| !is_hcl(name));
        globs.extend(names.map(|name| format!("**/{name}")).collect::<BTreeSet<_>>());
        let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
        let watch = json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": { "watchers": watchers } });
        self.ask("client/registerCapability", json!({ "registrations": [watch] }));
    }

    /// Reads all folders of the workspace, on a thread of its own.
    pub(super) fn read_roots(&mut self) {
        self.reading += 1;
        self.is_reading = true;
        if self.client.shows_progress {
            self.ask("window/workDoneProgress/create", json!({ "token": "hcl/files" }));
            self.progress(json!({ "kind": "begin", "title": "reading files in HCL" }));
        }
        let (roots, number, done) = (self.roots.clone(), self.reading, self.done.clone());
        let filter = self.workspace.filter();
        let read = move || {
            let mut files = Vec::new();
            for root in roots {
                disk::read_below(&root, &filter, |file| {
                    files.push(file);
                    if files.len() >= BATCH {
                        let _ = done.send(Done::Files(number, std::mem::take(&mut files), false));
                    }
                });
            }
            let _ = done.send(Done::Files(number, files, true));
        };
        if thread::Builder::new().name("files".to_owned()).spawn(read).is_err() {
            self.is_reading = false;
        }
    }

    /// Learns what all files use, ahead of the first question.
    pub(super) fn warm(&self) {
        let snapshot = self.workspace.snapshot();
        let job = move || {
            // After an edit, the next question goes on.
            let _ = snapshot.fill_tables();
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    /// Finds out what a file says by itself, ahead of the question about it, which asks the same files together meanwhile.
    pub(super) fn warm_file(&self, path: &str) {
        let snapshot = self.workspace.snapshot();
        let Some(file) = snapshot.file(path).cloned() else { return };
        let job = move || {
            if !snapshot.is_outdated() {
                file.learned();
            }
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    /// Reads the schemas that files name, wherever they are, and what these import.
    pub(super) fn read_schemas(&mut self) {
        let mut has_new = false;
        loop {
            let missing = self.workspace.missing_schemas().map(str::to_owned);
            let new: Vec<String> = missing.filter(|path| !self.tried.contains(path)).collect();
            if new.is_empty() {
                break;
            }
            has_new = true;
            for path in new {
                self.take_from_disk(&path);
                self.tried.insert(path);
            }
        }
        if has_new && self.is_watching {
            self.watch();
        }
    }

    /// Reads the folder of a file, and those of the modules that it calls, if they have not been read.
    pub(super) fn read_beside(&mut self, path: &str) {
        const MAX_FOLDERS: usize = 200;
        let mut waiting = vec![crate::uri::folder_of(path).to_owned()];
        let mut count = 0;
        while let Some(folder) = waiting.pop() {
            count += 1;
            if count > MAX_FOLDERS || !self.folders.insert(folder.clone()) {
                continue;
            }
            for (path, bytes) in disk::read_folder(&folder, &self.workspace.filter()) {
                if !self.open.contains_key(&*path) {
                    self.workspace.set_bytes(&path, bytes);
                }
                if let Some(file) = self.workspace.snapshot().file(&path) {
                    waiting.extend(file.calls().iter().filter_map(|call| call.folder.clone()));
                }
            }
        }
    }

    /// Takes a file as it is on the disk.
    pub(super) fn take_from_disk(&mut self, path: &str) {
        match Some(path).filter(|path| self.workspace.filter().wants(path)).and_then(disk::read) {
            Some(bytes) => self.workspace.set_bytes(path, bytes),
            None => self.workspace.remove(path),
        }
    }

    pub(super) fn files_changed(&mut self, params: &lsp::DidChangeWatchedFilesParams) {
        self.tried.clear();
        for event in &params.changes {
            let path = path_of(&event.uri.0);
            if event.kind == lsp::FileChangeType::Deleted {
                // A folder that is removed takes its files along.
                let snapshot = self.workspace.snapshot();
                let below = snapshot.files().map(|file| file.path().clone());
                let below = below.filter(|one| {
                    one.strip_prefix(&*path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                });
                for one in below.collect::<Vec<_>>() {
                    if !self.open.contains_key(&one) {
                        self.workspace.remove(&one);
                    }
                }
            } else if !self.open.contains_key(&*path) {
                self.take_from_disk(&path);
            }
        }
        self.read_schemas();
        self.is_stale = true;
        self.refresh();
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
        self.is_stale = true;
        self.read_roots();
    }
}
