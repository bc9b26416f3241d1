//! Finds the wrong part of buffered input, if serde's message does not tell it.
//!
//! The parts are read with some of them left out. Entries are read in the order of the file, so there is one
//! without which the message is another, and with which alone it is the same: that is the one that is meant.
//! The same is done for what is in it.

use ::serde::de::Deserialize;

use super::context::Context;
use super::context::HashSet;
use super::deserializer::De;
use super::error::{Error, Kind};
use super::input::{At, Input, Member};
use super::locate::{in_words, inner_parts};
use super::look::look;
use super::parts::{Asking, parts};
use super::path::{Path, Step};
use super::words::{self, Inner, Named};
use crate::diagnostic::{Diagnostic, Severity};
use crate::syntax::similar_name;

/// The depth to which parts are searched.
const MAX_DEPTH: usize = 32;

/// An error, and its path.
pub(super) struct Narrowed {
    /// The diagnostic, unless it follows from a reported one.
    pub diagnostic: Option<Diagnostic>,
    pub path: String,
}

/// Finds the part of an input because of which a type has said something.
pub(super) fn narrow<'de, T: Deserialize<'de>>(
    kind: Kind,
    cx: &Context<'_>,
    input: &Input<'_>,
    path: &Path<'_>,
) -> Option<Narrowed> {
    let again = || T::deserialize(De::new(cx, input, path)).err();
    let buffered = cx.watching(again);
    let error = Error::from(kind);
    let mut search = Search {
        cx,
        buffered,
        message: error.to_string(),
        kind: error.into_kind(),
        left_out: HashSet::default(),
        again: &again,
    };
    search.within(input, path, 0)
}

struct Search<'s, 'c> {
    cx: &'s Context<'c>,
    /// The paths of what serde has buffered.
    buffered: HashSet<String>,
    message: String,
    kind: Kind,
    left_out: HashSet<String>,
    again: &'s dyn Fn() -> Option<Error>,
}

impl Search<'_, '_> {
    fn within(&mut self, input: &Input<'_>, path: &Path<'_>, depth: usize) -> Option<Narrowed> {
        let mut parts = inner_parts(self.cx, input, path);
        self.cx.look_again(parts.len());
        let step_to = |part: &Part<'_>| path.then(part.step()).to_string();
        // A field is missing in an object or a block.
        let holds_names = matches!(self.kind, Kind::Missing(_));
        parts.retain(|part| {
            self.buffered.contains(&step_to(part))
                && !self.cx.is_left_out(&path.then(part.step()))
                && (!holds_names || part.member.input.has_parts())
        });
        if parts.is_empty() || depth > MAX_DEPTH {
            return None;
        }
        let paths: Vec<String> = parts.iter().map(step_to).collect();
        // Between these, the message changes.
        let (mut with, mut without) = (0, parts.len());
        if self.says_the_same(&paths[..without]) {
            return None;
        }
        while without - with > 1 {
            let middle = with + (without - with) / 2;
            if self.says_the_same(&paths[..middle]) { with = middle } else { without = middle }
        }
        let others = paths.iter().enumerate().filter(|(at, _)| *at != with);
        self.left_out.extend(others.map(|(_, path)| path.clone()));
        if !self.says_the_same(&[]) {
            return None;
        }
        let part = &parts[with];
        let inner = path.then(part.step());
        if let Some(found) = self.within(&part.member.input, &inner, depth + 1) {
            return Some(found);
        }
        let diagnostic = match &self.kind {
            Kind::UnknownField(name, fields) if *name == part.member.name => {
                let is_block = matches!(part.member.input, Input::Blocks(_));
                Some(words::unexpected(name, part.member.at, is_block, fields, path, Severity::Error))
            }
            Kind::Missing(field) => {
                let others = names(self.cx, &part.member.input, &inner);
                let similar = similar_name(field, others.iter().map(|(name, _)| &**name));
                match similar.is_some_and(|name| self.cx.is_left_out(&inner.then(Step::Name(name)))) {
                    // The field exists under a name that has been reported.
                    true => None,
                    false => {
                        let place = part.member.input.place();
                        Some(words::missing(place, &inner, field, &others, words::Others::Perhaps))
                    }
                }
            }
            kind => Some(refused(kind, self.cx, &part.member.input, &inner)),
        };
        Some(Narrowed { diagnostic, path: inner.to_string() })
    }

    /// Returns true if the type reports the same error without these parts.
    fn says_the_same(&mut self, without: &[String]) -> bool {
        if !self.cx.may_read_again() {
            return false;
        }
        let left_out = self.left_out.iter().chain(without).cloned();
        match self.cx.leaving_out(left_out, self.again) {
            Some(error) if error.to_string() == self.message => {
                if without.is_empty() {
                    // With nothing else in it, what has been tried is about this part.
                    self.kind = error.into_kind();
                }
                true
            }
            _ => false,
        }
    }
}

/// A part of an input.
pub(super) struct Part<'t> {
    pub member: Member<'t>,
    pub step: PartStep,
}

#[derive(Clone, Copy)]
pub(super) enum PartStep {
    Name,
    Label,
    Index(usize),
}

impl<'t> Part<'t> {
    pub fn named(member: Member<'t>, by_label: bool) -> Self {
        Part { member, step: if by_label { PartStep::Label } else { PartStep::Name } }
    }

    pub fn element(input: Input<'t>, index: usize) -> Self {
        Part { member: Member { name: "".into(), at: At::Nowhere, input }, step: PartStep::Index(index) }
    }

    pub fn step(&self) -> Step<'_> {
        match self.step {
            PartStep::Name => Step::Name(&self.member.name),
            PartStep::Label => Step::Label(&self.member.name),
            PartStep::Index(index) => Step::Index(index),
        }
    }
}

/// The names in an object or a block, as far as it is one, and where they are.
pub(super) fn names<'t>(cx: &Context<'_>, input: &Input<'t>, path: &Path<'_>) -> Vec<Named<'t>> {
    let asking = Asking::Map { takes_labels: None, is_structure: true };
    let members = parts(cx, input, path, asking).map(|parts| parts.members).unwrap_or_default();
    members.into_iter().map(|member| (member.name, member.at)).collect()
}

/// Returns the diagnostic for a type's error about an input.
pub(super) fn refused(kind: &Kind, cx: &Context<'_>, input: &Input<'_>, path: &Path<'_>) -> Diagnostic {
    match kind {
        Kind::NoVariant(name, reasons) => {
            let found = look(cx, input, path).map(|seen| in_words(&seen, input)).unwrap_or_default();
            let inner = inner_parts(cx, input, path).into_iter().filter(|part| !part.member.name.is_empty());
            let inner = inner.map(|part| {
                let words = look(cx, &part.member.input, &path.then(part.step()));
                let words = words.map(|seen| in_words(&seen, &part.member.input)).unwrap_or_default();
                Inner { name: part.member.name, words }
            });
            words::no_variant(name, reasons, &found, &inner.collect::<Vec<_>>(), input, path)
        }
        kind => words::refused(kind, input, path),
    }
}
