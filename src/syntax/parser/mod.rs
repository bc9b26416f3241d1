//! From tokens to the tree, in rounds.
//!
//! First the body of the file is parsed, then the bodies within it, level by level; then all expressions in one run of
//! their grammar, all templates in one run of theirs, the expressions within those, and so on until nothing waits. For
//! each grammar a region of another language is a single terminal, and [`Terminals`] shows no more of it.
//!
//! An error costs as little as possible: a body continues with its next line, and an expression is parsed once more
//! without the smallest element that contains the error.

pub(crate) mod builder;
mod directives;
mod expected;
mod recover;
mod round;
mod shell;
mod slips;
pub(crate) mod terminal;

use std::sync::Arc;

use self::builder::{Builder, Region};
use self::expected::fallback::Expected;
use self::expected::fallback::Stop;
use self::terminal::{Terminal, TerminalKind, Terminals, body_terminal, expression_terminal, template_terminal};
use super::index::TokenIndex;
use super::lexer::{Lexed, Problem, Start};
use super::token::{TokenKind, Tokens};
use super::tree::{NodeKind, Slot, Tree};
use super::validate::Names;
use crate::diagnostic::Finding;
use crate::reading::Dialect;
use crate::source::Source;

/// The parsers that LALRPOP makes of the grammars.
mod grammar {
    #![allow(clippy::all, clippy::pedantic, missing_docs, unused_imports, unused_parens)]
    use lalrpop_util::lalrpop_mod;

    lalrpop_mod!(pub(crate) body);
    lalrpop_mod!(pub(crate) expression);
    lalrpop_mod!(pub(crate) template);
}
use grammar::body::BodiesParser;
use grammar::expression::ExpressionsParser;
use grammar::template::TemplatesParser;

type ParseError = lalrpop_util::ParseError<(), Terminal, ()>;

/// The grammar of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Language {
    Body,
    Expression,
    Template,
}

/// The constant input of a parse, and the errors found so far.
struct Parse<'t> {
    source: &'t Source,
    start: Start,
    tokens: &'t Tokens,
    problems: &'t [Problem],
    diagnostics: Vec<Finding>,
    max_errors: usize,
    /// The first error that was not reported because another error seemed to cover it.
    silent: Option<Finding>,
}

/// Returns the tree of a source, and the errors that the grammars found.
pub(super) fn parse(
    source: &Arc<Source>,
    lexed: Lexed,
    start: Start,
    max_errors: usize,
    validates: bool,
) -> (Tree, Vec<Finding>) {
    let mut parse = Parse::new(source, &lexed, start, max_errors);
    let tokens = &lexed.tokens;
    let mut builder = Builder::new(source.text().as_bytes(), tokens);
    let (first, end) = (TokenIndex::FIRST, tokens.last());
    let owner = builder.node(NodeKind::Orphan, first, end, Slot::NONE, first);
    let file = Region { start: first, end, owner };
    match start {
        Start::ConfigFile => builder.bodies.push(file),
        Start::Expression => builder.expressions.push(file),
        Start::Template => builder.templates.push(file),
    }
    let mut names = validates.then(|| Names::new(source.text(), tokens, max_errors));
    parse.rounds(&mut builder, &mut names);
    // Nothing is left out of a tree without an error that reports it.
    if let Some(diagnostic) = parse.silent.take_if(|_| parse.diagnostics.is_empty() && lexed.problems.is_empty()) {
        parse.report(diagnostic);
    }
    let mut diagnostics = parse.diagnostics;
    diagnostics.extend(names.into_iter().flat_map(|names| names.diagnostics));
    let Builder { nodes, children, .. } = builder;
    let Lexed { tokens, problems } = lexed;
    diagnostics.extend(problems.into_iter().map(|problem| problem.diagnostic));
    shell::explain(source, &tokens, &mut diagnostics);
    slips::explain(source, &tokens, &mut diagnostics);
    if diagnostics.len() > 1 {
        // Constructs that are open at the end of a file with other errors are probably open because of them, so this
        // error comes last.
        let end = source.text().len();
        diagnostics.iter_mut().for_each(|diagnostic| diagnostic.move_unclosed_to_end(end, start.noun()));
    }
    let root = nodes[owner.as_usize()].second.node();
    let tree = Tree { source: source.clone(), tokens, nodes, children, root, dialect: Dialect::Engine };
    (tree, diagnostics)
}

/// The approximate number of tokens that are parsed, with everything in them, before the text after them. The output of
/// one round is then still in the processor's caches when the next round reads it.
const BATCH: u32 = 1 << 15;

impl<'t> Parse<'t> {
    fn new(source: &'t Source, lexed: &'t Lexed, start: Start, max_errors: usize) -> Self {
        let Lexed { tokens, problems } = lexed;
        Parse { source, start, tokens, problems, diagnostics: Vec::new(), max_errors, silent: None }
    }

    /// Runs the parsers until no region waits.
    fn rounds(&mut self, builder: &mut Builder<'t>, names: &mut Option<Names<'t>>) {
        // The bodies that wait, the next one last.
        let mut bodies: Vec<Region> = Vec::new();
        loop {
            bodies.extend(builder.bodies.drain(..).rev());
            let mut size = 0;
            let next = bodies.iter().rev().take_while(|region| {
                let fits = size < BATCH;
                size += region.end - region.start;
                fits
            });
            let rest = bodies.len() - next.count();
            let mut batch = bodies.split_off(rest);
            batch.reverse();
            let mut parsed = self.round(builder, Language::Body, batch);
            while !(builder.expressions.is_empty() && builder.templates.is_empty()) {
                parsed = true;
                let waiting = std::mem::take(&mut builder.expressions);
                self.round(builder, Language::Expression, waiting);
                let waiting = std::mem::take(&mut builder.templates);
                self.round(builder, Language::Template, waiting);
            }
            if let Some(names) = names {
                names.check(builder);
            }
            if !parsed {
                return;
            }
        }
    }

    /// Runs a grammar once over the regions that wait for it; after an error, once more from there on. Returns false if
    /// no region waits.
    fn round(&mut self, builder: &mut Builder<'t>, language: Language, waiting: Vec<Region>) -> bool {
        if waiting.is_empty() {
            return false;
        }
        builder.begin_round(waiting);
        while let Err(error) = self.run(builder, language) {
            let Some(region) = builder.round.region() else {
                return true;
            };
            let stop = Stop { region, at: error_token(&error, region), expected: Expected::new(language, error) };
            let recovery = match language {
                Language::Body => self.recover_body(builder, &stop),
                Language::Expression => self.recover_expression(builder, &stop),
                Language::Template => self.recover_template(builder, &stop),
            };
            builder.recover(region, recovery);
            if builder.round.region().is_none() {
                return true;
            }
        }
        true
    }

    /// Runs a parser over the regions without a root. After an error, the region with the error is the first one
    /// without a root.
    fn run(&self, builder: &mut Builder<'t>, language: Language) -> Result<(), ParseError> {
        let (done, resume) = (builder.round.done, builder.round.resume);
        let waiting = std::mem::take(&mut builder.round.waiting);
        let bad = builder.round.bad.clone();
        let (tokens, regions) = (self.tokens, &waiting[done..]);
        let result = match language {
            Language::Body => {
                BodiesParser::new().parse(builder, Terminals::new(tokens, regions, resume, &bad, body_terminal))
            }
            Language::Expression => ExpressionsParser::new()
                .parse(builder, Terminals::new(tokens, regions, resume, &bad, expression_terminal)),
            Language::Template => {
                TemplatesParser::new().parse(builder, Terminals::new(tokens, regions, resume, &bad, template_terminal))
            }
        };
        builder.round.waiting = waiting;
        if builder.round.done != done
            && let Some(region) = builder.round.region()
        {
            builder.round.resume = region.start;
        }
        builder.round.retries += 1;
        result.map(drop)
    }

    fn report(&mut self, diagnostic: Finding) {
        // One more than are shown, so that the report can tell that there are more.
        if self.diagnostics.len() <= self.max_errors {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Notes an error that is not reported.
    fn keep_silent(&mut self, stop: &Stop) {
        if self.silent.is_none() {
            self.silent = Some(self.unexpected(stop));
        }
    }

    /// Returns true if the error at a token has been reported, as an error between two tokens. A missing bracket is an
    /// error only at the empty token that represents it.
    fn is_reported(&self, start: TokenIndex, end: TokenIndex, at: TokenIndex) -> bool {
        let kind = self.tokens.kind(at);
        let missing = (kind.is_closer() || kind == TokenKind::Newline) && self.tokens.start(at) == self.tokens.end(at);
        let end = if missing { end + 1 } else { end };
        let first = self.problems.partition_point(|problem| problem.token < start);
        let mut problems = self.problems[first..].iter().take_while(|problem| problem.token <= end);
        problems.any(|problem| missing || !problem.missing)
    }
}

/// Returns the token of an error; the region's closer if the region ends too early.
fn error_token(error: &ParseError, region: Region) -> TokenIndex {
    match error {
        lalrpop_util::ParseError::UnrecognizedToken { token: ((), Terminal(kind, token), ()), .. }
            if *kind != TerminalKind::Separator =>
        {
            token.token()
        }
        _ => region.end,
    }
}
