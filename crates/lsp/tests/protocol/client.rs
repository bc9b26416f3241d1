//! A client in memory: messages go to the server and come back as they would over a stream.

use std::collections::HashMap;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    next: i32,
    /// The diagnostics of each document that were sent last.
    pub published: HashMap<String, Value>,
    /// Messages for the user, and the log.
    pub said: Vec<String>,
    /// The patterns of the files that the client was last requested to watch.
    pub watched: Vec<String>,
    /// A text to search for in all messages, and the messages that contain it, with the last request.
    pub searched: Option<String>,
    pub found: Vec<(String, Value)>,
    /// The number of messages.
    pub received: usize,
    last: String,
}

/// The server is busy elsewhere, or has stopped: no answer takes as long.
const PATIENCE: Duration = Duration::from_secs(120);

impl Client {
    /// Starts a server with folders and capabilities.
    pub fn start(roots: &[String], capabilities: &Value, options: &Value) -> Client {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || hcl_lr_lsp::serve(server));
        let mut client = Client {
            connection: client,
            server: Some(server),
            next: 0,
            published: HashMap::new(),
            said: Vec::new(),
            watched: Vec::new(),
            searched: None,
            found: Vec::new(),
            received: 0,
            last: String::new(),
        };
        let folders: Vec<Value> =
            roots.iter().map(|root| json!({ "uri": format!("file://{root}"), "name": "root" })).collect();
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders, "initializationOptions": options });
        let answer = client.ask("initialize", params).expect("capabilities");
        serde_json::from_value::<gen_lsp_types::InitializeResult>(answer)
            .expect("the capabilities are those of the protocol");
        client.tell("initialized", json!({}));
        client.ask("hcl/status", Value::Null).expect("the files are read");
        client
    }

    pub fn tell(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server runs");
    }

    /// Asks, and waits for the answer; `Err` has the message of an error.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        self.wait(&id)
    }

    pub fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        if self.searched.is_some() {
            self.last = format!("{method} {params}");
        }
        let id = RequestId::from(self.next);
        let message = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server runs");
        id
    }

    pub fn wait(&mut self, id: &RequestId) -> Result<Value, String> {
        loop {
            let message = self.connection.receiver.recv_timeout(PATIENCE).expect("a message");
            self.received += 1;
            if let Some(searched) = &self.searched {
                let message = json!(message);
                if message.to_string().contains(searched) {
                    self.found.push((self.last.clone(), message));
                }
            }
            match message {
                Message::Response(Response { id: known, response_result }) if known == *id => {
                    return response_result.map_err(|error| format!("error {}: {}", error.code, error.message));
                }
                Message::Response(_) => {}
                Message::Notification(notification) => self.notified(notification),
                Message::Request(request) => {
                    if request.method == "client/registerCapability" {
                        self.watched = watched(&request.params);
                    }
                    let answer = Response::new_ok(request.id, Value::Null);
                    self.connection.sender.send(answer.into()).expect("the server runs");
                }
            }
        }
    }

    fn notified(&mut self, notification: Notification) {
        match notification.method.as_str() {
            "textDocument/publishDiagnostics" => {
                let uri = notification.params["uri"].as_str().unwrap_or_default().to_owned();
                self.published.insert(uri, notification.params["diagnostics"].clone());
            }
            "window/showMessage" => {
                self.said.push(notification.params["message"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }

    /// Shuts the server down. Returns true if it ends well.
    pub fn end(mut self) -> bool {
        let asked = self.ask("shutdown", Value::Null).is_ok();
        self.tell("exit", Value::Null);
        let ended = self.server.take().map(|server| server.join());
        asked && matches!(ended, Some(Ok(true)))
    }
}

/// The patterns in a question to watch files.
fn watched(params: &Value) -> Vec<String> {
    let registrations = params["registrations"].as_array().into_iter().flatten();
    let watchers = registrations
        .flat_map(|registration| registration["registerOptions"]["watchers"].as_array().cloned().unwrap_or_default());
    watchers.filter_map(|watcher| watcher["globPattern"].as_str().map(str::to_owned)).collect()
}
