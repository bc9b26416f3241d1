//! Arguments that several subcommands have.

use std::io::{self, IsTerminal};

use clap::ValueEnum;

use super::input::Syntax;
use super::{room, terminal};
use crate::functions::Set;
use crate::reading::{DEFAULT_MAX_NESTING, Dialect, Options};

/// How strict and how patient the parser is.
#[derive(clap::Args)]
pub struct Limits {
    /// Accept only what the specification says
    ///
    /// Without it, files are judged as the HCL engine of HashiCorp's own tools judges them, which
    /// takes some liberties with the specification. With it, each of those is an error that names
    /// the section of the specification.
    #[arg(long)]
    pub strict: bool,

    /// How many levels deep brackets, blocks and templates may nest in total
    ///
    /// Anything deeper is an error. The stack needs more memory for a higher limit.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_NESTING)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=room::MAX_LEVELS))]
    pub max_nesting: u32,
}

impl Limits {
    pub fn options(&self) -> Options {
        let dialect = if self.strict { Dialect::Strict } else { Dialect::Engine };
        Options::new().dialect(dialect).max_nesting(self.max_nesting)
    }
}

/// What the text is.
#[derive(clap::Args)]
pub struct Whole {
    /// The text is one expression, such as `a.b + 1`
    #[arg(long, conflicts_with_all = ["template", "syntax"])]
    pub expression: bool,

    /// The text is one template, such as `Hello, ${name}!`
    ///
    /// Files named *.tftpl, *.pkrtpl and *.pkrtpl.hcl are treated as templates without it.
    #[arg(long, conflicts_with = "syntax")]
    pub template: bool,

    #[command(flatten)]
    pub language: Language,
}

/// Which of the two syntaxes a file is in.
#[derive(clap::Args)]
pub struct Language {
    /// The syntax of the text, whatever its name is [default: json for files named *.json]
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
    /// What was asked for; otherwise it depends on the name of the file.
    pub fn syntax(&self) -> Option<Syntax> {
        self.syntax.map(|name| match name {
            LanguageName::Native => Syntax::Config,
            LanguageName::Json => Syntax::Json,
        })
    }
}

impl Whole {
    /// What was asked for; otherwise it depends on the name of the file.
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
    #[arg(long = "functions", value_name = "SET", default_value_t = Set::Extended)]
    pub set: Set,
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
    /// Whether to use colours on standard error.
    pub fn on_stderr(&self) -> bool {
        self.on(io::stderr().is_terminal())
    }

    /// Whether to use colours in an output that is a terminal or not.
    pub fn on(&self, is_terminal: bool) -> bool {
        match self.when {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && terminal::likes_color(),
        }
    }
}
