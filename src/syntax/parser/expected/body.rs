//! Errors in bodies.

use crate::diagnostic::{Code, Finding as Diagnostic};
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::Parse;
use crate::syntax::parser::builder::Region;
use crate::syntax::parser::recover::Stop;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    /// An item of a body that is neither an attribute nor a block. `braces` is the opening brace of
    /// a one-line block, if the error is within it.
    pub(in crate::syntax::parser) fn body_error(
        &self,
        stop: &Stop,
        item: TokenIndex,
        braces: Option<TokenIndex>,
    ) -> Diagnostic {
        use TokenKind::*;
        let (tokens, &Stop { region, at, ref expected }) = (self.tokens, stop);
        let kind = tokens.kind(at);
        let first = tokens.kind(item);
        if let Some(braces) = braces
            && ["}", "= expression"].iter().any(|name| expected.includes(name))
        {
            return self.one_line_block_error(item, at, braces);
        }
        if item == at && expected.includes("identifier") {
            return match first {
                String | Template => self.quoted_name(region, item),
                Minus if self.text(item + 1) == "-" && self.text(item + 2) != "-" => {
                    let detail = "`--` does not begin a comment";
                    Diagnostic::error(Code::InvalidBodyItem, self.span(item, item + 1), detail)
                        .with_help("comments begin with `#` or `//`")
                }
                Operator | Minus | Question | Colon | GetAttr | Not if self.follows_expression(region, item) => {
                    let detail = format!("a line cannot begin with {}", self.name(item));
                    let help = "an expression continues on the next line only within brackets: put parentheses around all of it";
                    Diagnostic::error(Code::LineBreakInExpression, self.token_span(item), detail).with_help(help)
                }
                OpenBlock => {
                    let detail = "a brace begins neither an argument nor a block";
                    let help = match self.looks_like_json(item) {
                        true => "this looks like JSON: in HCL arguments are written as `name = value`",
                        false => "the `{` of a block follows its name on the same line",
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
                    "write labels after it as separate words or strings".to_owned(),
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
                    format!("a function call such as `{name}(…)` cannot be used alone"),
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
        if complete && expected.includes("newline") {
            let what = if self.follows_value(item, at) { "argument" } else { "block" };
            let detail = format!("{} is unexpected after the end of the {what}", self.name(at));
            return Diagnostic::error(Code::MissingNewline, self.token_span(at), detail)
                .with_help(format!("start a new line after the {what}"));
        }
        if first == Identifier && expected.includes("{") {
            return self.block_header_error(item, at);
        }
        self.unexpected(stop)
    }

    /// Whether a brace that begins an item is that of a JSON object.
    pub(in crate::syntax::parser) fn looks_like_json(&self, item: TokenIndex) -> bool {
        let next = item + 1 + u32::from(self.tokens.kind(item + 1) == TokenKind::Newline);
        self.tokens.kind(item) == TokenKind::OpenBlock && self.tokens.kind(next) == TokenKind::String
    }

    /// Whether an item stands in the line after that of an expression.
    pub(super) fn follows_expression(&self, region: Region, item: TokenIndex) -> bool {
        item > region.start + 1
            && self.tokens.kind(item - 1) == TokenKind::Newline
            && self.tokens.kind(item - 2).ends_operand()
    }

    /// Whether the brace of a block follows in the line.
    pub(super) fn is_block_header(&self, region: Region, item: TokenIndex) -> bool {
        let mut kinds = item.to(region.end).map(|token| self.tokens.kind(token));
        let end = |kind: &TokenKind| matches!(kind, TokenKind::Newline | TokenKind::Value | TokenKind::OpenBlock);
        kinds.find(end) == Some(TokenKind::OpenBlock)
    }

    /// Whether a token is the one after an attribute's expression.
    pub(in crate::syntax::parser) fn follows_value(&self, item: TokenIndex, at: TokenIndex) -> bool {
        let value = item + 1;
        value < at && self.tokens.kind(value) == TokenKind::Value && self.tokens.closer(value) == at
    }

    pub(super) fn quoted_name(&self, region: Region, item: TokenIndex) -> Diagnostic {
        let text = self.text(item).trim_matches('"').to_owned();
        let block = self.is_block_header(region, item);
        let (what, form) = if block { ("block type", "{ … }") } else { ("argument", "= …") };
        let diagnostic = Diagnostic::error(
            Code::QuotedName,
            self.token_span(item),
            format!("the name of {} {what} is written without quotes", if block { "a" } else { "an" }),
        );
        if crate::syntax::is_identifier(&text) {
            diagnostic.with_help(format!("write `{text} {form}`"))
        } else {
            diagnostic.with_help("a name is letters, digits, underscores and dashes; other keys belong in an object")
        }
    }

    pub(super) fn block_header_error(&self, item: TokenIndex, at: TokenIndex) -> Diagnostic {
        use TokenKind::*;
        let name = self.shown(item);
        let subject = self.token_span(at);
        let context = self.span(item, at);
        let invalid = |detail: &str| {
            Diagnostic::error(Code::InvalidBlockHeader, subject, detail.to_owned()).with_context(context)
        };
        match self.tokens.kind(at) {
            Template => {
                let sequence = (at + 1)
                    .to(self.tokens.closer(at))
                    .find(|&token| self.tokens.kind(token).is_opener())
                    .unwrap_or(at);
                let detail = "the label of a block is plain text, without template sequences";
                Diagnostic::error(Code::TemplateInLabel, self.token_span(sequence), detail)
                    .with_context(context)
                    .with_help("for a literal `${` write `$${`")
            }
            Newline if self.tokens.kind(at + 1) == OpenBlock => {
                invalid("the opening brace must be on the line of the header")
                    .with_label(self.token_span(at + 1), "move this up")
            }
            Newline | EndOfFile if at == item + 2 && self.tokens.kind(item + 1) == String => {
                invalid("the opening brace of a block is missing")
                    .with_help(format!("for an argument write `{name} = …`"))
            }
            Newline | EndOfFile => invalid("the opening brace of the block is missing")
                .with_help(format!("the `{{` of a block belongs on the line of its name `{name}`")),
            Value => invalid("an equals sign does not belong in the header of a block")
                .with_help("write `name = value` for an argument, or remove the `=` for a block"),
            GetAttr | Dot => invalid("a dot does not belong in the header of a block")
                .with_help("write labels as separate words or strings"),
            Literal => {
                invalid("a label is a name or a string in double quotes").with_help("put quotes around the label")
            }
            Comma => invalid("labels are not separated by commas").with_help("separate labels with spaces"),
            _ => invalid("a label or the opening brace of the block is expected here")
                .with_help("a label that is not a single word needs quotes"),
        }
    }

    pub(super) fn one_line_block_error(&self, item: TokenIndex, at: TokenIndex, braces: TokenIndex) -> Diagnostic {
        use TokenKind::*;
        let header = self.span(item, braces);
        let help = "put each argument, each block and the closing brace on a line of its own";
        let kind = self.tokens.kind(at);
        let (subject, detail) = match kind {
            Newline if at == braces + 2 => {
                let name = self.shown(at - 1);
                (self.token_span(at - 1), format!("`{name}` is neither an argument nor a block"))
            }
            Newline => {
                (self.token_span(at), "a block with an argument on its first line must end on that line".to_owned())
            }
            OpenBlock | Identifier | String if at > braces + 1 && self.before(at) != CloseBlock => {
                (self.span(braces + 1, at), "a block on one line can hold one argument and no blocks".to_owned())
            }
            _ => (self.token_span(at), "a block on one line can hold only one argument".to_owned()),
        };
        Diagnostic::error(Code::OneLineBlock, subject, detail).with_label(header, "in this block").with_help(help)
    }
}
