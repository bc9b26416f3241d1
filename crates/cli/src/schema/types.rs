//! `hcl schema types`: types of programming languages.

use crate::context::Context;
use crate::error::Error;
use crate::schema_file;
use crate::status::Status;
use crate::{args, terminal};
use hcl_lr_schema_tools::TypesIn;

#[derive(clap::Args)]
pub struct Args {
    /// The name of a language that comes with hcl, or a schema file
    #[arg(value_name = "NAME|FILE")]
    schema: String,

    #[command(flatten)]
    language: Language,

    /// Describe these files of the language [default: the first]
    #[arg(long, value_name = "NAME")]
    files: Option<String>,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Language {
    /// Write structures in Rust
    #[arg(long)]
    rust: bool,

    /// Write interfaces in TypeScript
    #[arg(long)]
    typescript: bool,

    /// Write structures in Go
    #[arg(long)]
    go: bool,

    /// Write data classes in Python
    #[arg(long)]
    python: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let schema = schema_file::named(context, &self.schema, self.color.on_stderr())?;
        let files = schema_file::files(&schema, self.files.as_deref())?;
        let language = match &self.language {
            Language { typescript: true, .. } => TypesIn::TypeScript,
            Language { go: true, .. } => TypesIn::Go,
            Language { python: true, .. } => TypesIn::Python,
            _ => TypesIn::Rust,
        };
        Ok(terminal::stdout(hcl_lr_schema_tools::to_types(&schema, files, language).as_bytes(), Status::Fine))
    }
}
