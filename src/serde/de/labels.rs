//! Labels that a type asks for: all of them as a field, or beside what is in the block.

use std::rc::Rc;

use ::serde::de::Visitor;

use super::LABELS_FIELD;
use super::access::{LabeledParts, surroundings_of_labels};
use super::deserializer::De;
use super::error::{Error, Kind};
use super::input::{Input, JsonInput};
use super::words::{self, Wanted};

impl De<'_, '_, '_> {
    pub(super) fn labels<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Absent(_, around) => {
                if !around.known {
                    let is_news = match around.key {
                        Some(key) => self.cx.note_labels_field(key),
                        None => {
                            let memo = self.cx.memo_at(&self.path.parent());
                            memo.takes_labels.replace(Some(LABELS_FIELD)).is_none()
                        }
                    };
                    if is_news {
                        return Err(Kind::NeedsLabels.into());
                    }
                }
                around.taken.set(true);
                let input = Input::Labels(around.clone());
                visitor.visit_newtype_struct(De { input: &input, ..self })
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    /// The labels of a block, and what is in it.
    pub(super) fn labeled<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.input {
            Input::Blocks(blocks) => {
                if let Some(second) = blocks.get(1) {
                    let (first, second) = (blocks[0].header(), second.header());
                    return Err(words::too_many(first, second, self.path).into());
                }
                let labels = Rc::new(surroundings_of_labels(blocks[0].labels(), blocks[0].header()));
                let input = Input::Blocks(vec![blocks[0].after_labels()]);
                visitor.visit_map(LabeledParts::known(self, labels, &input))
            }
            Input::Json(json) => {
                let choice = json.choice.clone().unwrap_or_default();
                choice.with_labels.set(true);
                let input = Input::Json(JsonInput { choice: Some(choice.clone()), ..json.clone() });
                visitor.visit_map(LabeledParts::after_value(self, choice, &input))
            }
            Input::Absent(..) => Err(self.look().err().unwrap_or_else(Error::reported)),
            _ => {
                let seen = self.look()?;
                Err(self.mismatch(&seen, Wanted::Block))
            }
        }
    }
}
