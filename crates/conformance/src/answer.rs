//! The answers to questions, one operation after the other.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Map, Value, json};

use super::PROTOCOL_VERSION;
use super::context::Context;
use super::decode::decode_value;
use super::encode::encode_value;
use super::json_meaning::json_outline;
use super::meaning::{body_to_json, expression_to_json, outline, template_to_json, traversal_to_json};
use super::members;
use super::model;
use super::tokens::tokens_to_json;
use hcl_lr::body::{self, Body};
use hcl_lr::diagnostic::{Diagnostics, Outcome};
use hcl_lr::eval::Scope;
use hcl_lr::functions::{self, base64};
use hcl_lr::source::Source;
use hcl_lr::syntax::ast::ExpressionNode;
use hcl_lr::syntax::{ExpressionFile, TemplateFile};
use hcl_lr::{Dialect, File, ParseOptions, Syntax, format};

/// Answers one request, a line of JSON. What is not a request is answered with `bad_request`, an
/// unknown operation with `unsupported`.
///
/// ```
/// use hcl_lr_conformance::answer;
///
/// assert_eq!(answer(r#"{"op": "dance"}"#), r#"{"unsupported":"dance"}"#);
/// assert!(answer("}").starts_with(r#"{"bad_request":"#));
/// ```
pub fn answer(line: &str) -> String {
    answer_line(line.as_bytes())
}

/// The answer to a request.
pub(super) fn answer_line(line: &[u8]) -> String {
    let request: Map<String, Value> = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return json!({ "bad_request": error.to_string() }).to_string(),
    };
    // A request that breaks the library breaks one answer. What happened is on standard error.
    let answer = catch_unwind(AssertUnwindSafe(|| answered(&request)));
    answer.unwrap_or_else(|_| {
        let mut answer = Answer::new(request.get("id"));
        answer.member("bad_request", "\"the library failed at it: this is an error of the library\"");
        answer.finish()
    })
}

fn answered(request: &Map<String, Value>) -> String {
    let mut answer = Answer::new(request.get("id"));
    match request.get("op").and_then(Value::as_str) {
        Some(op) => {
            let result = match members::check(op, request) {
                Some(checked) => checked.and_then(|()| answer.fill(op, request)),
                None => {
                    answer.member("unsupported", &Value::from(op).to_string());
                    Ok(())
                }
            };
            if let Err(why) = result {
                answer.member("bad_request", &Value::from(why).to_string());
            }
        }
        None => answer.member("bad_request", "\"there is no op\""),
    }
    answer.finish()
}

/// An answer under construction. Trees are written as text at once, because they may be nested deeply.
pub(super) struct Answer {
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

    pub(super) fn member(&mut self, name: &str, json: &str) {
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
        let bytes = source_of(request)?;
        let text = &*String::from_utf8_lossy(&bytes);
        let source = Source::from_bytes("in.hcl", bytes.to_vec());
        let options = options_of(request);
        let with_ast = request.get("ast").and_then(Value::as_bool).unwrap_or(true);
        let evaluates = request.get("eval").and_then(Value::as_bool).unwrap_or(false);
        match op {
            "about" => self.about(),
            "config" => {
                let (file, diagnostics) = options.parse::<File>(source).into_parts();
                self.diagnostics(&diagnostics);
                self.tree(with_ast, &diagnostics, || body_to_json(file.body()));
            }
            "recover" if request.get("json") == Some(&Value::Bool(true)) => {
                let source = Source::from_bytes("in.json", bytes.to_vec());
                let (document, diagnostics) = options.parse::<hcl_lr::json::Document>(source).into_parts();
                self.diagnostics(&diagnostics);
                self.member("outline", &json_outline(&document));
            }
            "recover" => {
                let (file, diagnostics) = options.parse::<File>(source).into_parts();
                self.diagnostics(&diagnostics);
                self.member("outline", &outline(file.body()));
            }
            "expr" => {
                let (file, diagnostics) = options.parse::<ExpressionFile>(source).into_parts();
                let expression = file.expression();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || expression_to_json(expression));
                let evaluated = self.evaluated(request, evaluates && !diagnostics.has_errors(), |scope| {
                    expression.evaluate_partially(scope)
                })?;
                self.verdict(&diagnostics, evaluated.as_ref());
            }
            "template" => {
                let (file, diagnostics) = options.parse::<TemplateFile>(source).into_parts();
                let template = file.template();
                self.parsed(&diagnostics);
                self.tree(with_ast, &diagnostics, || template_to_json(template));
                let evaluated = self.evaluated(request, evaluates && !diagnostics.has_errors(), |scope| {
                    template.evaluate_partially(scope)
                })?;
                self.verdict(&diagnostics, evaluated.as_ref());
            }
            "attributes" => {
                let (file, diagnostics) = options.parse::<File>(source).into_parts();
                self.parsed(&diagnostics);
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let context = Context::of(request)?;
                let outcome = context.with_scope(|scope| file.body().evaluate_attributes(scope));
                let values = outcome.value().iter();
                let values: Map<String, Value> =
                    values.map(|(attribute, value)| (attribute.name().to_owned(), encode_value(value))).collect();
                self.member("values", &Value::from(values).to_string());
                self.verdict(&diagnostics, Some(outcome.diagnostics()));
            }
            "format" => {
                self.member("ok", "true");
                self.member("text", &json!(format::format(text)).to_string());
            }
            "json_attributes" => {
                let source = Source::from_bytes("in.json", bytes.to_vec());
                let (body, diagnostics) = options.with_syntax(Syntax::Json).parse::<Body>(source).into_parts();
                self.parsed(&diagnostics);
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let evaluated = self.body_attributes(request, &body)?;
                self.verdict(&diagnostics, Some(&evaluated));
            }
            "json_static" => {
                let source = Source::from_bytes("in.json", bytes.to_vec());
                let (document, diagnostics) = options.parse::<hcl_lr::json::Document>(source).into_parts();
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
            "decode" => self.decode(request)?,
            "user_functions" => self.user_functions(request)?,
            "tokens" => {
                let (file, diagnostics) = match request.get("as").and_then(Value::as_str) {
                    Some("expr") => options.parse::<ExpressionFile>(source).map(File::from),
                    Some("template") => options.parse::<TemplateFile>(source).map(File::from),
                    _ => options.parse::<File>(source),
                }
                .into_parts();
                self.diagnostics(&diagnostics);
                if !diagnostics.has_errors() {
                    self.member("tokens", &tokens_to_json(&file).to_string());
                }
            }
            "type" => self.type_expression(request, text),
            "defaults" => self.defaults(request, text)?,
            "variables" => {
                let (file, diagnostics) = options.parse::<ExpressionFile>(source).into_parts();
                let expression = file.expression();
                self.diagnostics(&diagnostics);
                if !diagnostics.has_errors() {
                    let paths: Vec<String> = expression.variables().into_iter().map(traversal_to_json).collect();
                    self.member("variables", &format!("[{}]", paths.join(",")));
                }
            }
            "static" => {
                let (file, diagnostics) = options.parse::<ExpressionFile>(source).into_parts();
                let expression = file.expression();
                if diagnostics.has_errors() {
                    self.diagnostics(&diagnostics);
                    return Ok(());
                }
                let want = request.get("want").and_then(Value::as_str).unwrap_or_default();
                let problems = self.static_analysis(want, expression).err();
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
                let (traversal, diagnostics) = options.parse::<hcl_lr::Traversal>(source).into_parts();
                self.diagnostics(&diagnostics);
                if let Some(traversal) = traversal.node()
                    && !diagnostics.has_errors()
                {
                    self.member("steps", &traversal_to_json(traversal));
                }
            }
            _ => {
                for (name, value) in model::answer(op, request).map_err(|why| why.to_string())? {
                    self.member(name, &value.to_string());
                }
            }
        }
        Ok(())
    }

    /// Adds the description of this driver and its abilities.
    fn about(&mut self) {
        self.member("name", &json!("hcl-lr").to_string());
        self.member("version", &json!(env!("CARGO_PKG_VERSION")).to_string());
        self.member("protocol", &json!(PROTOCOL_VERSION).to_string());
        self.member("operations", &json!(members::names().collect::<Vec<_>>()).to_string());
        self.member("dialects", &json!(["engine", "strict"]).to_string());
    }

    fn tree(&mut self, wanted: bool, diagnostics: &Diagnostics, tree: impl FnOnce() -> String) {
        if wanted && !diagnostics.has_errors() {
            self.member("ast", &tree());
        }
    }

    pub(super) fn parsed(&mut self, diagnostics: &Diagnostics) {
        self.member("parsed", &(!diagnostics.has_errors()).to_string());
    }

    /// Evaluates if requested, and returns the diagnostics.
    fn evaluated(
        &mut self,
        request: &Map<String, Value>,
        wanted: bool,
        evaluate: impl FnOnce(&Scope<'_>) -> Outcome<hcl_lr::model::Value>,
    ) -> Result<Option<Diagnostics>, String> {
        if !wanted {
            return Ok(None);
        }
        let (value, diagnostics) = Context::of(request)?.with_scope(evaluate).into_parts();
        self.member("value", &encode_value(&value).to_string());
        Ok(Some(diagnostics))
    }

    fn static_analysis(&mut self, want: &str, expression: ExpressionNode<'_>) -> Result<(), Diagnostics> {
        let list = |parts: &[ExpressionNode<'_>]| {
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

    /// Answers with the attributes of a body, and returns the diagnostics.
    fn body_attributes(&mut self, request: &Map<String, Value>, body: &Body) -> Result<Diagnostics, String> {
        let (attributes, mut diagnostics) = body.attributes().into_parts();
        let values: Map<String, Value> = Context::of(request)?.with_scope(|scope| {
            let value = |attribute: &body::Attribute| {
                let value = attribute.evaluate_partially(scope).into_value_reporting_to(&mut diagnostics);
                (attribute.name().to_owned(), encode_value(&value))
            };
            attributes.iter().map(value).collect()
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
            Some(native) => expression_to_json(native),
            None => json!({ "value": encode_value(part.evaluate_partially(scope).value()) }).to_string(),
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
                if let Some(path) = expression.static_traversal()?.node() {
                    self.member("steps", &traversal_to_json(path));
                }
            }
            _ => self.member("keyword", &Value::from(expression.keyword().unwrap_or_default()).to_string()),
        }
        Ok(())
    }

    pub(super) fn diagnostics(&mut self, diagnostics: &Diagnostics) {
        self.verdict(diagnostics, None);
    }

    /// Adds the verdict and the diagnostics.
    fn verdict(&mut self, parsed: &Diagnostics, evaluated: Option<&Diagnostics>) {
        let list: Vec<Value> = parsed
            .iter()
            .chain(evaluated.into_iter().flatten())
            .map(|diagnostic| {
                let place = |offset| {
                    let position = diagnostic.source().position(offset);
                    json!([position.line, position.column, position.byte])
                };
                json!({
                    "severity": diagnostic.severity().as_str(),
                    "code": diagnostic.code().as_str(),
                    "summary": diagnostic.summary(),
                    "detail": diagnostic.detail(),
                    "range": [place(diagnostic.span().start()), place(diagnostic.span().end())],
                })
            })
            .collect();
        let fails = parsed.has_errors() || evaluated.is_some_and(Diagnostics::has_errors);
        self.member("ok", &(!fails).to_string());
        self.member("diags", &Value::from(list).to_string());
    }
}

/// The source of a request, as text or in Base64.
fn source_of(request: &Map<String, Value>) -> Result<Cow<'_, [u8]>, String> {
    if let Some(text) = request.get("src").and_then(Value::as_str) {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let Some(text) = request.get("src_base64").and_then(Value::as_str) else { return Ok(Cow::Borrowed(&[])) };
    base64::decode(text).map(Cow::Owned).map_err(|why| format!("src_base64: {why}"))
}

/// Returns the parser options that a request asks for.
pub(super) fn options_of(request: &Map<String, Value>) -> ParseOptions {
    match request.get("dialect").and_then(Value::as_str) {
        Some("strict") => ParseOptions::new().with_dialect(Dialect::Strict),
        _ => ParseOptions::new(),
    }
}

/// Adds a pair of a map that is not evaluated. A bare name is shown as the key that it stands for.
fn static_pair(key: ExpressionNode<'_>, value: ExpressionNode<'_>) -> String {
    let key = match key.keyword() {
        Some(name) => format!("{{\"key\":{}}}", Value::from(name)),
        None => expression_to_json(key),
    };
    format!("[{key},{}]", expression_to_json(value))
}
