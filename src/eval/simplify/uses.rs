//! Finds the parts of an expression that depend on something unknown.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::eval::step::step_into;
use crate::eval::{Function, Scope};
use crate::limits::Account;
use crate::stack::with_room;
use crate::syntax::ast::{Child, ExpressionKind, ExpressionNode, ForNames, TemplateNode, TemplatePart, TraversalNode};
use crate::syntax::index::NodeIndex;

/// The dependencies of the nodes of an expression. A node that is neither unknown nor constant depends on known
/// variables and pure functions, and on no variable of an enclosing iteration, so it has a value on its own.
#[derive(Default)]
pub(super) struct Uses {
    open: HashSet<NodeIndex>,
    constant: HashSet<NodeIndex>,
    marking: HashSet<NodeIndex>,
    hiding: HashSet<NodeIndex>,
    /// True if the whole has a value.
    is_closed: bool,
    /// True if the value of the whole may be marked.
    is_hiding: bool,
}

impl Uses {
    /// Finds the dependencies of an expression and everything in it.
    pub fn of_expression(expression: ExpressionNode<'_>, scope: &Scope<'_>, account: &Account) -> Uses {
        let mut search = Search::new(scope, account);
        let used = search.expression(expression);
        Uses { is_closed: !used.open, is_hiding: used.hides, ..search.found }
    }

    /// Finds the dependencies of a template and everything in it.
    pub fn of_template(template: TemplateNode<'_>, scope: &Scope<'_>, account: &Account) -> Uses {
        let mut search = Search::new(scope, account);
        let used = search.template(template);
        Uses { is_closed: !used.open, is_hiding: used.hides, ..search.found }
    }

    /// Returns true if the whole has a value.
    pub fn all_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns true if a node has a value on its own.
    pub fn is_closed(&self, node: NodeIndex) -> bool {
        !self.open.contains(&node)
    }

    /// Returns true if a node may get marks that cannot be seen before everything is known: it uses a marked value, or
    /// calls functions within an iteration that may not have been called yet.
    pub fn may_mark(&self, node: NodeIndex) -> bool {
        self.marking.contains(&node)
    }

    /// Returns true if a node depends on a marked value or on a call that adds marks: its parts must not be shown.
    pub fn hides(&self, node: NodeIndex) -> bool {
        self.hiding.contains(&node)
    }

    /// The same for the whole.
    pub fn all_hidden(&self) -> bool {
        self.is_hiding
    }

    /// Returns true if an expression is written as a value, so that nothing in it is replaced.
    pub fn is_constant(&self, node: NodeIndex) -> bool {
        self.constant.contains(&node)
    }
}

/// The dependencies of a part.
#[derive(Clone, Copy)]
struct Use {
    /// On something unknown, marked, impure, wrong or missing.
    open: bool,
    /// On variables of an iteration: the outermost such iteration.
    binder: u32,
    constant: bool,
    /// On something marked.
    marked: bool,
    /// On a function.
    calls: bool,
    /// On a value that is already marked, or on a call that adds marks.
    hides: bool,
}

const NO_BINDER: u32 = u32::MAX;

impl Use {
    const CONSTANT: Use =
        Use { open: false, binder: NO_BINDER, constant: true, marked: false, calls: false, hides: false };
    const KNOWN: Use = Use { constant: false, ..Use::CONSTANT };
    const OPEN: Use = Use { open: true, ..Use::KNOWN };

    fn and(self, other: Use) -> Use {
        Use {
            open: self.open || other.open,
            binder: self.binder.min(other.binder),
            constant: self.constant && other.constant,
            marked: self.marked || other.marked,
            calls: self.calls || other.calls,
            hides: self.hides || other.hides,
        }
    }

    fn computed(self) -> Use {
        Use { constant: false, ..self }
    }

    /// Seen from outside an iteration.
    fn outside(self, binder: u32) -> Use {
        let outer = if self.binder >= binder { NO_BINDER } else { self.binder };
        Use { binder: outer, marked: self.marked || self.calls, ..self }.computed()
    }
}

/// An iteration, and whether its elements may be marked.
#[derive(Clone, Copy)]
struct Binder {
    number: u32,
    hides: bool,
}

struct Search<'s, 't> {
    scope: &'s Scope<'s>,
    account: &'s Account,
    /// The enclosing iterations, by the names that they bind, outermost first.
    bound: HashMap<&'t str, Vec<Binder>>,
    /// The splats around.
    splats: Vec<Binder>,
    binders: u32,
    /// The functions that were looked up, and whether they add marks.
    functions: HashMap<String, bool>,
    found: Uses,
}

impl<'s, 't> Search<'s, 't> {
    fn new(scope: &'s Scope<'s>, account: &'s Account) -> Self {
        Search {
            scope,
            account,
            bound: HashMap::new(),
            splats: Vec::new(),
            binders: 0,
            functions: HashMap::new(),
            found: Uses::default(),
        }
    }

    fn note(&mut self, node: NodeIndex, used: Use) -> Use {
        if used.open || used.binder != NO_BINDER {
            self.found.open.insert(node);
        } else if used.constant {
            self.found.constant.insert(node);
        }
        if used.marked {
            self.found.marking.insert(node);
        }
        if used.hides {
            self.found.hiding.insert(node);
        }
        used
    }

    fn expression(&mut self, expression: ExpressionNode<'t>) -> Use {
        let used = match expression.kind() {
            _ if !self.account.step() => Use::OPEN,
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => Use::CONSTANT,
            ExpressionKind::Traversal(path) => self.path(path),
            ExpressionKind::SplatItem => match self.splats.last() {
                Some(&Binder { number, hides }) => Use { binder: number, hides, ..Use::KNOWN },
                None => Use::OPEN,
            },
            ExpressionKind::Template(template) if template.is_plain() => Use::CONSTANT,
            ExpressionKind::Error(_) => Use::OPEN,
            ExpressionKind::Binary(_) => with_room(|| self.operators(expression)),
            ExpressionKind::RelativeTraversal(_) | ExpressionKind::Index(_) => with_room(|| self.accesses(expression)),
            _ => with_room(|| self.nested(expression)),
        };
        self.note(expression.id(), used)
    }

    fn nested(&mut self, expression: ExpressionNode<'t>) -> Use {
        match expression.kind() {
            ExpressionKind::Splat(splat) => {
                let source = self.expression(splat.source());
                let binder = self.enter();
                self.splats.push(Binder { number: binder, hides: source.hides });
                let each = self.expression(splat.each());
                self.splats.pop();
                self.binders -= 1;
                source.and(each.outside(binder)).computed()
            }
            ExpressionKind::FunctionCall(call) => {
                let function = self.scope.function(&call.name());
                let hides = function.is_some_and(|function| self.is_marking(&call.name(), function));
                let start = match function {
                    Some(function) if function.is_pure() => Use { calls: true, hides, ..Use::KNOWN },
                    _ => Use { calls: true, hides, ..Use::OPEN },
                };
                self.children(expression, start)
            }
            // These are written as values if their parts are.
            ExpressionKind::Template(_)
            | ExpressionKind::Tuple(_)
            | ExpressionKind::Object(_)
            | ExpressionKind::Parentheses(_) => self.children(expression, Use::CONSTANT),
            // A negative number is written with an operator.
            ExpressionKind::Unary(operation) if matches!(operation.operand().kind(), ExpressionKind::Number(_)) => {
                self.children(expression, Use::CONSTANT)
            }
            _ => self.children(expression, Use::KNOWN),
        }
    }

    /// Adds the dependencies of the parts of an expression, and of its iterations, to its own.
    fn children(&mut self, expression: ExpressionNode<'t>, own: Use) -> Use {
        let mut used = own;
        let mut outer = Vec::new();
        Child::Expression(expression).each_child(&mut |child| {
            used = match child {
                Child::Expression(part) => used.and(self.expression(part)),
                Child::Template(part) => used.and(self.template(part)),
                // The collection has been looked at.
                Child::EnterScope(names) => {
                    outer.push((used, self.bind(names, used.hides)));
                    Use::KNOWN
                }
                Child::LeaveScope(names) => {
                    self.unbind(names);
                    outer.pop().map_or(used, |(before, binder)| before.and(used.outside(binder)))
                }
                _ => Use::OPEN,
            };
        });
        used
    }

    /// A chain of operators, however long.
    fn operators(&mut self, expression: ExpressionNode<'t>) -> Use {
        let mut chain = Vec::new();
        let mut first = expression;
        while let ExpressionKind::Binary(operation) = first.kind() {
            chain.push((first, operation));
            first = operation.left();
        }
        let mut used = self.expression(first);
        for (whole, operation) in chain.into_iter().rev() {
            used = used.and(self.expression(operation.right())).computed();
            self.note(whole.id(), used);
        }
        used
    }

    /// A chain of accesses, however long.
    fn accesses(&mut self, expression: ExpressionNode<'t>) -> Use {
        let (chain, source) = super::accesses(expression);
        let mut used = self.expression(source);
        for access in chain.into_iter().rev() {
            if let ExpressionKind::Index(index) = access.kind() {
                used = used.and(self.expression(index.key()));
            }
            used = used.computed();
            self.note(access.id(), used);
        }
        used
    }

    fn template(&mut self, template: TemplateNode<'t>) -> Use {
        if template.is_error() {
            return Use::OPEN;
        }
        let start = if template.as_text().is_some() { Use::CONSTANT } else { Use::KNOWN };
        template.parts().fold(start, |used, part| {
            used.and(match part {
                TemplatePart::Literal(..) => start,
                TemplatePart::Interpolation(expression) => self.expression(expression),
                TemplatePart::If(directive) => with_room(|| {
                    let mut used = self.expression(directive.predicate()).and(self.template(directive.true_part()));
                    if let Some(part) = directive.false_part() {
                        used = used.and(self.template(part));
                    }
                    self.note(directive.id(), used.computed())
                }),
                TemplatePart::For(directive) => with_room(|| {
                    let names = directive.names();
                    let collection = self.expression(names.collection);
                    let binder = self.bind(names, collection.hides);
                    let body = self.template(directive.body());
                    self.unbind(names);
                    self.note(directive.id(), collection.and(body.outside(binder)).computed())
                }),
            })
        })
    }

    fn enter(&mut self) -> u32 {
        self.binders += 1;
        self.binders - 1
    }

    /// Returns true if a call of a function puts marks on its result.
    fn is_marking(&mut self, name: &str, function: &Function) -> bool {
        if let Some(&known) = self.functions.get(name) {
            return known;
        }
        let marks = function.is_marking(self.scope) || function.marks_unknown(self.account);
        self.functions.insert(name.to_owned(), marks);
        marks
    }

    fn bind(&mut self, names: ForNames<'t>, hides: bool) -> u32 {
        let number = self.enter();
        for name in names.iter() {
            self.bound.entry(name.text()).or_default().push(Binder { number, hides });
        }
        number
    }

    fn unbind(&mut self, names: ForNames<'t>) {
        for name in names.iter() {
            self.bound.entry(name.text()).and_modify(|binders| {
                binders.pop();
            });
        }
        self.binders -= 1;
    }

    fn path(&self, path: TraversalNode<'t>) -> Use {
        let root = path.root().text();
        if let Some(&Binder { number, hides }) = self.bound.get(root).and_then(|binders| binders.last()) {
            // The collection may have marked elements.
            return Use { binder: number, marked: true, hides, ..Use::KNOWN };
        }
        let Some(variable) = self.scope.variable(root) else { return Use::OPEN };
        let mut value = Cow::Borrowed(variable);
        for step in path.steps() {
            if !self.account.step() {
                return Use::OPEN;
            }
            value = match step_into(value, &step) {
                Ok(next) => next,
                // It is certain that there is no such part only if everything is known.
                Err((before, _)) => {
                    value = before;
                    break;
                }
            };
        }
        match value.contains_marks() {
            true => Use { marked: true, hides: true, ..Use::OPEN },
            false if value.is_wholly_known() => Use::KNOWN,
            false => Use::OPEN,
        }
    }
}
