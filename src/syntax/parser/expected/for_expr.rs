//! Errors in *for expressions*.

use crate::diagnostic::Applicability::{NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::source::Replacement;
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::Parse;
use crate::syntax::parser::recover::Group;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    pub(super) fn for_error(&self, group: Group, at: TokenIndex, operand_ended: bool) -> Option<Finding> {
        use TokenKind::*;
        let tokens = self.tokens;
        let tuple = tokens.kind(group.opener) == OpenBracket;
        let error = |detail: std::string::String| {
            let form =
                if tuple { "[for name in collection : value]" } else { "{for name in collection : key => value}" };
            Some(
                Finding::error(Code::ForExpression, self.token_span(at), detail)
                    .with_context(self.span(group.opener, at))
                    .with_help(format!("the form is `{form}`")),
            )
        };
        let intro = group.opener + 2;
        let found = self.name(at);
        if at == intro {
            return error(format!("the name of a variable is expected after `for`, not {found}")).map(|diagnostic| {
                if tuple || !matches!(tokens.kind(at), Assign | Colon) {
                    return diagnostic;
                }
                let quoted = Replacement::new(self.token_span(group.opener + 1), "\"for\"");
                diagnostic
                    .with_help("to use `for` as a key, put it in quotes: `\"for\"`")
                    .with_edits(NeedsReview, [quoted])
            });
        }
        let depth_one = |kind: TokenKind| self.find_in_group(group, at, kind);
        let Some(_) = depth_one(In) else {
            let detail = match self.before(at) {
                Comma => format!("the name of a second variable is expected after the comma, not {found}"),
                _ => format!("`in` is expected after the names, not {found}"),
            };
            return error(detail).map(|diagnostic| {
                let is_names = self.before(at) == Identifier && tokens.kind(at) == Identifier;
                let next = tokens.kind((at + 1).min(tokens.last()));
                match (self.text(at), next) {
                    _ if !is_names => diagnostic,
                    ("of", _) if self.begins_operand(at + 1) => {
                        diagnostic.with_edits(Safe, [Replacement::new(self.token_span(at), "in")])
                    }
                    // Another word instead of it.
                    (_, Identifier | For | In | If) => diagnostic,
                    _ => diagnostic.with_edits(Safe, [self.inserted_before(at, "in")]),
                }
            });
        };
        let colon = self.for_colon(group, at);
        if colon.is_none() {
            return operand_ended
                .then(|| error(format!("`:` is expected after the collection, not {found}")))
                .flatten()
                .map(|diagnostic| {
                    self.with_some_edits(
                        diagnostic,
                        true,
                        self.is_next_value(at).then(|| [self.inserted_before(at, ":")]),
                    )
                });
        }
        let arrow = depth_one(FatArrow);
        match (tuple, tokens.kind(at)) {
            (true, FatArrow) => {
                let key = self.span(colon.map_or(intro, |colon| colon + 1), at - 1);
                let detail = "the values of a tuple have no keys";
                let diagnostic = Finding::error(Code::ForExpression, key, detail)
                    .with_label(self.token_span(at), "`=>` is for objects")
                    .with_help("for an object use braces: `{for name in collection : key => value}`");
                Some(self.with_some_edits(diagnostic, false, self.other_brackets(group, ["{", "}"])))
            }
            (true, Ellipsis) => error("`...` groups the values of an object, not of a tuple".to_owned()),
            _ if !operand_ended => None,
            (false, _) if arrow.is_none() => {
                let only = self.span(colon.map_or(intro, |colon| colon + 1), depth_one(If).unwrap_or(at) - 1);
                let detail = "an object needs a key and a value for each element: `key => value`";
                let is_sign = matches!(tokens.kind(at), Assign | Colon);
                let edits = match tokens.kind(at) {
                    Assign | Colon => Some(vec![Replacement::new(self.token_span(at), "=>")]),
                    CloseBrace => self.other_brackets(group, ["[", "]"]).map(Vec::from),
                    _ => self.is_next_value(at).then(|| vec![self.inserted_before(at, "=>")]),
                };
                let sure = is_sign || tokens.kind(at) != CloseBrace;
                let diagnostic = Finding::error(Code::ForExpression, only, detail)
                    .with_label(self.token_span(at), format!("`=>` and a value are expected before {found}"))
                    .with_help(match tokens.kind(at) {
                        Assign | Colon => "write `=>` between the key and the value",
                        CloseBrace => "for a tuple use square brackets: `[for name in collection : value]`",
                        _ => "the form is `{for name in collection : key => value}`",
                    });
                Some(self.with_some_edits(diagnostic, sure, edits))
            }
            _ if self.conditional_is_open(colon.map_or(group.element, |colon| colon + 1), at) => None,
            (false, Ellipsis) => error("`...` comes after the value, before the `if`".to_owned()),
            _ => error(format!("the end of the for expression is expected, not {found}")),
        }
    }

    /// Returns true if a token begins another operand after the end of one, with blanks before it, and is not a word
    /// that is an operator in other languages.
    fn is_next_value(&self, at: TokenIndex) -> bool {
        use TokenKind::{Identifier, Literal, Template};
        matches!(self.tokens.kind(at), Identifier | Literal | Template)
            && self.before(at).ends_operand()
            && self.tokens.end(at - 1) < self.tokens.start(at)
            && self.word_operator(at).is_none()
    }

    /// The edits that write other brackets for a pair.
    fn other_brackets(&self, group: Group, brackets: [&'static str; 2]) -> Option<[Replacement; 2]> {
        let closer = self.tokens.closer(group.opener);
        let is_there = self.tokens.start(closer) < self.tokens.end(closer);
        let [open, close] = [group.opener, closer].map(|token| self.tokens.span(token));
        is_there.then(|| [Replacement::new(open, brackets[0]), Replacement::new(close, brackets[1])])
    }

    /// Returns a token of a kind within a pair of brackets but not within an inner pair.
    pub(super) fn find_in_group(&self, group: Group, end: TokenIndex, kind: TokenKind) -> Option<TokenIndex> {
        let mut token = group.opener + 1;
        while token < end {
            let token_kind = self.tokens.kind(token);
            if token_kind == kind {
                return Some(token);
            }
            token = if token_kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        None
    }

    /// Returns the colon of a *for expression*, as opposed to that of a conditional.
    pub(super) fn for_colon(&self, group: Group, end: TokenIndex) -> Option<TokenIndex> {
        let mut questions = 0;
        let mut token = group.opener + 1;
        while token < end {
            let kind = self.tokens.kind(token);
            match kind {
                TokenKind::Question => questions += 1,
                TokenKind::Colon if questions == 0 => return Some(token),
                TokenKind::Colon => questions -= 1,
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        None
    }
}
