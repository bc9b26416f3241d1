//! Answers the conformance protocol with hcl-rs, as far as possible: trees of native syntax, and values that need no
//! functions. It has no JSON syntax, schemas, unknown values or marks: cases that need them are `unsupported`.

mod tree;
mod value;

use std::io::{self, BufRead, Write};

use hcl::eval::{Context, Evaluate};
use hcl::expr::{Expression, TemplateExpr};
use hcl::{Body, Identifier, Template};
use serde_json::{Map, Value as Json, json};

const VERSION: &str = "0.20.0";

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        // A panic within the library is a wrong answer, and no reason to stop.
        let answer = std::panic::catch_unwind(|| answer(&line)).unwrap_or_else(|_| json!({"crash": "panic"}));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(line: &str) -> Json {
    let request: Json = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return json!({"bad_request": error.to_string()}),
    };
    let mut answer = match request["op"].as_str() {
        Some("about") => json!({
            "name": "hcl-rs", "version": VERSION, "protocol": 1, "lacks": ["json", "unknowns"],
            "operations": ["about", "config", "expr", "template", "attributes"], "dialects": ["engine"],
        }),
        Some(op @ ("config" | "expr" | "template" | "attributes")) => match request["src"].as_str() {
            Some(source) => of_source(op, source, &request),
            None if request.get("src_base64").is_some() => json!({"unsupported": "src_base64"}),
            None => json!({"bad_request": "src is missing"}),
        },
        Some(op) => json!({"unsupported": op}),
        None => json!({"bad_request": "op is missing"}),
    };
    if let (Some(id), Json::Object(answer)) = (request.get("id"), &mut answer) {
        answer.insert("id".into(), id.clone());
    }
    answer
}

fn of_source(op: &str, source: &str, request: &Json) -> Json {
    let wants_tree = request["ast"] != json!(false);
    match op {
        "config" => match source.parse::<Body>() {
            Ok(body) => with_tree(wants_tree, || tree::body(&body)),
            Err(error) => failed(&error),
        },
        "attributes" => match source.parse::<Body>() {
            Ok(body) => attributes(&body, request),
            Err(error) => failed(&error),
        },
        "expr" => match source.parse::<Expression>() {
            Ok(expression) => {
                let mut answer = with_tree(wants_tree, || tree::expression(&expression));
                add_value(&mut answer, request, |context| expression.evaluate(context));
                answer
            }
            Err(error) => failed(&error),
        },
        // A template as a whole source has no escape sequences of its own, like a heredoc.
        _ => match source.parse::<Template>() {
            Ok(template) => {
                let mut answer = with_tree(wants_tree, || tree::bare_template(&template));
                let expression = TemplateExpr::Heredoc(hcl::expr::Heredoc::new(Identifier::unchecked("T"), source));
                add_value(&mut answer, request, |context| Expression::from(expression.clone()).evaluate(context));
                answer
            }
            Err(error) => failed(&error),
        },
    }
}

fn with_tree(wanted: bool, tree: impl FnOnce() -> Option<Json>) -> Json {
    let mut answer = json!({"ok": true, "parsed": true, "diags": []});
    if wanted && let Some(tree) = tree() {
        answer["ast"] = tree;
    }
    answer
}

fn failed(error: &hcl::Error) -> Json {
    let diagnostic = match error {
        hcl::Error::Parse(error) => {
            let place = json!([error.location().line(), error.location().column(), error.location().offset()]);
            json!({"severity": "error", "summary": error.message(), "range": [place, place]})
        }
        error => json!({"severity": "error", "summary": error.to_string()}),
    };
    json!({"ok": false, "parsed": false, "diags": [diagnostic]})
}

fn add_value(answer: &mut Json, request: &Json, evaluate: impl FnOnce(&Context) -> hcl::eval::EvalResult<hcl::Value>) {
    if request["eval"] != json!(true) {
        return;
    }
    let Some(context) = context(request) else {
        *answer = json!({"unsupported": "functions, or values that are unknown or marked"});
        return;
    };
    match evaluate(&context) {
        Ok(value) => answer["value"] = value::encode(&value),
        Err(error) => {
            answer["ok"] = json!(false);
            answer["diags"] = json!([{"severity": "error", "summary": error.to_string()}]);
        }
    }
}

fn attributes(body: &Body, request: &Json) -> Json {
    let Some(context) = context(request) else {
        return json!({"unsupported": "functions, or values that are unknown or marked"});
    };
    if body.blocks().next().is_some() {
        return json!({"unsupported": "attributes of a body with blocks"});
    }
    let mut values = Map::new();
    let mut errors = Vec::new();
    for attribute in body.attributes() {
        match attribute.expr.evaluate(&context) {
            Ok(value) => drop(values.insert(attribute.key.to_string(), value::encode(&value))),
            Err(error) => errors.push(json!({"severity": "error", "summary": error.to_string()})),
        }
    }
    json!({"ok": errors.is_empty(), "parsed": true, "diags": errors, "values": values})
}

/// Returns the context of a request; `None` if this library lacks its values or functions.
fn context(request: &Json) -> Option<Context<'static>> {
    let mut context = Context::new();
    if request["functions"].as_array().is_some_and(|functions| !functions.is_empty()) {
        return None;
    }
    let scopes = request["scopes"].as_array().into_iter().flatten();
    for variables in std::iter::once(&request["vars"]).chain(scopes) {
        for (name, value) in variables.as_object().into_iter().flatten() {
            context.declare_var(Identifier::sanitized(name), value::decode(value)?);
        }
    }
    Some(context)
}
