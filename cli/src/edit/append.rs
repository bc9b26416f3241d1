//! `hcl append`: more.

use super::{Beside, Edits, Files, address, container};
use hcl_lr::address::{Address, Target};
use hcl_lr::edit::{Editor, InsertionPoint, NewItem};
use hcl_lr::syntax::File;

const EXAMPLES: &str = "\
Examples:
  hcl append service.web 'port = 8080' main.hcl
  hcl append . 'variable \"region\" {}' variables.tf     at the end of the file
  hcl append service.web.tags 'Team = \"a\"' main.hcl    an entry of an object
  hcl append zones '\"c\"' main.hcl                      an element of a list
  hcl append --start zones '\"a\"' main.hcl
  hcl append --after service.web.port service.web 'host = \"a\"' main.hcl";

/// Add attributes, blocks, entries of objects or elements of lists
///
/// What is added gets the layout of what is around it: indentation, alignment, commas.
#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Append {
    /// What to add to: a block, an object, a list, or `.` for the file
    #[arg(value_parser = address)]
    address: Address,

    /// What to add, in HCL
    #[arg(allow_negative_numbers = true)]
    text: String,

    /// Add at the start, not at the end
    #[arg(long, conflicts_with_all = ["before", "after"])]
    start: bool,

    #[command(flatten)]
    beside: Beside,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", super::STATUS)
}

impl Append {
    pub fn run(&self) -> Result<super::Status, String> {
        super::run(&self.files, self)
    }
}

impl Edits for Append {
    fn find<'f>(&self, file: &'f File) -> Vec<Target<'f>> {
        self.address.resolve(file.body())
    }

    fn edit<'f>(&self, file: &'f File, targets: &[Target<'f>], editor: &mut Editor<'f>) -> Result<(), String> {
        let beside = self.beside.position(file)?;
        for target in targets {
            let place = container(target)?;
            let end = if self.start { InsertionPoint::Start(place) } else { InsertionPoint::End(place) };
            let items = NewItem::parse_for(place, &self.text);
            for item in items.map_err(|error| format!("{}: {error}", super::place(target)))? {
                editor.insert(beside.unwrap_or(end), item);
            }
        }
        Ok(())
    }
}
