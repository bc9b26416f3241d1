//! `hcl append`: adds attributes, blocks, entries of objects and elements of lists.

use std::path::PathBuf;

use super::beside::Beside;
use super::changes::Texts;
use super::edits::{Edit, Edits};
use super::json;
use super::options::{Files, STATUS, text_from};
use super::present;
use super::run::run;
use super::targets::{Refusal, container, place};
use crate::args::{AddressArgument, address};
use crate::context::Context;
use crate::error::Error;
use crate::input::{Origin, Syntax};
use crate::status::Status;
use crate::terminal;
use hcl_lr_edit::query::QueryMatch;
use hcl_lr_edit::{InsertionPoint, NewItem};

const EXAMPLES: &str = "\
Examples:
  hcl append service.web 'port = 8080' main.hcl
  hcl append . 'variable \"region\" {}' variables.tf   at the end of the file
  hcl append . --from common.hcl main.hcl            what is in a file
  hcl append service.web.tags 'Team = \"a\"' main.hcl  an entry of an object
  hcl append zones '\"c\"' main.hcl                    an element of a list
  hcl append --start zones '\"a\"' main.hcl
  hcl append --after service.web.port service.web 'host = \"a\"' main.hcl
  hcl append --all 'module[*]' 'enabled = true' --if-missing .";

#[derive(clap::Args)]
#[command(override_usage = "hcl append [OPTIONS] <ADDRESS> [TEXT] [PATH|-]...", after_help = help())]
pub struct Append {
    /// The container: a block, an object, a list, or `.` for the file
    #[arg(value_name = "ADDRESS", value_parser = address)]
    address: AddressArgument,

    /// The new items, in HCL
    #[arg(allow_negative_numbers = true)]
    text: Option<String>,

    /// Read the new items from a file, or from standard input for `-`
    ///
    /// A file named *.json is read as JSON.
    #[arg(long, value_name = "FILE|-")]
    from: Option<PathBuf>,

    /// Leave containers alone that have an attribute, an entry or a block of that
    /// name already, or an equal element
    #[arg(long)]
    if_missing: bool,

    /// Add at the start, not at the end
    #[arg(long, conflicts_with_all = ["before", "after"])]
    start: bool,

    #[command(flatten)]
    beside: Beside,

    #[command(flatten)]
    files: Files,
}

fn help() -> String {
    format!("{EXAMPLES}\n{}", STATUS)
}

impl Append {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let (text, paths) = self.files.text_and_paths(self.text.as_deref(), self.from.is_some())?;
        let text = match (text, &self.from) {
            (Some(text), _) => text,
            (None, Some(path)) if Origin::of_argument(path).syntax() == Syntax::Json => {
                match json::native_of(context, path, &paths)? {
                    Ok(text) => text,
                    Err(diagnostics) => {
                        terminal::show(diagnostics, self.files.color.on_stderr());
                        return Ok(Status::Failure);
                    }
                }
            }
            (None, Some(path)) => text_from(context, path, &paths)?,
            (None, None) => String::new(),
        };
        run(context, &self.files, &paths, &Adding { args: self, text })
    }
}

struct Adding<'a> {
    args: &'a Append,
    text: String,
}

impl Edits for Adding<'_> {
    fn address(&self) -> &AddressArgument {
        &self.args.address
    }

    fn leaves(&self, found: &QueryMatch<'_>) -> Option<String> {
        let is_there = self.args.if_missing && present::has_one_of(found.target(), &self.text);
        is_there.then(|| "it is there already".to_owned())
    }

    fn edit(&self, edit: &mut Edit<'_, '_>) -> Result<(), Refusal> {
        let beside = self.args.beside.position(edit.subject)?;
        for query_match in edit.found {
            let target = query_match.target();
            let container = container(target)?;
            if let Some(InsertionPoint::Before(item) | InsertionPoint::After(item)) = beside
                && !container.contains(item)
            {
                return Err(self.args.beside.elsewhere(target));
            }
            let end = if self.args.start { InsertionPoint::Start(container) } else { InsertionPoint::End(container) };
            edit.changes.add(|| Texts::added(self.text.trim_end()));
            let items = NewItem::parse_for(container, &self.text);
            for item in items.map_err(|error| format!("{}: {error}", place(target)))? {
                edit.editor.insert(beside.unwrap_or(end), item);
            }
            edit.check(target)?;
        }
        Ok(())
    }
}
