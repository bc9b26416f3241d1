//! Values that must be labels of blocks around them.

use std::collections::HashSet;

use super::{Around, Content, Walk};
use crate::schema::check::shape::Expr;
use crate::schema::index::Layers;
use crate::schema::model::Attribute;
use crate::schema::produce::block_schema;
use hcl_lr::body::{self, BodySchema};
use hcl_lr::diagnostic::Code;
use hcl_lr::internal::Finding;
use hcl_lr::source::Span;

impl<'c> Walk<'c, '_> {
    /// Reports a text that is not a label of the blocks that the schema names. Numbers and unknown values are right.
    pub(super) fn label_of(&mut self, known: &Attribute, expression: &Expr<'_>, around: &Around<'_, '_, 'c>) {
        let value = self.value_of(Some(&known.ty), &expression.handle());
        let Some(text) = value.as_str().filter(|text| text.parse::<f64>().is_err()) else { return };
        let mut all: Vec<(&Span, &String)> = Vec::new();
        let mut places = Vec::new();
        for path in &known.label_of {
            let Some((outer, steps)) = path.split_once('.') else { continue };
            let mut chain = std::iter::successors(Some(around), |around| around.parent);
            let Some(enclosing) = chain.find(|around| around.block.is_some_and(|block| block.name == outer)) else {
                continue;
            };
            let Some((body, layers)) = enclosing.body.and_then(Content::handle).zip(enclosing.layers) else { return };
            let at = body.missing_item_place().span();
            let key = (at, steps.to_owned());
            self.labels.entry(key.clone()).or_insert_with(|| {
                let steps: Vec<&str> = steps.split('.').collect();
                labels_at(body, layers, &steps)
            });
            places.push(key);
        }
        for key in &places {
            match self.labels.get(key) {
                Some(Some(labels)) => all.extend(labels.iter().map(|label| (&key.0, label))),
                _ => return,
            }
        }
        if places.is_empty() || all.iter().any(|(_, label)| **label == *text) {
            return;
        }
        let paths: Vec<&str> = known.label_of.iter().filter_map(|path| path.rsplit('.').next()).collect();
        let kind = paths.first().copied().unwrap_or_default();
        let mut names: Vec<&str> = all.iter().map(|(_, label)| label.as_str()).collect();
        names.sort_unstable();
        let detail = format!("there is no block `{kind}` with the label \"{text}\" here");
        let finding = Finding::error(Code::UndefinedName, expression.span(), detail);
        let finding = finding.with_similar(text, expression.span(), names);
        self.push(finding, Some((&known.place, "a label is required by this")));
    }
}

impl Content<'_, '_> {
    /// Returns the body; `None` for an object in place of a block.
    fn handle(self) -> Option<body::Body> {
        match self {
            Content::Native(body) => Some(body::Body::from(body)),
            Content::Json(body) => Some(body.clone()),
            Content::Object(_) => None,
        }
    }
}

/// Returns the first labels of the blocks at a path; `None` if some of the blocks are generated, so that nothing is certain.
fn labels_at(body: body::Body, layers: &Layers<'_>, path: &[&str]) -> Option<HashSet<String>> {
    let mut labels = HashSet::new();
    let (mut bodies, mut outer) = (vec![body], None);
    for step in path {
        let (known, inner) = outer.as_ref().unwrap_or(layers).block(step)?;
        let schema = BodySchema::new().with_block(&block_schema(step, known, &inner)).block("dynamic", &["type"]);
        labels.clear();
        let mut next = Vec::new();
        for body in &bodies {
            let ((content, _), _) = body.partial_content(&schema).into_parts();
            for block in content.blocks() {
                match block.block_type() {
                    "dynamic" if block.label(0) == Some(step) => return None,
                    "dynamic" => {}
                    _ => {
                        labels.extend(block.label(0).map(str::to_owned));
                        next.push(block.body().clone());
                    }
                }
            }
        }
        (bodies, outer) = (next, Some(inner));
    }
    Some(labels)
}
