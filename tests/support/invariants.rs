//! The properties of every parse, for any input.
//!
//! [`config`], [`expression`], [`template`] and [`traversal`] parse some bytes and check all of
//! it; [`all`] does so for each of the four. They panic with the input where something does not
//! hold. Checked is that
//!
//! - spans of diagnostics, tokens, comments and nodes are inside the source and on character
//!   boundaries,
//! - tokens and what lies between them, put together, are the source, and closers are after their
//!   openers, and pairs nest,
//! - between tokens there is nothing but white space and comments (in sources without errors),
//! - nodes are inside their parents and in the order of the source,
//! - there is an error where the tree has an error node, or the buffer an illegal token,
//! - every accessor, dump, and form of the diagnostics can be had,
//! - parsing again gives the same.
//!
//! Tests and fuzz targets include this file with `#[path]`.
#![allow(dead_code)]

use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::source::{Source, Span};
use hcl_lr::syntax::ast::{
    AccessStep, AttributeNode, BlockNode, BodyItem, BodyNode, ErrorNode, ExpressionKind, ExpressionNode, File,
    ObjectKey, TemplateNode, TemplatePart, TokenDump, TreeDump, Visitor, Walk,
};
use hcl_lr::syntax::{Comment, Piece, Token, TokenKind, Trivia, TriviaKind};
use hcl_lr::{Expression, Outcome, Template, Traversal, parse};
use hcl_lr_conformance::{body_to_json, expression_to_json, template_to_json, traversal_to_json};

/// Checks the bytes as each kind of source.
pub fn all(bytes: &[u8]) {
    config(bytes);
    expression(bytes);
    template(bytes);
    traversal(bytes);
}

/// Checks only that the tokens of a configuration file and what lies between them are the file.
pub fn put_together(bytes: &[u8]) {
    pieces(parse::<File>(Source::from_bytes("input.hcl", bytes)).value());
}

/// The same of the bytes as each kind of source.
pub fn put_together_as_anything(bytes: &[u8]) {
    let source = || Source::from_bytes("input.hcl", bytes);
    put_together(bytes);
    pieces(&parse::<Expression>(source()).value().as_native().expect("it is native").file());
    pieces(&parse::<Template>(source()).value().as_template().expect("it is a template").file());
}

/// The tokens of a file and what lies between them, which put together are the file. They are what
/// they say, and the way back finds the same.
fn pieces(file: &File) -> Vec<Piece<'_>> {
    let (bytes, text) = (file.source().bytes(), file.source().text());
    let (mut pieces, mut found, mut token) = (Vec::new(), Vec::new(), 0);
    for piece in file.pieces() {
        let span = piece.span();
        valid(span, text, "piece");
        assert_eq!(span.start(), found.len(), "{piece:?} does not follow the one before it in {text:?}");
        assert_eq!(piece.text(), &text[span.range()]);
        found.extend_from_slice(&bytes[span.range()]);
        match piece {
            Piece::Token(found) => {
                assert_eq!(found.index(), token);
                assert!(
                    span.is_empty()
                        || [span.start(), span.end() - 1].map(|at| file.tokens().at(at).index()) == [token; 2]
                );
                token += 1;
            }
            Piece::Trivia(trivia) => {
                assert!(is_what_it_says(trivia), "{trivia:?} in {text:?}");
                assert!(!span.is_empty() && file.tokens().at(span.start()).index() == token);
            }
        }
        pieces.push(piece);
    }
    assert_eq!(found, bytes, "the pieces of {text:?}");
    assert_eq!(token, file.tokens().len(), "the tokens of {text:?}");
    let place = |piece: Piece<'_>| (piece.span(), piece.token().map(Token::index));
    let there = pieces.iter().rev().map(|&piece| place(piece));
    assert!(there.eq(file.pieces().rev().map(place)), "the way back differs in {text:?}");
    pieces
}

fn is_what_it_says(trivia: Trivia<'_>) -> bool {
    let text = trivia.text();
    match trivia.kind() {
        TriviaKind::Space => !text.contains('\n') && text.trim().is_empty(),
        TriviaKind::LineBreak => matches!(text, "\n" | "\r\n"),
        TriviaKind::BlankLine => text.trim().is_empty() && text.find('\n') == Some(text.len() - 1),
        TriviaKind::Comment => text.starts_with(['#', '/']) && (text.starts_with("/*") || !text.contains('\n')),
        TriviaKind::ByteOrderMark => text == "\u{feff}" && trivia.span().start() == 0,
        TriviaKind::Skipped => true,
        _ => false,
    }
}

/// Checks the bytes as a configuration file.
pub fn config(bytes: &[u8]) {
    twice(bytes, |source| {
        let parse = parse::<File>(source);
        let file = parse.value();
        let mut check = Check::new(file, parse.diagnostics());
        file.body().walk(&mut check);
        check.finish();
        format!("{}{}", dump(&parse, file), body_to_json(file.body()))
    });
}

/// Checks the bytes as an expression.
pub fn expression(bytes: &[u8]) {
    twice(bytes, |source| {
        let parse = parse::<Expression>(source);
        let node = parse.value().as_native().expect("it is native");
        let file = node.file();
        let mut check = Check::new(&file, parse.diagnostics());
        node.walk(&mut check);
        check.finish();
        format!("{}{}", dump(&parse, &file), expression_to_json(node))
    });
}

/// Checks the bytes as a template.
pub fn template(bytes: &[u8]) {
    twice(bytes, |source| {
        let parse = parse::<Template>(source);
        let node = parse.value().as_template().expect("it is a template");
        let file = node.file();
        let mut check = Check::new(&file, parse.diagnostics());
        node.walk(&mut check);
        check.finish();
        format!("{}{}", dump(&parse, &file), template_to_json(node))
    });
}

/// Checks the bytes as a traversal.
pub fn traversal(bytes: &[u8]) {
    twice(bytes, |source| {
        let parse = parse::<Traversal>(source);
        let traversal = parse.value().node();
        let text = parse.value().source().text();
        diagnostics(parse.diagnostics(), text);
        assert!(traversal.is_some() || parse.diagnostics().has_errors(), "no traversal and no error: {text:?}");
        if let Some(traversal) = traversal {
            inside(traversal.root().span(), Span::new(0, text.len()), text, "root");
            traversal.steps().for_each(|step| drop(format!("{step:?}")));
        }
        format!("{:?}{}", parse.diagnostics(), traversal.map(traversal_to_json).unwrap_or_default())
    });
}

/// Runs a check on two equal sources, and compares what it returns.
fn twice(bytes: &[u8], check: impl Fn(Source) -> String) {
    let source = || Source::from_bytes("input.hcl", bytes);
    assert_eq!(source().bytes(), bytes);
    let run = || check(source());
    let (first, second) = (run(), run());
    assert_eq!(first, second, "two parses differ of {:?}", String::from_utf8_lossy(bytes));
}

fn dump<T>(parse: &Outcome<T>, file: &File) -> String {
    let text = format!("{}{}{:?}", TokenDump(file), TreeDump::of_file(file), parse.diagnostics());
    assert!(parse.diagnostics().has_errors() || !text.contains("Illegal "), "illegal token, no error: {text}");
    text
}

/// Checks the places, and that all forms of the diagnostics can be had.
pub fn diagnostics(diagnostics: &Diagnostics, text: &str) {
    let mut last = 0;
    for diagnostic in diagnostics {
        let labels = diagnostic.labels().iter().map(|label| label.place().span());
        let edits = diagnostic.suggestions().iter().flat_map(|suggestion| suggestion.edits());
        let edits = edits.map(|edit| edit.place().span());
        for span in [diagnostic.span()]
            .into_iter()
            .chain(diagnostic.context().map(|context| context.span()))
            .chain(labels)
            .chain(edits)
        {
            valid(span, text, diagnostic.detail());
        }
        assert!(diagnostic.span().start() >= last, "diagnostics are not in order: {diagnostics:?} of {text:?}");
        assert!(!diagnostic.detail().is_empty() && !diagnostic.summary().is_empty(), "{diagnostic:?}");
        last = diagnostic.span().start();
    }
    let lines = diagnostics.short().lines().count();
    assert!(lines >= diagnostics.len(), "{lines} lines for {} diagnostics", diagnostics.len());
    drop((diagnostics.to_json(), diagnostics.render()));
}

/// A span is inside the text, and on character boundaries.
fn valid(span: Span, text: &str, what: &str) {
    let (start, end) = (span.start(), span.end());
    assert!(start <= end && end <= text.len(), "{what}: {span:?} is not inside the source {text:?}");
    assert!(
        text.is_char_boundary(start) && text.is_char_boundary(end),
        "{what}: {span:?} cuts a character of {text:?}"
    );
}

fn inside(span: Span, outer: Span, text: &str, what: &str) {
    valid(span, text, what);
    assert!(
        outer.start() <= span.start() && span.end() <= outer.end(),
        "{what}: {span:?} is not inside {outer:?} of {text:?}"
    );
}

/// Checks the tokens and comments of a file, and walks over its tree.
struct Check<'t> {
    file: &'t File,
    text: &'t str,
    errors: bool,
    parents: Vec<Span>,
    error_nodes: usize,
}

impl<'t> Check<'t> {
    fn new(file: &'t File, list: &Diagnostics) -> Self {
        let text = file.source().text();
        diagnostics(list, text);
        let check = Check { file, text, errors: list.has_errors(), parents: Vec::new(), error_nodes: 0 };
        check.tokens();
        check
    }

    fn finish(&self) {
        assert!(self.errors || self.error_nodes == 0, "an error node, but no error: {:?}", self.text);
    }

    fn tokens(&self) {
        let text = self.text;
        let mut open: Vec<usize> = Vec::new();
        let mut last = TokenKind::Newline;
        for token in self.file.tokens().iter() {
            let (kind, span) = (token.kind(), token.span());
            assert_ne!(last, TokenKind::EndOfFile, "a token after the end of {text:?}");
            inside(token.name_span(), span, text, "name of a token");
            self.parts(token);
            if let Some(closer) = token.closer() {
                assert!(closer.span().start() >= span.end(), "{token:?} is closed by {closer:?} in {text:?}");
                assert!(
                    open.last().is_none_or(|&outer| closer.span().start() <= outer),
                    "{token:?} and {closer:?} cross another pair, in {text:?}"
                );
                if closer.span().start() > span.end() {
                    open.push(closer.span().start());
                }
            }
            while open.pop_if(|closer| *closer <= span.start()).is_some() {}
            assert!(kind != TokenKind::Illegal || self.errors, "{token:?}, but no error, in {text:?}");
            last = kind;
        }
        assert_eq!(last, TokenKind::EndOfFile, "no end of {text:?}");
        assert!(self.file.tokens().len() < text.len() * 4 + 16, "too many tokens");
        for piece in pieces(self.file) {
            let skipped = matches!(piece, Piece::Trivia(trivia) if trivia.kind() == TriviaKind::Skipped);
            assert!(!skipped || self.errors, "{piece:?}, but no error, in {text:?}");
        }
        let comments: Vec<Span> = self.file.comments().map(Comment::span).collect();
        assert!(comments.is_sorted(), "comments are not in order in {text:?}");
        assert!(self.file.comments().all(|comment| comment.content().len() < comment.text().len()));
    }

    /// The parts of a token and the trivia between them are the token.
    fn parts(&self, token: Token<'t>) {
        let parts = token.parts();
        let trivia = token.inner_trivia().map(|trivia| trivia.span());
        let mut all: Vec<Span> = parts.chain(trivia).collect();
        all.sort();
        let mut end = token.span().start();
        for span in all {
            assert_eq!(span.start(), end, "a part of {token:?} in {:?}", self.text);
            end = span.end();
        }
        assert_eq!(end, token.span().end(), "the parts of {token:?} in {:?}", self.text);
    }

    /// Checks the span of a node, and makes it the parent of those below it, until [`Self::leave`].
    fn enter(&mut self, span: Span, what: &str) {
        inside(span, self.parent(), self.text, what);
        self.parents.push(span);
    }

    fn leave(&mut self) {
        self.parents.pop().expect("a node that was entered");
    }

    fn parent(&self) -> Span {
        self.parents.last().copied().unwrap_or(Span::new(0, self.text.len()))
    }

    fn part(&self, span: Span, what: &str) {
        inside(span, self.parent(), self.text, what);
    }

    fn in_order(&self, spans: impl IntoIterator<Item = Span>, what: &str) {
        let mut end = 0;
        for span in spans {
            self.part(span, what);
            assert!(span.start() >= end, "{what}: {span:?} begins before {end} in {:?}", self.text);
            end = span.end();
        }
    }

    fn comments(&self, comments: impl Iterator<Item = Comment<'t>>) {
        comments.for_each(|comment| valid(comment.span(), self.text, "comment of a node"));
    }

    fn steps(&self, from: Span, steps: impl Iterator<Item = AccessStep<'t>>) {
        let spans = steps.map(|step| match step {
            AccessStep::Attribute(name) => name.span(),
            AccessStep::Index(key) => key.span(),
            AccessStep::LegacyIndex(number) => number.span(),
            other => panic!("no test for {other:?}"),
        });
        self.in_order([from].into_iter().chain(spans), "step");
    }

    fn expression(&self, expression: ExpressionNode<'t>) {
        let spans = match expression.kind() {
            ExpressionKind::Number(number) => {
                assert!(number.text().starts_with(|c: char| c.is_ascii_digit() || c == '.'), "{number:?}");
                vec![number.span()]
            }
            ExpressionKind::Traversal(traversal) => {
                self.steps(traversal.root().span(), traversal.steps());
                vec![]
            }
            ExpressionKind::RelativeTraversal(traversal) => {
                self.steps(traversal.source().span(), traversal.steps());
                vec![]
            }
            ExpressionKind::Index(index) => {
                let brackets = index.brackets_span();
                inside(index.key().span(), brackets, self.text, "key");
                vec![index.collection().span(), brackets]
            }
            ExpressionKind::Splat(splat) => vec![splat.source().span(), splat.operator_span()],
            ExpressionKind::FunctionCall(call) => {
                assert!(!call.name().is_empty());
                let arguments = call.arguments().map(ExpressionNode::span);
                let spans = [call.name_span(), call.open_span()].into_iter().chain(arguments);
                spans.chain([call.close_span()]).collect()
            }
            ExpressionKind::Tuple(tuple) => tuple.elements().map(ExpressionNode::span).collect(),
            ExpressionKind::Object(object) => object
                .elements()
                .map(|element| {
                    if let ObjectKey::Name(name) = element.key() {
                        inside(name.span(), element.span(), self.text, "name of an element");
                    }
                    let (key, value) = (element.key_expression(), element.value());
                    // An element that could not be understood is one error node, as key and as value.
                    if !matches!(key.kind(), ExpressionKind::Error(_)) || key.span() != value.span() {
                        self.in_order([key.span(), value.span()], "object element");
                    }
                    element.span()
                })
                .collect(),
            ExpressionKind::For(expression) => {
                let key = expression.key_variable().map(|name| name.span());
                let parts = [Some(expression.open_span()), key, Some(expression.value_variable().span())];
                let rest = [Some(expression.collection()), expression.key(), Some(expression.value())];
                let rest = rest.into_iter().chain([expression.condition()]).flatten().map(ExpressionNode::span);
                parts.into_iter().flatten().chain(rest).chain([expression.close_span()]).collect()
            }
            ExpressionKind::Conditional(conditional) => vec![
                conditional.predicate().span(),
                conditional.question_span(),
                conditional.true_result().span(),
                conditional.colon_span(),
                conditional.false_result().span(),
            ],
            ExpressionKind::Binary(operation) => {
                assert!(self.errors || operation.operator().as_str() == &self.text[operation.operator_span().range()]);
                vec![operation.left().span(), operation.operator_span(), operation.right().span()]
            }
            ExpressionKind::Unary(operation) => {
                assert!(self.errors || operation.operator().as_str() == &self.text[operation.operator_span().range()]);
                vec![operation.operator_span(), operation.operand().span()]
            }
            ExpressionKind::Parentheses(parentheses) => vec![parentheses.inner().span()],
            _ => vec![],
        };
        self.in_order(spans, "part of an expression");
        valid(expression.first_token_span(), self.text, "first token");
    }
}

impl<'t> Visitor<'t> for Check<'t> {
    fn visit_body(&mut self, body: BodyNode<'t>) -> Walk {
        self.enter(body.span(), "body");
        let items = body.items().map(|item| match item {
            BodyItem::Attribute(attribute) => attribute.span(),
            BodyItem::Block(block) => block.span(),
            BodyItem::Error(error) => error.span(),
            other => panic!("no test for {other:?}"),
        });
        let braces = (body.open_brace_span(), body.close_brace_span());
        self.in_order(braces.0.into_iter().chain(items).chain(braces.1), "item of a body");
        Walk::Into
    }

    fn leave_body(&mut self, _: BodyNode<'t>) {
        self.leave();
    }

    fn visit_attribute(&mut self, attribute: AttributeNode<'t>) -> Walk {
        let value = attribute.expression().span();
        // In place of an expression that is missing there is the newline after the attribute.
        let missing = matches!(attribute.expression().kind(), ExpressionKind::Error(_))
            && value.start() >= attribute.span().end();
        let span = if missing { attribute.span().join(value) } else { attribute.span() };
        self.enter(span, "attribute");
        self.in_order([attribute.name_token().span(), attribute.equals_span(), value], "part of an attribute");
        assert!(!attribute.name().is_empty());
        self.comments(attribute.leading_comments().chain(attribute.trailing_comment()));
        Walk::Into
    }

    fn leave_attribute(&mut self, _: AttributeNode<'t>) {
        self.leave();
    }

    fn visit_block(&mut self, block: BlockNode<'t>) -> Walk {
        self.enter(block.span(), "block");
        let labels = block.labels().map(|label| label.span());
        let parts = [block.type_token().span()].into_iter().chain(labels).chain([block.body().span()]);
        self.in_order(parts, "part of a block");
        self.part(block.header_span(), "header");
        block.labels().for_each(|label| drop((label.text(), label.is_quoted())));
        let _ = block.is_one_line();
        self.comments(block.leading_comments().chain(block.trailing_comment()));
        Walk::Into
    }

    fn leave_block(&mut self, _: BlockNode<'t>) {
        self.leave();
    }

    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        self.enter(expression.span(), "expression");
        self.expression(expression);
        Walk::Into
    }

    fn leave_expression(&mut self, _: ExpressionNode<'t>) {
        self.leave();
    }

    fn visit_template(&mut self, template: TemplateNode<'t>) -> Walk {
        let spans: Vec<Span> = template
            .parts()
            .map(|part| match part {
                TemplatePart::Literal(_, span) => span,
                TemplatePart::Interpolation(expression) => expression.span(),
                TemplatePart::If(directive) => directive.span(),
                TemplatePart::For(directive) => {
                    let key = directive.key_variable().map(|name| name.span());
                    let rest = [directive.value_variable().span(), directive.collection().span()];
                    self.in_order(key.into_iter().chain(rest), "part of a for directive");
                    directive.span()
                }
                other => panic!("no test for {other:?}"),
            })
            .collect();
        self.in_order(spans, "part of a template");
        assert!(!template.is_error() || self.errors, "an error node, but no error: {:?}", self.text);
        drop((template.as_text(), template.unwrapped().is_some(), template.is_heredoc()));
        Walk::Into
    }

    fn visit_error(&mut self, error: ErrorNode<'t>) {
        self.error_nodes += 1;
        self.part(error.span(), "error node");
        assert_eq!(error.text(), &self.text[error.span().range()]);
    }
}
