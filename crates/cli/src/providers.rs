//! Schemas of providers for checks, and `hcl providers`, which keeps them in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::context::Context;
use super::error::Error;
use super::input::read;
use super::status::Status;
use super::terminal::{self, count, show};
use super::{args, atomic};
use hcl_lr::Source;
use hcl_lr_language::schema::ProviderSchemas;
use hcl_lr_project::PROVIDER_SCHEMAS;

const EXAMPLES: &str = "\
Examples:
  terraform providers schema -json | hcl providers import
  tofu providers schema -json | hcl providers import
  hcl providers import schemas.json

hcl runs no program and asks no server: it reads what you give it.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Keep the schemas of providers in this folder, for checks and editors
    Import(Import),
}

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
struct Import {
    /// The output of `terraform providers schema -json`; standard input without it, or with `-`
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    file: PathBuf,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let Command::Import(import) = &self.command;
        import.keep(context)
    }
}

impl Import {
    fn keep(&self, context: &Context) -> Result<Status, Error> {
        let (name, bytes) = read(context, &self.file)?;
        let source = Source::from_bytes(&name, bytes.clone());
        let (schemas, problems) = context.parse_options().parse::<ProviderSchemas>(source).into_parts();
        let is_wrong = problems.has_errors();
        show(problems, self.color.on_stderr());
        if is_wrong {
            return Ok(Status::Errors);
        }
        let path = kept(context);
        let failed = |error| Error::io(format!("cannot write `{}`", terminal::shown(&path.to_string_lossy())), error);
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).and_then(|()| context.root().allowed(folder)).map_err(failed)?;
        atomic::write(&path, &bytes).map_err(failed)?;
        let providers = count(schemas.providers().count(), "provider");
        terminal::note(&format!("kept the schemas of {providers} in `{PROVIDER_SCHEMAS}`"));
        Ok(Status::Fine)
    }
}

/// Returns the path of the file in which schemas are kept: in this folder, or in the one of `--root`.
fn kept(context: &Context) -> PathBuf {
    context.root().folder().unwrap_or(Path::new("")).join(PROVIDER_SCHEMAS)
}

/// Reads files with schemas of providers, or those that are kept in this folder if no file is named. Errors in the files are
/// shown. Returns `None` if there are no files.
///
/// # Errors
/// A message, if a file cannot be used.
pub fn load(context: &Context, paths: &[PathBuf], color: bool) -> Result<Option<Arc<ProviderSchemas>>, Error> {
    let kept: Vec<PathBuf> =
        Some(kept(context)).filter(|path| paths.is_empty() && path.is_file()).into_iter().collect();
    let paths = if kept.is_empty() { paths } else { &kept };
    let mut all: Option<ProviderSchemas> = None;
    for path in paths {
        let (name, bytes) = read(context, path)?;
        let source = Source::from_bytes(&name, bytes);
        let (schemas, problems) = context.parse_options().parse::<ProviderSchemas>(source).into_parts();
        let wrong = problems.has_errors();
        show(problems, color);
        if wrong {
            return Err(format!("the provider schemas in `{name}` have errors").into());
        }
        all = Some(match all {
            Some(all) => all.with(schemas),
            None => schemas,
        });
    }
    Ok(all.map(Arc::new))
}
