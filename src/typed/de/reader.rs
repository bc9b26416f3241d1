//! Public entry points: [`Reader`], and functions for the usual cases.

use std::borrow::Cow;
use std::path::Path as FilePath;

use ::serde::de::{Deserialize, DeserializeOwned, DeserializeSeed};

use super::context::Context;
use super::error::{Error, Kind};
use super::hidden::refused;
use super::input::{At, Input};
use super::lender::Lender;
use super::options::{Options, UnknownFields};
use super::path::Path;
use super::read::{read, read_seed};
use crate::body::{Body, Written};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::eval::Scope;
use crate::model::Value;
use crate::reading::{ParseOptions, Syntax};
use crate::source::Source;

/// Reads a configuration in native syntax into a type.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Service {
///     name: String,
///     port: u16,
/// }
///
/// let service: Service = hcl_lr::from_str("name = \"web\"\nport = 8080\n")?;
/// assert_eq!((&*service.name, service.port), ("web", 8080));
///
/// let errors = hcl_lr::from_str::<Service>("name = 1\nport = 80800\n").err().expect("two errors");
/// assert_eq!(errors.len(), 2);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// Strings can be borrowed from the text, if they stand there as they are, without escape sequences:
///
/// ```
/// let names: Vec<std::collections::BTreeMap<&str, &str>> = hcl_lr::from_str("a = \"x\"\nb = \"y\"\n")?;
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Diagnostics> {
    Reader::new().read_str(text).map(|(value, _)| value)
}

/// Reads a configuration in JSON into a type.
///
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_json_str<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Diagnostics> {
    Reader::new().with_options(ParseOptions::default().with_syntax(Syntax::Json)).read_str(text).map(|(value, _)| value)
}

/// Reads a configuration in native syntax into a type. What is not UTF-8 is an error.
///
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Diagnostics> {
    match std::str::from_utf8(bytes) {
        Ok(text) => from_str(text),
        Err(_) => {
            let parsed = ParseOptions::default().parse(Source::from_bytes("<input>", bytes));
            Reader::new().parsed(parsed, "").map(|(value, _)| value)
        }
    }
}

/// Reads a file into a type; one whose name ends in `.json` is in JSON.
///
/// # Errors
/// The errors of the file and of reading it into the type.
pub fn from_file<T: DeserializeOwned>(path: impl AsRef<FilePath>) -> Result<T, Diagnostics> {
    Reader::new().read_file(path).map(|(value, _)| value)
}

/// Reads a body into a type. Expressions are evaluated in the scope, if the type asks for what they stand
/// for.
///
/// ```
/// use hcl_lr::{Body, Scope, functions, parse};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Service {
///     name: String,
///     port: u16,
/// }
///
/// let body = parse::<Body>("name = upper(user)\nport = base + 80\n").into_result()?;
/// let scope = Scope::new().with("user", "ada").with("base", 8000).with_functions(functions::standard());
/// let service: Service = hcl_lr::from_body(&body, &scope)?;
/// assert_eq!((&*service.name, service.port), ("ADA", 8080));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors of reading the body into the type.
pub fn from_body<'de, T: Deserialize<'de>>(body: &'de Body, scope: &Scope<'_>) -> Result<T, Diagnostics> {
    Reader::new().with_scope(scope).read_body(body).map(|(value, _)| value)
}

/// Reads a value into a type.
///
/// ```
/// use hcl_lr::Value;
///
/// let value = Value::tuple([Value::from(1), Value::from(2)]);
/// assert_eq!(hcl_lr::from_value::<Vec<u8>>(&value)?, [1, 2]);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
///
/// # Errors
/// The errors of reading the value into the type. The value has no place in a file; the messages name the path in it.
pub fn from_value<'de, T: Deserialize<'de>>(value: &Value) -> Result<T, Diagnostics> {
    Reader::new().read_value(value).map(|(value, _)| value)
}

/// Types nest no deeper than this, unless a [`Reader`] says otherwise.
const MAX_DEPTH: u32 = 128;

/// The default limit of nesting for parts that serde buffers.
const MAX_BUFFERED_DEPTH: u32 = 10;

/// The options for reading, for cases that the functions do not cover.
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr::typed::{Reader, UnknownFields};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let scope = Scope::new().with("base", 8000);
/// let reader = Reader::new().with_scope(&scope).with_unknown_fields(UnknownFields::Warn);
/// let (service, warnings) = reader.read_source::<Service>("port = base + 80\nname = \"web\"\n")?;
/// assert_eq!((service.port, warnings.len()), (8080, 1));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'s> {
    scope: Option<&'s Scope<'s>>,
    parsing: ParseOptions,
    options: Options,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        let options = Options {
            unknown_fields: UnknownFields::default(),
            templates_as_text: false,
            converts: false,
            rounds: false,
            max_depth: MAX_DEPTH,
            max_buffered_depth: MAX_BUFFERED_DEPTH,
        };
        Reader { scope: None, parsing: ParseOptions::default(), options }
    }
}

impl<'s> Reader<'s> {
    /// A reader that evaluates in an empty scope and ignores names that it does not know.
    pub fn new() -> Self {
        Reader::default()
    }

    /// Evaluates expressions in this scope. All of them together may do as much work as its limits allow
    /// for one.
    pub fn with_scope(self, scope: &'s Scope<'s>) -> Self {
        Reader { scope: Some(scope), ..self }
    }

    /// Parses with these options.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hcl_lr::typed::Reader;
    /// use hcl_lr::{ParseOptions, Syntax};
    ///
    /// let reader = Reader::new().with_options(ParseOptions::default().with_syntax(Syntax::Json));
    /// let (read, _) = reader.read_str::<BTreeMap<String, u8>>(r#"{"port": 80}"#)?;
    /// assert_eq!(read["port"], 80);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_options(self, options: ParseOptions) -> Self {
        Reader { parsing: options, ..self }
    }

    /// Sets the treatment of names that a structure does not have.
    pub fn with_unknown_fields(mut self, unknown_fields: UnknownFields) -> Self {
        self.options.unknown_fields = unknown_fields;
        self
    }

    /// Reads templates as text, instead of evaluating them: `"echo ${HOME}"` is the string `echo ${HOME}`. That is for
    /// files with text for another program, such as a shell. Interpolations and directives are as they are written,
    /// `$${` is `${`, and blanks beside strip markers stay. Fields of the types [`Expression`](crate::Expression) and
    /// [`Template`](crate::typed::Template) are read as ever, and expressions that are not templates are evaluated.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use hcl_lr::typed::Reader;
    ///
    /// let text = "command = \"echo ${HOME}\"\n";
    /// let error = hcl_lr::from_str::<BTreeMap<String, String>>(text).unwrap_err();
    /// assert!(error.render().contains("write `$${` for `${`"));
    ///
    /// let (read, _) = Reader::new().with_templates_as_text(true).read_str::<BTreeMap<String, String>>(text)?;
    /// assert_eq!(read["command"], "echo ${HOME}");
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_templates_as_text(mut self, templates_as_text: bool) -> Self {
        self.options.templates_as_text = templates_as_text;
        self
    }

    /// Converts scalars as HCL does: a number or a bool becomes the text that a `String` wants, and a string such as
    /// `"80"` or `"true"` the number or the bool that a type wants. By default, each of them is an error.
    ///
    /// ```
    /// use hcl_lr::typed::Reader;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Service {
    ///     version: String,
    ///     port: u16,
    /// }
    ///
    /// let reader = Reader::new().with_conversions(true);
    /// let (service, _) = reader.read_str::<Service>("version = 1.10\nport = \"80\"\n")?;
    /// assert_eq!((&*service.version, service.port), ("1.1", 80));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_conversions(mut self, converts: bool) -> Self {
        self.options.converts = converts;
        self
    }

    /// Gives types that take anything, such as `serde_json::Value`, the nearest float of a number that neither 64 bits nor
    /// a float hold. By default, only fractions are rounded, and larger whole numbers are errors. Types that take exact numbers
    /// get those everywhere but in parts that serde buffers.
    ///
    /// ```
    /// use hcl_lr::typed::Reader;
    ///
    /// let text = "large = 100000000000000000001\n";
    /// assert!(hcl_lr::from_str::<serde_json::Value>(text).is_err());
    /// let (read, _) = Reader::new().with_rounded_numbers(true).read_str::<serde_json::Value>(text)?;
    /// assert_eq!(read["large"], 1e20);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn with_rounded_numbers(mut self, rounds: bool) -> Self {
        self.options.rounds = rounds;
        self
    }

    /// Sets the nesting limit for types: by default 128 levels. A level takes a few kilobytes of the stack in builds
    /// that are not optimized; the stack must be large enough for more. A [`Value`] may nest as deep as the parser
    /// allows.
    pub fn max_depth(mut self, max_depth: u32) -> Self {
        self.options.max_depth = max_depth;
        self
    }

    /// Sets the nesting limit for what serde buffers: by default 10 levels of objects, blocks and lists in a field with
    /// `flatten`, or in an enum that is untagged or internally tagged. In a file, 300 such parts may be as deep as the
    /// limit, and for each level less three times as many.
    ///
    /// serde tries the variants of an untagged enum one after the other. If several variants of a recursive enum begin
    /// alike, it does so again at each level, which takes exponential time in the depth. If the types that you read have
    /// no such enum, a limit of 128 is safe.
    pub fn max_buffered_depth(mut self, max_buffered_depth: u32) -> Self {
        self.options.max_buffered_depth = max_buffered_depth;
        self
    }

    /// Reads a text, in native syntax unless the [options](Self::with_options) say otherwise. Strings can be borrowed
    /// from it.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_str<'de, T: Deserialize<'de>>(&self, text: &'de str) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.parsing.parse(text), text)
    }

    /// Reads a text: anything that becomes a [`Source`]. It is in JSON if it has a name that ends in `.json`.
    /// The value comes with the warnings.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_source<T: DeserializeOwned>(&self, source: impl Into<Source>) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.parsing.parse(source), "")
    }

    /// Reads a file; one whose name ends in `.json` is in JSON.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_file<T: DeserializeOwned>(&self, path: impl AsRef<FilePath>) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.parsing.parse_file(path), "")
    }

    /// Reads a body. Strings can be borrowed from it, unless it was merged from several.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_body<'de, T: Deserialize<'de>>(&self, body: &'de Body) -> Result<(T, Diagnostics), Diagnostics> {
        let text = text_of(body);
        self.read(&Input::Body(body), Lender::new(text, text), Diagnostics::new(), read)
    }

    /// Reads a body by a seed, such as a type with some state.
    ///
    /// Reads of a seed by other seeds are hidden from the reader: there the first error is the only one, and a list
    /// that is not in the file needs `#[serde(default)]`.
    ///
    /// ```
    /// use std::marker::PhantomData;
    /// use hcl_lr::typed::Reader;
    ///
    /// let body = hcl_lr::parse::<hcl_lr::Body>("a = 1\nb = 2\n").into_result()?;
    /// let seed = PhantomData::<std::collections::BTreeMap<String, u8>>;
    /// let (numbers, _) = Reader::new().read_seed(seed, &body)?;
    /// assert_eq!(numbers["b"], 2);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_seed<'de, S: DeserializeSeed<'de>>(
        &self,
        seed: S,
        body: &'de Body,
    ) -> Result<(S::Value, Diagnostics), Diagnostics> {
        let text = text_of(body);
        self.read(&Input::Body(body), Lender::new(text, text), Diagnostics::new(), |cx, input, path| {
            read_seed(cx, input, path, seed)
        })
    }

    /// Reads a value.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_value<'de, T: Deserialize<'de>>(&self, value: &Value) -> Result<(T, Diagnostics), Diagnostics> {
        self.read(&Input::Value(Cow::Borrowed(value), At::Nowhere), Lender::NONE, Diagnostics::new(), read)
    }

    /// Reads a body that has been parsed from a text.
    fn parsed<'de, T: Deserialize<'de>>(
        &self,
        parsed: Outcome<Body>,
        text: &'de str,
    ) -> Result<(T, Diagnostics), Diagnostics> {
        let (body, diagnostics) = parsed.into_parts();
        self.read(&Input::Body(&body), Lender::new(text_of(&body), text), diagnostics, read)
    }

    pub(super) fn read<'de, R>(
        &self,
        input: &Input<'_>,
        lender: Lender<'de>,
        before: Diagnostics,
        read: impl FnOnce(&Context<'_, 'de>, &Input<'_>, &Path<'_>) -> Result<R, Error>,
    ) -> Result<(R, Diagnostics), Diagnostics> {
        let none = Scope::new();
        let scope = self.scope.unwrap_or(&none).child().sharing_meter();
        let cx = Context::new(&scope, self.options, lender, before.has_errors());
        let result = read(&cx, input, &Path::ROOT);
        let mut all = before;
        all.append(cx.diagnostics());
        let value = match result {
            Ok(value) => Some(value),
            Err(error) => {
                match error.into_kind() {
                    Kind::Placed(diagnostics) => all.append(diagnostics),
                    fresh if !all.has_errors() => all.push(refused(&fresh, &cx, input, &Path::ROOT)),
                    _ => {}
                }
                None
            }
        };
        all.sort();
        match value {
            Some(value) if !all.has_errors() => Ok((value, all)),
            _ => Err(all),
        }
    }
}

/// The text of a body that is in one source.
pub(super) fn text_of(body: &Body) -> &str {
    match body.written() {
        Written::Native(node, _) => node.shared_source().text(),
        Written::Json(document, ..) => document.source().text(),
        _ => "",
    }
}
