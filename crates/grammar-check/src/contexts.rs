//! The shortest beginnings after which a conflict is real.
//!
//! An automaton with merged states reports conflicts that no input can reach, since what can follow an item depends on
//! the way to its state. So the ways are searched backwards: from the state of the conflict with the items that are to
//! be reduced, to the items that they are parts of, until one of these goes on with the terminal of the conflict. If
//! there is no way, LALRPOP has no conflict either, because it splits such states.
//!
//! For the conflict of `Sum = Sum "+" Sum` before `+`, the item `Sum "+" Sum ·` goes back over three symbols to a state where
//! it is the beginning of another `Sum "+" Sum`, in which `+` comes next. The way to this state and the three symbols
//! are the beginning.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::automaton::{Action, Automaton, Conflict, Item};
use crate::productions::{ENDLESS, Symbol};

/// The most times that one place of the search is passed on different ways.
const PASSES: usize = 3;
/// The most steps of a search for the first way.
const MAX_STEPS: usize = 20_000;
/// The most steps after the first way, in which further ones are found.
const MORE_STEPS: usize = 1_000;

/// A place of the search: a state, and the items that still need the terminal after what they make.
type Place = (usize, Vec<Item>);

/// A step of a way back, with the index of the step after it.
struct Step {
    place: Place,
    length: usize,
    /// The symbol that the step goes back over.
    symbol: Option<Symbol>,
    later: Option<usize>,
}

/// Returns the states on the shortest ways from a start to the conflict, with real conflicts at their ends, and the
/// symbols between the states.
pub fn of(automaton: &Automaton<'_, '_>, conflict: &Conflict, most: usize) -> Vec<(Vec<usize>, Vec<Symbol>)> {
    let distances = &automaton.distances;
    let productions = automaton.productions;
    let complete = |production: usize| Item { production, dot: productions.all[production].symbols.len() };
    let mut items = vec![complete(conflict.reduce)];
    if let Action::Reduce(production) = conflict.other {
        items.push(complete(production));
    }
    let mut steps = vec![Step { place: (conflict.state, items), length: 0, symbol: None, later: None }];
    let mut waiting = BinaryHeap::from([(Reverse(distances[conflict.state]), Reverse(0))]);
    let mut passes: HashMap<Place, usize> = HashMap::new();
    let mut ways = Vec::new();
    let mut most_steps = MAX_STEPS;
    while let Some((_, Reverse(index))) = waiting.pop() {
        let place = steps[index].place.clone();
        let count = passes.entry(place.clone()).or_default();
        *count += 1;
        if *count > PASSES {
            continue;
        }
        if steps.len() > most_steps {
            break;
        }
        let (state, items) = place;
        if items.is_empty() && state < productions.starts.len() {
            ways.push(way(automaton, &steps, index));
            if ways.len() == most {
                break;
            }
            most_steps = most_steps.min(steps.len() + MORE_STEPS);
        }
        let length = steps[index].length;
        let mut found: Vec<(Place, usize, Option<Symbol>)> = Vec::new();
        match items.iter().position(|item| item.dot == 0) {
            // The item is complete here, so look at the items that it is a part of.
            Some(at) => {
                for (rest, is_done) in parents(automaton, state, items[at], conflict.terminal) {
                    let mut items = items.clone();
                    items.remove(at);
                    items.extend((!is_done).then_some(rest));
                    items.sort();
                    found.push(((state, items), length, None));
                }
            }
            None => {
                let Some(symbol) = automaton.states[state].symbol else { continue };
                let back: Vec<Item> = items.iter().map(|item| Item { dot: item.dot - 1, ..*item }).collect();
                for &before in &automaton.states[state].predecessors {
                    let length = length + productions.length(symbol);
                    found.push(((before, back.clone()), length, Some(symbol)));
                }
            }
        }
        for (place, length, symbol) in found {
            let rest = distances[place.0];
            if rest < ENDLESS && length < ENDLESS {
                waiting.push((Reverse(length + rest), Reverse(steps.len())));
                steps.push(Step { place, length, symbol, later: Some(index) });
            }
        }
    }
    ways
}

/// Returns the items of a state that continue with the rule of another one, and true for those in which the terminal
/// can come next.
fn parents(automaton: &Automaton<'_, '_>, state: usize, item: Item, terminal: usize) -> Vec<(Item, bool)> {
    let productions = automaton.productions;
    let Some(rule) = productions.all[item.production].rule else {
        // The end comes after a start.
        return if terminal == productions.end() { vec![(item, true)] } else { Vec::new() };
    };
    let mut parents = Vec::new();
    for parent in automaton.items(state) {
        if automaton.after_dot(parent) != Some(Symbol::Rule(rule)) {
            continue;
        }
        let (first, is_empty) = productions.first_of(&productions.all[parent.production].symbols[parent.dot + 1..]);
        if first >> terminal & 1 == 1 {
            parents.push((parent, true));
        }
        if is_empty {
            parents.push((parent, false));
        }
    }
    parents
}

/// The states and symbols of a way, from its start.
fn way(automaton: &Automaton<'_, '_>, steps: &[Step], start: usize) -> (Vec<usize>, Vec<Symbol>) {
    let mut states = vec![steps[start].place.0];
    let mut symbols = Vec::new();
    let mut at = Some(start);
    while let Some(step) = at.map(|at| &steps[at]) {
        if let (Some(symbol), Some(&state)) = (step.symbol, states.last()) {
            symbols.push(symbol);
            states.push(automaton.states[state].next[&symbol]);
        }
        at = step.later;
    }
    (states, symbols)
}
