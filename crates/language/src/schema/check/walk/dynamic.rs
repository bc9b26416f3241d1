//! Blocks that generate others, in either syntax: what is wrong with them for all values of the names in them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Around, Counts, Unwritten, Walk};
use crate::schema::check::judge::Judgement;
use crate::schema::check::shape::{Expr, Shape};
use crate::schema::index::Layers;
use crate::schema::model::Block;
use crate::schema::produce::block_schema;
use hcl_lr::body::{self, BlockSchema, Expression};
use hcl_lr::eval::Scope;
use hcl_lr::internal::{DynamicParts, extra_label, missing_label, unsupported_dynamic, wrong_collection};
use hcl_lr::model::{Type, Value, View};
use hcl_lr::source::Span;
use hcl_lr::stack;
use hcl_lr::syntax::ast::BlockNode;

/// The type of blocks that generate others.
pub(super) const DYNAMIC: &str = "dynamic";

/// The name of their label: the type of the generated blocks.
pub(super) const TYPE: &str = "type";

/// The blocks that a dynamic block generates.
struct Generated<'c, 'b> {
    /// Their type in the schema; `None` if the schema does not list them.
    known: Option<&'c Block>,
    inner: Layers<'c>,
    iterator: Option<String>,
    element: Value,
    /// The labels with known texts, up to the first of another kind.
    labels: Vec<(Cow<'b, str>, Span)>,
    content: Option<body::Body>,
}

impl<'c> Walk<'c, '_> {
    /// Checks a dynamic block in native syntax.
    pub(super) fn dynamic<'t>(
        &mut self,
        block: BlockNode<'t>,
        layers: &Layers<'c>,
        around: &Around<'_, 't, 'c>,
        found: (&mut Counts, &mut Unwritten),
    ) {
        let mut labels = block.labels();
        let Some(label) = labels.next() else {
            let place = block.body().open_brace_span().unwrap_or_else(|| block.span());
            return self.push(missing_label(place, DYNAMIC, &[TYPE], TYPE), None);
        };
        if let Some(extra) = labels.next() {
            self.push(extra_label(extra.span(), DYNAMIC, &[TYPE]), None);
        }
        let body = body::Body::from(block.body());
        let generated = self.generated((&label.text(), label.span()), &body, layers, around, found);
        let Some(Generated { known, inner, iterator, element, labels, .. }) = generated else { return };
        let around = Around {
            labels: &labels,
            block: known,
            iterator: iterator.as_deref().map(|name| (name, &element)),
            parent: Some(around),
            ..Around::default()
        };
        for content in block.body().blocks_of_type("content") {
            stack::with_room(|| self.native(content.body(), inner.clone(), &around, true));
        }
    }

    /// Checks a dynamic block in JSON.
    pub(super) fn json_dynamic(
        &mut self,
        block: &body::Block,
        layers: &Layers<'c>,
        around: &Around<'_, '_, 'c>,
        found: (&mut Counts, &mut Unwritten),
    ) {
        let Some(label) = block.labels().first() else { return };
        let generated = self.generated((label.text(), label.place().span()), block.body(), layers, around, found);
        let Some(Generated { known, inner, iterator, element, labels, content: Some(content) }) = generated else {
            return;
        };
        let around = Around {
            labels: &labels,
            block: known,
            iterator: iterator.as_deref().map(|name| (name, &element)),
            parent: Some(around),
            ..Around::default()
        };
        stack::with_room(|| self.json(&content, inner, &around, true));
    }

    /// Checks all of a dynamic block but its content. Returns `None` if the schema has no blocks of the type.
    fn generated<'b>(
        &mut self,
        (name, span): (&str, Span),
        body: &body::Body,
        layers: &Layers<'c>,
        around: &Around<'_, '_, 'c>,
        (counted, unwritten): (&mut Counts, &mut Unwritten),
    ) -> Option<Generated<'c, 'b>> {
        unwritten.generated.insert(name.to_owned());
        let known = layers.block(name).or_else(|| layers.free_block());
        if known.is_none() && !layers.is_open() {
            let names = layers.blocks().map(|block| block.name.as_str());
            let is_argument = layers.attribute(name).is_some();
            let finding = unsupported_dynamic(name, span, is_argument, names, &mut self.names);
            self.push(finding, layers.place().map(|place| (place, "expected by this")));
            return None;
        }
        let expected = match &known {
            Some((known, inner)) => block_schema(name, known, inner),
            None => BlockSchema::new(name, &[]).with_optional_labels(0, true, None),
        };
        let (parts, problems) = DynamicParts::read(body, &expected).into_parts();
        self.found.append(problems);
        let mut labels = Vec::new();
        for (at, expression) in parts.labels.iter().enumerate() {
            let label = Expr::Handle(expression.clone());
            self.names_in(None, &label, around);
            match label.shape(&self.judge) {
                Shape::Text(text) if labels.len() == at => labels.push((Cow::Owned(text.into_owned()), label.span())),
                _ => {}
            }
            let ty = known.as_ref().and_then(|(known, _)| known.labels.get(at).or(known.labels.last()));
            if let Some(ty) = ty
                && let Judgement::Wrong(problems) = self.judge.judge(&ty.ty, &label)
            {
                for problem in problems {
                    self.push(problem.finding(), Some((&ty.place, "the label")));
                }
            }
        }
        let collection = parts.for_each.as_ref().map(|expression| self.collection(expression, around));
        let count = collection.as_ref().and_then(count_of);
        if let Some((known, _)) = &known {
            self.block_type(known, name, span);
            let counter = counted.entry(std::sync::Arc::as_ptr(known)).or_default();
            let before = counter.count;
            counter.count = match count {
                Some(count) => before.saturating_add(count),
                None => before.max(known.min),
            };
            let now = counter.count;
            if known.max.is_some_and(|max| before <= max && now > max) {
                self.too_many_blocks(known, name, span);
            }
        }
        let (known, inner) = match known {
            Some((known, inner)) => (Some(&**known), inner),
            None => (None, self.checker.index().anything()),
        };
        let element = element_of(collection.as_ref().filter(|_| count != Some(0)));
        Some(Generated { known, inner, iterator: parts.iterator, element, labels, content: parts.content })
    }

    /// Checks the names and the dynamic blocks in a block that an open body does not list.
    pub(super) fn unlisted<'t>(&mut self, block: BlockNode<'t>, around: &Around<'_, 't, 'c>) {
        let around = Around { parent: Some(around), ..Around::default() };
        stack::with_room(|| self.native(block.body(), self.checker.index().anything(), &around, true));
    }

    /// Returns the collection of a dynamic block, as far as it is known, and reports a value that is none.
    fn collection(&mut self, expression: &Expression, around: &Around<'_, '_, 'c>) -> Value {
        self.names_in(None, &Expr::Handle(expression.clone()), around);
        let variables: HashMap<String, Value> = expression
            .variables()
            .iter()
            .map(|path| {
                let value = around.iterator_value(path.root()).cloned().unwrap_or_else(unknown);
                (path.root().to_owned(), value)
            })
            .collect();
        let scope = Scope::new().with_functions(self.checker.functions().clone()).with_variables(&variables);
        let value = expression.evaluate_partially(&scope).into_parts().0;
        self.found.extend(wrong_collection(&value, expression));
        value
    }

    /// Reports attributes that the current element of a dynamic block does not have.
    pub(super) fn iterator_members(&mut self, expression: &Expr<'_>, around: &Around<'_, '_, 'c>) {
        if !around.has_iterators() {
            return;
        }
        for path in expression.handle().variables() {
            let Some(element) = around.iterator_value(path.root()) else { continue };
            let Some(node) = path.node() else { continue };
            if let Err(problems) = node.evaluate(&Scope::new().with(path.root(), element.clone())) {
                self.found.append(problems);
            }
        }
    }
}

impl Around<'_, '_, '_> {
    /// Returns true if the body is generated by a dynamic block, or is within such a body.
    pub(super) fn has_iterators(&self) -> bool {
        std::iter::successors(Some(self), |around| around.parent).any(|around| around.iterator.is_some())
    }

    /// Returns an element of unknown values, if a dynamic block around defines the name for its elements.
    fn iterator_value(&self, name: &str) -> Option<&Value> {
        let mut all = std::iter::successors(Some(self), |around| around.parent);
        all.find_map(|around| around.iterator.filter(|(iterator, _)| *iterator == name).map(|(_, value)| value))
    }
}

fn unknown() -> Value {
    Value::unknown(Type::Dynamic)
}

/// Returns the number of elements of a collection, if it is known.
fn count_of(collection: &Value) -> Option<u32> {
    let (collection, _) = collection.clone().unmark();
    if !collection.is_known() || matches!(collection.view(), View::Set(_)) && !collection.is_wholly_known() {
        return None;
    }
    collection.elements().and_then(|elements| u32::try_from(elements.len()).ok())
}

/// Returns the value of the iterator for any element of a collection.
fn element_of(collection: Option<&Value>) -> Value {
    let ty = collection.map_or(Type::Dynamic, Value::ty);
    let key = match &ty {
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) | Type::Object(_) => Type::String,
        Type::Set(element) => element.get().clone(),
        _ => Type::Dynamic,
    };
    let attributes = ty.attributes().unwrap_or_default().iter().map(|attribute| attribute.ty());
    let mut types = ty.element_type().into_iter().chain(ty.tuple_elements().unwrap_or_default()).chain(attributes);
    // Elements of several types have nothing in common.
    let value = match types.next() {
        Some(first) if types.all(|ty| ty == first) => first.clone(),
        _ => Type::Dynamic,
    };
    Value::object([("key", Value::unknown(key)), ("value", Value::unknown(value))])
}
