//! The kinds of specs, one function for each.

use super::reader::Reader;
use crate::body::{Block, BodySchema};
use crate::decode::Spec;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Type, Value};

type Read = fn(&mut Reader, &Block, Option<&str>) -> Spec;

/// The types of blocks that are specs.
pub(super) const KINDS: &[(&str, Read)] = &[
    ("object", object),
    ("array", array),
    ("attr", attr),
    ("block", block),
    ("block_list", block_list),
    ("block_set", block_set),
    ("block_map", block_map),
    ("block_attrs", block_attrs),
    ("literal", literal),
    ("default", default),
    ("transform", transform),
];

/// Returns the replacement for a spec that has errors.
pub(super) fn failed() -> Spec {
    Spec::literal(Value::unknown(Type::Dynamic))
}

fn object(reader: &mut Reader, block: &Block, _: Option<&str>) -> Spec {
    Spec::object(reader.named_specs(block))
}

fn array(reader: &mut Reader, block: &Block, _: Option<&str>) -> Spec {
    Spec::tuple(reader.specs(block).2)
}

fn attr(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let schema = BodySchema::new().optional("name").optional("type").optional("required");
    let arguments = reader.leaf(block, &schema, property);
    let name = arguments.name("name", reader);
    let constraint = arguments.constraint("type", reader).unwrap_or_else(|| Type::Dynamic.into());
    if arguments.flag("required", reader) {
        Spec::required_attr(name, constraint)
    } else {
        Spec::attr(name, constraint)
    }
}

const FOR_BLOCKS: &str = "for the bodies of the blocks";

fn block(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let schema = BodySchema::new().optional("block_type").optional("required");
    let (arguments, nested) = reader.wrapper(block, schema, property, FOR_BLOCKS);
    let block_type = arguments.name("block_type", reader);
    match arguments.flag("required", reader) {
        true => Spec::required_block(block_type, nested),
        false => Spec::block(block_type, nested),
    }
}

fn block_list(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let (block_type, (least, most), nested) = blocks(reader, block, property);
    match most {
        Some(most) => Spec::block_list(block_type, least..=most, nested),
        None => Spec::block_list(block_type, least.., nested),
    }
}

fn block_set(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let (block_type, (least, most), nested) = blocks(reader, block, property);
    match most {
        Some(most) => Spec::block_set(block_type, least..=most, nested),
        None => Spec::block_set(block_type, least.., nested),
    }
}

/// Reads the common parts of lists and sets of blocks: type, number, and spec for the bodies.
fn blocks(reader: &mut Reader, block: &Block, property: Option<&str>) -> (String, (usize, Option<usize>), Spec) {
    let schema = BodySchema::new().optional("block_type").optional("min_items").optional("max_items");
    let (arguments, nested) = reader.wrapper(block, schema, property, FOR_BLOCKS);
    let block_type = arguments.name("block_type", reader);
    let (least, most) = (arguments.count("min_items", reader), arguments.count("max_items", reader));
    if let (Some(least), Some(most)) = (least, most)
        && least > most
        && let Some(attribute) = arguments.content.attribute("max_items")
    {
        let place = attribute.expression().place();
        let detail = format!("no number of blocks can be at least {least} and at most {most}");
        let diagnostic = Diagnostic::warning(Code::InvalidSpec, place, detail);
        reader.report(diagnostic.with_help("`max_items` must not be less than `min_items`"));
    }
    (block_type, (least.unwrap_or(0), most), nested)
}

fn block_map(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let schema = BodySchema::new().optional("block_type").required("labels");
    let (arguments, nested) = reader.wrapper(block, schema, property, FOR_BLOCKS);
    let block_type = arguments.name("block_type", reader);
    let labels = arguments.labels(reader);
    if nested.implied_type().has_dynamic() && !reader.has_errors() {
        let place = arguments.content.missing_item_place();
        let detail = "the type of the values of a `block_map` must be known in advance: it cannot contain \"any\"";
        let help = "give each `attr` in it a `type` other than any";
        reader.report(Diagnostic::error(Code::InvalidSpec, place, detail).with_help(help));
    }
    Spec::block_map(block_type, &labels, nested)
}

fn block_attrs(reader: &mut Reader, block: &Block, property: Option<&str>) -> Spec {
    let schema = BodySchema::new().optional("block_type").required("element_type").optional("required");
    let arguments = reader.leaf(block, &schema, property);
    let block_type = arguments.name("block_type", reader);
    let element = arguments.constraint("element_type", reader).unwrap_or_else(|| Type::Dynamic.into());
    match arguments.flag("required", reader) {
        true => Spec::required_block_attrs(block_type, element),
        false => Spec::block_attrs(block_type, element),
    }
}

fn literal(reader: &mut Reader, block: &Block, _: Option<&str>) -> Spec {
    let arguments = reader.leaf(block, &BodySchema::new().required("value"), None);
    let scope = reader.scope.clone();
    match arguments.content.attribute("value") {
        Some(attribute) => Spec::literal(reader.take(attribute.expression().evaluate_partially(&scope))),
        None => failed(),
    }
}

fn default(reader: &mut Reader, block: &Block, _: Option<&str>) -> Spec {
    let (content, whole, specs) = reader.specs(block);
    if specs.is_empty() && whole {
        reader.missing(&content, "a `default` block needs specs in it; its value is the first that is not null");
    }
    let mut specs = specs.into_iter();
    let first = specs.next().unwrap_or_else(failed);
    first.or_one_of(specs.collect())
}

fn transform(reader: &mut Reader, block: &Block, _: Option<&str>) -> Spec {
    let schema = BodySchema::new().required("result");
    let (arguments, nested) = reader.wrapper(block, schema, None, "for the value of `nested`");
    match arguments.content.attribute("result") {
        Some(result) => nested.transform_expr("nested", result.expression().clone(), (*reader.scope).clone()),
        None => failed(),
    }
}
