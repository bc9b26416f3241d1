//! Parses a YAML document to a value.

use std::collections::HashMap;

use super::parse::{Event, Kind, Parser, Properties};
use super::resolve::{Style, scalar};
use super::scan::at_line;
use crate::limits::Account;
use crate::model::{MAX_DEPTH, Text, Type, Value};
use crate::work;

/// An open sequence or mapping, and its anchor.
struct Open<'t> {
    anchor: Option<&'t str>,
    parts: Parts,
    /// The number of values in it so far, including those of aliases.
    weight: u64,
}

enum Parts {
    Sequence(Vec<Value>),
    /// With the key for the next value: a name, or a merge key.
    Mapping(Vec<(Text, Value)>, Option<Key>),
}

enum Key {
    Name(Text),
    Merge,
}

/// A value with an anchor, and the number of values in it.
#[derive(Clone)]
struct Anchored {
    value: Value,
    weight: u64,
}

/// Returns the value of a text with one document.
///
/// # Errors
/// The text is not YAML, or cannot be represented as a value; the message has the line.
pub(crate) fn decode(text: &str, account: &Account) -> Result<Value, String> {
    let mut parser = Parser::begin(text)?;
    let (open, anchors, pending, recent) = (Vec::new(), HashMap::new(), HashMap::new(), Type::Dynamic);
    let mut reader = Reader { account, open, anchors, pending, recent, root: None };
    loop {
        let event = parser.next()?;
        reader.take(event).map_err(|why| at_line(parser.line(), &why))?;
        if let Some(value) = reader.root.take() {
            parser.end()?;
            return Ok(value);
        }
    }
}

struct Reader<'a, 't> {
    account: &'a Account,
    open: Vec<Open<'t>>,
    anchors: HashMap<&'t str, Anchored>,
    /// The number of open values for each anchor with any.
    pending: HashMap<&'t str, usize>,
    /// The type of the last mapping. Those of a list often have the same type.
    recent: Type,
    root: Option<Value>,
}

impl<'t> Reader<'_, 't> {
    fn take(&mut self, event: Event<'t>) -> Result<(), String> {
        match event {
            Event::Scalar { text, style, properties } => self.scalar(&text, style, &properties),
            Event::Alias(name) => {
                self.no_key("an alias")?;
                if self.pending.contains_key(name) {
                    return Err("an alias cannot be used within its own value".to_owned());
                }
                let Some(anchored) = self.anchors.get(name).cloned() else {
                    return Err(format!("there is no anchor `&{name}` before `*{name}`"));
                };
                self.account.steps(anchored.weight).map_err(|exceeded| exceeded.to_string())?;
                self.put(anchored)
            }
            Event::Start(Kind::Sequence, properties) => {
                self.no_key("a sequence")?;
                self.begin(&properties, "seq", Parts::Sequence(Vec::new()))
            }
            Event::Start(Kind::Mapping, properties) => {
                self.no_key("a mapping")?;
                self.begin(&properties, "map", Parts::Mapping(Vec::new(), None))
            }
            Event::End => {
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
                if let Some(name) = open.anchor {
                    if let Some(count) = self.pending.get_mut(name) {
                        *count -= 1;
                        if *count == 0 {
                            self.pending.remove(name);
                        }
                    }
                    self.anchors.insert(name, anchored.clone());
                }
                self.put(anchored)
            }
        }
    }

    fn begin(&mut self, properties: &Properties<'t>, own: &str, parts: Parts) -> Result<(), String> {
        let Properties { anchor, tag } = properties;
        if !tag.is_empty() && tag.strip_prefix("tag:yaml.org,2002:") != Some(own) {
            let what = if own == "seq" { "a sequence" } else { "a mapping" };
            return Err(format!("{what} cannot be read as `{}`", tag.replacen("tag:yaml.org,2002:", "!!", 1)));
        }
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(format!("values nest more than {MAX_DEPTH} levels deep"));
        }
        if let Some(name) = *anchor {
            *self.pending.entry(name).or_default() += 1;
        }
        self.open.push(Open { anchor: *anchor, parts, weight: 0 });
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

    fn scalar(&mut self, text: &str, style: Style, properties: &Properties<'t>) -> Result<(), String> {
        let tag = properties.tag.as_str();
        if self.expects_key() {
            // An anchor of a key is no anchor.
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
            // Such texts are strings even if they look like other values, but numbers are normalized.
            value = value.convert(&Type::String).map_err(|why| why.to_string())?;
        }
        let anchored = Anchored { value, weight: 1 };
        if let Some(name) = properties.anchor {
            self.anchors.insert(name, anchored.clone());
        }
        self.put(anchored)
    }

    /// Puts a finished value where it belongs.
    fn put(&mut self, Anchored { value, weight }: Anchored) -> Result<(), String> {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
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

/// Adds the entries of a mapping, or of each in a sequence of mappings.
fn merge(value: &Value, entries: &mut Vec<(Text, Value)>, account: &Account) -> Result<(), String> {
    let sources = match value.ty() {
        Type::Tuple(_) if value.is_known() => value.elements().unwrap_or_default(),
        _ => std::slice::from_ref(value),
    };
    for source in sources {
        let Some(merged) = source.entries() else {
            return Err(format!("only mappings can be merged into a mapping, not {}", source.ty()));
        };
        // A line may merge everything that earlier lines have merged.
        let names = merged.clone().map(|(name, _)| name.len() as u64 + 64);
        account.bytes(names.sum()).map_err(|exceeded| exceeded.to_string())?;
        entries.extend(merged.map(|(name, value)| (Text::known(name), value.clone())));
    }
    Ok(())
}
