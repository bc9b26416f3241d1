//! Contents that depend on the values of labels and attributes.

use std::sync::PoisonError;

use super::{Around, Resolver};
use crate::schema::check::shape::names_of;
use crate::schema::index::Layers;
use crate::schema::model::Type;
use hcl_lr::body::BodySchema;
use hcl_lr::model;

impl<'c> Resolver<'c> {
    /// Adds the contents for the values of labels and attributes.
    pub(super) fn with_selected_cases(&mut self, mut layers: Layers<'c>, around: &Around<'_, 'c>) -> Layers<'c> {
        // Cases may depend on attributes that other cases add.
        let mut at = 0;
        loop {
            let Some((index, match_node)) = layers.match_nodes().nth(at) else { return layers };
            at += 1;
            let value = self.case_key(&match_node.matched.key, &layers, around);
            let case = value.and_then(|value| match_node.cases.get(&*value).copied().or(match_node.otherwise));
            match case {
                Some(id) => layers.add(index, id),
                // A value that fits no case is reported where the files are checked.
                None => layers.set_open(),
            }
        }
    }

    /// Returns the value of a label or attribute by its name.
    fn case_key(&mut self, key: &str, layers: &Layers<'c>, around: &Around<'_, 'c>) -> Option<String> {
        let (mut around, mut name, mut own) = (around, key, Some(layers));
        while let Some(rest) = name.strip_prefix("parent.") {
            (around, name, own) = (around.parent?, rest, None);
        }
        let mut names = around.block.into_iter().flat_map(|block| &block.labels);
        if let Some(label) = names.position(|label| label.name == name).and_then(|at| around.labels.get(at)) {
            return Some(label.text().to_owned());
        }
        // Each block in a body may ask for the same attribute of it.
        let known = || around.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = known().get(name).filter(|_| own.is_none()) {
            return value.clone();
        }
        let value = self.attribute_text(name, own, around);
        known().insert(name.to_owned(), value.clone());
        value
    }

    /// Returns the value of an attribute of a body as a text, or else its default.
    fn attribute_text(&self, name: &str, own: Option<&Layers<'c>>, around: &Around<'_, 'c>) -> Option<String> {
        let index = self.checker.index();
        let known = own.unwrap_or(&around.layers).attribute(name);
        let content = around.body.expected_content(&BodySchema::new().optional(name)).into_value();
        let value = content.attribute(name).map(|attribute| {
            let expression = attribute.expression();
            match known.is_some_and(|known| index.is_unevaluated(&known.ty)) {
                true => names_of(&Type::Any, expression),
                false => expression.evaluate_partially(&self.sites.scope_of(expression, around.site)).into_value(),
            }
        });
        match value.filter(|value| !value.is_null()) {
            Some(value) => value.unmark().0.convert(&model::Type::String).ok()?.as_str().map(str::to_owned),
            None => known?.default_text(),
        }
    }
}
