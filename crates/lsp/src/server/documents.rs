//! Open documents: their texts and their diagnostics.

use std::sync::Arc;

use gen_lsp_types as lsp;
use serde_json::{Value, json};

use super::{Done, Server, diagnosed};
use crate::answers::items;
use crate::convert::Converter;
use crate::position::Lines;
use crate::uri::{path_of, uri_of};

impl Server {
    pub(super) fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, language_id } = params.text_document;
        let path: Arc<str> = path_of(&uri.0).into();
        let client = Arc::make_mut(&mut self.client);
        // Most addresses are as the server would write them.
        if uri_of(&path) != uri.0 {
            client.uris.insert(path.clone(), uri.0);
        }
        client.versions.insert(path.clone(), version);
        self.allow_folder_of(&path);
        self.read_beside(&path);
        self.workspace.set_editor_language(&path, &language_id.to_string());
        self.set_text(path, text.into());
    }

    fn set_text(&mut self, path: Arc<str>, text: Arc<str>) {
        self.workspace.set(&path, text.clone());
        self.undiagnosed.insert(path.clone());
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
        Arc::make_mut(&mut self.client).versions.insert(path.clone(), params.text_document.version);
        self.set_text(path.clone(), text.into());
        self.warm_file(&path);
    }

    pub(super) fn closed(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let path = path_of(&params.text_document.uri.0);
        self.answer_now();
        self.open.remove(&*path);
        self.undiagnosed.remove(&*path);
        self.take_from_disk([path.clone()]);
        // Clients keep the diagnostics of closed documents until they are cleared.
        if self.published.remove(&*path).is_some_and(|items| !items.is_empty()) {
            self.notify(
                "textDocument/publishDiagnostics",
                json!({ "uri": params.text_document.uri, "diagnostics": [] }),
            );
        }
        let client = Arc::make_mut(&mut self.client);
        client.uris.remove(&*path);
        client.versions.remove(&*path);
        self.is_stale = true;
    }

    /// Computes the diagnostics of open documents, unless the client requests them. Documents whose diagnostics were
    /// sent for these files are skipped, so that opening documents one after the other takes linear time.
    pub(super) fn compute_diagnostics(&mut self) {
        if self.client.pulls_diagnostics || self.open.is_empty() {
            return;
        }
        let snapshot = self.workspace.snapshot();
        let new = std::mem::take(&mut self.undiagnosed);
        let paths: Vec<Arc<str>> = match snapshot.revision() == self.diagnosed {
            true => new.into_iter().collect(),
            false => self.open.keys().cloned().collect(),
        };
        if paths.is_empty() {
            return;
        }
        let (client, done) = (self.client.clone(), self.done.clone());
        self.is_diagnosing = true;
        let job = move || {
            let found = diagnosed(paths, |path| items(&Converter::new(&snapshot, &client), path)).ok();
            let revision = snapshot.revision();
            // Whoever counts the uses of the files next must not find these.
            drop((snapshot, client));
            let _ = done.send(Done::Diagnostics(revision, found));
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }

    pub(super) fn publish(&mut self, path: &Arc<str>, items: Vec<Value>) {
        if !self.open.contains_key(path) {
            return;
        }
        let uri = self.client.uris.get(path).cloned().unwrap_or_else(|| uri_of(path));
        let known = self.published.get(path);
        // Each version is answered, so that a client can tell when a document has no more errors.
        if known == Some(&items) && items.is_empty() {
            return;
        }
        let version = self.client.versions.get(path);
        self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "version": version, "diagnostics": items }));
        self.published.insert(path.clone(), items);
    }
}
