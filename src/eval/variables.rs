//! The variables that an expression needs, without those that it defines itself.

use std::collections::{HashMap, HashSet};

use super::Scope;
use super::for_expr::Names;
use crate::syntax::ast::{
    BodyItem, BodyNode, ExpressionKind, ExpressionNode, ObjectKey, TemplateNode, TemplatePart, TraversalNode,
};

impl<'t> ExpressionNode<'t> {
    /// The variables that evaluating the expression needs, each with the constant path after it,
    /// in source order; one that is used twice is listed twice.
    ///
    /// ```
    /// let file = hcl_lr::parse("a = [for x in list: x + y.z[0] if x != k[x]]\n").into_result()?;
    /// let variables = file.body().attribute("a").expect("it is there").expression().variables();
    /// let texts: Vec<_> = variables.iter().map(|path| path.expression().text()).collect();
    /// assert_eq!(texts, ["list", "y.z[0]", "k"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        search(Item::Expression(self), usize::MAX, usize::MAX, None).paths
    }
}

impl<'t> TemplateNode<'t> {
    /// The variables that evaluating the template needs; see [`ExpressionNode::variables`].
    ///
    /// ```
    /// let template = hcl_lr::parse_template("${a}%{ for b in c }${b}%{ endfor }").into_result()?;
    /// assert_eq!(template.as_template().expect("a template").variables().len(), 2);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        search(Item::Template(self), usize::MAX, usize::MAX, None).paths
    }
}

impl<'t> BodyNode<'t> {
    /// The variables that the attributes of the body and of all blocks in it need; see
    /// [`ExpressionNode::variables`].
    ///
    /// ```
    /// let file = hcl_lr::parse("a = b\nc {\n  d = e.f\n}\n").into_result()?;
    /// assert_eq!(file.body().variables().len(), 2);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn variables(self) -> Vec<TraversalNode<'t>> {
        search(Item::Body(self), usize::MAX, usize::MAX, None).paths
    }
}

/// How much of an expression is looked at to find the variables for a diagnostic.
const MAX_STEPS: usize = 1_000;

/// The variables that something needs.
#[derive(Default)]
pub(super) struct Used<'t> {
    pub paths: Vec<TraversalNode<'t>>,
    /// The texts of those that go into a call whose result is marked.
    pub concealed: HashSet<&'t str>,
}

/// The first variables that an expression needs, with the functions of a scope.
pub(super) fn first_of<'t>(expression: ExpressionNode<'t>, limit: usize, scope: &Scope<'_>) -> Used<'t> {
    search(Item::Expression(expression), limit, MAX_STEPS, Some(scope))
}

/// What is still to be looked at.
enum Item<'t> {
    Body(BodyNode<'t>),
    Expression(ExpressionNode<'t>),
    Template(TemplateNode<'t>),
    /// From here on these names are defined by the expression itself.
    Bind(Names<'t>),
    /// And from here on no more.
    Unbind(usize),
    /// From here on all goes into a call whose result is marked.
    Conceal,
    /// And from here on no more.
    Reveal,
}

/// The names that are defined at the place reached, and how often each of them.
#[derive(Default)]
struct Bound<'t> {
    names: Vec<&'t str>,
    counts: HashMap<&'t str, usize>,
}

impl<'t> Bound<'t> {
    fn add(&mut self, names: Names<'t>) {
        for name in names.key.into_iter().chain([names.value]) {
            self.names.push(name);
            *self.counts.entry(name).or_default() += 1;
        }
    }

    /// Takes the last ones away.
    fn remove(&mut self, count: usize) {
        for name in self.names.drain(self.names.len().saturating_sub(count)..) {
            self.counts.entry(name).and_modify(|count| *count -= 1);
        }
    }

    fn has(&self, name: &str) -> bool {
        !self.names.is_empty() && self.counts.get(name).is_some_and(|&count| count > 0)
    }
}

/// A list of work instead of recursion: trees may be deep, and this runs for diagnostics too.
/// Without a scope, nothing is known of the functions that put on marks.
fn search<'t>(start: Item<'t>, limit: usize, steps: usize, scope: Option<&Scope<'_>>) -> Used<'t> {
    let (mut found, mut concealing) = (Used::default(), 0_usize);
    let mut bound = Bound::default();
    let mut waiting = vec![start];
    let mut next = Vec::new();
    for _ in 0..steps {
        let Some(item) = waiting.pop() else { break };
        if found.paths.len() == limit {
            break;
        }
        match item {
            Item::Body(body) => next.extend(body.items().filter_map(|item| match item {
                BodyItem::Attribute(attribute) => Some(Item::Expression(attribute.expression())),
                BodyItem::Block(block) => Some(Item::Body(block.body())),
                BodyItem::Error(_) => None,
            })),
            Item::Bind(names) => bound.add(names),
            Item::Unbind(count) => bound.remove(count),
            Item::Conceal => concealing += 1,
            Item::Reveal => concealing -= 1,
            Item::Template(template) => parts(template, &mut next),
            Item::Expression(expression) => {
                if let ExpressionKind::Traversal(path) = expression.kind() {
                    if !bound.has(path.root().text()) {
                        found.paths.push(path);
                        if concealing > 0 {
                            found.concealed.insert(expression.text());
                        }
                    }
                } else if scope.is_some_and(|scope| is_marking(expression, scope)) {
                    next.push(Item::Conceal);
                    parts_of(expression, &mut next);
                    next.push(Item::Reveal);
                } else {
                    parts_of(expression, &mut next);
                }
            }
        }
        waiting.extend(next.drain(..).rev());
    }
    found
}

/// Returns true for a call whose result has marks that its arguments do not have.
fn is_marking(expression: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::FunctionCall(call) => {
            scope.function(&call.name()).is_some_and(|function| function.is_marking(scope))
        }
        _ => false,
    }
}

fn parts_of<'t>(expression: ExpressionNode<'t>, next: &mut Vec<Item<'t>>) {
    let mut add = |part: ExpressionNode<'t>| next.push(Item::Expression(part));
    match expression.kind() {
        ExpressionKind::Template(template) => next.push(Item::Template(template)),
        ExpressionKind::RelativeTraversal(path) => add(path.source()),
        ExpressionKind::Index(index) => [index.collection(), index.key()].into_iter().for_each(add),
        ExpressionKind::Splat(splat) => [splat.source(), splat.each()].into_iter().for_each(add),
        ExpressionKind::FunctionCall(call) => call.arguments().for_each(add),
        ExpressionKind::Tuple(tuple) => tuple.elements().for_each(add),
        ExpressionKind::Object(object) => object.elements().for_each(|element| {
            if let ObjectKey::Expression(key) = element.key() {
                add(key);
            }
            add(element.value());
        }),
        ExpressionKind::For(for_expr) => {
            add(for_expr.collection());
            let names =
                Names { key: for_expr.key_variable().map(|name| name.text()), value: for_expr.value_variable().text() };
            next.push(Item::Bind(names));
            let inner = [for_expr.key(), Some(for_expr.value()), for_expr.condition()];
            next.extend(inner.into_iter().flatten().map(Item::Expression));
            next.push(Item::Unbind(1 + usize::from(names.key.is_some())));
        }
        ExpressionKind::Conditional(conditional) => {
            [conditional.predicate(), conditional.true_result(), conditional.false_result()].into_iter().for_each(add);
        }
        ExpressionKind::Binary(operation) => [operation.left(), operation.right()].into_iter().for_each(add),
        ExpressionKind::Unary(operation) => add(operation.operand()),
        ExpressionKind::Parentheses(parentheses) => add(parentheses.inner()),
        // These have no parts.
        ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => {}
        ExpressionKind::Traversal(_) | ExpressionKind::SplatItem | ExpressionKind::Error(_) => {}
    }
}

fn parts<'t>(template: TemplateNode<'t>, next: &mut Vec<Item<'t>>) {
    for part in template.parts() {
        match part {
            TemplatePart::Literal(..) => {}
            TemplatePart::Interpolation(expression) => next.push(Item::Expression(expression)),
            TemplatePart::If(directive) => {
                next.push(Item::Expression(directive.predicate()));
                next.push(Item::Template(directive.true_part()));
                next.extend(directive.false_part().map(Item::Template));
            }
            TemplatePart::For(directive) => {
                next.push(Item::Expression(directive.collection()));
                let key = directive.key_variable().map(|name| name.text());
                next.push(Item::Bind(Names { key, value: directive.value_variable().text() }));
                next.push(Item::Template(directive.body()));
                next.push(Item::Unbind(1 + usize::from(key.is_some())));
            }
        }
    }
}
