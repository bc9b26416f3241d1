//! Error messages for type mismatches.

use std::borrow::Cow;
use std::fmt;

use super::element::Element;
use super::error::{Error, Kind, TooMuch};
use super::input::{At, Input, JsonInput, Label, Surroundings};
use super::path::Path;
use super::shape::Shape;
use super::words::{MAX_TEXT, in_words, shortened};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::json::Node;
use crate::model::{MarkSet, Number, Value, hidden};
use crate::similar::similar_name;
use crate::source::Place;

/// Among more names than this, none is listed.
const MAX_LISTED: usize = 8;

/// A path as the subject of a sentence.
struct Subject<'p>(&'p Path<'p>);

impl fmt::Display for Subject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_root() { f.write_str("the whole") } else { write!(f, "`{}`", self.0) }
    }
}

/// The place of a search, at the end of a sentence.
struct Within<'p>(&'p Path<'p>);

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_root() { f.write_str("here") } else { write!(f, "in `{}`", self.0) }
    }
}

/// The kind of input that a type wants.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Bool,
    Whole {
        least: i128,
        most: u128,
    },
    Number,
    /// A number of at most this size.
    Float {
        most: f64,
    },
    Char,
    Text,
    Bytes,
    Nothing,
    /// A list with elements of this kind.
    List(Element),
    Elements(usize),
    Object,
    Variant(&'static [&'static str]),
    Block,
    Expression,
    Template,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Bool => f.write_str("true or false"),
            Wanted::Whole { least, most } => write!(f, "a whole number from {least} to {most}"),
            Wanted::Number => f.write_str("a number"),
            Wanted::Float { most } => write!(f, "a number from {:.7e} to {most:.7e}", -most),
            Wanted::Char => f.write_str("a string of one character"),
            Wanted::Text => f.write_str("a string"),
            Wanted::Bytes => f.write_str("a string, or a list of numbers from 0 to 255"),
            Wanted::Nothing => f.write_str("null"),
            Wanted::List(Element::Plain) => f.write_str("a list"),
            Wanted::List(Element::Block { only: true, .. }) => f.write_str("blocks"),
            Wanted::List(Element::Block { only: false, .. }) => f.write_str("blocks, or a list of objects"),
            Wanted::Elements(1) => f.write_str("a list with 1 element"),
            Wanted::Elements(count) => write!(f, "a list with {count} elements"),
            Wanted::Object => f.write_str("an object, or a block"),
            Wanted::Variant(variants) => f.write_str(&one_of(variants)),
            Wanted::Block => f.write_str("a block"),
            Wanted::Expression => f.write_str("an expression"),
            Wanted::Template => f.write_str("a template in quotes, or a heredoc"),
        }
    }
}

pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [] => "something that does not exist".to_owned(),
        [only] => format!("\"{only}\""),
        [names @ .., last] if names.len() < MAX_LISTED => {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{} or \"{last}\"", names.join(", "))
        }
        names => format!("one of {} names", names.len()),
    }
}

/// Describes an input in a few words.
fn given(shape: &Shape<'_>, input: &Input<'_>) -> String {
    match shape {
        Shape::Null => "null".to_owned(),
        Shape::Bool(value) => value.to_string(),
        Shape::Small(number) => format!("the number {number}"),
        Shape::Number(number) => format!("the number {}", shortened(&number.to_string())),
        Shape::Text(text) => format!("the string {}", Value::from(&*shortened(text))),
        Shape::Tuple(_) | Shape::JsonArray | Shape::List(_) => "a list".to_owned(),
        Shape::Object(_) | Shape::JsonObject | Shape::Map(_) => "an object".to_owned(),
        Shape::Capsule => "a value that only the program knows".to_owned(),
        Shape::Other => match input {
            Input::Blocks(blocks) if blocks.len() > 1 => format!("{} blocks", blocks.len()),
            Input::Blocks(_) => "a block".to_owned(),
            Input::Body(_) => "a body".to_owned(),
            Input::Labels(_) => "the labels of a block".to_owned(),
            Input::Item(member) => format!("\"{}\"", member.name),
            _ => "several things".to_owned(),
        },
    }
}

/// Returns the error for a value of another kind than the type wants.
pub(super) fn mismatch(shape: &Shape<'_>, input: &Input<'_>, wanted: Wanted, path: &Path<'_>) -> Diagnostic {
    let place = input.place();
    let detail = format!("{} must be {wanted}, but this is {}", Subject(path), given(shape, input));
    let diagnostic = Diagnostic::error(Code::InvalidArgumentValue, &place, detail);
    if !is_written_out(input) {
        return diagnostic;
    }
    match (shape, wanted) {
        (Shape::Text(_), Wanted::Whole { .. } | Wanted::Number) => {
            without_quotes(diagnostic, &place, |text| Number::parse(text).is_ok())
        }
        (Shape::Text(_), Wanted::Bool) => without_quotes(diagnostic, &place, |text| matches!(text, "true" | "false")),
        (Shape::Bool(_) | Shape::Small(_) | Shape::Number(_), Wanted::Text | Wanted::Char) => {
            in_quotes(diagnostic, &place)
        }
        (Shape::Text(text), Wanted::Variant(variants)) => {
            diagnostic.with_similar(text, &place, variants.iter().copied())
        }
        (Shape::Null, _) => diagnostic.with_help("leave it out, or give it a value"),
        (_, Wanted::List(Element::Block { labels, .. })) => match path.name() {
            Some(name) => diagnostic.with_help(format!("write blocks: `{}`", block_in_words(name, labels, input))),
            None => diagnostic,
        },
        (Shape::Bool(_) | Shape::Small(_) | Shape::Number(_) | Shape::Text(_), Wanted::List(Element::Plain)) => {
            in_brackets(diagnostic, &place)
        }
        (Shape::Other, _) => match (input, path.name()) {
            (Input::Blocks(_), Some(name)) if !matches!(wanted, Wanted::Object | Wanted::Block | Wanted::List(_)) => {
                diagnostic.with_help(format!("write it as an argument: `{name} = …`"))
            }
            _ => diagnostic,
        },
        _ => diagnostic,
    }
}

/// The form of a block in the syntax of the input.
fn block_in_words(name: &str, labels: usize, input: &Input<'_>) -> String {
    match input {
        Input::Json(_) => {
            let body = (0..labels).fold("{ … }".to_owned(), |body, _| format!("{{ \"…\": {body} }}"));
            format!("\"{name}\": {body}")
        }
        _ => format!("{name} {}{{ … }}", "\"…\" ".repeat(labels)),
    }
}

/// An expression where something has to be written out.
pub(super) fn not_literally(input: &Input<'_>, wanted: Wanted, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{} must be {wanted}, but this is another expression", Subject(path));
    Diagnostic::error(Code::InvalidArgumentValue, input.place(), detail)
}

/// A list that is longer or shorter than the type.
pub(super) fn wrong_count(count: usize, input: &Input<'_>, wanted: Wanted, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{} must be {wanted}, but this has {count}", Subject(path));
    Diagnostic::error(Code::InvalidArgumentValue, input.place(), detail)
}

/// Returns the diagnostic for a type's error about an input.
pub(super) fn refused(kind: &Kind, input: &Input<'_>, path: &Path<'_>) -> Diagnostic {
    told(kind, &input.place(), &Subject(path).to_string(), &Within(path).to_string(), "this")
}

/// A type's error in words: about what, in what, and a pronoun for the first.
fn told(kind: &Kind, place: &Place, subject: &str, within: &str, this: &str) -> Diagnostic {
    let error = |code, detail: String| Diagnostic::error(code, place, detail);
    let unsuitable = |wanted: &str, is: &str| {
        error(Code::InvalidArgumentValue, format!("{subject} must be {wanted}, but {this} {is}"))
    };
    match kind {
        Kind::Type(found, expected) if expected == "a borrowed string" => {
            error(Code::InvalidArgumentValue, format!("{subject} cannot be borrowed from the file: {this} is {found}"))
                .with_help("read it as `String`, or as `Cow<str>` with `#[serde(borrow)]`")
        }
        Kind::Type(found, expected) | Kind::Value(found, expected) => {
            unsuitable(&expected_in_words(expected), &format!("is {found}"))
        }
        Kind::Beyond(digits, expected) => unsuitable(&expected_in_words(expected), &format!("is {}", beyond(digits))),
        Kind::Length(count, expected) => unsuitable(&expected_in_words(expected), &format!("has {count}")),
        Kind::NoVariant => error(Code::InvalidArgumentValue, format!("none of the allowed forms fits {subject}")),
        Kind::UnknownVariant(name, variants) => {
            let refused = unsuitable(&one_of(variants), &format!("is \"{}\"", shortened(name)));
            refused.with_similar(name, place, variants.iter().copied())
        }
        Kind::UnknownField(name, fields) => {
            let detail = format!("nothing named \"{name}\" is expected {within}");
            error(Code::UnsupportedArgument, detail).with_similar(name, place, fields.iter().copied())
        }
        Kind::Missing(field) => error(Code::RequiredArgument, format!("\"{field}\" is required {within}")),
        Kind::Duplicate(field) => {
            error(Code::DuplicateAttribute, format!("\"{field}\" is set more than once {within}"))
        }
        Kind::Custom(message) => error(Code::InvalidValue, format!("{subject}: {message}")),
        Kind::Again | Kind::NeedsLabels | Kind::Reported | Kind::Placed(_) => {
            error(Code::InvalidValue, format!("{subject} cannot be read"))
        }
    }
}

/// An input that no variant of an untagged enum fits. serde keeps the reasons to itself.
pub(super) fn no_variant(shape: &Shape<'_>, input: &Input<'_>, path: &Path<'_>) -> Diagnostic {
    let detail = format!("none of the allowed forms fits {}, which is {}", Subject(path), given(shape, input));
    Diagnostic::error(Code::InvalidArgumentValue, input.place(), detail)
}

/// A number that serde cannot buffer, and those that it can.
pub(super) fn beyond(digits: &str) -> String {
    format!(
        "the number {}; only whole numbers from {} to {} and numbers with up to 17 digits can be read here",
        shortened(digits),
        i64::MIN,
        u64::MAX
    )
}

/// Returns the error for a part that serde has buffered, at the whole input. The paths are those of the parts that may be
/// meant.
pub(super) fn refused_inside(kind: &Kind, input: &Input<'_>, path: &Path<'_>, parts: &[String]) -> Diagnostic {
    let whole = Subject(path).to_string();
    let names: Vec<String> =
        parts.iter().map(|part| if part.is_empty() { whole.clone() } else { format!("`{part}`") }).collect();
    let subject = match &names[..] {
        [] if path.is_root() => "a part of this".to_owned(),
        [] => format!("a part of {whole}"),
        [only] => only.clone(),
        names => format!("one of {}", names.join(", ")),
    };
    let within = match &names[..] {
        [_] if parts[0].is_empty() => "here".to_owned(),
        [only] => format!("in {only}"),
        _ => format!("{}, or in a part of it", Within(path)),
    };
    let diagnostic = told(kind, &input.place(), &subject, &within, "it");
    match kind {
        Kind::Type(found, expected)
            if expected_in_words(expected) == "a list" && *found == in_words(::serde::de::Unexpected::Map) =>
        {
            diagnostic.with_help(
                "the application has to read one block as a list: `#[serde(default, with = \"hcl_lr::typed::blocks\")]`",
            )
        }
        _ => diagnostic,
    }
}

/// Returns true if the input has a place of its own: a part of an evaluated value has that of the whole.
pub(super) fn is_written_out(input: &Input<'_>) -> bool {
    !matches!(input, Input::Value(..))
}

/// Offers to make a list of what is there.
fn in_brackets(diagnostic: Diagnostic, place: &Place) -> Diagnostic {
    let text = place.text();
    match !text.is_empty() && !text.contains('\n') && text.len() <= MAX_TEXT {
        true => rewritten(diagnostic, place, "write it in brackets", "put it in brackets", format!("[{text}]")),
        false => diagnostic,
    }
}

/// Offers to make a string of a literal, or a template of another expression.
fn in_quotes(diagnostic: Diagnostic, place: &Place) -> Diagnostic {
    let text = place.text();
    if text.is_empty() || text.len() > MAX_TEXT || text.contains(['\n', '"']) {
        return diagnostic;
    }
    let is_literal = matches!(text, "true" | "false") || Number::parse(text).is_ok();
    let string = if is_literal { format!("\"{text}\"") } else { format!("\"${{{text}}}\"") };
    rewritten(diagnostic, place, "write it in quotes", "put it in quotes", string)
}

/// Offers to make a literal of a string, if its text is one.
fn without_quotes(diagnostic: Diagnostic, place: &Place, is_literal: impl FnOnce(&str) -> bool) -> Diagnostic {
    let text = place.text().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match text.filter(|text| is_literal(text)) {
        Some(text) => rewritten(diagnostic, place, "write it without quotes", "remove the quotes", text.to_owned()),
        None => diagnostic,
    }
}

fn rewritten(diagnostic: Diagnostic, place: &Place, help: &str, message: &str, text: String) -> Diagnostic {
    let help = format!("{help}: `{text}`");
    diagnostic.with_help(help).with_suggestion(Suggestion::new(message.to_owned()).replace(place, text))
}

/// Returns serde's expectation in the words of HCL, if serde uses words of Rust.
pub(super) fn expected_in_words(expected: &str) -> Cow<'_, str> {
    macro_rules! whole {
        ($($ty:ident)*) => {
            match expected {
                $(stringify!($ty) => Wanted::Whole { least: $ty::MIN as i128, most: $ty::MAX as u128 }.to_string().into(),)*
                "f32" | "f64" => "a number".into(),
                "a boolean" => "true or false".into(),
                "a character" => "a string of one character".into(),
                "a sequence" => "a list".into(),
                "unit" => "null".into(),
                $(nonzero if nonzero.strip_prefix("a nonzero ") == Some(stringify!($ty)) => {
                    let least = if $ty::MIN == 0 { 1 } else { $ty::MIN as i128 };
                    let whole = Wanted::Whole { least, most: $ty::MAX as u128 };
                    if least == 1 { whole.to_string().into() } else { format!("{whole}, and not 0").into() }
                })*
                other => expected_kind(other),
            }
        };
    }
    whole! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 isize usize }
}

/// The same for the kinds of types that programs declare.
fn expected_kind(expected: &str) -> Cow<'_, str> {
    let starts_with = |prefixes: &[&str]| prefixes.iter().any(|prefix| expected.starts_with(prefix));
    if starts_with(&["struct ", "internally tagged enum ", "adjacently tagged enum "]) || expected == "a map" {
        return "an object or a block".into();
    }
    if starts_with(&["unit variant ", "unit struct "]) {
        return "null".into();
    }
    // "tuple struct Pair with 2 elements", "a tuple of size 2", "an array of length 2", "2 elements in sequence"
    let is_list = starts_with(&["tuple ", "a tuple of size ", "an array of length "]);
    let number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match expected.rsplit(' ').find(number) {
        Some(count) if is_list || expected.ends_with(" in sequence") => {
            format!("a list with {count} element{}", if count == "1" { "" } else { "s" }).into()
        }
        None if is_list => "a list".into(),
        _ => expected.into(),
    }
}

/// A field that is not there, where a structure looks for it; `path` leads to the field. Among the other names may be the
/// one that was meant.
pub(super) fn missing_in(around: &Surroundings<'_>, path: &Path<'_>, field: &str) -> Diagnostic {
    let within = path.parent();
    if field == super::LABEL_FIELD {
        return missing_label(around.header.clone(), around.block_type, &within);
    }
    let detail = format!("\"{field}\" is required {}", Within(&within));
    let diagnostic = Diagnostic::error(Code::RequiredArgument, &around.header, detail);
    let Some(found) = similar_name(field, around.others.iter().map(|(name, _)| &**name)) else { return diagnostic };
    let Some((name, at)) = around.others.iter().find(|(name, _)| name == found) else { return diagnostic };
    let place = at.place();
    let diagnostic = diagnostic
        .with_label(&place, if around.tells_fields { "nothing reads this" } else { "this name is similar" })
        .with_help(format!("did you mean to write \"{field}\" instead of \"{name}\"?"));
    match place.text() == *name {
        true => {
            diagnostic.with_suggestion(Suggestion::new(format!("write `{field}`")).replace(&place, field.to_owned()))
        }
        false => diagnostic,
    }
}

/// A name that no field has.
pub(super) fn unexpected(
    name: &str,
    at: At<'_>,
    is_block: bool,
    fields: &[&'static str],
    path: &Path<'_>,
    severity: crate::diagnostic::Severity,
) -> Diagnostic {
    let place = at.place();
    let (code, detail) = match is_block {
        true => (Code::UnsupportedBlock, format!("blocks of type \"{name}\" are not expected {}", Within(path))),
        false => (Code::UnsupportedArgument, format!("nothing named \"{name}\" is expected {}", Within(path))),
    };
    let known: Vec<&str> = fields.iter().copied().filter(|field| !field.starts_with('$')).collect();
    let diagnostic = Diagnostic::new(severity, code, &place, detail).with_similar(name, &place, known.iter().copied());
    match (diagnostic.help(), &known[..]) {
        (Some(_), _) => diagnostic,
        (None, []) => diagnostic.with_help("nothing is expected there at all"),
        (None, known) if known.len() <= MAX_LISTED => {
            diagnostic.with_help(format!("these names are known there: {}", known.join(", ")))
        }
        (None, _) => diagnostic,
    }
}

/// An attribute that is set in two of the bodies that are merged, or twice in JSON.
pub(super) fn duplicate(name: &str, first: At<'_>, again: At<'_>) -> Diagnostic {
    let first = first.place();
    let detail = format!("\"{name}\" is already set at {first}");
    Diagnostic::error(Code::DuplicateAttribute, again.place(), detail).with_label(first, "it is first set here")
}

/// Returns the error for a field that is set under two of its names, or as an attribute and as a block.
pub(super) fn set_twice(name: &str, at: At<'_>, path: &Path<'_>) -> Diagnostic {
    let detail = format!("\"{name}\" is already set {}, perhaps under another name", Within(path));
    Diagnostic::error(Code::DuplicateAttribute, at.place(), detail).with_help("remove one of the two")
}

/// A property in JSON that is there twice, where there can be only one value.
pub(super) fn set_again(json: &JsonInput<'_>, again: Node<'_>, path: &Path<'_>) -> Diagnostic {
    let place = Place::new(json.document.source(), again.start_span());
    let first = Place::new(json.document.source(), json.node.start_span());
    let detail = format!("{} is set more than once", Subject(path));
    Diagnostic::error(Code::DuplicateAttribute, place, detail).with_label(first, "it is first set here")
}

/// Adds what to do about a template that cannot be evaluated since it is meant for another program, such as a shell.
pub(super) fn with_help_for_templates(diagnostic: Diagnostic) -> Diagnostic {
    let is_about_names = matches!(
        diagnostic.code(),
        Code::VariablesNotAllowed | Code::UnknownVariable | Code::FunctionsNotAllowed | Code::UnknownFunction
    );
    if !is_about_names || diagnostic.help().is_some() {
        return diagnostic;
    }
    diagnostic.with_help(
        "if this is for another program, write `$${` for `${`, or use the option of the application that reads templates as \
         text",
    )
}

pub(super) fn unknown(place: Place, path: &Path<'_>) -> Diagnostic {
    let detail = format!("the value of {} is not known yet", Subject(path));
    Diagnostic::error(Code::InvalidArgumentValue, place, detail)
        .with_help("use a value that is known before the file is read")
}

pub(super) fn marked(place: Place, path: &Path<'_>, marks: &MarkSet) -> Diagnostic {
    let detail = format!("the value of {} is {}", Subject(path), hidden::because(marks));
    Diagnostic::error(Code::InvalidArgumentValue, place, detail)
        .with_help("use a value without marks; only the application can remove them")
}

pub(super) fn too_deep(place: Place, limit: u32) -> Diagnostic {
    Diagnostic::error(Code::NestingTooDeep, place, format!("the type nests more than {limit} levels deep here"))
        .with_help("nest less deep, or raise `Reader::max_depth`")
}

/// serde buffers an input that nests too deep, or too many that nest deep.
pub(super) fn buffered_too_much(place: Place, limit: TooMuch, depth: u32) -> Diagnostic {
    let error = match limit {
        TooMuch::Depth => {
            let detail = format!("this nests more than {depth} levels deep, and all of it has to be buffered");
            Diagnostic::error(Code::NestingTooDeep, place, detail)
        }
        TooMuch::Work => {
            let detail = "too many parts of this file nest deep and have to be buffered";
            Diagnostic::error(Code::LimitExceeded, place, detail)
        }
    };
    error.with_help("nest less deep, or raise `Reader::max_buffered_depth`")
}

/// Returns the error for further blocks if one is wanted.
pub(super) fn too_many(first: Place, second: Place, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{} takes one block, and this is another one", Subject(path));
    Diagnostic::error(Code::TooManyBlocks, second, detail).with_label(first, "the first one is here")
}

/// None where there must be one.
pub(super) fn no_block(place: Place, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{} needs one block, and there is none", Subject(path));
    Diagnostic::error(Code::MissingBlock, place, detail)
}

/// A label that nothing takes.
pub(super) fn extra_label(label: &Label<'_>, path: &Path<'_>) -> Diagnostic {
    let detail = format!("this label is one too many for {}", Subject(path));
    Diagnostic::error(Code::BlockLabels, label.at.place(), detail)
}

/// A block without a label that it must have. Without a type, it is in JSON.
pub(super) fn missing_label(place: Place, block_type: &str, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{} needs a label here", Subject(path));
    // One that has some labels needs one more.
    let header = place.text();
    let form = match (block_type, path.name()) {
        (name, _) if !name.is_empty() && header.starts_with(name) && header.len() <= MAX_TEXT => {
            format!("{header} \"…\" {{ … }}")
        }
        ("", None) => "{ \"…\": { … } }".to_owned(),
        ("", Some(name)) => format!("\"{name}\": {{ \"…\": {{ … }} }}"),
        (name, _) => format!("{name} \"…\" {{ … }}"),
    };
    Diagnostic::error(Code::BlockLabels, place, detail).with_help(format!("write `{form}`"))
}

/// A body of which one attribute or block is wanted, for it says which variant of an enum it is.
pub(super) fn one_variant(place: Place, count: usize, variants: &[&str], path: &Path<'_>) -> Diagnostic {
    let detail =
        format!("{} must have exactly one of {} in it, but this has {count} parts", Subject(path), one_of(variants));
    Diagnostic::error(Code::InvalidArgumentValue, place, detail)
}

/// A variant that needs a value, and stands there as a string.
pub(super) fn variant_needs_value(name: &str, place: Place, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{}: \"{name}\" needs a value", Subject(path));
    Diagnostic::error(Code::InvalidArgumentValue, place, detail)
        .with_help(format!("write `{{ {name} = … }}`, or a block `{name} {{ … }}`"))
}

/// A variant that has no value, but has one there.
pub(super) fn variant_has_no_value(name: &str, place: Place, path: &Path<'_>) -> Diagnostic {
    let detail = format!("{}: \"{name}\" has no value", Subject(path));
    Diagnostic::error(Code::InvalidArgumentValue, place, detail).with_help(format!("write just `\"{name}\"`"))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Placed(diagnostics) => diagnostics.fmt(f),
            kind => f.write_str(refused(kind, &Input::Items(Vec::new(), At::Nowhere), &Path::ROOT).detail()),
        }
    }
}
