//! Attributes, blocks and values that can be written in a body.
//!
//! There are two sources: a description of the language ([`Knowledge`]), which a schema gives, and the bodies of the same
//! kind that the files of the workspace have already ([`Learned`]).

use std::collections::{BTreeMap, HashMap};

use hcl_lr::model::Type;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode};

use crate::Location;
use crate::workspace::File;

/// The header of a block: its type and labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The type.
    pub block_type: String,
    /// The labels, as far as they are written.
    pub labels: Vec<String>,
}

impl Header {
    /// The header of a block in a file.
    pub fn of(block: hcl_lr::syntax::ast::BlockNode<'_>) -> Header {
        Header {
            block_type: block.block_type().to_owned(),
            labels: block.labels().map(|label| label.text().into_owned()).collect(),
        }
    }
}

/// A body in a file: the blocks around it, and what is known of their attributes.
pub struct BodyAt<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// The blocks around it, from the outermost to its own. Empty for the body of the file.
    pub blocks: &'a [Header],
    /// Returns the constant value of an attribute, as a text: of the body of the block with a number in `blocks`, counted
    /// from 0.
    pub value: &'a dyn Fn(usize, &str) -> Option<String>,
    /// Returns true if an attribute or block with a name is at the top of the file.
    pub has: &'a dyn Fn(&str) -> bool,
}

/// A description of the bodies of a language, such as a schema.
pub trait Knowledge: Send + Sync {
    /// Describes a body. `None` if nothing is known of it.
    fn body(&self, at: &BodyAt<'_>) -> Option<KnownBody>;

    /// Returns what the files of a program state for all of them, such as the sources of providers.
    fn facts(&self, program: &[&hcl_lr::ConfigFile]) -> hcl_lr::schema::Facts {
        let _ = program;
        hcl_lr::schema::Facts::default()
    }

    /// Returns what is wrong in a file by the description, for a program with these [facts](Self::facts).
    fn check(&self, file: &hcl_lr::ConfigFile, facts: &hcl_lr::schema::Facts) -> hcl_lr::diagnostic::Diagnostics {
        let _ = (file, facts);
        hcl_lr::diagnostic::Diagnostics::new()
    }

    /// Returns the description with contents from a catalog, such as the schemas of providers. `None` if it takes none.
    fn with_catalog(
        &self,
        catalog: &std::sync::Arc<dyn hcl_lr::schema::Catalog>,
    ) -> Option<std::sync::Arc<dyn Knowledge>> {
        let _ = catalog;
        None
    }

    /// Returns true if a file is in the language by its name.
    fn has_file(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Returns the name of the description.
    fn name(&self) -> &str;
}

/// The description of a body.
#[derive(Clone, Debug, Default)]
pub struct KnownBody {
    /// The attributes.
    pub attributes: Vec<KnownAttribute>,
    /// The blocks.
    pub blocks: Vec<KnownBlock>,
    /// True if there may be others.
    pub is_open: bool,
    /// A description of the body as a whole.
    pub description: Option<String>,
    /// The place of the description.
    pub place: Option<Location>,
}

impl KnownBody {
    /// Returns the description of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&KnownAttribute> {
        self.attributes.iter().find(|one| one.name == name)
    }

    /// Returns the description of a type of block.
    pub fn block(&self, block_type: &str) -> Option<&KnownBlock> {
        self.blocks.iter().find(|one| one.name == block_type)
    }
}

/// The description of an attribute.
#[derive(Clone, Debug, Default)]
pub struct KnownAttribute {
    /// The name.
    pub name: String,
    /// The type as it is shown, such as `list(string)`.
    pub type_text: Option<String>,
    /// The type, as far as it is one of values.
    pub ty: Option<Type>,
    /// A description, in Markdown.
    pub description: Option<String>,
    /// True if it must be set.
    pub is_required: bool,
    /// True if it cannot be set, but only referred to.
    pub is_read_only: bool,
    /// True if it is about the block, and not part of the value of the block.
    pub is_meta: bool,
    /// True if its value must not be shown.
    pub is_sensitive: bool,
    /// The reason why it should not be used any more.
    pub deprecated: Option<String>,
    /// The default, as it is written.
    pub default: Option<String>,
    /// The values it can have, as they are written, with descriptions.
    pub values: Vec<KnownValue>,
    /// The place of the description.
    pub place: Option<Location>,
}

/// A value that can be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownValue {
    /// The text, with quotes if it is a string.
    pub text: String,
    /// A description, in Markdown.
    pub description: Option<String>,
}

/// The description of a type of block.
#[derive(Clone, Debug, Default)]
pub struct KnownBlock {
    /// The type.
    pub name: String,
    /// The labels.
    pub labels: Vec<KnownLabel>,
    /// A description, in Markdown.
    pub description: Option<String>,
    /// The reason why it should not be used any more.
    pub deprecated: Option<String>,
    /// The number of blocks that there must be.
    pub min: u64,
    /// The number of blocks that there may be.
    pub max: Option<u64>,
    /// The attributes that must be set in it.
    pub required: Vec<String>,
    /// The place of the description.
    pub place: Option<Location>,
}

/// The description of a label.
#[derive(Clone, Debug, Default)]
pub struct KnownLabel {
    /// The name of the label.
    pub name: String,
    /// The values it can have, without quotes; any, if there are none.
    pub values: Vec<KnownValue>,
}

/// The attributes and blocks that a file uses, by the kind of the body.
#[derive(Debug, Default)]
pub struct Learned {
    bodies: HashMap<String, LearnedBody>,
}

/// The attributes and blocks that bodies of a kind have.
#[derive(Debug, Default)]
pub struct LearnedBody {
    /// Attributes, with the number of their uses and an example of a value.
    pub attributes: BTreeMap<String, LearnedAttribute>,
    /// Types of blocks with the labels that they have.
    pub blocks: BTreeMap<String, LearnedBlock>,
}

/// The uses of an attribute.
#[derive(Clone, Debug, Default)]
pub struct LearnedAttribute {
    /// The number of uses.
    pub uses: u32,
    /// Constant values with the number of their uses.
    pub values: BTreeMap<String, u32>,
    /// References that the values consist of, with the number of their uses.
    pub references: BTreeMap<String, u32>,
    /// Functions that the values call first, with the number of their uses.
    pub calls: BTreeMap<String, u32>,
}

/// The uses of a type of block.
#[derive(Clone, Debug, Default)]
pub struct LearnedBlock {
    /// The number of uses.
    pub uses: u32,
    /// For each label, its values with the number of their uses.
    pub labels: Vec<BTreeMap<String, u32>>,
}

/// No more values are kept of one attribute or label in one file.
const MAX_VALUES: usize = 200;

/// Longer values are not offered elsewhere.
const MAX_VALUE: usize = 60;

/// The name of the kind of a body. Bodies of blocks of the same types are of one kind; of the labels, only the first one of
/// the outermost block matters, if there are more: it says what kind of thing the block is.
pub(crate) fn kind_of(blocks: &[Header]) -> String {
    let mut kind = String::new();
    for (depth, block) in blocks.iter().enumerate() {
        kind += &block.block_type;
        if depth == 0 && block.labels.len() > 1 {
            kind.push(' ');
            kind += &block.labels[0];
        }
        kind.push('/');
    }
    kind
}

impl Learned {
    pub(crate) fn of(file: &File) -> Learned {
        let mut learned = Learned::default();
        if let Some(native) = file.native() {
            let mut waiting: Vec<(BodyNode<'_>, Vec<Header>)> = vec![(native.body(), Vec::new())];
            while let Some((body, blocks)) = waiting.pop() {
                let known = learned.bodies.entry(kind_of(&blocks)).or_default();
                for item in body.items() {
                    match item {
                        BodyItem::Attribute(attribute) => {
                            let one = known.attributes.entry(attribute.name().to_owned()).or_default();
                            one.uses += 1;
                            one.learn(attribute.expression());
                        }
                        BodyItem::Block(block) => {
                            let header = Header::of(block);
                            let one = known.blocks.entry(header.block_type.clone()).or_default();
                            one.uses += 1;
                            for (at, label) in header.labels.iter().enumerate() {
                                if one.labels.len() <= at {
                                    one.labels.push(BTreeMap::new());
                                }
                                count(&mut one.labels[at], label);
                            }
                            waiting.push((block.body(), blocks.iter().cloned().chain([header]).collect()));
                        }
                        _ => {}
                    }
                }
            }
        }
        learned
    }

    /// Returns what the file has in bodies of a kind.
    pub(crate) fn body(&self, kind: &str) -> Option<&LearnedBody> {
        self.bodies.get(kind)
    }

    /// Returns the bodies.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &LearnedBody> {
        self.bodies.values()
    }
}

impl LearnedAttribute {
    fn learn(&mut self, expression: ExpressionNode<'_>) {
        let text = expression.text();
        match expression.kind() {
            ExpressionKind::Traversal(_) if text.len() <= MAX_VALUE => count(&mut self.references, text),
            ExpressionKind::FunctionCall(call) => count(&mut self.calls, &call.name()),
            ExpressionKind::Bool(_) | ExpressionKind::Number(_) if text.len() <= MAX_VALUE => {
                count(&mut self.values, text)
            }
            ExpressionKind::Template(template)
                if text.len() <= MAX_VALUE && !template.is_heredoc() && template.as_text().is_some() =>
            {
                count(&mut self.values, text);
            }
            _ => {}
        }
    }

    pub(crate) fn add(&mut self, other: &LearnedAttribute) {
        self.uses += other.uses;
        for (to, from) in [
            (&mut self.values, &other.values),
            (&mut self.references, &other.references),
            (&mut self.calls, &other.calls),
        ] {
            for (text, uses) in from {
                *to.entry(text.clone()).or_default() += uses;
            }
        }
    }
}

fn count(uses: &mut BTreeMap<String, u32>, text: &str) {
    if let Some(known) = uses.get_mut(text) {
        *known += 1;
    } else if uses.len() < MAX_VALUES {
        uses.insert(text.to_owned(), 1);
    }
}
