//! `hcl schema`: checks schema files.

use std::path::{Path, PathBuf};

use crate::check::language;
use crate::input::read;
use crate::terminal::{self, count, show};
use crate::{Status, args, fmt};
use hcl_lr::Source;
use hcl_lr::diagnostic::Severity;
use hcl_lr::schema::{LANGUAGES, Loader, Schema};

pub const EXAMPLES: &str = "\
Examples:
  hcl schema check service.schema.hcl
  hcl schema list                       list the languages that come with hcl
  hcl schema show terraform > terraform.schema.hcl
  hcl check --schema service.schema.hcl web.service.hcl";

/// Check schemas, or print those that come with hcl
///
/// A schema describes a language that is written in HCL: its files, attributes, blocks and definitions.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find all errors in schema files
    Check(Check),
    /// Format schema files, as hcl fmt does
    Fmt(fmt::Args),
    /// List the languages that come with hcl
    List,
    /// Print the schema of a language
    Show(Show),
}

#[derive(clap::Args)]
struct Check {
    /// Schema files, or - for standard input
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    color: args::Color,
}

#[derive(clap::Args)]
struct Show {
    /// The name of the language
    #[arg(value_name = "NAME")]
    name: String,
}

/// The files that a schema imports, relative to a folder.
pub struct Files {
    pub folder: PathBuf,
}

impl Loader for Files {
    fn load(&self, path: &str, from: &str) -> Result<Source, String> {
        let folder = Path::new(from).parent().filter(|_| from != "<stdin>").unwrap_or(&self.folder);
        let (name, bytes) = read(&folder.join(path))?;
        Ok(Source::from_bytes(&name, bytes))
    }
}

pub fn run(args: &Args) -> Result<Status, String> {
    match &args.command {
        Command::Check(args) => Ok(check(args)),
        Command::Fmt(args) => fmt::run(args),
        Command::List => Ok(list()),
        Command::Show(args) => Ok(print(&args.name)),
    }
}

fn check(args: &Check) -> Status {
    let mut status = Status::Fine;
    for file in &args.files {
        let (schema, problems) = match language::load(file) {
            Ok(loaded) => loaded,
            Err(message) => {
                terminal::failure(&message);
                status = status.max(Status::Failure);
                continue;
            }
        };
        let errors = problems.errors().count();
        let warnings = problems.iter().filter(|one| one.severity() == Severity::Warning).count();
        show(problems, args.color.on_stderr());
        if errors > 0 {
            status = status.max(Status::Errors);
        }
        let name = file.display().to_string();
        let found = match (errors, warnings) {
            (0, 0) => format!("no errors in {}", count(schema.parts.len(), "part")),
            (0, warnings) => count(warnings, "warning"),
            (errors, 0) => count(errors, "error"),
            (errors, warnings) => format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
        };
        terminal::stderr(&format!("{}: language `{}`: {found}\n", hcl_lr::source::visible::line(&name), schema.name));
    }
    status
}

fn list() -> Status {
    let mut text = String::new();
    for name in LANGUAGES {
        let Some(schema) = Schema::by_name(name) else { continue };
        let patterns: Vec<&str> = schema.files.iter().flat_map(|files| &files.patterns).map(String::as_str).collect();
        text += &format!("{name:14} {:24} {}\n", schema.title(), patterns.join(" "));
    }
    terminal::stdout(text.as_bytes(), Status::Fine)
}

fn print(name: &str) -> Status {
    match Schema::text_of(name) {
        Some(text) => terminal::stdout(text.as_bytes(), Status::Fine),
        None => {
            let known = LANGUAGES.join(", ");
            terminal::failure(&format!("there is no language named `{name}`; there are {known}"));
            Status::Failure
        }
    }
}
