//! A driver: a program that answers a line of JSON with a line of JSON.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use hcl_lr::source::visible::reason;

/// After how many crashes in a row, without an answer between them, it is not started again.
const MAX_CRASHES: u32 = 5;

/// The outcome of a question.
pub(super) enum Answer {
    Json(Value),
    /// Its answer is not a line of JSON.
    NotJson(String),
    /// The process ended, and was started again.
    Crashed,
    /// The process did not answer in time, and was started again.
    TimedOut,
}

impl Answer {
    /// The answer as it is shown and scored.
    pub fn into_json(self) -> Value {
        match self {
            Answer::Json(answer) => answer,
            Answer::NotJson(line) => json!({ "not_json": line }),
            Answer::Crashed => json!({ "crashed": true }),
            Answer::TimedOut => json!({ "timed_out": true }),
        }
    }
}

/// A driver that runs. What it writes to standard error is shown.
pub(super) struct Driver<'d> {
    command: &'d [OsString],
    timeout: Duration,
    process: Process,
    crashes_in_a_row: u32,
    pub crashes: usize,
    pub timeouts: usize,
}

impl<'d> Driver<'d> {
    pub fn start(command: &'d [OsString], timeout: Duration) -> Result<Self, String> {
        let process = Process::start(command)?;
        Ok(Driver { command, timeout, process, crashes_in_a_row: 0, crashes: 0, timeouts: 0 })
    }

    /// Asks one question.
    ///
    /// # Errors
    /// If it cannot be started again, or ends at each question.
    pub fn ask(&mut self, request: &Value) -> Result<Answer, String> {
        // If the driver has ended, there is no answer either.
        let _ = self.process.questions.send(format!("{request}\n"));
        match self.process.answers.recv_timeout(self.timeout) {
            Ok(line) => {
                self.crashes_in_a_row = 0;
                match serde_json::from_slice(&line) {
                    Ok(answer @ Value::Object(_)) => Ok(Answer::Json(answer)),
                    _ => Ok(Answer::NotJson(String::from_utf8_lossy(&line).chars().take(200).collect())),
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                self.timeouts += 1;
                self.restart()?;
                Ok(Answer::TimedOut)
            }
            Err(RecvTimeoutError::Disconnected) => {
                self.crashes += 1;
                self.crashes_in_a_row += 1;
                if self.crashes_in_a_row == MAX_CRASHES {
                    return Err(format!("the driver ended at {MAX_CRASHES} questions in a row"));
                }
                self.restart()?;
                Ok(Answer::Crashed)
            }
        }
    }

    fn restart(&mut self) -> Result<(), String> {
        self.process = Process::start(self.command)?;
        Ok(())
    }
}

/// The program itself. Threads write to it and read from it, so that waiting for it has an end.
struct Process {
    child: Child,
    questions: Sender<String>,
    answers: Receiver<Vec<u8>>,
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
        let (found, answers) = channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while output.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                    if !line.trim_ascii().is_empty() && found.send(std::mem::take(&mut line)).is_err() {
                        break;
                    }
                    line.clear();
                }
            });
        }
        Ok(Process { child, questions, answers })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
