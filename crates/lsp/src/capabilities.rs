//! The capabilities of the server.

use serde_json::{Value, json};

use crate::answers::{TOKEN_MODIFIERS, TOKEN_TYPES};
use crate::client::ClientInfo;
use crate::commands::COMMANDS;
use crate::uri::EXPLANATIONS;

/// Returns the result of `initialize` for a client.
pub fn initialize_result(client: &ClientInfo) -> Value {
    let filters = json!([{ "scheme": "file", "pattern": { "glob": "**" } }]);
    json!({
        "serverInfo": { "name": "hcl", "version": env!("CARGO_PKG_VERSION") },
        "capabilities": {
            "positionEncoding": client.encoding.name(),
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "completionProvider": { "triggerCharacters": [".", "\"", "[", "{"], "resolveProvider": true },
            "hoverProvider": true,
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "definitionProvider": true,
            "declarationProvider": true,
            "typeDefinitionProvider": true,
            "implementationProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": {
                "codeActionKinds": ["quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.fixAll.hcl"],
            },
            "codeLensProvider": { "resolveProvider": false },
            "documentLinkProvider": { "resolveProvider": false },
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "\n", "moreTriggerCharacter": ["}"] },
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "callHierarchyProvider": true,
            "inlayHintProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS },
                "full": { "delta": true },
                "range": true,
            },
            "diagnosticProvider": { "interFileDependencies": true, "workspaceDiagnostics": true },
            "executeCommandProvider": { "commands": COMMANDS },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "fileOperations": { "willRename": { "filters": filters }, "didRename": { "filters": filters } },
                "textDocumentContent": { "schemes": [EXPLANATIONS] },
            },
        },
    })
}
