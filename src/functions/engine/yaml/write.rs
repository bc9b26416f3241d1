//! Writes a value as YAML, in the layout of libyaml.

use crate::functions::engine::decimal;
use crate::model::{Value, View};

/// Double-quoted text is folded after this column.
const WIDTH: usize = 80;

/// The number of bytes above which keys are written after a question mark.
const MAX_KEY: usize = 128;

/// Writes a value, which is wholly known and unmarked, as a document.
///
/// # Errors
/// The value is of an application's own type.
pub(crate) fn encode(value: &Value) -> Result<String, String> {
    let mut writer = Writer::default();
    writer.node(value, -1, Place::Root)?;
    if !writer.text.ends_with(is_break) {
        writer.text.push('\n');
    }
    if writer.open_ended {
        writer.text.push_str("...\n");
    }
    Ok(writer.text)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Sequence,
    /// After a key, or a key.
    Mapping,
    SimpleKey,
}

#[derive(Default)]
struct Writer {
    text: String,
    /// In characters, from 0.
    column: usize,
    /// True if the line has only blanks and indicators so far.
    only_indicators: bool,
    /// True if the last character is a blank or the line is empty.
    blank: bool,
    /// True if the document could be read as continuing, so that its end must be marked.
    open_ended: bool,
}

impl Writer {
    fn push(&mut self, c: char) {
        self.text.push(c);
        self.column += 1;
    }

    fn line_break(&mut self, c: char) {
        self.text.push(c);
        self.column = 0;
    }

    fn indicator(&mut self, indicator: &str, needs_blank: bool, blank: bool, indents: bool) {
        if needs_blank && !self.blank && !self.text.is_empty() {
            self.push(' ');
        }
        indicator.chars().for_each(|c| self.push(c));
        self.blank = blank;
        self.only_indicators &= indents;
    }

    /// Moves to the indentation, in a new line if the current one is not empty.
    fn indent(&mut self, indent: i32) {
        let indent = usize::try_from(indent).unwrap_or(0);
        let used = !self.only_indicators || self.column > indent || self.column == indent && !self.blank;
        if used && !self.text.is_empty() {
            self.line_break('\n');
        }
        while self.column < indent {
            self.push(' ');
        }
        self.blank = true;
        self.only_indicators = true;
    }

    fn node(&mut self, value: &Value, indent: i32, place: Place) -> Result<(), String> {
        match value.view() {
            View::Null => self.plain("null", place),
            View::Bool(true) => self.plain("true", place),
            View::Bool(false) => self.plain("false", place),
            View::Number(number) => self.plain(&decimal::plain(number), place),
            View::String(text) => self.string(text, if indent < 0 { 2 } else { indent + 2 }, place),
            View::List([]) | View::Set([]) | View::Tuple([]) => self.indicator("[]", true, false, false),
            View::List(items) | View::Set(items) | View::Tuple(items) => {
                let inline = place == Place::Mapping && !self.only_indicators;
                let indent = deeper(indent, inline);
                for item in items {
                    self.indent(indent);
                    self.indicator("-", true, false, true);
                    self.node(item, indent, Place::Sequence)?;
                }
            }
            View::Map(entries) | View::Object(entries) => {
                if entries.len() == 0 {
                    self.indicator("{}", true, false, false);
                    return Ok(());
                }
                let indent = deeper(indent, false);
                for (key, value) in entries {
                    self.indent(indent);
                    if key.len() <= MAX_KEY && !key.contains(is_break) {
                        self.string(key, indent + 2, Place::SimpleKey);
                        self.indicator(":", false, false, false);
                    } else {
                        self.indicator("?", true, false, true);
                        self.string(key, indent + 2, Place::Mapping);
                        self.indent(indent);
                        self.indicator(":", true, false, true);
                    }
                    self.node(value, indent, Place::Mapping)?;
                }
            }
            View::Unknown(_) | View::Marked(..) => return Err("it is not known".to_owned()),
            View::Capsule(_) => return Err(format!("{} has no form in YAML", value.ty())),
        }
        Ok(())
    }

    fn plain(&mut self, text: &str, place: Place) {
        self.indicator(text, true, false, false);
        self.open_ended = place == Place::Root;
    }

    fn string(&mut self, text: &str, indent: i32, place: Place) {
        match text.contains('\n') && place != Place::SimpleKey && may_be_literal(text) {
            true => self.literal(text, indent),
            false => self.quoted(text, indent, place != Place::SimpleKey),
        }
    }

    fn literal(&mut self, text: &str, indent: i32) {
        self.indicator("|", true, false, false);
        if text.starts_with([' ']) || text.starts_with(is_break) {
            self.push('2');
        }
        let mut last = text.chars().rev();
        match last.next() {
            Some(c) if !is_break(c) => self.push('-'),
            _ if last.next().is_none_or(is_break) => self.push('+'),
            _ => {}
        }
        self.line_break('\n');
        self.only_indicators = true;
        self.blank = true;
        let mut behind_break = true;
        for c in text.chars() {
            if is_break(c) {
                self.line_break(c);
                self.only_indicators = true;
                behind_break = true;
            } else {
                if behind_break {
                    self.indent(indent);
                }
                self.push(c);
                self.only_indicators = false;
                behind_break = false;
            }
        }
    }

    fn quoted(&mut self, text: &str, indent: i32, fold: bool) {
        self.indicator("\"", true, false, false);
        let mut behind_blank = false;
        // The official library escapes the whole text if it begins with a byte order mark.
        let escapes_all = text.starts_with('\u{FEFF}');
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            if c == ' ' && !escapes_all {
                let next = rest.peek().map(|(_, next)| *next);
                if fold && !behind_blank && self.column > WIDTH && at > 0 && next.is_some() {
                    self.indent(indent);
                    if next == Some(' ') {
                        self.push('\\');
                    }
                } else {
                    self.push(' ');
                }
                behind_blank = true;
                continue;
            }
            behind_blank = false;
            if !escapes_all && is_printable(c) && !is_break(c) && !matches!(c, '"' | '\\') {
                self.push(c);
            } else {
                escape(c).chars().for_each(|c| self.push(c));
            }
        }
        self.indicator("\"", false, false, false);
    }
}

fn deeper(indent: i32, inline: bool) -> i32 {
    match indent {
        ..0 => 0,
        _ if inline => indent,
        _ => indent + 2,
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}') && c != '\u{FEFF}'
}

/// Returns true if a text reads back unchanged from lines after a `|`.
fn may_be_literal(text: &str) -> bool {
    let mut behind_space = false;
    for c in text.chars() {
        if !is_printable(c) || behind_space && is_break(c) {
            return false;
        }
        behind_space = c == ' ';
    }
    !behind_space
}

fn escape(c: char) -> String {
    match c {
        '\0' => "\\0".to_owned(),
        '\x07' => "\\a".to_owned(),
        '\x08' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\x0B' => "\\v".to_owned(),
        '\x0C' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '\x1B' => "\\e".to_owned(),
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{85}' => "\\N".to_owned(),
        '\u{A0}' => "\\_".to_owned(),
        '\u{2028}' => "\\L".to_owned(),
        '\u{2029}' => "\\P".to_owned(),
        _ => match u32::from(c) {
            code @ ..=0xFF => format!("\\x{code:02X}"),
            code @ ..=0xFFFF => format!("\\u{code:04X}"),
            code => format!("\\U{code:08X}"),
        },
    }
}
