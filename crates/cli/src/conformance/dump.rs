//! `hcl conformance dump`: the suite as lines of JSON.

use std::path::PathBuf;

use crate::context::Context;
use crate::error::Error;
use crate::status::Status;
use crate::terminal;
use hcl_lr_conformance::suite::Suite;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder with the chapters, files in Markdown
    #[arg(value_name = "FOLDER", default_value = "tests/spec")]
    chapters: PathBuf,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<Status, Error> {
        let suite = Suite::read(&self.chapters).map_err(|why| format!("{}: {why}", self.chapters.display()))?;
        let lines = suite.to_lines().map_err(|problems| problems.join("\n"))?;
        terminal::print(&lines)?;
        Ok(Status::Fine)
    }
}
