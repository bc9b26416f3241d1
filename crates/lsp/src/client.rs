//! The capabilities of the client, and its documents.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::position::Encoding;
use crate::sent::Sent;
use crate::uri::uri_of;

/// The capabilities of the client, and the encoding of its positions.
#[derive(Clone, Debug)]
pub(crate) struct ClientInfo {
    pub encoding: Encoding,
    pub snippets: bool,
    /// True if it asks for the description of the completion that it shows.
    pub resolves_documentation: bool,
    pub markdown: bool,
    pub definition_links: bool,
    pub nested_symbols: bool,
    pub related_information: bool,
    pub versioned_edits: bool,
    /// True if it shows the pages about diagnostic codes, whose text the server provides.
    pub explains: bool,
    pub pulls_diagnostics: bool,
    pub watches_files: bool,
    pub has_configuration: bool,
    pub refreshes: Vec<&'static str>,
    pub shows_progress: bool,
    /// The open documents.
    pub documents: Documents,
    /// The answers that it may still refer to.
    pub sent: Arc<Sent>,
}

impl ClientInfo {
    pub fn of(capabilities: &Value) -> ClientInfo {
        let has = |path: &str| capabilities.pointer(path).and_then(Value::as_bool).unwrap_or_default();
        let lists = |path: &str, item: &str| {
            let list = capabilities.pointer(path).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|known| known == item))
        };
        let offered = capabilities.pointer("/general/positionEncodings").and_then(Value::as_array);
        let offers = |name: &str| offered.is_some_and(|all| all.iter().any(|offer| offer == name));
        let encoding = match () {
            () if offers("utf-8") => Encoding::Utf8,
            () if offers("utf-32") && !offers("utf-16") => Encoding::Utf32,
            () => Encoding::Utf16,
        };
        let refreshes = [
            ("/workspace/semanticTokens/refreshSupport", "workspace/semanticTokens/refresh"),
            ("/workspace/inlayHint/refreshSupport", "workspace/inlayHint/refresh"),
            ("/workspace/codeLens/refreshSupport", "workspace/codeLens/refresh"),
            ("/workspace/diagnostics/refreshSupport", "workspace/diagnostic/refresh"),
        ];
        ClientInfo {
            encoding,
            snippets: has("/textDocument/completion/completionItem/snippetSupport"),
            resolves_documentation: lists(
                "/textDocument/completion/completionItem/resolveSupport/properties",
                "documentation",
            ),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            definition_links: has("/textDocument/definition/linkSupport"),
            nested_symbols: has("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            related_information: has("/textDocument/publishDiagnostics/relatedInformation"),
            versioned_edits: has("/workspace/workspaceEdit/documentChanges"),
            explains: capabilities.pointer("/workspace/textDocumentContent").is_some_and(Value::is_object),
            pulls_diagnostics: capabilities.pointer("/textDocument/diagnostic").is_some_and(Value::is_object),
            watches_files: has("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            has_configuration: has("/workspace/configuration"),
            refreshes: refreshes.iter().filter(|(path, _)| has(path)).map(|(_, method)| *method).collect(),
            shows_progress: has("/window/workDoneProgress"),
            documents: Documents::default(),
            sent: Arc::default(),
        }
    }
}

/// The number of parts of [`Documents`].
const PARTS: usize = 64;

/// The addresses and versions of open documents, by path. Answers have a copy of their own, so it is divided into parts: a
/// change after a copy copies one of them.
#[derive(Clone, Debug)]
pub(crate) struct Documents {
    parts: Vec<Arc<HashMap<Arc<str>, OpenDocument>>>,
}

/// The address and the version of an open document.
#[derive(Clone, Debug)]
struct OpenDocument {
    /// The address, if it is not the one that the server would write.
    uri: Option<String>,
    version: i32,
}

impl Default for Documents {
    fn default() -> Documents {
        Documents { parts: vec![Arc::default(); PARTS] }
    }
}

impl Documents {
    fn part_of(path: &str) -> usize {
        let sum = path.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        sum % PARTS
    }

    /// Adds a document.
    pub fn open(&mut self, path: &Arc<str>, uri: String, version: i32) {
        let uri = Some(uri).filter(|uri| *uri != uri_of(path));
        let part = Arc::make_mut(&mut self.parts[Documents::part_of(path)]);
        part.insert(path.clone(), OpenDocument { uri, version });
    }

    /// Sets the version of a document after a change.
    pub fn set_version(&mut self, path: &str, version: i32) {
        if let Some(document) = Arc::make_mut(&mut self.parts[Documents::part_of(path)]).get_mut(path) {
            document.version = version;
        }
    }

    /// Removes a document.
    pub fn close(&mut self, path: &str) {
        Arc::make_mut(&mut self.parts[Documents::part_of(path)]).remove(path);
    }

    fn get(&self, path: &str) -> Option<&OpenDocument> {
        self.parts[Documents::part_of(path)].get(path)
    }

    /// Returns the address of a file: the one by which the client has opened it, or the one that the server writes.
    pub fn address(&self, path: &str) -> String {
        self.get(path).and_then(|document| document.uri.clone()).unwrap_or_else(|| uri_of(path))
    }

    /// Returns the version of a document. `None` if it is not open.
    pub fn version(&self, path: &str) -> Option<i32> {
        Some(self.get(path)?.version)
    }
}
