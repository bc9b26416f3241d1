//! Colours for HCL, by the tokens of the lexer.

use std::ops::Range;

use hcl_lr::syntax::{File, TokenKind, TriviaKind};

use crate::escaped;

/// A file, by its name.
pub fn file(name: &str, text: &str) -> String {
    let native = [".hcl", ".tf", ".hcldec", ".tfvars", ".nomad"].iter().any(|ending| name.ends_with(ending));
    if native { source("hcl", text) } else { escaped(text) }
}

/// A source of a kind: `hcl` or `expr`; any other is not coloured.
///
/// Sources of examples may hold signs for what cannot be seen, such as `␉`. To the lexer they are illegal, and
/// what is illegal is shown as it is.
pub fn source(kind: &str, text: &str) -> String {
    // In brackets an expression may have lines and comments, as it may alone.
    let (before, after) = match kind {
        "hcl" => ("", ""),
        "expr" => ("x = (", "\n)\n"),
        _ => return escaped(text),
    };
    let file = hcl_lr::parse::<File>(format!("{before}{text}{after}")).into_value();
    coloured(&file, text, before.len())
}

/// A text with its tokens coloured. It stands in the file after `skipped` bytes.
fn coloured(file: &File, text: &str, skipped: usize) -> String {
    let mut html = String::new();
    let mut done = 0;
    let mut piece = |range: Range<usize>, class: Option<&str>| {
        let (Some(class), Some(from), Some(to)) =
            (class, range.start.checked_sub(skipped), range.end.checked_sub(skipped))
        else {
            return;
        };
        if let (Some(before), Some(inside)) = (text.get(done..from), text.get(from..to)) {
            html += &escaped(before);
            html += &format!("<span class=\"{class}\">{}</span>", escaped(inside));
            done = to;
        }
    };
    for token in file.tokens().iter() {
        for trivia in token.trivia_before().filter(|trivia| trivia.kind() == TriviaKind::Comment) {
            piece(trivia.span().range(), Some("comment"));
        }
        piece(token.span().range(), class(token.kind(), token.text()));
    }
    html + &escaped(&text[done..])
}

/// The class of a token in the style sheet.
fn class(kind: TokenKind, text: &str) -> Option<&'static str> {
    match kind {
        TokenKind::For | TokenKind::In | TokenKind::If | TokenKind::Keyword => Some("keyword"),
        TokenKind::Literal if text.starts_with('"') => Some("string"),
        TokenKind::Literal => Some("literal"),
        TokenKind::String | TokenKind::TemplateLiteral | TokenKind::Template | TokenKind::CloseTemplate => {
            Some("string")
        }
        TokenKind::Interpolation | TokenKind::CloseSequence => Some("keyword"),
        kind if kind.is_opener() => None,

        _ => None,
    }
}
