//! Public entry points of the conversions.

use super::{ConversionOptions, Converted, JsonBlocks, tagged};
use crate::diagnostic::Outcome;
use crate::json::Document;
use crate::syntax::ast::File;

/// Converts a file in native syntax to JSON. The file should have no errors.
///
/// ```
/// use hcl_lr::convert::{JsonBlocks, ConversionOptions, to_json};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a \"x\" {\n  b = 1\n}\n").into_result()?;
/// let json = |blocks| to_json(&file, &ConversionOptions::new().with_blocks(blocks)).into_result();
/// let compact = |text: String| text.split_whitespace().collect::<String>();
/// assert_eq!(compact(json(JsonBlocks::Collapse)?.text), r#"{"a":{"x":{"b":1}}}"#);
/// assert_eq!(compact(json(JsonBlocks::Array)?.text), r#"{"a":{"x":[{"b":1}]}}"#);
/// let tagged = r#"[{"block":"a","labels":["x"],"body":[{"attribute":"b","value":1}]}]"#;
/// assert_eq!(compact(json(JsonBlocks::Tagged)?.text), tagged);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_json(file: &File, conversion: &ConversionOptions<'_>) -> Outcome<Converted> {
    super::to_json::written(file, conversion, |writer, body| match conversion.blocks {
        JsonBlocks::Tagged => tagged::write(writer, body),
        JsonBlocks::Array | JsonBlocks::Collapse => writer.body(body, &conversion.schema.root()),
    })
}

/// Converts a JSON document to native syntax. The document should have no errors.
///
/// ```
/// use hcl_lr::convert::{ConversionOptions, to_native};
/// use hcl_lr::json::Document;
/// use hcl_lr::parse;
///
/// let json = r#"{"//": "where", "port": 80, "hosts": ["${a.b}", "x"], "tags": {"a b": true}}"#;
/// let document = parse::<Document>(("a.json", json)).into_result()?;
/// let native = to_native(&document, &ConversionOptions::default()).into_result()?;
/// assert_eq!(native.text, "# where\nport  = 80\nhosts = [a.b, \"x\"]\ntags = {\n  \"a b\" = true\n}\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_native(document: &Document, conversion: &ConversionOptions<'_>) -> Outcome<Converted> {
    super::to_native::written(document, conversion, |writer, root| match conversion.blocks {
        JsonBlocks::Tagged => tagged::read(writer, root),
        JsonBlocks::Array | JsonBlocks::Collapse => writer.root(root),
    })
}
