//! Native syntax to JSON and back, and what must be the same then. Tests and fuzz targets include this
//! file with `#[path]`.

use hcl_lr::convert::{ConversionOptions, ConversionSchema, JsonBlocks, to_json, to_native};
use hcl_lr::json::Document;
use hcl_lr::model::Number;
use hcl_lr::parse;
use hcl_lr::syntax::ast::File;
use hcl_lr_conformance::body_to_json;
use serde_json::{Value, json};

/// All ways to write blocks.
pub const FORMS: [JsonBlocks; 3] = [JsonBlocks::Array, JsonBlocks::Collapse, JsonBlocks::Tagged];

/// The result of converting a file to the other syntax and back.
#[derive(Clone, Debug, PartialEq)]
pub enum Back {
    Same,
    /// There is no JSON in this form for it, and it was said why.
    Refused(String),
    Wrong(String),
}

pub fn there_and_back(file: &File, blocks: JsonBlocks, comments: bool) -> Back {
    let schema = ConversionSchema::of(file.body());
    let conversion = ConversionOptions::new().with_blocks(blocks).with_comments(comments).with_schema(&schema);
    let json = match to_json(file, &conversion).into_result() {
        Ok(json) => json.text,
        Err(why) => return Back::Refused(why.to_string()),
    };
    let name = format!("{}.json", file.source().name());
    let document = match parse::<Document>((&name, json)).into_result() {
        Ok(document) => document,
        Err(why) => return Back::Wrong(format!("the JSON is wrong: {why}")),
    };
    let native = match to_native(&document, &conversion).into_result() {
        Ok(native) => native.text,
        Err(why) => return Back::Wrong(format!("the JSON cannot be converted back: {why}")),
    };
    let back = match hcl_lr::parse::<File>(native.as_str()).into_result() {
        Ok(back) => back,
        Err(why) => return Back::Wrong(format!("what came back is wrong: {why}\n{native}")),
    };
    let (before, after) = (tree(file, blocks), tree(&back, blocks));
    if before == after { Back::Same } else { Back::Wrong(format!("{before}\n{after}\n{native}")) }
}

/// Returns the meaning of a file, as far as the way of writing blocks promises to keep it.
pub fn tree(file: &File, blocks: JsonBlocks) -> Value {
    // Files that nest deeper than serde_json reads are not compared.
    let Ok(tree) = serde_json::from_str::<Value>(&body_to_json(file.body())) else { return Value::Null };
    if blocks == JsonBlocks::Tagged { tree } else { normal(tree, blocks == JsonBlocks::Collapse) }
}

/// Returns the part of a tree that JSON can express: an interpolation that stands alone is its expression, a name as a
/// key is a text, numbers are compared by value, and attributes come before blocks. If `by_type`, the blocks of a type
/// are together.
pub fn normal(tree: Value, by_type: bool) -> Value {
    let normal_all = |list: Vec<Value>| list.into_iter().map(|part| normal(part, by_type)).collect::<Vec<_>>();
    match tree {
        Value::Array(list) => {
            let mut list = normal_all(list);
            let is_item =
                |item: &Value| item.get("attr").is_some() && item.get("expr").is_some() || item.get("block").is_some();
            if list.iter().all(is_item) {
                list.sort_by_key(|item| item.get("block").is_some());
                if by_type {
                    let mut types: Vec<Value> = list.iter().map(|item| item["block"].clone()).collect();
                    types.dedup();
                    let mut first: Vec<Value> = Vec::new();
                    for name in types {
                        if !first.contains(&name) {
                            first.push(name);
                        }
                    }
                    list.sort_by_key(|item| first.iter().position(|name| *name == item["block"]));
                }
            }
            Value::Array(list)
        }
        Value::Object(mut object) => {
            if let Some(inner) = object.remove("wrap") {
                return normal(inner, by_type);
            }
            if let (Some(key), 1) = (object.get("key").and_then(Value::as_str), object.len()) {
                // A text is in normalization form C, a name is as it is written.
                let key = hcl_lr::model::Value::from(key);
                return json!({ "template": [{ "lit": key.as_str() }] });
            }
            if let (Some(number), 1) = (object.get("number").and_then(Value::as_str), object.len()) {
                return json!({ "number": Number::parse(number).expect("a number").to_string() });
            }
            let parts = object.into_iter().map(|(name, part)| (name, normal(part, by_type)));
            Value::Object(parts.collect())
        }
        leaf => leaf,
    }
}
