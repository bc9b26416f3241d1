//! `hcl schema infer`: a first draft of a schema from examples.

use std::path::{Path, PathBuf};

use crate::args;
use crate::context::Context;
use crate::error::Error;
use crate::input::read;
use crate::status::Status;
use crate::terminal::{self, show};
use hcl_lr::source::visible;
use hcl_lr::{File, Source, parse};

#[derive(clap::Args)]
pub struct Args {
    /// Files in native syntax, or - for standard input
    #[arg(value_name = "FILE|-", required = true)]
    files: Vec<PathBuf>,

    /// Set the name of the language [default: the extension of the first file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let mut files: Vec<File> = Vec::new();
        let mut broken = false;
        for path in &self.files {
            let (name, bytes) = read(context, path)?;
            if path.extension().is_some_and(|extension| extension == "json") {
                let shown = visible::line(&name);
                return Err(format!(
                    "no schema can be made from `{shown}`: in JSON, blocks and objects look the same; use files in native syntax"
                ).into());
            }
            let (file, problems) = parse::<File>(Source::from_bytes(&name, bytes)).into_parts();
            broken |= problems.has_errors();
            show(problems, self.color.on_stderr());
            files.push(file);
        }
        if broken {
            return Ok(Status::Errors);
        }
        let name =
            self.name.clone().or_else(|| extension(self.files.first()?)).unwrap_or_else(|| "language".to_owned());
        let text = hcl_lr_schema_tools::infer(&name, &files).to_hcl().map_err(|error| error.to_string())?;
        Ok(terminal::stdout(text.as_bytes(), Status::Fine))
    }
}

/// Returns the specific extension of a file: `service` for `web.service.hcl`.
fn extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".hcl").unwrap_or(name);
    name.rsplit_once('.').map(|(_, extension)| extension.to_owned()).filter(|extension| !extension.is_empty())
}
