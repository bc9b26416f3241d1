//! Converts the rules of the grammars to productions in the notation of the specification.
//!
//! A rule or alternative below a production of the specification gets its name. Helper rules are inlined,
//! left-recursive lists become repetitions, and whatever exists only for the parser is left out.

use crate::notation::{Notation, Production, productions};
use hcl_lr::syntax::ast::{BinaryOperator, UnaryOperator};
use hcl_lr_grammar_check::{Grammar, Rule, Symbol};

/// The productions of the lexer, and how it filters tokens.
pub const LEXER: &str = include_str!("lexer.ebnf");
/// The productions of the JSON syntax.
pub const JSON: &str = include_str!("json.ebnf");

/// Terminals without a text, or with a text that other terminals cover.
pub const ARTEFACTS: [(&str, &str); 6] = [
    ("separator", "stands before each region in a run of the parser"),
    ("traversal", "a name with accesses, which are read one by one as well"),
    ("bad item", "a line that could not be parsed"),
    ("bad end", "a last line that could not be parsed"),
    ("bad expression", "a piece that could not be parsed"),
    ("bad element", "an element that could not be parsed"),
];

/// The text of each terminal that differs from its name: the grammar, the terminal, the notation.
const TERMINALS: [(&str, &str, &str); 22] = [
    ("body", "newline", "Newline"),
    ("body", "identifier", "Identifier"),
    ("body", "string", "StringLit"),
    ("body", "= expression", "\"=\" Expression"),
    ("body", "{ body }", "\"{\" Newline Body \"}\""),
    ("expression", "newline", "Newline"),
    ("expression", "literal", "NumericLit | \"true\" | \"false\" | \"null\""),
    ("expression", "template", "quotedTemplate | heredocTemplate"),
    ("expression", "identifier", "Identifier"),
    ("expression", ".name", "\".\" Identifier"),
    ("expression", ".0", "\".\" decimal+"),
    ("expression", ".*", "\".\" \"*\""),
    ("expression", "[*]", "\"[\" \"*\" \"]\""),
    ("template", "literal", "TemplateLiteral"),
    ("template", "${ }", "(\"${\" | \"${~\") Expression (\"}\" | \"~}\")"),
    ("template", "%{ if }", "(\"%{\" | \"%{~\") \"if\" Expression (\"}\" | \"~}\")"),
    ("template", "%{ else }", "(\"%{\" | \"%{~\") \"else\" (\"}\" | \"~}\")"),
    ("template", "%{ endif }", "(\"%{\" | \"%{~\") \"endif\" (\"}\" | \"~}\")"),
    ("template", "%{ for", "(\"%{\" | \"%{~\") \"for\""),
    ("template", "%{ endfor }", "(\"%{\" | \"%{~\") \"endfor\" (\"}\" | \"~}\")"),
    ("template", "identifier", "Identifier"),
    ("template", "in }", "\"in\" Expression (\"}\" | \"~}\")"),
];

pub fn is_artefact(terminal: &str) -> bool {
    ARTEFACTS.iter().any(|(artefact, _)| *artefact == terminal)
}

/// Returns the notation of a terminal; `None` if it is an artefact.
fn spelled(grammar: &Grammar, terminal: &str) -> Option<Notation> {
    if is_artefact(terminal) {
        return None;
    }
    if grammar.name == "expression" && ["operator", "!", "postfix"].contains(&terminal) {
        let binary = BinaryOperator::ALL.iter().filter(|_| terminal == "operator").map(|operator| operator.as_str());
        let is_unary =
            |operator: &&UnaryOperator| terminal != "operator" && operator.is_after() == (terminal == "postfix");
        let unary = UnaryOperator::ALL.iter().filter(is_unary).map(|operator| operator.as_str());
        // Operators that are terminals of their own are not part of it.
        let is_own = |text: &&str| *text == terminal || !grammar.terminals.iter().any(|(own, _)| own == text);
        let texts = binary.chain(unary).filter(is_own).map(|text| Notation::Text(text.to_owned()));
        return Some(Notation::choice(texts.collect()));
    }
    let row = TERMINALS.iter().find(|(own, name, _)| *own == grammar.name && *name == terminal);
    let notation = row.and_then(|(_, _, notation)| Notation::read(notation).ok());
    Some(notation.unwrap_or_else(|| Notation::Text(terminal.to_owned())))
}

/// A production with its origin.
#[derive(Clone, Debug)]
pub struct Definition {
    pub production: Production,
    pub grammar: &'static str,
    /// The rule, and which of its alternatives.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests compare it with what the parsers count"))]
    pub rule: String,
    #[cfg_attr(not(test), allow(dead_code, reason = "tests compare it with what the parsers count"))]
    pub alternatives: Vec<usize>,
    pub line: usize,
    /// True if the specification has a production of that name.
    pub specified: bool,
    /// True if it may be inlined.
    transparent: bool,
}

/// The productions of a grammar, in the order of its file.
pub fn definitions(grammar: &Grammar) -> Vec<Definition> {
    let mut all: Vec<Definition> = Vec::new();
    for rule in &grammar.rules {
        for definition in of_rule(grammar, rule) {
            if all.iter().all(|other| other.production.name != definition.production.name) {
                all.push(definition);
            }
        }
    }
    put_in_place(&mut all, |definition, _| definition.transparent);
    put_in_place(&mut all, |definition, all| !definition.specified && !reaches_itself(definition, all));
    fold(&mut all);
    put_in_place(&mut all, |definition, all| !definition.specified && is_used_once(definition, all));
    for definition in &mut all {
        let name = definition.production.name.clone();
        definition.production.is = without_left_recursion(&name, definition.production.is.clone());
    }
    let optional: Vec<String> = all
        .iter()
        .filter(|definition| matches!(definition.production.is, Notation::Optional(_)))
        .map(|definition| definition.production.name.clone())
        .collect();
    for definition in &mut all {
        let mut is = definition.production.is.clone();
        if let Notation::Optional(inner) = is {
            is = *inner;
        }
        is = is.replaced(&|name| {
            let name = optional.iter().find(|optional| *optional == name)?;
            Some(Notation::Optional(Box::new(Notation::Name(name.clone()))))
        });
        definition.production.is = simplest(is.replaced(&|name| display(grammar, name).map(Notation::Name)));
        if let Some(name) = display(grammar, &definition.production.name) {
            definition.production.name = name;
        }
    }
    all.sort_by_key(|definition| definition.line);
    all
}

/// Returns the productions of the lexer, which precede terminals, as prose where the specification uses prose.
pub fn lexical(grammars: &[Grammar]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (_, comment) in grammars.iter().flat_map(|grammar| &grammar.terminals) {
        for (name, is) in productions(comment) {
            if all.iter().all(|(other, _)| *other != name) {
                all.push((name, is));
            }
        }
    }
    all
}

/// The name that the specification has for a rule: one above it, in other letters perhaps.
fn display(grammar: &Grammar, rule: &str) -> Option<String> {
    let comment = &grammar.rule(rule)?.comment;
    productions(comment).into_iter().map(|(name, _)| name).find(|name| name.eq_ignore_ascii_case(rule))
}

/// A rule with the productions that its alternatives are.
fn of_rule(grammar: &Grammar, rule: &Rule) -> Vec<Definition> {
    let above = productions(&rule.comment);
    let define = |name: &str, is: Notation, alternatives: Vec<usize>, line: usize, specified: bool| Definition {
        production: Production { name: name.to_owned(), is: simplest(written(grammar, &simplest(is))) },
        grammar: grammar.name,
        rule: rule.name.clone(),
        alternatives,
        line,
        specified,
        transparent: false,
    };
    let separator = Symbol::Terminal("separator".to_owned());
    if let Some(region) = rule.alternatives.iter().find_map(|alternative| {
        let at = alternative.symbols.iter().position(|symbol| *symbol == separator)?;
        alternative.symbols.get(at + 1)
    }) {
        // For a run over regions, only the region counts.
        let [(name, _), ..] = above.as_slice() else { return Vec::new() };
        let Some(is) = notation(grammar, region) else { return Vec::new() };
        return vec![define(name, is, Vec::new(), rule.line, true)];
    }
    let mut definitions: Vec<Definition> = Vec::new();
    let mut parts: Vec<Notation> = Vec::new();
    let mut group: Option<(String, Vec<Notation>, Vec<usize>, usize)> = None;
    let mut groups = Vec::new();
    for (index, alternative) in rule.alternatives.iter().enumerate() {
        if let Some(comment) = &alternative.comment {
            groups.extend(group.take());
            let name = productions(comment).into_iter().map(|(name, _)| name).next();
            group = name.map(|name| (name, Vec::new(), Vec::new(), alternative.line));
        }
        let symbols: Option<Vec<Notation>> =
            alternative.symbols.iter().map(|symbol| notation(grammar, symbol)).collect();
        let Some(mut symbols) = symbols else { continue };
        let Some((name, members, indexes, _)) = &mut group else {
            parts.push(Notation::sequence(symbols));
            continue;
        };
        indexes.push(index);
        // The production is about the parameter and the symbols after it.
        let operand = rule.argument.as_ref().map(|argument| Notation::Name(argument.clone()));
        let mut part = vec![Notation::Name(name.clone())];
        if operand.is_some() && symbols.first() == operand.as_ref() {
            part.insert(0, symbols.remove(0));
        }
        members.push(Notation::sequence(symbols));
        let part = Notation::sequence(part);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    groups.extend(group);
    for (name, members, indexes, line) in groups.into_iter().filter(|(_, members, ..)| !members.is_empty()) {
        definitions.push(define(&name, Notation::choice(members), indexes, line, true));
    }
    let specified = display(grammar, &rule.name).is_some();
    if let ([(name, _)], false) = (above.as_slice(), specified)
        && let Some((element, list)) = list(&rule.name, name, &parts)
    {
        definitions.push(define(name, element, (0..rule.alternatives.len()).collect(), rule.line, true));
        parts = list;
    }
    let is = without_left_recursion(&rule.name, Notation::choice(parts));
    let mut whole = define(&rule.name, is, (0..rule.alternatives.len()).collect(), rule.line, specified);
    whole.transparent = !specified && (rule.inline || !rule.name.chars().all(char::is_alphanumeric));
    definitions.insert(0, whole);
    definitions
}

fn notation(grammar: &Grammar, symbol: &Symbol) -> Option<Notation> {
    match symbol {
        // A single symbol for now, because alternatives share whole terminals.
        Symbol::Terminal(terminal) => spelled(grammar, terminal).map(|_| Notation::Name(format!("\"{terminal}\""))),
        Symbol::Rule(rule) => Some(Notation::Name(rule.clone())),
    }
}

/// Returns the notation with terminals replaced by their text.
fn written(grammar: &Grammar, is: &Notation) -> Notation {
    is.replaced(&|name| spelled(grammar, name.strip_prefix('"')?.strip_suffix('"')?))
}

/// Returns the element of `Rule = Element | Rule Separator Element`, and the same with a name for it.
fn list(rule: &str, name: &str, parts: &[Notation]) -> Option<(Notation, Vec<Notation>)> {
    let [Notation::Sequence(element), Notation::Sequence(more)] = parts else { return None };
    let before = more.strip_suffix(element.as_slice())?;
    if before.first() != Some(&Notation::Name(rule.to_owned())) {
        return None;
    }
    let named = Notation::Name(name.to_owned());
    let mut more = before.to_vec();
    more.push(named.clone());
    Some((Notation::Sequence(element.clone()), vec![named, Notation::Sequence(more)]))
}

/// Simplifies as far as possible.
fn simplest(mut is: Notation) -> Notation {
    // Each step makes it smaller.
    loop {
        let next = is.clone().simplified();
        if next == is {
            return is;
        }
        is = next;
    }
}

/// `X = A | X B` is `A B*`.
fn without_left_recursion(name: &str, is: Notation) -> Notation {
    let (parts, optional) = match is {
        Notation::Choice(parts) => (parts, false),
        Notation::Optional(inner) => match *inner {
            Notation::Choice(parts) => (parts, true),
            part => (vec![part], true),
        },
        is => (vec![is], false),
    };
    let own = Notation::Name(name.to_owned());
    let (mut starts, mut tails) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Notation::Sequence(symbols) if symbols.first() == Some(&own) => {
                tails.push(Notation::sequence(symbols[1..].to_vec()));
            }
            part => starts.push(part),
        }
    }
    if optional {
        starts.push(Notation::EMPTY);
    }
    let start = Notation::choice(starts);
    if tails.is_empty() {
        return start;
    }
    simplest(Notation::sequence(vec![start, Notation::Repeat(Box::new(Notation::choice(tails)))]))
}

/// Puts definitions in place of their names, as long as there are some that may be.
fn put_in_place(all: &mut Vec<Definition>, may: impl Fn(&Definition, &[Definition]) -> bool) {
    while let Some(index) = all.iter().position(|definition| may(definition, all)) {
        let gone = all.remove(index);
        for definition in all.iter_mut() {
            let is = definition
                .production
                .is
                .replaced(&|name| (name == gone.production.name).then(|| gone.production.is.clone()));
            let name = definition.production.name.clone();
            definition.production.is = without_left_recursion(&name, simplest(is));
        }
    }
}

/// Returns true if a definition is recursive without a definition in between that has a name in the specification.
fn reaches_itself(definition: &Definition, all: &[Definition]) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut waiting = definition.production.is.names();
    while let Some(name) = waiting.pop() {
        if name == definition.production.name {
            return true;
        }
        let next = all.iter().find(|other| other.production.name == name && !other.specified);
        if let Some(next) = next.filter(|_| !seen.contains(&name)) {
            seen.push(&next.production.name);
            waiting.extend(next.production.is.names());
        }
    }
    false
}

fn is_used_once(definition: &Definition, all: &[Definition]) -> bool {
    let name = definition.production.name.as_str();
    let users =
        all.iter().map(|other| (other, other.production.is.names().iter().filter(|used| **used == name).count()));
    let users: Vec<_> = users.filter(|(_, count)| *count > 0).collect();
    matches!(users.as_slice(), [(user, 1)] if user.production.name != name)
}

/// Merges definitions: if another definition has all alternatives of one, the name replaces them.
fn fold(all: &mut [Definition]) {
    let alternatives = |definition: &Definition| match &definition.production.is {
        Notation::Choice(parts) => parts.clone(),
        _ => Vec::new(),
    };
    let lists: Vec<(String, Vec<Notation>)> =
        all.iter().map(|definition| (definition.production.name.clone(), alternatives(definition))).collect();
    for definition in all.iter_mut() {
        let own = alternatives(definition);
        let within = lists
            .iter()
            .filter(|(_, list)| list.len() > 1 && list.len() < own.len() && list.iter().all(|part| own.contains(part)));
        if let Some((name, largest)) = within.max_by_key(|(_, list)| list.len()) {
            let rest = own.iter().filter(|part| !largest.contains(part)).cloned();
            let parts = std::iter::once(Notation::Name(name.clone())).chain(rest).collect();
            definition.production.is = Notation::choice(parts);
        }
    }
}

/// All productions, as text.
pub fn printed(grammars: &[Grammar]) -> String {
    let mut text = String::new();
    for grammar in grammars {
        text += &format!("(* grammar/{}.lalrpop *)\n\n", grammar.name);
        for definition in definitions(grammar) {
            text += &format!("{}\n", definition.production);
        }
        text.push('\n');
    }
    text += &format!(
        "(* the lexer *)\n\n{}\n(* the JSON syntax, whose tokens may have space and newlines between them *)\n\n{}",
        LEXER, JSON
    );
    text
}
