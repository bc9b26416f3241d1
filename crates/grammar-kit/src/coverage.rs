//! Counts of the alternatives of the grammars that files use. The parsers count them, each by its place in its grammar.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::counting::Coverage;
use crate::ebnf;
use hcl_lr_grammar_check::{Grammar, Symbol};

/// The number of uses of an alternative of a grammar.
pub struct Used {
    /// The name of the grammar, such as `expression`.
    pub grammar: &'static str,
    /// The rule of the grammar.
    pub rule: String,
    /// Its symbols, as in the grammar.
    pub alternative: String,
    /// The line of the grammar.
    pub line: usize,
    /// The number of times that the parsers found it.
    pub count: u64,
    /// True if only invalid input uses it.
    pub bad: bool,
}

/// Converts the counts of the parsers to those of the alternatives in the grammars. The copies of a rule with a
/// parameter count together.
pub fn used(grammars: &[Grammar], coverage: &Coverage) -> Vec<Used> {
    let mut counts: HashMap<&str, Vec<u64>> = HashMap::new();
    for (grammar, _, count) in coverage.counts() {
        counts.entry(grammar).or_default().push(count);
    }
    let mut all = Vec::new();
    for grammar in grammars {
        let count_of = |number| counts.get(grammar.name).and_then(|counts| counts.get(number)).copied().unwrap_or(0);
        let mut of_grammar: Vec<Used> = Vec::new();
        for rule in &grammar.rules {
            for alternative in &rule.alternatives {
                let Some(count) = alternative.number.map(count_of) else { continue };
                let name = rule.name.split('<').next().unwrap_or_default();
                let symbol = |symbol: &Symbol| match (symbol, &rule.argument) {
                    (Symbol::Rule(rule), Some(argument)) if rule == argument => "…".to_owned(),
                    (symbol, _) => symbol.shown(),
                };
                let symbols: Vec<String> = alternative.symbols.iter().map(symbol).collect();
                let symbols = symbols.join(" ");
                // The instances of a rule with a parameter are counted together.
                let same = |used: &Used| rule.argument.is_some() && used.rule == name && used.alternative == symbols;
                if of_grammar.iter().any(same) {
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
    // An alternative for broken files is listed only if it is used.
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
    use super::*;
    use crate::Syntax;
    use crate::grammars;

    /// The alternatives that the parsers count are those that are read of the grammars.
    #[test]
    fn the_alternatives_are_those_of_the_parsers() {
        let grammars = grammars().expect("the grammars");
        let counted: Vec<_> = Coverage::new().counts().collect();
        assert!(counted.len() > 100);
        for grammar in &grammars {
            let theirs = counted.iter().filter(|counted| counted.0 == grammar.name).map(|counted| counted.1);
            let theirs: Vec<&str> = theirs.map(|text| text.split_once(" =").map_or(text, |(rule, _)| rule)).collect();
            for rule in &grammar.rules {
                for number in rule.alternatives.iter().filter_map(|alternative| alternative.number) {
                    assert_eq!(Some(theirs[number]), rule.name.split('<').next(), "alternative {number}");
                }
            }
            let last = grammar.rules.iter().flat_map(|rule| &rule.alternatives).filter_map(|found| found.number).max();
            assert_eq!(last, theirs.len().checked_sub(1));
        }
    }

    #[test]
    fn counts_stand_where_the_grammars_have_the_alternative() {
        let grammars = grammars().expect("the grammars");
        let mut counted = Coverage::new();
        let file =
            hcl_lr::parse::<hcl_lr::File>("a = [1, b ? c.d[0] : -2]\nb \"x\" {\n}\n").into_result().expect("no errors");
        counted.add(&file, Syntax::Config);
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
