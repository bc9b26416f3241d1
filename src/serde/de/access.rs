//! The parts of a structure, a map, a list or an enum, one after the other.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use ::serde::de::value::StrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::context::{Context, Mark, VisitorKey};
use super::deserializer::De;
use super::error::{Error, Kind};
use super::input::{At, Choice, Input, Label, Member, Surroundings};
use super::parts::{Asking, Header, Parts, parts, take_blocks};
use super::pass::{Pass, placed, read, read_name, read_or_stand_in, read_seed};
use super::path::{Path, Step};
use super::stand_in::stand_in;
use super::suspects::{Part, refused_among};
use super::{BLOCKS_FIELD, LABEL_FIELD, LABELED_FIELDS, LABELS_FIELD, UnknownFields, messages};
use crate::diagnostic::Severity;
use crate::source::Place;

/// The parts of a structure or a map.
pub(super) struct Named<'a, 'c, 'de, 't> {
    de: De<'a, 'c, 'de, 't>,
    asking: Asking,
    /// True if only the first key tells whether it is a map, or a structure that does not say which fields it has.
    undecided: bool,
    members: Vec<Member<'t>>,
    /// The member that comes next.
    next: usize,
    /// The member whose name has been given last, until its value is asked for.
    current: Option<usize>,
    /// The members that serde has buffered.
    buffered: Vec<usize>,
    /// True if one of them could not be read.
    buffered_failed: bool,
    by_label: bool,
    around: Option<Rc<Surroundings<'t>>>,
    header: Header<'t>,
    /// The findings before the map, if it is a block without labels that is read as one.
    without_label: Option<(Mark, u64)>,
    /// The number of entries of a map so far, and below the number of those with errors.
    entries: usize,
    entries_failed: usize,
}

impl<'a, 'c, 'de, 't> Named<'a, 'c, 'de, 't> {
    pub fn new(de: De<'a, 'c, 'de, 't>, parts: Parts<'t>, asking: Asking) -> Self {
        let pass = de.pass.filter(|pass| pass.claim());
        let mut named = Named {
            de: De { pass, ..de },
            asking,
            undecided: false,
            members: Vec::new(),
            next: 0,
            current: None,
            buffered: Vec::new(),
            buffered_failed: false,
            by_label: false,
            around: None,
            header: Header::At(At::Nowhere),
            without_label: None,
            entries: 0,
            entries_failed: 0,
        };
        named.take(parts);
        named
    }

    /// Leaves it to the first key whether it is a map.
    pub fn undecided(de: De<'a, 'c, 'de, 't>) -> Self {
        let nothing = Parts::new(Vec::new(), Header::At(At::Nowhere));
        Named { undecided: true, ..Named::new(de, nothing, Asking::Map) }
    }

    /// Decides by the kind of the first key: names of fields are asked for as identifiers.
    fn decide(&mut self, are_fields: bool) -> Result<(), Error> {
        if std::mem::take(&mut self.undecided) {
            let De { cx, input, path, pass } = self.de;
            let labels_field = pass.and_then(|pass| pass.labels_field.get());
            self.asking = if are_fields { Asking::Structure { labels_field } } else { Asking::Map };
            let parts = parts(cx, input, path, self.asking)?;
            self.take(parts);
        }
        Ok(())
    }

    /// Takes the parts, and adds the fields for labels, for blocks, and those that are offered though they are missing.
    fn take(&mut self, parts: Parts<'t>) {
        let De { cx, pass, input, .. } = self.de;
        let Parts { mut members, labels, labels_known, labels_taken, by_label, header } = parts;
        (self.by_label, self.header) = (by_label, header);
        let mut absent = pass.map(|pass| pass.offered.borrow().clone()).unwrap_or_default();
        let mut labels_field = None;
        let mut others = Vec::new();
        let key = match self.asking {
            Asking::Fields(fields, key) => {
                if fields.iter().any(|field| field.starts_with('$')) {
                    labels_field = [LABEL_FIELD, LABELS_FIELD].into_iter().find(|field| fields.contains(field));
                    let has_blocks = members.iter().any(|member| member.name == BLOCKS_FIELD);
                    if fields.contains(&BLOCKS_FIELD) && !has_blocks {
                        let input = take_blocks(&mut members, fields, At::Nowhere);
                        members.push(Member { name: Cow::Borrowed(BLOCKS_FIELD), at: At::Nowhere, input });
                    }
                }
                absent.extend(cx.optional_fields(key));
                Some(key)
            }
            Asking::Structure { labels_field: field } => {
                labels_field = field;
                None
            }
            Asking::Map | Asking::Any => None,
        };
        absent.retain(|field| !members.iter().any(|member| member.name == *field));
        absent.sort_unstable();
        absent.dedup();
        // In a value, the labels of a structure are under the name of their field.
        labels_field = labels_field.filter(|field| !members.iter().any(|member| member.name == *field));
        if !absent.is_empty() {
            let unread = |member: &&Member<'t>| match self.asking {
                Asking::Fields(fields, _) => !fields.contains(&&*member.name),
                asking => asking.is_structure(),
            };
            others.extend(members.iter().filter(unread).map(|member| (member.name.clone(), member.at)));
        }
        if !labels.is_empty() || !absent.is_empty() || labels_field.is_some() {
            self.around = Some(Rc::new(Surroundings {
                labels,
                taken: Cell::new(labels_taken),
                known: labels_known,
                header: self.header.place(),
                block_type: self.header.block_type(),
                others,
                others_are_errors: matches!(cx.unknown_fields, UnknownFields::Error)
                    || pass.is_some_and(|pass| pass.refuses_names.get()),
                key,
            }));
        }
        if let Some(around) = self.around.clone() {
            members.extend(labels_field.and_then(|field| self.labels(field, &around)));
            members.extend(absent.into_iter().map(|field| Member {
                name: Cow::Borrowed(field),
                at: At::Nowhere,
                input: Input::Absent(field, around.clone()),
            }));
        }
        if let (Asking::Map, false) = (self.asking, self.by_label) {
            let may_need_label = match input {
                Input::Blocks(blocks) => blocks.iter().all(|block| block.labels_left() == 0),
                Input::Json(_) => true,
                _ => false,
            };
            self.without_label = may_need_label.then(|| (cx.mark(), cx.no_objects()));
        }
        self.members = members;
    }

    /// The field that has the labels. Without a label, it is missing.
    fn labels(&self, field: &'static str, around: &Rc<Surroundings<'t>>) -> Option<Member<'t>> {
        around.taken.set(true);
        let input = match (field, &around.labels[..]) {
            (LABEL_FIELD, []) => return None,
            (LABEL_FIELD, [first, rest @ ..]) => {
                if let Some(extra) = rest.first() {
                    self.de.cx.record(messages::extra_label(extra, self.de.path));
                }
                Input::Text(first.text.clone(), first.at)
            }
            _ => Input::Labels(around.clone()),
        };
        Some(Member { name: Cow::Borrowed(field), at: At::Nowhere, input })
    }

    /// Returns true if entries of the block that is read as a map are no objects, and none of the others is right: then
    /// they are not entries, but the content of a block that has no label.
    fn needs_label(&self, no_objects: u64) -> bool {
        self.entries_failed > 0 && self.entries_failed == self.entries && self.de.cx.no_objects() > no_objects
    }

    /// Ends reading: reports labels that nothing has taken, or that are missing, and finds out whether the type is to be
    /// asked again.
    pub fn finish<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        let De { cx, path, .. } = self.de;
        if let Some((mark, no_objects)) = self.without_label
            && self.needs_label(no_objects)
        {
            cx.go_back(mark);
            return Err(messages::missing_label(self.header.place(), self.header.block_type(), path).into());
        }
        let result = result.map_err(|error| self.refused(error));
        let asks_again = matches!(&result, Err(error) if error.asks_again());
        if let Some(around) = &self.around
            && let (false, false, Some(label)) = (asks_again, around.taken.get(), around.labels.first())
        {
            cx.record(messages::extra_label(label, path));
        }
        result
    }

    fn refused(&mut self, error: Error) -> Error {
        let De { cx, input, path, pass } = self.de;
        let Some(pass) = pass else { return error };
        match error.kind() {
            Kind::Duplicate(_) => {
                // An alias, beside the name or another alias.
                let Some(index) = self.current else { return error };
                let member = &self.members[index];
                cx.record(messages::set_twice(&member.name, member.at, path));
                pass.leave_out(index)
            }
            Kind::Missing(field) => self.missing(field, pass).unwrap_or(error),
            Kind::Type(..) | Kind::Value(..) | Kind::UnknownField(..) | Kind::UnknownVariant(..)
                if !self.buffered.is_empty() && !self.buffered_failed && pass.first.get() == 0 =>
            {
                let kind = pass.cause(error.into_kind());
                let members = std::mem::take(&mut self.members).into_iter().enumerate();
                let parts = members.filter(|(index, member)| match kind {
                    Kind::Missing(_) if cx.broken => false,
                    Kind::Missing(_) => !matches!(member.input, Input::Absent(..)),
                    // They are in the order of the members.
                    _ => self.buffered.binary_search(index).is_ok(),
                });
                let parts = parts.map(|(_, member)| Part::named(member)).collect();
                refused_among(&kind, cx, input, path, parts).into()
            }
            _ => error,
        }
    }

    /// Decides what to do about a missing field; nothing if it is to be reported.
    fn missing(&self, field: &'static str, pass: &Pass) -> Option<Error> {
        let cx = self.de.cx;
        let is_label = field == LABEL_FIELD || field == LABELS_FIELD;
        let is_any = !matches!(self.asking, Asking::Fields(..));
        if is_label && is_any && pass.labels_field.replace(Some(field)).is_none() {
            pass.is_structure.set(true);
            return Some(pass.begin_anew(cx));
        }
        if matches!(self.asking, Asking::Any) && self.by_label && !pass.is_structure.replace(true) {
            return Some(pass.begin_anew(cx));
        }
        let is_there = |member: &Member<'_>| member.name == field && !matches!(member.input, Input::Absent(..));
        if pass.offered.borrow().contains(&field) || self.members.iter().any(is_there) {
            return None;
        }
        let members = self.members.iter().filter(|member| !matches!(member.input, Input::Absent(..))).count();
        Some(pass.offer(cx, field, members, !is_any))
    }

    /// In JSON, a field has turned out to want the labels: they are told apart from the content in the next pass.
    fn split_labels(&self) -> Option<Error> {
        let De { cx, pass, .. } = self.de;
        let is_news = match self.asking {
            Asking::Fields(_, key) => cx.learn_labels_field(key),
            _ => pass?.labels_field.replace(Some(LABELS_FIELD)).is_none(),
        };
        is_news.then(|| pass.map(|pass| pass.begin_anew(cx))).flatten()
    }

    /// Moves on to the next member.
    fn advance(&mut self) -> Option<usize> {
        loop {
            let index = self.next;
            if index >= self.members.len() {
                self.current = None;
                return None;
            }
            self.next += 1;
            if !self.de.pass.is_some_and(|pass| pass.is_left_out(index)) {
                self.current = Some(index);
                return Some(index);
            }
        }
    }

    fn step<'s>(&self, name: &'s str) -> Step<'s> {
        let is_key = self.by_label || matches!(self.asking, Asking::Map);
        if is_key { Step::Label(name) } else { Step::Name(name) }
    }

    /// The path of a part. The blocks that no field asks for are parts of the body that they are in.
    fn path_of<'s>(&'s self, name: &'s str) -> Path<'s> {
        if name == BLOCKS_FIELD { *self.de.path } else { self.de.path.then(self.step(name)) }
    }

    /// Returns true if a member has been read in a pass before.
    fn is_known(&self, index: usize) -> bool {
        let Some(pass) = self.de.pass else { return false };
        match &self.members[index].input {
            Input::Absent(field, _) => pass.required.borrow().contains(field),
            _ => index < pass.first.get(),
        }
    }

    /// Notes whether serde has buffered a member, given the counts before.
    fn note_buffered(&mut self, index: usize, buffered: u64, failures: u64) {
        let cx = self.de.cx;
        if cx.buffered() > buffered && !matches!(self.asking, Asking::Fields(..)) {
            self.buffered.push(index);
            self.buffered_failed |= cx.failures() > failures;
        }
    }

    fn read_key<K: Deserialize<'de>>(&self, index: usize) -> Result<K, Error> {
        let member = &self.members[index];
        if let Asking::Fields(..) = self.asking {
            return K::deserialize(StrDeserializer::new(&member.name));
        }
        let name = Input::Text(Cow::Borrowed(&member.name), member.at);
        read_name(self.de.cx, &name, &self.de.path.then(self.step(&member.name)))
    }

    /// Reports a name that the structure refuses.
    fn unknown_field(&self, index: usize, fields: &[&'static str], severity: Severity) {
        let member = &self.members[index];
        let is_block = matches!(member.input, Input::Blocks(_));
        let De { cx, path, pass, .. } = self.de;
        if let Some(pass) = pass {
            pass.refuses_names.set(true);
        }
        cx.record(messages::unexpected(&member.name, member.at, is_block, fields, path, severity));
    }
}

/// Tells whether a type asks for an identifier, as the names of fields do.
struct AsksForIdentifier;

impl<'de> Deserializer<'de> for AsksForIdentifier {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::reported())
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Kind::Again.into())
    }

    ::serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

impl<'de> de::MapAccess<'de> for Named<'_, '_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.decide(false)?;
        let Some(index) = self.advance() else { return Ok(None) };
        let member = &self.members[index];
        if let Asking::Fields(..) = self.asking {
            return seed.deserialize(StrDeserializer::new(&member.name)).map(Some);
        }
        let De { cx, path, .. } = self.de;
        let (input, path) = (Input::Text(Cow::Borrowed(&member.name), member.at), path.then(self.step(&member.name)));
        let key = seed.deserialize(De { cx, input: &input, path: &path, pass: None });
        key.map(Some).map_err(|error| placed(error, cx, &input, &path))
    }

    /// Names that the structure refuses are reported and passed over.
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>, Error> {
        if self.undecided {
            let asks = K::deserialize(AsksForIdentifier);
            self.decide(matches!(asks, Err(error) if error.asks_again()))?;
        }
        loop {
            let Some(index) = self.advance() else { return Ok(None) };
            let severity = match (self.asking, self.de.cx.unknown_fields) {
                (Asking::Fields(fields, _), unknown) if unknown != UnknownFields::Ignore && !self.is_known(index) => {
                    let is_error = unknown == UnknownFields::Error;
                    let severity = if is_error { Severity::Error } else { Severity::Warning };
                    (!fields.contains(&&*self.members[index].name)).then_some((fields, severity))
                }
                _ => None,
            };
            if let Some((fields, severity)) = severity {
                self.unknown_field(index, fields, severity);
                continue;
            }
            match self.read_key::<K>(index) {
                Ok(key) => return Ok(Some(key)),
                Err(error) => match (error.kind(), self.asking) {
                    (Kind::UnknownField(_, fields), Asking::Fields(..)) if !self.is_known(index) => {
                        self.unknown_field(index, fields, Severity::Error);
                    }
                    (Kind::UnknownField(..), Asking::Fields(..)) => {}
                    _ => return Err(error),
                },
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some(index) = self.current.take() else { return Err(Error::reported()) };
        let cx = self.de.cx;
        let member = &self.members[index];
        let (buffered, failures) = (cx.buffered(), cx.failures());
        let result = read_seed(cx, &member.input, &self.path_of(&member.name), seed);
        self.note_buffered(index, buffered, failures);
        result
    }

    /// As the type of the value is known here, an error in it does not end the structure.
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let Some(index) = self.current.take() else { return Err(Error::reported()) };
        let De { cx, pass, .. } = self.de;
        let leave_out = |error: Error| match pass {
            Some(pass) if !cx.is_full() => pass.leave_out(index),
            _ => error,
        };
        if self.is_known(index) {
            return stand_in().map_err(leave_out);
        }
        let member = &self.members[index];
        let path = self.path_of(&member.name);
        let buffered = cx.buffered();
        let failures = cx.failures();
        let result = read(cx, &member.input, &path);
        self.note_buffered(index, buffered, failures);
        if let Input::Absent(field, around) = &self.members[index].input {
            match (&result, around.key) {
                (Ok(_), Some(key)) if cx.failures() == failures => cx.learn_optional(key, field),
                (Err(error), _) if !matches!(error.kind(), Kind::NeedsLabels) => {
                    pass.inspect(|pass| pass.required.borrow_mut().push(field));
                }
                _ => {}
            }
        }
        match result {
            Err(error) if matches!(error.kind(), Kind::NeedsLabels) => Err(self.split_labels().unwrap_or(error)),
            Err(_) if !cx.is_full() => stand_in().map_err(leave_out),
            result => result,
        }
    }

    /// An entry that cannot be read is left out.
    fn next_entry<K: Deserialize<'de>, T: Deserialize<'de>>(&mut self) -> Result<Option<(K, T)>, Error> {
        if self.undecided {
            let Some(key) = self.next_key::<K>()? else { return Ok(None) };
            if self.asking.is_structure() {
                return self.next_value().map(|value| Some((key, value)));
            }
            // The first entry is read as all others are.
            self.next -= 1;
        }
        loop {
            if self.de.cx.is_full() {
                return Err(Error::reported());
            }
            let Some(index) = self.advance() else { return Ok(None) };
            let De { cx, path, .. } = self.de;
            let member = &self.members[index];
            let failures = cx.failures();
            let path = path.then(self.step(&member.name));
            let key = self.read_key(index).map_err(|error| {
                if let Kind::Placed(diagnostics) = error.into_kind() {
                    diagnostics.into_iter().for_each(|diagnostic| cx.record(diagnostic));
                }
            });
            let value = read(cx, &member.input, &path);
            self.entries += 1;
            self.entries_failed += usize::from(cx.failures() > failures);
            if let (Ok(key), Ok(value)) = (key, value) {
                return Ok(Some((key, value)));
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

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
        key: None,
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

/// The identity of a visitor of structures.
pub(super) fn key_of<'a, 'c: 'a, 'de: 'a, 't: 'a, V: Visitor<'de>>(_: &V) -> VisitorKey {
    V::visit_map::<&mut Named<'a, 'c, 'de, 't>> as *const () as VisitorKey
}
