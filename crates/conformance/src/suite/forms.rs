//! Questions about whole files that are equivalent to questions about expressions and templates.
//!
//! Many implementations read only files. For them, the expression `a + 1` becomes the attribute of a file,
//! `x = a + 1`, and a template becomes a quoted one or a heredoc. A form is used only if this implementation gives the
//! same answer as for the expression: a line break in an expression may end the attribute of a file.

use serde_json::{Map, Value, json};

use super::level::Level;
use crate::answer;

/// The name of the attribute.
const NAME: &str = "x";
/// The number of columns before an expression in its first line.
const BEFORE: u64 = 4;

/// A question about a file, in place of the one of its case.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The request: `config`, or `attributes` if the case is evaluated.
    pub request: Value,
    /// The expected answer.
    pub answer: Value,
}

impl Form {
    pub(super) fn to_json(&self) -> Value {
        json!({ "request": self.request, "answer": self.answer })
    }

    pub(super) fn from_json(json: &Value) -> Option<Form> {
        let object = |name: &str| json.get(name).filter(|part| part.is_object()).cloned();
        Some(Form { request: object("request")?, answer: object("answer")? })
    }

    /// The levels by which its answers are scored.
    pub(crate) fn levels(&self) -> Vec<Level> {
        Level::of(&self.answer)
    }

    /// Returns the forms of a case, at most one with each operation. An evaluation is the last one.
    pub(super) fn of(request: &Value, wanted: &Value) -> Vec<Form> {
        let (Some(op @ ("expr" | "template")), Some(source)) = (request["op"].as_str(), request["src"].as_str()) else {
            return Vec::new();
        };
        let files = match op {
            "expr" => vec![format!("{NAME} = {source}\n")],
            _ => vec![format!("{NAME} = \"{source}\"\n"), format!("{NAME} = <<END_OF_IT\n{source}END_OF_IT\n")],
        };
        let mut forms = Vec::new();
        let parsed = ask(&json!({ "op": op, "src": source, "dialect": dialect(request) }));
        for file in &files {
            let form = Form::parsed(request, wanted, &parsed, file);
            if let Some(form) = form {
                forms.push(form);
                break;
            }
        }
        if request["eval"] == true {
            forms.extend(files.iter().find_map(|file| Form::evaluated(request, wanted, file)));
        }
        forms
    }

    /// Adds the form for a file that is only parsed.
    fn parsed(request: &Value, wanted: &Value, parsed: &Value, file: &str) -> Option<Form> {
        let mut question = Map::from_iter([("op".to_owned(), json!("config")), ("src".to_owned(), json!(file))]);
        copy("dialect", request, &mut question);
        let accepted = parsed["parsed"] == true;
        let mut answer = Map::from_iter([("ok".to_owned(), json!(accepted))]);
        if accepted {
            if request["ast"] == false || wanted.get("ast").is_none() {
                question.insert("ast".to_owned(), json!(false));
            } else {
                answer.insert("ast".to_owned(), json!([{ "attr": NAME, "expr": wanted["ast"] }]));
            }
        } else {
            answer.insert("errors".to_owned(), shifted(wanted));
        }
        let mut form = Form { request: Value::Object(question), answer: Value::Object(answer) };
        let got = ask(&form.request);
        // The trees are always compared, even if they were not requested.
        let tree = || ask(&json!({ "op": "config", "src": file, "dialect": dialect(request) }));
        let same =
            got["ok"] == accepted && (!accepted || tree()["ast"] == json!([{ "attr": NAME, "expr": parsed["ast"] }]));
        form.check_places(&got);
        same.then_some(form)
    }

    /// The value of the attribute.
    fn evaluated(request: &Value, wanted: &Value, file: &str) -> Option<Form> {
        let mut question = Map::from_iter([("op".to_owned(), json!("attributes")), ("src".to_owned(), json!(file))]);
        for member in ["dialect", "vars", "scopes", "functions"] {
            copy(member, request, &mut question);
        }
        let mut answer = Map::from_iter([("ok".to_owned(), wanted["ok"].clone())]);
        if let Some(value) = wanted.get("value") {
            answer.insert("values".to_owned(), json!({ NAME: value }));
        }
        if wanted["ok"] == false {
            answer.insert("errors".to_owned(), shifted(wanted));
        }
        let mut form = Form { request: Value::Object(question), answer: Value::Object(answer) };
        let mut original = request.clone();
        original["ast"] = json!(false);
        let (before, got) = (ask(&original), ask(&form.request));
        let same =
            got["ok"] == wanted["ok"] && got["parsed"] == before["parsed"] && got["values"][NAME] == before["value"];
        form.check_places(&got);
        same.then_some(form)
    }

    /// Leaves out places of errors that are others in a file, such as those at the end of the source.
    fn check_places(&mut self, got: &Value) {
        let errors = got["diags"].as_array().into_iter().flatten().filter(|found| found["severity"] == "error");
        let mut errors = errors.map(|error| (&error["range"][0][0], &error["range"][0][1], &error["code"]));
        let wanted = self.answer["errors"].as_array().into_iter().flatten();
        let same = wanted.into_iter().all(|wanted| {
            errors.next().is_some_and(|(line, column, code)| {
                wanted["line"] == *line
                    && wanted["column"] == *column
                    && wanted.get("code").is_none_or(|wanted| wanted == code)
            })
        });
        if !same && let Some(members) = self.answer.as_object_mut() {
            members.remove("errors");
        }
    }
}

fn ask(request: &Value) -> Value {
    serde_json::from_str(&answer(&request.to_string())).unwrap_or_default()
}

fn dialect(request: &Value) -> &str {
    request["dialect"].as_str().unwrap_or("engine")
}

fn copy(member: &str, from: &Value, to: &mut Map<String, Value>) {
    if let Some(value) = from.get(member) {
        to.insert(member.to_owned(), value.clone());
    }
}

/// Returns the places of the errors in the file.
fn shifted(wanted: &Value) -> Value {
    let shift = |error: &Value| {
        let mut error = error.clone();
        if error["line"] == 1
            && let Some(column) = error["column"].as_u64()
        {
            error["column"] = json!(column + BEFORE);
        }
        error
    };
    wanted["errors"].as_array().into_iter().flatten().map(shift).collect()
}

#[cfg(test)]
mod tests {
    use super::Form;
    use serde_json::{Value, json};

    fn sources(request: &Value, answer: &Value) -> Vec<String> {
        let source = |form: Form| form.request["src"].as_str().unwrap_or_default().to_owned();
        Form::of(request, answer).into_iter().map(source).collect()
    }

    #[test]
    fn an_expression_is_the_value_of_an_attribute() {
        let request = json!({ "op": "expr", "src": "a + 1", "eval": true, "vars": { "a": { "number": "2" } } });
        let forms = Form::of(&request, &json!({ "ok": true, "value": { "number": "3" } }));
        assert_eq!(forms[0].request, json!({ "op": "config", "src": "x = a + 1\n", "ast": false }));
        assert_eq!(forms[1].answer, json!({ "ok": true, "values": { "x": { "number": "3" } } }));
        let wrong = json!({ "ok": false, "errors": [{ "line": 1, "column": 3 }] });
        let forms = Form::of(&json!({ "op": "expr", "src": "a b" }), &wrong);
        assert_eq!(forms[0].answer, json!({ "ok": false, "errors": [{ "line": 1, "column": 7 }] }));
    }

    #[test]
    fn what_means_something_else_in_a_file_has_no_form() {
        let accepted = json!({ "ok": true, "value": { "number": "3" } });
        assert!(sources(&json!({ "op": "expr", "src": "1 +\n2" }), &accepted).is_empty());
        assert_eq!(sources(&json!({ "op": "expr", "src": "1\ny = 2" }), &json!({ "ok": false })), [""; 0]);
        assert_eq!(
            sources(&json!({ "op": "template", "src": "a\"b\n" }), &accepted),
            ["x = <<END_OF_IT\na\"b\nEND_OF_IT\n"]
        );
        assert_eq!(sources(&json!({ "op": "template", "src": "${a}!" }), &accepted), ["x = \"${a}!\"\n"]);
    }
}
