//! The functions of Terraform and OpenTofu that the official library lacks, or defines differently.

use super::lists::{common_type, elements};
use super::{any, because, blame, list_of, made, str_of, text, with_article};
use crate::eval::{Call, FunctionError, Parameter};
use crate::functions::engine::cidr::{Block, Zeros};
use crate::functions::engine::date::Timestamp;
use crate::functions::engine::url;
use crate::functions::entry::{FunctionEntry, function};
use crate::model::convert::Safety;
use crate::model::{Number, Text, Type, Value, operations};
use crate::work;

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    let bools = || Parameter::new("list", Type::list(Type::Bool));
    vec![
        function("alltrue", "Returns true if all elements of a list are true. Null counts as false; the result for an empty list is true.")
            .takes(bools())
            .gives_bool()
            .example("alltrue([\"true\", true])", "true")
            .example("alltrue([true, null])", "false")
            .fails("alltrue([\"x\"])", "invalid value for \"list\" of function \"alltrue\": [0]: a bool is required")
            .does(|call| {
                for value in elements(call.argument(0)) {
                    work::step(1);
                    match value.as_bool() {
                        Some(true) => {}
                        None if !value.is_known() => return Ok(Value::unknown(Type::Bool)),
                        _ => return Ok(Value::from(false)),
                    }
                }
                Ok(Value::from(true))
            }),
        function("anytrue", "Returns true if at least one element of a list is true.")
            .takes(bools())
            .gives_bool()
            .example("anytrue([false, \"true\"])", "true")
            .example("anytrue([])", "false")
            .fails("anytrue([\"x\"])", "invalid value for \"list\" of function \"anytrue\": [0]: a bool is required")
            .does(|call| {
                let values = elements(call.argument(0));
                work::step(values.len());
                if values.iter().any(|value| value.as_bool() == Some(true)) {
                    return Ok(Value::from(true));
                }
                match values.iter().all(Value::is_known) {
                    true => Ok(Value::from(false)),
                    false => Ok(Value::unknown(Type::Bool)),
                }
            }),
        function("cidrcontains", "Returns true if an address, or a whole address block, is in an address block.")
            .takes(text("containing_prefix"))
            .takes(text("contained_ip_or_prefix"))
            .gives_bool()
            .example("cidrcontains(\"192.168.2.0/20\", \"192.168.2.1\")", "true")
            .example("cidrcontains(\"192.168.2.0/20\", \"192.168.0.0/16\")", "false")
            .fails(
                "cidrcontains(\"10.0.0.0/8\", \"::1\")",
                "invalid value for \"contained_ip_or_prefix\" of function \"cidrcontains\": one is an IPv4 address, the \
                 other one an IPv6 address",
            )
            .does(|call| {
                let outer = Block::parse(str_of(call, 0), Zeros::Ignored).map_err(|why| blame(0, why))?;
                let inner = str_of(call, 1);
                let inner = match Block::of_address(inner, Zeros::Ignored) {
                    Some(address) => address,
                    None => Block::parse(inner, Zeros::Ignored).map_err(|why| blame(1, why))?,
                };
                match outer.is_v4() == inner.is_v4() {
                    true => Ok(Value::from(outer.contains(&inner))),
                    false => Err(blame(1, "one is an IPv4 address, the other one an IPv6 address")),
                }
            }),
        function("endswith", "Returns true if a string ends with a suffix.")
            .takes(text("str"))
            .takes(text("suffix"))
            .gives_bool()
            .example("endswith(\"hello world\", \"world\")", "true")
            .does(|call| Ok(Value::from(str_of(call, 0).ends_with(str_of(call, 1))))),
        function("startswith", "Returns true if a string starts with a prefix.")
            .takes(text("str").allow_unknown())
            .takes(text("prefix"))
            .gives_bool()
            .example("startswith(\"hello world\", \"hello\")", "true")
            .does(|call| {
                let (text, prefix) = (call.argument(0), str_of(call, 1));
                let known = match text.as_str() {
                    Some(text) => return Ok(Value::from(text.starts_with(prefix))),
                    None => text.refinement().prefix(),
                };
                match (known.starts_with(prefix), prefix.starts_with(known)) {
                    (true, _) => Ok(Value::from(true)),
                    (false, false) => Ok(Value::from(false)),
                    _ => Ok(Value::unknown(Type::Bool)),
                }
            }),
        function("strcontains", "Returns true if a string contains another string.")
            .takes(text("str"))
            .takes(text("substr"))
            .gives_bool()
            .example("strcontains(\"hello world\", \"wor\")", "true")
            .does(|call| Ok(Value::from(str_of(call, 0).contains(str_of(call, 1))))),
        function("matchkeys", "Returns the values of a list whose keys, at the same positions of another list, are in a set.")
            .takes(Parameter::new("values", Type::list(Type::Dynamic)))
            .takes(Parameter::new("keys", Type::list(Type::Dynamic)))
            .takes(Parameter::new("searchset", Type::list(Type::Dynamic)))
            .gives_by("list(any)", |call| {
                let types = [call.argument(1).ty(), call.argument(2).ty()];
                match call.unify(&types, Safety::Unsafe) {
                    Some(_) => Ok(call.argument(0).ty()),
                    None => Err(blame(2, "the keys and the set must have the same type")),
                }
            })
            .never_null()
            .example("matchkeys([\"i-123\", \"i-abc\"], [\"us-west\", \"us-east\"], [\"us-east\"])", "[\"i-abc\"]")
            .fails(
                "matchkeys([\"a\"], [], [])",
                "invalid value for \"keys\" of function \"matchkeys\": the numbers of keys (0) and values (1) differ",
            )
            .does(matchkeys),
        function("one", "Returns the only element of a list, set or tuple, or null if it is empty.").looks_at_one()
            .takes(any("list"))
            .gives_by("any", |call| match call.argument(0).ty() {
                Type::List(element) | Type::Set(element) => Ok(element.get().clone()),
                Type::Tuple(tuple) => match tuple.elements() {
                    [] => Ok(Type::Dynamic),
                    [only] => Ok(only.clone()),
                    all => Err(blame(0, format!("there are {} elements, but at most one is allowed", all.len()))),
                },
                ty => Err(blame(0, format!("a list, set or tuple is required, not {}", with_article(&ty)))),
            })
            .example("one([\"hello\"])", "\"hello\"")
            .example("one([])", "null")
            .fails("one([1, 2])", "invalid value for \"list\" of function \"one\": there are 2 elements, but at most one is allowed")
            .does(|call| {
                let list = call.argument(0);
                if matches!(list.ty(), Type::Set(_)) && !list.is_wholly_known() && elements(list).len() > 1 {
                    return Ok(Value::unknown(call.result_type().clone()));
                }
                match elements(list) {
                    [] => Ok(Value::null(call.result_type().clone())),
                    [only] => Ok(only.clone()),
                    all => Err(blame(0, format!("there are {} elements, but at most one is allowed", all.len()))),
                }
            }),
        function("sum", "Adds the numbers in a list, set or tuple.")
            .takes(any("list"))
            .gives_by("number", |call| match call.argument(0).ty() {
                Type::List(_) | Type::Set(_) | Type::Tuple(_) => Ok(Type::Number),
                ty => Err(blame(0, format!("a list, set or tuple is required, not {}", with_article(&ty)))),
            })
            .never_null()
            .example("sum([10, 13, 6.5])", "29.5")
            .fails("sum([])", "invalid value for \"list\" of function \"sum\": there are no elements")
            .does(sum),
        function("timecmp", "Returns -1, 0 or 1 if a timestamp is earlier than, the same as, or later than another one.")
            .takes(text("timestamp_a"))
            .takes(text("timestamp_b"))
            .gives_number()
            .example("timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T01:00:00Z\")", "-1")
            .example("timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T01:00:00+01:00\")", "0")
            .fails(
                "timecmp(\"\", \"2017-11-22T01:00:00Z\")",
                "invalid value for \"timestamp_a\" of function \"timecmp\": this is not an RFC 3339 timestamp such as \
                 2006-01-02T15:04:05Z: the year must have 4 digits",
            )
            .does(|call| {
                let time = |index| Timestamp::parse(str_of(call, index)).map_err(|why| blame(index, why));
                Ok(Value::from(time(0)?.compare(&time(1)?) as i64))
            }),
        function("transpose", "Transposes a map of lists of strings: the result maps each string to the keys of its lists.")
            .takes(Parameter::new("values", Type::map(Type::list(Type::String))))
            .gives(Type::map(Type::list(Type::String)), "map(list(string))")
            .never_null()
            .example("transpose({ a = [\"1\", \"2\"], b = [\"2\"] })", "{ \"1\" = [\"a\"], \"2\" = [\"a\", \"b\"] }")
            .does(transpose),
        function("type", "Returns the type of a value as a type expression.")
            .takes(any("value").allow_null().allow_unknown().allow_dynamic())
            .gives(Type::String, "string")
            .example("type([1, \"a\"])", "\"tuple([\\n    number,\\n    string,\\n])\"")
            .does(|call| {
                let ty = call.argument(0).ty();
                // Lines of deeper levels are indented more.
                let bytes = ty.size().saturating_mul(1 + u64::from(ty.height()) / 8);
                call.charge(ty.size() / 64, bytes)?;
                let mut text = String::new();
                write_type(&ty, 0, &mut text);
                made(call, text)
            }),
        super::strings::of_text("urldecode", "Decodes text from the query of a URL.")
            .example("urldecode(\"a+b%2F%C3%BC\")", "\"a b/ü\"")
            .fails(
                "urldecode(\"%zz\")",
                "invalid value for \"str\" of function \"urldecode\": after a `%` two hexadecimal digits are required",
            )
            .does(|call| {
                let bytes = url::decode(str_of(call, 0));
                let bytes = bytes.ok_or_else(|| blame(0, "after a `%` two hexadecimal digits are required"))?;
                made(call, super::encoding::utf8(bytes)?)
            }),
    ]
}

/// Returns the functions that the official library also has, with another meaning.
pub(in crate::functions) fn own() -> Vec<FunctionEntry> {
    let mut own = vec![
        function("coalesce", "Returns the first argument that is neither null nor an empty string.")
            .looks_at_one()
            .rest(any("vals").allow_null().allow_unknown().allow_dynamic())
            .gives_by("any", common_type)
            .never_null()
            .example("coalesce(\"\", \"b\")", "\"b\"")
            .fails("coalesce(\"\")", "function \"coalesce\" failed: all arguments are null or empty strings")
            .does(coalesce),
        function("index", "Returns the index of the first element of a list or tuple that equals a value.")
            .looks_at_one()
            .takes(any("list"))
            .takes(any("value"))
            .gives_number()
            .example("index([\"a\", \"b\", \"c\"], \"b\")", "1")
            .fails("index([\"a\"], \"b\")", "function \"index\" failed: no element is equal to the value")
            .does(index_of),
        function(
            "length",
            "Returns the number of elements of a list, set, map or tuple, of attributes of an object, or of characters of a string.",
        )
        .looks_at_one()
        .takes(any("value").allow_dynamic().allow_unknown().allow_marked())
        .gives_by("number", |call| match call.argument(0).ty() {
            Type::Number | Type::Bool => Err(blame(0, format!("a {} has no length", call.argument(0).ty()))),
            _ => Ok(Type::Number),
        })
        .never_null()
        .example("length(\"héllo\")", "5")
        .example("length({ a = 1 })", "1")
        .fails("length(1)", "invalid value for \"value\" of function \"length\": a number has no length")
        .does(|call| {
            let value = call.argument(0);
            match value.ty() {
                Type::String => {
                    let (text, marks) = value.unmark();
                    // The whole text is read, but only the number of elements of a collection.
                    call.charge(text.as_str().map_or(0, str::len) as u64, 0)?;
                    Ok(super::strings::length_of(&text)?.with_marks(&marks))
                }
                _ => Ok(operations::length(value)?),
            }
        }),
        function("lookup", "Returns the element of a map or the attribute of an object with a key, or a default if there is none.")
            .looks_at_one()
            .takes(any("inputMap").allow_marked())
            .takes(text("key").allow_marked())
            .rest(any("default").allow_dynamic().allow_unknown().allow_null().allow_marked())
            .gives_by("any", lookup_type)
            .example("lookup({ a = \"x\" }, \"b\", \"none\")", "\"none\"")
            .fails("lookup({ a = \"x\" }, \"b\")", "function \"lookup\" failed: no element has the key \"b\"")
            .does(lookup),
    ];
    #[cfg(feature = "functions")]
    own.push(
        function(
            "replace",
            "Replaces all occurrences of a string in another one; between slashes, a regular expression.",
        )
        .takes(text("str"))
        .takes(text("substr"))
        .takes(text("replace"))
        .gives_string()
        .example("replace(\"1 + 2\", \"+\", \"-\")", "\"1 - 2\"")
        .example("replace(\"hello world\", \"/w.*d/\", \"everybody\")", "\"hello everybody\"")
        .does(|call| {
            let pattern = str_of(call, 1).strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
            match pattern {
                Some(pattern) => {
                    let regex = super::patterns::compiled(call, 1, pattern)?;
                    super::patterns::replaced(call, &regex, str_of(call, 0), str_of(call, 2))
                }
                None => super::strings::replaced(call, str_of(call, 0), str_of(call, 1), str_of(call, 2)),
            }
        }),
    );
    own.extend(super::network::of_blocks(Zeros::Ignored));
    own
}

fn matchkeys(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (values, keys) = (elements(call.argument(0)), elements(call.argument(1)));
    if !call.arguments().iter().all(Value::is_wholly_known) {
        return Ok(Value::unknown(call.result_type().clone()));
    }
    if values.len() != keys.len() {
        return Err(blame(1, format!("the numbers of keys ({}) and values ({}) differ", keys.len(), values.len())));
    }
    let common = call.unify(&[call.argument(1).ty(), call.argument(2).ty()], Safety::Unsafe).unwrap_or(Type::Dynamic);
    let (keys, wanted) = (call.convert(call.argument(1), &common)?, call.convert(call.argument(2), &common)?);
    let wanted: std::collections::HashSet<&Value> = elements(&wanted).iter().collect();
    let kept =
        elements(&keys).iter().zip(values).filter(|(key, _)| wanted.contains(key)).map(|(_, value)| value.clone());
    list_of(call.result_type().element_type().cloned().unwrap_or(Type::Dynamic), kept.collect())
}

fn sum(call: &Call<'_>) -> Result<Value, FunctionError> {
    let list = call.argument(0);
    if !list.is_wholly_known() {
        return Ok(Value::unknown(Type::Number));
    }
    let mut total: Option<Number> = None;
    for (at, value) in elements(list).iter().enumerate() {
        work::step(1);
        let number = call.convert(value, &Type::Number).map_err(|why| blame(0, format!("[{at}]: {why}")))?;
        let number = number.as_number().ok_or_else(|| blame(0, format!("element {at} is null")))?;
        let before = total.unwrap_or(Number::ZERO);
        call.charge(before.steps_with(number), before.digit_bytes())?;
        total = Some(before.add(number)?);
    }
    total.map(Value::from).ok_or_else(|| blame(0, "there are no elements"))
}

fn transpose(call: &Call<'_>) -> Result<Value, FunctionError> {
    let map = call.argument(0);
    if !map.is_wholly_known() {
        return Ok(Value::unknown(call.result_type().clone()));
    }
    let mut turned: std::collections::BTreeMap<&Text, Vec<Value>> = std::collections::BTreeMap::new();
    for (key, list) in map.shared_entries().into_iter().flatten() {
        // An entry in a list; and a list and a map key if it is the first one.
        call.charge(elements(list).len() as u64, 256 * elements(list).len() as u64)?;
        for text in elements(list) {
            let text = text.as_name().ok_or_else(|| blame(0, format!("a string in \"{key}\" is null")))?;
            turned.entry(text).or_default().push(Value::from_name(key.clone()));
        }
    }
    let lists = turned.into_iter().map(|(text, keys)| Ok((text.clone(), list_of(Type::String, keys)?)));
    let lists: Vec<(Text, Value)> = lists.collect::<Result<_, FunctionError>>()?;
    Value::map_of(Type::list(Type::String), lists).map_err(because)
}

/// Deeper levels of a type are not indented further: its text grows with its parts, not with the square of its depth.
const MAX_INDENT: usize = 100;

/// Writes a type over several lines, members indented.
fn write_type(ty: &Type, depth: usize, to: &mut String) {
    let indent = |depth: usize| "    ".repeat(depth.min(MAX_INDENT));
    match ty {
        Type::Dynamic => to.push_str("dynamic"),
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            to.push_str(match ty {
                Type::List(_) => "list(",
                Type::Set(_) => "set(",
                _ => "map(",
            });
            write_type(element.get(), depth, to);
            to.push(')');
        }
        Type::Tuple(tuple) if tuple.elements().is_empty() => to.push_str("tuple([])"),
        Type::Tuple(tuple) => {
            to.push_str("tuple([\n");
            for element in tuple.elements() {
                to.push_str(&indent(depth + 1));
                write_type(element, depth + 1, to);
                to.push_str(",\n");
            }
            to.push_str(&indent(depth));
            to.push_str("])");
        }
        Type::Object(object) if object.attributes().is_empty() => to.push_str("object({})"),
        Type::Object(object) => {
            to.push_str("object({\n");
            for attribute in object.attributes() {
                to.push_str(&format!("{}{}: ", indent(depth + 1), attribute.name()));
                write_type(attribute.ty(), depth + 1, to);
                to.push_str(",\n");
            }
            to.push_str(&indent(depth));
            to.push_str("})");
        }
        ty => to.push_str(&ty.to_string()),
    }
}

fn coalesce(call: &Call<'_>) -> Result<Value, FunctionError> {
    for argument in call.arguments() {
        if !argument.is_known() {
            return Ok(Value::unknown(call.result_type().clone()));
        }
        let argument = call.convert(argument, call.result_type())?;
        if !argument.is_null() && argument.as_str() != Some("") {
            return Ok(argument);
        }
    }
    Err(because("all arguments are null or empty strings"))
}

fn index_of(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (list, wanted) = (call.argument(0), call.argument(1));
    if !matches!(list.ty(), Type::List(_) | Type::Tuple(_)) {
        return Err(blame(0, format!("a list or tuple is required, not {}", with_article(&list.ty()))));
    }
    for (at, element) in elements(list).iter().enumerate() {
        match operations::equal(element, wanted).as_bool() {
            Some(true) => return Ok(Value::from(at)),
            Some(false) => {}
            None => return Ok(Value::unknown(Type::Number)),
        }
    }
    Err(because("no element is equal to the value"))
}

fn lookup_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let default = call.arguments().get(2);
    if call.arguments().len() > 3 {
        return Err(blame(3, "at most one default can be given"));
    }
    match call.argument(0).ty() {
        Type::Object(object) => {
            let Some(key) = call.argument(1).as_str() else { return Ok(Type::Dynamic) };
            let found = object.get(key).map(|attribute| attribute.ty().clone()).or_else(|| default.map(Value::ty));
            found.ok_or_else(|| missing(call, key))
        }
        Type::Map(element) => match default.is_none_or(|default| call.convert(default, element.get()).is_ok()) {
            true => Ok(element.get().clone()),
            false => Err(blame(2, format!("the default must be {} as the elements are", with_article(element.get())))),
        },
        ty => Err(blame(0, format!("a map or object is required, not {}", with_article(&ty)))),
    }
}

/// The name of a marked key may be secret.
fn missing(call: &Call<'_>, key: &str) -> FunctionError {
    match call.argument(1).is_marked() {
        true => because("no element has this key"),
        false => because(format!("no element has the key \"{key}\"")),
    }
}

fn lookup(call: &Call<'_>) -> Result<Value, FunctionError> {
    let (map, key) = (call.argument(0), call.argument(1));
    let marks = map.marks().union(&key.marks());
    let name = str_of(call, 1);
    let found = match map.ty() {
        Type::Object(_) => map.attribute(name),
        _ => map.entry(name),
    };
    let value = match (found, call.arguments().get(2)) {
        (Some(value), _) => value.clone(),
        (None, Some(default)) => call.convert(default, call.result_type())?,
        (None, None) => return Err(missing(call, name)),
    };
    Ok(value.with_marks(&marks))
}

/// Hashes in Base64.
#[cfg(feature = "functions")]
pub(in crate::functions) fn hashes() -> Vec<FunctionEntry> {
    use super::strings::of_text;
    use crate::functions::engine::{base64, hash};
    vec![
        of_text("base64sha256", "Returns the SHA-256 hash of a text in Base64.")
            .encodes()
            .example("base64sha256(\"hello world\")", "\"uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=\"")
            .does(|call| Ok(Value::from(base64::encode(&hash::sha256(str_of(call, 0).as_bytes()))))),
        of_text("base64sha512", "Returns the SHA-512 hash of a text in Base64.")
            .encodes()
            .example(
                "base64sha512(\"a\")",
                "\"H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adQ==\"",
            )
            .does(|call| Ok(Value::from(base64::encode(&hash::sha512(str_of(call, 0).as_bytes()))))),
    ]
}

/// Compressed texts in Base64.
#[cfg(feature = "functions")]
pub(in crate::functions) fn compression() -> Vec<FunctionEntry> {
    use super::strings::of_text;
    use crate::functions::engine::{base64, gzip};
    vec![
        of_text(
            "base64gzip",
            "Compresses text in UTF-8 with gzip and encodes it in Base64. The bytes can differ between versions.",
        )
        .encodes()
        .example("base64gunzip(base64gzip(\"hello\"))", "\"hello\"")
        .does(|call| {
            Ok(Value::from(base64::encode(
                &gzip::compress(str_of(call, 0).as_bytes(), call.account()).map_err(because)?,
            )))
        }),
        of_text("base64gunzip", "Decodes Base64 and decompresses it with gzip.")
            .example("base64gunzip(\"H4sIAAAAAAAA/8tIzcnJBwCGphA2BQAAAA==\")", "\"hello\"")
            .fails(
                "base64gunzip(\"aGVsbG8=\")",
                "invalid value for \"str\" of function \"base64gunzip\": this is not compressed with gzip",
            )
            .does(|call| {
                let bytes = super::encoding::decoded(call, 0)?;
                let text = gzip::expand(&bytes, call.account()).map_err(|why| blame(0, why))?;
                made(call, super::encoding::utf8(text)?)
            }),
    ]
}
