//! Searches everything that the server sends about workspaces with secrets for the secrets.
//!
//! `tests/secrets/README.md` describes the workspaces. `HCL_LSP_SECRETS=all` sends requests at all places.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::Client;
use super::kit::{position, read};

/// The text that must be in no answer.
const SECRET: &str = "c4n4ry-5ecret";

/// One in this many requests is sent, unless all are wanted.
const STRIDE: usize = 29;

/// The questions about a place, and those about a document.
const PLACES: [&str; 12] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/prepareCallHierarchy",
];
const DOCUMENTS: [&str; 9] = [
    "textDocument/diagnostic",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/documentSymbol",
    "textDocument/documentLink",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "workspace/diagnostic",
    "workspace/symbol",
];

struct Source {
    name: String,
    language: String,
    reference: String,
    options: Value,
    files: Vec<(String, String)>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/secrets")
}

fn sources() -> Vec<Source> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder().join("sources"))
        .expect("the sources")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    let hints = json!({ "hints": { "values": true, "labels": true, "types": true } });
    let source = |path: &PathBuf| {
        let mut source = Source {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            language: String::new(),
            reference: String::new(),
            options: hints.clone(),
            files: Vec::new(),
        };
        let text = fs::read_to_string(path).expect("a source").replace("CANARY", SECRET);
        for fence in read(&text).into_iter().flatten() {
            match fence.words.split_whitespace().collect::<Vec<_>>()[..] {
                ["reference", language] => {
                    (source.language, source.reference) = (language.to_owned(), fence.text.trim().to_owned());
                }
                ["options"] => source.options = serde_json::from_str(&fence.text).expect("JSON"),
                ["file", name] => source.files.push((name.to_owned(), fence.text)),
                _ => panic!("{}: `{}` is no fence of a source", path.display(), fence.words),
            }
        }
        source
    };
    paths.iter().map(source).collect()
}

/// The flows: their language, name and text.
fn flows() -> Vec<(String, String, String)> {
    let text = fs::read_to_string(folder().join("flows.md")).expect("the flows");
    let mut found = Vec::new();
    let mut title = String::new();
    for part in read(&text) {
        match part {
            Err(line) => title = line.strip_prefix("## ").map_or(title, str::to_owned),
            Ok(fence) => {
                let (language, name) = title.split_once(": ").expect("a language and a name");
                found.push((language.to_owned(), name.to_owned(), fence.text));
            }
        }
    }
    found
}

/// Returns the places to test in a text: the ends of words outside the secret.
fn places(text: &str) -> Vec<usize> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut found = Vec::new();
    for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let (before, after) = (text[..at].chars().next_back(), text[at..].chars().next());
        let is_end = before.is_some_and(is_word) != after.is_some_and(is_word);
        let is_secret = text[at.saturating_sub(SECRET.len() + 1)..].get(..2 * SECRET.len() + 2).unwrap_or(&text[at..]);
        if is_end && !is_secret.contains(SECRET) {
            found.push(at);
        }
    }
    found
}

/// Returns a message without edits that only move text with the secret within its own file, which the client has.
fn without_moves(mut message: Value, files: &[(String, String)]) -> Value {
    for action in message["result"].as_array_mut().into_iter().flatten() {
        for (uri, edits) in action.pointer_mut("/edit/changes").and_then(Value::as_object_mut).into_iter().flatten() {
            let text = files.iter().find(|(name, _)| uri.ends_with(&format!("/{name}"))).map(|(_, text)| text);
            let lines = |edit: &Value| {
                let line = |end: &str| edit["range"][end]["line"].as_u64().unwrap_or_default() as usize;
                let (start, end) = (line("start"), line("end"));
                text.into_iter().flat_map(|text| text.lines()).skip(start).take(end + 1 - start).collect::<String>()
            };
            edits.as_array_mut().into_iter().for_each(|edits| edits.retain(|edit| !lines(edit).contains(SECRET)));
        }
    }
    message
}

struct Search {
    client: Client,
    root: PathBuf,
    /// The number of the next question, and of those that are left out after each.
    number: usize,
    stride: usize,
    asked: usize,
    version: i32,
}

impl Search {
    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.root.display())
    }

    fn ask(&mut self, method: &str, params: Value) {
        self.number += 1;
        if self.number.is_multiple_of(self.stride) {
            self.asked += 1;
            // An error is an answer, too.
            let _ = self.client.ask(method, params);
        }
    }

    fn ask_at(&mut self, method: &str, uri: &str, text: &str, at: usize) {
        let at = position(text, at);
        let context = json!({ "includeDeclaration": true, "diagnostics": [] });
        let params = json!({
            "textDocument": { "uri": uri }, "position": at, "newName": "renamed", "context": context,
            "range": { "start": at, "end": at },
        });
        self.ask(method, params);
    }

    /// Sends all requests about a file as it is, and about its values while they are typed.
    fn file(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.version += 1;
        let document = json!({ "uri": uri, "languageId": "hcl", "version": self.version, "text": text });
        self.client.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9_999, "character": 0 } });
        for method in DOCUMENTS {
            let params =
                json!({ "textDocument": { "uri": uri }, "range": whole, "query": "", "previousResultIds": [] });
            self.ask(method, params);
        }
        for command in ["hcl.language", "hcl.schemas", "hcl.status"] {
            self.ask("workspace/executeCommand", json!({ "command": command, "arguments": [uri] }));
        }
        for at in places(text) {
            for method in PLACES {
                self.ask_at(method, &uri, text, at);
            }
        }
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if let Some(at) = line.find(['=', ':']) {
                let (before, rest) = (&text[..start + at + 1], &text[start + line.len()..]);
                for typed in [" ", " \"", " [\"", " { a = "] {
                    let close = match typed {
                        " \"" => "\"",
                        " [\"" => "\"]",
                        " { a = " => " }",
                        _ => "",
                    };
                    self.number += 1;
                    if !self.number.is_multiple_of(self.stride) {
                        continue;
                    }
                    let changed = format!("{before}{typed}{close}\n{rest}");
                    self.version += 1;
                    let document = json!({ "uri": uri, "version": self.version });
                    let changes = json!([{ "text": changed }]);
                    self.client
                        .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
                    let (number, stride) = (self.number, std::mem::replace(&mut self.stride, 1));
                    self.ask_at("textDocument/completion", &uri, &changed, before.len() + typed.len());
                    (self.number, self.stride) = (number, stride);
                }
            }
            start += line.len();
        }
        self.client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
}

#[test]
fn nothing_secret_is_said() {
    let stride = if std::env::var_os("HCL_LSP_SECRETS").is_some_and(|places| places == "all") { 1 } else { STRIDE };
    let (mut workspaces, mut asked, mut messages, mut found) = (0, 0, 0, Vec::new());
    for source in sources() {
        for (_, flow, text) in flows().into_iter().filter(|(language, ..)| *language == source.language) {
            let name = format!("{}, {flow}", source.name);
            let root = std::env::temp_dir().join(format!("hcl-lsp-secrets-{}", std::process::id()));
            let _ = fs::remove_dir_all(&root);
            fs::create_dir_all(&root).expect("a folder");
            let root = root.canonicalize().expect("a folder");
            let flow = format!("\n{}", text.replace("REF", &source.reference));
            let mut files = source.files.clone();
            let main = files.iter_mut().find(|(name, _)| name.starts_with("main."));
            main.unwrap_or_else(|| panic!("{name}: no file `main`")).1 += &flow;
            if source.language == "terraform" && !files.iter().any(|(name, _)| name == "inner/main.tf") {
                let inner = "variable \"given\" {}\noutput \"result\" {\n  value = \"${var.given}?\"\n}\n";
                files.push(("inner/main.tf".to_owned(), inner.to_owned()));
            }
            for (name, text) in &files {
                let path = root.join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(path, text).expect("written");
            }
            let roots = [root.display().to_string()];
            let capabilities = json!({ "textDocument": { "hover": { "contentFormat": ["markdown"] } } });
            let mut client = Client::start(&roots, &capabilities, &source.options);
            client.searched = Some(SECRET.to_owned());
            let mut search = Search { client, root: root.clone(), number: workspaces, stride, asked: 0, version: 0 };
            for (name, text) in &files {
                search.file(name, text);
            }
            workspaces += 1;
            asked += search.asked;
            messages += search.client.received;
            for (question, message) in std::mem::take(&mut search.client.found) {
                let message = without_moves(message, &files).to_string();
                if message.contains(SECRET) {
                    found.push(format!("{name}: {question}\n  {message}"));
                }
            }
            assert!(search.client.end(), "{name}: the server ends well");
            fs::remove_dir_all(&root).expect("removed");
        }
    }
    println!("{workspaces} workspaces, {asked} questions, {messages} messages searched");
    assert!(workspaces >= 40, "{workspaces} workspaces");
    assert!(found.is_empty(), "{} messages with the secret:\n{}", found.len(), found[..found.len().min(40)].join("\n"));
}
