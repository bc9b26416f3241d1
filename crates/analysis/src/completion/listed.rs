//! The items of the types of the schema: values, words, collections, references, and strings that name definitions.

use std::collections::{BTreeSet, HashSet};

use hcl_lr::construct::key;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::BodyNode;
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::Definition;
use hcl_lr_language::schema::{Expected, ExpectedKey, Type};

use super::expected::Expectation;
use super::items::Hole;
use super::{Item, ItemKind, MAX_ITEMS, UsedParts, in_snippet};
use crate::cursor::Place;
use crate::description::{self, BodyIn};
use crate::knowledge::BodyAt;
use crate::rank::{Context, best, fit};

/// The words of types in schema files, with the text after them.
const SCHEMA_TYPES: [(&str, &str); 24] = [
    ("string", ""),
    ("number", ""),
    ("integer", ""),
    ("bool", ""),
    ("any", ""),
    ("type", ""),
    ("expression", ""),
    ("required", "(string)"),
    ("optional", "(string)"),
    ("repeated", "(string)"),
    ("list", "(string)"),
    ("set", "(string)"),
    ("map", "(string)"),
    ("tuple", "([string])"),
    ("object", "({})"),
    ("one_of", "(string, number)"),
    ("keyword", "()"),
    ("reference", "()"),
    ("address", "()"),
    ("string_name", "([])"),
    ("typed_by", "(type)"),
    ("identifier", ""),
    ("duration", ""),
    ("file_path", ""),
];

/// The maximum number of words to show.
const MAX_LISTED: usize = 20;

/// Points for a value or word that the schema lists.
const LISTED: i64 = 900;

impl UsedParts<'_> {
    /// Describes the name that ends at the place, in Markdown: a word or key of the schema, or a word of a type.
    pub(crate) fn about_name(&self, name: &str) -> Option<String> {
        let expectation = self.expectation();
        match &self.cursor.place {
            Place::ObjectKey { .. } => expectation.alternatives().iter().find_map(|(_, expected)| {
                let keys = expected.keys();
                let key = keys.iter().find(|key| key.name() == name)?;
                let head = key.ty().map_or_else(|| name.to_owned(), |ty| format!("{name}: {ty}"));
                let mut parts = vec![crate::hover::code(&head)];
                parts.extend(key.is_required().then(|| "Required.".to_owned()));
                parts.extend(key.description().map(str::to_owned));
                Some(parts.join("\n\n"))
            }),
            Place::Expression { .. } if expectation.is_type() => {
                let about = about_type(name)?;
                Some(format!("{}\n\n{about}", crate::hover::code(name)))
            }
            Place::Expression { .. } => {
                let listed = expectation.types().find_map(|ty| match ty {
                    Type::Keyword(words) if words.iter().any(|word| word == name) => Some(words),
                    _ => None,
                })?;
                let words: Vec<String> = listed.iter().take(MAX_LISTED).map(|word| format!("`{word}`")).collect();
                Some(format!("{}\n\nOne of {}.", crate::hover::code(name), words.join(", ")))
            }
            _ => None,
        }
    }

    /// Returns the types that the value at the place may have, as in schema files. `None` if they are not known.
    pub(crate) fn expected_types(&self) -> Option<String> {
        let expectation = self.expected_value();
        if expectation.is_unknown() {
            return None;
        }
        let text = |expected: &Expected<'_>| match expected {
            Expected::Type(ty) => Some(ty.to_string()),
            Expected::Body(_) => {
                let keys = expected.keys().into_iter().take(MAX_LISTED);
                let attribute = |known: ExpectedKey<'_>| {
                    let ty = known.ty().map_or_else(|| "{}".to_owned(), ToString::to_string);
                    let ty = if known.is_required() { ty } else { format!("optional({ty})") };
                    format!("{} = {ty}", key(known.name()))
                };
                Some(format!("object({{ {} }})", keys.map(attribute).collect::<Vec<_>>().join(", ")))
            }
            _ => None,
        };
        let mut types: Vec<String> =
            expectation.alternatives().iter().filter_map(|(_, expected)| text(expected)).collect();
        types.dedup();
        (!types.is_empty()).then(|| types.join(" or "))
    }

    /// Returns the type of the values that may stand at the place; `None` if it is not known, or there are several.
    pub(crate) fn expected_value_type(&self) -> Option<hcl_lr::model::Type> {
        let expectation = self.expectation();
        if expectation.is_unknown() {
            return None;
        }
        let mut types = expectation.alternatives().iter().map(|(checker, expected)| match expected {
            Expected::Type(ty) => ty.value_type(&|ty| Some(checker.index().resolve(ty).clone())),
            _ => hcl_lr::model::Type::Dynamic,
        });
        let first = types.next()?;
        types.all(|ty| ty == first).then_some(first)
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
        items.extend(self.required_value(prefix));
        if prefix.is_empty() {
            items.extend(self.brackets(expectation, prefix));
        }
        items
    }

    /// Returns the words of types in schema files, if one is expected.
    pub(super) fn schema_types(&self, expectation: &Expectation<'_>, prefix: Span) -> Vec<Item> {
        let is_outermost = self.cursor.steps.as_ref().is_some_and(Vec::is_empty);
        let items = SCHEMA_TYPES.iter().filter(|_| expectation.is_schema_type() && is_outermost).enumerate();
        let item = |(at, (word, rest)): (usize, &(&str, &str))| Item {
            text: format!("{word}{rest}"),
            points: 100 - at as i64,
            ..Item::new(*word, ItemKind::Keyword, prefix)
        };
        let is_label = self.is_label();
        let fits = |word: &str| match word {
            "repeated" => is_label,
            "required" | "typed_by" | "type" | "expression" => !is_label,
            _ => true,
        };
        items.map(item).filter(|item| fits(&item.label)).collect()
    }

    /// Returns true if the place is in the block of a label of a schema file.
    fn is_label(&self) -> bool {
        self.cursor.blocks.last().is_some_and(|block| block.block_type == "label")
    }

    /// Returns the collections that may stand at the place, with what they must have.
    fn brackets(&self, expectation: &Expectation<'_>, prefix: Span) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for (checker, expected) in expectation.alternatives() {
            let hole = |ty: &Type| Hole::of(checker.index().resolve(ty)).text();
            let mut is_start = false;
            let (label, text, snippet) = match expected {
                Expected::Type(Type::List(_) | Type::Set(_)) => ("[]", "[]".to_owned(), "[$0]".to_owned()),
                Expected::Type(Type::Tuple(elements)) => {
                    let text = format!("[{}]", elements.iter().map(hole).collect::<Vec<_>>().join(", "));
                    ("[]", text.clone(), in_snippet(&text))
                }
                Expected::Type(Type::Map(_) | Type::Object(_)) | Expected::Body(_) | Expected::Labels(..) => {
                    let keys = expected.keys();
                    let required = keys.iter().filter(|key| key.is_required()).map(|known| {
                        let value = known.ty().map_or_else(|| "{}".to_owned(), hole);
                        format!("{} = {value}", key(known.name()))
                    });
                    let required: Vec<String> = required.collect();
                    // The required values are still to be written.
                    is_start = !required.is_empty();
                    let lines: String = required.iter().map(|line| format!("\n  {}", in_snippet(line))).collect();
                    match required.is_empty() {
                        true => ("{}", "{}".to_owned(), "{\n  $0\n}".to_owned()),
                        false => ("{}", format!("{{ {} }}", required.join(", ")), format!("{{{lines}\n}}")),
                    }
                }
                _ => continue,
            };
            let detail = match expected {
                Expected::Type(ty) => Some(ty.to_string()),
                _ => None,
            };
            let snippet = Some(snippet);
            items.push(Item { text, snippet, detail, is_start, ..Item::new(label, ItemKind::Value, prefix) });
        }
        items
    }

    /// Returns what may stand where nothing is evaluated: words, references, paths.
    pub(super) fn unevaluated(&self, expectation: &Expectation<'_>, context: &Context<'_>, prefix: Span) -> Vec<Item> {
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
        for (_, points, definition) in best(found, MAX_ITEMS) {
            items.push(Item { points, ..self.definition_item(&definition, definition.address(), prefix) });
        }
        if expectation.types().any(|ty| matches!(ty, Type::Reference(kinds) if kinds.is_empty())) {
            items.extend(self.names_of_blocks(prefix, |_| true));
        }
        items.extend(self.named_blocks(expectation, prefix));
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
        for (checker, expected) in expectation.alternatives() {
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

    /// Returns the references to blocks of the file, in a language whose expressions refer to nothing else.
    fn named_blocks(&self, expectation: &Expectation<'_>, prefix: Span) -> Vec<Item> {
        let mut items = Vec::new();
        let native = self.file.native().filter(|_| self.project.language().roles().roles().is_empty());
        for (checker, expected) in expectation.alternatives() {
            let Expected::Type(Type::Reference(kinds) | Type::Address(kinds)) = expected else { continue };
            for (block_type, address) in checker.addresses_of(kinds) {
                let blocks =
                    native.zip(block_type).into_iter().flat_map(|(file, name)| file.body().blocks_of_type(name));
                for block in blocks.filter(|block| !block.span().touches(self.cursor.offset)) {
                    // The last label is the name.
                    let name = block.labels().last().map(|label| label.text().into_owned());
                    let last = address.rsplit_once('.').map_or("", |(before, _)| before);
                    let fixed = !last.contains('{') && address.ends_with('}');
                    items.extend(name.filter(|name| fixed && is_identifier(name)).map(|name| {
                        let label = if last.is_empty() { name } else { format!("{last}.{name}") };
                        Item { points: 100, ..Item::new(label, ItemKind::Reference, prefix) }
                    }));
                }
            }
        }
        items
    }

    /// Returns true if the place is in the block or value of a definition.
    pub(super) fn is_inside(&self, definition: &Definition<'_>) -> bool {
        let place = definition.place();
        // Conditions in the block of an input are about its value.
        let is_condition = definition.is_input() && self.cursor.blocks.len() > 1;
        if place.source().name() != &**self.file.path() || is_condition {
            return false;
        }
        match definition.expression() {
            Some(expression) => expression.place().span().touches(self.known.1),
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
        let body =
            self.file.native().and_then(|native| super::body_at(native.body(), self.cursor.offset, around.len()));
        let written = body.into_iter().flat_map(|body| body.attributes()).map(|attribute| attribute.name().to_owned());
        let mut names: Vec<(String, i64)> = written.map(|name| (name, 100)).collect();
        let attributes = known.attributes.iter().filter(|attribute| !attribute.is_meta && !attribute.is_read_only);
        names.extend(attributes.map(|attribute| (attribute.name.clone(), 10)));
        names.extend(known.blocks.iter().filter(|block| block.name != "dynamic").map(|block| (block.name.clone(), 0)));
        let items = names.into_iter().filter(|(name, _)| is_identifier(name));
        items.map(|(name, points)| Item { points, ..Item::new(name, ItemKind::Attribute, prefix) }).collect()
    }

    /// Returns the labels of the blocks that the attribute at the place names. `None` if it names no blocks by labels.
    pub(super) fn labels_to_name(&self) -> Option<BTreeSet<String>> {
        let attribute = self.cursor.attribute.as_ref()?;
        let blocks = &self.cursor.blocks;
        let value = |at: usize, name: &str| crate::diagnostics::value_in(self.file, blocks, at, name);
        let at = BodyAt { path: self.file.path(), blocks, value: &value, has: &|_| false };
        let paths = self.checkers.iter().find_map(|checker| match description::find(checker, &at)? {
            BodyIn::Known { layers, .. } => Some(layers.attribute(attribute)?.label_of.clone()),
            BodyIn::Dynamic(_) => None,
        });
        let paths = paths.filter(|paths| !paths.is_empty())?;
        let mut found = BTreeSet::new();
        for path in paths {
            let mut steps = path.split('.');
            let Some(outer) = steps.next() else { continue };
            let depth = blocks.iter().position(|block| block.block_type == outer).map(|depth| depth + 1);
            let body = depth.zip(self.file.native());
            let body = body.and_then(|(depth, file)| super::body_at(file.body(), self.cursor.offset, depth));
            let mut bodies: Vec<BodyNode<'_>> = body.into_iter().collect();
            let mut labels = Vec::new();
            for step in steps {
                let inner: Vec<_> = bodies.iter().flat_map(|body| body.blocks_of_type(step)).collect();
                labels = inner.iter().filter_map(|block| Some(block.labels().next()?.text().into_owned())).collect();
                bodies = inner.into_iter().map(|block| block.body()).collect();
            }
            found.extend(labels);
        }
        Some(found)
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
}

/// Describes a word of a type expression.
fn about_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "string" => "A text.",
        "number" => "A number, with or without fraction.",
        "bool" => "`true` or `false`.",
        "any" => "Any type. It is that of the value.",
        "list" => "A list of values of one type: `list(string)`.",
        "set" => "Values of one type, each once and in no order: `set(string)`.",
        "map" => "Values of one type by their names: `map(number)`.",
        "tuple" => "A list with a type for each element: `tuple([string, number])`.",
        "object" => "Attributes with a type each: `object({ name = string })`.",
        "optional" => "An attribute of an object that may be left out, with its default: `optional(number, 1)`.",
        _ => return None,
    })
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
