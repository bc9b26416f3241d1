//! The conversions, each in the form that is asked for.

use super::{Blocks, Conversion, Converted, tagged};
use crate::diagnostic::Outcome;
use crate::json::Document;
use crate::syntax::ast::File;

/// The JSON of a file in native syntax. The file should be without errors.
///
/// ```
/// use hcl_lr::convert::{Blocks, Conversion, to_json};
///
/// let file = hcl_lr::parse("a \"x\" {\n  b = 1\n}\n").into_result()?;
/// let json = |blocks| to_json(&file, &Conversion { blocks, ..Conversion::default() }).into_result();
/// let compact = |text: String| text.split_whitespace().collect::<String>();
/// assert_eq!(compact(json(Blocks::Collapse)?.text), r#"{"a":{"x":{"b":1}}}"#);
/// assert_eq!(compact(json(Blocks::Array)?.text), r#"{"a":{"x":[{"b":1}]}}"#);
/// let tagged = r#"[{"block":"a","labels":["x"],"body":[{"attribute":"b","value":1}]}]"#;
/// assert_eq!(compact(json(Blocks::Tagged)?.text), tagged);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_json(file: &File, conversion: &Conversion<'_>) -> Outcome<Converted> {
    super::to_json::written(file, conversion, |writer, body| match conversion.blocks {
        Blocks::Tagged => tagged::write(writer, body),
        Blocks::Array | Blocks::Collapse => writer.body(body, &conversion.schema.root()),
    })
}

/// A JSON document in native syntax. The document should be without errors.
///
/// ```
/// use hcl_lr::convert::{Conversion, to_native};
/// use hcl_lr::json::parse_json_configuration;
///
/// let json = r#"{"//": "where", "port": 80, "hosts": ["${a.b}", "x"], "tags": {"a b": true}}"#;
/// let document = parse_json_configuration(("a.json", json)).into_result()?;
/// let native = to_native(&document, &Conversion::default()).into_result()?;
/// assert_eq!(native.text, "# where\nport  = 80\nhosts = [a.b, \"x\"]\ntags = {\n  \"a b\" = true\n}\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn to_native(document: &Document, conversion: &Conversion<'_>) -> Outcome<Converted> {
    super::to_native::written(document, conversion, |writer, root| match conversion.blocks {
        Blocks::Tagged => tagged::read(writer, root),
        Blocks::Array | Blocks::Collapse => writer.root(root),
    })
}
