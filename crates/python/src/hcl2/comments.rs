//! The comments of python-hcl2: those between the items of a body, and those within expressions.
//!
//! Its grammar has white space as tokens, so which list a comment is in depends on the rule that takes it. A comment after
//! the last operand of an operator belongs to the operation: if it is in the same line, it is within an expression.

use hcl_lr::internal::python::{Dict, Value};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode, File, ObjectElement, Visitor, Walk};

/// The places of the comments of a file, in order.
pub struct Comments {
    spans: Vec<Span>,
}

/// The comments of a body.
#[derive(Default)]
pub struct Found {
    pub body: Vec<String>,
    pub inline: Vec<String>,
}

/// Returns comments as a list of objects.
pub fn objects(texts: Vec<String>) -> Value {
    let object = |text| {
        let mut dict = Dict::default();
        dict.set("value".to_owned(), Value::Text(text));
        Value::Dict(dict)
    };
    Value::List(texts.into_iter().map(object).collect())
}

/// The spans that python-hcl2 does not search for comments: templates, and the elements of objects.
struct Unsearched(Vec<Span>);

impl<'t> Visitor<'t> for Unsearched {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        match expression.kind() {
            ExpressionKind::Template(_) => {
                self.0.push(expression.span());
                Walk::Over
            }
            ExpressionKind::Object(object) => {
                self.0.extend(object.elements().map(ObjectElement::span));
                Walk::Over
            }
            _ => Walk::Into,
        }
    }
}

impl Comments {
    /// Lists the comments of a file.
    pub fn of(file: &File) -> Comments {
        Comments { spans: file.comments().map(|comment| comment.span()).collect() }
    }

    /// Returns the comments between two offsets.
    fn between(&self, start: usize, end: usize) -> &[Span] {
        let from = self.spans.partition_point(|span| span.start() < start);
        let to = self.spans.partition_point(|span| span.start() < end);
        &self.spans[from..to.max(from)]
    }

    /// Returns the comments of a body, without those of its blocks.
    pub fn of_body(&self, body: BodyNode<'_>) -> Found {
        let mut found = Found::default();
        let whole = body.span();
        let end_of = |brace: Option<Span>| brace.map(Span::start);
        let body_end = end_of(body.close_brace_span()).unwrap_or(whole.end());
        let mut at = body.open_brace_span().map_or(whole.start(), Span::end);
        if self.between(at, body_end).is_empty() {
            return found;
        }
        let text = body.shared_source().text();
        let items: Vec<BodyItem<'_>> = body.items().collect();
        let starts: Vec<usize> = items.iter().map(|item| item.span().start()).collect();
        let mut taken = false;
        for (index, item) in items.iter().enumerate() {
            if !taken {
                found.body.extend(self.in_gap(text, at, starts[index]));
            }
            taken = false;
            at = item.span().end();
            let BodyItem::Attribute(attribute) = item else { continue };
            let expression = attribute.expression();
            self.within(text, expression, &mut found.inline);
            let next = starts.get(index + 1).copied().unwrap_or(body_end);
            if let Some(is_whole) = ends_in_operation(expression) {
                let comments = self.in_gap(text, at, next);
                let is_inline = text[at..next].trim_start_matches([' ', '\t']).starts_with(['#', '/']);
                match (is_inline, is_whole) {
                    (true, _) => found.inline.extend(comments),
                    (false, true) => found.body.extend(comments),
                    // Lost.
                    (false, false) => {}
                }
                taken = true;
            }
        }
        if !taken {
            found.body.extend(self.in_gap(text, at, body_end));
        }
        found
    }

    fn within(&self, text: &str, expression: ExpressionNode<'_>, inline: &mut Vec<String>) {
        let span = expression.span();
        if self.between(span.start(), span.end()).is_empty() {
            return;
        }
        let mut unsearched = Unsearched(Vec::new());
        expression.walk(&mut unsearched);
        let mut at = span.start();
        for hole in unsearched.0.iter().map(|span| (span.start(), span.end())).chain([(span.end(), span.end())]) {
            inline.extend(self.in_gap(text, at, hole.0));
            at = at.max(hole.1);
        }
    }

    /// Returns the comments in a part of a text: runs of them, with only white space between, are read together.
    fn in_gap(&self, text: &str, start: usize, end: usize) -> Vec<String> {
        let mut texts = Vec::new();
        let mut run: Option<Span> = None;
        for span in self.between(start, end) {
            run = match run {
                Some(run) if text[run.end()..span.start()].trim().is_empty() => Some(run.join(*span)),
                Some(run) => {
                    read(&text[run.range()], &mut texts);
                    Some(*span)
                }
                None => Some(*span),
            };
        }
        if let Some(run) = run {
            read(&text[run.range()], &mut texts);
        }
        texts
    }
}

/// Reads comments: a single block comment as a whole, anything else line by line.
fn read(text: &str, texts: &mut Vec<String>) {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")) {
        let inside = inside.trim();
        texts.extend((!inside.is_empty()).then(|| inside.to_owned()));
        return;
    }
    for line in text.split('\n') {
        let line = line.trim();
        let line = line.strip_prefix("//").or_else(|| line.strip_prefix('#')).unwrap_or(line);
        if !line.is_empty() {
            texts.push(line.trim().to_owned());
        }
    }
}

/// Returns true if an expression is an operation, and false if its last part is one. `None` for others.
fn ends_in_operation(expression: ExpressionNode<'_>) -> Option<bool> {
    let mut at = expression;
    let mut is_whole = true;
    loop {
        match at.kind() {
            ExpressionKind::Binary(operation) => match operation.right().kind() {
                ExpressionKind::Binary(_) => {
                    at = operation.right();
                    is_whole = false;
                }
                _ => return Some(is_whole),
            },
            ExpressionKind::Conditional(conditional) => {
                at = conditional.false_result();
                is_whole = false;
            }
            _ => return None,
        }
    }
}
