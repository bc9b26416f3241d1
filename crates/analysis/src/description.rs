//! The description of bodies by the schema of their language.

use std::sync::Arc;

use hcl_lr::model::Value;
use hcl_lr::source::Place;
use hcl_lr_language::schema::model::{BlockRole, Otherwise};
use hcl_lr_language::schema::{Attribute, Block, Checker, Facts, Label, Layers, Type};
use hcl_lr_project::Language;

use crate::Location;
use crate::knowledge::{BodyAt, Header, KnownAttribute, KnownBlock, KnownBody, KnownLabel, KnownValue};

/// Describes a body of a file in a language. `None` if nothing is known about it.
pub fn body(language: &Language, at: &BodyAt<'_>) -> Option<KnownBody> {
    let checkers = language.checkers(at.path);
    let mut all = checkers.iter().filter_map(|checker| body_by(checker, at));
    let mut known = all.next()?;
    for other in all {
        let attributes = other.attributes.into_iter().filter(|attribute| known.attribute(&attribute.name).is_none());
        let attributes: Vec<KnownAttribute> = attributes.collect();
        let blocks = other.blocks.into_iter().filter(|block| known.block(&block.name).is_none());
        let blocks: Vec<KnownBlock> = blocks.collect();
        known
            .attributes
            .extend(attributes.into_iter().map(|attribute| KnownAttribute { is_required: false, ..attribute }));
        known.blocks.extend(blocks.into_iter().map(|block| KnownBlock { min: 0, ..block }));
        known.is_open |= other.is_open;
    }
    Some(known)
}

/// A body of a file in a schema.
pub(crate) enum BodyIn<'c> {
    /// Its contents, and true if `dynamic` blocks may generate blocks of it.
    Known {
        layers: Layers<'c>,
        /// The block that has the body; `None` for the body of a file.
        block: Option<Arc<Block>>,
        generates: bool,
        description: Option<String>,
        place: Option<&'c Place>,
    },
    /// The body of a `dynamic` block that generates blocks of this type; `None` if the type is not known.
    Dynamic(Option<Arc<Block>>),
}

/// Finds a body in a schema. `None` if the schema does not list it.
pub(crate) fn find<'c>(checker: &'c Checker, at: &BodyAt<'_>) -> Option<BodyIn<'c>> {
    let index = checker.index();
    let files = checker.schema().files_for(at.path, at.has)?;
    let mut layers = index.files(files)?;
    let mut description = checker.schema().description.clone();
    let mut place = layers.place();
    let mut own: Option<Arc<Block>> = None;
    let mut labels: Vec<&[Label]> = Vec::new();
    let mut generates = layers.dynamic().unwrap_or(false);
    // The label of the dynamic block around.
    let mut generated: Option<&str> = None;
    for (depth, header) in at.blocks.iter().enumerate() {
        let (block, inner) = match (header.block_type.as_str(), generated.take()) {
            (DYNAMIC, None) if generates && layers.block(DYNAMIC).is_none() => {
                let block_type = header.labels.first()?;
                let known = layers.block(block_type).or_else(|| layers.free_block());
                if depth + 1 == at.blocks.len() {
                    return Some(BodyIn::Dynamic(known.map(|(block, _)| block.clone())));
                }
                generated = Some(block_type);
                labels.push(&[]);
                continue;
            }
            ("content", Some(block_type)) => layers.block(block_type).or_else(|| layers.free_block())?,
            (_, Some(_)) => return None,
            (name, None) => layers.block(name).or_else(|| layers.free_block())?,
        };
        labels.push(&block.labels);
        own = Some(block.clone());
        layers = with_cases(checker, inner, at, &labels, depth);
        generates = layers.dynamic().unwrap_or(generates);
        description = block.description.clone();
        place = layers.place();
    }
    Some(BodyIn::Known { layers, block: own, generates, description, place })
}

/// Returns the block of the schema for a block at the top of a file.
pub(crate) fn find_top(checker: &Checker, path: &str, header: &Header) -> Option<Arc<Block>> {
    let (has, value) = (|_: &str| false, |_: usize, _: &str| None);
    let at = BodyAt { path, blocks: std::slice::from_ref(header), value: &value, has: &has };
    match find(checker, &at)? {
        BodyIn::Known { block, .. } => block,
        BodyIn::Dynamic(_) => None,
    }
}

/// Describes a body by one schema.
fn body_by(checker: &Checker, at: &BodyAt<'_>) -> Option<KnownBody> {
    let index = checker.index();
    let (layers, generates, description, place) = match find(checker, at) {
        Some(BodyIn::Known { layers, generates, description, place, .. }) => (layers, generates, description, place),
        Some(BodyIn::Dynamic(block)) => return Some(dynamic_body(block.as_deref())),
        None => return is_dynamic(checker, at).then(|| dynamic_body(None)),
    };
    let resolve = |ty: &Type| Some(index.resolve(ty).clone());
    let mut known = KnownBody { description, place: place.and_then(location), ..Default::default() };
    for attribute in layers.attributes() {
        known.attributes.push(known_attribute(attribute, index.resolve(&attribute.ty), &resolve));
    }
    for block in layers.blocks() {
        let mut described = known_block(block, &resolve);
        let inner = layers.block(&block.name).map(|(_, inner)| inner);
        if let Some(inner) = inner {
            let required = inner.attributes().filter(|attribute| attribute.required);
            described.required =
                required.map(|attribute| known_attribute(attribute, index.resolve(&attribute.ty), &resolve)).collect();
            for matched in inner.matches() {
                let label = described.labels.iter_mut().find(|label| label.name == matched.key);
                let values = matched.cases.iter().flat_map(|case| &case.values);
                if let Some(label) = label.filter(|label| label.values.is_empty()) {
                    label.values = values.map(|text| KnownValue { text: text.clone(), description: None }).collect();
                    label.is_closed = matched.catalog.is_none() && matches!(matched.otherwise, Otherwise::Wrong);
                }
            }
        }
        for (label, described) in described.labels.iter_mut().zip(&block.labels) {
            if let Type::Catalog(name) = index.resolve(&described.ty)
                && label.values.is_empty()
            {
                let names = checker.names_in(name);
                label.values = names.map(|text| KnownValue { text: text.to_owned(), description: None }).collect();
                label.lacks_catalog = label.values.is_empty();
            }
        }
        known.blocks.push(described);
    }
    if generates && !known.blocks.is_empty() && layers.block(DYNAMIC).is_none() {
        let types = known.blocks.iter().map(|block| KnownValue { text: block.name.clone(), description: None });
        let is_closed = !layers.is_open() && layers.free_block().is_none();
        let label = KnownLabel { name: "type".to_owned(), values: types.collect(), is_closed, ..KnownLabel::default() };
        let description = Some("Generates blocks of a type, one for each element of a collection.".to_owned());
        let required = dynamic_body(None).attributes.into_iter().filter(|attribute| attribute.is_required).collect();
        let block = KnownBlock {
            name: DYNAMIC.to_owned(),
            labels: vec![label],
            description,
            required,
            is_meta: true,
            ..Default::default()
        };
        known.blocks.push(block);
    }
    known.is_open = layers.is_open() || layers.free_attribute().is_some() || layers.free_block().is_some();
    Some(known)
}

/// The type of blocks that generate others.
const DYNAMIC: &str = "dynamic";

/// Returns true for the body of a `dynamic` block in one of which the schema says nothing, such as that of generated blocks
/// of an unknown type.
fn is_dynamic(checker: &Checker, at: &BodyAt<'_>) -> bool {
    let is_last = at.blocks.last().is_some_and(|last| last.block_type == DYNAMIC);
    let outer = |depth| find(checker, &BodyAt { blocks: &at.blocks[..depth], ..*at });
    is_last
        && match (0..at.blocks.len()).rev().find_map(outer) {
            Some(BodyIn::Known { generates, .. }) => generates,
            Some(BodyIn::Dynamic(_)) => true,
            None => false,
        }
}

/// Describes the body of a dynamic block for blocks of a type.
fn dynamic_body(generated: Option<&Block>) -> KnownBody {
    let attribute = |name: &str, type_text: &str, is_required: bool, description: &str| KnownAttribute {
        name: name.to_owned(),
        schema_type: (name == "labels").then(|| Type::list(Type::String)),
        type_text: Some(type_text.to_owned()),
        description: Some(description.to_owned()),
        is_required,
        is_meta: true,
        ..Default::default()
    };
    let mut attributes = vec![
        attribute("for_each", "any", true, "The collection. One block is generated for each element."),
        attribute(
            "iterator",
            "keyword",
            false,
            "The name of the current element in `content`. By default, it is the type of the blocks.",
        ),
    ];
    let required = generated.map_or(0, |block| block.labels.iter().filter(|label| !label.optional).count());
    if generated.is_none_or(|block| !block.labels.is_empty()) {
        let description = "The labels of each block, as a list in brackets.";
        attributes.push(attribute("labels", "list(string)", required > 0, description));
    }
    let content = KnownBlock {
        name: "content".to_owned(),
        description: Some("The body of the generated blocks.".to_owned()),
        min: 1,
        max: Some(1),
        ..Default::default()
    };
    KnownBody { attributes, blocks: vec![content], ..Default::default() }
}

/// Returns the contents of a body with those for the values of its labels and attributes. For an unknown value, those
/// for all values are possible.
fn with_cases<'i>(
    checker: &'i Checker,
    mut layers: Layers<'i>,
    at: &BodyAt<'_>,
    labels: &[&[Label]],
    depth: usize,
) -> Layers<'i> {
    let matches: Vec<hcl_lr_language::schema::model::Match> = layers.matches().cloned().collect();
    for matched in matches {
        let (key, up) = {
            let (mut key, mut up) = (matched.key.as_str(), 0);
            while let Some(rest) = key.strip_prefix("parent.") {
                (key, up) = (rest, up + 1);
            }
            (key, up)
        };
        let own_depth = depth.checked_sub(up);
        let value = own_depth.and_then(|depth| value_of(at, labels, depth, key));
        let default =
            || layers.attribute(key).filter(|_| up == 0).and_then(|attribute| text_of(attribute.default.as_ref()?));
        let value = value.or_else(default);
        match value {
            Some(value) => {
                let provider = own_depth.and_then(|depth| (at.value)(depth, "provider"));
                layers = checker.with_case(layers, &matched.key, &value, provider.as_deref(), &Facts::default());
            }
            None => {
                for value in matched.cases.iter().filter_map(|case| case.values.first()) {
                    layers = layers.with_case(&matched.key, value);
                }
            }
        }
    }
    layers
}

/// Returns a value in the notation of cases.
fn text_of(value: &Value) -> Option<String> {
    value.convert(&hcl_lr::model::Type::String).ok()?.as_str().map(str::to_owned)
}

fn value_of(at: &BodyAt<'_>, labels: &[&[Label]], depth: usize, key: &str) -> Option<String> {
    let position = labels.get(depth)?.iter().position(|label| label.name == key);
    let header: &Header = at.blocks.get(depth)?;
    position.and_then(|position| header.labels.get(position).cloned()).or_else(|| (at.value)(depth, key))
}

fn location(place: &Place) -> Option<Location> {
    // Shipped schemas are not files.
    place.source().name().starts_with('/').then(|| Location::of(place))
}

fn known_attribute(attribute: &Attribute, ty: &Type, resolve: &dyn Fn(&Type) -> Option<Type>) -> KnownAttribute {
    let mut values = Vec::new();
    values_of(ty, resolve, 0, &mut values);
    KnownAttribute {
        name: attribute.name.clone(),
        type_text: Some(attribute.ty.to_string()),
        ty: (!ty.is_static()).then(|| ty.value_type(resolve)).filter(|ty| *ty != hcl_lr::model::Type::Dynamic),
        schema_type: Some(ty.clone()),
        description: documented(&attribute.description, &attribute.docs),
        is_required: attribute.required,
        is_read_only: attribute.read_only,
        is_meta: attribute.role.is_some(),
        is_sensitive: attribute.is_hidden(),
        deprecated: attribute.deprecated.as_ref().map(reason),
        default: attribute.default.as_ref().map(ToString::to_string),
        values,
        place: location(&attribute.place),
    }
}

fn known_block(block: &Block, resolve: &dyn Fn(&Type) -> Option<Type>) -> KnownBlock {
    let labels = block.labels.iter().filter(|label| !label.optional).map(|label| {
        let mut values = Vec::new();
        values_of(&label.ty, resolve, 0, &mut values);
        for value in &mut values {
            value.text = value.text.trim_matches('"').to_owned();
        }
        KnownLabel {
            name: label.name.clone(),
            description: label.description.clone(),
            is_closed: is_closed(&label.ty, resolve),
            values,
            lacks_catalog: false,
        }
    });
    KnownBlock {
        name: block.name.clone(),
        labels: labels.collect(),
        description: documented(&block.description, &block.docs),
        deprecated: block.deprecated.as_ref().map(reason),
        min: block.min.into(),
        max: block.max.map(u64::from),
        is_meta: block.role == Some(BlockRole::Meta),
        required: Vec::new(),
        place: location(&block.place),
    }
}

/// Returns true if a type lists all its values.
fn is_closed(ty: &Type, resolve: &dyn Fn(&Type) -> Option<Type>) -> bool {
    match resolve(ty) {
        Some(Type::Literal(_)) => true,
        Some(Type::Keyword(words)) => !words.is_empty(),
        Some(Type::OneOf(types)) => types.iter().all(|ty| matches!(ty, Type::Literal(_))),
        _ => false,
    }
}

fn documented(description: &Option<String>, docs: &Option<String>) -> Option<String> {
    match (description, docs) {
        (Some(text), Some(page)) => Some(format!("{text}\n\n[Documentation]({page})")),
        (Some(text), None) => Some(text.clone()),
        (None, Some(page)) => Some(format!("[Documentation]({page})")),
        (None, None) => None,
    }
}

fn reason(deprecated: &hcl_lr_language::schema::model::Deprecated) -> String {
    match (&deprecated.message, &deprecated.replacement) {
        (Some(message), _) => message.clone(),
        (None, Some(name)) => format!("use `{name}`"),
        (None, None) => "do not use it any more".to_owned(),
    }
}

/// Collects the values that a type lists, in HCL notation.
fn values_of(ty: &Type, resolve: &dyn Fn(&Type) -> Option<Type>, depth: usize, found: &mut Vec<KnownValue>) {
    // A type may refer to itself.
    const MAX_DEPTH: usize = 8;
    if depth > MAX_DEPTH {
        return;
    }
    let mut add = |text: String| found.push(KnownValue { text, description: None });
    match ty {
        Type::Literal(value) => add(value.to_string()),
        Type::Keyword(words) => words.iter().cloned().for_each(add),
        Type::Bool => ["true", "false"].map(str::to_owned).into_iter().for_each(add),
        Type::OneOf(types) => types.iter().for_each(|ty| values_of(ty, resolve, depth + 1, found)),
        Type::Named(_) => {
            if let Some(ty) = resolve(ty) {
                values_of(&ty, resolve, depth + 1, found);
            }
        }
        _ => {}
    }
}
