//! Indexes a document with provider schemas: one pass over the text finds the place of each type.
//!
//! The pass checks the syntax of the whole document, and stores only the names of the types.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Entry, Provider, Section};
use hcl_lr::source::Span;

/// The relevant members of a document.
#[derive(Default)]
pub(super) struct Document {
    pub format_version: Option<String>,
    pub providers: Option<BTreeMap<String, Provider>>,
}

/// A problem with a document, and its place.
pub(super) struct Problem {
    pub detail: String,
    pub offset: usize,
}

/// Reads the index of a document.
pub(super) fn read(text: &str) -> Result<Document, Problem> {
    let mut json = serde_json::Deserializer::from_str(text);
    let document = Top { text }.deserialize(&mut json);
    let document = document.and_then(|document| json.end().map(|()| document));
    document.map_err(|error| {
        let message = error.to_string();
        // The place is reported separately.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let detail = match error.is_data() {
            true => message.to_owned(),
            false => format!("this is not JSON: {message}"),
        };
        Problem { detail, offset: offset(text, error.line(), error.column()) }
    })
}

/// Returns the byte offset of a line and column, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start = match line.checked_sub(2) {
        Some(breaks) => memchr::memchr_iter(b'\n', text.as_bytes()).nth(breaks).map_or(text.len(), |at| at + 1),
        None => 0,
    };
    let at = (start + column.saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The document.
#[derive(Clone, Copy)]
struct Top<'t> {
    text: &'t str,
}

/// The member `provider_schemas`.
struct Providers<'t>(Top<'t>);

/// The schemas of a provider.
struct OneProvider<'t>(Top<'t>);

/// The types of a kind.
struct Types<'t>(Top<'t>);

/// Implements reading by a visitor that is its own seed, with a description of the expected value.
macro_rules! read_object {
    ($name:ident, $value:ty, $expecting:literal, $with_null:expr) => {
        impl<'de> DeserializeSeed<'de> for $name<'de> {
            type Value = $value;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<$value, D::Error> {
                deserializer.deserialize_any(self)
            }
        }

        impl<'de> Visitor<'de> for $name<'de> {
            type Value = $value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($expecting)
            }

            fn visit_unit<E: Error>(self) -> Result<$value, E> {
                $with_null.ok_or_else(|| E::invalid_type(serde::de::Unexpected::Unit, &self))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<$value, A::Error> {
                self.read(map)
            }
        }
    };
}

read_object!(Top, Document, "an object with `format_version` and `provider_schemas`", None);
read_object!(Providers, BTreeMap<String, Provider>, "an object of providers", Some(BTreeMap::new()));
read_object!(OneProvider, Provider, "an object with the schemas of a provider", None);
read_object!(Types, Section, "an object of schemas", Some(Section::default()));

impl<'de> Top<'de> {
    fn read<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut document = Document::default();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "format_version" => document.format_version = Some(map.next_value()?),
                "provider_schemas" => document.providers = Some(map.next_value_seed(Providers(self))?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(document)
    }

    /// Returns the place of a part of the text.
    fn entry<A: MapAccess<'de>>(self, map: &mut A) -> Result<Entry, A::Error> {
        let raw: &'de RawValue = map.next_value()?;
        let start = raw.get().as_ptr().addr() - self.text.as_ptr().addr();
        Ok(Entry::at(Span::new(start, start + raw.get().len())))
    }
}

impl<'de> Providers<'de> {
    fn read<A: MapAccess<'de>>(self, mut map: A) -> Result<BTreeMap<String, Provider>, A::Error> {
        let mut providers = BTreeMap::new();
        while let Some(source) = map.next_key::<String>()? {
            providers.insert(source, map.next_value_seed(OneProvider(self.0))?);
        }
        Ok(providers)
    }
}

impl<'de> OneProvider<'de> {
    fn read<A: MapAccess<'de>>(self, mut map: A) -> Result<Provider, A::Error> {
        let mut provider = Provider::default();
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "provider" => provider.configuration = Some(self.0.entry(&mut map)?),
                "functions" => provider.functions = map.next_value_seed(Types(self.0))?,
                name if name.ends_with("_schemas") => {
                    let types = map.next_value_seed(Types(self.0))?;
                    provider.sections.insert(name.into(), types);
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(provider)
    }
}

impl<'de> Types<'de> {
    fn read<A: MapAccess<'de>>(self, mut map: A) -> Result<Section, A::Error> {
        let mut types = Section::default();
        while let Some(name) = map.next_key::<String>()? {
            let entry = self.0.entry(&mut map)?;
            types.insert(name.into(), entry);
        }
        Ok(types)
    }
}
