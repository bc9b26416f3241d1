//! Traversals that are whole texts ("Static Traversal").

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::str::FromStr;
use std::sync::Arc;

use super::ast::{AccessStep, ExpressionKind, ExpressionNode, File, Name, NumberNode, TraversalNode};
use super::index::NodeIndex;
use super::parse::expression_file;
use super::{Token, TokenKind};
use crate::decimal::text_of_literal;
use crate::diagnostic::{Code, Diagnostics, Finding, Outcome};
use crate::reading::{Parse, ParseOptions, parse};
use crate::source::{Place, Source, Span};

/// Parses an absolute traversal from a whole text: a name, followed by attribute names and literal indexes ("Static
/// Traversal").
impl Parse for Traversal {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<Traversal> {
        parse_shaped(source, options, Splats::Refused)
    }
}

/// A traversal that may contain splats `[*]`. Such a path selects any number of values.
///
/// ```
/// use hcl_lr::parse;
/// use hcl_lr::syntax::{PartialTraversal, TraversalStep};
///
/// let path = parse::<PartialTraversal>("service[*].ports[0]").into_result()?;
/// assert_eq!(path.root(), "service");
/// let steps = path.steps();
/// assert!(matches!(steps[..], [TraversalStep::Splat(_), TraversalStep::Attribute(_), TraversalStep::Index(_)]));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartialTraversal(Traversal);

impl Parse for PartialTraversal {
    fn parse_source(source: Source, options: &ParseOptions) -> Outcome<PartialTraversal> {
        parse_shaped(source, options, Splats::Allowed).map(PartialTraversal)
    }
}

impl Deref for PartialTraversal {
    type Target = Traversal;

    fn deref(&self) -> &Traversal {
        &self.0
    }
}

impl From<PartialTraversal> for Traversal {
    fn from(path: PartialTraversal) -> Traversal {
        path.0
    }
}

const NO_SPLAT: &str = "a traversal cannot contain a splat";

/// The rule for `[*]` in a traversal: allowed or not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Splats {
    Allowed,
    Refused,
}

/// The text is parsed as an expression, and then its tokens are checked. The first token that does not fit is reported,
/// unless there is an error before it.
fn parse_shaped(source: Source, options: &ParseOptions, splats: Splats) -> Outcome<Traversal> {
    let (file, diagnostics) = expression_file(source, options).into_parts();
    // A missing closing bracket matters only where brackets are allowed.
    let others = diagnostics.iter().filter(|diagnostic| !diagnostic.code().is_unclosed());
    let first = others.map(|diagnostic| diagnostic.span().start()).min();
    let diagnostics = match misplaced(&file, splats) {
        Some((span, detail)) if first.is_none_or(|first| span.start() <= first) => {
            Finding::error(Code::NotATraversal, span, detail).in_source(file.source()).into()
        }
        _ => diagnostics,
    };
    let node = file.expression().id();
    Outcome::new(Traversal { file, node }, diagnostics)
}

/// Returns the first token that cannot be in a traversal, and the reason.
fn misplaced(file: &File, splats: Splats) -> Option<(Span, &'static str)> {
    let mut tokens = file.tokens().iter().filter(|token| token.kind() != TokenKind::Newline);
    let root = tokens.next()?;
    if !is_word(root) {
        return Some((root.name_span(), "a traversal begins with the name of a variable"));
    }
    while let Some(token) = tokens.next() {
        // The star of a splat, which is the last character or is in brackets.
        let star = || token.span().start() + token.text().rfind('*').unwrap_or_default();
        let star = || Span::new(star(), star() + 1);
        match token.kind() {
            TokenKind::EndOfFile => break,
            // An illegal token has been reported.
            TokenKind::Illegal => return None,
            TokenKind::GetAttr => {}
            TokenKind::FullSplat if splats == Splats::Allowed => {}
            TokenKind::FullSplat => return Some((star(), NO_SPLAT)),
            TokenKind::AttrSplat if splats == Splats::Allowed => {
                return Some((star(), "the only splat that a traversal can contain is `[*]`"));
            }
            TokenKind::AttrSplat => return Some((star(), NO_SPLAT)),
            TokenKind::Dot => return tokens.next().map(|token| (token.name_span(), "a name is expected after a dot")),
            TokenKind::LegacyIndex => return Some((token.name_span(), "a name is expected after a dot")),
            TokenKind::OpenBracket => {
                if let Some(misplaced) = misplaced_in_index(&mut tokens, splats) {
                    return Some(misplaced);
                }
            }
            TokenKind::OpenParen => {
                return Some((token.span(), "a traversal consists of names and indexes, without calls"));
            }
            TokenKind::Operator | TokenKind::Minus | TokenKind::Question => {
                return Some((token.span(), "a traversal cannot contain an operator"));
            }
            _ => return Some((token.span(), "a dot or `[` is expected here")),
        }
    }
    None
}

/// Checks that a literal and `]` follow. Returns the token that does not fit.
fn misplaced_in_index<'t>(
    tokens: &mut impl Iterator<Item = Token<'t>>,
    splats: Splats,
) -> Option<(Span, &'static str)> {
    let detail = "an index must be a literal number or a string in quotes";
    let key = tokens.next()?;
    match key.kind() {
        TokenKind::Literal if !is_word(key) => {}
        TokenKind::Illegal => return None,
        // A star without `]` after it.
        TokenKind::Operator if key.text() == "*" && splats == Splats::Allowed => {}
        TokenKind::Operator if key.text() == "*" => return Some((key.span(), NO_SPLAT)),
        // A string that contains more than text.
        TokenKind::Template if key.text() == "\"" => {
            let misplaced =
                tokens.find(|token| !matches!(token.kind(), TokenKind::TemplateLiteral | TokenKind::Illegal));
            return misplaced.map(|token| (token.name_span(), detail));
        }
        _ => return Some((key.name_span(), detail)),
    }
    let closer = tokens.next().filter(|token| !matches!(token.kind(), TokenKind::CloseBracket | TokenKind::Illegal))?;
    let place = if closer.kind() == TokenKind::LegacyIndex { closer.name_span() } else { closer.span() };
    Some((place, "`]` is expected after the index"))
}

/// Returns true if a token can be the name of a variable. `true`, `false` and `null` can.
fn is_word(token: Token<'_>) -> bool {
    match token.kind() {
        TokenKind::Identifier | TokenKind::For | TokenKind::In | TokenKind::If => true,
        TokenKind::Literal => matches!(token.text(), "true" | "false" | "null"),
        _ => false,
    }
}

/// A variable followed by constant steps, which owns its source and can be stored. Cheap to clone.
///
/// A [node](TraversalNode) of a file becomes a `Traversal` by `into()`.
#[derive(Clone)]
pub struct Traversal {
    file: File,
    node: NodeIndex,
}

/// A step of a [`Traversal`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum TraversalStep<'t> {
    /// `.name`
    Attribute(Name<'t>),
    /// `[key]`, where the key is a literal.
    Index(ExpressionNode<'t>),
    /// `.0`
    LegacyIndex(NumberNode<'t>),
    /// `[*]`, with its place: every element of the value before it. Only a [`PartialTraversal`] has such steps.
    Splat(Span),
}

impl Traversal {
    /// Returns the name of the variable. It is empty if the parsed text is not a traversal, which is an error of the
    /// parse.
    pub fn root(&self) -> &str {
        self.root_node().map_or("", Name::text)
    }

    fn root_node(&self) -> Option<Name<'_>> {
        let mut at = self.expression();
        while let ExpressionKind::Splat(splat) = at.kind() {
            at = splat.source();
        }
        at.as_traversal().map(TraversalNode::root)
    }

    /// Returns the steps after the variable. If the parsed text is not a traversal, these are the steps that could be
    /// read.
    ///
    /// ```
    /// use hcl_lr::syntax::{PartialTraversal, TraversalStep};
    ///
    /// let path = hcl_lr::parse::<PartialTraversal>("a.b[*][\"c\"]").into_result()?;
    /// let steps = path.steps().into_iter().map(|step| match step {
    ///     TraversalStep::Attribute(name) => name.text().to_owned(),
    ///     TraversalStep::Index(key) => key.text().to_owned(),
    ///     _ => "*".to_owned(),
    /// });
    /// assert_eq!(steps.collect::<Vec<_>>(), ["b", "*", "\"c\""]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn steps(&self) -> Vec<TraversalStep<'_>> {
        /// A part still to be visited: a list, not recursion, because a path may be long.
        enum Item<'t> {
            Expression(ExpressionNode<'t>),
            Step(TraversalStep<'t>),
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
                    waiting.push(Item::Step(TraversalStep::Splat(splat.operator_span())));
                    waiting.push(Item::Expression(splat.source()));
                }
                ExpressionKind::RelativeTraversal(path) => {
                    waiting.extend(path.steps().rev().map(|step| Item::Step(step.into())));
                    waiting.push(Item::Expression(path.source()));
                }
                _ => {
                    let path = expression.as_traversal();
                    found.extend(path.into_iter().flat_map(TraversalNode::steps).map(TraversalStep::from));
                }
            }
        }
        found
    }

    /// Returns the node in the tree. `None` if the traversal has splats, or if the parsed text is not a traversal.
    pub fn node(&self) -> Option<TraversalNode<'_>> {
        self.expression().as_traversal()
    }

    /// Returns the place.
    pub fn place(&self) -> Place {
        self.expression().place()
    }

    /// Returns the place of a part of the traversal, such as a step.
    pub fn place_of(&self, part: Span) -> Place {
        Place::new(self.source(), part)
    }

    /// The source it is from.
    pub fn source(&self) -> &Arc<Source> {
        self.file.source()
    }

    pub(crate) fn expression(&self) -> ExpressionNode<'_> {
        self.file.expression_at(self.node)
    }

    /// Returns true if this is a piece of an expression that could not be parsed as a whole.
    #[doc(hidden)]
    pub fn is_left_out(&self) -> bool {
        self.file.tree().is_left_out(self.node)
    }
}

impl From<TraversalNode<'_>> for Traversal {
    fn from(path: TraversalNode<'_>) -> Traversal {
        let expression = path.expression();
        Traversal { file: expression.file(), node: expression.id() }
    }
}

impl<'t> From<AccessStep<'t>> for TraversalStep<'t> {
    fn from(step: AccessStep<'t>) -> TraversalStep<'t> {
        match step {
            AccessStep::Attribute(name) => TraversalStep::Attribute(name),
            AccessStep::Index(key) => TraversalStep::Index(key),
            AccessStep::LegacyIndex(index) => TraversalStep::LegacyIndex(index),
        }
    }
}

/// Parses a traversal, as [`parse`](crate::parse) does.
impl FromStr for Traversal {
    type Err = Diagnostics;

    fn from_str(text: &str) -> Result<Traversal, Diagnostics> {
        parse(text).into_result()
    }
}

/// A step of a traversal by its meaning, for comparisons.
#[derive(PartialEq, Eq, Hash)]
enum PlainStep<'t> {
    Attribute(&'t str),
    Key(Cow<'t, str>),
    Number(Cow<'t, str>),
    Splat,
}

impl Traversal {
    fn plain_steps<'s>(&'s self) -> Vec<PlainStep<'s>> {
        let number = |text: &'s str| text_of_literal(text).map_or(Cow::Borrowed(text), Cow::Owned);
        let step = |step: TraversalStep<'s>| match step {
            TraversalStep::Attribute(name) => PlainStep::Attribute(name.text()),
            TraversalStep::LegacyIndex(index) => PlainStep::Number(number(index.text())),
            TraversalStep::Index(key) => match (key.as_str(), key.kind()) {
                (Some(text), _) => PlainStep::Key(text),
                (None, ExpressionKind::Number(index)) => PlainStep::Number(number(index.text())),
                (None, _) => PlainStep::Key(Cow::Borrowed(key.text())),
            },
            TraversalStep::Splat(_) => PlainStep::Splat,
        };
        self.steps().into_iter().map(step).collect()
    }
}

/// Traversals are equal if they have the same root and steps, wherever they are written. `a.b` and `a["b"]` have
/// different steps.
///
/// ```
/// use std::collections::HashSet;
/// use hcl_lr::syntax::Traversal;
///
/// let paths = ["a.b[0]", "a . b[ 0 ]", "a[\"b\"]"].map(|text| text.parse::<Traversal>().expect(text));
/// assert_eq!(paths.into_iter().collect::<HashSet<_>>().len(), 2);
/// ```
impl PartialEq for Traversal {
    fn eq(&self, other: &Self) -> bool {
        self.root() == other.root() && self.plain_steps() == other.plain_steps()
    }
}

impl Eq for Traversal {}

impl Hash for Traversal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.root().hash(state);
        self.plain_steps().hash(state);
    }
}

/// Writes the source text.
impl fmt::Display for Traversal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression().fmt(f)
    }
}

impl fmt::Debug for Traversal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.expression(), f)
    }
}
