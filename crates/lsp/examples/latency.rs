//! Measures how long answers take after an edit, through the whole server.
//!
//! ```sh
//! cargo run --release --package hcl-lr-lsp --example latency            # a file of 20 KB, and one of 1 MB
//! cargo run --release --package hcl-lr-lsp --example latency -- --files 7000  # a workspace that is made up, and one of 1 file
//! cargo run --release --package hcl-lr-lsp --example latency -- FOLDER  # a workspace: how long reading takes, and edits in it
//! cargo run --release --package hcl-lr-lsp --example latency -- --open 10000  # as many documents, until all have diagnostics
//! ```
//!
//! A workspace that is made up has 10 files in each folder, of which each calls another one as a module. `HCL_EDITS` sets the
//! number of edits, `HCL_QUESTION` asks only the questions whose name contains a text. Prints the median and the 99th percentile of 500 edits, in milliseconds, and the memory of the process.

use std::path::Path;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

struct Client {
    connection: Connection,
    next: i32,
}

impl Client {
    fn start(root: Option<&str>) -> Client {
        let (server, client) = Connection::memory();
        std::thread::spawn(move || hcl_lr_lsp::serve(server));
        let mut client = Client { connection: client, next: 0 };
        let folders: Vec<Value> =
            root.iter().map(|root| json!({ "uri": format!("file://{root}"), "name": "root" })).collect();
        client.ask(
            "initialize",
            json!({ "capabilities": { "textDocument": { "diagnostic": {} } }, "workspaceFolders": folders }),
        );
        client.tell("initialized", json!({}));
        client.ask("hcl/status", Value::Null);
        client
    }

    fn tell(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server runs");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let message = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(message.into()).expect("the server runs");
        loop {
            match self.connection.receiver.recv().expect("a message") {
                Message::Response(Response { id: known, response_result }) if known == id => {
                    return response_result.unwrap_or_else(|error| panic!("{method}: {}", error.message));
                }
                Message::Request(request) => {
                    self.connection
                        .sender
                        .send(Response::new_ok(request.id, Value::Null).into())
                        .expect("the server runs");
                }
                _ => {}
            }
        }
    }
}

/// Returns blocks like those of real files, of about this many bytes.
fn text(bytes: usize) -> String {
    let mut text = String::from("locals {\n  first = \"a\"\n}\n");
    let mut number = 0;
    while text.len() < bytes {
        text += &format!(
            "\nvariable \"name_{number}\" {{\n  type        = string\n  default     = \"value {number}\"\n  description = \"One of many.\"\n}}\n\n\
             resource \"aws_instance\" \"web_{number}\" {{\n  ami           = var.name_{number}\n  instance_type = \"t3.micro\"\n\
             \x20 tags = {{\n    Name = \"web-${{var.name_{number}}}-${{local.first}}\"\n  }}\n}}\n"
        );
        number += 1;
    }
    text + "\nlocals {\n  last = var.\n}\n"
}

fn shown(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    format!("{:8.2} {:8.2}", at(0.5), at(0.99))
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        let value = status.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_whitespace().nth(1));
        value.and_then(|text| text.parse::<f64>().ok()).unwrap_or_default() / 1024.0
    };
    format!("memory {:.0} MB, at most {:.0} MB", line("VmRSS"), line("VmHWM"))
}

/// Types and removes a letter at the end of a document, and asks after each edit.
fn edits(client: &mut Client, uri: &str, text: &str, count: usize) {
    let line = text.lines().count() - 2;
    let character = text.lines().nth(line).map_or(0, str::len);
    let methods = [
        "textDocument/completion",
        "textDocument/diagnostic",
        "textDocument/hover",
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
    ];
    let wanted = std::env::var("HCL_QUESTION").unwrap_or_default();
    for method in methods.into_iter().filter(|method| method.contains(&wanted)) {
        let mut times = Vec::new();
        for number in 0..count {
            let (from, letters) = if number % 2 == 0 { (character, "n") } else { (character, "") };
            let to = if number % 2 == 0 { character } else { character + 1 };
            let range =
                json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
            let change = json!({ "textDocument": { "uri": uri, "version": number + 1 }, "contentChanges": [{ "range": range, "text": letters }] });
            let place = json!({ "line": line, "character": from + letters.len() });
            let start = Instant::now();
            client.tell("textDocument/didChange", change);
            client.ask(method, json!({ "textDocument": { "uri": uri }, "position": place }));
            times.push(start.elapsed());
        }
        println!("  {method:34} {}", shown(times));
    }
}

fn open(client: &Client, uri: &str, text: &str) {
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": "hcl", "version": 0, "text": text } }),
    );
}

/// Writes a workspace with a number of files, about 2 KB each.
fn generate(root: &Path, files: usize) {
    const IN_FOLDER: usize = 10;
    for number in 0..files {
        let (folder, file) = (number / IN_FOLDER, number % IN_FOLDER);
        let path = root.join(format!("module_{folder}"));
        std::fs::create_dir_all(&path).expect("a folder");
        let mut text = text(2_000).replace("name_", &format!("name_{file}_"));
        text = text.replace("web_", &format!("web_{file}_")).replace("first", &format!("first_{file}"));
        let end = text.find("\nlocals {\n  last").unwrap_or(text.len());
        text.truncate(end);
        if file == 0 && folder > 0 {
            text += &format!("\nmodule \"below\" {{\n  source = \"../module_{}\"\n}}\n", folder / 2);
        }
        std::fs::write(path.join(format!("file_{file}.tf")), text).expect("a file");
    }
}

fn main() {
    let count = std::env::var("HCL_EDITS").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [option, files] = &arguments[..]
        && option == "--files"
    {
        let root = std::env::temp_dir().join(format!("hcl-latency-{}", std::process::id()));
        for files in [1, files.parse().expect("a number of files")] {
            let _ = std::fs::remove_dir_all(&root);
            generate(&root, files);
            workspace(&root.display().to_string(), count);
        }
        let _ = std::fs::remove_dir_all(&root);
        return;
    }
    if let [option, documents] = &arguments[..]
        && option == "--open"
    {
        let documents: usize = documents.parse().expect("a number of documents");
        for documents in [documents / 10, documents / 2, documents] {
            open_many(documents);
        }
        return;
    }
    if let Some(folder) = arguments.first() {
        workspace(folder, count);
        return;
    }
    let client = Client::start(None);
    println!("idle: {}", memory());
    drop(client);
    for bytes in [20_000, 1_000_000] {
        let mut client = Client::start(None);
        let text = text(bytes);
        let uri = "file:///no-such-folder/main.tf";
        open(&client, uri, &text);
        println!("a file of {} bytes                             median     99 %", text.len());
        edits(&mut client, uri, &text, count);
        println!("  {}", memory());
    }
}

/// Measures the time to open many documents, 10 in each folder, until all have their diagnostics.
fn open_many(documents: usize) {
    let (server, client) = Connection::memory();
    std::thread::spawn(move || hcl_lr_lsp::serve(server));
    let mut client = Client { connection: client, next: 0 };
    client.ask("initialize", json!({ "capabilities": {} }));
    client.tell("initialized", json!({}));
    let text = text(1_000);
    let start = Instant::now();
    for number in 0..documents {
        open(&client, &format!("file:///no-such-folder/{}/file_{}.tf", number / 10, number % 10), &text);
    }
    let mut published = std::collections::HashSet::new();
    while published.len() < documents {
        if let Message::Notification(message) = client.connection.receiver.recv().expect("a message")
            && message.method == "textDocument/publishDiagnostics"
            && let Some(uri) = message.params["uri"].as_str()
        {
            published.insert(uri.to_owned());
        }
    }
    println!("{documents} documents are open and checked after {:.2?}; {}", start.elapsed(), memory());
}

/// Measures the time to read a workspace, and to edit a file of it.
fn workspace(folder: &str, count: usize) {
    let folder = std::fs::canonicalize(folder).expect("a folder").display().to_string();
    let start = Instant::now();
    let mut client = Client::start(Some(&folder));
    let read = start.elapsed();
    client.ask("workspace/symbol", json!({ "query": "" }));
    let indexed = start.elapsed();
    let status = client.ask("hcl/status", Value::Null);
    println!(
        "{} files, {} bytes: read in {read:.2?}, indexed in {indexed:.2?}; {}",
        status["files"],
        status["bytes"],
        memory()
    );
    let text = text(20_000);
    let uri = format!("file://{folder}/no-such-folder/main.tf");
    open(&client, &uri, &text);
    println!("a file of {} bytes in this workspace            median     99 %", text.len());
    edits(&mut client, &uri, &text, count);
    println!("  {}", memory());
}
