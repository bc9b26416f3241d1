//! The page of all commands: their help texts, as clap prints them.

use std::fmt::Write as _;

use clap::Command;

/// Makes the page.
pub fn page() -> String {
    let mut text = "# All commands\n\nThe help of every command, as `hcl help COMMAND` prints it. `hcl man COMMAND` prints it as \
                    [a manual page](docs/shell.md).\n\n## Exit statuses\n\n| status | meaning |\n| ---: | --- |\n| 0 | success |\n\
                    | 1 | the HCL has errors, or the answer is no: not formatted, nothing found |\n\
                    | 2 | the command line is wrong, or a file cannot be read |\n"
        .to_owned();
    for program in hcl_lr_cli::command_lines() {
        let mut program = program.term_width(80);
        program.build();
        let name = program.get_name().to_owned();
        write_command(&mut text, &program, &name, 2);
    }
    text
}

/// Writes a command and those below it, with headings of a level.
fn write_command(text: &mut String, command: &Command, name: &str, level: usize) {
    let help = command.clone().render_long_help().to_string();
    let _ = write!(text, "\n{} `{name}`\n\n```text\n{}\n```\n", "#".repeat(level), help.trim_end());
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    for below in shown {
        write_command(text, below, &format!("{name} {}", below.get_name()), (level + 1).min(4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_heading() {
        let page = page();
        for heading in ["## `hcl`", "## `hcldec`", "### `hcl check`", "#### `hcl schema docs`"] {
            assert!(page.contains(&format!("\n{heading}\n")), "{heading}");
        }
        for command in hcl_lr_cli::command_lines()[0].get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(page.contains(&format!("\n### `hcl {}`\n", command.get_name())), "{}", command.get_name());
        }
    }
}
