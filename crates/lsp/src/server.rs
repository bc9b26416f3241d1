//! The loop over messages: documents, settings, workers.
//!
//! Changes of documents are applied here, one after the other. Each request takes a snapshot of the files and goes to
//! a worker; answers come back over a channel and are sent on. Diagnostics are computed when no further message waits,
//! and sent only if the files are still the same.

mod documents;
mod due;
mod files;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use hcl_lr_analysis::Workspace;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::{Method, is_asked_by_user, method};
use crate::capabilities::initialize_result;
use crate::client::ClientInfo;
use crate::convert::Converter;
use crate::disk;
use crate::parent::End;
use crate::question::Question;
use crate::settings::Options;
use crate::transport::{Out, Outgoing};
use crate::uri::path_of;
use due::{Diagnosed, Due};
use files::{Loaded, Loading};

/// The result of the work of another thread.
enum Done {
    Answer(RequestId, Outgoing),
    /// The diagnostics of open documents for the files of a revision; the documents if the files have changed meanwhile.
    Diagnostics(u64, Result<Vec<Diagnosed>, Vec<Arc<str>>>),
    /// Files of the workspace that were read.
    Files(u64, Vec<disk::Read>),
    /// All files of the workspace are read.
    AllFiles(u64),
    /// The files that a thread has read, for which questions wait.
    Loaded(Loaded),
    /// A line for the log.
    Notes(Vec<String>),
}

type Job = Box<dyn FnOnce() -> Option<Done> + Send>;

struct Server {
    out: Out,
    /// Reports the end of the client's process.
    parent: Option<Sender<End>>,
    jobs: Sender<Job>,
    /// The work for the thread that reads files.
    loading: Sender<Loading>,
    done: Sender<Done>,
    workspace: Workspace,
    client: Arc<ClientInfo>,
    options: Arc<Options>,
    roots: Vec<String>,
    /// The open documents with their texts.
    open: BTreeMap<Arc<str>, Arc<str>>,
    /// The questions that the client does not want to be answered any more.
    cancelled: Arc<Mutex<HashSet<RequestId>>>,
    /// The questions that workers have.
    pending: HashSet<RequestId>,
    /// The diagnostics that were sent last, with the versions of the documents.
    published: HashMap<Arc<str>, (Option<i32>, Vec<Value>)>,
    /// True if diagnostics are to be computed anew.
    is_stale: bool,
    /// True while a worker computes diagnostics.
    is_diagnosing: bool,
    /// The documents whose diagnostics are to be computed.
    due: Due,
    /// The number of documents checked so far.
    checks: u64,
    /// The number of the current reading of folders, and true while it runs.
    reading: u64,
    is_reading: bool,
    /// The schemas already requested from the disk.
    tried: HashSet<String>,
    /// The patterns of files of the schemas in the workspace, as far as they are watched.
    known_patterns: Vec<String>,
    /// True if the client was requested to watch files.
    is_watching: bool,
    /// The number of readings of files that questions wait for, and of those that are for options.
    loads: usize,
    configuring: usize,
    /// True if the folders are to be read for the first time, once the options are known.
    starts: bool,
    /// The number of folders that were read beside documents since questions waited last.
    beside_count: usize,
    /// Questions that wait until files are read.
    waiting: Vec<Request>,
    /// The folders of documents that are in no folder of the workspace.
    beside: BTreeSet<String>,
    /// The folders that have been read.
    folders: BTreeSet<String>,
    /// The questions of the server, by their numbers.
    asked: HashMap<RequestId, &'static str>,
    next: i32,
    log: std::collections::VecDeque<String>,
    is_initialized: bool,
    is_shut_down: bool,
}

/// The number of lines of the log that are kept.
const MAX_LOG: usize = 1_000;

/// The stack of a worker. Answers recurse into nested expressions; systems allocate only the memory that is used.
pub(crate) const STACK: usize = 16 << 20;

const TAKEN_BACK: &str = "the question was taken back";

/// The number of files to take over at once.
const BATCH: usize = 200;

/// The number of pending requests at which reading pauses.
const MAX_QUESTIONS: usize = 1_000;

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
    serve_over(Out::Memory(connection.sender), &connection.receiver, None)
}

/// Serves over any transport. `parent` is notified if the client's process ends.
pub(crate) fn serve_over(out: Out, messages: &Receiver<Message>, parent: Option<Sender<End>>) -> bool {
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
        parent,
        jobs,
        loading: files::start_loading(&done),
        done,
        workspace: Workspace::default(),
        client: Arc::new(ClientInfo::of(&Value::Null)),
        options: Arc::default(),
        roots: Vec::new(),
        open: BTreeMap::new(),
        cancelled: Arc::default(),
        pending: HashSet::new(),
        published: HashMap::new(),
        is_stale: false,
        is_diagnosing: false,
        due: Due::default(),
        checks: 0,
        reading: 0,
        is_reading: false,
        is_watching: false,
        tried: HashSet::new(),
        known_patterns: Vec::new(),
        loads: 0,
        configuring: 0,
        starts: false,
        beside_count: 0,
        waiting: Vec::new(),
        beside: BTreeSet::new(),
        folders: BTreeSet::new(),
        asked: HashMap::new(),
        next: 0,
        log: std::collections::VecDeque::new(),
        is_initialized: false,
        is_shut_down: false,
    };
    server.run(messages, &finished)
}

/// The number of threads that answer questions.
fn worker_count() -> usize {
    thread::available_parallelism().map_or(2, usize::from).clamp(2, 4)
}

impl Server {
    fn run(&mut self, messages: &Receiver<Message>, finished: &Receiver<Done>) -> bool {
        let nothing = crossbeam_channel::never();
        loop {
            let is_busy = self.pending.len() + self.waiting.len() >= MAX_QUESTIONS;
            select! {
                recv(if is_busy { &nothing } else { messages }) -> message => match message {
                    Ok(Message::Notification(notification)) if notification.method == "exit" => return self.is_shut_down,
                    Ok(message) => self.message(message),
                    Err(_) => return false,
                },
                recv(finished) -> done => if let Ok(done) = done {
                    self.finished(done);
                    self.drop_replaced();
                },
            }
            if self.is_stale && messages.is_empty() && self.loads == 0 && !self.is_diagnosing {
                self.is_stale = false;
                self.compute_diagnostics();
            }
        }
    }

    /// Handles a message. A panic in it ends neither the server nor later messages.
    fn message(&mut self, message: Message) {
        let id = match &message {
            Message::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let handle = AssertUnwindSafe(|| match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(notification),
            Message::Response(response) => self.response(response),
        });
        if catch_unwind(handle).is_err() {
            let why = "internal error: the message could not be handled; please report this".to_owned();
            match id {
                Some(id) => self.send(Response::new_err(id, ErrorCode::InternalError as i32, why)),
                None => self.say(why),
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
            "initialize" if self.is_initialized => {
                let why = "the server has been initialized already".to_owned();
                self.send(Response::new_err(id.clone(), ErrorCode::InvalidRequest as i32, why));
            }
            _ if !self.is_initialized && name != "initialize" => {
                let why = "the server has not been initialized".to_owned();
                self.send(Response::new_err(id.clone(), ErrorCode::ServerNotInitialized as i32, why));
            }
            "initialize" => {
                self.is_initialized = true;
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
            // A question right after a document was opened is answered with the files beside it.
            _ if self.loads > 0 || name == "hcl/status" && (self.is_reading || self.starts) => {
                self.waiting.push(request)
            }
            "hcl/status" => {
                let mut status = self.status();
                status["checks"] = json!(self.checks);
                self.send(Response::new_ok(id.clone(), status));
            }
            "hcl/log" => self.send(Response::new_ok(id.clone(), json!(self.log))),
            "workspace/executeCommand" if params["command"] == "hcl.status" => {
                self.send(Response::new_ok(id.clone(), self.status()));
            }
            _ => self.answer(request),
        }
    }

    /// Answers the questions that wait for files, with those that are there.
    fn answer_waiting(&mut self) {
        for request in std::mem::take(&mut self.waiting) {
            self.request(request);
        }
    }

    /// Takes back a question.
    fn cancel(&mut self, id: RequestId) {
        if let Some(at) = self.waiting.iter().position(|request| request.id == id) {
            self.waiting.remove(at);
            self.send(Response::new_err(id, ErrorCode::RequestCanceled as i32, TAKEN_BACK.to_owned()));
        } else if self.pending.contains(&id) {
            self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
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
                let why = error(ErrorCode::RequestCanceled, TAKEN_BACK.to_owned());
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
                Ok(Err(failure)) => failure.into_error(&name),
                Err(_) => error(ErrorCode::InternalError, format!("internal error: {name} failed; please report this")),
            };
            Some(Done::Answer(id.clone(), respond(&id, Err(wrong))))
        };
        let _ = self.jobs.send(Box::new(job));
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.client = Arc::new(ClientInfo::of(&params["capabilities"]));
        let folders = params["workspaceFolders"].as_array();
        let uris = folders.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
        self.roots = uris.map(path_of).collect();
        if self.roots.is_empty() {
            self.roots.extend(params["rootUri"].as_str().map(path_of));
        }
        let process = params["processId"].as_i64().and_then(|process| i32::try_from(process).ok());
        if let (Some(process), Some(parent)) = (process.filter(|process| *process > 0), self.parent.take()) {
            crate::parent::watch(process, parent);
        }
        self.configure(params["initializationOptions"].clone(), true);
        initialize_result(&self.client)
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
            self.configure(item, false);
        }
    }

    /// Asks the client to ask again.
    fn refresh(&mut self) {
        for method in self.client.refreshes.clone() {
            self.ask(method, Value::Null);
        }
    }

    /// Passes data that is no longer needed to a worker, because dropping it takes time.
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
            Done::Diagnostics(revision, found) => self.take_diagnosed(revision, found),
            Done::Files(number, files) => self.files_read(number, files),
            Done::AllFiles(number) => self.all_files_read(number),
            Done::Loaded(loaded) => self.loaded(loaded),
            Done::Notes(notes) => notes.into_iter().for_each(|note| self.say(note)),
        }
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let outcome = match method.as_str() {
            _ if !self.is_initialized => Ok(()),
            "initialized" => {
                self.starts = true;
                self.start();
                Ok(())
            }
            "textDocument/didOpen" => self.read(params).map(|params| self.opened(params)),
            "textDocument/didChange" => self.read(params).map(|params| self.changed(params)),
            "textDocument/didClose" => self.read(params).map(|params| self.closed(&params)),
            "textDocument/didSave" => Ok(()),
            "workspace/didChangeWatchedFiles" => self.read(params).map(|params| self.files_changed(&params)),
            "workspace/didRenameFiles" => self.read(params).map(|params| self.files_renamed(&params)),
            "workspace/didChangeWorkspaceFolders" => self.read(params).map(|params| self.folders_changed(&params)),
            "workspace/didChangeConfiguration" => {
                self.configuration_changed(&params);
                Ok(())
            }
            "$/cancelRequest" => {
                if let Ok(id) = serde_json::from_value::<RequestId>(params["id"].clone()) {
                    self.cancel(id);
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
