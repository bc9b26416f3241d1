//! The expected shape of the value at the place, from the text around it and from types.

use hcl_lr::model::Type;
use hcl_lr::source::Span;

use super::UsedParts;
use super::near::{MAX_NEAR, call_end, last_part};
use crate::cursor::{Place, Step};
use crate::parts::defined;
use crate::rank::Words;
use crate::shape::{Shape, asked_by_call, asked_by_neighbours, member_type, of_literal, open_bracket};

impl UsedParts<'_> {
    /// Returns the expected shape of the value at the place, as far as the surrounding text or a type determines it.
    pub(super) fn asked(&self, prefix: Span) -> Option<Shape> {
        let text = self.file.source().text();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let before = text.get(..prefix.start())?.trim_end_matches(|char| is_part(char) || char == '.');
        let before = last_part(before, MAX_NEAR);
        let mut after = text.get(self.cursor.offset..)?.trim_start_matches(is_part);
        if after.starts_with('(') {
            after = &after[call_end(after)?..];
        }
        if matches!(open_bracket(before), Some(('(' | '[', _))) {
            // The expression may go on in the next line.
            after = after.trim_start();
        }
        if let Some(shape) = asked_by_neighbours(before, after) {
            return Some(shape);
        }
        let before = before.trim_end();
        // The colon of a `for` is no part of a condition.
        let is_of_for = open_bracket(before).is_some_and(|(_, at)| {
            let inner = before.get(at + 1..).unwrap_or_default().trim_start();
            inner.starts_with("for ") && !inner.contains('?')
        });
        let is_branch = before.ends_with(['?', ':']) && !is_of_for;
        let is_index = before.ends_with('[') && matches!(self.cursor.steps.as_deref(), Some([.., Step::Other]));
        let is_key = before.strip_suffix('(').is_some_and(|before| before.trim_end().ends_with(['{', ',']));
        if let Place::Key { chain, .. } = &self.cursor.place
            && let Some((definition, [])) = defined(&self.project, chain)
        {
            return Some(match self.shape_of(&definition) {
                Shape::List => Shape::Number,
                _ => Shape::Key,
            });
        }
        if is_index || is_key || matches!(self.cursor.place, Place::Key { .. }) {
            return Some(Shape::Key);
        }
        if is_branch {
            // The other result of the condition has the same type.
            let first = before.strip_suffix(':').and_then(|before| Some(before.rsplit_once('?')?.1));
            // With a colon, it is part of another condition, which ends before the place.
            let first = first.filter(|first| !first.contains(':'));
            let shape = match (first, after.trim_start().strip_prefix(':')) {
                (Some(first), _) => self.shape_of_result(first.trim(), &[]),
                (None, Some(other)) => self.shape_of_result(other.trim_start(), &['\n', '\r', ',', ')', ']', '}', '#']),
                (None, None) => Shape::Any,
            };
            if shape != Shape::Any {
                return Some(shape);
            }
        }
        match (self.cursor.calls.last(), open_bracket(before).map(|(bracket, _)| bracket)) {
            (Some(call), Some('(')) if is_branch || before.ends_with(['(', ',']) => {
                Some(asked_by_call(&self.project, &call.name, call.argument))
            }
            (None, Some('[')) if before.ends_with(['[', ',']) => Some(Shape::of_type(self.expected()?.element_type()?)),
            (None, _) if is_branch || before.ends_with('=') => self.asked_by_attribute(),
            _ => None,
        }
    }

    /// Returns the shape of the literal, reference or call at the start of a text, which is the result of a condition. After
    /// a reference or call, the text must end, or go on with one of some characters.
    fn shape_of_result(&self, text: &str, ends: &[char]) -> Shape {
        let literal = of_literal(text);
        if literal != Shape::Any {
            return literal;
        }
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
        let (name, rest) = text.split_at(text.len() - text.trim_start_matches(is_part).len());
        let (shape, rest) = match call_end(rest) {
            Some(end) => {
                let entry = crate::project::entry_of(&self.project, name);
                (entry.map_or(Shape::Any, |entry| Shape::of_result(&entry.signature())), &rest[end..])
            }
            None => {
                let definition = self.project.definitions().get(name).filter(|found| found.address() == name);
                (definition.map_or(Shape::Any, |definition| self.shape_of(&definition)), rest)
            }
        };
        let rest = rest.trim_start_matches([' ', '\t']);
        if rest.is_empty() || rest.starts_with(ends) { shape } else { Shape::Any }
    }

    /// Returns the shape of the value of the attribute at the place.
    fn asked_by_attribute(&self) -> Option<Shape> {
        if self.is_in_dynamic() {
            return (self.cursor.attribute.as_deref() == Some("for_each")).then_some(Shape::Elements);
        }
        let (for_each, count) = self.repetition();
        if let Some(attribute) = self.cursor.attribute.as_deref().filter(|_| self.cursor.keys.is_empty()) {
            if for_each == Some(attribute) {
                return Some(Shape::Instances);
            }
            if count == Some(attribute) {
                return Some(Shape::Number);
            }
        }
        self.expected().as_ref().map(Shape::of_type)
    }

    /// Returns true if the place is in a dynamic block, outside of its content.
    pub(super) fn is_in_dynamic(&self) -> bool {
        self.cursor.blocks.last().is_some_and(|block| block.block_type == "dynamic")
    }

    /// Returns the type of the value at the place, if known.
    fn expected(&self) -> Option<Type> {
        let attribute = self.cursor.attribute.as_ref()?;
        let known = self.known_body();
        let ty = known.as_ref().and_then(|body| body.attribute(attribute)?.ty.clone());
        let mut ty = ty.or_else(|| self.type_of_input(attribute))?;
        for key in &self.cursor.keys {
            ty = member_type(&ty, key)?;
        }
        Some(ty)
    }
}

/// Returns the key on the line before an interpolation, such as that in `port: "${`.
pub(super) fn key_before(before: &str) -> Option<Words<'_>> {
    let line = before.rsplit('\n').next()?;
    let text = line[..line.rfind("${")?].trim_end_matches(['"', '\'', ' ']);
    let key = text.strip_suffix([':', '='])?.trim_end_matches(['"', '\'', ' ']);
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '/');
    let start = key.trim_end_matches(is_part).len();
    (start < key.len()).then(|| Words::of(&key[start..]))
}
