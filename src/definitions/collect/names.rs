//! Strings that name definitions, such as those in `inherits = ["base"]`.

use super::Collector;
use crate::body::{Block, Expression, Schema};
use crate::definitions::program::NamedUse;
use crate::definitions::roles::Role;
use crate::source::{Place, Span};

impl Collector<'_> {
    /// Notes the strings in a block that name definitions. The last members are its own.
    pub(super) fn names_in(&mut self, block: &Block, role: &Role, module: usize, definition: usize, own: usize) {
        for (number, names) in role.options.names.iter().enumerate() {
            let schema = Schema::new().optional(names.attribute.clone());
            let (content, _) = block.body().partial_content(&schema).into_value();
            let Some(attribute) = content.attribute(&names.attribute) else { continue };
            let mut members = self.program.definitions[definition].members.iter().rev().take(own);
            let member = members.find(|member| *member.name == *names.attribute).map(|member| member.node);
            let mut waiting = vec![attribute.expression().clone()];
            while let Some(expression) = waiting.pop() {
                let start = waiting.len();
                if let Some((text, place)) = literal(&expression) {
                    let Some(name) = text.strip_prefix(&*names.prefix) else { continue };
                    let place = name_in(place, &text, name);
                    let name = name.into();
                    let (role, target) = (self.program.definitions[definition].role, None);
                    let one = NamedUse { module, definition, member, role, names: number, name, place, target };
                    self.program.named.push(one);
                } else if let Ok(elements) = expression.static_list() {
                    waiting.extend(elements);
                } else if let Ok(entries) = expression.static_map() {
                    waiting.extend(entries.into_iter().map(|(_, value)| value));
                }
                waiting[start..].reverse();
            }
        }
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

/// Where the name is in a string, which ends with it; all of the string where it is not written as it is.
fn name_in(place: Place, text: &str, name: &str) -> Place {
    let written = place.text();
    match written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if inner == text => {
            let end = place.span().end() as u32 - 1;
            Place::new(place.source(), Span::new(end - name.len() as u32, end))
        }
        _ => place,
    }
}
