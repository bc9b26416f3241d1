//! Which alternatives of the grammars files use. The parsers count what they find; LALRPOP puts some rules in
//! others, and here their counts are put back where they stand in the grammars.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::ebnf;
use super::read::{Grammar, Rule, Symbol};

/// An alternative as LALRPOP has it: without the rules that it puts in others.
struct Expanded {
    /// As LALRPOP writes it.
    text: String,
    /// The alternatives of the grammar that are in it: the rule and the alternative.
    from: Vec<(usize, usize)>,
}

/// All alternatives of a grammar as LALRPOP has them.
fn expanded(grammar: &Grammar) -> Vec<Expanded> {
    let mut all = Vec::new();
    for (index, rule) in grammar.rules.iter().enumerate().filter(|(_, rule)| !rule.inline) {
        for (number, alternative) in rule.alternatives.iter().enumerate() {
            // The symbols that are still to be looked at, those before them, and where they are from.
            let mut waiting = vec![(Vec::new(), alternative.symbols.clone(), vec![(index, number)])];
            while let Some((mut done, rest, from)) = waiting.pop() {
                let inline = rest.iter().position(|symbol| inlined(grammar, symbol).is_some());
                let Some(at) = inline else {
                    done.extend(rest.iter().map(shown));
                    all.push(Expanded { text: format!("{} = {}", rule.name, done.join(", ")), from });
                    continue;
                };
                done.extend(rest[..at].iter().map(shown));
                let Some((inner, inner_rule)) = inlined(grammar, &rest[at]) else { continue };
                for (number, alternative) in inner_rule.alternatives.iter().enumerate() {
                    let mut symbols = alternative.symbols.clone();
                    symbols.extend_from_slice(&rest[at + 1..]);
                    let mut from = from.clone();
                    from.push((inner, number));
                    waiting.push((done.clone(), symbols, from));
                }
            }
        }
    }
    all
}

fn inlined<'g>(grammar: &'g Grammar, symbol: &Symbol) -> Option<(usize, &'g Rule)> {
    let Symbol::Rule(name) = symbol else { return None };
    grammar.rules.iter().enumerate().find(|(_, rule)| rule.inline && rule.name == *name)
}

fn shown(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Terminal(terminal) => format!("\"{terminal}\""),
        Symbol::Rule(rule) => rule.clone(),
    }
}

/// How often an alternative of a grammar was used.
pub struct Used {
    pub grammar: &'static str,
    pub rule: String,
    /// Its symbols, as they stand in the grammar.
    pub alternative: String,
    pub line: usize,
    pub count: u64,
    /// Whether only what is not right has it.
    pub bad: bool,
}

/// From what the parsers have counted to the alternatives of the grammars. Those of a rule with a parameter count
/// together.
pub fn used(grammars: &[Grammar], reductions: &[(&str, &str, u64)]) -> Vec<Used> {
    let counts: HashMap<(&str, &str), u64> =
        reductions.iter().map(|&(grammar, alternative, count)| ((grammar, alternative), count)).collect();
    let mut all = Vec::new();
    for grammar in grammars {
        let mut sums: HashMap<(usize, usize), u64> = HashMap::new();
        for Expanded { text, from } in expanded(grammar) {
            let count = counts.get(&(grammar.name, text.as_str())).copied().unwrap_or(0);
            for alternative in from {
                *sums.entry(alternative).or_default() += count;
            }
        }
        let mut of_grammar: Vec<Used> = Vec::new();
        for (index, rule) in grammar.rules.iter().enumerate() {
            for (number, alternative) in rule.alternatives.iter().enumerate() {
                let count = sums.get(&(index, number)).copied().unwrap_or(0);
                let name = rule.name.split('<').next().unwrap_or_default();
                let symbol = |symbol: &Symbol| match (symbol, &rule.argument) {
                    (Symbol::Rule(rule), Some(argument)) if rule == argument => "…".to_owned(),
                    (symbol, _) => shown(symbol),
                };
                let symbols: Vec<String> = alternative.symbols.iter().map(symbol).collect();
                let symbols = symbols.join(" ");
                let known = of_grammar
                    .iter_mut()
                    .find(|used| rule.argument.is_some() && used.rule == name && used.alternative == symbols);
                if let Some(known) = known {
                    known.count += count;
                    continue;
                }
                let bad = alternative.symbols.iter().any(|symbol| match symbol {
                    Symbol::Terminal(terminal) => terminal.starts_with("bad ") && ebnf::is_artefact(terminal),
                    Symbol::Rule(_) => false,
                });
                let (rule, line) = (name.to_owned(), alternative.line);
                of_grammar.push(Used { grammar: grammar.name, rule, alternative: symbols, line, count, bad });
            }
        }
        all.extend(of_grammar);
    }
    all
}

/// A table: for each rule its alternatives with their counts.
pub fn table(all: &[Used]) -> String {
    let width = all.iter().map(|used| used.count.to_string().len()).max().unwrap_or(1);
    let mut text = String::new();
    let mut last = ("", "");
    // What only files with errors use is no news unless it is used.
    for used in all.iter().filter(|used| !used.bad || used.count > 0) {
        if last.0 != used.grammar {
            let _ = writeln!(text, "{}grammar/{}.lalrpop", if last.0.is_empty() { "" } else { "\n" }, used.grammar);
        }
        if last != (used.grammar, used.rule.as_str()) {
            let _ = writeln!(text, "  {}", used.rule);
            last = (used.grammar, used.rule.as_str());
        }
        let alternative = if used.alternative.is_empty() { "(nothing)" } else { &used.alternative };
        let count = if used.count == 0 { "-".to_owned() } else { used.count.to_string() };
        let _ = writeln!(text, "    {count:>width$}  {alternative}");
    }
    text
}

/// A line of JSON for each alternative.
pub fn lines(all: &[Used]) -> String {
    let line = |used: &Used| -> Value {
        json!({
            "grammar": used.grammar, "line": used.line, "rule": used.rule, "alternative": used.alternative,
            "count": used.count, "only_errors": used.bad,
        })
    };
    all.iter().map(|used| format!("{}\n", line(used))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::grammar::grammars;
    use crate::work::reductions;

    /// What is read of the grammars is what LALRPOP has read: the same alternatives after the same rules are put
    /// in others.
    #[test]
    fn the_alternatives_are_those_of_lalrpop() {
        let grammars = grammars().expect("the grammars");
        let counted = reductions(|| ());
        let theirs: BTreeSet<(&str, String)> =
            counted.iter().map(|(grammar, text, _)| (*grammar, (*text).to_owned())).collect();
        let ours: BTreeSet<(&str, String)> = grammars
            .iter()
            .flat_map(|grammar| expanded(grammar).into_iter().map(|expanded| (grammar.name, expanded.text)))
            .collect();
        assert!(theirs.len() > 100);
        assert_eq!(ours, theirs);
    }

    #[test]
    fn counts_stand_where_the_grammars_have_the_alternative() {
        let grammars = grammars().expect("the grammars");
        let counted = reductions(|| {
            let text = "a = [1, b ? c.d[0] : -2]\nb \"x\" {\n}\n";
            assert!(crate::parse(text).diagnostics().is_empty());
        });
        let used = used(&grammars, &counted);
        let count = |rule: &str, alternative: &str| {
            let found = used.iter().find(|used| used.rule == rule && used.alternative == alternative);
            found.unwrap_or_else(|| panic!("{rule} = {alternative}")).count
        };
        assert_eq!(count("Attribute", "\"identifier\" \"= expression\""), 1);
        assert_eq!(count("Labels", "Labels \"string\""), 1);
        assert_eq!(count("Conditional", "Chain \"?\" Expression \":\" Expression"), 1);
        assert_eq!(count("Simple", "\"literal\""), 3);
        assert_eq!(count("Access", "… \"[\" Expression \"]\""), 1);
        assert_eq!(count("Elements", "List"), 1);
        assert_eq!(count("Elements", "List \",\""), 0);
        assert_eq!(count("UnaryOperator", "\"-\""), 1);
        let table = table(&used);
        assert!(
            table.contains("\n  Labels\n    1  (nothing)\n    -  Labels \"identifier\"\n    1  Labels \"string\"\n"),
            "{table}"
        );
        assert!(!table.contains("bad "), "{table}");
    }
}
