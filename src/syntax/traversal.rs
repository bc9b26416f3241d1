//! Traversals that are whole texts ("Static Traversal").

use std::fmt;
use std::sync::Arc;

use super::ast::{Expression, ExpressionKind, File, Name, Step, Traversal};
use super::lexer::Start;
use super::owned::OwnedTraversal;
use super::parse::{Parse, parse_as};
use super::tree::Tree;
use super::{Options, Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{Source, Span};

/// Parses an absolute traversal that is a whole text: a name, and behind it attribute names and
/// literal indexes ("Static Traversal").
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, parse_traversal};
///
/// let source = Source::new("input", "aws_instance.web[0].id");
/// let traversal = parse_traversal(source, &Options::default()).into_result()?;
/// assert_eq!(traversal.get().expect("a path").steps().count(), 3);
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_traversal(source: Source, options: &Options) -> Parse<OwnedTraversal> {
    parse_shaped(source, options, Splats::Refused).map(|tree| {
        let root = tree.root;
        OwnedTraversal::new(tree, root)
    })
}

/// Parses a traversal that is a whole text and may have splats `[*]` in it. Such a path says where
/// to look rather than what to take: it leads to many values, or to none.
///
/// ```
/// use hcl_lr::source::Source;
/// use hcl_lr::syntax::{Options, PartialStep, parse_partial_traversal};
///
/// let source = Source::new("input", "service[*].ports[0]");
/// let path = parse_partial_traversal(source, &Options::default()).into_result()?;
/// assert_eq!(path.root().expect("a name").text(), "service");
/// let steps = path.steps();
/// assert!(matches!(steps[..], [PartialStep::Splat(_), PartialStep::Attribute(_), PartialStep::Index(_)]));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn parse_partial_traversal(source: Source, options: &Options) -> Parse<OwnedPartialTraversal> {
    parse_shaped(source, options, Splats::Allowed).map(|tree| OwnedPartialTraversal { tree })
}

const NO_SPLAT: &str = "a splat cannot stand in a traversal";

/// Whether `[*]` may stand in a traversal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Splats {
    Allowed,
    Refused,
}

/// A text is read as an expression, and then its tokens are looked at: what is no traversal is said
/// about the first token that does not fit, unless something in front of it is wrong anyway.
fn parse_shaped(source: Source, options: &Options, splats: Splats) -> Parse<Arc<Tree>> {
    let (tree, diagnostics) = parse_as(source, options, Start::Expression).into_parts();
    // That a bracket is not closed matters only where brackets can be.
    let others = diagnostics.iter().filter(|diagnostic| !diagnostic.code().is_unclosed());
    let first = others.map(|diagnostic| diagnostic.subject().start()).min();
    match misfit(&File::new(tree.clone()), splats) {
        Some((span, detail)) if first.is_none_or(|first| span.start() <= first) => {
            let list = vec![Diagnostic::error(Code::NotATraversal, span, detail)];
            Parse::new(tree.clone(), Diagnostics::new(tree.source.clone(), list))
        }
        _ => Parse::new(tree, diagnostics),
    }
}

/// The first token that does not belong into a traversal, and why.
fn misfit(file: &File, splats: Splats) -> Option<(Span, &'static str)> {
    let mut tokens = file.tokens().iter().filter(|token| token.kind() != TokenKind::Newline);
    let root = tokens.next()?;
    if !is_word(root) {
        return Some((root.span(), "a traversal begins with the name of a variable"));
    }
    while let Some(token) = tokens.next() {
        // The star of a splat, which is the last character or stands in brackets.
        let star = || token.span().start() + token.text().rfind('*').unwrap_or_default();
        let star = || Span::new(star() as u32, star() as u32 + 1);
        match token.kind() {
            TokenKind::EndOfFile => break,
            // What is no token at all has been reported.
            TokenKind::Illegal => return None,
            TokenKind::GetAttr => {}
            TokenKind::FullSplat if splats == Splats::Allowed => {}
            TokenKind::FullSplat => return Some((star(), NO_SPLAT)),
            TokenKind::AttrSplat if splats == Splats::Allowed => {
                return Some((star(), "only the splat `[*]` can stand in a traversal"));
            }
            TokenKind::AttrSplat => return Some((star(), NO_SPLAT)),
            TokenKind::Dot => return tokens.next().map(|token| (token.span(), "a name is expected behind a dot")),
            TokenKind::LegacyIndex => return Some((token.span(), "a name is expected behind a dot")),
            TokenKind::OpenBracket => {
                if let Some(misfit) = misfit_of_index(&mut tokens, splats) {
                    return Some(misfit);
                }
            }
            TokenKind::OpenParen => return Some((token.span(), "a traversal is names and indexes, without calls")),
            TokenKind::Operator | TokenKind::Minus | TokenKind::Question => {
                return Some((token.span(), "an operator cannot stand in a traversal"));
            }
            _ => return Some((token.span(), "behind a part of a traversal a dot or `[` is expected")),
        }
    }
    None
}

/// A literal and `]`, or what stands in their place.
fn misfit_of_index<'t>(tokens: &mut impl Iterator<Item = Token<'t>>, splats: Splats) -> Option<(Span, &'static str)> {
    let detail = "an index must be a literal number or a string in quotes";
    let key = tokens.next()?;
    match key.kind() {
        TokenKind::Literal if !is_word(key) => {}
        TokenKind::Illegal => return None,
        // A star without `]` behind it.
        TokenKind::Operator if key.text() == "*" && splats == Splats::Allowed => {}
        TokenKind::Operator if key.text() == "*" => return Some((key.span(), NO_SPLAT)),
        // A string with something else in it than text.
        TokenKind::Template if key.text() == "\"" => {
            let found = tokens.find(|token| !matches!(token.kind(), TokenKind::TemplateLiteral | TokenKind::Illegal));
            return found.map(|token| (token.span(), detail));
        }
        _ => return Some((key.span(), detail)),
    }
    let closer = tokens.next().filter(|token| !matches!(token.kind(), TokenKind::CloseBracket | TokenKind::Illegal))?;
    Some((closer.span_from_dot(), "`]` is expected behind the index"))
}

/// Whether a token can be the name of a variable. `true`, `false` and `null` can.
fn is_word(token: Token<'_>) -> bool {
    match token.kind() {
        TokenKind::Identifier | TokenKind::For | TokenKind::In | TokenKind::If => true,
        TokenKind::Literal => matches!(token.text(), "true" | "false" | "null"),
        _ => false,
    }
}

/// A traversal with splats that is a whole source, with its tree.
#[derive(Clone)]
pub struct OwnedPartialTraversal {
    tree: Arc<Tree>,
}

/// A step of a traversal that may have splats.
#[derive(Clone, Copy, Debug)]
pub enum PartialStep<'t> {
    /// `.name`
    Attribute(Name<'t>),
    /// `[key]`, where the key is a literal.
    Index(Expression<'t>),
    /// `[*]`, with its place: every element of what is reached so far.
    Splat(Span),
}

impl OwnedPartialTraversal {
    /// The name of the variable, unless the text is something else, which is an error of its parse.
    pub fn root(&self) -> Option<Name<'_>> {
        let mut at = self.expression();
        while let ExpressionKind::Splat(splat) = at.kind() {
            at = splat.source();
        }
        at.as_traversal().map(Traversal::root)
    }

    /// The steps from the variable on. Where the text is no such traversal, those that could be
    /// understood.
    ///
    /// ```
    /// use hcl_lr::source::Source;
    /// use hcl_lr::syntax::{Options, PartialStep, parse_partial_traversal};
    ///
    /// let source = Source::new("input", "a.b[*][\"c\"]");
    /// let path = parse_partial_traversal(source, &Options::default()).into_result()?;
    /// let steps = path.steps().into_iter().map(|step| match step {
    ///     PartialStep::Attribute(name) => name.text().to_owned(),
    ///     PartialStep::Index(key) => key.text().to_owned(),
    ///     PartialStep::Splat(_) => "*".to_owned(),
    /// });
    /// assert_eq!(steps.collect::<Vec<_>>(), ["b", "*", "\"c\""]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn steps(&self) -> Vec<PartialStep<'_>> {
        /// What is still to be looked at: a list instead of recursion, for a path may be long.
        enum Item<'t> {
            Expression(Expression<'t>),
            Step(PartialStep<'t>),
        }
        let (mut found, mut waiting) = (Vec::new(), vec![Item::Expression(self.expression())]);
        while let Some(item) = waiting.pop() {
            let expression = match item {
                Item::Step(step) => {
                    found.push(step);
                    continue;
                }
                Item::Expression(expression) => expression,
            };
            match expression.kind() {
                ExpressionKind::Splat(splat) => {
                    waiting.push(Item::Expression(splat.each()));
                    waiting.push(Item::Step(PartialStep::Splat(splat.operator_span())));
                    waiting.push(Item::Expression(splat.source()));
                }
                ExpressionKind::RelativeTraversal(path) => {
                    waiting.extend(path.steps().rev().filter_map(step).map(Item::Step));
                    waiting.push(Item::Expression(path.source()));
                }
                _ => {
                    let path = expression.as_traversal();
                    found.extend(path.into_iter().flat_map(Traversal::steps).filter_map(step));
                }
            }
        }
        found
    }

    /// The source it is.
    pub fn source(&self) -> &Source {
        &self.tree.source
    }

    fn expression(&self) -> Expression<'_> {
        Expression::new(&self.tree, self.tree.root)
    }
}

fn step(step: Step<'_>) -> Option<PartialStep<'_>> {
    match step {
        Step::Attribute(name) => Some(PartialStep::Attribute(name)),
        Step::Index(key) => Some(PartialStep::Index(key)),
        Step::LegacyIndex(_) => None,
    }
}

impl fmt::Debug for OwnedPartialTraversal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression().fmt(f)
    }
}
