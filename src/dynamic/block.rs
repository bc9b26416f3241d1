//! Expands one dynamic block.

use std::collections::HashSet;
use std::sync::Arc;

use super::body::DynamicBody;
use super::parts::{content_of, iterator_of, labels_of, schema_of, wrong_collection};
use super::{Surroundings, Taken};
use crate::body::{Block, BlockLabel, BlockSchema, Body, Expression};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::eval::{Scope, limit_exceeded};
use crate::model::{MarkSet, Type, Value, View};

/// Adds the blocks that a dynamic block generates.
pub(super) fn expand(
    body: &DynamicBody,
    block: &Block,
    expected: &BlockSchema,
    blocks: &mut Vec<Block>,
    diagnostics: &mut Diagnostics,
) {
    match Dynamic::read(body, block, expected, diagnostics) {
        Ok(dynamic) => dynamic.generate(blocks, diagnostics),
        Err(problems) => diagnostics.append(problems),
    }
}

/// A dynamic block that has been read.
struct Dynamic<'b> {
    body: &'b DynamicBody,
    block: &'b Block,
    iterator: String,
    /// The collection that is iterated over, without its marks.
    collection: Value,
    marks: MarkSet,
    /// The marks of outer iterators that the collection depends on.
    outer_marks: MarkSet,
    labels: Vec<Expression>,
    content: Body,
}

/// The bytes that a generated block takes, and the bytes of each iterator in its scope.
const BLOCK: u64 = 2_048;
const ITERATOR: u64 = 512;

impl<'b> Dynamic<'b> {
    /// Reads a dynamic block, as far as possible before it is iterated.
    fn read(
        body: &'b DynamicBody,
        block: &'b Block,
        expected: &BlockSchema,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Diagnostics> {
        // One error at a time, as the official engine reports them.
        let content = block.body().content(&schema_of(expected)).into_result()?;
        let iterator = iterator_of(&content, expected)?;
        let Some(for_each) = content.attribute("for_each") else { return Err(Diagnostics::new()) };
        let outer_marks = body.around.marks_of(for_each.expression());
        let collection = collection(body, for_each.expression(), diagnostics)?;
        let (collection, marks) = collection.unmark();
        let labels = labels_of(&content, expected)?;
        let content = content_of(block.body(), &content)?;
        Ok(Dynamic { body, block, iterator, collection, marks, outer_marks, labels, content })
    }

    fn generate(&self, blocks: &mut Vec<Block>, diagnostics: &mut Diagnostics) {
        // Each block has its own iterators, including those of the enclosing blocks.
        let count = self.collection.elements().map_or(1, <[Value]>::len) as u64;
        let each = BLOCK + ITERATOR * self.body.around.iterators.len() as u64;
        let exceeded = self.body.expander.scope.metered(|_, account| {
            let counted = account.steps(count).and_then(|()| account.bytes(count.saturating_mul(each)));
            counted.err().and_then(|_| limit_exceeded(account, || self.block.header_place()))
        });
        if let Some(exceeded) = exceeded {
            return diagnostics.push(exceeded);
        }
        let unknown = || Value::unknown(Type::Dynamic);
        let mut blocks = Generated { dynamic: self, blocks, diagnostics, wrong_labels: HashSet::new() };
        match self.collection.view() {
            View::List(elements) | View::Tuple(elements) => {
                elements.iter().enumerate().for_each(|(at, element)| blocks.add(at.into(), element.clone()));
            }
            View::Set(elements) => elements.iter().for_each(|element| blocks.add(element.clone(), element.clone())),
            View::Map(entries) | View::Object(entries) => {
                entries.for_each(|(key, element)| blocks.add(key.into(), element.clone()));
            }
            _ => blocks.add(unknown(), unknown()),
        }
    }

    /// Returns the surroundings of a block's body for one element.
    fn around(&self, key: Value, value: Value) -> Surroundings {
        let around = &self.body.around;
        let mut iterators = (*around.iterators).clone();
        iterators.insert(self.iterator.clone(), Value::object([("key", key), ("value", value)]));
        let unknown = match (&around.unknown, self.collection.is_known()) {
            (Some(outer), true) => Some(outer.clone()),
            (Some(outer), false) => Some(outer.union(&self.marks)),
            (None, false) => Some(self.marks.clone()),
            (None, true) => None,
        };
        let mut marked = around.marked.clone();
        let marks = self.marks.union(&self.outer_marks);
        match marks.is_empty() {
            true if !marked.contains_key(&self.iterator) => {}
            true => drop(Arc::make_mut(&mut marked).remove(&self.iterator)),
            false => drop(Arc::make_mut(&mut marked).insert(self.iterator.clone(), marks)),
        }
        Surroundings { marked, iterators: Arc::new(iterators), unknown }
    }
}

/// The blocks under way.
struct Generated<'g, 'b> {
    dynamic: &'g Dynamic<'b>,
    blocks: &'g mut Vec<Block>,
    diagnostics: &'g mut Diagnostics,
    /// The labels that have been reported, so that they are not reported again for each element.
    wrong_labels: HashSet<usize>,
}

impl Generated<'_, '_> {
    fn add(&mut self, key: Value, value: Value) {
        let Dynamic { body, block, content, marks, .. } = self.dynamic;
        let mut around = self.dynamic.around(key, value);
        let Some(labels) = self.labels(&around) else { return };
        if labels.iter().any(Option::is_none) {
            around.unknown.get_or_insert_with(MarkSet::default);
        }
        let type_label = &block.labels()[0];
        let labels =
            labels.into_iter().map(|label| label.unwrap_or_else(|| BlockLabel::new("", type_label.place().clone())));
        let inner = Body::new(DynamicBody {
            original: content.clone(),
            expander: body.expander.clone(),
            around,
            marks: marks.clone(),
            taken: Taken::default(),
            expands: true,
        });
        let generated = Block::new(type_label.text(), labels, inner);
        self.blocks.push(generated.with_places(type_label.place(), &block.header_place()));
    }

    /// Returns the labels for an element, if they are valid. Unknown ones are `None`, if they are allowed.
    fn labels(&mut self, around: &Surroundings) -> Option<Vec<Option<BlockLabel>>> {
        let mut iterators = around.iterators.clone();
        if !around.marked.is_empty() {
            let known = Arc::make_mut(&mut iterators);
            for (name, marks) in around.marked.iter() {
                if let Some(iterator) = known.get_mut(name) {
                    *iterator = iterator.with_marks(marks);
                }
            }
        }
        let mut labels = Vec::with_capacity(self.dynamic.labels.len());
        let mut complete = true;
        let expander = &self.dynamic.body.expander;
        for (index, expression) in self.dynamic.labels.iter().enumerate() {
            let expression = expression.with_variables(iterators.clone());
            match label(&expression, &expander.scope, expander.unknown_labels) {
                Ok(label) => labels.push(label),
                Err(problems) => {
                    complete = false;
                    if self.wrong_labels.insert(index) {
                        self.diagnostics.append(problems);
                    }
                }
            }
        }
        complete.then_some(labels)
    }
}

/// Returns the collection to iterate over. It may be unknown, but is neither null nor of a type without elements.
fn collection(body: &DynamicBody, expression: &Expression, more: &mut Diagnostics) -> Result<Value, Diagnostics> {
    let scope = &*body.expander.scope;
    let value = expression
        .with_variables(body.around.iterators.clone())
        .hiding(&body.around.marks_of(expression))
        .evaluate(scope)?;
    if let Some(check) = &body.expander.check {
        let diagnostics = check(&value, expression, &scope.child().with_variables(&body.around.iterators));
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
        more.append(diagnostics);
    }
    match wrong_collection(&value, expression) {
        Some(error) => Err(error.into()),
        None => Ok(value),
    }
}

/// Returns a label: a known string without marks. `None` if it is unknown, and may be.
fn label(expression: &Expression, scope: &Scope<'_>, may_be_unknown: bool) -> Result<Option<BlockLabel>, Diagnostics> {
    let value = expression.evaluate(scope)?;
    let place = expression.place();
    let (detail, help) = match value.convert(&Type::String) {
        Err(why) => (format!("this value cannot be a label: {why}"), ""),
        Ok(value) if value.is_null() => ("a label must not be null".to_owned(), ""),
        Ok(value) if !value.is_known() && may_be_unknown => return Ok(None),
        Ok(value) if !value.is_known() => {
            let help = "a value that is not known yet can be used for an argument, but not as a label";
            ("the value of this label is not known yet".to_owned(), help)
        }
        Ok(value) if value.is_marked() => {
            let marks: Vec<String> = value.marks().iter().map(|mark| format!("\"{}\"", mark.name())).collect();
            (format!("a label cannot be marked, but this value is marked {}", marks.join(", ")), "")
        }
        Ok(value) => return Ok(Some(BlockLabel::new(value.as_str().unwrap_or_default(), place))),
    };
    let diagnostic = Diagnostic::error(Code::InvalidLabel, place, detail);
    let diagnostic = if help.is_empty() { diagnostic } else { diagnostic.with_help(help) };
    Err(diagnostic.into())
}
