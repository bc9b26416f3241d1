//! What may stand at the place, by the types of the schema, and the items that these types have.
//!
//! [`Checker::expected`] finds the types, and [`Checker::accepts`] judges each item, as in a check of the file: no item is
//! offered that would be an error.

use std::collections::HashSet;

use hcl_lr::source::Span;
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::model::NameIn;
use hcl_lr_language::schema::{Checker, Expected, Facts, Type, Within};

use super::values::best;
use super::{Item, ItemKind, UsedParts};
use crate::cursor::{CallAt, Step};
use crate::description::{self, BodyIn};
use crate::knowledge::BodyAt;
use crate::rank::{Context, fit};

/// What may stand at a place.
pub(super) struct Expectation<'c> {
    /// The alternatives, each with the checker of its schema. Empty if nothing is known.
    alternatives: Vec<(&'c Checker, Expected<'c>)>,
    /// True if only the alternatives may stand there, even if there are none.
    is_known: bool,
}

/// Functions whose results have the types of their arguments.
const SAME_TYPE: [&str; 8] = ["try", "coalesce", "toset", "tolist", "tomap", "merge", "concat", "sensitive"];

/// Points for a value or word that the schema lists.
const LISTED: i64 = 900;

impl<'c> Expectation<'c> {
    const UNKNOWN: Expectation<'static> = Expectation { alternatives: Vec::new(), is_known: false };

    fn types(&self) -> impl Iterator<Item = &'c Type> {
        self.alternatives.iter().filter_map(|(_, expected)| match expected {
            Expected::Type(ty) => Some(*ty),
            _ => None,
        })
    }

    /// Returns true if nothing at the place is evaluated, so that values and functions are wrong.
    pub fn is_static(&self) -> bool {
        self.is_known && self.alternatives.iter().all(|(_, expected)| expected.is_static())
    }

    /// Returns true if a type is expected, as in `type = list(string)`.
    pub fn is_type(&self) -> bool {
        self.is_known && self.types().any(|ty| matches!(ty, Type::TypeExpression))
    }

    /// Returns the strings that may name definitions at the place.
    pub fn names(&self) -> impl Iterator<Item = (&'c Checker, &'c NameIn)> {
        self.alternatives.iter().filter_map(|(checker, expected)| match expected {
            Expected::Type(Type::Name(name)) => Some((*checker, &**name)),
            _ => None,
        })
    }

    /// Returns the alternatives.
    pub fn alternatives(&self) -> &[(&'c Checker, Expected<'c>)] {
        &self.alternatives
    }

    /// Returns true if an expression may stand at the place, as far as it is known.
    pub fn accepts(&self, text: &str) -> bool {
        let is_open = !self.is_known || self.alternatives.iter().any(|(_, expected)| expected.is_anything());
        if is_open {
            return true;
        }
        let Ok(expression) = hcl_lr::parse::<hcl_lr::Expression>(text).into_result() else { return true };
        let facts = Facts::default();
        self.alternatives.iter().any(|(checker, expected)| checker.accepts(expected, &expression, &facts))
    }
}

impl UsedParts<'_> {
    /// Returns what may stand at the place in the value around it.
    pub(super) fn expectation(&self) -> Expectation<'_> {
        let (Some(attribute), Some(steps)) = (&self.cursor.attribute, &self.cursor.steps) else {
            return Expectation::UNKNOWN;
        };
        let has = |name: &str| {
            let native = self.file.native();
            native.is_some_and(|native| hcl_lr_language::schema::has_at_top(&native.into(), name))
        };
        let value = |depth: usize, name: &str| self.constant(depth, name);
        let at = BodyAt { path: self.file.path(), blocks: &self.cursor.blocks, value: &value, has: &has };
        let mut alternatives = Vec::new();
        let mut is_known = false;
        for checker in &self.checkers {
            let (start, steps) = match description::find(checker, &at) {
                Some(BodyIn::Known { layers, .. }) => {
                    let known = layers.attribute(attribute);
                    let input = || self.input_type().filter(|_| known.is_none());
                    let ty = match input() {
                        Some(ty) => Some(ty),
                        None => known.or_else(|| layers.free_attribute()).map(|attribute| &attribute.ty),
                    };
                    let Some(ty) = ty else {
                        if layers.is_open() {
                            return Expectation::UNKNOWN;
                        }
                        continue;
                    };
                    (checker.expected(ty), &steps[..])
                }
                Some(BodyIn::Dynamic(block)) => match (&**attribute, block, steps.split_first()) {
                    ("iterator", ..) => (Vec::new(), &[][..]),
                    ("labels", Some(block), Some((Step::Element(at), rest))) => {
                        match block.labels.get(*at).or(block.labels.last()) {
                            Some(label) => (self.label_types(checker, &label.ty), rest),
                            None => continue,
                        }
                    }
                    _ => return Expectation::UNKNOWN,
                },
                None => continue,
            };
            let Some(found) = descend(checker, start, steps) else { return Expectation::UNKNOWN };
            is_known = true;
            alternatives.extend(found.into_iter().map(|expected| (&**checker, expected)));
        }
        Expectation { alternatives, is_known }
    }

    /// Returns the alternatives for a label of a generated block, whose type lives as long as the checker.
    fn label_types<'s>(&'s self, checker: &'s Checker, ty: &Type) -> Vec<Expected<'s>> {
        match ty {
            Type::Named(name) => checker.schema().types.get(name).map_or_else(Vec::new, |ty| checker.expected(ty)),
            _ => vec![Expected::Type(&Type::Any)],
        }
    }

    /// Returns the constant text of an attribute of a block around the place.
    fn constant(&self, depth: usize, name: &str) -> Option<String> {
        crate::diagnostics::value_in(self.file, &self.cursor.blocks, depth, name)
    }

    /// Returns the type of the module's input, or of the file's input, that the attribute at the place sets.
    fn input_type(&self) -> Option<&Type> {
        let find = || {
            let attribute = self.cursor.attribute.as_ref()?;
            let of_call = self.type_of_input(attribute);
            Some(Type::for_values(&of_call.or_else(|| self.type_of_given_input(attribute))?))
        };
        self.input.get_or_init(find).as_ref()
    }

    /// Returns the type of the input that an attribute of a file with values sets.
    fn type_of_given_input(&self, attribute: &str) -> Option<hcl_lr::model::Type> {
        let blocks: Vec<&str> = self.cursor.blocks.iter().map(|block| &*block.block_type).collect();
        let files = self.project.language().roles().companions_of(self.file.name())?;
        let mut inputs = self.project.definitions().iter().filter(|definition| definition.is_input());
        let input = inputs.find(|input| input.module().is_none() && input.name() == attribute)?;
        let ty = crate::hover::described(self.snapshot, &input).ty;
        ty.filter(|_| files.gives_inputs(&blocks))
    }

    /// Returns the values and words that the types list.
    pub(super) fn listed(&self, expectation: &Expectation<'_>, prefix: Span) -> Vec<Item> {
        let mut items = Vec::new();
        let mut add = |text: String, kind: ItemKind| {
            items.push(Item { points: LISTED - items.len() as i64, ..Item::new(text, kind, prefix) });
        };
        for ty in expectation.types() {
            match ty {
                Type::Literal(value) => add(value.to_string(), ItemKind::Value),
                Type::Bool => ["true", "false"].into_iter().for_each(|word| add(word.to_owned(), ItemKind::Value)),
                Type::Keyword(words) => words.iter().for_each(|word| add(word.clone(), ItemKind::Keyword)),
                _ => {}
            }
        }
        if prefix.is_empty() {
            items.extend(self.brackets(expectation, prefix));
        }
        items
    }

    /// Returns the empty collections that may stand at the place.
    fn brackets(&self, expectation: &Expectation<'_>, prefix: Span) -> Vec<Item> {
        let mut items = Vec::new();
        let is_list = |ty: &Type| matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        if expectation.types().any(is_list) {
            items.push(Item { snippet: Some("[$0]".to_owned()), ..Item::new("[]", ItemKind::Value, prefix) });
        }
        let is_object = |expected: &Expected<'_>| match expected {
            Expected::Type(ty) => matches!(ty, Type::Map(_) | Type::Object(_)),
            Expected::Body(_) | Expected::Labels(..) => true,
            _ => false,
        };
        if expectation.alternatives.iter().any(|(_, expected)| is_object(expected)) {
            items.push(Item { snippet: Some("{\n  $0\n}".to_owned()), ..Item::new("{}", ItemKind::Value, prefix) });
        }
        items
    }

    /// Returns what may stand where nothing is evaluated: words, references, paths.
    pub(super) fn unevaluated(
        &self,
        expectation: &Expectation<'_>,
        context: &Context<'_>,
        prefix: Span,
    ) -> Vec<Item> {
        let mut items = self.listed(expectation, prefix);
        let typed = self.file.source().text().get(prefix.range()).unwrap_or_default();
        let mut roots: HashSet<&str> = HashSet::new();
        let mut found = Vec::new();
        for definition in self.referenced(expectation) {
            let address = definition.address();
            if let Some(fit) = fit(typed, address) {
                found.push((fit, context.points(&self.project, &definition, address), definition));
            }
            roots.extend(address.split_once('.').map(|(root, _)| root));
        }
        for (_, points, definition) in best(found) {
            items.push(Item { points, ..self.definition_item(&definition, definition.address(), prefix) });
        }
        for root in roots {
            items.push(Item { points: -500, is_start: true, ..Item::new(root, ItemKind::Reference, prefix) });
        }
        if expectation.types().any(|ty| matches!(ty, Type::Path)) {
            items.extend(self.paths(prefix));
        }
        items
    }

    /// Returns the definitions that references at the place may mean.
    pub(super) fn referenced(&self, expectation: &Expectation<'_>) -> Vec<Definition<'_>> {
        let mut addresses = Vec::new();
        for (checker, expected) in &expectation.alternatives {
            if let Expected::Type(Type::Reference(kinds) | Type::Address(kinds)) = expected {
                addresses.extend(checker.addresses_of(kinds));
            }
        }
        let fits = |definition: &Definition<'_>| {
            addresses.iter().any(|(block_type, address)| {
                *block_type == definition.block_type() && captured(address, definition.address()).is_some()
            })
        };
        let own = self.own_definitions().filter(|definition| !self.is_inside(definition));
        own.filter(fits).collect()
    }

    /// Returns true if the place is in the block or value of a definition.
    pub(super) fn is_inside(&self, definition: &Definition<'_>) -> bool {
        let place = definition.place();
        if place.source().name() != &**self.file.path() {
            return false;
        }
        match definition.expression() {
            Some(expression) => expression.place().span().touches(self.cursor.offset),
            None => self.cursor.block_starts.first().is_some_and(|start| {
                let gap = self.file.source().text().get(place.span().end()..*start);
                gap.is_some_and(|gap| gap.trim() == "{")
            }),
        }
    }

    /// Returns the names of the attributes and blocks of the body that paths at the place lead into.
    fn paths(&self, prefix: Span) -> Vec<Item> {
        let blocks = &self.cursor.blocks;
        let around = &blocks[..blocks.len().saturating_sub(1).max(1).min(blocks.len())];
        let known = self.snapshot.known_body(self.file, around).unwrap_or_default();
        let body = self.file.native().and_then(|native| super::body_at(native.body(), self.cursor.offset, around.len()));
        let written = body.into_iter().flat_map(|body| body.attributes()).map(|attribute| attribute.name().to_owned());
        let mut names: Vec<(String, i64)> = written.map(|name| (name, 100)).collect();
        let attributes = known.attributes.iter().filter(|attribute| !attribute.is_meta && !attribute.is_read_only);
        names.extend(attributes.map(|attribute| (attribute.name.clone(), 10)));
        names.extend(known.blocks.iter().filter(|block| block.name != "dynamic").map(|block| (block.name.clone(), 0)));
        let items = names.into_iter().filter(|(name, _)| is_identifier(name));
        items.map(|(name, points)| Item { points, ..Item::new(name, ItemKind::Attribute, prefix) }).collect()
    }

    /// Returns the texts of strings that name definitions at the place.
    pub(super) fn naming_texts(&self, expectation: &Expectation<'_>) -> Vec<(String, Definition<'_>)> {
        let mut found = Vec::new();
        for (checker, name) in expectation.names() {
            let addresses = checker.addresses_of(&name.kinds);
            let prefix = name.prefix.as_deref().unwrap_or_default();
            for definition in self.own_definitions().filter(|definition| !self.is_inside(definition)) {
                for (block_type, address) in &addresses {
                    let Some(labels) =
                        captured(address, definition.address()).filter(|_| *block_type == definition.block_type())
                    else {
                        continue;
                    };
                    if name.kinds.is_empty() {
                        found.push((format!("{prefix}{}", definition.address()), definition));
                        break;
                    }
                    let forms: Vec<&str> = name.forms.iter().map(String::as_str).take(1).collect();
                    let text = match forms[..] {
                        [form] => filled(form, &labels),
                        _ => labels.last().map(|(_, label)| (*label).to_owned()),
                    };
                    found.extend(text.map(|text| (format!("{prefix}{text}"), definition)));
                    break;
                }
            }
        }
        found
    }

    /// Removes the items that would be wrong at the place. `before` is the text of the expression before the item.
    pub(super) fn retain_accepted(&self, expectation: &Expectation<'_>, before: &str, items: &mut Vec<Item>) {
        if !expectation.is_known || !self.is_whole() {
            return;
        }
        let is_called = self.rest().starts_with('(');
        items.retain(|item| {
            item.is_start || item.kind == ItemKind::Attribute && item.is_start
                || expectation.accepts(&format!("{before}{}{}", item.text, if is_called { "()" } else { "" }))
        });
    }

    /// Returns true if the name at the place is the whole expression, or an operand whose type is that of the whole.
    fn is_whole(&self) -> bool {
        let text = self.file.source().text();
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let mut after = text.get(self.cursor.offset..).unwrap_or_default().trim_start_matches(is_part);
        if after.starts_with('(') {
            match super::functions::call_end(after) {
                Some(end) => after = &after[end..],
                None => return false,
            }
        }
        let is_open = matches!(self.cursor.steps.as_deref(), Some([.., Step::Element(_) | Step::Key(_)]));
        if after.starts_with(['.', '[']) {
            return false;
        }
        let after = after.trim_start_matches([' ', '\t']);
        after.is_empty() || after.starts_with(['\n', '\r', ',', ']', '}', ')', '#', ':']) || is_open && after.is_empty()
    }
}

/// Returns what may stand after some steps into values of these alternatives. `None` if nothing is known there.
fn descend<'c>(checker: &'c Checker, start: Vec<Expected<'c>>, steps: &[Step]) -> Option<Vec<Expected<'c>>> {
    let mut around = start;
    for step in steps {
        let is_type = !around.is_empty()
            && around.iter().all(|expected| matches!(expected, Expected::Type(Type::TypeExpression)));
        if is_type {
            match step {
                // The default of an attribute.
                Step::Argument(CallAt { name, argument: 1.. }) if name == "optional" => return None,
                _ => continue,
            }
        }
        if around.iter().any(Expected::is_anything) {
            return None;
        }
        around = match step {
            Step::Element(at) => checker.expected_within(&around, Within::Element(*at)),
            Step::Key(Some(name)) => checker.expected_within(&around, Within::Key(name)),
            Step::Key(None) | Step::EachValue { is_object: true } => checker.expected_within(&around, Within::AnyKey),
            Step::EachValue { is_object: false } => checker.expected_within(&around, Within::Element(0)),
            Step::Argument(call) if SAME_TYPE.contains(&&*call.name) => around,
            Step::Argument(_) | Step::Other => return None,
        };
    }
    Some(around)
}

/// Returns the labels of an address by a pattern such as `data.{type}.{name}`, with their names. `None` if it does not
/// match.
fn captured<'a>(pattern: &'a str, address: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let (mut labels, mut steps) = (Vec::new(), address.split('.'));
    for wanted in pattern.split('.') {
        let step = steps.next()?;
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => labels.push((name, step)),
            None if wanted == step => {}
            None => return None,
        }
    }
    steps.next().is_none().then_some(labels)
}

/// Returns a notation such as `{type}.{name}` with the texts of labels. `None` if one is missing.
fn filled(form: &str, labels: &[(&str, &str)]) -> Option<String> {
    let part = |step: &str| match step.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        Some(name) => labels.iter().find(|(label, _)| *label == name).map(|(_, text)| (*text).to_owned()),
        None => Some(step.to_owned()),
    };
    let parts: Option<Vec<String>> = form.split('.').map(part).collect();
    Some(parts?.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_addresses_fill_notations() {
        let labels = captured("source.{type}.{name}", "source.docker.a").expect("it fits");
        assert_eq!(filled("{type}.{name}", &labels).as_deref(), Some("docker.a"));
        assert_eq!(filled("source.{type}.{name}", &labels).as_deref(), Some("source.docker.a"));
        assert_eq!(filled("{other}", &labels), None);
        assert_eq!(captured("var.{name}", "local.a"), None);
        assert_eq!(captured("var.{name}", "var.a.b"), None);
    }
}
