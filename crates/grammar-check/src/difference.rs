//! Compares two grammars: sentences that only one of them accepts, and sentences with different trees.
//!
//! Both automata read the same terminals, breadth first, so that short sentences come first. Where only one can go on, its
//! shortest end makes a sentence that the other one rejects. The search does not continue from a pair of stacks that it has
//! seen. While there are few pairs, whole stacks count, so that nothing is passed over, and the length up to which this
//! is so is a proof: no shorter sentence is in only one of the grammars. Later only the top of both stacks counts.
//!
//! Trees are compared by the rules that both grammars have. Lists are flat, so another way to write a repetition is no
//! difference.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::automaton::Automaton;
use crate::machine::{Machine, Stack};
use crate::productions::Productions;
use crate::read::Grammar;
use crate::report::sample;
use crate::tree::{Tree, Trees, Written};

/// The number of states at the top of each stack that make pairs of stacks different.
const TOP: usize = 4;
/// The terminal before each region, which is no part of a sentence.
const SEPARATOR: &str = "separator";
/// The most pairs of stacks that differ at their top.
const MAX_PAIRS: usize = 10_000;
/// The most pairs of stacks that differ only below their top.
const MAX_DEEP_PAIRS: usize = 5_000;
/// The most sentences for one terminal that only one grammar can read next.
const MAX_SENTENCES: usize = 3;
/// The most terminals of a sentence from a file. Lists nest as deep as they are long.
const MAX_LENGTH: usize = 2_000;
/// The most terminals before a difference.
const MAX_TERMINALS: usize = 24;

/// A difference of two grammars.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// A sentence that only the first grammar accepts.
    OnlyOld(Vec<String>),
    /// A sentence that only the second grammar accepts.
    OnlyNew(Vec<String>),
    /// A sentence with different trees by the rules that both have: the sentence, and each tree with brackets.
    Trees(Vec<String>, String, String),
}

impl Difference {
    /// The terminals of the sentence.
    pub fn sentence(&self) -> &[String] {
        match self {
            Difference::OnlyOld(sentence) | Difference::OnlyNew(sentence) | Difference::Trees(sentence, ..) => sentence,
        }
    }

    /// The difference as lines.
    pub fn shown(&self) -> String {
        let names: Vec<String> = self.sentence().iter().map(|name| format!("\"{name}\"")).collect();
        let mut text = names.join(" ");
        if let Some(sample) = sample(self.sentence().iter().map(String::as_str)) {
            text += &format!(", such as `{sample}`");
        }
        match self {
            Difference::OnlyOld(_) => format!("- {text}\n"),
            Difference::OnlyNew(_) => format!("+ {text}\n"),
            Difference::Trees(_, old, new) => format!("~ {text}\n    old: {old}\n    new: {new}\n"),
        }
    }
}

/// The result of comparing two grammars.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// The differences, short sentences first, one for each place where the grammars part.
    pub differences: Vec<Difference>,
    /// Sentences of up to so many terminals have all been compared: those that only one grammar accepts have a difference that is
    /// no longer. Trees are compared for one sentence of those with the same states.
    pub complete: usize,
}

impl Comparison {
    /// Returns true if no sentence that only one grammar accepts is shorter than the first difference of this kind.
    pub fn has_shortest(&self) -> bool {
        let is_one_sided = |difference: &&Difference| !matches!(difference, Difference::Trees(..));
        let shortest = self.differences.iter().filter(is_one_sided).map(|difference| difference.sentence().len()).min();
        shortest.is_some_and(|shortest| shortest <= self.complete + 1)
    }
}

/// One of the two grammars in a search.
struct Side<'a, 'p, 'g> {
    machine: Machine<'a, 'p, 'g>,
    /// The number of each common terminal in this grammar.
    terminals: Vec<Option<usize>>,
}

/// A stack of each grammar, with the terminals that both have read.
struct Pair {
    stacks: [Stack; 2],
    read: Vec<usize>,
}

/// Compares two grammars. At most `most` differences are returned.
///
/// # Errors
/// If a grammar has no start, or is too large.
///
/// ```
/// use hcl_lr_grammar_check::{Difference, Grammar, differences};
///
/// let head = "extern { enum Terminal { \"a\" => A, \"+\" => Plus, } }";
/// let read = |rules| Grammar::read("expression", &format!("{head} {rules}"));
/// let old = read("pub Sum: () = { \"a\", Sum \"+\" \"a\" };")?;
/// let new = read("pub Sum: () = { \"a\", Sum \"+\" \"a\", \"+\" \"a\" };")?;
/// let comparison = differences(&old, &new, 9)?;
/// assert_eq!(comparison.differences, [Difference::OnlyNew(vec!["+".to_owned(), "a".to_owned()])]);
/// assert!(comparison.has_shortest());
/// assert_eq!(differences(&new, &new, 9)?.differences, []);
/// # Ok::<(), String>(())
/// ```
pub fn differences(old: &Grammar, new: &Grammar, most: usize) -> Result<Comparison, String> {
    let productions = [Productions::of(old)?, Productions::of(new)?];
    let automata = [Automaton::new(&productions[0]), Automaton::new(&productions[1])];
    let mut search = Search::new([old, new], &automata, most);
    search.run();
    let Search { mut found, complete, .. } = search;
    found.sort_by_key(|difference| difference.sentence().len());
    found.truncate(most);
    Ok(Comparison { differences: found, complete })
}

/// Returns the differences in some sentences, each with the number of the sentence. Sentences are the terminals of files, and
/// those with more than 2,000 are passed over.
///
/// # Errors
/// If a grammar has no start, or is too large.
///
/// ```
/// use hcl_lr_grammar_check::{Grammar, differences_in};
///
/// let head = "extern { enum Terminal { \"a\" => A, \"+\" => Plus, } }";
/// let read = |rules| Grammar::read("expression", &format!("{head} {rules}"));
/// let old = read("pub Sum: () = { \"a\", Sum \"+\" \"a\" };")?;
/// let new = read("pub Sum: () = { \"a\" };")?;
/// let sentences = [vec!["a".to_owned()], ["a", "+", "a"].map(str::to_owned).to_vec()];
/// assert_eq!(differences_in(&old, &new, &sentences)?.len(), 1);
/// # Ok::<(), String>(())
/// ```
pub fn differences_in(
    old: &Grammar,
    new: &Grammar,
    sentences: &[Vec<String>],
) -> Result<Vec<(usize, Difference)>, String> {
    let productions = [Productions::of(old)?, Productions::of(new)?];
    let automata = [Automaton::new(&productions[0]), Automaton::new(&productions[1])];
    let mut search = Search::new([old, new], &automata, usize::MAX);
    let mut found = Vec::new();
    for (number, sentence) in sentences.iter().enumerate().filter(|(_, sentence)| sentence.len() <= MAX_LENGTH) {
        search.sides.iter_mut().for_each(|side| side.machine.trees = Trees::default());
        let [one, two] = [0, 1].map(|side| search.read(side, sentence));
        let difference = match (one, two) {
            (Some(one), Some(two)) => {
                let [old, new] = [search.shape(0, one), search.shape(1, two)];
                (old != new).then(|| Difference::Trees(sentence.clone(), old, new))
            }
            (Some(_), None) => Some(Difference::OnlyOld(sentence.clone())),
            (None, Some(_)) => Some(Difference::OnlyNew(sentence.clone())),
            (None, None) => None,
        };
        found.extend(difference.map(|difference| (number, difference)));
    }
    Ok(found)
}

struct Search<'a, 'p, 'g> {
    sides: [Side<'a, 'p, 'g>; 2],
    names: Vec<&'g str>,
    /// The rules of both grammars.
    common: HashSet<String>,
    found: Vec<Difference>,
    /// The places of differences: the states at the top, and the terminal.
    known: HashSet<(usize, usize, usize)>,
    /// The number of sentences for each side and terminal, and as side 2 of those with other trees.
    counts: HashMap<(usize, usize), usize>,
    most: usize,
    /// The number of terminals up to which no pair of stacks has been passed over.
    complete: usize,
    /// The length of the shortest sentence that only one side accepts.
    shortest: usize,
}

impl<'a, 'p, 'g> Search<'a, 'p, 'g> {
    fn new(grammars: [&'g Grammar; 2], automata: &'a [Automaton<'p, 'g>; 2], most: usize) -> Self {
        let names: BTreeSet<&str> =
            grammars.iter().flat_map(|grammar| &grammar.terminals).map(|(name, _)| name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| !name.starts_with("bad ")).collect();
        let sides = [0, 1].map(|side| {
            let own = &grammars[side].terminals;
            let number = |name: &&str| own.iter().position(|(own, _)| own == name);
            Side {
                machine: Machine::new(&automata[side], usize::MAX),
                terminals: names.iter().map(number).chain([Some(own.len())]).collect(),
            }
        });
        let rule_names = |grammar: &Grammar| -> HashSet<String> {
            let names = grammar.rules.iter().map(|rule| rule.name.clone());
            names.filter(|name| name.chars().all(char::is_alphanumeric)).collect()
        };
        let common = rule_names(grammars[0]).intersection(&rule_names(grammars[1])).cloned().collect();
        Search {
            sides,
            names,
            common,
            found: Vec::new(),
            known: HashSet::new(),
            counts: HashMap::new(),
            most,
            complete: MAX_TERMINALS - 1,
            shortest: usize::MAX,
        }
    }

    /// The tree of a sentence, if a side accepts it.
    fn read(&mut self, side: usize, sentence: &[String]) -> Option<Tree> {
        let mut stack = Stack { states: vec![0], trees: Vec::new() };
        for name in [SEPARATOR].into_iter().chain(sentence.iter().map(String::as_str)) {
            // Grammars without regions have no separator.
            let Some(terminal) = self.names.iter().position(|own| *own == name) else {
                if name == SEPARATOR {
                    continue;
                }
                return None;
            };
            stack = self.advance(side, &stack, terminal)?;
        }
        self.advance(side, &stack, self.names.len())?.trees.first().copied()
    }

    fn run(&mut self) {
        let start = Stack { states: vec![0], trees: Vec::new() };
        let mut waiting = VecDeque::from([Pair { stacks: [start.clone(), start], read: Vec::new() }]);
        let mut tops: HashSet<[Vec<usize>; 2]> = HashSet::new();
        let mut seen: HashSet<[Vec<usize>; 2]> = HashSet::new();
        let mut deep_pairs = 0;
        while let Some(pair) = waiting.pop_front() {
            // A sentence that is found now is no shorter.
            if self.found.len() >= self.most && pair.read.len() >= self.shortest {
                self.complete = self.complete.min(pair.read.len().saturating_sub(1));
                return;
            }
            // The last one is the end.
            for terminal in (0..=self.names.len()).rev() {
                let after = [0, 1].map(|side| self.advance(side, &pair.stacks[side], terminal));
                match after {
                    [Some(one), Some(two)] if terminal == self.names.len() => self.compare(&pair, one, two),
                    [Some(one), Some(two)] => {
                        let mut read = pair.read.clone();
                        read.push(terminal);
                        if read.len() >= MAX_TERMINALS || !seen.insert([one.states.clone(), two.states.clone()]) {
                            continue;
                        }
                        let top = |stack: &Stack| stack.states[stack.states.len().saturating_sub(TOP)..].to_vec();
                        let is_new = tops.len() < MAX_PAIRS && tops.insert([top(&one), top(&two)]);
                        deep_pairs += usize::from(!is_new);
                        if is_new || deep_pairs <= MAX_DEEP_PAIRS {
                            waiting.push_back(Pair { stacks: [one, two], read });
                        } else {
                            self.complete = self.complete.min(read.len() - 1);
                        }
                    }
                    [Some(stack), None] => self.only(0, &pair, stack, terminal),
                    [None, Some(stack)] => self.only(1, &pair, stack, terminal),
                    [None, None] => {}
                }
            }
        }
    }

    /// The stack of a side after a terminal.
    fn advance(&mut self, side: usize, stack: &Stack, terminal: usize) -> Option<Stack> {
        let side = &mut self.sides[side];
        let terminal = side.terminals[terminal]?;
        side.machine.advance(stack, terminal, None).into_iter().next()
    }

    /// Adds a sentence of one side that the other one rejects at a terminal.
    fn only(&mut self, side: usize, pair: &Pair, stack: Stack, terminal: usize) {
        let tops = [0, 1].map(|side| pair.stacks[side].states[pair.stacks[side].states.len() - 1]);
        let count = self.counts.entry((side, terminal)).or_default();
        let is_new = *count < MAX_SENTENCES && self.known.insert((tops[0], tops[1], terminal));
        // The shortest sentence is found, whatever has been found at such a place before.
        if !is_new && pair.read.len() + 1 >= self.shortest {
            return;
        }
        *count += usize::from(is_new);
        let machine = &mut self.sides[side].machine;
        let tree = match terminal == self.names.len() {
            true => stack.trees.first().copied(),
            false => machine.completed([&stack]).map(|[tree]| tree),
        };
        let Some(tree) = tree else { return };
        let sentence = self.sentence(side, tree);
        if !is_new && sentence.len() >= self.shortest
            || self.found.len() >= self.most && sentence.len() >= self.shortest
        {
            return;
        }
        self.shortest = self.shortest.min(sentence.len());
        self.found.push(if side == 0 { Difference::OnlyOld(sentence) } else { Difference::OnlyNew(sentence) });
    }

    /// Compares the trees of a sentence that both accept.
    fn compare(&mut self, pair: &Pair, one: Stack, two: Stack) {
        let (Some(&one), Some(&two)) = (one.trees.first(), two.trees.first()) else { return };
        let shown = [self.shape(0, one), self.shape(1, two)];
        if shown[0] == shown[1] {
            return;
        }
        let tops = [0, 1].map(|side| pair.stacks[side].states[pair.stacks[side].states.len() - 1]);
        let count = self.counts.entry((2, 0)).or_default();
        let is_wanted = *count < MAX_SENTENCES && self.found.len() < self.most;
        if is_wanted && self.known.insert((tops[0], tops[1], self.names.len())) {
            *count += 1;
            let [old, new] = shown;
            self.found.push(Difference::Trees(self.sentence(0, one), old, new));
        }
    }

    fn written(&self, side: usize, tree: Tree) -> Written {
        let machine = &self.sides[side].machine;
        machine.trees.written(machine.automaton.productions, tree)
    }

    fn sentence(&self, side: usize, tree: Tree) -> Vec<String> {
        let grammar = self.sides[side].machine.automaton.productions.grammar;
        let names =
            self.written(side, tree).terminals.into_iter().map(|terminal| grammar.terminals[terminal].0.clone());
        names.filter(|name| name != SEPARATOR).collect()
    }

    /// Returns a tree with brackets around the common rules with several parts. A rule that is the first part of itself is
    /// a list, and has no brackets of its own.
    fn shape(&self, side: usize, tree: Tree) -> String {
        let grammar = self.sides[side].machine.automaton.productions.grammar;
        let root = self.written(side, tree);
        let mut text = String::new();
        // Closing brackets wait beside the trees.
        let mut waiting = vec![Some((&root, None))];
        while let Some(next) = waiting.pop() {
            let Some((tree, parent)) = next else {
                text.push(')');
                continue;
            };
            let Some(rule) = tree.rule() else {
                let name = &grammar.terminals[tree.terminals[0]].0;
                if name != SEPARATOR {
                    if !text.is_empty() && !text.ends_with('(') {
                        text.push(' ');
                    }
                    // In quotes, a parenthesis is no bracket of a rule.
                    let is_bracket = name.contains(['(', ')']);
                    text += &if is_bracket { format!("\"{name}\"") } else { name.clone() };
                }
                continue;
            };
            let has_brackets = tree.terminals.len() > 1
                && tree.children.len() > 1
                && parent != Some(rule)
                && self.common.contains(&grammar.rules[rule].name);
            if has_brackets {
                if !text.is_empty() && !text.ends_with('(') {
                    text.push(' ');
                }
                text.push('(');
                waiting.push(None);
            }
            let first = |index: usize| if index == 0 { Some(rule) } else { None };
            waiting.extend(tree.children.iter().enumerate().rev().map(|(index, child)| Some((child, first(index)))));
        }
        simplified(&text)
    }
}

/// Removes brackets around nothing but other brackets.
fn simplified(text: &str) -> String {
    let mut closers = vec![0; text.len()];
    let mut open = Vec::new();
    let mut is_quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'(' => open.push(at),
            b')' => {
                if let Some(opener) = open.pop() {
                    closers[opener] = at;
                }
            }
            _ => {}
        }
    }
    let is_double = |at: usize| {
        text.as_bytes().get(at..at + 2) == Some(b"((") && closers[at] > 0 && closers[at + 1] + 1 == closers[at]
    };
    let dropped: HashSet<usize> =
        (0..text.len()).filter(|&at| is_double(at)).flat_map(|at| [at, closers[at]]).collect();
    text.char_indices().filter(|(at, _)| !dropped.contains(at)).map(|(_, character)| character).collect()
}
