//! Strings that name definitions, such as those in `inherits = ["base"]`.

use std::sync::Arc;

use super::Collector;
use crate::definitions::ids::{DefinitionId, ModuleId, NodeId};
use crate::definitions::program::NamedUse;
use crate::definitions::string_references::StringReferences;
use hcl_lr::body::{Block, Body, BodySchema, Expression};
use hcl_lr::internal::Written;
use hcl_lr::source::{Place, Span};

impl Collector<'_> {
    /// Notes the strings in a block that name definitions. So many members of the definition, the last ones, are those of
    /// the block.
    pub(super) fn names_in<'n>(
        &mut self,
        block: &Block,
        names: impl IntoIterator<Item = &'n Arc<StringReferences>>,
        module: ModuleId,
        definition: Option<DefinitionId>,
        own: usize,
    ) {
        for names in names {
            let mut found = Found { collector: self, names, module, definition, own };
            found.below(block, &names.blocks);
        }
    }

    /// Notes such strings in the attributes of a file, and in its blocks that have no role.
    pub(super) fn names_without_role(&mut self, body: &Body, module: ModuleId) {
        let roles = self.program.roles().clone();
        for names in roles.names_at_top() {
            Found { collector: self, names, module, definition: None, own: 0 }.in_body(body);
        }
        let mut schema = BodySchema::new();
        let mut any = false;
        for (block_type, labels) in roles.blocks_with_names() {
            if has_block(body, block_type) {
                schema = schema.block(block_type, &vec!["label"; labels]);
                any = true;
            }
        }
        if !any {
            return;
        }
        let content = body.expected_content(&schema).into_value();
        for block in content.blocks() {
            for names in roles.names_in_block(block.block_type()) {
                let mut found = Found { collector: self, names, module, definition: None, own: 0 };
                found.below(block, names.blocks.get(1..).unwrap_or_default());
            }
        }
    }
}

/// Returns true if a body can contain a block of a type, without using a schema if possible.
pub(super) fn has_block(body: &Body, block_type: &str) -> bool {
    match body.written() {
        Written::Native(node, _) => node.blocks_of_type(block_type).next().is_some(),
        _ => true,
    }
}

/// Returns true if a body can have an attribute, without using a schema if possible.
pub(super) fn has_attribute(body: &Body, name: &str) -> bool {
    match body.written() {
        Written::Native(node, _) => node.attribute(name).is_some(),
        _ => true,
    }
}

/// Names that are looked for in a block.
struct Found<'f, 'l> {
    collector: &'f mut Collector<'l>,
    names: &'f Arc<StringReferences>,
    module: ModuleId,
    definition: Option<DefinitionId>,
    /// The number of members that the block itself has.
    own: usize,
}

impl Found<'_, '_> {
    /// Goes down the blocks that lead to the strings. There are as many as the path in the table has steps.
    fn below(&mut self, block: &Block, path: &[(String, usize)]) {
        let Some(((block_type, labels), rest)) = path.split_first() else { return self.in_block(block) };
        if !has_block(block.body(), block_type) {
            return;
        }
        let schema = BodySchema::new().block(block_type.clone(), &vec!["label"; *labels]);
        let content = block.body().expected_content(&schema).into_value();
        content.blocks().iter().for_each(|inner| self.below(inner, rest));
    }

    fn in_block(&mut self, block: &Block) {
        if self.names.attribute.is_some() {
            self.in_body(block.body());
        } else if let Some(label) = block.labels().last() {
            self.string(label.text(), label.place().clone(), None);
        }
    }

    fn in_body(&mut self, body: &Body) {
        let names = self.names.clone();
        let Some(name) = names.attribute.as_ref().filter(|name| has_attribute(body, name)) else { return };
        let content = body.expected_content(&BodySchema::new().optional(name.clone())).into_value();
        let Some(attribute) = content.attribute(name) else { return };
        let member = self.definition.and_then(|definition| {
            let members = &self.collector.program[definition].members;
            members.iter().rev().take(self.own).find(|member| *member.name == **name).map(|member| member.node)
        });
        let mut waiting = vec![attribute.expression().clone()];
        while let Some(expression) = waiting.pop() {
            let start = waiting.len();
            if let Some((text, place)) = literal(&expression) {
                self.string(&text, place, member);
            } else if let Ok(elements) = expression.static_list() {
                waiting.extend(elements);
            } else if let Ok(entries) = expression.static_map() {
                waiting.extend(entries.into_iter().map(|(_, value)| value));
            }
            waiting[start..].reverse();
        }
    }

    fn string(&mut self, text: &str, place: Place, member: Option<NodeId>) {
        let Some(name) = text.strip_prefix(&*self.names.prefix) else { return };
        let place = name_in(place, text, name);
        let (names, name, name_place, target) = (self.names.clone(), name.into(), place.clone(), None);
        let (module, definition) = (self.module, self.definition);
        let one = NamedUse { module, definition, member, names, name, place, name_place, target };
        self.collector.program.add_named(one);
    }
}

/// The text of a string in which nothing is computed, and where it is.
fn literal(expression: &Expression) -> Option<(String, Place)> {
    let text = match expression.as_template() {
        Some(template) => template.as_text()?.into_owned(),
        None => expression.text_in_json().filter(|text| !text.contains("${") && !text.contains("%{"))?,
    };
    Some((text, expression.place()))
}

/// Returns the place of the name in a string, which ends with it; all of the string if it is not written as it is.
fn name_in(place: Place, text: &str, name: &str) -> Place {
    let written = place.text();
    match written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner == text => {
            let end = place.span().end() - 1;
            Place::new(place.source(), Span::new(end - name.len(), end))
        }
        _ => place,
    }
}
