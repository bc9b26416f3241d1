//! Blocks in the form of an attribute: an object, or a list of objects.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Around, Content, Counted, Counts, Walk};
use crate::schema::check::judge::Judgement;
use crate::schema::check::shape::{Expr, Key, Shape};
use crate::schema::index::Layers;
use crate::schema::model::Block;
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;

impl<'c> Walk<'c, '_> {
    /// Checks blocks in the form of an attribute.
    pub(super) fn either<'t>(
        &mut self,
        known: &'c Arc<Block>,
        inner: &Layers<'c>,
        value: &Expr<'t>,
        around: &Around<'_, 't, 'c>,
        counted: &mut Counts,
    ) {
        match value.shape(&self.judge) {
            Shape::Object(entries) if known.labels.iter().all(|label| label.optional) => {
                self.counted(known, around, value.span(), counted);
                self.object(known, inner, &entries, [value.span(); 2], around);
            }
            Shape::Entries if known.labels.iter().all(|label| label.optional) => {
                self.counted(known, around, value.span(), counted);
            }
            Shape::List(elements) => {
                for element in &elements {
                    self.counted(known, around, element.span(), counted);
                    match element.shape(&self.judge) {
                        Shape::Object(entries) => {
                            self.object(known, inner, &entries, [element.span(), value.span()], around);
                        }
                        Shape::Text(_) | Shape::Number(_) | Shape::Bool(_) => self.no_object(known, element.span()),
                        _ => {}
                    }
                }
            }
            Shape::Text(_) | Shape::Number(_) | Shape::Bool(_) => self.no_object(known, value.span()),
            _ => {
                if inner.attributes().any(|attribute| attribute.is_hidden()) {
                    self.hidden.sensitive.push(value.span());
                }
                // The number of blocks is unknown.
                counted
                    .entry(Arc::as_ptr(known))
                    .or_insert_with(|| Counted { count: known.min, labels: HashSet::new() });
            }
        }
    }

    fn counted(&mut self, known: &'c Arc<Block>, around: &Around<'_, '_, 'c>, span: Span, counted: &mut Counts) {
        self.header(known, &known.name, span, &[], || span, (around, counted));
    }

    fn no_object(&mut self, known: &'c Arc<Block>, span: Span) {
        let detail = format!("\"{}\" is a block or an object", known.name);
        let finding = Finding::error(Code::InvalidArgumentValue, span, detail);
        self.push(finding, Some((&known.place, "blocks of this type")));
    }

    /// Checks an object as the contents of a block. `whole` is the value that contains it.
    fn object<'t>(
        &mut self,
        known: &'c Arc<Block>,
        inner: &Layers<'c>,
        entries: &[(Key<'t>, Expr<'t>)],
        [span, whole]: [Span; 2],
        around: &Around<'_, 't, 'c>,
    ) {
        let around = Around {
            body: Some(Content::Object(entries)),
            block: Some(known),
            parent: Some(around),
            ..Around::default()
        };
        let layers = self.with_cases(inner.clone(), &around);
        if let Judgement::Wrong(problems) = self.judge.entries(&layers, entries, span, 0) {
            for problem in problems {
                self.push(problem.finding(), Some((&known.place, "blocks of this type")));
            }
        }
        if self.met_parts() {
            self.hidden.sensitive.push(whole);
        }
    }
}
