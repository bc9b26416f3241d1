//! Documentation of a language in Markdown.

use std::collections::HashMap;
use std::fmt::Write;

use hcl_lr::stack;
use hcl_lr_language::internal::{Id, SchemaIndex};
use hcl_lr_language::schema::model::{Attribute, Block, Check, Deprecated, Files, Nesting, RuleKind, Schema, Type};

/// The deepest level of headings in Markdown.
const MAX_LEVEL: usize = 6;

/// Returns a reference of the language in Markdown: its files, and the attributes and blocks of each part, with
/// their types, defaults and descriptions.
///
/// ```
/// use hcl_lr_language::schema::{Attribute, Body, Schema, Type};
///
/// let port = Attribute::new("port", Type::INTEGER).required().with_description("Where the service listens.");
/// let schema = Schema::new("service").with_part("service", Body::new().with_attribute(port));
/// assert!(hcl_lr_schema_tools::to_markdown(&schema).contains("| `port` | `integer` | required | Where the service listens. |"));
/// ```
pub fn to_markdown(schema: &Schema) -> String {
    let index = SchemaIndex::new(schema);
    let mut out = Markdown { index: &index, text: String::new(), written: HashMap::new() };
    out.language();
    out.text
}

struct Markdown<'i> {
    index: &'i SchemaIndex,
    text: String,
    /// The headings of the bodies that have been written. Bodies may contain themselves.
    written: HashMap<Id, String>,
}

impl<'i> Markdown<'i> {
    fn language(&mut self) {
        let schema = self.index.schema();
        self.heading(1, schema.title());
        self.paragraphs(schema.description.as_deref(), schema.docs.as_deref());
        if !schema.files.is_empty() {
            self.heading(2, "Files");
            self.text.push_str("| files | names | contents |\n| --- | --- | --- |\n");
            for files in &schema.files {
                let names = codes(&files.patterns);
                let part = anchor(&files.body);
                let description =
                    files.description.as_deref().map_or(String::new(), |text| format!(": {}", cell(text)));
                let _ =
                    writeln!(self.text, "| {} | {names} | [{}](#{part}){description} |", cell(&files.name), files.body);
            }
            self.text.push('\n');
        }
        for part in &schema.parts {
            let Some(id) = self.index.part_id(&part.name) else { continue };
            self.heading(2, &part.name);
            if let Some(files) = schema.files.iter().find(|files: &&Files| files.body == part.name) {
                let _ = writeln!(self.text, "The body of {}.\n", codes(&files.patterns));
            }
            self.paragraphs(part.description.as_deref(), None);
            self.body(id, 3, &part.name);
        }
        if !schema.types.is_empty() {
            self.heading(2, "Types");
            self.text.push_str("| name | type |\n| --- | --- |\n");
            for (name, ty) in &schema.types {
                let _ = writeln!(self.text, "| `{name}` | {} |", code(&ty.to_string()));
            }
            self.text.push('\n');
        }
    }

    fn heading(&mut self, level: usize, text: &str) {
        let _ = writeln!(self.text, "{} {text}\n", "#".repeat(level.min(MAX_LEVEL)));
    }

    fn paragraphs(&mut self, description: Option<&str>, docs: Option<&str>) {
        if let Some(description) = description {
            let _ = writeln!(self.text, "{}\n", description.trim());
        }
        if let Some(docs) = docs {
            let _ = writeln!(self.text, "See <{docs}>.\n");
        }
    }

    /// Writes the attributes and blocks of a body, followed by those that depend on labels and attributes.
    fn body(&mut self, id: Id, level: usize, path: &str) {
        if let Some(heading) = self.written.get(&id) {
            let _ = writeln!(self.text, "The same contents as [{heading}](#{}).\n", anchor(heading));
            return;
        }
        self.written.insert(id, path.to_owned());
        let node = self.index.node(id);
        let attributes: Vec<&Attribute> =
            node.attributes().chain(node.free_attribute()).map(|attribute| &**attribute).collect();
        if !attributes.is_empty() {
            self.text.push_str("| attribute | type | | description |\n| --- | --- | --- | --- |\n");
            for attribute in attributes {
                self.attribute(attribute);
            }
            self.text.push('\n');
        }
        for rule in &node.rules {
            let names = codes(&rule.names);
            let sentence = match rule.kind {
                RuleKind::ExactlyOne => format!("Exactly one of {names} is required."),
                RuleKind::AtMostOne => format!("At most one of {names} can be set."),
                RuleKind::AtLeastOne => format!("At least one of {names} is required."),
                _ => format!("Set either all of {names} or none."),
            };
            let _ = writeln!(self.text, "{sentence}\n");
        }
        self.checks(&node.checks);
        if node.is_open() {
            self.text.push_str("Other attributes and blocks can be set, too.\n\n");
        }
        for (block, inner) in node.blocks().chain(node.free_block()) {
            self.block(block, *inner, level, path);
        }
        for one in &node.matches {
            let mut cases: Vec<(Id, Vec<&str>)> = Vec::new();
            for case in &one.matched.cases {
                let id = case.values.first().and_then(|value| one.cases.get(value.as_str()));
                if let Some(id) = id {
                    cases.push((*id, case.values.iter().map(String::as_str).collect()));
                }
            }
            for (id, values) in cases {
                let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
                let title = format!("{path} with {} {}", one.matched.key, values.join(", "));
                self.heading(level, &title);
                stack::with_room(|| self.body(id, level + 1, &title));
            }
            if let Some(catalog) = &one.matched.catalog {
                let _ =
                    writeln!(self.text, "More depends on `{}`, as listed in the catalog {catalog}.\n", one.matched.key);
            }
            if let Some(id) = one.otherwise
                && self.has_contents(id)
            {
                let title = format!("{path} with any other {}", one.matched.key);
                self.heading(level, &title);
                stack::with_room(|| self.body(id, level + 1, &title));
            }
        }
    }

    fn has_contents(&self, id: Id) -> bool {
        let node = self.index.node(id);
        node.attributes().next().is_some() || node.blocks().next().is_some()
    }

    fn attribute(&mut self, attribute: &Attribute) {
        let name = if attribute.is_free() { "any other".to_owned() } else { code(&attribute.name) };
        let mut notes: Vec<String> = Vec::new();
        if attribute.required {
            notes.push("required".to_owned());
        }
        if let Some(default) = &attribute.default {
            notes.push(format!("default {}", code(&default.to_string())));
        }
        if attribute.computed {
            notes.push("computed".to_owned());
        }
        if attribute.sensitive {
            notes.push("sensitive".to_owned());
        }
        notes.extend(versions(attribute.since.as_deref(), attribute.until.as_deref()));
        let mut words: Vec<String> = attribute.description.iter().map(|text| cell(text)).collect();
        words.extend(attribute.deprecated.as_ref().map(deprecated));
        words.extend(attribute.checks.iter().map(|check| format!("{}.", cell(check.message.trim_end_matches('.')))));
        words.extend(attribute.docs.as_ref().map(|docs| format!("See <{docs}>.")));
        let ty = self.type_cell(&attribute.ty);
        let _ = writeln!(self.text, "| {name} | {ty} | {} | {} |", notes.join(", "), words.join(" "));
    }

    /// Returns the type in the notation of schemas, with a link if it is an object of a part.
    fn type_cell(&self, ty: &Type) -> String {
        match ty {
            Type::Part(name) => format!("object [{name}](#{})", anchor(name)),
            _ => code(&ty.to_string()),
        }
    }

    fn block(&mut self, block: &'i Block, inner: Id, level: usize, path: &str) {
        let name = if block.is_free() { "any other block" } else { &block.name };
        let labels: String = block.labels.iter().map(|label| format!(" \"{}\"", label.name)).collect();
        let title = if level > 3 { format!("{path}.{name}") } else { name.to_owned() };
        self.heading(level, &title);
        let _ = writeln!(self.text, "```hcl\n{name}{labels} {{ … }}\n```\n");
        self.paragraphs(block.description.as_deref(), block.docs.as_deref());
        let mut notes: Vec<String> = Vec::new();
        match (block.min, block.max) {
            (0, None) => {}
            (0, Some(0)) => notes.push("No such block: the name is reserved.".to_owned()),
            (0, Some(1)) => notes.push("At most one block.".to_owned()),
            (1, Some(1)) => notes.push("Exactly one block.".to_owned()),
            (min, None) => notes.push(format!("At least {min}.")),
            (0, Some(max)) => notes.push(format!("At most {max} blocks.")),
            (min, Some(max)) => notes.push(format!("{min} to {max} blocks.")),
        }
        if block.once {
            notes.push("All files of a program have at most one.".to_owned());
        }
        if block.nesting == Nesting::Map || block.unique {
            notes.push("No two blocks have the same labels.".to_owned());
        }
        notes.extend(versions(block.since.as_deref(), block.until.as_deref()).map(|text| format!("Available {text}.")));
        notes.extend(block.deprecated.as_ref().map(deprecated));
        if !notes.is_empty() {
            let _ = writeln!(self.text, "{}\n", notes.join(" "));
        }
        if !block.labels.is_empty() {
            self.text.push_str("| label | type | | description |\n| --- | --- | --- | --- |\n");
            for label in &block.labels {
                let ty = self.type_cell(&label.ty);
                let note = match (label.optional, label.repeated) {
                    (_, true) => "any number",
                    (true, _) => "optional",
                    _ => "required",
                };
                let description = label.description.as_deref().map_or(String::new(), cell);
                let _ = writeln!(self.text, "| {} | {ty} | {note} | {description} |", code(&label.name));
            }
            self.text.push('\n');
        }
        stack::with_room(|| self.body(inner, level + 1, &title));
    }

    fn checks(&mut self, checks: &[Check]) {
        for check in checks {
            let _ = writeln!(self.text, "{}.\n", check.message.trim_end_matches('.'));
        }
    }
}

fn versions(since: Option<&str>, until: Option<&str>) -> Option<String> {
    match (since, until) {
        (Some(since), Some(until)) => Some(format!("from {since} to before {until}")),
        (Some(since), None) => Some(format!("since {since}")),
        (None, Some(until)) => Some(format!("before {until}")),
        (None, None) => None,
    }
}

fn deprecated(deprecated: &Deprecated) -> String {
    let since = deprecated.since.as_ref().map_or(String::new(), |since| format!(" since {since}"));
    match (&deprecated.replacement, &deprecated.message) {
        (_, Some(message)) => format!("**Deprecated**{since}: {}.", cell(message.trim_end_matches('.'))),
        (Some(other), None) => format!("**Deprecated**{since}: use {}.", code(other)),
        (None, None) => format!("**Deprecated**{since}."),
    }
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A text as code, in a cell of a table.
fn code(text: &str) -> String {
    let text = cell(text);
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

fn codes(texts: &[String]) -> String {
    texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ")
}

/// Returns the anchor of a heading, as most renderers of Markdown make it. The links in the text of
/// [`to_markdown`] lead to these.
///
/// ```
/// assert_eq!(hcl_lr_schema_tools::anchor("The `port` block"), "the-port-block");
/// ```
pub fn anchor(heading: &str) -> String {
    let anchor = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(anchor).collect()
}
