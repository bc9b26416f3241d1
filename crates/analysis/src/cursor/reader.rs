//! Reads the tokens before a place as those of an unfinished text.

use std::borrow::Cow;

use hcl_lr::source::Span;
use hcl_lr::syntax::TokenKind;

use super::{CallAt, Cursor, ForCollection, Link, Place, Step};
use crate::knowledge::Header;

/// An open construct.
struct Frame {
    kind: FrameKind,
    /// The names defined in it.
    names: Vec<String>,
    /// The names defined in it from the next colon on.
    announced: Vec<String>,
    /// The number of names that each open `for` directive has defined.
    groups: Vec<usize>,
    /// The collections of the names.
    collections: Vec<ForCollection>,
    /// The start of the collection of the announced names.
    collection_start: usize,
    /// The part of a `for` that is being written.
    for_part: Option<ForPart>,
    /// True after an operator: the place is one of its operands.
    is_operand: bool,
    /// The number of conditions whose second result is still to come.
    conditions: usize,
}

/// A part of a `for`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ForPart {
    Head,
    /// The value of each element, or its key in an object.
    Result,
    /// The value of each element of an object.
    Value,
    Condition,
}

enum FrameKind {
    Block,
    Value,
    Brace { key: Option<String>, at_key: bool },
    Bracket { is_index: bool, commas: usize },
    Paren { call: Option<String>, commas: usize },
    Template,
    Sequence(TokenKind),
}

impl Frame {
    fn new(kind: FrameKind) -> Frame {
        Frame {
            kind,
            names: Vec::new(),
            announced: Vec::new(),
            groups: Vec::new(),
            collections: Vec::new(),
            collection_start: 0,
            for_part: None,
            is_operand: false,
            conditions: 0,
        }
    }

    /// Forgets the operators and conditions of the expression that has ended.
    fn begin_expression(&mut self) {
        (self.is_operand, self.conditions) = (false, 0);
    }

    /// Returns the step that the construct takes into the value around it. `None` if it takes no step.
    fn step(&self) -> Option<Step> {
        let each = |is_object| Some(Step::EachValue { is_object });
        match (&self.kind, self.for_part) {
            (FrameKind::Bracket { .. }, Some(ForPart::Result)) => each(false),
            (FrameKind::Brace { .. }, Some(ForPart::Value)) => each(true),
            (_, Some(_)) => Some(Step::Other),
            (FrameKind::Bracket { is_index: false, commas }, None) => Some(Step::Element(*commas)),
            (FrameKind::Brace { at_key: false, key }, None) => Some(Step::Key(key.clone())),
            (FrameKind::Paren { call: Some(name), commas }, None) => {
                Some(Step::Argument(CallAt { name: name.clone(), argument: *commas }))
            }
            (FrameKind::Template, None) => Some(Step::Template),
            (FrameKind::Sequence(TokenKind::Interpolation), None) => Some(Step::Interpolation),
            (FrameKind::Bracket { is_index: true, .. } | FrameKind::Sequence(_), None) => Some(Step::Other),
            (FrameKind::Block | FrameKind::Value | FrameKind::Brace { at_key: true, .. }, None)
            | (FrameKind::Paren { call: None, .. }, None) => None,
        }
    }
}

/// Returns the construct at the end of a text, by its tokens.
pub fn cursor(text: &str, tokens: &[(TokenKind, Span)], in_comment: bool) -> Cursor {
    let mut reader =
        Reader { text, tokens, frames: Vec::new(), blocks: Vec::new(), starts: Vec::new(), line: 0, attribute: None };
    for at in 0..tokens.len() {
        reader.read(at);
    }
    let place = if in_comment { Place::Nothing } else { reader.place() };
    let mut cursor = Cursor {
        offset: text.len(),
        blocks: reader.blocks,
        block_starts: reader.starts,
        attribute: reader.attribute,
        keys: Vec::new(),
        names: Vec::new(),
        collections: Vec::new(),
        calls: Vec::new(),
        steps: Some(Vec::new()),
        place,
    };
    let innermost = reader.frames.len().saturating_sub(1);
    for (at, frame) in reader.frames.into_iter().enumerate() {
        // An expression in the key of an object has a type of its own.
        if at < innermost
            && matches!(frame.kind, FrameKind::Brace { at_key: true, .. })
            && let Some(steps) = &mut cursor.steps
        {
            steps.push(Step::Other);
        }
        match &mut cursor.steps {
            Some(_) if frame.is_operand => cursor.steps = None,
            Some(steps) => steps.extend(frame.step()),
            None => {}
        }
        cursor.names.extend(frame.names);
        cursor.collections.extend(frame.collections);
        match frame.kind {
            FrameKind::Brace { key, .. } => cursor.keys.extend(key),
            FrameKind::Paren { call: Some(name), commas } => cursor.calls.push(CallAt { name, argument: commas }),
            _ => {}
        }
    }
    cursor
}

/// Returns the collection of a `for` with these names.
fn collection(names: &[String], start: usize, end: usize) -> Option<ForCollection> {
    let is_there = !names.is_empty() && 0 < start && start <= end;
    is_there.then(|| ForCollection { names: names.to_vec(), span: Span::new(start, end) })
}

/// Reads the tokens before a place.
struct Reader<'t> {
    text: &'t str,
    tokens: &'t [(TokenKind, Span)],
    frames: Vec<Frame>,
    blocks: Vec<Header>,
    starts: Vec<usize>,
    /// The first token of the current line of a body.
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

    /// Returns true if the innermost construct is a body.
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
                self.begin_expression();
                self.next_element();
                if matches!(self.frames.last().map(|frame| &frame.kind), None | Some(FrameKind::Block)) {
                    self.line = at + 1;
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
            OpenBracket => {
                let is_index = at.checked_sub(1).is_some_and(|before| self.kind(before).ends_operand());
                self.frames.push(Frame::new(FrameKind::Bracket { is_index, commas: 0 }));
            }
            OpenParen => {
                let call = self.called(at);
                self.frames.push(Frame::new(FrameKind::Paren { call, commas: 0 }));
            }
            Template => self.frames.push(Frame::new(FrameKind::Template)),
            kind @ (Interpolation | IfDirective | ElseDirective | EndIfDirective | ForDirective | EndForDirective
            | UnknownDirective) => self.frames.push(Frame::new(FrameKind::Sequence(kind))),
            CloseBrace => self.close(|kind| matches!(kind, FrameKind::Brace { .. })),
            CloseBracket => self.close(|kind| matches!(kind, FrameKind::Bracket { .. })),
            CloseParen => self.close(|kind| matches!(kind, FrameKind::Paren { .. })),
            CloseTemplate => self.close(|kind| matches!(kind, FrameKind::Template)),
            CloseSequence => self.close_sequence(self.tokens[at].1.start()),
            For => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.for_part = Some(ForPart::Head);
                }
                self.announce(at);
            }
            In => {
                let start = self.tokens[at].1.end();
                if let Some(frame) = self.frames.last_mut() {
                    frame.collection_start = start;
                }
            }
            FatArrow => self.in_for(ForPart::Value),
            If => self.in_for(ForPart::Condition),
            Operator | Minus | Not => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.is_operand = true;
                }
            }
            Question => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.is_operand = false;
                    frame.conditions += 1;
                }
            }
            Keyword if self.text(at) == "for" => self.announce(at),
            Colon => {
                let end = self.tokens[at].1.start();
                if let Some(frame) = self.frames.last_mut() {
                    if frame.conditions == 0 && frame.for_part == Some(ForPart::Head) {
                        frame.collections.extend(collection(&frame.announced, frame.collection_start, end));
                    }
                    frame.names.append(&mut frame.announced);
                    frame.is_operand = false;
                    if frame.conditions > 0 {
                        frame.conditions -= 1;
                        return;
                    }
                }
                if matches!(self.frames.last(), Some(Frame { for_part: Some(ForPart::Head), .. })) {
                    self.in_for(ForPart::Result);
                }
                self.key_before(at);
            }
            Assign => {
                self.begin_expression();
                self.key_before(at);
            }
            Comma => {
                self.begin_expression();
                self.next_element();
                if let Some(FrameKind::Paren { commas, .. } | FrameKind::Bracket { commas, .. }) =
                    self.frames.last_mut().map(|frame| &mut frame.kind)
                {
                    *commas += 1;
                }
            }
            _ => {}
        }
    }

    /// Starts an expression in the innermost construct.
    fn begin_expression(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.begin_expression();
        }
    }

    /// Starts a part of the innermost construct, if it is a `for`.
    fn in_for(&mut self, part: ForPart) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.for_part.is_some()) {
            frame.begin_expression();
            frame.for_part = Some(part);
        }
    }

    /// Begins an element of an object, which has a key. What a `for` makes has none.
    fn next_element(&mut self) {
        if let Some(Frame { kind: FrameKind::Brace { key, at_key }, for_part: None, .. }) = self.frames.last_mut() {
            (*key, *at_key) = (None, true);
        }
    }

    fn end_value(&mut self) {
        self.frames.pop();
        self.attribute = None;
    }

    /// Closes constructs up to one that `is_it` accepts. A closer without an opener closes nothing.
    fn close(&mut self, is_it: impl Fn(&FrameKind) -> bool) {
        let within =
            self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::Block)).map_or(0, |at| at + 1);
        if let Some(at) = self.frames[within..].iter().rposition(|frame| is_it(&frame.kind)) {
            self.frames.truncate(within + at);
        }
    }

    fn close_sequence(&mut self, end: usize) {
        let Some(at) = self.frames.iter().rposition(|frame| matches!(frame.kind, FrameKind::Sequence(_))) else {
            return;
        };
        self.frames.truncate(at + 1);
        let Some(sequence) = self.frames.pop() else { return };
        let Some(template) = self.frames.last_mut() else { return };
        match sequence.kind {
            FrameKind::Sequence(TokenKind::ForDirective) => {
                template.collections.extend(collection(&sequence.announced, sequence.collection_start, end));
                template.groups.push(sequence.announced.len());
                template.names.extend(sequence.announced);
            }
            FrameKind::Sequence(TokenKind::EndForDirective) => {
                let count = template.groups.pop().unwrap_or_default();
                template.names.truncate(template.names.len().saturating_sub(count));
                template.collections.pop();
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

    /// Reads the key of an object element before its `=` or `:`.
    fn key_before(&mut self, at: usize) {
        let is_name = |at: &usize| !matches!(self.kind(*at), TokenKind::CloseParen | TokenKind::CloseTemplate);
        let text = at.checked_sub(1).filter(is_name).map(|at| self.text(at).trim_matches('"').to_owned());
        if let Some(FrameKind::Brace { key, at_key: at_key @ true }) =
            self.frames.last_mut().map(|frame| &mut frame.kind)
        {
            (*key, *at_key) = (text, false);
        }
    }

    /// Returns the function called by the parenthesis at a token.
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

    /// Returns the header in the line up to a token.
    fn header(&self, end: usize) -> Header {
        let mut words = (self.line..end)
            .filter(|&at| matches!(self.kind(at), TokenKind::Identifier | TokenKind::String | TokenKind::Literal));
        let block_type = words.next().map(|at| self.text(at).to_owned()).unwrap_or_default();
        Header { block_type, labels: words.map(|at| label_text(self.text(at))).collect() }
    }

    fn place(&self) -> Place {
        use TokenKind::*;
        let end = self.text.len();
        let cursor = Span::new(end, end);
        let Some(last) = self.tokens.len().checked_sub(1) else {
            let rest = without_comments(self.text);
            let is_start = rest.is_some_and(|rest| rest.trim().is_empty());
            return if is_start { Place::Item { prefix: cursor } } else { Place::Nothing };
        };
        let (kind, span) = self.tokens[last];
        let gap = self.text.get(span.end()..).unwrap_or_default();
        let Some(gap) = without_comments(gap) else { return Place::Nothing };
        let gap = &*gap;
        if gap.contains(['#', '/']) {
            return Place::Nothing;
        }
        if self.in_body() {
            return self.in_line(last, gap, cursor);
        }
        let adjacent = gap.is_empty();
        let at_key = matches!(self.frames.last(), Some(Frame { kind: FrameKind::Brace { at_key: true, .. }, .. }));
        match kind {
            GetAttr if adjacent => match self.chain(last) {
                Some(chain) => Place::Member { chain, prefix: span },
                None => Place::Nothing,
            },
            Dot if !gap.contains('\n') => match self.chain(last) {
                Some(chain) => Place::Member { chain, prefix: cursor },
                None => Place::Nothing,
            },
            Keyword if adjacent => Place::Directive { prefix: span },
            Keyword => match self.text(last) {
                "if" => Place::Expression { prefix: cursor },
                _ => Place::Nothing,
            },
            IfDirective | ElseDirective | EndIfDirective | ForDirective | EndForDirective | UnknownDirective => {
                Place::Directive { prefix: cursor }
            }
            Literal if self.text(last).starts_with('"') => {
                if !is_open(self.text(last)) || !adjacent {
                    return Place::Nothing;
                }
                let prefix = Span::new(span.start() + 1, end);
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
                let prefix = Span::new(self.name_start(last), end);
                let is_name = self.text[prefix.range()].starts_with(|char: char| char.is_alphabetic() || char == '_');
                let before = last.checked_sub(1).map(|at| self.kind(at));
                let new_name = matches!(before, Some(For))
                    || matches!(before, Some(Keyword)) && self.text(last - 1) == "for"
                    || matches!(before, Some(Comma)) && self.is_second_name(last - 1);
                // After an operand comes an operator, or a word such as `in`.
                let follows_operand = !at_key && before.is_some_and(TokenKind::ends_operand);
                match is_name && !new_name && !follows_operand {
                    true if at_key => Place::ObjectKey { prefix, is_quoted: false },
                    true => Place::Expression { prefix },
                    // A number that the schema may list.
                    false if kind == Literal && !at_key && !new_name && !follows_operand => {
                        Place::Expression { prefix }
                    }
                    false => Place::Nothing,
                }
            }
            TemplateLiteral | Template | Illegal | String => Place::Nothing,
            For => Place::Nothing,
            _ if kind.ends_operand() || matches!(kind, CloseSequence | CloseBlock | Dot) => Place::Nothing,
            Comma if self.is_second_name(last) => Place::Nothing,
            OpenBracket => match self.chain(last) {
                Some(chain) if adjacent => Place::Key { chain, prefix: cursor },
                _ => Place::Expression { prefix: cursor },
            },
            _ if at_key => Place::ObjectKey { prefix: cursor, is_quoted: false },
            _ => Place::Expression { prefix: cursor },
        }
    }

    /// Returns true if a comma is the one between the two names of a `for`.
    fn is_second_name(&self, comma: usize) -> bool {
        let Some(before) = comma.checked_sub(2) else { return false };
        self.kind(before) == TokenKind::For || self.kind(before) == TokenKind::Keyword && self.text(before) == "for"
    }

    /// Returns the place in a line of a body before its `=` or `{`.
    fn in_line(&self, last: usize, gap: &str, here: Span) -> Place {
        use TokenKind::*;
        let (kind, span) = self.tokens[last];
        if last < self.line || matches!(kind, Newline) {
            // After the end of a block, the next item needs a new line.
            let after_block = kind == CloseBlock && !gap.contains('\n');
            return if after_block { Place::Nothing } else { Place::Item { prefix: here } };
        }
        let first = self.kind(self.line) == Identifier;
        if !first || gap.contains('\n') {
            return Place::Nothing;
        }
        let end = here.end();
        match kind {
            Identifier if last == self.line && gap.is_empty() => Place::Item { prefix: span },
            Identifier if gap.is_empty() => Place::Label { header: self.header(last), prefix: span, is_quoted: false },
            String if gap.is_empty() && is_open(self.text(last)) => {
                let prefix = Span::new(span.start() + 1, end);
                Place::Label { header: self.header(last), prefix, is_quoted: true }
            }
            Identifier | String if !gap.is_empty() => {
                Place::Label { header: self.header(last + 1), prefix: here, is_quoted: false }
            }
            _ => Place::Nothing,
        }
    }

    /// Returns the start of the name at the end of the text, with its namespaces.
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

    /// Returns the names and indexes before a token; `None` if they do not begin with a name.
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

/// Returns the text between two tokens without its comments. `None` if it ends within one.
fn without_comments(mut text: &str) -> Option<Cow<'_, str>> {
    let mut found = Cow::Borrowed("");
    loop {
        let comment = text.find(['#', '/']).unwrap_or(text.len());
        let (before, rest) = text.split_at(comment);
        found += before;
        let end = match rest {
            _ if rest.starts_with('#') || rest.starts_with("//") => rest.find('\n')?,
            _ if rest.starts_with("/*") => rest.find("*/")? + 2,
            _ => return Some(found + rest),
        };
        text = &rest[end..];
    }
}

/// Returns true if a string that begins with a quote is not closed.
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
