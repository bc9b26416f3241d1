//! References to the results of modules: `module.network.subnets` in a caller refers to the result `subnets`.
//!
//! Between the call and the result there may be an index, a splat, a loop or a function:
//! `[for one in module.network : one.subnets]`. So the expressions are walked with the shape of each part that leads
//! to a call: all blocks that a repeated call stands for, or one of them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ids::DefinitionId;
use super::names::{Path, text_of};
use super::program::Program;
use super::program::resolve::Site;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::Traversal;
use hcl_lr::syntax::ast::{self, AccessStep, ExpressionKind, ExpressionNode, ForNames, TraversalNode, Visitor};

/// The number of links of a chain of indexes and calls that are searched for a call of a module.
const MAX_LINKS: usize = 32;

/// The results of the modules that are called, by the definitions that are the calls.
pub(super) type Results<'p> = HashMap<DefinitionId, HashMap<&'p str, DefinitionId>>;

/// Returns the results by the calls.
pub(super) fn results_of(program: &Program) -> Results<'_> {
    let mut all = Results::new();
    for module in &program.tables().modules {
        let Some(call) = module.call else { continue };
        let results = module.results.iter();
        let results = results.filter_map(|(name, node)| Some((&**name, program[*node].definition?)));
        all.entry(call).or_default().extend(results);
    }
    all
}

/// A part of an expression that leads to the call of a module.
#[derive(Clone, Copy)]
struct Shape {
    call: DefinitionId,
    /// True if it is the whole of a repeated call.
    many: bool,
    /// The start of the reference to the call, which identifies it.
    start: usize,
}

/// A reference to a result.
pub(super) struct ResultReference {
    pub result: DefinitionId,
    pub place: Place,
    pub name: Place,
}

/// A walk over an expression that finds references to results.
pub(super) struct ResultWalk<'w, 't> {
    program: &'w Program,
    results: &'w Results<'w>,
    site: Site,
    source: Arc<Source>,
    /// The names that the expression defines at the place reached.
    bound: Vec<(&'t str, Option<Shape>)>,
    /// The places of the operators of the enclosing splats, and their elements.
    items: Vec<(usize, Option<Shape>)>,
    /// The places of names that the expression defines, if steps follow.
    continued: HashSet<usize>,
    found: Found,
}

/// The references to results in an expression.
#[derive(Default)]
pub(super) struct Found {
    pub references: Vec<ResultReference>,
    /// The places of references to calls that are only used by results with their names.
    pub by_name: HashSet<Place>,
    /// The places of references to calls whose blocks are used as a whole.
    wholes: HashSet<Place>,
}

impl<'w, 't> ResultWalk<'w, 't> {
    pub fn new(program: &'w Program, results: &'w Results<'w>, site: Site, source: &Arc<Source>) -> Self {
        ResultWalk {
            program,
            results,
            site,
            source: source.clone(),
            bound: Vec::new(),
            items: Vec::new(),
            continued: HashSet::new(),
            found: Found::default(),
        }
    }

    /// Returns the findings.
    pub fn finish(mut self) -> Found {
        self.found.by_name.retain(|place| !self.found.wholes.contains(place));
        self.found
    }

    /// Returns the place of a reference to a call.
    fn place(&self, shape: Shape) -> Place {
        Place::new(&self.source, Span::new(shape.start, shape.start))
    }

    /// The shape of an expression, if it leads to a call.
    fn shape(&self, expression: ExpressionNode<'t>, links: usize) -> Option<Shape> {
        if links > MAX_LINKS {
            return None;
        }
        match expression.kind() {
            ExpressionKind::Traversal(path) => {
                let (shape, depth) = self.start(path)?;
                after(shape, path.steps().skip(depth))
            }
            ExpressionKind::RelativeTraversal(path) => after(self.shape(path.source(), links + 1)?, path.steps()),
            ExpressionKind::Index(index) => {
                let shape = self.shape(index.collection(), links + 1)?;
                shape.many.then_some(Shape { many: false, ..shape })
            }
            ExpressionKind::Splat(splat) if matches!(splat.each().kind(), ExpressionKind::SplatItem) => {
                let shape = self.shape(splat.source(), links + 1)?;
                Some(Shape { many: true, ..shape })
            }
            // The source of an inner splat may be an element of an outer one.
            ExpressionKind::SplatItem => {
                let start = expression.span().start();
                self.items.iter().rev().find(|(operator, _)| *operator <= start)?.1
            }
            ExpressionKind::Parentheses(inner) => self.shape(inner.inner(), links + 1),
            ExpressionKind::FunctionCall(call) => {
                let many = match &*call.name() {
                    "values" | "tolist" | "reverse" | "slice" | "try" => true,
                    "one" | "element" | "lookup" => false,
                    _ => return None,
                };
                let shape = self.shape(call.arguments().next()?, links + 1)?;
                shape.many.then_some(Shape { many, ..shape })
            }
            _ => None,
        }
    }

    /// The call with which a path begins, and how many of its steps lead there.
    fn start(&self, path: TraversalNode<'t>) -> Option<(Shape, usize)> {
        let root = path.root().text();
        if let Some((_, shape)) = self.bound.iter().rev().find(|(name, _)| *name == root) {
            return Some(((*shape)?, 0));
        }
        let traversal = Traversal::from(path);
        let resolved = self.program.resolve_known(&traversal, self.site)?;
        let call = resolved.definition.filter(|call| self.results.contains_key(call))?;
        let many = self.program.is_many(self.program[call].repeated);
        let start = path.root().span().start();
        Some((Shape { call, many, start }, resolved.depth - 1))
    }

    /// Notes the result that steps lead to.
    fn steps(&mut self, shape: Shape, steps: impl Iterator<Item = AccessStep<'t>>, start: usize) {
        let mut shape = shape;
        for step in steps {
            let name = match step {
                AccessStep::Attribute(name) => Some((name.text().to_owned(), name.span())),
                AccessStep::Index(key) => text_of(key).map(|name| (name.into_owned(), key.span())),
                _ => None,
            };
            if shape.many {
                let is_index = !matches!(step, AccessStep::Attribute(_));
                if !is_index {
                    return;
                }
                shape.many = false;
                continue;
            }
            let Some((name, span)) = name else { return };
            self.found.by_name.insert(self.place(shape));
            if let Some(&result) = self.results.get(&shape.call).and_then(|results| results.get(&*name)) {
                let end = step.span().end();
                let place = Place::new(&self.source, Span::new(start.min(span.start()), end));
                self.found.references.push(ResultReference { result, place, name: Place::new(&self.source, span) });
            }
            return;
        }
    }

    /// Looks at one link of a chain of accesses.
    fn link(&mut self, expression: ExpressionNode<'t>) {
        match expression.kind() {
            ExpressionKind::Traversal(path) => {
                let Some((shape, depth)) = self.start(path) else { return };
                let is_bound = self.bound.iter().any(|(name, _)| *name == path.root().text());
                let begins = path.root().span().start();
                if is_bound && path.steps().len() == 0 && !self.continued.contains(&begins) {
                    self.found.wholes.insert(self.place(shape));
                }
                self.steps(shape, path.steps().skip(depth), begins);
            }
            ExpressionKind::RelativeTraversal(path) => {
                self.continued.insert(path.source().span().start());
                let Some(shape) = self.shape(path.source(), 0) else { return };
                self.steps(shape, path.steps(), usize::MAX);
            }
            ExpressionKind::FunctionCall(call) => {
                // Neither looks at what is in the blocks.
                if matches!(&*call.name(), "length" | "keys")
                    && let Some(shape) = call.arguments().next().and_then(|argument| self.shape(argument, 0))
                {
                    self.found.by_name.insert(self.place(shape));
                }
            }
            _ => {}
        }
    }

    /// Returns the shape of the elements that a loop visits.
    fn element_of(&mut self, collection: ExpressionNode<'t>) -> Option<Shape> {
        let shape = self.shape(collection, 0).filter(|shape| shape.many)?;
        self.found.by_name.insert(self.place(shape));
        Some(Shape { many: false, ..shape })
    }
}

/// Returns the shape after steps.
fn after<'t>(shape: Shape, mut steps: impl Iterator<Item = AccessStep<'t>>) -> Option<Shape> {
    match (steps.next(), steps.next()) {
        (None, _) => Some(shape),
        (Some(AccessStep::Index(_) | AccessStep::LegacyIndex(_)), None) if shape.many => {
            Some(Shape { many: false, ..shape })
        }
        _ => None,
    }
}

impl<'t> Visitor<'t> for ResultWalk<'_, 't> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> ast::Walk {
        self.link(expression);
        if let ExpressionKind::Splat(splat) = expression.kind() {
            let shape = self.shape(splat.source(), 0);
            let item = shape.map(|shape| Shape { many: false, ..shape });
            self.items.push((splat.operator_span().start(), item));
        }
        ast::Walk::Into
    }

    fn leave_expression(&mut self, expression: ExpressionNode<'t>) {
        if let ExpressionKind::Splat(_) = expression.kind() {
            self.items.pop();
        }
    }

    fn enter_scope(&mut self, names: ForNames<'t>) {
        let element = self.element_of(names.collection);
        self.bound.extend(names.key.map(|key| (key.text(), None)));
        self.bound.push((names.value.text(), element));
    }

    fn leave_scope(&mut self, names: ForNames<'t>) {
        self.bound.truncate(self.bound.len() - names.iter().count());
    }
}

/// Returns the names at the start of a path, up to the first index that is not a name.
pub(super) fn names_of<'t>(path: &'t Path<'_>) -> Vec<&'t str> {
    path.segments.iter().map_while(|segment| segment.name.as_deref()).collect()
}
