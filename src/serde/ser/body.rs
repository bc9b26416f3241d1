//! Bodies: that of a file, and those of blocks.

use std::any::type_name;

use ::serde::ser::{Impossible, Serialize, SerializeMap, SerializeStruct, Serializer};

use super::blocks::{VariantBlock, VariantBlocks, VariantFields, Variants};
use super::handover::given_value;
use super::item::{Item, Mode, Written};
use super::kinds::refuse;
use super::text::{KEY, LABEL, LabelList};
use super::{Settings, WriteError};
use crate::build::{NewBlock, NewBody, NewExpression};
use crate::model::Value;
use crate::serde::wrappers::{
    BLOCK, BLOCKS_BY_LABEL, BLOCKS_FIELD, BlockOf, LABEL_FIELD, LABELED, LABELS_FIELD, Labeled, VALUE,
};
use crate::syntax::is_identifier;

/// A body under way, and the labels of its block.
pub(super) struct BodyWriter {
    body: NewBody,
    /// Nothing for the body of a file.
    labels: Option<Vec<String>>,
    /// The key of the entry whose value comes next.
    key: String,
    /// Where expressions are written.
    pub text: String,
    pub settings: Settings,
    /// In how many blocks it is.
    pub depth: u32,
}

impl BodyWriter {
    pub(super) fn of_file(settings: Settings) -> Self {
        BodyWriter { body: NewBody::new(), labels: None, key: String::new(), text: String::new(), settings, depth: 0 }
    }

    /// The body of a block at a depth.
    pub(super) fn of_block(settings: Settings, depth: u32) -> Self {
        BodyWriter { labels: Some(Vec::new()), depth, ..BodyWriter::of_file(settings) }
    }

    /// Writes what a field or an entry stands for.
    pub(super) fn item<T: ?Sized + Serialize>(&mut self, name: &str, value: &T, mode: Mode) -> Result<(), WriteError> {
        self.unplaced_item(name, value, mode).map_err(|error| error.below_name(name))
    }

    fn unplaced_item<T: ?Sized + Serialize>(&mut self, name: &str, value: &T, mode: Mode) -> Result<(), WriteError> {
        let written = match name {
            LABEL_FIELD => Written::Labels(vec![value.serialize(LABEL)?]),
            LABELS_FIELD => Written::Labels(value.serialize(LabelList)?),
            BLOCKS_FIELD => return value.serialize(VariantBlocks { body: self, mode: Mode::OneBlock }),
            _ => {
                let depth = self.depth;
                value.serialize(Item { body: self, name, labels: Vec::new(), mode, depth, in_newtype: false })?
            }
        };
        match written {
            Written::Nothing | Written::Blocks => Ok(()),
            // Whether there could be blocks in it only its type says.
            Written::Empty(_) if is_of_blocks::<T>() => Ok(()),
            Written::Empty(text) => self.attribute(name, text.to_owned()),
            Written::Expression(_) => {
                let text = self.text.as_str().to_owned();
                self.text.clear();
                self.attribute(name, text)
            }
            Written::Labels(labels) => self.add_labels(labels),
        }
    }

    fn attribute(&mut self, name: &str, text: String) -> Result<(), WriteError> {
        if !is_identifier(name) {
            return Err(no_name(name, "an attribute"));
        }
        self.body.add_attribute(name, NewExpression::of_value(text));
        Ok(())
    }

    fn add_labels(&mut self, labels: Vec<String>) -> Result<(), WriteError> {
        match &mut self.labels {
            Some(all) => all.extend(labels),
            None => return Err(WriteError::new("a file has no labels, only blocks have")),
        }
        Ok(())
    }

    /// Adds a block with labels, and after them those that were found in its body.
    pub(super) fn block(&mut self, name: &str, labels: Vec<String>, body: BodyWriter) -> Result<(), WriteError> {
        if !is_identifier(name) {
            return Err(no_name(name, "a block"));
        }
        let (body, own) = body.finish()?;
        let block = NewBlock::new(name).body(body);
        self.body.add_block(labels.iter().chain(&own).fold(block, |block, label| block.label(label)));
        Ok(())
    }

    /// The body, and the labels of its block.
    pub(super) fn finish(self) -> Result<(NewBody, Vec<String>), WriteError> {
        let mut names: Vec<&str> = self.body.attribute_names().collect();
        if let Some(name) = duplicate(&mut names) {
            return Err(WriteError::new("there are two attributes of this name").below_name(name));
        }
        Ok((self.body, self.labels.unwrap_or_default()))
    }

    pub(super) fn set_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.key = key.serialize(KEY)?;
        Ok(())
    }

    pub(super) fn keyed<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = std::mem::take(&mut self.key);
        self.item(&key, value, Mode::Open)
    }

    /// The attributes of an object as those of a body.
    pub(super) fn value(&mut self, value: &Value) -> Result<(), WriteError> {
        let Some(entries) = value.entries().filter(|_| !value.is_marked()) else {
            let what = match value {
                value if value.is_marked() => "a marked value".to_owned(),
                value if !value.is_known() => "an unknown value".to_owned(),
                value if value.is_null() => "null".to_owned(),
                value => format!("a {}", value.ty()),
            };
            return Err(no_body(self.labels.is_some(), &what));
        };
        for (name, value) in entries {
            self.item(name, value, Mode::Open)?;
        }
        Ok(())
    }
}

/// A name that comes twice.
fn duplicate<'n>(names: &mut [&'n str]) -> Option<&'n str> {
    if names.len() > 8 {
        names.sort_unstable();
        return names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    }
    (1..names.len()).find(|&at| names[..at].contains(&names[at])).map(|at| names[at])
}

fn no_name(name: &str, what: &str) -> WriteError {
    WriteError::new(format!("{name:?} cannot be the name of {what}")).help(
        "names are letters, digits, `_` and `-`, and do not begin with a digit or `-`; the keys of an object can be any text",
    )
}

/// Something that is neither a file nor a block.
pub(super) fn no_body(is_block: bool, kind: &str) -> WriteError {
    let what = if is_block { "a block" } else { "a file" };
    WriteError::new(format!("{what} is made from a structure or a map, and not from {kind}"))
}

/// Whether a type is one of blocks. It is all that is known of a list with nothing in it.
pub(super) fn is_of_blocks<T: ?Sized>() -> bool {
    let name = type_name::<T>();
    let contains = |wrapper: &str| wrapper.strip_suffix("()>").is_some_and(|wrapper| name.contains(wrapper));
    contains(type_name::<BlockOf<()>>()) || contains(type_name::<Labeled<()>>())
}

/// Writes the body of a file.
pub(super) struct FileWriter<'b> {
    pub body: &'b mut BodyWriter,
}

impl FileWriter<'_> {
    fn refused(&self, kind: &str) -> WriteError {
        no_body(false, kind)
    }
}

impl<'b> Serializer for FileWriter<'b> {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Variants<'b>;
    type SerializeTuple = Variants<'b>;
    type SerializeTupleStruct = Variants<'b>;
    type SerializeMap = Fields<'b>;
    type SerializeStruct = Fields<'b>;
    type SerializeStructVariant = VariantFields<'b>;

    refuse! { bool numbers texts bytes tuple_variant }

    fn serialize_none(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), WriteError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), WriteError> {
        Ok(())
    }

    fn serialize_unit_variant(self, enum_: &'static str, at: u32, variant: &'static str) -> Result<(), WriteError> {
        VariantBlock { body: self.body, mode: Mode::Either }.serialize_unit_variant(enum_, at, variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), WriteError> {
        match name {
            VALUE => match given_value(value)? {
                Some(given) => self.body.value(&given),
                None => value.serialize(self),
            },
            BLOCK | BLOCKS_BY_LABEL => Err(no_type()),
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        enum_: &'static str,
        at: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), WriteError> {
        VariantBlock { body: self.body, mode: Mode::Either }.serialize_newtype_variant(enum_, at, variant, value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Variants<'b>, WriteError> {
        VariantBlocks { body: self.body, mode: Mode::Either }.serialize_seq(length)
    }

    fn serialize_tuple(self, _: usize) -> Result<Variants<'b>, WriteError> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Variants<'b>, WriteError> {
        self.serialize_seq(None)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'b>, WriteError> {
        Ok(Fields(self.body))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Fields<'b>, WriteError> {
        if name == LABELED { Err(no_type()) } else { Ok(Fields(self.body)) }
    }

    fn serialize_struct_variant(
        self,
        enum_: &'static str,
        at: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<VariantFields<'b>, WriteError> {
        VariantBlock { body: self.body, mode: Mode::Either }.serialize_struct_variant(enum_, at, variant, length)
    }
}

fn no_type() -> WriteError {
    WriteError::new("this block has no type").help("put it into a field, the name of which is the type of the block")
}

/// The fields of a structure, or the entries of a map, as what is in a body.
pub(super) struct Fields<'b>(pub &'b mut BodyWriter);

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), WriteError> {
        self.0.item(name, value, Mode::Open)
    }

    fn end(self) -> Result<(), WriteError> {
        Ok(())
    }
}

impl SerializeMap for Fields<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), WriteError> {
        self.0.set_key(key)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        self.0.keyed(value)
    }

    fn end(self) -> Result<(), WriteError> {
        Ok(())
    }
}
