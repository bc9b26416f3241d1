//! Makes inputs to begin with from the tests' fixtures: `seeds TESTS CORPUS TARGET…`. Where a target has inputs
//! already, it stays as it is. Needs nothing but the standard library, since it is compiled by itself.

#[path = "../tests/support/cases.rs"]
mod cases;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Longer inputs are mutated too seldom in the right places.
const LONGEST: usize = 3_000;

struct Fixtures {
    files: Vec<(PathBuf, String)>,
    /// Of the chapters on native syntax: the kind of a fence, and the text in it.
    examples: Vec<(String, String)>,
}

fn examples(tests: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for text in cases::files_below(&tests.join("spec")).iter().filter_map(|path| fs::read_to_string(path).ok()) {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) {
                let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                let kind = kind.split(' ').next().unwrap_or_default().to_owned();
                let end = if kind == "hcl" { "\n" } else { "" };
                found.push((kind, text.join("\n").replace('␉', "\t").replace('␠', " ").replace('␍', "\r") + end));
            }
        }
    }
    found
}

/// The texts of a member of lines of JSON, such as `src`.
fn members(text: &str, name: &str) -> Vec<String> {
    let mark = format!("\"{name}\": \"");
    let (text, mut found) = (text.replace("\":\"", "\": \""), Vec::new());
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(&mark) else { continue };
        let (mut value, mut chars) = (String::new(), rest.chars());
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => match chars.next() {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some('r') => value.push('\r'),
                    Some('u') => {
                        let code: String = chars.by_ref().take(4).collect();
                        value.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                    }
                    Some(other) => value.push(other),
                    None => break,
                },
                other => value.push(other),
            }
        }
        found.push(value);
    }
    found
}

impl Fixtures {
    fn read(tests: &Path) -> Fixtures {
        let inputs = cases::inputs(&tests.join("fixtures")).into_iter();
        let files = inputs.filter_map(|(name, bytes)| Some((PathBuf::from(name), String::from_utf8(bytes).ok()?)));
        Fixtures { files: files.collect(), examples: examples(tests) }
    }

    fn with(&self, extensions: &[&str]) -> Vec<String> {
        let wanted = |path: &Path| path.extension().is_some_and(|own| extensions.iter().any(|one| own == *one));
        self.files.iter().filter(|(path, _)| wanted(path)).map(|(_, text)| text.clone()).collect()
    }

    fn examples(&self, kind: &str) -> Vec<String> {
        self.examples.iter().filter(|(known, _)| known == kind).map(|(_, text)| text.clone()).collect()
    }

    /// A member of the lines of a fixture.
    fn lines(&self, name: &str, member: &str) -> Vec<String> {
        let of = |(_, text): &(PathBuf, String)| members(text, member);
        self.files.iter().filter(|(path, _)| path.ends_with(name)).flat_map(of).collect()
    }

    fn native(&self) -> Vec<String> {
        [self.examples("hcl"), self.with(&["hcl", "tf"])].concat()
    }

    /// Calls of functions and other expressions, those in attributes as well.
    fn expressions(&self) -> Vec<String> {
        let mut all = self.examples("expr");
        for (path, text) in &self.files {
            let name = path.to_string_lossy();
            if name.contains("functions/calls/") {
                all.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned));
            } else if name.ends_with(".hcl") && (name.contains("/evaluation/") || name.contains("/twins/")) {
                all.extend(text.lines().filter_map(|line| line.split_once(" = ")).map(|(_, value)| value.to_owned()));
            }
        }
        all
    }

    /// Specs with the files beside them.
    fn specs(&self) -> Vec<String> {
        let mut all = Vec::new();
        for (path, spec) in self.files.iter().filter(|(path, _)| path.extension().is_some_and(|own| own == "hcldec")) {
            let folder = path.parent().unwrap_or(path);
            let beside = self.files.iter().filter(|(other, _)| other.parent() == Some(folder));
            let beside = beside.filter(|(other, _)| other.extension().is_some_and(|own| own == "hcl" || own == "json"));
            let alike = |other: &Path| other.file_name().map(|name| name.to_string_lossy().split('.').next() == path.file_stem().and_then(|stem| stem.to_str())).unwrap_or(false);
            let mut bodies: Vec<&str> = beside.clone().filter(|(other, _)| alike(other)).map(|(_, text)| text.as_str()).collect();
            if bodies.is_empty() {
                bodies = beside.map(|(_, text)| text.as_str()).take(3).collect();
            }
            all.extend(bodies.into_iter().map(|body| format!("{spec}\n---\n{body}")));
        }
        all
    }

    fn seeds(&self, target: &str) -> Vec<Vec<u8>> {
        let texts = |all: Vec<String>| all.into_iter().map(String::into_bytes).collect();
        let sources = |op: &str| {
            let of = |(_, text): &(PathBuf, String)| {
                let lines: Vec<&str> = text.lines().filter(|line| line.contains(&format!("\"op\":\"{op}\""))).collect();
                members(&lines.join("\n"), "src")
            };
            self.files.iter().filter(|(path, _)| path.ends_with("sample.jsonl")).flat_map(of).take(300).collect::<Vec<_>>()
        };
        match target {
            "config" | "format" | "convert" => texts(self.native()),
            "bytes" => texts([self.native(), self.examples("expr"), self.examples("template")].concat()),
            "expression" | "evaluate" => texts([self.expressions(), sources("expr")].concat()),
            "template" | "render" => texts([self.examples("template"), self.with(&["tmpl"]), sources("template")].concat()),
            "traversal" => texts([self.examples("traversal"), sources("traversal")].concat()),
            "json" => texts([self.with(&["json"]), self.lines("json/answers.jsonl", "src")].concat()),
            "functions" => self.arguments(),
            "user_functions" => {
                let defining = |text: &String| text.contains("function \"") || text.contains("params");
                let mut all: Vec<String> = self.native().into_iter().filter(defining).collect();
                all.extend(self.expressions().iter().take(400).map(|value| format!(
                    "function \"f\" {{\n  params = [p]\n  variadic_param = r\n  result = {value}\n}}\nx = f(l)\ny = f(q, m...)\n"
                )));
                texts(all)
            }
            "decode" => texts(self.specs()),
            "dynamic" => {
                let mut all = self.specs();
                for inner in ["[1, 2]", "{ a = 1, b = q }", "s", "d", "r", "w", "[]", "toset([\"a\"])", "h", "null"] {
                    all.push(format!(
                        "block_list {{\n  block_type = \"b\"\n  object {{\n    attr \"v\" {{\n      type = any\n    }}\n    \
                         block_map \"c\" {{\n      labels = [\"k\"]\n      attr {{\n        name = \"w\"\n        type = string\n      \
                         }}\n    }}\n  }}\n}}\n---\nb {{\n  v = 1\n}}\ndynamic \"b\" {{\n  for_each = {inner}\n  iterator = it\n  content \
                         {{\n    v = it.value\n    dynamic \"c\" {{\n      for_each = [it.key]\n      labels = [\"x${{c.value}}\"]\n      \
                         content {{\n        w = c.key\n      }}\n    }}\n  }}\n}}\n"
                    ));
                }
                texts(all)
            }
            "merge" => {
                let mut all = vec![
                    "a = 1\nd {\n  b = 2\n}\n---\n{\"b\": \"${a}\", \"e\": {\"x\": {\"c\": 1}}}\n---\nn = 3\nf x \"y\" {}\n".to_owned(),
                    "{\"a\": 1, \"d\": [{\"n\": 1}, {\"n\": 2}]}\n---\n[{\"b\": 1}, {\"n\": {}}]".to_owned(),
                ];
                all.extend(self.lines("body/merged.jsonl", "a.hcl").into_iter().map(|one| format!("{one}\n---\n{one}\n---\nn = 1\n")));
                texts(all)
            }
            "types" => {
                let mut all = self.lines("types/defaults.jsonl", "src");
                all.truncate(200);
                let values = ["c", "m", "[1, \"x\", null]", "{ a = q, b = [true] }", "r", "t", "h", "d", "null", "y", "w"];
                let all = all.iter().enumerate().map(|(number, ty)| format!("{ty}\n---\n{}", values[number % values.len()]));
                let known = ["any", "list(any)", "map(list(string))", "object({a=optional(string,\"x\")})", "tuple([string,any])"];
                let pairs = known.iter().flat_map(|ty| values.iter().map(move |value| format!("{ty}\n---\n{value}")));
                texts(all.chain(pairs).collect())
            }
            "codecs" => {
                let texts = ["{\"a\":[1,\"x\",null],\"b\":[[true]]}", "[\"list\",\"string\"]", "1.5e3", "{\"value\":1,\"type\":\"number\"}"];
                let mut all: Vec<Vec<u8>> = Vec::new();
                for which in 0..9 {
                    all.extend(texts.iter().map(|text| [&[which], text.as_bytes()].concat()));
                    all.push(vec![which, 0x92, 0xc4, 8, b'"', b's', b't', b'r', b'i', b'n', b'g', b'"', 0xa1, b'x']);
                    all.push(vec![which, 0x82, 0xa1, b'a', 1, 0xa1, b'b', 0x91, 0x91, 0xc3]);
                    all.push(vec![which, 0x93, 1, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xd4, 0, 0]);
                    all.push(vec![which, 0xc7, 3, 12, 0x81, 1, 0xc2]);
                }
                all
            }
            "edit" => {
                let letters = ["abcdef", "ghijkl", "mnopqr", "stuvwx", "yz0123", "456789", "ABCDEF", "set a 1\nremove b\nrename c d"];
                let native = self.native().into_iter().enumerate();
                texts(native.map(|(number, text)| format!("{text}\n---\n{}", letters[number % letters.len()])).collect())
            }
            "query" => {
                let addresses = ["**", "*.*", "a.b[0]", "**.value", "resource[*].*", "a[\"x\"].b", "**.*[*]", "b"];
                let conditions = ["has(a)", "node.kind == \"block\"", "self > 1 || node.name == \"a\"", "length(node.labels) > 0"];
                let files = [self.native(), self.with(&["json"])].concat();
                let files = files.into_iter().enumerate();
                texts(files.map(|(n, text)| format!("{text}\n---\n{}\n---\n{}", addresses[n % 8], conditions[n % 4])).collect())
            }
            _ => Vec::new(),
        }
    }

    /// The numbers of a set and of a function, and what it may be called with.
    fn arguments(&self) -> Vec<Vec<u8>> {
        let given = ["a b c", "n1\0n2", "la\nb\0sx\ny\0na", "m a\nb\0k", "o x\ny\0*secret", "u ab\0d", "$q\0$r\0$t", "0\0b", "*l a\nb"];
        let letter = |number: u32| char::from_u32(0x100 * 2 + number).unwrap_or('a');
        let all = (0..180).flat_map(|which| given.iter().map(move |rest| (which, rest)));
        all.map(|(which, rest)| format!("{}{}{rest}", letter(which), letter(which % 2)).into_bytes()).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tests, corpus, targets @ ..] = &arguments[..] else { return Err("usage: seeds TESTS CORPUS TARGET…".into()) };
    let fixtures = Fixtures::read(Path::new(tests));
    for target in targets {
        let folder = Path::new(corpus).join(target);
        fs::create_dir_all(&folder)?;
        if fs::read_dir(&folder)?.next().is_some() {
            continue;
        }
        for (number, seed) in fixtures.seeds(target).iter().filter(|seed| seed.len() <= LONGEST).enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
        // Earlier findings are a good start for finding more.
        for entry in fs::read_dir(Path::new(tests).join("fixtures/fuzz").join(target)).into_iter().flatten().flatten() {
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}
