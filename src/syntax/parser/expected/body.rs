//! Errors in bodies.

use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Finding};
use crate::source::{Replacement, Span};
use crate::syntax::index::TokenIndex;
use crate::syntax::parser::Parse;
use crate::syntax::parser::builder::Region;
use crate::syntax::parser::expected::fallback::Stop;
use crate::syntax::token::TokenKind;

impl Parse<'_> {
    /// Returns the error for an item of a body that is neither an attribute nor a block. `braces` is the opening brace
    /// of a one-line block, if the error is within it.
    pub(in crate::syntax::parser) fn body_error(
        &self,
        stop: &Stop,
        item: TokenIndex,
        braces: Option<TokenIndex>,
    ) -> Finding {
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
                    let dashes = self.span(item, item + 1);
                    Finding::error(Code::InvalidBodyItem, dashes, detail)
                        .with_help("comments begin with `#` or `//`")
                        .with_edits(Safe, [Replacement::new(dashes, "#")])
                }
                Operator | Minus | Question | Colon | GetAttr | Not if self.follows_expression(region, item) => {
                    let detail = format!("a line cannot begin with {}", self.name(item));
                    let help = "an expression continues on the next line only within brackets: put parentheses around all of it";
                    let diagnostic = Finding::error(Code::LineBreakInExpression, self.token_span(item), detail);
                    // A minus may begin an element of a list in YAML.
                    let sure = matches!(first, Operator | Question | Colon);
                    self.with_some_edits(diagnostic.with_help(help), sure, self.line_before_in_parentheses(item))
                }
                OpenBlock => {
                    let detail = "a brace begins neither an argument nor a block";
                    let help = match self.looks_like_json(item) {
                        true => "this looks like JSON: in HCL arguments are written as `name = value`",
                        false => "the `{` of a block follows its name on the same line",
                    };
                    Finding::error(Code::InvalidBodyItem, self.token_span(item), detail).with_help(help)
                }
                _ => {
                    let detail = format!("{} begins neither an argument nor a block", self.name(item));
                    Finding::error(Code::InvalidBodyItem, self.token_span(item), detail)
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
            let diagnostic = Finding::error(Code::InvalidBodyItem, subject, detail)
                .with_label(self.token_span(at), "this is unexpected")
                .with_help(help);
            return match kind {
                FatArrow if self.begins_operand(at + 1) => {
                    diagnostic.with_edits(Safe, [Replacement::new(self.token_span(at), "=")])
                }
                Literal | Minus => diagnostic.with_edits(NeedsReview, [self.inserted_before(at, "=")]),
                _ => diagnostic,
            };
        }
        let complete = item < at && matches!(self.before(at), CloseBlock) || self.follows_value(item, at);
        if complete && expected.includes("newline") {
            let what = if self.follows_value(item, at) { "argument" } else { "block" };
            let detail = format!("{} is unexpected after the end of the {what}", self.name(at));
            let diagnostic = Finding::error(Code::MissingNewline, self.token_span(at), detail)
                .with_help(format!("start a new line after the {what}"));
            let begins = kind == Identifier && matches!(tokens.kind(at + 1), Value | OpenBlock | String);
            return self.with_some_edits(diagnostic, begins, self.on_new_line(at).map(|edit| [edit]));
        }
        if first == Identifier && expected.includes("{") {
            return self.block_header_error(item, at);
        }
        self.unexpected(stop)
    }

    /// Returns true if a brace at the beginning of an item begins a JSON object.
    pub(in crate::syntax::parser) fn looks_like_json(&self, item: TokenIndex) -> bool {
        let next = item + 1 + u32::from(self.tokens.kind(item + 1) == TokenKind::Newline);
        self.tokens.kind(item) == TokenKind::OpenBlock && self.tokens.kind(next) == TokenKind::String
    }

    /// Returns true if an item is in the line after that of an expression.
    pub(super) fn follows_expression(&self, region: Region, item: TokenIndex) -> bool {
        item > region.start + 1
            && self.tokens.kind(item - 1) == TokenKind::Newline
            && self.tokens.kind(item - 2).ends_operand()
    }

    /// Returns true if the brace of a block follows in the line.
    pub(super) fn is_block_header(&self, region: Region, item: TokenIndex) -> bool {
        let mut kinds = item.to(region.end).map(|token| self.tokens.kind(token));
        let end = |kind: &TokenKind| matches!(kind, TokenKind::Newline | TokenKind::Value | TokenKind::OpenBlock);
        kinds.find(end) == Some(TokenKind::OpenBlock)
    }

    /// Returns true if a token is the one after an attribute's expression.
    pub(in crate::syntax::parser) fn follows_value(&self, item: TokenIndex, at: TokenIndex) -> bool {
        let value = item + 1;
        value < at && self.tokens.kind(value) == TokenKind::Value && self.tokens.closer(value) == at
    }

    pub(super) fn quoted_name(&self, region: Region, item: TokenIndex) -> Finding {
        let text = self.text(item).trim_matches('"').to_owned();
        let block = self.is_block_header(region, item);
        let (what, form) = if block { ("block type", "{ … }") } else { ("argument", "= …") };
        let diagnostic = Finding::error(
            Code::QuotedName,
            self.token_span(item),
            format!("the name of {} {what} is written without quotes", if block { "a" } else { "an" }),
        );
        if crate::syntax::is_identifier(&text) {
            let (edits, sure) = self.without_quotes(item, &text);
            // A block without labels may be meant as an object, whose keys may be in quotes.
            let header =
                region.start.checked_sub(3).map(|before| [0, 1, 2].map(|step| self.tokens.kind(before + step)));
            let may_be_object = matches!(
                header,
                Some([TokenKind::Newline | TokenKind::OpenBlock, TokenKind::Identifier, TokenKind::OpenBlock])
            );
            let sure = sure && (block || !may_be_object);
            diagnostic.with_help(format!("write `{text} {form}`")).with_edits(Applicability::safe_if(sure), edits)
        } else {
            diagnostic.with_help("a name is letters, digits, underscores and dashes; other keys belong in an object")
        }
    }

    /// Returns the edits that remove the quotes of a name, replace the colon of JSON by `=` and remove the comma at the
    /// end, and whether that is surely intended.
    fn without_quotes(&self, item: TokenIndex, name: &str) -> (Vec<Replacement>, bool) {
        let mut edits = vec![Replacement::new(self.token_span(item), name.to_owned())];
        let value = item + 1;
        let sign = self.token_span(value);
        if self.tokens.kind(value) != TokenKind::Value || self.source.slice(sign) != ":" {
            return (edits, true);
        }
        let space = if self.gap_before(value).is_some_and(|gap| gap.is_empty()) { " =" } else { "=" };
        let after = if self.gap_before(value + 1).is_some_and(|gap| gap.is_empty()) { " " } else { "" };
        edits.push(Replacement::new(sign, format!("{space}{after}")));
        let last = self.tokens.closer(value) - 1;
        if self.tokens.kind(last) == TokenKind::Comma {
            edits.push(Replacement::removal(self.token_span(last)));
        }
        // An object in JSON may be a block here.
        (edits, self.tokens.kind(value + 1) != TokenKind::OpenBrace)
    }

    /// Returns the edits that put parentheses around the value of the previous line, which the item continues.
    fn line_before_in_parentheses(&self, item: TokenIndex) -> Option<[Replacement; 2]> {
        const MAX_TOKENS: u32 = 200;
        let newline = item - 1;
        let value = newline
            .saturating_sub(MAX_TOKENS)
            .to(newline)
            .rev()
            .find(|&token| self.tokens.kind(token) == TokenKind::Value && self.tokens.closer(token) == newline)?;
        self.in_parentheses(value + 1, newline)
    }

    pub(super) fn block_header_error(&self, item: TokenIndex, at: TokenIndex) -> Finding {
        use TokenKind::*;
        let name = self.shown(item);
        let subject = self.token_span(at);
        let context = self.span(item, at);
        let invalid =
            |detail: &str| Finding::error(Code::InvalidBlockHeader, subject, detail.to_owned()).with_context(context);
        match self.tokens.kind(at) {
            Template => {
                let sequence = (at + 1)
                    .to(self.tokens.closer(at))
                    .find(|&token| self.tokens.kind(token).is_opener())
                    .unwrap_or(at);
                let detail = "the label of a block is plain text, without template sequences";
                Finding::error(Code::TemplateInLabel, self.token_span(sequence), detail)
                    .with_context(context)
                    .with_help("for a literal `${` write `$${`")
                    .with_edits(NeedsReview, [self.doubled_sign(sequence)])
            }
            Newline if self.tokens.kind(at + 1) == OpenBlock => {
                let brace = at + 1;
                let gap = Span::of(self.tokens.end(at - 1), self.tokens.start(brace));
                let diagnostic = invalid("the opening brace must be on the line of the header")
                    .with_label(self.token_span(brace), "move this up");
                let blank = self.source.slice(gap).trim_ascii().is_empty();
                let edit = blank.then(|| [Replacement::new(gap, " ")]);
                self.with_some_edits(diagnostic, self.tokens.kind(brace + 1) == Newline, edit)
            }
            Newline | EndOfFile if at == item + 2 && self.tokens.kind(item + 1) == String => {
                invalid("the opening brace of a block is missing")
                    .with_help(format!("for an argument write `{name} = …`"))
                    .with_edits(NeedsReview, [self.inserted_before(item + 1, "=")])
            }
            Newline | EndOfFile => invalid("the opening brace of the block is missing")
                .with_help(format!("the `{{` of a block belongs on the line of its name `{name}`")),
            Value => {
                let diagnostic = invalid("an equals sign does not belong in the header of a block")
                    .with_help("write `name = value` for an argument, or remove the `=` for a block");
                match self.tokens.kind(at + 1) {
                    OpenBrace | OpenBlock => diagnostic.with_choice("remove the `=`", [self.removed(at, at)]),
                    _ => diagnostic,
                }
            }
            GetAttr | Dot => {
                let accesses =
                    at.to(self.tokens.next()).take(20).take_while(|&token| self.tokens.kind(token) == GetAttr);
                let dots = accesses.map(|token| {
                    let dot = self.tokens.start(token);
                    Replacement::new(Span::of(dot, dot + 1), " ")
                });
                let diagnostic = invalid("a dot does not belong in the header of a block")
                    .with_help("write labels as separate words or strings");
                let edits: Vec<_> = dots.collect();
                self.with_some_edits(diagnostic, false, Some(edits).filter(|edits| !edits.is_empty()))
            }
            Literal => invalid("a label is a name or a string in double quotes")
                .with_help("put quotes around the label")
                .with_edits(NeedsReview, [Replacement::new(subject, format!("\"{}\"", self.text(at)))]),
            Comma => {
                let rest = (at + 1).to(self.tokens.next()).take(100);
                let labels = rest.take_while(|&token| matches!(self.tokens.kind(token), Comma | Identifier | String));
                let labels: Vec<TokenIndex> = labels.collect();
                let end = labels.last().map_or(at, |&last| last) + 1;
                let commas = labels.iter().filter(|&&token| self.tokens.kind(token) == Comma);
                let edits = std::iter::once(&at).chain(commas).map(|&comma| {
                    let space = if self.gap_before(comma + 1).is_some_and(|gap| gap.is_empty()) { " " } else { "" };
                    Replacement::new(self.token_span(comma), space)
                });
                invalid("labels are not separated by commas")
                    .with_help("separate labels with spaces")
                    .with_edits(Applicability::safe_if(self.tokens.kind(end) == OpenBlock), edits)
            }
            _ => {
                let diagnostic = invalid("a label or the opening brace of the block is expected here")
                    .with_help("a label that is not a single word needs quotes");
                self.with_some_edits(diagnostic, true, self.label_in_quotes(item, at).map(|edit| [edit]))
            }
        }
    }

    /// Returns the edit that puts a label such as a path in quotes, if the error is in the last label.
    fn label_in_quotes(&self, item: TokenIndex, at: TokenIndex) -> Option<Replacement> {
        const MAX_LENGTH: usize = 200;
        let glued = at > item + 1 && self.gap_before(at)?.is_empty() && self.before(at) == TokenKind::Identifier;
        let start = self.tokens.start(if glued { at - 1 } else { at }) as usize;
        let (label, rest) = self.source.text()[start..].split_once('{')?;
        let word = label.trim_end_matches([' ', '\t']);
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@+*".contains(c);
        let is_path = word.len() < MAX_LENGTH && word.len() < label.len() && word.chars().all(plain);
        let begins_body = rest.starts_with(['\r', '\n', ' ', '}']);
        let place = Span::new(start, start + word.len());
        (is_path && begins_body && !word.contains("//")).then(|| Replacement::new(place, format!("\"{word}\"")))
    }

    pub(super) fn one_line_block_error(&self, item: TokenIndex, at: TokenIndex, braces: TokenIndex) -> Finding {
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
        let diagnostic =
            Finding::error(Code::OneLineBlock, subject, detail).with_label(header, "in this block").with_help(help);
        match self.opened_up(braces) {
            Some((edits, without_commas)) => diagnostic.with_edits(Applicability::safe_if(without_commas), edits),
            None => diagnostic,
        }
    }
}
