//! Formats a file, or some of its lines.

use hcl_lr::format::{Style, is_closed};
use hcl_lr::source::Span;
use hcl_lr::syntax::TokenKind;

use crate::workspace::Snapshot;
use crate::{Edit, Location};

impl Snapshot {
    /// Returns the edits that format a file, or those that touch a part of it. `None` if it cannot be formatted: it is
    /// in the JSON syntax, or has an unclosed quote, heredoc or comment.
    pub fn format(&self, path: &str, within: Option<Span>) -> Option<Vec<Edit>> {
        let file = self.file(path)?;
        let source = file.native()?.source();
        let text = source.text();
        if !is_closed(text.as_bytes()) || !source.invalid_utf8().is_empty() {
            return None;
        }
        let style = Style::new().with_switches(true);
        let formatted = style.format(text);
        let edits = line_edits(text, &formatted);
        let touched = |edit: &(Span, String)| {
            within.is_none_or(|within| {
                edit.0.start() < within.end().max(within.start() + 1)
                    && within.start() < edit.0.end().max(edit.0.start() + 1)
            })
        };
        let edits = edits.into_iter().filter(touched);
        Some(edits.map(|(span, text)| Edit { location: Location { path: file.path().clone(), span }, text }).collect())
    }

    /// Returns the edits that format what a letter before a place has completed: the lines before a newline, or the block
    /// or object that a `}` closes. The line after the newline stays as the editor has indented it.
    pub fn format_after(&self, path: &str, offset: usize, letter: &str) -> Option<Vec<Edit>> {
        let native = self.file(path)?.native()?;
        let within = match letter {
            "\n" => lines_before(native.source().text(), offset),
            "}" => closed_at(native, offset)?,
            _ => return None,
        };
        let mut edits = self.format(path, Some(within))?;
        let is_within = |span: Span| within.start() <= span.start() && span.end() <= within.end();
        edits.retain(|edit| is_within(edit.location.span));
        Some(edits)
    }
}

/// Returns the lines before a place that are aligned with the last of them: up to an empty line, or one that opens or closes
/// a bracket.
fn lines_before(text: &str, offset: usize) -> Span {
    let end = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let mut start = end;
    for (number, line) in text[..end].split_inclusive('\n').rev().enumerate() {
        let ends_group = line.trim().is_empty() || line.trim_end().ends_with(['{', '[', '(', '}', ']', ')']);
        if ends_group && number > 0 {
            break;
        }
        start -= line.len();
        if ends_group {
            break;
        }
    }
    Span::new(start, end)
}

/// Returns the block or object that the brace before a place closes, with the rest of its first line.
fn closed_at(native: &hcl_lr::syntax::File, offset: usize) -> Option<Span> {
    let closer = native.tokens().at(offset.checked_sub(1)?);
    let opening = match closer.kind() {
        TokenKind::CloseBlock => TokenKind::OpenBlock,
        TokenKind::CloseBrace => TokenKind::OpenBrace,
        _ => return None,
    };
    let mut opener = closer.previous().filter(|_| closer.span().end() == offset)?;
    while opener.kind() != opening || opener.closer().is_none_or(|end| end.index() != closer.index()) {
        opener = opener.previous()?;
    }
    let text = native.source().text();
    let start = text[..opener.span().start()].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |newline| offset + newline + 1);
    Some(Span::new(start, end))
}

/// Returns the lines that differ between two texts. Formatting keeps the number of lines, so they are compared one by
/// one; if the numbers differ, the range from the first to the last difference is one edit.
fn line_edits(old: &str, new: &str) -> Vec<(Span, String)> {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let mut at = 0;
    if before.len() == after.len() {
        for (before, after) in before.iter().zip(&after) {
            let end = at + before.len();
            if before != after {
                edits.push((Span::new(at, end), (*after).to_owned()));
            }
            at = end;
        }
        return edits;
    }
    let start = before.iter().zip(&after).take_while(|(left, right)| left == right).count();
    let rest = before.len().min(after.len()) - start;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(left, right)| left == right).count();
    let from: usize = before[..start].iter().map(|line| line.len()).sum();
    let to: usize = old.len() - before[before.len() - end..].iter().map(|line| line.len()).sum::<usize>();
    vec![(Span::new(from, to), after[start..after.len() - end].concat())]
}
