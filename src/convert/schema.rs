//! What an application expects, as far as a conversion has to know: which properties of JSON are
//! blocks, and how many labels they have.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use crate::body::{Body, Schema};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome};
use crate::eval::Scope;
use crate::format::format;
use crate::model::{Type, Value};
use crate::reading::Options;
use crate::source::Source;
use crate::stack::with_room;
use crate::syntax::ast::{self, BodyItem};
use crate::writer::quoted;

const TERRAFORM_FILES: &str = include_str!("schemas/terraform.hcl");

/// Which blocks an application knows, with their labels, and which arguments it reads without
/// evaluating them. It is written in HCL:
///
/// ```hcl
/// block "resource" {
///   labels = ["type", "name"]
///   static = ["depends_on"]
///   block "lifecycle" {}
///   when "aws_instance" {
///     block "ebs_block_device" {}
///   }
/// }
/// ```
///
/// - `block "TYPE" { … }`: there can be blocks of this type; what is within says the same of their
///   bodies. `labels` is what their labels are called; without it they have none.
/// - `when "LABEL" { … }`: what is within holds in addition where the first label is this one; for the
///   next label, `when` stands in `when`.
/// - `static = […]`: the names of arguments that the application reads as they are written, such as
///   references and types. In JSON they are strings without `${ }`, and arrays and objects of such.
///
/// All other properties are arguments.
///
/// ```
/// use hcl_lr::convert::parse_conversion_schema;
///
/// let schema = parse_conversion_schema("block \"service\" {\n  labels = [\"name\"]\n}\n").into_result()?;
/// assert_eq!(schema.to_string(), "block \"service\" {\n  labels = [\"name\"]\n}\n");
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConversionSchema {
    /// The first is that of the root. All are in one list, so that dropping them does not recurse.
    bodies: Vec<BodyShape>,
}

#[derive(Clone, Debug, Default)]
struct BodyShape {
    blocks: Vec<BlockShape>,
    index: HashMap<String, usize>,
    statics: HashSet<String>,
    when: Vec<(String, usize)>,
    when_index: HashMap<String, usize>,
}

/// Blocks of a type.
#[derive(Clone, Debug)]
pub(crate) struct BlockShape {
    block_type: String,
    pub labels: Vec<String>,
    body: usize,
}

/// What is known of a body: a few shapes, of which the last that knows a name counts.
#[derive(Clone, Debug)]
pub(crate) struct Shapes<'s> {
    schema: &'s ConversionSchema,
    layers: Vec<usize>,
}

impl<'s> Shapes<'s> {
    pub fn block(&self, name: &str) -> Option<&'s BlockShape> {
        let bodies = &self.schema.bodies;
        self.layers.iter().rev().find_map(|&layer| bodies[layer].index.get(name).map(|&at| &bodies[layer].blocks[at]))
    }

    pub fn is_static(&self, name: &str) -> bool {
        self.layers.iter().any(|&layer| self.schema.bodies[layer].statics.contains(name))
    }

    /// The same of the body of a block.
    pub fn within<'l>(&self, block: Option<&BlockShape>, labels: impl IntoIterator<Item = &'l str>) -> Shapes<'s> {
        // What says nothing is left out, so that a name is not looked for in it.
        let bodies = &self.schema.bodies;
        let says_something = |&body: &usize| !bodies[body].blocks.is_empty() || !bodies[body].statics.is_empty();
        let mut last = block.map(|block| block.body);
        let mut layers: Vec<usize> = last.filter(says_something).into_iter().collect();
        for label in labels {
            last = last.and_then(|body| bodies[body].when_index.get(label).copied());
            layers.extend(last.filter(says_something));
        }
        Shapes { schema: self.schema, layers }
    }
}

/// Parses a schema, which is written in either syntax of HCL. A name that ends with `.json` says that it
/// is in JSON.
pub fn parse_conversion_schema(source: impl Into<Source>) -> Outcome<ConversionSchema> {
    Options::default().parse_conversion_schema(source)
}

/// Reads a file and parses it as [`parse_conversion_schema`] does. If it cannot be read, that is a
/// diagnostic.
pub fn parse_conversion_schema_file(path: impl AsRef<Path>) -> Outcome<ConversionSchema> {
    Options::default().parse_conversion_schema_file(path)
}

impl Options {
    /// Like [`parse_conversion_schema`], with these options.
    pub fn parse_conversion_schema(&self, source: impl Into<Source>) -> Outcome<ConversionSchema> {
        ConversionSchema::read(self.parse_body(source))
    }

    /// Like [`parse_conversion_schema_file`], with these options.
    pub fn parse_conversion_schema_file(&self, path: impl AsRef<Path>) -> Outcome<ConversionSchema> {
        ConversionSchema::read(self.parse_body_file(path))
    }
}

impl Default for ConversionSchema {
    fn default() -> Self {
        ConversionSchema { bodies: vec![BodyShape::default()] }
    }
}

impl ConversionSchema {
    /// No blocks.
    pub fn new() -> Self {
        ConversionSchema::default()
    }

    /// The blocks of Terraform and OpenTofu files that do not depend on providers.
    ///
    /// ```
    /// let schema = hcl_lr::convert::ConversionSchema::terraform();
    /// assert!(schema.to_string().contains("block \"variable\" {\n  labels = [\"name\"]\n"));
    /// ```
    pub fn terraform() -> &'static ConversionSchema {
        static TERRAFORM: LazyLock<ConversionSchema> =
            LazyLock::new(|| parse_conversion_schema(("terraform", TERRAFORM_FILES)).into_value());
        &TERRAFORM
    }

    /// The schema that a body is.
    fn read(body: Outcome<Body>) -> Outcome<ConversionSchema> {
        let (body, diagnostics) = body.into_parts();
        let mut reader = Reader { schema: ConversionSchema::new(), diagnostics, scope: Scope::new().sharing_meter() };
        if !reader.diagnostics.has_errors() {
            reader.body(&body, 0, false);
        }
        reader.diagnostics.sort();
        Outcome::new(reader.schema, reader.diagnostics)
    }

    /// The schema that distinguishes the blocks of a file in native syntax from its attributes. If
    /// the same block type has different numbers of labels in places that a schema cannot tell apart,
    /// the first counts.
    ///
    /// ```
    /// use hcl_lr::convert::ConversionSchema;
    ///
    /// let file = hcl_lr::parse("a \"x\" {\n  b {}\n}\nc = 1\n").into_result()?;
    /// let schema = ConversionSchema::of(file.body()).to_string();
    /// assert_eq!(schema, "block \"a\" {\n  labels = [\"label1\"]\n  when \"x\" {\n    block \"b\" {}\n  }\n}\n");
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn of(body: ast::BodyNode<'_>) -> ConversionSchema {
        ConversionSchema::of_all([body])
    }

    /// The same for the blocks of several files.
    pub fn of_all<'t>(bodies: impl IntoIterator<Item = ast::BodyNode<'t>>) -> ConversionSchema {
        let mut schema = ConversionSchema::new();
        let mut waiting: Vec<_> = bodies.into_iter().map(|body| (body, 0)).collect();
        while let Some((body, shape)) = waiting.pop() {
            for item in body.items() {
                let BodyItem::Block(block) = item else { continue };
                let labels: Vec<String> = block.labels().map(|label| label.text().into_owned()).collect();
                let names = (1..=labels.len()).map(|number| format!("label{number}")).collect();
                let mut inner = schema.add_block(shape, block.block_type(), names);
                if block.body().blocks().next().is_none() {
                    continue;
                }
                for label in labels {
                    inner = schema.add_when(inner, &label);
                }
                waiting.push((block.body(), inner));
            }
        }
        schema
    }

    /// The schema with what another one knows in addition. Where both know a block, what the other one says about
    /// its labels counts.
    ///
    /// ```
    /// use hcl_lr::convert::{ConversionSchema, parse_conversion_schema};
    ///
    /// let text = "block \"resource\" {\n  labels = [\"type\", \"name\"]\n  when \"aws_instance\" {\n    block \"ebs_block_device\" {}\n  }\n}\n";
    /// let mine = parse_conversion_schema(text).into_result()?;
    /// let schema = ConversionSchema::terraform().clone().with(&mine).to_string();
    /// assert!(schema.contains("ebs_block_device") && schema.contains("lifecycle"));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn with(mut self, other: &ConversionSchema) -> ConversionSchema {
        let mut waiting = vec![(0, 0)];
        while let Some((shape, from)) = waiting.pop() {
            let BodyShape { blocks, statics, when, .. } = &other.bodies[from];
            self.bodies[shape].statics.extend(statics.iter().cloned());
            for block in blocks {
                let inner = self.add_block(shape, &block.block_type, Vec::new());
                let shape = &mut self.bodies[shape];
                if let Some(&at) = shape.index.get(&block.block_type) {
                    shape.blocks[at].labels.clone_from(&block.labels);
                }
                waiting.push((inner, block.body));
            }
            for (label, body) in when {
                let inner = self.add_when(shape, label);
                waiting.push((inner, *body));
            }
        }
        self
    }

    /// Whether it does not know any blocks of the root.
    pub(super) fn has_no_blocks(&self) -> bool {
        self.bodies[0].blocks.is_empty()
    }

    pub(crate) fn root(&self) -> Shapes<'_> {
        Shapes { schema: self, layers: vec![0] }
    }

    fn add(&mut self) -> usize {
        self.bodies.push(BodyShape::default());
        self.bodies.len() - 1
    }

    /// The shape of the bodies of a block type, which is added if it is not known.
    fn add_block(&mut self, shape: usize, block_type: &str, labels: Vec<String>) -> usize {
        if let Some(&at) = self.bodies[shape].index.get(block_type) {
            return self.bodies[shape].blocks[at].body;
        }
        let body = self.add();
        let shape = &mut self.bodies[shape];
        shape.index.insert(block_type.to_owned(), shape.blocks.len());
        shape.blocks.push(BlockShape { block_type: block_type.to_owned(), labels, body });
        body
    }

    fn add_when(&mut self, shape: usize, label: &str) -> usize {
        if let Some(&known) = self.bodies[shape].when_index.get(label) {
            return known;
        }
        let body = self.add();
        let shape = &mut self.bodies[shape];
        shape.when_index.insert(label.to_owned(), body);
        shape.when.push((label.to_owned(), body));
        body
    }

    fn write(&self, out: &mut String, shape: usize) {
        let shape = &self.bodies[shape];
        let mut statics: Vec<&String> = shape.statics.iter().collect();
        statics.sort();
        if !statics.is_empty() {
            out.push_str(&format!("static = {}\n", texts(statics)));
        }
        for block in &shape.blocks {
            self.write_block(out, &format!("block {}", quoted(&block.block_type)), &block.labels, block.body);
        }
        for (label, body) in &shape.when {
            self.write_block(out, &format!("when {}", quoted(label)), &[], *body);
        }
    }

    fn write_block(&self, out: &mut String, header: &str, labels: &[String], body: usize) {
        out.extend([header, " {\n"]);
        let start = out.len();
        if !labels.is_empty() {
            out.push_str(&format!("labels = {}\n", texts(labels)));
        }
        with_room(|| self.write(out, body));
        if out.len() == start {
            out.pop();
        }
        out.push_str("}\n");
    }
}

/// A list of texts.
fn texts<'s>(texts: impl IntoIterator<Item = &'s String>) -> Value {
    Value::tuple(texts.into_iter().map(|text| Value::from(text.as_str())))
}

/// The schema as it is read.
impl fmt::Display for ConversionSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, 0);
        f.write_str(&format(&text))
    }
}

struct Reader {
    schema: ConversionSchema,
    diagnostics: Diagnostics,
    /// Nothing to refer to, and one budget for the whole schema.
    scope: Scope<'static>,
}

impl Reader {
    /// Reads what a body says; the labels that blocks have by it.
    fn body(&mut self, body: &Body, shape: usize, of_block: bool) -> Vec<String> {
        let expected = Schema::new().optional("static").block("block", &["type"]).block("when", &["label"]);
        let expected = if of_block { expected.optional("labels") } else { expected };
        let content = body.content(&expected).into_value_reporting_to(&mut self.diagnostics);
        let mut names = |attribute: &str| match content.attribute(attribute) {
            Some(attribute) => self.names(attribute.expression()),
            None => Vec::new(),
        };
        let (statics, labels) = (names("static"), names("labels"));
        self.schema.bodies[shape].statics.extend(statics);
        for block in content.blocks() {
            let name = block.label(0).unwrap_or_default();
            if block.block_type() == "when" {
                let inner = self.schema.add_when(shape, name);
                with_room(|| self.body(block.body(), inner, false));
                continue;
            }
            let inner = self.schema.add_block(shape, name, Vec::new());
            let labels = with_room(|| self.body(block.body(), inner, true));
            let shape = &mut self.schema.bodies[shape];
            if let Some(&at) = shape.index.get(name) {
                shape.blocks[at].labels = labels;
            }
        }
        labels
    }

    fn names(&mut self, expression: &crate::body::Expression) -> Vec<String> {
        let value = expression.evaluate_partially(&self.scope).into_value_reporting_to(&mut self.diagnostics);
        if !value.is_wholly_known() {
            return Vec::new();
        }
        let place = expression.place();
        let list = value.convert(&Type::list(Type::String));
        let names: Option<Vec<String>> =
            list.ok().and_then(|list| list.elements()?.iter().map(|name| name.as_str().map(str::to_owned)).collect());
        names.unwrap_or_else(|| {
            let diagnostic = Diagnostic::error(Code::InvalidSchema, place, "a list of names is required here");
            self.diagnostics.push(diagnostic.with_help("write it as `[\"a\", \"b\"]`"));
            Vec::new()
        })
    }
}
