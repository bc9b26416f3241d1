//! Common parts of all parsers: where the input comes from, and the options for reading it.

pub(crate) mod liberty;

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use self::liberty::Liberty;
use crate::diagnostic::{Code, Diagnostic, Finding, Outcome};
pub(crate) use crate::source::visible::{path as shown, reason};
use crate::source::{MAX_LENGTH, Place, Source, Span, bounded};

/// The dialect: the set of accepted files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// Accepts everything that the official engine accepts, with the same meaning.
    #[default]
    Engine,
    /// The letter of the specification: each [`Liberty`] that the official engine takes is an error that names the
    /// section. A tree records its dialect, so that it is also evaluated in it.
    Strict,
}

/// A type that a source can be parsed as, by [`parse`] and [`parse_file`]. The table on the [first
/// page](crate#reading-text) lists them.
///
/// An application can implement it for its own types:
///
/// ```
/// use hcl_lr::diagnostic::{Code, Diagnostic};
/// use hcl_lr::{File, Outcome, Parse, ParseOptions, Source};
///
/// /// The number of attributes of a file.
/// struct Size(usize);
///
/// impl Parse for Size {
///     fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Size> {
///         options.parse::<File>(source).map(|file| Size(file.body().attributes().count()))
///     }
/// }
///
/// let size: Size = hcl_lr::parse("a = 1\nb = 2\n").into_result()?;
/// assert_eq!(size.0, 2);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub trait Parse: Sized {
    /// Parses a source: the value, and all errors and warnings.
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Self>;
}

/// Parses a text or bytes, alone or in a pair with the name for diagnostics.
///
/// The type determines the result, see the table on the [first page](crate#reading-text). There always is a value: if
/// the source has errors, it is partial.
///
/// ```
/// use hcl_lr::{Body, Expression, File, parse};
///
/// let file = parse::<File>("service \"web\" {\n  port = 80\n}\n").into_result()?;
/// assert_eq!(file.body().blocks().next().expect("a block").block_type(), "service");
///
/// let body: Body = parse(("main.hcl.json", r#"{"port": 80}"#)).into_result()?;
/// let sum: Expression = parse("1 + 2").into_result()?;
///
/// let outcome = parse::<File>(("main.hcl", b"a = \"\xff\"\n"));
/// assert_eq!(
///     outcome.diagnostics().short(),
///     "main.hcl:1:6: error[invalid-utf8]: input is not encoded as UTF-8: this byte is not valid UTF-8\n",
/// );
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse<T: Parse>(source: impl Into<Source>) -> Outcome<T> {
    ParseOptions::default().parse(source)
}

/// Reads a file and parses it like [`parse`]. If the file cannot be read, a diagnostic reports it, and the value is
/// that of an empty source.
///
/// ```
/// use hcl_lr::{Body, Diagnostics, parse_file};
///
/// let mut problems = Diagnostics::new();
/// let bodies = ["no/such.hcl", "no/such.json"].map(|path| parse_file::<Body>(path).report_to(&mut problems));
/// assert!(bodies.iter().all(Option::is_none));
/// assert_eq!(
///     problems.short().lines().next(),
///     Some("no/such.hcl:1:1: error[unreadable-file]: cannot read the input: there is no such file or folder"),
/// );
/// ```
pub fn parse_file<T: Parse>(path: impl AsRef<Path>) -> Outcome<T> {
    ParseOptions::default().parse_file(path)
}

/// The syntaxes of HCL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native syntax.
    Native,
    /// The JSON syntax.
    Json,
}

impl Syntax {
    /// Returns the syntax of a file by its name: JSON if the name ends with `.json` in any case, native otherwise.
    ///
    /// ```
    /// use hcl_lr::Syntax;
    ///
    /// assert_eq!(Syntax::of_name("main.tf.json"), Syntax::Json);
    /// assert_eq!(Syntax::of_name("main.tf"), Syntax::Native);
    /// ```
    pub fn of_name(name: &str) -> Syntax {
        let end = name.len().saturating_sub(JSON_EXTENSION.len());
        let is_json = name.as_bytes()[end..].eq_ignore_ascii_case(JSON_EXTENSION.as_bytes());
        if is_json { Syntax::Json } else { Syntax::Native }
    }
}

const JSON_EXTENSION: &str = ".json";

/// Options for parsing: limits, the dialect, and the syntax.
///
/// ```
/// use hcl_lr::{Dialect, File, ParseOptions};
///
/// let strict = ParseOptions::new().with_dialect(Dialect::Strict).max_nesting(50);
/// assert_eq!(strict.parse::<File>("_a = 1\n").diagnostics().len(), 1);
/// assert!(!hcl_lr::parse::<File>("_a = 1\n").has_errors());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    pub(crate) dialect: Dialect,
    pub(crate) syntax: Option<Syntax>,
    pub(crate) json_checks: bool,
    pub(crate) max_nesting: u32,
    pub(crate) max_errors: usize,
    max_source_length: usize,
}

/// The levels of nesting that [`ParseOptions::default`] allows: 1,000, or 64 on WebAssembly without threads, where
/// everything runs on a single stack of fixed size.
pub const DEFAULT_MAX_NESTING: u32 = if crate::stack::HAS_THREADS { 1_000 } else { 64 };

/// The options of [`ParseOptions::new`].
impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            dialect: Dialect::default(),
            syntax: None,
            json_checks: false,
            max_nesting: DEFAULT_MAX_NESTING,
            max_errors: 1_000,
            max_source_length: MAX_LENGTH,
        }
    }
}

impl ParseOptions {
    /// Creates options for reading like the official engine: any file in the syntax of its name, up to
    /// [`DEFAULT_MAX_NESTING`] levels and 1,000 errors.
    pub fn new() -> Self {
        ParseOptions::default()
    }

    /// Parses as [`parse`](crate::parse) does, with these options.
    pub fn parse<T: Parse>(&self, source: impl Into<Source>) -> Outcome<T> {
        T::parse_source(source.into(), self)
    }

    /// Reads a file and parses it as [`parse_file`](crate::parse_file) does, with these options.
    pub fn parse_file<T: Parse>(&self, path: impl AsRef<Path>) -> Outcome<T> {
        let (source, unreadable) = read_within(path.as_ref(), self).into_parts();
        let outcome = T::parse_source(source, self);
        if unreadable.is_empty() { outcome } else { Outcome::new(outcome.into_value(), unreadable) }
    }

    /// Sets the dialect: [`Dialect::Engine`] by default.
    pub fn with_dialect(self, dialect: Dialect) -> Self {
        ParseOptions { dialect, ..self }
    }

    /// Sets the syntax of a type with both, such as a [`Body`](crate::Body). By default the [name of the
    /// source](Syntax::of_name) determines it.
    ///
    /// ```
    /// use hcl_lr::{Body, ParseOptions, Syntax};
    ///
    /// let json = ParseOptions::new().with_syntax(Syntax::Json);
    /// assert!(json.parse::<Body>(r#"{"a": 1}"#).into_result().is_ok());
    /// let error = json.parse::<Body>("1").into_result().unwrap_err();
    /// assert_eq!(error.iter().next().expect("an error").code().as_str(), "invalid-root");
    /// ```
    pub fn with_syntax(self, syntax: Syntax) -> Self {
        ParseOptions { syntax: Some(syntax), ..self }
    }

    /// Checks a document in JSON as far as possible without a schema: its root, and the templates in its strings. By
    /// default a wrong template is only an error when the string is evaluated, because it may not be meant as a
    /// template.
    ///
    /// ```
    /// use hcl_lr::{ParseOptions, json};
    ///
    /// let options = ParseOptions::new().with_json_checks(true);
    /// let outcome = options.parse::<json::Document>(("a.tf.json", r#"{"a": "\u0041 ${1 +}", "b": ["${c}"]}"#));
    /// assert_eq!(
    ///     outcome.diagnostics().short(),
    ///     "a.tf.json:1:20: error[missing-expression]: a value is required here: an expression is expected here, not `}`\n",
    /// );
    /// ```
    pub fn with_json_checks(self, json_checks: bool) -> Self {
        ParseOptions { json_checks, ..self }
    }

    /// Sets the number of levels that brackets, blocks, templates, unary operators and conditionals may nest, all
    /// together: [`DEFAULT_MAX_NESTING`] by default. Deeper nesting is one error, and the rest is parsed.
    pub fn max_nesting(self, max_nesting: u32) -> Self {
        ParseOptions { max_nesting, ..self }
    }

    /// Sets the number of errors after which no more are collected: 1,000 by default.
    pub fn max_errors(self, max_errors: usize) -> Self {
        ParseOptions { max_errors, ..self }
    }

    /// Sets the largest number of bytes in a source: 4 GiB minus one byte by default, which is the maximum. A longer
    /// source is one error, and nothing of it is parsed.
    ///
    /// ```
    /// use hcl_lr::{File, ParseOptions};
    ///
    /// let outcome = ParseOptions::new().max_source_length(5).parse::<File>("a = 1\n");
    /// assert_eq!(
    ///     outcome.diagnostics().short(),
    ///     "<input>:1:1: error[source-too-large]: input exceeds the maximum length: the source is longer than 5 bytes\n"
    /// );
    /// ```
    pub fn max_source_length(self, max_source_length: usize) -> Self {
        ParseOptions { max_source_length, ..self }
    }

    /// The [dialect](Self::with_dialect) of these options.
    pub fn get_dialect(&self) -> Dialect {
        self.dialect
    }

    /// The [limit of nesting](Self::max_nesting) of these options.
    pub fn get_max_nesting(&self) -> u32 {
        self.max_nesting
    }

    /// The [limit of errors](Self::max_errors) of these options.
    pub fn get_max_errors(&self) -> usize {
        self.max_errors
    }

    /// The syntax of a source.
    pub(crate) fn syntax_of(&self, source: &Source) -> Syntax {
        self.syntax.unwrap_or_else(|| Syntax::of_name(source.name()))
    }

    /// The longest source, in bytes.
    fn longest(&self) -> usize {
        self.max_source_length.min(MAX_LENGTH)
    }
}

/// A structure that is deeper than [`ParseOptions::max_nesting`] allows.
pub(crate) fn nesting_too_deep(span: Span, limit: u32) -> Finding {
    Finding::error(
        Code::NestingTooDeep,
        span,
        format!("this is nested more than {limit} level{} deep", if limit == 1 { "" } else { "s" }),
    )
    .with_help("the content is left out; simplify it, or raise `ParseOptions::max_nesting`, or `--max-nesting` of the programs")
}

/// Returns a source that can be parsed, and its errors. If it is too long, only its name remains.
pub fn bounded(source: Source, options: &ParseOptions) -> (Arc<Source>, Option<Finding>) {
    if source.text().len() <= options.longest() {
        return (Arc::new(source), None);
    }
    let detail = format!("the source is longer than {}", length_in_words(options.longest()));
    let finding =
        Finding::error(Code::SourceTooLarge, Span::default(), detail).with_help("split it into several files");
    (Arc::new(Source::new(source.name(), "")), Some(finding))
}

fn length_in_words(length: usize) -> Cow<'static, str> {
    if length == MAX_LENGTH { "4 GiB".into() } else { format!("{length} bytes").into() }
}

impl Source {
    /// Reads a file that is not [parsed](crate::parse_file) as a whole. If it cannot be read, a diagnostic with the
    /// name of the file reports it, and the source is empty.
    ///
    /// ```
    /// use hcl_lr::Source;
    ///
    /// let outcome = Source::read("no/such.file");
    /// assert_eq!(
    ///     outcome.diagnostics().short(),
    ///     "no/such.file:1:1: error[unreadable-file]: cannot read the input: there is no such file or folder\n",
    /// );
    /// ```
    pub fn read(path: impl AsRef<Path>) -> Outcome<Source> {
        read_within(path.as_ref(), &ParseOptions::default())
    }
}

fn read_within(path: &Path, options: &ParseOptions) -> Outcome<Source> {
    let name = shown(path);
    match bytes_of(path, options) {
        Ok(bytes) => Outcome::from(Source::from_bytes(&name, bytes)),
        Err(error) => {
            let nothing = Source::new(&name, "");
            let place = Place::new(&Arc::new(nothing.clone()), Span::default());
            Outcome::new(nothing, Diagnostic::error(Code::UnreadableFile, place, reason(&error)).into())
        }
    }
}

/// Returns the bytes of a file, or an error if it is too long to be parsed.
pub(crate) fn bytes_of(path: &Path, options: &ParseOptions) -> io::Result<Vec<u8>> {
    bounded::read(path, options.longest() as u64).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let length = length_in_words(options.longest());
            io::Error::other(format!("it is longer than {length}; split it into several files"))
        }
        _ => error,
    })
}
