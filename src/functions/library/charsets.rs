//! Texts in other encodings, in Base64.

use super::{blame, made, str_of, text};
use crate::functions::engine::{base64, charset};
use crate::functions::entry::{FunctionEntry, function};
use crate::model::Value;

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        function("textdecodebase64", "Decodes Base64 to text in a character encoding.")
            .takes(text("source"))
            .takes(text("encoding"))
            .gives_string()
            .example("textdecodebase64(\"SABpAA==\", \"UTF-16LE\")", "\"Hi\"")
            .fails(
                "textdecodebase64(\"SABp\", \"UTF-16LE\")",
                "invalid value for \"source\" of function \"textdecodebase64\": the bytes are not text in UTF-16LE",
            )
            .does(|call| {
                let bytes = super::encoding::decoded(call, 0)?;
                made(call, charset::decode(&bytes, str_of(call, 1)).map_err(|(index, why)| blame(index, why))?)
            }),
        function("textencodebase64", "Encodes text in a character encoding, then in Base64.").encodes()
            .takes(text("string"))
            .takes(text("encoding"))
            .gives_string()
            .example("textencodebase64(\"Hi\", \"UTF-16LE\")", "\"SABpAA==\"")
            .fails(
                "textencodebase64(\"日\", \"ISO-8859-1\")",
                "invalid value for \"string\" of function \"textencodebase64\": ISO-8859-1 lacks a character of the text",
            )
            .does(|call| {
                let bytes = charset::encode(str_of(call, 0), str_of(call, 1));
                Ok(Value::from(base64::encode(&bytes.map_err(|(index, why)| blame(index, why))?)))
            }),
    ]
}
