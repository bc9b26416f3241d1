//! The block types of a language in JSON, and their labels.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};
use std::sync::LazyLock;

use crate::sorting::sort_by;
use crate::stack::with_room;
use crate::syntax::ast::{self, BodyItem};
use crate::writer::quoted;

/// The maximum number of levels of indentation: otherwise the text of deep nesting would grow with the square of its
/// depth.
pub const MAX_INDENT: usize = 100;

/// The facts about a language that conversions between the syntaxes need: the properties of JSON that are blocks, their
/// labels, and the arguments that are read without evaluating them. A schema of the package `hcl-lr-language` provides
/// them, or [a file in native syntax](Self::of). All other properties are arguments. In an open body, an array of
/// objects represents blocks, unless the schema has an argument of this name.
///
/// ```
/// use hcl_lr_language::schema::Schema;
///
/// let schema = Schema::by_name("terraform").expect("it is there").conversion_schema();
/// assert_eq!(schema.blocks_on_path(&["variable", "region", "type"]), [("variable", vec!["region"])]);
/// ```
#[derive(Clone, Debug)]
pub struct ConversionSchema {
    /// The first one is the root. All are in one list, so that dropping them does not recurse.
    bodies: Vec<BodyShape>,
}

#[derive(Clone, Debug, Default)]
struct BodyShape {
    blocks: Vec<BlockShape>,
    index: HashMap<String, usize>,
    statics: HashSet<String>,
    /// The names of entries of objects that are read literally, in all arguments of the body.
    static_entries: HashSet<String>,
    /// The names of arguments whose strings are no templates in JSON.
    literals: HashSet<String>,
    /// True if no string in the arguments of the body is a template in JSON.
    all_literal: bool,
    /// The names of known arguments in an open body.
    arguments: HashSet<String>,
    /// True if there may be any other blocks.
    open: bool,
    /// True if `dynamic` blocks may generate blocks.
    generates: bool,
    when: Vec<(String, usize)>,
    when_index: HashMap<String, usize>,
}

impl BodyShape {
    fn says_something(&self) -> bool {
        !self.blocks.is_empty()
            || !self.statics.is_empty()
            || !self.static_entries.is_empty()
            || !self.literals.is_empty()
            || self.all_literal
            || self.open
            || self.generates
    }
}

/// The indexes of the bodies of `dynamic` blocks, and of their `content` blocks.
const DYNAMIC: usize = 1;
const CONTENT: usize = 2;

/// Blocks of a type.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "public for the packages of this workspace only")]
pub struct BlockShape {
    block_type: String,
    pub labels: Vec<String>,
    /// The number of labels that each block has.
    pub required: usize,
    body: usize,
}

/// The known facts about a body: a few shapes, of which the last one that knows a name wins.
#[derive(Clone, Debug)]
pub struct Shapes<'s> {
    schema: &'s ConversionSchema,
    layers: Vec<usize>,
    open: bool,
    generates: bool,
}

#[allow(missing_docs, reason = "public for the packages of this workspace only")]
impl<'s> Shapes<'s> {
    fn of(schema: &'s ConversionSchema, layers: Vec<usize>) -> Shapes<'s> {
        let any = |has: fn(&BodyShape) -> bool| layers.iter().any(|&layer| has(&schema.bodies[layer]));
        let (open, generates) = (any(|body| body.open), any(|body| body.generates));
        Shapes { schema, layers, open, generates }
    }

    pub fn block(&self, name: &str) -> Option<&'s BlockShape> {
        let bodies = &self.schema.bodies;
        let known_block = |&layer: &usize| bodies[layer].index.get(name).map(|&at| &bodies[layer].blocks[at]);
        let dynamic = || (self.generates && name == "dynamic").then(dynamic_blocks);
        self.layers.iter().rev().find_map(known_block).or_else(dynamic)
    }

    pub fn is_static(&self, name: &str) -> bool {
        self.layers.iter().any(|&layer| self.schema.bodies[layer].statics.contains(name))
    }

    /// Returns true if entries of objects with this name are read literally.
    pub fn is_static_entry(&self, name: &str) -> bool {
        self.layers.iter().any(|&layer| self.schema.bodies[layer].static_entries.contains(name))
    }

    /// Returns true if strings in the value of this argument are no templates in JSON.
    pub fn is_literal(&self, name: &str) -> bool {
        let bodies = self.layers.iter().map(|&layer| &self.schema.bodies[layer]);
        bodies.into_iter().any(|body| body.all_literal || body.literals.contains(name))
    }

    /// Returns true if a name that is not a known block type may be one.
    pub fn may_be_block(&self, name: &str) -> bool {
        self.open && !self.layers.iter().any(|&layer| self.schema.bodies[layer].arguments.contains(name))
    }

    /// Returns the known facts about the body of a block.
    pub fn within<'l>(&self, block: Option<&BlockShape>, labels: impl IntoIterator<Item = &'l str>) -> Shapes<'s> {
        if block.is_none() && self.open {
            // Unknown blocks are open too.
            return Shapes { layers: Vec::new(), ..self.clone() };
        }
        // Empty shapes are left out, so that names are not looked up in them.
        let bodies = &self.schema.bodies;
        let says_something = |&body: &usize| bodies[body].says_something();
        let mut last = block.map(|block| block.body);
        let mut layers: Vec<usize> = last.filter(says_something).into_iter().collect();
        for label in labels {
            last = last.and_then(|body| bodies[body].when_index.get(label).copied());
            layers.extend(last.filter(says_something));
        }
        Shapes::of(self.schema, layers)
    }
}

/// The blocks that generate others.
fn dynamic_blocks() -> &'static BlockShape {
    static DYNAMIC_BLOCKS: LazyLock<BlockShape> = LazyLock::new(|| BlockShape {
        block_type: "dynamic".to_owned(),
        labels: vec!["type".to_owned()],
        required: 1,
        body: DYNAMIC,
    });
    &DYNAMIC_BLOCKS
}

impl Default for ConversionSchema {
    fn default() -> Self {
        let mut dynamic = BodyShape { statics: HashSet::from(["iterator".to_owned()]), ..BodyShape::default() };
        dynamic.index.insert("content".to_owned(), 0);
        dynamic.blocks.push(BlockShape {
            block_type: "content".to_owned(),
            labels: Vec::new(),
            required: 0,
            body: CONTENT,
        });
        let content = BodyShape { open: true, generates: true, ..BodyShape::default() };
        ConversionSchema { bodies: vec![BodyShape::default(), dynamic, content] }
    }
}

impl ConversionSchema {
    /// Returns the blocks along a path of names, each as its type and its labels. The remaining names lead to something
    /// in the body of the last block. If the path ends early, the last block has fewer labels than the schema requires.
    pub fn blocks_on_path<'n>(&self, names: &[&'n str]) -> Vec<(&'n str, Vec<&'n str>)> {
        let (mut blocks, mut shapes, mut rest) = (Vec::new(), self.root(), names);
        while let Some((name, after)) = rest.split_first() {
            let Some(block) = shapes.block(name) else { break };
            let (labels, within) = after.split_at(block.required.min(after.len()));
            shapes = shapes.within(Some(block), labels.iter().copied());
            blocks.push((*name, labels.to_vec()));
            rest = within;
        }
        blocks
    }

    /// No blocks.
    pub fn new() -> Self {
        ConversionSchema::default()
    }

    /// Returns the schema that distinguishes the blocks of a file in native syntax from its attributes. If the same
    /// block type has different numbers of labels in places that a schema cannot distinguish, the first one wins.
    ///
    /// ```
    /// use hcl_lr::convert::ConversionSchema;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a \"x\" {\n  b {}\n}\nc = 1\n").into_result()?;
    /// let schema = ConversionSchema::of(file.body());
    /// assert_eq!(schema.blocks_on_path(&["a", "x", "b", "n"]), [("a", vec!["x"]), ("b", vec![])]);
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn of(body: ast::BodyNode<'_>) -> ConversionSchema {
        ConversionSchema::of_all([body])
    }

    /// The same for the blocks of several files.
    pub fn of_all<'t>(bodies: impl IntoIterator<Item = ast::BodyNode<'t>>) -> ConversionSchema {
        let nothing = ConversionSchema::new();
        ConversionSchema::of_all_in(bodies.into_iter().map(|body| (body, &nothing)))
    }

    /// The same for files of languages, whose schemas know which of the arguments are read without evaluating them.
    ///
    /// ```
    /// use hcl_lr::convert::{ConversionOptions, ConversionSchema, to_json};
    /// use hcl_lr_language::schema::Schema;
    ///
    /// let terraform = Schema::by_name("terraform").expect("it is there").conversion_schema();
    /// let file = hcl_lr::parse::<hcl_lr::File>("variable \"zone\" {\n  type = string\n}\n").into_result()?;
    /// let schema = ConversionSchema::of_all_in([(file.body(), &terraform)]);
    /// let converted = to_json(&file, &ConversionOptions::new().with_schema(&schema)).into_result()?;
    /// assert!(converted.text.contains("\"type\": \"string\""));
    /// # Ok::<(), hcl_lr::Diagnostics>(())
    /// ```
    pub fn of_all_in<'t>(
        bodies: impl IntoIterator<Item = (ast::BodyNode<'t>, &'t ConversionSchema)>,
    ) -> ConversionSchema {
        let mut schema = ConversionSchema::new();
        let mut waiting: Vec<_> = bodies.into_iter().map(|(body, language)| (body, 0, language.root())).collect();
        while let Some((body, shape, known)) = waiting.pop() {
            schema.add_known(shape, body, &known);
            for item in body.items() {
                let BodyItem::Block(block) = item else { continue };
                let labels: Vec<String> = block.labels().map(|label| label.text().into_owned()).collect();
                let names = (1..=labels.len()).map(|number| format!("label{number}")).collect();
                let mut inner = schema.add_block(shape, block.block_type(), names);
                let known = known.within(known.block(block.block_type()), labels.iter().map(String::as_str));
                schema.add_known(inner, block.body(), &known);
                if block.body().blocks().next().is_none() {
                    continue;
                }
                for label in labels {
                    inner = schema.add_when(inner, &label);
                }
                waiting.push((block.body(), inner, known));
            }
        }
        schema
    }

    /// Adds the known facts about the arguments of a body.
    fn add_known(&mut self, shape: usize, body: ast::BodyNode<'_>, known: &Shapes<'_>) {
        for attribute in body.attributes() {
            let name = attribute.name();
            if known.is_static(name) {
                self.bodies[shape].statics.insert(name.to_owned());
            } else if known.is_literal(name) {
                self.add_literal(shape, Some(name));
            } else if let ast::ExpressionKind::Object(object) = attribute.expression().kind() {
                let names = object.elements().filter_map(|element| element.key_text());
                let names = names.filter(|name| known.is_static_entry(name)).map(Cow::into_owned);
                self.bodies[shape].static_entries.extend(names);
            }
        }
    }

    /// Returns true if it does not know any blocks of the root.
    pub fn has_no_blocks(&self) -> bool {
        self.bodies[0].blocks.is_empty()
    }

    #[doc(hidden)]
    pub fn root(&self) -> Shapes<'_> {
        Shapes::of(self, vec![0])
    }

    fn add(&mut self) -> usize {
        self.bodies.push(BodyShape::default());
        self.bodies.len() - 1
    }

    /// Returns the shape of the bodies of a block type, which is added if it is unknown.
    #[doc(hidden)]
    pub fn add_block(&mut self, shape: usize, block_type: &str, labels: Vec<String>) -> usize {
        if let Some(&at) = self.bodies[shape].index.get(block_type) {
            return self.bodies[shape].blocks[at].body;
        }
        let body = self.add();
        let shape = &mut self.bodies[shape];
        shape.index.insert(block_type.to_owned(), shape.blocks.len());
        let required = labels.len();
        shape.blocks.push(BlockShape { block_type: block_type.to_owned(), labels, required, body });
        body
    }

    #[doc(hidden)]
    pub fn add_when(&mut self, shape: usize, label: &str) -> usize {
        if let Some(&known) = self.bodies[shape].when_index.get(label) {
            return known;
        }
        let body = self.add();
        let shape = &mut self.bodies[shape];
        shape.when_index.insert(label.to_owned(), body);
        shape.when.push((label.to_owned(), body));
        body
    }

    /// Adds names of arguments that are read as they are written.
    #[doc(hidden)]
    pub fn add_statics(&mut self, shape: usize, names: Vec<String>) {
        self.bodies[shape].statics.extend(names);
    }

    /// Adds names of entries of objects that are read as they are written.
    #[doc(hidden)]
    pub fn add_static_entries(&mut self, shape: usize, names: Vec<String>) {
        self.bodies[shape].static_entries.extend(names);
    }

    /// Declares that strings in the value of an argument, or of all arguments, are no templates in JSON.
    #[doc(hidden)]
    pub fn add_literal(&mut self, shape: usize, name: Option<&str>) {
        match name {
            Some(name) => drop(self.bodies[shape].literals.insert(name.to_owned())),
            None => self.bodies[shape].all_literal = true,
        }
    }

    /// Declares that a body may have other blocks than the known ones, but not with these names.
    #[doc(hidden)]
    pub fn open(&mut self, shape: usize, arguments: impl IntoIterator<Item = String>) {
        self.bodies[shape].open = true;
        self.bodies[shape].arguments.extend(arguments);
    }

    /// Declares that `dynamic` blocks may generate blocks of a body.
    #[doc(hidden)]
    pub fn generate(&mut self, shape: usize) {
        self.bodies[shape].generates = true;
    }

    /// Declares the names of the labels of a known block type, and their number.
    #[doc(hidden)]
    pub fn set_labels(&mut self, shape: usize, block_type: &str, labels: Vec<String>, required: usize) {
        let shape = &mut self.bodies[shape];
        if let Some(&at) = shape.index.get(block_type) {
            shape.blocks[at].labels = labels;
            shape.blocks[at].required = required;
        }
    }

    /// Writes the contents of a body in a schema file. `labels` are those of the block whose cases are still to be
    /// written.
    fn write(&self, f: &mut String, shape: usize, labels: &[String], depth: usize) -> fmt::Result {
        self.write_items(f, shape, depth)?;
        self.write_cases(f, shape, labels, depth)
    }

    fn write_items(&self, f: &mut String, at: usize, depth: usize) -> fmt::Result {
        let shape = &self.bodies[at];
        let indent = 2 * depth.min(MAX_INDENT);
        let mut statics: Vec<&String> = shape.statics.iter().collect();
        sort_by(&mut statics, |a, b| a.cmp(b));
        if shape.generates {
            writeln!(f, "{:indent$}dynamic = true", "")?;
        }
        // The default of a constant input is the argument of a block that is not evaluated.
        let has_default = shape.literals.contains("default");
        if has_default {
            writeln!(f, "{:indent$}defines \"input\" {{\n{:indent$}  value    = input", "", "")?;
            writeln!(f, "{:indent$}  constant = true\n{:indent$}}}", "", "")?;
        }
        if shape.open {
            writeln!(f, "{:indent$}open = true", "")?;
        } else if shape.all_literal {
            writeln!(f, "{:indent$}attribute \"*\" {{\n{:indent$}  defines \"input\" {{", "", "")?;
            writeln!(f, "{:indent$}    value    = input\n{:indent$}    constant = true", "", "")?;
            writeln!(f, "{:indent$}  }}\n{:indent$}}}", "", "")?;
        } else if shape.static_entries.is_empty() {
            writeln!(f, "{:indent$}attribute \"*\" {{}}", "")?;
        } else {
            let mut entries: Vec<&String> = shape.static_entries.iter().collect();
            sort_by(&mut entries, |a, b| a.cmp(b));
            let entries: Vec<String> =
                entries.into_iter().map(|name| format!("{} = optional(address()), ", quoted(name))).collect();
            let entries = entries.concat();
            writeln!(f, "{:indent$}attribute \"*\" {{ type = one_of(object({{ {entries}\"*\" = any }}), any) }}", "")?;
        }
        for name in statics {
            writeln!(f, "{:indent$}attribute {} {{ type = address() }}", "", quoted(name))?;
        }
        let is_written = |name: &&String| !shape.open && !shape.all_literal && *name != "default";
        let mut constants: Vec<&String> = shape.literals.iter().filter(is_written).collect();
        sort_by(&mut constants, |a, b| a.cmp(b));
        for name in constants {
            writeln!(f, "{:indent$}attribute {} {{ constant = true }}", "", quoted(name))?;
        }
        self.write_blocks(f, at, depth)
    }

    fn write_blocks(&self, f: &mut String, shape: usize, depth: usize) -> fmt::Result {
        let shape = &self.bodies[shape];
        let indent = 2 * depth.min(MAX_INDENT);
        for block in &shape.blocks {
            writeln!(f, "{:indent$}block {} {{", "", quoted(&block.block_type))?;
            for label in &block.labels {
                writeln!(f, "{:indent$}  label {} {{}}", "", quoted(label))?;
            }
            with_room(|| self.write(f, block.body, &block.labels, depth + 1))?;
            writeln!(f, "{:indent$}}}", "")?;
        }
        Ok(())
    }

    fn write_cases(&self, f: &mut String, shape: usize, labels: &[String], depth: usize) -> fmt::Result {
        let shape = &self.bodies[shape];
        let indent = 2 * depth.min(MAX_INDENT);
        let (Some((key, labels)), false) = (labels.split_first(), shape.when.is_empty()) else { return Ok(()) };
        writeln!(f, "{:indent$}match {} {{", "", quoted(key))?;
        for (label, body) in &shape.when {
            writeln!(f, "{:indent$}  case {} {{", "", quoted(label))?;
            with_room(|| self.write_blocks(f, *body, depth + 2))?;
            with_room(|| self.write_cases(f, *body, labels, depth + 2))?;
            writeln!(f, "{:indent$}  }}", "")?;
        }
        writeln!(f, "{:indent$}  otherwise {{}}", "")?;
        writeln!(f, "{:indent$}}}", "")
    }
}

/// Writes the schema as a schema file, for the package `hcl-lr-language`, of a language with files of any name.
impl fmt::Display for ConversionSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from(
            "language \"files\" {\n  files \"all\" {\n    patterns = [\"*\"]\n    body     = file\n  }\n}\n\npart \"file\" {\n",
        );
        self.write(&mut text, 0, &[], 1)?;
        f.write_str(&text)?;
        f.write_str("}\n")
    }
}
