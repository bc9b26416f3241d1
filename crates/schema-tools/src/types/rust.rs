//! Types in Rust.

use std::collections::HashMap;
use std::fmt::Write;

use super::names::{Names, is_plain, lines, pascal, snake};
use super::plan::{Blocks, Field, Kind, Plan, Record, Shape, Words};
use hcl_lr::model::Value;
use hcl_lr::stack;

/// Words that need `r#` to be names in Rust.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Words that are never names of fields.
const NEVER: &[&str] = &["crate", "self", "super"];

pub(crate) fn write(plan: &Plan<'_>) -> String {
    let variants = plan.words.iter().map(|words| words.words.iter().cloned().zip(variants(&words.words)).collect());
    let mut out = Rust {
        plan,
        text: String::new(),
        defaults: String::new(),
        names: Names::of_fields(),
        variants: variants.collect(),
        word: false,
    };
    let title = plan.index.schema().title();
    for line in lines(&format!("Types for {title}, made by `hcl schema types --rust`.")) {
        let _ = writeln!(out.text, "// {line}");
    }
    out.text.push_str(
        "// They need the package `hcl-lr` with the feature `derive`, and `serde` with its feature `derive`.\n",
    );
    if !matches!(plan.root, Shape::Record(..)) {
        let ty = out.shape(&plan.root);
        let _ = write!(out.text, "\n/// A file.\npub type {} = {ty};\n", plan.file);
    }
    for record in &plan.records {
        out.record(record);
    }
    for words in &plan.words {
        out.words(words);
    }
    if out.word {
        out.text.push_str(WORD);
    }
    out.text + &out.defaults
}

/// Reads a word that may be written without quotes.
const WORD: &str = r#"
/// The word that an expression is, with or without quotes.
fn word(expression: &hcl_lr::Expression) -> Option<String> {
    let value = || expression.evaluate(&hcl_lr::Scope::new()).ok();
    let text = |value: hcl_lr::Value| match value.as_bool() {
        Some(truth) => Some(truth.to_string()),
        None => value.as_str().map(str::to_owned),
    };
    expression.keyword().or_else(|| value().and_then(text))
}
"#;

struct Rust<'p> {
    plan: &'p Plan<'p>,
    text: String,
    /// Functions that return defaults.
    defaults: String,
    names: Names,
    /// The names of the variants by their words, for each type of words.
    variants: Vec<HashMap<String, String>>,
    word: bool,
}

impl Rust<'_> {
    fn record(&mut self, record: &Record) {
        self.text.push('\n');
        self.docs("", record.description.iter().flat_map(|text| lines(text)));
        let has_blocks =
            record.fields.iter().any(|field| matches!(&field.kind, Kind::Blocks(blocks) if !blocks.either));
        if has_blocks || !record.labels.is_empty() {
            self.text.push_str("#[hcl_lr::hcl]\n");
        }
        let _ = writeln!(self.text, "#[derive(Clone, Debug, serde::Deserialize)]\npub struct {} {{", record.name);
        let mut names = Names::of_fields();
        match &record.labels[..] {
            [] => {}
            [label] if !label.loose => {
                self.docs("    ", label.description.iter().flat_map(|text| lines(text)));
                let name = names.take([field_name(&label.name).0, "label".to_owned()]);
                let _ = writeln!(self.text, "    #[hcl(label)]\n    pub {name}: String,");
            }
            labels => {
                let all: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
                self.docs("    ", lines(&format!("The labels: {}.", all.join(", "))));
                let name = names.take(["labels".to_owned()]);
                let ty = match labels.iter().any(|label| label.loose) || labels.len() > 12 {
                    true => "Vec<String>".to_owned(),
                    false => format!("({})", vec!["String"; labels.len()].join(", ")),
                };
                let _ = writeln!(self.text, "    #[hcl(labels)]\n    pub {name}: {ty},");
            }
        }
        for field in &record.fields {
            self.field(field, record, &mut names);
        }
        if let Some(others) = &record.others {
            let ty = match others {
                Kind::Value(shape) => self.shape(shape),
                Kind::Blocks(blocks) => format!("Vec<{}>", self.shape(&blocks.shape)),
            };
            let name = names.take(["others".to_owned()]);
            self.docs("    ", ["All other names.".to_owned()]);
            let map = format!("std::collections::BTreeMap<String, {ty}>");
            let _ = writeln!(self.text, "    #[serde(flatten)]\n    pub {name}: {map},");
        }
        self.text.push_str("}\n");
    }

    fn field(&mut self, field: &Field, record: &Record, names: &mut Names) {
        self.docs("    ", field.notes.iter().cloned());
        let (name, renamed) = field_name(&field.name);
        let free = names.take([name.clone(), format!("{}_", name.trim_start_matches("r#"))]);
        if renamed || free != name {
            let _ = writeln!(self.text, "    #[serde(rename = {:?})]", field.name);
        }
        let ty = match &field.kind {
            Kind::Blocks(blocks) => self.blocks(blocks, field.required),
            Kind::Value(shape) => {
                let ty = self.shape(shape);
                let default = field.default.as_ref().and_then(|value| self.default(value, shape));
                match default {
                    _ if field.required => ty,
                    Some(default) => {
                        let name = format!("default_{}_{}", snake(&record.name), snake(&field.name));
                        let name = self.names.take([name]);
                        let _ = writeln!(self.text, "    #[serde(default = {name:?})]");
                        let _ = write!(self.defaults, "\nfn {name}() -> {ty} {{\n    {default}\n}}\n");
                        ty
                    }
                    None => format!("Option<{ty}>"),
                }
            }
        };
        let _ = writeln!(self.text, "    pub {free}: {ty},");
    }

    fn blocks(&mut self, blocks: &Blocks, required: bool) -> String {
        let ty = self.shape(&blocks.shape);
        match blocks.either {
            true if !(blocks.single && required) => self.text.push_str("    #[serde(default)]\n"),
            true => {}
            false => self.text.push_str("    #[hcl(block)]\n"),
        }
        match (blocks.single, required) {
            (true, true) => ty,
            (true, false) => format!("Option<{ty}>"),
            _ => format!("Vec<{}>", ty.strip_prefix("Box<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(&ty)),
        }
    }

    fn shape(&self, shape: &Shape) -> String {
        let inner = |shape: &Shape| stack::with_room(|| self.shape(shape));
        match shape {
            Shape::Any => "hcl_lr::Value".to_owned(),
            Shape::Text => "String".to_owned(),
            Shape::Number => "f64".to_owned(),
            Shape::Integer(range) => integer(Plan::limits(range)).to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::List(element) => format!("Vec<{}>", inner(element)),
            Shape::Map(element) => format!("std::collections::BTreeMap<String, {}>", inner(element)),
            Shape::Tuple(elements) if elements.len() > 12 || elements.is_empty() => "Vec<hcl_lr::Value>".to_owned(),
            Shape::Tuple(elements) if elements.len() == 1 => format!("({},)", inner(&elements[0])),
            Shape::Tuple(elements) => {
                let elements: Vec<String> = elements.iter().map(inner).collect();
                format!("({})", elements.join(", "))
            }
            Shape::Record(number, true) => format!("Box<{}>", self.plan.record(*number).name),
            Shape::Record(number, false) => self.plan.record(*number).name.clone(),
            Shape::Words(number) => self.plan.words[*number].name.clone(),
            Shape::Expression => "hcl_lr::Expression".to_owned(),
            Shape::Type => "hcl_lr::typed::TypeExpression".to_owned(),
            Shape::OneOf(all) => match all.iter().any(|alternative| self.plan.is_static(alternative)) {
                true => "hcl_lr::Expression".to_owned(),
                false if all.iter().all(|alternative| matches!(alternative, Shape::Text | Shape::Words(_))) => {
                    "String".to_owned()
                }
                false => "hcl_lr::Value".to_owned(),
            },
        }
    }

    /// The expression of a default, for the types that have one.
    fn default(&self, value: &Value, shape: &Shape) -> Option<String> {
        match shape {
            Shape::Text => value.as_str().map(|text| format!("{text:?}.to_owned()")),
            Shape::Bool => value.as_bool().map(|truth| truth.to_string()),
            Shape::Number => {
                let number: f64 = value.as_number()?.to_string().parse().ok()?;
                number.is_finite().then(|| format!("{number:?}"))
            }
            Shape::Integer(range) => {
                let number: i64 = value.as_number()?.to_string().parse().ok()?;
                let (min, max) = Plan::limits(range);
                (min.is_none_or(|min| min <= number) && max.is_none_or(|max| number <= max)).then(|| number.to_string())
            }
            Shape::Words(at) => {
                let words = &self.plan.words[*at];
                let variant = self.variants[*at].get(value.as_str()?)?;
                Some(format!("{}::{variant}", words.name))
            }
            _ => None,
        }
    }

    fn words(&mut self, words: &Words) {
        let name = &words.name;
        let variants = variants(&words.words);
        self.text.push('\n');
        if words.bare {
            self.word = true;
            self.text.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]\n");
            let _ = writeln!(self.text, "#[serde(try_from = \"hcl_lr::Expression\")]\npub enum {name} {{");
        } else {
            self.text.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]\n");
            let _ = writeln!(self.text, "pub enum {name} {{");
        }
        for (word, variant) in words.words.iter().zip(&variants) {
            if !words.bare && word != variant {
                let _ = writeln!(self.text, "    #[serde(rename = {word:?})]");
            }
            let _ = writeln!(self.text, "    {variant},");
        }
        self.text.push_str("}\n");
        if words.bare {
            let wanted: Vec<String> = words.words.iter().map(|word| format!("`{word}`")).collect();
            let message = format!("{} is required", wanted.join(" or "));
            let _ = write!(
                self.text,
                "\nimpl TryFrom<hcl_lr::Expression> for {name} {{\n    type Error = &'static str;\n\n    \
                 fn try_from(expression: hcl_lr::Expression) -> Result<Self, &'static str> {{\n        \
                 match word(&expression).as_deref() {{\n"
            );
            for (word, variant) in words.words.iter().zip(&variants) {
                let _ = writeln!(self.text, "            Some({word:?}) => Ok({name}::{variant}),");
            }
            let _ = writeln!(self.text, "            _ => Err({message:?}),\n        }}\n    }}\n}}");
        }
    }

    fn docs(&mut self, indent: &str, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            let _ = writeln!(self.text, "{}", format!("{indent}/// {line}").trim_end());
        }
    }
}

/// Returns the name of a field, and true if serde needs the name in the file.
fn field_name(name: &str) -> (String, bool) {
    if !is_plain(name) || name == "_" || name != snake(name) {
        let made = snake(name);
        return match KEYWORDS.contains(&&*made) || NEVER.contains(&&*made) {
            true => (format!("{made}_"), true),
            false => (made, true),
        };
    }
    match name {
        _ if NEVER.contains(&name) => (format!("{name}_"), true),
        _ if KEYWORDS.contains(&name) => (format!("r#{name}"), false),
        _ => (name.to_owned(), false),
    }
}

fn variants(words: &[String]) -> Vec<String> {
    let mut names = Names::of_fields();
    // A variant cannot be called `Self`.
    names.take(["Self".to_owned()]);
    words.iter().map(|word| names.take([pascal(word)])).collect()
}

/// Returns the smallest integer type for a range.
fn integer(limits: (Option<i64>, Option<i64>)) -> &'static str {
    match limits {
        (Some(0..), Some(max)) if max <= i64::from(u8::MAX) => "u8",
        (Some(0..), Some(max)) if max <= i64::from(u16::MAX) => "u16",
        (Some(0..), Some(max)) if max <= i64::from(u32::MAX) => "u32",
        (Some(0..), _) => "u64",
        _ => "i64",
    }
}
