//! The commands of the console, which begin with a colon.

use crate::error::Error;
use hcl_lr::syntax::similar_name;

/// A command of the console, which begins with a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Type,
    Tokens,
    Ast,
    Vars,
    Functions,
    Help,
    Quit,
}

/// The commands, each with its name, whether it takes an expression, and its description.
const ALL: [(Command, &str, bool, &str); 7] = [
    (Command::Type, "type", true, "the type of an expression's value"),
    (Command::Tokens, "tokens", true, "the tokens of an expression, or of an attribute or block"),
    (Command::Ast, "ast", true, "the tree of an expression, or of an attribute or block"),
    (Command::Vars, "vars", false, "the variables and their values"),
    (Command::Functions, "functions", false, "the functions and their parameters"),
    (Command::Help, "help", false, "this help, or with a name what a function does"),
    (Command::Quit, "quit", false, "end; Ctrl-D does it, too"),
];

const INPUTS: &str = "\
An input is one of
  1 + 2                an expression: its value is shown
  name = expression    a variable for the inputs that follow, or a block as in a file
  :command             one of these; the first letters will do
";

const KEYS: &str = "\
An input with an open bracket, heredoc or comment goes on in the next line. An empty line (where it
is not text of a heredoc or comment) or Ctrl-C abandons it. Tab completes, the arrow keys bring back
what was typed before, Ctrl-R searches in it, Ctrl-D ends.
";

impl Command {
    /// Returns the command that an input names, and the text after it.
    ///
    /// # Errors
    /// A message, if there is no such command.
    pub fn of(input: &[u8]) -> Result<(Command, &[u8]), Error> {
        let (word, rest) = split(input);
        let text = String::from_utf8_lossy(word);
        let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
        let found: Vec<_> = ALL.iter().filter(|(_, name, ..)| !word.is_empty() && name.starts_with(&*text)).collect();
        let &(command, name, takes_argument, _) = match *found {
            [only] => only,
            [] => return Err(format!("there is no command `:{shown}`; {}", tip(&text)).into()),
            _ => {
                let names: Vec<String> = found.iter().map(|(_, name, ..)| format!("`:{name}`")).collect();
                return Err(format!("`:{shown}` can be {}", names.join(" or ")).into());
            }
        };
        match (takes_argument, rest.is_empty()) {
            (true, true) => Err(format!("`:{name}` needs an expression, as in `:{name} [1, 2]`").into()),
            (false, false) if command != Command::Help => Err(format!("`:{name}` takes no argument").into()),
            _ => Ok((command, rest)),
        }
    }

    /// The text after a command that is about an expression.
    pub fn argument(input: &[u8]) -> Option<&[u8]> {
        let (command, argument) = Command::of(input).ok()?;
        matches!(command, Command::Type | Command::Tokens | Command::Ast).then_some(argument)
    }

    /// The names, with the colon.
    pub fn names() -> impl Iterator<Item = String> {
        ALL.iter().map(|(_, name, argument, _)| format!(":{name}{}", if *argument { " " } else { "" }))
    }

    /// Returns the text of `:help`.
    pub fn help() -> String {
        let line = |(_, name, argument, about): &(Command, &str, bool, &str)| {
            let usage = format!(":{name}{}", if *argument { " EXPRESSION" } else { "" });
            format!("  {usage:21}{about}\n")
        };
        format!("{INPUTS}\n{}\n{KEYS}", ALL.iter().map(line).collect::<String>())
    }
}

/// Returns the word after the colon, and the rest.
fn split(input: &[u8]) -> (&[u8], &[u8]) {
    let input = input.trim_ascii();
    let input = input.strip_prefix(b":").unwrap_or(input);
    let end = input.iter().position(u8::is_ascii_whitespace).unwrap_or(input.len());
    (&input[..end], input[end..].trim_ascii_start())
}

fn tip(name: &str) -> String {
    let other = match name {
        "exit" | "bye" | "q!" => Some("quit"),
        "?" => Some("help"),
        "variables" | "env" | "ls" => Some("vars"),
        "tree" => Some("ast"),
        _ => similar_name(name, ALL.iter().map(|(_, name, ..)| *name)),
    };
    match other {
        Some(other) => format!("did you mean `:{other}`?"),
        None => "`:help` lists the commands".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(input: &[u8]) -> Result<(Command, &[u8]), String> {
        Command::of(input).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_letters_will_do() {
        assert_eq!(command(b":q"), Ok((Command::Quit, &b""[..])));
        assert_eq!(command(b"  :ty  a.b "), Ok((Command::Type, &b"a.b"[..])));
        assert_eq!(command(b":t a"), Err("`:t` can be `:type` or `:tokens`".to_owned()));
        assert_eq!(Command::argument(b":type [1,\n2]"), Some(&b"[1,\n2]"[..]));
        assert_eq!(Command::argument(b":vars"), None);
    }

    #[test]
    fn unknown_commands_get_a_tip() {
        assert_eq!(command(b":tpye 1"), Err("there is no command `:tpye`; did you mean `:type`?".to_owned()));
        assert_eq!(command(b":"), Err("there is no command `:`; `:help` lists the commands".to_owned()));
        assert!(command(b":\x1b\xff").is_err_and(|message| !message.contains('\u{1b}')));
    }
}
