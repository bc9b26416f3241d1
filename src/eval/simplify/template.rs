//! Templates with known values filled in.

use std::borrow::Cow;

use super::draft::{Draft, Drafts};
use super::{MAX_MISSES, Position, Work};
use crate::eval::{Scope, failed, for_expr::Names, template};
use crate::stack::with_room;
use crate::syntax::ast::{ExpressionNode, TemplateNode, TemplatePart};
use crate::syntax::index::NodeIndex;
use crate::writer::{Form, MARKERS, Output, TemplateText, heredoc};

/// All [`MARKERS`], as bits.
const ALL_MARKERS: u8 = (1 << MARKERS.len()) - 1;

/// A part of a new template. The content of a directive comes between its first and last sequence.
enum Piece {
    Text(String),
    Interpolation(Draft),
    /// A sequence of a directive: its keywords up to its expression, and the expression.
    Directive(Cow<'static, str>, Option<Draft>),
}

/// The pieces of a template, and whether they differ from its source.
#[derive(Default)]
struct Pieces {
    all: Vec<Piece>,
    changed: bool,
}

impl Pieces {
    /// Text is escaped as a whole because a sequence could begin in one piece and continue in the next.
    fn push_text(&mut self, text: &str) {
        match self.all.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.all.push(Piece::Text(text.to_owned())),
        }
    }

    /// The pieces without texts that have nothing in them.
    fn into_pieces(mut self) -> Vec<Piece> {
        self.all.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
        self.all
    }
}

impl Work<'_> {
    /// Keeps a template as it is, and fills in the known values of its parts.
    pub(super) fn keep_template(
        &mut self,
        template: TemplateNode<'_>,
        whole: ExpressionNode<'_>,
        scope: &Scope<'_>,
        misses: u32,
    ) {
        if let Some(inner) = template.unwrapped() {
            return self.visit(inner, Position::Alone, scope, misses);
        }
        if template.is_error() {
            return;
        }
        let mut pieces = Pieces::default();
        self.pieces(template, &mut pieces, scope, misses);
        if !pieces.changed {
            return;
        }
        let all = pieces.into_pieces();
        let heredoc = template.is_heredoc().then(|| self.heredoc(&all)).flatten();
        let draft = heredoc.unwrap_or_else(|| self.quoted(&all));
        self.edits.push((whole.span(), draft));
    }

    fn quoted(&mut self, pieces: &[Piece]) -> Draft {
        let mut draft = self.drafts.begin();
        self.drafts.add(&mut draft, "\"");
        write(pieces, Form::Quoted, &mut self.drafts, &mut draft);
        self.drafts.add(&mut draft, "\"");
        draft
    }

    /// Returns a heredoc, if that is readable and has the same value, which is checked by building it.
    fn heredoc(&mut self, pieces: &[Piece]) -> Option<Draft> {
        if !matches!(pieces.last(), Some(Piece::Text(text)) if text.ends_with('\n')) {
            return None;
        }
        let mut bare = self.drafts.begin();
        write(pieces, Form::Bare, &mut self.drafts, &mut bare);
        // The last line of an inner heredoc is also a line of the outer one.
        if bare.markers == ALL_MARKERS {
            return None;
        }
        let text = heredoc(&self.text(bare)?)?;
        let marker = text.get(2..).and_then(|rest| MARKERS.iter().position(|marker| rest.starts_with(marker)));
        let mut draft = self.drafts.of(&text);
        draft.markers = bare.markers | marker.map_or(0, |at| 1 << at);
        Some(draft)
    }

    /// Returns the text of an expression for a standalone template.
    pub(super) fn template_as_expression(&mut self, template: TemplateNode<'_>, scope: &Scope<'_>) -> Option<Draft> {
        if template.is_error() {
            return None;
        }
        if let Some(inner) = template.unwrapped() {
            return Some(self.new_text(inner, Position::Alone, scope, 0));
        }
        let mut pieces = Pieces::default();
        self.pieces(template, &mut pieces, scope, 0);
        let pieces = pieces.into_pieces();
        Some(self.quoted(&pieces))
    }

    fn pieces(&mut self, template: TemplateNode<'_>, to: &mut Pieces, scope: &Scope<'_>, misses: u32) {
        for part in template.parts() {
            if self.account.is_exceeded() {
                return;
            }
            let mut misses = misses;
            match part {
                TemplatePart::Literal(text, _) => to.push_text(&text),
                TemplatePart::Interpolation(inner) => {
                    if let Some(text) = self.text_of_part(inner.id(), TemplatePart::Interpolation(inner), scope) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let edits = self.edits.len();
                    self.visit(inner, Position::Alone, scope, misses);
                    to.changed |= self.edits.len() > edits;
                    let text = self.take(inner, edits);
                    to.all.push(Piece::Interpolation(text));
                }
                TemplatePart::If(directive) => {
                    if let Some(text) = self.text_of_directive(directive.id(), part, scope, &mut misses) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let (when_true, when_false) = (directive.true_part(), directive.false_part());
                    if let Some(choice) = self.truth(directive.predicate(), scope).filter(|_| !self.as_written) {
                        let (chosen, other) =
                            if choice { (Some(when_true), when_false) } else { (when_false, Some(when_true)) };
                        if self.is_unmarked(other, scope) {
                            to.changed = true;
                            if let Some(chosen) = chosen {
                                with_room(|| self.pieces(chosen, to, scope, misses));
                            }
                            continue;
                        }
                    }
                    let condition = self.changed_text(directive.predicate(), Position::Alone, to, scope, misses);
                    to.all.push(Piece::Directive("if".into(), Some(condition)));
                    with_room(|| self.pieces(when_true, to, scope, misses));
                    if let Some(when_false) = when_false {
                        to.all.push(Piece::Directive("else".into(), None));
                        with_room(|| self.pieces(when_false, to, scope, misses));
                    }
                    to.all.push(Piece::Directive("endif".into(), None));
                }
                TemplatePart::For(directive) => {
                    if let Some(text) = self.text_of_directive(directive.id(), part, scope, &mut misses) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let collection = self.changed_text(directive.collection(), Position::Iterated, to, scope, misses);
                    let (key, value) = (directive.key_variable(), directive.value_variable().text());
                    let unknown = failed();
                    let inner = Names { key: key.map(|name| name.text()), value };
                    let inner = inner.scope(scope, &unknown, &unknown);
                    let words = format!("for {} in", directive.names().written());
                    to.all.push(Piece::Directive(words.into(), Some(collection)));
                    with_room(|| self.pieces(directive.body(), to, &inner, misses));
                    to.all.push(Piece::Directive("endfor".into(), None));
                }
            }
        }
    }

    fn changed_text(
        &mut self,
        part: ExpressionNode<'_>,
        position: Position,
        to: &mut Pieces,
        scope: &Scope<'_>,
        misses: u32,
    ) -> Draft {
        let edits = self.edits.len();
        self.visit(part, position, scope, misses);
        to.changed |= self.edits.len() > edits;
        self.take(part, edits)
    }

    fn new_text(&mut self, part: ExpressionNode<'_>, position: Position, scope: &Scope<'_>, misses: u32) -> Draft {
        let edits = self.edits.len();
        self.visit(part, position, scope, misses);
        self.take(part, edits)
    }

    /// Returns the text of a part with its edits, which are taken from the list.
    fn take(&mut self, part: ExpressionNode<'_>, edits: usize) -> Draft {
        let new = self.draft_of(part.span(), edits);
        let mut draft = self.drafts.begin();
        match new {
            Some(new) => self.drafts.add_draft(&mut draft, new),
            None => drop(self.drafts.add_written(&mut draft, part.span().range())),
        }
        // The closing line of a heredoc ends with a newline; so does a comment at the end.
        if draft.has_newline {
            self.drafts.add(&mut draft, "\n");
        }
        draft
    }

    /// Returns the text of a directive, if it is known. Otherwise its content is simplified and evaluated again, a
    /// limited number of times.
    fn text_of_directive(
        &self,
        node: NodeIndex,
        part: TemplatePart<'_>,
        scope: &Scope<'_>,
        misses: &mut u32,
    ) -> Option<String> {
        if !self.uses.is_closed(node) || *misses > MAX_MISSES {
            return None;
        }
        let text = self.text_of_part(node, part, scope);
        *misses += u32::from(text.is_none());
        text
    }

    /// Returns the text of a part, if it is known.
    fn text_of_part(&self, node: NodeIndex, part: TemplatePart<'_>, scope: &Scope<'_>) -> Option<String> {
        if self.as_written || !self.uses.is_closed(node) {
            return None;
        }
        let before = self.account.impure_calls();
        let value = template::part_value(part, scope, self.account)?;
        let known = before == self.account.impure_calls() && !value.contains_marks();
        value.as_str().filter(|_| known).map(str::to_owned)
    }

    fn may_mark(&self, part: &TemplatePart<'_>) -> bool {
        part.id().is_some_and(|id| self.uses.may_mark(id))
    }

    /// Returns true if a part that is not chosen has no marks; otherwise the whole template would have them too.
    fn is_unmarked(&mut self, part: Option<TemplateNode<'_>>, scope: &Scope<'_>) -> bool {
        let Some(part) = part else { return true };
        if part.parts().any(|part| self.may_mark(&part)) {
            return false;
        }
        let length = part.parts().map(|part| length_of(&part)).sum::<usize>();
        let Some(left) = self.probes.checked_sub(length) else { return false };
        self.probes = left;
        template::inner_value(part, scope, self.account).is_some_and(|value| !value.is_marked())
    }
}

fn length_of(part: &TemplatePart<'_>) -> usize {
    match part {
        TemplatePart::Literal(text, _) => text.len(),
        part => part.span().len(),
    }
}

/// Writes pieces, which make a string.
fn write(pieces: &[Piece], form: Form, drafts: &mut Drafts<'_>, to: &mut Draft) {
    let mut text = match pieces {
        [Piece::Interpolation(_)] => TemplateText::of_lone_interpolation(form),
        _ => TemplateText::new(form),
    };
    let mut out = DraftOutput { drafts, to };
    for piece in pieces {
        match piece {
            Piece::Text(literal) => text.text(literal, &mut out),
            Piece::Interpolation(inner) => text.interpolation(&mut out, |out| out.draft(*inner)),
            Piece::Directive(words, expression) => {
                let expression = expression.map(|inner| move |out: &mut DraftOutput<'_, '_>| out.draft(inner));
                text.directive(words, &mut out, expression);
            }
        }
    }
}

/// A draft to which text is added.
struct DraftOutput<'d, 't> {
    drafts: &'d mut Drafts<'t>,
    to: &'d mut Draft,
}

impl DraftOutput<'_, '_> {
    fn draft(&mut self, draft: Draft) {
        self.drafts.add_draft(self.to, draft);
    }
}

impl Output for DraftOutput<'_, '_> {
    fn push(&mut self, text: &str) {
        self.drafts.add(self.to, text);
    }
}
