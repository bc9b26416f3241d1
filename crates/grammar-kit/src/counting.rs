//! Counts the alternatives that sources use, with parsers that do nothing else.
//!
//! `build.rs` compiles each grammar a second time, with actions that count. These parsers read the same input as those
//! of hcl-lr, in the same rounds: all pending bodies in one run, then all expressions, then all templates, until no
//! region is pending. Terminals come from the tokens of a parsed [`File`], and so do its error nodes: each is one
//! terminal, as when hcl-lr parses the rest again without the broken piece.
//!
//! In `a = [b.c, "${d}"]`, the body has the terminals `identifier`, `= expression` and `newline`. The second one makes
//! the region `[b.c, "${d}"]` pending, in which `traversal` and `template` are one terminal each. The template is
//! pending next, and then the `d` of its interpolation.

use std::iter;

use hcl_lr::syntax::ast::{ErrorNode, ExpressionKind, ExpressionNode, TemplateNode, Visitor, Walk};
use hcl_lr::syntax::{File, TokenKind, TokenList};

use crate::Syntax;

/// The alternatives of the rules of the grammars, each with the name of its grammar.
const ALTERNATIVES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/alternatives.rs"));

include!(concat!(env!("OUT_DIR"), "/terminals.rs"));

/// The name of each kind of terminal in each grammar.
const TERMINAL_NAMES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/terminal_names.rs"));

/// Returns the regions of a file, each with the name of its grammar, and its terminals as the grammar names them. Regions in
/// which something could not be parsed are left out.
///
/// ```
/// use hcl_lr_grammar_kit::{Syntax, regions};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = b(1)\n").into_result()?;
/// let all = regions(&file, Syntax::Config);
/// assert_eq!(all[0], ("body", ["identifier", "= expression", "newline"].map(str::to_owned).to_vec()));
/// assert_eq!(all[1], ("expression", ["identifier", "(", "literal", ")"].map(str::to_owned).to_vec()));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
pub fn regions(file: &File, syntax: Syntax) -> Vec<(&'static str, Vec<String>)> {
    let tokens = file.tokens();
    let mut waiting = Waiting::default();
    waiting.of(syntax).push(Region { start: 0, end: tokens.len() - 1 });
    let bad = Bad::of(file, syntax);
    let mut run = Run { tokens, bad: &bad, waiting };
    let mut regions = Vec::new();
    while !run.waiting.is_empty() {
        for (language, grammar) in
            [(Syntax::Config, "body"), (Syntax::Expression, "expression"), (Syntax::Template, "template")]
        {
            for region in std::mem::take(run.waiting.of(language)) {
                let name = |kind: TerminalKind| {
                    let kind = format!("{kind:?}");
                    let row = TERMINAL_NAMES.iter().find(|(own, other, _)| *own == grammar && *other == kind);
                    row.map(|(.., name)| (*name).to_owned())
                };
                let terminals: Option<Vec<String>> = run.terminals(language, region).into_iter().map(name).collect();
                regions.extend(terminals.map(|terminals| (grammar, terminals)));
            }
        }
    }
    regions
}

mod parsers {
    #![allow(clippy::all, clippy::pedantic, missing_docs, unused_imports, unused_parens, unused_variables)]
    use lalrpop_util::lalrpop_mod;

    lalrpop_mod!(pub body);
    lalrpop_mod!(pub expression);
    lalrpop_mod!(pub template);
}

/// The value of every symbol: the actions only count.
pub type Symbol = ();

/// A terminal as the grammars write it.
#[derive(Clone, Copy, Debug)]
pub struct Terminal(pub TerminalKind, pub Symbol);

/// The parameter of the grammars.
pub struct Builder<'t> {
    counts: &'t mut [u64],
}

impl Builder<'_> {
    /// Counts a reduced alternative. Called by the actions of the grammars.
    pub fn reduced(&mut self, alternative: usize) -> Symbol {
        self.counts[alternative] += 1;
    }
}

/// Counts of the alternatives that sources use.
///
/// ```
/// use hcl_lr_grammar_kit::{Coverage, Syntax};
///
/// let file = hcl_lr::parse::<hcl_lr::File>("a = 1\nb = 2\n").into_result()?;
/// let mut coverage = Coverage::new();
/// coverage.add(&file, Syntax::Config);
/// let attributes = coverage.counts().find(|(_, alternative, _)| alternative.starts_with("Attribute =")).unwrap();
/// assert_eq!(attributes, ("body", "Attribute = <name:\"identifier\"> <value:\"= expression\">", 2));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coverage {
    counts: Vec<u64>,
}

impl Default for Coverage {
    fn default() -> Self {
        Coverage { counts: vec![0; ALTERNATIVES.len()] }
    }
}

impl Coverage {
    /// Creates empty counts.
    pub fn new() -> Self {
        Coverage::default()
    }

    /// Adds the alternatives that a parsed file of a language uses.
    pub fn add(&mut self, file: &File, syntax: Syntax) {
        let tokens = file.tokens();
        let whole = Region { start: 0, end: tokens.len() - 1 };
        let mut waiting = Waiting::default();
        waiting.of(syntax).push(whole);
        let bad = Bad::of(file, syntax);
        let mut run = Run { tokens, bad: &bad, waiting };
        while !run.waiting.is_empty() {
            for language in [Syntax::Config, Syntax::Expression, Syntax::Template] {
                let regions = std::mem::take(run.waiting.of(language));
                run.round(language, &regions, &mut Builder { counts: &mut self.counts });
            }
        }
    }

    /// The alternatives in the order of the grammars: the grammar, the alternative with its rule, its count.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        ALTERNATIVES.iter().zip(&self.counts).map(|(&(grammar, alternative), &count)| (grammar, alternative, count))
    }
}

/// The tokens from one index to another that one language reads.
#[derive(Clone, Copy)]
struct Region {
    start: usize,
    end: usize,
}

/// The regions of the next rounds.
#[derive(Default)]
struct Waiting {
    bodies: Vec<Region>,
    expressions: Vec<Region>,
    templates: Vec<Region>,
}

impl Waiting {
    fn of(&mut self, syntax: Syntax) -> &mut Vec<Region> {
        match syntax {
            Syntax::Config => &mut self.bodies,
            Syntax::Expression => &mut self.expressions,
            Syntax::Template => &mut self.templates,
        }
    }

    fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.expressions.is_empty() && self.templates.is_empty()
    }
}

/// A piece that hcl-lr could not parse.
struct Piece {
    start: usize,
    end: usize,
    is_element: bool,
}

/// The pieces of a file that hcl-lr could not parse.
struct Bad<'t> {
    tokens: TokenList<'t>,
    pieces: Vec<Piece>,
}

impl<'t> Bad<'t> {
    /// Returns all pieces in source order.
    fn of(file: &'t File, syntax: Syntax) -> Vec<Piece> {
        let mut bad = Bad { tokens: file.tokens(), pieces: Vec::new() };
        match syntax {
            Syntax::Config => file.body().walk(&mut bad),
            Syntax::Expression => file.expression().walk(&mut bad),
            Syntax::Template => file.template().walk(&mut bad),
        }
        // If an element is one error node, both the key and the value are that node.
        bad.pieces.sort_by_key(|piece| (piece.start, !piece.is_element));
        bad.pieces.dedup_by_key(|piece| piece.start);
        bad.pieces
    }

    fn add(&mut self, span: hcl_lr::source::Span, is_element: bool) {
        let start = self.tokens.at(span.start()).index();
        let end = (start..self.tokens.len())
            .find(|&index| self.tokens.get(index).is_none_or(|token| token.span().start() >= span.end()));
        self.pieces.push(Piece { start, end: end.unwrap_or(self.tokens.len()), is_element });
    }
}

impl<'t> Visitor<'t> for Bad<'t> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        if let ExpressionKind::Object(object) = expression.kind() {
            for element in object.elements() {
                let (key, value) = (element.key_expression(), element.value());
                if matches!(key.kind(), ExpressionKind::Error(_)) && key.span() == value.span() {
                    self.add(key.span(), true);
                }
            }
        }
        Walk::Into
    }

    fn visit_template(&mut self, _: TemplateNode<'t>) -> Walk {
        Walk::Into
    }

    fn visit_error(&mut self, error: ErrorNode<'t>) {
        self.add(error.span(), false);
    }
}

/// The rounds of a file.
struct Run<'t> {
    tokens: TokenList<'t>,
    bad: &'t [Piece],
    waiting: Waiting,
}

impl Run<'_> {
    /// Parses the regions of a language in one run. After an error, another run continues with the next region.
    fn round(&mut self, language: Syntax, regions: &[Region], builder: &mut Builder<'_>) {
        let mut done = 0;
        while done < regions.len() {
            let rest = &regions[done..];
            let mut begun = 0;
            let mut terminals = rest.iter().enumerate().flat_map(|(number, region)| {
                begun = number;
                let first = iter::once(TerminalKind::Separator);
                first.chain(self.terminals(language, *region)).collect::<Vec<_>>()
            });
            let terminals = iter::from_fn(|| terminals.next().map(|kind| ((), Terminal(kind, ()), ())));
            let parsed = match language {
                Syntax::Config => parsers::body::BodiesParser::new().parse(builder, terminals).is_ok(),
                Syntax::Expression => parsers::expression::ExpressionsParser::new().parse(builder, terminals).is_ok(),
                Syntax::Template => parsers::template::TemplatesParser::new().parse(builder, terminals).is_ok(),
            };
            done += if parsed { rest.len() } else { begun.max(1) };
        }
    }

    fn kind(&self, index: usize) -> TokenKind {
        self.tokens.get(index).map_or(TokenKind::EndOfFile, |token| token.kind())
    }

    /// Returns the index of the closer of a token; the token's own index if it opens nothing.
    fn closer(&self, index: usize) -> usize {
        self.tokens.get(index).and_then(|token| token.closer()).map_or(index, |closer| closer.index())
    }

    /// The terminals of a region. The regions within it wait from now on.
    fn terminals(&mut self, language: Syntax, region: Region) -> Vec<TerminalKind> {
        let mut terminals = Vec::new();
        let mut at = region.start;
        // An expression that is left out as a whole is parsed as far as possible.
        let is_piece =
            |piece: &&Piece| language == Syntax::Config || (piece.start, piece.end) != (region.start, region.end);
        while at < region.end {
            let bad = self.bad.binary_search_by_key(&at, |piece| piece.start).ok().map(|found| &self.bad[found]);
            let bad = bad.filter(is_piece);
            let (kind, next) = match (bad, language) {
                (Some(piece), Syntax::Config) if piece.end < region.end => (TerminalKind::BadItem, piece.end),
                (Some(piece), Syntax::Config) => (TerminalKind::BadEnd, piece.end),
                (Some(piece), Syntax::Expression) if piece.is_element => (TerminalKind::BadElement, piece.end),
                (Some(piece), Syntax::Expression) => (TerminalKind::BadExpression, piece.end),
                (_, Syntax::Config) => self.of_body(at),
                (_, Syntax::Expression) => self.of_expression(at),
                (_, Syntax::Template) => self.of_template(at),
            };
            terminals.push(kind);
            at = next.max(at + 1);
        }
        terminals
    }

    /// The terminal of the body grammar at a token, and the token after it.
    fn of_body(&mut self, at: usize) -> (TerminalKind, usize) {
        let (kind, closer) = (self.kind(at), self.closer(at));
        match kind {
            TokenKind::Value => {
                self.waiting.expressions.push(Region { start: at + 1, end: closer });
                (TerminalKind::Value, closer)
            }
            TokenKind::OpenBlock if self.kind(at + 1) == TokenKind::Newline => {
                self.waiting.bodies.push(Region { start: at + 1, end: closer });
                (TerminalKind::BlockBody, closer + 1)
            }
            kind => (TerminalKind::of(kind), at + 1),
        }
    }

    /// The same of the expression grammar.
    fn of_expression(&mut self, at: usize) -> (TerminalKind, usize) {
        match self.kind(at) {
            TokenKind::Template => {
                let closer = self.closer(at);
                self.waiting.templates.push(Region { start: at + 1, end: closer });
                (TerminalKind::Template, closer + 1)
            }
            TokenKind::Identifier if self.kind(at + 1) == TokenKind::GetAttr => {
                let next = (at + 1..).find(|&next| self.kind(next) != TokenKind::GetAttr);
                (TerminalKind::Traversal, next.unwrap_or(at + 1))
            }
            kind => (TerminalKind::of(kind), at + 1),
        }
    }

    /// The same of the template grammar. The expression of a `for` is read with its `in`.
    fn of_template(&mut self, at: usize) -> (TerminalKind, usize) {
        let (kind, closer) = (self.kind(at), self.closer(at));
        let next = match kind {
            TokenKind::Interpolation => {
                self.waiting.expressions.push(Region { start: at + 1, end: closer });
                closer + 1
            }
            TokenKind::IfDirective => {
                self.waiting.expressions.push(Region { start: at + 2, end: closer });
                closer + 1
            }
            TokenKind::ElseDirective | TokenKind::EndIfDirective | TokenKind::EndForDirective => closer + 1,
            TokenKind::ForDirective => at + 2,
            TokenKind::In => {
                let directive = (0..at).rev().find(|&before| self.kind(before) == TokenKind::ForDirective);
                let closer = directive.map_or(at, |directive| self.closer(directive));
                self.waiting.expressions.push(Region { start: at + 1, end: closer });
                closer + 1
            }
            _ => at + 1,
        };
        (TerminalKind::of(kind), next)
    }
}
