//! Compiles a copy of each grammar whose actions only count, and lists the counted alternatives.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Terminals that are not tokens: those that begin a region or stand for several tokens. All others are named after a
/// kind of token.
const NO_TOKENS: [&str; 7] =
    ["Separator", "Traversal", "BlockBody", "BadExpression", "BadElement", "BadItem", "BadEnd"];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // The published package has the grammars in its own folder.
    let own_folder = Path::new("grammar");
    let grammars = if own_folder.is_dir() { own_folder } else { Path::new("../../grammar") };
    println!("cargo::rerun-if-changed={}", grammars.display());
    if !hcl_lr_grammar_check::explained(grammars)?.is_empty() {
        // The build script of the library explains them.
        println!("cargo::error=the grammars have conflicts");
        return Ok(());
    }
    let copies = out.join("grammars");
    fs::create_dir_all(&copies)?;
    let (mut alternatives, mut terminals) = (Vec::new(), BTreeSet::new());
    let mut names: Vec<(&str, String, String)> = Vec::new();
    for name in hcl_lr_grammar_check::FILES {
        let path = grammars.join(format!("{name}.lalrpop"));
        let grammar = fs::read_to_string(path)?;
        let kinds = grammar.split("TerminalKind::").skip(1);
        terminals.extend(kinds.map(|rest| rest[..word(rest)].to_owned()));
        for (terminal, rest) in grammar.lines().filter_map(|line| line.split_once(" => Terminal(TerminalKind::")) {
            names.push((name, rest[..word(rest)].to_owned(), terminal.trim().trim_matches('"').to_owned()));
        }
        fs::write(out.join(format!("{name}.lalrpop")), &grammar)?;
        fs::write(copies.join(format!("{name}.lalrpop")), grammar_that_counts(name, &grammar, &mut alternatives))?;
    }
    lalrpop::Configuration::new().set_in_dir(copies).set_out_dir(&out).emit_whitespace(false).process()?;
    fs::write(out.join("alternatives.rs"), format!("&{alternatives:?}"))?;
    fs::write(out.join("terminal_names.rs"), format!("&{names:?}"))?;
    fs::write(out.join("terminals.rs"), terminal_kinds(&terminals))?;
    Ok(())
}

/// The enum of the terminals of all grammars.
fn terminal_kinds(terminals: &BTreeSet<String>) -> String {
    let names: Vec<&str> = terminals.iter().map(String::as_str).collect();
    let tokens = names.iter().filter(|name| !NO_TOKENS.contains(name));
    let arms: String = tokens.map(|name| format!("TokenKind::{name} => TerminalKind::{name},")).collect();
    format!(
        "/// The terminals of all grammars.\n\
         #[derive(Clone, Copy, Debug, PartialEq, Eq)]\n\
         pub enum TerminalKind {{ {}, Unexpected }}\n\
         impl TerminalKind {{ pub fn of(kind: TokenKind) -> Self {{ match kind {{ {arms} _ => TerminalKind::Unexpected }} }} }}",
        names.join(", ")
    )
}

/// The length of the word that a text begins with.
fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// Returns the grammar with actions that return the number of the reduced alternative. The text is scanned only for
/// the starts and ends of rules and alternatives.
fn grammar_that_counts(name: &str, grammar: &str, alternatives: &mut Vec<(String, String)>) -> String {
    let mut counting = "use crate::counting::{Builder, Symbol, Terminal, TerminalKind};\n".to_owned();
    let mut at = 0;
    while at < grammar.len() {
        let start = next(grammar, at);
        let word = &grammar[start..start + word(&grammar[start..])];
        let end = match word {
            // The types that the actions are about are those of this package.
            "use" => {
                at = find(grammar, start, &[";"], false) + 1;
                continue;
            }
            "grammar" => find(grammar, start, &[";"], false) + 1,
            "extern" | "match" => after(grammar, find(grammar, start, &["{"], false), false),
            "" => after(grammar, start, false),
            _ => {
                let head = find(grammar, start, &["="], true) + 1;
                let open = next(grammar, head);
                let braces = grammar[open..].starts_with('{');
                let (mut from, last) = if braces { (open + 1, "}") } else { (head, ";") };
                counting += &grammar[at..from];
                let rule = grammar[start..head].trim_start_matches("pub ");
                let rule = rule.split([':', '<', '=']).next().unwrap_or_default().trim();
                loop {
                    let symbols_end = find(grammar, from, &["=>", ",", last], true);
                    let end = find(grammar, symbols_end, &[",", last], false);
                    counting += &alternative(name, rule, &grammar[from..end], alternatives);
                    from = end + 1;
                    counting += grammar.get(end..from).unwrap_or_default();
                    if !grammar[end..].starts_with(',') {
                        break;
                    }
                }
                at = from;
                continue;
            }
        };
        counting += &grammar[at..end.min(grammar.len())];
        at = end;
    }
    counting
}

fn alternative(name: &str, rule: &str, text: &str, alternatives: &mut Vec<(String, String)>) -> String {
    let arrow = find(text, 0, &["=>"], true);
    if next(text, 0) == text.len() {
        // After the last comma.
        return text.to_owned();
    }
    let mut symbols = text[next(text, 0)..arrow].split_whitespace().collect::<Vec<_>>().join(" ");
    symbols.insert_str(0, &format!("{rule} = "));
    let count = format!("builder.reduced({})", alternatives.len());
    alternatives.push((name.to_owned(), symbols.trim().to_owned()));
    // An action that may fail has a question mark.
    match text.get(arrow + 2..).unwrap_or_default().starts_with('?') {
        true => format!("{}=>? Ok({count})", &text[..arrow]),
        // On its own line, because a comment may precede it.
        false => format!("{}\n=> {count}", &text[..arrow]),
    }
}

/// Returns the first place from `at` on, outside of brackets, comments and strings, where one of these texts begins;
/// otherwise the end. Among symbols, `<` and `>` also count as brackets.
fn find(text: &str, mut at: usize, texts: &[&str], symbols: bool) -> usize {
    loop {
        at = next(text, at);
        if at == text.len() || texts.iter().any(|found| text[at..].starts_with(found)) {
            return at;
        }
        at = after(text, at, symbols);
    }
}

/// The next place that is not white space or a comment.
fn next(text: &str, mut at: usize) -> usize {
    loop {
        at = text.len() - text[at..].trim_start().len();
        if !text[at..].starts_with("//") {
            return at;
        }
        at += text[at..].find('\n').unwrap_or(text[at..].len());
    }
}

/// The place after a string, brackets, or a single character.
fn after(text: &str, at: usize, symbols: bool) -> usize {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return at };
    let closer = match first {
        '"' => {
            let mut escaped = false;
            let end = rest[1..].find(|c: char| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            return end.map_or(text.len(), |length| at + length + 2);
        }
        '(' => ")",
        '[' => "]",
        '{' => "}",
        '<' if symbols => ">",
        _ => return at + first.len_utf8(),
    };
    (find(text, at + 1, &[closer], symbols) + 1).min(text.len())
}
