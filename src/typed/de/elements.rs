//! The elements of what a type takes as a list or a tuple.

use std::rc::Rc;

use ::serde::de::Visitor;

use super::access::Elements;
use super::contents::members;
use super::element::wanted_by;
use super::error::Error;
use super::input::{BodyRef, Choice, Input, JsonInput, Member};
use super::members::{add_json_items, at_of};
use super::messages::{self, Wanted};
use super::pass::De;
use super::shape::Shape;
use crate::json::NodeKind;

impl<'de, 't> De<'_, '_, 'de, 't> {
    /// The elements of a list, or blocks one by one.
    pub(super) fn elements<V: Visitor<'de>>(&self, visitor: V, wanted: Wanted) -> Result<V::Value, Error> {
        let fixed = match wanted {
            Wanted::Elements(count) => Some(count),
            _ => None,
        };
        let inputs: Vec<Input<'t>> = match self.input {
            Input::Blocks(blocks) => blocks.iter().map(|block| Input::Blocks(vec![*block])).collect(),
            Input::Mixed(all) => {
                let mut inputs = Vec::new();
                for input in all {
                    match input {
                        Input::Blocks(blocks) => inputs.extend(blocks.iter().map(|block| Input::Blocks(vec![*block]))),
                        Input::Json(json) => match (De { input, ..*self }).json_elements(json, wanted)? {
                            Some(more) => inputs.extend(more),
                            None => inputs.push(input.clone()),
                        },
                        other => inputs.push(other.clone()),
                    }
                }
                inputs
            }
            Input::Labels(around) => {
                let labels = around.labels.iter();
                labels.map(|label| Input::Text(label.text.clone(), label.at)).collect()
            }
            Input::Items(items, _) => return self.items(visitor, items.clone()),
            Input::Body(body) => {
                let found = members(BodyRef::Any(body), true);
                let Some(found) = found else { return Err(self.mismatch(&Shape::Other, wanted)) };
                found.report(self.cx);
                let mut items = Vec::with_capacity(found.all.len());
                for member in found.all {
                    match &member.input {
                        Input::Json(json) => add_json_items(&member, json, &mut items),
                        _ => items.push(member),
                    }
                }
                return self.items(visitor, items);
            }
            Input::Json(json) => match self.json_elements(json, wanted)? {
                Some(inputs) => inputs,
                None => return self.value_elements(visitor, wanted, fixed),
            },
            _ => return self.value_elements(visitor, wanted, fixed),
        };
        self.visit_elements(visitor, inputs, fixed)
    }

    pub(super) fn visit_elements<V: Visitor<'de>>(
        &self,
        visitor: V,
        inputs: Vec<Input<'t>>,
        fixed: Option<usize>,
    ) -> Result<V::Value, Error> {
        if let (Some(count), true) = (fixed, fixed.is_some_and(|count| count != inputs.len())) {
            return Err(messages::wrong_count(inputs.len(), self.input, Wanted::Elements(count), self.path).into());
        }
        visitor.visit_seq(Elements::new(self.cx, self.path, inputs, fixed.is_some()))
    }

    /// Attributes and blocks as elements, each of which knows its name.
    fn items<V: Visitor<'de>>(&self, visitor: V, items: Vec<Member<'t>>) -> Result<V::Value, Error> {
        let inputs = items.into_iter().map(|item| Input::Item(Box::new(item))).collect();
        self.visit_elements(visitor, inputs, None)
    }

    /// The elements of a value that is a list.
    fn value_elements<V: Visitor<'de>>(
        &self,
        visitor: V,
        wanted: Wanted,
        fixed: Option<usize>,
    ) -> Result<V::Value, Error> {
        let inputs: Vec<Input<'t>> = match self.look() {
            Ok(Shape::Tuple(tuple)) => tuple.elements().map(Input::Native).collect(),
            Ok(Shape::List(value)) => {
                let at = at_of(self.input);
                let parts = value.elements().unwrap_or_default().iter();
                parts.map(|part| Input::Value(std::borrow::Cow::Owned(part.clone()), at)).collect()
            }
            Ok(shape) => {
                let wanted = match wanted {
                    Wanted::List(_) => Wanted::List(wanted_by(visitor)),
                    other => other,
                };
                return Err(self.mismatch(&shape, wanted));
            }
            Err(error) => return Err(error),
        };
        self.visit_elements(visitor, inputs, fixed)
    }

    /// The elements of an array in JSON, or an object as the only one.
    fn json_elements(&self, json: &JsonInput<'t>, wanted: Wanted) -> Result<Option<Vec<Input<'t>>>, Error> {
        let single = |node, many| {
            let choice = Some(Rc::new(Choice { many, ..Choice::default() }));
            Input::Json(JsonInput { choice, ..JsonInput::new(json.document, node) })
        };
        let is_list = matches!(wanted, Wanted::List(_));
        let mut inputs = Vec::new();
        for node in json.nodes() {
            match node.kind() {
                NodeKind::Array(array) => inputs.extend(array.elements().map(|element| single(element, is_list))),
                NodeKind::Object(_) if is_list => inputs.push(single(node, true)),
                // No block at all.
                NodeKind::Null if is_list => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(inputs))
    }
}
