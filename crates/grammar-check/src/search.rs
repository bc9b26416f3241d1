//! Finds a sentence that shows a conflict.
//!
//! After a beginning, one stack takes the first action of the conflict and another one the second. Both read the same
//! terminals, breadth first. When they have come to the same states, the rest of the sentence is read in the same way
//! by both, so the sentence has two readings. This is the search for a *unifying counterexample* by Isradisaikul and
//! Myers (2015), from the beginning of the sentence instead of its middle. If there is none within the bounds, the two
//! stacks end in sentences of their own: both actions are possible before the terminal, though each sentence has one
//! reading.

use std::collections::{HashSet, VecDeque};

use crate::automaton::{Action, Automaton, Conflict};
use crate::contexts;
use crate::machine::{Machine, Stack};
use crate::tree::Written;

/// The most beginnings that are tried.
const MAX_CONTEXTS: usize = 6;
/// The most terminals after a beginning.
const MAX_TERMINALS: usize = 12;
/// The most pairs of stacks that are continued after one beginning.
const MAX_PAIRS: usize = 400;

/// The meaning of a conflict.
pub enum Example {
    /// One sentence with two trees.
    Ambiguous(Written, Written),
    /// Two sentences with the same beginning, of so many terminals, and the same terminal after it.
    Undecided(Written, Written, usize),
}

/// The most actions that are tried for one conflict.
const MAX_ACTIONS: usize = 20_000;

/// Returns an example of a conflict; `None` if no sentence leads to it. At most so many actions are tried for a
/// sentence with two readings.
pub fn example(automaton: &Automaton<'_, '_>, conflict: &Conflict, room: &mut usize) -> Option<Example> {
    let mut own_room = MAX_ACTIONS.min(*room);
    let first_room = own_room;
    let mut best: Option<Example> = None;
    for (states, symbols) in contexts::of(automaton, conflict, MAX_CONTEXTS) {
        let mut machine = Machine::new(automaton, own_room);
        let stack = machine.stack_of(&states, &symbols);
        let reduced = machine.advance(&stack, conflict.terminal, Some(Action::Reduce(conflict.reduce)));
        let others = machine.advance(&stack, conflict.terminal, Some(conflict.other));
        let pairs: Vec<(Stack, Stack)> =
            reduced.iter().flat_map(|one| others.iter().map(|two| (one.clone(), two.clone()))).collect();
        let written = |machine: &Machine<'_, '_, '_>, tree| machine.trees.written(automaton.productions, tree);
        if let Some((one, two)) = unified(&mut machine, conflict.terminal, &pairs) {
            let found = Example::Ambiguous(written(&machine, one), written(&machine, two));
            if best.as_ref().is_none_or(|best| found.is_shorter(best)) {
                best = Some(found);
            }
        } else if best.is_none()
            && let Some((one, two)) = pairs.first()
            && let (Some([first]), Some([second])) = (machine.completed([one]), machine.completed([two]))
        {
            let length = stack.trees.iter().map(|&tree| written(&machine, tree).terminals.len()).sum();
            best = Some(Example::Undecided(written(&machine, first), written(&machine, second), length));
        }
        own_room = machine.room;
    }
    *room -= first_room - own_room;
    best
}

impl Example {
    fn is_shorter(&self, other: &Example) -> bool {
        match (self, other) {
            (Example::Ambiguous(one, _), Example::Ambiguous(other, _)) => one.terminals.len() < other.terminals.len(),
            _ => true,
        }
    }
}

/// Continues pairs of stacks until both are the same, and returns the trees of the whole sentence.
fn unified(machine: &mut Machine<'_, '_, '_>, last: usize, pairs: &[(Stack, Stack)]) -> Option<(usize, usize)> {
    let end = machine.automaton.productions.end();
    let mut known: HashSet<(Vec<usize>, Vec<usize>)> = HashSet::new();
    let mut waiting: VecDeque<(Stack, Stack, usize)> = VecDeque::new();
    let mut count = 0;
    let mut check =
        |machine: &mut Machine<'_, '_, '_>, one: Stack, two: Stack, terminal, read, waiting: &mut VecDeque<_>| {
            if one.states == two.states {
                if terminal == end {
                    return one.trees.first().copied().zip(two.trees.first().copied());
                }
                if let Some([one, two]) = machine.completed([&one, &two]) {
                    return Some((one, two));
                }
            } else if terminal != end && known.insert((one.states.clone(), two.states.clone())) {
                waiting.push_back((one, two, read));
            }
            None
        };
    for (one, two) in pairs.iter().cloned() {
        if let Some(found) = check(machine, one, two, last, 1, &mut waiting) {
            return Some(found);
        }
    }
    while let Some((one, two, read)) = waiting.pop_front() {
        count += 1;
        if count > MAX_PAIRS || read > MAX_TERMINALS || machine.room == 0 {
            return None;
        }
        let others = machine.possible(&two);
        let mut terminals = machine.possible(&one);
        terminals.retain(|terminal| others.contains(terminal));
        // The end first: it makes the shortest sentence.
        terminals.reverse();
        for terminal in terminals {
            let after = machine.advance(&one, terminal, None);
            let after_other = if after.is_empty() { Vec::new() } else { machine.advance(&two, terminal, None) };
            for first in &after {
                for second in &after_other {
                    let found = check(machine, first.clone(), second.clone(), terminal, read + 1, &mut waiting);
                    if found.is_some() {
                        return found;
                    }
                }
            }
        }
    }
    None
}
