//! Types in TypeScript.

use std::fmt::Write;

use super::names::{is_plain, lines, quoted};
use super::plan::{Blocks, Kind, Plan, Record, Shape};
use hcl_lr::stack;

const HELPERS: &str = "
/** Blocks of a type: one, or several in their order. */
export type Blocks<T> = T | T[] | null;

/** Blocks by their label. */
export type Labeled<T> = { [label: string]: T } | { [label: string]: T }[] | null;

/** Returns blocks as a list. */
export function blocks<T>(value: Blocks<T> | undefined): T[] {
  if (value === null || value === undefined) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}

/** Returns the label and the contents of each block, in their order. */
export function labeled<T>(value: Labeled<T> | undefined): [string, T][] {
  return blocks<{ [label: string]: T }>(value).flatMap((one) => Object.entries(one));
}
";

pub(crate) fn write(plan: &Plan<'_>) -> String {
    let mut out = TypeScript { plan, text: String::new() };
    let title = plan.index.schema().title();
    for line in lines(&format!("Types for {title}, made by `hcl schema types --typescript`.")) {
        let _ = writeln!(out.text, "// {line}");
    }
    out.text.push_str("// They are for the JSON that `hcl decode` and `hcl convert` write.\n");
    if !matches!(plan.root, Shape::Record(..)) {
        let ty = out.shape(&plan.root);
        let _ = write!(out.text, "\n/** A file. */\nexport type {} = {ty};\n", plan.file);
    }
    for record in &plan.records {
        out.record(record);
    }
    for words in &plan.words {
        let all: Vec<String> = words.words.iter().map(|word| quoted(word)).collect();
        let _ = write!(out.text, "\nexport type {} = {};\n", words.name, all.join(" | "));
    }
    out.text.push_str(HELPERS);
    out.text
}

struct TypeScript<'p> {
    plan: &'p Plan<'p>,
    text: String,
}

impl TypeScript<'_> {
    fn record(&mut self, record: &Record) {
        self.text.push('\n');
        self.docs("", &record.description.iter().flat_map(|text| lines(text)).collect::<Vec<_>>());
        let _ = writeln!(self.text, "export interface {} {{", record.name);
        for field in &record.fields {
            self.docs("  ", &field.notes);
            let name = if is_plain(&field.name) { field.name.clone() } else { quoted(&field.name) };
            let (ty, required) = match &field.kind {
                Kind::Value(shape) => {
                    let required = field.required && !self.plan.is_static(shape);
                    let mut ty = self.shape(shape);
                    if self.plan.is_text_or_more(shape) && ty != "unknown" {
                        ty += " | string";
                    }
                    (if required || ty == "unknown" { ty } else { format!("{ty} | null") }, required)
                }
                Kind::Blocks(blocks) => (self.blocks(blocks), field.required),
            };
            let _ = writeln!(self.text, "  {name}{}: {ty};", if required { "" } else { "?" });
        }
        if record.others.is_some() {
            self.docs("  ", &["All other names.".to_owned()]);
            self.text.push_str("  [name: string]: unknown;\n");
        }
        self.text.push_str("}\n");
    }

    fn blocks(&self, blocks: &Blocks) -> String {
        let ty = format!("Blocks<{}>", self.shape(blocks.decoded()));
        (0..blocks.labels).fold(ty, |ty, _| format!("Labeled<{ty}>"))
    }

    fn shape(&self, shape: &Shape) -> String {
        let inner = |shape: &Shape| stack::with_room(|| self.shape(shape));
        match shape {
            Shape::Any => "unknown".to_owned(),
            Shape::Text | Shape::Expression | Shape::Type => "string".to_owned(),
            Shape::Number | Shape::Integer(_) => "number".to_owned(),
            Shape::Bool => "boolean".to_owned(),
            Shape::List(element) => {
                let ty = inner(element);
                if ty.contains('|') { format!("({ty})[]") } else { format!("{ty}[]") }
            }
            Shape::Map(element) => format!("{{ [key: string]: {} }}", inner(element)),
            Shape::Tuple(elements) => {
                let elements: Vec<String> = elements.iter().map(inner).collect();
                format!("[{}]", elements.join(", "))
            }
            Shape::Record(number, _) => self.plan.record(*number).name.clone(),
            Shape::Words(number) => self.plan.words[*number].name.clone(),
            Shape::OneOf(all) => {
                let mut types: Vec<String> = all.iter().map(inner).collect();
                types.dedup();
                if types.iter().any(|ty| ty == "unknown") { "unknown".to_owned() } else { types.join(" | ") }
            }
        }
    }

    fn docs(&mut self, indent: &str, lines: &[String]) {
        let lines: Vec<String> = lines.iter().map(|line| line.replace("*/", "* /")).collect();
        match &lines[..] {
            [] => {}
            [only] => {
                let _ = writeln!(self.text, "{indent}/** {only} */");
            }
            lines => {
                let _ = writeln!(self.text, "{indent}/**");
                for line in lines {
                    let _ = writeln!(self.text, "{}", format!("{indent} * {line}").trim_end());
                }
                let _ = writeln!(self.text, "{indent} */");
            }
        }
    }
}
