//! Functions on strings.

use memchr::memmem::Finder;
use unicode_segmentation::UnicodeSegmentation;

use super::{because, blame, made, number, part_of, str_of, strings, text, whole};
use crate::eval::{Call, FunctionError};
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::limits::is_plain;
use crate::model::{Number, Text, Type, Value};
use crate::work;

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let dynamic = |name| text(name).allow_dynamic();
    vec![
        of_text("chomp", "Removes line breaks from the end of a string.")
            .example("chomp(\"a\\r\\n\\n\")", "\"a\"")
            .does(|call| Ok(part_of(str_of(call, 0).trim_end_matches(['\r', '\n'])))),
        function("indent", "Adds spaces before all lines of a string but the first.")
            .takes(number("spaces"))
            .takes(text("str"))
            .gives_string()
            .example("indent(2, \"a\\nb\")", "\"a\\n  b\"")
            .does(|call| {
                let spaces = super::count(call, 0, "the number of spaces")?;
                replaced(call, str_of(call, 1), "\n", &format!("\n{}", blanks(call, spaces)?))
            }),
        function("join", "Joins the strings of lists, with a separator between them.")
            .takes(text("separator"))
            .rest(strings("lists"))
            .gives_string()
            .example("join(\", \", [\"a\", \"b\"])", "\"a, b\"")
            .example("join(\"-\", [\"a\"], [\"b\", \"c\"])", "\"a-b-c\"")
            .fails("join(\",\")", "function \"join\" has no argument for \"lists\": at least one list is required")
            .fails(
                "join(\",\", [\"a\", null])",
                "invalid value for \"lists\" of function \"join\": element 1 is null, which cannot be joined",
            )
            .does(join),
        function("lower", "Converts all letters to lower case.")
            .takes(dynamic("str"))
            .gives_string()
            .example("lower(\"HELLO\")", "\"hello\"")
            .does(|call| mapped(call, str::to_ascii_lowercase, lower)),
        function("upper", "Converts all letters to upper case.")
            .takes(dynamic("str"))
            .gives_string()
            .example("upper(\"hello\")", "\"HELLO\"")
            .does(|call| mapped(call, str::to_ascii_uppercase, upper)),
        of_text("title", "Converts the first letter of each word to upper case.")
            .digests()
            .example("title(\"hello world\")", "\"Hello World\"")
            .does(|call| made(call, title(str_of(call, 0)))),
        function("replace", "Replaces all occurrences of a string in another one.")
            .takes(text("str"))
            .takes(text("substr"))
            .takes(text("replace"))
            .gives_string()
            .example("replace(\"1 + 2 + 3\", \"+\", \"-\")", "\"1 - 2 - 3\"")
            .does(|call| replaced(call, str_of(call, 0), str_of(call, 1), str_of(call, 2))),
        function("split", "Splits a string wherever a separator occurs.")
            .decodes()
            .takes(text("separator"))
            .takes(text("str"))
            .gives(Type::list(Type::String), "list(string)")
            .never_null()
            .example("split(\",\", \"a,b,,c\")", "[\"a\", \"b\", \"\", \"c\"]")
            .example("split(\"\", \"ab\")", "[\"a\", \"b\"]")
            .does(|call| split(str_of(call, 0), str_of(call, 1))),
        function("strlen", "Returns the number of characters of a string (grapheme clusters).")
            .takes(dynamic("str").allow_unknown())
            .gives(Type::Number, "number")
            .refined(|result| result.not_null().min(Number::ZERO, true))
            .example("strlen(\"hello\")", "5")
            .does(|call| length_of(call.argument(0))),
        function("strrev", "Reverses the characters of a string (grapheme clusters).")
            .takes(dynamic("str"))
            .gives_string()
            .example("strrev(\"hello\")", "\"olleh\"")
            .does(|call| made(call, reversed(str_of(call, 0)))),
        function(
            "substr",
            "Returns a part of a string, in characters (grapheme clusters). A negative offset counts from the end; a \
             negative length means the rest.",
        )
        .takes(dynamic("str"))
        .takes(number("offset").allow_dynamic())
        .takes(number("length").allow_dynamic())
        .gives_string()
        .example("substr(\"hello world\", 1, 4)", "\"ello\"")
        .example("substr(\"hello world\", -5, -1)", "\"world\"")
        .does(substr),
        function("trim", "Removes certain characters from both ends of a string.")
            .digests()
            .takes(text("str"))
            .takes(text("cutset"))
            .gives_string()
            .example("trim(\"?!hello?!\", \"!?\")", "\"hello\"")
            .does(|call| {
                let mut cut: Vec<char> = str_of(call, 1).chars().collect();
                cut.sort_unstable();
                let is_cut = |c: char| {
                    work::step(1);
                    cut.binary_search(&c).is_ok()
                };
                Ok(part_of(str_of(call, 0).trim_matches(is_cut)))
            }),
        function("trimprefix", "Removes a prefix from a string, if it is there.")
            .takes(text("str"))
            .takes(text("prefix"))
            .gives_string()
            .example("trimprefix(\"helloworld\", \"hello\")", "\"world\"")
            .does(|call| {
                let text = str_of(call, 0);
                Ok(part_of(text.strip_prefix(str_of(call, 1)).unwrap_or(text)))
            }),
        function("trimsuffix", "Removes a suffix from a string, if it is there.")
            .takes(text("str"))
            .takes(text("suffix"))
            .gives_string()
            .example("trimsuffix(\"helloworld\", \"world\")", "\"hello\"")
            .does(|call| {
                let text = str_of(call, 0);
                Ok(part_of(text.strip_suffix(str_of(call, 1)).unwrap_or(text)))
            }),
        of_text("trimspace", "Removes white space from both ends of a string.")
            .example("trimspace(\"  hello\\n\")", "\"hello\"")
            .does(|call| Ok(part_of(str_of(call, 0).trim()))),
    ]
}

/// A function from string to string.
pub(super) fn of_text(name: &'static str, summary: &'static str) -> Builder {
    function(name, summary).takes(text("str")).gives_string()
}

fn blanks(call: &Call<'_>, count: usize) -> Result<String, FunctionError> {
    call.account().text(count)?;
    Ok(" ".repeat(count))
}

pub(super) fn replaced(call: &Call<'_>, text: &str, from: &str, to: &str) -> Result<Value, FunctionError> {
    if from.is_empty() {
        let places = text.chars().count() + 1;
        call.account().text(places.saturating_mul(to.len()).saturating_add(text.len()))?;
        return made(call, text.replace(from, to));
    }
    let finder = Finder::new(from);
    let occurrences = || finder.find_iter(text.as_bytes());
    call.charge(text.len() as u64 / 256, 0)?;
    let count = occurrences().count();
    call.charge(count as u64 / 2, 0)?;
    let growth = count.saturating_mul(to.len().saturating_sub(from.len()));
    call.account().text(growth.saturating_add(text.len()))?;
    let mut replaced = String::with_capacity(text.len() + growth);
    let mut end = 0;
    for at in occurrences() {
        replaced.push_str(&text[end..at]);
        replaced.push_str(to);
        end = at + from.len();
    }
    replaced.push_str(&text[end..]);
    made(call, replaced)
}

fn join(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (separator, lists) = (str_of(call, 0), &call.arguments()[1..]);
    if lists.is_empty() {
        return Err(blame(1, "at least one list is required"));
    }
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(Type::String));
    }
    let mut parts = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        for (at, part) in list.elements().unwrap_or_default().iter().enumerate() {
            let null = || blame(index + 1, format!("element {at} is null, which cannot be joined"));
            parts.push(part.as_str().ok_or_else(null)?);
        }
    }
    let texts: usize = parts.iter().map(|part| part.len()).sum();
    let separators = separator.len().saturating_mul(parts.len().saturating_sub(1));
    call.account().text(separators.saturating_add(texts))?;
    made(call, parts.join(separator))
}

fn split(separator: &str, text: &str) -> Result<Value, FunctionError> {
    // A part of a normalized text is normalized.
    let part = |start: usize, end: usize| Value::from_name(Text::known(&text[start..end]));
    if separator.is_empty() {
        let parts = text.char_indices().map(|(at, c)| part(at, at + c.len_utf8())).collect();
        return Ok(Value::list_of_fitting(Type::String, parts));
    }
    let finder = Finder::new(separator);
    let count = finder.find_iter(text.as_bytes()).count();
    let mut parts = Vec::with_capacity(count + 1);
    let mut start = 0;
    for at in finder.find_iter(text.as_bytes()) {
        parts.push(part(start, at));
        start = at + separator.len();
    }
    parts.push(part(start, text.len()));
    work::step(parts.len() + text.len() / 16);
    Ok(Value::list_of_fitting(Type::String, parts))
}

/// Returns the number of characters in a string, or an unknown with its bounds.
pub(super) fn length_of(string: &Value) -> Result<Value, FunctionError> {
    match string.as_str() {
        Some(text) => Ok(Value::from(length(text))),
        None => {
            let least = Number::from(length(string.refinement().prefix()));
            Value::unknown(Type::Number).refine().min(least, true).value().map_err(because)
        }
    }
}

fn length(text: &str) -> u64 {
    work::step(1 + text.len());
    match is_plain(text) {
        true => text.len() as u64,
        false => text.graphemes(true).count() as u64,
    }
}

fn substr(call: &Call<'_>) -> Result<Value, FunctionError> {
    let text = str_of(call, 0);
    let (offset, length) = (whole(call, 1)?, whole(call, 2)?);
    let from_end = offset < 0;
    let skipped = match from_end {
        // An offset before the start of the text counts as the start.
        true => self::length(text).saturating_sub(offset.unsigned_abs()),
        false => offset.unsigned_abs(),
    };
    // For a part counted from the end, a length of zero means the rest.
    let wanted = if length == 0 && from_end { u64::MAX } else { u64::try_from(length).unwrap_or(u64::MAX) };
    let clip = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let (skipped, wanted) = (clip(skipped), clip(wanted));
    if is_plain(text) {
        let start = skipped.min(text.len());
        return Ok(part_of(&text[start..start.saturating_add(wanted).min(text.len())]));
    }
    // The rest needs no search for the end of its characters.
    let rest = &text[end_of(text, skipped)..];
    let end = if wanted >= rest.len() { rest.len() } else { end_of(rest, wanted) };
    Ok(part_of(&rest[..end]))
}

/// Returns the end of the first `count` characters of a text, or of all.
fn end_of(text: &str, count: usize) -> usize {
    text.grapheme_indices(true).nth(count).map_or(text.len(), |(at, _)| at)
}

fn reversed(text: &str) -> String {
    if is_plain(text) {
        let bytes: Vec<u8> = text.bytes().rev().collect();
        return String::from_utf8(bytes).unwrap_or_default();
    }
    text.graphemes(true).rev().collect()
}

fn mapped(call: &Call<'_>, ascii: fn(&str) -> String, map: fn(char) -> char) -> Result<Value, FunctionError> {
    let text = str_of(call, 0);
    if text.is_ascii() {
        return made(call, ascii(text));
    }
    let mut mapped = String::with_capacity(text.len());
    mapped.extend(text.chars().map(map));
    made(call, mapped)
}

/// Returns the capital letter of a letter, if that is one character: `ß`, which would become two, stays.
fn upper(c: char) -> char {
    match c {
        c if c.is_ascii() => c.to_ascii_uppercase(),
        // The capital letters with an adscript iota are single characters too.
        '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => {
            char::from_u32(u32::from(c) + 8).unwrap_or(c)
        }
        '\u{1FB3}' => '\u{1FBC}',
        '\u{1FC3}' => '\u{1FCC}',
        '\u{1FF3}' => '\u{1FFC}',
        _ => single(c, c.to_uppercase()),
    }
}

fn lower(c: char) -> char {
    match c {
        c if c.is_ascii() => c.to_ascii_lowercase(),
        // The only letter whose lower case is a letter with a combining dot.
        'İ' => 'i',
        _ => single(c, c.to_lowercase()),
    }
}

/// Returns the letter in title case: of digraphs, only the first part is capital.
fn title_case(c: char) -> char {
    match c {
        '\u{1C4}'..='\u{1C6}' => '\u{1C5}',
        '\u{1C7}'..='\u{1C9}' => '\u{1C8}',
        '\u{1CA}'..='\u{1CC}' => '\u{1CB}',
        '\u{1F1}'..='\u{1F3}' => '\u{1F2}',
        // Georgian has capital letters, but they do not begin words.
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c,
        _ => upper(c),
    }
}

fn title(text: &str) -> String {
    let mut begins = true;
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        result.push(if begins { title_case(c) } else { c });
        begins = match c.is_ascii() {
            true => !c.is_ascii_alphanumeric() && c != '_',
            false => c.is_whitespace(),
        };
    }
    result
}

fn single(c: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}
