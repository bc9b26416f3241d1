//! Functions with regular expressions.

use std::collections::HashMap;

use super::{because, blame, made, str_of, text};
use crate::eval::{Call, FunctionError};
use crate::functions::engine::regex::{Match, PatternError, Regex};
use crate::functions::entry::{FunctionEntry, function};
use crate::limits::{Account, Exceeded};
use crate::model::{Text, Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function(
            "regex",
            "Returns the first match of a regular expression: the text, or a tuple or an object of the texts of its groups.",
        )
        .decodes()
        .takes(text("pattern"))
        .takes(text("string"))
        .gives_by("string, tuple or object", |call| match call.argument(0).as_str() {
            Some(_) => matched_type(&pattern(call, 0)?),
            None => Ok(Type::Dynamic),
        })
        .never_null()
        .example("regex(\"[a-z]+\", \"53453453.345345aaabbbccc23454\")", "\"aaabbbccc\"")
        .example(
            "regex(\"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})\", \"2019-02-01\")",
            "{ month = \"02\", year = \"2019\" }",
        )
        .fails(
            "regex(\"[a-z]+\", \"1234\")",
            "function \"regex\" failed: the regular expression matches nothing in the string",
        )
        .does(|call| {
            let regex = pattern(call, 0)?;
            let first_match = regex.find(str_of(call, 1), call.account())?;
            let first_match = first_match.ok_or_else(|| because("the regular expression matches nothing in the string"))?;
            let matches = Matches::new(&regex, call.result_type());
            matches.charge(&first_match, call.account())?;
            Ok(matches.value(&first_match))
        }),
        function("regexall", "Returns all matches of a regular expression, each as from `regex`.")
            .decodes()
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
                let (ty, account) = (call.result_type().element_type().unwrap_or(&Type::Dynamic), call.account());
                let matches = Matches::new(&regex, ty);
                let mut values = Vec::new();
                regex.each_match(str_of(call, 1), account, |found| {
                    account.element(values.len())?;
                    matches.charge(&found, account)?;
                    values.push(matches.value(&found));
                    Ok(())
                })?;
                Ok(Value::list_of_fitting(ty.clone(), values))
            }),
        function("regexreplace", "Replaces all matches of a regular expression; `$1` and `${name}` stand for groups.")
            .decodes()
            .takes(text("str"))
            .takes(text("pattern"))
            .takes(text("replace"))
            .gives_string()
            .example("regexreplace(\"-ab-axxb-\", \"a(x*)b\", \"($1)\")", "\"-()-(xx)-\"")
            .fails(
                "regexreplace(\"a\", \"(\", \"b\")",
                "invalid value for \"pattern\" of function \"regexreplace\": in the regular expression, `(`: the group \
                 is not closed; add a `)`",
            )
            .does(|call| {
                let regex = pattern(call, 1)?;
                replaced(call, &regex, str_of(call, 0), str_of(call, 2))
            }),
    ]
}

fn pattern(call: &Call<'_>, index: usize) -> Result<Regex, FunctionError> {
    compiled(call, index, str_of(call, index))
}

/// Compiles a pattern that is an argument or part of one.
pub(super) fn compiled(call: &Call<'_>, index: usize, pattern: &str) -> Result<Regex, FunctionError> {
    let regex = Regex::new(pattern, call.account()).map_err(|why| of_pattern(index, why))?;
    // Each name is compared with the others.
    let names = regex.groups().iter().flatten().count() as u64;
    call.charge(names.saturating_mul(names) / 16, 0)?;
    Ok(regex)
}

/// Returns the error of a call whose argument has a pattern that cannot be compiled.
pub(super) fn of_pattern(index: usize, why: PatternError) -> FunctionError {
    match why {
        PatternError::Wrong(why) => blame(index, why),
        PatternError::Exceeded(exceeded) => exceeded.into(),
    }
}

pub(super) fn replaced(call: &Call<'_>, regex: &Regex, text: &str, replacement: &str) -> Result<Value, FunctionError> {
    made(call, regex.replace_all(text, replacement, call.account())?)
}

/// Returns the type of a match: a string, or one string for each group.
fn matched_type(regex: &Regex) -> Result<Type, FunctionError> {
    let groups = regex.groups();
    let named = groups.iter().flatten().count();
    match (groups.len(), named) {
        (0, _) => Ok(Type::String),
        (_, 0) => Ok(Type::tuple(groups.iter().map(|_| Type::String))),
        (all, named) if all == named => Ok(Type::object(groups.iter().flatten().map(|name| (name, Type::String)))),
        _ => Err(blame(
            0,
            "either all groups of the regular expression have names, or none; (?:…) does not count as one",
        )),
    }
}

/// Makes values of matches, all of one type.
struct Matches<'r> {
    ty: &'r Type,
    /// The groups whose texts are the parts of the value, in order.
    groups: Vec<usize>,
}

impl<'r> Matches<'r> {
    fn new(regex: &Regex, ty: &'r Type) -> Matches<'r> {
        let groups = match ty {
            Type::Object(object) => {
                // The last of several groups with the same name wins.
                let named = regex.groups().iter().zip(1..);
                let numbers: HashMap<Text, usize> =
                    named.filter_map(|(group, number)| Some((Text::from(group.as_deref()?), number))).collect();
                object.attributes().iter().filter_map(|a| numbers.get(a.shared_name()).copied()).collect()
            }
            _ => (1..=regex.groups().len()).collect(),
        };
        Matches { ty, groups }
    }

    /// Charges the value of a match before it is created: each group may contain its whole text.
    fn charge(&self, found: &Match<'_>, account: &Account) -> Result<(), Exceeded> {
        const PART: u64 = 64;
        let (parts, length) = (self.groups.len().max(1) as u64, found.group(0).map_or(0, str::len) as u64);
        account.steps(parts)?;
        account.bytes(parts.saturating_mul(PART.saturating_add(length)))
    }

    fn value(&self, found: &Match<'_>) -> Value {
        // A part of a normalized text is normalized.
        let text = |text: Option<&str>| match text {
            Some(text) => Value::from_name(Text::known(text)),
            None => Value::null(Type::String),
        };
        match self.groups.is_empty() {
            true => text(found.group(0)),
            false => {
                let parts = self.groups.iter().map(|group| text(found.group(*group))).collect();
                Value::with_parts(self.ty.clone(), parts)
            }
        }
    }
}
