//! The usual ways out of conflicts, by the form of the two readings. `grammar/README.md` explains each under its title.

use crate::productions::{Alternative, Productions};
use crate::read::{Grammar, Symbol};
use crate::tree::Written;

/// A way out of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "title and lines describe each")]
pub enum Help {
    Empty,
    Itself,
    Newline,
    Operator,
    PrefixAndPostfix,
    OptionalEnd,
    List,
    SameWords,
    Undecided,
}

impl Help {
    /// All ways out.
    pub const ALL: [Help; 9] = [
        Help::Empty,
        Help::Itself,
        Help::Newline,
        Help::Operator,
        Help::PrefixAndPostfix,
        Help::OptionalEnd,
        Help::List,
        Help::SameWords,
        Help::Undecided,
    ];

    /// The heading in the guide.
    pub fn title(self) -> &'static str {
        match self {
            Help::Empty => "Empty in two ways",
            Help::Itself => "A rule that is itself",
            Help::Newline => "Optional newlines",
            Help::Operator => "An operator with itself on both sides",
            Help::PrefixAndPostfix => "Prefix against postfix",
            Help::OptionalEnd => "An optional end",
            Help::List => "A list in a list",
            Help::SameWords => "Two rules for the same words",
            Help::Undecided => "Decided too early",
        }
    }

    /// The advice, as lines.
    pub fn lines(self) -> &'static [&'static str] {
        match self {
            Help::Empty => {
                &["remove one of the two ways to be empty: an optional part of what may be empty needs no `?`"]
            }
            Help::Itself => &["remove the alternative that leads back to the rule without anything beside it"],
            Help::Newline => &[
                "let one rule own the newline: the one that ends, or the one that begins, but not both;",
                "or let the lexer emit a newline only where it separates",
            ],
            Help::Operator => &[
                "make one side a rule that cannot be this operation, such as `Sum = Sum \"+\" Term`;",
                "or add a row to the table in src/syntax/operator.rs, whose operators the builder nests by level",
            ],
            Help::PrefixAndPostfix => &[
                "give each a rule of its own level: the operand of the prefix is a rule with the postfix,",
                "and the operand of the postfix is a rule without the prefix",
            ],
            Help::OptionalEnd => &[
                "require an end, as `%{ endif }` does; or make a second rule without the short form",
                "for the part that is followed by the optional end",
            ],
            Help::List => &[
                "let only one of the two rules repeat, or give them separators of their own;",
                "an element that is a list needs brackets",
            ],
            Help::SameWords => &[
                "read both as one rule, and let the builder or the reader of the tree decide, as for keys of objects;",
                "or let the lexer make a token of its own where the word means something else",
            ],
            Help::Undecided => &[
                "read the common beginning as one rule in both, so that the choice comes after it;",
                "or mark the rule `#[inline]`, which delays the choice by a token",
            ],
        }
    }

    /// Returns the way out for two readings of one sentence, which differ in these alternatives.
    pub(crate) fn of_readings(productions: &Productions<'_>, one: &Written, two: &Written) -> Help {
        let grammar = productions.grammar;
        let is_newline = |terminal: &usize| grammar.terminals[*terminal].0.contains("newline");
        if one.terminals.is_empty() {
            return Help::Empty;
        }
        if one.terminals.iter().any(is_newline) {
            return Help::Newline;
        }
        if one.repeated().or(two.repeated()).is_some() {
            return Help::Itself;
        }
        let (Some(first), Some(second)) = (one.innermost(), two.innermost()) else { return Help::Undecided };
        let rule = one.rule().map_or("", |rule| grammar.rules[rule].name.as_str());
        let forms = [first, second].map(|alternative| form(grammar, rule, alternative));
        let has = |form: Form| forms.contains(&form);
        let length = |alternative| symbols(grammar, alternative).len();
        if is_beginning(grammar, first, second) || is_beginning(grammar, second, first) {
            Help::OptionalEnd
        } else if has(Form::Infix) {
            Help::Operator
        } else if has(Form::Prefix) && has(Form::Postfix) {
            let prefix = if forms[0] == Form::Prefix { first } else { second };
            if length(prefix) == 2 { Help::PrefixAndPostfix } else { Help::Operator }
        } else if has(Form::Repetition) || has(Form::Postfix) || first == second {
            Help::List
        } else {
            Help::SameWords
        }
    }
}

/// The place of a rule in an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// At both ends.
    Infix,
    /// Last, after a terminal.
    Prefix,
    /// First, with a terminal at the end.
    Postfix,
    /// At one end.
    Repetition,
    Other,
}

fn form(grammar: &Grammar, rule: &str, alternative: Alternative) -> Form {
    let symbols = symbols(grammar, alternative);
    let is_own = |symbol: Option<&Symbol>| match symbol {
        Some(Symbol::Rule(name)) => is_within(grammar, rule, name) || is_within(grammar, name, rule),
        _ => false,
    };
    let is_terminal = |symbol: Option<&Symbol>| matches!(symbol, Some(Symbol::Terminal(_)));
    match (is_own(symbols.first()), is_own(symbols.last())) {
        _ if symbols.len() < 2 => Form::Other,
        (true, true) if symbols.len() > 2 => Form::Infix,
        (false, true) if is_terminal(symbols.first()) => Form::Prefix,
        (true, false) if is_terminal(symbols.last()) => Form::Postfix,
        (false, false) => Form::Other,
        _ => Form::Repetition,
    }
}

fn symbols(grammar: &Grammar, (rule, alternative): Alternative) -> &[Symbol] {
    grammar.rules[rule].alternatives.get(alternative).map_or(&[], |alternative| &alternative.symbols)
}

/// Returns true if a rule can be another one alone, directly or through others.
fn is_within(grammar: &Grammar, rule: &str, other: &str) -> bool {
    let mut known = vec![other];
    let mut at = 0;
    while let Some(&name) = known.get(at) {
        if name == rule {
            return true;
        }
        at += 1;
        for alternative in grammar.rule(name).map_or(&[][..], |rule| &rule.alternatives) {
            if let [Symbol::Rule(only)] = alternative.symbols.as_slice()
                && !known.contains(&only.as_str())
            {
                known.push(only);
            }
        }
    }
    false
}

/// Returns true if one alternative is the beginning of another one.
fn is_beginning(grammar: &Grammar, one: Alternative, other: Alternative) -> bool {
    let (one, other) = (symbols(grammar, one), symbols(grammar, other));
    !one.is_empty() && one.len() < other.len() && other.starts_with(one)
}
