//! The productions that LALRPOP makes of a grammar: rules marked `#[inline]` are replaced by their alternatives.
//!
//! Each production keeps its *shape*, the alternatives as written, so that a derivation can show the rules of the
//! file. With `#[inline] Op: { "+", "-" }`, the alternative `Sum = Term Op Term` becomes two productions, and the shape of
//! the first one is `Sum(Term, Op("+"), Term)`.

use std::collections::HashMap;

use crate::read::{self, Grammar};

/// A set of terminals, a bit for each.
pub type Terminals = u128;

/// The most terminals of a grammar, without the end of the input.
const MAX_TERMINALS: usize = 127;
/// The most productions of a grammar after inlining.
const MAX_PRODUCTIONS: usize = 20_000;
/// A length that no sentence has: that of a rule without sentences.
pub const ENDLESS: usize = usize::MAX / 4;

/// The length of a terminal that stands for a part that could not be parsed, so that other terminals are preferred.
const BAD_LENGTH: usize = 100;

/// A symbol of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A terminal, by its index.
    Terminal(usize),
    /// A rule, by its index.
    Rule(usize),
}

/// An alternative of the file, by the indices of its rule and of itself in the rule.
pub type Alternative = (usize, usize);

/// An alternative with those of inlined rules inside of it.
#[derive(Clone, Debug)]
pub struct Shape {
    pub alternative: Alternative,
    pub parts: Vec<Part>,
}

/// A part of a shape.
#[derive(Clone, Debug)]
pub enum Part {
    /// The next symbol of the production.
    Symbol,
    /// The alternative of an inlined rule.
    Inlined(Shape),
}

/// A production: a rule and one way to make it.
#[derive(Clone, Debug)]
pub struct Production {
    /// The rule that it makes; `None` for the start.
    pub rule: Option<usize>,
    pub symbols: Vec<Symbol>,
    pub shape: Shape,
}

/// All productions of a grammar.
pub struct Productions<'g> {
    pub grammar: &'g Grammar,
    pub all: Vec<Production>,
    /// The productions of each rule.
    pub of_rule: Vec<Vec<usize>>,
    /// The production of each public rule: the rule, then the end.
    pub starts: Vec<usize>,
    /// The rules that can be empty.
    pub nullable: Vec<bool>,
    /// The terminals that each rule can begin with.
    first: Vec<Terminals>,
    /// The number of terminals in the shortest sentence of each rule, and the production that makes it.
    pub shortest: Vec<(usize, usize)>,
}

impl<'g> Productions<'g> {
    /// Returns the productions of a grammar.
    ///
    /// # Errors
    /// If a rule is inlined into itself, or the grammar is too large.
    pub fn of(grammar: &'g Grammar) -> Result<Self, String> {
        Productions::without(grammar, None)
    }

    /// Returns the productions that do not use an alternative.
    ///
    /// # Errors
    /// As for all productions.
    pub fn without(grammar: &'g Grammar, left_out: Option<Alternative>) -> Result<Self, String> {
        let place = |line: usize| format!("grammar/{}.lalrpop:{line}", grammar.name);
        if grammar.terminals.len() > MAX_TERMINALS {
            return Err(format!("{}: there are more than {MAX_TERMINALS} terminals", place(1)));
        }
        let terminals: HashMap<&str, usize> =
            grammar.terminals.iter().enumerate().map(|(index, (name, _))| (name.as_str(), index)).collect();
        let rules: HashMap<&str, usize> =
            grammar.rules.iter().enumerate().map(|(index, rule)| (rule.name.as_str(), index)).collect();
        let mut inlining = Inlining { grammar, terminals, rules, left_out, within: Vec::new() };
        let mut all = Vec::new();
        let mut of_rule = vec![Vec::new(); grammar.rules.len()];
        for (index, rule) in grammar.rules.iter().enumerate().filter(|(_, rule)| !rule.inline || rule.public) {
            for alternative in 0..rule.alternatives.len() {
                for (symbols, shape) in inlining.expanded((index, alternative))? {
                    of_rule[index].push(all.len());
                    all.push(Production { rule: Some(index), symbols, shape });
                }
            }
            if all.len() > MAX_PRODUCTIONS {
                return Err(format!("{}: inlining makes more than {MAX_PRODUCTIONS} productions", place(rule.line)));
            }
        }
        let public: Vec<usize> = (0..grammar.rules.len()).filter(|&index| grammar.rules[index].public).collect();
        if public.is_empty() {
            return Err(format!("{}: no rule is `pub`, so nothing begins", place(1)));
        }
        let start = |&rule: &usize| {
            let shape = Shape { alternative: (rule, usize::MAX), parts: vec![Part::Symbol] };
            Production { rule: None, symbols: vec![Symbol::Rule(rule)], shape }
        };
        let starts = (all.len()..all.len() + public.len()).collect();
        all.extend(public.iter().map(start));
        let count = grammar.rules.len();
        let mut productions = Productions {
            grammar,
            all,
            of_rule,
            starts,
            nullable: vec![false; count],
            first: vec![0; count],
            shortest: vec![(ENDLESS, 0); count],
        };
        productions.find_properties();
        Ok(productions)
    }

    /// Computes the sets that parsing needs, until nothing changes.
    fn find_properties(&mut self) {
        loop {
            let mut changed = false;
            for number in 0..self.all.len() {
                let Production { rule: Some(rule), ref symbols, .. } = self.all[number] else { continue };
                let (first, is_empty) = self.first_of(symbols);
                let length = symbols.iter().fold(0, |sum, &symbol| ENDLESS.min(sum + self.length(symbol)));
                changed |= first & !self.first[rule] != 0 || is_empty && !self.nullable[rule];
                self.first[rule] |= first;
                self.nullable[rule] |= is_empty;
                if length < self.shortest[rule].0 {
                    self.shortest[rule] = (length, number);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the terminals that symbols can begin with, and true if all of them can be empty.
    pub fn first_of(&self, symbols: &[Symbol]) -> (Terminals, bool) {
        let mut first = 0;
        for symbol in symbols {
            match *symbol {
                Symbol::Terminal(terminal) => return (first | 1 << terminal, false),
                Symbol::Rule(rule) => {
                    first |= self.first[rule];
                    if !self.nullable[rule] {
                        return (first, false);
                    }
                }
            }
        }
        (first, true)
    }

    /// Returns true if a terminal stands for a part that could not be parsed.
    pub fn is_bad(&self, terminal: usize) -> bool {
        self.grammar.terminals.get(terminal).is_some_and(|(name, _)| name.starts_with("bad "))
    }

    /// The number of terminals in the shortest sentence of a symbol. Terminals for bad parts count as many.
    pub fn length(&self, symbol: Symbol) -> usize {
        match symbol {
            Symbol::Terminal(terminal) => {
                if self.is_bad(terminal) {
                    BAD_LENGTH
                } else {
                    1
                }
            }
            Symbol::Rule(rule) => self.shortest[rule].0,
        }
    }

    /// The number that stands for the end of the input among the terminals.
    pub fn end(&self) -> usize {
        self.grammar.terminals.len()
    }
}

/// The replacement of inlined rules by their alternatives.
struct Inlining<'g> {
    grammar: &'g Grammar,
    terminals: HashMap<&'g str, usize>,
    rules: HashMap<&'g str, usize>,
    left_out: Option<Alternative>,
    /// The inlined rules around the current one.
    within: Vec<usize>,
}

impl Inlining<'_> {
    /// Returns the productions that an alternative stands for. Inlined rules do not contain themselves, so the depth is
    /// limited by their number.
    fn expanded(&mut self, alternative: Alternative) -> Result<Vec<(Vec<Symbol>, Shape)>, String> {
        if self.left_out == Some(alternative) {
            return Ok(Vec::new());
        }
        let written = &self.grammar.rules[alternative.0].alternatives[alternative.1];
        let mut results = vec![(Vec::new(), Shape { alternative, parts: Vec::new() })];
        for symbol in &written.symbols {
            let rule = match symbol {
                read::Symbol::Terminal(name) => {
                    let terminal = self.terminals[name.as_str()];
                    for (symbols, shape) in &mut results {
                        symbols.push(Symbol::Terminal(terminal));
                        shape.parts.push(Part::Symbol);
                    }
                    continue;
                }
                read::Symbol::Rule(name) => self.rules[name.as_str()],
            };
            if !self.grammar.rules[rule].inline {
                for (symbols, shape) in &mut results {
                    symbols.push(Symbol::Rule(rule));
                    shape.parts.push(Part::Symbol);
                }
                continue;
            }
            if self.within.contains(&rule) {
                let (name, line) = (&self.grammar.rules[rule].name, self.grammar.rules[rule].line);
                return Err(format!(
                    "grammar/{}.lalrpop:{line}: the inlined rule `{name}` contains itself",
                    self.grammar.name
                ));
            }
            self.within.push(rule);
            let mut inner = Vec::new();
            for number in 0..self.grammar.rules[rule].alternatives.len() {
                inner.extend(self.expanded((rule, number))?);
            }
            self.within.pop();
            if results.len() * inner.len() > MAX_PRODUCTIONS {
                return Err(format!(
                    "grammar/{}.lalrpop:{}: inlining makes more than {MAX_PRODUCTIONS} productions",
                    self.grammar.name, written.line
                ));
            }
            let joined = |(symbols, shape): &(Vec<Symbol>, Shape)| {
                let (symbols, shape) = (symbols.clone(), shape.clone());
                inner
                    .iter()
                    .map(move |(more, inlined)| {
                        let (mut symbols, mut shape) = (symbols.clone(), shape.clone());
                        symbols.extend(more);
                        shape.parts.push(Part::Inlined(inlined.clone()));
                        (symbols, shape)
                    })
                    .collect::<Vec<_>>()
            };
            results = results.iter().flat_map(joined).collect();
        }
        Ok(results)
    }
}
