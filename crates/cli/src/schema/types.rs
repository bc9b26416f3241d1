//! `hcl schema types`: types of programming languages.

use super::files;
use super::load;
use crate::{Status, args, terminal};
use hcl_lr_schema_tools::TypesIn;

/// Write types in a programming language for files of a language
///
/// Those in Rust read files of either syntax with the package hcl-lr. The others are for the JSON that
/// hcl decode and hcl convert write.
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

pub fn run(args: &Args) -> Result<Status, String> {
    let schema = load::named(&args.schema, args.color.on_stderr())?;
    let files = files(&schema, args.files.as_deref())?;
    let language = match &args.language {
        Language { typescript: true, .. } => TypesIn::TypeScript,
        Language { go: true, .. } => TypesIn::Go,
        Language { python: true, .. } => TypesIn::Python,
        _ => TypesIn::Rust,
    };
    Ok(terminal::stdout(hcl_lr_schema_tools::to_types(&schema, files, language).as_bytes(), Status::Fine))
}
