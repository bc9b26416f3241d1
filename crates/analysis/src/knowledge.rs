//! The possible attributes, blocks and values of a body.
//!
//! There are two sources: the [`description`](crate::description) of the language by its schema, and the
//! existing bodies of the same kind in the workspace ([`Learned`]).

use std::collections::{BTreeMap, BTreeSet};

use hcl_lr::ConfigFile;
use hcl_lr::model::Type;
use hcl_lr::model::hidden::is_secret_name;
use hcl_lr::source::Span;
use hcl_lr::syntax::ast::{BodyItem, BodyNode, ExpressionKind, ExpressionNode, FunctionCall, Visitor, Walk};
use hcl_lr_language::definitions::Roles;

use crate::Location;
use crate::secrets::{has_secrets, is_input, is_sensitive, sensitive_names};
use crate::tables::HashMap;

/// The header of a block: its type and labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The type.
    pub block_type: String,
    /// The labels that are already there.
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

/// A body in a file: the blocks around it, and the known values of their attributes.
pub struct BodyAt<'a> {
    /// The path of the file.
    pub path: &'a str,
    /// The blocks around it, from the outermost to its own. Empty for the body of the file.
    pub blocks: &'a [Header],
    /// Returns the constant text of an attribute in the body of a block, given by its index in `blocks`.
    pub value: &'a dyn Fn(usize, &str) -> Option<String>,
    /// Returns true if an attribute or block with a name is at the top of the file, in a form of `has_at_top`.
    pub has: &'a dyn Fn(&str) -> bool,
}

/// The description of a body.
#[derive(Clone, Debug, Default)]
pub struct KnownBody {
    /// The attributes.
    pub attributes: Vec<KnownAttribute>,
    /// The blocks.
    pub blocks: Vec<KnownBlock>,
    /// True if others are allowed.
    pub is_open: bool,
    /// A description of the body as a whole.
    pub description: Option<String>,
    /// The place of the description.
    pub place: Option<Location>,
}

impl KnownBody {
    /// Returns the description of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&KnownAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Returns the description of a type of block.
    pub fn block(&self, block_type: &str) -> Option<&KnownBlock> {
        self.blocks.iter().find(|block| block.name == block_type)
    }
}

/// The description of an attribute.
#[derive(Clone, Debug, Default)]
pub struct KnownAttribute {
    /// The name.
    pub name: String,
    /// The type as text, such as `list(string)`.
    pub type_text: Option<String>,
    /// The type, if it is a type of values.
    pub ty: Option<Type>,
    /// The type in the schema.
    pub schema_type: Option<hcl_lr_language::schema::Type>,
    /// A description, in Markdown.
    pub description: Option<String>,
    /// True if it is required.
    pub is_required: bool,
    /// True if it can only be read.
    pub is_read_only: bool,
    /// True if it configures the block and is not part of the block's value.
    pub is_meta: bool,
    /// True if the value must not be shown.
    pub is_sensitive: bool,
    /// The reason why it should no longer be used.
    pub deprecated: Option<String>,
    /// The default in HCL notation.
    pub default: Option<String>,
    /// The possible values in HCL notation, with descriptions.
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
    /// The reason why it should no longer be used.
    pub deprecated: Option<String>,
    /// The minimum number of blocks.
    pub min: u64,
    /// The maximum number of blocks.
    pub max: Option<u64>,
    /// True if it configures the block around it and is not part of the block's value.
    pub is_meta: bool,
    /// Its required attributes.
    pub required: Vec<KnownAttribute>,
    /// The place of the description.
    pub place: Option<Location>,
}

/// The description of a label.
#[derive(Clone, Debug, Default)]
pub struct KnownLabel {
    /// A description, in Markdown.
    pub description: Option<String>,
    /// The name of the label.
    pub name: String,
    /// The possible values, without quotes; any value if empty.
    pub values: Vec<KnownValue>,
    /// True if no others are allowed.
    pub is_closed: bool,
    /// True if a catalog has the values, and nothing of it is known.
    pub lacks_catalog: bool,
}

/// The attributes and blocks used in a file, by the kind of the body.
#[derive(Debug, Default)]
pub struct Learned {
    bodies: HashMap<String, LearnedBody>,
    /// The attributes of bodies of related kinds, such as those of all resources of a provider, with the number of
    /// their uses.
    families: HashMap<String, BTreeMap<String, u32>>,
    /// Functions with the number of their calls.
    functions: BTreeMap<String, u32>,
    /// For each function and argument index, such as `lookup 0`, the functions and references that make up the
    /// argument, with the number of their uses.
    arguments: HashMap<String, BTreeMap<String, u32>>,
    /// The names of definitions that the file declares sensitive. Attributes with these names set their values
    /// elsewhere.
    sensitive_names: BTreeSet<String>,
    /// The constants in the blocks of inputs, with the names of the inputs. Another file may declare them sensitive.
    of_inputs: BTreeSet<(String, String)>,
}

/// The attributes and blocks of bodies of a kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LearnedBody {
    /// The number of bodies.
    pub bodies: u32,
    /// Attributes, with the number of their uses and an example of a value.
    pub attributes: BTreeMap<String, LearnedAttribute>,
    /// Types of blocks with their labels.
    pub blocks: BTreeMap<String, LearnedBlock>,
    /// Attributes and types of blocks, each with its successors and the number of times. The empty name stands for the
    /// start and the end of the body.
    pub next: BTreeMap<String, BTreeMap<String, u32>>,
}

/// The uses of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedAttribute {
    /// The number of uses.
    pub uses: u32,
    /// Constant values with the number of their uses.
    pub values: BTreeMap<String, u32>,
    /// References that make up the values or their elements, with the number of their uses.
    pub references: BTreeMap<String, u32>,
    /// Outermost functions of the values, with the number of their uses.
    pub calls: BTreeMap<String, u32>,
}

/// The uses of a type of block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedBlock {
    /// The number of uses.
    pub uses: u32,
    /// For each label, its values with the number of their uses.
    pub labels: Vec<BTreeMap<String, u32>>,
}

/// The maximum number of values to keep for one attribute or label in one file.
const MAX_VALUES: usize = 200;

/// The maximum number of names with successors to keep for bodies of one kind in one file.
const MAX_NAMES: usize = 1_000;

/// The maximum length of a value to offer elsewhere.
const MAX_VALUE: usize = 60;

/// Returns the name of the kind of a body. It consists of the types of the blocks, and of the first label of the
/// outermost block if there are more labels: it says what kind of thing the block is.
pub(crate) fn kind_of(blocks: &[Header]) -> String {
    let mut kind = String::new();
    for (depth, block) in blocks.iter().enumerate() {
        kind = with_block(kind, depth.checked_sub(1).map(|outer| &blocks[outer]), block);
    }
    kind
}

/// Returns the name of the kind of a body in a block, given the kind of the enclosing body and its block. A block
/// generated by `dynamic` has the type in the label.
fn with_block(mut kind: String, outer: Option<&Header>, block: &Header) -> String {
    if let Some(outer) = outer.filter(|outer| outer.block_type == "dynamic" && block.block_type == "content")
        && let (Some(label), Some(around)) = (outer.labels.first(), kind.strip_suffix("dynamic/"))
    {
        return format!("{around}{label}/");
    }
    let is_outermost = kind.is_empty();
    kind += &block.block_type;
    if is_outermost && block.labels.len() > 1 {
        kind.push(' ');
        kind += &block.labels[0];
    }
    kind.push('/');
    kind
}

/// Returns the name of a family of kinds: blocks of the same types whose first labels begin with the same word, like
/// the resources of a provider. `None` if there is no such label.
pub(crate) fn family_of(blocks: &[Header]) -> Option<String> {
    let outer = blocks.first().filter(|outer| outer.labels.len() > 1)?;
    let (word, _) = outer.labels[0].split_once('_')?;
    let mut family = format!("{} {word}/", outer.block_type);
    for pair in blocks.windows(2) {
        family = with_block(family, Some(&pair[0]), &pair[1]);
    }
    family.pop();
    Some(family)
}

/// The calls of functions in a file.
struct Calls<'l>(&'l mut Learned);

impl<'t> Visitor<'t> for Calls<'_> {
    fn visit_expression(&mut self, expression: ExpressionNode<'t>) -> Walk {
        let ExpressionKind::FunctionCall(call) = expression.kind() else { return Walk::Into };
        let name = call.name();
        count(&mut self.0.functions, &name);
        count(self.0.arguments.entry(shape_key(call)).or_default(), &name);
        // Later arguments tell little.
        for (number, argument) in call.arguments().enumerate().take(4) {
            let text = match argument.kind() {
                ExpressionKind::FunctionCall(inner) => format!("{}(", inner.name()),
                ExpressionKind::Traversal(_) if argument.text().len() <= MAX_VALUE => {
                    argument.text().split(['.', '[']).take(2).collect::<Vec<_>>().join(".")
                }
                _ => continue,
            };
            count(self.0.arguments.entry(argument_key(&name, number)).or_default(), &text);
        }
        Walk::Into
    }
}

/// Returns the name of the shape of a call: the number of its arguments, and the forms of the first two.
pub(crate) fn shape_key(call: FunctionCall<'_>) -> String {
    let form = |argument: ExpressionNode<'_>| match argument.kind() {
        ExpressionKind::Template(template) if template.is_heredoc() => "heredoc".to_owned(),
        ExpressionKind::Template(template) => match template.as_text() {
            Some(text) if text.contains('/') => "path".to_owned(),
            Some(_) => "text".to_owned(),
            None if argument.text().starts_with("\"${path.") => "path".to_owned(),
            None => "template".to_owned(),
        },
        ExpressionKind::Number(_) => "number".to_owned(),
        ExpressionKind::Bool(_) | ExpressionKind::Null => "constant".to_owned(),
        ExpressionKind::Tuple(_) => "list".to_owned(),
        ExpressionKind::Object(_) => "object".to_owned(),
        ExpressionKind::For(_) => argument.text().get(..1).unwrap_or_default().to_owned() + "for",
        ExpressionKind::FunctionCall(call) => format!("{}(", call.name()),
        ExpressionKind::Binary(_) | ExpressionKind::Unary(_) => "operation".to_owned(),
        _ => "other".to_owned(),
    };
    let forms: Vec<String> = call.arguments().take(2).map(form).collect();
    format!("{}: {}", call.arguments().count(), forms.join(", "))
}

/// Returns the name of an argument of a function.
pub(crate) fn argument_key(function: &str, number: usize) -> String {
    format!("{function} {number}")
}

impl Learned {
    /// Learns from a file. Values at the sensitive places, which are in source order, are left out.
    pub(crate) fn of(document: &ConfigFile, sensitive: &[Span], roles: &Roles) -> Learned {
        let mut learned = Learned { sensitive_names: sensitive_names(document, roles), ..Learned::default() };
        let ConfigFile::Native(native) = document else { return learned };
        native.body().walk(&mut Calls(&mut learned));
        // Each body with the names of its kind and family, and the header of its block.
        let mut waiting: Vec<(BodyNode<'_>, String, Option<String>, Option<Header>)> =
            vec![(native.body(), String::new(), None, None)];
        while let Some((body, kind, family, outer)) = waiting.pop() {
            let known = learned.bodies.entry(kind.clone()).or_default();
            known.bodies += 1;
            let mut in_family = family.clone().map(|family| learned.families.entry(family).or_default());
            let is_secret = is_sensitive(body)
                || outer.as_ref().is_some_and(|header| has_secrets(&header.block_type, &header.labels, roles));
            let input = outer
                .as_ref()
                .filter(|header| is_input(&header.block_type, roles))
                .and_then(|header| header.labels.last())
                .cloned();
            let mut previous = "";
            let ends = body.items().filter(|item| !matches!(item, BodyItem::Error(_))).map(Some).chain([None]);
            for item in ends {
                let Some(item) = item else {
                    count_next(known, previous, "");
                    continue;
                };
                let name = match item {
                    BodyItem::Attribute(attribute) => attribute.name(),
                    BodyItem::Block(block) => block.block_type(),
                    _ => continue,
                };
                count_next(known, previous, name);
                previous = name;
                match item {
                    BodyItem::Attribute(attribute) => {
                        let entry = known.attributes.entry(attribute.name().to_owned()).or_default();
                        entry.uses += 1;
                        if let Some(family) = &mut in_family {
                            count(family, attribute.name());
                        }
                        let expression = attribute.expression();
                        if let Some(name) = input.as_ref().filter(|_| expression.text().len() <= MAX_VALUE) {
                            learned.of_inputs.insert((name.clone(), expression.text().to_owned()));
                        }
                        entry.learn(expression, || {
                            is_secret
                                || is_secret_name(attribute.name())
                                || sensitive.binary_search(&expression.span()).is_ok()
                        });
                    }
                    BodyItem::Block(block) => {
                        let entry = known.blocks.entry(block.block_type().to_owned()).or_default();
                        entry.uses += 1;
                        let header = Header::of(block);
                        for (at, label) in header.labels.iter().enumerate() {
                            if entry.labels.len() <= at {
                                entry.labels.push(BTreeMap::new());
                            }
                            count(&mut entry.labels[at], label);
                        }
                        let inner = with_block(kind.clone(), outer.as_ref(), &header);
                        let family = match (&family, kind.is_empty()) {
                            (Some(family), _) => Some(with_block(format!("{family}/"), outer.as_ref(), &header)),
                            (None, true) => family_of(std::slice::from_ref(&header)).map(|family| family + "/"),
                            (None, false) => None,
                        };
                        let family = family.map(|family| family.trim_end_matches('/').to_owned());
                        waiting.push((block.body(), inner, family, Some(header)));
                    }
                    _ => {}
                }
            }
        }
        learned
    }

    /// Returns the learned contents of bodies of a kind.
    pub(crate) fn body(&self, kind: &str) -> Option<&LearnedBody> {
        self.bodies.get(kind)
    }

    /// Returns the attributes of bodies of related kinds.
    pub(crate) fn families(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, u32>)> {
        self.families.iter().map(|(family, attributes)| (family.as_str(), attributes))
    }

    /// Returns the attributes of bodies of a family.
    pub(crate) fn family(&self, family: &str) -> Option<&BTreeMap<String, u32>> {
        self.families.get(family)
    }

    /// Returns the uses of an argument of a function.
    pub(crate) fn argument(&self, key: &str) -> Option<&BTreeMap<String, u32>> {
        self.arguments.get(key)
    }

    /// Returns the names of definitions that the file declares sensitive.
    pub(crate) fn sensitive_names(&self) -> &BTreeSet<String> {
        &self.sensitive_names
    }

    /// Returns the constants in the blocks of inputs, with the names of the inputs.
    pub(crate) fn of_inputs(&self) -> &BTreeSet<(String, String)> {
        &self.of_inputs
    }

    /// Returns the called functions.
    pub(crate) fn functions(&self) -> &BTreeMap<String, u32> {
        &self.functions
    }

    /// Returns the arguments of functions.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, u32>)> {
        self.arguments.iter().map(|(argument, uses)| (argument.as_str(), uses))
    }

    /// Returns the bodies with their kinds.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (&str, &LearnedBody)> {
        self.bodies.iter().map(|(kind, body)| (kind.as_str(), body))
    }
}

impl LearnedBody {
    /// Adds the predecessors of a name, with the number of times.
    pub(crate) fn add_before(&self, next: &str, to: &mut BTreeMap<String, u32>) {
        for (previous, names) in &self.next {
            if let Some(uses) = names.get(next) {
                *to.entry(previous.clone()).or_default() += uses;
            }
        }
    }

    pub(crate) fn add(&mut self, other: &LearnedBody) {
        self.bodies += other.bodies;
        for (name, attribute) in &other.attributes {
            self.attributes.entry(name.clone()).or_default().add(attribute);
        }
        for (previous, names) in &other.next {
            add(self.next.entry(previous.clone()).or_default(), names);
        }
        for (name, block) in &other.blocks {
            let known = self.blocks.entry(name.clone()).or_default();
            known.uses += block.uses;
            if known.labels.len() < block.labels.len() {
                known.labels.resize_with(block.labels.len(), BTreeMap::new);
            }
            for (known, labels) in known.labels.iter_mut().zip(&block.labels) {
                for (label, uses) in labels {
                    *known.entry(label.clone()).or_default() += uses;
                }
            }
        }
    }

    /// Subtracts a previous addition.
    pub(crate) fn remove(&mut self, other: &LearnedBody) {
        self.bodies = self.bodies.saturating_sub(other.bodies);
        for (name, attribute) in &other.attributes {
            if let Some(known) = self.attributes.get_mut(name) {
                known.remove(attribute);
                if known.uses == 0 {
                    self.attributes.remove(name);
                }
            }
        }
        for (previous, names) in &other.next {
            if let Some(known) = self.next.get_mut(previous) {
                names.iter().for_each(|(name, uses)| discount(known, name, *uses));
                if known.is_empty() {
                    self.next.remove(previous);
                }
            }
        }
        for (name, block) in &other.blocks {
            let Some(known) = self.blocks.get_mut(name) else { continue };
            known.uses = known.uses.saturating_sub(block.uses);
            for (known, labels) in known.labels.iter_mut().zip(&block.labels) {
                labels.iter().for_each(|(label, uses)| discount(known, label, *uses));
            }
            while known.labels.last().is_some_and(BTreeMap::is_empty) {
                known.labels.pop();
            }
            if known.uses == 0 {
                self.blocks.remove(name);
            }
        }
    }
}

impl LearnedAttribute {
    /// Learns a value; a constant only if it need not be hidden.
    fn learn(&mut self, expression: ExpressionNode<'_>, hides: impl FnOnce() -> bool) {
        let text = expression.text();
        match expression.kind() {
            ExpressionKind::Traversal(_) if text.len() <= MAX_VALUE => count(&mut self.references, text),
            ExpressionKind::FunctionCall(call) => count(&mut self.calls, &call.name()),
            ExpressionKind::Tuple(tuple) => {
                let elements = tuple.elements().take(MAX_VALUES);
                let references = elements.filter(|element| matches!(element.kind(), ExpressionKind::Traversal(_)));
                let short = references.map(|element| element.text()).filter(|text| text.len() <= MAX_VALUE);
                short.for_each(|text| count(&mut self.references, text));
            }
            kind => {
                let is_constant = match kind {
                    ExpressionKind::Bool(_) | ExpressionKind::Number(_) => true,
                    ExpressionKind::Template(template) => !template.is_heredoc() && template.as_text().is_some(),
                    _ => false,
                };
                if text.len() <= MAX_VALUE && is_constant && !hides() {
                    count(&mut self.values, text);
                }
            }
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

    /// Subtracts a previous addition.
    pub(crate) fn remove(&mut self, other: &LearnedAttribute) {
        self.uses = self.uses.saturating_sub(other.uses);
        for (from, uses) in [
            (&mut self.values, &other.values),
            (&mut self.references, &other.references),
            (&mut self.calls, &other.calls),
        ] {
            uses.iter().for_each(|(text, uses)| discount(from, text, *uses));
        }
    }
}

/// Adds uses to others.
pub(crate) fn add(to: &mut BTreeMap<String, u32>, from: &BTreeMap<String, u32>) {
    for (text, uses) in from {
        *to.entry(text.clone()).or_default() += uses;
    }
}

/// Subtracts uses of a text.
pub(crate) fn discount(all: &mut BTreeMap<String, u32>, text: &str, uses: u32) {
    if let Some(known) = all.get_mut(text) {
        *known = known.saturating_sub(uses);
        if *known == 0 {
            all.remove(text);
        }
    }
}

fn count_next(body: &mut LearnedBody, previous: &str, name: &str) {
    if let Some(names) = body.next.get_mut(previous) {
        count(names, name);
    } else if body.next.len() < MAX_NAMES {
        body.next.insert(previous.to_owned(), BTreeMap::from([(name.to_owned(), 1)]));
    }
}

fn count(uses: &mut BTreeMap<String, u32>, text: &str) {
    if let Some(known) = uses.get_mut(text) {
        *known += 1;
    } else if uses.len() < MAX_VALUES {
        uses.insert(text.to_owned(), 1);
    }
}
