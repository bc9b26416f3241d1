//! Attributes, blocks and labels.

use std::collections::{BTreeSet, HashMap, HashSet};

use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::model::{Number, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind};
use hcl_lr::syntax::is_identifier;
use hcl_lr_language::definitions::{Definition, Role};
use hcl_lr_language::schema::Type as SchemaType;

use super::{Item, ItemKind, UsedParts, escaped, in_snippet};
use crate::diagnostics::undefined_reference;
use crate::knowledge::{Header, KnownAttribute, KnownBlock};
use crate::project::Project;
use crate::rank::Words;
use crate::workspace::{Cancelled, Snapshot};

/// Points for items in the description of the language.
const KNOWN: i64 = 20;

/// Points for required items.
const REQUIRED: i64 = 2_000;

/// Penalty for deprecated items.
const DEPRECATED: i64 = 1_000;

/// Points for an input of the called module, which comes before the arguments of all calls.
const INPUT: i64 = 500;

/// Points for the most frequent attribute of bodies of related kinds.
const RELATED: i64 = 600;

/// The divisor of the likeness of an attribute to the block around it, of at most 100.
const LIKENESS: i64 = 2;

/// Points for an attribute with the name of a value of the files, and for one of a value that nothing refers to.
const NAMED: i64 = 80;
const WAITING: i64 = 250;

/// The detail of a name that files refer to without defining it.
const WANTED: &str = "referred to, but not defined";

impl UsedParts<'_> {
    /// Returns the attributes and blocks for the body around the place.
    pub(super) fn items(&self, prefix: Span) -> Result<Vec<Item>, Cancelled> {
        let body = self.body();
        let written: HashSet<&str> =
            body.iter().flat_map(|body| body.attributes()).map(|attribute| attribute.name()).collect();
        let is_free = |name: &str| {
            // The name at the place itself is still being written.
            !written.contains(name)
                || body
                    .and_then(|body| body.attribute(name))
                    .is_some_and(|attribute| attribute.name_token().span() == prefix)
        };
        let count = |name: &str| body.map_or(0, |body| body.blocks_of_type(name).count()) as u64;
        let mut items = Vec::new();
        let (previous, next) = body.map_or(("", ""), |body| neighbours(body, self.cursor.offset));
        let mut usual = self.usual(&self.cursor.blocks, previous, next)?;
        let mut attributes = std::mem::take(&mut usual.attributes);
        let blocks = &usual.blocks;
        let inputs = self.inputs_to_give();
        let gives_values = inputs.is_some();
        if let Some(inputs) = inputs.filter(|inputs| !inputs.is_empty()) {
            let inputs = inputs.iter().filter(|input| is_free(&input.name));
            return Ok(inputs.map(|input| attribute_item(input, prefix, usual.points(&input.name, 0))).collect());
        }
        let mut known = self.known_body().filter(|_| !gives_values);
        if let Some(known) = known.as_mut().filter(|_| self.is_stored_result()) {
            known.attributes.retain(|attribute| attribute.name != "ephemeral");
        }
        // The name of an attribute often has words of the block's type.
        let around = self.cursor.blocks.iter().enumerate();
        let types = around.filter(|(depth, block)| *depth > 0 || block.labels.is_empty());
        let labels = self.cursor.blocks.iter().flat_map(|block| &block.labels);
        let header = labels.chain(types.map(|(_, block)| &block.block_type)).map(|name| Words::of(name));
        let header: Vec<Words<'_>> = header.collect();
        let given = self.values_by_name();
        let likeness = |name: &str| {
            let words = Words::of(name);
            let likeness = header.iter().map(|header| header.common(&words)).max().unwrap_or_default();
            likeness / LIKENESS + self.value_points(&given, name)
        };
        if let Some(known) = &known {
            for attribute in
                known.attributes.iter().filter(|attribute| !attribute.is_read_only && is_free(&attribute.name))
            {
                let uses = attributes.get(&attribute.name).copied().unwrap_or_default();
                // Attributes that any block can have come after those of this one, if nothing else decides.
                let last = i64::from(attribute.is_meta);
                let points = usual.points(&attribute.name, uses) + likeness(&attribute.name) - last;
                items.push(attribute_item(attribute, prefix, points));
            }
            for block in known.blocks.iter().filter(|block| block.max.is_none_or(|max| count(&block.name) < max)) {
                let uses = blocks.get(&block.name).map_or(0, |(uses, _)| *uses);
                let required = if count(&block.name) < block.min { REQUIRED } else { 0 };
                // A name such as `_` is rarely meant, and would come first among those without uses.
                let points = usual.points(&block.name, uses) + required;
                let points = if block.name.starts_with('_') || block.is_meta { points } else { KNOWN + points };
                items.push(Item { points, ..block_item(block, prefix) });
            }
        }
        let inputs = self.inputs_of_call();
        for input in inputs.iter().filter(|input| is_free(&input.name)) {
            let uses = attributes.get(&input.name).copied().unwrap_or_default();
            let points = usual.points(&input.name, uses) + self.value_points(&given, &input.name);
            items.push(attribute_item(input, prefix, INPUT + points));
        }
        let defining = self.defining_role();
        if let Some((role, labels)) = defining {
            // A name that another block defines cannot be defined here.
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let others = self.own_definitions().filter(|definition| !self.is_inside(definition));
            let defined: HashSet<&str> =
                others.filter_map(|definition| role.name_for(&labels, definition.address())).collect();
            attributes.retain(|name, _| !defined.contains(&**name));
        }
        let wanted = defining.map(|(role, labels)| self.wanted(role, labels)).unwrap_or_default();
        for name in wanted.into_iter().filter(|name| is_free(name)) {
            let attribute = KnownAttribute { name: name.to_owned(), ..Default::default() };
            let detail = Some(WANTED.to_owned());
            items.push(Item { detail, ..attribute_item(&attribute, prefix, REQUIRED + usual.points(name, 0)) });
        }
        // A module has no other inputs.
        let is_required = self.is_in_requirements();
        if is_required {
            items.extend(self.required_items(prefix, is_free));
        }
        let is_described = known.as_ref().is_some_and(|known| !known.is_open) || !inputs.is_empty() || is_required;
        let is_known = |name: &str| {
            known.as_ref().is_some_and(|known| known.attribute(name).is_some() || known.block(name).is_some())
        };
        let is_other = |name: &str, uses: u32| !is_known(name) && (uses > 1 || !self.is_being_written(name, prefix));
        let attributes = attributes.iter().filter(|(name, uses)| is_free(name) && is_other(name, **uses));
        for (name, uses) in attributes.filter(|_| !is_described) {
            let detail = Some(format!("used {} in this workspace", times(*uses)));
            let points = KNOWN + usual.points(name, *uses);
            items.push(Item {
                detail,
                points,
                ..attribute_item(&KnownAttribute { name: name.clone(), ..Default::default() }, prefix, 0)
            });
        }
        let others = blocks.iter().filter(|(name, (uses, _))| is_other(name, *uses));
        for (name, (uses, labels)) in others.filter(|_| !is_described) {
            let labels = vec![crate::knowledge::KnownLabel::default(); *labels];
            let block = KnownBlock { name: name.clone(), labels, ..Default::default() };
            let detail = Some(format!("block, used {} in this workspace", times(*uses)));
            items.push(Item { detail, points: KNOWN + usual.points(name, *uses), ..block_item(&block, prefix) });
        }
        // Bodies of related kinds have the same attributes, such as the resources of a provider.
        let related = self.usual_in_family()?;
        let most = related.values().copied().max().unwrap_or_default().max(1);
        let places: HashMap<String, usize> =
            items.iter().enumerate().rev().map(|(at, item)| (item.label.clone(), at)).collect();
        for (name, uses) in related.iter().filter(|(name, _)| !is_described && is_free(name)) {
            let points = RELATED * i64::from(*uses) / i64::from(most);
            match places.get(name) {
                Some(&at) => items[at].points += points / 4,
                None => items.push(Item {
                    detail: Some("used in similar blocks".to_owned()),
                    points: KNOWN + points + usual.points(name, 0),
                    ..attribute_item(&KnownAttribute { name: name.clone(), ..Default::default() }, prefix, 0)
                }),
            }
        }
        // If little else is known, use what follows the previous attribute in other bodies.
        if usual.bodies <= 1 && !is_described && defining.is_none() && !self.cursor.blocks.is_empty() {
            let offered: HashSet<String> = items.iter().map(|item| item.label.clone()).collect();
            let names = usual.next_anywhere.by_name.keys().chain(usual.before_anywhere.by_name.keys());
            let names: BTreeSet<&String> = names.collect();
            for name in names.into_iter().filter(|name| is_free(name) && !offered.contains(*name)) {
                let attribute = KnownAttribute { name: name.clone(), ..Default::default() };
                items.push(Item { points: usual.points(name, 0), ..attribute_item(&attribute, prefix, 0) });
            }
        }
        if self.cursor.blocks.is_empty() && known.is_none() {
            for role in self.project.language().roles().roles() {
                let Some(name) = role.block_type().filter(|name| !blocks.contains_key(*name)) else { continue };
                let labels = role
                    .label_names()
                    .iter()
                    .map(|label| crate::knowledge::KnownLabel { name: label.clone(), ..Default::default() });
                let block = KnownBlock { name: name.to_owned(), labels: labels.collect(), ..Default::default() };
                items.push(block_item(&block, prefix));
            }
        }
        items.retain(|item| is_identifier(&item.label) && !(gives_values && item.kind == ItemKind::Block));
        let rest = self.rest().trim_start();
        if !rest.is_empty() && !rest.starts_with(['}', '#', '/']) {
            // The rest of the item is already there, and a block has no equals sign.
            if rest.starts_with('=') {
                items.retain(|item| item.kind != ItemKind::Block);
            }
            for item in &mut items {
                (item.text, item.snippet) = (item.label.clone(), None);
            }
        } else if rest.starts_with('}') {
            // A block on one line cannot contain blocks.
            items.retain(|item| item.kind != ItemKind::Block);
            items.iter_mut().for_each(|item| item.snippet = None);
        }
        Ok(items)
    }

    /// Returns the inputs and other values of the files by their names.
    fn values_by_name(&self) -> HashMap<&str, Definition<'_>> {
        let values =
            self.own_definitions().filter(|definition| definition.is_input() || definition.expression().is_some());
        values.map(|definition| (definition.name(), definition)).collect()
    }

    /// Returns points for an attribute with the name of a value, which is probably meant for it. One that nothing refers to
    /// counts most.
    fn value_points(&self, values: &HashMap<&str, Definition<'_>>, name: &str) -> i64 {
        let Some(value) = values.get(name) else { return 0 };
        let mut references = self.project.references().to(value).filter(|reference| !reference.is_definition());
        if references.next().is_some() { NAMED } else { WAITING }
    }

    /// Returns the role of the body around the place, with the labels of its block, if each attribute in it is a
    /// definition.
    fn defining_role(&self) -> Option<(&Role, &[String])> {
        let (block_type, labels) = match &self.cursor.blocks[..] {
            [] => (None, &[][..]),
            [header] => (Some(header.block_type.as_str()), &header.labels[..]),
            _ => return None,
        };
        let mut roles = self.project.language().roles().roles().iter();
        let role = roles.find(|role| role.block_type() == block_type && role.defines_attributes())?;
        Some((role, labels))
    }

    /// Returns the arguments of the module call around the place: the inputs of the module.
    pub(super) fn inputs_of_call(&self) -> Vec<KnownAttribute> {
        inputs_of_call(self.snapshot, &self.project, &self.cursor.blocks)
    }

    /// Returns the inputs that the attributes of the body around the place set, in a file next to those that define
    /// names. `None` if it has other attributes.
    fn inputs_to_give(&self) -> Option<Vec<KnownAttribute>> {
        let blocks: Vec<&str> = self.cursor.blocks.iter().map(|block| &*block.block_type).collect();
        let files = self.project.language().roles().companions_of(self.file.name())?;
        let inputs = self
            .project
            .definitions()
            .iter()
            .filter(|definition| definition.is_input() && definition.module().is_none());
        files.gives_inputs(&blocks).then(|| inputs.map(|input| described_input(self.snapshot, &input)).collect())
    }

    /// Returns the names that files refer to without defining them, and that a block with these labels would define:
    /// by its next label, or else by an attribute.
    fn wanted(&self, role: &Role, labels: &[String]) -> BTreeSet<&str> {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut look = |wrong| {
            found.extend(undefined_reference(wrong).and_then(|reference| role.name_for(&labels, reference)));
        };
        self.project.references().undefined().iter().for_each(&mut look);
        // A bare name may be a variable of the application, so it counts only in values.
        let is_bare = role.name_for(&labels, "name").is_some();
        if is_bare && self.project.language().is_checked() && self.snapshot.settings().evaluates {
            self.project.evaluated().diagnostics().iter().for_each(&mut look);
        }
        found
    }

    /// Returns the values for a label.
    pub(super) fn labels(&self, header: &Header, prefix: Span, is_quoted: bool) -> Result<Vec<Item>, Cancelled> {
        let at = header.labels.len();
        let quoted = |value: &str| match is_quoted {
            true => format!("{}{}", escaped(value), self.closing_quote()),
            false => Value::from(value).to_string(),
        };
        let mut items = Vec::new();
        let known = self.known_body();
        let block = known.as_ref().and_then(|body| body.block(&header.block_type));
        let values = block.and_then(|block| block.labels.get(at)).into_iter().flat_map(|label| &label.values);
        let written = |name: &str| self.body().map_or(0, |body| body.blocks_of_type(name).count()) as u64;
        // A dynamic block generates blocks of which there may be enough.
        let is_full = |name: &str| {
            let generated = known.as_ref().filter(|_| header.block_type == "dynamic");
            let max = generated.and_then(|body| body.block(name)?.max);
            max.is_some_and(|max| written(name) >= max || self.generated_count() > max)
        };
        for value in values.filter(|value| !is_full(&value.text)) {
            let documentation = value.description.clone();
            items.push(Item {
                text: quoted(&value.text),
                documentation,
                ..Item::new(&value.text, ItemKind::Label, prefix)
            });
        }
        let roles = self.project.language().roles().roles();
        let role = roles.iter().find(|role| role.block_type() == Some(&header.block_type));
        items.extend(self.provider_names(header).into_iter().map(|(name, detail, points)| Item {
            text: quoted(&name),
            detail: Some(detail),
            points,
            ..Item::new(name, ItemKind::Label, prefix)
        }));
        let is_last = role.is_some_and(|role| role.label_names().len() == at + 1);
        if is_last && self.cursor.blocks.is_empty() {
            // The last label is a new name.
            for name in role.map(|role| self.wanted(role, &header.labels)).unwrap_or_default() {
                let detail = Some(WANTED.to_owned());
                items.push(Item {
                    text: quoted(name),
                    detail,
                    points: KNOWN,
                    ..Item::new(name, ItemKind::Label, prefix)
                });
            }
            return Ok(items);
        }
        if block.and_then(|block| block.labels.get(at)).is_some_and(|label| label.is_closed) {
            return Ok(items);
        }
        // The label that is being written does not count as an example.
        let known_role = roles.iter().any(|role| role.block_type() == Some(&header.block_type));
        let is_taken = |value: &str| {
            let mut blocks = self.body().into_iter().flat_map(|body| body.blocks_of_type(&header.block_type));
            let labels = || header.labels.iter().map(String::as_str).chain([value]);
            block.is_some() && !known_role && blocks.any(|block| block.labels().map(|label| label.text()).eq(labels()))
        };
        let is_example = |(value, uses): &(&String, &u32)| {
            !value.is_empty() && (**uses > 1 || !self.is_being_written(value, prefix)) && !is_taken(value)
        };
        for (value, uses) in self.usual_labels(header, at)?.iter().filter(is_example) {
            let detail = Some(format!("used {} in this workspace", times(*uses)));
            items.push(Item {
                text: quoted(value),
                detail,
                points: i64::from(*uses),
                ..Item::new(value, ItemKind::Label, prefix)
            });
        }
        Ok(items)
    }
}

impl UsedParts<'_> {
    /// Returns the number of blocks that the dynamic block at the place generates, if its collection is a list.
    fn generated_count(&self) -> u64 {
        let Some(native) = self.file.native() else { return 0 };
        let body = super::body_at(native.body(), self.cursor.offset, self.cursor.blocks.len());
        let mut blocks = body.into_iter().flat_map(|body| body.blocks());
        let block = blocks.find(|block| crate::spans::touches(block.header_span(), self.cursor.offset));
        let collection = block.and_then(|block| block.body().attribute("for_each"));
        match collection.map(|attribute| attribute.expression().kind()) {
            Some(ExpressionKind::Tuple(tuple)) => tuple.elements().count() as u64,
            _ => 0,
        }
    }
}

/// Returns the arguments of the call of a module in blocks: the inputs of the module.
pub(crate) fn inputs_of_call(snapshot: &Snapshot, project: &Project, blocks: &[Header]) -> Vec<KnownAttribute> {
    let [header] = blocks else { return Vec::new() };
    let roles = project.language().roles().roles();
    if !roles.iter().any(|role| role.block_type() == Some(&header.block_type) && role.module_source().is_some()) {
        return Vec::new();
    }
    let Some(name) = header.labels.last() else { return Vec::new() };
    let definitions = project.definitions();
    let call = definitions
        .iter()
        .find(|definition| definition.is_module() && definition.module().is_none() && definition.name() == name);
    let Some(call) = call else { return Vec::new() };
    let inputs =
        definitions.iter().filter(|definition| definition.is_input() && definition.module() == Some(call.address()));
    inputs.map(|input| described_input(snapshot, &input)).collect()
}

fn described_input(snapshot: &Snapshot, input: &Definition<'_>) -> KnownAttribute {
    let described = crate::hover::described(snapshot, input);
    let is_sensitive = input.is_sensitive() || is_secret_name(input.name());
    KnownAttribute {
        name: input.name().to_owned(),
        type_text: described.type_text,
        ty: described.ty,
        description: described.description,
        is_required: input.expression().is_none(),
        is_sensitive,
        default: input.expression().filter(|_| !is_sensitive).map(|expression| expression.to_string()),
        place: Some(crate::Location::of(input.name_place())),
        ..Default::default()
    }
}

/// Returns the initial value of an attribute, by its type.
pub(crate) fn initial_value(attribute: &KnownAttribute) -> String {
    hole(attribute).text()
}

/// Describes a number of uses.
pub(super) fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

/// Returns the names of the attributes or blocks before and after a place in a body; empty if there is none.
fn neighbours(body: BodyNode<'_>, offset: usize) -> (&str, &str) {
    let (mut previous, mut next) = ("", "");
    for item in body.items() {
        let (name, span) = match item {
            BodyItem::Attribute(attribute) => (attribute.name(), attribute.span()),
            BodyItem::Block(block) => (block.block_type(), block.span()),
            _ => continue,
        };
        if span.end() <= offset {
            previous = name;
        } else if span.start() >= offset {
            next = name;
            break;
        }
    }
    (previous, next)
}

pub(super) fn attribute_item(attribute: &KnownAttribute, prefix: Span, points: i64) -> Item {
    let required = if attribute.is_required { REQUIRED } else { 0 };
    let deprecated = if attribute.deprecated.is_some() { DEPRECATED } else { 0 };
    let mut detail = attribute.type_text.clone();
    if attribute.is_required {
        detail = Some(detail.map_or("required".to_owned(), |text| format!("required, {text}")));
    }
    Item {
        detail,
        documentation: attribute.description.clone(),
        text: format!("{} = {}", attribute.name, hole(attribute).text()),
        snippet: Some(format!("{} = {}", attribute.name, hole(attribute).snippet(0))),
        is_deprecated: attribute.deprecated.is_some(),
        points: KNOWN + required + points - deprecated,
        ..Item::new(&attribute.name, ItemKind::Attribute, prefix)
    }
}

/// The initial value of an attribute: a placeholder, and the text before and after it.
pub(super) struct Hole {
    before: &'static str,
    value: String,
    after: &'static str,
}

impl Default for Hole {
    fn default() -> Self {
        Hole { before: "", value: "null".to_owned(), after: "" }
    }
}

impl Hole {
    /// Creates the hole for a value of a type, which is not a name of another type.
    pub fn of(ty: &SchemaType) -> Hole {
        // The first of several types.
        let ty = match ty {
            SchemaType::OneOf(types) => types.first().unwrap_or(ty),
            ty => ty,
        };
        let (before, value, after) = match ty {
            SchemaType::String | SchemaType::Format(_) | SchemaType::Name(_) | SchemaType::Catalog(_) => {
                ("\"", String::new(), "\"")
            }
            SchemaType::List(_) | SchemaType::Set(_) | SchemaType::Tuple(_) => ("[", String::new(), "]"),
            SchemaType::Map(_) | SchemaType::Object(_) | SchemaType::Part(_) => ("{", String::new(), "}"),
            SchemaType::Bool => ("", "false".to_owned(), ""),
            SchemaType::Number(range) | SchemaType::Integer(range) => {
                let zero = Number::from(0);
                let number =
                    if range.contains(&zero) { Some(&zero) } else { range.min.as_ref().or(range.max.as_ref()) };
                ("", number.unwrap_or(&zero).to_string(), "")
            }
            SchemaType::Literal(value) => ("", value.to_string(), ""),
            SchemaType::Keyword(words) => ("", words.first().cloned().unwrap_or("null".to_owned()), ""),
            SchemaType::TypeExpression => ("", "any".to_owned(), ""),
            _ => return Hole::default(),
        };
        Hole { before, value, after }
    }

    /// Creates the hole for a text, which is escaped.
    pub fn text_in_quotes(text: String) -> Hole {
        Hole { before: "\"", value: text, after: "\"" }
    }

    /// Returns the text.
    pub fn text(&self) -> String {
        format!("{}{}{}", self.before, self.value, self.after)
    }

    /// Returns the text with the placeholder of a number in the notation of snippets.
    pub fn snippet(&self, number: usize) -> String {
        match (self.before, &self.value) {
            ("{", _) => format!("{{\n  ${number}\n}}"),
            ("", value) => format!("${{{number}:{}}}", in_snippet(value)),
            (before, value) if value.is_empty() => format!("{before}${number}{}", self.after),
            (before, value) => format!("{before}${{{number}:{}}}{}", in_snippet(value), self.after),
        }
    }
}

/// Returns the initial value of an attribute.
fn hole(attribute: &KnownAttribute) -> Hole {
    match (&attribute.schema_type, &attribute.ty) {
        (Some(ty), _) => Hole::of(ty),
        (None, Some(ty)) => Hole::of(&SchemaType::for_values(ty)),
        (None, None) => Hole::default(),
    }
}

fn block_item(block: &KnownBlock, prefix: Span) -> Item {
    let (mut text, mut snippet, mut number) = (block.name.clone(), block.name.clone(), 1);
    for label in &block.labels {
        let name = if label.name.is_empty() { "name" } else { &label.name };
        text += " \"\"";
        snippet += &format!(" \"${{{number}:{}}}\"", in_snippet(&escaped(name)));
        number += 1;
    }
    let mut lines = Vec::new();
    for attribute in &block.required {
        lines.push(format!("  {} = {}", attribute.name, hole(attribute).snippet(number)));
        number += 1;
    }
    if lines.is_empty() {
        lines.push("  $0".to_owned());
    }
    Item {
        detail: Some("block".to_owned()),
        documentation: block.description.clone(),
        text: text + " {\n}",
        snippet: Some(format!("{snippet} {{\n{}\n}}", lines.join("\n"))),
        is_deprecated: block.deprecated.is_some(),
        ..Item::new(&block.name, ItemKind::Block, prefix)
    }
}
