//! Resolves strings that name definitions.

use std::collections::HashSet;
use std::ops::Range;

use super::{NamedUse, Need, NodeKind, Program};
use crate::definitions::ids::{DefinitionId, ModuleId, NameId, NodeId};
use crate::definitions::string_references::Reading;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::{Place, Span};

/// The number of names above which similar names are not searched.
const MAX_NAMES: usize = 2_000;

impl Program {
    /// Resolves the strings that name definitions. Reports one error for each name that is not defined.
    pub fn resolve_named(&mut self) {
        // If a block stands for several, their names are computed.
        let computed: HashSet<ModuleId> = self
            .tables
            .definitions
            .iter()
            .filter(|entry| entry.variables.is_some())
            .map(|entry| entry.module)
            .collect();
        let mut problems = Diagnostics::new();
        let mut more = Vec::new();
        for at in 0..self.named.len() {
            let one = &self.named[at];
            let target = self.named_by(one);
            let is_pattern = one.name.contains(['*', '?', '[']);
            let is_sure = !is_pattern && !one.names.optional && !computed.contains(&one.module);
            if target.is_none()
                && is_sure
                && let Some(problem) = self.not_named(one)
            {
                problems.push(problem);
            }
            let Some((target, name)) = target else { continue };
            let one = &mut self.named[at];
            one.target = Some(target);
            // Up to the name the string must be written as it is: an index behind it may be escaped.
            let written = one.place.text();
            let quote = usize::from(written.starts_with('"'));
            if written[quote..].starts_with(&one.name[..name.end]) {
                let start = one.place.span().start() + quote;
                let span = Span::new(start + name.start, start + name.end);
                one.name_place = Place::new(one.place.source(), span);
                one.place = Place::new(one.place.source(), Span::new(start, one.place.span().end()));
            }
            self.need_named(at, target, &mut more);
        }
        sort_by_key(&mut more, |(from, _)| *from);
        for needs in more.chunk_by(|(one, _), (other, _)| one == other) {
            let node = &mut self[needs[0].0];
            node.needs = node.needs.iter().chain(needs.iter().map(|(_, need)| need)).cloned().collect();
        }
        self.undefined_names = problems;
    }

    /// The definition that is named, and where in the string its name is.
    fn named_by(&self, one: &NamedUse) -> Option<(DefinitionId, Range<usize>)> {
        let is_address = one.names.is_address();
        one.names.readings(&one.name).into_iter().find_map(|steps| {
            let names = steps.iter().map(|(step, _)| *step);
            let (found, depth) = self[one.module].names.entry_at(NameId::ROOT, names)?;
            let names: Vec<&str> = steps[..depth].iter().map(|(step, _)| *step).collect();
            let at = self.roles.roles[self[found].role].name_step(&names).unwrap_or(depth - 1);
            let name = steps[at].1.clone()?;
            (is_address || depth == steps.len()).then_some((found, name))
        })
    }

    /// Adds the need of a definition that names another one, if the role says so: an attribute needs the same
    /// attribute.
    fn need_named(&self, at: usize, target: DefinitionId, more: &mut Vec<(NodeId, Need)>) {
        let one = &self.named[at];
        let Some(definition) = one.definition.filter(|_| one.names.needs) else { return };
        let same = self[target].members.iter();
        let same = same.into_iter().find(|member| Some(&*member.name) == one.names.attribute.as_deref());
        let (from, to) = match (one.member, same) {
            (Some(from), Some(member)) => (from, member.node),
            // It has no such attribute, and so needs nothing itself.
            (Some(_), None) => return,
            (None, _) => (self[definition].node, self[target].node),
        };
        // A value that another block replaces does not count.
        if !matches!(self[from].kind, NodeKind::Later) {
            let place = Some(one.place.clone());
            more.push((from, Need { node: to, place }));
        }
    }

    /// The error for a string that names nothing; `None` if what it may name is not defined in these files at all.
    fn not_named(&self, one: &NamedUse) -> Option<Diagnostic> {
        let module = &self[one.module];
        let readings = one.names.readings(&one.name);
        if one.names.is_address() {
            let steps = readings.first().map(|steps| steps.iter().map(|(step, _)| *step));
            let is_later = |name: &String| {
                one.name.strip_prefix(&**name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            if !module.names.lacks(steps?) || self.roles.later.iter().any(is_later) {
                return None;
            }
        }
        let address = |steps: &Reading<'_>| steps.iter().map(|(step, _)| *step).collect::<Vec<_>>().join(".");
        let addresses: Vec<String> = readings.iter().map(address).collect();
        let candidates = || {
            let within = one.names.beginnings().flat_map(|before| module.names.below(before, MAX_NAMES));
            let mut candidates: Vec<&str> = within.collect();
            candidates.sort_unstable();
            candidates
        };
        if addresses.is_empty() {
            return None;
        }
        let detail = format!("nothing is defined as {}", addresses.join(" or "));
        // An address is a reference, in quotes or not.
        let code = if one.names.is_address() { Code::UnknownVariable } else { Code::UndefinedName };
        let error = Diagnostic::error(code, &one.place, detail);
        Some(self.suggest(error, &one.name, &one.place, candidates))
    }
}
