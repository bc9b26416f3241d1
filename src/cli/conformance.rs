//! Answers questions of the conformance protocol: one JSON request a line, one JSON answer a line.
//!
//! It is how any HCL implementation can be asked the same things as any other, so that their
//! answers can be compared.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::{Status, console};
use crate::diagnostic::Diagnostics;
use crate::model::protocol;
use crate::source::Source;
use crate::syntax::ast::{body_to_json, expression_to_json, template_to_json, traversal_to_json};
use crate::syntax::{Options, parse_expression, parse_source, parse_template, parse_traversal};

pub(super) const ABOUT: &str = "\
Answer questions from other programs, to compare implementations of HCL

Reads requests from standard input, one JSON object a line, and writes the answers to standard output, \
one JSON object a line, in the same order. `op` says what is asked: config, expr, template or traversal; \
`src` is the source text. A bad request gets the answer {\"bad_request\": \"why\"}, an operation that \
there is not the answer {\"unsupported\": \"op\"}; the program goes on until the end of the input.";

pub(super) const EXAMPLES: &str = "\
Examples:
  echo '{\"op\": \"expr\", \"src\": \"1 + 2\"}' | hcl conformance
  hcl conformance < requests.jsonl > answers.jsonl";

/// `hcl conformance`: from standard input to standard output.
pub(super) fn serve() -> Status {
    let result = run(io::stdin().lock(), BufWriter::new(io::stdout().lock()));
    console::written(result, Status::Fine)
}

/// Answers all requests of a reader. It stops at the end of the input only, never at a bad request.
///
/// Whoever asks one question at a time gets each answer before the next question: `output` is
/// flushed whenever no more input is waiting.
///
/// # Errors
/// Those of the reader and writer.
pub fn run(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        output.write_all(answer_line(&line).as_bytes())?;
        output.write_all(b"\n")?;
        // Only what was read already is looked at: to ask for more would be to wait for it.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}

/// The answer to a request.
fn answer_line(line: &[u8]) -> String {
    let request: Map<String, Value> = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return json!({ "bad_request": error.to_string() }).to_string(),
    };
    // A request that breaks the library breaks one answer. What happened is on standard error.
    let answer = catch_unwind(AssertUnwindSafe(|| answer(&request)));
    answer.unwrap_or_else(|_| {
        let mut answer = Answer::new(request.get("id"));
        answer.member("bad_request", "\"the library failed at it: this is an error of the library\"");
        answer.finish()
    })
}

fn answer(request: &Map<String, Value>) -> String {
    let mut answer = Answer::new(request.get("id"));
    match request.get("op").and_then(Value::as_str) {
        Some(op) => match answer.fill(op, request) {
            Ok(()) => {}
            Err(why) => answer.member("bad_request", &Value::from(why).to_string()),
        },
        None => answer.member("bad_request", "\"there is no op\""),
    }
    answer.finish()
}

/// An answer under way. Trees are written as text at once, for they may be nested deeply.
struct Answer {
    text: String,
}

impl Answer {
    fn new(id: Option<&Value>) -> Self {
        let mut answer = Answer { text: String::from("{") };
        if let Some(id) = id {
            answer.member("id", &id.to_string());
        }
        answer
    }

    fn member(&mut self, name: &str, json: &str) {
        if self.text.len() > 1 {
            self.text.push(',');
        }
        self.text.push_str(&format!("\"{name}\":{json}"));
    }

    fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }

    fn fill(&mut self, op: &str, request: &Map<String, Value>) -> Result<(), String> {
        let text = match request.get("src") {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text,
            Some(_) => return Err("src is no string".to_owned()),
        };
        let source = Source::new("in.hcl", text);
        let options = Options::default();
        let with_ast = request.get("ast").and_then(Value::as_bool).unwrap_or(true);
        let evaluates = request.get("eval").and_then(Value::as_bool).unwrap_or(false);
        match op {
            "config" => {
                let (file, diagnostics) = parse_source(source, &options).into_parts();
                self.diagnostics(&diagnostics);
                self.tree(with_ast, &diagnostics, || body_to_json(file.body()));
            }
            "expr" if !evaluates => {
                let (expression, diagnostics) = parse_expression(source, &options).into_parts();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || expression_to_json(expression.get()));
            }
            "template" if !evaluates => {
                let (template, diagnostics) = parse_template(source, &options).into_parts();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || template_to_json(template.get()));
            }
            "traversal" => {
                let (traversal, diagnostics) = parse_traversal(source, &options).into_parts();
                self.diagnostics(&diagnostics);
                if let Some(traversal) = traversal.get()
                    && !diagnostics.has_errors()
                {
                    self.member("steps", &traversal_to_json(traversal));
                }
            }
            "convert" | "unify" | "echo" => {
                let request = Value::Object(request.clone());
                for (name, value) in protocol::answer_request(&request).map_err(|why| why.to_string())? {
                    self.member(&name, &value.to_string());
                }
            }
            _ => self.member("unsupported", &Value::from(op).to_string()),
        }
        Ok(())
    }

    fn tree(&mut self, wanted: bool, diagnostics: &Diagnostics, tree: impl FnOnce() -> String) {
        if wanted && !diagnostics.has_errors() {
            self.member("ast", &tree());
        }
    }

    fn parsed(&mut self, diagnostics: &Diagnostics) {
        self.member("parsed", &(!diagnostics.has_errors()).to_string());
        self.diagnostics(diagnostics);
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics) {
        let list: Vec<Value> = diagnostics
            .iter()
            .map(|diagnostic| {
                let place = |offset| {
                    let position = diagnostics.source().position(offset);
                    json!([position.line, position.column, position.byte])
                };
                json!({
                    "severity": diagnostic.severity().as_str(),
                    "summary": diagnostic.summary(),
                    "detail": diagnostic.detail(),
                    "range": [place(diagnostic.subject().start()), place(diagnostic.subject().end())],
                })
            })
            .collect();
        self.member("ok", &(!diagnostics.has_errors()).to_string());
        self.member("diags", &Value::from(list).to_string());
    }
}
