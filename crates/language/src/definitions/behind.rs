//! The errors that the value of an expression depends on.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::evaluated::Evaluated;
use super::ids::{FrameId, ModuleId, NameId, NodeId};
use super::names::Path;
use super::program::resolve::Site;
use super::program::{NodeKind, Program, Target};
use super::results::names_of;
use super::walk::SourceId;
use hcl_lr::body::Expression;
use hcl_lr::diagnostic::{Code, Diagnostic, Diagnostics};
use hcl_lr::source::{Place, Span};
use hcl_lr::syntax::Traversal;

impl Evaluated {
    /// Returns the errors in the values that an expression needs, directly or through others: what
    /// [`diagnostics`](Self::diagnostics) has of other definitions does not matter for it.
    ///
    /// ```
    /// use hcl_lr::{ConfigFile, Expression, Scope, parse};
    /// use hcl_lr_language::definitions::Definitions;
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let text = "locals {\n  wrong = 1 + \"a\"\n  other = 1 + \"b\"\n  used = [local.wrong]\n}\n";
    /// let roles = Schema::by_name("terraform").expect("it is there").roles();
    /// let definitions = Definitions::of(&roles, [parse::<ConfigFile>(text).into_result()?]).into_result()?;
    /// let evaluated = definitions.evaluate(&Scope::new());
    /// let behind = evaluated.errors_behind(&parse::<Expression>("local.used").into_result()?);
    /// assert_eq!(behind.len(), 1);
    /// assert_eq!(behind.first().expect("an error").place().position().line, 2);
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn errors_behind(&self, expression: &Expression) -> Diagnostics {
        let program = &*self.state().program;
        let mut waiting = asked_nodes(program, expression);
        // A definition that is asked for as a whole is shown with its attributes.
        let members = waiting.iter().flat_map(|&node| match &program[node].kind {
            NodeKind::Object { members, open: true, .. } => &**members,
            _ => &[],
        });
        let members: Vec<NodeId> = members.flat_map(|(_, target)| target.nodes(&program.tables().frames)).collect();
        waiting.extend(members);
        let mut needed = Needed::default();
        let mut seen = HashSet::new();
        while let Some(node) = waiting.pop() {
            if !seen.insert(node) {
                continue;
            }
            waiting.extend(program[node].needs.iter().map(|need| need.node));
            needed.add(program, node);
        }
        needed.sort();
        // At the same place, only some of the calls of a module may have an error.
        let modules: HashSet<ModuleId> = seen.iter().map(|&node| program[node].module).collect();
        let mut of_calls: HashMap<_, bool> = HashMap::new();
        for (module, error) in self.in_modules() {
            *of_calls.entry(kind_of(error)).or_default() |= modules.contains(module);
        }
        let is_needed =
            |found: &&Diagnostic| needed.has(found) && of_calls.get(&kind_of(found)).is_none_or(|is_needed| *is_needed);
        self.diagnostics().iter().filter(is_needed).cloned().collect()
    }
}

/// Returns the place and the words of an error. Those of other calls of a module are at the same place.
fn kind_of(error: &Diagnostic) -> (SourceId, Span, &Code, &str) {
    (SourceId::of(error.place().source()), error.span(), error.code(), error.detail())
}

/// Returns the nodes whose values an expression reads.
fn asked_nodes(program: &Program, expression: &Expression) -> Vec<NodeId> {
    let site = Site { module: ModuleId::ROOT, frame: FrameId::ROOT, block: None };
    let (asked, mut uses, mut results) = (OnceCell::new(), Vec::new(), Vec::new());
    for (index, traversal) in expression.variables().iter().enumerate() {
        let Some(resolved) = program.resolve_known(traversal, site) else {
            results.extend(results_of(program, traversal));
            continue;
        };
        program.add_uses(resolved, site.module, || asked.get_or_init(|| expression.asked()).get(index), &mut uses);
    }
    let mut nodes = results;
    for one in &uses {
        match &one.target {
            Target::Below(at) => add_below(program, *at, &mut nodes),
            target => nodes.extend(target.nodes(&program.tables().frames)),
        }
    }
    nodes
}

/// Returns the nodes of the results that a reference names, such as `output.url` or `output`. Only expressions from
/// outside can name them.
fn results_of(program: &Program, reference: &Traversal) -> Vec<NodeId> {
    let names = Path::of(reference).map(|path| names_of(&path).join(".")).unwrap_or_default();
    let entries = program.tables().definitions.iter().filter(|entry| entry.module == ModuleId::ROOT);
    let is_named = |address: &str| {
        let (short, long) = if address.len() < names.len() { (address, &*names) } else { (&*names, address) };
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    entries.filter(|entry| !entry.has_address && is_named(&entry.address)).map(|entry| entry.node).collect()
}

/// Adds the nodes of everything below a name of the application.
fn add_below(program: &Program, at: NameId, nodes: &mut Vec<NodeId>) {
    let names = &program[ModuleId::ROOT].names;
    let mut waiting = vec![at];
    while let Some(at) = waiting.pop() {
        let name = names.node(at);
        nodes.extend(name.entry.as_ref().map(|entry| entry.node));
        waiting.extend(name.children().map(|(_, child)| child));
    }
}

/// The places in which an error matters.
#[derive(Default)]
struct Needed {
    spans: HashMap<SourceId, Vec<Span>>,
    /// The greatest end of the spans up to each one.
    ends: HashMap<SourceId, Vec<usize>>,
    /// The names of the inputs, whose values may come from elsewhere.
    inputs: HashSet<String>,
}

impl Needed {
    fn add(&mut self, program: &Program, node: NodeId) {
        let entry = &program[node];
        self.place(&entry.place);
        program.expressions_of(node).for_each(|expression| self.place(&expression.place()));
        if let Some(definition) = entry.definition {
            self.place(&program[definition].place);
        }
        if let NodeKind::Input(input) = &entry.kind {
            self.inputs.extend(input.name.clone());
        }
    }

    fn place(&mut self, place: &Place) {
        self.spans.entry(SourceId::of(place.source())).or_default().push(place.span());
    }

    fn sort(&mut self) {
        for (source, spans) in &mut self.spans {
            spans.sort_unstable();
            let ends = spans.iter().scan(0, |most, span| {
                *most = span.end().max(*most);
                Some(*most)
            });
            self.ends.insert(*source, ends.collect());
        }
    }

    fn has(&self, found: &Diagnostic) -> bool {
        let (place, span) = (found.place(), found.span());
        let source = SourceId::of(place.source());
        let Some(spans) = self.spans.get(&source) else {
            // A value from the environment or the command line, whose source is named after the input.
            let name = place.source().name();
            return self.inputs.iter().any(|input| name.ends_with(input.as_str()));
        };
        let before = spans.partition_point(|known| known.start() <= span.start());
        before.checked_sub(1).is_some_and(|last| self.ends[&source][last] >= span.end())
    }
}
