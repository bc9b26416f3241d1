//! Functions with side effects, which work through a host.

use std::sync::Arc;

#[cfg(feature = "functions")]
use super::because;
use super::{any, blame, made, number, str_of, text};
use crate::eval::{Call, FunctionError, Functions};
use crate::functions::engine::base64;
use crate::functions::engine::date::Timestamp;
use crate::functions::entry::{Builder, FunctionEntry, function};
use crate::functions::host::Host;
use crate::functions::{FunctionSet, sets};
#[cfg(feature = "functions")]
use crate::model::Type;
use crate::model::Value;

/// The maximum depth of nested templates.
const MAX_TEMPLATES: usize = 32;

pub(in crate::functions) fn all(host: &Arc<dyn Host>) -> Vec<FunctionEntry> {
    within(host, 0)
}

/// Returns the functions for templates at a depth of nesting.
fn within(host: &Arc<dyn Host>, depth: usize) -> Vec<FunctionEntry> {
    let mut all = paths(host);
    all.extend(contents(host, depth));
    all.extend(others(host));
    #[cfg(feature = "functions")]
    all.extend(hashes(host));
    all
}

/// Functions by their names.
pub(in crate::functions) fn table(entries: Vec<FunctionEntry>) -> Functions {
    entries.into_iter().map(|entry| (entry.name(), entry.function().clone())).collect()
}

fn of_path(name: &'static str, summary: &'static str) -> Builder {
    function(name, summary).takes(text("path")).gives_string()
}

/// Returns a function that only uses the text of a path.
fn paths(host: &Arc<dyn Host>) -> Vec<FunctionEntry> {
    let (absolute, home, exists) = (host.clone(), host.clone(), host.clone());
    vec![
        of_path("abspath", "Makes a path absolute.")
            .fails("abspath(\"a\")", "invalid value for \"path\" of function \"abspath\": files are not available here")
            .does(move |call| made(call, absolute.absolute(str_of(call, 0)).map_err(|why| blame(0, why))?)),
        of_path("pathexpand", "Replaces a leading `~` of a path by the home folder.")
            .example("pathexpand(\"/etc\")", "\"/etc\"")
            .fails(
                "pathexpand(\"~/a\")",
                "invalid value for \"path\" of function \"pathexpand\": the home folder is not available here",
            )
            .does(move |call| match str_of(call, 0).strip_prefix('~') {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                    let home = home.home().map_err(|why| blame(0, why))?;
                    made(call, format!("{}{rest}", home.trim_end_matches('/')))
                }
                _ => Ok(call.argument(0).clone()),
            }),
        function("fileexists", "Returns true if a file exists.")
            .looks_at_one()
            .takes(text("path"))
            .gives_bool()
            .fails(
                "fileexists(\"a\")",
                "invalid value for \"path\" of function \"fileexists\": files are not available here",
            )
            .does(move |call| Ok(Value::from(exists.exists(str_of(call, 0)).map_err(|why| blame(0, why))?))),
    ]
}

fn read(host: &Arc<dyn Host>, call: &Call<'_>) -> Result<Vec<u8>, FunctionError> {
    let bytes = host.read(str_of(call, 0)).map_err(|why| blame(0, why))?;
    // Charge for the result: a string, perhaps an encoded one.
    call.charge(bytes.len() as u64 / 16, 3 * bytes.len() as u64)?;
    Ok(bytes)
}

fn read_text(host: &Arc<dyn Host>, call: &Call<'_>) -> Result<String, FunctionError> {
    String::from_utf8(read(host, call)?).map_err(|_| blame(0, "the file is not valid UTF-8"))
}

fn contents(host: &Arc<dyn Host>, depth: usize) -> Vec<FunctionEntry> {
    let (plain, encoded, template) = (host.clone(), host.clone(), host.clone());
    #[allow(unused_mut)]
    let mut all = vec![
        of_path("file", "Returns the text of a file.")
            .fails("file(\"a\")", "invalid value for \"path\" of function \"file\": files are not available here")
            .does(move |call| made(call, read_text(&plain, call)?)),
        of_path("filebase64", "Returns the content of a file in Base64.")
            .fails(
                "filebase64(\"a\")",
                "invalid value for \"path\" of function \"filebase64\": files are not available here",
            )
            .does(move |call| Ok(Value::from(base64::encode(&read(&encoded, call)?)))),
        function("templatefile", "Renders the template in a file with variables.")
            .takes(text("path"))
            .takes(any("vars"))
            .fails(
                "templatefile(\"a\", {})",
                "invalid value for \"path\" of function \"templatefile\": files are not available here",
            )
            .does(move |call| {
                if depth >= MAX_TEMPLATES {
                    return Err(blame(0, format!("more than {MAX_TEMPLATES} templates are within each other")));
                }
                let text = read_text(&template, call)?;
                let functions = sets::table(FunctionSet::Terraform).with_all(&table(within(&template, depth + 1)));
                super::templates::render(call, &text, str_of(call, 0), &functions)
            }),
    ];
    #[cfg(feature = "functions")]
    {
        let files = host.clone();
        all.push(
            function(
                "fileset",
                "Returns the files in a folder whose paths match a pattern with `*`, `**`, `?` and `{a,b}`.",
            )
            .takes(text("path"))
            .takes(text("pattern"))
            .gives(Type::set(Type::String), "set(string)")
            .never_null()
            .fails(
                "fileset(\"a\", \"*\")",
                "invalid value for \"path\" of function \"fileset\": files are not available here",
            )
            .does(move |call| {
                let account = call.account();
                let matcher = crate::functions::engine::glob::matcher(str_of(call, 1), account)
                    .map_err(|why| super::patterns::of_pattern(1, why))?;
                let all = files.files(str_of(call, 0)).map_err(|why| blame(0, why))?;
                let mut matching = Vec::new();
                for path in &all {
                    if matcher.find(path, account)?.is_some() {
                        matching.push(Value::from(path.as_str()));
                    }
                }
                Value::set(Type::String, matching).map_err(because)
            }),
        );
    }
    all
}

/// Returns a time of the clock as a timestamp.
fn timestamp((seconds, nanos): (i64, u32)) -> Value {
    Value::from(Timestamp::since_1970(seconds, nanos).to_string())
}

fn others(host: &Arc<dyn Host>) -> Vec<FunctionEntry> {
    let (now, plan, bcrypt, rsa) = (host.clone(), host.clone(), host.clone(), host.clone());
    #[allow(unused_mut)]
    let mut all = vec![
        function("timestamp", "Returns the current time.")
            .gives_string()
            .fails("timestamp()", "function \"timestamp\" failed: the clock is not available here")
            .does(move |_| Ok(timestamp(now.now()?)))
            .impure(),
        function("plantimestamp", "Returns a time that is the same for the whole run.")
            .gives_string()
            .fails("plantimestamp()", "function \"plantimestamp\" failed: the clock is not available here")
            .does(move |_| Ok(timestamp(plan.plan_time()?)))
            .impure(),
        function("bcrypt", "Returns the bcrypt hash of a password. The cost is 10 by default.")
            .takes(text("str"))
            .rest(number("cost"))
            .gives_string()
            .fails("bcrypt(\"a\")", "invalid value for \"str\" of function \"bcrypt\": bcrypt is not available here")
            .does(move |call| {
                let cost = match call.arguments().len() {
                    1 => 10,
                    2 => call.get_as::<u32>(1)?,
                    _ => return Err(blame(2, "at most one cost can be given")),
                };
                Ok(Value::from(bcrypt.bcrypt(str_of(call, 0), cost).map_err(|why| blame(0, why))?))
            })
            .impure(),
        function("rsadecrypt", "Decrypts a text in Base64 that was encrypted with RSA, with a private key.")
            .takes(text("ciphertext"))
            .takes(text("privatekey"))
            .gives_string()
            .fails(
                "rsadecrypt(\"YQ==\", \"\")",
                "invalid value for \"ciphertext\" of function \"rsadecrypt\": RSA is not available here",
            )
            .does(move |call| {
                let bytes = super::encoding::decoded(call, 0)?;
                let text = rsa.rsa_decrypt(&bytes, str_of(call, 1)).map_err(|why| blame(0, why))?;
                made(call, super::encoding::utf8(text)?)
            }),
    ];
    #[cfg(feature = "functions")]
    for name in ["uuid", "uuidv4"] {
        let random = host.clone();
        let message = match name {
            "uuid" => "function \"uuid\" failed: random numbers are not available here",
            _ => "function \"uuidv4\" failed: random numbers are not available here",
        };
        all.push(
            function(name, "Returns a new random UUID.")
                .gives_string()
                .fails(if name == "uuid" { "uuid()" } else { "uuidv4()" }, message)
                .does(move |_| {
                    let mut bytes = [0; 16];
                    random.random(&mut bytes)?;
                    Ok(Value::from(crate::functions::engine::hash::uuid_text(&bytes, 4)))
                })
                .impure(),
        );
    }
    all
}

#[cfg(feature = "functions")]
fn hashes(host: &Arc<dyn Host>) -> Vec<FunctionEntry> {
    use crate::functions::engine::hash;
    type Hash = fn(&[u8]) -> Vec<u8>;
    let of = |name: &'static str,
              summary: &'static str,
              call: &'static str,
              error: &'static str,
              hash: Hash,
              show: fn(&[u8]) -> String| {
        let host = host.clone();
        let entry = of_path(name, summary).fails(call, error);
        entry.does(move |call| Ok(Value::from(show(&hash(&read(&host, call)?)))))
    };
    macro_rules! hashed {
        ($name:literal, $what:literal, $hash:expr, $show:expr) => {
            of(
                $name,
                concat!("Returns the ", $what, " of the content of a file."),
                concat!($name, "(\"a\")"),
                concat!("invalid value for \"path\" of function \"", $name, "\": files are not available here"),
                $hash,
                $show,
            )
        };
    }
    vec![
        hashed!("filemd5", "MD5 hash, in hexadecimal digits,", hash::md5, hash::hexadecimal),
        hashed!("filesha1", "SHA-1 hash, in hexadecimal digits,", hash::sha1, hash::hexadecimal),
        hashed!("filesha256", "SHA-256 hash, in hexadecimal digits,", hash::sha256, hash::hexadecimal),
        hashed!("filesha512", "SHA-512 hash, in hexadecimal digits,", hash::sha512, hash::hexadecimal),
        hashed!("filebase64sha256", "SHA-256 hash, in Base64,", hash::sha256, base64::encode),
        hashed!("filebase64sha512", "SHA-512 hash, in Base64,", hash::sha512, base64::encode),
    ]
}
