//! Completions, and their descriptions.

use gen_lsp_types as lsp;
use serde_json::{Value, json};

use crate::question::{Answer, Question};

/// The kind of a request that a trigger character causes.
const TRIGGER_CHARACTER: u64 = 2;

/// Returns true if a text ends with a bracket after which a new line is likely. Editors take the first of the offers that they
/// show when Enter is pressed, so there must be none until somebody types a letter or asks for them.
fn opens_lines(text: &str) -> bool {
    let Some(before) = text.strip_suffix(['{', '[']) else { return false };
    let is_sequence = text.ends_with('{') && before.ends_with(['$', '%']);
    let is_index =
        text.ends_with('[') && before.ends_with(|last: char| last.is_alphanumeric() || "_-)]\"".contains(last));
    !is_sequence && !is_index
}

/// Returns the completions at a place. Clients that ask for the description of the item that they show get it with
/// [`resolve`].
pub fn completion(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    if question.params.pointer("/context/triggerKind").and_then(Value::as_u64) == Some(TRIGGER_CHARACTER)
        && opens_lines(&question.to.text(&path)[..offset])
    {
        return Ok(json!({ "isIncomplete": false, "items": [] }));
    }
    let mut found = question.snapshot().completion(&path, offset)?;
    let is_late =
        question.client().resolves_documentation && found.items.iter().any(|item| item.documentation.is_some());
    let list = is_late.then(|| {
        let descriptions = found.items.iter_mut().map(|item| item.documentation.take()).collect();
        question.client().sent.keep_descriptions(descriptions)
    });
    let item = |(order, item)| {
        let mut item = question.to.completion_item(&path, item, order);
        if let Some(list) = list {
            item["data"] = json!({ "list": list, "item": order });
        }
        item
    };
    let items: Vec<Value> = found.items.iter().enumerate().map(item).collect();
    Ok(json!({ "isIncomplete": found.is_incomplete, "items": items }))
}

/// Returns an item with its description. An item of a list that is too old stays as it is.
pub fn resolve(question: &Question<'_>) -> Answer {
    // What is no item is refused.
    question.read::<lsp::CompletionItem>()?;
    let mut item = question.params.clone();
    let number = |name: &str| item.pointer(name).and_then(Value::as_u64);
    let (list, order) = (number("/data/list"), number("/data/item").and_then(|order| usize::try_from(order).ok()));
    if let (Some(list), Some(order)) = (list, order)
        && let Some(text) = question.client().sent.description(list, order)
    {
        item["documentation"] = question.to.markup(&text);
    }
    Ok(item)
}

#[cfg(test)]
mod tests {
    use super::opens_lines;

    #[test]
    fn offers_after_brackets_wait_where_a_line_may_begin() {
        for text in ["a {", "a = {", "a = [", "a = [{", "f({", "{", "a = var.b [", "a = x ? ["] {
            assert!(opens_lines(text), "{text}");
        }
        for text in
            ["a = \"${", "a = \"%{", "a = var.b[", "a = f()[", "a = b[0][", "a = var.b[\"", "a = \"", "a = var."]
        {
            assert!(!opens_lines(text), "{text}");
        }
    }
}
