//! `hcl completions`: prints completion scripts for shells.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Status, terminal};

const EXAMPLES: &str = "\
Examples, one for each shell:
  bash        hcl completions bash \\
                > ~/.local/share/bash-completion/completions/hcl
  zsh         hcl completions zsh > ~/.zfunc/_hcl
              (with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc)
  fish        hcl completions fish > ~/.config/fish/completions/hcl.fish
  PowerShell  hcl completions powershell >> $PROFILE
  elvish      hcl completions elvish >> ~/.config/elvish/rc.elv";

/// Print a script that makes a shell complete the commands and options of hcl
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> Status {
    // Into memory first: clap_complete panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hcl", &mut script);
    terminal::stdout(&script, Status::Fine)
}
