//! `hcl comment`: sets and removes comments.

use super::changes::Texts;
use super::edits::{Edit, Edits};
use super::options::{Files, STATUS};
use super::run::run;
use super::targets::{Refusal, item, place};
use crate::args::{AddressArgument, address, paths_or_folder};
use crate::context::Context;
use crate::error::Error;
use crate::status::Status;
use hcl_lr_edit::comments_of;
use hcl_lr_edit::query::Subject;

const EXAMPLES: &str = "\
Examples:
  hcl comment service.web 'What customers see.' main.hcl
  hcl comment --trailing service.web.port 'as in the firewall' main.hcl
  hcl comment service.web '' main.hcl              remove it
  hcl comment --all 'variable[*]' 'TODO: describe it' --where '!has(description)' .";

#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Comment {
    /// The item that the comment is about
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    /// The text; each of its lines gets a `#`. An empty text removes the comment
    text: String,

    /// Put the comment after the item in its line, rather than above it
    #[arg(long)]
    trailing: bool,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", STATUS)
}

impl Comment {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        run(context, &self.files, &paths_or_folder(&self.files.paths)?, self)
    }
}

impl Edits for Comment {
    fn address(&self) -> &AddressArgument {
        &self.address
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        let text = Some(self.text.as_str()).filter(|text| !text.is_empty());
        for found in edit.found {
            let item = item(found.target())?;
            let Subject::Native(file) = edit.subject else {
                let place = place(found.target());
                return Err(
                    format!("{place}: JSON has no comments; `--exclude '*.json'` leaves these files alone").into()
                );
            };
            edit.changes.add(|| {
                let (above, after) = comments_of(file, item);
                let old: Vec<&str> =
                    if self.trailing { after } else { above }.iter().map(|comment| comment.content().trim()).collect();
                let before = (!old.is_empty()).then(|| old.join("\n"));
                Texts { before, after: text.map(str::to_owned) }
            });
            match self.trailing {
                true => edit.editor.set_trailing_comment(item, text),
                false => edit.editor.set_comment(item, text),
            };
        }
        Ok(())
    }
}
