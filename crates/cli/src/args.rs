//! Arguments that several commands share.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;

use super::context::Context;
use super::error::Error;
use super::find::{Exclude, Search};
use super::input::{self, Syntax};
use super::rows::Format;
use super::{room, terminal};
use hcl_lr::diagnostic::{Diagnostic, Diagnostics};
use hcl_lr::functions::FunctionSet;
use hcl_lr::limits::Limits as EvaluationLimits;
use hcl_lr::model::Value;
use hcl_lr::source::{Source, Span};
use hcl_lr::{DEFAULT_MAX_NESTING, Dialect, Expression, ParseOptions, parse};
use hcl_lr_edit::address::{Address, NotFound};

/// The dialect of the files.
#[derive(clap::Args)]
pub struct Accepted {
    /// Reject what the specification does not allow
    ///
    /// By default, files are read as by the official HCL engine, which accepts more than the
    /// specification allows. With this option, each such construct is an error that names the
    /// section of the specification.
    #[arg(long)]
    strict: bool,
}

impl Accepted {
    pub fn options(&self, context: &Context) -> ParseOptions {
        context.parse_options().with_dialect(if self.strict { Dialect::Strict } else { Dialect::Engine })
    }
}

/// The limit of the nesting in files.
#[derive(clap::Args)]
pub struct Nesting {
    /// Limit the nesting of brackets, blocks and templates, in levels
    #[arg(long, global = true, value_name = "N", default_value_t = DEFAULT_MAX_NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=room::MAX_LEVELS))]
    max_nesting: u32,
}

impl Nesting {
    /// Returns the limit.
    pub fn levels(&self) -> u32 {
        self.max_nesting
    }
}

/// Printing as little as possible.
#[derive(clap::Args)]
pub struct Quiet {
    /// Show errors only: no notes, no summary, no progress bar
    #[arg(short, long)]
    pub quiet: bool,
}

/// The format of lists.
#[derive(clap::Args)]
pub struct Listed {
    /// The output format [default: lines of text]
    #[arg(long, short, value_enum)]
    output: Option<Format>,

    /// Same as --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

impl Listed {
    /// Returns the requested format.
    pub fn asked(&self) -> Option<Format> {
        self.json.then_some(Format::Json).or(self.output)
    }
}

/// The limit of the size of files.
#[derive(clap::Args)]
pub struct FileSize {
    /// Limit the size of input files, such as 64M or 1G
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, default_value = input::DEFAULT_MAX_FILE_SIZE)]
    max_file_size: Option<u64>,
}

impl FileSize {
    /// Returns the limit in bytes.
    pub fn bytes(&self) -> Option<u64> {
        self.max_file_size
    }
}

/// Options for searching folders.
#[derive(clap::Args)]
pub struct Folders {
    /// Do not search subfolders
    #[arg(long)]
    no_recursive: bool,

    /// Skip paths that match a pattern, as in .gitignore; repeatable
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,

    /// Also read files with this extension in folders; repeatable
    #[arg(long = "extension", value_name = "EXT")]
    extensions: Vec<String>,

    /// Also search hidden and ignored files and folders
    #[arg(long)]
    no_ignore: bool,
}

impl Folders {
    /// Returns the patterns of paths to exclude.
    ///
    /// # Errors
    /// A message, if a pattern is invalid.
    pub fn exclude(&self) -> Result<Exclude, Error> {
        Exclude::new(&self.exclude)
    }

    /// Builds the search, with the patterns of [`exclude`](Self::exclude).
    pub fn search<'a>(&'a self, exclude: &'a Exclude) -> Search<'a> {
        Search {
            languages: None,
            extensions: &self.extensions,
            everything: self.no_ignore,
            flat: self.no_recursive,
            exclude: Some(exclude),
        }
    }
}

/// Files of a folder that are left out, where folders are not searched.
#[derive(clap::Args)]
pub struct Excluded {
    /// Skip paths that match a pattern, as in .gitignore; repeatable
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
}

impl Excluded {
    /// Returns the patterns of paths to exclude.
    ///
    /// # Errors
    /// A message, if a pattern is invalid.
    pub fn exclude(&self) -> Result<Exclude, Error> {
        Exclude::new(&self.exclude)
    }
}

/// The limits of an evaluation.
#[derive(Clone, clap::Args)]
pub struct Budget {
    /// Limit the steps of an evaluation
    ///
    /// Each expression, each element of a loop and each converted or compared part is a step.
    #[arg(long, value_name = "N", default_value_t = EvaluationLimits::default().get_max_steps())]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,

    /// Limit the memory for all values of an evaluation, such as 64M or 2G
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "512M")]
    max_memory: u64,

    /// Limit the time of an evaluation, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl Budget {
    /// Checks that a value is small enough to print: shared parts may occur in it many times.
    pub fn check_size(&self, value: &Value) -> Result<(), Error> {
        self.check_text(value.size(), "the value")
    }

    /// Checks that a text of a given size is small enough to print.
    pub fn check_text(&self, bytes: u64, what: &str) -> Result<(), Error> {
        match bytes > self.max_memory {
            true => Err(format!("printing {what} takes more memory than `--max-memory` allows").into()),
            false => Ok(()),
        }
    }

    pub fn limits(&self) -> EvaluationLimits {
        let limits = EvaluationLimits::new().max_steps(self.max_steps).max_bytes(self.max_memory);
        match self.timeout {
            Some(timeout) => limits.max_time(timeout),
            None => limits,
        }
    }
}

/// Parses a number of bytes, with an optional letter for a power of 1,024.
pub fn size(text: &str) -> Result<u64, Error> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[number.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err("the letters are K, M and G".into()),
    };
    let number: u64 = number.parse().map_err(|_| "a whole number is required, perhaps with K, M or G".to_owned())?;
    number.checked_mul(1 << shift).filter(|size| *size > 0).ok_or_else(|| "it is out of range".into())
}

/// A time, as a number of seconds.
fn seconds(text: &str) -> Result<Duration, Error> {
    let number: f64 = text.parse().map_err(|_| "a number of seconds is required".to_owned())?;
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| "it is out of range".into())
}

/// The kind of text.
#[derive(clap::Args)]
pub struct Whole {
    /// Read the input as one expression, such as `a.b + 1`
    #[arg(long, conflicts_with_all = ["template", "syntax"])]
    pub expression: bool,

    /// Read the input as one template, such as `Hello, ${name}!`
    ///
    /// Files named *.tftpl, *.pkrtpl and *.pkrtpl.hcl are always templates.
    #[arg(long, conflicts_with = "syntax")]
    pub template: bool,

    #[command(flatten)]
    pub language: Language,
}

/// The syntax of a file.
#[derive(clap::Args)]
pub struct Language {
    /// Set the syntax of the input [default: json for *.json]
    #[arg(long, value_enum, value_name = "SYNTAX")]
    syntax: Option<LanguageName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum LanguageName {
    /// The native syntax of HCL
    Native,
    /// The JSON syntax of HCL
    Json,
}

impl Language {
    /// Returns the requested syntax; `None` if the name of the file decides.
    pub fn syntax(&self) -> Option<Syntax> {
        self.syntax.map(|name| match name {
            LanguageName::Native => Syntax::Config,
            LanguageName::Json => Syntax::Json,
        })
    }
}

impl Whole {
    /// Returns the requested syntax; `None` if the name of the file decides.
    pub fn syntax(&self) -> Option<Syntax> {
        match self {
            Whole { expression: true, .. } => Some(Syntax::Expression),
            Whole { template: true, .. } => Some(Syntax::Template),
            Whole { language, .. } => language.syntax(),
        }
    }
}

/// Which functions there are.
#[derive(clap::Args)]
pub struct Offered {
    /// The functions to offer: standard, extended, terraform, packer or nomad
    ///
    /// `standard` is the library of the official engine, `extended` adds more from Terraform and
    /// OpenTofu. The others are what these programs offer, as they define it. `hcl functions` shows
    /// them. None of them reads files or the clock.
    #[arg(long = "functions", value_name = "SET", default_value_t = FunctionSet::Extended)]
    pub set: FunctionSet,
}

/// When to use colours.
#[derive(clap::Args)]
pub struct Color {
    /// When to use colours
    #[arg(long = "color", alias = "colour", value_name = "WHEN", value_enum, default_value_t = When::Auto)]
    when: When,
}

#[derive(Clone, Copy, ValueEnum)]
enum When {
    /// On a terminal, unless the environment variable NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Returns true if standard error is to have colours.
    pub fn on_stderr(&self) -> bool {
        self.on(io::stderr().is_terminal())
    }

    /// Returns true if an output gets colours, given whether it is a terminal.
    pub fn on(&self, is_terminal: bool) -> bool {
        match self.when {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && terminal::likes_color(),
        }
    }
}

/// An address on the command line, with the places of its steps.
#[derive(Clone, Debug)]
pub struct AddressArgument {
    address: Address,
    source: Arc<Source>,
    spans: Vec<Span>,
}

impl AddressArgument {
    /// Reads an argument that messages call `name`.
    ///
    /// # Errors
    /// The errors of the address.
    pub fn parse(name: &str, text: &str) -> Result<AddressArgument, Malformed> {
        let source = Arc::new(Source::new(name, text));
        let (address, spans) = Address::parse_with_spans((*source).clone()).map_err(Malformed)?;
        Ok(AddressArgument { address, source, spans })
    }

    /// Returns the error for an address without targets, with the place in the address.
    pub fn nothing_found(&self, why: &NotFound) -> Diagnostic {
        why.diagnostic(&self.source, &self.spans)
    }
}

impl std::ops::Deref for AddressArgument {
    type Target = Address;

    fn deref(&self) -> &Address {
        &self.address
    }
}

/// Reads the argument ADDRESS.
pub fn address(text: &str) -> Result<AddressArgument, Malformed> {
    AddressArgument::parse("ADDRESS", text)
}

/// Reads the expression of `--where`.
pub fn condition(text: &str) -> Result<Expression, Malformed> {
    expression("--where", text)
}

/// Reads the expression of an option.
pub fn expression(option: &str, text: &str) -> Result<Expression, Malformed> {
    parse::<Expression>((option, text)).into_result().map_err(Malformed)
}

/// An address or expression on the command line with syntax errors, which are shown with their places.
#[derive(Debug)]
pub struct Malformed(pub Diagnostics);

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.first().map_or("malformed argument", |first| first.detail()))
    }
}

impl std::error::Error for Malformed {}

/// Returns the path to write to. `None` means standard output, also for `-`.
pub fn path_or_stdout(path: Option<&PathBuf>) -> Option<&PathBuf> {
    path.filter(|path| **path != Path::new("-"))
}

/// Returns the paths to read, by default the current folder.
///
/// # Errors
/// A message, if no path is named and standard input is piped, so that it is unclear which is meant.
pub fn paths_or_folder(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    if !paths.is_empty() {
        return Ok(paths.to_vec());
    }
    match input::is_piped() {
        true => Err("no path is named, and standard input is not a terminal\n\n  \
             tip: write `-` to read standard input, or `.` for the files in this folder"
            .into()),
        false => Ok(vec![PathBuf::from(".")]),
    }
}
