//! One function for each question of the protocol.

mod calls;
mod completion;
mod words;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use gen_lsp_types as lsp;
use hcl_lr::source::Span;
use hcl_lr_analysis::actions::ActionKind;
use hcl_lr_analysis::hints::HintKind;
use hcl_lr_analysis::links::Target;
use hcl_lr_analysis::symbols::Symbol;
use hcl_lr_analysis::{Cancelled, Location};
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::{execute_command, text_document_content};
use crate::convert::{Converter, symbol_kind};
use crate::question::{Answer, Failure, Question};
use crate::transport::{text_of, text_of_each};
use crate::uri::{on_disk, path_of};

/// A function that answers a request: with a value, or with JSON text if the answer is long.
#[derive(Clone, Copy)]
pub enum Method {
    Value(fn(&Question<'_>) -> Answer),
    Text(fn(&Question<'_>) -> Result<String, Failure>),
}

/// The function for a method of the protocol.
pub fn method(name: &str) -> Option<Method> {
    Some(Method::Value(match name {
        "textDocument/diagnostic" => diagnostic,
        "workspace/diagnostic" => workspace_diagnostic,
        "textDocument/completion" => completion::completion,
        "completionItem/resolve" => completion::resolve,
        "textDocument/hover" => hover,
        "textDocument/signatureHelp" => signature_help,
        "textDocument/definition" | "textDocument/declaration" => definition,
        "textDocument/typeDefinition" => type_definition,
        "textDocument/implementation" => implementation,
        "textDocument/references" => references,
        "textDocument/documentHighlight" => highlight,
        "textDocument/prepareRename" => prepare_rename,
        "textDocument/rename" => rename,
        "workspace/symbol" => workspace_symbol,
        "textDocument/formatting" => formatting,
        "textDocument/rangeFormatting" => range_formatting,
        "textDocument/onTypeFormatting" => on_type_formatting,
        "textDocument/codeAction" => code_action,
        "textDocument/selectionRange" => selection_range,
        "textDocument/documentLink" => document_link,
        "textDocument/inlayHint" => inlay_hint,
        "textDocument/prepareCallHierarchy" => calls::prepare,
        "callHierarchy/incomingCalls" => calls::incoming,
        "callHierarchy/outgoingCalls" => calls::outgoing,
        "workspace/willRenameFiles" => will_rename_files,
        "workspace/textDocumentContent" => text_document_content,
        "workspace/executeCommand" => execute_command,
        "textDocument/codeLens" => return Some(Method::Text(code_lens)),
        "textDocument/documentSymbol" => return Some(Method::Text(document_symbol)),
        "textDocument/foldingRange" => return Some(Method::Text(folding_range)),
        "textDocument/semanticTokens/full" => return Some(Method::Text(words::full)),
        "textDocument/semanticTokens/full/delta" => return Some(Method::Text(words::delta)),
        "textDocument/semanticTokens/range" => return Some(Method::Text(words::range)),
        _ => return None,
    }))
}

/// Returns true if an answer is useful even after the files have changed, because the user requested it.
pub fn is_asked_by_user(name: &str) -> bool {
    !matches!(
        name,
        "textDocument/diagnostic"
            | "workspace/diagnostic"
            | "textDocument/semanticTokens/full"
            | "textDocument/semanticTokens/full/delta"
            | "textDocument/semanticTokens/range"
            | "textDocument/inlayHint"
            | "textDocument/codeLens"
            | "textDocument/foldingRange"
            | "textDocument/documentLink"
    )
}

pub use words::{TOKEN_MODIFIERS, TOKEN_TYPES};

/// Returns the diagnostics of a file.
pub fn items(to: &Converter<'_>, path: &str) -> Result<Vec<Value>, Cancelled> {
    let found = to.snapshot.diagnostics(path)?;
    Ok(found.iter().map(|finding| to.diagnostic(path, finding)).collect())
}

/// Returns the identifier of a result, which is the same for the same contents.
fn result_id(contents: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    contents.hash(&mut hasher);
    format!("{:x}", hasher.finish())
}

fn report(question: &Question<'_>, path: &str, previous: Option<&str>) -> Result<Value, Cancelled> {
    let items = Value::Array(items(&question.to, path)?);
    let id = result_id(&items.to_string());
    Ok(match previous == Some(&*id) {
        true => json!({ "kind": "unchanged", "resultId": id }),
        false => json!({ "kind": "full", "resultId": id, "items": items }),
    })
}

fn diagnostic(question: &Question<'_>) -> Answer {
    let params: lsp::DocumentDiagnosticParams = question.read()?;
    let path = path_of(&params.text_document.uri.0);
    Ok(report(question, &path, params.previous_result_id.as_deref())?)
}

fn workspace_diagnostic(question: &Question<'_>) -> Answer {
    let params: lsp::WorkspaceDiagnosticParams = question.read()?;
    let mut reports = Vec::new();
    for file in question.snapshot().files() {
        let uri = question.to.uri(file.path());
        let previous =
            params.previous_result_ids.iter().find(|known| known.uri.0 == uri).map(|known| known.value.as_str());
        let mut report = report(question, file.path(), previous)?;
        report["uri"] = json!(uri);
        report["version"] = json!(question.client().documents.version(file.path()));
        reports.push(report);
    }
    Ok(json!({ "items": reports }))
}

fn hover(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let Some(hover) = question.snapshot().hover(&path, offset)? else { return Ok(Value::Null) };
    Ok(json!({ "contents": question.to.markup(&hover.markdown), "range": question.to.range(&path, hover.span) }))
}

fn signature_help(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let Some(found) = question.snapshot().signature(&path, offset)? else { return Ok(Value::Null) };
    let parameters: Vec<Value> = found.parameters.iter().map(|label| json!({ "label": label })).collect();
    let mut signature = json!({ "label": found.label, "parameters": parameters });
    if let Some(text) = &found.documentation {
        signature["documentation"] = question.to.markup(text);
    }
    // Without an index, clients highlight the first parameter; one past the end highlights none.
    let active = found.active.unwrap_or(found.parameters.len());
    Ok(json!({ "signatures": [signature], "activeSignature": 0, "activeParameter": active }))
}

fn definition(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let Some((span, name, whole)) = question.snapshot().definition(&path, offset)? else { return Ok(Value::Null) };
    Ok(json!([question.link(&path, span, &name, &whole)]))
}

fn type_definition(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let found = question.snapshot().type_definition(&path, offset)?;
    Ok(found.map_or(Value::Null, |location| json!([question.to.location(&location)])))
}

fn implementation(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let found = question.snapshot().implementation(&path, offset)?;
    Ok(found.iter().map(|location| question.to.location(location)).collect())
}

fn references(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let with_definition = question.params.pointer("/context/includeDeclaration").and_then(Value::as_bool);
    let Some(found) = question.snapshot().references(&path, offset)? else { return Ok(Value::Null) };
    let definition = Some(&found.definition).filter(|_| with_definition.unwrap_or_default());
    let all = definition.into_iter().chain(found.uses.iter().map(|reference| &reference.name));
    Ok(all.map(|location| question.to.location(location)).collect())
}

fn highlight(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let found = question.snapshot().highlights(&path, offset)?;
    let item = |(span, defines): &(Span, bool)| json!({ "range": question.to.range(&path, *span), "kind": if *defines { 3 } else { 2 } });
    Ok(found.iter().map(item).collect())
}

fn prepare_rename(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let (span, name) = question.snapshot().prepare_rename(&path, offset)?;
    Ok(json!({ "range": question.to.range(&path, span), "placeholder": name }))
}

fn rename(question: &Question<'_>) -> Answer {
    let params: lsp::RenameParams = question.read()?;
    let (path, offset) = question.place()?;
    let edits = question.snapshot().rename(&path, offset, &params.new_name)?;
    Ok(question.to.workspace_edit(&edits))
}

/// A symbol of a document, with those in it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outline<'s> {
    name: &'s str,
    kind: u32,
    range: lsp::Range,
    selection_range: lsp::Range,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Outline<'s>>,
}

/// The same for clients that take only a list.
#[derive(Serialize)]
struct Listed<'s> {
    name: &'s str,
    kind: u32,
    location: ListedPlace<'s>,
}

#[derive(Serialize)]
struct ListedPlace<'s> {
    uri: &'s str,
    range: lsp::Range,
}

fn name_of(symbol: &Symbol) -> &str {
    if symbol.name.is_empty() { "(no name)" } else { &symbol.name }
}

fn document_symbol(question: &Question<'_>) -> Result<String, Failure> {
    let path = question.path()?;
    let symbols = question.snapshot().symbols(&path);
    let range = |span: Span| question.to.range(&path, question.to.trimmed(&path, span));
    if !question.client().nested_symbols {
        let uri = question.to.uri(&path);
        let listed = symbols.iter().map(|symbol| {
            let location = ListedPlace { uri: &uri, range: range(symbol.span) };
            Listed { name: name_of(symbol), kind: symbol_kind(symbol.kind), location }
        });
        return Ok(text_of(&listed.collect::<Vec<_>>()));
    }
    // Each symbol follows its parent, so going backwards completes the children before their parents.
    let mut children: Vec<Vec<Outline<'_>>> = symbols.iter().map(|_| Vec::new()).collect();
    let mut top = Vec::new();
    for (number, symbol) in symbols.iter().enumerate().rev() {
        let mut inner = std::mem::take(&mut children[number]);
        inner.reverse();
        let outline = Outline {
            name: name_of(symbol),
            kind: symbol_kind(symbol.kind),
            range: range(symbol.span),
            selection_range: question.to.range(&path, symbol.name_span),
            children: inner,
        };
        symbol.parent.map_or(&mut top, |parent| &mut children[parent]).push(outline);
    }
    top.reverse();
    Ok(text_of(&top))
}

fn workspace_symbol(question: &Question<'_>) -> Answer {
    let params: lsp::WorkspaceSymbolParams = question.read()?;
    let found = question.snapshot().workspace_symbols(&params.query)?;
    let item = |(symbol, location): &(Symbol, Location)| {
        let (folder, _) = location.path.rsplit_once('/').unwrap_or_default();
        json!({
            "name": symbol.name,
            "kind": symbol_kind(symbol.kind),
            "location": question.to.location(location),
            "containerName": folder.rsplit('/').next(),
        })
    };
    Ok(found.iter().map(item).collect())
}

fn formatting(question: &Question<'_>) -> Answer {
    let path = question.path()?;
    formatted(question, &path, None)
}

fn range_formatting(question: &Question<'_>) -> Answer {
    let path = question.path()?;
    let range = question.range(&path)?;
    formatted(question, &path, Some(range))
}

/// Formats what a letter has completed: the lines before a newline, or the construct that a `}` closes.
fn on_type_formatting(question: &Question<'_>) -> Answer {
    let (path, offset) = question.place()?;
    let letter = question.params["ch"].as_str().unwrap_or_default();
    let edits = question.snapshot().format_after(&path, offset, letter);
    Ok(edits.map_or(Value::Null, |edits| edits.iter().map(|edit| question.to.edit(edit)).collect()))
}

fn formatted(question: &Question<'_>, path: &str, within: Option<Span>) -> Answer {
    let edits = question.snapshot().format(path, within);
    Ok(edits.map_or(Value::Null, |edits| edits.iter().map(|edit| question.to.edit(edit)).collect()))
}

fn code_action(question: &Question<'_>) -> Answer {
    let params: lsp::CodeActionParams = question.read()?;
    let path = path_of(&params.text_document.uri.0);
    let within = question.to.span(&path, params.range);
    let wanted: Option<Vec<String>> =
        question.params.pointer("/context/only").and_then(|only| serde_json::from_value(only.clone()).ok());
    let found = question.snapshot().diagnostics(&path)?;
    let actions = question.snapshot().actions(&path, within, &found)?;
    let mut all = Vec::new();
    for action in actions {
        let kind = match action.kind {
            ActionKind::Fix => "quickfix",
            ActionKind::FixAll => "source.fixAll.hcl",
            ActionKind::Extract => "refactor.extract",
            ActionKind::Inline => "refactor.inline",
            ActionKind::Rewrite => "refactor.rewrite",
        };
        let is_wanted =
            |asked: &String| kind == asked || kind.strip_prefix(&**asked).is_some_and(|rest| rest.starts_with('.'));
        if wanted.as_ref().is_some_and(|wanted| !wanted.iter().any(is_wanted)) {
            continue;
        }
        let mut item =
            json!({ "title": action.title, "kind": kind, "edit": question.to.workspace_edit(&action.edits) });
        if let Some(number) = action.mends {
            item["diagnostics"] = json!([question.to.diagnostic(&path, &found[number])]);
            item["isPreferred"] = json!(action.is_safe);
        }
        all.push(item);
    }
    Ok(Value::Array(all))
}

fn folding_range(question: &Question<'_>) -> Result<String, Failure> {
    let path = question.path()?;
    let folds = question.snapshot().folds(&path);
    let item = |fold: &hcl_lr_analysis::structure::Fold| {
        let range = question.to.range(&path, fold.span);
        // The line of the closing bracket stays in sight.
        let end = if fold.is_comment { range.end.line } else { range.end.line.saturating_sub(1) };
        if end <= range.start.line {
            return None;
        }
        Some(match fold.is_comment {
            true => json!({ "startLine": range.start.line, "endLine": end, "kind": "comment" }),
            false => json!({ "startLine": range.start.line, "endLine": end }),
        })
    };
    Ok(text_of_each(folds.iter().filter_map(item)))
}

fn selection_range(question: &Question<'_>) -> Answer {
    let params: lsp::SelectionRangeParams = question.read()?;
    let path = path_of(&params.text_document.uri.0);
    let selection = |position: lsp::Position| {
        let offset = question.to.offset(&path, position);
        let mut found: Option<Value> = None;
        for span in question.snapshot().selections(&path, offset).into_iter().rev() {
            let range = question.to.range(&path, span);
            found = Some(match found {
                Some(parent) => json!({ "range": range, "parent": parent }),
                None => json!({ "range": range }),
            });
        }
        found.unwrap_or_else(|| json!({ "range": lsp::Range { start: position, end: position } }))
    };
    Ok(params.positions.into_iter().map(selection).collect())
}

fn document_link(question: &Question<'_>) -> Answer {
    let path = question.path()?;
    let links = question.snapshot().links(&path);
    let item = |link: &hcl_lr_analysis::links::Link| {
        let target = match &link.target {
            Target::File(path) => question.to.uri(path),
            Target::Path(path) => {
                question.to.uri(Some(path).filter(|path| on_disk(path).is_some_and(|file| file.is_file()))?)
            }
            Target::Page(page) => page.clone(),
        };
        Some(json!({ "range": question.to.range(&path, link.span), "target": target }))
    };
    Ok(links.iter().filter_map(item).collect())
}

fn inlay_hint(question: &Question<'_>) -> Answer {
    let path = question.path()?;
    let range = question.range(&path)?;
    let hints = question.snapshot().hints(&path, range, question.options.hints)?;
    let item = |hint: &hcl_lr_analysis::hints::Hint| {
        let mut all = json!({ "position": question.to.position(&path, hint.offset), "label": hint.text });
        match hint.kind {
            HintKind::Label => (all["kind"], all["paddingRight"]) = (json!(2), json!(true)),
            HintKind::Type => (all["kind"], all["paddingLeft"]) = (json!(1), json!(true)),
            HintKind::Value => all["paddingLeft"] = json!(true),
        }
        all
    };
    Ok(hints.iter().map(item).collect())
}

fn code_lens(question: &Question<'_>) -> Result<String, Failure> {
    let path = question.path()?;
    if question.options.no_lenses {
        return Ok(text_of_each([]));
    }
    let lenses = question.snapshot().lenses(&path)?;
    let item = |lens: &hcl_lr_analysis::lenses::Lens| {
        let range = question.to.range(&path, lens.place.span);
        let places: Vec<Value> = lens.references.iter().map(|place| question.to.location(place)).collect();
        let arguments = json!([question.to.uri(&path), range.start, places]);
        json!({ "range": range, "command": { "title": lens.text, "command": "hcl.showReferences", "arguments": arguments } })
    };
    Ok(text_of_each(lenses.iter().map(item)))
}

fn will_rename_files(question: &Question<'_>) -> Answer {
    let params: lsp::RenameFilesParams = question.read()?;
    let moves: Vec<(String, String)> =
        params.files.iter().map(|file| (path_of(&file.old_uri.0), path_of(&file.new_uri.0))).collect();
    let edits = question.snapshot().edits_for_moves(&moves)?;
    Ok(if edits.is_empty() { Value::Null } else { question.to.workspace_edit(&edits) })
}
