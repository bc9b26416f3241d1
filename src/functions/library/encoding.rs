//! Functions that encode and decode text.

use std::borrow::Cow;

use super::strings::of_text;
use super::{any, because, blame, made, part_of, str_of, text};
use crate::eval::{Call, FunctionError};
use crate::functions::engine::csv::Records;
use crate::functions::engine::{base64, url};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::{Text, Type, Value, json};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        of_text("base64decode", "Decodes Base64 to text in UTF-8.")
            .perhaps_null()
            .example("base64decode(\"aGVsbG8=\")", "\"hello\"")
            .fails(
                "base64decode(\"aGVsbG8\")",
                "invalid value for \"str\" of function \"base64decode\": this is not Base64: it is not padded with `=` to \
                 groups of four characters",
            )
            .does(|call| made(call, utf8(decoded(call, 0)?)?)),
        of_text("base64encode", "Encodes text in UTF-8, then in Base64.").encodes()
            .perhaps_null()
            .example("base64encode(\"hello\")", "\"aGVsbG8=\"")
            .does(|call| Ok(Value::from(base64::encode(str_of(call, 0).as_bytes())))),
        function("csvdecode", "Parses comma-separated values to a list of objects; the first line names the attributes.").decodes()
            .takes(text("str"))
            .gives_by("list(object)", csv_type)
            .never_null()
            .example("csvdecode(\"a,b\\n1,2\\n\")", "[{ a = \"1\", b = \"2\" }]")
            .fails("csvdecode(\"\")", "invalid value for \"str\" of function \"csvdecode\": the line with the names is missing")
            .does(csv),
        function("jsondecode", "Parses JSON to a value.").decodes()
            .takes(text("str").allow_unknown().allow_dynamic())
            .gives_by("any", |call| json_type(call.argument(0)))
            .example("jsondecode(\"{\\\"a\\\": [1, true]}\")", "{ a = [1, true] }")
            .does(|call| match call.argument(0).as_str() {
                Some(text) => json::decode_implied(text).map_err(because),
                None => Ok(Value::unknown(call.result_type().clone())),
            }),
        function("jsonencode", "Encodes a value as JSON.").encodes()
            .takes(any("val").allow_null().allow_unknown().allow_dynamic())
            .gives_string()
            .example("jsonencode({ a = [1, true] })", "\"{\\\"a\\\":[1,true]}\"")
            .does(json_text),
        of_text("urlencode", "Encodes text for the query of a URL.").encodes()
            .perhaps_null()
            .example("urlencode(\"a b/ü\")", "\"a+b%2F%C3%BC\"")
            .does(|call| Ok(Value::from(url::encode(str_of(call, 0))))),
    ]
}

/// YAML, which needs the feature of that name.
pub(in crate::functions) fn yaml() -> Vec<FunctionEntry> {
    use crate::functions::engine::yaml;
    vec![
        function("yamldecode", "Parses a YAML document to a value.")
            .decodes()
            .takes(text("src"))
            .example("yamldecode(\"a: [1, yes]\\nb: ~\")", "{ a = [1, true], b = null }")
            .does(|call| yaml::decode(str_of(call, 0), call.account()).map_err(|why| blame(0, why))),
        function("yamlencode", "Encodes a value as YAML.")
            .encodes()
            .takes(any("value").allow_null().allow_dynamic())
            .gives(Type::String, "string")
            .example("yamlencode({ a = [1, true] })", "\"\\\"a\\\":\\n- 1\\n- true\\n\"")
            .does(|call| match call.argument(0).is_wholly_known() {
                true => made(call, yaml::encode(call.argument(0)).map_err(|why| blame(0, why))?),
                false => Ok(Value::unknown(Type::String)),
            }),
    ]
}

/// Decodes an argument in Base64.
pub(super) fn decoded(call: &Call<'_>, index: usize) -> Result<Vec<u8>, FunctionError> {
    base64::decode(str_of(call, index)).map_err(|why| blame(index, format!("this is not Base64: {why}")))
}

pub(super) fn utf8(bytes: Vec<u8>) -> Result<String, FunctionError> {
    String::from_utf8(bytes).map_err(|_| because("the result is not valid UTF-8"))
}

fn csv_error(why: crate::functions::engine::csv::CsvError) -> FunctionError {
    blame(0, format!("line {}: {}", why.line, why.why))
}

/// The names in the first line.
fn header<'t>(records: &mut Records<'t>) -> Result<Vec<Cow<'t, str>>, FunctionError> {
    records.read().map_err(csv_error)?.ok_or_else(|| blame(0, "the line with the names is missing"))
}

fn csv_type(call: &Call<'_>) -> Result<Type, FunctionError> {
    let Some(text) = call.argument(0).as_str() else { return Ok(Type::Dynamic) };
    let names = header(&mut Records::new(text))?;
    let mut seen = std::collections::HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(&***name)) {
        return Err(blame(0, format!("there are two columns named `{twice}`")));
    }
    Ok(Type::list(Type::object(names.iter().map(|name| (name, Type::String)))))
}

fn csv(call: &Call<'_>) -> Result<Value, FunctionError> {
    let mut records = Records::new(str_of(call, 0));
    let names = header(&mut records)?;
    let row = call.result_type().element_type().cloned().unwrap_or(Type::Dynamic);
    // The indexes of the columns among the attributes, which are in alphabetic order.
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|x, y| names[*x].cmp(&names[*y]));
    let attributes: Vec<Text> = names.iter().map(|name| Text::from(&**name)).collect();
    let plain = row.attributes().is_some_and(|attributes| attributes.len() == names.len());
    let mut rows = Vec::new();
    while let Some(fields) = records.read().map_err(csv_error)? {
        if fields.len() != names.len() {
            let why =
                format!("line {}: there are {} fields, but {} columns", records.line(), fields.len(), names.len());
            return Err(blame(0, why));
        }
        // A part of a normalized text is normalized.
        let value = |at: usize| match &fields[at] {
            Cow::Borrowed(field) => Ok(part_of(field)),
            Cow::Owned(field) => made(call, field),
        };
        rows.push(match plain {
            true => Value::with_parts(row.clone(), order.iter().map(|at| value(*at)).collect::<Result<_, _>>()?),
            false => {
                let named = attributes.iter().enumerate().map(|(at, name)| Ok((name.clone(), value(at)?)));
                Value::object_of(named.collect::<Result<_, FunctionError>>()?)
            }
        });
    }
    Ok(Value::list_of_fitting(row, rows))
}

/// Returns the JSON of a value. If it has unknown parts, the first character may be known.
fn json_text(call: &Call<'_>) -> Result<Value, FunctionError> {
    let value = call.argument(0);
    if value.is_wholly_known() {
        return made(call, json::encode_implied(value).map_err(because)?);
    }
    let unknown = Value::unknown(Type::String);
    if !value.is_never_null() {
        return Ok(unknown);
    }
    let first = match value.ty() {
        Type::String => "\"",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[",
        Type::Map(_) | Type::Object(_) => "{",
        _ => return Ok(unknown),
    };
    unknown.refine().full_prefix(first).value().map_err(because)
}

/// Returns the type of the JSON in an unknown text, as far as its first character shows it. A known text is parsed only
/// once, for its value.
fn json_type(text: &Value) -> Result<Type, FunctionError> {
    if text.is_known() {
        return Ok(Type::Dynamic);
    }
    match text.refinement().prefix().trim_start_matches([' ', '\t', '\n', '\r']).chars().next() {
        None | Some('{' | '[' | 'n') => Ok(Type::Dynamic),
        Some('"') => Ok(Type::String),
        Some('t' | 'f') => Ok(Type::Bool),
        Some('0'..='9' | '-' | '.') => Ok(Type::Number),
        Some(c) => Err(blame(0, format!("a JSON value does not begin with {c:?}"))),
    }
}
