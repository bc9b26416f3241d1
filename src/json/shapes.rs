//! The block types that an application expects in JSON, and their labels.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write};

use crate::sorting::sort_by;
use crate::stack::with_room;
use crate::syntax::ast::{self, BodyItem};
use crate::writer::quoted;

/// Lines are not indented further than so many levels: else the text of deep nesting would be longer
/// by the square of its depth.
pub(crate) const MAX_INDENT: usize = 100;

/// The blocks that an application knows, with their labels, and the arguments that it reads without evaluating them. It
/// is written in HCL:
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
/// use hcl_lr::convert::ConversionSchema;
/// use hcl_lr::parse;
///
/// let schema = parse::<ConversionSchema>("block \"service\" {\n  labels = [\"name\"]\n}\n").into_result()?;
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

/// The known facts about a body: a few shapes, of which the last that knows a name counts.
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
        // Empty shapes are left out, so that names are not looked up in them.
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

impl Default for ConversionSchema {
    fn default() -> Self {
        ConversionSchema { bodies: vec![BodyShape::default()] }
    }
}

impl ConversionSchema {
    /// Returns the blocks that a path of names leads through, each as its type and its labels. The names after them lead
    /// to something in the body of the last one. Fewer labels than the schema asks for are those that the path has.
    ///
    /// ```
    /// use hcl_lr::convert::ConversionSchema;
    ///
    /// let path = ["resource", "aws_instance", "web", "lifecycle", "prevent_destroy"];
    /// let blocks = ConversionSchema::terraform().blocks_on_path(&path);
    /// assert_eq!(blocks, [("resource", vec!["aws_instance", "web"]), ("lifecycle", vec![])]);
    /// ```
    pub fn blocks_on_path<'n>(&self, names: &[&'n str]) -> Vec<(&'n str, Vec<&'n str>)> {
        let (mut blocks, mut shapes, mut rest) = (Vec::new(), self.root(), names);
        while let Some((name, after)) = rest.split_first() {
            let Some(block) = shapes.block(name) else { break };
            let (labels, within) = after.split_at(block.labels.len().min(after.len()));
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

    /// The schema that distinguishes the blocks of a file in native syntax from its attributes. If
    /// the same block type has different numbers of labels in places that a schema cannot tell apart,
    /// the first counts.
    ///
    /// ```
    /// use hcl_lr::convert::ConversionSchema;
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a \"x\" {\n  b {}\n}\nc = 1\n").into_result()?;
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
    /// use hcl_lr::convert::ConversionSchema;
    /// use hcl_lr::parse;
    ///
    /// let text = "block \"resource\" {\n  labels = [\"type\", \"name\"]\n  when \"aws_instance\" {\n    block \"ebs_block_device\" {}\n  }\n}\n";
    /// let mine = parse::<ConversionSchema>(text).into_result()?;
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
                self.set_labels(shape, &block.block_type, block.labels.clone());
                waiting.push((inner, block.body));
            }
            for (label, body) in when {
                let inner = self.add_when(shape, label);
                waiting.push((inner, *body));
            }
        }
        self
    }

    /// Returns true if it does not know any blocks of the root.
    pub(crate) fn has_no_blocks(&self) -> bool {
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
    pub(crate) fn add_block(&mut self, shape: usize, block_type: &str, labels: Vec<String>) -> usize {
        if let Some(&at) = self.bodies[shape].index.get(block_type) {
            return self.bodies[shape].blocks[at].body;
        }
        let body = self.add();
        let shape = &mut self.bodies[shape];
        shape.index.insert(block_type.to_owned(), shape.blocks.len());
        shape.blocks.push(BlockShape { block_type: block_type.to_owned(), labels, body });
        body
    }

    pub(crate) fn add_when(&mut self, shape: usize, label: &str) -> usize {
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
    pub(crate) fn add_statics(&mut self, shape: usize, names: Vec<String>) {
        self.bodies[shape].statics.extend(names);
    }

    /// Says what the labels of a block type that is known are called.
    pub(crate) fn set_labels(&mut self, shape: usize, block_type: &str, labels: Vec<String>) {
        let shape = &mut self.bodies[shape];
        if let Some(&at) = shape.index.get(block_type) {
            shape.blocks[at].labels = labels;
        }
    }

    fn write(&self, f: &mut String, shape: usize, depth: usize) -> fmt::Result {
        let shape = &self.bodies[shape];
        let indent = 2 * depth.min(MAX_INDENT);
        let mut statics: Vec<&String> = shape.statics.iter().collect();
        sort_by(&mut statics, |a, b| a.cmp(b));
        if !statics.is_empty() {
            writeln!(f, "{:indent$}static = {}", "", list(statics))?;
        }
        for block in &shape.blocks {
            self.write_block(f, &format!("block {}", quoted(&block.block_type)), &block.labels, block.body, depth)?;
        }
        for (label, body) in &shape.when {
            self.write_block(f, &format!("when {}", quoted(label)), &[], *body, depth)?;
        }
        Ok(())
    }

    fn write_block(&self, f: &mut String, header: &str, labels: &[String], body: usize, depth: usize) -> fmt::Result {
        let indent = 2 * depth.min(MAX_INDENT);
        let BodyShape { blocks, statics, when, .. } = &self.bodies[body];
        if labels.is_empty() && blocks.is_empty() && statics.is_empty() && when.is_empty() {
            return writeln!(f, "{:indent$}{header} {{}}", "");
        }
        writeln!(f, "{:indent$}{header} {{", "")?;
        if !labels.is_empty() {
            writeln!(f, "{:indent$}  labels = {}", "", list(labels))?;
        }
        with_room(|| self.write(f, body, depth + 1))?;
        writeln!(f, "{:indent$}}}", "")
    }
}

/// Names as a list in the language.
fn list<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(", "))
}

/// The schema as it is read.
impl fmt::Display for ConversionSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, 0, 0)?;
        f.write_str(&text)
    }
}
