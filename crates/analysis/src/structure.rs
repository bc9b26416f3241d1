//! Parts of a file to fold and to select.

use hcl_lr::ConfigFile;
use hcl_lr::internal::sort_by_key;
use hcl_lr::json::{Node, NodeKind};
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{AttributeNode, BlockNode, BodyNode, ExpressionNode, TemplateNode, Visitor, Walk};
use hcl_lr::syntax::{Piece, TokenKind};

use crate::spans::touches;
use crate::workspace::Snapshot;

/// A part of a file that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The span, from the line that stays visible to the last hidden line.
    pub span: Span,
    /// True if it is a comment.
    pub is_comment: bool,
}

impl Snapshot {
    /// Returns the parts of a file that span several lines: blocks, brackets, heredocs, comments.
    pub fn folds(&self, path: &str) -> Vec<Fold> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let source = file.source();
        let lines = |span: Span| {
            let (first, last) = (source.position(span.start()).line, source.position(span.end()).line);
            (first, last)
        };
        let mut folds = Vec::new();
        let mut add = |span: Span, is_comment: bool| {
            let (first, last) = lines(span);
            if first < last {
                folds.push(Fold { span, is_comment });
            }
        };
        match file.document() {
            ConfigFile::Native(native) => {
                // Adjacent comments are one fold.
                let mut comments: Option<Span> = None;
                let mut newlines = 0;
                for piece in native.pieces() {
                    match piece {
                        Piece::Trivia(trivia) => match trivia.comment() {
                            Some(comment) => {
                                let span = comment.span();
                                match comments {
                                    Some(known) if newlines <= 1 => comments = Some(known.join(span)),
                                    known => {
                                        known.into_iter().for_each(|known| add(known, true));
                                        comments = Some(span);
                                    }
                                }
                                newlines = trivia.text().matches('\n').count();
                            }
                            None => newlines += trivia.text().matches('\n').count(),
                        },
                        Piece::Token(token) if token.kind() == TokenKind::Newline => newlines += 1,
                        Piece::Token(token) => {
                            comments.take().into_iter().for_each(|known| add(known, true));
                            newlines = 0;
                            if token.kind() != TokenKind::Value
                                && let Some(closer) = token.closer().filter(|_| token.kind().is_opener())
                            {
                                add(Span::new(token.span().start(), closer.span().start()), false);
                            }
                        }
                    }
                }
                comments.take().into_iter().for_each(|known| add(known, true));
            }
            ConfigFile::Json(document) => {
                let mut waiting = vec![document.root()];
                while let Some(node) = waiting.pop() {
                    match node.kind() {
                        NodeKind::Object(object) => {
                            add(Span::new(object.open_span().start(), object.close_span().start()), false);
                            waiting.extend(object.properties().map(|member| member.value()));
                        }
                        NodeKind::Array(array) => {
                            add(Span::new(array.open_span().start(), array.close_span().start()), false);
                            waiting.extend(array.elements());
                        }
                        _ => {}
                    }
                }
            }
        }
        sort_by_key(&mut folds, |fold| fold.span);
        folds
    }

    /// Returns the parts of a file around a place, from the innermost, each inside the next one.
    pub fn selections(&self, path: &str, offset: usize) -> Vec<Span> {
        let Some(file) = self.file(path) else { return Vec::new() };
        let mut spans = vec![Span::new(0, file.source().text().len())];
        match file.document() {
            ConfigFile::Native(native) => {
                let mut around = Around { offset, spans };
                native.body().walk(&mut around);
                spans = around.spans;
                let token = native.tokens().at(offset);
                if touches(token.span(), offset) && token.kind() != TokenKind::Newline {
                    spans.push(token.name_span());
                }
            }
            ConfigFile::Json(document) => {
                let mut node = Some(document.root());
                while let Some(at) = node {
                    spans.push(at.span());
                    node = json_at(at, offset, &mut spans);
                }
            }
        }
        let mut nested: Vec<Span> = Vec::new();
        for span in spans {
            // Each contains the previous one, and is larger.
            let fits = nested
                .last()
                .is_none_or(|last| last.start() <= span.start() && span.end() <= last.end() && span.len() < last.len());
            if fits && touches(span, offset) {
                nested.push(span);
            }
        }
        nested.reverse();
        nested
    }
}

fn json_at<'t>(node: Node<'t>, offset: usize, spans: &mut Vec<Span>) -> Option<Node<'t>> {
    match node.kind() {
        NodeKind::Object(object) => {
            let member = object.properties().find(|member| touches(member.span(), offset))?;
            spans.push(member.span());
            if touches(member.name_span(), offset) {
                spans.push(member.name_span());
                return None;
            }
            touches(member.value().span(), offset).then(|| member.value())
        }
        NodeKind::Array(array) => array.elements().find(|element| touches(element.span(), offset)),
        _ => None,
    }
}

struct Around {
    offset: usize,
    spans: Vec<Span>,
}

impl Around {
    fn enter(&mut self, span: Span) -> Walk {
        match touches(span, self.offset) {
            true => {
                self.spans.push(span);
                Walk::Into
            }
            false => Walk::Over,
        }
    }
}

impl<'t> Visitor<'t> for Around {
    fn visit_body(&mut self, body: BodyNode<'t>) -> Walk {
        if let (Some(open), Some(close)) = (body.open_brace_span(), body.close_brace_span()) {
            self.enter(Span::new(open.end(), close.start()));
        }
        Walk::Into
    }

    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        self.enter(attribute.span())
    }

    fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
        self.enter(block.span())
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        self.enter(expression.span())
    }

    fn visit_template(&mut self, _: TemplateNode<'t>) -> Walk {
        Walk::Into
    }
}
