//! Open documents: their texts and their diagnostics.

use std::sync::Arc;

use gen_lsp_types as lsp;
use serde_json::{Value, json};

use super::due::{Diagnosed, diagnosed};
use super::{Done, Server};
use crate::answers::items;
use crate::convert::Converter;
use crate::position::Lines;
use crate::uri::path_of;

impl Server {
    pub(super) fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, language_id } = params.text_document;
        let path: Arc<str> = path_of(&uri.0).into();
        Arc::make_mut(&mut self.client).documents.open(&path, uri.0, version);
        self.allow_folder_of(&path);
        self.read_beside(&path);
        self.workspace.set_editor_language(&path, &language_id.to_string());
        self.set_text(path, text.into());
    }

    fn set_text(&mut self, path: Arc<str>, text: Arc<str>) {
        self.workspace.set(&path, text.clone());
        self.due.add(path.clone());
        self.open.insert(path, text);
        self.read_schemas();
        self.read_new_patterns();
        self.is_stale = true;
    }

    pub(super) fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path: Arc<str> = path_of(&params.text_document.text_document_identifier.uri.0).into();
        let Some(text) = self.open.get(&path).cloned() else {
            self.say(format!("a document changes that is not open: {path}"));
            return;
        };
        // The places in these questions are those in the text before.
        self.answer_now();
        let mut text = text.to_string();
        for change in params.content_changes {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let span = Lines::new(&text, self.client.encoding).span(&text, part.range);
                    text.replace_range(span.range(), &part.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        Arc::make_mut(&mut self.client).documents.set_version(&path, params.text_document.version);
        self.set_text(path.clone(), text.into());
        self.warm_file(&path);
    }

    pub(super) fn closed(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let path = path_of(&params.text_document.uri.0);
        self.answer_now();
        self.open.remove(&*path);
        self.due.remove(&Arc::from(&*path));
        self.take_from_disk([path.clone()]);
        // Clients keep the diagnostics of closed documents until they are cleared.
        if self.published.remove(&*path).is_some_and(|(_, items)| !items.is_empty()) {
            self.notify(
                "textDocument/publishDiagnostics",
                json!({ "uri": params.text_document.uri, "diagnostics": [] }),
            );
        }
        let client = Arc::make_mut(&mut self.client);
        client.documents.close(&path);
        client.sent.forget(&path);
        self.is_stale = true;
    }

    /// Computes the diagnostics of the open documents that depend on what has changed, unless the client requests them.
    pub(super) fn compute_diagnostics(&mut self) {
        let changes = self.workspace.take_changes();
        if self.client.pulls_diagnostics {
            return;
        }
        self.due.changed(&changes, self.open.keys());
        let paths = self.due.take();
        if paths.is_empty() {
            return;
        }
        let (snapshot, client, done) = (self.workspace.snapshot(), self.client.clone(), self.done.clone());
        self.is_diagnosing = true;
        let job = move || {
            let found = diagnosed(&paths, |path| {
                let items = items(&Converter::new(&snapshot, &client), path)?;
                Ok((items, snapshot.folders_behind(path)?))
            });
            let revision = snapshot.revision();
            // Whoever counts the uses of the files next must not find these.
            drop((snapshot, client));
            let _ = done.send(Done::Diagnostics(revision, found.map_err(|_| paths)));
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    /// Takes the diagnostics of documents, if the files are still the same. Otherwise they are computed again.
    pub(super) fn take_diagnosed(&mut self, revision: u64, found: Result<Vec<Diagnosed>, Vec<Arc<str>>>) {
        self.is_diagnosing = false;
        let found = match found {
            Ok(found) if revision == self.workspace.snapshot().revision() => found,
            Ok(found) => return self.diagnose_again(found.into_iter().map(|found| found.path)),
            Err(paths) => return self.diagnose_again(paths),
        };
        self.checks += found.len() as u64;
        for Diagnosed { path, items, folders } in found {
            if !self.open.contains_key(&path) {
                continue;
            }
            if items.is_none() {
                self.say(format!("internal error: the diagnostics of {path} failed; please report this"));
            }
            self.publish(&path, items.unwrap_or_default());
            self.due.depends(&path, folders);
        }
    }

    fn diagnose_again(&mut self, paths: impl IntoIterator<Item = Arc<str>>) {
        for path in paths.into_iter().filter(|path| self.open.contains_key(path)) {
            self.due.add(path);
        }
        self.is_stale = true;
    }

    fn publish(&mut self, path: &Arc<str>, items: Vec<Value>) {
        let version = self.client.documents.version(path);
        // Each version is answered, so that a client can tell when a document has no more errors.
        if self
            .published
            .get(path)
            .is_some_and(|(sent, known)| *known == items && (items.is_empty() || *sent == version))
        {
            return;
        }
        let uri = self.client.documents.address(path);
        self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "version": version, "diagnostics": items }));
        self.published.insert(path.clone(), (version, items));
    }
}
