//! Diagnostics with what helps to understand them: the values of the variables involved, and
//! names that were probably meant.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::{Scope, traversal, variables};
use crate::diagnostic::{Code, Finding as Diagnostic};
use crate::model::convert::ConvertError;
use crate::model::{Type, Value, View, hidden};
use crate::source::Span;
use crate::syntax::ast::{ExpressionKind, ExpressionNode, TemplateNode, TemplatePart};
use crate::syntax::similar;

/// The values of more variables than this do not make a message clearer.
const MAX_VALUES: usize = 5;

/// Longer texts are cut.
const MAX_TEXT: usize = 40;

/// Sentences with longer words in them are not understood.
const MAX_WORDS: usize = 300;

/// An error within an expression, labelled with the values of the variables in it.
pub(super) fn error(
    code: Code,
    subject: Span,
    detail: impl Into<Cow<'static, str>>,
    expression: ExpressionNode<'_>,
    scope: &Scope<'_>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(code, subject, detail).with_context(expression.span());
    with_values(diagnostic, expression, scope)
}

/// Adds the values of the variables in an expression. An expression may be large: only the first
/// variables are looked for.
pub(super) fn with_values(diagnostic: Diagnostic, expression: ExpressionNode<'_>, scope: &Scope<'_>) -> Diagnostic {
    let mut seen: Vec<&str> = Vec::new();
    let mut diagnostic = diagnostic;
    let used = variables::first_of(expression, 2 * MAX_VALUES, scope);
    let conceals = |text: &str| scope.is_concealed() || used.concealed.contains(text);
    for path in used.paths {
        let used = path.expression();
        if seen.len() == MAX_VALUES || seen.contains(&used.text()) {
            continue;
        }
        if let Some(value) = traversal::resolve(path, scope) {
            seen.push(used.text());
            let value = scope.as_shown(path.root().text(), value);
            let label = match conceals(used.text()) && !value.contains_marks() {
                true => format!("this is {}", hidden::AS_INPUT),
                false => describe(&value),
            };
            diagnostic = diagnostic.with_label(used.span(), label);
        }
    }
    diagnostic
}

/// A few words for a value. Of what is marked nothing is said but that.
pub(super) fn describe(value: &Value) -> String {
    if value.contains_marks() {
        return format!("this is {}", hidden::because(&value.marks_deep()));
    }
    match value.view() {
        View::Bool(value) => format!("this is {value}"),
        View::Number(number) => format!("this is {}", shortened(number)),
        View::String(text) => format!("this is {}", Value::from(shortened(text))),
        View::Null => "this is null".to_owned(),
        View::Capsule(_) => format!("this is {}", shortened(with_article(&value.ty()))),
        View::Unknown(_) if value.ty() == Type::Dynamic => "this is not known yet".to_owned(),
        View::Unknown(_) => format!("this is {}, not known yet", shortened(with_article(&value.ty()))),
        View::Object(attributes) => match attributes.len() {
            0 => "this is an object without attributes".to_owned(),
            _ => {
                let names: Vec<&str> = attributes.map(|(name, _)| name).take(MAX_VALUES).collect();
                let more = if value.elements().is_some_and(|all| all.len() > names.len()) { ", …" } else { "" };
                format!("this is an object with {}{more}", shortened(names.join(", ")))
            }
        },
        _ => {
            let count = value.elements().map_or(0, <[Value]>::len);
            let elements = if count == 1 { "element" } else { "elements" };
            let kind = match value.ty() {
                Type::Tuple(_) => "tuple".to_owned(),
                ty => shortened(ty),
            };
            format!("this is a {kind} with {count} {elements}")
        }
    }
}

/// The beginning of a text, which may be long, or be that of a type that nests deeply: what is not
/// shown is not made either.
fn shortened(text: impl fmt::Display) -> String {
    beginning(text, MAX_TEXT)
}

fn beginning(text: impl fmt::Display, most: usize) -> String {
    let mut start = Beginning { text: String::new(), left: most };
    if write!(start, "{text}").is_err() {
        start.text.push('…');
    }
    start.text
}

/// Why there is no conversion. The path to what is wrong has names of the value, which are not shown
/// where they may be secret.
pub(super) fn why(error: &ConvertError, scope: &Scope<'_>) -> String {
    let why = if scope.hides() { error.reason().to_owned() } else { error.to_string() };
    excerpt(&why).into_owned()
}

/// What a type or an error is in a sentence.
pub(super) fn in_words(text: impl fmt::Display) -> String {
    beginning(text, MAX_WORDS)
}

/// Takes so many characters and then no more.
struct Beginning {
    text: String,
    left: usize,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.left) {
            Some((end, _)) => {
                self.text.push_str(&text[..end]);
                self.left = 0;
                Err(fmt::Error)
            }
            None => {
                self.text.push_str(text);
                self.left -= text.chars().count();
                Ok(())
            }
        }
    }
}

/// The name of a type with the article before it.
pub(super) fn with_article(ty: &Type) -> String {
    let name = in_words(ty);
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// A message without its middle, if it is long: what a function says may contain what another one
/// said, and so on; the cause is at the end.
pub(super) fn excerpt(message: &str) -> Cow<'_, str> {
    const EITHER_END: usize = 300;
    let count = message.chars().count();
    if count <= 2 * EITHER_END {
        return Cow::Borrowed(message);
    }
    let start: String = message.chars().take(EITHER_END).collect();
    let end: String = message.chars().skip(count - EITHER_END).collect();
    Cow::Owned(format!("{start} … {end}"))
}

/// Among more names than this none is looked for: an evaluation may report a thousand errors, and
/// functions that try one thing after the other make many more.
pub(super) const MAX_CANDIDATES: usize = 2_000;

/// Asks whether a name was meant that there is. `written` is where the name is written.
pub(crate) fn suggest<'c>(
    diagnostic: Diagnostic,
    name: &str,
    written: Span,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Diagnostic {
    match similar(name, candidates) {
        Some(found) => diagnostic.with_help(format!("did you mean \"{found}\"?")).with_renaming(written, name, found),
        None => diagnostic,
    }
}

/// Where an expression begins, as far as it tells what kind of expression it is: the place where
/// the official engine reports arguments and what should be static.
pub(crate) fn start_of(expression: ExpressionNode<'_>) -> Span {
    let mut at = expression;
    loop {
        at = match at.kind() {
            ExpressionKind::Parentheses(parentheses) => parentheses.inner(),
            ExpressionKind::Conditional(conditional) => conditional.predicate(),
            ExpressionKind::Binary(operation) => operation.left(),
            ExpressionKind::Index(index) => {
                let start = index.brackets_span().start() as u32;
                return Span::new(start, start + 1);
            }
            ExpressionKind::Splat(splat) => return splat.operator_span(),
            ExpressionKind::FunctionCall(call) => return call.name_span().join(call.open_span()),
            ExpressionKind::Unary(operation) => return operation.operator_span(),
            ExpressionKind::Tuple(_) | ExpressionKind::Object(_) | ExpressionKind::For(_) => {
                return at.first_token_span();
            }
            ExpressionKind::Template(template) if template.unwrapped().is_some() => return at.span(),
            ExpressionKind::Template(template) => match template.parts().next() {
                Some(TemplatePart::Interpolation(first)) => first,
                Some(TemplatePart::If(directive)) => directive.predicate(),
                Some(TemplatePart::For(directive)) => {
                    let start = directive.span().start() as u32;
                    return Span::new(start, for_introduction_end(template, directive.collection(), start));
                }
                Some(TemplatePart::Literal(_, span)) => return text_within(template, span),
                None => {
                    let end = at.span().end() as u32;
                    return Span::new(end, end);
                }
            },
            ExpressionKind::Number(_) | ExpressionKind::Bool(_) | ExpressionKind::Null => return at.span(),
            ExpressionKind::Traversal(_) | ExpressionKind::RelativeTraversal(_) => return at.span(),
            ExpressionKind::SplatItem | ExpressionKind::Error(_) => return at.span(),
        };
    }
}

/// The text of a quoted string without its quotes.
fn text_within(template: TemplateNode<'_>, span: Span) -> Span {
    let text = &template.shared_source().text()[span.range()];
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        // An empty string has no text; the official engine points after it.
        Some("") => Span::new(span.end() as u32, span.end() as u32),
        Some(_) => Span::new(span.start() as u32 + 1, span.end() as u32 - 1),
        None => span,
    }
}

/// Where the sequence ends that begins a `for` directive.
fn for_introduction_end(template: TemplateNode<'_>, collection: ExpressionNode<'_>, start: u32) -> u32 {
    let text = template.shared_source().text();
    let end = collection.span().end();
    text[end..].find('}').map_or(start, |at| (end + at + 1) as u32)
}
