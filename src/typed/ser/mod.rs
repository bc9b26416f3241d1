//! Serializes Rust types to HCL text, a body of new text, or a value.

mod blocks;
mod body;
mod error;
mod expression;
mod file;
mod handover;
mod impls;
mod item;
mod kinds;
mod standard;
mod text;
mod value;

use std::path::Path;

use ::serde::ser::Serialize;

pub use error::WriteError;
pub use standard::Serializer;

use crate::construct::{NewBody, NewExpression};
use crate::model::Value;
use crate::writer::Layout;
use body::{BodyWriter, FileWriter};
use expression::ExpressionWriter;

/// Options of writing.
///
/// ```
/// use std::collections::BTreeMap;
/// use hcl_lr::typed::Writer;
///
/// let config = BTreeMap::from([("motd", Some("Hello,\nworld\n")), ("none", None)]);
/// assert_eq!(hcl_lr::to_string(&config)?, "motd = \"Hello,\\nworld\\n\"\n");
///
/// let writer = Writer::new().with_heredocs(true).with_nulls(true);
/// assert_eq!(writer.to_string(&config)?, "motd = <<EOT\nHello,\nworld\nEOT\nnone = null\n");
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writer {
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Settings {
    heredocs: bool,
    nulls: bool,
    max_depth: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { heredocs: false, nulls: false, max_depth: kinds::MAX_NESTING }
    }
}

impl Writer {
    /// Creates the options of [`to_string`]: no heredocs, and `None` is omitted in files and blocks.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Writes texts of several lines that end with a line break as heredocs. Texts with characters that would be
    /// invisible there, such as carriage returns, stay in quotes.
    pub fn with_heredocs(mut self, heredocs: bool) -> Self {
        self.settings.heredocs = heredocs;
        self
    }

    /// Writes fields that are `None` as null attributes instead of omitting them. In lists and objects they are always
    /// written.
    pub fn with_nulls(mut self, nulls: bool) -> Self {
        self.settings.nulls = nulls;
        self
    }

    /// Sets the nesting limit for types: by default 128 levels, as for reading. A level takes a few kilobytes of the
    /// stack in unoptimized builds; the stack must be large enough for a higher limit. A [`Value`] may always have a
    /// thousand levels.
    pub fn max_depth(mut self, max_depth: u32) -> Self {
        self.settings.max_depth = max_depth;
        self
    }

    /// Writes a text like [`to_string`](crate::to_string), with these options.
    ///
    /// # Errors
    /// The value cannot be written.
    pub fn to_string<T: ?Sized + Serialize>(&self, value: &T) -> Result<String, WriteError> {
        self.written(value)?.into_text()
    }

    /// Creates a body like [`to_body`](crate::to_body), with these options.
    ///
    /// # Errors
    /// The value cannot be written.
    pub fn to_body<T: ?Sized + Serialize>(&self, value: &T) -> Result<NewBody, WriteError> {
        self.written(value)?.into_body()
    }

    fn written<T: ?Sized + Serialize>(&self, value: &T) -> Result<BodyWriter, WriteError> {
        let mut body = BodyWriter::of_file(self.settings);
        value.serialize(kinds::To(FileWriter { body: &mut body }))?;
        Ok(body)
    }

    /// Writes a file like [`to_file`](crate::to_file), with these options.
    ///
    /// # Errors
    /// The value or the file cannot be written.
    pub fn to_file<T: ?Sized + Serialize>(&self, path: impl AsRef<Path>, value: &T) -> Result<(), WriteError> {
        let path = path.as_ref();
        let text = self.to_string(value)?;
        file::replace(path, text.as_bytes())
            .map_err(|error| WriteError::io(format!("{} cannot be written", path.display()), error))
    }

    /// Creates an expression like [`to_expression`], with these options.
    ///
    /// # Errors
    /// The value cannot be written.
    pub fn to_expression<T: ?Sized + Serialize>(&self, value: &T) -> Result<NewExpression, WriteError> {
        let mut text = Layout::default();
        value.serialize(kinds::To(ExpressionWriter { out: &mut text, settings: self.settings, depth: 0 }))?;
        Ok(NewExpression::of_value(text.unformatted()))
    }
}

/// Returns the text of a file in canonical form, from a structure or a map.
///
/// Fields are attributes, with lists and objects in them. [`BlockOf`](super::BlockOf) and
/// [`Labeled`](super::Labeled) are blocks, and so are lists and maps of them. The result reads back as the
/// same value.
///
/// ```
/// use hcl_lr::typed::{BlockOf, Labeled};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Config {
///     name: &'static str,
///     tags: Vec<&'static str>,
///     proxy: Option<&'static str>,
///     log: BlockOf<Log>,
///     service: Vec<Labeled<Service>>,
/// }
///
/// #[derive(Serialize)]
/// struct Log {
///     level: u8,
/// }
///
/// #[derive(Serialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let config = Config {
///     name: "shop",
///     tags: vec!["a", "b"],
///     proxy: None,
///     log: BlockOf(Log { level: 3 }),
///     service: vec![Labeled::new(["web"], Service { port: 80 }), Labeled::new(["db"], Service { port: 5432 })],
/// };
/// assert_eq!(hcl_lr::to_string(&config)?, "\
/// name = \"shop\"
/// tags = [\"a\", \"b\"]
///
/// log {
///   level = 3
/// }
///
/// service \"web\" {
///   port = 80
/// }
///
/// service \"db\" {
///   port = 5432
/// }
/// ");
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
///
/// # Errors
/// The value cannot be written. The error has the path of the reason: a name that is not an identifier but has to be, a
/// number that is not finite, a block in an object, a value that is unknown or marked, or one that nests [too
/// deep](Writer::max_depth).
pub fn to_string<T: ?Sized + Serialize>(value: &T) -> Result<String, WriteError> {
    Writer::new().to_string(value)
}

/// Returns a body with the items that [`to_string`] writes, to which more can be added.
///
/// ```
/// use std::collections::BTreeMap;
///
/// let mut body = hcl_lr::to_body(&BTreeMap::from([("port", 80)]))?;
/// body.add_comment("More to come.");
/// assert_eq!(body.text().unwrap(), "port = 80\n# More to come.\n");
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
///
/// # Errors
/// As [`to_string`].
pub fn to_body<T: ?Sized + Serialize>(value: &T) -> Result<NewBody, WriteError> {
    Writer::new().to_body(value)
}

/// Writes the text of [`to_string`] to a file. The text is written to a temporary file beside it first, which then
/// replaces it, so that readers, even after an interruption, see either the old contents or the new ones. Permissions
/// and symbolic links are kept. Devices and pipes are written directly.
///
/// # Errors
/// As [`to_string`], or the file cannot be written; it is then unchanged.
pub fn to_file<T: ?Sized + Serialize>(path: impl AsRef<Path>, value: &T) -> Result<(), WriteError> {
    Writer::new().to_file(path, value)
}

/// Returns an expression from anything that serializes.
///
/// ```
/// let expression = hcl_lr::typed::to_expression(&(1, "a", [true]))?;
/// assert_eq!(expression.text().unwrap(), "[\n  1,\n  \"a\",\n  [true],\n]");
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
///
/// # Errors
/// As [`to_string`].
pub fn to_expression<T: ?Sized + Serialize>(value: &T) -> Result<NewExpression, WriteError> {
    Writer::new().to_expression(value)
}

/// Returns a value from anything that serializes: structures and maps become objects, lists become tuples. A [`Value`]
/// in it stays as it is, with its type and its marks, even if it is unknown.
///
/// ```
/// use hcl_lr::Value;
///
/// let value = hcl_lr::to_value(&(1, "a", Some(2.5), None::<u8>))?;
/// assert_eq!(value.to_string(), r#"[1, "a", 2.5, null]"#);
/// assert_eq!(hcl_lr::to_value(&Value::UNKNOWN)?, Value::UNKNOWN);
/// # Ok::<(), hcl_lr::typed::WriteError>(())
/// ```
///
/// # Errors
/// The value contains NaN, or nests more than 128 levels deep.
pub fn to_value<T: ?Sized + Serialize>(value: &T) -> Result<Value, WriteError> {
    value.serialize(kinds::To(value::ValueWriter::new(&value::Types::default())))
}
