//! The variables that an expression needs, except those that it defines itself.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Scope;
use crate::syntax::ast::{
    BodyNode, ExpressionKind, ExpressionNode, ForNames, TemplateNode, TraversalNode, Visitor, Walk,
};
use crate::syntax::index::NodeIndex;

impl<'t> ExpressionNode<'t> {
    /// Returns the variables that evaluating the expression needs, each with the constant path after it, in source
    /// order. A variable that is used twice is listed twice.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = [for x in list: x + y.z[0] if x != k[x]]\n").into_result()?;
    /// let variables = file.body().attribute("a").expect("it is there").expression().variables();
    /// let texts: Vec<_> = variables.iter().map(|path| path.expression().text()).collect();
    /// assert_eq!(texts, ["list", "y.z[0]", "k"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        let mut search = Search::all();
        self.walk(&mut search);
        search.found.paths
    }
}

impl<'t> TemplateNode<'t> {
    /// The variables that evaluating the template needs; see [`ExpressionNode::variables`].
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        let mut search = Search::all();
        self.walk(&mut search);
        search.found.paths
    }
}

impl<'t> BodyNode<'t> {
    /// Returns the variables that the attributes of the body, and of all blocks in it, need; see
    /// [`ExpressionNode::variables`].
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        let mut search = Search::all();
        self.walk(&mut search);
        search.found.paths
    }
}

/// The size of the part of an expression that is searched for the variables of a diagnostic.
const MAX_STEPS: usize = 1_000;

/// The variables that something needs.
#[derive(Default)]
pub(super) struct Used<'t> {
    pub paths: Vec<TraversalNode<'t>>,
    /// The texts of variables that are passed to a call whose result is marked.
    pub concealed: HashSet<&'t str>,
}

/// Returns the first variables that an expression needs, given the functions of a scope.
pub(super) fn first_of<'t>(expression: ExpressionNode<'t>, limit: usize, scope: &Scope<'_>) -> Used<'t> {
    let mut search = Search { limit, steps: MAX_STEPS, scope: Some(scope), ..Search::all() };
    expression.walk(&mut search);
    search.found
}

/// The names that are bound at the current node, and how often each is.
#[derive(Default)]
struct Bound<'t>(HashMap<&'t str, usize>);

impl<'t> Bound<'t> {
    fn has(&self, name: &str) -> bool {
        !self.0.is_empty() && self.0.get(name).is_some_and(|&count| count > 0)
    }
}

/// Collects at most `limit` variables while visiting a limited number of nodes.
struct Search<'s, 't> {
    found: Used<'t>,
    bound: Bound<'t>,
    limit: usize,
    steps: usize,
    /// Without a scope, it is unknown which functions mark their results.
    scope: Option<&'s Scope<'s>>,
    /// The calls around whose results are marked.
    concealing: Vec<NodeIndex>,
    /// True for functions that mark their results, by the name in calls.
    marking: HashMap<Cow<'t, str>, bool>,
}

impl<'s, 't> Search<'s, 't> {
    fn all() -> Self {
        Search {
            found: Used::default(),
            bound: Bound::default(),
            limit: usize::MAX,
            steps: usize::MAX,
            scope: None,
            concealing: Vec::new(),
            marking: HashMap::new(),
        }
    }

    fn step(&mut self) -> Walk {
        if self.found.paths.len() == self.limit || self.steps == 0 {
            return Walk::Stop;
        }
        self.steps -= 1;
        Walk::Into
    }

    /// Notes a call whose result has marks that its arguments do not have.
    fn note_marking(&mut self, expression: ExpressionNode<'t>) {
        if let (Some(scope), ExpressionKind::FunctionCall(call)) = (self.scope, expression.kind()) {
            let name = call.name();
            let marks = *self
                .marking
                .entry(name)
                .or_insert_with_key(|name| scope.function(name).is_some_and(|function| function.is_marking(scope)));
            if marks {
                self.concealing.push(expression.id());
            }
        }
    }
}

impl<'t> Visitor<'t> for Search<'_, 't> {
    fn visit_template(&mut self, _: TemplateNode<'t>) -> Walk {
        self.step()
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        let walk = self.step();
        match expression.kind() {
            ExpressionKind::Traversal(path) if walk == Walk::Into => {
                if !self.bound.has(path.root().text()) {
                    self.found.paths.push(path);
                    if !self.concealing.is_empty() {
                        self.found.concealed.insert(expression.text());
                    }
                }
                // Its children are literals.
                Walk::Over
            }
            _ => {
                self.note_marking(expression);
                walk
            }
        }
    }

    fn leave_expression(&mut self, expression: ExpressionNode<'t>) {
        self.concealing.pop_if(|marking| *marking == expression.id());
    }

    fn enter_scope(&mut self, names: ForNames<'t>) {
        names.iter().for_each(|name| *self.bound.0.entry(name.text()).or_default() += 1);
    }

    fn leave_scope(&mut self, names: ForNames<'t>) {
        names.iter().for_each(|name| *self.bound.0.entry(name.text()).or_default() -= 1);
    }
}
