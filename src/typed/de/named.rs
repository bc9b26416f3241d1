//! The parts of a structure or a map, one after the other.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use ::serde::de::value::StrDeserializer;
use ::serde::de::{self, Deserialize, DeserializeSeed, Deserializer, Visitor};

use super::context::{Mark, TypeKey};
use super::error::{Error, Kind};
use super::hidden::refused_within;
use super::input::{At, Input, Label, Member, Surroundings};
use super::members::{parts, take_blocks};
use super::options::UnknownFields;
use super::parts::{Header, Parts, Request};
use super::pass::{De, Pass};
use super::path::{Path, Step};
use super::read::{placed, read, read_name, read_seed};
use super::stand_in::stand_in;
use super::{BLOCKS_FIELD, LABEL_FIELD, LABELS_FIELD, is_labels_field, messages};
use crate::diagnostic::Severity;

/// The parts of a structure or a map.
pub(super) struct Named<'a, 'c, 'de, 't> {
    de: De<'a, 'c, 'de, 't>,
    request: Request,
    key: TypeKey,
    /// True if only the first key tells whether it is a map, or a structure that does not say which fields it has.
    undecided: bool,
    members: Vec<Member<'t>>,
    /// The number of members that are there. After them are the fields that are offered though they are missing.
    present: usize,
    /// The number of those fields that were known at first. They come first; those learned meanwhile come last.
    early: usize,
    /// The position of the member that comes next.
    next: usize,
    /// The member whose name has been given last, until its value is asked for.
    current: Option<usize>,
    /// The members that the type took as they are.
    buffered: Vec<usize>,
    /// True if one of them could not be read.
    buffered_failed: bool,
    by_label: bool,
    around: Option<Rc<Surroundings<'t>>>,
    header: Header<'t>,
    /// The entries of a map that may be the content of a block without a label instead.
    entries: Option<Entries>,
}

/// The entries of a map so far.
struct Entries {
    /// The findings before.
    start: Mark,
    no_objects: u64,
    count: usize,
    failed: usize,
}

impl<'a, 'c, 'de, 't> Named<'a, 'c, 'de, 't> {
    pub fn new(de: De<'a, 'c, 'de, 't>, parts: Parts<'t>, request: Request, key: TypeKey) -> Self {
        let pass = de.pass.filter(|pass| pass.claim(key));
        let mut named = Named {
            de: De { pass, ..de },
            request,
            key,
            undecided: false,
            members: Vec::new(),
            present: 0,
            early: 0,
            next: 0,
            current: None,
            buffered: Vec::new(),
            buffered_failed: false,
            by_label: false,
            around: None,
            header: Header::At(At::Nowhere),
            entries: None,
        };
        named.take(parts);
        named
    }

    /// Leaves it to the first key whether it is a map.
    pub fn undecided(de: De<'a, 'c, 'de, 't>, key: TypeKey) -> Self {
        let nothing = Parts::new(Vec::new(), Header::At(At::Nowhere));
        Named { undecided: true, ..Named::new(de, nothing, Request::Map, key) }
    }

    /// Decides by the kind of the first key: names of fields are asked for as identifiers.
    fn decide(&mut self, are_fields: bool) -> Result<(), Error> {
        if std::mem::take(&mut self.undecided) {
            let De { cx, input, path, .. } = self.de;
            let structure = || Request::Structure { labels_field: cx.labels_field(self.key) };
            self.request = if are_fields { structure() } else { Request::Map };
            let parts = parts(cx, input, path, self.request)?;
            self.take(parts);
        }
        Ok(())
    }

    /// Takes the parts, and adds the fields for labels, for blocks, and those that are offered though they are missing.
    fn take(&mut self, parts: Parts<'t>) {
        let De { cx, input, .. } = self.de;
        let Parts { mut members, labels, labels_known, labels_taken, by_label, header } = parts;
        (self.by_label, self.header) = (by_label, header);
        let mut labels_field = match self.request {
            Request::Fields(fields, _) if fields.iter().any(|field| field.starts_with('$')) => {
                let has_blocks = members.iter().any(|member| member.name == BLOCKS_FIELD);
                if fields.contains(&BLOCKS_FIELD) && !has_blocks {
                    let input = take_blocks(&mut members, fields, At::Nowhere);
                    members.push(Member { name: Cow::Borrowed(BLOCKS_FIELD), at: At::Nowhere, input });
                }
                [LABEL_FIELD, LABELS_FIELD].into_iter().find(|field| fields.contains(field))
            }
            Request::Structure { labels_field } => labels_field,
            _ => None,
        };
        let absent = self.absent(&members);
        // In a value, the labels of a structure are under the name of their field.
        labels_field = labels_field.filter(|field| !members.iter().any(|member| member.name == *field));
        self.members = members;
        if !labels.is_empty() || !absent.is_empty() || labels_field.is_some() {
            self.surround(labels, labels_known, labels_taken);
        }
        if let (Some(field), Some(around)) = (labels_field, &self.around) {
            let labels = self.labels(field, around);
            self.members.extend(labels);
        }
        self.present = self.members.len();
        self.early = absent.len();
        self.offer(absent);
        let may_need_label = match input {
            Input::Blocks(blocks) => blocks.iter().all(|block| block.labels_left() == 0),
            Input::Json(_) => true,
            _ => false,
        };
        if matches!(self.request, Request::Map) && !self.by_label && may_need_label {
            self.entries = Some(Entries { start: cx.mark(), no_objects: cx.no_objects(), count: 0, failed: 0 });
        }
    }

    /// Notes the facts about the body for fields that are missing in it.
    fn surround(&mut self, labels: Vec<Label<'t>>, labels_known: bool, labels_taken: bool) {
        let De { cx, pass, .. } = self.de;
        let is_unread = |member: &&Member<'t>| match self.request {
            Request::Fields(fields, _) => !fields.contains(&&*member.name),
            request => request.is_structure(),
        };
        self.around = Some(Rc::new(Surroundings {
            labels,
            taken: Cell::new(labels_taken),
            known: labels_known,
            header: self.header.place(),
            block_type: self.header.block_type(),
            others: self.members.iter().filter(is_unread).map(|member| (member.name.clone(), member.at)).collect(),
            others_are_errors: matches!(cx.options.unknown_fields, UnknownFields::Error)
                || pass.is_some_and(|pass| pass.refuses_names.get()),
            tells_fields: matches!(self.request, Request::Fields(..)),
        }));
    }

    /// Adds fields that are missing to the members.
    fn offer(&mut self, absent: Vec<&'static str>) {
        if !absent.is_empty() && self.around.is_none() {
            self.surround(Vec::new(), true, false);
        }
        if let Some(around) = &self.around {
            self.members.extend(absent.into_iter().map(|field| Member {
                name: Cow::Borrowed(field),
                at: At::Nowhere,
                input: Input::Absent(field, around.clone()),
            }));
        }
    }

    /// The fields that are offered though they are missing.
    fn absent(&self, members: &[Member<'t>]) -> Vec<&'static str> {
        if !self.request.is_structure() {
            return Vec::new();
        }
        let facts = self.de.cx.facts(self.key);
        let offered = self.de.pass.map(|pass| pass.offered.borrow().clone()).unwrap_or_default();
        let mut absent: Vec<&'static str> = Vec::new();
        for field in facts.optional.into_iter().chain(offered) {
            let names =
                |name: &str| name == field || facts.aliases.iter().any(|(alias, of)| alias == name && *of == field);
            if !absent.contains(&field) && !members.iter().any(|member| names(&member.name)) {
                absent.push(field);
            }
        }
        absent
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

    /// Ends reading: reports labels that nothing has taken, and finds out whether the type is to be asked again.
    pub fn finish<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        let De { cx, path, .. } = self.de;
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
            Kind::Duplicate(field) => self.duplicate(field, pass).unwrap_or(error),
            Kind::Missing(field) => self.missing(field, pass).unwrap_or(error),
            // Its parts have been read, and there is no substitute.
            Kind::Reported | Kind::Placed(_) | Kind::Again | Kind::NeedsLabels => error,
            kind if !self.buffered.is_empty() && !self.buffered_failed && !pass.has_read(0) => {
                let buffered: Vec<&str> = self.buffered.iter().map(|&index| &*self.members[index].name).collect();
                refused_within(kind, cx, input, path, Some(&buffered)).into()
            }
            _ => error,
        }
    }

    /// Decides what to do about an alias beside the name or another alias.
    fn duplicate(&self, field: &'static str, pass: &Pass) -> Option<Error> {
        let cx = self.de.cx;
        let index = self.current?;
        let member = &self.members[index];
        if index >= self.present {
            // It has been offered too late to see the other name.
            return Some(pass.begin_anew(cx));
        }
        if self.members[self.present..].iter().any(|absent| absent.name == field) {
            // It has been offered, and is there under another name.
            cx.learn(self.key, |facts| facts.aliases.push((member.name.clone().into_owned(), field)));
            return Some(pass.begin_anew(cx));
        }
        cx.record(messages::set_twice(&member.name, member.at, self.de.path));
        Some(pass.leave_out(index, self.present))
    }

    /// Decides what to do about a missing field; nothing if it is to be reported.
    fn missing(&self, field: &'static str, pass: &Pass) -> Option<Error> {
        let cx = self.de.cx;
        let is_any = !matches!(self.request, Request::Fields(..));
        let known = || cx.facts(self.key);
        if is_labels_field(field) && is_any && known().labels_field.is_none() {
            cx.learn(self.key, |facts| (facts.labels_field, facts.is_structure) = (Some(field), true));
            return Some(pass.begin_anew(cx));
        }
        if matches!(self.request, Request::Any) && self.by_label && !known().is_structure {
            cx.learn(self.key, |facts| facts.is_structure = true);
            return Some(pass.begin_anew(cx));
        }
        // A buffered part is read once.
        if !self.request.is_structure() || self.members.iter().any(|member| member.name == field) {
            return None;
        }
        Some(pass.offer(cx, field, self.present))
    }

    /// In JSON, a field has turned out to want the labels: they are told apart from the content in the next pass.
    fn split_labels(&self) -> Option<Error> {
        let De { cx, pass, .. } = self.de;
        let pass = pass.filter(|_| cx.labels_field(self.key).is_none())?;
        cx.learn(self.key, |facts| facts.labels_field = Some(LABELS_FIELD));
        Some(pass.begin_anew(cx))
    }

    /// Moves on to the next member.
    fn advance(&mut self) -> Option<usize> {
        loop {
            if self.next == self.early + self.present {
                // Inner structures of the same type may have taught something.
                let late = self.absent(&self.members);
                self.offer(late);
            }
            if self.next >= self.members.len() {
                self.current = None;
                return None;
            }
            let index = match self.next {
                position if position < self.early => self.present + position,
                position if position < self.early + self.present => position - self.early,
                position => position,
            };
            self.next += 1;
            if !self.de.pass.is_some_and(|pass| pass.is_left_out(index)) {
                self.current = Some(index);
                return Some(index);
            }
        }
    }

    fn step<'s>(&self, name: &'s str) -> Step<'s> {
        let is_key = self.by_label || matches!(self.request, Request::Map);
        if is_key { Step::Label(name) } else { Step::Name(name) }
    }

    /// The path of a part. The blocks that no field asks for are parts of the body that they are in.
    fn path_of<'s>(&'s self, name: &'s str) -> Path<'s> {
        if name == BLOCKS_FIELD { *self.de.path } else { self.de.path.then(self.step(name)) }
    }

    /// Returns true if a member has been read in a pass before.
    fn is_known(&self, index: usize) -> bool {
        index < self.present && self.de.pass.is_some_and(|pass| pass.has_read(index))
    }

    /// Reads the value of a member, and notes whether the type took it as it is.
    fn read_member<R>(&mut self, index: usize, read: impl FnOnce(&Self, &Input<'t>, &Path<'_>) -> R) -> R {
        let cx = self.de.cx;
        let (buffered, failures) = (cx.buffered(), cx.failures());
        let member = &self.members[index];
        let result = read(self, &member.input, &self.path_of(&member.name));
        if cx.buffered() > buffered && !matches!(self.request, Request::Fields(..)) {
            self.buffered.push(index);
            self.buffered_failed |= cx.failures() > failures;
        }
        result
    }

    fn read_key<K: Deserialize<'de>>(&self, index: usize) -> Result<K, Error> {
        let member = &self.members[index];
        if let Request::Fields(..) = self.request {
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

    /// Reads the value of an entry, or of what would be one if the block had a label.
    fn read_entry<T: Deserialize<'de>>(&mut self, index: usize) -> Result<T, Error> {
        let cx = self.de.cx;
        let failures = cx.failures();
        let value = self.read_member(index, |named, input, path| read(named.de.cx, input, path));
        if let Some(entries) = &mut self.entries {
            entries.count += 1;
            entries.failed += usize::from(cx.failures() > failures);
        }
        value
    }

    /// If entries are no objects and none of the others is right, then they are no entries, but the content of a block
    /// that has no label. Its other errors are those of the type that a block with a label has.
    fn report_missing_label<T: Deserialize<'de>>(&mut self) {
        let De { cx, input, path, .. } = self.de;
        let Some(Entries { start, no_objects, count, failed }) = self.entries.take() else { return };
        if failed == 0 || failed < count || cx.no_objects() == no_objects {
            return;
        }
        cx.go_back(start);
        cx.forget_no_objects(no_objects);
        cx.record(messages::missing_label(self.header.place(), self.header.block_type(), path));
        cx.once(|| drop(read::<T>(cx, input, path)));
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
        if let Request::Fields(..) = self.request {
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
            let is_known = self.is_known(index);
            if let Request::Fields(fields, _) = self.request
                && let Some(severity) = self.de.cx.options.unknown_fields.severity()
                && !fields.contains(&&*self.members[index].name)
            {
                if !is_known {
                    self.unknown_field(index, fields, severity);
                }
                continue;
            }
            match self.read_key::<K>(index) {
                Ok(key) => return Ok(Some(key)),
                Err(error) => match (error.kind(), self.request) {
                    (Kind::UnknownField(_, fields), Request::Fields(..)) if !is_known => {
                        self.unknown_field(index, fields, Severity::Error);
                    }
                    (Kind::UnknownField(..), Request::Fields(..)) => {}
                    _ => return Err(error),
                },
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some(index) = self.current.take() else { return Err(Error::reported()) };
        self.read_member(index, |named, input, path| read_seed(named.de.cx, input, path, seed))
    }

    /// As the type of the value is known here, an error in it does not end the structure.
    fn next_value<T: Deserialize<'de>>(&mut self) -> Result<T, Error> {
        let Some(index) = self.current.take() else { return Err(Error::reported()) };
        let (De { cx, pass, .. }, present) = (self.de, self.present);
        let leave_out = |error: Error| match pass {
            Some(pass) if !cx.is_full() => pass.leave_out(index, present),
            _ => error,
        };
        if self.is_known(index) {
            return stand_in().map_err(leave_out);
        }
        let failures = cx.failures();
        let result = self.read_member(index, |_, input, path| read(cx, input, path));
        if let (Input::Absent(field, _), true) = (&self.members[index].input, cx.failures() == failures) {
            cx.learn_optional(self.key, field);
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
            if self.request.is_structure() {
                return self.next_value().map(|value| Some((key, value)));
            }
            // The first entry is read as all others are.
            self.next -= 1;
        }
        loop {
            if self.de.cx.is_full() {
                return Err(Error::reported());
            }
            let Some(index) = self.advance() else {
                self.report_missing_label::<T>();
                return Ok(None);
            };
            let key = self.read_key(index).map_err(|error| {
                if let Kind::Placed(diagnostics) = error.into_kind() {
                    diagnostics.into_iter().for_each(|diagnostic| self.de.cx.record(diagnostic));
                }
            });
            let value = self.read_entry(index);
            if let (Ok(key), Ok(value)) = (key, value) {
                return Ok(Some((key, value)));
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// The identity of a structure, by its visitor and the names of its fields.
pub(super) fn key_of<'a, 'c: 'a, 'de: 'a, 't: 'a, V: Visitor<'de>>(_: &V, fields: &[&str]) -> TypeKey {
    TypeKey {
        visitor: V::visit_map::<&mut Named<'a, 'c, 'de, 't>> as *const () as usize,
        fields: fields.as_ptr() as usize,
    }
}
