//! Questions and answers as samples in `tests/fixtures` have them, one in each line.

use hcl_lr::format::is_closed;
use serde_json::{Value as Json, json};

use crate::comparison::Verdict;
use crate::questions::sources::{Question, variables};

/// Returns the line for a question: a text to format with the result, unless something in it has no end; a source with the
/// answer, and with ours and the row if the two differ; and else the request with the answer.
pub fn line(request: &Json, theirs: &Json, ours: &Json, verdict: &Verdict) -> Option<Json> {
    if request["op"] == "format" {
        let is_closed = is_closed(request["src"].as_str().unwrap_or_default().as_bytes());
        return is_closed.then(|| json!({ "src": request["src"], "text": theirs["text"] }));
    }
    let Some(question) = Question::of(request, &variables()) else {
        return Some(json!({ "request": request, "answer": without_wording(theirs) }));
    };
    let mut line = question.to_json();
    line["answer"] = without_wording(theirs);
    if *verdict != Verdict::Same {
        line["ours"] = without_wording(ours);
        line["why"] = match verdict {
            Verdict::Explained(row) => json!(row),
            _ => Json::Null,
        };
    }
    Some(line)
}

/// Returns the kinds and places of errors, without the wording of a driver and the parts of a value that failed.
fn without_wording(answer: &Json) -> Json {
    let mut kept = answer.clone();
    let message = answer["message"].as_str().unwrap_or_default();
    let facts = [
        ("panic", message.starts_with("panic in function")),
        ("mixed_types", message.contains("must all match") || message.contains("common base type")),
    ];
    if let Some(members) = kept.as_object_mut() {
        members.retain(|name, value| {
            name != "message"
                && !value.is_null()
                && (answer["ok"] == true || !matches!(&name[..], "value" | "values" | "type"))
        });
        members.extend(facts.into_iter().filter(|(_, is)| *is).map(|(name, _)| (name.to_owned(), true.into())));
    }
    for diagnostic in
        kept.get_mut("diags").and_then(Json::as_array_mut).into_iter().flatten().filter_map(Json::as_object_mut)
    {
        diagnostic.retain(|name, _| name == "severity" || name == "range");
    }
    kept
}
