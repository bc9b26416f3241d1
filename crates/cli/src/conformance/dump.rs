//! `hcl conformance dump`: the suite as lines of JSON.

use std::path::PathBuf;

use crate::{Status, terminal};
use hcl_lr_conformance::suite::Suite;

#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder with the chapters, files in Markdown
    #[arg(value_name = "FOLDER", default_value = "tests/spec")]
    chapters: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Status, String> {
    let suite = Suite::read(&args.chapters).map_err(|why| format!("{}: {why}", args.chapters.display()))?;
    let lines = suite.to_lines().map_err(|problems| problems.join("\n"))?;
    terminal::print(&lines)?;
    Ok(Status::Fine)
}
