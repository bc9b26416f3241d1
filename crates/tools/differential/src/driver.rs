//! Asking drivers of the conformance protocol.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::Value as Json;

/// Another program. It is asked many questions at a time, while this one answers them itself.
pub struct Driver {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Driver {
    pub fn start(command: &[String]) -> Result<Driver, Box<dyn Error>> {
        let (program, arguments) = command.split_first().ok_or("there is no driver to ask")?;
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let questions = child.stdin.take().ok_or("the driver has no input")?;
        let answers = BufReader::new(child.stdout.take().ok_or("the driver has no output")?);
        Ok(Driver { child, questions, answers })
    }

    /// The answers of the driver and our own, in the order of the questions.
    pub fn ask(&mut self, requests: &[Json]) -> Result<Vec<(Json, Json)>, Box<dyn Error>> {
        let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let (questions, answers) = (&mut self.questions, &mut self.answers);
        let (theirs, mine) = thread::scope(|scope| {
            // One thread to write, for whoever does not read what is answered is not asked further.
            let writer = scope.spawn(|| questions.write_all(text.as_bytes()).and_then(|()| questions.flush()));
            let reader = scope.spawn(|| read(answers, requests.len()));
            let mine = ours(&text);
            writer.join().map_err(|_| "the questions could not be written")??;
            let theirs = reader.join().map_err(|_| "the answers could not be read")?.map_err(|why| why.to_string())?;
            Ok::<_, Box<dyn Error>>((theirs, mine?))
        })?;
        if theirs.len() != mine.len() {
            return Err(format!("{} answers to {} questions", theirs.len(), mine.len()).into());
        }
        Ok(theirs.into_iter().zip(mine).collect())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It ends by itself at the end of its input; whether it can be stopped does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(answers: &mut impl BufRead, count: usize) -> Result<Vec<Json>, std::io::Error> {
    let mut line = String::new();
    let mut read = Vec::with_capacity(count);
    for _ in 0..count {
        line.clear();
        if answers.read_line(&mut line)? == 0 {
            break;
        }
        read.push(serde_json::from_str(&line)?);
    }
    Ok(read)
}

/// Returns the answers of this library to requests, one in each line.
fn ours(requests: &str) -> Result<Vec<Json>, Box<dyn Error>> {
    let mut answers = Vec::new();
    hcl_lr_conformance::run(requests.as_bytes(), &mut answers)?;
    let lines = answers.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| Ok(serde_json::from_slice(line)?)).collect()
}
