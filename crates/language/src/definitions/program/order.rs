//! Orders definitions by their dependencies, and reports cycles.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Need;
use super::Program;
use crate::definitions::ids::{Id, NodeId, Table};
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Place;

/// The number of steps of a cycle that a message shows.
const MAX_SHOWN: usize = 12;

impl Program {
    /// Sets the order of evaluation, and reports cycles.
    pub fn set_order(&mut self) -> Diagnostics {
        let needs = |node: NodeId| &*self[node].needs;
        let (order, cycles) = components(self.tables.nodes.len(), &needs);
        let known: HashSet<NodeId> = cycles.iter().flatten().copied().collect();
        let mut found: Vec<(NodeId, Diagnostic)> = cycles.into_iter().map(|cycle| self.cycle(cycle, &needs)).collect();
        found.extend(self.cycles_of_wholes(&known));
        self.order = order;
        sort_by_key(&mut found, |(first, _)| *first);
        found.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }

    /// Reports definitions that need each other only if each is taken as a whole, as by different attributes of blocks.
    /// `known` are nodes in cycles that are reported already.
    fn cycles_of_wholes(&self, known: &HashSet<NodeId>) -> Vec<(NodeId, Diagnostic)> {
        if self.needs_of_wholes.is_empty() {
            return Vec::new();
        }
        // All nodes of such a definition become its first one.
        let whole = |node: NodeId| match self[node].definition {
            Some(number) if self.is_whole(number) => self[number].node,
            _ => node,
        };
        let mut needs: Table<NodeId, Vec<Need>> = Table::filled(self.tables.nodes.len(), Vec::new);
        for node in self.tables.nodes.ids() {
            let from = whole(node);
            for need in &self[node].needs {
                let to = whole(need.node);
                // A need within a definition, as by `self`, makes no cycle.
                if to != from || to == need.node && from == node {
                    needs[from].push(Need { node: to, place: need.place.clone() });
                }
            }
        }
        for (node, need) in &self.needs_of_wholes {
            needs[whole(*node)].push(need.clone());
        }
        let known: HashSet<NodeId> = known.iter().map(|&node| whole(node)).collect();
        let needs = |node: NodeId| &*needs[node];
        let (_, cycles) = components(self.tables.nodes.len(), &needs);
        let new = cycles.into_iter().filter(|cycle| !cycle.iter().any(|node| known.contains(node)));
        new.map(|cycle| self.cycle(cycle, &needs)).collect()
    }

    /// One diagnostic for nodes that need each other, with the one that it begins with.
    fn cycle<'n>(&self, mut members: Vec<NodeId>, needs: &dyn Fn(NodeId) -> &'n [Need]) -> (NodeId, Diagnostic) {
        members.sort_unstable();
        // A step that is a definition, rather than all of a block, is better to begin with.
        let first = members.iter().copied().find(|&node| self[node].definition.is_some()).unwrap_or(members[0]);
        let path = shortest_cycle(first, &members, needs);
        let mut steps: Vec<(String, Option<Place>)> = Vec::new();
        for &(node, ref place) in &path {
            let name = self.step_name(node);
            // All of a block and its attributes are one step.
            match steps.last_mut() {
                Some((last, known)) if *last == name => *known = known.take().or_else(|| place.clone()),
                _ => steps.push((name, place.clone())),
            }
        }
        // The same, where the way ends in another part of the block that it began in.
        while steps.len() > 1 && steps[steps.len() - 1].0 == steps[0].0 {
            steps.pop();
        }
        let count = steps.len();
        let mut names: Vec<&str> = steps.iter().take(MAX_SHOWN).map(|(name, _)| name.as_str()).collect();
        if count > MAX_SHOWN {
            names.push("…");
        }
        names.push(&steps[0].0);
        let others = members.iter().filter_map(|&node| self[node].definition);
        let others = others.collect::<HashSet<_>>().len();
        let detail = match count {
            1 => format!("{} depends on itself", steps[0].0),
            2..=MAX_SHOWN => format!("these definitions need each other: {}", names.join(" → ")),
            _ => format!("these {count} definitions need each other: {}", names.join(" → ")),
        };
        let place = self[first].place.clone();
        let mut diagnostic = Diagnostic::error(Code::DefinitionCycle, place, detail);
        for (at, (name, place)) in steps.iter().enumerate().take(MAX_SHOWN) {
            if let Some(place) = place {
                let next = &steps[(at + 1) % count].0;
                diagnostic = diagnostic.with_label(place, format!("{name} needs {next} here"));
            }
        }
        if others > count {
            let help = match others - count {
                1 => "one more definition is in a cycle with these".to_owned(),
                more => format!("{more} more definitions are in cycles with these"),
            };
            diagnostic = diagnostic.with_help(help);
        }
        (first, diagnostic)
    }

    /// Returns the name of a step of a cycle.
    fn step_name(&self, node: NodeId) -> String {
        let Some(entry) = self[node].definition.map(|number| &self[number]) else {
            return self.wholes.get(&node).map_or_else(String::new, |name| format!("all of {name}"));
        };
        let by_attribute = self.roles.roles[entry.role].options.by_attribute;
        match entry.members.iter().find(|member| member.node == node) {
            Some(member) if by_attribute => format!("{}.{}", entry.address, member.name),
            _ => entry.address.to_string(),
        }
    }
}

/// Returns the shortest way from a node to itself, with the place of each reference.
fn shortest_cycle<'n>(
    first: NodeId,
    members: &[NodeId],
    needs: &dyn Fn(NodeId) -> &'n [Need],
) -> Vec<(NodeId, Option<Place>)> {
    let mut before: HashMap<NodeId, (NodeId, Option<Place>)> = HashMap::new();
    let mut waiting = VecDeque::from([first]);
    'search: while let Some(node) = waiting.pop_front() {
        for need in needs(node) {
            if members.binary_search(&need.node).is_err() || before.contains_key(&need.node) {
                continue;
            }
            before.insert(need.node, (node, need.place.clone()));
            if need.node == first {
                break 'search;
            }
            waiting.push_back(need.node);
        }
    }
    let (mut path, mut at) = (Vec::new(), first);
    while let Some((node, place)) = before.get(&at) {
        path.push((*node, place.clone()));
        at = *node;
        if at == first {
            break;
        }
    }
    path.reverse();
    path
}

/// Returns the nodes in an order in which each comes after those that it needs, and the groups of nodes that need each
/// other. This is Tarjan's algorithm for strongly connected components, with a list of work instead of recursion.
fn components<'n>(count: usize, needs: &dyn Fn(NodeId) -> &'n [Need]) -> (Vec<NodeId>, Vec<Vec<NodeId>>) {
    const NEW: usize = usize::MAX;
    let mut index: Table<NodeId, usize> = Table::filled(count, || NEW);
    let mut low: Table<NodeId, usize> = Table::filled(count, || 0);
    let mut on_stack: Table<NodeId, bool> = Table::filled(count, || false);
    let (mut stack, mut order, mut cycles) = (Vec::new(), Vec::with_capacity(count), Vec::new());
    let mut next = 0;
    // Each node that is under way, with how many of its needs have been looked at.
    let mut work: Vec<(NodeId, usize)> = Vec::new();
    for start in (0..count).map(Id::new) {
        if index[start] != NEW {
            continue;
        }
        work.push((start, 0));
        while let Some(&mut (node, ref mut at)) = work.last_mut() {
            if *at == 0 && index[node] == NEW {
                (index[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            hcl_lr::internal::work::step(1);
            if let Some(need) = needs(node).get(*at) {
                *at += 1;
                if index[need.node] == NEW {
                    work.push((need.node, 0));
                } else if on_stack[need.node] {
                    low[node] = low[node].min(index[need.node]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                let at = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let component = stack.split_off(at);
                component.iter().for_each(|&member| on_stack[member] = false);
                let itself = needs(node).iter().any(|need| need.node == node);
                if component.len() == 1 && !itself {
                    order.push(node);
                } else {
                    cycles.push(component);
                }
            }
        }
    }
    (order, cycles)
}
