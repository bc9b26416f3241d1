//! Programs that answer each line by a line.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Asks a program questions, which it answers line by line. If it breaks at one, that one has an answer that says so, and it
/// is started again.
pub fn ask_program(program: &str, requests: &[Value]) -> Vec<Value> {
    let mut answers: Vec<Value> = Vec::new();
    while answers.len() < requests.len() {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("its standard input");
        let lines: String = requests[answers.len()..].iter().map(|request| format!("{request}\n")).collect();
        // It may end before it has read all.
        let writer = std::thread::spawn(move || drop(stdin.write_all(lines.as_bytes())));
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("the thread ends");
        let text = String::from_utf8(output.stdout).expect("text");
        answers.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("an answer")));
        if answers.len() < requests.len() {
            answers.push(json!({ "panic": "the program ended", "errors": [], "values": {} }));
        }
    }
    answers
}
