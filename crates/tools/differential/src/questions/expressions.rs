//! Random expressions and templates.
//!
//! The results are mostly valid and use values of every kind, unknown, null and marked ones included.

use super::texts::list;
use crate::random::Random;

/// The expressions for places that need a value of one type, among them unknown, null and marked ones.
const NUMBERS: [&str; 18] = [
    "num", "z", "neg", "fr", "big", "mn", "un", "unr", "2", "0.1", "ws", "tup[1]", "mo.p.a", "sn[*][0]", "lun[0]",
    "-3", "l.x", "(1)",
];
const BOOLS: [&str; 14] =
    ["t", "f", "tm", "ub", "ubm", "bs", "lb[0]", "true", "false", "d", "s == m", "un > 2", "!t", "nb"];
const STRINGS: [&str; 10] = ["s", "ws", "us", "usp", "m", "usm", "\"k\"", "num", "t", "\"a${us}\""];

/// Writes sources.
pub struct Writer<'r> {
    pub random: &'r mut Random,
    names: &'r [String],
    /// The variables of the loops around.
    bound: Vec<&'static str>,
}

impl<'r> Writer<'r> {
    pub fn new(random: &'r mut Random, names: &'r [String]) -> Self {
        Writer { random, names, bound: Vec::new() }
    }

    fn name(&mut self) -> String {
        if !self.bound.is_empty() && self.random.chance(50) {
            return self.bound[self.random.below(self.bound.len())].to_owned();
        }
        if self.random.chance(5) {
            return self.random.pick(&["nope", "inner", "x", "a-b", "for", "if", "in", "é"]).to_owned();
        }
        self.names[self.random.below(self.names.len())].clone()
    }

    fn literal(&mut self) -> String {
        let literals = [
            "1",
            "0",
            "2",
            "3.5",
            "true",
            "false",
            "null",
            "\"a\"",
            "\"k\"",
            "\"\"",
            "\"5\"",
            "\"true\"",
            "10",
            "1e2",
            "0.1",
            "\"a\\n\\u00e9\"",
            "\"$${a}%%{\"",
            "\"é̀👩‍👩‍👧\"",
            "1.0",
            "007",
            "2E-1",
        ];
        self.random.pick(&literals).to_owned()
    }

    pub fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(12) {
            return if self.random.chance(35) { self.literal() } else { self.name() };
        }
        let inner = depth - 1;
        match self.random.below(100) {
            0..10 => self.literal(),
            10..26 => self.name(),
            26..38 => {
                let (operator, of) = match self.random.below(16) {
                    at @ 0..9 => (["+", "-", "*", "/", "%", "<", ">", "<=", ">="][at], &NUMBERS[..]),
                    at @ 9..13 => (["&&", "||", "&&", "||"][at - 9], &BOOLS[..]),
                    at => (["==", "!=", "=="][at - 13], &[][..]),
                };
                if of.is_empty() {
                    return format!("{} {operator} {}", self.expression(inner), self.expression(inner));
                }
                format!("{} {operator} {}", self.fitting(of, inner), self.fitting(of, inner))
            }
            38..40 => format!("-{}", self.fitting(&NUMBERS, depth.saturating_sub(2))),
            40..42 => format!("!{}", self.fitting(&BOOLS, depth.saturating_sub(2))),
            42..50 => {
                format!("{} ? {} : {}", self.fitting(&BOOLS, inner), self.expression(inner), self.expression(inner))
            }
            50..53 => {
                let (before, after) = (self.space(), self.space());
                format!("({before}{}{after})", self.expression(inner))
            }
            53..59 => {
                let (before, after) = (self.space(), self.space());
                format!("[{before}{}{after}]", self.list(inner, 4))
            }
            59..65 => self.object(inner),
            65..74 => self.postfix(inner),
            74..82 => self.for_expression(inner),
            82..92 => format!("\"{}\"", self.template(inner)),
            _ => self.call(inner),
        }
    }

    /// Mostly something of which the value is likely to fit.
    fn fitting(&mut self, of: &[&str], depth: usize) -> String {
        if self.random.chance(60) { self.random.pick(of).to_owned() } else { self.expression(depth) }
    }

    /// White space that may stand within brackets; mostly none.
    fn space(&mut self) -> &'static str {
        if self.random.chance(88) {
            return "";
        }
        ["\n", " ", "\t", " # note\n", "/* a */", "\r\n", "// b\n"][self.random.below(7)]
    }

    fn list(&mut self, depth: usize, most: usize) -> String {
        let count = self.random.below(most);
        let mut text = (0..count).map(|_| self.expression(depth)).collect::<Vec<_>>().join(", ");
        if !text.is_empty() && self.random.chance(5) {
            text.push(',');
        }
        text
    }

    fn object(&mut self, depth: usize) -> String {
        let count = self.random.below(4);
        let element = |writer: &mut Self| {
            let key = match writer.random.below(12) {
                0..5 => writer.random.pick(&["a", "b", "k", "c", "true", "1"]).to_owned(),
                5..7 => "\"q\"".to_owned(),
                7..9 => format!("({})", writer.expression(depth)),
                9 => "\"${s}\"".to_owned(),
                10 => format!("{}.a", writer.name()),
                _ => writer.expression(depth),
            };
            format!("{key} {} {}", writer.random.pick(&["=", ":"]), writer.expression(depth))
        };
        let elements: Vec<String> = (0..count).map(|_| element(self)).collect();
        let between = if self.random.chance(85) { ", " } else { self.random.pick(&["\n", ",\n", " # note\n", ","]) };
        format!("{{{}}}", elements.join(between))
    }

    fn postfix(&mut self, depth: usize) -> String {
        let mut text = match self.random.below(4) {
            0 | 1 => self.name(),
            2 => format!("({})", self.expression(depth)),
            _ => format!("[{}, {}]", self.expression(depth), self.expression(depth)),
        };
        let steps =
            [".a", ".b", "[0]", "[1]", "[\"a\"]", "[\"k\"]", "[*]", ".*", ".0", ".k", "[*].a", ".*.a", "[*][0]"];
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(14) {
                13 if self.random.chance(50) => {
                    text += self.random.pick(&[
                        ".1.0",
                        "[\"é\"].a",
                        ".*.a[0]",
                        "[*].a[*].b",
                        "[-1]",
                        "[0.5]",
                        "[true]",
                        ".*.0",
                        ".a.*.b",
                        "[*][*]",
                    ]);
                }
                13 => text += &format!("[{}]", self.expression(depth)),
                at => text += steps[at],
            }
        }
        text
    }

    fn for_expression(&mut self, depth: usize) -> String {
        let collection = self.fitting(list("collections"), depth);
        let (outer, value) = (self.bound.len(), self.random.pick(&["x", "y", "l"]));
        let key = if self.random.chance(40) { self.random.pick(&["i, ", "k, ", "y, "]) } else { "" };
        self.bound.push(["x", "y", "l"].into_iter().find(|name| *name == value).unwrap_or("x"));
        if let Some(name) = ["i", "k", "y"].into_iter().find(|name| key.starts_with(name)) {
            self.bound.push(name);
        }
        let result = self.expression(depth);
        let condition =
            if self.random.chance(30) { format!(" if {}", self.fitting(&BOOLS, depth)) } else { String::new() };
        let text = if self.random.chance(55) {
            format!("[for {key}{value} in {collection}: {result}{condition}]")
        } else {
            let (of_key, dots) = (self.fitting(&STRINGS, depth), self.random.pick(&["", "", "..."]));
            format!("{{for {key}{value} in {collection}: {of_key} => {result}{dots}{condition}}}")
        };
        self.bound.truncate(outer);
        text
    }

    fn call(&mut self, depth: usize) -> String {
        let name = self.random.pick(list("called functions"));
        let arguments = match name {
            "upper" | "lower" | "text::upper" => self.fitting(&STRINGS, depth),
            "negate" => self.fitting(&NUMBERS, depth),
            "length" | "s" => self.fitting(list("collections"), depth),
            "can" => self.expression(depth),
            "concat" | "a::b::concat" => {
                format!("{}, {}", self.fitting(list("collections"), depth), self.list(depth, 3))
            }
            _ => self.list(depth, 4),
        };
        // Now and then their number is wrong.
        let arguments = if self.random.chance(5) { self.list(depth, 4) } else { arguments };
        let dots = if !arguments.is_empty() && self.random.chance(15) { "..." } else { "" };
        format!("{name}({arguments}{dots})")
    }

    pub fn template(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(3) {
            let inner = depth.saturating_sub(1);
            match self.random.below(10) {
                0..3 => {
                    text += self.random.pick(&["abc", "x-", " ", "é", "$${", "%%{", "-", "1", "$", "%", "\\n", "~"])
                }
                3..7 => {
                    let (open, close) = (self.strip("${", ""), self.strip("", "}"));
                    text += &format!("{open}{}{close}", self.fitting(&STRINGS, inner));
                }
                _ if depth == 0 => text += "q",
                7..9 => {
                    let (open, close) = (self.strip("%{", ""), self.strip("", "}"));
                    text += &format!("{open}if {}{close}{}", self.fitting(&BOOLS, inner), self.template(inner));
                    if self.random.chance(50) {
                        let (open, close) = (self.strip("%{", ""), self.strip("", "}"));
                        text += &format!("{open}else{close}{}", self.template(inner));
                    }
                    text += &format!("{}endif}}", self.strip("%{", ""));
                }
                _ => {
                    let collection = self.fitting(list("collections"), inner);
                    self.bound.push("x");
                    let body = self.template(inner);
                    self.bound.pop();
                    text += &format!("%{{for {}x in {collection}}}{body}%{{endfor}}", self.random.pick(&["", "k, "]));
                }
            }
        }
        text
    }

    /// An opening or closing mark of a sequence, sometimes with the marker that trims white space.
    fn strip(&mut self, open: &str, close: &str) -> String {
        let marker = if self.random.chance(8) { "~" } else { "" };
        format!("{open}{marker}{close}")
    }

    /// An expression that has about the form that a static analysis wants.
    pub fn shaped(&mut self, want: &str) -> String {
        match want {
            _ if self.random.chance(25) => self.expression(3),
            "list" => format!("[{}]", self.list(2, 4)),
            "map" => self.object(2),
            "call" => self.call(2),
            "traversal" => self.path(),
            _ => self.name(),
        }
    }

    /// A constant path, or nearly one.
    pub fn path(&mut self) -> String {
        let mut text = if self.random.chance(90) { self.name() } else { self.literal() };
        let steps = [
            ".a",
            ".b",
            "[0]",
            "[1]",
            "[\"k\"]",
            "[\"\"]",
            ".for",
            "[1.5]",
            "[1e2]",
            " . c",
            "[ 2 ]",
            "[\n3]",
            "\n.d",
            "[\"é\\n\"]",
            "[\"$${a}\"]",
            ".é",
        ];
        let others =
            [".0", "[*]", ".*", "[a]", "[-1]", "[\"${a}\"]", "[true]", "()", ".1.2", "[null]", ".", "[", "[0", "[]"];
        for _ in 0..self.random.below(5) {
            text += if self.random.chance(85) { self.random.pick(&steps) } else { self.random.pick(&others) };
        }
        text
    }
}
