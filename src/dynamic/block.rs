//! Expands one dynamic block.

use std::collections::HashSet;
use std::sync::Arc;

use super::body::DynamicBody;
use super::{Surroundings, Taken};
use crate::body::{Block, BlockLabel, BlockSchema, Body, BodySchema, Content, Expression};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Suggestion};
use crate::eval::{Scope, limit_exceeded};
use crate::model::{MarkSet, Type, Value, View};
use crate::syntax::is_identifier;

/// Returns the schema of a dynamic block for blocks of a type.
pub(super) fn schema_of(expected: &BlockSchema) -> BodySchema {
    let schema = BodySchema::new().required("for_each").optional("iterator");
    let schema = match expected.labels() {
        _ if expected.has_any_labels() => schema.optional("labels"),
        [] => schema,
        _ => schema.required("labels"),
    };
    schema.block("content", &[])
}

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
        let content = block.body().content(&schema_of(expected)).into_result()?;
        let iterator = iterator_of(&content, expected)?;
        let Some(for_each) = content.attribute("for_each") else { return Err(Diagnostics::new()) };
        let outer_marks = body.around.marks_of(for_each.expression());
        let collection = collection(body, for_each.expression(), diagnostics)?;
        let (collection, marks) = collection.unmark();
        let labels = labels_of(&content, expected)?;
        let content = content_of(block, &content)?;
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
        let around = self.dynamic.around(key, value);
        let Some(labels) = self.labels(&around) else { return };
        let inner = Body::new(DynamicBody {
            original: content.clone(),
            expander: body.expander.clone(),
            around,
            marks: marks.clone(),
            taken: Taken::default(),
        });
        let type_label = &block.labels()[0];
        let generated = Block::new(type_label.text(), labels, inner);
        self.blocks.push(generated.with_places(type_label.place(), &block.header_place()));
    }

    /// Returns the labels for an element, if they are valid.
    fn labels(&mut self, around: &Surroundings) -> Option<Vec<BlockLabel>> {
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
        for (index, expression) in self.dynamic.labels.iter().enumerate() {
            let expression = expression.with_variables(iterators.clone());
            match label(&expression, &self.dynamic.body.expander.scope) {
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

/// Returns the name of the iterator: the given one, or else the type of the blocks.
fn iterator_of(content: &Content, expected: &BlockSchema) -> Result<String, Diagnostics> {
    let Some(attribute) = content.attribute("iterator") else { return Ok(expected.block_type().to_owned()) };
    let expression = attribute.expression();
    expression.keyword().ok_or_else(|| {
        let place = expression.place();
        let error =
            Diagnostic::error(Code::NotStatic, &place, "the name of the iterator is required here, as a single word");
        let quoted = place.text().strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned);
        match quoted.filter(|text| is_identifier(text)) {
            Some(name) => {
                let help = format!("write it without quotes: `iterator = {name}`");
                error.with_help(help.clone()).with_suggestion(Suggestion::safe(help).replace(place, name))
            }
            None => error.with_help(format!("choose any name, such as {}", expected.block_type())),
        }
        .into()
    })
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
    let place = expression.place();
    if value.is_null() {
        let error = Diagnostic::error(Code::InvalidIteration, &place, "a collection is required here, not null")
            .with_help("for no blocks at all, use an empty list, `[]`");
        let written = place.text() == "null";
        let suggestion = Suggestion::new("write `[]`").replace(place, "[]");
        return Err(if written { error.with_suggestion(suggestion) } else { error }.into());
    }
    match value.ty() {
        Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) => Ok(value),
        Type::Dynamic if !value.is_known() => Ok(value),
        ty => {
            let detail = format!("a list, set, tuple, map or object is required here, not a {ty}");
            let brackets = Suggestion::new("write it in brackets").insert_before(&place, "[").insert_after(&place, "]");
            let error = Diagnostic::error(Code::InvalidIteration, place, detail);
            Err(error.with_help("for a single block, write it in brackets: `[…]`").with_suggestion(brackets).into())
        }
    }
}

/// Returns the expressions for the labels: as many as blocks of the type have.
fn labels_of(content: &Content, expected: &BlockSchema) -> Result<Vec<Expression>, Diagnostics> {
    let Some(attribute) = content.attribute("labels") else { return Ok(Vec::new()) };
    let expression = attribute.expression();
    let labels = expression.static_list().map_err(|_| {
        let place = expression.start_place();
        let error = Diagnostic::error(Code::NotStatic, &place, "the labels are required here, as a list in brackets");
        error.with_help("write one expression for each label: `labels = [ … ]`")
    })?;
    if expected.has_any_labels() {
        return Ok(labels);
    }
    let wanted = expected.labels();
    let (place, detail) = match (wanted.get(labels.len()), labels.get(wanted.len())) {
        (None, None) => return Ok(labels),
        (Some(missing), _) => {
            let detail = format!("each \"{}\" block needs one more label here: its {missing}", expected.block_type());
            (expression.place(), detail)
        }
        (None, Some(extra)) => {
            let detail = match wanted {
                [only] => format!("\"{}\" blocks have only one label: {only}", expected.block_type()),
                _ => {
                    let (name, count) = (expected.block_type(), wanted.len());
                    format!("\"{name}\" blocks have only {count} labels: {}", wanted.join(", "))
                }
            };
            (extra.place(), detail)
        }
    };
    Err(Diagnostic::error(Code::BlockLabels, place, detail).into())
}

/// The body of the blocks.
fn content_of(block: &Block, content: &Content) -> Result<Body, Diagnostics> {
    let mut bodies = content.blocks_of_type("content");
    let diagnostic = match (bodies.next(), bodies.next()) {
        (Some(only), None) => return Ok(only.body().clone()),
        (None, _) => {
            let detail = "a `content` block is required here: the body of the generated blocks";
            Diagnostic::error(Code::DynamicContent, block.body().missing_item_place(), detail)
                .with_help("write `content { … }`, with all arguments of the blocks in it")
        }
        (Some(first), Some(second)) => {
            let (place, before) = (second.header_place(), first.header_place());
            // In JSON, all of them begin at the bracket of an array.
            let apart = place != before;
            let diagnostic = Diagnostic::error(Code::DynamicContent, place, "there is already a `content` block");
            if apart { diagnostic.with_label(before, "the first one is here") } else { diagnostic }
        }
    };
    Err(diagnostic.into())
}

/// Returns a label: a known string without marks.
fn label(expression: &Expression, scope: &Scope<'_>) -> Result<BlockLabel, Diagnostics> {
    let value = expression.evaluate(scope)?;
    let place = expression.place();
    let (detail, help) = match value.convert(&Type::String) {
        Err(why) => (format!("this value cannot be a label: {why}"), ""),
        Ok(value) if value.is_null() => ("a label must not be null".to_owned(), ""),
        Ok(value) if !value.is_known() => {
            let help = "a value that is not known yet can be used for an argument, but not as a label";
            ("the value of this label is not known yet".to_owned(), help)
        }
        Ok(value) if value.is_marked() => {
            let marks: Vec<String> = value.marks().iter().map(|mark| format!("\"{}\"", mark.name())).collect();
            (format!("a label cannot be marked, but this value is marked {}", marks.join(", ")), "")
        }
        Ok(value) => return Ok(BlockLabel::new(value.as_str().unwrap_or_default(), place)),
    };
    let diagnostic = Diagnostic::error(Code::InvalidLabel, place, detail);
    let diagnostic = if help.is_empty() { diagnostic } else { diagnostic.with_help(help) };
    Err(diagnostic.into())
}
