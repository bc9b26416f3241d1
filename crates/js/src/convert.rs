//! Formatting, and conversion between native syntax and JSON.

use std::sync::Arc;

use hcl_lr::Source;
use hcl_lr::convert::{ConversionOptions, ConversionSchema, Converted, JsonBlocks, JsonStrings, to_hcl2json};
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::format::Style;
use hcl_lr::json::Document;
use hcl_lr::syntax::File;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure::{self, Answer, Failure};
use crate::json;
use crate::options::Options;

/// Returns the text in canonical layout. Lines with errors stay as they are.
#[wasm_bindgen]
pub fn format(text: &str, options: &str) -> Answer {
    const NAMES: [&str; 5] = ["sortAttributes", "sortBlocks", "oneBlankLine", "alignment", "terraform"];
    let options = Options::read(options, &NAMES)?;
    let mut style = Style::new()
        .with_sorted_attributes(options.flag("sortAttributes")?)
        .with_sorted_blocks(options.flag("sortBlocks")?)
        .with_one_blank_line(options.flag("oneBlankLine")?)
        .with_terraform_rules(options.flag("terraform")?);
    if options.value("alignment").is_some() {
        style = style.with_alignment(options.flag("alignment")?);
    }
    Ok(style.format(text))
}

/// Returns the JSON that the program hcl2json makes of a file.
#[wasm_bindgen]
pub fn hcl2json(name: &str, text: &str) -> Answer {
    let file: File = hcl_lr::parse(Source::new(name, text)).into_result()?;
    Ok(to_hcl2json(&file).into_result()?)
}

/// Returns a file in native syntax as JSON: an object with `text`, `commentsLeftOut`, `reordered`, `maybeBlocks` and
/// `diagnostics`.
#[wasm_bindgen]
pub fn to_json(name: &str, text: &str, options: &str) -> Answer {
    let options = Options::read(options, &["blocks", "strings", "comments", "dialect", "schema"])?;
    let blocks = [("collapse", JsonBlocks::Collapse), ("array", JsonBlocks::Array), ("tagged", JsonBlocks::Tagged)];
    let strings = [("template", JsonStrings::Template), ("literal", JsonStrings::Literal)];
    let schema = schema(&options, name)?;
    let conversion = ConversionOptions::new()
        .with_blocks(options.word("blocks", &blocks)?.unwrap_or_default())
        .with_strings(options.word("strings", &strings)?.unwrap_or_default())
        .with_comments(options.flag("comments")?)
        .with_parse_options(options.parsing()?)
        .with_schema(&schema);
    let (file, mut found) = options.parsing()?.parse::<File>(Source::new(name, text)).into_parts();
    if found.has_errors() {
        return Err(found.into());
    }
    let (converted, more) = hcl_lr::convert::to_json(&file, &conversion).into_parts();
    found.append(more);
    answer(&converted, found)
}

/// Returns a file in the JSON syntax in native syntax: an object like that of [`to_json`].
#[wasm_bindgen]
pub fn from_json(name: &str, text: &str, options: &str) -> Answer {
    let options = Options::read(options, &["blocks", "strings", "dialect", "schema"])?;
    let blocks = [("schema", JsonBlocks::Collapse), ("tagged", JsonBlocks::Tagged)];
    let strings = [("template", JsonStrings::Template), ("literal", JsonStrings::Literal)];
    let schema = schema(&options, name)?;
    let conversion = ConversionOptions::new()
        .with_blocks(options.word("blocks", &blocks)?.unwrap_or_default())
        .with_strings(options.word("strings", &strings)?.unwrap_or_default())
        .with_parse_options(options.parsing()?)
        .with_schema(&schema);
    let (document, mut found) = options.parsing()?.parse::<Document>(Source::new(name, text)).into_parts();
    if found.has_errors() {
        return Err(found.into());
    }
    let (converted, more) = hcl_lr::convert::to_native(&document, &conversion).into_parts();
    found.append(more);
    answer(&converted, found)
}

fn answer(converted: &Converted, found: Diagnostics) -> Answer {
    if found.has_errors() {
        return Err(found.into());
    }
    let mut out = "{".to_owned();
    json::text("text", &converted.text, &mut out);
    json::plain("commentsLeftOut", converted.comments_left_out, &mut out);
    for (name, names) in [("reordered", &converted.reordered), ("maybeBlocks", &converted.maybe_blocks)] {
        json::name(name, &mut out);
        json::list(names, &mut out, |name, out| json::string(name, out));
    }
    json::name("diagnostics", &mut out);
    failure::diagnostics(&found, &mut out);
    out.push('}');
    Ok(out)
}

/// Returns the blocks of the language that the option `schema` names, or else of the file's name.
#[cfg(feature = "full")]
pub fn schema(options: &Options, name: &str) -> Result<Arc<ConversionSchema>, Failure> {
    crate::schema::conversion_schema(options, name)
}

#[cfg(not(feature = "full"))]
pub fn schema(options: &Options, _: &str) -> Result<Arc<ConversionSchema>, Failure> {
    match options.value("schema") {
        Some(_) => Err("schemas are not part of the small build: import `hcl-lr` instead of `hcl-lr/small`".into()),
        None => Ok(Arc::default()),
    }
}
