//! The call hierarchy of modules and functions.

use std::sync::Arc;

use gen_lsp_types as lsp;
use hcl_lr::source::Span;
use hcl_lr_analysis::Location;
use hcl_lr_analysis::calls::{Function, Module};
use serde_json::{Value, json};

use crate::question::{Answer, Failure, Question};

fn call_item(question: &Question<'_>, module: &Module) -> Value {
    let range = question.to.range(&module.first.path, module.first.span);
    let name = module.folder.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("/");
    json!({
        "name": name,
        "kind": 2,
        "detail": module.folder,
        "uri": question.to.uri(&module.first.path),
        "range": range,
        "selectionRange": range,
        "data": module.folder,
    })
}

pub fn prepare(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    if let Some(function) = question.snapshot().function_at(&path, offset)? {
        return Ok(json!([function_item(question, &function)]));
    }
    let found = question.snapshot().module_at(&path, offset)?;
    Ok(found.map_or(Value::Null, |module| json!([call_item(question, &module)])))
}

fn function_item(question: &Question<'_>, function: &Function) -> Value {
    let Location { path, span } = &function.place;
    let range = question.to.range(path, *span);
    json!({
        "name": function.name,
        "kind": 12,
        "uri": question.to.uri(path),
        "range": range,
        "selectionRange": range,
        "data": { "function": function.name, "path": **path, "start": span.start(), "end": span.end() },
    })
}

/// Returns the function in a request about a call hierarchy item; `None` for a module.
fn called_function(question: &Question<'_>) -> Option<Function> {
    let data = question.params.pointer("/item/data")?;
    let offset = |name: &str| data[name].as_u64().and_then(|at| usize::try_from(at).ok());
    let span = Span::new(offset("start")?, offset("end")?);
    let place = Location { path: data["path"].as_str()?.into(), span };
    Some(Function { name: data["function"].as_str()?.to_owned(), place })
}

fn ranges(question: &Question<'_>, places: &[Location]) -> Vec<lsp::Range> {
    places.iter().map(|place| question.to.range(&place.path, place.span)).collect()
}

/// The folder of the item that a question about calls is about.
fn called_folder(question: &Question<'_>) -> Result<String, Failure> {
    let folder = question.params.pointer("/item/data").and_then(Value::as_str);
    folder.map(str::to_owned).ok_or_else(|| Failure::Parameters("`item.data` is missing".to_owned()))
}

pub fn incoming(question: &Question<'_>) -> Answer {
    if let Some(function) = called_function(question) {
        let callers = question.snapshot().function_callers(&function)?;
        let caller = |(path, places): (&Arc<str>, &Vec<Location>)| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let start = question.to.range(path, Span::default());
            let from = json!({
                "name": name,
                "kind": 1,
                "detail": folder,
                "uri": question.to.uri(path),
                "range": start,
                "selectionRange": start,
                "data": folder,
            });
            json!({ "from": from, "fromRanges": ranges(question, places) })
        };
        return Ok(callers.iter().map(caller).collect());
    }
    let folder = called_folder(question)?;
    let calls = question.snapshot().incoming_calls(&folder)?;
    Ok(calls
        .iter()
        .map(|call| {
            // The places must all be in the file of the item: its first file with calls.
            let mut from = call_item(question, &call.module);
            let path = call.places.first().map(|place| place.path.clone()).unwrap_or_default();
            from["uri"] = json!(question.to.uri(&path));
            let own = call.places.iter().filter(|place| place.path == path);
            let ranges: Vec<lsp::Range> = own.map(|place| question.to.range(&place.path, place.span)).collect();
            json!({ "from": from, "fromRanges": ranges })
        })
        .collect())
}

pub fn outgoing(question: &Question<'_>) -> Answer {
    if let Some(function) = called_function(question) {
        let called = question.snapshot().functions_called_by(&function)?;
        let call = |(function, places): &(Function, Vec<Location>)| json!({ "to": function_item(question, function), "fromRanges": ranges(question, places) });
        return Ok(called.iter().map(call).collect());
    }
    let folder = called_folder(question)?;
    let calls = question.snapshot().outgoing_calls(&folder)?;
    Ok(calls
        .iter()
        .map(|call| json!({ "to": call_item(question, &call.module), "fromRanges": ranges(question, &call.places) }))
        .collect())
}
