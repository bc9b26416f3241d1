//! Writes a field of a body: an attribute, a block, or several blocks.
//!
//! The value decides, so a list or a map is undecided until its first element has been written.

use std::mem;

use ::serde::ser::Serialize;

use super::WriteError;
use super::blocks::TupleVariant;
use super::body::{Around, BodyWriter, no_body};
use super::expression::{ExpressionWriter, List, Object};
use super::handover::{Form, form_of, given_value};
use super::kinds::{Entries, Members, Parts, Plain, Receiver, To, deeper, no_labels_here};
use super::text::{key, label, labels};
use crate::typed::wrappers::{
    BLOCK, BLOCKS_BY_LABEL, LABEL_FIELD, LABELED, LABELED_FIELDS, LABELS, LABELS_FIELD, VALUE,
};
use crate::writer::Shape;

/// The required form of an item in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// An attribute, unless it contains a block.
    Open,
    /// A block, or a list of them.
    Block,
    /// A block.
    OneBlock,
    /// A block for a structure or a map, else an attribute.
    Either,
    /// A block; the keys of enclosing maps are its labels.
    ByLabel,
}

/// The form in which an item of a body was written.
pub(super) enum Written {
    /// The field is left out.
    Nothing,
    /// An expression, at the end of the text.
    Expression(Shape),
    /// An empty list or map, which is not written yet.
    Empty(Empty),
    /// Blocks, which are in the body already.
    Blocks,
    /// Labels of the enclosing block.
    Labels(Box<[String]>),
}

/// An empty list or object.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    List,
    Object,
}

impl Empty {
    pub(super) fn text(self) -> &'static str {
        match self {
            Empty::List => "[]",
            Empty::Object => "{}",
        }
    }
}

/// Writes a field or an entry of a body.
pub(super) struct Item<'b> {
    pub body: &'b mut BodyWriter,
    /// The name of the attribute, or the type of the block.
    pub name: &'b str,
    /// The labels from enclosing maps, as a range of all labels.
    labels: (u32, u32),
    mode: Mode,
    /// In how many blocks, lists and objects it is.
    depth: u32,
    /// True if it is in a newtype structure. serde only allows a missing field if the type of the field itself is an
    /// option, so `None` in such a structure is written as null.
    in_newtype: bool,
}

impl<'b> Item<'b> {
    pub(super) fn new(name: &'b str, mode: Mode, body: &'b mut BodyWriter) -> Item<'b> {
        let start = u32::try_from(body.labels.len()).unwrap_or(u32::MAX);
        let depth = body.depth();
        Item { body, name, labels: (start, start), mode, depth, in_newtype: false }
    }

    /// Returns a part that is written in the same way, with an additional label.
    fn part(&mut self, label: Option<&str>) -> Result<Item<'_>, WriteError> {
        let depth = deeper(self.depth, self.body.settings.max_depth)?;
        let (labels, name, mode) = (self.labels, self.name, self.mode);
        let mut part = Item { body: self.body, name, labels, mode, depth, in_newtype: false };
        if let Some(label) = label {
            part.add_label(label.to_owned());
        }
        Ok(part)
    }

    /// Adds a label. Those that parts of it had are gone.
    fn add_label(&mut self, label: String) {
        self.body.labels.truncate(self.labels.1 as usize);
        self.body.labels.push(label);
        self.labels.1 += 1;
    }

    /// Begins an expression.
    fn expression(self) -> ExpressionWriter<'b> {
        self.body.begin_expression(self.name);
        self.writer()
    }

    /// Writes at the end of an expression that was begun.
    fn writer(self) -> ExpressionWriter<'b> {
        let BodyWriter { out, settings, .. } = self.body;
        ExpressionWriter { out, settings: *settings, depth: self.depth }
    }

    fn attribute(
        self,
        kind: &str,
        write: impl FnOnce(ExpressionWriter<'_>) -> Result<Shape, WriteError>,
    ) -> Result<Written, WriteError> {
        match self.may_be_attribute() {
            true => write(self.expression()).map(Written::Expression),
            false => Err(no_body(true, kind)),
        }
    }

    /// Begins the block that it is.
    fn fields(self) -> Result<Block<'b>, WriteError> {
        let depth = deeper(self.depth, self.body.settings.max_depth)?;
        self.body.labels.truncate(self.labels.1 as usize);
        let around = self.body.begin_block(self.name, self.labels.0 as usize, depth)?;
        Ok(Block { body: self.body, around })
    }

    /// Returns the block of a variant, which has the name of the variant as a label.
    fn variant(mut self, variant: &'static str) -> Self {
        self.add_label(variant.to_owned());
        self
    }

    /// Returns true if it may be an attribute whatever its value is.
    fn may_be_attribute(&self) -> bool {
        matches!(self.mode, Mode::Open | Mode::Either)
    }
}

impl<'b> Receiver for Item<'b> {
    type Ok = Written;
    type List = Several<'b>;
    type Map = EntriesSoFar<'b>;
    type Struct = Fields<'b>;

    fn refused(&self, kind: &str) -> WriteError {
        no_body(true, kind)
    }

    // Inlined, because each caller knows the kind, so that only one arm is left.
    #[inline(always)]
    fn plain(self, value: Plain<'_>) -> Result<Written, WriteError> {
        self.attribute(value.kind(), |to| to.plain(value))
    }

    fn none(self) -> Result<Written, WriteError> {
        match (self.body.settings.nulls || self.in_newtype) && self.mode == Mode::Open {
            true => self.unit(),
            false => Ok(Written::Nothing),
        }
    }

    fn unit(self) -> Result<Written, WriteError> {
        match self.mode {
            Mode::Open => self.attribute("null", |to| to.unit()),
            _ => self.fields()?.finish(),
        }
    }

    fn unit_variant(self, variant: &'static str) -> Result<Written, WriteError> {
        match self.may_be_attribute() {
            true => self.plain(Plain::Text(variant)),
            false => self.variant(variant).fields()?.finish(),
        }
    }

    fn newtype<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<Written, WriteError> {
        let is_open = self.mode == Mode::Open;
        match name {
            BLOCK if is_open => value.serialize(To(Item { mode: Mode::Block, ..self })),
            BLOCK => value.serialize(To(self)),
            BLOCKS_BY_LABEL if is_open => value.serialize(To(Item { mode: Mode::ByLabel, ..self })),
            BLOCKS_BY_LABEL => value.serialize(To(self)),
            LABELS if is_open => labels(value).map(|labels| Written::Labels(labels.into())),
            VALUE if !self.may_be_attribute() => {
                let Some(given) = given_value(value) else { return value.serialize(To(self)) };
                let block = self.fields()?;
                block.body.value(&given)?;
                block.finish()
            }
            name if name.starts_with(RESERVED) && self.may_be_attribute() => {
                self.attribute("a value", |to| to.newtype(name, value))
            }
            _ => value.serialize(To(Item { in_newtype: true, ..self })),
        }
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, variant: &'static str, value: &T) -> Result<Written, WriteError> {
        if self.may_be_attribute() {
            return self.attribute("an enum", |to| to.newtype_variant(variant, value));
        }
        if form_of(value) == Form::Plain {
            let mut block = self.fields()?;
            block.field(variant, value)?;
            return block.finish();
        }
        let written = value.serialize(To(Item { mode: Mode::OneBlock, ..self.variant(variant) }));
        written.map_err(|error| error.below_label(variant))
    }

    fn list(self, kind: &'static str, length: Option<usize>) -> Result<Several<'b>, WriteError> {
        match self.mode {
            Mode::Open => {
                self.body.in_list();
                Ok(Several::Undecided(self))
            }
            Mode::Either => self.expression().list(kind, length).map(Several::List),
            Mode::OneBlock => Err(no_body(true, "a list")),
            Mode::Block | Mode::ByLabel => Ok(Several::Blocks(self, 0)),
        }
    }

    fn tuple_variant(self, variant: &'static str, length: usize) -> Result<Several<'b>, WriteError> {
        match self.may_be_attribute() {
            true => self.expression().tuple_variant(variant, length).map(Several::List),
            false => Ok(Several::Variant(self.fields()?, TupleVariant::new(variant))),
        }
    }

    fn map(self, length: Option<usize>) -> Result<EntriesSoFar<'b>, WriteError> {
        // serde does not know the length of a structure with `flatten`.
        let is_structure = length.is_none() && self.labels.0 < self.labels.1;
        let kind = match self.mode {
            Mode::ByLabel if is_structure => EntriesOf::Block(self.fields()?),
            Mode::Open => EntriesOf::Undecided(self),
            Mode::Block | Mode::OneBlock | Mode::Either => EntriesOf::Block(self.fields()?),
            Mode::ByLabel => EntriesOf::ByLabel(self),
        };
        Ok(EntriesSoFar { kind, key: String::new() })
    }

    fn structure(self, name: &'static str, _: usize) -> Result<Fields<'b>, WriteError> {
        match (name, self.mode) {
            (LABELED, _) => Ok(Fields::Labeled(self, Written::Nothing)),
            (_, Mode::Open) => Ok(Fields::Undecided(self)),
            _ => Ok(Fields::Block(self.fields()?)),
        }
    }

    fn struct_variant(self, variant: &'static str, length: usize) -> Result<Fields<'b>, WriteError> {
        match self.may_be_attribute() {
            true => self.expression().struct_variant(variant, length).map(Fields::Object),
            false => Ok(Fields::Block(self.variant(variant).fields()?)),
        }
    }
}

/// The prefix of this crate's names.
const RESERVED: &str = "$hcl_lr::";

/// A block under way.
pub(super) struct Block<'b> {
    body: &'b mut BodyWriter,
    around: Around,
}

impl Block<'_> {
    fn field<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), WriteError> {
        self.body.item(name, value, Mode::Open)
    }

    fn finish(self) -> Result<Written, WriteError> {
        self.body.end_block(self.around)?;
        Ok(Written::Blocks)
    }
}

/// Returns the shape of a written element of a list or object; `None` if it is blocks.
fn as_element(written: Written, item: &mut Item<'_>) -> Result<Option<Shape>, WriteError> {
    let text = match written {
        Written::Expression(shape) => return Ok(Some(shape)),
        Written::Blocks => return Ok(None),
        Written::Labels(_) => return Err(no_labels_here()),
        Written::Nothing => "null",
        Written::Empty(empty) => empty.text(),
    };
    item.body.begin_expression(item.name);
    item.body.out.push(text);
    Ok(Some(if text == "null" { Shape::Plain } else { Shape::Nested }))
}

/// Blocks of one type cannot be mixed with elements of a list.
fn as_blocks(written: Written) -> Result<(), WriteError> {
    match written {
        Written::Blocks => Ok(()),
        Written::Nothing | Written::Empty(_) => Err(no_block()),
        _ => Err(WriteError::new("the elements before this are blocks, and this is no block")
            .help("put it into a `BlockOf`, or take the others out of theirs")),
    }
}

/// Returns the error for missing blocks: a position or label would be missing when it is read.
fn no_block() -> WriteError {
    WriteError::new("an empty element or entry cannot be written as a block").help("leave it out")
}

/// A list under way.
pub(super) enum Several<'b> {
    /// No element has been written.
    Undecided(Item<'b>),
    List(List<'b>),
    Blocks(Item<'b>, usize),
    /// The elements of a variant that becomes an attribute of its block.
    Variant(Block<'b>, TupleVariant),
    /// While it changes.
    Nowhere,
}

impl Parts for Several<'_> {
    type Ok = Written;

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        match self {
            Several::List(list) => list.element(value),
            Several::Blocks(item, count) => {
                // A nested list would be read as a single one.
                let mode = if item.mode == Mode::Block { Mode::OneBlock } else { item.mode };
                let written = value.serialize(To(Item { mode, ..item.part(None)? })).and_then(as_blocks);
                written.map_err(|error| error.below_index(*count))?;
                *count += 1;
                Ok(())
            }
            Several::Undecided(item) => {
                let shape = value.serialize(To(item.part(None)?)).and_then(|written| as_element(written, item));
                let shape = shape.map_err(|error| error.below_index(0))?;
                if let Several::Undecided(item) = mem::replace(self, Several::Nowhere) {
                    *self = match shape {
                        Some(shape) => Several::List(List::continued(shape, item.writer())?),
                        None => Several::Blocks(item, 1),
                    };
                }
                Ok(())
            }
            Several::Variant(block, tuple) => tuple.add(value, block.body.settings),
            Several::Nowhere => Ok(()),
        }
    }

    fn finish(self) -> Result<Written, WriteError> {
        Ok(match self {
            Several::Undecided(item) => {
                item.body.not_in_list();
                Written::Empty(Empty::List)
            }
            Several::List(list) => Written::Expression(list.finish()?),
            Several::Blocks(..) => Written::Blocks,
            Several::Variant(mut block, tuple) => {
                block.field(tuple.name, &tuple.elements)?;
                return block.finish();
            }
            Several::Nowhere => Written::Nothing,
        })
    }
}

/// A map under way.
pub(super) struct EntriesSoFar<'b> {
    kind: EntriesOf<'b>,
    /// The key of the entry whose value comes next.
    key: String,
}

enum EntriesOf<'b> {
    /// No entry has been written.
    Undecided(Item<'b>),
    Object(Object<'b>),
    /// The map is the content of a block.
    Block(Block<'b>),
    /// The keys of the map are labels of blocks.
    Blocks(Item<'b>),
    /// The same, unless the first value shows that the map is the content of a block.
    ByLabel(Item<'b>),
    Nowhere,
}

impl Entries for EntriesSoFar<'_> {
    type Ok = Written;

    fn key<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let is_label = matches!(self.kind, EntriesOf::Blocks(_) | EntriesOf::ByLabel(_));
        self.key = if is_label { label(value)? } else { key(value)? };
        Ok(())
    }

    fn value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = mem::take(&mut self.key);
        if let EntriesOf::ByLabel(_) = self.kind
            && let EntriesOf::ByLabel(item) = mem::replace(&mut self.kind, EntriesOf::Nowhere)
        {
            self.kind = match form_of(value) {
                Form::Plain => EntriesOf::Block(item.fields()?),
                Form::Parts => EntriesOf::Blocks(item),
            };
        }
        match &mut self.kind {
            EntriesOf::Object(object) => object.entry(&key, value),
            EntriesOf::Block(block) => block.field(&key, value),
            EntriesOf::Blocks(item) => {
                let written = value.serialize(To(item.part(Some(&key))?)).and_then(as_blocks);
                written.map_err(|error| error.below_label(&key))
            }
            EntriesOf::Undecided(item) => {
                item.body.in_map(&key);
                let shape = value.serialize(To(item.part(Some(&key))?)).and_then(|written| as_element(written, item));
                let shape = shape.map_err(|error| error.below_name(&key))?;
                if let EntriesOf::Undecided(item) = mem::replace(&mut self.kind, EntriesOf::Nowhere) {
                    self.kind = match shape {
                        Some(_) => EntriesOf::Object(Object::continued(item.writer())?),
                        None => EntriesOf::Blocks(item),
                    };
                }
                Ok(())
            }
            EntriesOf::ByLabel(_) | EntriesOf::Nowhere => Ok(()),
        }
    }

    fn finish(self) -> Result<Written, WriteError> {
        match self.kind {
            EntriesOf::Undecided(_) => Ok(Written::Empty(Empty::Object)),
            EntriesOf::Object(object) => object.end().map(Written::Expression),
            EntriesOf::Block(block) => block.finish(),
            EntriesOf::Blocks(_) | EntriesOf::ByLabel(_) => Ok(Written::Blocks),
            EntriesOf::Nowhere => Ok(Written::Nothing),
        }
    }
}

/// A structure under way.
pub(super) enum Fields<'b> {
    /// No part of it has been written.
    Undecided(Item<'b>),
    Object(Object<'b>),
    Block(Block<'b>),
    /// The labels of a block, and its written value.
    Labeled(Item<'b>, Written),
    Nowhere,
}

impl Members for Fields<'_> {
    type Ok = Written;

    fn field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        if let Fields::Undecided(_) = self
            && let Fields::Undecided(item) = mem::replace(self, Fields::Nowhere)
        {
            *self = match name {
                LABEL_FIELD | LABELS_FIELD => Fields::Block(item.fields()?),
                _ => Fields::Object(item.expression().structure("", 0)?),
            };
        }
        match self {
            Fields::Object(object) => object.field(name, value),
            Fields::Block(block) => block.field(name, value),
            Fields::Labeled(item, _) if name == LABELED_FIELDS[0] => {
                labels(value)?.into_iter().for_each(|label| item.add_label(label));
                Ok(())
            }
            Fields::Labeled(item, written) => {
                let is_one = matches!(item.mode, Mode::OneBlock | Mode::Either);
                let mode = if is_one { Mode::OneBlock } else { Mode::Block };
                *written = value.serialize(To(Item { mode, depth: item.depth, ..item.part(None)? }))?;
                Ok(())
            }
            Fields::Undecided(_) | Fields::Nowhere => Ok(()),
        }
    }

    fn finish(self) -> Result<Written, WriteError> {
        match self {
            Fields::Undecided(_) => Ok(Written::Empty(Empty::Object)),
            Fields::Object(object) => object.end().map(Written::Expression),
            Fields::Block(block) => block.finish(),
            Fields::Labeled(_, written) => Ok(written),
            Fields::Nowhere => Ok(Written::Nothing),
        }
    }
}
