//! The reports: one for each cause, however many states of the automaton have it.
//!
//! Conflicts whose readings differ in the same two alternatives are one. Of these pairs, those that go away together when
//! one alternative is left out have one cause, which most often is the new alternative.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::automaton::{Action, Automaton, Conflict};
use crate::help::Help;
use crate::productions::{Alternative, Productions, Symbol};
use crate::read::Grammar;
use crate::search::{Example, example};
use crate::tree::Written;

/// The most conflicts of two alternatives that are searched for one sentence with two readings.
const MAX_TRIES: usize = 4;
/// The most actions that are tried for all conflicts of a grammar; it takes a second.
const MAX_ACTIONS: usize = 120_000;
/// The most lines of a tree in a report.
const MAX_LINES: usize = 15;
/// The most characters in a line of a tree.
const MAX_WIDTH: usize = 56;
/// The most further pairs of alternatives in a report.
const MAX_OTHERS: usize = 3;

/// The alternatives of a conflict as the automaton has it.
type Key = [Alternative; 2];

/// The number of conflicts that go without an alternative, of those that it is in, and its line.
type Score = (usize, usize, usize);

/// A cause of conflicts.
#[derive(Clone, Debug)]
pub struct Cause {
    /// The report, of at most 40 lines.
    pub text: String,
    /// The rule and the terminals of it that have two readings; `None` if every sentence has one reading, and one token of
    /// look-ahead does not decide which.
    pub ambiguous: Option<(String, Vec<String>)>,
    /// The usual way out.
    pub help: Help,
    /// The lines of the alternatives.
    pub lines: Vec<usize>,
}

/// Two alternatives that exclude each other, with an example.
struct Pair {
    key: Key,
    alternatives: [Alternative; 2],
    example: Example,
    conflict: Conflict,
}

/// Returns the causes of all conflicts of a grammar, in the order of their lines.
///
/// # Errors
/// If the grammar has no start, or is too large.
pub fn check(grammar: &Grammar) -> Result<Vec<Cause>, String> {
    let productions = Productions::of(grammar)?;
    let automaton = Automaton::new(&productions);
    let mut pairs = pairs(&automaton);
    let mut causes = Vec::new();
    while !pairs.is_empty() {
        let mut candidates: Vec<Alternative> = pairs.iter().flat_map(|pair| pair.alternatives).collect();
        candidates.sort();
        candidates.dedup();
        let mut best: Option<(Score, Alternative, BTreeSet<Key>)> = None;
        for candidate in candidates {
            let left = if pairs.len() == 1 { BTreeSet::new() } else { keys_without(grammar, candidate)? };
            let own = pairs.iter().filter(|pair| !left.contains(&pair.key)).count();
            let named = pairs.iter().filter(|pair| pair.alternatives.contains(&candidate)).count();
            let score = (own, named, line(grammar, candidate));
            if best.as_ref().is_none_or(|(best, ..)| score > *best) {
                best = Some((score, candidate, left));
            }
        }
        let Some((_, common, left)) = best else { break };
        let is_own = |pair: &Pair| !left.contains(&pair.key) || pair.alternatives.contains(&common);
        let (mut own, others): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_own);
        own.sort_by_key(|pair| (!pair.alternatives.contains(&common), pair.example.size()));
        causes.push(cause(&automaton, &own, common));
        pairs = others;
    }
    causes.sort_by(|one, two| one.lines.cmp(&two.lines));
    Ok(causes)
}

/// Returns the conflicts that a grammar has without an alternative.
fn keys_without(grammar: &Grammar, left_out: Alternative) -> Result<BTreeSet<Key>, String> {
    let productions = Productions::without(grammar, Some(left_out))?;
    let automaton = Automaton::new(&productions);
    Ok(automaton.conflicts().iter().map(|conflict| key(&productions, conflict)).collect())
}

/// The alternatives between which the parser cannot decide.
fn key(productions: &Productions<'_>, conflict: &Conflict) -> Key {
    [conflict.reduce, conflict.production].map(|production| productions.all[production].shape.alternative)
}

/// Finds the pairs of alternatives with an example for each.
fn pairs(automaton: &Automaton<'_, '_>) -> Vec<Pair> {
    let productions = automaton.productions;
    let mut groups: BTreeMap<Key, Vec<Conflict>> = BTreeMap::new();
    for conflict in automaton.conflicts() {
        groups.entry(key(productions, &conflict)).or_default().push(conflict);
    }
    let mut pairs: Vec<Pair> = Vec::new();
    let mut room = MAX_ACTIONS;
    for (key, mut conflicts) in groups {
        let is_bad = |conflict: &Conflict| match automaton.states[conflict.state].symbol {
            Some(Symbol::Terminal(terminal)) if productions.is_bad(terminal) => true,
            _ => productions.is_bad(conflict.terminal),
        };
        conflicts.sort_by_key(is_bad);
        let [one, two] = key;
        let mut best: Option<(Example, Conflict)> = None;
        let mut tries = 0;
        for conflict in conflicts {
            let Some(found) = example(automaton, &conflict, &mut room) else { continue };
            tries += 1;
            if best.as_ref().is_none_or(|(best, _)| found.size() < best.size()) {
                best = Some((found, conflict));
            }
            if tries == MAX_TRIES {
                break;
            }
        }
        let Some((example, conflict)) = best else { continue };
        let alternatives = match &example {
            Example::Ambiguous(one, two) => {
                let (one, two) = Written::difference(one, two);
                let way = |tree: &Written| tree.repeated().or(tree.innermost()).unwrap_or_default();
                let (one, two) = (way(one), way(two));
                [one.min(two), one.max(two)]
            }
            Example::Undecided(..) => [one.min(two), one.max(two)],
        };
        match pairs.iter_mut().find(|pair| pair.alternatives == alternatives) {
            Some(pair) if example.size() < pair.example.size() => *pair = Pair { key, alternatives, example, conflict },
            Some(_) => {}
            None => pairs.push(Pair { key, alternatives, example, conflict }),
        }
    }
    pairs
}

impl Example {
    /// The order of examples: those with two readings first, then short ones.
    fn size(&self) -> (bool, usize) {
        match self {
            Example::Ambiguous(one, two) => (false, Written::difference(one, two).0.terminals.len()),
            Example::Undecided(one, two, _) => (true, one.terminals.len() + two.terminals.len()),
        }
    }
}

/// Makes the report of pairs with a common alternative, of which the first has the example.
fn cause(automaton: &Automaton<'_, '_>, pairs: &[Pair], common: Alternative) -> Cause {
    let productions = automaton.productions;
    let grammar = productions.grammar;
    let Pair { alternatives, example, conflict, .. } = &pairs[0];
    let terminal = terminal_name(grammar, conflict.terminal);
    let mut text;
    let (one, two, help, ambiguous);
    match example {
        Example::Ambiguous(first, second) => {
            (one, two) = Written::difference(first, second);
            help = Help::of_readings(productions, one, two);
            let rule = one.rule().map_or("", |rule| grammar.rules[rule].name.as_str());
            let names = one.terminals.iter().map(|&terminal| grammar.terminals[terminal].0.clone()).collect();
            text = format!("error: `{rule}` has two readings of {}\n", sentence(grammar, &one.terminals));
            ambiguous = Some((rule.to_owned(), names));
        }
        Example::Undecided(first, second, length) => {
            (one, two) = Written::parting(first, second, *length);
            help = Help::Undecided;
            let read = sentence(grammar, &first.terminals[..*length]);
            text = format!("error: after {read}, {terminal} does not decide between two rules\n");
            ambiguous = None;
        }
    }
    text.push('\n');
    text += &beside(&one.lines(productions), &two.lines(productions));
    text.push('\n');
    let mut lines: Vec<usize> = alternatives.iter().map(|&alternative| line(grammar, alternative)).collect();
    let mut written: Vec<String> = alternatives.iter().map(|&alternative| shown(grammar, alternative)).collect();
    written.dedup();
    lines.dedup();
    written.iter().for_each(|alternative| text += &format!("  {alternative}\n"));
    let of = |production: usize| match productions.all[production].rule {
        Some(rule) => format!("`{}`", grammar.rules[rule].name),
        None => "the input".to_owned(),
    };
    let choice = match conflict.other {
        Action::Shift(_) => format!("end {}, or read it as a part of {}", of(conflict.reduce), of(conflict.production)),
        Action::Reduce(_) => format!("end {}, or end {}", of(conflict.reduce), of(conflict.production)),
    };
    let _ = writeln!(text, "  before {terminal} the parser can {choice}");
    let others: Vec<&Pair> = pairs[1..].iter().collect();
    if !others.is_empty() {
        let _ = writeln!(text, "\n  without line {} these would be in no conflict either:", line(grammar, common));
        for pair in others.iter().take(MAX_OTHERS) {
            let [one, two] = pair.alternatives.map(|alternative| shown(grammar, alternative));
            let _ = writeln!(text, "    {}", if one == two { format!("{one}, with itself") } else { one });
            if pair.alternatives[0] != pair.alternatives[1] {
                let _ = writeln!(text, "      with {two}");
            }
        }
        if others.len() > MAX_OTHERS {
            let _ = writeln!(text, "    and {} more", others.len() - MAX_OTHERS);
        }
    }
    let _ = writeln!(text, "\nhelp: {}", help.lines().join("\n      "));
    let _ = writeln!(text, "      see \"{}\" in grammar/README.md", help.title());
    Cause { text, ambiguous, help, lines }
}

/// The name of a terminal, or of the end, in a message.
fn terminal_name(grammar: &Grammar, terminal: usize) -> String {
    grammar.terminals.get(terminal).map_or("the end".to_owned(), |(name, _)| format!("\"{name}\""))
}

/// The terminals of a sentence, with an example if they are tokens whose text is known.
fn sentence(grammar: &Grammar, terminals: &[usize]) -> String {
    if terminals.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<String> = terminals.iter().map(|&terminal| terminal_name(grammar, terminal)).collect();
    let names = names.join(" ");
    match sample(terminals.iter().map(|&terminal| grammar.terminals[terminal].0.as_str())) {
        Some(sample) => format!("{names}, such as `{sample}`"),
        None => names,
    }
}

/// Returns a source with these terminals; `None` for terminals whose text is not known.
pub fn sample<'n>(terminals: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut names = ('a'..='z').cycle();
    let mut text = String::new();
    for terminal in terminals {
        let own = match terminal {
            "identifier" => names.next()?.to_string(),
            "literal" => "1".to_owned(),
            "string" | "template" => "\"x\"".to_owned(),
            "operator" => "+".to_owned(),
            "traversal" => format!("{}.x", names.next()?),
            "= expression" => "= 1".to_owned(),
            "newline" => "⏎".to_owned(),
            "separator" => continue,
            ".name" => ".x".to_owned(),
            _ if terminal.starts_with("bad ") => return None,
            _ => terminal.to_owned(),
        };
        let is_glued = own.starts_with(['.', ',', ')', ']']) || text.ends_with(['(', '[']);
        if !text.is_empty() && !is_glued {
            text.push(' ');
        }
        text += &own;
    }
    (!text.is_empty()).then_some(text)
}

fn line(grammar: &Grammar, (rule, alternative): Alternative) -> usize {
    let rule = &grammar.rules[rule];
    rule.alternatives.get(alternative).map_or(rule.line, |alternative| alternative.line)
}

/// An alternative with its place.
fn shown(grammar: &Grammar, alternative: Alternative) -> String {
    let rule = &grammar.rules[alternative.0];
    let symbols = match rule.alternatives.get(alternative.1) {
        Some(alternative) if alternative.symbols.is_empty() => "(empty)".to_owned(),
        Some(alternative) => alternative.symbols.iter().map(|symbol| symbol.shown()).collect::<Vec<_>>().join(" "),
        None => "the end".to_owned(),
    };
    format!("grammar/{}.lalrpop:{}: {} = {symbols}", grammar.name, line(grammar, alternative), rule.name)
}

/// Two trees beside each other.
fn beside(one: &[String], two: &[String]) -> String {
    let cut = |lines: &[String]| {
        let mut lines: Vec<String> = lines.iter().map(|line| shortened(line)).collect();
        if lines.len() > MAX_LINES {
            lines.truncate(MAX_LINES - 1);
            lines.push("…".to_owned());
        }
        lines
    };
    let (one, two) = (cut(one), cut(two));
    let width = one.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for index in 0..one.len().max(two.len()) {
        let [left, right] = [&one, &two].map(|lines| lines.get(index).map_or("", String::as_str));
        let line = format!("  {left:width$}  │  {right}");
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
