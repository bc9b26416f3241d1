//! The parts of a structure, a map, a list or an enum, one after the other.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use ::serde::de::value::StrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::context::{Context, Memo, TypeKey, nested, placed, read};
use super::deserializer::De;
use super::error::Error;
use super::input::{At, Choice, Input, Label, Member, Surroundings};
use super::parts::{Asking, Header, Parts, take_blocks};
use super::path::{Path, Step};
use super::words;
use super::{BLOCKS_FIELD, LABEL_FIELD, LABELED_FIELDS, LABELS_FIELD, UnknownFields};
use crate::diagnostic::Severity;
use crate::source::Place;

/// The parts of a structure or a map.
pub(super) struct Named<'a, 'c, 't> {
    cx: &'a Context<'c>,
    path: &'a Path<'a>,
    home: &'a Path<'a>,
    key: Option<TypeKey>,
    members: std::vec::IntoIter<Member<'t>>,
    /// Parts that cannot be read and come last.
    late: Vec<Member<'t>>,
    current: Option<Member<'t>>,
    by_label: bool,
    /// True if the names are keys of a map, for messages.
    has_keys: bool,
    memo: Option<Rc<Memo>>,
    around: Option<Rc<Surroundings<'t>>>,
    header: Header<'t>,
    /// The counts before the map, if it is a block without labels that is read as a map, as far as can be told.
    without_label: Option<Before>,
    /// The number of entries of a map so far, and below the number of those with errors.
    entries: usize,
    entries_failed: usize,
}

/// The counts before a map is read.
struct Before {
    found: (usize, usize),
    no_objects: u64,
}

impl<'a, 'c, 't> Named<'a, 'c, 't> {
    pub fn new(
        cx: &'a Context<'c>,
        path: &'a Path<'a>,
        home: &'a Path<'a>,
        parts: Parts<'t>,
        asking: Asking,
        memo: Option<Rc<Memo>>,
    ) -> Result<Self, Error> {
        let Parts { members, labels, labels_known, labels_taken, by_label, header } = parts;
        let mut named = Named {
            cx,
            path,
            home,
            key: None,
            members: Vec::new().into_iter(),
            late: Vec::new(),
            current: None,
            by_label,
            has_keys: false,
            memo,
            around: None,
            header,
            without_label: None,
            entries: 0,
            entries_failed: 0,
        };
        let mut members = members;
        let mut absent: Vec<&'static str> = Vec::new();
        let mut labels_field = None;
        let mut others = Vec::new();
        let mut others_are_errors = false;
        match asking {
            Asking::Fields(fields, key) => {
                named.key = Some(key);
                if fields.iter().any(|field| field.starts_with('$')) {
                    labels_field = [LABEL_FIELD, LABELS_FIELD].into_iter().find(|field| fields.contains(field));
                    if fields.contains(&BLOCKS_FIELD) {
                        let input = take_blocks(&mut members, fields, At::Nowhere);
                        members.push(Member { name: Cow::Borrowed(BLOCKS_FIELD), at: At::Nowhere, input });
                    }
                }
                others_are_errors = named.look_for_unknown(fields, &mut members, &mut others);
                absent = cx.empty_fields(key);
                if let Some(memo) = &named.memo {
                    let offered = memo.offered.borrow();
                    absent.extend(offered.iter().filter(|field| !cx.empty_fields(key).contains(field)));
                }
                absent.retain(|field| !members.iter().any(|member| member.name == *field));
                if !absent.is_empty() {
                    let unknown = members.iter().filter(|member| !fields.contains(&&*member.name));
                    others.extend(unknown.map(|member| (member.name.clone(), member.at)));
                }
            }
            Asking::Map { takes_labels, is_structure } => {
                labels_field = takes_labels;
                if let Some(memo) = &named.memo {
                    absent.extend(memo.offered.borrow().iter());
                    absent.retain(|field| !members.iter().any(|member| member.name == *field));
                }
                if is_structure && !absent.is_empty() {
                    others.extend(members.iter().map(|member| (member.name.clone(), member.at)));
                }
            }
        }
        if cx.leaves_out() {
            members.retain(|member| !cx.is_left_out(&named.path_of(&member.name)));
        }
        if !labels.is_empty() || !absent.is_empty() || labels_field.is_some() {
            named.around = Some(Rc::new(Surroundings {
                labels,
                taken: Cell::new(labels_taken),
                known: labels_known,
                header: named.header.place(),
                others,
                others_are_errors,
                key: named.key,
            }));
        }
        if let (Some(field), Some(around)) = (labels_field, named.around.clone()) {
            members.push(named.labels(field, &around)?);
        }
        if let Some(around) = &named.around {
            members.extend(absent.into_iter().map(|field| Member {
                name: Cow::Borrowed(field),
                at: At::Nowhere,
                input: Input::Absent(field, around.clone()),
            }));
        }
        named.members = members.into_iter();
        Ok(named)
    }

    /// Reports and removes names that no field asks for, unless they are ignored. Returns true if they are errors.
    fn look_for_unknown(
        &mut self,
        fields: &'static [&'static str],
        members: &mut Vec<Member<'t>>,
        others: &mut Vec<(Cow<'t, str>, At<'t>)>,
    ) -> bool {
        let refused = self.memo.as_ref().is_some_and(|memo| memo.refuses_unknown.get());
        let severity = match self.cx.unknown_fields {
            UnknownFields::Error => Severity::Error,
            _ if refused => Severity::Error,
            UnknownFields::Warn => Severity::Warning,
            UnknownFields::Ignore => return false,
        };
        members.retain(|member| {
            let is_known = fields.contains(&&*member.name);
            if !is_known {
                let is_block = matches!(member.input, Input::Blocks(_));
                let unexpected = words::unexpected(&member.name, member.at, is_block, fields, self.path, severity);
                self.cx.record(unexpected);
                others.push((member.name.clone(), member.at));
            }
            is_known
        });
        severity == Severity::Error
    }

    /// The field that has the labels.
    fn labels(&self, field: &'static str, around: &Rc<Surroundings<'t>>) -> Result<Member<'t>, Error> {
        around.taken.set(true);
        let input = match (field, &around.labels[..]) {
            (LABEL_FIELD, []) => {
                return Err(words::missing_label(around.header.clone(), self.header.block_type(), self.path).into());
            }
            (LABEL_FIELD, [first, rest @ ..]) => {
                if let Some(extra) = rest.first() {
                    self.cx.record(words::extra_label(extra, self.path));
                }
                Input::Text(first.text.clone(), first.at)
            }
            _ => Input::Labels(around.clone()),
        };
        Ok(Member { name: Cow::Borrowed(field), at: At::Nowhere, input })
    }

    /// Returns true if entries of the block that is read as a map are no objects, and none of the others is right: then
    /// they are not entries, but the content of a block that has no label.
    fn needs_label(&self, before: &Before) -> bool {
        let is_map_of_objects = self.entries_failed > 0 && self.cx.no_objects() > before.no_objects;
        is_map_of_objects && self.entries_failed == self.entries
    }

    /// The names are keys of a map, perhaps of a block without labels.
    pub fn keys(&mut self, may_need_label: bool) {
        self.has_keys = true;
        if may_need_label {
            self.without_label = Some(Before { found: self.cx.mark(), no_objects: self.cx.no_objects() });
        }
    }

    /// Says so if the block has labels that nothing has taken, or lacks one.
    pub fn finish(&self) -> Result<(), Error> {
        if let Some(before) = &self.without_label
            && self.needs_label(before)
        {
            self.cx.go_back(before.found);
            return Err(words::missing_label(self.header.place(), self.header.block_type(), self.path).into());
        }
        if let Some(around) = &self.around
            && let (false, Some(label)) = (around.taken.get(), around.labels.first())
        {
            self.cx.record(words::extra_label(label, self.path));
        }
        Ok(())
    }

    fn next(&mut self) -> Option<&Member<'t>> {
        self.current = loop {
            let Some(member) = self.members.next() else { break self.late.pop() };
            let is_late = self.memo.as_ref().is_some_and(|memo| memo.postponed.borrow().contains(&*member.name));
            if !is_late {
                break Some(member);
            }
            self.late.push(member);
        };
        self.current.as_ref()
    }

    fn step<'s>(&self, name: &'s str) -> Step<'s> {
        if self.by_label || self.has_keys { Step::Label(name) } else { Step::Name(name) }
    }

    /// The path of a part. The blocks that no field asks for are parts of the body that they are in.
    fn path_of<'s>(&'s self, name: &'s str) -> Path<'s> {
        if name == BLOCKS_FIELD { *self.path } else { self.path.then(self.step(name)) }
    }

    /// Remembers that a part cannot be read, so that the others are read before it.
    fn postpone(&self, name: &str) {
        self.cx.memo_at(self.home).postpone(name);
    }
}

impl<'de> de::MapAccess<'de> for Named<'_, '_, '_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let is_structure = self.key.is_some();
        let (cx, path) = (self.cx, self.path);
        let by_label = self.by_label || self.has_keys;
        let Some(member) = self.next() else { return Ok(None) };
        if is_structure {
            return seed.deserialize(StrDeserializer::new(&member.name)).map(Some);
        }
        let step = if by_label { Step::Label(&member.name) } else { Step::Name(&member.name) };
        let (input, path) = (Input::Text(Cow::Borrowed(&member.name), member.at), path.then(step));
        seed.deserialize(De::new(cx, &input, &path)).map(Some).map_err(|error| placed(error, &input, &path))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some(member) = self.current.take() else { return Err(Error::reported()) };
        let path = self.path_of(&member.name);
        nested(self.cx, &member.input, &path, seed).map_err(|error| {
            self.postpone(&member.name);
            placed(error, &member.input, &path)
        })
    }

    /// As the type of the value is known here, an error in it can end here.
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let Some(member) = self.current.take() else { return Err(Error::reported()) };
        let path = self.path_of(&member.name);
        let failures = self.cx.failures();
        match read(self.cx, &member.input, &path) {
            Ok(value) => {
                if let (Input::Absent(field, _), Some(key)) = (&member.input, self.key)
                    && self.cx.failures() == failures
                {
                    self.cx.can_be_empty(key, field);
                }
                Ok(value)
            }
            Err(error) if error.needs_labels() => Err(error),
            Err(error) => {
                self.postpone(&member.name);
                Err(error)
            }
        }
    }

    /// An entry that cannot be read is left out.
    fn next_entry<K: Deserialize<'de>, T: Deserialize<'de>>(&mut self) -> Result<Option<(K, T)>, Error> {
        loop {
            let Some(member) = self.next().cloned() else { return Ok(None) };
            let path = self.path.then(self.step(&member.name));
            let before = (self.cx.failures(), self.cx.mark());
            let name = Input::Text(Cow::Borrowed(&member.name), member.at);
            let key = read(self.cx, &name, &path);
            let value = read(self.cx, &member.input, &path);
            self.entries += 1;
            match (key, value) {
                (Ok(key), Ok(value)) if (self.cx.failures(), self.cx.mark()) == before => {
                    return Ok(Some((key, value)));
                }
                (Ok(key), Ok(value)) => {
                    self.entries_failed += 1;
                    return Ok(Some((key, value)));
                }
                _ => self.entries_failed += 1,
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len() + self.late.len())
    }
}

/// The elements of a list, or blocks one by one.
pub(super) struct Elements<'a, 'c, 't> {
    cx: &'a Context<'c>,
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

impl<'a, 'c, 't> Elements<'a, 'c, 't> {
    pub fn new(cx: &'a Context<'c>, path: &'a Path<'a>, inputs: Vec<Input<'t>>, fixed: bool) -> Self {
        let mut names: HashMap<String, (usize, usize)> = HashMap::new();
        for input in &inputs {
            if let Input::Item(member) = input {
                names.entry(member.name.clone().into_owned()).or_default().0 += 1;
            }
        }
        Elements { cx, path, inputs: inputs.into_iter(), again: None, index: 0, fixed, names }
    }

    /// The next element, and its number among those of its name.
    fn next(&mut self) -> Option<Input<'t>> {
        loop {
            let next = self.again.take().or_else(|| self.inputs.next())?;
            if matches!(next, Input::Item(_)) || !self.cx.is_left_out(&self.path.then(Step::Index(self.index))) {
                return Some(next);
            }
            self.after(next);
        }
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
    fn with_path<R>(&mut self, input: &Input<'t>, read: impl FnOnce(&Context<'c>, &Path<'_>) -> R) -> R {
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

impl<'de> de::SeqAccess<'de> for Elements<'_, '_, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(input) = self.next() else { return Ok(None) };
        let element = self
            .with_path(&input, |cx, path| nested(cx, &input, path, seed).map_err(|error| placed(error, &input, path)));
        self.after(input);
        element.map(Some)
    }

    /// An element that cannot be read is left out, for the result is not used then.
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Error> {
        loop {
            let Some(input) = self.next() else { return Ok(None) };
            let element = self.with_path(&input, |cx, path| read(cx, &input, path));
            self.after(input);
            match element {
                Ok(element) => return Ok(Some(element)),
                Err(error) if self.fixed => return Err(error),
                Err(_) => {}
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.inputs.len() + usize::from(self.again.is_some()))
    }
}

/// A variant of an enum.
pub(super) struct Variant<'a, 'c, 't> {
    cx: &'a Context<'c>,
    path: &'a Path<'a>,
    home: &'a Path<'a>,
    name: Cow<'t, str>,
    at: At<'t>,
    /// The content of the variant besides its name.
    value: Option<Input<'t>>,
}

impl<'a, 'c, 't> Variant<'a, 'c, 't> {
    /// A variant that is just a string.
    pub fn unit(de: De<'a, 'c, 't>, name: Cow<'t, str>, at: At<'t>) -> Self {
        Variant { cx: de.cx, path: de.path, home: de.home, name, at, value: None }
    }

    pub fn with_value(de: De<'a, 'c, 't>, member: Member<'t>, path: &'a Path<'a>) -> Self {
        let Member { name, at, input } = member;
        Variant { cx: de.cx, path, home: de.home, name, at, value: Some(input) }
    }

    fn value(&self) -> Result<&Input<'t>, Error> {
        match &self.value {
            Some(value) => Ok(value),
            None => Err(words::variant_needs_value(&self.name, self.at.place(), self.path).into()),
        }
    }

    fn de<'v>(&'v self) -> Result<De<'v, 'c, 't>, Error> {
        Ok(De { cx: self.cx, input: self.value()?, path: self.path, home: self.home })
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, '_, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name = seed.deserialize(StrDeserializer::<Error>::new(&self.name)).map_err(|error| {
            let input = Input::Text(Cow::Borrowed(&self.name), self.at);
            placed(error, &input, self.home)
        })?;
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, '_, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match &self.value {
            None => Ok(()),
            Some(_) => <()>::deserialize(self.de()?)
                .map_err(|_| words::variant_has_no_value(&self.name, self.at.place(), self.path).into()),
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
        others: Vec::new(),
        others_are_errors: false,
        key: None,
    }
}

/// The labels of a block, and what is in it.
pub(super) struct LabeledParts<'a, 'c, 't> {
    de: De<'a, 'c, 't>,
    labels: Option<Rc<Surroundings<'t>>>,
    value: Option<&'a Input<'t>>,
    /// In JSON the labels are known after the value has been read.
    choice: Option<Rc<Choice<'t>>>,
    is_value: bool,
}

impl<'a, 'c, 't> LabeledParts<'a, 'c, 't> {
    pub fn known(de: De<'a, 'c, 't>, labels: Rc<Surroundings<'t>>, value: &'a Input<'t>) -> Self {
        LabeledParts { de, labels: Some(labels), value: Some(value), choice: None, is_value: false }
    }

    pub fn after_value(de: De<'a, 'c, 't>, choice: Rc<Choice<'t>>, value: &'a Input<'t>) -> Self {
        LabeledParts { de, labels: None, value: Some(value), choice: Some(choice), is_value: false }
    }
}

impl<'de> de::MapAccess<'de> for LabeledParts<'_, '_, '_> {
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
        if self.is_value {
            let Some(value) = self.value.take() else { return Err(Error::reported()) };
            return seed.deserialize(De { input: value, ..self.de });
        }
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
        let input = Input::Labels(labels);
        seed.deserialize(De { input: &input, ..self.de })
    }
}
