//! Random sentences of the productions, as `--ebnf` prints them.
//!
//! An alternative is more likely the less often it was used, so that sentences vary and cover everything. Each
//! sentence has a budget of tokens. Once it is used up, only the shortest alternatives are taken, so every sentence
//! ends. No sentence is repeated.

use std::collections::{HashMap, HashSet};

use crate::parse::{Language, Syntax};
use crate::random::Random;
use crate::rules::{Node, Rules};
use hcl_lr_grammar_check::Grammar;

/// The default for the approximate maximum number of tokens in a sentence.
pub const SIZE: usize = 60;
/// The nesting depth of productions at which only the shortest alternatives are taken.
const MAX_DEPTH: usize = 120;
/// The number of retries after a duplicate sentence, or a near miss that is valid.
const TRIES: usize = 200;

const VARIABLES: [&str; 10] = ["a", "b", "count", "each", "local", "name", "x", "größe", "my-var", "_tmp"];
const FUNCTIONS: [&str; 6] = ["upper", "max", "length", "join", "core", "f-g"];
const ATTRIBUTES: [&str; 10] = ["ami", "cidr", "enabled", "for", "in", "id", "name", "null", "tags", "größe"];
const BLOCKS: [&str; 6] = ["block", "resource", "rule", "service", "if", "été"];
const LABELS: [&str; 6] = ["main", "web", "x-1", "_y", "for", "true"];
const NUMBERS: [&str; 7] = ["0", "1", "42", "3.14", "1e3", "2.5E-3", "0.1e+2"];
const JSON_NUMBERS: [&str; 6] = ["0", "-1", "42", "3.14", "1e3", "-2.5E-3"];
const JSON_STRINGS: [&str; 7] = ["a", "name", "${x}", "größe", "\\n", "\\u00e9", ""];
/// The literal texts of generated templates, by their kind. None ends with the beginning of a sequence.
const TEXTS: [&str; 8] = ["Hello, ", "x", " - ", "größe ", "$5 ", "100 % ", "$${x} ", "%%{if} "];
const QUOTED_TEXTS: [&str; 5] = ["\\n", "\\\"", "\\\\", "\\u00e9", "{} # "];
const OTHER_TEXTS: [&str; 4] = ["one\ntwo\n", "\"quoted\" ", "\\n", "\n  indented "];
/// Tokens that near misses insert at a wrong place.
const STRAY: [&str; 16] = ["=", "}", "]", ")", "{", "[", "(", ",", ":", "?", "...", "=>", "\"", "for", "1", "+"];

/// The construct around the position, which decides the meaning of newlines.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The value of an attribute, which ends with its line.
    Line,
    /// Parentheses or brackets, in which newlines are insignificant.
    Brackets,
    /// Braces: those of a block, or of an object, in which a newline separates elements.
    Braces,
    /// A sequence of a template.
    Sequence,
    Template,
}

/// The kind of template that is written.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Quoted,
    Heredoc,
    Bare,
}

/// The start of sentences: a production.
#[derive(Clone, Debug)]
pub struct Start {
    production: usize,
    name: String,
}

/// Random sentences of the productions.
pub struct Generator {
    rules: Rules,
    /// The number of tokens in the shortest sentence of each node.
    shortest: Vec<usize>,
    /// The number of uses of each alternative of each node.
    taken: HashMap<(usize, usize), u32>,
    /// The sentences so far.
    known: HashSet<String>,
    random: Random,
    size: usize,
    room: usize,
    out: String,
    /// The beginning of each token in the sentence.
    tokens: Vec<usize>,
    /// No space before the next token.
    glue: bool,
    /// True after an operand, where a bracket is an index.
    after_operand: bool,
    places: Vec<Place>,
    modes: Vec<Mode>,
    depth: usize,
    /// The names of the productions that are being written.
    within: Vec<usize>,
    names: Vec<HashSet<String>>,
}

/// The names of all productions, of which each has sentences.
pub fn names(grammars: &[Grammar]) -> Vec<String> {
    Rules::of(grammars).productions.into_iter().map(|(name, _)| name).collect()
}

/// Returns the language in which the sentences of a production are whole sources.
fn language_of(name: &str) -> Option<Language> {
    Some(Language::Native(match name {
        "ConfigFile" | "Body" | "Attribute" | "Block" | "OneLineBlock" => Syntax::Config,
        "Template" | "TemplateInterpolation" | "TemplateIf" | "TemplateFor" => Syntax::Template,
        "Expression" | "ExprTerm" | "Unsplat" | "LiteralValue" | "VariableExpr" | "TemplateExpr" | "tuple"
        | "object" | "FunctionCall" | "forTupleExpr" | "forObjectExpr" | "attrSplat" | "fullSplat" | "Operation"
        | "unaryOp" | "binaryOp" | "Conditional" | "quotedTemplate" => Syntax::Expression,
        "JsonFile" | "JsonBody" | "JsonObject" => return Some(Language::Json),
        _ => return None,
    }))
}

impl Generator {
    /// Creates a generator; the same seed gives the same sentences.
    pub fn new(grammars: &[Grammar], seed: u64) -> Generator {
        let rules = Rules::of(grammars);
        Generator {
            shortest: rules.shortest(),
            rules,
            taken: HashMap::new(),
            known: HashSet::new(),
            random: Random::new(seed),
            size: SIZE,
            room: 0,
            out: String::new(),
            tokens: Vec::new(),
            glue: false,
            after_operand: false,
            places: Vec::new(),
            modes: Vec::new(),
            depth: 0,
            within: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Sets the approximate maximum number of tokens in a sentence.
    pub fn with_size(mut self, size: usize) -> Generator {
        self.size = size.max(1);
        self
    }

    /// Returns the start for the name of a production.
    pub fn start(&self, name: &str) -> Option<Start> {
        Some(Start { production: self.rules.production(name)?, name: name.to_owned() })
    }

    /// Returns a new sentence; `None` if there seem to be no others.
    pub fn sentence(&mut self, start: &Start) -> Option<String> {
        for attempt in 0..TRIES {
            let sentence = self.any(start, attempt);
            if self.known.insert(sentence.clone()) {
                return Some(sentence);
            }
        }
        None
    }

    /// Returns a near miss: a sentence with one mistake, which the parser must reject. `None` if there seem to be no
    /// others.
    ///
    /// # Errors
    /// If the production is not a whole source, so that no parser reads its sentences alone.
    pub fn near_miss(&mut self, start: &Start) -> Result<Option<String>, String> {
        for attempt in 0..TRIES {
            let (near, is_accepted) = self.change(start, attempt)?;
            if !is_accepted && self.known.insert(near.clone()) {
                return Ok(Some(near));
            }
        }
        Ok(None)
    }

    /// Returns a sentence with one change, and true if the parser accepts it: then it is another sentence rather than
    /// a near miss. `None` if there seem to be no others.
    ///
    /// # Errors
    /// If the production is not a whole source.
    pub fn changed(&mut self, start: &Start) -> Result<Option<(String, bool)>, String> {
        for attempt in 0..TRIES {
            let changed = self.change(start, attempt)?;
            if self.known.insert(changed.0.clone()) {
                return Ok(Some(changed));
            }
        }
        Ok(None)
    }

    /// A sentence with one change, perhaps one that has come before, and the verdict of the parser.
    fn change(&mut self, start: &Start, attempt: usize) -> Result<(String, bool), String> {
        let language = language_of(&start.name).ok_or_else(|| {
            format!(
                "near misses are made of whole sources, and `{}` is a part of one: try `Expression`, `Body` or `JsonFile`",
                start.name
            )
        })?;
        let sentence = self.any(start, attempt);
        let changed = self.with_a_mistake(&sentence);
        let is_accepted = language.accepts(&changed);
        Ok((changed, is_accepted))
    }

    /// Returns the sentence with a token omitted, inserted, repeated or swapped with its neighbour.
    fn with_a_mistake(&mut self, sentence: &str) -> String {
        let ends = self.tokens.iter().skip(1).copied().chain([sentence.len()]);
        let tokens: Vec<&str> = self.tokens.iter().zip(ends).map(|(&start, end)| &sentence[start..end]).collect();
        let at = self.random.below(tokens.len().max(1));
        let mut near: Vec<&str> = tokens.clone();
        match self.random.below(4) {
            0 if !near.is_empty() => drop(near.remove(at)),
            1 if !near.is_empty() => near.insert(at, tokens[at]),
            2 if at + 1 < near.len() => near.swap(at, at + 1),
            _ => near.insert(at.min(near.len()), self.random.one_of(&STRAY)),
        }
        near.concat()
    }

    /// A sentence, perhaps one that has come before. Later attempts have more room.
    fn any(&mut self, start: &Start, attempt: usize) -> String {
        self.room = 1 + self.random.below(self.size) + attempt.min(self.size);
        self.out.clear();
        self.tokens.clear();
        self.glue = true;
        self.after_operand = false;
        self.places.clear();
        self.modes = vec![Mode::Bare];
        self.depth = 0;
        self.within.clear();
        self.names = vec![HashSet::new()];
        self.production(start.production);
        std::mem::take(&mut self.out)
    }

    /// Writes a sentence of a node. The budget limits the recursion.
    fn node(&mut self, node: usize) {
        match self.rules.nodes[node].clone() {
            Node::Production(number) => self.production(number),
            Node::Token(name) => self.lexical(&name),
            Node::Text(text) => self.text(&text),
            Node::Sequence(parts) => parts.into_iter().for_each(|part| self.part(part)),
            Node::Choice(parts) => {
                let lengths: Vec<usize> = parts.iter().map(|part| self.shortest[*part]).collect();
                let part = parts[self.choose(node, &lengths)];
                self.node(part);
            }
            Node::Optional(part) => {
                let lengths = [0, self.shortest[part]];
                if self.choose(node, &lengths) == 1 {
                    self.part(part);
                }
            }
            Node::Repeat(part) | Node::OnceOrMore(part) => {
                if matches!(self.rules.nodes[node], Node::OnceOrMore(_)) {
                    self.part(part);
                }
                let lengths = [0, self.shortest[part]];
                // Up to the end of the room, and sometimes not.
                while self.room > lengths[1] && self.choose(node, &lengths) == 1 {
                    self.part(part);
                }
            }
        }
    }

    /// Writes a sentence of a node that others follow, and leaves some of the room to them.
    fn part(&mut self, node: usize) {
        let kept = self.random.below(self.room + 1);
        self.room -= kept;
        self.node(node);
        self.room += kept;
    }

    /// Takes one of the alternatives of a node, of which the shortest sentences are so long.
    fn choose(&mut self, node: usize, lengths: &[usize]) -> usize {
        let shortest = lengths.iter().min().copied().unwrap_or(0);
        let tight = self.room <= shortest || self.within.len() > MAX_DEPTH;
        let weight = |(index, &length): (usize, &usize)| match !tight || length == shortest {
            true => 1.0 / f64::from(1 + self.taken.get(&(node, index)).copied().unwrap_or(0)),
            false => 0.0,
        };
        let weights: Vec<f64> = lengths.iter().enumerate().map(weight).collect();
        let index = self.random.weighted(&weights);
        *self.taken.entry((node, index)).or_default() += 1;
        index
    }

    fn production(&mut self, number: usize) {
        self.within.push(number);
        let (name, root) = self.rules.productions[number].clone();
        match name.as_str() {
            "quotedTemplate" => self.quoted(),
            "heredocTemplate" => self.heredoc_or_quoted(),
            "Expression" => {
                let is_value = self.parent() == Some("Attribute");
                // A heredoc ends with a line, which must be the last one of the attribute.
                let ends_line = self.within.first() != self.within.get(self.within.len().wrapping_sub(2));
                if is_value && ends_line && self.random.once_in(16) {
                    self.heredoc();
                } else {
                    let line = is_value || self.parent() == Some("OneLineBlock");
                    self.places.extend(line.then_some(Place::Line));
                    self.node(root);
                    if line {
                        self.places.pop();
                    }
                }
            }
            _ => self.node(root),
        }
        self.within.pop();
    }

    /// The production around the one that is being written.
    fn parent(&self) -> Option<&str> {
        let at = self.within.len().checked_sub(2)?;
        Some(&self.rules.productions[self.within[at]].0)
    }

    /// The production that is being written.
    fn current(&self) -> &str {
        self.within.last().map_or("", |&number| &self.rules.productions[number].0)
    }

    /// Notes that a token begins.
    fn begin(&mut self) {
        self.tokens.push(self.out.len());
        self.room = self.room.saturating_sub(1);
    }

    /// Writes a token, preceded by a space unless one of its neighbours forbids it.
    fn token(&mut self, text: &str, glued: bool, glues: bool) {
        if self.out.ends_with('\n') && self.modes.len() == 1 {
            self.begin();
            self.out.push_str(&"  ".repeat(self.depth));
        } else {
            self.begin();
            if !(glued || self.glue || self.out.is_empty() || self.out.ends_with('\n')) {
                self.out.push(' ');
            }
        }
        self.out.push_str(text);
        self.glue = glues;
        self.after_operand = false;
    }

    fn operand(&mut self, text: &str, glued: bool) {
        self.token(text, glued, false);
        self.after_operand = true;
    }

    /// One of some names, sometimes with a number after it.
    fn word(&mut self, words: &[&'static str]) -> String {
        let word = self.random.one_of(words);
        match self.random.once_in(8) {
            true => format!("{word}{}", self.random.below(1000)),
            false => word.to_owned(),
        }
    }

    fn lexical(&mut self, name: &str) {
        // A digit and the point after it would be read as one token.
        match name {
            "Newline" => {
                self.begin();
                self.out.push('\n');
                self.glue = true;
                self.after_operand = false;
            }
            "Identifier" => self.identifier(),
            "StringLit" => {
                let label = self.word(&LABELS);
                self.token(&format!("\"{label}\""), false, false);
            }
            "NumericLit" => {
                let number = match self.random.once_in(3) {
                    true => self.random.below(100_000).to_string(),
                    false => self.random.one_of(&NUMBERS).to_owned(),
                };
                self.operand(&number, false);
            }
            "decimal" => {
                let digit = self.random.below(10).to_string();
                self.operand(&digit, true);
            }
            "TemplateLiteral" => {
                let more: &[&'static str] =
                    if self.modes.last() == Some(&Mode::Quoted) { &QUOTED_TEXTS } else { &OTHER_TEXTS };
                let text = if self.random.once_in(3) { self.random.one_of(more) } else { self.random.one_of(&TEXTS) };
                self.begin();
                self.out.push_str(text);
            }
            "JsonString" => {
                let text = self.random.one_of(&JSON_STRINGS);
                self.token(&format!("\"{text}\""), false, false);
            }
            "JsonNumber" => {
                let number = self.random.one_of(&JSON_NUMBERS);
                self.token(number, false, false);
            }
            other => self.token(other, false, false),
        }
    }

    fn identifier(&mut self) {
        let glued = self.out.ends_with(['.', ':']) && self.glue;
        let name = match self.current() {
            "Attribute" => self.unused_name(),
            "OneLineBlock" | "Block" => {
                let is_first = self.out.is_empty() || self.out.ends_with('\n');
                if is_first {
                    self.word(&BLOCKS)
                } else if self.out.ends_with('{') {
                    self.word(&ATTRIBUTES)
                } else {
                    self.word(&LABELS)
                }
            }
            "FunctionCall" => self.word(&FUNCTIONS),
            _ => self.word(&VARIABLES),
        };
        self.operand(&name, glued);
    }

    /// A name that no attribute of the body has.
    fn unused_name(&mut self) -> String {
        let word = self.word(&ATTRIBUTES);
        if self.names.is_empty() {
            self.names.push(HashSet::new());
        }
        let names = self.names.last_mut().expect("a body is being written");
        let mut name = word.clone();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{word}_{number}");
        }
        name
    }

    fn text(&mut self, text: &str) {
        let after_digit = self.out.ends_with(|c: char| c.is_ascii_digit());
        let after_operand = self.after_operand;
        match text {
            "." => self.token(text, !after_digit, true),
            "..." => self.token(text, !after_digit, false),
            "," => self.token(text, true, false),
            "::" => self.token(text, true, true),
            "*" if self.out.ends_with(['.', '[']) && self.glue => self.operand(text, true),
            "-" | "!" if self.current() == "unaryOp" || self.current() == "JsonNumber" => self.token(text, false, true),
            "(" | "[" => {
                self.token(text, after_operand, true);
                self.places.push(Place::Brackets);
            }
            ")" | "]" => {
                self.places.pop();
                self.operand(text, true);
            }
            "{" => {
                self.token(text, false, self.current() == "Block");
                self.places.push(Place::Braces);
                self.depth += 1;
                self.names.push(HashSet::new());
            }
            "${" | "${~" | "%{" | "%{~" => {
                self.begin();
                self.out.push_str(text);
                self.glue = text == "${";
                self.after_operand = false;
                self.places.push(Place::Sequence);
            }
            "}" | "~}" if self.places.last() == Some(&Place::Sequence) => {
                self.places.pop();
                self.token(text, text == "}" && !self.out.ends_with(['}', '"']), true);
            }
            "}" => {
                self.places.pop();
                self.names.pop();
                self.depth = self.depth.saturating_sub(1);
                self.operand(text, false);
            }
            "true" | "false" | "null" => self.operand(text, false),
            other => self.token(other, false, false),
        }
    }

    fn heredoc_or_quoted(&mut self) {
        let is_whole = self.within.len() == 1;
        // The newline after a heredoc is allowed where it is insignificant.
        let may = self.places.last() == Some(&Place::Brackets)
            && !self.places.iter().any(|place| matches!(place, Place::Template | Place::Sequence));
        if may || is_whole {
            self.heredoc();
            self.out.push('\n');
            self.glue = true;
            self.after_operand = true;
        } else {
            self.quoted();
        }
    }

    fn quoted(&mut self) {
        self.token("\"", false, true);
        self.template(Mode::Quoted);
        self.begin();
        self.out.push('"');
        self.glue = false;
        self.after_operand = true;
    }

    fn heredoc(&mut self) {
        let opener = self.random.one_of(&["<<EOT", "<<-EOT"]);
        self.token(opener, false, true);
        self.out.push('\n');
        self.template(Mode::Heredoc);
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.begin();
        self.out.push_str("EOT");
        self.glue = false;
    }

    fn template(&mut self, mode: Mode) {
        let Some(template) = self.rules.production("Template") else { return };
        self.places.push(Place::Template);
        self.modes.push(mode);
        self.production(template);
        self.modes.pop();
        self.places.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coverage;
    use crate::grammars;
    use hcl_lr::ParseOptions;
    use hcl_lr::diagnostic::Severity;
    use hcl_lr::source::Source;

    /// Returns the text around a sentence of each production that makes it a whole source.
    fn around(name: &str) -> (&'static str, &'static str, Option<Language>) {
        let expression = Some(Language::Native(Syntax::Expression));
        match name {
            "GetAttr" | "Index" => ("x", "", expression),
            "Each" | "EachUnsplat" | "EachAttrSplat" => ("x[*]", "", expression),
            "binaryOperator" => ("a ", " b", expression),
            "objectelem" => ("{", "}", expression),
            "forIntro" => ("[", " x]", expression),
            "forCond" => ("[for a in b : c ", "]", expression),
            "heredocTemplate" => ("[", "]", expression),
            _ => ("", "", language_of(name)),
        }
    }

    /// Every production has sentences, and all of them parse in context.
    #[test]
    fn sentences_parse() {
        let grammars = grammars().expect("the grammars");
        let mut problems = Vec::new();
        for name in names(&grammars) {
            let mut generator = Generator::new(&grammars, 1);
            let start = generator.start(&name).expect("a production");
            let count = if ["Body", "Expression", "Template"].contains(&name.as_str()) { 10_000 } else { 200 };
            for _ in 0..count {
                let Some(sentence) = generator.sentence(&start) else { break };
                if name.starts_with("Json") {
                    // Not every value is a body.
                    let text = format!("{{\"a\": {sentence}}}");
                    let text = if name == "JsonMember" { format!("{{{sentence}}}") } else { text };
                    if hcl_lr::parse::<hcl_lr::json::Document>(text.as_str()).diagnostics().has_errors() {
                        problems.push(format!("{name}\n{text}"));
                    }
                    continue;
                }
                let (before, after, syntax) = around(&name);
                let source = format!("{before}{sentence}{after}");
                let Some(Language::Native(syntax)) = syntax else {
                    panic!("{name} is no whole source, and nothing is around it")
                };
                let outcome = syntax.parse(Source::new("sentence", source.as_str()), &ParseOptions::new());
                let error = outcome.diagnostics().iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
                if let Some(error) = error {
                    problems.push(format!("{name}: {}\n{source}", error.summary()));
                }
            }
        }
        let shown = problems.iter().take(20).cloned().collect::<Vec<_>>().join("\n\n");
        assert!(problems.is_empty(), "{} sentences do not parse:\n{shown}", problems.len());
    }

    /// A sentence of a production begins as the production does, and no name has sentences of another one.
    #[test]
    fn sentences_are_those_of_their_production() {
        let grammars = grammars().expect("the grammars");
        let first = |name: &str| {
            let mut generator = Generator::new(&grammars, 3);
            let start = generator.start(name).expect("a production");
            (0..100).map_while(|_| generator.sentence(&start)).collect::<Vec<_>>()
        };
        assert!(first("forCond").iter().all(|sentence| sentence.starts_with("if ")));
        assert!(first("GetAttr").iter().all(|sentence| sentence.starts_with('.')));
        assert!(first("Index").iter().all(|sentence| sentence.starts_with(['.', '['])));
        assert!(first("heredocTemplate").iter().all(|sentence| sentence.starts_with("<<")));
        assert_eq!(first("binaryOperator").len(), 13);
        let one = |name: &str| Generator::new(&grammars, 1).start(name).is_none();
        assert!(one("ForCond") && one("Elements"), "rules of the grammars are no productions");
    }

    /// Two thousand sentences use all that files without errors can use.
    #[test]
    fn sentences_use_every_alternative() {
        let grammars = grammars().expect("the grammars");
        let mut counted = Coverage::new();
        for (name, syntax) in
            [("ConfigFile", Syntax::Config), ("Expression", Syntax::Expression), ("Template", Syntax::Template)]
        {
            let mut generator = Generator::new(&grammars, 2);
            let start = generator.start(name).expect(name);
            for sentence in (0..2_000).map_while(|_| generator.sentence(&start)) {
                counted.add(syntax.parse(sentence, &ParseOptions::new()).value(), syntax);
            }
        }
        let missing: Vec<&str> = counted
            .counts()
            .filter(|(_, alternative, count)| *count == 0 && !alternative.contains("\"bad "))
            .map(|(_, alternative, _)| alternative)
            .collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }

    #[test]
    fn no_sentence_comes_twice() {
        let grammars = grammars().expect("the grammars");
        let some = |seed, name: &str| {
            let mut generator = Generator::new(&grammars, seed).with_size(20);
            let start = generator.start(name).expect("a production");
            (0..1_000).map_while(|_| generator.sentence(&start)).collect::<Vec<_>>()
        };
        assert_eq!(some(1, "Body"), some(1, "Body"));
        assert_ne!(some(1, "Body"), some(2, "Body"));
        for name in ["Body", "Expression", "VariableExpr", "Template"] {
            let sentences = some(3, name);
            assert_eq!(sentences.iter().collect::<HashSet<_>>().len(), 1_000, "{name}");
        }
    }

    #[test]
    fn the_size_limits_sentences() {
        let grammars = grammars().expect("the grammars");
        let longest = |size| {
            let mut generator = Generator::new(&grammars, 1).with_size(size);
            let start = generator.start("Expression").expect("a production");
            (0..300).map_while(|_| generator.sentence(&start)).map(|sentence| sentence.len()).max()
        };
        assert!(longest(5) < longest(400), "{:?} {:?}", longest(5), longest(400));
    }

    #[test]
    fn near_misses_are_rejected() {
        let grammars = grammars().expect("the grammars");
        for name in ["Body", "Expression", "Template", "JsonFile"] {
            let language = language_of(name).expect("a whole source");
            let mut generator = Generator::new(&grammars, 1);
            let start = generator.start(name).expect(name);
            for _ in 0..300 {
                let near = generator.near_miss(&start).expect(name).expect("there are many");
                assert!(!language.accepts(&near), "{near}");
            }
            let mut verdicts = HashSet::new();
            for _ in 0..300 {
                let (changed, is_accepted) = generator.changed(&start).expect(name).expect("there are many");
                assert_eq!(language.accepts(&changed), is_accepted, "{changed}");
                verdicts.insert(is_accepted);
            }
            // In JSON nearly every change is a mistake.
            assert!(verdicts.contains(&false) && (name == "JsonFile" || verdicts.contains(&true)), "{name}");
        }
        let mut generator = Generator::new(&grammars, 1);
        let start = generator.start("forCond").expect("a production");
        let why = generator.near_miss(&start).expect_err("a part");
        assert!(why.starts_with("near misses are made of whole sources, and `forCond` is a part of one"), "{why}");
    }
}
