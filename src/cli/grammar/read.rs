//! Reads the grammars: of the language of `.lalrpop` files what they use. Actions and types are passed over.
//!
//! Rules with a parameter are made into one rule for each argument, named as LALRPOP names them, and so are `?`,
//! `*` and `+`. Comments count, for they say which production of the specification a rule or an alternative is.

use std::collections::HashSet;

/// A symbol of an alternative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    Terminal(String),
    Rule(String),
}

/// One way in which a rule can be fulfilled.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub symbols: Vec<Symbol>,
    pub line: usize,
    /// What is said above it; an alternative without a comment belongs to the one before it.
    pub comment: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    /// The rule that is given for the parameter, if it has one.
    pub argument: Option<String>,
    /// Whether LALRPOP puts its alternatives in its place.
    pub inline: bool,
    pub line: usize,
    pub comment: String,
    pub alternatives: Vec<Alternative>,
}

/// A grammar file.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub name: &'static str,
    /// The terminals, each with the comment above it.
    pub terminals: Vec<(String, String)>,
    pub rules: Vec<Rule>,
}

impl Grammar {
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// Reads a grammar.
    ///
    /// # Errors
    /// The line and what is wrong with it: it is no grammar, or has more than this reads.
    pub fn read(name: &'static str, text: &str) -> Result<Grammar, String> {
        let tokens = tokens(text).map_err(|why| format!("grammar/{name}.lalrpop:{why}"))?;
        let mut reader = Reader { tokens: &tokens, next: 0 };
        let mut file = FileParts::default();
        let read = reader.file(&mut file).and_then(|()| instances(file));
        let at = || tokens.get(reader.next).or(tokens.last()).map_or(1, |token| token.line);
        let (terminals, rules) = read.map_err(|why| format!("grammar/{name}.lalrpop:{}: {why}", at()))?;
        Ok(Grammar { name, terminals, rules })
    }
}

#[derive(Debug, PartialEq)]
enum Kind {
    Comment(String),
    Word(String),
    Text(String),
    Sign(char),
}

struct Token {
    kind: Kind,
    line: usize,
    /// Whether it stands right after the one before it.
    glued: bool,
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    for (number, mut rest) in (1..).zip(text.lines()) {
        let mut glued = false;
        loop {
            let trimmed = rest.trim_start();
            glued &= trimmed.len() == rest.len();
            rest = trimmed;
            let Some(first) = rest.chars().next() else { break };
            let (kind, length) = if let Some(comment) = rest.strip_prefix("//") {
                (Kind::Comment(comment.strip_prefix(' ').unwrap_or(comment).to_owned()), rest.len())
            } else if first == '"' {
                let end = rest[1..].find('"').ok_or_else(|| format!("{number}: a quote is not closed"))?;
                (Kind::Text(rest[1..=end].to_owned()), end + 2)
            } else if first.is_alphanumeric() || first == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (Kind::Word(rest[..end].to_owned()), end)
            } else {
                (Kind::Sign(first), first.len_utf8())
            };
            tokens.push(Token { kind, line: number, glued });
            rest = &rest[length..];
            glued = true;
        }
    }
    Ok(tokens)
}

/// A symbol as it is written.
#[derive(Clone, Debug)]
struct Written {
    name: String,
    terminal: bool,
    argument: Option<String>,
    quantifier: Option<char>,
}

#[derive(Clone, Debug)]
struct WrittenRule {
    name: String,
    parameter: Option<String>,
    inline: bool,
    line: usize,
    comment: String,
    alternatives: Vec<(Vec<Written>, usize, Option<String>)>,
}

#[derive(Default)]
struct FileParts {
    terminals: Vec<(String, String)>,
    rules: Vec<WrittenRule>,
}

struct Reader<'t> {
    tokens: &'t [Token],
    next: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t Kind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    fn is(&self, sign: char) -> bool {
        self.peek() == Some(&Kind::Sign(sign))
    }

    fn line(&self) -> usize {
        self.tokens.get(self.next).map_or(0, |token| token.line)
    }

    fn take(&mut self, sign: char) -> Result<(), String> {
        if !self.is(sign) {
            return Err(format!("`{sign}` is expected"));
        }
        self.next += 1;
        Ok(())
    }

    fn word(&mut self) -> Result<String, String> {
        let Some(Kind::Word(word)) = self.peek() else { return Err("a name is expected".to_owned()) };
        self.next += 1;
        Ok(word.clone())
    }

    /// The comments from here on, and whether there are any.
    fn comments(&mut self) -> Option<String> {
        let mut text = None;
        while let Some(Kind::Comment(line)) = self.peek() {
            let text = text.get_or_insert_with(String::new);
            *text += line;
            text.push('\n');
            self.next += 1;
        }
        text
    }

    /// Passes over all up to one of these signs outside of brackets.
    fn skip_to(&mut self, ends: &[char]) -> Result<(), String> {
        let mut depth = 0;
        while let Some(kind) = self.peek() {
            match kind {
                Kind::Sign(sign) if depth == 0 && ends.contains(sign) => return Ok(()),
                Kind::Sign('(' | '[' | '{') => depth += 1,
                Kind::Sign(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            self.next += 1;
        }
        Err("the file ends too early".to_owned())
    }

    fn file(&mut self, file: &mut FileParts) -> Result<(), String> {
        loop {
            let comment = self.comments().unwrap_or_default();
            let Some(kind) = self.peek() else { return Ok(()) };
            match kind {
                Kind::Word(word) if word == "use" || word == "grammar" => {
                    self.skip_to(&[';'])?;
                    self.next += 1;
                }
                Kind::Word(word) if word == "extern" => {
                    self.skip_to(&['{'])?;
                    self.next += 1;
                    self.externs(file)?;
                }
                _ => {
                    let rule = self.rule(comment)?;
                    file.rules.push(rule);
                }
            }
        }
    }

    fn externs(&mut self, file: &mut FileParts) -> Result<(), String> {
        while !self.is('}') {
            self.comments();
            if self.word()? == "type" {
                self.skip_to(&[';'])?;
                self.next += 1;
                continue;
            }
            self.skip_to(&['{'])?;
            self.next += 1;
            loop {
                let comment = self.comments().unwrap_or_default();
                if self.is('}') {
                    break;
                }
                let Some(Kind::Text(terminal)) = self.peek() else { return Err("a terminal is expected".to_owned()) };
                file.terminals.push((terminal.clone(), comment));
                self.skip_to(&[',', '}'])?;
                if self.is(',') {
                    self.next += 1;
                }
            }
            self.take('}')?;
        }
        self.take('}')
    }

    fn rule(&mut self, comment: String) -> Result<WrittenRule, String> {
        let mut inline = false;
        while self.is('#') {
            self.next += 2;
            inline |= self.word()? == "inline";
            self.skip_to(&[']'])?;
            self.next += 1;
        }
        let line = self.line();
        let mut name = self.word()?;
        if name == "pub" {
            name = self.word()?;
        }
        let parameter = if self.is('<') {
            self.next += 1;
            let parameter = self.word()?;
            self.take('>')?;
            Some(parameter)
        } else {
            None
        };
        self.take(':')?;
        self.skip_to(&['='])?;
        self.next += 1;
        let mut alternatives = Vec::new();
        if self.is('{') {
            self.next += 1;
            loop {
                let comment = self.comments();
                if self.is('}') {
                    self.next += 1;
                    break;
                }
                alternatives.push(self.alternative(comment, &[',', '}'])?);
                if self.is(',') {
                    self.next += 1;
                }
            }
        } else {
            alternatives.push(self.alternative(None, &[';'])?);
        }
        if self.is(';') {
            self.next += 1;
        }
        Ok(WrittenRule { name, parameter, inline, line, comment, alternatives })
    }

    fn alternative(
        &mut self,
        comment: Option<String>,
        ends: &[char],
    ) -> Result<(Vec<Written>, usize, Option<String>), String> {
        let line = self.line();
        let mut symbols = Vec::new();
        loop {
            match self.peek() {
                Some(Kind::Sign('=')) => {
                    self.skip_to(ends)?;
                    return Ok((symbols, line, comment));
                }
                Some(Kind::Sign(sign)) if ends.contains(sign) => return Ok((symbols, line, comment)),
                Some(Kind::Sign('<')) => {
                    self.next += 1;
                    if matches!(self.tokens.get(self.next + 1), Some(Token { kind: Kind::Sign(':'), .. })) {
                        self.next += 2;
                    }
                    symbols.push(self.symbol()?);
                    self.take('>')?;
                }
                _ => symbols.push(self.symbol()?),
            }
        }
    }

    fn symbol(&mut self) -> Result<Written, String> {
        let mut symbol = match self.peek() {
            Some(Kind::Text(text)) => {
                self.next += 1;
                Written { name: text.clone(), terminal: true, argument: None, quantifier: None }
            }
            Some(Kind::Word(_)) => Written { name: self.word()?, terminal: false, argument: None, quantifier: None },
            _ => return Err("a terminal or the name of a rule is expected".to_owned()),
        };
        let glued = |reader: &Self| reader.tokens.get(reader.next).is_some_and(|token| token.glued);
        if !symbol.terminal && self.is('<') && glued(self) {
            self.next += 1;
            symbol.argument = Some(self.word()?);
            self.take('>')?;
        }
        if let Some(Kind::Sign(sign @ ('?' | '*' | '+'))) = self.peek() {
            symbol.quantifier = Some(*sign);
            self.next += 1;
        }
        Ok(symbol)
    }
}

type Parts = (Vec<(String, String)>, Vec<Rule>);

/// Makes rules of what is written: those without a parameter, and of the others what is asked for.
fn instances(file: FileParts) -> Result<Parts, String> {
    let FileParts { terminals, rules: written } = file;
    let known: HashSet<&str> = terminals.iter().map(|(name, _)| name.as_str()).collect();
    // What is to be made: the rule and its argument. Quantified symbols become rules on the way.
    let mut waiting: Vec<(usize, Option<String>)> = Vec::new();
    waiting.extend(written.iter().enumerate().filter(|(_, rule)| rule.parameter.is_none()).map(|(at, _)| (at, None)));
    let mut made: HashSet<String> = HashSet::new();
    let mut rules: Vec<(usize, Rule)> = Vec::new();
    let mut at = 0;
    while let Some((index, argument)) = waiting.get(at).cloned() {
        at += 1;
        let rule = &written[index];
        let name = full_name(&rule.name, argument.as_deref());
        if !made.insert(name.clone()) {
            continue;
        }
        let mut alternatives = Vec::new();
        for (symbols, line, comment) in &rule.alternatives {
            let mut resolved = Vec::new();
            for symbol in symbols {
                let replaced = |name: &String| match &argument {
                    Some(argument) if rule.parameter.as_ref() == Some(name) => argument.clone(),
                    _ => name.clone(),
                };
                let (own, given) = (replaced(&symbol.name), symbol.argument.as_ref().map(replaced));
                let plain = if symbol.terminal {
                    if !known.contains(symbol.name.as_str()) {
                        return Err(format!("there is no terminal \"{}\"", symbol.name));
                    }
                    Symbol::Terminal(symbol.name.clone())
                } else {
                    let target = written.iter().position(|rule| rule.name == own);
                    let target = target.ok_or_else(|| format!("there is no rule `{own}`"))?;
                    if written[target].parameter.is_some() != given.is_some() {
                        return Err(format!("the rule `{own}` has another number of parameters"));
                    }
                    waiting.push((target, given.clone()));
                    Symbol::Rule(full_name(&own, given.as_deref()))
                };
                resolved.push(match symbol.quantifier {
                    None => plain,
                    Some(sign) => quantified(plain, sign, index, *line, &mut made, &mut rules),
                });
            }
            alternatives.push(Alternative { symbols: resolved, line: *line, comment: comment.clone() });
        }
        let (inline, line, comment) = (rule.inline, rule.line, rule.comment.clone());
        rules.push((index, Rule { name, argument, inline, line, comment, alternatives }));
    }
    rules.sort_by_key(|(index, _)| *index);
    Ok((terminals, rules.into_iter().map(|(_, rule)| rule).collect()))
}

fn full_name(name: &str, argument: Option<&str>) -> String {
    argument.map_or_else(|| name.to_owned(), |argument| format!("{name}<{argument}>"))
}

/// The rule that LALRPOP makes of a quantifier.
fn quantified(
    symbol: Symbol,
    sign: char,
    index: usize,
    line: usize,
    made: &mut HashSet<String>,
    rules: &mut Vec<(usize, Rule)>,
) -> Symbol {
    let (Symbol::Rule(inner) | Symbol::Terminal(inner)) = &symbol;
    let inner = if matches!(symbol, Symbol::Terminal(_)) { format!("\"{inner}\"") } else { inner.clone() };
    let name = format!("{inner}{sign}");
    if made.insert(name.clone()) {
        let some = Symbol::Rule(format!("{inner}+"));
        let alternatives = match sign {
            '?' => vec![vec![], vec![symbol]],
            '*' => vec![vec![], vec![quantified(symbol, '+', index, line, made, rules)]],
            _ => vec![vec![symbol.clone()], vec![some, symbol]],
        };
        let alternative = |symbols| Alternative { symbols, line, comment: None };
        let alternatives = alternatives.into_iter().map(alternative).collect();
        let (inline, comment) = (sign != '+', String::new());
        rules.push((index, Rule { name: name.clone(), argument: None, inline, line, comment, alternatives }));
    }
    Symbol::Rule(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Grammar, String> {
        Grammar::read("body", text)
    }

    const HEAD: &str = "grammar<'a>(b: &'a mut B<'a>);\nextern {\n  type Error = ();\n  enum T {\n    \"a\" => T::A(<X>),\n    // B is the second.\n    \"b\" => T::B,\n  }\n}\n";

    #[test]
    fn rules_parameters_and_quantifiers_are_read() {
        let text = format!(
            "{HEAD}// All.\npub All: X = {{ => f(1, [2]), <x:\"a\"> <All> => g(x) }};\n#[inline]\nPair<P>: () = \"b\" P*;\nTwo: () = {{\n  // One.\n  Pair<All>,\n  \"a\"? \"b\"\n}};\n"
        );
        let grammar = read(&text).expect("it is read");
        assert_eq!(grammar.terminals[1], ("b".to_owned(), "B is the second.\n".to_owned()));
        let shown: Vec<String> =
            grammar.rules.iter().map(|rule| format!("{} {}", rule.name, rule.alternatives.len())).collect();
        assert_eq!(shown, ["All 2", "All+ 2", "All* 2", "Pair<All> 1", "\"a\"? 2", "Two 2"]);
        let pair = grammar.rule("Pair<All>").expect("the rule");
        assert!(pair.inline);
        assert_eq!(pair.alternatives[0].symbols, [Symbol::Terminal("b".to_owned()), Symbol::Rule("All*".to_owned())]);
        let two = grammar.rule("Two").expect("the rule");
        assert_eq!(two.alternatives[0].comment.as_deref(), Some("One.\n"));
        assert_eq!(two.alternatives[1].comment, None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, wrong) in [
            ("A: () = B;\n", "there is no rule `B`"),
            ("A: () = \"c\";\n", "there is no terminal \"c\""),
            ("A: () = \"c;\n", "a quote is not closed"),
            ("A<P>: () = P;\nB: () = A;\n", "another number of parameters"),
            ("A: () = (\"a\");\n", "a terminal or the name of a rule is expected"),
            ("A () = \"a\";\n", "`:` is expected"),
            ("A: () = { \"a\"", "a terminal or the name of a rule is expected"),
        ] {
            let error = read(&format!("{HEAD}{text}")).expect_err(text);
            assert!(error.starts_with("grammar/body.lalrpop:1") && error.ends_with(wrong), "{text}: {error}");
        }
    }
}
