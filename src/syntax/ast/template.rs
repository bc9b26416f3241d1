//! The template language: the parts of a template, and their text.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::body::{ErrorNode, File};
use super::expression::{ExpressionNode, Name};
use super::visit::ForNames;
use crate::nfc::nfc;
use crate::source::{Source, Span};
use crate::syntax::index::{NodeIndex, TokenIndex};
use crate::syntax::literal::{decode_quoted, decode_template_text, means_itself, unquote};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{NodeKind, Tree, expression_kinds, item_kinds, other_kinds};

/// A template ("Templates"): the content of a quoted string, heredoc or directive, or a whole source.
#[derive(Clone, Copy)]
pub struct TemplateNode<'t> {
    tree: &'t Arc<Tree>,
    form: Form,
    quotes: Quotes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// A quoted string without sequences, which is a single token.
    Token(TokenIndex),
    /// A node of kind Template, or of kind Error.
    Node(NodeIndex),
}

/// The notation of the literal text of a template.
#[derive(Clone, Copy)]
enum Quotes {
    Quoted,
    /// The opener, and the number of characters to remove from each line, which is computed on demand.
    Heredoc(TokenIndex, Option<u32>),
    Bare,
}

/// A part of a template.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TemplatePart<'t> {
    /// Text ("Template Literals"), with escapes decoded, strip markers applied, the indentation of a `<<-` heredoc
    /// removed, and in normalization form C. It may be empty after that.
    Literal(Cow<'t, str>, Span),
    /// `${ … }` ("Template Interpolations")
    Interpolation(ExpressionNode<'t>),
    /// `%{ if … }` ("Template If Directive")
    If(TemplateIf<'t>),
    /// `%{ for … }` ("Template For Directive")
    For(TemplateFor<'t>),
}

/// A piece of a directive in source order: a sequence, or the template after it.
pub(crate) enum DirectivePiece<'t> {
    /// The keywords of a sequence up to its expression, such as `for x in`, and the expression.
    Sequence(Cow<'static, str>, Option<ExpressionNode<'t>>),
    Template(TemplateNode<'t>),
}

impl<'t> TemplatePart<'t> {
    /// Returns the pieces of a directive in source order. Other parts have none.
    pub(crate) fn directive_pieces(&self) -> Vec<DirectivePiece<'t>> {
        use DirectivePiece::{Sequence, Template};
        let mut pieces = Vec::new();
        match self {
            TemplatePart::Literal(..) | TemplatePart::Interpolation(_) => {}
            TemplatePart::If(directive) => {
                pieces.push(Sequence("if".into(), Some(directive.predicate())));
                pieces.push(Template(directive.true_part()));
                if let Some(part) = directive.false_part() {
                    pieces.extend([Sequence("else".into(), None), Template(part)]);
                }
                pieces.push(Sequence("endif".into(), None));
            }
            TemplatePart::For(directive) => {
                let words = format!("for {} in", directive.names().written());
                pieces.push(Sequence(words.into(), Some(directive.collection())));
                pieces.extend([Template(directive.body()), Sequence("endfor".into(), None)]);
            }
        }
        pieces
    }

    /// The tree and the node of a directive.
    fn directive(&self) -> Option<(&Arc<Tree>, NodeIndex)> {
        match self {
            TemplatePart::Literal(..) | TemplatePart::Interpolation(_) => None,
            TemplatePart::If(directive) => Some((directive.template.tree, directive.node)),
            TemplatePart::For(directive) => Some((directive.template.tree, directive.node)),
        }
    }

    /// Returns the index that identifies an interpolation, by its expression, or a directive.
    pub(crate) fn id(&self) -> Option<NodeIndex> {
        match self {
            TemplatePart::Interpolation(expression) => Some(expression.id()),
            part => part.directive().map(|(_, node)| node),
        }
    }

    /// Returns the span of the text, of the expression of an interpolation, or of a whole directive.
    pub(crate) fn span(&self) -> Span {
        match self {
            TemplatePart::Literal(_, span) => *span,
            TemplatePart::Interpolation(expression) => expression.span(),
            part => part.directive().map_or_else(Span::default, |(tree, node)| tree.span(node)),
        }
    }

    /// Returns the span of the first sequence of a directive, such as `%{ for x in list }`; for other parts, their
    /// span.
    pub(crate) fn first_sequence_span(&self) -> Span {
        match self.directive() {
            Some((tree, node)) => {
                let opener = tree.node(node).start;
                tree.tokens_span(opener, tree.tokens.closer(opener))
            }
            None => self.span(),
        }
    }
}

impl<'t> TemplateNode<'t> {
    pub(in crate::syntax) fn root(tree: &'t Arc<Tree>) -> Self {
        TemplateNode { tree, form: Form::Node(tree.root), quotes: Quotes::Bare }
    }

    pub(super) fn of_token(tree: &'t Arc<Tree>, token: TokenIndex) -> Self {
        TemplateNode { tree, form: Form::Token(token), quotes: Quotes::Quoted }
    }

    pub(super) fn of_node(tree: &'t Arc<Tree>, node: NodeIndex) -> Self {
        let opener = tree.node(node).start;
        let heredoc = tree.text().as_bytes().get(tree.tokens.start(opener) as usize) == Some(&b'<');
        let quotes = if heredoc { Quotes::Heredoc(opener, None) } else { Quotes::Quoted };
        TemplateNode { tree, form: Form::Node(tree.node(node).second.node()), quotes }
    }

    /// The file it is in.
    pub fn file(self) -> File {
        File::new(self.tree.clone())
    }

    /// Returns the source of the template, for creating diagnostics.
    pub(crate) fn shared_source(self) -> &'t Arc<Source> {
        &self.tree.source
    }

    /// Returns true if it is a heredoc.
    pub fn is_heredoc(self) -> bool {
        matches!(self.quotes, Quotes::Heredoc(..))
    }

    /// Returns the parts of the template. Text between two sequences is a single part, however many lines it has.
    ///
    /// ```
    /// use hcl_lr::syntax::ast::{ExpressionKind, TemplatePart};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = <<-EOT\n    x = ${x ~}\n    y\n  EOT\n").into_result()?;
    /// let ExpressionKind::Template(template) = file.body().attribute("a").expect("a").expression().kind() else {
    ///     panic!("a template")
    /// };
    /// let texts = template.parts().filter_map(|part| match part {
    ///     TemplatePart::Literal(text, _) => Some(text.into_owned()),
    ///     _ => None,
    /// });
    /// assert_eq!(texts.collect::<Vec<_>>(), ["x = ", "    y\n"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn parts(self) -> impl Iterator<Item = TemplatePart<'t>> {
        let this = TemplateNode { quotes: self.known_quotes(true), ..self };
        let (token, nodes) = match self.form {
            Form::Token(token) => (Some(token), &[][..]),
            Form::Node(node) if self.tree.node(node).kind == NodeKind::Template => (None, self.tree.children(node)),
            Form::Node(_) => (None, &[][..]),
        };
        let text = token.map(|token| {
            let span = self.tree.token_span(token);
            TemplatePart::Literal(nfc(unquote(self.tree.source.slice(span))), span)
        });
        text.into_iter().chain(nodes.iter().map(move |&node| this.part(node)))
    }

    fn part(self, node: NodeIndex) -> TemplatePart<'t> {
        let data = self.tree.node(node);
        match data.kind {
            NodeKind::TemplateLiteral => {
                let span = self.tree.token_span(data.start);
                let text = self.tree.source.slice(span);
                let strips = self.strips_around(data.start, span);
                let as_written = strips == (false, false) && !self.flushes() && means_itself(text);
                let text = if as_written { Cow::Borrowed(text) } else { nfc(self.literal(data.start, text, strips)) };
                TemplatePart::Literal(text, span)
            }
            NodeKind::TemplateIf => TemplatePart::If(TemplateIf { template: self, node }),
            NodeKind::TemplateFor => TemplatePart::For(TemplateFor { template: self, node }),
            NodeKind::Interpolation => TemplatePart::Interpolation(ExpressionNode::new(self.tree, data.second.node())),
            // The others are no parts of a template.
            item_kinds!() | expression_kinds!() | other_kinds!() => {
                TemplatePart::Interpolation(ExpressionNode::new(self.tree, node))
            }
        }
    }

    /// Returns the spans of the [parts](Self::parts) as they are written: of texts without quotes, and of interpolations
    /// and directives with their signs.
    ///
    /// ```
    /// let file = hcl_lr::parse::<hcl_lr::File>("a = \"x ${ y }\"\nb = \"x\"\n").into_result()?;
    /// let texts = |name: &str| {
    ///     let value = file.body().attribute(name).expect("it is there").expression();
    ///     let hcl_lr::syntax::ast::ExpressionKind::Template(template) = value.kind() else { panic!("a template") };
    ///     template.part_spans().map(|span| file.source().slice(span)).collect::<Vec<_>>()
    /// };
    /// assert_eq!(texts("a"), ["x ", "${ y }"]);
    /// assert_eq!(texts("b"), ["x"]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn part_spans(self) -> impl Iterator<Item = Span> {
        let (token, nodes) = match self.form {
            Form::Token(token) => (Some(token), &[][..]),
            Form::Node(node) if self.tree.node(node).kind == NodeKind::Template => (None, self.tree.children(node)),
            Form::Node(_) => (None, &[][..]),
        };
        let within = |token: TokenIndex| {
            let span = self.tree.token_span(token);
            let text = self.tree.source.slice(span);
            let is_closed = text.len() > 1 && text.ends_with('"');
            Span::of(span.start() as u32 + 1, span.end() as u32 - u32::from(is_closed))
        };
        token.map(within).into_iter().chain(nodes.iter().map(move |&node| self.tree.span(node)))
    }

    /// Returns the offset at which the parts begin; `None` for an empty part of a directive.
    #[doc(hidden)]
    pub fn start(self) -> Option<usize> {
        match (self.part_spans().next(), self.quotes, self.form) {
            (Some(first), ..) => Some(first.start()),
            (None, Quotes::Heredoc(opener, _), _) if self.tree.tokens.closer(opener) == opener + 1 => {
                Some(self.tree.token_span(opener).end())
            }
            (None, Quotes::Bare, Form::Node(node)) if node == self.tree.root => Some(0),
            _ => None,
        }
    }

    /// Returns the expression, if the template is a single interpolation. The value of the template is then that of the
    /// expression ("Template Interpolation Unwrapping").
    pub fn unwrapped(self) -> Option<ExpressionNode<'t>> {
        let Form::Node(node) = self.form else {
            return None;
        };
        match (self.tree.node(node).kind, self.tree.node(node).run().len()) {
            (NodeKind::Template, 1) => match self.part(self.tree.children(node)[0]) {
                TemplatePart::Interpolation(expression) => Some(expression),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if it is a quoted string without sequences.
    pub(crate) fn is_plain(self) -> bool {
        matches!(self.form, Form::Token(_))
    }

    /// Returns the text of a quoted string without sequences, as most templates are.
    pub(crate) fn plain_text(self) -> Option<Cow<'t, str>> {
        let Form::Token(token) = self.form else { return None };
        Some(nfc(unquote(self.tree.token_text(token))))
    }

    /// Returns the text, if the template contains nothing else.
    pub fn as_text(self) -> Option<Cow<'t, str>> {
        let mut parts = self.parts();
        match (parts.next(), parts.next()) {
            (None, _) if !self.is_error() => Some(Cow::Borrowed("")),
            (Some(TemplatePart::Literal(text, _)), None) => Some(text),
            _ => None,
        }
    }

    /// Returns the template as text for another program: interpolations and directives as they are written, with all
    /// blanks around them. Between them escape sequences are decoded, and the indentation of a `<<-` heredoc is
    /// removed.
    pub(crate) fn text_with_sequences(self) -> String {
        let this = TemplateNode { quotes: self.known_quotes(false), ..self };
        let Form::Node(node) = self.form else { return self.plain_text().unwrap_or_default().into_owned() };
        let (data, tokens) = (self.tree.node(node), &self.tree.tokens);
        let (mut token, mut text) = (data.start, String::new());
        while token <= data.end {
            let span = self.tree.token_span(token);
            let last = if tokens.kind(token).is_opener() { tokens.closer(token) } else { token };
            let written = self.tree.source.slice(span.join(self.tree.token_span(last)));
            match tokens.kind(token) {
                TokenKind::TemplateLiteral => text.push_str(&nfc(this.literal(token, written, (false, false)))),
                _ => text.push_str(written),
            }
            token = last + 1;
        }
        text
    }

    /// Returns true if the template has a syntax error; it has no parts then.
    pub fn is_error(self) -> bool {
        matches!(self.form, Form::Node(node) if self.tree.node(node).kind != NodeKind::Template)
    }

    /// Returns the error that replaces the parts, if there is one.
    pub(super) fn error(self) -> Option<ErrorNode<'t>> {
        match self.form {
            Form::Node(node) if self.is_error() => Some(ErrorNode { tree: self.tree, node }),
            _ => None,
        }
    }

    /// The part of a template that a directive encloses.
    fn inner(self, node: NodeIndex) -> TemplateNode<'t> {
        TemplateNode { form: Form::Node(node), ..self }
    }

    /// Returns true for each side, start and end, at which a literal is stripped. A strip marker is directly next to
    /// the literal, so a look at the text rules this out in nearly all cases.
    fn strips_around(self, token: TokenIndex, span: Span) -> (bool, bool) {
        let (text, tokens) = (self.tree.text().as_bytes(), &self.tree.tokens);
        let closes = |before: TokenIndex| tokens.kind(before) == TokenKind::CloseSequence;
        let before = text[..span.start()].ends_with(b"~}") && token.checked_sub(1).is_some_and(closes);
        let after = text.get(span.end() + 2) == Some(&b'~') && tokens.kind(token + 1).is_opener();
        (before, after)
    }

    /// Returns true if the indentation of its lines is removed.
    fn flushes(self) -> bool {
        matches!(self.quotes, Quotes::Heredoc(_, indent) if indent != Some(0))
    }

    fn literal(self, token: TokenIndex, text: &'t str, (before, after): (bool, bool)) -> Cow<'t, str> {
        match self.quotes {
            // White space that is written as an escape sequence is stripped too.
            Quotes::Quoted => match decode_quoted(text) {
                Cow::Borrowed(text) => Cow::Borrowed(strip(text, before, after)),
                Cow::Owned(text) => Cow::Owned(strip(&text, before, after).to_owned()),
            },
            Quotes::Heredoc(opener, indent) => {
                let indent = indent.unwrap_or(0) as usize;
                let mut begins_line = self.tree.tokens.kind(token - 1) == TokenKind::Template && token - 1 == opener;
                if indent == 0 {
                    return decode_template_text(strip_lines(text, before, after));
                }
                let text = strip_lines(text, before, after);
                let mut flushed = String::with_capacity(text.len());
                for line in text.split_inclusive('\n') {
                    let remove = begins_line && !(line.ends_with('\n') && line.trim().is_empty());
                    flushed.push_str(if remove { skip_chars(line, indent) } else { line });
                    begins_line = line.ends_with('\n');
                }
                Cow::Owned(decode_template_text(&flushed).into_owned())
            }
            Quotes::Bare => decode_template_text(strip_lines(text, before, after)),
        }
    }

    /// Determines the indentation of the lines, with or without strip markers applied.
    fn known_quotes(self, strips: bool) -> Quotes {
        match self.quotes {
            Quotes::Heredoc(opener, None) => {
                let start = self.tree.tokens.start(opener) as usize;
                let flush = self.tree.text().as_bytes().get(start + 2) == Some(&b'-');
                Quotes::Heredoc(opener, Some(if flush { self.indentation(opener, strips) } else { 0 }))
            }
            known => known,
        }
    }

    /// Returns the smallest number of white space characters that begin a line which is not blank.
    fn indentation(self, opener: TokenIndex, strips: bool) -> u32 {
        let tokens = &self.tree.tokens;
        let closer = tokens.closer(opener);
        let mut least: Option<usize> = None;
        let mut note = |count: usize| least = Some(least.map_or(count, |least| least.min(count)));
        let mut begins_line = true;
        let mut token = opener + 1;
        while token < closer {
            if tokens.kind(token) == TokenKind::TemplateLiteral {
                let span = self.tree.token_span(token);
                let (before, after) = if strips { self.strips_around(token, span) } else { (false, false) };
                let text = strip_lines(self.tree.source.slice(span), before, after);
                for line in text.split_inclusive('\n') {
                    let blank = line.trim_start();
                    let empty_line = blank.is_empty() && line.ends_with('\n');
                    if begins_line && !empty_line && !line.is_empty() {
                        note(line[..line.len() - blank.len()].chars().count());
                    }
                    begins_line = line.ends_with('\n') || begins_line && line.is_empty();
                }
                token += 1;
            } else {
                if begins_line {
                    note(0);
                }
                begins_line = false;
                token = if tokens.kind(token).is_opener() { tokens.closer(token) + 1 } else { token + 1 };
            }
        }
        least.unwrap_or(0) as u32
    }
}

/// Applies strip markers: each removes all adjacent white space.
fn strip(text: &str, before: bool, after: bool) -> &str {
    let text = if before { text.trim_start() } else { text };
    if after { text.trim_end() } else { text }
}

/// Applies strip markers to whole lines: each removes the adjacent white space of the line, including its newline.
fn strip_lines(text: &str, before: bool, after: bool) -> &str {
    let mut text = text;
    if before {
        let end = text.find('\n').map_or(text.len(), |newline| newline + 1);
        let line = &text[..end];
        let trimmed = line.trim_start();
        text = &text[line.len() - trimmed.len()..];
    }
    if after {
        let body = text.strip_suffix('\n').unwrap_or(text);
        let start = body.rfind('\n').map_or(0, |newline| newline + 1);
        text = &text[..start + text[start..].trim_end().len()];
    }
    text
}

fn skip_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or("", |(at, _)| &text[at..])
}

/// An `if` directive.
#[derive(Clone, Copy)]
pub struct TemplateIf<'t> {
    template: TemplateNode<'t>,
    node: NodeIndex,
}

impl<'t> TemplateIf<'t> {
    /// Returns the condition.
    pub fn predicate(self) -> ExpressionNode<'t> {
        let tree = self.template.tree;
        ExpressionNode::new(tree, tree.node(self.node).second.node())
    }

    /// Returns the parts for a true and for a false predicate.
    fn parts(self) -> &'t [NodeIndex] {
        let tree = self.template.tree;
        tree.run(tree.node(self.node).first.run_of(2))
    }

    /// The part for a true predicate.
    pub fn true_part(self) -> TemplateNode<'t> {
        self.template.inner(self.parts()[0])
    }

    /// Returns the part for a false predicate, if there is an `else`.
    pub fn false_part(self) -> Option<TemplateNode<'t>> {
        self.parts()[1].if_any().map(|node| self.template.inner(node))
    }

    /// Returns the index that identifies it in the file.
    pub(crate) fn id(self) -> NodeIndex {
        self.node
    }

    /// Returns the span from `%{ if` to the end of `endif`.
    pub fn span(self) -> Span {
        self.template.tree.span(self.node)
    }
}

/// A `for` directive.
#[derive(Clone, Copy)]
pub struct TemplateFor<'t> {
    template: TemplateNode<'t>,
    node: NodeIndex,
}

impl<'t> TemplateFor<'t> {
    fn name_tokens(self) -> (Option<TokenIndex>, TokenIndex) {
        let tree = self.template.tree;
        let first = tree.node(self.node).start + 2;
        match tree.tokens.kind(first + 1) {
            TokenKind::Comma => (Some(first), first + 2),
            _ => (None, first),
        }
    }

    /// Returns the variable for the key, if it has one.
    pub fn key_variable(self) -> Option<Name<'t>> {
        self.name_tokens().0.map(|token| Name::new(self.template.tree, token))
    }

    /// The variable for the value.
    pub fn value_variable(self) -> Name<'t> {
        Name::new(self.template.tree, self.name_tokens().1)
    }

    /// Returns the variables that the directive defines for its body.
    pub fn names(self) -> ForNames<'t> {
        ForNames { key: self.key_variable(), value: self.value_variable(), collection: self.collection() }
    }

    /// Returns the collection that is iterated over.
    pub fn collection(self) -> ExpressionNode<'t> {
        let tree = self.template.tree;
        ExpressionNode::new(tree, tree.node(self.node).second.node())
    }

    /// The part for each element.
    pub fn body(self) -> TemplateNode<'t> {
        let tree = self.template.tree;
        self.template.inner(tree.node(self.node).first.node())
    }

    /// Returns the index that identifies it in the file.
    pub(crate) fn id(self) -> NodeIndex {
        self.node
    }

    /// Returns the span from `%{ for` to the end of `endfor`.
    pub fn span(self) -> Span {
        self.template.tree.span(self.node)
    }
}

/// Two templates are equal if they are the same node of the same tree.
impl PartialEq for TemplateNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form && Arc::ptr_eq(self.tree, other.tree)
    }
}

impl Eq for TemplateNode<'_> {}

impl std::hash::Hash for TemplateNode<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.form.hash(state);
    }
}

impl fmt::Debug for TemplateNode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => f.debug_list().entries(self.parts()).finish(),
            false => write!(f, "TemplateNode({} parts)", self.parts().count()),
        }
    }
}

impl fmt::Debug for TemplateIf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => fmt::Debug::fmt(&super::TreeDump::new(self.template.tree, self.node), f),
            false => f.write_str("TemplateIf { … }"),
        }
    }
}

impl fmt::Debug for TemplateFor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => fmt::Debug::fmt(&super::TreeDump::new(self.template.tree, self.node), f),
            false => f.write_str("TemplateFor { … }"),
        }
    }
}
