//! The official engine, as far as its programs are at hand.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

use crate::answer::shown;
use crate::table::{Example, UsedParts};

pub struct Engine {
    driver: Option<Program>,
    tofu: Option<String>,
}

impl Engine {
    pub fn from_environment() -> Engine {
        let named = |variable: &str| std::env::var(variable).ok().filter(|program| !program.is_empty());
        Engine {
            driver: named("OFFICIAL_DRIVER").map(|program| Program::start(&program)),
            tofu: named("OFFICIAL_TOFU"),
        }
    }

    /// The answer of the official engine; nothing if its program is not at hand, or another test asks it.
    pub fn answer(&mut self, example: &Example) -> Option<Result<Json, String>> {
        match &example.asked {
            UsedParts::Request(request) => {
                Some(self.driver.as_mut()?.ask(request).map(|answer| shown(&example.show, &answer)))
            }
            UsedParts::TerraformFmt(text) => Some(formatted(self.tofu.as_ref()?, text)),
            UsedParts::Hcldec(_) | UsedParts::OpenTofu(_) => None,
        }
    }
}

fn formatted(program: &str, text: &str) -> Result<Json, String> {
    let command = Command::new(program).args(["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = command.map_err(|why| format!("{program}: {why}"))?;
    child.stdin.take().expect("its input").write_all(text.as_bytes()).map_err(|why| why.to_string())?;
    let output = child.wait_with_output().map_err(|why| why.to_string())?;
    Ok(json!({ "text": String::from_utf8_lossy(&output.stdout) }))
}

/// A program that answers a line with a line.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(program: &str) -> Program {
        let command = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = command.unwrap_or_else(|why| panic!("{program}: {why}"));
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("its output"));
        Program { child, input, output: BufReader::new(output) }
    }

    fn ask(&mut self, request: &Json) -> Result<Json, String> {
        let input = self.input.as_mut().expect("its input");
        writeln!(input, "{request}").and_then(|()| input.flush()).map_err(|why| why.to_string())?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|why| why.to_string())?;
        serde_json::from_str(&line).map_err(|why| format!("{why}: {line}"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.input.take());
        // It ends with its input.
        let _ = self.child.wait();
    }
}
