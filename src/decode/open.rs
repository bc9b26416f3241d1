//! Specs for bodies that may have more than the listed items.

use std::collections::BTreeMap;

use super::decoding::{BodyView, Decoding, Expected};
use super::{Kind, Spec};
use crate::body::{Block, BlockLabel, Body};
use crate::model::{MarkSet, Type, Value};
use crate::source::Place;
use crate::stack;

#[derive(Debug)]
struct Open {
    /// The object of the listed items alone.
    listed: [Spec; 1],
}

impl Spec {
    /// Decodes to an object of the values of specs, and of all other attributes and blocks of the body. Blocks are
    /// tuples of bodies, by their types and labels. In JSON, where only a spec identifies blocks, all other items are
    /// attributes.
    ///
    /// ```
    /// use hcl_lr::{Body, Scope, parse};
    /// use hcl_lr::decode::Spec;
    /// use hcl_lr::model::Type;
    ///
    /// let spec = Spec::open_object([("port", Spec::attr("port", Type::Number))]);
    /// let body = parse::<Body>("port = \"80\"\nname = \"web\"\nlogs \"all\" {\n  level = 2\n}\n").into_result()?;
    /// let value = spec.decode(&body, &Scope::new()).into_result()?;
    /// assert_eq!(value.to_string(), r#"{ logs = { all = [{ level = 2 }] }, name = "web", port = 80 }"#);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn open_object<N: AsRef<str>>(attributes: impl IntoIterator<Item = (N, Spec)>) -> Spec {
        Spec::new(Open { listed: [Spec::object(attributes)] })
    }
}

impl Kind for Open {
    fn specs(&self) -> &[Spec] {
        &self.listed
    }

    fn implied_type(&self) -> Type {
        Type::Dynamic
    }

    fn expect(&self, expected: &mut Expected) {
        self.listed.iter().for_each(|spec| spec.expect(expected));
        expected.anything();
    }

    fn value(&self, view: &BodyView<'_>, decoding: &mut Decoding<'_>) -> Value {
        let mut entries = view.rest.map_or_else(Vec::new, |rest| written(rest, decoding));
        for spec in &self.listed {
            let value = spec.value(view, decoding);
            entries.extend(value.entries().into_iter().flatten().map(|(name, value)| (name.to_owned(), value.clone())));
        }
        Value::object(entries)
    }

    fn place(&self, view: &BodyView<'_>) -> Place {
        view.missing()
    }
}

/// Returns the attributes and blocks of a body as it is written.
fn written(body: &Body, decoding: &mut Decoding<'_>) -> Vec<(String, Value)> {
    let Some(content) = body.any_content() else { return Vec::new() };
    let content = decoding.take(content);
    let mut entries = Vec::new();
    for attribute in content.attributes() {
        if decoding.account.steps(1).is_err() {
            return entries;
        }
        let value = decoding.take(attribute.expression().evaluate_partially(decoding.scope));
        entries.push((attribute.name().to_owned(), value));
    }
    let mut types: BTreeMap<&str, Vec<(&[BlockLabel], &Block)>> = BTreeMap::new();
    for block in content.blocks() {
        types.entry(block.block_type()).or_default().push((block.labels(), block));
    }
    for (name, blocks) in types {
        let value = by_label(&blocks, decoding);
        // Unknown bodies stand for an unknown number of blocks.
        let marks = blocks.iter().fold(MarkSet::default(), |marks, (_, block)| marks.union(&block.body().marks()));
        let value = match blocks.iter().any(|(_, block)| block.body().is_unknown()) {
            true => Value::unknown(Type::Dynamic).with_marks(&value.marks_deep()),
            false => value,
        };
        entries.push((name.to_owned(), value.with_marks(&marks)));
    }
    entries
}

/// Returns the bodies of blocks of a type by their remaining labels. A label that only some blocks have is empty in the
/// others.
fn by_label(blocks: &[(&[BlockLabel], &Block)], decoding: &mut Decoding<'_>) -> Value {
    if blocks.iter().all(|(labels, _)| labels.is_empty()) {
        let bodies = blocks.iter().map(|(_, block)| {
            if decoding.account.steps(1).is_err() {
                return Value::unknown(Type::Dynamic);
            }
            Value::object(stack::with_room(|| written(block.body(), decoding)))
        });
        return Value::tuple(bodies.collect::<Vec<_>>());
    }
    let mut labels: BTreeMap<&str, Vec<(&[BlockLabel], &Block)>> = BTreeMap::new();
    for &(left, block) in blocks {
        let (label, left) = left.split_first().map_or(("", left), |(label, left)| (label.text(), left));
        labels.entry(label).or_default().push((left, block));
    }
    let entries = labels.into_iter().map(|(label, blocks)| (label, stack::with_room(|| by_label(&blocks, decoding))));
    Value::object(entries.collect::<Vec<_>>())
}
