//! `hcl comment`: comments above things, and after them.

use super::{Edits, Files, address, member};
use hcl_lr::address::{Address, Target};
use hcl_lr::edit::Editor;
use hcl_lr::syntax::File;

const EXAMPLES: &str = "\
Examples:
  hcl comment service.web 'What customers see.' main.hcl
  hcl comment --trailing service.web.port 'as in the firewall' main.hcl
  hcl comment service.web '' main.hcl              remove it
  hcl comment --all 'variable[*]' 'TODO: describe it' .";

/// Set or remove the comments of attributes, blocks, entries of objects and elements of lists
///
/// The comment stands in the lines above, in the place of the one that is there.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Comment {
    /// The address to comment
    #[arg(value_parser = address)]
    address: Address,

    /// The text; each of its lines gets a `#`. With an empty text the comment is removed
    text: String,

    /// The comment after it in its line, rather than above it
    #[arg(long)]
    trailing: bool,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Comment {
    pub fn run(&self) -> Result<super::Status, String> {
        super::run(&self.files, self)
    }
}

impl Edits for Comment {
    fn find<'f>(&self, file: &'f File) -> Vec<Target<'f>> {
        self.address.resolve(file.body())
    }

    fn edit<'f>(&self, _: &'f File, targets: &[Target<'f>], editor: &mut Editor<'f>) -> Result<(), String> {
        let text = Some(self.text.as_str()).filter(|text| !text.is_empty());
        for target in targets {
            match self.trailing {
                true => editor.set_trailing_comment(member(target)?, text),
                false => editor.set_comment(member(target)?, text),
            };
        }
        Ok(())
    }
}
