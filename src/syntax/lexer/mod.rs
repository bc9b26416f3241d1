//! From text to tokens, in one pass, with the specification's stack of modes.
//!
//! The lexer never fails, and the parser never tells it what mode to be in. Text that is not a token is reported and,
//! if the intention is plain, becomes the intended token: a string in single quotes is a string. The lexer also settles
//! three questions for the grammars:
//!
//! - *Newlines* are tokens only where they are significant: at the end of a line of a body, and between the elements of
//!   an object.
//! - *Braces* belong to blocks in a body, and to objects after an `=`.
//! - *Keywords* have their own tokens only where they are keywords: `for` right after `[` or `{`, `in` after the names
//!   of the `for`, and `if` where an operand has just ended.
//!
//! `a = [for x in y : "v${x}"]` and a newline become
//! `Identifier Value OpenBracket For Identifier In Identifier Colon Template TemplateLiteral
//! Interpolation Identifier CloseSequence CloseTemplate CloseBracket Newline EndOfFile`.
//!
//! It implements "Lexical Analysis" of the lexer specification and "Lexical Elements" of the
//! native syntax specification.

mod brackets;
mod edits;
mod foreign;
mod heredoc;
mod identifier;
mod mode;
mod nesting;
mod operators;
mod recover;
mod template;
mod trivia;
mod unclosed;

use std::ops::Range;

use super::index::TokenIndex;
use super::scan::{ascii_identifier_end, spaces_end};
use super::token::{TokenKind, Tokens};
use super::unfinished::Open;
use crate::diagnostic::{Code, Finding};
pub use crate::identifier::is_identifier;
use crate::reading::{Dialect, ParseOptions, liberty};
use crate::sorting::sort_by_key;
use crate::source::{Source, Span};
pub(super) use mode::Start;
use mode::{Frame, Mode};
use recover::Repair;

/// The result of the lexer.
pub(super) struct Lexed {
    pub tokens: Tokens,
    pub problems: Vec<Problem>,
}

/// An error, and the index of the next token when it was detected.
pub(super) struct Problem {
    pub token: TokenIndex,
    /// True if an empty token was inserted for a missing one.
    pub missing: bool,
    pub diagnostic: Finding,
}

pub(super) fn lex(source: &Source, start: Start, options: &ParseOptions) -> Lexed {
    let mut repairs = Vec::new();
    loop {
        let mut lexer = Lexer::new(source, start, options, &repairs);
        lexer.run();
        // A missing closing bracket is only noticed at the end of the file. Its place is then found by indentation, and
        // the file is read once more with the bracket inserted.
        match lexer.missing_closer.take() {
            Some(repair) if repairs.len() < recover::MAX_REPAIRS => {
                repairs.push(repair);
                sort_by_key(&mut repairs, |repair| repair.line_start);
            }
            _ => {
                lexer.tokens.sort();
                return Lexed { tokens: lexer.tokens, problems: lexer.problems };
            }
        }
    }
}

/// Reads the tokens of a source that may be unfinished, and returns what is open at its end, unless there is an error
/// before that. No missing tokens are inserted.
pub(super) fn lex_unfinished(source: &Source, start: Start, options: &ParseOptions) -> (Tokens, Option<Open>) {
    let mut lexer = Lexer::new(source, start, options, &[]);
    let end = lexer.read();
    // Here, missing quotes around a text are only a warning.
    let wrong = lexer.problems.iter().map(|problem| problem.diagnostic.code());
    let mut wrong = wrong.filter(|&code| *code != Code::UnquotedText);
    let pending = match (wrong.next(), wrong.next()) {
        (Some(Code::UnclosedHeredoc), None) => Some(Open::Heredoc),
        (Some(Code::UnclosedComment), None) => Some(Open::Comment),
        (None, _) => {
            let mut frames = lexer.outer.iter().skip(1).chain([&lexer.frame]);
            let open = !lexer.outer.is_empty() && frames.any(|frame| frame.mode != Mode::Attribute);
            open.then_some(Open::Bracket)
        }
        _ => None,
    };
    lexer.end_of_file(end);
    lexer.tokens.sort();
    (lexer.tokens, pending)
}

struct Lexer<'s> {
    source: &'s [u8],
    start: Start,
    invalid_utf8: &'s [Span],
    /// True if this is the text of a string in another source.
    in_string: bool,
    tokens: Tokens,
    problems: Vec<Problem>,
    frame: Frame,
    outer: Vec<Frame>,
    strict: bool,
    max_nesting: u32,
    max_problems: usize,
    /// The number of consecutive unary operators that end before the token with this index.
    unary: (TokenIndex, u32),
    /// The part that is nested too deeply, if one is being skipped: its tokens are discarded.
    cut: Option<Cut>,
    repairs: &'s [Repair],
    /// The place of the first of the repairs.
    next_repair: usize,
    missing_closer: Option<Repair>,
    /// The end of a quoted template that spans several lines, which is reported.
    string_end: usize,
    /// The number of bytes that may still be searched ahead.
    search_budget: usize,
}

/// A part of the source that is nested too deeply and is left out.
struct Cut {
    /// The number of outer frames at its start, and at its end.
    level: usize,
    token: TokenIndex,
    start: usize,
    problems: usize,
}

/// Each function takes the position of a token and returns where the next one may start.
impl<'s> Lexer<'s> {
    fn new(source: &'s Source, start: Start, options: &ParseOptions, repairs: &'s [Repair]) -> Self {
        let text = source.text().as_bytes();
        Lexer {
            source: text,
            start,
            invalid_utf8: source.invalid_utf8(),
            in_string: source.outer().is_some(),
            tokens: Tokens::for_source(text.len()),
            problems: Vec::new(),
            frame: Frame::new(start.mode()),
            outer: Vec::new(),
            strict: options.dialect == Dialect::Strict,
            max_nesting: options.max_nesting,
            max_problems: options.max_errors,
            unary: (TokenIndex::NONE, 0),
            cut: None,
            repairs,
            next_repair: repairs.first().map_or(usize::MAX, |repair| repair.line_start),
            missing_closer: None,
            string_end: 0,
            search_budget: 16 * text.len() + 1024,
        }
    }

    fn run(&mut self) {
        let end = self.read();
        self.end_of_file(end);
    }

    /// Reads all that is there, and returns where it ends.
    fn read(&mut self) -> usize {
        if self.looks_like_utf16() {
            let diagnostic = Finding::error(Code::InvalidUtf8, self.span(0, 2), "this looks like UTF-16");
            self.report(diagnostic.with_help("save the file as UTF-8"));
            return self.skip_text(0, self.source.len());
        }
        self.invalid_utf8();
        let mut at = self.byte_order_mark();
        if self.frame.mode == Mode::TemplateFile {
            at = self.template(at);
        }
        loop {
            at = spaces_end(self.source, at);
            let Some(&byte) = self.source.get(at) else {
                return at;
            };
            at = self.token(at, byte);
        }
    }

    #[inline(always)]
    fn token(&mut self, at: usize, byte: u8) -> usize {
        use TokenKind::*;
        // Reading one byte ahead here, once, is faster than in the guards below.
        let next = self.byte(at + 1);
        let mode = self.frame.mode;
        if Self::HAS_OTHER_OPERATORS
            && mode != Mode::Body
            && let Some(end) = self.other_operator(at)
        {
            return end;
        }
        match byte {
            b'\t' => at + 1,
            b'\n' => self.newline(at, at + 1),
            b'\r' if next == b'\n' => self.newline(at, at + 2),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.identifier(at),
            0x80.. => self.unicode_identifier(at),
            b'0'..=b'9' => self.number(at),
            b'"' => self.quote(at),
            b'.' => self.dot(at),
            b'{' => self.open_brace(at),
            b'}' => self.close_brace(at),
            b'(' => self.open(OpenParen, Mode::Brackets, at, at + 1),
            b')' if self.closes(OpenParen) => self.close(CloseParen, at, at + 1),
            b'[' => self.open_bracket(at),
            b']' if self.closes(OpenBracket) => self.close(CloseBracket, at, at + 1),
            b')' | b']' => self.other_closer(at, byte),
            b',' => self.separator(Comma, at),
            b'?' => self.question(at),
            b':' if mode == Mode::Body => self.colon_in_body(at, next),
            b':' if next == b':' => self.push(DoubleColon, at, at + 2),
            b':' if next == b'=' => self.foreign_assignment(at, at + 2),
            b':' => self.push(Colon, at, at + 1),
            b'<' if next == b'<' => self.heredoc(at),
            b'=' | b'>' | b'|' if next == byte => self.doubled(at, byte),
            b'+' if next == b'=' && mode == Mode::Body => self.foreign_assignment(at, at + 2),
            b'%' if next == b'{' => self.percent(at),
            b'-' => self.minus(at),
            b'!' if next != b'=' => self.prefix(Not, at, 1),
            b'=' if next == b'>' => self.separator_of(FatArrow, at, at + 2),
            b'=' if mode == Mode::Body => self.open_attribute(at, at + 1),
            b'=' => self.assign(at),
            b'#' => self.comment_end(at),
            b'/' if next == b'/' || next == b'*' => self.comment_end(at),
            b'~' if next == b'}' && mode == Mode::Sequence => self.close_sequence(at, at + 2),
            _ => self.sign(at, byte),
        }
    }

    /// After the end a zero, which is legal nowhere.
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }

    fn skip(&self, mut at: usize, skipped: impl Fn(u8) -> bool) -> usize {
        while skipped(self.byte(at)) {
            at += 1;
        }
        at
    }

    #[inline]
    fn previous(&self) -> TokenKind {
        self.tokens.last_kind(0)
    }

    /// Returns the kind of the token after the one that opened the mode.
    #[inline]
    fn after_opener(&self) -> Option<TokenKind> {
        let token = self.frame.opener + 1;
        (token < self.tokens.next()).then(|| self.tokens.kind(token))
    }

    /// Skips text that is not a token and has been reported.
    fn skip_text(&mut self, start: usize, end: usize) -> usize {
        let end = end.min(self.source.len());
        self.tokens.skip(self.span(start, end));
        end
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) -> usize {
        self.tokens.push(kind, start, end);
        end
    }

    #[inline]
    fn open(&mut self, kind: TokenKind, mode: Mode, start: usize, end: usize) -> usize {
        self.open_shown(kind, mode, start..end, end)
    }

    /// Opens a mode by a token. If it is nested too deeply, the message shows the text from its start to `shown`.
    #[inline]
    fn open_shown(&mut self, kind: TokenKind, mode: Mode, token: Range<usize>, shown: usize) -> usize {
        let depth = self.enter(mode);
        if depth > self.max_nesting {
            self.begin_cut(token.start, shown, depth);
        }
        self.tokens.push_opener(kind, token.start, token.end);
        token.end
    }

    /// Enters a mode by the next token, and returns its level of nesting.
    fn enter(&mut self, mode: Mode) -> u32 {
        let unary = if self.unary.0 == self.tokens.next() { self.unary.1 } else { 0 };
        let depth = self.frame.depth + self.frame.splats + unary + 1;
        self.outer.push(self.frame);
        self.frame = Frame { opener: self.tokens.next(), base: depth, depth, ..Frame::new(mode) };
        depth
    }

    /// Reads the `=` of an attribute, which is not a level of nesting.
    fn open_attribute(&mut self, start: usize, end: usize) -> usize {
        let depth = self.frame.base;
        self.outer.push(self.frame);
        self.frame = Frame { opener: self.tokens.next(), base: depth, depth, ..Frame::new(Mode::Attribute) };
        self.tokens.push_opener(TokenKind::Value, start, end);
        end
    }

    /// Leaves the mode. The next token is the closer.
    #[inline]
    fn leave(&mut self) {
        let closer = self.tokens.next();
        if let Some(outer) = self.outer.pop() {
            self.tokens.set_closer(self.frame.opener, closer);
            self.frame = outer;
        }
    }

    #[inline]
    fn close(&mut self, kind: TokenKind, start: usize, end: usize) -> usize {
        self.leave();
        if self.cut.is_some() && self.end_cut(end) {
            return end;
        }
        self.push(kind, start, end)
    }

    /// Returns true if a closing bracket matches the open one.
    #[inline]
    fn closes(&self, opener: TokenKind) -> bool {
        self.frame.mode == Mode::Brackets && !self.outer.is_empty() && self.tokens.kind(self.frame.opener) == opener
    }

    fn report(&mut self, diagnostic: Finding) {
        self.report_problem(diagnostic, false);
    }

    /// Reports a missing bracket, which is then inserted.
    fn report_missing(&mut self, diagnostic: Finding) {
        self.report_problem(diagnostic, true);
    }

    fn report_problem(&mut self, diagnostic: Finding, missing: bool) {
        // One more than are shown, so that the report can tell that there are more.
        if self.problems.len() <= self.max_problems {
            self.problems.push(Problem { token: self.tokens.next(), missing, diagnostic });
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(start, end.min(self.source.len()))
    }

    #[inline]
    fn newline(&mut self, start: usize, end: usize) -> usize {
        if end >= self.next_repair {
            self.repair(start);
            match self.frame.mode {
                Mode::Heredoc | Mode::TemplateFile => return self.template(end),
                // A quoted template ends with its line.
                Mode::Quoted => self.close_frame(start),
                _ => {}
            }
        }
        match self.frame.mode {
            Mode::Attribute => self.close(TokenKind::Newline, start, end),
            Mode::Body if self.previous() == TokenKind::Newline => end,
            Mode::Body => self.push(TokenKind::Newline, start, end),
            Mode::Object => match self.previous() {
                TokenKind::Newline | TokenKind::Comma | TokenKind::OpenBrace => end,
                _ => self.separator_of(TokenKind::Newline, start, end),
            },
            _ => end,
        }
    }

    /// `==`, `||` or `>>`.
    fn doubled(&mut self, at: usize, byte: u8) -> usize {
        if self.byte(at + 2) == byte
            && let Some(line_end) = self.conflict_marker(at)
        {
            return line_end;
        }
        match byte {
            b'=' if self.frame.mode == Mode::Body => self.equal_in_body(at),
            _ => self.sign(at, byte),
        }
    }

    fn separator(&mut self, kind: TokenKind, at: usize) -> usize {
        self.separator_of(kind, at, at + 1)
    }

    /// A token after which another element begins.
    fn separator_of(&mut self, kind: TokenKind, start: usize, end: usize) -> usize {
        self.frame.depth = self.frame.base;
        self.frame.splats = 0;
        self.push(kind, start, end)
    }

    fn percent(&mut self, at: usize) -> usize {
        if !self.previous().ends_operand() {
            return self.sequence_outside_template(at, at);
        }
        self.sign(at, b'%')
    }

    #[inline]
    fn identifier(&mut self, start: usize) -> usize {
        let end = ascii_identifier_end(self.source, start + 1);
        if self.byte(end) >= 0x80 || self.strict {
            return self.unusual_identifier(start);
        }
        let kind = match self.frame.mode {
            Mode::Body => TokenKind::Identifier,
            // The words with a meaning are short and have one of these first letters.
            _ if end - start <= 5 && matches!(self.source[start], b't' | b'f' | b'n' | b'i') => {
                self.word_kind(start, end)
            }
            _ => TokenKind::Identifier,
        };
        self.name(kind, start, end)
    }

    /// Reads an identifier with characters beyond ASCII, or in strict mode.
    #[inline(never)]
    fn unusual_identifier(&mut self, start: usize) -> usize {
        let end = self.unicode_identifier_end(start);
        self.strict_identifier(start);
        let kind = if self.frame.mode == Mode::Body { TokenKind::Identifier } else { self.word_kind(start, end) };
        self.name(kind, start, end)
    }

    fn strict_identifier(&mut self, start: usize) {
        if self.strict && self.byte(start) == b'_' {
            let span = self.span(start, start + 1);
            self.report(liberty::UNDERSCORE.at(span));
        }
    }

    /// Returns the kind of a short word outside bodies.
    #[inline]
    fn word_kind(&mut self, start: usize, end: usize) -> TokenKind {
        use TokenKind::*;
        let word = &self.source[start..end];
        if !matches!(word, b"in" | b"if" | b"for" | b"true" | b"false" | b"null") {
            return Identifier;
        }
        let [before, last] = self.tokens.last_kinds();
        match (word, before, last) {
            (b"in", _, Identifier) if self.is_for(1) => In,
            (b"in", Comma, Identifier) if self.tokens.last_kind(2) == Identifier && self.is_for(3) => In,
            // The names after a `for` may be any word.
            (b"true" | b"false" | b"null", _, For | Keyword) if self.is_for(0) => Identifier,
            (b"true" | b"false" | b"null", Identifier, Comma) if self.is_for(2) => Identifier,
            // A function within a namespace may have any name.
            (_, _, DoubleColon) => Identifier,
            (b"true" | b"false" | b"null", ..) if self.names_function(end) => Identifier,
            (b"true" | b"false" | b"null", ..) => Literal,
            // An index has a bracket too, but `for` in it does not begin an expression.
            (b"for", before, OpenBracket) if before.ends_operand() => Identifier,
            (b"for", _, OpenBracket | OpenBrace) => {
                self.frame.mode = Mode::Brackets;
                For
            }
            (b"if", ..) if self.is_for_condition() => {
                self.frame.depth = self.frame.base;
                self.frame.splats = 0;
                If
            }
            _ => Identifier,
        }
    }

    /// Returns true if the token at this distance from the last one is the `for` of an expression or directive.
    fn is_for(&self, index: usize) -> bool {
        match self.tokens.last_kind(index) {
            TokenKind::Keyword => self.tokens.last_kind(index + 1) == TokenKind::ForDirective,
            kind => kind == TokenKind::For,
        }
    }

    /// Returns true if a word that ends here is the name of a function, because arguments or a namespace follow.
    fn names_function(&self, end: usize) -> bool {
        let next = self.trivia_end(end);
        self.byte(next) == b'(' || self.byte(next) == b':' && self.byte(next + 1) == b':'
    }

    /// Returns true if an `if` belongs to the enclosing *for expression*: an operand has just ended.
    fn is_for_condition(&self) -> bool {
        self.is_in_for() && self.previous().ends_operand()
    }

    /// Returns true if the innermost brackets are those of a *for expression*.
    fn is_in_for(&self) -> bool {
        !self.outer.is_empty() && self.after_opener() == Some(TokenKind::For)
    }

    /// NumericLit = decimal+ ("." decimal+)? (expmark decimal+)?
    fn number(&mut self, start: usize) -> usize {
        let end = self.skip(start + 1, |byte| byte.is_ascii_digit());
        if matches!(self.byte(end), b'.' | b'e' | b'E' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..) || end - start > 300
        {
            return self.unusual_number(start, end);
        }
        self.push(TokenKind::Literal, start, end)
    }

    /// Reads an ellipsis, or a dot with the name, number or star after it: GetAttr, Index or attrSplat.
    fn dot(&mut self, start: usize) -> usize {
        if self.source[start..].starts_with(b"...") {
            return self.push(TokenKind::Ellipsis, start, start + 3);
        }
        let at = self.trivia_end(start + 1);
        match self.byte(at) {
            b'*' => self.push_access(TokenKind::AttrSplat, start, at, at + 1),
            b'0'..=b'9' if self.previous().ends_operand() => {
                let end = self.skip(at, |byte| byte.is_ascii_digit());
                let end = match self.byte(end) {
                    b'.' | b'e' | b'E' => self.legacy_index(at, end),
                    _ if self.strict => self.legacy_index(at, end),
                    _ => end,
                };
                self.push_access(TokenKind::LegacyIndex, start, at, end)
            }
            b'0'..=b'9' if at == start + 1 => self.number_without_integer(start),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.strict_identifier(at);
                let mut end = ascii_identifier_end(self.source, at + 1);
                if self.byte(end) >= 0x80 {
                    end = self.unicode_identifier_end(at);
                }
                self.push_access(TokenKind::GetAttr, start, at, end)
            }
            0x80.. => match self.unicode_identifier_end(at) {
                end if end > at => self.push_access(TokenKind::GetAttr, start, at, end),
                _ => self.push(TokenKind::Dot, start, start + 1),
            },
            _ => self.push(TokenKind::Dot, start, start + 1),
        }
    }

    /// Adds a dot with the name, number or star that starts at `at`.
    #[inline]
    fn push_access(&mut self, kind: TokenKind, start: usize, at: usize, end: usize) -> usize {
        if at == start + 1 {
            return self.push(kind, start, end);
        }
        self.tokens.push_with_gap(kind, start, at, end);
        end
    }
}
