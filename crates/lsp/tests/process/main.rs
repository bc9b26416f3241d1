//! Runs the server as a separate process, with hostile clients and workspaces.
//!
//! `tests/hostile/README.md` explains how to add a case. This program also is the server, if the environment variable
//! `HCL_LSP_SERVE` is set.

#[path = "../../../../tests/support/cases.rs"]
mod markdown;
mod server;

use std::collections::HashMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use server::{SERVE, Server};

/// The most memory that the server may take, in KiB.
const MAX_MEMORY: u64 = 200 << 10;

/// The methods that are sent all kinds of parameters.
const METHODS: [&str; 30] = [
    "hcl/status",
    "hcl/log",
    "textDocument/diagnostic",
    "workspace/diagnostic",
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
    "workspace/symbol",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/codeAction",
    "textDocument/selectionRange",
    "textDocument/documentLink",
    "textDocument/inlayHint",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "workspace/willRenameFiles",
    "workspace/textDocumentContent",
    "workspace/executeCommand",
    "textDocument/codeLens",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
];

/// Returns the cases of a file: the text after the fence, and a line.
fn cases(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(name);
    let text = fs::read_to_string(&path).expect("the cases");
    let mut found = Vec::new();
    for part in markdown::parts(&path, &text) {
        if let markdown::Part::Fence { words, lines, .. } = part {
            found.extend(lines.iter().map(|line| (words.to_owned(), repeated(line))));
        }
    }
    found
}

/// A text with `«3×ab»` written out, the innermost first.
fn repeated(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(end) = text.find('»') {
        let start = text[..end].rfind('«').expect("an opening quote");
        let (count, part) = text[start + '«'.len_utf8()..end].split_once('×').expect("a number of times");
        let part = part.repeat(count.parse().expect("a number"));
        text = format!("{}{part}{}", &text[..start], &text[end + '»'.len_utf8()..]);
    }
    text
}

/// The bytes of a text with escapes.
fn bytes(text: &str) -> Vec<u8> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        found.extend(&rest.as_bytes()[..at]);
        let (byte, length) = match rest.as_bytes().get(at + 1) {
            Some(b'r') => (b'\r', 2),
            Some(b'n') => (b'\n', 2),
            Some(b'0') => (0, 2),
            Some(b'x') => (u8::from_str_radix(&rest[at + 2..at + 4], 16).expect("a byte"), 4),
            other => panic!("{other:?} is no escape"),
        };
        found.push(byte);
        rest = &rest[at + length..];
    }
    found.extend(rest.as_bytes());
    found
}

/// An empty folder with a file `main.tf`.
fn workspace(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("hcl-lsp-process-{}", std::process::id())).join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("a folder");
    let root = root.canonicalize().expect("a folder");
    fs::write(root.join("main.tf"), MAIN).expect("written");
    root
}

const MAIN: &str = "variable \"a\" {\n  default = \"x\"\n}\nlocals {\n  b = \"${var.a}-y\"\n}\n";

/// Ends a server, which must have used little memory and written nothing to standard error.
fn end(server: Server, what: &str) -> u64 {
    let (status, said, memory) = server.end();
    assert_eq!((status, &*said), (Some(0), ""), "{what}: the server ends well");
    let memory = memory.unwrap_or_default();
    assert!(memory < MAX_MEMORY, "{what}: {memory} KiB of memory");
    memory
}

fn messages() {
    let root = workspace("messages");
    let uri = format!("file://{}/main.tf", root.display());
    let mut server = Server::start(Some(&root), None);
    server.open(&uri, MAIN);
    let mut count = 0;
    for (kind, line) in cases("messages.md") {
        let line = line.replace("MAIN", &uri);
        let shown: String = line.chars().take(100).collect();
        match kind.split_once(' ').expect("a kind and an answer") {
            ("params", _) => {
                let params: Value = serde_json::from_str(&line).unwrap_or(Value::Null);
                let text = if params.is_null() { "null" } else { &*line };
                let ids = METHODS.map(|method| {
                    count += 1;
                    let id = format!("{count}");
                    server.send(&format!(r#"{{"id":"{id}","method":"{method}","params":{text}}}"#));
                    id
                });
                for (id, method) in ids.iter().zip(METHODS) {
                    let answer = server.answer(&json!(id));
                    let code = answer.pointer("/error/code").and_then(Value::as_i64);
                    // No defect is met.
                    assert!(!matches!(code, Some(-32603 | -32601)), "{method}: {shown}: {answer}");
                }
            }
            (kind, expected) => {
                count += 1;
                match kind {
                    "raw" => server.send_bytes(&bytes(&line)),
                    _ => server.send(&line),
                }
                server.is_alive();
                if expected == "none" {
                    continue;
                }
                let has_id = kind == "json" && !expected.starts_with("-32700") && line.contains(r#""id":"x""#);
                let answer = match has_id && !line.starts_with('[') {
                    true => server.answer(&json!("x")),
                    false => server.answer(&Value::Null),
                };
                let code = answer.pointer("/error/code").map(Value::to_string);
                assert_eq!(code.as_deref().unwrap_or("result"), expected, "{shown}: {answer}");
            }
        }
    }
    let memory = end(server, "messages");
    println!("  {count} messages, {} MiB of memory", memory >> 10);
}

/// Makes the files of a workspace. Returns false if the system has no such files.
fn make(root: &Path, steps: &str) -> bool {
    for step in steps.split("; ") {
        let words: Vec<&str> = step.splitn(3, ' ').collect();
        let at = |name: &str| root.join(name);
        let done = match words[..] {
            ["fifo", name] => {
                std::process::Command::new("mkfifo").arg(at(name)).status().is_ok_and(|status| status.success())
            }
            ["folder", name] => fs::create_dir(at(name)).is_ok(),
            ["text", name, text] => fs::write(at(name), text).is_ok(),
            ["sparse", name, length] => {
                fs::File::create(at(name)).and_then(|file| file.set_len(length.parse().expect("a length"))).is_ok()
            }
            ["repeat", name, what] => {
                let (count, part) = what.split_once(' ').expect("a number and a text");
                fs::write(at(name), bytes(part).repeat(count.parse().expect("a number"))).is_ok()
            }
            ["many", count] => (0..count.parse::<usize>().expect("a number")).all(|number| {
                fs::write(at(&format!("f{number}.tf")), format!("locals {{\n  x{number} = 1\n}}\n")).is_ok()
            }),
            ["deep", depth] => {
                let folder = at(&"d/".repeat(depth.parse().expect("a number")));
                fs::create_dir_all(&folder).is_ok() && fs::write(folder.join("x.tf"), "").is_ok()
            }
            ["names", ..] => step["names ".len()..]
                .split(", ")
                .all(|name| fs::write(at(&String::from_utf8_lossy(&bytes(name))), "").is_ok()),
            #[cfg(unix)]
            ["link", name, target] => std::os::unix::fs::symlink(target, at(name)).is_ok(),
            #[cfg(unix)]
            ["socket", name] => std::os::unix::net::UnixListener::bind(at(name)).is_ok(),
            _ if cfg!(unix) => panic!("`{step}` is no file of a workspace"),
            _ => false,
        };
        if !done {
            return false;
        }
    }
    true
}

fn workspaces() {
    let (mut count, mut skipped, mut most) = (0, Vec::new(), 0);
    for (number, (_, line)) in cases("workspaces.md").iter().enumerate() {
        let what: String = line.chars().take(100).collect();
        let (steps, files) = line.rsplit_once(" -> ").expect("files, and a number of them");
        let root = workspace(&format!("w{number}"));
        if !make(&root, steps) {
            skipped.push(what);
            continue;
        }
        let mut server = Server::start(Some(&root), None);
        let status = server.is_alive();
        assert_eq!(status["files"].to_string(), files, "{what}: {status}");
        // The same by way of the documents.
        let uri = |name: &str| format!("file://{}/{name}", root.display());
        server.open(&uri("main.tf"), MAIN);
        server.open(&uri("new.hcl"), "a = 1\n");
        let names = fs::read_dir(&root).expect("the folder").flatten().take(5);
        let changes: Vec<Value> =
            names.filter_map(|entry| Some(json!({ "uri": uri(entry.file_name().to_str()?), "type": 2 }))).collect();
        server.tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
        for method in ["textDocument/diagnostic", "workspace/diagnostic", "workspace/symbol", "textDocument/completion"]
        {
            let place = json!({ "line": 0, "character": 0 });
            let id = server.ask(
                method,
                json!({ "textDocument": { "uri": uri("main.tf") }, "position": place, "query": "", "previousResultIds": [] }),
            );
            server.answer(&id);
        }
        let status = server.is_alive();
        let with_new = files.parse::<u64>().expect("a number") + 1;
        assert_eq!(status["files"].as_u64(), Some(with_new), "{what}: {status}");
        most = most.max(end(server, &what));
        count += 1;
        fs::remove_dir_all(&root).expect("removed");
    }
    println!("  {count} workspaces, {} MiB of memory at most", most >> 10);
    skipped.iter().for_each(|what| println!("  skipped, because there are no such files here: {what}"));
}

fn storms() {
    let (mut count, mut most) = (0, 0);
    for (_, line) in cases("storms.md") {
        let root = workspace("storm");
        let uri = format!("file://{}/main.tf", root.display());
        let mut server = Server::start(Some(&root), None);
        server.open(&uri, MAIN);
        let (times, what) = line.split_once(' ').expect("a number and a kind");
        let mut asked = Vec::new();
        for number in 0..times.parse::<usize>().expect("a number") {
            let new = format!("file://{}/new{number}.tf", root.display());
            let (place, text) = (json!({ "line": 4, "character": 8 }), format!("locals {{\n  n{number} = 1\n}}\n"));
            let params = json!({
                "textDocument": { "uri": uri, "version": number }, "position": place, "newName": "c", "query": "",
                "range": { "start": place, "end": place }, "context": { "diagnostics": [] }, "previousResultIds": [],
            });
            match what {
                "$/cancelRequest" => server.tell(what, json!({ "id": number })),
                "answers to nothing" => server.send(&json!({ "id": number + 1_000, "result": null }).to_string()),
                "textDocument/didChange" => server.tell(
                    what,
                    json!({ "textDocument": params["textDocument"], "contentChanges": [{ "text": format!("{MAIN}# {number}\n") }] }),
                ),
                "textDocument/didOpen" => server.open(&new, &text),
                "textDocument/didOpen and didClose" => {
                    server.open(&new, &text);
                    server.tell("textDocument/didClose", json!({ "textDocument": { "uri": new } }));
                }
                "textDocument/didOpen again" => server.open(&uri, &text),
                "workspace/didChangeWatchedFiles" => {
                    server.tell(what, json!({ "changes": [{ "uri": uri, "type": 2 }, { "uri": new, "type": 1 }] }));
                }
                "workspace/didChangeConfiguration" => {
                    server.tell(what, json!({ "settings": { "hcl": { "schemas": [format!("/nowhere/{number}")] } } }));
                }
                "workspace/didChangeWorkspaceFolders" => {
                    let folder = json!([{ "uri": format!("file://{}/f{number}", root.display()), "name": "f" }]);
                    server.tell(what, json!({ "event": { "added": folder, "removed": [] } }));
                }
                _ => {
                    let (method, is_cancelled) = match what.strip_suffix(" cancelled") {
                        Some(method) => (method, true),
                        None => (what, false),
                    };
                    let id = server.ask(method, params);
                    if is_cancelled {
                        server.tell("$/cancelRequest", json!({ "id": id }));
                    }
                    asked.push(id);
                }
            }
            count += 1;
        }
        for id in asked {
            server.answer(&id);
        }
        server.is_alive();
        most = most.max(end(server, &line));
    }
    println!("  {count} messages in storms, {} MiB of memory at most", most >> 10);
}

/// Ends that the client does not intend.
fn ends() {
    let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let exit = framed(r#"{"method":"exit"}"#);
    for (input, status, said) in [
        ("", 2, ""),
        (&*exit, 2, ""),
        ("Content-Length: 5\r\n\r\nab", 2, "error: the language server ends: standard input ends within a message\n"),
        ("Content-Le", 2, "error: the language server ends: standard input ends within a message\n"),
    ] {
        let mut server = Server::spawn();
        server.send_bytes(input.as_bytes());
        assert_eq!(server.close(), (Some(status), said.to_owned()), "{input:?}");
    }
}

/// The server ends when the process of its client has ended, though its input stays open.
#[cfg(unix)]
fn orphans() {
    let Ok(mut client) = std::process::Command::new("sleep").arg("1000000").spawn() else {
        println!("  skipped, because there is no program `sleep` here");
        return;
    };
    let process = client.id();
    let server = Server::start(None, Some(process));
    client.kill().expect("its end");
    client.wait().expect("its end");
    let said = format!("error: the language server ends: the process {process} that has started it has ended\n");
    assert_eq!(server.wait(), (Some(2), said));
}

/// Opening many documents of one folder checks each of them once. The work is counted, not the time.
fn openings() {
    let mut checks = HashMap::new();
    for count in [50, 200] {
        let root = workspace("openings");
        let text = |number: usize| format!("locals {{\n  x{number} = 1\n}}\n");
        let uri = |number: usize| format!("file://{}/f{number}.tf", root.display());
        for number in 0..count {
            fs::write(root.join(format!("f{number}.tf")), text(number)).expect("written");
        }
        let mut server = Server::start(Some(&root), None);
        for number in 0..count {
            server.open(&uri(number), &text(number));
            // The next document is opened only after the diagnostics have arrived.
            server.diagnostics(&uri(number));
        }
        let status = server.is_alive();
        checks.insert(count, status["checks"].as_u64().expect("a number"));
        end(server, "openings");
    }
    println!("  documents that were checked: {} of 50, {} of 200", checks[&50], checks[&200]);
    assert!(checks[&200] <= 4 * checks[&50] + 8 && checks[&50] < 2 * 50, "{checks:?}");
}

fn main() {
    if std::env::var_os(SERVE).is_some() {
        std::process::exit(if hcl_lr_lsp::run() { 0 } else { 2 });
    }
    let tests: &[(&str, fn())] = &[
        ("messages_are_answered_or_refused", messages),
        ("workspaces_are_read_within_limits", workspaces),
        ("storms_pass", storms),
        ("other_ends_are_said", ends),
        #[cfg(unix)]
        ("the_end_of_the_client_is_noticed", orphans),
        ("opening_documents_is_linear", openings),
    ];
    let mut args = std::env::args().skip(1);
    let (mut filter, mut lists) = (None, false);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--list" => lists = true,
            "--test-threads" | "--format" | "--color" | "--skip" => drop(args.next()),
            option if option.starts_with('-') => {}
            name => filter = Some(name.to_owned()),
        }
    }
    let is_wanted = |name: &str| filter.as_deref().is_none_or(|filter| name.contains(filter));
    let mut failed = 0;
    for (name, test) in tests.iter().filter(|(name, _)| is_wanted(name)) {
        if lists {
            println!("{name}: test");
            continue;
        }
        println!("test {name}");
        let is_fine = catch_unwind(test).is_ok();
        println!("test {name} ... {}", if is_fine { "ok" } else { "FAILED" });
        failed += usize::from(!is_fine);
    }
    let _ = fs::remove_dir_all(std::env::temp_dir().join(format!("hcl-lsp-process-{}", std::process::id())));
    std::process::exit(if failed > 0 { 101 } else { 0 });
}
