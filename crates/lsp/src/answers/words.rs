//! The words of a document, for highlighting.

use std::sync::Arc;

use gen_lsp_types as lsp;
use hcl_lr::source::Span;
use hcl_lr_analysis::tokens::WordKind;
use serde::Serialize;

use super::result_id;
use crate::question::{Failure, Question};
use crate::sent::Words;
use crate::transport::text_of;

/// The names of the kinds of words for highlighting, in the order of their numbers.
pub const TOKEN_TYPES: [&str; 14] = [
    "comment",
    "string",
    "keyword",
    "number",
    "operator",
    "type",
    "enumMember",
    "property",
    "property",
    "function",
    "namespace",
    "variable",
    "property",
    "parameter",
];

/// The names of additional properties of words.
pub const TOKEN_MODIFIERS: [&str; 1] = ["declaration"];

/// All words, with the identifier to which the next request refers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Full<'w> {
    result_id: &'w str,
    data: &'w [u32],
}

/// Words as the protocol packs them: five numbers for each.
#[derive(Serialize)]
struct Part {
    data: Vec<u32>,
}

/// The difference to the words that the client has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Delta<'w> {
    result_id: &'w str,
    edits: Vec<Replacement<'w>>,
}

/// Numbers that replace others.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'w> {
    start: usize,
    delete_count: usize,
    data: &'w [u32],
}

/// Returns the words of a document.
pub fn full(question: &Question<'_>) -> Result<String, Failure> {
    let path = question.path()?;
    let (words, _) = new_words(question, &path);
    Ok(text_of(&Full { result_id: &words.id, data: &words.data }))
}

/// Returns the difference of the words of a document to those that the client has, or all of them if these are not known.
pub fn delta(question: &Question<'_>) -> Result<String, Failure> {
    let params: lsp::SemanticTokensDeltaParams = question.read()?;
    let path = question.path()?;
    let (words, before) = new_words(question, &path);
    Ok(match before.filter(|before| before.id == params.previous_result_id) {
        Some(before) => {
            let edits = replacement(&before.data, &words.data).into_iter().collect();
            text_of(&Delta { result_id: &words.id, edits })
        }
        None => text_of(&Full { result_id: &words.id, data: &words.data }),
    })
}

/// Returns the words of a part of a document.
pub fn range(question: &Question<'_>) -> Result<String, Failure> {
    let path = question.path()?;
    let range = question.range(&path)?;
    Ok(text_of(&Part { data: packed(question, &path, Some(range)) }))
}

/// Returns the words of a document, and those that were sent before.
fn new_words(question: &Question<'_>, path: &str) -> (Words, Option<Words>) {
    let data: Arc<[u32]> = packed(question, path, None).into();
    let words = Words { id: result_id(&data), data };
    let before = question.client().sent.replace_words(path, words.clone());
    (words, before)
}

/// Returns the shortest part of numbers whose replacement makes others of them. `None` if they are the same.
fn replacement<'w>(old: &[u32], new: &'w [u32]) -> Option<Replacement<'w>> {
    if old == new {
        return None;
    }
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    Some(Replacement { start, delete_count: old.len() - start - end, data: &new[start..new.len() - end] })
}

fn packed(question: &Question<'_>, path: &str, within: Option<Span>) -> Vec<u32> {
    let (text, lines) = (question.to.text(path), question.to.lines(path));
    let mut data: Vec<u32> = Vec::new();
    let mut last = lsp::Position { line: 0, character: 0 };
    for word in question.snapshot().words(path, within) {
        let kind = WordKind::ALL.iter().position(|kind| *kind == word.kind).unwrap_or_default() as u32;
        let start = lines.position(text, word.span.start());
        let end = lines.position(text, word.span.end());
        // A word of several lines is one word for each line.
        for number in start.line..=end.line {
            let Some(line) = lines.line(text, number as usize) else { break };
            let (from, to) = (word.span.start().max(line.start()), word.span.end().min(line.end()));
            if from >= to {
                continue;
            }
            let at = lines.position(text, from);
            let length = question.to.encoding().length(&text[from..to]) as u32;
            let delta_line = at.line - last.line;
            let delta = if delta_line == 0 { at.character - last.character } else { at.character };
            data.extend([delta_line, delta, length, kind, u32::from(word.is_definition)]);
            last = at;
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_make_the_new_numbers() {
        let all: [&[u32]; 6] = [&[], &[1], &[1, 1], &[1, 2, 1], &[2, 1, 1, 2], &[3, 3, 3]];
        for old in all {
            for new in all {
                let mut made = old.to_vec();
                if let Some(change) = replacement(old, new) {
                    made.splice(change.start..change.start + change.delete_count, change.data.iter().copied());
                }
                assert_eq!(made, new, "{old:?}");
            }
        }
    }
}
