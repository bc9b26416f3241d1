//! Errors in expressions.

use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::source::{Replacement, Span};
use crate::syntax::excerpt;
use crate::syntax::index::TokenIndex;
use crate::syntax::operator::BinaryOperator;
use crate::syntax::parser::Parse;
use crate::syntax::parser::builder::Region;
use crate::syntax::parser::expected::fallback::Stop;
use crate::syntax::parser::recover::{Brackets, Group};
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    /// Returns the error for an unexpected token in an expression; `group` is the innermost open group.
    pub(in crate::syntax::parser) fn expression_error(&self, stop: &Stop, group: Option<Group>) -> Finding {
        use TokenKind::*;
        let (tokens, &Stop { region, at, .. }) = (self.tokens, stop);
        let kind = tokens.kind(at);
        let element = group.map_or(region.start, |group| group.element);
        let previous = (at > region.start).then(|| tokens.kind(at - 1));
        let operand_ended = at > element && previous.is_some_and(TokenKind::ends_operand);
        if previous == Some(Dot) || kind == Dot && operand_ended {
            return self.missing_attribute_name(if kind == Dot { at } else { at - 1 });
        }
        if matches!(kind, DoubleColon) || previous == Some(DoubleColon) || self.follows_namespace(region, at) {
            return self.namespace_error(at);
        }
        let in_for = group.filter(|group| group.brackets == Brackets::For);
        let in_names = in_for.is_some_and(|group| self.find_in_group(group, at, In).is_none());
        let known = match operand_ended {
            _ if in_names || previous == Some(Ellipsis) => true,
            // Where a keyword must follow the operand, nothing else is missing.
            true => self.operand_may_have_ended(stop, element, group) && !stop.expected.includes("in"),
            false => stop.expected.begins_expression(),
        };
        if !known {
            return self.unexpected(stop);
        }
        if let Some(group) = in_for
            && let Some(diagnostic) = self.for_error(group, at, operand_ended)
        {
            return diagnostic;
        }
        if !operand_ended {
            return self.missing_expression(region, at, group);
        }
        if kind == AttrSplat {
            let star = self.token_span(at).end() as u32;
            let detail = "a `.*` cannot be applied within another `.*`";
            return Finding::error(Code::NestedSplat, Span::of(star - 1, star), detail)
                .with_help("use the full splat `[*]`, which can be nested")
                .with_edits(NeedsReview, [Replacement::new(self.tokens.span(at), "[*]")]);
        }
        if self.conditional_is_open(element, at) && !matches!(kind, Ellipsis) {
            let detail = format!("a `:` and the other value are expected, not {}", self.name(at));
            let diagnostic = Finding::error(Code::IncompleteConditional, self.token_span(at), detail);
            return if kind == Newline && group.is_none() {
                let help = "to continue on the next line, put parentheses around all of it";
                let goes_on = tokens.kind(at + 1) == Colon;
                let edits = self.in_parentheses(region.start, at).filter(|_| goes_on);
                self.with_some_edits(diagnostic.with_help(help), true, edits)
            } else {
                diagnostic.with_help("a conditional is `condition ? value : other value`")
            };
        }
        if kind == Ellipsis || previous == Some(Ellipsis) {
            return self.ellipsis_error(at, previous == Some(Ellipsis), group);
        }
        match group {
            None => self.extra_after_expression(region, at),
            Some(group) => self.missing_separator(region, at, group),
        }
    }

    /// Returns true if the grammar, too, has read an operand that ends before a token. It may already have found the
    /// end of a larger construct, and then takes only tokens of the enclosing brackets.
    fn operand_may_have_ended(&self, stop: &Stop, element: TokenIndex, group: Option<Group>) -> bool {
        let followers: &[&str] = match group {
            None => &["separator"],
            Some(group) => match group.brackets {
                Brackets::Parentheses => &[")"],
                Brackets::Call => &[",", ")", "..."],
                Brackets::Index => &["]"],
                Brackets::Tuple => &[",", "]"],
                Brackets::Object if self.has_value(group, stop.at) => &[",", "newline", "}"],
                Brackets::Object => &["=", ":"],
                Brackets::For => &[":", "=>", "...", "if", "]", "}"],
            },
        };
        let includes = |terminal: &&str| stop.expected.includes(terminal);
        stop.expected.follows_operand()
            || followers.iter().any(includes)
            || includes(&":") && self.conditional_is_open(element, stop.at)
    }

    pub(super) fn missing_attribute_name(&self, dot: TokenIndex) -> Finding {
        let next = self.token_span(dot + 1);
        let detail = format!("a name is expected after the dot, not {}", self.name(dot + 1));
        let diagnostic = Finding::error(Code::MissingAttributeName, next, detail).with_context(self.span(dot, dot + 1));
        match self.tokens.kind(dot + 1) {
            TokenKind::Literal | TokenKind::Template => {
                let name = dot + 1;
                let last = if self.tokens.kind(name) == TokenKind::Template { self.tokens.closer(name) } else { name };
                let quoted = self.source.slice(self.span(name, last));
                let diagnostic = diagnostic.with_help("write a computed or quoted name in brackets: `[\"…\"]`");
                let edit = Replacement::new(self.span(dot, last), format!("[{quoted}]"));
                let is_quoted = quoted.len() > 1 && quoted.starts_with('"') && quoted.ends_with('"');
                self.with_some_edits(diagnostic, false, is_quoted.then_some([edit]))
            }
            _ => diagnostic,
        }
    }

    /// Returns true if the tokens before it are a name with namespaces.
    pub(super) fn follows_namespace(&self, region: Region, at: TokenIndex) -> bool {
        at >= region.start + 2
            && self.before(at) == TokenKind::Identifier
            && self.tokens.kind(at - 2) == TokenKind::DoubleColon
    }

    pub(super) fn namespace_error(&self, at: TokenIndex) -> Finding {
        // A name with accesses is one terminal, and the name may be right.
        let is_name = self.before(at) == TokenKind::DoubleColon && self.tokens.kind(at) == TokenKind::Identifier;
        let at = at + u32::from(is_name);
        let detail = match self.before(at) {
            TokenKind::DoubleColon => format!("a name is expected after `::`, not {}", self.name(at)),
            TokenKind::Identifier if self.tokens.kind(at) != TokenKind::DoubleColon => {
                format!("the arguments of the function are expected here, not {}", self.name(at))
            }
            _ => "`::` is used only in the names of functions".to_owned(),
        };
        Finding::error(Code::NamespaceWithoutCall, self.token_span(at), detail)
            .with_help("only names of functions have namespaces: `a::b(…)`")
    }

    /// Returns true if a `?` waits for its `:`.
    pub(super) fn conditional_is_open(&self, start: TokenIndex, end: TokenIndex) -> bool {
        let (mut open, mut token) = (0, start);
        while token < end {
            let kind = self.tokens.kind(token);
            match kind {
                TokenKind::Question => open += 1,
                TokenKind::Colon => open -= 1,
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        open > 0
    }

    /// `list<string>` before a token: the type and its argument.
    fn type_in_angle_brackets(&self, region: Region, at: TokenIndex) -> Option<(&str, &str, [Replacement; 2])> {
        let first = at.checked_sub(4).filter(|&first| first >= region.start)?;
        let (ty, open, element) = (self.text(first), self.text(first + 1), self.text(first + 2));
        let brackets = [(first + 1, "("), (at - 1, ")")];
        let edits = brackets.map(|(token, bracket)| Replacement::new(self.token_span(token), bracket));
        (open == "<" && matches!(ty, "list" | "set" | "map" | "optional")).then_some((ty, element, edits))
    }

    pub(super) fn missing_expression(&self, region: Region, at: TokenIndex, group: Option<Group>) -> Finding {
        use TokenKind::*;
        let kind = self.tokens.kind(at);
        let subject = self.token_span(at);
        let previous = (at > region.start).then(|| self.before(at));
        let name = self.name(at);
        let in_line = group.is_none_or(|group| group.brackets == Brackets::Object);
        let dangling = matches!(previous, Some(Operator | Minus | Not | Question | Colon));
        let next = self.tokens.kind((at + 1).min(self.tokens.last()));
        let after = self.tokens.kind((at + 2).min(self.tokens.last()));
        let goes_on = !matches!((next, after), (Identifier, Value | OpenBlock | String) | (CloseBlock | EndOfFile, _));
        if kind == Newline && dangling && !goes_on {
            let operator = self.text(at - 1);
            let detail = format!("an operand is expected after `{operator}`");
            let diagnostic = Finding::error(Code::MissingExpression, subject, detail);
            return match operator {
                "%" => diagnostic.with_help("`%` is the remainder of a division; there are no percentages"),
                ">" => match self.type_in_angle_brackets(region, at) {
                    Some((ty, element, edits)) => diagnostic
                        .with_help(format!("write parentheses for the argument of a type: `{ty}({element})`"))
                        .with_edits(NeedsReview, edits),
                    None => diagnostic,
                },
                _ => diagnostic,
            };
        }
        if kind == Newline && in_line && dangling {
            let operator = self.text(at - 1);
            let detail = format!("the line ends after `{operator}`, where the expression should continue");
            let diagnostic = Finding::error(Code::LineBreakInExpression, subject, detail)
                .with_help("to continue on the next line, put parentheses around all of it");
            let edits = if group.is_none() { self.in_parentheses(region.start, at) } else { None };
            return self.with_some_edits(diagnostic, true, edits);
        }
        let adjacent =
            previous == Some(Question) && self.tokens.name_span(at).start() <= self.tokens.end(at - 1) as usize + 1;
        if adjacent && matches!(kind, Question | GetAttr) {
            let (operator, help) = match kind {
                Question => {
                    ("??", "use a function such as `coalesce(a, b)` or `try(a, b)`, if the application has one")
                }
                _ => ("?.", "use a function such as `try(a.b, null)`, if the application has one"),
            };
            let detail = format!("`{operator}` is not an operator in HCL");
            return Finding::error(Code::UnknownOperator, self.token_span(at - 1), detail).with_help(help);
        }
        if kind == Comma {
            return Finding::error(Code::UnexpectedComma, subject, "an expression is expected before this comma")
                .with_help("remove the comma, or add what is missing")
                .with_choice("remove the comma", [Replacement::removal(subject)]);
        }
        if group.is_some_and(|group| group.brackets == Brackets::Index && group.element == at) && self.text(at) == "*" {
            let detail = format!("`]` is expected after the `*` of a splat, not {}", self.name(at + 1));
            return Finding::error(Code::UnexpectedToken, self.token_span(at + 1), detail)
                .with_context(self.span(at - 1, at + 1));
        }
        let star = self.text(at).find('*').filter(|_| kind == FullSplat).map(|star| (subject.start() + star) as u32);
        let subject = star.map_or(subject, |star| Span::of(star, star + 1));
        let ends = matches!(kind, Newline | EndOfFile);
        let detail = match previous {
            None if kind == EndOfFile => format!("the {} is empty", self.start.noun()),
            _ if ends && dangling => format!("an operand is expected before {name}"),
            _ if ends => format!("an expression is expected before {name}"),
            _ => format!("an expression is expected here, not {name}"),
        };
        let diagnostic = Finding::error(Code::MissingExpression, subject, detail);
        match kind {
            Newline if group.is_none() && previous.is_none() => {
                diagnostic.with_help("write the value on the line of the `=`, or `null` for no value")
            }
            Dot | Operator if previous.is_none() => diagnostic.with_help("if this is text, put it in quotes"),
            FullSplat => diagnostic.with_help("a splat follows what it applies to: `name[*]`"),
            In | For | If => diagnostic,
            Assign if previous == Some(Assign) => diagnostic
                .with_help("to compare, write `==` without a space")
                .with_edits(NeedsReview, [Replacement::new(self.span(at - 1, at), "==")]),
            OpenBlock => self.without_equals(diagnostic.with_help("a block is written without `=`"), region),
            _ => diagnostic,
        }
    }

    pub(super) fn ellipsis_error(&self, at: TokenIndex, after: bool, group: Option<Group>) -> Finding {
        let call = group.is_some_and(|group| group.brackets == Brackets::Call);
        let detail = if after && call {
            "the closing parenthesis is expected after `...`"
        } else if call {
            "`...` must directly follow the last argument"
        } else {
            "`...` expands the last argument of a call, or groups the values of a for expression"
        };
        Finding::error(Code::MisplacedEllipsis, self.token_span(at), detail)
            .with_help("to join lists, use a function such as `concat`, if the application has one")
    }

    pub(super) fn missing_separator(&self, region: Region, at: TokenIndex, group: Group) -> Finding {
        use TokenKind::*;
        let subject = self.token_span(at);
        let name = self.name(at);
        let context = self.span(group.opener, at);
        let expected =
            |code: Code, detail: std::string::String| Finding::error(code, subject, detail).with_context(context);
        if let Some(negation) = self.negation(region, at) {
            return negation;
        }
        let word = self.word_operator(at);
        let diagnostic = match group.brackets {
            Brackets::Object => {
                let has_equals = self.has_value(group, at);
                if !has_equals && self.tokens.kind(at) == FatArrow {
                    expected(Code::MissingEquals, "`=>` belongs in for expressions".to_owned())
                        .with_help("write `=`")
                        .with_edits(Safe, [Replacement::new(subject, "=")])
                } else if !has_equals {
                    let detail = format!("`=` and a value are expected after the key, not {name}");
                    let diagnostic = expected(Code::MissingEquals, detail).with_help("an element is `key = value`");
                    let brace = |token| self.tokens.kind(token) == OpenBrace;
                    let header = brace(at) || self.tokens.kind(at) == Literal && brace(at + 1);
                    let block = header && group.opener == region.start;
                    match region.start.checked_sub(1).filter(|&value| block && self.tokens.kind(value) == Value) {
                        Some(value) => {
                            let diagnostic = diagnostic
                                .with_label(self.token_span(value), "if this is a block, remove the `=` here");
                            self.without_equals(diagnostic, region)
                        }
                        // One word or string, and one value.
                        None if at == group.element + 1 && matches!(self.tokens.kind(at), Literal | Template) => {
                            let last = if self.tokens.kind(at) == Template { self.tokens.closer(at) } else { at };
                            let alone = matches!(self.tokens.kind(last + 1), Newline | Comma | CloseBrace);
                            let sure = Applicability::safe_if(alone && self.gap_before(at).is_some());
                            diagnostic.with_edits(sure, [self.inserted_before(at, "=")])
                        }
                        None => diagnostic,
                    }
                } else if self.tokens.kind(at) == Assign {
                    let detail = "a second `=` is not possible here".to_owned();
                    expected(Code::MissingComma, detail).with_help("separate elements with a comma or a newline")
                } else {
                    let detail = format!("a comma or a newline is expected before {name}");
                    let diagnostic = expected(Code::MissingComma, detail)
                        .with_help("put each element on a line of its own, or separate them with commas");
                    let is_key = matches!(self.tokens.kind(at), Identifier | Literal)
                        && matches!(self.tokens.kind(at + 1), Assign | Colon);
                    let comma = Replacement::insertion(self.tokens.end(at - 1) as usize, ",");
                    self.with_some_edits(diagnostic, self.gap_before(at).is_some(), is_key.then_some([comma]))
                }
            }
            Brackets::Tuple | Brackets::Call => {
                let what = if group.brackets == Brackets::Tuple { "elements" } else { "arguments" };
                let detail = format!("a comma is expected before {name}");
                let diagnostic = expected(Code::MissingComma, detail);
                if self.tokens.kind(at) == OpenBrace && self.before(at) == Identifier {
                    diagnostic
                        .with_help("a block cannot be within brackets; an object has no name: `{ … }`")
                        .with_edits(NeedsReview, [self.removed(at - 1, at - 1)])
                } else if matches!(self.tokens.kind(at), Assign | Colon | FatArrow) {
                    diagnostic.with_help(format!(
                        "{what} have no names; an object is written in braces: `{{ name = value }}`"
                    ))
                } else {
                    let diagnostic = diagnostic
                        .with_label(self.token_span(at - 1), "the comma is missing after this")
                        .with_help(format!("separate {what} with commas"));
                    let comma = Replacement::insertion(self.tokens.end(at - 1) as usize, ",");
                    let apart = self.tokens.end(at - 1) < self.tokens.start(at);
                    let edit = (apart && self.begins_operand(at)).then_some([comma]);
                    self.with_some_edits(diagnostic, self.is_comma_sure(region, at, group), edit)
                }
            }
            Brackets::Index => {
                let detail = format!("`]` is expected after the index, not {name}");
                let diagnostic = expected(Code::UnexpectedToken, detail);
                match self.tokens.kind(at) {
                    Colon => diagnostic
                        .with_help("for a part of a list use a function such as `slice`, if the application has one"),
                    Comma => diagnostic
                        .with_help("for an element of an element write `[…][…]`")
                        .with_edits(NeedsReview, [Replacement::new(subject, "][")]),
                    _ => diagnostic,
                }
            }
            Brackets::Parentheses | Brackets::For => {
                let detail = format!("`)` is expected after the expression, not {name}");
                let diagnostic = expected(Code::UnexpectedToken, detail);
                if self.tokens.kind(at) == Comma {
                    diagnostic.with_help("a tuple is written in square brackets: `[1, 2]`")
                } else {
                    diagnostic
                }
            }
        };
        match word {
            Some((help, edit)) => self.instead_of_word(diagnostic.without_edits().with_help(help), at, edit),
            None => diagnostic,
        }
    }

    /// Returns true if only a comma can be missing before a token.
    fn is_comma_sure(&self, region: Region, at: TokenIndex, group: Group) -> bool {
        let is_number = |token: TokenIndex| self.text(token).starts_with(|c: char| c.is_ascii_digit());
        // `10 000` may be one number.
        let numbers = is_number(at - 1) && is_number(at);
        // Words in a line may be a single word that was split.
        let is_name = |token: TokenIndex| matches!(self.tokens.kind(token), TokenKind::Identifier | TokenKind::GetAttr);
        let names = is_name(at - 1) && is_name(at) && self.gap_before(at).is_some();
        self.only_comma_is_missing(region, at, Some(group)) && !numbers && !names
    }

    /// Adds the edit that removes the `=` before a region that looks like the body of a block.
    fn without_equals(&self, diagnostic: Finding, region: Region) -> Finding {
        match region.start.checked_sub(1).filter(|&value| self.tokens.kind(value) == TokenKind::Value) {
            Some(value) => diagnostic.with_choice("write a block, without `=`", [self.removed(value, value)]),
            None => diagnostic,
        }
    }

    /// Adds the edit for an operator that is a word.
    fn instead_of_word(&self, diagnostic: Finding, at: TokenIndex, meant: Option<BinaryOperator>) -> Finding {
        let Some(meant) = meant.filter(|_| self.begins_operand(at + 1)) else { return diagnostic };
        let sure = matches!(meant, BinaryOperator::And | BinaryOperator::Or);
        let edit = Replacement::new(self.token_span(at), meant.as_str());
        diagnostic.with_edits(Applicability::safe_if(sure), [edit])
    }

    /// Returns true if the current element of an object has reached its value.
    fn has_value(&self, group: Group, at: TokenIndex) -> bool {
        group.element.to(at).any(|token| matches!(self.tokens.kind(token), TokenKind::Assign))
            || self.find_colon_of_element(group, at)
    }

    /// Returns true if the current element has the colon of its key, not that of a conditional.
    pub(super) fn find_colon_of_element(&self, group: Group, end: TokenIndex) -> bool {
        let (mut questions, mut token) = (0, group.element);
        while token < end {
            let kind = self.tokens.kind(token);
            match kind {
                TokenKind::Question => questions += 1,
                TokenKind::Colon if questions == 0 => return true,
                TokenKind::Colon => questions -= 1,
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        false
    }

    /// Returns the advice for an operator that is a word in other languages, and the operator itself if replacing the
    /// word is enough.
    pub(super) fn word_operator(&self, at: TokenIndex) -> Option<(std::string::String, Option<BinaryOperator>)> {
        let word = |token: TokenIndex| match self.tokens.kind(token) {
            TokenKind::Identifier => self.text(token),
            _ => "",
        };
        match word(at) {
            "not" | "in" => {
                let help = "for membership use a function such as `contains(list, value)`; for negation write `!`";
                Some((help.to_owned(), None))
            }
            "if" | "unless" => Some(("a conditional is `condition ? value : other value`".to_owned(), None)),
            word => {
                let meant = BinaryOperator::meant_by(word)?;
                let help = match meant {
                    BinaryOperator::And | BinaryOperator::Or => {
                        format!("for the logical operator write `{}`", meant.as_str())
                    }
                    BinaryOperator::Divide | BinaryOperator::Modulo => {
                        "the operators for division are `/` and `%`".to_owned()
                    }
                    meant => format!("to compare, write `{}`", meant.as_str()),
                };
                Some((help, Some(meant)))
            }
        }
    }

    /// `not x`, if the error is at the `x`.
    fn negation(&self, region: Region, at: TokenIndex) -> Option<Finding> {
        let not = at.checked_sub(1).filter(|&not| not >= region.start && self.text(not) == "not")?;
        if !matches!(self.tokens.kind(at), TokenKind::Identifier | TokenKind::Literal) {
            return None;
        }
        let span = self.token_span(not);
        let end = self.token_span(at).start();
        let edit = Replacement::new(Span::new(span.start(), end), "!");
        let diagnostic = Finding::error(Code::UnknownOperator, span, "`not` is not an operator in HCL");
        // `not a == b` may be about the comparison.
        let after = self.last_of_path(at) + 1;
        let kind = self.tokens.kind(after.min(self.tokens.last()));
        let alone = matches!(kind, TokenKind::Newline | TokenKind::Comma) || kind.is_closer();
        let sure = Applicability::safe_if(alone && !self.tokens_before_are_operand(region, not));
        Some(diagnostic.with_help(format!("write `!{}`", self.path_from(at))).with_edits(sure, [edit]))
    }

    /// Returns true if an operand ends before a token.
    fn tokens_before_are_operand(&self, region: Region, at: TokenIndex) -> bool {
        at > region.start && self.before(at).ends_operand()
    }

    fn last_of_path(&self, at: TokenIndex) -> TokenIndex {
        let next = (1..=10).map(|step| at + step).take_while(|&token| token <= self.tokens.last());
        let accesses = next.take_while(|&token| self.tokens.kind(token) == TokenKind::GetAttr);
        accesses.last().filter(|_| self.tokens.kind(at) == TokenKind::Identifier).unwrap_or(at)
    }

    /// Returns a name with its attributes, or another token, for a message.
    fn path_from(&self, at: TokenIndex) -> std::borrow::Cow<'_, str> {
        excerpt(self.source.slice(self.span(at, self.last_of_path(at))))
    }

    pub(super) fn extra_after_expression(&self, region: Region, at: TokenIndex) -> Finding {
        use TokenKind::*;
        let kind = self.tokens.kind(at);
        let opener = self.opener(region);
        let subject = self.token_span(at);
        let name = self.name(at);
        if let Some(negation) = self.negation(region, at) {
            return negation;
        }
        if let Some((help, meant)) = self.word_operator(at) {
            let detail = format!("{name} is not an operator in HCL");
            let diagnostic = Finding::error(Code::UnknownOperator, subject, detail).with_help(help);
            return self.instead_of_word(diagnostic, at, meant);
        }
        let of = opener.map(|opener| self.tokens.kind(opener));
        if of == Some(Value) && self.tokens.kind(region.end) == CloseBlock {
            let detail = "a block on one line can hold only one argument";
            let diagnostic = Finding::error(Code::OneLineBlock, subject, detail)
                .with_help("put each argument, each block and the closing brace on a line of its own");
            let braces = opener.and_then(|value| value.checked_sub(2));
            let braces = braces.filter(|&braces| self.tokens.kind(braces) == OpenBlock);
            return match braces.and_then(|braces| self.opened_up(braces)) {
                Some((edits, without_commas)) => diagnostic.with_edits(Applicability::safe_if(without_commas), edits),
                None => diagnostic,
            };
        }
        match of {
            Some(Value) if kind == Comma => {
                let diagnostic =
                    Finding::error(Code::UnexpectedComma, subject, "arguments are not separated by commas")
                        .with_help("remove the comma: the end of the line is enough");
                let is_last = at + 1 == region.end;
                self.with_some_edits(diagnostic, true, is_last.then(|| [Replacement::removal(subject)]))
            }
            Some(Value) if matches!(kind, Assign) => {
                Finding::error(Code::ExtraAfterExpression, subject, "a second `=` is not possible here")
                    .with_help("start a new line for the next argument; to compare, write `==`")
            }
            Some(Value) => {
                let detail = format!("{name} is unexpected after the end of the value");
                let diagnostic = Finding::error(Code::ExtraAfterExpression, subject, detail);
                match (kind, self.before(at)) {
                    (OpenBrace | OpenBlock, Identifier | Literal) if at <= region.start + 3 => {
                        self.without_equals(diagnostic.with_help("a block is written without `=`"), region)
                    }
                    (Literal | Template, Literal | CloseTemplate) if self.text(at).starts_with('"') => {
                        diagnostic.with_help("put all of the text into one string, with `${…}` for values in it")
                    }
                    (Literal | Template, _) => {
                        diagnostic.with_help("an operator is missing, or there is one quote too many or too few")
                    }
                    (Identifier, _) if self.tokens.kind(at + 1) == Assign => {
                        let diagnostic = diagnostic.with_help("start a new line for the next argument");
                        self.with_some_edits(diagnostic, true, self.on_new_line(at).map(|edit| [edit]))
                    }
                    _ => diagnostic.with_help("end the line here, or join the values with an operator"),
                }
            }
            Some(Interpolation | IfDirective | In) => {
                let what = if of == Some(Interpolation) { "interpolation" } else { "directive" };
                let detail = format!("the closing `}}` of the {what} is expected, not {name}");
                let diagnostic = Finding::error(Code::ExtraAfterExpression, subject, detail)
                    .with_context(self.span(opener.unwrap_or(at), at));
                if matches!(kind, Colon | Identifier | Operator) {
                    let diagnostic =
                        diagnostic.with_help("for text that another program reads, write `$${` in place of `${`");
                    let dollar = opener.map(|opener| [self.doubled_sign(opener)]);
                    self.with_some_edits(diagnostic, false, dollar.filter(|_| of == Some(Interpolation)))
                } else {
                    diagnostic
                }
            }
            _ => {
                let detail = format!("{name} is unexpected after the end of the expression");
                Finding::error(Code::ExtraAfterExpression, subject, detail)
            }
        }
    }
}
