//! Converts the bodies of provider schemas from JSON to the model.
//!
//! Missing members, and those that differ from the documented form, are ignored.

use std::sync::Arc;

use super::json::{Json, Object};
use super::{FunctionParameter, ProviderFunction};
use crate::schema::index::SchemaIndex;
use crate::schema::model::{
    Attribute, Block, Body, Deprecated, Form, Nesting, ObjectAttribute, ObjectType, Schema, Type,
};
use hcl_lr::source::Place;
use hcl_lr::stack;

/// The name of the only part of the schema of a type.
pub(super) const PART: &str = "contents";

/// The contents of a type, with its deprecation.
pub(super) struct Contents {
    pub index: SchemaIndex,
    pub deprecated: Option<Deprecated>,
}

/// Reads the schema of a type: an object with a `block`. Returns `None` for anything else.
pub(super) fn contents(text: &str) -> Option<Contents> {
    let value = Json::read(text)?;
    let block = value.get("block")?.as_object()?;
    let schema = Schema::new("provider").with_part(PART, body(block));
    Some(Contents { index: SchemaIndex::new(&schema), deprecated: deprecated(block) })
}

/// Reads the signature of a function.
pub(super) fn function(text: &str) -> Option<ProviderFunction> {
    let value = Json::read(text)?;
    let parameter = |value: &Json<'_>| FunctionParameter {
        name: string(value, "name").unwrap_or_default(),
        ty: value.get("type").map_or(Type::Any, ty),
        is_nullable: flag(value, "is_nullable"),
        description: string(value, "description"),
    };
    Some(ProviderFunction {
        description: string(&value, "description").or_else(|| string(&value, "summary")),
        deprecated: string(&value, "deprecation_message"),
        result: ty(value.get("return_type")?),
        parameters: value.get("parameters").and_then(Json::as_array).into_iter().flatten().map(parameter).collect(),
        variadic: value
            .get("variadic_parameter")
            .filter(|parameter_value| parameter_value.as_object().is_some())
            .map(parameter),
    })
}

fn flag(value: &Json<'_>, name: &str) -> bool {
    value.get(name).and_then(Json::as_bool).unwrap_or(false)
}

fn string(value: &Json<'_>, name: &str) -> Option<String> {
    value.get(name).and_then(Json::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn members<'v, 't>(object: &'v Object<'t>, name: &str) -> impl Iterator<Item = (&'v str, &'v Json<'t>)> {
    object.get(name).and_then(Json::as_object).into_iter().flat_map(Object::iter)
}

fn deprecated(object: &Object<'_>) -> Option<Deprecated> {
    let is_deprecated = object.get("deprecated").and_then(Json::as_bool) == Some(true);
    let message = object.get("deprecation_message").and_then(Json::as_str).map(str::to_owned);
    is_deprecated.then(|| Deprecated { replacement: None, message, since: None, place: Place::nowhere() })
}

fn body(block: &Object<'_>) -> Body {
    let mut body = Body::new();
    for (name, value) in members(block, "attributes") {
        let Some(object) = value.as_object() else { continue };
        let attribute = attribute(name, value, object);
        // Nested types are never written as blocks.
        if value.get("nested_type").is_none() {
            body.blocks.extend(as_blocks(name, &attribute).map(Arc::new));
        }
        body.attributes.push(Arc::new(attribute));
    }
    for (name, value) in members(block, "block_types") {
        body.blocks.push(Arc::new(stack::with_room(|| nested(name, value))));
    }
    body
}

fn attribute(name: &str, value: &Json<'_>, object: &Object<'_>) -> Attribute {
    let ty = match (value.get("nested_type"), value.get("type")) {
        (Some(nested), _) => nested_type(nested),
        (None, Some(plain)) => ty(plain),
        (None, None) => Type::Any,
    };
    let mut attribute = Attribute::new(name, ty);
    attribute.required = flag(value, "required");
    attribute.computed = flag(value, "computed");
    attribute.read_only = is_read_only(value);
    attribute.sensitive = flag(value, "sensitive");
    attribute.write_only = flag(value, "write_only");
    attribute.description = string(value, "description");
    attribute.deprecated = deprecated(object);
    attribute
}

/// Returns true if only the provider sets an attribute.
fn is_read_only(value: &Json<'_>) -> bool {
    flag(value, "computed") && !flag(value, "optional") && !flag(value, "required")
}

/// Returns the blocks that are equivalent to an attribute: blocks with its name, if it is a list or set of objects.
fn as_blocks(name: &str, attribute: &Attribute) -> Option<Block> {
    let (nesting, element) = match &attribute.ty {
        Type::List(element) => (Nesting::List, element),
        Type::Set(element) => (Nesting::Set, element),
        _ => return None,
    };
    let Type::Object(object) = &**element else { return None };
    if attribute.read_only {
        return None;
    }
    // In a block, all attributes are optional.
    let inner = object.attributes.iter().map(|attribute| Attribute::new(&attribute.name, attribute.ty.clone()));
    let mut body = Body { attributes: inner.map(Arc::new).collect(), ..Body::new() };
    let deeper: Vec<_> = body
        .attributes
        .iter()
        .filter_map(|attribute| stack::with_room(|| as_blocks(&attribute.name, attribute)))
        .collect();
    body.blocks = deeper.into_iter().map(Arc::new).collect();
    let mut block = Block::new(name, body).with_nesting(nesting);
    block.form = Form::Either;
    block.description.clone_from(&attribute.description);
    block.deprecated.clone_from(&attribute.deprecated);
    Some(block)
}

/// The type of an attribute with nested attributes.
fn nested_type(nested: &Json<'_>) -> Type {
    let Some(members) = nested.get("attributes").and_then(Json::as_object) else { return Type::Any };
    let attributes = members.iter().filter_map(|(name, value)| {
        let object = value.as_object()?;
        let attribute = stack::with_room(|| attribute(name, value, object));
        let sensitive = attribute.is_hidden();
        Some(ObjectAttribute {
            optional: !attribute.required,
            description: attribute.description,
            read_only: attribute.read_only,
            sensitive,
            deprecated: attribute.deprecated,
            ..ObjectAttribute::new(attribute.name, attribute.ty)
        })
    });
    let object = ObjectType { attributes: attributes.collect(), drops_others: true, ..ObjectType::new() };
    let object = Type::Object(Arc::new(object));
    match nested.get("nesting_mode").and_then(Json::as_str) {
        Some("list") => Type::list(object),
        Some("set") => Type::set(object),
        Some("map") => Type::map(object),
        Some("single" | "group") => object,
        _ => Type::Any,
    }
}

/// Blocks of a type in a body.
fn nested(name: &str, value: &Json<'_>) -> Block {
    let inner = value.get("block").and_then(Json::as_object);
    let nesting = match value.get("nesting_mode").and_then(Json::as_str) {
        Some("single" | "group") => Nesting::Single,
        Some("set") => Nesting::Set,
        Some("map") => Nesting::Map,
        _ => Nesting::List,
    };
    let mut block = Block::new(name, inner.map_or_else(|| Body::new().open(), body));
    if nesting == Nesting::Map {
        block = block.with_label("key", Type::String);
    }
    block = block.with_nesting(nesting);
    block.unique = nesting == Nesting::Map;
    let count = |name: &str| value.get(name).and_then(Json::as_u64).and_then(|count| u32::try_from(count).ok());
    block.min = count("min_items").unwrap_or(0);
    // 0 means no limit.
    block.max = count("max_items").filter(|max| *max > 0).or(block.max);
    if let Some(inner) = inner {
        block.description = inner.get("description").and_then(Json::as_str).map(str::to_owned);
        block.deprecated = deprecated(inner);
    }
    block
}

/// Reads a type in JSON: `"string"`, `["list", T]`, `["object", { … }, [optional names]]`.
fn ty(value: &Json<'_>) -> Type {
    if let Some(name) = value.as_str() {
        return match name {
            "string" => Type::String,
            "number" => Type::NUMBER,
            "bool" => Type::Bool,
            _ => Type::Any,
        };
    }
    let parts = value.as_array().unwrap_or_default();
    let (Some(kind), Some(inner)) = (parts.first().and_then(Json::as_str), parts.get(1)) else { return Type::Any };
    let element = || stack::with_room(|| ty(inner));
    match (kind, inner) {
        ("list", _) => Type::list(element()),
        ("set", _) => Type::set(element()),
        ("map", _) => Type::map(element()),
        ("tuple", Json::Array(elements)) => {
            Type::Tuple(elements.iter().map(|element| stack::with_room(|| ty(element))).collect())
        }
        ("object", Json::Object(members)) => {
            let optional: Vec<&str> =
                parts.get(2).and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
            let attribute = |(name, value): (&str, &Json<'_>)| {
                (name.to_owned(), stack::with_room(|| ty(value)), optional.contains(&name))
            };
            let object = members.iter().map(attribute);
            let object = object
                .fold(ObjectType { drops_others: true, ..ObjectType::new() }, |all, (name, ty, optional)| {
                    all.with(name, ty, optional)
                });
            Type::Object(Arc::new(object))
        }
        _ => Type::Any,
    }
}
