//! OpenTofu's functions that assert facts about a value. They are checked when the value is known, and refine it until
//! then.

use super::lists::elements;
use super::{any, because, blame, count, number, text, with_article};
use crate::eval::{Call, FunctionError};
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{CollectionKind, Type, Value, operations};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let mut all = vec![
        function("assumeequal", "Returns the second value; the first one must equal it once it is known.")
            .takes(any("got").allow_null().allow_unknown().allow_dynamic())
            .takes(any("assumed").allow_null())
            .gives_by("any", |call| Ok(call.argument(1).ty()))
            .example("assumeequal(1, 1)", "1")
            .fails(
                "assumeequal(1, 2)",
                "invalid value for \"got\" of function \"assumeequal\": the value is not equal to the assumed value",
            )
            .does(|call| {
                let (got, assumed) = (call.convert(call.argument(0), &call.argument(1).ty())?, call.argument(1));
                match operations::equal(&got, assumed).as_bool() {
                    Some(false) => Err(blame(0, "the value is not equal to the assumed value")),
                    _ => Ok(assumed.clone()),
                }
            }),
        function("assumenotnull", "Returns the value, which must not be null.")
            .looks_at_one()
            .takes(any("value").allow_unknown())
            .gives_by("any", |call| Ok(call.argument(0).ty()))
            .never_null()
            .example("assumenotnull(1)", "1")
            .fails("assumenotnull(null)", "invalid value for \"value\" of function \"assumenotnull\": must not be null")
            .does(|call| Ok(call.argument(0).clone())),
        function("assumestringprefix", "Returns the string, which must start with a prefix.")
            .takes(text("value").allow_unknown().allow_dynamic())
            .takes(text("prefix"))
            .gives(Type::String, "string")
            .example("assumestringprefix(\"subnet-1\", \"subnet-\")", "\"subnet-1\"")
            .fails(
                "assumestringprefix(\"x\", \"subnet-\")",
                "invalid value for \"value\" of function \"assumestringprefix\": the string does not start with \"subnet-\"",
            )
            .does(|call| {
                let prefix = super::str_of(call, 1);
                let value = call.convert(call.argument(0), &Type::String)?;
                match value.as_str() {
                    Some(text) if text.starts_with(prefix) => Ok(value),
                    Some(_) => Err(blame(0, format!("the string does not start with {prefix:?}"))),
                    None => value.refine().prefix(prefix).value().map_err(because),
                }
            }),
    ];
    for (kind, names) in [
        (CollectionKind::List, ["assumelistlength", "assumelistlengthmin", "assumelistlengthmax"]),
        (CollectionKind::Set, ["assumesetlength", "assumesetlengthmin", "assumesetlengthmax"]),
        (CollectionKind::Map, ["assumemaplength", "assumemaplengthmin", "assumemaplengthmax"]),
    ] {
        all.extend(lengths(kind, names));
    }
    all
}

fn lengths(kind: CollectionKind, [both, least, most]: [&'static str; 3]) -> [FunctionEntry; 3] {
    let (bounded, at_least, at_most) = match kind {
        CollectionKind::List => (
            [("assumelistlength([1, 2], 1, 3)", "[1, 2]")],
            [("assumelistlengthmin([1, 2], 1)", "[1, 2]")],
            [("assumelistlengthmax([1, 2], 3)", "[1, 2]")],
        ),
        CollectionKind::Set => (
            [("assumesetlength([1, 2], 1, 3)", "[1, 2]")],
            [("assumesetlengthmin([1, 2], 1)", "[1, 2]")],
            [("assumesetlengthmax([1, 2], 3)", "[1, 2]")],
        ),
        CollectionKind::Map => (
            [("assumemaplength({ a = 1 }, 1, 3)", "{ a = 1 }")],
            [("assumemaplengthmin({ a = 1 }, 1)", "{ a = 1 }")],
            [("assumemaplengthmax({ a = 1 }, 3)", "{ a = 1 }")],
        ),
    };
    let entry = |name, summary| collection(kind, name, summary);
    [
        entry(both, "Returns the collection, whose number of elements must be within bounds.")
            .takes(number("min"))
            .takes(number("max"))
            .example(bounded[0].0, bounded[0].1)
            .does(move |call| bounded_length(call, kind, Some(1), Some(2))),
        entry(least, "Returns the collection, which must have at least a given number of elements.")
            .takes(number("min"))
            .example(at_least[0].0, at_least[0].1)
            .does(move |call| bounded_length(call, kind, Some(1), None)),
        entry(most, "Returns the collection, which must have at most a given number of elements.")
            .takes(number("max"))
            .example(at_most[0].0, at_most[0].1)
            .does(move |call| bounded_length(call, kind, None, Some(1))),
    ]
}

/// Returns a function on a collection, whose first argument is converted to it.
fn collection(kind: CollectionKind, name: &'static str, summary: &'static str) -> Builder {
    let first = function(name, summary).takes(any("value").allow_null().allow_unknown().allow_dynamic());
    match kind {
        CollectionKind::List => first.gives_by("list(any)", |call| converted(call, CollectionKind::List)),
        CollectionKind::Set => first.gives_by("set(any)", |call| converted(call, CollectionKind::Set)),
        CollectionKind::Map => first.gives_by("map(any)", |call| converted(call, CollectionKind::Map)),
    }
}

fn converted(call: &Call<'_>, kind: CollectionKind) -> Result<Type, FunctionError> {
    let (given, wanted) = (call.argument(0).ty(), kind.of(Type::Dynamic));
    match call.conversion(&given, &wanted) {
        Ok(_) => Ok(call.convert(call.argument(0), &wanted).map_err(|why| blame(0, why))?.ty()),
        Err(_) => Err(blame(0, format!("a {wanted} is required, not {}", with_article(&given)))),
    }
}

fn bounded_length(
    call: &Call<'_>,
    kind: CollectionKind,
    least: Option<usize>,
    most: Option<usize>,
) -> Result<Value, FunctionError> {
    let bound = |index: Option<usize>| index.map(|index| count(call, index, "a length")).transpose();
    let (least, most) = (bound(least)?, bound(most)?);
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        return Err(blame(2, "the maximum length is less than the minimum"));
    }
    let value = call.convert(call.argument(0), &kind.of(Type::Dynamic)).map_err(|why| blame(0, why))?;
    if value.is_null() {
        return Ok(value);
    }
    if value.is_known() {
        let length = elements(&value).len();
        let length_unknown = kind == CollectionKind::Set && !value.is_wholly_known();
        let fits =
            least.is_none_or(|least| length >= least) && most.is_none_or(|most| length_unknown || length <= most);
        return match fits {
            true => Ok(value),
            false => Err(blame(0, format!("the collection has {length} elements"))),
        };
    }
    let mut refined = value.refine();
    if let Some(least) = least {
        refined = refined.min_length(least as u64);
    }
    if let Some(most) = most {
        refined = refined.max_length(most as u64);
    }
    refined.value().map_err(because)
}
