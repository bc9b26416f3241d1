//! The parts of a dynamic block, as far as they do not depend on values.
//!
//! An expansion reads them, and so do programs that check a file whose values are not known.
#![allow(missing_debug_implementations, missing_docs, reason = "public for the packages of this workspace only")]

use crate::body::{BlockSchema, Body, BodySchema, Content, Expression, NameSuggestions};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Finding, Outcome, Suggestion};
use crate::model::{Type, Value};
use crate::source::Span;
use crate::syntax::is_identifier;

/// The parts of a dynamic block. Those with errors are missing.
#[non_exhaustive]
pub struct Parts {
    /// The name of the current element in the generated blocks.
    pub iterator: Option<String>,
    /// The collection.
    pub for_each: Option<Expression>,
    /// One expression for each label.
    pub labels: Vec<Expression>,
    /// The body of the generated blocks.
    pub content: Option<Body>,
}

impl Parts {
    /// Reads the body of a dynamic block for blocks of a type. All errors that do not depend on values are reported.
    pub fn read(body: &Body, expected: &BlockSchema) -> Outcome<Parts> {
        let (content, mut diagnostics) = body.content(&schema_of(expected)).into_parts();
        let iterator = iterator_of(&content, expected).map_err(|problems| diagnostics.append(problems)).ok();
        let labels = labels_of(&content, expected).unwrap_or_else(|problems| {
            diagnostics.append(problems);
            let labels = content.attribute("labels");
            labels.and_then(|labels| labels.expression().static_list().ok()).unwrap_or_default()
        });
        let inner = content_of(body, &content).map_err(|problems| diagnostics.append(problems)).ok();
        let for_each = content.attribute("for_each").map(|attribute| attribute.expression().clone());
        diagnostics.sort();
        Outcome::new(Parts { iterator, for_each, labels, content: inner }, diagnostics)
    }
}

/// Returns the error for a dynamic block whose label is no type of blocks. `is_argument` is true if it names an argument.
pub fn unsupported_type<'n>(
    name: &str,
    span: Span,
    is_argument: bool,
    types: impl Iterator<Item = &'n str>,
    tips: &mut NameSuggestions,
) -> Finding {
    let detail = format!("blocks of type \"{name}\" are not expected here");
    let finding = Finding::error(Code::UnsupportedBlock, span, detail);
    match is_argument {
        true => finding.with_help(format!("\"{name}\" is an argument: write `{name} = [for … in … : …]`")),
        false => tips.suggest(finding, name, span, types),
    }
}

/// Returns the error if a value is no collection to iterate over. It may be unknown, but is neither null nor of a type
/// without elements.
pub fn wrong_collection(value: &Value, expression: &Expression) -> Option<Diagnostic> {
    let place = expression.place();
    if value.is_null() {
        let error = Diagnostic::error(Code::InvalidIteration, &place, "a collection is required here, not null")
            .with_help("for no blocks at all, use an empty list, `[]`");
        let written = place.text() == "null";
        let suggestion = Suggestion::new("write `[]`").replace(place, "[]");
        return Some(if written { error.with_suggestion(suggestion) } else { error });
    }
    match value.ty() {
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) => None,
        Type::Dynamic if !value.is_known() => None,
        ty => {
            let detail = format!("a list, set, tuple, map or object is required here, not a {ty}");
            let brackets = Suggestion::new("write it in brackets").insert_before(&place, "[").insert_after(&place, "]");
            let error = Diagnostic::error(Code::InvalidIteration, place, detail);
            Some(error.with_help("for a single block, write it in brackets: `[…]`").with_suggestion(brackets))
        }
    }
}

/// Returns the schema of a dynamic block for blocks of a type.
pub(super) fn schema_of(expected: &BlockSchema) -> BodySchema {
    let schema = BodySchema::new().required("for_each").optional("iterator");
    let schema = match expected.labels() {
        [] if !expected.has_any_labels() => schema,
        _ if expected.required_labels() == 0 => schema.optional("labels"),
        _ => schema.required("labels"),
    };
    schema.block("content", &[])
}

/// Returns the name of the iterator: the given one, or else the type of the blocks.
pub(super) fn iterator_of(content: &Content, expected: &BlockSchema) -> Result<String, Diagnostics> {
    let Some(attribute) = content.attribute("iterator") else { return Ok(expected.block_type().to_owned()) };
    let expression = attribute.expression();
    expression.keyword().ok_or_else(|| {
        let place = expression.place();
        let error =
            Diagnostic::error(Code::NotStatic, &place, "the name of the iterator is required here, as a single word");
        let quoted = place.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned);
        match quoted.filter(|text| is_identifier(text)) {
            Some(name) => {
                let help = format!("write it without quotes: `iterator = {name}`");
                error.with_help(help.clone()).with_suggestion(Suggestion::safe(help).replace(place, name))
            }
            None => error.with_help(format!("choose any name, such as {}", expected.block_type())),
        }
        .into()
    })
}

/// Returns the expressions for the labels: as many as blocks of the type have.
pub(super) fn labels_of(content: &Content, expected: &BlockSchema) -> Result<Vec<Expression>, Diagnostics> {
    let Some(attribute) = content.attribute("labels") else { return Ok(Vec::new()) };
    let expression = attribute.expression();
    let labels = expression.static_list().map_err(|_| {
        let place = expression.start_place();
        let error = Diagnostic::error(Code::NotStatic, &place, "the labels are required here, as a list in brackets");
        error.with_help("write one expression for each label: `labels = [ … ]`")
    })?;
    let wanted = expected.labels();
    let extra = labels.get(wanted.len()).filter(|_| expected.is_too_many(labels.len()));
    let (place, detail) = match (expected.missing_label(labels.len()), extra) {
        (None, None) => return Ok(labels),
        (Some(missing), _) => {
            let detail = format!("each \"{}\" block needs one more label here: its {missing}", expected.block_type());
            (expression.place(), detail)
        }
        (None, Some(extra)) => {
            let detail = match wanted {
                [only] => format!("\"{}\" blocks have only one label: {only}", expected.block_type()),
                _ => {
                    let (name, count) = (expected.block_type(), wanted.len());
                    format!("\"{name}\" blocks have only {count} labels: {}", wanted.join(", "))
                }
            };
            (extra.place(), detail)
        }
    };
    Err(Diagnostic::error(Code::BlockLabels, place, detail).into())
}

/// The body of the blocks.
pub(super) fn content_of(body: &Body, content: &Content) -> Result<Body, Diagnostics> {
    let mut bodies = content.blocks_of_type("content");
    let diagnostic = match (bodies.next(), bodies.next()) {
        (Some(only), None) => return Ok(only.body().clone()),
        (None, _) => {
            let detail = "a `content` block is required here: the body of the generated blocks";
            Diagnostic::error(Code::DynamicContent, body.missing_item_place(), detail)
                .with_help("write `content { … }`, with all arguments of the blocks in it")
        }
        (Some(first), Some(second)) => {
            let (place, before) = (second.header_place(), first.header_place());
            // In JSON, all of them begin at the bracket of an array.
            let apart = place != before;
            let diagnostic = Diagnostic::error(Code::DynamicContent, place, "there is already a `content` block");
            if apart { diagnostic.with_label(before, "the first one is here") } else { diagnostic }
        }
    };
    Err(diagnostic.into())
}
