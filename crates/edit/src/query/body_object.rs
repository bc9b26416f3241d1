//! Values of bodies as objects: attributes by name, and blocks by type, then by each label, then as a list.

use std::collections::HashMap;

use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr::stack::with_room;

/// The nesting limit for the value of a block. The parser limits nested blocks to far less, but each label is a level,
/// too.
pub const MAX_BLOCK_DEPTH: u32 = 3_000;

/// An object under construction, with attributes and blocks in the order in which each name first occurs. For programs
/// that turn bodies into values without a schema, as `hcl eval` does.
#[derive(Default, Debug)]
pub struct BodyObject {
    list: Vec<(String, Part)>,
    /// The index of each name in the list.
    places: HashMap<String, usize>,
}

#[derive(Debug)]
enum Part {
    /// Blocks by their next label.
    Labelled(BodyObject),
    /// Blocks without further labels. If different items share a name, such as blocks with and without labels, each is
    /// an element.
    Elements(Vec<Value>),
    Value(Value),
}

impl BodyObject {
    /// Adds an attribute. The values of a repeated name become a tuple.
    pub fn add_attribute(&mut self, name: &str, value: Value) {
        self.add(name, Part::Value(value));
    }

    /// Adds a block. If it has too many labels, returns a diagnostic at `header`.
    #[must_use]
    pub fn add_block(
        &mut self,
        block_type: &str,
        labels: Vec<String>,
        body: Value,
        header: &Place,
    ) -> Option<Diagnostic> {
        if labels.len() as u64 + u64::from(body.height()) > u64::from(MAX_BLOCK_DEPTH) {
            let detail = format!("the value of this block would nest deeper than {MAX_BLOCK_DEPTH} levels");
            let error = Diagnostic::error(Code::NestingTooDeep, header, detail);
            return Some(error.with_help("each label of a block is a level: use fewer of them"));
        }
        let block = labels.into_iter().rev().fold(Part::Elements(vec![body]), |within, label| {
            let mut members = BodyObject::default();
            members.add(&label, within);
            Part::Labelled(members)
        });
        self.add(block_type, block);
        None
    }

    fn add(&mut self, name: &str, part: Part) {
        match self.places.get(name) {
            Some(&at) => self.list[at].1.join(part),
            None => {
                self.places.insert(name.to_owned(), self.list.len());
                self.list.push((name.to_owned(), part));
            }
        }
    }

    /// Returns the object.
    pub fn into_value(self) -> Value {
        with_room(|| Value::object(self.list.into_iter().map(|(name, part)| (name, part.into_value()))))
    }
}

impl Part {
    fn join(&mut self, other: Part) {
        match (self, other) {
            (Part::Labelled(members), Part::Labelled(more)) => {
                with_room(|| more.list.into_iter().for_each(|(name, part)| members.add(&name, part)));
            }
            (Part::Elements(elements), Part::Elements(more)) => elements.extend(more),
            (Part::Elements(elements), other) => elements.push(other.into_value()),
            (this, other) => {
                let first = std::mem::replace(this, Part::Elements(Vec::new()));
                *this = Part::Elements(vec![first.into_value()]);
                this.join(other);
            }
        }
    }

    fn into_value(self) -> Value {
        match self {
            Part::Labelled(members) => members.into_value(),
            Part::Elements(elements) => Value::tuple(elements),
            Part::Value(value) => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(members: &mut BodyObject, labels: &[&str], body: i64) {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        assert_eq!(members.add_block("b", labels, Value::from(body), &Place::nowhere()), None);
    }

    #[test]
    fn blocks_are_together_by_their_labels() {
        let mut members = BodyObject::default();
        block(&mut members, &["x", "y"], 1);
        block(&mut members, &["z", "y"], 2);
        block(&mut members, &["x", "y"], 3);
        members.add_attribute("a", Value::from(4));
        let text = "{ a = 4, b = { x = { y = [1, 3] }, z = { y = [2] } } }";
        assert_eq!(members.into_value().to_string(), text);
    }

    #[test]
    fn what_differs_is_an_element_of_its_own() {
        let mut members = BodyObject::default();
        members.add_attribute("b", Value::from(0));
        for number in 1..3 {
            block(&mut members, &[], number);
            block(&mut members, &["x"], number);
        }
        assert_eq!(members.into_value().to_string(), "{ b = [0, 1, { x = [1] }, 2, { x = [2] }] }");
    }

    #[test]
    fn labels_without_end_are_an_error() {
        let labels = |count| vec!["l".to_owned(); count];
        let mut members = BodyObject::default();
        assert!(members.add_block("b", labels(2_900), Value::from(1), &Place::nowhere()).is_none());
        assert!(members.add_block("b", labels(2_900), Value::from(2), &Place::nowhere()).is_none());
        let error = members.add_block("b", labels(100_000), Value::from(1), &Place::nowhere()).expect("an error");
        assert_eq!(error.detail(), "the value of this block would nest deeper than 3000 levels");
        assert_eq!(error.help(), Some("each label of a block is a level: use fewer of them"));
        assert_eq!(members.into_value().height(), 2_903);
    }
}
