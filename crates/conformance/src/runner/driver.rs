//! A driver: a program that answers a line of JSON with a line of JSON.
//!
//! Each request has an `id`, which its answer repeats, so that answers cannot be mixed up. A line that is not a JSON
//! object is noise: it is counted, and the runner keeps waiting. After any other fault the driver is restarted, so
//! that no late answer arrives.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use hcl_lr::diagnostic::count;
use hcl_lr::source::visible::reason;

/// The number of faults without a right answer between them after which the driver is given up.
const MAX_FAULTS_IN_A_ROW: u32 = 5;
/// The number of faults after which the driver is given up.
const MAX_FAULTS: usize = 50;
/// The longest line of an answer, in bytes.
const MAX_LINE: usize = 64 << 20;
/// The most lines of noise before an answer.
const MAX_NOISE: usize = 1000;
/// The lines that are read before someone asks for them.
const WAITING_LINES: usize = 16;
/// The longest part of a line that is shown.
const SHOWN: usize = 200;
/// The time that a driver has to end after its input has ended.
const TIME_TO_END: Duration = Duration::from_millis(300);

/// A failure of a driver, as opposed to a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The process ended.
    Ended(String),
    /// No answer came in time.
    Hung,
    /// An answer without the newline after it, of this many bytes.
    NoNewline(usize),
    /// A line is too long, or there are too many.
    Flooded,
    /// A line that starts like JSON and is invalid.
    InvalidJson(String),
    /// An answer without the `id` of its request.
    NoId(String),
    /// The answer to another request.
    OtherId(String),
}

impl Fault {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Ended(_) => "ended",
            Fault::Hung => "no answer in time",
            Fault::NoNewline(_) => "answer without a newline",
            Fault::Flooded => "too much output",
            Fault::InvalidJson(_) => "invalid JSON",
            Fault::NoId(_) => "answer without id",
            Fault::OtherId(_) => "answer to another request",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Ended(how) => write!(f, "the driver ended with {how}"),
            Fault::Hung => f.write_str("the driver gave no answer in time"),
            Fault::NoNewline(bytes) => {
                let bytes = count(*bytes, "byte");
                write!(
                    f,
                    "the driver wrote {bytes} and no newline after them: end each answer with a newline and flush it"
                )
            }
            Fault::Flooded => {
                write!(f, "the driver wrote more than {MAX_NOISE} lines or {} MB for one answer", MAX_LINE >> 20)
            }
            Fault::InvalidJson(line) => write!(f, "the driver wrote a line that is not valid JSON: {line}"),
            Fault::NoId(line) => write!(f, "the answer does not repeat the `id` of its request: {line}"),
            Fault::OtherId(id) => write!(f, "the answer has the `id` {id}, which is that of another request"),
        }
    }
}

/// A driver that runs. Its standard error is that of this program.
pub(super) struct Driver<'d> {
    command: &'d [OsString],
    timeout: Duration,
    process: Process,
    /// The requests sent to this process.
    asked: HashSet<String>,
    faults_in_a_row: u32,
    faults: usize,
    /// The number of noise lines, and the first of them.
    pub noise: (usize, Option<String>),
    pub slowest: (Duration, String),
}

impl<'d> Driver<'d> {
    pub fn start(command: &'d [OsString], timeout: Duration) -> Result<Self, String> {
        let process = Process::start(command)?;
        Ok(Driver {
            command,
            timeout,
            process,
            asked: HashSet::new(),
            faults_in_a_row: 0,
            faults: 0,
            noise: (0, None),
            slowest: Default::default(),
        })
    }

    /// Asks one question.
    ///
    /// # Errors
    /// If the driver cannot be started again, or fails too often. The inner error is the fault at this question.
    pub fn ask(&mut self, id: &str, request: &Value) -> Result<Result<Value, Fault>, String> {
        let mut request = request.clone();
        request["id"] = json!(id);
        // If the driver has ended, there is no answer either.
        let _ = self.process.questions.send(format!("{request}\n"));
        self.asked.insert(id.to_owned());
        let start = Instant::now();
        let answer = self.answer(id, start);
        match &answer {
            Ok(_) => {
                self.faults_in_a_row = 0;
                if start.elapsed() > self.slowest.0 {
                    self.slowest = (start.elapsed(), id.to_owned());
                }
            }
            Err(fault) => {
                self.faults += 1;
                self.faults_in_a_row += 1;
                if self.faults_in_a_row == MAX_FAULTS_IN_A_ROW {
                    return Err(format!("{MAX_FAULTS_IN_A_ROW} requests in a row failed; the last one: {fault}"));
                }
                if self.faults == MAX_FAULTS {
                    return Err(format!("{MAX_FAULTS} requests failed; the last one: {fault}"));
                }
                self.asked.clear();
                self.process = Process::start(self.command)?;
            }
        }
        Ok(answer)
    }

    fn answer(&mut self, id: &str, start: Instant) -> Result<Value, Fault> {
        for _ in 0..MAX_NOISE {
            let left = self.timeout.saturating_sub(start.elapsed());
            let line = match self.process.answers.recv_timeout(left) {
                Ok(Some(line)) => line,
                Ok(None) => return Err(Fault::Flooded),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(match self.process.unfinished.load(Ordering::Relaxed) {
                        0 => Fault::Hung,
                        bytes => Fault::NoNewline(bytes),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Ended(self.process.status())),
            };
            match serde_json::from_slice::<Value>(&line) {
                Ok(Value::Object(mut answer)) => match answer.remove("id") {
                    Some(Value::String(got)) if got == id => return Ok(Value::Object(answer)),
                    // Ignore lines that answer no request, such as a log in JSON.
                    Some(got) if got.as_str().is_some_and(|got| self.asked.contains(got)) => {
                        return Err(Fault::OtherId(got.to_string()));
                    }
                    None if ["ok", "unsupported", "bad_request", "name"]
                        .iter()
                        .any(|name| answer.contains_key(*name)) =>
                    {
                        return Err(Fault::NoId(shown(&line)));
                    }
                    _ => self.add_noise(&line),
                },
                Err(_) if line.trim_ascii_start().starts_with(b"{") => return Err(Fault::InvalidJson(shown(&line))),
                _ => self.add_noise(&line),
            }
        }
        Err(Fault::Flooded)
    }

    fn add_noise(&mut self, line: &[u8]) {
        self.noise.0 += 1;
        self.noise.1.get_or_insert_with(|| shown(line));
    }
}

/// The beginning of a line, without control characters.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// The program itself. Threads write to it and read from it, so that waiting for it has an end.
struct Process {
    child: Child,
    questions: Sender<String>,
    /// The lines of its output; `None` for one that is too long.
    answers: Receiver<Option<Vec<u8>>>,
    /// The bytes after the last newline.
    unfinished: Arc<AtomicUsize>,
}

impl Process {
    fn start(command: &[OsString]) -> Result<Process, String> {
        let (program, arguments) = command.split_first().ok_or("there is no driver")?;
        let mut process = Command::new(program);
        let process = process.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let why = |error: std::io::Error| format!("cannot start {}: {}", program.display(), reason(&error));
        let mut child = process.spawn().map_err(why)?;
        let (questions, to_write) = channel::<String>();
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                for question in to_write {
                    if input.write_all(question.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        // A driver that writes without end waits until someone reads.
        let (found, answers) = sync_channel(WAITING_LINES);
        let unfinished = Arc::new(AtomicUsize::new(0));
        if let Some(output) = child.stdout.take() {
            let unfinished = Arc::clone(&unfinished);
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while let Ok(chunk) = output.fill_buf() {
                    if chunk.is_empty() {
                        break;
                    }
                    let end = chunk.iter().position(|byte| *byte == b'\n');
                    let taken = end.map_or(chunk.len(), |end| end + 1);
                    line.extend_from_slice(&chunk[..taken]);
                    output.consume(taken);
                    if line.len() > MAX_LINE {
                        let _ = found.send(None);
                        break;
                    }
                    unfinished.store(if end.is_some() { 0 } else { line.len() }, Ordering::Relaxed);
                    if end.is_some() {
                        let line = std::mem::take(&mut line);
                        if !line.trim_ascii().is_empty() && found.send(Some(line)).is_err() {
                            break;
                        }
                    }
                }
                // The last line of a driver that ends may have no newline.
                if !line.trim_ascii().is_empty() && line.len() <= MAX_LINE {
                    let _ = found.send(Some(line));
                }
            });
        }
        Ok(Process { child, questions, answers, unfinished })
    }

    /// Describes how the process ended.
    fn status(&mut self) -> String {
        self.wait().map_or_else(|| "its output closed".to_owned(), |status| status.to_string())
    }

    fn wait(&mut self) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < TIME_TO_END => thread::sleep(Duration::from_millis(5)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Without questions, the thread that writes them ends, and the input of the driver with it.
        self.questions = channel().0;
        if self.wait().is_none() {
            // It may have ended in between.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
