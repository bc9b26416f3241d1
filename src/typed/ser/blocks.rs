//! Enums whose variants are types of blocks.

use ::serde::ser::{Impossible, Serialize};

use super::body::{Around, BodyWriter, Fields};
use super::item::Mode;
use super::kinds::{Parts, Receiver, To, deeper};
use super::{Settings, WriteError, Writer};
use crate::construct::NewExpression;

/// Writes several variants of enums, each as a block.
pub(super) struct VariantBlocks<'b> {
    pub body: &'b mut BodyWriter,
    /// The mode of variants without fields: it decides if they can be attributes.
    pub mode: Mode,
}

impl<'b> Receiver for VariantBlocks<'b> {
    type Ok = ();
    type List = Variants<'b>;
    type Map = Impossible<(), WriteError>;
    type Struct = Impossible<(), WriteError>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("a field `$blocks` takes a list of enums, not {kind}"))
            .help("the name of a variant is the type of its block; for blocks of one type use a `Vec<BlockOf<…>>`")
    }

    fn none(self) -> Result<(), WriteError> {
        Ok(())
    }

    fn list(self, _: &'static str, _: Option<usize>) -> Result<Variants<'b>, WriteError> {
        Ok(Variants { body: self.body, mode: self.mode, count: 0, tuple: None })
    }
}

/// Blocks under way.
pub struct Variants<'b> {
    body: &'b mut BodyWriter,
    mode: Mode,
    count: usize,
    /// The variant that the elements belong to, if any.
    tuple: Option<TupleVariant>,
}

/// The name and the elements of a variant that is written as an attribute with a list.
pub(super) struct TupleVariant {
    pub name: &'static str,
    pub elements: Vec<NewExpression>,
}

impl TupleVariant {
    pub fn new(name: &'static str) -> Self {
        TupleVariant { name, elements: Vec::new() }
    }

    pub fn add<T: ?Sized + Serialize>(&mut self, value: &T, settings: Settings) -> Result<(), WriteError> {
        let element = Writer { settings }.to_expression(value);
        let element = element.map_err(|error| error.below_index(self.elements.len()).below_name(self.name))?;
        self.elements.push(element);
        Ok(())
    }
}

impl Parts for Variants<'_> {
    type Ok = ();

    fn element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), WriteError> {
        if let Some(tuple) = &mut self.tuple {
            return tuple.add(value, self.body.settings);
        }
        let written = value.serialize(To(VariantBlock { body: self.body, mode: self.mode }));
        written.map_err(|error| error.below_index(self.count))?;
        self.count += 1;
        Ok(())
    }

    fn finish(self) -> Result<(), WriteError> {
        match self.tuple {
            Some(tuple) => self.body.item(tuple.name, &tuple.elements, self.mode),
            None => Ok(()),
        }
    }
}

/// Writes the variant of an enum as a block with the name of the variant as its type.
pub(super) struct VariantBlock<'b> {
    pub body: &'b mut BodyWriter,
    /// The mode of a value that is neither a structure nor a map.
    pub mode: Mode,
}

impl VariantBlock<'_> {
    /// Begins the block of a variant.
    fn begin(&mut self, variant: &str) -> Result<Around, WriteError> {
        let depth = deeper(self.body.depth(), self.body.settings.max_depth)?;
        self.body.begin_block(variant, self.body.labels.len(), depth)
    }
}

impl<'b> Receiver for VariantBlock<'b> {
    type Ok = ();
    type List = Variants<'b>;
    type Map = Impossible<(), WriteError>;
    type Struct = Fields<'b>;

    fn refused(&self, kind: &str) -> WriteError {
        WriteError::new(format!("a file or a field `$blocks` takes a list of enums, and this element is {kind}"))
            .help("the name of a variant is the type of its block; for blocks of one type use a field with a `Vec<BlockOf<…>>`")
    }

    fn unit_variant(mut self, variant: &'static str) -> Result<(), WriteError> {
        let around = self.begin(variant)?;
        self.body.end_block(around)
    }

    fn newtype_variant<T: ?Sized + Serialize>(self, variant: &'static str, value: &T) -> Result<(), WriteError> {
        self.body.item(variant, value, self.mode)
    }

    fn tuple_variant(self, name: &'static str, _: usize) -> Result<Variants<'b>, WriteError> {
        match self.mode {
            Mode::Either => {
                Ok(Variants { body: self.body, mode: self.mode, count: 0, tuple: Some(TupleVariant::new(name)) })
            }
            _ => Err(self.refused("a variant with several values that have no names")),
        }
    }

    fn struct_variant(mut self, variant: &'static str, _: usize) -> Result<Fields<'b>, WriteError> {
        let around = self.begin(variant)?;
        Ok(Fields { body: self.body, key: String::new(), block: Some((variant, around)) })
    }
}
