//! JSON documents, and texts that are none.

use hcl_lr::json::Document;
use hcl_lr::parse;
use hcl_lr::source::Source;

use super::Case;

fn read(size: usize, name: String, text: impl Fn(usize) -> String + 'static) -> Case {
    Case::new(format!("{name:?}"), size, move |size| {
        let source = Source::new("x.json", text(size));
        move || drop(parse::<Document>(source))
    })
}

pub fn documents() -> Vec<Case> {
    let list: [(&str, &str, &str, &str); 7] = [
        ("[", "", "", "]"),
        ("{\"a\":", "1", "", "}"),
        ("", "[", "1,", "1]"),
        ("", "{", "\"a\": 1,", "\"b\": 1}"),
        ("", "[\"", "\\u00e9 text ", "\"]"),
        ("", "[1", "0", "]"),
        ("", "{\"a\": 1", "\n \t", "}"),
    ];
    let text = |(open, first, piece, close): (&str, &str, &str, &str), size| {
        let closed = if open.is_empty() { 1 } else { size };
        format!("{}{first}{}{}", open.repeat(size), piece.repeat(size), close.repeat(closed))
    };
    list.into_iter().map(|parts| read(4_000, text(parts, 1), move |size| text(parts, size))).collect()
}

const PIECES: &[&str] = &[
    "'x ",
    "'x',",
    "`",
    "“x",
    "\"a\" \"b\" ",
    "a b, ",
    "<<A,",
    "<<A\n",
    "//",
    "/*",
    "/* */",
    "#\n",
    "\"\n",
    "\n",
    "\" \n",
    "{\"a\": \"b\"c ",
    "[}",
    "{]",
    "]",
    "{",
    "[",
    ":",
    "=",
    ";",
    "tru,",
    "01 ",
    "\"\\x",
    "\"\\ud800",
    "\"a\": \"b\" + ",
    "\u{feff}",
    "\u{a0}",
    "x\"",
    "(",
    "@",
    "${",
    "<<<<<<<\n",
    "\"a\n\n\n",
    "\"a\": \"x\n ",
    " ",
    "a: ",
    "\"b\"c\": 1 ",
];

pub fn mistakes() -> Vec<Case> {
    let mut cases = Vec::new();
    for before in ["", "{\"a\": 1, ", "[1, ", "{\"a\": \""] {
        for piece in PIECES {
            cases.push(read(4_000, format!("{before}{piece}"), move |size| format!("{before}{}", piece.repeat(size))));
        }
    }
    cases
}
