//! Makes a schema from a spec file of hcldec.

use std::fmt::Write;

use hcl_lr::body::{Block, Body, Content, Expression};
use hcl_lr::internal::identifier::is_identifier;
use hcl_lr::stack;
use hcl_lr::writer::quoted;

/// A schema in HCL that describes the files which a spec file decodes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HcldecSchema {
    /// The text of a schema file.
    pub text: String,
    /// The parts of the spec that a schema does not have, each with its place.
    pub left_out: Vec<String>,
}

/// The attributes and blocks of a body, in the order of the spec.
#[derive(Default)]
struct Items {
    attributes: Vec<Attribute>,
    blocks: Vec<Blocks>,
    /// The type of attributes with any name.
    free: Option<String>,
}

struct Attribute {
    name: String,
    ty: String,
    required: bool,
    default: Option<String>,
}

struct Blocks {
    name: String,
    labels: Vec<String>,
    /// Lines of the block that set the number of blocks.
    lines: Vec<String>,
    items: Items,
}

/// Makes a schema from the body of a spec file of hcldec in native syntax. Attributes, their types and defaults, and
/// blocks with their labels and numbers become those of the schema; literals and transformations only concern the
/// values that are decoded.
///
/// ```
/// use hcl_lr_language::schema::Schema;
/// use hcl_lr::{Body, parse};
///
/// let spec = "object {\n  attr \"port\" {\n    type     = number\n    required = true\n  }\n}\n";
/// let made = hcl_lr_schema_tools::from_hcldec("app", &parse::<Body>(("app.hcldec", spec)).into_result()?);
/// let schema: Schema = parse(("app.schema.hcl", made.text)).into_result()?;
/// assert!(schema.part("app").expect("it is there").body.attributes[0].required);
/// # Ok::<(), hcl_lr::Diagnostics>(())
/// ```
pub fn from_hcldec(name: &str, spec: &Body) -> HcldecSchema {
    let name = if is_identifier(name) { name } else { "app" };
    let mut reader = Reader::default();
    let mut items = Items::default();
    if let Some(content) = spec.content_as_written() {
        for block in content.blocks() {
            match block.block_type() {
                "variables" | "function" => {
                    let what = block.block_type();
                    reader.leave_out(block, &format!("what `{what}` defines for expressions"));
                }
                _ => reader.spec(block, None, &mut items),
            }
        }
    }
    let mut text = format!(
        "language {0} {{\n  files {0} {{\n    patterns = [\"*.{name}.hcl\"]\n    body     = {name}\n  }}\n}}\n\npart {0} {{\n",
        quoted(name)
    );
    items.write(&mut text, 1);
    text.push_str("}\n");
    // The text of types is as somebody wrote it.
    let text = hcl_lr::format::format(&text);
    HcldecSchema { text, left_out: reader.left_out }
}

#[derive(Default)]
struct Reader {
    left_out: Vec<String>,
}

impl Reader {
    fn leave_out(&mut self, block: &Block, what: &str) {
        self.left_out.push(format!("{}: {what}", block.header_place()));
    }

    /// Adds the attributes and blocks that a spec reads. `property` is its name in an object.
    fn spec(&mut self, block: &Block, property: Option<&str>, items: &mut Items) {
        let Some(content) = block.body().content_as_written() else { return };
        let label = block.label(0).or(property);
        let inner = |reader: &mut Reader, items: &mut Items| {
            for spec in content.blocks() {
                stack::with_room(|| reader.spec(spec, None, items));
            }
        };
        match block.block_type() {
            "object" | "array" => inner(self, items),
            "attr" => {
                let Some(name) = text(&content, "name").or(label.map(str::to_owned)) else { return };
                let ty = content.attribute("type").map(|ty| source(ty.expression()));
                let required = text_of(&content, "required").as_deref() == Some("true");
                items.attribute(Attribute {
                    name,
                    ty: ty.unwrap_or_else(|| "any".to_owned()),
                    required,
                    default: None,
                });
            }
            "block" | "block_list" | "block_set" | "block_map" | "block_attrs" => {
                let Some(name) = text(&content, "block_type").or(label.map(str::to_owned)) else { return };
                let mut made = Blocks { name, labels: Vec::new(), lines: Vec::new(), items: Items::default() };
                match block.block_type() {
                    "block" | "block_attrs" => {
                        made.lines.push("nesting = single".to_owned());
                        if text_of(&content, "required").as_deref() == Some("true") {
                            made.lines.push("min = 1".to_owned());
                        }
                    }
                    "block_set" => made.lines.push("nesting = set".to_owned()),
                    "block_map" => {
                        made.lines.push("nesting = map".to_owned());
                        made.lines.push("unique = true".to_owned());
                        made.labels = texts(&content, "labels");
                    }
                    _ => {}
                }
                for (argument, line) in [("min_items", "min"), ("max_items", "max")] {
                    made.lines.extend(text_of(&content, argument).map(|number| format!("{line} = {number}")));
                }
                if block.block_type() == "block_attrs" {
                    let element = content.attribute("element_type").map(|ty| source(ty.expression()));
                    made.items.free = Some(element.unwrap_or_else(|| "any".to_owned()));
                }
                inner(self, &mut made.items);
                items.blocks(made);
            }
            "default" => {
                let before = items.attributes.len();
                let literal = content.blocks().iter().find(|spec| spec.block_type() == "literal");
                for spec in content.blocks().iter().filter(|spec| spec.block_type() != "literal") {
                    stack::with_room(|| self.spec(spec, label, items));
                }
                let value = literal.and_then(|literal| text_of(&literal.body().content_as_written()?, "value"));
                match (value, &mut items.attributes[before..]) {
                    (Some(value), [only]) => only.default = Some(value),
                    (Some(_), _) => self.leave_out(block, "the default of something that is no attribute"),
                    (None, _) => self.leave_out(block, "the order of what is tried for a value"),
                }
            }
            "literal" => self.leave_out(block, "a value that is in no file"),
            "transform" => {
                self.leave_out(block, "the transformation of a value");
                inner(self, items);
            }
            other => self.leave_out(block, &format!("a spec `{other}`")),
        }
    }
}

impl Items {
    /// Adds an attribute. One that several specs read is there once.
    fn attribute(&mut self, attribute: Attribute) {
        match self.attributes.iter_mut().find(|known| known.name == attribute.name) {
            Some(known) => known.required |= attribute.required,
            None => self.attributes.push(attribute),
        }
    }

    fn blocks(&mut self, blocks: Blocks) {
        if self.blocks.iter().all(|known| known.name != blocks.name) {
            self.blocks.push(blocks);
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth.min(hcl_lr::internal::MAX_INDENT));
        for Attribute { name, ty, required, default } in &self.attributes {
            let ty = match (required, default) {
                (_, Some(default)) => format!("optional({ty}, {default})"),
                (true, None) => format!("required({ty})"),
                (false, None) => ty.clone(),
            };
            let _ = writeln!(out, "{indent}attribute {} {{ type = {ty} }}", quoted(name));
        }
        if let Some(ty) = &self.free {
            let _ = writeln!(out, "{indent}attribute \"*\" {{ type = {ty} }}");
        }
        for Blocks { name, labels, lines, items } in &self.blocks {
            let _ = writeln!(out, "{indent}block {} {{", quoted(name));
            for line in lines {
                let _ = writeln!(out, "{indent}  {line}");
            }
            for label in labels {
                let _ = writeln!(out, "{indent}  label {} {{}}", quoted(label));
            }
            stack::with_room(|| items.write(out, depth + 1));
            let _ = writeln!(out, "{indent}}}");
        }
    }
}

/// The source of an expression on one line.
fn source(expression: &Expression) -> String {
    expression.place().text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The source of an argument.
fn text_of(content: &Content, name: &str) -> Option<String> {
    content.attribute(name).map(|attribute| source(attribute.expression()))
}

/// The value of an argument that is a string.
fn text(content: &Content, name: &str) -> Option<String> {
    let value = content.attribute(name)?.evaluate(&hcl_lr::eval::Scope::new()).ok()?;
    value.as_str().map(str::to_owned)
}

/// The values of an argument that is a list of strings.
fn texts(content: &Content, name: &str) -> Vec<String> {
    let value = content.attribute(name).and_then(|attribute| attribute.evaluate(&hcl_lr::eval::Scope::new()).ok());
    let elements = value.as_ref().and_then(|value| value.elements()).unwrap_or_default();
    elements.iter().filter_map(|element| element.as_str().map(str::to_owned)).collect()
}
