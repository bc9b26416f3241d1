//! Finds out the kind of element that a list wants, for advice about input that is no list.

use std::cell::Cell;

use ::serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, Visitor};
use serde_spanned::de::{SpannedDeserializer, is_spanned};

use super::error::{Error, Kind};
use super::{BLOCK, is_labels_field};
use crate::typed::wrappers::labels_of_name;

/// The kind of the elements of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Element {
    /// A scalar, or a type that takes anything.
    Plain,
    /// A structure or a map, which is usually written as a block.
    Block {
        /// The number of its labels, as far as it is known.
        labels: usize,
        /// True if an object is refused.
        only: bool,
    },
}

/// Asks the visitor of a list for an element, which it does not get.
pub(super) fn wanted_by<'de, V: Visitor<'de>>(visitor: V) -> Element {
    let wanted = Cell::new(Element::Plain);
    // The error tells nothing: the question is the result.
    let _ = visitor.visit_seq(One(&wanted));
    wanted.get()
}

struct One<'w>(&'w Cell<Element>);

impl<'de> de::SeqAccess<'de> for One<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        seed.deserialize(Question(self.0)).map(Some)
    }
}

/// Remembers what it is asked for, and has nothing to give.
#[derive(Clone, Copy)]
struct Question<'w>(&'w Cell<Element>);

impl Question<'_> {
    fn block<T>(self, labels: usize, only: bool) -> Result<T, Error> {
        self.0.set(Element::Block { labels, only });
        Err(Kind::Reported.into())
    }
}

impl<'de> Deserializer<'de> for Question<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Kind::Reported.into())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match name {
            BLOCK => self.block(0, true),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.block(0, false)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if is_spanned(name) {
            return visitor.visit_map(SpannedDeserializer::new(self, 0..0));
        }
        match labels_of_name(name) {
            Some(count) => self.block(count.unwrap_or(1), true),
            None => self.block(fields.iter().filter(|field| is_labels_field(field)).count(), false),
        }
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Question<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
