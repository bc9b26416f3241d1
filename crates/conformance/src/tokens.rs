//! The tokens of a source, in the terms of the specification of the lexer's modes.
//!
//! The tokens of this library fit its grammars: all literal values are one kind, a dot and the name after it are one
//! token, and newlines in brackets are trivia. Here each is split into tokens of the specification, and comments and
//! newlines become tokens again.

use serde_json::{Value, json};

use hcl_lr::syntax::{File, Piece, TokenKind, Trivia, TriviaKind};

/// Returns the kind and text of each token of a source without errors. Text between tokens is white space, or the byte
/// order mark at the start.
pub(super) fn tokens_to_json(file: &File) -> Value {
    let mut cutter = Cutter { source: file.source().text(), tokens: Vec::new() };
    for piece in file.pieces() {
        match piece {
            Piece::Trivia(trivia) => cutter.trivia(trivia),
            Piece::Token(token) => {
                // Comments and newlines may also be between the parts of a token.
                let mut inner = token.inner_trivia().peekable();
                for part in token.parts() {
                    while let Some(trivia) = inner.next_if(|trivia| trivia.span().start() < part.start()) {
                        cutter.trivia(trivia);
                    }
                    cutter.part(token.kind(), part.start(), part.end());
                }
            }
        }
    }
    let token = |&(kind, start, end): &Cut| json!([kind, &cutter.source[start..end]]);
    cutter.tokens.iter().map(token).collect()
}

/// A token of the specification: its kind, where it starts, and where it ends.
type Cut = (&'static str, usize, usize);

/// Cuts a source into tokens of the specification.
struct Cutter<'s> {
    source: &'s str,
    tokens: Vec<Cut>,
}

impl Cutter<'_> {
    /// Adds a token unless it is empty.
    fn push(&mut self, kind: &'static str, start: usize, end: usize) {
        if start < end {
            self.tokens.push((kind, start, end));
        }
    }

    /// Extends the previous token, if it is of the same kind and adjacent.
    fn extend(&mut self, kind: &'static str, start: usize, end: usize) {
        match self.tokens.last_mut() {
            Some((last, _, reached)) if *last == kind && *reached == start => *reached = end,
            _ => self.push(kind, start, end),
        }
    }

    /// Adds the end of a line, of which `at` is the line feed. Several right after each other are one token.
    fn newline(&mut self, at: usize) {
        let start = at - usize::from(self.source[..at].ends_with('\r'));
        self.extend("newline", start, at + 1);
    }

    fn trivia(&mut self, trivia: Trivia<'_>) {
        let (start, end, text) = (trivia.span().start(), trivia.span().end(), trivia.text());
        match trivia.kind() {
            TriviaKind::Comment => {
                let (kind, opener) = match text.as_bytes() {
                    [b'#', ..] => ("hash", 1),
                    [_, b'/', ..] => ("double slash", 2),
                    _ => ("slash star", 2),
                };
                // The carriage return before the end of the line is part of that end.
                let ends_line = kind != "slash star" && self.source[end..].starts_with('\n') && text.ends_with('\r');
                self.push(kind, start, start + opener);
                self.push("comment", start + opener, end - usize::from(ends_line));
            }
            TriviaKind::Space | TriviaKind::LineBreak | TriviaKind::BlankLine => {
                for (at, _) in text.match_indices('\n') {
                    self.newline(start + at);
                }
            }
            _ => {}
        }
    }

    /// Adds a token of the grammars, or a part of one.
    fn part(&mut self, kind: TokenKind, start: usize, end: usize) {
        let text = &self.source[start..end];
        match kind {
            TokenKind::Illegal | TokenKind::EndOfFile => {}
            TokenKind::Newline => {
                for (at, _) in text.match_indices('\n') {
                    self.newline(start + at);
                }
            }
            TokenKind::TemplateLiteral => self.extend("text", start, end),
            TokenKind::Template if text.starts_with("<<") => self.introduction(start, end),
            TokenKind::CloseTemplate if text != "\"" => self.push("identifier", start, end),
            TokenKind::Literal | TokenKind::String if text.starts_with('"') => {
                self.push("quote", start, start + 1);
                self.push("text", start + 1, end - 1);
                self.push("quote", end - 1, end);
            }
            _ => self.push(named(text), start, end),
        }
    }

    /// Adds the introduction of a heredoc, including its newline.
    fn introduction(&mut self, start: usize, end: usize) {
        let text = &self.source[start..end];
        let name = if text.starts_with("<<-") { 3 } else { 2 };
        let line = text.trim_end_matches(['\n', '\r']).len();
        self.push("heredoc anchor", start, start + 2);
        self.push("trim marker", start + 2, start + name);
        self.push("identifier", start + name, start + line);
        self.push("newline", start + line, end);
    }
}

/// Returns the specification's name of a token of a configuration or of a sequence, which its text alone determines.
/// The specification has no names for a comma and for two colons.
fn named(text: &str) -> &'static str {
    match text {
        "+" => "plus",
        "-" => "minus",
        "*" => "star",
        "/" => "divide",
        "%" => "modulo",
        "&&" => "and",
        "||" => "or",
        "!" => "not",
        "==" => "equal",
        "!=" => "not equal",
        "<" => "less",
        "<=" => "less or equal",
        ">" => "greater",
        ">=" => "greater or equal",
        "\"" => "quote",
        "{" => "left brace",
        "}" => "right brace",
        "~}" => "right brace with strip",
        "=" => "assign",
        "=>" => "fat arrow",
        "(" => "left parenthesis",
        ")" => "right parenthesis",
        "[" => "left square bracket",
        "]" => "right square bracket",
        "?" => "question mark",
        ":" => "colon",
        "::" => "double colon",
        "..." => "ellipsis",
        "." => "dot",
        "," => "comma",
        "${" => "interpolation start",
        "${~" => "interpolation start with strip",
        "%{" => "directive start",
        "%{~" => "directive start with strip",
        _ if text.starts_with(|first: char| first.is_ascii_digit()) => "numeric literal",
        _ => "identifier",
    }
}
