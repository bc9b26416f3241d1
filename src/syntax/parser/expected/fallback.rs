//! Messages from the parsers' own tables. They are used if no handwritten explanation covers the place: a plain message
//! is better than a wrong one.

use std::borrow::Cow;

use crate::diagnostic::{Code, Finding};
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::builder::Region;
use crate::syntax::parser::{Language, Parse, ParseError};

/// The place at which a run of a grammar has stopped.
pub(in crate::syntax::parser) struct Stop {
    pub region: Region,
    /// The token that the grammar did not take, or the closer of the region.
    pub at: TokenIndex,
    /// The tokens that the grammar would have accepted.
    pub expected: Expected,
}

/// The terminals that a grammar would have accepted, by their names in the grammar.
pub(in crate::syntax::parser) struct Expected {
    language: Language,
    names: Vec<String>,
}

/// The terminals that can begin an expression.
const EXPRESSION: [&str; 9] = ["literal", "template", "identifier", "traversal", "(", "[", "{", "-", "!"];

impl Expected {
    pub fn new(language: Language, error: ParseError) -> Self {
        use lalrpop_util::ParseError::*;
        let names = match error {
            UnrecognizedToken { expected, .. } | UnrecognizedEof { expected, .. } => expected,
            InvalidToken { .. } | ExtraToken { .. } | User { .. } => Vec::new(),
        };
        // The tables have names in quotes, as the grammars do.
        let name = |name: String| match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(name) => name.to_owned(),
            None => name,
        };
        Expected { language, names: names.into_iter().map(name).collect() }
    }

    /// Returns true if the grammar would have accepted a terminal.
    pub fn includes(&self, terminal: &str) -> bool {
        self.names.iter().any(|name| name == terminal)
    }

    /// Returns true if an expression may begin here.
    pub fn begins_expression(&self) -> bool {
        self.includes("literal")
    }

    /// Returns true if an operand has ended here.
    pub fn follows_operand(&self) -> bool {
        self.includes("operator")
    }

    /// Returns the terminals in words; `end` is what ends the region.
    fn in_words(&self, end: &str) -> Vec<Cow<'static, str>> {
        let expression = self.language == Language::Expression && EXPRESSION.iter().all(|name| self.includes(name));
        let mut words: Vec<Cow<'static, str>> = Vec::new();
        if expression {
            words.push("an expression".into());
        }
        for name in &self.names {
            if expression && EXPRESSION.contains(&&**name) {
                continue;
            }
            if let Some(word) = in_words(self.language, name, end)
                && !words.contains(&word)
            {
                words.push(word);
            }
        }
        words
    }
}

/// Returns the name of a terminal for a message. A terminal that is not listed has its name in the grammar, which is
/// its notation.
fn in_words(language: Language, name: &str, end: &str) -> Option<Cow<'static, str>> {
    Some(match (language, name) {
        // Terminals for pieces that could not be parsed are never written.
        (_, name) if name.starts_with("bad ") => return None,
        (_, "separator") => end.to_owned().into(),
        (_, "newline") => "a new line".into(),
        (_, "identifier") => "a name".into(),
        (_, "string") => "a string".into(),
        (Language::Template, "literal") => "text".into(),
        (_, "literal") => "a literal value".into(),
        (_, "template") => "a string".into(),
        // It begins with a name.
        (_, "traversal") => "a name".into(),
        (_, "operator") => "an operator".into(),
        (_, ".name") => "`.` and a name".into(),
        (_, ".0") => "`.` and a number".into(),
        (_, "= expression") => "`=` and a value".into(),
        (_, "{ body }") => "`{`".into(),
        (_, "%{ for") => "`%{ for }`".into(),
        (_, "in }") => "`in`".into(),
        (_, name) => format!("`{name}`").into(),
    })
}

impl Parse<'_> {
    /// Returns a message that lists what a token could be replaced by.
    pub(in crate::syntax::parser) fn unexpected(&self, stop: &Stop) -> Finding {
        let at: TokenIndex = stop.at;
        let found = self.name(at);
        let words = stop.expected.in_words(&self.name(stop.region.end));
        let detail = match &words[..] {
            [] => format!("{found} is unexpected"),
            [only] => format!("expected {only}, not {found}"),
            [others @ .., last] => format!("expected one of {} or {last}, not {found}", others.join(", ")),
        };
        Finding::error(Code::UnexpectedToken, self.token_span(at), detail)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reading::ParseOptions;
    use crate::source::Source;
    use crate::syntax::lexer::{Start, lex};
    use crate::syntax::parser::builder::Region;
    use crate::syntax::tree::NodeKind;

    /// Returns the message about the token at an offset of an expression or body if these are expected.
    fn said(text: &str, language: Language, at: usize, expected: &[&str]) -> String {
        let source = Arc::new(Source::from(text));
        let start = if language == Language::Body { Start::ConfigFile } else { Start::Expression };
        let lexed = lex(&source, start, &ParseOptions::default());
        let parse = Parse::new(&source, &lexed, start, 10);
        let names = expected.iter().map(|name| format!("\"{name}\"")).collect();
        let error = ParseError::UnrecognizedEof { location: (), expected: names };
        let mut builder = crate::syntax::parser::Builder::new(text.as_bytes(), &lexed.tokens);
        let tokens = &lexed.tokens;
        let owner = builder.term(NodeKind::Orphan, TokenIndex::FIRST.into()).node();
        let region = Region { start: TokenIndex::FIRST, end: tokens.last(), owner };
        let stop = Stop { region, at: tokens.at(at), expected: Expected::new(language, error) };
        let said = match language {
            Language::Body => parse.body_error(&stop, TokenIndex::FIRST, None),
            Language::Expression => parse.expression_error(&stop, None),
            Language::Template => parse.unexpected(&stop),
        };
        said.in_source(&source).detail().to_owned()
    }

    #[test]
    fn what_is_not_known_is_told_from_the_tables() {
        use Language::*;
        // A word that an expression would begin with, if there were one: `let x = 5 in x`.
        assert_eq!(said("letx y 5", Expression, 5, &["="]), "expected `=`, not `y`");
        assert_eq!(said("letx y 5", Expression, 5, &["=", "in"]), "expected one of `=` or `in`, not `y`");
        assert_eq!(
            said("1 +", Expression, 3, &["let", "identifier"]),
            "expected one of `let` or a name, not the end of the expression"
        );
        // A line that is neither an attribute nor a block: `import "file"`.
        assert_eq!(
            said("\"a\" \"b\"\n", Body, 4, &["newline", "as"]),
            "expected one of a new line or `as`, not a string"
        );
        assert_eq!(said("\"a\"\n", Body, 0, &["import"]), "expected `import`, not a string");
    }

    #[test]
    fn what_is_known_is_explained() {
        use Language::*;
        let after_operand = ["separator", "operator", "-", "?", ".name", "["];
        assert_eq!(said("x 5", Expression, 2, &after_operand), "`5` is unexpected after the end of the expression");
        assert_eq!(said("1 + *", Expression, 4, &EXPRESSION), "an expression is expected here, not `*`");
    }

    #[test]
    fn terminals_are_told_in_words() {
        let words = |language, names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Expected { language, names }.in_words("the end of the line").join("; ")
        };
        let all: Vec<&str> = EXPRESSION.iter().copied().chain(["separator", "bad expression", "new"]).collect();
        assert_eq!(words(Language::Expression, &all), "an expression; the end of the line; `new`");
        assert_eq!(words(Language::Expression, &["identifier", "traversal", ".name"]), "a name; `.` and a name");
        assert_eq!(words(Language::Template, &["literal", "%{ endif }"]), "text; `%{ endif }`");
        assert_eq!(words(Language::Body, &["= expression", "{ body }", "{"]), "`=` and a value; `{`");
    }

    /// Every terminal of the grammars has a description that is more than its name in the grammars.
    #[test]
    fn all_terminals_have_words() {
        let grammars = [
            (Language::Body, include_str!("../../../../grammar/body.lalrpop")),
            (Language::Expression, include_str!("../../../../grammar/expression.lalrpop")),
            (Language::Template, include_str!("../../../../grammar/template.lalrpop")),
        ];
        let mut count = 0;
        for (language, grammar) in grammars {
            let names =
                grammar.lines().filter_map(|line| line.trim_start().strip_prefix('"')?.split_once("\" => Terminal"));
            for (name, _) in names {
                count += 1;
                let Some(word) = in_words(language, name, "the end") else {
                    assert!(name.starts_with("bad "), "{name}");
                    continue;
                };
                // A word that is not listed is shown as it is written.
                let written = !name.contains(char::is_alphabetic)
                    || matches!(name, "for" | "in" | "if")
                    || name.starts_with("%{ ")
                    || name.starts_with("${ ");
                assert!(written || word != format!("`{name}`"), "{name} is not told in words");
            }
        }
        assert!(count > 40, "only {count} terminals");
    }
}
