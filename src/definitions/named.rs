//! What the strings that name definitions stand for.

use std::collections::HashSet;

use super::program::{NamedUse, Need, NodeId, NodeKind, Program};
use super::roles::Step;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// Of more names than these the one that was meant is not looked for.
const MAX_NAMES: usize = 2_000;

impl Program {
    /// Finds out which definitions are named. One error for each name that nothing has.
    pub fn resolve_named(&mut self) {
        // Where a block stands for several, what they are called is computed.
        let computed: HashSet<usize> =
            self.definitions.iter().filter(|entry| entry.variables.is_some()).map(|entry| entry.module).collect();
        let mut problems = Diagnostics::new();
        let mut more = Vec::new();
        for at in 0..self.named.len() {
            let one = &self.named[at];
            let target = self.named_by(one);
            let is_pattern = one.name.contains(['*', '?', '[']);
            if target.is_none() && !is_pattern && !computed.contains(&one.module) {
                problems.push(self.not_named(one));
            }
            self.named[at].target = target;
            if let Some(target) = target {
                self.need_named(at, target, &mut more);
            }
        }
        more.sort_by_key(|(from, _)| *from);
        for needs in more.chunk_by(|(one, _), (other, _)| one == other) {
            let node = &mut self.nodes[needs[0].0];
            node.needs = node.needs.iter().chain(needs.iter().map(|(_, need)| need)).cloned().collect();
        }
        self.undefined_names = problems;
    }

    /// The definition that is named.
    fn named_by(&self, one: &NamedUse) -> Option<usize> {
        let names = &self.roles.roles[one.role].options.names[one.names];
        names.targets.iter().find_map(|pattern| {
            let steps = pattern.0.iter().map(|step| match step {
                Step::Name(name) => name.as_str(),
                Step::Label(_) | Step::Attribute => &*one.name,
            });
            let (found, depth) = self.modules[one.module].names.entry_at(steps)?;
            (depth == pattern.0.len()).then_some(found)
        })
    }

    /// What names another definition needs it, if the role says so: an attribute needs the same attribute.
    fn need_named(&self, at: usize, target: usize, more: &mut Vec<(NodeId, Need)>) {
        let one = &self.named[at];
        let names = &self.roles.roles[one.role].options.names[one.names];
        if !names.needs {
            return;
        }
        let same = self.definitions[target].members.iter().find(|member| *member.name == *names.attribute);
        let (from, to) = match (one.member, same) {
            (Some(from), Some(member)) => (from, member.node),
            // It has no such attribute, and so needs nothing itself.
            (Some(_), None) => return,
            (None, _) => (self.definitions[one.definition].node, self.definitions[target].node),
        };
        // What another block says in its place does not count.
        if !matches!(self.nodes[from].kind, NodeKind::Later) {
            let place = Some(one.place.clone());
            more.push((from, Need { node: to, place }));
        }
    }

    fn not_named(&self, one: &NamedUse) -> Diagnostic {
        let names = &self.roles.roles[one.role].options.names[one.names];
        let mut addresses: Vec<String> = Vec::new();
        for pattern in &names.targets {
            let step = |step: &Step| match step {
                Step::Name(name) => name.clone(),
                Step::Label(_) | Step::Attribute => one.name.to_string(),
            };
            addresses.push(pattern.0.iter().map(step).collect::<Vec<_>>().join("."));
        }
        let candidates = || {
            let within = names.targets.iter().flat_map(|pattern| {
                let before = pattern.0.iter().map_while(|step| match step {
                    Step::Name(name) => Some(name.as_str()),
                    Step::Label(_) | Step::Attribute => None,
                });
                self.modules[one.module].names.below(before, MAX_NAMES)
            });
            let mut candidates: Vec<&str> = within.collect();
            candidates.sort_unstable();
            candidates
        };
        let detail = format!("nothing is defined as {}", addresses.join(" or "));
        let error = Diagnostic::error(Code::UndefinedName, &one.place, detail);
        self.suggest(error, &one.name, &one.place, candidates)
    }
}
