//! The official engine, in a program that is asked.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;

/// The program of `crates/benches/go`.
pub struct Official {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The times of the samples of a question, and the facts about the value in the answer.
pub struct Answer {
    pub seconds: Vec<f64>,
    #[allow(dead_code)] // Not all benchmarks have values.
    pub length: usize,
    #[allow(dead_code)]
    pub hash: String,
}

impl Official {
    /// Builds and starts the program, if there is a Go toolchain.
    pub fn start() -> Option<Official> {
        let program = std::env::temp_dir().join(format!("hcl-lr-officialbench-{}", std::process::id()));
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("go");
        let built = Command::new("go").args(["build", "-o"]).arg(&program).arg(".").current_dir(folder).status();
        if !built.ok()?.success() {
            return None;
        }
        let child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        // It runs without its file.
        let _ = std::fs::remove_file(&program);
        let mut child = child.ok()?;
        let (questions, answers) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Official { child, questions, answers })
    }

    pub fn ask(&mut self, question: &Json) -> Answer {
        writeln!(self.questions, "{question}").expect("it listens");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        let answer: Json = serde_json::from_str(&line).expect("an answer");
        let seconds = answer["seconds"].as_array().expect("seconds").iter().filter_map(Json::as_f64);
        let length = answer["length"].as_u64().expect("a length") as usize;
        Answer { seconds: seconds.collect(), length, hash: answer["hash"].as_str().expect("a hash").to_owned() }
    }
}

impl Drop for Official {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
