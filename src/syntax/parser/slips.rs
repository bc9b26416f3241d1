//! Slips that cause errors in several places of a line, or of several lines, and are reported once: text without
//! quotes, quotes within a string, and lists in YAML notation.

use std::ops::Range;

use super::shell::token_at;
use crate::decimal::text_of_literal;
use crate::diagnostic::Applicability::{self, NeedsReview};
use crate::diagnostic::{Code, Finding};
use crate::source::{Replacement, Source, Span};
use crate::syntax::excerpt;
use crate::syntax::lexer::is_identifier;
use crate::syntax::token::{TokenKind, Tokens};

/// The number of bytes of a line that are examined before and after an error.
const NEAR: usize = 500;

/// The number of elements of a list that are checked.
const MAX_ELEMENTS: usize = 200;

/// Explains each slip once. The diagnostics are ordered by their places.
pub(super) fn explain(source: &Source, tokens: &Tokens, diagnostics: &mut Vec<Finding>) {
    let text = source.text();
    // The end of the text that the last explanation covers.
    let mut explained = 0;
    diagnostics.retain_mut(|diagnostic| {
        let at = diagnostic.subject().start();
        let code = diagnostic.code();
        if !is_of_form(code) || code.is_unclosed() || !text.is_char_boundary(at) {
            return true;
        }
        if at < explained {
            return false;
        }
        // Text that can be parsed is no slip.
        if !diagnostic.is_error() {
            return true;
        }
        let slip = match diagnostic.code() {
            Code::WrongAssignment => yaml_list(text, tokens, at),
            _ => quote_within_string(text, tokens, at).or_else(|| unquoted_text(text, tokens, at)),
        };
        if let Some((slip, end)) = slip {
            *diagnostic = slip;
            explained = end;
        }
        true
    });
}

/// Returns true if an error is about the form of a text. Errors about the meaning or the size of well-formed text are
/// not.
fn is_of_form(code: &Code) -> bool {
    !matches!(
        code,
        Code::BeyondSpecification
            | Code::DuplicateAttribute
            | Code::NumberOutOfRange
            | Code::NestingTooDeep
            | Code::TooManyErrors
            | Code::InvalidUtf8
            | Code::ConflictMarker
    )
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

/// Returns the text of a line from a position on, as far as it is examined.
fn rest_of_line(text: &str, at: usize) -> &str {
    let end = (0..=NEAR.min(text.len() - at)).rev().find(|length| text.is_char_boundary(at + length)).unwrap_or(0);
    text[at..at + end].split(['\n', '\r']).next().unwrap_or_default()
}

/// Returns true if only a comment or the end of the enclosing construct follows in a line.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with(['}', '#']) || rest.starts_with("//") || rest.starts_with("/*")
}

/// Finds a value such as `nginx:latest` or `10.0.0.0/16` around an error, which is not an expression.
fn unquoted_text(text: &str, tokens: &Tokens, at: usize) -> Option<(Finding, usize)> {
    let before = &text.as_bytes()[..at];
    let outside = |byte: &u8| byte.is_ascii_whitespace() || b"=,[]{}()\"".contains(byte);
    let start = at - before.iter().rev().take(NEAR).position(outside)?;
    let token = token_at(tokens, start)?;
    let previous = if tokens.start(token) as usize == start { token.checked_sub(1)? } else { token };
    let in_line = match tokens.kind(previous) {
        TokenKind::Value => true,
        TokenKind::Assign | TokenKind::Colon | TokenKind::Comma => false,
        // Rather than that of an index.
        TokenKind::OpenBracket if !previous.checked_sub(1).is_some_and(|before| tokens.kind(before).ends_operand()) => {
            false
        }
        _ => return None,
    };
    let line = rest_of_line(text, start);
    let ends = |c: char| c.is_whitespace() || c == '"' || !in_line && matches!(c, ',' | ']' | '}' | ')');
    let word = line.split(ends).next().unwrap_or_default();
    let rest = &line[word.len()..];
    let is_last = is_end(rest) || !in_line && rest.trim_start().starts_with([',', ']']);
    if at > start + word.len() || !is_last || line.len() >= NEAR || !looks_like_text(word) {
        return None;
    }
    let quoted = format!("\"{}\"", word.replace('\\', "\\\\"));
    let place = span(start..start + word.len());
    let diagnostic = Finding::error(Code::UnquotedText, place, "this looks like text")
        .with_help(format!("put it in quotes: `{}`", excerpt(&quoted)))
        .with_edits(Applicability::safe_if(is_surely_text(word)), [Replacement::new(place, quoted)]);
    // The slashes of a URL begin a comment, which hides the rest of the line.
    let hides = word.contains("//");
    Some((diagnostic, start + if hides { line.len() + 1 } else { word.len() }))
}

/// Returns true if a word has a form that no expression has, but that is common in some kind of text.
fn looks_like_text(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@+~%?&=#\\,".contains(c);
    let begins_with = |test: fn(&char) -> bool| word.chars().next().is_some_and(|c| test(&c));
    if !word.chars().all(plain) || !word.contains(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-/@".contains(c));
    let alphanumeric = char::is_ascii_alphanumeric;
    // `https://example.com`
    if let Some((scheme, rest)) = word.split_once("://") {
        return !rest.is_empty()
            && begins_with(char::is_ascii_alphabetic)
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    }
    // `C:\folder`
    if let [drive, b':', b'\\', ..] = word.as_bytes() {
        return drive.is_ascii_alphabetic();
    }
    // `/etc/hosts`, `./here`, `../there`, `~/home`
    let path = ["../", "./", "~/", "/"].iter().find_map(|start| word.strip_prefix(start));
    if let Some(path) = path {
        return path.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.')
            && path.split('/').all(|part| name(part) || part.is_empty());
    }
    // `arn:aws:s3:::bucket`
    if word.starts_with("arn:") {
        return true;
    }
    // `nginx:latest`, `12:30`, `80:8080`
    if word.contains(':') {
        return begins_with(alphanumeric) && word.split(':').all(name);
    }
    // `ada@example.com`
    if let Some((user, host)) = word.split_once('@') {
        return name(user) && name(host);
    }
    let (address, length) = word.split_once('/').map_or((word, None), |(address, length)| (address, Some(length)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = address.split('.').collect();
    // `10.0.0.0/16`, `1.2.3`, `v1.2.3`
    if let [first, others @ ..] = &parts[..]
        && others.len() >= 2
        && length.is_none_or(digits)
        && digits(first.strip_prefix('v').unwrap_or(first))
        && others.iter().all(|part| digits(part))
    {
        return true;
    }
    // `t1.2xlarge`
    let mixed = |part: &&str| {
        part.starts_with(|c: char| c.is_ascii_digit()) && part.contains(|c: char| c.is_ascii_alphabetic())
    };
    let word_part =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    begins_with(char::is_ascii_alphabetic)
        && length.is_none()
        && parts.iter().all(word_part)
        && parts[1..].iter().any(mixed)
}

/// Returns true if a word can only be text, not a misspelled expression: a URL, a path that begins with dots, an
/// address.
fn is_surely_text(word: &str) -> bool {
    let is_address = |word: &str| {
        let (address, length) = word.split_once('/').unwrap_or((word, "0"));
        let is_number = |part: &str| part.len() <= 3 && part.parse::<u8>().is_ok();
        address.split('.').count() == 4 && address.split('.').all(is_number) && is_number(length)
    };
    word.contains("://") || word.starts_with("./") || word.starts_with("../") || is_address(word)
}

/// `"say "hi" now"`, if the error is at `hi`.
fn quote_within_string(text: &str, tokens: &Tokens, at: usize) -> Option<(Finding, usize)> {
    let closing = at.checked_sub(1)?;
    let glued = text.as_bytes()[closing] == b'"' && text[at..].starts_with(char::is_alphanumeric);
    let string = token_at(tokens, closing).filter(|_| glued)?;
    // The quotes of a string without sequences are in its token.
    let start = tokens.start(string) as usize;
    if tokens.kind(string) != TokenKind::Literal || tokens.end(string) as usize != at || text.as_bytes()[start] != b'"'
    {
        return None;
    }
    let line = rest_of_line(text, at);
    if line.len() >= NEAR {
        return None;
    }
    let quotes = line.bytes().enumerate().filter(|&(index, byte)| {
        let escaped = line.as_bytes()[..index].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
        byte == b'"' && !escaped
    });
    let mut inner = vec![closing];
    for (index, _) in quotes {
        let rest = &line[index + 1..];
        // Each quote within the string is paired with another one.
        if inner.len() % 2 == 0 && (is_end(rest) || rest.trim_start().starts_with([',', ']', ')'])) {
            let diagnostic = Finding::error(
                Code::UnescapedQuote,
                span(at..at + index_of_end(line)),
                "the string has ended before this",
            )
            .with_context(span(start..at + index + 1))
            .with_help("write `\\\"` for a quote within a string")
            .with_edits(NeedsReview, inner.into_iter().map(|quote| Replacement::insertion(quote, "\\")));
            return Some((diagnostic, at + index + 1));
        }
        inner.push(at + index);
    }
    None
}

/// Returns the end of the word at the beginning of a line.
fn index_of_end(line: &str) -> usize {
    line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len())
}

/// `name:` and in the lines after it `- element`.
fn yaml_list(text: &str, tokens: &Tokens, at: usize) -> Option<(Finding, usize)> {
    let name = token_at(tokens, at)?.checked_sub(1).map(|token| text[tokens.span(token).range()].trim_matches('"'))?;
    let first = rest_of_line(text, at);
    if !is_identifier(name) || first.strip_prefix(':')?.trim() != "" {
        return None;
    }
    let (mut next, mut end, mut elements) = (at + first.len(), at, Vec::new());
    let mut simple = true;
    while let Some(rest) = text.get(next..).filter(|rest| !rest.is_empty() && elements.len() < MAX_ELEMENTS) {
        let start = next + (rest.len() - rest.trim_start_matches(['\r', '\n']).len());
        let line = rest_of_line(text, start);
        let Some(element) = line.trim_start().strip_prefix('-').filter(|rest| rest.starts_with(' ')) else { break };
        let element = element.trim();
        simple &= is_simple(element);
        elements.push(written(element));
        end = start + line.trim_end().len();
        next = start + line.len();
    }
    if elements.is_empty() {
        return None;
    }
    let diagnostic = Finding::error(Code::WrongAssignment, span(at..at + 1), "a list is not written in this way");
    let list = format!("[{}]", elements.join(", "));
    let diagnostic = if simple {
        let help = format!("put the elements in brackets: `{name} = {}`", excerpt(&list));
        let place = span(at..end);
        diagnostic.with_help(help).with_edits(NeedsReview, [Replacement::new(place, format!(" = {list}"))])
    } else {
        diagnostic.with_help(format!("put the elements in brackets, with commas between them: `{name} = [ … ]`"))
    };
    Some((diagnostic, next + 1))
}

/// Returns true if an element of a YAML list is a single value in one line.
fn is_simple(element: &str) -> bool {
    let quoted = |quote: char| {
        let inside = element.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inside.is_some_and(|inside| !inside.contains([quote, '\\', '"', '$', '%']))
    };
    let plain = |c: char| c.is_alphanumeric() || "._-/:@+ ".contains(c);
    quoted('"') || quoted('\'') || !element.is_empty() && element.chars().all(plain) && !element.contains(": ")
}

/// Returns an element of a YAML list in HCL notation.
fn written(element: &str) -> String {
    let number = element.starts_with(|c: char| c.is_ascii_digit()) && text_of_literal(element).is_some();
    match element {
        "true" | "false" | "null" => element.to_owned(),
        _ if number || element.starts_with('"') => element.to_owned(),
        _ => format!("\"{}\"", element.trim_matches('\'')),
    }
}
