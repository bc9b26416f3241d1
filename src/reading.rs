//! Common parts of all parsers: the origin of a text, and the options for reading it.

pub(crate) mod liberty;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

pub use self::liberty::Liberty;
use crate::diagnostic::{Code, Diagnostic, Finding, Outcome};
pub(crate) use crate::source::visible::{path as shown, reason};
use crate::source::{MAX_LENGTH, Place, Source, Span};

/// The dialect: the set of accepted files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// Accepts everything that the official engine accepts, with the same meaning.
    #[default]
    Engine,
    /// The letter of the specification: each [`Liberty`] that the official engine takes with it is an
    /// error that names the section. What was parsed in this way is evaluated in this way, too: a tree knows
    /// its dialect.
    Strict,
}

/// The options of a parser. It has a method for each function that parses, of the same name.
///
/// ```
/// use hcl_lr::{Dialect, ParseOptions};
///
/// let strict = ParseOptions::new().with_dialect(Dialect::Strict).max_nesting(50);
/// assert_eq!(strict.parse("_a = 1\n").diagnostics().len(), 1);
/// assert!(!hcl_lr::parse::<hcl_lr::File>("_a = 1\n").has_errors());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseOptions {
    /// The dialect of the files.
    pub dialect: Dialect,
    /// The number of levels that brackets, blocks, templates, unary operators and conditionals may nest, all together.
    /// Deeper nesting is one error, and the rest is parsed.
    pub max_nesting: u32,
    /// After how many errors no more are collected.
    pub max_errors: usize,
    /// The largest number of bytes in a source. A longer one is not parsed at all. The maximum is 4 GiB minus one byte.
    pub max_source_length: usize,
}

/// The levels of nesting that [`ParseOptions::default`] allows: 1,000, or 64 on WebAssembly without threads,
/// where all work has to be done on one stack of a fixed size.
pub const DEFAULT_MAX_NESTING: u32 = if crate::stack::HAS_THREADS { 1_000 } else { 64 };

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions {
            dialect: Dialect::default(),
            max_nesting: DEFAULT_MAX_NESTING,
            max_errors: 1_000,
            max_source_length: MAX_LENGTH,
        }
    }
}

impl ParseOptions {
    /// As the official engine reads, up to [`DEFAULT_MAX_NESTING`] levels and 1,000 errors.
    pub fn new() -> Self {
        ParseOptions::default()
    }

    /// The options with another [`dialect`](Options#structfield.dialect).
    pub fn dialect(self, dialect: Dialect) -> Self {
        ParseOptions { dialect, ..self }
    }

    /// The options with another limit for [nesting](Options#structfield.max_nesting).
    pub fn max_nesting(self, max_nesting: u32) -> Self {
        ParseOptions { max_nesting, ..self }
    }

    /// The options with another limit for the [number of errors](Options#structfield.max_errors).
    pub fn max_errors(self, max_errors: usize) -> Self {
        ParseOptions { max_errors, ..self }
    }

    /// The options with another limit for the [length of a source](Options#structfield.max_source_length).
    ///
    /// ```
    /// use hcl_lr::ParseOptions;
    ///
    /// let outcome = ParseOptions::new().max_source_length(5).parse::<hcl_lr::File>("a = 1\n");
    /// assert_eq!(
    ///     outcome.diagnostics().short(),
    ///     "<input>:1:1: error[source-too-large]: input exceeds the maximum length: the source is longer than 5 bytes\n"
    /// );
    /// ```
    pub fn max_source_length(self, max_source_length: usize) -> Self {
        ParseOptions { max_source_length, ..self }
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
    .with_help("the content is left out; simplify it, or raise the limit where the parser is called")
}

/// A source that can be parsed: of one that is too long, nothing but its name, and the errors.
pub(crate) fn bounded(source: Source, options: &ParseOptions) -> (Arc<Source>, Option<Finding>) {
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

/// Reads a file, for a parser that has no function of its own for files. If it cannot be read, that is
/// a diagnostic with the name of the file, and the source is empty.
///
/// ```
/// use hcl_lr::{Source, Traversal, parse};
///
/// let outcome = Source::read("no/such.file");
/// assert_eq!(
///     outcome.diagnostics().short(),
///     "no/such.file:1:1: error[unreadable-file]: cannot read the input: there is no such file or folder\n",
/// );
/// # let read = || Ok::<_, hcl_lr::diagnostic::Diagnostics>(parse::<Traversal>(Source::read("target.txt").into_result()?));
/// ```
pub fn read_source(path: impl AsRef<Path>) -> Outcome<Source> {
    read_within(path.as_ref(), &ParseOptions::default())
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

/// Reads a file and parses what is in it. If it cannot be read, nothing else is wrong with it.
pub(crate) fn parse_path<T>(
    path: &Path,
    options: &ParseOptions,
    parse: impl FnOnce(Source) -> Outcome<T>,
) -> Outcome<T> {
    let (source, unreadable) = read_within(path, options).into_parts();
    let outcome = parse(source);
    if unreadable.is_empty() { outcome } else { Outcome::new(outcome.into_value(), unreadable) }
}

/// The bytes of a file; of one that is too long to be parsed, an error.
pub(crate) fn bytes_of(path: &Path, options: &ParseOptions) -> io::Result<Vec<u8>> {
    let most = options.longest() as u64 + 1;
    let metadata = std::fs::metadata(path)?;
    // Not all systems say so when a folder is opened.
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let file = File::open(path)?;
    if metadata.len() >= most {
        let length = length_in_words(options.longest());
        return Err(io::Error::other(format!("it is longer than {length}; split it into several files")));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(metadata.len() as usize + 1)?;
    // One byte too many is enough to know that an endless or growing file is too long.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
