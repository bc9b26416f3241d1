//! The capabilities of the client, and its documents.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::position::Encoding;

/// The capabilities of the client, and the encoding of its positions.
#[derive(Clone, Debug)]
pub(crate) struct ClientInfo {
    pub encoding: Encoding,
    pub snippets: bool,
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
    /// The addresses of open documents, by path.
    pub uris: HashMap<Arc<str>, String>,
    /// The versions of open documents, by path.
    pub versions: HashMap<Arc<str>, i32>,
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
            uris: HashMap::new(),
            versions: HashMap::new(),
        }
    }
}
