//! Public entry points: [`Reader`], and functions for the usual cases.

use std::borrow::Cow;
use std::path::Path as FilePath;

use ::serde::de::DeserializeOwned;

use super::context::{Context, read};
use super::error::Error;
use super::input::{At, Input};
use super::path::Path;
use super::{refusals, words};
use crate::body::Body;
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
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_str<T: DeserializeOwned>(text: &str) -> Result<T, Diagnostics> {
    Reader::new().read_source(text).map(|(value, _)| value)
}

/// Reads a configuration in JSON into a type.
///
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_json_str<T: DeserializeOwned>(text: &str) -> Result<T, Diagnostics> {
    Reader::new().read_json(text).map(|(value, _)| value)
}

/// Reads a configuration in native syntax into a type. What is not UTF-8 is an error.
///
/// # Errors
/// The errors of the text and of reading it into the type.
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Diagnostics> {
    Reader::new().read_source(Source::from_bytes("<input>", bytes.to_vec())).map(|(value, _)| value)
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
pub fn from_body<T: DeserializeOwned>(body: &Body, scope: &Scope<'_>) -> Result<T, Diagnostics> {
    Reader::new().scope(scope).read_body(body).map(|(value, _)| value)
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
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Diagnostics> {
    Reader::new().read_value(value).map(|(value, _)| value)
}

/// The treatment of names in a file that a structure does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownFields {
    /// Ignores them, as serde does. A structure with `#[serde(deny_unknown_fields)]` refuses them, and each is an error
    /// at its name.
    #[default]
    Ignore,
    /// Each is a warning.
    Warn,
    /// Each is an error.
    Error,
}

/// Types nest no deeper than this, unless a [`Reader`] says otherwise.
const MAX_DEPTH: u32 = 128;

/// Types refuse parts of a file no more often than this, unless a [`Reader`] says otherwise.
const MAX_REFUSALS: u64 = 500_000;

/// The options for reading, for cases that the functions do not cover.
///
/// ```
/// use hcl_lr::Scope;
/// use hcl_lr::serde::{Reader, UnknownFields};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Service {
///     port: u16,
/// }
///
/// let scope = Scope::new().with("base", 8000);
/// let reader = Reader::new().scope(&scope).unknown_fields(UnknownFields::Warn);
/// let (service, warnings) = reader.read_source::<Service>("port = base + 80\nname = \"web\"\n")?;
/// assert_eq!((service.port, warnings.len()), (8080, 1));
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'s> {
    scope: Option<&'s Scope<'s>>,
    options: ParseOptions,
    unknown_fields: UnknownFields,
    max_depth: u32,
    max_refusals: u64,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Reader {
            scope: None,
            options: ParseOptions::default(),
            unknown_fields: UnknownFields::default(),
            max_depth: MAX_DEPTH,
            max_refusals: MAX_REFUSALS,
        }
    }
}

impl<'s> Reader<'s> {
    /// A reader that evaluates in an empty scope and ignores names that it does not know.
    pub fn new() -> Self {
        Reader::default()
    }

    /// Evaluates expressions in this scope. All of them together may do as much work as its limits allow
    /// for one.
    pub fn scope(self, scope: &'s Scope<'s>) -> Self {
        Reader { scope: Some(scope), ..self }
    }

    /// Parses with these options.
    pub fn options(self, options: ParseOptions) -> Self {
        Reader { options, ..self }
    }

    /// Sets the treatment of names that a structure does not have.
    pub fn unknown_fields(self, unknown_fields: UnknownFields) -> Self {
        Reader { unknown_fields, ..self }
    }

    /// Sets the nesting limit for types: by default 128 levels. A level takes a few kilobytes of the stack in builds
    /// that are not optimized; the stack must be large enough for more. A [`Value`] may nest as deep as the parser
    /// allows.
    pub fn max_depth(self, max_depth: u32) -> Self {
        Reader { max_depth, ..self }
    }

    /// Sets the number of times that types may refuse their input: by default 500,000 times, and 64 times more for each
    /// part of the file. serde tries the variants of an untagged enum one after the other, and if variants of a
    /// recursive enum begin alike, again at each level. Such enums should have a tag. If panics abort, the limit is
    /// checked only at the end of reading.
    pub fn max_refusals(self, max_refusals: u64) -> Self {
        Reader { max_refusals, ..self }
    }

    /// Reads a text: anything that becomes a [`Source`]. It is in JSON if it has a name that ends in `.json`.
    /// The value comes with the warnings.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_source<T: DeserializeOwned>(&self, source: impl Into<Source>) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.options.parse(source))
    }

    /// Reads a text in JSON, whatever its name is.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_json<T: DeserializeOwned>(&self, source: impl Into<Source>) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.options.with_syntax(Syntax::Json).parse(source))
    }

    /// Reads a file; one whose name ends in `.json` is in JSON.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_file<T: DeserializeOwned>(&self, path: impl AsRef<FilePath>) -> Result<(T, Diagnostics), Diagnostics> {
        self.parsed(self.options.parse_file(path))
    }

    /// Reads a body.
    ///
    /// # Errors
    /// All errors, with the warnings.
    pub fn read_body<T: DeserializeOwned>(&self, body: &Body) -> Result<(T, Diagnostics), Diagnostics> {
        self.read(&Input::Body(body), Diagnostics::new())
    }

    /// Reads a value.
    ///
    /// # Errors
    /// All that is wrong, with the warnings.
    pub fn read_value<T: DeserializeOwned>(&self, value: &Value) -> Result<(T, Diagnostics), Diagnostics> {
        self.read(&Input::Value(Cow::Borrowed(value), At::Nowhere), Diagnostics::new())
    }

    fn parsed<T: DeserializeOwned>(&self, parsed: Outcome<Body>) -> Result<(T, Diagnostics), Diagnostics> {
        let (body, diagnostics) = parsed.into_parts();
        self.read(&Input::Body(&body), diagnostics)
    }

    fn read<T: DeserializeOwned>(
        &self,
        input: &Input<'_>,
        before: Diagnostics,
    ) -> Result<(T, Diagnostics), Diagnostics> {
        let none = Scope::new();
        let scope = self.scope.unwrap_or(&none).child().sharing_meter();
        let cx = Context::new(&scope, self.unknown_fields, before.has_errors(), self.max_depth);
        let result = refusals::at_most(self.max_refusals, || read::<T>(&cx, input, &Path::ROOT));
        let result = result.unwrap_or_else(|refusals::TooMany| {
            let place = cx.given_up_at().unwrap_or_else(|| input.place());
            cx.record(words::too_many_refusals(place));
            Err(Error::reported())
        });
        let mut all = before;
        all.append(cx.diagnostics());
        all.sort();
        match result {
            Ok(value) if !all.has_errors() => Ok((value, all)),
            _ => Err(all),
        }
    }
}
