//! The sessions in `tests/sessions`: files, the actions of the client, and the answers.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gen_lsp_types as lsp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::cases::{Part, parts};
use super::client::Client;
use super::golden::Golden;

/// The start of a line about a message for the user.
const SHOWN: &str = "The client is shown: ";

/// A part of a session: a fence with its words and its text.
pub struct Fence {
    pub words: String,
    pub text: String,
}

/// Reads a session: the text outside of fences, and the fences.
pub fn read(text: &str) -> Vec<Result<Fence, String>> {
    let part = |part| match part {
        Part::Line(line) => Err(line.to_owned()),
        Part::Fence { words, lines, .. } => {
            Ok(Fence { words: words.to_owned(), text: lines.iter().map(|line| format!("{line}\n")).collect() })
        }
    };
    parts(Path::new("session"), text).into_iter().map(part).collect()
}

/// The text without the marks of places, and the place of the mark with a number.
fn marked(text: &str) -> (String, Vec<(char, usize)>) {
    let (mut plain, mut marks) = (String::new(), Vec::new());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('⟦', Some(&name)) => {
                marks.push((name, plain.len()));
                chars.next();
                chars.next();
            }
            _ => plain.push(char),
        }
    }
    (plain, marks)
}

/// The position of a byte, in UTF-16. A carriage return ends a line, with the newline after it.
pub fn position(text: &str, offset: usize) -> Value {
    let (mut line, mut start) = (0, 0);
    for (at, byte) in text.bytes().enumerate().take(offset) {
        if byte == b'\n' || byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n') {
            (line, start) = (line + 1, at + 1);
        }
    }
    json!({ "line": line, "character": text[start..offset].encode_utf16().count() })
}

/// The name of a document, its text, and the places that are marked in it.
type Document = (String, String, Vec<(char, usize)>);

struct Session {
    root: PathBuf,
    /// The folders of the workspace.
    folders: Vec<PathBuf>,
    client: Option<Client>,
    options: Value,
    capabilities: Value,
    documents: Vec<Document>,
    version: i32,
    /// The identifier of the last result.
    result_id: String,
}

fn usual_capabilities() -> Value {
    json!({
        "textDocument": {
            "hover": { "contentFormat": ["markdown"] },
            "definition": { "linkSupport": false },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "publishDiagnostics": { "relatedInformation": true },
            "completion": { "completionItem": { "snippetSupport": true } },
        },
    })
}

impl Session {
    fn uri(&self, name: &str) -> String {
        match name.split_once(':') {
            Some(("untitled", _)) => name.to_owned(),
            Some((scheme, name)) => format!("{scheme}:{}/{name}", self.root.display()),
            None => format!("file://{}/{name}", self.root.display()),
        }
    }

    fn client(&mut self) -> &mut Client {
        let roots: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        self.client.get_or_insert_with(|| Client::start(&roots, &self.capabilities, &self.options))
    }

    /// The document with a name, and the place of a mark in it.
    fn place(&self, name: &str, mark: char) -> (Value, String) {
        let (_, text, marks) = self.documents.iter().rev().find(|(known, ..)| known == name).expect("a document");
        let (_, at) =
            marks.iter().find(|(known, _)| *known == mark).unwrap_or_else(|| panic!("the mark {mark} in {name}"));
        (position(text, *at), text.clone())
    }

    /// Executes a fence. Returns the answer that is expected after it, if there is one.
    fn run(&mut self, fence: &Fence) -> Option<String> {
        let words: Vec<&str> = fence.words.split_whitespace().collect();
        match words[..] {
            ["file", name] => {
                let path = self.root.join(name);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                let (text, marks) = marked(&fence.text);
                fs::write(path, &text).expect("written");
                self.documents.push((name.to_owned(), text, marks));
                None
            }
            ["options"] => {
                self.options = serde_json::from_str(&fence.text).expect("JSON");
                None
            }
            ["capabilities"] => {
                self.capabilities = serde_json::from_str(&fence.text).expect("JSON");
                None
            }
            ["open" | "change", name] | ["open", name, _] => {
                let (text, marks) = marked(&fence.text);
                self.version += 1;
                let (uri, version) = (self.uri(name), self.version);
                if words[0] == "open" {
                    let language = words.get(2).unwrap_or(&"hcl");
                    let document = json!({ "uri": uri, "languageId": language, "version": version, "text": text });
                    self.client().tell("textDocument/didOpen", json!({ "textDocument": document }));
                } else {
                    let document = json!({ "uri": uri, "version": version });
                    let changes = json!([{ "text": text }]);
                    self.client()
                        .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
                }
                self.documents.push((name.to_owned(), text, marks));
                None
            }
            ["roots", ..] => {
                self.folders = words[1..].iter().map(|name| self.root.join(name)).collect();
                self.folders.iter().for_each(|folder| fs::create_dir_all(folder).expect("a folder"));
                None
            }
            ["add-root" | "remove-root", name] => {
                let folder = json!([{ "uri": self.uri(name), "name": name }]);
                let (added, removed) = if words[0] == "add-root" { (folder, json!([])) } else { (json!([]), folder) };
                let event = json!({ "added": added, "removed": removed });
                self.client().tell("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
                self.client().ask("hcl/status", Value::Null).expect("the files are read");
                None
            }
            ["configure"] => {
                let settings: Value = serde_json::from_str(&fence.text).expect("JSON");
                let settings = json!({ "settings": { "hcl": settings } });
                self.client().tell("workspace/didChangeConfiguration", settings);
                self.client().ask("hcl/status", Value::Null).expect("the files are read");
                None
            }
            ["watched"] => {
                self.client().ask("hcl/status", Value::Null).expect("an answer");
                let watched = self.client().watched.iter().map(|glob| format!("{glob}\n")).collect::<String>();
                Some(watched.replace(&self.root.display().to_string(), "ROOT"))
            }
            ["close", name] => {
                let uri = self.uri(name);
                self.client().tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
                None
            }
            ["delete", name] => {
                fs::remove_file(self.root.join(name)).expect("removed");
                let changes = json!([{ "uri": self.uri(name), "type": 3 }]);
                self.client().tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
                None
            }
            ["rename", old, new] => {
                let (from, to) = (self.root.join(old), self.root.join(new));
                fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
                fs::rename(from, to).expect("renamed");
                let files = json!([{ "oldUri": self.uri(old), "newUri": self.uri(new) }]);
                self.client().tell("workspace/didRenameFiles", json!({ "files": files }));
                None
            }
            ["write", name] => {
                fs::write(self.root.join(name), &fence.text).expect("written");
                let changes = json!([{ "uri": self.uri(name), "type": 2 }]);
                self.client().tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
                None
            }
            ["ask", method, ..] => Some(self.ask(method, &words[2..], &fence.text)),
            ["diagnostics", name] => {
                let uri = self.uri(name);
                let params = json!({ "textDocument": { "uri": uri } });
                let mut answer = self.client().ask("textDocument/diagnostic", params).expect("diagnostics");
                Some(self.shown(answer["items"].take()))
            }
            _ => panic!("`{}` is nothing that a session can do", fence.words),
        }
    }

    fn ask(&mut self, method: &str, words: &[&str], text: &str) -> String {
        let mut params: Value =
            if text.trim().is_empty() { json!({}) } else { serde_json::from_str(text).expect("JSON") };
        if let Some(name) = words.first() {
            params["textDocument"] = json!({ "uri": self.uri(name) });
        }
        let marks: Vec<char> = words.iter().skip(1).filter_map(|word| word.chars().next()).collect();
        match marks[..] {
            [mark] => params["position"] = self.place(words[0], mark).0,
            [first, second] => {
                params["range"] =
                    json!({ "start": self.place(words[0], first).0, "end": self.place(words[0], second).0 });
            }
            _ => {}
        }
        if method == "textDocument/selectionRange" {
            params["positions"] = json!([params["position"].take()]);
        }
        let written = params.to_string().replace("ROOT", &self.root.display().to_string());
        let written = written.replace("LAST_ID", &self.result_id);
        let params = serde_json::from_str(&written).expect("JSON");
        match self.client().ask(method, params) {
            Ok(answer) => {
                conforms(method, &answer);
                if let Some(id) = answer.get("resultId").and_then(Value::as_str) {
                    id.clone_into(&mut self.result_id);
                }
                match answer.get("data").and_then(Value::as_array) {
                    Some(data) => words_of(data),
                    None => self.shown(without_ids(answer)),
                }
            }
            Err(why) => format!("{}\n", why.replace(&self.root.display().to_string(), "ROOT")),
        }
    }

    fn shown(&self, value: Value) -> String {
        let text = value.to_string().replace(&self.root.display().to_string(), "ROOT");
        let mut out = String::new();
        lay_out(&serde_json::from_str(&text).expect("JSON"), 0, &mut out);
        out.push('\n');
        out
    }
}

/// Writes JSON in readable form: a position is `line:character`, a range `start-end`, and short values are on one
/// line.
fn lay_out(value: &Value, depth: usize, out: &mut String) {
    const WIDTH: usize = 110;
    let short = short(value);
    if short.chars().count() + 2 * depth <= WIDTH && !short.contains('\n') {
        out.push_str(&short);
        return;
    }
    let indent = "  ".repeat(depth + 1);
    match value {
        Value::Array(items) => {
            out.push_str("[\n");
            for item in items {
                out.push_str(&indent);
                lay_out(item, depth + 1, out);
                out.push('\n');
            }
            let _ = write!(out, "{}]", "  ".repeat(depth));
        }
        Value::Object(members) => {
            out.push_str("{\n");
            for (name, member) in members {
                let _ = write!(out, "{indent}{name}: ");
                lay_out(member, depth + 1, out);
                out.push('\n');
            }
            let _ = write!(out, "{}}}", "  ".repeat(depth));
        }
        Value::String(text) => {
            // Markdown is read line by line.
            for line in text.lines() {
                let _ = write!(out, "\n{indent}| {line}");
            }
        }
        _ => out.push_str(&short),
    }
}

fn short(value: &Value) -> String {
    let place = |value: &Value| Some(format!("{}:{}", value.get("line")?, value.get("character")?));
    match value {
        Value::Object(members) if members.len() == 2 => {
            if let Some(text) = place(value) {
                return text;
            }
            if let (Some(start), Some(end)) = (members.get("start").and_then(place), members.get("end").and_then(place))
            {
                return format!("{start}-{end}");
            }
            in_braces(members)
        }
        Value::Object(members) => in_braces(members),
        Value::Array(items) => format!("[{}]", items.iter().map(short).collect::<Vec<_>>().join(", ")),
        Value::String(text) if text.contains('\n') => text.clone(),
        other => other.to_string(),
    }
}

fn in_braces(members: &serde_json::Map<String, Value>) -> String {
    let all: Vec<String> = members.iter().map(|(name, member)| format!("{name}: {}", short(member))).collect();
    format!("{{ {} }}", all.join(", "))
}

/// Returns an answer without the parts that differ from run to run: the numbers of results, and the version of the
/// server.
fn without_ids(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                *member = match name.as_str() {
                    "resultId" => json!("ID"),
                    // Each release has another one.
                    "version" if member.is_string() => json!("VERSION"),
                    _ => without_ids(member.take()),
                };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_ids(item.take())),
        _ => {}
    }
    value
}

/// The words of an answer about colours: position, length, kind, `!` where a name is defined.
fn words_of(data: &[Value]) -> String {
    let numbers: Vec<u64> = data.iter().filter_map(Value::as_u64).collect();
    let (mut line, mut character, mut out) = (0, 0, String::new());
    for word in numbers.chunks(5) {
        if word[0] > 0 {
            character = 0;
        }
        (line, character) = (line + word[0], character + word[1]);
        let defines = if word[4] == 1 { " !" } else { "" };
        let _ = writeln!(out, "{line}:{character} {} {}{defines}", word[2], hcl_lr_lsp::TOKEN_TYPES[word[3] as usize]);
    }
    out
}

/// Checks that an answer conforms to the protocol, by the types generated from its description.
pub fn conforms(method: &str, answer: &Value) {
    fn is<R: lsp::Request>(answer: &Value)
    where
        R::Result: DeserializeOwned,
    {
        if let Err(why) = serde_json::from_value::<R::Result>(answer.clone()) {
            panic!("{} is answered by {answer}: {why}", R::METHOD);
        }
    }
    match method {
        "textDocument/completion" => is::<lsp::CompletionRequest>(answer),
        "completionItem/resolve" => is::<lsp::CompletionResolveRequest>(answer),
        "textDocument/hover" => is::<lsp::HoverRequest>(answer),
        "textDocument/signatureHelp" => is::<lsp::SignatureHelpRequest>(answer),
        "textDocument/definition" => is::<lsp::DefinitionRequest>(answer),
        "textDocument/declaration" => is::<lsp::DeclarationRequest>(answer),
        "textDocument/typeDefinition" => is::<lsp::TypeDefinitionRequest>(answer),
        "textDocument/implementation" => is::<lsp::ImplementationRequest>(answer),
        "textDocument/references" => is::<lsp::ReferencesRequest>(answer),
        "textDocument/documentHighlight" => is::<lsp::DocumentHighlightRequest>(answer),
        "textDocument/prepareRename" => is::<lsp::PrepareRenameRequest>(answer),
        "textDocument/rename" => is::<lsp::RenameRequest>(answer),
        "textDocument/documentSymbol" => is::<lsp::DocumentSymbolRequest>(answer),
        "workspace/symbol" => is::<lsp::WorkspaceSymbolRequest>(answer),
        "textDocument/formatting" => is::<lsp::DocumentFormattingRequest>(answer),
        "textDocument/rangeFormatting" => is::<lsp::DocumentRangeFormattingRequest>(answer),
        "textDocument/onTypeFormatting" => is::<lsp::DocumentOnTypeFormattingRequest>(answer),
        "textDocument/codeAction" => is::<lsp::CodeActionRequest>(answer),
        "textDocument/semanticTokens/full" => is::<lsp::SemanticTokensRequest>(answer),
        "textDocument/semanticTokens/full/delta" => is::<lsp::SemanticTokensDeltaRequest>(answer),
        "textDocument/semanticTokens/range" => is::<lsp::SemanticTokensRangeRequest>(answer),
        "textDocument/foldingRange" => is::<lsp::FoldingRangeRequest>(answer),
        "textDocument/selectionRange" => is::<lsp::SelectionRangeRequest>(answer),
        "textDocument/documentLink" => is::<lsp::DocumentLinkRequest>(answer),
        "textDocument/inlayHint" => is::<lsp::InlayHintRequest>(answer),
        "textDocument/codeLens" => is::<lsp::CodeLensRequest>(answer),
        "textDocument/prepareCallHierarchy" => is::<lsp::CallHierarchyPrepareRequest>(answer),
        "callHierarchy/incomingCalls" => is::<lsp::CallHierarchyIncomingCallsRequest>(answer),
        "callHierarchy/outgoingCalls" => is::<lsp::CallHierarchyOutgoingCallsRequest>(answer),
        "textDocument/diagnostic" => is::<lsp::DocumentDiagnosticRequest>(answer),
        "workspace/textDocumentContent" => is::<lsp::TextDocumentContentRequest>(answer),
        "workspace/diagnostic" => is::<lsp::WorkspaceDiagnosticRequest>(answer),
        "workspace/willRenameFiles" => is::<lsp::WillRenameFilesRequest>(answer),
        _ => {}
    }
}

fn run(path: &Path) -> String {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let root = std::env::temp_dir().join(format!("hcl-lsp-{}", std::process::id())).join(&name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("a folder");
    let root = root.canonicalize().expect("a folder");
    let mut session = Session {
        root: root.clone(),
        folders: vec![root.clone()],
        client: None,
        options: Value::Null,
        capabilities: usual_capabilities(),
        documents: Vec::new(),
        version: 0,
        result_id: String::new(),
    };
    let text = fs::read_to_string(path).expect("a session");
    let mut out = String::new();
    let mut parts = read(&text).into_iter().peekable();
    while let Some(part) = parts.next() {
        let fence = match part {
            // Recorded messages to the client are replaced.
            Err(line) if line.starts_with(SHOWN) => continue,
            Err(line) => {
                out += &format!("{line}\n");
                continue;
            }
            Ok(fence) => fence,
        };
        if fence.words == "answer" {
            panic!("an answer without a question in {name}");
        }
        out += &format!("```{}\n{}```\n", fence.words, fence.text);
        let answer = session.run(&fence);
        if matches!(parts.peek(), Some(Ok(next)) if next.words == "answer") {
            parts.next();
        }
        if let Some(answer) = answer {
            out += &format!("```answer\n{answer}```\n");
        }
    }
    if let Some(client) = session.client.take() {
        out.truncate(out.trim_end().len());
        out.push('\n');
        for text in &client.said {
            out += &format!("\n{SHOWN}{}\n", text.replace(&root.display().to_string(), "ROOT"));
        }
        assert!(client.end(), "{name}: the server does not end well");
    }
    let _ = fs::remove_dir_all(root);
    out
}

#[test]
fn sessions_go_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the sessions").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("README.md"));
    paths.sort();
    let mut golden = Golden::new();
    for path in paths {
        golden.check(&path, &run(&path));
    }
    golden.finish();
}
