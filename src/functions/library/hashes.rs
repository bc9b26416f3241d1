//! Hashes of texts in UTF-8.

use super::strings;
use super::{blame, str_of, text};
use crate::functions::engine::hash;
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::model::{Type, Value};

pub(in crate::functions) fn all() -> Vec<FunctionEntry> {
    vec![
        of_text("md5", "Returns the MD5 hash of a text in hexadecimal digits. MD5 is not safe against forgery.")
            .perhaps_null()
            .example("md5(\"hello\")", "\"5d41402abc4b2a76b9719d911017c592\"")
            .does(|call| Ok(Value::from(hash::hexadecimal(&hash::md5(str_of(call, 0).as_bytes()))))),
        of_text("sha1", "Returns the SHA-1 hash of a text in hexadecimal digits. SHA-1 is not safe against forgery.")
            .perhaps_null()
            .example("sha1(\"hello\")", "\"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d\"")
            .does(|call| Ok(Value::from(hash::hexadecimal(&hash::sha1(str_of(call, 0).as_bytes()))))),
        of_text("sha256", "Returns the SHA-256 hash of a text in hexadecimal digits.")
            .perhaps_null()
            .example("sha256(\"hello\")", "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"")
            .does(|call| Ok(Value::from(hash::hexadecimal(&hash::sha256(str_of(call, 0).as_bytes()))))),
        of_text("sha512", "Returns the SHA-512 hash of a text in hexadecimal digits.")
            .perhaps_null()
            .example(
                "sha512(\"hello\")",
                "\"9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043\"",
            )
            .does(|call| Ok(Value::from(hash::hexadecimal(&hash::sha512(str_of(call, 0).as_bytes()))))),
        function("uuidv5", "Returns the UUID of a name in a namespace: dns, url, oid, x500, or a UUID.")
            .digests()
            .takes(text("namespace"))
            .takes(text("name"))
            .gives(Type::String, "string")
            .example("uuidv5(\"dns\", \"www.example.com\")", "\"2ed6657d-e927-568b-95e1-2665a8aea6a2\"")
            .fails(
                "uuidv5(\"DNS\", \"a\")",
                "invalid value for \"namespace\" of function \"uuidv5\": the namespace is dns, url, oid, x500 or a UUID",
            )
            .does(|call| {
                let namespace = hash::uuid_namespace(str_of(call, 0));
                let namespace = namespace.ok_or_else(|| blame(0, "the namespace is dns, url, oid, x500 or a UUID"))?;
                Ok(Value::from(hash::uuid_v5(namespace, str_of(call, 1))))
            }),
    ]
}

fn of_text(name: &'static str, summary: &'static str) -> Builder {
    strings::of_text(name, summary).digests()
}
