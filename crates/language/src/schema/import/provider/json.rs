//! JSON values that borrow their strings from the document.
//!
//! They exist only while the schema of a type is read, and mostly hold names and short words. So objects are lists,
//! and strings without escapes are not copied.

use hcl_lr::internal::sort_by;
use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value.
pub(super) enum Json<'t> {
    Null,
    Bool(bool),
    Number(Option<u64>),
    Text(Cow<'t, str>),
    Array(Vec<Json<'t>>),
    Object(Object<'t>),
}

/// The members of an object, sorted by name. Of duplicate names, the last one counts.
pub(super) struct Object<'t>(Vec<(Cow<'t, str>, Json<'t>)>);

impl<'t> Json<'t> {
    /// Reads a text. Returns `None` if it is not JSON, or too deeply nested.
    pub fn read(text: &'t str) -> Option<Json<'t>> {
        serde_json::from_str(text).ok()
    }

    pub fn get(&self, name: &str) -> Option<&Json<'t>> {
        self.as_object()?.get(name)
    }

    pub fn as_object(&self) -> Option<&Object<'t>> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Json<'t>]> {
        match self {
            Json::Array(elements) => Some(elements),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the number if it is a whole number and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(number) => *number,
            _ => None,
        }
    }
}

impl<'t> Object<'t> {
    pub fn get(&self, name: &str) -> Option<&Json<'t>> {
        let at = self.0.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(&self.0[at].1)
    }

    /// Returns the members sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json<'t>)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(Some(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(u64::try_from(value).ok()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Json::Number(None))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members: Vec<(Cow<'de, str>, Json<'de>)> = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            members.push((name, map.next_value()?));
        }
        // Documents usually have their names sorted.
        if !members.is_sorted_by(|(left, _), (right, _)| left < right) {
            // The sort is stable, so after reversing, the last member of a name comes first.
            members.reverse();
            sort_by(&mut members, |(left, _), (right, _)| left.cmp(right));
            members.dedup_by(|(left, _), (right, _)| left == right);
        }
        Ok(Json::Object(Object(members)))
    }
}

/// The name of a member, copied only if it has escapes.
struct Name<'t>(Cow<'t, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
