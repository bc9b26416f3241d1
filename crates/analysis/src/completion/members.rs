//! Members of values: what may follow a dot or an opening bracket, and the keys of objects.

use std::collections::{BTreeMap, HashSet};

use hcl_lr::construct::key;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Type, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::{Expected, Type as SchemaType};

use super::items::Hole;
use super::values::LATER;
use super::{Item, ItemKind, MAX_ITEMS, UsedParts, escaped, in_snippet};
use crate::cursor::Link;
use crate::parts::{defined, names_of};
use crate::rank::{Context, Words, best, fit};
use crate::shape::Shape;
use crate::workspace::Cancelled;

/// The maximum number of references to definitions of a kind to examine.
const MAX_REFERENCES: usize = 5_000;

impl UsedParts<'_> {
    /// Returns the attributes of the value before the dot.
    pub(super) fn members(&self, chain: &[Link], prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let context = self.context(prefix)?;
        let expectation = self.expectation();
        // Where nothing is evaluated, only the definitions of the kinds that are wanted count.
        let wanted: Option<HashSet<&str>> = expectation.is_static().then(|| {
            let referenced = self.referenced(&expectation).into_iter();
            referenced.map(|definition| definition.address()).collect()
        });
        let refuses = self.refused_marks();
        let is_excluded = |shape: Shape| expectation.excludes(&context, shape) || self.refuses_sets(&context, shape);
        let mut items = Vec::new();
        let names: Vec<&str> = chain
            .iter()
            .map_while(|link| match link {
                Link::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        if names.len() == chain.len() {
            let path = format!("{}.", names.join("."));
            let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
            let dependents = self.dependents();
            // The best definition of each step, and whether it is the whole address.
            let mut seen: BTreeMap<&str, (i64, bool, Definition<'_>)> = BTreeMap::new();
            for definition in self.own_definitions() {
                let Some(rest) = definition.address().strip_prefix(&path) else { continue };
                let is_whole = definition.address().len() == path.len() + step_of(rest).len();
                let shape = if is_whole { self.shape_of(&definition) } else { Shape::Any };
                if self.is_inside(&definition)
                    || dependents.contains(definition.address())
                    || refuses(&definition)
                    || is_whole && is_excluded(shape) && !shape.has_parts()
                    || wanted.as_ref().is_some_and(|wanted| !wanted.contains(definition.address()))
                {
                    continue;
                }
                let step = step_of(rest);
                if !is_identifier(step) {
                    continue;
                }
                let address = &definition.address()[..path.len() + step.len()];
                let is_whole = step.len() == rest.len();
                let points = match is_whole {
                    true => context.points(&self.project, &definition, address),
                    false => context.name_points(step, address),
                };
                let known = seen.entry(step).or_insert((points, is_whole, definition));
                if known.0 < points {
                    *known = (points, is_whole, definition);
                }
            }
            let found = seen.into_iter().filter_map(|(step, known)| Some((fit(typed, step)?, known.0, (step, known))));
            for (_, points, (step, (_, is_whole, definition))) in best(found.collect(), MAX_ITEMS) {
                let item = match is_whole {
                    true => Item {
                        is_start: is_excluded(self.shape_of(&definition)),
                        ..self.definition_item(&definition, step, prefix)
                    },
                    false => Item { is_start: true, ..Item::new(step, ItemKind::Reference, prefix) },
                };
                items.push(Item { points, ..item });
            }
            self.snapshot.check()?;
            if let [root] = names[..]
                && wanted.is_none()
            {
                if self.block_names().iter().any(|name| name == root) && !LATER.iter().any(|(name, _)| *name == root) {
                    let is_iterator = !self.is_own_name(root);
                    let members = ["key", "value"].into_iter().filter(|_| is_iterator);
                    items.extend(members.map(|member| Item::new(member, ItemKind::Reference, prefix)));
                }
                let later = LATER.iter().filter(|(name, _)| *name == root);
                items.extend(later.flat_map(|(_, members)| {
                    members.iter().map(|member| Item::new(*member, ItemKind::Reference, prefix))
                }));
            }
        }
        let attributes = if wanted.is_some() { Vec::new() } else { self.attributes_of(chain, &context)? };
        let refuses_sensitive = !attributes.is_empty() && self.refuses_sensitive();
        for (name, ty, points) in attributes {
            if refuses_sensitive && is_secret_name(&name) {
                continue;
            }
            let shape = ty.as_deref().map_or(Shape::Any, Shape::of_result);
            let is_start = is_excluded(shape);
            if is_start && !shape.has_parts() {
                continue;
            }
            let points = if is_start { points - 100 } else { points };
            items.push(Item { detail: ty, points, is_start, ..Item::new(name, ItemKind::Attribute, prefix) });
        }
        if names.len() == chain.len() {
            self.retain_accepted(&expectation, &format!("{}.", names.join(".")), &mut items);
        }
        if wanted.is_none() {
            self.retain_fitting(prefix, &mut items)?;
        }
        Ok(items)
    }

    /// Returns the attributes of the value at a path, with their types.
    fn attributes_of(
        &self,
        chain: &[Link],
        context: &Context<'_>,
    ) -> Result<Vec<(String, Option<String>, i64)>, Cancelled> {
        let mut found: BTreeMap<String, (Option<String>, i64)> = BTreeMap::new();
        let points =
            |name: &str| context.name.as_ref().map_or(0, |target| i64::from(target.likeness(&Words::of(name))));
        let paths = self.paths_at();
        let Some((definition, rest)) = paths.definition(chain) else {
            let members = paths.members(chain)?.into_iter().filter(|(name, _)| is_identifier(name));
            let typed = |ty: &Type| (*ty != Type::Dynamic).then(|| ty.describe());
            let members = members.map(|(name, ty)| {
                let points = points(&name);
                (name, typed(&ty), points)
            });
            return Ok(members.collect());
        };
        if rest.is_empty() || rest.iter().all(|link| !matches!(link, Link::Name(_))) {
            for part in definition.parts().filter(|_| !definition.is_module()) {
                found.insert(part.name().to_owned(), (None, points(part.name())));
            }
            // A block without further attributes has only those that it sets.
            let header = header_of(&definition).filter(|_| is_block(&definition) && definition.is_open());
            if let Some(header) = header {
                for attribute in self
                    .snapshot
                    .known_body(self.file, &[header])
                    .into_iter()
                    .flat_map(|body| body.attributes)
                    .filter(|attribute| !attribute.is_meta)
                {
                    let more = i64::from(attribute.is_read_only) * 10;
                    found.insert(attribute.name.clone(), (attribute.type_text, points(&attribute.name) + more));
                }
            }
            for (name, uses) in self.usual_attributes(&definition)? {
                let more = 30 * i64::from(uses).min(10);
                let entry = found.entry(name.clone()).or_insert_with(|| (None, points(&name)));
                entry.1 += more;
            }
        }
        // What a definition does not set, it has only if its value has more than is written.
        let known = if definition.is_open() { paths.known_parts(chain) } else { Vec::new() };
        for part in known {
            let points = points(&part.name);
            found.entry(part.name).or_insert((part.type_text, points));
        }
        self.snapshot.check()?;
        if self.snapshot.settings().evaluates {
            let value = self.project.evaluated().value(&definition);
            for (name, ty) in names_of(&value, &rest) {
                let text = (ty != Type::Dynamic).then(|| ty.describe());
                let more = points(&name) + 50;
                found.entry(name).and_modify(|known| known.0 = text.clone().or(known.0.take())).or_insert((text, more));
            }
        }
        Ok(found
            .into_iter()
            .filter(|(name, _)| is_identifier(name))
            .map(|(name, (ty, points))| (name, ty, points))
            .collect())
    }

    /// Returns the attributes that other references to definitions of the same kind use, with the number of their
    /// uses.
    fn usual_attributes(&self, definition: &Definition<'_>) -> Result<BTreeMap<String, u32>, Cancelled> {
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        // Another call of a module may be of another module.
        let kind = match definition.is_module() {
            true => Some(format!("{}.", definition.address())),
            false => definition.address().strip_suffix(definition.name()).map(str::to_owned),
        };
        let Some(kind) = kind.filter(|kind| !kind.is_empty()) else {
            return Ok(found);
        };
        if !is_block(definition) && !definition.is_module() {
            return Ok(found);
        }
        self.snapshot.shared(self.file.language(), |shared| {
            for (reference, uses) in shared.references(&kind).take(MAX_REFERENCES) {
                let rest = &reference[kind.len()..];
                let rest = if definition.is_module() { Some(rest) } else { rest.split_once('.').map(|(_, rest)| rest) };
                let Some(rest) = rest else { continue };
                let name = rest.split(['.', '[']).next().unwrap_or(rest);
                if is_identifier(name) {
                    *found.entry(name.to_owned()).or_default() += uses;
                }
            }
        })?;
        Ok(found)
    }

    /// Returns the keys of the value before the bracket, in quotes.
    pub(super) fn keys(&self, chain: &[Link], prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let Some((definition, rest)) = defined(&self.project, chain) else { return self.expressions(prefix) };
        let value = match self.snapshot.settings().evaluates {
            true => self.project.evaluated().value(&definition),
            false => return self.expressions(prefix),
        };
        let mut items: Vec<Item> = names_of(&value, rest)
            .into_iter()
            .map(|(name, ty)| Item {
                text: Value::from(name.as_str()).to_string(),
                detail: (ty != Type::Dynamic).then(|| ty.describe()),
                points: 1_000,
                ..Item::new(name, ItemKind::Value, prefix)
            })
            .collect();
        if prefix.is_empty() {
            // A definition with a known value that is not one of the keys is wrong.
            let known: HashSet<String> = items.iter().map(|item| item.label.clone()).collect();
            let is_other = |address: &str| {
                let value = self.project.definitions().get(address).map(|found| self.project.evaluated().value(&found));
                let text = |value: Value| value.convert(&Type::String).ok()?.as_str().map(str::to_owned);
                value.and_then(text).is_some_and(|text| !known.contains(&text))
            };
            let others = self.expressions(prefix)?.into_iter();
            items.extend(others.filter(|item| known.is_empty() || !is_other(&item.label)));
        }
        self.retain_fitting(prefix, &mut items)?;
        Ok(items)
    }

    /// Returns the keys of the object that is being written, the required ones first.
    pub(super) fn object_keys(&self, prefix: Span, is_quoted: bool) -> Result<Vec<Item>, Cancelled> {
        let expectation = self.expectation();
        let written = self.written_keys(prefix);
        let has_value = self.rest().trim_start().starts_with(['=', ':']);
        let mut items = Vec::new();
        if expectation.is_type() && !is_quoted && !has_value {
            items.extend(self.attribute_of_type(prefix));
        }
        for (checker, expected) in expectation.alternatives() {
            if let Expected::Type(SchemaType::Map(element)) = expected
                && prefix.is_empty()
                && !is_quoted
                && !has_value
            {
                let hole = Hole::of(checker.index().resolve(element));
                items.push(Item {
                    text: format!("key = {}", hole.text()),
                    snippet: Some(format!("${{1:key}} = {}", hole.snippet(2))),
                    detail: Some(element.to_string()),
                    ..Item::new("key", ItemKind::Snippet, prefix)
                });
            }
            for known in expected.keys().iter().filter(|key| !key.is_read_only() && !written.contains(key.name())) {
                let name = known.name();
                let hole = match self.required_text(name) {
                    Some(text) => Hole::text_in_quotes(escaped(&text)),
                    None => known.ty().map_or_else(Hole::default, |ty| Hole::of(checker.index().resolve(ty))),
                };
                items.push(Item {
                    text: match is_quoted {
                        true => format!("{}{}", escaped(name), self.closing_quote()),
                        false if has_value => key(name),
                        false => format!("{} = {}", key(name), hole.text()),
                    },
                    snippet: (!is_quoted && !has_value)
                        .then(|| format!("{} = {}", in_snippet(&key(name)), hole.snippet(0))),
                    detail: known.ty().map(ToString::to_string),
                    documentation: known.description().map(str::to_owned),
                    is_deprecated: known.is_deprecated(),
                    points: if known.is_required() { 100 } else { 0 } - if known.is_deprecated() { 50 } else { 0 },
                    ..Item::new(name, ItemKind::Attribute, prefix)
                });
            }
        }
        Ok(items)
    }

    /// Returns the keys that the object around the place has already, without the one at the place.
    fn written_keys(&self, prefix: Span) -> HashSet<String> {
        let Some(native) = self.file.native() else { return HashSet::new() };
        let around = crate::spans::innermost(native.body(), self.cursor.offset);
        let object = around.into_iter().rev().find_map(|expression| match expression.kind() {
            ExpressionKind::Object(object) => Some(object),
            _ => None,
        });
        let elements = object.into_iter().flat_map(|object| object.elements());
        let others = elements.filter(|element| !element.key_expression().span().touches(prefix.start()));
        others.filter_map(|element| element.key_text().map(|key| key.into_owned())).collect()
    }

    /// Returns the type of a module's input by the name of the argument.
    pub(super) fn type_of_input(&self, argument: &str) -> Option<Type> {
        let [header] = &self.cursor.blocks[..] else { return None };
        let name = header.labels.last()?;
        let mut inputs = self
            .project
            .definitions()
            .iter()
            .filter(|definition| definition.is_input() && definition.name() == argument);
        let input =
            inputs.find(|definition| definition.module().is_some_and(|call| call.rsplit('.').next() == Some(name)))?;
        crate::hover::described(self.snapshot, &input).ty
    }
}

/// Returns the first step of an address.
fn step_of(rest: &str) -> &str {
    rest.split('.').next().unwrap_or(rest)
}

/// Returns true if the value of a definition consists of the attributes of its block.
fn is_block(definition: &Definition<'_>) -> bool {
    !definition.is_input() && !definition.is_module() && definition.expression().is_none()
}

/// Returns the header of the block of a definition, with the labels that say what kind of thing it is.
pub(crate) fn header_of(definition: &Definition<'_>) -> Option<crate::knowledge::Header> {
    let block_type = definition.block_type()?.to_owned();
    let mut labels: Vec<String> = definition.address().split('.').map(str::to_owned).collect();
    if labels.first() == Some(&block_type) {
        labels.remove(0);
    }
    Some(crate::knowledge::Header { block_type, labels })
}
