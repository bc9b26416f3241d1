//! The elements of a list, the variant of an enum, and the labels and the content of a block.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use ::serde::de::value::StrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::context::Context;
use super::error::Error;
use super::input::{At, Choice, Input, Label, Member, Surroundings};
use super::pass::De;
use super::path::{Path, Step};
use super::read::{placed, read, read_or_stand_in, read_seed};
use super::{LABELED_FIELDS, messages};
use crate::source::Place;

/// The elements of a list, or blocks one by one.
pub(super) struct Elements<'a, 'c, 'de, 't> {
    cx: &'a Context<'c, 'de>,
    path: &'a Path<'a>,
    inputs: std::vec::IntoIter<Input<'t>>,
    /// The input to read next, if not all blocks in it have been read.
    again: Option<Input<'t>>,
    index: usize,
    /// True if the number of elements is fixed, so that all must be read.
    fixed: bool,
    /// For each name, the number of members, and the number of those read.
    names: HashMap<String, (usize, usize)>,
}

impl<'a, 'c, 'de, 't> Elements<'a, 'c, 'de, 't> {
    pub fn new(cx: &'a Context<'c, 'de>, path: &'a Path<'a>, inputs: Vec<Input<'t>>, fixed: bool) -> Self {
        let mut names: HashMap<String, (usize, usize)> = HashMap::new();
        for input in &inputs {
            if let Input::Item(member) = input {
                names.entry(member.name.clone().into_owned()).or_default().0 += 1;
            }
        }
        Elements { cx, path, inputs: inputs.into_iter(), again: None, index: 0, fixed, names }
    }

    fn next(&mut self) -> Option<Input<'t>> {
        self.again.take().or_else(|| self.inputs.next())
    }

    /// An object in JSON may hold more than one block.
    fn after(&mut self, input: Input<'t>) {
        self.index += 1;
        if let Input::Json(json) = &input
            && let Some(choice) = &json.choice
            && let Some(blocks) = &*choice.blocks.borrow()
        {
            choice.done.set(choice.done.get() + 1);
            if choice.done.get() < blocks.len() {
                self.again = Some(input.clone());
            }
        }
    }

    /// Calls with the path of the next element.
    fn with_path<R>(&mut self, input: &Input<'t>, read: impl FnOnce(&Context<'c, 'de>, &Path<'_>) -> R) -> R {
        let Input::Item(member) = input else {
            return read(self.cx, &self.path.then(Step::Index(self.index)));
        };
        let named = self.path.then(Step::Name(&member.name));
        match self.names.get_mut(&*member.name) {
            Some((count, done)) if *count > 1 => {
                *done += 1;
                read(self.cx, &named.then(Step::Index(*done - 1)))
            }
            _ => read(self.cx, &named),
        }
    }
}

impl<'de> de::SeqAccess<'de> for Elements<'_, '_, 'de, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(input) = self.next() else { return Ok(None) };
        let element = self.with_path(&input, |cx, path| read_seed(cx, &input, path, seed));
        self.after(input);
        element.map(Some)
    }

    /// An element that cannot be read is left out, for the result is not used then.
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Error> {
        loop {
            let Some(input) = self.next() else { return Ok(None) };
            let fixed = self.fixed;
            let element = self.with_path(&input, |cx, path| match fixed {
                true => read_or_stand_in(cx, &input, path),
                false => read(cx, &input, path),
            });
            self.after(input);
            match element {
                Ok(element) => return Ok(Some(element)),
                Err(error) if self.fixed || self.cx.is_full() => return Err(error),
                Err(_) => {}
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.inputs.len() + usize::from(self.again.is_some()))
    }
}

/// A variant of an enum.
pub(super) struct Variant<'a, 'c, 'de, 't> {
    /// The enum, with the path of the variant.
    de: De<'a, 'c, 'de, 't>,
    enum_path: &'a Path<'a>,
    name: Cow<'t, str>,
    at: At<'t>,
    /// The content of the variant besides its name.
    value: Option<Input<'t>>,
}

impl<'a, 'c, 'de, 't> Variant<'a, 'c, 'de, 't> {
    /// A variant that is just a string.
    pub fn unit(de: De<'a, 'c, 'de, 't>, name: Cow<'t, str>, at: At<'t>) -> Self {
        Variant { de, enum_path: de.path, name, at, value: None }
    }

    pub fn with_value(de: De<'a, 'c, 'de, 't>, member: Member<'t>, path: &'a Path<'a>) -> Self {
        let Member { name, at, input } = member;
        Variant { de: De { path, ..de }, enum_path: de.path, name, at, value: Some(input) }
    }

    fn de<'v>(&'v self) -> Result<De<'v, 'c, 'de, 't>, Error> {
        match &self.value {
            Some(input) => Ok(De { input, ..self.de }),
            None => Err(messages::variant_needs_value(&self.name, self.at.place(), self.de.path).into()),
        }
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, '_, 'de, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = seed.deserialize(StrDeserializer::<Error>::new(&self.name)).map_err(|error| {
            let input = Input::Text(Cow::Borrowed(&self.name), self.at);
            placed(error, self.de.cx, &input, self.enum_path)
        })?;
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, '_, 'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match &self.value {
            None => Ok(()),
            Some(_) => <()>::deserialize(self.de()?)
                .map_err(|_| messages::variant_has_no_value(&self.name, self.at.place(), self.de.path).into()),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.de()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.de()?.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.de()?.deserialize_struct("", fields, visitor)
    }
}

/// The labels of a block, for what asks for nothing else of it.
pub(super) fn surroundings_of_labels(labels: Vec<Label<'_>>, header: Place) -> Surroundings<'_> {
    Surroundings {
        labels,
        taken: Cell::new(true),
        known: true,
        header,
        block_type: "",
        others: Vec::new(),
        others_are_errors: false,
        tells_fields: false,
    }
}

/// The labels of a block, and what is in it.
pub(super) struct LabeledParts<'a, 'c, 'de, 't> {
    de: De<'a, 'c, 'de, 't>,
    labels: Option<Rc<Surroundings<'t>>>,
    value: Option<&'a Input<'t>>,
    /// In JSON the labels are known after the value has been read.
    choice: Option<Rc<Choice<'t>>>,
    is_value: bool,
}

impl<'a, 'c, 'de, 't> LabeledParts<'a, 'c, 'de, 't> {
    pub fn known(de: De<'a, 'c, 'de, 't>, labels: Rc<Surroundings<'t>>, value: &'a Input<'t>) -> Self {
        LabeledParts { de, labels: Some(labels), value: Some(value), choice: None, is_value: false }
    }

    pub fn after_value(de: De<'a, 'c, 'de, 't>, choice: Rc<Choice<'t>>, value: &'a Input<'t>) -> Self {
        LabeledParts { de, labels: None, value: Some(value), choice: Some(choice), is_value: false }
    }

    /// The labels, once the value has been read.
    fn take_labels(&mut self) -> Result<Input<'t>, Error> {
        let labels = match (self.labels.take(), self.choice.take()) {
            (Some(labels), _) => labels,
            (None, Some(choice)) => {
                let blocks = choice.blocks.borrow();
                let labels = blocks.as_ref().and_then(|blocks| blocks.get(choice.done.get()));
                let labels = labels.map(|block| block.labels.clone()).unwrap_or_default();
                Rc::new(surroundings_of_labels(labels, self.de.input.place()))
            }
            (None, None) => return Err(Error::reported()),
        };
        Ok(Input::Labels(labels))
    }
}

impl<'de> de::MapAccess<'de> for LabeledParts<'_, '_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let field = if self.value.is_some() {
            self.is_value = true;
            LABELED_FIELDS[1]
        } else if self.labels.is_some() || self.choice.is_some() {
            self.is_value = false;
            LABELED_FIELDS[0]
        } else {
            return Ok(None);
        };
        seed.deserialize(StrDeserializer::new(field)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let De { cx, path, .. } = self.de;
        if self.is_value {
            let Some(value) = self.value.take() else { return Err(Error::reported()) };
            return read_seed(cx, value, path, seed);
        }
        let labels = self.take_labels()?;
        read_seed(cx, &labels, path, seed)
    }

    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let De { cx, path, .. } = self.de;
        if self.is_value {
            let Some(value) = self.value.take() else { return Err(Error::reported()) };
            return read_or_stand_in(cx, value, path);
        }
        let labels = self.take_labels()?;
        read_or_stand_in(cx, &labels, path)
    }
}
