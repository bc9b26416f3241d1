//! Reads a file without a type: blocks are objects, several of a type a list, labels the keys of objects around them.

use std::collections::BTreeMap;
use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_spanned::Spanned;

use hcl_lr::body::Body;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::typed::Reader;

/// A value with its place in the source.
pub(crate) type Placed = Spanned<Untyped>;

#[derive(Clone, Debug)]
pub(crate) enum Untyped {
    Null,
    Bool(bool),
    /// An integer that `i128` holds.
    Integer(i128),
    /// An integer that is larger.
    Large(u128),
    Float(f64),
    Text(String),
    List(Vec<Placed>),
    Object(BTreeMap<String, Placed>),
}

/// The attributes and blocks of a body. What has one of the names is a list even if there is only one; a name
/// within others is written with dots, `service.listener`.
pub(crate) fn read(
    body: &Body,
    reader: &Reader<'_>,
    lists: &[String],
) -> Result<BTreeMap<String, Placed>, Diagnostics> {
    let (mut entries, _) = reader.read_body::<BTreeMap<String, Placed>>(body)?;
    for path in lists {
        let names: Vec<&str> = path.split('.').collect();
        make_lists(&mut entries, &names);
    }
    Ok(entries)
}

fn make_lists(entries: &mut BTreeMap<String, Placed>, names: &[&str]) {
    let [name, rest @ ..] = names else { return };
    let Some(value) = entries.get_mut(*name) else { return };
    if rest.is_empty() {
        if !matches!(value.get_ref(), Untyped::List(_) | Untyped::Null) {
            let span = value.span();
            let only = std::mem::replace(value, Spanned::new(span.clone(), Untyped::Null));
            *value = Spanned::new(span, Untyped::List(vec![only]));
        }
        return;
    }
    match value.get_mut() {
        Untyped::Object(inner) => make_lists(inner, rest),
        Untyped::List(elements) => {
            for element in elements {
                if let Untyped::Object(inner) = element.get_mut() {
                    make_lists(inner, rest);
                }
            }
        }
        _ => {}
    }
}

impl<'de> Deserialize<'de> for Untyped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UntypedVisitor)
    }
}

struct UntypedVisitor;

impl<'de> Visitor<'de> for UntypedVisitor {
    type Value = Untyped;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Untyped, E> {
        Ok(Untyped::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Untyped, E> {
        Ok(Untyped::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Untyped, E> {
        Ok(Untyped::Integer(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Untyped, E> {
        Ok(Untyped::Integer(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Untyped, E> {
        Ok(Untyped::Integer(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Untyped, E> {
        Ok(i128::try_from(value).map_or(Untyped::Large(value), Untyped::Integer))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Untyped, E> {
        Ok(Untyped::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Untyped, E> {
        Ok(Untyped::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Untyped, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(Untyped::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Untyped, A::Error> {
        let mut object = BTreeMap::new();
        while let Some((name, value)) = entries.next_entry()? {
            object.insert(name, value);
        }
        Ok(Untyped::Object(object))
    }
}
