//! `hcl completions`: prints completion scripts for shells.

use clap_complete::Shell;

use super::context::Context;
use super::error::Error;
use super::status::Status;
use super::terminal;

const EXAMPLES: &str = "\
Examples, one for each shell:
  bash        hcl completions bash \\
                > ~/.local/share/bash-completion/completions/hcl
  zsh         hcl completions zsh > ~/.zfunc/_hcl
              (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)
  fish        hcl completions fish > ~/.config/fish/completions/hcl.fish
  PowerShell  hcl completions powershell >> $PROFILE
  elvish      hcl completions elvish >> ~/.config/elvish/rc.elv";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<Status, Error> {
        // Into memory first: clap_complete panics where it cannot write.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut context.program().clone(), "hcl", &mut script);
        Ok(terminal::stdout(&script, Status::Fine))
    }
}
