//! The options that all editing commands share.

use std::path::{Path, PathBuf};

use crate::args::{self, condition, paths_or_folder};
use crate::context::Context;
use crate::error::Error;
use crate::input::{Origin, Syntax, read};
use crate::resolved::Resolve;
use crate::rows::Format;
use crate::variables::Variables;
use hcl_lr::Expression;

/// The files to change, and which places in them.
#[derive(clap::Args)]
pub struct Files {
    /// Files, folders to search, or - for standard input [default: .]
    #[arg(value_name = "PATH|-")]
    pub paths: Vec<PathBuf>,

    /// Change all places that the address leads to, not only a single one
    #[arg(long)]
    pub all: bool,

    /// Change only places for which this expression is true, as in `hcl query`
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = condition)]
    pub condition: Option<Expression>,

    /// Exit with status 0 if nothing is found at the address
    #[arg(long)]
    pub if_present: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    pub diff: bool,

    /// List the places that would change, and change nothing
    ///
    /// With --output, each is an object with file, line, address, and the texts before and after.
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub listed: args::Listed,

    /// Change files with errors elsewhere, too
    #[arg(long)]
    pub force: bool,

    #[command(flatten)]
    pub folders: args::Folders,

    #[command(flatten)]
    pub language: args::Language,

    #[command(flatten)]
    pub resolve: Resolve,

    #[command(flatten)]
    pub variables: Variables,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    pub color: args::Color,
}

impl Files {
    /// Returns the format of the list of places.
    ///
    /// # Errors
    /// A message, if no list is requested.
    pub fn list_format(&self) -> Result<Option<Format>, Error> {
        match self.listed.asked() {
            Some(_) if !self.dry_run => {
                Err("`--output` and `--json` need `--dry-run`: they set the format of its list".into())
            }
            Some(_) if self.diff => {
                Err("`--diff` prints a patch, `--output` and `--json` print a list: use one of them".into())
            }
            format => Ok(format),
        }
    }

    /// Returns the syntax of a file.
    pub fn syntax(&self, origin: &Origin) -> Syntax {
        self.language.syntax().unwrap_or_else(|| origin.syntax())
    }

    /// Splits the arguments after the address into the text and the paths. The text is the first argument, unless it
    /// comes from elsewhere.
    ///
    /// # Errors
    /// A message, if the text is missing, or if no path is named and standard input is piped.
    pub fn text_and_paths(
        &self,
        first: Option<&str>,
        elsewhere: bool,
    ) -> Result<(Option<String>, Vec<PathBuf>), Error> {
        if elsewhere {
            let all: Vec<PathBuf> = first.map(PathBuf::from).into_iter().chain(self.paths.iter().cloned()).collect();
            return Ok((None, paths_or_folder(&all)?));
        }
        let Some(text) = first else { return Err("there is no value: write it after the address".into()) };
        if self.paths.is_empty() && Path::new(text).is_file() {
            return Err(format!("`{text}` is a file: write the value before it").into());
        }
        Ok((Some(text.to_owned()), paths_or_folder(&self.paths)?))
    }
}

/// Reads a text from a file, or from standard input for `-`.
///
/// # Errors
/// A message, if it cannot be read, is not UTF-8, or is standard input that is also the input file.
pub fn text_from(context: &Context, path: &Path, paths: &[PathBuf]) -> Result<String, Error> {
    if path == Path::new("-") && paths.iter().any(|path| path == Path::new("-")) {
        return Err("standard input cannot be both the new text and the file to change".into());
    }
    let (name, bytes) = read(context, path)?;
    String::from_utf8(bytes).map_err(|_| format!("`{name}` is not UTF-8").into())
}

/// The last section of the help of all these commands.
pub const STATUS: &str = "
A file is written as a whole or not at all, and only if the result has the
requested edit and no other change. If one file cannot be changed, none is
written.

Exit status:
  0  done
  1  nothing was found at the address
  2  failure: wrong command line, several places without --all, a file with
     errors without --force, or a file that cannot be read or written";
