//! Random sentences of the grammars. An alternative is the more likely the less often it has been taken, so that
//! the sentences differ and use all that there is. Each has room for a number of symbols; when that is used up,
//! only the shortest ways to an end are taken, so that every sentence ends.

use std::collections::{HashMap, HashSet};

use crate::ebnf::{self, is_artefact};
use crate::random::Random;
use crate::read::{Alternative, Grammar, Symbol};

/// About how many symbols a sentence has at most.
const ROOM: usize = 60;

const VARIABLES: [&str; 10] = ["a", "b", "count", "each", "local", "name", "x", "größe", "my-var", "_tmp"];
const FUNCTIONS: [&str; 6] = ["upper", "max", "length", "join", "core", "f-g"];
const ATTRIBUTES: [&str; 10] = ["ami", "cidr", "enabled", "for", "in", "id", "name", "null", "tags", "größe"];
const BLOCKS: [&str; 6] = ["block", "resource", "rule", "service", "if", "été"];
const LABELS: [&str; 6] = ["main", "web", "x-1", "_y", "for", "true"];
const NUMBERS: [&str; 7] = ["0", "1", "42", "3.14", "1e3", "2.5E-3", "0.1e+2"];
const WORDS: [&str; 3] = ["true", "false", "null"];
/// The literal texts of generated templates, by their kind. None ends with the beginning of a sequence.
const TEXTS: [&str; 8] = ["Hello, ", "x", " - ", "größe ", "$5 ", "100 % ", "$${x} ", "%%{if} "];
const QUOTED_TEXTS: [&str; 5] = ["\\n", "\\\"", "\\\\", "\\u00e9", "{} # "];
const OTHER_TEXTS: [&str; 4] = ["one\ntwo\n", "\"quoted\" ", "\\n", "\n  indented "];

/// The construct around the position, which decides the meaning of newlines.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The value of an attribute, which ends with its line.
    Line,
    /// Parentheses or brackets, in which newlines mean nothing.
    Brackets,
    /// Braces of an expression, in which a newline separates elements.
    Braces,
    Template,
}

/// The kind of template that is written.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Quoted,
    Heredoc,
    Bare,
}

/// The start of sentences: some alternatives of a rule.
#[derive(Clone, Debug)]
pub struct Start {
    /// The number of the grammar.
    pub grammar: usize,
    rule: usize,
    alternatives: Vec<usize>,
}

/// Random sentences of the grammars.
pub struct Generator<'g> {
    grammars: &'g [Grammar],
    /// The rules of each grammar by their names.
    rules: Vec<HashMap<&'g str, usize>>,
    /// The number of symbols in the shortest derivation of each alternative; `None` for those that are never taken.
    costs: Vec<Vec<Vec<Option<usize>>>>,
    taken: Vec<Vec<Vec<u32>>>,
    random: Random,
    room: usize,
    out: String,
    /// No space before the next token.
    glue: bool,
    places: Vec<Place>,
    modes: Vec<Mode>,
    depth: usize,
    /// True if the whole sentence is a body, so that a newline follows each attribute.
    is_body: bool,
    names: Vec<HashSet<String>>,
}

/// The names of all that sentences can be made of: rules, and productions that are some of the alternatives of one.
pub fn names(grammars: &[Grammar]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for grammar in grammars {
        names.extend(ebnf::definitions(grammar).into_iter().map(|definition| definition.production.name));
        names.extend(grammar.rules.iter().map(|rule| rule.name.clone()));
    }
    let mut known = HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    names
}

impl<'g> Generator<'g> {
    /// A generator; the same seed gives the same sentences.
    pub fn new(grammars: &'g [Grammar], seed: u64) -> Generator<'g> {
        let by_name = |grammar: &'g Grammar| -> HashMap<&'g str, usize> {
            grammar.rules.iter().enumerate().map(|(index, rule)| (rule.name.as_str(), index)).collect()
        };
        let rules: Vec<HashMap<&str, usize>> = grammars.iter().map(by_name).collect();
        let costs = grammars.iter().zip(&rules).map(|(grammar, rules)| costs(grammar, rules)).collect();
        let taken = |grammar: &Grammar| grammar.rules.iter().map(|rule| vec![0; rule.alternatives.len()]).collect();
        Generator {
            grammars,
            rules,
            costs,
            taken: grammars.iter().map(taken).collect(),
            random: Random::new(seed),
            room: 0,
            out: String::new(),
            glue: false,
            places: Vec::new(),
            modes: Vec::new(),
            depth: 0,
            is_body: false,
            names: Vec::new(),
        }
    }

    /// Returns the start for a name: a rule, or a production. For a run over regions it is the region.
    pub fn start(&self, name: &str) -> Option<Start> {
        for (index, grammar) in self.grammars.iter().enumerate() {
            let definitions = ebnf::definitions(grammar);
            let named = definitions.iter().find(|definition| definition.production.name == name);
            let (rule, alternatives) = match named {
                Some(definition) => (self.rules[index][definition.rule.as_str()], definition.alternatives.clone()),
                None => match self.rules[index].get(name) {
                    Some(&rule) => (rule, (0..grammar.rules[rule].alternatives.len()).collect()),
                    None => continue,
                },
            };
            let separator = Symbol::Terminal("separator".to_owned());
            let region = grammar.rules[rule].alternatives.iter().find_map(|alternative| {
                let at = alternative.symbols.iter().position(|symbol| *symbol == separator)?;
                alternative.symbols.get(at + 1)
            });
            if let Some(Symbol::Rule(region)) = region {
                return self.start(region);
            }
            let is_taken = |alternative: &usize| self.costs[index][rule][*alternative].is_some();
            let alternatives: Vec<usize> = alternatives.into_iter().filter(is_taken).collect();
            return (!alternatives.is_empty()).then_some(Start { grammar: index, rule, alternatives });
        }
        None
    }

    /// A sentence.
    pub fn sentence(&mut self, start: &Start) -> String {
        self.room = 1 + self.random.below(ROOM);
        self.out.clear();
        self.glue = true;
        self.places.clear();
        self.modes = vec![Mode::Bare];
        self.depth = 0;
        self.is_body = self.grammars[start.grammar].rules[start.rule].name == "Body";
        self.names = vec![HashSet::new()];
        self.choose(start.grammar, start.rule, &start.alternatives);
        std::mem::take(&mut self.out)
    }

    /// Takes one of some alternatives of a rule. How deep this goes is limited by the room.
    fn choose(&mut self, grammar: usize, rule: usize, among: &[usize]) {
        let costs = &self.costs[grammar][rule];
        let cheapest = among.iter().filter_map(|&index| costs[index]).min().unwrap_or(0);
        let tight = self.room <= cheapest;
        let taken = &self.taken[grammar][rule];
        let weight = |&index: &usize| match costs[index] {
            Some(cost) if !tight || cost == cheapest => 1.0 / f64::from(1 + taken[index]),
            _ => 0.0,
        };
        let weights: Vec<f64> = among.iter().map(weight).collect();
        let index = among[self.random.weighted(&weights)];
        self.taken[grammar][rule][index] += 1;
        self.room = self.room.saturating_sub(1);
        let grammars = self.grammars;
        self.alternative(grammar, rule, &grammars[grammar].rules[rule].alternatives[index]);
    }

    fn alternative(&mut self, grammar: usize, rule: usize, alternative: &'g Alternative) {
        for (at, symbol) in alternative.symbols.iter().enumerate() {
            match symbol {
                Symbol::Rule(name) => self.rule(grammar, name),
                Symbol::Terminal(terminal) => {
                    let rule = self.grammars[grammar].rules[rule].name.as_str();
                    match self.grammars[grammar].name {
                        "body" => self.body_terminal(rule, alternative, at, terminal),
                        "expression" => self.expression_terminal(rule, at, terminal),
                        _ => self.template_terminal(terminal),
                    }
                }
            }
        }
    }

    fn rule(&mut self, grammar: usize, name: &str) {
        if let Some(&rule) = self.rules[grammar].get(name) {
            let all: Vec<usize> = (0..self.costs[grammar][rule].len()).collect();
            self.choose(grammar, rule, &all);
        }
    }

    /// A sentence of another grammar within this one.
    fn within(&mut self, grammar: &str, rule: &str) {
        if let Some(index) = self.grammars.iter().position(|other| other.name == grammar) {
            self.rule(index, rule);
        }
    }

    /// Writes a token, with a space before it unless one of its neighbours wants none.
    fn token(&mut self, text: &str, glued: bool, glues: bool) {
        if self.out.ends_with('\n') && self.modes.len() == 1 {
            self.out.push_str(&"  ".repeat(self.depth));
        } else if !(glued || self.glue || self.out.is_empty() || self.out.ends_with('\n')) {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.glue = glues;
    }

    fn body_terminal(&mut self, rule: &str, alternative: &Alternative, at: usize, terminal: &str) {
        let next = |text: &str| alternative.symbols.get(at + 1) == Some(&Symbol::Terminal(text.to_owned()));
        match terminal {
            "newline" => {
                self.out.push('\n');
                self.glue = true;
            }
            "identifier" if rule == "Labels" => {
                let label = self.random.one_of(&LABELS);
                self.token(label, false, false);
            }
            "identifier" if next("= expression") => {
                let name = self.unused_name();
                self.token(&name, false, false);
            }
            "identifier" => {
                let block = self.random.one_of(&BLOCKS);
                self.token(block, false, false);
            }
            "string" => {
                let label = self.random.one_of(&LABELS);
                self.token(&format!("\"{label}\""), false, false);
            }
            "= expression" => {
                self.token("=", false, false);
                // A heredoc ends with a line, which must be the last one of the attribute.
                let is_in_body = self.depth > 0 || self.is_body;
                if rule == "Attribute" && is_in_body && self.random.once_in(16) {
                    self.heredoc();
                    return;
                }
                self.places.push(Place::Line);
                self.within("expression", "Expression");
                self.places.pop();
            }
            "{ body }" => {
                self.token("{", false, true);
                self.out.push('\n');
                self.depth += 1;
                self.names.push(HashSet::new());
                self.within("body", "Body");
                self.names.pop();
                self.depth -= 1;
                self.token("}", true, false);
            }
            other => self.token(other, false, false),
        }
    }

    /// A name that no attribute of the body has.
    fn unused_name(&mut self) -> String {
        let word = self.random.one_of(&ATTRIBUTES);
        let names = self.names.last_mut().expect("a body is being written");
        let mut name = word.to_owned();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{word}_{number}");
        }
        name
    }

    fn expression_terminal(&mut self, rule: &str, at: usize, terminal: &str) {
        // A digit and the point after it would be read as one token.
        let after_digit = self.out.ends_with(|c: char| c.is_ascii_digit());
        match terminal {
            "literal" => {
                let text =
                    if self.random.once_in(3) { self.random.one_of(&WORDS) } else { self.random.one_of(&NUMBERS) };
                self.token(text, false, false);
            }
            "identifier" | "traversal" if !matches!(rule, "FunctionName") => {
                let name = self.random.one_of(&VARIABLES);
                self.token(name, false, false);
                let mut goes_on = terminal == "traversal";
                while goes_on {
                    let name = self.random.one_of(&VARIABLES);
                    self.token(&format!(".{name}"), true, false);
                    goes_on = !self.random.once_in(2);
                }
            }
            "identifier" => {
                let name = self.random.one_of(&FUNCTIONS);
                self.token(name, false, false);
            }
            "template" => self.quoted_or_heredoc(),
            ".name" => {
                let name = self.random.one_of(&VARIABLES);
                self.token(&format!(".{name}"), !after_digit, false);
            }
            ".0" => {
                let number = self.random.below(12);
                self.token(&format!(".{number}"), !after_digit, false);
            }
            ".*" | "..." => self.token(terminal, !after_digit, false),
            "," | "[*]" => self.token(terminal, true, false),
            "::" => self.token(terminal, true, true),
            "operator" => {
                let operators: Vec<&'static str> = hcl_lr::syntax::ast::BinaryOperator::ALL
                    .iter()
                    .map(|operator| operator.as_str())
                    .filter(|text| *text != "-")
                    .collect();
                let operator = self.random.one_of(&operators);
                self.token(operator, false, false);
            }
            "-" | "!" if rule == "UnaryOperator" => self.token(terminal, false, true),
            "(" | "[" => {
                self.token(terminal, at > 0, true);
                self.places.push(Place::Brackets);
            }
            "{" => {
                self.token(terminal, false, false);
                self.places.push(Place::Braces);
                self.depth += 1;
            }
            ")" | "]" => {
                self.places.pop();
                self.token(terminal, true, false);
            }
            "}" => {
                self.places.pop();
                self.depth -= 1;
                self.token(terminal, false, false);
            }
            "newline" => {
                self.out.push('\n');
                self.glue = true;
            }
            other => self.token(other, false, false),
        }
    }

    fn quoted_or_heredoc(&mut self) {
        // The newline after a heredoc is allowed if it means nothing here.
        let may = self.places.last() == Some(&Place::Brackets) && !self.places.contains(&Place::Template);
        if may && self.random.once_in(4) {
            self.heredoc();
            self.out.push('\n');
            self.glue = true;
            return;
        }
        self.token("\"", false, true);
        self.template(Mode::Quoted);
        self.out.push('"');
        self.glue = false;
    }

    fn heredoc(&mut self) {
        let opener = self.random.one_of(&["<<EOT", "<<-EOT"]);
        self.token(opener, false, true);
        self.out.push('\n');
        self.template(Mode::Heredoc);
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.push_str("EOT");
        self.glue = false;
    }

    fn template(&mut self, mode: Mode) {
        self.places.push(Place::Template);
        self.modes.push(mode);
        self.within("template", "Template");
        self.modes.pop();
        self.places.pop();
    }

    fn template_terminal(&mut self, terminal: &str) {
        match terminal {
            "literal" => {
                let more: &[&'static str] =
                    if self.modes.last() == Some(&Mode::Quoted) { &QUOTED_TEXTS } else { &OTHER_TEXTS };
                let text = if self.random.once_in(3) { self.random.one_of(more) } else { self.random.one_of(&TEXTS) };
                self.out.push_str(text);
            }
            "${ }" => {
                self.opener("${");
                self.expression_within();
                self.closer(false);
            }
            "%{ if }" => {
                self.opener("%{");
                self.token("if", false, false);
                self.expression_within();
                self.closer(true);
            }
            "%{ for" => {
                self.opener("%{");
                self.token("for", false, false);
            }
            "in }" => {
                self.token("in", false, false);
                self.expression_within();
                self.closer(true);
            }
            "%{ else }" | "%{ endif }" | "%{ endfor }" => {
                self.opener("%{");
                self.token(terminal.trim_start_matches("%{ ").trim_end_matches(" }"), false, false);
                self.closer(true);
            }
            "identifier" => {
                let name = self.random.one_of(&VARIABLES);
                self.token(name, false, false);
            }
            other => self.token(other, true, false),
        }
    }

    fn expression_within(&mut self) {
        self.places.push(Place::Template);
        self.within("expression", "Expression");
        self.places.pop();
    }

    fn opener(&mut self, text: &str) {
        self.out.push_str(text);
        if self.random.once_in(4) {
            self.out.push('~');
        }
        self.glue = text == "${" && !self.out.ends_with('~');
    }

    fn closer(&mut self, spaced: bool) {
        let strips = self.random.once_in(4);
        let spaced = spaced || strips || self.out.ends_with('}');
        self.out.push_str(if spaced { " " } else { "" });
        self.out.push_str(if strips { "~}" } else { "}" });
        self.glue = true;
    }
}

/// The number of symbols of the shortest way through each alternative.
fn costs(grammar: &Grammar, rules: &HashMap<&str, usize>) -> Vec<Vec<Option<usize>>> {
    let mut costs: Vec<Vec<Option<usize>>> =
        grammar.rules.iter().map(|rule| vec![None; rule.alternatives.len()]).collect();
    // Each round finds more, or the same with less.
    loop {
        let best: Vec<Option<usize>> = costs.iter().map(|rule| rule.iter().flatten().min().copied()).collect();
        let mut changed = false;
        for (index, rule) in grammar.rules.iter().enumerate() {
            for (number, alternative) in rule.alternatives.iter().enumerate() {
                let symbol = |symbol: &Symbol| match symbol {
                    Symbol::Terminal(terminal) if is_artefact(terminal) && terminal != "traversal" => None,
                    // Within it is a sentence of another grammar.
                    Symbol::Terminal(terminal) if terminal.contains(' ') || terminal == "template" => Some(3),
                    Symbol::Terminal(_) => Some(1),
                    Symbol::Rule(name) => rules.get(name.as_str()).and_then(|&rule| best[rule]),
                };
                let cost: Option<usize> =
                    alternative.symbols.iter().map(symbol).sum::<Option<usize>>().map(|sum| sum + 1);
                if cost.is_some() && costs[index][number].is_none_or(|old| cost < Some(old)) {
                    costs[index][number] = cost;
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coverage;
    use crate::Syntax;
    use crate::grammars;
    use hcl_lr::ParseOptions;
    use hcl_lr::diagnostic::Severity;
    use hcl_lr::source::Source;

    /// The rule that parses a whole sentence of other rules: a sentence of theirs is one of it.
    const WHOLE: [(&str, Syntax, usize); 26] = [
        ("Bodies", Syntax::Config, 10_000),
        ("Expressions", Syntax::Expression, 10_000),
        ("Templates", Syntax::Template, 10_000),
        ("ConfigFile", Syntax::Config, 200),
        ("Body", Syntax::Config, 200),
        ("Attribute", Syntax::Config, 200),
        ("Block", Syntax::Config, 200),
        ("OneLineBlock", Syntax::Config, 200),
        ("Expression", Syntax::Expression, 200),
        ("ExprTerm", Syntax::Expression, 200),
        ("LiteralValue", Syntax::Expression, 200),
        ("VariableExpr", Syntax::Expression, 200),
        ("TemplateExpr", Syntax::Expression, 200),
        ("tuple", Syntax::Expression, 200),
        ("object", Syntax::Expression, 200),
        ("FunctionCall", Syntax::Expression, 200),
        ("forTupleExpr", Syntax::Expression, 200),
        ("forObjectExpr", Syntax::Expression, 200),
        ("GetAttr", Syntax::Expression, 200),
        ("Index", Syntax::Expression, 200),
        ("attrSplat", Syntax::Expression, 200),
        ("fullSplat", Syntax::Expression, 200),
        ("Operation", Syntax::Expression, 200),
        ("Conditional", Syntax::Expression, 200),
        ("TemplateIf", Syntax::Template, 200),
        ("TemplateFor", Syntax::Template, 200),
    ];

    #[test]
    fn sentences_parse() {
        let grammars = grammars().expect("the grammars");
        let mut problems = Vec::new();
        for (name, syntax, count) in WHOLE {
            let mut generator = Generator::new(&grammars, 1);
            let start = generator.start(name).expect(name);
            for number in 0..count {
                let sentence = generator.sentence(&start);
                let source = Source::new("sentence", sentence.as_str());
                let outcome = syntax.parse(source, &ParseOptions::new());
                let error = outcome.diagnostics().iter().find(|diagnostic| diagnostic.severity() == Severity::Error);
                if let Some(error) = error {
                    problems.push(format!("{name} {number}: {}\n{sentence}", error.summary()));
                }
            }
        }
        let shown = problems.iter().take(20).cloned().collect::<Vec<_>>().join("\n\n");
        assert!(problems.is_empty(), "{} sentences do not parse:\n{shown}", problems.len());
    }

    /// A thousand sentences of the start rules use all that files without errors can use.
    #[test]
    fn sentences_use_every_alternative() {
        let grammars = grammars().expect("the grammars");
        let mut counted = Coverage::new();
        for (name, syntax, _) in WHOLE.into_iter().take(3) {
            let mut generator = Generator::new(&grammars, 2);
            let start = generator.start(name).expect(name);
            for _ in 0..1_000 {
                let sentence = generator.sentence(&start);
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
    fn a_seed_gives_the_same_sentences_and_another_others() {
        let grammars = grammars().expect("the grammars");
        let some = |seed| {
            let mut generator = Generator::new(&grammars, seed);
            let start = generator.start("Expression").expect("a rule");
            (0..20).map(|_| generator.sentence(&start)).collect::<Vec<_>>()
        };
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        let different: HashSet<String> = some(3).into_iter().collect();
        assert!(different.len() >= 15, "{different:?}");
    }

    #[test]
    fn every_name_that_is_offered_has_sentences() {
        let grammars = grammars().expect("the grammars");
        let mut generator = Generator::new(&grammars, 1);
        let names = names(&grammars);
        assert!(names.len() > 50, "{names:?}");
        for name in names {
            let start = generator.start(&name).unwrap_or_else(|| panic!("{name}"));
            let longest = (0..50).map(|_| generator.sentence(&start).len()).max();
            assert!(longest < Some(5_000), "{name}: {longest:?}");
        }
        assert!(generator.start("Nothing").is_none());
    }
}
