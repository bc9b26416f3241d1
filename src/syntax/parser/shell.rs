//! Sequences that are meant for a shell.
//!
//! A script in a heredoc has expansions such as `${name:-default}`, which are interpolations in HCL. An error in such
//! an expansion is reported once, with the right notation.

use std::ops::Range;

use crate::diagnostic::Applicability::NeedsReview;
use crate::diagnostic::{Code, Finding};
use crate::sorting::sort_by_key;
use crate::source::{Replacement, Source, Span};
use crate::syntax::excerpt;
use crate::syntax::index::TokenIndex;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::{TokenKind, Tokens};

/// The number of tokens before an error that are searched for the interpolation around it.
const MAX_TOKENS: u32 = 64;

/// The shell's operation on a parameter.
#[derive(Clone, Copy, PartialEq)]
enum Expansion {
    Length,
    Default,
    Other,
}

/// Explains how to write text that is meant for a shell, once for each expansion.
pub(super) fn explain(source: &Source, tokens: &Tokens, diagnostics: &mut Vec<Finding>) {
    sort_by_key(diagnostics, |diagnostic| diagnostic.subject().start());
    // The last explained sequence, and the end of the text that its explanation covers.
    let mut explained: Option<(TokenIndex, usize)> = None;
    diagnostics.retain_mut(|diagnostic| {
        // A sequence that can be parsed is not an expansion of a shell.
        let Some(opener) = interpolation(tokens, diagnostic).filter(|_| diagnostic.is_error()) else {
            return true;
        };
        let at = diagnostic.subject().start();
        if let Some((known, end)) = explained
            && known == opener
        {
            return at >= end;
        }
        let start = tokens.start(opener) as usize;
        let rest = &source.text()[start..];
        let line = beginning_of_line(rest);
        let expansion = expansion(line);
        // A sequence that continues in the next line may be intended to.
        let meant_to_end = expansion.is_some() || diagnostic.code() == Code::UnclosedSequence;
        if meant_to_end && let Some(comment) = comment_with_brace(source, tokens, opener, start + line.len()) {
            *diagnostic = within_comment(source, start, comment, line, expansion);
            // The text that the sequence has swallowed is not meant to be in it.
            explained = Some((opener, usize::MAX));
            return true;
        }
        if let Some((length, kind)) = expansion
            && at < start + length
        {
            let help = help(&line[..length], kind);
            *diagnostic = std::mem::replace(diagnostic, Finding::error(Code::UnexpectedToken, Span::new(0, 0), ""))
                .without_edits()
                .with_help(help)
                .with_edits(NeedsReview, [Replacement::insertion(start, "$")]);
            explained = Some((opener, start + length));
        }
        true
    });
}

/// Returns the first line of a text, up to the maximum length of an expansion.
fn beginning_of_line(text: &str) -> &str {
    const MAX_LENGTH: usize = 1_000;
    let end = (0..=MAX_LENGTH.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    let near = &text[..end];
    &near[..memchr::memchr(b'\n', near.as_bytes()).unwrap_or(near.len())]
}

/// The interpolation that a diagnostic is in or about.
fn interpolation(tokens: &Tokens, diagnostic: &Finding) -> Option<TokenIndex> {
    let about = diagnostic.label_spans().map(Span::start);
    let unclosed = diagnostic.code() == Code::UnclosedSequence;
    if let Some(opener) = about
        .filter(|_| unclosed)
        .filter_map(|at| token_at(tokens, at))
        .find(|&token| tokens.kind(token) == TokenKind::Interpolation)
    {
        return Some(opener);
    }
    let at = token_at(tokens, diagnostic.subject().start())?;
    let holds = |token: &TokenIndex| tokens.kind(*token) == TokenKind::Interpolation && tokens.closer(*token) >= at;
    at.saturating_sub(MAX_TOKENS).to(at + 1).rev().find(holds)
}

/// Returns the last token that begins at or before a position.
pub(super) fn token_at(tokens: &Tokens, at: usize) -> Option<TokenIndex> {
    let (mut low, mut high) = (TokenIndex::FIRST, tokens.next());
    while low < high {
        let middle = low + (high - low) / 2;
        if tokens.start(middle) as usize <= at { low = middle + 1 } else { high = middle }
    }
    low.checked_sub(1)
}

/// Returns the comment at the end of an interpolation's line, if it contains a closing brace and the interpolation
/// continues after it.
fn comment_with_brace(source: &Source, tokens: &Tokens, opener: TokenIndex, line_end: usize) -> Option<Range<usize>> {
    let inside = (opener + 1).to(tokens.next()).take(MAX_TOKENS as usize);
    let last = inside.take_while(|&token| (tokens.start(token) as usize) < line_end).last().unwrap_or(opener);
    if last >= tokens.closer(opener) {
        return None;
    }
    let end = tokens.end(last) as usize;
    let gap = source.text().get(end..line_end)?;
    let comment = gap.trim_start();
    let start = line_end - comment.len();
    let begins = ["#", "//", "/*"].iter().any(|mark| comment.starts_with(mark));
    (begins && comment.contains('}')).then_some(start..line_end)
}

fn within_comment(
    source: &Source,
    start: usize,
    comment: Range<usize>,
    line: &str,
    expansion: Option<(usize, Expansion)>,
) -> Finding {
    let span = |range: Range<usize>| Span::new(range.start, range.end);
    let mark = ["//", "/*"].into_iter().find(|mark| source.text()[comment.start..].starts_with(mark)).unwrap_or("#");
    let detail = format!("`{mark}` begins a comment, so that the `}}` after it does not close this `${{`");
    let diagnostic =
        Finding::error(Code::UnclosedSequence, span(start..start + 2), detail).with_label(span(comment), "the comment");
    let dollar = Replacement::insertion(start, "$");
    match expansion {
        Some((length, kind)) => diagnostic.with_help(help(&line[..length], kind)).with_edits(NeedsReview, [dollar]),
        None => diagnostic
            .with_help("end the line before the `}`, or write `$${` for a literal `${`")
            .with_choice("write `$${` for a literal `${`", [dollar]),
    }
}

fn help(text: &str, kind: Expansion) -> String {
    let shown = excerpt(text);
    let literal = format!("if this is for a shell, write `${shown}`: `$${{` stands for `${{`");
    match kind {
        Expansion::Default => {
            let name = excerpt(&text[2..identifier_end(text.as_bytes(), 2)]);
            // Numbered arguments of a script are not variables of HCL.
            if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                return literal;
            }
            format!("{literal}; a default in HCL is `{name} != null ? {name} : …`")
        }
        Expansion::Length => {
            format!("{literal}; in HCL use a function such as `length`, if the application has one")
        }
        Expansion::Other => literal,
    }
}

/// Returns the length and the kind of the expansion at the beginning of a text.
fn expansion(text: &str) -> Option<(usize, Expansion)> {
    let length = braces_end(text)?;
    let inner = &text[2..length - 1];
    let special = |text: &str| text.starts_with(['@', '*', '?', '$', '#', '!']);
    let name_end = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 { digits } else { identifier_end(text.as_bytes(), 0) }
    };
    if let Some(counted) = inner.strip_prefix('#')
        && (name_end(counted) > 0 || counted.starts_with(['@', '*']))
    {
        return Some((length, Expansion::Length));
    }
    let name = name_end(inner);
    let rest = &inner[name..];
    if name == 0 {
        return special(rest).then_some((length, Expansion::Other)).filter(|_| !rest.starts_with([' ', '\t']));
    }
    let subscript = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (all, rest) = subscript.map_or((false, rest), |(key, rest)| (matches!(key, "@" | "*"), rest));
    let kind = match rest.as_bytes() {
        [] => all.then_some(Expansion::Other),
        [b':', b'-' | b'=', ..] => Some(Expansion::Default),
        [b':', b'?' | b'+' | b'0'..=b'9' | b' ', ..] => Some(Expansion::Other),
        [b'%' | b'#' | b'/' | b'^' | b',' | b'@', next, ..] if *next != b' ' => Some(Expansion::Other),
        [b'^' | b','] => Some(Expansion::Other),
        _ => None,
    }?;
    Some((length, kind))
}

/// Returns the position after the brace that closes the first brace of a text.
fn braces_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for at in memchr::memchr2_iter(b'{', b'}', text.as_bytes()) {
        if text.as_bytes()[at] == b'{' {
            depth += 1;
        } else if depth > 1 {
            depth -= 1;
        } else {
            return Some(at + 1);
        }
    }
    None
}
