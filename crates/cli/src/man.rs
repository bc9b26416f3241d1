//! `hcl man`: prints manual pages.

use clap::Command;
use clap_mangen::Man;

use super::context::Context;
use super::error::Error;
use super::status::Status;
use super::terminal;

const EXAMPLES: &str = "\
Examples:
  hcl man fmt | man -l -                       read the page of `hcl fmt`
  hcl man > ~/.local/share/man/man1/hcl.1      install the page of hcl
  for c in fmt check eval; do
    hcl man $c > ~/.local/share/man/man1/hcl-$c.1
  done";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command to describe [default: hcl itself]
    command: Option<String>,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        let command = page_of(self.command.as_deref(), context.program().clone())?;
        let name = title(&command);
        let mut page = Vec::new();
        let rendered = Man::new(command).title(name).render(&mut page);
        rendered.map_err(|error| Error::io("cannot make the page", error))?;
        Ok(terminal::stdout(&page, Status::Fine))
    }
}

/// The command that a page is about.
fn page_of(name: Option<&str>, mut program: Command) -> Result<Command, Error> {
    program.build();
    let Some(name) = name else {
        return Ok(program);
    };
    let found = program.get_subcommands().find(|command| command.get_name() == name).cloned();
    let command = found.ok_or_else(|| format!("`{name}` is not a command of hcl, `hcl --help` lists them"))?;
    Ok(command.disable_help_subcommand(true))
}

/// The name of a page.
fn title(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn each_command_has_a_page() {
        for known in Cli::command().get_subcommands() {
            let found = page_of(Some(known.get_name()), Cli::command()).expect("a command");
            assert_eq!(title(&found), format!("hcl-{}", known.get_name()));
        }
        assert!(page_of(Some("unknown"), Cli::command()).is_err());
    }
}
