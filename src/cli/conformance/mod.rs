//! Answers questions of the conformance protocol: one JSON request a line, one JSON answer a line.
//!
//! It is how any HCL implementation can be asked the same things as any other, so that their
//! answers can be compared.

mod content;
mod context;
mod types;

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::{Status, terminal};
use crate::body::{self, Body};
use crate::diagnostic::Diagnostics;
use crate::eval::{Evaluation, Scope};
use crate::functions;
use crate::json::parse_json;
use crate::model::protocol::{self, decode_value, encode_value};
use crate::source::Source;
use crate::syntax::ast::{Expression, body_to_json, expression_to_json, template_to_json, traversal_to_json};
use crate::syntax::{Options, parse_expression, parse_source, parse_template, parse_traversal};

use context::Context;

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
    terminal::written(result, Status::Fine)
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
            "expr" => {
                let (expression, diagnostics) = parse_expression(source, &options).into_parts();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || expression_to_json(expression.get()));
                let evaluated = self.evaluated(request, evaluates && !diagnostics.has_errors(), |scope| {
                    expression.get().evaluate_partially(scope)
                })?;
                self.verdict(&diagnostics, evaluated.as_ref());
            }
            "template" => {
                let (template, diagnostics) = parse_template(source, &options).into_parts();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || template_to_json(template.get()));
                let evaluated = self.evaluated(request, evaluates && !diagnostics.has_errors(), |scope| {
                    template.get().evaluate_partially(scope)
                })?;
                self.verdict(&diagnostics, evaluated.as_ref());
            }
            "attributes" => {
                let (file, diagnostics) = parse_source(source, &options).into_parts();
                self.parsed(&diagnostics);
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let context = Context::of(request)?;
                let evaluation = context.with_scope(|scope| file.body().evaluate_attributes(scope));
                let values = evaluation.value.iter();
                let values: Map<String, Value> =
                    values.map(|(attribute, value)| (attribute.name().to_owned(), encode_value(value))).collect();
                self.member("values", &Value::from(values).to_string());
                self.verdict(&diagnostics, Some(&evaluation.diagnostics));
            }
            "json_attributes" => {
                let (body, diagnostics) = {
                    let outcome = body::load_source(Source::new("in.json", text), &options);
                    (outcome.value, outcome.diagnostics)
                };
                self.parsed(&diagnostics);
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let evaluated = self.body_attributes(request, &body)?;
                self.verdict(&diagnostics, Some(&evaluated));
            }
            "json_static" => {
                let (document, diagnostics) = parse_json(Source::new("in.json", text), &options).into_parts();
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let expression = body::Expression::from((&document, document.root()));
                let want = request.get("want").and_then(Value::as_str).unwrap_or_default();
                let context = Context::of(request)?;
                let problems = context.with_scope(|scope| self.json_static_analysis(want, &expression, scope)).err();
                self.verdict(&diagnostics, problems.as_ref());
            }
            "content" => self.content(request)?,
            "type" => self.type_expression(request, text),
            "defaults" => self.defaults(request, text)?,
            "variables" => {
                let (expression, diagnostics) = parse_expression(source, &options).into_parts();
                self.diagnostics(&diagnostics);
                if !diagnostics.has_errors() {
                    let paths: Vec<String> = expression.get().variables().into_iter().map(traversal_to_json).collect();
                    self.member("variables", &format!("[{}]", paths.join(",")));
                }
            }
            "static" => {
                let (expression, diagnostics) = parse_expression(source, &options).into_parts();
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let want = request.get("want").and_then(Value::as_str).unwrap_or_default();
                let problems = self.static_analysis(want, expression.get()).err();
                self.verdict(&diagnostics, problems.as_ref());
            }
            "call" => {
                let name = request.get("name").and_then(Value::as_str).unwrap_or_default();
                let functions = functions::standard();
                let Some(function) = functions.get(name) else {
                    self.member("unsupported", &Value::from(format!("function {name}")).to_string());
                    return Ok(());
                };
                let given = request.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                let arguments = given.iter().map(decode_value).collect::<Result<Vec<_>, _>>();
                match function.call(&arguments.map_err(|why| why.to_string())?) {
                    Ok(value) => {
                        self.member("ok", "true");
                        self.member("value", &encode_value(&value).to_string());
                    }
                    Err(why) => {
                        self.member("ok", "false");
                        self.member("message", &Value::from(why.to_string()).to_string());
                    }
                }
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
    }

    /// Evaluates if that is wanted; the diagnostics of it.
    fn evaluated(
        &mut self,
        request: &Map<String, Value>,
        wanted: bool,
        evaluate: impl FnOnce(&Scope<'_>) -> Evaluation,
    ) -> Result<Option<Diagnostics>, String> {
        if !wanted {
            return Ok(None);
        }
        let evaluation = Context::of(request)?.with_scope(evaluate);
        self.member("value", &encode_value(&evaluation.value).to_string());
        Ok(Some(evaluation.diagnostics))
    }

    fn static_analysis(&mut self, want: &str, expression: Expression<'_>) -> Result<(), Diagnostics> {
        let list = |parts: &[Expression<'_>]| {
            let parts: Vec<String> = parts.iter().map(|part| expression_to_json(*part)).collect();
            format!("[{}]", parts.join(","))
        };
        match want {
            "list" => self.member("list", &list(&expression.static_list()?)),
            "map" => {
                let pairs = expression.static_map()?;
                let pairs: Vec<String> = pairs.into_iter().map(|(key, value)| static_pair(key, value)).collect();
                self.member("map", &format!("[{}]", pairs.join(",")));
            }
            "call" => {
                let call = expression.static_call()?;
                self.member("call", &Value::from(call.name()).to_string());
                self.member("args", &list(&call.arguments().collect::<Vec<_>>()));
            }
            "traversal" => self.member("steps", &traversal_to_json(expression.static_traversal()?)),
            _ => self.member("keyword", &Value::from(expression.keyword().unwrap_or_default()).to_string()),
        }
        Ok(())
    }

    /// Answers with the attributes of a body; what is wrong with them.
    fn body_attributes(&mut self, request: &Map<String, Value>, body: &Body) -> Result<Diagnostics, String> {
        let attributes = body.attributes();
        let mut diagnostics = attributes.diagnostics;
        let values: Map<String, Value> = Context::of(request)?.with_scope(|scope| {
            let value = |attribute: &body::Attribute| {
                let evaluation = attribute.expression().evaluate_partially(scope);
                diagnostics.append(evaluation.diagnostics);
                (attribute.name().to_owned(), encode_value(&evaluation.value))
            };
            attributes.value.iter().map(value).collect()
        });
        self.member("values", &Value::from(values).to_string());
        Ok(diagnostics)
    }

    /// Expressions of JSON are shown by their values, those of native syntax in strings by their trees.
    fn json_static_analysis(
        &mut self,
        want: &str,
        expression: &body::Expression,
        scope: &Scope<'_>,
    ) -> Result<(), Diagnostics> {
        let show = |part: &body::Expression| match part.as_native() {
            Some(native) => expression_to_json(native.get()),
            None => json!({ "value": encode_value(&part.evaluate_partially(scope).value) }).to_string(),
        };
        let list = |parts: &[body::Expression]| parts.iter().map(show).collect::<Vec<_>>().join(",");
        match want {
            "list" => self.member("list", &format!("[{}]", list(&expression.static_list()?))),
            "map" => {
                let pairs = expression.static_map()?;
                let pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("[{},{}]", show(key), show(value))).collect();
                self.member("map", &format!("[{}]", pairs.join(",")));
            }
            "call" => {
                let call = expression.static_call()?;
                self.member("call", &Value::from(call.name()).to_string());
                self.member("args", &format!("[{}]", list(call.arguments())));
            }
            "traversal" => {
                if let Some(path) = expression.static_traversal()?.get() {
                    self.member("steps", &traversal_to_json(path));
                }
            }
            _ => self.member("keyword", &Value::from(expression.keyword().unwrap_or_default()).to_string()),
        }
        Ok(())
    }

    fn diagnostics(&mut self, diagnostics: &Diagnostics) {
        self.verdict(diagnostics, None);
    }

    /// Says whether all is well, and what is not.
    fn verdict(&mut self, parsed: &Diagnostics, evaluated: Option<&Diagnostics>) {
        let all = || {
            let evaluated = evaluated.into_iter().flat_map(|all| all.iter().map(move |diagnostic| (all, diagnostic)));
            parsed.iter().map(|diagnostic| (parsed, diagnostic)).chain(evaluated)
        };
        let list: Vec<Value> = all()
            .map(|(diagnostics, diagnostic)| {
                let place = |offset| {
                    let position = diagnostics.source_of(diagnostic).position(offset);
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
        let fails = parsed.has_errors() || evaluated.is_some_and(Diagnostics::has_errors);
        self.member("ok", &(!fails).to_string());
        self.member("diags", &Value::from(list).to_string());
    }
}

/// A pair of a map that is not evaluated. A bare name is shown as the key that it is elsewhere.
fn static_pair(key: Expression<'_>, value: Expression<'_>) -> String {
    let key = match key.keyword() {
        Some(name) => format!("{{\"key\":{}}}", Value::from(name)),
        None => expression_to_json(key),
    };
    format!("[{key},{}]", expression_to_json(value))
}
