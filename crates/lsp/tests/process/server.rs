//! The server as a process, with its messages in both directions.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// The environment variable that makes this program the server.
pub const SERVE: &str = "HCL_LSP_SERVE";

/// The server is busy elsewhere, or has stopped: no answer takes as long.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// The answers that nobody has waited for yet, by their ids.
    answers: HashMap<String, Vec<Value>>,
    /// The documents whose diagnostics arrived.
    published: HashMap<String, usize>,
    next: u64,
    /// The starts of the last messages.
    sent: Vec<String>,
}

/// Reads the next message; `None` if there are no more.
fn read(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ")?.parse::<usize>().ok(),
        }
    }
    let mut text = vec![0; length?];
    stream.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

impl Server {
    /// Starts the process.
    pub fn spawn() -> Server {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .env(SERVE, "1")
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Server { child, input, messages, answers: HashMap::new(), published: HashMap::new(), next: 0, sent: Vec::new() }
    }

    /// Starts a server with a folder, for the client that is a process.
    pub fn start(root: Option<&Path>, process: Option<u32>) -> Server {
        let mut server = Server::spawn();
        let folders: Vec<Value> =
            root.iter().map(|root| json!({ "uri": format!("file://{}", root.display()), "name": "root" })).collect();
        let params = json!({ "processId": process, "rootUri": null, "capabilities": {}, "workspaceFolders": folders });
        let id = server.ask("initialize", params);
        server.answer(&id);
        server.tell("initialized", json!({}));
        server
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.sent.push(String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned());
        self.sent.drain(..self.sent.len().saturating_sub(4));
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "hcl", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Asks, without waiting. Returns the id of the question.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = json!(format!("ask {}", self.next));
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    fn receive(&mut self) {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|why| panic!("no answer: {why}, after {:#?}", self.sent));
        if message["method"] == "textDocument/publishDiagnostics" {
            let uri = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
            *self.published.entry(uri).or_default() += 1;
        } else if message.get("method").is_none() {
            self.answers.entry(message["id"].to_string()).or_default().push(message);
        }
    }

    /// Waits for the answer to a request, or for the next refusal of something without an id.
    pub fn answer(&mut self, id: &Value) -> Value {
        loop {
            if let Some(answers) = self.answers.get_mut(&id.to_string())
                && !answers.is_empty()
            {
                return answers.remove(0);
            }
            self.receive();
        }
    }

    /// Waits until the diagnostics of a document have come.
    pub fn diagnostics(&mut self, uri: &str) {
        while !self.published.contains_key(uri) {
            self.receive();
        }
    }

    /// Makes sure that the server answers. A header that was broken before may take the first question with it.
    pub fn is_alive(&mut self) -> Value {
        self.ask("hcl/status", Value::Null);
        let id = self.ask("hcl/status", Value::Null);
        self.answer(&id)["result"].take()
    }

    /// Shuts the server down. Returns its status, its standard error, and its peak memory in KiB if that can be
    /// measured.
    pub fn end(mut self) -> (Option<i32>, String, Option<u64>) {
        let id = self.ask("shutdown", Value::Null);
        self.answer(&id);
        let about = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let memory = about.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let memory = memory.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
        self.tell("exit", Value::Null);
        let (status, said) = self.wait();
        (status, said, memory)
    }

    /// Ends its input.
    pub fn close(mut self) -> (Option<i32>, String) {
        self.input = None;
        self.wait()
    }

    /// Waits for its end.
    pub fn wait(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().expect("its end").code();
        let mut said = String::new();
        let mut errors = self.child.stderr.take().expect("its errors");
        errors.read_to_string(&mut said).expect("text");
        (status, said)
    }
}
