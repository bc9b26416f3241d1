//! Derivations: how the productions make a source, and where they cannot go on, what could have followed.
//!
//! The productions are those that `--ebnf` prints, and the tokens are those of the lexer. Earley's algorithm reads
//! them: after each token there is a set of *items*, productions that are read up to a place. The items from which the
//! next one comes are remembered, so that the derivation can be told from the last one. No parser of the library takes
//! part, so that the two can be compared.
//!
//! `a = 1` and a newline is derived as
//!
//! ```text
//! ConfigFile Body
//!   Attribute
//!     Identifier a
//!     =
//!     Expression ExprTerm Unsplat LiteralValue NumericLit 1
//!   Newline
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::json_tokens;
use crate::lexeme::{Class, Lexeme};
use crate::parse::{Language, Syntax};
use crate::rules::{Node, Rules};
use hcl_lr::diagnostic::Code;
use hcl_lr::syntax::{Piece, Token, TokenKind, TriviaKind};
use hcl_lr::{ParseOptions, Source};
use hcl_lr_grammar_check::Grammar;

/// The most tokens of a source. The memory for the items grows with them.
const MAX_TOKENS: usize = 20_000;

/// A derivation, as far as the productions go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The derivation, with a line for each production and token; empty if there is none.
    pub text: String,
    /// The error: the first token that cannot follow, its place, and the tokens that could.
    pub error: Option<Stop>,
}

/// The place where the productions cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The unexpected token; `end of the source` if something is missing there.
    pub found: String,
    /// The tokens that could have followed, in the notation of the productions.
    pub expected: Vec<String>,
}

/// Derives a source by the productions of the grammars.
///
/// # Errors
/// If the source has more than 20,000 tokens.
///
/// ```
/// use hcl_lr::Source;
/// use hcl_lr_grammar_kit::{Syntax, derive, grammars};
///
/// let grammars = grammars()?;
/// let derivation = derive(&grammars, &Source::new("in.hcl", "a + 1"), Syntax::Expression)?;
/// assert!(derivation.text.starts_with("Expression Operation binaryOp\n"), "{}", derivation.text);
/// let stopped = derive(&grammars, &Source::new("in.hcl", "a + ]"), Syntax::Expression)?.error.expect("an error");
/// assert_eq!((stopped.column, stopped.found.as_str()), (5, "`]`"));
/// # Ok::<(), String>(())
/// ```
pub fn derive(grammars: &[Grammar], source: &Source, language: impl Into<Language>) -> Result<Derivation, String> {
    let rules = Rules::of(grammars);
    let (start, lexemes) = match language.into() {
        Language::Native(syntax) => native(source, syntax)?,
        Language::Json => ("JsonFile", json_tokens::cut(source.text())),
    };
    if lexemes.len() > MAX_TOKENS {
        return Err(too_long());
    }
    let start = rules.production(start).ok_or("the productions have no start")?;
    let chart = Chart::read(&rules, start, &lexemes);
    let is_read = chart.sets.len() == lexemes.len() + 1;
    if let Some(last) = chart.complete(start).filter(|_| is_read) {
        return Ok(Derivation { text: chart.text(last, &lexemes), error: None });
    }
    let stopped = chart.sets.len() - 1;
    let (at, found) = match lexemes.get(stopped) {
        Some(lexeme) => (lexeme.at, lexeme.shown()),
        None => (source.text().len(), "end of the source".to_owned()),
    };
    let position = source.position(at);
    let expected = chart.expected(stopped);
    Ok(Derivation {
        text: String::new(),
        error: Some(Stop { line: position.line, column: position.column, found, expected }),
    })
}

/// The errors of the lexer: the productions have no token for the text there.
const LEXER_ERRORS: [Code; 13] = [
    Code::HeredocHeader,
    Code::InvalidCharacter,
    Code::InvalidEscape,
    Code::InvalidNumber,
    Code::InvalidUtf8,
    Code::LegacyIndex,
    Code::MismatchedCloser,
    Code::UnclosedComment,
    Code::UnclosedHeredoc,
    Code::UnclosedSequence,
    Code::UnclosedString,
    Code::UnexpectedCloser,
    Code::UnknownDirective,
];

fn too_long() -> String {
    format!("the source has more than {MAX_TOKENS} tokens: derive a smaller one")
}

/// The production that a source in native syntax is, and its tokens.
fn native(source: &Source, syntax: Syntax) -> Result<(&'static str, Vec<Lexeme>), String> {
    let outcome = syntax.parse(source.clone(), &ParseOptions::new());
    let mut lexemes = Vec::new();
    for piece in outcome.value().pieces() {
        match piece {
            Piece::Token(token) => cut(token, &mut lexemes),
            Piece::Trivia(trivia) if trivia.kind() == TriviaKind::Skipped => {
                let (text, at) = (trivia.text().to_owned(), trivia.span().start());
                lexemes.push(Lexeme { class: Class::Nothing, text, at });
            }
            Piece::Trivia(_) => {}
        }
        if lexemes.len() > MAX_TOKENS {
            return Err(too_long());
        }
    }
    // After its own errors, the lexer continues with invalid tokens.
    for error in outcome.diagnostics().iter().filter(|diagnostic| LEXER_ERRORS.contains(diagnostic.code())) {
        let at = error.span().start();
        let text = source.text().get(error.span().range()).unwrap_or_default().to_owned();
        let index = lexemes.iter().position(|lexeme| lexeme.at >= at).unwrap_or(lexemes.len());
        lexemes.insert(index, Lexeme { class: Class::Nothing, text, at });
    }
    // The newline of the last line may be missing.
    let ends_line = lexemes.last().is_none_or(|last| last.class == Class::Name("Newline"));
    if syntax == Syntax::Config && !ends_line {
        let at = source.text().len();
        lexemes.push(Lexeme { class: Class::Name("Newline"), text: "\n".to_owned(), at });
    }
    let start = match syntax {
        Syntax::Config => "ConfigFile",
        Syntax::Expression => "Expression",
        Syntax::Template => "Template",
    };
    Ok((start, lexemes))
}

/// Cuts a token of the lexer into those of the productions.
fn cut(token: Token<'_>, lexemes: &mut Vec<Lexeme>) {
    let (text, at) = (token.text(), token.span().start());
    let mut add = |class: Class, text: &str, at: usize| lexemes.push(Lexeme { class, text: text.to_owned(), at });
    match token.kind() {
        // An inserted bracket, in place of a missing one, has no text.
        _ if text.is_empty() => {}
        TokenKind::EndOfFile => {}
        TokenKind::Illegal => add(Class::Nothing, text, at),
        TokenKind::Newline => add(Class::Name("Newline"), text, at),
        TokenKind::Identifier => add(Class::Name("Identifier"), text, at),
        TokenKind::TemplateLiteral => add(Class::Name("TemplateLiteral"), text, at),
        TokenKind::String => add(Class::Name("StringLit"), text, at),
        TokenKind::Literal if text.starts_with('"') => {
            add(Class::Text, "\"", at);
            if text.len() > 2 {
                add(Class::Name("TemplateLiteral"), &text[1..text.len() - 1], at + 1);
            }
            add(Class::Text, "\"", at + text.len() - 1);
        }
        TokenKind::Literal if text.starts_with(|first: char| first.is_ascii_digit()) => {
            add(Class::Name("NumericLit"), text, at);
        }
        TokenKind::Template if text.starts_with("<<") => {
            let opener = if text.starts_with("<<-") { 3 } else { 2 };
            let line = text.trim_end_matches(['\n', '\r']).len();
            add(Class::Text, &text[..opener], at);
            add(Class::Name("Identifier"), &text[opener..line], at + opener);
            add(Class::Name("Newline"), &text[line..], at + line);
        }
        TokenKind::CloseTemplate if text != "\"" => add(Class::Name("Identifier"), text.trim(), at),
        TokenKind::GetAttr | TokenKind::LegacyIndex | TokenKind::AttrSplat | TokenKind::FullSplat => {
            for part in token.parts() {
                let text = &text[part.start() - at..part.end() - at];
                match token.kind() {
                    TokenKind::GetAttr if text != "." => add(Class::Name("Identifier"), text, part.start()),
                    TokenKind::LegacyIndex if text != "." => {
                        let digits =
                            text.strip_prefix('.').inspect(|_| add(Class::Text, ".", part.start())).unwrap_or(text);
                        let first = part.end() - digits.len();
                        for (index, digit) in digits.char_indices() {
                            add(Class::Name("decimal"), digit.encode_utf8(&mut [0; 4]), first + index);
                        }
                    }
                    _ => pieces(text, part.start(), &mut add),
                }
            }
        }
        _ => add(Class::Text, text, at),
    }
}

/// Cuts a dot and a name, or a splat, into its signs and its name.
fn pieces(text: &str, at: usize, add: &mut impl FnMut(Class, &str, usize)) {
    let signs = text.find(|c: char| !['.', '[', '*', ']'].contains(&c)).unwrap_or(text.len());
    for (index, sign) in text[..signs].char_indices() {
        add(Class::Text, sign.encode_utf8(&mut [0; 4]), at + index);
    }
    if signs < text.len() {
        add(Class::Name("Identifier"), &text[signs..], at + signs);
    }
}

/// An alternative of a node that is read up to a place.
#[derive(Clone, Debug)]
struct Item {
    node: usize,
    alternative: usize,
    /// The number of its symbols that are read.
    read: usize,
    /// The number of the set in which it began.
    origin: usize,
    /// The item without the last symbol, and that symbol.
    from: Option<((usize, usize), Child)>,
}

/// The symbol that an item has read last.
#[derive(Clone, Copy, Debug)]
enum Child {
    Token(usize),
    /// A complete item: its set, and its number in it.
    Node(usize, usize),
    /// A node that is empty.
    Nothing,
}

/// All items, and the symbols of all alternatives.
struct Chart<'r> {
    rules: &'r Rules,
    /// The alternatives of each node. A token has none.
    alternatives: Vec<Vec<Vec<usize>>>,
    sets: Vec<Vec<Item>>,
}

impl<'r> Chart<'r> {
    /// Reads tokens as a production. The last set is that of the first token that cannot follow, or of the end.
    fn read(rules: &'r Rules, start: usize, lexemes: &[Lexeme]) -> Chart<'r> {
        let alternatives = (0..rules.nodes.len()).map(|node| alternatives(rules, node)).collect();
        let mut chart = Chart { rules, alternatives, sets: Vec::new() };
        let shortest = rules.shortest();
        let root = rules.productions[start].1;
        let mut next: Vec<Item> = chart.begun(root, 0);
        for at in 0..=lexemes.len() {
            if next.is_empty() {
                break;
            }
            let set = chart.close(at, std::mem::take(&mut next), &shortest);
            if let Some(lexeme) = lexemes.get(at) {
                for (index, item) in set.iter().enumerate() {
                    if chart.symbol(item).is_some_and(|symbol| lexeme.is(&rules.nodes[symbol])) {
                        let from = Some(((at, index), Child::Token(at)));
                        next.push(Item { read: item.read + 1, from, ..item.clone() });
                    }
                }
            }
            chart.sets.push(set);
        }
        chart
    }

    /// The items at the beginning of a node.
    fn begun(&self, node: usize, origin: usize) -> Vec<Item> {
        let item = |alternative| Item { node, alternative, read: 0, origin, from: None };
        (0..self.alternatives[node].len()).map(item).collect()
    }

    /// The symbol that an item reads next.
    fn symbol(&self, item: &Item) -> Option<usize> {
        self.alternatives[item.node][item.alternative].get(item.read).copied()
    }

    fn is_token(&self, node: usize) -> bool {
        matches!(self.rules.nodes[node], Node::Token(_) | Node::Text(_))
    }

    /// Closes a set of items: adds the starts of their next symbols, and the continuations of complete ones.
    fn close(&self, at: usize, mut set: Vec<Item>, shortest: &[usize]) -> Vec<Item> {
        let mut known: HashSet<(usize, usize, usize, usize)> = HashSet::new();
        set.retain(|item| known.insert((item.node, item.alternative, item.read, item.origin)));
        let mut begun: HashSet<usize> = HashSet::new();
        let mut index = 0;
        while index < set.len() {
            let item = set[index].clone();
            let mut more = Vec::new();
            match self.symbol(&item) {
                Some(symbol) if self.is_token(symbol) => {}
                Some(symbol) => {
                    if begun.insert(symbol) {
                        more.extend(self.begun(symbol, at));
                    }
                    if shortest[symbol] == 0 {
                        more.push(Item { read: item.read + 1, from: Some(((at, index), Child::Nothing)), ..item });
                    }
                }
                // Items that wait for an empty production have passed over it already.
                None if item.origin == at => {}
                None => {
                    for (waiting, before) in self.sets[item.origin].iter().enumerate() {
                        if self.symbol(before) == Some(item.node) {
                            let from = Some(((item.origin, waiting), Child::Node(at, index)));
                            more.push(Item { read: before.read + 1, from, ..before.clone() });
                        }
                    }
                }
            }
            for item in more {
                if known.insert((item.node, item.alternative, item.read, item.origin)) {
                    set.push(item);
                }
            }
            index += 1;
        }
        set
    }

    /// The item that reads everything as a production, if there is one.
    fn complete(&self, start: usize) -> Option<(usize, usize)> {
        let (root, last) = (self.rules.productions[start].1, self.sets.len() - 1);
        let is_whole = |item: &Item| item.node == root && item.origin == 0 && self.symbol(item).is_none();
        self.sets[last].iter().position(is_whole).map(|index| (last, index))
    }

    /// The tokens that a set could go on with.
    fn expected(&self, set: usize) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for symbol in self.sets[set].iter().filter_map(|item| self.symbol(item)) {
            let name = match &self.rules.nodes[symbol] {
                Node::Token(name) => name.clone(),
                Node::Text(text) if text.contains('"') => format!("'{text}'"),
                Node::Text(text) => format!("\"{text}\""),
                _ => continue,
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort();
        names
    }

    /// Returns the derivation that ends with an item, in lines. A production that is only another production shares
    /// its line.
    fn text(&self, last: (usize, usize), lexemes: &[Lexeme]) -> String {
        let mut text = String::new();
        let mut names: Vec<String> = Vec::new();
        // The pending parts, with their depth. Derivations nest deeply, so nothing is recursive.
        let mut waiting: Vec<(Child, usize)> = vec![(Child::Node(last.0, last.1), 0)];
        while let Some((child, depth)) = waiting.pop() {
            let mut parts = Vec::new();
            let mut name = None;
            match child {
                Child::Token(at) => {
                    let lexeme = &lexemes[at];
                    let shown = match lexeme.class {
                        Class::Name("Newline") => "Newline".to_owned(),
                        Class::Name(name) => format!("{name} {}", lexeme.text.escape_debug()),
                        Class::Text | Class::Nothing => lexeme.text.clone(),
                    };
                    names.push(shown);
                    let _ = writeln!(text, "{}{}", "  ".repeat(depth), names.join(" "));
                    names.clear();
                    continue;
                }
                Child::Nothing => continue,
                Child::Node(set, index) => {
                    name = self.name_of(self.sets[set][index].node).map(str::to_owned).or(name);
                    let mut item = &self.sets[set][index];
                    while let Some((before, child)) = item.from {
                        parts.push(child);
                        item = &self.sets[before.0][before.1];
                    }
                }
            }
            parts.retain(|part| !matches!(part, Child::Nothing));
            let inner = match name {
                None => depth,
                Some(name) => {
                    names.push(name);
                    // A production with a single part continues on the line.
                    if self.is_one(&parts) {
                        depth
                    } else {
                        let _ = writeln!(text, "{}{}", "  ".repeat(depth), names.join(" "));
                        names.clear();
                        depth + 1
                    }
                }
            };
            waiting.extend(parts.into_iter().map(|part| (part, inner)));
        }
        text
    }

    /// The name of the production that a node is.
    fn name_of(&self, node: usize) -> Option<&str> {
        let production = self.rules.productions.iter().find(|(_, root)| *root == node);
        production.map(|(name, _)| name.as_str())
    }

    /// Returns true if these parts are a single production or token.
    fn is_one(&self, parts: &[Child]) -> bool {
        let mut parts = parts.to_vec();
        loop {
            let [part] = parts.as_slice() else { return false };
            let Child::Node(set, index) = *part else { return true };
            let mut item = &self.sets[set][index];
            if self.name_of(item.node).is_some() {
                return true;
            }
            let mut inner = Vec::new();
            while let Some((before, child)) = item.from {
                inner.push(child);
                item = &self.sets[before.0][before.1];
            }
            inner.retain(|part| !matches!(part, Child::Nothing));
            parts = inner;
        }
    }
}

/// The alternatives of a node, as lists of nodes.
fn alternatives(rules: &Rules, node: usize) -> Vec<Vec<usize>> {
    match &rules.nodes[node] {
        Node::Token(_) | Node::Text(_) => Vec::new(),
        Node::Production(number) => vec![vec![rules.productions[*number].1]],
        Node::Sequence(parts) => vec![parts.clone()],
        Node::Choice(parts) => parts.iter().map(|part| vec![*part]).collect(),
        Node::Optional(part) => vec![Vec::new(), vec![*part]],
        Node::Repeat(part) => vec![Vec::new(), vec![node, *part]],
        Node::OnceOrMore(part) => vec![vec![*part], vec![node, *part]],
    }
}
