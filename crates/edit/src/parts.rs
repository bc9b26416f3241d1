//! Edits of parts of expressions: replacements, and text around a part.
//!
//! A walk goes from the value of a member to the parts with orders. It knows the place of each part, so that new text
//! gets parentheses where precedence or a line break needs them: in `a * b`, the operand `b` becomes `(c + d)`, while in
//! `f(b)` it becomes `c + d`. The members of objects, lists and calls are left to the plan of their containers.

use std::collections::HashSet;
use std::sync::Arc;

use super::EditError;
use super::clear::ends_clearly;
use super::item::{NewValue, ends_with_heredoc};
use super::node::Container;
use super::orders::{Orders, PartOrder};
use super::text::{Lines, reindent_by};
use hcl_lr::construct::NewExpression;
use hcl_lr::internal::sort_by_key;
use hcl_lr::source::Span;
use hcl_lr::syntax::TokenKind;
use hcl_lr::syntax::ast::{AccessStep, ExpressionKind, ExpressionNode, File, TemplateNode, TemplatePart};

/// The name of the wrapped part in a new expression around it.
pub(super) const STAND_IN: &str = "hcl-lr-wrapped-part";

/// The place of a part, which determines whether it needs parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Any expression is possible.
    Free,
    /// The left operand of an operator with this level.
    Left(u8),
    /// The right operand of an operator with this level.
    Right(u8),
    /// The condition of a conditional.
    Condition,
    /// Something that must be a term: the operand of a unary operator.
    Operand,
    /// Something that must be a term, and no number or splat: the source of an access.
    Source,
    /// The key of an entry.
    Key,
    /// The steps of a splat, which are no expression by themselves.
    Steps,
}

impl Role {
    /// Returns true if an expression needs parentheses here.
    fn needs_parentheses(self, new: ExpressionNode<'_>) -> bool {
        use ExpressionKind::{Binary, Conditional, Number, Parentheses, Splat, Template, Unary};
        match (self, new.kind()) {
            (_, Parentheses(_)) | (Role::Free, _) => false,
            (Role::Key, Template(_)) => false,
            (Role::Key | Role::Steps, _) => true,
            (_, Conditional(_)) => true,
            (Role::Condition, _) => false,
            (Role::Left(level), Binary(new)) => new.operator().row().level < level,
            (Role::Right(level), Binary(new)) => new.operator().row().level <= level,
            (Role::Operand | Role::Source, Binary(_) | Unary(_)) => true,
            (Role::Source, Number(_) | Splat(_)) => true,
            _ => false,
        }
    }
}

/// A part of an expression, with its place after the edits.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub node: ExpressionNode<'t>,
    pub role: Role,
    /// True if line breaks mean nothing here.
    pub bracketed: bool,
    /// True if the part takes the place of another one around it.
    pub moved: bool,
    /// True if the text of an expression around it has no errors that make its end uncertain.
    pub is_clear: bool,
}

impl<'t> Part<'t> {
    pub fn new(node: ExpressionNode<'t>, role: Role, bracketed: bool) -> Self {
        Part { node, role, bracketed, moved: false, is_clear: false }
    }

    /// Returns the text around a new expression here: parentheses, or the newline that a heredoc needs after it.
    fn around(self, new: ExpressionNode<'_>, heredoc: bool) -> (&'static str, &'static str) {
        let parentheses = self.role.needs_parentheses(new) || heredoc && !(self.role == Role::Free && self.bracketed);
        match (parentheses, heredoc) {
            (true, true) => ("(", "\n)"),
            (true, false) => ("(", ")"),
            (false, true) => ("", "\n"),
            (false, false) => ("", ""),
        }
    }
}

/// Tokens of new text, for comparing the result.
#[derive(Clone, Debug)]
pub(super) enum NewTokens {
    Of(File, Span),
    Sign(&'static str),
    /// A name, which may be several tokens.
    Name(String),
}

/// A replacement of text in expressions.
#[derive(Clone, Debug)]
pub(super) struct PartEdit {
    pub span: Span,
    pub text: String,
    /// True if it follows a part: at one position, the innermost one comes first, and all of them before others.
    pub after: bool,
    pub tokens: Vec<NewTokens>,
}

/// Sorts replacements by place, the text after parts before the text before parts.
pub(super) fn sorted(edits: Vec<PartEdit>) -> Vec<PartEdit> {
    let (mut after, before): (Vec<_>, Vec<_>) = edits.into_iter().partition(|edit| edit.after);
    after.reverse();
    after.extend(before);
    // The sort is stable.
    sort_by_key(&mut after, |edit| edit.span);
    after
}

/// Joins adjacent replacements, and adds the blanks that keep words apart.
pub(super) fn joined(source: &str, edits: &[PartEdit]) -> Vec<PartEdit> {
    let mut joined: Vec<PartEdit> = Vec::new();
    for edit in edits {
        match joined.last_mut().filter(|last| last.span.end() == edit.span.start()) {
            Some(last) => {
                last.text.push_str(&edit.text);
                last.span = last.span.join(edit.span);
                last.after &= edit.after;
            }
            None => joined.push(PartEdit { tokens: Vec::new(), ..edit.clone() }),
        }
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let goes_on = |c: char| is_word(c) || c == '-';
    for edit in &mut joined {
        let left = source[..edit.span.start()].chars().next_back().is_some_and(is_word);
        let right = source[edit.span.end()..].chars().next().is_some_and(goes_on);
        let (first, last) = (edit.text.chars().next(), edit.text.chars().next_back());
        match (first, last) {
            (Some(first), Some(last)) => {
                if right && goes_on(last) {
                    edit.text.push(' ');
                }
                if left && goes_on(first) {
                    edit.text.insert(0, ' ');
                }
            }
            _ if left && right && !edit.span.is_empty() => edit.text.push(' '),
            _ => {}
        }
    }
    joined
}

/// Plans the orders of expressions.
pub(super) struct PartPlanner<'t> {
    pub file: &'t File,
    pub lines: Arc<Lines<'t>>,
    pub edits: Vec<PartEdit>,
    /// The spans whose comments disappear.
    pub dropped: Vec<Span>,
    /// The new texts, with their comments.
    pub added: Vec<String>,
    /// The numbers of the expressions whose orders have been carried out.
    pub done: HashSet<u32>,
    /// The number of templates whose new parts are planned.
    pub done_splices: usize,
}

impl<'t> PartPlanner<'t> {
    pub fn new(file: &'t File, lines: Arc<Lines<'t>>) -> Self {
        let (edits, dropped, added) = (Vec::new(), Vec::new(), Vec::new());
        PartPlanner { file, lines, edits, dropped, added, done: HashSet::new(), done_splices: 0 }
    }

    /// Plans the orders within a value, and lists the collections in it that have orders.
    pub fn plan(
        &mut self,
        first: Part<'t>,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
    ) -> Result<(), EditError> {
        let mut parts = vec![first];
        while let Some(mut part) = parts.pop() {
            let span = part.node.span();
            if !part.moved && !orders.within(span) {
                continue;
            }
            let Some(order) = orders.part_of(part.node) else {
                if part.moved {
                    let breaks = !part.bracketed && breaks_line(part.node);
                    let (open, close) = match part.around(part.node, ends_with_heredoc(part.node)) {
                        ("", "") if breaks => ("(", ")"),
                        around => around,
                    };
                    self.around(span, (open, close));
                }
                self.children(part, orders, waiting, &mut parts)?;
                continue;
            };
            self.done.insert(part.node.id().get());
            if part.role == Role::Steps {
                return Err(EditError::NotAnItem(span));
            }
            if !part.is_clear && !ends_clearly(self.file, span) {
                return Err(EditError::Broken(span));
            }
            part.is_clear = true;
            if let Some(value) = &order.value {
                orders.check_free(span, Some(part.node))?;
                self.replace(part, value);
                continue;
            }
            self.change(part, order, orders, waiting, &mut parts)?;
        }
        Ok(())
    }

    /// Plans the orders within a file that is a template.
    pub fn template(
        &mut self,
        template: TemplateNode<'t>,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
    ) -> Result<(), EditError> {
        let (expressions, templates) = expressions_of(template);
        templates.into_iter().try_for_each(|template| self.splice(template, None, orders))?;
        for expression in expressions {
            self.plan(Part::new(expression, Role::Free, true), orders, waiting)?;
        }
        Ok(())
    }

    fn replace(&mut self, part: Part<'t>, value: &NewValue) {
        let Some(new) = value.expression() else { return };
        let span = part.node.span();
        let (open, close) = part.around(new, value.ends_with_heredoc);
        self.dropped.push(span);
        self.added.push(value.text.clone());
        let text = format!("{open}{}{close}", self.placed(span, &value.text));
        let mut tokens = signs(open);
        tokens.push(NewTokens::Of(value.file.clone(), new.span()));
        tokens.extend(signs(close));
        self.edits.push(PartEdit { span, text, after: false, tokens });
    }

    /// Plans an order that keeps a part: the node itself, or one in it.
    fn change(
        &mut self,
        part: Part<'t>,
        order: &PartOrder<'t>,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
        parts: &mut Vec<Part<'t>>,
    ) -> Result<(), EditError> {
        let (outer, kept) = (part.node.span(), order.kept());
        let inner = kept.span();
        if let (Some(name), ExpressionKind::FunctionCall(call)) = (&order.function, part.node.kind()) {
            let (span, tokens) = (call.name_span(), vec![NewTokens::Name(name.clone())]);
            self.dropped.push(span);
            self.edits.push(PartEdit { span, text: name.clone(), after: false, tokens });
            if order.wraps.is_empty() {
                return self.children(part, orders, waiting, parts);
            }
        }
        let (mut before, mut after) = (String::new(), String::new());
        let (mut tokens_before, mut tokens_after) = (Vec::new(), Vec::new());
        if let Some(last) = order.wraps.last() {
            let Some(new) = last.expression() else { return Ok(()) };
            let (open, close) = part.around(new, last.ends_with_heredoc);
            before.push_str(open);
            tokens_before.extend(signs(open));
            for wrap in order.wraps.iter().rev() {
                let Some((left, right)) = self.sides(outer, wrap) else { return Ok(()) };
                let Some((new, hole)) = wrap.expression().zip(wrap.hole()) else { return Ok(()) };
                before.push_str(&left);
                after.insert_str(0, &right);
                let (start, end) = (new.span().start(), new.span().end());
                tokens_before.push(NewTokens::Of(wrap.file.clone(), Span::new(start, hole.start())));
                tokens_after.insert(0, NewTokens::Of(wrap.file.clone(), Span::new(hole.end(), end)));
                self.added.push(wrap.text.clone());
            }
            let bracketed = order.wraps.iter().find_map(NewValue::brackets_hole).unwrap_or(part.bracketed);
            let breaks = part.bracketed || part.moved || order.inner.is_some();
            if !bracketed && breaks && breaks_line(kept) {
                before.push('(');
                tokens_before.push(NewTokens::Sign("("));
                after.insert(0, ')');
                tokens_after.insert(0, NewTokens::Sign(")"));
            }
            after.push_str(close);
            tokens_after.extend(signs(close));
        }
        let left = Span::new(outer.start(), inner.start());
        let right = Span::new(inner.end(), outer.end());
        if order.inner.is_some() {
            orders.check_free_but(outer, inner, part.node)?;
            self.dropped.extend([left, right]);
        }
        self.edits.push(PartEdit { span: left, text: before, after: false, tokens: tokens_before });
        self.edits.push(PartEdit { span: right, text: after, after: true, tokens: tokens_after });
        match (order.inner, order.wraps.is_empty()) {
            (Some(kept), true) => parts.push(Part { node: kept, moved: true, ..part }),
            (Some(kept), false) => parts.push(Part { node: kept, role: Role::Source, moved: false, ..part }),
            (None, _) => self.children(part, orders, waiting, parts)?,
        }
        Ok(())
    }

    /// Puts signs around a part.
    fn around(&mut self, span: Span, (open, close): (&'static str, &'static str)) {
        let at = |at: usize| Span::new(at, at);
        for (place, sign, after) in [(span.start(), open, false), (span.end(), close, true)] {
            if !sign.is_empty() {
                let edit = PartEdit { span: at(place), text: sign.to_owned(), after, tokens: signs(sign) };
                self.edits.push(edit);
            }
        }
    }

    /// Returns new text with the indentation and line ends of its place.
    fn placed(&self, span: Span, text: &str) -> String {
        let indent = self.lines.indent(span.start());
        let unit = if indent.contains('\t') { "\t" } else { self.lines.unit(self.file) };
        self.lines.ended(reindent_by(text, ("", indent, unit), Some(self.lines.end())))
    }

    /// Returns the text before and after the wrapped part.
    fn sides(&self, span: Span, wrap: &NewValue) -> Option<(String, String)> {
        let text = self.placed(span, &wrap.text).replace("\r\n", "\n");
        let (left, right) = split_at_stand_in(&text)?;
        Some((self.lines.ended(left.to_owned()), self.lines.ended(right.to_owned())))
    }

    /// Adds the parts of an expression, or the expression itself if it is a collection.
    fn children(
        &mut self,
        part: Part<'t>,
        orders: &Orders<'t>,
        waiting: &mut Vec<Container<'t>>,
        parts: &mut Vec<Part<'t>>,
    ) -> Result<(), EditError> {
        let Part { node, bracketed, role, is_clear, .. } = part;
        let source = if role == Role::Steps { Role::Steps } else { Role::Source };
        let mut add = |node, role, bracketed| parts.push(Part { is_clear, ..Part::new(node, role, bracketed) });
        match node.kind() {
            ExpressionKind::Object(_) | ExpressionKind::Tuple(_) | ExpressionKind::FunctionCall(_)
                if orders.within(node.span()) =>
            {
                waiting.push(Container::Collection(node));
            }
            ExpressionKind::Parentheses(parentheses) => add(parentheses.inner(), Role::Free, true),
            ExpressionKind::Binary(operation) => {
                let level = operation.operator().row().level;
                add(operation.left(), Role::Left(level), bracketed);
                add(operation.right(), Role::Right(level), bracketed);
            }
            ExpressionKind::Unary(operation) => add(operation.operand(), Role::Operand, bracketed),
            ExpressionKind::Conditional(conditional) => {
                add(conditional.predicate(), Role::Condition, bracketed);
                add(conditional.true_result(), Role::Free, bracketed);
                add(conditional.false_result(), Role::Free, bracketed);
            }
            ExpressionKind::Index(index) => {
                add(index.collection(), source, bracketed);
                add(index.key(), Role::Free, true);
            }
            ExpressionKind::RelativeTraversal(path) => {
                add(path.source(), source, bracketed);
                path.steps().filter_map(key_of).for_each(|key| add(key, Role::Free, true));
            }
            ExpressionKind::Traversal(path) => {
                path.steps().filter_map(key_of).for_each(|key| add(key, Role::Free, true));
            }
            ExpressionKind::Splat(splat) => {
                add(splat.source(), source, bracketed);
                add(splat.each(), Role::Steps, bracketed);
            }
            ExpressionKind::For(each) => {
                let within = [Some(each.collection()), each.key(), Some(each.value()), each.condition()];
                within.into_iter().flatten().for_each(|part| add(part, Role::Free, true));
            }
            ExpressionKind::Template(template) => {
                let (expressions, templates) = expressions_of(template);
                expressions.into_iter().for_each(|part| add(part, Role::Free, true));
                templates.into_iter().try_for_each(|template| self.splice(template, Some(node), orders))?;
            }
            ExpressionKind::Error(_) if orders.within(node.span()) => return Err(EditError::Broken(node.span())),
            _ => {}
        }
        Ok(())
    }
}

fn signs(signs: &'static str) -> Vec<NewTokens> {
    let sign = signs.trim();
    if sign.is_empty() { Vec::new() } else { vec![NewTokens::Sign(sign)] }
}

fn key_of(step: AccessStep<'_>) -> Option<ExpressionNode<'_>> {
    match step {
        AccessStep::Index(key) => Some(key),
        _ => None,
    }
}

/// Returns the expressions of interpolations and directives in a template, and all templates: itself, and those in
/// directives.
fn expressions_of(template: TemplateNode<'_>) -> (Vec<ExpressionNode<'_>>, Vec<TemplateNode<'_>>) {
    let (mut templates, mut found, mut all) = (vec![template], Vec::new(), Vec::new());
    while let Some(template) = templates.pop() {
        all.push(template);
        for part in template.parts() {
            match part {
                TemplatePart::Interpolation(expression) => found.push(expression),
                TemplatePart::If(directive) => {
                    found.push(directive.predicate());
                    templates.push(directive.true_part());
                    templates.extend(directive.false_part());
                }
                TemplatePart::For(directive) => {
                    found.push(directive.collection());
                    templates.push(directive.body());
                }
                _ => {}
            }
        }
    }
    (found, all)
}

/// Returns true if an expression has a line break outside of brackets, which would end it in a body.
fn breaks_line(expression: ExpressionNode<'_>) -> bool {
    let text = expression.text();
    // The closing line of a heredoc needs a newline after it.
    text.contains('\n') && {
        let file = hcl_lr::parse::<File>(format!("x = {text}\n"));
        file.has_errors() || file.value().body().items().len() != 1
    }
}

/// Splits new text at the wrapped part.
fn split_at_stand_in(text: &str) -> Option<(&str, &str)> {
    let heredoc = format!("<<{STAND_IN}\n{STAND_IN}");
    text.split_once(heredoc.as_str()).or_else(|| text.split_once(STAND_IN))
}

impl NewValue {
    /// Parses an expression around a part.
    ///
    /// # Errors
    /// If it does not contain the part exactly once.
    pub fn around(expression: &NewExpression) -> Result<NewValue, EditError> {
        let value = NewValue::of(expression)?;
        let once = split_at_stand_in(&value.text)
            .is_some_and(|(left, right)| !left.contains(STAND_IN) && !right.contains(STAND_IN));
        match once && value.hole().is_some() {
            true => Ok(value),
            false => Err(EditError::Misplaced("the new expression must contain the wrapped one exactly once")),
        }
    }

    /// Returns true if line breaks mean nothing at the wrapped part, because of the innermost brackets around it. `None`
    /// if there are no brackets.
    fn brackets_hole(&self) -> Option<bool> {
        let (hole, root) = (self.hole()?, self.expression()?.span());
        let mut token = self.file.tokens().at(hole.start()).previous();
        while let Some(opener) = token.filter(|token| token.span().start() >= root.start()) {
            let encloses = opener.closer().is_some_and(|closer| closer.span().start() >= hole.end());
            if encloses && opener.kind() != TokenKind::Template {
                let is_for = || opener.next().is_some_and(|next| next.kind() == TokenKind::For);
                return Some(opener.kind() != TokenKind::OpenBrace || is_for());
            }
            token = opener.previous();
        }
        None
    }

    /// Returns the span of the wrapped part in the file of the new expression.
    pub fn hole(&self) -> Option<Span> {
        let text = self.file.source().text();
        let (left, right) = split_at_stand_in(text)?;
        let span = Span::new(left.len(), text.len() - right.len());
        let token = self.file.tokens().at(span.start());
        let is_part = matches!(token.kind(), TokenKind::Identifier | TokenKind::Template);
        (is_part && token.span().start() == span.start()).then_some(span)
    }
}
