//! `hcl schema import`: a schema from a JSON Schema.

use std::path::PathBuf;

use crate::args;
use crate::context::Context;
use crate::error::Error;
use crate::input::read;
use crate::status::Status;
use crate::terminal::{self, show};
use hcl_lr::Source;
use hcl_lr::source::visible;

#[derive(clap::Args)]
pub struct Args {
    /// A JSON Schema, or - for standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,

    /// Set the name of the language [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    quiet: args::Quiet,

    #[command(flatten)]
    color: args::Color,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let (shown, bytes) = read(context, &self.file)?;
        let stem = || self.file.file_name()?.to_str()?.split('.').find(|part| !part.is_empty()).map(str::to_owned);
        let name =
            self.name.clone().or_else(|| stem().filter(|name| name != "-")).unwrap_or_else(|| "language".to_owned());
        let patterns = [format!("*.{name}.hcl"), format!("*.{name}.json")];
        match hcl_lr_schema_tools::from_json_schema(&name, patterns, Source::from_bytes(&shown, bytes)) {
            Ok(imported) => {
                let text = imported.schema.to_hcl().map_err(|error| error.to_string())?;
                for place in &imported.lost {
                    terminal::remark(&format!(
                        "left out, as HCL Schema has nothing like it: {}\n",
                        visible::line(place)
                    ));
                }
                Ok(terminal::stdout(text.as_bytes(), Status::Fine))
            }
            Err(problems) => {
                show(problems, self.color.on_stderr());
                Ok(Status::Errors)
            }
        }
    }
}
