//! Templates with what is known put in.

use super::{Stands, Work};
use crate::build::{Form, escaped, heredoc};
use crate::eval::{Scope, failed, for_expr::Names, template};
use crate::stack::with_room;
use crate::syntax::ast::{ExpressionNode, TemplateNode, TemplatePart};

/// A part of a new template.
enum Piece {
    Text(String),
    Interpolation(String),
    If { condition: String, when_true: Vec<Piece>, when_false: Option<Vec<Piece>> },
    For { names: String, collection: String, body: Vec<Piece> },
}

/// The pieces of a template, and whether they differ from what is written.
#[derive(Default)]
struct Pieces {
    all: Vec<Piece>,
    changed: bool,
}

impl Pieces {
    /// Text is escaped as a whole, for a sequence could begin in one piece and go on in the next.
    fn push_text(&mut self, text: &str) {
        match self.all.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.all.push(Piece::Text(text.to_owned())),
        }
    }

    fn push(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.push_text(&text),
            other => self.all.push(other),
        }
    }
}

impl Work<'_> {
    /// Leaves a template as it is, and puts in what is known of its parts.
    pub(super) fn keep_template(
        &mut self,
        template: TemplateNode<'_>,
        whole: ExpressionNode<'_>,
        scope: &Scope<'_>,
        misses: u32,
    ) {
        if let Some(inner) = template.unwrapped() {
            return self.visit(inner, Stands::Alone, scope, misses);
        }
        if template.is_error() {
            return;
        }
        let mut pieces = Pieces::default();
        self.pieces(template, &mut pieces, scope, misses);
        if !pieces.changed {
            return;
        }
        let all = as_string(pieces.all);
        let text = match template.is_heredoc().then(|| heredoc(&written(&all, Form::Bare))).flatten() {
            Some(heredoc) => heredoc,
            None => format!("\"{}\"", written(&all, Form::Quoted)),
        };
        self.edit(whole.span(), text);
    }

    /// The text of an expression for a template that stands by itself.
    pub(super) fn template_as_expression(&mut self, template: TemplateNode<'_>, scope: &Scope<'_>) -> Option<String> {
        if template.is_error() {
            return None;
        }
        if let Some(inner) = template.unwrapped() {
            return Some(self.new_text(inner, Stands::Alone, scope, 0));
        }
        let mut pieces = Pieces::default();
        self.pieces(template, &mut pieces, scope, 0);
        Some(format!("\"{}\"", written(&as_string(pieces.all), Form::Quoted)))
    }

    fn pieces(&mut self, template: TemplateNode<'_>, to: &mut Pieces, scope: &Scope<'_>, misses: u32) {
        for part in template.parts() {
            if self.account.is_exceeded() {
                return;
            }
            match part {
                TemplatePart::Literal(text, _) => to.push_text(&text),
                TemplatePart::Interpolation(inner) => {
                    if let Some(text) = self.text_of_part(inner.id(), TemplatePart::Interpolation(inner), scope) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let edits = self.edits.len();
                    self.visit(inner, Stands::Alone, scope, misses);
                    to.changed |= self.edits.len() > edits;
                    let text = self.take(inner, edits);
                    to.push(Piece::Interpolation(text));
                }
                TemplatePart::If(directive) => {
                    if let Some(text) = self.text_of_part(directive.id(), TemplatePart::If(directive), scope) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let (when_true, when_false) = (directive.true_part(), directive.false_part());
                    if let Some(choice) = self.truth(directive.predicate(), scope) {
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
                    let condition = self.changed_text(directive.predicate(), Stands::Alone, to, scope, misses);
                    let when_true = self.inner_pieces(when_true, to, scope, misses);
                    let when_false = when_false.map(|part| self.inner_pieces(part, to, scope, misses));
                    to.push(Piece::If { condition, when_true, when_false });
                }
                TemplatePart::For(directive) => {
                    if let Some(text) = self.text_of_part(directive.id(), TemplatePart::For(directive), scope) {
                        to.push_text(&text);
                        to.changed = true;
                        continue;
                    }
                    let collection = self.changed_text(directive.collection(), Stands::Iterated, to, scope, misses);
                    let (key, value) = (directive.key_variable(), directive.value_variable().text());
                    let open = failed();
                    let inner = Names { key: key.map(|name| name.text()), value };
                    let inner = inner.scope(scope, &open, &open);
                    let body = self.inner_pieces(directive.body(), to, &inner, misses);
                    let names = key.map_or_else(|| value.to_owned(), |key| format!("{}, {value}", key.text()));
                    to.push(Piece::For { names, collection, body });
                }
            }
        }
    }

    fn inner_pieces(
        &mut self,
        template: TemplateNode<'_>,
        around: &mut Pieces,
        scope: &Scope<'_>,
        misses: u32,
    ) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        with_room(|| self.pieces(template, &mut pieces, scope, misses));
        around.changed |= pieces.changed;
        pieces.all
    }

    fn changed_text(
        &mut self,
        part: ExpressionNode<'_>,
        stands: Stands,
        to: &mut Pieces,
        scope: &Scope<'_>,
        misses: u32,
    ) -> String {
        let edits = self.edits.len();
        self.visit(part, stands, scope, misses);
        to.changed |= self.edits.len() > edits;
        self.take(part, edits)
    }

    fn new_text(&mut self, part: ExpressionNode<'_>, stands: Stands, scope: &Scope<'_>, misses: u32) -> String {
        let edits = self.edits.len();
        self.visit(part, stands, scope, misses);
        self.take(part, edits)
    }

    /// The text of a part with the edits in it, which are taken.
    fn take(&mut self, part: ExpressionNode<'_>, edits: usize) -> String {
        let new = self.text_of(part.span(), part.shared_source().text(), edits);
        let mut text = new.unwrap_or_else(|| part.text().to_owned());
        // The closing line of a heredoc ends with a newline; so does a comment at the end.
        if text.contains('\n') {
            text.push('\n');
        }
        text
    }

    /// The text that a part makes, if that is known.
    fn text_of_part(
        &self,
        node: crate::syntax::index::NodeIndex,
        part: TemplatePart<'_>,
        scope: &Scope<'_>,
    ) -> Option<String> {
        if !self.uses.is_closed(node) {
            return None;
        }
        let before = self.account.impure_calls();
        let value = template::part_value(part, scope, self.account)?;
        let known = before == self.account.impure_calls() && !value.contains_marks();
        value.as_str().filter(|_| known).map(str::to_owned)
    }

    fn may_mark(&self, part: &TemplatePart<'_>) -> bool {
        match part {
            TemplatePart::Literal(..) => false,
            TemplatePart::Interpolation(inner) => self.uses.may_mark(inner.id()),
            TemplatePart::If(directive) => self.uses.may_mark(directive.id()),
            TemplatePart::For(directive) => self.uses.may_mark(directive.id()),
        }
    }

    /// Whether a part that is not chosen has no marks, which the whole would have, too.
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
        TemplatePart::Interpolation(inner) => inner.span().len(),
        TemplatePart::If(directive) => directive.span().len(),
        TemplatePart::For(directive) => directive.span().len(),
    }
}

/// Pieces that make a string: a single interpolation alone would be the value of that.
fn as_string(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.retain(|piece| !matches!(piece, Piece::Text(text) if text.is_empty()));
    if let [Piece::Interpolation(_)] = pieces[..] {
        pieces.push(Piece::Interpolation("\"\"".to_owned()));
    }
    pieces
}

fn written(pieces: &[Piece], form: Form) -> String {
    let mut out = String::new();
    write(pieces, form, false, &mut out);
    out
}

/// Writes pieces; within a directive, `%{ endif }` or the like comes after them.
fn write(pieces: &[Piece], form: Form, within: bool, out: &mut String) {
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(text) => {
                let sign = match pieces.get(index + 1) {
                    Some(Piece::Interpolation(_)) => Some('$'),
                    Some(Piece::If { .. } | Piece::For { .. }) => Some('%'),
                    Some(Piece::Text(_)) | None => within.then_some('%'),
                };
                let text = escaped(text, form);
                // Such signs right before a sequence would make it an escape.
                let plain = sign.map_or(&*text, |sign| text.trim_end_matches(sign));
                let signs = &text[plain.len()..];
                out.push_str(plain);
                if !signs.is_empty() {
                    out.extend(["${\"", signs, "\"}"]);
                }
            }
            Piece::Interpolation(inner) => out.extend(["${", inner, "}"]),
            Piece::If { condition, when_true, when_false } => {
                out.extend(["%{ if ", condition, " }"]);
                with_room(|| write(when_true, form, true, out));
                if let Some(when_false) = when_false {
                    out.push_str("%{ else }");
                    with_room(|| write(when_false, form, true, out));
                }
                out.push_str("%{ endif }");
            }
            Piece::For { names, collection, body } => {
                out.extend(["%{ for ", names, " in ", collection, " }"]);
                with_room(|| write(body, form, true, out));
                out.push_str("%{ endfor }");
            }
        }
    }
}
