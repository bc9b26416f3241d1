//! Hints after a failed first try: an expression where a path is expected, a file before its address, and the like.
//!
//! The words of a failed command are examined once more: the first argument may be an address, the last ones are
//! paths. For `hcl eval 1+1`, the path `1+1` does not exist and is an expression, so the hint is
//! `hcl eval --expr '1+1'`.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use hcl_lr::parse;
use hcl_lr::source::visible;
use hcl_lr::syntax::ast::ExpressionKind;
use hcl_lr::syntax::{ExpressionFile, File};
use hcl_lr_edit::address::Address;
use hcl_lr_language::schema::is_hcl_file;

/// The words of a command line, without options.
struct Words {
    command: String,
    /// The arguments before the paths.
    texts: Vec<String>,
    paths: Vec<String>,
}

/// The meaning of a text that is not a path.
enum Meaning {
    /// Attributes or blocks, such as `a = 1`.
    Items,
    /// A name with further ones, such as `var.region`.
    Reference,
    Expression,
    Template,
}

/// Commands whose first argument is an address.
const ADDRESSED: [&str; 7] = ["get", "query", "set", "rm", "mv", "append", "comment"];

/// Returns a hint for a command that failed or found nothing.
pub fn after(program: &Command, matches: &ArgMatches, found_nothing: bool) -> Option<String> {
    let (name, matches) = matches.subcommand()?;
    let command = program.find_subcommand(name)?;
    let mut words = Words { command: name.to_owned(), texts: Vec::new(), paths: Vec::new() };
    for positional in command.get_positionals() {
        let values = matches.get_raw(positional.get_id().as_str()).into_iter().flatten();
        // Names with control characters are not typing mistakes, and are not repeated.
        let values: Option<Vec<String>> = values.map(|value| Some(value.to_str()?.to_owned())).collect();
        let values = values.filter(|values| values.iter().all(|value| !value.contains(visible::is_control)))?;
        let is_path =
            |name: &str| ["PATH", "FILE", "OLD", "NEW"].iter().any(|placeholder| name.starts_with(placeholder));
        let names_path = positional.get_value_names().unwrap_or_default().iter().any(|name| is_path(name));
        if names_path { words.paths.extend(values) } else { words.texts.extend(values) }
    }
    // With these options, all arguments after the address are paths.
    let has = |option: &str| {
        let is_known = command.get_arguments().any(|argument| argument.get_id() == option && !argument.is_positional());
        is_known && matches.value_source(option) == Some(ValueSource::CommandLine)
    };
    if ["eval", "from", "into"].into_iter().any(has) && words.takes_address() {
        words.paths.splice(0..0, words.texts.drain(1.min(words.texts.len())..));
    }
    words.hint(found_nothing)
}

impl Words {
    fn hint(&self, found_nothing: bool) -> Option<String> {
        if let [address, rest @ ..] = &self.texts[..]
            && self.takes_address()
            && is_file(address)
        {
            return Some(self.file_first(address, rest));
        }
        if let ("query" | "get", [address]) = (&*self.command, &self.texts[..])
            && found_nothing
            && ["all", "attributes", "blocks", "everything", "items"].contains(&address.as_str())
        {
            return Some(format!(
                "`hcl {} '[*]'` finds all attributes and blocks of files, and `'**'` all parts of them",
                self.command
            ));
        }
        let missing = self.paths.iter().find(|path| *path != "-" && !Path::new(path).exists())?;
        self.missing_path(missing)
    }

    fn takes_address(&self) -> bool {
        ADDRESSED.contains(&&*self.command) || self.command == "refs"
    }

    /// A file is in the place of the address.
    fn file_first(&self, file: &str, rest: &[String]) -> String {
        let are_paths = rest.is_empty() && self.paths.iter().all(|path| path == "-" || Path::new(path).exists());
        let mut rest: Vec<String> = rest.iter().chain(&self.paths).map(|word| quoted(word)).collect();
        if let ("append", [item]) = (&*self.command, &rest[..]) {
            rest = vec![".".to_owned(), item.clone()];
        }
        match are_paths {
            true => format!(
                "`{file}` is a file; write an address before it: `hcl {} ADDRESS {}`",
                self.command,
                [vec![quoted(file)], rest].concat().join(" ")
            ),
            false => format!(
                "`{file}` is a file; write it at the end: `hcl {} {} {}`",
                self.command,
                rest.join(" "),
                quoted(file)
            ),
        }
    }

    /// Returns a hint for a path that does not exist and may have been meant as something else.
    fn missing_path(&self, path: &str) -> Option<String> {
        let command = &*self.command;
        let others: String =
            self.paths.iter().filter(|other| *other != path).map(|other| format!("{} ", quoted(other))).collect();
        let text = quoted(path);
        let has_file = || self.paths.iter().any(|other| other != path && is_file(other));
        if command == "diff" && (path.starts_with("HEAD") || may_be_revision(path) && has_file()) {
            return Some(format!("to compare with a revision, write `git show {path}:FILE | hcl diff - FILE`"));
        }
        let meaning = meaning_of(path);
        if self.takes_address() {
            return match (command, meaning) {
                ("set" | "comment", None) if !path.contains(['/', '.']) => {
                    Some("the last arguments are files and folders; put a value with spaces in quotes".to_owned())
                }
                (_, Some(Meaning::Reference)) => {
                    Some("only the first argument is an address; the last ones are files and folders".to_owned())
                }
                ("query", Some(Meaning::Expression)) => Some(format!("write a condition as `--where {text}`")),
                (_, Some(_)) => Some("the last arguments are files and folders".to_owned()),
                _ => None,
            };
        }
        Some(match (command, meaning?) {
            ("eval", Meaning::Reference | Meaning::Expression) => {
                format!("to evaluate an expression, write `hcl eval {others}--expr {text}`")
            }
            ("console", Meaning::Reference | Meaning::Expression) => {
                format!("write expressions at the prompt, or `hcl eval {others}--expr {text}`")
            }
            ("ast" | "tokens", Meaning::Reference | Meaning::Expression) => {
                format!("to read an expression, write `echo {text} | hcl {command} --expression -`")
            }
            ("ast" | "tokens", Meaning::Template) => {
                format!("to read a template, write `echo {text} | hcl {command} --template -`")
            }
            ("template", _) => format!("to render a text, write `echo {text} | hcl template -`"),
            ("graph", Meaning::Reference) => {
                format!("`{}` shows where a name is used", format!("hcl refs {text} {others}").trim_end())
            }
            ("check" | "fmt" | "convert" | "ast" | "tokens" | "eval" | "graph", Meaning::Items) => {
                format!("to read a text instead of a file, write `echo {text} | hcl {command} -`")
            }
            _ => return None,
        })
    }
}

/// Returns true if a path that does not exist may be a branch, tag or commit: it has no extension, unlike `v1.2`.
fn may_be_revision(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !path.starts_with('.') && extension.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a hint for an argument that cannot be read as an address or an expression, with the arguments after it.
pub fn malformed(command: &str, argument: &str, text: &str, rest: &[String]) -> Option<String> {
    if argument != "ADDRESS" && argument != "FROM" {
        return None;
    }
    if is_file(text) {
        let words = Words { command: command.to_owned(), texts: Vec::new(), paths: rest.to_vec() };
        return Some(words.file_first(text, &[]));
    }
    let quoted_text = quoted(text);
    if let Some((address, value)) = text.split_once('=').filter(|(_, value)| !value.starts_with('='))
        && let (address, value) = (address.trim(), value.trim())
        && Address::parse(address).is_ok()
        && !address.is_empty()
    {
        return match command {
            "set" => Some(format!(
                "the address and the value are two arguments: `hcl set {} {}`",
                quoted(address),
                quoted(value)
            )),
            "append" => Some(format!(
                "the address of the container comes first, `.` for the file: `hcl append . {quoted_text}`"
            )),
            "get" | "query" => Some(format!(
                "to compare, write `hcl query {} --where {}`",
                quoted(address),
                quoted(&format!("self == {value}"))
            )),
            _ => None,
        };
    }
    match (command, meaning_of(text)?) {
        ("query", Meaning::Expression) => {
            Some(format!("a condition comes after an address: `hcl query '**' --where {quoted_text}`"))
        }
        ("get", Meaning::Expression) => {
            Some(format!("to evaluate an expression, write `hcl eval . --expr {quoted_text}`"))
        }
        ("append", Meaning::Items) => {
            Some(format!("the address of the container comes first, `.` for the file: `hcl append . {quoted_text}`"))
        }
        _ => None,
    }
}

/// Returns true if a text is the path of a file, rather than a name that happens to be one.
fn is_file(text: &str) -> bool {
    let path = Path::new(text);
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    (text.contains('/') || is_hcl_file(&name) || name.ends_with(".json")) && path.is_file()
}

/// Returns the meaning of a text that may have been meant as something other than a path.
fn meaning_of(text: &str) -> Option<Meaning> {
    let name = Path::new(text).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/\\~".contains(&byte));
    if is_plain && (text.contains('/') || is_hcl_file(&name) || name.ends_with(".json")) {
        return None;
    }
    let (expression, diagnostics) = parse::<ExpressionFile>(text).map(File::from).into_parts();
    if !diagnostics.has_errors() {
        return match expression.expression().kind() {
            ExpressionKind::Traversal(name) if name.steps().len() == 0 => None,
            ExpressionKind::Traversal(_) | ExpressionKind::Splat(_) => Some(Meaning::Reference),
            _ => Some(Meaning::Expression),
        };
    }
    let (file, diagnostics) = parse::<File>(format!("{text}\n")).into_parts();
    if !diagnostics.has_errors() && file.body().items().len() > 0 {
        return Some(Meaning::Items);
    }
    (text.contains("${") || text.contains("%{")).then_some(Meaning::Template)
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/=+:,@%".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
