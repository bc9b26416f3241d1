//! Partial evaluation: expressions with known values filled in, as text that means the same.
//!
//! Parts that depend only on known values are evaluated as a whole: the largest such parts of an expression, each once.
//! The text of such a part is replaced by the text of its value. Everything else stays as it is written. An expression
//! that fails is not replaced, so that it still fails.
//!
//! For unknown parts, only facts that hold for every possible value count. The unknown part of `false && x` does not
//! matter only if `x` is a bool, because otherwise the operator fails; and a conditional whose condition is known
//! converts its result to a type that depends on both results.
//!
//! An operation or call whose value is or may be marked stays as it is written, with everything in it, because the
//! parts and the result of a marked value must not be shown. With `src` known and `later` not, `[src, sensitive(src),
//! "${sensitive(src)}${later}"]` becomes `["a", sensitive(src), "${sensitive(src)}${later}"]`.

mod conditional;
mod draft;
mod literal;
mod operators;
mod template;
mod uses;

use super::{Attempt, Function, Scope, failed, for_expr::Names};
use crate::diagnostic::Outcome;
use crate::limits::Account;
use crate::model::Value;
use crate::sorting::sort_by_key;
use crate::source::Span;
use crate::stack::with_room;
use crate::syntax::ast::{
    ExpressionKind, ExpressionNode, ForExpr, FunctionCall, ObjectKey, ObjectNode, TemplateNode, TraversalNode,
};
use draft::{Draft, Drafts};
use literal::Writer;
use uses::Uses;

/// A simplified expression, in which the known parts have been replaced by their values.
pub(crate) struct Residue {
    /// The value, which may be unknown.
    pub value: Value,
    /// True if nothing is left to be known.
    pub is_known: bool,
    /// The text, unless it stays as it is written.
    pub text: Option<String>,
}

/// Simplifies an expression, and reports its errors.
pub(crate) fn expression(expression: ExpressionNode<'_>, scope: &Scope<'_>) -> Outcome<Residue> {
    scope.metered(|scope, account| {
        let before = account.impure_calls();
        let outcome = expression.evaluate_partially(scope);
        let fails = outcome.diagnostics().has_errors();
        let pure = before == account.impure_calls();
        outcome.map(|value| {
            let uses = Uses::of_expression(expression, scope, account);
            let is_known = !fails && pure && value.is_wholly_known() && uses.all_closed();
            let mut work = Work::new(uses, account, expression.span(), expression.shared_source().text());
            if is_known && !work.uses.is_constant(expression.id()) {
                let text = Writer { scope, account }.text(&value, false);
                if text.is_some() {
                    return Residue { value, is_known, text };
                }
            }
            work.visit(expression, Position::Alone, scope, u32::from(is_known));
            let text = work.draft_of(expression.span(), 0).and_then(|draft| work.text(draft));
            Residue { value, is_known, text: text.filter(|_| !account.is_exceeded()) }
        })
    })
}

/// Simplifies a template, and reports its errors. The text is that of an expression, and always present.
pub(crate) fn template(template: TemplateNode<'_>, scope: &Scope<'_>) -> Outcome<Residue> {
    scope.metered(|scope, account| {
        let before = account.impure_calls();
        let outcome = template.evaluate_partially(scope);
        let fails = outcome.diagnostics().has_errors();
        let pure = before == account.impure_calls();
        outcome.map(|value| {
            let uses = Uses::of_template(template, scope, account);
            let is_known = !fails && pure && value.is_wholly_known() && uses.all_closed();
            if is_known {
                let text = Writer { scope, account }.text(&value, false);
                if text.is_some() {
                    return Residue { value, is_known, text };
                }
            }
            let source = template.shared_source().text();
            let mut work = Work::new(uses, account, Span::new(0, source.len()), source);
            work.as_written = value.is_marked() || work.uses.all_hidden();
            let text = work.template_as_expression(template, scope).and_then(|draft| work.text(draft));
            Residue { value, is_known, text: text.filter(|_| !account.is_exceeded()) }
        })
    })
}

/// Returns the text of an expression that evaluates to exactly this value, if there is one.
pub(crate) fn text_of_value(value: &Value, scope: &Scope<'_>) -> Option<String> {
    scope.metered(|scope, account| Writer { scope, account }.text(value, false))
}

/// Returns a chain of accesses, from the last to the first, and the expression that the first is applied to.
fn accesses(expression: ExpressionNode<'_>) -> (Vec<ExpressionNode<'_>>, ExpressionNode<'_>) {
    let (mut chain, mut source) = (Vec::new(), expression);
    loop {
        let inner = match source.kind() {
            ExpressionKind::RelativeTraversal(path) => path.source(),
            ExpressionKind::Index(index) => index.collection(),
            _ => return (chain, source),
        };
        chain.push(source);
        source = inner;
    }
}

/// The position of a part: it determines if a text in its place needs parentheses, and the use of its value.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// Between brackets, commas and the like.
    Alone,
    /// The same, but only the elements of a collection matter, not its kind.
    Iterated,
    /// Beside an operator.
    BesideOperator,
    /// Before an access.
    BeforeAccess,
    /// Before an access by a computed key: only the elements of a collection matter, not its kind.
    BeforeIndex,
    /// As the key of an object.
    AsKey,
}

/// The number of times that the search descends into a known part without a text. Its inner parts are evaluated again.
const MAX_MISSES: u32 = 4;

/// The number of times the text of an expression may be evaluated to find the types of unknown parts.
const MAX_PROBES: usize = 16;

struct Work<'a> {
    account: &'a Account,
    uses: Uses,
    /// New text for parts, not in order.
    edits: Vec<(Span, Draft)>,
    /// The pieces of the new text.
    drafts: Drafts<'a>,
    /// The number of enclosing results of conditionals.
    results: u32,
    /// The number of kept parts whose type may differ in the end from the current one.
    uncertain: usize,
    /// The amount of text that may still be evaluated to find types.
    probes: usize,
    /// True if nothing is replaced because all of it becomes part of a marked value.
    as_written: bool,
}

/// The outcome of a part that does not depend on anything unknown.
enum Settled {
    Value(Value),
    /// It is marked, or has marked parts.
    Marked(Value),
    /// It fails, or is not known after all.
    Not,
}

impl<'a> Work<'a> {
    fn new(uses: Uses, account: &'a Account, span: Span, source: &'a str) -> Self {
        let probes = span.len().saturating_mul(MAX_PROBES);
        Work {
            account,
            uses,
            edits: Vec::new(),
            drafts: Drafts::new(source, span),
            results: 0,
            uncertain: 0,
            probes,
            as_written: false,
        }
    }

    fn edit(&mut self, span: Span, text: &str) {
        let draft = self.drafts.of(text);
        self.edits.push((span, draft));
    }

    /// Takes the edits from a position on and applies them to a part of the text. Returns `None` if there are none.
    fn draft_of(&mut self, span: Span, from: usize) -> Option<Draft> {
        let mut edits = self.edits.split_off(from);
        if edits.is_empty() {
            return None;
        }
        sort_by_key(&mut edits, |(span, _)| (span.start(), span.end()));
        let mut draft = self.drafts.begin();
        let mut done = span.start();
        for (at, text) in edits {
            self.drafts.add_written(&mut draft, done..at.start())?;
            self.drafts.add_draft(&mut draft, text);
            done = at.end();
        }
        self.drafts.add_written(&mut draft, done..span.end())?;
        Some(draft)
    }

    /// Puts a text together, unless it is too long.
    fn text(&self, draft: Draft) -> Option<String> {
        self.account.text(draft.len).ok()?;
        Some(self.drafts.text(draft))
    }

    /// Fills in the known values in a part. `misses` counts the enclosing parts that are known but have no text.
    fn visit(&mut self, part: ExpressionNode<'_>, position: Position, scope: &Scope<'_>, misses: u32) {
        if self.as_written || self.uses.is_constant(part.id()) || !self.account.step() {
            return;
        }
        let mut misses = misses;
        // The part itself was tried before this call.
        if self.uses.is_closed(part.id()) {
            match self.settled(part, scope) {
                Settled::Value(value) => {
                    if let Some(text) = self.known_text(&value, position, scope) {
                        return self.edit(part.span(), &text);
                    }
                }
                Settled::Marked(value) if value.is_marked() || !is_constructor(part) => return,
                Settled::Marked(_) | Settled::Not => {}
            }
            misses += 1;
            if misses > MAX_MISSES || (self.fails(part, scope) && !is_constructor(part)) {
                return;
            }
        }
        if self.uses.hides(part.id()) && !self.has_parts_of_its_own(part) {
            return;
        }
        with_room(|| self.keep(part, scope, misses));
    }

    /// Returns true if only the parts of a value have marks, not the value itself, so that each part can be handled
    /// separately.
    fn has_parts_of_its_own(&self, part: ExpressionNode<'_>) -> bool {
        match part.kind() {
            // The marks of a key apply to the whole object.
            ExpressionKind::Object(object) => object.elements().all(|element| match element.key() {
                ObjectKey::Expression(key) => !self.uses.hides(key.id()),
                ObjectKey::Name(_) => true,
            }),
            _ => is_constructor(part),
        }
    }

    fn settled(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> Settled {
        let before = self.account.impure_calls();
        match part.evaluate(scope) {
            Ok(value) if value.contains_marks() => Settled::Marked(value),
            Ok(value) if before == self.account.impure_calls() && value.is_wholly_known() => Settled::Value(value),
            _ => Settled::Not,
        }
    }

    /// Returns the value of a part that depends only on known values; `None` if it fails.
    fn value(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> Option<Value> {
        match self.settled(part, scope) {
            Settled::Value(value) => Some(value),
            Settled::Marked(_) | Settled::Not => None,
        }
    }

    /// Returns the value of a part, if it depends only on known values and does not fail.
    fn known_value(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> Option<Value> {
        self.uses.is_closed(part.id()).then(|| self.value(part, scope)).flatten()
    }

    /// Returns true if the part fails whatever the unknown values are, so that it stays as it is.
    fn fails(&self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        part.evaluate_partially(scope).diagnostics().has_errors()
    }

    /// Returns the text of a known value, as its position requires.
    fn known_text(&self, value: &Value, position: Position, scope: &Scope<'_>) -> Option<String> {
        let loose = matches!(position, Position::Iterated | Position::BeforeIndex);
        let text = Writer { scope, account: self.account }.text(value, loose)?;
        let is_list = text.starts_with('[');
        Some(match position {
            Position::Alone | Position::Iterated => text,
            Position::BesideOperator if text.starts_with('-') => format!("({text})"),
            Position::BesideOperator => text,
            Position::BeforeAccess | Position::BeforeIndex if is_list => text,
            Position::BeforeAccess | Position::BeforeIndex => format!("({text})"),
            Position::AsKey => match value.as_str() {
                Some(name) => crate::writer::key(name),
                None => format!("({text})"),
            },
        })
    }

    /// Keeps a part as it is, and fills in the known values of its parts.
    fn keep(&mut self, part: ExpressionNode<'_>, scope: &Scope<'_>, misses: u32) {
        let alone = Position::Alone;
        match part.kind() {
            ExpressionKind::Template(template) => self.keep_template(template, part, scope, misses),
            ExpressionKind::RelativeTraversal(_) | ExpressionKind::Index(_) => self.keep_accesses(part, scope, misses),
            ExpressionKind::Splat(splat) => {
                self.visit(splat.source(), Position::BeforeAccess, scope, misses);
                self.visit(splat.each(), alone, scope, misses);
            }
            ExpressionKind::FunctionCall(call) => {
                let function = scope.function(&call.name());
                // A function that evaluates its arguments itself may look at their syntax.
                if function.is_none_or(|function| function.as_lazy().is_some()) {
                    self.uncertain += 1;
                    return match function.and_then(Function::attempt) {
                        Some(attempt) if !call.expands_last() => self.keep_attempt(attempt, call, part, scope, misses),
                        _ => {}
                    };
                }
                let last = call.arguments().len().saturating_sub(1);
                for (index, argument) in call.arguments().enumerate() {
                    let expanded = call.expands_last() && index == last;
                    self.visit(argument, if expanded { Position::Iterated } else { alone }, scope, misses);
                }
            }
            ExpressionKind::Tuple(tuple) => {
                tuple.elements().for_each(|element| self.visit(element, alone, scope, misses));
            }
            ExpressionKind::Object(object) => self.keep_object(object, scope, misses),
            ExpressionKind::For(for_expr) => self.keep_for(for_expr, part, scope, misses),
            ExpressionKind::Conditional(conditional) => self.keep_conditional(conditional, part, scope, misses),
            ExpressionKind::Binary(_) => self.keep_operators(part, scope, misses),
            ExpressionKind::Unary(operation) => {
                self.visit(operation.operand(), Position::BesideOperator, scope, misses);
            }
            ExpressionKind::Parentheses(parentheses) => self.visit(parentheses.inner(), alone, scope, misses),
            // Nothing in the others can be replaced.
            _ => {}
        }
    }

    fn keep_accesses(&mut self, part: ExpressionNode<'_>, scope: &Scope<'_>, misses: u32) {
        let (mut chain, mut source) = accesses(part);
        // The longest known prefix, unless the whole chain is known but has no text.
        if !self.uses.is_closed(part.id())
            && let Some(at) = chain.iter().position(|access| self.uses.is_closed(access.id()))
        {
            source = chain[at];
            chain.truncate(at);
        }
        let position = match chain.last().map(|access| access.kind()) {
            Some(ExpressionKind::Index(_)) => Position::BeforeIndex,
            _ => Position::BeforeAccess,
        };
        self.visit(source, position, scope, misses);
        for access in chain {
            if let ExpressionKind::Index(index) = access.kind() {
                self.visit(index.key(), Position::Alone, scope, misses);
            }
        }
    }

    fn keep_object(&mut self, object: ObjectNode<'_>, scope: &Scope<'_>, misses: u32) {
        for element in object.elements() {
            if let ObjectKey::Expression(key) = element.key()
                // This is an error because it may be meant as a name.
                && !matches!(key.kind(), ExpressionKind::Traversal(_))
            {
                self.visit_key(key, scope, misses);
            }
            self.visit(element.value(), Position::Alone, scope, misses);
        }
    }

    /// Fills in the known values of a key. A conditional, operators or `try` may be reduced to a name or `null`, which
    /// would be taken for the key itself without parentheses.
    fn visit_key(&mut self, key: ExpressionNode<'_>, scope: &Scope<'_>, misses: u32) {
        let start = self.edits.len();
        self.visit(key, Position::AsKey, scope, misses);
        let at = key.span();
        let is_replaced = matches!(&self.edits[start..], [(span, _)] if *span == at);
        let may_be_left = match key.kind() {
            ExpressionKind::Conditional(_) | ExpressionKind::Binary(_) => true,
            ExpressionKind::FunctionCall(call) => {
                scope.function(&call.name()).is_some_and(|function| function.attempt().is_some())
            }
            _ => false,
        };
        if !may_be_left || is_replaced {
            return;
        }
        if let Some(text) = self.draft_of(at, start) {
            let mut draft = self.drafts.begin();
            self.drafts.add(&mut draft, "(");
            self.drafts.add_draft(&mut draft, text);
            // The closing line of a heredoc ends with a newline.
            self.drafts.add(&mut draft, if text.has_newline { "\n)" } else { ")" });
            self.edits.push((at, draft));
        }
    }

    /// Removes a part of the text. If it begins with the newline that ends the closing line of a heredoc, the newline
    /// stays.
    fn leave_out(&mut self, span: Span) {
        let newline = if self.drafts.may_end_heredoc(span.start()) { "\n" } else { "" };
        self.edit(span, newline);
    }

    fn keep_for(&mut self, for_expr: ForExpr<'_>, whole: ExpressionNode<'_>, scope: &Scope<'_>, misses: u32) {
        let is_empty = |value: Value| value.elements().is_some_and(<[Value]>::is_empty) || no_entries(&value);
        let collection = for_expr.collection();
        if self.known_value(collection, scope).is_some_and(is_empty) && self.condition_holds_up(for_expr, whole, scope)
        {
            // The body of the loop does not matter.
            return self.edit(whole.span(), if for_expr.is_object() { "{}" } else { "[]" });
        }
        self.visit(collection, Position::Iterated, scope, misses);
        let key = for_expr.key_variable().map(|name| name.text());
        let names = Names { key, value: for_expr.value_variable().text() };
        let unknown = failed();
        let inner = names.scope(scope, &unknown, &unknown);
        for part in [for_expr.key(), Some(for_expr.value())].into_iter().flatten() {
            self.visit(part, Position::Alone, &inner, misses);
        }
        let Some(condition) = for_expr.condition() else { return };
        if !for_expr.groups() && self.truth(condition, &inner) == Some(true) {
            let end = for_expr.value().span().end();
            return self.leave_out(Span::new(end, condition.span().end()));
        }
        self.visit(condition, Position::Alone, &inner, misses);
    }

    /// Returns true if the condition of a `for`, if there is one, cannot fail when there are no elements: it is checked
    /// even then. It may depend on the elements, which stay unknown, and on known values.
    fn condition_holds_up(&mut self, for_expr: ForExpr<'_>, whole: ExpressionNode<'_>, scope: &Scope<'_>) -> bool {
        let names = [for_expr.key_variable(), Some(for_expr.value_variable())].map(|name| name.map(|name| name.text()));
        let is_known = |path: TraversalNode<'_>| {
            let value = || path.evaluate(scope).is_ok_and(|value| value.is_wholly_known() && !value.contains_marks());
            names.contains(&Some(path.root().text())) || value()
        };
        let settled = for_expr.condition().is_none_or(|condition| condition.variables().into_iter().all(is_known));
        let before = self.account.impure_calls();
        settled && self.probe(whole, scope).is_some() && before == self.account.impure_calls()
    }

    /// Simplifies a call of `try` or `can`. Removes arguments of `try` that surely fail, and those after one that
    /// surely does not.
    fn keep_attempt(
        &mut self,
        attempt: Attempt,
        call: FunctionCall<'_>,
        whole: ExpressionNode<'_>,
        scope: &Scope<'_>,
        misses: u32,
    ) {
        let mut arguments: Vec<ExpressionNode<'_>> = call.arguments().collect();
        if attempt == Attempt::First {
            let closed = |work: &Self, part: ExpressionNode<'_>| work.uses.is_closed(part.id());
            let fail = |part: &&ExpressionNode<'_>| closed(self, **part) && self.fails(**part, scope);
            let failing = arguments.iter().take_while(fail).count();
            if failing == arguments.len() || self.account.is_exceeded() {
                return;
            }
            let works = |part: &ExpressionNode<'_>| closed(self, *part) && self.value(*part, scope).is_some();
            let count = arguments.iter().position(works).map_or(arguments.len(), |at| at + 1);
            let (first, last) = (arguments[failing], arguments[count - 1]);
            if failing + 1 == count && (self.results == 0 || works(&first)) {
                let start = self.edits.len();
                self.visit(first, Position::Alone, scope, misses);
                return self.reduce(whole.span(), first, start);
            }
            self.edit(Span::new(arguments[0].span().start(), first.span().start()), "");
            let end = arguments[arguments.len() - 1].span().end();
            if count < arguments.len() {
                self.leave_out(Span::new(last.span().end(), end));
                arguments.truncate(count);
            }
            arguments.drain(..failing);
        }
        arguments.into_iter().for_each(|argument| self.visit(argument, Position::Alone, scope, misses));
    }

    /// Runs `work` within a result of a conditional. A result that is not chosen may fail; its type still counts then,
    /// so an expression that fails in another way is not equivalent.
    fn within_result<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.results += 1;
        let result = work(self);
        self.results -= 1;
        result
    }

    /// Reduces a part to an expression within it, whose edits begin at `start`.
    fn reduce(&mut self, whole: Span, kept: ExpressionNode<'_>, start: usize) {
        let at = kept.span();
        // The closing line of a heredoc ends with a newline.
        let close = if self.drafts.has_newline(&at.range()) { "\n)" } else { ")" };
        let new = self.edits.get(start).filter(|(span, _)| *span == at);
        let is_term = new.is_some_and(|(_, text)| !text.begins_with_minus && !text.has_newline);
        let (open, close) = if is_term || is_term_as_written(kept) { ("", "") } else { ("(", close) };
        self.edit(Span::new(whole.start(), at.start()), open);
        self.edit(Span::new(at.end(), whole.end()), close);
    }

    /// Returns the value of a part that may not be known, for its type and other facts. Returns `None` if it fails. The
    /// work is bounded.
    fn probe(&mut self, part: ExpressionNode<'_>, scope: &Scope<'_>) -> Option<Value> {
        self.probes = self.probes.checked_sub(part.span().len())?;
        part.evaluate(scope).ok()
    }
}

/// Returns true if a value is an empty object or map.
fn no_entries(value: &Value) -> bool {
    value.entries().is_some_and(|entries| entries.len() == 0)
}

/// Returns true if parts of the expression are parts of its value.
fn is_constructor(expression: ExpressionNode<'_>) -> bool {
    matches!(expression.kind(), ExpressionKind::Tuple(_) | ExpressionKind::Object(_) | ExpressionKind::Parentheses(_))
}

/// Returns true if an expression can be an operand without parentheses.
fn is_term_as_written(expression: ExpressionNode<'_>) -> bool {
    match expression.kind() {
        ExpressionKind::Conditional(_) | ExpressionKind::Binary(_) | ExpressionKind::Unary(_) => false,
        ExpressionKind::Template(template) => !template.is_heredoc(),
        ExpressionKind::Error(_) => false,
        _ => !expression.text().contains('\n') || !expression.text().contains("<<"),
    }
}
