//! Conversion between native syntax and JSON.
//!
//! JSON cannot distinguish attributes from blocks, and strings are its only expressions. Constructs that both syntaxes
//! have keep their meaning; constructs that cannot be converted are errors with their place. Only comments and layout
//! are lost, which is reported.
//!
//! ## Native to JSON
//!
//! | native | JSON |
//! | --- | --- |
//! | attribute | property |
//! | block | property with its type as name, in it an object for each label, then the body |
//! | several blocks of a type | arrays of bodies; an array of objects for a label that occurs again later |
//! | number, `true`, `false`, `null` | the same, also for a number with a minus sign |
//! | quoted string, heredoc | a string with a template; a text with `${` in it has `$${` |
//! | tuple | array |
//! | object | object, if its keys are distinct names or texts, or it has only one |
//! | any other expression | `"${ … }"` with its source |
//!
//! The notation of blocks is an option ([`JsonBlocks`]), and so is the meaning of strings: templates or plain text
//! ([`JsonStrings`]). An expression that the reader takes literally instead of evaluating it, such as a reference in
//! `depends_on = [a.b]`, has to be named in the schema, and is then written without `${ }`.
//!
//! A file that can be evaluated keeps its meaning. The error for a null key of an object may differ between the
//! syntaxes.
//!
//! ## JSON to native
//!
//! Without a schema every property of the root is an attribute. A [`ConversionSchema`] determines the blocks. The
//! [tagged form](JsonBlocks::Tagged) needs no schema.
//!
//! ```
//! use hcl_lr::convert::{ConversionOptions, ConversionSchema, to_json, to_native};
//! use hcl_lr::json::Document;
//! use hcl_lr::parse;
//!
//! let native = "service \"web\" {\n  port = base + 80\n  name = \"w\"\n}\n";
//! let file = hcl_lr::parse::<hcl_lr::File>(native).into_result()?;
//! let schema = ConversionSchema::of(file.body());
//! let conversion = ConversionOptions::new().with_schema(&schema);
//!
//! let json = to_json(&file, &conversion).into_result()?.text;
//! assert!(json.contains(r#""port": "${base + 80}""#));
//! let document = parse::<Document>(("web.json", json)).into_result()?;
//! assert_eq!(to_native(&document, &conversion).into_result()?.text, native);
//! # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
//! ```

#[cfg(feature = "write")]
mod entry;
#[cfg(feature = "write")]
mod hcl2json;
#[cfg(feature = "write")]
pub(crate) mod json_writer;
mod new_text;
#[cfg(feature = "write")]
pub(crate) mod python;
#[cfg(feature = "write")]
mod python_hcl2;
#[cfg(feature = "write")]
mod tagged;
pub(crate) mod template;
#[cfg(feature = "write")]
mod to_json;
pub(crate) mod to_native;

use std::sync::LazyLock;

pub use crate::json::ConversionSchema;
#[cfg(feature = "write")]
pub use entry::{to_json, to_native};
#[cfg(feature = "write")]
pub use hcl2json::to_hcl2json;
#[cfg(feature = "serde")]
pub(crate) use new_text::quoted as quoted_template;
#[cfg(feature = "write")]
pub use python_hcl2::to_python_hcl2;
#[cfg(feature = "serde")]
pub(crate) use template::bare as bare_template;

use crate::json::MAX_INDENT;
use crate::reading::ParseOptions;
use crate::syntax::File;
use crate::syntax::ast::BodyItem;

/// The notation of blocks in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonBlocks {
    /// Each body is in an array, even a single one: `"service": {"web": [{…}]}`. The order of all blocks is kept: if
    /// blocks of a type occur again after those of other types, the enclosing body is an array of objects.
    Array,
    /// A single body with its type and labels is a plain object: `"service": {"web": {…}}`. The blocks of a type are in
    /// one property, at the place of the first one; so the order among blocks of a type is kept, but not the order of
    /// types.
    #[default]
    Collapse,
    /// A separate form, which loses only comments and layout and can be read back without a schema. A body is an array;
    /// its elements are, in order,
    ///
    /// - `{"attribute": NAME, "value": JSON}` for a number, bool, null or quoted text,
    /// - `{"attribute": NAME, "expression": SOURCE}` for the source of any other expression,
    /// - `{"block": TYPE, "labels": [LABEL…], "body": BODY}`, where a quoted label is its text, and any other one is
    ///   `{"source": SOURCE}`,
    /// - `{"comment": TEXT}` for comments.
    Tagged,
}

/// The meaning of JSON strings for the program that reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonStrings {
    /// Templates, which are evaluated.
    #[default]
    Template,
    /// Plain texts (information model, "literal-only mode"). Expressions other than literal values cannot be converted
    /// then.
    Literal,
}

/// Options for a conversion.
///
/// ```
/// use hcl_lr::convert::{ConversionOptions, JsonBlocks, to_json};
/// use hcl_lr::{File, parse};
///
/// let file = parse::<File>("a \"x\" {\n  b = 1\n}\n").into_result()?;
/// let options = ConversionOptions::new().with_blocks(JsonBlocks::Array);
/// assert!(to_json(&file, &options).into_result()?.text.contains("\"x\": ["));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConversionOptions<'s> {
    pub(crate) blocks: JsonBlocks,
    pub(crate) strings: JsonStrings,
    pub(crate) comments: bool,
    pub(crate) schema: &'s ConversionSchema,
    pub(crate) options: ParseOptions,
}

/// The options of [`ConversionOptions::new`].
impl Default for ConversionOptions<'_> {
    fn default() -> Self {
        ConversionOptions::new()
    }
}

impl<'s> ConversionOptions<'s> {
    /// Options for a conversion without a schema and comments.
    pub fn new() -> Self {
        static NONE: LazyLock<ConversionSchema> = LazyLock::new(ConversionSchema::new);
        ConversionOptions {
            blocks: JsonBlocks::default(),
            strings: JsonStrings::default(),
            comments: false,
            schema: &NONE,
            options: ParseOptions::default(),
        }
    }

    /// Sets the notation of blocks in JSON: [`JsonBlocks::Collapse`] by default.
    pub fn with_blocks(self, blocks: JsonBlocks) -> Self {
        ConversionOptions { blocks, ..self }
    }

    /// Sets the meaning of strings in JSON: [`JsonStrings::Template`] by default.
    pub fn with_strings(self, strings: JsonStrings) -> Self {
        ConversionOptions { strings, ..self }
    }

    /// Converts comments to properties `"//"`. Off by default. From JSON to native syntax comments are always kept.
    pub fn with_comments(self, comments: bool) -> Self {
        ConversionOptions { comments, ..self }
    }

    /// Sets the schema: the properties of JSON that are blocks, and the arguments that are not evaluated. Empty by
    /// default.
    pub fn with_schema(self, schema: &'s ConversionSchema) -> Self {
        ConversionOptions { schema, ..self }
    }

    /// Sets the options for parsing the templates and expressions in strings.
    pub fn with_parse_options(self, options: ParseOptions) -> Self {
        ConversionOptions { options, ..self }
    }

    /// The [options for parsing](Self::with_parse_options).
    pub fn get_parse_options(&self) -> &ParseOptions {
        &self.options
    }
}

/// The result of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted {
    /// The text in the other syntax.
    pub text: String,
    /// The number of comments left out.
    pub comments_left_out: usize,
    /// The types of blocks that have moved before blocks of other types.
    pub reordered: Vec<String>,
    /// The names of properties that may be blocks but became attributes because there is no schema.
    pub maybe_blocks: Vec<String>,
}

/// Returns true if a text is an expression that can follow the `=` of an attribute without parentheses.
fn stands_alone(text: &str, options: &ParseOptions) -> bool {
    if !text.contains('\n') {
        return true;
    }
    let (file, diagnostics) = options.parse::<File>(("", format!("x = {text}\n"))).into_parts();
    let mut items = file.body().items();
    !diagnostics.has_errors() && matches!((items.next(), items.next()), (Some(BodyItem::Attribute(_)), None))
}
