//! `hcl rm`: less.

use super::{Edits, Files, address, member};
use hcl_lr::address::{Address, Target};
use hcl_lr::edit::Editor;
use hcl_lr::syntax::File;

const EXAMPLES: &str = "\
Examples:
  hcl rm service.web.debug main.hcl
  hcl rm resource.aws_instance.old main.tf
  hcl rm 'zones[0]' main.hcl
  hcl rm --all 'variable[*].description' .
  hcl rm --all '**.provisioner' --diff .          show what would be removed";

/// Remove attributes, blocks, entries of objects and elements of lists
///
/// The comments right above what is removed, and after it in its line, go with it.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Remove {
    /// The address to remove
    #[arg(value_parser = address)]
    address: Address,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Remove {
    pub fn run(&self) -> Result<super::Status, String> {
        super::run(&self.files, self)
    }
}

impl Edits for Remove {
    fn find<'f>(&self, file: &'f File) -> Vec<Target<'f>> {
        // Anything inside a removed item goes with it.
        let mut found = self.address.resolve(file.body());
        let mut end = 0;
        found.retain(|target| {
            let span = target.span();
            let outer = span.start() >= end;
            end = end.max(span.end());
            outer
        });
        found
    }

    fn edit<'f>(&self, _: &'f File, targets: &[Target<'f>], editor: &mut Editor<'f>) -> Result<(), String> {
        for target in targets {
            editor.remove(member(target)?);
        }
        Ok(())
    }
}
