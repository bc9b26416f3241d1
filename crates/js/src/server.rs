//! The language server, which answers messages of the protocol one by one.

use hcl_lr_lsp::SingleThread;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json;

/// A language server for one client, without threads and files.
#[wasm_bindgen]
#[derive(Default)]
pub struct LanguageServer(SingleThread);

#[wasm_bindgen]
impl LanguageServer {
    /// Creates a server without files.
    #[wasm_bindgen(constructor)]
    pub fn new() -> LanguageServer {
        LanguageServer::default()
    }

    /// Handles a message. Returns the messages for the client as a JSON list.
    pub fn receive(&mut self, message: &str) -> String {
        list(self.0.receive(message))
    }

    /// Computes the diagnostics of documents that have changed. To be called when no message waits. Returns the
    /// messages for the client as a JSON list.
    pub fn idle(&mut self) -> String {
        list(self.0.publish_diagnostics())
    }
}

fn list(messages: Vec<String>) -> String {
    let mut out = String::new();
    json::list(messages, &mut out, |message, out| out.push_str(&message));
    out
}
