//! Completions, and their descriptions.

use serde_json::{Value, json};

use crate::question::{Answer, Question};

/// Returns the completions at a place. Clients that ask for the description of the item that they show get it with
/// [`resolve`].
pub fn completion(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
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
