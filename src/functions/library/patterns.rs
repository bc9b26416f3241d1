//! Functions with regular expressions.

use super::{because, blame, list_of, str_of, text};
use crate::eval::{Call, FunctionError};
use crate::functions::engine::regex::{Found, Regex};
use crate::functions::entry::{Entry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<Entry> {
    vec![
        function(
            "regex",
            "The first match of a regular expression: the text, or a tuple or an object of the texts of its groups.",
        ).decodes()
        .takes(text("pattern"))
        .takes(text("string"))
        .gives_by("string, tuple or object", |call| match call.argument(0).as_str() {
            Some(_) => matched_type(&pattern(call, 0)?),
            None => Ok(Type::Dynamic),
        })
        .never_null()
        .example("regex(\"[a-z]+\", \"53453453.345345aaabbbccc23454\")", "\"aaabbbccc\"")
        .example("regex(\"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})\", \"2019-02-01\")", "{ month = \"02\", year = \"2019\" }")
        .fails("regex(\"[a-z]+\", \"1234\")", "function \"regex\" failed: the regular expression matches nothing in the string")
        .does(|call| {
            let regex = pattern(call, 0)?;
            regex.count(str_of(call, 1), call.account())?;
            let found = regex.find(str_of(call, 1));
            let found = found.ok_or_else(|| because("the regular expression matches nothing in the string"))?;
            Ok(matched(&regex, &found))
        }),
        function("regexall", "A list of all matches of a regular expression, each as `regex` gives it.").decodes()
            .takes(text("pattern"))
            .takes(text("string"))
            .gives_by("list", |call| match call.argument(0).as_str() {
                Some(_) => Ok(Type::list(matched_type(&pattern(call, 0)?)?)),
                None => Ok(Type::list(Type::Dynamic)),
            })
            .never_null()
            .example("regexall(\"[a-z]+\", \"1234abcd5678efgh9\")", "[\"abcd\", \"efgh\"]")
            .does(|call| {
                let regex = pattern(call, 0)?;
                regex.count(str_of(call, 1), call.account())?;
                let matches = regex.find_all(str_of(call, 1)).map(|found| matched(&regex, &found)).collect();
                list_of(call.result_type().element_type().cloned().unwrap_or(Type::Dynamic), matches)
            }),
        function("regexreplace", "Replaces all matches of a regular expression; `$1` and `${name}` stand for groups.").decodes()
            .takes(text("str"))
            .takes(text("pattern"))
            .takes(text("replace"))
            .gives_string()
            .example("regexreplace(\"-ab-axxb-\", \"a(x*)b\", \"($1)\")", "\"-()-(xx)-\"")
            .fails(
                "regexreplace(\"a\", \"(\", \"b\")",
                "unsuitable value for \"pattern\" of function \"regexreplace\": in the regular expression, `(`: the group \
                 is not closed; add a `)`",
            )
            .does(|call| {
                let regex = pattern(call, 1)?;
                replaced(call, &regex, str_of(call, 0), str_of(call, 2))
            }),
    ]
}

pub(super) fn pattern(call: &Call<'_>, index: usize) -> Result<Regex, FunctionError> {
    let pattern = str_of(call, index);
    call.charge(steps_to_compile(pattern), 0)?;
    Regex::new(pattern).map_err(|why| blame(index, why))
}

/// A pattern of few bytes can stand for an automaton of many states; how many, is limited where it is
/// made.
pub(super) fn steps_to_compile(pattern: &str) -> u64 {
    256 + 64 * pattern.len() as u64
}

pub(super) fn replaced(call: &Call<'_>, regex: &Regex, text: &str, replacement: &str) -> Result<Value, FunctionError> {
    Ok(Value::from(regex.replace_all(text, replacement, call.account())?))
}

/// The type of a match: a string, or one string for each group.
fn matched_type(regex: &Regex) -> Result<Type, FunctionError> {
    let groups = regex.groups();
    let named = groups.iter().flatten().count();
    match (groups.len(), named) {
        (0, _) => Ok(Type::String),
        (_, 0) => Ok(Type::tuple(groups.iter().map(|_| Type::String))),
        (all, named) if all == named => Ok(Type::object(groups.iter().flatten().map(|name| (name, Type::String)))),
        _ => Err(blame(0, "either all groups of the regular expression have names, or none; (?:…) is no group")),
    }
}

fn matched(regex: &Regex, found: &Found<'_>) -> Value {
    let text = |text: Option<&str>| text.map_or_else(|| Value::null(Type::String), Value::from);
    let groups = regex.groups();
    match groups.first() {
        None => text(found.group(0)),
        Some(None) => Value::tuple((1..=groups.len()).map(|index| text(found.group(index)))),
        Some(Some(_)) => {
            let named = groups.iter().flatten().enumerate();
            Value::object(named.map(|(at, name)| (name, text(found.group(at + 1)))))
        }
    }
}
