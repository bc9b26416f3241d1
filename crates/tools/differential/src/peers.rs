//! The drivers that answer: those of the conformance protocol, and this library.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::defects::Defect;

/// The maximum time for an answer, after which the driver counts as dead.
const PATIENCE: Duration = Duration::from_secs(60);

/// A source of answers, in the order of the questions.
pub trait Answers {
    fn answers(&mut self, requests: &[Json]) -> Result<Vec<Json>, Box<dyn Error>>;

    /// Passes on the questions early to a peer that answers them in parallel with others.
    fn begin(&mut self, _requests: &[Json]) -> Result<(), Box<dyn Error>> {
        Ok(())
    }
}

/// The answers of both.
pub fn both(
    theirs: &mut dyn Answers,
    ours: &mut dyn Answers,
    requests: &[Json],
) -> Result<(Vec<Json>, Vec<Json>), Box<dyn Error>> {
    theirs.begin(requests)?;
    let mine = ours.answers(requests)?;
    Ok((theirs.answers(requests)?, mine))
}

/// This library, perhaps with a mistake.
pub struct Ours {
    pub defect: Option<&'static Defect>,
}

impl Answers for Ours {
    fn answers(&mut self, requests: &[Json]) -> Result<Vec<Json>, Box<dyn Error>> {
        let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let mut answers = Vec::new();
        hcl_lr_conformance::run(text.as_bytes(), &mut answers)?;
        let lines = answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let answers = lines.map(parsed).collect::<Result<Vec<Json>, _>>()?;
        let Some(defect) = self.defect else { return Ok(answers) };
        Ok(requests.iter().zip(answers).map(|(request, answer)| (defect.spoil)(request, answer)).collect())
    }
}

/// An answer nests as deeply as its subject.
fn parsed(line: &[u8]) -> Result<Json, serde_json::Error> {
    serde_json::from_slice(line)
}

/// Another program. One that dies is started again.
pub struct Driver {
    command: String,
    running: Option<Running>,
    /// The number of pending answers.
    asked: usize,
}

struct Running {
    child: Child,
    questions: std::sync::mpsc::Sender<String>,
    answers: Receiver<String>,
}

impl Driver {
    /// Starts a program by a command line as the shell reads it.
    pub fn start(command: &str) -> Result<Driver, Box<dyn Error>> {
        let mut driver = Driver { command: command.to_owned(), running: None, asked: 0 };
        driver.running = Some(driver.run()?);
        Ok(driver)
    }

    fn run(&self) -> Result<Running, Box<dyn Error>> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {}", self.command)]);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut input = child.stdin.take().ok_or("the driver has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("the driver has no output")?);
        let (questions, to_write) = channel::<String>();
        thread::spawn(move || {
            for text in to_write {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let (found, answers) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if found.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Running { child, questions, answers })
    }

    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // Ignore the result: the process may have ended by itself.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
        self.asked = 0;
    }
}

impl Answers for Driver {
    fn begin(&mut self, requests: &[Json]) -> Result<(), Box<dyn Error>> {
        if self.running.is_none() {
            self.running = Some(self.run()?);
        }
        let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
        if let Some(running) = &self.running {
            let _ = running.questions.send(text);
        }
        self.asked = requests.len();
        Ok(())
    }

    fn answers(&mut self, requests: &[Json]) -> Result<Vec<Json>, Box<dyn Error>> {
        let mut answers = Vec::with_capacity(requests.len());
        while answers.len() < requests.len() {
            if self.asked == 0 {
                self.begin(&requests[answers.len()..])?;
            }
            let line = self.running.as_ref().and_then(|running| running.answers.recv_timeout(PATIENCE).ok());
            // A process that dies while it writes leaves half a line.
            match line.and_then(|line| parsed(line.as_bytes()).ok()) {
                Some(answer) => {
                    answers.push(answer);
                    self.asked -= 1;
                }
                None => {
                    // The question that killed it has no answer; the others are sent again.
                    self.stop();
                    answers.push(json!({ "panic": true, "message": "the driver died" }));
                }
            }
        }
        self.asked = 0;
        Ok(answers)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}
