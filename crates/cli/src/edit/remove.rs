//! `hcl rm`: removes attributes, blocks, entries of objects and elements of lists.

use super::changes::Texts;
use super::json::{self, JsonEdit};
use super::{Edit, Edits, Files, Refusal, address, member};
use crate::args::{AddressArgument, paths_or_folder};

const EXAMPLES: &str = "\
Examples:
  hcl rm service.web.debug main.hcl
  hcl rm resource.aws_instance.old main.tf
  hcl rm 'zones[0]' main.hcl
  hcl rm --all 'variable[*].description' .
  hcl rm --all 'variable[*].default' --where 'self == null' .
  hcl rm --all '**.provisioner' --diff .        show what would be removed";

/// Remove attributes, blocks, entries of objects and elements of lists
///
/// The comments right above what is removed, and after it in its line, are
/// removed as well.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Remove {
    /// The item to remove
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    #[command(flatten)]
    pub files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Remove {
    pub fn run(&self) -> Result<super::Status, String> {
        super::run(&self.files, &paths_or_folder(&self.files.paths)?, self)
    }
}

impl Edits for Remove {
    fn address(&self) -> &AddressArgument {
        &self.address
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        // Anything inside a removed item goes with it.
        let mut end = 0;
        for found in edit.found {
            let span = found.target().span();
            edit.changes.add(|| Texts::removed(found.target().text()));
            if span.start() >= end {
                edit.editor.remove(member(found.target())?);
            }
            end = end.max(span.end());
        }
        Ok(())
    }

    fn edit_json(&self, edit: &mut JsonEdit<'_, '_>) -> Result<(), Refusal> {
        let mut end = 0;
        for found in edit.found {
            let span = found.target().span();
            edit.changes.add(|| Texts::removed(found.target().text()));
            if span.start() >= end {
                json::remove(&mut edit.editor, found.target())?;
            }
            end = end.max(span.end());
        }
        Ok(())
    }
}
