//! From a token that no rule expects to a diagnostic: what is wrong, in words of the language
//! rather than of the grammar, and what to do.

use super::Parse;
use super::builder::Region;
use super::recover::{Brackets, Group};
use std::borrow::Cow;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::excerpt;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    /// Where a token is; an attribute access begins with its dot.
    pub(super) fn token_span(&self, token: u32) -> Span {
        let token = token.min(self.tokens.len() - 1);
        let span = self.tokens.span(self.source.text().as_bytes(), token);
        if self.tokens.kind(token) == TokenKind::GetAttr {
            let before = self.source.text()[..span.start()].trim_end_matches([' ', '\t']);
            if before.ends_with('.') {
                return Span::new(before.len() as u32 - 1, span.end() as u32);
            }
        }
        span
    }

    /// The kind of the token in front of another.
    fn before(&self, token: u32) -> TokenKind {
        token.checked_sub(1).map_or(TokenKind::Newline, |before| self.tokens.kind(before))
    }

    fn text(&self, token: u32) -> &str {
        self.source.slice(self.token_span(token))
    }

    /// The text of a token as it is put into a message.
    fn shown(&self, token: u32) -> Cow<'_, str> {
        excerpt(self.text(token))
    }

    fn span(&self, first: u32, last: u32) -> Span {
        self.token_span(first).join(self.token_span(last.max(first)))
    }

    /// What a token is called in a message.
    fn name(&self, token: u32) -> std::string::String {
        use TokenKind::*;
        let span = self.token_span(token);
        match self.tokens.kind(token.min(self.tokens.len() - 1)) {
            Newline if span.is_empty() && span.end() == self.source.text().len() => "the end of the file".to_owned(),
            Newline => "the end of the line".to_owned(),
            EndOfFile => "the end of the file".to_owned(),
            Template | String => "a string".to_owned(),
            Literal if self.text(token).starts_with('"') => "a string".to_owned(),
            TemplateLiteral => "text".to_owned(),
            GetAttr => format!("`{}`", self.shown(token)),
            _ => format!("`{}`", self.shown(token)),
        }
    }

    // The structural language.

    /// An item of a body that is neither an attribute nor a block. `braces` is the opening brace of
    /// a one-line block, if the error is within it.
    pub(super) fn body_error(&self, region: Region, item: u32, at: u32, braces: Option<u32>) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
        let kind = tokens.kind(at);
        let first = tokens.kind(item);
        if let Some(braces) = braces {
            return self.one_line_block_error(item, at, braces);
        }
        if item == at {
            return match first {
                String | Template => self.quoted_name(region, item),
                Minus if self.text(item + 1) == "-" && self.text(item + 2) != "-" => {
                    let detail = "`--` does not begin a comment";
                    Diagnostic::error(Code::InvalidBodyItem, self.span(item, item + 1), detail)
                        .with_help("comments begin with `#` or `//`")
                }
                Operator | Minus | Question | Colon | GetAttr | Not if self.follows_expression(region, item) => {
                    let detail = format!("a line cannot begin with {}", self.name(item));
                    let help =
                        "an expression goes on in the next line only within brackets: put parentheses around all of it";
                    Diagnostic::error(Code::LineBreakInExpression, self.token_span(item), detail).with_help(help)
                }
                OpenBlock => {
                    let detail = "a brace begins neither an argument nor a block";
                    let help = match self.looks_like_json(item) {
                        true => "this looks like JSON: in HCL arguments are written as `name = value`",
                        false => "the `{` of a block stands behind its name, in the same line",
                    };
                    Diagnostic::error(Code::InvalidBodyItem, self.token_span(item), detail).with_help(help)
                }
                _ => {
                    let detail = format!("{} begins neither an argument nor a block", self.name(item));
                    Diagnostic::error(Code::InvalidBodyItem, self.token_span(item), detail)
                        .with_help("an argument is `name = value`, a block is `name { … }`")
                }
            };
        }
        let name = self.shown(item);
        let brace_below = kind == Newline && tokens.kind(at + 1) == OpenBlock;
        if first == Identifier && at == item + 1 && kind != Template && !brace_below {
            let subject = self.token_span(item);
            let (detail, help) = match kind {
                Newline => (
                    format!("`{name}` is neither an argument nor a block"),
                    format!("write `{name} = value` for an argument or `{name} {{ … }}` for a block"),
                ),
                GetAttr | OpenBracket if self.is_block_header(region, item) => (
                    "the type of a block is a single word".to_owned(),
                    "write labels behind it as separate words or strings".to_owned(),
                ),
                GetAttr | OpenBracket => (
                    format!(
                        "the name of an argument is a single word, not a path such as `{name}{}`",
                        self.name(at).replace('`', "")
                    ),
                    "to set a part of an object, write the whole object".to_owned(),
                ),
                Literal | Minus => (
                    format!("`{name}` is followed by {}", self.name(at)),
                    format!("if `{name}` is an argument, write `{name} = …`"),
                ),
                FatArrow => ("`=>` does not assign a value".to_owned(), format!("write `{name} = …`")),
                OpenParen => (
                    format!("a function call such as `{name}(…)` cannot stand alone"),
                    "use its value: `name = …`".to_owned(),
                ),
                _ => (
                    format!("`{name}` is followed by {}", self.name(at)),
                    format!("write `{name} = value` for an argument or `{name} {{ … }}` for a block"),
                ),
            };
            return Diagnostic::error(Code::InvalidBodyItem, subject, detail)
                .with_label(self.token_span(at), "this is unexpected")
                .with_help(help);
        }
        let complete = item < at && matches!(self.before(at), CloseBlock) || self.follows_value(item, at);
        if complete {
            let what = if self.follows_value(item, at) { "argument" } else { "block" };
            let detail = format!("{} stands behind the end of the {what}", self.name(at));
            return Diagnostic::error(Code::MissingNewline, self.token_span(at), detail)
                .with_help(format!("begin a new line behind the {what}"));
        }
        if first == Identifier {
            return self.block_header_error(item, at);
        }
        Diagnostic::error(Code::InvalidBodyItem, self.token_span(at), format!("{} is unexpected", self.name(at)))
    }

    /// Whether a brace that begins an item is that of a JSON object.
    pub(super) fn looks_like_json(&self, item: u32) -> bool {
        let next = item + 1 + u32::from(self.tokens.kind(item + 1) == TokenKind::Newline);
        self.tokens.kind(item) == TokenKind::OpenBlock && self.tokens.kind(next) == TokenKind::String
    }

    /// Whether an item stands in the line behind that of an expression.
    fn follows_expression(&self, region: Region, item: u32) -> bool {
        item > region.start + 1
            && self.tokens.kind(item - 1) == TokenKind::Newline
            && self.tokens.kind(item - 2).ends_operand()
    }

    /// Whether the brace of a block follows in the line.
    fn is_block_header(&self, region: Region, item: u32) -> bool {
        let mut kinds = (item..region.end).map(|token| self.tokens.kind(token));
        let end = |kind: &TokenKind| matches!(kind, TokenKind::Newline | TokenKind::Value | TokenKind::OpenBlock);
        kinds.find(end) == Some(TokenKind::OpenBlock)
    }

    /// Whether a token is the one behind an attribute's expression.
    fn follows_value(&self, item: u32, at: u32) -> bool {
        let value = item + 1;
        value < at && self.tokens.kind(value) == TokenKind::Value && self.tokens.closer(value) == at
    }

    fn quoted_name(&self, region: Region, item: u32) -> Diagnostic {
        let text = self.text(item).trim_matches('"').to_owned();
        let block = self.is_block_header(region, item);
        let (what, form) = if block { ("block type", "{ … }") } else { ("argument", "= …") };
        let diagnostic = Diagnostic::error(
            Code::QuotedName,
            self.token_span(item),
            format!("the name of {} {what} is not in quotes", if block { "a" } else { "an" }),
        );
        if crate::syntax::is_identifier(&text) {
            diagnostic.with_help(format!("write `{text} {form}`"))
        } else {
            diagnostic.with_help("a name is letters, digits, underscores and dashes; other keys belong into an object")
        }
    }

    fn block_header_error(&self, item: u32, at: u32) -> Diagnostic {
        use TokenKind::*;
        let name = self.shown(item);
        let subject = self.token_span(at);
        let context = self.span(item, at);
        let invalid = |detail: &str| {
            Diagnostic::error(Code::InvalidBlockHeader, subject, detail.to_owned()).with_context(context)
        };
        match self.tokens.kind(at) {
            Template => {
                let sequence =
                    (at + 1..self.tokens.closer(at)).find(|&token| self.tokens.kind(token).is_opener()).unwrap_or(at);
                let detail = "the label of a block is plain text, without template sequences";
                Diagnostic::error(Code::TemplateInLabel, self.token_span(sequence), detail)
                    .with_context(context)
                    .with_help("for a literal `${` write `$${`")
            }
            Newline if self.tokens.kind(at + 1) == OpenBlock => {
                invalid("the opening brace stands in the line of the header")
                    .with_label(self.token_span(at + 1), "move this up")
            }
            Newline | EndOfFile if at == item + 2 && self.tokens.kind(item + 1) == String => {
                invalid("the opening brace of a block is missing")
                    .with_help(format!("for an argument write `{name} = …`"))
            }
            Newline | EndOfFile => invalid("the opening brace of the block is missing")
                .with_help(format!("the `{{` of a block stands in the line of its name `{name}`")),
            Value => invalid("an equals sign does not belong into the header of a block")
                .with_help("write `name = value` for an argument, or remove the `=` for a block"),
            GetAttr | Dot => invalid("a dot does not belong into the header of a block")
                .with_help("write labels as separate words or strings"),
            Literal => {
                invalid("a label is a name or a string in double quotes").with_help("put quotes around the label")
            }
            Comma => invalid("labels are not separated by commas").with_help("write labels side by side"),
            _ => invalid("a label or the opening brace of the block is expected here")
                .with_help("a label that is more than a single word is in quotes"),
        }
    }

    fn one_line_block_error(&self, item: u32, at: u32, braces: u32) -> Diagnostic {
        use TokenKind::*;
        let header = self.span(item, braces);
        let help = "write each argument and block in a line of its own, and the closing brace too";
        let kind = self.tokens.kind(at);
        let (subject, detail) = match kind {
            Newline if at == braces + 2 => {
                let name = self.shown(at - 1);
                (self.token_span(at - 1), format!("`{name}` is neither an argument nor a block"))
            }
            Newline => (
                self.token_span(at),
                "a block that begins with an argument in its first line ends in that line".to_owned(),
            ),
            OpenBlock | Identifier | String | BlockBody if at > braces + 1 && self.before(at) != CloseBlock => {
                (self.span(braces + 1, at), "a block in one line holds one argument and no block".to_owned())
            }
            _ => (self.token_span(at), "a block in one line holds one argument at most".to_owned()),
        };
        Diagnostic::error(Code::OneLineBlock, subject, detail).with_label(header, "in this block").with_help(help)
    }

    // The expression language.

    /// An expression with something else than expected in it; `group` is what is open there.
    pub(super) fn expression_error(&self, region: Region, at: u32, group: Option<Group>) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
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
        if let Some(group) = group.filter(|group| group.brackets == Brackets::For)
            && let Some(diagnostic) = self.for_error(group, at, operand_ended)
        {
            return diagnostic;
        }
        if !operand_ended {
            return self.missing_expression(region, at, group);
        }
        if kind == AttrSplat {
            let star = self.token_span(at).end() as u32;
            let detail = "a `.*` cannot follow within the reach of another `.*`";
            return Diagnostic::error(Code::NestedSplat, Span::new(star - 1, star), detail)
                .with_help("use the full splat `[*]`, which may be nested");
        }
        if self.conditional_is_open(element, at) && !matches!(kind, Ellipsis) {
            return Diagnostic::error(
                Code::IncompleteConditional,
                self.token_span(at),
                format!("a `:` and the value for the other case are expected, not {}", self.name(at)),
            )
            .with_help(if kind == Newline && group.is_none() {
                "to go on in the next line, put parentheses around all of it"
            } else {
                "a conditional is `condition ? value : other value`"
            });
        }
        if kind == Ellipsis || previous == Some(Ellipsis) {
            return self.ellipsis_error(at, previous == Some(Ellipsis), group);
        }
        match group {
            None => self.extra_after_expression(region, at),
            Some(group) => self.missing_separator(region, at, group),
        }
    }

    fn missing_attribute_name(&self, dot: u32) -> Diagnostic {
        let next = self.token_span(dot + 1);
        let detail = format!("a name is expected behind the dot, not {}", self.name(dot + 1));
        let diagnostic =
            Diagnostic::error(Code::MissingAttributeName, next, detail).with_context(self.span(dot, dot + 1));
        match self.tokens.kind(dot + 1) {
            TokenKind::Literal | TokenKind::Template => {
                diagnostic.with_help("write a computed or quoted name in brackets: `[\"…\"]`")
            }
            _ => diagnostic,
        }
    }

    /// Whether the tokens in front are a name with namespaces.
    fn follows_namespace(&self, region: Region, at: u32) -> bool {
        at >= region.start + 2
            && self.before(at) == TokenKind::Identifier
            && self.tokens.kind(at - 2) == TokenKind::DoubleColon
    }

    fn namespace_error(&self, at: u32) -> Diagnostic {
        // A name with accesses is one terminal, and the name may be right.
        let is_name = self.before(at) == TokenKind::DoubleColon && self.tokens.kind(at) == TokenKind::Identifier;
        let at = at + u32::from(is_name);
        let detail = match self.before(at) {
            TokenKind::DoubleColon => format!("a name is expected behind `::`, not {}", self.name(at)),
            TokenKind::Identifier if self.tokens.kind(at) != TokenKind::DoubleColon => {
                format!("the arguments of the function are expected here, not {}", self.name(at))
            }
            _ => "`::` stands between names of functions only".to_owned(),
        };
        Diagnostic::error(Code::NamespaceWithoutCall, self.token_span(at), detail)
            .with_help("only functions have names with namespaces: `a::b(…)`")
    }

    fn for_error(&self, group: Group, at: u32, operand_ended: bool) -> Option<Diagnostic> {
        use TokenKind::*;
        let tokens = self.tokens;
        let tuple = tokens.kind(group.opener) == OpenBracket;
        let error = |detail: std::string::String| {
            let form =
                if tuple { "[for name in collection : value]" } else { "{for name in collection : key => value}" };
            Some(
                Diagnostic::error(Code::ForExpression, self.token_span(at), detail)
                    .with_context(self.span(group.opener, at))
                    .with_help(format!("the form is `{form}`")),
            )
        };
        let intro = group.opener + 2;
        let found = self.name(at);
        if at == intro {
            return error(format!("the name of a variable is expected behind `for`, not {found}")).map(|diagnostic| {
                if tuple || !matches!(tokens.kind(at), Assign | Colon) {
                    return diagnostic;
                }
                diagnostic.with_help("for a key `for` write it in quotes: `\"for\"`")
            });
        }
        let depth_one = |kind: TokenKind| self.find_in_group(group, at, kind);
        let Some(_) = depth_one(In) else {
            let detail = match self.before(at) {
                Comma => format!("the name of a second variable is expected behind the comma, not {found}"),
                _ => format!("`in` is expected behind the names, not {found}"),
            };
            return error(detail);
        };
        let colon = self.for_colon(group, at);
        if colon.is_none() {
            return operand_ended
                .then(|| error(format!("`:` is expected behind the collection, not {found}")))
                .flatten();
        }
        let arrow = depth_one(FatArrow);
        match (tuple, tokens.kind(at)) {
            (true, FatArrow) => {
                let key = self.span(colon.map_or(intro, |colon| colon + 1), at - 1);
                let detail = "the values of a tuple have no keys";
                Some(
                    Diagnostic::error(Code::ForExpression, key, detail)
                        .with_label(self.token_span(at), "`=>` is for objects")
                        .with_help("for an object write braces: `{for name in collection : key => value}`"),
                )
            }
            (true, Ellipsis) => error("`...` groups the values of an object, not of a tuple".to_owned()),
            _ if !operand_ended => None,
            (false, _) if arrow.is_none() => {
                let only = self.span(colon.map_or(intro, |colon| colon + 1), depth_one(If).unwrap_or(at) - 1);
                let detail = "an object needs a key and a value for each element: `key => value`";
                Some(
                    Diagnostic::error(Code::ForExpression, only, detail)
                        .with_label(self.token_span(at), format!("`=>` and a value are expected in front of {found}"))
                        .with_help(match tokens.kind(at) {
                            Assign | Colon => "write `=>` between the key and the value",
                            CloseBrace => "for a tuple write square brackets: `[for name in collection : value]`",
                            _ => "the form is `{for name in collection : key => value}`",
                        }),
                )
            }
            _ if self.conditional_is_open(colon.map_or(group.element, |colon| colon + 1), at) => None,
            (false, Ellipsis) => error("`...` stands behind the value, in front of the `if`".to_owned()),
            _ => error(format!("the end of the for expression is expected, not {found}")),
        }
    }

    /// A token of a kind within a pair of brackets but not within an inner pair.
    fn find_in_group(&self, group: Group, end: u32, kind: TokenKind) -> Option<u32> {
        let mut token = group.opener + 1;
        while token < end {
            let found = self.tokens.kind(token);
            if found == kind {
                return Some(token);
            }
            token = if found.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        None
    }

    /// The colon of a *for expression*, which is not one of a conditional.
    fn for_colon(&self, group: Group, end: u32) -> Option<u32> {
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

    /// Whether a `?` waits for its `:`.
    fn conditional_is_open(&self, start: u32, end: u32) -> bool {
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

    fn missing_expression(&self, region: Region, at: u32, group: Option<Group>) -> Diagnostic {
        use TokenKind::*;
        let kind = self.tokens.kind(at);
        let subject = self.token_span(at);
        let previous = (at > region.start).then(|| self.before(at));
        let name = self.name(at);
        let in_line = group.is_none_or(|group| group.brackets == Brackets::Object);
        let dangling = matches!(previous, Some(Operator | Minus | Not | Question | Colon));
        let next = self.tokens.kind((at + 1).min(self.tokens.len() - 1));
        let behind = self.tokens.kind((at + 2).min(self.tokens.len() - 1));
        let goes_on = !matches!((next, behind), (Identifier, Value | OpenBlock | String) | (CloseBlock | EndOfFile, _));
        if kind == Newline && dangling && !goes_on {
            let operator = self.text(at - 1);
            let detail = format!("an operand is expected behind `{operator}`");
            let diagnostic = Diagnostic::error(Code::MissingExpression, subject, detail);
            return if operator == "%" {
                diagnostic.with_help("`%` is the remainder of a division; there are no percentages")
            } else {
                diagnostic
            };
        }
        if kind == Newline && in_line && dangling {
            let operator = self.text(at - 1);
            return Diagnostic::error(
                Code::LineBreakInExpression,
                subject,
                format!("the line ends behind `{operator}`, where the expression should go on"),
            )
            .with_help("to go on in the next line, put parentheses around all of it");
        }
        let adjacent = previous == Some(Question) && self.tokens.start(at) <= self.tokens.end(at - 1) + 1;
        if adjacent && matches!(kind, Question | GetAttr) {
            let (operator, help) = match kind {
                Question => {
                    ("??", "use a function such as `coalesce(a, b)` or `try(a, b)`, where the application has one")
                }
                _ => ("?.", "use a function such as `try(a.b, null)`, where the application has one"),
            };
            let detail = format!("`{operator}` is no operator of HCL");
            return Diagnostic::error(Code::UnknownOperator, self.token_span(at - 1), detail).with_help(help);
        }
        if kind == Comma {
            return Diagnostic::error(
                Code::UnexpectedComma,
                subject,
                "an expression is expected in front of this comma",
            )
            .with_help("remove the comma, or add what is missing");
        }
        let detail = format!("an expression is expected here, not {name}");
        let diagnostic = Diagnostic::error(Code::MissingExpression, subject, detail);
        match kind {
            Newline if group.is_none() && previous.is_none() => {
                diagnostic.with_help("write the value in the line of the `=`; for none write `null`")
            }
            Dot | Operator if previous.is_none() => diagnostic.with_help("if this is text, put it in quotes"),
            FullSplat => diagnostic.with_help("a splat stands behind what it applies to: `name[*]`"),
            In | For | If => diagnostic,
            Assign if previous == Some(Assign) => diagnostic.with_help("to compare, write `==` without a space"),
            OpenBlock => diagnostic.with_help("a block is written without `=`"),
            _ => diagnostic,
        }
    }

    fn ellipsis_error(&self, at: u32, behind: bool, group: Option<Group>) -> Diagnostic {
        let call = group.is_some_and(|group| group.brackets == Brackets::Call);
        let detail = if behind && call {
            "the closing parenthesis is expected behind `...`"
        } else if call {
            "`...` stands right behind the last argument"
        } else {
            "`...` expands the last argument of a call, or groups the values of a for expression"
        };
        Diagnostic::error(Code::MisplacedEllipsis, self.token_span(at), detail)
            .with_help("to join lists, use a function such as `concat`, where the application has one")
    }

    fn missing_separator(&self, region: Region, at: u32, group: Group) -> Diagnostic {
        use TokenKind::*;
        let subject = self.token_span(at);
        let name = self.name(at);
        let context = self.span(group.opener, at);
        let expected =
            |code: Code, detail: std::string::String| Diagnostic::error(code, subject, detail).with_context(context);
        let word = self.word_operator(at);
        let diagnostic = match group.brackets {
            Brackets::Object => {
                let has_equals = (group.element..at).any(|token| matches!(self.tokens.kind(token), Assign))
                    || self.find_colon_of_element(group, at);
                if !has_equals && self.tokens.kind(at) == FatArrow {
                    expected(Code::MissingEquals, "`=>` belongs into for expressions".to_owned()).with_help("write `=`")
                } else if !has_equals {
                    let detail = format!("`=` and a value are expected behind the key, not {name}");
                    let diagnostic = expected(Code::MissingEquals, detail).with_help("an element is `key = value`");
                    let brace = |token| self.tokens.kind(token) == OpenBrace;
                    let header = brace(at) || self.tokens.kind(at) == Literal && brace(at + 1);
                    let block = header && group.opener == region.start;
                    match region.start.checked_sub(1).filter(|&value| block && self.tokens.kind(value) == Value) {
                        Some(value) => {
                            diagnostic.with_label(self.token_span(value), "if this is a block, remove the `=` here")
                        }
                        None => diagnostic,
                    }
                } else if self.tokens.kind(at) == Assign {
                    let detail = "a second `=` cannot stand here".to_owned();
                    expected(Code::MissingComma, detail).with_help("separate elements by a comma or a newline")
                } else {
                    let detail = format!("a comma or a newline is expected in front of {name}");
                    expected(Code::MissingComma, detail)
                        .with_help("write each element in a line of its own, or commas between them")
                }
            }
            Brackets::Tuple | Brackets::Call => {
                let what = if group.brackets == Brackets::Tuple { "elements" } else { "arguments" };
                let detail = format!("a comma is expected in front of {name}");
                let diagnostic = expected(Code::MissingComma, detail);
                if self.tokens.kind(at) == OpenBrace && self.before(at) == Identifier {
                    diagnostic.with_help("a block cannot stand within brackets; an object has no name: `{ … }`")
                } else if matches!(self.tokens.kind(at), Assign | Colon | FatArrow) {
                    diagnostic.with_help(format!("{what} have no names; an object is in braces: `{{ name = value }}`"))
                } else {
                    diagnostic
                        .with_label(self.token_span(at - 1), "the comma is missing behind this")
                        .with_help(format!("separate {what} by commas"))
                }
            }
            Brackets::Index => {
                let detail = format!("`]` is expected behind the index, not {name}");
                let diagnostic = expected(Code::UnexpectedToken, detail);
                match self.tokens.kind(at) {
                    Colon => diagnostic.with_help(
                        "for a part of a list use a function such as `slice`, where the application has one",
                    ),
                    Comma => diagnostic.with_help("for an element of an element write `[…][…]`"),
                    _ => diagnostic,
                }
            }
            Brackets::Parentheses | Brackets::For => {
                let detail = format!("`)` is expected behind the expression, not {name}");
                let diagnostic = expected(Code::UnexpectedToken, detail);
                if self.tokens.kind(at) == Comma {
                    diagnostic.with_help("a tuple is in square brackets: `[1, 2]`")
                } else {
                    diagnostic
                }
            }
        };
        match word {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }

    /// Whether the element at hand has the colon of its key, rather than of a conditional.
    fn find_colon_of_element(&self, group: Group, end: u32) -> bool {
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

    /// What to write for an operator that is a word in other languages.
    fn word_operator(&self, at: u32) -> Option<&'static str> {
        let word = |token: u32| match self.tokens.kind(token) {
            TokenKind::Identifier => self.text(token),
            _ => "",
        };
        match word(at) {
            "and" => return Some("for the logical operator write `&&`"),
            "or" => return Some("for the logical operator write `||`"),
            "not" | "in" => {
                return Some("for membership use a function such as `contains(list, value)`; for negation write `!`");
            }
            "is" | "eq" => return Some("to compare, write `==`"),
            "div" | "mod" => return Some("the operators for division are `/` and `%`"),
            "if" | "unless" => return Some("a conditional is `condition ? value : other value`"),
            _ => {}
        }
        (at > 0 && word(at - 1) == "not").then_some("for negation write `!`")
    }

    fn extra_after_expression(&self, region: Region, at: u32) -> Diagnostic {
        use TokenKind::*;
        let kind = self.tokens.kind(at);
        let opener = region.start.checked_sub(1).map(|opener| self.tokens.kind(opener));
        let subject = self.token_span(at);
        let name = self.name(at);
        if let Some(help) = self.word_operator(at) {
            let detail = format!("{name} is no operator");
            return Diagnostic::error(Code::UnknownOperator, subject, detail).with_help(help);
        }
        if opener == Some(Value) && self.tokens.kind(region.end) == CloseBlock {
            let detail = "a block in one line holds one argument at most";
            return Diagnostic::error(Code::OneLineBlock, subject, detail)
                .with_help("write each argument and block in a line of its own, and the closing brace too");
        }
        match opener {
            Some(Value) if kind == Comma => {
                Diagnostic::error(Code::UnexpectedComma, subject, "arguments are not separated by commas")
                    .with_help("remove the comma: the end of the line is enough")
            }
            Some(Value) if matches!(kind, Assign) => {
                Diagnostic::error(Code::ExtraAfterExpression, subject, "a second `=` cannot stand here")
                    .with_help("begin a new line for the next argument; to compare, write `==`")
            }
            Some(Value) => {
                let detail = format!("{name} stands behind the end of the value");
                let diagnostic = Diagnostic::error(Code::ExtraAfterExpression, subject, detail);
                match (kind, self.before(at)) {
                    (OpenBrace | OpenBlock, Identifier | Literal) if at <= region.start + 3 => {
                        diagnostic.with_help("a block is written without `=`")
                    }
                    (Literal | Template, Literal | CloseTemplate) if self.text(at).starts_with('"') => {
                        diagnostic.with_help("put all of the text into one string, with `${…}` for values in it")
                    }
                    (Literal | Template, _) => {
                        diagnostic.with_help("an operator is missing, or a quote too many or too few")
                    }
                    (Identifier, _) if self.tokens.kind(at + 1) == Assign => {
                        diagnostic.with_help("begin a new line for the next argument")
                    }
                    _ => diagnostic.with_help("end the line here, or join the values by an operator"),
                }
            }
            Some(Interpolation | IfDirective | In) => {
                let what = if opener == Some(Interpolation) { "interpolation" } else { "directive" };
                let detail = format!("the closing `}}` of the {what} is expected, not {name}");
                let diagnostic = Diagnostic::error(Code::ExtraAfterExpression, subject, detail)
                    .with_context(self.span(region.start - 1, at));
                if matches!(kind, Colon | Identifier | Operator) {
                    diagnostic.with_help("for text that another program reads, write `$${` in place of `${`")
                } else {
                    diagnostic
                }
            }
            _ => {
                let detail = format!("{name} stands behind the end of the expression");
                Diagnostic::error(Code::ExtraAfterExpression, subject, detail)
            }
        }
    }

    // The template language.

    pub(super) fn template_error(&self, region: Region, at: u32) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
        let open = self.open_directives(region, at);
        let kind = tokens.kind(at);
        let sequence = |token: u32| match tokens.kind(token).is_opener() {
            true => self.span(token, tokens.closer(token)),
            false => self.token_span(token),
        };
        let keyword = |token: u32| if tokens.kind(token) == ForDirective { "for" } else { "if" };
        let unbalanced =
            |detail: std::string::String| Diagnostic::error(Code::UnbalancedDirective, sequence(at), detail);
        match (kind, open.last()) {
            (EndIfDirective | ElseDirective | EndForDirective, Some(&(directive, in_else))) => {
                let opener = keyword(directive);
                let (this, other) = match kind {
                    EndIfDirective => ("endif", "for"),
                    EndForDirective => ("endfor", "if"),
                    _ => ("else", "for"),
                };
                let label = format!("the `{opener}` that is open");
                if kind == ElseDirective && in_else {
                    return unbalanced("this `if` has an `else` already".to_owned())
                        .with_label(sequence(directive), label);
                }
                unbalanced(format!("this `{this}` stands within a `{other}`"))
                    .with_label(sequence(directive), label)
                    .with_help(format!("close the `{opener}` with `%{{ end{opener} }}` first"))
            }
            (EndIfDirective | ElseDirective | EndForDirective, None) => {
                let detail =
                    if kind == EndForDirective { "there is no `for` open here" } else { "there is no `if` open here" };
                unbalanced(detail.to_owned())
            }
            _ if at >= region.end => {
                let Some(&(directive, _)) = open.last() else {
                    return Diagnostic::error(
                        Code::UnexpectedToken,
                        self.token_span(at),
                        "the template ends too early",
                    );
                };
                let name = keyword(directive);
                Diagnostic::error(
                    Code::UnbalancedDirective,
                    self.token_span(at),
                    format!("the template ends in front of the `%{{ end{name} }}` of the open `{name}`"),
                )
                .with_label(sequence(directive), format!("the `{name}` that is open"))
                .with_help(format!("add `%{{ end{name} }}`"))
            }
            _ => self.directive_error(region, at),
        }
    }

    /// An error between the braces of a directive.
    fn directive_error(&self, region: Region, at: u32) -> Diagnostic {
        use TokenKind::*;
        let tokens = self.tokens;
        let directive = (region.start..at).rev().find(|&token| {
            matches!(tokens.kind(token), ForDirective | ElseDirective | EndIfDirective | EndForDirective)
        });
        let subject = self.token_span(at);
        let name = self.name(at);
        match directive.map(|directive| (directive, tokens.kind(directive))) {
            Some((directive, ForDirective)) => {
                let detail = match self.before(at) {
                    ForDirective => format!("the name of a variable is expected behind `for`, not {name}"),
                    Comma => format!("the name of a second variable is expected behind the comma, not {name}"),
                    _ => format!("`in` is expected behind the names, not {name}"),
                };
                Diagnostic::error(Code::ForExpression, subject, detail)
                    .with_context(self.span(directive, at))
                    .with_help("the form is `%{ for name in collection }`")
            }
            Some((directive, kind)) => {
                let keyword = match kind {
                    ElseDirective => "else",
                    EndIfDirective => "endif",
                    _ => "endfor",
                };
                let detail = format!("the closing `}}` is expected behind `{keyword}`, not {name}");
                let diagnostic =
                    Diagnostic::error(Code::ExtraInDirective, subject, detail).with_context(self.span(directive, at));
                if kind == ElseDirective && self.text(at) == "if" {
                    diagnostic.with_help("nest an `%{ if }` within `%{ else }` and close both with `%{ endif }`")
                } else {
                    diagnostic
                }
            }
            None => Diagnostic::error(Code::UnexpectedToken, subject, format!("{name} is unexpected here")),
        }
    }

    /// The directives that are open at a token, and whether their `else` has been read.
    fn open_directives(&self, region: Region, at: u32) -> Vec<(u32, bool)> {
        let mut open: Vec<(u32, bool)> = Vec::new();
        let mut token = region.start;
        while token < at {
            let kind = self.tokens.kind(token);
            match kind {
                TokenKind::IfDirective | TokenKind::ForDirective => open.push((token, false)),
                TokenKind::ElseDirective => open.iter_mut().rev().take(1).for_each(|last| last.1 = true),
                TokenKind::EndIfDirective | TokenKind::EndForDirective => drop(open.pop()),
                _ => {}
            }
            token = if kind.is_opener() { self.tokens.closer(token) + 1 } else { token + 1 };
        }
        open
    }
}
