//! JSON documents whose properties keep their order.

use hcl_lr::internal::json_writer::{JsonWriter, plain_string};
use hcl_lr::model::Value;
use hcl_lr::model::json::encode_implied;
use hcl_lr::stack;

/// The blanks of each level.
const INDENT: usize = 2;

/// A JSON value whose properties keep their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Bool(bool),
    /// Text in JSON.
    Raw(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn object<K: Into<String>>(properties: impl IntoIterator<Item = (K, Json)>) -> Json {
        Json::Object(properties.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Json {
        Json::Array(texts.into_iter().map(Json::text).collect())
    }

    /// Converts a value to JSON; `None` if a part of it is unknown or sensitive.
    pub fn of_value(value: &Value) -> Option<Json> {
        encode_implied(value).ok().map(Json::Raw)
    }

    /// Adds a property to an object.
    pub fn with(mut self, name: impl Into<String>, value: Json) -> Json {
        if let Json::Object(properties) = &mut self {
            properties.push((name.into(), value));
        }
        self
    }

    /// Adds a property to an object, if there is a value.
    pub fn with_some(self, name: &str, value: Option<Json>) -> Json {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The document as text, indented, with a newline at its end.
    pub fn to_text(&self) -> String {
        let mut writer = JsonWriter::new(INDENT, plain_string);
        self.write(&mut writer);
        let mut text = writer.finish();
        text.push('\n');
        text
    }

    fn write(&self, to: &mut JsonWriter) {
        match self {
            Json::Bool(value) => to.raw(if *value { "true" } else { "false" }),
            Json::Raw(text) => to.raw(text),
            Json::Text(text) => to.string(text),
            Json::Array(elements) => stack::with_room(|| {
                to.open('[');
                elements.iter().for_each(|element| element.write(to));
                to.close(']');
            }),
            Json::Object(properties) => stack::with_room(|| {
                to.open('{');
                for (name, value) in properties {
                    to.name(name);
                    value.write(to);
                }
                to.close('}');
            }),
        }
    }
}
