//! Messages about expressions that are not types.

use crate::body::Expression;
use crate::diagnostic::Applicability::{self, NeedsReview, Safe};
use crate::diagnostic::{Code, Diagnostic, Finding};
use crate::model::Type;
use crate::source::{Replacement, Span};
use crate::syntax::ast::{self, ExpressionKind, FunctionCall};
use crate::syntax::similar_name;

/// The kind of type that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// One without `any` and `optional`.
    Exact,
    /// A constraint whose attributes may be optional, but without defaults.
    Constraint,
    /// One whose attributes may be optional and have defaults.
    Defaults,
}

fn error(span: Span, detail: impl Into<std::borrow::Cow<'static, str>>) -> Finding {
    Finding::error(Code::InvalidType, span, detail)
}

/// Returns the words for all types that are allowed.
fn all_types(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Exact => "string, number, bool, list(…), set(…), map(…), tuple([…]) or object({…})",
        _ => "string, number, bool, any, list(…), set(…), map(…), tuple([…]) or object({…})",
    }
}

fn required(wanted: Wanted) -> String {
    format!("a type is required here: {}", all_types(wanted))
}

const CONSTRUCTORS: [&str; 5] = ["list", "set", "map", "tuple", "object"];
const NAMES: [&str; 9] = ["string", "number", "bool", "any", "list", "set", "map", "tuple", "object"];

/// Returns the meaning of a name from another language, or of a slip, and the right notation.
fn meant(name: &str, wanted: Wanted) -> Option<(&'static str, &'static str)> {
    let lower = name.to_ascii_lowercase();
    let element = if wanted == Wanted::Exact { "string" } else { "any" };
    let type_name = match &*lower {
        "int" | "integer" | "uint" | "long" | "short" | "float" | "double" | "decimal" | "num" | "i32" | "i64"
        | "f32" | "f64" | "int32" | "int64" | "uint32" | "uint64" | "float32" | "float64" | "bigint" => "number",
        "str" | "text" | "char" | "varchar" => "string",
        "boolean" | "bit" => "bool",
        "array" | "vector" | "vec" | "slice" | "sequence" | "seq" | "collection" => "list",
        "dict" | "dictionary" | "hash" | "hashmap" | "hashtable" | "mapping" => "map",
        "struct" | "record" | "class" => "object",
        "dynamic" | "mixed" | "unknown" | "interface" | "value" | "variant" => "any",
        _ => similar_name(&lower, NAMES)?,
    };
    let type_name = NAMES.into_iter().find(|known| *known == type_name)?;
    let written = match (type_name, element) {
        ("list", "any") => "list(any)",
        ("list", _) => "list(string)",
        ("set", "any") => "set(any)",
        ("set", _) => "set(string)",
        ("map", "any") => "map(any)",
        ("map", _) => "map(string)",
        ("tuple", _) => "tuple([string, number])",
        ("object", _) => "object({ name = string })",
        (plain, _) => plain,
    };
    Some((type_name, written))
}

/// Reports a name that is not a type by itself.
pub(super) fn no_such_type(name: &str, wanted: Wanted, span: Span) -> Finding {
    let (detail, help) = match name {
        "any" => {
            let detail = "an exact type is required here, but `any` stands for many";
            return error(span, detail)
                .with_help("write which type it is, such as string, number, bool or list(string)");
        }
        "list" | "set" | "map" => (format!("`{name}` needs the type of its elements"), None),
        "tuple" => ("`tuple` needs the types of its elements".to_owned(), None),
        "object" => ("`object` needs the names and types of its attributes".to_owned(), None),
        "optional" => {
            let detail = "`optional` needs a type".to_owned();
            (detail, Some("write `optional(string)`, as the type of an attribute of an object".to_owned()))
        }
        "null" => {
            let help = "every type allows null; an attribute that may be left out is `optional(string)`";
            ("there is no type named \"null\"".to_owned(), Some(help.to_owned()))
        }
        "true" | "false" => (format!("{name} is a value, not a type"), Some("write `bool`".to_owned())),
        _ => (format!("there is no type named \"{name}\""), None),
    };
    let diagnostic = error(span, detail);
    if let Some(help) = help {
        let diagnostic = diagnostic.with_help(help);
        return if matches!(name, "true" | "false") { diagnostic.with_writing(span, name, "bool") } else { diagnostic };
    }
    match meant(name, wanted) {
        Some((type_name, written)) if type_name != "any" || wanted != Wanted::Exact => {
            let same = type_name == name || name != name.to_ascii_lowercase();
            let help = if same { format!("write `{written}`") } else { format!("did you mean `{written}`?") };
            diagnostic.with_help(help).with_writing(span, name, written)
        }
        _ => diagnostic.with_help(all_types_help(wanted)),
    }
}

fn all_types_help(wanted: Wanted) -> String {
    format!("a type is {}", all_types(wanted))
}

/// A call of something that makes no types.
pub(super) fn no_such_constructor(name: &str, expression: ast::ExpressionNode<'_>) -> Finding {
    let detail = format!("there is no type named \"{name}\" that takes arguments");
    let diagnostic = error(expression.span(), detail);
    let whole_span = expression.span();
    match meant(name, Wanted::Defaults) {
        Some((type_name, _)) if CONSTRUCTORS.contains(&type_name) => {
            let start = whole_span.start();
            let written = Span::new(start, start + name.len());
            diagnostic.with_help(format!("did you mean `{type_name}`?")).with_writing(written, name, type_name)
        }
        Some((type_name, _)) => diagnostic
            .with_help(format!("did you mean `{type_name}`? It takes no arguments"))
            .with_edits(NeedsReview, [Replacement::new(whole_span, type_name)]),
        None => diagnostic
            .with_help("the types that take arguments are list(…), set(…), map(…), tuple([…]) and object({…})"),
    }
}

/// Reports an expression that is neither a name nor a call.
pub(super) fn no_type(expression: ast::ExpressionNode<'_>, wanted: Wanted) -> Finding {
    let diagnostic = error(expression.span(), required(wanted));
    let help = match expression.kind() {
        ExpressionKind::Template(template) => match template.as_text() {
            Some(text) => return with_unquoted(diagnostic, &text, expression.span()),
            None => "a type cannot be computed: write it out, without quotes".to_owned(),
        },
        ExpressionKind::Tuple(tuple) => match (tuple.elements().next(), tuple.elements().len()) {
            (Some(only), 1) => match short(only) {
                Some(text) => {
                    let list = format!("list({text})");
                    return diagnostic
                        .with_help(format!("a list of any length is written `{list}`"))
                        .with_edits(NeedsReview, [Replacement::new(expression.span(), list)]);
                }
                None => "a list of any length is written `list(…)`".to_owned(),
            },
            _ => "a list of any length is written `list(…)`, one of a fixed length `tuple([…])`".to_owned(),
        },
        ExpressionKind::Object(_) => "the type of an object is written `object({ … })`".to_owned(),
        ExpressionKind::For(_) | ExpressionKind::Splat(_) => "a type cannot be computed: write it out".to_owned(),
        ExpressionKind::Parentheses(inner) => match short(inner.inner()) {
            Some(text) => {
                return diagnostic
                    .with_help(format!("write it without parentheses: `{text}`"))
                    .with_edits(Safe, [Replacement::new(expression.span(), text.to_owned())]);
            }
            None => "write it without parentheses".to_owned(),
        },
        ExpressionKind::Binary(_) | ExpressionKind::Conditional(_) => match wanted {
            Wanted::Exact => "a type has no alternatives".to_owned(),
            _ => "a type has no alternatives; `any` allows all types".to_owned(),
        },
        ExpressionKind::Number(_) => "a value is not a type; did you mean `number`?".to_owned(),
        _ => return diagnostic,
    };
    diagnostic.with_help(help)
}

/// A value of JSON that says no type.
pub(super) fn no_type_in_json(expression: &Expression, wanted: Wanted) -> Finding {
    let place = expression.place();
    let diagnostic = error(place.span(), required(wanted));
    let Some(text) = expression.text_in_json() else {
        return diagnostic.with_help("in JSON a type is a string, such as \"list(string)\"");
    };
    let in_string = expression.in_string();
    match in_string.as_ref().and_then(Expression::as_native) {
        Some(native) => match no_type(native, wanted).help() {
            Some(help) => diagnostic.with_help(help.to_owned()),
            None => diagnostic,
        },
        None => match angle_brackets(&text) {
            Some(text) => diagnostic.with_help(format!("write parentheses: `{text}`")),
            None => diagnostic,
        },
    }
}

/// A type in quotes.
fn with_unquoted(diagnostic: Finding, text: &str, span: Span) -> Finding {
    let word: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
    let plain = text.len() <= MAX_TEXT && !text.chars().any(char::is_control);
    if NAMES.contains(&&*word) && plain {
        let (help, text) = match angle_brackets(text) {
            Some(text) => (format!("write parentheses: `{text}`"), text),
            None => (format!("write it without quotes: `{text}`"), text.to_owned()),
        };
        return diagnostic.with_help(help).with_edits(Safe, [Replacement::new(span, text)]);
    }
    match meant(text, Wanted::Defaults) {
        Some((_, written)) => diagnostic
            .with_help(format!("did you mean `{written}`, without quotes?"))
            .with_edits(NeedsReview, [Replacement::new(span, written)]),
        None => diagnostic.with_help("a type is written without quotes"),
    }
}

/// Returns the right notation of `list<string>`.
fn angle_brackets(text: &str) -> Option<String> {
    let text = text.trim();
    let is_type = |c: char| c.is_alphanumeric() || matches!(c, '<' | '>' | '(' | ')' | ' ' | '_');
    let fits = text.len() <= MAX_TEXT && text.contains('<') && text.ends_with('>') && text.chars().all(is_type);
    fits.then(|| text.replace('<', "(").replace('>', ")"))
}

/// The longest text that is shown in a help.
const MAX_TEXT: usize = 60;

/// Returns the text of an expression, if it is on one line.
fn short(expression: ast::ExpressionNode<'_>) -> Option<&str> {
    let text = expression.text();
    (text.len() <= MAX_TEXT && !text.contains('\n')).then_some(text)
}

/// Reports a primitive type that is called.
pub(super) fn takes_no_argument(call: FunctionCall<'_>, whole_span: Span) -> Finding {
    let (name, span) = (call.name(), call.open_span().join(call.close_span()));
    let detail = format!("the type `{name}` takes no arguments");
    let sure = call.arguments().next().is_none();
    error(span, detail)
        .with_context(whole_span)
        .with_help(format!("write `{name}`"))
        .with_edits(Applicability::safe_if(sure), [Replacement::removal(span)])
}

/// Returns the description of a constructor's argument, and an example.
fn argument_of(name: &str) -> (&'static str, &'static str) {
    match name {
        "tuple" => ("the types of its elements in brackets", "tuple([string, number])"),
        "object" => ("the names and types of its attributes in braces", "object({ name = string })"),
        "optional" => ("the type of the attribute", "optional(string)"),
        "set" => ("the type of its elements", "set(string)"),
        "map" => ("the type of its elements", "map(string)"),
        _ => ("the type of its elements", "list(string)"),
    }
}

pub(super) fn missing_argument(call: FunctionCall<'_>) -> Finding {
    let name = call.name();
    let (what, example) = argument_of(&name);
    let span = call.open_span().join(call.close_span());
    let argument = example.trim_start_matches(|c| c != '(').to_owned();
    error(span, format!("`{name}` needs an argument: {what}"))
        .with_help(format!("write `{example}`"))
        .with_edits(NeedsReview, [Replacement::new(span, argument)])
}

pub(super) fn extra_argument(call: FunctionCall<'_>, extra: Span) -> Finding {
    let name = call.name();
    let (what, example) = argument_of(&name);
    let help = match &*name {
        "map" => {
            let last = call.arguments().last().and_then(short).unwrap_or("string");
            format!("the keys of a map are always strings; only the type of its elements is written: `map({last})`")
        }
        "tuple" => "put all of them in one pair of brackets: `tuple([string, number])`".to_owned(),
        "object" => "put all of them in one pair of braces: `object({ name = string, port = number })`".to_owned(),
        _ => format!("write `{example}`; for elements of different types, in a fixed order, `tuple([string, number])`"),
    };
    error(extra, format!("`{name}` takes only one argument: {what}")).with_help(help)
}

pub(super) fn no_list_of_types(argument: ast::ExpressionNode<'_>) -> Finding {
    let detail = "the types of the elements of a tuple are required here, as a list in brackets";
    let diagnostic = error(argument.span(), detail);
    match short(argument) {
        Some(text) if argument.keyword().is_some() || argument.static_call().is_ok() => diagnostic
            .with_help(format!("write `tuple([{text}])`; a list of any length is `list({text})`"))
            .with_choice(format!("write `tuple([{text}])`"), [Replacement::new(argument.span(), format!("[{text}]"))]),
        _ => diagnostic.with_help("write `tuple([string, number])`"),
    }
}

pub(super) fn no_map_of_types(argument: ast::ExpressionNode<'_>) -> Finding {
    let detail = "the names and types of the attributes of an object are required here, in braces";
    let help = match short(argument) {
        Some(text) if argument.keyword().is_some() || argument.static_call().is_ok() => {
            format!("write `object({{ name = {text} }})`; with any names it is `map({text})`")
        }
        _ => "write `object({ name = string })`".to_owned(),
    };
    error(argument.span(), detail).with_help(help)
}

pub(super) fn no_attribute_name(key: ast::ExpressionNode<'_>) -> Finding {
    let diagnostic = error(key.span(), "the name of an attribute is required here, as a plain word");
    let plain = match key.kind() {
        ExpressionKind::Template(template) => template.as_text(),
        _ => None,
    };
    match plain.filter(|name| crate::syntax::is_identifier(name)) {
        Some(name) => diagnostic
            .with_help(format!("write it without quotes: `{name}`"))
            .with_edits(Safe, [Replacement::new(key.span(), name.into_owned())]),
        None => diagnostic.with_help("for attributes of any name use a map: `map(string)`"),
    }
}

pub(super) fn duplicate_attribute(name: &str, span: Span, first: Span) -> Finding {
    let detail = format!("the attribute \"{name}\" already has a type");
    error(span, detail).with_label(first, "its type is given here")
}

pub(super) fn misplaced_optional(call: FunctionCall<'_>, whole_span: Span) -> Finding {
    let detail = "`optional` is only for the attributes of an object";
    let diagnostic = error(call.name_span(), detail).with_context(whole_span);
    match call.arguments().next().and_then(short) {
        Some(ty) => diagnostic
            .with_help(format!("write `{ty}`: everything may be null"))
            .with_edits(NeedsReview, [Replacement::new(whole_span, ty.to_owned())]),
        None => diagnostic.with_help("write a type: everything may be null"),
    }
}

pub(super) fn optional_in_exact_type(call: FunctionCall<'_>) -> Finding {
    let detail = "an exact type is required here, without optional attributes";
    let diagnostic = error(call.name_span(), detail);
    match call.arguments().next().and_then(short) {
        Some(ty) => {
            let whole_span = call.name_span().join(call.close_span());
            let edit = Replacement::new(whole_span, ty.to_owned());
            diagnostic.with_help(format!("write `{ty}`")).with_edits(NeedsReview, [edit])
        }
        None => diagnostic.with_help("write a type"),
    }
}

pub(super) fn extra_in_optional(call: FunctionCall<'_>, most: usize) -> Finding {
    let span = call.open_span().join(call.close_span());
    let detail = match most {
        1 => "`optional` takes one argument here, the type: there is no place for a default",
        _ => "`optional` takes at most two arguments: the type and a default",
    };
    error(span, detail)
}

/// Adds that a default must be constant, if that helps with the error in its expression.
pub(super) fn constant_default(diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.code() {
        Code::VariablesNotAllowed | Code::FunctionsNotAllowed => {
            diagnostic.with_help("the default of an attribute must be a constant")
        }
        _ => diagnostic,
    }
}

pub(super) fn unsuitable_default(expression: ast::ExpressionNode<'_>, ty: &Type, why: &str) -> Finding {
    let detail = format!("the default does not fit the type of the attribute, which is {ty}: {why}");
    Finding::error(Code::InvalidDefault, expression.span(), detail)
}
