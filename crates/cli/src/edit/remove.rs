//! `hcl rm`: removes attributes, blocks, entries of objects and elements of lists.

use super::changes::Texts;
use super::edits::{Edit, Edits};
use super::options::{Files, STATUS};
use super::run::run;
use super::targets::{Refusal, item};
use crate::args::{AddressArgument, address, paths_or_folder};
use crate::context::Context;
use crate::error::Error;
use crate::status::Status;

const EXAMPLES: &str = "\
Examples:
  hcl rm service.web.debug main.hcl
  hcl rm resource.aws_instance.old main.tf
  hcl rm 'zones[0]' main.hcl
  hcl rm --all 'variable[*].description' .
  hcl rm --all 'variable[*].default' --where 'self == null' .
  hcl rm --all '**.provisioner' --diff .        show what would be removed";

#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Remove {
    /// The item to remove
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", STATUS)
}

impl Remove {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        run(context, &self.files, &paths_or_folder(&self.files.paths)?, self)
    }
}

impl Edits for Remove {
    fn address(&self) -> &AddressArgument {
        &self.address
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        // Anything inside a removed item is removed with it.
        let mut end = 0;
        for found in edit.found {
            let span = found.target().span();
            edit.changes.add(|| Texts::removed(found.target().text()));
            if span.start() >= end {
                edit.editor.remove(item(found.target())?);
                edit.check(found.target())?;
            }
            end = end.max(span.end());
        }
        Ok(())
    }
}
