//! Counts the readings of a sentence by the rules of a grammar as written. Neither an automaton nor inlining takes part, so
//! that the results of these can be checked.

use std::collections::{HashMap, HashSet};

use crate::read::{Grammar, Symbol};

/// A rule, and the part of the sentence that it makes.
type Part<'g> = (&'g str, usize, usize);

struct Sentence<'g> {
    grammar: &'g Grammar,
    terminals: &'g [&'g str],
    /// The parts that have a reading.
    possible: HashSet<Part<'g>>,
    counts: HashMap<Part<'g>, usize>,
}

/// Returns the number of readings of terminals as a rule; more than `most` count as `most`. The work grows with the cube
/// of the length, so this is for short sentences.
///
/// ```
/// use hcl_lr_grammar_check::{Grammar, readings};
///
/// let head = "extern { enum Terminal { \"a\" => A, \"+\" => Plus, } }";
/// let grammar = Grammar::read("expression", &format!("{head} pub Sum: () = {{ \"a\", Sum \"+\" Sum }};"))?;
/// assert_eq!(readings(&grammar, "Sum", &["a", "+", "a"], 9), 1);
/// assert_eq!(readings(&grammar, "Sum", &["a", "+", "a", "+", "a"], 9), 2);
/// assert_eq!(readings(&grammar, "Sum", &["a", "+"], 9), 0);
/// # Ok::<(), String>(())
/// ```
pub fn readings(grammar: &Grammar, rule: &str, terminals: &[&str], most: usize) -> usize {
    let mut sentence = Sentence { grammar, terminals, possible: HashSet::new(), counts: HashMap::new() };
    sentence.find_possible();
    match grammar.rule(rule) {
        Some(rule) => sentence.count(&rule.name, 0, terminals.len(), most),
        None => 0,
    }
}

impl<'g> Sentence<'g> {
    /// Finds the parts that have a reading, until there are no more.
    fn find_possible(&mut self) {
        loop {
            let before = self.possible.len();
            for rule in &self.grammar.rules {
                for alternative in &rule.alternatives {
                    for start in 0..=self.terminals.len() {
                        let mut ends = HashSet::from([start]);
                        for symbol in &alternative.symbols {
                            let is_next = |next: usize| ends.iter().any(|&end| self.is_possible(symbol, end, next));
                            ends = (start..=self.terminals.len()).filter(|&next| is_next(next)).collect();
                        }
                        self.possible.extend(ends.into_iter().map(|end| (rule.name.as_str(), start, end)));
                    }
                }
            }
            if self.possible.len() == before {
                return;
            }
        }
    }

    fn is_possible(&self, symbol: &Symbol, start: usize, end: usize) -> bool {
        match symbol {
            Symbol::Terminal(name) => end == start + 1 && self.terminals[start] == name,
            Symbol::Rule(name) => self.possible.contains(&(name.as_str(), start, end)),
        }
    }

    /// Counts the readings of a part. A rule that is made of itself over the same part counts as one more reading.
    fn count(&mut self, rule: &'g str, start: usize, end: usize, most: usize) -> usize {
        if !self.possible.contains(&(rule, start, end)) {
            return 0;
        }
        if let Some(&count) = self.counts.get(&(rule, start, end)) {
            return count;
        }
        self.counts.insert((rule, start, end), 1);
        let grammar = self.grammar;
        let alternatives = grammar.rule(rule).map_or(&[][..], |rule| &rule.alternatives);
        let mut sum = 0;
        for alternative in alternatives {
            // The number of ways to each place.
            let mut ways = HashMap::from([(start, 1_usize)]);
            for symbol in &alternative.symbols {
                let mut next: HashMap<usize, usize> = HashMap::new();
                for (&at, &count) in &ways {
                    for to in at..=end {
                        let own = match symbol {
                            Symbol::Rule(name) => self.count(name, at, to, most),
                            Symbol::Terminal(_) => usize::from(self.is_possible(symbol, at, to)),
                        };
                        let sum = next.entry(to).or_default();
                        *sum = most.min(*sum + own * count);
                    }
                }
                ways = next;
            }
            sum = most.min(sum + ways.get(&end).copied().unwrap_or(0));
        }
        self.counts.insert((rule, start, end), sum);
        sum
    }
}
