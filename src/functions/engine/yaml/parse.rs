//! Turns tokens into events: scalars, aliases, and the starts and ends of sequences and mappings.
//!
//! Each open collection has a frame. The topmost frame and the next token determine the next event. An empty node, as
//! after `a:`, is an event like that of a plain scalar without text.

use std::collections::HashMap;

use super::resolve::Style;
use super::scan::{Scanner, Token, at_line};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'t> {
    Scalar { text: String, style: Style, properties: Properties<'t> },
    Alias(&'t str),
    Start(Kind, Properties<'t>),
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sequence,
    Mapping,
}

/// The anchor and the tag of a node.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Properties<'t> {
    pub(super) anchor: Option<&'t str>,
    /// In full; empty without a tag.
    pub(super) tag: String,
}

/// An open collection, and the part of it that comes next.
#[derive(Clone, Copy)]
enum Frame {
    Sequence,
    /// A sequence whose dashes are in the same column as its key.
    UnindentedSequence,
    Mapping(Part),
    FlowSequence {
        is_first: bool,
    },
    FlowMapping {
        is_first: bool,
        part: Part,
    },
    /// A mapping with one key in a sequence: `[a: 1]`.
    Pair(Part),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
    /// A value without `:`, or the end of a pair.
    Nothing,
}

/// The places of nodes, which allow different ones.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Flow,
    Block,
    /// After a key.
    Mapping,
}

pub(super) struct Parser<'t> {
    scanner: Scanner<'t>,
    frames: Vec<Frame>,
    /// The prefixes of tags, by handle.
    prefixes: HashMap<&'t str, String>,
    /// True if the document begins with `---`.
    explicit: bool,
}

impl<'t> Parser<'t> {
    /// Begins the document of a text.
    ///
    /// # Errors
    /// There is no document, or its directives are wrong.
    pub(super) fn begin(text: &'t str) -> Result<Self, String> {
        let (frames, prefixes) = (Vec::new(), HashMap::new());
        let mut parser = Parser { scanner: Scanner::new(text)?, frames, prefixes, explicit: false };
        let directives = parser.directives()?;
        match parser.scanner.peek_token()? {
            Token::DocumentStart => {
                parser.scanner.take()?;
                parser.explicit = true;
            }
            _ if directives => return parser.fail("there is no `---` after the directives"),
            Token::End => return Err("there is no document".to_owned()),
            _ => {}
        }
        for (handle, prefix) in [("!", "!"), ("!!", "tag:yaml.org,2002:")] {
            parser.prefixes.entry(handle).or_insert_with(|| prefix.to_owned());
        }
        Ok(parser)
    }

    /// Reads directives. Returns true if there are any.
    fn directives(&mut self) -> Result<bool, String> {
        let mut version = false;
        loop {
            match self.scanner.peek_token()? {
                Token::Version { major: 1, minor: 1 } if !version => version = true,
                Token::Version { .. } if version => return self.fail("there is a second directive `%YAML`"),
                Token::Version { .. } => {
                    return self
                        .fail("only version 1.1 of YAML can be read; write `%YAML 1.1` or remove the directive");
                }
                Token::TagPrefix { handle, prefix } => {
                    let (handle, prefix) = (*handle, prefix.clone());
                    if self.prefixes.contains_key(handle) {
                        return self.fail(&format!("there is a second directive `%TAG` for `{handle}`"));
                    }
                    self.prefixes.insert(handle, prefix);
                }
                _ => return Ok(version || !self.prefixes.is_empty()),
            }
            self.scanner.take()?;
        }
    }

    /// Reads the text after a document.
    ///
    /// # Errors
    /// There is another document.
    pub(super) fn end(&mut self) -> Result<(), String> {
        let mut ended = false;
        while *self.scanner.peek_token()? == Token::DocumentEnd {
            self.scanner.take()?;
            ended = true;
        }
        match self.scanner.peek_token()? {
            Token::End => Ok(()),
            Token::DocumentStart | Token::Version { .. } | Token::TagPrefix { .. } => {
                self.fail("there is a second document; only one is allowed")
            }
            _ if ended => self.fail("only comments can follow the end of the document"),
            token => {
                let why = unexpected(token, "the end of the document");
                self.fail(&why)
            }
        }
    }

    /// Returns the line of the last event.
    pub(super) fn line(&self) -> usize {
        self.scanner.last_line()
    }

    fn fail<T>(&self, why: &str) -> Result<T, String> {
        Err(at_line(self.scanner.line(), why))
    }

    /// Returns the next event of the document, which is not at its end.
    pub(super) fn next(&mut self) -> Result<Event<'t>, String> {
        let Some(frame) = self.frames.last().copied() else { return self.root() };
        match frame {
            Frame::Sequence => self.element(true),
            Frame::UnindentedSequence => self.element(false),
            Frame::Mapping(Part::Value) => self.value(),
            Frame::Mapping(_) => self.key(),
            Frame::FlowSequence { is_first } => self.flow_element(is_first),
            Frame::FlowMapping { part: Part::Value, .. } => {
                self.set(Frame::FlowMapping { is_first: false, part: Part::Key });
                self.flow_value(&Token::FlowMappingEnd)
            }
            Frame::FlowMapping { part: Part::Nothing, .. } => {
                self.set(Frame::FlowMapping { is_first: false, part: Part::Key });
                Ok(empty())
            }
            Frame::FlowMapping { is_first, .. } => self.flow_key(is_first),
            Frame::Pair(Part::Key) => {
                self.set(Frame::Pair(Part::Value));
                match self.scanner.peek_token()? {
                    Token::Value | Token::Comma | Token::FlowSequenceEnd => Ok(empty()),
                    _ => self.node(Place::Flow),
                }
            }
            Frame::Pair(Part::Value) => {
                self.set(Frame::Pair(Part::Nothing));
                self.flow_value(&Token::FlowSequenceEnd)
            }
            Frame::Pair(Part::Nothing) => self.close(),
        }
    }

    /// Changes the topmost frame.
    fn set(&mut self, frame: Frame) {
        if let Some(last) = self.frames.last_mut() {
            *last = frame;
        }
    }

    fn close(&mut self) -> Result<Event<'t>, String> {
        self.frames.pop();
        Ok(Event::End)
    }

    fn root(&mut self) -> Result<Event<'t>, String> {
        let explicit = self.explicit;
        match self.scanner.peek_token()? {
            Token::Version { .. }
            | Token::TagPrefix { .. }
            | Token::DocumentStart
            | Token::DocumentEnd
            | Token::End
                if explicit =>
            {
                Ok(empty())
            }
            _ => self.node(Place::Block),
        }
    }

    /// Reads an element after a dash, or the end of a sequence. An unindented sequence ends where something else
    /// begins.
    fn element(&mut self, indented: bool) -> Result<Event<'t>, String> {
        match self.scanner.peek_token()? {
            Token::Dash => {
                self.scanner.take()?;
                match self.scanner.peek_token()? {
                    Token::Dash | Token::BlockEnd => Ok(empty()),
                    Token::Key | Token::Value if !indented => Ok(empty()),
                    _ => self.node(Place::Block),
                }
            }
            _ if !indented => self.close(),
            Token::BlockEnd => {
                self.scanner.take()?;
                self.close()
            }
            token => {
                let why = unexpected(token, "`- ` and the next element");
                self.fail(&why)
            }
        }
    }

    /// A key, or the end of a mapping.
    fn key(&mut self) -> Result<Event<'t>, String> {
        match self.scanner.peek_token()? {
            Token::Key => {
                self.scanner.take()?;
                self.set(Frame::Mapping(Part::Value));
                self.key_or_value()
            }
            Token::BlockEnd => {
                self.scanner.take()?;
                self.close()
            }
            token => {
                let why = unexpected(token, "a key");
                self.fail(&why)
            }
        }
    }

    fn value(&mut self) -> Result<Event<'t>, String> {
        self.set(Frame::Mapping(Part::Key));
        match self.scanner.peek_token()? {
            Token::Value => {
                self.scanner.take()?;
                self.key_or_value()
            }
            _ => Ok(empty()),
        }
    }

    fn key_or_value(&mut self) -> Result<Event<'t>, String> {
        match self.scanner.peek_token()? {
            Token::Key | Token::Value | Token::BlockEnd => Ok(empty()),
            _ => self.node(Place::Mapping),
        }
    }

    /// Skips the comma before every part of a collection in brackets except the first. Returns false at the closing
    /// bracket.
    fn flow_part(&mut self, is_first: bool, end: &Token<'t>, expected: &str) -> Result<bool, String> {
        let mut token = self.scanner.peek_token()?;
        if token != end && !is_first {
            if *token != Token::Comma {
                let why = unexpected(token, expected);
                return self.fail(&why);
            }
            self.scanner.take()?;
            token = self.scanner.peek_token()?;
        }
        Ok(token != end)
    }

    fn flow_element(&mut self, is_first: bool) -> Result<Event<'t>, String> {
        if !self.flow_part(is_first, &Token::FlowSequenceEnd, "`,` or `]`")? {
            self.scanner.take()?;
            return self.close();
        }
        self.set(Frame::FlowSequence { is_first: false });
        if *self.scanner.peek_token()? == Token::Key {
            self.scanner.take()?;
            self.frames.push(Frame::Pair(Part::Key));
            return Ok(Event::Start(Kind::Mapping, Properties::default()));
        }
        self.node(Place::Flow)
    }

    fn flow_key(&mut self, is_first: bool) -> Result<Event<'t>, String> {
        if !self.flow_part(is_first, &Token::FlowMappingEnd, "`,` or `}`")? {
            self.scanner.take()?;
            return self.close();
        }
        if *self.scanner.peek_token()? != Token::Key {
            self.set(Frame::FlowMapping { is_first: false, part: Part::Nothing });
            return self.node(Place::Flow);
        }
        self.scanner.take()?;
        self.set(Frame::FlowMapping { is_first: false, part: Part::Value });
        match self.scanner.peek_token()? {
            Token::Value | Token::Comma | Token::FlowMappingEnd => Ok(empty()),
            _ => self.node(Place::Flow),
        }
    }

    fn flow_value(&mut self, end: &Token<'t>) -> Result<Event<'t>, String> {
        if *self.scanner.peek_token()? != Token::Value {
            return Ok(empty());
        }
        self.scanner.take()?;
        match self.scanner.peek_token()? {
            Token::Comma => Ok(empty()),
            token if token == end => Ok(empty()),
            _ => self.node(Place::Flow),
        }
    }

    /// Reads a scalar or an alias, or the start of a collection.
    fn node(&mut self, place: Place) -> Result<Event<'t>, String> {
        if let Token::Alias(name) = *self.scanner.peek_token()? {
            self.scanner.take()?;
            return Ok(Event::Alias(name));
        }
        let properties = self.properties()?;
        let is_block = place != Place::Flow;
        let (frame, kind) = match self.scanner.peek_token()? {
            Token::Scalar { .. } => {
                return match self.scanner.take()? {
                    Token::Scalar { text, style } => Ok(Event::Scalar { text, style, properties }),
                    _ => Ok(empty()),
                };
            }
            Token::Dash if place == Place::Mapping => {
                self.frames.push(Frame::UnindentedSequence);
                return Ok(Event::Start(Kind::Sequence, properties));
            }
            Token::FlowSequenceStart => (Frame::FlowSequence { is_first: true }, Kind::Sequence),
            Token::FlowMappingStart => (Frame::FlowMapping { is_first: true, part: Part::Key }, Kind::Mapping),
            Token::SequenceStart if is_block => (Frame::Sequence, Kind::Sequence),
            Token::MappingStart if is_block => (Frame::Mapping(Part::Key), Kind::Mapping),
            _ if properties != Properties::default() => {
                return Ok(Event::Scalar { text: String::new(), style: Style::Plain, properties });
            }
            token => {
                let why = unexpected(token, "a value");
                return self.fail(&why);
            }
        };
        self.scanner.take()?;
        self.frames.push(frame);
        Ok(Event::Start(kind, properties))
    }

    /// Reads the anchor and the tag before a node, in any order.
    fn properties(&mut self) -> Result<Properties<'t>, String> {
        let mut properties = Properties::default();
        loop {
            match self.scanner.peek_token()? {
                Token::Anchor(name) if properties.anchor.is_none() => properties.anchor = Some(*name),
                Token::Tag { handle, suffix } if properties.tag.is_empty() => {
                    let (handle, suffix) = (*handle, suffix.clone());
                    properties.tag = match self.prefixes.get(handle) {
                        Some(prefix) => format!("{prefix}{suffix}"),
                        None if handle.is_empty() => suffix,
                        None => return self.fail(&format!("there is no directive `%TAG` for `{handle}`")),
                    };
                }
                _ => return Ok(properties),
            }
            self.scanner.take()?;
        }
    }
}

/// The event of a node without text.
fn empty<'t>() -> Event<'t> {
    Event::Scalar { text: String::new(), style: Style::Plain, properties: Properties::default() }
}

fn unexpected(token: &Token<'_>, expected: &str) -> String {
    let name = match token {
        Token::Version { .. } | Token::TagPrefix { .. } => "a directive",
        Token::DocumentStart => "`---`",
        Token::DocumentEnd => "`...`",
        Token::SequenceStart | Token::Dash => "`- `",
        Token::MappingStart | Token::Key => "a key",
        Token::FlowSequenceStart => "`[`",
        Token::FlowSequenceEnd => "`]`",
        Token::FlowMappingStart => "`{`",
        Token::FlowMappingEnd => "`}`",
        Token::Comma => "`,`",
        Token::Value => "`:`",
        Token::Alias(_) => "an alias",
        Token::Anchor(_) => "an anchor",
        Token::Tag { .. } => "a tag",
        Token::Scalar { .. } => "a text",
        Token::BlockEnd | Token::End => "the end",
    };
    format!("{expected} is expected, not {name}")
}
