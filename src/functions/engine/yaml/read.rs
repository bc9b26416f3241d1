//! Parses a YAML document to a value.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::resolve::{Style, scalar};
use crate::limits::Account;
use crate::model::{MAX_DEPTH, Text, Type, Value};
use crate::work;

/// An open sequence or mapping, and its anchor.
struct Open {
    anchor: usize,
    parts: Parts,
    /// The number of values in it so far, including those that aliases stand for.
    weight: u64,
}

enum Parts {
    Sequence(Vec<Value>),
    /// With the key for the next value: a name, or that of a merge.
    Mapping(Vec<(Text, Value)>, Option<Key>),
}

enum Key {
    Name(Text),
    Merge,
}

/// A value that can be referred to, and how many values are in it.
#[derive(Clone)]
struct Anchored {
    value: Value,
    weight: u64,
}

/// The value of a text with one document.
///
/// # Errors
/// The text is not YAML, or has no meaning as a value; the message has the line.
pub(crate) fn decode(text: &str, account: &Account) -> Result<Value, String> {
    let (open, anchors, recent) = (Vec::new(), HashMap::new(), Type::Dynamic);
    let mut reader = Reader { account, open, anchors, recent, whole: None };
    if begins_with_end(text) {
        return Err("there is no document before the first `...`".to_owned());
    }
    // A block of text that goes to the end of the document has no line break after it if the document
    // has none.
    let last_line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let last_line_at = text.chars().count() - last_line.chars().count();
    let unbroken = |value: &str| last_line.trim().is_empty() || value.trim_end().ends_with(last_line.trim());
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|why| format!("line {}: {}", why.marker().line(), why.info()))?;
        let event = match event {
            Event::Scalar(value, style @ (ScalarStyle::Literal | ScalarStyle::Folded), anchor, tag)
                if !last_line.is_empty() && span.end.index() >= last_line_at && unbroken(&value) =>
            {
                let value = value.strip_suffix('\n').unwrap_or(&value).to_owned();
                Event::Scalar(value.into(), style, anchor, tag)
            }
            event => event,
        };
        match event {
            Event::DocumentStart(_) => documents += 1,
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            _ => reader.take(event).map_err(|why| at_line(&span, &why))?,
        }
        if documents > 1 {
            return Err(at_line(&span, "there is a second document; only one is allowed"));
        }
    }
    reader.whole.ok_or_else(|| "there is no document".to_owned())
}

/// Returns true if a text begins with the mark for the end of a document.
fn begins_with_end(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let rest = lines.next().and_then(|line| line.strip_prefix("..."));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn at_line(span: &Span, why: &str) -> String {
    format!("line {}: {why}", span.start.line())
}

struct Reader<'a> {
    account: &'a Account,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    /// The type of the last mapping. Those of a list are mostly of one type.
    recent: Type,
    whole: Option<Value>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, &full(tag.as_deref())),
            Event::Alias(anchor) => {
                self.no_key("an alias")?;
                let inside = self.open.iter().any(|open| open.anchor == anchor);
                let Some(anchored) = self.anchors.get(&anchor).filter(|_| !inside).cloned() else {
                    return Err("an alias cannot be used within its own value".to_owned());
                };
                self.account.steps(anchored.weight).map_err(|exceeded| exceeded.to_string())?;
                self.put(anchored)
            }
            Event::SequenceStart(anchor, tag) => {
                self.no_key("a sequence")?;
                self.begin(anchor, &full(tag.as_deref()), "seq", Parts::Sequence(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                self.no_key("a mapping")?;
                self.begin(anchor, &full(tag.as_deref()), "map", Parts::Mapping(Vec::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                let value = match open.parts {
                    Parts::Sequence(items) => Value::tuple(items),
                    Parts::Mapping(entries, _) => {
                        let object = Value::object_like(entries, &self.recent);
                        self.recent = object.ty();
                        object
                    }
                };
                let anchored = Anchored { value, weight: open.weight + 1 };
                if open.anchor > 0 {
                    self.anchors.insert(open.anchor, anchored.clone());
                }
                self.put(anchored)
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, anchor: usize, tag: &str, own: &str, parts: Parts) -> Result<(), String> {
        if !tag.is_empty() && tag.strip_prefix("tag:yaml.org,2002:") != Some(own) {
            let what = if own == "seq" { "a sequence" } else { "a mapping" };
            return Err(format!("{what} cannot be read as `{}`", tag.replacen("tag:yaml.org,2002:", "!!", 1)));
        }
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(format!("values nest more than {MAX_DEPTH} levels deep"));
        }
        self.open.push(Open { anchor, parts, weight: 0 });
        Ok(())
    }

    /// Returns true if a key comes next.
    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { parts: Parts::Mapping(_, None), .. }))
    }

    fn no_key(&self, what: &str) -> Result<(), String> {
        match self.expects_key() {
            true => Err(format!("{what} cannot be a key; only strings can")),
            false => Ok(()),
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: &str) -> Result<(), String> {
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
            ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
        };
        if self.expects_key() {
            let key = match tag.is_empty() && text == "<<" || tag == "tag:yaml.org,2002:merge" {
                true => Key::Merge,
                false => {
                    let name = scalar(tag, text, style)?.convert(&Type::String).map_err(|why| why.to_string())?;
                    match name.as_name() {
                        Some(name) => Key::Name(name.clone()),
                        None => return Err("a key must not be null".to_owned()),
                    }
                }
            };
            if let Some(Open { parts: Parts::Mapping(_, next), .. }) = self.open.last_mut() {
                *next = Some(key);
            }
            return Ok(());
        }
        let mut value = scalar(tag, text, style)?;
        work::step(1 + text.len() / 16);
        if style == Style::Block && tag.is_empty() {
            // Such texts are strings whatever they look like; still numbers are written anew.
            value = value.convert(&Type::String).map_err(|why| why.to_string())?;
        }
        let anchored = Anchored { value, weight: 1 };
        if anchor > 0 {
            self.anchors.insert(anchor, anchored.clone());
        }
        self.put(anchored)
    }

    /// Puts a finished value where it belongs.
    fn put(&mut self, Anchored { value, weight }: Anchored) -> Result<(), String> {
        let Some(open) = self.open.last_mut() else {
            self.whole = Some(value);
            return Ok(());
        };
        open.weight += weight;
        match &mut open.parts {
            Parts::Sequence(items) => items.push(value),
            Parts::Mapping(entries, key) => match key.take() {
                Some(Key::Name(name)) => entries.push((name, value)),
                Some(Key::Merge) => merge(&value, entries, self.account)?,
                None => {}
            },
        }
        Ok(())
    }
}

/// The full name of a tag.
fn full(tag: Option<&Tag>) -> String {
    tag.map_or_else(String::new, |tag| format!("{}{}", tag.handle, tag.suffix))
}

/// Adds what a mapping, or each of a sequence of mappings, has in it.
fn merge(value: &Value, entries: &mut Vec<(Text, Value)>, account: &Account) -> Result<(), String> {
    let sources = match value.ty() {
        Type::Tuple(_) if value.is_known() => value.elements().unwrap_or_default(),
        _ => std::slice::from_ref(value),
    };
    for source in sources {
        let Some(merged) = source.entries() else {
            return Err(format!("only mappings can be merged into a mapping, not {}", source.ty()));
        };
        // A line may merge all that the lines before it have merged.
        let names = merged.clone().map(|(name, _)| name.len() as u64 + 64);
        account.bytes(names.sum()).map_err(|exceeded| exceeded.to_string())?;
        entries.extend(merged.map(|(name, value)| (Text::known(name), value.clone())));
    }
    Ok(())
}
