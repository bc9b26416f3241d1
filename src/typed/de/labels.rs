//! Labels that a type asks for: all of them as a field, or beside what is in the block.

use std::borrow::Cow;
use std::rc::Rc;

use ::serde::de::Visitor;

use super::access::{LabeledParts, surroundings_of_labels};
use super::error::{Error, Kind};
use super::input::{At, Input, JsonInput, Label};
use super::members::{JsonLabels, chosen};
use super::messages::{self, Wanted};
use super::named::key_of;
use super::parts::Request;
use super::pass::De;
use super::shape::Shape;

impl<'de> De<'_, '_, 'de, '_> {
    pub(super) fn labels<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Absent(_, around) if !around.known => Err(Kind::NeedsLabels.into()),
            Input::Absent(_, around) => {
                around.taken.set(true);
                let input = Input::Labels(around.clone());
                visitor.visit_newtype_struct(De { input: &input, ..self })
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// The labels of a block, and what is in it. If the type takes a number of labels, another number is an error.
    pub(super) fn labeled<V: Visitor<'de>>(
        self,
        count: Option<usize>,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.input {
            Input::Blocks(blocks) => {
                if let Some(second) = blocks.get(1) {
                    let (first, second) = (blocks[0].header(), second.header());
                    return Err(messages::too_many(first, second, self.path).into());
                }
                let block = blocks[0];
                let mut labels = block.labels();
                if let Some(count) = count
                    && count != labels.len()
                {
                    // Its contents are read, too, with the labels that the type wants.
                    self.cx.record(match labels.get(count) {
                        Some(extra) => messages::extra_label(extra, self.path),
                        None => messages::missing_label(block.header(), block.block_type(), self.path),
                    });
                    let none = Label { text: Cow::Borrowed(""), at: At::Nowhere };
                    labels.resize(count, none);
                }
                let labels = Rc::new(surroundings_of_labels(labels, block.header()));
                let input = Input::Blocks(vec![blocks[0].after_labels()]);
                visitor.visit_map(LabeledParts::known(self, labels, &input))
            }
            Input::Json(json) => {
                if let Some(count) = count {
                    let block = chosen(self.cx, json, self.path, JsonLabels::Exactly(count))?;
                    let labels = Rc::new(surroundings_of_labels(block.labels, self.input.place()));
                    let body = JsonInput { is_body: true, ..JsonInput::new(json.document, block.body) };
                    return visitor.visit_map(LabeledParts::known(self, labels, &Input::Json(body)));
                }
                let choice = json.choice.clone().unwrap_or_default();
                choice.with_labels.set(true);
                let input = Input::Json(JsonInput { choice: Some(choice.clone()), ..json.clone() });
                visitor.visit_map(LabeledParts::after_value(self, choice, &input))
            }
            Input::Absent(..) => Err(self.look().err().unwrap_or_else(Error::reported)),
            _ => match self.look()? {
                // A value has no blocks: it has what another format has.
                Shape::Map(_) if self.is_value() => {
                    let key = key_of(&visitor, fields);
                    self.named(visitor, Request::Fields(fields, key))
                }
                shape => Err(self.mismatch(&shape, Wanted::Block)),
            },
        }
    }
}
