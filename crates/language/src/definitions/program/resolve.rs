//! Resolves the references of expressions.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Need, Node, NodeKind, Program, Repetition, Target, Use};
use crate::definitions::ids::{DefinitionId, FrameId, Id, ModuleId, NameId, NodeId};
use crate::definitions::names::{Found, NameEntry, Parts, Path};
use hcl_lr::body::Expression;
use hcl_lr::internal::sort_by;
use std::sync::atomic::Ordering;

use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::internal::calls_in;
use hcl_lr::internal::used_parts::UsedParts;
use hcl_lr::source::Place;
use hcl_lr::syntax::Traversal;

/// The number of errors for which similar names are searched. Each search visits all names.
const MAX_ADVICE: u32 = 200;

/// The number of names of a reference that can stand for its own text.
const MAX_TEXT_STEPS: usize = 8;

/// The position of an expression, as far as it determines its scope.
#[derive(Clone, Copy)]
pub(in crate::definitions) struct Site {
    pub module: ModuleId,
    pub frame: FrameId,
    /// The definition that is the block around it.
    pub block: Option<DefinitionId>,
}

/// The target of a traversal.
pub(in crate::definitions) struct Resolved {
    pub target: Use,
    /// The definition.
    pub definition: Option<DefinitionId>,
    /// The number of segments that lead to the definition.
    pub depth: usize,
    pub problem: Option<Diagnostic>,
    /// If it is a block as a whole, whose attributes can be evaluated one by one: what may be said about them after all.
    whole: Option<Whole>,
}

/// A block that is referred to as a whole, or all that it is repeated for.
struct Whole {
    parts: Arc<Parts>,
    repeated: Option<FrameId>,
    /// True if it is one instance of the block.
    is_one: bool,
}

impl Program {
    /// Adds the similar name that was probably meant to an error. Only the first errors are worth the search.
    pub fn suggest<'c>(
        &self,
        diagnostic: Diagnostic,
        name: &str,
        written: &Place,
        candidates: impl FnOnce() -> Vec<&'c str>,
    ) -> Diagnostic {
        if self.advised.fetch_add(1, Ordering::Relaxed) >= MAX_ADVICE {
            return diagnostic;
        }
        diagnostic.with_similar(name, written, candidates())
    }

    /// Resolves the references of each node to the nodes that it needs.
    pub fn resolve(&mut self) -> Diagnostics {
        let mut by_module: HashMap<ModuleId, HashMap<Box<str>, NodeId>> = HashMap::new();
        for own in &self.tables.functions {
            by_module.entry(own.module).or_default().insert(own.name.clone(), own.node);
        }
        let none = HashMap::new();
        let has_later = self.roles.has_later_namespaces();
        let mut later_calls = std::mem::take(&mut self.later_calls);
        let mut index = 0;
        let mut problems = Diagnostics::new();
        let (mut uses, mut needs) = (Vec::new(), Vec::new());
        let mut seen = HashSet::<NodeId, foldhash::fast::RandomState>::default();
        // Nodes for all that is below a name are added on the way.
        while index < self.tables.nodes.len() {
            let at = NodeId::new(index);
            index += 1;
            let node = &self[at];
            let site = Site { module: node.module, frame: node.frame, block: node.block };
            let functions = by_module.get(&site.module).unwrap_or(&none);
            let sees_calls = !functions.is_empty() || has_later;
            let own = match &node.kind {
                NodeKind::Function(number) => Some(self[*number].clone()),
                _ => None,
            };
            let mut next = usize::from(matches!(node.kind, NodeKind::Expression { alone: true, .. }));
            let apart = matches!(node.kind, NodeKind::Expression { apart: true, .. });
            loop {
                let Some(expression) = self.expressions_of(at).nth(next).cloned() else { break };
                let expression = &expression;
                next += 1;
                let calls = if sees_calls { calls_in(expression) } else { HashSet::new() };
                let later = calls.iter().filter(|name| self.roles.is_later_function(name));
                later_calls.extend(later.cloned());
                let asked = OnceCell::new();
                for (index, traversal) in expression.variables().into_iter().enumerate() {
                    if own.as_ref().is_some_and(|own| own.definition.parameters().any(|name| name == traversal.root()))
                    {
                        continue;
                    }
                    if let NodeKind::Stored(stored) = &self[at].kind
                        && stored.has_iterator(traversal.root())
                    {
                        continue;
                    }
                    let Some(mut resolved) = self.resolve_traversal(&traversal, site) else { continue };
                    problems.extend(resolved.problem.take().filter(|_| !apart));
                    let place = traversal.place();
                    if let Some(definition) = resolved.definition.filter(|&definition| self.is_whole(definition)) {
                        let node = self[definition].node;
                        self.needs_of_wholes.push((at, Need { node, place: Some(place.clone()) }));
                    }
                    let asked = || asked.get_or_init(|| expression.asked()).get(index);
                    let start = uses.len();
                    self.add_uses(resolved, site.module, asked, &mut uses);
                    for node in uses[start..].iter().flat_map(|usage| usage.target.nodes(&self.tables.frames)) {
                        needs.push(Need { node, place: Some(place.clone()) });
                    }
                }
                if functions.is_empty() {
                    continue;
                }
                needs.extend(
                    calls
                        .iter()
                        .filter_map(|name| Some(Need { node: *functions.get(name)?, place: Some(expression.place()) })),
                );
            }
            self.add_inner_needs(at, &mut needs);
            // A node that is needed twice is needed once.
            if needs.len() > 1 {
                seen.clear();
                needs.retain(|need: &Need| seen.insert(need.node));
            }
            sort_by(&mut uses, Use::by_path);
            let node = &mut self[at];
            // They are kept, so they get no more room than they need.
            (node.uses, node.needs) = (uses.drain(..).collect(), needs.drain(..).collect());
        }
        self.later_calls = later_calls;
        problems
    }

    /// Returns the expressions that a node evaluates.
    pub fn expressions_of(&self, node: NodeId) -> impl Iterator<Item = &Expression> {
        let (first, second) = match &self[node].kind {
            NodeKind::Generated(_) => (None, None),
            NodeKind::Expression { expression, .. } | NodeKind::Repeat { expression, .. } => (Some(expression), None),
            NodeKind::Check(check) => (Some(&check.condition), check.message.as_ref()),
            NodeKind::Stored(stored) => (Some(&stored.expression), None),
            NodeKind::Function(number) => (Some(self[*number].definition.result()), None),
            NodeKind::Input(_) | NodeKind::Object { .. } | NodeKind::Later => (None, None),
        };
        let more = match &self[node].kind {
            NodeKind::Generated(generated) => generated.expressions(),
            _ => &[],
        };
        first.into_iter().chain(second).chain(more)
    }

    /// Adds the needs of a node that are not written in an expression.
    fn add_inner_needs(&self, node: NodeId, needs: &mut Vec<Need>) {
        let node = &self[node];
        let need = |node: NodeId| Need { node, place: None };
        match &node.kind {
            NodeKind::Input(input) => needs.extend(input.argument.into_iter().chain(input.default).map(need)),
            NodeKind::Stored(stored) => {
                needs.extend(stored.iterators.iter().filter_map(|(_, node)| Some(need((*node)?))))
            }
            NodeKind::Generated(generated) => needs.extend(generated.written().map(need)),
            // The members of an open object are not needed.
            NodeKind::Object { open: true, .. } => {}
            NodeKind::Object { members, blocks, .. } => {
                needs.extend(members.iter().flat_map(|(_, target)| target.nodes(&self.tables.frames)).map(need));
                needs.extend(blocks.iter().flat_map(|(_, blocks)| blocks.iter().copied()).map(need));
            }
            _ => {}
        }
        // A repeated node waits for the keys of its frame; within another frame for both.
        let mut frame = Some(node.frame);
        while let Some(number) = frame {
            needs.extend(self[number].repeat.map(need));
            frame = self[number].parent;
        }
    }

    /// Resolves a traversal; `None` if these files do not define its variable.
    fn resolve_traversal(&mut self, traversal: &Traversal, site: Site) -> Option<Resolved> {
        let mut resolved = self.resolve_known(traversal, site)?;
        if let Target::Below(at) = resolved.target.target {
            let name = resolved.target.path.join(".");
            resolved.target.target = Target::Node(self.whole(site.module, at, &name));
        }
        Some(resolved)
    }

    /// The same, without creating a node for everything below a name.
    pub fn resolve_known(&self, traversal: &Traversal, site: Site) -> Option<Resolved> {
        let path = Path::of(traversal)?;
        let found = |target: Target, depth: usize, definition: Option<DefinitionId>| {
            let target = Use { path: path.names(depth), target, relies_on_calls: false };
            Some(Resolved { target, definition, depth, problem: None, whole: None })
        };
        if let Some(target) = self.in_block(&path, site) {
            let (target, depth) = target;
            return found(target, depth, None);
        }
        let (prefix, depth, problem) = match self[site.module].names.find(&path) {
            Found::Entry(at, depth) => {
                let names = &self[site.module].names;
                let entry = names.node(at).entry.as_ref()?;
                let (target, count) = self.part_of_entry(entry, depth, &path);
                // The names are those of the definition, and perhaps that of an attribute.
                let mut steps = names.path_to(at);
                let more = path.segments.iter().take(count).skip(depth);
                steps.extend(more.filter_map(|segment| segment.name.as_deref().map(Arc::from)));
                // After an index, the attribute may follow in another way than in the traversal.
                let rest = path.segments.len() - depth;
                let most = usize::from(self.is_many(entry.repeated));
                let whole = entry.parts.as_ref().filter(|_| rest <= most).map(|parts| Whole {
                    parts: parts.clone(),
                    repeated: entry.repeated,
                    is_one: rest == most,
                });
                let target = Use { path: steps.into(), target, relies_on_calls: false };
                return Some(Resolved { target, definition: Some(entry.definition), depth, problem: None, whole });
            }
            Found::Foreign => {
                let given = self.roles.later.iter().any(|name| name == path.root());
                let given = given || self[site.module].variables.contains_key(path.root());
                return match given {
                    true => found(Target::Given, 1, None),
                    false if self.roles.undefined_is_text() => self.text_of(traversal, &path),
                    false => None,
                };
            }
            Found::Later(depth) => return found(Target::Later, depth, None),
            Found::Prefix(prefix, depth) => (prefix, depth, None),
            // There is an error already where only pieces of an expression could be read.
            Found::Nothing(_, depth) if traversal.is_left_out() => return found(Target::Later, depth + 1, None),
            Found::Nothing(prefix, depth) => {
                let name = path.name_at(depth).unwrap_or_default();
                let before = path.names(depth).join(".");
                let place = path.place_of(depth, traversal);
                let detail = format!("nothing is defined as {before}.{name}");
                let error = Diagnostic::error(Code::UnknownVariable, &place, detail);
                let node = self[site.module].names.node(prefix);
                let names = || {
                    // With more names, similar ones are not searched.
                    let few = (node.len() <= 2_000).then(|| node.children().map(|(name, _)| &**name));
                    let mut names: Vec<&str> = few.into_iter().flatten().collect();
                    names.sort_unstable();
                    names
                };
                let error = self.suggest(error, name, &place, names);
                (prefix, depth + 1, Some(error))
            }
        };
        match problem {
            Some(problem) => {
                let mut resolved = found(Target::Later, depth, None)?;
                resolved.problem = Some(problem);
                Some(resolved)
            }
            None => found(Target::Below(prefix), depth, None),
        }
    }

    /// The target of a reference that stands for its own text. One with an index that is no name is only known later.
    fn text_of(&self, traversal: &Traversal, path: &Path<'_>) -> Option<Resolved> {
        let depth = path.segments.iter().take_while(|segment| segment.name.is_some()).count();
        let is_whole = depth == path.segments.len() && depth <= MAX_TEXT_STEPS;
        let (depth, target) = match is_whole {
            true => (depth, Target::Text(format!("${{{}}}", traversal.place().text()).into())),
            false => (1, Target::Later),
        };
        let target = Use { path: path.names(depth), target, relies_on_calls: false };
        Some(Resolved { target, definition: None, depth, problem: None, whole: None })
    }

    /// Adds the uses of a resolved reference. An expression that reads only attributes of a block does not need the
    /// block as a whole, which may only be known later, or need the expression itself.
    pub fn add_uses<'a>(
        &self,
        resolved: Resolved,
        module: ModuleId,
        asked: impl FnOnce() -> Option<&'a Arc<UsedParts>>,
        uses: &mut Vec<Use>,
    ) {
        let Resolved { target: whole, whole: Some(Whole { parts, repeated, is_one }), .. } = resolved else {
            return uses.push(resolved.target);
        };
        let Some(asked) = asked() else { return uses.push(whole) };
        let asked = if is_one { asked.clone() } else { asked.of_elements() };
        let relies_on_calls = asked.relies_on_calls();
        let names = asked.names().filter(|names| {
            let are_there = parts.open || names.iter().all(|name| parts.nodes.contains_key(*name));
            let are_some = repeated.is_some() || !names.is_empty();
            are_there && are_some && !(relies_on_calls && self[module].has_other_functions)
        });
        let Some(names) = names else { return uses.push(whole) };
        let path = whole.path;
        match repeated {
            Some(frame) if names.is_empty() => {
                uses.push(Use { path, target: Target::Instances(frame), relies_on_calls });
            }
            Some(frame) => {
                let part = |name: &str| Target::Part { frame, name: name.into(), node: parts.nodes.get(name).copied() };
                uses.extend(names.iter().map(|name| Use { path: path.clone(), target: part(name), relies_on_calls }));
            }
            None => {
                let target = |name: &str| parts.nodes.get(name).map_or(Target::Later, |&node| Target::Node(node));
                let path = |name: &str| path.iter().cloned().chain([Arc::from(name)]).collect();
                uses.extend(names.iter().map(|name| Use { path: path(name), target: target(name), relies_on_calls }));
            }
        }
    }

    /// Returns the target of a variable that only the block around an expression provides, and the number of segments
    /// that lead to it.
    fn in_block(&self, path: &Path, site: Site) -> Option<(Target, usize)> {
        let block = site.block?;
        let entry = &self[block];
        let options = &self.roles.roles[entry.role].options;
        let root = path.root();
        if let Some(frame) = entry.repeated.filter(|&frame| frame == site.frame) {
            let variable = self.repetition(frame).map_or(Some("each"), Repetition::variable);
            if variable == Some(root) {
                return Some((Target::Iteration(frame), 1));
            }
        }
        if entry.variables.as_ref().is_some_and(|names| names.contains(root)) {
            return Some((Target::Later, 1));
        }
        if options.itself.as_deref() != Some(root) {
            return None;
        }
        let Some(name) = path.name_at(1) else { return Some((Target::Node(entry.node), 1)) };
        match entry.members.iter().find(|member| &*member.name == name) {
            Some(member) => Some((Target::Node(member.node), 2)),
            None => Some(match (self.default_of(entry.node, name), options.open) {
                (Some(node), _) => (Target::Node(node), 2),
                (None, true) => (Target::Later, 2),
                (None, false) => (Target::Absent, 1),
            }),
        }
    }

    /// Returns the node of an attribute of an object that has its default.
    fn default_of(&self, object: NodeId, name: &str) -> Option<NodeId> {
        let NodeKind::Object { members, .. } = &self[object].kind else { return None };
        let (_, target) = members.iter().find(|(member, _)| &**member == name)?;
        match target {
            Target::Node(node) => Some(*node),
            _ => None,
        }
    }

    /// Returns the part of an entry that a path reads, and the number of segments that lead to it.
    fn part_of_entry(&self, entry: &NameEntry, depth: usize, path: &Path<'_>) -> (Target, usize) {
        let Some(frame) = entry.repeated else {
            let Some(parts) = &entry.parts else { return (Target::Node(entry.node), depth) };
            let Some(name) = path.name_at(depth) else { return (Target::Node(entry.node), depth) };
            return match parts.nodes.get(name) {
                Some(&node) => (Target::Node(node), depth + 1),
                None if parts.open => (Target::Later, depth + 1),
                None => (Target::Absent, depth),
            };
        };
        let part = entry.parts.as_ref().zip(path.name_at(depth + usize::from(self.is_many(entry.repeated))));
        match part {
            Some((parts, name)) if parts.open || parts.nodes.contains_key(name) => {
                let node = parts.nodes.get(name).copied();
                (Target::Part { frame, name: name.into(), node }, depth)
            }
            _ => (Target::Collect { frame, node: entry.node }, depth),
        }
    }

    /// Returns the node that is an object of everything below a name.
    fn whole(&mut self, module: ModuleId, at: NameId, path: &str) -> NodeId {
        if let Some(known) = self[module].names.node(at).whole {
            return known;
        }
        let mut children: Vec<(Box<str>, NameId)> =
            self[module].names.node(at).children().map(|(name, at)| (Box::from(&**name), at)).collect();
        children.sort_unstable();
        let mut members = Vec::with_capacity(children.len());
        for (name, child) in children {
            let target = match &self[module].names.node(child).entry {
                Some(NameEntry { repeated: Some(frame), node, .. }) => Target::Collect { frame: *frame, node: *node },
                Some(entry) => Target::Node(entry.node),
                // As deep as the patterns of the roles are long.
                None => Target::Node(self.whole(module, child, &format!("{path}.{name}"))),
            };
            members.push((name, target));
        }
        let node = self.tables.nodes.push(Node {
            kind: NodeKind::Object { members: members.into(), blocks: Box::default(), open: false },
            module,
            frame: self[module].frame,
            uses: Box::default(),
            needs: Box::default(),
            definition: None,
            place: Place::nowhere(),
            block: None,
        });
        self.wholes.insert(node, format!("{}{path}", self[module].prefix));
        self[module].names.node_mut(at).whole = Some(node);
        node
    }
}
