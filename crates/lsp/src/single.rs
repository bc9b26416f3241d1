//! The server without threads and files, for browsers and other places that have none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gen_lsp_types as lsp;
use hcl_lr_analysis::Workspace;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::{Method, items, method};
use crate::capabilities::initialize_result;
use crate::client::ClientInfo;
use crate::convert::Converter;
use crate::disk::Disk;
use crate::position::Lines;
use crate::question::Question;
use crate::settings::{self, Options};
use crate::uri::path_of;

/// A language server that handles one message after the other, without threads and files.
///
/// The files of the workspace are the open documents, and those that the notification `hcl/didChangeFiles` gives: its
/// parameter `files` is a list of objects with `uri` and `text`, which is null for a file that was removed. Settings that
/// name files on a disk are ignored.
///
/// ```
/// use hcl_lr_lsp::SingleThread;
/// use serde_json::{Value, json};
///
/// let mut server = SingleThread::default();
/// server.receive(&json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }).to_string());
/// let document = json!({ "uri": "file:///a.hcl", "languageId": "hcl", "version": 1, "text": "a = [1 2]\n" });
/// let open = json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } });
/// assert!(server.receive(&open.to_string()).is_empty());
/// let messages = server.publish_diagnostics();
/// let message: Value = serde_json::from_str(&messages[0])?;
/// assert_eq!(message["params"]["diagnostics"][0]["code"], "missing-comma");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Default)]
pub struct SingleThread {
    workspace: Workspace,
    /// The client, once it has introduced itself.
    client: Option<ClientInfo>,
    options: Options,
    open: BTreeMap<Arc<str>, Arc<str>>,
    /// The other files, by path.
    closed: BTreeMap<String, String>,
    /// The documents that have diagnostics at the client.
    published: BTreeSet<Arc<str>>,
    is_stale: bool,
    is_shut_down: bool,
    out: Vec<String>,
}

impl SingleThread {
    /// Handles a message. Returns the messages for the client.
    pub fn receive(&mut self, message: &str) -> Vec<String> {
        match serde_json::from_str(message) {
            Ok(Message::Request(request)) => self.request(request),
            Ok(Message::Notification(notification)) => self.notification(notification),
            // The server asks nothing.
            Ok(Message::Response(_)) => {}
            Err(why) => {
                // The protocol wants an answer without a number.
                let error = json!({ "code": ErrorCode::ParseError as i32, "message": why.to_string() });
                self.out.push(json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string());
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Computes the diagnostics of the open documents if files have changed since. Returns the messages for the client.
    pub fn publish_diagnostics(&mut self) -> Vec<String> {
        let Some(client) = self.client.as_ref().filter(|client| self.is_stale && !client.pulls_diagnostics) else {
            return Vec::new();
        };
        self.is_stale = false;
        let snapshot = self.workspace.snapshot();
        let mut messages = Vec::new();
        for path in self.open.keys() {
            // Nothing cancels without threads.
            let found = items(&Converter::new(&snapshot, client), path).unwrap_or_default();
            let uri = client.documents.address(path);
            let version = client.documents.version(path);
            self.published.insert(path.clone());
            let params = json!({ "uri": uri, "version": version, "diagnostics": found });
            messages.push(notification("textDocument/publishDiagnostics", params));
        }
        messages
    }

    fn request(&mut self, request: Request) {
        let Request { id, method: name, params } = request;
        let error = |code: ErrorCode, message: String| ResponseError { code: code as i32, message, data: None };
        let result = match (name.as_str(), &self.client) {
            ("initialize", Some(_)) => {
                Err(error(ErrorCode::InvalidRequest, "the server has been initialized already".to_owned()))
            }
            ("initialize", None) => Ok(self.initialize(&params).to_string()),
            (_, None) => Err(error(ErrorCode::ServerNotInitialized, "the server has not been initialized".to_owned())),
            ("shutdown", _) => {
                self.is_shut_down = true;
                Ok("null".to_owned())
            }
            _ if self.is_shut_down => Err(error(ErrorCode::InvalidRequest, "the server has been shut down".to_owned())),
            (_, Some(client)) => match method(&name) {
                Some(function) => {
                    let snapshot = self.workspace.snapshot();
                    let question = Question { to: Converter::new(&snapshot, client), options: &self.options, params };
                    let answer = match function {
                        Method::Value(function) => function(&question).map(|value| value.to_string()),
                        Method::Text(function) => function(&question),
                    };
                    answer.map_err(|failure| failure.into_error(&name))
                }
                None => Err(error(ErrorCode::MethodNotFound, format!("the method {name} is not supported"))),
            },
        };
        self.respond(id, result);
    }

    fn respond(&mut self, id: RequestId, result: Result<String, ResponseError>) {
        self.out.push(match result {
            Ok(text) => format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{text}}}", json!(id)),
            Err(error) => {
                let mut message = json!(Response { id, response_result: Err(error) });
                message["jsonrpc"] = json!("2.0");
                message.to_string()
            }
        });
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let client = ClientInfo::of(&params["capabilities"]);
        let result = initialize_result(&client);
        self.client = Some(client);
        self.configure(params["initializationOptions"].clone());
        result
    }

    fn configure(&mut self, mut value: Value) {
        let mut value = value.get_mut("hcl").map(Value::take).unwrap_or(value);
        if let Some(providers) = value.as_object_mut().and_then(|settings| settings.remove("providers")) {
            self.say(format!("the setting `providers` names files, which there are none of here: {providers}"));
        }
        let (options, wrong) = settings::read(&value, None, &mut Disk::default());
        self.options = options;
        self.workspace.set_settings(self.options.analysis.clone());
        self.is_stale = true;
        wrong.into_iter().for_each(|text| self.say(text));
    }

    fn say(&mut self, text: String) {
        self.out.push(notification("window/logMessage", json!({ "type": 3, "message": text })));
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, mut params } = notification;
        if self.client.is_none() {
            return;
        }
        let outcome = match method.as_str() {
            "textDocument/didOpen" => read(params).map(|params| self.opened(params)),
            "textDocument/didChange" => read(params).map(|params| self.changed(params)),
            "textDocument/didClose" => read(params).map(|params| self.closed(&params)),
            "workspace/didChangeConfiguration" => {
                self.configure(params["settings"].take());
                Ok(())
            }
            "hcl/didChangeFiles" => {
                self.files_changed(&params);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(why) = outcome {
            self.say(format!("the parameters of {method} are wrong: {why}"));
        }
    }

    fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, language_id } = params.text_document;
        let path: Arc<str> = path_of(&uri.0).into();
        self.workspace.set_editor_language(&path, &language_id.to_string());
        self.set_text(path, uri.0, version, text.into());
    }

    fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri.0;
        let path: Arc<str> = path_of(&uri).into();
        let (Some(text), Some(client)) = (self.open.get(&path), &self.client) else {
            self.say(format!("a document changes that is not open: {path}"));
            return;
        };
        let mut text = text.to_string();
        for change in params.content_changes {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let span = Lines::new(&text, client.encoding).span(&text, part.range);
                    text.replace_range(span.range(), &part.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        self.set_text(path, uri, params.text_document.version, text.into());
    }

    fn set_text(&mut self, path: Arc<str>, uri: String, version: i32, text: Arc<str>) {
        if let Some(client) = &mut self.client {
            client.documents.open(&path, uri, version);
        }
        self.workspace.set(&path, text.clone());
        self.open.insert(path, text);
        self.is_stale = true;
    }

    fn closed(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let path = path_of(&params.text_document.uri.0);
        self.open.remove(&*path);
        match self.closed.get(&path) {
            Some(text) => self.workspace.set(&path, &**text),
            None => self.workspace.remove(&path),
        }
        // Clients keep the diagnostics of closed documents until they are cleared.
        if self.published.remove(&*path) {
            let params = json!({ "uri": params.text_document.uri, "diagnostics": [] });
            self.out.push(notification("textDocument/publishDiagnostics", params));
        }
        if let Some(client) = &mut self.client {
            client.documents.close(&path);
            client.sent.forget(&path);
        }
        self.is_stale = true;
    }

    fn files_changed(&mut self, params: &Value) {
        for file in params["files"].as_array().into_iter().flatten() {
            let Some(path) = file["uri"].as_str().map(path_of) else { continue };
            let is_open = self.open.contains_key(&*path);
            match file["text"].as_str() {
                Some(text) => {
                    if !is_open {
                        self.workspace.set(&path, text);
                    }
                    self.closed.insert(path, text.to_owned());
                }
                None => {
                    if !is_open {
                        self.workspace.remove(&path);
                    }
                    self.closed.remove(&path);
                }
            }
        }
        self.is_stale = true;
    }
}

fn notification(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(params)
}
