//! From text to pieces, the coarsest units that formatting needs.
//!
//! The token buffer of the parser is not suitable. It has classified newlines and braces, joined strings, and repaired
//! broken text. Formatting must keep every newline, treat unfinished text like finished text, and only needs to know
//! where brackets and templates begin and end. So it reads the raw tokens of "Lexical Analysis" in the lexer
//! specification. Every byte is in one piece, or is a blank between two.
#![allow(missing_docs, reason = "public for the packages of this workspace only")]

use memchr::{memchr, memchr3, memmem};

use crate::identifier::{is_id_start, is_identifier_part};
use crate::syntax::operator::{BinaryOperator, UnaryOperator};
use crate::syntax::scan::{ascii_identifier_end, quoted_text_end};

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    EndOfFile,
    Newline,
    /// `#` or `//` and the rest of the line, without its newline.
    LineComment,
    /// `/* */`
    BlockComment,
    Word,
    Number,
    /// A quoted template, up to its first sequence if there is one.
    Quoted,
    /// The text of a quoted template after a sequence.
    QuotedText,
    /// A backslash at the end of a line, within quotes.
    LooseBackslash,
    /// The first line of a heredoc, with its newline, and its text up to the first sequence.
    Heredoc,
    /// The text of a heredoc after a sequence.
    HeredocText,
    /// `${`, `%{`, with or without `~`.
    OpenSequence,
    /// `}` or `~}`.
    CloseSequence,
    OpenParen,
    OpenBracket,
    OpenBrace,
    CloseParen,
    CloseBracket,
    CloseBrace,
    Comma,
    Dot,
    Ellipsis,
    DoubleColon,
    Equals,
    Minus,
    Not,
    /// An operator after its operand.
    Postfix,
    /// A binary operator other than a minus, or `?` or `:`. A minus after it is the sign of a number.
    Operator,
    /// `=>`, and any text that is not a token of the language.
    Other,
}

impl Kind {
    /// Returns the change of the number of open brackets.
    #[inline]
    pub fn bracket_change(self) -> i32 {
        use Kind::*;
        match self {
            OpenSequence | OpenParen | OpenBracket | OpenBrace => 1,
            CloseSequence | CloseParen | CloseBracket | CloseBrace => -1,
            EndOfFile | Newline | LineComment | BlockComment | Word | Number | Quoted | QuotedText | LooseBackslash
            | Heredoc | HeredocText | Comma | Dot | Ellipsis | DoubleColon | Equals | Minus | Not | Postfix
            | Operator | Other => 0,
        }
    }
}

/// A piece of a text, and the number of blanks before it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub kind: Kind,
    /// True if its line stays as it is.
    pub kept: bool,
    pub start: u32,
    pub end: u32,
    pub blanks: u32,
}

impl Piece {
    /// Its text, without the blanks.
    pub fn text(self, source: &[u8]) -> &[u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// The construct that the next bytes belong to.
#[derive(Clone, Copy)]
enum Mode {
    Quoted,
    /// A heredoc, with the place of its marker.
    Heredoc(u32, u32),
    /// A sequence, with the number of open braces in it.
    Sequence(u32),
}

/// The pieces of a text, the last of which is the end of the file. A byte order mark is not part of any.
#[derive(Debug)]
pub struct Pieces {
    pub list: Vec<Piece>,
    /// True if all quotes, heredocs, sequences and comments have an end.
    pub closed: bool,
}

/// Reads a text.
pub fn pieces(source: &[u8]) -> Pieces {
    let mut reader = Reader {
        source,
        // Real files have a piece about every five bytes.
        pieces: Vec::with_capacity(source.len() / 5 + 16),
        modes: Vec::new(),
        end: 0,
        comments_close: true,
    };
    let mut at = if source.starts_with(MARK) { MARK.len() } else { 0 };
    while at < source.len() {
        at = match source[at] {
            b' ' | b'\t' => at + 1,
            byte => reader.piece(at, byte),
        };
    }
    reader.push(Kind::EndOfFile, at, at);
    Pieces { list: reader.pieces, closed: reader.modes.is_empty() && reader.comments_close }
}

/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a text a group of lines at a time, so that the pieces of a large text are never there at once. A group ends
/// with a blank line, or with the text. Cells of lines in different groups are not adjacent.
pub(super) struct Groups<'s> {
    reader: Reader<'s>,
    at: usize,
    ended: bool,
}

impl<'s> Groups<'s> {
    /// Begins at the start of a line that is in no construct. A byte order mark does not count as blanks.
    pub fn from(source: &'s [u8], start: usize) -> Self {
        let at = if start == 0 && source.starts_with(MARK) { MARK.len() } else { start };
        let reader = Reader { source, pieces: Vec::new(), modes: Vec::new(), end: at, comments_close: true };
        Groups { reader, at, ended: false }
    }

    /// Returns the next group. The last one ends with the end of the file.
    pub fn next(&mut self) -> Option<&[Piece]> {
        if self.ended {
            return None;
        }
        self.reader.pieces.clear();
        while let Some(&byte) = self.reader.source.get(self.at) {
            if matches!(byte, b' ' | b'\t') {
                self.at += 1;
                continue;
            }
            self.at = self.reader.piece(self.at, byte);
            if matches!(byte, b'\n' | b'\r') && self.reader.ends_with_blank_line() {
                return Some(&self.reader.pieces);
            }
        }
        self.ended = true;
        self.reader.push(Kind::EndOfFile, self.at, self.at);
        Some(&self.reader.pieces)
    }

    /// Returns the place after the last group.
    pub fn end(&self) -> usize {
        self.at
    }

    /// Returns true if more lines follow, and that place is in no quote, heredoc or sequence.
    pub fn go_on_outside(&self) -> bool {
        !self.ended && self.reader.modes.is_empty()
    }

    /// Returns true if no comment so far lacks its end.
    pub fn comments_close(&self) -> bool {
        self.reader.comments_close
    }
}

/// Returns a text with uniform line ends, except in heredocs, where they are part of values.
pub fn with_line_ends(text: &str, end: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let convert = |out: &mut String, part: &str| {
        for (index, line) in part.split('\n').enumerate() {
            if index > 0 {
                out.truncate(out.strip_suffix('\r').map_or(out.len(), str::len));
                out.push_str(end);
            }
            out.push_str(line);
        }
    };
    let mut done = 0;
    for piece in pieces(text.as_bytes()).list {
        let (start, piece_end) = (piece.start as usize, piece.end as usize);
        let value = match piece.kind {
            // The first line of a heredoc is not part of its value.
            Kind::Heredoc => text[start..piece_end].find('\n').map_or(piece_end, |at| start + at + 1),
            Kind::HeredocText => start,
            _ => continue,
        };
        convert(&mut out, &text[done..value]);
        out.push_str(&text[value..piece_end]);
        done = piece_end;
    }
    convert(&mut out, &text[done..]);
    out
}

/// True if the table has operators that need a look before anything else.
const HAS_OTHER_OPERATORS: bool = BinaryOperator::HAS_WORDS
    || BinaryOperator::HAS_OTHERWISE_BEGUN
    || UnaryOperator::HAS_OTHER_SIGNS
    || UnaryOperator::HAS_AFTER;

struct Reader<'s> {
    source: &'s [u8],
    pieces: Vec<Piece>,
    modes: Vec<Mode>,
    /// The end of the last piece.
    end: usize,
    /// True if there may be a `*/` ahead.
    comments_close: bool,
}

/// Each function takes the start of a piece, and returns the earliest start of the next one.
impl Reader<'_> {
    fn push(&mut self, kind: Kind, start: usize, end: usize) -> usize {
        let blanks = (start - self.end) as u32;
        self.pieces.push(Piece { kind, kept: false, start: start as u32, end: end as u32, blanks });
        self.end = end;
        end
    }

    fn ends_with_blank_line(&self) -> bool {
        matches!(
            self.pieces[..],
            [Piece { kind: Kind::Newline, .. }]
                | [.., Piece { kind: Kind::Newline, .. }, Piece { kind: Kind::Newline, .. }]
        )
    }

    /// After the end a zero, which is legal nowhere.
    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn piece(&mut self, at: usize, byte: u8) -> usize {
        use Kind::*;
        let next = self.byte(at + 1);
        if HAS_OTHER_OPERATORS && let Some((kind, length)) = self.other_operator(at) {
            return self.push(kind, at, at + length);
        }
        let (kind, length) = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => return self.word(at),
            b'\n' => (Newline, 1),
            b'\r' if next == b'\n' => (Newline, 2),
            b'"' => {
                self.modes.push(Mode::Quoted);
                return self.quoted(Quoted, at, at + 1);
            }
            b'0'..=b'9' => return self.number(at),
            b'.' if next == b'.' && self.byte(at + 2) == b'.' => (Ellipsis, 3),
            b'.' => (Dot, 1),
            b',' => (Comma, 1),
            b'(' => (OpenParen, 1),
            b')' => (CloseParen, 1),
            b'[' => (OpenBracket, 1),
            b']' => (CloseBracket, 1),
            b'{' => {
                if let Some(Mode::Sequence(braces)) = self.modes.last_mut() {
                    *braces += 1;
                }
                (OpenBrace, 1)
            }
            b'}' => return self.close_brace(at, CloseBrace, at + 1),
            b'~' if next == b'}' => return self.close_brace(at, CloseSequence, at + 2),
            b'#' => return self.line_comment(at),
            b'/' if next == b'/' => return self.line_comment(at),
            b'/' if next == b'*' => return self.block_comment(at),
            b'-' => (Minus, 1),
            b'<' if next == b'<' => return self.heredoc(at),
            b':' if next == b':' => (DoubleColon, 2),
            _ => match (BinaryOperator::beginning(&self.source[at..]), byte) {
                (Some(operator), _) => (Operator, operator.as_str().len()),
                (None, b'?' | b':') => (Operator, 1),
                (None, b'=') if next == b'>' => (Other, 2),
                (None, b'=') => (Equals, 1),
                (None, b'!') => (Not, 1),
                (None, _) => (Other, 1),
            },
        };
        self.push(kind, at, at + length)
    }

    /// Returns the kind and length of an operator that begins otherwise, is a word, or is before or after its operand.
    #[inline(never)]
    fn other_operator(&self, at: usize) -> Option<(Kind, usize)> {
        use Kind::*;
        let text = &self.source[at..];
        let ends_operand = self.pieces.last().is_some_and(|piece| {
            matches!(piece.kind, Word | Number | Quoted | QuotedText | CloseParen | CloseBracket | CloseBrace | Postfix)
        });
        if !ends_operand {
            // A word before its operand is set like any other word.
            let sign = UnaryOperator::beginning(text, false).filter(|operator| *operator != UnaryOperator::Negate);
            return sign.filter(|_| !text[0].is_ascii_alphabetic()).map(|operator| (Not, operator.as_str().len()));
        }
        let after = UnaryOperator::beginning(text, true).map(|operator| (Postfix, operator.as_str().len()));
        let binary = BinaryOperator::word_beginning(text)
            .or_else(|| BinaryOperator::otherwise_beginning(text))
            .map(|operator| (Operator, operator.as_str().len()));
        let usual = BinaryOperator::beginning(text).map_or(0, |operator| operator.as_str().len());
        after.into_iter().chain(binary).filter(|(_, length)| *length > usual).max_by_key(|(_, length)| *length)
    }

    fn word(&mut self, start: usize) -> usize {
        let mut end = ascii_identifier_end(self.source, start);
        if self.byte(end) >= 0x80 {
            while let Some(c) = self.character(end) {
                let allowed = if end == start { is_id_start(c) } else { is_identifier_part(c) };
                if !allowed {
                    break;
                }
                end += c.len_utf8();
            }
        }
        if end > start {
            return self.push(Kind::Word, start, end);
        }
        let length = self.character(start).map_or(1, char::len_utf8);
        self.push(Kind::Other, start, start + length)
    }

    /// Returns the character at a position, if it is valid UTF-8.
    fn character(&self, at: usize) -> Option<char> {
        let rest = &self.source[at..];
        match *rest.first()? {
            byte @ ..0x80 => Some(byte.into()),
            _ => rest[..rest.len().min(4)].utf8_chunks().next()?.valid().chars().next(),
        }
    }

    /// Reads digits, and all points and exponents that are followed by digits, even if they are not a number.
    fn number(&mut self, start: usize) -> usize {
        let (mut end, mut at) = (start, start);
        loop {
            at = match self.byte(at) {
                b'0'..=b'9' => {
                    end = at + 1;
                    end
                }
                b'.' => at + 1,
                b'e' | b'E' => {
                    let digits = at + 1 + usize::from(matches!(self.byte(at + 1), b'+' | b'-'));
                    if !self.byte(digits).is_ascii_digit() {
                        break;
                    }
                    digits
                }
                _ => break,
            };
        }
        self.push(Kind::Number, start, end)
    }

    fn line_comment(&mut self, start: usize) -> usize {
        let rest = &self.source[start..];
        let end = start + memchr(b'\n', rest).unwrap_or(rest.len());
        self.push(Kind::LineComment, start, end)
    }

    fn block_comment(&mut self, start: usize) -> usize {
        if self.comments_close
            && let Some(length) = memmem::find(&self.source[start + 2..], b"*/")
        {
            return self.push(Kind::BlockComment, start, start + length + 4);
        }
        self.comments_close = false;
        self.push(Kind::Operator, start, start + 1)
    }

    fn close_brace(&mut self, start: usize, kind: Kind, end: usize) -> usize {
        match self.modes.last_mut() {
            Some(Mode::Sequence(0)) => {
                self.modes.pop();
                self.push(Kind::CloseSequence, start, end);
                match self.modes.last() {
                    Some(Mode::Quoted) => self.quoted(Kind::QuotedText, end, end),
                    Some(&Mode::Heredoc(marker, marker_end)) => {
                        self.heredoc_text(Kind::HeredocText, end, end, marker as usize..marker_end as usize)
                    }
                    _ => end,
                }
            }
            Some(Mode::Sequence(braces)) => {
                *braces -= 1;
                self.push(kind, start, end)
            }
            _ => self.push(kind, start, end),
        }
    }

    /// Reads a quoted template, or the rest of one after a sequence, with the sequence that follows.
    fn quoted(&mut self, mut kind: Kind, mut start: usize, mut at: usize) -> usize {
        loop {
            at = quoted_text_end(self.source, at);
            match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
                (b'\\', b'\n' | b'\r', _) => {
                    if at > start {
                        self.push(kind, start, at);
                    }
                    at = self.push(Kind::LooseBackslash, at, at + 1);
                    (kind, start) = (Kind::QuotedText, at);
                }
                (b'\\', ..) => at += 2,
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => at += 3,
                (b'$' | b'%', b'{', _) => return self.sequence(kind, start, at),
                (b'"', ..) => {
                    self.modes.pop();
                    return self.push(kind, start, at + 1);
                }
                _ if at < self.source.len() => at += 1,
                _ => return if at > start { self.push(kind, start, at) } else { at },
            }
        }
    }

    /// Reads the text of a template, if there is any, and the sequence after it.
    fn sequence(&mut self, kind: Kind, start: usize, at: usize) -> usize {
        if at > start {
            self.push(kind, start, at);
        }
        self.modes.push(Mode::Sequence(0));
        let end = at + 2 + usize::from(self.byte(at + 2) == b'~');
        self.push(Kind::OpenSequence, at, end)
    }

    /// Reads a heredoc up to its first sequence, or an operator.
    fn heredoc(&mut self, start: usize) -> usize {
        let marker = start + 2 + usize::from(self.byte(start + 2) == b'-');
        let mut end = marker;
        while let Some(c) = self.character(end) {
            let allowed = if end == marker { c == '_' || is_id_start(c) } else { is_identifier_part(c) };
            if !allowed {
                break;
            }
            end += c.len_utf8();
        }
        let text = match (self.byte(end), self.byte(end + 1)) {
            (b'\n', _) if end > marker => end + 1,
            (b'\r', b'\n') if end > marker => end + 2,
            _ => return self.push(Kind::Operator, start, start + 1),
        };
        self.modes.push(Mode::Heredoc(marker as u32, end as u32));
        self.heredoc_text(Kind::Heredoc, start, text, marker..end)
    }

    /// The text of a heredoc up to the next sequence, which follows, or with the line that closes it.
    fn heredoc_text(&mut self, kind: Kind, start: usize, mut at: usize, marker: std::ops::Range<usize>) -> usize {
        loop {
            if self.source[at - 1] == b'\n' {
                let line_end = memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |length| at + length);
                let newline = line_end < self.source.len() && self.source[line_end - 1] == b'\r';
                let line = &self.source[at..line_end - usize::from(newline)];
                if trimmed(line) == &self.source[marker.clone()] && !line.contains(&b'\r') {
                    self.modes.pop();
                    return self.push(kind, start, at + line.len());
                }
            }
            let rest = &self.source[at..];
            let length = memchr3(b'\n', b'$', b'%', rest).unwrap_or(rest.len());
            // The text after a lone carriage return is not in the language.
            if let Some(offset) = memchr(b'\r', &rest[..length])
                && rest.get(offset + 1) != Some(&b'\n')
            {
                return self.push(kind, start, self.source.len());
            }
            at += length;
            match (self.byte(at), self.byte(at + 1), self.byte(at + 2)) {
                (b'$', b'$', b'{') | (b'%', b'%', b'{') => at += 3,
                (b'$' | b'%', b'{', _) => return self.sequence(kind, start, at),
                _ if at < self.source.len() => at += 1,
                _ => return if at > start { self.push(kind, start, at) } else { at },
            }
        }
    }
}

/// A line without the white space around it.
fn trimmed(line: &[u8]) -> &[u8] {
    let trimmed = line.trim_ascii();
    if trimmed.is_ascii() { trimmed } else { std::str::from_utf8(line).map_or(trimmed, |line| line.trim().as_bytes()) }
}
