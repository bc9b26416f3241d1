//! The loop over messages: documents, settings, workers.
//!
//! Changes of documents are made here, one after the other. Each question takes a snapshot of the files and goes to a
//! worker; answers come back over a channel and are sent on. Diagnostics are computed when no further message waits, and
//! sent only if the files are still the same.

mod files;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use gen_lsp_types as lsp;
use hcl_lr_analysis::{Cancelled, Snapshot, Workspace};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::{Failure, Method, Question, TOKEN_MODIFIERS, TOKEN_TYPES, is_asked_by_user, items, method};
use crate::client::ClientInfo;
use crate::commands::COMMANDS;
use crate::convert::Converter;
use crate::disk;
use crate::position::Lines;
use crate::settings::{self, Options};
use crate::transport::{Out, Outgoing};
use crate::uri::{EXPLANATIONS, path_of};

/// The result of the work of another thread.
enum Done {
    Answer(RequestId, Outgoing),
    /// The diagnostics of open documents, if the files are still those of a revision, and the documents of which there are
    /// none because of a defect.
    Diagnostics(u64, Vec<(Arc<str>, Vec<Value>)>, Vec<Arc<str>>),
    /// Files that were read, and whether these are the last ones.
    Files(u64, Vec<disk::Read>, bool),
}

type Job = Box<dyn FnOnce() -> Option<Done> + Send>;

struct Server {
    out: Out,
    jobs: Sender<Job>,
    done: Sender<Done>,
    workspace: Workspace,
    client: ClientInfo,
    options: Arc<Options>,
    roots: Vec<String>,
    /// The open documents with their texts.
    open: BTreeMap<Arc<str>, Arc<str>>,
    /// The questions that the client does not want to be answered any more.
    cancelled: Arc<Mutex<HashSet<RequestId>>>,
    /// The questions that workers have.
    pending: HashSet<RequestId>,
    /// The diagnostics that were sent last.
    published: HashMap<Arc<str>, Vec<Value>>,
    /// True if diagnostics are to be computed anew.
    is_stale: bool,
    /// The number of the reading of folders that is under way, and whether it is.
    reading: u64,
    is_reading: bool,
    /// The schemas that were looked for on the disk.
    tried: HashSet<String>,
    /// True if the client was asked to watch files.
    is_watching: bool,
    /// Questions that wait until the folders are read.
    waiting: Vec<Request>,
    /// The folders that have been read.
    folders: BTreeSet<String>,
    /// The questions of the server, by their numbers.
    asked: HashMap<RequestId, &'static str>,
    next: i32,
    log: std::collections::VecDeque<String>,
    is_shut_down: bool,
}

/// The number of lines of the log that are kept.
const MAX_LOG: usize = 1_000;

/// The stack of a worker. Answers go deep into nested expressions; the system gives memory only for what is used.
const STACK: usize = 16 << 20;

/// The number of files that are taken over at once.
const BATCH: usize = 200;

/// Serves a client until it leaves. Returns true if it has asked to shut down before.
///
/// ```
/// use lsp_server::{Connection, Message, Notification, Request};
/// use serde_json::json;
///
/// let (server, client) = Connection::memory();
/// let thread = std::thread::spawn(move || hcl_lr_lsp::serve(server));
/// let ask = |id: i32, method: &str| Request::new(id.into(), method.to_owned(), json!({ "capabilities": {} }));
/// client.sender.send(ask(1, "initialize").into())?;
/// let Message::Response(answer) = client.receiver.recv()? else { panic!("an answer") };
/// assert_eq!(answer.id, 1.into());
/// client.sender.send(ask(2, "shutdown").into())?;
/// client.sender.send(Notification::new("exit".to_owned(), json!(null)).into())?;
/// assert!(thread.join().expect("no panic"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve(connection: Connection) -> bool {
    serve_over(Out::Memory(connection.sender), &connection.receiver)
}

/// The same for any way to the client.
pub(crate) fn serve_over(out: Out, messages: &Receiver<Message>) -> bool {
    let (jobs, waiting) = unbounded::<Job>();
    let (done, finished) = unbounded::<Done>();
    for number in 0..worker_count() {
        let (waiting, done) = (waiting.clone(), done.clone());
        let work = move || {
            for job in waiting {
                // A worker that panics answers; the next question finds it as it was.
                if let Ok(Some(result)) = catch_unwind(AssertUnwindSafe(job)) {
                    let _ = done.send(result);
                }
            }
        };
        let _ = thread::Builder::new().name(format!("worker {number}")).stack_size(STACK).spawn(work);
    }
    let mut server = Server {
        out,
        jobs,
        done,
        workspace: Workspace::default(),
        client: ClientInfo::of(&Value::Null),
        options: Arc::default(),
        roots: Vec::new(),
        open: BTreeMap::new(),
        cancelled: Arc::default(),
        pending: HashSet::new(),
        published: HashMap::new(),
        is_stale: false,
        reading: 0,
        is_reading: false,
        is_watching: false,
        tried: HashSet::new(),
        waiting: Vec::new(),
        folders: BTreeSet::new(),
        asked: HashMap::new(),
        next: 0,
        log: std::collections::VecDeque::new(),
        is_shut_down: false,
    };
    server.run(messages, &finished)
}

/// The number of threads that answer questions.
fn worker_count() -> usize {
    thread::available_parallelism().map_or(2, usize::from).clamp(2, 4)
}

/// The diagnostics of documents, and the documents for which finding them failed: these have none, so that no old ones stay.
type AllFound = (Vec<(Arc<str>, Vec<Value>)>, Vec<Arc<str>>);

fn diagnosed(
    paths: Vec<Arc<str>>,
    find: impl Fn(&str) -> Result<Vec<Value>, Cancelled>,
) -> Result<AllFound, Cancelled> {
    let (mut found, mut failed) = (Vec::new(), Vec::new());
    for path in paths {
        let items = match catch_unwind(AssertUnwindSafe(|| find(&path))) {
            Ok(items) => items?,
            Err(_) => {
                failed.push(path.clone());
                Vec::new()
            }
        };
        found.push((path, items));
    }
    Ok((found, failed))
}

impl Server {
    fn run(&mut self, messages: &Receiver<Message>, finished: &Receiver<Done>) -> bool {
        loop {
            select! {
                recv(messages) -> message => match message {
                    Ok(Message::Request(request)) => self.request(request),
                    Ok(Message::Notification(notification)) if notification.method == "exit" => return self.is_shut_down,
                    Ok(Message::Notification(notification)) => self.notification(notification),
                    Ok(Message::Response(response)) => self.response(response),
                    Err(_) => return false,
                },
                recv(finished) -> done => if let Ok(done) = done {
                    self.finished(done);
                    self.drop_replaced();
                },
            }
            if self.is_stale && messages.is_empty() {
                self.is_stale = false;
                self.compute_diagnostics();
            }
        }
    }

    fn send(&self, message: impl Into<Outgoing>) {
        self.out.send(message.into());
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    fn ask(&mut self, method: &'static str, params: Value) {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.asked.insert(id.clone(), method);
        self.send(Request { id, method: method.to_owned(), params });
    }

    fn say(&mut self, text: String) {
        self.notify("window/logMessage", json!({ "type": 3, "message": text }));
        if self.log.len() >= MAX_LOG {
            self.log.pop_front();
        }
        self.log.push_back(text);
    }

    fn warn(&mut self, text: String) {
        self.notify("window/showMessage", json!({ "type": 2, "message": text }));
        self.say(text);
    }

    fn request(&mut self, request: Request) {
        let Request { id, method: name, params } = &request;
        match name.as_str() {
            "initialize" => {
                let result = self.initialize(params);
                self.send(Response::new_ok(id.clone(), result));
            }
            "shutdown" => {
                self.is_shut_down = true;
                self.send(Response::new_ok(id.clone(), Value::Null));
            }
            _ if self.is_shut_down => {
                let why = "the server has been shut down".to_owned();
                self.send(Response::new_err(id.clone(), ErrorCode::InvalidRequest as i32, why));
            }
            "hcl/status" if self.is_reading => self.waiting.push(request),
            "hcl/status" => self.send(Response::new_ok(id.clone(), self.status())),
            "hcl/log" => self.send(Response::new_ok(id.clone(), json!(self.log))),
            "workspace/executeCommand" if params["command"] == "hcl.status" => {
                self.send(Response::new_ok(id.clone(), self.status()));
            }
            _ => self.answer(request),
        }
    }

    /// Gives a question to a worker.
    fn answer(&mut self, request: Request) {
        let Request { id, method: name, params } = request;
        let Some(function) = method(&name) else {
            let why = format!("the method {name} is not supported");
            self.send(Response::new_err(id, ErrorCode::MethodNotFound as i32, why));
            return;
        };
        let snapshot = self.workspace.snapshot();
        let snapshot = if is_asked_by_user(&name) { snapshot.keeping() } else { snapshot };
        let (client, options, cancelled) = (self.client.clone(), self.options.clone(), self.cancelled.clone());
        self.pending.insert(id.clone());
        let job = move || {
            let is_cancelled = || cancelled.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            let error = |code: ErrorCode, message: String| ResponseError { code: code as i32, message, data: None };
            let respond = |id: &RequestId, result| Outgoing::from(Response { id: id.clone(), response_result: result });
            if is_cancelled() {
                let why = error(ErrorCode::RequestCanceled, "the question was taken back".to_owned());
                return Some(Done::Answer(id.clone(), respond(&id, Err(why))));
            }
            let question = Question { to: Converter::new(&snapshot, &client), options: &options, params };
            let found = catch_unwind(AssertUnwindSafe(|| match function {
                Method::Value(function) => function(&question).map(|value| respond(&id, Ok(value))),
                Method::Text(function) => function(&question).map(|text| Outgoing::Answer(id.clone(), text)),
            }));
            is_cancelled();
            let wrong = match found {
                Ok(Ok(answer)) => return Some(Done::Answer(id, answer)),
                Ok(Err(Failure::Cancelled)) => error(ErrorCode::ContentModified, "the files have changed".to_owned()),
                Ok(Err(Failure::Parameters(why))) => {
                    error(ErrorCode::InvalidParams, format!("the parameters of {name} are wrong: {why}"))
                }
                Ok(Err(Failure::Refused(why))) => error(ErrorCode::RequestFailed, why),
                Err(_) => error(ErrorCode::InternalError, format!("internal error: {name} failed; please report this")),
            };
            Some(Done::Answer(id.clone(), respond(&id, Err(wrong))))
        };
        let _ = self.jobs.send(Box::new(job));
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.client = ClientInfo::of(&params["capabilities"]);
        let folders = params["workspaceFolders"].as_array();
        let uris = folders.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
        self.roots = uris.map(path_of).collect();
        if self.roots.is_empty() {
            self.roots.extend(params["rootUri"].as_str().map(path_of));
        }
        self.configure(&params["initializationOptions"]);
        let filters = json!([{ "scheme": "file", "pattern": { "glob": "**" } }]);
        json!({
            "serverInfo": { "name": "hcl", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": self.client.encoding.name(),
                "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
                "completionProvider": { "triggerCharacters": [".", "\"", "[", "{"], "resolveProvider": false },
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
                "renameProvider": { "prepareProvider": true },
                "foldingRangeProvider": true,
                "selectionRangeProvider": true,
                "callHierarchyProvider": true,
                "inlayHintProvider": true,
                "semanticTokensProvider": {
                    "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS },
                    "full": true,
                    "range": true,
                },
                "diagnosticProvider": { "interFileDependencies": true, "workspaceDiagnostics": true },
                "executeCommandProvider": { "commands": COMMANDS },
                "workspace": {
                    "workspaceFolders": { "supported": true, "changeNotifications": true },
                    "fileOperations": { "willRename": { "filters": filters } },
                    "textDocumentContent": { "schemes": [EXPLANATIONS] },
                },
            },
        })
    }

    fn configure(&mut self, value: &Value) {
        let value = value.get("hcl").unwrap_or(value);
        let (options, wrong) = settings::read(value, self.roots.first().map(String::as_str));
        self.workspace.set_settings(options.analysis.clone());
        self.options = Arc::new(options);
        // The schemas say which files belong to the workspace.
        for path in self.options.analysis.schemas.clone() {
            if !self.open.contains_key(&*path) {
                self.take_from_disk(&path);
            }
        }
        self.is_stale = true;
        wrong.into_iter().for_each(|text| self.warn(text));
    }

    fn initialized(&mut self) {
        self.watch();
        if self.client.has_configuration {
            self.ask("workspace/configuration", json!({ "items": [{ "section": "hcl" }] }));
        }
        self.read_roots();
    }

    fn progress(&self, value: Value) {
        if self.client.shows_progress {
            self.notify("$/progress", json!({ "token": "hcl/files", "value": value }));
        }
    }

    fn response(&mut self, response: Response) {
        let asked = self.asked.remove(&response.id);
        if asked == Some("workspace/configuration")
            && let Ok(Value::Array(items)) = response.response_result
            && let Some(item) = items.into_iter().next().filter(|item| !item.is_null())
        {
            self.reconfigure(&item);
        }
    }

    /// Takes other settings while the server runs: other files may belong to the workspace.
    fn reconfigure(&mut self, value: &Value) {
        let before = self.options.clone();
        self.configure(value);
        if before.files() != self.options.files() {
            let filter = self.workspace.filter();
            let all: Vec<Arc<str>> = self.workspace.snapshot().files().map(|file| file.path().clone()).collect();
            for path in all.iter().filter(|path| !self.open.contains_key(*path) && !filter.wants(path)) {
                self.workspace.remove(path);
            }
            self.folders.clear();
            self.watch();
            self.read_roots();
        }
        self.refresh();
    }

    /// Asks the client to ask again.
    fn refresh(&mut self) {
        for method in self.client.refreshes.clone() {
            self.ask(method, Value::Null);
        }
    }

    /// Gives what is no longer needed to a worker: to drop it takes time.
    fn drop_replaced(&self) {
        let replaced = self.workspace.take_replaced();
        if !replaced.is_empty() {
            let job = move || {
                drop(replaced);
                None
            };
            let _ = self.jobs.send(Box::new(job));
        }
    }

    fn finished(&mut self, done: Done) {
        match done {
            Done::Answer(id, answer) => {
                self.pending.remove(&id);
                self.send(answer);
            }
            Done::Diagnostics(revision, found, failed) => {
                if revision == self.workspace.snapshot().revision() {
                    for (path, items) in found {
                        self.publish(&path, items);
                    }
                    for path in failed {
                        self.say(format!("internal error: the diagnostics of {path} failed; please report this"));
                    }
                }
            }
            Done::Files(number, files, is_last) => {
                if number != self.reading {
                    return;
                }
                for (path, bytes) in files {
                    if !self.open.contains_key(&*path) {
                        self.folders.insert(crate::uri::folder_of(&path).to_owned());
                        self.workspace.set_bytes(&path, bytes);
                    }
                }
                if is_last {
                    self.read_schemas();
                    self.is_reading = false;
                    self.is_stale = true;
                    self.progress(json!({ "kind": "end" }));
                    for request in std::mem::take(&mut self.waiting) {
                        self.request(request);
                    }
                    self.warm();
                    self.refresh();
                }
            }
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let outcome = match method.as_str() {
            "initialized" => {
                self.initialized();
                Ok(())
            }
            "textDocument/didOpen" => self.read(params).map(|params| self.opened(params)),
            "textDocument/didChange" => self.read(params).map(|params| self.changed(params)),
            "textDocument/didClose" => self.read(params).map(|params| self.closed(&params)),
            "textDocument/didSave" => Ok(()),
            "workspace/didChangeWatchedFiles" => self.read(params).map(|params| self.files_changed(&params)),
            "workspace/didChangeWorkspaceFolders" => self.read(params).map(|params| self.folders_changed(&params)),
            "workspace/didChangeConfiguration" => {
                self.configuration_changed(&params);
                Ok(())
            }
            "$/cancelRequest" => {
                let id = serde_json::from_value::<RequestId>(params["id"].clone()).ok();
                if let Some(id) = id.filter(|id| self.pending.contains(id)) {
                    self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
                }
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(why) = outcome {
            self.say(format!("the parameters of {method} are wrong: {why}"));
        }
    }

    fn read<T: DeserializeOwned>(&self, params: Value) -> Result<T, serde_json::Error> {
        serde_json::from_value(params)
    }

    fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, .. } = params.text_document;
        let path: Arc<str> = path_of(&uri.0).into();
        self.client.uris.insert(path.clone(), uri.0);
        self.client.versions.insert(path.clone(), version);
        self.read_beside(&path);
        self.set_text(path, text.into());
    }

    fn set_text(&mut self, path: Arc<str>, text: Arc<str>) {
        self.workspace.set(&path, text.clone());
        self.open.insert(path, text);
        self.read_schemas();
        self.is_stale = true;
    }

    fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let path: Arc<str> = path_of(&params.text_document.text_document_identifier.uri.0).into();
        let Some(text) = self.open.get(&path) else {
            self.say(format!("a document changes that is not open: {path}"));
            return;
        };
        let mut text = text.to_string();
        for change in params.content_changes {
            match change {
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let span = Lines::new(&text, self.client.encoding).span(&text, part.range);
                    text.replace_range(span.range(), &part.text);
                }
                lsp::TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => text = whole.text,
            }
        }
        self.client.versions.insert(path.clone(), params.text_document.version);
        self.set_text(path.clone(), text.into());
        self.warm_file(&path);
    }

    fn closed(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let path = path_of(&params.text_document.uri.0);
        self.open.remove(&*path);
        self.take_from_disk(&path);
        // The client forgets what it is told of closed documents only if it is told.
        if self.published.remove(&*path).is_some_and(|items| !items.is_empty()) {
            self.notify(
                "textDocument/publishDiagnostics",
                json!({ "uri": params.text_document.uri, "diagnostics": [] }),
            );
        }
        self.client.uris.remove(&*path);
        self.client.versions.remove(&*path);
        self.is_stale = true;
    }

    fn configuration_changed(&mut self, params: &Value) {
        match self.client.has_configuration {
            true => self.ask("workspace/configuration", json!({ "items": [{ "section": "hcl" }] })),
            false => self.reconfigure(&params["settings"]),
        }
    }

    /// Computes the diagnostics of open documents, unless the client asks for them.
    fn compute_diagnostics(&mut self) {
        if self.client.pulls_diagnostics || self.open.is_empty() {
            return;
        }
        let snapshot: Snapshot = self.workspace.snapshot();
        let (client, paths): (ClientInfo, Vec<Arc<str>>) = (self.client.clone(), self.open.keys().cloned().collect());
        let job = move || {
            let (found, failed) = diagnosed(paths, |path| items(&Converter::new(&snapshot, &client), path)).ok()?;
            Some(Done::Diagnostics(snapshot.revision(), found, failed))
        };
        let _ = self.jobs.send(Box::new(job));
    }

    fn publish(&mut self, path: &Arc<str>, items: Vec<Value>) {
        let Some(uri) = self.client.uris.get(path) else { return };
        let known = self.published.get(path);
        // Each version is answered, so that a client can tell when nothing is wrong any more.
        if known == Some(&items) && items.is_empty() {
            return;
        }
        let version = self.client.versions.get(path);
        self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "version": version, "diagnostics": items }));
        self.published.insert(path.clone(), items);
    }

    fn status(&self) -> Value {
        let snapshot = self.workspace.snapshot();
        let (mut files, mut bytes) = (0_u64, 0_u64);
        let mut languages: BTreeMap<String, u64> = BTreeMap::new();
        for file in snapshot.files() {
            files += 1;
            bytes += file.length() as u64;
            *languages.entry(file.language().name().to_owned()).or_default() += 1;
        }
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "roots": self.roots,
            "open": self.open.len(),
            "files": files,
            "bytes": bytes,
            "languages": languages,
            "positionEncoding": self.client.encoding.name(),
            "diagnostics": if self.client.pulls_diagnostics { "pulled" } else { "pushed" },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_fails_has_no_old_diagnostics() {
        let paths: Vec<Arc<str>> = vec!["/a.tf".into(), "/b.tf".into()];
        let find = |path: &str| match path {
            "/a.tf" => panic!("a defect"),
            _ => Ok(vec![json!(1)]),
        };
        let Ok((found, failed)) = diagnosed(paths.clone(), find) else { panic!("nothing has changed") };
        assert_eq!(found, [(paths[0].clone(), vec![]), (paths[1].clone(), vec![json!(1)])]);
        assert_eq!(failed, [paths[0].clone()]);
    }
}
