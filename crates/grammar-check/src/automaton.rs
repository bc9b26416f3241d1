//! The LALR(1) automaton of a grammar, and its conflicts.
//!
//! A state is a set of *items*, productions that are read up to a dot. The items with something before the dot are the
//! *kernel* of the state; the others follow from it. Look-ahead sets are propagated from state to state until nothing
//! changes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use crate::productions::{ENDLESS, Productions, Symbol, Terminals};

/// A production, and the number of its symbols before the dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item {
    pub production: usize,
    pub dot: usize,
}

/// A state of the automaton.
pub struct State {
    pub kernel: Vec<Item>,
    /// The terminals that can follow each item of the kernel.
    ahead: Vec<Terminals>,
    /// The rules that can begin in the state, and what can follow them.
    begun: BTreeMap<usize, Terminals>,
    pub next: BTreeMap<Symbol, usize>,
    /// The symbol that leads to the state, which all its predecessors share; `None` in a start state.
    pub symbol: Option<Symbol>,
    pub predecessors: Vec<usize>,
}

/// A step of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Read the next terminal, and go to a state.
    Shift(usize),
    /// Replace the symbols of a production by its rule.
    Reduce(usize),
}

/// Two actions that are possible in a state before one terminal.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    pub state: usize,
    pub terminal: usize,
    /// The production that is complete.
    pub reduce: usize,
    pub other: Action,
    /// The production that goes on, or another complete one.
    pub production: usize,
}

/// The automaton of a grammar.
pub struct Automaton<'p, 'g> {
    pub productions: &'p Productions<'g>,
    pub states: Vec<State>,
    /// The actions of each state by terminal; there are several where there is a conflict.
    actions: Vec<HashMap<usize, Vec<Action>>>,
    /// The number of terminals on the shortest way to each state.
    pub distances: Vec<usize>,
}

impl<'p, 'g> Automaton<'p, 'g> {
    /// Builds the automaton. The first states are those of the public rules, in their order.
    pub fn new(productions: &'p Productions<'g>) -> Self {
        let mut automaton = Automaton { productions, states: Vec::new(), actions: Vec::new(), distances: Vec::new() };
        automaton.build_states();
        automaton.propagate();
        automaton.actions = (0..automaton.states.len()).map(|state| automaton.actions_of(state)).collect();
        automaton.distances = distances(&automaton);
        automaton
    }

    fn build_states(&mut self) {
        let mut known: HashMap<Vec<Item>, usize> = HashMap::new();
        for &production in &self.productions.starts {
            let kernel = vec![Item { production, dot: 0 }];
            known.insert(kernel.clone(), self.states.len());
            self.add_state(kernel, None);
        }
        let mut at = 0;
        while at < self.states.len() {
            let mut next: BTreeMap<Symbol, Vec<Item>> = BTreeMap::new();
            for item in self.items(at) {
                if let Some(symbol) = self.after_dot(item) {
                    next.entry(symbol).or_default().push(Item { dot: item.dot + 1, ..item });
                }
            }
            for (symbol, mut kernel) in next {
                kernel.sort();
                kernel.dedup();
                let target = match known.get(&kernel) {
                    Some(&state) => state,
                    None => {
                        known.insert(kernel.clone(), self.states.len());
                        self.add_state(kernel, Some(symbol));
                        self.states.len() - 1
                    }
                };
                self.states[at].next.insert(symbol, target);
                self.states[target].predecessors.push(at);
            }
            at += 1;
        }
    }

    fn add_state(&mut self, kernel: Vec<Item>, symbol: Option<Symbol>) {
        let mut begun: BTreeMap<usize, Terminals> = BTreeMap::new();
        let mut waiting = kernel.clone();
        while let Some(item) = waiting.pop() {
            let Some(Symbol::Rule(rule)) = self.after_dot(item) else { continue };
            if begun.insert(rule, 0).is_none() {
                waiting.extend(self.productions.of_rule[rule].iter().map(|&production| Item { production, dot: 0 }));
            }
        }
        let ahead = vec![0; kernel.len()];
        self.states.push(State { kernel, ahead, begun, next: BTreeMap::new(), symbol, predecessors: Vec::new() });
    }

    /// The symbol after the dot of an item.
    pub fn after_dot(&self, item: Item) -> Option<Symbol> {
        self.productions.all[item.production].symbols.get(item.dot).copied()
    }

    /// All items of a state.
    pub fn items(&self, state: usize) -> Vec<Item> {
        let state = &self.states[state];
        let begun = state.begun.keys().flat_map(|&rule| &self.productions.of_rule[rule]);
        let begun = begun.map(|&production| Item { production, dot: 0 });
        state.kernel.iter().copied().chain(begun).collect()
    }

    /// Propagates what can follow items, from the ends of the starts.
    fn propagate(&mut self) {
        let starts = self.productions.starts.len();
        for state in &mut self.states[..starts] {
            state.ahead[0] = 1 << self.productions.end();
        }
        let mut waiting: Vec<usize> = (0..self.states.len()).rev().collect();
        let mut is_waiting = vec![true; self.states.len()];
        while let Some(at) = waiting.pop() {
            is_waiting[at] = false;
            self.close(at);
            let state = &self.states[at];
            let mut targets: Vec<(usize, Item, Terminals)> = Vec::new();
            let kernel = state.kernel.iter().copied().zip(state.ahead.iter().copied());
            let begun = state.begun.iter().flat_map(|(&rule, &ahead)| {
                self.productions.of_rule[rule].iter().map(move |&production| (Item { production, dot: 0 }, ahead))
            });
            for (item, ahead) in kernel.chain(begun) {
                if let Some(symbol) = self.after_dot(item) {
                    targets.push((state.next[&symbol], Item { dot: item.dot + 1, ..item }, ahead));
                }
            }
            for (target, item, ahead) in targets {
                let state = &mut self.states[target];
                let index = state.kernel.binary_search(&item).unwrap_or_default();
                if ahead & !state.ahead[index] != 0 {
                    state.ahead[index] |= ahead;
                    if !std::mem::replace(&mut is_waiting[target], true) {
                        waiting.push(target);
                    }
                }
            }
        }
    }

    /// Computes what can follow the rules that begin in a state.
    fn close(&mut self, at: usize) {
        loop {
            let state = &self.states[at];
            let mut more: Vec<(usize, Terminals)> = Vec::new();
            let kernel = state.kernel.iter().copied().zip(state.ahead.iter().copied());
            let begun = state.begun.iter().flat_map(|(&rule, &ahead)| {
                self.productions.of_rule[rule].iter().map(move |&production| (Item { production, dot: 0 }, ahead))
            });
            for (item, ahead) in kernel.chain(begun) {
                let Some(Symbol::Rule(rule)) = self.after_dot(item) else { continue };
                let symbols = &self.productions.all[item.production].symbols[item.dot + 1..];
                let (first, is_empty) = self.productions.first_of(symbols);
                let follows = if is_empty { first | ahead } else { first };
                if follows & !state.begun[&rule] != 0 {
                    more.push((rule, follows));
                }
            }
            if more.is_empty() {
                return;
            }
            for (rule, follows) in more {
                *self.states[at].begun.entry(rule).or_default() |= follows;
            }
        }
    }

    /// The terminals that can follow an item of a state.
    fn ahead(&self, state: usize, item: Item) -> Terminals {
        let state = &self.states[state];
        match state.kernel.binary_search(&item) {
            Ok(index) => state.ahead[index],
            Err(_) => self.productions.all[item.production].rule.map_or(0, |rule| state.begun[&rule]),
        }
    }

    fn actions_of(&self, state: usize) -> HashMap<usize, Vec<Action>> {
        let mut actions: HashMap<usize, Vec<Action>> = HashMap::new();
        for (&symbol, &target) in &self.states[state].next {
            if let Symbol::Terminal(terminal) = symbol {
                actions.entry(terminal).or_default().push(Action::Shift(target));
            }
        }
        for item in self.items(state).into_iter().filter(|&item| self.after_dot(item).is_none()) {
            let ahead = self.ahead(state, item);
            for terminal in (0..=self.productions.end()).filter(|terminal| ahead >> terminal & 1 == 1) {
                actions.entry(terminal).or_default().push(Action::Reduce(item.production));
            }
        }
        actions
    }

    /// The actions in a state before a terminal.
    pub fn actions(&self, state: usize, terminal: usize) -> &[Action] {
        self.actions[state].get(&terminal).map_or(&[], Vec::as_slice)
    }

    /// The terminals that a state has actions for, in order.
    pub fn terminals(&self, state: usize) -> Vec<usize> {
        let mut terminals: Vec<usize> = self.actions[state].keys().copied().collect();
        terminals.sort_unstable();
        terminals
    }

    /// All pairs of actions that exclude each other, in the order of the states.
    pub fn conflicts(&self) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        for state in 0..self.states.len() {
            for terminal in self.terminals(state) {
                let actions = self.actions(state, terminal);
                let reductions = actions.iter().filter_map(|action| match action {
                    Action::Reduce(production) => Some(*production),
                    Action::Shift(_) => None,
                });
                let reductions: Vec<usize> = reductions.collect();
                for (index, &reduce) in reductions.iter().enumerate() {
                    if let Some(&shift @ Action::Shift(_)) = actions.first() {
                        let goes_on = |item: &Item| self.after_dot(*item) == Some(Symbol::Terminal(terminal));
                        let items = self.items(state).into_iter().filter(goes_on);
                        conflicts.extend(items.map(|item| Conflict {
                            state,
                            terminal,
                            reduce,
                            other: shift,
                            production: item.production,
                        }));
                    }
                    conflicts.extend(reductions[index + 1..].iter().map(|&production| Conflict {
                        state,
                        terminal,
                        reduce,
                        other: Action::Reduce(production),
                        production,
                    }));
                }
            }
        }
        conflicts
    }
}

/// The number of terminals on the shortest way from a start to each state.
fn distances(automaton: &Automaton<'_, '_>) -> Vec<usize> {
    let mut distances = vec![ENDLESS; automaton.states.len()];
    let mut waiting = BinaryHeap::new();
    for (start, distance) in distances.iter_mut().enumerate().take(automaton.productions.starts.len()) {
        *distance = 0;
        waiting.push((Reverse(0), start));
    }
    while let Some((Reverse(distance), state)) = waiting.pop() {
        if distance > distances[state] {
            continue;
        }
        for (&symbol, &next) in &automaton.states[state].next {
            let length = distance + automaton.productions.length(symbol);
            if length < distances[next] {
                distances[next] = length;
                waiting.push((Reverse(length), next));
            }
        }
    }
    distances
}
