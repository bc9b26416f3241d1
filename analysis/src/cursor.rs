//! The construct around a place in a text, found from the text before the place alone.
//!
//! The tree of a file shows little where the file is broken, and it is broken wherever somebody is typing. So the tokens
//! before the place are read as those of a text that is still being written:
//!
//! ```text
//! locals {                  a block is open: `locals`
//!   a = [for x in var.l :   the attribute `a`; a bracket is open; `x` is a name
//!     f(x, local.           the second argument of `f`; the members of `local` are asked for
//! ```

use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::unfinished::{Open as Unclosed, Unfinished};

use crate::knowledge::Header;

/// The construct around a place.
#[derive(Debug)]
pub struct Cursor {
    /// The place.
    pub offset: usize,
    /// The blocks around it, from the outermost.
    pub blocks: Vec<Header>,
    /// The offset behind the `{` of each of the blocks.
    pub block_starts: Vec<usize>,
    /// The attribute whose value is being written.
    pub attribute: Option<String>,
    /// The keys of objects around it, within the value.
    pub keys: Vec<String>,
    /// The names that `for` defines around it.
    pub names: Vec<String>,
    /// The calls around it, from the outermost.
    pub calls: Vec<CallAt>,
    /// The text that can be written at it.
    pub place: Place,
}

/// A call whose arguments are being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAt {
    /// The name of the function, with its namespaces.
    pub name: String,
    /// The number of the argument, counted from 0.
    pub argument: usize,
}

/// A step of the names and indexes before a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// A name: the variable at the start, or an attribute.
    Name(String),
    /// An index with a number, a key, or anything that is computed.
    Index(Option<String>),
    /// `[*]` or `.*`.
    Splat,
}

/// The text that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nothing that is known: a comment, text of a template, a new name.
    Nothing,
    /// The name of an attribute or the type of a block.
    Item {
        /// The text that is written of it already.
        prefix: Span,
    },
    /// A label of a block.
    Label {
        /// The type of the block, and the labels before this one.
        header: Header,
        /// The text that is written of it already, without the quote.
        prefix: Span,
        /// True if it stands after a quote.
        is_quoted: bool,
    },
    /// An expression, or the start of one.
    Expression {
        /// The text that is written of it already.
        prefix: Span,
    },
    /// An attribute of a value.
    Member {
        /// The names and indexes before the dot.
        chain: Vec<Link>,
        /// The text that is written of it already.
        prefix: Span,
    },
    /// A key in brackets.
    Key {
        /// The names and indexes before the bracket.
        chain: Vec<Link>,
        /// The text that is written of it already, with the quote.
        prefix: Span,
    },
    /// The name of an element of an object.
    ObjectKey {
        /// The text that is written of it already.
        prefix: Span,
        /// True if it stands after a quote.
        is_quoted: bool,
    },
    /// The text of a string without sequences.
    Text {
        /// The text that is written of it already, without the quote.
        prefix: Span,
    },
    /// The word after `%{`.
    Directive {
        /// The text that is written of it already.
        prefix: Span,
    },
}

/// An open construct.
struct Frame {
    kind: FrameKind,
    /// The names that are known in it.
    names: Vec<String>,
    /// The names that are known in it from the next colon on.
    announced: Vec<String>,
    /// The number of names that each open `for` directive has defined.
    groups: Vec<usize>,
}

enum FrameKind {
    Block,
    Value,
    Brace { key: Option<String>, at_key: bool },
    Bracket,
    Paren { call: Option<String>, commas: usize },
    Template,
    Sequence(TokenKind),
}

impl Frame {
    fn new(kind: FrameKind) -> Frame {
        Frame { kind, names: Vec::new(), announced: Vec::new(), groups: Vec::new() }
    }
}

impl Cursor {
    /// Finds the construct around a place in a file in native syntax.
    ///
    /// ```
    /// use hcl_lr_analysis::cursor::{Cursor, Link, Place};
    ///
    /// let text = "locals {\n  a = max(1, var.si";
    /// let cursor = Cursor::at(text, text.len());
    /// assert_eq!(cursor.blocks[0].block_type, "locals");
    /// assert_eq!((cursor.calls[0].name.as_str(), cursor.calls[0].argument), ("max", 1));
    /// let Place::Member { chain, prefix } = cursor.place else { panic!("a member") };
    /// assert_eq!((chain, &text[prefix.range()]), (vec![Link::Name("var".to_owned())], "si"));
    /// ```
    pub fn at(text: &str, offset: usize) -> Cursor {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let text = &text[..offset];
        let unfinished = Unfinished::read(Source::new("", text), true);
        let in_comment = matches!(unfinished.open, Some(Unclosed::Comment));
        let mut tokens = unfinished.tokens();
        tokens.retain(|(kind, span)| *kind != TokenKind::EndOfFile && span.end() <= offset);
        let mut reader = Reader {
            text,
            tokens: &tokens,
            frames: Vec::new(),
            blocks: Vec::new(),
            starts: Vec::new(),
            line: 0,
            attribute: None,
        };
        for at in 0..tokens.len() {
            reader.read(at);
        }
        let place = if in_comment { Place::Nothing } else { reader.place() };
        let mut cursor = Cursor {
            offset,
            blocks: reader.blocks,
            block_starts: reader.starts,
            attribute: reader.attribute,
            keys: Vec::new(),
            names: Vec::new(),
            calls: Vec::new(),
            place,
        };
        for frame in reader.frames {
            cursor.names.extend(frame.names);
            match frame.kind {
                FrameKind::Brace { key, .. } => cursor.keys.extend(key),
                FrameKind::Paren { call: Some(name), commas } => cursor.calls.push(CallAt { name, argument: commas }),
                _ => {}
            }
        }
        cursor
    }
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [(TokenKind, Span)],
    frames: Vec<Frame>,
    blocks: Vec<Header>,
    starts: Vec<usize>,
    /// The first token of the line of a body.
    line: usize,
    attribute: Option<String>,
}

impl Reader<'_> {
    fn kind(&self, at: usize) -> TokenKind {
        self.tokens[at].0
    }

    fn text(&self, at: usize) -> &str {
        self.text.get(self.tokens[at].1.range()).unwrap_or_default()
    }

    /// Returns true if the items of a body are written here.
    fn in_body(&self) -> bool {
        self.frames.last().is_none_or(|frame| matches!(frame.kind, FrameKind::Block))
    }

    fn read(&mut self, at: usize) {
        use TokenKind::*;
        match self.kind(at) {
            Value => {
                self.attribute = Some(self.text(self.line).to_owned());
                self.frames.push(Frame::new(FrameKind::Value));
            }
            Newline => {
                if matches!(self.frames.last(), Some(Frame { kind: FrameKind::Value, .. })) {
                    self.end_value();
                }
                match self.frames.last_mut().map(|frame| &mut frame.kind) {
                    Some(FrameKind::Brace { key, at_key }) => (*key, *at_key) = (None, true),
                    None | Some(FrameKind::Block) => self.line = at + 1,
                    _ => {}
                }
            }
            OpenBlock => {
                let header = self.header(at);
                self.blocks.push(header);
                self.starts.push(self.tokens[at].1.end());
                self.frames.push(Frame::new(FrameKind::Block));
                self.line = at + 1;
            }
            CloseBlock => {
                while let Some(frame) = self.frames.pop() {
                    if matches!(frame.kind, FrameKind::Block) {
                        self.blocks.pop();
                        self.starts.pop();
                        break;
                    }
                }
                self.attribute = None;
                self.line = at + 1;
            }
            OpenBrace => {
                let is_for = self.tokens.get(at + 1).is_some_and(|(kind, _)| *kind == For);
                self.frames.push(Frame::new(FrameKind::Brace { key: None, at_key: !is_for }));
            }
            OpenBracket => self.frames.push(Frame::new(FrameKind::Bracket)),
            OpenParen => {
                let call = self.called(at);
                self.frames.push(Frame::new(FrameKind::Paren { call, commas: 0 }));
            }
            Template => self.frames.push(Frame::new(FrameKind::Template)),
            kind @ (Interpolation | IfDirective | ElseDirective | EndIfDirective | ForDirective | EndForDirective
            | UnknownDirective) => self.frames.push(Frame::new(FrameKind::Sequence(kind))),
            CloseBrace => self.close(|kind| matches!(kind, FrameKind::Brace { .. })),
            CloseBracket => self.close(|kind| matches!(kind, FrameKind::Bracket)),
            CloseParen => self.close(|kind| matches!(kind, FrameKind::Paren { .. })),
            CloseTemplate => self.close(|kind| matches!(kind, FrameKind::Template)),
            CloseSequence => self.close_sequence(),
            For => self.announce(at),
            Keyword if self.text(at) == "for" => self.announce(at),
            Colon => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.names.append(&mut frame.announced);
                }
                self.key_before(at);
            }
            Assign => self.key_before(at),
            Comma => match self.frames.last_mut().map(|frame| &mut frame.kind) {
                Some(FrameKind::Paren { commas, .. }) => *commas += 1,
                Some(FrameKind::Brace { key, at_key }) => (*key, *at_key) = (None, true),
                _ => {}
            },
            _ => {}
        }
    }

    fn end_value(&mut self) {
        self.frames.pop();
        self.attribute = None;
    }

    /// Closes constructs up to one of a kind. A closer without an opener closes nothing.
    fn close(&mut self, is_it: impl Fn(&FrameKind) -> bool) {
        let within =
            self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::Block)).map_or(0, |at| at + 1);
        if let Some(at) = self.frames[within..].iter().rposition(|frame| is_it(&frame.kind)) {
            self.frames.truncate(within + at);
        }
    }

    fn close_sequence(&mut self) {
        let Some(at) = self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::Sequence(_))) else {
            return;
        };
        self.frames.truncate(at + 1);
        let Some(sequence) = self.frames.pop() else { return };
        let Some(template) = self.frames.last_mut() else { return };
        match sequence.kind {
            FrameKind::Sequence(TokenKind::ForDirective) => {
                template.groups.push(sequence.announced.len());
                template.names.extend(sequence.announced);
            }
            FrameKind::Sequence(TokenKind::EndForDirective) => {
                let count = template.groups.pop().unwrap_or_default();
                template.names.truncate(template.names.len().saturating_sub(count));
            }
            _ => {}
        }
    }

    /// Reads the names after a `for`.
    fn announce(&mut self, at: usize) {
        let rest = &self.tokens[at + 1..];
        let names = rest.iter().take_while(|(kind, _)| matches!(kind, TokenKind::Identifier | TokenKind::Comma));
        let names = names.filter(|(kind, _)| *kind == TokenKind::Identifier);
        let names: Vec<String> = names.map(|(_, span)| self.text[span.range()].to_owned()).collect();
        if let Some(frame) = self.frames.last_mut() {
            frame.announced = names;
        }
    }

    /// Reads the key of an element of an object before its `=` or `:`.
    fn key_before(&mut self, at: usize) {
        let text = at.checked_sub(1).map(|at| self.text(at).trim_matches('"').to_owned());
        if let Some(FrameKind::Brace { key, at_key: at_key @ true }) =
            self.frames.last_mut().map(|frame| &mut frame.kind)
        {
            (*key, *at_key) = (text, false);
        }
    }

    /// Returns the function that the parenthesis at a token calls.
    fn called(&self, at: usize) -> Option<String> {
        let mut first = at;
        let mut wants_name = true;
        while let Some(before) = first.checked_sub(1) {
            let kind = self.kind(before);
            let adjacent = self.tokens[before].1.end() == self.tokens[first].1.start();
            let fits = if wants_name { kind == TokenKind::Identifier } else { kind == TokenKind::DoubleColon };
            if !fits || !adjacent {
                break;
            }
            first = before;
            wants_name = !wants_name;
        }
        if first < at && self.kind(first) == TokenKind::DoubleColon {
            first += 1;
        }
        let start = self.tokens[first].1.start();
        (first < at).then(|| self.text[start..self.tokens[at].1.start()].to_owned())
    }

    /// The header that the line up to a token is.
    fn header(&self, end: usize) -> Header {
        let mut words = (self.line..end)
            .filter(|&at| matches!(self.kind(at), TokenKind::Identifier | TokenKind::String | TokenKind::Literal));
        let block_type = words.next().map(|at| self.text(at).to_owned()).unwrap_or_default();
        Header { block_type, labels: words.map(|at| label_text(self.text(at))).collect() }
    }

    fn place(&self) -> Place {
        use TokenKind::*;
        let end = self.text.len();
        let here = Span::new(end as u32, end as u32);
        let Some(last) = self.tokens.len().checked_sub(1) else {
            return if self.text.trim().is_empty() { Place::Item { prefix: here } } else { Place::Nothing };
        };
        let (kind, span) = self.tokens[last];
        let gap = self.text.get(span.end()..).unwrap_or_default();
        if gap.contains(['#', '/']) {
            return Place::Nothing;
        }
        if self.in_body() {
            return self.in_line(last, gap, here);
        }
        let adjacent = gap.is_empty();
        let at_key = matches!(self.frames.last(), Some(Frame { kind: FrameKind::Brace { at_key: true, .. }, .. }));
        match kind {
            GetAttr if adjacent => match self.chain(last) {
                Some(chain) => Place::Member { chain, prefix: span },
                None => Place::Nothing,
            },
            Dot if !gap.contains('\n') => match self.chain(last) {
                Some(chain) => Place::Member { chain, prefix: here },
                None => Place::Nothing,
            },
            Keyword if adjacent => Place::Directive { prefix: span },
            Keyword => match self.text(last) {
                "if" => Place::Expression { prefix: here },
                _ => Place::Nothing,
            },
            IfDirective | ElseDirective | EndIfDirective | ForDirective | EndForDirective | UnknownDirective => {
                Place::Directive { prefix: here }
            }
            Literal if self.text(last).starts_with('"') => {
                if !is_open(self.text(last)) || !adjacent {
                    return Place::Nothing;
                }
                let prefix = Span::new(span.start() as u32 + 1, end as u32);
                if at_key {
                    return Place::ObjectKey { prefix, is_quoted: true };
                }
                match last
                    .checked_sub(1)
                    .filter(|&before| self.kind(before) == OpenBracket)
                    .and_then(|open| self.chain(open))
                {
                    Some(chain) => Place::Key { chain, prefix: span },
                    None => Place::Text { prefix },
                }
            }
            Identifier | Literal | For | In | If | DoubleColon if adjacent => {
                let prefix = Span::new(self.name_start(last) as u32, end as u32);
                let is_name = self.text[prefix.range()].starts_with(|char: char| char.is_alphabetic() || char == '_');
                let before = last.checked_sub(1).map(|at| self.kind(at));
                let new_name = matches!(before, Some(For))
                    || matches!(before, Some(Keyword)) && self.text(last - 1) == "for"
                    || matches!(before, Some(Comma)) && self.is_second_name(last - 1);
                match is_name && !new_name {
                    true if at_key => Place::ObjectKey { prefix, is_quoted: false },
                    true => Place::Expression { prefix },
                    false => Place::Nothing,
                }
            }
            TemplateLiteral | Template | Illegal | String => Place::Nothing,
            For => Place::Nothing,
            _ if kind.ends_operand() || matches!(kind, CloseSequence | CloseBlock | Dot) => Place::Nothing,
            Comma if self.is_second_name(last) => Place::Nothing,
            OpenBracket => match self.chain(last) {
                Some(chain) if adjacent => Place::Key { chain, prefix: here },
                _ => Place::Expression { prefix: here },
            },
            _ if at_key => Place::ObjectKey { prefix: here, is_quoted: false },
            _ => Place::Expression { prefix: here },
        }
    }

    /// Returns true if a comma is the one between the two names of a `for`.
    fn is_second_name(&self, comma: usize) -> bool {
        let Some(before) = comma.checked_sub(2) else { return false };
        self.kind(before) == TokenKind::For || self.kind(before) == TokenKind::Keyword && self.text(before) == "for"
    }

    /// The place in a line of a body before its `=` or `{`.
    fn in_line(&self, last: usize, gap: &str, here: Span) -> Place {
        use TokenKind::*;
        let (kind, span) = self.tokens[last];
        if last < self.line || matches!(kind, Newline) {
            // After a block that ends, the next item begins in another line.
            let after_block = kind == CloseBlock && !gap.contains('\n');
            return if after_block { Place::Nothing } else { Place::Item { prefix: here } };
        }
        let first = self.kind(self.line) == Identifier;
        if !first || gap.contains('\n') {
            return Place::Nothing;
        }
        let end = here.end() as u32;
        match kind {
            Identifier if last == self.line && gap.is_empty() => Place::Item { prefix: span },
            Identifier if gap.is_empty() => Place::Label { header: self.header(last), prefix: span, is_quoted: false },
            String if gap.is_empty() && is_open(self.text(last)) => {
                let prefix = Span::new(span.start() as u32 + 1, end);
                Place::Label { header: self.header(last), prefix, is_quoted: true }
            }
            Identifier | String if !gap.is_empty() => {
                Place::Label { header: self.header(last + 1), prefix: here, is_quoted: false }
            }
            _ => Place::Nothing,
        }
    }

    /// Returns the start of the name that ends the text, with its namespaces.
    fn name_start(&self, last: usize) -> usize {
        let mut start = self.tokens[last].1.end();
        let mut wants_name = self.kind(last) != TokenKind::DoubleColon;
        for at in (0..=last).rev() {
            let kind = self.kind(at);
            let fits = wants_name != (kind == TokenKind::DoubleColon);
            let is_part = matches!(
                kind,
                TokenKind::Identifier
                    | TokenKind::Literal
                    | TokenKind::For
                    | TokenKind::In
                    | TokenKind::If
                    | TokenKind::DoubleColon
            );
            if !fits || !is_part || self.tokens[at].1.end() != start {
                break;
            }
            start = self.tokens[at].1.start();
            wants_name = !wants_name;
        }
        start
    }

    /// Returns the names and indexes that end before a token; `None` if they begin with something else than a name.
    fn chain(&self, before: usize) -> Option<Vec<Link>> {
        use TokenKind::*;
        let mut links = Vec::new();
        let mut at = before.checked_sub(1)?;
        loop {
            match self.kind(at) {
                Identifier => {
                    links.push(Link::Name(self.text(at).to_owned()));
                    links.reverse();
                    return Some(links);
                }
                GetAttr => links.push(Link::Name(self.text(at).to_owned())),
                LegacyIndex => links.push(Link::Index(Some(self.text(at).trim_start_matches('.').to_owned()))),
                AttrSplat | FullSplat => links.push(Link::Splat),
                CloseBracket => {
                    let mut depth = 0_usize;
                    let close = at;
                    loop {
                        match self.kind(at) {
                            CloseBracket => depth += 1,
                            OpenBracket => depth -= 1,
                            _ => {}
                        }
                        if depth == 0 {
                            break;
                        }
                        at = at.checked_sub(1)?;
                    }
                    let constant = close - at == 2 && self.kind(at + 1) == Literal;
                    links.push(Link::Index(constant.then(|| self.text(at + 1).trim_matches('"').to_owned())));
                }
                _ => return None,
            }
            at = at.checked_sub(1)?;
        }
    }
}

/// Returns true if a string that begins with a quote has no end.
fn is_open(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('"') else { return false };
    let Some(inner) = inner.strip_suffix('"') else { return true };
    inner.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// The text of a label.
fn label_text(written: &str) -> String {
    let inner = written.strip_prefix('"').unwrap_or(written);
    inner.strip_suffix('"').unwrap_or(inner).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let cursor = Cursor::at(text, text.len());
        let at = |span: &Span| text[span.range()].to_owned();
        let links = |chain: &[Link]| {
            let one = |link: &Link| match link {
                Link::Name(name) => name.clone(),
                Link::Index(index) => format!("[{}]", index.as_deref().unwrap_or("?")),
                Link::Splat => "[*]".to_owned(),
            };
            chain.iter().map(one).collect::<Vec<_>>().join(".")
        };
        match &cursor.place {
            Place::Nothing => "nothing".to_owned(),
            Place::Item { prefix } => format!("item {}", at(prefix)),
            Place::Label { header, prefix, .. } => {
                format!("label {} {:?} {}", header.block_type, header.labels, at(prefix))
            }
            Place::Expression { prefix } => format!("expression {}", at(prefix)),
            Place::Member { chain, prefix } => format!("member {} {}", links(chain), at(prefix)),
            Place::Key { chain, prefix } => format!("key {} {}", links(chain), at(prefix)),
            Place::ObjectKey { prefix, .. } => format!("object key {}", at(prefix)),
            Place::Text { prefix } => format!("text {}", at(prefix)),
            Place::Directive { prefix } => format!("directive {}", at(prefix)),
        }
    }

    #[test]
    fn places_are_told_by_the_text_before_them() {
        for (text, expected) in [
            ("", "item "),
            ("res", "item res"),
            ("x {\n  lif", "item lif"),
            ("x {\n  a = 1\n  ", "item "),
            ("x {}\n", "item "),
            ("x {} ", "nothing"),
            ("resource ", "label resource [] "),
            ("resource \"aws_", "label resource [] aws_"),
            ("resource \"a\" \"b", "label resource [\"a\"] b"),
            ("a = ", "expression "),
            ("a = va", "expression va"),
            ("a = var.", "member var "),
            ("a = var.x[0].y", "member var.x.[0] y"),
            ("a = var.x[local.i].", "member var.x.[?] "),
            ("a = var.x[*].y", "member var.x.[*] y"),
            ("a = f(x).y", "nothing"),
            ("a = var.x[\"k", "key var.x \"k"),
            ("a = \"x", "text x"),
            ("a = \"x\" ", "nothing"),
            ("a = \"x ${va", "expression va"),
            ("a = \"x ${b} va", "nothing"),
            ("a = \"%{ i", "directive i"),
            ("a = \"%{ if ", "expression "),
            ("a = {\n  b", "object key b"),
            ("a = {\n  b = ", "expression "),
            ("a = { b = 1, ", "object key "),
            ("a = [for x", "nothing"),
            ("a = [for x, y", "nothing"),
            ("a = [for x in ", "expression "),
            ("# va", "nothing"),
            ("a = 1 # va", "nothing"),
            ("/* va", "nothing"),
            ("a = <<E\nva", "nothing"),
            ("a = <<E\n${va", "expression va"),
            ("a = provider::x::f", "expression provider::x::f"),
            ("x {\n  a = [\n    b,\n    ", "expression "),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_calls_and_keys_are_known() {
        let text = "x \"l\" {\n  y {\n    a = { k = f(1, [for v, w in z : g(";
        let cursor = Cursor::at(text, text.len());
        let types: Vec<&str> = cursor.blocks.iter().map(|block| &*block.block_type).collect();
        assert_eq!((types, &*cursor.blocks[0].labels[0]), (vec!["x", "y"], "l"));
        assert_eq!((cursor.attribute.as_deref(), cursor.keys), (Some("a"), vec!["k".to_owned()]));
        assert_eq!(cursor.names, ["v", "w"]);
        let calls: Vec<(&str, usize)> = cursor.calls.iter().map(|call| (&*call.name, call.argument)).collect();
        assert_eq!(calls, [("f", 1), ("g", 0)]);
        let text = "a = \"%{ for i in l }%{ for j in k }${j}%{ endfor }${";
        assert_eq!(Cursor::at(text, text.len()).names, ["i"]);
    }
}
