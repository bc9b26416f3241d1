//! Reads the grammars: the subset of `.lalrpop` syntax that they use. Actions and types are skipped.
//!
//! Rules with a parameter become one rule for each argument, named like LALRPOP names them; so do groups in
//! parentheses, `?`, `*` and `+`. Comments matter, because they name the production of the specification for a rule or
//! an alternative.

use std::collections::HashSet;

/// A symbol of an alternative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A terminal, without its quotes.
    Terminal(String),
    /// A rule.
    Rule(String),
}

impl Symbol {
    /// Returns the symbol in grammar notation.
    pub fn shown(&self) -> String {
        match self {
            Symbol::Terminal(terminal) => format!("\"{terminal}\""),
            Symbol::Rule(rule) => rule.clone(),
        }
    }
}

/// One way in which a rule can be fulfilled.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The symbols, in order.
    pub symbols: Vec<Symbol>,
    /// The line in the file, from 1.
    pub line: usize,
    /// The index among the alternatives in the grammar file, which the parsers count. An alternative generated for a
    /// group or quantifier has none.
    pub number: Option<usize>,
    /// The comment above it; an alternative without a comment belongs to the one before it.
    pub comment: Option<String>,
}

/// A rule of a grammar.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name, with the argument of an instance.
    pub name: String,
    /// The rule that is given for the parameter, if it has one.
    pub argument: Option<String>,
    /// True if LALRPOP puts its alternatives in its place.
    pub inline: bool,
    /// True if a parser begins with it.
    pub public: bool,
    /// The line in the file, from 1.
    pub line: usize,
    /// The comment above it.
    pub comment: String,
    /// The alternatives, in order.
    pub alternatives: Vec<Alternative>,
}

/// A grammar file.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The name of its file, such as `expression`.
    pub name: &'static str,
    /// The terminals, each with the comment above it.
    pub terminals: Vec<(String, String)>,
    /// The rules, in their order.
    pub rules: Vec<Rule>,
}

impl Grammar {
    /// The rule of a name.
    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// Reads a grammar.
    ///
    /// # Errors
    /// The line and the error: the text is not a grammar, or uses unsupported syntax.
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
    /// True if it follows the one before it without a space.
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

/// A symbol as in the file.
#[derive(Clone, Debug, Default)]
struct Written {
    name: String,
    terminal: bool,
    /// The symbols of a group in parentheses, which has no name.
    group: Vec<Written>,
    argument: Option<String>,
    quantifier: Option<char>,
}

#[derive(Clone, Debug)]
struct WrittenRule {
    name: String,
    parameter: Option<String>,
    inline: bool,
    public: bool,
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
        let public = name == "pub";
        if public {
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
        Ok(WrittenRule { name, parameter, inline, public, line, comment, alternatives })
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
                _ => symbols.push(self.selected()?),
            }
        }
    }

    /// Reads a symbol that may be selected with angle brackets, perhaps under a name.
    fn selected(&mut self) -> Result<Written, String> {
        if !self.is('<') {
            return self.symbol();
        }
        self.next += 1;
        if matches!(self.tokens.get(self.next + 1), Some(Token { kind: Kind::Sign(':'), .. })) {
            self.next += 2;
        }
        let symbol = self.symbol()?;
        self.take('>')?;
        Ok(symbol)
    }

    fn symbol(&mut self) -> Result<Written, String> {
        let mut symbol = match self.peek() {
            Some(Kind::Text(text)) => {
                self.next += 1;
                Written { name: text.clone(), terminal: true, ..Written::default() }
            }
            Some(Kind::Sign('(')) => {
                self.next += 1;
                let mut group = Vec::new();
                while !self.is(')') {
                    group.push(self.selected()?);
                }
                self.next += 1;
                Written { group, ..Written::default() }
            }
            Some(Kind::Word(_)) => Written { name: self.word()?, ..Written::default() },
            _ => return Err("a terminal or the name of a rule is expected".to_owned()),
        };
        let glued = |reader: &Self| reader.tokens.get(reader.next).is_some_and(|token| token.glued);
        if !symbol.name.is_empty() && !symbol.terminal && self.is('<') && glued(self) {
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

/// Instantiates the rules: those without a parameter, and the requested instances of the others.
fn instances(file: FileParts) -> Result<Parts, String> {
    let FileParts { terminals, rules: written } = file;
    let known: HashSet<&str> = terminals.iter().map(|(name, _)| name.as_str()).collect();
    // The rules to make, each with its argument. Quantified symbols become rules on the way.
    let mut waiting: Vec<(usize, Option<String>)> = Vec::new();
    waiting.extend(written.iter().enumerate().filter(|(_, rule)| rule.parameter.is_none()).map(|(at, _)| (at, None)));
    let mut made: HashSet<String> = HashSet::new();
    let mut rules: Vec<(usize, Rule)> = Vec::new();
    let mut at = 0;
    let first_of = |index: usize| written[..index].iter().map(|rule| rule.alternatives.len()).sum::<usize>();
    while let Some((index, argument)) = waiting.get(at).cloned() {
        at += 1;
        let rule = &written[index];
        let name = full_name(&rule.name, argument.as_deref());
        if !made.insert(name.clone()) {
            continue;
        }
        let mut alternatives = Vec::new();
        for (number, (symbols, line, comment)) in (first_of(index)..).zip(&rule.alternatives) {
            let mut making = Making {
                written: &written,
                known: &known,
                index,
                argument: argument.as_deref(),
                line: *line,
                waiting: &mut waiting,
                made: &mut made,
                rules: &mut rules,
            };
            let symbols = making.symbols(symbols)?;
            alternatives.push(Alternative { symbols, line: *line, number: Some(number), comment: comment.clone() });
        }
        let (inline, public, line, comment) = (rule.inline, rule.public, rule.line, rule.comment.clone());
        rules.push((index, Rule { name, argument, inline, public, line, comment, alternatives }));
    }
    rules.sort_by_key(|(index, _)| *index);
    Ok((terminals, rules.into_iter().map(|(_, rule)| rule).collect()))
}

/// The making of the symbols of one alternative, with the rules that they need.
struct Making<'w, 't> {
    written: &'w [WrittenRule],
    known: &'w HashSet<&'t str>,
    /// The rule that the alternative is in, and the argument for its parameter.
    index: usize,
    argument: Option<&'w str>,
    line: usize,
    waiting: &'w mut Vec<(usize, Option<String>)>,
    made: &'w mut HashSet<String>,
    rules: &'w mut Vec<(usize, Rule)>,
}

impl Making<'_, '_> {
    fn symbols(&mut self, symbols: &[Written]) -> Result<Vec<Symbol>, String> {
        symbols.iter().map(|symbol| self.symbol(symbol)).collect()
    }

    fn symbol(&mut self, symbol: &Written) -> Result<Symbol, String> {
        let parameter = self.written[self.index].parameter.as_ref();
        let replaced = |name: &String| match self.argument {
            Some(argument) if parameter == Some(name) => argument.to_owned(),
            _ => name.clone(),
        };
        let plain = if symbol.terminal {
            if !self.known.contains(symbol.name.as_str()) {
                return Err(format!("there is no terminal \"{}\"", symbol.name));
            }
            Symbol::Terminal(symbol.name.clone())
        } else if symbol.name.is_empty() {
            let symbols = self.symbols(&symbol.group)?;
            let shown: Vec<String> = symbols.iter().map(Symbol::shown).collect();
            self.rule(format!("({})", shown.join(" ")), true, vec![symbols])
        } else {
            let (own, given) = (replaced(&symbol.name), symbol.argument.as_ref().map(replaced));
            let target = self.written.iter().position(|rule| rule.name == own);
            let target = target.ok_or_else(|| format!("there is no rule `{own}`"))?;
            if self.written[target].parameter.is_some() != given.is_some() {
                return Err(format!("the rule `{own}` has another number of parameters"));
            }
            self.waiting.push((target, given.clone()));
            Symbol::Rule(full_name(&own, given.as_deref()))
        };
        Ok(match symbol.quantifier {
            None => plain,
            Some(sign) => self.quantified(plain, sign),
        })
    }

    /// The rule that LALRPOP makes of a quantifier.
    fn quantified(&mut self, symbol: Symbol, sign: char) -> Symbol {
        let inner = symbol.shown();
        let alternatives = match sign {
            '?' => vec![vec![], vec![symbol]],
            '*' => vec![vec![], vec![self.quantified(symbol, '+')]],
            _ => vec![vec![symbol.clone()], vec![Symbol::Rule(format!("{inner}+")), symbol]],
        };
        self.rule(format!("{inner}{sign}"), sign != '+', alternatives)
    }

    /// A rule that is not written in the grammar.
    fn rule(&mut self, name: String, inline: bool, alternatives: Vec<Vec<Symbol>>) -> Symbol {
        if self.made.insert(name.clone()) {
            let line = self.line;
            let alternative = |symbols| Alternative { symbols, line, number: None, comment: None };
            let alternatives = alternatives.into_iter().map(alternative).collect();
            let (name, comment) = (name.clone(), String::new());
            let rule = Rule { name, argument: None, inline, public: false, line, comment, alternatives };
            self.rules.push((self.index, rule));
        }
        Symbol::Rule(name)
    }
}

fn full_name(name: &str, argument: Option<&str>) -> String {
    argument.map_or_else(|| name.to_owned(), |argument| format!("{name}<{argument}>"))
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
    fn groups_are_rules() {
        let text = format!("{HEAD}Name: X = {{ <\"a\"> (\"b\" <x:\"a\">)*, <\"b\"> => y() }};\n");
        let grammar = read(&text).expect("it is read");
        let shown: Vec<(&str, bool)> = grammar.rules.iter().map(|rule| (rule.name.as_str(), rule.inline)).collect();
        let group = "(\"b\" \"a\")";
        let (some, any) = (format!("{group}+"), format!("{group}*"));
        assert_eq!(shown, [(group, true), (&*some, false), (&*any, true), ("Name", false)]);
        let name = grammar.rule("Name").expect("the rule");
        assert_eq!(name.alternatives[0].symbols, [Symbol::Terminal("a".to_owned()), Symbol::Rule(any.clone())]);
        let numbers: Vec<Option<usize>> = name.alternatives.iter().map(|alternative| alternative.number).collect();
        assert_eq!(numbers, [Some(0), Some(1)]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, wrong) in [
            ("A: () = B;\n", "there is no rule `B`"),
            ("A: () = \"c\";\n", "there is no terminal \"c\""),
            ("A: () = \"c;\n", "a quote is not closed"),
            ("A<P>: () = P;\nB: () = A;\n", "another number of parameters"),
            ("A: () = (\"a\";\n", "a terminal or the name of a rule is expected"),
            ("A () = \"a\";\n", "`:` is expected"),
            ("A: () = { \"a\"", "a terminal or the name of a rule is expected"),
        ] {
            let error = read(&format!("{HEAD}{text}")).expect_err(text);
            assert!(error.starts_with("grammar/body.lalrpop:1") && error.ends_with(wrong), "{text}: {error}");
        }
    }
}
