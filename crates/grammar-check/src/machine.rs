//! Runs the automaton: stacks of states, with the trees of what they have read.
//!
//! Where actions exclude each other, all of them are tried, so one stack becomes several.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};

use crate::automaton::{Action, Automaton, Item};
use crate::productions::{ENDLESS, Symbol};
use crate::tree::{Tree, Trees};

/// The most stacks before one terminal. Rules that are made of nothing but themselves would have no end.
const MAX_STACKS: usize = 60;
/// The most stacks after one terminal.
const MAX_RESULTS: usize = 12;
/// The most steps for the shortest end of a sentence.
const MAX_STEPS: usize = 5_000;

/// The states of a run, and the tree of each symbol between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    pub states: Vec<usize>,
    pub trees: Vec<Tree>,
}

impl Stack {
    fn top(&self) -> usize {
        self.states[self.states.len() - 1]
    }
}

/// A step towards the end of a sentence: the states, the number of terminals to it, and the step before it with the item
/// that is completed.
type EndStep = (Vec<usize>, usize, Option<(usize, Item)>);

/// A run: the automaton, and all trees.
pub struct Machine<'a, 'p, 'g> {
    pub automaton: &'a Automaton<'p, 'g>,
    pub trees: Trees,
    /// The number of actions that may still be tried.
    pub room: usize,
}

impl<'a, 'p, 'g> Machine<'a, 'p, 'g> {
    pub fn new(automaton: &'a Automaton<'p, 'g>, room: usize) -> Self {
        Machine { automaton, trees: Trees::default(), room }
    }

    /// Returns the stack of a way through the automaton, each symbol of which is its shortest sentence.
    pub fn stack_of(&mut self, states: &[usize], symbols: &[Symbol]) -> Stack {
        let trees = symbols.iter().map(|&symbol| self.shortest(symbol)).collect();
        Stack { states: states.to_vec(), trees }
    }

    /// The terminals that a stack may go on with. Some turn out to be impossible after the reductions before them. Those
    /// for parts that could not be parsed make no good example.
    pub fn possible(&self, stack: &Stack) -> Vec<usize> {
        let mut terminals = self.automaton.terminals(stack.top());
        terminals.retain(|&terminal| !self.automaton.productions.is_bad(terminal));
        terminals
    }

    /// Returns the stacks after a terminal, or after the end, where a complete stack has a single tree. If there is a
    /// first action, others are not tried before it.
    pub fn advance(&mut self, stack: &Stack, terminal: usize, first: Option<Action>) -> Vec<Stack> {
        let automaton = self.automaton;
        let mut results = Vec::new();
        let mut waiting = VecDeque::from([(stack.clone(), first)]);
        // Another way to the same states would only give further trees.
        let mut known: HashSet<Vec<usize>> = HashSet::new();
        while let Some((stack, forced)) = waiting.pop_front() {
            if results.len() >= MAX_RESULTS {
                break;
            }
            let top = stack.top();
            let forced = forced.as_slice();
            let actions = if forced.is_empty() { automaton.actions(top, terminal) } else { forced };
            for &action in actions {
                self.room = self.room.saturating_sub(1 + stack.states.len() / 8);
                match action {
                    Action::Shift(target) => {
                        let mut next = stack.clone();
                        next.trees.push(self.trees.terminal(terminal));
                        next.states.push(target);
                        results.push(next);
                    }
                    Action::Reduce(production) => {
                        let mut next = stack.clone();
                        if automaton.productions.all[production].rule.is_none() {
                            results.push(next);
                        } else if known.len() < MAX_STACKS
                            && self.reduce(&mut next, production)
                            && known.insert(next.states.clone())
                        {
                            waiting.push_back((next, None));
                        }
                    }
                }
            }
        }
        results
    }

    /// Replaces the symbols of a production by its rule. Returns false if the stack is not one of the automaton.
    fn reduce(&mut self, stack: &mut Stack, production: usize) -> bool {
        let own = &self.automaton.productions.all[production];
        let Some(kept) = stack.trees.len().checked_sub(own.symbols.len()) else { return false };
        let children = stack.trees.split_off(kept);
        stack.states.truncate(kept + 1);
        let Some(rule) = own.rule else { return false };
        let Some(&next) = self.automaton.states[stack.top()].next.get(&Symbol::Rule(rule)) else { return false };
        stack.trees.push(self.trees.node(production, children));
        stack.states.push(next);
        true
    }

    /// The tree of the shortest sentence of a symbol.
    pub fn shortest(&mut self, symbol: Symbol) -> Tree {
        // A production for the shortest sentence has shorter parts, so this ends.
        let mut made: Vec<Tree> = Vec::new();
        let mut waiting = vec![(symbol, false)];
        while let Some((symbol, is_read)) = waiting.pop() {
            match symbol {
                Symbol::Terminal(terminal) => made.push(self.trees.terminal(terminal)),
                Symbol::Rule(rule) => {
                    let production = self.automaton.productions.shortest[rule].1;
                    let symbols = &self.automaton.productions.all[production].symbols;
                    if is_read {
                        let children = made.split_off(made.len() - symbols.len());
                        made.push(self.trees.node(production, children));
                    } else {
                        waiting.push((symbol, true));
                        waiting.extend(symbols.iter().rev().map(|&symbol| (symbol, false)));
                    }
                }
            }
        }
        made.pop().unwrap_or_else(|| self.trees.terminal(0))
    }

    /// Continues stacks with the same states by the shortest end of a sentence. Each becomes a single tree; `None` if no
    /// end is found.
    pub fn completed<const N: usize>(&mut self, stacks: [&Stack; N]) -> Option<[Tree; N]> {
        let states = stacks[0].states.clone();
        let mut steps: Vec<EndStep> = vec![(states, 0, None)];
        let mut waiting = BinaryHeap::from([(Reverse(0), Reverse(0))]);
        let mut known: HashSet<Vec<usize>> = HashSet::new();
        let productions = self.automaton.productions;
        let mut last = None;
        while let Some((_, Reverse(index))) = waiting.pop() {
            let (states, length) = (steps[index].0.clone(), steps[index].1);
            if !known.insert(states.clone()) || steps.len() > MAX_STEPS {
                continue;
            }
            for &item in &self.automaton.states[states[states.len() - 1]].kernel {
                let production = &productions.all[item.production];
                let rest = production.symbols[item.dot..].iter();
                let length = rest.fold(length, |sum, &symbol| ENDLESS.min(sum + productions.length(symbol)));
                let Some(rule) = production.rule else {
                    last = (item.dot == 1).then_some(index).or(last);
                    continue;
                };
                let Some(kept) = states.len().checked_sub(item.dot).filter(|&kept| kept > 0) else { continue };
                let mut states = states[..kept].to_vec();
                let Some(&next) = self.automaton.states[states[kept - 1]].next.get(&Symbol::Rule(rule)) else {
                    continue;
                };
                states.push(next);
                if length < ENDLESS && item.dot > 0 {
                    waiting.push((Reverse(length), Reverse(steps.len())));
                    steps.push((states, length, Some((index, item))));
                }
            }
            if last.is_some() {
                break;
            }
        }
        // The items in the order in which they are completed.
        let mut items = Vec::new();
        let mut at = last?;
        while let Some((before, item)) = steps[at].2 {
            items.push(item);
            at = before;
        }
        items.reverse();
        let complete = |machine: &mut Self, stack: &Stack| {
            let mut trees = stack.trees.clone();
            for item in &items {
                let production = &productions.all[item.production];
                let mut children = trees.split_off(trees.len() - item.dot);
                children.extend(production.symbols[item.dot..].iter().map(|&symbol| machine.shortest(symbol)));
                trees.push(machine.trees.node(item.production, children));
            }
            trees.pop()
        };
        let mut results = Vec::new();
        for stack in stacks {
            results.push(complete(self, stack)?);
        }
        results.try_into().ok()
    }
}
