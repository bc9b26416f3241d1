//! Random expressions and templates, and the variables that they use.
//!
//! What comes out is mostly valid and uses values of every kind, unknown, null and marked ones
//! included; a few are mutated, so that they may not even parse.

use serde_json::{Value as Json, json};

/// A small generator of random numbers: the same seed gives the same questions everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'p>(&mut self, from: &[&'p str]) -> &'p str {
        from[self.below(from.len())]
    }
}

/// The functions on offer.
pub const FUNCTIONS: [&str; 7] = ["upper", "lower", "concat", "length", "negate", "try", "can"];

/// The variables on offer, in the encoding of the conformance protocol.
pub fn variables() -> Json {
    let all = [primitives(), collections(), unknowns(), marked()];
    Json::Object(all.into_iter().filter_map(|some| some.as_object().cloned()).flatten().collect())
}

fn number(text: &str) -> Json {
    json!({ "number": text })
}

fn with_mark(mark: &str, value: Json) -> Json {
    json!({ "marks": [mark], "value": value })
}

fn primitives() -> Json {
    json!({
        "t": true, "f": false, "s": "str", "ws": "5", "bs": "true",
        "num": number("5"), "z": number("0"), "neg": number("-3"), "fr": number("2.5"),
        "big": number("123456789012345678901234567890"),
        "n": {"null": "dynamic"}, "ns": {"null": "string"}, "nnum": {"null": "number"}, "nb": {"null": "bool"},
        "nl": {"null": ["list", "string"]}, "nst": {"null": ["set", "string"]},
        "no": {"null": ["object", {"a": "string"}]},
    })
}

fn collections() -> Json {
    json!({
        "l": {"list": ["x", "y"], "of": "string"}, "el": {"list": [], "of": "string"},
        "lb": {"list": [true, false, {"null": "bool"}], "of": "bool"},
        "lo": {"list": [{"object": {"a": "1", "b": number("1")}}, {"object": {"a": "2", "b": number("2")}}],
            "of": ["object", {"a": "string", "b": "number"}]},
        "lt": {"list": [{"tuple": ["a", true]}], "of": ["tuple", ["string", "bool"]]},
        "set": {"set": ["x", "y"], "of": "string"}, "es": {"set": [], "of": "string"},
        "sn": {"set": [number("1"), number("2")], "of": "number"},
        "mp": {"map": {"k": "v", "j": "w"}, "of": "string"}, "em": {"map": {}, "of": "number"},
        "mo": {"map": {"p": {"object": {"a": "1"}}, "q": {"object": {"a": "2"}}}, "of": ["object", {"a": "string"}]},
        "o": {"object": {"a": "x", "b": number("1")}}, "tup": {"tuple": ["x", number("2")]},
        "nested": {"tuple": [{"tuple": [number("1"), "a"]}, {"object": {"a": {"list": ["q"], "of": "string"}}}]},
    })
}

fn unknowns() -> Json {
    json!({
        "d": {"unknown": "dynamic"}, "ub": {"unknown": "bool"}, "us": {"unknown": "string"}, "un": {"unknown": "number"},
        "usp": {"unknown": "string", "refine": {"prefix": "ab-", "notnull": true}},
        "unr": {"unknown": "number", "refine": {"min": ["1", true], "max": ["5", false], "notnull": true}},
        "ul": {"unknown": ["list", "string"], "refine": {"minlen": 2, "maxlen": 4}},
        "uls": {"unknown": ["list", ["object", {"a": "string"}]], "refine": {"minlen": 2}},
        "uset": {"unknown": ["set", "string"]}, "um": {"unknown": ["map", "number"]},
        "ust": {"unknown": ["set", "number"], "refine": {"minlen": 1, "maxlen": 1}},
        "ut": {"unknown": ["tuple", ["string", "number"]]}, "uo": {"unknown": ["object", {"a": "string"}]},
        "uonn": {"unknown": ["object", {"a": "string"}], "refine": {"notnull": true}},
        "uod": {"object": {"a": {"unknown": "dynamic"}, "b": {"unknown": "string"}}},
        "lun": {"list": [number("1"), {"unknown": "number"}], "of": "number"},
    })
}

fn marked() -> Json {
    json!({
        "m": with_mark("s", json!("sec")), "mn": with_mark("s", number("3")), "tm": with_mark("c", json!(true)),
        "nm": with_mark("s", json!({"null": "string"})), "dm": with_mark("d", json!({"unknown": "dynamic"})),
        "ubm": with_mark("c", json!({"unknown": "bool"})), "usm": with_mark("u", json!({"unknown": "string"})),
        "mt": with_mark("s", json!({"tuple": [number("1"), with_mark("t", json!("b"))]})),
        "lm": with_mark("lm", json!({"list": [with_mark("e", json!("x")), "y"], "of": "string"})),
        "om": {"object": {"a": with_mark("in", json!("q")), "b": number("2")}},
        "setm": with_mark("sm", json!({"set": ["p"], "of": "string"})),
        "mpm": {"map": {"k": with_mark("mk", json!("v"))}, "of": "string"},
    })
}

/// A source, and whether it is a template rather than an expression.
pub fn question(random: &mut Random, names: &[String]) -> (bool, String) {
    let mut writer = Writer { random, names, bound: Vec::new() };
    let template = writer.random.chance(25);
    let depth = 1 + writer.random.below(4);
    let mut text = if template { writer.template(3) } else { writer.expression(depth) };
    if writer.random.chance(6) {
        text = mutated(&text, writer.random);
    }
    (template, text)
}

fn mutated(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.below(chars.len().max(1));
    match random.below(3) {
        0 if at < chars.len() => drop(chars.remove(at)),
        1 => chars.insert(
            at,
            random
                .pick(&["(", "]", "{", "}", ",", ".", "\"", "$", "*", "!", "=", "?", " "])
                .chars()
                .next()
                .unwrap_or(' '),
        ),
        _ => chars.truncate(at),
    }
    chars.into_iter().collect()
}

struct Writer<'r> {
    random: &'r mut Random,
    names: &'r [String],
    /// The variables of the loops around.
    bound: Vec<&'static str>,
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        if !self.bound.is_empty() && self.random.chance(50) {
            return self.bound[self.random.below(self.bound.len())].to_owned();
        }
        if self.random.chance(3) {
            return "nope".to_owned();
        }
        self.names[self.random.below(self.names.len())].clone()
    }

    fn literal(&mut self) -> String {
        let literals = [
            "1", "0", "2", "3.5", "true", "false", "null", "\"a\"", "\"k\"", "\"\"", "\"5\"", "\"true\"", "10", "1e2",
            "0.1",
        ];
        self.random.pick(&literals).to_owned()
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(12) {
            return if self.random.chance(35) { self.literal() } else { self.name() };
        }
        let inner = depth - 1;
        match self.random.below(100) {
            0..10 => self.literal(),
            10..26 => self.name(),
            26..38 => {
                let operators =
                    ["+", "-", "*", "/", "%", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "&&", "||", "=="];
                format!("{} {} {}", self.expression(inner), self.random.pick(&operators), self.expression(inner))
            }
            38..42 => format!("{}{}", self.random.pick(&["-", "!"]), self.expression(depth.saturating_sub(2))),
            42..50 => format!("{} ? {} : {}", self.expression(inner), self.expression(inner), self.expression(inner)),
            50..53 => format!("({})", self.expression(inner)),
            53..59 => format!("[{}]", self.list(inner, 4)),
            59..65 => self.object(inner),
            65..74 => self.postfix(inner),
            74..82 => self.for_expression(inner),
            82..92 => format!("\"{}\"", self.template(inner)),
            _ => self.call(inner),
        }
    }

    fn list(&mut self, depth: usize, most: usize) -> String {
        let count = self.random.below(most);
        (0..count).map(|_| self.expression(depth)).collect::<Vec<_>>().join(", ")
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
        format!("{{{}}}", elements.join(", "))
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
                13 => text += &format!("[{}]", self.expression(depth)),
                at => text += steps[at],
            }
        }
        text
    }

    fn for_expression(&mut self, depth: usize) -> String {
        let collection = self.expression(depth);
        let (outer, value) = (self.bound.len(), self.random.pick(&["x", "y", "l"]));
        let key = if self.random.chance(40) { self.random.pick(&["i, ", "k, ", "y, "]) } else { "" };
        self.bound.push(["x", "y", "l"].into_iter().find(|name| *name == value).unwrap_or("x"));
        if let Some(name) = ["i", "k", "y"].into_iter().find(|name| key.starts_with(name)) {
            self.bound.push(name);
        }
        let result = self.expression(depth);
        let condition = if self.random.chance(30) { format!(" if {}", self.expression(depth)) } else { String::new() };
        let text = if self.random.chance(55) {
            format!("[for {key}{value} in {collection}: {result}{condition}]")
        } else {
            let (of_key, dots) = (self.expression(depth), self.random.pick(&["", "", "..."]));
            format!("{{for {key}{value} in {collection}: {of_key} => {result}{dots}{condition}}}")
        };
        self.bound.truncate(outer);
        text
    }

    fn call(&mut self, depth: usize) -> String {
        let at = self.random.below(FUNCTIONS.len() + 1);
        let name = FUNCTIONS.get(at).copied().unwrap_or("nofn");
        let most = if matches!(name, "concat" | "try") { 4 } else { 3 };
        let arguments = self.list(depth, most);
        let dots = if !arguments.is_empty() && self.random.chance(15) { "..." } else { "" };
        format!("{name}({arguments}{dots})")
    }

    fn template(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.random.below(3) {
            let inner = depth.saturating_sub(1);
            match self.random.below(10) {
                0..3 => text += self.random.pick(&["abc", "x-", " ", "é", "$${", "%%{", "-", "1"]),
                3..7 => text += &format!("${{{}}}", self.expression(inner)),
                _ if depth == 0 => text += "q",
                7..9 => {
                    text += &format!("%{{if {}}}{}", self.expression(inner), self.template(inner));
                    if self.random.chance(50) {
                        text += &format!("%{{else}}{}", self.template(inner));
                    }
                    text += "%{endif}";
                }
                _ => {
                    let collection = self.expression(inner);
                    self.bound.push("x");
                    let body = self.template(inner);
                    self.bound.pop();
                    text += &format!("%{{for {}x in {collection}}}{body}%{{endfor}}", self.random.pick(&["", "k, "]));
                }
            }
        }
        text
    }
}
