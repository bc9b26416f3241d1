//! Reads the examples of `tests/spec` and asks the parser about them.
//!
//! The form of an example is explained in `tests/README.md`. What is read here is checked for its
//! form only; [`Example::parse`] says what the parser makes of it, and comparing is for the tests.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use hcl_lr::conformance::{body_to_json, expression_to_json, template_to_json, traversal_to_json};
use hcl_lr::diagnostic::{Diagnostics, Severity};
use hcl_lr::source::Source;
use hcl_lr::syntax::File;
use hcl_lr::{Dialect, Options};
use serde_json::Value;

/// What an example is a text of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    ConfigFile,
    Expression,
    Template,
    Traversal,
}

impl Kind {
    fn from_word(word: &str) -> Option<Kind> {
        Some(match word {
            "hcl" => Kind::ConfigFile,
            "expr" => Kind::Expression,
            "template" => Kind::Template,
            "traversal" => Kind::Traversal,
            _ => return None,
        })
    }
}

/// One example, with what is expected of it.
pub struct Example {
    /// Where to find it: file and line, headings, number in its file.
    pub place: String,
    pub kind: Kind,
    /// Accepted by default, rejected in the strict dialect.
    pub strict: bool,
    /// What is expected is right, but the parser falls short of it.
    pub gap: bool,
    /// As it is written in the Markdown file.
    pub shown: String,
    pub source: Vec<u8>,
    pub json: Option<Value>,
    /// Each is `line:column` and perhaps a code.
    pub errors: Option<Vec<String>>,
    pub warnings: Vec<String>,
}

/// What the parser says.
pub struct Outcome {
    pub file: File,
    pub json: String,
    pub errors: Vec<String>,
    pub warnings: Vec<String>,
}

impl Example {
    pub fn parse(&self, dialect: Dialect) -> Outcome {
        let source = Source::from_bytes("example", self.source.clone());
        let options = Options::new().dialect(dialect);
        match self.kind {
            Kind::ConfigFile => {
                let (file, diagnostics) = options.parse(source).into_parts();
                Outcome::new(file.clone(), body_to_json(file.body()), &diagnostics)
            }
            Kind::Expression => {
                let (expression, diagnostics) = options.parse_expression(source).into_parts();
                let node = expression.as_native().expect("it is native");
                Outcome::new(node.file(), expression_to_json(node), &diagnostics)
            }
            Kind::Template => {
                let (template, diagnostics) = options.parse_template(source).into_parts();
                let node = template.as_template().expect("it is a template");
                Outcome::new(node.file(), template_to_json(node), &diagnostics)
            }
            Kind::Traversal => {
                let text = String::from_utf8_lossy(&self.source).into_owned();
                let file =
                    options.parse_expression(("example", text)).value().as_native().expect("it is native").file();
                let (traversal, diagnostics) = options.parse_traversal(source).into_parts();
                Outcome::new(file, traversal.node().map_or("null".to_owned(), traversal_to_json), &diagnostics)
            }
        }
    }
}

impl Outcome {
    fn new(file: File, json: String, diagnostics: &Diagnostics) -> Self {
        let places = |severity: Severity| {
            let of_severity = diagnostics.iter().filter(|diagnostic| diagnostic.severity() == severity);
            let place = of_severity.map(|diagnostic| {
                let position = diagnostic.position();
                format!("{}:{} {}", position.line, position.column, diagnostic.code())
            });
            place.collect()
        };
        Outcome { file, json, errors: places(Severity::Error), warnings: places(Severity::Warning) }
    }
}

/// All examples, and what is wrong with the form of the files.
pub fn examples() -> (Vec<Example>, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spec");
    let entries = fs::read_dir(&folder).expect("the folder of the specification's examples");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry of it").path()).collect();
    paths.sort();
    let (mut examples, mut problems) = (Vec::new(), Vec::new());
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let name = format!("tests/spec/{}", path.file_name().expect("a name").to_string_lossy());
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let before = examples.len();
        Reader { name: &name, headings: Vec::new(), examples: &mut examples, problems: &mut problems }.read(&text);
        if examples.len() == before {
            problems.push(format!("{name}: there is no example in it"));
        }
    }
    (examples, problems)
}

/// Reads one Markdown file.
struct Reader<'r> {
    name: &'r str,
    headings: Vec<String>,
    examples: &'r mut Vec<Example>,
    problems: &'r mut Vec<String>,
}

impl Reader<'_> {
    fn read(mut self, text: &str) {
        let mut lines = text.lines().enumerate();
        let (mut number, mut open) = (0, false);
        while let Some((index, line)) = lines.next() {
            if let Some(info) = line.strip_prefix("```") {
                let mut block: Vec<&str> = Vec::new();
                loop {
                    match lines.next() {
                        Some((_, "```")) => break,
                        Some((_, line)) => block.push(line),
                        None => return self.problem(index, "this fence is not closed"),
                    }
                }
                let mut words = info.split(' ');
                let word = words.next().unwrap_or_default();
                if let Some(kind) = Kind::from_word(word) {
                    number += 1;
                    open = self.example(index, number, kind, &words.collect::<Vec<_>>(), &block);
                } else if open {
                    self.answer(index, word, &block);
                } else {
                    self.problem(index, "this fence is neither an example nor the answer to one");
                }
            } else if let Some(heading) = line.strip_prefix('#') {
                open = false;
                let level = heading.len() - heading.trim_start_matches('#').len();
                self.headings.truncate(level);
                self.headings.push(heading.trim_start_matches('#').trim().to_owned());
            } else if !line.trim().is_empty() {
                open = false;
            }
        }
    }

    fn problem(&mut self, index: usize, what: &str) {
        self.problems.push(format!("{}:{}: {what}", self.name, index + 1));
    }

    fn example(&mut self, index: usize, number: usize, kind: Kind, words: &[&str], block: &[&str]) -> bool {
        if let Some(word) = words.iter().find(|word| !["strict", "gap"].contains(word)) {
            self.problem(index, &format!("there is no marker `{word}`"));
        }
        let shown = block.join("\n");
        match decode(&shown, kind) {
            Err(what) => {
                self.problem(index, &what);
                false
            }
            Ok(source) => {
                let headings = self.headings.join(" > ");
                self.examples.push(Example {
                    place: format!("{}:{}: {headings}, example {number}", self.name, index + 1),
                    kind,
                    strict: words.contains(&"strict"),
                    gap: words.contains(&"gap"),
                    shown,
                    source,
                    json: None,
                    errors: None,
                    warnings: Vec::new(),
                });
                true
            }
        }
    }

    fn answer(&mut self, index: usize, word: &str, block: &[&str]) {
        let example = self.examples.last_mut().expect("the example before it");
        let lines = || block.iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
        match word {
            "json" if example.json.is_none() => match serde_json::from_str(&block.join("\n")) {
                Ok(json) => example.json = Some(json),
                Err(error) => self.problem(index, &format!("this is no JSON: {error}")),
            },
            "error" if example.errors.is_none() && !block.is_empty() => example.errors = Some(lines()),
            "warning" if example.warnings.is_empty() => example.warnings = lines(),
            _ => self.problem(index, &format!("`{word}` is no answer, or one too many")),
        }
    }
}

/// The bytes that are meant by an example: special characters are written as visible ones.
fn decode(shown: &str, kind: Kind) -> Result<Vec<u8>, String> {
    let (text, end) = match shown.strip_suffix("⟨eof⟩") {
        Some(text) => (text, ""),
        // An expression or template is a text without a newline after it.
        None if kind == Kind::ConfigFile && !shown.is_empty() => (shown, "\n"),
        None => (shown, ""),
    };
    let text = format!("{text}{end}").replace('␉', "\t").replace('␠', " ").replace('␍', "\r");
    let mut source = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, special)) = rest.split_once('⟨') {
        let (name, after) = special.split_once('⟩').ok_or("a `⟨` without its `⟩`")?;
        source.extend(before.as_bytes());
        let hex = |digits: &str| u32::from_str_radix(digits, 16).map_err(|_| format!("`⟨{name}⟩` is no number"));
        if let Some(digits) = name.strip_prefix("U+") {
            let character = char::from_u32(hex(digits)?).ok_or_else(|| format!("`⟨{name}⟩` is no character"))?;
            source.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
        } else if let Some(digits) = name.strip_prefix("0x") {
            source.push(u8::try_from(hex(digits)?).map_err(|_| format!("`⟨{name}⟩` is no byte"))?);
        } else {
            return Err(format!("`⟨{name}⟩` is neither `⟨U+…⟩` nor `⟨0x…⟩`"));
        }
        rest = after;
    }
    source.extend(rest.as_bytes());
    Ok(source)
}
